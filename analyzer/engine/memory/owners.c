// Which threads touch which words in an access: the first of a warp, one of another warp and
// another lane of the first one's, for each. A loop touches the same places again and again, and a
// few threads' places lie far from each other where they go by rows.
#include "engine/memory/races_internal.h"

enum {
    KEPT = 64,        // of accesses to the same places
    FEW_OF_OWNED = 4, // elements to each that has an owner: where there are more, they are hashed
    OWNED_A_SLOT = 2,
};

// Who owns what of accesses by these threads to these places.
struct kept_owners {
    const struct node *offset;
    const struct mask *mask;
    int64_t size;
    uint32_t shift;
    const struct owner_table *table;
};

static void own(struct owners *owners, uint32_t thread)
{
    if (!owners->thread[0])
        owners->thread[0] = (uint16_t)(thread + 1);
    else if ((owners->thread[0] - 1u) / 32 != thread / 32)
        owners->thread[1] = owners->thread[1] ? owners->thread[1] : (uint16_t)(thread + 1);
    else if (!owners->thread[2])
        owners->thread[2] = (uint16_t)(thread + 1);
}

// The slot that is the element's, or will be.
static uint32_t slot_of(const struct owner_table *table, uint32_t element)
{
    if (!table->element)
        return element;
    uint32_t at = (element * UINT32_C(0x9e3779b1)) >> 8 & (table->slots - 1);
    while (table->element[at] && table->element[at] != element + 1)
        at = (at + 1) & (table->slots - 1);
    return at;
}

const struct owners *owners_at(const struct owner_table *table, uint32_t element)
{
    return &table->owners[slot_of(table, element)];
}

static const struct owner_table *build(struct run *run, const struct access *access)
{
    struct owner_table *table = arena_new(&run->arena, struct owner_table);
    size_t count = (size_t)(access->high - access->low) >> access->shift;
    size_t each = (size_t)access->size >> access->shift, owned = each * access->mask->count;
    if (count > FEW_OF_OWNED * owned) {
        table->slots = 1;
        while (table->slots < OWNED_A_SLOT * owned)
            table->slots *= 2;
        table->element = arena_array(&run->arena, uint32_t, table->slots);
        count = table->slots;
    }
    table->owners = arena_array(&run->arena, struct owners, count);
    mask_each (run->masks, access->mask, t) {
        int64_t at = 0;
        node_lane(access->offset, t, &at);
        const uint32_t first = (uint32_t)((at - access->low) >> access->shift);
        for (uint32_t i = 0; i < each; ++i) {
            uint32_t slot = slot_of(table, first + i);
            if (table->element)
                table->element[slot] = first + i + 1;
            own(&table->owners[slot], t);
        }
    }
    return table;
}

const struct owner_table *owners_of(struct run *run, const struct access *access)
{
    struct kept_owners **all = &run->machines->owners;
    if (!*all)
        *all = arena_array(&run->arena, struct kept_owners, KEPT);
    uint64_t at = access->offset->hash ^ access->mask->hash * 3;
    struct kept_owners *kept = &(*all)[(at ^ at >> 32) % KEPT];
    if (kept->offset != access->offset || kept->mask != access->mask ||
        kept->size != access->size || kept->shift != access->shift)
        *kept = (struct kept_owners){access->offset, access->mask, access->size, access->shift,
                                     build(run, access)};
    return kept->table;
}
