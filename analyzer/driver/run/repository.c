#define _GNU_SOURCE
#include "driver/run/repository.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"

extern char **environ;

const char *repository_root(struct arena *arena, const char *folder)
{
    for (const char *at = folder;; at = path_folder(arena, at)) {
        if (access(arena_printf(arena, "%s/.git", at), F_OK) == 0)
            return at;
        if (strcmp(at, "/") == 0)
            return folder;
    }
}

// --- Running git ---------------------------------------------------------------------------------

// What a process wrote; a zero byte stands behind it.
struct words {
    char *text;
    size_t length;
};

static struct words read_back(struct arena *arena, int file)
{
    off_t size = lseek(file, 0, SEEK_END);
    struct words words = {arena_alloc(arena, size > 0 ? (size_t)size + 1 : 1), 0};
    ssize_t got = 1;
    while (got > 0 && (off_t)words.length < size) {
        got = pread(file, words.text + words.length, (size_t)size - words.length,
                    (off_t)words.length);
        words.length += got > 0 ? (size_t)got : 0;
    }
    return words;
}

// Starts git with its output going to two unnamed files. Returns 0 or what went wrong.
static int start(pid_t *child, const char **argument, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    // What git says is looked at, so it must not be translated.
    char **environment = NULL; // stb_ds array
    for (char **at = environ; *at; ++at) {
        if (strncmp(*at, "LC_ALL=", 7) != 0)
            arrput(environment, *at);
    }
    static char locale[] = "LC_ALL=C";
    arrput(environment, locale);
    arrput(environment, NULL);
    int failure =
        posix_spawnp(child, "git", &actions, NULL, (char *const *)(void *)argument, environment);
    arrfree(environment);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static bool run(struct arena *arena, const char **argument, struct words *out, struct words *err,
                int *out_status, struct error *error)
{
    int files[2] = {memfd_create("git", MFD_CLOEXEC), memfd_create("git", MFD_CLOEXEC)};
    pid_t child = 0;
    int failure =
        files[0] < 0 || files[1] < 0 ? errno : start(&child, argument, files[0], files[1]);
    if (!failure) {
        while (waitpid(child, out_status, 0) < 0 && errno == EINTR) {
        }
        *out = read_back(arena, files[0]);
        *err = read_back(arena, files[1]);
    }
    for (int i = 0; i < 2; ++i) {
        if (files[i] >= 0)
            close(files[i]);
    }
    if (failure == ENOENT)
        return error_set(error, ERROR_USAGE, "git is not installed, and this needs it");
    if (failure)
        return error_set(error, ERROR_ENVIRONMENT, "cannot run git: %s", strerror(failure));
    return true;
}

// Runs git in the folder with the words, ended by NULL. False when it fails; `error` may be NULL.
static bool git(struct arena *arena, const char *folder, const char *const *words,
                struct words *out, struct error *error)
{
    // Nothing of the user's settings may change the form of what is read here or run a program.
    static const char *const fixed[] = {"git",
                                        "--no-pager",
                                        "--literal-pathspecs",
                                        "-c",
                                        "core.fsmonitor=false",
                                        "-c",
                                        "diff.submodule=short",
                                        "-C"};
    const char **argument = NULL; // stb_ds array
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; ++i)
        arrput(argument, fixed[i]);
    arrput(argument, folder);
    for (; *words; ++words)
        arrput(argument, *words);
    arrput(argument, NULL);
    struct words said = {NULL, 0};
    int status = 0;
    bool good = run(arena, argument, out, &said, &status, error);
    arrfree(argument);
    if (!good || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return good;
    if (strstr(said.text, "not a git repository"))
        return error_set(error, ERROR_USAGE, "'%s' is not in a git repository", folder);
    said.text[strcspn(said.text, "\n")] = '\0';
    return error_set(error, ERROR_USAGE, "git fails: %s",
                     said.text[0] ? said.text : "it does not say why");
}

#define GIT(arena, folder, out, error, ...)                                                        \
    git(arena, folder, (const char *const[]){__VA_ARGS__, NULL}, out, error)

// The options that make a patch one that changes_read_patch() reads.
#define PATCH                                                                                      \
    "-U0", "-M", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv",         \
        "--src-prefix=a/", "--dst-prefix=b/"

static bool top_of(struct arena *arena, const char *folder, const char **out, struct error *error)
{
    struct words words;
    if (!GIT(arena, folder, &words, error, "rev-parse", "--show-toplevel"))
        return false;
    if (words.length > 0)
        words.text[words.length - 1] = '\0'; // the end of the line
    *out = words.text;
    return true;
}

// --- Against a commit ----------------------------------------------------------------------------

static bool find_base(struct arena *arena, const char *top, const char *reference, const char **out,
                      struct error *error)
{
    struct words words;
    const char *commit = arena_printf(arena, "%s^{commit}", reference);
    if (!GIT(arena, top, &words, NULL, "rev-parse", "--verify", "--quiet", "--end-of-options",
             commit))
        return error_set(error, ERROR_USAGE, "there is no commit '%s' in this repository",
                         reference);
    words.text[strcspn(words.text, "\n")] = '\0';
    const char *found = words.text;
    if (!GIT(arena, top, &words, NULL, "merge-base", found, "HEAD"))
        return error_set(error, ERROR_USAGE,
                         "no common ancestor of '%s' and HEAD is known here; where the clone is a "
                         "shallow one, fetch more of its history",
                         reference);
    words.text[strcspn(words.text, "\n")] = '\0';
    *out = words.text;
    return true;
}

bool repository_changes(struct changes *changes, const char *folder, const char *reference,
                        struct error *error)
{
    struct arena *arena = &changes->arena;
    const char *top = "", *base = "";
    struct words patch, unknown;
    if (!top_of(arena, folder, &top, error) || !find_base(arena, top, reference, &base, error) ||
        !GIT(arena, top, &patch, error, "diff", PATCH, base, "--") ||
        !GIT(arena, top, &unknown, error, "ls-files", "--others", "--exclude-standard", "-z"))
        return false;
    changes_read_patch(changes, top, patch.text, patch.length);
    for (const char *at = unknown.text; at < unknown.text + unknown.length; at += strlen(at) + 1)
        changes_add_file(changes, path_absolute(arena, top, at));
    return true;
}

// --- The index -----------------------------------------------------------------------------------

static bool is_source(const char *path)
{
    static const char *const endings[] = {".cu",  ".cuh", ".h",  ".hpp", ".hh",  ".hxx", ".inl",
                                          ".inc", ".c",   ".cc", ".cpp", ".cxx", ".ipp", ".tcc"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        if (path_has_ending(path, endings[i]))
            return true;
    }
    return false;
}

static bool read_content(struct staged *staged, const char *top, const char *name,
                         struct error *error)
{
    struct words words;
    const char *object = arena_printf(&staged->arena, ":0:%s", name);
    if (!GIT(&staged->arena, top, &words, error, "cat-file", "blob", object))
        return false;
    struct frontend_unsaved content = {path_absolute(&staged->arena, top, name), words.text,
                                       words.length};
    arrput(staged->content, content);
    return true;
}

bool repository_staged(struct staged *staged, struct changes *changes, const char *folder,
                       struct error *error)
{
    *staged = (struct staged){0};
    arena_init(&staged->arena);
    struct arena *arena = &staged->arena;
    const char *top = "";
    struct words patch, names, differing;
    // Of a file that is in conflict the index has no one content; those are left out.
    if (!top_of(arena, folder, &top, error) ||
        !GIT(arena, top, &patch, error, "diff", "--cached", PATCH, "--") ||
        !GIT(arena, top, &names, error, "diff", "--cached", "--name-only", "-z", "-M",
             "--diff-filter=ACMR", "--") ||
        !GIT(arena, top, &differing, error, "diff-files", "--name-only", "-z", "--diff-filter=MDT",
             "--"))
        return false;
    changes_read_patch(changes, top, patch.text, patch.length);
    for (const char *at = names.text; at < names.text + names.length; at += strlen(at) + 1)
        arrput(staged->path, path_absolute(arena, top, at));
    for (const char *at = differing.text; at < differing.text + differing.length;
         at += strlen(at) + 1) {
        if (is_source(at) && !read_content(staged, top, at, error))
            return false;
    }
    return true;
}

void staged_release(struct staged *staged)
{
    arrfree(staged->path);
    arrfree(staged->content);
    arena_release(&staged->arena);
}
