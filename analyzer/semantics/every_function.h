// Calls every function of the semantics core on pseudo-random states and folds what they do into
// one number. The number must be the same in C, in C++ and on the device.
#ifndef BARLINT_SEMANTICS_TEST_EVERY_FUNCTION_H
#define BARLINT_SEMANTICS_TEST_EVERY_FUNCTION_H

#include "barlint/semantics.h"

// Not inlined on the device, or the one kernel would take minutes to compile.
#ifdef __CUDACC__
#define EVERY_PART __noinline__ BARLINT_HD static
#else
#define EVERY_PART static inline
#endif

// The draws are in variables of their own wherever two feed one call: languages differ in the order
// in which arguments are evaluated.

struct every {
    uint32_t seed, hash;
};

BARLINT_HD static inline uint32_t every_random(struct every *every, uint32_t below)
{
    every->seed = every->seed * 1664525u + 1013904223u;
    return (every->seed >> 8) % below;
}

BARLINT_HD static inline void every_fold(struct every *every, uint32_t value)
{
    every->hash = (every->hash ^ value) * 16777619u;
}

EVERY_PART void every_set(struct every *every, struct barlint_violations set)
{
    for (uint32_t v = barlint_violations_next(set, 0); v < (uint32_t)BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(set, v + 1u)) {
        enum barlint_violation violation = (enum barlint_violation)v;
        every_fold(every, v);
        every_fold(every, (uint32_t)barlint_violation_rule(violation)[0]);
        every_fold(every, (uint32_t)barlint_violation_contract(violation)[2]);
        every_fold(every, (uint32_t)barlint_violation_section(violation)[1]);
        every_fold(every, (uint32_t)barlint_violation_name(violation)[3]);
    }
}

EVERY_PART void every_effect(struct every *every, struct barlint_effect effect)
{
    every_set(every, effect.violations);
    every_fold(every, effect.hardware);
    every_fold(every, (effect.completed ? 1u : 0u) | (effect.passed ? 2u : 0u) |
                          (effect.counted ? 4u : 0u));
    every_fold(every, effect.released);
    every_fold(every, barlint_effect_has(effect, BARLINT_ARRIVE_OVER) ? 1u : 0u);
    every_fold(every, barlint_violations_empty(effect.violations) ? 1u : 0u);
}

EVERY_PART void every_mbarrier_step(struct every *every, struct barlint_mbarrier *m,
                                    struct barlint_actor *actor, struct barlint_token *token,
                                    struct barlint_user *user)
{
    struct barlint_arrive arrive = barlint_arrive_plain(1u + every_random(every, 2));
    struct barlint_effect effect = barlint_effect_none();
    enum barlint_async_arrive kind = (enum barlint_async_arrive)every_random(every, 3);
    uint32_t drawn = every_random(every, 4);
    uint32_t parity = every_random(every, 3), bytes = every_random(every, 3) * 16u, count = 0;
    uint32_t step = every_random(every, 23);
    switch (step) {
    case 0:
        effect = barlint_mbarrier_init(m, actor, (enum barlint_layout)parity, drawn,
                                       BARLINT_COUNT_MAX_PRIMITIVES);
        break;
    case 1:
        effect = barlint_mbarrier_inval(m, actor, every_random(every, 2));
        break;
    case 2:
        effect = barlint_mbarrier_touch(m, parity != 0);
        break;
    case 3:
        effect = barlint_mbarrier_arrive(m, actor, 1, token);
        break;
    case 4:
        effect = barlint_mbarrier_arrive_drop(m, actor, 1, token);
        break;
    case 5:
        effect = barlint_mbarrier_arrive_expect_tx(m, actor, bytes, token);
        break;
    case 6:
        effect = barlint_mbarrier_arrive_no_complete(m, actor, 1, token);
        break;
    case 7:
        every_set(every, barlint_user_arrives(user, m, arrive));
        effect = barlint_mbarrier_arrive_with(m, actor, arrive, token);
        break;
    case 8:
        every_set(every, barlint_user_expects(user, m));
        effect = barlint_mbarrier_expect_tx(m, actor, bytes);
        break;
    case 9:
        effect = barlint_mbarrier_complete_tx(m, actor, bytes);
        break;
    case 10:
        effect = barlint_mbarrier_issue_copy(m, actor, bytes);
        break;
    case 11:
        effect = barlint_mbarrier_land_copy(m, bytes);
        break;
    case 12:
        effect = barlint_mbarrier_async_issue(m, actor, kind);
        break;
    case 13:
        effect = barlint_mbarrier_async_arrive(m, kind);
        break;
    case 14:
        effect = barlint_mbarrier_test_token(m, actor, token);
        every_set(every, barlint_user_tested(user, m, true, &effect));
        break;
    case 15:
        effect = barlint_mbarrier_test_parity(m, actor, parity);
        every_set(every, barlint_user_tested(user, m, false, &effect));
        break;
    case 16:
        barlint_token_consume(token);
        effect = barlint_token_pending_count(token, &count);
        every_fold(every, count);
        break;
    case 17:
        barlint_mbarrier_report(m);
        every_fold(every, barlint_mbarrier_test_conditional(m, parity) ? 1u : 0u);
        break;
    case 18:
        barlint_mbarrier_completion_begin(m, actor);
        effect = barlint_mbarrier_arrive(m, actor, 1, 0);
        barlint_mbarrier_completion_end(m);
        break;
    case 19:
        effect = barlint_mbarrier_cta_end(m);
        every_set(every, barlint_user_exits(user, parity));
        break;
    case 20:
        effect = barlint_mbarrier_check_address(bytes / 4u, (enum barlint_place)parity,
                                                (enum barlint_address_use)drawn);
        break;
    case 21:
        effect = barlint_mbarrier_check_arrive_form(parity, bytes != 0, 80u + bytes);
        break;
    default:
        barlint_mbarrier_fence(m, actor);
        actor->block_epoch++;
        break;
    }
    every_effect(every, effect);
    every_fold(every, m->phase + m->pending * 3u + m->expected * 5u + (uint32_t)m->tx);
    every_fold(every, m->state + (m->seen ? 8u : 0u) + (m->fenced ? 16u : 0u));
}

EVERY_PART void every_mbarrier(struct every *every)
{
    struct barlint_mbarrier m;
    struct barlint_token token = barlint_token_none();
    struct barlint_user user;
    struct barlint_supply supply = barlint_supply_none();
    barlint_mbarrier_clear(&m, 1, 0);
    barlint_user_clear(&user);
    for (int i = 0; i < 60; i++) {
        uint32_t cta = every_random(every, 8) == 0 ? 1u : 0u;
        struct barlint_actor actor = barlint_actor_of(every_random(every, 3) * 17u, cta);
        actor.block_epoch = every_random(every, 2);
        actor.cluster_epoch = every_random(every, 2);
        every_mbarrier_step(every, &m, &actor, &token, &user);
        uint32_t wanted = barlint_user_next_phase(&user, every_random(every, 2) != 0);
        struct barlint_wait wait = barlint_wait_classify(&m, wanted, every_random(every, 3));
        every_set(every, wait.violations);
        every_fold(every, wait.timing + (wait.passes ? 8u : 0u) + (wait.ended ? 16u : 0u));
        supply.arrivals = every_random(every, 3);
        supply.from_exited = every_random(every, 2);
        struct barlint_stuck stuck = barlint_mbarrier_check_stuck(&m, wanted, supply);
        every_set(every, stuck.violations);
        every_fold(every, stuck.missing + (uint32_t)stuck.tx + (stuck.for_ever ? 1u : 0u));
        every_fold(every, (uint32_t)barlint_count_compare(m.expected, supply.arrivals));
        every_fold(every, barlint_count_max(m.layout));
    }
}

EVERY_PART void every_named(struct every *every)
{
    struct barlint_block block;
    struct barlint_named_slot slot[BARLINT_NAMED_SLOTS];
    struct barlint_named_warp warp[3];
    barlint_block_start(&block, 70);
    for (uint32_t s = 0; s < BARLINT_NAMED_SLOTS; s++) {
        barlint_named_slot_clear(&slot[s]);
    }
    for (uint32_t w = 0; w < 3; w++) {
        barlint_named_warp_clear(&warp[w]);
    }
    for (int i = 0; i < 60; i++) {
        struct barlint_named_op op;
        uint32_t w = every_random(every, 3);
        op.id = every_random(every, 20);
        op.count = every_random(every, 5) * 16u;
        op.site = every_random(every, 3);
        op.kind = (uint8_t)every_random(every, 3);
        op.aligned = every_random(every, 2) != 0;
        uint32_t s = barlint_named_slot_of(op.id);
        if (every_random(every, 9) == 0) {
            block.live[w] &= ~every_random(every, 0x10000);
            every_effect(every, barlint_named_exit(&slot[0], &warp[w], &block, w));
            every_effect(every, barlint_named_exit(&slot[s], 0, &block, w));
        } else if (s == 0) { // the lanes of one barrier are followed, the others count warps
            every_effect(every,
                         barlint_named_join(&slot[s], &warp[w], &block, w,
                                            block.live[w] & every_random(every, 0x1000000), &op));
            every_fold(every, barlint_named_wake(&warp[w]));
        } else {
            every_effect(every, barlint_named_count(&slot[s], &block, w, &op));
        }
        struct barlint_named_stuck stuck = barlint_named_check_stuck(&slot[s], &block);
        every_set(every, stuck.violations);
        every_fold(every, stuck.missing + stuck.exited * 3u + stuck.wanted * 5u);
        every_effect(every, barlint_named_cta_end(&slot[s]));
        uint32_t missing;
        every_set(every, barlint_named_check_lanes(&warp[w], &block, w, &missing));
        every_fold(every, missing);
        every_fold(every, barlint_named_order_cycle(slot, &block));
        every_fold(every, barlint_block_live_warps(&block) + barlint_block_warps(&block));
        every_fold(every, barlint_block_has_exits(&block) ? 1u : 0u);
    }
}

EVERY_PART void every_cta(struct every *every, struct barlint_cta *cta)
{
    struct barlint_effect effects[BARLINT_NAMED_SLOTS];
    barlint_cta_start(cta, 64);
    for (int i = 0; i < 20; i++) {
        struct barlint_named_op op;
        uint32_t w = every_random(every, 2);
        op.id = every_random(every, 2);
        op.count = 64;
        op.site = 0;
        op.kind = BARLINT_NAMED_SYNC;
        op.aligned = true;
        every_effect(every, barlint_cta_join(cta, w, cta->block.live[w], &op));
        every_fold(every, barlint_cta_wake(cta, op.id, w));
    }
    barlint_cta_exit(cta, 1, 0xffffu, effects);
    every_effect(every, effects[0]);
}

EVERY_PART void every_cluster_and_group(struct every *every)
{
    struct barlint_cluster cluster;
    struct barlint_cluster_thread thread[2];
    struct barlint_group group;
    struct barlint_group_thread member[2];
    struct barlint_group_token token[2];
    barlint_cluster_start(&cluster, 2, 1);
    barlint_group_start(&group, 1, 2);
    for (uint32_t t = 0; t < 2; t++) {
        barlint_cluster_thread_clear(&thread[t]);
        barlint_group_thread_clear(&member[t]);
        token[t].group = every_random(every, 2);
        token[t].phase = 0;
        token[t].valid = false;
    }
    for (int i = 0; i < 30; i++) {
        uint32_t t = every_random(every, 2);
        if (every_random(every, 2) != 0) {
            every_effect(every, barlint_cluster_arrive(&cluster, &thread[t], t));
            every_effect(every, barlint_group_arrive(&group, &member[t], &token[t]));
        } else {
            every_effect(every, barlint_cluster_wait(&cluster, &thread[t]));
            every_effect(every, barlint_group_wait(&group, &member[t], &token[t]));
        }
        every_set(every, barlint_group_collective(&member[t]));
        every_fold(every, barlint_group_missing(&group, &member[t]));
        struct barlint_cluster_stuck stuck = barlint_cluster_check_stuck(&cluster, &thread[t]);
        every_set(every, stuck.violations);
        every_fold(every, stuck.missing[0] + stuck.missing[1] * 3u);
    }
    struct barlint_effect many = barlint_effect_none();
    barlint_cluster_count(&cluster, 1, every_random(every, 3), &many);
    every_effect(every, barlint_cluster_thread_arrives(&thread[1], cluster.phase));
    every_effect(every, barlint_cluster_thread_waits(&thread[1], every_random(every, 3)));
    uint32_t in = barlint_cluster_thread_ends(&thread[1], cluster.phase);
    barlint_cluster_leave(&cluster, 1, every_random(every, 3), in, &many);
    every_effect(every, many);
    every_effect(every, barlint_cluster_thread_exit(&cluster, &thread[0], 0));
    every_effect(every, barlint_group_thread_exit(&group, &member[0]));
    uint32_t waits = every_random(every, 2);
    every_set(every, barlint_cluster_check_aligned(every_random(every, 4), 3));
    every_effect(every, barlint_cluster_check_remote(waits, every_random(every, 2) != 0, true));
}

EVERY_PART void every_warp(struct every *every)
{
    struct barlint_warp warp;
    barlint_warp_start(&warp, 0xffu);
    for (int i = 0; i < 30; i++) {
        uint32_t lanes = every_random(every, 256);
        uint32_t op = every_random(every, 3), mask = every_random(every, 256);
        every_effect(every, every_random(every, 8) == 0
                                ? barlint_warp_exit(&warp, lanes & (lanes - 1u))
                                : barlint_warp_join(&warp, op, mask, lanes & warp.live, 1));
        struct barlint_warp_stuck stuck = barlint_warp_check_stuck(&warp);
        every_set(every, stuck.violations);
        every_fold(every, stuck.waiting + stuck.missing * 3u);
        every_fold(every, barlint_warp_leader(lanes, warp.live));
    }
}

EVERY_PART void every_pipeline(struct every *every)
{
    struct barlint_pipe_thread thread;
    struct barlint_pipe_stage stage;
    struct barlint_ring ring, before;
    barlint_pipe_start(&thread, 2, (enum barlint_pipe_role)(1u + every_random(every, 3)), false);
    barlint_pipe_stage_start(&stage, 1, 2);
    barlint_ring_start(&ring, 3, every_random(every, 2) != 0);
    every_set(every, barlint_ring_check_start(&ring, every_random(every, 2) != 0));
    every_set(every, barlint_pipe_check_producers(every_random(every, 3), 2));
    for (int i = 0; i < 30; i++) {
        uint32_t round = every_random(every, 4);
        every_effect(every, barlint_pipe_acquire(&thread));
        every_effect(every, barlint_pipe_commit(&thread));
        if (every_random(every, 2) != 0) {
            every_effect(every, barlint_pipe_wait(&thread));
            every_effect(every, barlint_pipe_release(&thread));
        }
        every_effect(every, barlint_pipe_stage_acquire(&stage, round));
        every_effect(every, barlint_pipe_stage_commit(&stage));
        every_effect(every, barlint_pipe_stage_wait(&stage, round));
        every_effect(every, barlint_pipe_stage_release(&stage));
        every_fold(every, barlint_pipe_stage_is_filled(&stage) ? 1u : 0u);
        before = ring;
        barlint_ring_advance(&ring);
        ring.phase ^= every_random(every, 8) == 0 ? 1u : 0u;
        every_set(every, barlint_ring_check_step(&before, &ring));
    }
    every_effect(every, barlint_pipe_leave(&thread, 31));
}

EVERY_PART void every_async(struct every *every)
{
    struct barlint_async async;
    struct barlint_violations clamp;
    barlint_async_start(&async, every_random(every, 2) != 0);
    for (int i = 0; i < 30; i++) {
        switch (every_random(every, 6)) {
        case 0:
            every_fold(every, barlint_async_issue(&async));
            break;
        case 1:
            barlint_async_commit(&async);
            break;
        case 2:
            every_effect(every, barlint_async_wait(&async, every_random(every, 3)));
            break;
        case 3:
            every_effect(every, barlint_async_wait_read(&async, every_random(every, 3)));
            break;
        case 4:
            every_effect(every, barlint_async_wait_all(&async));
            break;
        default:
            barlint_async_track(&async);
            break;
        }
        every_set(every, barlint_async_check_access(&async, every_random(every, 5)));
        every_fold(every, (uint32_t)barlint_async_state_of(&async, every_random(every, 5)));
        every_set(every, barlint_async_exit(&async));
    }
    every_fold(every, barlint_async_clamp_prior(every_random(every, 12), &clamp));
    every_set(every, clamp);
    uint32_t a = every_random(every, 64), b = every_random(every, 64), c = every_random(every, 5);
    every_effect(every, barlint_async_check_copy(a, b, c * 4u));
    every_effect(every, barlint_async_check_bulk(a, b, c * 8u));
    every_effect(every, barlint_async_check_tensor(a * 64u));
    every_set(every,
              barlint_async_check_target((enum barlint_async_target)c, 0, a % 3u, b % 3u, 2));
}

// `cta` is working space.
BARLINT_HD static inline uint32_t every_function(uint32_t seed, struct barlint_cta *cta)
{
    struct every every;
    every.seed = seed;
    every.hash = 2166136261u;
    every_mbarrier(&every);
    every_named(&every);
    every_cta(&every, cta);
    every_cluster_and_group(&every);
    every_warp(&every);
    every_pipeline(&every);
    every_async(&every);
    return every.hash;
}

#endif
