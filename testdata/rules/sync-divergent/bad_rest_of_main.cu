// 50000 numbers fill 195 blocks of 256 and a part of another.
#include <cuda_runtime.h>

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float line[256];
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) {
        line[threadIdx.x] = in[at];
        __syncthreads(); // expect: sync-divergent
        out[at] = line[255 - threadIdx.x];
    }
}

int main()
{
    const int count = 50000, threads = 256;
    float *in, *out;
    cudaMalloc(&in, count * sizeof *in);
    cudaMalloc(&out, count * sizeof *out);
    mirror<<<(count + threads - 1) / threads, threads>>>(in, out, count);
    return cudaDeviceSynchronize() != cudaSuccess;
}
