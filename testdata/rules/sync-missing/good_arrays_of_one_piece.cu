// Two arrays in one piece of dynamic shared memory, as many words each as the block has threads:
// with more threads than that they would overlap.
#include <cuda_fp16.h>

template <int Width>
__global__ void dot(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ out,
                    int rows)
{
    extern __shared__ __align__(16) unsigned char memory[];
    half *row = reinterpret_cast<half *>(memory);
    float *part = reinterpret_cast<float *>(row + Width);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        row[threadIdx.x] = a[r * Width + threadIdx.x];
        __syncthreads();
        float sum = __half2float(row[threadIdx.x]) * __half2float(b[threadIdx.x]);
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (lane == 0)
            part[warp] = sum;
        __syncthreads();
        if (threadIdx.x == 0) {
            float total = 0.0f;
            for (int w = 0; w < Width / 32; ++w)
                total += part[w];
            out[r] = total;
        }
        __syncthreads();
    }
}

template <int Width>
void launch(const half *a, const half *b, float *out, int rows, int blocks, dim3 threads)
{
    dot<Width><<<blocks, threads, Width * 6>>>(a, b, out, rows);
}

void run(const half *a, const half *b, float *out, int rows, int blocks, dim3 threads)
{
    launch<64>(a, b, out, rows, blocks, threads);
}
