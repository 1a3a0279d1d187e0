// The loader looks up in shared memory which rows it copies, and keeps count there, before it
// starts the copies: whoever has got the data and asks for the next knows that it has been asked.
#include <cstdint>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace ptx = cuda::ptx;
constexpr int WIDTH = 32, READERS = 2;

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void __launch_bounds__(96)
    gather(const float *from, const int *rows, float *to, int *count, int rounds)
{
    __shared__ alignas(128) float tile[READERS][WIDTH];
    __shared__ uint64_t full[READERS], wanted;
    __shared__ int row[32], copied;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (warp == 0)
        row[lane] = rows[lane];
    if (threadIdx.x == 0) {
        for (int i = 0; i < READERS; ++i)
            ptx::mbarrier_init(&full[i], 1);
        ptx::mbarrier_init(&wanted, READERS);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (warp == READERS) {
        for (int round = 0; lane == 0 && round < rounds; ++round) {
            wait(&wanted, round & 1);
            const int next = row[round % 32];
            copied = round + 1;
            for (int i = 0; i < READERS; ++i)
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[i],
                                   from + (READERS * next + i) * WIDTH, sizeof tile[i], &full[i]);
        }
    } else {
        float sum = 0;
        for (int round = 0; round < rounds; ++round) {
            if (lane == 0) {
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[warp], sizeof tile[warp]);
                ptx::mbarrier_arrive(&wanted);
            }
            wait(&full[warp], round & 1);
            sum += tile[warp][lane];
            __syncwarp();
        }
        to[blockIdx.x * 64 + threadIdx.x] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        count[blockIdx.x] = copied;
}

void launch(const float *from, const int *rows, float *to, int *count, int rounds)
{
    gather<<<4, 96>>>(from, rows, to, count, rounds);
}
