#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <int Count> __global__ void load(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(16) int tile[Count];
    __shared__ block_barrier landed;
    if (threadIdx.x == 0)
        init(&landed, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in + blockIdx.x * Count,
                                      cuda::aligned_size_t<16>(sizeof tile), landed);
        token = cuda::device::barrier_arrive_tx(landed, 1, sizeof tile);
    } else {
        token = landed.arrive();
    }
    landed.wait(std::move(token));
    for (int i = threadIdx.x; i < Count; i += blockDim.x)
        out[blockIdx.x * Count + i] = tile[Count - 1 - i];
}

void run(const int *in, int *out, int blocks)
{
    load<512><<<blocks, 128>>>(in, out);
}
