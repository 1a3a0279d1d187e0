// Each warp has a row of shared memory, as long as the host says, and behind it the barrier of its
// copies.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void rows_in_order(const int4 *in, int4 *out, int row_bytes, int rows)
{
    extern __shared__ __align__(128) unsigned char memory[];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // Blocks begin at different channels, so that not all ask for the same rows at once.
    int channel = (warp + blockIdx.x) % 4;
    unsigned char *row = memory + channel * (row_bytes + 16);
    uint64_t *arrived = reinterpret_cast<uint64_t *>(row + row_bytes);
    if (lane == 0)
        ptx::mbarrier_init(arrived, 1);
    __syncwarp();
    uint32_t parity = 0;
    int vectors = row_bytes / (int)sizeof(int4);
    for (int r = channel; r < rows; r += 4) {
        if (lane == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived,
                                           row_bytes);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + r * vectors, row_bytes,
                               arrived);
        }
        __syncwarp();
        while (!ptx::mbarrier_try_wait_parity(arrived, parity)) {
        }
        parity ^= 1;
        for (int v = lane; v < vectors; v += 32)
            out[r * vectors + vectors - 1 - v] = reinterpret_cast<const int4 *>(row)[v];
        __syncwarp();
    }
}

void launch(const int4 *in, int4 *out, int row_bytes, int rows)
{
    rows_in_order<<<32, 128, 4 * (row_bytes + 16)>>>(in, out, row_bytes, rows);
}
