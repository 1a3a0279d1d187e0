// "Resets" the barrier between tiles by writing zero to it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void shift(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t filled;
    __shared__ float tile[64];
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&filled, 64);
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        ptx::mbarrier_arrive(&filled);
        while (!ptx::mbarrier_try_wait_parity(&filled, t & 1)) {
        }
        out[t * 64 + threadIdx.x] = tile[(threadIdx.x + 1) % 64];
        __syncthreads();
        if (threadIdx.x == 0)
            filled = 0; // expect: init-raw-access
        __syncthreads();
    }
}

void run(const float *in, float *out)
{
    shift<<<1, 64>>>(in, out, 2);
}
