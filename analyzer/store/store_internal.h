// What the files of the store share.
#ifndef BARLINT_STORE_STORE_INTERNAL_H
#define BARLINT_STORE_STORE_INTERNAL_H

#include <sqlite3.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "store/store.h"

// By what a file is taken to be unchanged.
struct store_stamp {
    int64_t size, mtime, ctime; // times in nanoseconds
    int64_t device, inode;
};

// A path that some result depends on.
struct store_file {
    const char *path;
    struct digest name; // of the path
    struct digest sum;  // of the name and the content, where this is checked
    int64_t row;        // 0: not in the database
    struct store_stamp stamp;
    struct digest content;
    bool is_trusted; // whatever has the stamp has the content
    bool is_checked; // by this run: the content is that of now
    bool is_changed; // the row is to be written
};

struct store_pending {
    struct digest key, unit, inputs;
    const char *source, *result, *links, *facts; // in the arena of the pending ones
    size_t *file;                                // stb_ds array: indices of its inputs
};

struct store_kernel {
    const char *key, *content; // in the arena of the pending ones; NULL: was used
};

struct store {
    struct arena arena;
    const char *path;
    sqlite3 *db; // NULL: the store is not used any more
    const char *problem;
    int failure; // the first error of SQLite since store_trouble(), extended
    const char *failure_text;
    struct store_file *file; // stb_ds array
    struct {
        char *key;
        size_t value;
    } * by_path;    // stb_ds
    size_t *by_row; // stb_ds array: number of a file, plus 1, by its row
    struct arena pending_arena;
    struct store_pending *pending; // stb_ds arrays
    struct store_kernel *kernel;
    int64_t *used;                            // rows of results
    sqlite3_stmt *file_by_row, *file_by_path; // NULL until they are needed
    time_t saved;                             // when pending results were saved last
};

// What to do about an error of SQLite: ends the transaction, empties a damaged file, and where
// that is no help stops using the store and notes why.
void store_trouble(struct store *store, const char *what);

// SQLite's functions of these names; a failure is noted for store_trouble(). A statement that could
// not be prepared is NULL, and a step of it fails.
bool store_exec(struct store *store, const char *sql);
sqlite3_stmt *store_prepare(struct store *store, const char *sql);
bool store_step(struct store *store, sqlite3_stmt *statement, bool *out_row);
// Runs a statement that yields nothing, and makes it ready to be run again.
bool store_run_statement(struct store *store, sqlite3_stmt *statement);
void store_bind_digest(sqlite3_stmt *statement, int column, const struct digest *digest);
bool store_column_digest(sqlite3_stmt *statement, int column, struct digest *out);

// --- files.c: inputs and what they hold ---

// The number of the file; what the database knows of it is read when it is met first.
size_t store_file_of(struct store *store, const char *path);
// The same for the file of a row; SIZE_MAX where there is none.
size_t store_file_load(struct store *store, int64_t row);
// Finds out what the file holds now, for a result that is being kept. False where the file may have
// been different at any time since `begun`, or is there although nothing was, or the reverse.
bool store_file_held(struct store *store, size_t file, bool absent, const struct timespec *begun);
// Writes the rows of files that changed. False on an error of SQLite.
bool store_files_save(struct store *store);

// The digest over the inputs of a result and what they hold now; their order makes no difference.
struct digest store_inputs_digest(struct store *store, const size_t *file, size_t count);

// --- find.c ---

// The rows of files, an stb_ds array, from the bytes that save.c made of them. False where they
// cannot be that.
bool store_decode_rows(const unsigned char *bytes, size_t size, int64_t **out_row);

// --- save.c: writing ---

// Guards a row of results against damage that SQLite does not see.
struct digest store_seal(const struct digest *key, const struct digest *inputs, const void *files,
                         size_t files_size, const char *result, const char *links);

// --- kernels.c ---

bool store_kernels_save(struct store *store);

#endif
