#define _GNU_SOURCE
#include "lsp/stream.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/vec.h"

static const char length_name[] = "Content-Length:";

enum { NAME_LENGTH = sizeof length_name - 1 };

void lsp_stream_add(struct lsp_stream *stream, const char *bytes, size_t length)
{
    if (stream->at > 0) {
        arrdeln(stream->text, 0, stream->at);
        stream->at = 0;
    }
    if (length > 0)
        memcpy(arraddnptr(stream->text, length), bytes, length);
}

void lsp_stream_release(struct lsp_stream *stream)
{
    arrfree(stream->text);
}

// Reads the value of a length. False for anything but digits, and for lengths nobody means.
static bool read_length(const char *text, const char *end, size_t *out)
{
    uint64_t length = 0;
    while (text < end && (*text == ' ' || *text == '\t'))
        ++text;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    if (text == end)
        return false;
    for (; text < end; ++text) {
        if (*text < '0' || *text > '9')
            return false;
        length = length * 10 + (uint64_t)(*text - '0');
        if (length > LSP_LARGEST_CONTENT)
            return false;
    }
    *out = (size_t)length;
    return true;
}

// Reads the lines of a header. False when one is no field or when the length is missing or wrong.
static bool read_header(const char *text, const char *end, size_t *out_length)
{
    bool known = false;
    while (text < end) {
        const char *stop = memmem(text, (size_t)(end - text), "\r\n", 2);
        if (!stop)
            stop = end;
        if (!memchr(text, ':', (size_t)(stop - text)))
            return false;
        if (stop - text >= NAME_LENGTH && strncasecmp(text, length_name, NAME_LENGTH) == 0) {
            if (known || !read_length(text + NAME_LENGTH, stop, out_length))
                return false;
            known = true;
        }
        text = stop + 2;
    }
    return known;
}

// Goes to the next place where a header may begin. False when there is none yet.
static bool find_again(struct lsp_stream *stream)
{
    size_t left = arrlenu(stream->text) - stream->at;
    const char *from = stream->text + stream->at;
    const char *found = left ? memmem(from, left, length_name, NAME_LENGTH) : NULL;
    if (found) {
        stream->at += (size_t)(found - from);
        stream->is_lost = false;
    } else if (left >= NAME_LENGTH) {
        stream->at += left - NAME_LENGTH + 1; // the name may have begun
    }
    return found != NULL;
}

enum lsp_taken lsp_stream_take(struct lsp_stream *stream, const char **out_content,
                               size_t *out_length)
{
    if (stream->is_lost && !find_again(stream))
        return LSP_TAKEN_NOTHING;
    size_t left = arrlenu(stream->text) - stream->at;
    if (left == 0)
        return LSP_TAKEN_NOTHING;
    const char *header = stream->text + stream->at;
    size_t window = left < LSP_LONGEST_HEADER ? left : LSP_LONGEST_HEADER;
    const char *end = memmem(header, window, "\r\n\r\n", 4);
    if (!end && left < LSP_LONGEST_HEADER)
        return LSP_TAKEN_NOTHING;
    size_t length = 0;
    if (!end || !read_header(header, end, &length)) {
        ++stream->at;
        stream->is_lost = true;
        return LSP_TAKEN_BROKEN;
    }
    size_t whole = (size_t)(end - header) + 4 + length;
    if (left < whole)
        return LSP_TAKEN_NOTHING;
    *out_content = end + 4;
    *out_length = length;
    stream->at += whole;
    return LSP_TAKEN_CONTENT;
}
