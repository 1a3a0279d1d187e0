// The reading of one configuration file; private to config*.c. The keys and what their values may
// be stand in one table, from which `barlint config schema` makes a JSON Schema too.
#ifndef BARLINT_DRIVER_CONFIG_READ_H
#define BARLINT_DRIVER_CONFIG_READ_H

#include <yaml.h>

#include "driver/settings/config.h"

// A document being read.
struct config_reader {
    struct arena *arena;
    struct config *config;
    const char *path;
    yaml_document_t *document;
    struct error *error;
};

struct config_key {
    const char *name;
    // Reads the value into what the mapping stands for. False and an error when it is wrong.
    bool (*read)(struct config_reader *reader, const yaml_node_t *value, void *into);
    const char *help;              // for editors
    const char *schema;            // JSON Schema of the value; NULL: config_schema() knows it
    const struct config_key *item; // keys of each item where the value is a list of mappings
    bool required;
    const char *standard; // what holds where nothing is said; NULL: nothing
};

// Stands for every rule that is not named itself.
#define CONFIG_EVERY_RULE "*"

extern const struct config_key config_keys[]; // of the file; ended by a NULL name

// Reads a mapping whose keys are known; `what` names it in messages.
bool config_read_mapping(struct config_reader *reader, const yaml_node_t *node,
                         const struct config_key *keys, const char *what, void *into);

// Fails with "FILE:LINE: message".
#define CONFIG_FAIL(reader, node, ...)                                                             \
    config_fail(reader, node, arena_printf((reader)->arena, __VA_ARGS__))
bool config_fail(struct config_reader *reader, const yaml_node_t *node, const char *message);

// The text of a scalar, NULL for anything else.
const char *config_scalar(const yaml_node_t *node);
unsigned config_line(const yaml_node_t *node);

#endif
