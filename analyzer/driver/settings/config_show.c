// `barlint config`: what the configuration says and where, and the JSON Schema of its file.
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/run/units.h"
#include "driver/settings/config_read.h"

// --- Values and their origins --------------------------------------------------------------------

struct show {
    const struct options *options;
    struct units units;
    const struct config *config;
    const char *file; // absolute; NULL: the values as the configuration file has them
    json_t *list;
};

static void put(struct show *show, const char *name, const char *value, unsigned line)
{
    const char *path = show->config->path;
    if (show->options->json)
        json_array_append_new(show->list,
                              json_pack("{s:o, s:o, s:o?, s:i}", "name", finding_json_text(name),
                                        "value", finding_json_text(value), "file",
                                        line ? finding_json_text(path) : NULL, "line", (int)line));
    else if (line)
        printf("%s: %s  # %s:%u\n", name, value, path_shown(show->units.folder, path), line);
    else
        printf("%s: %s  # default\n", name, value);
}

static bool begins_with_key(const char *name, const char *key)
{
    size_t length = strlen(key);
    return strncmp(name, key, length) == 0 && (!name[length] || strchr(".[", name[length]));
}

// The rules as they stand for one file: what is said of them, whatever part says it.
static void put_rules(struct show *show)
{
    for (size_t i = 0; rule_registry[i]; ++i) {
        const struct rule *rule = rule_registry[i];
        const struct config_rule *said = config_find_rule(show->config, show->file, rule->id);
        const char *value = rule_level_name(said && said->has_level ? said->level : rule->level);
        put(show, arena_printf(&show->units.arena, "rules.%s", rule->id),
            said && !said->on ? "off" : value, said ? said->line : 0);
    }
}

static void put_key(struct show *show, const struct config_key *key)
{
    const struct config *config = show->config;
    bool found = false;
    if (show->file && strcmp(key->name, "rules") == 0) {
        put_rules(show);
        return;
    }
    // For one file its part is in the rules.
    if (show->file && strcmp(key->name, "per-file") == 0)
        return;
    for (ptrdiff_t i = 0; i < arrlen(config->value); ++i) {
        const struct config_value *value = &config->value[i];
        if (begins_with_key(value->name, key->name)) {
            put(show, value->name, value->value, value->line);
            found = true;
        }
    }
    if (!found)
        put(show, key->name, key->standard ? key->standard : "nothing", 0);
}

static int show_values(const struct options *options)
{
    struct show show = {.options = options, .list = json_array()};
    struct error error = {0};
    int status = EXIT_CLEAN;
    if (units_init(&show.units, &error)) {
        struct arena *arena = &show.units.arena;
        if (arrlen(options->path) > 1)
            show.file = path_absolute(arena, show.units.folder, options->path[1]);
        const char *place = show.file ? show.file : arena_printf(arena, "%s/.", show.units.folder);
        show.config = units_config(&show.units, options, place, &error);
    }
    if (!show.config) {
        status = driver_fail(&error);
    } else {
        for (const struct config_key *key = config_keys; key->name; ++key)
            put_key(&show, key);
        if (show.file && config_excludes(show.config, show.file) && !options->json)
            printf("# %s is excluded\n", path_shown(show.units.folder, show.file));
        if (options->json) {
            json_dumpf(show.list, stdout, JSON_INDENT(2));
            putchar('\n');
        }
    }
    json_decref(show.list);
    units_release(&show.units);
    return status;
}

// --- The schema ----------------------------------------------------------------------------------

// Schemas stand in the table with single quotes.
static json_t *schema_of(const char *text)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at; ++at)
        *at = *at == '\'' ? '"' : *at;
    return json_loads(copy, 0, NULL);
}

static void put_rule_schema(json_t *rules, const char *id, const char *help)
{
    json_t *rule = schema_of("{'enum': ['on', 'off', 'yes', 'no', true, false, 'note', 'warning', "
                             "'error']}");
    json_object_set_new(rule, "description", json_string(help));
    json_object_set_new(rules, id, rule);
}

static json_t *rules_schema(void)
{
    json_t *rules = json_object();
    put_rule_schema(rules, CONFIG_EVERY_RULE, "every rule that is not named itself");
    for (size_t i = 0; rule_registry[i]; ++i)
        put_rule_schema(rules, rule_registry[i]->id, rule_registry[i]->summary);
    return json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0, "properties",
                     rules);
}

static json_t *mapping_schema(const struct config_key *keys)
{
    json_t *properties = json_object(), *required = json_array();
    for (const struct config_key *key = keys; key->name; ++key) {
        json_t *value;
        if (key->schema)
            value = schema_of(key->schema);
        else if (key->item)
            value = json_pack("{s:s, s:o}", "type", "array", "items", mapping_schema(key->item));
        else
            value = rules_schema();
        json_object_set_new(value, "description", json_string(key->help));
        if (key->required)
            json_array_append_new(required, json_string(key->name));
        json_object_set_new(properties, key->name, value);
    }
    json_t *schema = json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0,
                               "properties", properties);
    if (json_array_size(required))
        json_object_set(schema, "required", required);
    json_decref(required);
    return schema;
}

static void print_schema(void)
{
    json_t *schema = json_pack("{s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#",
                               "title", "Configuration of barlint (.barlint.yaml)");
    json_t *mapping = mapping_schema(config_keys);
    json_object_update(schema, mapping);
    json_decref(mapping);
    // A file of comments only holds nothing.
    json_object_set_new(schema, "type", json_pack("[s, s]", "object", "null"));
    json_dumpf(schema, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(schema);
}

int command_config(struct options *options)
{
    const char *word = arrlen(options->path) ? options->path[0] : "show";
    if (strcmp(word, "show") == 0 && arrlen(options->path) <= 2)
        return show_values(options);
    if (strcmp(word, "schema") == 0 && arrlen(options->path) == 1) {
        print_schema();
        return EXIT_CLEAN;
    }
    struct error error = {0};
    struct nearest nearest;
    nearest_init(&nearest, word);
    nearest_offer(&nearest, "show");
    nearest_offer(&nearest, "schema");
    error_set(&error, ERROR_USAGE, "'barlint config' takes 'show [FILE]' or 'schema'%s%s%s",
              nearest.best && nearest.distance ? "; did you mean '" : "",
              nearest.best && nearest.distance ? nearest.best : "",
              nearest.best && nearest.distance ? "'?" : "");
    return driver_fail(&error);
}
