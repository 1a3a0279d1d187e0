// The block that comes last, as the classical sum over a grid has it: each block writes its part,
// counts itself, and the one that finds by what the count was that all have come reads the parts of
// the others. What each has written must be fenced for the device before it is counted, else the
// last one may read what was there before (Programming Guide 13, 5.4.4.2). Found in the code
// alone: a branch on whether the old value of a counter equals a number made of the grid's size,
// by the function or by all who call it, under which memory is read that the kernel has written
// before at a place of each block. Only asked in kernels that have nothing which could order it: a
// fence that the last block alone comes to, behind that branch, is too late for what others have
// written.
#include "base/vec.h"
#include "engine/memory/ordered.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

// What a value is made of.
struct made {
    ir_value atomic; // an atomic operation on memory of the grid, or IR_NONE
    unsigned blocks; // by axis: the number of blocks in the grid
    unsigned block;  // by axis: the number of the block
    bool threads;    // the number of the thread
    // What the function is given counts as made of what all who call it make it of. By axis: the
    // number of the block, where any of them does.
    unsigned block_of_some;
    bool foreign; // an atomic operation of theirs
};

enum { MOST_CALLS = 3 }; // from one function into the next

// What a function is given, as it was found out.
struct given {
    uint64_t key; // the function and the number of the parameter
    struct made value;
};

struct look {
    struct aliases *aliases;
    ir_function_id id;
    const struct ir_function *function;
    uint32_t *seen; // by operation: the search that came to it
    uint32_t search;
    ir_value *work;   // stb_ds array: operations still to be looked at
    ir_value *orders; // stb_ds array: those that may order writes for the device
    struct arena *arena;
    struct given **given; // stb_ds map
    int depth;            // calls between the function that is looked at and this one
};

static void add(struct look *look, ir_value value)
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

// Whether the memory at the address is the block's own. That of no class is where a pointer leads
// that nobody in the kernel has made: the host has put it into a record, or into memory of the
// grid. Where a member of a record leads that the function is given is the grid's too, if a value
// that is chosen may come from there or from a variable.
static bool is_own(const struct look *look, ir_value address)
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

// Whether the address is counted from a pointer that is kept in a member of a record, or behind
// another pointer, and not from a variable: all that lies in one record is one class.
static bool starts_in_record(const struct look *look, ir_value address)
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

// Whether both addresses are counted from the pointer that is kept in one member of one record; of
// an element of an array among its members nobody says which it is.
static bool start_alike(const struct look *look, ir_value a, ir_value b)
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
    if (variable || !is_own(look, address))
        return variable;
    const struct ir_op *start = origin_of(look, address);
    return start && start->code == IR_PARAM ? start : NULL;
}

// Adds what the value is made of: operands, or what is stored in the variable that it is read from.
static void add_parts(struct look *look, const struct ir_op *op)
{
    if (op->code != IR_LOAD) {
        for (uint32_t i = 0; i < op->operand_count; ++i)
            add(look, ir_operand(look->function, op, i));
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
            add(look, ir_operand(look->function, store, 1));
    }
}

static bool counts_for_grid(const struct look *look, ir_value value)
{
    const struct model_op *model = facts_model(look->aliases->engine, look->id, value);
    return model->kind == MODEL_ATOMIC && model->dst != IR_NONE && !is_own(look, model->dst);
}

static struct made made_of(struct look *look, ir_value value);

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
            struct made given = made_of(&caller, ir_operand(caller.function, call, param));
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

static struct made made_of(struct look *look, ir_value value)
{
    struct made made = {.atomic = IR_NONE};
    ++look->search;
    arrsetlen(look->work, 0);
    add(look, value);
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
        } else if ((op->code == IR_CALL || op->code == IR_PTX) && counts_for_grid(look, at)) {
            made.atomic = at;
            continue;
        }
        add_parts(look, op);
    }
    return made;
}

// Whether it is made of the size of the grid, and is the same in all threads.
static bool is_size(const struct made *made)
{
    return made->atomic == IR_NONE && !made->foreign && made->blocks && !made->threads;
}

// The atomic operation that the condition compares with a number made of the grid's size.
static ir_value ticket_of(struct look *look, ir_value condition)
{
    ir_value *part = NULL, found = IR_NONE; // stb_ds array: comparisons in it
    ++look->search;
    arrsetlen(look->work, 0);
    add(look, condition);
    while (arrlen(look->work)) {
        ir_value at = arrpop(look->work);
        const struct ir_op *op = ir_op_at(look->function, at);
        if (op->code == IR_EQ || op->code == IR_NE)
            arrput(part, at);
        if (op->code != IR_CALL && op->code != IR_PTX)
            add_parts(look, op);
    }
    for (ptrdiff_t i = 0; i < arrlen(part) && found == IR_NONE; ++i) {
        const struct ir_op *op = ir_op_at(look->function, part[i]);
        struct made left = made_of(look, ir_operand(look->function, op, 0));
        struct made right = made_of(look, ir_operand(look->function, op, 1));
        if (left.atomic != IR_NONE && is_size(&right))
            found = left.atomic;
        else if (right.atomic != IR_NONE && is_size(&left))
            found = right.atomic;
    }
    arrfree(part);
    return found;
}

// The address at which the operation reads memory of the grid, or IR_NONE.
static ir_value read_at(const struct look *look, ir_value value)
{
    const struct ir_op *op = ir_op_at(look->function, value);
    if (op->code == IR_LOAD && !(op->flags & IR_ATOMIC))
        return ir_operand(look->function, op, 0);
    if (op->code == IR_COPY)
        return ir_operand(look->function, op, 1);
    // A load that a function spells, as __ldcg() does.
    if (op->code != IR_CALL || op->operand_count != 1 || counts_for_grid(look, value))
        return IR_NONE;
    return ir_operand(look->function, op, 0);
}

// The block of each operation, IR_NONE for what stands in none.
static ir_block_id *blocks_of(const struct look *look, struct arena *arena)
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

// What the other blocks write, for a read behind the ticket: a store or a copy before it to the
// same memory, at a place of a block of its own, which the read does not go by.
static ir_value write_before(struct look *look, const ir_block_id *block, ir_value ticket,
                             ir_value address)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    uint32_t class = alias_of(look->aliases, look->id, address);
    if (is_own(look, address))
        return IR_NONE;
    bool by_start =
        class == IR_NONE || look->aliases->class[class].local || starts_in_record(look, address);
    unsigned reads = made_of(look, address).block_of_some;
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        const struct ir_op *op = &look->function->op[i];
        if ((op->code != IR_STORE && op->code != IR_COPY) || op->flags & IR_ATOMIC ||
            block[i] == IR_NONE ||
            alias_of(look->aliases, look->id, ir_operand(look->function, op, 0)) != class ||
            (by_start && !start_alike(look, address, ir_operand(look->function, op, 0))))
            continue;
        bool before = block[i] == block[ticket]
                          ? (ir_value)i < ticket
                          : cfg->order_of[block[i]] < cfg->order_of[block[ticket]];
        if (before && made_of(look, ir_operand(look->function, op, 0)).block & ~reads)
            return (ir_value)i;
    }
    return IR_NONE;
}

// Whether all that may order writes stands where control comes through the arm alone.
static bool orders_behind(const struct look *look, ir_block_id arm, const ir_block_id *block)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    bool behind = true;
    for (ptrdiff_t i = 0; i < arrlen(look->orders); ++i) {
        ir_block_id at = block[look->orders[i]];
        behind &= at == IR_NONE || cfg_dominates(cfg, arm, at);
    }
    return behind;
}

// The branch at the end of the block, if it asks whether the block is the last.
static void look_at(struct look *look, ir_block_id at, const ir_block_id *block,
                    struct last_block *out)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    const struct ir_op *end = ir_terminator(look->function, at);
    if (!end || end->code != IR_CONDBR)
        return;
    ir_value ticket = ticket_of(look, ir_operand(look->function, end, 0));
    if (ticket == IR_NONE || block[ticket] == IR_NONE)
        return;
    for (int k = 0; k < 2; ++k) {
        ir_block_id arm = end->target[k];
        if (arm == cfg_join(cfg, at) || cfg->predecessor[arm].count != 1 ||
            !orders_behind(look, arm, block))
            continue;
        for (ptrdiff_t i = 0; i < arrlen(look->function->op) && out->ticket == IR_NONE; ++i) {
            if (block[i] == IR_NONE || !cfg_dominates(cfg, arm, block[i]))
                continue;
            ir_value address = read_at(look, (ir_value)i);
            ir_value write =
                address == IR_NONE ? IR_NONE : write_before(look, block, ticket, address);
            if (write != IR_NONE)
                *out = (struct last_block){look->id, ticket, write, (ir_value)i};
        }
    }
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

// Whether what the operation does may order writes for the device, as far as anybody knows.
static bool may_order(struct aliases *aliases, ir_function_id id, ir_value value)
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

// Whether nothing may order writes outside the function, of which those that may are given.
static bool orders_only_in(struct look *look)
{
    struct aliases *aliases = look->aliases;
    struct engine *engine = aliases->engine;
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i) {
        ir_function_id id = aliases->reached[i];
        for (ptrdiff_t op = 0; op < arrlen(engine->unit->function[id].op); ++op) {
            if (!may_order(aliases, id, (ir_value)op))
                continue;
            if (id != look->id)
                return false;
            arrput(look->orders, (ir_value)op);
        }
    }
    return true;
}

struct last_block last_block_find(struct aliases *aliases)
{
    struct last_block found = {.ticket = IR_NONE};
    struct engine *engine = aliases->engine;
    struct given *given = NULL;
    struct arena arena;
    arena_init(&arena);
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached) && found.ticket == IR_NONE; ++f) {
        ir_function_id id = aliases->reached[f];
        struct look look = {.aliases = aliases,
                            .id = id,
                            .function = &engine->unit->function[id],
                            .arena = &arena,
                            .given = &given};
        bool counts = false;
        for (ptrdiff_t i = 0; i < arrlen(look.function->op) && !counts; ++i) {
            enum ir_op_code code = (enum ir_op_code)look.function->op[i].code;
            counts = (code == IR_CALL || code == IR_PTX) && counts_for_grid(&look, (ir_value)i);
        }
        if (!counts || !orders_only_in(&look)) {
            arrfree(look.orders);
            continue;
        }
        look.seen = arena_array(&arena, uint32_t, arrlenu(look.function->op) + 1);
        const ir_block_id *block = blocks_of(&look, &arena);
        for (ptrdiff_t b = 0; b < arrlen(look.function->block) && found.ticket == IR_NONE; ++b) {
            if (cfg_reachable(facts_of(engine, id)->cfg, (ir_block_id)b))
                look_at(&look, (ir_block_id)b, block, &found);
        }
        arrfree(look.work);
        arrfree(look.orders);
    }
    hmfree(given);
    arena_release(&arena);
    return found;
}
