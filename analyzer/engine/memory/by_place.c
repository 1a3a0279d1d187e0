// Which of many threads touch some bytes: a hash table of lists, by units of what one thread
// touches. Where there are few threads, or many at one place, they are gone through one by one.
#include "engine/memory/ordered.h"

enum {
    KEPT = 64, // that were asked for lately
    FEW = 16,  // threads, or so many in one list
};

struct by_place {
    const struct mask *mask;
    const struct node *offset;
    int64_t size;
    struct mask_pool *pool;
    uint32_t slots;         // a power of two; 0: there are no lists
    uint16_t *first, *next; // by slot and by thread: threads in their order, counted from 1; 0: no
                            // more
};

static uint64_t unit_of(const struct by_place *place, int64_t offset)
{
    return ((uint64_t)offset ^ UINT64_C(1) << 63) / (uint64_t)place->size;
}

static uint16_t *list_of(const struct by_place *place, uint64_t unit)
{
    return &place->first[unit & (place->slots - 1)];
}

static bool is_crowded(const struct by_place *place)
{
    for (uint32_t i = 0; i < place->slots; ++i) {
        uint32_t length = 0;
        for (uint32_t next = place->first[i]; next; next = place->next[next - 1])
            ++length;
        if (length > FEW)
            return true;
    }
    return false;
}

static void build(struct run *run, struct by_place *place)
{
    uint32_t threads = run->masks->threads, slots = 1;
    if (place->mask->count <= FEW || place->offset->kind != NODE_VECTOR)
        return;
    while (slots < threads)
        slots *= 2;
    if (!place->first) {
        place->first = arena_array(&run->arena, uint16_t, slots);
        place->next = arena_array(&run->arena, uint16_t, threads);
    }
    place->slots = slots;
    for (uint32_t i = 0; i < slots; ++i)
        place->first[i] = 0;
    for (uint32_t t = threads; t-- > 0;) {
        if (!mask_has(place->mask, t))
            continue;
        uint16_t *first = list_of(place, unit_of(place, place->offset->vector[t]));
        place->next[t] = *first;
        *first = (uint16_t)(t + 1);
    }
    if (is_crowded(place))
        place->slots = 0;
}

const struct by_place *by_place_of(struct run *run, const struct mask *mask,
                                   const struct node *offset, int64_t size)
{
    struct machines *machines = run->machines;
    if (!machines->by_place)
        machines->by_place = arena_array(&run->arena, struct by_place, KEPT);
    uint64_t key = (mask->hash ^ offset->hash * 3) + (uint64_t)size;
    struct by_place *place = &machines->by_place[(key ^ key >> 32) % KEPT];
    if (place->mask != mask || place->offset != offset || place->size != size) {
        *place = (struct by_place){.mask = mask,
                                   .offset = offset,
                                   .size = size,
                                   .pool = run->masks,
                                   .first = place->first,
                                   .next = place->next};
        build(run, place);
    }
    return place;
}

uint32_t by_place_next(const struct by_place *place, int64_t low, int64_t high, uint32_t from,
                       uint32_t to)
{
    if (place->slots == 0)
        return next_toucher(place->pool, place->mask, place->offset, place->size, low, high, from,
                            to);
    uint64_t unit = unit_of(place, low - place->size + 1), last = unit_of(place, high - 1);
    uint32_t best = to;
    for (uint32_t i = 0; i <= last - unit && i < place->slots; ++i) {
        uint32_t next = *list_of(place, unit + i);
        for (; next && next - 1 < best; next = place->next[next - 1]) {
            if (next - 1 >= from && touches(place->offset, place->size, next - 1, low, high))
                best = next - 1;
        }
    }
    return best;
}
