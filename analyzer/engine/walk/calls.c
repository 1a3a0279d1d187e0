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
    LANES = 32,
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

// --- Numbers for a launch that nobody calls ------------------------------------------------------

// What an operation comes to; false where it comes to nothing.
static bool operation_number(const struct engine_quantity *one, const bool *known,
                             const int64_t *value, int64_t *out)
{
    const uint16_t *from = one->argument;
    uint32_t count = engine_quantity_arity(one->op);
    if (one->op == NODE_OP_MERGE) {
        uint16_t taken = value[from[0]] ? from[1] : from[2];
        *out = value[taken];
        return known[from[0]] && known[taken];
    }
    for (uint32_t i = 0; i < count; ++i)
        if (!known[from[i]])
            return false;
    int64_t a = value[from[0]], b = value[from[1]];
    switch (one->op) {
    case NODE_OP_GT0:
        *out = a > 0;
        return true;
    case NODE_OP_EQ0:
        *out = a == 0;
        return true;
    case NODE_OP_NE0:
        *out = a != 0;
        return true;
    case NODE_OP_LOG2:
        *out = whole_log2(a);
        return true;
    default:
        if (count != 2 || ((one->op == IR_DIV || one->op == IR_REM) && b == 0))
            return false;
        *out = known_binary((enum ir_op_code)one->op, 64, true, a, b);
        return true;
    }
}

// Works all out that the call's quantities come to where the one number is `given`.
static void work_out(const struct engine_call *call, uint32_t number, int64_t given, bool *known,
                     int64_t *value)
{
    known[0] = false;
    value[0] = 0;
    for (uint32_t i = 1; i <= call->quantities; ++i) {
        const struct engine_quantity *one = &call->quantity[i];
        value[i] = i == number ? given : one->low;
        if (one->op == IR_CONST || one->op == IR_PARAM)
            known[i] = i == number || one->low == one->high;
        else
            known[i] = operation_number(one, known, value, &value[i]);
    }
}

// Which numbers that nobody knows the quantity rests on: none (0), one, or several (UINT32_MAX).
static uint32_t rests_on(const struct engine_call *call, uint32_t at)
{
    const struct engine_quantity *one = &call->quantity[at];
    if (at == 0 || one->op == IR_CONST)
        return 0;
    if (one->op == IR_PARAM)
        return one->low == one->high ? 0 : at;
    uint32_t all = 0;
    for (int i = 0; i < 3; ++i) {
        uint32_t number = rests_on(call, one->argument[i]);
        all = !all || all == number ? number : number ? UINT32_MAX : all;
    }
    return all;
}

// Whether nothing that the host asks of the numbers is known to be otherwise; `asks`: of this one.
static bool passes(const struct engine_call *call, uint32_t number, const bool *known,
                   const int64_t *value, bool *asks)
{
    for (uint32_t i = 0; i < call->conditions; ++i) {
        const struct engine_condition *one = &call->condition[i];
        if (known[one->quantity] &&
            (value[one->quantity] < one->low || value[one->quantity] > one->high))
            return false;
        *asks |= rests_on(call, (uint32_t)one->quantity) == number;
    }
    return true;
}

// Whether the neighbours of the number do not make the same of the quantity, as those of a count
// do that is rounded up.
static bool is_made_by_one(const struct engine_call *call, uint32_t at, uint32_t number,
                           int64_t given, bool *known, int64_t *value)
{
    work_out(call, number, given, known, value);
    int64_t made = value[at];
    for (int64_t away = -1; away <= 1; away += 2) {
        work_out(call, number, given + away, known, value);
        if (!known[at] || value[at] == made)
            return false;
    }
    return true;
}

// Whether one more of the number makes so many whole warps more of the extent.
static bool counts_warps(const struct engine_call *call, uint32_t at, uint32_t number,
                         int64_t given, bool *known, int64_t *value)
{
    work_out(call, number, given, known, value);
    int64_t made = value[at];
    work_out(call, number, given + 1, known, value);
    return known[at] && made % LANES == 0 && value[at] % LANES == 0;
}

// Whether the extent is one of whole warps, and the number counts warps or is one of whole warps
// itself, as the length of a row is.
static bool is_of_warps(const struct engine_call *call, uint32_t at, uint32_t number, int64_t given,
                        bool *known, int64_t *value)
{
    work_out(call, number, given, known, value);
    return value[at] % LANES == 0 &&
           (given % LANES == 0 || counts_warps(call, at, number, given, known, value));
}

// call_extent() where the extent rests on that one number.
static bool extent_of_one(const struct engine_call *call, int axis, uint32_t number, int64_t wanted,
                          int64_t *extent, bool *known, int64_t *value)
{
    enum { MOST_THREADS = 1024, APART = 1 << 16 };
    uint32_t block = call->block[axis];
    int64_t best = -1, nearest = INT64_MAX;
    bool asks = false;
    // What is known of the number itself stands in its quantity, as n > 32 where it launches.
    const struct engine_quantity *one = &call->quantity[number];
    for (int64_t given = one->low > 1 ? one->low : 1; given <= MOST_THREADS; ++given) {
        work_out(call, number, given, known, value);
        if (given > one->high || !known[block] || value[block] < 1 || value[block] > MOST_THREADS ||
            !passes(call, number, known, value, &asks))
            continue;
        int64_t away = value[block] < wanted ? 2 * (wanted - value[block]) : value[block] - wanted;
        away += is_of_warps(call, block, number, given, known, value) ? 0 : APART;
        if (away < nearest) {
            nearest = away;
            best = given;
        }
    }
    bool sure =
        asks || (nearest < APART && is_made_by_one(call, block, number, best, known, value));
    if (best < 0 || !sure)
        return false;
    work_out(call, number, best, known, value);
    *extent = value[block];
    return true;
}

// What the extents of the block come to with these numbers; false where they are none of a block.
static bool extents_of(const struct engine_call *call, const bool *known, const int64_t *value,
                       int64_t *extent)
{
    enum { MOST_THREADS = 1024 };
    int64_t threads = 1;
    for (int k = 0; k < 3; ++k) {
        extent[k] = value[call->block[k]];
        if (!known[call->block[k]] || extent[k] < 1 || extent[k] > MOST_THREADS)
            return false;
        threads *= extent[k];
    }
    return threads <= MOST_THREADS;
}

// How far from rows of the wanted length those are: whole warps come first, then parts of one that
// a warp is cut into.
static int64_t unusual(int64_t row, int64_t wanted)
{
    enum { APART = 1 << 16 };
    if (row % LANES == 0)
        return row < wanted ? 2 * (wanted - row) : row - wanted;
    return row < LANES && LANES % row == 0 ? APART - row : APART + row;
}

bool call_rows(const struct engine_call *call, int64_t wanted, int64_t *extent, bool *known,
               int64_t *value)
{
    enum { MOST_THREADS = 1024 };
    uint32_t number = rests_on(call, call->block[0]);
    if (number == 0 || number == UINT32_MAX || rests_on(call, call->block[1]) != number)
        return false;
    int64_t best = -1, least = INT64_MAX;
    bool asks = false;
    // What is known of the number itself stands in its quantity, as n > 32 where it launches.
    const struct engine_quantity *one = &call->quantity[number];
    for (int64_t given = one->low > 1 ? one->low : 1; given <= MOST_THREADS; ++given) {
        work_out(call, number, given, known, value);
        if (given > one->high || !extents_of(call, known, value, extent) ||
            !passes(call, number, known, value, &asks))
            continue;
        if (unusual(extent[0], wanted) < least) {
            least = unusual(extent[0], wanted);
            best = given;
        }
    }
    if (best < 0)
        return false;
    work_out(call, number, best, known, value);
    return extents_of(call, known, value, extent);
}

// The first number that nobody knows among those that the quantity rests on, 0 for none.
static uint32_t first_unknown(const struct engine_call *call, uint32_t at)
{
    const struct engine_quantity *one = &call->quantity[at];
    uint32_t first = at && one->op == IR_PARAM && one->low != one->high ? at : 0;
    for (int i = 0; at && one->op != IR_CONST && one->op != IR_PARAM && i < 3 && !first; ++i)
        first = first_unknown(call, one->argument[i]);
    return first;
}

// Whether numbers that nobody knows are multiplied with each other: which of them is the length of
// a row, and which says how many there are, is not known.
static bool multiplies_unknown(const struct engine_call *call, uint32_t at)
{
    const struct engine_quantity *one = &call->quantity[at];
    if (at == 0 || one->op == IR_CONST || one->op == IR_PARAM)
        return false;
    bool both =
        one->op == IR_MUL && rests_on(call, one->argument[0]) && rests_on(call, one->argument[1]);
    for (int i = 0; i < 3 && !both; ++i)
        both = multiplies_unknown(call, one->argument[i]);
    return both;
}

// call_extent() where the extent rests on two numbers, the first of which is `few`.
static bool extent_of_two(const struct engine_call *call, int axis, uint32_t first, int64_t few,
                          int64_t wanted, int64_t *extent, bool *known, int64_t *value)
{
    struct engine_call part = *call;
    struct engine_quantity *one = &part.quantity[first];
    uint32_t block = call->block[axis];
    if (few < one->low || few > one->high)
        return false;
    one->low = one->high = few;
    uint32_t number = rests_on(&part, block);
    if (number == 0 || number == UINT32_MAX ||
        !extent_of_one(&part, axis, number, wanted, extent, known, value) || *extent != wanted)
        return false;
    int64_t given = value[number];
    // Of two that are multiplied one may be the length of a row, and which one is not known: both
    // are to count warps.
    bool rows = multiplies_unknown(call, block);
    bool fits = !rows || counts_warps(&part, block, number, given, known, value);
    part.quantity[number].low = part.quantity[number].high = given;
    fits = fits && (rows ? counts_warps(&part, block, first, few, known, value)
                         : is_of_warps(&part, block, first, few, known, value));
    work_out(&part, number, given, known, value);
    return fits;
}

bool call_extent(const struct engine_call *call, int axis, int64_t wanted, int64_t *extent,
                 bool *known, int64_t *value)
{
    static const int64_t few[] = {1, 2, 32, 64}; // warps of a role, or its threads
    uint32_t block = call->block[axis], number = rests_on(call, block);
    if (number != UINT32_MAX)
        return number && extent_of_one(call, axis, number, wanted, extent, known, value);
    for (size_t i = 0; i < sizeof few / sizeof *few; ++i) {
        if (extent_of_two(call, axis, first_unknown(call, block), few[i], wanted, extent, known,
                          value))
            return true;
    }
    return false;
}

// --- Numbers that the host chooses among ---------------------------------------------------------

// Whether nothing is in the quantity but constants and choices among them; `choices` is set where
// there are any.
static bool is_chosen(const struct engine_call *call, uint32_t at, bool *choices)
{
    const struct engine_quantity *one = &call->quantity[at];
    if (at == 0 || one->op == IR_PARAM)
        return false;
    *choices |= one->op == NODE_OP_MERGE;
    for (int i = one->op == NODE_OP_MERGE; i < 3; ++i)
        if (one->argument[i] && !is_chosen(call, one->argument[i], choices))
            return false;
    return true;
}

// The arguments that the call passes as such numbers, a bit each, where all choices rest on one
// number that nobody knows; that one is `number`, 0 where there is no choice.
static uint64_t chosen_arguments(const struct engine_call *call, uint32_t *number)
{
    uint64_t chosen = 0;
    *number = 0;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        bool choices = false;
        uint32_t by = rests_on(call, call->argument[i]);
        if (!is_chosen(call, call->argument[i], &choices) ||
            (choices && (by == 0 || by == UINT32_MAX || (*number && by != *number))))
            continue;
        *number = choices ? by : *number;
        chosen |= UINT64_C(1) << i;
    }
    return chosen;
}

// Whether the call with these numbers is one of the shape.
static bool fits(const struct engine_call *call, const struct engine_shape *shape,
                 const bool *known, const int64_t *value)
{
    for (int k = 0; k < 3; ++k) {
        uint32_t block = call->block[k], grid = call->grid[k];
        if ((known[block] && value[block] != shape->block[k]) ||
            (known[grid] && shape->grid[k] > 0 && value[grid] != shape->grid[k]))
            return false;
    }
    return true;
}

uint32_t call_choices(const struct engine_call *call, const struct engine_shape *shape,
                      struct engine_numbers *choice, uint32_t count, uint32_t most)
{
    enum { MOST_DOUBLINGS = 24 };
    bool known[ENGINE_QUANTITIES], asks = false;
    int64_t value[ENGINE_QUANTITIES];
    uint32_t number;
    uint64_t chosen = chosen_arguments(call, &number) & ~shape->arguments_known;
    for (int p = 0; chosen && p < (number ? MOST_DOUBLINGS : 1) && count < most; ++p) {
        work_out(call, number, INT64_C(1) << p, known, value);
        if (!fits(call, shape, known, value) ||
            (number && !passes(call, number, known, value, &asks)))
            continue;
        struct engine_numbers one = {0};
        for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
            if (!(chosen >> i & 1) || !known[call->argument[i]])
                continue;
            one.known |= UINT64_C(1) << i;
            one.number[i] = value[call->argument[i]];
        }
        uint32_t k = 0;
        while (k < count && memcmp(&choice[k], &one, sizeof one) != 0)
            ++k;
        if (one.known && k == count)
            choice[count++] = one;
    }
    return count;
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
