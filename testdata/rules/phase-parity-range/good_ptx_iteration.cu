// The lowest bit of the iteration.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void iterate(float *data, uint32_t rounds)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (uint32_t phase = 0; phase < rounds; ++phase) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        ptx::mbarrier_arrive(&step);
        while (!ptx::mbarrier_try_wait_parity(&step, phase % 2)) {
        }
    }
}

void run(float *data, uint32_t rounds)
{
    iterate<<<1, 128>>>(data, rounds);
}
