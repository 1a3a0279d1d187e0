// Two teams take the slots in turns; the barrier of a slot counts the one whose turn it is, and
// with three slots each team comes to each of them.
#include <cuda_runtime.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int slots = 3, team_threads = 96;

__device__ void wait_for(uint64_t *barrier, int parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void turns(const float *in, float *out, int tiles)
{
    __shared__ alignas(16) float slot[slots][96];
    __shared__ uint64_t full[slots], empty[slots];
    const int team = threadIdx.x / team_threads;
    if (threadIdx.x == 0) {
        for (int i = 0; i < slots; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], team_threads);
        }
    }
    __syncthreads();
    if (team == 2) {
        for (int i = 0; i < tiles && threadIdx.x == 2 * team_threads; ++i) {
            wait_for(&empty[i % slots], (i / slots & 1) ^ 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full[i % slots], sizeof slot[0]);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, slot[i % slots], in + i * 96,
                               sizeof slot[0], &full[i % slots]);
        }
        return;
    }
    float sum = 0;
    for (int i = team; i < tiles; i += 2) {
        wait_for(&full[i % slots], i / slots & 1);
        sum += slot[i % slots][threadIdx.x % team_threads];
        ptx::mbarrier_arrive(&empty[i % slots]);
    }
    out[threadIdx.x] = sum;
}

void launch(const float *in, float *out, int tiles)
{
    turns<<<1, 2 * team_threads + 32>>>(in, out, tiles);
}
