#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { MOST_FRAMES = 6, MOST_DEPTH = 4, MOST_ROUNDS = 4, MOST_PLACES = 8, MOST_WRAPPERS = 2 };

// Memory that holds the mask: a variable of the function or a member of it, or of what a parameter
// points to.
struct place {
    bool by_param;
    int64_t index, offset; // which variable or parameter, and the byte in it
};

// Where the mask comes from, in the eyes of a function: what an operation yields or a parameter is,
// either of which may be none, and what memory holds it.
struct seed {
    ir_value value;
    uint32_t param;
    struct place place[MOST_PLACES];
    uint32_t places;
    bool aggregates; // a function that calls this one does
};

// Where the mask goes through one function.
struct flow {
    const struct engine_result *result;
    const struct ir_function *function;
    bool *value;
    struct place place[MOST_PLACES];
    uint32_t places;
    bool returned;
    ir_value sink; // the operation that takes it, IR_NONE where none does
    struct ir_loc loc;
    bool aggregates; // an atomic operation stands in the function, in what it calls, or in a caller
};

static bool holds(const struct flow *flow, ir_value value)
{
    return value != IR_NONE && flow->value[value];
}

// Whether the lanes that come matter to the operation: it reads those next to the own one, or waits
// for all that are meant to be there.
static bool needs_certain_lanes(const struct flow *flow, const struct model_op *op)
{
    switch (op->kind) {
    case MODEL_WARP_SYNC:
    case MODEL_WARP_REDUCE:
        return true;
    case MODEL_WARP_SHUFFLE:
        // One lane speaks for those that are there, which is what an aggregated atomic is made of.
        return op->warp_op != MODEL_SHFL_IDX || !flow->aggregates;
    default:
        return false;
    }
}

static bool follow(const struct engine_result *result, ir_function_id id, const struct seed *seed,
                   int depth, struct flow *out);

static bool place_of(const struct ir_function *function, ir_value address, struct place *out)
{
    *out = (struct place){0};
    while (address != IR_NONE) {
        const struct ir_op *op = ir_op_at(function, address);
        switch (op->code) {
        case IR_LOCAL:
        case IR_PARAM:
            out->by_param = op->code == IR_PARAM;
            out->index = op->imm;
            return true;
        case IR_OFFSET:
            out->offset += op->imm;
            break;
        case IR_CAST:
            break;
        default:
            return false;
        }
        address = ir_operand(function, op, 0);
    }
    return false;
}

static bool is_held(const struct flow *flow, const struct place *place)
{
    for (uint32_t i = 0; i < flow->places; ++i) {
        const struct place *held = &flow->place[i];
        if (held->by_param == place->by_param && held->index == place->index &&
            held->offset == place->offset)
            return true;
    }
    return false;
}

static void hold(struct flow *flow, const struct place *place)
{
    if (flow->places < MOST_PLACES && !is_held(flow, place))
        flow->place[flow->places++] = *place;
}

// What of the memory that holds the mask in a callee is memory of its caller.
static void hold_written(struct flow *flow, const struct flow *callee, const struct ir_op *call)
{
    for (uint32_t i = 0; i < callee->places; ++i) {
        const struct place *held = &callee->place[i];
        struct place place;
        if (!held->by_param || held->index >= call->operand_count ||
            !place_of(flow->function, ir_operand(flow->function, call, (uint32_t)held->index),
                      &place))
            continue;
        place.offset += held->offset;
        hold(flow, &place);
    }
}

// What the callee is given of the mask by parameter `param`.
static bool seed_of(const struct flow *flow, const struct ir_op *call, uint32_t param,
                    struct seed *out)
{
    *out = (struct seed){.value = IR_NONE, .param = UINT32_MAX, .aggregates = flow->aggregates};
    ir_value given = ir_operand(flow->function, call, param);
    struct place base;
    if (holds(flow, given))
        out->param = param;
    for (uint32_t i = 0; i < flow->places && place_of(flow->function, given, &base); ++i) {
        const struct place *held = &flow->place[i];
        if (held->by_param == base.by_param && held->index == base.index)
            out->place[out->places++] = (struct place){true, param, held->offset - base.offset};
    }
    return out->param != UINT32_MAX || out->places > 0;
}

static void step_into(struct flow *flow, ir_value at, const struct ir_op *call, int depth)
{
    for (uint32_t i = 0; i < call->operand_count; ++i) {
        struct flow inner;
        struct seed seed;
        if (!seed_of(flow, call, i, &seed))
            continue;
        bool found = follow(flow->result, (ir_function_id)call->imm, &seed, depth + 1, &inner);
        flow->value[at] |= inner.returned;
        hold_written(flow, &inner, call);
        if (found && flow->sink == IR_NONE) {
            flow->sink = at;
            flow->loc = call->loc;
        }
    }
}

static void step(struct flow *flow, ir_value at, const struct ir_op *op, int depth)
{
    struct model_op model;
    struct place place;
    bool any = false;
    for (uint32_t i = 0; i < op->operand_count; ++i)
        any |= holds(flow, ir_operand(flow->function, op, i));
    switch (op->code) {
    case IR_LOAD:
        flow->value[at] |= place_of(flow->function, ir_operand(flow->function, op, 0), &place) &&
                           is_held(flow, &place);
        break;
    case IR_STORE:
        if (holds(flow, ir_operand(flow->function, op, 1)) &&
            place_of(flow->function, ir_operand(flow->function, op, 0), &place))
            hold(flow, &place);
        break;
    case IR_CAST:
    case IR_AND:
    case IR_SELECT:
        flow->value[at] |= any;
        break;
    case IR_RET:
        flow->returned |= any;
        break;
    case IR_CALL:
    case IR_PTX:
        if (model_match(flow->result->model, flow->result->unit, flow->function, at, &model)) {
            if (flow->sink == IR_NONE && holds(flow, model.mask) &&
                needs_certain_lanes(flow, &model)) {
                flow->sink = at;
                flow->loc = op->loc;
            }
            break;
        }
        if (op->code == IR_CALL)
            step_into(flow, at, op, depth);
        break;
    default:
        break;
    }
}

// Whether an atomic operation stands in the function, or in a wrapper that it calls.
static bool aggregates(const struct engine_result *result, ir_function_id id, int depth)
{
    const struct ir_function *function = &result->unit->function[id];
    struct model_op model;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code != IR_CALL && op->code != IR_PTX)
            continue;
        if (model_match(result->model, result->unit, function, (ir_value)i, &model)) {
            if (model.kind == MODEL_ATOMIC)
                return true;
        } else if (op->code == IR_CALL && depth < MOST_WRAPPERS &&
                   aggregates(result, (ir_function_id)op->imm, depth + 1)) {
            return true;
        }
    }
    return false;
}

// Follows the mask. Returns whether an operation takes it.
static bool follow(const struct engine_result *result, ir_function_id id, const struct seed *seed,
                   int depth, struct flow *out)
{
    const struct ir_function *function = &result->unit->function[id];
    *out = (struct flow){.result = result, .function = function, .sink = IR_NONE};
    if (depth > MOST_DEPTH || !(function->flags & IR_FN_BODY))
        return false;
    out->value = calloc(arrlenu(function->op) + 1, sizeof *out->value);
    out->aggregates = seed->aggregates || aggregates(result, id, 0);
    for (uint32_t i = 0; i < seed->places; ++i)
        hold(out, &seed->place[i]);
    if (out->value) {
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            out->value[i] = op->code == IR_PARAM && op->imm == (int64_t)seed->param;
        }
        if (seed->value != IR_NONE) {
            out->value[seed->value] = true;
            const struct ir_op *op = ir_op_at(function, seed->value);
            struct place place;
            if (op->code == IR_PTX && op->imm > 0 &&
                place_of(function, ir_operand(function, op, 0), &place))
                hold(out, &place);
        }
        for (int round = 0; round < MOST_ROUNDS; ++round) {
            for (ptrdiff_t i = 0; i < arrlen(function->op); ++i)
                step(out, (ir_value)i, &function->op[i], depth);
        }
    }
    free(out->value);
    out->value = NULL;
    return out->sink != IR_NONE;
}

static void check_event(struct rule_context *context, const struct engine_result *result,
                        const struct engine_event *event)
{
    ir_function_id function = event->function;
    struct seed seed = {.value = event->op, .param = UINT32_MAX};
    uint32_t chain = event->chain;
    for (int frame = 0; frame < MOST_FRAMES; ++frame) {
        struct flow flow;
        if (follow(result, function, &seed, 0, &flow)) {
            struct rule_report *report = rule_report(
                context, flow.loc, chain, RULE_POSSIBLE,
                "the lanes of this operation are those that happened to be together before, which "
                "may be a part of those that take this branch");
            rule_note(report, event->loc,
                      "the mask is asked for here, where lanes of a warp have parted");
            return;
        }
        const struct engine_chain *entry = &result->chain[chain];
        if (entry->parent >= chain)
            return;
        ir_value call = engine_call_of(result, entry);
        function = result->chain[entry->parent].function;
        chain = entry->parent;
        if (call == IR_NONE)
            return;
        struct flow outer = {.result = result, .function = &result->unit->function[function]};
        hold_written(&outer, &flow, ir_op_at(outer.function, call));
        if (!flow.returned && outer.places == 0)
            return;
        seed = (struct seed){.value = flow.returned ? call : IR_NONE, .param = UINT32_MAX};
        memcpy(seed.place, outer.place, sizeof seed.place);
        seed.places = outer.places;
    }
}

static bool asks_apart(const struct engine_event *event)
{
    return event->model.kind == MODEL_ACTIVE_MASK && event->part_of_warp;
}

// Whether `one` stands before `other` in the same block of the function, with no branch between.
static bool comes_first(const struct ir_function *function, ir_value one, ir_value other)
{
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        bool seen = false;
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            seen |= function->block[b].op[i] == one;
            if (function->block[b].op[i] == other)
                return seen;
        }
    }
    return false;
}

// Whether the same lanes have asked before, with no branch since, and that is told: each step of a
// sum asks anew.
static bool is_told_above(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_function *function = &result->unit->function[event->function];
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *other = &result->event[i];
        const struct seed seed = {.value = other->op, .param = UINT32_MAX};
        struct flow flow;
        if (asks_apart(other) && other->op != event->op && other->function == event->function &&
            other->chain == event->chain && comes_first(function, other->op, event->op) &&
            follow(result, event->function, &seed, 0, &flow))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (asks_apart(event) && !is_told_above(result, event))
            check_event(context, result, event);
    }
}

const struct rule rule_warp_activemask = {
    .id = "warp-activemask",
    .family = "warp",
    .summary = "the lanes that happen to be together are taken for the lanes that should be",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 2.1 (collective.warp.participants.active)",
                   "CUDA Programming Guide 13, 5.4.4.2",
                   "CUDA Programming Guide 13, 5.4.6 (__activemask)"},
    .check = check,
    .doc =
        {
            .what = "The result of __activemask() (activemask in PTX), asked for where "
                    "lanes of a warp have parted, is the mask of an operation to which "
                    "the set of lanes matters: __syncwarp, a reduction, a shuffle to "
                    "neighbours, or a shuffle from one lane where nothing is "
                    "aggregated. Fine are masks made by __ballot_sync before the "
                    "branch, and the aggregated atomic: whoever is there elects one "
                    "lane, which adds for all of them.",
            .why = "__activemask() says which lanes execute that instruction together "
                   "at that moment. The device need not bring all lanes that take a "
                   "branch together, so that a branch may be passed in several parts, "
                   "each with a mask of its own: sums are partial, __syncwarp() does "
                   "not wait for the other parts.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void sums(const int *in, int *out)\n"
                   "{\n"
                   "    int value = in[threadIdx.x];\n"
                   "    if (value > 0) {\n"
                   "        unsigned lanes = __activemask();\n"
                   "        for (int step = 16; step > 0; step /= 2)\n"
                   "            value += __shfl_down_sync(lanes, value, step); // expect: "
                   "warp-activemask\n"
                   "        out[threadIdx.x] = value;\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    sums<<<1, 32>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void sums(const int *in, int *out)\n"
                    "{\n"
                    "    int value = in[threadIdx.x];\n"
                    "    int part = value > 0 ? value : 0;\n"
                    "    for (int step = 16; step > 0; step /= 2)\n"
                    "        part += __shfl_down_sync(0xffffffffu, part, step);\n"
                    "    if (value > 0)\n"
                    "        out[threadIdx.x] = part;\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    sums<<<1, 32>>>(in, out);\n"
                    "}\n",
            .fix = "unsigned lanes = __ballot_sync(0xffffffff, condition) before the "
                   "branch, or let all lanes take part with a neutral value.",
            .limit = "The device may bring all lanes of the branch together and often does; which "
                     "of them it does is in no source.",
        },
};
