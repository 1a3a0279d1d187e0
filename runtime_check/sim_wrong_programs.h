// The programs of sim_test.cpp that are wrong.
#ifndef BARLINT_RUNTIME_CHECK_SIM_WRONG_PROGRAMS_H
#define BARLINT_RUNTIME_CHECK_SIM_WRONG_PROGRAMS_H

static void never_initialised()
{
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

static void only_waited_for()
{
    if (thread() == 40) {
        bar_wait(BAR, 1, AT);
    }
}

static void not_made_known()
{
    if (thread() == 40) {
        bar_init(BAR, sim->threads, AT);
    }
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

static void made_by_all()
{
    bar_init(BAR, sim->threads, AT);
    sync_all(AT);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

static void count_of_nothing()
{
    set_up(BAR, 1, 0);
}

static void made_anew_too_soon()
{
    set_up(BAR, 1, sim->threads);
    if (thread() < 32) {
        (void)bar_arrive(BAR, AT);
    }
    sync_all(AT);
    if (thread() == 0) {
        bar_init(BAR, sim->threads, AT);
    }
    sync_all(AT);
}

static void used_after_its_end()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    sync_all(AT);
    if (thread() == 0) {
        bar_inval(BAR, AT);
    }
    sync_all(AT);
    (void)bar_arrive(BAR, AT);
}

static void old_token()
{
    set_up(BAR, 1, sim->threads);
    uint64_t first = bar_arrive(BAR, AT);
    bar_wait_token(BAR, first, AT);
    uint64_t second = bar_arrive(BAR, AT);
    bar_wait_token(BAR, second, AT);
    (void)bar_test(BARLINT_RT_TEST_TOKEN, BAR, first, AT);
}

static void token_of_another()
{
    set_up(BAR, 2, sim->threads);
    uint64_t one = bar_arrive(BAR, AT);
    (void)bar_arrive(OTHER, AT);
    bar_wait_token(BAR, one, AT);
    bar_wait_token(OTHER, one, AT);
}

static void no_token_at_all()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    (void)bar_test(BARLINT_RT_TEST_TOKEN, BAR, 12345, AT);
}

static void nobody_looks()
{
    set_up(BAR, 1, 32);
    (void)bar_arrive(BAR, AT);
    sync_all(AT);
}

static void first_parity_wrong()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    sync_all(AT);
    bar_wait(BAR, 1, AT);
}

static void parity_not_flipped()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        (void)bar_arrive(BAR, AT);
        sync_all(AT);
        bar_wait(BAR, round == 2 ? 1 : round & 1, AT);
    }
}

static void parity_of_two()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 2, AT);
}

static void answer_ignored()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        uint64_t token = bar_arrive(BAR, AT);
        if (!bar_test(BARLINT_RT_TEST_TOKEN, BAR, token, AT)) {
            sim->here->value[0] = 1;
        }
        sync_all(AT);
    }
}

static void more_than_expected()
{
    set_up(BAR, 1, sim->threads);
    if (thread() == 0) {
        (void)bar_arrive_with(BAR, sim->threads + 32, 0, 0, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void dropped_and_back()
{
    set_up(BAR, 1, sim->threads);
    if (thread() >= 32) {
        bar_drop(BAR, AT);
        bar_wait(BAR, 0, AT);
        (void)bar_arrive(BAR, AT);
    } else {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, 0, AT);
    }
}

static void one_too_many_expected()
{
    set_up(BAR, 1, sim->threads + 1);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

static void half_arrive()
{
    set_up(BAR, 1, sim->threads);
    if (thread() < 32) {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, 0, AT);
    }
    sync_all(AT);
}

static void threads_and_warps()
{
    set_up(BAR, 1, sim->threads);
    if (thread() % 32 == 0) {
        (void)bar_arrive(BAR, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void leaves_without_a_drop()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    if (thread() >= 50) {
        leave(AT);
    }
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 1, AT);
}

// What whole warps did before by the shortest way counts when it is asked who is missing.
static void warp_leaves_after_rounds()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 6; round++) {
        if (round == 4 && thread() / 32 == 1) {
            leave(AT);
        }
        uint64_t token = bar_arrive(BAR, AT);
        bar_wait_token(BAR, token, AT);
    }
}

static void rounds_that_nobody_sees()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 6; round++) {
        (void)bar_arrive(BAR, AT);
        if (round < 3) {
            bar_wait(BAR, round & 1, AT);
        }
        sync_all(AT);
    }
}

static void one_round_less()
{
    set_up(BAR, 1, sim->threads);
    uint32_t rounds = thread() < 32 ? 2 : 3;
    for (uint32_t round = 0; round < rounds; round++) {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
    sync_all(AT);
}

static void waits_before_it_arrives()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    bar_wait(BAR, 1, AT);
    (void)bar_arrive(BAR, AT);
}

static void more_bytes_announced()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 512, AT);
        bulk_copy(BAR, 256, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void bytes_not_announced()
{
    set_up(BAR, 1, 2);
    if (thread() == 0) {
        bulk_copy(BAR, 256, AT);
        (void)bar_arrive_with(BAR, 2, 0, 0, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void copy_under_way_at_the_end()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 256, AT);
        sim->flight.clear();
        barlint_rt_mbarrier(BARLINT_RT_COPY, BAR, BARLINT_RT_SHARED_CTA, 256, 0, BARLINT_RT_WHO, AT);
    }
}

// The phase that everybody waited for had no bytes in it, and the next one nobody announces any for.
static void copy_after_the_phase()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        (void)bar_arrive(BAR, AT);
        bulk_copy(BAR, 256, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void copies_not_in_the_count()
{
    set_up(BAR, 1, sim->threads);
    async_arrive(BAR, true, AT);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
}

static void number_17()
{
    sync_some(17, 64, AT);
}

static void count_of_48()
{
    sync_some(1, 48, AT);
}

static void two_counts()
{
    sync_some(1, thread() < 32 ? 64 : 96, AT);
}

static void above_the_block()
{
    sync_some(1, sim->threads + 32, AT);
}

static void a_warp_is_missing()
{
    if (thread() < 32) {
        sync_some(1, 64, AT);
    }
    sync_all(AT);
}

static void a_warp_has_gone()
{
    if (thread() >= 32) {
        leave(AT);
    }
    sync_some(1, 64, AT);
}

// The same by three warps, of which the last to come finds that nobody runs and stays awake.
static void one_warp_of_four_has_gone()
{
    if (thread() >= 96) {
        leave(AT);
    }
    for (uint32_t round = 0; round < 3; round++) { // it is gone when they come
        sync_some(2, 96, AT);
    }
    sync_some(1, 128, AT);
}

// One arrives, one waits, and one of those that are counted has nothing to say.
static void one_role_forgets()
{
    sync_all(AT);
    if (thread() < 32) {
        bar_named(BARLINT_NAMED_ARRIVE, 2, 96, AT);
    } else if (thread() >= 64) {
        sync_some(2, 96, AT);
    }
}

static void reduction_and_barrier()
{
    bar_named(thread() < 32 ? BARLINT_NAMED_RED : BARLINT_NAMED_SYNC, 1, 64, AT);
}

static void crossed()
{
    sync_some(thread() < 32 ? 1 : 2, 64, AT);
    sync_some(thread() < 32 ? 2 : 1, 64, AT);
}

// Of each half a warp has left: the halves do not wait for each other.
static void a_warp_of_each_half_has_gone()
{
    if (thread() / 32 % 2 == 1) {
        leave(AT);
    }
    sync_some(1 + thread() / 64, 64, AT);
}

static void arrives_twice()
{
    if (thread() < 32) {
        bar_named(BARLINT_NAMED_ARRIVE, 1, 96, AT);
        bar_named(BARLINT_NAMED_ARRIVE, 1, 96, AT);
    }
    sync_all(AT);
    if (thread() >= 32) {
        bar_named(BARLINT_NAMED_SYNC, 1, 96, AT);
    }
}

// Writers hand over two places in turn and wait for the readers before every second one only. In one of
// 300 orders (seed 28) all sleep in the hardware and nobody is left to say so: readers that waited in a
// hook, and count as running, go into the hardware's barrier after the others have looked.
static void overtakes_the_readers()
{
    const uint32_t half = sim->threads / 2;
    for (uint32_t i = 0; i < 6; i++) {
        if (thread() < half) {
            if (i >= 2 && i % 2 == 0) {
                bar_named(BARLINT_NAMED_SYNC, 3, sim->threads, AT);
            }
            bar_named(BARLINT_NAMED_ARRIVE, 1 + i % 2, sim->threads, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 1 + i % 2, sim->threads, AT);
            if (i + 2 < 6 && i % 2 == 0) {
                bar_named(BARLINT_NAMED_ARRIVE, 3, sim->threads, AT);
            }
        }
    }
}

// Two pairs of warps have ids of their own; the second pair takes one of the first's in between.
static void id_of_the_other_pair()
{
    const uint32_t pair = thread() / 64;
    for (uint32_t i = 0; i < 4; i++) {
        bar_named(BARLINT_NAMED_SYNC, 4 + pair, 64, AT);
        bar_named(BARLINT_NAMED_SYNC, 3 + pair, 64, AT);
        bar_named(BARLINT_NAMED_SYNC, 4 + pair, 64, AT);
    }
}

// The first warp counts twice, and the last one finds nobody left to wait for.
static void arrives_and_waits()
{
    if (thread() < 32) {
        bar_named(BARLINT_NAMED_ARRIVE, 1, 96, AT);
        sync_warp(0xffffffffu, AT);
    }
    if (thread() >= 64) {
        sync_some(2, 64, AT);
    }
    bar_named(BARLINT_NAMED_SYNC, 1, 96, AT);
    if (thread() < 32) {
        bar_named(BARLINT_NAMED_ARRIVE, 2, 64, AT);
    }
}

static void arrivals_left_over()
{
    if (thread() < 32) {
        bar_named(BARLINT_NAMED_ARRIVE, 3, 64, AT);
    }
}

static void half_a_warp_syncs()
{
    set_up(BAR, 1, 32);
    if (thread() < 16) {
        sync_all(AT);
    } else if (thread() < 32) {
        bar_wait(BAR, 0, AT);
    } else {
        sync_all(AT);
    }
}

static void two_places()
{
    if (thread() < 32) {
        sync_all(AT);
    } else {
        sync_all(AT);
    }
}

static void two_places_in_a_warp()
{
    if (thread() % 2 == 0) {
        sync_all(AT);
    } else {
        sync_all(AT);
    }
}

static void some_have_left()
{
    if (thread() % 2 == 0) {
        leave(AT);
    }
    sync_all(AT);
}

static void a_whole_warp_has_left()
{
    if (thread() >= 32) {
        leave(AT);
    }
    sync_all(AT);
}

static void not_in_its_mask()
{
    if (thread() % 32 >= 16) {
        barlint_rt_warp(BARLINT_RT_WARP_SYNC, 0x0000ffffu, BARLINT_RT_WHO, AT);
    }
}

static void half_a_warp_meets()
{
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT);
    }
    sync_all(AT);
}

static void masks_that_cross()
{
    uint32_t lane = thread() % 32;
    if (lane < 16) {
        sync_warp(0x0001ffffu, AT);
    } else {
        sync_warp(0xffff8000u, AT);
    }
}

static void arrives_at_the_cluster_twice()
{
    if (sim->here->cta == 0) {
        cluster_arrive(AT);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

static void waits_for_the_cluster_alone()
{
    if (sim->here->cta == 0) {
        cluster_wait(AT);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

// One lane and the rest of its warp each wait by an operation that is for whole warps.
static void parts_of_a_warp_wait_for_the_cluster()
{
    cluster_arrive(AT);
    if (thread() == 5) {
        cluster_wait(AT);
    } else {
        cluster_wait(AT);
    }
}

#if !BARLINT_RT_ENDS_UNSEEN // who else would come is not known then
static void a_lane_comes_to_the_cluster_alone()
{
    if (thread() == 0) {
        cluster_arrive(AT);
        cluster_wait(AT);
    }
    sync_all(AT);
}
#endif

static void a_lane_waits_elsewhere_for_the_cluster()
{
    set_up(BAR, 1, 1);
    if (thread() == 5) {
        bar_wait(BAR, 0, AT);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

static void block_of_the_cluster_is_missing()
{
    set_up(BAR, 1, 1);
    if (sim->here->cta == 0) {
        cluster_arrive(AT);
        cluster_wait(AT);
    } else {
        bar_wait(BAR, 0, AT);
    }
}

// One block waits for bytes that nobody sends, and ends; the other comes to the cluster's barrier late.
static void block_of_the_cluster_hangs_first()
{
    set_up(BAR, 1, 1);
    if (sim->here->cta == 1) {
        bar_wait(BAR, 0, AT);
    }
    // Where ends are not told of, who does nothing for so long counts as gone.
    for (uint32_t i = 0; i < (BARLINT_RT_ENDS_UNSEEN ? 0u : 1500u); i++) {
        sim_leave(SIM_READY);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

// Each round copies twice what it announces.
static void one_copy_of_two_announced()
{
    set_up(BAR, 1, 1);
    for (uint32_t round = 0; round < 4; round++) {
        if (thread() == 0) {
            bar_arrive_expect(BAR, 64, AT);
            bulk_copy(BAR, 64, AT);
            bulk_copy(BAR, 64, AT);
        }
        bar_wait(BAR, round & 1, AT);
        sync_all(AT);
    }
}

// The arrival that comes first ends the phase that the bytes were meant for.
static void arrives_before_it_expects()
{
    set_up(BAR, 1, 1);
    for (uint32_t round = 0; round < 3; round++) {
        if (thread() == 0) {
            (void)bar_arrive(BAR, AT);
            bar_expect(BAR, 64, AT);
            bulk_copy(BAR, 64, AT);
        }
        bar_wait(BAR, round & 1, AT);
        sync_all(AT);
    }
}

// Whether the copy lands before the block ends is a matter of luck.
static void nobody_waits_for_the_copy()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        bulk_copy(BAR, 64, AT);
    }
    sync_all(AT);
}

static void nobody_waits_for_the_tensor()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        tensor_copy(BAR, 64, AT);
    }
    sync_all(AT);
}

// The phase that thread 0 has just announced bytes for is not the one it waits for.
static void waits_for_the_phase_before()
{
    set_up(BAR, 1, 1);
    if (thread() == 0) {
        bar_arrive_expect(BAR, 64, AT);
        bulk_copy(BAR, 64, AT);
        if (!bar_test(BARLINT_RT_TRY_PARITY, BAR, 1, AT)) {
            return; // the copy was faster
        }
    }
    sync_all(AT);
    bar_wait(BAR, 0, AT);
}

// A warp that waits is about to ask again when the object's life ends.
static void ended_under_waiters()
{
    set_up(BAR, 1, 1);
    if (thread() >= 32) {
        (void)bar_test(BARLINT_RT_TRY_PARITY, BAR, 0, AT);
        board[thread()] = 1;
        while (board[0] != 1) {
            sim_leave(SIM_ASLEEP);
        }
    } else {
        for (uint32_t i = 32; i < 64; i++) {
            while (board[i] != 1) {
                sim_leave(SIM_ASLEEP);
            }
        }
        sync_warp(0xffffffffu, AT);
        if (thread() == 0) {
            bar_inval(BAR, AT);
        }
        sync_warp(0xffffffffu, AT);
        board[thread()] = 1;
    }
}

// Of an operation of a warp, as instrumented code says it.
enum {
    PAST = BARLINT_RT_BYPASSED << BARLINT_RT_WARP_BYPASS_SHIFT,
    PERHAPS_PAST = BARLINT_RT_PERHAPS_BYPASSED << BARLINT_RT_WARP_BYPASS_SHIFT,
};

// Half a warp adds up what 32 lanes have.
static void half_a_warp_reads_the_other()
{
    barlint_rt_warp(BARLINT_RT_WARP_DATA | BARLINT_RT_SHUFFLE_XOR | 16u << 11 | 31u << 16, 0xffffffffu,
                    BARLINT_RT_WHO, AT);
}

static void half_a_warp_reads_the_other_in_a_branch()
{
    barlint_rt_warp(PAST | BARLINT_RT_WARP_DATA | BARLINT_RT_SHUFFLE_XOR |
                        16u << 11 | 31u << 16,
                    0xffffffffu, BARLINT_RT_WHO, AT);
    board[thread()] = 1;
}

static void half_a_warp_reads_itself()
{
    barlint_rt_warp(BARLINT_RT_WARP_DATA | BARLINT_RT_SHUFFLE_XOR | 8u << 11 | 31u << 16, 0xffffffffu,
                    BARLINT_RT_WHO, AT);
    barlint_rt_warp(BARLINT_RT_WARP_DATA | BARLINT_RT_SHUFFLE_DOWN | 16u << 11 | 15u << 16, 0xffffffffu,
                    BARLINT_RT_WHO, AT); // no further than the last lane there is
}

// Half of a warp ends while the other half comes to what names or needs all of it: the hardware goes on.
static void half_a_warp_leaves_a_mask()
{
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT);
    }
}

// The same where all threads go on to something else.
static void half_a_warp_goes_past_a_mask()
{
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT, PAST);
    }
    board[thread()] = 1;
}

// Both halves come to what none of them goes past, and later one leaves.
static void half_a_warp_leaves_behind_a_branch()
{
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT, PAST);
    } else {
        sync_warp(0xffffffffu, AT, PAST);
    }
    board[thread()] = 1;
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT);
    }
}

static void half_a_warp_perhaps_goes_past_a_mask()
{
    if (thread() % 32 < 16) {
        sync_warp(0xffffffffu, AT, PERHAPS_PAST);
    }
    board[thread()] = 1;
}

static void half_a_warp_goes_past_a_count()
{
    if (thread() % 32 < 16) {
        sync_some(1, 64, AT, BARLINT_RT_BYPASSED);
    }
    board[thread()] = 1;
}

static void block_of_a_cluster_goes_past_it()
{
    meet_the_cluster();
    if (sim->here->cta == 0) {
        meet_the_cluster(BARLINT_RT_BYPASSED);
    }
    board[thread()] = 1;
}

// Lanes of the mask that are none of a last warp in part have gone past nothing.
static void last_warp_in_part_at_a_mask()
{
    if (thread() >= 32) {
        sync_warp(0xffffffffu, AT, PAST);
        sync_warp(thread() % 2 ? 0xaaaaaaaau : 0x55555555u, AT, PAST);
    }
    board[thread()] = 1;
}

static void half_a_warp_leaves_a_count()
{
    if (thread() % 32 < 16) {
        sync_some(1, 64, AT);
    }
}

// One block has nothing to do in the last round.
static void block_leaves_before_the_grid()
{
    sync_grid(AT);
    if (sim->here->cta == 1) {
        leave(AT);
    }
    sync_grid(AT);
}

static void block_syncs_the_grid_once_more()
{
    for (uint32_t round = 0; round < (sim->here->cta == 0 ? 3u : 2u); round++) {
        sync_grid(AT);
    }
}

// Of a cluster's blocks one waits for the cluster, the other for the grid, and so each for the other.
static void block_waits_for_the_grid_in_its_cluster()
{
    sync_grid(AT);
    if (sim->here->cta == 0) {
        cluster_arrive(AT);
        cluster_wait(AT);
    }
    sync_grid(AT);
}

// A block that is ended for its mistake never comes.
static void block_faults_before_the_grid()
{
    set_up(BAR, 1, sim->here->cta == 1 ? 0 : 1);
    sync_grid(AT);
}

static void reads_a_peer_that_may_not_be_there()
{
    barlint_rt_peer(sim->here->cta ^ 1u, thread() % 2, AT);
    meet_the_cluster();
}

static void reads_a_peer_last()
{
    meet_the_cluster();
    barlint_rt_peer(sim->here->cta ^ 1u, 0, AT);
}

// All arrive once more, and nobody waits for that.
static void arrives_last()
{
    meet_the_cluster();
    barlint_rt_peer(sim->here->cta ^ 1u, 0, AT);
    cluster_arrive(AT);
}

// The other has left in front of the barrier, which does not wait for it.
static void reads_a_peer_that_has_left()
{
    meet_the_cluster();
    if (sim->here->cta == 1) {
        leave(AT);
    }
    meet_the_cluster();
    barlint_rt_peer(1, 0, AT);
}

#endif
