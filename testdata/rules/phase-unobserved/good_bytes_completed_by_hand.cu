// Two readers see all tiles and give back every second one each. The writer completes the bytes
// itself, for the other block of the pair as well, when it knows that the slot of its own block is
// free again: whoever finds a tile knows that both slots were.
#include <cstdint>
#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, parity)) {
    }
}
__device__ uint32_t at(uint64_t *bar, uint32_t rank)
{
    uint32_t far, near = (uint32_t)__cvta_generic_to_shared(bar);
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far) : "r"(near), "r"(rank));
    return far;
}
__device__ void complete(uint64_t *bar, uint32_t rank, uint32_t bytes)
{
    asm volatile("mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 [%0], %1;" ::"r"(
                     at(bar, rank)),
                 "r"(bytes)
                 : "memory");
}
__device__ void free_at(uint64_t *bar, uint32_t rank)
{
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at(bar, rank))
                 : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(96) tiles(float *out, int rounds)
{
    __shared__ uint64_t full, empty;
    const int role = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 2);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cg::this_cluster().sync();
    if (role == 0) {
        for (int round = 0; lane == 0 && round < rounds; ++round) {
            wait(&empty, (round + 1) & 1);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                           &full, 8);
            complete(&full, 0, 4);
            complete(&full, 1, 4);
        }
    } else {
        for (int round = 0; round < rounds; ++round) {
            wait(&full, round & 1);
            if (lane < 2 && round % 2 == role - 1)
                free_at(&empty, lane);
        }
    }
    cg::this_cluster().sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = rounds;
}

void launch(float *out, int rounds)
{
    tiles<<<8, 96>>>(out, rounds);
}
