// Between which numbers a value lies, for all that its making and the decisions of the run say.
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"

int64_t add_clamped(int64_t a, int64_t b)
{
    int64_t sum;
    if (a == INT64_MIN || b == INT64_MIN)
        return INT64_MIN;
    if (a == INT64_MAX || b == INT64_MAX)
        return INT64_MAX;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

int64_t mul_clamped(int64_t a, int64_t b)
{
    if (a == 0 || b == 0)
        return 0;
    int64_t product;
    if (a == INT64_MIN || a == INT64_MAX || b == INT64_MIN || b == INT64_MAX ||
        __builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    return product;
}

void size_range(int64_t *low, int64_t *high)
{
    if (*low > INT32_MIN / 2) // what is left of no bound at all lies below
        return;
    *low = 0;
    *high = *high < 0 ? 0 : *high;
}

static void interval_at(struct run *run, const struct node *node, int64_t *low, int64_t *high,
                        int depth);

static void interval_work(struct run *run, const struct node *node, int64_t *low, int64_t *high,
                          int depth);

static void interval_expr(struct run *run, const struct node *node, int64_t *low, int64_t *high,
                          int depth)
{
    const struct node *a = node->expr.argument[0], *b = node->expr.argument[1];
    int64_t al, ah, bl, bh;
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (node->expr.bits == 1) {
        *low = 0;
        *high = 1;
        return;
    }
    switch (node->expr.op) {
    case IR_REM:
        interval_at(run, a, &al, &ah, depth + 1);
        interval_at(run, b, &bl, &bh, depth + 1);
        if (b->kind == NODE_CONST && bl > 0 && al >= 0 && ah != INT64_MAX && al / bl == ah / bl) {
            *low = al % bl;
            *high = ah % bl;
            return;
        }
        if (bl > 0 && bh != INT64_MAX) {
            *high = ah < bh - 1 ? ah : bh - 1;
            *low = al >= 0 || b->kind == NODE_CONST ? 0 : -(bh - 1);
            if (*high < *low)
                *high = bh - 1;
        }
        return;
    case IR_MUL:
        interval_at(run, a, &al, &ah, depth + 1);
        interval_at(run, b, &bl, &bh, depth + 1);
        size_range(&al, &ah);
        size_range(&bl, &bh);
        if (al >= 0 && bl >= 0) {
            *low = mul_clamped(al, bl);
            *high = mul_clamped(ah, bh);
        }
        return;
    case IR_DIV:
        interval_at(run, a, &al, &ah, depth + 1);
        interval_at(run, b, &bl, &bh, depth + 1);
        if (bl == bh && bl > 0) {
            *low = al == INT64_MIN ? INT64_MIN : al / bl;
            *high = ah == INT64_MAX ? INT64_MAX : ah / bl;
            return;
        }
        // Where decisions contradict each other, an interval is empty: its end may be anything.
        if (bl > 0 && bh > 0 && al >= 0) {
            *low = bh == INT64_MAX ? 0 : al / bh;
            *high = ah == INT64_MAX ? INT64_MAX : ah / bl;
        }
        return;
    case IR_MIN:
    case IR_MAX:
        interval_at(run, a, &al, &ah, depth + 1);
        interval_at(run, b, &bl, &bh, depth + 1);
        if (node->expr.op == IR_MIN) {
            *low = al < bl ? al : bl;
            *high = ah < bh ? ah : bh;
        } else {
            *low = al > bl ? al : bl;
            *high = ah > bh ? ah : bh;
        }
        return;
    case NODE_OP_MERGE:
        interval_at(run, b, &al, &ah, depth + 1);
        interval_at(run, node->expr.argument[2], &bl, &bh, depth + 1);
        *low = al < bl ? al : bl;
        *high = ah > bh ? ah : bh;
        return;
    case IR_AND:
        interval_at(run, b, &bl, &bh, depth + 1);
        if (bl >= 0) {
            *low = 0;
            *high = bh;
        }
        return;
    case NODE_OP_LANE:
        interval_at(run, a, low, high, depth + 1);
        return;
    default:
        return;
    }
}

// Whether the term takes away all of another one but the rest of a division: x - x / 32 * 32.
// `size` is what it is divided by then, and `of` the other term.
static bool leaves_rest(const struct node *form, uint32_t term, uint32_t *of, int64_t *size)
{
    enum { MOST_SIZE = 1 << 20 };
    const struct node *part = form->linear.term[term].atom;
    if (part->kind != NODE_EXPR || part->expr.op != IR_DIV ||
        part->expr.argument[1]->kind != NODE_CONST)
        return false;
    *size = part->expr.argument[1]->value;
    if (*size < 2 || *size > MOST_SIZE)
        return false;
    for (*of = 0; *of < form->linear.count; ++*of) {
        const struct node_term *whole = &form->linear.term[*of];
        if (whole->atom == part->expr.argument[0] &&
            form->linear.term[term].factor == mul_clamped(whole->factor, -*size))
            return true;
    }
    return false;
}

// The range of the term, where what another one takes away from it is left out.
static void interval_term(struct run *run, const struct node *form, uint32_t term, int64_t *low,
                          int64_t *high, int depth)
{
    uint32_t of;
    int64_t size;
    interval_at(run, form->linear.term[term].atom, low, high, depth + 1);
    for (uint32_t i = 0; i < form->linear.count; ++i) {
        bool rest = leaves_rest(form, i, &of, &size);
        if (rest && i == term)
            *low = *high = 0;
        else if (rest && of == term) {
            *low = *low < 0 ? 1 - size : 0;
            *high = *high < size - 1 ? *high : size - 1;
        }
    }
}

void interval_form(struct run *run, const struct node *form, int64_t *low, int64_t *high, int depth)
{
    // `form` has no base: an atom, an expression, or a sum of these.
    if (form->kind == NODE_LINEAR) {
        bool sizes = form->linear.count > 1;
        *low = *high = 0;
        for (uint32_t i = 0; i < form->linear.count; ++i)
            sizes &= form->linear.term[i].factor > 0;
        for (uint32_t i = 0; i < form->linear.count; ++i) {
            int64_t tl, th, factor = form->linear.term[i].factor;
            interval_term(run, form, i, &tl, &th, depth);
            if (sizes)
                size_range(&tl, &th);
            *low = add_clamped(*low, mul_clamped(factor > 0 ? tl : th, factor));
            *high = add_clamped(*high, mul_clamped(factor > 0 ? th : tl, factor));
        }
    } else if (form->kind == NODE_ATOM) {
        *low = form->atom.low;
        *high = form->atom.high;
    } else {
        interval_expr(run, form, low, high, depth);
    }
    const struct bound *bound = bound_find(run, form);
    if (bound) {
        *low = bound->low > *low ? bound->low : *low;
        *high = bound->high < *high ? bound->high : *high;
    }
}

static void interval_at(struct run *run, const struct node *node, int64_t *low, int64_t *high,
                        int depth)
{
    *low = INT64_MIN;
    *high = INT64_MAX;
    if (depth > MAX_DEPTH)
        return;
    if (node->kind == NODE_CONST) {
        *low = *high = node->value;
        return;
    }
    struct memo *memo = memo_of(run, node);
    if (!memo_holds(run, node, &memo->interval_version)) {
        interval_work(run, node, low, high, depth);
        struct memo *keep = memo_of(run, node);
        keep->interval_version = run->engine->values.memo_version;
        keep->low = *low;
        keep->high = *high;
        return;
    }
    *low = memo->low;
    *high = memo->high;
}

static void interval_work(struct run *run, const struct node *node, int64_t *low, int64_t *high,
                          int depth)
{
    switch (node->kind) {
    case NODE_VECTOR:
        *low = *high = node->vector[0];
        for (uint32_t t = 1; t < run->masks->threads; ++t) {
            *low = node->vector[t] < *low ? node->vector[t] : *low;
            *high = node->vector[t] > *high ? node->vector[t] : *high;
        }
        return;
    case NODE_ATOM:
    case NODE_EXPR:
        interval_form(run, node, low, high, depth);
        return;
    case NODE_LINEAR: {
        struct split split = split_of(run, node);
        int64_t fl, fh, bl, bh;
        interval_form(run, split.form, &fl, &fh, depth);
        interval_at(run, split.base, &bl, &bh, depth + 1);
        *low = add_clamped(bl, split.sign > 0 ? fl : mul_clamped(fh, -1));
        *high = add_clamped(bh, split.sign > 0 ? fh : mul_clamped(fl, -1));
        return;
    }
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count; ++i) {
            int64_t pl, ph;
            interval_at(run, node->pieces.piece[i].value, &pl, &ph, depth + 1);
            *low = i == 0 || pl < *low ? pl : *low;
            *high = i == 0 || ph > *high ? ph : *high;
        }
        return;
    default:
        return;
    }
}

void interval_of(struct run *run, const struct node *node, int64_t *low, int64_t *high)
{
    interval_at(run, node, low, high, 0);
}
