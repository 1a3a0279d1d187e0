// A warp of 32 threads and a count of 32: both in threads.
#include <cuda/barrier>

__global__ void warp_pairs(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored[4];
    __shared__ int line[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        init(&stored[warp], 32);
    __syncthreads();
    line[warp][lane] = in[blockIdx.x * 128 + threadIdx.x];
    stored[warp].arrive_and_wait();
    out[blockIdx.x * 128 + threadIdx.x] = line[warp][31 - lane];
}

void run(const int *in, int *out, int blocks)
{
    warp_pairs<<<blocks, 128>>>(in, out);
}
