#include "instrument/registers.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"

void registers_release(struct registers *registers)
{
    arrfree(registers->declaration);
    registers->depth = 0;
}

void registers_open(struct registers *registers)
{
    ++registers->depth;
}

void registers_close(struct registers *registers)
{
    if (registers->depth > 0)
        --registers->depth;
    while (arrlen(registers->declaration) &&
           arrlast(registers->declaration).depth > registers->depth)
        (void)arrpop(registers->declaration);
}

static uint32_t type_bits(const char *type, size_t length)
{
    if (length == 5 && strncmp(type, ".pred", 5) == 0)
        return 1;
    if (length < 3 || length > 4 || !strchr("busf", type[1]))
        return 0;
    int bits = atoi(type + 2);
    return bits == 16 || bits == 32 || bits == 64 ? (uint32_t)bits : 0;
}

void registers_declare(struct registers *registers, const char *text, size_t length)
{
    struct register_declaration declaration = {.depth = registers->depth};
    size_t at = strlen(".reg");
    while ((at = items_skip_blank(text, length, at)) < length && text[at] != ';') {
        size_t begin = at++;
        while (at < length && item_is_name(text[at]))
            ++at;
        if (text[begin] == '.') {
            // .v2 and .v4 make a vector, whose elements are not followed.
            declaration.bits = type_bits(text + begin, at - begin);
            continue;
        }
        if (!item_is_name(text[begin]))
            continue;
        declaration.name = text + begin;
        declaration.length = at - begin;
        declaration.family = 0;
        size_t open = items_skip_blank(text, length, at);
        if (open < length && text[open] == '<') {
            declaration.family = (uint32_t)strtoul(text + open + 1, NULL, 10);
            while (at < length && text[at] != '>' && text[at] != ';')
                ++at;
            at += at < length && text[at] == '>';
        }
        arrput(registers->declaration, declaration);
    }
}

static bool is_member(const struct register_declaration *declaration, const char *name,
                      size_t length)
{
    if (length < declaration->length || strncmp(declaration->name, name, declaration->length) != 0)
        return false;
    if (declaration->family == 0)
        return length == declaration->length;
    const char *digits = name + declaration->length;
    size_t count = length - declaration->length;
    if (count == 0 || count > 9 || strspn(digits, "0123456789") != count)
        return false;
    return strtoul(digits, NULL, 10) < declaration->family;
}

uint32_t registers_bits(const struct registers *registers, const char *name)
{
    size_t length = strlen(name);
    for (ptrdiff_t i = arrlen(registers->declaration); i-- > 0;)
        if (is_member(&registers->declaration[i], name, length))
            return registers->declaration[i].bits;
    return 0;
}
