// `barlint report`: the findings of the store beside what checked programs said on a GPU. Each
// finding is
//   confirmed     a run reported the same rule where the finding or one of its notes stands
//   not-seen      its place was passed, and nothing was reported
//   not-run       a run knows the place, and nobody came by
//   not-checked   no run knows of it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/vec.h"
#include "driver/answers.h"
#include "driver/driver.h"
#include "driver/reuse/kept.h"
#include "frontend/command/file.h"
#include "report/finding.h"

enum { LARGEST_RUN = 64 << 20 };

// --- Taking runs into the store ------------------------------------------------------------------

// Gives the places of what a program said their absolute paths.
static void make_absolute(struct arena *arena, json_t *value)
{
    const char *key;
    json_t *part;
    size_t i;
    json_object_foreach (value, key, part) {
        const char *file = strcmp(key, "file") == 0 ? json_string_value(part) : NULL;
        if (file && !path_is_absolute(file))
            json_object_set_new(value, key,
                                json_string(path_join(arena, path_current(arena), file)));
        else
            make_absolute(arena, part);
    }
    json_array_foreach (value, i, part)
        make_absolute(arena, part);
}

// What a program said, one object a line, as an array. NULL with ERROR_USAGE where it is not that.
static json_t *read_run(struct arena *arena, const char *path, struct error *error)
{
    char *text;
    size_t length;
    if (!path_read(arena, path, LARGEST_RUN, &text, &length, error)) {
        error->kind = ERROR_USAGE;
        return NULL;
    }
    json_t *run = json_array();
    unsigned line = 1;
    for (char *at = text, *end; *at; at = end, ++line) {
        end = at + strcspn(at, "\n");
        json_error_t why;
        json_t *said = end > at ? json_loadb(at, (size_t)(end - at), 0, &why) : NULL;
        if (end > at && !json_is_string(json_object_get(said, "kind"))) {
            error_set(error, ERROR_USAGE, "'%s', line %u: this is not what BARLINT_RT_JSON writes",
                      path, line);
            json_decref(said);
            json_decref(run);
            return NULL;
        }
        if (said)
            json_array_append_new(run, said);
        end += *end == '\n';
    }
    make_absolute(arena, run);
    return run;
}

static bool take_runs(const struct options *options, struct arena *arena, const char *path,
                      struct error *error)
{
    struct store *store = store_open(path);
    bool good = true;
    for (ptrdiff_t i = 0; good && i < arrlen(options->path); ++i) {
        json_t *run = read_run(arena, options->path[i], error);
        char *text = run ? json_dumps(run, JSON_COMPACT) : NULL;
        char *name = path_resolve(arena, options->path[i]);
        good = run != NULL;
        if (good && !store_add_gpu_run(store, name ? name : options->path[i], text))
            good = error_set(error, ERROR_ENVIRONMENT, "%s", store_problem(store));
        free(text);
        json_decref(run);
    }
    store_close(store);
    return good;
}

// --- What is known -------------------------------------------------------------------------------

struct spot {
    const char *file;
    json_int_t line;
};

// What runs reported of one rule at one place.
struct seen {
    const char *rule, *level, *message, *function, *run;
    json_int_t count;
    struct spot *spot; // stb_ds array: the place, then what it is inlined into
    bool is_found;     // a finding tells of it
};

struct stood {
    const char *rule, *level, *certainty, *message, *function;
    json_int_t column;
    struct spot *spot; // stb_ds array: the finding's place, then its notes'
};

struct known {
    struct arena arena;
    struct answers findings, reports, places;
    struct stood *stood; // stb_ds arrays
    struct seen *seen;
    struct {
        char *key;
        const char *value;
    } * file; // stb_ds: of files that are not here, which of the findings' they are
    struct {
        char *key;
        bool value;
    } * passed; // stb_ds: by place, whether it was passed
};

// The value in column `name` of a row; "" for none.
static const char *cell(const struct answers *answers, size_t row, const char *name)
{
    for (size_t i = 0; i < answers->columns; ++i)
        if (strcmp(answers->cell[i], name) == 0)
            return answers->cell[row + i] ? answers->cell[row + i] : "";
    return "";
}

// How many names two paths have in common, from the end.
static size_t common_tail(const char *left, const char *right)
{
    size_t l = strlen(left), r = strlen(right), names = 0;
    while (l > 0 && r > 0 && left[l - 1] == right[r - 1]) {
        names += left[l - 1] == '/';
        --l, --r;
    }
    bool whole = (l == 0 || left[l - 1] == '/') && (r == 0 || right[r - 1] == '/');
    return names + whole;
}

// Programs are often built on another machine: a file that is not here is the finding's whose path
// ends most like its own.
static const char *file_here(struct known *known, const char *file)
{
    ptrdiff_t at = shgeti(known->file, file);
    if (at >= 0)
        return known->file[at].value;
    const char *best = file;
    size_t most = 0;
    for (ptrdiff_t i = 0; i < arrlen(known->stood) && !path_is_file(file); ++i) {
        size_t common = common_tail(file, known->stood[i].spot[0].file);
        if (common > most) {
            most = common;
            best = known->stood[i].spot[0].file;
        }
    }
    shput(known->file, file, best);
    return best;
}

static void add_spots(struct known *known, struct spot **spots, const char *text, const char *part)
{
    json_t *list = json_loads(text, 0, NULL), *one;
    size_t i;
    json_array_foreach (list, i, one) {
        const json_t *place = part ? json_object_get(one, part) : one;
        const char *file = json_string_value(json_object_get(place, "file"));
        if (!file)
            continue;
        file = arena_strdup(&known->arena, file);
        struct spot spot = {part ? file : file_here(known, file),
                            json_integer_value(json_object_get(place, "line"))};
        arrput(*spots, spot);
    }
    json_decref(list);
}

static bool is_same(const struct stood *left, const struct stood *right, const struct spot *spot)
{
    return strcmp(left->rule, right->rule) == 0 && strcmp(left->message, right->message) == 0 &&
           left->column == right->column && left->spot[0].line == spot->line &&
           strcmp(left->spot[0].file, spot->file) == 0;
}

static void add_findings(struct known *known)
{
    const struct answers *a = &known->findings;
    for (size_t row = a->columns; row < arrlenu(a->cell); row += a->columns) {
        struct stood stood = {.rule = cell(a, row, "rule"),
                              .level = cell(a, row, "level"),
                              .certainty = cell(a, row, "certainty"),
                              .message = cell(a, row, "message"),
                              .function = cell(a, row, "function"),
                              .column = atoll(cell(a, row, "column"))};
        struct spot spot = {cell(a, row, "file"), atoll(cell(a, row, "line"))};
        struct stood *last = arrlen(known->stood) ? &arrlast(known->stood) : NULL;
        if (last && is_same(last, &stood, &spot)) { // another unit's, with other notes perhaps
            add_spots(known, &last->spot, cell(a, row, "notes"), "place");
            continue;
        }
        arrput(stood.spot, spot);
        add_spots(known, &stood.spot, cell(a, row, "notes"), "place");
        arrput(known->stood, stood);
    }
}

// A program says again how often something happened, and several runs say the same.
static struct seen *same_report(struct known *known, const struct seen *seen)
{
    for (ptrdiff_t i = 0; i < arrlen(known->seen); ++i) {
        struct seen *other = &known->seen[i];
        if (strcmp(other->rule, seen->rule) == 0 && other->spot[0].line == seen->spot[0].line &&
            strcmp(other->spot[0].file, seen->spot[0].file) == 0)
            return other;
    }
    return NULL;
}

static void add_reports(struct known *known)
{
    const struct answers *a = &known->reports;
    for (size_t row = a->columns; row < arrlenu(a->cell); row += a->columns) {
        struct seen seen = {.rule = cell(a, row, "rule"),
                            .level = cell(a, row, "level"),
                            .message = cell(a, row, "message"),
                            .function = cell(a, row, "function"),
                            .run = cell(a, row, "run"),
                            .count = atoll(cell(a, row, "count"))};
        struct spot spot = {file_here(known, cell(a, row, "file")), atoll(cell(a, row, "line"))};
        arrput(seen.spot, spot);
        add_spots(known, &seen.spot, cell(a, row, "inlined_at"), NULL);
        struct seen *other = same_report(known, &seen);
        if (!other) {
            arrput(known->seen, seen);
            continue;
        }
        other->count = seen.count > other->count ? seen.count : other->count;
        if (strcmp(other->level, "note") == 0) // in another run, or of other threads, it was a mistake
            other->level = seen.level;
        other->run = seen.run;
        arrfree(seen.spot);
    }
}

static char *spot_key(struct known *known, const struct spot *spot)
{
    return arena_printf(&known->arena, "%s:%lld", spot->file, (long long)spot->line);
}

static void add_places(struct known *known)
{
    const struct answers *a = &known->places;
    for (size_t row = a->columns; row < arrlenu(a->cell); row += a->columns) {
        struct spot *spots = NULL; // stb_ds array
        struct spot spot = {file_here(known, cell(a, row, "file")), atoll(cell(a, row, "line"))};
        arrput(spots, spot);
        add_spots(known, &spots, cell(a, row, "inlined_at"), NULL);
        for (ptrdiff_t i = 0; i < arrlen(spots); ++i) {
            char *key = spot_key(known, &spots[i]);
            bool passed = shgeti(known->passed, key) >= 0 && shget(known->passed, key);
            shput(known->passed, key, passed || strcmp(cell(a, row, "passed"), "1") == 0);
        }
        arrfree(spots);
    }
}

static bool learn(struct known *known, const char *path, struct error *error)
{
    sh_new_strdup(known->file);
    sh_new_strdup(known->passed);
    if (!answers_ask(&known->findings, path,
                     "SELECT DISTINCT rule, level, certainty, message, function, file, line, "
                     "column, notes FROM findings WHERE NOT pedantic "
                     "ORDER BY file, line, column, rule, message",
                     error) ||
        !answers_ask(&known->reports, path,
                     "SELECT rule, level, message, function, run, count, file, line, inlined_at "
                     "FROM gpu_reports ORDER BY imported, run",
                     error) ||
        !answers_ask(&known->places, path, "SELECT passed, file, line, inlined_at FROM gpu_places",
                     error))
        return false;
    add_findings(known);
    add_reports(known);
    add_places(known);
    return true;
}

static void known_init(struct known *known)
{
    *known = (struct known){0};
    arena_init(&known->arena);
    answers_init(&known->findings);
    answers_init(&known->reports);
    answers_init(&known->places);
}

static void known_release(struct known *known)
{
    for (ptrdiff_t i = 0; i < arrlen(known->stood); ++i)
        arrfree(known->stood[i].spot);
    for (ptrdiff_t i = 0; i < arrlen(known->seen); ++i)
        arrfree(known->seen[i].spot);
    arrfree(known->stood);
    arrfree(known->seen);
    shfree(known->file);
    shfree(known->passed);
    answers_release(&known->findings);
    answers_release(&known->reports);
    answers_release(&known->places);
    arena_release(&known->arena);
}

// --- Telling -------------------------------------------------------------------------------------

enum word { CONFIRMED, NOT_SEEN, NOT_RUN, NOT_CHECKED, WORDS };

static const struct {
    const char *name, *text;
} words[WORDS] = {
    [CONFIRMED] = {"confirmed", "confirmed on GPU"},
    [NOT_SEEN] = {"not-seen", "not seen on GPU: the place was passed, and nothing reported"},
    [NOT_RUN] = {"not-run", "not run on GPU"},
    [NOT_CHECKED] = {"not-checked", "no run on a GPU tells of it"},
};

static bool share_spot(const struct spot *left, size_t left_count, const struct spot *right,
                       size_t right_count)
{
    for (size_t i = 0; i < left_count; ++i)
        for (size_t k = 0; k < right_count; ++k)
            if (left[i].line == right[k].line && strcmp(left[i].file, right[k].file) == 0)
                return true;
    return false;
}

// What the GPU says of a finding. `*out_seen` is an stb_ds array of the reports that tell of it: of
// its own rule where it is confirmed, otherwise of another rule at the same place.
static enum word judge(struct known *known, const struct stood *stood, struct seen ***out_seen)
{
    struct seen **own = NULL, **other = NULL; // stb_ds arrays
    for (ptrdiff_t i = 0; i < arrlen(known->seen); ++i) {
        struct seen *seen = &known->seen[i];
        bool is_own = strcmp(seen->rule, stood->rule) == 0;
        size_t spots = is_own ? arrlenu(stood->spot) : 1;
        if (!share_spot(stood->spot, spots, seen->spot, arrlenu(seen->spot)))
            continue;
        seen->is_found = true;
        if (is_own)
            arrput(own, seen);
        else
            arrput(other, seen);
    }
    *out_seen = own ? own : other;
    if (own) {
        arrfree(other);
        return CONFIRMED;
    }
    ptrdiff_t place = shgeti(known->passed, spot_key(known, &stood->spot[0]));
    return place < 0 ? NOT_CHECKED : known->passed[place].value ? NOT_SEEN : NOT_RUN;
}

static const char *shown(struct known *known, const char *file)
{
    char *here = arena_printf(&known->arena, "%s/", path_current(&known->arena));
    return strncmp(file, here, strlen(here)) == 0 ? file + strlen(here) : file;
}

static json_t *seen_json(struct known *known, const struct seen *seen)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "rule", finding_json_text(seen->rule),
                     "level", finding_json_text(seen->level), "message",
                     finding_json_text(seen->message), "file",
                     finding_json_text(shown(known, seen->spot[0].file)), "line",
                     seen->spot[0].line, "count", seen->count, "run", finding_json_text(seen->run));
}

static json_t *stood_json(struct known *known, const struct stood *stood, enum word word,
                          struct seen *const *seen)
{
    json_t *reports = json_array();
    for (ptrdiff_t i = 0; i < arrlen(seen); ++i)
        json_array_append_new(reports, seen_json(known, seen[i]));
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:s, s:o}", "rule",
        finding_json_text(stood->rule), "level", finding_json_text(stood->level), "certainty",
        finding_json_text(stood->certainty), "file",
        finding_json_text(shown(known, stood->spot[0].file)), "line", stood->spot[0].line, "column",
        stood->column, "message", finding_json_text(stood->message), "function",
        finding_json_text(stood->function), "gpu", words[word].name, "reports", reports);
}

static void print_stood(struct known *known, const struct stood *stood, enum word word,
                        struct seen *const *seen)
{
    printf("%s:%lld:%lld: %s: %s [%s]\n  %s\n", shown(known, stood->spot[0].file),
           (long long)stood->spot[0].line, (long long)stood->column, stood->level, stood->message,
           stood->rule, words[word].text);
    for (ptrdiff_t i = 0; i < arrlen(seen); ++i)
        printf("  reported at %s:%lld, %lld time%s: %s [%s]\n", shown(known, seen[i]->spot[0].file),
               (long long)seen[i]->spot[0].line, (long long)seen[i]->count,
               seen[i]->count == 1 ? "" : "s", seen[i]->message, seen[i]->rule);
}

static bool is_alarm(const struct seen *seen)
{
    return strcmp(seen->level, "note") != 0;
}

// Tells all of it. Returns the exit status.
static int tell(struct known *known, bool as_json)
{
    json_t *findings = json_array(), *alone = json_array();
    json_int_t count[WORDS] = {0}, alone_count = 0;
    bool alarms = false;
    for (ptrdiff_t i = 0; i < arrlen(known->stood); ++i) {
        struct seen **seen;
        enum word word = judge(known, &known->stood[i], &seen);
        ++count[word];
        alarms |= word == CONFIRMED;
        json_array_append_new(findings, stood_json(known, &known->stood[i], word, seen));
        if (!as_json)
            print_stood(known, &known->stood[i], word, seen);
        arrfree(seen);
    }
    for (ptrdiff_t i = 0; i < arrlen(known->seen); ++i) {
        const struct seen *seen = &known->seen[i];
        if (seen->is_found)
            continue;
        ++alone_count;
        alarms |= is_alarm(seen);
        json_array_append_new(alone, seen_json(known, seen));
        if (!as_json)
            printf("%s:%lld: %s: %s [%s]\n  reported on GPU, %lld time%s, and no finding\n",
                   shown(known, seen->spot[0].file), (long long)seen->spot[0].line, seen->level,
                   seen->message, seen->rule, (long long)seen->count, seen->count == 1 ? "" : "s");
    }
    json_t *summary =
        json_pack("{s:I, s:I, s:I, s:I, s:I}", words[CONFIRMED].name, count[CONFIRMED],
                  words[NOT_SEEN].name, count[NOT_SEEN], words[NOT_RUN].name, count[NOT_RUN],
                  words[NOT_CHECKED].name, count[NOT_CHECKED], "gpu-only", alone_count);
    json_t *all = json_pack("{s:i, s:o, s:o, s:o}", "schema", 1, "findings", findings, "gpu_only",
                            alone, "summary", summary);
    if (as_json) {
        json_dumpf(all, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        printf("%lld confirmed on GPU, %lld not seen, %lld not run, %lld not checked; %lld on GPU "
               "only\n",
               (long long)count[CONFIRMED], (long long)count[NOT_SEEN], (long long)count[NOT_RUN],
               (long long)count[NOT_CHECKED], (long long)alone_count);
    }
    json_decref(all);
    return alarms ? EXIT_FINDINGS : EXIT_CLEAN;
}

int command_report(struct options *options)
{
    struct error error = {0};
    struct known known;
    known_init(&known);
    char *path = answers_store(&known.arena, &error);
    bool good = path && (!arrlen(options->path) || take_runs(options, &known.arena, path, &error));
    int status = good && learn(&known, path, &error) ? tell(&known, answers_as_json(options))
                                                     : driver_fail(&error);
    known_release(&known);
    return status;
}
