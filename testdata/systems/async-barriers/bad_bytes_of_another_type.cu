// A phase is over when all have arrived and the transactions add up to what was announced.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

__global__ void load(const double *in, double *out)
{
    __shared__ alignas(16) double tile[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&loaded, block.size());
    block.sync();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (block.thread_rank() == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, 64 * sizeof(float)); // expect: tx-bytes
    } else {
        token = loaded.arrive();
    }
    loaded.wait(cuda::std::move(token));
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

void launch(const double *in, double *out)
{
    load<<<1, 64>>>(in, out);
}
