// The wait is what says that the copies bound to the barrier are done.
#include <cuda/barrier>
#include <cuda/std/utility>

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    if (threadIdx.x == 0)
        init(&loaded, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
    auto token = loaded.arrive();
    out[threadIdx.x] = tile[127 - threadIdx.x]; // expect: tx-read-early
    loaded.wait(cuda::std::move(token));
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
