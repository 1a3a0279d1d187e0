#include "driver/reuse/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/unit/precompiled.h"
#include "frontend/command/file.h"

enum { LARGEST_READ = 64 * 1024 * 1024 };

// A set of paths in the order in which they were put there.
struct paths {
    const char **path; // stb_ds array
    struct input_path *known;
};

// What one parse searched, and for what.
struct search {
    struct inputs *inputs;
    const struct translation *translation;
    struct paths own;    // folders of the user's files, searched first for what these include
    struct paths folder; // include folders, in the order in which they are searched
    struct paths name;   // what may lie in any of them
};

void inputs_init(struct inputs *inputs)
{
    *inputs = (struct inputs){0};
    arena_init(&inputs->arena);
}

void inputs_release(struct inputs *inputs)
{
    shfree(inputs->path);
    shfree(inputs->folder);
    arena_release(&inputs->arena);
}

static void put(struct paths *set, struct arena *arena, const char *path)
{
    if (shgeti(set->known, path) >= 0)
        return;
    char *copy = arena_strdup(arena, path);
    shput(set->known, copy, true);
    arrput(set->path, copy);
}

static void paths_release(struct paths *set)
{
    shfree(set->known);
    arrfree(set->path);
}

static void put_input(struct inputs *inputs, const char *path, bool is_there)
{
    if (shgeti(inputs->path, path) < 0)
        shput(inputs->path, arena_strdup(&inputs->arena, path), is_there);
}

// As clang opens it: ".." behind a symbolic link is not the folder that the text says.
static const char *opened_path(const struct search *search, const char *path)
{
    struct arena *arena = &search->inputs->arena;
    return path[0] == '/' ? path
                          : arena_printf(arena, "%s/%s", search->translation->directory, path);
}

static bool is_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    return strncmp(folder, path, length) == 0 && path[length] == '/';
}

// --- Where includes are looked for --------------------------------------------------------------

static void add_folder(struct search *search, const char *folder)
{
    put(&search->folder, &search->inputs->arena, opened_path(search, folder));
}

static void add_folders_of_variable(struct search *search, const char *variable)
{
    for (const char *list = getenv(variable); list && *list;) {
        size_t length = strcspn(list, ":");
        add_folder(search, arena_strndup(&search->inputs->arena, list, length));
        list += length + (list[length] == ':');
    }
}

// Folders given by an option: "-I folder" and "-Ifolder".
static void add_folders_of_option(struct search *search, const char *option)
{
    char *const *argument = search->translation->argument;
    size_t length = strlen(option);
    for (size_t i = 0; i < search->translation->count; ++i) {
        if (strncmp(argument[i], option, length) != 0)
            continue;
        if (argument[i][length])
            add_folder(search, argument[i] + length);
        else if (i + 1 < search->translation->count)
            add_folder(search, argument[++i]);
    }
}

static void add_resource_folder(struct search *search)
{
    static const char option[] = "-resource-dir=";
    for (size_t i = 0; i < search->translation->count; ++i) {
        const char *argument = search->translation->argument[i];
        if (strncmp(argument, option, sizeof option - 1) == 0)
            add_folder(search, arena_printf(&search->inputs->arena, "%s/include",
                                            argument + sizeof option - 1));
    }
}

// In the order in which clang searches them.
static void add_include_folders(struct search *search, const struct paths *file)
{
    static const char *const usual[] = {"/usr/local/include", "/usr/include/x86_64-linux-gnu",
                                        "/usr/include/aarch64-linux-gnu", "/usr/include"};
    add_folders_of_option(search, "-iquote");
    add_folders_of_option(search, "-I");
    add_folders_of_variable(search, "CPATH");
    add_folders_of_option(search, "-isystem");
    add_folders_of_variable(search, "C_INCLUDE_PATH");
    add_folders_of_variable(search, "CPLUS_INCLUDE_PATH");
    for (ptrdiff_t i = 0; i < arrlen(file->path); ++i) {
        // The C++ library's folder has its version in its name: /usr/include/c++/12
        const char *path = file->path[i], *cxx = strstr(path, "/c++/");
        size_t digits = cxx ? strspn(cxx + 5, "0123456789") : 0;
        if (digits && cxx[5 + digits] == '/')
            add_folder(search, arena_strndup(&search->inputs->arena, path,
                                             (size_t)(cxx + 5 - path) + digits));
    }
    add_resource_folder(search);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; ++i)
        add_folder(search, usual[i]);
    add_folders_of_option(search, "-idirafter");
}

// --- What was looked for ------------------------------------------------------------------------

// The names in __has_include("name") and __has_include(<name>) of the user's files.
static void add_asked_names(struct search *search, const char *path)
{
    static const char word[] = "__has_include";
    struct arena scratch;
    arena_init(&scratch);
    char *text = NULL;
    size_t length;
    path_read(&scratch, path, LARGEST_READ, &text, &length, NULL);
    for (const char *at = text; at && (at = strstr(at, word));) {
        at += sizeof word - 1;
        at += strncmp(at, "_next", 5) == 0 ? 5 : 0;
        at += strspn(at, " \t");
        at += *at == '(';
        at += strspn(at, " \t");
        const char *end = *at == '<' ? strchr(at, '>') : *at == '"' ? strchr(at + 1, '"') : NULL;
        if (end && memchr(at, '\n', (size_t)(end - at)) == NULL && end > at + 1 && at[1] != '/')
            put(&search->name, &search->inputs->arena,
                arena_strndup(&search->inputs->arena, at + 1, (size_t)(end - at) - 1));
    }
    arena_release(&scratch);
}

// Whether something is there; each path is looked at once.
static bool is_there(struct inputs *inputs, const char *path)
{
    ptrdiff_t known = shgeti(inputs->folder, path);
    if (known >= 0)
        return inputs->folder[known].value;
    struct stat status;
    bool there = stat(path, &status) == 0;
    shput(inputs->folder, arena_strdup(&inputs->arena, path), there);
    return there;
}

// Notes that nothing was found under the name in the folder: the shortest part of the path that is
// not there. What is there was not used, which is as good as a file that was: it is as it was.
static void look_for(struct search *search, const char *folder, const char *name)
{
    struct inputs *inputs = search->inputs;
    char path[8192];
    if (name[0] == '/')
        folder = "";
    size_t base = strlen(folder);
    if (base + strlen(name) + 2 > sizeof path) {
        inputs->unknown = true;
        return;
    }
    memcpy(path, folder, base + 1);
    if (base && !is_there(inputs, path)) {
        put_input(inputs, path, false);
        return;
    }
    for (const char *part = name + strspn(name, "/"); *part;) {
        size_t length = strcspn(part, "/");
        path[base] = '/';
        memcpy(path + base + 1, part, length);
        base += length + 1;
        path[base] = '\0';
        if (!is_there(inputs, path)) {
            put_input(inputs, path, false);
            return;
        }
        part += length;
        part += strspn(part, "/");
    }
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        put_input(inputs, path, true);
}

static void look_in(struct search *search, const struct paths *folder, ptrdiff_t count,
                    const char *name)
{
    for (ptrdiff_t i = 0; i < count; ++i)
        look_for(search, folder->path[i], name);
}

// The file was included from one of the folders it lies below: in those searched before, nothing
// has that name.
static void look_before(struct search *search, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(search->folder.path); ++i) {
        const char *folder = search->folder.path[i];
        if (!is_below(folder, path))
            continue;
        const char *name = path + strlen(folder) + 1;
        look_in(search, &search->own, arrlen(search->own.path), name);
        look_in(search, &search->folder, i, name);
    }
}

// Fills the files that were read, and the folders that the user's own lie in.
static void add_files(struct search *search, const struct parsed *parsed, struct paths *file)
{
    struct arena *arena = &search->inputs->arena;
    for (ptrdiff_t i = 0; i < arrlen(parsed->report.file); ++i) {
        const struct frontend_file *one = &parsed->report.file[i];
        const char *path = opened_path(search, one->path);
        put(file, arena, path);
        if (!one->is_system) {
            put(&search->own, arena, path_folder(arena, path));
            add_asked_names(search, path);
        }
    }
    if (!parsed->pch)
        return;
    const char **more = precompiled_files(arena, parsed->pch);
    search->inputs->unknown |= more == NULL;
    for (ptrdiff_t i = 0; i < arrlen(more); ++i)
        put(file, arena, opened_path(search, more[i]));
    arrfree(more);
}

void inputs_add(struct inputs *inputs, const struct parsed *parsed)
{
    struct search search = {.inputs = inputs, .translation = &parsed->translation};
    struct paths file = {0};
    add_files(&search, parsed, &file);
    add_include_folders(&search, &file);
    for (ptrdiff_t i = 0; i < arrlen(file.path); ++i)
        put_input(inputs, file.path[i], true);
    for (ptrdiff_t i = 0; i < arrlen(file.path); ++i)
        look_before(&search, file.path[i]);
    for (ptrdiff_t i = 0; i < arrlen(parsed->report.missing_header); ++i)
        put(&search.name, &inputs->arena, parsed->report.missing_header[i]);
    for (ptrdiff_t i = 0; i < arrlen(search.name.path); ++i) {
        look_in(&search, &search.own, arrlen(search.own.path), search.name.path[i]);
        look_in(&search, &search.folder, arrlen(search.folder.path), search.name.path[i]);
    }
    paths_release(&file);
    paths_release(&search.own);
    paths_release(&search.folder);
    paths_release(&search.name);
}

// False where the path cannot be written in JSON.
static bool append_path(json_t *list, const char *path)
{
    return json_array_append_new(list, json_string(path)) == 0;
}

json_t *inputs_to_json(const struct inputs *inputs)
{
    json_t *read = json_array(), *absent = json_array();
    bool unknown = inputs->unknown;
    for (ptrdiff_t i = 0; i < shlen(inputs->path); ++i)
        unknown |= !append_path(inputs->path[i].value ? read : absent, inputs->path[i].key);
    return json_pack("{s:o, s:o, s:b}", "read", read, "absent", absent, "unknown", (int)unknown);
}
