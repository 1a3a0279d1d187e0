#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
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
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i)
        arrfree(report->file[i].disabled);
    arrfree(report->file);
    sources_release(&report->sources);
    findings_release(&report->findings);
}

struct report_file *report_add_file(struct report *report, const char *path,
                                    enum report_status status, const char *reason)
{
    struct arena *arena = &report->findings.arena;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        struct report_file *file = &report->file[i];
        if (strcmp(file->path, path) != 0)
            continue;
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
    struct report_file file = {arena_strdup(arena, path), status, arena_strdup(arena, reason),
                               NULL};
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

static struct suppression *suppressions_of(struct report *report, struct file_suppressions **map,
                                           const char *path)
{
    ptrdiff_t index = shgeti(*map, path);
    if (index >= 0)
        return (*map)[index].value;
    const struct source *source = sources_get(&report->sources, path);
    struct suppression *found = suppressions_find(source, &report->findings.arena);
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

static bool is_disabled(const struct report_file *file, const char *rule)
{
    for (ptrdiff_t i = 0; i < arrlen(file->disabled); ++i) {
        if (strcmp(file->disabled[i], rule) == 0)
            return true;
    }
    return false;
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
    if (one->used || is_disabled(file, one->rule) || strcmp(one->rule, UNUSED_RULE) == 0)
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
    if (!record || file->status == REPORT_FAILED || is_disabled(file, UNUSED_RULE))
        return;
    struct suppression *found = suppressions_of(report, map, file->path);
    for (ptrdiff_t i = 0; i < arrlen(found); ++i) {
        const char *message = unused_message(arena, options, file, &found[i]);
        // What could not be analysed may hold what the comment silences.
        bool complete = file->status == REPORT_OK;
        if (!message || (!complete && found[i].from <= found[i].to && !found[i].unmatched) ||
            suppressions_match(found, UNUSED_RULE, found[i].line, found[i].line))
            continue;
        struct finding finding = {
            .rule = record->id,
            .level = record->level,
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
        struct suppression *found = suppressions_of(report, &map, finding->place.file);
        finding->suppressed =
            suppressions_match(found, finding->rule, finding->place.line, finding->place.end_line);
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
        uint64_t pair[2] = {key, ordinal};
        finding->fingerprint =
            arena_printf(arena, "%016llx", (unsigned long long)XXH3_64bits(pair, sizeof pair));
    }
    hmfree(seen);
}

static void set_fix_offsets(struct report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        for (ptrdiff_t j = 0; j < arrlen(finding->fix); ++j) {
            struct finding_fix *fix = &finding->fix[j];
            const struct source *source = sources_get(&report->sources, fix->place.file);
            fix->start = source_offset(source, fix->place.line, fix->place.column);
            fix->end = source_offset(source, fix->place.end_line, fix->place.end_column);
        }
    }
}

// --- The whole ---------------------------------------------------------------------------------

static void drop_hidden(struct report *report, const struct report_options *options)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        struct finding *finding = &report->findings.finding[i];
        bool hidden = finding->pedantic && !options->pedantic;
        if (finding->suppressed)
            ++report->suppressed;
        else if (hidden)
            ++report->pedantic_hidden;
        if (finding->suppressed || hidden) {
            arrfree(finding->context);
            arrfree(finding->note);
            arrfree(finding->fix);
        } else {
            report->findings.finding[kept++] = *finding;
        }
    }
    arrsetlen(report->findings.finding, kept);
}

static int compare_file(const void *a, const void *b)
{
    return strcmp(((const struct report_file *)a)->path, ((const struct report_file *)b)->path);
}

void report_finish(struct report *report, const struct report_options *options)
{
    report->folder = options->folder;
    findings_merge(&report->findings);
    if (arrlen(report->file))
        qsort(report->file, arrlenu(report->file), sizeof report->file[0], compare_file);
    apply_suppressions(report, options);
    findings_merge(&report->findings);
    set_fingerprints(report);
    set_fix_offsets(report);
    drop_hidden(report, options);
}
