// Values of which the text alone says that all threads of a block that come to an operation
// together have the same one there, or all that have a coordinate in common: made of constants, of
// the block's number, of that coordinate, of what the kernel is given, and of words of memory at
// places that are the same. The slice passes over the data that a kernel stores, so that no run
// knows their values.
#include "base/vec.h"
#include "engine/run.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum {
    MOST_DEPTH = 64,
    MOST_CALLS = 8,   // within each other
    MOST_BODIES = 64, // for one question: what functions call is gone through at each call
    MOST_OPS = 4096,
};

enum known { UNKNOWN, ALIKE, DIFFERS };

// One activation of a function.
struct body {
    struct engine *engine;
    struct arena *arena;
    const struct ir_function *function;
    ir_function_id id;
    bool *param;    // by parameter: alike
    bool *differs;  // by local: its content differs, or somebody may reach it by its address
    bool *parted;   // by block: some threads pass it by on the way to where all are
    uint8_t *value; // by value: enum known
    uint32_t depth, calls;
    unsigned among; // bit i: asked of threads that have coordinate i in common
    uint32_t *left; // how many bodies may still be gone through
};

static bool is_alike(struct body *body, ir_value value);
static bool body_begin(struct body *body, const struct body *caller, bool *param);

// --- Values -----------------------------------------------------------------------------------

static bool special_is_alike(const struct body *body, enum ir_special special)
{
    switch (special) {
    case IR_TID_X:
        return body->among & 1;
    case IR_TID_Y:
        return body->among & 2;
    case IR_TID_Z:
        return body->among & 4;
    case IR_LANEID:
    case IR_WARPID:
    case IR_LANEMASK_EQ:
    case IR_LANEMASK_LE:
    case IR_LANEMASK_LT:
    case IR_LANEMASK_GE:
    case IR_LANEMASK_GT:
    case IR_CLOCK:
    case IR_CLOCK64:
    case IR_GLOBALTIMER:
        return false;
    default:
        return true;
    }
}

static bool operands_alike(struct body *body, const struct ir_op *op, uint32_t first)
{
    for (uint32_t i = first; i < op->operand_count; ++i) {
        ir_value operand = ir_operand(body->function, op, i);
        if (operand == IR_NONE || !is_alike(body, operand))
            return false;
    }
    return true;
}

// The local that the address is a place of, the same place in all threads; IR_NONE where it is none
// or another one in each.
static uint32_t local_at(struct body *body, ir_value address)
{
    const struct ir_op *op = ir_op_at(body->function, address);
    while (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST) {
        if (op->code == IR_INDEX && !is_alike(body, ir_operand(body->function, op, 1)))
            return IR_NONE;
        op = ir_op_at(body->function, ir_operand(body->function, op, 0));
    }
    return op->code == IR_LOCAL ? (uint32_t)op->imm : IR_NONE;
}

// What lies at the address. Where somebody may write to shared memory between the reads of two
// threads, that is a race by itself.
static bool content_alike(struct body *body, ir_value address)
{
    uint32_t local = local_at(body, address);
    return local != IR_NONE ? !body->differs[local] : is_alike(body, address);
}

// Whether the function is one of the toolkit that makes a number of numbers, as expf() does: with
// no pointer it knows of nothing else that would make it return another one.
static bool is_of_numbers(const struct body *body, const struct ir_function *callee)
{
    const struct ir_type *type = body->engine->unit->type;
    bool numbers = callee->flags & IR_FN_SYSTEM && callee->result != IR_NONE &&
                   type[callee->result].kind == IR_TYPE_FLOAT && arrlen(callee->param) > 0;
    for (ptrdiff_t i = 0; i < arrlen(callee->param) && numbers; ++i) {
        ir_type_id one = callee->param[i].type;
        numbers =
            one != IR_NONE && (type[one].kind == IR_TYPE_FLOAT || type[one].kind == IR_TYPE_INT);
    }
    return numbers;
}

// What the function returns, where all threads go the same way through it.
static bool call_is_alike(struct body *body, ir_value value, const struct ir_op *op)
{
    const struct ir_function *callee = &body->engine->unit->function[op->imm];
    const struct model_op *model = facts_model(body->engine, body->id, value);
    if (model->kind == MODEL_VALUE)
        return model->value_op != MODEL_VALUE_CLOCK && operands_alike(body, op, 0);
    if (model->kind == MODEL_NONE && !(callee->flags & IR_FN_BODY) && is_of_numbers(body, callee))
        return operands_alike(body, op, 0);
    if (model->kind != MODEL_NONE || !(callee->flags & IR_FN_BODY) ||
        op->operand_count != arrlenu(callee->param) || body->calls == MOST_CALLS)
        return false;
    bool *param = arena_array(body->arena, bool, op->operand_count + 1);
    for (uint32_t i = 0; i < op->operand_count; ++i)
        param[i] = is_alike(body, ir_operand(body->function, op, i));
    struct body inner = {.id = (ir_function_id)op->imm};
    if (!body_begin(&inner, body, param))
        return false;
    const struct cfg *cfg = facts_of(body->engine, inner.id)->cfg;
    for (uint32_t i = 0; i < cfg->order_count; ++i) {
        const struct ir_op *end = ir_terminator(callee, cfg->order[i]);
        bool asks = end->code == IR_CONDBR || end->code == IR_SWITCH || end->code == IR_RET;
        if (asks && !operands_alike(&inner, end, 0))
            return false;
    }
    return true;
}

static bool work_out(struct body *body, ir_value value)
{
    const struct ir_op *op = ir_op_at(body->function, value);
    switch (op->code) {
    case IR_CONST:
    case IR_FUNC:
        return true;
    case IR_PARAM:
        return body->param[op->imm];
    case IR_GLOBAL:
        return true;
    case IR_SPECIAL:
        return special_is_alike(body, (enum ir_special)op->imm);
    case IR_LOAD:
        return !(op->flags & (IR_VOLATILE | IR_ATOMIC)) &&
               content_alike(body, ir_operand(body->function, op, 0));
    case IR_CALL:
        return call_is_alike(body, value, op);
    case IR_LOCAL:
    case IR_CALLI:
    case IR_PTX:
    case IR_LAUNCH:
    case IR_OPAQUE:
        return false;
    default:
        return operands_alike(body, op, 0);
    }
}

static bool is_alike(struct body *body, ir_value value)
{
    if (body->value[value] == UNKNOWN) {
        bool alike = false;
        if (body->depth < MOST_DEPTH) {
            ++body->depth;
            alike = work_out(body, value);
            --body->depth;
        }
        body->value[value] = alike ? ALIKE : DIFFERS;
    }
    return body->value[value] == ALIKE;
}

// --- Variables --------------------------------------------------------------------------------

static bool is_store(const struct ir_op *op)
{
    return op->code == IR_STORE || op->code == IR_COPY || op->code == IR_ZERO;
}

// Variables whose address goes elsewhere than into loads, stores and copies, and parameters that
// are records, where anything is written to them: their content counts as different.
static void find_escapes(struct body *body)
{
    const struct ir_function *function = body->function;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        for (uint32_t k = 0; k < op->operand_count; ++k) {
            ir_value used = ir_operand(function, op, k);
            if (used == IR_NONE)
                continue;
            const struct ir_op *root = facts_root_of(function, used);
            bool leads_on = op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST;
            bool moves = op->code == IR_COPY || op->code == IR_LOAD || (k == 0 && is_store(op));
            if (root->code == IR_LOCAL && !(k == 0 && leads_on) && !moves)
                body->differs[root->imm] = true;
            if (root->code != IR_PARAM || (k == 0 && leads_on))
                continue;
            ir_type_id type = function->param[root->imm].type;
            bool record = type != IR_NONE && body->engine->unit->type[type].kind == IR_TYPE_RECORD;
            if (record && (!moves || (k == 0 && is_store(op))))
                body->param[root->imm] = false;
        }
    }
}

// Marks what can be reached from the block before `join`, one bit for each way that leads there.
static void reach(const struct cfg *cfg, ir_block_id from, ir_block_id join, uint8_t bit,
                  uint8_t *reached, ir_block_id *todo)
{
    uint32_t count = 0;
    if (from == join)
        return;
    reached[from] |= bit;
    todo[count++] = from;
    while (count) {
        ir_block_id block = todo[--count];
        for (uint32_t i = 0; i < cfg->successor[block].count; ++i) {
            ir_block_id next = cfg->successor[block].item[i];
            if (next == join || next >= cfg->block_count || reached[next] & bit)
                continue;
            reached[next] |= bit;
            todo[count++] = next;
        }
    }
}

// Threads part at the end of the block: those that go one way do not do what lies on another one
// before they meet. Where one way leads out of the function, they never meet those that went it.
static bool part(struct body *body, const struct cfg *cfg, ir_block_id block)
{
    enum { REST = 8 };
    uint8_t *reached = arena_array(body->arena, uint8_t, cfg->block_count + 1);
    ir_block_id *todo = arena_array(body->arena, ir_block_id, cfg->block_count + 1);
    ir_block_id join = cfg_join(cfg, block);
    for (uint32_t i = 0; i < cfg->successor[block].count; ++i)
        reach(cfg, cfg->successor[block].item[i], join, (uint8_t)(1u << (i < REST ? i : REST - 1)),
              reached, todo);
    bool meet = join < cfg->block_count || cfg->successor[block].count >= REST, changed = false;
    for (ir_block_id b = 0; b < cfg->block_count && !meet; ++b)
        meet = reached[b] & (reached[b] - 1);
    for (ir_block_id b = 0; b < cfg->block_count && meet; ++b) {
        changed |= reached[b] && !body->parted[b];
        body->parted[b] |= reached[b] != 0;
    }
    return changed;
}

// What the operation writes to its variable, if it does.
static bool note_store(struct body *body, ir_block_id block, const struct ir_op *op)
{
    if (!is_store(op))
        return false;
    const struct ir_function *function = body->function;
    ir_value to = ir_operand(function, op, 0);
    const struct ir_op *root = facts_root_of(function, to);
    if (root->code != IR_LOCAL || body->differs[root->imm])
        return false;
    bool alike = !body->parted[block] && local_at(body, to) != IR_NONE;
    if (op->code != IR_ZERO && alike) {
        ir_value from = ir_operand(function, op, 1);
        alike = op->code == IR_COPY ? content_alike(body, from) : is_alike(body, from);
    }
    body->differs[root->imm] = !alike;
    return !alike;
}

// Takes all for alike that nothing makes differ.
static bool body_begin(struct body *body, const struct body *caller, bool *param)
{
    body->engine = caller->engine;
    body->arena = caller->arena;
    body->function = &body->engine->unit->function[body->id];
    body->param = param;
    body->calls = caller->calls + 1;
    body->depth = caller->depth;
    body->among = caller->among;
    body->left = caller->left;
    if (*body->left == 0)
        return false;
    --*body->left;
    size_t ops = arrlenu(body->function->op);
    const struct cfg *cfg = facts_of(body->engine, body->id)->cfg;
    if (ops > MOST_OPS || !cfg || cfg->irreducible ||
        body->function->flags & (IR_FN_PARTIAL | IR_FN_PATTERN))
        return false;
    body->differs = arena_array(body->arena, bool, arrlenu(body->function->local) + 1);
    body->parted = arena_array(body->arena, bool, cfg->block_count + 1);
    body->value = arena_array(body->arena, uint8_t, ops + 1);
    find_escapes(body);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < ops; ++i)
            body->value[i] = UNKNOWN;
        for (uint32_t b = 0; b < cfg->order_count; ++b) {
            const struct ir_block *block = &body->function->block[cfg->order[b]];
            const struct ir_op *end = ir_terminator(body->function, cfg->order[b]);
            for (ptrdiff_t k = 0; k < arrlen(block->op); ++k)
                changed |= note_store(body, cfg->order[b], ir_op_at(body->function, block->op[k]));
            if ((end->code == IR_CONDBR || end->code == IR_SWITCH) && !operands_alike(body, end, 0))
                changed |= part(body, cfg, cfg->order[b]);
        }
    }
    return true;
}

// --- Activations ------------------------------------------------------------------------------

// Says of the frame's parameters which are alike: what the kernel is given, and what its functions
// are handed in this activation.
static bool frame_begin(struct run *run, const struct frame *frame, struct arena *arena,
                        uint32_t calls, unsigned among, uint32_t *left, struct body *out)
{
    const struct ir_function *function = frame_function(run, frame);
    bool *param = arena_array(arena, bool, arrlenu(function->param) + 1);
    struct body above = {
        .engine = run->engine, .arena = arena, .calls = calls, .among = among, .left = left};
    if (!frame->parent) {
        for (ptrdiff_t i = 0; i < arrlen(function->param); ++i)
            param[i] = true;
    } else {
        const struct ir_op *call = ir_op_at(frame_function(run, frame->parent), frame->call);
        struct body caller = {0};
        if (calls == MOST_CALLS || call->code != IR_CALL ||
            call->operand_count != arrlenu(function->param) ||
            !frame_begin(run, frame->parent, arena, calls + 1, among, left, &caller))
            return false;
        for (uint32_t i = 0; i < call->operand_count; ++i)
            param[i] = is_alike(&caller, ir_operand(caller.function, call, i));
    }
    *out = (struct body){.id = frame->function};
    return body_begin(out, &above, param);
}

static bool is_stored_alike(struct run *run, const struct frame *frame, const struct ir_op *op,
                            unsigned among)
{
    struct arena arena;
    arena_init(&arena);
    struct body body;
    uint32_t left = MOST_BODIES;
    bool alike = false;
    if ((op->code == IR_STORE || op->code == IR_COPY) &&
        frame_begin(run, frame, &arena, 0, among, &left, &body)) {
        ir_value from = ir_operand(body.function, op, 1);
        alike = op->code == IR_COPY ? content_alike(&body, from) : is_alike(&body, from);
    }
    arena_release(&arena);
    return alike;
}

bool alike_stored(struct run *run, const struct frame *frame, const struct ir_op *op,
                  unsigned among)
{
    uint64_t index = (uint64_t)(op - frame_function(run, frame)->op) << 3 | among;
    uint64_t key = (uint64_t)frame->chain << 32 | index;
    ptrdiff_t known = hmgeti(run->engine->alike, key);
    if (known < 0) {
        bool alike = is_stored_alike(run, frame, op, among);
        hmput(run->engine->alike, key, alike);
        return alike;
    }
    return run->engine->alike[known].value;
}
