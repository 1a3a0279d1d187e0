// The block's own copy, a collective, between the two halves.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void smooth(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(16) float line[128], next[128];
    auto block = cg::this_thread_block();
    line[threadIdx.x] = in[threadIdx.x];
    auto token = block.barrier_arrive();
    cg::memcpy_async(block, next, in + 128, sizeof(next)); // expect: group-arrive-wait
    block.barrier_wait(std::move(token));
    cg::wait(block);
    out[threadIdx.x] = line[127 - threadIdx.x] + next[threadIdx.x];
}

void run(const float *in, float *out)
{
    smooth<<<1, 128>>>(in, out);
}
