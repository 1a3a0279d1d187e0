// Three teams read each slot and give it back, and the barrier counts two of them: the third is late
// for the phase that it means.
#include <cuda_runtime.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int slots = 4, teams = 3, team_threads = 128;

__device__ void wait_for(uint64_t *barrier, int parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__device__ void team_sync(int team)
{
    asm volatile("bar.sync %0, %1;" ::"r"(team + 1), "n"(team_threads) : "memory");
}

__global__ void count_rounds(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float slot[slots][512];
    __shared__ uint64_t full[slots], empty[slots];
    const int team = threadIdx.x / team_threads;
    if (threadIdx.x == 0) {
        for (int i = 0; i < slots; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], teams - 1);
        }
    }
    __syncthreads();
    if (team == teams) {
        for (int i = 0; i < tiles && threadIdx.x % team_threads == 0; ++i) {
            wait_for(&empty[i % slots], (i / slots & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[i % slots], sizeof slot[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, slot[i % slots],
                               in + i * 512, sizeof slot[0], &full[i % slots]);
        }
        return;
    }
    float rounds = 0;
    for (int i = 0; i < tiles; ++i) {
        wait_for(&full[i % slots], i / slots & 1);
        rounds += 1;
        team_sync(team);
        if (threadIdx.x % team_threads == 0)
            ptx::mbarrier_arrive(&empty[i % slots]); // expect: init-count-mismatch
    }
    out[threadIdx.x] = rounds;
}

void launch(const float *in, float *out, int tiles)
{
    count_rounds<<<1, (teams + 1) * team_threads>>>(in, out, tiles);
}
