// What device.cuh asks of the GPU and CUDA C++ has no name for. Part of device.cuh.

BARLINT_RT_INLINE uint64_t barlint_rt_now(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

// Cycles of this SM: cheap to read.
BARLINT_RT_INLINE uint64_t barlint_rt_cycles(void)
{
    return (uint64_t)clock64();
}

BARLINT_RT_INLINE uint64_t barlint_rt_load64(const uint64_t *word)
{
    return *(const volatile uint64_t *)word;
}

// What is above the most shared memory that a CTA has, or of a CTA that no cluster has, is none.
#define BARLINT_RT_MOST_SHARED 0x40000u

BARLINT_RT_INLINE bool barlint_rt_beyond_shared(uint32_t address)
{
    return (address & ~BARLINT_RT_WINDOW) >= BARLINT_RT_MOST_SHARED ||
           address >> 24 >= BARLINT_MAX_CLUSTER;
}

// All threads of the block wait for each other.
BARLINT_RT_INLINE void barlint_rt_await_block(void)
{
    asm volatile("barrier.cta.sync 0;" : : : "memory");
}

// The same; true if it is for all of them.
BARLINT_RT_INLINE bool barlint_rt_block_agrees(bool mine)
{
    uint32_t all;
    asm volatile("{\n.reg .pred p, q;\n"
                 "setp.ne.u32 p, %1, 0;\n"
                 "barrier.cta.red.and.pred q, 0, p;\n"
                 "selp.u32 %0, 1, 0, q;\n}"
                 : "=r"(all)
                 : "r"((uint32_t)mine)
                 : "memory");
    return all != 0;
}

BARLINT_RT_INLINE uint32_t barlint_rt_lane_number(void)
{
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

// The place on the GPU that a running warp has to itself: warps of an SM have at most 64.
BARLINT_RT_INLINE uint32_t barlint_rt_warp_place(void)
{
    uint32_t sm, warp;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    return sm * BARLINT_RT_SM_WARPS + warp;
}

BARLINT_RT_INLINE uint32_t barlint_rt_cluster_rank(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
#else
    return 0;
#endif
}

// The rank of the CTA that an address of shared memory belongs to.
BARLINT_RT_INLINE uint32_t barlint_rt_rank_of(uint32_t address)
{
#if __CUDA_ARCH__ >= 900
    uint32_t rank;
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(address));
    return rank;
#else
    return 0;
#endif
}

BARLINT_RT_INLINE uint32_t barlint_rt_cluster_size(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return size;
#else
    return 1;
#endif
}

// Names the running launch and the cluster.
BARLINT_RT_INLINE uint64_t barlint_rt_cluster_key(void)
{
#if __CUDA_ARCH__ >= 900
    uint32_t x, y, z, nx, ny;
    uint64_t grid;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(nx));
    asm("mov.u32 %0, %%nclusterid.y;" : "=r"(ny));
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    return (grid << 40 ^ (x + (uint64_t)nx * (y + (uint64_t)ny * z))) | 1ull << 63;
#else
    return 0;
#endif
}

// Names the running launch.
BARLINT_RT_INLINE uint64_t barlint_rt_launch(void)
{
    uint64_t grid;
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    return grid;
}

// Of shared memory that the launch gives.
BARLINT_RT_INLINE uint32_t barlint_rt_dynamic_bytes(void)
{
    uint32_t bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

BARLINT_RT_INLINE uint64_t barlint_rt_block_number(void)
{
    return blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
}

// Names the launch and the block.
BARLINT_RT_INLINE uint64_t barlint_rt_key(void)
{
    return (barlint_rt_launch() << 40 ^ barlint_rt_block_number()) | 1ull << 63;
}

// Has the phase `phase` of the mbarrier at `address` of this CTA ended? Asks the hardware.
BARLINT_RT_INLINE bool barlint_rt_hardware_done(uint32_t address, uint32_t phase)
{
#if __CUDA_ARCH__ >= 800
    uint32_t done;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address), "r"(phase & 1u)
                 : "memory");
    return done != 0;
#else
    return false;
#endif
}

// Bytes that an mbarrier of this CTA waits for, or has too many of, as far as there is an instruction.
BARLINT_RT_INLINE void barlint_rt_push_bytes(uint32_t address, int32_t bytes)
{
#if __CUDA_ARCH__ >= 900
    if (bytes > 0) {
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                     :
                     : "r"(address), "r"(bytes)
                     : "memory");
    } else if (bytes < 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
                     :
                     : "r"(address), "r"(-bytes)
                     : "memory");
    }
#endif
}

BARLINT_RT_INLINE void barlint_rt_push_arrival(uint32_t address)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("{\n.reg .b64 t;\nmbarrier.arrive.shared.b64 t, [%0];\n}"
                 :
                 : "r"(address)
                 : "memory");
#endif
}

#ifndef BARLINT_RT_HAS_ARRIVE_AT
// This warp arrives at a counted barrier.
BARLINT_RT_INLINE void barlint_rt_arrive_at(uint32_t number, uint32_t count)
{
    asm volatile("barrier.cta.arrive %0, %1;" : : "r"(number), "r"(count) : "memory");
}
#endif

// The driver gives cooperative launches, and no others, a workspace for the barrier of the grid.
BARLINT_RT_INLINE bool barlint_rt_cooperative(void)
{
    uint32_t low, high;
    asm("mov.u32 %0, %%envreg1;" : "=r"(low));
    asm("mov.u32 %0, %%envreg2;" : "=r"(high));
    return (low | high) != 0;
}

BARLINT_RT_INLINE void barlint_rt_exit_now(void)
{
    asm volatile("exit;");
}

// Four words that are read together.
struct barlint_rt_four {
    uint32_t first, second, third, fourth;
};

// The same, which may lie in another CTA.
BARLINT_RT_INLINE struct barlint_rt_four barlint_rt_far_load_four(const uint32_t *first)
{
    struct barlint_rt_four four;
    asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.first), "=r"(four.second), "=r"(four.third), "=r"(four.fourth)
                 : "l"(first)
                 : "memory");
    BARLINT_RT_FENCE();
    return four;
}

// An addition to a word that may lie in another CTA: whoever sees it sees what was done before.
BARLINT_RT_INLINE void barlint_rt_far_release(uint32_t *word, uint32_t amount)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("red.release.cluster.add.u32 [%0], %1;" : : "l"(word), "r"(amount) : "memory");
#else
    __threadfence();
    atomicAdd(word, amount);
#endif
}
