// All threads of the block take part in its copies, whatever is to be waited at.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

__global__ void tail(const int *__restrict__ in, int *__restrict__ out, int count, int rounds)
{
    __shared__ int line[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> there;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&there, block.size());
    block.sync();
    for (int i = 0; i < rounds; ++i) {
        const int at = (i * gridDim.x + blockIdx.x) * 256;
        if (at + threadIdx.x < count)
            cuda::memcpy_async(block, line, in + at, sizeof(line), there); // expect: group-collective-divergent
        there.arrive_and_wait();
        if (at + threadIdx.x < count)
            out[at + threadIdx.x] = line[255 - threadIdx.x];
        block.sync();
    }
}

__global__ void halves(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    auto block = cg::this_thread_block();
    if (block.thread_rank() < 64)
        cg::memcpy_async(block, line, in, sizeof(line)); // expect: group-collective-divergent
    cg::wait(block);
    out[threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void leaders(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    if (threadIdx.x % 32 == 0)
        cuda::memcpy_async(block, line, in, sizeof(line), pipe); // expect: group-collective-divergent
    pipe.producer_commit();
    pipe.consumer_wait();
    out[threadIdx.x] = line[127 - threadIdx.x];
    pipe.consumer_release();
}

void launch(const int *in, int *out, int count, int rounds)
{
    tail<<<16, 256>>>(in, out, count, rounds);
    halves<<<1, 128>>>(in, out);
    leaders<<<1, 128>>>(in, out);
}
