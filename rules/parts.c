#include "rules/parts.h"

#include <string.h>

#include "base/vec.h"

// The operations of a function that write to its variables, those of one variable as a list in
// their order: the first of each, counted from 1, and for each the next one. 0: no more.
struct writers {
    uint32_t *first, *next;
};

struct reading parts_reading(const struct engine_result *result, struct arena *arena)
{
    size_t functions = arrlenu(result->unit->function) + 1;
    return (struct reading){.result = result,
                            .arena = arena,
                            .writers = arena_array(arena, struct writers, functions),
                            .blocks = arena_array(arena, enum asking, functions)};
}

// Who calls the function, and where; false where nobody does.
static bool caller_of(const struct engine_result *result, const struct place *place,
                      struct place *out, ir_value *call)
{
    if (place->caller) {
        *out = *place->caller;
        *call = place->call;
        return true;
    }
    const struct engine_chain *entry = &result->chain[place->chain];
    if (entry->parent >= place->chain || entry->function != place->id)
        return false;
    *out = (struct place){.id = result->chain[entry->parent].function, .chain = entry->parent};
    *call = engine_call_of(result, entry);
    return *call != IR_NONE;
}

const struct ir_function *parts_function(const struct reading *reading, struct place place)
{
    return &reading->result->unit->function[place.id];
}

const struct ir_op *parts_source(const struct ir_function *function, const struct ir_op *op)
{
    return op->code == IR_LOAD ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
}

uint32_t parts_writer(struct reading *reading, ir_function_id id, const struct ir_op *from)
{
    const struct ir_function *function = &reading->result->unit->function[id];
    struct writers *writers = &reading->writers[id];
    if (!writers->first) {
        writers->first = arena_array(reading->arena, uint32_t, arrlenu(function->local) + 1);
        writers->next = arena_array(reading->arena, uint32_t, arrlenu(function->op) + 1);
        for (ptrdiff_t i = arrlen(function->op); i-- > 0;) {
            const struct ir_op *store = &function->op[i];
            const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
            if ((store->code != IR_STORE && store->code != IR_PTX) || !to || to->code != IR_LOCAL)
                continue;
            writers->next[i] = writers->first[to->imm];
            writers->first[to->imm] = (uint32_t)i + 1;
        }
    }
    return writers->first[from->imm];
}

uint32_t parts_next_writer(const struct reading *reading, ir_function_id id, uint32_t writer)
{
    return reading->writers[id].next[writer - 1];
}

static bool function_polls(const struct engine_result *result, ir_function_id id, int depth);

// Whether the function that is called has no body and is given an address: a member of cuda::atomic
// with barlint's own headers.
static bool is_opaque_of_address(const struct ir_unit *unit, const struct ir_function *function,
                                 const struct ir_op *call)
{
    bool given = false;
    for (uint32_t i = 0; i < call->operand_count; ++i) {
        ir_type_id type = ir_op_at(function, ir_operand(function, call, i))->type;
        given |= type != IR_NONE && unit->type[type].kind == IR_TYPE_POINTER;
    }
    return given && !(unit->function[call->imm].flags & IR_FN_BODY);
}

// Whether the operation reads memory anew each time: a volatile or atomic access that does not go
// to shared memory.
static bool op_polls(const struct engine_result *result, const struct ir_function *function,
                     ir_value value, int depth)
{
    const struct ir_unit *unit = result->unit;
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code == IR_LOAD && op->flags & (IR_VOLATILE | IR_ATOMIC)) {
        const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
        while (from && (from->code == IR_INDEX || from->code == IR_OFFSET || from->code == IR_CAST))
            from = ir_op_at(function, ir_operand(function, from, 0));
        return from && from->code != IR_LOCAL &&
               (from->code != IR_GLOBAL || unit->global[from->imm].space != IR_SPACE_SHARED);
    }
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    if (op->code == IR_PTX && op->text && strncmp(op->text, "ld.", 3) == 0)
        return strstr(op->text, "acquire") || strstr(op->text, "volatile") ||
               strstr(op->text, "relaxed");
    if (model_match(result->model, unit, function, value, &model))
        return model.kind == MODEL_ATOMIC;
    return op->code == IR_CALL && (is_opaque_of_address(unit, function, op) ||
                                   function_polls(result, (ir_function_id)op->imm, depth + 1));
}

static bool function_polls(const struct engine_result *result, ir_function_id id, int depth)
{
    const struct ir_function *function = &result->unit->function[id];
    // Libraries spell an atomic load in many layers.
    enum { MOST_LAYERS = 3, MOST_LIBRARY_LAYERS = 8 };
    bool library = result->unit->file[function->loc.file].is_system;
    if (depth > (library ? MOST_LIBRARY_LAYERS : MOST_LAYERS) || !(function->flags & IR_FN_BODY))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        if (op_polls(result, function, (ir_value)i, depth))
            return true;
    }
    return false;
}

void parts_of(struct reading *reading, struct place place, ir_value value, int depth,
              struct parts *out)
{
    const struct engine_result *result = reading->result;
    const struct ir_function *function = parts_function(reading, place);
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || depth > PARTS_MOST_DEPTH || ++out->looks > PARTS_MOST_LOOKS)
        return;
    if (op->code == IR_SPECIAL) {
        out->blocks |= op->imm == IR_NCTAID_X || op->imm == IR_NCTAID_Y || op->imm == IR_NCTAID_Z;
        out->own |= op->imm <= IR_TID_Z || (op->imm >= IR_CTAID_X && op->imm <= IR_CTAID_Z) ||
                    op->imm == IR_LANEID || op->imm == IR_WARPID;
        out->own_block |= op->imm >= IR_CTAID_X && op->imm <= IR_CTAID_Z;
        out->own_thread |= op->imm <= IR_TID_Z || op->imm == IR_LANEID || op->imm == IR_WARPID;
    }
    struct place caller;
    ir_value call;
    if (op->code == IR_PARAM && caller_of(result, &place, &caller, &call)) {
        const struct ir_function *in = parts_function(reading, caller);
        parts_of(reading, caller, ir_operand(in, ir_op_at(in, call), (uint32_t)op->imm), depth + 1,
                 out);
        return;
    }
    struct model_op model;
    out->polls |= op_polls(result, function, value, 0);
    out->takes |= op->code == IR_CALL &&
                  model_match(result->model, result->unit, function, value, &model) &&
                  model.kind == MODEL_ATOMIC;
    const struct ir_op *from = parts_source(function, op);
    if (from && from->code == IR_LOCAL) {
        for (uint32_t i = parts_writer(reading, place.id, from); i;
             i = parts_next_writer(reading, place.id, i)) {
            const struct ir_op *store = &function->op[i - 1];
            if (store->code == IR_STORE)
                parts_of(reading, place, ir_operand(function, store, 1), depth + 1, out);
            else // what an instruction puts there
                out->polls |= op_polls(result, function, i - 1, 0);
        }
        return;
    }
    for (uint32_t i = 0; i < op->operand_count; ++i)
        parts_of(reading, place, ir_operand(function, op, i), depth + 1, out);
}

bool parts_asks_for_blocks(struct reading *reading, ir_function_id id)
{
    const struct ir_function *function = &reading->result->unit->function[id];
    bool asks = reading->blocks[id] == ASKS;
    for (ptrdiff_t i = 0; !reading->blocks[id] && !asks && i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        asks = op->code == IR_SPECIAL &&
               (op->imm == IR_NCTAID_X || op->imm == IR_NCTAID_Y || op->imm == IR_NCTAID_Z);
    }
    reading->blocks[id] = asks ? ASKS : ASKS_NOT;
    return asks;
}
