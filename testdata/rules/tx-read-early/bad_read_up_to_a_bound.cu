// As many words as there are left are read before anybody has waited for the copy, of which nobody
// knows here how long it is.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

__global__ void by_the_group(const float *in, float *out, int count)
{
    __shared__ float line[512];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, line, in, sizeof(float) * count);
    block.sync();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        out[i] = 2.0f * line[i]; // expect: tx-read-early
    cg::wait(block);
}

__global__ void by_each_thread(const float *in, float *out, int count)
{
    __shared__ float line[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < count)
        __pipeline_memcpy_async(&line[threadIdx.x], &in[i], sizeof(float));
    __pipeline_commit();
    __syncthreads();
    if (i < count)
        out[i] = line[127 - threadIdx.x]; // expect: tx-read-early
    __pipeline_wait_prior(0);
}

void run(const float *in, float *out, int count)
{
    by_the_group<<<1, 128>>>(in, out, count);
    by_each_thread<<<(count + 127) / 128, 128>>>(in, out, count);
}
