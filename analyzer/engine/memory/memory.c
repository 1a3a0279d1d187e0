// Accesses of a run to its memory: loads, stores and what makes content unknown.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/cells.h"
#include "engine/memory/memory.h"
#include "engine/values/value_internal.h"
#include "engine/memory/ordered.h"

enum { MAX_SCATTER = 64 }; // distinct offsets of one access that are followed one by one

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
    uint64_t key = offset->hash ^ mask->hash * 3;
    struct scattered *scattered =
        &run->nodes->scattered[(key ^ key >> 32) & (SCATTERED_SLOTS - 1)];
    if (scattered->offset == offset && scattered->mask == mask)
        return false;
    uint64_t word[MAX_SCATTER][MAX_THREADS / 64];
    size_t bytes = run->masks->words * sizeof word[0][0];
    uint32_t at = 0;
    mask_each (run->masks, mask, t) {
        int64_t own = offset->vector[t];
        if (out->count == 0 || out->offset[at] != own) {
            for (at = 0; at < out->count && out->offset[at] != own; ++at)
                ;
            if (at == MAX_SCATTER) {
                *scattered = (struct scattered){offset, mask};
                return false;
            }
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

void type_range(const struct run *run, ir_type_id id, int64_t *low, int64_t *high)
{
    const struct ir_type *type = &run->engine->unit->type[id];
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (type->kind == IR_TYPE_INT && type->bits < 64) {
        *low = type->is_signed ? -(INT64_C(1) << (type->bits - 1)) : 0;
        *high = (INT64_C(1) << (type->bits - type->is_signed)) - 1;
    } else if (type->kind == IR_TYPE_INT && !type->is_signed) {
        *low = 0;
    } else if (type->kind == IR_TYPE_POINTER) {
        *low = !run->engine->host;
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
        type_range(run, type, &low, &high);
        return node_atom(run->nodes, object->parameter, object->name, SHAPE_UNIFORM, low, high);
    }
    if (object->number && type == object->type && address->address.offset == run->nodes->zero)
        return object->number;
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
        object_overwrite(run, object, peers ? peers : mask, low, add_bytes(high, size), false);
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
        memory_overwrite(run, run->masks->all, address, size, false);
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
        written_note(run, mask, address, -1);
        object_forget(run, &run->object[address->address.object], mask);
    } else if (address->kind != NODE_ADDRESS && !node_known(address)) {
        outside_forget(run, address);
    }
}

// Where data of unknown length that begin at `begin` end at the latest: they do not run over a
// barrier, or over a word that threads decide by.
static int64_t data_end(const struct run *run, uint32_t id, int64_t begin)
{
    const struct object *object = &run->object[id];
    int64_t end = INT64_MAX;
    for (ptrdiff_t i = 0; i < arrlen(object->asked); ++i)
        end = object->asked[i] > begin && object->asked[i] < end ? object->asked[i] : end;
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        const struct mbarrier *next = &run->machines->mbarrier[i];
        if (next->object == id && next->offset > begin && next->offset < end)
            end = next->offset;
    }
    return end;
}

// Where the next array or member lies behind that place, in which what the kernel has stored itself
// stays when they come; INT64_MAX where none does.
static int64_t next_behind(const struct run *run, const struct object *object, int64_t begin)
{
    int64_t next =
        object->space == IR_SPACE_SHARED_DYNAMIC ? carved_behind(run->engine, begin) : INT64_MAX;
    ir_type_id type = object->view != IR_NONE ? object->view : object->type;
    const struct ir_field *field = object->kind == OBJECT_SHARED && type != IR_NONE
                                       ? run->engine->unit->type[type].field
                                       : NULL;
    for (ptrdiff_t i = 0; i < arrlen(field); ++i) {
        int64_t at = (int64_t)field[i].offset;
        next = at > begin && at < next ? at : next;
    }
    return next;
}

// `size` bytes, or no more than `most` where that is negative; who knows neither has both so.
static void overwrite(struct run *run, const struct mask *mask, const struct node *address,
                      int64_t size, int64_t most, bool copied)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i)
            overwrite(run, mask_and(run->masks, mask, address->pieces.piece[i].mask),
                      address->pieces.piece[i].value, size, most, copied);
        return;
    }
    if (address->kind != NODE_ADDRESS || mask->count == 0) {
        memory_forget(run, mask, address);
        return;
    }
    struct object *object = &run->object[address->address.object];
    int64_t low, high;
    written_note(run, mask, address, size);
    offset_range(run, mask, resolve(run, address->address.offset), &low, &high);
    if (size >= 0) {
        object_overwrite(run, object, mask, low, add_bytes(high, size), copied);
        return;
    }
    int64_t end = data_end(run, address->address.object, high), bound = add_bytes(high, most);
    object->filled |= most < 0;
    object_fill(run, object, mask, low, most >= 0 && bound < end ? bound : end,
                next_behind(run, object, high), copied);
}

void memory_overwrite(struct run *run, const struct mask *mask, const struct node *address,
                      int64_t size, bool copied)
{
    overwrite(run, mask, address, size, -1, copied);
}

void memory_fill(struct run *run, const struct mask *mask, const struct node *address, int64_t most)
{
    overwrite(run, mask, address, -1, most, true);
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
    const struct mask *seen = cell_audience(run, object, mask);
    written_note(run, mask, address, size);
    object_clear(run, object, seen, offset, offset + size);
    struct zero_range range = {offset, size, seen};
    arrput(object->zero, range);
}

static ir_type_id word_type(const struct ir_unit *unit, uint32_t bits)
{
    for (ir_type_id i = 0; i < (ir_type_id)arrlen(unit->type); ++i)
        if (unit->type[i].kind == IR_TYPE_INT && unit->type[i].bits == bits)
            return i;
    return IR_NONE;
}

const struct node *memory_word(struct run *run, const struct mask *mask, const struct node *base,
                               int64_t offset, uint32_t bits)
{
    ir_type_id type = word_type(run->engine->unit, bits);
    if (base->kind != NODE_ADDRESS || type == IR_NONE)
        return NULL;
    const struct node *at =
        node_binary(run->nodes, IR_ADD, 64, true, base, node_const(run->nodes, offset));
    return resolve(run, memory_load(run, mask, at, type, false));
}
