// A token is consumed by the wait.
#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void twice(float *cell)
{
    auto block = cg::this_thread_block();
    cell[threadIdx.x] += 1;
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    cell[127 - threadIdx.x] += 1;
    block.barrier_wait(std::move(token)); // expect: group-arrive-wait
}

void launch(float *cell)
{
    twice<<<1, 128>>>(cell);
}
