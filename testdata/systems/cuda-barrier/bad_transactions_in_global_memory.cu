// Transactions are counted by barriers of the block in shared memory only.
#include <cuda/barrier>

__global__ void load(cuda::barrier<cuda::thread_scope_block> *far, const float *in, float *out)
{
    __shared__ alignas(16) float tile[64];
    if (threadIdx.x == 0) {
        init(far, 1);
        cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof(tile)), *far); // expect: tx-target-cta
        (void)cuda::device::barrier_arrive_tx(*far, 1, sizeof(tile)); // expect: tx-target-cta
    }
    __syncthreads();
    out[threadIdx.x] = 1;
}

void launch(cuda::barrier<cuda::thread_scope_block> *far, const float *in, float *out)
{
    load<<<1, 64>>>(far, in, out);
}
