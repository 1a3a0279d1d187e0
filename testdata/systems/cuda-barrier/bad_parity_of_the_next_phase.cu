// The first phase has parity 0.
#include <cuda/barrier>

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    if (threadIdx.x == 0) {
        init(&loaded, 1);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        (void)cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    }
    __syncthreads();
    loaded.wait_parity(1); // expect: phase-parity-initial
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
