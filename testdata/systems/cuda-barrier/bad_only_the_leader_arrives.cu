// The count says that every thread arrives, and one does.
#include <cuda/barrier>

__global__ void load(const float *in, float *out)
{
    __shared__ alignas(16) float tile[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
    if (threadIdx.x == 0)
        init(&loaded, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        (void)cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    }
    loaded.wait_parity(0); // expect: init-count-mismatch
    out[threadIdx.x] = tile[127 - threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
