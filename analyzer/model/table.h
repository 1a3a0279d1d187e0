// The table behind model_match: rows of rows.def and of the user, found by name. Used by the model
// only.
#ifndef BARLINT_MODEL_TABLE_H
#define BARLINT_MODEL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"

enum { MODEL_PARTS = 32, MODEL_NAME_LIMIT = 512 };

// One row; the columns are explained in rows.def.
struct model_row {
    const char *spelling;
    const char *when; // functions only
    enum model_kind kind;
    enum model_scope scope;
    uint32_t flags;
    const char *roles;
    int min_arch;
    int detail;
    bool is_ptx;
    uint32_t next; // the next row under the same key, or IR_NONE
};

struct model_key {
    char *key;
    uint32_t value; // the first row of the key
};

struct model {
    struct arena arena;
    struct model_row *row;      // stb_ds
    struct model_key *function; // stb_ds, by canonical name
    struct model_key *prefix;   // stb_ds, by name without its `*`
    struct model_key *mnemonic; // stb_ds, by first part
};

// The name the table knows a function by: version namespaces (`__4`, `__v1`) left out, base classes
// replaced by the class they stand for. False when the name does not fit in MODEL_NAME_LIMIT.
bool model_canonical(const char *lookup, char out[MODEL_NAME_LIMIT]);

// The first row of a function by canonical name, or IR_NONE; the others follow by `next`.
uint32_t model_find_function(const struct model *model, const char *name);

// The row that asks for most of the mnemonic's parts; NULL when none fits. `part` are the parts of
// the mnemonic, without dots.
const struct model_row *model_find_instruction(const struct model *model, const char *const *part,
                                               uint32_t part_count);

// Splits a mnemonic at its dots into `text`; returns the number of parts, 0 when there are too
// many.
uint32_t model_split(const char *mnemonic, char text[MODEL_NAME_LIMIT],
                     const char *part[MODEL_PARTS]);

// The built-in rows, for the tests: a null-terminated listing in table order.
const struct model_row *model_builtin(uint32_t index);

#endif
