// barrier_arrive_tx takes from the expected count as an arrival does: the leader arrives twice.
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
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), loaded);
        (void)cuda::device::barrier_arrive_tx(loaded, 1, sizeof(tile));
    }
    loaded.arrive_and_wait(); // expect: arrive-over
    out[threadIdx.x] = tile[threadIdx.x];
}

void launch(const float *in, float *out)
{
    load<<<1, 128>>>(in, out);
}
