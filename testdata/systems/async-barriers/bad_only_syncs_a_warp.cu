// pedantic: To synchronise a warp, __syncwarp is better.
#include <cuda/barrier>

__global__ void turn(float *cell)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all[4];
    __shared__ float line[128];
    const unsigned warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0)
        init(&all[warp], 32);
    __syncthreads();
    line[threadIdx.x] = cell[threadIdx.x];
    all[warp].arrive_and_wait(); // expect: perf-mbarrier-as-syncthreads
    cell[threadIdx.x] = line[threadIdx.x ^ 31];
}

void launch(float *cell)
{
    turn<<<1, 128>>>(cell);
}
