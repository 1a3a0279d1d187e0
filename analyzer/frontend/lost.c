// Calls that stand alone as statements and that clang has dropped, as it does where nothing
// declares their names: what is left of the block says nothing of them.
#include "frontend/lower.h"

#include <ctype.h>
#include <string.h>

// Past blanks, comments and the lines of the preprocessor.
static const char *skip_space(const char *at, const char *end)
{
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            ++at;
        bool comment = end - at > 1 && at[0] == '/' && (at[1] == '/' || at[1] == '*');
        if (!comment && (at == end || *at != '#'))
            return at;
        const char *close = comment && at[1] == '*' ? "*/" : "\n";
        size_t length = strlen(close);
        for (at += comment ? 2 : 1; at < end && strncmp(at, close, length) != 0; ++at)
            ;
        at = (size_t)(end - at) < length ? end : at + length;
    }
}

// Past what closes the bracket at `at`; `end` where nothing does.
static const char *skip_brackets(const char *at, const char *end, char open, char close)
{
    int depth = 0;
    for (; at < end; ++at) {
        depth += (*at == open) - (*at == close);
        if (depth == 0)
            return at + 1;
    }
    return end;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// `name(...);`, with whatever names the object or the namespace, and template arguments. Says whether
// something names the namespace.
static bool is_lone_call(const char *at, const char *end, bool *qualified)
{
    at = skip_space(at, end);
    *qualified = false;
    for (bool joined = true; at < end && is_word(*at) && joined;) {
        if (isdigit((unsigned char)*at))
            return false;
        while (at < end && is_word(*at))
            ++at;
        at = skip_space(at, end);
        if (at < end && *at == '<')
            at = skip_space(skip_brackets(at, end, '<', '>'), end);
        if (at < end && *at == '(') {
            at = skip_space(skip_brackets(at, end, '(', ')'), end);
            return at < end && *at == ';';
        }
        joined =
            end - at > 2 && (*at == '.' || strncmp(at, "::", 2) == 0 || strncmp(at, "->", 2) == 0);
        *qualified = *qualified || (joined && *at == ':');
        if (joined)
            at = skip_space(at + (*at == '.' ? 1 : 2), end);
    }
    return false;
}

// `space::name(...);` where nothing of it is left, and no mistake either: clang says nothing more of a
// name whose declaration it could not make out. (No macro has such a name.)
static bool has_silent_call(const char *at, const char *end)
{
    if (memchr(at, '#', (size_t)(end - at)))
        return false;
    for (bool qualified; at < end; ++at) {
        at = skip_space(at, end);
        if (is_lone_call(at, end, &qualified) && qualified)
            return true;
        while (at < end && *at != ';')
            ++at;
    }
    return false;
}

static unsigned offset_of(CXSourceLocation location, CXFile *file)
{
    unsigned offset = 0;
    clang_getExpansionLocation(location, file, NULL, NULL, &offset);
    return offset;
}

bool has_lost_call(struct lowering *u, CXCursor block, const CXCursor *before,
                   const CXCursor *behind)
{
    CXSourceRange whole = clang_getCursorExtent(block);
    CXFile file = NULL;
    unsigned low = before ? offset_of(clang_getRangeEnd(clang_getCursorExtent(*before)), &file)
                          : offset_of(clang_getRangeStart(whole), &file) + 1;
    unsigned high = behind ? offset_of(clang_getRangeStart(clang_getCursorExtent(*behind)), &file)
                           : offset_of(clang_getRangeEnd(whole), &file);
    size_t size = 0;
    const char *text = file ? whole_text(u, file, &size) : NULL;
    if (!text || high > size || low > high)
        return false;
    if (has_silent_call(text + low, text + high))
        return true;
    for (ptrdiff_t i = 0; i < arrlen(u->error_at); ++i) {
        unsigned error = u->error_at[i].offset;
        if (!clang_File_isEqual(u->error_at[i].file, file) || error < low || error >= high)
            continue;
        unsigned start = error;
        while (start > low && !strchr(";{}", text[start - 1]))
            --start;
        bool qualified;
        if (is_lone_call(text + start, text + high, &qualified))
            return true;
    }
    return false;
}
