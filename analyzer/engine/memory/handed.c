// Shared memory that warps hand each other by a word which they go round a loop for: a lock, a
// ticket, a flag. A lane waits for the word, a barrier of its warp brings the other lanes behind
// it, and when they are through one lane writes the word for whoever waits next. That says nothing
// of what other lanes of its warp have done, for which it has not waited (PTX ISA 9.1, 8.10). What
// a word is about is seen where others come behind it: the bytes that they touch from then on. In
// the same way lanes are ahead that touch what is handed on, when one of their warp alone has
// waited.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"

enum {
    MOST_WORDS = 32,   // a bit each
    MOST_TOUCHES = 64, // that are remembered: the latest
    MOST_LEFT = 16,
    MOST_AHEAD = 16,
    MOST_TELLINGS = 16,
};

struct word {
    uint32_t object;
    int64_t low, high; // bytes
};

struct handled {
    struct piece_of_memory piece;
    struct named_site site;
    uint32_t time;   // of orders.h
    uint32_t behind; // words that all of the threads have come behind
    bool writes;
};

// Lanes that a lane of their warp has written a word without waiting for.
struct left {
    struct word word;
    struct handled by_lanes; // what they did; its mask are those lanes
    uint32_t speaker;
    struct named_site site;
};

// Lanes that touch something behind no word that another lane of their warp has waited for.
struct ahead {
    struct handled by_lanes;
    uint32_t words;
};

// A thread has written such a word.
struct told {
    struct word word;
    uint32_t speaker, time;
};

struct handed {
    struct word word[MOST_WORDS];
    uint32_t words;
    struct handled touch[MOST_TOUCHES];
    uint32_t touches; // all so far
    struct left left[MOST_LEFT];
    uint32_t lefts;
    struct ahead ahead[MOST_AHEAD];
    uint32_t aheads;
    struct told told[MOST_TELLINGS];
    uint32_t tolds;
};

void handed_init(struct run *run)
{
    if (run->engine->known->polls)
        run->machines->handed = arena_new(&run->arena, struct handed);
}

// The number of the word among those that somebody waits for; MOST_WORDS for none.
static uint32_t word_at(const struct handed *handed, const struct word *wanted)
{
    for (uint32_t w = 0; w < handed->words; ++w) {
        const struct word *word = &handed->word[w];
        if (word->object == wanted->object && word->low < wanted->high && wanted->low < word->high)
            return w;
    }
    return MOST_WORDS;
}

// Whether a loop of the function, or of one that has called it, goes on until the load has brought
// what it waits for.
static bool is_polled(struct run *run, const struct group *group)
{
    enum { MOST_CALLS = 4 };
    const struct frame *frame = group->frame;
    for (int i = 0; frame && i < MOST_CALLS; ++i, frame = frame->parent) {
        uint64_t key = (uint64_t)frame->function << 32 | frame->at;
        ptrdiff_t known = hmgeti(run->engine->polled, key);
        bool polled = known >= 0
                          ? run->engine->polled[known].value
                          : polls_with(run->engine, frame->function, frame->block, frame->at);
        if (known < 0)
            hmput(run->engine->polled, key, polled);
        if (polled)
            return true;
    }
    return false;
}

static void tell(struct run *run, const struct left *left, const struct handled *next,
                 uint32_t lane, uint32_t other)
{
    uint32_t size = run->engine->block_threads;
    uint32_t object = record_object(run, left->by_lanes.piece.object, 0, true);
    struct engine_incident *incident = record_incident(
        run, ENGINE_SKIPPED, BARLINT_SYNC_MISSING, left->site.function, left->site.op,
        left->site.chain, object, mask_one(run->masks, left->speaker));
    if (!incident)
        return;
    incident->number[0] = ENGINE_RACE_HANDED | (left->by_lanes.writes ? 1 : 0);
    incident->number[1] = lane % size;
    incident->number[2] = left->speaker % size;
    record_step(run, incident,
                record_place(run, left->by_lanes.site.chain, left->by_lanes.site.loc),
                "thread %u %s it here", lane % size, left->by_lanes.writes ? "writes" : "reads");
    record_step(run, incident, record_place(run, next->site.chain, next->site.loc),
                "thread %u, whose warp has waited for the word, %s it here", other % size,
                next->writes ? "writes" : "reads");
}

// Tells of the lanes where somebody of another warp comes behind the word to what they touch, and
// knows of them by no barrier.
static void check(struct run *run, const struct left *left, const struct handled *next)
{
    struct handed *handed = run->machines->handed;
    uint32_t w = word_at(handed, &left->word), a = 0, b = 0;
    if (w == MOST_WORDS || !(next->behind >> w & 1) || (!left->by_lanes.writes && !next->writes))
        return;
    while (pieces_meet(run, &left->by_lanes.piece, &next->piece, &a, &b)) {
        if (a / 32 != b / 32 && !orders_knows(run, a, left->by_lanes.time, b)) {
            tell(run, left, next, a, b);
            return;
        }
        ++b;
    }
}

static void tell_ahead(struct run *run, const struct ahead *ahead, const struct handled *before,
                       uint32_t lane, uint32_t other)
{
    const struct handled *by = &ahead->by_lanes;
    uint32_t size = run->engine->block_threads;
    struct engine_incident *incident = record_incident(
        run, ENGINE_SKIPPED, BARLINT_SYNC_MISSING, by->site.function, by->site.op, by->site.chain,
        record_object(run, by->piece.object, 0, true), by->piece.mask);
    if (!incident)
        return;
    incident->number[0] = ENGINE_RACE_HANDED | ENGINE_RACE_UNHEARD | (by->writes ? 1 : 0);
    incident->number[1] = lane % size;
    incident->number[2] = other % size;
    record_step(run, incident, record_place(run, before->site.chain, before->site.loc),
                "thread %u %s it here, before the word is written", other % size,
                before->writes ? "writes" : "reads");
}

// Tells of the lanes that are ahead where somebody of another warp has touched the same bytes
// before the word was written for them.
static void check_ahead(struct run *run, const struct ahead *ahead, const struct told *told)
{
    const struct handed *handed = run->machines->handed;
    uint32_t touches = handed->touches < MOST_TOUCHES ? handed->touches : MOST_TOUCHES;
    uint32_t w = word_at(handed, &told->word);
    if (w == MOST_WORDS || !(ahead->words >> w & 1))
        return;
    for (uint32_t i = 0; i < touches; ++i) {
        const struct handled *before = &handed->touch[i];
        uint32_t a = 0, b = 0;
        if (before->time > told->time || (!before->writes && !ahead->by_lanes.writes))
            continue;
        for (; pieces_meet(run, &ahead->by_lanes.piece, &before->piece, &a, &b); ++b) {
            if (a / 32 != b / 32 && orders_knows(run, b, before->time, told->speaker) &&
                !orders_knows(run, b, before->time, a)) {
                tell_ahead(run, ahead, before, a, b);
                return;
            }
        }
    }
}

// The lanes of the touch that are ahead of others of their warp, and of which words.
static struct ahead ahead_of(struct run *run, const struct handled *touch)
{
    struct ahead ahead = {.by_lanes = *touch};
    uint32_t threads = run->masks->threads, words = 0, first = threads;
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    mask_each (run->masks, touch->piece.mask, t) {
        if (t - t % 32 != first) {
            first = t - t % 32;
            words = 0;
            for (uint32_t lane = first; lane < first + 32 && lane < threads; ++lane)
                words |= orders_words(run, lane);
        }
        if (words & ~orders_words(run, t)) {
            ahead.words |= words & ~orders_words(run, t);
            mask_builder_add(&builder, t);
        }
    }
    ahead.by_lanes.piece.mask = mask_builder_end(run->masks, &builder);
    return ahead;
}

void handed_touched(struct run *run, const struct group *group, const struct node *address,
                    uint32_t size, bool writes)
{
    struct handed *handed = run->machines->handed;
    struct handled touch = {.writes = writes, .behind = UINT32_MAX};
    if (!handed || run->afterlife ||
        !piece_of(run, group, group->mask, address, size, &touch.piece))
        return;
    touch.time = orders_time(run);
    touch.site = named_site_here(run, group);
    mask_each (run->masks, group->mask, t)
        touch.behind &= orders_words(run, t);
    handed->touch[handed->touches++ % MOST_TOUCHES] = touch;
    for (uint32_t i = 0; i < handed->lefts && touch.behind; ++i)
        check(run, &handed->left[i], &touch);
    struct ahead ahead = ahead_of(run, &touch);
    for (uint32_t i = 0; i < handed->tolds && ahead.words; ++i)
        check_ahead(run, &ahead, &handed->told[i]);
    if (ahead.words && handed->aheads < MOST_AHEAD)
        handed->ahead[handed->aheads++] = ahead;
}

void handed_asked(struct run *run, const struct group *group, const struct node *address,
                  uint32_t size)
{
    struct handed *handed = run->machines->handed;
    struct piece_of_memory piece;
    if (!handed || !piece_of(run, group, group->mask, address, size, &piece) ||
        !is_polled(run, group))
        return;
    struct word word = {piece.object, piece.low, piece.high};
    uint32_t w = word_at(handed, &word);
    if (w == MOST_WORDS && handed->words < MOST_WORDS)
        handed->word[w = handed->words++] = word;
    if (w < MOST_WORDS)
        orders_ask_for(run, group->mask, UINT32_C(1) << w);
}

// The lanes of the speaker's warp that have touched something and that it has not met since.
static const struct mask *unmet(struct run *run, const struct handled *touch, uint32_t speaker)
{
    uint32_t size = run->engine->block_threads, first = speaker - speaker % size % 32;
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    for (uint32_t lane = first; lane < first + 32 && lane < speaker - speaker % size + size;
         ++lane) {
        if (lane != speaker && mask_has(touch->piece.mask, lane) && !mask_has(run->exited, lane) &&
            !orders_knows(run, lane, touch->time, speaker) &&
            !orders_gathered(run, lane, touch->time))
            mask_builder_add(&builder, lane);
    }
    return mask_builder_end(run->masks, &builder);
}

// The thread writes the word, and whoever waits for it learns what it knows.
static void note_told(struct run *run, const struct word *word, uint32_t speaker)
{
    struct handed *handed = run->machines->handed;
    if (handed->tolds == MOST_TELLINGS)
        return;
    struct told *told = &handed->told[handed->tolds++];
    *told = (struct told){*word, speaker, orders_time(run)};
    for (uint32_t i = 0; i < handed->aheads; ++i)
        check_ahead(run, &handed->ahead[i], told);
}

// What lane `speaker` has left behind, for those that have come behind the word or will.
static void leave(struct run *run, const struct left *left, const struct mask *lanes)
{
    struct handed *handed = run->machines->handed;
    uint32_t touches = handed->touches < MOST_TOUCHES ? handed->touches : MOST_TOUCHES;
    struct left *kept = &handed->left[handed->lefts];
    if (handed->lefts == MOST_LEFT)
        return;
    *kept = *left;
    kept->by_lanes.piece.mask = lanes;
    ++handed->lefts;
    for (uint32_t i = 0; i < touches; ++i)
        check(run, kept, &handed->touch[i]);
}

void handed_told(struct run *run, const struct group *group, const struct node *address,
                 uint32_t size)
{
    struct handed *handed = run->machines->handed;
    struct piece_of_memory piece;
    if (!handed || run->afterlife || !piece_of(run, group, group->mask, address, size, &piece))
        return;
    struct left left = {.word = {piece.object, piece.low, piece.high},
                        .site = named_site_here(run, group)};
    uint32_t touches = handed->touches < MOST_TOUCHES ? handed->touches : MOST_TOUCHES;
    mask_each (run->masks, group->mask, t) {
        uint32_t first = t - t % 32;
        bool alone = mask_next(run->masks, group->mask, first) == t &&
                     mask_next(run->masks, group->mask, t + 1) >= first + 32;
        note_told(run, &left.word, t);
        for (uint32_t i = 0; i < touches && alone; ++i) {
            const struct handled *touch = &handed->touch[i];
            bool is_word = touch->piece.object == left.word.object &&
                           touch->piece.low < left.word.high && left.word.low < touch->piece.high;
            const struct mask *lanes = is_word ? NULL : unmet(run, touch, t);
            if (!lanes || lanes->count == 0)
                continue;
            left.by_lanes = *touch;
            left.speaker = t;
            leave(run, &left, lanes);
        }
    }
}
