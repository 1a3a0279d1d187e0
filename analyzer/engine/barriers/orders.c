// The order between threads by vector clocks. Threads that have come through one barrier share what
// they know; what lanes of one warp, who meet all the time, know of each other is kept aside.
#include <string.h>

#include "engine/barriers/machines.h"

enum {
    WARP = 32,
    MOST_DOUBTS = 64,   // that are told apart
    MOST_BARRIERS = 64, // mbarriers of which it is known who knows of their phases
};

// A thread has looked for a word of others, and may have waited for it.
struct ask {
    uint32_t thread, time; // time 0: none
    uint32_t heard;        // when somebody else learned of it, or the time itself
};

struct past {
    bool held;        // by a thread, or at the end of a phase: copied before it grows
    uint32_t joined;  // the latest walk over pasts that came to it
    struct ask ask;   // the latest of those who have released there
    uint32_t words;   // that they have come behind
    uint32_t clock[]; // by thread, then by mbarrier: what has completed there
};

// Threads have passed what may be a barrier.
struct doubt {
    uint32_t time;
    const struct mask *mask;
};

enum { NOBODY_SPEAKS = UINT32_MAX - 1, MANY_SPEAK = UINT32_MAX };

struct orders {
    uint32_t now, walk;
    uint32_t settled;         // what happened until then all threads know of that run
    uint32_t settled_of_gone; // the same of what those did that have exited
    const struct past **past; // by thread
    struct past *gone;        // what those did that have exited
    struct past *told;        // whatever any thread does now comes after it
    struct past *shown;       // the same by fences, where words may tell of them that nobody sees
    uint32_t speaker;         // the only thread that has told or asked by a word; or
                              // NOBODY_SPEAKS, or MANY_SPEAK
    uint32_t *released;       // by thread: when it last did
    uint32_t *fenced;         // by thread: when it last passed a fence; 0: never
    uint32_t *asked;          // by thread: when it first looked for a word; 0: never
    struct ask *first, *last; // by thread: of those that it has made or heard of
    uint32_t *words;          // by thread: that it has come behind, a bit each
    uint32_t *met;            // by thread: when it last met lanes of its warp
    uint32_t *whole;          // by thread: when all lanes of its warp met
    uint32_t *part;           // by thread: lanes that it has met by their names
    uint32_t *open;           // by thread: when it last met lanes that nobody names here
    uint32_t *gathered;       // by thread: when it last executed something with others of its warp
    uint32_t *exchanged;      // the same where they told each other something
    uint32_t unseen; // when somebody last looked for a word, or waited in what shows no wait; or 0
    struct doubt *doubt; // NULL: there has been none
    uint32_t doubts;
};

void orders_init(struct run *run)
{
    uint32_t threads = run->masks->threads;
    struct orders *orders = arena_new(&run->arena, struct orders);
    run->machines->orders = orders;
    orders->speaker = NOBODY_SPEAKS;
    orders->past = arena_array(&run->arena, const struct past *, threads);
    orders->released = arena_array(&run->arena, uint32_t, threads);
    orders->fenced = arena_array(&run->arena, uint32_t, threads);
    orders->asked = arena_array(&run->arena, uint32_t, threads);
    orders->first = arena_array(&run->arena, struct ask, threads);
    orders->last = arena_array(&run->arena, struct ask, threads);
    orders->words = arena_array(&run->arena, uint32_t, threads);
    orders->met = arena_array(&run->arena, uint32_t, threads);
    orders->whole = arena_array(&run->arena, uint32_t, threads);
    orders->part = arena_array(&run->arena, uint32_t, threads);
    orders->open = arena_array(&run->arena, uint32_t, threads);
    orders->gathered = arena_array(&run->arena, uint32_t, threads);
    orders->exchanged = arena_array(&run->arena, uint32_t, threads);
}

uint32_t orders_time(struct run *run)
{
    return ++run->machines->orders->now;
}

// --- Pasts ---------------------------------------------------------------------------------------

static uint32_t clocks(const struct run *run)
{
    return run->masks->threads + MOST_BARRIERS;
}

static struct past *past_new(struct run *run, const struct past *from)
{
    size_t bytes = clocks(run) * sizeof(uint32_t);
    struct past *past = (struct past *)arena_alloc(&run->arena, sizeof *past + bytes);
    if (from) {
        past->ask = from->ask;
        past->words = from->words;
        memcpy(past->clock, from->clock, bytes);
    }
    return past;
}

// Makes it a past that nobody else holds.
static struct past *past_own(struct run *run, struct past **past)
{
    if (!*past || (*past)->held)
        *past = past_new(run, *past);
    return *past;
}

static void past_grow(const struct run *run, struct past *past, const struct past *other)
{
    for (uint32_t i = 0; i < clocks(run); ++i)
        past->clock[i] = other->clock[i] > past->clock[i] ? other->clock[i] : past->clock[i];
}

static bool past_covers(const struct run *run, const struct past *past, const struct past *other)
{
    bool covers = true;
    for (uint32_t i = 0; i < clocks(run); ++i)
        covers &= past->clock[i] >= other->clock[i];
    return covers;
}

// What both hold, which may be one of them.
static const struct past *past_join(struct run *run, const struct past *one,
                                    const struct past *other)
{
    if (one == other || !other)
        return one;
    if (!one || past_covers(run, other, one))
        return other;
    if (past_covers(run, one, other))
        return one;
    struct past *both = past_new(run, one);
    past_grow(run, both, other);
    return both;
}

// --- Lanes ---------------------------------------------------------------------------------------

// The thread makes the question, or learns that somebody has made it.
static void hear(struct orders *orders, uint32_t thread, const struct ask *ask)
{
    if (ask->time <= orders->last[thread].time)
        return;
    orders->last[thread] = (struct ask){ask->thread, ask->time, orders->now};
    if (!orders->first[thread].time)
        orders->first[thread] = orders->last[thread];
}

static const struct ask *later(const struct ask *one, const struct ask *other)
{
    return other->time > one->time ? other : one;
}

// The lanes `met` of a warp meet each other, as they have named `named`, and know what all of them
// do. `whole`: all lanes of the warp are there.
static void meet_named(struct run *run, uint32_t first, uint32_t met, uint32_t named, bool whole)
{
    struct orders *orders = run->machines->orders;
    if (!met) // who does not name itself
        return;
    const struct past *past = NULL;
    uint32_t words = 0;
    const struct ask *asked = &orders->last[first + (uint32_t)__builtin_ctz(met)];
    for (uint32_t rest = met; rest; rest &= rest - 1) {
        uint32_t l = first + (uint32_t)__builtin_ctz(rest);
        past = past_join(run, past, orders->past[l]);
        asked = later(asked, &orders->last[l]);
        words |= orders->words[l];
    }
    struct ask ask = *asked;
    for (uint32_t rest = met; rest; rest &= rest - 1) {
        uint32_t l = first + (uint32_t)__builtin_ctz(rest);
        orders->past[l] = past;
        orders->words[l] = words;
        hear(orders, l, &ask);
        orders->met[l] = orders->now;
        orders->whole[l] = whole ? orders->now : orders->whole[l];
        orders->open[l] = ~named ? orders->open[l] : orders->now;
        orders->part[l] = ~named ? orders->part[l] | named : 0;
    }
}

// Of a part of a warp nobody knows here whom it meets, unless it names them: lanes do not wait for
// each other in a run, and the others may come by another operation. They are taken to be told.
void orders_meet(struct run *run, const struct mask *mask, const uint32_t *named)
{
    ++run->machines->orders->now;
    for (uint32_t t = mask->first; t < run->masks->threads;) {
        uint32_t first = warp_of(run, t), end = warp_end(run, first);
        uint32_t lanes = lanes_in(run, mask, first);
        bool whole =
            (lanes | lanes_in(run, run->exited, first)) == UINT32_MAX >> (WARP - (end - first));
        for (uint32_t rest = lanes; rest;) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint32_t with = named ? named[first + lane] : UINT32_MAX;
            meet_named(run, first, lanes & with, with, whole && (lanes & ~with) == 0);
            rest &= ~(with | 1u << lane);
        }
        t = mask_next(run->masks, mask, end);
    }
}

bool orders_ahead(const struct run *run, uint32_t a, uint32_t b)
{
    return run->machines->orders->met[a] > run->machines->orders->met[b];
}

void orders_gather(struct run *run, const struct mask *mask, bool exchanges)
{
    struct orders *orders = run->machines->orders;
    ++orders->now;
    mask_each (run->masks, mask, t) {
        orders->gathered[t] = orders->now;
        orders->exchanged[t] = exchanges ? orders->now : orders->exchanged[t];
    }
}

bool orders_gathered(const struct run *run, uint32_t a, uint32_t time)
{
    return run->machines->orders->gathered[a] > time;
}

bool orders_exchanged(const struct run *run, uint32_t a, uint32_t time)
{
    return run->machines->orders->exchanged[a] > time;
}

// --- Between threads -----------------------------------------------------------------------------

// What the thread knows of the other lanes of its warp, who have not come with it.
static void release_lanes(struct run *run, uint32_t thread, const struct mask *mask,
                          struct past *past)
{
    struct orders *orders = run->machines->orders;
    uint32_t first = warp_of(run, thread), end = warp_end(run, first);
    for (uint32_t l = first; l < end; ++l) {
        uint32_t clock = orders->met[l] <= orders->met[thread] ? orders->met[l] : orders->whole[l];
        if (mask_has(mask, l))
            continue;
        past->clock[l] = clock > past->clock[l] ? clock : past->clock[l];
        orders->released[l] = clock > orders->released[l] ? clock : orders->released[l];
    }
}

// What the threads know of is added to the past, each of theirs once.
static void join_pasts(struct run *run, const struct mask *mask, struct past *past)
{
    struct orders *orders = run->machines->orders;
    const struct past *before = NULL;
    past->joined = ++orders->walk;
    mask_runs (run->masks, mask, from, end) {
        for (uint32_t t = from; t < end; ++t) {
            struct past *known = (struct past *)orders->past[t];
            if (known != before && known && known->joined != orders->walk) {
                known->joined = orders->walk;
                past_grow(run, past, known);
            }
            before = known;
        }
    }
}

static void release_to(struct run *run, const struct mask *mask, struct past **to)
{
    struct orders *orders = run->machines->orders;
    struct past *past = past_own(run, to);
    ++orders->now;
    join_pasts(run, mask, past);
    bool aligned = run->engine->block_threads % WARP == 0;
    mask_each (run->masks, mask, t) {
        if (aligned && (uint32_t)(mask->word[t / 64] >> (t & WARP)) == UINT32_MAX) {
            t |= WARP - 1; // its warp is whole
            continue;
        }
        uint32_t lane = t - warp_of(run, t);
        bool is_edge = (lane != 0 && !mask_has(mask, t - 1)) ||
                       (t + 1 != warp_end(run, t - lane) && !mask_has(mask, t + 1));
        if (is_edge) // of a part of a warp
            release_lanes(run, t, mask, past);
    }
    mask_runs (run->masks, mask, from, end) {
        for (uint32_t t = from; t < end; ++t) {
            past->clock[t] = orders->released[t] = orders->now;
            past->ask = *later(&past->ask, &orders->last[t]);
            past->words |= orders->words[t];
        }
    }
}

void orders_release(struct run *run, const struct mask *mask, struct released *at)
{
    release_to(run, mask, &at->open);
}

void orders_speak(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    if (mask->count == 0)
        return;
    bool alone =
        mask->count == 1 && (orders->speaker == NOBODY_SPEAKS || orders->speaker == mask->first);
    orders->speaker = alone ? mask->first : MANY_SPEAK;
}

void orders_tell(struct run *run, const struct mask *mask)
{
    orders_speak(run, mask);
    release_to(run, mask, &run->machines->orders->told);
}

// By that they have arrived nowhere: when they last released anything stays.
void orders_exit(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    struct past *gone = past_own(run, &orders->gone);
    join_pasts(run, mask, gone);
    ++orders->now;
    mask_each (run->masks, mask, t)
        gone->clock[t] = orders->now;
}

void orders_fence(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    ++orders->now;
    mask_each (run->masks, mask, t)
        orders->fenced[t] = orders->now;
    if (run->engine->known->polls)
        release_to(run, mask, &orders->shown);
}

void orders_signal(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    struct mask_builder fenced;
    mask_builder_clear(run->masks, &fenced);
    mask_each (run->masks, mask, t) {
        if (orders->fenced[t])
            mask_builder_add(&fenced, t);
    }
    const struct mask *speakers = mask_builder_end(run->masks, &fenced);
    if (speakers->count > 0)
        orders_tell(run, speakers);
}

void orders_doubt(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    if (!orders->doubt)
        orders->doubt = arena_array(&run->arena, struct doubt, MOST_DOUBTS);
    if (orders->doubts < MOST_DOUBTS)
        orders->doubt[orders->doubts] = (struct doubt){++orders->now, mask};
    ++orders->doubts;
}

// Whether thread `a` had passed another number of them by that time than `b` has by now, so that
// they may have met in between; of all, or of those that both of them pass: one that a single
// thread passes, to initialise something, is none to meet at.
static bool is_doubted(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    const struct orders *orders = run->machines->orders;
    uint32_t by_a = 0, by_b = 0, since = 0;
    for (uint32_t i = 0; i < orders->doubts && i < MOST_DOUBTS; ++i) {
        const struct doubt *doubt = &orders->doubt[i];
        bool before = doubt->time < time, of_a = mask_has(doubt->mask, a);
        by_a += before && of_a;
        by_b += mask_has(doubt->mask, b);
        since += !before && of_a && mask_has(doubt->mask, b);
    }
    return by_a != by_b || since || orders->doubts > MOST_DOUBTS;
}

void orders_may_wait(struct run *run, const struct mask *mask)
{
    struct orders *orders = run->machines->orders;
    ++orders->now;
    orders->unseen = mask->count > 0 ? orders->now : orders->unseen;
    mask_each (run->masks, mask, t) {
        orders->asked[t] = orders->asked[t] ? orders->asked[t] : orders->now;
        hear(orders, t, &(struct ask){t, orders->now, orders->now});
    }
}

bool orders_unseen(const struct run *run, uint32_t since)
{
    return run->engine->known->polls || run->machines->orders->unseen > since;
}

void orders_ask_for(struct run *run, const struct mask *mask, uint32_t words)
{
    mask_each (run->masks, mask, t)
        run->machines->orders->words[t] |= words;
}

uint32_t orders_words(const struct run *run, uint32_t thread)
{
    return run->machines->orders->words[thread];
}

void orders_ask(struct run *run, const struct mask *mask)
{
    orders_speak(run, mask);
    if (run->engine->known->polls)
        orders_may_wait(run, mask);
}

void orders_over(struct released *at)
{
    at->over = at->open;
    if (at->open)
        at->open->held = true;
}

void orders_forget(struct released *at)
{
    *at = (struct released){0};
}

uint32_t orders_complete(struct run *run, struct released *at, uint32_t mbarrier)
{
    if (mbarrier < MOST_BARRIERS) {
        past_own(run, &at->open);
        at->open->clock[run->masks->threads + mbarrier] = ++run->machines->orders->now;
    }
    orders_over(at);
    return run->machines->orders->now;
}

// All live threads know what is in the past of one of them. A barrier of `all` is over when nobody
// else runs, so that they know of those that have exited; to others an exit tells nothing.
static void settle(struct run *run, const struct mask *mask, const struct past *past, bool all)
{
    struct orders *orders = run->machines->orders;
    uint32_t least = UINT32_MAX;
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        if (mask_has(run->exited, t))
            continue;
        if (!mask_has(mask, t))
            return;
        least = past->clock[t] < least ? past->clock[t] : least;
    }
    orders->settled = least > orders->settled ? least : orders->settled;
    if (all)
        orders->settled_of_gone = orders->settled;
}

static bool is_settled(const struct run *run, uint32_t a, uint32_t time)
{
    const struct orders *orders = run->machines->orders;
    return time < (mask_has(run->exited, a) ? orders->settled_of_gone : orders->settled);
}

static void acquire(struct run *run, const struct mask *mask, struct past *past, bool all)
{
    struct orders *orders = run->machines->orders;
    const struct past *before = NULL, *after = past;
    if (!past)
        return;
    past->held = true;
    mask_runs (run->masks, mask, from, end) {
        for (uint32_t t = from; t < end; ++t) {
            if (orders->past[t] != before) {
                before = orders->past[t];
                after = past_join(run, past, before);
            }
            orders->past[t] = after;
            orders->words[t] |= past->words;
            hear(orders, t, &past->ask);
        }
    }
    settle(run, mask, past, all);
}

void orders_acquire(struct run *run, const struct mask *mask, const struct released *at)
{
    acquire(run, mask, at->over, false);
}

void orders_acquire_all(struct run *run, const struct mask *mask, const struct released *at)
{
    acquire(run, mask, at->over, true);
    acquire(run, mask, run->machines->orders->gone, true);
}

void orders_acquire_any(struct run *run, const struct mask *mask)
{
    if (mask->count == 0)
        return;
    struct past *any = past_new(run, NULL);
    memcpy(any->clock, run->machines->orders->released, run->masks->threads * sizeof *any->clock);
    for (uint32_t i = 0; i < MOST_BARRIERS; ++i)
        any->clock[run->masks->threads + i] = run->machines->orders->now;
    acquire(run, mask, any, false);
}

// --- Questions -----------------------------------------------------------------------------------

// Whether lane `a` has met lane `b` of its warp since then, or may have.
static bool has_met(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    const struct orders *orders = run->machines->orders;
    uint32_t first = warp_of(run, a);
    return orders->met[a] > time && first == warp_of(run, b) &&
           (orders->open[a] > time || orders->part[a] >> (b - first) & 1);
}

bool orders_knows(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    const struct orders *orders = run->machines->orders;
    const struct past *past = orders->past[b];
    return a == b || is_settled(run, a, time) || (past && past->clock[a] > time) ||
           has_met(run, a, time, b) || (orders->doubts > 0 && is_doubted(run, a, time, b));
}

// Whether a word may have told everybody what thread `a` did then; `shown`: a fence counts as one.
// Where one thread alone has to do with words, nobody has listened to it.
static bool is_told(const struct run *run, uint32_t a, uint32_t time, bool shown)
{
    const struct orders *orders = run->machines->orders;
    return (orders->told && orders->told->clock[a] > time && orders->speaker == MANY_SPEAK) ||
           (shown && orders->shown && orders->shown->clock[a] > time);
}

bool orders_before(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    return is_told(run, a, time, true) || orders_knows(run, a, time, b);
}

bool orders_heard(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    return is_told(run, a, time, false) || orders_knows(run, a, time, b);
}

bool orders_released_to(const struct run *run, uint32_t a, uint32_t time, const struct released *at)
{
    const struct orders *orders = run->machines->orders;
    uint32_t first = warp_of(run, a), end = warp_end(run, first);
    bool before = is_settled(run, a, time) || orders->doubts > 0;
    for (uint32_t l = first; l < end && !before; ++l)
        before = is_told(run, l, time, true) || (at->open && at->open->clock[l] > time);
    return before;
}

bool orders_released(const struct run *run, uint32_t a, uint32_t time)
{
    return run->machines->orders->released[a] > time;
}

bool orders_fenced(const struct run *run, uint32_t a, uint32_t time)
{
    return run->machines->orders->fenced[a] > time;
}

// Whether the question was known by then, and thread `b` does not know that it was asked.
static bool is_news(const struct run *run, const struct ask *ask, uint32_t time, uint32_t b)
{
    return ask->time && ask->heard < time && !orders_knows(run, ask->thread, ask->time, b);
}

bool orders_asked(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    const struct orders *orders = run->machines->orders;
    uint32_t asked = orders->asked[a];
    return (asked && asked < time) || is_news(run, &orders->first[a], time, b) ||
           is_news(run, &orders->last[a], time, b);
}

bool orders_settled(const struct run *run, uint32_t a, uint32_t time)
{
    return is_settled(run, a, time) || is_told(run, a, time, true);
}

bool orders_settled_all(const struct run *run, const struct mask *mask, uint32_t time)
{
    const struct orders *orders = run->machines->orders;
    bool gone = mask_overlaps(run->masks, mask, run->exited);
    if (time < (gone ? orders->settled_of_gone : orders->settled))
        return true;
    mask_each (run->masks, mask, t) {
        if (!orders_settled(run, t, time))
            return false;
    }
    return true;
}

bool orders_known_to_all(const struct run *run, uint32_t time)
{
    return time < run->machines->orders->settled_of_gone;
}

bool orders_completed(const struct run *run, uint32_t mbarrier, uint32_t time, uint32_t b)
{
    const struct orders *orders = run->machines->orders;
    const struct past *past = orders->past[b];
    uint32_t at = run->masks->threads + mbarrier;
    return mbarrier >= MOST_BARRIERS || (past && past->clock[at] >= time) ||
           (orders->told && orders->told->clock[at] >= time) ||
           (orders->shown && orders->shown->clock[at] >= time);
}

bool orders_completed_all(const struct run *run, uint32_t mbarrier, uint32_t time,
                          const struct mask *mask)
{
    const struct past *same = NULL; // that of the thread before, of whom it is known
    mask_each (run->masks, mask, t) {
        const struct past *past = run->machines->orders->past[t];
        if ((past != same || !past) && !orders_completed(run, mbarrier, time, t))
            return false;
        same = past;
    }
    return true;
}
