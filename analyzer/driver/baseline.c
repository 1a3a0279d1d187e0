// `barlint baseline`, and what `barlint check` does with a baseline.
#include "driver/baseline.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"

enum { STALE_SHOWN = 20 };

static const char default_name[] = "barlint-baseline.json";

// Where the baseline is: as the command line or the configuration for files in the current folder
// says. NULL where neither does and the run can do without one.
static const char *find_path(struct check *check, struct error *error)
{
    struct units *units = &check->units;
    if (check->options->baseline)
        return path_absolute(&units->arena, units->folder, check->options->baseline);
    const struct config *config = units_config(
        units, check->options, arena_printf(&units->arena, "%s/.", units->folder), error);
    if (!config || config->baseline || check->options->baseline_use == BASELINE_APPLIED)
        return config ? config->baseline : NULL;
    return path_absolute(&units->arena, units->folder, default_name);
}

bool baseline_open(struct check *check, struct error *error)
{
    error->kind = ERROR_NONE;
    const char *path = find_path(check, error);
    if (error->kind != ERROR_NONE)
        return false;
    if (!path)
        return !check->options->strict_baseline ||
               error_set(error, ERROR_USAGE, "--strict-baseline needs a baseline");
    baseline_init(&check->baseline, path);
    if (check->options->baseline_use == BASELINE_CREATED)
        return access(path, F_OK) != 0 ||
               error_set(error, ERROR_USAGE,
                         "'%s' is there already; 'barlint baseline update --accept-new' adds to it",
                         path_shown(check->units.folder, path));
    check->has_baseline = true;
    return baseline_read(&check->baseline, error);
}

static bool was_analysed(const struct check *check, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(check->report.file); ++i) {
        const struct report_file *file = &check->report.file[i];
        if (strcmp(file->path, path) == 0)
            return file->status == REPORT_OK;
    }
    bool whole = !check->takes_paths && check_completeness(check) == EXIT_CLEAN;
    struct analysis_extra *extra = (struct analysis_extra *)&check->extra;
    return whole && shgeti(extra->read, path) >= 0;
}

static bool is_stale(const struct check *check, const struct baseline_entry *entry)
{
    const struct options *options = check->options;
    bool all_rules = arrlen(options->only) == 0 && arrlen(options->disabled) == 0;
    return entry->left > 0 && all_rules && (entry->gone || was_analysed(check, entry->file));
}

size_t baseline_print_stale(struct check *check)
{
    size_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(check->baseline.entry); ++i) {
        const struct baseline_entry *entry = &check->baseline.entry[i];
        if (!is_stale(check, entry))
            continue;
        if (count++ < STALE_SHOWN && !check->options->quiet)
            fprintf(stderr, "barlint: baseline: %s: '%s' in '%s' is not found any more\n",
                    path_shown(check->units.folder, entry->file), entry->rule, entry->function);
    }
    if (count && !check->options->quiet)
        fprintf(stderr, "barlint: %zu entr%s of the baseline can go: 'barlint baseline prune'\n",
                count, count == 1 ? "y" : "ies");
    return count;
}

// --- barlint baseline ----------------------------------------------------------------------------

static int write_baseline(struct check *check)
{
    struct error error = {0};
    struct baseline *baseline = &check->baseline;
    check_print_problems(check);
    FILE *out = driver_open(baseline->path, &error);
    if (!out)
        return driver_fail(&error);
    size_t count = baseline_write(out, baseline);
    if (!driver_close(out, baseline->path, &error))
        return driver_fail(&error);
    if (!check->options->quiet)
        fprintf(stderr, "barlint: '%s' lists %zu finding%s\n",
                path_shown(check->units.folder, baseline->path), count, count == 1 ? "" : "s");
    return check_completeness(check);
}

static void add_new(struct check *check)
{
    for (ptrdiff_t i = 0; i < arrlen(check->report.findings.finding); ++i)
        baseline_add(&check->baseline, &check->report.findings.finding[i]);
}

static int conclude_create(struct check *check)
{
    add_new(check);
    return write_baseline(check);
}

static int conclude_prune(struct check *check)
{
    for (ptrdiff_t i = 0; i < arrlen(check->baseline.entry); ++i) {
        struct baseline_entry *entry = &check->baseline.entry[i];
        if (is_stale(check, entry))
            entry->count -= entry->left;
    }
    return write_baseline(check);
}

// What is found is written anew, under the file where it is now; what this run could not have found
// stays.
static int conclude_update(struct check *check)
{
    const struct report *report = &check->report;
    ptrdiff_t fresh = arrlen(report->findings.finding);
    for (ptrdiff_t i = 0; i < arrlen(check->baseline.entry); ++i) {
        struct baseline_entry *entry = &check->baseline.entry[i];
        entry->count = is_stale(check, entry) ? 0 : entry->left;
    }
    for (ptrdiff_t i = 0; i < arrlen(report->silenced); ++i) {
        if (report->silenced[i].silence == FINDING_BASELINED)
            baseline_add(&check->baseline, &report->silenced[i]);
    }
    if (check->options->accept_new)
        add_new(check);
    else if (fresh && !check->options->quiet)
        fprintf(stderr, "barlint: %td new finding%s left out; --accept-new takes %s\n", fresh,
                fresh == 1 ? " is" : "s are", fresh == 1 ? "it" : "them");
    return write_baseline(check);
}

static int show(struct options *options)
{
    struct check check = {.options = options};
    struct error error = {0};
    int status = EXIT_CLEAN;
    if (!units_init(&check.units, &error) || !baseline_open(&check, &error))
        status = driver_fail(&error);
    for (ptrdiff_t i = 0; status == EXIT_CLEAN && i < arrlen(check.baseline.entry); ++i) {
        const struct baseline_entry *entry = &check.baseline.entry[i];
        printf("%s: %s in '%s'", path_shown(check.units.folder, entry->file), entry->rule,
               entry->function);
        if (entry->count > 1)
            printf(", %u times", entry->count);
        puts(entry->gone ? ", but the file is gone" : "");
    }
    baseline_release(&check.baseline);
    units_release(&check.units);
    return status;
}

int command_baseline(struct options *options)
{
    static const char *const actions[] = {"create", "update", "prune", "show"};
    struct error error = {0};
    struct nearest nearest;
    const char *word = arrlen(options->path) ? options->path[0] : "";
    size_t action = 0;
    nearest_init(&nearest, word);
    while (action < 4 && strcmp(actions[action], word) != 0)
        nearest_offer(&nearest, actions[action++]);
    if (action == 4) {
        error_set(&error, ERROR_USAGE,
                  "'barlint baseline' takes create, update, prune or show, not '%s'%s%s%s", word,
                  nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                  nearest.best ? "'?" : "");
        return driver_fail(&error);
    }
    arrdel(options->path, 0);
    options->baseline_use = action == 0 ? BASELINE_CREATED : BASELINE_CHANGED;
    static int (*const conclude[])(struct check *) = {conclude_create, conclude_update,
                                                      conclude_prune};
    return action == 3 ? show(options) : check_run(options, conclude[action]);
}
