#include "driver/answers.h"

#include <string.h>

#include "base/vec.h"
#include "driver/reuse/kept.h"
#include "frontend/command/file.h"

void answers_init(struct answers *answers)
{
    *answers = (struct answers){0};
    arena_init(&answers->arena);
}

void answers_release(struct answers *answers)
{
    arrfree(answers->cell);
    arrfree(answers->is_number);
    arena_release(&answers->arena);
}

static void take_row(void *context, size_t columns, const char *const *name,
                     const char *const *value, const bool *is_number)
{
    struct answers *answers = context;
    for (size_t i = 0; answers->columns == 0 && i < columns; ++i) {
        arrput(answers->cell, arena_strdup(&answers->arena, name[i]));
        arrput(answers->is_number, false);
    }
    answers->columns = columns;
    for (size_t i = 0; i < columns; ++i) {
        arrput(answers->cell, value[i] ? arena_strdup(&answers->arena, value[i]) : NULL);
        arrput(answers->is_number, is_number[i]);
    }
}

bool answers_ask(struct answers *answers, const char *path, const char *sql, struct error *error)
{
    struct store_answer answer = {take_row, answers};
    return store_ask(path, sql, &answer, error);
}

char *answers_store(struct arena *arena, struct error *error)
{
    char *path = kept_path(arena, path_current(arena));
    if (!path)
        error_set(error, ERROR_ENVIRONMENT,
                  "there is no folder to keep results in: HOME is not set");
    return path;
}

bool answers_as_json(const struct options *options)
{
    bool json = options->json;
    for (ptrdiff_t i = 0; i < arrlen(options->format); ++i)
        json = json || strcmp(options->format[i], "json") == 0;
    return json;
}
