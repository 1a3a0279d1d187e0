#include <string.h>

#include "base/vec.h"
#include "ir/cfg.h"
#include "ir/origin.h"
#include "rules/facts.h"

// Whether others' data may be used behind the operation only, or own data must be stored before it.
static bool orders_memory(const struct model_op *op)
{
    switch (op->kind) {
    case MODEL_NAMED_SYNC:
    case MODEL_NAMED_ARRIVE:
    case MODEL_NAMED_RED:
    case MODEL_WARP_SYNC:
    case MODEL_CLUSTER_ARRIVE:
    case MODEL_CLUSTER_WAIT:
    case MODEL_MBARRIER_TEST:
    case MODEL_CP_ASYNC_WAIT:
    case MODEL_BULK_WAIT:
        return !(op->flags & MODEL_RELAXED);
    case MODEL_MBARRIER_ARRIVE:
        // What an arrival with bytes tells of is stored by copies, not by the thread.
        return !(op->flags & MODEL_RELAXED) && op->bytes == IR_NONE;
    default:
        return false;
    }
}

// Whether accesses are wrong on the far side of the operation: those behind it, of which it says
// that they may begin, or those before it, of which it says that they are done.
static bool holds_back(const struct model_op *op, bool behind)
{
    switch (op->kind) {
    case MODEL_CLUSTER_WAIT:
    case MODEL_MBARRIER_TEST:
    case MODEL_CP_ASYNC_WAIT:
    case MODEL_BULK_WAIT:
        return behind;
    case MODEL_NAMED_ARRIVE:
    case MODEL_CLUSTER_ARRIVE:
    case MODEL_MBARRIER_ARRIVE:
        return !behind;
    default:
        return true;
    }
}

// A shared variable, or an array in dynamic shared memory.
struct shared {
    uint32_t variable; // IR_NONE: none
    int64_t begin;     // of the array, in bytes; IR_ARRAY_UNKNOWN: all of the variable
};

static const struct shared nothing = {IR_NONE, IR_ARRAY_UNKNOWN};

// The one that the address is of.
static struct shared shared_at(const struct ir_unit *unit, const struct ir_function *function,
                               ir_value address, struct arena *arena)
{
    struct ir_frame frame = {.function = function};
    int64_t begin = IR_ARRAY_UNKNOWN;
    const struct ir_op *base =
        address == IR_NONE ? NULL : ir_array_of(unit, &frame, address, arena, &begin);
    if (!base || base->code != IR_GLOBAL)
        return nothing;
    enum ir_space space = unit->global[base->imm].space;
    if (space != IR_SPACE_SHARED && space != IR_SPACE_SHARED_DYNAMIC)
        return nothing;
    return (struct shared){(uint32_t)base->imm,
                           space == IR_SPACE_SHARED_DYNAMIC ? begin : IR_ARRAY_UNKNOWN};
}

// Whether a record is read or written whole that is no larger than those which stand for vectors.
static bool copies_vector(const struct ir_op *op)
{
    enum { LARGEST_VECTOR = 32 };
    return op->code == IR_COPY && op->imm <= LARGEST_VECTOR;
}

// The one that the operation reads, or else writes where it is asked for that too.
static struct shared shared_touched(const struct ir_unit *unit, const struct ir_function *function,
                                    const struct ir_op *op, bool stores, struct arena *arena,
                                    bool *reads)
{
    *reads = op->code == IR_LOAD;
    if (copies_vector(op)) {
        struct shared from = shared_at(unit, function, ir_operand(function, op, 1), arena);
        *reads = from.variable != IR_NONE;
        if (*reads || !stores)
            return from;
    } else if ((op->code != IR_LOAD && (op->code != IR_STORE || !stores)) ||
               op->flags & IR_VOLATILE) {
        return nothing;
    }
    // A member of a class that depends on template parameters may be an array: not read then.
    if (op->code == IR_LOAD && op->type != IR_NONE && unit->type[op->type].kind == IR_TYPE_OPAQUE)
        return nothing;
    return shared_at(unit, function, ir_operand(function, op, 0), arena);
}

// Whether the compiler moves nothing across the operation in that direction, or should not: what
// goes on behind such a barrier is that barrier's fault.
static bool stops_compiler(const struct engine_result *result, const struct ir_function *function,
                           ir_value value, bool behind, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    if (op->code == IR_PTX)
        return op->flags & IR_MEMORY_CLOBBER ||
               (model_match(result->model, result->unit, function, value, &model) &&
                orders_memory(&model) && holds_back(&model, behind));
    if (op->code != IR_CALL || depth > 4)
        return false;
    if (model_match(result->model, result->unit, function, value, &model))
        return orders_memory(&model) || model.kind == MODEL_FENCE ||
               model.kind == MODEL_GROUP_SYNC || model.kind == MODEL_GROUP_WAIT ||
               model.kind == MODEL_GROUP_COPY_WAIT || model.kind == MODEL_GRID_SYNC ||
               model.kind == MODEL_CLUSTER_SYNC || model.kind == MODEL_MBARRIER_WAIT ||
               model.kind == MODEL_MBARRIER_ARRIVE_WAIT || model.kind == MODEL_PIPELINE_WAIT;
    const struct ir_function *callee = &result->unit->function[op->imm];
    for (ptrdiff_t i = 0; i < arrlen(callee->op); ++i) {
        if (stops_compiler(result, callee, (ir_value)i, behind, depth + 1))
            return true;
    }
    return false;
}

enum meets {
    MEETS_STOP,   // something across which nothing moves, on every way
    MEETS_END,    // the function's own end first, on some way
    MEETS_ACCESS, // an access to a shared variable
};

// A place in a function.
struct place {
    const struct ir_function *function;
    const struct cfg *cfg;
    ir_block_id block;
    ptrdiff_t at;
};

static bool place_find(struct place *place, ir_value value)
{
    for (ir_block_id b = 0; b < place->cfg->block_count; ++b) {
        for (ptrdiff_t k = 0; k < arrlen(place->function->block[b].op); ++k) {
            place->block = b;
            place->at = k;
            if (place->function->block[b].op[k] == value)
                return true;
        }
    }
    return false;
}

// Whether the address is one of the variable. `onwards`: or of an array before it, from which one
// who is given that may go on.
static bool is_of(const struct ir_unit *unit, const struct ir_function *function, ir_value address,
                  struct shared variable, bool onwards, struct arena *arena)
{
    struct shared at = shared_at(unit, function, address, arena);
    bool known = at.begin != IR_ARRAY_UNKNOWN && variable.begin != IR_ARRAY_UNKNOWN;
    return at.variable == variable.variable &&
           (!known || at.begin == variable.begin || (onwards && at.begin < variable.begin));
}

static bool hands_on(const struct ir_op *op)
{
    return (op->code == IR_COPY && !copies_vector(op)) || op->code == IR_ZERO ||
           op->code == IR_CALL || op->code == IR_CALLI || op->code == IR_PTX ||
           op->code == IR_OPAQUE;
}

// Whether the operation does more with the variable than to read it.
static bool changes(const struct ir_unit *unit, const struct ir_function *function,
                    const struct ir_op *op, struct shared variable, struct arena *arena)
{
    if (copies_vector(op))
        return is_of(unit, function, ir_operand(function, op, 0), variable, false, arena);
    for (uint32_t i = 0; i < op->operand_count && (hands_on(op) || op->code == IR_STORE); ++i) {
        if (is_of(unit, function, ir_operand(function, op, i), variable, hands_on(op), arena))
            return true;
    }
    return false;
}

// Whether the store is the only one to a variable of the function's own, whose value is followed.
static bool sets_pointer(const struct ir_function *function, const struct ir_op *store)
{
    const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
    uint32_t stores = 0;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && to->code == IR_LOCAL; ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *also =
            op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        stores += also && also->code == IR_LOCAL && also->imm == to->imm;
    }
    return stores == 1;
}

// Whether the operation gives the variable's address to what is not followed: a call, an
// instruction, a number, a choice, memory.
static bool lets_escape(const struct ir_unit *unit, const struct ir_function *function,
                        const struct ir_op *op, struct shared variable, struct arena *arena)
{
    bool to_number =
        op->code == IR_CAST && op->type != IR_NONE && unit->type[op->type].kind != IR_TYPE_POINTER;
    bool parts = hands_on(op) || to_number || op->code == IR_SELECT;
    if (op->code == IR_STORE)
        return is_of(unit, function, ir_operand(function, op, 1), variable, true, arena) &&
               !sets_pointer(function, op);
    for (uint32_t i = 0; i < op->operand_count && parts; ++i) {
        if (is_of(unit, function, ir_operand(function, op, i), variable, true, arena))
            return true;
    }
    return false;
}

// Whether only the function's loads and stores come to the variable, as far as it goes.
static bool stays_within(const struct ir_unit *unit, const struct ir_function *function,
                         struct shared variable, struct arena *arena)
{
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        if (lets_escape(unit, function, &function->op[i], variable, arena))
            return false;
    }
    return true;
}

// Whether nothing changes the variable behind the place, in the function that declares it.
static bool stays_behind(const struct ir_unit *unit, const struct place *place,
                         struct shared variable, struct arena *arena)
{
    const struct ir_function *function = place->function;
    const bool *reached = cfg_reached_from(place->cfg, place->block, arena);
    bool again = place->cfg->loop_of[place->block] != IR_NONE;
    for (ir_block_id b = 0; b < place->cfg->block_count; ++b) {
        ptrdiff_t from = b == place->block && !again ? place->at + 1 : 0;
        for (ptrdiff_t k = from; reached[b] && k < arrlen(function->block[b].op); ++k) {
            const struct ir_op *op = ir_op_at(function, function->block[b].op[k]);
            if (changes(unit, function, op, variable, arena))
                return false;
        }
    }
    return true;
}

// Whether a function that kernels call has dynamic shared memory of its own, which is the kernel's.
static bool helpers_have_dynamic(const struct ir_unit *unit)
{
    for (ptrdiff_t f = 0; f < arrlen(unit->function); ++f) {
        const struct ir_function *function = &unit->function[f];
        if (function->flags & IR_FN_KERNEL)
            continue;
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            if (op->code == IR_GLOBAL && unit->global[op->imm].space == IR_SPACE_SHARED_DYNAMIC)
                return true;
        }
    }
    return false;
}

// Whether no other function comes to the variable but by an address that it is given.
static bool is_own(const struct ir_unit *unit, const struct place *place, struct shared variable,
                   struct arena *arena)
{
    const struct ir_global *global = &unit->global[variable.variable];
    if (global->space == IR_SPACE_SHARED_DYNAMIC)
        return place->function->flags & IR_FN_KERNEL && !helpers_have_dynamic(unit) &&
               stays_within(unit, place->function, variable, arena);
    return global->owner != IR_NONE && &unit->function[global->owner] == place->function;
}

// Whether all that is done with the variable is done behind the place, by whoever does it: then
// nobody is in the way of a store that comes too early.
static bool is_first_used(const struct ir_unit *unit, const struct place *place,
                          struct shared variable, struct arena *arena)
{
    const struct ir_function *function = place->function;
    if (!is_own(unit, place, variable, arena) || place->cfg->loop_of[place->block] != IR_NONE ||
        !stays_within(unit, function, variable, arena))
        return false;
    for (ir_block_id b = 0; b < place->cfg->block_count; ++b) {
        bool dominated = b != place->block && cfg_dominates(place->cfg, place->block, b);
        ptrdiff_t end = b == place->block ? place->at : arrlen(function->block[b].op);
        for (ptrdiff_t k = 0; k < end && !dominated; ++k) {
            const struct ir_op *op = ir_op_at(function, function->block[b].op[k]);
            bool accesses = op->code == IR_LOAD || op->code == IR_STORE || copies_vector(op);
            for (uint32_t i = 0; accesses && i < (copies_vector(op) ? 2 : 1); ++i) {
                if (is_of(unit, function, ir_operand(function, op, i), variable, false, arena))
                    return false;
            }
        }
    }
    return true;
}

// Whether all of the block meet there, and the compiler knows.
static bool meets_all(const struct engine_result *result, const struct ir_function *function,
                      ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    return (op->code == IR_CALL || (op->code == IR_PTX && op->flags & IR_MEMORY_CLOBBER)) &&
           model_match(result->model, result->unit, function, value, &model) &&
           model.kind == MODEL_NAMED_SYNC && model.count == IR_NONE && !model.count_constant;
}

// Whether the variable of the function is what it is by then: in front of the place, if nothing
// changes it behind; behind it, if nothing does since a barrier of the block before it.
static bool is_settled(const struct engine_result *result, const struct place *place,
                       struct shared variable, bool behind, struct arena *arena)
{
    const struct ir_unit *unit = result->unit;
    if (!is_own(unit, place, variable, arena))
        return false;
    if (!behind)
        return unit->global[variable.variable].space == IR_SPACE_SHARED &&
               stays_behind(unit, place, variable, arena);
    for (ir_block_id b = 0; b < place->cfg->block_count; ++b) {
        ptrdiff_t count = arrlen(place->function->block[b].op);
        ptrdiff_t end = b == place->block ? place->at : count;
        for (ptrdiff_t k = 0; k < end && cfg_dominates(place->cfg, b, place->block); ++k) {
            struct place met = {place->function, place->cfg, b, k};
            if (meets_all(result, place->function, place->function->block[b].op[k]) &&
                stays_behind(unit, &met, variable, arena))
                return true;
        }
    }
    return false;
}

// What the variable of the function's own holds that is loaded, if it is set once; IR_NONE else.
static ir_value held(const struct ir_function *function, const struct ir_op *load)
{
    const struct ir_op *from = ir_op_at(function, ir_operand(function, load, 0));
    ir_value value = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && from->code == IR_LOCAL; ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to =
            op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        if (to && to->code == IR_LOCAL && to->imm == from->imm && sets_pointer(function, op))
            value = ir_operand(function, op, 1);
    }
    return value;
}

static bool is_thread_number(const struct ir_function *function, ir_value value)
{
    enum { DEEPEST = 4 };
    for (int depth = 0; value != IR_NONE && depth < DEEPEST; ++depth) {
        const struct ir_op *op = ir_op_at(function, value);
        if (op->code == IR_SPECIAL)
            return op->imm == IR_TID_X;
        if (op->code != IR_CAST && op->code != IR_LOAD)
            return false;
        value = op->code == IR_CAST ? ir_operand(function, op, 0) : held(function, op);
    }
    return false;
}

// Whether so many bytes at the address lie in the element of an array that has the thread's number.
static bool is_by_thread(const struct ir_function *function, ir_value address, int64_t bytes)
{
    enum { DEEPEST = 12 };
    ir_value index = IR_NONE;
    int64_t element = 0;
    for (int depth = 0; address != IR_NONE && depth < DEEPEST; ++depth) {
        const struct ir_op *op = ir_op_at(function, address);
        if (op->code == IR_GLOBAL)
            return index != IR_NONE && bytes <= element && is_thread_number(function, index);
        if (op->code != IR_INDEX && op->code != IR_OFFSET && op->code != IR_CAST &&
            op->code != IR_LOAD)
            return false;
        if (op->code == IR_INDEX || op->code == IR_OFFSET)
            index = op->code == IR_INDEX ? ir_operand(function, op, 1) : IR_NONE;
        element = op->imm;
        address = op->code == IR_LOAD ? held(function, op) : ir_operand(function, op, 0);
    }
    return false;
}

static int64_t bytes_touched(const struct ir_unit *unit, const struct ir_function *function,
                             const struct ir_op *op)
{
    if (op->code == IR_COPY)
        return op->imm;
    const struct ir_op *typed =
        op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 1)) : op;
    uint64_t size = typed->type == IR_NONE ? 0 : unit->type[typed->type].size;
    return size ? (int64_t)size : INT64_MAX; // nobody knows
}

// Whether each thread of the block uses an element of the variable that no other uses.
static bool is_each_threads(const struct engine_result *result, const struct place *place,
                            struct shared variable, struct arena *arena)
{
    const struct ir_unit *unit = result->unit;
    const struct ir_function *function = place->function;
    if (result->shape.block[1] * result->shape.block[2] != 1 ||
        unit->global[variable.variable].space != IR_SPACE_SHARED ||
        !(function->flags & IR_FN_KERNEL) || !is_own(unit, place, variable, arena) ||
        !stays_within(unit, function, variable, arena))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        bool accesses = op->code == IR_LOAD || op->code == IR_STORE || copies_vector(op);
        for (uint32_t k = 0; accesses && k < (copies_vector(op) ? 2 : 1); ++k) {
            ir_value address = ir_operand(function, op, k);
            if (is_of(unit, function, address, variable, false, arena) &&
                !is_by_thread(function, address, bytes_touched(unit, function, op)))
                return false;
        }
    }
    return true;
}

enum { MOST_ASKED = 8, MOST_OPS = 20000 };

// What accesses a walk has come to, and whether they do no harm on the other side of the place.
struct asked {
    struct shared variable[MOST_ASKED];
    bool reads[MOST_ASKED], harmless[MOST_ASKED];
    uint32_t count;
};

static bool is_harmless(const struct engine_result *result, const struct place *place, bool reads,
                        struct shared variable, bool behind, struct asked *asked,
                        struct arena *arena)
{
    for (uint32_t i = 0; i < asked->count; ++i) {
        if (asked->variable[i].variable == variable.variable &&
            asked->variable[i].begin == variable.begin && asked->reads[i] == reads)
            return asked->harmless[i];
    }
    if (asked->count == MOST_ASKED || arrlen(place->function->op) > MOST_OPS)
        return false;
    bool harmless = reads ? is_settled(result, place, variable, behind, arena)
                          : behind && is_first_used(result->unit, place, variable, arena);
    harmless = harmless || is_each_threads(result, place, variable, arena);
    asked->variable[asked->count] = variable;
    asked->reads[asked->count] = reads;
    asked->harmless[asked->count++] = harmless;
    return harmless;
}

// What the compiler comes to when it goes on from the place in one direction, to a store too where
// that is asked for.
static enum meets look(const struct engine_result *result, const struct ir_function *function,
                       ir_value value, bool behind, bool stores)
{
    struct arena arena;
    struct cfg cfg;
    arena_init(&arena);
    cfg_build(&cfg, function, &arena);
    bool *seen = arena_array(&arena, bool, (size_t)cfg.block_count + 1);
    ir_block_id *open = NULL;
    enum meets found = MEETS_STOP;
    struct place place = {.function = function, .cfg = &cfg};
    struct asked asked = {.count = 0};
    bool placed = place_find(&place, value);
    ir_block_id block = place.block;
    ptrdiff_t at = place.at + (behind ? 1 : -1);
    while (placed && found != MEETS_ACCESS) {
        const struct ir_block *in = &function->block[block];
        bool stopped = false;
        for (ptrdiff_t k = at; k >= 0 && k < arrlen(in->op) && !stopped; k += behind ? 1 : -1) {
            const struct ir_op *op = ir_op_at(function, in->op[k]);
            bool reads;
            struct shared variable =
                shared_touched(result->unit, function, op, stores, &arena, &reads);
            if (variable.variable != IR_NONE &&
                !is_harmless(result, &place, reads, variable, behind, &asked, &arena)) {
                found = MEETS_ACCESS;
                break;
            }
            stopped = stops_compiler(result, function, in->op[k], behind, 0);
        }
        const struct cfg_list *next = behind ? &cfg.successor[block] : &cfg.predecessor[block];
        for (uint32_t i = 0; i < next->count && !stopped; ++i) {
            if (next->item[i] < cfg.block_count && !seen[next->item[i]])
                arrput(open, next->item[i]);
            if (next->item[i] < cfg.block_count)
                seen[next->item[i]] = true;
        }
        if (!stopped && found == MEETS_STOP && (next->count == 0 || (!behind && block == 0)))
            found = MEETS_END;
        if (arrlen(open) == 0)
            break;
        block = arrpop(open);
        at = behind ? 0 : arrlen(function->block[block].op) - 1;
    }
    arrfree(open);
    arena_release(&arena);
    return found;
}

// Whether there is an access to a shared variable that may be moved across the operation: in its
// function, or, where that ends or begins before there is one, in the one that calls it.
static bool lets_accesses_pass(const struct engine_result *result, const struct engine_event *event,
                               bool behind)
{
    uint32_t chain = event->chain;
    ir_value value = event->op;
    // Behind copies of its own into shared memory a thread reads; what it stores goes elsewhere.
    bool stores = event->model.kind != MODEL_CP_ASYNC_WAIT;
    for (int depth = 0; depth < 8 && chain < arrlenu(result->chain) && value != IR_NONE; ++depth) {
        const struct engine_chain *at = &result->chain[chain];
        enum meets meets =
            look(result, &result->unit->function[at->function], value, behind, stores);
        if (meets != MEETS_END || at->parent >= chain)
            return meets == MEETS_ACCESS;
        value = engine_call_of(result, at);
        chain = at->parent;
    }
    return false;
}

static bool told_before(const struct ir_loc *told, const struct ir_loc *loc)
{
    for (ptrdiff_t i = 0; i < arrlen(told); ++i) {
        if (memcmp(&told[i], loc, sizeof *loc) == 0)
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    struct ir_loc *told = NULL; // one call of a wrapper may be harmless and the next not
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_op *op = ir_op_at(&result->unit->function[event->function], event->op);
        if (op->code != IR_PTX || !orders_memory(&event->model) || op->flags & IR_MEMORY_CLOBBER ||
            result->unit->file[op->loc.file].is_system || told_before(told, &event->loc) ||
            !((holds_back(&event->model, true) && lets_accesses_pass(result, event, true)) ||
              (holds_back(&event->model, false) && lets_accesses_pass(result, event, false))))
            continue;
        rule_report(
            // Where it is written, whoever calls it.
            context, event->loc, 0, RULE_CERTAIN,
            op->flags & IR_VOLATILE
                ? "the compiler may move accesses to shared memory across this '%s': its assembly "
                  "does not name \"memory\""
                : "the compiler may drop this '%s' or move it: its assembly is neither volatile "
                  "nor names \"memory\"",
            op->text ? op->text : "instruction");
        arrput(told, event->loc);
    }
    arrfree(told);
}

const struct rule rule_port_asm_clobber = {
    .id = "port-asm-clobber",
    .family = "portability",
    .summary =
        "inline assembly of a barrier that the compiler may drop or move memory accesses across",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"Inline PTX Assembly in CUDA (volatile, memory clobber)"},
    .check = check,
    .doc =
        {
            .what = "Inline assembly of an operation that hands memory over (bar.sync, "
                    "mbarrier.arrive, try_wait, barrier.cluster, cp.async.wait_group "
                    "and their like) does not list \"memory\" among what it clobbers, and "
                    "on the side that it is there for, before an arrival or behind a wait, "
                    "variables in shared memory are accessed with no barrier in between that "
                    "the compiler knows. Assembly without outputs is volatile by itself, one "
                    "with outputs must say so.",
            .why = "To the compiler such a statement touches its operands and nothing "
                   "else. It may keep shared variables in registers across the "
                   "barrier, or read them before it. Whether it does depends on "
                   "version, optimisation and what is inlined where.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void reverse(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ float line[128];\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    asm volatile(\"bar.sync 0;\"); // expect: port-asm-clobber\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void reverse(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ float line[128];\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    asm volatile(\"bar.sync 0;\" ::: \"memory\");\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "asm volatile(\"...\" : outputs : inputs : \"memory\").",
        },
};
