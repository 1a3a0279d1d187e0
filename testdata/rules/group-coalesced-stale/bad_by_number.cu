// Half of the members go on alone and synchronise as if they were all.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void halves(int *data)
{
    if (threadIdx.x < 16) {
        cg::coalesced_group low = cg::coalesced_threads();
        data[threadIdx.x] += 1;
        if (threadIdx.x < 8) {
            data[threadIdx.x + 32] = data[threadIdx.x + 8];
            cg::sync(low); // expect: group-coalesced-stale
            data[threadIdx.x + 64] = data[threadIdx.x + 33];
        }
    }
}

void run(int *data)
{
    halves<<<1, 32>>>(data);
}
