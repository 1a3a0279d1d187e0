#include "driver/unit/analyse.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "driver/reuse/inputs.h"
#include "driver/reuse/key.h"
#include "driver/unit/effort.h"
#include "driver/unit/facts.h"
#include "driver/unit/kernel.h"
#include "driver/unit/links.h"
#include "driver/unit/precompiled.h"
#include "lsp/hover.h"
#include "report/collect.h"
#include "report/merge.h"

enum {
    LARGEST_SOURCE = 64 * 1024 * 1024,
    JUNK_BYTES = 4096, // of the start of a file, where a NUL byte says that it is no text
};

static bool is_listed(const char *const *list, size_t count, const char *id)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(list[i], id) == 0)
            return true;
    }
    return false;
}

bool rule_is_wanted(const struct options *options, const char *id)
{
    if (arrlen(options->only))
        return is_listed((const char *const *)options->only, arrlenu(options->only), id);
    return !is_listed((const char *const *)options->disabled, arrlenu(options->disabled), id);
}

const struct rule **unit_rules(const struct options *options, const struct unit *unit)
{
    const struct rule **rules = NULL; // stb_ds array
    for (size_t i = 0; rule_registry[i]; ++i) {
        const char *id = rule_registry[i]->id;
        if (rule_is_wanted(options, id) &&
            (arrlen(options->only) || config_may_run(unit->config, id)))
            arrput(rules, rule_registry[i]);
    }
    arrput(rules, NULL);
    return rules;
}

struct translate_options unit_translate_options(const struct options *options,
                                                const struct unit *unit)
{
    const struct config *config = unit->config;
    struct translate_options result = {
        .headers =
            options->headers_given || !config->headers_given ? options->headers : config->headers,
        .cuda_path = options->cuda_path ? options->cuda_path : config->cuda_path,
        .arch = options->arch ? options->arch : config->arch,
    };
    return result;
}

bool unit_translate(struct arena *arena, const struct options *options, struct unit *unit,
                    struct translation_list *out_list, struct error *error)
{
    struct translate_options translate = unit_translate_options(options, unit);
    return translate_command(arena, &unit->command, &translate, out_list, error);
}

static bool is_known(void *context, const char *lookup)
{
    return model_knows(context, lookup);
}

// libclang reads anything; a file that is no source gets a clear word instead of a page of errors.
static bool check_source(const char *path, struct error *error)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0) {
        error_set(error, ERROR_ENVIRONMENT, "cannot be read: %s", strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    char start[JUNK_BYTES];
    ssize_t got = S_ISREG(status.st_mode) ? pread(file, start, sizeof start, 0) : 0;
    int why = errno;
    close(file);
    if (!S_ISREG(status.st_mode))
        return error_set(error, ERROR_ENVIRONMENT, "is not a file");
    if (got < 0)
        return error_set(error, ERROR_ENVIRONMENT, "cannot be read: %s", strerror(why));
    if (status.st_size > LARGEST_SOURCE)
        return error_set(error, ERROR_ENVIRONMENT, "is larger than %d MB", LARGEST_SOURCE >> 20);
    if (memchr(start, '\0', (size_t)got))
        return error_set(error, ERROR_ENVIRONMENT, "is not a text file");
    return true;
}

static bool unit_has_content(const struct unit *unit, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(unit->content); ++i) {
        if (strcmp(unit->content[i].path, path) == 0)
            return true;
    }
    return false;
}

static bool pch_loaded(const struct frontend_report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i) {
        const struct frontend_diagnostic *one = &report->diagnostic[i];
        if (one->severity == FRONTEND_FATAL &&
            (strstr(one->text, "precompiled") || strstr(one->text, "PCH") ||
             strstr(one->text, "AST file")))
            return false;
    }
    return true;
}

// Whether a name of the unit's own may be one that the precompiled header declares and the headers
// that the unit includes do not: a kernel called half, say.
static bool pch_in_the_way(const struct frontend_report *report)
{
    static const char *const said[] = {"redefinition", "conflicts with", "redeclared as",
                                       "is ambiguous", "conflicting types"};
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i) {
        const struct frontend_diagnostic *one = &report->diagnostic[i];
        for (size_t k = 0; k < sizeof said / sizeof *said; ++k) {
            if (one->severity >= FRONTEND_ERROR && strstr(one->text, said[k]))
                return true;
        }
    }
    return false;
}

static size_t errors_in(const struct frontend_report *report)
{
    size_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i)
        count += report->diagnostic[i].severity >= FRONTEND_ERROR;
    return count;
}

// Parses once more without the precompiled header, and takes that where it is better: a unit may as
// well use what it does not include.
static void parse_without_pch(struct parsed *parsed, struct frontend_job *job)
{
    const char *pch = job->pch;
    struct ir_unit ir;
    struct frontend_report report;
    struct error error = {0};
    job->pch = NULL;
    bool good = frontend_parse(job, &ir, &report, &error);
    if (good && errors_in(&report) < errors_in(&parsed->report)) {
        ir_unit_release(&parsed->ir);
        frontend_report_release(&parsed->report);
        parsed->ir = ir;
        parsed->report = report;
        return;
    }
    if (good)
        ir_unit_release(&ir);
    frontend_report_release(&report);
    job->pch = pch;
}

bool parsed_init(struct parsed *parsed, const struct unit *unit,
                 const struct translation *translation, bool wants_outline, struct error *error)
{
    *parsed = (struct parsed){.translation = *translation};
    // What the index has in place of the file need not be on the disk.
    if (!unit_has_content(unit, unit->file) && !check_source(unit->file, error))
        return false;
    arena_init(&parsed->arena);
    parsed->model = model_new();
    bool good = true;
    for (ptrdiff_t i = 0; good && i < arrlen(unit->config->model); ++i) {
        const struct config_model *row = &unit->config->model[i];
        good = model_add(parsed->model, row->function, row->like, row->roles, error);
    }
    if (good) {
        struct frontend_job job = {
            .argument = (const char *const *)translation->argument,
            .argument_count = translation->count,
            .main_file = translation->file,
            .unsaved = unit->content,
            .unsaved_count = arrlenu(unit->content),
            .is_known = is_known,
            .context = parsed->model,
            .wants_outline = wants_outline,
        };
        job.pch = precompiled_header(&parsed->arena, translation);
        good = frontend_parse(&job, &parsed->ir, &parsed->report, error);
        if (job.pch && (!good || !pch_loaded(&parsed->report))) {
            // Made of headers that have changed since, or damaged: without it, then.
            precompiled_discard(job.pch);
            job.pch = NULL;
            if (good)
                ir_unit_release(&parsed->ir);
            frontend_report_release(&parsed->report);
            good = frontend_parse(&job, &parsed->ir, &parsed->report, error);
        } else if (job.pch && pch_in_the_way(&parsed->report)) {
            parse_without_pch(parsed, &job);
        }
        parsed->pch = job.pch;
        if (!good)
            frontend_report_release(&parsed->report);
    }
    if (!good) {
        model_free(parsed->model);
        arena_release(&parsed->arena);
        return false;
    }
    double begun = clock_processor_seconds();
    if (unit->foreign)
        links_import(parsed, unit->foreign);
    parsed->engine = engine_unit_new(&parsed->ir, parsed->model);
    engine_launches_find(&parsed->launches, parsed->engine);
    if (unit->foreign)
        links_launch(parsed, unit->foreign);
    parsed->launch_seconds = clock_processor_seconds() - begun;
    return true;
}

void parsed_release(struct parsed *parsed)
{
    engine_shapes_release(&parsed->launches);
    engine_unit_free(parsed->engine);
    ir_unit_release(&parsed->ir);
    frontend_report_release(&parsed->report);
    model_free(parsed->model);
    arena_release(&parsed->arena);
}

void unit_shapes(struct engine_shapes *out, const struct parsed *parsed, const struct unit *unit,
                 ir_function_id kernel)
{
    engine_shapes_find(out, &parsed->ir, &parsed->launches, kernel);
    const struct ir_function *function = &parsed->ir.function[kernel];
    struct engine_shape *given = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(unit->config->launch); ++i) {
        if (strcmp(unit->config->launch[i].kernel, function->lookup) == 0 ||
            strcmp(unit->config->launch[i].kernel, function->name) == 0)
            arrput(given, unit->config->launch[i].shape);
    }
    if (arrlen(given) == 0)
        return;
    // What the user says takes the place of a guess and stands beside what the sources say.
    for (ptrdiff_t i = 0; i < arrlen(out->shape); ++i) {
        if (out->shape[i].source != ENGINE_SHAPE_GUESS)
            arrput(given, out->shape[i]);
    }
    arrfree(out->shape);
    out->shape = given;
}

// --- One unit, all architectures -----------------------------------------------------------------

struct analysis {
    const struct options *options;
    struct unit *unit;
    const struct rule *const *rules;
    struct findings findings;
    enum report_status status;
    const char *reason; // in the arena of the findings
    struct report_counts counts;
    double parse_seconds, lower_seconds, analysis_seconds;
    json_t *missing;
    json_t *stand_ins;
    json_t *headers; // CUDA headers that were read
    struct inputs inputs;
    json_t *links; // of each parse
    struct facts facts;
    bool late; // what was cut for want of time: not to be kept
    const struct digest *run;
    json_t *outcomes; // of kernels, to be kept
    json_t *kernels;  // what each took, or NULL where nobody asks
    uint32_t drawn;   // schedules so far
};

static void worsen(struct analysis *analysis, enum report_status status, const char *reason)
{
    if (status <= analysis->status)
        return;
    analysis->status = status;
    analysis->reason = arena_strdup(&analysis->findings.arena, reason);
}

enum report_status parsed_status(const struct parsed *parsed, struct arena *arena,
                                 const char **out_reason)
{
    const struct frontend_report *report = &parsed->report;
    *out_reason = "";
    if (arrlen(report->missing_header)) {
        *out_reason = arena_printf(arena, "header '%s' is not found", report->missing_header[0]);
        return REPORT_PARTIAL;
    }
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i) {
        const struct frontend_diagnostic *one = &report->diagnostic[i];
        if (one->severity < FRONTEND_ERROR || one->is_harmless)
            continue;
        *out_reason = arena_printf(arena, "%s:%u: %s", path_name(one->path), one->line, one->text);
        return REPORT_PARTIAL;
    }
    if (report->cut_functions > 0)
        *out_reason = "the unit is too large: some functions are left out";
    else if (report->partial > 0)
        *out_reason = "some functions could not be read in full";
    return **out_reason ? REPORT_PARTIAL : REPORT_OK;
}

// What the parse lost decides whether the file counts as analysed in full.
static void judge_parse(struct analysis *analysis, const struct parsed *parsed)
{
    const struct frontend_report *report = &parsed->report;
    const char *reason;
    enum report_status status = parsed_status(parsed, &analysis->findings.arena, &reason);
    worsen(analysis, status, reason);
    for (ptrdiff_t i = 0; i < arrlen(report->missing_header); ++i)
        json_array_append_new(analysis->missing, finding_json_text(report->missing_header[i]));
    for (ptrdiff_t i = 0; i < arrlen(report->stand_in); ++i)
        json_array_append_new(analysis->stand_ins, finding_json_text(report->stand_in[i]));
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        if (path_has_ending(report->file[i].path, ".cuh"))
            json_array_append_new(analysis->headers, finding_json_path(report->file[i].path));
    }
    inputs_add(&analysis->inputs, parsed);
    analysis->late |= report->ran_late;
}

// What one kernel has taken under all its launch shapes.
static void note_time(struct analysis *analysis, const struct ir_function *kernel,
                      const struct report_counts *before, double seconds)
{
    const struct report_counts *now = &analysis->counts;
    json_array_append_new(analysis->kernels,
                          json_pack("{s:o, s:f, s:I, s:I, s:I, s:I}", "kernel",
                                    finding_json_text(kernel->name), "seconds", seconds, "shapes",
                                    (json_int_t)(now->shapes - before->shapes), "runs",
                                    (json_int_t)(now->runs - before->runs), "operations",
                                    (json_int_t)(now->steps - before->steps), "cut_short",
                                    (json_int_t)(now->cut_short - before->cut_short)));
}

// Adds what came of a kernel, here or in another parse. False where it cannot be read.
static bool take_outcome(struct analysis *analysis, struct effort *effort, const json_t *outcome)
{
    struct report_counts *counts = &analysis->counts;
    json_t *findings, *facts, *shown;
    json_int_t number[6];
    if (json_unpack((json_t *)outcome, "{s:o, s:o, s:o, s:[I, I, I, I, I, I]}", "findings",
                    &findings, "facts", &facts, "shown", &shown, "counts", &number[0], &number[1],
                    &number[2], &number[3], &number[4], &number[5]) != 0 ||
        !findings_from_json(&analysis->findings, findings, NULL))
        return false;
    facts_take(&analysis->facts, facts);
    if (analysis->unit->shown)
        lsp_facts_take(analysis->unit->shown, shown);
    counts->shapes += (uint64_t)number[0];
    counts->runs += (uint64_t)number[1];
    counts->steps += (uint64_t)number[2];
    counts->cut_short += (uint64_t)number[3];
    counts->unknown_operations += (uint64_t)number[4];
    counts->unknown_objects += (uint64_t)number[5];
    effort->steps += (uint64_t)number[2];
    return true;
}

// Takes what is known of the kernel from another analysis, or analyses it and keeps what comes of
// that.
static void remember_kernel(struct analysis *analysis, const struct kernel_job *job,
                            struct ir_identities *identities, struct effort *effort)
{
    const struct kernel_memory *memory = analysis->unit->memory;
    struct kernel_identity identity;
    kernel_identify(job, identities, analysis->run, &identity);
    json_t *kept = memory->find(memory->context, identity.key);
    json_t *outcome = kept ? kernel_recall(job, &identity, kept) : NULL;
    json_decref(kept);
    if (outcome && take_outcome(analysis, effort, outcome)) {
        json_object_set_new(analysis->outcomes, identity.key, json_null());
    } else {
        json_decref(outcome);
        outcome = kernel_analyse(job);
        take_outcome(analysis, effort, outcome);
        kept = kernel_keep(job, &identity, outcome);
        if (kept)
            json_object_set_new(analysis->outcomes, identity.key, kept);
    }
    json_decref(outcome);
    kernel_identity_release(&identity);
}

static void run_kernel(struct analysis *analysis, const struct parsed *parsed,
                       struct collector *collector, struct ir_identities *identities,
                       struct effort *effort, ir_function_id kernel)
{
    struct engine_shapes shapes = {0};
    unit_shapes(&shapes, parsed, analysis->unit, kernel);
    struct kernel_job job = {
        .options = analysis->options,
        .unit = analysis->unit,
        .rules = analysis->rules,
        .parsed = parsed,
        .collector = collector,
        .kernel = kernel,
        .shapes = &shapes,
        .engine = {.arch = parsed->translation.arch.number * 10},
        .drawn = &analysis->drawn,
    };
    struct report_counts before = analysis->counts;
    double begun = clock_processor_seconds();
    ++analysis->counts.kernels;
    if (!effort_for(effort, &parsed->ir.function[kernel], arrlenu(shapes.shape), &job.engine)) {
        ++analysis->counts.cut_short;
    } else if (identities) {
        remember_kernel(analysis, &job, identities, effort);
    } else {
        json_t *outcome = kernel_analyse(&job);
        take_outcome(analysis, effort, outcome);
        json_decref(outcome);
    }
    if (analysis->kernels)
        note_time(analysis, &parsed->ir.function[kernel], &before,
                  clock_processor_seconds() - begun);
    engine_shapes_release(&shapes);
}

static void run_architecture(struct analysis *analysis, const struct translation *translation)
{
    struct parsed parsed = {0};
    struct error error = {0};
    struct collector collector;
    collector_init(&collector, &analysis->findings, &parsed.ir, translation->directory,
                   analysis->unit->file);
    for (ptrdiff_t i = 0; i < arrlen(analysis->unit->content); ++i) {
        const struct frontend_unsaved *file = &analysis->unit->content[i];
        sources_put(&collector.sources, file->path, file->text, file->length);
    }
    if (!parsed_init(&parsed, analysis->unit, translation, false, &error)) {
        worsen(analysis, REPORT_FAILED, error.text);
        collector_release(&collector);
        return;
    }
    judge_parse(analysis, &parsed);
    if (!analysis->unit->foreign)
        json_array_append_new(analysis->links, links_of(&parsed));
    analysis->parse_seconds += parsed.report.parse_seconds;
    analysis->lower_seconds += parsed.report.lower_seconds;
    double begun = clock_processor_seconds();
    struct effort effort;
    effort_init(&effort, &parsed.ir);
    struct ir_identities *identities =
        analysis->unit->memory ? ir_identities_new(&parsed.ir) : NULL;
    for (ptrdiff_t i = 0; i < arrlen(parsed.ir.function); ++i) {
        if (effort_is_kernel(&parsed.ir.function[i]))
            run_kernel(analysis, &parsed, &collector, identities, &effort, (ir_function_id)i);
    }
    ir_identities_free(identities);
    effort_release(&effort);
    collector_release(&collector);
    analysis->analysis_seconds += parsed.launch_seconds + clock_processor_seconds() - begun;
    parsed_release(&parsed);
}

// What the report needs of it, and what is kept for it.
static json_t *result_to_json(const struct analysis *analysis)
{
    const struct report_counts *counts = &analysis->counts;
    json_t *numbers = json_pack(
        "[I, I, I, I, I, I, I]", (json_int_t)counts->kernels, (json_int_t)counts->shapes,
        (json_int_t)counts->runs, (json_int_t)counts->steps, (json_int_t)counts->cut_short,
        (json_int_t)counts->unknown_operations, (json_int_t)counts->unknown_objects);
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:O, s:O, s:O}", "status", report_status_name(analysis->status),
        "reason", finding_json_text(analysis->reason), "findings",
        findings_to_json(&analysis->findings), "counts", numbers, "missing", analysis->missing,
        "stand_ins", analysis->stand_ins, "headers", analysis->headers);
}

static void analysis_init(struct analysis *analysis, const struct options *options,
                          struct unit *unit)
{
    *analysis = (struct analysis){
        .options = options,
        .unit = unit,
        .rules = rule_registry,
        .status = REPORT_OK,
        .reason = "",
        .missing = json_array(),
        .stand_ins = json_array(),
        .headers = json_array(),
        .links = json_array(),
        .outcomes = json_object(),
    };
    facts_init(&analysis->facts);
    findings_init(&analysis->findings);
    inputs_init(&analysis->inputs);
}

static void analysis_release(struct analysis *analysis)
{
    json_decref(analysis->missing);
    json_decref(analysis->stand_ins);
    json_decref(analysis->headers);
    json_decref(analysis->links);
    json_decref(analysis->outcomes);
    facts_release(&analysis->facts);
    findings_release(&analysis->findings);
    inputs_release(&analysis->inputs);
}

json_t *unit_analyse(const struct options *options, struct unit *unit, const struct digest *run)
{
    struct timespec begun;
    clock_gettime(CLOCK_REALTIME_COARSE, &begun); // the clock that stamps files
    struct analysis analysis;
    analysis_init(&analysis, options, unit);
    const struct rule **rules = unit_rules(options, unit);
    analysis.rules = rules;
    analysis.run = run;
    struct arena arena;
    arena_init(&arena);
    struct translation_list list = {0};
    struct error error = {0};
    char key[DIGEST_HEX] = "";
    if (unit_translate(&arena, options, unit, &list, &error)) {
        struct digest digest = key_of_unit(run, options, unit, &list);
        digest_write(&digest, key);
        for (size_t i = 0; i < list.count; ++i)
            run_architecture(&analysis, &list.item[i]);
    } else {
        worsen(&analysis, REPORT_FAILED, error.text);
    }
    findings_merge(&analysis.findings);
    json_t *json = json_pack(
        "{s:o, s:O, s:o, s:[f, f, f], s:s, s:[I, I], s:o, s:b, s:O}", "result",
        result_to_json(&analysis), "links", analysis.links, "facts", facts_to_json(&analysis.facts),
        "seconds", analysis.parse_seconds, analysis.lower_seconds, analysis.analysis_seconds, "key",
        key, "begun", (json_int_t)begun.tv_sec, (json_int_t)begun.tv_nsec, "inputs",
        inputs_to_json(&analysis.inputs), "lasting",
        (int)(analysis.status != REPORT_FAILED && !analysis.late && !analysis.inputs.unknown),
        "kernels", analysis.outcomes);
    arrfree(rules);
    arena_release(&arena);
    analysis_release(&analysis);
    return json;
}

json_t *unit_times(const struct options *options, struct unit *unit,
                   const struct translation *translation)
{
    struct analysis analysis;
    analysis_init(&analysis, options, unit);
    analysis.kernels = json_array();
    run_architecture(&analysis, translation);
    json_t *json = json_pack(
        "{s:o, s:s, s:o, s:f, s:f, s:f, s:o}", "file", finding_json_text(unit->file), "status",
        report_status_name(analysis.status), "reason", finding_json_text(analysis.reason), "parse",
        analysis.parse_seconds, "lower", analysis.lower_seconds, "analysis",
        analysis.analysis_seconds, "kernels", analysis.kernels);
    analysis_release(&analysis);
    return json;
}

// --- In the parent -------------------------------------------------------------------------------

// Adds the names that the list does not have yet.
static void add_names(const char ***list, struct arena *arena, const json_t *names)
{
    const json_t *name;
    size_t i;
    json_array_foreach (names, i, name) {
        ptrdiff_t k = 0;
        while (k < arrlen(*list) && strcmp((*list)[k], json_string_value(name)) != 0)
            ++k;
        if (k == arrlen(*list))
            arrput(*list, arena_strdup(arena, json_string_value(name)));
    }
}

bool analysis_add(struct report *report, struct analysis_extra *extra, const struct unit *unit,
                  const json_t *result, const char *reason, struct error *error)
{
    if (!result) {
        report_add_file(report, unit->file, REPORT_FAILED, reason);
        return true;
    }
    const char *status_name, *why;
    json_t *findings, *counts, *missing, *stand_ins, *headers, *item;
    enum report_status status;
    json_int_t number[7];
    size_t i;
    if (json_unpack((json_t *)result, "{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "status", &status_name,
                    "reason", &why, "findings", &findings, "counts", &counts, "missing", &missing,
                    "stand_ins", &stand_ins, "headers", &headers) != 0 ||
        !report_status_parse(status_name, &status) ||
        json_unpack(counts, "[I, I, I, I, I, I, I]", &number[0], &number[1], &number[2], &number[3],
                    &number[4], &number[5], &number[6]) != 0)
        return error_set(error, ERROR_INTERNAL, "a worker's result cannot be read");
    report_add_file(report, unit->file, status, why);
    report->counts.kernels += (uint64_t)number[0];
    report->counts.shapes += (uint64_t)number[1];
    report->counts.runs += (uint64_t)number[2];
    report->counts.steps += (uint64_t)number[3];
    report->counts.cut_short += (uint64_t)number[4];
    report->counts.unknown_operations += (uint64_t)number[5];
    report->counts.unknown_objects += (uint64_t)number[6];
    add_names(&extra->missing, extra->arena, missing);
    add_names(&extra->stand_ins, extra->arena, stand_ins);
    json_array_foreach (headers, i, item)
        shput(extra->read, utf8_unescape(extra->arena, json_string_value(item)), true);
    return findings_from_json(&report->findings, findings, error);
}
