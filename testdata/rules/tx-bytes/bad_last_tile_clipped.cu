// The last tile is cut to the rows that there are, its announcement is not: the wait for it never
// ends, unless the rows are a multiple of 16.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int tile_rows = 16, columns = 32;

__global__ void norms(const float *__restrict__ in, float *__restrict__ out, int rows)
{
    __shared__ alignas(16) float tile[tile_rows][columns];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&full, 1);
    __syncthreads();
    for (int row = 0, turn = 0; row < rows; row += tile_rows, turn ^= 1) {
        const int here = min(tile_rows, rows - row);
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, // expect: tx-bytes
                                           ptx::space_shared, &full, sizeof(tile));
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + row * columns,
                               here * sizeof(tile[0]), &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, turn)) {
        }
        if ((int)threadIdx.x < here) {
            float sum = 0;
            for (int i = 0; i < columns; ++i)
                sum += tile[threadIdx.x][i] * tile[threadIdx.x][i];
            out[row + threadIdx.x] = sqrtf(sum);
        }
        __syncthreads();
    }
}

void run(const float *in, float *out, int rows)
{
    norms<<<1, 32>>>(in, out, rows);
}
