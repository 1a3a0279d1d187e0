// Only the first warp waits, but the barrier of the block holds the others back until it has.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void relax(float *data, float *log, int rounds)
{
    __shared__ uint64_t step;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&step, blockDim.x);
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        data[threadIdx.x] *= 0.5f;
        ptx::mbarrier_arrive(&step);
        if (threadIdx.x < 16) {
            while (!ptx::mbarrier_try_wait_parity(&step, round & 1)) {
            }
            log[round * 16 + threadIdx.x] = data[threadIdx.x + 64];
        }
        __syncthreads();
    }
}

void run(float *data, float *log)
{
    relax<<<1, 128>>>(data, log, 100);
}
