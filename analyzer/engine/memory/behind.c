// What lies behind the end of an array, or of the row that an index names: no program that is right
// goes there, and a size with which threads would meet there says nothing.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

static const struct ir_op *without_casts(const struct ir_function *function, ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    while (op && op->code == IR_CAST)
        op = ir_op_at(function, ir_operand(function, op, 0));
    return op;
}

// What is only read may be a window that moves along a row: x[column + step * tap].
int64_t behind_width(struct run *run, struct group *group, ir_value element,
                     const struct node **column)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    ir_value index = ir_operand(function, ir_op_at(function, element), 1);
    const struct ir_op *sum = without_casts(function, index);
    for (uint32_t i = 0; sum && sum->code == IR_ADD && i < 2; ++i) {
        const struct ir_op *row = without_casts(function, ir_operand(function, sum, i));
        for (uint32_t k = 0; row && row->code == IR_MUL && k < 2; ++k) {
            const struct ir_op *width = without_casts(function, ir_operand(function, row, k));
            if (!width || width->code != IR_CONST || width->imm <= 1)
                continue;
            *column = group_get(run, group, ir_operand(function, sum, 1 - i));
            bool varies = (*column)->kind == NODE_VECTOR;
            return varies && facts_stores_to(run->engine, group->frame->function, element)
                       ? width->imm
                       : 0;
        }
    }
    return 0;
}

// The bytes of the shared variable, which its declaration says; 0 for memory of another kind.
static int64_t variable_length(const struct run *run, uint32_t index)
{
    const struct object *object = &run->object[index];
    bool is_said = object->kind == OBJECT_SHARED && object->space == IR_SPACE_SHARED &&
                   object->type != IR_NONE;
    return is_said ? (int64_t)run->engine->unit->type[object->type].size : 0;
}

// Whether the thread goes behind the end of what it indexes. Of a row that is one only in how the
// index is spelled that is said where nothing but a size nobody knows here lets it.
static bool goes_behind(const struct access *access, uint32_t thread, int64_t whole)
{
    const struct array *array = &access->choice.array;
    int64_t at = 0, first = 0, column = 0;
    if (!node_lane(access->offset, thread, &at))
        return false;
    if (whole && at >= whole)
        return true;
    if (array->width && access->arms && node_lane(array->column, thread, &column) &&
        column >= array->width)
        return true;
    return array->length && node_lane(array->first->address.offset, thread, &first) &&
           (at < first || at >= first + array->length);
}

// Whether all threads stay within, as the lowest and the highest place show that they go to.
static bool all_within(struct run *run, const struct access *access, int64_t whole)
{
    const struct array *array = &access->choice.array;
    struct reach at;
    if ((array->width && access->arms) ||
        !node_reach(run->nodes, access->offset, access->mask, &at) || (whole && at.high >= whole))
        return false;
    return !array->length || (node_reach_from(run->nodes, access->offset,
                                              array->first->address.offset, access->mask, &at) &&
                              at.low >= 0 && at.high < array->length);
}

const struct mask *behind_none(struct run *run, const struct access *access)
{
    const int64_t whole = variable_length(run, access->object);
    struct mask_builder within;
    if (access->form || access->choice.step || all_within(run, access, whole))
        return access->mask;
    mask_builder_clear(run->masks, &within);
    mask_each (run->masks, access->mask, t) {
        if (!goes_behind(access, t, whole))
            mask_builder_add(&within, t);
    }
    return mask_builder_end(run->masks, &within);
}
