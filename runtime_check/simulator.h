// A GPU on the CPU, small and adversarial, for the device library as it is written: every lane is a
// coroutine, and a seeded scheduler decides at every atomic operation who goes on. Lanes of a warp
// execute together by chance, as the active mask allows. Beside it stands the hardware as the
// documents have it, in the plainest form: what a program does without the library is decided there,
// and so is what the library is to say of it.
//
// To be included in one C++ file.
#ifndef BARLINT_RUNTIME_CHECK_SIMULATOR_H
#define BARLINT_RUNTIME_CHECK_SIMULATOR_H

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <ucontext.h>

struct sim_dim3 {
    uint32_t x, y, z;
};

// ---- lanes ----

enum sim_state {
    SIM_READY,
    SIM_ASLEEP,  // in a loop that waits: may go on, and is not what others of the warp wait for
    SIM_PARKED,  // asks who is there
    SIM_MEETING, // in a collective
    SIM_DONE,
};

struct sim_lane {
    ucontext_t first;
    jmp_buf at;
    bool begun;
    char *stack;
    sim_state state;
    uint32_t cta, number; // the thread in its block
    sim_dim3 index;
    uint64_t call;        // the operation of the program that it executes
    uint32_t line;        // the same, as its line
    bool in_hardware;     // waits at a named barrier
    bool cluster_in;      // arrived at the cluster's barrier and did not wait yet
    uint32_t cluster_phase;
    uint64_t key;         // of a park or a collective: lanes with the same one may meet
    uint32_t place;       // of the collective: its line in the library
    uint32_t mask;        // of the collective, or what the park found
    uint64_t value[32];   // what each lane brought to the collective
    std::function<void(uint64_t *)> once; // to be done to these once all are there
    uint64_t parked;      // since when
    bool exited;          // left the kernel, as the hardware sees it
};

// One mbarrier as the documents have it.
struct sim_mbarrier {
    bool valid, dead, seen;
    uint32_t expected, pending, phase;
    int64_t tx;
    bool by_itself; // arrivals landed by themselves: which phase they were for, nobody can tell
};

struct sim_flight { // something that will happen to an mbarrier by itself
    uint32_t cta, address, arrivals;
    int64_t bytes;
};

struct sim_named { // one named barrier
    uint32_t generation, count, arrivals, warps;
    bool open;
    std::map<uint32_t, uint32_t> lanes; // warp -> lanes that came and are not counted yet
};


struct sim_cta {
    std::map<uint32_t, sim_mbarrier> mbarrier;
    sim_named named[16];
    std::map<uint64_t, uint32_t> meeting; // warp and mask -> lanes that wait for each other
};

struct sim_machine {
    uint64_t seed, state; // of the generator
    uint64_t launch;      // its number
    uint64_t clock, moved; // steps, and the step of the last progress
    uint64_t stopped;     // steps of time in which other programs had the GPU
    uint32_t threads, ctas;
    uint32_t split;       // one park in so many finds fewer lanes than there are; 0: none
    uint32_t stops;       // that are to come
    bool mixes;           // lanes that execute different operations may be active together
    std::vector<sim_lane> lane;
    std::vector<sim_flight> flight;
    sim_cta cta[4];
    uint32_t cluster_arrived, cluster_phase;
    std::set<std::string> broken; // rules that the program broke, by what the hardware saw
    sim_lane *here;
    jmp_buf scheduler;
    std::function<void()> kernel;
};

static sim_machine *sim;

// The library is compiled as it is written, or instructions would be duplicated and merged whose
// addresses count (SIM_INSTRUCTION). What runs all the time and has none is worth an exception.
#if defined(__GNUC__) && !defined(__clang__)
#define SIM_FAST __attribute__((optimize("O2")))
#else
#define SIM_FAST
#endif

SIM_FAST static inline uint32_t sim_random(uint32_t below)
{
    sim->state += 0x9e3779b97f4a7c15ull; // splitmix64
    uint64_t z = sim->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

static void sim_progress(void)
{
    sim->moved = sim->clock;
}

// Gives the others a turn.
__attribute__((noinline)) static void sim_leave(sim_state state)
{
    sim_lane *lane = sim->here;
    lane->state = state;
    if (_setjmp(lane->at) == 0) {
        _longjmp(sim->scheduler, 1);
    }
}

static void sim_point(void)
{
    if (sim_random(3) == 0) {
        sim_leave(SIM_READY);
    }
}

static uint32_t sim_warp_of(const sim_lane *lane)
{
    return lane->number / 32;
}

// The lanes of a warp.
SIM_FAST static sim_lane *sim_warp(uint32_t cta, uint32_t warp)
{
    return &sim->lane[cta * sim->threads + warp * 32];
}

SIM_FAST static uint32_t sim_width(uint32_t warp)
{
    uint32_t left = sim->threads - warp * 32;
    return left < 32 ? left : 32;
}

// ---- collectives and the active mask ----

// Ends the collective that `lane` is in if all its lanes are there; those that have ended are not
// waited for.
SIM_FAST static void sim_meet(const sim_lane *lane)
{
    uint32_t warp = lane->number / 32, width = sim_width(warp), mask = lane->mask, there = 0;
    sim_lane *lanes = sim_warp(lane->cta, warp);
    for (uint32_t j = 0; j < width; j++) {
        bool came = lanes[j].state == SIM_MEETING && lanes[j].key == lane->key &&
                    lanes[j].mask == mask;
        there |= (came || lanes[j].state == SIM_DONE ? 1u : 0u) << j;
    }
    if ((mask & ~there) != 0) {
        return;
    }
    uint64_t value[32] = {};
    for (uint32_t j = 0; j < width; j++) {
        value[j] = lanes[j].value[j];
    }
    if (lane->once) {
        lane->once(value);
    }
    for (uint32_t j = 0; j < width; j++) {
        if ((mask >> j & 1u) && lanes[j].state == SIM_MEETING) {
            memcpy(lanes[j].value, value, sizeof value);
            lanes[j].state = SIM_READY;
        }
    }
}

// A lane has ended: others need not wait for it any more.
static void sim_done(sim_lane *lane)
{
    lane->state = SIM_DONE;
    sim_lane *lanes = sim_warp(lane->cta, lane->number / 32);
    for (uint32_t j = 0; j < sim_width(lane->number / 32); j++) {
        if (lanes[j].state == SIM_MEETING) {
            sim_meet(&lanes[j]);
        }
    }
}

// Lanes are at the same instruction when they return to the same one.
#define SIM_INSTRUCTION ((uint64_t)(uintptr_t)__builtin_return_address(0))

__attribute__((noinline)) static const uint64_t *
sim_collective(uint32_t line, uint32_t mask, uint64_t value,
               std::function<void(uint64_t *)> once = nullptr)
{
    sim_lane *lane = sim->here;
    uint32_t bit = lane->number % 32;
    if (!(mask >> bit & 1u)) {
        fprintf(stderr, "a lane is outside the mask of its collective\n");
        abort();
    }
    lane->value[bit] = value;
    lane->mask = mask;
    lane->key = SIM_INSTRUCTION;
    lane->place = line;
    lane->once = once;
    lane->state = SIM_MEETING;
    sim_meet(lane);
    if (_setjmp(lane->at) == 0) {
        _longjmp(sim->scheduler, 1);
    }
    return lane->value;
}

// Whether lanes that came to a function from different places meet in it, the seed decides. Lanes that
// come straight from a collective have `longer` to find each other.
__attribute__((noinline)) static uint32_t sim_active(uint64_t longer = 0)
{
    sim->here->key = SIM_INSTRUCTION ^ (sim->mixes ? 0 : sim->here->call << 16);
    sim->here->parked = sim->clock + longer;
    sim_leave(SIM_PARKED);
    return sim->here->mask;
}

// Lanes parked at the place of `lane` go on together: all of them or, rarely, some.
static void sim_unpark(sim_lane *lane)
{
    uint32_t warp = sim_warp_of(lane), group = 0;
    sim_lane *lanes = sim_warp(lane->cta, warp);
    bool some = sim->split != 0 && sim_random(sim->split) == 0;
    for (uint32_t j = 0; j < sim_width(warp); j++) {
        bool same = lanes[j].state == SIM_PARKED && lanes[j].key == lane->key;
        group |= (same && (!some || &lanes[j] == lane || sim_random(2)) ? 1u : 0u) << j;
    }
    for (uint32_t j = 0; j < sim_width(warp); j++) {
        if (group >> j & 1u) {
            lanes[j].mask = group;
            lanes[j].state = SIM_READY;
        }
    }
}

SIM_FAST static bool sim_warp_settled(uint32_t cta, uint32_t warp)
{
    sim_lane *lanes = sim_warp(cta, warp);
    for (uint32_t j = 0; j < sim_width(warp); j++) {
        if (lanes[j].state == SIM_READY) {
            return false;
        }
    }
    return true;
}

// ---- the hardware's barriers ----

static void sim_broke(const char *rule)
{
    sim->broken.insert(rule);
}

static sim_cta *sim_block(void)
{
    return &sim->cta[sim->here->cta];
}

static void sim_try_complete(sim_mbarrier *m)
{
    if (m->valid && m->pending == 0 && m->tx == 0) {
        m->phase++;
        m->pending = m->expected;
        m->seen = false;
        sim_progress();
    }
}

static void sim_take(sim_mbarrier *m, uint32_t count)
{
    if (count > m->pending) {
        sim_broke("arrive-over");
        count = m->pending;
    }
    m->pending -= count;
}

// Something in flight lands.
static void sim_land(size_t at)
{
    sim_flight f = sim->flight[at];
    sim->flight[at] = sim->flight.back();
    sim->flight.pop_back();
    sim_mbarrier *m = &sim->cta[f.cta].mbarrier[f.address];
    m->tx -= f.bytes;
    if (f.arrivals != 0) {
        m->by_itself = true;
        sim_take(m, f.arrivals);
    }
    sim_try_complete(m);
    sim_progress();
}

static bool sim_hw_done(uint32_t cta, uint32_t address, uint32_t parity)
{
    return (parity & 1u) != (sim->cta[cta].mbarrier[address].phase & 1u);
}

static uint32_t sim_live_lanes(uint32_t cta, uint32_t warp)
{
    uint32_t live = 0;
    for (uint32_t j = 0; j < sim_width(warp); j++) {
        live |= (sim_warp(cta, warp)[j].exited ? 0u : 1u) << j;
    }
    return live;
}

static uint32_t sim_warps(void)
{
    return (sim->threads + 31) / 32;
}

// A barrier is over: those that wait in the hardware look whether it was theirs. The lanes of a warp
// come back together, as a rule; where the seed splits them, each when it gets a turn.
static void sim_wake(uint32_t cta)
{
    for (uint32_t t = 0; t < sim->threads && sim->split == 0; t++) {
        sim_lane *lane = &sim->lane[cta * sim->threads + t];
        lane->state = lane->in_hardware && lane->state == SIM_ASLEEP ? SIM_READY : lane->state;
    }
}

// Counts warps whose live lanes have all come, and ends the generation.
static void sim_named_settle(uint32_t cta, sim_named *b)
{
    for (auto &entry : b->lanes) {
        uint32_t live = sim_live_lanes(cta, entry.first);
        if (entry.second != 0 && (live & ~entry.second) == 0) {
            entry.second = 0;
            b->arrivals++;
            b->warps |= 1u << entry.first;
        }
    }
    uint32_t live_warps = 0;
    for (uint32_t w = 0; w < sim_warps(); w++) {
        live_warps |= (sim_live_lanes(cta, w) != 0 ? 1u : 0u) << w;
    }
    if (b->open && (b->count != 0 ? b->arrivals * 32 >= b->count : (live_warps & ~b->warps) == 0)) {
        b->open = false;
        b->arrivals = b->warps = 0;
        b->generation++;
        sim_wake(cta);
        sim_progress();
    }
}

static void sim_meeting_settle(uint32_t cta)
{
    for (auto &entry : sim->cta[cta].meeting) {
        uint32_t live = sim_live_lanes(cta, (uint32_t)(entry.first >> 32));
        if (entry.second != 0 && ((uint32_t)entry.first & live & ~entry.second) == 0) {
            entry.second = 0;
            sim_progress();
        }
    }
}

// Ends the phase of the cluster's barrier when every live thread has arrived.
static void sim_cluster_settle(void)
{
    uint32_t live = 0;
    for (const sim_lane &lane : sim->lane) {
        live += !lane.exited;
    }
    if (sim->cluster_arrived != 0 && sim->cluster_arrived >= live) {
        sim->cluster_arrived = 0;
        sim->cluster_phase++;
        sim_progress();
    }
}

static void sim_hw_cluster_wait(void)
{
    sim_lane *lane = sim->here;
    while (lane->cluster_in && lane->cluster_phase == sim->cluster_phase) {
        sim_leave(SIM_ASLEEP);
    }
    lane->cluster_in = false;
}

// A second arrive waits for the phase of the first (measured).
static void sim_hw_cluster_arrive(void)
{
    sim_hw_cluster_wait();
    sim->here->cluster_in = true;
    sim->here->cluster_phase = sim->cluster_phase;
    sim->cluster_arrived++;
    sim_cluster_settle();
}

// A thread ends, in whatever way.
static void sim_exit(sim_lane *lane)
{
    lane->exited = true;
    for (sim_named &b : sim->cta[lane->cta].named) {
        sim_named_settle(lane->cta, &b);
    }
    sim_meeting_settle(lane->cta);
    if (lane->cluster_in && lane->cluster_phase == sim->cluster_phase) {
        sim->cluster_arrived--;
    }
    sim_cluster_settle();
    sim_progress();
}

static sim_mbarrier *sim_valid(uint32_t cta, uint32_t address)
{
    sim_mbarrier *m = &sim->cta[cta].mbarrier[address];
    if (!m->valid) {
        sim_broke(m->dead ? "init-use-after-inval" : "init-missing");
    }
    return m;
}

static void sim_hw_init(uint32_t address, uint32_t count)
{
    sim_mbarrier *m = &sim_block()->mbarrier[address];
    if (m->valid) {
        sim_broke("init-reinit-live");
    }
    *m = sim_mbarrier{true, false, true, count, count, 0, 0, false};
    sim_progress();
}

static void sim_hw_inval(uint32_t address)
{
    sim_mbarrier *m = sim_valid(sim->here->cta, address);
    m->valid = false;
    m->dead = true;
    sim_progress();
}

static void sim_hw_arrive(uint32_t cta, uint32_t address, uint32_t count, int64_t bytes, bool drops)
{
    sim_mbarrier *m = sim_valid(cta, address);
    m->tx += bytes;
    m->expected -= drops ? count : 0;
    if (!m->seen && !m->by_itself && m->phase != 0) {
        sim_broke("phase-unobserved");
    }
    sim_take(m, count);
    sim_try_complete(m);
    sim_progress();
}

static bool sim_hw_test(uint32_t address, uint32_t parity)
{
    sim_mbarrier *m = sim_valid(sim->here->cta, address);
    bool passed = sim_hw_done(sim->here->cta, address, parity);
    m->seen = m->seen || passed;
    return passed;
}

// bar.sync, bar.red (both wait) and bar.arrive.
static void sim_hw_named(uint32_t id, uint32_t count, bool waits)
{
    sim_lane *lane = sim->here;
    sim_named *b = &sim->cta[lane->cta].named[id % 16];
    uint32_t generation = b->generation;
    if (!b->open) {
        b->open = true;
        b->count = count;
    }
    b->lanes[sim_warp_of(lane)] |= 1u << lane->number % 32;
    sim_named_settle(lane->cta, b);
    while (waits && b->generation == generation) {
        lane->in_hardware = true;
        sim_leave(SIM_ASLEEP);
    }
    lane->in_hardware = false;
}

static void sim_hw_warp(uint32_t mask)
{
    sim_lane *lane = sim->here;
    uint64_t key = (uint64_t)sim_warp_of(lane) << 32 | mask;
    uint32_t *lanes = &sim->cta[lane->cta].meeting[key], bit = 1u << lane->number % 32;
    *lanes |= bit;
    sim_meeting_settle(lane->cta);
    while (*lanes & bit) {
        sim_leave(SIM_ASLEEP);
    }
}

// ---- the scheduler ----

static void sim_start_lane(void)
{
    sim->kernel();
    sim_lane *lane = sim->here;
    sim_exit(lane);
    sim_done(lane);
    _longjmp(sim->scheduler, 1);
}

static void sim_enter(sim_lane *lane)
{
    sim->here = lane;
    lane->state = SIM_READY;
    if (_setjmp(sim->scheduler) == 0) {
        if (lane->begun) {
            _longjmp(lane->at, 1);
        }
        lane->begun = true;
        setcontext(&lane->first);
    }
}

enum {
    SIM_STACK = 64 << 10,
    SIM_PARK = 300,        // steps that a lane waits for others of its warp to come along
    SIM_PATIENCE = 400000, // steps without progress that make a hang
    SIM_STOP = 101000,     // steps that the GPU gives to another program
    SIM_STOPS = 2,         // how often it does
};

// One turn of somebody. Returns false when there is nobody left.
SIM_FAST static bool sim_step(void)
{
    size_t count = sim->lane.size();
    sim_lane *lanes = sim->lane.data();
    sim->clock++;
    if (sim->stops != 0 && sim_random(2000) == 0) {
        sim->stops--;
        sim->stopped += SIM_STOP;
    }
    // What is on its way lands well before it counts as lost, however much it is.
    if (!sim->flight.empty() && sim_random(64) <= sim->flight.size() / 16) {
        sim_land(sim_random((uint32_t)sim->flight.size()));
    }
    size_t start = sim_random((uint32_t)count);
    sim_lane *asleep = nullptr, *parked = nullptr;
    bool meeting = false;
    for (size_t i = 0; i < count; i++) {
        sim_lane *lane = &lanes[(start + i) % count];
        // Who waits mostly lets others go first.
        if (lane->state == SIM_READY || (lane->state == SIM_ASLEEP && sim_random(8) == 0)) {
            sim_enter(lane);
            return true;
        }
        if (lane->state == SIM_PARKED && (sim->clock > lane->parked + SIM_PARK ||
                                          sim_warp_settled(lane->cta, sim_warp_of(lane)))) {
            sim_unpark(lane);
            return true;
        }
        asleep = lane->state == SIM_ASLEEP && !asleep ? lane : asleep;
        parked = lane->state == SIM_PARKED && !parked ? lane : parked;
        meeting = meeting || lane->state == SIM_MEETING;
    }
    if (parked) {
        sim_unpark(parked);
    } else if (asleep) {
        sim_enter(asleep);
    } else if (meeting) {
        sim->clock = sim->moved + SIM_PATIENCE + 1; // they wait for each other for ever
    } else {
        return false;
    }
    return true;
}

// Does the launch share the GPU with other programs, which stop it now and then?
static bool sim_stops(uint64_t seed)
{
    return seed % 4 == 3;
}

// Runs a kernel by all threads. Returns false when nothing has moved for long: it hangs.
static bool sim_run(sim_machine *machine, uint64_t seed, uint32_t ctas, uint32_t threads,
                    const std::function<void()> &kernel, std::vector<char> *stacks)
{
    sim = machine;
    sim->launch = seed;
    sim->seed = seed;
    sim->state = seed * 2 + 1;
    sim->clock = sim->moved = sim->stopped = 0;
    for (sim_cta &cta : sim->cta) {
        cta = sim_cta();
    }
    sim->flight.clear();
    sim->broken.clear();
    sim->cluster_arrived = sim->cluster_phase = 0;
    sim->threads = threads;
    sim->ctas = ctas;
    sim->split = seed % 2 == 0 ? 0 : 4 + (uint32_t)(seed / 2 % 3) * 30;
    sim->mixes = seed % 3 != 0;
    sim->stops = sim_stops(seed) ? SIM_STOPS : 0;
    sim->kernel = kernel;
    sim->lane.assign((size_t)ctas * threads, sim_lane());
    stacks->resize(sim->lane.size() * SIM_STACK);
    for (size_t i = 0; i < sim->lane.size(); i++) {
        sim_lane *lane = &sim->lane[i];
        lane->cta = (uint32_t)(i / threads);
        lane->number = (uint32_t)(i % threads);
        lane->index = {lane->number, 0, 0};
        lane->stack = stacks->data() + i * SIM_STACK;
        getcontext(&lane->first);
        lane->first.uc_stack.ss_sp = lane->stack;
        lane->first.uc_stack.ss_size = SIM_STACK;
        makecontext(&lane->first, sim_start_lane, 0);
    }
    while (sim_step()) {
        if (sim->clock - sim->moved > SIM_PATIENCE) {
            return false;
        }
    }
    return true;
}

#include "simulated_device.h"

#endif
