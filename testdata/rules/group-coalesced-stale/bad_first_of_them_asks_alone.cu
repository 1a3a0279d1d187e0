// The first member asks the group for the value of the second, who does not come.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void pairs(const int *key, const int *value, int *out)
{
    const int mine = value[threadIdx.x];
    int next = 0;
    if (key[threadIdx.x] == 3) {
        auto group = cg::coalesced_threads();
        if (group.thread_rank() == 0)
            next = group.shfl(mine, 1); // expect: group-coalesced-stale
    }
    out[threadIdx.x] = mine + next;
}

void run(const int *key, const int *value, int *out)
{
    pairs<<<4, 128>>>(key, value, out);
}
