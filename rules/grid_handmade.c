#include "base/vec.h"
#include "ir/cfg.h"
#include "rules/facts.h"
#include "rules/parts.h"

enum { FEW_LOOKS = 64, OPS_A_LOOK = 16 };

// Whether the condition holds a comparison of a polled word with the number of blocks.
static bool compares(struct reading *reading, struct place place, ir_value value, int depth,
                     uint32_t *looks)
{
    const struct ir_function *function = parts_function(reading, place);
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || depth > PARTS_MOST_DEPTH || ++*looks > PARTS_MOST_LOOKS)
        return false;
    if (op->code >= IR_EQ && op->code <= IR_GE) {
        struct parts side[2] = {0};
        for (uint32_t i = 0; i < 2; ++i)
            parts_of(reading, place, ir_operand(function, op, i), 0, &side[i]);
        *looks += side[0].looks + side[1].looks;
        for (int i = 0; i < 2; ++i) {
            const struct parts *word = &side[i], *count = &side[1 - i];
            if (word->polls && !word->blocks && count->blocks && !count->polls && !count->own)
                return true;
        }
    }
    const struct ir_op *from = parts_source(function, op);
    if (from && from->code == IR_LOCAL) {
        for (uint32_t i = parts_writer(reading, place.id, from); i;
             i = parts_next_writer(reading, place.id, i)) {
            const struct ir_op *store = &function->op[i - 1];
            if (store->code == IR_STORE &&
                compares(reading, place, ir_operand(function, store, 1), depth + 1, looks))
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; i < op->operand_count && op->code != IR_LOAD; ++i) {
        if (compares(reading, place, ir_operand(function, op, i), depth + 1, looks))
            return true;
    }
    return false;
}

// Whether a loop polls memory behind the block: those that were not the last to come wait for what
// the last one writes. (A loop of atomic operations takes a lock.)
static bool polls_after(struct reading *reading, struct place place, const struct cfg *cfg,
                        ir_block_id block)
{
    const struct ir_function *function = parts_function(reading, place);
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(function, at);
        struct parts parts = {0};
        if (!end || end->code != IR_CONDBR || cfg->loop_of[at] == IR_NONE || at == block ||
            !cfg_dominates(cfg, block, at))
            continue;
        parts_of(reading, place, ir_operand(function, end, 0), 0, &parts);
        if (parts.polls && !parts.takes)
            return true;
    }
    return false;
}

// Whether only some blocks come to the block: a condition on the block's number is in front of it;
// `alone`: on that and not on the number of the thread as well.
static bool is_for_some(struct reading *reading, struct place place, const struct cfg *cfg,
                        ir_block_id block, bool alone)
{
    const struct ir_function *function = parts_function(reading, place);
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(function, at);
        struct parts parts = {0};
        if (!end || end->code != IR_CONDBR || at == block || !cfg_dominates(cfg, at, block) ||
            cfg_post_dominates(cfg, block, at))
            continue;
        parts_of(reading, place, ir_operand(function, end, 0), 0, &parts);
        if (parts.own_block && !(alone && parts.own_thread))
            return true;
    }
    return false;
}

// Whether all that the function does is to return what it reads.
static bool only_reads(const struct ir_function *function)
{
    bool reads = false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to = op->operand_count && (op->code == IR_LOAD || op->code == IR_STORE)
                                     ? ir_op_at(function, ir_operand(function, op, 0))
                                     : NULL;
        bool local = to && to->code == IR_LOCAL;
        reads |= op->code == IR_LOAD && !local;
        if ((op->code == IR_STORE && !local) || op->code == IR_COPY || op->code == IR_ZERO ||
            op->code == IR_CALL || op->code == IR_CALLI || op->code == IR_PTX ||
            op->code == IR_OPAQUE)
            return false;
    }
    return reads;
}

// Whether nothing in the loop can end it: it reads, by a function, what others change.
static bool spins(const struct engine_result *result, const struct ir_function *function,
                  const struct cfg *cfg, uint32_t loop)
{
    bool reads = false;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const struct ir_block *block = &function->block[cfg->loop_block[cfg->loop[loop].first + i]];
        for (ptrdiff_t k = 0; k < arrlen(block->op); ++k) {
            const struct ir_op *op = ir_op_at(function, block->op[k]);
            struct model_op model;
            bool known = (op->code == IR_CALL || op->code == IR_PTX) &&
                         model_match(result->model, result->unit, function, block->op[k], &model);
            if (known && (model.kind == MODEL_FENCE || model.kind == MODEL_NOTHING))
                continue;
            bool reader =
                op->code == IR_CALL && !known && only_reads(&result->unit->function[op->imm]);
            reads |= reader;
            if (op->code == IR_STORE || op->code == IR_COPY || op->code == IR_ZERO ||
                (op->code == IR_CALL && !reader) || op->code == IR_CALLI || op->code == IR_PTX ||
                op->code == IR_OPAQUE)
                return false;
        }
    }
    return reads;
}

// Whether a loop around the block counts up to the number of blocks; `out` is that loop.
static bool counts_blocks(struct reading *reading, struct place place, const struct cfg *cfg,
                          ir_block_id block, uint32_t *out)
{
    const struct ir_function *function = parts_function(reading, place);
    for (uint32_t loop = cfg->loop[cfg->loop_of[block]].parent; loop != IR_NONE;
         loop = cfg->loop[loop].parent) {
        const struct ir_op *end = ir_terminator(function, cfg->loop[loop].header);
        const struct ir_op *asked =
            end && end->code == IR_CONDBR ? ir_op_at(function, ir_operand(function, end, 0)) : NULL;
        if (!asked || asked->code < IR_EQ || asked->code > IR_GE)
            continue;
        struct parts index = {0}, count = {0};
        parts_of(reading, place, ir_operand(function, asked, 0), 0, &index);
        parts_of(reading, place, ir_operand(function, asked, 1), 0, &count);
        *out = loop;
        if (count.blocks && !count.own && !index.polls && !count.polls)
            return true;
    }
    return false;
}

// Whether a word of each block is waited for one by one. Where only one block does so, the others
// must wait for it in turn; else they end and make room.
static bool waits_for_each(struct reading *reading, struct place place, const struct cfg *cfg,
                           struct ir_loc *out)
{
    const struct ir_function *function = parts_function(reading, place);
    uint32_t gathers = IR_NONE, others = 0;
    bool for_some = false;
    if (!parts_asks_for_blocks(reading, place.id))
        return false;
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(function, at);
        struct parts parts = {0};
        uint32_t loop;
        if (!end || end->code != IR_CONDBR || cfg->loop_of[at] == IR_NONE)
            continue;
        parts_of(reading, place, ir_operand(function, end, 0), 0, &parts);
        if ((!parts.polls || parts.takes) &&
            !spins(reading->result, function, cfg, cfg->loop_of[at]))
            continue;
        if (gathers == IR_NONE && counts_blocks(reading, place, cfg, at, &loop)) {
            gathers = loop;
            for_some = is_for_some(reading, place, cfg, cfg->loop[loop].header, false);
            *out = end->loc;
        } else if (gathers == IR_NONE || !cfg_in_loop(cfg, gathers, at)) {
            ++others;
        }
    }
    return gathers != IR_NONE && (!for_some || others);
}

// Whether some blocks alone wait in the loop of the kernel that the block decides on, and nobody in
// another one: the others count themselves and end, which makes room.
static bool others_end(struct reading *reading, struct place place, const struct cfg *cfg,
                       ir_block_id block)
{
    const struct ir_function *function = parts_function(reading, place);
    uint32_t loop = cfg->loop_of[block];
    if (loop == IR_NONE || place.id != reading->result->kernel ||
        !is_for_some(reading, place, cfg, block, true))
        return false;
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(function, at);
        struct parts parts = {0};
        if (!end || end->code != IR_CONDBR || cfg->loop_of[at] == IR_NONE ||
            cfg_in_loop(cfg, loop, at))
            continue;
        parts_of(reading, place, ir_operand(function, end, 0), 0, &parts);
        if (parts.polls)
            return false;
    }
    return true;
}

// A loop that waits until as many blocks have come as the grid has, or a decision whether this
// block was the last, behind which the others wait for it.
static bool waits_for_grid(struct reading *reading, struct place place, struct ir_loc *out)
{
    const struct engine_result *result = reading->result;
    const struct ir_function *function = parts_function(reading, place);
    struct cfg built, *cfg = &built;
    // Or one of those that call it, which may hand the number on.
    bool asks = parts_asks_for_blocks(reading, place.id);
    for (uint32_t at = place.chain; at != UINT32_MAX && !asks; at = result->chain[at].parent)
        asks = parts_asks_for_blocks(reading, result->chain[at].function);
    if (!asks)
        return false;
    cfg_build(cfg, function, reading->arena);
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        const struct ir_op *end = ir_terminator(function, cfg->order[b]);
        if (!end || end->code != IR_CONDBR)
            continue;
        uint32_t looks = 0;
        if (compares(reading, place, ir_operand(function, end, 0), 0, &looks) &&
            (cfg->loop_of[cfg->order[b]] != IR_NONE ||
             polls_after(reading, place, cfg, cfg->order[b])) &&
            !others_end(reading, place, cfg, cfg->order[b])) {
            *out = end->loc;
            return true;
        }
    }
    return waits_for_each(reading, place, cfg, out);
}

// The same for a function that it calls and that has nothing to do with barriers but to wait.
static bool callee_waits(struct reading *reading, const struct place *place, struct ir_loc *out)
{
    const struct ir_function *function = parts_function(reading, *place);
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        struct place callee = {(ir_function_id)op->imm, place->chain, place, (ir_value)i};
        if (op->code == IR_CALL && parts_function(reading, callee)->flags & IR_FN_BODY &&
            waits_for_grid(reading, callee, out))
            return true;
    }
    return false;
}

// Whether the store is to the member, of whichever object, or to the variable that the load reads.
static bool is_store_to(const struct ir_function *function, const struct ir_op *store,
                        const struct ir_function *reader, const struct ir_op *from)
{
    const struct ir_op *to =
        store->code == IR_STORE ? ir_op_at(function, ir_operand(function, store, 0)) : NULL;
    if (!to || to->code != from->code || to->imm != from->imm)
        return false;
    if (to->code == IR_LOCAL)
        return function == reader;
    return to->code == IR_OFFSET && ir_op_at(function, ir_operand(function, to, 0))->type ==
                                        ir_op_at(reader, ir_operand(reader, from, 0))->type;
}

// A search for a number of blocks that is subtracted.
struct subtractions {
    struct reading *reading;
    bool *subtracts; // by function: it does so somewhere
    uint32_t looks;  // at values, all together
};

// Whether the operation subtracts the number of blocks.
static bool is_subtraction(struct reading *reading, struct place place, const struct ir_op *op)
{
    struct parts parts = {.looks = PARTS_MOST_LOOKS - FEW_LOOKS};
    if (op->code != IR_SUB && op->code != IR_NEG)
        return false;
    parts_of(reading, place, ir_operand(parts_function(reading, place), op, op->code == IR_SUB), 0,
             &parts);
    return parts.blocks && !parts.own && !parts.polls;
}

static bool subtracts_somewhere(struct reading *reading, ir_function_id id)
{
    const struct engine_result *result = reading->result;
    const struct ir_function *function = &result->unit->function[id];
    bool subtracts = false;
    if (!parts_asks_for_blocks(reading, id))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && !subtracts; ++i)
        subtracts = is_subtraction(reading, (struct place){id, 0, NULL, 0}, &function->op[i]);
    return subtracts;
}

// Whether the number of blocks is subtracted in what the value is made of.
static bool subtracts_blocks(struct subtractions *search, struct place place, ir_value value,
                             int depth)
{
    struct reading *reading = search->reading;
    const struct engine_result *result = reading->result;
    const struct ir_unit *unit = result->unit;
    const struct ir_function *function = parts_function(reading, place);
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || depth > PARTS_MOST_DEPTH || ++search->looks > PARTS_MOST_LOOKS ||
        op->code == IR_PARAM)
        return false;
    if (is_subtraction(reading, place, op))
        return true;
    const struct ir_op *from = parts_source(function, op);
    for (ptrdiff_t i = 0; from && i < arrlen(unit->function); ++i) {
        const struct ir_function *in = &unit->function[i];
        if (!search->subtracts[i] || (from->code != IR_OFFSET && in != function))
            continue;
        search->looks += (uint32_t)arrlenu(in->op) / OPS_A_LOOK;
        struct place there = in == function ? place : (struct place){(ir_function_id)i, 0, NULL, 0};
        for (ptrdiff_t k = 0; k < arrlen(in->op); ++k) {
            if (is_store_to(in, &in->op[k], function, from) &&
                subtracts_blocks(search, there, ir_operand(in, &in->op[k], 1), depth + 1))
                return true;
        }
    }
    for (uint32_t i = 0; i < op->operand_count && op->code != IR_LOAD; ++i) {
        if (subtracts_blocks(search, place, ir_operand(function, op, i), depth + 1))
            return true;
    }
    return false;
}

// Whether the function adds atomically such a number: one block adds what the others come to
// between them, the other way round, so that the word is as before when all have come.
static bool balances(struct subtractions *search, struct place place)
{
    const struct engine_result *result = search->reading->result;
    const struct ir_function *function = parts_function(search->reading, place);
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        struct model_op model;
        if ((op->code == IR_CALL || op->code == IR_PTX) &&
            model_match(result->model, result->unit, function, (ir_value)i, &model) &&
            model.kind == MODEL_ATOMIC && model.value_op == MODEL_VALUE_ADD &&
            model.value != IR_NONE && subtracts_blocks(search, place, model.value, 0))
            return true;
    }
    return false;
}

// Where the function polls memory in a loop.
static bool polls_in_loop(struct reading *reading, struct place place, struct ir_loc *out)
{
    const struct ir_function *function = parts_function(reading, place);
    struct cfg cfg;
    cfg_build(&cfg, function, reading->arena);
    for (uint32_t b = 0; b < cfg.order_count; ++b) {
        const struct ir_op *end = ir_terminator(function, cfg.order[b]);
        struct parts parts = {0};
        if (!end || end->code != IR_CONDBR || cfg.loop_of[cfg.order[b]] == IR_NONE)
            continue;
        parts_of(reading, place, ir_operand(function, end, 0), 0, &parts);
        *out = end->loc;
        if (parts.polls && !parts.takes)
            return true;
    }
    return false;
}

// Whether the blocks wait for a word to be again what it was before they came.
static bool waits_for_balance(struct reading *reading, struct ir_loc *loc, uint32_t *chain)
{
    const struct engine_result *result = reading->result;
    const struct ir_unit *unit = result->unit;
    struct subtractions search = {.reading = reading};
    bool adds = false, polls = false, subtracts = false;
    // The kernel's own functions first: a unit of thousands of kernels has as many others.
    for (ptrdiff_t i = 0; i < arrlen(result->chain) && !polls; ++i) {
        struct place place = {.id = result->chain[i].function, .chain = (uint32_t)i};
        *chain = (uint32_t)i;
        polls = polls_in_loop(reading, place, loc);
    }
    if (!polls)
        return false;
    search.subtracts = arena_array(reading->arena, bool, arrlenu(unit->function) + 1);
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i)
        subtracts |= search.subtracts[i] = subtracts_somewhere(reading, (ir_function_id)i);
    for (ptrdiff_t i = 0; i < arrlen(result->chain) && subtracts && !adds; ++i) {
        struct place place = {.id = result->chain[i].function, .chain = (uint32_t)i};
        adds = balances(&search, place);
    }
    return adds;
}

// Whether the barrier's scope, in its class, is larger than a block: others are told by init-scope.
static bool is_for_all(const struct engine_result *result, const struct engine_event *event)
{
    enum { SCOPE_SYSTEM = 0, SCOPE_DEVICE = 1 }; // cuda::thread_scope
    const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
    if (op->code != IR_CALL)
        return false;
    const struct ir_template_arg *argument = result->unit->function[op->imm].class_arg;
    for (ptrdiff_t i = 0; i < arrlen(argument); ++i) {
        if (argument[i].kind == IR_ARG_INT)
            return argument[i].value == SCOPE_SYSTEM || argument[i].value == SCOPE_DEVICE;
    }
    return false;
}

static void tell(struct rule_context *context, const struct engine_result *result,
                 struct ir_loc loc, uint32_t chain, bool many)
{
    struct rule_report *report = rule_report(
        context, loc, chain, RULE_POSSIBLE,
        "blocks wait here for all blocks of the grid, and '%s' is not launched cooperatively: "
        "those that wait may leave no room for the others",
        result->unit->function[result->kernel].name);
    if (!many)
        rule_pedantic(report); // the host may bound the number of blocks
}

// The number that nobody knows in a sum of one such and constants, whole or times a constant; 0
// for anything else.
static uint32_t lone_number(const struct engine_call *call, uint32_t at, int depth)
{
    const struct engine_quantity *one = &call->quantity[at];
    if (one->op == IR_PARAM)
        return at;
    if ((one->op != IR_ADD && one->op != IR_MUL && one->op != IR_CAST) || depth > PARTS_MOST_DEPTH)
        return 0;
    for (int i = 0; i < 2; ++i) {
        uint32_t other = one->argument[1 - i];
        if (other == 0 || call->quantity[other].op == IR_CONST)
            return lone_number(call, one->argument[i], depth + 1);
    }
    return 0;
}

// Whether the launch takes as many blocks as it needs for a size that nothing bounds:
// (n + 255) / 256 of them.
static bool grows_with_size(const struct engine_call *call)
{
    enum { MOST_SIZE = 1 << 20 }; // what a bound is that says nothing of what is resident
    uint32_t at = call->grid[0];
    const struct engine_quantity *blocks = &call->quantity[at];
    if (blocks->op == IR_ADD && call->quantity[blocks->argument[1]].op == IR_CONST)
        blocks = &call->quantity[blocks->argument[0]];
    if (at == 0 || blocks->op != IR_DIV || call->quantity[blocks->argument[1]].op != IR_CONST ||
        call->quantity[blocks->argument[0]].op != IR_ADD)
        return false; // rounded down, it may as well be the device's threads
    uint32_t size = lone_number(call, blocks->argument[0], 0);
    if (size == 0 || call->quantity[size].high < MOST_SIZE)
        return false;
    for (uint32_t i = 0; i < call->conditions; ++i) {
        const struct engine_condition *condition = &call->condition[i];
        bool own = condition->quantity == size || lone_number(call, condition->quantity, 0) == size;
        if (!own || condition->high < MOST_SIZE)
            return false;
    }
    return true;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    const int64_t *grid = shape->grid;
    enum { FIT_ANYWHERE = 16 }; // blocks
    bool known = grid[0] > 0 && grid[1] > 0 && grid[2] > 0;
    bool many = known && grid[0] * grid[1] * grid[2] > FIT_ANYWHERE;
    for (uint32_t i = 0; i < shape->calls && !known; ++i)
        many |= grows_with_size(shape->call[i]);
    if (!shape->launched || shape->cooperative || shape->attributes_lost ||
        (known && grid[0] * grid[1] * grid[2] == 1))
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if ((event->model.kind == MODEL_MBARRIER_WAIT ||
             event->model.kind == MODEL_MBARRIER_ARRIVE_WAIT) &&
            event->in_global && event->same_in_grid && is_for_all(result, event)) {
            tell(context, result, event->loc, event->chain, many);
            return;
        }
    }
    struct arena arena;
    arena_init(&arena);
    struct reading reading = parts_reading(result, &arena);
    bool found = false;
    struct ir_loc loc;
    for (int callees = 0; callees < 2; ++callees) {
        for (ptrdiff_t i = 0; i < arrlen(result->chain) && !found; ++i) {
            struct place place = {.id = result->chain[i].function, .chain = (uint32_t)i};
            found = callees ? callee_waits(&reading, &place, &loc)
                            : waits_for_grid(&reading, place, &loc);
            if (found)
                tell(context, result, loc, (uint32_t)i, many);
        }
    }
    uint32_t chain = 0;
    if (!found && waits_for_balance(&reading, &loc, &chain))
        tell(context, result, loc, chain, many);
    arena_release(&arena);
}

const struct rule rule_grid_handmade = {
    .id = "grid-handmade",
    .family = "grid",
    .summary =
        "blocks wait for all blocks of the grid in a launch that does not start them together",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines =
        {"CUDA Programming Guide 13, 5.6.3 (grid synchronisation needs a cooperative launch)",
         "libcu++ (forward progress)"},
    .check = check,
    .doc =
        {
            .what = "A loop polls a word of global memory until it says that gridDim "
                    "blocks have come; or a word of each block in turn, up to gridDim, while the "
                    "others wait as well; or one that a block subtracts the number of blocks "
                    "from, where the others add; or a cuda::barrier that all blocks share is "
                    "waited for: in a kernel that is launched with <<<>>> or without "
                    "the cooperative attribute. Told with --pedantic only where the "
                    "number of blocks is no constant of the sources, as the host may "
                    "bound it by what fits, or so small that every device holds them.",
            .why = "Blocks are started as room becomes free. Those that spin give none "
                   "back, so that with more blocks than fit at once the rest never "
                   "start and the kernel hangs; how many fit depends on the device, on "
                   "registers and on what else runs.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__device__ unsigned arrived;\n"
                   "\n"
                   "__global__ void relax(float *data)\n"
                   "{\n"
                   "    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        __threadfence();\n"
                   "        atomicAdd(&arrived, 1);\n"
                   "        while (*(volatile unsigned *)&arrived < gridDim.x) { // expect: "
                   "grid-handmade\n"
                   "        }\n"
                   "        __threadfence();\n"
                   "    }\n"
                   "    __syncthreads();\n"
                   "    data[blockIdx.x * blockDim.x + threadIdx.x] += data[threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    relax<<<4096, 256>>>(data);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void relax(float *data)\n"
                    "{\n"
                    "    data[blockIdx.x * blockDim.x + threadIdx.x] *= 0.5f;\n"
                    "    cg::this_grid().sync();\n"
                    "    data[blockIdx.x * blockDim.x + threadIdx.x] += data[threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    void *arguments[] = {&data};\n"
                    "    cudaLaunchCooperativeKernel((void *)relax, dim3(128), dim3(256), "
                    "arguments, 0, nullptr);\n"
                    "}\n",
            .fix = "A cooperative launch with grid.sync(), or two kernels.",
            .measured = "on H200: hangs",
            .limit =
                "How many blocks are resident at once depends on the device, on the registers and "
                "shared memory the compiler takes and on what else runs there; no source says it.",
        },
};
