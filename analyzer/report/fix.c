// Edits of source text, made where a rule says which statement, range or number it means.
#include "report/fix.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/path.h"
#include "base/vec.h"

void fix_clear(struct rule_fix *fix)
{
    arrfree(fix->edit);
}

void fix_withdraw(struct rule_fix *fix)
{
    fix->withdrawn = true;
}

void fix_follows_shape(struct rule_fix *fix)
{
    fix->follows_shape = true;
}

static struct arena *text_of(struct rule_fix *fix)
{
    return &fix->collector->out->arena;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

// The file of a place that may be edited. NULL, and the fix is withdrawn, where it may not.
static const struct source *editable(struct rule_fix *fix, const struct ir_loc *loc)
{
    struct collector *collector = fix->collector;
    const struct source *source = NULL;
    if (!fix->withdrawn && loc->file > 0 && loc->file < arrlenu(collector->unit->file) &&
        loc->line > 0 && !loc->in_macro) {
        const struct ir_file *file = &collector->unit->file[loc->file];
        if (!file->is_system && file->path && file->path[0])
            source = sources_get(&collector->sources,
                                 path_absolute(&collector->arena, collector->folder, file->path));
    }
    // What a shape says holds for the kernel at hand, not for who else calls or includes the place.
    bool is_local = source && ir_loc_holds(&collector->unit->function[fix->kernel].loc, loc) &&
                    strcmp(source->path, collector->main_file) == 0;
    if (!source || !source->text || is_later(&source->changed, &collector->began) ||
        (fix->follows_shape && !is_local)) {
        fix_withdraw(fix);
        return NULL;
    }
    return source;
}

static void put(struct rule_fix *fix, const struct source *source, size_t start, size_t end,
                const char *text)
{
    struct finding_edit edit = {
        .file = arena_strdup(text_of(fix), source->path),
        .start = start,
        .end = end,
        .text = arena_strdup(text_of(fix), text),
        .content = XXH3_64bits(source->text, source->length),
    };
    arrput(fix->edit, edit);
}

static size_t begin_of(const struct source *source, const struct ir_loc *loc)
{
    return source_offset(source, loc->line, loc->column);
}

static size_t end_of(const struct source *source, const struct ir_loc *loc)
{
    return source_offset(source, loc->end_line, loc->end_column);
}

const char *fix_text(struct rule_fix *fix, struct ir_loc loc)
{
    const struct source *source = editable(fix, &loc);
    if (!source)
        return NULL;
    size_t start = begin_of(source, &loc), end = end_of(source, &loc);
    return arena_printf(text_of(fix), "%.*s", end > start ? (int)(end - start) : 0,
                        source->text + start);
}

void fix_replace(struct rule_fix *fix, struct ir_loc loc, const char *text)
{
    const struct source *source = editable(fix, &loc);
    if (source)
        put(fix, source, begin_of(source, &loc), end_of(source, &loc), text);
}

// --- Numbers -----------------------------------------------------------------------------------

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\'' || (unsigned char)c >= 0x80;
}

// An integer literal of a source: where its digits end, and whether they are hexadecimal.
struct literal {
    size_t start, digits_end, end;
    bool hexadecimal;
    uint64_t value;
};

// Reads the literal at `at`, which begins with a digit. False for other numbers.
static bool read_literal(const struct source *source, size_t at, struct literal *out)
{
    char *end;
    *out = (struct literal){.start = at, .end = at};
    while (out->end < source->length &&
           (is_word(source->text[out->end]) || source->text[out->end] == '.'))
        ++out->end;
    errno = 0;
    out->value = strtoull(source->text + at, &end, 0);
    out->digits_end = (size_t)(end - source->text);
    out->hexadecimal = source->text[at] == '0' && (source->text[at + 1] | 0x20) == 'x';
    if (errno || out->digits_end > out->end)
        return false;
    return strspn(end, "uUlL") >= out->end - out->digits_end;
}

void fix_number(struct rule_fix *fix, struct ir_loc loc, uint64_t old, uint64_t number)
{
    const struct source *source = editable(fix, &loc);
    if (!source)
        return;
    struct literal found = {0}, literal;
    unsigned count = 0;
    size_t end = end_of(source, &loc);
    for (size_t at = begin_of(source, &loc); at < end;) {
        char c = source->text[at];
        if (c < '0' || c > '9') {
            do
                ++at;
            while (at < end && is_word(c) && is_word(source->text[at]));
            continue;
        }
        bool good = read_literal(source, at, &literal);
        if (good && literal.value == old && literal.end <= end) {
            found = literal;
            ++count;
        }
        at = literal.end;
    }
    if (count != 1) {
        fix_withdraw(fix);
        return;
    }
    int width = (int)(found.digits_end - found.start) - 2;
    const char *text =
        found.hexadecimal
            ? arena_printf(text_of(fix), "0x%0*llx", width, (unsigned long long)number)
            : arena_printf(text_of(fix), "%llu", (unsigned long long)number);
    put(fix, source, found.start, found.digits_end, text);
}

// --- Statements --------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t line_begin(const struct source *source, size_t at)
{
    while (at > 0 && source->text[at - 1] != '\n')
        --at;
    return at;
}

// The end of the line, before what ends it.
static size_t line_end(const struct source *source, size_t at)
{
    while (at < source->length && source->text[at] != '\n')
        ++at;
    return at > 0 && source->text[at - 1] == '\r' ? at - 1 : at;
}

static const char *line_break(const struct source *source, size_t at)
{
    return source->text[line_end(source, at)] == '\r' ? "\r\n" : "\n";
}

static const char *indent_of(struct rule_fix *fix, const struct source *source, size_t at)
{
    size_t start = line_begin(source, at), end = start;
    while (is_blank(source->text[end]))
        ++end;
    return arena_printf(text_of(fix), "%.*s", (int)(end - start), source->text + start);
}

static bool is_first_on_line(const struct source *source, size_t at)
{
    while (at > 0 && is_blank(source->text[at - 1]))
        --at;
    return at == 0 || source->text[at - 1] == '\n';
}

// Where the line ends when nothing but comments follows on it, otherwise `at`.
static size_t skip_comments(const struct source *source, size_t at)
{
    size_t stop = line_end(source, at), next = at;
    for (ptrdiff_t i = 0; i <= arrlen(source->comment); ++i) {
        while (next < stop && is_blank(source->text[next]))
            ++next;
        if (next >= stop)
            return stop;
        for (ptrdiff_t k = 0; k < arrlen(source->comment); ++k) {
            const struct source_comment *comment = &source->comment[k];
            size_t start = (size_t)(comment->text - source->text) - 2;
            if (start != next)
                continue;
            if (comment->end_line != comment->line)
                return at;
            bool is_block = source->text[start + 1] == '*';
            next = start + 2 + comment->length + (is_block ? 2 : 0);
        }
        if (next < stop && !is_blank(source->text[next]))
            return at;
    }
    return at;
}

// A statement as a range of text, with its semicolon.
struct range {
    const struct source *source; // NULL: not to be edited
    size_t start, end;
};

static struct range statement_range(struct rule_fix *fix, const struct ir_function *function,
                                    uint32_t index)
{
    struct range range = {0};
    if (index >= arrlenu(function->statement)) {
        fix_withdraw(fix);
        return range;
    }
    const struct ir_statement *statement = &function->statement[index];
    const struct source *source = editable(fix, &statement->loc);
    if (!source)
        return range;
    range.start = begin_of(source, &statement->loc);
    range.end = end_of(source, &statement->loc);
    size_t next = range.end;
    while (next < source->length && (is_blank(source->text[next]) || source->text[next] == '\r' ||
                                     source->text[next] == '\n'))
        ++next;
    char last = range.end > range.start ? source->text[range.end - 1] : '\0';
    bool is_whole = last == ';' || (last == '}' && statement->kind < IR_STATEMENT_RETURN);
    if (next < source->length && source->text[next] == ';' && last != ';')
        range.end = next + 1;
    else if (!is_whole) {
        fix_withdraw(fix);
        return range;
    }
    range.source = source;
    return range;
}

static enum ir_statement_kind parent_kind(const struct ir_function *function, uint32_t index)
{
    uint32_t parent = function->statement[index].parent;
    return parent == IR_NONE ? IR_STATEMENT_OTHER : function->statement[parent].kind;
}

void fix_insert_behind(struct rule_fix *fix, const struct ir_function *function, uint32_t statement,
                       const char *text)
{
    struct range range = statement_range(fix, function, statement);
    if (!range.source)
        return;
    if (parent_kind(function, statement) != IR_STATEMENT_BLOCK) {
        fix_withdraw(fix);
        return;
    }
    const struct source *source = range.source;
    size_t at = skip_comments(source, range.end);
    if (at == line_end(source, at) && is_first_on_line(source, range.start))
        put(fix, source, at, at,
            arena_printf(text_of(fix), "%s%s%s", line_break(source, at),
                         indent_of(fix, source, range.start), text));
    else
        put(fix, source, range.end, range.end, arena_printf(text_of(fix), " %s", text));
}

// The statement stands alone under a condition: it gets braces, and text before it.
static void insert_with_braces(struct rule_fix *fix, const struct range *range, size_t outer,
                               const char *text)
{
    const struct source *source = range->source;
    size_t header = range->start;
    bool moves = is_first_on_line(source, range->start);
    while (header > 0 && strchr(" \t\r\n", source->text[header - 1]))
        --header;
    const char *open = header > 0 && strchr(")e", source->text[header - 1]) ? " {" : NULL;
    if (!open) { // a comment, or something else that is no condition
        fix_withdraw(fix);
    } else if (!moves) {
        put(fix, source, range->start, range->start, arena_printf(text_of(fix), "{ %s ", text));
        put(fix, source, range->end, range->end, " }");
    } else {
        size_t end = skip_comments(source, range->end);
        const char *next = line_break(source, range->start);
        put(fix, source, header, header, open);
        put(fix, source, range->start, range->start,
            arena_printf(text_of(fix), "%s%s%s", text, next, indent_of(fix, source, range->start)));
        put(fix, source, end, end,
            arena_printf(text_of(fix), "%s%s}", next, indent_of(fix, source, outer)));
    }
}

void fix_insert_before(struct rule_fix *fix, const struct ir_function *function, uint32_t statement,
                       const char *text)
{
    struct range range = statement_range(fix, function, statement);
    if (!range.source)
        return;
    const struct source *source = range.source;
    enum ir_statement_kind kind = parent_kind(function, statement);
    if (kind == IR_STATEMENT_BLOCK) {
        const char *between =
            is_first_on_line(source, range.start)
                ? arena_printf(text_of(fix), "%s%s", line_break(source, range.start),
                               indent_of(fix, source, range.start))
                : " ";
        put(fix, source, range.start, range.start,
            arena_printf(text_of(fix), "%s%s", text, between));
        return;
    }
    const struct ir_statement *parent =
        kind == IR_STATEMENT_IF || kind == IR_STATEMENT_LOOP
            ? &function->statement[function->statement[statement].parent]
            : NULL;
    const struct source *same = parent ? editable(fix, &parent->loc) : NULL;
    if (same != source)
        fix_withdraw(fix);
    else
        insert_with_braces(fix, &range, begin_of(source, &parent->loc), text);
}

void fix_replace_statement(struct rule_fix *fix, const struct ir_function *function,
                           uint32_t statement, const char *text)
{
    struct range range = statement_range(fix, function, statement);
    if (range.source)
        put(fix, range.source, range.start, range.end, text);
}

void fix_remove(struct rule_fix *fix, const struct ir_function *function, uint32_t statement)
{
    struct range range = statement_range(fix, function, statement);
    if (!range.source)
        return;
    if (parent_kind(function, statement) != IR_STATEMENT_BLOCK) {
        fix_withdraw(fix);
        return;
    }
    const struct source *source = range.source;
    size_t behind = skip_comments(source, range.end);
    if (is_first_on_line(source, range.start) && behind == line_end(source, behind)) {
        range.start = line_begin(source, range.start);
        range.end = behind + strlen(line_break(source, behind));
        if (range.end > source->length)
            range.end = source->length;
    } else {
        while (range.start > 0 && is_blank(source->text[range.start - 1]))
            --range.start;
    }
    put(fix, source, range.start, range.end, "");
}

// --- The whole ---------------------------------------------------------------------------------

static int compare_edit(const void *left, const void *right)
{
    const struct finding_edit *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order == 0)
        order = (a->start > b->start) - (a->start < b->start);
    return order ? order : (a->end > b->end) - (a->end < b->end);
}

bool fix_finish(struct rule_fix *fix)
{
    size_t count = arrlenu(fix->edit);
    if (fix->withdrawn || count == 0)
        return false;
    qsort(fix->edit, count, sizeof *fix->edit, compare_edit);
    for (size_t i = 1; i < count; ++i) {
        const struct finding_edit *before = &fix->edit[i - 1], *edit = &fix->edit[i];
        if (strcmp(before->file, edit->file) == 0 &&
            (edit->start < before->end || edit->start == before->start))
            return false;
    }
    fix->made = (struct finding_fix){
        .description = fix->description,
        .safe = fix->safe,
        .edit = arena_alloc(text_of(fix), count * sizeof *fix->edit),
        .edit_count = count,
    };
    memcpy(fix->made.edit, fix->edit, count * sizeof *fix->edit);
    return true;
}
