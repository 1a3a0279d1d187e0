// The group is made in the branch and handed on; the helper narrows the branch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int add_up(cg::coalesced_group group, int value)
{
    if (value < 100)
        return cg::reduce(group, value, cg::plus<int>());
    return 0;
}

__global__ void sums(const int *__restrict__ in, int *__restrict__ out)
{
    const int value = in[threadIdx.x];
    if (threadIdx.x % 2 == 0) {
        auto even = cg::coalesced_threads();
        out[threadIdx.x] = add_up(even, value); // expect: group-coalesced-stale
    }
}

void run(const int *in, int *out)
{
    sums<<<1, 64>>>(in, out);
}
