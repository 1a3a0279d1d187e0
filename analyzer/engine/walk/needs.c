// What an operation of the slice needs: values that it reads, and kinds of data in the memory
// behind them; and how it is executed for that.
#include "engine/walk/needs.h"
#include "engine/walk/facts.h"

// --- Needs ------------------------------------------------------------------------------------

void slice_need(struct slice *slice, ir_function_id id, ir_value value)
{
    if (value == IR_NONE || slice->function[id].needed[value])
        return;
    slice->function[id].needed[value] = true;
    slice->changed = true;
}

void slice_need_operands(struct slice *slice, ir_function_id id, const struct ir_op *op)
{
    for (uint32_t i = 0; i < op->operand_count; ++i)
        slice_need(slice, id, ir_operand(&slice->unit->function[id], op, i));
}

void slice_need_data(struct slice *slice, uint32_t class, unsigned kinds)
{
    // The same memory may be reached through a pointer of a peer.
    for (int i = 0; i < 2; ++i, class = slice->aliases.class[class].peer) {
        class = alias_find(&slice->aliases, class);
        if (class == IR_NONE)
            return;
        struct alias_class *at = &slice->aliases.class[class];
        if ((at->needed & kinds) == kinds)
            continue;
        at->needed |= (uint8_t)kinds;
        for (ptrdiff_t k = 0; k < arrlen(at->user); ++k)
            slice->function[at->user[k]].stale = true;
    }
}

unsigned slice_needed_of(struct slice *slice, ir_function_id id, ir_value address)
{
    uint32_t class = alias_of(&slice->aliases, id, address);
    return class == IR_NONE ? DATA_ALL : alias_needed(&slice->aliases, class);
}

void slice_set_mode(struct slice *slice, ir_function_id id, ir_value value, enum op_mode mode)
{
    uint8_t *at = &slice->function[id].mode[value];
    if (*at >= mode)
        return;
    *at = (uint8_t)mode;
    slice->changed = true;
}

// What is left of an access whose data do not matter.
enum op_mode slice_access_mode(struct slice *slice, ir_function_id id, ir_value address,
                               bool writes)
{
    uint32_t class = alias_of(&slice->aliases, id, address);
    if (class == IR_NONE)
        return OP_SKIP;
    const struct alias_class *at = &slice->aliases.class[class];
    if (at->shared || at->open || (writes && at->copied && !at->local))
        return OP_PROBE;
    const struct engine_unit *known = slice->engine->known;
    bool told = known->announces && writes && !at->local && (at->read || !known->reads_back);
    return told ? OP_TOUCH : OP_SKIP;
}

// --- Kinds of operations
// -------------------------------------------------------------------------------

static void slice_access(struct slice *slice, ir_function_id id, ir_value value, ir_value address,
                         bool writes)
{
    enum op_mode mode = slice_access_mode(slice, id, address, writes);
    slice_set_mode(slice, id, value, mode);
    if (mode == OP_PROBE)
        slice_need(slice, id, address);
}

static bool is_unread(const struct slice *slice, ir_function_id id, ir_value value)
{
    return slice->function[id].unread && slice->function[id].unread[value];
}

void slice_load(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op)
{
    const struct ir_function *function = &slice->unit->function[id];
    ir_value address = ir_operand(function, op, 0);
    unsigned kinds = data_kinds(slice->unit, op->type);
    if (kinds != DATA_FLOAT && is_in_union(slice->unit, function, address))
        kinds |= DATA_WORD | DATA_SMALL; // fields of a word, or a word of them
    if (!slice->function[id].needed[value]) {
        if (!is_unread(slice, id, value))
            slice_access(slice, id, value, address, false);
        return;
    }
    slice_set_mode(slice, id, value, OP_KEEP);
    slice_need(slice, id, address);
    slice_need_data(slice, alias_of(&slice->aliases, id, address), kinds);
}

void slice_store(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op)
{
    const struct ir_function *function = &slice->unit->function[id];
    ir_value address = ir_operand(function, op, 0);
    unsigned kinds =
        op->code == IR_STORE
            ? data_kinds(slice->unit, ir_op_at(function, ir_operand(function, op, 1))->type)
            : pointee_kinds(slice->unit, function, address);
    unsigned asked = slice_needed_of(slice, id, address);
    if (!(asked & kinds) && !(op->code == IR_ZERO && asked)) {
        slice_access(slice, id, value, address, true);
        if (op->code == IR_COPY && !is_unread(slice, id, value))
            slice_access(slice, id, value, ir_operand(function, op, 1), false);
        return;
    }
    slice_set_mode(slice, id, value, OP_KEEP);
    slice_need_operands(slice, id, op);
    if (op->code == IR_COPY)
        slice_need_data(slice, alias_of(&slice->aliases, id, ir_operand(function, op, 1)), asked);
}

void slice_call(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op,
                ir_function_id callee)
{
    const struct ir_function *function = &slice->unit->function[id];
    struct slice_function *to = &slice->function[callee];
    bool wanted = slice->function[id].needed[value];
    if (wanted && !to->result_needed) {
        to->result_needed = true;
        to->stale = true;
    }
    if (wanted || to->does != OP_SKIP || to->fills_any)
        slice_set_mode(slice, id, value,
                       to->does == OP_TOUCH && !wanted && !to->fills_any ? OP_TOUCH : OP_KEEP);
    if (slice->unit->function[callee].flags & IR_FN_NORETURN)
        slice_set_mode(slice, id, value, OP_KEEP);
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if ((ptrdiff_t)i >= arrlen(slice->unit->function[callee].param) || to->param_needed[i])
            slice_need(slice, id, ir_operand(function, op, i));
    }
}

// An operation nobody follows matters by what it yields and what it may write. A function that is
// given shared memory may tell other threads something by it.
void slice_unknown(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op)
{
    const struct ir_function *function = &slice->unit->function[id];
    bool wanted = slice->function[id].needed[value] || op->flags & IR_MAY_BARRIER ||
                  facts_may_meet(slice->engine, id, value);
    uint32_t outputs = op->code == IR_PTX ? (uint32_t)op->imm : op->operand_count;
    for (uint32_t i = 0; i < outputs && i < op->operand_count && !wanted; ++i) {
        uint32_t class = alias_of(&slice->aliases, id, ir_operand(function, op, i));
        wanted = class != IR_NONE && (slice->aliases.class[class].needed ||
                                      (op->code == IR_CALL && slice->aliases.class[class].shared));
    }
    if (!wanted)
        return;
    slice_set_mode(slice, id, value, OP_KEEP);
    slice_need_operands(slice, id, op);
    // What nothing declares takes its arguments by reference: addresses lie in temporaries.
    for (uint32_t i = 0; op->flags & IR_MAY_BARRIER && i < op->operand_count; ++i) {
        ir_value operand = ir_operand(function, op, i);
        const struct ir_op *temporary = ir_op_at(function, operand);
        if (temporary->code != IR_LOCAL)
            continue;
        ir_type_id type = function->local[temporary->imm].type;
        if (type != IR_NONE && slice->unit->type[type].kind == IR_TYPE_POINTER)
            slice_need_data(slice, alias_of(&slice->aliases, id, operand), DATA_WORD);
    }
}

// The operand, and what lies behind it where it is given by address.
static void need_field(struct slice *slice, ir_function_id id, const struct model_op *model,
                       const ir_value *field)
{
    if (*field == IR_NONE)
        return;
    slice_need(slice, id, *field);
    if (model_is_indirect(model, field))
        slice_need_data(slice, alias_of(&slice->aliases, id, *field), DATA_ALL);
}

// What a barrier operation reads and where it writes. The data it moves matter only where its
// result does.
static void need_fields(struct slice *slice, ir_function_id id, const struct model_op *model,
                        bool with_data)
{
    const ir_value *field[] = {&model->object,
                               &model->state,
                               &model->group,
                               &model->count,
                               &model->id,
                               &model->mask,
                               &model->parity,
                               &model->token,
                               &model->bytes,
                               &model->lane,
                               &model->width,
                               &model->rank,
                               &model->prior,
                               &model->dst,
                               &model->src,
                               &model->result,
                               &model->result_predicate,
                               &model->token_result,
                               &model->multicast_mask};
    for (size_t i = 0; i < sizeof field / sizeof field[0]; ++i)
        need_field(slice, id, model, field[i]);
    // What a group made at run time is, stands in its object.
    bool at_run_time = model->scope == MODEL_SCOPE_COALESCED ||
                       (model->scope == MODEL_SCOPE_TILE && model->tile_size == 0);
    if (at_run_time && model->group != IR_NONE)
        slice_need_data(slice, alias_of(&slice->aliases, id, model->group), DATA_ALL);
    if (model->flags & MODEL_TOKEN_BY_ADDRESS)
        slice_need_data(slice, alias_of(&slice->aliases, id, model->token), DATA_ALL);
    if (!with_data)
        return;
    need_field(slice, id, model, &model->value);
    need_field(slice, id, model, &model->predicate);
    for (uint32_t i = 0; i < MODEL_ARGUMENTS; ++i)
        need_field(slice, id, model, &model->argument[i]);
}

// Destinations of PTX that no field names become unknown.
static void need_outputs(struct slice *slice, ir_function_id id, const struct ir_op *op)
{
    for (uint32_t i = 0; op->code == IR_PTX && i < op->operand_count && (int64_t)i < op->imm; ++i) {
        ir_value output = ir_operand(&slice->unit->function[id], op, i);
        if (slice_needed_of(slice, id, output))
            slice_need(slice, id, output);
    }
}

// Whether all that matters about the operation is who executes it, and which rows of a matrix it
// goes to.
static bool is_aligned_only(struct slice *slice, ir_function_id id, const struct ir_op *op,
                            const struct model_op *model)
{
    if ((model->kind != MODEL_WARPGROUP && model->kind != MODEL_WARP_ALIGNED) ||
        (op->code != IR_PTX && !model->matrix.rows) ||
        (model->dst != IR_NONE && !model->matrix.rows))
        return false;
    if (op->code == IR_CALL)
        return true;
    const struct ir_function *function = &slice->unit->function[id];
    for (uint32_t i = 0; i < op->operand_count && (int64_t)i < op->imm; ++i) {
        ir_value output = ir_operand(function, op, i);
        if (slice_needed_of(slice, id, output) & pointee_kinds(slice->unit, function, output))
            return false;
    }
    return true;
}

// Where a matrix lies in memory that the engine follows accesses to.
static void need_matrix(struct slice *slice, ir_function_id id, const struct model_op *model)
{
    ir_value address = model->src != IR_NONE ? model->src : model->dst;
    if (!model->matrix.rows || address == IR_NONE ||
        slice_access_mode(slice, id, address, model->dst != IR_NONE) != OP_PROBE)
        return;
    slice_need(slice, id, address);
    need_field(slice, id, model, &model->width);
}

// Where a value lies that an operation takes by reference, in memory that the engine follows
// accesses to.
static void need_place(struct slice *slice, ir_function_id id, const struct model_op *model)
{
    if (model->kind == MODEL_GROUP_COLLECTIVE && model->value != IR_NONE &&
        model_is_indirect(model, &model->value) &&
        slice_access_mode(slice, id, model->value, false) == OP_PROBE)
        slice_need(slice, id, model->value);
}

// Which shared memory a multiplication of matrices reads.
static void need_descriptors(struct slice *slice, ir_function_id id, const struct model_op *model)
{
    for (uint32_t i = 0; model_multiplies(model) && i < 2; ++i)
        slice_need(slice, id, model->argument[i]);
}

// Whether somebody needs what the operation yields, as a value or at the addresses it writes.
static bool result_needed(struct slice *slice, ir_function_id id, ir_value value,
                          const struct model_op *model)
{
    const ir_value address[] = {model->result, model->result_predicate, model->token_result};
    if (slice->function[id].needed[value])
        return true;
    for (size_t i = 0; i < sizeof address / sizeof address[0]; ++i) {
        if (address[i] != IR_NONE && slice_needed_of(slice, id, address[i]))
            return true;
    }
    return false;
}

void slice_model(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op,
                 const struct model_op *model)
{
    bool wanted = result_needed(slice, id, value, model);
    uint32_t target = IR_NONE; // the class of what it writes beside its results
    unsigned kinds = DATA_ALL;
    switch (model->kind) {
    case MODEL_NOTHING:
        if (model_multiplies(model)) {
            slice_set_mode(slice, id, value, OP_ALIGN);
            need_descriptors(slice, id, model);
        }
        return;
    case MODEL_ADDRESS_SAME:
    case MODEL_ADDRESS_PEER:
    case MODEL_MBARRIER_HANDLE:
        break;
    case MODEL_VALUE:
        if (model->value_op == MODEL_VALUE_LDG && wanted)
            slice_need_data(slice, alias_of(&slice->aliases, id, model->argument[0]), DATA_ALL);
        if (model->value_op == MODEL_VALUE_STG)
            target = model->argument[0];
        break;
    case MODEL_ATOMIC:
        target = model->dst;
        if (op->type != IR_NONE)
            kinds = data_kinds(slice->unit, op->type);
        if (wanted)
            slice_need_data(slice, alias_of(&slice->aliases, id, target), kinds);
        break;
    case MODEL_MEMORY_SET:
        target = model->dst;
        if (model->src != IR_NONE && target != IR_NONE)
            slice_need_data(slice, alias_of(&slice->aliases, id, model->src),
                            slice_needed_of(slice, id, target));
        break;
    default:
        if (!wanted && is_aligned_only(slice, id, op, model)) {
            slice_set_mode(slice, id, value, OP_ALIGN);
            need_matrix(slice, id, model);
            need_descriptors(slice, id, model);
            need_field(slice, id, model, &model->prior); // how many groups stay open
            return;
        }
        slice_set_mode(slice, id, value, OP_KEEP);
        need_fields(slice, id, model,
                    wanted || model->kind == MODEL_PIPELINE_MAKE || model->kind == MODEL_CP_ASYNC);
        need_place(slice, id, model);
        need_outputs(slice, id, op);
        return;
    }
    if (target != IR_NONE) {
        wanted |= (slice_needed_of(slice, id, target) & kinds) != 0;
        // Data in shared memory may lie where a barrier does.
        enum op_mode mode = slice_access_mode(slice, id, target, true);
        wanted |= mode == OP_PROBE;
        if (!wanted)
            slice_set_mode(slice, id, value, mode);
    }
    if (!wanted)
        return;
    slice_set_mode(slice, id, value, OP_KEEP);
    slice_need_operands(slice, id, op);
    need_fields(slice, id, model, true);
}

// What is called through an address is one of the functions whose address is taken, nobody knows
// which: it is given what one of them with so many parameters needs.
void slice_indirect(struct slice *slice, ir_function_id id, ir_value value, const struct ir_op *op)
{
    const struct ir_function *function = &slice->unit->function[id];
    uint32_t arguments = op->operand_count - 1, fitting = 0;
    slice_set_mode(slice, id, value, OP_KEEP);
    for (ptrdiff_t i = 0; i < arrlen(slice->aliases.taken); ++i) {
        ir_function_id callee = slice->aliases.taken[i];
        struct slice_function *to = &slice->function[callee];
        if (arrlen(slice->unit->function[callee].param) != (ptrdiff_t)arguments)
            continue;
        ++fitting;
        for (uint32_t k = 0; k < arguments; ++k) {
            if (to->param_needed[k])
                slice_need(slice, id, ir_operand(function, op, k + 1));
        }
        to->stale |= slice->function[id].needed[value] && !to->result_needed;
        to->result_needed |= slice->function[id].needed[value];
    }
    if (fitting)
        slice_need(slice, id, ir_operand(function, op, 0));
    else
        slice_need_operands(slice, id, op);
}
