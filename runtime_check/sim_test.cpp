// The device library on the CPU: programs right and wrong, each under many interleavings. What is
// expected is decided by the simulator's plain hardware: a right program finishes there and breaks
// nothing, and the library is to be silent; a wrong one is to be reported, a hang as a hang.
//
//     sim_test [PROGRAM SEED]     replays one
//     BARLINT_SIM_SEEDS=N         how many interleavings of each (default 4; with shadows in
//                                 global memory 1)
//     BARLINT_SIM_FIRST=N         the first seed (default 1)
//     BARLINT_SIM_ONLY=NAME       that program, or the right ones: "right"
#include <cstdarg>
#include <csetjmp>
#include <cstddef>

extern "C" {
#include <cmocka.h>
}

#include "simulator.h"

#define __CUDACC__ 1
#define BARLINT_RT_SIMULATED 1

#include <barlint/runtime_check/fast.h>
#include <barlint/runtime_check/stuck.h>

#define barlint_rt_load(word) sim_load(word)

enum { CTAS = 4, PLACES = 64 }; // of the GPU

static struct barlint_rt_block sim_shadows[BARLINT_RT_GLOBAL_SHADOW ? PLACES : CTAS];

static unsigned long long barlint_rt_state;

#if BARLINT_RT_GLOBAL_SHADOW
static uint32_t sim_taken[CTAS][1];
#define barlint_rt_taken (sim_taken[sim->here->cta])
#include <barlint/runtime_check/device.cuh>

static struct barlint_rt_block *sim_shadow_of(uint32_t cta)
{
    return &sim_shadows[sim_taken[cta][0]];
}
#else
static struct barlint_rt_block *sim_shadow();

// device.cuh declares the shadow; that declaration becomes one of this function.
#define barlint_rt_shadow (*sim_shadow())
#include <barlint/runtime_check/device.cuh>

static struct barlint_rt_block *sim_shadow_of(uint32_t cta)
{
    return &sim_shadows[cta];
}

static struct barlint_rt_block *sim_shadow()
{
    return sim_shadow_of(sim->here->cta);
}
#endif

// ---- what programs are written in ----

static uint32_t thread()
{
    return sim->here->number;
}

static uint64_t at(int line)
{
    sim->here->line = (uint32_t)line;
    sim->here->call = (uint64_t)line * 0x2545f4914f6cdd1dull;
    sim_point();
    return (uint64_t)line;
}

#define AT at(__LINE__)

static void bar_init(uint32_t address, uint32_t count, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_INIT, address, BARLINT_RT_SHARED_CTA, count, 0, BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_init(address, count);
}

static void bar_inval(uint32_t address, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_INVAL, address, BARLINT_RT_SHARED_CTA, 0, 0, BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_inval(address);
}

// Returns the token.
static uint64_t bar_arrive_with(uint32_t address, uint32_t count, uint32_t bytes, uint32_t flags,
                                uint64_t site)
{
    uint64_t operand = count | (uint64_t)bytes << 32;
    uint64_t token = barlint_rt_mbarrier(BARLINT_RT_ARRIVE, address, BARLINT_RT_SHARED_CTA, operand,
                                         flags, BARLINT_RT_WHO, site);
    sim_point();
    uint64_t own = (uint64_t)(sim_block()->mbarrier[address].phase & 1u) << 63;
    sim_hw_arrive(sim->here->cta, address, count, flags & BARLINT_RT_EXPECTS ? bytes : 0,
                  (flags & BARLINT_RT_DROPS) != 0);
    return barlint_rt_state ? token : own;
}

static uint64_t bar_arrive(uint32_t address, uint64_t site)
{
    return bar_arrive_with(address, 1, 0, 0, site);
}

static void bar_drop(uint32_t address, uint64_t site)
{
    (void)bar_arrive_with(address, 1, 0, BARLINT_RT_DROPS | BARLINT_RT_NO_TOKEN, site);
}

static void bar_arrive_expect(uint32_t address, uint32_t bytes, uint64_t site)
{
    (void)bar_arrive_with(address, 1, bytes, BARLINT_RT_EXPECTS | BARLINT_RT_NO_TOKEN, site);
}

static void bar_expect(uint32_t address, uint32_t bytes, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_EXPECT_TX, address, BARLINT_RT_SHARED_CTA, bytes, 0, BARLINT_RT_WHO, site);
    sim_point();
    sim_block()->mbarrier[address].tx += bytes;
}

// A copy, which lands in two pieces. The hook is told `shown` bytes.
static void copy_shown(uint32_t address, uint32_t bytes, uint32_t shown, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_COPY, address, BARLINT_RT_SHARED_CTA, shown, 0, BARLINT_RT_WHO,
                        site);
    sim_point();
    sim->flight.push_back({sim->here->cta, address, 0, bytes / 2});
    sim->flight.push_back({sim->here->cta, address, 0, bytes - bytes / 2});
    sim_progress();
}

static void bulk_copy(uint32_t address, uint32_t bytes, uint64_t site)
{
    copy_shown(address, bytes, bytes, site);
}

static void tensor_copy(uint32_t address, uint32_t bytes, uint64_t site)
{
    copy_shown(address, bytes, BARLINT_RT_UNKNOWN_BYTES, site);
}

// cp.async.mbarrier.arrive: arrives once the thread's copies are over.
static void async_arrive(uint32_t address, bool noinc, uint64_t site)
{
    barlint_rt_mbarrier(BARLINT_RT_ASYNC_ARRIVE, address, BARLINT_RT_SHARED_CTA, noinc, 0, BARLINT_RT_WHO, site);
    sim_point();
    sim_block()->mbarrier[address].pending += noinc ? 0 : 1;
    sim->flight.push_back({sim->here->cta, address, 1, 0});
    sim_progress();
}

static bool bar_test(uint32_t form, uint32_t address, uint64_t operand, uint64_t site)
{
    uint32_t parity = barlint_rt_state
                          ? barlint_rt_wait(form, address, BARLINT_RT_SHARED_CTA, operand, site)
                      : form >= BARLINT_RT_TEST_PARITY ? (uint32_t)operand & 1u
                                                       : (uint32_t)(operand >> 63);
    sim_point();
    bool passed = sim_hw_test(address, parity);
    sim_point();
    barlint_rt_waited(form, address, BARLINT_RT_SHARED_CTA, operand, passed, BARLINT_RT_WHO, site);
    return passed;
}

static void bar_wait_by(uint32_t form, uint32_t address, uint64_t operand, uint64_t site)
{
    while (!bar_test(form, address, operand, site)) {
        sim_leave(SIM_ASLEEP);
    }
    sim_progress();
}

static void bar_wait(uint32_t address, uint32_t parity, uint64_t site)
{
    bar_wait_by(BARLINT_RT_TRY_PARITY, address, parity, site);
}

static void bar_wait_token(uint32_t address, uint64_t token, uint64_t site)
{
    bar_wait_by(BARLINT_RT_TRY_TOKEN, address, token, site);
}

static bool other_named; // has the program a named barrier but that of all threads?

static void bar_named(uint32_t kind, uint32_t id, uint32_t count, uint64_t site, uint32_t flags = 0)
{
    other_named = other_named || id != 0 || count != 0;
    flags |= BARLINT_RT_ALIGNED;
    if (kind == BARLINT_NAMED_ARRIVE) {
        barlint_rt_named_arrive(id, count, flags, BARLINT_RT_WHO, site);
    } else if (count != 0) {
        barlint_rt_named_mixed(kind, id, count, flags, BARLINT_RT_WHO, site);
    } else {
        barlint_rt_named(kind, id, count, flags, BARLINT_RT_WHO, site);
    }
    sim_point();
    sim_hw_named(id, count, kind != BARLINT_NAMED_ARRIVE);
    sim_progress();
    if (kind != BARLINT_NAMED_ARRIVE) {
        sim_point();
        barlint_rt_synced(BARLINT_RT_WHO);
    }
}

// What a thread keeps for rounds, by cta and thread.
struct round_of {
    uint64_t state;
    uint32_t next;
};

static bool by_rounds; // how barriers of all threads are checked in this run
static round_of rounds[4][1024];

static void enter()
{
    if (!by_rounds) {
        barlint_rt_enter(0);
        return;
    }
    barlint_rt_enter_rounds(0);
    uint64_t words = barlint_rt_rounds();
    rounds[sim->here->cta][thread()] = {(uint32_t)words, (uint32_t)(words >> 32)};
}

// bar.sync 0 in a kernel that has no other barriers of its block.
static void sync_round(uint64_t site)
{
    round_of *own = &rounds[sim->here->cta][thread()];
    own->state = barlint_rt_round(BARLINT_NAMED_SYNC, BARLINT_RT_ALIGNED, own->state,
                                  (uint32_t)BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_named(0, 0, true);
    sim_progress();
    sim_point();
    barlint_rt_round_over(BARLINT_NAMED_SYNC, BARLINT_RT_ALIGNED, own->state, own->next, site);
}

static void sync_all(uint64_t site)
{
    if (by_rounds) {
        sync_round(site);
    } else {
        bar_named(BARLINT_NAMED_SYNC, 0, 0, site);
    }
}

static void sync_some(uint32_t id, uint32_t count, uint64_t site, uint32_t flags = 0)
{
    bar_named(BARLINT_NAMED_SYNC, id, count, site, flags);
}

static void sync_warp(uint32_t mask, uint64_t site, uint32_t flags = 0)
{
    barlint_rt_warp(BARLINT_RT_WARP_SYNC | flags, mask, BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_warp(mask);
    sim_progress();
}

// What a source calls has no aligned form.
static const uint32_t cluster_form = BARLINT_RT_ENDS_UNSEEN ? 0 : BARLINT_RT_CLUSTER_ALIGNED;

static void cluster_arrive(uint64_t site)
{
    barlint_rt_cluster(BARLINT_RT_CLUSTER_ARRIVE, cluster_form, BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_cluster_arrive();
    sim_progress();
}

static void cluster_wait(uint64_t site, uint32_t flags = 0)
{
    barlint_rt_cluster(BARLINT_RT_CLUSTER_WAIT, cluster_form | flags, BARLINT_RT_WHO, site);
    sim_point();
    sim_hw_cluster_wait();
    sim_progress();
}

static uint32_t grid_arrivals; // of all blocks, at the barrier of the grid

static uint32_t grid_arrive(uint64_t site)
{
    barlint_rt_grid_arrives(site);
    sim_progress();
    return atomicAdd(&grid_arrivals, 1u);
}

static void grid_wait(uint32_t arrival, uint64_t site)
{
    uint32_t wanted = (arrival / sim->ctas + 1) * sim->ctas;
    do {
        barlint_rt_grid_waits(site);
        sim_leave(SIM_ASLEEP);
    } while (sim_load(&grid_arrivals) < wanted);
    sim_progress();
}

// grid.sync() of cooperative groups.
static void sync_grid(uint64_t site)
{
    sync_all(site);
    if (thread() == 0) {
        grid_wait(grid_arrive(site), site);
    }
    sync_all(site);
}

[[noreturn]] static void leave(uint64_t site)
{
    barlint_rt_exit(BARLINT_RT_WHO, site);
    barlint_rt_exit_now();
}

// Sets up `count` mbarriers of the same count and makes them known.
static void set_up(uint32_t first, uint32_t objects, uint32_t count)
{
    if (thread() == 0) {
        for (uint32_t i = 0; i < objects; i++) {
            bar_init(first + 8 * i, count, AT);
        }
    }
    sync_all(AT);
}

// What threads tell each other through memory: a barrier that lets somebody through too early makes
// a sum come out wrong.
static uint32_t board[1024];

static void check_board(uint32_t from, uint32_t to, uint32_t wanted)
{
    for (uint32_t i = from; i < to; i++) {
        if (board[i] != wanted) {
            sim_broke("data");
        }
    }
}

enum { BAR = 1024, OTHER = 1032 };

#include "sim_table.h"

// ---- running them ----

static struct barlint_rt_report sim_reports[BARLINT_RT_REPORTS];
static uint32_t sim_shadow_taken[PLACES];

// What the host gives the device: new, but for records, which hold what they held.
static struct barlint_rt_state &sim_set_up(uint64_t seed)
{
    static std::vector<struct barlint_rt_records> records(PLACES);
    static std::vector<struct barlint_rt_cluster> clusters(64);
    static struct barlint_rt_state state;
    memset(&state, 0, sizeof state);
    memset(records.data(), (int)(seed | 1), records.size() * sizeof records[0]);
    memset(sim_reports, 0, sizeof sim_reports);
    memset(clusters.data(), 0, clusters.size() * sizeof clusters[0]);
    memset(sim_shadow_taken, 0, sizeof sim_shadow_taken);
    state.records = records.data();
    state.record_count = PLACES;
    state.clusters = clusters.data();
    state.cluster_count = (uint32_t)clusters.size();
    state.reports = sim_reports;
    state.shadows = sim_shadows;
    state.shadow_taken = sim_shadow_taken;
    return state;
}

// Blocks that have not given back what they had taken.
static uint32_t shadows_held()
{
    uint32_t held = 0;
    for (uint32_t taken : sim_shadow_taken) {
        held += taken;
    }
    return held;
}

struct outcome {
    bool ended;                   // else nothing moved for long
    std::set<std::string> rules;  // reported
    std::set<std::string> hangs;  // those of them reported of a hang
    std::set<std::string> broken; // as the hardware saw it
    uint64_t checked;             // blocks that others need not be checked for
    bool vague;                   // a barrier is to want warps that it does not count
    uint32_t held;                // shadows that nobody has given back
};

static bool is_replay;

// Where everybody is.
static void print_lanes()
{
    static const char *const name[] = {"ready", "asleep", "parked", "meeting", "done"};
    for (const sim_lane &lane : sim->lane) {
        if (lane.state == SIM_MEETING) {
            printf("  in a collective of %08x, line %u (%llx)\n", lane.mask, lane.place, (unsigned long long)lane.key);
        }
        if (lane.state != SIM_DONE) {
            printf("cta %u thread %u, line %u: %s %s\n", lane.cta, lane.number, lane.line,
                   name[lane.state], lane.in_hardware ? "in the hardware's barrier" : "");
        }
    }
    for (uint32_t c = 0; c < sim->ctas; c++) {
        for (const auto &m : sim->cta[c].mbarrier) {
            printf("cta %u mbarrier %u: phase %u pending %u of %u tx %lld\n", c, m.first,
                   m.second.phase, m.second.pending, m.second.expected, (long long)m.second.tx);
        }
    }
    printf("%zu in flight\n", sim->flight.size());
    for (uint32_t c = 0; c < sim->ctas && barlint_rt_state; c++) {
        const struct barlint_rt_block &b = *sim_shadow_of(c);
        printf("cta %u: lock %u, ended %u, %u live\n", c, b.lock, b.ended, b.live_lanes);
        for (uint32_t w = 0; w < b.warps; w++) {
            printf("cta %u warp %u stands %08x, blocked %08x\n", c, w, b.stands[w],
                   b.warp[w].blocked);
        }
        for (const struct barlint_rt_object &o : b.object) {
            if (o.address != BARLINT_RT_NONE) {
                printf("cta %u shadow %u: word %x phase %u pending %u tx %d in flight %u\n", c,
                       o.address, o.word, o.m.phase, o.m.pending, o.m.tx, o.m.bytes_in_flight);
            }
        }
    }
}

static outcome run_once(const program &p, uint64_t seed, bool checked, uint32_t options = 0,
                        bool tells_ends = true)
{
    static std::vector<char> stacks;
    struct barlint_rt_state &state = sim_set_up(seed);
    sim_machine machine = sim_machine();
    outcome result = outcome();
    memset(board, 0, sizeof board);
    grid_arrivals = 0;
    for (size_t i = 0; i < sizeof sim_shadows; i++) { // shared memory holds what it held
        ((unsigned char *)sim_shadows)[i] = (unsigned char)((i + seed) * 0x9e3779b1u >> 24);
    }
    // The same patience with threads that may run; and a longer one than all stops last.
    state.stuck_ms = sim_stops(seed) ? (BARLINT_RT_ENDS_UNSEEN ? 16 : 6)
                                     : (BARLINT_RT_ENDS_UNSEEN ? 5 : 2);
    state.options = options | p.options;
    barlint_rt_state = checked ? (unsigned long long)(uintptr_t)&state : 0;
    result.ended = sim_run(&machine, seed, p.ctas, p.threads,
                           [&p] {
                               (void)AT;
                               const uint32_t again = BARLINT_RT_BLOCKS_ALIKE |
                                                      BARLINT_RT_LAUNCHES_ALIKE | BARLINT_RT_POLLS;
                               bool spared = barlint_rt_is_spared(again, 0, 0) != 0;
                               if (spared != (barlint_rt_state == 0)) { // none has been checked yet
                                   sim->broken.insert("spared");
                               }
                               enter();
                               if (barlint_rt_state) {
                                   barlint_rt_repeats(barlint_rt_self(), again, 0, 0);
                               }
                               p.kernel();
                               (void)AT;
                               barlint_rt_exit(BARLINT_RT_WHO, 0);
                           },
                           &stacks);
    result.broken = machine.broken;
    result.held = shadows_held();
    for (uint64_t count : state.checked) {
        result.checked += (uint32_t)count;
    }
    if (is_replay && !result.ended) {
        print_lanes();
    }
    for (const struct barlint_rt_report &r : sim_reports) {
        if (r.ready) {
            const char *rule = barlint_violation_rule((barlint_violation)r.violation);
            result.rules.insert(rule);
            result.vague |= r.violation == BARLINT_NAMED_EXIT && r.expected == 0;
            if (is_replay) {
                printf("%s %s line %u, object %u phase %u expected %u pending %u tx %d, threads",
                       r.kind == BARLINT_RT_HANG ? "hang:" : "event:", rule, (uint32_t)r.site,
                       r.number, r.phase, r.expected, r.pending, r.tx);
                for (uint32_t w = 0; w < (p.threads + 31) / 32; w++) {
                    printf(" %08x", r.lanes[w]);
                }
                printf("\n");
            }
            if (r.kind == BARLINT_RT_HANG) {
                result.hangs.insert(rule);
            }
        }
    }
    return result;
}

static std::string listed(const std::set<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text.empty() ? "nothing" : text;
}

static bool says(const char *list, const std::string &rule)
{
    std::string all = std::string("|") + list + "|";
    return all.find("|" + rule + "|") != std::string::npos;
}

static bool any_of(const char *list, const std::set<std::string> &rules)
{
    for (const std::string &rule : rules) {
        if (says(list, rule)) {
            return true;
        }
    }
    return false;
}

// A hang of mbarriers alone is explained, too, when no thread says that it ends.
static std::string judge_unseen(const program &p, uint64_t seed)
{
    if (!BARLINT_RT_ENDS_UNSEEN || p.ctas > 1 || strstr(p.rules, "named") || strstr(p.rules, "sync") ||
        strstr(p.rules, "warp")) {
        return "";
    }
    outcome unseen = run_once(p, seed, true, 0, false);
    return !unseen.ended                    ? "it hangs when ends are not told of"
           : !any_of(p.rules, unseen.hangs) ? "the hang is not explained when ends are not told of: " +
                                                  listed(unseen.rules)
                                            : "";
}

// Empty when the run is as it should be.
static std::string judge(const program &p, uint64_t seed)
{
    outcome plain = run_once(p, seed, false), checked = run_once(p, seed, true);
    std::string what = "reported: " + listed(checked.rules) + "; the hardware saw " +
                       listed(checked.broken);
    if (!checked.ended) {
        return "the program hangs with the library; " + what;
    }
    if (checked.held != 0) {
        return "shadows that are still held: " + std::to_string(checked.held) + "; " + what;
    }
    if (checked.vague) {
        return "named-exit at another barrier; " + what;
    }
    // Where something is told of one block of a cluster, others may have been right.
    bool counts = checked.rules.empty() ? checked.checked == p.ctas : checked.checked < p.ctas;
    if (!counts) {
        return "blocks that others are spared for: " + std::to_string(checked.checked) + "; " + what;
    }
    if (p.when == RIGHT) {
        if (!plain.ended || !plain.broken.empty()) {
            return "the program is not right: " + listed(plain.broken);
        }
        return checked.rules.empty() && checked.broken.empty() ? "" : "it is right; " + what;
    }
    for (const std::string &rule : checked.rules) {
        if (!says(p.rules, rule) && !says(p.besides, rule)) {
            return "another mistake; " + what;
        }
    }
    bool found = any_of(p.rules, checked.rules);
    if (p.when == HANGS) {
        if (plain.ended) {
            return "the program does not hang by itself";
        }
        if (!any_of(p.rules, checked.hangs)) {
            return "the hang is not explained; " + what;
        }
        outcome goes_on = run_once(p, seed, true, BARLINT_RT_CONTINUE);
        return !goes_on.ended                    ? "it hangs after it was to go on"
               : !any_of(p.rules, goes_on.hangs) ? "the hang is not explained when it goes on"
                                                 : judge_unseen(p, seed);
    }
    if (!checked.hangs.empty() && plain.ended && p.when != MAY_HANG && p.when != BY_CHANCE) {
        return "a hang that is none; " + what;
    }
    if (p.when == ALWAYS || p.when == MAY_HANG) {
        return found ? "" : "not reported; " + what;
    }
    return found || !any_of(p.rules, checked.broken) ? "" : "seen and not reported; " + what;
}

static uint64_t seeds()
{
    const char *text = getenv("BARLINT_SIM_SEEDS");
    return text ? strtoull(text, nullptr, 10) : BARLINT_RT_GLOBAL_SHADOW ? 1 : 4;
}

static uint64_t first_seed()
{
    const char *text = getenv("BARLINT_SIM_FIRST");
    return text ? strtoull(text, nullptr, 10) : 1;
}

// Both ways that barriers of all threads are checked in, where a program has no others of its block.
static std::string judge_ways(const program &p, uint64_t seed)
{
    by_rounds = false;
    other_named = false;
    std::string wrong = judge(p, seed);
    by_rounds = !other_named && !BARLINT_RT_ENDS_UNSEEN && wrong.empty();
    if (by_rounds) {
        wrong = judge(p, seed);
        wrong = wrong.empty() ? wrong : "by rounds: " + wrong;
    }
    return wrong;
}

static void test_seed(const program &p, uint64_t seed)
{
    std::string wrong = judge_ways(p, seed);
    if (!wrong.empty()) {
        fail_msg("%s, seed %llu (replay: sim_test %s %llu): %s", p.name, (unsigned long long)seed,
                 p.name, (unsigned long long)seed, wrong.c_str());
    }
}

static void test_program(void **state)
{
    const program &p = *(const program *)*state;
    for (uint64_t seed = first_seed(); seed < first_seed() + seeds(); seed++) {
        test_seed(p, seed);
    }
}

// Interleavings in which something has gone wrong before.
static const struct {
    const char *program;
    uint64_t seed;
} found_before[] = {
    {"ring_place_goes_on", 78}, // who asked took a word that another had just cleared for a time
    {"first_turn_to_oneself", 4}, // when a generation ended was written and it had not: with one include
    {"first_turn_to_oneself", 56},
};

static void test_found_before(void **)
{
    for (const auto &found : found_before) {
        for (const program &p : programs) {
            if (strcmp(p.name, found.program) == 0) {
                test_seed(p, found.seed);
            }
        }
    }
}

// ---- launches that do the same again ----

// Launches a ring and says how many of its blocks were spared.
static uint32_t spared_in(struct barlint_rt_state *state, uint64_t launch, uint32_t ctas,
                          uint32_t again, uint64_t key)
{
    static std::vector<char> stacks;
    sim_machine machine = sim_machine();
    uint32_t spared = 0;
    barlint_rt_state = (unsigned long long)(uintptr_t)state;
    bool ended = sim_run(&machine, launch, ctas, 96,
                         [&] {
                             (void)AT;
                             if (barlint_rt_is_spared(again, key, 7)) {
                                 spared += thread() == 0;
                                 return;
                             }
                             enter();
                             barlint_rt_repeats(barlint_rt_self(), again, key, 7);
                             ring();
                             (void)AT;
                             barlint_rt_exit(BARLINT_RT_WHO, 0);
                         },
                         &stacks);
    assert_true(ended);
    return spared;
}

static void test_spared(void **)
{
    struct barlint_rt_state &state = sim_set_up(1);
    state.stuck_ms = 6;
    by_rounds = false;
    const uint32_t launches = BARLINT_RT_LAUNCHES_ALIKE, blocks = BARLINT_RT_BLOCKS_ALIKE;
    for (uint32_t ctas = 1; ctas <= 2; ctas++) { // two are a cluster
        memset(state.checked, 0, sizeof state.checked);
        assert_int_equal(spared_in(&state, 1, ctas, launches, 5), 0);
        assert_int_equal(spared_in(&state, 2, ctas, launches, 5), ctas);
        assert_int_equal(spared_in(&state, 3, ctas, launches, 6), 0); // given something else
        assert_int_equal(spared_in(&state, 4, ctas, launches, 6), ctas);
        assert_int_equal(spared_in(&state, 64, ctas, launches, 5), 0); // one of many
        state.options = BARLINT_RT_EVERY_BLOCK;
        assert_int_equal(spared_in(&state, 65, ctas, launches, 5), 0);
        state.options = 0;
        state.reported = 1;
        assert_int_equal(spared_in(&state, 66, ctas, launches, 5), 0);
        state.reported = 0;
        assert_int_equal(spared_in(&state, 67, ctas, launches, 5), ctas);
    }
    // Where blocks are alike, some of any launch will do; launches of which nothing is known, none.
    memset(state.checked, 0, sizeof state.checked);
    for (uint64_t launch = 1; launch <= BARLINT_RT_ENOUGH; launch++) {
        assert_int_equal(spared_in(&state, launch, 1, blocks | launches, 5), 0);
        assert_int_equal(spared_in(&state, launch, 1, blocks, 8), 0);
    }
    assert_int_equal(spared_in(&state, 20, 1, blocks | launches, 5), 1);
    assert_int_equal(spared_in(&state, 20, 1, blocks, 8), 0);
}

// A launch with the number of one that is over.
static void test_number_again(void **)
{
    static std::vector<char> stacks;
    struct barlint_rt_state &state = sim_set_up(1);
    state.stuck_ms = 6;
    by_rounds = false;
    barlint_rt_state = (unsigned long long)(uintptr_t)&state;
    for (uint32_t again = 0; again < 3; again++) {
        sim_machine machine = sim_machine();
        memset(board, 0, sizeof board);
        grid_arrivals = 0;
        assert_true(sim_run(&machine, 5, 3, 64,
                            [] {
                                (void)AT;
                                enter();
                                takes_its_time(sim->here->cta == 1 && thread() == 40, 30000);
                                grid_rounds();
                                barlint_rt_exit(BARLINT_RT_WHO, 0);
                            },
                            &stacks));
        assert_true(machine.broken.empty());
        assert_int_equal(state.reported, 0);
    }
}

// ---- kernels without a hook at their beginning ----

// Some lanes of a block that nobody enters say what they have under way as they end.
static void copies_of_nobody()
{
    if (thread() == 5 || thread() == 40) {
        barlint_rt_group(BARLINT_RT_NOT_ENTERED | AT);
    }
    if (thread() < 3) {
        barlint_rt_open_copies(BARLINT_RT_NOT_ENTERED | BARLINT_RT_NEVER_AWAITED | AT);
    }
    if (thread() == 63) {
        barlint_rt_open_stores(BARLINT_RT_NOT_ENTERED | AT); // it may have no use for them
    }
}

static void test_not_entered(void **)
{
    static std::vector<char> stacks;
    struct barlint_rt_state &state = sim_set_up(1);
    by_rounds = false;
    barlint_rt_state = (unsigned long long)(uintptr_t)&state;
    for (uint32_t pedantic = 0; pedantic < 2; pedantic++) {
        sim_machine machine = sim_machine();
        state.options = pedantic ? BARLINT_RT_PEDANTIC : 0;
        assert_true(sim_run(&machine, 1 + pedantic, 1, 64, copies_of_nobody, &stacks));
        uint32_t uncommitted = 0, open = 0, stores = 0;
        for (const struct barlint_rt_report &r : sim_reports) {
            uncommitted += r.ready && r.violation == BARLINT_ASYNC_UNCOMMITTED;
            open += r.ready && r.violation == BARLINT_ASYNC_COPY_OPEN && r.kind == BARLINT_RT_EVENT &&
                    r.lanes[0] == 7 && r.lanes[1] == 0 && r.block_dim[0] == 64;
            stores += r.ready && r.violation == BARLINT_EXIT_INFLIGHT && r.kind == BARLINT_RT_NOTE &&
                      r.lanes[1] == 1u << 31;
            assert_false(r.ready && (r.site & BARLINT_RT_NOT_ENTERED));
        }
        assert_int_equal(uncommitted, 1);
        assert_int_equal(open, 1);
        assert_int_equal(stores, pedantic);
        assert_int_equal(state.reported, 1);
        assert_int_equal(shadows_held(), 0);
    }
    // Where nothing is checked, nothing is said.
    sim_machine machine = sim_machine();
    (void)sim_set_up(1);
    barlint_rt_state = 0;
    assert_true(sim_run(&machine, 3, 1, 64, copies_of_nobody, &stacks));
    assert_int_equal(state.reported, 0);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc == 3) {
        is_replay = true;
        for (const program &p : programs) {
            if (strcmp(p.name, argv[1]) == 0) {
                std::string wrong = judge_ways(p, strtoull(argv[2], nullptr, 10));
                printf("%s\n", wrong.empty() ? "as it should be" : wrong.c_str());
                return !wrong.empty();
            }
        }
        fprintf(stderr, "there is no program '%s'\n", argv[1]);
        return 2;
    }
    const char *only = getenv("BARLINT_SIM_ONLY");
    std::vector<CMUnitTest> tests;
    if (!only && !BARLINT_RT_ENDS_UNSEEN) {
        tests.push_back({"spared", test_spared, nullptr, nullptr, nullptr});
        tests.push_back({"number_again", test_number_again, nullptr, nullptr, nullptr});
        tests.push_back({"not_entered", test_not_entered, nullptr, nullptr, nullptr});
    }
    if (!only) {
        tests.push_back({"found_before", test_found_before, nullptr, nullptr, nullptr});
    }
    for (const program &p : programs) {
        if (only && strcmp(only, p.name) != 0 && !(p.when == RIGHT && strcmp(only, "right") == 0)) {
            continue;
        }
        tests.push_back({p.name, test_program, nullptr, nullptr, (void *)&p});
    }
    return _cmocka_run_group_tests("simulation", tests.data(), tests.size(), nullptr, nullptr);
}
