// Persistent kernel: the set-up stands in the loop and runs on the first tile only.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void reversed(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ uint64_t filled;
    __shared__ float tile[128];
    bool first = true;
    uint32_t parity = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        if (first) {
            if (threadIdx.x == 0)
                ptx::mbarrier_init(&filled, 128);
            __syncthreads();
            first = false;
        }
        tile[threadIdx.x] = in[t * 128 + threadIdx.x];
        ptx::mbarrier_arrive(&filled);
        while (!ptx::mbarrier_try_wait_parity(&filled, parity)) {
        }
        parity ^= 1;
        out[t * 128 + threadIdx.x] = tile[127 - threadIdx.x];
        __syncthreads();
    }
}

void run(const float *in, float *out, int tiles)
{
    reversed<<<132, 128>>>(in, out, tiles);
}
