// What device code and device.cuh ask of the GPU, by the simulator. Part of simulator.h.

// ---- what device code calls ----

#define __device__
#define __host__
#define __global__
#define __shared__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

#define threadIdx (sim->here->index)
#define blockIdx (sim_dim3{sim->here->cta, 0u, 0u})
#define blockDim (sim_dim3{sim->threads, 1u, 1u})
#define gridDim (sim_dim3{sim->ctas, 1u, 1u})

#define __activemask() sim_active()
#define __syncwarp(...) sim_syncwarp(__LINE__)(__VA_ARGS__)
#define __shfl_sync(mask, value, lane) sim_shfl(__LINE__, mask, value, lane)
#define __ballot_sync(mask, value) sim_ballot(__LINE__, mask, value)
#define __any_sync(mask, value) (sim_ballot(__LINE__, mask, value) != 0)
#define __all_sync(mask, value) (sim_ballot(__LINE__, mask, !(value)) == 0)
#define __match_any_sync(mask, value) sim_match(__LINE__, mask, value)

struct sim_syncwarp {
    uint32_t line;

    explicit sim_syncwarp(uint32_t at) : line(at)
    {
    }

    __forceinline__ void operator()(uint32_t mask = 0xffffffffu) const
    {
        (void)sim_collective(line, mask, 0);
    }
};

template <class T>
static __forceinline__ T sim_shfl(uint32_t line, uint32_t mask, T value, int lane)
{
    return (T)sim_collective(line, mask, (uint64_t)value)[lane];
}

static __forceinline__ uint32_t sim_ballot(uint32_t line, uint32_t mask, bool value)
{
    const uint64_t *all = sim_collective(line, mask, value);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 32; i++) {
        lanes |= ((mask >> i & 1u) && all[i] != 0 ? 1u : 0u) << i;
    }
    return lanes;
}

static __forceinline__ uint32_t sim_match(uint32_t line, uint32_t mask, uint64_t value)
{
    const uint64_t *all = sim_collective(line, mask, value);
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < 32; i++) {
        lanes |= ((mask >> i & 1u) && all[i] == value ? 1u : 0u) << i;
    }
    return lanes;
}

#define SIM_ATOMIC(name, expression)                                                               \
    template <class T, class V> static inline T name(T *at, V v)                                   \
    {                                                                                              \
        sim_point();                                                                               \
        T old = *at;                                                                               \
        *at = (T)(expression);                                                                     \
        return old;                                                                                \
    }
SIM_ATOMIC(atomicAdd, old + (T)v)
SIM_ATOMIC(atomicSub, old - (T)v)
SIM_ATOMIC(atomicAnd, old & (T)v)
SIM_ATOMIC(atomicOr, old | (T)v)
SIM_ATOMIC(atomicXor, old ^ (T)v)
SIM_ATOMIC(atomicExch, v)
SIM_ATOMIC(atomicMax, old > (T)v ? old : (T)v)

template <class T, class V, class W> static inline T atomicCAS(T *at, V compare, W value)
{
    sim_point();
    T old = *at;
    *at = old == (T)compare ? (T)value : old;
    return old;
}

static inline int __ffs(int bits)
{
    return __builtin_ffs(bits);
}

static inline int __popc(unsigned bits)
{
    return __builtin_popcount(bits);
}

static inline void __nanosleep(unsigned)
{
    sim_leave(SIM_ASLEEP);
}

static inline void __threadfence(void)
{
}

static inline void __threadfence_block(void)
{
}

static inline void __threadfence_system(void)
{
}

static inline bool __isShared(const void *address)
{
    return (uintptr_t)address < 1u << 18;
}

static inline uint64_t __cvta_generic_to_shared(const void *address)
{
    return (uint64_t)(uintptr_t)address;
}

// ---- the machine that device.cuh asks for ----

static inline uint64_t barlint_rt_now(void)
{
    return (sim->clock + sim->stopped) * 400u;
}

// Slow enough that everybody has had many turns before anything counts as long, but for accesses to other
// CTAs: those are to be held back for as many.
#define BARLINT_RT_HOLD 8000000ull
static inline uint64_t barlint_rt_cycles(void)
{
    return (sim->clock + sim->stopped) * 400u;
}

// barlint_rt_load() of shadow.h, seen by the others.
static inline uint32_t sim_load(const uint32_t *word)
{
    sim_point();
    return *(const volatile uint32_t *)word;
}

struct barlint_rt_four {
    uint32_t first, second, third, fourth;
};

static inline struct barlint_rt_four barlint_rt_load_four(const uint32_t *words)
{
    sim_point();
    const volatile uint32_t *four = words;
    return {four[0], four[1], four[2], four[3]};
}

// What all lanes of a warp do to shared memory by one instruction happens at once.
static __forceinline__ uint32_t barlint_rt_warp_load(const uint32_t *word)
{
    sim_point();
    return (uint32_t)sim_collective(__LINE__, 0xffffffffu, (uint64_t)(uintptr_t)word,
                                    [](uint64_t *value) {
                                        for (uint32_t i = 0; i < 32; i++) {
                                            value[i] = *(const volatile uint32_t *)value[i];
                                        }
                                    })[sim->here->number % 32];
}

// But for four words, which are read for eight lanes at a time.
static __forceinline__ struct barlint_rt_four barlint_rt_warp_load_four(const uint32_t *words)
{
    struct barlint_rt_four four = {};
    for (uint32_t part = 0; part < 2; part++) {
        sim_point();
        const uint64_t *all = sim_collective(__LINE__, 0xffffffffu, 0, [words](uint64_t *value) {
            const volatile uint32_t *now = words;
            for (uint32_t i = 0; i < 4; i++) {
                value[i] = now[i];
            }
        });
        if (part == 0 || sim->here->number % 32 / 8 % 2 != 0) {
            four = {(uint32_t)all[0], (uint32_t)all[1], (uint32_t)all[2], (uint32_t)all[3]};
        }
    }
    return four;
}

struct uint2 {
    uint32_t x, y;
};

static __forceinline__ struct uint2 barlint_rt_warp_load_two(const uint32_t *words)
{
    sim_point();
    const uint64_t *all = sim_collective(__LINE__, 0xffffffffu, 0, [words](uint64_t *value) {
        const volatile uint32_t *two = words;
        value[0] = two[0];
        value[1] = two[1];
    });
    return {(uint32_t)all[0], (uint32_t)all[1]};
}

#if !BARLINT_RT_GLOBAL_SHADOW
static inline uint32_t barlint_rt_pack_self(uint32_t thread, const void *)
{
    return thread;
}

static inline uint32_t barlint_rt_thread_of_self(uint32_t self)
{
    return self;
}

static struct barlint_rt_block *sim_shadow();

static inline struct barlint_rt_block *barlint_rt_block_of_self(uint32_t)
{
    return sim_shadow();
}

static inline uint32_t barlint_rt_place_of(const uint32_t *word)
{
    return (uint32_t)((const char *)word - (const char *)sim_shadow());
}

static inline uint32_t *barlint_rt_word_at(uint32_t place)
{
    return (uint32_t *)((char *)sim_shadow() + place);
}
#endif

static __forceinline__ void barlint_rt_warp_store(uint32_t *word, uint32_t value)
{
    sim_point();
    (void)sim_collective(__LINE__, 0xffffffffu, 0,
                         [=](uint64_t *) { *(volatile uint32_t *)word = value; });
}

static __forceinline__ void barlint_rt_warp_store_two(uint32_t *first, uint32_t one,
                                                      uint32_t other)
{
    sim_point();
    (void)sim_collective(__LINE__, 0xffffffffu, 0, [=](uint64_t *) {
        first[0] = one;
        first[1] = other;
    });
}

static __forceinline__ void barlint_rt_warp_store_four(uint64_t *first, uint64_t wide,
                                                       uint32_t word)
{
    sim_point();
    (void)sim_collective(__LINE__, 0xffffffffu, 0, [=](uint64_t *) {
        first[0] = wide;
        first[1] = word;
    });
}

static inline void barlint_rt_await_block(void)
{
    sim_hw_named(0, 0, true);
}

static inline bool barlint_rt_block_agrees(bool mine)
{
    static uint32_t against[4]; // by CTA
    uint32_t *votes = &against[sim->here->cta];
    *votes += !mine;
    barlint_rt_await_block();
    bool all = *votes == 0;
    barlint_rt_await_block();
    *votes = 0;
    return all;
}

static inline struct barlint_rt_four barlint_rt_far_load_four(const uint32_t *words)
{
    return barlint_rt_load_four(words);
}

static inline void barlint_rt_far_release(uint32_t *word, uint32_t amount)
{
    (void)atomicAdd(word, amount);
}

static inline uint32_t barlint_rt_shared_add(uint32_t *word, uint32_t amount)
{
    return atomicAdd(word, amount);
}

static inline void barlint_rt_shared_count(uint32_t *word)
{
    (void)atomicAdd(word, 1u);
}

// The lanes that execute one instruction of the program together. Inline: each use is another one.
static __forceinline__ uint32_t sim_lanes_here(void)
{
    bool mixes = sim->mixes;
    sim->mixes = false;
    uint32_t lanes = __activemask();
    sim->mixes = mixes;
    return lanes;
}
#define BARLINT_RT_WHO ((uint64_t)barlint_rt_self() << 32 | sim_lanes_here())

static inline uint64_t barlint_rt_load64(const uint64_t *word)
{
    sim_point();
    return *(const volatile uint64_t *)word;
}

static inline uint32_t barlint_rt_lane_number(void)
{
    return sim->here->number % 32;
}

static inline uint32_t barlint_rt_warp_place(void)
{
    return sim->here->cta * 16 + sim->here->number / 32;
}

static inline uint32_t barlint_rt_cluster_rank(void)
{
    return sim->here->cta;
}

static inline bool barlint_rt_beyond_shared(uint32_t)
{
    return false;
}

static inline uint32_t barlint_rt_home(const struct barlint_rt_block *)
{
    return 0;
}

static inline uint32_t barlint_rt_rank_of(uint32_t)
{
    return sim->here->cta;
}

static inline uint32_t barlint_rt_cluster_size(void)
{
    return sim->ctas;
}

static inline uint64_t barlint_rt_cluster_key(void)
{
    return 1ull << 63 | sim->launch;
}

static inline uint64_t barlint_rt_launch(void)
{
    return sim->launch & 0xffffffu;
}

static inline uint32_t barlint_rt_dynamic_bytes(void)
{
    return 0;
}

static inline uint64_t barlint_rt_block_number(void)
{
    return sim->here->cta;
}

static inline uint64_t barlint_rt_key(void)
{
    return 1ull << 63 | barlint_rt_launch() << 8 | barlint_rt_block_number();
}

static inline bool barlint_rt_cooperative(void)
{
    return true;
}

static inline bool barlint_rt_hardware_done(uint32_t address, uint32_t phase)
{
    sim_point();
    return sim_hw_done(sim->here->cta, address, phase);
}

static inline void barlint_rt_push_bytes(uint32_t address, int32_t bytes)
{
    sim_mbarrier *m = &sim_block()->mbarrier[address];
    m->tx -= bytes;
    sim_try_complete(m);
    sim_progress();
}

static inline void barlint_rt_push_arrival(uint32_t address)
{
    sim_mbarrier *m = &sim_block()->mbarrier[address];
    sim_take(m, 1);
    sim_try_complete(m);
    sim_progress();
}

// Lanes that execute it together count as one warp, and they wait for all of their warp that have not
// ended (both measured). Each number is an instruction.
static inline void barlint_rt_arrive_at(uint32_t number, uint32_t count)
{
    uint32_t split = sim->split;
    bool mixes = sim->mixes;
    sim->split = 0;
    sim->mixes = false;
    uint32_t lanes = 0, elsewhere = 0, warp = sim_warp_of(sim->here);
    sim->here->call ^= number;
    do {
        lanes = sim_active(1000);
        elsewhere = 0;
        for (uint32_t j = 0; j < sim_width(warp); j++) {
            bool lives = sim_warp(sim->here->cta, warp)[j].state != SIM_DONE;
            elsewhere |= (lives && !(lanes >> j & 1u) ? 1u : 0u) << j;
        }
    } while (sim_ballot(__LINE__, lanes, elsewhere != 0) != 0); // all of them go on, or none
    sim->here->call ^= number;
    sim->split = split;
    sim->mixes = mixes;
    if (sim->here->number % 32 == (uint32_t)__builtin_ctz(lanes)) {
        sim_named *b = &sim_block()->named[number];
        b->open = true;
        b->count = count;
        b->arrivals++;
        sim_named_settle(sim->here->cta, b);
    }
}

[[noreturn]] static inline void barlint_rt_exit_now(void)
{
    sim_lane *lane = sim->here;
    sim_exit(lane);
    sim_done(lane);
    _longjmp(sim->scheduler, 1);
}
