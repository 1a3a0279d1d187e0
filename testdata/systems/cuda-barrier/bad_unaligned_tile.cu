// The tile that a bulk copy fills must be aligned to 16 bytes.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load(const char *in, char *out)
{
    __shared__ alignas(16) char tile[256];
    __shared__ block_barrier loaded;
    if (threadIdx.x == 0)
        init(&loaded, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile + 8, in, cuda::aligned_size_t<16>(128), loaded); // expect: tx-size-align
        token = cuda::device::barrier_arrive_tx(loaded, 1, 128);
    } else {
        token = loaded.arrive();
    }
    loaded.wait(cuda::std::move(token));
    out[threadIdx.x] = tile[8 + threadIdx.x];
}

void launch(const char *in, char *out)
{
    load<<<1, 128>>>(in, out);
}
