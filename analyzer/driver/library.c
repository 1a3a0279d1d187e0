// The C API, include/barlint/barlint.h: a check whose report becomes structs.
#include <barlint/barlint.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/run/check.h"
#include "frontend/command/file.h"

struct barlint_result {
    struct arena arena;
    struct error error;
    struct barlint_finding *finding; // stb_ds array
    char *json;                      // malloc, or NULL
};

// The options come first: that is where check_run() leads back to the call.
struct call {
    struct options options;
    struct barlint_result *result;
};

static struct barlint_location location_of(struct arena *arena, const struct finding_place *place)
{
    return (struct barlint_location){.file = arena_strdup(arena, place->file),
                                     .line = place->line,
                                     .column = place->column,
                                     .end_line = place->end_line,
                                     .end_column = place->end_column};
}

static enum barlint_level level_of(enum rule_level level)
{
    return level == RULE_ERROR     ? BARLINT_ERROR
           : level == RULE_WARNING ? BARLINT_WARNING
                                   : BARLINT_NOTE;
}

static void take_finding(struct barlint_result *result, const struct finding *finding)
{
    struct arena *arena = &result->arena;
    size_t count = arrlenu(finding->note);
    struct barlint_note *note = arena_alloc(arena, (count + 1) * sizeof *note);
    for (size_t i = 0; i < count; ++i) {
        note[i].place = location_of(arena, &finding->note[i].place);
        note[i].message = arena_strdup(arena, finding->note[i].message);
    }
    struct barlint_finding out = {
        .rule = arena_strdup(arena, finding->rule),
        .level = level_of(finding->level),
        .certain = finding->certainty == RULE_CERTAIN,
        .place = location_of(arena, &finding->place),
        .message = arena_strdup(arena, finding->message),
        .function = arena_strdup(arena, finding->function),
        .fingerprint = arena_strdup(arena, finding->fingerprint),
        .note = note,
        .note_count = count,
    };
    arrput(result->finding, out);
}

static void take_json(struct barlint_result *result, struct report *report)
{
    size_t length;
    FILE *out = open_memstream(&result->json, &length);
    if (!out) {
        error_set(&result->error, ERROR_INTERNAL, "out of memory");
        return;
    }
    report_format_find("json")->print(out, report, false);
    if (fclose(out) != 0)
        error_set(&result->error, ERROR_INTERNAL, "out of memory");
}

static int take_report(struct check *check)
{
    struct barlint_result *result = ((const struct call *)check->options)->result;
    struct report *report = &check->report;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        take_finding(result, &report->findings.finding[i]);
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        if (report->file[i].status == REPORT_FAILED && result->error.kind == ERROR_NONE)
            error_set(&result->error, ERROR_ENVIRONMENT, "%s: %s", report->file[i].path,
                      report->file[i].reason);
    }
    for (ptrdiff_t i = 0; i < arrlen(check->units.complaint); ++i) {
        if (result->error.kind == ERROR_NONE)
            error_set(&result->error, ERROR_ENVIRONMENT, "%s", check->units.complaint[i]);
    }
    take_json(result, report);
    return EXIT_CLEAN;
}

static void set_options(struct call *call, const struct barlint_job *job)
{
    struct options *options = &call->options;
    options_init(options);
    options->failure = &call->result->error;
    options->quiet = options->no_cache = true;
    options->pedantic = job->pedantic;
    options->database = job->database;
    if (job->builtin_headers) {
        options->headers = HEADERS_BUILTIN;
        options->headers_given = true;
    }
    if (job->timeout > 0)
        options->timeout = job->timeout;
    arrput(options->path, job->file);
    options->has_compiler_arguments = job->argument != NULL;
    for (size_t i = 0; i < job->argument_count; ++i)
        arrput(options->compiler_argument,
               arena_strdup(&call->result->arena, job->argument[i])); // reading takes them apart
    if (job->text) {
        struct arena *arena = &call->result->arena;
        struct frontend_unsaved content = {path_absolute(arena, path_current(arena), job->file),
                                           job->text, job->length};
        arrput(options->content, content);
    }
}

struct barlint_result *barlint_check(const struct barlint_job *job)
{
    struct barlint_result *result = calloc(1, sizeof *result);
    if (!result)
        abort();
    arena_init(&result->arena);
    if (!job->file || !job->file[0]) {
        error_set(&result->error, ERROR_USAGE, "no file is named");
        return result;
    }
    struct call call = {.result = result};
    set_options(&call, job);
    check_run(&call.options, take_report);
    options_release(&call.options);
    return result;
}

void barlint_free(struct barlint_result *result)
{
    if (!result)
        return;
    arrfree(result->finding);
    arena_release(&result->arena);
    free(result->json);
    free(result);
}

const char *barlint_error(const struct barlint_result *result)
{
    return result->error.kind == ERROR_NONE ? NULL : result->error.text;
}

size_t barlint_finding_count(const struct barlint_result *result)
{
    return arrlenu(result->finding);
}

const struct barlint_finding *barlint_finding(const struct barlint_result *result, size_t index)
{
    return index < arrlenu(result->finding) ? &result->finding[index] : NULL;
}

const char *barlint_json(const struct barlint_result *result)
{
    return result->json ? result->json : "";
}

const char *barlint_version(void)
{
    return BARLINT_VERSION;
}
