// `barlint check`: the units, the workers, the report.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/pool.h"
#include "driver/rewrite.h"
#include "driver/units.h"

enum {
    MOST_ROUNDS = 10,     // of --fix: a fix may make room for another
    PROGRESS_AFTER = 500, // milliseconds
};

struct check {
    const struct options *options;
    struct units units;
    struct unit *unit; // of the pass at hand
    struct report report;
    struct analysis_extra extra;
    struct error error; // the first internal one
    double started;
    bool shows_progress;
    unsigned round; // of --fix
    uint32_t fixed; // findings, in all rounds
};

enum { AGAIN = -1 }; // instead of an exit status: files were changed

static json_t *work(void *context, size_t index)
{
    struct check *check = context;
    return unit_analyse(check->options, &check->unit[index]);
}

static void clear_progress(const struct check *check)
{
    if (check->shows_progress)
        fputs("\r\033[K", stderr);
}

static void progress(void *context, size_t ended, size_t count)
{
    struct check *check = context;
    if (!check->shows_progress || (clock_seconds() - check->started) * 1000 < PROGRESS_AFTER)
        return;
    fprintf(stderr, "\r\033[K%zu of %zu units", ended, count);
    fflush(stderr);
}

static void done(void *context, size_t index, const json_t *result, const char *reason)
{
    struct check *check = context;
    struct error error = {0};
    if (!analysis_add(&check->report, &check->extra, check->options, &check->unit[index], result,
                      reason, &error) &&
        check->error.kind == ERROR_NONE)
        check->error = error;
}

// Analyses a list of units. False when the user interrupted it.
static bool run_pass(struct check *check, struct unit *units, int *out_signal)
{
    struct unit *todo = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(units); ++i) {
        if (units[i].refusal)
            report_add_file(&check->report, units[i].file, REPORT_FAILED, units[i].refusal);
        else
            arrput(todo, units[i]);
    }
    if (arrlen(todo) == 1)
        todo[0].is_alone = true;
    check->unit = todo;
    struct pool pool = {
        .task = {.timeout = check->options->timeout,
                 .memory_limit = check->options->memory_limit,
                 .work = work,
                 .context = check},
        .jobs = check->options->jobs ? check->options->jobs : pool_processors(),
        .done = done,
        .progress = progress,
    };
    bool finished = pool_run(&pool, arrlenu(todo), out_signal);
    clear_progress(check);
    arrfree(todo);
    return finished;
}

// A second pass for the headers that no unit read; the others were analysed there.
static bool run_headers(struct check *check, int *out_signal)
{
    struct units *units = &check->units;
    arrsetlen(units->unit, 0);
    for (ptrdiff_t i = 0; i < arrlen(units->header); ++i) {
        if (shgeti(check->extra.read, units->header[i]) < 0 && check->error.kind == ERROR_NONE)
            units_take_file(units, check->options, units->header[i], &check->error);
    }
    return check->error.kind != ERROR_NONE || run_pass(check, units->unit, out_signal);
}

static void print_complaints(struct check *check)
{
    for (ptrdiff_t i = 0; i < arrlen(check->units.complaint); ++i)
        driver_warn(check->units.complaint[i]);
    if (check->units.without_entry && !check->options->quiet)
        fprintf(stderr,
                "barlint: warning: the compile database does not list %zu of the files; defaults "
                "are assumed for them\n",
                check->units.without_entry);
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_problems(struct check *check)
{
    struct report *report = &check->report;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        if (report->file[i].status == REPORT_FAILED)
            fprintf(stderr, "barlint: %s: %s\n", path_shown(report->folder, report->file[i].path),
                    report->file[i].reason);
    }
    size_t count = arrlenu(check->extra.missing);
    if (count == 0 || check->options->quiet)
        return;
    qsort(check->extra.missing, count, sizeof check->extra.missing[0], compare_text);
    fprintf(stderr, "barlint: warning: %zu header%s not found:", count,
            count == 1 ? " is" : "s are");
    for (size_t i = 0; i < count; ++i)
        fprintf(stderr, "%s %s", i ? "," : "", check->extra.missing[i]);
    fputs("; what does not need them is analysed\n", stderr);
}

static int print_report(struct check *check, FILE *out)
{
    const struct options *options = check->options;
    struct report *report = &check->report;
    print_problems(check);
    if (options->format == FORMAT_JSON)
        report_print_json(out, report);
    else if (options->format == FORMAT_CONCISE)
        report_print_concise(out, report);
    else
        report_print_text(out, report, driver_wants_color(options, out));
    struct error error = {0};
    if (!driver_close(out, options->output, &error))
        return driver_fail(&error);
    if (options->format != FORMAT_JSON && !options->quiet)
        report_print_summary(stderr, report);
    if (options->stats)
        report_print_statistics(stderr, report);
    if (report_files_with(report, REPORT_FAILED) > 0 || check->units.incomplete)
        return EXIT_INCOMPLETE;
    return !options->fail_on_nothing && report_count(report, options->fail_on) > 0 ? EXIT_FINDINGS
                                                                                   : EXIT_CLEAN;
}

// --- Fixes ---------------------------------------------------------------------------------------

static int print_diff(struct check *check, const struct patch *patch, FILE *out)
{
    print_problems(check);
    patch_print(out, patch, &check->report);
    struct error error = {0};
    if (!driver_close(out, check->options->output, &error))
        return driver_fail(&error);
    if (report_files_with(&check->report, REPORT_FAILED) > 0 || check->units.incomplete)
        return EXIT_INCOMPLETE;
    return arrlen(patch->file) > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void print_stale(const struct check *check, const struct patch *patch)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->stale); ++i)
        fprintf(stderr, "barlint: %s is not fixed: it changed since it was read\n",
                path_shown(check->report.folder, patch->stale[i]));
}

// The end of a round: the report, the diff, or a change of the files after which all is looked at
// anew.
static int conclude(struct check *check, FILE *out)
{
    const struct options *options = check->options;
    if (!options->diff && !(options->fix && check->round < MOST_ROUNDS))
        return print_report(check, out);
    struct patch patch;
    patch_init(&patch, &check->report, options->unsafe_fixes);
    print_stale(check, &patch);
    int status = AGAIN;
    if (options->diff)
        status = print_diff(check, &patch, out);
    else if (rewrite_files(&patch, &check->report) == 0)
        status = print_report(check, out);
    else
        driver_abandon(out, options->output);
    if (status == AGAIN)
        check->fixed += patch.fixes;
    patch_release(&patch);
    return status;
}

static int run(struct check *check, FILE *out)
{
    const struct options *options = check->options;
    int signal_number = 0;
    check->started = clock_seconds();
    check->shows_progress = isatty(STDERR_FILENO) && !options->quiet;
    print_complaints(check);
    bool finished =
        run_pass(check, check->units.unit, &signal_number) && run_headers(check, &signal_number);
    if (!finished) {
        driver_abandon(out, options->output);
        fputs("barlint: interrupted\n", stderr);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (check->error.kind != ERROR_NONE) {
        driver_abandon(out, options->output);
        return driver_fail(&check->error);
    }
    struct report_options finish = {
        .rules = rule_registry, .folder = check->units.folder, .pedantic = options->pedantic};
    report_finish(&check->report, &finish);
    return conclude(check, out);
}

static int check_once(struct check *check)
{
    const struct options *options = check->options;
    struct error error = {0};
    report_init(&check->report);
    check->extra = (struct analysis_extra){.arena = &check->report.findings.arena};
    FILE *out = NULL;
    int status;
    if (!units_find(&check->units, options, &error) ||
        !(out = driver_open(options->output, &error)))
        status = driver_fail(&error);
    else
        status = run(check, out);
    arrfree(check->extra.missing);
    shfree(check->extra.read);
    report_release(&check->report);
    units_release(&check->units);
    return status;
}

int command_check(struct options *options)
{
    struct check check = {.options = options};
    struct error error = {0};
    if (options->json)
        options->format = FORMAT_JSON;
    if (options->unsafe_fixes && !options->fix && !options->diff) {
        error_set(&error, ERROR_USAGE, "--unsafe-fixes goes with --fix or --diff");
        return driver_fail(&error);
    }
    if (!rules_exist(options, &error))
        return driver_fail(&error);
    int status;
    while ((status = check_once(&check)) == AGAIN)
        ++check.round;
    if (check.fixed && !options->quiet)
        fprintf(stderr, "%u fixed\n", check.fixed);
    return status;
}
