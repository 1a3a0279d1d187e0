// Threads beyond the last element return: the first member of those that were there is still there
// where anybody is. Those with too much return before the group of the others is made.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void compact(const int *__restrict__ in, int *__restrict__ out, int *next, int n)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    const auto all = cg::coalesced_threads();
    if (at >= n)
        return;
    const int most = all.shfl(in[at], 0);
    if (in[at] > most)
        return;
    const auto storing = cg::coalesced_threads();
    int first = 0;
    if (storing.thread_rank() == 0)
        first = atomicAdd(next, static_cast<int>(storing.num_threads()));
    out[storing.shfl(first, 0) + storing.thread_rank()] = in[at];
}

void run(const int *in, int *out, int *next, int n)
{
    compact<<<(n + 127) / 128, 128>>>(in, out, next, n);
}
