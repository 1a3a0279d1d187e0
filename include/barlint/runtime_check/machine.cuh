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

// The address of the block's shadow and, in the bits that it does not need, the thread's number in its
// block, below 1,024: an address in shared memory has 18 bits that count, of which the lowest four are
// 0 here, and the rank of the CTA above bit 24.
BARLINT_RT_INLINE uint32_t barlint_rt_pack_self(uint32_t thread, const void *shadow)
{
    uint32_t address = (uint32_t)__cvta_generic_to_shared(shadow);
    return (address & 0xff03fff0u) | (thread & 15u) | (thread >> 4) << 18;
}

BARLINT_RT_INLINE uint32_t barlint_rt_thread_of_self(uint32_t self)
{
    return (self & 15u) | (self >> 14 & 1008u);
}

BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_block_of_self(uint32_t self)
{
    return (struct barlint_rt_block *)__cvta_shared_to_generic(self & 0xff03fff0u);
}

// A word in the shared memory of the block, as 32 bits and back.
BARLINT_RT_INLINE uint32_t barlint_rt_place_of(const uint32_t *word)
{
    return (uint32_t)__cvta_generic_to_shared(word);
}

BARLINT_RT_INLINE uint32_t *barlint_rt_word_at(uint32_t place)
{
    return (uint32_t *)__cvta_shared_to_generic(place);
}

// Four words that are read together.
struct barlint_rt_four {
    uint32_t first, second, third, fourth;
};

BARLINT_RT_INLINE struct barlint_rt_four barlint_rt_load_four(const uint32_t *first)
{
    struct barlint_rt_four four;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.first), "=r"(four.second), "=r"(four.third), "=r"(four.fourth)
                 : "r"((uint32_t)__cvta_generic_to_shared(first))
                 : "memory");
    return four;
}

// By all lanes of a warp that are together, which makes it one access to shared memory: all of them
// find the same, where they look at the same.
BARLINT_RT_INLINE uint32_t barlint_rt_warp_load(const uint32_t *word)
{
    uint32_t value;
    asm volatile("ld.volatile.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"((uint32_t)__cvta_generic_to_shared(word))
                 : "memory");
    return value;
}

BARLINT_RT_INLINE struct barlint_rt_four barlint_rt_warp_load_four(const uint32_t *first)
{
    return barlint_rt_load_four(first);
}

BARLINT_RT_INLINE void barlint_rt_warp_store(uint32_t *word, uint32_t value)
{
    asm volatile("st.volatile.shared.u32 [%0], %1;"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(word)), "r"(value)
                 : "memory");
}

BARLINT_RT_INLINE uint2 barlint_rt_warp_load_two(const uint32_t *first)
{
    uint2 two;
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(two.x), "=r"(two.y)
                 : "r"((uint32_t)__cvta_generic_to_shared(first))
                 : "memory");
    return two;
}

// A wide word and one behind, and 0 in the next.
BARLINT_RT_INLINE void barlint_rt_warp_store_four(uint64_t *first, uint64_t wide, uint32_t word)
{
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, 0};"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(first)), "r"((uint32_t)wide),
                   "r"((uint32_t)(wide >> 32)), "r"(word)
                 : "memory");
}

BARLINT_RT_INLINE void barlint_rt_warp_store_two(uint32_t *first, uint32_t one, uint32_t other)
{
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(first)), "r"(one), "r"(other)
                 : "memory");
}

// All threads of the block wait for each other.
BARLINT_RT_INLINE void barlint_rt_await_block(void)
{
    asm volatile("barrier.cta.sync 0;" : : : "memory");
}

// An addition to a word of shared memory by one lane: what the compiler makes of atomicAdd() expects
// many. Returns what was there.
BARLINT_RT_INLINE uint32_t barlint_rt_shared_add(uint32_t *word, uint32_t amount)
{
    uint32_t old;
    asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "r"((uint32_t)__cvta_generic_to_shared(word)), "r"(amount)
                 : "memory");
    return old;
}

// Adds one, whatever was there. By one lane.
BARLINT_RT_INLINE void barlint_rt_shared_count(uint32_t *word)
{
    asm volatile("red.shared.add.u32 [%0], 1;"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(word))
                 : "memory");
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

// Names the running launch and the block.
BARLINT_RT_INLINE uint64_t barlint_rt_key(void)
{
    uint64_t grid;
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    uint64_t block = blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
    return (grid << 40 ^ block) | 1ull << 63;
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
