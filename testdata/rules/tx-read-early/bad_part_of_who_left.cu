#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

// Each thread copies a part, and waits for its own: those that leave before wait for none.
__global__ void backwards(const int *in, int *out)
{
    __shared__ int line[128];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, line, in, sizeof(line));
    if (threadIdx.x >= 64)
        return;
    cg::wait(block);
    out[threadIdx.x] = line[127 - threadIdx.x]; // expect: tx-read-early
}

void launch(const int *in, int *out)
{
    backwards<<<1, 128>>>(in, out);
}
