#include "report/suppress.h"

#include <string.h>

#include "base/vec.h"

enum {
    STATEMENT_LINES = 32,      // a finding's range is believed up to that many lines
    MOST_SUPPRESSIONS = 10000, // of a file; what comes after is not read
};

enum place { AT_LINE, AT_NEXT, AT_BEGIN, AT_END, AT_FILE };

// The words that begin a suppression; longer ones first, so that the first match is the right one.
static const struct word {
    const char *text;
    enum place place;
    bool is_nolint;
} words[] = {
    {"barlint-ignore-begin", AT_BEGIN, false},
    {"barlint-ignore-end", AT_END, false},
    {"barlint-ignore-file", AT_FILE, false},
    {"barlint-ignore", AT_LINE, false},
    {"NOLINTNEXTLINE", AT_NEXT, true},
    {"NOLINTBEGIN", AT_BEGIN, true},
    {"NOLINTEND", AT_END, true},
    {"NOLINT", AT_LINE, true},
};

struct finder {
    const struct source *source;
    struct arena *arena;
    struct suppression *found; // stb_ds array
    uint32_t *code; // stb_ds array, by line from 1: the first line from there on that holds more
                    // than comments, 0 when there is none
};

// Which lines hold code. A line inside a literal counts, which is right.
static void find_code(struct finder *finder)
{
    const struct source *source = finder->source;
    size_t lines = arrlenu(source->line);
    memset(arraddnptr(finder->code, lines + 2), 0, (lines + 2) * sizeof finder->code[0]);
    size_t at = 0;
    uint32_t line = 1;
    for (ptrdiff_t i = 0; i <= arrlen(source->comment); ++i) {
        const struct source_comment *comment =
            i < arrlen(source->comment) ? &source->comment[i] : NULL;
        size_t end = comment ? (size_t)(comment->text - source->text) - 2 : source->length;
        for (; at < end; ++at) {
            if (source->text[at] == '\n')
                ++line;
            else if (!strchr(" \t\r\f\v", source->text[at]))
                finder->code[line] = line;
        }
        if (!comment)
            break;
        bool is_block = comment->text[-1] == '*';
        at = (size_t)(comment->text - source->text) + comment->length;
        line = comment->end_line;
        if (is_block && at + 2 <= source->length)
            at += 2;
    }
    for (size_t i = lines; i > 0; --i) {
        if (finder->code[i] == 0)
            finder->code[i] = finder->code[i + 1];
    }
}

// Puts one suppression for each rule id of the list between `open` and its closing mark. Returns
// how many letters of `text` were read, 0 when the list is missing or not closed.
static size_t read_list(struct finder *finder, const char *text, size_t length, char open,
                        char close, struct suppression model)
{
    if (length == 0 || text[0] != open)
        return 0;
    const char *end = memchr(text, close, length);
    if (!end)
        return 0;
    for (const char *at = text + 1; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        const char *from = at, *to = stop;
        while (from < to && strchr(" \t\r\n", *from))
            ++from;
        while (to > from && strchr(" \t\r\n", to[-1]))
            --to;
        at = stop + 1;
        if (model.is_nolint) {
            const char prefix[] = "barlint-";
            size_t skip = sizeof prefix - 1;
            if ((size_t)(to - from) <= skip || memcmp(from, prefix, skip) != 0)
                continue; // somebody else's check
            from += skip;
        }
        struct suppression one = model;
        one.rule = arena_strndup(finder->arena, from, (size_t)(to - from));
        arrput(finder->found, one);
    }
    return (size_t)(end - text) + 1;
}

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

// Gives the suppressions from number `first` on the lines they cover. A begin covers to the end of
// the file until its end is met.
static void set_lines(struct finder *finder, ptrdiff_t first, const struct source_comment *comment,
                      enum place place)
{
    uint32_t last_line = (uint32_t)arrlenu(finder->source->line);
    bool before_code = comment->alone && finder->code[comment->end_line] != comment->end_line;
    for (ptrdiff_t i = first; i < arrlen(finder->found); ++i) {
        struct suppression *one = &finder->found[i];
        uint32_t target = one->line;
        switch (place) {
        case AT_NEXT:
            target = comment->end_line + 1;
            one->from = one->to = target;
            break;
        case AT_LINE:
            if (before_code)
                target = finder->code[comment->end_line];
            one->from = target ? target : 1;
            one->to = target;
            break;
        case AT_FILE:
            one->from = 1;
            one->to = last_line;
            break;
        case AT_BEGIN:
            one->from = one->line;
            one->to = last_line;
            one->unmatched = true;
            break;
        case AT_END:
            one->from = 1;
            one->to = 0;
            one->unmatched = true;
            break;
        }
    }
}

// Closes the begins that the ends from number `first` on belong to, and takes these ends away.
static void close_ranges(struct finder *finder, ptrdiff_t first)
{
    ptrdiff_t kept = first;
    for (ptrdiff_t i = first; i < arrlen(finder->found); ++i) {
        struct suppression *end = &finder->found[i], *begin = NULL;
        for (ptrdiff_t j = first - 1; j >= 0 && !begin; --j) {
            struct suppression *one = &finder->found[j];
            if (one->unmatched && one->from <= one->to && one->is_nolint == end->is_nolint &&
                strcmp(one->rule, end->rule) == 0)
                begin = one;
        }
        if (begin) {
            begin->to = end->line;
            begin->unmatched = false;
        } else {
            finder->found[kept++] = *end;
        }
    }
    arrsetlen(finder->found, kept);
}

// The reason: the rest of the line behind the list, without the colon before it.
static const char *read_reason(struct finder *finder, const struct source_comment *comment,
                               size_t at)
{
    const char *from = comment->text + at, *end = comment->text + comment->length;
    const char *stop = memchr(from, '\n', (size_t)(end - from));
    stop = stop ? stop : end;
    while (from < stop && strchr(" \t\r:-", *from))
        ++from;
    while (stop > from && strchr(" \t\r", stop[-1]))
        --stop;
    return arena_strndup(finder->arena, from, (size_t)(stop - from));
}

// One marker word of a comment, `at` letters into it. Returns how many letters were read.
static size_t read_marker(struct finder *finder, const struct source_comment *comment, size_t at,
                          const struct word *word)
{
    const struct source *source = finder->source;
    uint32_t line = comment->line;
    size_t start = (size_t)(comment->text - source->text) + at;
    for (size_t i = 0; i < at; ++i)
        line += comment->text[i] == '\n';
    size_t length = strlen(word->text);
    struct suppression model = {
        .rule = "",
        .reason = "",
        .line = line,
        .column = (uint32_t)(start - source->line[line - 1]) + 1,
        .is_nolint = word->is_nolint,
    };
    model.end_column = model.column + (uint32_t)length;
    ptrdiff_t first = arrlen(finder->found);
    size_t list = read_list(finder, comment->text + at + length, comment->length - at - length,
                            word->is_nolint ? '(' : '[', word->is_nolint ? ')' : ']', model);
    if (!word->is_nolint && arrlen(finder->found) == first) {
        model.from = 1; // names no rule: covers nothing, and is reported
        arrput(finder->found, model);
        return length + list;
    }
    const char *reason = read_reason(finder, comment, at + length + list);
    for (ptrdiff_t i = first; i < arrlen(finder->found); ++i)
        finder->found[i].reason = reason;
    set_lines(finder, first, comment, word->place);
    if (word->place == AT_END)
        close_ranges(finder, first);
    return length + list;
}

static void read_comment(struct finder *finder, const struct source_comment *comment)
{
    // barlint's own marker must begin the comment, so that prose may speak of it.
    size_t blank = 0;
    while (blank < comment->length && strchr(" \t\r\n*/!<", comment->text[blank]))
        ++blank;
    for (size_t at = blank; at < comment->length;) {
        size_t read = 0;
        bool word_start = at == 0 || !is_name_letter(comment->text[at - 1]);
        for (size_t i = 0; word_start && !read && i < sizeof words / sizeof words[0]; ++i) {
            size_t length = strlen(words[i].text);
            if (comment->length - at < length ||
                memcmp(comment->text + at, words[i].text, length) != 0 ||
                (at + length < comment->length && is_name_letter(comment->text[at + length])) ||
                (!words[i].is_nolint && at != blank))
                continue;
            read = read_marker(finder, comment, at, &words[i]);
        }
        at += read ? read : 1;
    }
}

struct suppression *suppressions_find(const struct source *source, struct arena *arena)
{
    struct finder finder = {.source = source, .arena = arena};
    if (!source->text)
        return NULL;
    find_code(&finder);
    for (ptrdiff_t i = 0; i < arrlen(source->comment) && arrlen(finder.found) < MOST_SUPPRESSIONS;
         ++i)
        read_comment(&finder, &source->comment[i]);
    arrfree(finder.code);
    return finder.found;
}

const struct suppression *suppressions_match(struct suppression *suppressions, const char *rule,
                                             uint32_t line, uint32_t end_line)
{
    const struct suppression *found = NULL;
    if (end_line < line)
        end_line = line;
    if (end_line - line > STATEMENT_LINES)
        end_line = line + STATEMENT_LINES;
    for (ptrdiff_t i = 0; i < arrlen(suppressions); ++i) {
        struct suppression *one = &suppressions[i];
        if (one->from <= end_line && one->to >= line && one->from <= one->to &&
            (strcmp(one->rule, rule) == 0 || strcmp(one->rule, "*") == 0)) {
            one->used = true;
            found = found ? found : one;
        }
    }
    return found;
}
