#include "driver/settings/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/settings/config_read.h"
#include "frontend/command/file.h"
#include "model/model.h"

enum { LARGEST_CONFIG = 1024 * 1024 };

static const char config_name[] = ".barlint.yaml";

void configs_init(struct configs *configs)
{
    *configs = (struct configs){0};
    arena_init(&configs->arena);
    arrput(configs->config, arena_new(&configs->arena, struct config));
}

void configs_release(struct configs *configs)
{
    for (ptrdiff_t i = 0; i < arrlen(configs->config); ++i) {
        struct config *config = configs->config[i];
        for (ptrdiff_t k = 0; k < arrlen(config->files); ++k) {
            arrfree(config->files[k].pattern);
            arrfree(config->files[k].rule);
        }
        arrfree(config->files);
        arrfree(config->rule);
        arrfree(config->exclude);
        arrfree(config->launch);
        arrfree(config->model);
        arrfree(config->value);
    }
    arrfree(configs->config);
    shfree(configs->by_folder);
    arena_release(&configs->arena);
}

// --- Reading -------------------------------------------------------------------------------------

// The table of operations says whether a row is possible; only it knows its spellings.
static bool check_models(struct config_reader *reader)
{
    struct model *model = model_new();
    bool good = true;
    for (ptrdiff_t i = 0; good && i < arrlen(reader->config->model); ++i) {
        const struct config_model *row = &reader->config->model[i];
        struct error why = {0};
        good = model_add(model, row->function, row->like, row->roles, &why);
        if (!good)
            error_set(reader->error, ERROR_USAGE, "%s:%u: %s", reader->path, row->line, why.text);
    }
    model_free(model);
    return good;
}

// Keeps every scalar with the path to it and its line.
static void note_values(struct config_reader *reader, const yaml_node_t *node, const char *name)
{
    struct arena *arena = reader->arena;
    yaml_document_t *document = reader->document;
    if (node->type == YAML_SCALAR_NODE) {
        struct config_value value = {name, arena_strdup(arena, config_scalar(node)),
                                     config_line(node)};
        arrput(reader->config->value, value);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        const yaml_node_item_t *item = node->data.sequence.items.start;
        for (int i = 0; item + i < node->data.sequence.items.top; ++i)
            note_values(reader, yaml_document_get_node(document, item[i]),
                        arena_printf(arena, "%s[%d]", name, i));
    } else if (node->type == YAML_MAPPING_NODE) {
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top; ++pair)
            note_values(reader, yaml_document_get_node(document, pair->value),
                        arena_printf(arena, "%s%s%s", name, name[0] ? "." : "",
                                     config_scalar(yaml_document_get_node(document, pair->key))));
    }
}

static bool read_document(struct config_reader *reader, yaml_parser_t *parser)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return error_set(reader->error, ERROR_USAGE, "%s:%zu: %s", reader->path,
                         parser->problem_mark.line + 1,
                         parser->problem ? parser->problem : "this is not YAML");
    reader->document = &document;
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    // "---" alone is a document that holds an empty word.
    bool is_empty = !root || (config_scalar(root) && config_scalar(root)[0] == '\0');
    bool good =
        is_empty || config_read_mapping(reader, root, config_keys, "the file", reader->config);
    if (good && !is_empty)
        note_values(reader, root, "");
    yaml_document_delete(&document);
    return good && check_models(reader);
}

// The folder of a configuration that may have been named in any way.
static const char *folder_of(struct arena *arena, const char *path)
{
    return path_folder(arena, path_absolute(arena, path_current(arena), path));
}

// The whole file, NULL where it cannot be read.
static char *read_all(struct arena *arena, const char *path, size_t *out_length,
                      struct error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file) {
        error_set(error, ERROR_USAGE, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= LARGEST_CONFIG) {
        text = arena_alloc(arena, (size_t)status.st_size + 1);
        *out_length = fread(text, 1, (size_t)status.st_size, file);
    } else {
        error_set(error, ERROR_USAGE, "'%s' is not a file of at most 1 MB", path);
    }
    fclose(file);
    return text;
}

const struct config *configs_read(struct configs *configs, const char *path, struct error *error)
{
    size_t length = 0;
    char *text = read_all(&configs->arena, path, &length, error);
    if (!text)
        return NULL;
    struct config *config = arena_new(&configs->arena, struct config);
    config->path = arena_strdup(&configs->arena, path);
    config->folder = folder_of(&configs->arena, path);
    config->content = digest_of(text, length);
    arrput(configs->config, config);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        error_set(error, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    struct config_reader reader = {&configs->arena, config, config->path, NULL, error};
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool good = read_document(&reader, &parser);
    yaml_parser_delete(&parser);
    return good ? config : NULL;
}

// --- Asking --------------------------------------------------------------------------------------

static bool names_file(const struct config *config, const char *const *pattern, size_t count,
                       const char *file)
{
    const char *path = path_shown(config->folder, file);
    for (size_t i = 0; path != file && i < count; ++i) {
        if (glob_match(pattern[i], path))
            return true;
    }
    return false;
}

static const struct config_rule *find_rule(const struct config_rule *list, const char *id)
{
    const struct config_rule *every = NULL;
    for (ptrdiff_t i = 0; i < arrlen(list); ++i) {
        if (strcmp(list[i].rule, id) == 0)
            return &list[i];
        if (strcmp(list[i].rule, CONFIG_EVERY_RULE) == 0)
            every = &list[i];
    }
    return every;
}

const struct config_rule *config_find_rule(const struct config *config, const char *file,
                                           const char *id)
{
    for (ptrdiff_t i = arrlen(config->files); i-- > 0;) {
        const struct config_files *files = &config->files[i];
        const struct config_rule *rule = find_rule(files->rule, id);
        if (rule && names_file(config, files->pattern, arrlenu(files->pattern), file))
            return rule;
    }
    return find_rule(config->rule, id);
}

bool config_may_run(const struct config *config, const char *id)
{
    const struct config_rule *rule = find_rule(config->rule, id);
    bool may = !rule || rule->on;
    for (ptrdiff_t i = 0; i < arrlen(config->files) && !may; ++i) {
        rule = find_rule(config->files[i].rule, id);
        may = rule && rule->on;
    }
    return may;
}

bool config_excludes(const struct config *config, const char *file)
{
    return config->folder && names_file(config, config->exclude, arrlenu(config->exclude), file);
}

const struct config *configs_find(struct configs *configs, const char *folder, struct error *error)
{
    ptrdiff_t index = shgeti(configs->by_folder, folder);
    if (index >= 0)
        return configs->by_folder[index].value;
    struct arena *arena = &configs->arena;
    const char *path =
        arena_printf(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, config_name);
    const struct config *config;
    struct stat status;
    if (stat(path, &status) == 0)
        config = configs_read(configs, path, error);
    else if (strcmp(folder, "/") == 0)
        config = configs->config[0];
    else
        config = configs_find(configs, path_folder(arena, folder), error);
    if (config)
        shput(configs->by_folder, arena_strdup(arena, folder), (struct config *)config);
    return config;
}
