// The consumers give the stage back before they have read it: the producer's next copy may be
// under way there.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <int Stages> struct Ring {
    alignas(128) float tile[Stages][64];
    uint64_t full[Stages], empty[Stages];
};

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

template <int Stages> __global__ void sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ Ring<Stages> ring;
    if (threadIdx.x == 0) {
        for (int s = 0; s < Stages; ++s) {
            ptx::mbarrier_init(&ring.full[s], 1);
            ptx::mbarrier_init(&ring.empty[s], 64);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (threadIdx.x == 64) {
        for (int t = 0; t < 8; ++t) {
            const int s = t % Stages;
            wait(&ring.empty[s], (t / Stages & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &ring.full[s], sizeof ring.tile[s]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, ring.tile[s], in + t * 64,
                               sizeof ring.tile[s], &ring.full[s]);
        }
    } else if (threadIdx.x < 64) {
        float sum = 0.0f;
        for (int t = 0; t < 8; ++t) {
            const int s = t % Stages;
            wait(&ring.full[s], t / Stages & 1);
            ptx::mbarrier_arrive(&ring.empty[s]);
            sum += ring.tile[s][63 - threadIdx.x]; // expect: tx-read-early
        }
        out[threadIdx.x] = sum;
    }
}

void run(const float *in, float *out)
{
    sums<2><<<1, 96>>>(in, out);
}
