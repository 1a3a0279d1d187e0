// The functions of <cuda_awbarrier_primitives.h> and <cuda_pipeline_primitives.h>: macros over what
// follows them. Those headers have been read.
BARLINT_RT_INLINE void barlint_rt_primitive_init(__mbarrier_t *bar, uint32_t count,
                                                 struct barlint_rt_from from)
{
    (void)barlint_rt_before(BARLINT_RT_INIT, bar, count, BARLINT_RT_PRIMITIVE, from);
    __mbarrier_init(bar, count);
}

BARLINT_RT_INLINE void barlint_rt_primitive_inval(__mbarrier_t *bar, struct barlint_rt_from from)
{
    (void)barlint_rt_before(BARLINT_RT_INVAL, bar, 0, 0, from);
    __mbarrier_inval(bar);
}

BARLINT_RT_INLINE __mbarrier_token_t barlint_rt_primitive_arrive(__mbarrier_t *bar,
                                                                 struct barlint_rt_from from)
{
    uint64_t ours = barlint_rt_arrive(bar, 1, 0, 0, from);
    __mbarrier_token_t token = __mbarrier_arrive(bar);
    return ours ? ours : token;
}

BARLINT_RT_INLINE __mbarrier_token_t barlint_rt_primitive_drop(__mbarrier_t *bar,
                                                               struct barlint_rt_from from)
{
    uint64_t ours = barlint_rt_arrive(bar, 1, 0, BARLINT_RT_DROPS, from);
    __mbarrier_token_t token = __mbarrier_arrive_and_drop(bar);
    return ours ? ours : token;
}

BARLINT_RT_INLINE uint32_t barlint_rt_primitive_pending(__mbarrier_token_t token,
                                                        struct barlint_rt_from from)
{
    uint64_t site = 0;
    (void)barlint_rt_seen(from, &site);
    return token >> 56 == BARLINT_RT_TOKEN_MARK ? barlint_rt_pending_count(token, site)
                                                : __mbarrier_token_pending_count(token);
}

BARLINT_RT_INLINE void barlint_rt_primitive_copies(__mbarrier_t *bar, struct barlint_rt_from from)
{
    barlint_rt_copies_to(bar, from);
    __pipeline_arrive_on(bar);
}

#define __mbarrier_init(bar, count) barlint_rt_primitive_init(bar, count, BARLINT_RT_PLACE)
#define __mbarrier_inval(bar) barlint_rt_primitive_inval(bar, BARLINT_RT_PLACE)
#define __mbarrier_arrive(bar) barlint_rt_primitive_arrive(bar, BARLINT_RT_PLACE)
#define __mbarrier_arrive_and_drop(bar) barlint_rt_primitive_drop(bar, BARLINT_RT_PLACE)
#define __mbarrier_token_pending_count(token) barlint_rt_primitive_pending(token, BARLINT_RT_PLACE)
#define BARLINT_RT_TEST(form, bar, operand, plain)                                                 \
    barlint_rt_test(form, bar, operand, BARLINT_RT_PLACE, [&]() { return plain; })
#define __mbarrier_test_wait(bar, token)                                                           \
    BARLINT_RT_TEST(BARLINT_RT_TEST_TOKEN, bar, token, __mbarrier_test_wait(bar, token))
#define __mbarrier_test_wait_parity(bar, parity)                                                   \
    BARLINT_RT_TEST(BARLINT_RT_TEST_PARITY, bar, parity, __mbarrier_test_wait_parity(bar, parity))
// The time for which the hardware may suspend the thread is left to it.
#define __mbarrier_try_wait(bar, token, time)                                                      \
    BARLINT_RT_TEST(BARLINT_RT_TRY_TOKEN, bar, token, __mbarrier_try_wait(bar, token, time))
#define __mbarrier_try_wait_parity(bar, parity, time)                                              \
    BARLINT_RT_TEST(BARLINT_RT_TRY_PARITY, bar, parity,                                            \
                    __mbarrier_try_wait_parity(bar, parity, time))
#define __pipeline_arrive_on(bar) barlint_rt_primitive_copies(bar, BARLINT_RT_PLACE)
