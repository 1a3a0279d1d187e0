// Only the leader has a token: the others cannot wait with one.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ block_barrier loaded;
    block_barrier::arrival_token token{};
    if (threadIdx.x == 0) {
        init(&loaded, 1);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    }
    __syncthreads();
    loaded.wait(cuda::std::move(token)); // expect: phase-token-invalid
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
