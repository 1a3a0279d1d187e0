// Operations without a barrier: values that are computed, atomic operations, memory that is set,
// and addresses of another block.
#include <math.h>

#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

static void set_result(struct run *run, struct group *group, const struct model_op *op,
                       ir_value value, const struct node *node)
{
    const struct ir_op *at = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    if (at->type != IR_NONE)
        group_set(run, group, value, node);
    if (op->result != IR_NONE)
        store_result(run, group, group->mask, op->result, node);
}

static int64_t value_known(const struct model_op *op, const int64_t *a)
{
    uint32_t x = (uint32_t)a[0];
    switch (op->value_op) {
    case MODEL_VALUE_POPC:
        return __builtin_popcountll((uint64_t)a[0]);
    case MODEL_VALUE_CLZ:
        return x ? __builtin_clz(x) : 32;
    case MODEL_VALUE_FFS:
        return __builtin_ffsll(a[0]);
    case MODEL_VALUE_BREV: {
        uint32_t r = 0;
        for (int i = 0; i < 32; ++i)
            r |= (x >> i & 1) << (31 - i);
        return r;
    }
    case MODEL_VALUE_BFE:
        return a[2] <= 0 || a[1] < 0 || a[1] > 63
                   ? 0
                   : (int64_t)((uint64_t)a[0] >> a[1] &
                               (a[2] >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << a[2]) - 1));
    default:
        return 0;
    }
}

// Tells functions whose values are not worked out apart, so that equal calls are equal values.
static int64_t spelling_number(const char *spelling)
{
    return (int64_t)stbds_hash_string((char *)(uintptr_t)spelling, 0x5bd1e995);
}

static const struct node *pure_value(struct run *run, struct group *group,
                                     const struct model_op *op, uint32_t bits)
{
    const struct node *a[MODEL_ARGUMENTS] = {0};
    for (uint32_t i = 0; i < MODEL_ARGUMENTS && op->argument[i] != IR_NONE; ++i)
        a[i] = operand_field(run, group, op, &op->argument[i]);
    struct node_pool *pool = run->nodes;
    double number;
    if (op->value_op == MODEL_VALUE_CLOCK)
        return run_fresh(run, "the clock", SHAPE_VARYING, 0, INT64_MAX);
    if (op->value_op == MODEL_VALUE_GRID_VALID)
        return grid_valid(run);
    if (!a[0])
        return run_fresh(run, "a computed value", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX);
    static const enum ir_op_code binary[] = {
        [MODEL_VALUE_MIN] = IR_MIN, [MODEL_VALUE_MAX] = IR_MAX, [MODEL_VALUE_MUL24] = IR_MUL,
        [MODEL_VALUE_ADD] = IR_ADD, [MODEL_VALUE_SUB] = IR_SUB, [MODEL_VALUE_AND] = IR_AND,
        [MODEL_VALUE_OR] = IR_OR,   [MODEL_VALUE_XOR] = IR_XOR};
    switch (op->value_op) {
    case MODEL_VALUE_MOVE:
    case MODEL_VALUE_EXPECT:
        return a[0];
    case MODEL_VALUE_MIN:
    case MODEL_VALUE_MAX:
    case MODEL_VALUE_MUL24:
    case MODEL_VALUE_ADD:
    case MODEL_VALUE_SUB:
    case MODEL_VALUE_AND:
    case MODEL_VALUE_OR:
    case MODEL_VALUE_XOR:
        if (a[1])
            return butterfly_joined(
                run, binary[op->value_op], a[0], a[1],
                node_binary(pool, binary[op->value_op], bits, true, a[0], a[1]));
        break;
    case MODEL_VALUE_MAD:
        if (a[1] && a[2])
            return node_binary(pool, IR_ADD, bits, true,
                               node_binary(pool, IR_MUL, bits, true, a[0], a[1]), a[2]);
        break;
    case MODEL_VALUE_ABS:
        return node_binary(pool, IR_MAX, bits, true, a[0],
                           node_binary(pool, IR_SUB, bits, true, node_const(pool, 0), a[0]));
    case MODEL_VALUE_CEIL:
    case MODEL_VALUE_FLOOR:
        if (run->engine->host && node_real(a[0], &number))
            return node_of_real(
                pool, op->value_op == MODEL_VALUE_CEIL ? ceil(number) : floor(number), 64);
        break;
    case MODEL_VALUE_LOG2:
        if (run->engine->host && node_real(a[0], &number) && number > 0)
            return node_of_real(pool, log2(number), 64);
        return node_expr(pool, NODE_OP_LOG2, 0, 0, a[0], NULL, NULL);
    case MODEL_VALUE_IS_SHARED:
        if (a[0]->kind == NODE_ADDRESS)
            return node_const(pool, run->object[a[0]->address.object].kind == OBJECT_SHARED);
        break;
    default:
        break;
    }
    bool known = true;
    for (uint32_t i = 0; i < MODEL_ARGUMENTS && a[i]; ++i)
        known &= node_known(a[i]);
    bool computes = op->value_op >= MODEL_VALUE_POPC && op->value_op <= MODEL_VALUE_BREV;
    computes |= op->value_op == MODEL_VALUE_BFE && a[1] && a[2];
    if (known && computes) {
        int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
        for (uint32_t t = 0; t < run->masks->threads; ++t) {
            int64_t x[MODEL_ARGUMENTS] = {0};
            for (uint32_t i = 0; i < MODEL_ARGUMENTS && a[i]; ++i)
                node_lane(a[i], t, &x[i]);
            lane[t] = value_known(op, x);
        }
        return node_vector(pool, lane);
    }
    const struct node *result =
        node_expr(pool, NODE_OP_CALL, 0, spelling_number(op->spelling), a[0], a[1], a[2]);
    return op->value_op == MODEL_VALUE_EITHER && a[1]
               ? butterfly_joined(run, IR_MAX, a[0], a[1], result)
               : result;
}

// Whether the operation puts together what all threads have, in whatever order they come. Others,
// an exchange or a comparison, may be how threads tell each other something.
static bool gathers(enum model_value_op op)
{
    return op == MODEL_VALUE_ADD || op == MODEL_VALUE_SUB || op == MODEL_VALUE_MIN ||
           op == MODEL_VALUE_MAX || op == MODEL_VALUE_OR || op == MODEL_VALUE_AND ||
           op == MODEL_VALUE_XOR;
}

// Whether the word stays what it is.
static bool only_reads(const struct model_op *op, const struct node *operand)
{
    return operand && operand->kind == NODE_CONST && operand->value == 0 &&
           (op->value_op == MODEL_VALUE_ADD || op->value_op == MODEL_VALUE_SUB ||
            op->value_op == MODEL_VALUE_OR || op->value_op == MODEL_VALUE_XOR);
}

static void execute_atomic(struct run *run, struct group *group, const struct model_op *op,
                           ir_value value)
{
    const struct node *address = group_get(run, group, op->dst);
    const struct ir_op *at = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    uint32_t size = at->type == IR_NONE ? 4 : (uint32_t)run->engine->unit->type[at->type].size;
    if (address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_SHARED)
        races_touched(run, group, address, op->dst, size ? size : 4, RACE_ADD);
    if (address->kind == NODE_ADDRESS && address->address.rank)
        peers_update(run, group, value, address, size ? size : 4);
    if (address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_SHARED)
        copies_touched(run, group, address, size ? size : 4, true);
    if (!handed_asked(run, group, address, size ? size : 4))
        handed_told(run, group, address, size ? size : 4);
    orders_ask(run, group->mask);
    if (gathers(op->value_op) && !model_releases_block(op))
        orders_signal(run, group->mask);
    else
        orders_tell(run, group->mask);
    if (address->kind != NODE_ADDRESS ||
        run->object[address->address.object].kind != OBJECT_SHARED) {
        if (!run->engine->known->polls ||
            !handed_is_polled(run, group)) // who takes work tells nobody
            announce_wrote(run, group, atomic_announces(op));
        copies_source_touched(run, group, address, size ? size : 4);
    }
    const struct node *old = at->type == IR_NONE
                                 ? run_fresh(run, NULL, SHAPE_UNKNOWN, INT64_MIN, INT64_MAX)
                                 : memory_load(run, group->mask, address, at->type, false);
    const struct node *operand =
        op->value == IR_NONE ? NULL : operand_field(run, group, op, &op->value);
    int64_t before, step;
    const struct node *after =
        run_fresh(run, "an atomically updated word", SHAPE_UNIFORM, INT64_MIN, INT64_MAX);
    bool single = group->mask->count == 1;
    if (op->value_op == MODEL_VALUE_ADD && operand &&
        node_is_const(old, group->mask, run->masks, &before) &&
        node_is_const(operand, group->mask, run->masks, &step))
        after = node_const(run->nodes, before + step * (int64_t)group->mask->count);
    else if (single && op->value_op == MODEL_VALUE_EXCHANGE && operand)
        after = operand;
    const struct node *result = old;
    bool reads = only_reads(op, operand); // as atomicAdd(&word, 0) does, past the caches
    if (!reads && (!single || address->kind != NODE_ADDRESS))
        result = run_fresh(run, "the result of an atomic operation",
                           single ? SHAPE_UNIFORM : SHAPE_VARYING, INT64_MIN, INT64_MAX);
    if (!reads)
        memory_store(run, group->mask, address, size ? size : 4, after, group->arms);
    set_result(run, group, op, value, result);
}

// Whether a value is what another one leaves: so many are meant, whatever has been decided of it.
static bool is_rest(const struct node *node)
{
    node = node_plain(node);
    return node->kind == NODE_EXPR && (node->expr.op == IR_REM || node->expr.op == IR_AND) &&
           node->expr.argument[1]->kind == NODE_CONST;
}

static void execute_peer(struct run *run, struct group *group, const struct model_op *op,
                         ir_value value)
{
    const struct node *address = operand_field(run, group, op, &op->value);
    const struct node *rank = operand_field(run, group, op, &op->rank);
    run->machines->remote_used = true;
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    record_range(run, &event->id, rank, group->mask, operand_assumed(run, group, op->rank));
    event->rank_by_rest |= is_rest(rank);
    if (address->kind == NODE_ADDRESS && rank->kind != NODE_PIECES)
        address = node_address(run->nodes, address->address.object, address->address.offset, rank);
    else
        address = run_fresh(run, "an address of the cluster", SHAPE_UNKNOWN, 1, INT64_MAX);
    set_result(run, group, op, value, address);
}

// A load whose result is a record: what is read goes where the caller wants it.
static void load_record(struct run *run, struct group *group, const struct model_op *op)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    const struct ir_type *to =
        &unit->type[ir_op_at(function, op->result)->type]; // a pointer to the record
    if (to->kind == IR_TYPE_POINTER)
        memory_copy(run, group->mask, group_get(run, group, op->result),
                    operand_field(run, group, op, &op->argument[0]),
                    (int64_t)unit->type[to->elem].size, group->arms);
}

void plain_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_op *at = ir_op_at(&unit->function[group->frame->function], value);
    uint32_t bits =
        at->type == IR_NONE || !unit->type[at->type].bits ? 64 : unit->type[at->type].bits;
    switch (op->kind) {
    case MODEL_ADDRESS_SAME:
    case MODEL_MBARRIER_HANDLE:
        set_result(run, group, op, value,
                   operand_field(run, group, op, op->value != IR_NONE ? &op->value : &op->object));
        break;
    case MODEL_ADDRESS_PEER:
        execute_peer(run, group, op, value);
        break;
    case MODEL_VALUE:
        if (op->value_op == MODEL_VALUE_LDG && at->type != IR_NONE)
            set_result(run, group, op, value,
                       memory_load(run, group->mask,
                                   operand_field(run, group, op, &op->argument[0]), at->type,
                                   false));
        else if (op->value_op == MODEL_VALUE_LDG && op->result != IR_NONE)
            load_record(run, group, op);
        else if (op->value_op == MODEL_VALUE_STG)
            memory_store(run, group->mask, operand_field(run, group, op, &op->argument[0]), 8,
                         operand_field(run, group, op, &op->argument[1]), group->arms);
        else
            set_result(run, group, op, value, pure_value(run, group, op, bits));
        break;
    case MODEL_ATOMIC:
        execute_atomic(run, group, op, value);
        break;
    case MODEL_MEMORY_SET: {
        const struct node *to = operand_field(run, group, op, &op->dst);
        const struct node *bytes =
            op->bytes == IR_NONE ? NULL : operand_field(run, group, op, &op->bytes);
        int64_t size, fill;
        bool sized = bytes && node_is_const(bytes, group->mask, run->masks, &size);
        if (sized && op->src != IR_NONE)
            memory_copy(run, group->mask, to, operand_field(run, group, op, &op->src), size,
                        group->arms);
        else if (sized && op->value != IR_NONE &&
                 node_is_const(operand_field(run, group, op, &op->value), group->mask, run->masks,
                               &fill) &&
                 fill == 0)
            memory_zero(run, group->mask, to, size, group->arms);
        else
            memory_forget(run, group->mask, to);
        memory_touched(run, group, to, sized ? (uint32_t)size : 1, true);
        set_result(run, group, op, value, to);
        break;
    }
    case MODEL_TRAP: // for all of the grid
        group_exit(run, group);
        run->over = true;
        break;
    default:
        if (at->type != IR_NONE)
            group_set(run, group, value,
                      run_fresh(run, "the result of a call", SHAPE_UNIFORM, INT64_MIN, INT64_MAX));
        break;
    }
}
