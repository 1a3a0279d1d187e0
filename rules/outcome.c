#include "rules/outcome.h"

#include <stdlib.h>

#include "base/vec.h"
#include "rules/facts.h"

// What a value says about the test.
enum meaning {
    MEANS_NOTHING,
    MEANS_OVER,     // not zero: the phase is over
    MEANS_NOT_OVER, // not zero: it is not
    MEANS_UNCLEAR,
};

enum { MOST_FRAMES = 8, MOST_DEPTH = 3 };

// The flow of a test's outcome through one function.
struct flow {
    const struct engine_result *result;
    const struct ir_function *function;
    uint32_t chain;        // how the function was entered
    ir_value test;         // the test, or the call that leads to it
    ir_function_id hollow; // does no more than to drop the outcome of such a test; or IR_NONE
    uint8_t *value;        // enum meaning, by operation
    uint8_t *local;        // by local
    bool escapes;          // goes where it is not followed
    bool decides;          // a condition asks for it
    bool changed;          // what a value or a local means, since this was cleared
    enum meaning returned;
};

static enum meaning inverse(enum meaning meaning)
{
    return meaning == MEANS_OVER       ? MEANS_NOT_OVER
           : meaning == MEANS_NOT_OVER ? MEANS_OVER
                                       : meaning;
}

static enum meaning of_value(const struct flow *flow, ir_value value)
{
    return value == IR_NONE ? MEANS_NOTHING : (enum meaning)flow->value[value];
}

static bool constant_of(const struct ir_function *function, ir_value value, int64_t *out)
{
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || op->code != IR_CONST)
        return false;
    *out = op->imm;
    return true;
}

static enum meaning of_compare(const struct flow *flow, const struct ir_op *op)
{
    ir_value a = ir_operand(flow->function, op, 0), b = ir_operand(flow->function, op, 1);
    if (of_value(flow, a) == MEANS_NOTHING) {
        ir_value swap = a;
        a = b;
        b = swap;
    }
    int64_t number;
    enum meaning meaning = of_value(flow, a);
    if (meaning == MEANS_NOTHING)
        return MEANS_NOTHING;
    if (!constant_of(flow->function, b, &number))
        return MEANS_UNCLEAR;
    return (number != 0) == (op->code == IR_EQ) ? meaning : inverse(meaning);
}

static enum meaning of_select(const struct flow *flow, const struct ir_op *op)
{
    enum meaning condition = of_value(flow, ir_operand(flow->function, op, 0));
    int64_t yes, no;
    bool other = of_value(flow, ir_operand(flow->function, op, 1)) != MEANS_NOTHING ||
                 of_value(flow, ir_operand(flow->function, op, 2)) != MEANS_NOTHING;
    if (condition == MEANS_NOTHING)
        return other ? MEANS_UNCLEAR : MEANS_NOTHING;
    if (!constant_of(flow->function, ir_operand(flow->function, op, 1), &yes) ||
        !constant_of(flow->function, ir_operand(flow->function, op, 2), &no))
        return MEANS_UNCLEAR;
    if (!yes == !no) // two numbers, as 2.f and 1.f
        return MEANS_NOTHING;
    return yes ? condition : inverse(condition);
}

static enum meaning of_operands(const struct flow *flow, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (of_value(flow, ir_operand(flow->function, op, i)) != MEANS_NOTHING)
            return MEANS_UNCLEAR;
    }
    return MEANS_NOTHING;
}

static void local_gets(struct flow *flow, int64_t local, enum meaning meaning)
{
    enum meaning old = (enum meaning)flow->local[local];
    flow->local[local] = old == MEANS_NOTHING || old == meaning ? meaning : MEANS_UNCLEAR;
    flow->changed |= flow->local[local] != old;
}

// The local variable that the operation stores to, -1 where it is no store to one.
static int64_t stored_local(const struct ir_function *function, const struct ir_op *op)
{
    if (op->code != IR_STORE)
        return -1;
    const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
    return to && to->code == IR_LOCAL ? (int64_t)to->imm : -1;
}

static void store_flow(struct flow *flow, const struct ir_op *op)
{
    const struct ir_op *to = ir_op_at(flow->function, ir_operand(flow->function, op, 0));
    ir_value from = ir_operand(flow->function, op, 1);
    enum meaning meaning = of_value(flow, from);
    int64_t number;
    if (meaning != MEANS_NOTHING && (!to || to->code != IR_LOCAL)) {
        flow->escapes = true;
    } else if (meaning != MEANS_NOTHING) {
        local_gets(flow, to->imm, meaning);
    } else if (to && to->code == IR_LOCAL && flow->local[to->imm] != MEANS_NOTHING &&
               !constant_of(flow->function, from, &number)) {
        flow->local[to->imm] = MEANS_UNCLEAR;
    }
}

// Where control comes from the block without having done anything.
static ir_block_id leads_to(const struct ir_function *function, ir_block_id block)
{
    for (int i = 0; i < MOST_FRAMES && block < arrlenu(function->block); ++i) {
        const struct ir_block *at = &function->block[block];
        const struct ir_op *op = arrlen(at->op) == 1 ? ir_op_at(function, at->op[0]) : NULL;
        if (!op || op->code != IR_BR)
            break;
        block = op->target[0];
    }
    return block;
}

// Whether the variable gets this constant (zero or not) nowhere else.
static bool gets_only_here(const struct ir_function *function, int64_t local,
                           const struct ir_op *here, bool is_zero)
{
    int64_t number;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op != here && stored_local(function, op) == local &&
            constant_of(function, ir_operand(function, op, 1), &number) && (number == 0) == is_zero)
            return false;
    }
    return true;
}

static uint32_t ways_in(const struct ir_function *function, ir_block_id block)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        count += (op->code == IR_BR || op->code == IR_CONDBR) && op->target[0] == block;
        count += op->code == IR_CONDBR && op->target[1] == block;
    }
    return count;
}

// A variable that gets a constant only where the outcome is this one tells the outcome, as in
// `ready = more && test()`.
static void branch_flow(struct flow *flow, const struct ir_op *op)
{
    const struct ir_function *function = flow->function;
    enum meaning meaning = of_value(flow, ir_operand(function, op, 0));
    for (int side = 0; side < 2 && (meaning == MEANS_OVER || meaning == MEANS_NOT_OVER); ++side) {
        if (ways_in(function, op->target[side]) != 1)
            continue;
        const struct ir_block *block = &function->block[op->target[side]];
        for (ptrdiff_t i = 0; i < arrlen(block->op); ++i) {
            const struct ir_op *store = ir_op_at(function, block->op[i]);
            int64_t local = stored_local(function, store), number;
            if (local >= 0 && constant_of(function, ir_operand(function, store, 1), &number) &&
                gets_only_here(function, local, store, number == 0))
                local_gets(flow, local, (number != 0) == (side == 0) ? meaning : inverse(meaning));
        }
    }
}

// What the operation makes of the outcome.
static enum meaning step(struct flow *flow, const struct ir_op *op)
{
    const struct ir_op *from;
    switch (op->code) {
    case IR_LOAD:
        from = ir_op_at(flow->function, ir_operand(flow->function, op, 0));
        return from && from->code == IR_LOCAL ? (enum meaning)flow->local[from->imm]
                                              : MEANS_NOTHING;
    case IR_STORE:
        store_flow(flow, op);
        return MEANS_NOTHING;
    case IR_CAST:
        return of_value(flow, ir_operand(flow->function, op, 0));
    case IR_EQ:
    case IR_NE:
        return of_compare(flow, op);
    case IR_SELECT:
        return of_select(flow, op);
    case IR_AND: {
        // Not zero only where the phase is over, whatever else is asked for.
        enum meaning a = of_value(flow, ir_operand(flow->function, op, 0));
        enum meaning b = of_value(flow, ir_operand(flow->function, op, 1));
        return a == MEANS_OVER || b == MEANS_OVER ? MEANS_OVER : of_operands(flow, op);
    }
    case IR_RET:
        if (op->operand_count && of_operands(flow, op))
            flow->returned = of_value(flow, ir_operand(flow->function, op, 0));
        return MEANS_NOTHING;
    case IR_CONDBR:
        branch_flow(flow, op);
        // `if (!over) ;` decides nothing.
        flow->decides |=
            of_operands(flow, op) != MEANS_NOTHING &&
            leads_to(flow->function, op->target[0]) != leads_to(flow->function, op->target[1]);
        return MEANS_NOTHING;
    case IR_CALL:
    case IR_CALLI:
    case IR_PTX:
    case IR_SWITCH:
    case IR_COPY:
    case IR_OPAQUE:
        flow->escapes |= of_operands(flow, op) != MEANS_NOTHING;
        return MEANS_NOTHING;
    default:
        return ir_has_value((enum ir_op_code)op->code) ? of_operands(flow, op) : MEANS_NOTHING;
    }
}

static void follow(struct flow *flow)
{
    for (int round = 0; round < 4; ++round) {
        flow->changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->function->op); ++i) {
            enum meaning meaning = step(flow, &flow->function->op[i]);
            if (meaning != MEANS_NOTHING && flow->value[i] != meaning) {
                flow->value[i] = (uint8_t)(flow->value[i] ? MEANS_UNCLEAR : meaning);
                flow->changed = true;
            }
        }
        if (!flow->changed)
            return;
    }
}

// --- Code ------------------------------------------------------------------------------------

static bool function_waits(const struct engine_result *result, ir_function_id id, int depth);

// Whether the operation waits at an mbarrier, tests one again, or cannot be looked into.
static bool waits(const struct engine_result *result, const struct ir_function *function,
                  ir_value value, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code == IR_CALLI || (op->code == IR_OPAQUE && op->flags & IR_MAY_BARRIER))
        return true;
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    if (model_match(result->model, result->unit, function, value, &model))
        return model.kind == MODEL_MBARRIER_TEST || model.kind == MODEL_MBARRIER_WAIT ||
               model.kind == MODEL_MBARRIER_ARRIVE_WAIT || model.kind == MODEL_TRAP;
    return op->code == IR_CALL && function_waits(result, (ir_function_id)op->imm, depth);
}

static bool function_waits(const struct engine_result *result, ir_function_id id, int depth)
{
    const struct ir_function *function = &result->unit->function[id];
    if (depth >= MOST_DEPTH)
        return true;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        if (waits(result, function, (ir_value)i, depth + 1))
            return true;
    }
    return false;
}

// Whether the operation has data copied asynchronously, itself or in what it calls.
static bool copies(const struct engine_result *result, const struct ir_function *function,
                   ir_value value, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    if (model_match(result->model, result->unit, function, value, &model))
        return model.kind == MODEL_BULK_LOAD || model.kind == MODEL_BULK_STORE ||
               model.kind == MODEL_ASYNC_STORE || model.kind == MODEL_CP_ASYNC ||
               model.kind == MODEL_GROUP_COPY;
    if (op->code != IR_CALL || depth >= MOST_DEPTH)
        return false;
    const struct ir_function *callee = &result->unit->function[op->imm];
    for (ptrdiff_t i = 0; i < arrlen(callee->op); ++i) {
        if (copies(result, callee, (ir_value)i, depth + 1))
            return true;
    }
    return false;
}

static bool is_shared(const struct engine_result *result, uint32_t chain, ir_value address,
                      int depth);

// Whether shared memory is what the call that the function was entered by hands over.
static bool is_handed_shared(const struct engine_result *result, uint32_t chain, int64_t parameter,
                             int depth)
{
    const struct engine_chain *entry = &result->chain[chain];
    if (entry->parent >= chain)
        return false;
    ir_value value = engine_call_of(result, entry);
    const struct ir_function *caller =
        &result->unit->function[result->chain[entry->parent].function];
    const struct ir_op *call = value == IR_NONE ? NULL : ir_op_at(caller, value);
    return call && call->code == IR_CALL && parameter < call->operand_count &&
           is_shared(result, entry->parent, ir_operand(caller, call, (uint32_t)parameter),
                     depth + 1);
}

// Whether the address is one of shared memory, as far as the function and its callers show.
static bool is_shared(const struct engine_result *result, uint32_t chain, ir_value address,
                      int depth)
{
    const struct ir_function *function = &result->unit->function[result->chain[chain].function];
    const struct ir_op *op = ir_op_at(function, address);
    if (!op || depth > 12)
        return false;
    switch (op->code) {
    case IR_GLOBAL: {
        enum ir_space space = result->unit->global[op->imm].space;
        return space == IR_SPACE_SHARED || space == IR_SPACE_SHARED_DYNAMIC;
    }
    case IR_PARAM:
        return is_handed_shared(result, chain, op->imm, depth);
    case IR_OFFSET:
    case IR_INDEX:
    case IR_CAST:
    case IR_ADD:
        return is_shared(result, chain, ir_operand(function, op, 0), depth + 1);
    case IR_LOAD: {
        // A pointer kept in a variable of the function: what is stored to it.
        const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
        if (!from || from->code != IR_LOCAL)
            return false;
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *store = &function->op[i];
            if (store->code != IR_STORE)
                continue;
            const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
            if (to && to->code == IR_LOCAL && to->imm == from->imm)
                return is_shared(result, chain, ir_operand(function, store, 1), depth + 1);
        }
        return false;
    }
    default:
        return false;
    }
}

static bool reads_shared(const struct flow *flow, const struct ir_op *op)
{
    if (op->code != IR_LOAD && op->code != IR_COPY)
        return false;
    ir_value from = ir_operand(flow->function, op, op->code == IR_COPY);
    return is_shared(flow->result, flow->chain, from, 0);
}

// Whether the operation reads or writes memory that other threads may see.
static bool touches_memory(const struct ir_function *function, const struct ir_op *op)
{
    if (op->code != IR_LOAD && op->code != IR_STORE && op->code != IR_COPY)
        return false;
    for (uint32_t i = 0; i < (op->code == IR_COPY ? 2u : 1u); ++i) {
        const struct ir_op *at = ir_op_at(function, ir_operand(function, op, i));
        for (int depth = 0; at && depth < 12; ++depth) {
            if (at->code != IR_OFFSET && at->code != IR_INDEX && at->code != IR_CAST)
                break;
            at = ir_op_at(function, ir_operand(function, at, 0));
        }
        if (at && at->code != IR_LOCAL)
            return true;
    }
    return false;
}

// --- Ways ------------------------------------------------------------------------------------

// Where control can go from a place when the phase is not over (or is), until it tests or waits
// again.
struct ways {
    uint8_t *seen; // by block
    bool reads;    // passes a read of shared memory (in a block of `only`, where that is given)
    bool touches;  // reads or writes memory that is not the thread's own, or has it copied
    bool leaves;   // comes to the end of the function
    bool again;    // comes to the test itself
    bool other;    // comes to another test or wait
    bool returns[2], returns_value; // constants zero and not zero; something else
    bool unclear;
};

// Whether the operation asks for a phase and lets the outcome go, as the test itself does.
static bool asks_in_vain(const struct flow *flow, ir_value value)
{
    const struct ir_op *op = ir_op_at(flow->function, value);
    // A test whose outcome nobody asks for holds nobody back when it comes again.
    return !flow->decides &&
           (value == flow->test || (flow->hollow != IR_NONE && op->code == IR_CALL &&
                                    (ir_function_id)op->imm == flow->hollow));
}

// Goes through the rest of a block. Returns the operation that ends it, NULL when the way ends.
static const struct ir_op *pass_block(const struct flow *flow, ir_block_id block, ptrdiff_t from,
                                      const uint8_t *only, struct ways *ways)
{
    const struct ir_function *function = flow->function;
    const struct ir_block *at = &function->block[block];
    for (ptrdiff_t i = from; i < arrlen(at->op); ++i) {
        const struct ir_op *op = ir_op_at(function, at->op[i]);
        if (!asks_in_vain(flow, at->op[i]) && waits(flow->result, function, at->op[i], 0)) {
            ways->again |= at->op[i] == flow->test;
            ways->other |= at->op[i] != flow->test;
            return NULL;
        }
        ways->touches |=
            touches_memory(function, op) || copies(flow->result, function, at->op[i], 0);
        ways->reads |= (!only || only[block]) && reads_shared(flow, op);
        if (ir_is_terminator((enum ir_op_code)op->code))
            return op;
    }
    return NULL;
}

static void note_return(const struct flow *flow, const struct ir_op *end, struct ways *ways)
{
    int64_t number;
    ways->leaves = true;
    if (end->operand_count == 0)
        return;
    if (constant_of(flow->function, ir_operand(flow->function, end, 0), &number))
        ways->returns[number != 0] = true;
    else
        ways->returns_value = true;
}

// What the value means that a function returns by the way that it takes.
static enum meaning of_ways(const struct ways *over, const struct ways *not_over)
{
    bool any = over->returns[0] || over->returns[1] || not_over->returns[0] || not_over->returns[1];
    if (!any)
        return MEANS_NOTHING;
    if (over->returns_value || not_over->returns_value || over->returns[0] == over->returns[1] ||
        not_over->returns[0] == not_over->returns[1] || over->returns[0] == not_over->returns[0])
        return MEANS_UNCLEAR;
    return over->returns[1] ? MEANS_OVER : MEANS_NOT_OVER;
}

static void go(const struct flow *flow, ir_block_id start, ptrdiff_t from, bool over,
               const uint8_t *only, struct ways *ways)
{
    ir_block_id *work = NULL;
    arrput(work, start);
    while (arrlen(work)) {
        ir_block_id block = arrpop(work);
        const struct ir_op *end = pass_block(flow, block, from, only, ways);
        from = 0;
        if (!end)
            continue;
        ir_block_id next[2] = {end->target[0], end->target[1]};
        uint32_t count = end->code == IR_CONDBR ? 2 : end->code == IR_BR ? 1 : 0;
        if (end->code == IR_RET)
            note_return(flow, end, ways);
        ways->unclear |= end->code == IR_SWITCH;
        if (end->code == IR_CONDBR) {
            enum meaning meaning = of_value(flow, ir_operand(flow->function, end, 0));
            ways->unclear |= meaning == MEANS_UNCLEAR;
            if (meaning == MEANS_OVER || meaning == MEANS_NOT_OVER) {
                next[0] = end->target[(meaning == MEANS_OVER) == over ? 0 : 1];
                count = 1;
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            if (next[i] < arrlenu(flow->function->block) && !ways->seen[next[i]]) {
                ways->seen[next[i]] = 1;
                arrput(work, next[i]);
            }
        }
    }
    arrfree(work);
}

// Whether nothing comes of the phase's being over but that the same is asked again: a loop that is
// left when the phase is not over, `while (test)` in place of `while (!test)`.
static bool is_turned_round(const struct flow *flow, const struct ways *over)
{
    return flow->decides && over->again && !over->other && !over->leaves && !over->touches &&
           !over->reads && !over->unclear;
}

// --- Verdict ---------------------------------------------------------------------------------

// Judges what the function of the chain makes of the outcome of the operation `value`, which goes
// to the address `result` too where that is given. OUTCOME_UP: what its caller does decides;
// `*returned` is what the value it returns means.
static enum outcome judge(const struct engine_result *result, uint32_t chain, ir_value value,
                          ir_value address, ir_function_id hollow, enum meaning meaning,
                          bool *decided, enum meaning *returned)
{
    ir_function_id id = result->chain[chain].function;
    const struct ir_function *function = &result->unit->function[id];
    size_t ops = (size_t)arrlen(function->op), locals = (size_t)arrlen(function->local);
    size_t blocks = (size_t)arrlen(function->block);
    uint8_t *memory = calloc(ops + locals + 2 * blocks + 1, 1);
    if (!memory)
        return OUTCOME_HEEDED;
    struct flow flow = {.result = result,
                        .function = function,
                        .chain = chain,
                        .test = value,
                        .hollow = hollow,
                        .value = memory,
                        .local = memory + ops};
    const struct ir_op *to = address == IR_NONE ? NULL : ir_op_at(function, address);
    if (to && to->code == IR_LOCAL)
        flow.local[to->imm] = (uint8_t)meaning;
    else if (to)
        flow.escapes = true;
    if (function->op[value].type != IR_NONE)
        flow.value[value] = (uint8_t)meaning;
    follow(&flow);
    struct ways over = {.seen = memory + ops + locals};
    struct ways not_over = {.seen = memory + ops + locals + blocks};
    for (size_t b = 0; b < blocks && !flow.escapes; ++b) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            if (function->block[b].op[i] != value)
                continue;
            go(&flow, (ir_block_id)b, i + 1, true, NULL, &over);
            bool heeded = flow.decides && !is_turned_round(&flow, &over);
            go(&flow, (ir_block_id)b, i + 1, false, heeded ? over.seen : NULL, &not_over);
        }
    }
    *decided |= flow.decides;
    if (flow.returned == MEANS_NOTHING)
        flow.returned = of_ways(&over, &not_over);
    *returned = flow.returned;
    enum outcome outcome = OUTCOME_HEEDED;
    bool goes_on = !*decided && not_over.touches && (not_over.leaves || id != result->kernel);
    if (!flow.escapes && !not_over.unclear && (not_over.reads || goes_on))
        outcome = *decided ? OUTCOME_BOTH_WAYS : OUTCOME_DROPPED;
    else if (!flow.escapes && !not_over.unclear && not_over.leaves &&
             flow.returned != MEANS_UNCLEAR)
        outcome = OUTCOME_UP;
    free(memory);
    return outcome;
}

// Whether the function does not wait but for the one test, or call, in it.
static bool waits_once(const struct engine_result *result, ir_function_id id)
{
    const struct ir_function *function = &result->unit->function[id];
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && count < 2; ++i)
        count += waits(result, function, (ir_value)i, 0);
    return count == 1;
}

enum outcome outcome_of(const struct engine_result *result, const struct engine_event *event)
{
    uint32_t chain = event->chain;
    ir_value value = event->op, address = event->model.result;
    enum meaning meaning = MEANS_OVER;
    ir_function_id hollow = IR_NONE;
    bool decided = false;
    if (event->function != result->chain[chain].function)
        return OUTCOME_HEEDED;
    for (int frame = 0; frame < MOST_FRAMES; ++frame) {
        enum meaning returned = MEANS_NOTHING;
        enum outcome outcome =
            judge(result, chain, value, address, hollow, meaning, &decided, &returned);
        const struct engine_chain *entry = &result->chain[chain];
        if (outcome != OUTCOME_UP)
            return outcome;
        if (entry->parent >= chain)
            return OUTCOME_HEEDED; // the kernel ends: nothing was read
        value = engine_call_of(result, entry);
        if (value == IR_NONE)
            return OUTCOME_HEEDED;
        bool drops = !decided && returned == MEANS_NOTHING && waits_once(result, entry->function);
        hollow = drops ? entry->function : IR_NONE;
        chain = entry->parent;
        address = IR_NONE;
        meaning = returned;
    }
    return OUTCOME_HEEDED;
}
