// Keeping results, and the history of runs.
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

enum {
    SAVE_RESULTS = 64, // as many pending ones are saved at once
    SAVE_SECONDS = 2,  // or those of so long a time: what an interrupted run has done is not lost
    MOST_RUNS = 1000,  // remembered
};

struct digest store_seal(const struct digest *key, const struct digest *inputs, const void *files,
                         size_t files_size, const char *result, const char *links)
{
    struct digester *digester = digester_new();
    digester_add(digester, key, sizeof *key);
    digester_add(digester, inputs, sizeof *inputs);
    digester_add(digester, files, files_size);
    digester_text(digester, result);
    digester_text(digester, links);
    return digester_end(digester);
}

static size_t *add_inputs(struct store *store, const struct store_record *record)
{
    size_t *file = NULL; // stb_ds array
    struct {
        size_t key;
        bool value;
    } *seen = NULL; // stb_ds
    bool good = true;
    for (size_t i = 0; good && i < record->input_count; ++i) {
        const struct store_input *input = &record->input[i];
        size_t index = store_file_of(store, input->path);
        if (hmgeti(seen, index) >= 0)
            continue;
        hmput(seen, index, true);
        good = store_file_held(store, index, input->absent, &record->begun);
        arrput(file, index);
    }
    hmfree(seen);
    if (!good)
        arrfree(file);
    return file;
}

void store_keep(struct store *store, const struct store_record *record)
{
    size_t *file = store->db ? add_inputs(store, record) : NULL;
    if (!file)
        return;
    struct arena *arena = &store->pending_arena;
    struct store_pending pending = {
        .key = record->key,
        .unit = record->unit,
        .inputs = store_inputs_digest(store, file, arrlenu(file)),
        .source = arena_strdup(arena, record->source),
        .result = arena_strdup(arena, record->result),
        .links = arena_strdup(arena, record->links),
        .facts = arena_strdup(arena, record->facts),
        .file = file,
    };
    arrput(store->pending, pending);
    if (arrlen(store->pending) >= SAVE_RESULTS || time(NULL) - store->saved >= SAVE_SECONDS)
        store_save(store);
}

static int compare_rows(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

// The rows of the files in ascending order, each as its distance from the one before, seven bits a
// byte. Returns an stb_ds array.
static unsigned char *encode_files(const struct store *store, const size_t *file, size_t count)
{
    int64_t *row = NULL; // stb_ds array
    for (size_t i = 0; i < count; ++i)
        arrput(row, store->file[file[i]].row);
    if (count)
        qsort(row, count, sizeof row[0], compare_rows);
    unsigned char *bytes = NULL;
    int64_t before = 0;
    for (size_t i = 0; i < count; ++i) {
        uint64_t step = (uint64_t)(row[i] - before);
        for (; step > 0x7f; step >>= 7)
            arrput(bytes, (unsigned char)(0x80 | (step & 0x7f)));
        arrput(bytes, (unsigned char)step);
        before = row[i];
    }
    arrfree(row);
    return bytes;
}

static bool save_result(struct store *store, sqlite3_stmt *insert, sqlite3_stmt *current,
                        const struct store_pending *pending)
{
    unsigned char *files = encode_files(store, pending->file, arrlenu(pending->file));
    struct digest seal = store_seal(&pending->key, &pending->inputs, files, arrlenu(files),
                                    pending->result, pending->links);
    store_bind_digest(insert, 1, &pending->key);
    sqlite3_bind_text(insert, 2, pending->source, -1, SQLITE_STATIC);
    store_bind_digest(insert, 3, &pending->unit);
    store_bind_digest(insert, 4, &pending->inputs);
    sqlite3_bind_blob(insert, 5, files, (int)arrlen(files), SQLITE_STATIC);
    store_bind_digest(insert, 6, &seal);
    sqlite3_bind_text(insert, 7, pending->result, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 8, pending->links, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 9, pending->facts, -1, SQLITE_STATIC);
    bool good = store_run_statement(store, insert);
    arrfree(files);
    if (!good)
        return false;
    sqlite3_bind_int64(current, 1, sqlite3_last_insert_rowid(store->db));
    return store_run_statement(store, current);
}

static bool save_rows(struct store *store)
{
    if (!store_files_save(store))
        return false;
    sqlite3_stmt *insert = store_prepare(
        store, "INSERT OR REPLACE INTO result(key, source, unit, inputs, files, seal, result, "
               "links, facts, used) "
               "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, CAST(julianday('now') AS INTEGER))");
    sqlite3_stmt *current =
        store_prepare(store, "INSERT OR REPLACE INTO current "
                             "SELECT source, unit, id FROM result WHERE id = ?");
    sqlite3_stmt *used = store_prepare(
        store, "UPDATE result SET used = CAST(julianday('now') AS INTEGER) WHERE id = ?");
    bool good = insert && current && used && store_kernels_save(store);
    for (ptrdiff_t i = 0; good && i < arrlen(store->pending); ++i)
        good = save_result(store, insert, current, &store->pending[i]);
    for (ptrdiff_t i = 0; good && i < arrlen(store->used); ++i) {
        sqlite3_bind_int64(used, 1, store->used[i]);
        sqlite3_bind_int64(current, 1, store->used[i]);
        good = store_run_statement(store, used) && store_run_statement(store, current);
    }
    sqlite3_finalize(insert);
    sqlite3_finalize(current);
    sqlite3_finalize(used);
    return good;
}

static bool has_changes(const struct store *store)
{
    bool changed =
        arrlen(store->pending) > 0 || arrlen(store->kernel) > 0 || arrlen(store->used) > 0;
    for (ptrdiff_t i = 0; !changed && i < arrlen(store->file); ++i)
        changed = store->file[i].row != 0 && store->file[i].is_changed;
    return changed;
}

static void forget_pending(struct store *store)
{
    for (ptrdiff_t i = 0; i < arrlen(store->pending); ++i)
        arrfree(store->pending[i].file);
    arrsetlen(store->pending, 0);
    arrsetlen(store->kernel, 0);
    arrfree(store->used);
    arena_release(&store->pending_arena);
}

void store_save(struct store *store)
{
    store->saved = time(NULL);
    store->failure = SQLITE_OK;
    if (store->db && has_changes(store)) {
        bool saved =
            store_exec(store, "BEGIN IMMEDIATE") && save_rows(store) && store_exec(store, "COMMIT");
        if (!saved)
            store_trouble(store, "cannot save results in");
        for (ptrdiff_t i = 0; saved && i < arrlen(store->file); ++i)
            store->file[i].is_changed = false;
    }
    forget_pending(store);
}

void store_add_run(struct store *store, const struct store_run *run)
{
    store_save(store);
    if (!store->db)
        return;
    sqlite3_stmt *insert = store_prepare(
        store, "INSERT INTO run(begun, seconds, folder, arguments, units, from_store, failed, "
               "findings, status) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    sqlite3_bind_double(insert, 1, (double)run->begun.tv_sec + (double)run->begun.tv_nsec * 1e-9);
    sqlite3_bind_double(insert, 2, run->seconds);
    sqlite3_bind_text(insert, 3, run->folder, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, run->arguments, -1, SQLITE_STATIC);
    const uint64_t number[4] = {run->units, run->found, run->failed, run->findings};
    for (int i = 0; i < 4; ++i)
        sqlite3_bind_int64(insert, 5 + i, (int64_t)number[i]);
    sqlite3_bind_int(insert, 9, run->status);
    bool good = store_run_statement(store, insert);
    sqlite3_finalize(insert);
    char trim[128];
    sqlite3_snprintf(sizeof trim, trim, "DELETE FROM run WHERE id <= %lld",
                     sqlite3_last_insert_rowid(store->db) - MOST_RUNS);
    if (!good || !store_exec(store, trim))
        store_trouble(store, "cannot save results in");
}
