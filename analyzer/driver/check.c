// `barlint check`: the units, the workers, the report.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/units.h"
#include "driver/work.h"

struct check {
    const struct options *options;
    struct units units;
    struct report report;
    struct analysis_extra extra;
    struct work work;
    struct error error; // the first internal one
};

static bool check_rule_names(const char *const *list, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; ++i) {
        struct nearest nearest;
        nearest_init(&nearest, list[i]);
        bool known = false;
        for (size_t k = 0; rule_registry[k]; ++k) {
            known = known || strcmp(rule_registry[k]->id, list[i]) == 0;
            nearest_offer(&nearest, rule_registry[k]->id);
        }
        if (!known && nearest.best)
            return error_set(error, ERROR_USAGE, "there is no rule '%s'; did you mean '%s'?",
                             list[i], nearest.best);
        if (!known)
            return error_set(error, ERROR_USAGE,
                             "there is no rule '%s'; 'barlint rules' lists them", list[i]);
    }
    return true;
}

// Analyses a list of units. False when the user interrupted it.
static bool run_pass(struct check *check, struct unit *units, int *out_signal)
{
    struct work_unit *work = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(units); ++i) {
        if (units[i].refusal)
            report_add_file(&check->report, units[i].file, REPORT_FAILED, units[i].refusal);
        else
            arrput(work, (struct work_unit){.unit = units[i]});
    }
    if (arrlen(work) == 1)
        work[0].unit.is_alone = true;
    bool finished = work_run(&check->work, work, arrlenu(work), out_signal);
    for (ptrdiff_t i = 0; i < arrlen(work); ++i) {
        struct error error = {0};
        if (finished &&
            !analysis_add(&check->report, &check->extra, &work[i].unit, work[i].result,
                          work[i].reason, &error) &&
            check->error.kind == ERROR_NONE)
            check->error = error;
        check->report.from_store += work[i].from_store;
        work_unit_release(&work[i]);
    }
    arrfree(work);
    return finished;
}

// A second pass for the headers that no unit read; the others were analysed there.
static bool run_headers(struct check *check, int *out_signal)
{
    struct units *units = &check->units;
    arrsetlen(units->unit, 0);
    for (ptrdiff_t i = 0; i < arrlen(units->header); ++i) {
        if (shgeti(check->extra.read, units->header[i]) < 0 && check->error.kind == ERROR_NONE)
            units_take_header(units, check->options, units->header[i], &check->error);
    }
    return check->error.kind != ERROR_NONE || run_pass(check, units->unit, out_signal);
}

static void mark_disabled(struct check *check)
{
    // Which rules did not run, by the command line, over any file; the configuration's are there.
    for (ptrdiff_t i = 0; i < arrlen(check->report.file); ++i) {
        for (size_t k = 0; rule_registry[k]; ++k) {
            if (!rule_runs(check->options, check->units.configs.config[0], rule_registry[k]->id))
                arrput(check->report.file[i].disabled, rule_registry[k]->id);
        }
    }
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
    if (options->only_index)
        ; // what was found is for the store
    else if (options->format == FORMAT_JSON)
        report_print_json(out, report);
    else if (options->format == FORMAT_CONCISE)
        report_print_concise(out, report);
    else
        report_print_text(out, report, driver_wants_color(options, out));
    struct error error = {0};
    if (!driver_close(out, options->output, &error))
        return driver_fail(&error);
    if (options->format != FORMAT_JSON && !options->quiet && !options->only_index)
        report_print_summary(stderr, report);
    if (options->stats)
        report_print_statistics(stderr, report);
    if (report_files_with(report, REPORT_FAILED) > 0 || check->units.incomplete)
        return EXIT_INCOMPLETE;
    return !options->fail_on_nothing && report_count(report, options->fail_on) > 0 ? EXIT_FINDINGS
                                                                                   : EXIT_CLEAN;
}

static int analyse_and_report(struct check *check, FILE *out)
{
    const struct options *options = check->options;
    int signal_number = 0;
    bool finished =
        run_pass(check, check->units.unit, &signal_number) && run_headers(check, &signal_number);
    kept_save(&check->work.kept);
    check->report.parse_seconds = check->work.seconds[0];
    check->report.lower_seconds = check->work.seconds[1];
    check->report.analysis_seconds = check->work.seconds[2];
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
    mark_disabled(check);
    struct report_options finish = {
        .rules = rule_registry, .folder = check->units.folder, .pedantic = options->pedantic};
    report_finish(&check->report, &finish);
    return print_report(check, out);
}

static int run(struct check *check, FILE *out)
{
    print_complaints(check);
    work_init(&check->work, check->options, &check->units);
    int status = analyse_and_report(check, out);
    const struct report *report = &check->report;
    work_remember(&check->work, report_files_with(report, REPORT_FAILED),
                  arrlenu(report->findings.finding), status);
    work_release(&check->work);
    return status;
}

int command_check(struct options *options)
{
    struct check check = {.options = options};
    struct error error = {0};
    if (options->json)
        options->format = FORMAT_JSON;
    if (!check_rule_names(options->only, arrlenu(options->only), &error) ||
        !check_rule_names(options->disabled, arrlenu(options->disabled), &error))
        return driver_fail(&error);
    report_init(&check.report);
    check.extra.arena = &check.report.findings.arena;
    FILE *out = NULL;
    int status;
    if (!units_find(&check.units, options, &error) || !(out = driver_open(options->output, &error)))
        status = driver_fail(&error);
    else
        status = run(&check, out);
    arrfree(check.extra.missing);
    shfree(check.extra.read);
    report_release(&check.report);
    units_release(&check.units);
    return status;
}
