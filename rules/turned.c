#include "rules/turned.h"

#include "base/arena.h"
#include "base/vec.h"
#include "ir/cfg.h"
#include "rules/facts.h"

enum { MOST_FRAMES = 8, MOST_DEPTH = 12, MOST_CALLS = 2 };

// Where a parity is kept: a variable of the function, or what a pointer that it is given leads to.
struct place {
    enum { NOWHERE, VARIABLE, POINTED, ARGUMENT } kind; // ARGUMENT: it is the argument's value
    int64_t index, offset;
};

static const struct place nowhere = {NOWHERE, 0, 0};

// What the variable holds where the function stores to it once, IR_NONE otherwise.
static ir_value only_store(const struct ir_function *function, int64_t local)
{
    ir_value from = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
        if (op->code != IR_STORE || !to || to->code != IR_LOCAL || to->imm != local)
            continue;
        if (from != IR_NONE)
            return IR_NONE;
        from = ir_operand(function, op, 1);
    }
    return from;
}

// The place behind an address.
static struct place place_at(const struct ir_function *function, ir_value address)
{
    struct place place = nowhere;
    const struct ir_op *op = ir_op_at(function, address);
    for (int depth = 0; op && depth < MOST_DEPTH; ++depth) {
        if (op->code == IR_OFFSET) {
            place.offset += op->imm;
        } else if (op->code == IR_LOAD) {
            const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
            if (!from || from->code != IR_LOCAL)
                return nowhere;
            op = ir_op_at(function, only_store(function, from->imm));
            if (!op || op->code == IR_LOAD)
                return nowhere;
            continue;
        } else if (op->code == IR_LOCAL || op->code == IR_PARAM) {
            place.kind = op->code == IR_LOCAL ? VARIABLE : POINTED;
            place.index = op->imm;
            return place;
        } else if (op->code != IR_CAST) {
            return nowhere;
        }
        op = ir_op_at(function, ir_operand(function, op, 0));
    }
    return nowhere;
}

// Where the value comes from, through conversions, masks and turns.
static struct place place_of(const struct ir_function *function, ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    for (int depth = 0; op && depth < MOST_DEPTH; ++depth) {
        ir_value first = ir_operand(function, op, 0);
        const struct ir_op *second = ir_op_at(function, ir_operand(function, op, 1));
        if (op->code == IR_PARAM)
            return (struct place){ARGUMENT, op->imm, 0};
        if (op->code == IR_LOAD) {
            struct place place = place_at(function, first);
            ir_value from = place.kind == VARIABLE && !place.offset
                                ? only_store(function, place.index)
                                : IR_NONE;
            if (from == IR_NONE)
                return place;
            op = ir_op_at(function, from);
            continue;
        }
        bool passes =
            op->code == IR_CAST || op->code == IR_NOT ||
            ((op->code == IR_AND || op->code == IR_XOR || op->code == IR_NE || op->code == IR_EQ) &&
             second && second->code == IR_CONST);
        if (!passes)
            return nowhere;
        op = ir_op_at(function, first);
    }
    return nowhere;
}

// The same where the address of the value is given; a temporary made for it is looked through.
static struct place place_behind(const struct ir_function *function, ir_value address)
{
    struct place place = place_at(function, address);
    ir_value from =
        place.kind == VARIABLE && !place.offset ? only_store(function, place.index) : IR_NONE;
    return from == IR_NONE ? place : place_of(function, from);
}

static bool same_place(struct place a, struct place b)
{
    return a.kind == b.kind && a.index == b.index && a.offset == b.offset;
}

// Whether the value is worked out from what the place holds.
static bool made_from(const struct ir_function *function, ir_value value, struct place place,
                      int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || depth > MOST_DEPTH)
        return false;
    if (op->code == IR_LOAD)
        return same_place(place_at(function, ir_operand(function, op, 0)), place);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (made_from(function, ir_operand(function, op, i), place, depth + 1))
            return true;
    }
    return false;
}

static ir_block_id block_of(const struct ir_function *function, ir_value value)
{
    for (size_t b = 0; b < arrlenu(function->block); ++b) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            if (function->block[b].op[i] == value)
                return (ir_block_id)b;
        }
    }
    return IR_NONE;
}

// Whether each round of the loop passes the block.
static bool on_each_round(const struct cfg *cfg, uint32_t loop, ir_block_id block)
{
    ir_block_id header = cfg->loop[loop].header;
    for (uint32_t i = 0; i < cfg->predecessor[header].count; ++i) {
        ir_block_id from = cfg->predecessor[header].item[i];
        if (cfg_in_loop(cfg, loop, from) && !cfg_dominates(cfg, block, from))
            return false;
    }
    return true;
}

// Whether the operation writes the variable: a store, or an instruction of inline PTX.
static bool writes(const struct ir_function *function, const struct ir_op *op, struct place place)
{
    int64_t results = op->code == IR_STORE ? 1 : op->code == IR_PTX ? op->imm : 0;
    for (int64_t i = 0; i < results; ++i) {
        if (same_place(place_at(function, ir_operand(function, op, (uint32_t)i)), place))
            return true;
    }
    return false;
}

// Whether the value says what the operation `test` answered.
static bool says(const struct ir_function *function, ir_value value, ir_value test, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    if (value == test || !op || depth > MOST_DEPTH)
        return value == test;
    if (op->code == IR_LOAD) {
        struct place place = place_at(function, ir_operand(function, op, 0));
        for (ptrdiff_t i = 0; place.kind == VARIABLE && i < arrlen(function->op); ++i) {
            const struct ir_op *from = &function->op[i];
            if (!writes(function, from, place))
                continue;
            uint32_t first = from->code == IR_PTX ? (uint32_t)from->imm : 1;
            bool told = (ir_value)i == test;
            for (uint32_t k = first; k < from->operand_count && !told; ++k)
                told = says(function, ir_operand(function, from, k), test, depth + 1);
            if (told)
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; op->code != IR_CALL && i < op->operand_count; ++i) {
        if (says(function, ir_operand(function, op, i), test, depth + 1))
            return true;
    }
    return false;
}

static bool is_plain(const struct engine_result *result, const struct ir_function *function,
                     ir_value value, int depth);

// Whether the call only works out a value: an address of a barrier, most often.
static bool is_plain_call(const struct engine_result *result, const struct ir_function *function,
                          ir_value value, int depth)
{
    const struct ir_function *callee = &result->unit->function[ir_op_at(function, value)->imm];
    struct model_op model;
    if (model_match(result->model, result->unit, function, value, &model))
        return model.kind == MODEL_MBARRIER_HANDLE || model.kind == MODEL_ADDRESS_SAME ||
               model.kind == MODEL_VALUE || model.kind == MODEL_NOTHING;
    bool plain = arrlen(callee->op) > 0 && depth < MOST_CALLS;
    for (ptrdiff_t i = 0; plain && i < arrlen(callee->op); ++i)
        plain = is_plain(result, callee, (ir_value)i, depth + 1);
    return plain;
}

// Whether the operation may be passed over: it works out a value, or moves one.
static bool is_plain(const struct engine_result *result, const struct ir_function *function,
                     ir_value value, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    switch (op->code) {
    case IR_CALL:
        return is_plain_call(result, function, value, depth);
    case IR_CALLI:
    case IR_OPAQUE:
    case IR_COPY:
    case IR_ZERO:
    case IR_LAUNCH:
        return false;
    case IR_PTX:
        return !model_match(result->model, result->unit, function, value, &model);
    case IR_STORE:
        return place_at(function, ir_operand(function, op, 0)).kind == VARIABLE;
    default:
        return true;
    }
}

// The one store that turns what the place holds in each round of the loop around `test`, which the
// answer ends; IR_NONE where the loop does anything else, or asks another barrier meanwhile.
static ir_value turn_in_loop(const struct engine_result *result, const struct ir_function *function,
                             ir_value test, ir_value object, struct place place,
                             const struct cfg *cfg)
{
    ir_block_id block = block_of(function, test);
    uint32_t loop = block == IR_NONE ? IR_NONE : cfg->loop_of[block];
    ir_value turn = IR_NONE;
    bool by_answer = false;
    for (uint32_t i = 0; loop != IR_NONE && i < cfg->loop[loop].count; ++i) {
        ir_block_id at = cfg->loop_block[cfg->loop[loop].first + i];
        for (ptrdiff_t k = 0; k < arrlen(function->block[at].op); ++k) {
            ir_value value = function->block[at].op[k];
            const struct ir_op *op = ir_op_at(function, value);
            struct place to =
                op->code == IR_STORE ? place_at(function, ir_operand(function, op, 0)) : nowhere;
            by_answer |=
                op->code == IR_CONDBR && says(function, ir_operand(function, op, 0), test, 0);
            if (value == test)
                continue;
            if (op->code == IR_STORE && same_place(to, place)) {
                if (turn != IR_NONE || !on_each_round(cfg, loop, at) ||
                    !made_from(function, ir_operand(function, op, 1), place, 0))
                    return IR_NONE;
                turn = value;
            } else if (!is_plain(result, function, value, 0) ||
                       (op->code == IR_STORE && made_from(function, object, to, 0))) {
                return IR_NONE;
            }
        }
    }
    return by_answer ? turn : IR_NONE;
}

// Whether the function hands on the answer of `test` and does nothing else.
static bool hands_on(const struct engine_result *result, const struct ir_function *function,
                     ir_value test)
{
    bool returns = false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if ((ir_value)i != test && !is_plain(result, function, (ir_value)i, 0))
            return false;
        returns |= op->code == IR_RET && says(function, ir_operand(function, op, 0), test, 0);
    }
    return returns;
}

// Which parameter the address is made of; -1: of none. False where it is made of more than that.
static bool root_of(const struct ir_function *function, ir_value value, int64_t *param)
{
    const struct ir_op *op = ir_op_at(function, value);
    *param = -1;
    for (int depth = 0; op && depth < MOST_DEPTH; ++depth) {
        struct place place;
        switch (op->code) {
        case IR_PARAM:
            *param = op->imm;
            return true;
        case IR_GLOBAL:
            return true;
        case IR_LOAD:
            place = place_at(function, ir_operand(function, op, 0));
            if (place.kind == POINTED) {
                *param = place.index;
                return true;
            }
            if (place.kind != VARIABLE || place.offset)
                return false;
            op = ir_op_at(function, only_store(function, place.index));
            continue;
        case IR_CALL:
            if (op->operand_count != 1)
                return false;
            op = ir_op_at(function, ir_operand(function, op, 0));
            continue;
        case IR_OFFSET:
        case IR_CAST:
        case IR_AND:
            op = ir_op_at(function, ir_operand(function, op, 0));
            continue;
        default:
            return false;
        }
    }
    return false;
}

bool turned_on_failure(const struct engine_result *result, const struct engine_event *event,
                       struct ir_loc *out)
{
    const struct ir_unit *unit = result->unit;
    const struct model_op *model = &event->model;
    const struct ir_function *function = &unit->function[event->function];
    ir_value test = event->op, object = model->object;
    if (model->kind != MODEL_MBARRIER_TEST || model->parity == IR_NONE ||
        event->function != result->chain[event->chain].function)
        return false;
    struct place place = model_is_indirect(model, &model->parity)
                             ? place_behind(function, model->parity)
                             : place_of(function, model->parity);
    uint32_t chain = event->chain;
    for (int frame = 0; frame < MOST_FRAMES && place.kind != NOWHERE; ++frame) {
        if (place.kind != ARGUMENT) {
            struct arena arena;
            struct cfg cfg;
            arena_init(&arena);
            cfg_build(&cfg, function, &arena);
            ir_value turn = turn_in_loop(result, function, test, object, place, &cfg);
            arena_release(&arena);
            if (turn != IR_NONE)
                *out = function->op[turn].loc;
            if (turn != IR_NONE || place.kind == VARIABLE)
                return turn != IR_NONE;
        }
        const struct engine_chain *entry = &result->chain[chain];
        int64_t param;
        if (entry->parent >= chain || !hands_on(result, function, test) ||
            !root_of(function, object, &param))
            return false;
        test = engine_call_of(result, entry);
        chain = entry->parent;
        function = &unit->function[result->chain[chain].function];
        const struct ir_op *call = ir_op_at(function, test);
        if (!call)
            return false;
        ir_value given = ir_operand(function, call, (uint32_t)place.index);
        object = param < 0 ? IR_NONE : ir_operand(function, call, (uint32_t)param);
        int64_t offset = place.offset;
        place = place.kind == ARGUMENT ? place_of(function, given) : place_behind(function, given);
        place.offset += offset;
    }
    return false;
}
