#define _GNU_SOURCE // nftw, mkdtemp
#include "driver/nvcc/nvcc.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "barlint/runtime_check/hooks.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "frontend/command/file.h"
#include "frontend/command/resource.h"
#include "frontend/command/shlex.h"
#include "frontend/command/toolkit.h"
#include "instrument/instrument.h"

enum { LARGEST_PTX = 1 << 30 };

// One source of the command: its device code for all architectures shares one table of places.
struct unit {
    const char *name; // as its steps have it
    const char *host; // the code that cudafe++ makes of it
    uint32_t number;
    struct instrument_site *site; // stb_ds
};

// PTX that was instrumented in place.
struct replaced {
    const char *path;
    const char *original; // a copy of what cicc made
};

struct build {
    struct arena arena;
    char **word;     // stb_ds: nvcc and its arguments, ended by NULL
    char *folder;    // of the files that do not last; removed at the end
    char *temporary; // TMPDIR as it was; NULL: not set
    bool is_verbose;
    bool is_relocatable;
    bool has_host; // code, which registers the places
    const char
        *failed; // what a step said that failed, in which the program's code is compiled with ours
    struct nvcc_hooks hooks;
    struct unit *unit;            // stb_ds
    struct replaced *replaced;    // stb_ds
    struct instrument_form *left; // stb_ds
    uint32_t left_count;
};

// --- Finding nvcc --------------------------------------------------------------------------------

static char *on_path(struct arena *arena, const char *name)
{
    const char *list = getenv("PATH");
    for (const char *at = list ? list : ""; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        char *program = path_join(arena, arena_strndup(arena, at, length), name);
        if (length && path_is_executable(program))
            return program;
        at += length;
    }
    return NULL;
}

static char *find_nvcc(struct arena *arena, struct error *error)
{
    const char *named = getenv("BARLINT_NVCC");
    if (named && *named)
        return strchr(named, '/') ? arena_strdup(arena, named) : on_path(arena, named);
    char *nvcc = on_path(arena, "nvcc");
    if (nvcc)
        return nvcc;
    struct toolkit_search search = {0};
    struct toolkit toolkit;
    char *note;
    if (!toolkit_find(arena, &search, &toolkit, &note, error))
        return NULL;
    nvcc = path_join(arena, toolkit.path, "bin/nvcc");
    if (path_is_executable(nvcc))
        return nvcc;
    error_set(error, ERROR_ENVIRONMENT,
              "there is no nvcc on PATH nor in '%s'; BARLINT_NVCC can name it", toolkit.path);
    return NULL;
}

// Build systems that put a launcher before the compiler pass nvcc itself as the first word.
static bool is_nvcc(const char *word)
{
    return strchr(word, '/') && strcmp(path_name(word), "nvcc") == 0 && path_is_executable(word);
}

// Is the next word another tool's option: -Xptxas, --compiler-options? Not where that is part of
// this one: -Xptxas=-v.
static bool passes_on(const char *word)
{
    size_t length = strlen(word), end = strlen("-options");
    return (strncmp(word, "-X", 2) == 0 && !strchr(word, '=')) ||
           (length > end && strcmp(word + length - end, "-options") == 0);
}

static bool has_word(const struct build *build, const char *word)
{
    for (ptrdiff_t i = 1; i + 1 < arrlen(build->word); ++i)
        if (strcmp(build->word[i], word) == 0 && !passes_on(build->word[i - 1]))
            return true;
    return false;
}

// --- Beginning and end ---------------------------------------------------------------------------

static bool build_init(struct build *build, int count, char **words, struct error *error)
{
    *build = (struct build){0};
    arena_init(&build->arena);
    bool named = count > 0 && is_nvcc(words[0]);
    char *nvcc = named ? words[0] : find_nvcc(&build->arena, error);
    if (!nvcc && error->kind == ERROR_NONE)
        error_set(error, ERROR_ENVIRONMENT, "BARLINT_NVCC: there is no '%s'",
                  getenv("BARLINT_NVCC"));
    if (!nvcc)
        return false;
    arrput(build->word, nvcc);
    for (int i = named; i < count; ++i)
        arrput(build->word, words[i]);
    arrput(build->word, NULL);
    build->is_verbose = has_word(build, "-v") || has_word(build, "--verbose");
    const char *temporary = getenv("TMPDIR");
    if (temporary)
        build->temporary = arena_strdup(&build->arena, temporary);
    if (!temporary || !*temporary)
        temporary = "/tmp";
    char *folder = arena_printf(&build->arena, "%s/barlint-XXXXXX", temporary);
    build->folder = mkdtemp(folder);
    if (!build->folder)
        return error_set(error, ERROR_ENVIRONMENT, "cannot make a folder in '%s': %s", temporary,
                         strerror(errno));
    setenv("TMPDIR", build->folder, 1);
    build->hooks = (struct nvcc_hooks){
        .arena = &build->arena, .nvcc = nvcc, .compiler = "gcc", .folder = build->folder};
    const char *shadow = getenv("BARLINT_RT_SHADOW");
    build->hooks.global_shadow = shadow && strcmp(shadow, "global") == 0;
    if (shadow && *shadow && !build->hooks.global_shadow && strcmp(shadow, "shared") != 0)
        return error_set(error, ERROR_USAGE,
                         "BARLINT_RT_SHADOW: '%s' is neither 'shared' nor 'global'", shadow);
    return true;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path) != 0 && errno != ENOENT ? -1 : 0;
}

static void build_release(struct build *build)
{
    if (build->folder)
        nftw(build->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    for (ptrdiff_t i = 0; i < arrlen(build->unit); ++i)
        arrfree(build->unit[i].site);
    arrfree(build->unit);
    arrfree(build->replaced);
    shfree(build->left);
    arrfree(build->word);
    nvcc_hooks_release(&build->hooks);
    arena_release(&build->arena);
}

// Becomes the real nvcc with the words as they were given.
static int run_real(struct build *build)
{
    if (build->temporary)
        setenv("TMPDIR", build->temporary, 1);
    else
        unsetenv("TMPDIR");
    nftw(build->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    build->folder = NULL;
    fflush(stdout);
    execvp(build->word[0], build->word);
    struct error error;
    error_set(&error, ERROR_ENVIRONMENT, "cannot run '%s': %s", build->word[0], strerror(errno));
    build_release(build);
    return driver_fail(&error);
}

// --- Listing the steps ---------------------------------------------------------------------------

// The steps of the command with `extra` words (ended by NULL) behind its own.
static int list_steps(struct build *build, const char *const *extra, struct nvcc_listing *out)
{
    const char **words = NULL; // stb_ds
    arrput(words, build->word[0]);
    arrput(words, "--dryrun");
    for (ptrdiff_t i = 1; i + 1 < arrlen(build->word); ++i)
        arrput(words, build->word[i]);
    for (; *extra; ++extra)
        arrput(words, *extra);
    arrput(words, NULL);
    int status;
    char *text = process_capture(&build->arena, words, &status);
    arrfree(words);
    nvcc_listing_read(&build->arena, text, out);
    return status;
}

static bool compiles_device_code(const struct nvcc_listing *listing)
{
    for (ptrdiff_t i = 0; i < arrlen(listing->step); ++i)
        if (listing->step[i].kind == NVCC_DEVICE)
            return true;
    return false;
}

static bool has_lines(const struct nvcc_listing *listing)
{
    for (ptrdiff_t i = 0; i < arrlen(listing->step); ++i)
        if (listing->step[i].kind == NVCC_DEVICE && listing->step[i].has_lines)
            return true;
    return false;
}

// Whether the host's code is compiled when the program is linked: with clang the symbol that
// refuses units of another version (sites.h) is then one for all units, and twice there.
static bool is_compiled_late(const struct build *build)
{
    for (ptrdiff_t i = 0; i < arrlen(build->word) && build->word[i]; ++i)
        if (strstr(build->word[i], "-flto"))
            return true;
    return false;
}

// Replaces the listing of the command as given by that of the build that is instrumented.
static int list_instrumented(struct build *build, struct nvcc_listing *listing)
{
    const char *extra[8];
    size_t count = 0;
    extra[count++] = "-include";
    extra[count++] =
        path_join(&build->arena, build->hooks.resource, "barlint/runtime_check/module.cuh");
    if (!has_lines(listing))
        extra[count++] = "-lineinfo";
    if (build->hooks.global_shadow)
        extra[count++] = GLOBAL_SHADOW;
    if (is_compiled_late(build))
        extra[count++] = "-DBARLINT_RT_UNMARKED";
    bool is_parallel = listing->is_parallel;
    if (is_parallel) { // the steps are run in order
        extra[count++] = "-t";
        extra[count++] = "1";
    }
    extra[count] = NULL;
    nvcc_listing_release(listing);
    int status = list_steps(build, extra, listing);
    for (ptrdiff_t i = 0; i < arrlen(listing->message); ++i)
        if (!is_parallel || !strstr(listing->message[i], "redefinition for option 'threads'"))
            fprintf(stderr, "%s\n", listing->message[i]);
    return status;
}

// --- Units ---------------------------------------------------------------------------------------

static struct unit *find_unit(struct build *build, const struct nvcc_step *step)
{
    for (ptrdiff_t i = 0; i < arrlen(build->unit); ++i)
        if (strcmp(build->unit[i].name, step->unit) == 0)
            return &build->unit[i];
    struct unit unit = {.name = step->unit};
    // The same command on the same source has the same number, so that a build can be repeated.
    const char *folder = path_current(&build->arena);
    XXH64_hash_t key = XXH64(step->source, strlen(step->source), 0);
    key = XXH64(folder, strlen(folder), key);
    for (ptrdiff_t i = 1; i + 1 < arrlen(build->word); ++i)
        key = XXH64(build->word[i], strlen(build->word[i]) + 1, key);
    // The upper bits of places say something else.
    unit.number = (uint32_t)key & (uint32_t)((BARLINT_RT_NOT_ENTERED - 1) >> 32);
    unit.number += unit.number == 0;
    arrput(build->unit, unit);
    return &arrlast(build->unit);
}

static void count_left(struct build *build, const struct instrumented *module)
{
    build->left_count += module->left_count;
    for (ptrdiff_t i = 0; i < shlen(module->left); ++i) {
        ptrdiff_t known = shgeti(build->left, module->left[i].key);
        uint32_t before = known >= 0 ? build->left[known].value : 0;
        char *key =
            known >= 0 ? build->left[known].key : arena_strdup(&build->arena, module->left[i].key);
        shput(build->left, key, before + module->left[i].value);
    }
}

static void warn_left(struct build *build)
{
    if (build->left_count == 0)
        return;
    char *text =
        arena_printf(&build->arena, "%u barrier instruction%s not instrumented:", build->left_count,
                     build->left_count == 1 ? " is" : "s are");
    for (ptrdiff_t i = 0; i < shlen(build->left); ++i)
        text = arena_printf(&build->arena, "%s%s %s (%u)", text, i ? "," : "", build->left[i].key,
                            build->left[i].value);
    driver_warn(text);
}

// --- Steps ---------------------------------------------------------------------------------------

static bool write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool good = fwrite(text, 1, length, file) == length;
    return fclose(file) == 0 && good;
}

// Puts the joined module into the place of the original, of which a copy is kept.
static bool replace_ptx(struct build *build, const char *path, const char *text, size_t length,
                        const struct instrumented *module, const struct instrument_options *options,
                        const char *library, size_t library_length)
{
    struct replaced replaced = {
        .path = path,
        .original = arena_printf(&build->arena, "%s/original-%td.ptx", build->folder,
                                 arrlen(build->replaced)),
    };
    if (!write_file(replaced.original, text, length))
        return false;
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    instrument_join(file, module, library, library_length);
    if (!build->has_host && !build->is_relocatable)
        instrument_places(file, module, options);
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    arrput(build->replaced, replaced);
    return good || (write_file(path, text, length), false);
}

// Instruments what cicc made. What goes wrong here costs the checks, not the build.
static void instrument_step(struct build *build, const struct nvcc_step *step)
{
    char *text;
    size_t length;
    struct error error = {0};
    if (!step->output) {
        driver_warn(arena_printf(&build->arena,
                                 "'%s' is not compiled to PTX (-dlto?): its device code is not "
                                 "instrumented",
                                 path_name(step->source)));
        return;
    }
    if (!path_read(&build->arena, step->output, LARGEST_PTX, &text, &length, &error)) {
        driver_warn(error.text);
        return;
    }
    struct unit *unit = find_unit(build, step);
    struct instrument_options options = {.module = unit->number,
                                         .first_site = (uint32_t)arrlenu(unit->site),
                                         .is_relocatable = build->is_relocatable};
    struct instrumented module;
    instrument_ptx(&module, text, length, &options);
    size_t library_length;
    const char *library =
        instrumented_is_needed(&module)
            ? nvcc_hooks_ptx(&build->hooks, module.target, &library_length, &error)
            : NULL;
    if (error.kind != ERROR_NONE)
        driver_warn(error.text);
    if (library && replace_ptx(build, step->output, text, length, &module, &options, library,
                               library_length)) {
        for (uint32_t i = 0; i < module.site_count; ++i) {
            struct instrument_site site = module.site[i];
            site.file = arena_strdup(&build->arena, site.file);
            site.function = arena_strdup(&build->arena, site.function);
            site.instruction = arena_strdup(&build->arena, site.instruction);
            arrput(unit->site, site);
        }
        count_left(build, &module);
    }
    instrumented_release(&module);
}

static char *read_text(struct build *build, const char *path)
{
    char *text;
    size_t length;
    return path_read(&build->arena, path, LARGEST_PTX, &text, &length, NULL) ? text : NULL;
}

// A step in which the program's code is compiled with barlint's headers.
static int compile_step(struct build *build, const char *command)
{
    char *errors = path_join(&build->arena, build->folder, "step.errors");
    int status = process_shell(command, errors);
    char *text = read_text(build, errors);
    if (status == 0 || process_interrupted())
        fputs(text ? text : "", stderr);
    else
        build->failed = text ? text : "";
    return status;
}

// The instrumented PTX that a step reads; NULL when there is none.
static const struct replaced *find_replaced(const struct build *build, const struct nvcc_step *step)
{
    for (ptrdiff_t i = arrlen(build->replaced); i-- > 0;)
        for (char **word = step->word; *word; ++word)
            if (strcmp(build->replaced[i].path, *word) == 0)
                return &build->replaced[i];
    return NULL;
}

// Bounds the registers of the instrumented module by what `report` says of the original.
static bool bound_registers(const struct build *build, const struct replaced *replaced,
                            const char *ptx, const char *report, struct nvcc_registers *out)
{
    FILE *file = fopen(replaced->path, "wb");
    if (!file)
        return false;
    *out = nvcc_bound_registers(file, ptx, report, build->is_relocatable);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

// The architecture that a step makes machine code for, as its option; NULL: it only looks at the
// PTX.
static const char *target_of(const struct nvcc_step *step)
{
    for (char **word = step->word; *word; ++word)
        if (strncmp(*word, "-arch=sm_", strlen("-arch=sm_")) == 0)
            return *word;
    return NULL;
}

// Can the module be linked, and do the same? nvlink aligns dynamic shared memory to 16 bytes,
// whatever it is declared with, and wgmma is serialised beside calls that leave the module.
static bool links_well(const char *ptx)
{
    static const char dynamic[] = ".extern .shared .align ";
    for (const char *at = ptx; (at = strstr(at, dynamic)); ++at)
        if (strtoul(at + strlen(dynamic), NULL, 10) > 16)
            return false;
    return !strstr(ptx, "wgmma.");
}

// ptxas compiles all that a kernel calls once for each kernel. Of several kernels, the same by a
// link of the one module, in which functions are compiled once, with as many registers as every
// kernel has. NULL: it cannot be.
static char *linked_command(struct build *build, const struct nvcc_step *step, const char *ptx,
                            struct nvcc_registers registers)
{
    const char *output = NULL, *target = target_of(step);
    for (char **word = step->word; *word; ++word)
        output = strcmp(*word, "-o") == 0 ? word[1] : output;
    if (registers.checked < 2 || registers.least == 0 || build->is_relocatable || !output ||
        !target || strstr(step->command, "maxrregcount") || !links_well(ptx))
        return NULL;
    const char *module = path_join(&build->arena, build->folder, "module.o");
    output = shlex_quote(&build->arena, output);
    return arena_printf(&build->arena,
                        "%s -c --maxrregcount %lu && mv -f %s %s && nvlink %s %s -o %s",
                        step->command, registers.least, output, module, target, module, output);
}

// ptxas: first on the original, which says what is wrong with the program and how many registers
// its kernels need, then on the instrumented code. Where it does not take that, the build goes on
// with the original.
static int assemble_step(struct build *build, const struct nvcc_step *step)
{
    const struct replaced *replaced = find_replaced(build, step);
    if (!replaced)
        return process_shell(step->command, NULL);
    char *errors = path_join(&build->arena, build->folder, "ptxas.errors");
    char *ptx = read_text(build, replaced->path), *original = read_text(build, replaced->original);
    if (!ptx || !original || !write_file(replaced->path, original, strlen(original)))
        return process_shell(step->command, NULL);
    int status = process_shell(arena_printf(&build->arena, "%s -v", step->command), errors);
    if (status != 0 || process_interrupted())
        return status != 0 ? process_shell(step->command, NULL) : status;
    char *report = read_text(build, errors);
    // Functions that are linked with other modules' kernels must fit into the registers of any.
    const char *limit =
        build->is_relocatable && target_of(step) && !strstr(step->command, "maxrregcount")
            ? " --maxrregcount 64"
            : "";
    struct nvcc_registers registers;
    if (bound_registers(build, replaced, ptx, report ? report : "", &registers)) {
        const char *linked = linked_command(build, step, ptx, registers);
        status = linked ? process_shell(linked, errors) : 1;
        if (status != 0 && !process_interrupted())
            status =
                process_shell(arena_printf(&build->arena, "%s%s", step->command, limit), errors);
    }
    char *text = read_text(build, errors);
    if (status == 0 || process_interrupted()) {
        fputs(text ? text : "", stderr);
        return status;
    }
    if (!write_file(replaced->path, original, strlen(original)))
        return status;
    status = process_shell(step->command, NULL);
    if (status == 0)
        driver_warn(arena_printf(
            &build->arena, "'%s' is built without checks, which ptxas refuses: %.*s",
            path_name(replaced->path), text ? (int)strcspn(text, "\n") : 0, text ? text : ""));
    return status;
}

// The host compiler on the unit's host code, which gets the table of places.
static int host_step(struct build *build, const struct nvcc_step *step)
{
    const struct unit *unit = NULL;
    for (ptrdiff_t i = 0; i < arrlen(build->unit) && !unit; ++i)
        if (build->unit[i].host && strcmp(build->unit[i].host, step->input) == 0)
            unit = &build->unit[i];
    FILE *file = unit && arrlen(unit->site) ? fopen(step->input, "ab") : NULL;
    if (file) {
        instrument_registration(file, unit->number, unit->site, arrlenu(unit->site));
        fclose(file);
    }
    char *header =
        path_join(&build->arena, build->hooks.resource, "barlint/runtime_check/launches.h");
    return compile_step(build, arena_printf(&build->arena, "%s -include %s", step->command,
                                            shlex_quote(&build->arena, header)));
}

static int run_step(struct build *build, const struct nvcc_step *step)
{
    int status;
    if (build->is_verbose)
        fprintf(stderr, "#$ %s\n", step->command);
    switch (step->kind) {
    case NVCC_REMOVE:
        unlink(step->output);
        return 0;
    case NVCC_PREPROCESS:
        build->hooks.compiler = step->word[0];
        return compile_step(build, step->command);
    case NVCC_FRONT:
        find_unit(build, step)->host = step->output;
        return compile_step(build, step->command);
    case NVCC_DEVICE:
        status = compile_step(build, step->command);
        if (status == 0)
            instrument_step(build, step);
        return status;
    case NVCC_ASSEMBLE:
        return assemble_step(build, step);
    case NVCC_HOST:
        return host_step(build, step);
    default:
        return process_shell(step->command, NULL);
    }
}

static int run_steps(struct build *build, const struct nvcc_listing *listing)
{
    for (ptrdiff_t i = 0; i < arrlen(listing->variable); ++i) {
        const char *text = listing->variable[i];
        size_t length = strcspn(text, "=");
        setenv(arena_strndup(&build->arena, text, length), text + length + 1, 1);
    }
    int status = 0;
    build->is_relocatable = listing->is_relocatable;
    for (ptrdiff_t i = 0; i < arrlen(listing->step); ++i)
        build->has_host |= listing->step[i].kind == NVCC_HOST;
    for (ptrdiff_t i = 0; i < arrlen(listing->step) && status == 0; ++i)
        status = run_step(build, &listing->step[i]);
    if (status == 0)
        warn_left(build);
    return status;
}

// The program's code does not compile with barlint's headers, as it seems. nvcc says by itself what
// is wrong with it; where nothing is, it is built without checks.
static int build_plain(struct build *build)
{
    const char *command = "exec";
    for (ptrdiff_t i = 0; i + 1 < arrlen(build->word); ++i)
        command = arena_printf(&build->arena, "%s %s", command,
                               shlex_quote(&build->arena, build->word[i]));
    if (build->temporary)
        setenv("TMPDIR", build->temporary, 1);
    else
        unsetenv("TMPDIR");
    int status = process_shell(command, NULL);
    const char *error = strstr(build->failed, "error"), *line = error ? error : build->failed;
    while (line > build->failed && line[-1] != '\n')
        --line;
    if (status == 0 && !process_interrupted())
        driver_warn(arena_printf(&build->arena,
                                 "built without checks, as it does not compile with them: %.*s",
                                 (int)strcspn(line, "\n"), line));
    return status;
}

int nvcc_main(int count, char **words)
{
    struct build build;
    struct error error = {0};
    if (!build_init(&build, count, words, &error)) {
        build_release(&build);
        return driver_fail(&error);
    }
    const char *const none[] = {NULL};
    struct nvcc_listing listing = {0};
    int status = has_word(&build, "--dryrun") || has_word(&build, "-dryrun")
                     ? 1
                     : list_steps(&build, none, &listing);
    if (status != 0 || !compiles_device_code(&listing)) {
        nvcc_listing_release(&listing);
        return run_real(&build);
    }
    build.hooks.resource = resource_directory(&build.arena, &error);
    if (!build.hooks.resource)
        status = driver_fail(&error);
    else if ((status = list_instrumented(&build, &listing)) == 0)
        status = run_steps(&build, &listing);
    if (status != 0 && build.failed && !process_interrupted())
        status = build_plain(&build);
    nvcc_listing_release(&listing);
    build_release(&build);
    if (process_interrupted()) {
        signal(process_interrupted(), SIG_DFL);
        raise(process_interrupted());
    }
    return status;
}
