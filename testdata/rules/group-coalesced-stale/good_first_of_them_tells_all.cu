// The first member reserves room for all and tells them where it is: each of them comes.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void append(const int *key, const int *value, int *out, int *length)
{
    if (key[threadIdx.x] == 3) {
        auto group = cg::coalesced_threads();
        int at = 0;
        if (group.thread_rank() == 0)
            at = atomicAdd(length, static_cast<int>(group.size()));
        at = group.shfl(at, 0);
        out[at + group.thread_rank()] = value[threadIdx.x];
        if (group.thread_rank() < 64)
            group.sync();
    }
}

void run(const int *key, const int *value, int *out, int *length)
{
    append<<<4, 128>>>(key, value, out, length);
}
