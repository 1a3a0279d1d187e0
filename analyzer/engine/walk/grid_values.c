#include "engine/walk/grid_values.h"

#include "base/vec.h"

void look_add(struct look *look, ir_value value)
{
    if (value == IR_NONE || look->seen[value] == look->search)
        return;
    look->seen[value] = look->search;
    arrput(look->work, value);
}

// The variable that the address lies in: a local or a shared variable; NULL for other memory.
static const struct ir_op *variable_at(const struct look *look, ir_value address)
{
    const struct ir_unit *unit = look->aliases->engine->unit;
    const struct ir_op *op = ir_op_at(look->function, address);
    while (op && (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST))
        op = ir_op_at(look->function, ir_operand(look->function, op, 0));
    bool shared = op && op->code == IR_GLOBAL && unit->global[op->imm].space == IR_SPACE_SHARED;
    return shared || (op && op->code == IR_LOCAL) ? op : NULL;
}

// What the address is counted from: the operation that is neither an index nor an offset.
static const struct ir_op *start_of(const struct look *look, ir_value address, int64_t *by)
{
    const struct ir_op *op = ir_op_at(look->function, address);
    for (*by = 0; op && (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST);
         op = ir_op_at(look->function, ir_operand(look->function, op, 0)))
        *by += op->code == IR_OFFSET ? op->imm : 0;
    return op;
}

static bool is_in(const struct look *look, ir_value address, const struct ir_op *variable)
{
    const struct ir_op *at = address == IR_NONE ? NULL : variable_at(look, address);
    return at && at->code == variable->code && at->imm == variable->imm;
}

// Whether the operation may let others have the variable's address, who store there then.
static bool gives_away(const struct look *look, const struct ir_op *op,
                       const struct ir_op *variable)
{
    bool computes = op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST;
    uint32_t own = op->code == IR_LOAD || op->code == IR_STORE ? 1 : 0; // its first is a place
    for (uint32_t i = own; i < op->operand_count && !computes; ++i) {
        if (is_in(look, ir_operand(look->function, op, i), variable))
            return true;
    }
    return false;
}

// The only value that is stored in the variable, or IR_NONE.
static ir_value only_stored(const struct look *look, const struct ir_op *variable)
{
    ir_value only = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        const struct ir_op *op = &look->function->op[i];
        bool stores =
            op->code == IR_STORE && is_in(look, ir_operand(look->function, op, 0), variable);
        if ((stores && only != IR_NONE) || gives_away(look, op, variable))
            return IR_NONE;
        only = stores ? ir_operand(look->function, op, 1) : only;
    }
    return only;
}

// The same where the pointer is kept in a variable of its own meanwhile: "float *now = v.part[i]".
static const struct ir_op *origin_of(const struct look *look, ir_value address)
{
    enum { MOST_VARIABLES = 4 };
    int64_t by;
    const struct ir_op *start = start_of(look, address, &by);
    for (int i = 0; start && start->code == IR_LOAD && i < MOST_VARIABLES; ++i) {
        const struct ir_op *from = ir_op_at(look->function, ir_operand(look->function, start, 0));
        ir_value stored = from && from->code == IR_LOCAL ? only_stored(look, from) : IR_NONE;
        if (stored == IR_NONE)
            break;
        start = start_of(look, stored, &by);
    }
    return start;
}

static bool is_element(const struct look *look, ir_value address)
{
    const struct ir_op *op = ir_op_at(look->function, address);
    while (op && (op->code == IR_OFFSET || op->code == IR_CAST))
        op = ir_op_at(look->function, ir_operand(look->function, op, 0));
    return op && op->code == IR_INDEX;
}

bool look_is_own(const struct look *look, ir_value address)
{
    uint32_t class = alias_of(look->aliases, look->id, address);
    const struct alias_class *at = class == IR_NONE ? NULL : &look->aliases->class[class];
    int64_t by;
    const struct ir_op *start = start_of(look, address, &by);
    if (!at || at->shared || !at->local || !start || start->code != IR_LOAD)
        return at && (at->shared || at->local);
    start = start_of(look, ir_operand(look->function, start, 0), &by);
    return !start || start->code != IR_PARAM;
}

bool look_starts_in_record(const struct look *look, ir_value address)
{
    int64_t by;
    const struct ir_op *start = origin_of(look, address);
    if (!start || start->code != IR_LOAD)
        return false;
    start = start_of(look, ir_operand(look->function, start, 0), &by);
    if (!start || (start->code != IR_LOCAL && start->code != IR_PARAM))
        return true;
    ir_type_id type = start->code == IR_LOCAL ? look->function->local[start->imm].type
                                              : look->function->param[start->imm].type;
    return look->aliases->engine->unit->type[type].kind == IR_TYPE_RECORD;
}

bool look_start_alike(const struct look *look, ir_value a, ir_value b)
{
    int64_t at_a = 0, at_b = 0;
    const struct ir_op *one = origin_of(look, a), *other = origin_of(look, b);
    if (!one || !other || one->code != IR_LOAD || other->code != IR_LOAD)
        return false;
    ir_value member_a = ir_operand(look->function, one, 0);
    ir_value member_b = ir_operand(look->function, other, 0);
    if (is_element(look, member_a) || is_element(look, member_b))
        return false;
    one = start_of(look, member_a, &at_a);
    other = start_of(look, member_b, &at_b);
    return one && other && one->code == other->code && one->imm == other->imm && at_a == at_b &&
           (one->code == IR_LOCAL || one->code == IR_PARAM);
}

// The same, or what the function is given the address of, where that is such a variable.
static const struct ir_op *place_at(const struct look *look, ir_value address)
{
    const struct ir_op *variable = variable_at(look, address);
    if (variable || !look_is_own(look, address))
        return variable;
    const struct ir_op *start = origin_of(look, address);
    return start && start->code == IR_PARAM ? start : NULL;
}

void look_add_parts(struct look *look, const struct ir_op *op)
{
    if (op->code != IR_LOAD) {
        for (uint32_t i = 0; i < op->operand_count; ++i)
            look_add(look, ir_operand(look->function, op, i));
        return;
    }
    const struct ir_op *from = place_at(look, ir_operand(look->function, op, 0));
    for (ptrdiff_t i = 0; from && i < arrlen(look->function->op); ++i) {
        const struct ir_op *store = &look->function->op[i];
        if (store->code != IR_STORE)
            continue;
        const struct ir_op *to = from->code == IR_PARAM
                                     ? place_at(look, ir_operand(look->function, store, 0))
                                     : variable_at(look, ir_operand(look->function, store, 0));
        if (to && to->code == from->code && to->imm == from->imm)
            look_add(look, ir_operand(look->function, store, 1));
    }
}

bool look_counts_for_grid(const struct look *look, ir_value value)
{
    const struct model_op *model = facts_model(look->aliases->engine, look->id, value);
    return model->kind == MODEL_ATOMIC && model->dst != IR_NONE && !look_is_own(look, model->dst);
}

enum { MOST_CALLS = 3 }; // from one function into the next

// What all who call the function give it there, as far as it is the same of all.
static struct made given_by_all(const struct look *look, uint32_t param)
{
    struct aliases *aliases = look->aliases;
    struct made made = {.atomic = IR_NONE, .blocks = ~0u, .block = ~0u};
    bool called = false;
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached) && look->depth < MOST_CALLS; ++f) {
        struct look caller = *look;
        caller.id = aliases->reached[f];
        caller.function = &aliases->engine->unit->function[caller.id];
        caller.depth = look->depth + 1;
        caller.seen = NULL;
        caller.work = NULL;
        for (ptrdiff_t i = 0; i < arrlen(caller.function->op); ++i) {
            const struct ir_op *call = &caller.function->op[i];
            if (call->code != IR_CALL || call->imm != look->id || param >= call->operand_count)
                continue;
            if (!caller.seen)
                caller.seen = arena_array(look->arena, uint32_t, arrlenu(caller.function->op) + 1);
            struct made given = look_made_of(&caller, ir_operand(caller.function, call, param));
            made.blocks &= given.blocks;
            made.block &= given.block;
            made.block_of_some |= given.block_of_some;
            made.threads |= given.threads;
            made.foreign |= given.foreign || given.atomic != IR_NONE;
            called = true;
        }
        arrfree(caller.work);
    }
    return called ? made : (struct made){.atomic = IR_NONE};
}

static void add_given(struct look *look, uint32_t param, struct made *made)
{
    uint64_t key = (uint64_t)look->id << 32 | param;
    bool known = hmgeti(*look->given, key) >= 0;
    struct made given = known ? hmget(*look->given, key) : given_by_all(look, param);
    if (!known)
        hmput(*look->given, key, given);
    made->blocks |= given.blocks;
    made->block |= given.block;
    made->block_of_some |= given.block_of_some;
    made->threads |= given.threads;
    made->foreign |= given.foreign;
}

struct made look_made_of(struct look *look, ir_value value)
{
    struct made made = {.atomic = IR_NONE};
    ++look->search;
    arrsetlen(look->work, 0);
    look_add(look, value);
    while (arrlen(look->work)) {
        ir_value at = arrpop(look->work);
        const struct ir_op *op = ir_op_at(look->function, at);
        if (op->code == IR_SPECIAL) {
            made.threads |= op->imm <= IR_TID_Z;
            if (op->imm >= IR_NCTAID_X && op->imm <= IR_NCTAID_Z)
                made.blocks |= 1u << (op->imm - IR_NCTAID_X);
            if (op->imm >= IR_CTAID_X && op->imm <= IR_CTAID_Z)
                made.block |= 1u << (op->imm - IR_CTAID_X);
            made.block_of_some |= made.block;
        } else if (op->code == IR_PARAM) {
            add_given(look, (uint32_t)op->imm, &made);
        } else if ((op->code == IR_CALL || op->code == IR_PTX) && look_counts_for_grid(look, at)) {
            made.atomic = at;
            continue;
        }
        look_add_parts(look, op);
    }
    return made;
}

ir_value look_read_at(const struct look *look, ir_value value)
{
    const struct ir_op *op = ir_op_at(look->function, value);
    if (op->code == IR_LOAD && !(op->flags & IR_ATOMIC))
        return ir_operand(look->function, op, 0);
    if (op->code == IR_COPY)
        return ir_operand(look->function, op, 1);
    // A load that a function spells, as __ldcg() does.
    if (op->code != IR_CALL || op->operand_count != 1 || look_counts_for_grid(look, value))
        return IR_NONE;
    return ir_operand(look->function, op, 0);
}

ir_block_id *look_blocks_of(const struct look *look, struct arena *arena)
{
    ir_block_id *of = arena_array(arena, ir_block_id, arrlenu(look->function->op) + 1);
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i)
        of[i] = IR_NONE;
    for (ptrdiff_t b = 0; b < arrlen(look->function->block); ++b) {
        for (ptrdiff_t i = 0; i < arrlen(look->function->block[b].op); ++i)
            of[look->function->block[b].op[i]] = (ir_block_id)b;
    }
    return of;
}

// Whether the call is given an address: what it does there nobody knows.
static bool takes_address(struct aliases *aliases, ir_function_id id, const struct ir_op *op)
{
    const struct ir_function *function = &aliases->engine->unit->function[id];
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (alias_of(aliases, id, ir_operand(function, op, i)) != IR_NONE)
            return true;
    }
    return false;
}

bool look_may_order(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_unit *unit = aliases->engine->unit;
    const struct ir_op *op = ir_op_at(&unit->function[id], value);
    if (op->flags & IR_RELEASE || op->code == IR_CALLI || op->code == IR_OPAQUE)
        return true;
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    const struct model_op *model = facts_model(aliases->engine, id, value);
    switch (model->kind) {
    case MODEL_FENCE:
        return model->fence != MODEL_FENCE_THREAD_BLOCK;
    case MODEL_GRID_SYNC:
    case MODEL_GRID_ARRIVE:
    case MODEL_GRID_WAIT:
    case MODEL_CLUSTER_SYNC:
    case MODEL_CLUSTER_ARRIVE:
        return true;
    case MODEL_NONE:
        if (op->code == IR_PTX)
            return op->flags & IR_MEMORY_CLOBBER;
        return !(unit->function[op->imm].flags & IR_FN_BODY) && takes_address(aliases, id, op);
    default:
        return model_releases(model);
    }
}

ir_value look_once_stored(const struct ir_function *function, ir_value value)
{
    enum { MOST_VARIABLES = 4 };
    for (int i = 0; i < MOST_VARIABLES; ++i) {
        const struct ir_op *op = ir_op_at(function, value);
        while (op && op->code == IR_CAST)
            op = ir_op_at(function, value = ir_operand(function, op, 0));
        const struct ir_op *from =
            op && op->code == IR_LOAD ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        ir_value stored = IR_NONE;
        for (ptrdiff_t k = 0; from && from->code == IR_LOCAL && k < arrlen(function->op); ++k) {
            const struct ir_op *store = &function->op[k];
            const struct ir_op *to =
                store->code == IR_STORE ? ir_op_at(function, ir_operand(function, store, 0)) : NULL;
            if (!to || to->code != IR_LOCAL || to->imm != from->imm)
                continue;
            if (stored != IR_NONE)
                return value;
            stored = ir_operand(function, store, 1);
        }
        if (stored == IR_NONE)
            return value;
        value = stored;
    }
    return value;
}
