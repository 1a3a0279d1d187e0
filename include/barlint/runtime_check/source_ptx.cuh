// cuda::ptx, checked: each function takes whatever the library's takes, and says to the hooks what
// they ask for: the barrier, and a number before or after it. Part of source_library.cuh.

// What a call's arguments are: the last pointer to a 64-bit word is the barrier.
struct barlint_rt_operands {
    const volatile void *bar;
    uint64_t before, after; // the last number before the barrier, the first one after it
    bool has_after, to_peer;
};

__device__ __forceinline__ void barlint_rt_operand(struct barlint_rt_operands *o, uint64_t *bar)
{
    o->before = o->bar ? 0 : o->before;
    o->bar = bar;
    o->has_after = false;
}

__device__ __forceinline__ void barlint_rt_operand(struct barlint_rt_operands *o,
                                                   const uint64_t *bar)
{
    (void)o;
    (void)bar; // a source
}

__device__ __forceinline__ void barlint_rt_number(struct barlint_rt_operands *o, uint64_t number)
{
    if (!o->bar) {
        o->before = number;
    } else if (!o->has_after) {
        o->after = number;
        o->has_after = true;
    }
}

template <class Type>
__device__ __forceinline__ void barlint_rt_operand(struct barlint_rt_operands *o, const Type &value)
{
    if constexpr (::cuda::std::is_integral<Type>::value) {
        barlint_rt_number(o, (uint64_t)value);
    } else if constexpr (::cuda::std::is_same<Type, ::cuda::ptx::space_cluster_t>::value) {
        o->to_peer = true;
    }
}

template <class... Types>
__device__ __forceinline__ struct barlint_rt_operands barlint_rt_operands_of(const Types &...value)
{
    struct barlint_rt_operands o = {0, 0, 0, false, false};
    (barlint_rt_operand(&o, value), ...);
    return o;
}

// How many bytes st.async and red.async bring: the second argument.
template <class To, class Value, class... Rest>
__device__ __forceinline__ uint64_t barlint_rt_bytes_of(const To &, const Value &, const Rest &...)
{
    return sizeof(Value);
}

// The hooks of one function each: `body` calls them, and `plain()`, which executes it. Arguments come
// by value, as the library's constants for semantics, scopes and spaces must.
#define BARLINT_RT_PTX(name, body)                                                                 \
    struct barlint_rt_do_##name {                                                                  \
        template <class Plain, class... Types>                                                     \
        __device__ __forceinline__ static auto run(barlint_rt_from from, Plain plain,              \
                                                   const Types &...value)                          \
        {                                                                                          \
            struct barlint_rt_operands o = barlint_rt_operands_of(value...);                       \
            (void)o;                                                                               \
            body                                                                                   \
        }                                                                                          \
    };                                                                                             \
    namespace cuda                                                                                 \
    {                                                                                              \
    namespace ptx                                                                                  \
    {                                                                                              \
    BARLINT_RT_ARITY(name, (class A), (A a), (a))                                                  \
    BARLINT_RT_ARITY(name, (class A, class B), (A a, B b), (a, b))                                 \
    BARLINT_RT_ARITY(name, (class A, class B, class C), (A a, B b, C c), (a, b, c))                \
    BARLINT_RT_ARITY(name, (class A, class B, class C, class D),                                   \
                     (A a, B b, C c, D d), (a, b, c, d))                                           \
    BARLINT_RT_ARITY(name, (class A, class B, class C, class D, class E),                          \
                     (A a, B b, C c, D d, E e), (a, b, c, d, e))                                   \
    BARLINT_RT_ARITY(name, (class A, class B, class C, class D, class E, class F),                 \
                     (A a, B b, C c, D d, E e, F f), (a, b, c, d, e, f))                           \
    BARLINT_RT_ARITY(name, (class A, class B, class C, class D, class E, class F, class G),        \
                     (A a, B b, C c, D d, E e, F f, G g), (a, b, c, d, e, f, g))                   \
    BARLINT_RT_ARITY(name,                                                                         \
                     (class A, class B, class C, class D, class E, class F, class G, class H),     \
                     (A a, B b, C c, D d, E e, F f, G g, H h),                                     \
                     (a, b, c, d, e, f, g, h))                                                     \
    }                                                                                              \
    }

#define BARLINT_RT_BARE(...) __VA_ARGS__
// (Without a return type that depends: nvcc takes the place of the definition for the caller's then.)
#define BARLINT_RT_ARITY(name, types, parameters, values)                                          \
    template <BARLINT_RT_BARE types>                                                               \
    __device__ __forceinline__ auto name(BARLINT_RT_BARE parameters, BARLINT_RT_FROM)              \
    {                                                                                              \
        auto plain = [&]() { return barlint_plain_##name values; };                                \
        return barlint_rt_do_##name::run(from, plain, BARLINT_RT_BARE values);                     \
    }

// Of an arrival: the hardware's result is the token, or nothing for a peer's barrier.
template <class Plain>
__device__ __forceinline__ auto barlint_rt_arrived(uint64_t ours, Plain plain)
{
    if constexpr (::cuda::std::is_same<decltype(plain()), void>::value) {
        (void)ours;
        plain();
    } else {
        auto token = plain();
        return ours ? (decltype(token))ours : token;
    }
}

#define BARLINT_RT_PLAIN_AFTER(op, operand, flags)                                                 \
    (void)barlint_rt_before(op, o.bar, operand, flags, from);                                      \
    return plain();

BARLINT_RT_PTX(mbarrier_init, BARLINT_RT_PLAIN_AFTER(BARLINT_RT_INIT, o.after, 0))
BARLINT_RT_PTX(mbarrier_expect_tx, BARLINT_RT_PLAIN_AFTER(BARLINT_RT_EXPECT_TX, o.after, 0))
BARLINT_RT_PTX(cp_async_mbarrier_arrive, BARLINT_RT_PLAIN_AFTER(BARLINT_RT_ASYNC_ARRIVE, 0, 0))
BARLINT_RT_PTX(cp_async_mbarrier_arrive_noinc,
               BARLINT_RT_PLAIN_AFTER(BARLINT_RT_ASYNC_ARRIVE, 1, 0))
BARLINT_RT_PTX(mbarrier_arrive,
               return barlint_rt_arrived(barlint_rt_arrive(o.bar,
                                                           o.has_after ? (uint32_t)o.after : 1u, 0,
                                                           o.to_peer ? BARLINT_RT_NO_TOKEN : 0,
                                                           from),
                                         plain);)
BARLINT_RT_PTX(mbarrier_arrive_no_complete,
               return barlint_rt_arrived(barlint_rt_arrive(o.bar, (uint32_t)o.after, 0,
                                                           BARLINT_RT_NO_COMPLETE, from),
                                         plain);)
BARLINT_RT_PTX(mbarrier_arrive_expect_tx,
               return barlint_rt_arrived(
                   barlint_rt_arrive(o.bar, 1, (uint32_t)o.after,
                                     BARLINT_RT_EXPECTS | (o.to_peer ? BARLINT_RT_NO_TOKEN : 0),
                                     from),
                   plain);)

// Waits ask the hardware by parity whatever they ask for: tokens are ours.
#define BARLINT_RT_TESTED(form)                                                                    \
    return barlint_rt_test(form, o.bar, o.after, from, plain);
BARLINT_RT_PTX(mbarrier_test_wait, BARLINT_RT_TESTED(BARLINT_RT_TEST_TOKEN))
BARLINT_RT_PTX(mbarrier_test_wait_parity, BARLINT_RT_TESTED(BARLINT_RT_TEST_PARITY))
BARLINT_RT_PTX(mbarrier_try_wait, BARLINT_RT_TESTED(BARLINT_RT_TRY_TOKEN))
BARLINT_RT_PTX(mbarrier_try_wait_parity, BARLINT_RT_TESTED(BARLINT_RT_TRY_PARITY))

// Copies. Those without a barrier go to global memory.
#define BARLINT_RT_COPIED(bytes)                                                                   \
    if (o.bar) {                                                                                   \
        (void)barlint_rt_before(BARLINT_RT_COPY, o.bar, bytes,                                     \
                                o.has_after ? BARLINT_RT_MULTICAST : 0, from);                     \
    }                                                                                              \
    return plain();
BARLINT_RT_PTX(cp_async_bulk, BARLINT_RT_COPIED(o.before))
BARLINT_RT_PTX(cp_reduce_async_bulk, BARLINT_RT_COPIED(o.before))
BARLINT_RT_PTX(st_async, BARLINT_RT_COPIED(barlint_rt_bytes_of(value...)))
BARLINT_RT_PTX(red_async, BARLINT_RT_COPIED(BARLINT_RT_UNKNOWN_BYTES))

// Those that take arrays: of coordinates, or of values to store.
#define BARLINT_RT_ARRAY(name, types, parameters, values, bar, bytes, flags)                       \
    template <BARLINT_RT_BARE types, ::cuda::std::size_t Count>                                    \
    __device__ __forceinline__ auto name(BARLINT_RT_BARE parameters, BARLINT_RT_FROM)              \
    {                                                                                              \
        (void)barlint_rt_before(BARLINT_RT_COPY, bar, bytes, flags, from);                         \
        return barlint_plain_##name values;                                                        \
    }

namespace cuda
{
namespace ptx
{

BARLINT_RT_ARRAY(st_async, (class To, class Value),
                 (To * to, const Value (&value)[Count], uint64_t *bar), (to, value, bar), bar,
                 sizeof value, 0)
BARLINT_RT_ARRAY(cp_async_bulk_tensor, (class To, class Source, class Number),
                 (To to, Source source, void *memory, const void *map,
                  const Number (&coordinates)[Count], uint64_t *bar),
                 (to, source, memory, map, coordinates, bar), bar, BARLINT_RT_UNKNOWN_BYTES, 0)
BARLINT_RT_ARRAY(cp_async_bulk_tensor, (class To, class Source, class Number, class Mask),
                 (To to, Source source, void *memory, const void *map,
                  const Number (&coordinates)[Count], uint64_t *bar, Mask mask),
                 (to, source, memory, map, coordinates, bar, mask), bar, BARLINT_RT_UNKNOWN_BYTES,
                 BARLINT_RT_MULTICAST)

// To global memory: no barrier.
template <class To, class Source, class Number, ::cuda::std::size_t Count>
__device__ __forceinline__ auto cp_async_bulk_tensor(To to, Source source, const void *map,
                                                     const Number (&coordinates)[Count],
                                                     const void *memory)
{
    return barlint_plain_cp_async_bulk_tensor(to, source, map, coordinates, memory);
}

}
}

// The barrier of the cluster.
namespace cuda
{
namespace ptx
{

__device__ __forceinline__ void barrier_cluster_arrive(BARLINT_RT_FROM)
{
    barlint_rt_at_cluster(BARLINT_RT_CLUSTER_ARRIVE, 0, from);
    barlint_plain_barrier_cluster_arrive();
}

template <class Semantics>
__device__ __forceinline__ void barrier_cluster_arrive(Semantics semantics, BARLINT_RT_FROM)
{
    bool relaxed = !::cuda::std::is_same<Semantics, sem_release_t>::value;
    barlint_rt_at_cluster(BARLINT_RT_CLUSTER_ARRIVE, relaxed, from);
    barlint_plain_barrier_cluster_arrive(semantics);
}

__device__ __forceinline__ void barrier_cluster_wait(BARLINT_RT_FROM)
{
    barlint_rt_at_cluster(BARLINT_RT_CLUSTER_WAIT, 0, from);
    barlint_plain_barrier_cluster_wait();
}

template <class Semantics>
__device__ __forceinline__ void barrier_cluster_wait(Semantics semantics, BARLINT_RT_FROM)
{
    barlint_rt_at_cluster(BARLINT_RT_CLUSTER_WAIT, 0, from);
    barlint_plain_barrier_cluster_wait(semantics);
}

template <class Semantics, class Scope>
__device__ __forceinline__ void fence_mbarrier_init(Semantics semantics, Scope scope,
                                                    BARLINT_RT_FROM)
{
    uint64_t site;
    if (barlint_rt_seen(from, &site)) {
        barlint_rt_fence(BARLINT_RT_FENCE_MBARRIER_INIT, site);
    }
    barlint_plain_fence_mbarrier_init(semantics, scope);
}

}
}
