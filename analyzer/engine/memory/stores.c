// What reads shared memory through the asynchronous proxy, bulk stores and multiplications of
// matrices: whether the stores of ordinary code have been made known to that proxy before, and
// whether the source is left alone until it has been read. (PTX ISA 9.1, 9.7.9.25, 9.7.9.27.2,
// 9.7.13.4, 9.7.15.) A source whose place is not known is not followed.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum {
    MOST_PIECES = 64, // of memory that are remembered; the oldest is forgotten
    WARP = 32,
    WARPGROUP = 128,
};

#define NOT_COUNTED (UINT64_MAX / 2)

// What threads have written, or what their bulk stores or multiplications read.
struct use {
    struct piece_of_memory at;
    const struct mask *by;      // who did
    uint64_t time;              // bulk->clock then
    const uint32_t *member;     // of what reads, by thread: its group
    uint32_t issued;            // when it began, as orders count
    uint32_t *waited;           // of what reads, by thread: 1 + when it waited for that; 0: not yet
    uint64_t releases;          // of stores: all that their threads had released until then, or
                                // NOT_COUNTED
    uint32_t epoch, last_epoch; // of stores: the fewest barriers of the block that one of their
                                // threads had passed, and the most
    const struct mask *fenced;  // of stores: threads that fenced when all writers had let them know
    // Of stores, by thread that stored: 1 + its releases at its first fence since, 0 for none; NULL
    // while none of them has fenced.
    uint32_t *own_fence;
    const struct mask *unfenced; // of stores: those of their threads that have not fenced since
    bool passed_on;              // of stores: all have, and let others know since
    struct named_site site;
};

// Readers of one kind, which a thread waits for by groups.
struct readers {
    struct barlint_async *thread;
    struct use *source;    // stb_ds array
    uint32_t *last_waited; // by thread: 1 + when it last waited; 0: never
};

struct bulk {
    struct readers store, matrix;
    struct use *written; // stb_ds array
    uint64_t clock;
    uint64_t *fenced; // by thread: clock of its last fence of the asynchronous proxy
};

static void readers_init(struct run *run, struct readers *readers)
{
    uint32_t threads = run->engine->threads;
    readers->thread = arena_array(&run->arena, struct barlint_async, threads);
    readers->last_waited = arena_array(&run->arena, uint32_t, threads);
    for (uint32_t t = 0; t < threads; ++t)
        barlint_async_start(&readers->thread[t], true);
}

void stores_init(struct run *run)
{
    struct bulk *bulk = arena_new(&run->arena, struct bulk);
    run->machines->bulk = bulk;
    bulk->fenced = arena_array(&run->arena, uint64_t, run->engine->threads);
    readers_init(run, &bulk->store);
    readers_init(run, &bulk->matrix);
}

void stores_release(struct run *run)
{
    arrfree(run->machines->bulk->written);
    arrfree(run->machines->bulk->store.source);
    arrfree(run->machines->bulk->matrix.source);
}

static bool use_of(struct run *run, struct group *group, const struct node *address, int64_t size,
                   struct use *out)
{
    *out = (struct use){.by = group->mask, .time = run->machines->bulk->clock + 1};
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
                                    struct named_site site, const struct piece_of_memory *at,
                                    const struct mask *mask)
{
    uint32_t of = at ? piece_object(run, at) : UINT32_MAX;
    return record_incident(run, ENGINE_VIOLATION, violation, site.function, site.op, site.chain, of,
                           mask);
}

// Of threads that have stored side by side some may have met by themselves, as groups do at
// barriers of their own: what those have stored whom the fencing threads know of is a piece of its
// own from then on, behind the others'. Whether there are such.
static bool part_known(struct run *run, ptrdiff_t at, const struct mask *mask)
{
    struct bulk *bulk = run->machines->bulk;
    struct use known = bulk->written[at];
    struct mask_builder some;
    mask_builder_clear(run->masks, &some);
    uint32_t reader = mask->first;
    mask_each (run->masks, known.at.mask, t) {
        if (t / WARP == reader / WARP || orders_knows(run, t, known.issued, reader))
            mask_builder_add(&some, t);
    }
    const struct mask *writers = mask_builder_end(run->masks, &some);
    known.fenced = mask_or(run->masks, known.fenced, mask);
    known.releases = NOT_COUNTED;
    bool all = writers->count == known.at.mask->count;
    if (all)
        bulk->written[at] = known;
    if (all || writers->count <= WARP || arrlen(bulk->written) >= 2 * MOST_PIECES)
        return false;
    struct use *others = &bulk->written[at];
    others->at.mask = mask_minus(run->masks, others->at.mask, writers);
    others->releases = NOT_COUNTED;
    known.at.mask = writers;
    arrins(bulk->written, at + 1, known);
    return true;
}

static void fence(struct run *run, const struct mask *mask)
{
    struct bulk *bulk = run->machines->bulk;
    ++bulk->clock;
    mask_each (run->masks, mask, t)
        bulk->fenced[t] = bulk->clock;
    for (ptrdiff_t i = 0; i < arrlen(bulk->written); ++i) {
        struct use *written = &bulk->written[i];
        const struct mask *first = mask_and(run->masks, written->unfenced, mask);
        if (first->count && !written->own_fence)
            written->own_fence = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, first, t)
            written->own_fence[t] = 1 + run->machines->releases[t];
        written->unfenced = mask_minus(run->masks, written->unfenced, first);
        if (machines_releases(run, written->at.mask) >= written->releases + written->at.mask->count)
            written->fenced = mask_or(run->masks, written->fenced, mask);
        else if (part_known(run, i, mask))
            ++i;
    }
}

// Whether all who stored have fenced and let others know since, so that the stores are behind a
// fence for whoever comes.
static bool is_passed_on(const struct run *run, struct use *written)
{
    if (written->passed_on || mask_overlaps(run->masks, written->unfenced, written->at.mask))
        return written->passed_on;
    mask_each (run->masks, written->at.mask, t) {
        if (run->machines->releases[t] < written->own_fence[t])
            return false;
    }
    written->passed_on = true;
    return true;
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

// Whether all that the thread has written there has been written again, by itself or by one who had
// passed a barrier of the block since: only what was written last is read.
static bool is_replaced(const struct run *run, const struct use *written, uint32_t writer)
{
    const struct bulk *bulk = run->machines->bulk;
    const struct use *end = bulk->written + arrlen(bulk->written);
    uint32_t size = run->engine->block_threads, block = writer / size * size;
    int64_t low = 0, at = 0;
    if (!node_lane(written->at.offset, writer, &low))
        return false;
    for (const struct use *later = written + 1; later < end; ++later) {
        if (later->at.object != written->at.object || later->at.arms || later->at.low > low ||
            later->at.high < low + written->at.size)
            continue;
        for (uint32_t t = mask_next(run->masks, later->at.mask, block); t < block + size;
             t = mask_next(run->masks, later->at.mask, t + 1)) {
            if (node_lane(later->at.offset, t, &at) && at <= low &&
                low + written->at.size <= at + later->at.size &&
                (t == writer || written->last_epoch < later->epoch))
                return true;
        }
    }
    return false;
}

// The least that is true of any writer whose bytes are read; or are written over, where the threads
// are in order: where they are not, another rule tells.
static enum fenced least_fenced(struct run *run, const struct use *written,
                                const struct use *source, bool reads)
{
    enum fenced least = FENCED_BY_WRITER;
    uint32_t writer = 0, reader = 0;
    while (least != FENCED_NEVER && pieces_meet(run, &written->at, &source->at, &writer, &reader)) {
        enum fenced own = reads || orders_before(run, writer, written->issued, reader)
                              ? fenced_between(run, written, writer, reader)
                              : FENCED_BY_WRITER;
        if (own != FENCED_BY_WRITER && is_replaced(run, written, writer))
            own = FENCED_BY_WRITER;
        least = own < least ? own : least;
        ++writer;
        reader = 0;
    }
    return least;
}

// Whether ordinary stores to the source have passed no fence on their way to what reads it, or at
// most one of the reading thread alone, where that is to be told; or on their way to what writes
// there next.
static void check_fenced(struct run *run, const struct use *source, enum engine_reader reader)
{
    enum fenced most = reader == ENGINE_READ_BY_STORE ? FENCED_BY_READER : FENCED_NEVER;
    const struct use *written = NULL;
    enum fenced least = FENCED_BY_WRITER;
    for (ptrdiff_t i = arrlen(run->machines->bulk->written); i-- > 0 && least != FENCED_NEVER;) {
        struct use *at = &run->machines->bulk->written[i];
        if (is_passed_on(run, at))
            continue;
        enum fenced fenced = least_fenced(run, at, source, reader != ENGINE_OVERWRITTEN);
        if (fenced < least)
            written = at;
        least = fenced < least ? fenced : least;
    }
    struct engine_incident *incident = NULL;
    if (written && least <= most)
        incident = tell(run, BARLINT_ASYNC_NOT_FENCED, source->site, &source->at, source->by);
    if (!incident)
        return;
    incident->number[0] = least == FENCED_BY_READER ? ENGINE_READ_BY_FENCED_STORE : reader;
    record_step(run, incident, record_place(run, written->site.chain, written->site.loc),
                "%s {writes|write} the data here", mask_words(run, written->at.mask));
    record_step(run, incident, record_place(run, source->site.chain, source->site.loc),
                "%s them through the asynchronous proxy",
                reader == ENGINE_READ_BY_MATRIX ? "the multiplication reads"
                : reader == ENGINE_OVERWRITTEN  ? "the copy overwrites"
                                                : "the copy reads");
}

// Notes what the threads have waited for by now.
static void note_waited(struct run *run, struct readers *readers, const struct mask *mask)
{
    uint32_t now = orders_time(run);
    mask_each (run->masks, mask, t)
        readers->last_waited[t] = 1 + now;
    for (ptrdiff_t i = 0; i < arrlen(readers->source); ++i) {
        struct use *source = &readers->source[i];
        const struct mask *both = mask_and(run->masks, mask, source->by);
        if (both->count && !source->waited)
            source->waited = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, both, t) {
            if (source->waited[t] == 0 &&
                barlint_async_state_of(&readers->thread[t], source->member[t]) !=
                    BARLINT_ASYNC_IN_FLIGHT)
                source->waited[t] = 1 + now;
        }
    }
}

// The threads wait for groups of their readers; returns those whose readers are in no group.
static const struct mask *wait(struct run *run, struct group *group, const struct model_op *op,
                               struct readers *readers)
{
    const struct node *prior =
        op->prior == IR_NONE ? NULL : operand_field(run, group, op, &op->prior);
    const struct mask *early = run->masks->none;
    mask_each (run->masks, group->mask, t) {
        int64_t keep = op->prior_constant;
        if ((prior && !node_lane(prior, t, &keep)) || keep < 0 || keep > UINT32_MAX)
            keep = 0;
        struct barlint_effect effect =
            op->flags & MODEL_READ ? barlint_async_wait_read(&readers->thread[t], (uint32_t)keep)
                                   : barlint_async_wait(&readers->thread[t], (uint32_t)keep);
        if (barlint_violations_has(effect.violations, BARLINT_ASYNC_UNCOMMITTED))
            early = mask_or(run->masks, early, mask_one(run->masks, t));
    }
    note_waited(run, readers, group->mask);
    return early;
}

bool stores_in_flight(const struct run *run, uint32_t thread)
{
    const struct barlint_async *async = &run->machines->bulk->store.thread[thread];
    return async->last_used > async->finished && async->read >= async->last_used;
}

// The lanes that stand for the warps which read the front of a matrix: a warp reads its own rows of
// A, the first sixteen of which are the first warp's, and all of B. (PTX ISA 9.1, 9.7.15.5.1.)
static const struct mask *lanes_at_front(struct run *run, const struct mask *mask, bool is_a)
{
    struct mask_builder lanes;
    mask_builder_clear(run->masks, &lanes);
    uint32_t size = run->engine->block_threads, last = UINT32_MAX;
    mask_each (run->masks, mask, t) {
        uint32_t warp = t / size * size + t % size / WARP;
        if (warp != last && (!is_a || t % size % WARPGROUP < WARP))
            mask_builder_add(&lanes, t);
        last = warp;
    }
    return mask_builder_end(run->masks, &lanes);
}

// How far a matrix reaches its descriptor does not say, but no less than sixteen bytes of its first
// row are read.
static void read_front(struct run *run, struct group *group, const struct node *address,
                       ir_value descriptor, const struct use *reader)
{
    struct use use;
    loads_touched(run, group, address, COPY_FRONT, false);
    copies_touched(run, group, address, COPY_FRONT, false);
    races_touched(run, group, address, descriptor, COPY_FRONT, RACE_FETCH);
    if (!use_of(run, group, address, COPY_FRONT, &use))
        return;
    use.member = reader->member;
    use.site = reader->site;
    use.by = reader->by;
    check_fenced(run, &use, ENGINE_READ_BY_MATRIX);
    if (!use.member)
        return; // an mbarrier tells when it is over
    struct use **source = &run->machines->bulk->matrix.source;
    for (ptrdiff_t i = arrlen(*source); i-- > 0;) { // the later reader is done later
        const struct piece_of_memory *at = &(*source)[i].at;
        if (at->object == use.at.object && at->mask == use.at.mask && at->offset == use.at.offset &&
            at->arms == use.at.arms)
            arrdel(*source, i);
    }
    remember(source, use);
}

static void multiply(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    struct use reader = {.by = group->mask};
    if (run->afterlife)
        return;
    if (op->kind == MODEL_WARPGROUP) {
        uint32_t *member = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, group->mask, t)
            member[t] = barlint_async_issue(&run->machines->bulk->matrix.thread[t]);
        reader.member = member;
    }
    reader.site = named_site_of(run, group, value);
    for (int i = 0; i < 2; ++i) {
        if (op->argument[i] == IR_NONE)
            continue;
        const struct node *descriptor = operand_of(run, group, op->argument[i]);
        const struct mask *lanes =
            op->kind == MODEL_WARPGROUP ? lanes_at_front(run, group->mask, i == 0) : group->mask;
        struct node_piece whole = {lanes, descriptor};
        bool parted = descriptor->kind == NODE_PIECES;
        for (uint32_t k = 0; k < (parted ? descriptor->pieces.count : 1); ++k) {
            const struct node_piece *piece = parted ? &descriptor->pieces.piece[k] : &whole;
            struct group part = *group;
            part.mask = mask_and(run->masks, lanes, piece->mask);
            const struct node *address = descriptor_address(run->nodes, piece->value);
            if (part.mask->count && address)
                read_front(run, &part, address, op->argument[i], &reader);
        }
    }
}

// Whether it is known how many bytes the operation copies.
static bool bytes_of(struct run *run, struct group *group, const struct model_op *op, int64_t *out)
{
    return op->bytes != IR_NONE &&
           node_is_const(operand_field(run, group, op, &op->bytes), group->mask, run->masks, out);
}

// The group's threads read the source of a bulk copy, as far as it is known: a tensor's box, and
// what is of a size that nobody knows, is no less than the unit of all sizes.
static bool read_source(struct run *run, struct group *group, const struct model_op *op,
                        ir_value value, struct use *out)
{
    if (op->src == IR_NONE)
        return false;
    const struct node *from = operand_field(run, group, op, &op->src);
    int64_t size;
    if (!bytes_of(run, group, op, &size))
        size = COPY_FRONT;
    if (op->bytes != IR_NONE && size > 0 && size <= UINT32_MAX)
        races_touched(run, group, from, op->src, (uint32_t)size, RACE_READ);
    if (size == 0 || !use_of(run, group, from, size, out))
        return false;
    out->site = named_site_of(run, group, value);
    check_fenced(run, out, ENGINE_READ_BY_STORE);
    return true;
}

static bool is_own_shared(const struct run *run, const struct node *address)
{
    return address && address->kind == NODE_ADDRESS && !address->address.rank &&
           run->object[address->address.object].kind == OBJECT_SHARED;
}

// What lies where a bulk copy goes comes from the proxy itself from then on. A store of before that
// the proxy has not been told of may come behind it.
static void copy_over(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value)
{
    struct use **written = &run->machines->bulk->written;
    struct piece_of_memory to;
    const struct node *address =
        op->dst == IR_NONE ? NULL : operand_field(run, group, op, &op->dst);
    bool known = address && address->kind == NODE_ADDRESS;
    int64_t size;
    bool sized = known && bytes_of(run, group, op, &size);
    struct use use;
    if (known && op->scope == MODEL_SCOPE_THREAD &&
        use_of(run, group, address, sized ? size : COPY_FRONT, &use)) {
        use.site = named_site_of(run, group, value);
        check_fenced(run, &use, ENGINE_OVERWRITTEN);
    }
    bool in_place = sized && piece_of(run, group, group->mask, address, size, &to);
    for (ptrdiff_t i = arrlen(*written); i-- > 0;) {
        const struct piece_of_memory *at = &(*written)[i].at;
        uint32_t writer = 0, copier = 0;
        if (!known || (in_place ? pieces_meet(run, at, &to, &writer, &copier)
                                : at->object == address->address.object))
            arrdel(*written, i);
    }
}

void stores_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    struct bulk *bulk = run->machines->bulk;
    struct use use;
    switch (op->kind) {
    case MODEL_BULK_STORE: {
        uint32_t *member = arena_array(&run->arena, uint32_t, run->engine->threads);
        mask_each (run->masks, group->mask, t)
            member[t] = barlint_async_issue(&bulk->store.thread[t]);
        if (!read_source(run, group, op, value, &use))
            break;
        use.member = member;
        use.issued = orders_time(run);
        remember(&bulk->store.source, use);
        break;
    }
    case MODEL_BULK_COMMIT:
        mask_each (run->masks, group->mask, t)
            barlint_async_commit(&bulk->store.thread[t]);
        break;
    case MODEL_BULK_WAIT: {
        const struct mask *early = wait(run, group, op, &bulk->store);
        if (early->count && !group->arms)
            tell(run, BARLINT_ASYNC_UNCOMMITTED, named_site_of(run, group, value), NULL, early);
        break;
    }
    case MODEL_NOTHING:
    case MODEL_WARPGROUP:
        if (model_multiplies(op))
            multiply(run, group, op, value);
        else if (op->kind == MODEL_NOTHING)
            break;
        else if (op->warp_op == MODEL_MATRIX_WAIT)
            wait(run, group, op, &bulk->matrix);
        else if (op->warp_op == MODEL_MATRIX_COMMIT)
            mask_each (run->masks, group->mask, t)
                barlint_async_commit(&bulk->matrix.thread[t]);
        break;
    case MODEL_BULK_LOAD: // to another block of the cluster, perhaps, from this one's memory
        if (op->src != IR_NONE && op->scope == MODEL_SCOPE_THREAD &&
            is_own_shared(run, operand_field(run, group, op, &op->src)))
            read_source(run, group, op, value, &use);
        copy_over(run, group, op, value);
        break;
    case MODEL_FENCE:
        if (op->fence == MODEL_FENCE_PROXY_ASYNC || op->fence == MODEL_FENCE_PROXY_ASYNC_SHARED)
            fence(run, group->mask);
        break;
    default:
        break;
    }
}

// Whether the thread may write to what `owner` reads: that has waited, and the thread knows.
static bool is_free(const struct run *run, const struct use *source, uint32_t owner,
                    uint32_t writer)
{
    uint32_t waited = source->waited ? source->waited[owner] : 0;
    return waited && (owner == writer || orders_before(run, owner, waited - 1, writer));
}

// The same of the source of a store. One that the thread knows nothing of, not even that it has
// begun, came too early itself: races.c tells of that.
static bool is_free_of_store(const struct run *run, const struct use *source, uint32_t owner,
                             uint32_t writer)
{
    uint32_t waited = source->waited ? source->waited[owner] : 0;
    return is_free(run, source, owner, writer) ||
           (waited && orders_released(run, owner, waited - 1) &&
            !orders_before(run, owner, source->issued, writer));
}

// Whether a thread writes to what may still be stored from.
static bool writes_to_store(struct run *run, const struct use *source, const struct use *use)
{
    uint32_t writer = 0, owner = 0;
    if (!pieces_meet(run, &use->at, &source->at, &writer, &owner))
        return false;
    // Another writer of the group may do so where this one may not.
    if (is_free_of_store(run, source, owner, writer)) {
        if (writer != owner)
            return false;
        writer = mask_next(run->masks, use->at.mask, writer + 1);
        owner = 0;
        return writer < run->masks->threads &&
               pieces_meet(run, &use->at, &source->at, &writer, &owner) &&
               !is_free_of_store(run, source, owner, writer);
    }
    return true;
}

// Whether the thread has waited for all that it multiplies.
static bool is_idle(const struct barlint_async *thread)
{
    return thread->open == 0 && thread->finished == thread->committed;
}

// Whether thread `t`, of the warpgroup that multiplies by the source, has waited for its part and
// the writer knows.
static bool has_told(const struct run *run, const struct use *source, uint32_t t, uint32_t writer)
{
    const struct readers *readers = &run->machines->bulk->matrix;
    if (mask_has(source->by, t))
        return is_free(run, source, t, writer);
    // It has gone another way up to the multiplication.
    return is_idle(&readers->thread[t]) && readers->last_waited[t] &&
           orders_before(run, t, readers->last_waited[t] - 1, writer);
}

// Whether all warps of the owner's warpgroup have come to the multiplication: it takes all of them,
// and one of them often waits for the data.
static bool has_begun(const struct run *run, const struct use *source, uint32_t owner)
{
    const struct barlint_async *thread = run->machines->bulk->matrix.thread;
    uint32_t size = run->engine->block_threads;
    uint32_t first = owner - owner % size % WARPGROUP, end = owner - owner % size + size;
    for (uint32_t t = first; t < first + WARPGROUP && t < end; t += WARP) {
        if (thread[t].committed + (thread[t].open > 0) <= source->member[owner])
            return false;
    }
    return true;
}

// The same of what is multiplied. The threads of a warpgroup do so together: who has waited in it
// may write, and one of them often tells others for all.
static bool writes_to_matrix(struct run *run, const struct use *source, const struct use *use)
{
    const struct barlint_async *thread = run->machines->bulk->matrix.thread;
    uint32_t size = run->engine->block_threads;
    for (uint32_t writer = 0, owner = 0; pieces_meet(run, &use->at, &source->at, &writer, &owner);
         ++owner) {
        uint32_t t = owner - owner % size % WARPGROUP, end = t + WARPGROUP;
        if ((writer >= t && writer < end && is_idle(&thread[writer])) ||
            !has_begun(run, source, owner))
            continue;
        while (t < end && t / size == owner / size && !has_told(run, source, t, writer))
            ++t;
        if (t == end || t / size != owner / size)
            return true;
    }
    return false;
}

// Whether the group writes to what may still be read: `use` says where.
static void check_free_of(struct run *run, const struct group *group, struct readers *readers,
                          const struct use *use)
{
    for (ptrdiff_t i = arrlen(readers->source); i-- > 0;) {
        const struct use source = readers->source[i];
        bool multiplies = readers == &run->machines->bulk->matrix;
        if (multiplies ? !writes_to_matrix(run, &source, use) : !writes_to_store(run, &source, use))
            continue;
        arrdel(readers->source, i); // told
        struct engine_incident *incident =
            tell(run, BARLINT_ASYNC_STORE_OPEN, use->site, &use->at, group->mask);
        if (!incident)
            continue;
        incident->number[0] = multiplies ? ENGINE_READ_BY_MATRIX : ENGINE_READ_BY_STORE;
        record_step(run, incident, record_place(run, source.site.chain, source.site.loc),
                    multiplies ? "%s {starts|start} the multiplication that reads there here"
                               : "%s {starts|start} the store from there here",
                    mask_words(run, source.by));
    }
}

static void check_free(struct run *run, const struct group *group, const struct use *use)
{
    check_free_of(run, group, &run->machines->bulk->store, use);
    check_free_of(run, group, &run->machines->bulk->matrix, use);
}

void stores_touched(struct run *run, struct group *group, const struct node *address, uint32_t size)
{
    struct use use;
    if (!use_of(run, group, address, size, &use))
        return;
    use.site = named_site_here(run, group);
    check_free(run, group, &use);
    use.issued = orders_time(run);
    use.releases = machines_releases(run, use.at.mask);
    use.fenced = run->masks->none;
    use.unfenced = use.at.mask;
    use.epoch = UINT32_MAX;
    use.last_epoch = 0;
    mask_each (run->masks, use.at.mask, t) {
        uint32_t epoch = run->machines->epoch[t];
        use.epoch = epoch < use.epoch ? epoch : use.epoch;
        use.last_epoch = epoch > use.last_epoch ? epoch : use.last_epoch;
    }
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
    for (ptrdiff_t i = 0; i < arrlen(bulk->store.source); ++i) {
        const struct use *source = &bulk->store.source[i];
        mask_each (run->masks, source->at.mask, t) {
            if (barlint_async_state_of(&bulk->store.thread[t], source->member[t]) !=
                BARLINT_ASYNC_IN_FLIGHT)
                continue;
            struct engine_incident *incident =
                tell(run, BARLINT_EXIT_INFLIGHT, source->site, &source->at, source->at.mask);
            if (incident)
                incident->number[0] = 2;
            break;
        }
    }
}
