// The summing warps say what they want, and the loader, when all have, looks up the row and copies: no
// bytes come before that, so whoever has waited for them knows that all have said so.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void await(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void __launch_bounds__(96) sum_rows(const float *from, float *to, const int *order, int rounds)
{
    __shared__ alignas(128) float half[2][2][32];
    __shared__ uint64_t full[2][2], wanted[2];
    __shared__ int row[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0)
        row[lane] = order[lane];
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; ++s) {
            ptx::mbarrier_init(&full[0][s], 1);
            ptx::mbarrier_init(&full[1][s], 1);
            ptx::mbarrier_init(&wanted[s], 3);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
        const int s = r % 2;
        if (warp == 2 && lane == 0) {
            ptx::mbarrier_arrive(&wanted[s]);
            await(&wanted[s], r / 2 & 1);
            const int at = row[r % 32];
            for (int h = 0; h < 2; ++h)
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, half[h][s],
                                   from + (2 * at + h) * 32, 128, &full[h][s]);
        } else if (warp < 2) {
            if (lane == 0) {
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[warp][s], 128);
                ptx::mbarrier_arrive(&wanted[s]);
            }
            await(&full[warp][s], r / 2 & 1);
            sum += half[warp][s][lane];
            __syncwarp();
        }
    }
    if (warp < 2)
        to[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *from, float *to, const int *order, int rounds)
{
    sum_rows<<<4, 96>>>(from, to, order, rounds);
}
