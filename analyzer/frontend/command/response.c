#include "frontend/command/response.h"

#include <string.h>

#include "base/vec.h"
#include "frontend/command/file.h"
#include "frontend/command/option_table.h"

enum {
    DEPTH_MAX = 16,              // nested files
    FILES_MAX = 1000,            // files in all: a file may name another many times
    BYTES_MAX = 4 * 1024 * 1024, // one file
    WORDS_MAX = 1000 * 1000,     // options in all
};

struct expander {
    struct arena *arena;
    const char *directory;
    enum compiler_kind kind;
    char **word; // stb_ds
    struct response_file *file;
    const char *open[DEPTH_MAX]; // the chain of files being read
    size_t depth;
};

static void expand_words(struct expander *expander, const struct word_list *words);

static const char *why_not(const struct expander *expander, const char *path)
{
    if (expander->depth == DEPTH_MAX) {
        return "options files are nested too deeply";
    }
    if (arrlen(expander->file) >= FILES_MAX || arrlen(expander->word) >= WORDS_MAX) {
        return "there are too many options files";
    }
    for (size_t i = 0; i < expander->depth; i++) {
        if (strcmp(expander->open[i], path) == 0) {
            return "the file names itself";
        }
    }
    return NULL;
}

static void expand_file(struct expander *expander, char *original, const char *name,
                        enum quoting quoting)
{
    struct arena *arena = expander->arena;
    struct response_file file = {.original = original};
    file.path = path_join(arena, expander->directory, name);
    struct error error = {0};
    char *text = NULL;
    size_t size = 0;
    const char *refused = why_not(expander, file.path);
    if (refused) {
        file.problem = arena_strdup(arena, refused);
    } else if (!path_read(arena, file.path, BYTES_MAX, &text, &size, &error)) {
        file.problem = arena_strdup(arena, error.text);
    }
    if (file.problem) {
        if (arrlen(expander->file) <= FILES_MAX) {
            arrput(expander->file, file);
        }
        return;
    }
    struct word_list inner = shlex_split(arena, text, quoting);
    file.words = inner.count;
    arrput(expander->file, file);
    expander->open[expander->depth++] = file.path;
    expand_words(expander, &inner);
    expander->depth--;
}

static void expand_words(struct expander *expander, const struct word_list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        char *word = words->word[i];
        struct option_use use;
        if (expander->kind == COMPILER_NVCC && (word[0] == '-') &&
            option_match(expander->arena, &nvcc_options, words->word + i, words->count - i, &use)) {
            bool expands = use.row->action == OPTION_OPTIONS_FILE && use.value_count > 0;
            if (expands) {
                for (size_t v = 0; v < use.value_count; v++) {
                    char *name = shlex_unquote(expander->arena, use.value[v]);
                    char *original = arena_printf(expander->arena, "%s %s", use.spelling, name);
                    expand_file(expander, original, name, QUOTING_NVCC);
                }
                i += use.words - 1;
                continue;
            }
            // The value of another option is no options file, whatever it looks like.
            for (size_t k = 0; k < use.words; k++) {
                arrput(expander->word, words->word[i + k]);
            }
            i += use.words - 1;
            continue;
        }
        if (word[0] == '@' && word[1]) {
            expand_file(expander, word, word + 1, QUOTING_GNU);
            continue;
        }
        arrput(expander->word, word);
    }
}

struct word_list response_expand(struct arena *arena, const struct word_list *words,
                                 const char *directory, enum compiler_kind kind,
                                 struct response_file **out_files)
{
    struct expander expander = {.arena = arena, .directory = directory, .kind = kind};
    expand_words(&expander, words);
    struct word_list expanded = {.count = (size_t)arrlen(expander.word)};
    expanded.word = arena_array(arena, char *, expanded.count + 1);
    if (expanded.count) {
        memcpy(expanded.word, expander.word, expanded.count * sizeof(char *));
    }
    arrfree(expander.word);
    *out_files = expander.file;
    return expanded;
}
