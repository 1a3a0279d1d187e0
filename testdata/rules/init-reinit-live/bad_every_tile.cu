#include <cuda/barrier>

__global__ void tiles_reversed(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ float tile[128];
    for (int t = 0; t < tiles; ++t) {
        if (threadIdx.x == 0)
            init(&filled, blockDim.x); // expect: init-reinit-live
        __syncthreads();
        tile[threadIdx.x] = in[t * 128 + threadIdx.x];
        filled.arrive_and_wait();
        out[t * 128 + threadIdx.x] = tile[127 - threadIdx.x];
        __syncthreads();
    }
}

void run(const float *in, float *out)
{
    tiles_reversed<<<1, 128>>>(in, out, 8);
}
