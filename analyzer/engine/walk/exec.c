// Execution of single operations by a group.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/walk/accesses.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum {
    MAX_CALL_DEPTH = 64,
    NODES_A_STEP = 2,  // new nodes that an operation makes count as another operation
    PIECES_A_STEP = 8, // the same of pieces of values that it looks at
    LIGHT_A_STEP = 4,  // operations on numbers that make nothing new count as one
};

// --- Addresses -------------------------------------------------------------------------------

static const struct node *local_address(struct run *run, struct group *group, int64_t index)
{
    struct frame *frame = group->frame;
    if (!frame->local[index]) {
        const struct ir_local *local = &run->engine->unit->function[frame->function].local[index];
        frame->local[index] =
            object_new(run, OBJECT_LOCAL, IR_SPACE_GLOBAL, local->type, local->name, local->loc, 0);
    }
    return node_address(run->nodes, frame->local[index], run->nodes->zero, NULL);
}

// The record that the kernel casts the array of bytes to, `*reinterpret_cast<storage *>(raw)`;
// IR_NONE where it does not, or to several.
static ir_type_id view_of(const struct run *run, ir_global_id index)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_type *type = &unit->type[unit->global[index].type];
    const struct ir_function *kernel = &unit->function[run->engine->kernel];
    ir_type_id view = IR_NONE;
    if (type->kind != IR_TYPE_ARRAY || unit->type[type->elem].size != 1)
        return IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(kernel->op); ++i) {
        const struct ir_op *op = &kernel->op[i];
        if (op->code != IR_CAST || op->type == IR_NONE ||
            unit->type[op->type].kind != IR_TYPE_POINTER)
            continue;
        const struct ir_op *from = ir_op_at(kernel, ir_operand(kernel, op, 0));
        ir_type_id to = unit->type[op->type].elem;
        if (from->code != IR_GLOBAL || from->imm != (int64_t)index || to == IR_NONE ||
            unit->type[to].kind != IR_TYPE_RECORD)
            continue;
        if (view != IR_NONE && view != to)
            return IR_NONE;
        view = to;
    }
    return view;
}

static const struct node *global_address(struct run *run, ir_global_id index)
{
    const struct ir_global *global = &run->engine->unit->global[index];
    uint32_t *slot = &run->global_object[index];
    bool dynamic = global->space == IR_SPACE_SHARED_DYNAMIC;
    if (dynamic) {
        // Every `extern __shared__` array of a kernel is the same memory.
        slot = &run->dynamic_object;
    }
    if (!*slot) {
        enum object_kind kind =
            dynamic || global->space == IR_SPACE_SHARED ? OBJECT_SHARED : OBJECT_GLOBAL;
        *slot = object_new(run, kind, global->space, global->type, global->name, global->loc,
                           global->align);
        if (kind == OBJECT_SHARED && global->type != IR_NONE)
            run->object[*slot].view = view_of(run, index);
        // A constant of a function's own without a value is what whoever instantiates it chooses.
        if (global->space == IR_SPACE_CONSTANT && global->owner != IR_NONE && !global->has_value)
            run->object[*slot].parameter = NODE_PARAMETER_TAG + index;
        // Read by reference; elsewhere the lowering has put the number in its place.
        if (global->has_value && kind == OBJECT_GLOBAL)
            run->object[*slot].number = node_const(run->nodes, global->value);
    }
    if (dynamic && global->align > run->object[*slot].align)
        run->object[*slot].align = global->align;
    return node_address(run->nodes, *slot, run->nodes->zero, NULL);
}

static const struct node *index_address(struct run *run, const struct node *base,
                                        const struct node *index, int64_t size)
{
    const struct node *bytes =
        node_binary(run->nodes, IR_MUL, 64, true, index, node_const(run->nodes, size));
    return node_binary(run->nodes, IR_ADD, 64, true, base, bytes);
}

// --- Calls -----------------------------------------------------------------------------------

// Whether other threads see what lies at the address, in some lane.
static bool is_seen_by_others(const struct run *run, const struct node *address)
{
    if (address->kind == NODE_ADDRESS)
        return run->object[address->address.object].kind != OBJECT_LOCAL;
    for (uint32_t i = 0; address->kind == NODE_PIECES && i < address->pieces.count; ++i) {
        if (is_seen_by_others(run, address->pieces.piece[i].value))
            return true;
    }
    return false;
}

// The threads pass what nobody can read, and what may be a barrier, or a wait for copies.
static void pass_unread(struct run *run, const struct group *group, ir_value value)
{
    orders_doubt(run, group->mask);
    if (facts_may_await(run->engine, group->frame->function, value))
        copies_unread(run, group->mask);
    run->machines->peers_unread = true;
}

// Whether it is an address in some thread.
static bool holds_address(const struct node *node)
{
    bool found = node->kind == NODE_ADDRESS;
    for (uint32_t i = 0; node->kind == NODE_PIECES && i < node->pieces.count && !found; ++i)
        found = holds_address(node->pieces.piece[i].value);
    return found;
}

// A call nobody can follow: it may write what its arguments point to, and its value is unknown. By
// what others see of that, it may be how threads tell each other something, as the members of
// cuda::atomic are.
static void unknown_call(struct run *run, struct group *group, const struct ir_op *op,
                         ir_value value, uint32_t first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    bool acts = facts_may_act(run->engine, group->frame->function, value);
    bool scalars = op->operand_count > first;
    const struct node *sum = run->nodes->zero;
    bool tells = false;
    for (uint32_t i = first; i < op->operand_count; ++i) {
        const struct node *argument = group_get(run, group, ir_operand(function, op, i));
        bool address = holds_address(argument);
        if (address && acts)
            mbarriers_hand(run, argument);
        if (address)
            memory_forget(run, group->mask, argument);
        scalars &= !address;
        tells |= is_seen_by_others(run, argument);
        if (!address)
            sum = node_expr(run->nodes, NODE_OP_CALL, 0, op->imm, argument, sum, NULL);
    }
    if (scalars && op->type != IR_NONE) {
        // Given numbers only, it is taken to compute one from them.
        group_set(run, group, value, sum);
        return;
    }
    if (tells) {
        orders_tell(run, group->mask);
        orders_ask(run, group->mask);
    }
    if (facts_may_meet(run->engine, group->frame->function, value))
        pass_unread(run, group, value);
    ++run->engine->result->statistics.unknown_operations;
    if (op->type != IR_NONE)
        group_set(run, group, value,
                  run_fresh(run, "the result of a call", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
}

// Whether the host is in too much of a hurry to follow the function.
static bool is_passed(const struct engine *engine, ir_function_id callee)
{
    return engine->host && engine->calls->passed && engine->calls->passed[callee];
}

static void call_function(struct run *run, struct group *group, const struct ir_op *op,
                          ir_value value, ir_function_id callee, uint32_t first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    const struct ir_function *target = &run->engine->unit->function[callee];
    if (target->flags & IR_FN_KERNEL)
        return; // launched from the device: a grid of its own
    if (!(target->flags & IR_FN_BODY) || group->frame->depth >= MAX_CALL_DEPTH ||
        is_passed(run->engine, callee)) {
        if (tensor_encode(run, group, op, value, first))
            return;
        host_called(run, target);
        unknown_call(run, group, op, value, first);
        return;
    }
    uint32_t count = op->operand_count - first;
    const struct node *few[16], **argument = few;
    if (count > sizeof few / sizeof *few)
        argument = arena_array(&run->arena, const struct node *, count);
    for (uint32_t i = 0; i < count; ++i)
        argument[i] = group_get(run, group, ir_operand(function, op, first + i));
    frame_push(run, group, callee, value, argument, count);
}

// --- Operations ------------------------------------------------------------------------------

// A floating value is what it is unless it is no number.
static const struct node *compare_with_itself(struct node_pool *pool, enum ir_op_code code,
                                              const struct node *value)
{
    enum { NOT_A_NUMBER = 0x6e616e };
    if (code == IR_LT || code == IR_GT)
        return pool->zero;
    const struct node *odd = node_expr(pool, NODE_OP_CALL, 1, NOT_A_NUMBER, value, NULL, NULL);
    return code == IR_NE ? odd : node_not(pool, odd);
}

// Floating values are no sizes, and their differences no sums of numbers: both orders of a
// comparison ask one expression whether it is above zero.
static const struct node *compare_floats(struct node_pool *pool, enum ir_op_code code,
                                         const struct node *a, const struct node *b)
{
    const struct node *known = node_real_compare(pool, code, a, b);
    if (known)
        return known;
    if (a == b && !node_known(a))
        return compare_with_itself(pool, code, a);
    if (a->kind == NODE_PIECES || b->kind == NODE_PIECES || (node_known(a) && node_known(b)))
        return node_binary(pool, code, 64, true, a, b);
    if (a->id < b->id)
        return node_binary(pool, code, 64, true, node_expr(pool, IR_SUB, 0, 0, a, b, NULL),
                           pool->zero);
    return node_binary(pool, code, 64, true, pool->zero, node_expr(pool, IR_SUB, 0, 0, b, a, NULL));
}

// Code that rounds an address to an alignment promises that of the memory, whatever its declaration
// does: (p + 127) & ~127, or (p + 127) / 128 * 128.
static void note_rounding(struct run *run, const struct ir_op *op, const struct node *a,
                          const struct node *b, const struct node *result)
{
    if (result->kind != NODE_ADDRESS || a->kind == b->kind)
        return;
    const struct node *number = b->kind == NODE_CONST ? b : a;
    bool rounds = op->code == IR_AND || op->code == IR_MUL || op->code == IR_SHL;
    if (!rounds || number->kind != NODE_CONST || number->value == 0)
        return;
    bool shifts = op->code == IR_SHL && number->value < 16;
    int64_t align = shifts ? INT64_C(1) << number->value : number->value & -number->value;
    struct object *object = &run->object[result->address.object];
    if (object->align < (uint64_t)align)
        object->align = (uint64_t)align;
}

// A comparison of values of the type.
static const struct node *compare(struct node_pool *pool, enum ir_op_code code,
                                  const struct ir_type *type, uint32_t bits, const struct node *a,
                                  const struct node *b)
{
    if (type->kind == IR_TYPE_FLOAT)
        return compare_floats(pool, code, a, b);
    bool is_signed = type->kind != IR_TYPE_INT || type->is_signed;
    return node_binary(pool, code, type->bits ? type->bits : bits, is_signed, a, b);
}

// A choice between two values. Where it asks which of them is the larger one, it does not matter
// which comes first. (A cast to fewer bits within the question is not seen.)
static const struct node *choose(struct run *run, struct group *group, const struct ir_op *op)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    ir_value by = ir_operand(function, op, 0);
    const struct ir_op *asked = ir_op_at(function, by);
    const struct node *condition = group_get(run, group, by);
    const struct node *a = group_get(run, group, ir_operand(function, op, 1));
    const struct node *b = group_get(run, group, ir_operand(function, op, 2));
    const struct node *result = node_select(run->nodes, resolve(run, condition), a, b);
    if (asked->code < IR_LT || asked->code > IR_GE ||
        !(node_is_exchanged(a) || node_is_exchanged(b)))
        return result;
    ir_type_id id = ir_op_at(function, ir_operand(function, asked, 0))->type;
    const struct ir_type *type = id == IR_NONE ? NULL : &run->engine->unit->type[id];
    const struct ir_type *own = op->type == IR_NONE ? NULL : &run->engine->unit->type[op->type];
    bool whole = type && own && type->kind == own->kind && type->bits == own->bits;
    bool by_size = whole && (compare(run->nodes, asked->code, type, 64, a, b) == condition ||
                             compare(run->nodes, asked->code, type, 64, b, a) == condition);
    return by_size ? butterfly_joined(run, IR_MAX, a, b, result) : result;
}

// What the host makes of floating numbers that are known, or NULL. What it makes of them round by
// round is left open, so that loops over steps of time are not followed to their end.
static const struct node *host_number(struct run *run, const struct group *group,
                                      const struct ir_op *op, const struct ir_type *from,
                                      const struct node *a, const struct node *b)
{
    const struct ir_type *type = &run->engine->unit->type[op->type];
    bool to_real = type->kind == IR_TYPE_FLOAT, of_real = from->kind == IR_TYPE_FLOAT;
    double number;
    if (!run->engine->host || !(to_real || of_real))
        return NULL;
    if (b && op->code >= IR_EQ && op->code <= IR_GE)
        return node_real_compare(run->nodes, (enum ir_op_code)op->code, a, b);
    if (b)
        return group->frame->visits[group->frame->block] > 1
                   ? NULL
                   : node_real_binary(run->nodes, (enum ir_op_code)op->code, type->bits, a, b);
    if (op->code != IR_CAST)
        return NULL;
    if (to_real && of_real)
        return node_real(a, &number) ? node_of_real(run->nodes, number, type->bits) : NULL;
    if (to_real)
        return from->kind == IR_TYPE_INT ? node_real_of_whole(run->nodes, a, type->bits) : NULL;
    return type->kind == IR_TYPE_INT && type->bits > 1
               ? node_whole_of_real(run->nodes, a, type->bits, type->is_signed)
               : NULL;
}

static void execute_arithmetic(struct run *run, struct group *group, const struct ir_op *op,
                               ir_value value)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    const struct node *a = group_get(run, group, ir_operand(function, op, 0));
    const struct ir_type *type = &unit->type[op->type];
    const struct ir_type *from = type;
    ir_type_id operand_type = ir_op_at(function, ir_operand(function, op, 0))->type;
    if (operand_type != IR_NONE)
        from = &unit->type[operand_type];
    uint32_t bits = type->kind == IR_TYPE_INT ? type->bits : 64;
    bool is_signed = from->kind != IR_TYPE_INT || from->is_signed;
    const struct node *b =
        op->operand_count == 2 ? group_get(run, group, ir_operand(function, op, 1)) : NULL;
    const struct node *result =
        op->operand_count <= 2 ? host_number(run, group, op, from, a, b) : NULL;
    if (op->code == IR_NEG && type->kind == IR_TYPE_FLOAT)
        result = node_real_negative(run->nodes, a);
    if (result) {
        group_set(run, group, value, result);
        return;
    }
    if (op->code == IR_SELECT) {
        result = choose(run, group, op);
    } else if (op->code == IR_CAST) {
        bool to_bool = type->kind == IR_TYPE_INT && type->bits == 1;
        bool same = type->kind == IR_TYPE_INT && from->kind != IR_TYPE_FLOAT;
        result = same || type->kind == IR_TYPE_POINTER
                     ? node_cast(run->nodes, bits, type->is_signed, to_bool, a)
                 : node_known(a) && type->kind == from->kind
                     ? a
                     : node_expr(run->nodes, IR_CAST, (uint16_t)bits, type->kind, a, NULL, NULL);
        if (to_bool && !same && type->kind == IR_TYPE_INT)
            result = node_cast(run->nodes, 1, false, true, a);
    } else if (op->operand_count == 1) {
        result = node_unary(run->nodes, (enum ir_op_code)op->code, bits, is_signed, a);
    } else {
        if (type->kind == IR_TYPE_FLOAT)
            result = node_expr(run->nodes, op->code, 0, 0, a, b, NULL);
        else if (op->code >= IR_EQ && op->code <= IR_GE)
            result = compare(run->nodes, (enum ir_op_code)op->code, from, bits, a, b);
        else
            result = node_binary(run->nodes, (enum ir_op_code)op->code, bits, is_signed, a, b);
        note_rounding(run, op, a, b, result);
        result = butterfly_joined(run, (enum ir_op_code)op->code, a, b, result);
    }
    group_set(run, group, value, result);
}

const struct node *lazy_value(struct run *run, struct group *group, const struct ir_op *op,
                              ir_value value)
{
    const struct ir_unit *unit = run->engine->unit;
    switch (op->code) {
    case IR_CONST:
        if (op->type != IR_NONE && unit->type[op->type].kind == IR_TYPE_FLOAT)
            return node_expr(run->nodes, IR_CONST, 0, op->imm, NULL, NULL, NULL);
        return node_const(run->nodes, op->imm);
    case IR_PARAM:
        return op->imm < group->frame->argument_count ? group->frame->argument[op->imm]
                                                      : run->nodes->undefined;
    case IR_LOCAL: // the address of a register is not asked for
        return access_register(run, group, value) ? run->nodes->undefined
                                                  : local_address(run, group, op->imm);
    case IR_GLOBAL:
        return global_address(run, (ir_global_id)op->imm);
    case IR_FUNC:
        return node_atom(run->nodes, UINT64_C(0x2000000000000000) + (uint64_t)op->imm,
                         unit->function[op->imm].name, SHAPE_UNIFORM, 1, INT64_MAX);
    default: // IR_SPECIAL
        // The toolkit asks for the number of a thread in its block by all three.
        run->asks_rows |=
            (op->imm == IR_TID_Y || op->imm == IR_TID_Z) && !unit->file[op->loc.file].is_system;
        return special_value(run, (enum ir_special)op->imm);
    }
}

// The function a value is the address of, or IR_NONE.
static ir_function_id function_at(const struct run *run, const struct node *node)
{
    const uint64_t tag = UINT64_C(0x2000000000000000);
    if (node->kind != NODE_ATOM || node->atom.key < tag)
        return IR_NONE;
    uint64_t id = node->atom.key - tag;
    return id < (uint64_t)arrlen(run->engine->unit->function) ? (ir_function_id)id : IR_NONE;
}

static void execute_call(struct run *run, struct group *group, const struct ir_op *op,
                         ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    if (op->code == IR_CALLI) {
        ir_function_id callee =
            function_at(run, group_get(run, group, ir_operand(function, op, 0)));
        if (callee == IR_NONE && !tensor_encode(run, group, op, value, 1))
            unknown_call(run, group, op, value, 1);
        else if (callee != IR_NONE)
            call_function(run, group, op, value, callee, 1);
        return;
    }
    const struct model_op *model = facts_model(run->engine, group->frame->function, value);
    if (model->kind != MODEL_NONE) {
        if (op->code == IR_CALL && model->kind == MODEL_VALUE &&
            model->value_op == MODEL_VALUE_UNKNOWN &&
            run->engine->unit->function[op->imm].flags & IR_FN_BODY)
            call_function(run, group, op, value, (ir_function_id)op->imm, 0);
        else
            barrier_execute(run, group, model, value);
        return;
    }
    if (op->code == IR_CALL) {
        call_function(run, group, op, value, (ir_function_id)op->imm, 0);
        return;
    }
    // Unknown PTX: its destinations are unknown.
    ++run->engine->result->statistics.unknown_operations;
    for (uint32_t i = 0; i < op->operand_count && (int64_t)i < op->imm; ++i)
        memory_forget(run, group->mask, group_get(run, group, ir_operand(function, op, i)));
}

static void execute_opaque(struct run *run, struct group *group, const struct ir_op *op,
                           ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    ++run->engine->result->statistics.unknown_operations;
    for (uint32_t i = 0; i < op->operand_count; ++i)
        memory_forget(run, group->mask, group_get(run, group, ir_operand(function, op, i)));
    if (op->flags & IR_MAY_BARRIER) {
        run->weak = true;
        pass_unread(run, group, value);
    }
    if (op->type != IR_NONE)
        group_set(
            run, group, value,
            run_fresh(run, "a value that was not followed", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
}

static void execute(struct run *run, struct group *group, const struct ir_op *op, ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    switch (op->code) {
    case IR_SPECIAL: // a clock: the others are lazy
        group_set(run, group, value, special_value(run, (enum ir_special)op->imm));
        break;
    case IR_DECLARE:
        if (access_register(run, group, value))
            frame_own(run, group)->variable[access_register(run, group, value)] = NULL;
        else
            memory_undefine(run, group->mask, group->frame->local[op->imm]);
        break;
    case IR_LOAD:
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
        access_execute(run, group, op, value);
        break;
    case IR_OFFSET:
        group_set(run, group, value,
                  node_binary(run->nodes, IR_ADD, 64, true,
                              group_get(run, group, ir_operand(function, op, 0)),
                              node_const(run->nodes, op->imm)));
        break;
    case IR_INDEX:
        group_set(run, group, value,
                  index_address(run, group_get(run, group, ir_operand(function, op, 0)),
                                resolve(run, group_get(run, group, ir_operand(function, op, 1))),
                                op->imm));
        break;
    case IR_CALL:
    case IR_CALLI:
    case IR_PTX:
        execute_call(run, group, op, value);
        break;
    case IR_LAUNCH:
        launch_seen(run, group, op);
        break;
    case IR_OPAQUE:
        execute_opaque(run, group, op, value);
        break;
    case IR_BR:
        group_goto(run, group, op->target[0]);
        break;
    case IR_CONDBR:
        group_branch(run, group, op);
        break;
    case IR_SWITCH:
        group_switch(run, group, op);
        break;
    case IR_RET:
        group_return(run, group,
                     op->operand_count ? group_get(run, group, ir_operand(function, op, 0)) : NULL);
        break;
    case IR_EXIT:
        parting_exit(run, group, op->loc);
        group_exit(run, group);
        break;
    case IR_UNREACHABLE:
        // The kernel is aborted here; what the other threads do no longer matters.
        group_exit(run, group);
        run->over = true;
        break;
    default:
        execute_arithmetic(run, group, op, value);
        break;
    }
}

// What is executed of the blocks of the function.
static const struct to_do *to_do_of(struct engine *engine, ir_function_id id)
{
    struct function_facts *facts = &engine->known->facts[id];
    if (!facts->to_do && facts->mode)
        facts->to_do =
            facts_list(&engine->unit->function[id], facts->mode, &engine->known->slice_arena);
    else if (!facts->to_do) // of a host function
        facts->to_do = facts->all =
            facts_list(&engine->unit->function[id], NULL, &engine->known->arena);
    return facts->to_do;
}

// Operations of one turn, before others go on that could.
enum { TURN_STEPS = 10000 };

void group_step(struct run *run, struct group *group)
{
    run->yield = false;
    const uint64_t turn = run->steps + TURN_STEPS;
    // Of the function that is being executed.
    ir_function_id current = IR_NONE;
    const struct ir_function *function = NULL;
    const struct function_facts *facts = NULL;
    const struct to_do *all = NULL;
    while (group->state == GROUP_READY && !run->over && !run->cut && !run->yield) {
        if (run->steps > run->step_limit) {
            run->cut = true;
            return;
        }
        if (run->steps > turn) {
            ++group->turns;
            return;
        }
        if (group->returning) {
            ++run->steps;
            group_finish_return(run, group);
            continue;
        }
        struct frame *frame = frame_own(run, group);
        if (frame->function != current) {
            current = frame->function;
            function = &run->engine->unit->function[current];
            facts = facts_of(run->engine, current);
            all = to_do_of(run->engine, current);
        }
        const struct to_do *to_do = &all[frame->block];
        if (frame->position >= to_do->count) {
            run->cut = true; // a block without an end: the verifier does not let it pass
            return;
        }
        ir_value value = frame->at = to_do->op[frame->position++];
        const struct ir_op *op = &function->op[value];
        enum op_mode mode = facts->mode ? (enum op_mode)facts->mode[value] : OP_KEEP;
        frame->value[facts->slot[value]] = NULL; // of another operation's, perhaps
        uint32_t before = run->nodes->next_id;
        uint64_t work = run->nodes->work;
        if (mode == OP_KEEP || mode == OP_ALIGN || op->code == IR_CALL)
            execute(run, group, op, value);
        else
            access_note(run, group, op, value, mode);
        uint64_t more = (run->nodes->next_id - before) / NODES_A_STEP +
                        (run->nodes->work - work) / PIECES_A_STEP;
        bool light = op->code >= IR_ADD && op->code <= IR_SELECT && more == 0;
        if (!light || ++run->light % LIGHT_A_STEP == 0)
            run->steps += 1 + more;
    }
}
