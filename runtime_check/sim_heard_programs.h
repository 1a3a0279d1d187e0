// Programs of sim_test.cpp about what threads can know of each other: right ones in which they have heard
// of it, though they have not met, and wrong ones that go well as long as somebody is slow.
#ifndef BARLINT_RUNTIME_CHECK_SIM_HEARD_PROGRAMS_H
#define BARLINT_RUNTIME_CHECK_SIM_HEARD_PROGRAMS_H

// Who ends the object's life waits for it last: that the others have, it has heard before.
static void ended_when_all_have_said_so()
{
    set_up(BAR, 2, sim->threads);
    (void)bar_arrive(BAR, AT);
    if (thread() != 0) {
        bar_wait(BAR, 0, AT);
    }
    (void)bar_arrive(OTHER, AT);
    if (thread() == 0) {
        bar_wait(OTHER, 0, AT);
        bar_wait(BAR, 0, AT);
        bar_inval(BAR, AT);
    }
}

// One lane waits until the stage is free, and another one of its warp fills it.
static void one_lane_waits_another_fills()
{
    set_up(BAR, 1, 1);
    set_up(OTHER, 1, 32);
    for (uint32_t i = 0; i < 5; i++) {
        if (thread() < 32) {
            if (thread() == 7) {
                bar_wait(OTHER, (i & 1) ^ 1, AT);
            }
            sync_warp(0xffffffffu, AT);
            if (thread() == i) {
                bar_arrive_expect(BAR, 64, AT);
                bulk_copy(BAR, 64, AT);
            }
        } else {
            bar_wait(BAR, i & 1, AT);
            (void)bar_arrive(OTHER, AT);
        }
    }
}

// Readers say that they are done, and go on when one of their lanes has heard that this was heard.
static void says_so_when_heard()
{
    set_up(BAR, 1, 32);
    for (uint32_t i = 0; i < 4; i++) {
        if (thread() >= 32) {
            bar_named(BARLINT_NAMED_ARRIVE, 3, sim->threads, AT);
            if (thread() % 32 == 9) {
                bar_wait(BAR, i & 1, AT);
            }
            sync_warp(0xffffffffu, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 3, sim->threads, AT);
            (void)bar_arrive(BAR, AT);
        }
    }
}

// A pair of warps has the barrier of all for itself, and says so to the others before all meet there.
static void pair_lends_the_barrier_of_all()
{
    for (uint32_t i = 0; i < 3; i++) {
        if (thread() < 64) {
            bar_named(BARLINT_NAMED_SYNC, 0, 64, AT);
            bar_named(BARLINT_NAMED_ARRIVE, 5, sim->threads, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 5, sim->threads, AT);
        }
        bar_named(BARLINT_NAMED_SYNC, 0, 0, AT);
    }
}

// A block stores to the other, which waits until it has been told.
static void stores_to_its_peer_and_tells()
{
    meet_the_cluster();
    if (sim->here->cta == 1 && thread() == 3) {
        barlint_rt_peer(0, 1, AT);
        board[0] = 1;
        sim_progress();
    }
    while (sim->here->cta == 0 && *(volatile uint32_t *)board == 0) {
        sim_leave(SIM_ASLEEP);
    }
}

// The next phase is announced before others have looked at the first; its copy is begun when all have.
static void armed_early_and_copied_behind_the_barrier()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        bulk_copy(BAR, 64, AT);
    }
    for (uint32_t i = 0; i < 4; i++) {
        bar_wait(BAR, i & 1, AT);
        if (thread() == 0) {
            bar_arrive_expect(BAR, 64, AT);
        }
        sync_all(AT);
        if (thread() == 0) {
            bulk_copy(BAR, 64, AT);
        }
    }
    bar_wait(BAR, 0, AT);
}

// The same where all others say so by memory.
static void armed_when_all_have_looked()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        bulk_copy(BAR, 64, AT);
    }
    bar_wait(BAR, 0, AT);
    board[thread()] = 1;
    for (uint32_t i = 0; i < sim->threads && thread() == 0; i++) {
        while (*(volatile uint32_t *)&board[i] == 0) {
            sim_leave(SIM_ASLEEP);
        }
    }
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        bulk_copy(BAR, 64, AT);
    }
    bar_wait(BAR, 1, AT);
}

// Whoever is last to say by a word of memory that it has passed ends the object's life.
static void last_one_by_a_word_ends_it()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    if (atomicAdd(&board[0], 1u) == sim->threads - 1) {
        bar_inval(BAR, AT);
    }
}

// A word of memory tells the one who arrives that the phase before is over.
static void arrives_again_told_by_a_word()
{
    set_up(BAR, 1, 1);
    for (uint32_t i = 0; i < 3; i++) {
        if (thread() == 32) {
            (void)bar_arrive(BAR, AT);
            while (*(volatile uint32_t *)board != i + 1) {
                sim_leave(SIM_ASLEEP);
            }
        } else if (thread() == 0) {
            bar_wait(BAR, i & 1, AT);
            board[0] = i + 1;
            sim_progress();
        }
    }
}

// The same at a named barrier.
static void arrives_at_a_number_again_told_by_a_word()
{
    for (uint32_t i = 0; i < 3; i++) {
        if (thread() >= 32) {
            bar_named(BARLINT_NAMED_ARRIVE, 3, sim->threads, AT);
            while (*(volatile uint32_t *)board != i + 1) {
                sim_leave(SIM_ASLEEP);
            }
        } else {
            bar_named(BARLINT_NAMED_SYNC, 3, sim->threads, AT);
            sync_warp(0xffffffffu, AT);
            if (thread() == 0) {
                board[0] = i + 1;
                sim_progress();
            }
        }
    }
}

// The second warp's copies arrive by themselves, before the one who announces a bulk copy does.
static void copies_of_both_kinds()
{
    set_up(BAR, 1, 33);
    for (uint32_t i = 0; i < 4; i++) {
        if (thread() >= 32) {
            async_arrive(BAR, true, AT);
            bar_wait(BAR, i & 1, AT);
        } else if (thread() == 0) {
            for (uint32_t turns = 0; turns < 300; turns++) { // late
                sim_leave(SIM_READY);
            }
            bar_arrive_expect(BAR, 64, AT);
            bulk_copy(BAR, 64, AT);
            bar_wait(BAR, i & 1, AT);
        }
    }
}

// A reader announces what comes next before other readers look; who copies waits for all of them.
static void announced_before_other_readers_look()
{
    set_up(BAR, 1, 1);
    set_up(OTHER, 1, 64);
    for (uint32_t i = 0; i < 4; i++) {
        if (thread() >= 32) {
            if (thread() == 32 && i == 0) {
                bar_arrive_expect(BAR, 64, AT);
            }
            sync_warp(0xffffffffu, AT);
            if (i == 0) {
                (void)bar_arrive(OTHER, AT);
            }
            bar_wait(BAR, i & 1, AT);
            sync_warp(0xffffffffu, AT);
            if (thread() == 32 && i < 3) {
                bar_arrive_expect(BAR, 64, AT);
            }
            sync_warp(0xffffffffu, AT);
            if (i < 3) {
                (void)bar_arrive(OTHER, AT);
            }
        } else if (thread() == 0) {
            bar_wait(OTHER, i & 1, AT);
            bulk_copy(BAR, 64, AT);
        }
    }
}

// ---- wrong ones ----

// Who ends the object's life has seen the end of the phase, and nothing tells it that the others have.
static void ended_after_its_own_wait()
{
    set_up(BAR, 1, sim->threads);
    uint64_t token = bar_arrive(BAR, AT);
    bar_wait_token(BAR, token, AT);
    if (thread() == 0) {
        bar_inval(BAR, AT);
    }
}

// All lanes of a warp make it, which the hardware does once.
static void made_by_a_warp()
{
    if (thread() < 32) {
        bar_init(BAR, sim->threads, AT);
    }
    sync_all(AT);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

// Whoever fills the stages waits for nobody: who is fast enough sees each of them all the same.
static void fills_without_asking()
{
    set_up(BAR, 2, 1);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t stage = BAR + 8 * (i % 2);
        if (thread() == 32) {
            bar_arrive_expect(stage, 64, AT);
            bulk_copy(stage, 64, AT);
            for (uint32_t turns = 0; turns < 3000; turns++) { // the others are that fast
                sim_leave(SIM_READY);
            }
        } else if (thread() < 32) {
            bar_wait(stage, i / 2 & 1, AT);
        }
    }
}

// Fewer are counted than come: the last warp arrives in the next phase and sees the first.
static void too_few_are_counted()
{
    set_up(BAR, 1, sim->threads - 32);
    if (thread() >= sim->threads - 32) {
        while (!*(volatile uint32_t *)board) {
            sim_leave(SIM_ASLEEP);
        }
    }
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    board[0] = 1;
}

// Two pairs of warps meet by one instruction, each at the barrier of its number: that of the first pair is
// the barrier of all, to which the second one comes as soon as it is through. That it comes too late to be
// taken for one of the first pair is luck.
static void pair_at_the_barrier_of_all()
{
    const uint32_t pair = thread() / 64;
    while (pair == 0 && *(volatile uint32_t *)board == 0) {
        sim_leave(SIM_ASLEEP);
    }
    bar_named(BARLINT_NAMED_SYNC, pair, 64, AT);
    board[1 - pair] = 1;
    while (pair == 1 && *(volatile uint32_t *)&board[1] == 0) {
        sim_leave(SIM_ASLEEP);
    }
    bar_named(BARLINT_NAMED_SYNC, 0, 0, AT);
}

// The readers say that they are done, and nothing tells them that it has been heard before they say so
// again: where the loader is always there before them, it is.
static void says_so_twice()
{
    for (uint32_t row = 0; row < 2; row++) {
        if (thread() >= 32) {
            for (uint32_t turns = 0; turns < 3000; turns++) {
                sim_leave(SIM_READY);
            }
            bar_named(BARLINT_NAMED_ARRIVE, 3, sim->threads, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 3, sim->threads, AT);
        }
    }
}

static void says_so_twice_and_hears_nothing()
{
    barlint_rt_own_shadow()->hears_nothing = 1;
    says_so_twice();
}

#if !BARLINT_RT_ENDS_UNSEEN
// The other block does not wait for what is stored to it: it takes a slow store to see that.
static void stores_to_a_peer_last()
{
    meet_the_cluster();
    if (sim->here->cta == 1 && thread() == 3) {
        barlint_rt_peer(0, 1, AT);
    }
}

// The same by both, at one place.
static void store_to_each_other_last()
{
    meet_the_cluster();
    barlint_rt_peer(sim->here->cta ^ 1u, 1, AT);
}
#endif

#endif
