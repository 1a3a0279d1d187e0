// What the launches of the shape say of the arguments and of the grid: the host's own sums, made
// nodes of the run again, with a symbol for each number of the host that nobody knows.
#include <string.h>

#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/walk/walk.h"

#define HOST_KEY UINT64_C(0x6000000000000000)

static const struct node *quantity_node(struct run *run, uint32_t call, uint32_t at,
                                        const struct engine_quantity *quantity,
                                        const struct node *const *node)
{
    struct node_pool *pool = run->nodes;
    const struct node *a = node[quantity->argument[0]], *b = node[quantity->argument[1]];
    switch (quantity->op) {
    case IR_CONST:
        return node_const(pool, quantity->low);
    case IR_PARAM:
        return node_atom(pool, HOST_KEY + call * UINT64_C(0x10000) + at, "", SHAPE_UNIFORM,
                         quantity->low, quantity->high);
    case IR_ADD:
    case IR_MUL:
        return node_binary(pool, (enum ir_op_code)quantity->op, 64, true, a, b);
    case NODE_OP_GT0:
    case NODE_OP_EQ0:
    case NODE_OP_NE0:
        return node_expr(pool, quantity->op, 1, 0, a, NULL, NULL);
    case NODE_OP_MERGE:
        return node_select(pool, a, b, node[quantity->argument[2]]);
    default:
        return node_expr(pool, quantity->op, 64, 0, a, b, NULL);
    }
}

static void add_bound(struct launched_call *call, const struct node *form, int64_t low,
                      int64_t high)
{
    if (!node_known(form))
        call->bound[call->bounds++] = (struct bound){.form = form, .low = low, .high = high};
}

static void read_call(struct run *run, uint32_t at, struct launched_call *out)
{
    const struct engine_shape *shape = &run->engine->shape;
    const struct engine_call *call = shape->call[at];
    const struct node **node =
        arena_array(&run->arena, const struct node *, (size_t)call->quantities + 1);
    for (uint32_t i = 1; i <= call->quantities; ++i)
        node[i] = quantity_node(run, at, i, &call->quantity[i], node);
    for (uint32_t k = 0; k < 3; ++k) {
        out->grid[k] = call->grid[k] ? node[call->grid[k]] : NULL;
        if (call->block[k])
            add_bound(out, node[call->block[k]], shape->block[k], shape->block[k]);
        int64_t blocks = shape->grid[k];
        if (out->grid[k])
            add_bound(out, out->grid[k], blocks > 0 ? blocks : 1, blocks > 0 ? blocks : INT32_MAX);
    }
    out->of_extents = out->bounds;
    out->symbols = HOST_KEY + at * UINT64_C(0x10000);
    out->step = arena_array(&run->arena, int64_t, ENGINE_QUANTITIES);
    call_steps(call, out->step);
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i)
        out->argument[i] = call->argument[i] ? node[call->argument[i]] : NULL;
    for (uint32_t i = 0; i < call->conditions; ++i)
        add_bound(out, node[call->condition[i].quantity], call->condition[i].low,
                  call->condition[i].high);
}

// Of launches of which nothing but some numbers is known that all of them pass.
static void read_passed(struct run *run, struct launched_call *out)
{
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i)
        if (run->engine->passed >> i & 1)
            out->argument[i] = node_const(run->nodes, run->engine->shape.argument[i]);
}

// Adds those of the conditions that numbers are found for, together with those before them; which
// ones they are, a bit for each.
static uint32_t add_possible(struct run *run, const struct bound *condition, uint32_t conditions,
                             struct launched_call *call)
{
    uint32_t possible = 0;
    for (uint32_t i = 0; i < conditions; ++i) {
        call->bound[call->bounds++] = condition[i];
        if (launched_is_possible(run, call))
            possible |= 1u << i;
        else
            --call->bounds;
    }
    return possible;
}

// Conditions that no numbers are found for say nothing of others: those of which that is so, where
// the ones before them hold, are left out.
static void keep_what_can_be(struct run *run, uint32_t at, struct launched_call *call)
{
    struct call_use *use = &run->engine->call_use[at];
    struct bound condition[ENGINE_CONDITIONS];
    uint32_t conditions = call->bounds - call->of_extents;
    bool is_new = use->known == CALL_UNKNOWN;
    if (is_new)
        use->known = launched_is_possible(run, call) ? CALL_WHOLE : CALL_IN_PART;
    if (use->known == CALL_WHOLE)
        return;
    memcpy(condition, &call->bound[call->of_extents], conditions * sizeof *condition);
    call->bounds = call->of_extents;
    if (is_new && !launched_is_possible(run, call))
        use->known = CALL_NOTHING;
    else if (is_new)
        use->possible = add_possible(run, condition, conditions, call);
    else
        for (uint32_t i = 0; i < conditions; ++i)
            if (use->possible >> i & 1)
                call->bound[call->bounds++] = condition[i];
    if (use->known == CALL_NOTHING)
        *call = (struct launched_call){0};
}

uint32_t launched_calls(struct run *run, const struct launched_call **out)
{
    const struct engine_shape *shape = &run->engine->shape;
    if (!run->launched_calls) {
        uint32_t count = shape->calls ? shape->calls : run->engine->passed != 0;
        struct launched_call *call = arena_array(&run->arena, struct launched_call, count + 1);
        run->launched_calls = call;
        run->launched_count = count;
        for (uint32_t i = 0; i < shape->calls; ++i) {
            read_call(run, i, &call[i]);
            keep_what_can_be(run, i, &call[i]);
        }
        if (!shape->calls && count)
            read_passed(run, call);
    }
    *out = run->launched_calls;
    return run->launched_count;
}

// --- What all launches of the shape say of an argument -------------------------------------------

// Whether the node says how many blocks of some size it takes for `count`, the last of them perhaps
// in part: (count + size - 1) / size or (count - 1) / size + 1. Or how many it takes in whole
// clusters: (count + size - 1) / size * blocks. Or as many as that, up to a number of blocks.
static bool rounds_up(const struct node *blocks, const struct node *count)
{
    int64_t added = 0, number;
    if (blocks->kind == NODE_EXPR && blocks->expr.op == IR_MIN)
        return rounds_up(blocks->expr.argument[0], count) ||
               rounds_up(blocks->expr.argument[1], count);
    if (blocks->kind == NODE_LINEAR && blocks->linear.count == 1 &&
        blocks->linear.base->kind == NODE_CONST &&
        (blocks->linear.term[0].factor == 1 ||
         (blocks->linear.term[0].factor > 1 && blocks->linear.base->value == 0))) {
        added = blocks->linear.base->value;
        blocks = blocks->linear.term[0].atom;
    }
    if (blocks->kind != NODE_EXPR || blocks->expr.op != IR_DIV ||
        blocks->expr.argument[1]->kind != NODE_CONST || node_known(count))
        return false;
    int64_t size = blocks->expr.argument[1]->value;
    return size > 1 && node_is_plus(blocks->expr.argument[0], count, &number) &&
           number == (added == 1 ? -1 : size - 1) && (added == 0 || added == 1);
}

bool launched_rounds_up(struct run *run, uint32_t argument)
{
    const struct launched_call *call;
    uint32_t count = launched_calls(run, &call);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < 3; ++k)
            if (call[i].argument[argument] && call[i].grid[k] &&
                rounds_up(call[i].grid[k], call[i].argument[argument]))
                return true;
    return false;
}

// Whether the number may be made of the other.
static bool mentions(const struct node *node, const struct node *other, int depth)
{
    enum { MOST_DEPTH = 12 };
    if (node == other || depth > MOST_DEPTH)
        return true;
    bool found = false;
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS; ++i)
        found |= node->expr.argument[i] && mentions(node->expr.argument[i], other, depth + 1);
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i)
        found |= mentions(node->linear.term[i].atom, other, depth + 1);
    return found;
}

bool launched_otherwise(struct run *run, const struct node *value)
{
    const struct engine *engine = run->engine;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        const struct node *argument =
            engine->passed >> i & 1 ? node_find_atom(run->nodes, ARGUMENT_KEY + i) : NULL;
        const struct bound *bound = argument ? bound_find(run, argument) : NULL;
        if (bound && bound->low == bound->high && bound->low != engine->shape.argument[i] &&
            mentions(value, argument, 0))
            return true;
    }
    return false;
}

bool launched_apart(struct run *run, uint32_t argument)
{
    const struct launched_call *call;
    uint32_t count = launched_calls(run, &call);
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *passed = call[i].argument[argument];
        if (!passed || passed->kind != NODE_ATOM || launched_step_of(&call[i], passed) > 1)
            return false;
        for (uint32_t k = 0; k < 3; ++k)
            if (!call[i].grid[k] || mentions(call[i].grid[k], passed, 0))
                return false;
    }
    return count > 0;
}

// The number by which `count` is divided, and rounded down, for that many blocks; 0 where it is
// not.
static int64_t share_of(const struct node *blocks, const struct node *count)
{
    int64_t share = 1;
    for (; blocks != count && share; blocks = blocks->expr.argument[0]) {
        if (blocks->kind != NODE_EXPR || blocks->expr.op != IR_DIV ||
            blocks->expr.argument[1]->kind != NODE_CONST || blocks->expr.argument[1]->value <= 0 ||
            __builtin_mul_overflow(share, blocks->expr.argument[1]->value, &share))
            return 0;
    }
    return node_known(count) ? 0 : share;
}

int64_t launched_share(struct run *run, uint32_t argument)
{
    const struct launched_call *call;
    uint32_t count = launched_calls(run, &call);
    int64_t all = 0;
    for (uint32_t i = 0; i < count; ++i) {
        int64_t share = call[i].argument[argument] && call[i].grid[0]
                            ? share_of(call[i].grid[0], call[i].argument[argument])
                            : 0;
        if (share == 0 || (i && share != all))
            return 0;
        all = share;
    }
    return all;
}

bool launched_number(struct run *run, uint64_t argument, int64_t least, int64_t below, int64_t *out)
{
    const struct launched_call *call;
    uint32_t count = argument < ENGINE_ARGUMENTS ? launched_calls(run, &call) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *passed = call[i].argument[argument];
        if (!passed || passed->kind != NODE_CONST || passed->value < least ||
            passed->value >= below)
            continue;
        *out = passed->value;
        return true;
    }
    return false;
}

int64_t launched_step_of(const struct launched_call *call, const struct node *symbol)
{
    uint64_t at = symbol->kind == NODE_ATOM ? symbol->atom.key - call->symbols : UINT64_MAX;
    return at < ENGINE_QUANTITIES && call->step && call->step[at] > 1 ? call->step[at] : 1;
}

int64_t launched_step(struct run *run, uint32_t argument)
{
    const struct launched_call *call;
    uint32_t count = launched_calls(run, &call);
    int64_t all = 0;
    if (run->engine->passed >> argument & 1)
        return 1; // what one number is a multiple of says nothing of others
    for (uint32_t i = 0; i < count; ++i) {
        const struct engine_call *of =
            i < run->engine->shape.calls ? run->engine->shape.call[i] : NULL;
        bool is_known = of && of->argument[argument] && call[i].step;
        all = common_step(all, is_known ? call[i].step[of->argument[argument]] : 1);
    }
    return all > 1 ? all : 1;
}

bool launched_power(struct run *run, uint32_t argument)
{
    const struct launched_call *call;
    uint32_t count = launched_calls(run, &call);
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *passed = call[i].argument[argument];
        if (passed && passed->kind == NODE_EXPR && passed->expr.op == IR_SHL)
            passed = passed->expr.argument[0];
        if (!passed || passed->kind != NODE_CONST || passed->value <= 0 ||
            passed->value & (passed->value - 1))
            return false;
    }
    return count > 0;
}
