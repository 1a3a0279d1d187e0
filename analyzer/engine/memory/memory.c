// Memory of a run: objects and the cells written in them.
#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"

enum {
    MAX_SCATTER = 64, // distinct offsets of one access that are followed one by one
    MAX_SCALAR = 16,  // bytes
    MAX_COPY_CELLS = 4096,
    MAX_OVERWRITTEN = 64, // ranges told apart in one object
};

uint32_t object_new(struct run *run, enum object_kind kind, enum ir_space space, ir_type_id type,
                    const char *name, struct ir_loc loc, uint64_t align)
{
    struct object object = {.kind = kind,
                            .space = space,
                            .type = type,
                            .name = name,
                            .loc = loc,
                            .align = align,
                            .unknown = kind != OBJECT_LOCAL};
    arrput(run->object, object);
    return (uint32_t)arrlen(run->object) - 1;
}

const struct node *run_fresh(struct run *run, const char *name, enum node_shape shape, int64_t low,
                             int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh, name, shape, low, high);
}

#define KEY_EXCHANGED (UINT64_C(1) << 59)
#define KEY_OF_BLOCK (UINT64_C(1) << 58)

const struct node *run_exchanged(struct run *run, const char *name, enum node_shape shape,
                                 int64_t low, int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh | KEY_EXCHANGED, name, shape, low, high);
}

const struct node *run_of_block(struct run *run, const char *name, int64_t low, int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh | KEY_OF_BLOCK, name, SHAPE_UNIFORM, low, high);
}

bool node_is_of_block(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key >> 58 == 1;
}

bool node_is_exchanged(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key >> 59 == 1;
}

static uint64_t key_of(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t key = UINT64_C(0x8000000000000000);
    key |= (a * 0x9e3779b97f4a7c15u) ^ (b * 0xc2b2ae3d27d4eb4fu) ^ (c * 0x165667b19e3779f9u);
    return key | UINT64_C(0x8000000000000000);
}

// --- Names -----------------------------------------------------------------------------------

static const char *path_in(struct arena *arena, const struct ir_unit *unit, ir_type_id id,
                           int64_t offset, const char *name, int depth)
{
    if (id == IR_NONE || depth > 8)
        return offset ? arena_printf(arena, "%s + %" PRId64, name, offset) : name;
    const struct ir_type *type = &unit->type[id];
    if (type->kind == IR_TYPE_ARRAY && unit->type[type->elem].size > 0) {
        int64_t size = (int64_t)unit->type[type->elem].size;
        const char *element = arena_printf(arena, "%s[%" PRId64 "]", name, offset / size);
        return path_in(arena, unit, type->elem, offset % size, element, depth + 1);
    }
    if (type->kind == IR_TYPE_RECORD) {
        for (ptrdiff_t i = arrlen(type->field); i-- > 0;) {
            const struct ir_field *field = &type->field[i];
            const struct ir_type *inner = &unit->type[field->type];
            if ((int64_t)field->offset > offset ||
                offset >= (int64_t)(field->offset + (inner->size ? inner->size : 1)))
                continue;
            // A record that wraps one word (a barrier class) is called by its own name, and so is
            // one whose members carry names reserved for the library.
            if (offset == 0 && ((arrlen(type->field) == 1 && type->size <= 8) ||
                                strncmp(field->name, "__", 2) == 0))
                return name;
            const char *member =
                field->name[0] ? arena_printf(arena, "%s.%s", name, field->name) : name;
            return path_in(arena, unit, field->type, offset - (int64_t)field->offset, member,
                           depth + 1);
        }
    }
    return offset ? arena_printf(arena, "%s + %" PRId64, name, offset) : name;
}

const char *object_path(struct arena *arena, const struct ir_unit *unit,
                        const struct object *object, int64_t offset)
{
    return path_in(arena, unit, object->type, offset, object->name ? object->name : "object", 0);
}

// --- Cells -----------------------------------------------------------------------------------

// The threads that see what threads of `mask` write: themselves for a local, their blocks for
// shared memory.
static const struct mask *audience(struct run *run, const struct object *object,
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
    for (ptrdiff_t i = 0; i < arrlen(object->overwritten); ++i) {
        const struct overwritten *range = &object->overwritten[i];
        if (range->low <= offset && offset < range->high && range->version > version)
            version = range->version;
    }
    return key_of((uint64_t)(object - run->object), (uint64_t)offset, version);
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

static void cell_drop(struct object *object, struct run *run, int64_t offset, uint32_t size,
                      const struct mask *mask)
{
    for (ptrdiff_t i = cell_from(object, offset - MAX_SCALAR + 1);
         i < arrlen(object->cell) && object->cell[i].key < offset + (int64_t)size; ++i) {
        int64_t at = object->cell[i].key;
        struct cell *cell = &object->cell[i].value;
        if (at != offset && at + (int64_t)cell->size > offset)
            cell->mask = mask_minus(run->masks, cell->mask, mask);
    }
}

static void cell_store(struct run *run, struct object *object, const struct mask *mask,
                       const struct mask *peers, int64_t offset, uint32_t size,
                       const struct node *value, const struct arms *arms)
{
    const struct mask *seen = peers ? peers : audience(run, object, mask);
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
        const struct node *condition = node_restrict(run->nodes, outer->condition, mask);
        value = node_select(run->nodes, condition, value, old);
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

// Ranges that overlap become one.
static void note_overwritten(struct object *object, int64_t low, int64_t high)
{
    ++object->version;
    object->unknown = true;
    for (ptrdiff_t i = arrlen(object->overwritten); i-- > 0;) {
        struct overwritten *range = &object->overwritten[i];
        if (range->high < low || high < range->low)
            continue;
        low = range->low < low ? range->low : low;
        high = range->high > high ? range->high : high;
        arrdelswap(object->overwritten, i);
    }
    bool whole = low == INT64_MIN && high == INT64_MAX;
    if (whole || arrlen(object->overwritten) >= MAX_OVERWRITTEN) {
        object->whole = object->version;
        arrsetlen(object->overwritten, 0);
    } else {
        arrput(object->overwritten, ((struct overwritten){low, high, object->version}));
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
}

// What lies in [low, high) becomes unknown.
static void object_overwrite(struct run *run, struct object *object, const struct mask *mask,
                             int64_t low, int64_t high)
{
    const struct mask *seen = audience(run, object, mask);
    note_overwritten(object, low, high);
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        int64_t at = object->cell[i].key;
        struct cell *cell = &object->cell[i].value;
        if (at < high && low < at + (int64_t)cell->size)
            cell->mask = mask_minus(run->masks, cell->mask, seen);
    }
    zero_cut(run, object, low, high, seen);
}

static void object_forget(struct run *run, struct object *object, const struct mask *mask)
{
    object_overwrite(run, object, mask, INT64_MIN, INT64_MAX);
}

// The content of one cell for the threads of `mask`.
static const struct node *cell_load(struct run *run, struct object *object, const struct mask *mask,
                                    int64_t offset, uint32_t size)
{
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
    for (ptrdiff_t i = arrlen(object->zero); i-- > 0 && rest->count && count < 6;) {
        const struct zero_range *zero = &object->zero[i];
        if (offset < zero->offset || offset + (int64_t)size > zero->offset + zero->size)
            continue;
        const struct mask *here = mask_and(run->masks, rest, zero->mask);
        if (here->count == 0)
            continue;
        piece[count++] = (struct node_piece){here, run->nodes->zero};
        rest = mask_minus(run->masks, rest, here);
    }
    if (rest->count) {
        const struct node *content = run->nodes->undefined;
        if (object->unknown || (index >= 0 && object->cell[index].value.size != size)) {
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

// --- Accesses --------------------------------------------------------------------------------

// Calls `each` for every distinct known offset of the address among the threads of the mask.
// Returns false, having called nothing, when an offset is not known or there are too many.
struct spread {
    int64_t offset[MAX_SCATTER];
    const struct mask *mask[MAX_SCATTER];
    uint32_t count;
};

static bool spread_of(struct run *run, const struct mask *mask, const struct node *offset,
                      struct spread *out)
{
    out->count = 0;
    int64_t value;
    if (node_is_const(offset, mask, run->masks, &value)) {
        out->offset[0] = value;
        out->mask[0] = mask;
        out->count = 1;
        return true;
    }
    if (offset->kind != NODE_VECTOR)
        return false;
    uint64_t word[MAX_SCATTER][MAX_THREADS / 64];
    size_t bytes = run->masks->words * sizeof word[0][0];
    uint32_t at = 0;
    mask_each (run->masks, mask, t) {
        int64_t own = offset->vector[t];
        if (out->count == 0 || out->offset[at] != own) {
            for (at = 0; at < out->count && out->offset[at] != own; ++at)
                ;
            if (at == MAX_SCATTER)
                return false;
            if (at == out->count) {
                out->offset[out->count++] = own;
                memset(word[at], 0, bytes);
            }
        }
        word[at][t / 64] |= UINT64_C(1) << (t % 64);
    }
    for (uint32_t i = 0; i < out->count; ++i)
        out->mask[i] = mask_from_words(run->masks, word[i]);
    return true;
}

static int64_t add_bytes(int64_t offset, int64_t size)
{
    int64_t sum;
    return __builtin_add_overflow(offset, size, &sum) ? INT64_MAX : sum;
}

// The least and the greatest offset among the threads of the mask.
static void offset_range(struct run *run, const struct mask *mask, const struct node *offset,
                         int64_t *low, int64_t *high)
{
    if (offset->kind != NODE_VECTOR) {
        interval_of(run, offset, low, high);
        return;
    }
    *low = INT64_MAX;
    *high = INT64_MIN;
    mask_each (run->masks, mask, t) {
        *low = offset->vector[t] < *low ? offset->vector[t] : *low;
        *high = offset->vector[t] > *high ? offset->vector[t] : *high;
    }
}

void type_range(const struct ir_type *type, int64_t *low, int64_t *high)
{
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (type->kind == IR_TYPE_INT && type->bits < 64) {
        *low = type->is_signed ? -(INT64_C(1) << (type->bits - 1)) : 0;
        *high = (INT64_C(1) << (type->bits - type->is_signed)) - 1;
    } else if (type->kind == IR_TYPE_INT && !type->is_signed) {
        *low = 0;
    } else if (type->kind == IR_TYPE_POINTER) {
        *low = 1;
    }
}

static const struct node *load_unknown(struct run *run, const struct node *address, uint32_t size,
                                       bool fresh)
{
    enum node_shape shape = (enum node_shape)address->shape;
    return fresh ? run_fresh(run, "a word of memory", shape, INT64_MIN, INT64_MAX)
                 : outside_load(run, address, size);
}

const struct node *memory_load(struct run *run, const struct mask *mask, const struct node *address,
                               ir_type_id type, bool fresh)
{
    if (address->kind == NODE_PIECES) {
        struct node_piece piece[512];
        uint32_t count = 0;
        for (uint32_t i = 0; i < address->pieces.count && count < 512; ++i) {
            const struct mask *here = mask_and(run->masks, mask, address->pieces.piece[i].mask);
            if (here->count == 0)
                continue;
            piece[count].mask = here;
            piece[count++].value =
                memory_load(run, here, address->pieces.piece[i].value, type, fresh);
        }
        return node_pieces(run->nodes, piece, count);
    }
    // What one of two references leads to, as of std::min(): one of two values.
    if (address->kind == NODE_EXPR && address->expr.op == NODE_OP_MERGE && !fresh) {
        const struct node *const *one = address->expr.argument;
        return node_select(run->nodes, one[0], memory_load(run, mask, one[1], type, fresh),
                           memory_load(run, mask, one[2], type, fresh));
    }
    uint32_t size = type == IR_NONE ? 8 : (uint32_t)run->engine->unit->type[type].size;
    if (address->kind != NODE_ADDRESS)
        return load_unknown(run, address, size, fresh);
    struct object *object = &run->object[address->address.object];
    if (object->parameter && type == object->type && address->address.offset == run->nodes->zero) {
        int64_t low, high;
        type_range(&run->engine->unit->type[type], &low, &high);
        return node_atom(run->nodes, object->parameter, object->name, SHAPE_UNIFORM, low, high);
    }
    if (address->address.rank || object->kind == OBJECT_GLOBAL)
        return load_unknown(run, address, size, fresh);
    const struct node *offset = resolve(run, address->address.offset);
    struct spread spread;
    if (!spread_of(run, mask, offset, &spread))
        return node_expr(run->nodes, NODE_OP_LOAD, 0, (int64_t)object->version, address, NULL,
                         NULL);
    struct node_piece piece[MAX_SCATTER];
    for (uint32_t i = 0; i < spread.count; ++i) {
        piece[i].mask = spread.mask[i];
        piece[i].value = cell_load(run, object, spread.mask[i], spread.offset[i], size);
    }
    return node_pieces(run->nodes, piece, spread.count);
}

// The threads store to the object; `peers`: to that of this block, which is not their own.
static void object_store(struct run *run, struct object *object, const struct mask *mask,
                         const struct mask *peers, const struct node *address, uint32_t size,
                         const struct node *value, const struct arms *arms)
{
    struct spread spread;
    const struct node *offset = resolve(run, address->address.offset);
    if (!spread_of(run, mask, offset, &spread)) {
        int64_t low, high;
        offset_range(run, mask, offset, &low, &high);
        object_overwrite(run, object, peers ? peers : mask, low, add_bytes(high, size));
        return;
    }
    for (uint32_t i = 0; i < spread.count; ++i)
        cell_store(run, object, spread.mask[i], peers, spread.offset[i], size,
                   node_restrict(run->nodes, value, spread.mask[i]), arms);
}

// The same where the address says which block of the cluster it belongs to.
static void peers_store(struct run *run, struct object *object, const struct mask *mask,
                        const struct node *address, uint32_t size, const struct node *value,
                        const struct arms *arms)
{
    const struct node *rank = resolve(run, address->address.rank);
    ++object->version;
    if (!node_known(rank)) {
        memory_overwrite(run, run->masks->all, address, size);
        return;
    }
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        struct mask_builder builder;
        mask_builder_clear(run->masks, &builder);
        mask_each (run->masks, mask, t) {
            int64_t owner = 0;
            if (node_lane(rank, t, &owner) && owner == b)
                mask_builder_add(&builder, t);
        }
        const struct mask *writers = mask_builder_end(run->masks, &builder);
        if (writers->count)
            object_store(run, object, writers, run->block_mask[b], address, size, value, arms);
    }
}

void memory_store(struct run *run, const struct mask *mask, const struct node *address,
                  uint32_t size, const struct node *value, const struct arms *arms)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i) {
            const struct mask *here = mask_and(run->masks, mask, address->pieces.piece[i].mask);
            if (here->count)
                memory_store(run, here, address->pieces.piece[i].value, size,
                             node_restrict(run->nodes, value, here), arms);
        }
        return;
    }
    if (address->kind != NODE_ADDRESS) {
        // Under a condition that is not decided old content may stay.
        outside_store(run, mask, address, size, arms ? NULL : value);
        return;
    }
    struct object *object = &run->object[address->address.object];
    run->changes += object->kind != OBJECT_LOCAL; // a thread's own memory lets nobody else go on
    if (object->kind == OBJECT_GLOBAL)
        ++object->version;
    else if (address->address.rank)
        peers_store(run, object, mask, address, size, value, arms);
    else
        object_store(run, object, mask, NULL, address, size, value, arms);
}

void memory_forget(struct run *run, const struct mask *mask, const struct node *address)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i)
            memory_forget(run, mask_and(run->masks, mask, address->pieces.piece[i].mask),
                          address->pieces.piece[i].value);
    } else if (address->kind == NODE_ADDRESS && mask->count) {
        object_forget(run, &run->object[address->address.object], mask);
    } else if (address->kind != NODE_ADDRESS && !node_known(address)) {
        outside_forget(run, address);
    }
}

void memory_overwrite(struct run *run, const struct mask *mask, const struct node *address,
                      int64_t size)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i)
            memory_overwrite(run, mask_and(run->masks, mask, address->pieces.piece[i].mask),
                             address->pieces.piece[i].value, size);
        return;
    }
    if (address->kind != NODE_ADDRESS || mask->count == 0) {
        memory_forget(run, mask, address);
        return;
    }
    struct object *object = &run->object[address->address.object];
    int64_t low, high;
    offset_range(run, mask, resolve(run, address->address.offset), &low, &high);
    int64_t end = add_bytes(high, size);
    if (size < 0) {
        // Data does not run over a barrier.
        end = INT64_MAX;
        for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
            const struct mbarrier *next = &run->machines->mbarrier[i];
            if (next->object == address->address.object && next->offset > high &&
                next->offset < end)
                end = next->offset;
        }
    }
    object_overwrite(run, object, mask, low, end);
}

void memory_undefine(struct run *run, const struct mask *mask, uint32_t object)
{
    if (!object)
        return;
    struct object *at = &run->object[object];
    for (ptrdiff_t i = 0; i < arrlen(at->cell); ++i)
        at->cell[i].value.mask = mask_minus(run->masks, at->cell[i].value.mask, mask);
    for (ptrdiff_t i = 0; i < arrlen(at->zero); ++i)
        at->zero[i].mask = mask_minus(run->masks, at->zero[i].mask, mask);
}

void memory_zero(struct run *run, const struct mask *mask, const struct node *address, int64_t size,
                 const struct arms *arms)
{
    int64_t offset;
    if (address->kind != NODE_ADDRESS || arms ||
        !node_is_const(resolve(run, address->address.offset), mask, run->masks, &offset)) {
        memory_forget(run, mask, address);
        return;
    }
    struct object *object = &run->object[address->address.object];
    const struct mask *seen = audience(run, object, mask);
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        if (object->cell[i].key >= offset && object->cell[i].key < offset + size)
            object->cell[i].value.mask = mask_minus(run->masks, object->cell[i].value.mask, seen);
    }
    struct zero_range range = {offset, size, seen};
    arrput(object->zero, range);
}

// A copy whose source is memory that is not followed, member by member.
struct member_copy {
    const struct mask *mask;
    uint32_t object;           // that is written to
    int64_t target, size;      // bytes
    const struct node *source; // address
    const struct arms *arms;
    uint32_t members;
};

// Loads what the members of the type at `offset` of the object get; false when there are too many.
static bool copy_members(struct run *run, struct member_copy *copy, ir_type_id id, int64_t offset)
{
    enum { MOST_MEMBERS = 32 };
    const struct ir_type *type = &run->engine->unit->type[id];
    if (offset + (int64_t)type->size <= copy->target || copy->target + copy->size <= offset)
        return true;
    if (type->kind == IR_TYPE_RECORD) {
        for (ptrdiff_t i = 0; i < arrlen(type->field); ++i) {
            const struct ir_field *field = &type->field[i];
            if (!copy_members(run, copy, field->type, offset + (int64_t)field->offset))
                return false;
        }
        return true;
    }
    if (type->kind == IR_TYPE_ARRAY) {
        int64_t size = (int64_t)run->engine->unit->type[type->elem].size;
        for (int64_t at = 0; size > 0 && at < (int64_t)type->size; at += size) {
            if (!copy_members(run, copy, type->elem, offset + at))
                return false;
        }
        return true;
    }
    if (type->size == 0 || type->size > MAX_SCALAR || ++copy->members > MOST_MEMBERS)
        return false;
    const struct node *from = node_binary(run->nodes, IR_ADD, 64, true, copy->source,
                                          node_const(run->nodes, offset - copy->target));
    const struct node *value = memory_load(run, copy->mask, from, id, false);
    cell_store(run, &run->object[copy->object], copy->mask, NULL, offset, (uint32_t)type->size,
               value, copy->arms);
    return true;
}

void memory_copy(struct run *run, const struct mask *mask, const struct node *to,
                 const struct node *from, int64_t size, const struct arms *arms)
{
    int64_t source, target;
    if (from->kind == NODE_PIECES && to->kind != NODE_PIECES) {
        for (uint32_t i = 0; i < from->pieces.count; ++i) {
            const struct mask *here = mask_and(run->masks, mask, from->pieces.piece[i].mask);
            if (here->count)
                memory_copy(run, here, to, from->pieces.piece[i].value, size, arms);
        }
        return;
    }
    if (to->kind != NODE_ADDRESS || from->kind != NODE_ADDRESS || to->address.rank ||
        from->address.rank ||
        !node_is_const(resolve(run, from->address.offset), mask, run->masks, &source) ||
        !node_is_const(resolve(run, to->address.offset), mask, run->masks, &target)) {
        memory_forget(run, mask, to);
        if (to->kind != NODE_ADDRESS || to->address.rank ||
            run->object[to->address.object].kind != OBJECT_LOCAL ||
            run->object[to->address.object].type == IR_NONE ||
            !node_is_const(resolve(run, to->address.offset), mask, run->masks, &target))
            return;
        struct member_copy copy = {.mask = mask,
                                   .object = to->address.object,
                                   .target = target,
                                   .size = size,
                                   .source = from,
                                   .arms = arms};
        if (!copy_members(run, &copy, run->object[to->address.object].type, 0))
            memory_forget(run, mask, to);
        return;
    }
    if (to == from)
        return;
    struct {
        int64_t offset;
        struct cell cell;
    } *found = NULL;
    struct object *object = &run->object[from->address.object];
    bool unknown = object->unknown;
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        int64_t at = object->cell[i].key - source;
        if (at < 0 || at >= size || arrlen(found) >= MAX_COPY_CELLS)
            continue;
        arrput(found, ((typeof(*found)){at, object->cell[i].value}));
    }
    struct zero_range *zero = NULL;
    for (ptrdiff_t i = 0; i < arrlen(object->zero); ++i) {
        struct zero_range range = object->zero[i];
        range.offset -= source;
        range.mask = mask_and(run->masks, range.mask, mask);
        if (range.mask->count && range.offset < size && range.offset + range.size > 0) {
            range.offset += target;
            arrput(zero, range);
        }
    }
    struct object *out = &run->object[to->address.object];
    if (!arms) {
        const struct mask *seen = audience(run, out, mask);
        for (ptrdiff_t i = 0; i < arrlen(out->cell); ++i) {
            if (out->cell[i].key >= target && out->cell[i].key < target + size)
                out->cell[i].value.mask = mask_minus(run->masks, out->cell[i].value.mask, seen);
        }
        if (unknown) {
            out->unknown = true;
            ++out->version;
        }
        for (ptrdiff_t i = 0; i < arrlen(zero); ++i)
            arrput(out->zero, zero[i]);
    }
    for (ptrdiff_t i = 0; i < arrlen(found); ++i) {
        const struct mask *here = mask_and(run->masks, mask, found[i].cell.mask);
        if (here->count)
            cell_store(run, out, here, NULL, target + found[i].offset, found[i].cell.size,
                       node_restrict(run->nodes, found[i].cell.value, here), arms);
    }
    arrfree(found);
    arrfree(zero);
}
