// What checked programs said on a GPU.
#include "store/store_internal.h"

enum { MOST_GPU_RUNS = 200 };

bool store_add_gpu_run(struct store *store, const char *name, const char *content)
{
    store_save(store);
    if (!store->db)
        return false;
    sqlite3_stmt *insert =
        store_prepare(store, "INSERT OR REPLACE INTO gpu(name, imported, content) "
                             "VALUES(?, CAST(strftime('%s', 'now') AS INTEGER), ?)");
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, content, -1, SQLITE_STATIC);
    bool good = store_run_statement(store, insert);
    sqlite3_finalize(insert);
    char trim[128];
    sqlite3_snprintf(sizeof trim, trim,
                     "DELETE FROM gpu WHERE id NOT IN "
                     "(SELECT id FROM gpu ORDER BY id DESC LIMIT %d)",
                     MOST_GPU_RUNS);
    good = good && store_exec(store, trim);
    if (!good)
        store_trouble(store, "cannot save results in");
    return good;
}
