// try_wait_for may come back false, too.
#include <cuda/barrier>
#include <cuda/std/chrono>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void mirror(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ block_barrier stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    auto token = stored.arrive();
    stored.try_wait_for(std::move(token), cuda::std::chrono::microseconds(10)); // expect: phase-trywait-ignored; expect[cccl < 3.2.1]: port-header-bug
    out[blockIdx.x * 128 + threadIdx.x] = line[127 - threadIdx.x];
}

void run(const float *in, float *out, int blocks)
{
    mirror<<<blocks, 128>>>(in, out);
}
