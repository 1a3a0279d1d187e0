#define _GNU_SOURCE
#include "driver/run/units.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/glob.h"
#include "base/path.h"
#include "base/vec.h"
#include "frontend/command/header_command.h"

static void complain(struct units *units, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct units *units, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    arrput(units->complaint, arena_vprintf(&units->arena, format, args));
    va_end(args);
}

// --- Databases -----------------------------------------------------------------------------------

static struct compile_database *open_database(struct units *units, const char *path, bool is_named,
                                              struct error *error)
{
    for (ptrdiff_t i = 0; i < arrlen(units->database); ++i) {
        if (strcmp(units->database[i]->path, path) == 0)
            return units->database[i];
    }
    struct compile_database *database = arena_new(&units->arena, struct compile_database);
    struct error why = {0};
    if (!compile_database_read(&units->arena, path, database, &why)) {
        if (is_named)
            error_set(error, ERROR_USAGE, "%s", why.text);
        else
            complain(units, "%s", why.text);
        return NULL;
    }
    if (database->damage) {
        complain(units, "%s", database->damage);
        units->incomplete = true;
    }
    arrput(units->database, database);
    return database;
}

struct compile_database *units_database(struct units *units, const struct options *options,
                                        const char *path, struct error *error)
{
    const char *folder = options->database ? "" : path_folder(&units->arena, path);
    ptrdiff_t index = shgeti(units->by_folder, folder);
    if (index >= 0)
        return units->by_folder[index].value;
    struct compile_database *database = NULL;
    struct error none = {0};
    char *found = compile_database_find(&units->arena, options->database, path, &none);
    if (found)
        database = open_database(units, found, options->database, error);
    else if (options->database)
        error_set(error, ERROR_USAGE, "%s", none.text);
    shput(units->by_folder, arena_strdup(&units->arena, folder), database);
    return database;
}

// --- Units ---------------------------------------------------------------------------------------

const struct config *units_config(struct units *units, const struct options *options,
                                  const char *file, struct error *error)
{
    if (options->config)
        return arrlen(units->configs.config) > 1
                   ? units->configs.config[1]
                   : configs_read(&units->configs, options->config, error);
    return configs_find(&units->configs, path_folder(&units->arena, file), error);
}

static bool has_content(const struct units *units, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(units->content); ++i) {
        if (strcmp(units->content[i].path, path) == 0)
            return true;
    }
    return false;
}

// A file that is gone needs no worker to be missed.
static void put_unit(struct units *units, const char *file, const struct compile_command *command,
                     const struct config *config)
{
    struct unit unit = {
        .file = file, .command = *command, .config = config, .content = units->content};
    struct stat status;
    if (stat(file, &status) != 0 && errno == ENOENT && !has_content(units, file))
        unit.refusal = "there is no such file";
    arrput(units->unit, unit);
}

static bool is_excluded(const struct units *units, const struct options *options,
                        const struct config *config, const char *file)
{
    const char *path = path_shown(units->folder, file);
    for (ptrdiff_t i = 0; path != file && i < arrlen(options->exclude); ++i) {
        if (glob_match(options->exclude[i], path))
            return true;
    }
    return config_excludes(config, file);
}

// Adds the units of one file: one for each of its commands. False when a configuration or a
// database that the user named is wrong. A file that is named itself is excluded on request only.
static bool add_file(struct units *units, const struct options *options, const char *file,
                     bool is_named, struct error *error)
{
    if (shgeti(units->seen, file) >= 0)
        return true;
    shput(units->seen, (char *)file, true);
    const struct config *config = units_config(units, options, file, error);
    if (!config)
        return false;
    if ((!is_named || options->force_exclude) && is_excluded(units, options, config, file))
        return true;
    if (options->has_compiler_arguments) {
        struct compile_command command = compile_command_from_words(
            &units->arena, units->folder, file, options->compiler_argument,
            arrlenu(options->compiler_argument));
        put_unit(units, file, &command, config);
        return true;
    }
    error->kind = ERROR_NONE;
    struct compile_database *database = units_database(units, options, file, error);
    if (!database && error->kind == ERROR_NONE)
        database = units_database(units, options,
                                  arena_printf(&units->arena, "%s/.", units->folder), error);
    if (error->kind != ERROR_NONE)
        return false;
    const struct compile_command *command =
        database ? compile_database_first(database, file) : NULL;
    struct compile_command other;
    if (command) {
        // Each configuration of the build is a unit of its own.
    } else if (database && path_is_header(file) &&
               compile_database_borrow(database, file, &other)) {
        put_unit(units, file, &other, config);
    } else {
        other = compile_command_assume(&units->arena, file);
        ++units->assumed;
        units->without_entry += database != NULL;
        put_unit(units, file, &other, config);
    }
    for (; command; command = compile_database_next(database, command))
        put_unit(units, file, command, config);
    return true;
}

// A path that cannot be looked at is reported like a file that cannot be analysed.
static void refuse(struct units *units, const char *path, const char *why)
{
    struct unit unit = {.file = path, .config = units->configs.config[0], .refusal = why};
    if (shgeti(units->seen, path) >= 0)
        return;
    shput(units->seen, (char *)path, true);
    arrput(units->unit, unit);
}

static bool is_below(const char *folder, const char *path)
{
    return strcmp(folder, "/") == 0 || path_shown(folder, path) != path;
}

static bool is_skipped_folder(const FTSENT *entry)
{
    // CMake leaves small CUDA files of its own there.
    return entry->fts_level > 0 &&
           (entry->fts_name[0] == '.' || strcmp(entry->fts_name, "CMakeFiles") == 0);
}

static bool is_regular(const FTSENT *entry)
{
    struct stat status;
    return entry->fts_info == FTS_F ||
           (entry->fts_info == FTS_SL && stat(entry->fts_path, &status) == 0 &&
            S_ISREG(status.st_mode));
}

static bool visit(struct units *units, const struct options *options, FTS *walk, FTSENT *entry,
                  size_t *found, struct error *error)
{
    char *path = entry->fts_path;
    if (entry->fts_info == FTS_D && is_skipped_folder(entry)) {
        fts_set(walk, entry, FTS_SKIP);
    } else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
        refuse(units, arena_strdup(&units->arena, path),
               arena_printf(&units->arena, "cannot be read: %s", strerror(entry->fts_errno)));
        ++*found;
    } else if (is_regular(entry)) {
        bool is_source = path_has_ending(path, ".cu"), is_header = path_has_ending(path, ".cuh");
        *found += is_source || is_header;
        if (is_header)
            arrput(units->header, arena_strdup(&units->arena, path));
        if (is_source)
            return add_file(units, options, arena_strdup(&units->arena, path), false, error);
    }
    return true;
}

static bool add_folder(struct units *units, const struct options *options, char *folder,
                       struct error *error)
{
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!walk)
        return error_set(error, ERROR_INTERNAL, "cannot walk '%s': %s", folder, strerror(errno));
    bool good = true;
    size_t found = 0;
    for (FTSENT *entry; good && (entry = fts_read(walk));)
        good = visit(units, options, walk, entry, &found, error);
    fts_close(walk);
    // Sources that only their command says are CUDA.
    struct compile_command **commands = NULL; // stb_ds array
    struct compile_database *database = NULL;
    if (good && !options->has_compiler_arguments) {
        error->kind = ERROR_NONE;
        database =
            units_database(units, options, arena_printf(&units->arena, "%s/.", folder), error);
        good = error->kind == ERROR_NONE;
    }
    if (good && database)
        compile_database_cuda(database, &commands);
    for (ptrdiff_t i = 0; good && i < arrlen(commands); ++i) {
        if (is_below(folder, commands[i]->file)) {
            ++found;
            good = add_file(units, options, commands[i]->file, false, error);
        }
    }
    arrfree(commands);
    if (good && found == 0)
        complain(units, "there is no CUDA file below '%s'", path_shown(units->folder, folder));
    return good;
}

static bool add_database(struct units *units, const struct options *options, struct error *error)
{
    error->kind = ERROR_NONE;
    struct compile_database *database =
        units_database(units, options, arena_printf(&units->arena, "%s/.", units->folder), error);
    if (error->kind != ERROR_NONE)
        return false;
    if (!database)
        return error_set(error, ERROR_USAGE,
                         "no compile_commands.json is found here or above; name files or folders "
                         "to analyse, or its folder with -p");
    struct compile_command **commands = NULL; // stb_ds array
    compile_database_cuda(database, &commands);
    bool good = true;
    for (ptrdiff_t i = 0; good && i < arrlen(commands); ++i)
        good = add_file(units, options, commands[i]->file, false, error);
    if (arrlen(commands) == 0)
        complain(units, "'%s' compiles no CUDA file", database->path);
    arrfree(commands);
    return good;
}

static bool add_path(struct units *units, const struct options *options, const char *word,
                     struct error *error)
{
    char *path = path_absolute(&units->arena, units->folder, word);
    struct stat status;
    if (word[0] == '\0')
        return error_set(error, ERROR_USAGE, "a path is empty");
    if (has_content(units, path))
        return add_file(units, options, path, true, error);
    if (stat(path, &status) != 0) {
        refuse(units, path,
               errno == ENOENT
                   ? "there is no such file"
                   : arena_printf(&units->arena, "cannot be read: %s", strerror(errno)));
        return true;
    }
    if (S_ISDIR(status.st_mode))
        return add_folder(units, options, path, error);
    return add_file(units, options, path, true, error);
}

static int compare_unit(const void *a, const void *b)
{
    const struct unit *left = a, *right = b;
    return strcmp(left->file, right->file);
}

bool units_init(struct units *units, struct error *error)
{
    arena_init(&units->arena);
    configs_init(&units->configs);
    char *folder = getcwd(NULL, 0);
    if (!folder)
        return error_set(error, ERROR_ENVIRONMENT, "the current folder cannot be told: %s",
                         strerror(errno));
    units->folder = arena_strdup(&units->arena, folder);
    free(folder);
    return true;
}

bool units_find(struct units *units, const struct options *options, struct error *error)
{
    if (!units_init(units, error))
        return false;
    if (options->config && !units_config(units, options, "", error))
        return false;
    bool good = true;
    if (arrlen(options->path) == 0)
        good = add_database(units, options, error);
    for (ptrdiff_t i = 0; good && i < arrlen(options->path); ++i)
        good = add_path(units, options, options->path[i], error);
    if (arrlen(units->unit))
        qsort(units->unit, arrlenu(units->unit), sizeof units->unit[0], compare_unit);
    return good;
}

bool units_take_header(struct units *units, const struct options *options, const char *file,
                       struct error *error)
{
    return add_file(units, options, file, false, error);
}

void units_release(struct units *units)
{
    for (ptrdiff_t i = 0; i < arrlen(units->database); ++i)
        compile_database_release(units->database[i]);
    arrfree(units->database);
    arrfree(units->unit);
    arrfree(units->header);
    arrfree(units->complaint);
    shfree(units->by_folder);
    shfree(units->seen);
    configs_release(&units->configs);
    arena_release(&units->arena);
}
