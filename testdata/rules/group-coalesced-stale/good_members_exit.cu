// Members that have left the kernel are not waited for.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void copy(const int *__restrict__ in, int *__restrict__ out, int n)
{
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    auto here = cg::coalesced_threads();
    if (at >= n)
        return;
    out[at] = in[at];
    here.sync();
    out[at + n] = out[at];
}

void run(const int *in, int *out, int n)
{
    copy<<<4, 128>>>(in, out, n);
}
