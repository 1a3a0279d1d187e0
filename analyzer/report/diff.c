// The fewest lines that turn one text into another, by Myers' greedy algorithm ("An O(ND)
// Difference Algorithm and Its Variations", 1986).
#include "report/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum {
    CONTEXT = 3,       // lines around a change
    MOST_EDITS = 4000, // of lines; texts that differ more are one change
};

struct text {
    const char *at;
    size_t *line; // stb_ds array: where each begins, and the end
};

// Lines [first, last) of the old text that become [new_first, new_last) of the new one.
struct change {
    size_t first, last, new_first, new_last;
};

static struct text text_of(const char *at, size_t length)
{
    struct text text = {.at = at};
    for (size_t start = 0; start < length;) {
        const char *end = memchr(at + start, '\n', length - start);
        arrput(text.line, start);
        start = end ? (size_t)(end - at) + 1 : length;
    }
    arrput(text.line, length);
    return text;
}

static size_t lines_of(const struct text *text)
{
    return arrlenu(text->line) - 1;
}

static size_t length_of(const struct text *text, size_t line)
{
    return text->line[line + 1] - text->line[line];
}

static bool same(const struct text *old, size_t i, const struct text *new, size_t k)
{
    size_t length = length_of(old, i);
    return length == length_of(new, k) &&
           memcmp(old->at + old->line[i], new->at + new->line[k], length) == 0;
}

// How far the way with `edits` edits that ends on a diagonal has come in the old text, before it
// goes on along equal lines; `last` is the row of the ways with one edit less.
static long step(const long *last, long edits, long diagonal, long *from)
{
    const long *at = last + (edits - 1) + diagonal;
    bool inserts = diagonal == -edits || (diagonal != edits && at[-1] < at[1]);
    *from = inserts ? diagonal + 1 : diagonal - 1;
    return inserts ? at[1] : at[-1] + 1;
}

// Rows of the furthest ways for 0, 1, 2 ... edits, by diagonal; the last one reaches the end of
// both ranges. NULL where that takes too many.
static long **rows_of(const struct text *old, const struct text *new, const struct change *range)
{
    long n = (long)(range->last - range->first), m = (long)(range->new_last - range->new_first);
    long **row = NULL; // stb_ds array
    for (long edits = 0; edits <= n + m && edits < MOST_EDITS; ++edits) {
        long *fresh = calloc((size_t)(2 * edits + 1), sizeof *fresh);
        if (!fresh)
            break;
        arrput(row, fresh);
        for (long k = -edits, from; k <= edits; k += 2) {
            long x = edits == 0 ? 0 : step(row[edits - 1], edits, k, &from), y = x - k;
            while (x < n && y < m && y >= 0 &&
                   same(old, range->first + (size_t)x, new, range->new_first + (size_t)y))
                ++x, ++y;
            fresh[k + edits] = x;
            if (x >= n && y >= m)
                return row;
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(row); ++i)
        free(row[i]);
    arrfree(row);
    return NULL;
}

// Joins the line that is taken out or put in, in front of those found so far, to the first of them
// where they touch.
static void add_edit(struct change **list, struct change edit)
{
    struct change *next = arrlen(*list) ? &arrlast(*list) : NULL;
    if (next && next->first == edit.last && next->new_first == edit.new_last) {
        next->first = edit.first;
        next->new_first = edit.new_first;
    } else {
        arrput(*list, edit);
    }
}

// All changes, from the last to the first: an stb_ds array.
static struct change *changes_of(const struct text *old, const struct text *new)
{
    struct change all = {0, lines_of(old), 0, lines_of(new)}, *list = NULL;
    while (all.first < all.last && all.new_first < all.new_last &&
           same(old, all.first, new, all.new_first))
        ++all.first, ++all.new_first;
    while (all.first < all.last && all.new_first < all.new_last &&
           same(old, all.last - 1, new, all.new_last - 1))
        --all.last, --all.new_last;
    if (all.first == all.last && all.new_first == all.new_last)
        return NULL;
    long **row = rows_of(old, new, &all);
    if (!row) {
        arrput(list, all);
        return list;
    }
    long x = (long)(all.last - all.first), y = (long)(all.new_last - all.new_first);
    for (long edits = arrlen(row) - 1; edits > 0; --edits) {
        long from, end = step(row[edits - 1], edits, x - y, &from), end_y = end - (x - y);
        x = row[edits - 1][from + edits - 1];
        y = x - from;
        struct change edit = {all.first + (size_t)x, all.first + (size_t)end,
                              all.new_first + (size_t)y, all.new_first + (size_t)end_y};
        add_edit(&list, edit);
    }
    for (ptrdiff_t i = 0; i < arrlen(row); ++i)
        free(row[i]);
    arrfree(row);
    return list;
}

// --- Printing ------------------------------------------------------------------------------------

static void print_lines(FILE *out, char mark, const struct text *text, size_t first, size_t last)
{
    for (size_t i = first; i < last; ++i) {
        size_t size = length_of(text, i);
        fputc(mark, out);
        fwrite(text->at + text->line[i], 1, size, out);
        if (text->at[text->line[i + 1] - 1] != '\n')
            fputs("\n\\ No newline at end of file\n", out);
    }
}

// A range of lines as the head of a hunk writes it.
static void print_range(FILE *out, char mark, size_t first, size_t count)
{
    fprintf(out, "%c%zu", mark, count ? first + 1 : first);
    if (count != 1)
        fprintf(out, ",%zu", count);
}

// Prints the changes [from, to) of the list, which share their context; the list runs backwards.
static void print_hunk(FILE *out, const struct text *old, const struct text *new,
                       const struct change *list, ptrdiff_t from, ptrdiff_t to)
{
    const struct change *head = &list[to - 1], *tail = &list[from];
    size_t before = head->first < CONTEXT ? head->first : CONTEXT;
    size_t after = lines_of(old) - tail->last < CONTEXT ? lines_of(old) - tail->last : CONTEXT;
    size_t at = head->first - before;
    fputs("@@ ", out);
    print_range(out, '-', at, tail->last + after - at);
    fputc(' ', out);
    print_range(out, '+', head->new_first - before,
                tail->new_last + after - (head->new_first - before));
    fputs(" @@\n", out);
    for (ptrdiff_t i = to; i-- > from;) {
        print_lines(out, ' ', old, at, list[i].first);
        print_lines(out, '-', old, list[i].first, list[i].last);
        print_lines(out, '+', new, list[i].new_first, list[i].new_last);
        at = list[i].last;
    }
    print_lines(out, ' ', old, at, tail->last + after);
}

void diff_print(FILE *out, const char *path, const char *before, size_t before_length,
                const char *after, size_t after_length)
{
    struct text old = text_of(before, before_length), new = text_of(after, after_length);
    struct change *list = changes_of(&old, &new);
    if (list)
        fprintf(out, "--- %s\n+++ %s\n", path, path);
    for (ptrdiff_t to = arrlen(list), from; to > 0; to = from) {
        from = to - 1;
        while (from > 0 && list[from - 1].first <= list[from].last + 2 * (size_t)CONTEXT)
            --from;
        print_hunk(out, &old, &new, list, from, to);
    }
    arrfree(list);
    arrfree(old.line);
    arrfree(new.line);
}
