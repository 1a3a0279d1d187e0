// What `nvcc --dryrun` writes: lines that begin with `#$ ` hold an environment variable or a
// command, other lines are warnings. nvcc 11 to 13 write it alike.
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/nvcc/nvcc.h"
#include "frontend/command/shlex.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

// `NAME=` at the beginning of a line.
static bool is_variable(const char *line)
{
    size_t length = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    return length > 0 && line[length] == '=';
}

// The word after an option that takes one; NULL when it is not there.
static const char *after(const struct word_list *words, const char *option)
{
    for (size_t i = words->count; i-- > 1;)
        if (strcmp(words->word[i - 1], option) == 0)
            return words->word[i];
    return NULL;
}

static bool has(const struct word_list *words, const char *word)
{
    for (size_t i = 1; i < words->count; ++i)
        if (strcmp(words->word[i], word) == 0)
            return true;
    return false;
}

// The word that ends in `end` and is no argument of -o.
static const char *input_of(const struct word_list *words, const char *end)
{
    for (size_t i = 1; i < words->count; ++i)
        if (ends_with(words->word[i], end) && strcmp(words->word[i - 1], "-o") != 0)
            return words->word[i];
    return NULL;
}

static void read_unit(struct nvcc_step *step, const struct word_list *words)
{
    step->source = after(words, "--orig_src_path_name");
    if (!step->source)
        step->source = after(words, "--orig_src_file_name");
    step->unit = after(words, "--module_id_file_name");
    if (!step->unit)
        step->unit = step->source ? step->source : "";
    if (!step->source)
        step->source = "";
}

static struct nvcc_step read_step(struct arena *arena, const char *line)
{
    struct nvcc_step step = {.command = line};
    struct word_list words = shlex_split(arena, line, QUOTING_SHELL);
    if (words.count == 0)
        return step;
    step.word = words.word;
    const char *name = path_name(words.word[0]);
    const char *host = input_of(&words, ".cudafe1.cpp");
    if (strcmp(name, "rm") == 0 && strncmp(line, "rm ", 3) == 0) {
        step.kind = NVCC_REMOVE;
        step.output = line + 3;
    } else if (strcmp(name, "cicc") == 0) {
        step.kind = NVCC_DEVICE;
        step.output = after(&words, "-o");
        if (has(&words, "-lto") || (step.output && ends_with(step.output, ".optixir")))
            step.output = NULL;
        step.has_lines = has(&words, "-generate-line-info") || has(&words, "-g");
        read_unit(&step, &words);
    } else if (strcmp(name, "cudafe++") == 0) {
        step.kind = NVCC_FRONT;
        step.output = after(&words, "--gen_c_file_name");
        read_unit(&step, &words);
    } else if (strcmp(name, "ptxas") == 0) {
        step.kind = NVCC_ASSEMBLE;
    } else if (host) {
        step.kind = NVCC_HOST;
        step.input = host;
    } else if (has(&words, "-E")) {
        step.kind = NVCC_PREPROCESS;
    }
    return step;
}

void nvcc_listing_read(struct arena *arena, const char *text, struct nvcc_listing *out)
{
    *out = (struct nvcc_listing){0};
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = arena_strndup(arena, text, length);
        text += length + (text[length] == '\n');
        if (strncmp(line, "#$ ", 3) != 0) {
            arrput(out->message, line);
            continue;
        }
        line += 3;
        if (is_variable(line)) {
            arrput(out->variable, line);
            continue;
        }
        struct nvcc_step step = read_step(arena, line);
        out->is_parallel |= strstr(line, "_stdout 2>") != NULL;
        out->is_relocatable |= step.kind == NVCC_ASSEMBLE && strstr(line, " --compile-only ");
        if (step.word)
            arrput(out->step, step);
    }
}

void nvcc_listing_release(struct nvcc_listing *listing)
{
    arrfree(listing->step);
    arrfree(listing->variable);
    arrfree(listing->message);
}
