// The instruction without a state space takes a generic address, here of the neighbour.
#include <cooperative_groups.h>
#include <cstdint>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(64) tell(float *out)
{
    __shared__ uint64_t ready;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        asm volatile(
            "mbarrier.init.shared::cta.b64 [%0], 64;\n"
            "fence.mbarrier_init.release.cluster;" ::"r"((uint32_t)__cvta_generic_to_shared(&ready))
            : "memory");
    cluster.sync();
    uint64_t *peer = cluster.map_shared_rank(&ready, cluster.block_rank() ^ 1);
    asm volatile("mbarrier.arrive.release.cluster.b64 _, [%0];" ::"l"(peer) : "memory");
    asm volatile(
        "{\n.reg .pred p;\nAGAIN:\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
        "@p bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"((uint32_t)__cvta_generic_to_shared(&ready))
        : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    cluster.sync();
}
void launch(float *out)
{
    tell<<<8, 64>>>(out);
}
