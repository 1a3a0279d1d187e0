// The box of a tensor is as large as what the phase expects of it alone. The thread that fetches the
// next one does so when all have read the tile.
#include <cstdint>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int side = 16;

__device__ void fetch(float *tile, const CUtensorMap *map, int row, uint64_t *full)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3}], [%4];" ::"r"(
                     static_cast<uint32_t>(__cvta_generic_to_shared(tile))),
                 "l"(map), "r"(static_cast<int>(blockIdx.x) * side), "r"(row),
                 "r"(static_cast<uint32_t>(__cvta_generic_to_shared(full)))
                 : "memory");
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                   side * side * sizeof(float));
}

__global__ void column_sums(const __grid_constant__ CUtensorMap map, float *__restrict__ out,
                            int tiles)
{
    __shared__ alignas(128) float tile[2][side * side];
    __shared__ uint64_t full[2];
    const int me = threadIdx.x;
    if (me == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (me == 0 && tiles > 0)
        fetch(tile[0], &map, 0, &full[0]);
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        const int now = t & 1;
        if (me == 0 && t + 1 < tiles)
            fetch(tile[now ^ 1], &map, (t + 1) * side, &full[now ^ 1]);
        while (!ptx::mbarrier_try_wait_parity(&full[now], (t >> 1) & 1)) {
        }
        sum += tile[now][me];
        __syncthreads();
    }
    out[blockIdx.x * side * side + me] = sum;
}

void run(const CUtensorMap &map, float *out, int columns, int tiles)
{
    column_sums<<<columns, side * side>>>(map, out, tiles);
}
