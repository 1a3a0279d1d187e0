// A ring whose consumer looks at the next stage while it works on this one. Where that look comes
// too early, it goes on asking the barrier it began with, which has been over for long.
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;

constexpr int stages = 4, floats = 512;

__device__ inline bool is_over(uint64_t *bar, unsigned parity)
{
    return ptx::mbarrier_try_wait_parity(bar, parity);
}

__global__ void sums(float *out, const float *in, int tiles)
{
    __shared__ alignas(128) float ring[stages][floats];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], 128);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) {
            unsigned stage = 0, parity = 1;
            for (int t = 0; t < tiles; ++t) {
                while (!is_over(&empty[stage], parity))
                    ;
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[stage], sizeof ring[0]);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring[stage],
                                   in + t * floats, sizeof ring[0], &full[stage]);
                if (++stage == stages) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
        return;
    }
    unsigned stage = 0, parity = 0;
    uint64_t *asked = &full[0];
    bool ready = is_over(asked, parity);
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        while (!ready)
            ready = is_over(asked, parity);
        unsigned next = stage + 1 == stages ? 0 : stage + 1;
        unsigned next_parity = next ? parity : parity ^ 1;
        if (t + 1 < tiles)
            ready = is_over(&full[next], next_parity);
        for (int i = threadIdx.x; i < floats; i += 128)
            sum += ring[stage][i]; // expect: tx-read-early
        ptx::mbarrier_arrive(&empty[stage]);
        stage = next;
        parity = next_parity;
    }
    out[threadIdx.x] = sum;
}

void run(float *out, const float *in, int tiles)
{
    sums<<<1, 160>>>(out, in, tiles);
}
