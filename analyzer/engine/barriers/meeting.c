// Lanes of a warp that meet in an operation with a mask: who is named, who comes, who passes it by.
//
// Lanes are not made to wait. An operation is kept open until every live lane that its mask names
// has executed one of its kind with the same mask, wherever in the text (include/barlint/semantics/
// warp.h), or has exited. Lanes that come to stand where those who did execute it stand, without
// having done so themselves, have passed it by.
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

struct meeting {
    struct meeting *next, **link; // of all, in the order in which they were opened; and what leads
                                  // to it there
    struct meeting *next_alike, **link_alike; // of those who may make each other up, likewise
    struct meetings *of;
    uint32_t first; // the warp's first thread
    uint32_t op;    // enum barlint_warp_op
    uint32_t mask, joined, missing;
    enum barlint_violation violation;
    struct named_site site;
    bool weak; // as of the run when it was opened
    uint32_t weak_decisions;
};

// What is open in one warp of one kind with one mask. A loop may open one in each round, all of
// which wait for lanes that do not come.
struct meetings {
    struct meetings *next; // of the warp
    uint32_t op, mask;
    uint32_t missing; // lanes without which none of them would be open, and perhaps others
    struct meeting *open, **end;
};

uint32_t lanes_in(const struct run *run, const struct mask *mask, uint32_t first)
{
    uint32_t size = run->engine->block_threads, at = first / 64, shift = first % 64;
    uint32_t rest = first / size * size + size - first; // to the end of its block
    uint64_t lanes = mask->word[at] >> shift;
    if (shift > 32 && at + 1 < run->masks->words)
        lanes |= mask->word[at + 1] << (64 - shift);
    return (uint32_t)lanes & (rest < 32 ? (1u << rest) - 1 : ~0u);
}

static const struct mask *threads_of(struct run *run, uint32_t first, uint32_t lanes)
{
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    for (uint32_t lane = 0; lane < 32; ++lane) {
        if (lanes >> lane & 1)
            word[(first + lane) / 64] |= UINT64_C(1) << ((first + lane) % 64);
    }
    return mask_from_words(run->masks, word);
}

static enum barlint_warp_op warp_op_of(const struct model_op *op)
{
    switch (op->kind) {
    case MODEL_WARP_ELECT:
        return BARLINT_WARP_ELECT_SYNC;
    case MODEL_WARP_SHUFFLE:
        return BARLINT_WARP_SHUFFLE;
    case MODEL_WARP_VOTE:
        return BARLINT_WARP_VOTE;
    case MODEL_WARP_MATCH:
        return BARLINT_WARP_MATCH;
    case MODEL_WARP_REDUCE:
    case MODEL_GROUP_COLLECTIVE:
        return BARLINT_WARP_REDUCE;
    default:
        return BARLINT_WARP_SYNC;
    }
}

static struct meetings *meetings_of(struct run *run, uint32_t first, uint32_t op, uint32_t mask)
{
    struct machines *machines = run->machines;
    if (!machines->meeting_of)
        machines->meeting_of = arena_array(&run->arena, struct meetings *, run->masks->threads);
    struct meetings *of = machines->meeting_of[first];
    while (of && (of->op != op || of->mask != mask))
        of = of->next;
    if (of)
        return of;
    of = arena_new(&run->arena, struct meetings);
    *of = (struct meetings){.next = machines->meeting_of[first], .op = op, .mask = mask};
    of->end = &of->open;
    return machines->meeting_of[first] = of;
}

static void open_meeting(struct run *run, struct meeting *fresh)
{
    struct machines *machines = run->machines;
    struct meetings *of = fresh->of;
    of->missing |= fresh->missing;
    fresh->link_alike = of->end;
    *of->end = fresh;
    of->end = &fresh->next_alike;
    fresh->link = machines->meeting ? machines->meeting_end : &machines->meeting;
    *fresh->link = fresh;
    machines->meeting_end = &fresh->next;
}

static void close_meeting(struct run *run, struct meeting *open)
{
    *open->link_alike = open->next_alike;
    if (open->next_alike)
        open->next_alike->link_alike = open->link_alike;
    else
        open->of->end = open->link_alike;
    *open->link = open->next;
    if (open->next)
        open->next->link = open->link;
    else
        run->machines->meeting_end = open->link;
}

// Lanes that come make up what others wait for. Returns those that none does.
static uint32_t make_up(struct run *run, struct meetings *of, uint32_t lanes, uint32_t live)
{
    uint32_t missing = 0;
    if (!(lanes & of->missing))
        return lanes;
    for (struct meeting *old = of->open, *next; old; old = next) {
        next = old->next_alike;
        uint32_t come = lanes & old->missing;
        if (come) {
            old->joined |= come;
            old->missing &= ~come & live;
            lanes &= ~come;
            if (!old->missing)
                close_meeting(run, old);
        }
        missing |= old->missing;
        if (!lanes)
            return 0; // what is missing behind it stays as it was
    }
    of->missing = missing;
    return lanes;
}

// Lanes of one warp execute an operation that names `mask` of them. Returns those that it does not
// name.
static uint32_t meet(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value, uint32_t first, uint32_t lanes, uint32_t mask)
{
    uint32_t outside = 0;
    bool coalesced = op->scope == MODEL_SCOPE_COALESCED;
    bool of_group = op->scope == MODEL_SCOPE_TILE || coalesced;
    enum barlint_warp_op kind = warp_op_of(op);
    uint32_t live = lanes_in(run, run->masks->all, first) & ~lanes_in(run, run->exited, first);
    struct barlint_warp warp;
    barlint_warp_start(&warp, live);
    struct barlint_effect effect = barlint_warp_join(&warp, kind, mask, lanes, 0);
    if (barlint_effect_has(effect, BARLINT_WARP_MASK_SELF) && (!of_group || coalesced))
        outside = lanes & ~mask;
    lanes &= mask;
    struct meetings *of = meetings_of(run, first, kind, mask);
    lanes = make_up(run, of, lanes, live);
    uint32_t missing = mask & live & ~lanes;
    if (lanes == 0 || missing == 0)
        return outside;
    struct meeting *fresh = arena_new(&run->arena, struct meeting);
    *fresh = (struct meeting){
        .of = of,
        .first = first,
        .op = kind,
        .mask = mask,
        .weak = run->weak,
        .weak_decisions = run->weak_decisions,
        .joined = lanes,
        .missing = missing,
        .violation = coalesced  ? BARLINT_GROUP_COALESCED_STALE
                     : of_group ? BARLINT_GROUP_COLLECTIVE_DIVERGENT
                                : barlint_warp_blame(kind),
        .site = {group->frame->function, value, group->frame->chain,
                 ir_op_at(&run->engine->unit->function[group->frame->function], value)->loc}};
    open_meeting(run, fresh);
    return outside;
}

// The lanes that the operation names in that thread; false where nobody knows.
static bool mask_at(const struct run *run, const struct model_op *op, const struct node *mask,
                    uint32_t thread, uint32_t *out)
{
    if (op->scope == MODEL_SCOPE_TILE) {
        if (op->tile_size < 1 || op->tile_size > 32 || op->tile_size & (op->tile_size - 1))
            return false;
        uint32_t size = (uint32_t)op->tile_size, lane = thread % run->engine->block_threads % 32;
        *out = (size == 32 ? ~0u : (1u << size) - 1) << lane / size * size;
        return true;
    }
    // Operations of before sm_70 name nobody: those that are there take part.
    int64_t value = -1;
    if (mask ? !node_lane(mask, thread, &value) : op->scope == MODEL_SCOPE_WARP)
        return false;
    *out = (uint32_t)value;
    return true;
}

const uint32_t *meeting_named(struct run *run, struct group *group, const struct model_op *op)
{
    const struct node *mask =
        op->mask == IR_NONE ? NULL : resolve(run, operand_field(run, group, op, &op->mask));
    struct model_op sized = *op;
    if (op->scope == MODEL_SCOPE_COALESCED || (mask && !node_known(mask)) ||
        !run->engine->shape.block_known)
        return NULL;
    if (op->scope == MODEL_SCOPE_TILE)
        sized.tile_size = groups_tile_size(run, group, op);
    uint32_t first = group->mask->first, all;
    if ((!mask || mask->kind == NODE_CONST) && mask_at(run, &sized, mask, first, &all) && !~all)
        return NULL;
    uint32_t *named = arena_array(&run->arena, uint32_t, run->masks->threads);
    mask_each (run->masks, group->mask, t) {
        if (!mask_at(run, &sized, mask, t, &named[t]) || !(named[t] >> (t - warp_of(run, t)) & 1))
            return NULL;
    }
    return named;
}

// Threads that stand at a barrier, where they may stay.
static const struct mask *standing(struct run *run)
{
    const struct mask *threads = run->masks->none;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        const struct group *group = run->group[i];
        if (group->state == GROUP_BLOCKED && group->wait != WAIT_WARP)
            threads = mask_or(run->masks, threads, group->mask);
    }
    return threads;
}

bool meeting_is_held_up(struct run *run, struct group *group, const struct model_op *op)
{
    const struct node *mask =
        op->mask == IR_NONE ? NULL : resolve(run, operand_field(run, group, op, &op->mask));
    const struct mask *held = standing(run);
    if (held->count == 0)
        return false;
    mask_each (run->masks, group->mask, t) {
        uint32_t named = 0;
        if (!mask_at(run, op, mask, t, &named) || !(named & lanes_in(run, held, warp_of(run, t))))
            return false;
    }
    return true;
}

// Lanes execute an operation whose mask does not name them; `mask` is that of the first of them.
static void meeting_outside(struct run *run, struct group *group, const struct model_op *op,
                            ir_value value, const struct mask *outside, uint32_t mask)
{
    const struct engine_shape *shape = &run->engine->shape;
    bool weak = run->weak;
    run->weak |= op->scope == MODEL_SCOPE_COALESCED && !shape->block_known;
    // Rows of a warp each, where the block is a guess of one row: further threads are none there.
    run->weak |= outside->first >= 32 && run_lacks_rows(run);
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION,
        op->scope == MODEL_SCOPE_COALESCED ? BARLINT_GROUP_COALESCED_STALE : BARLINT_WARP_MASK_SELF,
        group->frame->function, value, group->frame->chain, UINT32_MAX, outside);
    run->weak = weak;
    if (!incident)
        return;
    incident->number[0] = mask;
    incident->number[1] = outside->first;
    // The mask may be made for blocks of another size.
    incident->number[2] = shape->source == ENGINE_SHAPE_GUESS && !shape->block_known;
}

void meeting_join(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    const struct node *mask =
        op->mask == IR_NONE ? NULL : resolve(run, operand_field(run, group, op, &op->mask));
    if (op->scope == MODEL_SCOPE_COALESCED && !(mask = groups_members(run, group, op)))
        return;
    struct model_op sized = *op;
    if (op->scope == MODEL_SCOPE_TILE)
        sized.tile_size = groups_tile_size(run, group, op);
    op = &sized;
    if (run->afterlife || (mask && !node_known(mask)))
        return;
    uint32_t wrong = 0;
    bool alike = op->scope != MODEL_SCOPE_TILE && (!mask || mask->kind == NODE_CONST);
    const struct mask *outside = run->masks->none;
    warps_each(run, group->mask, first, end)
    {
        uint32_t rest = lanes_in(run, group->mask, first);
        // Lanes with one mask execute it together.
        while (rest) {
            uint32_t lead = (uint32_t)__builtin_ctz(rest), named = 0, same = alike ? rest : 0;
            if (!mask_at(run, op, mask, first + lead, &named))
                return;
            for (uint32_t lane = lead; lane < 32 && !alike; ++lane) {
                uint32_t other = 0;
                if (rest >> lane & 1 && mask_at(run, op, mask, first + lane, &other) &&
                    other == named)
                    same |= 1u << lane;
            }
            rest &= ~same;
            uint32_t lanes = meet(run, group, op, value, first, same, named);
            if (lanes && outside->count == 0)
                wrong = named;
            if (lanes)
                outside = mask_or(run->masks, outside, threads_of(run, first, lanes));
        }
    }
    if (outside->count)
        meeting_outside(run, group, op, value, outside, wrong);
}

void meeting_exit(struct run *run, const struct mask *mask)
{
    for (struct meeting *open = run->machines->meeting; open; open = open->next) {
        open->missing &= ~lanes_in(run, mask, open->first);
        if (!open->missing)
            close_meeting(run, open);
    }
}

// Whether the lanes of every warp part alike there, whatever the size of the block, which is
// guessed. A block of several dimensions may have its threads in other lanes.
static bool parts_every_warp(const struct run *run, const struct parting *parting, uint32_t first)
{
    uint32_t lanes = lanes_in(run, parting->side[0], first);
    if (!parting->by_number || lanes == 0 || lanes == UINT32_MAX || run->asks_rows ||
        run->engine->threads < 64)
        return false;
    for (uint32_t t = 0; t < run->engine->threads; t += 32) {
        if (lanes_in(run, parting->side[0], t) != lanes ||
            lanes_in(run, parting->side[1], t) != ~lanes)
            return false;
    }
    return true;
}

// Whether threads part there in launches as they are meant, whatever else they are given.
static bool parts_surely(const struct run *run, const struct parting *parting)
{
    return parting->by_data || parting->by_rest ||
           (parting->by_number && run->engine->shape.block_known);
}

static void meeting_missed(struct run *run, const struct meeting *open, uint32_t present,
                           uint32_t absent, bool over)
{
    const struct mask *here = threads_of(run, open->first, present);
    const struct mask *away = threads_of(run, open->first, absent);
    struct parting_found found;
    if (!parting_between(run, away, here, &found))
        return;
    // Lanes beyond the last element that go from their bound to the end of the kernel are no longer
    // there for those who wait (CUDA Programming Guide 13, 5.4.6.6: "non-exited"), and gave
    // nothing.
    if (over && open->op == BARLINT_WARP_SYNC && found.parting->by_rest)
        return;
    // What the sizes that a kernel is given, or those of its blocks, may never let happen is no
    // strong claim, unless the launch allows for it by rounding up.
    bool weak = run->weak;
    uint32_t weak_decisions = run->weak_decisions;
    const struct parting *parting = found.parting;
    bool block_known = run->engine->shape.block_known;
    bool every_warp = !block_known && parts_every_warp(run, parting, open->first);
    run->weak_decisions = open->weak_decisions;
    run->weak = open->weak || (!every_warp && !parts_surely(run, parting));
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, open->violation, open->site.function, open->site.op,
                        open->site.chain, UINT32_MAX, here);
    run->weak = weak;
    run->weak_decisions = weak_decisions;
    if (!incident)
        return;
    incident->lanes = every_warp ? absent : 0;
    incident->number[0] = open->mask;
    incident->number[1] = parting->is_loop;
    record_threads(run, &incident->missing, away);
    record_parting(run, incident, parting, away);
}

void warps_met(struct run *run, const struct mask *together, bool over)
{
    for (struct meeting *open = run->machines->meeting; open; open = open->next) {
        uint32_t lanes = lanes_in(run, together, open->first);
        uint32_t present = lanes & open->joined, absent = lanes & open->missing;
        if (!present || !absent)
            continue;
        meeting_missed(run, open, present, absent, over);
        close_meeting(run, open);
    }
}

// The lane of the member of that rank; UINT32_MAX for none.
static uint32_t member_of(uint32_t members, int64_t rank)
{
    for (uint32_t lane = 0; lane < 32; ++lane) {
        if (members >> lane & 1 && rank-- == 0)
            return lane;
    }
    return UINT32_MAX;
}

void meeting_reads(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    if (op->scope != MODEL_SCOPE_COALESCED || op->warp_op != MODEL_SHFL_IDX ||
        op->lane == IR_NONE || run->afterlife)
        return;
    const struct node *members = groups_members(run, group, op);
    const struct node *source = resolve(run, operand_field(run, group, op, &op->lane));
    const struct mask *readers = run->masks->none, *gone = run->masks->none;
    mask_each (run->masks, group->mask, t) {
        int64_t named, rank;
        if (!members || !node_lane(members, t, &named) || !node_lane(source, t, &rank))
            return;
        uint32_t lane = member_of((uint32_t)named, rank), from = warp_of(run, t) + lane;
        if (lane == UINT32_MAX || !mask_has(run->exited, from))
            continue;
        readers = mask_or(run->masks, readers, mask_one(run->masks, t));
        gone = mask_or(run->masks, gone, mask_one(run->masks, from));
    }
    struct parting_found found;
    if (gone->count == 0 || !parting_between(run, gone, readers, &found))
        return;
    bool weak = run->weak;
    run->weak |= !parts_surely(run, found.parting);
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_GROUP_COALESCED_STALE,
                        group->frame->function, value, group->frame->chain, UINT32_MAX, readers);
    run->weak = weak;
    if (!incident)
        return;
    record_threads(run, &incident->missing, gone);
    record_parting(run, incident, found.parting, gone);
}
