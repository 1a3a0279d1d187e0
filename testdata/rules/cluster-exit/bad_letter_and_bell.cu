// A value and the arrival that tells of it go to a block that may have ended: one wait is missing.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/ptx>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
__device__ void tell_peer(cg::cluster_group &c, uint64_t *b, int *box, int v) {
    const unsigned peer = c.block_rank() ^ 1;
    *c.map_shared_rank(box, peer) = v; // expect: cluster-exit
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, c.map_shared_rank(b, peer));
}
__global__ void __cluster_dims__(2, 1, 1) one_way(const int *in, int *out) {
    __shared__ uint64_t b;
    __shared__ int box;
    auto c = cg::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&b, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    c.sync();
    if (c.block_rank() == 0) {
        if (threadIdx.x == 0) {
            while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &b, 0)) {
            }
            out[blockIdx.x] = box;
            tell_peer(c, &b, &box, box + 1);
        }
    } else if (threadIdx.x == 0) {
        tell_peer(c, &b, &box, in[blockIdx.x]);
        if (box > (1 << 30))
            return;
    }
}
void launch(const int *a, int *b) { one_way<<<2, 32>>>(a, b); }
