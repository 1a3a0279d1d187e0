// The inputs of results: what a path holds, found out by reading it once and from then on by its
// stamp.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "store/store_internal.h"

// A file that was changed so shortly before it was read may be changed again without its times
// showing that: on some file systems they go in steps of two seconds.
#define RACY_NANOSECONDS (INT64_C(2) * 1000 * 1000 * 1000)

// What stands for the content of a path that is no file.
static const struct digest absent_content = {0, 1}, other_content = {0, 2}, closed_content = {0, 3};

static int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static struct store_stamp stamp_of(const struct stat *status)
{
    return (struct store_stamp){status->st_size, nanoseconds(&status->st_mtim),
                                nanoseconds(&status->st_ctim), (int64_t)status->st_dev,
                                (int64_t)status->st_ino};
}

static bool same_stamp(const struct store_stamp *a, const struct store_stamp *b)
{
    return memcmp(a, b, sizeof *a) == 0; // no padding: five numbers of eight bytes
}

static bool read_file(int handle, size_t size, struct digest *out)
{
    char *bytes = malloc(size + 1);
    size_t length = 0;
    bool good = bytes != NULL;
    while (good && length <= size) {
        ssize_t got = read(handle, bytes + length, size + 1 - length);
        if (got == 0)
            break;
        if (got > 0)
            length += (size_t)got;
        else if (errno != EINTR)
            good = false;
    }
    good = good && length == size; // else it grew or shrank meanwhile
    if (good)
        *out = digest_of(bytes, length);
    free(bytes);
    return good;
}

// Reads the file and takes its stamp; `content` stands for an unreadable one where that fails.
static void file_read(struct store_file *file)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now); // the clock that stamps files
    struct stat before, after;
    int handle = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct digest content;
    bool good = handle >= 0 && fstat(handle, &before) == 0 && S_ISREG(before.st_mode) &&
                read_file(handle, (size_t)before.st_size, &content) && fstat(handle, &after) == 0;
    if (handle >= 0)
        close(handle);
    file->is_changed = true;
    file->is_trusted = false;
    file->content = closed_content;
    if (!good)
        return;
    struct store_stamp stamp = stamp_of(&before), later = stamp_of(&after);
    file->content = content;
    file->stamp = later;
    file->is_trusted =
        same_stamp(&stamp, &later) && later.ctime < nanoseconds(&now) - RACY_NANOSECONDS;
}

static void set_checked(struct store_file *file)
{
    const struct digest pair[2] = {file->name, file->content};
    file->sum = digest_of(pair, sizeof pair);
    file->is_checked = true;
}

static void set_content(struct store_file *file, struct digest content)
{
    file->content = content;
    file->is_trusted = false;
}

// Finds out what the path holds now.
static void check(struct store_file *file)
{
    struct stat status;
    if (stat(file->path, &status) != 0) {
        set_content(file, errno == ENOENT || errno == ENOTDIR ? absent_content : closed_content);
    } else if (!S_ISREG(status.st_mode)) {
        set_content(file, other_content);
    } else {
        struct store_stamp stamp = stamp_of(&status);
        if (!file->is_trusted || !same_stamp(&stamp, &file->stamp))
            file_read(file);
    }
    set_checked(file);
}

bool store_file_held(struct store *store, size_t index, bool absent, const struct timespec *begun)
{
    struct store_file *file = &store->file[index];
    struct stat status;
    if (stat(file->path, &status) != 0) {
        bool missing = errno == ENOENT || errno == ENOTDIR;
        set_content(file, absent_content);
        set_checked(file);
        return absent && missing;
    }
    struct store_stamp stamp = stamp_of(&status);
    // Some file systems know whole seconds only, or every second one.
    int64_t step = stamp.ctime % 1000000000 ? 0 : RACY_NANOSECONDS;
    if (absent || !S_ISREG(status.st_mode) || stamp.ctime + step >= nanoseconds(begun))
        return false;
    if (!file->is_trusted || !same_stamp(&stamp, &file->stamp))
        file_read(file);
    set_checked(file);
    // Touched between the two looks at it?
    return same_stamp(&stamp, &file->stamp) && !digest_equal(&file->content, &closed_content);
}

// --- Rows ----------------------------------------------------------------------------------------

static size_t add_file(struct store *store, const char *path)
{
    struct store_file file = {.path = arena_strdup(&store->arena, path),
                              .name = digest_of(path, strlen(path))};
    size_t index = arrlenu(store->file);
    arrput(store->file, file);
    shput(store->by_path, (char *)file.path, index);
    return index;
}

// Rows are numbered from 1 on without large gaps.
static void note_row(struct store *store, size_t index)
{
    enum { MOST_ROWS = 4 * 1000 * 1000 };
    int64_t row = store->file[index].row;
    if (row <= 0 || row > MOST_ROWS)
        return;
    size_t known = arrlenu(store->by_row);
    if ((size_t)row >= known) {
        arrsetlen(store->by_row, (size_t)row + 1);
        memset(store->by_row + known, 0, ((size_t)row + 1 - known) * sizeof *store->by_row);
    }
    store->by_row[row] = index + 1;
}

// Columns: id, path, size, mtime, ctime, device, inode, content.
static size_t take_row(struct store *store, sqlite3_stmt *row)
{
    const char *path = (const char *)sqlite3_column_text(row, 1);
    if (!path || path[0] != '/')
        return SIZE_MAX;
    ptrdiff_t known = shgeti(store->by_path, path);
    size_t index = known >= 0 ? store->by_path[known].value : add_file(store, path);
    struct store_file *file = &store->file[index];
    file->row = sqlite3_column_int64(row, 0);
    note_row(store, index);
    if (file->is_checked)
        return index;
    file->stamp = (struct store_stamp){sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3),
                                       sqlite3_column_int64(row, 4), sqlite3_column_int64(row, 5),
                                       sqlite3_column_int64(row, 6)};
    file->is_trusted = store_column_digest(row, 7, &file->content);
    return index;
}

#define COLUMNS "SELECT id, path, size, mtime, ctime, device, inode, content FROM file WHERE "

size_t store_file_load(struct store *store, int64_t row)
{
    if (row > 0 && row < (int64_t)arrlen(store->by_row) && store->by_row[row])
        return store->by_row[row] - 1;
    if (!store->file_by_row)
        store->file_by_row = store_prepare(store, COLUMNS "id = ?");
    sqlite3_stmt *select = store->file_by_row;
    sqlite3_bind_int64(select, 1, row);
    bool found = false;
    store_step(store, select, &found);
    size_t index = found ? take_row(store, select) : SIZE_MAX;
    sqlite3_reset(select);
    return index;
}

size_t store_file_of(struct store *store, const char *path)
{
    ptrdiff_t known = shgeti(store->by_path, path);
    if (known >= 0)
        return store->by_path[known].value;
    size_t index = add_file(store, path);
    if (!store->db)
        return index;
    if (!store->file_by_path)
        store->file_by_path = store_prepare(store, COLUMNS "path = ?");
    sqlite3_stmt *select = store->file_by_path;
    sqlite3_bind_text(select, 1, path, -1, SQLITE_TRANSIENT);
    bool found = false;
    if (store_step(store, select, &found) && found)
        take_row(store, select);
    sqlite3_reset(select);
    return index;
}

static bool save_row(struct store *store, sqlite3_stmt *upsert, struct store_file *file)
{
    sqlite3_bind_text(upsert, 1, file->path, -1, SQLITE_STATIC);
    const int64_t stamp[5] = {file->stamp.size, file->stamp.mtime, file->stamp.ctime,
                              file->stamp.device, file->stamp.inode};
    for (int i = 0; i < 5; ++i) {
        if (file->is_trusted)
            sqlite3_bind_int64(upsert, 2 + i, stamp[i]);
        else
            sqlite3_bind_null(upsert, 2 + i);
    }
    if (file->is_trusted)
        store_bind_digest(upsert, 7, &file->content);
    else
        sqlite3_bind_null(upsert, 7);
    bool row = false;
    bool good = store_step(store, upsert, &row);
    if (row)
        file->row = sqlite3_column_int64(upsert, 0);
    sqlite3_reset(upsert);
    return good && row;
}

bool store_files_save(struct store *store)
{
    sqlite3_stmt *upsert =
        store_prepare(store, "INSERT INTO file(path, size, mtime, ctime, device, inode, content) "
                             "VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(path) DO UPDATE SET "
                             "size = excluded.size, mtime = excluded.mtime, ctime = excluded.ctime,"
                             "device = excluded.device, inode = excluded.inode, "
                             "content = excluded.content RETURNING id");
    bool good = upsert != NULL;
    for (ptrdiff_t i = 0; good && i < arrlen(store->file); ++i) {
        if (store->file[i].row == 0 || store->file[i].is_changed)
            good = save_row(store, upsert, &store->file[i]);
    }
    sqlite3_finalize(upsert);
    return good;
}

struct digest store_inputs_digest(struct store *store, const size_t *file, size_t count)
{
    struct digest sum = {0, 0};
    for (size_t i = 0; i < count; ++i) {
        struct store_file *one = &store->file[file[i]];
        if (!one->is_checked)
            check(one);
        sum.high += one->sum.high;
        sum.low += one->sum.low;
    }
    return sum;
}
