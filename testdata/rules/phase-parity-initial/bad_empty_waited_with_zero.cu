// The producer waits for the empty barrier's first phase, which only a consumer of the tile it has
// yet to produce could complete.
#include <cuda_awbarrier_primitives.h>

__device__ void wait_for(__mbarrier_t *bar, bool parity)
{
    while (!__mbarrier_try_wait_parity(bar, parity, 1000)) {
    }
}

template <int Stages>
__global__ void increment(const int *__restrict__ in, int *__restrict__ out, int tiles)
{
    __shared__ __mbarrier_t full[Stages], empty[Stages];
    __shared__ int tile[Stages][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < Stages) {
        __mbarrier_init(&full[threadIdx.x], 32);
        __mbarrier_init(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            wait_for(&empty[s], (t / Stages) & 1); // expect: phase-parity-initial
            tile[s][lane] = in[t * 32 + lane];
            (void)__mbarrier_arrive(&full[s]);
        }
    } else {
        for (int t = 0; t < tiles; ++t) {
            const int s = t % Stages;
            wait_for(&full[s], (t / Stages) & 1);
            out[t * 32 + lane] = tile[s][31 - lane] + 1;
            (void)__mbarrier_arrive(&empty[s]);
        }
    }
}

void run(const int *in, int *out)
{
    increment<2><<<1, 64>>>(in, out, 10);
}
