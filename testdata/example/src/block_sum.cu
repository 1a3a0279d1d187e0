// Right: the sum of a block, with a cuda::barrier between the rounds.
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

template <int kThreads>
__global__ void block_sum(const float *in, float *out)
{
    __shared__ float part[kThreads];
    __shared__ barrier round;
    if (threadIdx.x == 0)
        init(&round, kThreads);
    __syncthreads();

    part[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
    for (int half = kThreads / 2; half > 0; half /= 2) {
        round.arrive_and_wait();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

void sum(const float *in, float *out, int blocks)
{
    block_sum<256><<<blocks, 256>>>(in, out);
}
