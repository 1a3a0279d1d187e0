// Runs of a kernel: one for each way its decisions can go, as far as the budget reaches, and what
// all of them together say.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

// Budgets count operations, so that the same kernel is walked the same way on every machine; the
// clock only ends what would go on for ever.
#define VALUES_LIMIT ((size_t)64 << 20) // bytes of sets and nodes kept from run to run
#define LIMIT_SECONDS 30                // a kernel and shape

enum {
    KEPT_NODES = 8192,
    KEPT_MASKS = 8192,
    QUIET_WAYS = 12,    // in a row that did nothing new, until the walk is left
    ROLE_WAYS = 30,     // the same where roles may meet, as long as the ways took fewer operations
    ROLE_STEPS = 24000, // together than these
    FEW_WAYS = 4,       // the same where they took QUIET_STEPS, and under a further shape
    QUIET_STEPS = 72000,
    DEFAULT_RUNS = 144,
    CHEAP_STEPS = 150000, // as long as all took fewer together, more ways are walked
    CHEAP_WAYS = 400,
    DEFAULT_STEPS = 1200000,
    RUN_STEPS = 150000,
    MAX_PENDING = 4096,
    COMBINATION_STEPS = 300000, // as long as fewer were made, combinations of outcomes are tried
    LATER = 1 << 16,            // of the rank: behind all that have none of it
    GIVEN_WAYS = 8,   // with the numbers that the launch passes, as the others have been walked
    GIVEN_CALLS = 8,  // of launches that pass other numbers each
    ENDURING = 1,     // of a key: outcomes that have been tried with many rounds
    MOST_DOUBLED = 4, // of a run's limit
    ENOUGH = 24,      // runs with one outcome of a decision: a loop's first rounds, and then some
};

// A run still to be made: the outcomes to repeat, the last one being new.
struct pending {
    struct way way;
    uint32_t rank; // lower ones go first
};

// How much is spent before no further way is begun.
struct budget {
    uint32_t runs;
    uint64_t steps;
    double end; // by the clock of the processor
};

struct explorer {
    struct engine *engine;
    struct pending *pending; // stb_ds array
    struct {
        uint64_t key; // site and outcome of a decision
        uint32_t value;
    } * seen;                // stb_ds map: how often it was taken
    uint32_t quiet;          // ways in a row that did nothing new
    uint64_t quiet_steps;    // operations that those took
    struct decided *decided; // stb_ds array: under the first order of threads
    bool apart;              // another order has decided something else
    bool rounds;             // threads of roles that may meet ask for something in their rounds
    bool again;              // the kernel has been walked under another shape
    bool given;              // with the numbers that the launch passes
    bool ended;              // some run has come to the end of what is run
    uint32_t longer;         // how often the runs' limit has been doubled, as none has
};

// Sets and nodes of earlier runs are kept as long as looking them up is cheaper than making them
// anew: few enough for the processor's cache.
static bool values_are_many(const struct values *values)
{
    return values->nodes.used > KEPT_NODES || values->masks.used > KEPT_MASKS ||
           values->arena.total > VALUES_LIMIT;
}

static void values_begin(struct values *values, uint32_t threads)
{
    if (values->masks.threads != threads || values_are_many(values)) {
        uint32_t epoch = values->nodes.epoch;
        arena_clear(&values->arena);
        mask_pool_init(&values->masks, &values->arena, threads);
        node_pool_init(&values->nodes, &values->arena, &values->masks);
        values->nodes.epoch = epoch;
    }
    ++values->nodes.epoch;
    memo_begin(values);
}

static void run_init(struct run *run, struct engine *engine, enum policy policy,
                     const struct pending *from, uint64_t steps)
{
    *run = (struct run){.engine = engine, .policy = policy, .step_limit = steps};
    run->arena = engine->runs;
    values_begin(&engine->values, engine->threads);
    run->masks = &engine->values.masks;
    run->nodes = &engine->values.nodes;
    run->object = engine->object;
    arrput(run->object, (struct object){0});
    run->global_object =
        arena_array(&run->arena, uint32_t, (size_t)arrlen(engine->unit->global) + 1);
    run->exited = run->masks->none;
    for (uint32_t b = 0; b < engine->blocks; ++b)
        run->block_mask[b] =
            mask_range(run->masks, b * engine->block_threads, (b + 1) * engine->block_threads);
    run->way = from->way;
    machines_init(run);
}

static void run_release(struct run *run)
{
    machines_release(run);
    for (ptrdiff_t i = 0; i < arrlen(run->object); ++i) {
        arrfree(run->object[i].cell);
        arrfree(run->object[i].zero);
        arrfree(run->object[i].overwritten);
        arrfree(run->object[i].asked);
        arrfree(run->object[i].word);
    }
    arrsetlen(run->object, 0);
    run->engine->object = run->object;
    arrfree(run->bound);
    arrfree(run->asked);
    arrfree(run->apart);
    arrfree(run->decision);
    arrfree(run->habit);
    arrfree(run->parting);
    arrfree(run->leaving);
    arrfree(run->group);
    arena_clear(&run->arena);
    run->engine->runs = run->arena;
}

static void run_go(struct run *run, ir_function_id entry)
{
    const struct ir_function *kernel = &run->engine->unit->function[entry];
    struct group *group = group_new(run, run->masks->all);
    frame_push(run, group, entry, IR_NONE, arguments_given(run, kernel),
               (uint32_t)arrlen(kernel->param));
    run_all(run);
}

// --- Exploration -----------------------------------------------------------------------------

static uint64_t outcome_key(const struct run *run, ptrdiff_t at, uint32_t outcome)
{
    return run->decision[at].site * 8 + outcome;
}

// The outcome together with the one before it at another place, and how often either was asked: two
// loops whose trips are decided apart meet in all combinations.
static uint64_t combination_key(const struct run *run, ptrdiff_t at, uint32_t outcome)
{
    ptrdiff_t before = at - 1;
    while (before >= 0 && run->decision[before].site == run->decision[at].site)
        --before;
    if (before < 0)
        return 0;
    uint64_t asked = 1, own = 0;
    for (ptrdiff_t k = 0; k < at; ++k) {
        asked += k < before && run->decision[k].site == run->decision[before].site;
        own += run->decision[k].site == run->decision[at].site;
    }
    uint64_t other = outcome_key(run, before, run->decision[before].chosen) * 64 + asked;
    return (outcome_key(run, at, outcome) * 64 + own) ^ other * UINT64_C(0x9e3779b97f4a7c15);
}

static void count_key(struct explorer *explorer, uint64_t key)
{
    uint32_t times = hmget(explorer->seen, key);
    hmput(explorer->seen, key, times + 1);
}

// Whether the run has come to the same question before: in an earlier round of a loop.
static bool is_of_later_round(const struct run *run, ptrdiff_t at)
{
    for (ptrdiff_t i = 0; i < at; ++i) {
        if (run->decision[i].site == run->decision[at].site)
            return true;
    }
    return false;
}

// The outcome, as one of a first round or of a later one: another round of a loop that has others
// within is new, however often its first one has been.
static uint64_t round_key(const struct run *run, ptrdiff_t at, uint32_t outcome)
{
    uint64_t key = outcome_key(run, at, outcome);
    return is_of_later_round(run, at) ? ~key : key;
}

static void remember(struct explorer *explorer, const struct run *run)
{
    // Each outcome counts once a run.
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        uint64_t key = outcome_key(run, i, run->decision[i].chosen);
        bool repeated = false;
        for (ptrdiff_t k = 0; k < i && !repeated; ++k)
            repeated = outcome_key(run, k, run->decision[k].chosen) == key;
        if (!repeated)
            count_key(explorer, key);
        if (is_of_later_round(run, i))
            count_key(explorer, ~key);
        key = combination_key(run, i, run->decision[i].chosen);
        if (key)
            count_key(explorer, key);
    }
}

// Whether the outcome has been seen from as many sides as there is time for.
static bool seen_enough(struct explorer *explorer, const struct run *run, ptrdiff_t at,
                        uint32_t outcome)
{
    if (hmget(explorer->seen, outcome_key(run, at, outcome)) < ENOUGH)
        return false;
    uint64_t key = combination_key(run, at, outcome);
    return explorer->engine->result->statistics.steps > COMBINATION_STEPS || !key ||
           hmget(explorer->seen, key) > 0;
}

// Those of so many of the run's first decisions.
static uint32_t *outcomes(const struct engine *engine, const struct run *run, uint32_t count)
{
    uint32_t *all = arena_array(engine->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; ++i)
        all[i] = run->decision[i].chosen;
    return all;
}

// What one round of a loop leaves out may be missed when a ring's stages have all come round: an
// outcome that is new in a loop is tried once with many rounds, all but one of them as usual.
static void endure(struct explorer *explorer, const struct run *run, ptrdiff_t at, uint32_t outcome,
                   uint32_t rank)
{
    uint64_t key = mix(outcome_key(run, at, outcome), ENDURING);
    if (hmget(explorer->seen, key) > 0)
        return;
    count_key(explorer, key);
    struct way way = {.endures = true, .place = run->decision[at].site, .there = outcome};
    while (run->decision[way.count].asked == ASKED_ONCE)
        ++way.count;
    way.outcome = outcomes(explorer->engine, run, way.count);
    arrput(explorer->pending, ((struct pending){way, rank}));
}

// Adds a run for every outcome of this run's new decisions that it did not take. Where the run did
// nothing new, neither will most of these: they come last. So do those of places that were decided
// under another shape: what did something new there is tried anyway. With the numbers that go with
// a guessed block other ways may do so than with those of another guess.
static void branch_out(struct explorer *explorer, const struct run *run)
{
    const struct engine *engine = explorer->engine;
    bool own = explorer->given && engine->shape.source == ENGINE_SHAPE_GUESS;
    for (ptrdiff_t i = run->way.count; i < arrlen(run->decision); ++i) {
        bool again =
            explorer->again && !own && hmgeti(engine->known->decided, run->decision[i].site) >= 0;
        for (uint32_t other = 1; other < run->decision[i].alternatives; ++other) {
            if (seen_enough(explorer, run, i, other))
                continue;
            if (arrlen(explorer->pending) >= MAX_PENDING) {
                engine->result->statistics.cut_short = true;
                return;
            }
            struct pending next = {.way.count = (uint32_t)i + 1};
            next.way.outcome = outcomes(engine, run, next.way.count);
            next.way.outcome[i] = other;
            uint32_t seen = hmget(explorer->seen, round_key(run, i, other));
            bool dull = again || (!run->deeds_new && seen);
            next.rank =
                seen * 16 + next.way.count + (run->decision[i].weak ? 64 : 0) + (dull ? LATER : 0);
            arrput(explorer->pending, next);
            if (run->roles && run->decision[i].asked == ASKED_IN_ROUND)
                endure(explorer, run, i, other, next.rank);
        }
    }
}

// --- Further shapes ----------------------------------------------------------------------------

// Notes for shapes to come what was decided on a way, and the way if it did something new.
static void keep_way(struct engine_unit *known, const struct run *run, const struct way *way)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i)
        hmputs(known->decided, (typeof(*known->decided)){run->decision[i].site});
    if (!run->deeds_new || (way->count == 0 && !way->endures))
        return;
    struct way kept = *way;
    kept.outcome = arena_array(&known->slice_arena, uint32_t, way->count);
    for (uint32_t i = 0; i < way->count; ++i)
        kept.outcome[i] = way->outcome[i];
    arrput(known->lively, kept);
}

// Under a further shape the ways that did something new under the first one go before all others.
static void begin_with_kept(struct explorer *explorer)
{
    struct engine_unit *known = explorer->engine->known;
    explorer->again = explorer->engine->options.again && hmlen(known->decided) > 0;
    if (!explorer->again) {
        arrsetlen(known->lively, 0);
        hmfree(known->decided);
    }
    for (ptrdiff_t i = 0; i < arrlen(known->lively); ++i)
        arrput(explorer->pending, ((struct pending){.way = known->lively[i]}));
}

static bool next_pending(struct explorer *explorer, struct pending *out)
{
    ptrdiff_t best = -1;
    for (ptrdiff_t i = 0; i < arrlen(explorer->pending); ++i) {
        if (best < 0 || explorer->pending[i].rank < explorer->pending[best].rank)
            best = i;
    }
    if (best < 0)
        return false;
    *out = explorer->pending[best];
    arrdel(explorer->pending, best);
    return true;
}

// Whether something is wrong that further ways may make less sure: it was met on every way that
// came to its operation. `assumed`: under assumptions; else it is sure already.
static bool is_open(struct engine *engine, bool assumed)
{
    const struct engine_result *result = engine->result;
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *incident = &result->incident[i];
        if (incident->supported && (!assumed || incident->assumption) &&
            incident->runs == certainty_reached(engine, incident))
            return true;
    }
    return false;
}

static bool asks_in_rounds(const struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        if (run->decision[i].asked == ASKED_IN_ROUND)
            return true;
    }
    return false;
}

// How many operations the next run may take. Runs that are all cut short end at the same place,
// whichever way they go before it: as long as none has come to the end, the next one may go twice
// as far, out of what is left.
static uint64_t run_limit(const struct explorer *explorer, uint64_t max_steps)
{
    const struct engine *engine = explorer->engine;
    uint64_t spent = engine->result->statistics.steps;
    uint64_t left = spent < max_steps ? max_steps - spent : 0;
    uint64_t usual = max_steps < RUN_STEPS ? max_steps : RUN_STEPS;
    if (engine->options.max_run_steps)
        usual = engine->options.max_run_steps;
    uint64_t longer = usual << explorer->longer;
    longer = longer < left ? longer : left;
    return longer > usual ? longer : usual;
}

// One run of the way that is being tried. Returns whether other orders of threads may show more:
// with a single group there is only one; a walk cut short is not repeated; and where this one did
// nothing new, neither will they. How sure an incident is they tell alike for all ways.
static bool walk_once(struct explorer *explorer, ir_function_id entry, const struct pending *from,
                      uint64_t max_steps, struct trace *trace, enum policy policy, bool branches,
                      bool follows)
{
    struct engine *engine = explorer->engine;
    struct engine_statistics *statistics = &engine->result->statistics;
    struct run run;
    run_init(&run, engine, policy, from, run_limit(explorer, max_steps));
    ++statistics->runs;
    if (follows) {
        run.decided = explorer->decided;
        run.decided_count = (uint32_t)arrlen(explorer->decided);
        for (uint32_t i = 0; i < run.decided_count; ++i)
            run.decided[i].taken = false;
    }
    run.trace = engine->options.schedule ? trace : NULL;
    trace_clear(trace);
    run_go(&run, entry);
    if (run.trace)
        trace_keep(&run, &engine->result->schedule);
    statistics->steps += run.steps;
    statistics->cut_short |= run.cut;
    explorer->ended |= !run.cut || engine->host;
    if (explorer->ended)
        explorer->longer = 0;
    else if (explorer->longer < MOST_DOUBLED)
        ++explorer->longer;
    bool more = run.next_group > 1 && !run.cut && !engine->host;
    explorer->rounds |= run.roles && asks_in_rounds(&run);
    if (policy == 0) {
        follow_keep(&run, &explorer->decided);
        explorer->quiet = run.deeds_new ? 0 : explorer->quiet + 1;
        explorer->quiet_steps = run.deeds_new ? 0 : explorer->quiet_steps + run.steps;
        if (branches && !engine->host && !explorer->again && !explorer->given)
            keep_way(engine->known, &run, &from->way);
        more &= run.deeds_new || is_open(engine, false);
    } else {
        explorer->apart |= !follow_same(&run, explorer->decided);
        more &= run.roles;
    }
    if (branches && !from->way.endures) {
        remember(explorer, &run);
        branch_out(explorer, &run);
    }
    run_release(&run);
    return more;
}

// One way through the decisions, under each order of threads. Where one of these comes to other
// questions than the first order, what the way says has meant other numbers there: with those of
// the first order they are run once more, in a small kernel.
static void walk(struct explorer *explorer, ir_function_id entry, const struct pending *from,
                 uint64_t max_steps, struct trace *trace, bool branches)
{
    ++explorer->engine->path;
    bool more = true;
    explorer->apart = false;
    for (uint32_t policy = 0; policy < POLICY_COUNT_ && more; ++policy)
        more = walk_once(explorer, entry, from, max_steps, trace, policy, branches && policy == 0,
                         false);
    bool cheap = !explorer->engine->options.max_runs &&
                 explorer->engine->result->statistics.steps < CHEAP_STEPS;
    for (uint32_t policy = 1; policy < POLICY_COUNT_ && explorer->apart && cheap; ++policy)
        walk_once(explorer, entry, from, max_steps, trace, policy, false, true);
    certainty_alone(explorer->engine);
}

// Whether the kernel has a barrier of the block, and no way has come to one, whatever it has come
// to of warps: returns under one condition after another stand before it, or rounds that are
// skipped.
static bool has_come_to_none(struct engine *engine)
{
    const struct engine_unit *known = engine->known;
    if (engine->host)
        return false;
    for (ptrdiff_t i = 0; i < arrlen(engine->result->event); ++i) {
        enum model_kind kind = engine->result->event[i].model.kind;
        if (kind != MODEL_WARP_SYNC && kind != MODEL_WARP_SHUFFLE && kind != MODEL_WARP_VOTE)
            return false;
    }
    for (ptrdiff_t i = 0; i < arrlen(known->in_slice); ++i) {
        ir_function_id id = known->in_slice[i];
        for (ptrdiff_t op = 0; op < arrlen(engine->unit->function[id].op); ++op) {
            if (facts_model(engine, id, (ir_value)op)->kind == MODEL_NAMED_SYNC)
                return true;
        }
    }
    return false;
}

// Whether ways have done nothing new for long. What that may cost is bounded as well: of a large
// kernel a few ways say as much. In a small one of roles, which go through loops of their own, many
// cost little, and what is wrong may show when several of these have a round.
static bool is_quiet(const struct explorer *explorer)
{
    bool cheap = explorer->rounds && explorer->quiet_steps < ROLE_STEPS;
    uint32_t most = explorer->again ? FEW_WAYS : cheap ? ROLE_WAYS : QUIET_WAYS;
    bool quiet = explorer->quiet >= most ||
                 (explorer->quiet >= FEW_WAYS && explorer->quiet_steps >= QUIET_STEPS);
    return quiet && (explorer->quiet_steps >= QUIET_STEPS || !has_come_to_none(explorer->engine));
}

// Whether the walk ends before `next`: ways have done nothing new for long, or a budget is spent.
// Where something is wrong on every way so far under assumptions, it takes all ways to tell how
// sure that is.
static bool is_enough(struct explorer *explorer, const struct pending *next,
                      const struct budget *budget)
{
    struct engine_result *result = explorer->engine->result;
    bool open = is_open(explorer->engine, true), later = next->rank >= LATER;
    if (!open && (is_quiet(explorer) || (later && explorer->again)))
        return true;
    // Ways through a small kernel cost little, and what is wrong may show on a late one.
    bool cheap = budget->runs == DEFAULT_RUNS && result->statistics.steps < CHEAP_STEPS &&
                 explorer->engine->path < CHEAP_WAYS;
    bool spent = (result->statistics.runs >= budget->runs && !cheap) ||
                 result->statistics.steps >= budget->steps ||
                 clock_processor_seconds() >= budget->end;
    result->statistics.cut_short |= spent && (open || !later);
    return spent;
}

// Whether the walk goes on, and with which way. Where no other is left and none has come to the
// kernel's end, the first one is gone again, further.
static bool next_way(struct explorer *explorer, struct pending *next, const struct budget *budget)
{
    if (next_pending(explorer, next))
        return !is_enough(explorer, next, budget);
    *next = (struct pending){0};
    return !explorer->ended && !is_enough(explorer, next, budget);
}

// Whether the launch has several blocks, and says how many.
static bool grid_is_known(const struct engine *engine)
{
    const int64_t *grid = engine->shape.grid;
    return !engine->host && grid[0] > 0 && grid[1] > 0 && grid[2] > 0 &&
           (grid[0] > 1 || grid[1] > 1 || grid[2] > 1);
}

// What the numbers that the launch passes leave open is tried both ways, as long as that does
// something new: a loop over work that nobody knows the end of has a round.
static void walk_given(struct explorer *explorer, ir_function_id entry, uint64_t max_steps,
                       struct trace *trace)
{
    struct pending from = {0};
    arrsetlen(explorer->pending, 0);
    hmfree(explorer->seen);
    explorer->given = true;
    explorer->quiet = 0;
    uint32_t ways = 0;
    do {
        walk(explorer, entry, &from, max_steps, trace, true);
    } while (++ways < GIVEN_WAYS && explorer->quiet < FEW_WAYS && next_pending(explorer, &from) &&
             from.rank < LATER);
}

// The same with the numbers of one launch after the other, where these differ or the host chooses
// them.
static void walk_each_given(struct explorer *explorer, ir_function_id entry, uint64_t max_steps,
                            struct trace *trace)
{
    struct engine *engine = explorer->engine;
    const struct engine_shape shape = engine->shape;
    struct engine_numbers numbers[GIVEN_CALLS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape.calls && count < GIVEN_CALLS; ++i)
        count = call_choices(shape.call[i], &shape, numbers, count, GIVEN_CALLS);
    for (uint32_t k = 0; k < count; ++k) {
        engine->chosen = numbers[k].known;
        engine->shape.arguments_known |= numbers[k].known;
        for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
            if (numbers[k].known >> i & 1)
                engine->shape.argument[i] = numbers[k].number[i];
        }
        walk_given(explorer, entry, max_steps, trace);
        engine->shape = shape;
        engine->chosen = 0;
    }
}

static ptrdiff_t launches_found(const struct engine *engine)
{
    return engine->host && engine->launches ? arrlen(engine->launches->shape) : 0;
}

static void explore(struct engine *engine, ir_function_id entry, uint32_t max_runs,
                    uint64_t max_steps)
{
    struct explorer explorer = {.engine = engine};
    struct engine_unit *known = engine->known;
    engine->values.arena = known->values;
    engine->runs = known->runs;
    struct engine_statistics *statistics = &engine->result->statistics;
    struct pending from = {0};
    struct trace trace = {0};
    double seconds = engine->options.max_seconds > 0 ? engine->options.max_seconds : LIMIT_SECONDS;
    struct budget budget = {max_runs, max_steps, clock_processor_seconds() + seconds};
    // First whatever the arguments may be, then with the numbers that the launch passes, and where
    // the grid begins and ends. What a function of the host is given it is given always.
    uint64_t given = engine->host ? 0 : engine->shape.arguments_known;
    if (!engine->host)
        engine->shape.arguments_known = 0;
    engine->passed = given;
    if (!engine->host)
        begin_with_kept(&explorer);
    do {
        ptrdiff_t found = launches_found(engine);
        walk(&explorer, entry, &from, max_steps, &trace, true);
        // A function of the host that chooses among many launches is walked on while it comes to
        // others.
        if (launches_found(engine) > found)
            budget.runs = statistics->runs + max_runs;
    } while (next_way(&explorer, &from, &budget));
    engine->shape.arguments_known |= given;
    bool cut = statistics->cut_short;
    if (given)
        walk_given(&explorer, entry, max_steps, &trace);
    if (!engine->host)
        walk_each_given(&explorer, entry, max_steps, &trace);
    for (enum run_block block = BLOCK_FIRST; block <= BLOCK_LAST; ++block) {
        engine->block = block;
        if (given || grid_is_known(engine))
            walk(&explorer, entry, &(struct pending){0}, max_steps, &trace, false);
    }
    engine->block = BLOCK_ANY;
    statistics->cut_short = cut; // many rounds of a loop are more of the same
    trace_release(&trace);
    arrfree(explorer.pending);
    arrfree(explorer.decided);
    hmfree(explorer.seen);
    free(engine->deeds.slot);
    hmfree(engine->spread);
    hmfree(engine->polled);
    hmfree(engine->chain_of);
    hmfree(engine->alike);
    memo_release(&engine->values);
    arrfree(engine->object);
    // What one kernel took, the next one takes again.
    arena_clear(&engine->values.arena);
    arena_clear(&engine->runs);
    known->values = engine->values.arena;
    known->runs = engine->runs;
}

// --- Kernels ---------------------------------------------------------------------------------

static bool engine_init(struct engine *engine, struct engine_result *result,
                        struct engine_unit *known, ir_function_id kernel,
                        const struct engine_shape *shape)
{
    *engine = (struct engine){.arena = &result->arena,
                              .known = known,
                              .unit = known->ir,
                              .model = known->model,
                              .kernel = kernel,
                              .shape = *shape,
                              .result = result};
    int64_t threads = 1, blocks = 1;
    for (int k = 0; k < 3; ++k) {
        engine->shape.block[k] = shape->block[k] > 0 ? shape->block[k] : 1;
        engine->shape.cluster[k] = shape->cluster[k] > 0 ? shape->cluster[k] : 1;
        threads *= engine->shape.block[k] <= 1024 ? engine->shape.block[k] : 1025;
        blocks *= engine->shape.cluster[k] <= 16 ? engine->shape.cluster[k] : 17;
    }
    if (threads > 1024 || threads < 1)
        return false; // no such block can be launched
    if (blocks > MAX_BLOCKS || blocks * threads > MAX_THREADS) {
        // As many blocks of the cluster as there is room for.
        for (int k = 0; k < 3; ++k)
            engine->shape.cluster[k] = 1;
        blocks = 1;
    }
    engine->block_threads = (uint32_t)threads;
    engine->blocks = (uint32_t)blocks;
    engine->threads = (uint32_t)(threads * blocks);
    return true;
}

void engine_run_kernel(struct engine_result *out, struct engine_unit *unit, ir_function_id kernel,
                       const struct engine_shape *shape, const struct engine_options *options)
{
    *out = (struct engine_result){
        .unit = unit->ir, .model = unit->model, .kernel = kernel, .shape = *shape};
    arena_init(&out->arena);
    double begun = clock_processor_seconds();
    struct engine engine;
    arrput(out->chain, ((struct engine_chain){.parent = UINT32_MAX, .function = kernel}));
    if (!engine_init(&engine, out, unit, kernel, shape) ||
        !(unit->ir->function[kernel].flags & IR_FN_BODY))
        return;
    if (options)
        engine.options = *options;
    slice_build(&engine);
    engine.result->statistics.awaits_copies = engine.known->awaits_copies;
    explore(&engine, kernel, engine.options.max_runs ? engine.options.max_runs : DEFAULT_RUNS,
            engine.options.max_steps ? engine.options.max_steps : DEFAULT_STEPS);
    copies_settle(&engine);
    certainty_settle(&engine);
    hmfree(engine.access_ways);
    trace_settle(out);
    out->statistics.seconds = clock_processor_seconds() - begun;
}

uint64_t engine_run_host(struct engine_shapes *found, struct engine_unit *unit, ir_function_id host,
                         const struct host_calls *calls)
{
    enum { HOST_RUNS = 8, HOST_STEPS = 120000 };
    struct engine_result result = {.unit = unit->ir, .kernel = host};
    arena_init(&result.arena);
    struct engine_shape one = {.block = {1, 1, 1}, .grid = {1, 1, 1}, .cluster = {1, 1, 1}};
    if (calls->given) {
        memcpy(one.argument, calls->given->argument, sizeof one.argument);
        one.arguments_known = calls->given->arguments_known;
    }
    struct engine engine;
    arrput(result.chain, ((struct engine_chain){.parent = UINT32_MAX, .function = host}));
    slice_forget(unit);
    if (engine_init(&engine, &result, unit, host, &one) &&
        unit->ir->function[host].flags & IR_FN_BODY) {
        engine.host = true;
        engine.launches = found;
        engine.calls = calls;
        explore(&engine, host, HOST_RUNS, HOST_STEPS);
        hmfree(engine.access_ways);
    }
    uint64_t steps = result.statistics.steps;
    engine_result_release(&result);
    return steps;
}

void engine_result_release(struct engine_result *result)
{
    engine_schedule_release(result->schedule);
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i)
        arrfree(result->incident[i].step), arrfree(result->incident[i].clean);
    arrfree(result->object);
    arrfree(result->chain);
    arrfree(result->event);
    arrfree(result->incident);
    arena_release(&result->arena);
}
