// How large the box of a tensor's copy is does not stand here; where it begins is written anyway.
#include <cuda.h>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__global__ void column_sums(const __grid_constant__ CUtensorMap map, float *out)
{
    __shared__ alignas(128) float tile[64][64];
    __shared__ barrier full;
    if (threadIdx.x == 0) {
        init(&full, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&tile[0][0], &map, 0, blockIdx.x * 64, full);
        token = cuda::device::barrier_arrive_tx(full, 1, sizeof(tile));
    } else {
        token = full.arrive();
    }
    float sum = 0.0f;
    for (int r = 0; r < 64; ++r)
        sum += tile[r][threadIdx.x]; // expect: tx-read-early
    full.wait(std::move(token));
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(const CUtensorMap &map, float *out)
{
    column_sums<<<32, 64>>>(map, out);
}
