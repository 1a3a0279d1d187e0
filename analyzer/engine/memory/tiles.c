// Accesses whose place depends on how full a tile is, as in last[min(TILE, n - begin) - 1]: most
// tiles are full, and an access is looked at as one of those makes it.
#include "base/vec.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/walk.h"

// Whether the number is the smaller one of a known number, of which `full` is told, and another.
static bool is_cut(const struct node *node, const struct node **full, const struct node **size)
{
    for (int i = 0; node->kind == NODE_EXPR && node->expr.op == IR_MIN && i < 2; ++i) {
        *full = node->expr.argument[i];
        *size = node->expr.argument[1 - i];
        if ((*full)->kind == NODE_CONST)
            return true;
    }
    return false;
}

const struct arms *arms_with(struct run *run, const struct arms *arms, const struct mask *mask,
                             const struct node *condition)
{
    for (const struct arms *known = arms; known; known = known->outer) {
        if (known->condition == condition)
            return arms;
    }
    struct arms *inner = arena_new(&run->arena, struct arms);
    *inner = (struct arms){.outer = (struct arms *)arms,
                           .condition = condition,
                           .mask = mask,
                           .other = IR_NONE,
                           .meet = IR_NONE,
                           .loop = IR_NONE};
    return inner;
}

// Adds to the arms that the size fills the tile; false where it cannot.
static bool fill(struct run *run, const struct access *access, const struct arms **arms,
                 const struct node *full, const struct node *size)
{
    const struct node *condition = node_binary(run->nodes, IR_GE, 64, true, size, full);
    if (condition->kind == NODE_CONST)
        return condition->value != 0;
    *arms = arms_with(run, *arms, access->mask, condition);
    return true;
}

void tiles_fill(struct run *run, struct access *access)
{
    struct node_pool *pool = run->nodes;
    const struct node *form = access->form;
    if (!form)
        return;
    const struct node_term whole = {form, 1}, *term = &whole;
    uint32_t count = 1;
    const struct node *offset = access->offset;
    if (form->kind == NODE_LINEAR) {
        offset = node_binary(pool, IR_ADD, 64, true, offset, form->linear.base);
        term = form->linear.term;
        count = form->linear.count;
    }
    const struct arms *arms = access->arms;
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *full, *size;
        if (!is_cut(term[i].atom, &full, &size) || !fill(run, access, &arms, full, size))
            return;
        offset = node_binary(pool, IR_ADD, 64, true, offset,
                             node_const(pool, full->value * term[i].factor));
    }
    access->arms = arms;
    access->offset = offset;
    access->form = NULL;
}
