// Butterflies: each lane puts together what it has and what the lane has whose number differs from
// its own in one bit. Where it does not matter which of the two is whose, as in a sum or a maximum,
// both lanes have the same then; and as both do the same with what they are given later, they keep
// it. After a step for each bit a whole warp has one value.
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"

enum { KEPT = 64, WARP = 32 };

// What lanes have been given across a bit, beside what they have themselves.
struct crossed {
    const struct node *own, *other;
    // Lanes whose numbers differ in these alone have the same once it is put together.
    uint32_t bits;
    bool alike; // in all warps of the block, lane by lane, and all of them are here
};

// What has been made of both.
struct joined {
    const struct node *result, *given;
    uint32_t bits;
};

struct butterflies {
    struct crossed crossed[KEPT]; // the latest, as the next
    struct joined joined[KEPT];
    uint32_t crossings, joins;
};

// The bits of lanes' numbers on which the value does not depend.
static uint32_t bits_of(const struct butterflies *known, const struct node *value)
{
    for (uint32_t i = 0; i < KEPT; ++i) {
        if (known->joined[i].given == value)
            return known->joined[i].bits;
    }
    return node_tile(value) ? node_tile(value) - 1 : 0;
}

void butterfly_crossed(struct run *run, const struct mask *mask, const struct node *own,
                       const struct node *other, uint32_t bit, bool alike)
{
    struct butterflies **known = &run->machines->butterflies;
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, mask, t) {
        uint32_t across = t - t % size + (t % size ^ bit);
        if (across / size != t / size || !mask_has(mask, across))
            return;
    }
    if (!*known)
        *known = arena_new(&run->arena, struct butterflies);
    // Roles that put together the same words, each for itself, would each be given another value.
    bool whole = mask->count == run->masks->threads && mask->count > WARP;
    (*known)->crossed[(*known)->crossings++ % KEPT] =
        (struct crossed){own, other, bits_of(*known, own) | bit, alike && whole};
}

static bool is_symmetric(enum ir_op_code code)
{
    return code == IR_ADD || code == IR_MUL || code == IR_MIN || code == IR_MAX || code == IR_AND ||
           code == IR_OR || code == IR_XOR;
}

// Of what the lanes have put together, the one value of the block where all warps have put together
// the same. What each warp has for itself stays what it is made of, as races are told by that.
static const struct node *common(struct run *run, const struct crossed *crossed,
                                 const struct node *result)
{
    int64_t low, high;
    if (result->shape != SHAPE_VARYING || crossed->bits != WARP - 1 || !crossed->alike)
        return result;
    interval_of(run, result, &low, &high);
    return run_exchanged(run, "what the lanes of a warp put together", SHAPE_UNIFORM, low, high);
}

const struct node *butterfly_joined(struct run *run, enum ir_op_code code, const struct node *a,
                                    const struct node *b, const struct node *result)
{
    struct butterflies *known = run->machines->butterflies;
    const struct crossed *crossed = NULL;
    if (!known || !is_symmetric(code) || !(node_is_exchanged(a) || node_is_exchanged(b)))
        return result;
    for (uint32_t i = 0; i < KEPT && !crossed; ++i) {
        const struct crossed *one = &known->crossed[i];
        if ((one->own == a && one->other == b) || (one->own == b && one->other == a))
            crossed = one;
    }
    if (!crossed)
        return result;
    for (uint32_t i = 0; i < KEPT; ++i) {
        if (known->joined[i].result == result)
            return known->joined[i].given;
    }
    const struct node *given = common(run, crossed, result);
    known->joined[known->joins++ % KEPT] = (struct joined){result, given, crossed->bits};
    return given;
}
