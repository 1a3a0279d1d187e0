// All blocks come to the first one's barrier, wait there too, and are so too many for its count.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __cluster_dims__(2, 1, 1) enter(const float *in, float *out)
{
    __shared__ barrier own;
    __shared__ float line[32];
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        init(&own, 32);
    cluster.sync();
    barrier &door = *cluster.map_shared_rank(&own, 0);
    line[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    barrier::arrival_token token = door.arrive();
    door.wait(cuda::std::move(token)); // expect: phase-wait-remote
    out[blockIdx.x * 32 + threadIdx.x] = line[31 - threadIdx.x];
    cluster.sync();
}

void launch(const float *in, float *out)
{
    enter<<<4, 32>>>(in, out);
}
