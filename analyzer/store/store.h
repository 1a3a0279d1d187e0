// The store: what earlier runs found out about each translation unit, kept in one SQLite file for a
// project. It is a cache and an index: without it, or with a damaged one, every answer is the same
// and takes longer.
//
// A result is found again by its key, a digest of everything that is known before a unit is read
// (the tool, the arguments, the options), and holds while every input is as it was: each file that
// the analysis read, by content, and each path that it looked for in vain.
//
// Nothing here fails in the eyes of the caller. Where the file cannot be used (no room, no
// permission, locked, damaged beyond repair) nothing is found and nothing is kept, and
// store_problem() says why in one line. A damaged file or one of another version is emptied.
//
// Layer: store uses base. Only it knows SQLite.
#ifndef BARLINT_STORE_STORE_H
#define BARLINT_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"

struct store;

// Opens the file at `path`, made when it does not exist yet; its folder must. Never NULL. Close it
// with store_close(), which saves what was kept. From then on the process ignores SIGXFSZ, so that
// a limit on the size of files costs the store and not the run.
struct store *store_open(const char *path);
void store_close(struct store *store);

// Saves what was kept so far.
void store_save(struct store *store);

// What keeps the store from being used, or NULL. Good until store_close().
const char *store_problem(const struct store *store);

// --- Results -----------------------------------------------------------------------------------

// A result that is asked for. What is found belongs to the store, until store_close().
struct store_query {
    struct digest key;
    const char *result; // NULL: there is none that holds
    const char *links;
    int64_t row; // for store_use()
    bool is_current;
};

// Looks for all of them at once. Each input that they share is looked at once a run.
void store_find(struct store *store, struct store_query *query, size_t count);

// Calls `visit` with the file and the links of the current result of every unit. Whether these
// still hold is another question.
void store_links(struct store *store,
                 void (*visit)(void *context, const char *source, const char *links),
                 void *context);

// Something a result depends on.
struct store_input {
    const char *path; // absolute
    bool absent;      // nothing was there
};

struct store_record {
    struct digest key;
    const char *source; // the unit's file
    struct digest unit; // which of the compilations of that file
    // The time, of CLOCK_REALTIME_COARSE, before anything was read. A result whose inputs have been
    // touched since is not kept: it may be of one content or of the other.
    struct timespec begun;
    const struct store_input *input;
    size_t input_count;
    const char *result, *links; // what store_find() gives back
    const char *facts;          // JSON, for the views
};

// Keeps a result. It is saved with others now and then, and by store_close().
void store_keep(struct store *store, const struct store_record *record);

// Says that a result that was found is what a run gave out for its unit: it then stands for the
// unit in the views, and is not the first to go when room is needed. A result that is kept is so
// used.
void store_use(struct store *store, const struct store_query *found);

// --- Kernels ------------------------------------------------------------------------------------

// Keeps what came of a kernel under a key that says everything it depends on; NULL in place of the
// content says that what is there was used. Saved with results.
void store_keep_kernel(struct store *store, const char *key, const char *content);

// A look at the kernels of the file at `path` by another process than the one that has opened the
// store. Never NULL; finds nothing where the file cannot be read.
struct store_lookup;
struct store_lookup *store_lookup_new(const char *path);
void store_lookup_free(struct store_lookup *lookup); // NULL is ignored
// What is kept under the key, or NULL. Good until the next call.
const char *store_lookup_kernel(struct store_lookup *lookup, const char *key);

// --- Runs ---------------------------------------------------------------------------------------

struct store_run {
    const char *folder, *arguments;
    struct timespec begun; // CLOCK_REALTIME
    double seconds;
    uint64_t units, found; // of these, how many came from the store
    uint64_t failed, findings;
    int status; // exit status
};

void store_add_run(struct store *store, const struct store_run *run);

// Keeps what a checked program said on a GPU: a JSON array. One of the same name goes; of many, the
// oldest do. Returns false where the store cannot be used.
bool store_add_gpu_run(struct store *store, const char *name, const char *content);

// --- Questions and care -------------------------------------------------------------------------

// What an answer is handed to, row by row. NULL stands for an SQL NULL.
struct store_answer {
    void (*row)(void *context, size_t columns, const char *const *name, const char *const *value,
                const bool *is_number);
    void *context;
};

// Answers one SELECT over the views of the database at `path`, which is only read. Fails with
// ERROR_USAGE: no such file, wrong SQL, or something else than a question about the views.
bool store_ask(const char *path, const char *sql, const struct store_answer *answer,
               struct error *error);

struct store_numbers {
    uint64_t bytes;            // of the file
    uint64_t results, current; // kept, and of these what stands for a unit
    uint64_t files, runs;
};

uint64_t store_size(struct store *store); // bytes of the file
// Counts what is in the store. Zeros when it cannot be used.
struct store_numbers store_count(struct store *store);
// Removes results whose unit is gone or that no run of the last `days` used, then the longest
// unused until the file is no larger than `bytes`, and gives the room back. Returns how many went.
uint64_t store_collect(struct store *store, unsigned days, uint64_t bytes);

#endif
