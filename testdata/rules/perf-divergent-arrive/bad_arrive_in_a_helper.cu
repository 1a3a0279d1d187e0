// pedantic: how the lanes come together is the compiler's choice
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void meet(block_barrier &barrier)
{
    barrier.arrive_and_wait();
}

__global__ void sift(const int *depth, int *row)
{
    __shared__ block_barrier level;
    __shared__ int line[96];
    if (threadIdx.x == 0)
        init(&level, 96);
    __syncthreads();
    int value = row[threadIdx.x];
    const int mine = depth[threadIdx.x];
    for (int i = 0; i < mine; ++i)
        value = value * 3 + i;
    line[threadIdx.x] = value;
    meet(level); // expect: perf-divergent-arrive
    row[threadIdx.x] = line[95 - threadIdx.x];
    (void)level.arrive();
}

void launch(const int *depth, int *row)
{
    sift<<<1, 96>>>(depth, row);
}
