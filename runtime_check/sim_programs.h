// The programs of sim_test.cpp, each run by every thread.
#ifndef BARLINT_RUNTIME_CHECK_SIM_PROGRAMS_H
#define BARLINT_RUNTIME_CHECK_SIM_PROGRAMS_H

enum expected {
    RIGHT,     // finishes and is silent
    ALWAYS,    // reported whatever the order
    WHEN_SEEN, // reported when the hardware saw it happen; silent in orders that are right
    MAY_HANG,  // reported whatever the order, as a hang in some
    BY_CHANCE, // goes wrong in some orders only, and hangs in some of these: it always ends
    HANGS,     // and always reported as a hang
};

struct program {
    const char *name;
    expected when;
    const char *rules;   // one of them at least, with | between
    const char *besides; // what else may be said
    uint32_t ctas, threads;
    void (*kernel)();
    uint32_t options; // enum barlint_rt_option
};

// ---- right ones ----

// Two stages; a warp copies, the others add up.
static void ring()
{
    const uint32_t full = BAR, empty = BAR + 16, consumers = sim->threads - 32;
    if (thread() == 0) {
        for (uint32_t i = 0; i < 2; i++) {
            bar_init(full + 8 * i, 1, AT);
            bar_init(empty + 8 * i, consumers, AT);
        }
    }
    sync_all(AT);
    for (uint32_t tile = 0; tile < 5; tile++) {
        uint32_t stage = tile % 2 * 8, parity = tile / 2 & 1;
        if (thread() < 32) {
            bar_wait(empty + stage, parity ^ 1, AT);
            if (thread() == 0) {
                bar_arrive_expect(full + stage, 256, AT);
                bulk_copy(full + stage, 256, AT);
            }
            sync_warp(0xffffffffu, AT);
        } else {
            bar_wait(full + stage, parity, AT);
            (void)bar_arrive(empty + stage, AT);
        }
    }
}

// The same by copies whose bytes only the hardware knows, by three warps with consumers that arrive
// one a warp.
static void ring_of_tensors()
{
    uint32_t full = BAR, empty = BAR + 16, warps = sim->threads / 32 - 1;
    if (thread() == 0) {
        for (uint32_t i = 0; i < 2; i++) {
            bar_init(full + 8 * i, 1, AT);
            bar_init(empty + 8 * i, warps, AT);
        }
    }
    sync_all(AT);
    for (uint32_t tile = 0; tile < 9; tile++) {
        uint32_t stage = tile % 2 * 8, parity = tile / 2 & 1;
        if (thread() < 32) {
            bar_wait(empty + stage, parity ^ 1, AT);
            if (thread() == 0) {
                bar_arrive_expect(full + stage, 320, AT);
                tensor_copy(full + stage, 256, AT);
                tensor_copy(full + stage, 64, AT);
            }
            sync_warp(0xffffffffu, AT);
        } else {
            bar_wait(full + stage, parity, AT);
            sync_warp(0xffffffffu, AT);
            if (thread() % 32 == 0) {
                (void)bar_arrive(empty + stage, AT);
            }
        }
    }
}

// Tensors come round after round; `announced` bytes in the third, and `waits` says who looks there.
static void rounds_of_tensors(uint32_t announced, bool waits)
{
    set_up(BAR, 1, 1);
    for (uint32_t round = 0; round < 4; round++) {
        if (thread() == 0) {
            bar_arrive_expect(BAR, round == 2 ? announced : 128, AT);
            tensor_copy(BAR, 128, AT);
        }
        if (round != 2 || waits) {
            bar_wait(BAR, round & 1, AT);
        }
        sync_all(AT);
    }
}

static void tensor_rounds()
{
    rounds_of_tensors(128, true);
}

static void tensor_bytes_missing()
{
    rounds_of_tensors(192, true);
}

static void tensor_round_unseen()
{
    rounds_of_tensors(128, false);
}

static void split_arrive_wait()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 1; round <= 4; round++) {
        board[thread()] = round;
        uint64_t token = bar_arrive(BAR, AT);
        sim_point();
        bar_wait_token(BAR, token, AT);
        check_board(0, sim->threads, round);
        sync_all(AT);
    }
}

static void parity_rounds()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 5; round++) {
        board[thread()]++;
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
        if (board[(thread() + 1) % sim->threads] < round + 1) {
            sim_broke("data");
        }
    }
}

static void drop_and_leave()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 4; round++) {
        if (thread() >= sim->threads - 8 * round) {
            bar_drop(BAR, AT);
            leave(AT);
        }
        uint64_t token = bar_arrive(BAR, AT);
        bar_wait_token(BAR, token, AT);
    }
}

static void uncounted_warp_leaves()
{
    set_up(BAR, 1, 32);
    if (thread() >= 32) {
        leave(AT);
    }
    for (uint32_t round = 0; round < 3; round++) {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
}

// Two warps hand over to two others through a pair of named barriers.
static void named_pair()
{
    for (uint32_t round = 1; round <= 4; round++) {
        if (thread() < 32) {
            if (round > 1) {
                bar_named(BARLINT_NAMED_SYNC, 2, 64, AT); // the place is free
            }
            board[thread()] = round;
            bar_named(BARLINT_NAMED_ARRIVE, 1, 64, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 1, 64, AT);
            check_board(0, 32, round);
            if (round < 4) {
                bar_named(BARLINT_NAMED_ARRIVE, 2, 64, AT);
            }
        }
    }
}

// Each warp has a barrier of its own; its first lane initialises it, and __syncwarp(), to which the
// others come earlier, is all that comes between.
static void barrier_of_a_warp()
{
    uint32_t own = BAR + thread() / 32 * 8;
    if (thread() % 32 == 0) {
        bar_init(own, 32, AT);
    }
    sync_warp(0xffffffffu, AT);
    for (uint32_t round = 0; round < 3; round++) {
        (void)bar_arrive(own, AT);
        bar_wait(own, round & 1, AT);
    }
}

static void block_rounds()
{
    for (uint32_t round = 1; round <= 4; round++) {
        board[thread()] = round;
        sync_all(AT);
        check_board(0, sim->threads, round);
        sync_all(AT);
    }
}

static void warps_in_pairs()
{
    uint32_t pair = thread() / 64;
    for (uint32_t round = 1; round <= 4; round++) {
        board[thread()] = round;
        sync_some(1 + pair, 64, AT);
        check_board(pair * 64, pair * 64 + 64, round);
        sync_some(1 + pair, 64, AT);
    }
}

static void expect_then_arrive()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        if (thread() == 0) {
            bar_expect(BAR, 128, AT);
            bulk_copy(BAR, 64, AT);
            bulk_copy(BAR, 64, AT);
        }
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
}

// Every fourth thread announces what it copies itself, in every other phase: which one ends by
// copies is brought up to date by whoever sees it first, while others go on.
static void copies_in_every_other_phase()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 4; round++) {
        if (round % 2 == 0 && thread() % 4 == 0) {
            bar_expect(BAR, 16, AT);
            bulk_copy(BAR, 16, AT);
        }
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
}

static void copies_of_every_thread()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        async_arrive(BAR, true, AT);
        bar_wait(BAR, round & 1, AT);
    }
}

// Copies of some threads, which count by themselves; the place is used again in the end.
static void copies_besides_arrivals()
{
    for (uint32_t life = 0; life < 2; life++) {
        set_up(BAR, 1, sim->threads);
        for (uint32_t round = 0; round < 4; round++) {
            if (thread() % 4 == 0) {
                async_arrive(BAR, false, AT);
            }
            (void)bar_arrive(BAR, AT);
            bar_wait(BAR, round & 1, AT);
        }
        sync_all(AT);
        if (thread() == 0) {
            bar_inval(BAR, AT);
        }
        sync_all(AT);
    }
}

// A stage takes bytes that one thread announces and copies of every producer.
static void ring_of_bytes_and_copies()
{
    const uint32_t full = BAR, empty = BAR + 16, half = sim->threads / 2;
    if (thread() == 0) {
        for (uint32_t i = 0; i < 2; i++) {
            bar_init(full + 8 * i, half, AT);
            bar_init(empty + 8 * i, half, AT);
        }
    }
    sync_all(AT);
    for (uint32_t tile = 0; tile < 8; tile++) {
        uint32_t stage = tile % 2 * 8, parity = tile / 2 & 1;
        if (thread() < half) {
            bar_wait(full + stage, parity, AT);
            (void)bar_arrive(empty + stage, AT);
        } else {
            bar_wait(empty + stage, parity ^ 1, AT);
            if (thread() == half) {
                bar_expect(full + stage, 256, AT);
                bulk_copy(full + stage, 256, AT);
            }
            async_arrive(full + stage, true, AT);
        }
    }
}

static void copies_counted_in_pending()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        async_arrive(BAR, false, AT);
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
}

static void second_life()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    sync_all(AT);
    if (thread() == 0) {
        bar_inval(BAR, AT);
        bar_init(BAR, 2, AT);
    }
    sync_all(AT);
    if (thread() % 32 == 0 && thread() < 64) {
        (void)bar_arrive(BAR, AT);
    }
    bar_wait(BAR, 0, AT);
}

static void one_arrives_for_all()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        sync_all(AT);
        if (thread() == 33) {
            (void)bar_arrive_with(BAR, sim->threads, 0, 0, AT);
        }
        bar_wait(BAR, round & 1, AT);
    }
}

static void lane_for_its_warp()
{
    set_up(BAR, 1, sim_warps());
    for (uint32_t round = 0; round < 4; round++) {
        sync_warp(0xffffffffu, AT);
        if (thread() % 32 == 0) {
            (void)bar_arrive(BAR, AT);
        }
        bar_wait(BAR, round & 1, AT);
    }
}

static void lanes_apart()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        if (thread() % 3 == round) {
            (void)bar_arrive(BAR, AT);
        } else {
            sim_point();
            (void)bar_arrive(BAR, AT);
        }
        bar_wait(BAR, round & 1, AT);
        sync_warp(0xffffffffu, AT);
    }
}

// Initialised late, and made known through a phase of another.
static void published_by_a_phase()
{
    set_up(BAR, 1, sim->threads);
    if (thread() == 0) {
        bar_init(OTHER, sim->threads, AT);
    }
    uint64_t token = bar_arrive(BAR, AT);
    bar_wait_token(BAR, token, AT);
    for (uint32_t round = 0; round < 2; round++) {
        token = bar_arrive(OTHER, AT);
        bar_wait_token(OTHER, token, AT);
    }
}

static void half_warps()
{
    uint32_t upper = thread() % 32 / 16, mask = upper ? 0xffff0000u : 0x0000ffffu;
    for (uint32_t round = 1; round <= 3; round++) {
        board[thread()] = round;
        sync_warp(mask, AT);
        check_board(thread() / 16 * 16, thread() / 16 * 16 + 16, round);
        sync_warp(mask, AT);
    }
    sync_warp(0xffffffffu, AT);
    sync_all(AT);
}

// One instruction, several objects.
static void lanes_on_several_objects()
{
    set_up(BAR, 4, sim->threads / 4);
    for (uint32_t round = 0; round < 4; round++) {
        uint32_t own = BAR + thread() % 4 * 8;
        uint64_t token = bar_arrive(own, AT);
        bar_wait_token(own, token, AT);
    }
}

static void branch_around_a_barrier()
{
    set_up(BAR, 1, 16);
    if (thread() < 16) {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, 0, AT);
    }
    sync_all(AT);
}

static void many_barriers()
{
    set_up(BAR, 40, sim->threads);
    for (uint32_t i = 0; i < 40; i++) {
        (void)bar_arrive(BAR + 8 * i, AT);
        if (i >= 3) {
            bar_wait(BAR + 8 * (i - 3), 0, AT);
        }
    }
}

// Several mbarriers in turn, by whole warps, for several phases each, and one of them gets a second
// life.
static void barriers_in_turn()
{
    const uint32_t count = 6;
    set_up(BAR, count, sim->threads);
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < count; i++) {
            uint64_t token = bar_arrive(BAR + 8 * i, AT);
            if (i % 2 == 0) {
                bar_wait_token(BAR + 8 * i, token, AT);
            } else {
                bar_wait(BAR + 8 * i, round & 1, AT);
            }
        }
    }
    sync_all(AT);
    if (thread() == 40) {
        bar_inval(BAR + 8, AT);
        bar_init(BAR + 8, sim->threads, AT);
    }
    sync_all(AT);
    for (uint32_t round = 0; round < 3; round++) {
        (void)bar_arrive(BAR + 8, AT);
        bar_wait(BAR + 8, round & 1, AT);
    }
}

static void polls_now_and_then()
{
    set_up(BAR, 1, sim->threads);
    for (uint32_t round = 0; round < 3; round++) {
        (void)bar_arrive(BAR, AT);
        while (!bar_test(BARLINT_RT_TEST_PARITY, BAR, round & 1, AT)) {
            sync_warp(1u << thread() % 32, AT);
            sim_leave(SIM_ASLEEP);
        }
    }
}

static void cluster_rounds()
{
    uint32_t own = sim->here->cta * sim->threads + thread();
    for (uint32_t round = 1; round <= 3; round++) {
        board[own] = round;
        cluster_arrive(AT);
        sim_point();
        cluster_wait(AT);
        check_board(0, sim->ctas * sim->threads, round);
        sync_all(AT);
        cluster_arrive(AT);
        cluster_wait(AT);
    }
}

// Steps that the seed chooses, the same for all threads, over barriers that all of them share.
static void mixture()
{
    const uint32_t by_all = BAR, by_warps = BAR + 8, by_copies = BAR + 16, by_one = BAR + 24;
    uint32_t rounds[4] = {0, 0, 0, 0}, lane = thread() % 32, warp = thread() / 32;
    uint64_t choice = sim->seed * 0x9e3779b97f4a7c15ull;
    if (thread() == 0) {
        bar_init(by_all, sim->threads, AT);
        bar_init(by_warps, sim_warps(), AT);
        bar_init(by_copies, 1, AT);
        bar_init(by_one, sim->threads, AT);
    }
    sync_all(AT);
    for (uint32_t step = 1; step <= 8; step++, choice = choice >> 4 | choice << 60) {
        board[thread()] = step;
        switch (choice % 9) {
        case 0:
            sync_all(AT);
            break;
        case 1:
            (void)bar_arrive(by_all, AT);
            bar_wait(by_all, rounds[0]++ & 1, AT);
            break;
        case 2: {
            uint64_t token = bar_arrive(by_all, AT);
            rounds[0]++;
            sync_warp(1u << lane, AT);
            bar_wait_token(by_all, token, AT);
            break;
        }
        case 3:
            sync_warp(0xffffffffu, AT);
            if (lane == 0) {
                (void)bar_arrive(by_warps, AT);
            }
            bar_wait(by_warps, rounds[1]++ & 1, AT);
            break;
        case 4:
            sync_all(AT); // the copy's round before is over
            if (thread() == 7) {
                bar_arrive_expect(by_copies, 64, AT);
                bulk_copy(by_copies, 64, AT);
            }
            bar_wait(by_copies, rounds[2]++ & 1, AT);
            break;
        case 5:
            sync_some(3, sim->threads, AT);
            break;
        case 6:
            if (warp == 0) {
                bar_named(BARLINT_NAMED_SYNC, 4, sim->threads, AT);
                bar_named(BARLINT_NAMED_ARRIVE, 5, sim->threads, AT);
            } else {
                bar_named(BARLINT_NAMED_ARRIVE, 4, sim->threads, AT);
                bar_named(BARLINT_NAMED_SYNC, 5, sim->threads, AT);
            }
            sync_all(AT);
            break;
        case 7:
            sync_all(AT);
            if (thread() == step) {
                (void)bar_arrive_with(by_one, sim->threads, 0, 0, AT);
            }
            bar_wait(by_one, rounds[3]++ & 1, AT);
            break;
        case 8:
            sync_warp(lane < 16 ? 0x0000ffffu : 0xffff0000u, AT);
            async_arrive(by_all, true, AT);
            bar_wait(by_all, rounds[0]++ & 1, AT);
            break;
        }
        if (choice % 9 != 4 && choice % 9 != 7 && board[(thread() + 1) % sim->threads] < step) {
            sim_broke("data");
        }
    }
}

// Roles in turn: each warp's barrier is served by the one before it, and the last warp begins. What
// it arrives at in the last round is left over.
static void turns_in_a_ring()
{
    uint32_t warps = sim->threads / 32, warp = thread() / 32;
    uint32_t mine = 1 + warp, next = 1 + (warp + 1) % warps;
    if (warp == warps - 1) {
        bar_named(BARLINT_NAMED_ARRIVE, 1, 64, AT);
    }
    for (uint32_t round = 0; round < 4; round++) {
        bar_named(BARLINT_NAMED_SYNC, mine, 64, AT);
        bar_named(BARLINT_NAMED_ARRIVE, next, 64, AT);
    }
}

// A buffer that is given back once more than anybody waits for it.
static void buffer_given_back()
{
    for (uint32_t tile = 0; tile < 4; tile++) {
        if (thread() < 32) {
            if (tile > 0) {
                bar_named(BARLINT_NAMED_SYNC, 2, 64, AT);
            }
            bar_named(BARLINT_NAMED_ARRIVE, 1, 64, AT);
        } else {
            bar_named(BARLINT_NAMED_SYNC, 1, 64, AT);
            bar_named(BARLINT_NAMED_ARRIVE, 2, 64, AT);
        }
    }
}

// All warps but one arrive, and the last of them waits for all, itself counted again.
static void last_warp_counted_twice()
{
    uint32_t workers = sim->threads - 32;
    if (thread() >= workers) {
        leave(AT);
    }
    for (uint32_t round = 0; round < 3; round++) {
        bar_named(BARLINT_NAMED_ARRIVE, 3, workers + 32, AT);
        sync_warp(0xffffffffu, AT); // lanes here are on their own, and the operations are aligned
        if (thread() >= workers - 32) {
            bar_named(BARLINT_NAMED_SYNC, 3, workers + 32, AT);
        }
        sync_some(4, workers, AT);
    }
}

// Two halves take turns: the first one gives itself the first turn, and its warps count twice in
// it.
static void first_turn_to_oneself()
{
    uint32_t size = sim->threads, half = thread() / (size / 2);
    if (half == 0) {
        bar_named(BARLINT_NAMED_ARRIVE, 1, size, AT);
    }
    for (uint32_t round = 0; round < 3; round++) {
        sync_warp(0xffffffffu, AT);
        bar_named(BARLINT_NAMED_SYNC, 1 + half, size, AT);
        sync_some(4 + half, size / 2, AT);
        bar_named(BARLINT_NAMED_ARRIVE, 2 - half, size, AT);
    }
}

// All threads leave by way of arrive_and_drop(), each when it is done: here all at once.
static void all_drop()
{
    set_up(BAR, 1, sim->threads);
    (void)bar_arrive(BAR, AT);
    bar_wait(BAR, 0, AT);
    bar_drop(BAR, AT);
}

static void block_of_a_cluster_leaves()
{
    if (sim->here->cta == 1 && thread() >= 32) {
        leave(AT);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

static void grid_rounds()
{
    uint32_t own = sim->here->cta * sim->threads + thread();
    for (uint32_t round = 1; round <= 4; round++) {
        board[own] = round;
        sync_grid(AT);
        check_board(0, sim->ctas * sim->threads, round);
        sync_grid(AT);
    }
}

// One lane has to do with the other warp for longer than the rest of its warp waits for a lane that
// stands still.
static void lane_that_is_busy_for_long()
{
    set_up(BAR, 1, 2);
    for (uint32_t round = 0; round < 2000 && thread() % 32 == 0; round++) {
        (void)bar_arrive(BAR, AT);
        bar_wait(BAR, round & 1, AT);
    }
    sync_all(AT);
}

static void meet_the_cluster()
{
    cluster_arrive(AT);
    cluster_wait(AT);
}

// Each block reads the other's memory, which stays until both have.
static void reads_its_peer()
{
    uint32_t peer = sim->here->cta ^ 1u;
    for (uint32_t round = 0; round < 3; round++) {
        meet_the_cluster();
        if (thread() % 32 != 5) {
            barlint_rt_peer(peer, 0, AT);
            sim_point();
        }
    }
    meet_the_cluster();
}

// The reader says that it has read by a store, an arrival or a copy: here to all.
static void reads_its_peer_and_tells()
{
    meet_the_cluster();
    if (sim->here->cta == 0) {
        barlint_rt_peer(1, 0, AT);
        sync_all(AT);
        if (thread() == 0) {
            barlint_rt_peer(BARLINT_RT_ALL_PEERS, 1, AT);
            board[0] = 1;
            sim_progress();
        }
    }
    while (sim->here->cta == 1 && *(volatile uint32_t *)board == 0) {
        sim_leave(SIM_ASLEEP);
    }
}

// A block may do other things between its arrival and its wait, and one that arrived last end at once.
static void grid_halves()
{
    uint32_t arrival = thread() == 0 ? grid_arrive(AT) : 0;
    sync_all(AT);
    if (sim->here->cta != 1 && thread() == 0) {
        grid_wait(arrival, AT);
    }
}

// Those that stay are whole warps without those that leave.
static void lanes_leave_the_cluster()
{
    if (thread() % 32 < 7) {
        leave(AT);
    }
    cluster_arrive(AT);
    cluster_wait(AT);
}

#include "sim_wrong_programs.h"

static const program programs[] = {
    {"ring", RIGHT, "", "", 1, 96, ring},
    {"ring_of_tensors", RIGHT, "", "", 1, 96, ring_of_tensors},
    {"tensor_rounds", RIGHT, "", "", 1, 64, tensor_rounds},
    {"split_arrive_wait", RIGHT, "", "", 1, 64, split_arrive_wait},
    {"split_arrive_wait_partial_warp", RIGHT, "", "", 1, 80, split_arrive_wait},
    {"parity_rounds", RIGHT, "", "", 1, 96, parity_rounds},
    {"drop_and_leave", RIGHT, "", "", 1, 64, drop_and_leave},
    {"uncounted_warp_leaves", RIGHT, "", "", 1, 64, uncounted_warp_leaves},
    {"named_pair", RIGHT, "", "", 1, 64, named_pair},
    {"barrier_of_a_warp", RIGHT, "", "", 1, 96, barrier_of_a_warp},
    {"block_rounds", RIGHT, "", "", 1, 96, block_rounds},
    {"block_rounds_partial_warp", RIGHT, "", "", 1, 70, block_rounds},
    {"warps_in_pairs", RIGHT, "", "", 1, 128, warps_in_pairs},
    {"expect_then_arrive", RIGHT, "", "", 1, 64, expect_then_arrive},
    {"copies_besides_arrivals", RIGHT, "", "", 1, 64, copies_besides_arrivals},
    {"copies_in_every_other_phase", RIGHT, "", "", 1, 64, copies_in_every_other_phase},
    {"copies_of_every_thread", RIGHT, "", "", 1, 64, copies_of_every_thread},
    {"ring_of_bytes_and_copies", RIGHT, "", "", 1, 128, ring_of_bytes_and_copies},
    {"copies_counted_in_pending", RIGHT, "", "", 1, 64, copies_counted_in_pending},
    {"second_life", RIGHT, "", "", 1, 64, second_life},
    {"one_arrives_for_all", RIGHT, "", "", 1, 64, one_arrives_for_all},
    {"lane_for_its_warp", RIGHT, "", "", 1, 96, lane_for_its_warp},
    {"lanes_apart", RIGHT, "", "", 1, 64, lanes_apart},
    {"published_by_a_phase", RIGHT, "", "", 1, 128, published_by_a_phase},
    {"half_warps", RIGHT, "", "", 1, 64, half_warps},
    {"lanes_on_several_objects", RIGHT, "", "", 1, 64, lanes_on_several_objects},
    {"branch_around_a_barrier", RIGHT, "", "", 1, 64, branch_around_a_barrier},
    {"many_barriers", RIGHT, "", "", 1, 64, many_barriers},
    {"barriers_in_turn", RIGHT, "", "", 1, 64, barriers_in_turn},
    {"polls_now_and_then", RIGHT, "", "", 1, 64, polls_now_and_then},
    {"mixture", RIGHT, "", "", 1, 96, mixture},
    {"cluster_rounds", RIGHT, "", "", 2, 64, cluster_rounds},
    {"block_of_a_cluster_leaves", RIGHT, "", "", 2, 64, block_of_a_cluster_leaves},
    {"lanes_leave_the_cluster", RIGHT, "", "", 2, 64, lanes_leave_the_cluster},
    {"lane_that_is_busy_for_long", RIGHT, "", "", 1, 64, lane_that_is_busy_for_long},
    {"reads_its_peer", RIGHT, "", "", 2, 64, reads_its_peer},
    {"reads_its_peer_and_tells", RIGHT, "", "", 2, 64, reads_its_peer_and_tells},
    {"grid_rounds", RIGHT, "", "", 3, 64, grid_rounds},
    {"grid_halves", RIGHT, "", "", 3, 64, grid_halves},
    {"block_of_a_cluster_leaves_told", ALWAYS, "cluster-divergent", "", 2, 64,
     block_of_a_cluster_leaves, BARLINT_RT_PEDANTIC},
    {"cluster_rounds_told", RIGHT, "", "", 2, 64, cluster_rounds, BARLINT_RT_PEDANTIC},

    {"turns_in_a_ring", RIGHT, "", "", 1, 96, turns_in_a_ring},
    {"buffer_given_back", RIGHT, "", "", 1, 64, buffer_given_back},
    {"last_warp_counted_twice", RIGHT, "", "", 1, 160, last_warp_counted_twice},
    {"first_turn_to_oneself", RIGHT, "", "", 1, 128, first_turn_to_oneself},
    {"all_drop", RIGHT, "", "", 1, 64, all_drop},
    {"all_drop_told", ALWAYS, "exit-drop-to-zero", "", 1, 64, all_drop, BARLINT_RT_PEDANTIC},

    {"half_a_warp_leaves_a_mask", RIGHT, "", "", 1, 64, half_a_warp_leaves_a_mask},
    {"half_a_warp_leaves_a_mask_told", ALWAYS, "warp-mask-agree", "", 1, 64,
     half_a_warp_leaves_a_mask, BARLINT_RT_PEDANTIC},
    {"half_a_warp_leaves_a_count", RIGHT, "", "", 1, 64, half_a_warp_leaves_a_count},
    {"half_a_warp_leaves_a_count_told", ALWAYS, "named-divergent", "", 1, 64,
     half_a_warp_leaves_a_count, BARLINT_RT_PEDANTIC},

    {"never_initialised", ALWAYS, "init-missing", "", 1, 64, never_initialised},
    {"only_waited_for", ALWAYS, "init-missing", "", 1, 64, only_waited_for},
    {"not_made_known", ALWAYS, "init-missing|init-no-sync", "", 1, 64, not_made_known},
    {"made_by_all", ALWAYS, "init-by-many|init-reinit-live", "init-no-sync", 1, 64, made_by_all},
    {"count_of_nothing", ALWAYS, "init-count-range", "", 1, 64, count_of_nothing},
    {"made_anew_too_soon", ALWAYS, "init-reinit-live", "", 1, 64, made_anew_too_soon},
    {"used_after_its_end", ALWAYS, "init-use-after-inval", "", 1, 64, used_after_its_end},
    {"old_token", ALWAYS, "phase-stale-token", "", 1, 64, old_token},
    {"token_of_another", ALWAYS, "phase-foreign-token", "", 1, 64, token_of_another},
    {"no_token_at_all", ALWAYS, "phase-token-invalid", "phase-trywait-ignored", 1, 64,
     no_token_at_all},
    {"nobody_looks", ALWAYS, "phase-unobserved", "arrive-over", 1, 96, nobody_looks},
    {"first_parity_wrong", HANGS, "phase-parity-initial|phase-parity-flip", "", 1, 64,
     first_parity_wrong},
    {"parity_not_flipped", HANGS, "phase-parity-flip", "", 1, 64, parity_not_flipped},
    {"parity_of_two", ALWAYS, "phase-parity-range", "", 1, 64, parity_of_two},
    {"answer_ignored", WHEN_SEEN, "phase-trywait-ignored", "phase-unobserved", 1, 64,
     answer_ignored},
    {"more_than_expected", ALWAYS, "arrive-over", "", 1, 64, more_than_expected},
    {"dropped_and_back", MAY_HANG, "exit-drop-then-use", "phase-unobserved|arrive-over", 1, 64,
     dropped_and_back},
    {"one_too_many_expected", HANGS, "init-count-mismatch", "", 1, 64, one_too_many_expected},
    {"half_arrive", HANGS, "arrive-divergent|init-count-mismatch", "sync-divergent", 1, 64,
     half_arrive},
    {"threads_and_warps", HANGS, "arrive-granularity", "", 1, 64, threads_and_warps},
    {"leaves_without_a_drop", HANGS, "exit-missing-drop", "", 1, 64, leaves_without_a_drop},
    {"warp_leaves_after_rounds", HANGS, "exit-missing-drop", "", 1, 96, warp_leaves_after_rounds},
    {"rounds_that_nobody_sees", ALWAYS, "phase-unobserved", "arrive-over", 1, 96,
     rounds_that_nobody_sees},
    {"one_round_less", HANGS, "arrive-divergent|arrive-loop-mismatch", "sync-divergent", 1, 64,
     one_round_less},
    {"waits_before_it_arrives", HANGS, "phase-self-deadlock", "", 1, 64, waits_before_it_arrives},
    {"more_bytes_announced", HANGS, "tx-bytes", "", 1, 64, more_bytes_announced},
    {"tensor_bytes_missing", HANGS, "tx-bytes", "", 1, 64, tensor_bytes_missing},
    {"tensor_round_unseen", WHEN_SEEN, "phase-unobserved", "", 1, 64, tensor_round_unseen},
    {"bytes_not_announced", MAY_HANG, "tx-no-expect|tx-bytes", "", 1, 64, bytes_not_announced},
    {"copy_under_way_at_the_end", ALWAYS, "exit-inflight", "", 1, 64, copy_under_way_at_the_end},
    {"copy_after_the_phase", ALWAYS, "tx-no-expect", "", 1, 64, copy_after_the_phase},
    {"one_copy_of_two_announced", ALWAYS, "tx-bytes|tx-no-expect", "exit-inflight|tx-late-expect",
     1, 64, one_copy_of_two_announced},
    {"arrives_before_it_expects", ALWAYS, "tx-late-expect", "exit-inflight", 1, 64,
     arrives_before_it_expects},
    {"nobody_waits_for_the_copy", ALWAYS, "exit-inflight", "", 1, 64, nobody_waits_for_the_copy},
    {"nobody_waits_for_the_tensor", ALWAYS, "exit-inflight", "", 1, 64,
     nobody_waits_for_the_tensor},
    {"waits_for_the_phase_before", WHEN_SEEN, "phase-parity-initial", "exit-before-sync", 1, 64,
     waits_for_the_phase_before},
    {"ended_under_waiters", WHEN_SEEN, "init-use-after-inval", "phase-trywait-ignored", 1, 64,
     ended_under_waiters},
    {"copies_not_in_the_count", MAY_HANG, "tx-noinc|phase-unobserved|arrive-over|exit-inflight",
     "phase-parity-lag", 1, 64, copies_not_in_the_count},
    {"number_17", ALWAYS, "named-id-range", "", 1, 64, number_17},
    {"count_of_48", ALWAYS, "named-count-multiple", "", 1, 64, count_of_48},
    {"two_counts", ALWAYS, "named-count-mismatch", "", 1, 96, two_counts},
    {"above_the_block", ALWAYS, "named-count-block", "named-participants", 1, 64, above_the_block},
    {"a_warp_is_missing", HANGS, "named-participants|named-order-cycle", "sync-divergent", 1, 64,
     a_warp_is_missing},
    {"a_warp_has_gone", HANGS, "named-exit|named-participants", "named-exit|named-participants", 1,
     64, a_warp_has_gone},
    {"one_warp_of_four_has_gone", HANGS, "named-exit|named-participants",
     "named-exit|named-participants", 1, 128, one_warp_of_four_has_gone},
    {"one_role_forgets", HANGS, "named-exit|named-participants", "named-exit|named-participants", 1,
     96, one_role_forgets},
    {"reduction_and_barrier", ALWAYS, "named-red-mix", "", 1, 64, reduction_and_barrier},
    {"crossed", HANGS, "named-order-cycle", "", 1, 64, crossed},
    {"overtakes_the_readers", BY_CHANCE, "named-double-arrive|named-exit|named-participants",
     "named-order-cycle|named-divergent", 1, 128, overtakes_the_readers},
    {"id_of_the_other_pair", BY_CHANCE, "named-participants|named-id-conflict|named-exit",
     "named-divergent|named-order-cycle", 1, 128, id_of_the_other_pair},
    {"arrives_and_waits", MAY_HANG, "named-double-arrive|named-participants", "named-exit", 1, 96,
     arrives_and_waits},
    {"arrives_twice", ALWAYS, "named-double-arrive", "named-participants|named-exit", 1, 96,
     arrives_twice},
    {"arrivals_left_over", ALWAYS, "named-participants", "named-exit", 1, 64, arrivals_left_over,
     BARLINT_RT_PEDANTIC},
    {"half_a_warp_syncs", HANGS, "sync-divergent|named-divergent",
     "init-count-mismatch|arrive-divergent", 1, 64, half_a_warp_syncs},
    {"two_places", ALWAYS, "sync-two-sites", "", 1, 64, two_places},
    {"two_places_in_a_warp", MAY_HANG, "sync-two-sites|sync-divergent", "named-divergent", 1, 64,
     two_places_in_a_warp},
    {"some_have_left", ALWAYS, "exit-before-sync", "", 1, 64, some_have_left},
    {"a_whole_warp_has_left", ALWAYS, "exit-before-sync", "", 1, 64, a_whole_warp_has_left},
    {"not_in_its_mask", ALWAYS, "warp-mask-self", "", 1, 64, not_in_its_mask},
    {"half_a_warp_meets", HANGS, "warp-mask-agree", "sync-divergent|named-divergent", 1, 64,
     half_a_warp_meets},
    {"arrives_at_the_cluster_twice", MAY_HANG, "cluster-pairing", "cluster-divergent", 2, 64,
     arrives_at_the_cluster_twice},
    {"waits_for_the_cluster_alone", ALWAYS, "cluster-pairing", "", 2, 64,
     waits_for_the_cluster_alone},
    // The form that a source can call is not the aligned one.
#if !BARLINT_RT_ENDS_UNSEEN
    {"a_lane_comes_to_the_cluster_alone", ALWAYS, "cluster-divergent", "sync-divergent", 2, 64,
     a_lane_comes_to_the_cluster_alone},
#endif
    {"parts_of_a_warp_wait_for_the_cluster", BARLINT_RT_ENDS_UNSEEN ? RIGHT : MAY_HANG,
     "cluster-divergent", "", 2, 64, parts_of_a_warp_wait_for_the_cluster},
    {"a_lane_waits_elsewhere_for_the_cluster", HANGS, "init-count-mismatch", "cluster-divergent", 2,
     64, a_lane_waits_elsewhere_for_the_cluster},
    {"block_of_the_cluster_is_missing", HANGS, "cluster-divergent|init-count-mismatch", "", 2, 64,
     block_of_the_cluster_is_missing},
    {"block_of_the_cluster_hangs_first", HANGS, "cluster-divergent|init-count-mismatch", "", 2, 64,
     block_of_the_cluster_hangs_first},
    {"reads_a_peer_that_may_not_be_there", ALWAYS, "cluster-dsmem-start", "", 2, 64,
     reads_a_peer_that_may_not_be_there},
    {"reads_a_peer_last", ALWAYS, "cluster-exit", "", 2, 64, reads_a_peer_last},
    {"reads_a_peer_that_has_left", ALWAYS, "cluster-exit", "", 2, 64, reads_a_peer_that_has_left},
    {"block_leaves_before_the_grid", HANGS, "grid-skip", "", 3, 64, block_leaves_before_the_grid},
    {"block_syncs_the_grid_once_more", HANGS, "grid-skip", "", 2, 64,
     block_syncs_the_grid_once_more},
    {"block_faults_before_the_grid", ALWAYS, "init-count-range", "", 2, 64,
     block_faults_before_the_grid},
    {"masks_that_cross", MAY_HANG, "warp-mask-agree", "", 1, 64, masks_that_cross},
};

#endif
