// A break on the thread's own data leaves the others waiting.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void arrive_and_wait(uint64_t *barrier, uint32_t parity)
{
    ptx::mbarrier_arrive(barrier);
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) { // expect: arrive-loop-mismatch
    }
}

__global__ void settle(float *cell, float limit, int most)
{
    __shared__ uint64_t updated;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&updated, 64);
    line[threadIdx.x] = cell[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < most; ++i) {
        const float next = 0.5f * line[(threadIdx.x + 1) % 64]; // expect: sync-missing
        if (cell[threadIdx.x] - next < limit)
            break;
        arrive_and_wait(&updated, i & 1);
        line[threadIdx.x] = next;
    }
    cell[threadIdx.x] = line[threadIdx.x];
}

void run(float *cell)
{
    settle<<<1, 64>>>(cell, 1e-4f, 50);
}
