// Opening, closing, and what is done about errors.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

enum {
    SCHEMA_VERSION = 4,
    BUSY_MILLISECONDS = 5000, // others hold the file for a few milliseconds at a time
};

// A file that is not of this version is emptied: there is nothing in it that cannot be made again.
static const char schema[] =
    "CREATE TABLE file("
    "  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER, mtime INTEGER,"
    "  ctime INTEGER, device INTEGER, inode INTEGER, content BLOB) STRICT;"
    "CREATE TABLE result("
    "  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, source TEXT NOT NULL, unit BLOB NOT NULL,"
    "  used INTEGER NOT NULL, inputs BLOB NOT NULL, files BLOB NOT NULL, seal BLOB NOT NULL,"
    "  result TEXT NOT NULL, links TEXT NOT NULL, facts TEXT NOT NULL) STRICT;"
    "CREATE TABLE current("
    "  source TEXT NOT NULL, unit BLOB NOT NULL, result INTEGER NOT NULL,"
    "  PRIMARY KEY(source, unit)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE kernel("
    "  key TEXT PRIMARY KEY, content TEXT NOT NULL, seal BLOB NOT NULL, used INTEGER NOT NULL)"
    "  STRICT, WITHOUT ROWID;"
    "CREATE TABLE run("
    "  id INTEGER PRIMARY KEY, begun REAL NOT NULL, seconds REAL NOT NULL, folder TEXT NOT NULL,"
    "  arguments TEXT NOT NULL, units INTEGER NOT NULL, from_store INTEGER NOT NULL,"
    "  failed INTEGER NOT NULL, findings INTEGER NOT NULL, status INTEGER NOT NULL) STRICT;"
    // Runs on a GPU, each an array of what it said.
    "CREATE TABLE gpu("
    "  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, imported INTEGER NOT NULL,"
    "  content TEXT NOT NULL) STRICT;"
    // What `barlint query` is for; docs/store.md describes the columns.
    "CREATE VIEW units AS SELECT r.source AS unit, json_extract(r.result, '$.status') AS status,"
    "  json_extract(r.result, '$.reason') AS reason"
    "  FROM current c JOIN result r ON r.id = c.result;"
    "CREATE VIEW kernels AS SELECT r.source AS unit, json_extract(k.value, '$.name') AS name,"
    "  json_extract(k.value, '$.file') AS file, json_extract(k.value, '$.line') AS line"
    "  FROM current c JOIN result r ON r.id = c.result, json_each(r.facts, '$.kernels') k;"
    "CREATE VIEW launches AS SELECT r.source AS unit, json_extract(l.value, '$.kernel') AS kernel,"
    "  json_extract(l.value, '$.block[0]') AS block_x, json_extract(l.value, '$.block[1]') AS "
    "block_y,"
    "  json_extract(l.value, '$.block[2]') AS block_z, json_extract(l.value, '$.grid[0]') AS "
    "grid_x,"
    "  json_extract(l.value, '$.grid[1]') AS grid_y, json_extract(l.value, '$.grid[2]') AS grid_z,"
    "  json_extract(l.value, '$.cluster[0]') AS cluster_x, json_extract(l.value, '$.cluster[1]') "
    "AS cluster_y,"
    "  json_extract(l.value, '$.cluster[2]') AS cluster_z, json_extract(l.value, '$.shared_bytes') "
    "AS shared_bytes,"
    "  json_extract(l.value, '$.source') AS source, json_extract(l.value, '$.file') AS file,"
    "  json_extract(l.value, '$.line') AS line"
    "  FROM current c JOIN result r ON r.id = c.result, json_each(r.facts, '$.launches') l;"
    "CREATE VIEW barriers AS SELECT r.source AS unit, json_extract(b.value, '$.kernel') AS kernel,"
    "  json_extract(b.value, '$.name') AS name, json_extract(b.value, '$.type') AS type,"
    "  json_extract(b.value, '$.memory') AS memory, json_extract(b.value, '$.expected_count') AS "
    "expected_count,"
    "  json_extract(b.value, '$.file') AS file, json_extract(b.value, '$.line') AS line"
    "  FROM current c JOIN result r ON r.id = c.result, json_each(r.facts, '$.barriers') b;"
    "CREATE VIEW operations AS SELECT r.source AS unit, json_extract(o.value, '$.kernel') AS "
    "kernel,"
    "  json_extract(o.value, '$.function') AS function, json_extract(o.value, '$.operation') AS "
    "operation,"
    "  json_extract(o.value, '$.spelling') AS spelling, json_extract(o.value, '$.barrier') AS "
    "barrier,"
    "  json_extract(o.value, '$.threads') AS threads, json_extract(o.value, '$.file') AS file,"
    "  json_extract(o.value, '$.line') AS line, json_extract(o.value, '$.column') AS column"
    "  FROM current c JOIN result r ON r.id = c.result, json_each(r.facts, '$.operations') o;"
    "CREATE VIEW findings AS SELECT r.source AS unit, json_extract(f.value, '$.rule') AS rule,"
    "  json_extract(f.value, '$.level') AS level,"
    "  iif(json_extract(f.value, '$.certain'), 'certain', 'possible') AS certainty,"
    "  json_extract(f.value, '$.pedantic') AS pedantic, json_extract(f.value, '$.message') AS "
    "message,"
    "  json_extract(f.value, '$.function') AS function, json_extract(f.value, '$.place.file') AS "
    "file,"
    "  json_extract(f.value, '$.place.line') AS line, json_extract(f.value, '$.place.column') AS "
    "column, json_extract(f.value, '$.notes') AS notes"
    "  FROM current c JOIN result r ON r.id = c.result, json_each(r.result, '$.findings') f;"
    "CREATE VIEW gpu_reports AS SELECT g.name AS run, datetime(g.imported, 'unixepoch') AS "
    "imported,"
    "  json_extract(p.value, '$.rule') AS rule, json_extract(p.value, '$.kind') AS kind,"
    "  json_extract(p.value, '$.level') AS level, json_extract(p.value, '$.count') AS count,"
    "  json_extract(p.value, '$.message') AS message, json_extract(p.value, '$.function') AS "
    "function,"
    "  json_extract(p.value, '$.at.file') AS file, json_extract(p.value, '$.at.line') AS line,"
    "  json_extract(p.value, '$.at.inlined_at') AS inlined_at"
    "  FROM gpu g, json_each(g.content) p WHERE json_extract(p.value, '$.rule') IS NOT NULL;"
    "CREATE VIEW gpu_places AS SELECT g.name AS run, json_extract(p.value, '$.passed') AS passed,"
    "  json_extract(p.value, '$.function') AS function,"
    "  json_extract(p.value, '$.at.file') AS file, json_extract(p.value, '$.at.line') AS line,"
    "  json_extract(p.value, '$.at.inlined_at') AS inlined_at"
    "  FROM gpu g, json_each(g.content) p WHERE json_extract(p.value, '$.kind') = 'place';"
    "CREATE VIEW runs AS SELECT id, datetime(begun, 'unixepoch') AS begun, seconds, folder,"
    "  arguments, units, from_store, failed, findings, status FROM run;";

// --- SQLite's functions, with what went wrong first ---------------------------------------------

static bool note_failure(struct store *store)
{
    if (store->failure == SQLITE_OK) {
        int error = sqlite3_system_errno(store->db);
        store->failure = sqlite3_extended_errcode(store->db);
        store->failure_text =
            arena_printf(&store->arena, "%s%s%s%s", sqlite3_errmsg(store->db), error ? " (" : "",
                         error ? strerror(error) : "", error ? ")" : "");
    }
    return false;
}

bool store_exec(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || note_failure(store);
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        note_failure(store);
    return statement;
}

bool store_step(struct store *store, sqlite3_stmt *statement, bool *out_row)
{
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    *out_row = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE || note_failure(store);
}

bool store_run_statement(struct store *store, sqlite3_stmt *statement)
{
    bool row;
    bool good = store_step(store, statement, &row);
    sqlite3_reset(statement);
    return good;
}

// --- Opening ------------------------------------------------------------------------------------

static int version_of(struct store *store)
{
    int version = -1;
    bool row = false;
    sqlite3_stmt *statement = store_prepare(store, "PRAGMA user_version");
    if (store_step(store, statement, &row) && row)
        version = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return version;
}

// Whether somebody else made the tables meanwhile is seen again under the lock.
static bool make_tables(struct store *store)
{
    if (!store_exec(store, "BEGIN IMMEDIATE"))
        return false;
    if (version_of(store) != SCHEMA_VERSION) {
        char version[64];
        sqlite3_snprintf(sizeof version, version, "PRAGMA user_version = %d", SCHEMA_VERSION);
        if (!store_exec(store, schema) || !store_exec(store, version))
            return false;
    }
    return store_exec(store, "COMMIT");
}

// Leaves an empty database, whatever the file held. Others that have it open see that as a change
// like any other: nothing is removed under their hands.
static bool reset(struct store *store)
{
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
    bool good = store_exec(store, "VACUUM");
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
    return good && make_tables(store);
}

static bool prepare_database(struct store *store)
{
    // A rollback journal, because its locks work where several machines share a home, which the
    // shared memory of a write-ahead log does not. Nothing waits for the disk: a process that is
    // killed loses nothing by that, and what a loss of power mixes up is found by SQLite or by the
    // seals of the results.
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    if (!store_exec(store, "PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;"
                           "PRAGMA cell_size_check = ON"))
        return false;
    int version = version_of(store);
    if (version < 0 || version == SCHEMA_VERSION)
        return version == SCHEMA_VERSION;
    return version == 0 ? make_tables(store) : reset(store);
}

static void forget_statements(struct store *store)
{
    sqlite3_finalize(store->file_by_row);
    sqlite3_finalize(store->file_by_path);
    store->file_by_row = store->file_by_path = NULL;
}

static bool is_damage(int code)
{
    // A table that is missing, or of another form, is damage too.
    code &= 0xff;
    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
           code == SQLITE_SCHEMA || code == SQLITE_MISMATCH || code == SQLITE_CONSTRAINT;
}

static void stop(struct store *store, const char *what)
{
    note_failure(store);
    if (!store->problem)
        store->problem =
            arena_printf(&store->arena, "%s '%s': %s", what, store->path, store->failure_text);
    forget_statements(store);
    sqlite3_close(store->db);
    store->db = NULL;
}

void store_trouble(struct store *store, const char *what)
{
    if (!store->db)
        return;
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    bool damaged = is_damage(store->failure);
    if (damaged) {
        forget_statements(store);
        store->failure = SQLITE_OK;
    }
    if (!damaged || !reset(store))
        stop(store, what);
    // What was known of the rows is gone.
    for (ptrdiff_t i = 0; i < arrlen(store->file); ++i)
        store->file[i].row = 0;
    arrfree(store->by_row);
    arrfree(store->used);
}

struct store *store_open(const char *path)
{
    signal(SIGXFSZ, SIG_IGN);
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        abort();
    arena_init(&store->arena);
    arena_init(&store->pending_arena);
    store->path = arena_strdup(&store->arena, path);
    store->saved = time(NULL);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
        stop(store, "cannot open");
    else if (!prepare_database(store))
        store_trouble(store, "cannot use");
    return store;
}

void store_close(struct store *store)
{
    store_save(store);
    forget_statements(store);
    sqlite3_close(store->db);
    arrfree(store->file);
    shfree(store->by_path);
    arrfree(store->by_row);
    arrfree(store->pending);
    arrfree(store->kernel);
    arrfree(store->used);
    arena_release(&store->pending_arena);
    arena_release(&store->arena);
    free(store);
}

const char *store_problem(const struct store *store)
{
    return store->problem;
}

void store_bind_digest(sqlite3_stmt *statement, int column, const struct digest *digest)
{
    sqlite3_bind_blob(statement, column, digest, sizeof *digest, SQLITE_TRANSIENT);
}

bool store_column_digest(sqlite3_stmt *statement, int column, struct digest *out)
{
    const void *bytes = sqlite3_column_blob(statement, column);
    if (!bytes || sqlite3_column_bytes(statement, column) != sizeof *out)
        return false;
    memcpy(out, bytes, sizeof *out);
    return true;
}
