// Values that are handed to a function which does not read them: an argument may be there for its
// type alone, to choose between overloads. No instruction loads what nobody reads.
#include "base/vec.h"
#include "engine/walk/slice.h"

// Uses of values and of variables' addresses in one function.
struct uses {
    const struct ir_function *function;
    bool *value; // by value: somebody reads it
    bool *local; // by local: somebody reads it, or may by its address
};

static bool is_plain(const struct ir_op *op)
{
    return !(op->flags & (IR_VOLATILE | IR_ATOMIC));
}

static void use(struct uses *uses, ir_value value)
{
    if (value == IR_NONE)
        return;
    const struct ir_op *op = ir_op_at(uses->function, value);
    uses->value[value] = true;
    if (op->code == IR_LOCAL)
        uses->local[op->imm] = true;
}

// The parameter of the called function that takes the operand is read by nobody.
static bool falls_flat(struct engine *engine, bool *const *unread, ir_function_id id,
                       ir_value call, uint32_t operand)
{
    ir_function_id callee = alias_callee(engine, id, call);
    return callee != IR_NONE && unread[callee] && unread[callee][operand];
}

static void find_uses(struct uses *uses, struct engine *engine, bool *const *unread,
                      ir_function_id id)
{
    const struct ir_function *function = uses->function;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        bool writes = op->code == IR_STORE || op->code == IR_COPY || op->code == IR_ZERO;
        for (uint32_t k = 0; k < op->operand_count; ++k) {
            ir_value operand = ir_operand(function, op, k);
            if (writes && k == 0 && is_plain(op) && operand != IR_NONE &&
                ir_op_at(function, operand)->code == IR_LOCAL)
                continue; // what is written is not read
            if (op->code == IR_CALL && unread && falls_flat(engine, unread, id, (ir_value)i, k))
                continue;
            use(uses, operand);
        }
    }
}

static struct uses uses_of(struct engine *engine, bool *const *unread, ir_function_id id)
{
    struct arena *arena = &engine->known->slice_arena;
    const struct ir_function *function = &engine->unit->function[id];
    struct uses uses = {.function = function,
                        .value = arena_array(arena, bool, arrlenu(function->op) + 1),
                        .local = arena_array(arena, bool, arrlenu(function->local) + 1)};
    find_uses(&uses, engine, unread, id);
    return uses;
}

// Where parse errors took expressions away, so may they have taken the reads.
static bool is_whole(const struct ir_function *function)
{
    return !(function->flags & (IR_FN_PARTIAL | IR_FN_PATTERN));
}

bool *unread_params(struct engine *engine, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    if (!is_whole(function) || arrlen(function->param) == 0)
        return NULL;
    struct uses uses = uses_of(engine, NULL, id);
    bool *unread = arena_array(&engine->known->slice_arena, bool, arrlenu(function->param));
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i)
        unread[i] = true;
    // A parameter that goes into a variable of its own is read where that is.
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        bool stores = op->code == IR_STORE && is_plain(op);
        const struct ir_op *to = stores ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        for (uint32_t k = 0; k < op->operand_count; ++k) {
            ir_value operand = ir_operand(function, op, k);
            const struct ir_op *from = operand == IR_NONE ? NULL : ir_op_at(function, operand);
            if (!from || from->code != IR_PARAM)
                continue;
            bool kept = stores && k == 1 && to && to->code == IR_LOCAL;
            if (!kept || uses.local[to->imm])
                unread[from->imm] = false;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(function->param); ++i) {
        if (unread[i])
            return unread;
    }
    return NULL;
}

bool *unread_loads(struct engine *engine, bool *const *unread, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    bool any = false;
    for (ptrdiff_t i = 0; is_whole(function) && i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        for (uint32_t k = 0; op->code == IR_CALL && k < op->operand_count; ++k)
            any |= falls_flat(engine, unread, id, (ir_value)i, k);
    }
    if (!any)
        return NULL;
    struct uses uses = uses_of(engine, unread, id);
    struct uses all = uses_of(engine, NULL, id);
    bool *found = arena_array(&engine->known->slice_arena, bool, arrlenu(function->op));
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (!is_plain(op))
            continue;
        // Only what is read by nobody because of a call: other values may have lost their readers.
        if (op->code == IR_LOAD)
            found[i] = !uses.value[i] && all.value[i];
        if (op->code != IR_COPY)
            continue;
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
        found[i] = to->code == IR_LOCAL && !uses.local[to->imm] && all.local[to->imm];
    }
    return found;
}
