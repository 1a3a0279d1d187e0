#include "report/source.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

enum { LARGEST_FILE = 64 * 1024 * 1024 };

void sources_init(struct sources *sources)
{
    *sources = (struct sources){0};
    arena_init(&sources->arena);
}

void sources_release(struct sources *sources)
{
    for (ptrdiff_t i = 0; i < arrlen(sources->source); ++i)
        source_clear(sources->source[i]);
    arrfree(sources->source);
    shfree(sources->map);
    arena_release(&sources->arena);
}

static void source_read(struct arena *arena, struct source *source)
{
    // Opening a pipe must not wait for somebody who writes to it.
    int file = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST_FILE) {
        size_t size = (size_t)status.st_size;
        char *text = arena_alloc(arena, size + 1);
        ssize_t got = 1;
        while (source->length < size && got > 0) {
            got = read(file, text + source->length, size - source->length);
            source->length += got > 0 ? (size_t)got : 0;
        }
        source->text = text;
        source->changed = status.st_mtim;
    }
    close(file);
}

static struct source *source_new(struct sources *sources, const char *path)
{
    struct source *source = arena_new(&sources->arena, struct source);
    source->path = arena_strdup(&sources->arena, path);
    arrput(sources->source, source);
    shput(sources->map, (char *)source->path, source);
    return source;
}

const struct source *sources_get(struct sources *sources, const char *path)
{
    ptrdiff_t index = shgeti(sources->map, path);
    if (index >= 0)
        return sources->map[index].value;
    struct source *source = source_new(sources, path);
    source_read(&sources->arena, source);
    if (source->text)
        source_scan(source);
    return source;
}

void sources_put(struct sources *sources, const char *path, const char *text, size_t length)
{
    struct source *source = source_new(sources, path);
    char *copy = arena_alloc(&sources->arena, length + 1);
    memcpy(copy, text, length);
    source->text = copy;
    source->length = length;
    source_scan(source);
}

const char *source_line(const struct source *source, uint32_t line, size_t *length)
{
    *length = 0;
    if (!source->text || line == 0 || line > arrlenu(source->line))
        return "";
    size_t start = source->line[line - 1];
    size_t end = line < arrlenu(source->line) ? source->line[line] : source->length;
    while (end > start && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        --end;
    *length = end - start;
    return source->text + start;
}

size_t source_offset(const struct source *source, uint32_t line, uint32_t column)
{
    size_t length;
    const char *text = source_line(source, line, &length);
    if (!source->text || line == 0 || line > arrlenu(source->line))
        return source->length;
    size_t along = column > 0 ? column - 1 : 0;
    return (size_t)(text - source->text) + (along < length ? along : length);
}

// A cursor over the text. Only what decides where comments and literals begin and end matters, so
// a backslash before a line's end needs care in line comments alone.
struct scan {
    struct source *source;
    size_t at;
    uint32_t line;
    bool blank; // only blanks so far on this line
};

static char peek(const struct scan *scan, size_t ahead)
{
    size_t at = scan->at + ahead;
    return at < scan->source->length ? scan->source->text[at] : '\0';
}

static bool at_end(const struct scan *scan)
{
    return scan->at >= scan->source->length;
}

static void step(struct scan *scan)
{
    char c = scan->source->text[scan->at++];
    if (c == '\n') {
        arrput(scan->source->line, scan->at);
        ++scan->line;
        scan->blank = true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
        scan->blank = false;
    }
}

static void scan_comment(struct scan *scan)
{
    bool is_block = peek(scan, 1) == '*';
    struct source_comment comment = {.line = scan->line, .alone = scan->blank};
    step(scan);
    step(scan);
    size_t start = scan->at;
    size_t end = start;
    for (;;) {
        end = scan->at;
        if (at_end(scan))
            break;
        if (is_block ? peek(scan, 0) == '*' && peek(scan, 1) == '/' : peek(scan, 0) == '\n')
            break;
        if (!is_block && peek(scan, 0) == '\\' && peek(scan, 1) == '\n')
            step(scan);
        step(scan);
    }
    comment.text = scan->source->text + start;
    comment.length = end - start;
    comment.end_line = scan->line;
    if (is_block && !at_end(scan)) {
        bool blank = comment.alone && scan->line == comment.line && scan->blank;
        step(scan);
        step(scan);
        scan->blank = blank;
    }
    arrput(scan->source->comment, comment);
}

// A string or character literal; it ends with the line when its quote is missing.
static void scan_literal(struct scan *scan)
{
    char quote = peek(scan, 0);
    step(scan);
    while (!at_end(scan) && peek(scan, 0) != '\n') {
        char c = peek(scan, 0);
        step(scan);
        if (c == quote)
            return;
        if (c == '\\' && !at_end(scan))
            step(scan);
    }
}

static void scan_raw_literal(struct scan *scan)
{
    enum { LONGEST_MARK = 16 }; // of the standard
    char mark[LONGEST_MARK + 2] = ")";
    size_t length = 1;
    step(scan); // the quote
    while (!at_end(scan) && peek(scan, 0) != '(' && peek(scan, 0) != '\n') {
        if (length > LONGEST_MARK)
            return;
        mark[length++] = peek(scan, 0);
        step(scan);
    }
    while (!at_end(scan)) {
        if (scan->source->length - scan->at > length && peek(scan, length) == '"' &&
            memcmp(scan->source->text + scan->at, mark, length) == 0) {
            for (size_t i = 0; i <= length; ++i)
                step(scan);
            return;
        }
        step(scan);
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

// A name, keyword or number. Numbers may hold quotes between digits; a name ending in R before a
// quote begins a raw string.
static void scan_word(struct scan *scan)
{
    bool is_number = peek(scan, 0) >= '0' && peek(scan, 0) <= '9';
    char last = '\0';
    while (is_word(peek(scan, 0)) ||
           (is_number && peek(scan, 0) == '\'' && is_word(peek(scan, 1)))) {
        last = peek(scan, 0);
        step(scan);
    }
    if (last == 'R' && !is_number && peek(scan, 0) == '"')
        scan_raw_literal(scan);
}

void source_scan(struct source *source)
{
    struct scan scan = {.source = source, .line = 1, .blank = true};
    arrput(source->line, (size_t)0);
    while (!at_end(&scan)) {
        char c = peek(&scan, 0);
        if (c == '/' && (peek(&scan, 1) == '/' || peek(&scan, 1) == '*'))
            scan_comment(&scan);
        else if (c == '"' || c == '\'')
            scan_literal(&scan);
        else if (is_word(c))
            scan_word(&scan);
        else
            step(&scan);
    }
}

void source_clear(struct source *source)
{
    arrfree(source->line);
    arrfree(source->comment);
}
