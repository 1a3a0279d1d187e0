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

// Of each but the words and what was met behind, the latest are remembered.
enum {
    MOST_WORDS = 32, // a bit each
    MOST_TOUCHES = 64,
    MOST_LEFT = 16,
    MOST_AHEAD = 16,
    MOST_TELLINGS = 64,
    MOST_MET = 4,
    MOST_SUSPECTS = 64,
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
    // What lanes of the warp did since they told of the word before, and had met behind: the word
    // may be about that.
    struct handled met[MOST_MET];
    uint32_t mets;
};

// Lanes that touch something behind no word that another lane of their warp has waited for.
struct ahead {
    struct handled by_lanes;
    uint32_t words;
};

// Threads have written such a word.
struct told {
    struct word word;
    const struct mask *speakers;
    uint32_t time;
};

// Threads that nothing seen so far keeps apart: a word that is written later may.
struct suspect {
    const struct left *left;   // `lane` is one of those
    const struct ahead *ahead; // or of those; the other one is NULL
    struct handled next;       // what thread `other` does, or has done
    uint32_t lane, other, word;
};

struct handed {
    struct word word[MOST_WORDS];
    uint32_t words;
    struct handled touch[MOST_TOUCHES];
    uint32_t touches; // all so far
    const struct left *left[MOST_LEFT];
    uint32_t lefts;
    const struct ahead *ahead[MOST_AHEAD];
    uint32_t aheads;
    struct told told[MOST_TELLINGS];
    uint32_t tolds;
    struct suspect suspect[MOST_SUSPECTS];
    uint32_t suspects;
};

void handed_init(struct run *run)
{
    if (run->engine->known->polls)
        run->machines->handed = arena_new(&run->arena, struct handed);
}

static struct word place_of(const struct piece_of_memory *piece)
{
    return (struct word){piece->object, piece->low, piece->high};
}

static bool overlap(const struct word *one, const struct word *other)
{
    return one->object == other->object && one->low < other->high && other->low < one->high;
}

// The number of the word among those that somebody waits for; MOST_WORDS for none.
static uint32_t word_at(const struct handed *handed, const struct word *wanted)
{
    for (uint32_t w = 0; w < handed->words; ++w) {
        if (overlap(&handed->word[w], wanted))
            return w;
    }
    return MOST_WORDS;
}

bool handed_is_polled(struct run *run, const struct group *group)
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

static uint32_t at_most(uint32_t count, uint32_t room)
{
    return count < room ? count : room;
}

// Whether the reader is behind another word than that one which somebody has written since then who
// knows what the lane did.
static bool is_told_otherwise(const struct run *run, uint32_t lane, uint32_t time, uint32_t reader,
                              uint32_t but)
{
    const struct handed *handed = run->machines->handed;
    for (uint32_t i = 0; i < at_most(handed->tolds, MOST_TELLINGS); ++i) {
        const struct told *told = &handed->told[i];
        uint32_t w = told->time > time ? word_at(handed, &told->word) : MOST_WORDS;
        if (w == MOST_WORDS || w == but || !(orders_words(run, reader) >> w & 1))
            continue;
        mask_each (run->masks, told->speakers, t) {
            if (t == lane || orders_knows(run, lane, time, t))
                return true;
        }
    }
    return false;
}

// Whether the word may be about what lanes have met behind, which the reader knows of by no
// barrier.
static bool is_about_others(const struct run *run, const struct left *left, uint32_t reader)
{
    for (uint32_t i = 0; i < left->mets; ++i) {
        const struct handled *met = &left->met[i];
        mask_each (run->masks, met->piece.mask, t) {
            if (!orders_knows(run, t, met->time, reader))
                return true;
        }
    }
    return false;
}

static void note(struct run *run, const struct suspect *suspect)
{
    struct handed *handed = run->machines->handed;
    handed->suspect[handed->suspects++ % MOST_SUSPECTS] = *suspect;
}

// Notes the lanes where somebody of another warp comes behind the word to what they touch.
static void check(struct run *run, const struct left *left, const struct handled *next)
{
    const struct handed *handed = run->machines->handed;
    uint32_t w = word_at(handed, &left->word), a = 0, b = 0, time = left->by_lanes.time;
    if (w == MOST_WORDS || !(next->behind >> w & 1) || (!left->by_lanes.writes && !next->writes))
        return;
    for (; pieces_meet(run, &left->by_lanes.piece, &next->piece, &a, &b); ++b) {
        if (warp_of(run, a) != warp_of(run, b) && !orders_knows(run, a, time, b)) {
            note(run,
                 &(struct suspect){.left = left, .next = *next, .lane = a, .other = b, .word = w});
            return;
        }
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
    uint32_t w = word_at(handed, &told->word);
    if (w == MOST_WORDS || !(ahead->words >> w & 1))
        return;
    for (uint32_t i = 0; i < at_most(handed->touches, MOST_TOUCHES); ++i) {
        const struct handled *before = &handed->touch[i];
        uint32_t a = 0, b = 0;
        if (before->time > told->time || (!before->writes && !ahead->by_lanes.writes))
            continue;
        for (; pieces_meet(run, &ahead->by_lanes.piece, &before->piece, &a, &b); ++b) {
            if (warp_of(run, a) != warp_of(run, b) &&
                orders_knows(run, b, before->time, told->speakers->first) &&
                !orders_knows(run, b, before->time, a)) {
                note(run, &(struct suspect){
                              .ahead = ahead, .next = *before, .lane = a, .other = b, .word = w});
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
        if (warp_of(run, t) != first) {
            first = warp_of(run, t);
            words = 0;
            for (uint32_t l = first; l < threads && warp_of(run, l) == first; ++l)
                words |= orders_words(run, l);
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
    struct word place = place_of(&touch.piece);
    if (word_at(handed, &place) < MOST_WORDS)
        return;
    touch.time = orders_time(run);
    touch.site = named_site_here(run, group);
    mask_each (run->masks, group->mask, t)
        touch.behind &= orders_words(run, t);
    handed->touch[handed->touches++ % MOST_TOUCHES] = touch;
    for (uint32_t i = 0; i < at_most(handed->lefts, MOST_LEFT) && touch.behind; ++i)
        check(run, handed->left[i], &touch);
    struct ahead found = ahead_of(run, &touch);
    if (!found.words)
        return;
    struct ahead *ahead = arena_new(&run->arena, struct ahead);
    *ahead = found;
    for (uint32_t i = 0; i < at_most(handed->tolds, MOST_TELLINGS); ++i)
        check_ahead(run, ahead, &handed->told[i]);
    handed->ahead[handed->aheads++ % MOST_AHEAD] = ahead;
}

bool handed_asked(struct run *run, const struct group *group, const struct node *address,
                  uint32_t size)
{
    struct handed *handed = run->machines->handed;
    struct piece_of_memory piece;
    if (!handed || !piece_of(run, group, group->mask, address, size, &piece) ||
        !handed_is_polled(run, group))
        return false;
    struct word word = place_of(&piece);
    uint32_t w = word_at(handed, &word);
    if (w == MOST_WORDS && handed->words < MOST_WORDS)
        handed->word[w = handed->words++] = word;
    if (w < MOST_WORDS)
        orders_ask_for(run, group->mask, UINT32_C(1) << w);
    return true;
}

// The lanes of the speaker's warp that have touched something; `unmet`: that it has not met since.
static const struct mask *lanes_of(struct run *run, const struct handled *touch, uint32_t speaker,
                                   bool unmet)
{
    uint32_t first = warp_of(run, speaker);
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    mask_each (run->masks, touch->piece.mask, l) {
        bool met =
            orders_knows(run, l, touch->time, speaker) || orders_gathered(run, l, touch->time);
        if (l != speaker && warp_of(run, l) == first && !mask_has(run->exited, l) &&
            !(unmet && met))
            mask_builder_add(&builder, l);
    }
    return mask_builder_end(run->masks, &builder);
}

// When a lane of the speaker's warp last wrote the word.
static uint32_t last_told(const struct run *run, const struct word *word, uint32_t speaker)
{
    const struct handed *handed = run->machines->handed;
    uint32_t last = 0, first = warp_of(run, speaker);
    for (uint32_t i = 0; i < at_most(handed->tolds, MOST_TELLINGS); ++i) {
        const struct told *told = &handed->told[i];
        if (!overlap(&told->word, word) || told->time < last)
            continue;
        mask_each (run->masks, told->speakers, t)
            last = warp_of(run, t) == first ? told->time : last;
    }
    return last;
}

// What lane `speaker` has left behind, for those that have come behind the word or will.
static void leave(struct run *run, struct left *left)
{
    struct handed *handed = run->machines->handed;
    uint32_t touches = at_most(handed->touches, MOST_TOUCHES);
    uint32_t last = last_told(run, &left->word, left->speaker);
    left->mets = 0;
    for (uint32_t i = 0; i < touches && left->mets < MOST_MET; ++i) {
        const struct handled *touch = &handed->touch[i];
        struct word place = place_of(&touch->piece);
        const struct mask *lanes = lanes_of(run, touch, left->speaker, false);
        if (touch->time < last || lanes->count == 0 || word_at(handed, &place) < MOST_WORDS ||
            lanes_of(run, touch, left->speaker, true)->count > 0)
            continue;
        left->met[left->mets] = *touch;
        left->met[left->mets++].piece.mask = lanes;
    }
    for (uint32_t i = 0; i < touches; ++i) {
        struct word place = place_of(&handed->touch[i].piece);
        const struct mask *lanes = lanes_of(run, &handed->touch[i], left->speaker, true);
        if (lanes->count == 0 || overlap(&place, &left->word))
            continue;
        struct left *kept = arena_new(&run->arena, struct left);
        handed->left[handed->lefts++ % MOST_LEFT] = kept;
        *kept = *left;
        kept->by_lanes = handed->touch[i];
        kept->by_lanes.piece.mask = lanes;
        for (uint32_t k = 0; k < touches; ++k)
            check(run, kept, &handed->touch[k]);
    }
}

void handed_told(struct run *run, const struct group *group, const struct node *address,
                 uint32_t size)
{
    struct handed *handed = run->machines->handed;
    struct piece_of_memory piece;
    if (!handed || run->afterlife || !piece_of(run, group, group->mask, address, size, &piece))
        return;
    struct left left = {.word = place_of(&piece), .site = named_site_here(run, group)};
    uint32_t threads = run->masks->threads;
    mask_each (run->masks, group->mask, t) {
        uint32_t first = warp_of(run, t), next = mask_next(run->masks, group->mask, t + 1);
        left.speaker = t;
        if (mask_next(run->masks, group->mask, first) == t &&
            (next >= threads || warp_of(run, next) != first))
            leave(run, &left);
    }
    struct told *told = &handed->told[handed->tolds++ % MOST_TELLINGS];
    *told = (struct told){left.word, group->mask, orders_time(run)};
    for (uint32_t i = 0; i < at_most(handed->aheads, MOST_AHEAD); ++i)
        check_ahead(run, handed->ahead[i], told);
}

void handed_end(struct run *run)
{
    const struct handed *handed = run->machines->handed;
    for (uint32_t i = 0; handed && i < at_most(handed->suspects, MOST_SUSPECTS); ++i) {
        const struct suspect *suspect = &handed->suspect[i];
        uint32_t lane = suspect->lane, other = suspect->other, w = suspect->word;
        if (suspect->ahead && !is_told_otherwise(run, other, suspect->next.time, lane, w))
            tell_ahead(run, suspect->ahead, &suspect->next, lane, other);
        if (suspect->left && !is_about_others(run, suspect->left, other) &&
            !is_told_otherwise(run, lane, suspect->left->by_lanes.time, other, w))
            tell(run, suspect->left, &suspect->next, lane, other);
    }
}
