// The block's shadow in global memory, for kernels that leave no room for it in shared memory. It is one
// of as many as blocks can run at a time, taken as the block begins. Part of device.cuh.
//
// The short ways of the hooks rely on one order of all accesses, which global memory keeps only where it
// is told to: each access here ends with a fence.

#define barlint_rt_fixed(pointer) (pointer)
#define BARLINT_RT_SHADOW_IS_TAKEN 1 // by hooks at a kernel's beginning; without them there is none

#ifndef BARLINT_RT_SIMULATED // a simulation on the CPU has one for each CTA
// In the first word, which one is this block's.
static __shared__ __align__(8) uint32_t barlint_rt_taken[BARLINT_RT_GRAIN / sizeof(uint32_t)];
#endif
// For blocks of which nothing is checked, and those that have taken none.
static __device__ struct barlint_rt_block barlint_rt_idle;

// The state, when there are shadows: the program may have been built without.
BARLINT_RT_INLINE struct barlint_rt_state *barlint_rt_state_now(void)
{
    struct barlint_rt_state *state = (struct barlint_rt_state *)barlint_rt_state;
    return state && state->shadows ? state : 0;
}

BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_shadows(void)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    return state ? state->shadows : &barlint_rt_idle;
}

// This block's, once it has been taken.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_own_shadow(void)
{
    return barlint_rt_shadows() + *(volatile uint32_t *)barlint_rt_taken;
}

// As the block begins, by all its threads.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_take_shadow(void)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        uint32_t count = state ? state->record_count : 1u;
        uint32_t first = state ? barlint_rt_warp_place() % count : 0, at = first;
        bool mine = !state;
        for (uint32_t i = 0; i < count && !mine; i++) {
            at = (first + i) % count;
            mine = atomicCAS(&state->shadow_taken[at], 0u, 1u) == 0u;
        }
        barlint_rt_taken[0] = mine ? at : first;
    }
    barlint_rt_await_block();
    return barlint_rt_own_shadow();
}

// So many threads end, and look at it no longer: after the last of them it is free. By one lane.
BARLINT_RT_INLINE void barlint_rt_leave_shadow(struct barlint_rt_block *b, uint32_t threads)
{
    struct barlint_rt_state *state = barlint_rt_state_now();
    __threadfence();
    if (state && atomicSub(&b->users, threads) == threads) {
        atomicExch(&state->shadow_taken[b - state->shadows], 0u);
    }
}

// A thread's number in its block is below 1,024; the shadow's goes above it.
BARLINT_RT_INLINE uint32_t barlint_rt_pack_self(uint32_t thread, const struct barlint_rt_block *b)
{
    return (uint32_t)(b - barlint_rt_shadows()) << 10 | thread;
}

BARLINT_RT_INLINE uint32_t barlint_rt_thread_of_self(uint32_t self)
{
    return self & 1023u;
}

BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_block_of_self(uint32_t self)
{
    return barlint_rt_shadows() + (self >> 10);
}

// A word of a shadow as 32 bits and back.
BARLINT_RT_INLINE uint32_t barlint_rt_place_of(const uint32_t *word)
{
    return (uint32_t)((const char *)word - (const char *)barlint_rt_shadows());
}

BARLINT_RT_INLINE uint32_t *barlint_rt_word_at(uint32_t place)
{
    return (uint32_t *)((char *)barlint_rt_shadows() + place);
}

#ifndef BARLINT_RT_SIMULATED

// A word that threads of the block may use before it is entered.
BARLINT_RT_INLINE volatile uint64_t *barlint_rt_board(void)
{
    return (volatile uint64_t *)barlint_rt_taken + 1;
}

// An address in the CTA's window of shared memory.
BARLINT_RT_INLINE uint32_t barlint_rt_home(const struct barlint_rt_block *own)
{
    (void)own;
    return (uint32_t)__cvta_generic_to_shared(barlint_rt_taken);
}

#if __CUDA_ARCH__ >= 900
// The shadow of another CTA of the cluster, which has begun or is about to; NULL where the cluster is
// not followed.
BARLINT_RT_INLINE struct barlint_rt_block *barlint_rt_shadow_of(struct barlint_rt_block *own,
                                                                uint32_t rank)
{
    struct barlint_rt_cluster *cluster = own->cluster;
    uint32_t at = 0;
    while (cluster && (at = barlint_rt_load(&cluster->shadow[rank])) == 0) {
        __nanosleep(50);
    }
    return cluster ? barlint_rt_shadows() + (at - 1u) : 0;
}
#endif

BARLINT_RT_INLINE struct barlint_rt_four barlint_rt_load_four(const uint32_t *first)
{
    struct barlint_rt_four four;
    asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(four.first), "=r"(four.second), "=r"(four.third), "=r"(four.fourth)
                 : "l"(first)
                 : "memory");
    BARLINT_RT_FENCE();
    return four;
}

// By all lanes of a warp that are together: all of them find the same, where they look at the same.
BARLINT_RT_INLINE uint32_t barlint_rt_warp_load(const uint32_t *word)
{
    return barlint_rt_load(word);
}

BARLINT_RT_INLINE struct barlint_rt_four barlint_rt_warp_load_four(const uint32_t *first)
{
    return barlint_rt_load_four(first);
}

BARLINT_RT_INLINE uint2 barlint_rt_warp_load_two(const uint32_t *first)
{
    uint2 two;
    asm volatile("ld.volatile.v2.u32 {%0, %1}, [%2];"
                 : "=r"(two.x), "=r"(two.y)
                 : "l"(first)
                 : "memory");
    BARLINT_RT_FENCE();
    return two;
}

BARLINT_RT_INLINE void barlint_rt_warp_store(uint32_t *word, uint32_t value)
{
    barlint_rt_store(word, value);
}

// A wide word and one behind, and 0 in the next.
BARLINT_RT_INLINE void barlint_rt_warp_store_four(uint64_t *first, uint64_t wide, uint32_t word)
{
    BARLINT_RT_FENCE();
    asm volatile("st.volatile.v4.u32 [%0], {%1, %2, %3, 0};"
                 :
                 : "l"(first), "r"((uint32_t)wide), "r"((uint32_t)(wide >> 32)), "r"(word)
                 : "memory");
    BARLINT_RT_FENCE();
}

BARLINT_RT_INLINE void barlint_rt_warp_store_two(uint32_t *first, uint32_t one, uint32_t other)
{
    BARLINT_RT_FENCE();
    asm volatile("st.volatile.v2.u32 [%0], {%1, %2};" : : "l"(first), "r"(one), "r"(other) : "memory");
    BARLINT_RT_FENCE();
}

// An addition by one lane. Returns what was there.
BARLINT_RT_INLINE uint32_t barlint_rt_shared_add(uint32_t *word, uint32_t amount)
{
    BARLINT_RT_FENCE();
    uint32_t old = atomicAdd(word, amount);
    BARLINT_RT_FENCE();
    return old;
}

// Adds one, whatever was there. By one lane.
BARLINT_RT_INLINE void barlint_rt_shared_count(uint32_t *word)
{
    (void)barlint_rt_shared_add(word, 1u);
}

#endif
