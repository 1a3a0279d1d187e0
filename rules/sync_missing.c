#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// What the two accesses do, as the engine numbers it.
enum { READS, WRITES, COPIES = 3 };

// Where threads do not meet as they should, they race as well. A fence of the proxies that is
// missing leaves the order of the threads alone.
static bool is_explained(const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        const struct engine_incident *incident = &result->incident[i];
        if (incident->supported && strcmp(incident->rule, "sync-missing") != 0 &&
            strcmp(incident->rule, "exit-before-sync") != 0 &&
            strcmp(incident->rule, "tx-proxy-fence") != 0)
            return true;
    }
    return false;
}

static bool has_thread(const struct engine_threads *threads, int64_t thread)
{
    return threads->mask && thread >= 0 && (threads->mask[thread / 64] >> thread % 64 & 1) != 0;
}

// Whether both threads come to a barrier at which the device aborts the kernel, as its count is
// none (named-count-multiple): what it would have kept apart was never to meet.
static bool is_aborted(const struct engine_result *result, const struct engine_incident *incident)
{
    const int64_t first = incident->number[1], second = incident->number[2];
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_range *count = &event->count;
        bool is_none = event_is_named(event) && count->given && count->known &&
                       count->low == count->high && count->low % 32 != 0;
        if (is_none && has_thread(&event->threads, first) && has_thread(&event->threads, second))
            return true;
    }
    return false;
}

static bool has_block_barrier(const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        if (event_is_named(&result->event[i]))
            return true;
    }
    return false;
}

static bool is_shared(const struct engine_result *result, const struct engine_incident *incident)
{
    return incident->object < arrlenu(result->object) && result->object[incident->object].in_shared;
}

// Whether the launch names rows of the block: a warp each, or what is taken for whole warps; or as
// many of them as they have threads.
static bool has_rows_of_warps(const struct engine_shape *shape)
{
    const int64_t *block = shape->block;
    return shape->rows_known && block[1] * block[2] > 1 &&
           (block[0] % 32 == 0 || block[0] == block[1]);
}

// Whether the kernel may be made for blocks of one warp: it has no barrier for more.
static bool may_be_of_a_warp(const struct engine_result *result)
{
    return result->shape.source == ENGINE_SHAPE_GUESS && !has_rows_of_warps(&result->shape) &&
           !has_block_barrier(result);
}

// Whether the kernel knows that the lanes of a warp may run apart: it has operations with a mask.
static bool has_warp_barrier(const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        enum model_kind kind = result->event[i].model.kind;
        if (kind == MODEL_WARP_SYNC || kind == MODEL_WARP_SHUFFLE || kind == MODEL_WARP_VOTE)
            return true;
    }
    return false;
}

// Whether the places may lie in two arrays of one piece of memory, which meet only because the
// block is guessed too large.
static bool may_be_carved(const struct engine_result *result,
                          const struct engine_incident *incident)
{
    return result->shape.source == ENGINE_SHAPE_GUESS &&
           !(incident->number[0] & (ENGINE_RACE_ONE_ARRAY | ENGINE_RACE_OF_LANES)) &&
           incident->object < arrlenu(result->object) &&
           result->object[incident->object].space == IR_SPACE_SHARED_DYNAMIC;
}

// Whether it is a lane that reads what another lane of its warp has written.
static bool is_read_by_lane(const struct engine_incident *incident)
{
    const int64_t race = incident->number[0];
    return !(race & ENGINE_RACE_PEERS) && incident->number[1] / 32 == incident->number[2] / 32 &&
           (race & ENGINE_RACE_EARLY) == WRITES &&
           (race & ENGINE_RACE_LATE) >> ENGINE_RACE_LATE_SHIFT == READS;
}

// Whether the statement that reads too early in one writes what the other reads too early: two
// steps of a sum in the memory of a warp.
static bool is_next_step(const struct engine_incident *one, const struct engine_incident *next)
{
    return is_read_by_lane(one) && is_read_by_lane(next) && arrlen(one->step) == 2 &&
           arrlen(next->step) == 2 && next->step[0].loc.file == one->step[1].loc.file &&
           next->step[0].loc.line == one->step[1].loc.line;
}

// Whether lanes do, with as little between, what they have done to the same memory further up in
// the same function: the steps of one sum, of which the first is told.
static bool is_later_step(const struct engine_result *result,
                          const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other))) {
        bool same = other->object == incident->object && other->function == incident->function &&
                    other->loc.file == incident->loc.file;
        bool above =
            other->loc.line < incident->loc.line ||
            (other->loc.line == incident->loc.line && other->loc.column < incident->loc.column);
        bool shown =
            other->supported && !(other->number[0] & (ENGINE_RACE_ODD | ENGINE_RACE_TOGETHER));
        bool both_volatile = other->number[0] & incident->number[0] & ENGINE_RACE_VOLATILE;
        if (same && above && shown && (both_volatile || is_next_step(other, incident)))
            return true;
    }
    return false;
}

static bool is_same_place(struct ir_loc a, struct ir_loc b)
{
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool is_overwriting(const struct engine_incident *incident)
{
    return (incident->number[0] & ENGINE_RACE_LATE) >> ENGINE_RACE_LATE_SHIFT == WRITES;
}

// Whether the calls that lead to the two accesses of one are those of the other, the other way
// round.
static bool is_by_same_calls(const struct engine_incident *a, const struct engine_incident *b)
{
    uint64_t one = (uint64_t)a->number[3], other = (uint64_t)b->number[3];
    return one == (other << 32 | other >> 32);
}

// Whether it is told that the same two accesses meet the other way round, where this one shows
// because threads ran ahead from there to the next barrier, or where no loop brings them together
// again: whoever reads too early reads what is stored later, or too late.
static bool is_mirror(const struct engine_result *result, const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    bool before = true;
    while ((other = incident_next(result, "sync-missing", other))) {
        if (other == incident) {
            before = false;
            continue;
        }
        bool ahead = before && incident->number[0] & ENGINE_RACE_UNHEARD;
        // One behind it that ran ahead is told by this one.
        bool kept = before || !(other->number[0] & ENGINE_RACE_UNHEARD);
        bool once = incident->number[0] & ENGINE_RACE_ONCE && is_overwriting(incident) &&
                    !is_overwriting(other) && kept && is_by_same_calls(incident, other);
        if (other->kind == incident->kind && (ahead || once) && arrlen(other->step) == 2 &&
            arrlen(incident->step) == 2 && other->supported >= incident->supported &&
            is_same_place(other->step[0].loc, incident->step[1].loc) &&
            is_same_place(other->step[1].loc, incident->step[0].loc))
            return true;
    }
    return false;
}

// Whether lanes overwrite what others of their warp have read, where it is told already that they
// read what those have written: one __syncwarp() is missing, or the same one twice.
static bool is_told_of_the_write(const struct engine_result *result,
                                 const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    if ((incident->number[0] & ENGINE_RACE_EARLY) != 0 ||
        incident->number[1] / 32 != incident->number[2] / 32)
        return false;
    while ((other = incident_next(result, "sync-missing", other))) {
        if (other->object == incident->object && other->function == incident->function &&
            (other->number[0] & ENGINE_RACE_EARLY) == 1 && other->supported)
            return true;
    }
    return false;
}

static const char *const verb[] = {
    [READS] = "reads", [WRITES] = "writes", "atomically changes", [COPIES] = "copies to"};

// Threads say that their copies have come, and nothing says so of their stores.
static void tell_with_copies(struct rule_context *context, const struct engine_result *result,
                             const struct engine_incident *incident)
{
    const char *object = incident_object(result, incident);
    struct rule_report *report = rule_report_incident(
        context, result, incident,
        "this arrival follows the copies of thread %lld and releases nothing else: thread %lld "
        "reads what it stores to '%.*s' before",
        (long long)incident->number[1], (long long)incident->number[2], (int)strcspn(object, "["),
        object);
    if (incident->number[0] & ENGINE_RACE_ODD ||
        (!incident->supported && !(incident->number[0] & ENGINE_RACE_BY_DATA)))
        rule_pedantic(report);
}

// One thread arrives for others, and nothing makes it wait for what they do.
static void tell_spoken(struct rule_context *context, const struct engine_result *result,
                        const struct engine_incident *incident)
{
    int64_t race = incident->number[0];
    const char *object = incident_object(result, incident);
    bool for_warp = race & ENGINE_RACE_FOR_WARP;
    struct rule_report *report = rule_report_incident(
        context, result, incident,
        "%s {arrives|arrive} here for thread %lld%s too, which %s '%.*s' with no %s in between; "
        "thread %lld of another warp then %s it",
        threads_text(&incident->threads), (long long)incident->number[1],
        for_warp ? " of its warp" : "", verb[race & ENGINE_RACE_EARLY], (int)strcspn(object, "["),
        object, for_warp ? "__syncwarp()" : "barrier", (long long)incident->number[2],
        verb[(race & ENGINE_RACE_LATE) >> ENGINE_RACE_LATE_SHIFT]);
    bool by_itself = is_shared(result, incident) || !incident->assumption;
    bool always = incident->supported && by_itself && !may_be_carved(result, incident);
    if (race & (ENGINE_RACE_ODD | ENGINE_RACE_TOGETHER) ||
        (!always && !(race & ENGINE_RACE_BY_DATA)))
        rule_pedantic(report);
}

// Memory that a lock, a ticket or a flag hands on, which one lane gives or waits for alone.
static void tell_handed(struct rule_context *context, const struct engine_result *result,
                        const struct engine_incident *incident)
{
    const char *object = incident_object(result, incident);
    const int length = (int)strcspn(object, "[");
    const long long toucher = incident->number[1], hander = incident->number[2];
    const char *does = verb[incident->number[0] & ENGINE_RACE_EARLY];
    if (incident->number[0] & ENGINE_RACE_UNHEARD)
        rule_report_incident(context, result, incident,
                             "thread %lld %s '%.*s' here, which thread %lld of another warp hands "
                             "on by a word: a lane of its warp has waited for that, and there is "
                             "no __syncwarp() in between",
                             toucher, does, length, object, hander);
    else
        rule_report_incident(context, result, incident,
                             "thread %lld hands '%.*s' on here, to whoever waits for the word, and "
                             "there is no __syncwarp() between it and thread %lld of its warp, "
                             "which %s it",
                             hander, length, object, toucher, does);
}

// One thread speaks for data that others have written.
static void tell_announced(struct rule_context *context, const struct engine_result *result,
                           const struct engine_incident *incident)
{
    if (incident->number[0] & ENGINE_RACE_UNFENCED) {
        rule_report_incident(context, result, incident,
                             "the block that finds by this count that it is the last reads what "
                             "the others have written, with no fence between their writes and "
                             "their counts");
        return;
    }
    if (incident->number[0] & ENGINE_RACE_IN_FLIGHT) {
        struct engine_incident told = *incident;
        told.certain = false; // the word may be about other data
        rule_report_incident(context, result, &told,
                             "thread %lld tells other blocks here that the data are there, and has "
                             "waited for its bulk stores with .read: they may not have come yet",
                             (long long)incident->number[2]);
        return;
    }
    if (incident->number[0] & ENGINE_RACE_HANDED) {
        tell_handed(context, result, incident);
        return;
    }
    bool one_warp = incident->number[1] / 32 == incident->number[2] / 32;
    struct rule_report *report = rule_report_incident(
        context, result, incident,
        "thread %lld tells other blocks here that the data are there, and there is no %s between "
        "it and thread %lld%s, which writes some of them",
        (long long)incident->number[2], one_warp ? "__syncwarp()" : "barrier",
        (long long)incident->number[1], one_warp ? " of its warp" : "");
    // Lanes went together before sm_70, when a fence was all there was.
    if (one_warp && !(incident->number[0] & ENGINE_RACE_BY_RELEASE))
        rule_pedantic(report);
}

// Whether it is told where a lane hands the same memory on for its warp: whoever comes behind that
// races with the others.
static bool is_told_of_the_word(const struct engine_result *result,
                                const struct engine_incident *incident)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other))) {
        bool handed =
            (other->number[0] & (ENGINE_RACE_HANDED | ENGINE_RACE_UNHEARD)) == ENGINE_RACE_HANDED;
        if (other->kind == ENGINE_SKIPPED && other->object == incident->object && handed &&
            other->supported >= incident->supported && arrlen(other->step) > 0 &&
            arrlen(incident->step) > 0 &&
            memcmp(&other->step[0].loc, &incident->step[0].loc, sizeof other->step[0].loc) == 0)
            return true;
    }
    return false;
}

// What should stand between the two accesses.
static const char *missing_text(int64_t race, bool one_warp)
{
    if (race & ENGINE_RACE_UNHEARD && !one_warp)
        return "and has waited at no barrier that the other has come to since";
    if (one_warp)
        return "with no __syncwarp() in between";
    return race & ENGINE_RACE_PEERS ? "with no cluster barrier in between"
                                    : "with no barrier in between";
}

// Two threads go to the same memory, and nothing orders them.
static void tell_race(struct rule_context *context, const struct engine_result *result,
                      const struct engine_incident *incident)
{
    static const char *const may[] = {"may read", "may write", "may atomically change"};
    const int64_t race = incident->number[0];
    const int64_t first = race & ENGINE_RACE_EARLY;
    const int64_t second = (race & ENGINE_RACE_LATE) >> ENGINE_RACE_LATE_SHIFT;
    const bool by_data = race & ENGINE_RACE_BY_DATA, peers = race & ENGINE_RACE_PEERS;
    const bool early_by_data = race & ENGINE_RACE_EARLY_BY_DATA;
    const bool late_by_data = by_data && !early_by_data;
    const bool one_warp = !peers && incident->number[1] / 32 == incident->number[2] / 32;
    const char *object = incident_object(result, incident);
    const char *decides = race & ENGINE_RACE_BY_SIZE ? "a size decides" : "its data decide";
    const char *early = first == WRITES && second == WRITES ? "stores a constant to" : verb[first];
    struct rule_report *report = rule_report_incident(
        context, result, incident,
        "thread %lld %s %s'%.*s'%s%s%s where thread %lld of %s %s it%s%s, %s",
        (long long)incident->number[2], verb[second],
        is_shared(result, incident) ? "" : "memory at ", (int)strcspn(object, "["), object,
        late_by_data ? " at a place that " : "", late_by_data ? decides : "",
        late_by_data ? ", which may be" : "", (long long)incident->number[1],
        one_warp ? "its warp"
        : peers  ? "another block"
                 : "another warp",
        early_by_data ? may[first] : early, early_by_data ? " as " : "",
        early_by_data ? decides : "", missing_text(race, one_warp));
    // Two addresses meet under many a condition that a program never makes true; a size that is
    // large enough is none of those, and a buffer that is copied to again is in use again.
    bool odd = race & ENGINE_RACE_ODD;
    // Code of before sm_70, where the lanes of a warp go together and a fence was enough.
    bool together = race & ENGINE_RACE_TOGETHER && !(one_warp && has_warp_barrier(result));
    bool copies = second == COPIES && incident->supported;
    // What lies in memory of the grid other blocks and kernels may have brought about.
    bool by_itself = is_shared(result, incident) || !incident->assumption;
    bool always = incident->supported && by_itself && !may_be_carved(result, incident);
    if (together || odd || (!always && !by_data && !copies) || is_later_step(result, incident))
        rule_pedantic(report);
}

static void tell(struct rule_context *context, const struct engine_result *result,
                 const struct engine_incident *incident)
{
    if (incident->kind == ENGINE_SKIPPED)
        tell_announced(context, result, incident);
    else if (is_mirror(result, incident) || is_told_of_the_write(result, incident) ||
             is_told_of_the_word(result, incident))
        return;
    else if (incident->number[0] & ENGINE_RACE_WITH_COPIES)
        tell_with_copies(context, result, incident);
    else if (incident->number[0] & ENGINE_RACE_SPOKEN)
        tell_spoken(context, result, incident);
    else
        tell_race(context, result, incident);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    if (result->one_warp)
        return;
    const bool explained = is_explained(result), small = may_be_of_a_warp(result);
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "sync-missing", incident))) {
        bool of_lanes =
            incident->kind != ENGINE_SKIPPED && incident->number[0] & ENGINE_RACE_OF_LANES;
        if ((!explained || incident->alone) && (!small || of_lanes) &&
            !is_aborted(result, incident))
            tell(context, result, incident);
    }
}

const struct rule rule_sync_missing = {
    .id = "sync-missing",
    .family = "syncthreads",
    .summary = "threads read and write the same shared memory with no barrier in between",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.4.4.1", "PTX ISA 9.1, 8.10"},
    .check = check,
    .doc =
        {
            .what = "A thread reads bytes of shared memory that a thread of another warp "
                    "writes, or writes bytes that one reads, with no barrier at which it "
                    "waits for the other and no atomic access in between. Nobody waits at a "
                    "fence; volatile does only where threads poll. Places that data or a size "
                    "decide are compared with what others do in the same array. Between lanes "
                    "of a warp it is a store or a sum that another lane reads with no "
                    "__syncwarp() (fenced ones with --pedantic), or one to what others have "
                    "read behind a branch or a loop. Two stores are left alone, but for a "
                    "constant and another value, or a copy over what others store; so is a "
                    "read before an atomic one. Also told: other blocks learn of data in "
                    "global memory with no barrier behind those who wrote them, no fence, or "
                    "wait_group.read alone; a lane waits for a lock or a flag, or gives it "
                    "on, with no __syncwarp() for its warp; a thread arrives at an mbarrier "
                    "for others without waiting for them; cp.async.mbarrier.arrive.noinc, "
                    "where others rely on it for stores.",
            .why = "Warps run ahead of each other as they please. The one that reads gets the "
                   "value of before or of behind, from run to run; where that value decides who "
                   "comes to the next barrier, the block hangs.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void running_total(const float *in, float *out, int rows)\n"
                   "{\n"
                   "    __shared__ float total;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        total = 0;\n"
                   "    __syncthreads();\n"
                   "    for (int row = 0; row < rows; ++row) {\n"
                   "        out[row * 128 + threadIdx.x] = total;\n"
                   "        if (threadIdx.x == 127)\n"
                   "            total = in[row]; // expect: sync-missing\n"
                   "        __syncthreads();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, int rows)\n"
                   "{\n"
                   "    running_total<<<1, 128>>>(in, out, rows);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void running_total(const float *in, float *out, int rows)\n"
                    "{\n"
                    "    __shared__ float total;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        total = 0;\n"
                    "    __syncthreads();\n"
                    "    for (int row = 0; row < rows; ++row) {\n"
                    "        out[row * 128 + threadIdx.x] = total;\n"
                    "        __syncthreads();\n"
                    "        if (threadIdx.x == 127)\n"
                    "            total = in[row];\n"
                    "        __syncthreads();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out, int rows)\n"
                    "{\n"
                    "    running_total<<<1, 128>>>(in, out, rows);\n"
                    "}\n",
            .fix =
                "Put a barrier of the threads concerned between the two accesses (__syncwarp() for "
                "lanes of one warp), or give each "
                "of them a place of its own (two buffers in turn).",
        },
};
