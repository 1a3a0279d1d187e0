#include "driver/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <yaml.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "model/model.h"
#include "rules/rule.h"

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
        arrfree(configs->config[i]->disabled);
        arrfree(configs->config[i]->launch);
        arrfree(configs->config[i]->model);
    }
    arrfree(configs->config);
    shfree(configs->by_folder);
    arena_release(&configs->arena);
}

// A document being read.
struct reader {
    struct arena *arena;
    struct config *config;
    const char *path;
    yaml_document_t *document;
    struct error *error;
};

static unsigned line_of(const yaml_node_t *node)
{
    return (unsigned)node->start_mark.line + 1;
}

#define FAIL(reader, node, ...) fail_at(reader, node, arena_printf((reader)->arena, __VA_ARGS__))

static bool fail_at(struct reader *reader, const yaml_node_t *node, const char *message)
{
    return error_set(reader->error, ERROR_USAGE, "%s:%u: %s", reader->path, line_of(node), message);
}

static const char *scalar(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *node_at(struct reader *reader, int index)
{
    return yaml_document_get_node(reader->document, index);
}

typedef bool (*value_reader)(struct reader *reader, const yaml_node_t *value, void *into);

struct key {
    const char *name;
    value_reader read;
};

// Reads a mapping whose keys are known.
static bool read_mapping(struct reader *reader, const yaml_node_t *node, const struct key *keys,
                         const char *what, void *into)
{
    if (node->type != YAML_MAPPING_NODE)
        return FAIL(reader, node, "%s must be a mapping of keys to values", what);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *key = node_at(reader, pair->key), *value = node_at(reader, pair->value);
        const char *name = scalar(key);
        if (!name)
            return FAIL(reader, key, "a key must be a word");
        const struct key *row = keys;
        struct nearest nearest;
        nearest_init(&nearest, name);
        while (row->name && strcmp(row->name, name) != 0)
            nearest_offer(&nearest, row++->name);
        if (!row->name && nearest.best)
            return FAIL(reader, key, "unknown key '%s'; did you mean '%s'?", name, nearest.best);
        if (!row->name)
            return FAIL(reader, key, "unknown key '%s' in %s", name, what);
        if (!row->read(reader, value, into))
            return false;
    }
    return true;
}

static bool read_text(struct reader *reader, const yaml_node_t *value, const char **out)
{
    const char *text = scalar(value);
    if (!text)
        return FAIL(reader, value, "a word is expected here");
    *out = arena_strdup(reader->arena, text);
    return true;
}

static bool read_switch(struct reader *reader, const yaml_node_t *value, bool *out)
{
    static const char *const words[][2] = {{"off", "on"}, {"false", "true"}, {"no", "yes"}};
    const char *text = scalar(value);
    for (size_t i = 0; text && i < 3; ++i) {
        for (int on = 0; on < 2; ++on) {
            if (strcmp(text, words[i][on]) == 0) {
                *out = on;
                return true;
            }
        }
    }
    return FAIL(reader, value, "'on' or 'off' is expected here");
}

static bool read_number(struct reader *reader, const yaml_node_t *value, int64_t least,
                        int64_t most, int64_t *out)
{
    const char *text = scalar(value);
    char *end = NULL;
    errno = 0;
    long long number = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || number < least || number > most)
        return FAIL(reader, value, "a number from %lld to %lld is expected here", (long long)least,
                    (long long)most);
    *out = number;
    return true;
}

static bool read_rules(struct reader *reader, const yaml_node_t *node, void *into)
{
    struct config *config = into;
    if (node->type != YAML_MAPPING_NODE)
        return FAIL(reader, node, "'rules' must be a mapping of rule ids to 'on' or 'off'");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *key = node_at(reader, pair->key);
        const char *id = scalar(key);
        bool on = true, known = false;
        struct nearest nearest;
        nearest_init(&nearest, id ? id : "");
        for (size_t i = 0; rule_registry[i]; ++i) {
            nearest_offer(&nearest, rule_registry[i]->id);
            known = known || (id && strcmp(rule_registry[i]->id, id) == 0);
        }
        if (!known && nearest.best)
            return FAIL(reader, key, "there is no rule '%s'; did you mean '%s'?", id, nearest.best);
        if (!known)
            return FAIL(reader, key, "there is no rule '%s'", id ? id : "");
        if (!read_switch(reader, node_at(reader, pair->value), &on))
            return false;
        if (!on)
            arrput(config->disabled, arena_strdup(reader->arena, id));
    }
    return true;
}

static bool read_headers(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    const char *text = scalar(value);
    const char *const *words = option_choices("headers");
    for (int i = 0; text && words[i]; ++i) {
        if (strcmp(words[i], text) == 0) {
            config->headers = (enum header_mode)i;
            config->headers_given = true;
            return true;
        }
    }
    return FAIL(reader, value, "'auto', 'toolkit' or 'builtin' is expected here");
}

static bool read_cuda_path(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    const char *text = NULL;
    if (!read_text(reader, value, &text))
        return false;
    char *folder = path_folder(reader->arena, reader->path);
    config->cuda_path = path_absolute(reader->arena, folder, text);
    return true;
}

static bool read_arch(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    struct gpu_arch arch;
    if (!read_text(reader, value, &config->arch))
        return false;
    if (strcmp(config->arch, "all") != 0 && !gpu_arch_parse(config->arch, &arch))
        return FAIL(reader, value, "'%s' is no architecture; write one as sm_90a, or 'all'",
                    config->arch);
    return true;
}

// --- Launch shapes -----------------------------------------------------------------------------

static bool read_extents(struct reader *reader, const yaml_node_t *value, int64_t most,
                         int64_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    if (value->type != YAML_SEQUENCE_NODE)
        return read_number(reader, value, 1, most, &out[0]);
    const yaml_node_item_t *item = value->data.sequence.items.start;
    ptrdiff_t count = value->data.sequence.items.top - item;
    if (count < 1 || count > 3)
        return FAIL(reader, value, "a number or a list of one to three numbers is expected here");
    for (ptrdiff_t i = 0; i < count; ++i) {
        if (!read_number(reader, node_at(reader, item[i]), 1, most, &out[i]))
            return false;
    }
    return true;
}

static bool read_kernel(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_text(reader, value, &launch->kernel);
}

static bool read_block(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    int64_t *block = launch->shape.block;
    if (!read_extents(reader, value, 1024, block))
        return false;
    if (block[0] * block[1] * block[2] > 1024)
        return FAIL(reader, value, "a block has at most 1024 threads, not %lld",
                    (long long)(block[0] * block[1] * block[2]));
    launch->shape.block_known = true;
    return true;
}

static bool read_grid(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_extents(reader, value, INT32_MAX, launch->shape.grid);
}

static bool read_cluster(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    int64_t *cluster = launch->shape.cluster;
    if (!read_extents(reader, value, 16, cluster))
        return false;
    if (cluster[0] * cluster[1] * cluster[2] > 16)
        return FAIL(reader, value, "a cluster has at most 16 blocks");
    return true;
}

static bool read_shared_bytes(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_number(reader, value, 0, 1 << 20, &launch->shape.shared_bytes);
}

static const struct key launch_keys[] = {
    {"kernel", read_kernel},
    {"block", read_block},
    {"grid", read_grid},
    {"cluster", read_cluster},
    {"shared-bytes", read_shared_bytes},
    {NULL, NULL},
};

static bool read_launch(struct reader *reader, const yaml_node_t *node, struct config *config)
{
    struct config_launch launch = {
        .shape = {.cluster = {1, 1, 1}, .shared_bytes = -1, .source = ENGINE_SHAPE_CONFIG},
    };
    if (!read_mapping(reader, node, launch_keys, "a launch", &launch))
        return false;
    if (!launch.kernel || !launch.shape.block_known)
        return FAIL(reader, node, "a launch needs a 'kernel' and a 'block'");
    arrput(config->launch, launch);
    return true;
}

// --- Model rows --------------------------------------------------------------------------------

static bool read_function(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->function);
}

static bool read_like(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->like);
}

static bool read_roles(struct reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->roles);
}

static const struct key model_keys[] = {
    {"function", read_function}, {"like", read_like}, {"roles", read_roles}, {NULL, NULL}};

static bool read_model(struct reader *reader, const yaml_node_t *node, struct config *config)
{
    struct config_model row = {.roles = "", .line = line_of(node)};
    if (!read_mapping(reader, node, model_keys, "a model", &row))
        return false;
    if (!row.function || !row.like)
        return FAIL(reader, node, "a model needs a 'function' and a 'like'");
    arrput(config->model, row);
    return true;
}

// --- The whole ---------------------------------------------------------------------------------

static bool read_list(struct reader *reader, const yaml_node_t *node, struct config *config,
                      bool (*read)(struct reader *, const yaml_node_t *, struct config *))
{
    if (node->type != YAML_SEQUENCE_NODE)
        return FAIL(reader, node, "a list is expected here");
    for (const yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; ++item) {
        if (!read(reader, node_at(reader, *item), config))
            return false;
    }
    return true;
}

static bool read_launches(struct reader *reader, const yaml_node_t *value, void *into)
{
    return read_list(reader, value, into, read_launch);
}

static bool read_models(struct reader *reader, const yaml_node_t *value, void *into)
{
    return read_list(reader, value, into, read_model);
}

static const struct key top_keys[] = {
    {"rules", read_rules}, {"headers", read_headers}, {"cuda-path", read_cuda_path},
    {"arch", read_arch},   {"launch", read_launches}, {"models", read_models},
    {NULL, NULL},
};

// The table of operations says whether a row is possible; only it knows its spellings.
static bool check_models(struct reader *reader)
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

static bool read_document(struct reader *reader, yaml_parser_t *parser)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document))
        return error_set(reader->error, ERROR_USAGE, "%s:%zu: %s", reader->path,
                         parser->problem_mark.line + 1,
                         parser->problem ? parser->problem : "this is not YAML");
    reader->document = &document;
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    // "---" alone is a document that holds an empty word.
    bool is_empty = !root || (scalar(root) && scalar(root)[0] == '\0');
    bool good = is_empty || read_mapping(reader, root, top_keys, "the file", reader->config);
    yaml_document_delete(&document);
    return good && check_models(reader);
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
    config->content = digest_of(text, length);
    arrput(configs->config, config);
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        error_set(error, ERROR_INTERNAL, "out of memory");
        return NULL;
    }
    struct reader reader = {&configs->arena, config, config->path, NULL, error};
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool good = read_document(&reader, &parser);
    yaml_parser_delete(&parser);
    return good ? config : NULL;
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
