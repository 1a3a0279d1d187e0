// UTF-8 as it comes from files and file names: it may hold bytes that are none.
#ifndef BARLINT_BASE_UTF8_H
#define BARLINT_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { UTF8_BAD = 0xfffd };

// The code point at `text`, of which `length` (at least 1) bytes are there; how many bytes it takes
// goes to `out_used`. What is no UTF-8 gives U+FFFD for each of its longest beginnings of a
// character, as browsers and Node.js do (WHATWG Encoding, 4.1).
uint32_t utf8_decode(const char *text, size_t length, size_t *out_used);

// A copy with U+FFFD in place of what is no UTF-8.
char *utf8_clean(struct arena *arena, const char *text);

// A copy that is valid UTF-8 and that utf8_unescape() turns into the same bytes again: each byte
// that is no part of a character becomes one of the private code points U+10FF00 to U+10FFFF.
char *utf8_escape(struct arena *arena, const char *text);
char *utf8_unescape(struct arena *arena, const char *text);

#endif
