// The stride in constant memory begins as the block's 256 threads, but the host sets another one:
// with it some threads go one round more than others.
#include <cuda_runtime.h>

__constant__ unsigned stride = 256;

__global__ void turn(const float *in, float *out)
{
    __shared__ float row[256];
    for (unsigned i = threadIdx.x; i < 1024; i += stride) {
        row[threadIdx.x] = in[i];
        __syncthreads(); // expect: sync-divergent-loop
        out[i] = row[threadIdx.x ^ 128];
        __syncthreads();
    }
}

void run(const float *in, float *out, unsigned columns)
{
    cudaMemcpyToSymbol(stride, &columns, sizeof columns);
    turn<<<1, 256>>>(in, out);
}
