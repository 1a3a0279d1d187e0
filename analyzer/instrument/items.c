#include "instrument/items.h"

#include <string.h>

void items_init(struct items *items, const char *text, size_t length)
{
    *items = (struct items){.text = text, .length = length};
}

bool item_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0';
}

static size_t line_end(const char *text, size_t length, size_t at)
{
    const char *end = at < length ? memchr(text + at, '\n', length - at) : NULL;
    return end ? (size_t)(end - text) : length;
}

// The offset after a comment or a text in quotes at `at`; `at` itself where there is neither.
static size_t skip_opaque(const char *text, size_t length, size_t at)
{
    if (text[at] == '/' && at + 1 < length && text[at + 1] == '/')
        return line_end(text, length, at);
    if (text[at] == '/' && at + 1 < length && text[at + 1] == '*') {
        for (at += 2; at + 1 < length; ++at)
            if (text[at] == '*' && text[at + 1] == '/')
                return at + 2;
        return length;
    }
    if (text[at] == '"') {
        for (++at; at < length && text[at] != '"' && text[at] != '\n'; ++at)
            if (text[at] == '\\' && at + 1 < length)
                ++at;
        return at < length ? at + 1 : length;
    }
    return at;
}

size_t items_skip_blank(const char *text, size_t length, size_t at)
{
    while (at < length) {
        if (is_blank(text[at])) {
            ++at;
            continue;
        }
        size_t after = text[at] == '/' ? skip_opaque(text, length, at) : at;
        if (after == at)
            break;
        at = after;
    }
    return at;
}

bool items_is_directive(const char *text, size_t at, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text + at, name, length) == 0 && !item_is_name(text[at + length]);
}

// The end of a statement: after the semicolon outside of all brackets, or before a brace that
// closes what the statement did not open.
static size_t statement_end(const struct items *items, size_t at)
{
    uint32_t depth = 0;
    while (at < items->length) {
        char c = items->text[at];
        size_t after = skip_opaque(items->text, items->length, at);
        if (after != at) {
            at = after;
            continue;
        }
        if (c == ';' && depth == 0)
            return at + 1;
        if (c == '{' || c == '(' || c == '[')
            ++depth;
        if (c == '}' && depth == 0)
            return at;
        if ((c == '}' || c == ')' || c == ']') && depth > 0)
            --depth;
        ++at;
    }
    return items->length;
}

// The end of a function's header; 0 when what begins at `at` is no function.
static size_t header_end(const struct items *items, size_t at)
{
    const char *text = items->text;
    bool function = false;
    uint32_t depth = 0;
    while (at < items->length) {
        size_t after = skip_opaque(text, items->length, at);
        if (after != at) {
            at = after;
            continue;
        }
        char c = text[at];
        if (c == '.' && !function)
            function =
                items_is_directive(text, at, ".func") || items_is_directive(text, at, ".entry");
        if (!function && (c == '{' || c == '(' || c == ';' || c == '=' || c == '}'))
            return 0;
        if (c == '(')
            ++depth;
        if (c == ')' && depth > 0)
            --depth;
        if (depth == 0 && c == '{')
            return at;
        if (depth == 0 && c == ';')
            return at + 1;
        ++at;
    }
    return function ? items->length : 0;
}

static size_t section_end(const struct items *items, size_t at)
{
    const char *open = memchr(items->text + at, '{', items->length - at);
    const char *close =
        open ? memchr(open, '}', items->length - (size_t)(open - items->text)) : NULL;
    return close ? (size_t)(close - items->text) + 1 : items->length;
}

static struct item directive(struct items *items)
{
    static const char *const lines[] = {".loc", ".file", ".version", ".target", ".address_size"};
    const char *text = items->text;
    size_t at = items->at;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
        if (items_is_directive(text, at, lines[i]))
            return (struct item){ITEM_LINE, at, line_end(text, items->length, at)};
    if (items_is_directive(text, at, ".section"))
        return (struct item){ITEM_SECTION, at, section_end(items, at)};
    size_t end = items->depth == 0 ? header_end(items, at) : 0;
    if (end)
        return (struct item){ITEM_FUNCTION, at, end};
    return (struct item){ITEM_DECLARATION, at, statement_end(items, at)};
}

// The end of a label that begins at `at`, its colon included; 0 when there is none.
static size_t label_end(const struct items *items, size_t at)
{
    const char *text = items->text;
    size_t end = at;
    while (item_is_name(text[end]))
        ++end;
    if (end == at || (text[at] >= '0' && text[at] <= '9'))
        return 0;
    size_t colon = items_skip_blank(text, items->length, end);
    return text[colon] == ':' && text[colon + 1] != ':' ? colon + 1 : 0;
}

struct item items_next(struct items *items)
{
    size_t at = items->at = items_skip_blank(items->text, items->length, items->at);
    struct item item = {ITEM_END, at, at};
    if (at >= items->length)
        return item;
    char c = items->text[at];
    size_t label = label_end(items, at);
    if (c == '{' || c == '}') {
        item = (struct item){c == '{' ? ITEM_OPEN : ITEM_CLOSE, at, at + 1};
        items->depth += c == '{';
        items->depth -= c == '}' && items->depth > 0;
    } else if (label) {
        item = (struct item){ITEM_LABEL, at, label};
    } else if (c == '.') {
        item = directive(items);
    } else if (c == '@' && items->text[at + 1] == '@') {
        item = (struct item){ITEM_LINE, at, line_end(items->text, items->length, at)};
    } else {
        item = (struct item){ITEM_INSTRUCTION, at, statement_end(items, at)};
    }
    if (item.end <= at) // a stray character
        item.end = at + 1;
    items->at = item.end;
    return item;
}

bool items_enter(struct items *items, const char *text, size_t length, size_t begin)
{
    items_init(items, text, length);
    items->at = begin;
    return items_next(items).kind == ITEM_FUNCTION && items_next(items).kind == ITEM_OPEN;
}
