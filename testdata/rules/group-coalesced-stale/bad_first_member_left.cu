// Of the threads with something to store, those with too much return; the others ask the first
// member for their place, which may be one of those.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int reserve(const cg::coalesced_group &group, int *next)
{
    int first = 0;
    if (group.thread_rank() == 0)
        first = atomicAdd(next, static_cast<int>(group.num_threads()));
    return group.shfl(first, 0) + static_cast<int>(group.thread_rank());
}

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int *next)
{
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value > 0) {
        const auto storing = cg::coalesced_threads();
        if (value > 1000)
            return;
        out[reserve(storing, next)] = value; // expect: group-coalesced-stale
    }
}

void run(const int *in, int *out, int *next)
{
    compact<<<8, 128>>>(in, out, next);
}
