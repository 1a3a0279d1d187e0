#include "frontend/command/compdb.h"

#include <glob.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "frontend/command/file.h"

enum {
    FOLDERS_UP_MAX = 64,
    DATABASE_BYTES_MAX = 1024 * 1024 * 1024, // that of a very large project is 100 MB
};

struct file_entry {
    char *key;    // absolute path; owned by the arena
    size_t value; // index + 1
};

static const char database_name[] = "compile_commands.json";

// ---- Finding ----

// The newest compile_commands.json that matches the pattern, or NULL.
static char *newest_match(struct arena *arena, const char *directory, const char *pattern)
{
    glob_t found = {0};
    char *best = NULL;
    struct timespec best_time = {0};
    // A folder's name may hold characters that glob() would read as a pattern.
    char *quoted = arena_alloc(arena, strlen(directory) * 2 + 1);
    char *out = quoted;
    for (const char *in = directory; *in; in++) {
        if (strchr("*?[]\\", *in)) {
            *out++ = '\\';
        }
        *out++ = *in;
    }
    if (glob(arena_printf(arena, "%s/%s/%s", quoted, pattern, database_name), 0, NULL, &found) ==
        0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct stat status;
            if (stat(found.gl_pathv[i], &status) != 0 || !S_ISREG(status.st_mode)) {
                continue;
            }
            bool newer = !best || status.st_mtim.tv_sec > best_time.tv_sec ||
                         (status.st_mtim.tv_sec == best_time.tv_sec &&
                          status.st_mtim.tv_nsec > best_time.tv_nsec);
            if (newer) {
                best = arena_strdup(arena, found.gl_pathv[i]);
                best_time = status.st_mtim;
            }
        }
    }
    globfree(&found);
    return best;
}

static char *find_in_folder(struct arena *arena, const char *directory)
{
    static const char *const places[] = {"build*", "out", "out/*", "cmake-build-*", "_build"};
    char *here = path_join(arena, directory, database_name);
    if (path_is_file(here)) {
        return here;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *found = newest_match(arena, directory, places[i]);
        if (found) {
            return path_join(arena, NULL, found);
        }
    }
    return NULL;
}

char *compile_database_find(struct arena *arena, const char *named, const char *start,
                            struct error *error)
{
    char *current = path_current(arena);
    if (named) {
        char *path = path_join(arena, current, named);
        if (path_is_directory(path)) {
            path = path_join(arena, path, database_name);
        }
        if (path_is_file(path)) {
            return path;
        }
        error_set(error, ERROR_USAGE, "there is no %s in '%s'", database_name, named);
        return NULL;
    }
    char *folder = start ? path_join(arena, current, start) : current;
    if (!path_is_directory(folder)) {
        folder = path_folder(arena, folder);
    }
    for (int i = 0; i < FOLDERS_UP_MAX; i++) {
        char *found = find_in_folder(arena, folder);
        if (found || strcmp(folder, "/") == 0) {
            return found;
        }
        folder = path_folder(arena, folder);
    }
    return NULL;
}

// ---- Reading ----

struct reader {
    struct compile_database *database;
    struct compile_command *entry; // stb_ds
    const char *folder;            // of the database, for entries without a directory
};

static const char *text_of(json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void skip_entry(struct reader *reader, size_t number, const char *why)
{
    struct compile_database *database = reader->database;
    database->skipped++;
    if (!database->damage) {
        database->damage = arena_printf(database->arena, "entry %zu of '%s' is left out: %s",
                                        number + 1, database->path, why);
    }
}

static bool copy_arguments(struct arena *arena, json_t *list, struct compile_command *command)
{
    command->argument_count = json_array_size(list);
    command->argument = arena_array(arena, char *, command->argument_count + 1);
    for (size_t i = 0; i < command->argument_count; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (!word) {
            return false;
        }
        command->argument[i] = arena_strdup(arena, word);
    }
    return true;
}

static void read_entry(struct reader *reader, json_t *object, size_t number)
{
    struct arena *arena = reader->database->arena;
    const char *file = text_of(object, "file");
    const char *text = text_of(object, "command");
    json_t *arguments = json_object_get(object, "arguments");
    const char *directory = text_of(object, "directory");
    const char *output = text_of(object, "output");
    if (!file || !*file) {
        skip_entry(reader, number, "it names no file");
        return;
    }
    struct compile_command command = {0};
    if (json_is_array(arguments) && json_array_size(arguments) > 0) {
        if (!copy_arguments(arena, arguments, &command)) {
            skip_entry(reader, number, "an argument is no text");
            return;
        }
    } else if (text && *text) {
        command.text = arena_strdup(arena, text);
    } else {
        skip_entry(reader, number, "it has neither arguments nor command");
        return;
    }
    // Bazel extractors write "." or leave it out; Meson writes files relative to it.
    command.directory = path_join(arena, reader->folder, directory ? directory : ".");
    command.file = path_join(arena, command.directory, file);
    command.output = output ? arena_strdup(arena, output) : NULL;
    arrput(reader->entry, command);
}

static size_t line_of(const char *text, size_t position)
{
    size_t line = 1;
    for (size_t i = 0; i < position; i++) {
        line += text[i] == '\n';
    }
    return line;
}

// Says where the file breaks off; the entries before it stay.
static void note_damage(struct reader *reader, const char *text, size_t position, const char *what)
{
    struct compile_database *database = reader->database;
    database->damage =
        arena_printf(database->arena,
                     "'%s' is damaged in line %zu (%s): %td entries before it "
                     "are used",
                     database->path, line_of(text, position), what, arrlen(reader->entry));
}

static size_t skip_space(const char *text, size_t size, size_t at)
{
    while (at < size && strchr(" \t\r\n", text[at]) && text[at]) {
        at++;
    }
    return at;
}

// The database is read entry by entry and not as one document, so that a truncated one (a build
// that was stopped, a full disk) still gives what it holds.
static void read_entries(struct reader *reader, const char *text, size_t size)
{
    size_t at = skip_space(text, size, 0);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        at = skip_space(text, size, 3);
    }
    if (at == size || text[at] != '[') {
        note_damage(reader, text, at, "it does not begin with '['");
        return;
    }
    at = skip_space(text, size, at + 1);
    for (size_t number = 0; at < size && text[at] != ']'; number++) {
        json_error_t problem;
        json_t *object =
            json_loadb(text + at, size - at, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &problem);
        if (!object) {
            note_damage(reader, text, at, problem.text);
            return;
        }
        if (json_is_object(object)) {
            read_entry(reader, object, number);
        } else {
            skip_entry(reader, number, "it is no object");
        }
        json_decref(object);
        size_t used = (size_t)problem.position;
        if (problem.position <= 0 || used > size - at) {
            note_damage(reader, text, at, "it cannot be read");
            return;
        }
        at = skip_space(text, size, at + used);
        if (at < size && text[at] == ',') {
            at = skip_space(text, size, at + 1);
        } else if (at < size && text[at] != ']') {
            note_damage(reader, text, at, "a comma is missing");
            return;
        }
    }
    if (at == size) {
        note_damage(reader, text, at, "it ends early");
    }
}

static void index_entries(struct compile_database *database)
{
    database->next = arena_array(database->arena, size_t, database->count);
    // Backwards, so that the chain runs in the order of the file.
    for (size_t i = database->count; i-- > 0;) {
        char *file = (char *)database->entry[i].file;
        ptrdiff_t at = shgeti(database->first_of, file);
        database->next[i] = at >= 0 ? database->first_of[at].value : 0;
        shput(database->first_of, file, i + 1);
    }
}

bool compile_database_parse(struct arena *arena, const char *path, const char *text, size_t size,
                            struct compile_database *out_database, struct error *error)
{
    struct compile_database database = {.arena = arena};
    database.path = path_join(arena, path_current(arena), path);
    struct reader reader = {.database = &database};
    reader.folder = path_folder(arena, database.path);
    read_entries(&reader, text, size);
    database.count = (size_t)arrlen(reader.entry);
    if (database.count == 0 && database.damage) {
        arrfree(reader.entry);
        return error_set(error, ERROR_USAGE, "%s", database.damage);
    }
    database.entry = arena_array(arena, struct compile_command, database.count);
    if (database.count) {
        memcpy(database.entry, reader.entry, database.count * sizeof *database.entry);
    }
    arrfree(reader.entry);
    index_entries(&database);
    *out_database = database;
    return true;
}

bool compile_database_read(struct arena *arena, const char *path,
                           struct compile_database *out_database, struct error *error)
{
    struct arena scratch;
    arena_init(&scratch);
    char *text;
    size_t size;
    bool ok = path_read(&scratch, path, DATABASE_BYTES_MAX, &text, &size, error) &&
              compile_database_parse(arena, path, text, size, out_database, error);
    arena_release(&scratch);
    return ok;
}

void compile_database_release(struct compile_database *database)
{
    shfree(database->first_of);
    *database = (struct compile_database){0};
}

// ---- Asking ----

static struct compile_command *entry_at(const struct compile_database *database, size_t number)
{
    return number ? &database->entry[number - 1] : NULL;
}

struct compile_command *compile_database_first(const struct compile_database *database,
                                               const char *file)
{
    struct arena scratch;
    arena_init(&scratch);
    struct file_entry *map = database->first_of;
    char *whole = path_join(&scratch, path_current(&scratch), file);
    ptrdiff_t at = map ? shgeti(map, whole) : -1;
    if (at < 0) {
        char *real = path_resolve(&scratch, whole);
        at = map && real ? shgeti(map, real) : -1;
    }
    struct compile_command *found = at >= 0 ? entry_at(database, map[at].value) : NULL;
    arena_release(&scratch);
    return found;
}

struct compile_command *compile_database_next(const struct compile_database *database,
                                              const struct compile_command *command)
{
    return entry_at(database, database->next[command - database->entry]);
}

static bool same_command(struct arena *arena, struct compile_command *a, struct compile_command *b)
{
    if (a->text && b->text) {
        return strcmp(a->text, b->text) == 0 && strcmp(a->directory, b->directory) == 0;
    }
    struct word_list x = compile_command_words(arena, a);
    struct word_list y = compile_command_words(arena, b);
    bool same = x.count == y.count && strcmp(a->directory, b->directory) == 0;
    for (size_t i = 0; same && i < x.count; i++) {
        same = strcmp(x.word[i], y.word[i]) == 0;
    }
    return same;
}

void compile_database_cuda(const struct compile_database *database,
                           struct compile_command ***out_commands)
{
    enum { CONFIGURATIONS_MAX = 64 }; // commands of one file that are compared with each other
    for (size_t i = 0; i < database->count; i++) {
        struct compile_command *entry = &database->entry[i];
        if (!compile_command_is_cuda(database->arena, entry)) {
            continue;
        }
        bool seen = false;
        struct compile_command *other = compile_database_first(database, entry->file);
        for (int k = 0; k < CONFIGURATIONS_MAX && other && other < entry && !seen; k++) {
            seen = same_command(database->arena, other, entry);
            other = compile_database_next(database, other);
        }
        if (!seen) {
            arrput(*out_commands, entry);
        }
    }
}
