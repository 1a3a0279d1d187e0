// Bytes of shared memory that the threads of a group touch at once, and whether those of two groups
// overlap.
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"

bool piece_of(struct run *run, const struct group *group, const struct mask *mask,
              const struct node *address, int64_t size, struct piece_of_memory *out)
{
    struct reach reach;
    if (address->kind != NODE_ADDRESS || address->address.rank || size <= 0 || mask->count == 0 ||
        run->object[address->address.object].kind != OBJECT_SHARED ||
        !node_reach(run->nodes, address->address.offset, mask, &reach))
        return false;
    *out = (struct piece_of_memory){.object = address->address.object,
                                    .mask = mask,
                                    .offset = address->address.offset,
                                    .size = size,
                                    .low = reach.low,
                                    .high = reach.high + size,
                                    .arms = group->arms};
    return true;
}

bool pieces_meet(struct run *run, const struct piece_of_memory *one,
                 const struct piece_of_memory *other, uint32_t *a, uint32_t *b)
{
    uint32_t size = run->engine->block_threads;
    bool ordinary;
    if (one->object != other->object || one->low >= other->high || other->low >= one->high)
        return false;
    for (*a = mask_next(run->masks, one->mask, *a); *a < run->masks->threads;
         *a = mask_next(run->masks, one->mask, *a + 1), *b = 0) {
        int64_t low = 0, at = 0;
        uint32_t block = *a / size * size;
        if (!node_lane(one->offset, *a, &low) || low >= other->high ||
            low + one->size <= other->low)
            continue;
        for (*b = mask_next(run->masks, other->mask, *b > block ? *b : block); *b < block + size;
             *b = mask_next(run->masks, other->mask, *b + 1)) {
            if (node_lane(other->offset, *b, &at) && low < at + other->size &&
                at < low + one->size &&
                ((!one->arms && !other->arms) ||
                 (within_both(run, one->arms, *a, other->arms, *b, &ordinary, NULL) && ordinary)))
                return true;
        }
    }
    return false;
}
