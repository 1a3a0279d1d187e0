// The program launches as many threads as it has numbers, a multiple of the block: no block has
// threads on both sides of the bound.
#include <cuda_runtime.h>

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out, int count)
{
    __shared__ float line[256];
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) {
        line[threadIdx.x] = in[at];
        __syncthreads();
        out[at] = line[255 - threadIdx.x];
    }
}

int main()
{
    const int count = 1 << 16, threads = 256;
    float *in, *out;
    cudaMalloc(&in, count * sizeof *in);
    cudaMalloc(&out, count * sizeof *out);
    mirror<<<(count + threads - 1) / threads, threads>>>(in, out, count);
    return cudaDeviceSynchronize() != cudaSuccess;
}
