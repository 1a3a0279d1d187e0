// What came of kernels. Their keys say all that it depends on, so no file has to be looked at.
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

// A worker that would have to wait longer for whoever writes analyses the kernel instead.
enum { BUSY_MILLISECONDS = 200 };

static struct digest seal_of(const char *key, const char *content)
{
    struct digester *digester = digester_new();
    digester_text(digester, key);
    digester_text(digester, content);
    return digester_end(digester);
}

void store_keep_kernel(struct store *store, const char *key, const char *content)
{
    struct arena *arena = &store->pending_arena;
    struct store_kernel kernel = {arena_strdup(arena, key),
                                  content ? arena_strdup(arena, content) : NULL};
    if (store->db)
        arrput(store->kernel, kernel);
}

bool store_kernels_save(struct store *store)
{
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT OR REPLACE INTO kernel(key, content, seal, used) "
                             "VALUES(?, ?, ?, CAST(julianday('now') AS INTEGER))");
    sqlite3_stmt *used =
        store_prepare(store, "UPDATE kernel SET used = CAST(julianday('now') AS INTEGER) "
                             "WHERE key = ? AND used < CAST(julianday('now') AS INTEGER)");
    bool good = insert && used;
    for (ptrdiff_t i = 0; good && i < arrlen(store->kernel); ++i) {
        const struct store_kernel *kernel = &store->kernel[i];
        sqlite3_stmt *statement = kernel->content ? insert : used;
        sqlite3_bind_text(statement, 1, kernel->key, -1, SQLITE_STATIC);
        if (kernel->content) {
            struct digest seal = seal_of(kernel->key, kernel->content);
            sqlite3_bind_text(statement, 2, kernel->content, -1, SQLITE_STATIC);
            store_bind_digest(statement, 3, &seal);
        }
        good = store_run_statement(store, statement);
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(used);
    return good;
}

// --- Looking -------------------------------------------------------------------------------------

struct store_lookup {
    sqlite3 *db;
    sqlite3_stmt *select; // NULL: nothing is found
};

struct store_lookup *store_lookup_new(const char *path)
{
    struct store_lookup *lookup = calloc(1, sizeof *lookup);
    if (!lookup)
        abort();
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &lookup->db, flags, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(lookup->db, BUSY_MILLISECONDS);
        sqlite3_prepare_v2(lookup->db, "SELECT content, seal FROM kernel WHERE key = ?", -1,
                           &lookup->select, NULL);
    }
    return lookup;
}

void store_lookup_free(struct store_lookup *lookup)
{
    if (!lookup)
        return;
    sqlite3_finalize(lookup->select);
    sqlite3_close(lookup->db);
    free(lookup);
}

const char *store_lookup_kernel(struct store_lookup *lookup, const char *key)
{
    struct digest seal, wanted;
    if (!lookup->select)
        return NULL;
    sqlite3_reset(lookup->select);
    sqlite3_bind_text(lookup->select, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(lookup->select) != SQLITE_ROW)
        return NULL;
    const char *content = (const char *)sqlite3_column_text(lookup->select, 0);
    if (!content || !store_column_digest(lookup->select, 1, &seal))
        return NULL;
    wanted = seal_of(key, content);
    return digest_equal(&seal, &wanted) ? content : NULL;
}
