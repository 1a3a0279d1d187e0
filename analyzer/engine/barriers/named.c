// Named barriers in a run, __syncthreads() among them: who comes, who wakes, what goes wrong.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

// A barrier with a count is a place of its own wherever the helper that holds it is called: lanes
// of one warp that come by two calls do not come together. Warps may come to __syncthreads()
// through a helper from several roles, and are told apart by the statement alone.
static uint32_t site_number(struct run *run, ir_function_id function, ir_value op, uint32_t chain,
                            bool counted)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->site); ++i) {
        const struct named_site *old = &machines->site[i];
        if (old->function == function && old->op == op && (!counted || old->chain == chain))
            return (uint32_t)i + 1;
    }
    struct ir_loc loc = ir_op_at(&run->engine->unit->function[function], op)->loc;
    arrput(machines->site, ((struct named_site){function, op, chain, loc}));
    return (uint32_t)arrlen(machines->site);
}

// The warps of one block among the threads of a group.
struct warps {
    uint32_t block;
    uint32_t lanes[BARLINT_MAX_WARPS];
};

static void warps_of(const struct run *run, const struct mask *mask, uint32_t block,
                     struct warps *out)
{
    memset(out, 0, sizeof *out);
    out->block = block;
    uint32_t size = run->engine->block_threads;
    for (uint32_t w = 0; w * 32 < size; ++w) {
        uint32_t first = block * size + w * 32, rest = size - w * 32;
        uint64_t lanes = mask->word[first / 64] >> first % 64;
        if (first % 64 > 32 && first / 64 + 1 < run->masks->words)
            lanes |= mask->word[first / 64 + 1] << (64 - first % 64);
        out->lanes[w] = (uint32_t)lanes & (rest < 32 ? (1u << rest) - 1 : UINT32_MAX);
    }
}

static void named_wake(struct run *run, uint32_t block, uint32_t slot)
{
    struct block_state *state = &run->machines->block[block];
    uint32_t size = run->engine->block_threads;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
        uint32_t woken = barlint_cta_wake(&state->cta, slot, w);
        for (uint32_t lane = 0; lane < 32; ++lane) {
            uint32_t t = block * size + w * 32 + lane;
            if (!(woken >> lane & 1))
                continue;
            run->machines->asleep[t] = false;
            ++run->machines->epoch[t];
            word[t / 64] |= UINT64_C(1) << (t % 64);
        }
    }
    trace_named_complete(run, block, slot);
    orders_over(&state->released[slot]);
    const struct mask *passed = mask_from_words(run->masks, word);
    if (state->opener_count[slot] == 0 || state->opener_count[slot] == size)
        unread_met(run, block);
    if (state->opener_count[slot] == 0)
        orders_acquire_all(run, passed, &state->released[slot]);
    else
        orders_acquire(run, passed, &state->released[slot]);
    ++run->changes;
}

// Two operations that do not go together, whichever came first.
static bool is_about_two(enum barlint_violation violation)
{
    return violation == BARLINT_NAMED_COUNT_MISMATCH || violation == BARLINT_NAMED_ID_CONFLICT ||
           violation == BARLINT_NAMED_RED_MIX || violation == BARLINT_SYNC_TWO_SITES;
}

static bool site_before(const struct run *run, const struct named_site *a,
                        const struct named_site *b)
{
    struct ir_loc one = record_place(run, a->chain, a->loc);
    struct ir_loc other = record_place(run, b->chain, b->loc);
    if (one.file != other.file)
        return one.file < other.file;
    if (one.line != other.line)
        return one.line < other.line;
    if (one.column != other.column)
        return one.column < other.column;
    return a->chain < b->chain;
}

// An operation that joins a generation, and what is wrong with that.
struct joining {
    const struct mask *mask;
    struct named_site site;
    uint32_t block, slot, count;
    struct named_site opener; // before it joined
    uint32_t opener_count;
    bool parts; // lanes of one warp stand at different places
    bool apart; // two_groups() of the generation before and this one
    struct barlint_violations violations;
};

// Whether the barrier is part of one of CUB's primitives, which want all threads of the block.
static bool is_primitive(const struct run *run, const struct named_site *site)
{
    const char *name = run->engine->unit->function[site->function].name;
    return strncmp(name, "cub::Block", 10) == 0 || strncmp(name, "cub::detail::Block", 18) == 0;
}

// A mistake of two operations is told at the later one in the text: which of them comes first in
// time is chance.
static void named_violation(struct run *run, const struct joining *joining)
{
    struct block_state *state = &run->machines->block[joining->block];
    uint32_t slot = joining->slot;
    for (uint32_t v = barlint_violations_next(joining->violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(joining->violations, v + 1)) {
        // Judged by the values of all runs.
        if (v == BARLINT_NAMED_ID_RANGE || v == BARLINT_NAMED_COUNT_MULTIPLE ||
            v == BARLINT_NAMED_COUNT_ZERO)
            continue;
        // What the exits and meeting places of whole-block barriers say leaves the count right.
        state->spoiled[slot] |= v != BARLINT_EXIT_BEFORE_SYNC && v != BARLINT_SYNC_TWO_SITES;
        if (v == BARLINT_EXIT_BEFORE_SYNC)
            abandoned_barrier(run, &joining->site);
        bool two = is_about_two((enum barlint_violation)v) ||
                   (v == BARLINT_NAMED_PARTICIPANTS && joining->apart);
        bool other = two && site_before(run, &joining->site, &joining->opener);
        const struct named_site *site = other ? &joining->opener : &joining->site;
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, (enum barlint_violation)v, site->function,
                            site->op, site->chain, UINT32_MAX, joining->mask);
        if (!incident)
            continue;
        incident->number[0] = slot;
        incident->number[1] = other ? joining->opener_count : joining->count;
        incident->number[2] = other ? joining->count : joining->opener_count;
        if (v == BARLINT_SYNC_TWO_SITES)
            incident->number[1] = joining->parts;
        if (v == BARLINT_EXIT_BEFORE_SYNC)
            incident->number[1] = is_primitive(run, site) ? ENGINE_EXIT_PART : ENGINE_EXIT_NOTHING;
        if (two) {
            const struct named_site *second = other ? &joining->site : &joining->opener;
            incident->branch = second->loc;
            record_step(run, incident, record_place(run, second->chain, second->loc),
                        "the other operation stands here");
        }
        record_deeds(run, incident, arena_printf(run->engine->arena, "barrier %u", slot),
                     state->deed[slot], state->deeds[slot]);
    }
}

// Whether lanes of some warp wait for the rest of their warp.
static bool slot_gathers(const struct block_state *state, uint32_t slot)
{
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
        if (state->cta.warp[slot][w].lanes)
            return true;
    }
    return false;
}

// Whether the threads open a generation while nothing makes them come after the one before, which
// none of them took part in: its threads have done nothing since that others could wait for. The
// two groups may come together; a single warp makes up its barrier alone.
static bool two_groups(struct run *run, const struct block_state *state, uint32_t slot,
                       const struct mask *mask, const struct barlint_named_op *op)
{
    const struct mask *ended = state->group[slot].ended;
    return op->count > 32 && !state->group[slot].came && ended &&
           !mask_overlaps(run->masks, ended, mask) &&
           machines_releases(run, ended) == state->group[slot].releases;
}

static void group_came(struct run *run, struct block_state *state, uint32_t slot,
                       const struct mask *mask, const struct barlint_named_op *op, bool completed)
{
    const struct mask *came = state->group[slot].came ? state->group[slot].came : run->masks->none;
    came = mask_or(run->masks, came, mask);
    state->group[slot].came = completed ? NULL : came;
    if (!completed)
        return;
    state->group[slot].ended = op->count != 0 ? came : NULL;
    state->group[slot].releases = machines_releases(run, came);
}

// A warp that arrives and then waits at the same barrier counts twice. The count may allow for
// that: then nobody is missing when the barrier opens. A warp that comes later was to be waited
// for. Where all warps of the generation came twice they gave themselves the first turn: the warps
// that arrive there later, and do not wait, give them the next one. So does one that knows that the
// first turn is over by the time it arrives: it was not to be waited for then.
static void check_twice(struct run *run, uint32_t block, uint32_t slot,
                        const struct barlint_named_op *op, uint32_t warp)
{
    struct block_state *state = &run->machines->block[block];
    uint32_t warps = state->twice[slot].warps;
    if (!warps || warps >> warp & 1 || state->twice[slot].count != op->count ||
        (op->kind == BARLINT_NAMED_ARRIVE &&
         (state->twice[slot].all || again_is_over(run, block, slot, warp))))
        return;
    struct joining joining = {.mask = state->twice[slot].mask,
                              .site = state->twice[slot].site,
                              .block = block,
                              .slot = slot,
                              .count = state->twice[slot].count,
                              .violations = barlint_violations_none()};
    barlint_violations_add(&joining.violations, BARLINT_NAMED_DOUBLE_ARRIVE);
    named_violation(run, &joining);
    state->twice[slot].warps = 0;
}

// One warp joins the generation.
static struct barlint_effect join_warp(struct run *run, const struct joining *joining,
                                       const struct barlint_named_op *op, uint32_t warp,
                                       uint32_t lanes)
{
    struct block_state *state = &run->machines->block[joining->block];
    uint32_t slot = joining->slot;
    check_twice(run, joining->block, slot, op, warp);
    uint32_t arrived = state->cta.slot[slot].arrived | UINT32_C(1) << warp;
    struct barlint_effect effect = barlint_cta_join(&state->cta, warp, lanes, op);
    if (op->kind != BARLINT_NAMED_ARRIVE &&
        barlint_violations_has(effect.violations, BARLINT_NAMED_DOUBLE_ARRIVE)) {
        barlint_violations_drop(&effect.violations, BARLINT_NAMED_DOUBLE_ARRIVE);
        state->twice[slot].site = joining->site;
        state->twice[slot].mask = joining->mask;
        state->twice[slot].count = op->count;
        state->twice[slot].open = true;
        state->twice[slot].again |= UINT32_C(1) << warp;
    }
    if (effect.completed) {
        if (state->twice[slot].open) {
            state->twice[slot].warps = arrived;
            state->twice[slot].all = state->twice[slot].again == arrived;
        }
        state->twice[slot].open = false;
        state->twice[slot].again = 0;
        named_wake(run, joining->block, slot);
    }
    return effect;
}

static const char *named_verb(const struct barlint_named_op *op)
{
    return op->kind == BARLINT_NAMED_ARRIVE ? "{arrives|arrive} here" : "{waits|wait} here";
}

// Lanes arrive while others of their warps, which parted from them at a condition, are elsewhere.
// An arrival does not wait for them, and the aligned instruction must not be executed without them.
static void arrive_parts(struct run *run, struct group *group, const struct mask *mask,
                         const struct barlint_named_op *op, ir_value value)
{
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    warps_each(run, mask, first, end)
    {
        for (uint32_t lane = first; lane < end; ++lane)
            word[lane / 64] |= UINT64_C(1) << (lane % 64);
    }
    const struct mask *away = mask_minus(run->masks, mask_from_words(run->masks, word),
                                         mask_or(run->masks, run->exited, group->mask));
    struct parting_found found = {0};
    if (away->count == 0 || !parting_between(run, away, mask, &found))
        return;
    const struct join *join = group->join;
    while (join && memcmp(&join->branch, &found.parting->branch, sizeof join->branch) != 0)
        join = join->outer;
    // Those that return where they part stand for nobody once they have exited.
    if (!join || (found.returns && join->block == IR_NONE))
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_NAMED_DIVERGENT, group->frame->function, value,
                        group->frame->chain, UINT32_MAX, mask);
    for (uint32_t b = 0; b < run->engine->blocks; ++b)
        run->machines->block[b].spoiled[barlint_named_slot_of(op->id)] = true;
    if (!incident)
        return;
    incident->branch = found.parting->branch;
    incident->number[0] = barlint_named_slot_of(op->id);
    record_threads(run, &incident->missing, away);
    record_step(run, incident, found.parting->branch, "%s {takes|take} another way here",
                mask_words(run, away));
}

// The warps of the operation join the generation one after the other. Returns their effects as one:
// a barrier that more warps come to than are counted completes several times at one go.
static struct barlint_effect join_warps(struct run *run, struct joining *joining,
                                        const struct warps *warps,
                                        const struct barlint_named_op *op, uint32_t time)
{
    struct block_state *state = &run->machines->block[joining->block];
    const uint32_t slot = joining->slot, first = joining->block * run->engine->block_threads;
    struct barlint_effect all = barlint_effect_none();
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
        const uint32_t lanes = warps->lanes[w];
        if (!lanes)
            continue;
        joining->parts |= (state->cta.block.live[w] & ~lanes) != 0;
        if (!state->cta.slot[slot].open && !slot_gathers(state, slot)) {
            state->opener[slot] = joining->site;
            state->opener_count[slot] = op->count;
        }
        for (uint32_t lane = 0; lane < 32; ++lane) {
            if (lanes >> lane & 1 && op->kind != BARLINT_NAMED_ARRIVE)
                run->machines->asleep[first + w * 32 + lane] = true;
        }
        struct barlint_effect effect = join_warp(run, joining, op, w, lanes);
        again_joined(run, joining->block, slot, w, op->kind == BARLINT_NAMED_ARRIVE, time,
                     effect.completed);
        barlint_violations_merge(&all.violations, effect.violations);
        all.completed |= effect.completed;
    }
    return all;
}

// What is wrong with the operation of so many warps, as far as that is known at once. Whether the
// other lanes of a warp come too is not: a group holds the threads that came together, not all that
// will. Skipped barriers are found when nobody can go on.
static struct barlint_violations judge_join(const struct run *run, const struct joining *joining,
                                            const struct barlint_named_op *op,
                                            struct barlint_effect effect, uint32_t arrivals)
{
    const struct block_state *state = &run->machines->block[joining->block];
    struct barlint_violations violations = effect.violations;
    barlint_violations_drop(&violations, BARLINT_SYNC_DIVERGENT);
    barlint_violations_drop(&violations, BARLINT_NAMED_DIVERGENT);
    if (effect.completed && op->count == 0 && barlint_block_has_exits(&state->cta.block))
        barlint_violations_add(&violations, BARLINT_EXIT_BEFORE_SYNC);
    // More warps than are counted come at one go: what they complete are several generations.
    bool surplus = op->count != 0 && !joining->parts && arrivals > (op->count + 31) / 32;
    if (surplus || joining->apart)
        barlint_violations_add(&violations, BARLINT_NAMED_PARTICIPANTS);
    return violations;
}

// The threads of one block, at least one, come to the barrier.
static void named_join_block(struct run *run, struct group *group, const struct mask *here,
                             uint32_t block, const struct barlint_named_op *op,
                             const struct named_site *site)
{
    struct block_state *state = &run->machines->block[block];
    const uint32_t slot = barlint_named_slot_of(op->id);
    const uint32_t generation = state->cta.slot[slot].generation;
    struct joining joining = {.mask = here,
                              .site = *site,
                              .block = block,
                              .slot = slot,
                              .count = op->count,
                              .opener = state->opener[slot],
                              .opener_count = state->opener_count[slot]};
    struct warps warps;
    warps_of(run, here, block, &warps);
    uint32_t coming = 0; // a bit a warp
    for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w)
        coming |= (uint32_t)(warps.lanes[w] != 0) << w;
    const struct mask *users = state->slot_users[slot];
    state->slot_users[slot] = users ? mask_or(run->masks, users, here) : here;
    touch_release(run, here, false);
    const uint32_t time = orders_time(run);
    again_joins(run, block, slot, site, coming);
    orders_release(run, here, &state->released[slot]);
    trace_named(run, group, here, site->op, block, op);
    joining.apart = two_groups(run, state, slot, here, op);
    struct barlint_effect effect = join_warps(run, &joining, &warps, op, time);
    // Who meets there next hears of those alone that come to that meeting.
    if (effect.completed && op->count != 0 && !state->cta.slot[slot].open)
        orders_forget(&state->released[slot]);
    joining.violations =
        judge_join(run, &joining, op, effect, (uint32_t)__builtin_popcount(coming));
    group_came(run, state, slot, here, op, effect.completed);
    deed_add(run, state->deed[slot], &state->deeds[slot], named_verb(op), here, site->loc,
             generation, INT64_MIN);
    named_violation(run, &joining);
    if (effect.completed) {
        ++run->changes;
        run->yield |= run->policy != POLICY_TOGETHER;
    }
}

static void named_join(struct run *run, struct group *group, const struct mask *mask,
                       const struct barlint_named_op *op, ir_value value)
{
    const uint32_t slot = barlint_named_slot_of(op->id);
    const struct named_site site = {
        group->frame->function, value, group->frame->chain,
        ir_op_at(&run->engine->unit->function[group->frame->function], value)->loc};
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        const struct mask *here = mask_and(run->masks, mask, run->block_mask[b]);
        if (run->coming) {
            const struct mask **coming = &run->coming[b * BARLINT_NAMED_SLOTS + slot];
            *coming = mask_or(run->masks, *coming, here);
        }
        if (!run->named_over && here->count)
            named_join_block(run, group, here, b, op, &site);
    }
}

static bool all_awake(const struct run *run, const struct mask *mask)
{
    mask_each (run->masks, mask, t) {
        if (run->machines->asleep[t])
            return false;
    }
    return true;
}

static void named_result(struct run *run, struct group *group, const struct model_op *op,
                         ir_value value)
{
    const struct ir_op *at = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    const struct node *result = votes_result(run, group, op);
    if (at->type != IR_NONE)
        group_set(run, group, value, result);
    if (op->result != IR_NONE)
        store_result(run, group, group->mask, op->result, result);
}

static void named_note(struct run *run, struct group *group, const struct mask *mask,
                       const struct model_op *op, ir_value value, const struct node *id,
                       const struct node *count)
{
    struct engine_event *event = record_event(run, group, mask, op, value, UINT32_MAX);
    record_range(run, &event->id, id, mask, operand_assumed(run, group, op->id));
    if (count)
        record_range(run, &event->count, count, mask, operand_assumed(run, group, op->count));
}

// The threads of the set that name the same barrier and count as its first one.
static const struct mask *named_alike(struct run *run, const struct mask *mask,
                                      const struct node *id, const struct node *count,
                                      int64_t *out_id, int64_t *out_count)
{
    node_lane(id, mask->first, out_id);
    if (count)
        node_lane(count, mask->first, out_count);
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    mask_each (run->masks, mask, t) {
        int64_t other = 0, threads = 0;
        node_lane(id, t, &other);
        if (count)
            node_lane(count, t, &threads);
        if (other == *out_id && threads == *out_count)
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return mask_from_words(run->masks, word);
}

// Whole warps that wait at different barriers by one operation come to it one after another, where
// roles get ahead of each other: then those at one of them may be far beyond it when others come.
static bool named_apart(struct run *run, struct group *group, const struct mask *same)
{
    const struct mask *rest = mask_minus(run->masks, group->mask, same);
    if (run->policy == POLICY_TOGETHER || rest->count == 0 || group->arms ||
        run->next_group > MAX_GROUPS)
        return false;
    warps_each(run, rest, first, end)
    {
        if (mask_next(run->masks, same, first) < end)
            return false;
    }
    struct group *other = group_fork(run, group, rest);
    --frame_own(run, other)->position;
    --frame_own(run, group)->position;
    run->yield = true;
    return true;
}

bool named_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    const struct node *id = op->id == IR_NONE ? node_const(run->nodes, op->id_constant)
                                              : operand_settled(run, group, op, &op->id);
    const struct node *count =
        op->count == IR_NONE
            ? (op->count_constant ? node_const(run->nodes, op->count_constant) : NULL)
            : operand_settled(run, group, op, &op->count);
    named_note(run, group, group->mask, op, value, id, count);
    if (!node_known(id) || (count && !node_known(count)) || op->flags & MODEL_UNITS_UNKNOWN) {
        ++run->engine->result->statistics.unknown_objects;
        run->weak = true;
        orders_tell(run, group->mask);
        orders_acquire_any(run, group->mask);
        named_result(run, group, op, value);
        return true;
    }
    // Threads with the same id and count execute it together.
    const struct mask *rest = group->mask;
    while (rest->count) {
        int64_t id0 = 0, count0 = 0;
        const struct mask *same = named_alike(run, rest, id, count, &id0, &count0);
        if (op->kind != MODEL_NAMED_ARRIVE && rest == group->mask && named_apart(run, group, same))
            return false;
        rest = mask_minus(run->masks, rest, same);
        // Those at another barrier wait for themselves.
        bool waits = op->kind != MODEL_NAMED_ARRIVE;
        struct group *part = waits && rest->count ? group_fork(run, group, same) : group;
        if (part != group)
            group_block(run, part, WAIT_NAMED, value);
        if (count0 < 0 || count0 > INT32_MAX || count0 % 32 != 0 || id0 < 0) {
            orders_tell(run, same);
            continue; // reported by its value; there is no barrier to simulate
        }
        const struct frame *frame = group->frame;
        struct barlint_named_op named = {
            .id = (uint32_t)id0,
            .count = (uint32_t)count0,
            .site = site_number(run, frame->function, value, frame->chain, count0 != 0),
            .kind = op->kind == MODEL_NAMED_ARRIVE ? BARLINT_NAMED_ARRIVE
                    : op->kind == MODEL_NAMED_RED  ? BARLINT_NAMED_RED
                                                   : BARLINT_NAMED_SYNC,
            .aligned = op->flags & MODEL_ALIGNED};
        for (uint32_t b = 0; b < run->engine->blocks; ++b) {
            if (!mask_overlaps(run->masks, same, run->block_mask[b]))
                continue;
            struct block_state *state = &run->machines->block[b];
            uint32_t slot = barlint_named_slot_of(named.id);
            (count0 ? state->count_form : state->all_form)[slot] = true;
            votes_cast(run, part, op, same, b, slot);
        }
        run->roles |= named.count != 0 || named.id != 0;
        if (named.kind == BARLINT_NAMED_ARRIVE && named.aligned)
            arrive_parts(run, part, same, &named, value);
        named_join(run, part, same, &named, value);
    }
    if (op->kind == MODEL_NAMED_ARRIVE)
        return true;
    group_block(run, group, WAIT_NAMED, value);
    return named_resume(run, group);
}

void named_force(struct run *run, struct group *group)
{
    mask_each (run->masks, group->mask, t)
        run->machines->asleep[t] = false;
    named_resume(run, group);
}

bool named_resume(struct run *run, struct group *group)
{
    if (!all_awake(run, group->mask))
        return false;
    const struct model_op *op = facts_model(run->engine, group->wait_function, group->wait_op);
    if (op->kind == MODEL_NAMED_RED)
        named_result(run, group, op, group->wait_op);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

void named_exit(struct run *run, struct group *group)
{
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        struct warps warps;
        warps_of(run, group->mask, b, &warps);
        for (uint32_t w = 0; w < BARLINT_MAX_WARPS; ++w) {
            if (!warps.lanes[w])
                continue;
            struct barlint_effect effect[BARLINT_NAMED_SLOTS];
            barlint_cta_exit(&run->machines->block[b].cta, w, warps.lanes[w], effect);
            for (uint32_t slot = 0; slot < BARLINT_NAMED_SLOTS; ++slot) {
                if (effect[slot].completed)
                    named_wake(run, b, slot);
            }
        }
    }
}

uint32_t named_slot(struct run *run, struct group *group)
{
    const struct model_op *op = facts_model(run->engine, group->wait_function, group->wait_op);
    int64_t id = op->id_constant;
    if (op->id != IR_NONE) {
        node_lane(resolve(run, group_get(run, group, op->id)), group->mask->first, &id);
    }
    return (uint32_t)id & 15;
}
