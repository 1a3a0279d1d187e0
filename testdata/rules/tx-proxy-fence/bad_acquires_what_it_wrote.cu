// Rows are scaled in shared memory and stored in bulk. The fence acquires, which is for what other blocks of the
// cluster have released: the threads' own writes it makes known to no copy.
#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

constexpr int kRow = 256;

__global__ void scale_rows(const float *in, float *out, float by)
{
    __shared__ __align__(128) float row[kRow];
    row[threadIdx.x] = by * in[blockIdx.x * kRow + threadIdx.x];
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * kRow, row, // expect: tx-proxy-fence
                           sizeof row);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

void launch(const float *in, float *out, int rows, float by)
{
    scale_rows<<<rows, kRow>>>(in, out, by);
}
