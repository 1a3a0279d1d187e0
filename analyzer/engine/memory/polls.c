// Whether a kernel polls: goes round a loop until what another thread writes lets it out. Only then
// do volatile accesses tell threads something; elsewhere they are accesses like others, which
// merely go to memory each time.
#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

struct search {
    struct engine *engine;
    ir_function_id function;
    ir_value wanted; // IR_NONE: whatever is volatile or atomic
    bool fences;     // the loop that is looked at has a fence in it
    bool meets;      // it has a barrier of the block in it
    bool together;   // it has one of the warp in it
    bool *seen;      // by operation
    bool *variable;  // by local of the function: what is stored in it has been put on the list
    ir_value *work;  // stb_ds array: operations still to be looked at
    const struct cfg *cfg;
    uint32_t loop; // that is looked at; NO_LOOP: all of a function that the loop calls
    int depth;     // of calls that lead to the function
};

enum { NO_LOOP = UINT32_MAX, MOST_CALLS = 8 };

// The blocks that are looked at, one after the other; returns IR_NONE behind the last.
static ir_block_id block_at(const struct search *search, uint32_t i)
{
    const struct cfg *cfg = search->cfg;
    if (search->loop == NO_LOOP) {
        const struct ir_function *function = &search->engine->unit->function[search->function];
        return i < arrlenu(function->block) ? (ir_block_id)i : (ir_block_id)IR_NONE;
    }
    const struct cfg_loop *loop = &cfg->loop[search->loop];
    return i < loop->count ? cfg->loop_block[loop->first + i] : (ir_block_id)IR_NONE;
}

static void search_add(struct search *search, ir_value value)
{
    if (value == IR_NONE || search->seen[value])
        return;
    search->seen[value] = true;
    arrput(search->work, value);
}

static bool is_atomic(struct engine *engine, ir_function_id id, ir_value value)
{
    enum ir_op_code code = (enum ir_op_code)engine->unit->function[id].op[value].code;
    return (code == IR_CALL || code == IR_PTX) &&
           facts_model(engine, id, value)->kind == MODEL_ATOMIC;
}

// Whether the call is one of a function without a body that is given an address.
static bool is_given_address(struct engine *engine, const struct ir_function *function,
                             const struct ir_op *call)
{
    const struct ir_unit *unit = engine->unit;
    bool given = false;
    for (uint32_t i = 0; i < call->operand_count; ++i) {
        ir_type_id type = ir_op_at(function, ir_operand(function, call, i))->type;
        given |= type != IR_NONE && unit->type[type].kind == IR_TYPE_POINTER;
    }
    return given && !(unit->function[call->imm].flags & IR_FN_BODY);
}

// Whether one of the operations is an atomic one or a volatile load, or one of those of a function
// that it calls: libraries spell such a load in many layers, of which the last may have no body.
static bool function_is_told(struct engine *engine, ir_function_id id, int depth)
{
    const struct ir_function *function = &engine->unit->function[id];
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if ((op->code == IR_LOAD && op->flags & (IR_VOLATILE | IR_ATOMIC)) ||
            is_atomic(engine, id, (ir_value)i))
            return true;
        bool library = engine->unit->file[function->loc.file].is_system;
        if (library && op->code == IR_CALL &&
            facts_model(engine, id, (ir_value)i)->kind == MODEL_NONE &&
            is_given_address(engine, function, op))
            return true;
        ir_function_id callee = op->code == IR_CALL && depth < MOST_CALLS && library
                                    ? alias_callee(engine, id, (ir_value)i)
                                    : IR_NONE;
        if (callee != IR_NONE && callee != id && function_is_told(engine, callee, depth + 1))
            return true;
    }
    return false;
}

// Whether the operation is given the variable's address, as assembly is for what it gives back.
static bool is_given_variable(const struct ir_function *function, const struct ir_op *op,
                              int64_t local)
{
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, i));
        if (to->code == IR_LOCAL && to->imm == local)
            return true;
    }
    return false;
}

// Adds what decides within what is looked at whether the operation is executed: `a && b` stores a
// constant where a branch on each of the two leads.
static void search_choice(struct search *search, ir_value store)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    const struct cfg *cfg = search->cfg;
    ir_block_id at = IR_NONE;
    ir_block_id block;
    for (uint32_t i = 0; at == IR_NONE && (block = block_at(search, i)) != IR_NONE; ++i) {
        const ir_value *op = function->block[block].op;
        for (ptrdiff_t k = 0; k < arrlen(op) && at == IR_NONE; ++k)
            at = op[k] == store ? block : at;
    }
    for (uint32_t i = 0; at != IR_NONE && (block = block_at(search, i)) != IR_NONE; ++i) {
        const struct ir_op *end = ir_terminator(function, block);
        bool leads = false;
        for (uint32_t k = 0; k < cfg->successor[block].count; ++k)
            leads |= cfg_post_dominates(cfg, at, cfg->successor[block].item[k]);
        if (end && (end->code == IR_CONDBR || end->code == IR_SWITCH) && leads &&
            !cfg_post_dominates(cfg, at, block))
            search_add(search, ir_operand(function, end, 0));
    }
}

// Adds what is stored in a variable of the function.
static void search_variable(struct search *search, int64_t local)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    if (search->variable[local])
        return;
    search->variable[local] = true;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (is_given_variable(function, op, local))
            search_add(search, (ir_value)i);
        if (op->code != IR_STORE)
            continue;
        const struct ir_op *to = ir_op_at(function, ir_operand(function, op, 0));
        if (to->code == IR_LOCAL && to->imm == local) {
            search_add(search, ir_operand(function, op, 1));
            if (function->local[local].name[0] == '\0') // what an operator makes
                search_choice(search, (ir_value)i);
        }
    }
}

// Whether the block is passed in each round of the loop that is looked at.
static bool is_in_each_round(const struct search *search, ir_block_id block)
{
    const struct cfg *cfg = search->cfg;
    if (search->loop == NO_LOOP)
        return false;
    const struct cfg_list *to_header = &cfg->predecessor[cfg->loop[search->loop].header];
    bool each = cfg_in_loop(cfg, search->loop, block);
    for (uint32_t i = 0; i < to_header->count && each; ++i)
        each = !cfg_in_loop(cfg, search->loop, to_header->item[i]) ||
               cfg_dominates(cfg, block, to_header->item[i]);
    return each;
}

// Whether each round of the loop stores in the variable what it makes of its content, as `++i`
// does.
static bool is_stepped(const struct search *search, int64_t local);

// Whether the value is made of a variable that each round changes, or of the content of `local`
// (-1: of none).
static bool is_made_of_step(const struct search *search, ir_value value, int64_t local, int depth)
{
    enum { MOST_DEPTH = 8 };
    const struct ir_function *function = &search->engine->unit->function[search->function];
    if (value == IR_NONE || depth > MOST_DEPTH)
        return false;
    const struct ir_op *op = ir_op_at(function, value);
    const struct ir_op *from =
        op->code == IR_LOAD ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
    if (from && from->code == IR_LOCAL)
        return local >= 0 ? from->imm == local : is_stepped(search, from->imm);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (is_made_of_step(search, ir_operand(function, op, i), local, depth + 1))
            return true;
    }
    return false;
}

static bool is_stepped(const struct search *search, int64_t local)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    ir_block_id block;
    for (uint32_t i = 0; (block = block_at(search, i)) != IR_NONE; ++i) {
        const ir_value *op = function->block[block].op;
        for (ptrdiff_t k = 0; k < arrlen(op); ++k) {
            const struct ir_op *store = ir_op_at(function, op[k]);
            if (store->code != IR_STORE)
                continue;
            const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
            if (to->code == IR_LOCAL && to->imm == local && is_in_each_round(search, block) &&
                is_made_of_step(search, ir_operand(function, store, 1), local, 0))
                return true;
        }
    }
    return false;
}

// The shared variable that the address lies in; NULL for other memory, and where a pointer leads.
static const struct ir_op *shared_at(const struct search *search, ir_value address)
{
    const struct ir_unit *unit = search->engine->unit;
    const struct ir_op *op = facts_root_of(&unit->function[search->function], address);
    bool shared = op->code == IR_GLOBAL && unit->global[op->imm].space == IR_SPACE_SHARED;
    return shared ? op : NULL;
}

// Whether the loop itself stores to the shared variable that the load reads: nobody waits there for
// what he brings about himself.
static bool loop_stores(const struct search *search, const struct ir_op *load)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    const struct ir_op *from = shared_at(search, ir_operand(function, load, 0));
    ir_block_id block;
    for (uint32_t i = 0; from && (block = block_at(search, i)) != IR_NONE; ++i) {
        const ir_value *op = function->block[block].op;
        for (ptrdiff_t k = 0; k < arrlen(op); ++k) {
            const struct ir_op *store = ir_op_at(function, op[k]);
            const struct ir_op *to =
                store->code == IR_STORE ? shared_at(search, ir_operand(function, store, 0)) : NULL;
            if (to && to->imm == from->imm)
                return true;
        }
    }
    return false;
}

static bool call_tells(struct search *search, const struct ir_op *call);

// Whether the operation itself yields what another thread may have written.
static bool tells(struct search *search, ir_value value)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    const struct ir_op *op = ir_op_at(function, value);
    if (op->code == IR_LOAD) {
        // Who meets the others in each round learns there what they have written.
        if ((search->meets || (search->together && loop_stores(search, op))) &&
            !(op->flags & IR_ATOMIC))
            return false;
        // Between fences a plain load goes to memory each time as well.
        return op->flags & (IR_VOLATILE | IR_ATOMIC) ||
               (search->fences &&
                ir_op_at(function, ir_operand(function, op, 0))->code != IR_LOCAL);
    }
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    const struct model_op *model = facts_model(search->engine, search->function, value);
    // Who asks another word in each round, as in a table of hashes, waits for none of them.
    if (model->kind != MODEL_NONE)
        return model->kind == MODEL_ATOMIC &&
               !is_made_of_step(search, ir_operand(function, op, 0), -1, 0);
    // Nobody knows what unknown PTX yields, or a function that is given an address and has no body.
    return op->code == IR_PTX || is_given_address(search->engine, function, op) ||
           call_tells(search, op);
}

// Whether the value comes from what is wanted: one load, or any that is volatile or atomic.
static bool is_told(struct search *search, ir_value start)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    search_add(search, start);
    while (arrlen(search->work)) {
        ir_value value = arrpop(search->work);
        const struct ir_op *op = ir_op_at(function, value);
        if (search->wanted == IR_NONE ? tells(search, value) : value == search->wanted)
            return true;
        if (op->code == IR_LOAD) {
            const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
            if (from->code == IR_LOCAL)
                search_variable(search, from->imm);
            continue;
        }
        for (uint32_t i = 0; i < op->operand_count; ++i)
            search_add(search, ir_operand(function, op, i));
    }
    return false;
}

static void search_begin(struct search *search, struct arena *arena, struct engine *engine,
                         ir_function_id id, ir_value wanted)
{
    const struct ir_function *function = &engine->unit->function[id];
    arena_init(arena);
    *search = (struct search){.engine = engine,
                              .function = id,
                              .wanted = wanted,
                              .cfg = facts_of(engine, id)->cfg,
                              .seen = arena_array(arena, bool, arrlenu(function->op) + 1),
                              .variable = arena_array(arena, bool, arrlenu(function->local) + 1)};
}

static void search_end(struct search *search, struct arena *arena)
{
    arrfree(search->work);
    arena_release(arena);
}

// Whether the call yields what another thread may have written: as its result, which its returns
// and the conditions on the way to them make, or in a variable whose address it is given, where any
// atomic operation of it counts.
static bool call_tells(struct search *search, const struct ir_op *call)
{
    struct engine *engine = search->engine;
    const struct ir_function *caller = &engine->unit->function[search->function];
    ir_function_id id = (ir_function_id)call->imm;
    if (!function_is_told(engine, id, 0))
        return false;
    for (uint32_t i = 0; i < call->operand_count; ++i) {
        if (facts_root_of(caller, ir_operand(caller, call, i))->code == IR_LOCAL)
            return true;
    }
    if (search->depth == MOST_CALLS)
        return true;
    struct arena arena;
    struct search within;
    search_begin(&within, &arena, engine, id, IR_NONE);
    within.loop = NO_LOOP;
    within.depth = search->depth + 1;
    within.meets = search->meets;
    const struct ir_function *function = &engine->unit->function[id];
    bool told = false;
    for (ptrdiff_t b = 0; b < arrlen(function->block) && !told; ++b) {
        const struct ir_op *end = ir_terminator(function, (ir_block_id)b);
        told = end && end->operand_count && is_told(&within, ir_operand(function, end, 0));
    }
    search_end(&within, &arena);
    return told;
}

static bool is_fence(const struct model_op *model)
{
    return model->kind == MODEL_FENCE;
}

static bool is_block_barrier(const struct model_op *model)
{
    return model->kind == MODEL_NAMED_SYNC ||
           (model->kind == MODEL_GROUP_SYNC && model->scope == MODEL_SCOPE_BLOCK);
}

static bool is_warp_barrier(const struct model_op *model)
{
    return model->kind == MODEL_WARP_SYNC ||
           (model->kind == MODEL_GROUP_SYNC &&
            (model->scope == MODEL_SCOPE_TILE || model->scope == MODEL_SCOPE_COALESCED ||
             model->scope == MODEL_SCOPE_WARP));
}

static bool loop_has(const struct search *search, const struct cfg *cfg, uint32_t loop,
                     bool (*is_wanted)(const struct model_op *))
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const struct ir_block *block = &function->block[cfg->loop_block[cfg->loop[loop].first + i]];
        for (ptrdiff_t k = 0; k < arrlen(block->op); ++k) {
            enum ir_op_code code = (enum ir_op_code)ir_op_at(function, block->op[k])->code;
            if ((code == IR_CALL || code == IR_PTX) &&
                is_wanted(facts_model(search->engine, search->function, block->op[k])))
                return true;
        }
    }
    return false;
}

// Whether what is wanted decides if a loop is left that `block` lies in, or any where it is
// IR_NONE.
static bool decides_loop(struct search *search, ir_block_id within)
{
    const struct ir_function *function = &search->engine->unit->function[search->function];
    const struct cfg *cfg = facts_of(search->engine, search->function)->cfg;
    for (uint32_t l = 0; l < cfg->loop_count; ++l) {
        search->loop = l;
        if (within != IR_NONE && !cfg_in_loop(cfg, l, within))
            continue;
        for (uint32_t i = 0; i < cfg->loop[l].count; ++i) {
            ir_block_id block = cfg->loop_block[cfg->loop[l].first + i];
            const struct ir_op *end = ir_terminator(function, block);
            if (!end || (end->code != IR_CONDBR && end->code != IR_SWITCH))
                continue;
            bool leaves = false;
            for (uint32_t k = 0; k < cfg->successor[block].count; ++k)
                leaves |= !cfg_in_loop(cfg, l, cfg->successor[block].item[k]);
            search->fences = leaves && loop_has(search, cfg, l, is_fence);
            search->meets = leaves && loop_has(search, cfg, l, is_block_barrier);
            search->together = leaves && loop_has(search, cfg, l, is_warp_barrier);
            if (leaves && is_told(search, ir_operand(function, end, 0)))
                return true;
        }
    }
    return cfg->irreducible;
}

static bool search_run(struct engine *engine, ir_function_id id, ir_value wanted,
                       ir_block_id within)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    if (cfg->loop_count == 0) // of nearly every function
        return cfg->irreducible;
    struct arena arena;
    struct search search;
    search_begin(&search, &arena, engine, id, wanted);
    bool found = decides_loop(&search, within);
    search_end(&search, &arena);
    return found;
}

bool polls_in(struct engine *engine, ir_function_id id)
{
    return search_run(engine, id, IR_NONE, IR_NONE);
}

bool polls_with(struct engine *engine, ir_function_id id, ir_block_id block, ir_value load)
{
    return search_run(engine, id, load, block);
}
