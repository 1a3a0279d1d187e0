// One block barrier serves the initialisations that stand together.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void both(const float *in, float *out)
{
    __shared__ uint64_t first, second;
    __shared__ float line[64];
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&first, 64);
    }
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&second, 64);
    }
    __syncthreads();

    line[threadIdx.x] = in[threadIdx.x];
    ptx::mbarrier_arrive(&first);
    while (!ptx::mbarrier_try_wait_parity(&first, 0)) {}
    out[threadIdx.x] = line[63 - threadIdx.x];
    ptx::mbarrier_arrive(&second);
    while (!ptx::mbarrier_try_wait_parity(&second, 0)) {}
    line[threadIdx.x] = in[64 + threadIdx.x];
}

void launch(const float *in, float *out)
{
    both<<<1, 64>>>(in, out);
}
