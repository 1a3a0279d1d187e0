// Finding results that still hold.
#include <string.h>

#include "store/store_internal.h"

bool store_decode_rows(const unsigned char *bytes, size_t size, int64_t **out_row)
{
    int64_t row = 0;
    for (size_t at = 0; at < size;) {
        uint64_t step = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at == size || shift > 56)
                return false;
            step |= (uint64_t)(bytes[at] & 0x7f) << shift;
            if (!(bytes[at++] & 0x80))
                break;
        }
        if (__builtin_add_overflow(row, (int64_t)step, &row))
            return false;
        arrput(*out_row, row);
    }
    return true;
}

// The files of a result, an stb_ds array; false where one of them has no row.
static bool load_files(struct store *store, const unsigned char *bytes, size_t size,
                       size_t **out_file)
{
    int64_t *row = NULL; // stb_ds array
    bool good = store_decode_rows(bytes, size, &row);
    for (ptrdiff_t i = 0; good && i < arrlen(row); ++i) {
        size_t file = store_file_load(store, row[i]);
        good = file != SIZE_MAX;
        if (good)
            arrput(*out_file, file);
    }
    arrfree(row);
    return good;
}

struct found {
    size_t *file; // stb_ds array
    struct digest inputs;
};

// Columns: result, links, inputs, files, seal, id, whether it is current.
static void take(struct store *store, sqlite3_stmt *row, struct store_query *query,
                 struct found *found)
{
    const char *result = (const char *)sqlite3_column_text(row, 0);
    const char *links = (const char *)sqlite3_column_text(row, 1);
    const void *files = sqlite3_column_blob(row, 3);
    size_t size = (size_t)sqlite3_column_bytes(row, 3);
    struct digest seal, wanted;
    if (!result || !links || !store_column_digest(row, 2, &found->inputs) ||
        !store_column_digest(row, 4, &seal))
        return;
    wanted = store_seal(&query->key, &found->inputs, files, size, result, links);
    if (!digest_equal(&seal, &wanted) || !load_files(store, files, size, &found->file))
        return;
    query->result = arena_strdup(&store->arena, result);
    query->links = arena_strdup(&store->arena, links);
    query->row = sqlite3_column_int64(row, 5);
    query->is_current = sqlite3_column_int(row, 6);
}

// Everything that is needed of the database is read in one go, so that nobody waits for the files
// to be looked at.
static bool read_rows(struct store *store, struct store_query *query, size_t count,
                      struct found *found)
{
    if (!store_exec(store, "BEGIN"))
        return false;
    sqlite3_stmt *select = store_prepare(
        store, "SELECT r.result, r.links, r.inputs, r.files, r.seal, r.id, "
               "c.result IS r.id AND r.used = CAST(julianday('now') AS INTEGER) FROM result r "
               "LEFT JOIN current c ON c.source = r.source AND c.unit = r.unit WHERE r.key = ?");
    bool good = select != NULL;
    for (size_t i = 0; good && i < count; ++i) {
        store_bind_digest(select, 1, &query[i].key);
        bool row = false;
        good = store_step(store, select, &row);
        if (row)
            take(store, select, &query[i], &found[i]);
        sqlite3_reset(select);
    }
    sqlite3_finalize(select);
    return good && store->failure == SQLITE_OK && store_exec(store, "COMMIT");
}

void store_find(struct store *store, struct store_query *query, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        query[i].result = query[i].links = NULL;
    if (!store->db || count == 0)
        return;
    store->failure = SQLITE_OK;
    struct arena scratch;
    arena_init(&scratch);
    struct found *found = arena_array(&scratch, struct found, count);
    if (!read_rows(store, query, count, found))
        store_trouble(store, "cannot read");
    for (size_t i = 0; i < count; ++i) {
        size_t files = arrlenu(found[i].file);
        struct digest now = {0, 0};
        if (query[i].result)
            now = store_inputs_digest(store, found[i].file, files);
        if (query[i].result && !digest_equal(&now, &found[i].inputs))
            query[i].result = query[i].links = NULL;
        arrfree(found[i].file);
    }
    arena_release(&scratch);
}

void store_use(struct store *store, const struct store_query *found)
{
    if (found->result && !found->is_current)
        arrput(store->used, found->row);
}

void store_links(struct store *store,
                 void (*visit)(void *context, const char *source, const char *links), void *context)
{
    if (!store->db)
        return;
    sqlite3_stmt *select = store_prepare(store, "SELECT r.source, r.links FROM current c "
                                                "JOIN result r ON r.id = c.result");
    for (bool row = true; store_step(store, select, &row) && row;) {
        const char *source = (const char *)sqlite3_column_text(select, 0);
        const char *links = (const char *)sqlite3_column_text(select, 1);
        if (source && links)
            visit(context, source, links);
    }
    sqlite3_finalize(select);
}
