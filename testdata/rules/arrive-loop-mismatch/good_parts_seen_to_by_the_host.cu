#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int parts = 4, stages = 2, words = 32;

struct span {
    int begin, end;
};

// The tiles of a sum are dealt out in parts, as many to each as it takes when they are rounded up;
// a function that does not come back sees to it that each part has some.
__device__ span part_of(int part, int tiles)
{
    int each = (tiles + parts - 1) / parts;
    return {part * each, min(part * each + each, tiles)};
}

__device__ void await(uint64_t *barrier, unsigned parity)
{
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
    }
}

__global__ void __launch_bounds__(64) sums(const float *from, float *to, int rows, int tiles)
{
    __shared__ alignas(128) float tile[stages][words];
    __shared__ uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    int at = 0;
    for (int job = blockIdx.x; job < rows * parts; job += gridDim.x) {
        span span = part_of(job % parts, tiles);
        if (threadIdx.x >= 32) {
            for (int k = span.begin; k < span.end && threadIdx.x == 32; ++k, ++at) {
                int s = at % stages;
                await(&empty[s], (at / stages + 1) & 1);
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[s], words * 4);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[s],
                                   from + (job / parts * tiles + k) * words, words * 4, &full[s]);
            }
        } else {
            await(&full[at % stages], at / stages & 1);
            float sum = tile[at % stages][threadIdx.x];
            ptx::mbarrier_arrive(&empty[at % stages]);
            ++at;
            for (int k = span.begin + 1; k < span.end; ++k, ++at) {
                await(&full[at % stages], at / stages & 1);
                sum += tile[at % stages][threadIdx.x];
                ptx::mbarrier_arrive(&empty[at % stages]);
            }
            atomicAdd(&to[job / parts * words + threadIdx.x], sum);
        }
    }
}

[[noreturn]] void give_up(const char *what);

void launch(const float *from, float *to, int rows, int tiles, int blocks)
{
    if (tiles <= 0 || tiles % parts != 0)
        give_up("tiles");
    sums<<<blocks, 64>>>(from, to, rows, tiles);
}
