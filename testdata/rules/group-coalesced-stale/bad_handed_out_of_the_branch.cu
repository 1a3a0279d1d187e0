// Made where every thread stands, used by those with a positive value only.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void append(const int *__restrict__ in, int *__restrict__ out, int *used)
{
    auto all = cg::coalesced_threads();
    const int value = in[threadIdx.x];
    if (value > 0) {
        int base = 0;
        if (all.thread_rank() == 0)
            base = atomicAdd(used, all.size());
        base = all.shfl(base, 0); // expect: group-coalesced-stale
        out[base + all.thread_rank()] = value;
    }
}

void run(const int *in, int *out, int *used)
{
    append<<<1, 32>>>(in, out, used);
}
