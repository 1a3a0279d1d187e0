// The whole block copies; or one warp as a group of its own; or one thread, on its own behalf.
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
        if (at < count) // of the whole block
            cuda::memcpy_async(block, line, in + at, sizeof(int) * (count - at < 256 ? count - at : 256), there);
        there.arrive_and_wait();
        if (at + threadIdx.x < count)
            out[at + threadIdx.x] = line[threadIdx.x];
        block.sync();
    }
}

__global__ void either(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[128];
    auto block = cg::this_thread_block();
    if (blockIdx.x == 0)
        cg::memcpy_async(block, line, in, sizeof(line));
    else
        cg::memcpy_async(block, line, in + 128, sizeof(line));
    cg::wait(block);
    out[threadIdx.x] = line[127 - threadIdx.x];
}

__global__ void producers(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int line[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        pipe.producer_acquire();
        cuda::memcpy_async(warp, line, in, sizeof(line), pipe);
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();
        out[threadIdx.x - 32] = line[95 - threadIdx.x];
        pipe.consumer_release();
    }
}

__global__ void alone(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ alignas(16) int line[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> there;
    if (threadIdx.x == 0)
        init(&there, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::memcpy_async(line, in, cuda::aligned_size_t<16>(sizeof(line)), there);
    there.arrive_and_wait();
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(const int *in, int *out, int count, int rounds)
{
    tail<<<16, 256>>>(in, out, count, rounds);
    either<<<2, 128>>>(in, out);
    producers<<<1, 96>>>(in, out);
    alone<<<1, 128>>>(in, out);
}
