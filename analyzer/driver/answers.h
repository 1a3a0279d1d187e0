// Answers of the store, as tables.
#ifndef BARLINT_DRIVER_ANSWERS_H
#define BARLINT_DRIVER_ANSWERS_H

#include "base/arena.h"
#include "base/error.h"
#include "driver/settings/options.h"

// Rows as they come, so that columns can be made as wide as their widest value.
struct answers {
    struct arena arena;
    const char **cell; // stb_ds array: names first, then row after row; NULL for an SQL NULL
    bool *is_number;   // stb_ds array, one for each cell
    size_t columns;    // 0: there is no row
};

void answers_init(struct answers *answers);
void answers_release(struct answers *answers);

// Asks the store at `path`, whose views docs/store.md describes; once for each `answers`. Fails as
// store_ask() does.
bool answers_ask(struct answers *answers, const char *path, const char *sql, struct error *error);

// The store's file for where the user stands. NULL with ERROR_ENVIRONMENT where there can be none.
char *answers_store(struct arena *arena, struct error *error);

// Whether the user wants JSON.
bool answers_as_json(const struct options *options);

#endif
