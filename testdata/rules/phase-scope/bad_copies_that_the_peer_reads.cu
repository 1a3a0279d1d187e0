// The second block of a pair fills its half by cp.async, and its threads arrive at the first one's
// barrier when their copies are there; the first one then reads that half in place. Neither the
// arrival nor the wait says that the other one is in another block.
#include <cooperative_groups.h>
#include <cstdint>

namespace cg = cooperative_groups;

__device__ inline uint32_t shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void arrive_at(const uint64_t *barrier, uint32_t rank)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(rank)
                 : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) join(const float4 *in, float *out)
{
    __shared__ alignas(16) float half[512];
    __shared__ uint64_t filled;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" ::"r"(shared_address(&filled))
                     : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster.sync();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     shared_address(&half[threadIdx.x * 4])),
                 "l"(in + blockIdx.x * 128 + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    arrive_at(&filled, 0); // expect: phase-scope
    if (cluster.block_rank() == 0) {
        asm volatile("{\n" // expect: phase-scope
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(shared_address(&filled))
                     : "memory");
        const float *other = cluster.map_shared_rank(half, 1);
        for (int i = threadIdx.x; i < 512; i += 128)
            out[blockIdx.x * 256 + i] = half[511 - i] + other[i];
    }
    cluster.sync();
}

void launch(const float4 *in, float *out)
{
    join<<<8, 128>>>(in, out);
}
