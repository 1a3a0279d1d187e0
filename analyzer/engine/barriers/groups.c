// Objects of cooperative groups in a run: the split barrier of a block or grid, by the machine of
// include/barlint/semantics/group.h; collectives of tiles of several warps, whose members wait for
// each other in memory, and copies by a whole block; and coalesced groups, whose members are those
// who stood together when it was made. (Programming Guide 13, 5.6.3.)
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

// Mark the values that stand for a coalesced group and for a tile whose size is no constant of the
// type: expressions over the lanes of its members and over its size, which nothing else computes.
enum { COALESCED_MARK = 0x636f616c, TILE_MARK = 0x74696c65 };
enum { MEMBERS_AT = 8 }; // in a coalesced_group

enum { SPLIT_BLOCK, SPLIT_GRID, SPLIT_KINDS };

// A collective of a tile of several warps, or a copy by the block, that not all members have come
// to.
struct tile_round {
    struct tile_round *next;
    uint32_t first, size; // threads
    bool copies;
    const struct mask *joined;
    struct released released;
    struct named_site site;
};

struct groups {
    struct barlint_group group[SPLIT_KINDS];
    struct barlint_group_thread *thread[SPLIT_KINDS]; // by thread; NULL: nobody has used it yet
    struct named_site *arrive[SPLIT_KINDS];           // by thread: its latest barrier_arrive
    struct tile_round *round;
};

void groups_init(struct run *run)
{
    run->machines->groups = arena_new(&run->arena, struct groups);
}

// --- Split barriers ------------------------------------------------------------------------------

static void tell_split(struct run *run, int kind, enum barlint_violation violation,
                       const struct named_site *site, const struct mask *mask)
{
    const struct named_site *arrive = &run->machines->groups->arrive[kind][mask->first];
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain, UINT32_MAX, mask);
    if (!incident)
        return;
    incident->number[0] = kind == SPLIT_GRID;
    if (arrive->loc.file && violation != BARLINT_GROUP_NEVER_WAITED)
        record_step(run, incident, record_place(run, arrive->chain, arrive->loc),
                    "%s {arrives|arrive} here", mask_words(run, mask));
}

static void split_start(struct run *run, int kind)
{
    uint32_t threads = run->engine->threads;
    struct groups *groups = run->machines->groups;
    barlint_group_start(&groups->group[kind], (uint32_t)kind, UINT32_MAX);
    groups->thread[kind] = arena_array(&run->arena, struct barlint_group_thread, threads);
    groups->arrive[kind] = arena_array(&run->arena, struct named_site, threads);
}

static void split_execute(struct run *run, struct group *group, const struct model_op *op,
                          ir_value value, int kind)
{
    struct groups *groups = run->machines->groups;
    struct barlint_violations all = barlint_violations_none();
    const struct mask *bad = run->masks->none;
    struct named_site site = named_site_of(run, group, value);
    bool arrives = op->kind == MODEL_GROUP_ARRIVE || op->kind == MODEL_GRID_ARRIVE;
    bool waits = op->kind == MODEL_GROUP_WAIT || op->kind == MODEL_GRID_WAIT;
    if (!groups->thread[kind])
        split_start(run, kind);
    mask_each (run->masks, group->mask, t) {
        struct barlint_group_thread *thread = &groups->thread[kind][t];
        struct barlint_violations found = barlint_violations_none();
        struct barlint_group_token token = {.group = (uint32_t)kind, .valid = true};
        if (arrives)
            found = barlint_group_arrive(&groups->group[kind], thread, &token).violations;
        else if (waits)
            found = barlint_group_wait(&groups->group[kind], thread, &token).violations;
        else
            found = barlint_group_collective(thread);
        if (waits)
            thread->held = false;
        if (!barlint_violations_empty(found))
            bad = mask_or(run->masks, bad, mask_one(run->masks, t));
        barlint_violations_merge(&all, found);
    }
    for (uint32_t v = barlint_violations_next(all, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(all, v + 1))
        tell_split(run, kind, (enum barlint_violation)v, &site, bad);
    mask_each (run->masks, group->mask, t) {
        if (arrives)
            groups->arrive[kind][t] = site;
    }
}

// --- Tiles of several warps, and copies by the block ---------------------------------------------

static void tell_absent(struct run *run, const struct tile_round *round, const struct mask *absent)
{
    enum barlint_violation violation =
        round->copies ? BARLINT_GROUP_COLLECTIVE_DIVERGENT : BARLINT_GROUP_TILE_EXIT;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, round->site.function, round->site.op,
                        round->site.chain, UINT32_MAX, round->joined);
    if (!incident)
        return;
    incident->number[0] = round->size;
    incident->number[2] = round->copies;
    record_threads(run, &incident->missing, absent);
}

// Members of the tile come to its barrier.
static void tile_order(struct run *run, const struct mask *here, struct tile_round *round,
                       const struct mask *tile)
{
    orders_tell(run, here);
    touch_release(run, here, false);
    orders_release(run, here, &round->released);
    orders_over(&round->released);
    orders_acquire(run, here, &round->released);
    if (round->joined != tile)
        races_lose(run); // nobody waits here
}

static void tile_join(struct run *run, struct group *group, uint32_t size, bool copies,
                      ir_value value)
{
    struct groups *groups = run->machines->groups;
    uint32_t block = run->engine->block_threads;
    const struct mask *rest = group->mask;
    while (rest->count) {
        uint32_t first = rest->first - rest->first % block % size;
        uint32_t end = first + size < first / block * block + block ? first + size
                                                                    : first / block * block + block;
        const struct mask *tile = mask_range(run->masks, first, end);
        const struct mask *here = mask_and(run->masks, rest, tile);
        rest = mask_minus(run->masks, rest, tile);
        struct tile_round *round = groups->round;
        while (round && (round->first != first || round->size != size || round->copies != copies ||
                         mask_overlaps(run->masks, round->joined, here)))
            round = round->next;
        if (!round) {
            round = arena_new(&run->arena, struct tile_round);
            *round = (struct tile_round){groups->round,
                                         first,
                                         size,
                                         copies,
                                         run->masks->none,
                                         {0},
                                         named_site_of(run, group, value)};
            groups->round = round;
        }
        round->joined = mask_or(run->masks, round->joined, here);
        if (!copies)
            tile_order(run, here, round, tile);
        const struct mask *absent =
            mask_and(run->masks, mask_minus(run->masks, tile, round->joined), run->exited);
        if (absent->count)
            tell_absent(run, round, absent);
        if (absent->count || round->joined == tile) {
            struct tile_round **at = &groups->round;
            while (*at != round)
                at = &(*at)->next;
            *at = round->next;
        }
    }
}

// --- Groups made at run time ---------------------------------------------------------------------

// What is known of a group is kept where the object lies, so that it goes where copies of it go.
static void keep(struct run *run, struct group *group, const struct model_op *op, int mark,
                 const struct node *known)
{
    memory_forget(run, group->mask, group_get(run, group, op->result));
    memory_store(run, group->mask, group_get(run, group, op->result), 8,
                 node_expr(run->nodes, NODE_OP_CALL, 0, mark, known, NULL, NULL), group->arms);
}

// NULL where the operation's group was not made so.
static const struct node *kept(struct run *run, struct group *group, const struct model_op *op,
                               int mark)
{
    if (op->group == IR_NONE)
        return NULL;
    const struct node *address = group_get(run, group, op->group);
    if (address->kind != NODE_ADDRESS)
        return NULL;
    const struct node *held = memory_load(run, group->mask, address, IR_NONE, false);
    bool marked =
        held->kind == NODE_EXPR && held->expr.op == NODE_OP_CALL && held->expr.number == mark;
    return marked ? held->expr.argument[0] : NULL;
}

bool groups_keeps(const struct model_op *op)
{
    bool tile = op->scope == MODEL_SCOPE_BLOCK && op->count != IR_NONE;
    return op->kind == MODEL_GROUP_MAKE && op->result != IR_NONE &&
           (tile || op->scope == MODEL_SCOPE_COALESCED);
}

// tiled_partition(block, size): the size is an argument.
static void tile_make(struct run *run, struct group *group, const struct model_op *op)
{
    keep(run, group, op, TILE_MARK, operand_field(run, group, op, &op->count));
}

int64_t groups_tile_size(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t size = 0;
    const struct node *made = op->tile_size ? NULL : kept(run, group, op, TILE_MARK);
    return made && node_lane(made, group->mask->first, &size) ? size : op->tile_size;
}

static void coalesced_make(struct run *run, struct group *group, const struct model_op *op)
{
    uint32_t block = run->engine->block_threads;
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    mask_each (run->masks, group->mask, t)
        lane[t - t % block % 32] |= INT64_C(1) << (t % block % 32);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        lane[t] = lane[t - t % block % 32];
    const struct node *members = node_vector(run->nodes, lane);
    keep(run, group, op, COALESCED_MARK, members);
    // The word of the object that its ranks are counted in.
    const struct node *at =
        node_binary(run->nodes, IR_ADD, 64, false, group_get(run, group, op->result),
                    node_const(run->nodes, MEMBERS_AT));
    memory_store(run, group->mask, at, 4, members, group->arms);
}

const struct node *groups_members(struct run *run, struct group *group, const struct model_op *op)
{
    return kept(run, group, op, COALESCED_MARK);
}

// --- Entry ---------------------------------------------------------------------------------------

void groups_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    bool copies = op->kind == MODEL_GROUP_COPY || op->kind == MODEL_BULK_LOAD ||
                  op->kind == MODEL_PIPELINE_COPY;
    if (run->afterlife)
        return;
    bool makes = op->kind == MODEL_GROUP_MAKE && op->state != IR_NONE; // this_thread_block(memory)
    if (((copies && op->scope == MODEL_SCOPE_BLOCK && op->group_type[0]) || makes) && !group->arms)
        tile_join(run, group, run->engine->block_threads, true, value);
    switch (op->kind) {
    case MODEL_GROUP_MAKE:
        if (groups_keeps(op))
            (op->scope == MODEL_SCOPE_COALESCED ? coalesced_make : tile_make)(run, group, op);
        break;
    case MODEL_GROUP_ARRIVE:
    case MODEL_GROUP_WAIT:
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_COLLECTIVE:
    case MODEL_GROUP_COPY:
    case MODEL_GROUP_COPY_WAIT:
    case MODEL_GRID_ARRIVE:
    case MODEL_GRID_WAIT:
    case MODEL_GRID_SYNC:
        // A group class of the user may do as it likes.
        if (op->group != IR_NONE && !op->group_type[0])
            break;
        if (op->scope == MODEL_SCOPE_BLOCK || op->scope == MODEL_SCOPE_GRID)
            split_execute(run, group, op, value,
                          op->scope == MODEL_SCOPE_GRID ? SPLIT_GRID : SPLIT_BLOCK);
        else if (op->scope == MODEL_SCOPE_TILE && op->tile_size > 32 && op->tile_size <= 1024)
            tile_join(run, group, (uint32_t)op->tile_size, false, value);
        break;
    default:
        break;
    }
}

void groups_exit(struct run *run, const struct mask *mask)
{
    struct groups *groups = run->machines->groups;
    if (run->afterlife)
        return;
    for (int kind = 0; kind < SPLIT_KINDS; ++kind) {
        if (!groups->thread[kind])
            continue;
        mask_each (run->masks, mask, t) {
            if (!groups->thread[kind][t].held)
                continue;
            groups->thread[kind][t].held = false;
            tell_split(run, kind, BARLINT_GROUP_NEVER_WAITED, &groups->arrive[kind][t],
                       mask_one(run->masks, t));
        }
    }
    for (struct tile_round **at = &groups->round; *at;) {
        const struct mask *tile = mask_range(run->masks, (*at)->first, (*at)->first + (*at)->size);
        const struct mask *absent =
            mask_and(run->masks, mask_minus(run->masks, tile, (*at)->joined), mask);
        if (absent->count) {
            tell_absent(run, *at, absent);
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
}
