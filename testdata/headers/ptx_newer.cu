// cuda::ptx functions that came after CUDA 13.0.
// modes: builtin
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void kernel()
{
    __shared__ uint64_t b;
    if (ptx::elect_sync(~0u)) {
        ptx::mbarrier_init(&b, 1);
    }
    ptx::mbarrier_complete_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &b, 16);
    ptx::mbarrier_inval(&b);
    uint64_t *peer = ptx::mapa(ptx::space_cluster, &b, 1);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, peer);
    ptx::setmaxnreg_inc(ptx::n32_t<240>());
    ptx::setmaxnreg_dec(ptx::n32_t<40>());
}
