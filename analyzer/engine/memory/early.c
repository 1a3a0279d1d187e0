// Data that a thread reads too early: behind a wait that passed for the phase before the first (a
// fresh mbarrier lets parity 1 through, PTX ISA 9.1, 9.7.13.15.9 and 9.7.13.15.16), from bytes that
// nobody has written, and that come to be written before the first phase is over. Whoever waits so
// for a free buffer writes behind it.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum { MOST_READS = 32, MOST_BARRIERS = 64 };

// What has been written of an object: everything between the first and the last byte.
struct written {
    uint32_t object;
    int64_t low, high;
};

struct early_read {
    uint32_t object;
    const struct mask *mask;
    const struct node *offset;  // known numbers
    int64_t size, low, high;    // bytes: of each thread; between the first and the last of all
    uint64_t behind;            // bit i: the wait at mbarrier i
    const struct mask *writers; // since
    struct named_site site, writer;
};

struct early {
    uint64_t *over;                        // by thread: bit i: has passed mbarrier i so, and
                                           // not waited for it since
    struct named_site wait[MOST_BARRIERS]; // the latest such wait
    bool any;
    struct written *written; // stb_ds array
    struct early_read *read; // stb_ds array
};

void early_init(struct run *run)
{
    run->machines->early = arena_new(&run->arena, struct early);
    run->machines->early->over = arena_array(&run->arena, uint64_t, run->engine->threads);
}

void early_release(struct run *run)
{
    arrfree(run->machines->early->written);
    arrfree(run->machines->early->read);
}

void early_waited(struct run *run, uint32_t mbarrier, uint32_t thread, bool over,
                  const struct named_site *site)
{
    struct early *early = run->machines->early;
    if (mbarrier >= MOST_BARRIERS || (!over && !early->any))
        return;
    uint64_t bit = UINT64_C(1) << mbarrier;
    early->over[thread] = over ? early->over[thread] | bit : early->over[thread] & ~bit;
    if (over)
        early->wait[mbarrier] = *site;
    early->any |= over;
}

// The bytes that the threads touch between them; false where they are not known.
static bool span(const struct run *run, const struct mask *mask, const struct node *offset,
                 int64_t size, int64_t *low, int64_t *high)
{
    struct reach reach;
    if (!node_reach(run->nodes, offset, mask, &reach) || reach.low < INT32_MIN ||
        reach.high > INT32_MAX)
        return false;
    *low = reach.low;
    *high = reach.high + size;
    return true;
}

static bool is_written(const struct early *early, uint32_t object, int64_t low, int64_t high)
{
    for (ptrdiff_t i = 0; i < arrlen(early->written); ++i) {
        const struct written *w = &early->written[i];
        if (w->object == object && w->low < high && low < w->high)
            return true;
    }
    return false;
}

static void extend(struct early *early, uint32_t object, int64_t low, int64_t high)
{
    for (ptrdiff_t i = 0; i < arrlen(early->written); ++i) {
        struct written *w = &early->written[i];
        if (w->object != object)
            continue;
        w->low = low < w->low ? low : w->low;
        w->high = high > w->high ? high : w->high;
        return;
    }
    arrput(early->written, ((struct written){object, low, high}));
}

// The mbarriers that all threads of the mask have passed so.
static uint64_t passed(const struct run *run, const struct mask *mask)
{
    uint64_t all = UINT64_MAX;
    mask_each (run->masks, mask, t)
        all &= run->machines->early->over[t];
    return mask->count ? all : 0;
}

static void note_read(struct run *run, const struct group *group, const struct node *address,
                      int64_t size)
{
    struct early *early = run->machines->early;
    struct early_read read = {.object = address->address.object,
                              .mask = group->mask,
                              .offset = address->address.offset,
                              .size = size,
                              .writers = run->masks->none};
    if (!early->any || group->arms || arrlen(early->read) >= MOST_READS ||
        !(read.behind = passed(run, group->mask)) ||
        !span(run, group->mask, read.offset, size, &read.low, &read.high) ||
        is_written(early, read.object, read.low, read.high))
        return;
    read.site = named_site_here(run, group);
    arrput(early->read, read);
}

// Whether one of the threads reads a byte from `low` to before `high`.
static bool reads(const struct run *run, const struct early_read *read, int64_t low, int64_t high)
{
    if (read->low >= high || low >= read->high)
        return false;
    mask_each (run->masks, read->mask, t) {
        int64_t at = 0;
        if (node_lane(read->offset, t, &at) && at < high && low < at + read->size)
            return true;
    }
    return false;
}

static void tell(struct run *run, const struct early_read *read, uint32_t index,
                 const struct named_site *writer)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[index];
    const struct named_site *wait = &run->machines->early->wait[index];
    if (mbarrier->shared_unknown || !mbarrier->count_known)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_PHASE_PARITY_INITIAL, wait->function,
                        wait->op, wait->chain, mbarrier->result_object, read->mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = 1;
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    record_step(run, incident, record_place(run, read->site.chain, read->site.loc),
                "%s {reads|read} here what nobody has written yet", mask_words(run, read->mask));
    record_step(run, incident, record_place(run, writer->chain, writer->loc),
                "it is written here, in the first phase of '%s'", object->name);
}

// Whether one of the threads that the read is of reads what this group writes; which of the group
// do is added to the read's writers.
static void note_write(struct run *run, const struct group *group, const struct node *address,
                       int64_t size, struct early_read *read)
{
    bool found = false;
    mask_each (run->masks, group->mask, t) {
        int64_t at = 0;
        if (!node_lane(address->address.offset, t, &at) || !reads(run, read, at, at + size))
            continue;
        read->writers = mask_or(run->masks, read->writers, mask_one(run->masks, t));
        found = true;
    }
    if (found)
        read->writer = named_site_here(run, group);
}

void early_written(struct run *run, const struct group *group, const struct node *address,
                   int64_t bytes)
{
    struct early *early = run->machines->early;
    int64_t low, high;
    if (address->kind != NODE_ADDRESS || run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    bool known = bytes > 0 && span(run, group->mask, address->address.offset, bytes, &low, &high);
    extend(early, address->address.object, known ? low : INT64_MIN, known ? high : INT64_MAX);
    for (ptrdiff_t i = 0; known && !group->arms && i < arrlen(early->read); ++i) {
        if (early->read[i].object == address->address.object)
            note_write(run, group, address, bytes, &early->read[i]);
    }
}

void early_touched(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size, bool writes)
{
    if (address->kind != NODE_ADDRESS || address->address.rank || run->afterlife ||
        run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    if (writes)
        early_written(run, group, address, size);
    else
        note_read(run, group, address, size);
}

// Tells what has been read before it was there, in the first phase of the mbarrier.
static void settle(struct run *run, uint32_t mbarrier, ptrdiff_t at,
                   const struct named_site *writer)
{
    struct early_read *read = &run->machines->early->read[at];
    tell(run, read, mbarrier, writer);
    arrdel(run->machines->early->read, at);
}

void early_copied(struct run *run, const struct group *group, const struct node *address,
                  int64_t bytes, uint32_t mbarrier)
{
    struct early *early = run->machines->early;
    int64_t low, high;
    if (mbarrier >= MOST_BARRIERS || run->machines->mbarrier[mbarrier].state.phase ||
        address->kind != NODE_ADDRESS ||
        !span(run, group->mask, address->address.offset, bytes > 0 ? bytes : 1, &low, &high))
        return;
    struct named_site site = named_site_here(run, group);
    for (ptrdiff_t i = arrlen(early->read); i-- > 0;) {
        const struct early_read *read = &early->read[i];
        if (read->object == address->address.object && read->behind >> mbarrier & 1 &&
            reads(run, read, low, high))
            settle(run, mbarrier, i, &site);
    }
}

void early_arrived(struct run *run, const struct mask *mask, uint32_t mbarrier)
{
    struct early *early = run->machines->early;
    if (mbarrier >= MOST_BARRIERS || run->machines->mbarrier[mbarrier].state.phase)
        return;
    for (ptrdiff_t i = arrlen(early->read); i-- > 0;) {
        const struct early_read *read = &early->read[i];
        if (read->behind >> mbarrier & 1 && mask_overlaps(run->masks, read->writers, mask))
            settle(run, mbarrier, i, &read->writer);
    }
}
