// The block meets, which is no wait for the copy; that its block may end before it is part of the
// same mistake.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>
namespace cg = cooperative_groups;
using bar = cuda::barrier<cuda::thread_scope_block>;
template <class G>
__device__ void fetch(const G &g, int *s, const int *src, bar &b) {
    cuda::memcpy_async(g, s, src, cuda::aligned_size_t<16>(512), b);
}
__global__ void reader(const int *in, int *out) {
    __shared__ alignas(16) int s[128];
    __shared__ bar b;
    auto blk = cg::this_thread_block();
    if (blk.thread_rank() == 0)
        init(&b, blk.size());
    blk.sync();
    fetch(blk, s, in + blockIdx.x * 128, b);
    blk.sync();
    out[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x]; // expect: tx-read-early
}
void launch(const int *a, int *b) { reader<<<4, 128>>>(a, b); }
