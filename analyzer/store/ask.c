// Questions to the store: only SELECT, and only over the views that docs/store.md describes.
#include <string.h>

#include "store/store_internal.h"

static bool is_table(const char *name)
{
    static const char *const table[] = {"file", "result", "current", "kernel", "run", "gpu"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
        if (strcmp(table[i], name) == 0)
            return true;
    }
    return strncmp(name, "sqlite_", 7) == 0;
}

// `view` is the view by way of which something is read; the tables behind the views may change with
// every version.
static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *view)
{
    (void)context;
    (void)second;
    (void)database;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        return view || !is_table(first) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static void hand_over(sqlite3_stmt *row, const struct store_answer *answer)
{
    enum { MOST_COLUMNS = 64 };
    const char *name[MOST_COLUMNS], *value[MOST_COLUMNS];
    bool is_number[MOST_COLUMNS];
    int columns = sqlite3_column_count(row);
    if (columns > MOST_COLUMNS)
        columns = MOST_COLUMNS;
    for (int i = 0; i < columns; ++i) {
        int type = sqlite3_column_type(row, i);
        name[i] = sqlite3_column_name(row, i);
        value[i] = (const char *)sqlite3_column_text(row, i);
        is_number[i] = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    }
    answer->row(answer->context, (size_t)columns, name, value, is_number);
}

static bool ask(sqlite3 *db, const char *sql, const struct store_answer *answer,
                struct error *error)
{
    sqlite3_stmt *statement = NULL;
    const char *tail = "";
    sqlite3_busy_timeout(db, 5000);
    sqlite3_set_authorizer(db, authorize, NULL);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, &tail) != SQLITE_OK)
        return error_set(error, ERROR_USAGE, "%s", sqlite3_errmsg(db));
    if (!statement || tail[strspn(tail, " \t\r\n;")]) {
        sqlite3_finalize(statement);
        return error_set(error, ERROR_USAGE, "one SELECT is wanted");
    }
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        hand_over(statement, answer);
    if (code != SQLITE_DONE)
        error_set(error, ERROR_USAGE, "%s", sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    return code == SQLITE_DONE;
}

bool store_ask(const char *path, const char *sql, const struct store_answer *answer,
               struct error *error)
{
    sqlite3 *db = NULL;
    bool good = false;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
        good = ask(db, sql, answer, error);
    else
        error_set(error, ERROR_USAGE,
                  "nothing is stored of this project yet ('%s'): run 'barlint "
                  "check' or 'barlint index build' first",
                  path);
    sqlite3_close(db);
    return good;
}
