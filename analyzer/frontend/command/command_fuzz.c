// Any text as a command line, and as the content of an options file: splitting and translating
// must end, stay in bounds, and never fail for an unknown option.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/command/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok)
{
    if (!ok) {
        abort();
    }
}

static void check_words(struct arena *arena, const struct word_list *list)
{
    check(list->word[list->count] == NULL);
    for (size_t i = 0; i < list->count; i++) {
        // What is quoted is one word again.
        char *quoted = shlex_quote(arena, list->word[i]);
        struct word_list back = shlex_split(arena, quoted, QUOTING_SHELL);
        check(back.count == 1 && strcmp(back.word[0], list->word[i]) == 0);
        shlex_split_list(arena, list->word[i]);
    }
}

static void check_translation(struct arena *arena, const char *text)
{
    struct toolkit toolkit = {.version_major = 13};
    toolkit.path = arena_strdup(arena, "/cuda");
    struct translate_options options = {
        .toolkit = &toolkit,
        .resource = "/barlint",
        .clang_resource = "/clang",
        .arch = "all",
    };
    struct compile_command command = {
        .directory = "/proc/self/fd", .file = "/nowhere/k.cu", .text = text};
    struct translation_list list;
    struct error error = {0};
    check(translate_command(arena, &command, &options, &list, &error));
    check(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        const struct translation *translation = &list.item[i];
        check(translation->argument[translation->count] == NULL);
        json_t *json = translation_to_json(translation);
        check(json != NULL);
        json_decref(json);
    }
}

// The same text as an options file of both kinds. The file has a number for a name in the
// command's folder, so that the text can name itself.
static void check_options_file(struct arena *arena, const uint8_t *data, size_t size)
{
    FILE *file = tmpfile();
    check(file != NULL);
    fwrite(data, 1, size, file);
    fflush(file);
    int number = fileno(file);
    check_translation(arena, arena_printf(arena, "nvcc -optf %d,%d -DA", number, number));
    check_translation(arena, arena_printf(arena, "clang++ -x cuda @%d -DA", number));
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    char *text = arena_strndup(&arena, (const char *)data, size);
    for (int quoting = QUOTING_SHELL; quoting <= QUOTING_GNU; quoting++) {
        struct word_list list = shlex_split(&arena, text, (enum quoting)quoting);
        check_words(&arena, &list);
    }
    check_translation(&arena, text);
    check_options_file(&arena, data, size);
    arena_release(&arena);
    return 0;
}
