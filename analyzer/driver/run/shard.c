#include "driver/run/shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/utf8.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "report/source.h"

// --- Taking a share ------------------------------------------------------------------------------

struct share {
    const char *file;
    int64_t size;
    unsigned shard; // from 0
};

static int compare_share(const void *a, const void *b)
{
    const struct share *left = a, *right = b;
    if (left->size != right->size)
        return left->size < right->size ? 1 : -1;
    return strcmp(left->file, right->file);
}

static int compare_file(const void *a, const void *b)
{
    return strcmp(((const struct share *)a)->file, ((const struct share *)b)->file);
}

// The files of the units, which are sorted, dealt out, by file.
static struct share *deal(const struct units *units, unsigned count)
{
    struct share *share = NULL; // stb_ds arrays
    int64_t *load = NULL;
    for (ptrdiff_t i = 0; i < arrlen(units->unit); ++i) {
        const char *file = units->unit[i].file;
        if (i > 0 && strcmp(file, units->unit[i - 1].file) == 0)
            continue;
        struct stat status;
        struct share one = {file, stat(file, &status) == 0 ? (int64_t)status.st_size : 0, 0};
        arrput(share, one);
    }
    for (unsigned k = 0; k < count; ++k)
        arrput(load, 0);
    if (share)
        qsort(share, arrlenu(share), sizeof *share, compare_share);
    for (ptrdiff_t i = 0; i < arrlen(share); ++i) {
        unsigned least = 0;
        for (unsigned k = 1; k < count; ++k)
            least = load[k] < load[least] ? k : least;
        share[i].shard = least;
        load[least] += share[i].size + 1; // so that empty files are spread too
    }
    if (share)
        qsort(share, arrlenu(share), sizeof *share, compare_file);
    arrfree(load);
    return share;
}

void shard_select(struct units *units, unsigned index, unsigned count)
{
    struct share *share = deal(units, count);
    ptrdiff_t kept = 0, at = 0;
    for (ptrdiff_t i = 0; i < arrlen(units->unit); ++i) {
        while (strcmp(share[at].file, units->unit[i].file) != 0)
            ++at;
        if (share[at].shard + 1 == index)
            units->unit[kept++] = units->unit[i];
    }
    if (units->unit)
        arrsetlen(units->unit, kept);
    arrsetlen(units->header, 0);
    arrfree(share);
}

// --- Writing -------------------------------------------------------------------------------------

json_t *shard_begin(const struct options *options)
{
    json_t *words = json_array();
    for (int i = 0; i < options->word_count; ++i)
        json_array_append_new(words, finding_json_path(options->word[i]));
    return json_pack("{s:i, s:i, s:o, s:[]}", "index", (int)options->shard_index, "count",
                     (int)options->shard_count, "arguments", words, "units");
}

// What the file holds, so that a merge does not join results of other sources.
static struct digest content_of(const char *file)
{
    struct sources sources;
    sources_init(&sources);
    const struct source *source = sources_get(&sources, file);
    struct digest digest = source ? digest_of(source->text, source->length) : (struct digest){0};
    sources_release(&sources);
    return digest;
}

void shard_add(json_t *shard, const struct work_unit *unit)
{
    char key[DIGEST_HEX], content[DIGEST_HEX];
    struct digest digest = content_of(unit->unit.file);
    digest_write(&unit->known.found.key, key);
    digest_write(&digest, content);
    json_t *json = json_pack("{s:s, s:s}", "key", key, "content", content);
    if (unit->result) {
        json_object_set(json, "result", unit->result);
        json_object_set(json, "links", unit->links);
    }
    json_array_append_new(json_object_get(shard, "units"), json);
}

// --- Reading -------------------------------------------------------------------------------------

struct given_unit {
    char *result, *links; // malloc; NULL: the analysis failed
    const char *content;  // in the document
};

struct given {
    json_t **document; // stb_ds array
    bool *seen;        // stb_ds array: the shards so far
    struct {
        char *key;
        struct given_unit value;
    } * unit; // stb_ds map
};

bool given_find(const struct given *given, const char *key, const char **out_result,
                const char **out_links)
{
    struct given *map = (struct given *)given; // looking something up notes where it was
    ptrdiff_t at = shgeti(map->unit, key);
    *out_result = at < 0 ? NULL : map->unit[at].value.result;
    *out_links = at < 0 ? NULL : map->unit[at].value.links;
    return at >= 0;
}

bool given_covers(const struct given *given, const struct kept_unit *known, const struct unit *unit,
                  size_t count, struct error *error)
{
    struct given *map = (struct given *)given;
    for (size_t i = 0; i < count; ++i) {
        char key[DIGEST_HEX], content[DIGEST_HEX];
        digest_write(&known[i].found.key, key);
        struct digest digest = content_of(unit[i].file);
        digest_write(&digest, content);
        ptrdiff_t at = shgeti(map->unit, key);
        if (at < 0)
            return error_set(error, ERROR_USAGE,
                             "no shard has '%s' as it is analysed here: another barlint, another "
                             "folder, other settings",
                             unit[i].file);
        if (strcmp(map->unit[at].value.content, content) != 0)
            return error_set(error, ERROR_USAGE, "'%s' is not what its shard analysed",
                             unit[i].file);
    }
    return true;
}

static bool read_units(struct given *given, const char *path, const json_t *list,
                       struct error *error)
{
    size_t i;
    json_t *one;
    json_array_foreach ((json_t *)list, i, one) {
        const char *key, *content;
        json_t *result = NULL, *links = NULL;
        if (json_unpack(one, "{s:s, s:s, s?o, s?o}", "key", &key, "content", &content, "result",
                        &result, "links", &links) != 0)
            return error_set(error, ERROR_USAGE, "'%s' is damaged", path);
        struct given_unit unit = {.content = content};
        if (result && links && shgeti(given->unit, key) < 0) {
            unit.result = json_dumps(result, JSON_COMPACT);
            unit.links = json_dumps(links, JSON_COMPACT);
        }
        if (shgeti(given->unit, key) < 0)
            shput(given->unit, key, unit);
    }
    return true;
}

static bool read_document(struct given *given, const char *path, struct error *error)
{
    json_error_t wrong;
    json_t *document = json_load_file(path, 0, &wrong), *words, *units;
    int index, count;
    if (!document)
        return error_set(error, ERROR_USAGE, "'%s' cannot be read: %s", path, wrong.text);
    arrput(given->document, document);
    json_t *shard = json_object_get(document, "shard");
    if (!shard)
        return error_set(error, ERROR_USAGE, "'%s' is no JSON of 'barlint check --shard'", path);
    if (json_unpack(shard, "{s:i, s:i, s:o, s:o}", "index", &index, "count", &count, "arguments",
                    &words, "units", &units) != 0 ||
        index < 1 || index > count || count > SHARDS_MOST || !json_is_array(words))
        return error_set(error, ERROR_USAGE, "'%s' is damaged", path);
    if (!given->seen) {
        for (int i = 0; i < count; ++i)
            arrput(given->seen, false);
    }
    if (count != (int)arrlen(given->seen))
        return error_set(error, ERROR_USAGE, "'%s' is a shard of %d, another one of %d", path,
                         count, (int)arrlen(given->seen));
    if (given->seen[index - 1])
        return error_set(error, ERROR_USAGE, "shard %d is named twice, as '%s' too", index, path);
    given->seen[index - 1] = true;
    return read_units(given, path, units, error);
}

static bool read_documents(struct given *given, const struct options *options, struct error *error)
{
    if (arrlen(options->path) == 0)
        return error_set(error, ERROR_USAGE, "'barlint merge' needs the JSON of every shard");
    for (ptrdiff_t i = 0; i < arrlen(options->path); ++i) {
        if (!read_document(given, options->path[i], error))
            return false;
    }
    for (ptrdiff_t i = 0; i < arrlen(given->seen); ++i) {
        if (!given->seen[i])
            return error_set(error, ERROR_USAGE, "shard %td of %td is missing", i + 1,
                             arrlen(given->seen));
    }
    return true;
}

static void given_release(struct given *given)
{
    for (ptrdiff_t i = 0; i < shlen(given->unit); ++i) {
        free(given->unit[i].value.result);
        free(given->unit[i].value.links);
    }
    shfree(given->unit);
    for (ptrdiff_t i = 0; i < arrlen(given->document); ++i)
        json_decref(given->document[i]);
    arrfree(given->document);
    arrfree(given->seen);
}

// --- Merging -------------------------------------------------------------------------------------

// The command of the shards, with the outputs and the verdict of the merge.
static bool take_options(struct options *out, const struct options *own, char **words,
                         struct error *error)
{
    options_init(out);
    if (!options_parse(out, COMMAND_CHECK, (int)arrlen(words), words, error))
        return false;
    out->shard_index = out->shard_count = 0;
    out->json = own->json;
    out->quiet = own->quiet;
    out->stats = own->stats;
    out->color = own->color;
    out->jobs = own->jobs;
    out->fail_on = own->fail_on;
    out->fail_on_nothing = own->fail_on_nothing;
    if (own->cache_dir)
        out->cache_dir = own->cache_dir;
    out->no_cache = out->no_cache || own->no_cache;
    arrsetlen(out->format, 0);
    for (ptrdiff_t i = 0; i < arrlen(own->format); ++i)
        arrput(out->format, own->format[i]);
    arrsetlen(out->output, 0);
    for (ptrdiff_t i = 0; i < arrlen(own->output); ++i)
        arrput(out->output, own->output[i]);
    return true;
}

static int merge(const struct given *given, const struct options *own, struct arena *arena)
{
    char **words = NULL; // stb_ds array
    size_t i;
    json_t *word;
    json_t *list = json_object_get(json_object_get(given->document[0], "shard"), "arguments");
    json_array_foreach (list, i, word) {
        const char *text = json_string_value(word);
        arrput(words, utf8_unescape(arena, text ? text : ""));
    }
    struct options options;
    struct error error = {0};
    int status;
    if (take_options(&options, own, words, &error)) {
        options.given = given;
        status = command_check(&options);
    } else {
        status = driver_fail(&error);
    }
    options_release(&options);
    arrfree(words);
    return status;
}

int command_merge(struct options *options)
{
    struct given given = {0};
    sh_new_strdup(given.unit);
    struct arena arena;
    arena_init(&arena);
    struct error error = {0};
    int status = read_documents(&given, options, &error) ? merge(&given, options, &arena)
                                                         : driver_fail(&error);
    given_release(&given);
    arena_release(&arena);
    return status;
}
