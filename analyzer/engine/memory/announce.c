// Data in global memory that one thread announces to other blocks. A thread that writes some and
// passes a fence of the device means them to be seen before what it does next (PTX ISA 9.1, 8.10);
// where one thread alone speaks for the block then, by an atomic operation or a flag, the others
// must have come to a barrier with it in between. It speaks for those that fence with it, and for
// those that wrote with it what it fences. A store or an atomic operation that releases is both in
// one. Only followed in kernels with such a fence.
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

struct writer {
    uint64_t wrote, fenced;            // announce->clock when it last did so; 0: never
    uint32_t write_epoch, fence_epoch; // how many barriers of its block it had passed then
    uint32_t write_releases;           // machines->releases then
    uint32_t write_time;               // orders_time() then
    const struct arms *write_arms;     // conditions it stood under
    struct named_site write, fence;
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
        if (!other->wrote || other->wrote >= other->fenced ||
            other->write_epoch != own->fence_epoch)
            continue;
        if (orders_heard(run, t, other->write_time, speaker))
            continue;
        uint32_t *first = t / 32 != speaker / 32 ? &found : &lane;
        *first = *first == UINT32_MAX ? t : *first;
    }
    return found == UINT32_MAX ? lane : found;
}

// A thread that has made the write with the speakers that they fence, and that nobody has waited
// for since, of a warp in which nobody speaks; UINT32_MAX for none.
static uint32_t left_behind(const struct run *run, const struct mask *speakers)
{
    const struct writer *all = run->machines->announce->writer, *own = &all[speakers->first];
    if (!own->wrote || own->wrote > own->fenced || own->write_epoch != own->fence_epoch ||
        run->policy != POLICY_TOGETHER) // where each warp comes by itself, it may speak for itself
        return UINT32_MAX;
    for (uint32_t t = 0; t < run->engine->block_threads; ++t) {
        const struct writer *other = &all[t];
        if (!mask_has(run->exited, t) && other->wrote == own->wrote &&
            other->write_epoch == own->write_epoch &&
            other->write_releases == run->machines->releases[t] &&
            mask_next(run->masks, speakers, t - t % 32) >= t - t % 32 + 32)
            return t;
    }
    return UINT32_MAX;
}

// Whether the lane has fenced what it wrote where the speaker has, or the speaker's own operation
// is to bring that along, and has come together with it since: that is no barrier of the warp, but
// lanes that go on as one are none to tell of.
static bool is_behind(const struct run *run, uint32_t lane, uint32_t speaker, bool releases)
{
    const struct writer *own = &run->machines->announce->writer[speaker];
    const struct writer *other = &run->machines->announce->writer[lane];
    return !mask_has(run->exited, lane) && other->wrote == own->wrote &&
           other->write_epoch == own->write_epoch &&
           (releases ? other->write_releases == run->machines->releases[lane]
                     : other->fenced == own->fenced && other->fenced > other->wrote) &&
           !orders_heard(run, lane, other->write_time, speaker) &&
           !orders_gathered(run, lane, other->write_time);
}

// Whether what the thread has written stands under the conditions that the group stands under.
static bool is_within(const struct run *run, const struct group *group, uint32_t thread)
{
    const struct arms *arms = run->machines->announce->writer[thread].write_arms;
    while (arms && arms != group->arms)
        arms = arms->outer;
    return arms == group->arms;
}

// A lane that has made the write with the one lane of its warp that speaks, `*speaker`, and has not
// met it since; UINT32_MAX for none.
static uint32_t lane_behind(const struct run *run, const struct mask *speakers, bool releases,
                            uint32_t *speaker)
{
    mask_each (run->masks, speakers, s) {
        const struct writer *own = &run->machines->announce->writer[s];
        uint32_t first = s - s % 32, end = first + 32;
        end = end < run->engine->block_threads ? end : run->engine->block_threads;
        if (!own->wrote || own->wrote > own->fenced || own->write_epoch != own->fence_epoch ||
            mask_next(run->masks, speakers, first) != s ||
            mask_next(run->masks, speakers, s + 1) < end)
            continue;
        *speaker = s;
        for (uint32_t lane = first; lane < end; ++lane)
            if (lane != s && is_behind(run, lane, s, releases))
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
    record_step(run, incident, record_place(run, writer->write.chain, writer->write.loc),
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
        other = left_behind(run, mask);
    if (other == UINT32_MAX)
        other = lane_behind(run, mask, kind == ANNOUNCE_RELEASE, &speaker);
    // Data may let one block alone come here, the last one, which tells nobody.
    bool of_warp = other / 32 == speaker / 32;
    if (other != UINT32_MAX && (of_warp || !group->arms) && is_within(run, group, other))
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
    while (t < threads && !(all[t].wrote && all[t].write.function == last->function &&
                            all[t].write.op == last->write))
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
    record_step(run, incident, record_place(run, all[t].write.chain, all[t].write.loc),
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
    mask_each (run->masks, mask, t) {
        announce->writer[t].wrote = announce->clock;
        announce->writer[t].write_time = time;
        announce->writer[t].write_epoch = run->machines->epoch[t];
        announce->writer[t].write_releases = run->machines->releases[t];
        announce->writer[t].write = site;
        announce->writer[t].write_arms = group->arms;
    }
}
