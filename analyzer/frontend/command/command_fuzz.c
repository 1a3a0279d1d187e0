// Any text as a command line, and as the content of an options file: splitting and translating
// must end, stay in bounds, and never fail for an unknown option.
#include <stdint.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    char *text = arena_strndup(&arena, (const char *)data, size);
    for (int quoting = QUOTING_SHELL; quoting <= QUOTING_GNU; quoting++) {
        struct word_list list = shlex_split(&arena, text, (enum quoting)quoting);
        check_words(&arena, &list);
    }
    struct toolkit toolkit = {.version_major = 13};
    toolkit.path = arena_strdup(&arena, "/cuda");
    struct translate_options options = {
        .toolkit = &toolkit,
        .resource = "/barlint",
        .clang_resource = "/clang",
        .arch = "all",
    };
    struct compile_command command = {
        .directory = "/nowhere", .file = "/nowhere/k.cu", .text = text};
    struct translation_list list;
    struct error error = {0};
    check(translate_command(&arena, &command, &options, &list, &error));
    check(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        const struct translation *translation = &list.item[i];
        check(translation->argument[translation->count] == NULL);
        json_t *json = translation_to_json(translation);
        check(json != NULL);
        json_decref(json);
    }
    arena_release(&arena);
    return 0;
}
