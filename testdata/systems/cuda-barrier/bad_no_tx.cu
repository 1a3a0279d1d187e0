// Copies are bound to a phase that is told of no bytes.
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
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded); // expect: tx-no-expect
    loaded.wait(loaded.arrive());
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
