// Facts about functions that do not change from run to run: control flow, what each operation
// means, and what of it may touch a barrier.
#include <string.h>

#include "base/vec.h"
#include "engine/run.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

// Values of one block share their slots with those of another, unless other blocks use them.
static void find_slots(const struct ir_function *function, struct arena *arena,
                       struct function_facts *facts, const bool *across)
{
    size_t count = (size_t)arrlen(function->op);
    facts->slot = arena_array(arena, uint32_t, count + 1);
    uint32_t own = 1; // slot 0: of what yields nothing
    for (size_t i = 0; i < count; ++i) {
        if (facts_is_lazy(&function->op[i]))
            facts->slot[i] = facts->lazies++;
        else if (across[i])
            facts->slot[i] = own++;
    }
    facts->slots = own;
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        const struct ir_block *block = &function->block[b];
        uint32_t next = own;
        for (ptrdiff_t i = 0; i < arrlen(block->op); ++i) {
            ir_value value = block->op[i];
            const struct ir_op *op = ir_op_at(function, value);
            if (!across[value] && !facts_is_lazy(op) && op->type != IR_NONE)
                facts->slot[value] = next++;
        }
        facts->slots = next > facts->slots ? next : facts->slots;
    }
}

static void find_used_across(const struct ir_function *function, struct arena *arena,
                             struct function_facts *facts)
{
    size_t count = (size_t)arrlen(function->op);
    ir_block_id *home = arena_array(arena, ir_block_id, count);
    bool *known = arena_array(arena, bool, count + 1);
    facts->across = arena_array(arena, ir_value, count + 1);
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i)
            home[function->block[b].op[i]] = (ir_block_id)b;
    }
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            const struct ir_op *op = ir_op_at(function, function->block[b].op[i]);
            for (uint32_t k = 0; k < op->operand_count; ++k) {
                ir_value used = ir_operand(function, op, k);
                if (used == IR_NONE || home[used] == (ir_block_id)b || known[used])
                    continue;
                known[used] = true;
                if (facts_is_lazy(ir_op_at(function, used)))
                    continue;
                facts->across[facts->across_count++] = used;
            }
        }
    }
    find_slots(function, arena, facts, known);
}

const struct to_do *facts_list(const struct ir_function *function, const uint8_t *mode,
                               struct arena *arena)
{
    struct to_do *list = arena_array(arena, struct to_do, arrlenu(function->block) + 1);
    ir_value *next = arena_array(arena, ir_value, arrlenu(function->op) + 1);
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        const struct ir_block *block = &function->block[b];
        list[b].op = next;
        for (ptrdiff_t i = 0; i < arrlen(block->op); ++i) {
            ir_value value = block->op[i];
            if (!facts_is_lazy(&function->op[value]) && !(mode && !mode[value]))
                *next++ = value;
        }
        list[b].count = (uint32_t)(next - list[b].op);
    }
    return list;
}

// Whether control that enters the block can only abort the kernel.
bool facts_aborts(const struct ir_function *function, ir_block_id block)
{
    for (int i = 0; i < 4; ++i) {
        const struct ir_op *end = ir_terminator(function, block);
        if (!end)
            return false;
        if (end->code == IR_UNREACHABLE)
            return true;
        if (end->code != IR_BR)
            return false;
        block = end->target[0];
    }
    return false;
}

uint32_t facts_last_way(const struct ir_function *function, const struct ir_op *op)
{
    uint32_t last = op->case_count;
    for (uint32_t i = 0; i < op->case_count && facts_aborts(function, op->target[0]); ++i)
        if (!facts_aborts(function, function->cases[op->imm + i].target))
            last = i;
    return last;
}

ir_value facts_stored_back(const struct ir_function *function, ir_block_id block,
                           const struct ir_op *store)
{
    const uint32_t told = IR_VOLATILE | IR_ATOMIC;
    ir_value stored = ir_operand(function, store, 1);
    const struct ir_op *load = ir_op_at(function, stored);
    if (load->code != IR_LOAD || (load->flags | store->flags) & told)
        return IR_NONE;
    const ir_value *op = function->block[block].op;
    ptrdiff_t at = arrlen(op);
    while (at > 0 && ir_op_at(function, op[at - 1]) != store)
        --at;
    // Back to the load, with nothing on the way that could change the place.
    for (at -= 2; at >= 0 && op[at] != stored; --at) {
        uint16_t between = ir_op_at(function, op[at])->code;
        if (between == IR_STORE || between == IR_COPY || between == IR_ZERO || between == IR_CALL ||
            between == IR_CALLI || between == IR_PTX || between == IR_OPAQUE)
            return IR_NONE;
    }
    return at >= 0 ? ir_operand(function, load, 0) : IR_NONE;
}

ir_value facts_member_array(struct engine *engine, ir_function_id id, ir_value pointer)
{
    enum { DEEPEST = 8 };
    const struct ir_function *function = &engine->unit->function[id];
    const struct registers *registers = &facts_of(engine, id)->registers;
    const struct ir_type *type = engine->unit->type;
    for (int i = 0; i < DEEPEST && pointer != IR_NONE; ++i) {
        const struct ir_op *op = ir_op_at(function, pointer);
        if (!op)
            break;
        if (op->code == IR_OFFSET) {
            bool typed = op->type != IR_NONE && type[op->type].kind == IR_TYPE_POINTER;
            ir_type_id named = typed ? type[op->type].elem : IR_NONE;
            return named != IR_NONE && type[named].kind == IR_TYPE_ARRAY ? pointer : IR_NONE;
        }
        if (op->code == IR_CAST)
            pointer = ir_operand(function, op, 0);
        else if (op->code == IR_LOAD)
            pointer = registers->given[registers->of[pointer]];
        else
            break;
    }
    return IR_NONE;
}

// The variable that the value is loaded from, whole or converted; IR_NONE for any other value.
static uint32_t loaded_from(const struct ir_function *function, ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value);
    while (op->code == IR_CAST)
        op = ir_op_at(function, ir_operand(function, op, 0));
    if (op->code != IR_LOAD)
        return IR_NONE;
    const struct ir_op *address = ir_op_at(function, ir_operand(function, op, 0));
    return address->code == IR_LOCAL ? (uint32_t)address->imm : IR_NONE;
}

static bool takes_over(const struct ir_function *function, ir_block_id block, uint32_t variable,
                       uint32_t from)
{
    const struct ir_block *at = &function->block[block];
    for (ptrdiff_t i = 0; i < arrlen(at->op); ++i) {
        const struct ir_op *op = ir_op_at(function, at->op[i]);
        if (op->code != IR_STORE)
            continue;
        const struct ir_op *address = ir_op_at(function, ir_operand(function, op, 0));
        if (address->code == IR_LOCAL && (uint32_t)address->imm == variable &&
            loaded_from(function, ir_operand(function, op, 1)) == from)
            return true;
    }
    return false;
}

bool facts_asks_change(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    const struct ir_op *end = ir_terminator(function, block);
    uint32_t loop = cfg->loop_of[block];
    if (!end || end->code != IR_CONDBR || loop == IR_NONE)
        return false;
    const struct ir_op *asked = ir_op_at(function, ir_operand(function, end, 0));
    if (asked->code != IR_EQ && asked->code != IR_NE)
        return false;
    uint32_t one = loaded_from(function, ir_operand(function, asked, 0));
    uint32_t other = loaded_from(function, ir_operand(function, asked, 1));
    for (uint32_t i = 0; i < cfg->loop[loop].count && one != IR_NONE && other != IR_NONE; ++i) {
        ir_block_id at = cfg->loop_block[cfg->loop[loop].first + i];
        if (takes_over(function, at, one, other) || takes_over(function, at, other, one))
            return true;
    }
    return false;
}

// Leaves the ways out that abort the kernel, where another goes on. `calm` is a copy of the
// function that has its own operations and cases.
static void leave_aborting_out(const struct ir_function *function, struct ir_function *calm,
                               ir_value value)
{
    const struct ir_op *op = &function->op[value];
    if (op->code == IR_CONDBR) {
        bool first = facts_aborts(function, op->target[0]);
        if (first == facts_aborts(function, op->target[1]))
            return;
        calm->op[value].code = IR_BR;
        calm->op[value].target[0] = op->target[first ? 1 : 0];
        return;
    }
    uint32_t last = facts_last_way(function, op);
    ir_block_id way =
        last < op->case_count ? function->cases[op->imm + last].target : op->target[0];
    if (facts_aborts(function, op->target[0]))
        calm->op[value].target[0] = way;
    for (uint32_t i = 0; i < op->case_count; ++i)
        if (facts_aborts(function, function->cases[op->imm + i].target))
            calm->cases[op->imm + i].target = way;
}

// The function's control flow without the ways that abort the kernel: a check that fails ends
// everything, so threads do not part at it.
static struct cfg *checked_cfg(struct engine_unit *known, const struct ir_function *function)
{
    // All functions that are one block without a way back have the same, and they are most.
    const struct ir_op *end = arrlen(function->block) == 1 ? ir_terminator(function, 0) : NULL;
    bool straight = end && end->code != IR_BR && end->code != IR_CONDBR && end->code != IR_SWITCH;
    if (straight && known->straight)
        return known->straight;
    struct arena *arena = &known->arena;
    struct ir_function calm = *function;
    calm.op = NULL;
    calm.cases = NULL;
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        const struct ir_op *last = ir_terminator(function, (ir_block_id)b);
        if (!last || (last->code != IR_CONDBR && last->code != IR_SWITCH))
            continue;
        if (!calm.op) {
            arrsetlen(calm.op, arrlenu(function->op));
            memcpy(calm.op, function->op, arrlenu(function->op) * sizeof *calm.op);
            arrsetlen(calm.cases, arrlenu(function->cases));
            if (calm.cases)
                memcpy(calm.cases, function->cases, arrlenu(function->cases) * sizeof *calm.cases);
        }
        leave_aborting_out(function, &calm, (ir_value)(last - function->op));
    }
    struct cfg *cfg = arena_new(arena, struct cfg);
    cfg_build(cfg, calm.op ? &calm : function, arena);
    arrfree(calm.op);
    arrfree(calm.cases);
    if (straight)
        known->straight = cfg;
    return cfg;
}

struct engine_unit *engine_unit_new(const struct ir_unit *ir, const struct model *model)
{
    struct arena arena;
    arena_init(&arena);
    struct engine_unit *unit = arena_new(&arena, struct engine_unit);
    *unit = (struct engine_unit){.arena = arena, .ir = ir, .model = model, .sliced = IR_NONE};
    arena_init(&unit->slice_arena);
    arena_init(&unit->values);
    arena_init(&unit->runs);
    unit->facts = arena_array(&unit->arena, struct function_facts, arrlenu(ir->function) + 1);
    unit->named = arena_array(&unit->arena, bool, arrlenu(ir->function) + 1);
    unit->named_known = arena_array(&unit->arena, bool, arrlenu(ir->function) + 1);
    return unit;
}

void engine_unit_free(struct engine_unit *unit)
{
    if (!unit)
        return;
    arena_release(&unit->slice_arena);
    arena_release(&unit->values);
    arena_release(&unit->runs);
    arrfree(unit->in_slice);
    arrfree(unit->lively);
    hmfree(unit->decided);
    struct arena own = unit->arena; // the unit lies in it
    arena_release(&own);
}

const struct function_facts *facts_find(struct engine *engine, ir_function_id id)
{
    struct function_facts *facts = &engine->known->facts[id];
    struct arena *arena = &engine->known->arena;
    const struct ir_function *function = &engine->unit->function[id];
    size_t blocks = (size_t)arrlen(function->block), ops = (size_t)arrlen(function->op);
    facts->cfg = checked_cfg(engine->known, function);
    facts->region = arena_array(arena, uint8_t, blocks + 1);
    facts->region_known = arena_array(arena, bool, blocks + 1);
    facts->grid = arena_array(arena, bool, blocks + 1);
    facts->grid_known = arena_array(arena, bool, blocks + 1);
    facts->exits_alike = arena_array(arena, bool, facts->cfg->loop_count + 1);
    facts->exits_known = arena_array(arena, bool, facts->cfg->loop_count + 1);
    facts->likeness = arena_array(arena, uint64_t, facts->cfg->loop_count + 1);
    facts->model = arena_array(arena, const struct model_op *, ops + 1);
    find_used_across(function, arena, facts);
    registers_find(engine->unit, function, facts->cfg, &facts->registers, arena);
    return facts;
}

// Whether a row of the model is called as the function that the operation calls. Most functions
// have none, and are called often.
static bool may_match(struct engine *engine, const struct ir_op *op)
{
    if (op->code != IR_CALL || op->imm < 0 || op->imm >= arrlen(engine->unit->function))
        return op->code == IR_PTX;
    struct engine_unit *known = engine->known;
    if (!known->named_known[op->imm]) {
        known->named_known[op->imm] = true;
        known->named[op->imm] = model_names(engine->model, engine->unit->function[op->imm].lookup);
    }
    return known->named[op->imm];
}

const struct model_op *facts_model(struct engine *engine, ir_function_id id, ir_value op)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->model[op]) {
        static const struct model_op none = {.kind = MODEL_NONE};
        struct model_op found;
        facts->model[op] = &none;
        if (may_match(engine, &engine->unit->function[id].op[op]) &&
            model_match(engine->model, engine->unit, &engine->unit->function[id], op, &found)) {
            struct model_op *kept = arena_new(&engine->known->arena, struct model_op);
            *kept = found;
            facts->model[op] = kept;
        }
    }
    return facts->model[op];
}

bool facts_may_act(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    if (op->code != IR_CALL || facts_model(engine, id, value)->kind != MODEL_NONE)
        return false;
    uint32_t flags = engine->unit->function[op->imm].flags;
    return op->flags & IR_MAY_BARRIER ||
           (!(flags & (IR_FN_BODY | IR_FN_SYSTEM)) && flags & IR_FN_DEVICE);
}

// Whether the operation is all of a statement.
static bool is_statement(const struct ir_function *function, const struct ir_op *op)
{
    uint32_t at = ir_statement_at(function, &op->loc);
    return at != IR_NONE && memcmp(&function->statement[at].loc, &op->loc, sizeof op->loc) == 0;
}

// What operations of the function do with the value.
static struct value_uses uses_of(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &engine->unit->function[id];
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->uses) {
        size_t count = (size_t)arrlen(function->op);
        struct value_uses *uses = arena_array(&engine->known->arena, struct value_uses, count + 1);
        for (size_t i = 0; i < count; ++i) {
            for (uint32_t k = 0; k < function->op[i].operand_count; ++k) {
                ir_value used = ir_operand(function, &function->op[i], k);
                if (used == IR_NONE)
                    continue;
                uses[used].takes = true;
                uses[used].stores_to |= function->op[i].code == IR_STORE && k == 0;
            }
        }
        facts->uses = uses;
    }
    return facts->uses[value];
}

bool facts_stores_to(struct engine *engine, ir_function_id id, ir_value address)
{
    return uses_of(engine, id, address).stores_to;
}

bool facts_may_await(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    if ((op->code != IR_OPAQUE && op->code != IR_CALL) ||
        !(op->flags & IR_MAY_BARRIER || facts_may_meet(engine, id, value)))
        return false;
    // A template that nothing instantiates is full of values that nobody can read; what it calls
    // for no value, `Stage::wait();`, does something.
    if (op->type != IR_NONE && function->flags & IR_FN_PATTERN && !is_statement(function, op))
        return false;
    return op->type == IR_NONE || !uses_of(engine, id, value).takes;
}

bool facts_may_meet(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    if (!facts_may_act(engine, id, value))
        return false;
    const struct ir_function *callee = &engine->unit->function[op->imm];
    return op->flags & IR_MAY_BARRIER ||
           (op->type == IR_NONE && (arrlen(callee->param) == 0 || !callee->param[0].is_result));
}

// Operations that only yield values or touch plain memory.
static bool kind_is_plain(enum model_kind kind)
{
    switch (kind) {
    case MODEL_ADDRESS_SAME:
    case MODEL_ADDRESS_PEER:
    case MODEL_VALUE:
    case MODEL_MEMORY_SET:
    case MODEL_ATOMIC:
    case MODEL_NOTHING:
    case MODEL_TRAP:
    case MODEL_FENCE:
    case MODEL_ACTIVE_MASK:
    case MODEL_MBARRIER_HANDLE:
        return true;
    default:
        return false;
    }
}

static bool function_has_effect(struct engine *engine, ir_function_id id);

bool facts_op_effect(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    switch (op->code) {
    case IR_EXIT:
    case IR_LAUNCH:
        return true;
    case IR_OPAQUE:
        return op->flags & IR_MAY_BARRIER;
    case IR_PTX: {
        const struct model_op *model = facts_model(engine, id, value);
        return model->kind != MODEL_NONE && !kind_is_plain(model->kind);
    }
    case IR_CALL: {
        const struct model_op *model = facts_model(engine, id, value);
        if (model->kind != MODEL_NONE)
            return !kind_is_plain(model->kind);
        return function_has_effect(engine, (ir_function_id)op->imm);
    }
    default:
        return false;
    }
}

static bool function_has_effect(struct engine *engine, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    if (!(function->flags & IR_FN_BODY))
        return false; // an unknown function is taken to compute something
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (facts->effect_known)
        return facts->effect;
    facts->effect_known = true; // a recursive call adds nothing
    for (uint32_t i = 0; i < facts->cfg->order_count && !facts->effect; ++i) {
        const struct ir_block *block = &function->block[facts->cfg->order[i]];
        for (ptrdiff_t k = 0; k < arrlen(block->op) && !facts->effect; ++k)
            facts->effect = facts_op_effect(engine, id, block->op[k]);
    }
    return facts->effect;
}

bool facts_block_effect(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct ir_function *function = &engine->unit->function[id];
    for (ptrdiff_t k = 0; k < arrlen(function->block[block].op); ++k) {
        if (facts_op_effect(engine, id, function->block[block].op[k]))
            return true;
    }
    return false;
}

// --- Wrappers ----------------------------------------------------------------------------------

// Whether what is written at the address is a variable of the function itself, or the thing that a
// parameter points to, and not an element of some array.
static bool address_is_own(const struct ir_function *function, ir_value address)
{
    for (int i = 0; i < 16 && address != IR_NONE; ++i) {
        const struct ir_op *op = ir_op_at(function, address);
        switch (op->code) {
        case IR_LOCAL:
            return true;
        case IR_LOAD: {
            const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
            return from->code == IR_LOCAL;
        }
        case IR_INDEX: {
            const struct ir_op *base = ir_op_at(function, ir_operand(function, op, 0));
            const struct ir_op *index = ir_op_at(function, ir_operand(function, op, 1));
            if (index->code != IR_CONST && base->code != IR_LOCAL)
                return false;
            break;
        }
        case IR_OFFSET:
        case IR_CAST:
            break;
        default:
            return false;
        }
        address = ir_operand(function, op, 0);
    }
    return false;
}

// Whether the member function moves on a number that its object keeps, as phase ^= 1 does.
static bool is_step(const struct ir_function *function, const struct ir_op *store)
{
    const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
    const struct ir_op *number = ir_op_at(function, ir_operand(function, store, 1));
    if (store->code != IR_STORE || to->code != IR_OFFSET || number->operand_count != 2)
        return false;
    const struct ir_op *object = ir_op_at(function, ir_operand(function, to, 0));
    const struct ir_op *old = ir_op_at(function, ir_operand(function, number, 0));
    const struct ir_op *by = ir_op_at(function, ir_operand(function, number, 1));
    return object->code == IR_PARAM && old->code == IR_LOAD && by->code == IR_CONST &&
           ir_operand(function, old, 0) == ir_operand(function, store, 0);
}

enum wrapper_part {
    PART_NOTHING,
    PART_WAIT,
    PART_ELECT,
    PART_LANES,  // lanes tell each other something
    PART_ATOMIC, // how one thread tells others something
    PART_COMMIT, // of copies
    PART_OTHER,
    PART_CLUSTER_ARRIVE, // half of one barrier
    PART_CLUSTER_WAIT,   // the other half
    PART_READ,           // spelt in PTX
    PART_WRITE,
    PART_STEP,    // see is_step()
    PART_FOREIGN, // a write of what is not its own
    PARTS_,
};

// Whether the access is spelt in PTX: as st.release, or what makes an address of a register stands
// at the same place.
static bool is_spelt(const struct ir_function *function, const struct ir_op *op)
{
    if (op->flags & IR_RELEASE)
        return true;
    const struct ir_op *address = ir_op_at(function, ir_operand(function, op, 0));
    return address && address->code == IR_CAST &&
           memcmp(&address->loc, &op->loc, sizeof op->loc) == 0;
}

// What an operation adds to the purpose of a wrapper.
static enum wrapper_part wrapper_part_of(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    switch (op->code) {
    case IR_LOAD:
        return is_spelt(function, op) ? PART_READ : PART_NOTHING;
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
        if (is_spelt(function, op))
            return PART_WRITE;
        if (is_step(function, op))
            return PART_STEP;
        return address_is_own(function, ir_operand(function, op, 0)) ? PART_NOTHING : PART_FOREIGN;
    case IR_PTX:
    case IR_CALL: {
        const struct model_op *model = facts_model(engine, id, value);
        switch (model->kind) {
        case MODEL_MBARRIER_TEST:
        case MODEL_MBARRIER_WAIT:
            return PART_WAIT;
        case MODEL_WARP_ELECT:
            return PART_ELECT;
        case MODEL_WARP_SHUFFLE:
        case MODEL_WARP_VOTE:
            return PART_LANES;
        case MODEL_ATOMIC:
            return PART_ATOMIC;
        case MODEL_BULK_COMMIT:
        case MODEL_CP_ASYNC_COMMIT:
            return PART_COMMIT;
        case MODEL_CLUSTER_ARRIVE: // a relaxed one is the helper's own choice
            return model->flags & MODEL_RELAXED ? PART_OTHER : PART_CLUSTER_ARRIVE;
        case MODEL_CLUSTER_WAIT:
            return PART_CLUSTER_WAIT;
        default:
            break;
        }
        if (!facts_op_effect(engine, id, value))
            return PART_NOTHING;
        bool spells = op->code == IR_CALL && op->imm >= 0 &&
                      op->imm < arrlen(engine->unit->function) &&
                      facts_is_wrapper(engine, (ir_function_id)op->imm);
        const struct function_facts *callee =
            spells ? facts_of(engine, (ir_function_id)op->imm) : NULL;
        if (callee && callee->waits)
            return PART_WAIT;
        return callee && callee->half ? (enum wrapper_part)callee->half : PART_OTHER;
    }
    default:
        return facts_op_effect(engine, id, value) ? PART_OTHER : PART_NOTHING;
    }
}

// Whether the operation is a barrier of the block, or a call of what has one.
static bool syncs_block(struct engine *engine, ir_function_id id, ir_value value, int depth)
{
    enum { MOST_DEPTH = 6 };
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    if (op->code != IR_CALL && op->code != IR_PTX)
        return false;
    const struct model_op *model = facts_model(engine, id, value);
    if (model->kind != MODEL_NONE)
        return model->kind == MODEL_NAMED_SYNC || model->kind == MODEL_NAMED_RED;
    if (op->code != IR_CALL || depth == MOST_DEPTH || !facts_op_effect(engine, id, value))
        return false;
    const struct ir_function *callee = &engine->unit->function[op->imm];
    for (ptrdiff_t i = 0; i < arrlen(callee->op); ++i) {
        if (syncs_block(engine, (ir_function_id)op->imm, (ir_value)i, depth + 1))
            return true;
    }
    return false;
}

// Whether both are made in the same way of the same parameters and constants.
static bool is_spelt_alike(const struct ir_function *function, ir_value a, ir_value b, int depth)
{
    enum { MOST_DEPTH = 6 };
    const struct ir_op *one = ir_op_at(function, a), *other = ir_op_at(function, b);
    if (a == b)
        return true;
    if (!one || !other || depth == MOST_DEPTH || one->code != other->code ||
        one->imm != other->imm || one->operand_count != other->operand_count)
        return false;
    for (uint32_t i = 0; i < one->operand_count; ++i) {
        if (!is_spelt_alike(function, ir_operand(function, one, i), ir_operand(function, other, i),
                            depth + 1))
            return false;
    }
    return one->code != IR_CALL && one->code != IR_PTX;
}

// Notes a call that waits: whether it is for the mbarrier that those before it are for.
static bool waits_for_one(const struct ir_function *function, ir_value wait, ir_value *first)
{
    const struct ir_op *op = ir_op_at(function, wait);
    if (op->code != IR_CALL)
        return true;
    if (op->operand_count == 0)
        return false;
    if (*first == IR_NONE)
        *first = ir_operand(function, op, 0);
    return is_spelt_alike(function, ir_operand(function, op, 0), *first, 0);
}

bool facts_is_wrapper(struct engine *engine, ir_function_id id)
{
    const struct ir_function *function = &engine->unit->function[id];
    if (!(function->flags & IR_FN_BODY))
        return false;
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (facts->wrapper_known)
        return facts->wrapper;
    facts->wrapper_known = true;
    uint32_t count[PARTS_] = {0};
    bool repeats = false; // barriers of the block: an algorithm of its own
    bool straight = true, one = true;
    ir_value wait = IR_NONE;
    for (uint32_t i = 0; i < facts->cfg->order_count; ++i) {
        ir_block_id at = facts->cfg->order[i];
        const struct ir_block *block = &function->block[at];
        straight &= facts->cfg->successor[at].count <= 1;
        for (ptrdiff_t k = 0; k < arrlen(block->op); ++k) {
            enum wrapper_part part = wrapper_part_of(engine, id, block->op[k]);
            if (part == PART_FOREIGN || (part == PART_STEP && facts->cfg->loop_of[at] != IR_NONE))
                return false;
            ++count[part];
            one = one && (part != PART_WAIT || waits_for_one(function, block->op[k], &wait));
            repeats |= part == PART_OTHER && facts->cfg->loop_of[at] != IR_NONE &&
                       syncs_block(engine, id, block->op[k], 0);
        }
    }
    uint32_t halves = count[PART_CLUSTER_ARRIVE] + count[PART_CLUSTER_WAIT], beside = 0;
    for (int i = PART_NOTHING + 1; i < PART_READ; ++i)
        beside += count[i];
    // Nothing but one access, as ld.shared is spelt, and what makes it st.release.
    if (count[PART_WRITE] || beside == 0) {
        facts->wrapper = beside == 0 && straight && count[PART_WRITE] + count[PART_READ] == 1;
        return facts->wrapper;
    }
    if (halves == 1 && count[PART_OTHER] == 0)
        facts->half = count[PART_CLUSTER_WAIT] ? PART_CLUSTER_WAIT : PART_CLUSTER_ARRIVE;
    if (halves == 2 && count[PART_CLUSTER_WAIT] == 1)
        halves = 1; // that is one barrier
    uint32_t others = count[PART_OTHER] + halves;
    if (others != 1 || !straight) // else one copy that is a group of its own
        others += count[PART_COMMIT];
    if (others)
        facts->wrapper = others == 1 && !repeats && count[PART_WAIT] + count[PART_LANES] == 0;
    else
        facts->wrapper = (count[PART_WAIT] && one) || count[PART_ELECT] == 1 ||
                         (count[PART_ATOMIC] == 1 && count[PART_LANES] == 0);
    facts->waits = facts->wrapper && count[PART_WAIT] == beside;
    return facts->wrapper;
}

const struct ir_op *facts_root_of(const struct ir_function *function, ir_value address)
{
    const struct ir_op *op = ir_op_at(function, address);
    while (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST)
        op = ir_op_at(function, ir_operand(function, op, 0));
    return op;
}
