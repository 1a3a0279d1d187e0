// What a decision says of the values that a form is made of, so that later questions about them, or
// about other forms of them, are answered accordingly: `(k + 63) / 64 >= 1` says that k >= 1.
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"

enum {
    MOST_STEPS = 5,  // from a form down to what it is made of
    MOST_FORMS = 64, // that are looked at anew after each decision
};

static void narrow_form(struct run *run, const struct node *form, int64_t low, int64_t high,
                        int depth);

// The number with its sign turned; what is not known stays so.
static int64_t turned(int64_t number)
{
    return number == INT64_MIN ? INT64_MAX : number == INT64_MAX ? INT64_MIN : -number;
}

static void narrow(struct run *run, const struct node *node, int64_t low, int64_t high, int depth)
{
    struct split split = split_of(run, node);
    if (!split.form || split.base->kind != NODE_CONST || depth > MOST_STEPS)
        return;
    int64_t base = split.base->value;
    int64_t from =
        split.sign > 0 ? add_clamped(low, turned(base)) : add_clamped(base, turned(high));
    int64_t to = split.sign > 0 ? add_clamped(high, turned(base)) : add_clamped(base, turned(low));
    struct bound *bound = bound_at(run, split.form);
    from = from > bound->low ? from : bound->low;
    to = to < bound->high ? to : bound->high;
    if (bound->lane || from > to || (from == bound->low && to == bound->high))
        return;
    bound->low = from;
    bound->high = to;
    memo_changed(run, split.form);
    narrow_form(run, split.form, from, to, depth + 1);
}

// The smaller (greater) of two values.
static void narrow_extreme(struct run *run, const struct node *form, int64_t low, int64_t high,
                           int depth)
{
    bool least = form->expr.op == IR_MIN;
    for (int k = 0; k < 2; ++k) {
        const struct node *one = form->expr.argument[k], *other = form->expr.argument[1 - k];
        int64_t other_low, other_high;
        interval_of(run, other, &other_low, &other_high);
        if (least)
            narrow(run, one, low, other_low > high ? high : INT64_MAX, depth);
        else
            narrow(run, one, other_high < low ? low : INT64_MIN, high, depth);
    }
}

// A quotient by a positive constant, or a remainder: the two make the value up, so that what is
// known of either counts.
static void narrow_quotient(struct run *run, const struct node *form, int depth)
{
    const struct node *value = form->expr.argument[0], *divisor = form->expr.argument[1];
    if (divisor->kind != NODE_CONST || divisor->value <= 0)
        return;
    uint32_t bits = form->expr.bits;
    int64_t size = divisor->value, ql, qh, rl, rh;
    interval_of(run, node_binary(run->nodes, IR_DIV, bits, true, value, divisor), &ql, &qh);
    interval_of(run, node_binary(run->nodes, IR_REM, bits, true, value, divisor), &rl, &rh);
    // The remainder has the sign of the value, which that of the quotient tells.
    int64_t least = ql > 0 ? 0 : 1 - size, most = qh < 0 ? 0 : size - 1;
    rl = rl > least ? rl : least;
    rh = rh < most ? rh : most;
    narrow(run, value, ql == INT64_MIN ? INT64_MIN : add_clamped(mul_clamped(ql, size), rl),
           qh == INT64_MAX ? INT64_MAX : add_clamped(mul_clamped(qh, size), rh), depth);
}

// A product of two values that are not negative.
static void narrow_product(struct run *run, const struct node *form, int64_t low, int64_t high,
                           int depth)
{
    for (int k = 0; k < 2; ++k) {
        const struct node *one = form->expr.argument[k], *other = form->expr.argument[1 - k];
        int64_t l, h, ol, oh;
        interval_of(run, one, &l, &h);
        interval_of(run, other, &ol, &oh);
        size_range(&l, &h);
        size_range(&ol, &oh);
        if (l < 0 || ol < 0)
            return;
        int64_t from = low > 0 ? (oh == INT64_MAX || oh == 0 ? 1 : (low + oh - 1) / oh) : 0;
        narrow(run, one, from, ol > 0 && high != INT64_MAX ? high / ol : INT64_MAX, depth);
    }
}

static int64_t divided(int64_t a, int64_t b, bool up)
{
    if (a == INT64_MIN || a == INT64_MAX)
        return a;
    int64_t quotient = a / b;
    if (a % b != 0 && (a > 0) == up)
        quotient += up ? 1 : -1;
    return quotient;
}

// A sum: each term is what the others leave; of that shape at most.
static void narrow_sum(struct run *run, const struct node *form, int64_t low, int64_t high,
                       enum node_shape shape, int depth)
{
    for (uint32_t i = 0; i < form->linear.count; ++i) {
        int64_t from = low, to = high, factor = form->linear.term[i].factor;
        for (uint32_t k = 0; k < form->linear.count; ++k) {
            int64_t tl, th, of = form->linear.term[k].factor;
            if (k == i)
                continue;
            interval_of(run, form->linear.term[k].atom, &tl, &th);
            size_range(&tl, &th);
            from = add_clamped(from, mul_clamped(of > 0 ? th : tl, -of));
            to = add_clamped(to, mul_clamped(of > 0 ? tl : th, -of));
        }
        if (form->linear.term[i].atom->shape > shape || from == INT64_MAX || to == INT64_MIN)
            continue;
        if (factor > 0)
            narrow(run, form->linear.term[i].atom, divided(from, factor, true),
                   divided(to, factor, false), depth);
        else
            narrow(run, form->linear.term[i].atom, divided(mul_clamped(to, -1), -factor, true),
                   divided(mul_clamped(from, -1), -factor, false), depth);
    }
}

static void narrow_form(struct run *run, const struct node *form, int64_t low, int64_t high,
                        int depth)
{
    if (form->shape != SHAPE_UNIFORM || depth > MOST_STEPS)
        return;
    if (form->kind == NODE_LINEAR)
        narrow_sum(run, form, low, high, SHAPE_UNIFORM, depth);
    if (form->kind != NODE_EXPR)
        return;
    switch (form->expr.op) {
    case IR_MIN:
    case IR_MAX:
        narrow_extreme(run, form, low, high, depth);
        break;
    case IR_DIV:
    case IR_REM:
        narrow_quotient(run, form, depth);
        break;
    case IR_MUL:
        narrow_product(run, form, low, high, depth);
        break;
    default:
        break;
    }
}

// One of two values: where it is what the one cannot be, it is the other, which all share.
static void narrow_choice(struct run *run, const struct node *form, int64_t low, int64_t high)
{
    for (int k = 1; k < 3; ++k) {
        const struct node *shared = form->expr.argument[k], *other = form->expr.argument[3 - k];
        int64_t least, most;
        if (shared->shape != SHAPE_UNIFORM)
            continue;
        interval_of(run, other, &least, &most);
        if (low > most)
            narrow(run, shared, low, INT64_MAX, 0);
        if (high < least)
            narrow(run, shared, INT64_MIN, high, 0);
    }
}

void narrow_shared(struct run *run, const struct mask *mask, const struct node *form)
{
    const struct bound *own = bound_find(run, form);
    if (!own || mask->count == 0 || form->shape != SHAPE_VARYING)
        return;
    // What some thread has at least, and some thread at most.
    int64_t low = own->lane ? INT64_MIN : own->low, high = own->lane ? INT64_MAX : own->high;
    mask_each (run->masks, mask, t) {
        if (own->lane && own->lane[t] > low)
            low = own->lane[t];
        if (own->lane && own->lane[t] < high)
            high = own->lane[t];
    }
    if (form->kind == NODE_LINEAR) {
        narrow_sum(run, form, low, INT64_MAX, SHAPE_UNIFORM, 0);
        narrow_sum(run, form, INT64_MIN, high, SHAPE_UNIFORM, 0);
    }
    if (form->kind == NODE_EXPR && form->expr.op == NODE_OP_MERGE)
        narrow_choice(run, form, low, high);
    bool least = form->kind == NODE_EXPR && form->expr.op == IR_MIN;
    if (form->kind != NODE_EXPR || (!least && form->expr.op != IR_MAX))
        return;
    for (int k = 0; k < 2; ++k)
        if (form->expr.argument[k]->shape == SHAPE_UNIFORM)
            narrow(run, form->expr.argument[k], least ? low : INT64_MIN, least ? INT64_MAX : high,
                   0);
}

void narrow_all(struct run *run, const struct node *form)
{
    const struct bound *own = bound_find(run, form);
    if (own && !own->lane)
        narrow_form(run, form, own->low, own->high, 0);
    // What is known of a sum or a product says more once one of its parts is known.
    for (ptrdiff_t i = 0; i < arrlen(run->bound) && i < MOST_FORMS; ++i) {
        const struct bound bound = run->bound[i];
        if (!bound.lane && bound.form != form && bound.form->kind != NODE_ATOM)
            narrow_form(run, bound.form, bound.low, bound.high, 0);
        // What all threads have found of the numbers of their own, `own <= limit`.
        if (!bound.lane && bound.form->kind == NODE_LINEAR && bound.form->shape == SHAPE_VARYING)
            narrow_sum(run, bound.form, bound.low, bound.high, SHAPE_VARYING, 0);
    }
}
