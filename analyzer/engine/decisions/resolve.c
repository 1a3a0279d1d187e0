// Puts what a run has decided into the values that it works with.
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/walk/walk.h"

struct split split_of(struct run *run, const struct node *node)
{
    struct node_pool *pool = run->nodes;
    if (node_known(node))
        return (struct split){NULL, node, 1};
    if (node->kind != NODE_LINEAR)
        return (struct split){node, pool->zero, 1};
    const struct node *base = node->linear.base;
    const struct node *form = node_binary(pool, IR_SUB, 64, true, node, base);
    int64_t sign = 1;
    if (form->kind == NODE_LINEAR && form->linear.term[0].factor < 0) {
        form = node_binary(pool, IR_MUL, 64, true, form, node_const(pool, -1));
        sign = -1;
    }
    return (struct split){form, base, sign};
}

static const struct node *exact_form(struct run *run, const struct node *form)
{
    const struct bound *bound = bound_find(run, form);
    if (!bound)
        return NULL;
    if (bound->lane)
        return node_vector(run->nodes, bound->lane);
    return bound->low == bound->high ? node_const(run->nodes, bound->low) : NULL;
}

static const struct node *resolve_work(struct run *run, const struct node *node, int depth);

// The smaller or the greater of two numbers, where the run knows which one it is; else NULL.
static const struct node *known_extreme(struct run *run, const struct node *node)
{
    const struct node *a = node->expr.argument[0], *b = node->expr.argument[1];
    int64_t low, high;
    if (node->shape != SHAPE_UNIFORM)
        return NULL;
    interval_of(run, node_binary(run->nodes, IR_SUB, 64, true, a, b), &low, &high);
    if (low > high || (low < 0 && high > 0))
        return NULL;
    return (high <= 0) == (node->expr.op == IR_MIN) ? a : b;
}

// The expression of other arguments.
static const struct node *of_arguments(struct node_pool *pool, const struct node *node,
                                       const struct node *const *argument)
{
    if (node->expr.op == NODE_OP_MERGE)
        return node_select(pool, argument[0], argument[1], argument[2]);
    if (node->expr.op == NODE_OP_GT0)
        return node_binary(pool, IR_GT, 64, true, argument[0], pool->zero);
    if (node->expr.op == NODE_OP_EQ0)
        return node_binary(pool, IR_EQ, 64, true, argument[0], pool->zero);
    if (node->expr.op == NODE_OP_NE0)
        return node_binary(pool, IR_NE, 64, true, argument[0], pool->zero);
    if (node->expr.op >= IR_ADD && node->expr.op <= IR_MAX && node->expr.bits == 0) // of floats
        return node_expr(pool, node->expr.op, 0, 0, argument[0], argument[1], NULL);
    if (node->expr.op >= IR_ADD && node->expr.op <= IR_MAX)
        return node_binary(pool, (enum ir_op_code)node->expr.op, node->expr.bits, true, argument[0],
                           argument[1]);
    if (node->expr.op == IR_NOT)
        return node_unary(pool, IR_NOT, node->expr.bits, true, argument[0]);
    if (node->expr.op == NODE_OP_LANE && node_known(argument[0])) {
        int64_t value = 0;
        node_lane(argument[0], (uint32_t)node->expr.number, &value);
        return node_const(pool, value);
    }
    return node;
}

static const struct node *resolve_at(struct run *run, const struct node *node, int depth)
{
    if (depth > MAX_DEPTH || node_known(node))
        return node;
    struct memo *memo = memo_of(run, node);
    if (memo_holds(run, node, &memo->resolved_version))
        return memo->resolved;
    const struct node *resolved = resolve_work(run, node, depth);
    struct memo *keep = memo_of(run, node);
    keep->resolved_version = run->engine->values.memo_version;
    keep->resolved = resolved;
    return resolved;
}

static const struct node *resolve_work(struct run *run, const struct node *node, int depth)
{
    struct node_pool *pool = run->nodes;
    switch (node->kind) {
    case NODE_ATOM: {
        const struct node *exact = exact_form(run, node);
        if (!exact && node->atom.low == node->atom.high)
            exact = node_const(pool, node->atom.low);
        return exact ? exact : node;
    }
    case NODE_LINEAR: {
        struct split split = split_of(run, node);
        const struct node *exact = exact_form(run, split.form);
        const struct node *sum = split.base;
        if (exact)
            return node_binary(pool, split.sign > 0 ? IR_ADD : IR_SUB, 64, true, sum, exact);
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            const struct node *atom = resolve_at(run, node->linear.term[i].atom, depth + 1);
            const struct node *factor = node_const(pool, node->linear.term[i].factor);
            sum = node_binary(pool, IR_ADD, 64, true, sum,
                              node_binary(pool, IR_MUL, 64, true, atom, factor));
        }
        return sum;
    }
    case NODE_EXPR: {
        const struct node *exact = exact_form(run, node);
        if (exact)
            return exact;
        const struct node *answer = known_answer(run, node);
        if (answer)
            return answer;
        const struct node *argument[NODE_ARGUMENTS] = {0};
        bool changed = false;
        for (uint32_t i = 0; i < NODE_ARGUMENTS && node->expr.argument[i]; ++i) {
            argument[i] = resolve_at(run, node->expr.argument[i], depth + 1);
            changed |= argument[i] != node->expr.argument[i];
        }
        int64_t low, high;
        if (!changed && (node->expr.op == IR_MIN || node->expr.op == IR_MAX) && node->expr.bits) {
            const struct node *extreme = known_extreme(run, node);
            if (extreme)
                return extreme;
        }
        if (!changed) {
            interval_form(run, node, &low, &high, depth);
            return low == high && node->shape == SHAPE_UNIFORM ? node_const(pool, low) : node;
        }
        return of_arguments(pool, node, argument);
    }
    case NODE_ADDRESS: {
        const struct node *offset = resolve_at(run, node->address.offset, depth + 1);
        const struct node *rank =
            node->address.rank ? resolve_at(run, node->address.rank, depth + 1) : NULL;
        return node_address(pool, node->address.object, offset, rank);
    }
    case NODE_PIECES: {
        struct node_piece *piece = arena_array(&run->arena, struct node_piece, node->pieces.count);
        for (uint32_t i = 0; i < node->pieces.count; ++i) {
            piece[i] = node->pieces.piece[i];
            piece[i].value = resolve_at(run, piece[i].value, depth + 1);
        }
        return node_pieces(pool, piece, node->pieces.count);
    }
    default:
        return node;
    }
}

const struct node *resolve(struct run *run, const struct node *node)
{
    return resolve_at(run, node, 0);
}

// An expression in one thread; NULL where that is not one number that is the same for all.
static const struct node *expr_in_thread(struct run *run, const struct node *node, uint32_t thread)
{
    if (node->shape == SHAPE_UNIFORM)
        return node;
    if (node->expr.op == NODE_OP_LOAD || node->expr.op == NODE_OP_CALL)
        return NULL;
    const struct node *argument[NODE_ARGUMENTS] = {0};
    for (uint32_t i = 0; i < NODE_ARGUMENTS && node->expr.argument[i]; ++i)
        if (!(argument[i] = resolve_in_thread(run, node->expr.argument[i], thread)))
            return NULL;
    const struct node *value = of_arguments(run->nodes, node, argument);
    return value->shape == SHAPE_UNIFORM ? value : NULL;
}

const struct node *resolve_in_thread(struct run *run, const struct node *node, uint32_t thread)
{
    struct node_pool *pool = run->nodes;
    int64_t number;
    if (node_lane(node, thread, &number))
        return node_const(pool, number);
    if (node->kind == NODE_EXPR)
        return expr_in_thread(run, node, thread);
    if (node->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < node->pieces.count; ++i)
            if (mask_has(node->pieces.piece[i].mask, thread))
                return resolve_in_thread(run, node->pieces.piece[i].value, thread);
        return NULL;
    }
    if (node->kind != NODE_LINEAR)
        return node->kind == NODE_ATOM && node->shape == SHAPE_UNIFORM ? node : NULL;
    const struct node *sum = resolve_in_thread(run, node->linear.base, thread);
    for (uint32_t i = 0; sum && i < node->linear.count; ++i) {
        const struct node *atom = resolve_in_thread(run, node->linear.term[i].atom, thread);
        const struct node *factor = node_const(pool, node->linear.term[i].factor);
        sum = atom ? node_binary(pool, IR_ADD, 64, true, sum,
                                 node_binary(pool, IR_MUL, 64, true, atom, factor))
                   : NULL;
    }
    return sum;
}
