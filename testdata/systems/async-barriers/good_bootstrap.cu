// One thread initialises with the size of the block, and the block synchronises: in each of the
// three interfaces.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>

__global__ void make(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> object;
    __shared__ uint64_t word;
    __shared__ __mbarrier_t primitive;
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() == 0) {
        init(&object, block.size());
        cuda::ptx::mbarrier_init(&word, block.size());
        __mbarrier_init(&primitive, block.size());
    }
    block.sync();
    out[block.thread_rank()] = 1;
}

void launch(int *out)
{
    make<<<1, dim3(16, 8)>>>(out);
}
