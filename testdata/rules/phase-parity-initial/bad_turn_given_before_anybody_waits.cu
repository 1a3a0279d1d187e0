// Whoever initialises the barrier takes the first turn for granted and arrives at once, before the
// barrier of the block: its first phase is over when the writers come. They wait for parity 1, as for
// a buffer that nobody has used.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void wait_for(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void __launch_bounds__(64) twice(const float *__restrict__ in, float *__restrict__ out, int rounds)
{
    __shared__ float line[32];
    __shared__ uint64_t turn, full, empty;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&turn, 1);
        ptx::mbarrier_init(&full, 32);
        ptx::mbarrier_init(&empty, 32);
        ptx::mbarrier_arrive(&turn);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        wait_for(&turn, 1); // expect: phase-parity-initial
        for (int r = 0; r < rounds; ++r) {
            wait_for(&empty, (r & 1) ^ 1);
            line[lane] = 2.0f * in[r * 32 + lane];
            ptx::mbarrier_arrive(&full);
        }
    } else {
        for (int r = 0; r < rounds; ++r) {
            wait_for(&full, r & 1);
            out[r * 32 + lane] = line[31 - lane];
            ptx::mbarrier_arrive(&empty);
        }
    }
}

void run(const float *in, float *out, int rounds)
{
    twice<<<1, 64>>>(in, out, rounds);
}
