// Whether more or fewer bytes are announced for a phase than its copies deliver, where the sizes
// are no numbers but are made of ones that somebody passes: half of a size is less than the size,
// whatever that is. A size is taken for more than nothing, as one of 0 is seldom meant.
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"

enum { MOST_SIZES = 4, DEEPEST = 8 };

// So many times each of the sizes, and between `low` and `high` more: what whole numbers lose in a
// division.
struct share {
    const struct node *size[MOST_SIZES];
    double factor[MOST_SIZES];
    uint32_t met[MOST_SIZES]; // in so many parts of the sum
    uint32_t sizes;
    double low, high;
};

static bool share_add(struct share *share, const struct node *size, double factor)
{
    uint32_t at = 0;
    while (at < share->sizes && share->size[at] != size)
        ++at;
    if (at == MOST_SIZES)
        return false;
    if (at == share->sizes) {
        share->size[share->sizes++] = size;
        share->factor[at] = 0;
        share->met[at] = 0;
    }
    share->factor[at] += factor;
    ++share->met[at];
    return true;
}

static void share_scale(struct share *share, double by)
{
    double low = share->low * by, high = share->high * by;
    for (uint32_t i = 0; i < share->sizes; ++i)
        share->factor[i] *= by;
    share->low = by < 0 ? high : low;
    share->high = by < 0 ? low : high;
}

// 1 where the share is more than 0 whatever the sizes are, -1 where it is less, 0 where neither is
// so; a share that may be 0 counts with `or_zero`.
static int share_sign(const struct share *share, bool or_zero)
{
    double least = share->low, most = share->high;
    bool grows = false, shrinks = false;
    for (uint32_t i = 0; i < share->sizes; ++i) {
        grows |= share->factor[i] > 0;
        shrinks |= share->factor[i] < 0;
        least += share->factor[i];
        most += share->factor[i];
    }
    // Numbers of whole bytes, and fractions of them that are no smaller than by a division.
    const double above = or_zero ? -1e-6 : 1e-6;
    if (!shrinks && least > above)
        return 1;
    return !grows && most < -above ? -1 : 0;
}

static bool share_of(struct run *run, const struct node *node, struct share *out, int depth);

// Of what is 0 or more: its whole part when it is divided, its rest, or all but that.
static bool share_of_part(struct run *run, const struct node *node, struct share *out, int depth)
{
    const struct node *by = node->expr.argument[1];
    int64_t number = by && by->kind == NODE_CONST ? by->value : 0;
    bool shifts = node->expr.op == IR_SHR, masks = node->expr.op == IR_AND;
    if (!by || by->kind != NODE_CONST || (shifts && (number < 0 || number > 30)))
        return false;
    int64_t divisor = shifts ? INT64_C(1) << number : masks ? -(int64_t)(int32_t)number : number;
    bool is_power = divisor > 0 && (divisor & (divisor - 1)) == 0;
    if (divisor <= 0 || divisor > INT32_MAX / 2 || (masks && !is_power) ||
        (masks && number != (int32_t)number && number != (int64_t)(uint32_t)number) ||
        !share_of(run, node->expr.argument[0], out, depth + 1) || share_sign(out, true) < 1)
        return false;
    double rest = (double)(divisor - 1);
    out->low -= rest;
    if (!masks)
        share_scale(out, 1.0 / (double)divisor);
    return true;
}

static bool share_of(struct run *run, const struct node *node, struct share *out, int depth)
{
    int64_t low, high;
    node = node_plain(node);
    *out = (struct share){.sizes = 0};
    if (depth > DEEPEST || node->shape != SHAPE_UNIFORM)
        return false;
    switch (node->kind) {
    case NODE_CONST:
        out->low = out->high = (double)node->value;
        return true;
    case NODE_ATOM:
        // One that the run has decided to be small stands for those that are not meant either.
        interval_of(run, node, &low, &high);
        return !node->undefined && high > 0 && high >= node->atom.high && share_add(out, node, 1);
    case NODE_LINEAR:
        if (!share_of(run, node->linear.base, out, depth + 1))
            return false;
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            struct share term;
            if (!share_of(run, node->linear.term[i].atom, &term, depth + 1))
                return false;
            share_scale(&term, (double)node->linear.term[i].factor);
            out->low += term.low;
            out->high += term.high;
            for (uint32_t k = 0; k < term.sizes; ++k) {
                if (!share_add(out, term.size[k], term.factor[k]))
                    return false;
            }
        }
        return true;
    case NODE_EXPR:
        return (node->expr.op == IR_DIV || node->expr.op == IR_SHR || node->expr.op == IR_AND) &&
               share_of_part(run, node, out, depth);
    default:
        return false;
    }
}

// Whether each size is one that something else is made of, too: of one alone it is not known that
// it is not 0 exactly where nothing is copied.
static bool sizes_are_shared(const struct share *share)
{
    for (uint32_t i = 0; i < share->sizes; ++i) {
        if (share->met[i] < 2)
            return false;
    }
    return true;
}

int bytes_left(struct run *run, const struct node *owed)
{
    struct share share;
    // Sizes for which a loop has no rounds are seldom meant.
    if (run->empty_loop || !share_of(run, owed, &share, 0) || !sizes_are_shared(&share))
        return 0;
    return share_sign(&share, false);
}
