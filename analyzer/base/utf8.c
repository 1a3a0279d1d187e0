#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

// U+10FF00 and on, where utf8_escape() keeps a byte. A text that holds one of these code points is
// escaped byte by byte, so that nothing is ambiguous.
enum { ESCAPES = 0x10ff00, LONGEST = 4 };

// How many bytes follow a first byte, and which second byte may.
static size_t sequence(unsigned char first, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    if (first < 0xe0)
        return 1;
    // Neither longer than need be, nor a surrogate, nor behind U+10FFFF.
    if (first == 0xe0)
        *low = 0xa0;
    else if (first == 0xed)
        *high = 0x9f;
    else if (first == 0xf0)
        *low = 0x90;
    else if (first == 0xf4)
        *high = 0x8f;
    return first < 0xf0 ? 2 : 3;
}

uint32_t utf8_decode(const char *text, size_t length, size_t *out_used)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char low, high;
    *out_used = 1;
    if (byte[0] < 0x80)
        return byte[0];
    size_t more = sequence(byte[0], &low, &high);
    if (more == 0)
        return UTF8_BAD;
    uint32_t code = byte[0] & (0x3fu >> more);
    for (size_t i = 1; i <= more; ++i) {
        if (i >= length || byte[i] < low || byte[i] > high) {
            *out_used = i;
            return UTF8_BAD;
        }
        code = code << 6 | (byte[i] & 0x3fu);
        low = 0x80;
        high = 0xbf;
    }
    *out_used = more + 1;
    return code;
}

static size_t encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(first[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; ++i)
        out[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

// Whether the code point stands for bytes that are no UTF-8, not for a U+FFFD that was there.
static bool is_bad(uint32_t code, const char *text, size_t used)
{
    return code == UTF8_BAD && (used != 3 || memcmp(text, "\xef\xbf\xbd", 3) != 0);
}

char *utf8_clean(struct arena *arena, const char *text)
{
    size_t length = strlen(text), at = 0, used;
    char *out = arena_alloc(arena, 3 * length + 1), *to = out;
    for (; at < length; at += used)
        to += encode(utf8_decode(text + at, length - at, &used), to);
    return out;
}

char *utf8_escape(struct arena *arena, const char *text)
{
    size_t length = strlen(text), at = 0, used;
    char *out = arena_alloc(arena, LONGEST * length + 1), *to = out;
    for (; at < length; at += used) {
        uint32_t code = utf8_decode(text + at, length - at, &used);
        if (code < ESCAPES && !is_bad(code, text + at, used)) {
            memcpy(to, text + at, used);
            to += used;
            continue;
        }
        for (size_t i = 0; i < used; ++i)
            to += encode(ESCAPES + (unsigned char)text[at + i], to);
    }
    return out;
}

char *utf8_unescape(struct arena *arena, const char *text)
{
    size_t length = strlen(text), at = 0, used;
    char *out = arena_alloc(arena, length + 1), *to = out;
    for (; at < length; at += used) {
        uint32_t code = utf8_decode(text + at, length - at, &used);
        if (code >= ESCAPES) {
            *to++ = (char)(code - ESCAPES);
        } else {
            memcpy(to, text + at, used);
            to += used;
        }
    }
    return out;
}
