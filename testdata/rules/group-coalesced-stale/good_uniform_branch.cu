// A condition that all members decide alike.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *__restrict__ in, int *__restrict__ out, int mode)
{
    auto here = cg::coalesced_threads();
    const int value = in[threadIdx.x];
    if (mode > 1)
        out[threadIdx.x] = cg::reduce(here, value, cg::plus<int>());
    for (int i = 0; i < mode; ++i) {
        here.sync();
        out[i * 64 + threadIdx.x] = value;
    }
}

void run(const int *in, int *out, int mode)
{
    sums<<<1, 64>>>(in, out, mode);
}
