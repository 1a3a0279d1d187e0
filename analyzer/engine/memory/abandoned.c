// Elements of shared memory that threads which have left the kernel do not store any more. Where
// all threads still there store an element each, those that are gone would have stored theirs; who
// reads one of these behind a barrier of the block has what happens to lie there. What anybody has
// stored to before, or may have, is left alone.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

enum { MOST_PLACES = 16, MOST_OBJECTS = 8, MOST_RANGES = 4 };

// What the threads that are gone would have stored by one operation.
struct place {
    struct piece_of_memory piece; // its mask: theirs
    struct named_site site;       // that stores
    struct named_site barrier;    // the first behind it; its op is IR_NONE before
    bool told;
};

// Bytes of an object that have been stored to, or may have been.
struct stored {
    uint32_t object;
    bool anywhere;
    struct {
        int64_t low, high;
    } range[MOST_RANGES];
    uint32_t ranges;
};

struct abandoned {
    struct place place[MOST_PLACES];
    uint32_t places;
    struct stored stored[MOST_OBJECTS];
    uint32_t objects;
    bool lost;
};

void abandoned_init(struct run *run)
{
    run->machines->abandoned = arena_new(&run->arena, struct abandoned);
}

static struct stored *stored_in(struct abandoned *abandoned, uint32_t object)
{
    for (uint32_t i = 0; i < abandoned->objects; ++i) {
        if (abandoned->stored[i].object == object)
            return &abandoned->stored[i];
    }
    if (abandoned->objects == MOST_OBJECTS) {
        abandoned->lost = true;
        return NULL;
    }
    struct stored *fresh = &abandoned->stored[abandoned->objects++];
    *fresh = (struct stored){.object = object};
    return fresh;
}

static bool is_stored(const struct stored *stored, int64_t low, int64_t high)
{
    for (uint32_t i = 0; i < stored->ranges; ++i) {
        if (low < stored->range[i].high && stored->range[i].low < high)
            return true;
    }
    return stored->anywhere;
}

// Ranges that touch become one; where there is no more room the last takes what it has to.
static void note_stored(struct stored *stored, int64_t low, int64_t high)
{
    for (uint32_t i = 0; i < stored->ranges; ++i) {
        bool touches = low <= stored->range[i].high && stored->range[i].low <= high;
        if (!touches && (i + 1 < MOST_RANGES || stored->ranges < MOST_RANGES))
            continue;
        stored->range[i].low = low < stored->range[i].low ? low : stored->range[i].low;
        stored->range[i].high = high > stored->range[i].high ? high : stored->range[i].high;
        return;
    }
    stored->range[stored->ranges].low = low;
    stored->range[stored->ranges++].high = high;
}

// The threads of the first block that have left the kernel.
static const struct mask *gone_of(struct run *run)
{
    return mask_and(run->masks, run->exited, run->block_mask[0]);
}

// All threads of the first block that are left store an element each, at places that are known of
// those as well that are gone.
static void note_lacking(struct run *run, struct group *group, const struct stored *stored,
                         const struct piece_of_memory *piece, const struct mask *gone)
{
    struct abandoned *abandoned = run->machines->abandoned;
    const struct mask *rest = mask_minus(run->masks, run->block_mask[0], gone);
    if (piece->mask != rest || piece->arms || piece->high - piece->low <= piece->size ||
        abandoned->places == MOST_PLACES)
        return;
    struct piece_of_memory theirs = *piece;
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    mask_each (run->masks, gone, t) {
        int64_t at;
        if (node_lane(piece->offset, t, &at) && at >= 0 && !is_stored(stored, at, at + piece->size))
            mask_builder_add(&builder, t);
    }
    theirs.mask = mask_builder_end(run->masks, &builder);
    struct reach reach;
    uint32_t a = 0, b = 0;
    if (theirs.mask->count == 0 || !node_reach(run->nodes, theirs.offset, theirs.mask, &reach))
        return;
    theirs.low = reach.low;
    theirs.high = reach.high + theirs.size;
    for (uint32_t i = 0; i < abandoned->places; ++i) {
        const struct piece_of_memory *old = &abandoned->place[i].piece;
        if (old->object == theirs.object && old->low < theirs.high && theirs.low < old->high)
            return; // that is known already
    }
    if (!pieces_meet(run, &theirs, piece, &a, &b)) // each has one of its own
        abandoned->place[abandoned->places++] = (struct place){
            .piece = theirs, .site = named_site_here(run, group), .barrier = {.op = IR_NONE}};
}

// The threads that are left store to what is of others, who need not have done so then.
static void take_over(struct run *run, const struct piece_of_memory *piece)
{
    struct abandoned *abandoned = run->machines->abandoned;
    for (uint32_t i = 0; i < abandoned->places; ++i) {
        struct place *place = &abandoned->place[i];
        uint32_t a = 0, b = 0;
        if (!place->told && pieces_meet(run, &place->piece, piece, &a, &b))
            place->told = true;
    }
}

static void tell(struct run *run, struct group *group, struct place *place, uint32_t a, uint32_t b)
{
    struct engine_result *result = run->engine->result;
    const struct named_site *at = &place->barrier;
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        struct engine_incident *incident = &result->incident[i];
        if (incident->violation != BARLINT_EXIT_BEFORE_SYNC || incident->function != at->function ||
            incident->op != at->op || incident->chain != at->chain || incident->number[1])
            continue;
        record_anew(run, incident, mask_minus(run->masks, run->block_mask[0], gone_of(run)));
        incident->number[1] = ENGINE_EXIT_UNSTORED;
        struct named_site reads = named_site_here(run, group);
        record_step(run, incident, record_place(run, place->site.chain, place->site.loc),
                    "thread %u, which has left, stores nothing here", a);
        record_step(run, incident, record_place(run, reads.chain, reads.loc),
                    "thread %u reads what that one should have stored", b);
    }
    place->told = true;
}

void abandoned_barrier(struct run *run, const struct named_site *site)
{
    struct abandoned *abandoned = run->machines->abandoned;
    for (uint32_t i = 0; i < abandoned->places; ++i) {
        if (abandoned->place[i].barrier.op == IR_NONE)
            abandoned->place[i].barrier = *site;
    }
}

static void note_read(struct run *run, struct group *group, const struct piece_of_memory *piece)
{
    struct abandoned *abandoned = run->machines->abandoned;
    for (uint32_t i = 0; i < abandoned->places; ++i) {
        struct place *place = &abandoned->place[i];
        uint32_t a = 0, b = 0;
        if (!place->told && place->barrier.op != IR_NONE &&
            pieces_meet(run, &place->piece, piece, &a, &b))
            tell(run, group, place, a, b);
    }
}

void abandoned_touched(struct run *run, struct group *group, const struct node *address,
                       uint32_t size, bool writes)
{
    struct abandoned *abandoned = run->machines->abandoned;
    struct piece_of_memory piece;
    if (abandoned->lost || run->afterlife || (!writes && abandoned->places == 0))
        return;
    const struct mask *here = mask_and(run->masks, group->mask, run->block_mask[0]);
    bool known = piece_of(run, group, here, address, size, &piece);
    if (!writes) {
        if (known && !piece.arms && !run_is_weak(run) && run_is_feasible(run))
            note_read(run, group, &piece);
        return;
    }
    bool shared =
        address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_SHARED;
    struct stored *stored = shared ? stored_in(abandoned, address->address.object) : NULL;
    if (!stored)
        return;
    if (!known) {
        stored->anywhere = true;
        for (uint32_t i = 0; i < abandoned->places; ++i)
            abandoned->place[i].told |= abandoned->place[i].piece.object == stored->object;
        return;
    }
    const struct mask *gone = gone_of(run);
    take_over(run, &piece);
    if (gone->count && run->engine->shape.block_known)
        note_lacking(run, group, stored, &piece, gone);
    note_stored(stored, piece.low, piece.high);
}
