// `barlint check`: the units, the workers, the report.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/baseline.h"
#include "driver/driver.h"
#include "driver/run/check.h"
#include "driver/run/rewrite.h"
#include "driver/run/shard.h"
#include "driver/settings/settings.h"
#include "report/diff.h"
#include "report/patch.h"

enum {
    MOST_ROUNDS = 10,      // of fixes: one may make room for another
    MOST_INPUT = 64 << 20, // bytes of standard input
    AGAIN = -1,            // instead of an exit status: files were changed
};

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
    bool finished = work_run(&check->work, work, arrlenu(work), out_signal);
    for (ptrdiff_t i = 0; i < arrlen(work); ++i) {
        struct error error = {0};
        if (finished &&
            !analysis_add(&check->report, &check->extra, &work[i].unit, work[i].result,
                          work[i].reason, &error) &&
            check->error.kind == ERROR_NONE)
            check->error = error;
        check->analysed += work[i].result != NULL;
        ++check->units_begun;
        check->report.from_store += work[i].from_store;
        check->report.known_kernels += work[i].known_kernels;
        if (check->report.shard)
            shard_add(check->report.shard, &work[i]);
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

// The end of a run without a report.
static int fail(const struct check *check, const struct error *error)
{
    if (!check->options->failure)
        return driver_fail(error);
    *check->options->failure = *error;
    return EXIT_INTERNAL;
}

static void print_complaints(struct check *check)
{
    if (check->options->failure)
        return;
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

enum { MISSING_SHOWN = 8 }; // headers that are named

// One line: which headers, what they are, what comes of it. Nothing where there are none.
static void print_headers(const char **header, const char *level, const char *what,
                          const char *outcome)
{
    size_t count = arrlenu(header);
    if (count == 0)
        return;
    qsort(header, count, sizeof header[0], compare_text);
    fprintf(stderr, "barlint: %s: %zu header%s %s:", level, count, count == 1 ? " is" : "s are",
            what);
    for (size_t i = 0; i < count && i < MISSING_SHOWN; ++i)
        fprintf(stderr, "%s %s", i ? "," : "", header[i]);
    if (count > MISSING_SHOWN)
        fprintf(stderr, " and %zu more", count - MISSING_SHOWN);
    fprintf(stderr, "; %s\n", outcome);
}

enum { PARTIAL_SHOWN = 3 }; // files of which it is said why

// Why files are analysed in part. Where a header is missing, what follows from that is not told
// apart from what does not.
static void print_partial(const struct check *check)
{
    const struct report *report = &check->report;
    uint32_t partial = report_files_with(report, REPORT_PARTIAL), shown = 0;
    if (arrlen(check->extra.missing) > 0)
        return;
    for (ptrdiff_t i = 0; i < arrlen(report->file) && shown < PARTIAL_SHOWN; ++i) {
        const struct report_file *file = &report->file[i];
        if (file->status != REPORT_PARTIAL)
            continue;
        fprintf(stderr, "barlint: warning: %s is analysed in part: %s\n",
                path_shown(report->folder, file->path), file->reason);
        ++shown;
    }
    if (partial > shown)
        fprintf(stderr, "barlint: warning: so %s %u more; --format=json says why\n",
                partial - shown == 1 ? "is" : "are", partial - shown);
}

void check_print_problems(struct check *check)
{
    struct report *report = &check->report;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        if (report->file[i].status == REPORT_FAILED)
            fprintf(stderr, "barlint: %s: %s\n", path_shown(report->folder, report->file[i].path),
                    report->file[i].reason);
    }
    if (check->options->quiet)
        return;
    print_headers(check->extra.missing, "warning", "not found",
                  "what does not need them is analysed ('-- -I DIR' gives a folder of headers)");
    print_partial(check);
    print_headers(check->extra.stand_ins, "note", "of torch, which is not found",
                  "barlint's own declarations stand in ('-- -I DIR' gives a folder of headers)");
}

int check_completeness(const struct check *check)
{
    bool complete =
        report_files_with(&check->report, REPORT_FAILED) == 0 && !check->units.incomplete;
    return complete ? EXIT_CLEAN : EXIT_INCOMPLETE;
}

static int print_report(struct check *check)
{
    const struct options *options = check->options;
    struct report *report = &check->report;
    check_print_problems(check);
    struct error error = {0};
    if (!outputs_print(check->output, options, report, &error))
        return driver_fail(&error);
    size_t stale = check->has_baseline ? baseline_print_stale(check) : 0;
    if (outputs_are_for_people(check->output) && !options->quiet)
        report_print_summary(stderr, report);
    if (options->stats)
        report_print_statistics(stderr, report);
    if (check_completeness(check) != EXIT_CLEAN)
        return EXIT_INCOMPLETE;
    if (stale && options->strict_baseline)
        return EXIT_USAGE;
    return !options->fail_on_nothing && report_count(report, options->fail_on) > 0 ? EXIT_FINDINGS
                                                                                   : EXIT_CLEAN;
}

// --- Fixes ---------------------------------------------------------------------------------------

static struct frontend_unsaved *text_of(struct frontend_unsaved *list, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(list); ++i) {
        if (strcmp(list[i].path, path) == 0)
            return &list[i];
    }
    return NULL;
}

// Puts the text into the list, in the place of what it has of that file.
static void put_text(struct frontend_unsaved **list, const char *path, const char *text,
                     size_t length)
{
    struct frontend_unsaved *known = text_of(*list, path);
    if (known) {
        known->text = text;
        known->length = length;
    } else {
        arrput(*list, ((struct frontend_unsaved){path, text, length}));
    }
}

// Has the next round read what the fixes make of the files, which stay as they are.
static void keep_fixed(struct check *check, const struct patch *patch)
{
    const struct frontend_unsaved *input = check->options->content;
    for (ptrdiff_t i = 0; i < arrlen(input) && !check->fixed_file; ++i)
        put_text(&check->fixed_file, input[i].path, input[i].text, input[i].length);
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i) {
        const struct patch_file *file = &patch->file[i];
        const struct source *source = file->source;
        const char *path = arena_strdup(check->kept, file->path);
        char *text = patch_text(file);
        if (!text_of(check->old_file, path))
            put_text(&check->old_file, path,
                     arena_strndup(check->kept, source->text, source->length), source->length);
        put_text(&check->fixed_file, path,
                 arena_strndup(check->kept, text ? text : "", arrlenu(text)), arrlenu(text));
        arrfree(text);
    }
}

static int compare_path(const void *a, const void *b)
{
    return strcmp(((const struct frontend_unsaved *)a)->path,
                  ((const struct frontend_unsaved *)b)->path);
}

static int print_diff(struct check *check)
{
    struct output *output = &check->output[0];
    struct error error = {0};
    check_print_problems(check);
    if (arrlen(check->old_file))
        qsort(check->old_file, arrlenu(check->old_file), sizeof check->old_file[0], compare_path);
    for (ptrdiff_t i = 0; i < arrlen(check->old_file); ++i) {
        const struct frontend_unsaved *old = &check->old_file[i];
        const struct frontend_unsaved *now = text_of(check->fixed_file, old->path);
        diff_print(output->file, path_shown(check->report.folder, old->path), old->text,
                   old->length, now->text, now->length);
    }
    if (!driver_close(output->file, output->path, &error))
        return driver_fail(&error);
    if (check_completeness(check) != EXIT_CLEAN)
        return EXIT_INCOMPLETE;
    return arrlen(check->old_file) > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

static void print_unfixed(const struct check *check, const struct patch *patch)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->stale); ++i)
        fprintf(stderr, "barlint: %s is not fixed: it changed since it was read\n",
                path_shown(check->report.folder, patch->stale[i]));
}

// The end of a round: the report, the diff, or fixes after which all is looked at anew.
static int conclude_check(struct check *check)
{
    const struct options *options = check->options;
    bool fixes = (options->fix || options->diff) && check->round < MOST_ROUNDS;
    struct patch patch = {0};
    if (fixes) {
        patch_init(&patch, &check->report, options->unsafe_fixes);
        print_unfixed(check, &patch);
    }
    int status = AGAIN;
    if (options->diff && arrlen(patch.file) > 0)
        keep_fixed(check, &patch);
    else if (options->diff)
        status = print_diff(check);
    else if (!fixes || rewrite_files(&patch, &check->report) == 0)
        status = print_report(check);
    if (status == AGAIN) {
        outputs_abandon(check->output);
        check->fixed += options->diff ? 0 : patch.fixes;
    }
    patch_release(&patch);
    return status;
}

// --- The run -------------------------------------------------------------------------------------

static void finish_report(struct check *check)
{
    struct settings settings = {.options = check->options, .units = &check->units};
    struct report_options finish = {
        .rules = rule_registry,
        .folder = check->units.folder,
        .root = repository_root(&check->units.arena, check->units.folder),
        .settings = settings_of(&settings),
        .baseline = check->has_baseline ? &check->baseline : NULL,
        .changes = check->has_changes ? &check->changes : NULL,
        .pedantic = check->options->pedantic,
        .tells_silenced = check->options->show_suppressed,
    };
    for (ptrdiff_t i = 0; i < arrlen(check->units.content); ++i) {
        const struct frontend_unsaved *file = &check->units.content[i];
        sources_put(&check->report.sources, file->path, file->text, file->length);
    }
    report_finish(&check->report, &finish);
    if (check->error.kind == ERROR_NONE)
        check->error = settings.error;
}

// Whether the documents that are merged are those of this very check.
static bool is_covered(struct check *check)
{
    const struct units *units = &check->units;
    size_t count = arrlenu(units->unit);
    struct kept_unit *known = NULL; // stb_ds array
    arrsetlen(known, count);
    kept_find(&check->work.kept, units->unit, count, known);
    bool good = given_covers(check->options->given, known, units->unit, count, &check->error);
    arrfree(known);
    return good;
}

static int analyse(struct check *check, int (*conclude)(struct check *))
{
    int signal_number = 0;
    if (check->options->given && !is_covered(check)) {
        outputs_abandon(check->output);
        return fail(check, &check->error);
    }
    bool finished =
        run_pass(check, check->units.unit, &signal_number) && run_headers(check, &signal_number);
    kept_save(&check->work.kept);
    check->report.parse_seconds = check->work.seconds[0];
    check->report.lower_seconds = check->work.seconds[1];
    check->report.analysis_seconds = check->work.seconds[2];
    if (!finished) {
        outputs_abandon(check->output);
        fprintf(stderr, "barlint: interrupted after %u of %u units: nothing is reported%s\n",
                check->analysed, check->units_begun,
                check->work.kept.store && check->analysed ? ", and their results are kept" : "");
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (check->error.kind == ERROR_NONE)
        finish_report(check);
    if (check->error.kind != ERROR_NONE) {
        outputs_abandon(check->output);
        return fail(check, &check->error);
    }
    return conclude(check);
}

static int run(struct check *check, int (*conclude)(struct check *))
{
    print_complaints(check);
    work_init(&check->work, check->options, &check->units);
    int status = analyse(check, conclude);
    const struct report *report = &check->report;
    work_remember(&check->work, report_files_with(report, REPORT_FAILED),
                  arrlenu(report->findings.finding), status);
    work_release(&check->work);
    return status;
}

// What git has to say, before the units are looked for: without paths, the staged files are they.
static bool ask_git(struct check *check, struct options *options, struct error *error)
{
    if (!options->staged && !options->diff_base)
        return true;
    if (options->staged && options->diff_base)
        return error_set(error, ERROR_USAGE, "--staged and --diff-base exclude each other");
    if (options->staged && (options->fix || options->diff))
        return error_set(error, ERROR_USAGE, "--staged looks at the index, and --fix at files");
    char *folder = getcwd(NULL, 0);
    bool good;
    if (options->staged)
        good = repository_staged(&check->staged, &check->changes, folder ? folder : "/", error);
    else
        good =
            repository_changes(&check->changes, folder ? folder : "/", options->diff_base, error);
    free(folder);
    check->has_changes = true;
    for (ptrdiff_t i = 0; good && i < arrlen(check->staged.path); ++i) {
        const char *path = check->staged.path[i];
        if (!check->takes_paths && (path_has_ending(path, ".cu") || path_has_ending(path, ".cuh")))
            arrput(options->path, path);
    }
    return good;
}

// The path `-` stands for a file that standard input holds the content of, whatever the disk holds.
static bool take_input(struct check *check, struct options *options, struct error *error)
{
    ptrdiff_t at = 0;
    while (at < arrlen(options->path) && strcmp(options->path[at], "-") != 0)
        ++at;
    if (at == arrlen(options->path) || arrlen(options->content) > 0)
        return true;
    if (arrlen(options->path) > 1 || options->staged || options->fix || options->shard_count)
        return error_set(error, ERROR_USAGE,
                         "'-' is the only path where it is one, and goes with none of --staged, "
                         "--fix and --shard");
    struct arena *arena = check->kept;
    char *text = NULL; // stb_ds array
    char bytes[65536];
    size_t got;
    while (arrlenu(text) < MOST_INPUT && (got = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        memcpy(arraddnptr(text, got), bytes, got);
    const char *file = options->stdin_file ? options->stdin_file : "stdin.cu";
    char *folder = getcwd(NULL, 0);
    struct frontend_unsaved content = {path_absolute(arena, folder ? folder : "/", file),
                                       arena_strndup(arena, text ? text : "", arrlenu(text)),
                                       arrlenu(text)};
    bool is_text = !memchr(content.text, 0, content.length);
    free(folder);
    arrfree(text);
    if (ferror(stdin) || content.length >= MOST_INPUT || !is_text)
        return error_set(error, ERROR_USAGE, "standard input holds no source that can be read");
    arrput(options->content, content);
    options->path[at] = content.path;
    return true;
}

// Texts that stand for files: those of the index, those with the fixes of earlier rounds, which
// have what standard input holds among them where it was fixed, or that.
static const struct frontend_unsaved *content_of(struct check *check, const struct options *options)
{
    if (options->staged)
        return check->staged.content;
    return check->fixed_file ? check->fixed_file : options->content;
}

static bool prepare(struct check *check, struct options *options, struct error *error)
{
    check->takes_paths = arrlen(options->path) > 0;
    if (!rules_exist(options, error) || !ask_git(check, options, error) ||
        !take_input(check, options, error))
        return false;
    check->units.content = content_of(check, options);
    if (options->staged && arrlen(options->path) == 0)
        return units_init(&check->units, error);
    if (!units_find(&check->units, options, error))
        return false;
    if (options->shard_count)
        shard_select(&check->units, options->shard_index, options->shard_count);
    return true;
}

static int check_once(struct check *check, struct options *options, int (*conclude)(struct check *))
{
    struct error error = {0};
    *check = (struct check){.options = options,
                            .round = check->round,
                            .fixed = check->fixed,
                            .kept = check->kept,
                            .fixed_file = check->fixed_file,
                            .old_file = check->old_file};
    report_init(&check->report);
    changes_init(&check->changes);
    check->extra.arena = &check->report.findings.arena;
    int status;
    if (!prepare(check, options, &error) || !baseline_open(check, &error) ||
        (!options->only_index && !options->failure &&
         !outputs_open(&check->output, options, &error))) {
        status = fail(check, &error);
    } else {
        // What a shard found out is for whatever output a merge has.
        bool is_part = options->shard_count || options->given;
        options->draws_schedules = is_part || outputs_draw(check->output);
        check->report.shard = options->shard_count ? shard_begin(options) : NULL;
        status = run(check, conclude);
    }
    arrfree(check->output);
    arrfree(check->extra.missing);
    arrfree(check->extra.stand_ins);
    shfree(check->extra.read);
    report_release(&check->report);
    units_release(&check->units);
    staged_release(&check->staged);
    changes_release(&check->changes);
    baseline_release(&check->baseline);
    return status;
}

int check_run(struct options *options, int (*conclude)(struct check *check))
{
    struct arena kept;
    arena_init(&kept);
    struct check check = {.kept = &kept};
    int status;
    while ((status = check_once(&check, options, conclude)) == AGAIN)
        ++check.round;
    arrfree(check.fixed_file);
    arrfree(check.old_file);
    arena_release(&kept);
    if (check.fixed && !options->quiet)
        fprintf(stderr, "%u fixed\n", check.fixed);
    return status;
}

int command_check(struct options *options)
{
    if (options->json)
        arrput(options->format, "json");
    struct error error = {0};
    if (options->shard_count && (options->staged || options->fix || options->diff)) {
        error_set(&error, ERROR_USAGE, "--shard goes with none of --staged, --fix and --diff");
        return driver_fail(&error);
    }
    if (options->unsafe_fixes && !options->fix && !options->diff) {
        error_set(&error, ERROR_USAGE, "--unsafe-fixes goes with --fix or --diff");
        return driver_fail(&error);
    }
    return check_run(options, conclude_check);
}
