// Bytes of shared memory that the threads of a group touch at once, and whether those of two groups
// overlap.
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum { FEW = 16 }; // threads, which are gone through one by one

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

uint32_t piece_object(struct run *run, const struct piece_of_memory *piece)
{
    const struct object *object = &run->object[piece->object];
    return record_object(run, piece->object, object_member(run->engine->unit, object, piece->low),
                         true);
}

// The first thread of the block, from `from` on, whose bytes of the piece are among those.
static uint32_t next_beside(const struct run *run, const struct piece_of_memory *piece,
                            const struct by_place *place, int64_t low, int64_t high, uint32_t from,
                            uint32_t block)
{
    uint32_t end = block + run->engine->block_threads;
    from = from > block ? from : block;
    return place ? by_place_next(place, low, high, from, end)
                 : next_toucher(run->masks, piece->mask, piece->offset, piece->size, low, high,
                                from, end);
}

bool pieces_meet(struct run *run, const struct piece_of_memory *one,
                 const struct piece_of_memory *other, uint32_t *a, uint32_t *b)
{
    uint32_t size = run->engine->block_threads;
    bool ordinary;
    if (one->object != other->object || one->low >= other->high || other->low >= one->high)
        return false;
    bool many = one->mask->count > FEW && other->mask->count > FEW;
    const struct by_place *others =
        many ? by_place_of(run, other->mask, other->offset, other->size) : NULL;
    for (*a = mask_next(run->masks, one->mask, *a); *a < run->masks->threads;
         *a = mask_next(run->masks, one->mask, *a + 1), *b = 0) {
        int64_t low = 0;
        uint32_t block = *a / size * size;
        if (!node_lane(one->offset, *a, &low) || low >= other->high ||
            low + one->size <= other->low)
            continue;
        while ((*b = next_beside(run, other, others, low, low + one->size, *b, block)) <
               block + size) {
            if ((!one->arms && !other->arms) ||
                (within_both(run, one->arms, *a, other->arms, *b, &ordinary, NULL) && ordinary))
                return true;
            ++*b;
        }
    }
    return false;
}
