// The first block of a pair asks for the next tile of both, two questions in turn, and overwrites
// an answer when either block has read it. (For sm_100a and later.)
#include <cstdint>
#include <cuda_runtime.h>

constexpr uint32_t STAGES = 2;

__device__ uint32_t address_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(bar)), "r"(count));
}
__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(bar)),
                 "r"(bytes)
                 : "memory");
}
__device__ void arrive_at(uint64_t *bar, uint32_t rank)
{
    asm volatile(
        "{\n\t.reg .b32 far;\n\tmapa.shared::cluster.u32 far, %0, %1;\n\t"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [far];\n\t}" ::"r"(address_of(bar)),
        "r"(rank)
        : "memory");
}
__device__ void wait(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n\t.reg .pred done;\n\tAGAIN:\n\t"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra AGAIN;\n\t}" ::"r"(address_of(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void ask(uint4 *answer, uint64_t *bar)
{
    asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
                 ".multicast::cluster::all.b128 [%0], [%1];" ::"r"(address_of(answer)),
                 "r"(address_of(bar))
                 : "memory");
}
__device__ bool take(const uint4 *answer, uint32_t *x)
{
    uint32_t more;
    asm volatile("{\n\t.reg .pred more;\n\t.reg .b128 answer;\n\tld.shared.b128 answer, [%2];\n\t"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 more, answer;\n\t"
                 "selp.u32 %0, 1, 0, more;\n\t@more "
                 "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
                 "{%1, _, _, _}, answer;\n\tfence.proxy.async.shared::cta;\n\t}"
                 : "=r"(more), "=r"(*x)
                 : "r"(address_of(answer))
                 : "memory");
    return more;
}
__device__ void cluster_sync()
{
    asm volatile("fence.mbarrier_init.release.cluster;\n\tbarrier.cluster.arrive.aligned;\n\t"
                 "barrier.cluster.wait.aligned;" ::
                     : "memory");
}
__device__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__global__ void __cluster_dims__(2, 1, 1) tiles(int *out, int rows)
{
    __shared__ alignas(16) uint4 answer[STAGES];
    __shared__ uint64_t arrived[STAGES], read[STAGES];
    const uint32_t rank = cluster_rank();
    if (threadIdx.x < STAGES) {
        init(&arrived[threadIdx.x], 1);
        init(&read[threadIdx.x], 2);
    }
    cluster_sync();
    uint32_t tile = blockIdx.x;
    for (uint32_t k = 0;; ++k) {
        const uint32_t stage = k % STAGES, round = k / STAGES;
        if (threadIdx.x == 0) {
            if (rank == 0) {
                wait(&read[stage], (round + 1) % 2);
                ask(&answer[stage], &arrived[stage]);
            }
            expect(&arrived[stage], sizeof(uint4));
        }
        out[tile * 32 + threadIdx.x] = k;
        wait(&arrived[stage], round % 2);
        const bool more = take(&answer[stage], &tile);
        __syncwarp();
        if (threadIdx.x == 0)
            arrive_at(&read[stage], 0);
        if (!more || (int)(tile + rank) >= rows)
            break;
        tile += rank;
    }
    cluster_sync();
}

void launch(int *out, int rows)
{
    tiles<<<rows, 32>>>(out, rows);
}
