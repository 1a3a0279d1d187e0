// Only the first lanes wait; the other warps arrive round after round and leave them behind.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void relax(float *data, int rounds)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        ptx::mbarrier_arrive(&step);
        if (threadIdx.x < 16) {
            while (!ptx::mbarrier_try_wait_parity(&step, round & 1)) { // expect: phase-parity-lag
            }
        }
    }
}

void run(float *data)
{
    relax<<<1, 128>>>(data, 100);
}
