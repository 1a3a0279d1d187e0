#include "report/collect.h"

#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "base/wording.h"
#include "report/fix.h"

enum { CALLS_SHOWN = 12 }; // of a call chain, innermost first

struct rule_context {
    struct collector *collector;
    const struct rule *rule;
    const struct engine_result *result;
};

struct rule_report {
    struct finding finding;
    struct collector *collector;
    const struct engine_result *result; // good until its collector_check() returns
    ir_function_id kernel;
    uint32_t chain;
    const char *shows;     // rule of the incident that it tells of, or its own
    uint32_t shape;        // number of the shape among those of the kernel
    uint32_t lanes;        // that part in each warp, see struct engine_incident
    bool by_size;          // may depend on how many blocks a cluster has, which is assumed
    struct rule_fix **fix; // stb_ds array
};

void collector_init(struct collector *collector, struct findings *out, const struct ir_unit *unit,
                    const char *folder, const char *main_file)
{
    *collector =
        (struct collector){.out = out, .unit = unit, .folder = folder, .main_file = main_file};
    arena_init(&collector->arena);
    sources_init(&collector->sources);
    clock_gettime(CLOCK_REALTIME, &collector->began);
}

// Frees what the report has beside its finding.
static void report_clear(struct rule_report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->fix); ++i)
        fix_clear(report->fix[i]);
    arrfree(report->fix);
}

void collector_release(struct collector *collector)
{
    for (ptrdiff_t i = 0; i < arrlen(collector->report); ++i) {
        finding_clear(&collector->report[i]->finding);
        report_clear(collector->report[i]);
    }
    arrfree(collector->report);
    arena_release(&collector->arena);
    sources_release(&collector->sources);
}

static const struct ir_function *function_at(const struct ir_unit *unit, ir_function_id id)
{
    return id < arrlenu(unit->function) ? &unit->function[id] : NULL;
}

static const struct engine_chain *chain_at(const struct engine_result *result, uint32_t chain)
{
    return chain < arrlenu(result->chain) ? &result->chain[chain] : NULL;
}

static const struct ir_file *file_at(const struct ir_unit *unit, uint32_t file)
{
    return file < arrlenu(unit->file) ? &unit->file[file] : NULL;
}

static struct finding_place place_of(struct collector *collector, struct ir_loc loc)
{
    const struct ir_file *file = file_at(collector->unit, loc.file);
    struct finding_place place = {"", loc.line, loc.column, loc.end_line, loc.end_column};
    if (loc.file != 0 && file && file->path && file->path[0])
        place.file = path_absolute(&collector->out->arena, collector->folder, file->path);
    return place;
}

// A place inside a header of the toolkit says nothing to the reader: the nearest call that stands
// in the user's own code is where the finding goes. Moves `loc` and `chain` there.
static void climb_to_user_code(const struct collector *collector,
                               const struct engine_result *result, struct ir_loc *loc,
                               uint32_t *chain)
{
    const struct engine_chain *entry = chain_at(result, *chain);
    const struct ir_file *file = file_at(collector->unit, loc->file);
    while (entry && entry->parent < *chain && file && file->is_system) {
        *loc = entry->call;
        *chain = entry->parent;
        entry = chain_at(result, *chain);
        file = file_at(collector->unit, loc->file);
    }
}

static void note_put(struct rule_report *report, struct ir_loc loc, const char *message)
{
    struct finding_note note = {place_of(report->collector, loc), message};
    arrput(report->finding.note, note);
}

static bool holds(const struct ir_function *function, struct ir_loc loc)
{
    const struct ir_loc *whole = &function->loc;
    return whole->file == loc.file && whole->line <= loc.line && loc.line <= whole->end_line;
}

// An operation inside a function that only spells it says nothing about its use: the nearest caller
// that does more is where the finding goes. Moves `loc` and `chain` there, and leaves the ways down
// as notes. What is wrong `within` a place stays there.
static void climb_out_of_wrappers(struct rule_report *report, struct ir_loc *loc, uint32_t *chain,
                                  uint32_t within)
{
    const struct engine_result *result = report->result;
    struct collector *collector = report->collector;
    const char *what = "the operation is here, inside '%s'";
    for (;;) {
        const struct engine_chain *entry = chain_at(result, *chain);
        const struct ir_function *function =
            entry ? function_at(collector->unit, entry->function) : NULL;
        if (!entry || entry->parent >= *chain || *chain <= within || !entry->wrapper || !function ||
            !holds(function, *loc))
            return;
        note_put(report, *loc, arena_printf(&collector->out->arena, what, function->name));
        what = "which is called here, inside '%s'";
        *loc = entry->call;
        *chain = entry->parent;
    }
}

// What a finding rests on bounds its certainty, whatever the rule says.
static enum rule_certainty certainty_of(const struct collector *collector,
                                        const struct engine_result *result, uint32_t chain,
                                        enum rule_certainty certainty)
{
    if (!result->shape.block_known || result->shape.cluster_assumed)
        return RULE_POSSIBLE;
    for (;;) {
        const struct engine_chain *entry = chain_at(result, chain);
        const struct ir_function *function =
            function_at(collector->unit, entry ? entry->function : result->kernel);
        if (function && function->flags & (IR_FN_PARTIAL | IR_FN_PATTERN))
            return RULE_POSSIBLE;
        if (!entry || entry->parent >= chain)
            return certainty;
        chain = entry->parent;
    }
}

// `within`: the finding is about what stands around that place in the call tree too, and stays
// there; 0, the kernel, for none.
static struct rule_report *report_new(struct rule_context *context, struct ir_loc loc,
                                      uint32_t chain, uint32_t within,
                                      enum rule_certainty certainty)
{
    struct collector *collector = context->collector;
    struct rule_report *report = arena_new(&collector->arena, struct rule_report);
    *report = (struct rule_report){
        .collector = collector, .result = context->result, .kernel = context->result->kernel};
    climb_to_user_code(collector, context->result, &loc, &chain);
    climb_out_of_wrappers(report, &loc, &chain, within);
    certainty = certainty_of(collector, context->result, chain, certainty);
    if (certainty > context->rule->reach)
        certainty = context->rule->reach;
    const struct engine_chain *entry = chain_at(context->result, chain);
    const struct ir_function *function =
        function_at(collector->unit, entry ? entry->function : context->result->kernel);
    struct arena *text = &collector->out->arena;
    report->chain = chain;
    report->shape = collector->shapes;
    report->by_size =
        context->result->shape.cluster_assumed && strcmp(context->rule->family, "cluster") != 0;
    report->shows = context->rule->id;
    report->finding = (struct finding){
        .rule = context->rule->id,
        .level = context->rule->level,
        .certainty = certainty,
        .place = place_of(collector, loc),
        .function = function ? arena_strdup(text, function->name) : "",
        .pattern = function ? arena_strdup(text, function->lookup) : "",
        .note = report->finding.note,
    };
    arrput(collector->report, report);
    return report;
}

static const char *worded(struct arena *arena, const char *format, va_list args)
{
    char *text = arena_vprintf(arena, format, args);
    wording_agree(text);
    return text;
}

struct rule_report *rule_report(struct rule_context *context, struct ir_loc loc, uint32_t chain,
                                enum rule_certainty certainty, const char *format, ...)
{
    struct rule_report *report = report_new(context, loc, chain, 0, certainty);
    va_list args;
    va_start(args, format);
    report->finding.message = worded(&context->collector->out->arena, format, args);
    va_end(args);
    return report;
}

void rule_note(struct rule_report *report, struct ir_loc loc, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note_put(report, loc, worded(&report->collector->out->arena, format, args));
    va_end(args);
}

void rule_pedantic(struct rule_report *report)
{
    report->finding.pedantic = true;
}

struct rule_fix *rule_fix(struct rule_report *report, bool safe, const char *format, ...)
{
    struct collector *collector = report->collector;
    struct rule_fix *fix = arena_new(&collector->arena, struct rule_fix);
    *fix = (struct rule_fix){.collector = collector, .kernel = report->kernel, .safe = safe};
    va_list args;
    va_start(args, format);
    fix->description = arena_vprintf(&collector->out->arena, format, args);
    va_end(args);
    arrput(report->fix, fix);
    return fix;
}

// What is assumed beside what it takes, or NULL: that the data allow it is said once.
static const char *also_assumed(struct arena *arena, const char *needs, const char *assumed)
{
    const size_t length = strlen(ENGINE_DATA_ALLOW), between = strlen(" and ");
    const char *again =
        strstr(needs, ENGINE_DATA_ALLOW) ? strstr(assumed, ENGINE_DATA_ALLOW) : NULL;
    if (!again)
        return assumed;
    if (again == assumed)
        return again[length] ? again + length + between : NULL;
    return arena_printf(arena, "%.*s%s", (int)(again - assumed - (ptrdiff_t)between), assumed,
                        again + length);
}

struct rule_report *rule_report_incident(struct rule_context *context,
                                         const struct engine_result *result,
                                         const struct engine_incident *incident, const char *format,
                                         ...)
{
    (void)result;
    struct arena *arena = &context->collector->out->arena;
    struct rule_report *report =
        report_new(context, incident->loc, incident->loc_chain, incident->within,
                   incident->certain && !incident->needs ? RULE_CERTAIN : RULE_POSSIBLE);
    va_list args;
    va_start(args, format);
    const char *message = worded(arena, format, args);
    va_end(args);
    const char *also = incident->assumption ? incident->assumption + strlen("if ") : NULL;
    if (also && incident->needs)
        also = also_assumed(arena, incident->needs, also);
    if (incident->needs)
        message = arena_printf(arena, "%s, if %s", message, incident->needs);
    if (also)
        message = arena_printf(arena, "%s%s%s", message, incident->needs ? " and " : ", if ", also);
    report->finding.message = message;
    report->shows = incident->rule ? incident->rule : report->shows;
    report->finding.pedantic = !incident->supported;
    report->lanes = incident->lanes;
    for (ptrdiff_t i = 0; i < arrlen(incident->step); ++i)
        note_put(report, incident->step[i].loc, arena_strdup(arena, incident->step[i].text));
    return report;
}

static void append_extents(struct arena *arena, const char **text, const char *what,
                           const int64_t extent[3])
{
    *text = arena_printf(arena, "%s%s%s (%lld, %lld, %lld)", *text, **text ? ", " : "", what,
                         (long long)extent[0], (long long)extent[1], (long long)extent[2]);
}

static const char *launch_text(struct rule_report *report)
{
    struct arena *arena = &report->collector->out->arena;
    const struct engine_shape *shape = &report->result->shape;
    const char *text = "";
    append_extents(arena, &text, "block", shape->block);
    if (shape->grid[0] > 0 && shape->grid[1] > 0 && shape->grid[2] > 0)
        append_extents(arena, &text, "grid", shape->grid);
    if (shape->cluster[0] > 1 || shape->cluster[1] > 1 || shape->cluster[2] > 1)
        append_extents(arena, &text, "cluster", shape->cluster);
    if (shape->source == ENGINE_SHAPE_GUESS || !shape->block_known || shape->cluster_assumed)
        text = arena_printf(arena, "%s, assumed", text);
    else if (shape->source == ENGINE_SHAPE_ATTRIBUTE)
        text = arena_printf(arena, "%s, from its attributes", text);
    else if (shape->source == ENGINE_SHAPE_CONFIG)
        text = arena_printf(arena, "%s, from the configuration", text);
    return text;
}

// Adds what every finding says at its end: how control gets there, and the launch.
static void report_end(struct rule_report *report)
{
    const struct engine_result *result = report->result;
    struct collector *collector = report->collector;
    struct arena *arena = &collector->out->arena;
    uint32_t chain = report->chain;
    for (int shown = 0; shown < CALLS_SHOWN; ++shown) {
        const struct engine_chain *entry = chain_at(result, chain);
        if (!entry || entry->parent >= chain)
            break;
        const struct ir_function *callee = function_at(collector->unit, entry->function);
        const struct engine_chain *parent = chain_at(result, entry->parent);
        const struct ir_function *caller =
            parent ? function_at(collector->unit, parent->function) : NULL;
        note_put(report, entry->call,
                 arena_printf(arena, "'%s' is called here, in '%s'", callee ? callee->name : "",
                              caller ? caller->name : ""));
        chain = entry->parent;
    }
    const struct ir_function *kernel = function_at(collector->unit, result->kernel);
    const char *launch = launch_text(report);
    const struct engine_shape *shape = &result->shape;
    const char *name = kernel ? arena_strdup(arena, kernel->name) : "";
    report->finding.pedantic |= report->by_size;
    if (shape->launched && shape->loc.file != 0)
        note_put(report, shape->loc,
                 arena_printf(arena, "'%s' is launched here: %s", name, launch));
    struct finding_context context = {name, launch};
    arrput(report->finding.context, context);
}

void collector_check(struct collector *collector, const struct rule *const *rules,
                     const struct engine_result *result)
{
    ptrdiff_t before = arrlen(collector->report);
    for (size_t i = 0; rules[i]; ++i) {
        struct rule_context context = {collector, rules[i], result};
        if (rules[i]->check)
            rules[i]->check(&context, result);
    }
    for (ptrdiff_t i = before; i < arrlen(collector->report); ++i)
        report_end(collector->report[i]);
    ++collector->shapes;
    if (result->shape.source == ENGINE_SHAPE_GUESS)
        ++collector->guesses;
}

// In how many different shapes the rule reported that place, for the same lanes.
static uint32_t shapes_with(const struct collector *collector, const struct rule_report *report)
{
    const struct finding *finding = &report->finding;
    uint32_t count = 0, last = UINT32_MAX;
    for (ptrdiff_t i = 0; i < arrlen(collector->report); ++i) {
        const struct rule_report *other = collector->report[i];
        // Reports stand in the order of their shapes.
        if (other->shape != last && other->lanes == report->lanes &&
            strcmp(other->finding.rule, finding->rule) == 0 &&
            strcmp(other->finding.place.file, finding->place.file) == 0 &&
            other->finding.place.line == finding->place.line &&
            other->finding.place.column == finding->place.column) {
            ++count;
            last = other->shape;
        }
    }
    return count;
}

void collector_draw(struct collector *collector,
                    const char *(*draw)(void *context, uint32_t shape,
                                        const struct finding *finding, const char *shows),
                    void *context)
{
    for (ptrdiff_t i = 0; i < arrlen(collector->report); ++i) {
        struct rule_report *one = collector->report[i];
        const char *drawn = one->finding.schedule;
        for (ptrdiff_t k = 0; k < i && !drawn; ++k) {
            const struct rule_report *other = collector->report[k];
            if (other->shape == one->shape && strcmp(other->shows, one->shows) == 0)
                drawn = other->finding.schedule;
        }
        one->finding.schedule =
            drawn ? drawn : draw(context, one->shape, &one->finding, one->shows);
    }
}

// Whether what follows from one launch shape holds for the kernel.
static bool shapes_agree(const struct collector *collector, const struct rule_report *report)
{
    const struct ir_function *kernel = function_at(collector->unit, report->kernel);
    return collector->guesses == 0 && kernel && !arrlen(kernel->template_arg) &&
           !arrlen(kernel->class_arg) && shapes_with(collector, report) == collector->shapes;
}

static void take_fixes(struct collector *collector, struct rule_report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->fix); ++i) {
        struct rule_fix *fix = report->fix[i];
        if (fix->follows_shape && !shapes_agree(collector, report))
            continue;
        if (fix_finish(fix))
            arrput(report->finding.fix, fix->made);
    }
    report_clear(report);
}

void collector_end_kernel(struct collector *collector)
{
    for (ptrdiff_t i = 0; i < arrlen(collector->report); ++i) {
        struct finding *finding = &collector->report[i]->finding;
        take_fixes(collector, collector->report[i]);
        if (collector->guesses == collector->shapes &&
            shapes_with(collector, collector->report[i]) < collector->shapes) {
            finding->certainty = RULE_POSSIBLE;
            finding->pedantic = true;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(collector->report); ++i)
        arrput(collector->out->finding, collector->report[i]->finding);
    arrsetlen(collector->report, 0);
    collector->shapes = 0;
    collector->guesses = 0;
    arena_release(&collector->arena);
}
