// A size that is promised to be a multiple of 16 is none.
#include <cuda/barrier>
#include <cuda/std/utility>

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[126];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    if (threadIdx.x == 0) {
        init(&loaded, 1);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded); // expect: tx-size-align
        (void)cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    }
    __syncthreads();
    loaded.wait_parity(0);
    if (threadIdx.x < 126)
        out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
