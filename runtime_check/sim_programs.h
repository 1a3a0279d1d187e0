// The programs of sim_test.cpp that are right, each run by every thread.
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

// The first warp frees what the others fill. Before the first round one of these stands in for it,
// and counts twice.
static void one_warp_begins_the_turn()
{
    uint32_t size = sim->threads, warp = thread() / 32;
    if (warp == 1) {
        bar_named(BARLINT_NAMED_ARRIVE, 1, size, AT);
    }
    for (uint32_t round = 0; round < 3; round++) {
        sync_warp(0xffffffffu, AT);
        bar_named(BARLINT_NAMED_SYNC, warp == 0 ? 2 : 1, size, AT);
        sync_warp(0xffffffffu, AT);
        if (warp != 0 || round < 2) {
            bar_named(BARLINT_NAMED_ARRIVE, warp == 0 ? 1 : 2, size, AT);
        }
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

static void meet_the_cluster(uint32_t flags = 0)
{
    cluster_arrive(AT);
    cluster_wait(AT, flags);
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

#endif
