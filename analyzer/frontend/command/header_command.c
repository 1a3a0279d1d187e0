#include "frontend/command/header_command.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/command/dependencies.h"
#include "frontend/command/file.h"
#include "frontend/command/option_table.h"

// Work is bounded: a repository may have thousands of units, each with thousands of headers.
enum {
    DEPFILES_MAX = 4000,                 // units whose dependency file is looked for
    DEPFILE_BYTES_MAX = 4 * 1024 * 1024, // one dependency file
    LOG_BYTES_MAX = 256 * 1024 * 1024,   // ninja's log
    SCANNED_UNITS_MAX = 256,             // units whose #include lines are followed
    FOLLOWED_FILES_MAX = 1000,           // files one unit includes that are followed
    LOOKUPS_MAX = 300 * 1000,            // places where an included file is looked for
    SCANNED_FILES_MAX = 4000,            // files read for that, for all units together
    SCANNED_BYTES_MAX = 1024 * 1024,     // of each file
    READ_BYTES_MAX = 256 * 1024 * 1024,  // of everything together
};

struct candidate {
    struct compile_command *command;
    bool same_stem;
    size_t distance; // folders between the two files
    size_t index;
};

struct scanned_file {
    char *key;    // absolute path
    char **value; // stb_ds: what it includes, '<' or '"' first
};

struct search {
    const struct compile_database *database;
    struct arena *arena;          // of the database: for what is kept
    struct arena scratch;         // dies with the search
    const char *header;           // absolute, normalised
    struct candidate *candidate;  // stb_ds, nearest first
    struct scanned_file *scanned; // stb_ds map
    size_t read_bytes;
    size_t lookups;
};

// ---- Nearness ----

static size_t folder_distance(const char *a, const char *b)
{
    size_t common = 0; // bytes up to and with the last slash both share
    for (size_t i = 0; a[i] && a[i] == b[i]; i++) {
        if (a[i] == '/') {
            common = i + 1;
        }
    }
    size_t count = 0;
    for (const char *at = a + common; *at; at++) {
        count += *at == '/';
    }
    for (const char *at = b + common; *at; at++) {
        count += *at == '/';
    }
    return count;
}

static bool same_stem(const char *a, const char *b)
{
    const char *x = path_name(a);
    const char *y = path_name(b);
    size_t length = strcspn(x, ".");
    return length == strcspn(y, ".") && strncmp(x, y, length) == 0;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;
    if (x->same_stem != y->same_stem) {
        return x->same_stem ? -1 : 1;
    }
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static void collect_candidates(struct search *search)
{
    struct compile_command **commands = NULL;
    compile_database_cuda(search->database, &commands);
    for (ptrdiff_t i = 0; i < arrlen(commands); i++) {
        struct candidate candidate = {.command = commands[i], .index = (size_t)i};
        candidate.same_stem = same_stem(search->header, commands[i]->file);
        candidate.distance = folder_distance(search->header, commands[i]->file);
        arrput(search->candidate, candidate);
    }
    arrfree(commands);
    if (arrlen(search->candidate) > 1) {
        qsort(search->candidate, (size_t)arrlen(search->candidate), sizeof *search->candidate,
              compare_candidates);
    }
}

// ---- What the build wrote down ----

// The object file of the unit, from the database or from -o; absolute, or NULL.
static char *output_of(struct search *search, struct compile_command *command)
{
    const char *output = command->output;
    if (!output) {
        struct word_list words = compile_command_words(search->arena, command);
        for (size_t i = 0; i + 1 < words.count; i++) {
            if (strcmp(words.word[i], "-o") == 0) {
                output = words.word[i + 1];
            }
        }
    }
    return output ? path_join(&search->scratch, command->directory, output) : NULL;
}

static bool read_bounded(struct search *search, const char *path, size_t limit, char **out_text,
                         size_t *out_size)
{
    if (search->read_bytes > READ_BYTES_MAX ||
        !path_read(&search->scratch, path, limit, out_text, out_size, NULL)) {
        return false;
    }
    search->read_bytes += *out_size;
    return true;
}

// Returns the dependency file of the unit that names the header, or NULL.
static char *naming_depfile(struct search *search, struct compile_command *command)
{
    struct arena *arena = &search->scratch;
    char *output = output_of(search, command);
    if (!output) {
        return NULL;
    }
    size_t stem = strlen(output) - strlen(path_extension(output));
    char *const names[] = {arena_printf(arena, "%s.d", output),
                           arena_printf(arena, "%.*s.d", (int)stem, output)};
    for (size_t i = 0; i < 2; i++) {
        char *text;
        size_t size;
        if (read_bounded(search, names[i], DEPFILE_BYTES_MAX, &text, &size) &&
            depfile_names(text, size, command->directory, search->header)) {
            return names[i];
        }
    }
    return NULL;
}

static struct compile_command *by_depfile(struct search *search, char **out_why)
{
    for (ptrdiff_t i = 0; i < arrlen(search->candidate) && i < DEPFILES_MAX; i++) {
        struct compile_command *command = search->candidate[i].command;
        char *depfile = naming_depfile(search, command);
        if (depfile) {
            *out_why = arena_printf(search->arena, "of '%s', which includes it ('%s' says)",
                                    command->file, depfile);
            return command;
        }
    }
    return NULL;
}

static struct compile_command *by_ninja_log(struct search *search, char **out_why)
{
    struct arena *arena = &search->scratch;
    const char *directory = search->candidate[0].command->directory;
    char *log = path_join(arena, directory, ".ninja_deps");
    char *text;
    size_t size;
    char **outputs = NULL;
    struct compile_command *found = NULL;
    if (read_bounded(search, log, LOG_BYTES_MAX, &text, &size)) {
        ninja_log_outputs(arena, (unsigned char *)text, size, directory, search->header, &outputs);
    }
    for (ptrdiff_t i = 0; i < arrlen(search->candidate) && arrlen(outputs) > 0 && !found; i++) {
        struct compile_command *command = search->candidate[i].command;
        char *own = output_of(search, command);
        for (ptrdiff_t k = 0; own && k < arrlen(outputs) && !found; k++) {
            if (strcmp(path_join(arena, directory, outputs[k]), own) == 0) {
                found = command;
                *out_why = arena_printf(search->arena, "of '%s', which includes it ('%s' says)",
                                        command->file, log);
            }
        }
    }
    arrfree(outputs);
    return found;
}

// ---- What the sources say ----

// The names behind #include in the text, '<' or '"' first.
static char **include_names(struct arena *arena, const char *text)
{
    char **names = NULL;
    for (const char *line = text; line && *line;) {
        const char *at = line + strspn(line, " \t");
        if (*at == '#') {
            at++;
            at += strspn(at, " \t");
            if (strncmp(at, "include", 7) == 0) {
                at += 7;
                at += strncmp(at, "_next", 5) == 0 ? 5 : 0;
                at += strspn(at, " \t");
                char close = *at == '<' ? '>' : *at == '"' ? '"' : '\0';
                size_t length = close ? strcspn(at + 1, ">\"\n") : 0;
                if (length > 0 && at[1 + length] == close) {
                    arrput(names, arena_strndup(arena, at, 1 + length));
                }
            }
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return names;
}

// What the file includes, or NULL when it cannot be read or enough was read.
static char **scan_file(struct search *search, const char *path)
{
    ptrdiff_t at = shgeti(search->scanned, path);
    if (at >= 0) {
        return search->scanned[at].value;
    }
    if (shlen(search->scanned) >= SCANNED_FILES_MAX) {
        return NULL;
    }
    char *text;
    size_t size;
    char **names = NULL;
    if (read_bounded(search, path, SCANNED_BYTES_MAX, &text, &size)) {
        names = include_names(&search->scratch, text);
    }
    shput(search->scanned, arena_strdup(&search->scratch, path), names);
    return names;
}

// The include folders of a command, in order, as an stb_ds array.
static char **include_folders(struct search *search, struct compile_command *command)
{
    struct arena *arena = &search->scratch;
    struct word_list words = compile_command_words(search->arena, command);
    char **folders = NULL;
    for (size_t i = 1; i < words.count;) {
        struct option_use use;
        if (words.word[i][0] != '-' ||
            !option_match(arena, &nvcc_options, words.word + i, words.count - i, &use)) {
            i++;
            continue;
        }
        i += use.words;
        if (use.row->action != OPTION_KEEP_PATH) {
            continue;
        }
        for (size_t k = 0; k < use.value_count; k++) {
            char *folder = path_join(arena, command->directory, shlex_unquote(arena, use.value[k]));
            // The CUDA toolkit includes nothing of a repository.
            if (!path_is_file(path_join(arena, folder, "cuda_runtime.h"))) {
                arrput(folders, folder);
            }
        }
    }
    return folders;
}

// The file an #include of `from` means, or NULL. Only files of the repository matter, so the
// system's folders are not searched.
static char *resolve_include(struct search *search, const char *from, const char *name,
                             char **folders)
{
    struct arena *arena = &search->scratch;
    if (name[0] == '"') {
        char *beside = path_join(arena, path_folder(arena, from), name + 1);
        if (strcmp(beside, search->header) == 0 || path_is_file(beside)) {
            return beside;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(folders) && search->lookups < LOOKUPS_MAX; i++) {
        search->lookups++;
        char *path = path_join(arena, folders[i], name + 1);
        if (strcmp(path, search->header) == 0 || path_is_file(path)) {
            return path;
        }
    }
    return NULL;
}

struct visited {
    char *key;
    bool value;
};

// Follows the #include lines of the unit, breadth first. Conditions are not looked at.
static bool unit_includes(struct search *search, struct compile_command *command)
{
    char **folders = include_folders(search, command);
    char **queue = NULL;
    struct visited *seen = NULL;
    bool found = false;
    arrput(queue, (char *)command->file);
    for (ptrdiff_t i = 0; i < arrlen(queue) && i < FOLLOWED_FILES_MAX && !found; i++) {
        char **names = scan_file(search, queue[i]);
        for (ptrdiff_t k = 0; k < arrlen(names) && !found; k++) {
            char *path = resolve_include(search, queue[i], names[k], folders);
            if (!path || shgeti(seen, path) >= 0) {
                continue;
            }
            shput(seen, path, true);
            arrput(queue, path);
            found = strcmp(path, search->header) == 0;
        }
    }
    shfree(seen);
    arrfree(queue);
    arrfree(folders);
    return found;
}

static struct compile_command *by_include(struct search *search, char **out_why)
{
    for (ptrdiff_t i = 0; i < arrlen(search->candidate) && i < SCANNED_UNITS_MAX; i++) {
        struct compile_command *command = search->candidate[i].command;
        if (unit_includes(search, command)) {
            *out_why = arena_printf(search->arena, "of '%s', which includes it", command->file);
            return command;
        }
    }
    return NULL;
}

bool compile_database_borrow(const struct compile_database *database, const char *file,
                             struct compile_command *out_command)
{
    struct search search = {.database = database, .arena = database->arena};
    arena_init(&search.scratch);
    search.header = path_join(&search.scratch, path_current(&search.scratch), file);
    collect_candidates(&search);
    bool ok = arrlen(search.candidate) > 0;
    if (ok) {
        char *why = NULL;
        struct compile_command *command = by_depfile(&search, &why);
        command = command ? command : by_ninja_log(&search, &why);
        command = command ? command : by_include(&search, &why);
        if (!command) {
            command = search.candidate[0].command;
            why = arena_printf(search.arena,
                               "of '%s', the nearest by name; nothing says that it "
                               "includes this header",
                               command->file);
        }
        *out_command = *command;
        out_command->file = arena_strdup(search.arena, search.header);
        out_command->output = NULL;
        out_command->borrowed = why;
    }
    for (ptrdiff_t i = 0; i < shlen(search.scanned); i++) {
        arrfree(search.scanned[i].value);
    }
    shfree(search.scanned);
    arrfree(search.candidate);
    arena_release(&search.scratch);
    return ok;
}
