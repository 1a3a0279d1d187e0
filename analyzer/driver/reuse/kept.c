#include "driver/reuse/kept.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/reuse/key.h"
#include "driver/run/shard.h"
#include "driver/unit/precompiled.h"

static const char *project_root(struct arena *arena, const char *folder)
{
    for (const char *at = folder;; at = path_folder(arena, at)) {
        if (access(arena_printf(arena, "%s/.git", at), F_OK) == 0)
            return at;
        if (strcmp(at, "/") == 0)
            return folder;
    }
}

char *kept_path(struct arena *arena, const char *folder)
{
    const char *cache = cache_folder(arena);
    const char *root = project_root(arena, folder);
    // The name is for people; the digest tells projects of one name apart.
    char *name = arena_strndup(arena, path_name(root), 64);
    for (char *at = name; *at; ++at) {
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            *at = '_';
    }
    struct digest digest = digest_of(root, strlen(root));
    return cache ? arena_printf(arena, "%s/store/%s-%016llx.sqlite", cache, name,
                                (unsigned long long)digest.low)
                 : NULL;
}

static json_t *find_kernel(void *context, const char *key)
{
    struct kept *kept = context;
    if (!kept->lookup)
        kept->lookup = store_lookup_new(kept->path);
    const char *content = store_lookup_kernel(kept->lookup, key);
    return content ? json_loads(content, 0, NULL) : NULL;
}

void kept_open(struct kept *kept, const struct options *options, const char *folder)
{
    *kept = (struct kept){.options = options};
    if (!key_of_run(&kept->run) || options->no_cache)
        return;
    struct arena arena;
    arena_init(&arena);
    char *path = kept_path(&arena, folder);
    if (path) {
        folders_make(&arena, path_folder(&arena, path)); // when that fails, opening says why
        kept->store = store_open(path);
        kept->path = strdup(path);
        kept->memory = (struct kernel_memory){find_kernel, kept};
    }
    arena_release(&arena);
}

void kept_save(struct kept *kept)
{
    if (!kept->store)
        return;
    store_save(kept->store);
    const char *problem = store_problem(kept->store);
    if (problem && !kept->options->quiet)
        fprintf(stderr, "barlint: warning: results are not kept: %s\n", problem);
}

void kept_close(struct kept *kept)
{
    if (!kept->store)
        return;
    // With some room, so that it is not the next run's turn again.
    const uint64_t most = (uint64_t)KEPT_MEGABYTES << 20;
    if (store_size(kept->store) > most)
        store_collect(kept->store, KEPT_DAYS, most / 2);
    store_close(kept->store);
    free(kept->path);
}

uint32_t kept_add_kernels(struct kept *kept, const json_t *kernels)
{
    const char *key;
    json_t *outcome;
    uint32_t known = 0;
    json_object_foreach ((json_t *)kernels, key, outcome) {
        char *content = json_is_null(outcome) ? NULL : json_dumps(outcome, JSON_COMPACT);
        if (kept->store && (content || json_is_null(outcome)))
            store_keep_kernel(kept->store, key, content);
        known += json_is_null(outcome);
        free(content);
    }
    return known;
}

// What a shard found out goes before what an earlier run here did.
static void take_given(const struct given *given, struct store_query *found)
{
    char key[DIGEST_HEX];
    const char *result, *links;
    digest_write(&found->key, key);
    given_find(given, key, &result, &links);
    if (result)
        *found = (struct store_query){.key = found->key, .result = result, .links = links};
}

void kept_find(struct kept *kept, struct unit *unit, size_t count, struct kept_unit *out)
{
    for (size_t i = 0; i < count; ++i)
        out[i] = (struct kept_unit){0};
    if (!kept->store && !kept->options->given && kept->options->shard_count == 0)
        return;
    struct store_query *query = NULL; // stb_ds array
    struct toolkit_memo memo;
    toolkit_memo_init(&memo);
    for (size_t i = 0; i < count; ++i) {
        struct arena arena;
        arena_init(&arena);
        struct translation_list list = {0};
        struct store_query one = {0};
        struct unit copy = unit[i]; // reading a command leaves its words in it
        out[i].command = key_of_command(&copy.command);
        struct translate_options translate = unit_translate_options(kept->options, &copy);
        translate.memo = &memo;
        // What the store has is of files on the disk, not of the index's content.
        out[i].has_key = arrlen(unit[i].content) == 0 &&
                         translate_command(&arena, &copy.command, &translate, &list, NULL);
        if (out[i].has_key)
            one.key = key_of_unit(&kept->run, kept->options, &unit[i], &list);
        arrput(query, one);
        arena_release(&arena);
    }
    toolkit_memo_release(&memo);
    if (kept->store)
        store_find(kept->store, query, count);
    for (size_t i = 0; i < count; ++i) {
        out[i].found = query[i];
        if (!out[i].has_key)
            out[i].found.result = NULL;
        else if (kept->options->given)
            take_given(kept->options->given, &out[i].found);
    }
    arrfree(query);
}

static void take_inputs(const json_t *list, bool absent, struct store_input **out)
{
    size_t i;
    json_t *path;
    json_array_foreach ((json_t *)list, i, path) {
        struct store_input input = {json_string_value(path), absent};
        arrput(*out, input);
    }
}

void kept_add(struct kept *kept, const struct unit *unit, const struct kept_unit *known,
              const json_t *links, const json_t *analysis)
{
    const char *key;
    json_t *result, *facts, *read, *absent;
    json_int_t begun[2];
    int lasting;
    if (!kept->store || !known->has_key ||
        json_unpack((json_t *)analysis, "{s:o, s:o, s:s, s:[I, I], s:{s:o, s:o}, s:b}", "result",
                    &result, "facts", &facts, "key", &key, "begun", &begun[0], &begun[1], "inputs",
                    "read", &read, "absent", &absent, "lasting", &lasting) != 0 ||
        !lasting)
        return;
    // Another key than that looked for: a file with options changed between the two looks at it.
    char wanted[DIGEST_HEX];
    digest_write(&known->found.key, wanted);
    if (strcmp(key, wanted) != 0)
        return;
    char *result_text = json_dumps(result, JSON_COMPACT);
    char *links_text = json_dumps(links, JSON_COMPACT);
    char *facts_text = json_dumps(facts, JSON_COMPACT);
    struct store_input *input = NULL; // stb_ds array
    take_inputs(read, false, &input);
    take_inputs(absent, true, &input);
    struct store_record record = {
        .key = known->found.key,
        .source = unit->file,
        .unit = known->command,
        .begun = {(time_t)begun[0], (long)begun[1]},
        .input = input,
        .input_count = arrlenu(input),
        .result = result_text,
        .links = links_text,
        .facts = facts_text,
    };
    if (result_text && links_text && facts_text)
        store_keep(kept->store, &record);
    arrfree(input);
    free(result_text);
    free(links_text);
    free(facts_text);
}
