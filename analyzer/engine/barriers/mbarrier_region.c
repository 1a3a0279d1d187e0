// Mbarriers in dynamic shared memory behind data of which nobody knows the size. Where such data
// end, a region of the memory begins that counts as an object of its own: in it an mbarrier lies a
// known number of bytes from the beginning, as others do in a variable.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"

enum { MOST_PLACES = 64 };

static bool terms_are_uniform(const struct node *linear)
{
    for (uint32_t i = 0; i < linear->linear.count; ++i)
        if (linear->linear.term[i].atom->shape != SHAPE_UNIFORM)
            return false;
    return true;
}

// Where in the region an offset into its whole lies: a known number, or NULL.
static const struct node *place_in(struct run *run, const struct object *region,
                                   const struct node *offset)
{
    const struct node *begins = resolve(run, region->beyond);
    const struct node *place = node_binary(run->nodes, IR_SUB, 64, true, offset, begins);
    return node_known(place) ? place : NULL;
}

// What lies in the region lies in `object`, `by` bytes further on.
static void move_mbarriers(struct run *run, uint32_t region, uint32_t object, int64_t by)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        struct mbarrier *at = &run->machines->mbarrier[i];
        if (at->object != region)
            continue;
        at->object = object;
        at->offset += by;
    }
}

// Whether the beginning of the region has become known, be it from that of an earlier one.
static bool is_settled(struct run *run, ptrdiff_t at)
{
    const struct object region = run->object[run->machines->region[at]];
    const struct node *begins = resolve(run, region.beyond);
    if (begins->kind == NODE_CONST) {
        move_mbarriers(run, run->machines->region[at], region.within, begins->value);
        return true;
    }
    for (ptrdiff_t i = 0; i < at; ++i) {
        uint32_t object = run->machines->region[i];
        const struct node *by = run->object[object].within == region.within
                                    ? place_in(run, &run->object[object], begins)
                                    : NULL;
        if (by && by->kind == NODE_CONST) {
            move_mbarriers(run, run->machines->region[at], object, by->value);
            return true;
        }
    }
    return false;
}

// What the run has decided since the last time may say where regions begin.
static void settle_regions(struct run *run)
{
    struct machines *machines = run->machines;
    if (machines->regions_settled == run->engine->values.memo_version)
        return;
    machines->regions_settled = run->engine->values.memo_version;
    for (ptrdiff_t i = 0; i < arrlen(machines->region);) {
        if (is_settled(run, i))
            arrdel(machines->region, i);
        else
            ++i;
    }
}

// The address by the region that it lies in; NULL where it lies in none.
static const struct node *in_region(struct run *run, const struct node *address)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->region); ++i) {
        uint32_t object = run->machines->region[i];
        const struct object *region = &run->object[object];
        if (region->within != address->address.object)
            continue;
        const struct node *place = place_in(run, region, address->address.offset);
        if (place)
            return node_address(run->nodes, object, place, address->address.rank);
    }
    return NULL;
}

// The address by a new region, which begins at what is unknown of its offset.
static const struct node *make_region(struct run *run, const struct node *address)
{
    const struct node *offset = address->address.offset;
    const struct node *known = offset->kind == NODE_LINEAR ? offset->linear.base : run->nodes->zero;
    const struct node *beyond = node_binary(run->nodes, IR_SUB, 64, true, offset, known);
    uint32_t within = address->address.object;
    struct object whole = run->object[within];
    const char *name =
        arena_printf(&run->arena, "%s + %s", whole.name, node_text(&run->arena, beyond));
    uint32_t object =
        object_new(run, whole.kind, whole.space, IR_NONE, name, whole.loc, whole.align);
    run->object[object].within = within;
    run->object[object].beyond = beyond;
    run->object[object].handed = whole.handed;
    arrput(run->machines->region, object);
    return node_address(run->nodes, object, known, address->address.rank);
}

// The address where what is unknown of its offset is the same for all threads.
static const struct node *place_of_all(struct run *run, const struct node *address, bool is_init)
{
    const struct node *place = in_region(run, address);
    if (!place && is_init && !node_known(address->address.offset))
        place = make_region(run, address);
    return place ? place : address;
}

// The address where each warp, say, has an offset of its own: thread by thread, in pieces.
static const struct node *place_of_each(struct run *run, const struct mask *mask,
                                        const struct node *address, bool is_init)
{
    struct node_piece piece[MOST_PLACES];
    uint32_t count = 0;
    mask_each (run->masks, mask, t) {
        const struct node *offset = resolve_in_thread(run, address->address.offset, t);
        if (!offset)
            return address;
        const struct node *own =
            node_address(run->nodes, address->address.object, offset, address->address.rank);
        const struct mask *thread = mask_one(run->masks, t);
        uint32_t at = count;
        while (at > 0 && piece[at - 1].value != own)
            --at;
        if (at > 0)
            piece[at - 1].mask = mask_or(run->masks, piece[at - 1].mask, thread);
        else if (count < MOST_PLACES)
            piece[count++] = (struct node_piece){thread, own};
        else
            return address;
    }
    for (uint32_t i = 0; i < count; ++i)
        piece[i].value = place_of_all(run, piece[i].value, is_init);
    return node_pieces(run->nodes, piece, count);
}

static bool has_regions(const struct run *run, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->region); ++i)
        if (run->object[run->machines->region[i]].within == object)
            return true;
    return false;
}

static const struct node *place(struct run *run, const struct mask *mask,
                                const struct node *address, bool is_init)
{
    if (address->kind != NODE_ADDRESS)
        return address;
    const struct node *offset = address->address.offset;
    uint32_t object = address->address.object;
    bool makes = is_init && !node_known(offset);
    if (run->object[object].kind != OBJECT_SHARED || !(makes || has_regions(run, object)))
        return address;
    bool one = node_known(offset) || offset->shape == SHAPE_UNIFORM ||
               (offset->kind == NODE_LINEAR && terms_are_uniform(offset));
    return one ? place_of_all(run, address, is_init) : place_of_each(run, mask, address, is_init);
}

const struct node *mbarrier_place(struct run *run, const struct mask *mask,
                                  const struct node *address, bool is_init)
{
    settle_regions(run);
    if (address->kind != NODE_PIECES)
        return place(run, mask, address, is_init);
    struct node_piece piece[MOST_PLACES];
    if (address->pieces.count > MOST_PLACES)
        return address;
    for (uint32_t i = 0; i < address->pieces.count; ++i) {
        piece[i] = address->pieces.piece[i];
        const struct mask *part = mask_and(run->masks, mask, piece[i].mask);
        if (part->count)
            piece[i].value = place(run, part, piece[i].value, is_init);
    }
    return node_pieces(run->nodes, piece, address->pieces.count);
}

bool mbarrier_may_be_another(const struct run *run, const struct mbarrier *mbarrier)
{
    const struct object *object = &run->object[mbarrier->object];
    return mbarrier->state.state == BARLINT_RAW &&
           (object->beyond || has_regions(run, mbarrier->object));
}
