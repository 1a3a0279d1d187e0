#include "frontend/command/toolkit.h"

#include <ctype.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"

enum {
    HEADER_BYTES_MAX = 4 * 1024 * 1024, // cuda.h is about 1 MB
    SCRIPT_BYTES_MAX = 64 * 1024,       // an nvcc that is larger is no wrapper script
};

static bool has_file(struct arena *arena, const char *directory, const char *name)
{
    return path_is_file(path_join(arena, directory, name));
}

// ---- Versions ----

// The number behind `#define NAME`, or 0.
static int read_define(struct arena *arena, const char *header, const char *name)
{
    char *text;
    size_t size;
    if (!path_read(arena, header, HEADER_BYTES_MAX, &text, &size, NULL)) {
        return 0;
    }
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        const char *line = at;
        while (line > text && line[-1] != '\n') {
            line--;
        }
        line += strspn(line, " \t#");
        bool define = strncmp(line, "define", 6) == 0;
        if (define && line + 6 + strspn(line + 6, " \t") == at) {
            const char *value = at + length;
            value += strspn(value, " \t(");
            if (isdigit((unsigned char)*value)) {
                return (int)strtol(value, NULL, 10);
            }
        }
    }
    return 0;
}

static void set_version(struct toolkit *toolkit, int major, int minor)
{
    bool plausible = major >= 1 && major <= 99 && minor >= 0 && minor <= 99;
    if (plausible && toolkit->version_major == 0) {
        toolkit->version_major = major;
        toolkit->version_minor = minor;
    }
}

// version.json of a toolkit: {"cuda": {"version": "12.4.1"}, "cuda_nvcc": {"version": "12.4.131"}}
static void read_version_json(struct arena *arena, const char *path, struct toolkit *toolkit)
{
    char *text;
    size_t size;
    if (!path_read(arena, path, HEADER_BYTES_MAX, &text, &size, NULL)) {
        return;
    }
    json_t *root = json_loadb(text, size, 0, NULL);
    const char *const parts[] = {"cuda_nvcc", "cuda"};
    for (size_t i = 0; i < 2; i++) {
        json_t *part = json_object_get(root, parts[i]);
        const char *version = json_string_value(json_object_get(part, "version"));
        int major = 0, minor = 0, build = 0;
        if (!version || sscanf(version, "%d.%d.%d", &major, &minor, &build) < 2) {
            continue;
        }
        set_version(toolkit, major, minor);
        if (i == 0 && build >= 0) {
            toolkit->version_build = build;
        }
    }
    json_decref(root);
}

static void read_version(struct arena *arena, struct toolkit *toolkit, const char *include)
{
    read_version_json(arena, path_join(arena, toolkit->path, "version.json"), toolkit);
    if (toolkit->version_major == 0) {
        int number = read_define(arena, path_join(arena, include, "cuda.h"), "CUDA_VERSION");
        if (number == 0) {
            number = read_define(arena, path_join(arena, include, "cuda_runtime_api.h"),
                                 "CUDART_VERSION");
        }
        if (number > 0) {
            set_version(toolkit, number / 1000, number % 1000 / 10);
        }
    }
}

// ---- Recognising a folder ----

static void add_include(struct arena *arena, struct toolkit *toolkit, const char *directory)
{
    // The compiler searches /usr/include itself, and last; naming it breaks #include_next.
    if (strcmp(directory, "/usr/include") == 0 || !path_is_directory(directory)) {
        return;
    }
    char *resolved = path_resolve(arena, directory);
    for (size_t i = 0; i < toolkit->include_count; i++) {
        char *other = path_resolve(arena, toolkit->include[i]);
        if (resolved && other && strcmp(resolved, other) == 0) {
            return;
        }
    }
    char **longer = arena_array(arena, char *, toolkit->include_count + 2);
    if (toolkit->include_count) {
        memcpy(longer, toolkit->include, toolkit->include_count * sizeof(char *));
    }
    longer[toolkit->include_count++] = arena_strdup(arena, directory);
    toolkit->include = longer;
}

static void note_random_kernel(struct arena *arena, struct toolkit *toolkit)
{
    for (size_t i = 0; i < toolkit->include_count; i++) {
        if (has_file(arena, toolkit->include[i], "curand_mtgp32_kernel.h")) {
            toolkit->has_random_kernel = true;
        }
    }
}

// One include folder of everything: NVIDIA's installer, conda, PyPI's nvidia/cu13.
static bool probe_whole(struct arena *arena, const char *path, struct toolkit *out)
{
    static const char *const places[] = {"include", "targets/x86_64-linux/include",
                                         "targets/sbsa-linux/include",
                                         "targets/aarch64-linux/include"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *include = path_join(arena, path, places[i]);
        if (!has_file(arena, include, "cuda_runtime.h")) {
            continue;
        }
        out->path = arena_strdup(arena, path);
        // CUDA 13 keeps libcu++, CUB and Thrust in a folder of their own. nvcc adds it as a
        // system folder, behind all that the user names.
        add_include(arena, out, include);
        add_include(arena, out, path_join(arena, include, "cccl"));
        read_version(arena, out, include);
        note_random_kernel(arena, out);
        return true;
    }
    return false;
}

// PyPI's wheels for CUDA 11 and 12: nvidia/cuda_runtime/include, nvidia/cuda_nvcc/include, ...
static bool probe_wheels(struct arena *arena, const char *path, struct toolkit *out)
{
    static const char *const parts[] = {"cuda_runtime", "cuda_nvcc", "cuda_cccl",
                                        "cuda_nvrtc",   "curand",    "cuda_crt"};
    char *runtime = path_join(arena, path, "cuda_runtime/include");
    if (!has_file(arena, runtime, "cuda_runtime.h")) {
        return false;
    }
    out->path = arena_strdup(arena, path);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *include = path_join(arena, path, arena_printf(arena, "%s/include", parts[i]));
        add_include(arena, out, include);
        add_include(arena, out, path_join(arena, include, "cccl"));
    }
    read_version(arena, out, runtime);
    note_random_kernel(arena, out);
    return true;
}

static bool probe_folder(struct arena *arena, const char *path, struct toolkit *out)
{
    *out = (struct toolkit){0};
    if (probe_whole(arena, path, out) || probe_wheels(arena, path, out)) {
        return true;
    }
    // The newest of nvidia/cu13, nvidia/cu14 beside each other.
    static const char *const inner[] = {"cu14", "cu13", "nvidia/cu14", "nvidia/cu13", "nvidia"};
    for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
        char *folder = path_join(arena, path, inner[i]);
        *out = (struct toolkit){0};
        if (probe_whole(arena, folder, out) || probe_wheels(arena, folder, out)) {
            return true;
        }
    }
    return false;
}

bool toolkit_probe(struct arena *arena, const char *path, struct toolkit *out_toolkit,
                   struct error *error)
{
    struct toolkit found;
    char *whole = path_join(arena, NULL, path);
    if (path_is_file(whole)) {
        whole = path_folder(arena, path_folder(arena, whole)); // TOOLKIT/bin/nvcc
    } else if (!path_is_directory(whole)) {
        return error_set(error, ERROR_ENVIRONMENT, "'%s' does not exist", path);
    }
    if (probe_folder(arena, whole, &found)) {
        *out_toolkit = found;
        return true;
    }
    // One level too deep: TOOLKIT/include, TOOLKIT/bin, nvidia/cuda_nvcc.
    char *parent = path_folder(arena, whole);
    if (strcmp(parent, whole) != 0 && strcmp(parent, ".") != 0 && strcmp(parent, "/") != 0 &&
        probe_folder(arena, parent, &found)) {
        *out_toolkit = found;
        return true;
    }
    return error_set(error, ERROR_ENVIRONMENT,
                     "'%s' is no CUDA toolkit: there is no include/cuda_runtime.h in it", path);
}

// ---- Looking around ----

struct finder {
    struct arena *arena;
    const struct toolkit_search *search;
    struct toolkit *out;
    char *note;
};

// Tries a place that somebody named; what is wrong with it becomes the note.
static bool try_named(struct finder *finder, const char *path, const char *origin)
{
    struct error error = {0};
    if (!path || !*path) {
        return false;
    }
    if (toolkit_probe(finder->arena, path, finder->out, &error)) {
        finder->out->origin = arena_strdup(finder->arena, origin);
        return true;
    }
    if (!finder->note) {
        finder->note = arena_printf(finder->arena, "%s: %s", origin, error.text);
    }
    return false;
}

// Tries a conventional place; it is no fault that nothing is there.
static bool try_place(struct finder *finder, const char *place)
{
    struct arena *arena = finder->arena;
    const char *root = finder->search->root ? finder->search->root : "";
    char *path = arena_printf(arena, "%s%s", root, place);
    if (!path_is_directory(path) || !probe_folder(arena, path, finder->out)) {
        return false;
    }
    finder->out->origin = arena_strdup(arena, place);
    return true;
}

// An nvcc that is a script of a few lines names the real one: `exec /opt/cuda/bin/nvcc "$@"`.
static char *script_target(struct arena *arena, const char *path)
{
    char *text;
    size_t size;
    if (!path_read(arena, path, SCRIPT_BYTES_MAX, &text, &size, NULL) ||
        strncmp(text, "#!", 2) != 0) {
        return NULL;
    }
    static const char stop[] = " \t\n\"'=:;()$&|";
    for (char *at = text; (at = strstr(at, "/nvcc")) != NULL; at++) {
        char *end = at + strlen("/nvcc");
        char *start = at;
        while (start > text && !strchr(stop, start[-1])) {
            start--;
        }
        char *candidate = arena_strndup(arena, start, (size_t)(end - start));
        bool whole_word = *end == '\0' || strchr(stop, *end);
        if (whole_word && path_is_absolute(candidate) && path_is_file(candidate)) {
            return candidate;
        }
    }
    return NULL;
}

// Tries the toolkit an nvcc program belongs to: through links, then through a wrapper script.
static bool try_nvcc(struct finder *finder, const char *program, const char *origin)
{
    struct arena *arena = finder->arena;
    if (!program || !path_is_absolute(program)) {
        return false;
    }
    // The path as written comes first: /usr/local/cuda is a link people mean to keep.
    char *folder = path_folder(arena, path_folder(arena, program));
    if (path_is_file(program) && probe_folder(arena, folder, finder->out)) {
        finder->out->origin = arena_strdup(arena, origin);
        return true;
    }
    char *real = path_resolve(arena, program);
    for (int hop = 0; real && hop < 4; hop++) {
        if (toolkit_probe(arena, real, finder->out, NULL)) {
            finder->out->origin = arena_strdup(arena, origin);
            return true;
        }
        char *next = script_target(arena, real);
        real = next ? path_resolve(arena, next) : NULL;
    }
    if (!finder->note) {
        finder->note =
            arena_printf(arena, "%s: '%s' %s", origin, program,
                         path_is_file(program) ? "is in no CUDA toolkit" : "does not exist");
    }
    return false;
}

static char *nvcc_on_path(struct arena *arena)
{
    const char *list = getenv("PATH");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        char *folder = arena_strndup(arena, list, length);
        char *program = path_join(arena, folder, "nvcc");
        if (path_is_absolute(program) && path_is_executable(program)) {
            return program;
        }
        list += length + (list[length] == ':');
    }
    return NULL;
}

// The newest /usr/local/cuda-12.4 by its number.
static bool try_numbered(struct finder *finder)
{
    const char *root = finder->search->root ? finder->search->root : "";
    char *pattern = arena_printf(finder->arena, "%s/usr/local/cuda-*", root);
    glob_t found = {0};
    struct toolkit best = {0};
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            struct toolkit one;
            if (!probe_folder(finder->arena, found.gl_pathv[i], &one)) {
                continue;
            }
            int version = one.version_major * 100 + one.version_minor;
            if (!best.path || version > best.version_major * 100 + best.version_minor) {
                best = one;
                best.origin = arena_strdup(finder->arena, one.path + strlen(root));
            }
        }
    }
    globfree(&found);
    if (best.path) {
        *finder->out = best;
    }
    return best.path != NULL;
}

// $VIRTUAL_ENV/lib/python3*/site-packages/nvidia
static bool try_wheels(struct finder *finder, const char *environment)
{
    if (!environment || !*environment) {
        return false;
    }
    char *pattern =
        arena_printf(finder->arena, "%s/lib/python3*/site-packages/nvidia", environment);
    glob_t found = {0};
    bool ok = false;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !ok; i++) {
            ok = probe_folder(finder->arena, found.gl_pathv[i], finder->out);
        }
    }
    globfree(&found);
    if (ok) {
        finder->out->origin = arena_strdup(finder->arena, "wheels of the Python environment");
    }
    return ok;
}

static bool find(struct finder *finder)
{
    const struct toolkit_search *search = finder->search;
    const char *cudacxx = getenv("CUDACXX");
    if (try_named(finder, search->command_path, "the command's --cuda-path") ||
        try_nvcc(finder, search->command_nvcc, "the command's nvcc") ||
        try_named(finder, search->command_include, "the command's include folders") ||
        try_named(finder, getenv("CUDA_PATH"), "CUDA_PATH") ||
        try_named(finder, getenv("CUDA_HOME"), "CUDA_HOME")) {
        return true;
    }
    if (cudacxx && strcmp(path_name(cudacxx), "nvcc") == 0 &&
        try_nvcc(finder, cudacxx, "CUDACXX")) {
        return true;
    }
    char *nvcc = nvcc_on_path(finder->arena);
    if (nvcc && try_nvcc(finder, nvcc, "nvcc on PATH")) {
        return true;
    }
    if (try_place(finder, "/usr/local/cuda") || try_numbered(finder) ||
        try_place(finder, "/opt/cuda")) {
        return true;
    }
    const char *conda = getenv("CONDA_PREFIX");
    if (conda && *conda && probe_folder(finder->arena, conda, finder->out)) {
        finder->out->origin = arena_strdup(finder->arena, "CONDA_PREFIX");
        return true;
    }
    return try_wheels(finder, getenv("VIRTUAL_ENV")) || try_wheels(finder, conda) ||
           try_place(finder, "/usr");
}

bool toolkit_find(struct arena *arena, const struct toolkit_search *search,
                  struct toolkit *out_toolkit, char **out_note, struct error *error)
{
    struct toolkit found = {0};
    struct finder finder = {.arena = arena, .search = search, .out = &found};
    if (search->option) {
        if (!toolkit_probe(arena, search->option, &found, error)) {
            return false;
        }
        found.origin = arena_strdup(arena, "the user's option");
    } else if (!find(&finder)) {
        *out_note = finder.note;
        return error_set(error, ERROR_ENVIRONMENT,
                         "no CUDA toolkit: looked at the command, CUDA_PATH, CUDA_HOME, nvcc on "
                         "PATH, /usr/local/cuda and Python's wheels");
    }
    *out_note = finder.note;
    *out_toolkit = found;
    return true;
}

void toolkit_memo_init(struct toolkit_memo *memo)
{
    *memo = (struct toolkit_memo){.search = NULL};
    arena_init(&memo->arena);
}

void toolkit_memo_release(struct toolkit_memo *memo)
{
    arena_release(&memo->arena);
}

static char *search_text(struct arena *arena, const struct toolkit_search *search)
{
    const char *part[] = {search->option, search->command_path, search->command_nvcc,
                          search->command_include, search->root};
    char *text = arena_strdup(arena, "");
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        size_t length = part[i] ? strlen(part[i]) : 0;
        text = arena_printf(arena, "%s%zu%s%s", text, length, part[i] ? ":" : "-",
                            part[i] ? part[i] : "");
    }
    return text;
}

bool toolkit_find_again(struct toolkit_memo *memo, const struct toolkit_search *search,
                        struct toolkit *out_toolkit, char **out_note, struct error *error)
{
    struct arena scratch;
    arena_init(&scratch);
    char *text = search_text(&scratch, search);
    if (!memo->search || strcmp(memo->search, text) != 0) {
        // What was given out before stays good: the arena only grows.
        memo->search = arena_strdup(&memo->arena, text);
        memo->note = NULL;
        memo->found = toolkit_find(&memo->arena, search, &memo->toolkit, &memo->note, &memo->error);
    }
    arena_release(&scratch);
    *out_note = memo->note;
    if (memo->found) {
        *out_toolkit = memo->toolkit;
    } else if (error) {
        *error = memo->error;
    }
    return memo->found;
}
