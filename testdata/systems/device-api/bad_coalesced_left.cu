// Nothing says that the threads stay together: whoever has gone on to another branch is missed.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rounds(const int *in, int *out)
{
    if (in[threadIdx.x] > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        for (int i = 0; i < in[threadIdx.x]; ++i) {
            out[threadIdx.x] += i;
            active.sync(); // expect: group-coalesced-stale
        }
    }
}

void launch(const int *in, int *out)
{
    rounds<<<1, 128>>>(in, out);
}
