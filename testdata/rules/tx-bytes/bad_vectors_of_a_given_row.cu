// How long a row is in bytes the host says. The copy brings all of it, but what is announced is how
// many vectors of 16 bytes that makes: fewer than bytes, however long the row is. The second kernel
// announces the row and copies the lower half of it.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity)) {
    }
}

__global__ void reverse_row(const int4 *in, int4 *out, int row_bytes)
{
    extern __shared__ __align__(128) int4 row[];
    __shared__ uint64_t there;
    const int vectors = row_bytes / 16;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&there, 1);
        expect(&there, vectors); // expect: tx-bytes
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + blockIdx.x * vectors, row_bytes, &there);
    }
    __syncthreads();
    wait(&there, 0);
    for (int v = threadIdx.x; v < vectors; v += blockDim.x)
        out[blockIdx.x * vectors + v] = row[vectors - 1 - v];
}

__global__ void double_rows(const int4 *in, int4 *out, int row_bytes, int rows)
{
    extern __shared__ __align__(128) int4 row[];
    __shared__ uint64_t there;
    const int vectors = row_bytes / 16;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&there, 1);
    __syncthreads();
    for (int r = 0; r < rows; ++r) {
        if (threadIdx.x == 0) {
            expect(&there, row_bytes); // expect: tx-bytes
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in + r * vectors, row_bytes / 2 & ~15,
                               &there);
        }
        wait(&there, r & 1);
        for (int v = threadIdx.x; v < vectors; v += blockDim.x)
            out[r * vectors + v] = make_int4(2 * row[v].x, 2 * row[v].y, 2 * row[v].z, 2 * row[v].w);
        __syncthreads();
    }
}

void launch(const int4 *in, int4 *out, int row_bytes, int rows)
{
    reverse_row<<<rows, 128, row_bytes>>>(in, out, row_bytes);
    double_rows<<<1, 128, row_bytes>>>(in, out, row_bytes, rows);
}
