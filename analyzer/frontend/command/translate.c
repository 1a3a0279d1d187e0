#include "frontend/command/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"
#include "frontend/command/response.h"
#include "frontend/command/translate_internal.h"

// What a file without any command is analysed for: the architecture whose barriers are richest
// among those in wide use.
static const struct gpu_arch assumed_arch = {.number = 90, .suffix = 'a'};

static const char default_standard[] = "c++17"; // nvcc 11 to 13 with their usual host compilers

// ---- Reading the command ----

static void read_response_files(struct reading *reading, struct word_list *words)
{
    struct arena *arena = reading->arena;
    struct response_file *files = NULL;
    *words = response_expand(arena, words, reading->command->directory, reading->kind, &files);
    for (ptrdiff_t i = 0; i < arrlen(files); i++) {
        if (files[i].problem) {
            reading_warn(reading, files[i].original, files[i].problem);
            continue;
        }
        reading_step(
            reading, STEP_EXPANDED, files[i].original, "",
            arena_printf(arena, "%zu options were read from '%s'", files[i].words, files[i].path));
    }
    arrfree(files);
}

// Sets kind and nvcc and returns the words behind the program, the user's extra ones included.
static struct word_list open_command(struct reading *reading, struct compile_command *command)
{
    struct arena *arena = reading->arena;
    struct word_list all = compile_command_words(arena, command);
    size_t skip = compile_command_launchers(&all);
    for (size_t i = 0; i < skip; i++) {
        reading_step(reading, STEP_DROPPED, all.word[i], "", "only starts the compiler");
    }
    struct word_list words = {.word = all.word + skip, .count = all.count - skip};
    if (words.count == 0) {
        reading->kind = COMPILER_NVCC;
        return words;
    }
    reading->kind = compiler_kind_of(words.word[0]);
    // A .cu file that a plain compiler's name stands for was compiled by some wrapper of nvcc.
    reading_step(reading, STEP_DROPPED, words.word[0], "",
                 arena_printf(arena, "the compiler, %s", compiler_kind_name(reading->kind)));
    if (reading->kind == COMPILER_NVCC && strchr(words.word[0], '/')) {
        reading->nvcc = path_join(arena, command->directory, words.word[0]);
    }
    words.word++;
    words.count--;
    size_t extra = reading->options->extra_count;
    if (extra > 0) {
        char **longer = arena_array(arena, char *, words.count + extra + 1);
        if (words.count) {
            memcpy(longer, words.word, words.count * sizeof(char *));
        }
        for (size_t i = 0; i < extra; i++) {
            longer[words.count + i] = arena_strdup(arena, reading->options->extra[i]);
        }
        words = (struct word_list){.word = longer, .count = words.count + extra};
    }
    return words;
}

// HIP's own headers turn into CUDA's when they are told that the GPU is NVIDIA's.
static void read_as_cuda(struct reading *reading)
{
    if (reading->kind != COMPILER_HIPCC) {
        return;
    }
    for (ptrdiff_t i = 0; i < arrlen(reading->argument);) {
        if (strncmp(reading->argument[i], "-D__HIP_PLATFORM_", 17) == 0) {
            arrdel(reading->argument, i);
        } else {
            i++;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(reading->step); i++) {
        struct translation_step *step = &reading->step[i];
        if (strncmp(step->result, "-D__HIP_PLATFORM_", 17) == 0) {
            step->action = STEP_DROPPED;
            step->result = arena_strdup(reading->arena, "");
            step->reason = arena_strdup(reading->arena, "HIP sources are read as CUDA");
        }
    }
    arrput(reading->argument, arena_strdup(reading->arena, "-D__HIP_PLATFORM_NVIDIA__=1"));
    reading_step(reading, STEP_ADDED, "", "-D__HIP_PLATFORM_NVIDIA__=1",
                 "HIP's headers then map to CUDA's, which are analysed");
}

// ---- Deciding ----

static bool choose_toolkit(struct reading *reading, struct translation *out, struct error *error)
{
    const struct translate_options *options = reading->options;
    struct arena *arena = reading->arena;
    out->headers = HEADERS_BUILTIN;
    if (options->headers == HEADERS_BUILTIN) {
        return true;
    }
    if (options->toolkit) {
        out->toolkit = *options->toolkit;
        out->headers = HEADERS_TOOLKIT;
        return true;
    }
    struct toolkit_search search = {
        .option = options->cuda_path,
        .command_path = reading->cuda_path,
        .command_nvcc = reading->nvcc,
        .command_include = reading->cuda_include,
    };
    char *note = NULL;
    bool found = options->memo
                     ? toolkit_find_again(options->memo, &search, &out->toolkit, &note, error)
                     : toolkit_find(arena, &search, &out->toolkit, &note, error);
    if (found) {
        out->headers = HEADERS_TOOLKIT;
        char *version =
            arena_printf(arena, "CUDA %d.%d in '%s', found by %s", out->toolkit.version_major,
                         out->toolkit.version_minor, out->toolkit.path, out->toolkit.origin);
        reading_step(reading, STEP_CHOSEN, note ? note : "", "", version);
        arrlast(reading->step).warning = note != NULL;
        return true;
    }
    if (options->headers == HEADERS_TOOLKIT || options->cuda_path) {
        return false;
    }
    reading_step(reading, STEP_CHOSEN, note ? note : "", "",
                 "no CUDA toolkit was found: barlint's own declarations are used");
    return true;
}

static int compare_archs(const void *a, const void *b)
{
    return gpu_arch_compare(*(const struct gpu_arch *)a, *(const struct gpu_arch *)b);
}

// Fills out->named: what the command names, sorted and once each; never empty.
static void choose_named(struct reading *reading, struct translation *out)
{
    struct arena *arena = reading->arena;
    if (reading->all || reading->all_major) {
        struct gpu_arch all[GPU_ARCH_ALL_MAX];
        size_t count = gpu_arch_all(out->toolkit.version_major, out->toolkit.version_minor,
                                    !reading->all, all);
        for (size_t i = 0; i < count; i++) {
            arrput(reading->named, all[i]);
        }
    }
    if (arrlen(reading->named) == 0) {
        // `native` is the GPU of the machine that builds; nobody can tell it from here. Who writes
        // down folders and macros alone does not mean nvcc's default, the oldest there is.
        bool unknown = reading->native || reading->kind != COMPILER_NVCC ||
                       reading->command->options_only;
        struct gpu_arch arch =
            unknown ? assumed_arch : gpu_arch_default(out->toolkit.version_major);
        const char *why = reading->native ? "native: the GPU of the build machine is unknown"
                          : unknown       ? "the command names no NVIDIA architecture"
                                          : "nvcc's default: the command names no architecture";
        arrput(reading->named, arch);
        reading_step(reading, STEP_CHOSEN, "", gpu_arch_name(arena, arch), why);
    }
    size_t count = (size_t)arrlen(reading->named);
    qsort(reading->named, count, sizeof *reading->named, compare_archs);
    out->named = arena_array(arena, struct gpu_arch, count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || gpu_arch_compare(reading->named[i], reading->named[i - 1]) != 0) {
            out->named[out->named_count++] = reading->named[i];
        }
    }
}

static void finish_arguments(struct reading *reading, struct translation *out, char **before,
                             char **behind)
{
    char **const parts[] = {before, reading->argument, behind};
    for (size_t i = 0; i < 3; i++) {
        out->count += (size_t)arrlen(parts[i]);
    }
    out->argument = arena_array(reading->arena, char *, out->count + 1);
    size_t at = 0;
    for (size_t i = 0; i < 3; i++) {
        for (ptrdiff_t k = 0; k < arrlen(parts[i]); k++) {
            out->argument[at++] = parts[i][k];
        }
    }
    out->step_count = (size_t)arrlen(reading->step);
    out->step = arena_array(reading->arena, struct translation_step, out->step_count + 1);
    if (out->step_count) {
        memcpy(out->step, reading->step, out->step_count * sizeof *out->step);
    }
}

// Completes the translation for one architecture. The steps of barlint's own arguments are taken
// back afterwards, so that the next architecture starts where this one did.
static bool translate_arch(struct reading *reading, const struct translation *common,
                           struct gpu_arch arch, struct translation *out, struct error *error)
{
    struct arena *arena = reading->arena;
    ptrdiff_t steps = arrlen(reading->step);
    *out = *common;
    out->arch = arch;
    out->clang_arch = gpu_arch_for_clang(arch);
    if (gpu_arch_compare(arch, out->clang_arch) != 0) {
        reading_step(reading, STEP_CHOSEN, gpu_arch_name(arena, arch),
                     gpu_arch_name(arena, out->clang_arch),
                     "the nearest older architecture clang 22 knows");
        arrlast(reading->step).warning = true;
    }
    char **before = NULL;
    char **behind = NULL;
    bool ok = base_arguments(reading, out, &before, &behind, error);
    if (ok) {
        finish_arguments(reading, out, before, behind);
    }
    arrfree(before);
    arrfree(behind);
    arrsetlen(reading->step, steps);
    return ok;
}

static bool translate_archs(struct reading *reading, const struct translation *common,
                            struct translation_list *out, struct error *error)
{
    const char *wanted = reading->options->arch;
    struct gpu_arch only = common->named[common->named_count - 1];
    bool each = wanted && strcmp(wanted, "all") == 0;
    if (wanted && !each && !gpu_arch_parse(wanted, &only)) {
        return error_set(error, ERROR_USAGE,
                         "'%s' is no architecture: write one like sm_90a, or all", wanted);
    }
    out->count = each ? common->named_count : 1;
    out->item = arena_array(reading->arena, struct translation, out->count);
    for (size_t i = 0; i < out->count; i++) {
        struct gpu_arch arch = each ? common->named[i] : only;
        if (!translate_arch(reading, common, arch, &out->item[i], error)) {
            return false;
        }
    }
    return true;
}

bool translate_command(struct arena *arena, struct compile_command *command,
                       const struct translate_options *options, struct translation_list *out_list,
                       struct error *error)
{
    struct reading reading = {.arena = arena, .command = command, .options = options};
    struct word_list words = open_command(&reading, command);
    read_response_files(&reading, &words);
    reading_options(&reading, &words);
    read_as_cuda(&reading);

    struct translation common = {
        .kind = reading.kind,
        .directory = arena_strdup(arena, command->directory),
        .file = arena_strdup(arena, command->file),
        .borrowed = command->borrowed,
        .assumed = command->assumed,
        .language_standard =
            reading.standard ? reading.standard : arena_strdup(arena, default_standard),
    };
    struct translation_list list = {0};
    bool ok = choose_toolkit(&reading, &common, error);
    if (ok) {
        choose_named(&reading, &common);
        ok = translate_archs(&reading, &common, &list, error);
    }
    arrfree(reading.step);
    arrfree(reading.argument);
    arrfree(reading.wrapped);
    arrfree(reading.named);
    if (ok) {
        *out_list = list;
    }
    return ok;
}

char *translate_environment_note(struct arena *arena)
{
    static const char *const names[] = {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"};
    for (size_t i = 0; i < 2; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) {
            return arena_printf(arena,
                                "%s is set to '%s': nvcc adds these options to every build, and "
                                "no compile database records them",
                                names[i], value);
        }
    }
    return NULL;
}
