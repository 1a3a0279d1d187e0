// What lies where in an object: cells that were written, ranges that were zeroed, ranges whose
// content is not known any more.
#include "engine/memory/cells.h"

#include "base/vec.h"
#include "engine/memory/memory.h"

enum { MAX_OVERWRITTEN = 64 }; // ranges told apart in one object

// Of the keys of atoms that stand for what lies in memory, and of what a copy brought there.
#define CONTENT_KEY UINT64_C(0x8000000000000000)
#define COPIED_KEY UINT64_C(0xc000000000000000)

static uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t key =
        (a * 0x9e3779b97f4a7c15u) ^ (b * 0xc2b2ae3d27d4eb4fu) ^ (c * 0x165667b19e3779f9u);
    return (key | CONTENT_KEY) & ~(COPIED_KEY ^ CONTENT_KEY);
}

const struct mask *cell_audience(struct run *run, const struct object *object,
                                 const struct mask *mask)
{
    if (object->kind == OBJECT_LOCAL)
        return mask;
    if (object->kind != OBJECT_SHARED || run->engine->blocks == 1)
        return run->masks->all;
    const struct mask *seen = run->masks->none;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        if (mask_overlaps(run->masks, run->block_mask[b], mask))
            seen = mask_or(run->masks, seen, run->block_mask[b]);
    }
    return seen;
}

static const struct node *lane_of(struct run *run, uint32_t thread, const struct node *value)
{
    const struct node *lane = node_restrict(run->nodes, value, mask_one(run->masks, thread));
    if (lane->shape == SHAPE_VARYING && lane->kind != NODE_ADDRESS)
        lane = node_expr(run->nodes, NODE_OP_LANE, 0, thread, lane, NULL, NULL);
    return lane;
}

// What one word holds after the threads of `mask` wrote `value` to it: where they disagree, one of
// them wins. `peers`: the block it belongs to where that is not their own.
static const struct node *shared_value(struct run *run, const struct mask *mask,
                                       const struct mask *peers, const struct node *value)
{
    if (value->shape == SHAPE_UNIFORM && value->kind != NODE_PIECES)
        return value;
    if (peers)
        return lane_of(run, mask->first, value);
    struct node_piece piece[16];
    uint32_t count = 0;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        const struct mask *writers = mask_and(run->masks, mask, run->block_mask[b]);
        if (writers->count == 0)
            continue;
        piece[count++] =
            (struct node_piece){run->block_mask[b], lane_of(run, writers->first, value)};
    }
    return node_pieces(run->nodes, piece, count);
}

// What lies at `offset` and was never written exactly is one symbol until it is overwritten.
static uint64_t content_key(const struct run *run, const struct object *object, int64_t offset)
{
    uint32_t version = object->whole;
    bool copied = false;
    for (ptrdiff_t i = 0; i < arrlen(object->overwritten); ++i) {
        const struct overwritten *range = &object->overwritten[i];
        if (range->low <= offset && offset < range->high && range->version > version) {
            version = range->version;
            copied = range->copied;
        }
    }
    uint64_t key = key_of((uint64_t)(object - run->object), (uint64_t)offset, version);
    return copied ? key | COPIED_KEY : key;
}

bool cell_is_copied(const struct node *node)
{
    return node->kind == NODE_ATOM && (node->atom.key & COPIED_KEY) == COPIED_KEY;
}

// The first cell at the offset or behind it.
static ptrdiff_t cell_from(const struct object *object, int64_t offset)
{
    ptrdiff_t low = 0, high = arrlen(object->cell);
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (object->cell[middle].key < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The cell at the offset; -1 where there is none.
static ptrdiff_t cell_at(const struct object *object, int64_t offset)
{
    ptrdiff_t at = cell_from(object, offset);
    return at < arrlen(object->cell) && object->cell[at].key == offset ? at : -1;
}

// What lies in [low, high) is another symbol from now on.
static void note_overwritten(struct object *object, int64_t low, int64_t high, bool copied)
{
    ++object->version;
    object->unknown = true;
    for (ptrdiff_t i = arrlen(object->overwritten); i-- > 0;) {
        const struct overwritten *range = &object->overwritten[i];
        if (low <= range->low && range->high <= high)
            arrdelswap(object->overwritten, i);
    }
    bool whole = low == INT64_MIN && high == INT64_MAX;
    if (whole || arrlen(object->overwritten) >= MAX_OVERWRITTEN) {
        object->whole = object->version;
        arrsetlen(object->overwritten, 0);
    } else {
        arrput(object->overwritten, ((struct overwritten){low, high, object->version, copied}));
    }
}

// Takes what lies in [low, high) out of the content zeroed before, for the threads of `seen`.
static void zero_cut(struct run *run, struct object *object, int64_t low, int64_t high,
                     const struct mask *seen)
{
    for (ptrdiff_t i = 0, count = arrlen(object->zero); i < count; ++i) {
        struct zero_range *zero = &object->zero[i];
        int64_t end = zero->offset + zero->size;
        const struct mask *hit = mask_and(run->masks, zero->mask, seen);
        if (hit->count == 0 || end <= low || high <= zero->offset)
            continue;
        struct zero_range before = {zero->offset, low - zero->offset, hit};
        struct zero_range after = {high, end - high, hit};
        bool has_before = zero->offset < low, has_after = high < end;
        zero->mask = mask_minus(run->masks, zero->mask, hit);
        if (has_before)
            arrput(object->zero, before);
        if (has_after)
            arrput(object->zero, after);
    }
    for (ptrdiff_t i = arrlen(object->zero); i-- > 0;) {
        if (object->zero[i].mask->count == 0)
            arrdelswap(object->zero, i);
    }
}

// Bits of an integer, as one of its own.
static const struct node *bits_of(struct run *run, const struct node *value, int64_t from,
                                  int64_t bits)
{
    struct node_pool *pool = run->nodes;
    if (from)
        value = node_binary(pool, IR_SHR, 64, false, value, node_const(pool, from));
    return node_binary(pool, IR_AND, 64, false, value, node_const(pool, (INT64_C(1) << bits) - 1));
}

// A part of a cell that another one is stored over.
struct rest {
    int64_t low, high;
    const struct mask *mask;
    const struct node *value; // NULL: not known
};

// What these threads had in the cell at `at` stays in [low, high).
static void rest_add(struct run *run, const struct object *object, const struct cell *cell,
                     int64_t at, int64_t low, int64_t high, const struct mask *mask,
                     struct rest *rest, uint32_t *count)
{
    enum { WORD = 8 }; // bytes
    if (low >= high || mask->count == 0)
        return;
    const struct node *value = node_restrict(run->nodes, cell->value, mask);
    bool known = object->kind == OBJECT_LOCAL && cell->size <= WORD && value->kind != NODE_ADDRESS;
    rest[(*count)++] = (struct rest){
        low, high, mask, known ? bits_of(run, value, (low - at) * 8, (high - low) * 8) : NULL};
}

// Puts it back, where the place is free: a cell has one size for all threads.
static void rest_keep(struct run *run, struct object *object, const struct rest *rest)
{
    ptrdiff_t index = cell_from(object, rest->low);
    bool taken = index < arrlen(object->cell) && object->cell[index].key == rest->low;
    if (rest->value && taken && object->cell[index].value.mask->count == 0)
        object->cell[index].value =
            (struct cell){(uint32_t)(rest->high - rest->low), rest->value, rest->mask};
    else if (rest->value && !taken)
        arrins(object->cell, index,
               ((typeof(*object->cell)){
                   rest->low, {(uint32_t)(rest->high - rest->low), rest->value, rest->mask}}));
    else
        note_overwritten(object, rest->low, rest->high, false);
    // What was zero before the cell is not zero again.
    zero_cut(run, object, rest->low, rest->high, rest->mask);
}

// Makes room for a cell of these threads.
static void cell_drop(struct object *object, struct run *run, int64_t offset, uint32_t size,
                      const struct mask *mask)
{
    struct rest rest[2 * MAX_SCALAR];
    uint32_t rests = 0;
    int64_t end = offset + (int64_t)size;
    for (ptrdiff_t i = cell_from(object, offset - MAX_SCALAR + 1);
         i < arrlen(object->cell) && object->cell[i].key < end; ++i) {
        int64_t at = object->cell[i].key;
        struct cell *cell = &object->cell[i].value;
        int64_t its_end = at + (int64_t)cell->size;
        if (its_end <= offset || (at == offset && its_end <= end))
            continue;
        const struct mask *hit = mask_and(run->masks, cell->mask, mask);
        rest_add(run, object, cell, at, at, offset, hit, rest, &rests);
        rest_add(run, object, cell, at, end, its_end, hit, rest, &rests);
        if (at != offset)
            cell->mask = mask_minus(run->masks, cell->mask, mask);
    }
    for (uint32_t i = 0; i < rests; ++i)
        rest_keep(run, object, &rest[i]);
}

const struct node *stored_under(struct run *run, const struct arms *arms, const struct mask *mask,
                                const struct node *value, const struct node *old)
{
    bool is_number = value->kind != NODE_ADDRESS && old->kind != NODE_ADDRESS;
    return arms->many && is_number
               ? run_fresh(run, "what a long loop computes",
                           value->shape == SHAPE_VARYING ? SHAPE_VARYING : SHAPE_UNKNOWN, INT64_MIN,
                           INT64_MAX)
               : node_select(run->nodes, node_restrict(run->nodes, arms->condition, mask), value,
                             old);
}

void cell_store(struct run *run, struct object *object, const struct mask *mask,
                const struct mask *peers, int64_t offset, uint32_t size, const struct node *value,
                const struct arms *arms)
{
    const struct mask *seen = peers ? peers : cell_audience(run, object, mask);
    if (object->kind != OBJECT_LOCAL)
        value = shared_value(run, mask, peers, value);
    cell_drop(object, run, offset, size, seen);
    ptrdiff_t index = cell_at(object, offset);
    struct cell cell = {size, run->nodes->undefined, run->masks->none};
    if (index >= 0)
        cell = object->cell[index].value;
    for (const struct arms *outer = arms; outer; outer = outer->outer) {
        // Executed under a condition that is not decided: old content may stay.
        const struct node *old = run->nodes->undefined;
        if (cell.mask->count)
            old = node_restrict(run->nodes, cell.value, seen);
        else if (object->unknown)
            old = node_atom(run->nodes, content_key(run, object, offset), object->name,
                            SHAPE_UNIFORM, INT64_MIN, INT64_MAX);
        if (old->kind == NODE_ATOM && old->undefined)
            break; // what was never written before is not read afterwards unless it was written
        // The others' conditions say nothing of what these store.
        value = stored_under(run, outer, mask, value, old);
    }
    // One word is one value, whichever threads' conditions decided what it is.
    if (object->kind != OBJECT_LOCAL && arms)
        value = shared_value(run, mask, peers, value);
    struct node_piece piece[2] = {{seen, value},
                                  {mask_minus(run->masks, cell.mask, seen), cell.value}};
    cell.value = node_pieces(run->nodes, piece, 2);
    cell.mask = mask_or(run->masks, cell.mask, seen);
    cell.size = size;
    if (index < 0) {
        index = cell_from(object, offset);
        arrins(object->cell, index, (typeof(*object->cell)){.key = offset});
    }
    object->cell[index].value = cell;
}

void object_clear(struct run *run, struct object *object, const struct mask *seen, int64_t low,
                  int64_t high)
{
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        if (object->cell[i].key >= low && object->cell[i].key < high)
            object->cell[i].value.mask = mask_minus(run->masks, object->cell[i].value.mask, seen);
    }
    zero_cut(run, object, low, high, seen);
}

void object_fill(struct run *run, struct object *object, const struct mask *mask, int64_t low,
                 int64_t high, int64_t kept, bool copied)
{
    const struct mask *seen = cell_audience(run, object, mask);
    note_overwritten(object, low, high, copied);
    high = kept < high ? kept : high;
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        int64_t at = object->cell[i].key;
        struct cell *cell = &object->cell[i].value;
        if (at < high && low < at + (int64_t)cell->size)
            cell->mask = mask_minus(run->masks, cell->mask, seen);
    }
    zero_cut(run, object, low, high, seen);
}

void object_overwrite(struct run *run, struct object *object, const struct mask *mask, int64_t low,
                      int64_t high, bool copied)
{
    object_fill(run, object, mask, low, high, high, copied);
}

void object_forget(struct run *run, struct object *object, const struct mask *mask)
{
    object_overwrite(run, object, mask, INT64_MIN, INT64_MAX, false);
}

// The cell that the byte lies in, of some of these threads; NULL where there is none. Its offset
// goes to `*at`.
static const struct cell *cell_over(const struct run *run, const struct object *object,
                                    const struct mask *mask, int64_t byte, int64_t *at)
{
    for (ptrdiff_t i = cell_from(object, byte + 1); i-- > 0;) {
        const struct cell *cell = &object->cell[i].value;
        *at = object->cell[i].key;
        if (*at <= byte - MAX_SCALAR)
            return NULL;
        if (*at + (int64_t)cell->size > byte && mask_overlaps(run->masks, cell->mask, mask))
            return cell;
    }
    return NULL;
}

// An integer of a thread's own that was stored in parts, or as part of a longer one: the members of
// a union, bit fields. NULL where it is none, or nobody knows all of it.
static const struct node *put_together(struct run *run, struct object *object,
                                       const struct mask *mask, int64_t offset, uint32_t size)
{
    const struct node *whole = run->nodes->zero;
    int64_t end = offset + size, next, begins = 0;
    for (int64_t at = offset; at < end; at = next) {
        const struct cell *cell = cell_over(run, object, mask, at, &begins);
        next = at + 1;
        const struct node *part = NULL;
        if (cell && mask_subset(run->masks, mask, cell->mask)) {
            next = begins + (int64_t)cell->size < end ? begins + (int64_t)cell->size : end;
            part = node_restrict(run->nodes, cell->value, mask);
        } else if (!cell) {
            begins = at;
            part = cell_load(run, object, mask, at, 1);
        }
        int64_t bits = (next - at) * 8;
        if (!part || part->kind == NODE_ADDRESS || bits >= 64 ||
            (part->kind == NODE_ATOM && part->undefined))
            return NULL;
        part =
            node_binary(run->nodes, IR_SHL, 64, false, bits_of(run, part, (at - begins) * 8, bits),
                        node_const(run->nodes, (at - offset) * 8));
        whole = node_binary(run->nodes, IR_OR, 64, false, whole, part);
    }
    return whole;
}

// Whether the number is made of an address, as a descriptor of a matrix is.
static bool is_of_address(const struct node *node, int depth)
{
    enum { DEEPEST = 24 };
    if (depth > DEEPEST)
        return false;
    if (node_is_deep(node))
        return is_of_address(node->atom.deep, depth + 1);
    bool found = node->kind == NODE_ADDRESS;
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS && !found; ++i)
        found = node->expr.argument[i] && is_of_address(node->expr.argument[i], depth + 1);
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count && !found; ++i)
        found = is_of_address(node->linear.term[i].atom, depth + 1);
    return found;
}

// The threads in which a cell has a part of the bytes.
static const struct mask *covered(struct run *run, const struct object *object, int64_t offset,
                                  uint32_t size)
{
    const struct mask *found = run->masks->none;
    for (ptrdiff_t i = cell_from(object, offset - MAX_SCALAR + 1);
         i < arrlen(object->cell) && object->cell[i].key < offset + (int64_t)size; ++i) {
        const struct cell *cell = &object->cell[i].value;
        if (object->cell[i].key + (int64_t)cell->size > offset)
            found = mask_or(run->masks, found, cell->mask);
    }
    return found;
}

// Notes that threads read a word to decide by it, before copies of unknown length come there.
static void note_asked(struct object *object, int64_t offset)
{
    enum { MOST_ASKED = 16 };
    ptrdiff_t i = 0, count = arrlen(object->asked);
    if (object->kind != OBJECT_SHARED || object->filled || count >= MOST_ASKED)
        return;
    while (i < count && object->asked[i] != offset)
        ++i;
    if (i == count)
        arrput(object->asked, offset);
}

const struct node *cell_load(struct run *run, struct object *object, const struct mask *mask,
                             int64_t offset, uint32_t size)
{
    note_asked(object, offset);
    struct node_piece piece[8];
    uint32_t count = 0;
    const struct mask *rest = mask;
    ptrdiff_t index = cell_at(object, offset);
    if (index >= 0) {
        const struct cell *cell = &object->cell[index].value;
        const struct mask *here = mask_and(run->masks, rest, cell->mask);
        if (here->count && cell->size == size) {
            piece[count++] =
                (struct node_piece){here, node_restrict(run->nodes, cell->value, here)};
            rest = mask_minus(run->masks, rest, here);
        }
    }
    const struct mask *parted =
        rest->count ? mask_and(run->masks, rest, covered(run, object, offset, size)) : rest;
    for (ptrdiff_t i = arrlen(object->zero); i-- > 0 && rest->count && count < 5;) {
        const struct zero_range *zero = &object->zero[i];
        if (offset < zero->offset || offset + (int64_t)size > zero->offset + zero->size)
            continue;
        const struct mask *here =
            mask_minus(run->masks, mask_and(run->masks, rest, zero->mask), parted);
        if (here->count == 0)
            continue;
        piece[count++] = (struct node_piece){here, run->nodes->zero};
        rest = mask_minus(run->masks, rest, here);
    }
    // What a thread has in parts. Of short words such as the kind of a group much is decided: they
    // have to be numbers, or halves of a descriptor.
    const struct node *whole = parted->count && object->kind == OBJECT_LOCAL && size <= 8
                                   ? put_together(run, object, parted, offset, size)
                                   : NULL;
    if (whole && (size == 8 || node_known(whole) || is_of_address(whole, 0))) {
        piece[count++] = (struct node_piece){parted, whole};
        rest = mask_minus(run->masks, rest, parted);
    }
    if (rest->count) {
        const struct node *content = run->nodes->undefined;
        if (object->unknown || parted->count ||
            (index >= 0 && object->cell[index].value.size != size)) {
            uint64_t key = content_key(run, object, offset);
            content = node_find_atom(run->nodes, key);
            if (!content)
                content = node_atom(run->nodes, key,
                                    object_path(&run->arena, run->engine->unit, object, offset),
                                    object->kind == OBJECT_LOCAL ? SHAPE_UNKNOWN : SHAPE_UNIFORM,
                                    INT64_MIN, INT64_MAX);
        }
        piece[count++] = (struct node_piece){rest, content};
    }
    return node_pieces(run->nodes, piece, count);
}
