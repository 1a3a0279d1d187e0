// The next slot is asked for while this one is worked on, and asked again until it is there. How
// many slots there are is for who instantiates the launcher to say; nobody does so here.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ inline bool is_there(uint64_t *bar, int phase)
{
    return ptx::mbarrier_try_wait_parity(bar, phase);
}

template <int Slots>
__global__ void __launch_bounds__(192) sums(const float *__restrict__ in, float *__restrict__ out,
                                            int rounds)
{
    __shared__ uint64_t full[Slots], empty[Slots];
    __shared__ float slot[Slots][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < Slots; ++i) {
            ptx::mbarrier_init(&full[i], 32);
            ptx::mbarrier_init(&empty[i], 32);
        }
    }
    __syncthreads();
    int at = warp % 3, phase = 0;
    if (warp >= 3) {
        for (int k = 0; k < rounds; ++k) {
            while (!is_there(&empty[at], phase ^ 1)) {
            }
            slot[at][lane] = in[(k * 3 + warp % 3) * 32 + lane];
            ptx::mbarrier_arrive(&full[at]);
            at += 3;
            if (at >= Slots) {
                at = warp % 3;
                phase ^= 1;
            }
        }
    } else {
        float sum = 0;
        bool ready = is_there(&full[at], phase);
        for (int k = 0; k < rounds; ++k) {
            int next = at + 3, next_phase = phase;
            if (next >= Slots) {
                next = warp;
                next_phase ^= 1;
            }
            while (!ready)
                ready = is_there(&full[at], phase);
            if (k + 1 < rounds)
                ready = is_there(&full[next], next_phase);
            sum += slot[at][31 - lane];
            ptx::mbarrier_arrive(&empty[at]);
            at = next;
            phase = next_phase;
        }
        out[threadIdx.x] = sum;
    }
}

template <int Slots> void run(const float *in, float *out, int rounds)
{
    static_assert(Slots % 3 == 0, "three warps take turns");
    sums<Slots><<<4, 192>>>(in, out, rounds);
}
