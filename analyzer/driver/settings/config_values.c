#include "driver/settings/config_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "rules/rule.h"

// Schemas are written with single quotes.
#define WORDS "{'oneOf': [{'type': 'string'}, {'type': 'array', 'items': {'type': 'string'}}]}"
// YAML 1.1 and 1.2 differ in which of these are words.
#define SWITCH "{'enum': ['on', 'off', 'yes', 'no', true, false]}"

// --- Values --------------------------------------------------------------------------------------

unsigned config_line(const yaml_node_t *node)
{
    return (unsigned)node->start_mark.line + 1;
}

bool config_fail(struct config_reader *reader, const yaml_node_t *node, const char *message)
{
    return error_set(reader->error, ERROR_USAGE, "%s:%u: %s", reader->path, config_line(node),
                     message);
}

const char *config_scalar(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *node_at(struct config_reader *reader, int index)
{
    return yaml_document_get_node(reader->document, index);
}

// The word of a key, which must not have been given before.
static const char *read_key(struct config_reader *reader, const yaml_node_t *node,
                            const yaml_node_pair_t *pair)
{
    const yaml_node_t *key = node_at(reader, pair->key);
    const char *name = config_scalar(key);
    if (!name) {
        CONFIG_FAIL(reader, key, "a key must be a word");
        return NULL;
    }
    for (const yaml_node_pair_t *other = node->data.mapping.pairs.start; other < pair; ++other) {
        if (strcmp(config_scalar(node_at(reader, other->key)), name) == 0) {
            CONFIG_FAIL(reader, key, "'%s' is given twice", name);
            return NULL;
        }
    }
    return name;
}

bool config_read_mapping(struct config_reader *reader, const yaml_node_t *node,
                         const struct config_key *keys, const char *what, void *into)
{
    if (node->type != YAML_MAPPING_NODE)
        return CONFIG_FAIL(reader, node, "%s must be a mapping of keys to values", what);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; ++pair) {
        const yaml_node_t *key = node_at(reader, pair->key), *value = node_at(reader, pair->value);
        const char *name = read_key(reader, node, pair);
        if (!name)
            return false;
        const struct config_key *row = keys;
        struct nearest nearest;
        nearest_init(&nearest, name);
        while (row->name && strcmp(row->name, name) != 0)
            nearest_offer(&nearest, row++->name);
        if (!row->name && nearest.best)
            return CONFIG_FAIL(reader, key, "unknown key '%s'; did you mean '%s'?", name,
                               nearest.best);
        if (!row->name)
            return CONFIG_FAIL(reader, key, "unknown key '%s' in %s", name, what);
        if (!row->read(reader, value, into))
            return false;
    }
    return true;
}

static bool read_text(struct config_reader *reader, const yaml_node_t *value, const char **out)
{
    const char *text = config_scalar(value);
    if (!text)
        return CONFIG_FAIL(reader, value, "a word is expected here");
    *out = arena_strdup(reader->arena, text);
    return true;
}

static bool read_switch(struct config_reader *reader, const yaml_node_t *value, bool *out)
{
    static const char *const words[][2] = {{"off", "on"}, {"false", "true"}, {"no", "yes"}};
    const char *text = config_scalar(value);
    for (size_t i = 0; text && i < 3; ++i) {
        for (int on = 0; on < 2; ++on) {
            if (strcmp(text, words[i][on]) == 0) {
                *out = on;
                return true;
            }
        }
    }
    return CONFIG_FAIL(reader, value, "'on' or 'off' is expected here");
}

static bool read_number(struct config_reader *reader, const yaml_node_t *value, int64_t least,
                        int64_t most, int64_t *out)
{
    const char *text = config_scalar(value);
    char *end = NULL;
    errno = 0;
    long long number = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || number < least || number > most)
        return CONFIG_FAIL(reader, value, "a number from %lld to %lld is expected here",
                           (long long)least, (long long)most);
    *out = number;
    return true;
}

static bool read_rule(struct config_reader *reader, const char *id, const yaml_node_t *value,
                      struct config_rule *out)
{
    const char *text = config_scalar(value);
    *out = (struct config_rule){.rule = arena_strdup(reader->arena, id), .on = true};
    out->line = config_line(value);
    out->has_level = text && rule_level_parse(text, &out->level);
    if (out->has_level || read_switch(reader, value, &out->on))
        return true;
    return CONFIG_FAIL(reader, value,
                       "'on', 'off' or a level ('note', 'warning', 'error') is expected here");
}

static bool read_rules(struct config_reader *reader, const yaml_node_t *node,
                       struct config_rule **out)
{
    if (node->type != YAML_MAPPING_NODE)
        return CONFIG_FAIL(reader, node,
                           "'rules' must be a mapping of rule ids to 'on', 'off' or a level");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; ++pair) {
        const char *id = read_key(reader, node, pair);
        struct error unknown = {0};
        struct config_rule rule;
        if (!id)
            return false;
        if (strcmp(id, CONFIG_EVERY_RULE) != 0 && !driver_find_rule(id, &unknown))
            return CONFIG_FAIL(reader, node_at(reader, pair->key), "%s", unknown.text);
        if (!read_rule(reader, id, node_at(reader, pair->value), &rule))
            return false;
        arrput(*out, rule);
    }
    return true;
}

static bool read_config_rules(struct config_reader *reader, const yaml_node_t *node, void *into)
{
    struct config *config = into;
    return read_rules(reader, node, &config->rule);
}

// One word or a list of them.
static bool read_words(struct config_reader *reader, const yaml_node_t *node, const char ***out)
{
    const char *word;
    if (node->type != YAML_SEQUENCE_NODE) {
        if (!read_text(reader, node, &word))
            return false;
        arrput(*out, word);
        return true;
    }
    for (const yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; ++item) {
        if (!read_text(reader, node_at(reader, *item), &word))
            return false;
        arrput(*out, word);
    }
    return true;
}

static bool read_exclude(struct config_reader *reader, const yaml_node_t *node, void *into)
{
    struct config *config = into;
    return read_words(reader, node, &config->exclude);
}

static bool read_path(struct config_reader *reader, const yaml_node_t *value, const char **out)
{
    const char *text = NULL;
    if (!read_text(reader, value, &text))
        return false;
    *out = path_absolute(reader->arena, reader->config->folder, text);
    return true;
}

static bool read_baseline(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    return read_path(reader, value, &config->baseline);
}

static bool read_require_reason(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    return read_switch(reader, value, &config->require_reason);
}

static bool read_headers(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    const char *text = config_scalar(value);
    const char *const *words = option_choices("headers");
    for (int i = 0; text && words[i]; ++i) {
        if (strcmp(words[i], text) == 0) {
            config->headers = (enum header_mode)i;
            config->headers_given = true;
            return true;
        }
    }
    return CONFIG_FAIL(reader, value, "'auto', 'toolkit' or 'builtin' is expected here");
}

static bool read_cuda_path(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    return read_path(reader, value, &config->cuda_path);
}

static bool read_arch(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config *config = into;
    struct gpu_arch arch;
    if (!read_text(reader, value, &config->arch))
        return false;
    if (strcmp(config->arch, "all") != 0 && !gpu_arch_parse(config->arch, &arch))
        return CONFIG_FAIL(reader, value, "'%s' is no architecture; write one as sm_90a, or 'all'",
                           config->arch);
    return true;
}

// --- Launch shapes -------------------------------------------------------------------------------

#define EXTENT(most) "{'type': 'integer', 'minimum': 1, 'maximum': " most "}"
#define EXTENTS(most)                                                                              \
    "{'oneOf': [" EXTENT(                                                                          \
        most) ", {'type': 'array', 'minItems': 1, 'maxItems': 3, 'items': " EXTENT(most) "}]}"

static bool read_extents(struct config_reader *reader, const yaml_node_t *value, int64_t most,
                         int64_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    if (value->type != YAML_SEQUENCE_NODE)
        return read_number(reader, value, 1, most, &out[0]);
    const yaml_node_item_t *item = value->data.sequence.items.start;
    ptrdiff_t count = value->data.sequence.items.top - item;
    if (count < 1 || count > 3)
        return CONFIG_FAIL(reader, value,
                           "a number or a list of one to three numbers is expected here");
    for (ptrdiff_t i = 0; i < count; ++i) {
        if (!read_number(reader, node_at(reader, item[i]), 1, most, &out[i]))
            return false;
    }
    return true;
}

static bool read_kernel(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_text(reader, value, &launch->kernel);
}

static bool read_block(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    int64_t *block = launch->shape.block;
    if (!read_extents(reader, value, 1024, block))
        return false;
    if (block[0] * block[1] * block[2] > 1024)
        return CONFIG_FAIL(reader, value, "a block has at most 1024 threads, not %lld",
                           (long long)(block[0] * block[1] * block[2]));
    launch->shape.block_known = true;
    return true;
}

static bool read_grid(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_extents(reader, value, INT32_MAX, launch->shape.grid);
}

static bool read_cluster(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    int64_t *cluster = launch->shape.cluster;
    if (!read_extents(reader, value, 16, cluster))
        return false;
    if (cluster[0] * cluster[1] * cluster[2] > 16)
        return CONFIG_FAIL(reader, value, "a cluster has at most 16 blocks");
    return true;
}

static bool read_shared_bytes(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_launch *launch = into;
    return read_number(reader, value, 0, 1 << 20, &launch->shape.shared_bytes);
}

static const struct config_key launch_keys[] = {
    {"kernel", read_kernel,
     "name of the kernel, with its namespaces and without template arguments", "{'type': 'string'}",
     NULL, true, NULL},
    {"block", read_block, "threads of a block: a number or up to three", EXTENTS("1024"), NULL,
     true, NULL},
    {"grid", read_grid, "blocks of the grid: a number or up to three", EXTENTS("2147483647"), NULL,
     false, NULL},
    {"cluster", read_cluster, "blocks of a cluster: a number or up to three", EXTENTS("16"), NULL,
     false, NULL},
    {"shared-bytes", read_shared_bytes, "dynamic shared memory, in bytes",
     "{'type': 'integer', 'minimum': 0, 'maximum': 1048576}", NULL, false, NULL},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

static bool read_launch(struct config_reader *reader, const yaml_node_t *node,
                        struct config *config)
{
    struct config_launch launch = {
        .shape = {.cluster = {1, 1, 1}, .shared_bytes = -1, .source = ENGINE_SHAPE_CONFIG},
    };
    if (!config_read_mapping(reader, node, launch_keys, "a launch", &launch))
        return false;
    if (!launch.kernel || !launch.shape.block_known)
        return CONFIG_FAIL(reader, node, "a launch needs a 'kernel' and a 'block'");
    arrput(config->launch, launch);
    return true;
}

// --- Model rows --------------------------------------------------------------------------------

static bool read_function(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->function);
}

static bool read_like(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->like);
}

static bool read_roles(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_model *model = into;
    return read_text(reader, value, &model->roles);
}

static const struct config_key model_keys[] = {
    {"function", read_function, "name of the function, with its namespaces", "{'type': 'string'}",
     NULL, true, NULL},
    {"like", read_like, "the operation it acts as: a C++ function or a PTX instruction",
     "{'type': 'string'}", NULL, true, NULL},
    {"roles", read_roles, "what its arguments are, a letter each", "{'type': 'string'}", NULL,
     false, NULL},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

static bool read_model(struct config_reader *reader, const yaml_node_t *node, struct config *config)
{
    struct config_model row = {.roles = "", .line = config_line(node)};
    if (!config_read_mapping(reader, node, model_keys, "a model", &row))
        return false;
    if (!row.function || !row.like)
        return CONFIG_FAIL(reader, node, "a model needs a 'function' and a 'like'");
    arrput(config->model, row);
    return true;
}

// --- Settings of some files ----------------------------------------------------------------------

static bool read_files(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_files *files = into;
    return read_words(reader, value, &files->pattern);
}

static bool read_files_rules(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    struct config_files *files = into;
    return read_rules(reader, value, &files->rule);
}

static const struct config_key files_keys[] = {
    {"files", read_files, "patterns as in .gitignore, relative to this file", WORDS, NULL, true,
     NULL},
    {"rules", read_files_rules, "rules switched on or off for these files, or their level", NULL,
     NULL, false, NULL},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

static bool read_files_item(struct config_reader *reader, const yaml_node_t *node,
                            struct config *config)
{
    struct config_files files = {0};
    bool good = config_read_mapping(reader, node, files_keys, "an item of 'per-file'", &files);
    arrput(config->files, files); // its lists are freed with the others
    return good && (files.pattern || CONFIG_FAIL(reader, node, "'files' is missing here"));
}

// --- The file ------------------------------------------------------------------------------------

static bool read_list(struct config_reader *reader, const yaml_node_t *node, struct config *config,
                      bool (*read)(struct config_reader *, const yaml_node_t *, struct config *))
{
    if (node->type != YAML_SEQUENCE_NODE)
        return CONFIG_FAIL(reader, node, "a list is expected here");
    for (const yaml_node_item_t *item = node->data.sequence.items.start;
         item < node->data.sequence.items.top; ++item) {
        if (!read(reader, node_at(reader, *item), config))
            return false;
    }
    return true;
}

static bool read_launches(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    return read_list(reader, value, into, read_launch);
}

static bool read_models(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    return read_list(reader, value, into, read_model);
}

static bool read_per_file(struct config_reader *reader, const yaml_node_t *value, void *into)
{
    return read_list(reader, value, into, read_files_item);
}

const struct config_key config_keys[] = {
    {"rules", read_config_rules, "rules switched on or off, or the level they report with", NULL,
     NULL, false, NULL},
    {"per-file", read_per_file, "settings of some files; later ones win", NULL, files_keys, false,
     NULL},
    {"exclude", read_exclude, "files that are not analysed: patterns as in .gitignore", WORDS, NULL,
     false, NULL},
    {"baseline", read_baseline, "the baseline, relative to this file", "{'type': 'string'}", NULL,
     false, NULL},
    {"require-reason", read_require_reason, "suppressions without a reason do not count", SWITCH,
     NULL, false, "off"},
    {"headers", read_headers, "where CUDA's headers come from",
     "{'enum': ['auto', 'toolkit', 'builtin']}", NULL, false, "auto"},
    {"cuda-path", read_cuda_path, "the CUDA toolkit, relative to this file", "{'type': 'string'}",
     NULL, false, "the toolkit that is found"},
    {"arch", read_arch, "the architecture to analyse for, or all that the command names",
     "{'type': 'string', 'pattern': '^(all|(sm_|compute_)[0-9]+[af]?)$'}", NULL, false,
     "the newest that the command names"},
    {"launch", read_launches, "launch shapes of kernels whose launches cannot be seen", NULL,
     launch_keys, false, NULL},
    {"models", read_models, "functions that cannot be followed and act like a known one", NULL,
     model_keys, false, NULL},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};
