// Whether bounds can be true at all, before numbers are searched for that make them so: between
// which numbers each form lies, and what is left of it by which divisor, whatever the symbols are.
// No multiple of 128 less one of 768 is -63. A search that finds nothing goes through all its
// starts, and of most there is nothing to be found.
#include "engine/decisions/decisions.h"
#include "engine/decisions/search.h"

enum {
    DEEPEST = 16,     // of what is looked into: what is deeper may be anything
    MOST_NODES = 400, // that are looked at for one bound
    MOST_PLACES = 30, // that a number is shifted by
};

// What a value may be: from low on to high, and `rest` more than a multiple of `step`; it is `rest`
// where that is 0. Sums and products that do not fit stay at the ends of the range, whatever the
// rest. A bound about what the search may not know counts as true.
struct may_be {
    int64_t low, high, step, rest;
    bool unknown;
};

struct refutation {
    const struct search *search;
    uint32_t left; // nodes that may still be looked at
};

static const struct may_be unknown = {INT64_MIN, INT64_MAX, 1, 0, true};
static const struct may_be anything = {INT64_MIN, INT64_MAX, 1, 0, false};
static const struct may_be truth = {0, 1, 1, 0, false};

static struct may_be number(int64_t value)
{
    return (struct may_be){value, value, 0, value, false};
}

static struct may_be between(int64_t low, int64_t high)
{
    return low == high ? number(low) : (struct may_be){low, high, 1, 0, false};
}

// False where it does not fit.
static bool times(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out != INT64_MIN;
}

// The rest where the step is above 0.
static int64_t rest_of(int64_t value, int64_t step)
{
    int64_t rest = value % step;
    return rest < 0 ? rest + step : rest;
}

static struct may_be stepping(int64_t low, int64_t high, int64_t step, int64_t rest)
{
    struct may_be value = between(low, high);
    if (low != high && step > 1) {
        value.step = step;
        value.rest = rest_of(rest, step);
    }
    return value;
}

// A number that was cut off at an end, and is moved on from there, leaves any rest.
static bool is_cut(const struct may_be *value)
{
    return value->low == INT64_MIN || value->high == INT64_MAX;
}

static bool is_zero(const struct may_be *value)
{
    return value->low == 0 && value->high == 0;
}

static struct may_be sum(const struct may_be *a, const struct may_be *b)
{
    enum { HALVES = 2 };
    if (is_zero(a) || is_zero(b))
        return is_zero(a) ? *b : *a;
    int64_t low = add_clamped(a->low, b->low), high = add_clamped(a->high, b->high);
    int64_t step = common_step(a->step, b->step);
    return step > 1 && step < INT64_MAX / HALVES && !is_cut(a) && !is_cut(b)
               ? stepping(low, high, step, rest_of(a->rest, step) + rest_of(b->rest, step))
               : between(low, high);
}

static struct may_be product(const struct may_be *a, const struct may_be *b)
{
    int64_t end[] = {mul_clamped(a->low, b->low), mul_clamped(a->low, b->high),
                     mul_clamped(a->high, b->low), mul_clamped(a->high, b->high)};
    int64_t low = end[0], high = end[0];
    for (int i = 1; i < 4; ++i) {
        low = end[i] < low ? end[i] : low;
        high = end[i] > high ? end[i] : high;
    }
    // (i * s + r) * (k * t + q) is r * q and a multiple of s * t, s * q and t * r beside.
    int64_t both, one, other, rest;
    if (!times(a->step, b->step, &both) || !times(a->step, b->rest, &one) ||
        !times(b->step, a->rest, &other) || !times(a->rest, b->rest, &rest))
        return between(low, high);
    return stepping(low, high, common_step(common_step(both, one), other), rest);
}

static struct may_be either(const struct may_be *a, const struct may_be *b)
{
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    int64_t apart;
    if (__builtin_sub_overflow(a->rest, b->rest, &apart) || apart == INT64_MIN)
        return between(low, high);
    return stepping(low, high, common_step(common_step(a->step, b->step), apart), a->rest);
}

// By a number above 0.
static struct may_be remainder_of(const struct may_be *a, int64_t by)
{
    if (a->low >= 0 && a->high < by)
        return *a;
    if (a->low >= 0 && a->high < INT64_MAX && a->step && a->step % by == 0)
        return number(a->rest % by);
    return between(a->low >= 0 ? 0 : 1 - by, by - 1);
}

static struct may_be answer(uint16_t op, const struct may_be *a)
{
    bool none = a->low == 0 && a->high == 0;
    bool never = a->low > 0 || a->high < 0 || (a->step > 1 && a->rest != 0);
    if (op == NODE_OP_GT0)
        return a->low > 0 ? number(1) : a->high <= 0 ? number(0) : truth;
    return none || never ? number(none == (op == NODE_OP_EQ0)) : truth;
}

static struct may_be operation(uint16_t op, const struct may_be *a, const struct may_be *b)
{
    bool divides = b->low == b->high && b->low > 0;
    struct may_be by;
    switch (op) {
    case IR_MUL:
        return product(a, b);
    case IR_SHL:
        if (b->low != b->high || b->low < 0 || b->low > MOST_PLACES)
            return unknown;
        by = number(INT64_C(1) << b->low);
        return product(a, &by);
    case IR_DIV:
        return divides ? between(a->low / b->low, a->high / b->low) : unknown;
    case IR_REM:
        return divides ? remainder_of(a, b->low) : unknown;
    case IR_MIN:
        return between(a->low < b->low ? a->low : b->low, a->high < b->high ? a->high : b->high);
    case IR_MAX:
        return between(a->low > b->low ? a->low : b->low, a->high > b->high ? a->high : b->high);
    case IR_AND: // no more than either of those that are not below 0
        if (a->low < 0 && b->low < 0)
            return anything;
        return between(0, a->low < 0 || (b->low >= 0 && b->high < a->high) ? b->high : a->high);
    case IR_OR:
        if (a->low < 0 || b->low < 0)
            return anything;
        return between(a->low > b->low ? a->low : b->low, add_clamped(a->high, b->high));
    default:
        return unknown;
    }
}

static struct may_be may_be(struct refutation *at, const struct node *node, int depth);

static struct may_be choice(struct refutation *at, const struct node *const *argument, int depth)
{
    struct may_be asked = may_be(at, argument[0], depth + 1);
    if (asked.unknown)
        return unknown;
    if (asked.low > 0 || asked.high < 0 || (asked.low == 0 && asked.high == 0))
        return may_be(at, argument[asked.low || asked.high ? 1 : 2], depth + 1);
    struct may_be yes = may_be(at, argument[1], depth + 1);
    struct may_be no = may_be(at, argument[2], depth + 1);
    return yes.unknown || no.unknown ? unknown : either(&yes, &no);
}

static struct may_be expression(struct refutation *at, const struct node *node, int depth)
{
    const struct node *const *argument = node->expr.argument;
    uint16_t op = node->expr.op;
    if (op == NODE_OP_MERGE)
        return choice(at, argument, depth);
    struct may_be a = argument[0] ? may_be(at, argument[0], depth + 1) : unknown;
    struct may_be b = argument[1] && !a.unknown ? may_be(at, argument[1], depth + 1) : number(0);
    if (a.unknown || b.unknown)
        return unknown;
    if (op == NODE_OP_GT0 || op == NODE_OP_EQ0 || op == NODE_OP_NE0)
        return answer(op, &a);
    return op == IR_CAST ? a : operation(op, &a, &b);
}

static struct may_be symbol(const struct search *search, const struct node *node)
{
    uint32_t at = search_symbol(search, node);
    if (at == SEARCH_SYMBOLS)
        return unknown;
    int64_t step = search->step[at];
    if (search->low[at] > search->high[at])
        return anything;
    // Numbers are brought up to the next multiple of the step.
    return stepping(search->low[at], add_clamped(search->high[at], step - 1), step, 0);
}

static struct may_be may_be(struct refutation *at, const struct node *node, int depth)
{
    if (depth > DEEPEST || at->left == 0)
        return unknown;
    --at->left;
    switch (node->kind) {
    case NODE_CONST:
        return number(node->value);
    case NODE_ATOM: {
        const struct node *launched = search_launched(at->search, node);
        return launched ? may_be(at, launched, depth + 1) : symbol(at->search, node);
    }
    case NODE_EXPR:
        if (node->expr.op == NODE_OP_LOAD || node->expr.op == NODE_OP_CALL ||
            node->expr.op == NODE_OP_LANE)
            return symbol(at->search, node);
        return expression(at, node, depth);
    case NODE_LINEAR: {
        struct may_be all = may_be(at, node->linear.base, depth + 1);
        for (uint32_t i = 0; i < node->linear.count && !all.unknown; ++i) {
            struct may_be factor = number(node->linear.term[i].factor);
            struct may_be term = may_be(at, node->linear.term[i].atom, depth + 1);
            if (term.unknown)
                return unknown;
            term = product(&term, &factor);
            all = sum(&all, &term);
        }
        return all;
    }
    default:
        return unknown;
    }
}

// Whether the value is none of those from low on to high.
static bool misses(const struct may_be *value, int64_t low, int64_t high)
{
    low = low > value->low ? low : value->low;
    high = high < value->high ? high : value->high;
    if (low > high || value->step < 2 || low == INT64_MIN || high == INT64_MAX)
        return low > high;
    int64_t next = rest_of(value->rest - rest_of(low, value->step), value->step);
    return (uint64_t)next > (uint64_t)high - (uint64_t)low;
}

bool search_is_refuted(const struct search *search)
{
    for (uint32_t i = 0; i < search->bounds; ++i) {
        const struct bound *bound = search->bound[i];
        struct refutation at = {search, MOST_NODES};
        struct may_be value = search->asker[i] ? unknown : may_be(&at, bound->form, 0);
        if (!value.unknown && misses(&value, bound->low, bound->high))
            return true;
    }
    return false;
}
