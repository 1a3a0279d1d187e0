// The count is how often arrive() is called before anybody is let go: here twice as often.
#include <cooperative_groups.h>
#include <cuda/barrier>

__global__ void mirror(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        init(&stored, block.size() / 2);
    block.sync();
    line[threadIdx.x] = data[threadIdx.x];
    stored.arrive_and_wait(); // expect: init-count-mismatch
    data[threadIdx.x] = line[127 - threadIdx.x];
}

void launch(float *data)
{
    mirror<<<1, 128>>>(data);
}
