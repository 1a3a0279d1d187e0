// Arrivals of different weight that add up to the expected count.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void mixed(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ uint64_t stored;
    __shared__ int line[96];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&stored, 96);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 32) {
        ptx::mbarrier_arrive(&stored);
    } else {
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            ptx::mbarrier_arrive(&stored, 32);
    }
    while (!ptx::mbarrier_try_wait_parity(&stored, 0)) {
    }
    out[threadIdx.x] = line[95 - threadIdx.x];
}

void run(const int *in, int *out)
{
    mixed<<<1, 96>>>(in, out);
}
