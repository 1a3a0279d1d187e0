// What two launches have in common, where there are too many to keep each for itself, as of a loop
// that launches: the sums that both make of what nobody knows. Where they differ, in the number of
// the round, a symbol of its own stands for either's; it is the same wherever the two differ by the
// same, so that a grid goes on being made of the argument that it is made of in both.
#include "engine/values/value.h"
#include "engine/walk/walk.h"

struct either {
    const struct engine_call *a, *b;
    struct engine_call *out;
    // Which quantity of either each of out's stands for; 0 where it is a part of one that does.
    uint16_t of_a[ENGINE_QUANTITIES], of_b[ENGINE_QUANTITIES];
    int64_t step_a[ENGINE_QUANTITIES], step_b[ENGINE_QUANTITIES];
};

// 0 where there is no room left.
static uint16_t append(struct either *either, struct engine_quantity one)
{
    if (either->out->quantities + 1 == ENGINE_QUANTITIES)
        return 0;
    either->out->quantity[++either->out->quantities] = one;
    return (uint16_t)either->out->quantities;
}

static uint16_t find(const struct either *either, uint16_t a, uint16_t b)
{
    for (uint16_t i = 1; i <= either->out->quantities; ++i)
        if (either->of_a[i] == a && either->of_b[i] == b)
            return i;
    return 0;
}

// A number that nobody knows, of which both steps are multiples.
static uint16_t some_multiple(struct either *either, int64_t step)
{
    struct engine_quantity number = {.op = IR_CONST, .low = step, .high = step};
    struct engine_quantity some = {.op = IR_PARAM, .low = INT64_MIN, .high = INT64_MAX};
    struct engine_quantity multiple = {.op = IR_MUL};
    multiple.argument[0] = append(either, number);
    multiple.argument[1] = append(either, some);
    return multiple.argument[1] ? append(either, multiple) : 0;
}

// Whether both make the same of what stands already for the symbols of either.
static bool is_alike(const struct either *either, uint16_t a, uint16_t b)
{
    const struct engine_quantity *one = &either->a->quantity[a], *other = &either->b->quantity[b];
    if (find(either, a, b))
        return true;
    if (one->op != other->op || one->op == IR_PARAM || one->low != other->low ||
        one->high != other->high)
        return false;
    for (int i = 0; i < 3; ++i) {
        bool asked = one->argument[i] || other->argument[i];
        if (asked && !is_alike(either, one->argument[i], other->argument[i]))
            return false;
    }
    return true;
}

// The quantity that stands for both, 0 where there is none or no room.
static uint16_t stand_for(struct either *either, uint16_t a, uint16_t b)
{
    uint16_t at = a && b ? find(either, a, b) : 0;
    if (!a || !b || at)
        return at;
    const struct engine_quantity *one = &either->a->quantity[a], *other = &either->b->quantity[b];
    struct engine_quantity both = *one;
    bool same = one->op == other->op;
    if (same && one->op == IR_PARAM) {
        both.low = one->low < other->low ? one->low : other->low;
        both.high = one->high > other->high ? one->high : other->high;
    }
    if (one->op == IR_CONST)
        same &= one->low == other->low;
    uint32_t count = same ? engine_quantity_arity(one->op) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        both.argument[i] = stand_for(either, one->argument[i], other->argument[i]);
        if (!both.argument[i])
            return 0;
    }
    at = same ? append(either, both)
              : some_multiple(either, common_step(either->step_a[a], either->step_b[b]));
    either->of_a[at] = a;
    either->of_b[at] = b;
    return at;
}

// What holds of the numbers at both launches, as far as it is the same that is asked.
static void keep_conditions(struct either *either)
{
    struct engine_call *out = either->out;
    for (uint32_t i = 0; i < either->a->conditions; ++i) {
        const struct engine_condition *one = &either->a->condition[i];
        for (uint32_t k = 0; k < either->b->conditions; ++k) {
            const struct engine_condition *other = &either->b->condition[k];
            uint16_t a = (uint16_t)one->quantity, b = (uint16_t)other->quantity;
            struct engine_condition both = {one->low < other->low ? one->low : other->low,
                                            one->high > other->high ? one->high : other->high, 0};
            if ((both.low == INT64_MIN && both.high == INT64_MAX) || !is_alike(either, a, b))
                continue;
            both.quantity = stand_for(either, a, b);
            if (both.quantity)
                out->condition[out->conditions++] = both;
            break;
        }
    }
}

void call_either(const struct engine_call *a, const struct engine_call *b, struct engine_call *out)
{
    struct either either = {.a = a, .b = b, .out = out};
    *out = (struct engine_call){0};
    call_steps(a, either.step_a);
    call_steps(b, either.step_b);
    for (uint32_t k = 0; k < 3; ++k) {
        out->block[k] = stand_for(&either, a->block[k], b->block[k]);
        out->grid[k] = stand_for(&either, a->grid[k], b->grid[k]);
    }
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i)
        out->argument[i] = stand_for(&either, a->argument[i], b->argument[i]);
    out->of_operands = out->quantities;
    keep_conditions(&either);
}
