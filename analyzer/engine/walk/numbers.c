// Which numbers a launch can be made of, where its quantities rest on some that nobody knows:
// extents of a block that is guessed, and arguments that the host chooses among a few.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/values/value_internal.h"
#include "engine/walk/walk.h"

enum { LANES = 32 };

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
