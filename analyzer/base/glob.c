#include "base/glob.h"

#include <string.h>

enum { LONGEST = 1024 }; // a longer pattern matches nothing

// Whether the set at `set` ("[a-z]") holds the letter; its length goes to `out_length`, 0 where it
// is not closed and so means itself.
static bool in_set(const char *set, char c, size_t *out_length)
{
    size_t at = 1;
    bool negated = set[at] == '!' || set[at] == '^', found = false;
    at += negated;
    for (size_t first = at; set[at] && (set[at] != ']' || at == first); ++at) {
        if (set[at + 1] == '-' && set[at + 2] && set[at + 2] != ']') {
            found = found || ((unsigned char)set[at] <= (unsigned char)c &&
                              (unsigned char)c <= (unsigned char)set[at + 2]);
            at += 2;
        } else {
            found = found || set[at] == c;
        }
    }
    *out_length = set[at] == ']' ? at + 1 : 0;
    return found != negated && c != '/';
}

static size_t stars(const char *pattern)
{
    return strspn(pattern, "*");
}

// Marks the state and those that are reached from it without a letter.
static void enter(bool *states, const char *pattern, size_t at)
{
    states[at] = true;
    size_t count = stars(pattern + at);
    if (count == 0)
        return;
    enter(states, pattern, at + count);
    // "a/**/b" matches "a/b" too.
    if (count > 1 && pattern[at + count] == '/' && (at == 0 || pattern[at - 1] == '/'))
        enter(states, pattern, at + count + 1);
}

// One letter from the state: the states it leads to.
static void step(bool *next, const char *pattern, size_t at, char c)
{
    size_t count = stars(pattern + at), length;
    if (count > 0) {
        if (count > 1 || c != '/')
            enter(next, pattern, at);
        return;
    }
    if (pattern[at] == '[') {
        bool holds = in_set(pattern + at, c, &length);
        if (length > 0) {
            if (holds)
                enter(next, pattern, at + length);
            return;
        }
    }
    bool escaped = pattern[at] == '\\' && pattern[at + 1];
    if ((pattern[at] == '?' && c != '/') || pattern[at + escaped] == c)
        enter(next, pattern, at + escaped + 1);
}

// Whether the pattern, of `size` letters, matches the text or, at a slash, its beginning.
static bool matches(const char *pattern, size_t size, const char *text)
{
    bool states[2][LONGEST + 1] = {{false}};
    enter(states[0], pattern, 0);
    for (size_t i = 0;; ++i) {
        bool *now = states[i % 2], *next = states[(i + 1) % 2];
        if (now[size] && (text[i] == '\0' || text[i] == '/'))
            return true;
        if (text[i] == '\0')
            return false;
        memset(next, 0, size + 1);
        for (size_t at = 0; at < size; ++at) {
            if (now[at])
                step(next, pattern, at, text[i]);
        }
    }
}

bool glob_match(const char *pattern, const char *path)
{
    char plain[LONGEST + 1];
    if (strncmp(pattern, "./", 2) == 0)
        pattern += 2;
    bool anchored = pattern[0] == '/';
    pattern += anchored;
    size_t size = strlen(pattern);
    while (size > 0 && pattern[size - 1] == '/')
        --size;
    if (size == 0 || size > LONGEST)
        return false;
    memcpy(plain, pattern, size);
    plain[size] = '\0';
    if (anchored || strchr(plain, '/'))
        return matches(plain, size, path);
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (matches(plain, size, part))
            return true;
    }
    return false;
}
