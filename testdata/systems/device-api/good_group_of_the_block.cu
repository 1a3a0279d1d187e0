// A leader loads, the group synchronises: as a member, in two halves, and as a free function.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void broadcast(const int *in, int *out)
{
    __shared__ int value;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        value = *in;
    block.sync();
    int mine = value;
    block.barrier_wait(block.barrier_arrive());
    if (block.thread_rank() == 0)
        value = mine + 1;
    cg::sync(block);
    out[block.thread_rank()] = value + mine;
}

void launch(const int *in, int *out)
{
    broadcast<<<1, 128>>>(in, out);
}
