#include "ir/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/text.h"

void scan_init(struct scan *scan, const char *text, size_t length, struct arena *arena,
               struct error *error)
{
    *scan =
        (struct scan){.at = text, .end = text + length, .line = 1, .arena = arena, .error = error};
    if (scan_at_end_of_line(scan))
        scan_next_line(scan);
}

static void skip_blanks(struct scan *scan)
{
    while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t' || *scan->at == '\r'))
        ++scan->at;
}

bool scan_fail_at(struct scan *scan, uint32_t line, const char *format, ...)
{
    if (scan->failed)
        return false;
    scan->failed = true;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(scan->error, ERROR_USAGE, "line %u: %s", line, text);
}

bool scan_fail(struct scan *scan, const char *expected)
{
    if (scan->failed)
        return false;
    if (scan_at_end_of_line(scan))
        return scan_fail_at(scan, scan->line, "expected %s, found the end of the line", expected);
    char found[32];
    size_t length = 0;
    for (const char *at = scan->at; at < scan->end && length + 1 < sizeof found; ++at) {
        unsigned char c = (unsigned char)*at;
        if (c <= ' ' || (length > 0 && ir_is_label_char(found[0]) && !ir_is_label_char(*at)))
            break;
        found[length++] = c < 0x7f ? *at : '?';
        if (!ir_is_label_char(found[0]))
            break;
    }
    found[length] = '\0';
    return scan_fail_at(scan, scan->line, "expected %s, found '%s'", expected, found);
}

bool scan_at_end(struct scan *scan)
{
    return scan->failed || scan->at >= scan->end;
}

bool scan_at_end_of_line(struct scan *scan)
{
    skip_blanks(scan);
    return scan->at >= scan->end || *scan->at == '\n' || *scan->at == '#';
}

bool scan_next_line(struct scan *scan)
{
    while (!scan_at_end(scan)) {
        const char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline ? newline + 1 : scan->end;
        scan->line += newline != NULL;
        if (!scan_at_end_of_line(scan))
            return true;
    }
    return false;
}

bool scan_end_line(struct scan *scan)
{
    if (scan->failed)
        return false;
    if (!scan_at_end_of_line(scan))
        return scan_fail(scan, "the end of the line");
    scan_next_line(scan);
    return true;
}

char scan_peek(struct scan *scan)
{
    return scan->failed || scan_at_end_of_line(scan) ? '\0' : *scan->at;
}

bool scan_accept(struct scan *scan, char c)
{
    if (scan_peek(scan) != c)
        return false;
    ++scan->at;
    return true;
}

bool scan_expect(struct scan *scan, char c)
{
    if (scan_accept(scan, c))
        return true;
    char expected[] = {'\'', c, '\'', '\0'};
    return scan_fail(scan, expected);
}

// The length of the run of label characters here.
static size_t run_length(struct scan *scan)
{
    if (scan_peek(scan) == '\0')
        return 0;
    const char *at = scan->at;
    while (at < scan->end && ir_is_label_char(*at))
        ++at;
    return (size_t)(at - scan->at);
}

bool scan_accept_word(struct scan *scan, const char *word)
{
    size_t length = run_length(scan);
    if (length == 0 || length != strlen(word) || memcmp(scan->at, word, length) != 0)
        return false;
    scan->at += length;
    return true;
}

bool scan_label(struct scan *scan, const char *what, const char **out_label)
{
    size_t length = run_length(scan);
    if (length == 0)
        return scan_fail(scan, what);
    *out_label = arena_strndup(scan->arena, scan->at, length);
    scan->at += length;
    return true;
}

bool scan_signed_label(struct scan *scan, char sign, const char *what, const char **out_label)
{
    if (scan_peek(scan) != sign)
        return scan_fail(scan, what);
    ++scan->at;
    if (scan->at >= scan->end || !ir_is_label_char(*scan->at))
        return scan_fail(scan, what);
    return scan_label(scan, what, out_label);
}

// --- Numbers ---------------------------------------------------------------------------------

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

// Reads digits without a sign. Leaves the place alone when there is none or the number is too big.
static bool read_digits(struct scan *scan, uint64_t *out_number, bool *out_hex)
{
    const char *at = scan->at;
    int base = 10;
    if (scan->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    }
    const char *first = at;
    uint64_t number = 0;
    for (; at < scan->end && digit_of(*at) < base; ++at)
        if (__builtin_mul_overflow(number, (uint64_t)base, &number) ||
            __builtin_add_overflow(number, (uint64_t)digit_of(*at), &number))
            return false;
    if (at == first)
        return false;
    scan->at = at;
    *out_number = number;
    *out_hex = base == 16;
    return true;
}

bool scan_i64(struct scan *scan, int64_t *out_number)
{
    if (scan_peek(scan) == '\0')
        return scan_fail(scan, "a number");
    const char *start = scan->at;
    bool negative = *scan->at == '-', hex;
    scan->at += negative;
    uint64_t number;
    // A hexadecimal number without a sign may use all bits.
    uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    bool good = read_digits(scan, &number, &hex) && (number <= most || (hex && !negative));
    if (!good) {
        scan->at = start;
        return scan_fail(scan, "a number of 64 bits");
    }
    *out_number = (int64_t)(negative ? 0 - number : number);
    return true;
}

bool scan_u64(struct scan *scan, uint64_t *out_number)
{
    bool hex;
    if (scan_peek(scan) == '\0' || !read_digits(scan, out_number, &hex))
        return scan_fail(scan, "an unsigned number of 64 bits");
    return true;
}

bool scan_u32(struct scan *scan, uint32_t *out_number)
{
    uint64_t number;
    bool hex;
    const char *start = scan_peek(scan) == '\0' ? NULL : scan->at;
    if (!start || !read_digits(scan, &number, &hex) || number > UINT32_MAX) {
        if (start)
            scan->at = start;
        return scan_fail(scan, "an unsigned number of 32 bits");
    }
    *out_number = (uint32_t)number;
    return true;
}

// --- Strings and places ----------------------------------------------------------------------

// Reads what follows a backslash. Returns 0 when it is no escape.
static char read_escape(struct scan *scan)
{
    char c = scan->at < scan->end ? *scan->at : '\0';
    switch (c) {
    case '"':
    case '\\':
        ++scan->at;
        return c;
    case 'n':
        ++scan->at;
        return '\n';
    case 't':
        ++scan->at;
        return '\t';
    case 'x': {
        if (scan->end - scan->at < 3 || digit_of(scan->at[1]) > 15 || digit_of(scan->at[2]) > 15)
            return '\0';
        char value = (char)(digit_of(scan->at[1]) * 16 + digit_of(scan->at[2]));
        scan->at += 3;
        return value;
    }
    default:
        return '\0';
    }
}

bool scan_string(struct scan *scan, const char **out_text)
{
    if (scan_peek(scan) != '"')
        return scan_fail(scan, "a quoted string");
    ++scan->at;
    const char *close = scan->at;
    while (close < scan->end && *close != '"' && *close != '\n')
        close += *close == '\\' && scan->end - close > 1 ? 2 : 1;
    if (close >= scan->end || *close != '"')
        return scan_fail_at(scan, scan->line, "expected a closing '\"' on the line");
    char *text = arena_alloc(scan->arena, (size_t)(close - scan->at) + 1);
    size_t length = 0;
    while (scan->at < close) {
        char c = *scan->at++;
        if (c == '\\') {
            c = read_escape(scan);
            if (c == '\0')
                return scan_fail_at(scan, scan->line,
                                    "expected one of \\\\ \\\" \\n \\t \\xHH in the string");
        } else if ((unsigned char)c < 0x20 || c == 0x7f) {
            return scan_fail_at(scan, scan->line, "expected no control character in the string");
        }
        text[length++] = c;
    }
    ++scan->at;
    *out_text = text;
    return true;
}

bool scan_optional_string(struct scan *scan, const char *otherwise, const char **out_text)
{
    *out_text = otherwise;
    return scan_peek(scan) != '"' || scan_string(scan, out_text);
}

bool scan_location(struct scan *scan, struct ir_loc *out_loc)
{
    *out_loc = (struct ir_loc){0};
    if (!scan_accept_word(scan, "at"))
        return !scan->failed;
    if (!scan_u32(scan, &out_loc->file) || !scan_expect(scan, ':') ||
        !scan_u32(scan, &out_loc->line) || !scan_expect(scan, ':') ||
        !scan_u32(scan, &out_loc->column))
        return false;
    if (!scan_accept(scan, '-'))
        return true;
    uint32_t first;
    if (!scan_u32(scan, &first))
        return false;
    if (!scan_accept(scan, ':')) {
        out_loc->end_line = out_loc->line;
        out_loc->end_column = first;
        return true;
    }
    out_loc->end_line = first;
    return scan_u32(scan, &out_loc->end_column);
}
