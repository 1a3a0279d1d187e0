// The block is what the loops step by, 64 threads, and the sums of one warp are read by the other.
#include <cuda_runtime.h>

struct plan {
    dim3 grid, block;
};

template <int threads>
__global__ void turned_sums(const float *in, float *out, int n)
{
    __shared__ float part[threads];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += threads)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    float other = part[threads - 1 - threadIdx.x];
    part[threadIdx.x] = sum + other; // expect: sync-missing
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x ^ 1];
}

void launch(const plan &made, const float *in, float *out, int n)
{
    turned_sums<64><<<made.grid, made.block>>>(in, out, n);
}
