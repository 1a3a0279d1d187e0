// block.sync() of cooperative groups is barrier 0 as well.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum Barrier { kWorkers, kWriters };

__device__ void sync(Barrier id, int threads)
{
    asm volatile("barrier.sync.aligned %0, %1;" ::"r"(static_cast<int>(id)), "r"(threads)
                 : "memory");
}

__global__ void stencil(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float line[192];
    cg::thread_block block = cg::this_thread_block();
    line[block.thread_rank()] = in[block.thread_rank()];
    if (block.thread_rank() < 128) {
        line[block.thread_rank()] *= 0.5f;
        sync(kWorkers, 128);
        line[block.thread_rank()] += line[127 - block.thread_rank()];
    }
    block.sync(); // expect: named-id-conflict
    out[block.thread_rank()] = line[191 - block.thread_rank()];
}

void run(const float *in, float *out)
{
    stencil<<<1, 192>>>(in, out);
}
