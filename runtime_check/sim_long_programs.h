// The programs of sim_test.cpp that are right, and in which some have to wait for others so long that a
// hang might be believed.
#ifndef BARLINT_RUNTIME_CHECK_SIM_LONG_PROGRAMS_H
#define BARLINT_RUNTIME_CHECK_SIM_LONG_PROGRAMS_H

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

// Two rings whose places go on from tile to tile. One lane feeds them; between the two its warp, the rest
// of which has been there for long, meets those who take.
static void ring_place_goes_on()
{
    const uint32_t fresh = BAR, old = BAR + 32, rows[] = {40, 0, 70};
    const bool feeds = thread() == 0, takes = thread() >= 32;
    if (thread() == 0) {
        for (uint32_t i = 0; i < 2; i++) {
            for (uint32_t ring = fresh; ring <= old; ring += 32) {
                bar_init(ring + 8 * i, 1, AT);
                bar_init(ring + 16 + 8 * i, sim->threads - 32, AT);
            }
        }
    }
    sync_all(AT);
    uint32_t done[2] = {0, 0};
    for (uint32_t part = 0; part < 6; part++) {
        uint32_t ring = part % 2 == 0 ? fresh : old;
        for (uint32_t row = 0; row < rows[part / 2]; row++) {
            uint32_t stage = done[part % 2] % 2 * 8, parity = done[part % 2] / 2 & 1;
            done[part % 2]++;
            if (feeds) {
                bar_wait(ring + 16 + stage, parity ^ 1, AT);
                bar_arrive_expect(ring + stage, 256, AT);
                bulk_copy(ring + stage, 256, AT);
            } else if (takes) {
                bar_wait(ring + stage, parity, AT);
                (void)bar_arrive(ring + 16 + stage, AT);
            }
        }
        if (part % 2 == 0 && rows[part / 2] != 0) {
            sync_some(1, sim->threads, AT);
        }
    }
}

// This thread is busy.
static void takes_its_time(bool busy, uint64_t steps)
{
    for (uint64_t until = sim->clock + steps; busy && sim->clock < until;) {
        sim_leave(SIM_ASLEEP);
        sim_progress();
    }
}

// All wait for one lane, which takes its time: long enough that they ask whether anything still moves.
static void one_takes_its_time()
{
    set_up(BAR, 1, 1);
    for (uint32_t round = 0; round < 4; round++) {
        takes_its_time(thread() == 0, 2500);
        if (thread() == 0) {
            (void)bar_arrive(BAR, AT);
        }
        bar_wait(BAR, round & 1, AT);
        sync_all(AT);
    }
}

// One thread is busy for longer than a hang of its cluster takes to be seen, and all others wait for it.
static void lane_of_a_cluster_is_busy()
{
    takes_its_time(sim->here->cta == 0 && thread() == 0, 70000);
    cluster_arrive(AT);
    cluster_wait(AT);
}

// The blocks of a cluster come to the grid's barrier at times far apart, and meet between.
static void grid_by_clusters()
{
    for (uint32_t round = 0; round < 3; round++) {
        takes_its_time(sim->here->cta == round % 2 && thread() == 0, 70000);
        uint32_t arrival = thread() == 0 ? grid_arrive(AT) : 0;
        cluster_arrive(AT);
        cluster_wait(AT);
        if (thread() == 0) {
            grid_wait(arrival, AT);
        }
        sync_all(AT);
    }
}

#endif
