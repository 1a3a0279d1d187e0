// Reads the options of one command against the two tables.
#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"
#include "frontend/command/translate_internal.h"

void reading_step(struct reading *reading, enum step_action action, const char *original,
                  const char *result, const char *reason)
{
    struct arena *arena = reading->arena;
    struct translation_step step = {.action = action};
    step.original = arena_strdup(arena, original);
    step.result = arena_strdup(arena, result);
    step.reason = arena_strdup(arena, reason);
    arrput(reading->step, step);
}

void reading_warn(struct reading *reading, const char *original, const char *reason)
{
    reading_step(reading, STEP_DROPPED, original, "", reason);
    arrlast(reading->step).warning = true;
}

// The words of one option as the command has them.
static char *original_text(struct arena *arena, char *const *word, size_t count)
{
    char *text = shlex_quote(arena, word[0]);
    for (size_t i = 1; i < count; i++) {
        text = arena_printf(arena, "%s %s", text, shlex_quote(arena, word[i]));
    }
    return text;
}

// Appends `spelling` with `value` as clang takes it, in one argument or two; returns the text
// for the step.
static char *append_argument(struct reading *reading, const char *spelling, const char *value)
{
    struct arena *arena = reading->arena;
    size_t length = strlen(spelling);
    bool joined = spelling[length - 1] == '=' || (length == 2 && spelling[0] == '-');
    if (!value) {
        arrput(reading->argument, arena_strdup(arena, spelling));
        return shlex_quote(arena, spelling);
    }
    if (joined) {
        char *whole = arena_printf(arena, "%s%s", spelling, value);
        arrput(reading->argument, whole);
        return shlex_quote(arena, whole);
    }
    arrput(reading->argument, arena_strdup(arena, spelling));
    arrput(reading->argument, arena_strdup(arena, value));
    return arena_printf(arena, "%s %s", spelling, shlex_quote(arena, value));
}

static char *join_text(struct arena *arena, char *text, const char *more)
{
    return *text ? arena_printf(arena, "%s %s", text, more) : arena_strdup(arena, more);
}

// The value without nvcc's quotes where it is quoted as a whole; a macro's value keeps its own.
static char *plain_value(struct arena *arena, const char *value)
{
    size_t length = strlen(value);
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        return arena_strndup(arena, value + 1, length - 2);
    }
    return arena_strdup(arena, value);
}

// ---- One option ----

// Why a folder the command names is left out, or NULL.
static const char *unwanted_folder(struct reading *reading, const char *path)
{
    if (strcmp(path, "/usr/include") == 0) {
        return "searched anyway, and naming it breaks #include_next";
    }
    if (path_is_file(path_join(reading->arena, path, "cuda_runtime.h"))) {
        if (!reading->cuda_include) {
            reading->cuda_include = arena_strdup(reading->arena, path);
        }
        if (reading->options->headers == HEADERS_BUILTIN) {
            return "a CUDA toolkit's headers would mix with barlint's own declarations";
        }
    }
    return NULL;
}

static void keep_option(struct reading *reading, const struct option_use *use, const char *original)
{
    struct arena *arena = reading->arena;
    const char *spelling = use->row->detail[0] ? use->row->detail : use->spelling;
    char *result = arena_strdup(arena, "");
    bool folder = use->row->action == OPTION_KEEP_PATH;
    const char *unwanted = NULL;
    if (use->row->form == FORM_FLAG) {
        result = append_argument(reading, spelling, NULL);
    }
    for (size_t i = 0; i < use->value_count; i++) {
        char *value = plain_value(arena, use->value[i]);
        if (folder) {
            value = shlex_unquote(arena, value);
            // `-I= dir` and an empty list item name nothing.
            if (!*value) {
                continue;
            }
            value = path_join(arena, reading->command->directory, value);
            const char *why = unwanted_folder(reading, value);
            if (why) {
                unwanted = why;
                continue;
            }
        } else if (!*value) {
            continue;
        }
        result = join_text(arena, result, append_argument(reading, spelling, value));
    }
    if (!*result) {
        reading_step(reading, STEP_DROPPED, original, "", unwanted ? unwanted : "names nothing");
        return;
    }
    // The row's reason is about a list or another spelling; one relative folder needs neither.
    bool same = strcmp(original, result) == 0;
    bool relative = folder && use->value_count == 1 && !strchr(original, '=');
    const char *reason = use->row->reason;
    if (use->row->form & FORM_LIST) {
        reason = same       ? "clang takes it as it is"
                 : relative ? "relative to the command's folder"
                            : reason;
    }
    reading_step(reading, same ? STEP_KEPT : STEP_CHANGED, original, result, reason);
}

static void pre_include(struct reading *reading, const struct option_use *use, const char *original)
{
    struct arena *arena = reading->arena;
    char *result = arena_strdup(arena, "");
    for (size_t i = 0; i < use->value_count; i++) {
        char *name = shlex_unquote(arena, use->value[i]);
        if (!*name) {
            continue;
        }
        char *here = path_join(arena, reading->command->directory, name);
        result =
            join_text(arena, result,
                      append_argument(reading, use->row->detail, path_is_file(here) ? here : name));
    }
    bool same = strcmp(original, result) == 0;
    reading_step(reading, same ? STEP_KEPT : STEP_CHANGED, original, result, use->row->reason);
}

static void define_macro(struct reading *reading, const struct option_use *use,
                         const char *original)
{
    const char *macro = use->row->detail;
    const char *colon = strchr(macro, ':');
    if (colon) {
        size_t length = (size_t)(colon - macro);
        const char *value = use->value_count ? use->value[0] : "";
        bool wanted = strlen(value) == length && strncmp(value, macro, length) == 0;
        if (!wanted) {
            reading_step(reading, STEP_DROPPED, original, "", "what is so without it");
            return;
        }
        macro = colon + 1;
    }
    char *result = append_argument(reading, "-D", macro);
    reading_step(reading, STEP_DEFINED, original, result, use->row->reason);
}

// Takes one architecture name or one of nvcc's words for several.
static bool take_architecture(struct reading *reading, const char *name)
{
    struct gpu_arch arch;
    if (gpu_arch_parse(name, &arch)) {
        arrput(reading->named, arch);
        return true;
    }
    reading->native = reading->native || strcmp(name, "native") == 0;
    reading->all = reading->all || strcmp(name, "all") == 0;
    reading->all_major = reading->all_major || strcmp(name, "all-major") == 0;
    return strcmp(name, "native") == 0 || strcmp(name, "all") == 0 ||
           strcmp(name, "all-major") == 0;
}

static void architecture(struct reading *reading, const struct option_use *use,
                         const char *original)
{
    struct arena *arena = reading->arena;
    char *unknown = NULL;
    bool keyed = use->row->action == OPTION_GENERATE;
    for (size_t i = 0; i < use->value_count; i++) {
        struct word_list items = shlex_split_list(arena, shlex_unquote(arena, use->value[i]));
        for (size_t k = 0; k < items.count; k++) {
            const char *name = items.word[k];
            name += strspn(name, " ");
            if (keyed) {
                if (strncmp(name, "arch=", 5) != 0) {
                    continue; // code=...: real architectures
                }
                name += 5;
            }
            if (!take_architecture(reading, name)) {
                unknown = arena_strdup(arena, name);
            }
        }
    }
    if (unknown) {
        reading_warn(reading, original,
                     arena_printf(arena, "'%s' is no NVIDIA architecture", unknown));
        return;
    }
    reading_step(reading, STEP_CHOSEN, original, "", use->row->reason);
}

static void unwrap(struct reading *reading, const struct option_use *use, const char *original)
{
    struct arena *arena = reading->arena;
    size_t before = (size_t)arrlen(reading->wrapped);
    for (size_t i = 0; i < use->value_count; i++) {
        // PyTorch writes several options in one value: --compiler-options '-fPIC -O3'.
        struct word_list words = shlex_split(arena, use->value[i], QUOTING_SHELL);
        for (size_t k = 0; k < words.count; k++) {
            arrput(reading->wrapped, words.word[k]);
        }
    }
    // Each unwrapped option gets its own step; an empty wrapper has only this one.
    if ((size_t)arrlen(reading->wrapped) == before) {
        reading_step(reading, STEP_DROPPED, original, "", "names nothing");
    }
}

static bool is_standard(const char *name)
{
    static const char *const known[] = {"03", "0x", "11", "1y", "14", "1z", "17",
                                        "2a", "20", "2b", "23", "2c", "26"};
    const char *rest = strncmp(name, "gnu++", 5) == 0 ? name + 5
                       : strncmp(name, "c++", 3) == 0 ? name + 3
                                                      : NULL;
    for (size_t i = 0; rest && i < sizeof known / sizeof *known; i++) {
        if (strcmp(rest, known[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void standard(struct reading *reading, const struct option_use *use, const char *original)
{
    const char *name = use->value_count ? use->value[0] : "";
    if (!is_standard(name)) {
        reading_warn(reading, original, "clang knows no such C++ standard");
        return;
    }
    reading->standard = arena_strdup(reading->arena, name);
    reading_step(reading, STEP_CHOSEN, original, arena_printf(reading->arena, "-std=%s", name),
                 use->row->reason);
}

static void apply(struct reading *reading, const struct option_use *use, const char *original)
{
    if (use->value_lacks) {
        reading_warn(reading, original, "the value is missing");
        return;
    }
    switch (use->row->action) {
    case OPTION_KEEP:
    case OPTION_KEEP_PATH:
        keep_option(reading, use, original);
        break;
    case OPTION_DEFINE:
        define_macro(reading, use, original);
        break;
    case OPTION_UNWRAP:
        unwrap(reading, use, original);
        break;
    case OPTION_ARCHITECTURE:
    case OPTION_GENERATE:
        architecture(reading, use, original);
        break;
    case OPTION_STANDARD:
        standard(reading, use, original);
        break;
    case OPTION_PRE_INCLUDE:
        pre_include(reading, use, original);
        break;
    case OPTION_LANGUAGE:
        reading_step(reading, STEP_CHOSEN, original, "-x cuda", use->row->reason);
        break;
    case OPTION_CUDA_PATH:
        reading->cuda_path = path_join(reading->arena, reading->command->directory, use->value[0]);
        reading_step(reading, STEP_CHOSEN, original, "", use->row->reason);
        break;
    case OPTION_OPTIONS_FILE: // expanded before; what is left had no value
    case OPTION_OUTPUT:
    case OPTION_DROP:
        reading_step(reading, STEP_DROPPED, original, "", use->row->reason);
        break;
    }
}

// ---- The command ----

// Matches nvcc's tables leniently: `--rdc=true` and `-gpu-architecture=sm_90` are what people
// type after the command's end, though nvcc itself refuses them.
static bool match_other_dashes(struct reading *reading, char *const *word, size_t count,
                               struct option_use *use)
{
    struct arena *arena = reading->arena;
    char **copy = arena_array(arena, char *, 3);
    bool two = strncmp(word[0], "--", 2) == 0;
    copy[0] = two ? word[0] + 1 : arena_printf(arena, "-%s", word[0]);
    copy[1] = count > 1 ? word[1] : NULL;
    if (strlen(copy[0]) < 4) {
        return false;
    }
    return option_match(arena, &nvcc_options, copy, count > 1 ? 2 : 1, use) &&
           strlen(use->spelling) > 2;
}

static bool match_option(struct reading *reading, char *const *word, size_t count,
                         struct option_use *use)
{
    const struct option_table *first = &host_options;
    const struct option_table *second = NULL;
    if (reading->kind == COMPILER_NVCC) {
        first = &nvcc_options;
        second = &host_options;
    }
    if (option_match(reading->arena, first, word, count, use)) {
        return true;
    }
    if (second && match_other_dashes(reading, word, count, use)) {
        return true;
    }
    return second && option_match(reading->arena, second, word, count, use);
}

static void read_input(struct reading *reading, const char *word)
{
    struct arena *arena = reading->arena;
    char *path = path_join(arena, reading->command->directory, word);
    bool own = strcmp(path, reading->command->file) == 0 ||
               strcmp(path_name(path), path_name(reading->command->file)) == 0;
    reading_step(reading, STEP_DROPPED, word, "",
                 own ? "the source; given to libclang by itself" : "another input");
}

static void read_words(struct reading *reading, const struct word_list *words, bool host_only)
{
    bool options_end = false;
    for (size_t i = 0; i < words->count;) {
        char **word = words->word + i;
        size_t left = words->count - i;
        struct option_use use;
        if (!options_end && strcmp(word[0], "--") == 0) {
            options_end = true;
            i++;
            continue;
        }
        if (options_end || word[0][0] != '-' || word[0][1] == '\0') {
            read_input(reading, word[0]);
            i++;
            continue;
        }
        bool known = host_only ? option_match(reading->arena, &host_options, word, left, &use)
                               : match_option(reading, word, left, &use);
        if (!known) {
            reading_warn(reading, original_text(reading->arena, word, 1),
                         "an option neither nvcc nor clang is known to have");
            i++;
            continue;
        }
        apply(reading, &use, original_text(reading->arena, word, use.words));
        i += use.words;
    }
}

void reading_options(struct reading *reading, const struct word_list *words)
{
    read_words(reading, words, false);
    // What stood behind -Xcompiler, -Xclang and the like is one command line of the host
    // compiler: `-Xcompiler -isystem -Xcompiler dir` is one option. Wrappers may be nested.
    for (int depth = 0; depth < 4 && arrlen(reading->wrapped) > 0; depth++) {
        struct word_list inner = {.count = (size_t)arrlen(reading->wrapped)};
        inner.word = arena_array(reading->arena, char *, inner.count + 1);
        memcpy(inner.word, reading->wrapped, inner.count * sizeof(char *));
        arrsetlen(reading->wrapped, 0);
        size_t first = (size_t)arrlen(reading->step);
        read_words(reading, &inner, true);
        for (size_t i = first; i < (size_t)arrlen(reading->step); i++) {
            struct translation_step *step = &reading->step[i];
            step->original = arena_printf(reading->arena, "(host) %s", step->original);
            if (step->action == STEP_KEPT || step->action == STEP_CHANGED) {
                step->action = STEP_UNWRAPPED;
            }
        }
    }
}
