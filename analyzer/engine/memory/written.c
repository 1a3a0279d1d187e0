// Which bytes of shared memory a run has stored to so far, by whatever operation: what nobody has
// stored to nobody reads in a program that is right otherwise, whatever number says where it reads.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/walk.h"

enum { MOST_RANGES = 64 }; // else anything may have been stored to

struct written {
    uint32_t object;
    int64_t low, high; // bytes
};

struct written_all {
    struct written *range; // stb_ds array; those of one variable lie apart from each other
    bool lost;
};

void written_init(struct run *run)
{
    run->machines->written = arena_new(&run->arena, struct written_all);
}

void written_release(struct run *run)
{
    arrfree(run->machines->written->range);
}

static void add(struct written_all *all, struct written fresh)
{
    for (ptrdiff_t i = arrlen(all->range); i-- > 0;) {
        const struct written *one = &all->range[i];
        if (one->object != fresh.object || one->low > fresh.high || fresh.low > one->high)
            continue;
        fresh.low = one->low < fresh.low ? one->low : fresh.low;
        fresh.high = one->high > fresh.high ? one->high : fresh.high;
        arrdelswap(all->range, i);
    }
    all->lost |= arrlen(all->range) >= MOST_RANGES;
    if (!all->lost)
        arrput(all->range, fresh);
}

void written_note(struct run *run, const struct mask *mask, const struct node *address,
                  int64_t size)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i)
            written_note(run, mask_and(run->masks, mask, address->pieces.piece[i].mask),
                         address->pieces.piece[i].value, size);
        return;
    }
    if (address->kind != NODE_ADDRESS || mask->count == 0 ||
        run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    struct written fresh = {address->address.object, INT64_MIN, INT64_MAX};
    const struct node *offset = resolve(run, address->address.offset);
    struct reach reach;
    if (size >= 0 && node_known(offset) && node_reach(run->nodes, offset, mask, &reach)) {
        fresh.low = reach.low;
        fresh.high = reach.high;
    } else if (size >= 0) {
        interval_of(run, offset, &fresh.low, &fresh.high);
    }
    if (size > 0 && fresh.high < INT64_MAX - size)
        fresh.high += size;
    add(run->machines->written, fresh);
}

// The element to which a number of that type leads at most, where it is a narrow one: a byte of a
// key, say. False where it is not.
static bool narrow_index(struct run *run, struct group *group, ir_value where,
                         const struct node **base, int64_t *last)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    const struct ir_op *op = where == IR_NONE ? NULL : ir_op_at(function, where);
    if (!op || op->code != IR_INDEX)
        return false;
    const struct ir_op *number = ir_op_at(function, ir_operand(function, op, 1));
    while (number->code == IR_CAST) {
        const struct ir_type *type = &run->engine->unit->type[number->type];
        if (type->kind == IR_TYPE_INT && type->bits <= 16)
            break;
        number = ir_op_at(function, ir_operand(function, number, 0));
    }
    const struct ir_type *type =
        number->type == IR_NONE ? NULL : &run->engine->unit->type[number->type];
    if (!type || type->kind != IR_TYPE_INT || type->bits > 16 || type->is_signed)
        return false;
    *base = group_get(run, group, ir_operand(function, op, 0));
    *last = op->imm * ((INT64_C(1) << type->bits) - 1);
    return true;
}

void written_at(struct run *run, struct group *group, const struct node *address, ir_value where,
                int64_t size)
{
    const struct node *base = NULL;
    int64_t last;
    bool narrow = address->kind == NODE_ADDRESS && !node_known(address->address.offset) &&
                  size > 0 && narrow_index(run, group, where, &base, &last);
    if (narrow)
        written_note(run, group->mask, base, last + size);
    else
        written_note(run, group->mask, address, size);
}

// Whether any byte of the variable between these may have been stored to.
static bool is_between(const struct run *run, uint32_t object, int64_t low, int64_t high)
{
    const struct written_all *all = run->machines->written;
    for (ptrdiff_t i = 0; i < arrlen(all->range); ++i) {
        const struct written *one = &all->range[i];
        if (one->object == object && one->low < high && low < one->high)
            return true;
    }
    return all->lost;
}

// The bytes of the row of the variable that the array begins with, as that of a pointer which
// `table[k]` has become; of the variable, where it has no rows or that begins elsewhere.
static int64_t row_of_base(const struct run *run, const struct access *access)
{
    const struct ir_type *type = run->engine->unit->type;
    ir_type_id id = run->object[access->object].type;
    const struct node *base = access->choice.array.base;
    int64_t begin = 0;
    bool known = base && base->kind == NODE_ADDRESS && access->choice.array.member == 0 &&
                 node_is_const(base->address.offset, access->mask, run->masks, &begin);
    while (known && type[id].kind == IR_TYPE_ARRAY && type[type[id].elem].kind == IR_TYPE_ARRAY &&
           begin % (int64_t)type[type[id].elem].size == 0)
        id = type[id].elem;
    return (int64_t)type[id].size;
}

static bool is_array(const struct run *run, uint32_t object)
{
    ir_type_id type = run->object[object].type;
    return type != IR_NONE && run->engine->unit->type[type].kind == IR_TYPE_ARRAY;
}

bool written_is_all(const struct run *run, const struct access *access)
{
    const struct array *array = &access->choice.array;
    int64_t part = array->part ? array->part : row_of_base(run, access), begin = 0;
    bool member = !array->part && array->length && array->first->kind == NODE_ADDRESS &&
                  node_is_const(array->first->address.offset, access->mask, run->masks, &begin);
    part = member ? array->length : part;
    int64_t end = access->low + part;
    // Of an array without a size nobody knows how long it is.
    if (part <= 0 || (member ? access->low != begin : access->low % part != 0))
        return false;
    // What nobody has stored to behind it is room that the program does not use.
    return access->high == end ||
           (access->high < end && (member || is_array(run, access->object)) &&
            !is_between(run, access->object, access->high, end));
}
