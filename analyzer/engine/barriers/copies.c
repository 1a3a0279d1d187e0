// Asynchronous copies that a thread waits for itself (cp.async, its wrappers and
// cooperative_groups::memcpy_async): which bytes of shared memory are on their way, and who touches
// them too early. (PTX ISA 9.1, 9.7.9.25; Programming Guide 13, 4.11.) A copy whose place is not
// known is not followed, and nothing is claimed of it.

#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum {
    MOST_COPIES = 64, // under way at once; the oldest is forgotten
    MOST_WAITS = 4,   // of a thread that finished groups
};

// The waits of one thread that finished its groups up to `end`, the last one first.
struct finished {
    struct finishing {
        uint32_t end, time;
        const struct named_site *site;
    } by[MOST_WAITS];
};

// Copies that one execution of an operation started.
struct under_way {
    uint32_t object;
    const struct mask *mask;   // threads whose copies these are
    const struct node *offset; // where each of them writes: known numbers
    int64_t size;              // bytes
    int64_t low, high;         // all they write
    const uint32_t *member;    // by thread: the group of its copy
    const uint32_t *issued;    // by thread: its waits before that
    uint32_t time;             // orders_time() then
    struct named_site site;
    bool together;           // the threads copy the same bytes between them
    bool whole;              // all threads of the block do
    const struct arms *arms; // conditions that are not decided
    const struct node *from; // where each of them reads, NULL where that was told of
};

// All copies that one operation has started.
struct issued {
    struct named_site site;
    const struct mask *mask;
    uint32_t *member; // by thread: the group of its first
    bool awaited;
    uint32_t *waits; // by thread: its waits before its first
    uint32_t passed; // copies->passed before
    bool again;      // by one thread once more after a wait
    bool doubt;      // under a condition that is not decided
};

struct copies {
    struct issued *issued; // stb_ds array
    struct barlint_async *thread;
    struct under_way *under_way;    // stb_ds array
    uint32_t *waits;                // by thread
    uint32_t passed;                // waits that any threads have come to
    const struct named_site **wait; // by thread: its last wait
    struct finished *finished;      // by thread; NULL before any
};

void copies_init(struct run *run)
{
    uint32_t threads = run->engine->threads;
    struct copies *copies = arena_new(&run->arena, struct copies);
    run->machines->copies = copies;
    copies->thread = arena_array(&run->arena, struct barlint_async, threads);
    copies->waits = arena_array(&run->arena, uint32_t, threads);
    copies->wait = arena_array(&run->arena, const struct named_site *, threads);
}

void copies_release(struct run *run)
{
    arrfree(run->machines->copies->under_way);
    arrfree(run->machines->copies->issued);
}

// --- Copies and waits ----------------------------------------------------------------------------

static void forget(struct run *run, ptrdiff_t at)
{
    arrdel(run->machines->copies->under_way, at);
}

void copies_unread(struct run *run, const struct mask *mask)
{
    struct copies *copies = run->machines->copies;
    for (ptrdiff_t i = 0; i < arrlen(copies->issued); ++i)
        copies->issued[i].awaited |= mask_overlaps(run->masks, copies->issued[i].mask, mask);
    for (ptrdiff_t i = arrlen(copies->under_way); i-- > 0;) {
        if (mask_overlaps(run->masks, copies->under_way[i].mask, mask))
            forget(run, i);
    }
}

// Whoever writes there anew makes older copies to the same bytes a thing of the past.
static void supersede(struct run *run, const struct under_way *fresh)
{
    struct copies *copies = run->machines->copies;
    for (ptrdiff_t i = arrlen(copies->under_way); i-- > 0;) {
        const struct under_way *old = &copies->under_way[i];
        if (old->object == fresh->object && old->low < fresh->high && fresh->low < old->high)
            forget(run, i);
    }
    if (arrlen(copies->under_way) >= MOST_COPIES)
        forget(run, 0);
}

static void issued_add(struct run *run, struct group *group, ir_value value, const uint32_t *member)
{
    struct copies *copies = run->machines->copies;
    struct issued *at = NULL;
    for (ptrdiff_t i = 0; i < arrlen(copies->issued) && !at; ++i) {
        struct issued *old = &copies->issued[i];
        if (old->site.function == group->frame->function && old->site.op == value &&
            old->site.chain == group->frame->chain)
            at = old;
    }
    if (!at) {
        struct issued fresh = {.site = named_site_of(run, group, value),
                               .mask = run->masks->none,
                               .member = arena_array(&run->arena, uint32_t, run->engine->threads),
                               .waits = arena_array(&run->arena, uint32_t, run->engine->threads),
                               .passed = copies->passed};
        arrput(copies->issued, fresh);
        at = &arrlast(copies->issued);
    }
    at->doubt |= group->arms != NULL;
    mask_each (run->masks, group->mask, t) {
        if (mask_has(at->mask, t)) {
            at->again |= copies->waits[t] > at->waits[t];
        } else {
            at->member[t] = member[t];
            at->waits[t] = copies->waits[t];
        }
    }
    at->mask = mask_or(run->masks, at->mask, group->mask);
}

// The threads have waited; or, where `tracked`, somebody does so for them.
static void issued_wait(struct run *run, const struct mask *mask, bool tracked)
{
    struct copies *copies = run->machines->copies;
    for (ptrdiff_t i = 0; i < arrlen(copies->issued); ++i) {
        struct issued *at = &copies->issued[i];
        if (at->awaited || !mask_overlaps(run->masks, at->mask, mask))
            continue;
        mask_each (run->masks, mask, t)
            at->awaited |=
                mask_has(at->mask, t) && (tracked || at->member[t] < copies->thread[t].finished);
    }
}

void copies_end(struct run *run)
{
    struct copies *copies = run->machines->copies;
    struct engine_result *result = run->engine->result;
    bool ended = !run->over && run->exited == run->masks->all;
    for (ptrdiff_t i = 0; i < arrlen(copies->issued); ++i) {
        const struct issued *at = &copies->issued[i];
        for (ptrdiff_t k = 0; k < arrlen(result->event); ++k) {
            struct engine_event *event = &result->event[k];
            if (event->function != at->site.function || event->op != at->site.op ||
                event->chain != at->site.chain)
                continue;
            event->awaited |= at->awaited || at->doubt;
            event->again |= at->again;
            event->left_open |= ended && !at->awaited;
            event->passed_by |= ended && !at->awaited && copies->passed > at->passed;
        }
    }
}

static void issue(struct run *run, struct group *group, const struct model_op *op, ir_value value,
                  bool together)
{
    struct copies *copies = run->machines->copies;
    const struct node *to = op->dst == IR_NONE ? NULL : operand_field(run, group, op, &op->dst);
    int64_t size = op->bytes_constant;
    bool known = op->bytes == IR_NONE ? size > 0
                                      : node_is_const(operand_field(run, group, op, &op->bytes),
                                                      group->mask, run->masks, &size);
    uint32_t *member = arena_array(&run->arena, uint32_t, run->engine->threads);
    uint32_t *issued = arena_array(&run->arena, uint32_t, run->engine->threads);
    mask_each (run->masks, group->mask, t) {
        member[t] = barlint_async_issue(&copies->thread[t]);
        issued[t] = copies->waits[t];
    }
    if (!run->afterlife)
        issued_add(run, group, value, member);
    if (known && size > 0 && to && !together)
        stores_copied_over(run, group, to, size);
    size = known ? size : 1; // whatever it is, the first byte is copied
    if (size > 0 && to)
        races_touched(run, group, to, op->dst,
                      together && size > COPY_FRONT ? COPY_FRONT : (uint32_t)size, RACE_COPY);
    if (size <= 0 || !to || to->kind != NODE_ADDRESS || to->address.rank ||
        run->object[to->address.object].kind != OBJECT_SHARED || !node_known(to->address.offset) ||
        run->afterlife || !within_bounds(run, group->arms, to->address.object, false))
        return;
    struct under_way fresh = {
        .object = to->address.object,
        .mask = group->mask,
        .offset = to->address.offset,
        .size = size,
        .low = INT64_MAX,
        .high = INT64_MIN,
        .member = member,
        .issued = issued,
        .time = orders_time(run),
        .site = named_site_of(run, group, value),
        .together = together,
        .whole = together && op->scope == MODEL_SCOPE_BLOCK,
        .arms = group->arms,
        .from = op->src == IR_NONE || together ? NULL : operand_field(run, group, op, &op->src)};
    mask_each (run->masks, group->mask, t) {
        int64_t at = 0;
        node_lane(fresh.offset, t, &at);
        fresh.low = at < fresh.low ? at : fresh.low;
        fresh.high = at + size > fresh.high ? at + size : fresh.high;
    }
    supersede(run, &fresh);
    arrput(copies->under_way, fresh);
}

static void commit(struct run *run, const struct mask *mask)
{
    mask_each (run->masks, mask, t)
        barlint_async_commit(&run->machines->copies->thread[t]);
}

static void note_finished(struct run *run, uint32_t thread, const struct named_site *site)
{
    struct copies *copies = run->machines->copies;
    uint32_t end = copies->thread[thread].finished;
    if (!copies->finished)
        copies->finished = arena_array(&run->arena, struct finished, run->engine->threads);
    struct finishing *kept = copies->finished[thread].by;
    if (kept->end == end)
        return;
    memmove(kept + 1, kept, (MOST_WAITS - 1) * sizeof(*kept));
    *kept = (struct finishing){end, orders_time(run), site};
}

// The thread's wait that finished the group; NULL where that was long ago.
static const struct finishing *finished_by(const struct run *run, uint32_t thread, uint32_t member)
{
    const struct copies *copies = run->machines->copies;
    const struct finishing *kept = copies->finished ? copies->finished[thread].by : NULL;
    if (!kept || kept[MOST_WAITS - 1].end > member)
        return NULL;
    int i = MOST_WAITS - 1;
    while (i > 0 && kept[i].end <= member)
        --i;
    return kept[i].end > member ? &kept[i] : NULL;
}

static void wait(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    struct copies *copies = run->machines->copies;
    const struct node *prior =
        op->prior == IR_NONE ? NULL : operand_field(run, group, op, &op->prior);
    // The form without a number waits for what is not committed yet, too (PTX
    // ISA 9.1, 9.7.9.25.3.3).
    bool all = op->kind == MODEL_CP_ASYNC_WAIT && op->prior == IR_NONE;
    struct named_site *site = arena_new(&run->arena, struct named_site);
    *site = named_site_of(run, group, value);
    ++copies->passed;
    mask_each (run->masks, group->mask, t) {
        struct barlint_async *thread = &copies->thread[t];
        int64_t keep =
            op->kind == MODEL_PIPELINE_WAIT ? pipes_prior(run, group, op, t) : op->prior_constant;
        if (prior && !node_lane(prior, t, &keep))
            keep = 0;
        if (keep > UINT32_MAX)
            continue;
        keep = keep < 0 ? 0 : keep;
        if (all)
            barlint_async_wait_all(thread);
        else
            barlint_async_wait(thread, (uint32_t)keep);
        copies->wait[t] = site;
        note_finished(run, t, site);
        ++copies->waits[t];
    }
    issued_wait(run, group->mask, false);
}

// Somebody else waits for what the threads have issued so far.
static void track(struct run *run, const struct mask *mask, uint32_t mbarrier)
{
    struct copies *copies = run->machines->copies;
    issued_wait(run, mask, true);
    for (ptrdiff_t i = arrlen(copies->under_way); i-- > 0;) {
        struct under_way *at = &copies->under_way[i];
        const struct piece_of_memory piece = {.object = at->object,
                                              .mask = mask_and(run->masks, at->mask, mask),
                                              .offset = at->offset,
                                              .size = at->size,
                                              .low = at->low,
                                              .high = at->high,
                                              .arms = at->arms};
        if (piece.mask->count == 0)
            continue;
        if (mbarrier != UINT32_MAX)
            loads_tracked(run, &piece, &at->site, mbarrier);
        at->mask = mask_minus(run->masks, at->mask, mask);
        if (at->mask->count == 0)
            forget(run, i);
    }
}

void copies_tracked(struct run *run, const struct mask *mask, uint32_t mbarrier)
{
    track(run, mask, mbarrier);
}

// A pipeline of thread scope is made of the thread's own groups; what the stages of others hold is
// not followed here (loads.c).
static void pipeline(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    bool is_local = pipes_is_local(run, group, op);
    if (op->kind == MODEL_PIPELINE_WAIT && !is_local)
        track(run, group->mask, UINT32_MAX);
    else if (op->kind == MODEL_PIPELINE_WAIT)
        wait(run, group, op, value);
    else if (op->kind == MODEL_PIPELINE_COMMIT && is_local)
        commit(run, group->mask);
    else if (op->kind == MODEL_PIPELINE_COPY && is_local)
        issue(run, group, op, value, op->scope != MODEL_SCOPE_THREAD);
}

void copies_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    switch (op->kind) {
    case MODEL_CP_ASYNC:
        issue(run, group, op, value, false);
        break;
    case MODEL_GROUP_COPY:
        issue(run, group, op, value, true);
        commit(run, group->mask);
        break;
    case MODEL_CP_ASYNC_COMMIT:
        commit(run, group->mask);
        break;
    case MODEL_CP_ASYNC_WAIT:
    case MODEL_GROUP_COPY_WAIT:
        wait(run, group, op, value);
        break;
    case MODEL_PIPELINE_COPY:
    case MODEL_PIPELINE_COMMIT:
    case MODEL_PIPELINE_WAIT:
        pipeline(run, group, op, value);
        break;
    default:
        break;
    }
}

// --- Touches -------------------------------------------------------------------------------------

// What is wrong with touching, as thread `toucher`, the bytes that `owner` copies.
static enum barlint_violation status_of(const struct run *run, const struct under_way *copy,
                                        uint32_t owner, uint32_t toucher)
{
    const struct copies *copies = run->machines->copies;
    const struct barlint_async *thread = &copies->thread[owner];
    uint32_t member = copy->member[owner];
    if (barlint_async_state_of(thread, member) == BARLINT_ASYNC_IN_FLIGHT) {
        if (copies->waits[owner] == copy->issued[owner])
            return BARLINT_ASYNC_READ_EARLY;
        // A copy that has been started too early is no matter of the wait.
        if (toucher != UINT32_MAX && !orders_before(run, owner, copy->time, toucher))
            return BARLINT_VIOLATION_COUNT_;
        return member >= thread->committed ? BARLINT_ASYNC_NOT_COMMITTED : BARLINT_ASYNC_WAIT_SHORT;
    }
    const struct finishing *by = finished_by(run, owner, member);
    if (by && !(toucher == UINT32_MAX ? orders_settled(run, owner, by->time)
                                      : orders_before(run, owner, by->time, toucher)))
        return BARLINT_ASYNC_NOT_PUBLISHED;
    return BARLINT_VIOLATION_COUNT_;
}

// Whether no touch could be wrong.
static bool is_settled(const struct run *run, const struct under_way *copy)
{
    mask_each (run->masks, copy->mask, t) {
        if (status_of(run, copy, t, UINT32_MAX) != BARLINT_VIOLATION_COUNT_)
            return false;
    }
    return true;
}

// The first thread of the toucher's block, from `from` on, whose copy overlaps the bytes;
// UINT32_MAX where there is none.
static uint32_t next_owner(struct run *run, const struct under_way *copy, uint32_t toucher,
                           int64_t low, int64_t high, uint32_t from)
{
    uint32_t size = run->engine->block_threads, first = toucher - toucher % size;
    const struct by_place *place = by_place_of(run, copy->mask, copy->offset, copy->size);
    uint32_t owner = by_place_next(place, low, high, from > first ? from : first, first + size);
    return owner < first + size ? owner : UINT32_MAX;
}

#define owners_each(run, copy, toucher, low, high, thread)                                         \
    for (uint32_t thread = next_owner((run), (copy), (toucher), (low), (high), 0);                 \
         thread != UINT32_MAX;                                                                     \
         thread = next_owner((run), (copy), (toucher), (low), (high), thread + 1))

// The same where several threads copy these bytes between them, and the toucher took no part: too
// early whichever of them it was.
static bool meets_all(struct run *run, const struct under_way *copy, uint32_t toucher, int64_t low,
                      int64_t high, uint32_t *owner, enum barlint_violation *out)
{
    bool any = false;
    owners_each (run, copy, toucher, low, high, t) {
        enum barlint_violation found = status_of(run, copy, t, toucher);
        if (found == BARLINT_VIOLATION_COUNT_)
            return false;
        if (!any) {
            *owner = t;
            *out = found;
        }
        any = true;
    }
    return any;
}

// The part of a copy of these bytes by several threads that nobody is going to wait for, as its
// thread has left.
static bool is_left_open(struct run *run, const struct under_way *copy, uint32_t toucher,
                         int64_t low, int64_t high, uint32_t *owner)
{
    owners_each (run, copy, toucher, low, high, t) {
        if (!mask_has(run->exited, t) ||
            barlint_async_state_of(&run->machines->copies->thread[t], copy->member[t]) !=
                BARLINT_ASYNC_IN_FLIGHT)
            continue;
        *owner = t;
        return true;
    }
    return false;
}

// The same of a part that its thread has not waited for as far as the toucher knows, which has
// waited for its own: what a wait of a tile of the block leaves open.
static bool is_waited_apart(struct run *run, const struct under_way *copy, uint32_t toucher,
                            int64_t low, int64_t high, uint32_t *owner, enum barlint_violation *out)
{
    if (!copy->whole)
        return false;
    owners_each (run, copy, toucher, low, high, t) {
        *owner = t;
        *out = status_of(run, copy, t, toucher);
        if (*out == BARLINT_ASYNC_READ_EARLY || *out == BARLINT_ASYNC_NOT_PUBLISHED)
            return true;
    }
    return false;
}

// The owner whose copy the touch of `toucher` meets too early; `out` says why.
static bool meets(struct run *run, const struct under_way *copy, uint32_t toucher, int64_t low,
                  int64_t high, uint32_t *owner, enum barlint_violation *out)
{
    if (copy->together && mask_has(copy->mask, toucher) &&
        touches(copy->offset, copy->size, toucher, low, high)) {
        // Any of them may have copied these bytes; those that touch took part as well.
        *owner = toucher;
        *out = status_of(run, copy, toucher, toucher);
        if (*out != BARLINT_VIOLATION_COUNT_)
            return true;
        if (!is_left_open(run, copy, toucher, low, high, owner))
            return is_waited_apart(run, copy, toucher, low, high, owner, out);
        *out = BARLINT_ASYNC_READ_EARLY;
        return true;
    }
    if (copy->together) // whichever of the others did
        return meets_all(run, copy, toucher, low, high, owner, out);
    owners_each (run, copy, toucher, low, high, t) {
        *owner = t;
        *out = status_of(run, copy, t, toucher);
        if (*out != BARLINT_VIOLATION_COUNT_)
            return true;
    }
    return false;
}

static void tell(struct run *run, struct group *group, const struct under_way *copy,
                 enum barlint_violation violation, const struct mask *touchers, uint32_t owner,
                 bool writes)
{
    if (run_lacks_rows(run))
        return;
    struct named_site at = named_site_here(run, group);
    const struct finishing *by = violation == BARLINT_ASYNC_NOT_PUBLISHED
                                     ? finished_by(run, owner, copy->member[owner])
                                     : NULL;
    const struct named_site *wait = by ? by->site : run->machines->copies->wait[owner];
    bool short_wait =
        violation == BARLINT_ASYNC_WAIT_SHORT || violation == BARLINT_ASYNC_NOT_COMMITTED;
    const struct named_site *site = short_wait ? wait : &at;
    // Programs seldom launch what then has nothing to do: the loop over no tiles, which would have
    // waited for the first one, leaves its copy on the way to what the memory serves for next.
    bool weak = run->weak;
    run->weak |= writes && run->empty_size;
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain,
        record_object(run, copy->object,
                      object_member(run->engine->unit, &run->object[copy->object], copy->low),
                      true),
        touchers);
    run->weak = weak;
    if (!incident)
        return;
    bool left = violation == BARLINT_ASYNC_READ_EARLY && mask_has(run->exited, owner), ordinary;
    incident->needs = NULL;
    if (copy->arms || group->arms)
        within_both(run, copy->arms, owner, group->arms, touchers->first, &ordinary,
                    &incident->needs);
    incident->number[0] = writes | (left ? 8 : 0);
    incident->number[1] = copy->site.op;
    incident->number[2] = copy->site.function;
    record_threads(run, &incident->missing, copy->mask);
    record_step(run, incident, record_place(run, copy->site.chain, copy->site.loc),
                "%s {starts|start} the copy here", mask_words(run, copy->mask));
    if (violation != BARLINT_ASYNC_READ_EARLY)
        record_step(run, incident, record_place(run, wait->chain, wait->loc),
                    "thread %u waits for its copies here", owner % run->engine->block_threads);
    if (left)
        record_step(run, incident, record_place(run, copy->site.chain, copy->site.loc),
                    "thread %u leaves without having waited for its part",
                    owner % run->engine->block_threads);
    record_step(run, incident, record_place(run, at.chain, at.loc), "%s %s the data here",
                mask_words(run, touchers), writes ? "{overwrites|overwrite}" : "{reads|read}");
}

// Whether ordinary sizes let one thread copy and the other touch.
static bool are_both_made(struct run *run, const struct arms *copied, uint32_t owner,
                          const struct arms *touched, uint32_t toucher)
{
    bool ordinary = true;
    return (!copied && !touched) ||
           (within_both(run, copied, owner, touched, toucher, &ordinary, NULL) && ordinary);
}

// Tells of copies that come too late for the threads. `own`: only where some of them have a part in
// the copy; returns whether there are others.
static bool touch_copies(struct run *run, struct group *group, const struct node *offset,
                         uint32_t object, uint32_t size, const struct reach *reach, bool writes,
                         bool own)
{
    struct copies *copies = run->machines->copies;
    bool others = false;
    for (ptrdiff_t i = arrlen(copies->under_way); i-- > 0;) {
        const struct under_way *copy = &copies->under_way[i];
        if (copy->object != object || reach->low >= copy->high ||
            reach->high + (int64_t)size <= copy->low)
            continue;
        if (is_settled(run, copy)) {
            forget(run, i);
            continue;
        }
        uint64_t *word = NULL;
        uint32_t owner = 0;
        enum barlint_violation violation = BARLINT_VIOLATION_COUNT_;
        mask_each (run->masks, group->mask, t) {
            int64_t at = 0;
            uint32_t by = 0;
            enum barlint_violation found = BARLINT_VIOLATION_COUNT_;
            if (!node_lane(offset, t, &at) || at >= copy->high || at + (int64_t)size <= copy->low ||
                !meets(run, copy, t, at, at + size, &by, &found) || (word && found != violation) ||
                !are_both_made(run, copy->arms, by, group->arms, t))
                continue;
            if (!word)
                word = arena_array(&run->arena, uint64_t, run->masks->words);
            word[t / 64] |= UINT64_C(1) << (t % 64);
            violation = found;
            owner = by;
        }
        if (!word)
            continue;
        const struct mask *touchers = mask_from_words(run->masks, word);
        if (own && !mask_overlaps(run->masks, touchers, copy->mask)) {
            others = true;
            continue;
        }
        // Who overwrites the data never meant to wait for them there.
        if (writes && violation != BARLINT_ASYNC_NOT_PUBLISHED)
            violation = BARLINT_ASYNC_READ_EARLY;
        tell(run, group, copy, violation, touchers, owner, writes);
        forget(run, i); // told
    }
    return others;
}

void copies_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                    bool writes)
{
    const struct node *offset = address->address.offset;
    uint32_t object = address->address.object;
    struct reach reach;
    // How far bounds let threads write, nobody knows here.
    if (arrlen(run->machines->copies->under_way) == 0 || address->address.rank ||
        !node_reach(run->nodes, offset, group->mask, &reach) ||
        (group->arms && (writes || !within_bounds(run, group->arms, object, false))))
        return;
    // What a thread reads of its own copies shows most: it is there in a smaller block, too.
    if (touch_copies(run, group, offset, object, size, &reach, writes, true))
        touch_copies(run, group, offset, object, size, &reach, writes, false);
}

// Whether an address and the source of a copy start from the same symbols.
static bool start_alike(const struct node *address, const struct node *from)
{
    if (address->kind != NODE_LINEAR || from->kind != NODE_LINEAR ||
        address->linear.count != from->linear.count)
        return false;
    for (uint32_t i = 0; i < from->linear.count; ++i) {
        if (address->linear.term[i].atom != from->linear.term[i].atom ||
            address->linear.term[i].factor != from->linear.term[i].factor)
            return false;
    }
    return true;
}

// How far the one is from the other then.
static bool apart(const struct node *address, const struct node *from, uint32_t thread,
                  int64_t *out)
{
    int64_t to = 0, at = 0;
    if (!node_lane(address->linear.base, thread, &to) || !node_lane(from->linear.base, thread, &at))
        return false;
    *out = to - at;
    return true;
}

void copies_source_touched(struct run *run, struct group *group, const struct node *address,
                           uint32_t size)
{
    struct copies *copies = run->machines->copies;
    if (group->arms || run->afterlife)
        return;
    for (ptrdiff_t i = arrlen(copies->under_way); i-- > 0;) {
        struct under_way *copy = &copies->under_way[i];
        struct mask_builder writers;
        bool any = false;
        if (!copy->from || !start_alike(address, copy->from))
            continue;
        mask_builder_clear(run->masks, &writers);
        const struct mask *both = mask_and(run->masks, group->mask, copy->mask);
        mask_each (run->masks, both, t) {
            int64_t by;
            if (!apart(address, copy->from, t, &by) || by >= copy->size ||
                by + (int64_t)size <= 0 ||
                barlint_async_state_of(&copies->thread[t], copy->member[t]) !=
                    BARLINT_ASYNC_IN_FLIGHT)
                continue;
            mask_builder_add(&writers, t);
            any = true;
        }
        if (!any)
            continue;
        const struct mask *mask = mask_builder_end(run->masks, &writers);
        struct named_site at = named_site_here(run, group);
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, BARLINT_ASYNC_STORE_OPEN, at.function, at.op, at.chain,
            record_object(run, memory_object(run, address), 0, false), mask);
        if (incident) {
            incident->number[0] = 1;
            record_step(run, incident, record_place(run, copy->site.chain, copy->site.loc),
                        "%s {starts|start} the copy here", mask_words(run, mask));
        }
        copies->under_way[i].from = NULL;
    }
}
