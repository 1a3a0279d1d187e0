// Arrays that lie in one piece of memory, and how large a block has to be for threads to meet
// there.
#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/facts.h"

enum { TWO_WARPS = 64, FOUR_WARPS = 128 };

// Whether the thread has itself stored to what the access of its own reads.
static bool has_stored(const struct access *all, const struct access *read, uint32_t thread)
{
    int64_t at = 0, to = 0;
    node_lane(read->offset, thread, &at);
    for (ptrdiff_t i = 0; i < arrlen(all); ++i) {
        if (all[i].kind == RACE_WRITE && all[i].object == read->object &&
            all[i].form == read->form && mask_has(all[i].mask, thread) &&
            node_lane(all[i].offset, thread, &to) && at < to + all[i].size && to < at + read->size)
            return true;
    }
    return false;
}

bool carved_are_one(const struct access *all, const struct access *early, const struct access *late,
                    const struct pair *pair)
{
    const struct array *one = &early->choice.array, *other = &late->choice.array;
    uint32_t last = pair->early > pair->late ? pair->early : pair->late;
    if (!one->base || one->base != other->base || last >= FOUR_WARPS)
        return false;
    return last < TWO_WARPS || !(early->kind == RACE_READ ? has_stored(all, early, pair->early)
                                                          : has_stored(all, late, pair->late));
}

// How far behind the start of dynamic shared memory the address lies that the operation casts to a
// pointer; -1 where it casts none, or nobody knows.
static int64_t carved_at(const struct ir_unit *unit, const struct ir_function *function,
                         const struct ir_op *op)
{
    if (op->code != IR_CAST || op->type == IR_NONE || unit->type[op->type].kind != IR_TYPE_POINTER)
        return -1;
    int64_t at = 0;
    do {
        op = ir_op_at(function, ir_operand(function, op, 0));
        at += op->code == IR_OFFSET ? op->imm : 0;
    } while (op->code == IR_OFFSET || op->code == IR_CAST);
    bool is_dynamic =
        op->code == IR_GLOBAL && unit->global[op->imm].space == IR_SPACE_SHARED_DYNAMIC;
    return is_dynamic ? at : -1;
}

void carved_find(struct engine *engine, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        int64_t at = carved_at(engine->unit, function, &function->op[i]);
        ptrdiff_t k = 0;
        while (k < arrlen(engine->known->carved) && engine->known->carved[k] < at)
            ++k;
        if (at >= 0 && (k == arrlen(engine->known->carved) || engine->known->carved[k] != at))
            arrins(engine->known->carved, k, at);
    }
}

int64_t carved_end(const struct engine *engine, int64_t begin)
{
    const int64_t *carved = engine->known->carved;
    for (ptrdiff_t k = 0; k < arrlen(carved); ++k) {
        if (carved[k] == begin)
            return k + 1 < arrlen(carved) ? carved[k + 1] : INT64_MAX;
    }
    return INT64_MAX;
}

int64_t carved_behind(const struct engine *engine, int64_t begin)
{
    const int64_t *carved = engine->known->carved;
    ptrdiff_t k = 0;
    while (k < arrlen(carved) && carved[k] <= begin)
        ++k;
    return k < arrlen(carved) ? carved[k] : INT64_MAX;
}
