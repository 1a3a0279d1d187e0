// Each thread leaves the loop when its own cell no longer moves.
#include <cuda_runtime.h>

template <int Cells>
__global__ void settle(float *cell, const float *__restrict__ limit, int most)
{
    __shared__ float line[Cells];
    line[threadIdx.x] = cell[threadIdx.x];
    __syncthreads();
    int round = 0;
    while (round < most) {
        const float next = 0.5f * (line[threadIdx.x] + line[(threadIdx.x + 1) % Cells]); // expect: sync-missing
        __syncthreads(); // expect: sync-divergent-loop
        line[threadIdx.x] = next;
        if (limit[threadIdx.x] > round)
            break;
        ++round;
    }
    cell[threadIdx.x] = line[threadIdx.x];
}

void run(float *cell, const float *limit)
{
    settle<96><<<1, 96>>>(cell, limit, 20);
}
