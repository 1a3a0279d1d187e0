// The outcome of the first test does not matter: it lets the hardware look ahead, and the wait
// stands before the data all the same. In between the thread reads memory of its own tile.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void relay(const float *__restrict__ in, const float *__restrict__ scale,
                      float *__restrict__ out, int tiles)
{
    __shared__ uint64_t full, empty;
    __shared__ float tile[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            while (!ptx::mbarrier_try_wait_parity(&empty, (t & 1) ^ 1)) {
            }
            tile[lane] = in[t * 32 + lane];
            ptx::mbarrier_arrive(&full);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            (void)ptx::mbarrier_try_wait_parity(&full, t & 1);
            const float by = scale[t];
            while (!ptx::mbarrier_try_wait_parity(&full, t & 1)) {
            }
            out[t * 32 + lane] = by * tile[31 - lane];
            ptx::mbarrier_arrive(&empty);
        }
    }
}

void run(const float *in, const float *scale, float *out, int tiles)
{
    relay<<<1, 64>>>(in, scale, out, tiles);
}
