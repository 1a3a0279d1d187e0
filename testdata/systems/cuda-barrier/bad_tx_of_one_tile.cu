// The transaction count must be the bytes of all copies of the phase: here it is one tile's.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void load_both(const float *in, float *out)
{
    __shared__ alignas(16) float a[128], b[128];
    __shared__ block_barrier loaded;
    if (threadIdx.x == 0)
        init(&loaded, blockDim.x);
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(a, in, cuda::aligned_size_t<16>(sizeof(a)), loaded);
        cuda::device::memcpy_async_tx(b, in + 128, cuda::aligned_size_t<16>(sizeof(b)), loaded);
        token = cuda::device::barrier_arrive_tx(loaded, 1, sizeof(a)); // expect: tx-bytes
    } else {
        token = loaded.arrive();
    }
    loaded.wait(cuda::std::move(token));
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load_both<<<1, 128>>>(in, out);
}
