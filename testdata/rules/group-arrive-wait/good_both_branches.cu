// Whichever way a block goes, one wait follows the arrival; the token is handed to a helper.
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;
using token_t = cg::thread_block::arrival_token;

__device__ void finish(const cg::thread_block &block, token_t &&token)
{
    block.barrier_wait(std::move(token));
}

__global__ void smooth(const float *__restrict__ in, float *__restrict__ out, bool scale)
{
    __shared__ float line[128];
    auto block = cg::this_thread_block();
    line[threadIdx.x] = in[threadIdx.x];
    token_t token = block.barrier_arrive();
    float own = in[threadIdx.x + 128];
    if (scale) {
        own *= 2.0f;
        finish(block, std::move(token));
    } else {
        block.barrier_wait(std::move(token));
    }
    out[threadIdx.x] = own + line[127 - threadIdx.x];
}

void run(const float *in, float *out, bool scale)
{
    smooth<<<1, 128>>>(in, out, scale);
}
