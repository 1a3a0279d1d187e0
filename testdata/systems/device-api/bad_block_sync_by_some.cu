// All threads of the group take part in a collective operation.
#include <cooperative_groups.h>

__global__ void some(const int *in, int *out)
{
    __shared__ int sum;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0)
        sum = 0;
    block.sync();
    if (in[block.thread_rank()] > 0) {
        atomicAdd(&sum, in[block.thread_rank()]);
        block.sync(); // expect: sync-divergent
    }
    out[block.thread_rank()] = sum;
    block.sync();
    out[block.thread_rank()] += sum;
}

void launch(const int *in, int *out)
{
    some<<<1, 128>>>(in, out);
}
