#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "report/baseline.h"
#include "report/changes.h"
#include "report/merge.h"
#include "report/suppress.h"

#define UNUSED_RULE "unused-suppression"

static const char *const status_names[] = {
    [REPORT_OK] = "ok",
    [REPORT_PARTIAL] = "partial",
    [REPORT_FAILED] = "failed",
};

const char *report_status_name(enum report_status status)
{
    return status_names[status];
}

bool report_status_parse(const char *word, enum report_status *out)
{
    for (int status = REPORT_OK; status <= REPORT_FAILED; ++status) {
        if (strcmp(word, status_names[status]) == 0) {
            *out = (enum report_status)status;
            return true;
        }
    }
    return false;
}

void report_init(struct report *report)
{
    *report = (struct report){0};
    findings_init(&report->findings);
    sources_init(&report->sources);
}

void report_release(struct report *report)
{
    arrfree(report->file);
    shfree(report->file_index);
    for (ptrdiff_t i = 0; i < arrlen(report->silenced); ++i)
        finding_clear(&report->silenced[i]);
    arrfree(report->silenced);
    json_decref(report->shard);
    sources_release(&report->sources);
    findings_release(&report->findings);
}

struct report_file *report_add_file(struct report *report, const char *path,
                                    enum report_status status, const char *reason)
{
    struct arena *arena = &report->findings.arena;
    ptrdiff_t known = shgeti(report->file_index, path);
    if (known >= 0) {
        struct report_file *file = &report->file[report->file_index[known].value];
        bool worse = status > file->status;
        // The same status for another reason: the smaller text, whatever the order of arrival.
        bool other = status == file->status && reason[0] &&
                     (!file->reason[0] || strcmp(reason, file->reason) < 0);
        if (worse || other) {
            file->status = status;
            file->reason = arena_strdup(arena, reason);
        }
        return file;
    }
    struct report_file file = {arena_strdup(arena, path), status, arena_strdup(arena, reason)};
    shput(report->file_index, (char *)file.path, arrlen(report->file));
    arrput(report->file, file);
    return &report->file[arrlen(report->file) - 1];
}

uint32_t report_count(const struct report *report, enum rule_level level)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        count += report->findings.finding[i].level >= level;
    return count;
}

uint32_t report_files_with(const struct report *report, enum report_status status)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i)
        count += report->file[i].status == status;
    return count;
}

// --- Suppression -----------------------------------------------------------------------------

struct file_suppressions {
    char *key; // path
    struct suppression *value;
};

// Whether the rule is on for the file; its level is set where the configuration gives one.
static bool is_on(const struct report_options *options, const char *file, const char *rule,
                  enum rule_level *level)
{
    const struct report_settings *settings = &options->settings;
    return !settings->rule || settings->rule(settings->context, file, rule, level);
}

static bool needs_reason(const struct report_options *options, const char *file)
{
    const struct report_settings *settings = &options->settings;
    return settings->needs_reason && settings->needs_reason(settings->context, file);
}

// Without the reason that is required a suppression covers no line, and is reported.
static struct suppression *suppressions_of(struct report *report,
                                           const struct report_options *options,
                                           struct file_suppressions **map, const char *path)
{
    ptrdiff_t index = shgeti(*map, path);
    if (index >= 0)
        return (*map)[index].value;
    const struct source *source = sources_get(&report->sources, path);
    struct suppression *found = suppressions_find(source, &report->findings.arena);
    bool strict = needs_reason(options, path);
    for (ptrdiff_t i = 0; i < arrlen(found) && strict; ++i) {
        if (!found[i].reason[0] && !found[i].unmatched)
            found[i].from = found[i].to + 1;
    }
    shput(*map, (char *)source->path, found);
    return found;
}

static const struct rule *find_rule(const struct report_options *options, const char *id)
{
    for (size_t i = 0; options->rules[i]; ++i) {
        if (strcmp(options->rules[i]->id, id) == 0)
            return options->rules[i];
    }
    return NULL;
}

static const char *unused_message(struct arena *arena, const struct report_options *options,
                                  const struct report_file *file, const struct suppression *one)
{
    if (one->rule[0] == '\0')
        return "this comment names no rule; write barlint-ignore[rule-id]: reason";
    if (strcmp(one->rule, "*") != 0 && !find_rule(options, one->rule)) {
        struct nearest nearest;
        nearest_init(&nearest, one->rule);
        for (size_t i = 0; options->rules[i]; ++i)
            nearest_offer(&nearest, options->rules[i]->id);
        return nearest.best ? arena_printf(arena, "there is no rule '%s'; did you mean '%s'?",
                                           one->rule, nearest.best)
                            : arena_printf(arena, "there is no rule '%s'", one->rule);
    }
    if (one->unmatched)
        return one->from > one->to ? "this end of a suppression has no begin"
                                   : "this begin of a suppression has no end";
    if (!one->reason[0] && needs_reason(options, file->path))
        return "this suppression gives no reason, so it does not count; write one behind a colon";
    enum rule_level level;
    if (one->used || strcmp(one->rule, UNUSED_RULE) == 0 ||
        !is_on(options, file->path, one->rule, &level))
        return NULL;
    if (strcmp(one->rule, "*") == 0)
        return "nothing is found here, so this suppression can go";
    return arena_printf(arena, "'%s' is not found here, so this suppression can go", one->rule);
}

static void report_unused(struct report *report, const struct report_options *options,
                          struct file_suppressions **map, const struct report_file *file)
{
    struct arena *arena = &report->findings.arena;
    const struct rule *record = find_rule(options, UNUSED_RULE);
    enum rule_level level = record ? record->level : RULE_NOTE;
    if (!record || file->status == REPORT_FAILED ||
        !is_on(options, file->path, UNUSED_RULE, &level))
        return;
    struct suppression *found = suppressions_of(report, options, map, file->path);
    for (ptrdiff_t i = 0; i < arrlen(found); ++i) {
        const char *message = unused_message(arena, options, file, &found[i]);
        // What could not be analysed may hold what the comment silences.
        bool complete = file->status == REPORT_OK;
        if (!message || (!complete && found[i].from <= found[i].to && !found[i].unmatched) ||
            suppressions_match(found, UNUSED_RULE, found[i].line, found[i].line))
            continue;
        struct finding finding = {
            .rule = record->id,
            .level = level,
            .certainty = RULE_CERTAIN,
            .place = {file->path, found[i].line, found[i].column, found[i].line,
                      found[i].end_column},
            .message = message,
            .function = "",
            .pattern = "",
        };
        arrput(report->findings.finding, finding);
    }
}

static void apply_suppressions(struct report *report, const struct report_options *options)
{
    struct file_suppressions *map = NULL;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        struct suppression *found = suppressions_of(report, options, &map, finding->place.file);
        const struct suppression *by =
            suppressions_match(found, finding->rule, finding->place.line, finding->place.end_line);
        if (by) {
            finding->silence = FINDING_SUPPRESSED;
            finding->reason = by->reason;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i)
        report_unused(report, options, &map, &report->file[i]);
    for (ptrdiff_t i = 0; i < shlen(map); ++i)
        arrfree(map[i].value);
    shfree(map);
}

// --- Fingerprints ------------------------------------------------------------------------------

// The line without its comment and with each run of blanks as one: what stays when code is moved
// or indented anew. The result is an stb_ds array.
static char *normalised_line(const struct source *source, uint32_t line)
{
    size_t length;
    const char *text = source_line(source, line, &length);
    for (ptrdiff_t i = 0; i < arrlen(source->comment); ++i) {
        const char *start = source->comment[i].text - 2;
        if (start >= text && start < text + length && source->comment[i].line == line)
            length = (size_t)(start - text);
    }
    char *result = NULL;
    for (size_t i = 0; i < length; ++i) {
        if (!isspace((unsigned char)text[i]))
            arrput(result, text[i]);
        else if (arrlen(result) && arrlast(result) != ' ')
            arrput(result, ' ');
    }
    if (arrlen(result) && arrlast(result) == ' ')
        arrsetlen(result, arrlen(result) - 1);
    return result;
}

static uint64_t fingerprint_base(const struct finding *finding, const struct source *source)
{
    char *line = normalised_line(source, finding->place.line);
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, finding->rule, strlen(finding->rule) + 1);
    XXH3_64bits_update(state, finding->pattern, strlen(finding->pattern) + 1);
    XXH3_64bits_update(state, line, arrlenu(line));
    uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    arrfree(line);
    return hash;
}

static const char *fingerprint_text(struct arena *arena, uint64_t key, uint32_t ordinal)
{
    uint64_t pair[2] = {key, ordinal};
    return arena_printf(arena, "%016llx", (unsigned long long)XXH3_64bits(pair, sizeof pair));
}

// Findings are sorted by file, so equal ones of a file are numbered in the order of their lines.
static void set_fingerprints(struct report *report)
{
    struct arena *arena = &report->findings.arena;
    struct {
        uint64_t key;
        uint32_t value;
    } *seen = NULL;
    const char *file = "";
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        const struct source *source = sources_get(&report->sources, finding->place.file);
        if (strcmp(file, finding->place.file) != 0)
            hmfree(seen);
        file = finding->place.file;
        uint64_t key = fingerprint_base(finding, source);
        uint32_t ordinal = hmget(seen, key) + 1;
        hmput(seen, key, ordinal);
        finding->fingerprint = fingerprint_text(arena, key, ordinal);
        finding->likeness = ordinal == 1 ? finding->fingerprint : fingerprint_text(arena, key, 1);
    }
    hmfree(seen);
}

// A file that was asked for, or one below the folder where the user stands.
static bool is_own(const struct report *report, const char *path)
{
    size_t length = strlen(report->folder);
    if (strncmp(path, report->folder, length) == 0 && path[length] == '/')
        return true;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        if (strcmp(report->file[i].path, path) == 0)
            return true;
    }
    return false;
}

// What others maintain is theirs to mend.
static void drop_foreign_fixes(struct report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        for (ptrdiff_t j = arrlen(finding->fix); j > 0; --j) {
            bool own = true;
            for (size_t k = 0; k < finding->fix[j - 1].edit_count; ++k)
                own = own && is_own(report, finding->fix[j - 1].edit[k].file);
            if (!own)
                arrdel(finding->fix, j - 1);
        }
    }
}

// --- Settings ----------------------------------------------------------------------------------

// Drops what rules that are off for a file report there, and sets the levels.
static void apply_settings(struct report *report, const struct report_options *options)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        if (is_on(options, finding->place.file, finding->rule, &finding->level))
            report->findings.finding[kept++] = *finding;
        else
            finding_clear(finding);
    }
    arrsetlen(report->findings.finding, kept);
}

// --- The whole ---------------------------------------------------------------------------------

// Moves what comments and the baseline silence out of the way, drops what no step of touches the
// change, and counts both.
static void drop_silenced(struct report *report, const struct report_options *options)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        if (finding->silence != FINDING_SHOWN) {
            report->suppressed += finding->silence == FINDING_SUPPRESSED;
            report->baselined += finding->silence == FINDING_BASELINED;
            arrput(report->silenced, *finding);
        } else if (options->changes && !changes_touch_finding(options->changes, finding)) {
            ++report->unchanged;
            finding_clear(finding);
        } else {
            report->findings.finding[kept++] = *finding;
        }
    }
    arrsetlen(report->findings.finding, kept);
}

// Takes out what is not to be shown, and counts it.
static void drop_hidden(struct report *report, const struct report_options *options)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        if (finding->silence == FINDING_SHOWN && finding->pedantic && !options->pedantic) {
            ++report->pedantic_hidden;
            finding_clear(finding);
        } else {
            report->findings.finding[kept++] = *finding;
        }
    }
    arrsetlen(report->findings.finding, kept);
    if (options->baseline)
        baseline_match(options->baseline, report->findings.finding);
    drop_silenced(report, options);
}

static int compare_file(const void *a, const void *b)
{
    return strcmp(((const struct report_file *)a)->path, ((const struct report_file *)b)->path);
}

void report_finish(struct report *report, const struct report_options *options)
{
    report->rules = options->rules;
    report->folder = options->folder;
    report->root = options->root ? options->root : options->folder;
    report->tells_silenced = options->tells_silenced;
    findings_merge(&report->findings);
    if (arrlen(report->file))
        qsort(report->file, arrlenu(report->file), sizeof report->file[0], compare_file);
    apply_settings(report, options);
    apply_suppressions(report, options);
    findings_merge(&report->findings);
    set_fingerprints(report);
    drop_foreign_fixes(report);
    drop_hidden(report, options);
}
