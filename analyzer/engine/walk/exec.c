// Execution of single operations by a group.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/walk/slice.h"

enum {
    MAX_CALL_DEPTH = 64,
    NODES_A_STEP = 2,  // new nodes that an operation makes count as another operation
    PIECES_A_STEP = 8, // the same of pieces of values that it looks at
};

static const struct node *special_vector(struct run *run, enum ir_special special)
{
    const struct engine *engine = run->engine;
    const int64_t *block = engine->shape.block;
    int64_t *vector = run->nodes->scratch;
    for (uint32_t t = 0; t < engine->threads; ++t) {
        int64_t in_block = t % engine->block_threads, rank = t / engine->block_threads;
        int64_t lane = in_block % 32;
        const int64_t *cluster = engine->shape.cluster;
        int64_t value = 0;
        switch (special) {
        case IR_TID_X:
            value = in_block % block[0];
            break;
        case IR_TID_Y:
            value = in_block / block[0] % block[1];
            break;
        case IR_TID_Z:
            value = in_block / (block[0] * block[1]);
            break;
        case IR_LANEID:
            value = lane;
            break;
        case IR_WARPID:
            value = in_block / 32;
            break;
        case IR_CLUSTER_CTAID_X:
            value = rank % cluster[0];
            break;
        case IR_CLUSTER_CTAID_Y:
            value = rank / cluster[0] % cluster[1];
            break;
        case IR_CLUSTER_CTAID_Z:
            value = rank / (cluster[0] * cluster[1]);
            break;
        case IR_CLUSTER_CTARANK:
            value = rank;
            break;
        case IR_LANEMASK_EQ:
            value = INT64_C(1) << lane;
            break;
        case IR_LANEMASK_LT:
            value = (INT64_C(1) << lane) - 1;
            break;
        case IR_LANEMASK_LE:
            value = (INT64_C(2) << lane) - 1;
            break;
        case IR_LANEMASK_GT:
            value = INT64_C(0xffffffff) & ~((INT64_C(2) << lane) - 1);
            break;
        default: // IR_LANEMASK_GE
            value = INT64_C(0xffffffff) & ~((INT64_C(1) << lane) - 1);
            break;
        }
        vector[t] = value;
    }
    return node_vector(run->nodes, vector);
}

// A number of the launch: known, or a symbol that stands for it.
static const struct node *launch_number(struct run *run, enum ir_special special, int64_t known,
                                        int64_t low)
{
    static const char *const name[IR_SPECIAL_COUNT_] = {
        [IR_NCTAID_X] = "gridDim.x", [IR_NCTAID_Y] = "gridDim.y", [IR_NCTAID_Z] = "gridDim.z",
        [IR_CTAID_X] = "blockIdx.x", [IR_CTAID_Y] = "blockIdx.y", [IR_CTAID_Z] = "blockIdx.z"};
    if (known > 0)
        return node_const(run->nodes, known);
    return node_atom(run->nodes, UINT64_C(0x4000000000000000) + special,
                     name[special] ? name[special] : ir_special_name(special), SHAPE_UNIFORM, low,
                     INT64_C(1) << 31);
}

const struct node *special_symbol(const struct run *run, enum ir_special special)
{
    return node_find_atom(run->nodes, UINT64_C(0x4000000000000000) + special);
}

bool special_is_block_index(const struct node *node)
{
    uint64_t first = UINT64_C(0x4000000000000000) + IR_CTAID_X;
    return node->kind == NODE_ATOM && node->atom.key >= first && node->atom.key < first + 3;
}

bool special_is_multiprocessor(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key == UINT64_C(0x4000000000000000) + IR_SMID;
}

// The number of the block, or of its cluster, along the axis.
static const struct node *whole_index(struct run *run, uint32_t axis)
{
    static const char *const name[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
    const struct engine_shape *shape = &run->engine->shape;
    int64_t cluster = shape->cluster[axis], grid = shape->grid[axis];
    if (grid == 1 || run->engine->block == BLOCK_FIRST)
        return run->nodes->zero;
    int64_t high = grid > 0 ? grid / cluster - 1 : INT64_C(1) << 31;
    if (grid > 0 && run->engine->block == BLOCK_LAST)
        return node_const(run->nodes, high);
    return node_atom(run->nodes, UINT64_C(0x4000000000000000) + IR_CTAID_X + axis,
                     cluster <= 1 ? name[axis] : "the cluster's number", SHAPE_UNIFORM, 0, high);
}

static const struct node *block_index(struct run *run, uint32_t axis)
{
    int64_t cluster = run->engine->shape.cluster[axis];
    const struct node *index = whole_index(run, axis);
    if (cluster <= 1 || run->engine->shape.grid[axis] == 1)
        return index;
    index = node_binary(run->nodes, IR_MUL, 64, true, index, node_const(run->nodes, cluster));
    return node_binary(run->nodes, IR_ADD, 64, true, index,
                       special_vector(run, (enum ir_special)(IR_CLUSTER_CTAID_X + axis)));
}

// A number that the hardware gives a warp: what it is in a block that has the multiprocessor for
// itself, kept as the symbol's bound, so that what is made of it says so.
static const struct node *hardware_number(struct run *run, enum ir_special special,
                                          const struct node *usual)
{
    enum { MOST_WARPS = 64 }; // of a multiprocessor
    bool one = special == IR_NWARPID;
    const struct node *number =
        node_atom(run->nodes, HARDWARE_KEY + special, one ? "%nwarpid" : "%warpid",
                  one ? SHAPE_UNIFORM : SHAPE_VARYING, 0, MOST_WARPS);
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        node_lane(usual, t, &lane[t]);
    struct bound *bound = bound_make(run, number);
    bound->low = 0;
    bound->high = MOST_WARPS;
    bound->lane = lane;
    memo_changed(run, number);
    return number;
}

bool node_is_hardware(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key - HARDWARE_KEY < IR_SPECIAL_COUNT_;
}

static const struct node *special_work(struct run *run, enum ir_special special)
{
    const struct engine_shape *shape = &run->engine->shape;
    switch (special) {
    case IR_NTID_X:
    case IR_NTID_Y:
    case IR_NTID_Z:
        return node_const(run->nodes, shape->block[special - IR_NTID_X]);
    case IR_CTAID_X:
    case IR_CTAID_Y:
    case IR_CTAID_Z:
        return block_index(run, special - IR_CTAID_X);
    case IR_NCTAID_X:
    case IR_NCTAID_Y:
    case IR_NCTAID_Z:
        return launch_number(run, special, shape->grid[special - IR_NCTAID_X], 1);
    case IR_WARPID:
        return hardware_number(run, special, special_vector(run, special));
    case IR_NWARPID:
        return hardware_number(run, special,
                               node_const(run->nodes, (run->engine->block_threads + 31) / 32));
    case IR_WARPSIZE:
        return node_const(run->nodes, 32);
    case IR_CLUSTER_NCTAID_X:
    case IR_CLUSTER_NCTAID_Y:
    case IR_CLUSTER_NCTAID_Z:
        return node_const(run->nodes, shape->cluster[special - IR_CLUSTER_NCTAID_X]);
    case IR_CLUSTER_NCTARANK:
        return node_const(run->nodes, run->engine->blocks);
    case IR_CLUSTERID_X:
    case IR_CLUSTERID_Y:
    case IR_CLUSTERID_Z:
    case IR_NCLUSTERID_X:
    case IR_NCLUSTERID_Y:
    case IR_NCLUSTERID_Z:
    case IR_SMID:
    case IR_NSMID:
    case IR_GRIDID:
        return launch_number(run, special, 0, 0);
    case IR_DYNAMIC_SMEM_SIZE:
    case IR_TOTAL_SMEM_SIZE:
        return launch_number(run, special, shape->shared_bytes > 0 ? shape->shared_bytes : 0, 0);
    case IR_CLOCK:
    case IR_CLOCK64:
    case IR_GLOBALTIMER:
        return run_fresh(run, "the clock", SHAPE_VARYING, 0, INT64_MAX);
    default:
        return special_vector(run, special);
    }
}

static const struct node *special_value(struct run *run, enum ir_special special)
{
    bool moves = special == IR_CLOCK || special == IR_CLOCK64 || special == IR_GLOBALTIMER;
    if (moves)
        return special_work(run, special);
    if (!run->special[special])
        run->special[special] = special_work(run, special);
    return run->special[special];
}

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
        // A constant of a function's own without a value is what whoever instantiates it chooses.
        if (global->space == IR_SPACE_CONSTANT && global->owner != IR_NONE && !global->has_value)
            run->object[*slot].parameter = NODE_PARAMETER_TAG + index;
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

// A call nobody can follow: it may write what its arguments point to, and its value is unknown. By
// what others see of that, it may be how threads tell each other something, as the members of
// cuda::atomic are.
static void unknown_call(struct run *run, struct group *group, const struct ir_op *op,
                         ir_value value, uint32_t first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    bool scalars = op->operand_count > first;
    const struct node *sum = run->nodes->zero;
    bool tells = false;
    for (uint32_t i = first; i < op->operand_count; ++i) {
        const struct node *argument = group_get(run, group, ir_operand(function, op, i));
        bool address = argument->kind == NODE_ADDRESS || argument->kind == NODE_PIECES;
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
    ++run->engine->result->statistics.unknown_operations;
    if (op->type != IR_NONE)
        group_set(run, group, value,
                  run_fresh(run, "the result of a call", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
}

static void call_function(struct run *run, struct group *group, const struct ir_op *op,
                          ir_value value, ir_function_id callee, uint32_t first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    const struct ir_function *target = &run->engine->unit->function[callee];
    if (target->flags & IR_FN_KERNEL)
        return; // launched from the device: a grid of its own
    if (!(target->flags & IR_FN_BODY) || group->frame->depth >= MAX_CALL_DEPTH) {
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

static bool is_global(const struct run *run, const struct node *address)
{
    enum object_kind kind =
        address->kind == NODE_ADDRESS ? run->object[address->address.object].kind : OBJECT_GLOBAL;
    return kind == OBJECT_GLOBAL || kind == OBJECT_PARAM;
}

// A block is guessed too large where its threads reach beyond an array of the block.
static void check_guess(struct run *run, const struct group *group, const struct node *address)
{
    const struct engine *engine = run->engine;
    if (engine->shape.block_known || engine->too_large || engine->host || group->arms ||
        address->kind != NODE_ADDRESS || run->object[address->address.object].type == IR_NONE)
        return;
    const struct object *object = &run->object[address->address.object];
    uint64_t size = engine->unit->type[object->type].size;
    if (object->kind != OBJECT_SHARED || object->space != IR_SPACE_SHARED || size == 0 ||
        !node_known(address->address.offset))
        return;
    int64_t at;
    mask_each (run->masks, group->mask, t) {
        if (node_lane(address->address.offset, t, &at) && at >= (int64_t)size)
            run->engine->too_large = true;
    }
}

static enum announcement announcement_of(const struct ir_op *op)
{
    return op->flags & IR_RELEASE                  ? ANNOUNCE_RELEASE
           : op->flags & (IR_VOLATILE | IR_ATOMIC) ? ANNOUNCE_WORD
                                                   : ANNOUNCE_DATA;
}

void access_touched(struct run *run, struct group *group, const struct node *address,
                    ir_value where, uint32_t size, bool writes, bool tells)
{
    check_guess(run, group, address);
    if (!is_global(run, address) && address->kind == NODE_ADDRESS)
        deeds_access(run, group, where, address->address.offset, writes);
    memory_touched(run, group, address, size, writes);
    early_touched(run, group, address, size, writes);
    if (!writes)
        loads_touched(run, group, address, size);
    if (writes && is_global(run, address))
        copies_source_touched(run, group, address, size);
    if (tells) {
        orders_tell(run, group->mask);
        orders_ask(run, group->mask);
    } else {
        races_touched(run, group, address, where, size, writes ? RACE_WRITE : RACE_READ);
    }
}

// Whether the operation puts back what it has from there: x[i] = x[i].
static bool changes_nothing(struct run *run, struct group *group, const struct ir_op *op)
{
    const struct ir_function *function = frame_function(run, group->frame);
    ir_value from = op->code == IR_COPY    ? ir_operand(function, op, 1)
                    : op->code == IR_STORE ? facts_stored_back(function, group->frame->block, op)
                                           : IR_NONE;
    return from != IR_NONE &&
           group_get(run, group, from) == group_get(run, group, ir_operand(function, op, 0));
}

// Plain accesses race; atomic ones are how threads tell each other something, and so are volatile
// ones where threads wait for what others write.
static void touched(struct run *run, struct group *group, const struct ir_op *op,
                    const struct node *address, ir_value where, uint32_t size, bool writes)
{
    if (changes_nothing(run, group, op))
        return;
    bool tells = op->flags & IR_ATOMIC || (op->flags & IR_VOLATILE && run->engine->known->polls);
    if (writes && is_global(run, address))
        announce_wrote(run, group, announcement_of(op));
    if (writes && op->flags & IR_VOLATILE)
        orders_signal(run, group->mask);
    access_touched(run, group, address, where, size, writes, tells);
}

enum { DEEP = 4 }; // expressions, in operations

// What the arms' condition is in the threads of the mask, which are asked about again and again.
static void see_arms(struct run *run, struct arms *arms, const struct mask *mask)
{
    if (arms->seen.mask == mask)
        return;
    arms->seen.mask = mask;
    arms->seen.condition = node_restrict(run->nodes, arms->condition, mask);
    arms->seen.denied = node_not(run->nodes, arms->seen.condition);
    arms->seen.denied_by_all = node_not(run->nodes, arms->condition);
}

// Whether the condition is known in an arm that the group executes; `holds`: which way.
static bool arm_decides(struct run *run, const struct group *group, const struct node *condition,
                        bool *holds)
{
    for (struct arms *arms = group->arms; arms; arms = arms->outer) {
        see_arms(run, arms, group->mask);
        *holds = condition == arms->condition || condition == arms->seen.condition;
        if (*holds || condition == arms->seen.denied_by_all || condition == arms->seen.denied)
            return true;
    }
    return false;
}

// What a value is within the arms that the group executes: their conditions hold there, so that
// what was stored in them is what one reads.
static const struct node *seen_in_arms(struct run *run, const struct group *group,
                                       const struct node *node, int depth)
{
    bool holds;
    while (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE &&
           arm_decides(run, group, node->expr.argument[0], &holds))
        node = node->expr.argument[holds ? 1 : 2];
    if (node->kind == NODE_EXPR && arm_decides(run, group, node, &holds))
        return holds ? run->nodes->one : run->nodes->zero; // MERGE of these two
    // What host code makes of the sizes of a launch is little, unlike what kernels make of data.
    if (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE && depth < DEEP &&
        run->engine->host) {
        const struct node *yes = seen_in_arms(run, group, node->expr.argument[1], depth + 1);
        const struct node *no = seen_in_arms(run, group, node->expr.argument[2], depth + 1);
        return yes == node->expr.argument[1] && no == node->expr.argument[2]
                   ? node
                   : node_select(run->nodes, node->expr.argument[0], yes, no);
    }
    if (node->kind != NODE_PIECES)
        return node;
    struct node_piece *piece = arena_array(&run->arena, struct node_piece, node->pieces.count);
    for (uint32_t i = 0; i < node->pieces.count; ++i) {
        piece[i].mask = node->pieces.piece[i].mask;
        piece[i].value = seen_in_arms(run, group, node->pieces.piece[i].value, depth);
    }
    return node_pieces(run->nodes, piece, node->pieces.count);
}

static void loaded(struct run *run, struct group *group, ir_value value, const struct node *content)
{
    if (group->arms)
        content = seen_in_arms(run, group, content, 0);
    // What is computed from itself again and again stays within what is looked into.
    if (content->depth > DEEP)
        content = resolve(run, content);
    group_set(run, group, value, content);
}

// The register that the operation is about, or 0.
static uint32_t register_of(const struct run *run, const struct group *group, ir_value value)
{
    return facts_of(run->engine, group->frame->function)->registers.of[value];
}

static void execute_memory(struct run *run, struct group *group, const struct ir_op *op,
                           ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    uint32_t variable = register_of(run, group, value);
    if (variable) {
        if (op->code == IR_LOAD)
            loaded(run, group, value, register_load(run, group, variable));
        else
            register_store(run, group, variable,
                           group_get(run, group, ir_operand(function, op, 1)));
        return;
    }
    const struct node *a = group_get(run, group, ir_operand(function, op, 0));
    switch (op->code) {
    case IR_LOAD:
        if (op->flags & (IR_VOLATILE | IR_ATOMIC))
            host_waits(run); // for what a kernel writes, perhaps
        touched(run, group, op, a, ir_operand(function, op, 0),
                (uint32_t)run->engine->unit->type[op->type].size, false);
        loaded(run, group, value,
               memory_load(run, group->mask, a, op->type,
                           (op->flags & (IR_VOLATILE | IR_ATOMIC)) != 0));
        break;
    case IR_STORE: {
        ir_value stored = ir_operand(function, op, 1);
        ir_type_id type = ir_op_at(function, stored)->type;
        uint32_t size = type == IR_NONE ? 8 : (uint32_t)run->engine->unit->type[type].size;
        memory_store(run, group->mask, a, size ? size : 8, group_get(run, group, stored),
                     group->arms);
        touched(run, group, op, a, ir_operand(function, op, 0), size ? size : 8, true);
        break;
    }
    case IR_COPY: {
        const struct node *from = group_get(run, group, ir_operand(function, op, 1));
        memory_copy(run, group->mask, a, from, op->imm, group->arms);
        touched(run, group, op, from, ir_operand(function, op, 1), (uint32_t)op->imm, false);
        touched(run, group, op, a, ir_operand(function, op, 0), (uint32_t)op->imm, true);
        break;
    }
    default: // IR_ZERO
        memory_zero(run, group->mask, a, op->imm, group->arms);
        touched(run, group, op, a, ir_operand(function, op, 0), (uint32_t)op->imm, true);
        break;
    }
}

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
    if (a == b && !node_known(a))
        return compare_with_itself(pool, code, a);
    if (a->kind == NODE_PIECES || b->kind == NODE_PIECES || (node_known(a) && node_known(b)))
        return node_binary(pool, code, 64, true, a, b);
    if (a->id < b->id)
        return node_binary(pool, code, 64, true, node_expr(pool, IR_SUB, 0, 0, a, b, NULL),
                           pool->zero);
    return node_binary(pool, code, 64, true, pool->zero, node_expr(pool, IR_SUB, 0, 0, b, a, NULL));
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
    const struct node *result;
    if (op->code == IR_SELECT) {
        result = node_select(run->nodes, resolve(run, a),
                             group_get(run, group, ir_operand(function, op, 1)),
                             group_get(run, group, ir_operand(function, op, 2)));
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
        const struct node *b = group_get(run, group, ir_operand(function, op, 1));
        if (type->kind == IR_TYPE_FLOAT)
            result = node_expr(run->nodes, op->code, 0, 0, a, b, NULL);
        else if (from->kind == IR_TYPE_FLOAT && op->code >= IR_EQ && op->code <= IR_GE)
            result = compare_floats(run->nodes, (enum ir_op_code)op->code, a, b);
        else
            result = node_binary(run->nodes, (enum ir_op_code)op->code,
                                 op->code >= IR_EQ && op->code <= IR_GE && from->bits ? from->bits
                                                                                      : bits,
                                 is_signed, a, b);
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
        return register_of(run, group, value) ? run->nodes->undefined
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
        if (callee == IR_NONE)
            unknown_call(run, group, op, value, 1);
        else
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
    if (op->flags & IR_MAY_BARRIER)
        run->weak = true;
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
        if (register_of(run, group, value))
            frame_own(run, group)->variable[register_of(run, group, value)] = NULL;
        else
            memory_undefine(run, group->mask, group->frame->local[op->imm]);
        break;
    case IR_LOAD:
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
        execute_memory(run, group, op, value);
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
        group_exit(run, group);
        break;
    case IR_UNREACHABLE:
        // The kernel is aborted here; what the other threads do no longer matters.
        group_exit(run, group);
        break;
    default:
        execute_arithmetic(run, group, op, value);
        break;
    }
}

// An access to memory whose data nobody follows.
static void touch_only(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                       enum op_mode mode)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    bool reads = op->code == IR_LOAD, copies = op->code == IR_COPY;
    if (mode == OP_TOUCH) {
        announce_wrote(run, group,
                       op->code == IR_PTX ? atomic_announces(facts_model(
                                                run->engine, group->frame->function, value))
                                          : announcement_of(op));
        return;
    }
    if (!copies && register_of(run, group, value))
        return;
    ir_value where = ir_operand(function, op, 0);
    const struct node *address = group_get(run, group, where);
    uint32_t size = (uint32_t)op->imm;
    if (!copies && op->code != IR_ZERO) {
        ir_type_id type = reads ? op->type : ir_op_at(function, ir_operand(function, op, 1))->type;
        size = type == IR_NONE ? 8 : (uint32_t)unit->type[type].size;
    }
    if (copies)
        touched(run, group, op, group_get(run, group, ir_operand(function, op, 1)),
                ir_operand(function, op, 1), size, false);
    touched(run, group, op, address, where, size, !reads);
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

void group_step(struct run *run, struct group *group)
{
    run->yield = false;
    while (group->state == GROUP_READY && !run->over && !run->cut && !run->yield) {
        if (run->steps > run->step_limit) {
            run->cut = true;
            return;
        }
        if (group->returning) {
            ++run->steps;
            group_finish_return(run, group);
            continue;
        }
        struct frame *frame = frame_own(run, group);
        const struct ir_function *function = &run->engine->unit->function[frame->function];
        const struct function_facts *facts = facts_of(run->engine, frame->function);
        const struct to_do *to_do = &to_do_of(run->engine, frame->function)[frame->block];
        if (frame->position >= to_do->count) {
            run->cut = true; // a block without an end: the verifier does not let it pass
            return;
        }
        ir_value value = frame->at = to_do->op[frame->position++];
        const struct ir_op *op = &function->op[value];
        enum op_mode mode = facts->mode ? (enum op_mode)facts->mode[value] : OP_KEEP;
        ++run->steps;
        frame->value[facts->slot[value]] = NULL; // of another operation's, perhaps
        uint32_t before = run->nodes->next_id;
        uint64_t work = run->nodes->work;
        if (mode == OP_KEEP || mode == OP_ALIGN || op->code == IR_CALL)
            execute(run, group, op, value);
        else
            touch_only(run, group, op, value, mode);
        run->steps += (run->nodes->next_id - before) / NODES_A_STEP +
                      (run->nodes->work - work) / PIECES_A_STEP;
    }
}
