// How large the store is, and keeping it from growing.
#include <sys/stat.h>

#include "store/store_internal.h"

static uint64_t number_of(struct store *store, const char *sql)
{
    bool row = false;
    uint64_t number = 0;
    sqlite3_stmt *statement = store_prepare(store, sql);
    if (store_step(store, statement, &row) && row)
        number = (uint64_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

struct store_numbers store_count(struct store *store)
{
    struct store_numbers numbers = {0};
    if (!store->db)
        return numbers;
    store->failure = SQLITE_OK;
    numbers = (struct store_numbers){
        .bytes = store_size(store),
        .results = number_of(store, "SELECT count(*) FROM result"),
        .current = number_of(store, "SELECT count(*) FROM current"),
        .files = number_of(store, "SELECT count(*) FROM file WHERE content IS NOT NULL"),
        .runs = number_of(store, "SELECT count(*) FROM run"),
    };
    if (store->failure != SQLITE_OK)
        store_trouble(store, "cannot read");
    return numbers;
}

static bool is_gone(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0;
}

static bool remove_gone(struct store *store)
{
    int64_t *gone = NULL; // stb_ds array
    sqlite3_stmt *select = store_prepare(store, "SELECT id, source FROM result");
    bool row = true, good = true;
    while (good && (good = store_step(store, select, &row)) && row) {
        const char *source = (const char *)sqlite3_column_text(select, 1);
        if (!source || is_gone(source))
            arrput(gone, sqlite3_column_int64(select, 0));
    }
    sqlite3_finalize(select);
    sqlite3_stmt *remove = store_prepare(store, "DELETE FROM result WHERE id = ?");
    for (ptrdiff_t i = 0; good && i < arrlen(gone); ++i) {
        sqlite3_bind_int64(remove, 1, gone[i]);
        good = store_run_statement(store, remove);
    }
    sqlite3_finalize(remove);
    arrfree(gone);
    return good;
}

static bool remove_by_number(struct store *store, const char *sql, double number)
{
    sqlite3_stmt *remove = store_prepare(store, sql);
    sqlite3_bind_double(remove, 1, number);
    bool good = store_run_statement(store, remove);
    sqlite3_finalize(remove);
    return good;
}

// Removes so much of what was not used for longest that about the wanted part is left.
static bool remove_unused(struct store *store, unsigned days, double part_left)
{
    static const char old_result[] =
        "DELETE FROM result WHERE used < CAST(julianday('now') AS INTEGER) - ?";
    static const char old_kernel[] =
        "DELETE FROM kernel WHERE used < CAST(julianday('now') AS INTEGER) - ?";
    static const char more_results[] =
        "DELETE FROM result WHERE id IN (SELECT id FROM result ORDER BY used, id "
        "LIMIT (SELECT CAST(count(*) * (1 - ?) AS INTEGER) FROM result))";
    static const char more_kernels[] =
        "DELETE FROM kernel WHERE key IN (SELECT key FROM kernel ORDER BY used, key "
        "LIMIT (SELECT CAST(count(*) * (1 - ?) AS INTEGER) FROM kernel))";
    return remove_by_number(store, old_result, days) && remove_by_number(store, old_kernel, days) &&
           (part_left >= 1 || (remove_by_number(store, more_results, part_left) &&
                               remove_by_number(store, more_kernels, part_left)));
}

// Removes the rows of files that no result depends on any more.
static bool remove_files(struct store *store)
{
    struct {
        int64_t key;
        bool value;
    } *needed = NULL; // stb_ds set
    sqlite3_stmt *select = store_prepare(store, "SELECT files FROM result");
    bool row = true, good = true;
    while (good && (good = store_step(store, select, &row)) && row) {
        int64_t *rows = NULL; // stb_ds array
        store_decode_rows(sqlite3_column_blob(select, 0), (size_t)sqlite3_column_bytes(select, 0),
                          &rows);
        for (ptrdiff_t i = 0; i < arrlen(rows); ++i)
            hmput(needed, rows[i], true);
        arrfree(rows);
    }
    sqlite3_finalize(select);
    sqlite3_stmt *all = store_prepare(store, "SELECT id FROM file");
    sqlite3_stmt *remove = store_prepare(store, "DELETE FROM file WHERE id = ?");
    for (row = true; good && (good = store_step(store, all, &row)) && row;) {
        int64_t id = sqlite3_column_int64(all, 0);
        if (hmgeti(needed, id) >= 0)
            continue;
        sqlite3_bind_int64(remove, 1, id);
        good = store_run_statement(store, remove);
    }
    sqlite3_finalize(all);
    sqlite3_finalize(remove);
    hmfree(needed);
    return good;
}

uint64_t store_size(struct store *store)
{
    return store->db ? number_of(store, "SELECT page_count * page_size "
                                        "FROM pragma_page_count(), pragma_page_size()")
                     : 0;
}

uint64_t store_collect(struct store *store, unsigned days, uint64_t bytes)
{
    struct store_numbers before = store_count(store);
    if (!store->db)
        return 0;
    double part = before.bytes > bytes ? (double)bytes / (double)before.bytes : 1;
    bool good =
        store_exec(store, "BEGIN IMMEDIATE") && remove_gone(store) &&
        remove_unused(store, days, part) && remove_files(store) &&
        store_exec(store, "DELETE FROM current WHERE result NOT IN (SELECT id FROM result)") &&
        store_exec(store, "COMMIT") && store_exec(store, "VACUUM");
    if (!good) {
        store_trouble(store, "cannot make smaller");
        return 0;
    }
    struct store_numbers after = store_count(store);
    return before.results - after.results;
}
