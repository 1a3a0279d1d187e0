// Arrays that lie in one piece of memory, and how large a block has to be for threads to meet
// there.
#include "base/vec.h"
#include "engine/memory/races_internal.h"

enum { TWO_WARPS = 64, FOUR_WARPS = 128 };

// Whether the thread has itself stored to what the access of its own reads.
static bool has_stored(const struct access *all, const struct access *read, uint32_t thread)
{
    int64_t at = 0, to = 0;
    node_lane(read->offset, thread, &at);
    for (ptrdiff_t i = 0; i < arrlen(all); ++i) {
        if (all[i].kind == RACE_WRITE && all[i].object == read->object &&
            all[i].form == read->form && mask_has(all[i].mask, thread) &&
            node_lane(all[i].offset, thread, &to) && at < to + all[i].size && to < at + read->size)
            return true;
    }
    return false;
}

bool carved_are_one(const struct access *all, const struct access *early, const struct access *late,
                    const struct pair *pair)
{
    const struct array *one = &early->choice.array, *other = &late->choice.array;
    uint32_t last = pair->early > pair->late ? pair->early : pair->late;
    if (!one->base || one->base != other->base || last >= FOUR_WARPS)
        return false;
    return last < TWO_WARPS || !(early->kind == RACE_READ ? has_stored(all, early, pair->early)
                                                          : has_stored(all, late, pair->late));
}
