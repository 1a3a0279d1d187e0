// Only those who are marked go on to the right side of the &&, where the barrier counts on all.
#include <cuda/barrier>
using bar = cuda::barrier<cuda::thread_scope_block>;
template <class Pred>
__device__ int marked(bar &b, int *flags, Pred pred) {
    const bool mine = pred(threadIdx.x);
    flags[threadIdx.x] = mine;
    mine && (b.arrive_and_wait(), true); // expect: arrive-divergent
    int n = 0;
    for (int i = 0; i < 64; ++i)
        n += flags[i];
    return n;
}
__global__ void tally(const unsigned char *keep, int *out) {
    __shared__ bar b;
    __shared__ int flags[64];
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    out[threadIdx.x] = marked(b, flags, [=](int i) { return keep[i] != 0; });
}
void launch(const unsigned char *k, int *o) { tally<<<1, 64>>>(k, o); }
