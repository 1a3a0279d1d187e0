// The slice of a kernel that its barriers depend on. Whatever a barrier operation reads is needed;
// what is needed makes needed what it is computed from, the stores that may have written it, and
// the conditions that decide whether those happen. All functions reached are gone over until
// nothing more is needed; functions are taken once for all their callers.
#include "engine/memory/memory.h"
#include "engine/walk/facts.h"
#include "engine/walk/needs.h"

#include <string.h>

#include "base/vec.h"

// --- Actions ----------------------------------------------------------------------------------

static bool yields_only(const struct model_op *model)
{
    return model->kind == MODEL_VALUE || model->kind == MODEL_ADDRESS_SAME ||
           model->kind == MODEL_ADDRESS_PEER || model->kind == MODEL_MBARRIER_HANDLE;
}

// What the operation does beside yielding a value.
static enum op_mode action_of(const struct slice *slice, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&slice->unit->function[id], value);
    enum op_mode mode = (enum op_mode)slice->function[id].mode[value];
    switch (op->code) {
    case IR_CONDBR:
    case IR_SWITCH:
    case IR_BR:
    case IR_RET:
    case IR_DECLARE:
        return OP_SKIP;
    case IR_LOAD:
        return mode == OP_KEEP ? OP_SKIP : mode;
    case IR_CALL: {
        ir_function_id callee = alias_callee(slice->engine, id, value);
        if (callee != IR_NONE)
            return slice->function[callee].fills_any ? OP_KEEP : slice->function[callee].does;
        return yields_only(facts_model(slice->engine, id, value)) ? OP_SKIP : mode;
    }
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
    case IR_CALLI:
    case IR_PTX:
    case IR_LAUNCH:
    case IR_OPAQUE:
    case IR_EXIT:
    case IR_UNREACHABLE:
        return mode;
    default:
        return OP_SKIP;
    }
}

// The function has changed in what its callers see.
static void tell_callers(struct slice *slice, ir_function_id id)
{
    const ir_function_id *caller = slice->aliases.function[id].caller;
    for (ptrdiff_t i = 0; i < arrlen(caller); ++i)
        slice->function[caller[i]].stale = true;
}

// Whether what is stored at the address is seen from outside: it is neither part of a variable of
// the function, nor of one that the caller has given, which the caller knows then.
static bool goes_out(struct slice *slice, ir_function_id id, ir_value address)
{
    const struct ir_op *op = ir_op_at(&slice->unit->function[id], address);
    while (op->code == IR_OFFSET || op->code == IR_INDEX)
        op = ir_op_at(&slice->unit->function[id], ir_operand(&slice->unit->function[id], op, 0));
    struct slice_function *at = &slice->function[id];
    if (op->code == IR_PARAM && !at->fills[op->imm]) {
        at->fills[op->imm] = at->fills_any = true;
        tell_callers(slice, id);
    }
    return op->code != IR_LOCAL && op->code != IR_PARAM;
}

// Whether all the operation writes are variables of its own function or of its callers.
static bool stays_inside(struct slice *slice, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    uint32_t outputs = 1;
    if (op->code == IR_PTX) {
        if (facts_model(slice->engine, id, value)->kind != MODEL_NONE &&
            !yields_only(facts_model(slice->engine, id, value)))
            return false;
        outputs = (uint32_t)op->imm;
    } else if (op->code != IR_STORE && op->code != IR_COPY && op->code != IR_ZERO) {
        return false;
    }
    // What it reads of shared memory is seen from outside.
    if (op->code == IR_COPY &&
        slice_access_mode(slice, id, ir_operand(function, op, 1), false) != OP_SKIP)
        return false;
    for (uint32_t i = 0; i < outputs && i < op->operand_count; ++i) {
        uint32_t class = alias_of(&slice->aliases, id, ir_operand(function, op, i));
        if (class == IR_NONE)
            return false;
        const struct alias_class *to = &slice->aliases.class[class];
        bool only_local = to->local && !to->shared && !to->open && !to->copied;
        if (to->owner != id && (!only_local || goes_out(slice, id, ir_operand(function, op, i))))
            return false;
    }
    return true;
}

// What a call of the function does beyond what it fills of the caller's own variables.
static enum op_mode call_action(struct slice *slice, ir_function_id id, const struct ir_op *op,
                                ir_function_id callee)
{
    const struct slice_function *to = &slice->function[callee];
    enum op_mode action = to->does;
    ptrdiff_t params = arrlen(slice->unit->function[callee].param);
    for (uint32_t k = 0; to->fills_any && k < op->operand_count && (ptrdiff_t)k < params; ++k) {
        if (to->fills[k] && goes_out(slice, id, ir_operand(&slice->unit->function[id], op, k)))
            action = OP_KEEP;
    }
    return action;
}

// The most that the function does to anything but its own variables.
static void sum_up(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    struct slice_function *at = &slice->function[id];
    const struct cfg *cfg = facts_of(slice->engine, id)->cfg;
    for (uint32_t b = 0; b < cfg->order_count && at->does != OP_KEEP; ++b) {
        const struct ir_block *block = &function->block[cfg->order[b]];
        for (ptrdiff_t k = 0; k < arrlen(block->op); ++k) {
            const struct ir_op *op = ir_op_at(function, block->op[k]);
            ir_function_id callee =
                op->code == IR_CALL ? alias_callee(slice->engine, id, block->op[k]) : IR_NONE;
            enum op_mode action = callee != IR_NONE ? call_action(slice, id, op, callee)
                                                    : action_of(slice, id, block->op[k]);
            if (action <= at->does || stays_inside(slice, id, block->op[k]))
                continue;
            at->does = action;
            tell_callers(slice, id);
        }
    }
}

// --- Conditions -------------------------------------------------------------------------------

static ir_block_id *region_of(struct slice *slice, ir_function_id id, ir_block_id block)
{
    struct slice_function *function = &slice->function[id];
    if (function->region[block])
        return function->region[block];
    const struct cfg *cfg = facts_of(slice->engine, id)->cfg;
    ir_block_id join = cfg_join(cfg, block), *list = NULL;
    bool *seen = arena_array(&slice->engine->known->slice_arena, bool, cfg->block_count + 1);
    arrput(list, IR_NONE); // never an empty array
    for (ptrdiff_t next = -1; next < arrlen(list); ++next) {
        ir_block_id at = next < 0 ? block : list[next];
        if (at == IR_NONE)
            continue;
        for (uint32_t i = 0; i < cfg->successor[at].count; ++i) {
            ir_block_id to = cfg->successor[at].item[i];
            if (to == join || to == cfg->exit || seen[to])
                continue;
            seen[to] = true;
            arrput(list, to);
        }
    }
    function->region[block] = list;
    return list;
}

// Whether the operation only stores to a variable that does not matter from the block on.
static bool is_dead_after(struct slice *slice, ir_function_id id, ir_value value, ir_block_id block)
{
    const struct function_facts *facts = facts_of(slice->engine, id);
    uint32_t number = facts->registers.of[value];
    if (!number || block >= facts->cfg->block_count)
        return number != 0;
    const uint64_t *live = facts->registers.live + (size_t)block * facts->registers.words;
    return !(live[(number - 1) / 64] >> ((number - 1) % 64) & 1);
}

// The most that a condition at the end of the block decides on.
static enum op_mode region_mode(struct slice *slice, ir_function_id id, ir_block_id block)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct slice_function *at = &slice->function[id];
    const struct cfg *cfg = facts_of(slice->engine, id)->cfg;
    ir_block_id join = cfg_join(cfg, block), *list = region_of(slice, id, block);
    enum op_mode most = OP_SKIP;
    if (join == IR_NONE ||
        (join == cfg->exit && (id == slice->engine->kernel || at->result_needed)))
        return OP_KEEP;
    for (ptrdiff_t i = 1; i < arrlen(list); ++i) {
        const struct ir_block *in = &function->block[list[i]];
        for (ptrdiff_t k = 0; k < arrlen(in->op); ++k) {
            enum op_mode action = action_of(slice, id, in->op[k]);
            if (action > most && !is_dead_after(slice, id, in->op[k], join))
                most = action;
        }
    }
    return most;
}

static void slice_condition(struct slice *slice, ir_function_id id, ir_block_id block,
                            ir_value value, const struct ir_op *op)
{
    struct slice_function *function = &slice->function[id];
    slice_set_mode(slice, id, value,
                   OP_KEEP); // control goes on from it, whether it is asked or not
    if (function->branch[block] == OP_KEEP)
        return;
    enum op_mode mode = region_mode(slice, id, block);
    if (mode > (enum op_mode)function->branch[block]) {
        function->branch[block] = (uint8_t)mode;
        slice->changed = true;
    }
    if (mode != OP_SKIP)
        slice_need(slice, id, ir_operand(&slice->unit->function[id], op, 0));
}

static void slice_op(struct slice *slice, ir_function_id id, ir_block_id block, ir_value value)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    struct slice_function *at = &slice->function[id];
    switch (op->code) {
    case IR_LOAD:
        slice_load(slice, id, value, op);
        break;
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
        slice_store(slice, id, value, op);
        break;
    case IR_DECLARE: {
        uint32_t class = alias_find(&slice->aliases, slice->aliases.function[id].local[op->imm]);
        if (class != IR_NONE && alias_needed(&slice->aliases, class))
            slice_set_mode(slice, id, value, OP_KEEP);
        break;
    }
    case IR_CALL: {
        ir_function_id callee = alias_callee(slice->engine, id, value);
        const struct model_op *model = facts_model(slice->engine, id, value);
        if (callee != IR_NONE)
            slice_call(slice, id, value, op, callee);
        else if (model->kind != MODEL_NONE)
            slice_model(slice, id, value, op, model);
        else
            slice_unknown(slice, id, value, op);
        break;
    }
    case IR_PTX: {
        const struct model_op *model = facts_model(slice->engine, id, value);
        if (model->kind != MODEL_NONE)
            slice_model(slice, id, value, op, model);
        else
            slice_unknown(slice, id, value, op);
        break;
    }
    case IR_OPAQUE:
        slice_unknown(slice, id, value, op);
        break;
    case IR_CALLI:
        slice_indirect(slice, id, value, op);
        break;
    case IR_LAUNCH:
        slice_set_mode(slice, id, value, OP_KEEP);
        slice_need_operands(slice, id, op);
        break;
    case IR_CONDBR:
    case IR_SWITCH:
        slice_condition(slice, id, block, value, op);
        break;
    case IR_RET:
        slice_set_mode(slice, id, value, OP_KEEP);
        if (at->result_needed)
            slice_need_operands(slice, id, op);
        break;
    case IR_BR:
    case IR_EXIT:
    case IR_UNREACHABLE:
        slice_set_mode(slice, id, value, OP_KEEP);
        break;
    case IR_PARAM:
        if (at->needed[value] && !at->param_needed[op->imm]) {
            at->param_needed[op->imm] = true;
            tell_callers(slice, id);
        }
        break;
    default:
        if (at->needed[value])
            slice_need_operands(slice, id, op);
        break;
    }
    if (at->needed[value])
        slice_set_mode(slice, id, value, OP_KEEP);
}

// Whether the function fences what it writes for other blocks.
static bool has_device_fence(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        enum ir_op_code code = (enum ir_op_code)function->op[i].code;
        if (function->op[i].flags & IR_RELEASE)
            return true;
        if (code != IR_CALL && code != IR_PTX)
            continue;
        const struct model_op *model = facts_model(slice->engine, id, (ir_value)i);
        bool fences = model->fence == MODEL_FENCE_GPU || model->fence == MODEL_FENCE_SYSTEM;
        if ((model->kind == MODEL_FENCE && fences) || model_releases(model))
            return true;
    }
    return false;
}

// Whether the function copies to shared memory of several blocks at once.
static bool has_multicast(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        enum ir_op_code code = (enum ir_op_code)function->op[i].code;
        if (code != IR_CALL && code != IR_PTX)
            continue;
        const struct model_op *model = facts_model(slice->engine, id, (ir_value)i);
        if (model->dst != IR_NONE && model->flags & MODEL_MULTICAST)
            return true;
    }
    return false;
}

// Whether the function has what copies of the threads' own are waited for with, or may have it.
static bool has_copy_wait(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        enum ir_op_code code = (enum ir_op_code)function->op[i].code;
        if (code == IR_CALLI || code == IR_OPAQUE ||
            facts_may_await(slice->engine, id, (ir_value)i))
            return true;
        if (code != IR_CALL && code != IR_PTX)
            continue;
        enum model_kind kind = facts_model(slice->engine, id, (ir_value)i)->kind;
        // What is called has no body here: another unit's, which may wait.
        if (code == IR_CALL && kind == MODEL_NONE &&
            !(slice->unit->function[function->op[i].imm].flags & IR_FN_BODY))
            return true;
        if (kind == MODEL_CP_ASYNC_WAIT || kind == MODEL_GROUP_COPY_WAIT ||
            kind == MODEL_PIPELINE_WAIT || kind == MODEL_MBARRIER_CP_ASYNC_ARRIVE)
            return true;
    }
    return false;
}

// --- The whole --------------------------------------------------------------------------------

static void uses_class(struct slice *slice, ir_function_id id, uint32_t class)
{
    if (class == IR_NONE)
        return;
    struct alias_class *at = &slice->aliases.class[alias_find(&slice->aliases, class)];
    if (arrlen(at->user) == 0 || arrlast(at->user) != id)
        arrput(at->user, id);
    for (ptrdiff_t i = 0; i < arrlen(at->field); ++i)
        uses_class(slice, id, at->field[i].class);
}

// What becomes of the operation depends on whether the memory that it touches matters.
static void uses_data(struct slice *slice, ir_function_id id, const struct ir_op *op)
{
    if (op->code == IR_DECLARE)
        uses_class(slice, id, slice->aliases.function[id].local[op->imm]);
    for (uint32_t i = 0; i < op->operand_count; ++i)
        uses_class(slice, id,
                   alias_of(&slice->aliases, id, ir_operand(&slice->unit->function[id], op, i)));
}

static void function_begin(struct slice *slice, ir_function_id id)
{
    struct arena *arena = &slice->engine->known->slice_arena;
    const struct ir_function *function = &slice->unit->function[id];
    size_t ops = (size_t)arrlen(function->op) + 1, blocks = (size_t)arrlen(function->block) + 1;
    struct slice_function *at = &slice->function[id];
    at->needed = arena_array(arena, bool, ops);
    at->mode = arena_array(arena, uint8_t, ops);
    at->param_needed = arena_array(arena, bool, (size_t)arrlen(function->param) + 1);
    at->fills = arena_array(arena, bool, (size_t)arrlen(function->param) + 1);
    at->branch = arena_array(arena, uint8_t, blocks);
    at->region = arena_array(arena, ir_block_id *, blocks);
    at->stale = true;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        enum ir_op_code code = (enum ir_op_code)function->op[i].code;
        if (code == IR_LOAD || code == IR_STORE || code == IR_COPY || code == IR_ZERO ||
            code == IR_DECLARE || code == IR_PTX || code == IR_OPAQUE ||
            (code == IR_CALL && alias_callee(slice->engine, id, (ir_value)i) == IR_NONE))
            uses_data(slice, id, &function->op[i]);
    }
}

static void find_unread(struct slice *slice)
{
    struct engine *engine = slice->engine;
    const ir_function_id *reached = slice->aliases.reached;
    bool **params =
        arena_array(&engine->known->slice_arena, bool *, (size_t)arrlen(slice->unit->function) + 1);
    bool any = false;
    for (ptrdiff_t i = 0; i < arrlen(reached); ++i) {
        params[reached[i]] = unread_params(engine, reached[i]);
        any |= params[reached[i]] != NULL;
    }
    for (ptrdiff_t i = 0; any && i < arrlen(reached); ++i)
        slice->function[reached[i]].unread = unread_loads(engine, params, reached[i]);
}

// Goes over the function once; returns whether there was a reason to.
static bool function_sweep(struct slice *slice, ir_function_id id)
{
    struct slice_function *at = &slice->function[id];
    if (!at->stale)
        return false;
    at->stale = slice->changed = false;
    const struct cfg *cfg = facts_of(slice->engine, id)->cfg;
    for (uint32_t b = cfg->order_count; b-- > 0;) {
        const struct ir_block *block = &slice->unit->function[id].block[cfg->order[b]];
        for (ptrdiff_t k = arrlen(block->op); k-- > 0;)
            slice_op(slice, id, cfg->order[b], block->op[k]);
    }
    sum_up(slice, id);
    // What an operation makes needed comes later in the sweep, unless control goes back.
    at->stale |= slice->changed && (cfg->loop_count > 0 || cfg->irreducible);
    return true;
}

// --- Checks -----------------------------------------------------------------------------------

enum { DEEPEST_CHECK = 8 };

// What the variable's only store puts there, where the operation loads it; else IR_NONE.
static ir_value given_to(struct slice *slice, ir_function_id id, ir_value load)
{
    const struct registers *registers = &facts_of(slice->engine, id)->registers;
    uint32_t number = registers->of[load];
    return number ? registers->given[number] : IR_NONE;
}

// Whether the value is worked out from what is in the slice anyway.
static bool is_at_hand(struct slice *slice, ir_function_id id, ir_value value, int depth)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct slice_function *at = &slice->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    if (op->code == IR_PARAM)
        return id == slice->engine->kernel || at->param_needed[op->imm];
    if (at->mode[value] == OP_KEEP || facts_is_lazy(op)) // not what a clock says
        return true;
    if (op->code == IR_LOAD) {
        ir_value address = ir_operand(function, op, 0), given = given_to(slice, id, value);
        bool kept = !(data_kinds(slice->unit, op->type) & ~slice_needed_of(slice, id, address));
        if (ir_op_at(function, address)->code == IR_LOCAL)
            return kept || (given != IR_NONE && depth < DEEPEST_CHECK &&
                            is_at_hand(slice, id, given, depth + 1));
        return kept && depth < DEEPEST_CHECK && is_at_hand(slice, id, address, depth + 1);
    }
    bool computes = (op->code >= IR_ADD && op->code <= IR_SELECT) || op->code == IR_INDEX ||
                    op->code == IR_OFFSET;
    if (!computes || depth == DEEPEST_CHECK)
        return false;
    for (uint32_t i = 0; i < op->operand_count; ++i)
        if (!is_at_hand(slice, id, ir_operand(function, op, i), depth + 1))
            return false;
    return true;
}

static void keep_value(struct slice *slice, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    if (slice->function[id].mode[value] == OP_KEEP)
        return;
    slice_set_mode(slice, id, value, OP_KEEP);
    for (uint32_t i = 0; i < op->operand_count; ++i)
        keep_value(slice, id, ir_operand(function, op, i));
    ir_value given = op->code == IR_LOAD ? given_to(slice, id, value) : IR_NONE;
    const uint32_t *of = facts_of(slice->engine, id)->registers.of;
    for (ptrdiff_t i = 0; given != IR_NONE && i < arrlen(function->op); ++i) {
        if (function->op[i].code == IR_STORE && of[i] == of[value])
            keep_value(slice, id, (ir_value)i);
    }
}

// A check that aborts the kernel decides on no barrier, as nothing comes after it where it fails;
// but what it says of numbers that barriers depend on is worth knowing.
static void keep_checks(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    const struct cfg *cfg = facts_of(slice->engine, id)->cfg;
    struct slice_function *at = &slice->function[id];
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        const struct ir_op *op = ir_terminator(function, cfg->order[b]);
        if (!op || op->code != IR_CONDBR || at->branch[cfg->order[b]] != OP_SKIP ||
            facts_aborts(function, op->target[0]) == facts_aborts(function, op->target[1]) ||
            !is_at_hand(slice, id, ir_operand(function, op, 0), 0))
            continue;
        keep_value(slice, id, ir_operand(function, op, 0));
        at->branch[cfg->order[b]] = OP_KEEP;
    }
}

// Which operations go to open memory; NULL for none.
static const bool *goes_open(struct slice *slice, ir_function_id id)
{
    const struct ir_function *function = &slice->unit->function[id];
    bool *open = NULL;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code != IR_LOAD && op->code != IR_STORE && op->code != IR_COPY)
            continue;
        for (uint32_t k = 0; k < (op->code == IR_COPY ? 2 : 1); ++k) {
            uint32_t class = alias_of(&slice->aliases, id, ir_operand(function, op, k));
            if (class == IR_NONE || !slice->aliases.class[class].open)
                continue;
            if (!open)
                open = arena_array(&slice->engine->known->slice_arena, bool, arrlenu(function->op));
            open[i] = true;
        }
    }
    return open;
}

// Hands what was found to the engine.
static void function_end(struct slice *slice, ir_function_id id)
{
    struct engine *engine = slice->engine;
    struct slice_function *at = &slice->function[id];
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    const struct ir_function *function = &slice->unit->function[id];
    facts->mode = at->mode;
    facts->open = slice->aliases.any_open ? goes_open(slice, id) : NULL;
    struct arena *arena = &engine->known->slice_arena;
    facts->pass = arena_array(arena, ir_block_id, (size_t)facts->cfg->block_count + 1);
    facts->rounds = arena_array(arena, uint32_t, (size_t)facts->cfg->block_count + 1);
    facts->touching = arena_array(arena, uint8_t, (size_t)facts->cfg->loop_count + 1);
    facts->to_do = NULL; // most are never entered
    arrput(engine->known->in_slice, id);
    for (ir_block_id b = 0; b < facts->cfg->block_count; ++b) {
        const struct ir_op *end = ir_terminator(function, b);
        facts->pass[b] = IR_NONE;
        if (!cfg_reachable(facts->cfg, b) || !end ||
            (end->code != IR_CONDBR && end->code != IR_SWITCH))
            continue;
        if (at->branch[b] == OP_SKIP)
            facts->pass[b] = cfg_join(facts->cfg, b);
        static const uint32_t rounds[] = {
            [OP_TOUCH] = 1, [OP_ALIGN] = 2, [OP_PROBE] = UINT32_MAX, [OP_KEEP] = UINT32_MAX};
        facts->rounds[b] = rounds[at->branch[b]];
    }
    for (ir_block_id b = 0; b < facts->cfg->block_count; ++b)
        arrfree(at->region[b]);
}

void slice_forget(struct engine_unit *known)
{
    for (ptrdiff_t i = 0; i < arrlen(known->in_slice); ++i) {
        struct function_facts *facts = &known->facts[known->in_slice[i]];
        facts->mode = NULL;
        facts->open = NULL;
        facts->pass = NULL;
        facts->rounds = NULL;
        facts->touching = NULL;
        facts->to_do = facts->all;
    }
    arrsetlen(known->in_slice, 0);
    arrfree(known->lively);
    arrfree(known->carved);
    hmfree(known->decided);
    arena_clear(&known->slice_arena);
    known->sliced = IR_NONE;
}

void slice_build(struct engine *engine)
{
    if (engine->known->sliced == engine->kernel)
        return;
    slice_forget(engine->known);
    engine->known->sliced = engine->kernel;
    struct slice slice = {.engine = engine, .unit = engine->unit};
    aliases_build(&slice.aliases, engine);
    open_memory_find(&slice.aliases);
    slice.function = arena_array(&engine->known->slice_arena, struct slice_function,
                                 (size_t)arrlen(engine->unit->function) + 1);
    for (ptrdiff_t i = 0; i < arrlen(slice.aliases.reached); ++i)
        function_begin(&slice, slice.aliases.reached[i]);
    find_unread(&slice);
    engine->known->announces = engine->known->polls = engine->known->multicasts = false;
    engine->known->awaits_copies = false;
    for (ptrdiff_t i = 0; i < arrlen(slice.aliases.reached); ++i) {
        engine->known->announces |= has_device_fence(&slice, slice.aliases.reached[i]);
        engine->known->polls |= polls_in(engine, slice.aliases.reached[i]);
        engine->known->multicasts |= has_multicast(&slice, slice.aliases.reached[i]);
        engine->known->awaits_copies |= has_copy_wait(&slice, slice.aliases.reached[i]);
        carved_find(engine, slice.aliases.reached[i]);
    }
    engine->known->last_block = last_block_find(&slice.aliases);
    engine->known->announces |= engine->known->last_block.ticket != IR_NONE;
    engine->known->reads_back = engine->known->announces && read_back_find(&slice.aliases);
    for (bool any = true; any;) {
        any = false;
        for (ptrdiff_t i = arrlen(slice.aliases.reached); i-- > 0;)
            any |= function_sweep(&slice, slice.aliases.reached[i]);
    }
    for (ptrdiff_t i = 0; i < arrlen(slice.aliases.reached); ++i) {
        keep_checks(&slice, slice.aliases.reached[i]);
        function_end(&slice, slice.aliases.reached[i]);
    }
    aliases_release(&slice.aliases);
}
