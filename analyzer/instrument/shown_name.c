#include "instrument/shown_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// libstdc++'s, which has no header for C.
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

// Whether the text up to `end` ends in "operator".
static bool after_operator(const char *begin, const char *end)
{
    static const char word[] = "operator";
    size_t length = strlen(word);
    return (size_t)(end - begin) >= length && strncmp(end - length, word, length) == 0;
}

// The end of the bracket that opens at `at`.
static const char *skip_brackets(const char *at, char open, char close)
{
    size_t depth = 0;
    for (; *at; ++at) {
        depth += *at == open;
        if (*at == close && --depth == 0)
            return at + 1;
    }
    return at;
}

// Takes out template arguments and parameters.
static void drop_brackets(char *name)
{
    static const char anonymous[] = "(anonymous namespace)";
    char *out = name;
    for (const char *at = name; *at;) {
        if (after_operator(name, out) && strncmp(at, "()", 2) == 0) {
            out = stpcpy(out, "()");
            at += 2;
        } else if (after_operator(name, out) && strchr("<>-", *at)) {
            while (*at && strchr("<>=-*", *at)) // <<, <=>, ->*
                *out++ = *at++;
        } else if (*at == '<') {
            at = skip_brackets(at, '<', '>');
        } else if (strncmp(at, anonymous, strlen(anonymous)) == 0) {
            out = stpcpy(out, "{anonymous}");
            at += strlen(anonymous);
        } else if (*at == '(') {
            at = skip_brackets(at, '(', ')');
        } else {
            *out++ = *at++;
        }
    }
    *out = '\0';
}

// Takes out `_INTERNAL_4bf089c1_5_aa_cu_fd8d3bcb::` and the `__4::` of a library's version.
static void drop_namespaces(char *name)
{
    for (char *at = name; *at;) {
        char *end = strstr(at, "::");
        bool is_unit = strncmp(at, "_INTERNAL_", strlen("_INTERNAL_")) == 0;
        bool is_version = strncmp(at, "__", 2) == 0 && end == at + 2 + strspn(at + 2, "0123456789");
        if (end && (is_unit || is_version))
            memmove(at, end + 2, strlen(end + 2) + 1);
        else
            at = end ? end + 2 : at + strlen(at);
    }
}

// Takes off what stands behind the name (" const") and what it returns.
static char *trim(char *name)
{
    static const char *const behind[] = {" const", " volatile", " &", "&"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; ++i) {
        size_t end = strlen(behind[i]);
        if (length > end && strcmp(name + length - end, behind[i]) == 0) {
            name[length -= end] = '\0';
            i = (size_t)-1; // again from the first
        }
    }
    char *conversion = strstr(name, "operator ");
    char *at = conversion ? conversion : name + length;
    while (at > name && at[-1] != ' ')
        --at;
    return at;
}

const char *shown_name(struct arena *arena, const char *name)
{
    int status;
    char *full = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    if (!full)
        return name;
    drop_brackets(full);
    char *shown = arena_strdup(arena, trim(full));
    drop_namespaces(shown);
    free(full);
    return *shown ? shown : name;
}
