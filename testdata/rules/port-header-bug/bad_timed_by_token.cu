// A bounded wait by token: the limit is counted from a variable that nobody set.
#include <cuda/barrier>
#include <cuda/std/utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void poll(const float *in, float *out, int *late)
{
    __shared__ block_barrier stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    block_barrier::arrival_token token = stored.arrive();
    block_barrier::arrival_token again = token;
    const bool over = stored.try_wait_for(cuda::std::move(token), cuda::std::chrono::nanoseconds(500)); // expect[cccl < 3.2.1]: port-header-bug
    if (!over) {
        atomicAdd(late, 1);
        stored.wait(cuda::std::move(again));
    }
    out[threadIdx.x] = line[63 - threadIdx.x];
}

void launch(const float *in, float *out, int *late)
{
    poll<<<8, 64>>>(in, out, late);
}
