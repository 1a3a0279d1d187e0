// Bytes are announced to a barrier in global memory.
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(const float *__restrict__ in, float *__restrict__ out,
                        block_barrier *barriers)
{
    __shared__ alignas(16) float tile[128];
    block_barrier &full = barriers[blockIdx.x];
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(tile, in + blockIdx.x * 128, // expect: tx-target-cta
                                      cuda::aligned_size_t<16>(512), full);
        token = cuda::device::barrier_arrive_tx(full, 1, 512); // expect: tx-target-cta
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x];
}

void run(const float *in, float *out, block_barrier *barriers)
{
    reverse<<<16, 128>>>(in, out, barriers);
}
