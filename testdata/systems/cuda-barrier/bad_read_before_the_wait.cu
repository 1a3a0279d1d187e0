// The tile is there once wait has come back, and not before.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ block_barrier loaded;
    if (threadIdx.x == 0)
        init(&loaded, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    } else {
        token = loaded.arrive();
    }
    const float first = tile[threadIdx.x]; // expect: tx-read-early
    loaded.wait(cuda::std::move(token));
    out[threadIdx.x] = first;
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
