// The block's shadow in its shared memory, and accesses to it. Shared memory keeps the order of what
// one thread does to it. Part of device.cuh.

#define BARLINT_RT_SHADOW_IS_TAKEN 0

static __shared__ struct barlint_rt_block barlint_rt_shadow;

BARLINT_RT_INLINE struct barlint_rt_state *barlint_rt_state_now(void)
{
    return (struct barlint_rt_state *)barlint_rt_state;
}

// This block's. Its contents are once it has been entered, or barlint_rt_own_block() has been called.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_own_shadow(void)
{
    return &barlint_rt_shadow;
}

// As the block begins, by all its threads.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_take_shadow(void)
{
    return &barlint_rt_shadow;
}

// So many threads end, and look at it no longer. By one lane.
BARLINT_RT_INLINE void barlint_rt_leave_shadow(struct barlint_rt_block *b, uint32_t threads)
{
    (void)b, (void)threads;
}

#ifdef BARLINT_RT_SIMULATED
#define barlint_rt_fixed(pointer) (pointer)
#else
// What is below 1,024, a thread's number in its block, goes into the bits that the address of the shadow
// does not need: an address in shared memory has 18 bits that count, of which the lowest four are 0
// here, and the rank of the CTA above bit 24.
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

// A word that threads of the block may use before it is entered.
BARLINT_RT_INLINE volatile uint64_t *barlint_rt_board(void)
{
    return &barlint_rt_shadow.repeats;
}

// An address in the CTA's window of shared memory.
BARLINT_RT_INLINE uint32_t barlint_rt_home(const struct barlint_rt_block *own)
{
    return (uint32_t)__cvta_generic_to_shared(own);
}

#if __CUDA_ARCH__ >= 900
// The shadow of another CTA of the cluster.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_shadow_of(struct barlint_rt_block *own,
                                                                uint32_t rank)
{
    struct barlint_rt_block *peer;
    asm("mapa.u64 %0, %1, %2;" : "=l"(peer) : "l"(own), "r"(rank));
    return peer;
}
#endif

// What lies in the block's shadow, its address worked out once and kept: the compiler works it out anew
// for each access otherwise, to save a register.
template <class T> BARLINT_RT_INLINE T *barlint_rt_fixed(T *pointer)
{
    uint32_t address = (uint32_t)__cvta_generic_to_shared(pointer);
    asm("" : "+r"(address));
    return (T *)__cvta_shared_to_generic(address);
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

#endif
