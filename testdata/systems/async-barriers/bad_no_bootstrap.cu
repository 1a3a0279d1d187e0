// The threads have to synchronise before the barrier can do that for them.
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void mirror(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&stored, block.size()); // expect: init-no-sync
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait();
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
