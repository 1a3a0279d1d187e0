// What the host makes a launch of: extents and arguments as it computes them, and the conditions
// that hold where it launches. It outlives the host's run as quantities on quantities, so that the
// kernel's run can ask which numbers the host can come to (decisions/launched.c).
#include <string.h>

#include "base/mix.h"
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/values/value_internal.h"
#include "engine/walk/walk.h"

enum {
    MOST_DEPTH = 24,       // of an expression that is kept
    MOST_OF_OPERANDS = 96, // quantities; the rest is for conditions
    MOST_LOOKED_AT = 256,  // parts of a condition
    KEPT = 256,            // values whose quantities are remembered
    SLOTS = 512,           // of the tables by which quantities are found
};

// A call that is being written down, and which value each quantity is.
struct keeping {
    struct run *run;
    struct engine_call *call;
    const struct node *node[ENGINE_QUANTITIES];
    // Open addressing: the quantities by what they are, and those of symbols by the value.
    uint16_t by_content[SLOTS], by_node[SLOTS];
    bool related; // only conditions on what the operands are made of are taken
    // The quantities of values met lately: parts of one come again in others, and in itself.
    struct {
        const struct node *node;
        int depth;
        uint16_t quantity;
    } kept[KEPT];
};

static uint16_t keep(struct keeping *keeping, const struct node *node, int depth);

// Either table has room for more than there are quantities.
static uint16_t *next_slot(uint16_t *table, uint16_t *slot)
{
    return slot + 1 < table + SLOTS ? slot + 1 : table;
}

// Where the quantity stands that the symbol is, or 0 where it is none yet.
static uint16_t *find_symbol(struct keeping *keeping, const struct node *node)
{
    uint16_t *slot = &keeping->by_node[node->id % SLOTS];
    while (*slot && keeping->node[*slot] != node)
        slot = next_slot(keeping->by_node, slot);
    return slot;
}

// 0 where there is no room left.
static uint16_t put(struct keeping *keeping, const struct node *node, struct engine_quantity one)
{
    struct engine_call *call = keeping->call;
    const uint16_t *part = one.argument;
    uint64_t parts =
        one.op | (uint64_t)part[0] << 16 | (uint64_t)part[1] << 32 | (uint64_t)part[2] << 48;
    uint64_t hash =
        mix(mix(mix(node ? node->id : 0, parts), (uint64_t)one.low), (uint64_t)one.high);
    uint16_t *slot = &keeping->by_content[hash % SLOTS];
    for (; *slot; slot = next_slot(keeping->by_content, slot)) {
        if (memcmp(&call->quantity[*slot], &one, sizeof one) == 0 && keeping->node[*slot] == node)
            return *slot;
    }
    if (call->quantities + 1 == ENGINE_QUANTITIES)
        return 0;
    *slot = (uint16_t)++call->quantities;
    call->quantity[*slot] = one;
    keeping->node[*slot] = node;
    if (node)
        *find_symbol(keeping, node) = *slot;
    return *slot;
}

static uint16_t put_number(struct keeping *keeping, int64_t number)
{
    return put(keeping, NULL,
               (struct engine_quantity){.op = IR_CONST, .low = number, .high = number});
}

static uint16_t put_operation(struct keeping *keeping, uint16_t op, const uint16_t *argument,
                              uint32_t count)
{
    struct engine_quantity one = {.op = op};
    for (uint32_t i = 0; i < count; ++i) {
        if (!argument[i])
            return 0;
        one.argument[i] = argument[i];
    }
    return put(keeping, NULL, one);
}

static uint16_t put_pair(struct keeping *keeping, uint16_t op, uint16_t a, uint16_t b)
{
    return put_operation(keeping, op, (uint16_t[]){a, b}, 2);
}

static uint16_t put_symbol(struct keeping *keeping, const struct node *node)
{
    struct engine_quantity one = {.op = IR_PARAM};
    interval_of(keeping->run, node, &one.low, &one.high);
    return put(keeping, node, one);
}

static uint16_t keep_sum(struct keeping *keeping, const struct node *node, int depth)
{
    int64_t base = node->linear.base->value;
    uint16_t sum = 0;
    for (uint32_t i = 0; i < node->linear.count; ++i) {
        uint16_t term = keep(keeping, node->linear.term[i].atom, depth + 1);
        if (node->linear.term[i].factor != 1)
            term =
                put_pair(keeping, IR_MUL, put_number(keeping, node->linear.term[i].factor), term);
        sum = i == 0 ? term : put_pair(keeping, IR_ADD, sum, term);
    }
    return base ? put_pair(keeping, IR_ADD, sum, put_number(keeping, base)) : sum;
}

uint32_t engine_quantity_arity(uint16_t op)
{
    switch (op) {
    case IR_CONST:
    case IR_PARAM:
        return 0;
    case NODE_OP_GT0:
    case NODE_OP_EQ0:
    case NODE_OP_NE0:
    case NODE_OP_LOG2:
        return 1;
    case IR_ADD:
    case IR_MUL:
    case IR_DIV:
    case IR_REM:
    case IR_SHL:
    case IR_SHR:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_MIN:
    case IR_MAX:
        return 2;
    case NODE_OP_MERGE:
        return 3;
    default:
        return UINT32_MAX;
    }
}

// What the value is made of, as it is written, without a look at what the host's run has decided.
static uint16_t keep_written(struct keeping *keeping, const struct node *node, int depth)
{
    if (node->kind == NODE_CONST)
        return put_number(keeping, node->value);
    uint16_t kept = 0;
    if (depth < MOST_DEPTH && node->kind == NODE_LINEAR && node->linear.base->kind == NODE_CONST) {
        kept = keep_sum(keeping, node, depth);
    } else if (depth < MOST_DEPTH && node->kind == NODE_EXPR) {
        uint16_t argument[3] = {0};
        uint32_t count = engine_quantity_arity(node->expr.op);
        bool can_be_kept = count > 0 && count <= 3;
        for (uint32_t i = 0; can_be_kept && i < count; ++i)
            argument[i] = keep(keeping, node->expr.argument[i], depth + 1);
        kept = can_be_kept ? put_operation(keeping, node->expr.op, argument, count) : 0;
    }
    return kept ? kept : put_symbol(keeping, node);
}

// The quantity that the value is, 0 where there is no room.
static uint16_t keep(struct keeping *keeping, const struct node *node, int depth)
{
    uint16_t symbol = *find_symbol(keeping, node);
    if (symbol)
        return symbol;
    uint32_t at = node->id % KEPT;
    if (keeping->kept[at].node != node || keeping->kept[at].depth > depth) {
        const struct node *now = node_plain(resolve(keeping->run, node_plain(node)));
        uint16_t quantity = keep_written(keeping, now, depth);
        keeping->kept[at].node = node;
        keeping->kept[at].depth = depth;
        keeping->kept[at].quantity = quantity;
    }
    return keeping->kept[at].quantity;
}

// Whether one of the symbols that the operands are made of is part of the value.
static bool is_related(const struct keeping *keeping, const struct node *node, uint32_t *looked)
{
    node = node_plain(node);
    if (++*looked > MOST_LOOKED_AT)
        return true;
    for (uint16_t i = 1; i <= keeping->call->of_operands; ++i)
        if (keeping->node[i] == node)
            return true;
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i)
        if (is_related(keeping, node->linear.term[i].atom, looked))
            return true;
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS; ++i)
        if (node->expr.argument[i] && is_related(keeping, node->expr.argument[i], looked))
            return true;
    return false;
}

// The form is kept as it is written: by this very bound `n % 64` would be no more than a 0.
static void add_bound(struct keeping *keeping, const struct node *form, int64_t low, int64_t high)
{
    struct engine_call *call = keeping->call;
    uint32_t looked = 0;
    if (low == INT64_MIN && high == INT64_MAX)
        return; // single numbers are excluded, which is not said
    if (call->conditions == ENGINE_CONDITIONS)
        return;
    if (keeping->related && !is_related(keeping, form, &looked))
        return;
    uint16_t quantity = keep_written(keeping, node_plain(form), 0);
    if (!quantity || call->quantity[quantity].op == IR_CONST)
        return;
    struct engine_condition one = {low, high, quantity};
    for (uint32_t i = 0; i < call->conditions; ++i)
        if (memcmp(&call->condition[i], &one, sizeof one) == 0)
            return;
    call->condition[call->conditions++] = one;
}

static void add_condition(struct keeping *keeping, const struct node *condition, bool holds)
{
    if (condition->kind != NODE_EXPR)
        return;
    const struct node *const *argument = condition->expr.argument;
    switch (condition->expr.op) {
    case NODE_OP_GT0:
        add_bound(keeping, argument[0], holds ? 1 : INT64_MIN, holds ? INT64_MAX : 0);
        return;
    case NODE_OP_EQ0:
    case NODE_OP_NE0:
        if (node_is_boolean(argument[0]))
            add_condition(keeping, argument[0], holds == (condition->expr.op == NODE_OP_NE0));
        else if (holds == (condition->expr.op == NODE_OP_EQ0))
            add_bound(keeping, argument[0], 0, 0);
        else
            add_bound(keeping, condition, holds, holds);
        return;
    case IR_AND:
    case IR_OR:
        if (holds == (condition->expr.op == IR_AND)) {
            add_condition(keeping, argument[0], holds);
            add_condition(keeping, argument[1], holds);
        } else if (condition->expr.bits == 1) {
            add_bound(keeping, condition, holds, holds);
        }
        return;
    case NODE_OP_MERGE: // what `a && b` comes to where it is returned or kept: a ? b : false
        for (int i = 1; i <= 2; ++i) {
            if (argument[i]->kind == NODE_CONST && (argument[i]->value != 0) != holds) {
                add_condition(keeping, argument[0], i == 2);
                add_condition(keeping, argument[3 - i], holds);
                return;
            }
        }
        return;
    default:
        return;
    }
}

// What the host has checked of it: count % 64 == 0.
static int64_t checked_step(const struct engine_call *call, uint32_t at)
{
    for (uint32_t i = 0; i < call->conditions; ++i) {
        const struct engine_condition *one = &call->condition[i];
        const struct engine_quantity *asked = &call->quantity[one->quantity];
        const struct engine_quantity *by = &call->quantity[asked->argument[1]];
        if (one->low == 0 && one->high == 0 && asked->op == IR_REM && asked->argument[0] == at &&
            by->op == IR_CONST && by->low > 1)
            return by->low;
    }
    return 1;
}

// Of what is a multiple of both: 192 of 48 and 64.
static int64_t step_of_both(int64_t a, int64_t b)
{
    int64_t both;
    return a == 0 || __builtin_mul_overflow(a / common_step(a, b), b, &both) ? a : both;
}

void call_steps(const struct engine_call *call, int64_t *step)
{
    for (uint32_t i = 1; i <= call->quantities; ++i) {
        const struct engine_quantity *one = &call->quantity[i];
        int64_t a = step[one->argument[0]], b = step[one->argument[1]];
        switch (one->op) {
        case IR_CONST:
            step[i] = one->low == INT64_MIN ? 1 : one->low;
            break;
        case IR_ADD:
        case IR_MIN:
        case IR_MAX:
            step[i] = common_step(a, b);
            break;
        case NODE_OP_MERGE:
            step[i] = common_step(b, step[one->argument[2]]);
            break;
        case IR_MUL:
            if (__builtin_mul_overflow(a, b, &step[i]))
                step[i] = 1;
            break;
        default:
            step[i] = 1;
            break;
        }
        step[i] = step_of_both(step[i], checked_step(call, i));
    }
}

void host_checked(struct run *run, struct group *group, const struct node *condition)
{
    struct checked *checked = arena_new(&run->arena, struct checked);
    *checked = (struct checked){group->checked, group->arms, condition};
    group->checked = checked;
}

// What was checked in the arm of a condition holds there only.
static bool is_within(const struct arms *arms, const struct arms *outer)
{
    while (arms != outer && arms)
        arms = arms->outer;
    return arms == outer;
}

static uint16_t keep_number(struct keeping *keeping, const struct node *node)
{
    bool is_number = node && node->kind != NODE_ADDRESS && node->kind != NODE_PIECES;
    return is_number ? keep(keeping, node, 0) : 0;
}

static uint16_t keep_operand(struct keeping *keeping, struct group *group, const struct ir_op *op,
                             uint32_t which)
{
    struct run *run = keeping->run;
    const struct ir_function *function = frame_function(run, group->frame);
    ir_value operand = which < op->operand_count ? ir_operand(function, op, which) : IR_NONE;
    return operand == IR_NONE ? 0 : keep_number(keeping, operand_of(run, group, operand));
}

static void keep_conditions(struct keeping *keeping, const struct group *group)
{
    struct run *run = keeping->run;
    for (const struct arms *arms = group->arms; arms; arms = arms->outer)
        add_condition(keeping, arms->condition, true);
    for (const struct checked *one = group->checked; one; one = one->earlier)
        if (is_within(group->arms, one->arms))
            add_condition(keeping, one->condition, true);
    for (ptrdiff_t i = 0; i < arrlen(run->bound); ++i)
        if (!run->bound[i].lane && run->bound[i].form->kind != NODE_ATOM)
            add_bound(keeping, run->bound[i].form, run->bound[i].low, run->bound[i].high);
}

void host_call(struct run *run, struct group *group, const struct ir_op *op,
               const struct ir_function *kernel, struct engine_call *out)
{
    *out = (struct engine_call){0};
    struct keeping keeping = {.run = run, .call = out};
    for (uint32_t k = 0; k < 3; ++k) {
        out->block[k] = keep_operand(&keeping, group, op, (uint32_t)IR_LAUNCH_BLOCK_X + k);
        out->grid[k] = keep_operand(&keeping, group, op, (uint32_t)IR_LAUNCH_GRID_X + k);
    }
    const struct ir_unit *unit = run->engine->unit;
    struct argument argument[ENGINE_ARGUMENTS];
    uint32_t count = arguments_of(unit, kernel, argument);
    for (uint32_t i = 0; i < count && out->quantities < MOST_OF_OPERANDS; ++i)
        if (unit->type[argument[i].type].kind == IR_TYPE_INT)
            out->argument[i] = keep_number(&keeping, argument_passed(run, group, op, &argument[i]));
    out->of_operands = out->quantities;
    // First what is checked of them: a program also checks each of its calls for success.
    keeping.related = true;
    keep_conditions(&keeping, group);
    keeping.related = false;
    keep_conditions(&keeping, group);
}
