// The member that all read from is the first to look whether it has anything to do, and may have
// left: which of them leave the data alone say.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void relative(const int *in, int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cg::coalesced_group active = cg::coalesced_threads();
    const int value = in[i];
    if (value < 0)
        return;
    const int first = active.shfl(value, 0); // expect: group-coalesced-stale
    out[i] = value - first;
}

void launch(const int *in, int *out)
{
    relative<<<32, 64>>>(in, out);
}
