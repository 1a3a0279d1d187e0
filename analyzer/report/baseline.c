#include "report/baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"

enum { VERSION = 1, LARGEST = 64 * 1024 * 1024 };

#define MARK "barlint-baseline"

void baseline_init(struct baseline *baseline, const char *path)
{
    *baseline = (struct baseline){0};
    arena_init(&baseline->arena);
    baseline->path = arena_strdup(&baseline->arena, path);
    baseline->folder = path_folder(&baseline->arena, path);
}

void baseline_release(struct baseline *baseline)
{
    arrfree(baseline->entry);
    arena_release(&baseline->arena);
}

static int compare_entry(const void *left, const void *right)
{
    const struct baseline_entry *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = strcmp(a->rule, b->rule);
    return order ? order : strcmp(a->fingerprint, b->fingerprint);
}

// --- Reading -------------------------------------------------------------------------------------

static bool read_entry(struct baseline *baseline, json_t *json)
{
    struct arena *arena = &baseline->arena;
    const char *file, *rule, *function, *fingerprint;
    int count;
    if (json_unpack(json, "{s:s, s:s, s:s, s:s, s:i}", "file", &file, "rule", &rule, "function",
                    &function, "fingerprint", &fingerprint, "count", &count) != 0 ||
        count < 1 || !file[0])
        return false;
    struct baseline_entry entry = {
        .file = path_absolute(arena, baseline->folder, utf8_unescape(arena, file)),
        .rule = arena_strdup(arena, rule),
        .function = arena_strdup(arena, function),
        .fingerprint = arena_strdup(arena, fingerprint),
        .count = (uint32_t)count,
    };
    entry.gone = access(entry.file, F_OK) != 0;
    arrput(baseline->entry, entry);
    return true;
}

// Makes one entry of equal ones, with the sum or the largest of their counts.
static void merge_equal(struct baseline *baseline, bool sums)
{
    ptrdiff_t kept = 0;
    if (arrlen(baseline->entry))
        qsort(baseline->entry, arrlenu(baseline->entry), sizeof baseline->entry[0], compare_entry);
    for (ptrdiff_t i = 0; i < arrlen(baseline->entry); ++i) {
        struct baseline_entry *entry = &baseline->entry[i];
        struct baseline_entry *last = kept ? &baseline->entry[kept - 1] : NULL;
        if (!last || compare_entry(last, entry) != 0)
            baseline->entry[kept++] = *entry;
        else if (sums)
            last->count += entry->count;
        else if (last->count < entry->count)
            last->count = entry->count;
    }
    arrsetlen(baseline->entry, kept);
}

static bool read_document(struct baseline *baseline, json_t *document, struct error *error)
{
    size_t at, count = json_array_size(document);
    json_t *item, *last = json_array_get(document, count ? count - 1 : 0);
    if (!json_is_integer(json_object_get(last, MARK)))
        return error_set(error, ERROR_USAGE, "'%s' is not a baseline of barlint", baseline->path);
    if (json_integer_value(json_object_get(last, MARK)) != VERSION)
        return error_set(error, ERROR_USAGE, "baseline '%s' was written by a newer barlint",
                         baseline->path);
    json_array_foreach (document, at, item) {
        // After a merge the last line may be there twice.
        if (!json_object_get(item, MARK) && !read_entry(baseline, item))
            return error_set(error, ERROR_USAGE, "entry %zu of baseline '%s' cannot be read",
                             at + 1, baseline->path);
    }
    merge_equal(baseline, false);
    for (ptrdiff_t i = 0; i < arrlen(baseline->entry); ++i)
        baseline->entry[i].left = baseline->entry[i].count;
    return true;
}

bool baseline_read(struct baseline *baseline, struct error *error)
{
    struct stat status;
    if (stat(baseline->path, &status) != 0)
        return error_set(error, ERROR_USAGE, "cannot read baseline '%s': %s%s", baseline->path,
                         strerror(errno),
                         errno == ENOENT ? "; 'barlint baseline create' writes one" : "");
    if (!S_ISREG(status.st_mode) || status.st_size > LARGEST)
        return error_set(error, ERROR_USAGE, "baseline '%s' is not a file of at most %d MB",
                         baseline->path, LARGEST >> 20);
    json_error_t why;
    json_t *document = json_load_file(baseline->path, 0, &why);
    if (!document && strstr(why.text, "'<'"))
        return error_set(error, ERROR_USAGE, "%s:%d: a merge was left unresolved here",
                         baseline->path, why.line);
    if (!document)
        return error_set(error, ERROR_USAGE, "%s:%d: %s", baseline->path, why.line, why.text);
    bool good = read_document(baseline, document, error);
    json_decref(document);
    return good;
}

// --- Matching ------------------------------------------------------------------------------------

struct by_fingerprint {
    char *key;
    ptrdiff_t *value; // stb_ds array: entries
};

static bool serve(struct baseline *baseline, const ptrdiff_t *entries, struct finding *finding,
                  bool from_gone)
{
    for (ptrdiff_t i = 0; i < arrlen(entries); ++i) {
        struct baseline_entry *entry = &baseline->entry[entries[i]];
        if (entry->left == 0 || strcmp(entry->rule, finding->rule) != 0 ||
            (from_gone ? !entry->gone : strcmp(entry->file, finding->place.file) != 0))
            continue;
        --entry->left;
        finding->silence = FINDING_BASELINED;
        finding->reason = "";
        return true;
    }
    return false;
}

void baseline_match(struct baseline *baseline, struct finding *findings)
{
    struct by_fingerprint *map = NULL;
    for (ptrdiff_t i = 0; i < arrlen(baseline->entry); ++i) {
        char *key = (char *)baseline->entry[i].fingerprint;
        ptrdiff_t *list = shget(map, key);
        arrput(list, i);
        shput(map, key, list);
    }
    for (int from_gone = 0; from_gone < 2; ++from_gone) {
        for (ptrdiff_t i = 0; i < arrlen(findings); ++i) {
            if (findings[i].silence == FINDING_SHOWN)
                serve(baseline, shget(map, findings[i].likeness), &findings[i], from_gone);
        }
    }
    for (ptrdiff_t i = 0; i < shlen(map); ++i)
        arrfree(map[i].value);
    shfree(map);
}

// --- Writing -------------------------------------------------------------------------------------

void baseline_add(struct baseline *baseline, const struct finding *finding)
{
    struct arena *arena = &baseline->arena;
    struct baseline_entry entry = {
        .file = arena_strdup(arena, finding->place.file),
        .rule = arena_strdup(arena, finding->rule),
        .function = arena_strdup(arena, finding->pattern),
        .fingerprint = arena_strdup(arena, finding->likeness),
        .count = 1,
    };
    arrput(baseline->entry, entry);
}

size_t baseline_write(FILE *out, struct baseline *baseline)
{
    merge_equal(baseline, true);
    size_t total = 0;
    fputs("[\n", out);
    for (ptrdiff_t i = 0; i < arrlen(baseline->entry); ++i) {
        const struct baseline_entry *entry = &baseline->entry[i];
        if (entry->count == 0)
            continue;
        total += entry->count;
        json_t *json =
            json_pack("{s:o, s:s, s:o, s:s, s:I}", "file",
                      finding_json_path(path_relative(&baseline->arena, baseline->folder, entry->file)), "rule",
                      entry->rule, "function", finding_json_text(entry->function), "fingerprint",
                      entry->fingerprint, "count", (json_int_t)entry->count);
        json_dumpf(json, out, JSON_COMPACT);
        fputs(",\n", out);
        json_decref(json);
    }
    fprintf(out, "{\"%s\":%d}\n]\n", MARK, VERSION);
    return total;
}
