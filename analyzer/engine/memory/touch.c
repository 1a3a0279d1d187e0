// Ordinary accesses to shared memory: those that touch a barrier's own bytes, and those that a
// release has yet to publish.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

enum { WARP = 32 };

// A relaxed arrival of a thread at the cluster barrier: what it stored between these times no
// release has covered then; `releases` were its own so far.
struct relaxed_arrival {
    uint32_t from, to, releases;
};

// An arrival by which a thread's copies tell that they are there: no release has covered what it
// stored between these times; `releases` were its own so far.
struct copies_arrival {
    uint32_t from, to, releases;
    struct named_site site;
};

void touch_init(struct run *run)
{
    struct machines *machines = run->machines;
    machines->wrote = machines->wrote_remote = machines->told_warp = run->masks->none;
    machines->unreleased = machines->settled = run->masks->none;
    machines->touch = arena_array(&run->arena, uint8_t, run->engine->threads);
    machines->releases = arena_array(&run->arena, uint32_t, run->engine->threads);
    machines->released_at = arena_array(&run->arena, uint32_t, run->engine->threads);
}

void touch_release(struct run *run, const struct mask *mask, bool to_cluster)
{
    struct machines *machines = run->machines;
    machines->wrote = mask_minus(run->masks, machines->wrote, mask);
    machines->told_warp = mask_minus(run->masks, machines->told_warp, mask);
    const struct mask *settling = mask_and(run->masks, machines->unreleased, mask);
    machines->unreleased = mask_minus(run->masks, machines->unreleased, mask);
    machines->settled = mask_or(run->masks, machines->settled, settling);
    if (to_cluster) {
        pulled_released(run, mask);
        machines->wrote_remote = mask_minus(run->masks, machines->wrote_remote, mask);
        for (uint32_t b = 0; b < run->engine->blocks; ++b) {
            if (!mask_overlaps(run->masks, run->block_mask[b], mask))
                continue;
            machines->settled = mask_minus(run->masks, machines->settled, run->block_mask[b]);
            machines->relaxed[b].writers = NULL;
            peers_released(run, run->block_mask[b]);
        }
    }
    unread_told(run, mask);
    uint32_t now = orders_time(run);
    mask_runs (run->masks, mask, from, to) {
        for (uint32_t t = from; t < to; ++t) {
            ++machines->releases[t];
            machines->released_at[t] = now;
        }
    }
}

// The threads of the warp that the thread belongs to.
static const struct mask *warp_with(struct run *run, uint32_t thread)
{
    uint32_t size = run->engine->block_threads, in_block = thread % size;
    uint32_t first = thread - in_block % WARP, end = thread - in_block + size;
    return mask_range(run->masks, first, first + WARP < end ? first + WARP : end);
}

void touch_meet_warp(struct run *run, const struct mask *mask)
{
    struct machines *machines = run->machines;
    const struct mask *told = run->masks->none;
    const struct mask *stored = mask_or(run->masks, machines->wrote, machines->told_warp);
    stored = mask_and(run->masks, stored, mask);
    mask_each (run->masks, stored, t) {
        if (!mask_has(told, t))
            told = mask_or(run->masks, told, warp_with(run, t));
    }
    touch_release(run, mask, false);
    machines->told_warp =
        mask_or(run->masks, machines->told_warp, mask_and(run->masks, told, mask));
}

void touch_relaxed(struct run *run, const struct mask *mask)
{
    struct machines *machines = run->machines;
    uint32_t now = orders_time(run);
    if (!machines->arrival)
        machines->arrival = arena_array(&run->arena, struct relaxed_arrival, run->engine->threads);
    mask_each (run->masks, mask, t) {
        ++machines->releases[t]; // others come after it all the same
        bool stored = mask_has(machines->unreleased, t);
        machines->arrival[t] = (struct relaxed_arrival){machines->released_at[t], stored ? now : 0,
                                                        machines->releases[t]};
    }
}

bool touch_only_relaxed(const struct run *run, uint32_t t, uint32_t time)
{
    if (!run->machines->arrival)
        return false;
    const struct relaxed_arrival *arrival = &run->machines->arrival[t];
    return time > arrival->from && time < arrival->to &&
           arrival->releases == run->machines->releases[t];
}

void touch_with_copies(struct run *run, const struct mask *mask, const struct named_site *site)
{
    struct machines *machines = run->machines;
    uint32_t now = orders_time(run);
    if (!machines->with_copies)
        machines->with_copies =
            arena_array(&run->arena, struct copies_arrival, run->engine->threads);
    mask_each (run->masks, mask, t)
        machines->with_copies[t] =
            (struct copies_arrival){machines->released_at[t], now, machines->releases[t], *site};
}

const struct named_site *touch_only_with_copies(const struct run *run, uint32_t t, uint32_t time)
{
    if (!run->machines->with_copies)
        return NULL;
    const struct copies_arrival *arrival = &run->machines->with_copies[t];
    bool only = time > arrival->from && time < arrival->to &&
                arrival->releases == run->machines->releases[t];
    return only ? &arrival->site : NULL;
}

void touch_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask,
                  uint32_t event)
{
    const struct machines *machines = run->machines;
    const struct mask *stored = mask_or(run->masks, machines->wrote, machines->told_warp);
    bool relaxed = run->engine->result->event[event].model.flags & MODEL_RELAXED;
    mask = mask_and(run->masks, mask, stored);
    mask_each (run->masks, mask, t) {
        mbarrier->holder[t].stored_event = 1 + event;
        mbarrier->holder[t].stored_place = relaxed ? unread_arrived(run, t) : 0;
        mbarrier->holder[t].stored_epoch = machines->epoch[t];
        mbarrier->holder[t].stored_for_warp = !mask_has(machines->wrote, t);
    }
}

void touch_wait(struct run *run, struct mbarrier *mbarrier, const struct mask *mask)
{
    if (mask->count == 0)
        return;
    const struct mask *stored = mask_and(run->masks, mbarrier->ever_arrived,
                                         run->block_mask[mask->first / run->engine->block_threads]);
    mask_each (run->masks, stored, t) {
        const struct holder *holder = &mbarrier->holder[t];
        const struct mask *know =
            holder->stored_for_warp ? warp_with(run, t) : mask_one(run->masks, t);
        // A barrier of the block that both came through since has published it.
        const uint32_t *epoch = run->machines->epoch;
        bool published =
            holder->stored_epoch != epoch[mask->first] && holder->stored_epoch != epoch[t];
        if (!holder->stored_event || mask_subset(run->masks, mask, know) || published)
            continue;
        if (holder->stored_place)
            unread_waited(run, mbarrier, holder->stored_event - 1, holder->stored_place, mask);
        else
            run->engine->result->event[holder->stored_event - 1].wrote = true;
    }
}

void touch_data(struct run *run, const struct mask *mask, enum touch touch)
{
    mask_each (run->masks, mask, t) {
        if (run->machines->touch[t] == TOUCH_NONE)
            run->machines->touch[t] = (uint8_t)touch;
    }
}

// The threads of the mask whose access overlaps the object.
static const struct mask *overlap(struct run *run, const struct mask *mask,
                                  const struct node *offset, uint32_t size,
                                  const struct mbarrier *mbarrier)
{
    int64_t at;
    if (node_is_const(offset, mask, run->masks, &at))
        return mbarrier->offset + 8 <= at || at + (int64_t)size <= mbarrier->offset
                   ? run->masks->none
                   : mask;
    if (!node_known(offset))
        return run->masks->none;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    mask_each (run->masks, mask, t) {
        if (node_lane(offset, t, &at) && mbarrier->offset + 8 > at &&
            at + (int64_t)size > mbarrier->offset)
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return mask_from_words(run->masks, word);
}

// The bytes that the threads of the mask touch between them; false where they are not known.
static bool bytes_touched(struct run *run, const struct mask *mask, const struct node *offset,
                          uint32_t size, int64_t *low, int64_t *high)
{
    struct reach reach;
    if (!node_reach(run->nodes, offset, mask, &reach))
        return false;
    *low = reach.low;
    return !__builtin_add_overflow(reach.high, (int64_t)size, high);
}

static void stored(struct run *run, const struct mask *mask, const struct node *address,
                   uint32_t size)
{
    struct machines *machines = run->machines;
    if (arrlen(machines->mbarrier)) { // else nobody arrives at one
        int64_t low, high;
        if (!bytes_touched(run, mask, address->address.offset, size, &low, &high))
            low = INT64_MIN, high = INT64_MAX;
        unread_stored(run, mask, mask_or(run->masks, machines->wrote, machines->told_warp),
                      address->address.object, low, high);
    }
    machines->wrote = mask_or(run->masks, machines->wrote, mask);
    if (run->engine->blocks > 1)
        machines->unreleased = mask_or(run->masks, machines->unreleased, mask);
}

// The same by those threads of the group that have that address.
static void barrier_touched_by(struct run *run, struct group *group, const struct mask *threads,
                               const struct node *address, uint32_t size)
{
    struct machines *machines = run->machines;
    int64_t low, high;
    if (address->kind != NODE_ADDRESS ||
        !bytes_touched(run, threads, address->address.offset, size, &low, &high))
        return;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier); ++i) {
        const struct mbarrier *mbarrier = &machines->mbarrier[i];
        if (mbarrier->object != address->address.object || mbarrier->state.state != BARLINT_LIVE ||
            mbarrier->offset >= high || mbarrier->offset + 8 <= low)
            continue;
        const struct mask *mask = mask_and(run->masks, threads, run->block_mask[mbarrier->block]);
        mask = overlap(run, mask, address->address.offset, size, mbarrier);
        if (mask->count == 0)
            continue;
        // Threads that a smaller block does not have: it is guessed too large.
        if (!run->engine->shape.block_known && mask->first >= WARP) {
            run->engine->too_large = true;
            continue;
        }
        struct barlint_violations violations = barlint_violations_none();
        barlint_violations_add(&violations, BARLINT_INIT_RAW_ACCESS);
        record_effect(run, group, mask, group->frame->at, mbarrier, violations);
    }
}

void barrier_touched(struct run *run, struct group *group, const struct node *address,
                     uint32_t size)
{
    // Under a condition that is not decided nobody may be the one to touch it.
    if (address->kind != NODE_ADDRESS || group->arms || address->address.rank ||
        arrlen(run->machines->mbarrier) == 0)
        return;
    const struct node *place = mbarrier_place(run, group->mask, address, false);
    if (place->kind != NODE_PIECES)
        barrier_touched_by(run, group, group->mask, place, size);
    for (uint32_t i = 0; place->kind == NODE_PIECES && i < place->pieces.count; ++i)
        barrier_touched_by(run, group, place->pieces.piece[i].mask, place->pieces.piece[i].value,
                           size);
}

static void note_unread(struct run *run, const struct group *group, const struct node *address,
                        uint32_t size)
{
    int64_t low, high;
    if (!unread_any(run))
        return;
    if (!bytes_touched(run, group->mask, address->address.offset, size, &low, &high))
        low = INT64_MIN, high = INT64_MAX;
    unread_touched(run, group->mask, address->address.object, low, high);
}

void memory_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                    bool writes)
{
    struct machines *machines = run->machines;
    if (address->kind != NODE_ADDRESS || run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    if (run->afterlife) {
        touch_data(run, group->mask, writes ? TOUCH_STORE : TOUCH_LOAD);
        return;
    }
    if (address->address.rank)
        peers_access(run, group, group->frame->at, address, size, writes);
    else if (!writes && run->engine->blocks > 1)
        peers_read(run, group, group->frame->at, address, size);
    if (writes && address->address.rank)
        machines->wrote_remote = mask_or(run->masks, machines->wrote_remote, group->mask);
    else if (writes)
        stored(run, group->mask, address, size);
    if (writes && !address->address.rank)
        pulled_stored(run, group, address, size);
    if (!writes)
        lag_reads(run, group->mask);
    note_unread(run, group, address, size);
    copies_touched(run, group, address, size, writes);
    if (writes)
        stores_touched(run, group, address, size);
    barrier_touched(run, group, address, size);
}
