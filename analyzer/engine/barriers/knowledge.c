// Which threads know that an mbarrier is initialised: the initialising thread does, and whoever
// synchronises with a thread that knows. (Programming Guide 13, 4.9.1: the initialisation must be
// synchronised before any thread participates.)
#include "base/vec.h"
#include "engine/barriers/machines.h"

enum { FOLLOWED = 64 }; // mbarriers of a run whose knowledge fits one word; later ones are known

uint64_t knowledge_of(struct run *run, const struct mask *mask)
{
    uint64_t knows = 0;
    const struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier) && i < FOLLOWED; ++i) {
        if (mask_overlaps(run->masks, machines->mbarrier[i].informed, mask))
            knows |= UINT64_C(1) << i;
    }
    return knows;
}

void knowledge_give(struct run *run, const struct mask *mask, uint64_t knows)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier) && i < FOLLOWED && knows >> i; ++i) {
        struct mbarrier *mbarrier = &machines->mbarrier[i];
        if (knows >> i & 1)
            mbarrier->informed = mask_or(run->masks, mbarrier->informed, mask);
    }
}
