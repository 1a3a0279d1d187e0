// The producer asks once whether the buffer is free and fills it either way. Nothing is read after
// the test; what is written is the mistake.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void relay(const float *__restrict__ in, float *__restrict__ out, int tiles)
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
            (void)ptx::mbarrier_try_wait_parity(&empty, (t & 1) ^ 1); // expect: phase-trywait-ignored
            tile[lane] = in[t * 32 + lane];
            ptx::mbarrier_arrive(&full);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            while (!ptx::mbarrier_try_wait_parity(&full, t & 1)) {
            }
            out[t * 32 + lane] = tile[31 - lane];
            ptx::mbarrier_arrive(&empty);
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    relay<<<1, 64>>>(in, out, tiles);
}
