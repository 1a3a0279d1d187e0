#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void smooth(float *data, int steps)
{
    __shared__ uint64_t updated;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&updated, 128);
    __syncthreads();
    float x = data[threadIdx.x];
    for (int s = 0; s < steps; ++s) {
        line[threadIdx.x] = x;
        ptx::mbarrier_arrive(&updated);
        while (!ptx::mbarrier_try_wait_parity(&updated, 0)) { // expect: phase-parity-flip
        }
        x = 0.5f * (line[threadIdx.x] + line[(threadIdx.x + 1) % 128]);
        __syncthreads();
    }
    data[threadIdx.x] = x;
}

void run(float *data)
{
    smooth<<<1, 128>>>(data, 6);
}
