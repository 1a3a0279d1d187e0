#include "frontend/command/compile_command.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"

enum { FOLDERS_ABOVE_MAX = 6 }; // how far up an include folder is looked for

const char *compiler_kind_name(enum compiler_kind kind)
{
    static const char *const names[] = {"nvcc", "clang", "hipcc", "host compiler"};
    return names[kind];
}

struct word_list compile_command_words(struct arena *arena, struct compile_command *command)
{
    if (!command->argument) {
        struct word_list list =
            shlex_split(arena, command->text ? command->text : "", QUOTING_SHELL);
        command->argument = list.word;
        command->argument_count = list.count;
    }
    return (struct word_list){.word = command->argument, .count = command->argument_count};
}

// ---- Launchers and compilers ----

// True when `name` is `wanted`, perhaps with a version behind it: clang++-22, gcc-12, nvcc.exe.
static bool names_program(const char *name, const char *wanted)
{
    size_t length = strlen(wanted);
    if (strncmp(name, wanted, length) != 0) {
        return false;
    }
    const char *rest = name + length;
    if (*rest == '-') {
        rest++;
        rest += strspn(rest, "0123456789.");
    }
    return *rest == '\0' || strcmp(rest, ".exe") == 0;
}

static bool is_assignment(const char *word)
{
    size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    return name > 0 && !isdigit((unsigned char)word[0]) && word[name] == '=';
}

// `env -i -u NAME VAR=x program`: how many words from `at` belong to env's own part.
static size_t env_words(const struct word_list *words, size_t at)
{
    size_t i = at;
    while (i < words->count) {
        const char *word = words->word[i];
        bool takes_value = strcmp(word, "-u") == 0 || strcmp(word, "-C") == 0;
        if (takes_value && i + 1 < words->count) {
            i += 2;
        } else if (word[0] == '-' || is_assignment(word)) {
            i++;
        } else {
            break;
        }
    }
    return i - at;
}

size_t compile_command_launchers(const struct word_list *words)
{
    // Programs that take the whole compile command behind them, options of their own first.
    static const char *const plain[] = {"ccache",    "sccache", "distcc", "icecc",  "fastcache",
                                        "nice",      "time",    "bear",   "gomacc", "buildcache",
                                        "rewrapper", "recc",    "nohup",  "ionice", "cachepot"};
    size_t i = 0;
    while (i < words->count) {
        const char *name = path_name(words->word[i]);
        size_t before = i;
        if (strcmp(name, "env") == 0) {
            i += 1 + env_words(words, i + 1);
        } else if (is_assignment(words->word[i])) {
            i++;
        } else if (names_program(name, "cmake") && i + 2 < words->count &&
                   strcmp(words->word[i + 1], "-E") == 0) {
            // cmake -E time CMD, cmake -E env VAR=x CMD, cmake -E __run_co_compile ... -- CMD
            i += 3;
            if (strcmp(words->word[i - 1], "env") == 0) {
                i += env_words(words, i);
            }
            while (i < words->count && words->word[i][0] == '-') {
                i++;
            }
        } else {
            for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
                if (names_program(name, plain[k])) {
                    i++;
                    while (i < words->count &&
                           (words->word[i][0] == '-' || is_assignment(words->word[i]))) {
                        i++;
                    }
                    break;
                }
            }
        }
        if (i == before) {
            break;
        }
    }
    return i < words->count ? i : 0;
}

enum compiler_kind compiler_kind_of(const char *word)
{
    const char *name = path_name(word);
    if (names_program(name, "nvcc") || names_program(name, "nvcc_wrapper") ||
        strstr(name, "nvcc")) {
        return COMPILER_NVCC;
    }
    if (names_program(name, "hipcc") || names_program(name, "amdclang++")) {
        return COMPILER_HIPCC;
    }
    return strstr(name, "clang") ? COMPILER_CLANG : COMPILER_HOST;
}

static bool has_extension(const char *path, const char *const *list, size_t count)
{
    const char *extension = path_extension(path);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(extension, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool path_is_cuda_source(const char *path)
{
    static const char *const extensions[] = {".cu", ".hip", ".CU"};
    return has_extension(path, extensions, sizeof extensions / sizeof *extensions);
}

bool path_is_header(const char *path)
{
    static const char *const extensions[] = {".cuh", ".h",   ".hpp", ".hh",    ".hxx",
                                             ".inl", ".ipp", ".inc", ".cuinc", ".H"};
    return has_extension(path, extensions, sizeof extensions / sizeof *extensions);
}

// The language behind -x in the words, or NULL. The last one counts.
static const char *language_of(const struct word_list *words)
{
    static const char *const joined[] = {"-x=", "--x=", "--language=", "-x"};
    const char *language = NULL;
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->word[i];
        bool apart = strcmp(word, "-x") == 0 || strcmp(word, "--x") == 0;
        if (apart && i + 1 < words->count) {
            language = words->word[++i];
            continue;
        }
        for (size_t k = 0; k < sizeof joined / sizeof *joined; k++) {
            size_t length = strlen(joined[k]);
            if (strncmp(word, joined[k], length) == 0 && word[length] && word[length] != 'H') {
                language = word + length;
                break;
            }
        }
    }
    return language;
}

bool compile_command_is_cuda(struct arena *arena, struct compile_command *command)
{
    if (path_is_cuda_source(command->file)) {
        return true;
    }
    // Most commands of a large database are plain C++: do not split those.
    static const char *const hints[] = {"nvcc", "cu", "hip", "offload"};
    if (command->text) {
        bool hinted = false;
        for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
            hinted = hinted || strstr(command->text, hints[i]);
        }
        if (!hinted) {
            return false;
        }
    }
    struct word_list all = compile_command_words(arena, command);
    size_t skip = compile_command_launchers(&all);
    struct word_list words = {.word = all.word + skip, .count = all.count - skip};
    if (words.count == 0) {
        return false;
    }
    if (compiler_kind_of(words.word[0]) == COMPILER_HIPCC) {
        return true;
    }
    const char *language = language_of(&words);
    if (language) {
        return strcmp(language, "cu") == 0 || strcmp(language, "cuda") == 0 ||
               strcmp(language, "hip") == 0;
    }
    return false;
}

// ---- Commands no database holds ----

struct compile_command compile_command_from_words(struct arena *arena, const char *directory,
                                                  const char *file, char *const *word, size_t count)
{
    struct word_list given = {.word = (char **)word, .count = count};
    size_t skip = count ? compile_command_launchers(&given) : 0;
    bool compiler = count > 0 && word[skip][0] != '-' && path_extension(word[skip])[0] == '\0';
    struct compile_command command = {.directory =
                                          path_join(arena, path_current(arena), directory)};
    command.file = path_join(arena, command.directory, file);
    command.argument = arena_array(arena, char *, count + 2);
    command.options_only = !compiler;
    if (!compiler) {
        command.argument[command.argument_count++] = arena_strdup(arena, "nvcc");
    }
    for (size_t i = 0; i < count; i++) {
        command.argument[command.argument_count++] = arena_strdup(arena, word[i]);
    }
    return command;
}

struct compile_command compile_command_assume(struct arena *arena, const char *file)
{
    char *whole = path_join(arena, path_current(arena), file);
    char *folder = path_folder(arena, whole);
    char **words = NULL;
    arrput(words, arena_strdup(arena, "nvcc"));
    arrput(words, arena_strdup(arena, "-arch=sm_90a"));
    arrput(words, arena_strdup(arena, "-std=c++17"));
    arrput(words, arena_printf(arena, "-I\"%s\"", folder));
    char *above = folder;
    for (int i = 0; i < FOLDERS_ABOVE_MAX && strcmp(above, "/") != 0; i++) {
        // /usr/include and the like belong to no repository.
        char *include = path_join(arena, above, "include");
        if (path_is_directory(include) && strcmp(above, "/usr") != 0 &&
            strcmp(above, "/usr/local") != 0) {
            arrput(words, arena_printf(arena, "-I\"%s\"", include));
        }
        char *git = path_join(arena, above, ".git");
        if (path_is_directory(git) || path_is_file(git)) {
            break;
        }
        above = path_folder(arena, above);
    }
    struct compile_command command = {.directory = folder, .file = whole, .assumed = true};
    command.argument_count = (size_t)arrlen(words);
    command.argument = arena_array(arena, char *, command.argument_count + 1);
    memcpy(command.argument, words, command.argument_count * sizeof(char *));
    arrfree(words);
    return command;
}
