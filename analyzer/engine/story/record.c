// What a run found out, kept in the result over all runs.
#include <stdarg.h>
#include <string.h>

#include "base/vec.h"
#include "base/wording.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/story/assumption.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

// --- Words -----------------------------------------------------------------------------------

static const char *range_words(struct arena *arena, const struct run *run, const struct mask *mask,
                               uint32_t base, uint32_t size)
{
    const char *text = NULL;
    uint32_t t = mask_next(run->masks, mask, base), ranges = 0;
    while (t < base + size) {
        uint32_t end = t;
        while (end + 1 < base + size && mask_has(mask, end + 1))
            ++end;
        const char *part = end == t ? arena_printf(arena, "%u", t - base)
                                    : arena_printf(arena, "%u-%u", t - base, end - base);
        text = text ? arena_printf(arena, "%s, %s", text, part) : part;
        if (++ranges == 4 && mask_next(run->masks, mask, end + 1) < base + size) {
            text = arena_printf(arena, "%s, ...", text);
            break;
        }
        t = mask_next(run->masks, mask, end + 1);
    }
    return text;
}

// The blocks [first, end) of the cluster.
static const char *blocks_words(struct arena *arena, uint32_t first, uint32_t end, uint32_t all)
{
    if (end - first == all)
        return "every block";
    return end - first == 1 ? arena_printf(arena, "block %u", first)
                            : arena_printf(arena, "blocks %u-%u", first, end - 1);
}

static const char *threads_text(struct arena *arena, const struct run *run, const struct mask *mask)
{
    enum { MOST_PARTS = 4 };
    uint32_t size = run->engine->block_threads, blocks = run->engine->blocks, parts = 0;
    const char *text = NULL;
    for (uint32_t b = 0, end; b < blocks; b = end) {
        const char *ranges = range_words(arena, run, mask, b * size, size), *next = ranges;
        for (end = b + 1; end < blocks; ++end) {
            next = range_words(arena, run, mask, end * size, size);
            if (!next != !ranges || (ranges && strcmp(next, ranges) != 0))
                break;
        }
        if (!ranges)
            continue;
        bool one = !strpbrk(ranges, "-,");
        const char *part = arena_printf(arena, "thread%s %s of %u", one ? "" : "s", ranges, size);
        if (blocks > 1)
            part = arena_printf(arena, "%s in %s of the cluster", part,
                                blocks_words(arena, b, end, blocks));
        text = text ? arena_printf(arena, "%s and %s", text, part) : part;
        if (++parts == MOST_PARTS && end < blocks) {
            text = arena_printf(arena, "%s ...", text);
            break;
        }
    }
    return text ? text : "no thread";
}

const char *mask_words(struct run *run, const struct mask *mask)
{
    return threads_text(run->engine->arena, run, mask);
}

void record_threads(struct run *run, struct engine_threads *threads, const struct mask *mask)
{
    if (mask->count == 0)
        return;
    struct arena *arena = run->engine->arena;
    uint64_t *word = arena_array(arena, uint64_t, run->masks->words);
    memcpy(word, mask->word, run->masks->words * sizeof *word);
    threads->count = mask->count;
    threads->first = mask->first;
    threads->mask = word;
    threads->text = threads_text(arena, run, mask);
}

// --- Objects ---------------------------------------------------------------------------------

uint32_t record_object(struct run *run, uint32_t object, int64_t offset, bool exact)
{
    struct engine_result *result = run->engine->result;
    const struct object *from = &run->object[object];
    const char *name = object_path(&run->arena, run->engine->unit, from, offset);
    for (ptrdiff_t i = 0; i < arrlen(result->object); ++i) {
        struct engine_object *old = &result->object[i];
        if (old->offset == offset && old->exact == exact && strcmp(old->name, name) == 0 &&
            memcmp(&old->loc, &from->loc, sizeof from->loc) == 0)
            return (uint32_t)i;
    }
    struct engine_object out = {.name = arena_strdup(run->engine->arena, name),
                                .space = from->space,
                                .in_shared = from->kind == OBJECT_SHARED,
                                .is_own = from->kind == OBJECT_LOCAL,
                                .exact = exact,
                                .offset = offset,
                                .loc = from->loc};
    uint64_t align = from->align ? from->align : 1;
    if (offset)
        align = (uint64_t)(offset & -offset) < align ? (uint64_t)(offset & -offset) : align;
    out.align = from->beyond ? 0 : align; // nobody knows where a region begins
    out.base_align = from->align ? from->align : 1;
    if (from->type != IR_NONE && run->engine->unit->type[from->type].kind == IR_TYPE_RECORD)
        out.type = run->engine->unit->type[from->type].name;
    arrput(result->object, out);
    return (uint32_t)arrlen(result->object) - 1;
}

// --- Events ----------------------------------------------------------------------------------

enum { MOST_ASKED = 32 }; // of a range: whether a launch can come to what is added

void range_add(struct run *run, struct engine_range *range, const struct node *node,
               const struct mask *mask, bool assumed)
{
    bool first = !range->given;
    range->given = true;
    node = node_restrict(run->nodes, node, mask);
    bool known = node_known(node) && !assumed, uniform = node->shape == SHAPE_UNIFORM;
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (node->kind == NODE_VECTOR) {
        bool begun = false;
        mask_each (run->masks, mask, t) {
            int64_t v = node->vector[t];
            low = !begun || v < low ? v : low;
            high = !begun || v > high ? v : high;
            begun = true;
        }
    } else {
        interval_of(run, node, &low, &high);
    }
    // What no launch can come to is no number of the operation's, but says that others may be.
    // Whether one can is asked where it makes a difference.
    bool launched = known && run->engine->shape.arguments_known &&
                    (!range->at_launch || low < range->launch_low || high > range->launch_high);
    bool widens = first || !range->possible || low < range->low || high > range->high;
    bool asks = (launched || widens) && range->asked < MOST_ASKED;
    bool possible = asks ? run_is_feasible(run) : !widens && range->possible;
    range->asked += asks;
    if (first) {
        *range = (struct engine_range){.given = true,
                                       .known = known,
                                       .uniform = uniform,
                                       .possible = possible,
                                       .asked = 1,
                                       .low = low,
                                       .high = high,
                                       .text = node_text(run->engine->arena, node)};
    } else {
        bool anew = possible && !range->possible, more = possible == range->possible;
        range->known &= known;
        range->uniform &= uniform;
        range->low = anew || (more && low < range->low) ? low : range->low;
        range->high = anew || (more && high > range->high) ? high : range->high;
        range->possible |= possible;
    }
    if (launched && possible) {
        range->launch_low = range->at_launch && range->launch_low < low ? range->launch_low : low;
        range->launch_high =
            range->at_launch && range->launch_high > high ? range->launch_high : high;
        range->at_launch = true;
    }
}

void record_range(struct run *run, struct engine_range *range, const struct node *node,
                  const struct mask *mask, bool assumed)
{
    deeds_value(run, node_restrict(run->nodes, node, mask));
    range_add(run, range, node, mask, assumed);
}

// Whether the operation, or the call of the wrapper that spells it, stands in a loop.
static bool in_loop(const struct run *run, const struct frame *frame)
{
    const struct engine_result *result = run->engine->result;
    for (;;) {
        const struct cfg *cfg = facts_of(run->engine, frame->function)->cfg;
        if (cfg->loop_of[frame->block] != IR_NONE)
            return true;
        if (!frame->parent || !result->chain[frame->chain].wrapper)
            return false;
        frame = frame->parent;
    }
}

struct engine_event *record_event(struct run *run, struct group *group, const struct mask *mask,
                                  const struct model_op *model, ir_value op, uint32_t object)
{
    struct engine_result *result = run->engine->result;
    ir_function_id function = group->frame->function;
    uint32_t chain = group->frame->chain;
    struct engine_event *event = NULL;
    if (run->afterlife)
        return &run->scratch_event;
    for (ptrdiff_t i = 0; i < arrlen(result->event) && !event; ++i) {
        struct engine_event *old = &result->event[i];
        if (old->function == function && old->op == op && old->chain == chain &&
            old->object == object)
            event = old;
    }
    if (!event) {
        const struct ir_function *body = &run->engine->unit->function[function];
        struct engine_event fresh = {.function = function,
                                     .op = op,
                                     .model = *model,
                                     .chain = chain,
                                     .object = object,
                                     .loc = ir_op_at(body, op)->loc,
                                     .in_loop = in_loop(run, group->frame),
                                     .partial = body->flags & IR_FN_PARTIAL,
                                     .pattern = body->flags & IR_FN_PATTERN};
        arrput(result->event, fresh);
        event = &arrlast(result->event);
    }
    deeds_event(run, group, mask, (uint64_t)(event - result->event));
    const struct mask *old = run->masks->none;
    if (event->threads.mask)
        old = mask_from_words(run->masks, event->threads.mask);
    const struct mask *all = mask_or(run->masks, old, mask);
    if (all != old)
        record_threads(run, &event->threads, all);
    if (event->last_run != run->engine->path) {
        event->last_run = run->engine->path;
        ++event->runs;
        event->launched = event->launched || run_is_feasible(run);
    }
    if (mask->count > event->most_at_once)
        event->most_at_once = mask->count;
    for (const struct join *join = group->join; join && !event->hardware.file; join = join->outer)
        event->hardware = join->by_hardware ? join->branch : event->hardware;
    return event;
}

// --- Incidents -------------------------------------------------------------------------------

bool run_is_parted(const struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        if (run->decision[i].chosen >= OUTCOME_PARTED)
            return true;
    }
    return false;
}

// Notes that the way shows the race with all that it rests on known.
static void note_firm(struct run *run, struct engine_incident *race)
{
    if (race->violation != BARLINT_SYNC_MISSING || race->firm_run == run->engine->path ||
        run_is_weak(run) || !run_is_feasible(run))
        return;
    if (run_is_parted(run))
        return; // threads may miss each other, whether it shows or not
    race->firm_run = run->engine->path;
}

// Whether the violation rests on how many threads come to an mbarrier, and the block is a guess of
// one row for sources that give roles to rows: all threads have the role of the first row then.
static bool counts_guessed_rows(const struct run *run, enum barlint_violation violation)
{
    static const char *const family[] = {"arrive-", "phase-", "exit-", "tx-leader"};
    const char *rule = barlint_violation_rule(violation);
    bool counts = violation == BARLINT_INIT_COUNT_MISMATCH;
    for (size_t i = 0; i < sizeof family / sizeof *family; ++i)
        counts |= strncmp(rule, family[i], strlen(family[i])) == 0;
    return counts && run_lacks_rows(run);
}

void record_anew(struct run *run, struct engine_incident *incident, const struct mask *threads)
{
    arrfree(incident->step);
    incident->step = NULL;
    incident->assumption = assumption_of(run);
    incident->supported = true;
    record_threads(run, &incident->threads, threads);
}

// Whether the threads have arrived at the cluster barrier and not waited there.
static bool between_halves(const struct run *run, const struct mask *threads)
{
    bool all = threads->count > 0;
    mask_each (run->masks, threads, t)
        all &= run->machines->cluster_thread[t].in;
    return all;
}

struct engine_incident *record_incident(struct run *run, enum engine_incident_kind kind,
                                        enum barlint_violation violation, ir_function_id function,
                                        ir_value op, uint32_t chain, uint32_t object,
                                        const struct mask *threads)
{
    struct engine_result *result = run->engine->result;
    const char *rule = barlint_violation_rule(violation);
    if (run->afterlife || run->heedless || (run->garbage && strncmp(rule, "init-", 5) != 0))
        return NULL;
    bool weak = run_is_weak(run) || counts_guessed_rows(run, violation);
    trace_incident(run, kind, rule, function, op, chain, object, threads);
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        struct engine_incident *old = &result->incident[i];
        if (old->kind != kind || old->violation != (int)violation || old->function != function ||
            old->op != op || old->chain != chain || old->object != object)
            continue;
        deeds_incident(run, (uint64_t)i);
        if (old->last_run != run->engine->path) {
            ++old->runs;
            old->last_run = run->engine->path;
            if (!old->supported)
                way_note(run, old);
        }
        old->out_of_step &= run->machines->out_of_step;
        old->between &= between_halves(run, threads);
        old->surplus &= run->machines->surplus;
        bool vague = !old->firm_run;
        note_firm(run, old);
        bool firmer = vague && old->firm_run;
        if ((old->supported && !firmer) || weak || !run_is_feasible(run))
            return NULL;                // told already
        record_anew(run, old, threads); // seen where less is assumed
        return old;
    }
    const struct ir_function *body = &run->engine->unit->function[function];
    struct engine_incident fresh = {.kind = kind,
                                    .violation = (int)violation,
                                    .rule = rule,
                                    .loc = ir_op_at(body, op)->loc,
                                    .loc_chain = chain,
                                    .function = function,
                                    .op = op,
                                    .chain = chain,
                                    .object = object,
                                    .assumption = assumption_of(run),
                                    .runs = 1,
                                    .last_run = run->engine->path,
                                    .supported = !weak && run_is_feasible(run),
                                    .out_of_step = run->machines->out_of_step,
                                    .between = between_halves(run, threads),
                                    .surplus = run->machines->surplus};
    if (!fresh.supported)
        way_note(run, &fresh);
    note_firm(run, &fresh);
    record_threads(run, &fresh.threads, threads);
    deeds_incident(run, arrlenu(result->incident));
    arrput(result->incident, fresh);
    return &arrlast(result->incident);
}

struct engine_incident *record_of_lanes(struct run *run, enum engine_incident_kind kind,
                                        const struct named_site *site)
{
    struct engine_result *result = run->engine->result;
    if (run_is_weak(run) || !run_is_feasible(run))
        return NULL;
    for (ptrdiff_t i = 0; i < arrlen(result->incident); ++i) {
        struct engine_incident *told = &result->incident[i];
        if (told->violation != BARLINT_SYNC_MISSING || told->kind != kind ||
            told->function != site->function || told->op != site->op ||
            told->chain != site->chain || told->number[1] / 32 != told->number[2] / 32)
            continue;
        arrfree(told->step);
        told->step = NULL;
        told->assumption = assumption_of(run);
        return told;
    }
    return NULL;
}

void record_step(struct run *run, struct engine_incident *incident, struct ir_loc loc,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(run->engine->arena, format, args);
    va_end(args);
    wording_agree(text);
    struct engine_step step = {loc, text};
    arrput(incident->step, step);
}

struct named_site named_site_of(const struct run *run, const struct group *group, ir_value op)
{
    const struct frame *frame = group->frame;
    return (struct named_site){frame->function, op, frame->chain,
                               ir_op_at(&run->engine->unit->function[frame->function], op)->loc};
}

struct named_site named_site_here(const struct run *run, const struct group *group)
{
    return named_site_of(run, group, group->frame->at);
}

ir_value engine_call_of(const struct engine_result *result, const struct engine_chain *entry)
{
    const struct ir_function *caller =
        &result->unit->function[result->chain[entry->parent].function];
    ir_value call = IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(caller->op); ++i) {
        const struct ir_op *op = &caller->op[i];
        if (op->code != IR_CALL || op->imm != (int64_t)entry->function ||
            memcmp(&op->loc, &entry->call, sizeof op->loc) != 0)
            continue;
        if (call != IR_NONE)
            return IR_NONE;
        call = (ir_value)i;
    }
    return call;
}

struct ir_loc record_place(const struct run *run, uint32_t chain, struct ir_loc loc)
{
    const struct engine_result *result = run->engine->result;
    const struct ir_file *file = run->engine->unit->file;
    bool library = file[loc.file].is_system;
    while (chain < arrlenu(result->chain) && result->chain[chain].parent < chain &&
           (library ? file[loc.file].is_system : result->chain[chain].wrapper)) {
        loc = result->chain[chain].call;
        chain = result->chain[chain].parent;
    }
    return loc;
}

void deed_add(struct run *run, struct deed *deeds, uint32_t *count, const char *verb,
              const struct mask *mask, struct ir_loc loc, uint32_t phase, int64_t number)
{
    loc = record_place(run, run->at_chain, loc);
    // The same deed at the same place in one phase grows instead of repeating.
    for (uint32_t i = 0; i < *count && i < HISTORY; ++i) {
        struct deed *old = &deeds[i];
        if (old->verb == verb && old->phase == phase && memcmp(&old->loc, &loc, sizeof loc) == 0) {
            old->mask = mask_or(run->masks, old->mask, mask);
            return;
        }
    }
    // The first deed is the initialisation: it is never forgotten.
    uint32_t at = *count < HISTORY ? *count : 1 + (*count - 1) % (HISTORY - 1);
    deeds[at] = (struct deed){verb, mask, loc, phase, number};
    ++*count;
}

void record_parting(struct run *run, struct engine_incident *incident,
                    const struct parting *parting, const struct mask *missing)
{
    incident->branch = parting->branch;
    record_step(run, incident, parting->branch, "%s %s here", mask_words(run, missing),
                parting->is_loop ? "{leaves|leave} the loop at another round"
                                 : "{takes|take} another way");
}

void record_deeds(struct run *run, struct engine_incident *incident, const char *name,
                  const struct deed *deed, uint32_t count)
{
    uint32_t held = count < HISTORY ? count : HISTORY;
    uint32_t latest = 0;
    for (uint32_t i = 0; i < held; ++i)
        latest = deed[i].phase > latest ? deed[i].phase : latest;
    uint32_t told = 0;
    for (uint32_t i = 0; i < held && told < 8; ++i) {
        // The story of the open phase, after how it all began.
        if (i > 0 && deed[i].phase + 1 < latest)
            continue;
        ++told;
        if (deed[i].number != INT64_MIN)
            record_step(run, incident, deed[i].loc, "'%s' %s %s, for %lld arrival%s", name,
                        deed[i].verb, mask_words(run, deed[i].mask), (long long)deed[i].number,
                        deed[i].number == 1 ? "" : "s");
        else
            record_step(run, incident, deed[i].loc, "%s %s", mask_words(run, deed[i].mask),
                        deed[i].verb);
    }
}

static bool any_initialised(const struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        if (run->machines->mbarrier[i].init_loc.file)
            return true;
    }
    return false;
}

// Whether the object is an element of an array whose length depends on a template parameter that
// nobody has given. What initialises the array goes as far as it is long, and so does its use: one
// that is said to lie behind the last element is there for another length.
static bool in_array_of_any_length(const struct run *run, const struct mbarrier *mbarrier)
{
    ir_type_id type = run->object[mbarrier->object].type;
    return mbarrier->offset > 0 && type != IR_NONE &&
           run->engine->unit->type[type].kind == IR_TYPE_OPAQUE;
}

// Whether the object is a variable of its own, of which there are never more or fewer.
static bool is_single(const struct run *run, const struct mbarrier *mbarrier)
{
    ir_type_id id = run->object[mbarrier->object].type;
    const struct ir_type *type = id == IR_NONE ? NULL : &run->engine->unit->type[id];
    return type && type->kind != IR_TYPE_ARRAY && type->size == 8;
}

// Whether the function, or one that it calls, has lost statements to parse errors.
static bool lacks_code(const struct ir_unit *unit, ir_function_id id, bool *seen)
{
    const struct ir_function *function = &unit->function[id];
    if (seen[id])
        return false;
    seen[id] = true;
    bool lacks = function->flags & IR_FN_PARTIAL;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && !lacks; ++i)
        lacks = function->op[i].code == IR_CALL &&
                lacks_code(unit, (ir_function_id)function->op[i].imm, seen);
    return lacks;
}

// Whether the statement that initialises an object may be among those that clang could not read.
static bool may_lack_init(struct run *run)
{
    const struct ir_unit *unit = run->engine->unit;
    bool *seen = arena_array(&run->arena, bool, arrlenu(unit->function));
    return lacks_code(unit, run->engine->kernel, seen);
}

void record_effect(struct run *run, struct group *group, const struct mask *mask, ir_value op,
                   const struct mbarrier *mbarrier, struct barlint_violations violations)
{
    for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(violations, v + 1)) {
        uint32_t object = mbarrier ? mbarrier->result_object : UINT32_MAX;
        struct named_site site = named_site_of(run, group, op);
        enum barlint_violation violation = (enum barlint_violation)v;
        // Too many come to a phase because others did not wait for the one before.
        if (v == BARLINT_ARRIVE_OVER && mbarrier && mbarrier->again) {
            site = mbarrier->again_site;
            violation = BARLINT_PHASE_PARITY_FLIP;
            mask = mbarrier->again;
        }
        // A ring whose size is 0 is seldom meant: the loop that initialises it has no round then. A
        // barrier by itself is no ring.
        bool weak = run->weak;
        if (violation == BARLINT_INIT_MISSING)
            run->weak |=
                may_lack_init(run) ||
                (any_initialised(run) ? mbarrier && in_array_of_any_length(run, mbarrier)
                                      : run->empty_loop && !(mbarrier && is_single(run, mbarrier)));
        // Nor do programs often launch what then has nothing to do: where nothing is left of the
        // round before, the last stage is none, and what stands for it some other barrier.
        if (violation == BARLINT_ARRIVE_OVER)
            run->weak |= run->empty_size;
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, violation, site.function, site.op, site.chain, object, mask);
        run->weak = weak;
        run->machines->out_of_step |= violation == BARLINT_PHASE_PARITY_FLIP;
        if (!incident || !mbarrier)
            continue;
        const struct engine_object *named = &run->engine->result->object[object];
        incident->number[0] = mbarrier->state.expected;
        incident->number[1] = mbarrier->state.pending;
        incident->number[2] = mbarrier->state.phase;
        if (named->loc.file)
            record_step(run, incident, named->loc, "'%s' is declared here", named->name);
        record_deeds(run, incident, named->name, mbarrier->deed, mbarrier->deeds);
    }
}
