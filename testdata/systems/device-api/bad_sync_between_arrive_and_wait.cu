// Between the two halves of a group's barrier no other collective of the group.
#include <cooperative_groups.h>

__global__ void halves(int *out)
{
    auto block = cooperative_groups::this_thread_block();
    auto token = block.barrier_arrive();
    out[threadIdx.x] = 1;
    block.sync(); // expect: group-arrive-wait
    block.barrier_wait(std::move(token));
    out[threadIdx.x] += out[threadIdx.x ^ 1];
}

void launch(int *out)
{
    halves<<<1, 128>>>(out);
}
