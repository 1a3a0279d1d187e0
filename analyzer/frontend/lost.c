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

// `name(...);`, with whatever names the object or the namespace, and template arguments.
static bool is_lone_call(const char *at, const char *end)
{
    at = skip_space(at, end);
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
        if (joined)
            at = skip_space(at + (*at == '.' ? 1 : 2), end);
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
    for (ptrdiff_t i = 0; file && i < arrlen(u->error_at); ++i) {
        unsigned error = u->error_at[i].offset;
        if (!clang_File_isEqual(u->error_at[i].file, file) || error < low || error >= high)
            continue;
        size_t size = 0;
        const char *text = whole_text(u, file, &size);
        if (high > size)
            return false;
        unsigned start = error;
        while (start > low && !strchr(";{}", text[start - 1]))
            --start;
        if (is_lone_call(text + start, text + high))
            return true;
    }
    return false;
}
