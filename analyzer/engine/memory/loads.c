// Asynchronous copies into shared memory that a barrier tells of: who reads or overwrites their
// bytes without knowing that it has. (PTX ISA 9.1, 9.7.9.25.4: the writes of a bulk copy are made
// visible to those who observe its completion on the mbarrier; libcu++ pipeline: those of a stage
// to those who wait for it.) A copy whose place or size is not known is not followed.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum { MOST_LOADS = 64, NO_PIPE = -1 }; // under way at once; the oldest is forgotten

struct load {
    struct piece_of_memory at;
    const struct mask *by;    // who started it
    uint32_t mbarrier, phase; // or of a pipeline:
    int64_t pipe;             // NO_PIPE for an mbarrier
    uint32_t stage;
    uint32_t landed; // when the phase completed; 0: it has not
    bool over;       // somebody has waited for the stage, or its reader was told of
    bool sent;       // the piece is where the copy reads, of its own block
    struct named_site site;
};

struct loads {
    struct load *load; // stb_ds array
};

void loads_init(struct run *run)
{
    run->machines->loads = arena_new(&run->arena, struct loads);
}

void loads_release(struct run *run)
{
    arrfree(run->machines->loads->load);
}

static bool load_of(struct run *run, const struct group *group, const struct mask *mask,
                    const struct node *address, int64_t bytes, struct load *out)
{
    *out = (struct load){.pipe = NO_PIPE, .site = named_site_here(run, group)};
    out->by = mask;
    return !group->arms && !run->afterlife && piece_of(run, group, mask, address, bytes, &out->at);
}

static bool overlap(struct run *run, const struct load *one, const struct load *other)
{
    uint32_t a = 0, b = 0;
    return pieces_meet(run, &one->at, &other->at, &a, &b);
}

// --- Copies --------------------------------------------------------------------------------------

static void add(struct run *run, struct load *fresh, uint32_t mbarrier)
{
    struct load **list = &run->machines->loads->load;
    fresh->mbarrier = mbarrier;
    fresh->phase = run->machines->mbarrier[mbarrier].state.phase;
    for (ptrdiff_t i = arrlen(*list); i-- > 0 && !fresh->sent;) {
        if ((*list)[i].pipe == NO_PIPE && overlap(run, &(*list)[i], fresh))
            arrdel(*list, i);
    }
    if (arrlen(*list) >= MOST_LOADS)
        arrdel(*list, 0);
    arrput(*list, *fresh);
}

// What threads write to another block, as if those at their places there did; false where it is not
// known.
static bool sent_as_own(struct run *run, const struct mask **mask, const struct node **address)
{
    const struct node *rank = (*address)->address.rank, *offset = (*address)->address.offset;
    int64_t *there = arena_array(&run->arena, int64_t, run->masks->threads);
    uint32_t size = run->engine->block_threads;
    struct mask_builder receivers;
    mask_builder_clear(run->masks, &receivers);
    for (uint32_t to = 0; to < run->masks->threads; ++to) {
        for (uint32_t t = to % size; t < run->masks->threads; t += size) {
            int64_t block, at;
            if (!mask_has(*mask, t))
                continue;
            if (!node_lane(rank, t, &block) || !node_lane(offset, t, &at))
                return false;
            if (block != to / size)
                continue;
            there[to] = at;
            mask_builder_add(&receivers, to);
            break;
        }
    }
    *mask = mask_builder_end(run->masks, &receivers);
    *address =
        node_address(run->nodes, (*address)->address.object, node_vector(run->nodes, there), NULL);
    return true;
}

void loads_start(struct run *run, const struct group *group, const struct mask *mask,
                 const struct node *address, int64_t bytes, uint32_t mbarrier)
{
    struct load fresh;
    uint32_t block = run->machines->mbarrier[mbarrier].block;
    const struct mask *by = mask;
    if (address->kind == NODE_ADDRESS && address->address.rank &&
        !sent_as_own(run, &mask, &address))
        return;
    mask = mask_and(run->masks, mask, run->block_mask[block]);
    if (load_of(run, group, mask, address, bytes, &fresh)) {
        fresh.by = by;
        add(run, &fresh, mbarrier);
    }
}

void loads_sent(struct run *run, const struct group *group, const struct mask *mask,
                const struct node *from, int64_t bytes, uint32_t mbarrier)
{
    struct load fresh;
    if (from->kind != NODE_ADDRESS || from->address.rank || bytes <= 0 ||
        run->object[from->address.object].kind != OBJECT_SHARED ||
        !load_of(run, group, mask, from, bytes, &fresh))
        return;
    fresh.sent = true;
    add(run, &fresh, mbarrier);
}

void loads_tracked(struct run *run, const struct piece_of_memory *piece,
                   const struct named_site *site, uint32_t mbarrier)
{
    struct load fresh = {.pipe = NO_PIPE, .site = *site, .at = *piece, .by = piece->mask};
    add(run, &fresh, mbarrier);
}

void loads_landed(struct run *run, uint32_t mbarrier, uint32_t time)
{
    struct loads *loads = run->machines->loads;
    for (ptrdiff_t i = 0; i < arrlen(loads->load); ++i) {
        struct load *load = &loads->load[i];
        if (load->pipe == NO_PIPE && load->mbarrier == mbarrier && !load->landed)
            load->landed = time;
    }
}

// Where nobody waits at a pipeline (pipes_order.c) its producers may be rounds ahead: only the
// first stage that fills some bytes says something of who reads them, and it is kept for that.
void loads_fill(struct run *run, const struct group *group, const struct mask *mask,
                const struct node *address, int64_t bytes, uint32_t pipe, uint32_t stage, bool over)
{
    struct load **list = &run->machines->loads->load, fresh;
    if (arrlen(*list) >= MOST_LOADS || !load_of(run, group, mask, address, bytes, &fresh))
        return;
    fresh.pipe = pipe;
    fresh.stage = stage;
    fresh.over = over;
    for (ptrdiff_t i = 0; i < arrlen(*list); ++i) {
        if ((*list)[i].pipe == (int64_t)pipe && overlap(run, &(*list)[i], &fresh))
            return;
    }
    arrput(*list, fresh);
}

void loads_filled(struct run *run, uint32_t pipe, uint32_t stage)
{
    struct loads *loads = run->machines->loads;
    for (ptrdiff_t i = 0; i < arrlen(loads->load); ++i) {
        struct load *load = &loads->load[i];
        load->over |= load->pipe == (int64_t)pipe && load->stage <= stage;
    }
}

// --- Reads ---------------------------------------------------------------------------------------

// Whether a test has told one of them that the phase which the load completes is open.
static bool was_refused(const struct run *run, const struct load *load, const struct mask *readers)
{
    if (load->pipe != NO_PIPE)
        return false;
    const uint32_t *refused = run->machines->mbarrier[load->mbarrier].refused;
    mask_each (run->masks, readers, t)
        if (refused[t] == load->phase + 1)
            return true;
    return false;
}

// `readers` read the bytes, or write them.
static void tell(struct run *run, const struct group *group, const struct load *load,
                 const struct mask *readers, bool writes)
{
    struct named_site at = named_site_here(run, group);
    bool is_stage = load->pipe != NO_PIPE;
    const struct mbarrier *mbarrier = is_stage ? NULL : &run->machines->mbarrier[load->mbarrier];
    if (run_lacks_rows(run) || (mbarrier && (mbarrier->shared_unknown || !mbarrier->count_known)))
        return;
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION, load->sent ? BARLINT_ASYNC_STORE_OPEN : BARLINT_ASYNC_READ_EARLY,
        at.function, at.op, at.chain, piece_object(run, &load->at), readers);
    if (!incident)
        return;
    incident->number[0] = (load->landed ? 3 : 2) | (writes ? 4 : 0);
    incident->number[1] = load->site.op;
    incident->number[2] = load->site.function;
    bool ordinary;
    incident->needs = NULL;
    if (group->arms)
        within_both(run, NULL, load->at.mask->first, group->arms, readers->first, &ordinary,
                    &incident->needs);
    struct ir_loc place = record_place(run, load->site.chain, load->site.loc);
    const char *who = mask_words(run, load->by);
    if (is_stage)
        record_step(run, incident, place,
                    "%s {starts|start} the copy here, which fills stage %u of the pipeline", who,
                    load->stage);
    else
        record_step(run, incident, place,
                    "%s {starts|start} the copy here, which completes phase %u of '%s'", who,
                    load->phase, run->engine->result->object[mbarrier->result_object].name);
    struct ir_loc here = record_place(run, at.chain, at.loc);
    who = mask_words(run, readers);
    const char *use = writes ? "{overwrites|overwrite}" : "{reads|read}";
    if (was_refused(run, load, readers))
        record_step(run, incident, here,
                    "%s %s the data here, also where a test of that phase comes back before it is "
                    "over",
                    who, use);
    else
        record_step(run, incident, here, "%s %s the data here, and %s waited for that %s", who, use,
                    load->landed ? "{has|have} not" : "nobody has", is_stage ? "stage" : "phase");
}

static bool all_know(const struct run *run, const struct load *load, const struct mask *mask)
{
    return load->landed && orders_completed_all(run, load->mbarrier, load->landed, mask);
}

// Those of the readers who read bytes of the load and do not know of it.
static const struct mask *readers_of(struct run *run, const struct load *load,
                                     const struct piece_of_memory *read)
{
    struct mask_builder readers;
    mask_builder_clear(run->masks, &readers);
    uint32_t writer = 0, reader = 0;
    if (all_know(run, load, read->mask))
        return run->masks->none;
    while (pieces_meet(run, read, &load->at, &reader, &writer)) {
        if (!load->landed || !orders_completed(run, load->mbarrier, load->landed, reader))
            mask_builder_add(&readers, reader);
        ++reader;
        writer = 0;
    }
    return mask_builder_end(run->masks, &readers);
}

// Bytes between which all lies that is read at a place nobody knows: what the index is made of
// bounds it, and the variable does.
static bool bounds_of(struct run *run, const struct node *address, uint32_t size, int64_t *low,
                      int64_t *high)
{
    if (address->kind != NODE_ADDRESS || address->address.rank)
        return false;
    const struct object *object = &run->object[address->address.object];
    if (object->kind != OBJECT_SHARED || object->type == IR_NONE)
        return false;
    int64_t whole = (int64_t)run->engine->unit->type[object->type].size;
    interval_of(run, address->address.offset, low, high);
    *low = *low > 0 ? *low : 0;
    *high = *high < whole - size ? *high + size : whole;
    return whole > 0;
}

// Those of the group who read bytes of the load wherever in these bounds they read, and do not know
// of it.
static const struct mask *readers_between(struct run *run, const struct group *group,
                                          const struct load *load, uint32_t object, int64_t low,
                                          int64_t high)
{
    struct mask_builder readers;
    mask_builder_clear(run->masks, &readers);
    bool within = load->at.object == object && load->at.mask->count == 1 && load->at.low <= low &&
                  high <= load->at.high;
    uint32_t size = run->engine->block_threads, by = load->at.mask->first;
    mask_each (run->masks, group->mask, t) {
        bool ordinary = true;
        if (within && t / size == by / size &&
            (!load->landed || !orders_completed(run, load->mbarrier, load->landed, t)) &&
            (!group->arms ||
             (within_both(run, NULL, by, group->arms, t, &ordinary, NULL) && ordinary)))
            mask_builder_add(&readers, t);
    }
    return mask_builder_end(run->masks, &readers);
}

void loads_touched(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size, bool writes)
{
    struct load **list = &run->machines->loads->load;
    struct piece_of_memory read;
    int64_t low = 0, high = 0;
    if (arrlen(*list) == 0 || run->afterlife || address->kind != NODE_ADDRESS ||
        (group->arms &&
         (writes || !within_bounds(run, group->arms, address->address.object, false))))
        return;
    bool known = piece_of(run, group, group->mask, address, size, &read);
    if (!known && (writes || !bounds_of(run, address, size, &low, &high)))
        return;
    for (ptrdiff_t i = arrlen(*list); i-- > 0;) {
        struct load *load = &(*list)[i];
        // Producers of a pipeline may be rounds ahead, where nobody waits there.
        bool none = load->over || (writes && load->pipe != NO_PIPE) || (load->sent && !writes);
        none |= load->pipe != NO_PIPE && (group->arms || !known);
        const struct mask *readers =
            none    ? run->masks->none
            : known ? readers_of(run, load, &read)
                    : readers_between(run, group, load, address->address.object, low, high);
        if (readers->count == 0)
            continue;
        tell(run, group, load, readers, writes);
        run->heedless |= was_refused(run, load, readers);
        if (load->pipe == NO_PIPE)
            arrdel(*list, i);
        else
            load->over = true;
    }
}
