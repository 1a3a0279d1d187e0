// cuda::barrier, checked: a class over libcu++'s own with the same members, in the same place in
// memory. Barriers of another scope than the block's, with a completion function or outside of shared
// memory are software and stay as they are. Part of source_library.cuh.
namespace cuda
{

namespace std
{
// Of the scope of the system.
template <class Completion = __empty_completion>
class barrier : public barlint_plain_barrier<Completion>
{
    using plain = barlint_plain_barrier<Completion>;

  public:
    using plain::plain;
};
} // namespace std

template <thread_scope Scope, class Completion = ::cuda::std::__empty_completion>
class barrier : public barlint_plain_barrier<Scope, Completion>
{
    using plain = barlint_plain_barrier<Scope, Completion>;

  public:
    using plain::plain;
    barrier() = default;
};

template <>
class barrier<thread_scope_block, ::cuda::std::__empty_completion>
    : public barlint_plain_barrier<thread_scope_block, ::cuda::std::__empty_completion>
{
    using plain = barlint_plain_barrier<thread_scope_block, ::cuda::std::__empty_completion>;

    // Is it an mbarrier?
    __device__ __forceinline__ bool is_hardware() const
    {
#if __CUDA_ARCH__ >= 900
        return __isShared(this) || __isClusterShared(this);
#elif __CUDA_ARCH__ >= 800
        return __isShared(this);
#else
        return false;
#endif
    }

    // Tests for `nanoseconds`, once at least. At a barrier of another CTA libcu++ traps, too.
    __device__ bool test_for(uint32_t form, uint64_t operand, long long nanoseconds,
                             barlint_rt_from from) const
    {
        uint64_t begun = barlint_rt_now();
        bool passed;
        do {
            passed = barlint_rt_test(form, this, operand, from, []() {
                __trap();
                return false;
            });
        } while (!passed && (long long)(barlint_rt_now() - begun) < nanoseconds);
        return passed;
    }

  public:
    using arrival_token = typename plain::arrival_token;

    barrier() = default;
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    __host__ __device__ barrier(::cuda::std::ptrdiff_t expected,
                                ::cuda::std::__empty_completion = {}, BARLINT_RT_FROM)
    {
        init(this, expected, {}, from);
    }

    __host__ __device__ ~barrier()
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            (void)barlint_rt_before(BARLINT_RT_INVAL, this, 0, 0, BARLINT_RT_PLACE);
        }
#endif
    }

    __host__ __device__ friend void init(barrier *bar, ::cuda::std::ptrdiff_t expected,
                                         ::cuda::std::__empty_completion = {}, BARLINT_RT_FROM)
    {
#ifdef __CUDA_ARCH__
        if (bar->is_hardware()) {
            (void)barlint_rt_before(BARLINT_RT_INIT, bar, (uint32_t)expected, 0, from);
        }
#endif
        init(static_cast<plain *>(bar), expected);
    }

    [[nodiscard]] __host__ __device__ arrival_token arrive(::cuda::std::ptrdiff_t update = 1,
                                                           BARLINT_RT_FROM)
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            uint64_t ours = barlint_rt_arrive(this, (uint32_t)update, 0, 0, from);
            arrival_token token = plain::arrive(update);
            return ours ? (arrival_token)ours : token;
        }
#endif
        return plain::arrive(update);
    }

    __host__ __device__ void wait(arrival_token &&token, BARLINT_RT_FROM) const
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            while (!test_for(BARLINT_RT_TRY_TOKEN, token, 0, from)) {
            }
            return;
        }
#endif
        plain::wait(static_cast<arrival_token &&>(token));
    }

    __host__ __device__ void wait_parity(bool parity, BARLINT_RT_FROM) const
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            while (!test_for(BARLINT_RT_TRY_PARITY, parity, 0, from)) {
            }
            return;
        }
#endif
        plain::wait_parity(parity);
    }

    __host__ __device__ void arrive_and_wait(BARLINT_RT_FROM)
    {
        wait(arrive(1, from), from);
    }

    __host__ __device__ void arrive_and_drop(BARLINT_RT_FROM)
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            (void)barlint_rt_arrive(this, 1, 0, BARLINT_RT_DROPS | BARLINT_RT_NO_TOKEN, from);
        }
#endif
        plain::arrive_and_drop();
    }

    template <class Rep, class Period>
    [[nodiscard]] __host__ __device__ bool
    try_wait_for(arrival_token &&token, const ::cuda::std::chrono::duration<Rep, Period> &time,
                 BARLINT_RT_FROM)
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            auto span = ::cuda::std::chrono::duration_cast<::cuda::std::chrono::nanoseconds>(time);
            return test_for(BARLINT_RT_TRY_TOKEN, token, span.count(), from);
        }
#endif
        return plain::try_wait_for(static_cast<arrival_token &&>(token), time);
    }

    template <class Clock, class Duration>
    [[nodiscard]] __host__ __device__ bool
    try_wait_until(arrival_token &&token,
                   const ::cuda::std::chrono::time_point<Clock, Duration> &time, BARLINT_RT_FROM)
    {
        return try_wait_for(static_cast<arrival_token &&>(token), time - Clock::now(), from);
    }

    template <class Rep, class Period>
    [[nodiscard]] __host__ __device__ bool
    try_wait_parity_for(bool parity, const ::cuda::std::chrono::duration<Rep, Period> &time,
                        BARLINT_RT_FROM)
    {
#ifdef __CUDA_ARCH__
        if (is_hardware()) {
            auto span = ::cuda::std::chrono::duration_cast<::cuda::std::chrono::nanoseconds>(time);
            return test_for(BARLINT_RT_TRY_PARITY, parity, span.count(), from);
        }
#endif
        return plain::try_wait_parity_for(parity, time);
    }

    template <class Clock, class Duration>
    [[nodiscard]] __host__ __device__ bool
    try_wait_parity_until(bool parity,
                          const ::cuda::std::chrono::time_point<Clock, Duration> &time,
                          BARLINT_RT_FROM)
    {
        return try_wait_parity_for(parity, time - Clock::now(), from);
    }
};

// The copies of libcu++ that complete on a barrier, of a group or of a thread.
template <class Group, class To, class From, class Size, thread_scope Scope, class Completion>
__host__ __device__ async_contract_fulfillment
memcpy_async(const Group &group, To *to, const From *source, Size size,
             barrier<Scope, Completion> &bar, BARLINT_RT_FROM)
{
#ifdef __CUDA_ARCH__
    if (Scope == thread_scope_block) {
        barlint_rt_copies_to(&bar, from);
    }
#endif
    return memcpy_async(group, to, source, size,
                        static_cast<barlint_plain_barrier<Scope, Completion> &>(bar));
}

template <class To, class From, class Size, thread_scope Scope, class Completion>
__host__ __device__ async_contract_fulfillment
memcpy_async(To *to, const From *source, Size size, barrier<Scope, Completion> &bar,
             BARLINT_RT_FROM)
{
#ifdef __CUDA_ARCH__
    if (Scope == thread_scope_block) {
        barlint_rt_copies_to(&bar, from);
    }
#endif
    return memcpy_async(to, source, size,
                        static_cast<barlint_plain_barrier<Scope, Completion> &>(bar));
}

#ifdef BARLINT_RT_HAS_PTX
namespace device
{

__device__ inline barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &bar, ::cuda::std::ptrdiff_t count,
                  ::cuda::std::ptrdiff_t bytes, BARLINT_RT_FROM)
{
    if (count != 1) {
        (void)barlint_rt_before(BARLINT_RT_EXPECT_TX, &bar, (uint32_t)bytes, 0, from);
    }
    uint64_t ours = barlint_rt_arrive(&bar, (uint32_t)count, count == 1 ? (uint32_t)bytes : 0,
                                      count == 1 ? BARLINT_RT_EXPECTS : 0, from);
    auto token = barrier_arrive_tx(static_cast<barlint_plain_barrier<thread_scope_block> &>(bar),
                                   count, bytes);
    return ours ? ours : token;
}

__device__ inline void barrier_expect_tx(barrier<thread_scope_block> &bar,
                                         ::cuda::std::ptrdiff_t bytes, BARLINT_RT_FROM)
{
    (void)barlint_rt_before(BARLINT_RT_EXPECT_TX, &bar, (uint32_t)bytes, 0, from);
    barrier_expect_tx(static_cast<barlint_plain_barrier<thread_scope_block> &>(bar), bytes);
}

template <class Type, ::cuda::std::size_t Alignment>
__device__ async_contract_fulfillment
memcpy_async_tx(Type *to, const Type *source, aligned_size_t<Alignment> size,
                barrier<thread_scope_block> &bar, BARLINT_RT_FROM)
{
    (void)barlint_rt_before(BARLINT_RT_COPY, &bar, (uint32_t)(::cuda::std::size_t)size, 0, from);
    return memcpy_async_tx(to, source, size,
                           static_cast<barlint_plain_barrier<thread_scope_block> &>(bar));
}

}
#endif

}
