#include "lsp/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"

void lsp_document_init(struct lsp_document *document, const char *uri, const char *path,
                       const char *text)
{
    *document = (struct lsp_document){.uri = strdup(uri), .path = strdup(path)};
    lsp_document_set(document, text, strlen(text));
}

void lsp_document_release(struct lsp_document *document)
{
    free(document->uri);
    free(document->path);
    arrfree(document->text);
}

size_t lsp_document_length(const struct lsp_document *document)
{
    return arrlenu(document->text) - 1;
}

void lsp_document_set(struct lsp_document *document, const char *text, size_t length)
{
    arrsetlen(document->text, length + 1);
    memcpy(document->text, text, length);
    document->text[length] = '\0';
}

void lsp_document_edit(struct lsp_document *document, struct lsp_range range,
                       enum lsp_encoding encoding, const char *text, size_t length)
{
    size_t whole = lsp_document_length(document);
    size_t start = lsp_offset(document->text, whole, range.start, encoding);
    size_t end = lsp_offset(document->text, whole, range.end, encoding);
    if (end < start)
        end = start;
    size_t tail = whole + 1 - end; // with the NUL byte
    if (length > end - start)
        arrsetlen(document->text, whole + 1 + length - (end - start));
    memmove(document->text + start + length, document->text + end, tail);
    memcpy(document->text + start, text, length);
    arrsetlen(document->text, start + length + tail);
}

// --- Positions -----------------------------------------------------------------------------------

// Bytes of the character that begins with this byte, and how many units it counts.
static size_t character_bytes(unsigned char first, enum lsp_encoding encoding, uint32_t *out_units)
{
    size_t bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *out_units = encoding == LSP_UTF8 ? (uint32_t)bytes : bytes == 4 ? 2 : 1;
    return bytes;
}

uint32_t lsp_width(const char *text, size_t length, enum lsp_encoding encoding)
{
    uint32_t width = 0, units;
    for (size_t at = 0; at < length; width += units)
        at += character_bytes((unsigned char)text[at], encoding, &units);
    return width;
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

size_t lsp_offset(const char *text, size_t length, struct lsp_position position,
                  enum lsp_encoding encoding)
{
    size_t at = 0;
    for (uint32_t line = 0; line < position.line; ++line) {
        while (at < length && !ends_line(text[at]))
            ++at;
        if (at == length)
            return length;
        at += text[at] == '\r' && at + 1 < length && text[at + 1] == '\n' ? 2 : 1;
    }
    uint32_t units;
    for (uint32_t along = 0; at < length && !ends_line(text[at]) && along < position.character;
         along += units) {
        size_t bytes = character_bytes((unsigned char)text[at], encoding, &units);
        if (along + units > position.character || bytes > length - at)
            break; // in the middle of a character means before it
        at += bytes;
    }
    return at;
}

static bool read_number(const json_t *json, uint32_t *out)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return false;
    json_int_t number = json_integer_value(json);
    *out = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    return true;
}

bool lsp_position_read(const json_t *json, struct lsp_position *out)
{
    return read_number(json_object_get(json, "line"), &out->line) &&
           read_number(json_object_get(json, "character"), &out->character);
}

bool lsp_range_read(const json_t *json, struct lsp_range *out)
{
    return lsp_position_read(json_object_get(json, "start"), &out->start) &&
           lsp_position_read(json_object_get(json, "end"), &out->end);
}

json_t *lsp_range_to_json(struct lsp_range range)
{
    return json_pack("{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", (json_int_t)range.start.line,
                     "character", (json_int_t)range.start.character, "end", "line",
                     (json_int_t)range.end.line, "character", (json_int_t)range.end.character);
}

static bool is_before(struct lsp_position a, struct lsp_position b)
{
    return a.line < b.line || (a.line == b.line && a.character < b.character);
}

bool lsp_range_touches(struct lsp_range a, struct lsp_range b)
{
    return !is_before(a.end, b.start) && !is_before(b.end, a.start);
}

bool lsp_range_holds(struct lsp_range outer, struct lsp_range inner)
{
    return !is_before(inner.start, outer.start) && !is_before(outer.end, inner.end);
}

// --- URIs ----------------------------------------------------------------------------------------

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *lsp_path(struct arena *arena, const char *uri)
{
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return NULL;
    const char *from = strchr(uri + sizeof scheme - 1, '/'); // behind the host, which is this one
    if (!from)
        return NULL;
    char *path = arena_alloc(arena, strlen(from) + 1), *to = path;
    for (; *from; ++from) {
        int high = *from == '%' ? hexadecimal(from[1]) : -1;
        int low = high >= 0 ? hexadecimal(from[2]) : -1;
        if (high == 0 && low == 0)
            return NULL; // no file has such a name
        *to++ = low >= 0 ? (char)(high * 16 + low) : *from;
        from += low >= 0 ? 2 : 0;
    }
    return path_absolute(arena, "/", path);
}

char *lsp_uri(struct arena *arena, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "/-._~+";
    static const char digits[] = "0123456789ABCDEF";
    char *uri = arena_alloc(arena, 7 + 3 * strlen(path) + 1), *to = uri + 7;
    memcpy(uri, "file://", 7);
    for (; *path; ++path) {
        unsigned char byte = (unsigned char)*path;
        if (strchr(plain, byte)) {
            *to++ = *path;
        } else {
            *to++ = '%';
            *to++ = digits[byte >> 4];
            *to++ = digits[byte & 15];
        }
    }
    return uri;
}
