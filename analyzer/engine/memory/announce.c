// Data in global memory that one thread announces to other blocks. A thread that writes some and
// passes a fence of the device means them to be seen before what it does next (PTX ISA 9.1, 8.10);
// where one thread alone speaks for the block then, by an atomic operation or a flag, the others
// must have come to a barrier with it in between. It speaks for those that fence with it, and for
// those that wrote with it what it fences. A store or an atomic operation that releases is both in
// one. Only followed in kernels with such a fence.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"
#include "engine/walk/grid_values.h"

struct write {
    uint64_t clock;          // announce->clock then; 0: there has been none
    uint32_t epoch;          // how many barriers of its block the thread had passed then
    uint32_t releases;       // machines->releases then
    uint32_t time;           // orders_time() then
    const struct arms *arms; // conditions it stood under
    struct named_site site;
};

struct writer {
    struct write last, before; // before: the latest at another place
    uint64_t fenced;           // announce->clock when it last did so; 0: never
    uint32_t fence_epoch;
    struct named_site fence;
};

struct announce {
    struct writer *writer; // by thread of the first block; NULL in a kernel without such a fence
    uint64_t clock;
};

void announce_init(struct run *run)
{
    run->machines->announce = arena_new(&run->arena, struct announce);
    if (run->engine->known->announces)
        run->machines->announce->writer =
            arena_array(&run->arena, struct writer, run->engine->block_threads);
}

static const struct mask *first_block(struct run *run, const struct group *group)
{
    return mask_and(run->masks, group->mask, run->block_mask[0]);
}

void announce_fenced(struct run *run, const struct group *group)
{
    struct announce *announce = run->machines->announce;
    if (!announce->writer)
        return;
    const struct mask *mask = first_block(run, group);
    struct named_site site = named_site_here(run, group);
    ++announce->clock;
    mask_each (run->masks, mask, t) {
        announce->writer[t].fenced = announce->clock;
        announce->writer[t].fence_epoch = run->machines->epoch[t];
        announce->writer[t].fence = site;
    }
}

static bool same_site(const struct named_site *a, const struct named_site *b)
{
    return a->function == b->function && a->op == b->op && a->chain == b->chain;
}

// A thread that has written before the fence behind which `speaker` speaks, and that has not met it
// since, of another warp rather than of its own; UINT32_MAX for none. Where not all threads of the
// block have come to that fence, the speaker may speak for its warp alone.
static uint32_t unmet(const struct run *run, uint32_t speaker)
{
    const struct writer *all = run->machines->announce->writer, *own = &all[speaker];
    uint32_t found = UINT32_MAX, lane = UINT32_MAX;
    for (uint32_t t = 0; t < run->engine->block_threads; ++t) {
        const struct writer *other = &all[t];
        if (mask_has(run->exited, t))
            continue;
        if (other->fence_epoch != own->fence_epoch || !same_site(&other->fence, &own->fence))
            return UINT32_MAX;
        if (!other->last.clock || other->last.clock >= other->fenced ||
            other->last.epoch != own->fence_epoch)
            continue;
        if (orders_heard(run, t, other->last.time, speaker))
            continue;
        uint32_t *first = t / 32 != speaker / 32 ? &found : &lane;
        *first = *first == UINT32_MAX ? t : *first;
    }
    return found == UINT32_MAX ? lane : found;
}

// Whether the two values are one, as far as the text of plain address arithmetic tells.
static bool is_same(const struct ir_function *function, ir_value a, ir_value b, int depth)
{
    a = look_once_stored(function, a);
    b = look_once_stored(function, b);
    if (a == b)
        return true;
    const struct ir_op *one = ir_op_at(function, a), *other = ir_op_at(function, b);
    if (!one || !other || depth == 0 || one->code != other->code || one->imm != other->imm ||
        one->operand_count != other->operand_count)
        return false;
    switch (one->code) {
    case IR_CONST:
    case IR_SPECIAL:
        return true;
    case IR_ADD:
    case IR_MUL:
    case IR_INDEX:
    case IR_OFFSET:
        for (uint32_t i = 0; i < one->operand_count; ++i) {
            if (!is_same(function, ir_operand(function, one, i), ir_operand(function, other, i),
                         depth - 1))
                return false;
        }
        return true;
    default:
        return false;
    }
}

// Whether what is stored is what stood at that place before, counted up.
static bool counts_up(const struct ir_function *function, const struct ir_op *store, ir_value kept)
{
    enum { DEEPEST = 6 };
    const struct ir_op *sum = ir_op_at(function, kept);
    if (!sum || sum->code != IR_ADD)
        return false;
    for (uint32_t i = 0; i < 2; ++i) {
        const struct ir_op *step =
            ir_op_at(function, look_once_stored(function, ir_operand(function, sum, 1 - i)));
        const struct ir_op *load =
            ir_op_at(function, look_once_stored(function, ir_operand(function, sum, i)));
        if (step && step->code == IR_CONST && load && load->code == IR_LOAD &&
            is_same(function, ir_operand(function, load, 0), ir_operand(function, store, 0),
                    DEEPEST))
            return true;
    }
    return false;
}

// Whether the write has counted up what the group says now.
static bool is_ticket(const struct run *run, const struct group *group, const struct write *write)
{
    const struct frame *frame = group->frame;
    if (write->site.function != frame->function || write->site.chain != frame->chain)
        return false;
    const struct ir_function *function = &run->engine->unit->function[frame->function];
    const struct ir_op *store = ir_op_at(function, write->site.op);
    const struct ir_op *word = ir_op_at(function, frame->at);
    if (store->code != IR_STORE || word->code == IR_COPY || word->code == IR_ZERO)
        return false;
    ir_value kept = look_once_stored(function, ir_operand(function, store, 1));
    if (!counts_up(function, store, kept))
        return false;
    for (uint32_t i = 1; i < word->operand_count; ++i) {
        if (look_once_stored(function, ir_operand(function, word, i)) == kept)
            return true;
    }
    return false;
}

// Whether only threads of the mask are known to have made the write.
static bool is_only_theirs(const struct run *run, const struct mask *mask,
                           const struct write *write)
{
    const struct writer *all = run->machines->announce->writer;
    for (uint32_t t = 0; t < run->engine->block_threads; ++t) {
        if (!mask_has(mask, t) && (same_site(&all[t].last.site, &write->site) ||
                                   same_site(&all[t].before.site, &write->site)))
            return false;
    }
    return true;
}

// What one of the speakers has written for the others to see: its last write, unless that is a
// count that they alone keep of what they say, and say now. Such a ticket is none of the data,
// which they have written before.
static const struct write *speaks_of(const struct run *run, const struct group *group,
                                     const struct mask *speakers, uint32_t speaker)
{
    const struct writer *own = &run->machines->announce->writer[speaker];
    return own->last.clock && own->before.clock && is_ticket(run, group, &own->last) &&
                   is_only_theirs(run, speakers, &own->last)
               ? &own->before
               : &own->last;
}

// A thread that has made the write with the speakers that they fence, and that nobody has waited
// for since, of a warp in which nobody speaks; UINT32_MAX for none.
static uint32_t left_behind(const struct run *run, const struct group *group,
                            const struct mask *speakers)
{
    const struct writer *all = run->machines->announce->writer, *first = &all[speakers->first];
    const struct write *own = speaks_of(run, group, speakers, speakers->first);
    if (!own->clock || own->clock > first->fenced || own->epoch != first->fence_epoch ||
        run->policy != POLICY_TOGETHER) // where each warp comes by itself, it may speak for itself
        return UINT32_MAX;
    for (uint32_t t = 0; t < run->engine->block_threads; ++t) {
        const struct write *other = &all[t].last;
        if (!mask_has(run->exited, t) && other->clock == own->clock && other->epoch == own->epoch &&
            other->releases == run->machines->releases[t] &&
            mask_next(run->masks, speakers, t - t % 32) >= t - t % 32 + 32)
            return t;
    }
    return UINT32_MAX;
}

// Whether the lane has made the speaker's own write with it and fenced it where the speaker has, or
// the speaker's own operation is to bring that along, and has come together with it since: that is
// no barrier of the warp, but lanes that go on as one are none to tell of.
static bool is_behind(const struct run *run, uint32_t lane, uint32_t speaker,
                      const struct write *own, bool releases)
{
    const struct writer *other = &run->machines->announce->writer[lane];
    return !mask_has(run->exited, lane) && other->last.clock == own->clock &&
           other->last.epoch == own->epoch &&
           (releases ? other->last.releases == run->machines->releases[lane]
                     : other->fenced == run->machines->announce->writer[speaker].fenced &&
                           other->fenced > other->last.clock) &&
           !orders_heard(run, lane, other->last.time, speaker) &&
           !orders_gathered(run, lane, other->last.time);
}

// Whether what the thread has written stands under the conditions that the group stands under.
static bool is_within(const struct run *run, const struct group *group, uint32_t thread)
{
    const struct arms *arms = run->machines->announce->writer[thread].last.arms;
    while (arms && arms != group->arms)
        arms = arms->outer;
    return arms == group->arms;
}

// A lane that has made the write with the one lane of its warp that speaks, `*speaker`, and has not
// met it since; UINT32_MAX for none.
static uint32_t lane_behind(const struct run *run, const struct group *group,
                            const struct mask *speakers, bool releases, uint32_t *speaker)
{
    mask_each (run->masks, speakers, s) {
        const struct writer *writer = &run->machines->announce->writer[s];
        uint32_t first = s - s % 32, end = first + 32;
        end = end < run->engine->block_threads ? end : run->engine->block_threads;
        if (mask_next(run->masks, speakers, first) != s ||
            mask_next(run->masks, speakers, s + 1) < end)
            continue;
        const struct write *own = speaks_of(run, group, speakers, s);
        if (!own->clock || own->clock > writer->fenced || own->epoch != writer->fence_epoch)
            continue;
        *speaker = s;
        for (uint32_t lane = first; lane < end; ++lane)
            if (lane != s && is_behind(run, lane, s, own, releases))
                return lane;
    }
    return UINT32_MAX;
}

static void tell(struct run *run, const struct group *group, uint32_t speaker, uint32_t other,
                 enum announcement kind)
{
    const struct writer *all = run->machines->announce->writer, *writer = &all[other];
    const struct named_site *fence = &all[speaker].fence;
    struct named_site site = named_site_here(run, group);
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_SYNC_MISSING, site.function, site.op,
                        site.chain, UINT32_MAX, mask_one(run->masks, speaker));
    if (!incident && other / 32 != speaker / 32)
        incident = record_of_lanes(run, ENGINE_SKIPPED, &site);
    if (!incident)
        return;
    incident->number[0] = kind == ANNOUNCE_RELEASE ? ENGINE_RACE_BY_RELEASE : 0;
    incident->number[1] = other;
    incident->number[2] = speaker;
    record_step(run, incident, record_place(run, writer->last.site.chain, writer->last.site.loc),
                "thread %u writes to global memory here", other);
    record_step(run, incident, record_place(run, fence->chain, fence->loc),
                "thread %u fences what it wrote here, and need not wait for thread %u", speaker,
                other);
}

// Whether the thread has fenced since the latest barrier of its block.
static bool has_fenced(const struct run *run, uint32_t thread)
{
    const struct writer *writer = &run->machines->announce->writer[thread];
    return writer->fenced && writer->fence_epoch == run->machines->epoch[thread];
}

// Whether the group asks for its next work, in a kernel in which nobody reads what it has written.
static bool asks_for_work(struct run *run, const struct group *group, enum announcement kind)
{
    const struct frame *frame = group->frame;
    return kind == ANNOUNCE_WORD && !run->engine->known->reads_back &&
           facts_of(run->engine, frame->function)->cfg->loop_of[frame->block] != IR_NONE &&
           is_work_ticket(frame_function(run, frame), frame->at, &run->arena);
}

// The threads of the mask may speak for the block. Returns whether they do.
static bool speak(struct run *run, const struct group *group, const struct mask *mask,
                  enum announcement kind)
{
    uint32_t first = mask->first, other = UINT32_MAX;
    if (mask->count == 1 && has_fenced(run, first))
        other = unmet(run, first);
    if (kind == ANNOUNCE_RELEASE && other == UINT32_MAX)
        announce_fenced(run, group);
    if (!has_fenced(run, first))
        return false;
    uint32_t speaker = first;
    if (other == UINT32_MAX && (kind == ANNOUNCE_RELEASE || mask->count == 1))
        other = left_behind(run, group, mask);
    if (other == UINT32_MAX)
        other = lane_behind(run, group, mask, kind == ANNOUNCE_RELEASE, &speaker);
    // Data may let one block alone come here, the last one, which tells nobody.
    bool of_warp = other / 32 == speaker / 32;
    if (other != UINT32_MAX && (of_warp || !group->arms) && is_within(run, group, other) &&
        !asks_for_work(run, group, kind))
        tell(run, group, speaker, other, kind);
    return true;
}

// Whether no two of them are of one warp.
static bool is_lane_of_each(const struct run *run, const struct mask *mask)
{
    uint32_t before = UINT32_MAX;
    mask_each (run->masks, mask, t) {
        if (before != UINT32_MAX && before / 32 == t / 32)
            return false;
        before = t;
    }
    return true;
}

// The thread tells other blocks of data that its bulk stores bring: where it has waited only for
// their sources to be read, they may come later. (PTX ISA 9.1, 9.7.9.25.3.3.)
static void check_in_flight(struct run *run, const struct group *group, uint32_t thread)
{
    if (!stores_in_flight(run, thread))
        return;
    struct named_site site = named_site_here(run, group);
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_SYNC_MISSING, site.function, site.op,
                        site.chain, UINT32_MAX, mask_one(run->masks, thread));
    if (!incident)
        return;
    incident->number[0] = ENGINE_RACE_IN_FLIGHT;
    incident->number[2] = thread;
}

// The block counts itself where the last one finds out that it is, and nothing in the kernel fences
// what any of its threads has written.
static void count(struct run *run, const struct group *group)
{
    const struct last_block *last = &run->engine->known->last_block;
    const struct writer *all = run->machines->announce->writer;
    struct named_site site = named_site_here(run, group);
    const struct ir_function *function = &run->engine->unit->function[last->function];
    uint32_t t = 0, threads = run->engine->block_threads;
    while (t < threads && !(all[t].last.clock && all[t].last.site.function == last->function &&
                            all[t].last.site.op == last->write))
        ++t;
    if (t == threads)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_SYNC_MISSING, site.function, site.op,
                        site.chain, UINT32_MAX, group->mask);
    if (!incident)
        return;
    incident->number[0] = ENGINE_RACE_UNFENCED;
    incident->number[1] = t;
    incident->number[2] = group->mask->first % threads;
    record_step(run, incident, record_place(run, all[t].last.site.chain, all[t].last.site.loc),
                "thread %u writes to global memory here", t);
    record_step(run, incident, ir_op_at(function, last->read)->loc,
                "the last block reads here what the others have written");
}

void announce_wrote(struct run *run, const struct group *group, enum announcement kind)
{
    struct announce *announce = run->machines->announce;
    if (!announce->writer || run->afterlife)
        return;
    const struct mask *mask = first_block(run, group);
    if (mask->count == 0)
        return;
    const struct last_block *last = &run->engine->known->last_block;
    if (last->ticket != IR_NONE && last->ticket == group->frame->at &&
        last->function == group->frame->function)
        count(run, group);
    if (mask->count == 1 && !group->arms &&
        (kind == ANNOUNCE_RELEASE || (kind == ANNOUNCE_WORD && has_fenced(run, mask->first))))
        check_in_flight(run, group, mask->first);
    bool speaks = kind == ANNOUNCE_RELEASE ||
                  (kind == ANNOUNCE_WORD && (mask->count == 1 || is_lane_of_each(run, mask)));
    if (speaks && speak(run, group, mask, kind))
        return;
    struct named_site site = named_site_here(run, group);
    uint32_t time = orders_time(run);
    ++announce->clock;
    struct write write = {
        .clock = announce->clock, .time = time, .arms = group->arms, .site = site};
    mask_each (run->masks, mask, t) {
        struct writer *writer = &announce->writer[t];
        if (!same_site(&writer->last.site, &site))
            writer->before = writer->last;
        write.epoch = run->machines->epoch[t];
        write.releases = run->machines->releases[t];
        writer->last = write;
    }
}
