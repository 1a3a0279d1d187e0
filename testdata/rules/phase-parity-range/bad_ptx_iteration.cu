// The number of the iteration where its lowest bit belongs.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void iterate(float *data)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (uint32_t phase = 0; phase < 6; ++phase) {
        data[threadIdx.x] += 0.5f * data[threadIdx.x];
        ptx::mbarrier_arrive(&step);
        while (!ptx::mbarrier_try_wait_parity(&step, phase)) { // expect: phase-parity-range
        }
    }
}

void run(float *data)
{
    iterate<<<1, 128>>>(data);
}
