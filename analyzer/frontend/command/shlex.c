#include "frontend/command/shlex.h"

#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

// One word is built up in `text`, an stb_ds array of characters.
struct splitter {
    struct arena *arena;
    char *text;
    char **word; // stb_ds
    bool open;   // a word has begun, perhaps an empty quoted one
};

static void splitter_put(struct splitter *splitter, char c)
{
    arrput(splitter->text, c);
    splitter->open = true;
}

static void splitter_end_word(struct splitter *splitter)
{
    if (!splitter->open) {
        return;
    }
    arrput(splitter->word, arena_strndup(splitter->arena, splitter->text ? splitter->text : "",
                                         (size_t)arrlen(splitter->text)));
    arrsetlen(splitter->text, 0);
    splitter->open = false;
}

static struct word_list splitter_finish(struct splitter *splitter)
{
    splitter_end_word(splitter);
    struct word_list list = {.count = (size_t)arrlen(splitter->word)};
    list.word = arena_array(splitter->arena, char *, list.count + 1);
    if (list.count) {
        memcpy(list.word, splitter->word, list.count * sizeof(char *));
    }
    arrfree(splitter->text);
    arrfree(splitter->word);
    return list;
}

// Reads from behind an opening quote up to and with the closing one; returns what follows.
static const char *read_quoted(struct splitter *splitter, const char *in, char quote,
                               enum quoting quoting)
{
    splitter->open = true;
    for (; *in && *in != quote; in++) {
        bool escape = false;
        if (*in == '\\' && in[1]) {
            if (quoting == QUOTING_GNU) {
                escape = true;
            } else if (quote == '"') {
                escape = strchr("$`\"\\\n", in[1]) != NULL;
            }
        }
        if (escape) {
            in++;
            if (*in == '\n' && quoting == QUOTING_SHELL) {
                continue; // a line continuation
            }
        }
        splitter_put(splitter, *in);
    }
    return *in ? in + 1 : in;
}

static struct word_list split(struct arena *arena, const char *text, enum quoting quoting)
{
    struct splitter splitter = {.arena = arena};
    const char *in = text;
    while (*in) {
        char c = *in++;
        if (strchr(" \t\n\r\v\f", c)) {
            splitter_end_word(&splitter);
        } else if (c == '"' || (c == '\'' && quoting != QUOTING_NVCC)) {
            in = read_quoted(&splitter, in, c, quoting);
        } else if (c == '\\' && *in) {
            if (*in == '\n') {
                in++;
            } else if (*in == '\r' && in[1] == '\n') {
                in += 2;
            } else {
                splitter_put(&splitter, *in++);
            }
        } else {
            splitter_put(&splitter, c);
        }
    }
    return splitter_finish(&splitter);
}

// Takes one level of quotes and backslashes off, in place.
static void strip_level(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        if (*in == '"') {
            continue;
        }
        if (*in == '\\' && in[1]) {
            in++;
        }
        *out++ = *in;
    }
    *out = '\0';
}

struct word_list shlex_split(struct arena *arena, const char *text, enum quoting quoting)
{
    struct word_list list = split(arena, text, quoting);
    if (quoting == QUOTING_NVCC) {
        for (size_t i = 0; i < list.count; i++) {
            strip_level(list.word[i]);
        }
    }
    return list;
}

struct word_list shlex_split_list(struct arena *arena, const char *text)
{
    struct splitter splitter = {.arena = arena};
    bool quoted = false;
    for (const char *in = text; *in; in++) {
        if (*in == '\\' && (in[1] == ',' || in[1] == '"')) {
            splitter_put(&splitter, *++in);
        } else if (*in == ',' && !quoted) {
            splitter_end_word(&splitter);
        } else {
            if (*in == '"') {
                quoted = !quoted;
            }
            splitter_put(&splitter, *in);
        }
    }
    return splitter_finish(&splitter);
}

char *shlex_unquote(struct arena *arena, const char *text)
{
    char *copy = arena_strdup(arena, text);
    char *out = copy;
    for (const char *in = text; *in; in++) {
        if (*in != '"') {
            *out++ = *in;
        }
    }
    *out = '\0';
    return copy;
}

char *shlex_quote(struct arena *arena, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+.,/:@%^";
    if (*text && text[strspn(text, plain)] == '\0') {
        return arena_strdup(arena, text);
    }
    size_t quotes = 0;
    for (const char *in = text; *in; in++) {
        quotes += *in == '\'';
    }
    char *quoted = arena_alloc(arena, strlen(text) + quotes * 3 + 3);
    char *out = quoted;
    *out++ = '\'';
    for (const char *in = text; *in; in++) {
        if (*in == '\'') {
            memcpy(out, "'\\''", 4);
            out += 4;
        } else {
            *out++ = *in;
        }
    }
    *out++ = '\'';
    *out = '\0';
    return quoted;
}
