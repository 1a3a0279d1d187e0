// The lanes of a schedule: threads that did the same, and what they are called.
#include <string.h>

#include "base/vec.h"
#include "engine/story/record.h"
#include "engine/story/schedule_builder.h"

// From here on one role stands for others like it.
enum { MANY_ROLES = 6 };

bool moment_shares_barrier(const struct engine_moment *a, const struct engine_moment *b)
{
    return a->barrier == b->barrier && a->barrier != ENGINE_BARRIER_NONE &&
           a->object == b->object && a->id == b->id && (a->blocks & b->blocks);
}

static bool tells_path(const struct engine_moment *moment)
{
    switch (moment->kind) {
    case ENGINE_MOMENT_REFUSED:
    case ENGINE_MOMENT_PASSED:
    case ENGINE_MOMENT_VIOLATION:
    case ENGINE_MOMENT_HANG:
    case ENGINE_MOMENT_LAND:
    case ENGINE_MOMENT_COMPLETE:
        return false;
    default:
        return true;
    }
}

// The same for all elements of an array of barriers.
static uint64_t array_number(const struct schedule_builder *build, uint32_t object)
{
    const struct engine_result *result = build->run->engine->result;
    uint64_t hash = 0;
    bool within = false;
    for (const char *c = object < arrlenu(result->object) ? result->object[object].name : ""; *c;
         ++c) {
        within = *c == '[' || (within && *c != ']');
        if (!within)
            hash = hash_mix(hash, (unsigned char)*c);
    }
    return hash;
}

// A number for the path of each thread: equal for those that did the same, each with the barriers
// of its own block. Loosely: on whatever element of an array of barriers and named barrier, and
// with the same end.
static uint64_t *path_numbers(const struct schedule_builder *build, bool loose)
{
    struct run *run = build->run;
    uint32_t threads = run->masks->threads;
    uint64_t *path = arena_array(&run->arena, uint64_t, threads);
    uint64_t *last = arena_array(&run->arena, uint64_t, threads);
    for (uint32_t i = 0; i < build->raws; ++i) {
        const struct engine_moment *moment = &build->raw[i].moment;
        bool wrong = moment->kind == ENGINE_MOMENT_HANG || moment->kind == ENGINE_MOMENT_VIOLATION;
        if (!tells_path(moment) && !(loose && wrong))
            continue;
        uint64_t site = hash_mix(moment->kind, (uint64_t)moment->function << 32 | moment->op);
        site = hash_mix(site, moment->chain);
        site = hash_mix(site, loose ? array_number(build, moment->object) : moment->object);
        site = hash_mix(site, loose ? 0 : moment->id);
        site = hash_mix(site, moment->remote ? moment->blocks : 0);
        mask_each (run->masks, build->raw[i].mask, t) {
            // How often a thread asks before it is told so is no matter of its path.
            if (moment->kind == ENGINE_MOMENT_WAIT && last[t] == site)
                continue;
            last[t] = site;
            path[t] = hash_mix(path[t], site);
        }
    }
    return path;
}

static const char *numbers(struct arena *arena, const bool *in, uint32_t count)
{
    const char *text = NULL;
    uint32_t ranges = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!in[i])
            continue;
        uint32_t end = i;
        while (end + 1 < count && in[end + 1])
            ++end;
        if (++ranges > 4)
            return arena_printf(arena, "%s, ...", text);
        const char *part =
            end == i ? arena_printf(arena, "%u", i) : arena_printf(arena, "%u-%u", i, end);
        text = text ? arena_printf(arena, "%s, %s", text, part) : part;
        i = end;
    }
    return text ? text : "";
}

static const char *plural(struct arena *arena, const char *word, const char *which)
{
    return arena_printf(arena, "%s%s %s", word, strpbrk(which, "-,") ? "s" : "", which);
}

// The threads of one block of the cluster, in the words that say most: warps, a lane of several
// warps, or threads.
static const char *block_words(struct run *run, const struct mask *mask, uint32_t block)
{
    struct arena *arena = run->engine->arena;
    uint32_t size = run->engine->block_threads, base = block * size;
    uint32_t warps = (size + 31) / 32, lanes[32] = {0};
    bool warp[32] = {0}, lane[32] = {0}, thread[1024] = {0}, whole = true, alike = true;
    uint32_t first = UINT32_MAX, count = 0, used = 0;
    for (uint32_t t = 0; t < size && t < 1024; ++t) {
        if (!mask_has(mask, base + t))
            continue;
        thread[t] = warp[t / 32] = true;
        lanes[t / 32] |= 1u << t % 32;
        ++count;
    }
    for (uint32_t w = 0; w < warps; ++w) {
        if (!warp[w])
            continue;
        ++used;
        uint32_t in_warp = size - w * 32 < 32 ? size - w * 32 : 32;
        whole &= lanes[w] == (in_warp == 32 ? ~0u : (1u << in_warp) - 1);
        alike &= first == UINT32_MAX || lanes[w] == lanes[first];
        first = first == UINT32_MAX ? w : first;
    }
    if (count == 0)
        return NULL;
    if (count == size)
        return size == 1 ? "the thread" : arena_printf(arena, "all %u threads", size);
    if (whole)
        return plural(arena, "warp", numbers(arena, warp, warps));
    if (!alike || used == 1)
        return plural(arena, "thread", numbers(arena, thread, size));
    for (uint32_t l = 0; l < 32; ++l)
        lane[l] = lanes[first] >> l & 1;
    return arena_printf(arena, "%s of %s", plural(arena, "lane", numbers(arena, lane, 32)),
                        plural(arena, "warp", numbers(arena, warp, warps)));
}

const char *lane_words(struct run *run, const struct mask *mask)
{
    struct arena *arena = run->engine->arena;
    uint32_t blocks = run->engine->blocks;
    if (blocks == 1)
        return block_words(run, mask, 0);
    const char *text = NULL, *words[MAX_BLOCKS] = {0};
    for (uint32_t b = 0; b < blocks; ++b)
        words[b] = block_words(run, mask, b);
    for (uint32_t b = 0; b < blocks; ++b) {
        if (!words[b])
            continue;
        // Blocks with the same threads in them are named together.
        bool same[MAX_BLOCKS] = {0};
        uint32_t count = 0;
        const char *here = words[b];
        for (uint32_t k = b; k < blocks; ++k) {
            same[k] = words[k] && strcmp(words[k], here) == 0;
            count += same[k];
            if (same[k])
                words[k] = NULL;
        }
        const char *part = count == blocks
                               ? arena_printf(arena, "%s of every block", here)
                               : arena_printf(arena, "%s of %s", here,
                                              plural(arena, "block", numbers(arena, same, blocks)));
        text = text ? arena_printf(arena, "%s and %s", text, part) : part;
    }
    return text;
}

// The threads of one path.
struct role {
    uint64_t path, loose;
    uint64_t *word;
    uint32_t alike; // roles that this one stands for
};

static struct role *find_roles(struct schedule_builder *build)
{
    struct run *run = build->run;
    const uint64_t *path = path_numbers(build, false), *loose = path_numbers(build, true);
    struct role *role = NULL; // stb_ds array, by first thread
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        ptrdiff_t at = 0;
        while (at < arrlen(role) && role[at].path != path[t])
            ++at;
        if (at == arrlen(role)) {
            struct role fresh = {.path = path[t], .loose = loose[t]};
            fresh.word = arena_array(&run->arena, uint64_t, run->masks->words);
            arrput(role, fresh);
        }
        role[at].word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return role;
}

// Of barriers that nobody who is shown has to do with, nothing is told.
static void hide(struct schedule_builder *build, const struct mask *hidden)
{
    struct run *run = build->run;
    struct engine_moment *kept = NULL; // stb_ds array: one a barrier
    for (uint32_t i = 0; i < build->raws; ++i) {
        struct trace_moment *raw = &build->raw[i];
        bool known = raw->mask->count == 0;
        raw->mask = mask_minus(run->masks, raw->mask, hidden);
        build->skip[i] = !known && raw->mask->count == 0;
        for (ptrdiff_t k = 0; k < arrlen(kept) && !known; ++k)
            known = moment_shares_barrier(&kept[k], &raw->moment);
        if (!known && raw->mask->count)
            arrput(kept, raw->moment);
    }
    for (uint32_t i = 0; i < build->raws; ++i) {
        bool known = build->raw[i].mask->count > 0;
        for (ptrdiff_t k = 0; k < arrlen(kept) && !known; ++k)
            known = moment_shares_barrier(&kept[k], &build->raw[i].moment);
        build->skip[i] |= !known;
    }
    arrfree(kept);
}

// Of many roles that are alike, each with barriers of its own, the first is shown.
static struct role *join_roles(struct schedule_builder *build, struct role *role)
{
    struct run *run = build->run;
    const struct mask *hidden = run->masks->none;
    struct role *shown = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(role); ++i) {
        ptrdiff_t at = 0;
        while (at < arrlen(shown) && shown[at].loose != role[i].loose)
            ++at;
        if (at == arrlen(shown)) {
            arrput(shown, role[i]);
            continue;
        }
        ++shown[at].alike;
        hidden = mask_or(run->masks, hidden, mask_from_words(run->masks, role[i].word));
    }
    arrfree(role);
    hide(build, hidden);
    return shown;
}

void lanes_make(struct schedule_builder *build)
{
    struct run *run = build->run;
    struct role *role = find_roles(build);
    if (arrlen(role) > MANY_ROLES)
        role = join_roles(build, role);
    for (uint32_t i = 0; i < arrlenu(role) && i < MOST_LANES; ++i) {
        struct engine_lane lane = {.alike = role[i].alike};
        build->lane[i] = mask_from_words(run->masks, role[i].word);
        if (i + 1 == MOST_LANES) {
            lane.others = (uint32_t)arrlenu(role) - i - 1;
            for (ptrdiff_t k = i; k < arrlen(role); ++k)
                build->lane[i] =
                    mask_or(run->masks, build->lane[i], mask_from_words(run->masks, role[k].word));
        }
        lane.name = lane_words(run, build->lane[i]);
        record_threads(run, &lane.threads, build->lane[i]);
        arrput(build->out->lane, lane);
    }
    arrfree(role);
}
