// Bulk stores from shared memory: whether the stores of ordinary code have been made known to the
// asynchronous proxy before, and whether the source is left alone until it has been read. (PTX ISA
// 9.1, 9.7.9.25, 9.7.9.27.2, 9.7.13.4.) A store whose place is not known is not followed.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"

enum { MOST_PIECES = 64 }; // of memory that are remembered; the oldest is forgotten

// What threads have written, or what their bulk stores read.
struct use {
    struct piece_of_memory at;
    uint64_t time;             // bulk->clock then
    const uint32_t *member;    // of a bulk store, by thread: its group
    uint64_t releases;         // of stores: all that their threads had released until then
    const struct mask *fenced; // of stores: threads that fenced when all writers had let them know
    // Of stores, by thread: 1 + its releases at its first fence since, 0 for none; NULL while
    // nobody has fenced.
    uint32_t *own_fence;
    struct named_site site;
};

struct bulk {
    struct barlint_async *thread;
    struct use *written, *source; // stb_ds arrays
    uint64_t clock;
    uint64_t *fenced;        // by thread: clock of its last fence of the asynchronous proxy
    uint32_t *read_before;   // by thread: groups whose sources were free before its last wait
    uint32_t *releases_then; // by thread: machines->releases at its last wait
};

void stores_init(struct run *run)
{
    uint32_t threads = run->engine->threads;
    struct bulk *bulk = arena_new(&run->arena, struct bulk);
    run->machines->bulk = bulk;
    bulk->thread = arena_array(&run->arena, struct barlint_async, threads);
    bulk->fenced = arena_array(&run->arena, uint64_t, threads);
    bulk->read_before = arena_array(&run->arena, uint32_t, threads);
    bulk->releases_then = arena_array(&run->arena, uint32_t, threads);
    for (uint32_t t = 0; t < threads; ++t)
        barlint_async_start(&bulk->thread[t], true);
}

void stores_release(struct run *run)
{
    arrfree(run->machines->bulk->written);
    arrfree(run->machines->bulk->source);
}

static bool use_of(struct run *run, struct group *group, const struct node *address, int64_t size,
                   struct use *out)
{
    *out = (struct use){.time = run->machines->bulk->clock + 1};
    if (!address || run->afterlife || !piece_of(run, group, group->mask, address, size, &out->at) ||
        !within_bounds(run, group->arms, out->at.object, false))
        return false;
    ++run->machines->bulk->clock;
    return true;
}

static void remember(struct use **list, struct use use)
{
    if (arrlen(*list) >= MOST_PIECES)
        arrdel(*list, 0);
    arrput(*list, use);
}

static struct engine_incident *tell(struct run *run, enum barlint_violation violation,
                                    struct named_site site, uint32_t object,
                                    const struct mask *mask)
{
    uint32_t of = object ? record_object(run, object, 0, true) : UINT32_MAX;
    return record_incident(run, ENGINE_VIOLATION, violation, site.function, site.op, site.chain, of,
                           mask);
}

static uint64_t releases_of(const struct run *run, const struct mask *mask)
{
    uint64_t sum = 0;
    mask_runs (run->masks, mask, from, to) {
        for (uint32_t t = from; t < to; ++t)
            sum += run->machines->releases[t];
    }
    return sum;
}

static void fence(struct run *run, const struct mask *mask)
{
    struct bulk *bulk = run->machines->bulk;
    ++bulk->clock;
    mask_each (run->masks, mask, t)
        bulk->fenced[t] = bulk->clock;
    for (ptrdiff_t i = 0; i < arrlen(bulk->written); ++i) {
        struct use *written = &bulk->written[i];
        if (!written->own_fence)
            written->own_fence = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, mask, t) {
            if (written->own_fence[t] == 0)
                written->own_fence[t] = 1 + run->machines->releases[t];
        }
        if (releases_of(run, written->at.mask) >= written->releases + written->at.mask->count)
            written->fenced = mask_or(run->masks, written->fenced, mask);
    }
}

enum fenced { FENCED_NEVER, FENCED_BY_READER, FENCED_BY_WRITER };

// Whether a fence stands on the way from a thread's stores to the bulk store of another one: behind
// the stores and in front of what lets the other thread know of them, or in front of the bulk store
// where the stores were known by then. (PTX ISA 9.1, 8.9: a proxy fence along the causality path.)
// Lanes of one warp know of each other's.
static enum fenced fenced_between(const struct run *run, const struct use *written, uint32_t writer,
                                  uint32_t reader)
{
    const struct bulk *bulk = run->machines->bulk;
    uint32_t own = written->own_fence ? written->own_fence[writer] : 0;
    if (own && (writer / 32 == reader / 32 || run->machines->releases[writer] >= own))
        return FENCED_BY_WRITER;
    bool knows = writer / 32 == reader / 32 || mask_has(written->fenced, reader);
    return bulk->fenced[reader] > written->time && knows ? FENCED_BY_READER : FENCED_NEVER;
}

// The least that is true of any writer whose bytes the bulk store reads.
static enum fenced least_fenced(struct run *run, const struct use *written,
                                const struct use *source)
{
    enum fenced least = FENCED_BY_WRITER;
    uint32_t writer = 0, reader = 0;
    while (least != FENCED_NEVER && pieces_meet(run, &written->at, &source->at, &writer, &reader)) {
        enum fenced own = fenced_between(run, written, writer, reader);
        least = own < least ? own : least;
        ++writer;
        reader = 0;
    }
    return least;
}

// Whether ordinary stores to the source have passed no fence on their way to the bulk store, or one
// of the issuing thread alone.
static void check_fenced(struct run *run, const struct use *source)
{
    const struct use *written = NULL;
    enum fenced least = FENCED_BY_WRITER;
    for (ptrdiff_t i = arrlen(run->machines->bulk->written); i-- > 0 && least != FENCED_NEVER;) {
        const struct use *at = &run->machines->bulk->written[i];
        enum fenced fenced = least_fenced(run, at, source);
        if (fenced < least)
            written = at;
        least = fenced < least ? fenced : least;
    }
    struct engine_incident *incident = NULL;
    if (written)
        incident =
            tell(run, BARLINT_ASYNC_NOT_FENCED, source->site, source->at.object, source->at.mask);
    if (!incident)
        return;
    incident->number[0] = least == FENCED_BY_READER;
    record_step(run, incident, record_place(run, written->site.chain, written->site.loc),
                "%s {writes|write} the data here", mask_words(run, written->at.mask));
    record_step(run, incident, record_place(run, source->site.chain, source->site.loc),
                "the store reads them through the asynchronous proxy");
}

static void wait(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    struct bulk *bulk = run->machines->bulk;
    const struct node *prior =
        op->prior == IR_NONE ? NULL : operand_field(run, group, op, &op->prior);
    const struct mask *early = run->masks->none;
    mask_each (run->masks, group->mask, t) {
        int64_t keep = op->prior_constant;
        if ((prior && !node_lane(prior, t, &keep)) || keep < 0 || keep > UINT32_MAX)
            keep = 0;
        bulk->read_before[t] = bulk->thread[t].read;
        bulk->releases_then[t] = run->machines->releases[t];
        struct barlint_effect effect =
            op->flags & MODEL_READ ? barlint_async_wait_read(&bulk->thread[t], (uint32_t)keep)
                                   : barlint_async_wait(&bulk->thread[t], (uint32_t)keep);
        if (barlint_violations_has(effect.violations, BARLINT_ASYNC_UNCOMMITTED))
            early = mask_or(run->masks, early, mask_one(run->masks, t));
    }
    if (early->count && !group->arms)
        tell(run, BARLINT_ASYNC_UNCOMMITTED, named_site_of(run, group, value), 0, early);
}

void stores_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    struct bulk *bulk = run->machines->bulk;
    struct use use;
    switch (op->kind) {
    case MODEL_BULK_STORE: {
        // A tensor store reads its box, and one of a size that nobody knows no less than the unit
        // of all sizes.
        int64_t size = op->src == IR_NONE ? 0 : COPY_FRONT;
        if (size && op->bytes != IR_NONE &&
            !node_is_const(operand_field(run, group, op, &op->bytes), group->mask, run->masks,
                           &size))
            size = COPY_FRONT;
        uint32_t *member = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, group->mask, t)
            member[t] = barlint_async_issue(&bulk->thread[t]);
        if (op->bytes != IR_NONE && size > 0 && size <= UINT32_MAX)
            races_touched(run, group, operand_field(run, group, op, &op->src), op->src,
                          (uint32_t)size, RACE_READ);
        if (size == 0 || !use_of(run, group, operand_field(run, group, op, &op->src), size, &use))
            break;
        use.member = member;
        use.site = named_site_of(run, group, value);
        check_fenced(run, &use);
        remember(&bulk->source, use);
        break;
    }
    case MODEL_BULK_COMMIT:
        mask_each (run->masks, group->mask, t)
            barlint_async_commit(&bulk->thread[t]);
        break;
    case MODEL_BULK_WAIT:
        wait(run, group, op, value);
        break;
    case MODEL_BULK_LOAD:
        // What lies there now comes from the proxy itself.
        arrsetlen(bulk->written, 0);
        break;
    case MODEL_FENCE:
        if (op->fence == MODEL_FENCE_PROXY_ASYNC)
            fence(run, group->mask);
        break;
    default:
        break;
    }
}

// Whether the thread may write to what `owner` stores from.
static bool is_free(const struct run *run, const struct use *source, uint32_t owner,
                    uint32_t writer)
{
    const struct bulk *bulk = run->machines->bulk;
    uint32_t member = source->member[owner];
    if (barlint_async_state_of(&bulk->thread[owner], member) == BARLINT_ASYNC_IN_FLIGHT)
        return false;
    return owner == writer || member < bulk->read_before[owner] ||
           bulk->releases_then[owner] != run->machines->releases[owner];
}

// Whether the group writes to what bulk stores may still read: `use` says where.
static void check_free(struct run *run, const struct group *group, const struct use *use)
{
    struct bulk *bulk = run->machines->bulk;
    for (ptrdiff_t i = arrlen(bulk->source); i-- > 0;) {
        const struct use source = bulk->source[i];
        uint32_t writer = 0, owner = 0;
        if (!pieces_meet(run, &use->at, &source.at, &writer, &owner))
            continue;
        // Another writer of the group may do so where this one may not.
        if (is_free(run, &source, owner, writer)) {
            if (writer != owner)
                continue;
            writer = mask_next(run->masks, use->at.mask, writer + 1);
            owner = 0;
            if (writer >= run->masks->threads ||
                !pieces_meet(run, &use->at, &source.at, &writer, &owner) ||
                is_free(run, &source, owner, writer))
                continue;
        }
        arrdel(bulk->source, i); // told
        struct engine_incident *incident =
            tell(run, BARLINT_ASYNC_STORE_OPEN, use->site, use->at.object, group->mask);
        if (incident)
            record_step(run, incident, record_place(run, source.site.chain, source.site.loc),
                        "%s {starts|start} the store from there here",
                        mask_words(run, source.at.mask));
    }
}

void stores_touched(struct run *run, struct group *group, const struct node *address, uint32_t size)
{
    struct use use;
    if (!use_of(run, group, address, size, &use))
        return;
    use.site = named_site_here(run, group);
    check_free(run, group, &use);
    use.releases = releases_of(run, use.at.mask);
    use.fenced = run->masks->none;
    remember(&run->machines->bulk->written, use);
}

void stores_copied_over(struct run *run, struct group *group, const struct node *address,
                        int64_t size)
{
    struct use use;
    if (!use_of(run, group, address, size, &use))
        return;
    use.site = named_site_here(run, group);
    check_free(run, group, &use);
}

void stores_end(struct run *run)
{
    const struct bulk *bulk = run->machines->bulk;
    if (run->over || run->cut || run->exited != run->masks->all)
        return;
    for (ptrdiff_t i = 0; i < arrlen(bulk->source); ++i) {
        const struct use *source = &bulk->source[i];
        mask_each (run->masks, source->at.mask, t) {
            if (barlint_async_state_of(&bulk->thread[t], source->member[t]) !=
                BARLINT_ASYNC_IN_FLIGHT)
                continue;
            struct engine_incident *incident =
                tell(run, BARLINT_EXIT_INFLIGHT, source->site, source->at.object, source->at.mask);
            if (incident)
                incident->number[0] = 2;
            break;
        }
    }
}
