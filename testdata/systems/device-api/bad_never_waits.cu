// The token of an arrival must go into the wait that belongs to it.
#include <cooperative_groups.h>

__global__ void forgets(int *out)
{
    auto block = cooperative_groups::this_thread_block();
    out[threadIdx.x] = 1;
    (void)block.barrier_arrive(); // expect: group-arrive-wait
    out[threadIdx.x] += 2;
}

void launch(int *out)
{
    forgets<<<1, 128>>>(out);
}
