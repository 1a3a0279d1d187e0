// The block goes on as long as one of its warps has work; within a round, each warp votes on what
// it needs no barrier for.
#include <cuda_runtime.h>

__global__ void count_rows(const int *__restrict__ in, int *__restrict__ out, int n)
{
    for (int base = 0; base < n; base += blockDim.x) {
        const int i = base + threadIdx.x;
        int value = 0;
        if (__any_sync(0xffffffffu, i < n))
            value = __shfl_xor_sync(0xffffffffu, i < n ? in[i] : 0, 1);
        const int found = __syncthreads_count(value > 0);
        if (i < n)
            out[i] = found;
    }
}

__global__ void rows_of_a_batch(const float *__restrict__ in, float *__restrict__ out, int batch,
                                int rows)
{
    __shared__ float part[128];
    for (int first = blockIdx.x * 4; first < batch * rows; first += gridDim.x * 4) {
        const int row = first + threadIdx.x / 32;
        part[threadIdx.x] = row < batch * rows ? in[row * 32 + threadIdx.x % 32] : 0;
        __syncthreads();
        if (row < batch * rows)
            out[row * 32 + threadIdx.x % 32] = part[threadIdx.x ^ 64];
        __syncthreads();
    }
}

void run(const int *in, int *out, const float *from, float *to, int n, int batch, int rows)
{
    count_rows<<<1, 128>>>(in, out, n);
    rows_of_a_batch<<<32, 128>>>(from, to, batch, rows);
}
