// The rows of a schedule: moments that are the same to a reader share one, and rounds that are
// alike are told once.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/story/schedule_builder.h"

enum {
    LOOK_BACK = 16,      // rows a moment may be drawn earlier than it happened
    LONGEST_ROUND = 256, // rows of a round, to look for repetitions
    FEWEST_FOLDED = 4,   // rows that folding must save
};

// Moments that are drawn as one.
struct row {
    struct engine_moment moment;
    const struct mask *mask;     // threads that do it
    const struct mask *released; // those that a completion sets free
    uint64_t signature;          // what it has in common with that of another round
};

// --- Rows ------------------------------------------------------------------------------------

// Whether the threads, told that the phase is not over, only ask again. `at` is where they are told
// so; the moment of asking again is yielded.
static bool asks_again(const struct schedule_builder *build, const struct trace_moment *wait,
                       uint32_t at, uint32_t *out)
{
    struct run *run = build->run;
    for (uint32_t k = at + 1; k < build->raws; ++k) {
        const struct engine_moment *next = &build->raw[k].moment;
        if (!mask_overlaps(run->masks, build->raw[k].mask, wait->mask))
            continue;
        *out = k;
        return next->kind == ENGINE_MOMENT_WAIT && next->waits &&
               build->raw[k].mask == wait->mask && next->function == wait->moment.function &&
               next->op == wait->moment.op && next->chain == wait->moment.chain &&
               next->object == wait->moment.object && next->phase == wait->moment.phase;
    }
    return false;
}

// What ends each wait: the completion of its phase, or that the threads were seen to go on.
static void find_ends(struct schedule_builder *build)
{
    struct run *run = build->run;
    for (uint32_t i = 0; i < build->raws; ++i) {
        const struct trace_moment *raw = &build->raw[i];
        build->until[i] = UINT32_MAX;
        for (uint32_t k = i + 1; raw->moment.waits && !build->skip[i] && k < build->raws; ++k) {
            if (build->skip[k])
                continue;
            const struct engine_moment *next = &build->raw[k].moment;
            bool over = next->kind == ENGINE_MOMENT_COMPLETE && next->phase <= raw->moment.phase &&
                        next->last_phase >= raw->moment.phase &&
                        moment_shares_barrier(next, &raw->moment);
            bool on = (next->kind == ENGINE_MOMENT_PASSED || next->kind == ENGINE_MOMENT_REFUSED) &&
                      mask_overlaps(run->masks, build->raw[k].mask, raw->mask);
            uint32_t again;
            if (!over && !on)
                continue;
            if (!over && next->kind == ENGINE_MOMENT_REFUSED && asks_again(build, raw, k, &again)) {
                build->skip[k] = build->skip[again] = true;
                k = again;
                continue;
            }
            build->until[i] = k;
            break;
        }
    }
}

static bool same_range(const struct engine_range *a, const struct engine_range *b)
{
    return a->given == b->given && a->known == b->known && a->low == b->low && a->high == b->high;
}

// Whether a reader sees the same in both, but for the threads and the block they belong to.
static bool same_words(const struct engine_moment *a, const struct engine_moment *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == ENGINE_MOMENT_EXIT)
        return true;
    bool site = a->function == b->function && a->op == b->op && a->chain == b->chain;
    bool blocks = a->blocks == b->blocks || (!a->remote && !b->remote);
    return site && blocks && a->barrier == b->barrier && a->object == b->object && a->id == b->id &&
           a->phase == b->phase && a->last_phase == b->last_phase && a->waits == b->waits &&
           a->drops == b->drops && a->remote == b->remote && a->rule == b->rule &&
           same_range(&a->count, &b->count) && same_range(&a->bytes, &b->bytes) &&
           a->missing.text == b->missing.text;
}

static bool in_the_way(struct run *run, const struct row *row, const struct trace_moment *raw,
                       const struct mask *released)
{
    return mask_overlaps(run->masks, row->mask, raw->mask) ||
           mask_overlaps(run->masks, row->released, raw->mask) ||
           mask_overlaps(run->masks, row->mask, released) ||
           moment_shares_barrier(&row->moment, &raw->moment);
}

// Phases of one barrier that complete one after the other, and copies that land one after the
// other, are one row.
static bool continues(struct engine_moment *last, const struct engine_moment *next)
{
    if (last->kind != next->kind || !moment_shares_barrier(last, next) ||
        last->blocks != next->blocks)
        return false;
    if (next->kind == ENGINE_MOMENT_COMPLETE && next->phase == last->last_phase + 1) {
        last->last_phase = next->last_phase;
        return true;
    }
    if (next->kind != ENGINE_MOMENT_LAND || next->bytes.given != last->bytes.given)
        return false;
    last->bytes.low += next->bytes.low;
    last->bytes.high += next->bytes.high;
    return true;
}

static uint32_t add_row(struct schedule_builder *build, const struct trace_moment *raw,
                        const struct mask *released)
{
    struct run *run = build->run;
    uint32_t rows = (uint32_t)arrlen(build->row);
    if (rows && raw->mask->count == 0 && continues(&build->row[rows - 1].moment, &raw->moment)) {
        struct row *row = &build->row[rows - 1];
        row->released = mask_or(run->masks, row->released, released);
        return rows - 1;
    }
    for (uint32_t back = 1; back <= LOOK_BACK && back <= rows; ++back) {
        struct row *row = &build->row[rows - back];
        bool again = mask_overlaps(run->masks, row->mask, raw->mask) ||
                     (raw->mask->count == 0 && moment_shares_barrier(&row->moment, &raw->moment));
        if (!again && same_words(&row->moment, &raw->moment)) {
            row->mask = mask_or(run->masks, row->mask, raw->mask);
            row->released = mask_or(run->masks, row->released, released);
            row->moment.blocks |= raw->moment.blocks;
            return rows - back;
        }
        if (in_the_way(run, row, raw, released))
            break;
    }
    struct row fresh = {.moment = raw->moment, .mask = raw->mask, .released = released};
    arrput(build->row, fresh);
    return rows;
}

static void make_rows(struct schedule_builder *build)
{
    struct run *run = build->run;
    const struct mask **released = arena_array(&run->arena, const struct mask *, build->raws + 1);
    for (uint32_t i = 0; i < build->raws; ++i) {
        uint32_t end = build->until[i];
        if (end != UINT32_MAX)
            released[end] = mask_or(run->masks, released[end] ? released[end] : run->masks->none,
                                    build->raw[i].mask);
    }
    for (uint32_t i = 0; i < build->raws; ++i) {
        // Who goes on after a completion is seen there.
        bool plain =
            build->skip[i] || (build->raw[i].moment.kind == ENGINE_MOMENT_PASSED && !released[i]);
        build->row_of[i] =
            plain ? UINT32_MAX
                  : add_row(build, &build->raw[i], released[i] ? released[i] : run->masks->none);
    }
}

static struct engine_part *part_of(struct engine_moment *moment, uint32_t lane)
{
    for (ptrdiff_t i = 0; i < arrlen(moment->part); ++i) {
        if (moment->part[i].lane == lane)
            return &moment->part[i];
    }
    arrput(moment->part, ((struct engine_part){.lane = lane}));
    return &arrlast(moment->part);
}

static int compare_parts(const void *a, const void *b)
{
    const struct engine_part *one = a, *other = b;
    return one->lane < other->lane ? -1 : one->lane > other->lane;
}

// Sorts the threads of each row into the lanes.
static void make_parts(struct schedule_builder *build)
{
    struct run *run = build->run;
    for (uint32_t i = 0; i < build->raws; ++i) {
        uint32_t at = build->row_of[i], end = build->until[i];
        end = end == UINT32_MAX ? end : build->row_of[end];
        for (uint32_t lane = 0; at != UINT32_MAX && lane < arrlenu(build->out->lane); ++lane) {
            if (!mask_overlaps(run->masks, build->raw[i].mask, build->lane[lane]))
                continue;
            struct engine_part *part = part_of(&build->row[at].moment, lane);
            part->until = end > part->until ? end : part->until;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(build->row); ++i) {
        struct row *row = &build->row[i];
        if (arrlen(row->moment.part))
            qsort(row->moment.part, arrlenu(row->moment.part), sizeof *row->moment.part,
                  compare_parts);
        for (ptrdiff_t k = 0; k < arrlen(row->moment.part); ++k) {
            struct engine_part *part = &row->moment.part[k];
            const struct mask *here = mask_and(run->masks, row->mask, build->lane[part->lane]);
            part->whole = here == build->lane[part->lane];
            part->name = part->whole ? build->out->lane[part->lane].name : lane_words(run, here);
            record_threads(run, &part->threads, here);
        }
    }
}

// --- Rounds ----------------------------------------------------------------------------------

static uint64_t sign(const struct row *row)
{
    const struct engine_moment *moment = &row->moment;
    uint64_t hash = hash_mix(moment->kind, (uint64_t)moment->function << 32 | moment->op);
    hash = hash_mix(hash, (uint64_t)moment->chain << 32 | moment->object);
    hash = hash_mix(hash, (uint64_t)moment->id << 32 | moment->blocks);
    hash = hash_mix(hash, row->mask->hash);
    hash = hash_mix(hash, (uint64_t)(moment->last_phase - moment->phase));
    hash = hash_mix(hash, (uint64_t)moment->waits << 2 | (uint64_t)(moment->phase < 0) << 1 |
                              moment->drops);
    hash = hash_mix(hash, hash_mix((uint64_t)moment->count.low, (uint64_t)moment->count.high));
    hash = hash_mix(hash, hash_mix((uint64_t)moment->bytes.low, (uint64_t)moment->bytes.high));
    return hash_mix(hash, (uint64_t)(uintptr_t)moment->rule);
}

// How often the `length` rows from `at` come again right after themselves.
static uint32_t repetitions(const struct schedule_builder *build, uint32_t at, uint32_t length)
{
    uint32_t rows = (uint32_t)arrlen(build->row), same = 0;
    while (at + length + same < rows &&
           build->row[at + same].signature == build->row[at + length + same].signature)
        ++same;
    return same / length;
}

// Writes the rows out, each round that comes again and again once.
static void fold(struct schedule_builder *build)
{
    struct engine_schedule *out = build->out;
    uint32_t rows = (uint32_t)arrlen(build->row);
    uint32_t *moved = arena_array(&build->run->arena, uint32_t, rows + 1); // row -> moment
    for (uint32_t i = 0; i < rows; ++i)
        build->row[i].signature = sign(&build->row[i]);
    for (uint32_t i = 0; i < rows;) {
        uint32_t best = 0, times = 0;
        for (uint32_t length = 1; length <= LONGEST_ROUND && i + length < rows; ++length) {
            if (build->row[i].signature != build->row[i + length].signature)
                continue;
            uint32_t again = repetitions(build, i, length);
            if (again >= 2 && again * length >= FEWEST_FOLDED && again * length > best * times) {
                best = length;
                times = again;
            }
        }
        uint32_t keep = best ? best : 1;
        for (uint32_t k = 0; k < keep; ++k, ++i) {
            moved[i] = (uint32_t)arrlen(out->moment);
            arrput(out->moment, build->row[i].moment);
        }
        if (!best)
            continue;
        struct engine_moment repeat = {.kind = ENGINE_MOMENT_REPEAT,
                                       .object = UINT32_MAX,
                                       .repeat_length = best,
                                       .repeat_times = times};
        for (uint32_t k = 0; k < best * times; ++k, ++i) {
            moved[i] = (uint32_t)arrlen(out->moment);
            arrfree(build->row[i].moment.part);
        }
        arrput(out->moment, repeat);
    }
    for (ptrdiff_t i = 0; i < arrlen(out->moment); ++i) {
        struct engine_moment *moment = &out->moment[i];
        for (ptrdiff_t k = 0; k < arrlen(moment->part); ++k) {
            uint32_t until = moment->part[k].until;
            moment->part[k].until =
                !moment->waits || until == UINT32_MAX ? UINT32_MAX : moved[until];
        }
    }
}

// --- Entry -----------------------------------------------------------------------------------

// Whether the second text is the first with another number: of 'n' >= 2 and 'n' >= 3 the later says
// it all.
static bool same_but_number(const char *one, const char *other)
{
    const char *a = strrchr(one, ' '), *b = strrchr(other, ' ');
    return a && b && a - one == b - other && strncmp(one, other, (size_t)(a - one)) == 0;
}

static const char *assumption_of(struct run *run)
{
    enum { MOST_SAID = 6 };
    struct arena *arena = run->engine->arena;
    const char *said[MOST_SAID], *text = NULL;
    uint32_t count = 0;
    for (ptrdiff_t i = arrlen(run->decision); i-- > 0 && count < MOST_SAID;) {
        const char *one = decision_text(run, &run->decision[i]);
        bool told = !one;
        for (uint32_t k = 0; k < count && !told; ++k)
            told = strcmp(said[k], one) == 0 || same_but_number(said[k], one);
        if (told)
            continue;
        said[count++] = one;
        text = text ? arena_printf(arena, "%s and %s", one, text) : arena_strdup(arena, one);
    }
    return text ? arena_printf(arena, "if %s", text) : NULL;
}

// How much a run shows: what is asked for, what is certainly wrong, then how it goes when all is
// well, then what is wrong by assumptions, then anything.
static int rank_of(const struct run *run, enum engine_ending ending)
{
    const struct trace *trace = run->trace;
    if (trace->shown)
        return 6;
    if (trace->deadlock)
        return 5;
    if (trace->incident)
        return 4;
    if (ending == ENGINE_ENDING_COMPLETE && !trace->weak_incident)
        return 3;
    return ending == ENGINE_ENDING_CUT_SHORT ? 1 : 2;
}

// Of two runs that show the same: a mistake is clearest in the shorter, the working of a kernel in
// the longer, as long as it can be looked over. Of the orders of one way the first is good enough.
static bool is_better(int rank, uint32_t moments, uint32_t than)
{
    enum { CAN_BE_LOOKED_OVER = 250 };
    bool both = moments <= CAN_BE_LOOKED_OVER && than <= CAN_BE_LOOKED_OVER;
    return rank == 3 && both ? moments > than : moments < than;
}

void trace_keep(struct run *run, struct engine_schedule **best)
{
    const struct trace *trace = run->trace;
    enum engine_ending ending = ENGINE_ENDING_COMPLETE;
    for (ptrdiff_t i = 0; i < arrlen(trace->moment); ++i) {
        if (trace->moment[i].moment.kind == ENGINE_MOMENT_HANG)
            ending = ENGINE_ENDING_HANG;
    }
    if (run->cut)
        ending = ENGINE_ENDING_CUT_SHORT;
    else if (run->over)
        ending = ENGINE_ENDING_ABORTED;
    int rank = rank_of(run, ending);
    uint32_t raws = (uint32_t)arrlen(trace->moment);
    if (*best && ((*best)->rank > rank ||
                  ((*best)->rank == rank && ((*best)->path == run->engine->path ||
                                             !is_better(rank, raws, (*best)->moments)))))
        return;
    engine_schedule_release(*best);
    struct engine_schedule *out = arena_new(run->engine->arena, struct engine_schedule);
    *out = (struct engine_schedule){.ending = ending,
                                    .cut_short = trace->full,
                                    .weak = run_is_weak(run),
                                    .incident = trace->incident || trace->weak_incident,
                                    .assumption = assumption_of(run),
                                    .path = run->engine->path,
                                    .block_threads = run->engine->block_threads,
                                    .blocks = run->engine->blocks,
                                    .rank = rank,
                                    .moments = raws};
    *best = out;
    struct schedule_builder build = {.run = run,
                                     .raw = trace->moment,
                                     .raws = raws,
                                     .skip = arena_array(&run->arena, bool, raws + 1),
                                     .until = arena_array(&run->arena, uint32_t, raws + 1),
                                     .row_of = arena_array(&run->arena, uint32_t, raws + 1),
                                     .out = out};
    lanes_make(&build);
    find_ends(&build);
    make_rows(&build);
    make_parts(&build);
    fold(&build);
    arrfree(build.row);
}

void trace_settle(struct engine_result *result)
{
    struct engine_schedule *schedule = result->schedule;
    for (ptrdiff_t i = 0; schedule && i < arrlen(schedule->moment); ++i) {
        struct engine_moment *moment = &schedule->moment[i];
        for (ptrdiff_t k = 0; moment->kind == ENGINE_MOMENT_HANG && k < arrlen(result->incident);
             ++k) {
            const struct engine_incident *incident = &result->incident[k];
            if (incident->kind == ENGINE_DEADLOCK && incident->function == moment->function &&
                incident->op == moment->op && incident->chain == moment->chain &&
                incident->object == moment->object)
                moment->rule = incident->rule;
        }
    }
}

void engine_schedule_release(struct engine_schedule *schedule)
{
    if (!schedule)
        return;
    for (ptrdiff_t i = 0; i < arrlen(schedule->moment); ++i)
        arrfree(schedule->moment[i].part);
    arrfree(schedule->moment);
    arrfree(schedule->lane);
}
