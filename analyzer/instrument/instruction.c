#include "instrument/instruction.h"

#include <string.h>

#include "instrument/items.h"

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

bool instruction_may_concern(const char *text)
{
    // A guard says nothing about the instruction; the few there are get a full look.
    if (*text == '@')
        return true;
    static const char *const words[] = {"mbarrier",   "bar",   "cp.",      "fence",
                                        "membar",     "shfl",  "vote",     "match",
                                        "redux",      "elect", "st.async", "red.async",
                                        "tcgen05",    "ret",   "exit",     "clusterlaunchcontrol",
                                        "setmaxnreg", "trap"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        if (starts(text, words[i]))
            return true;
    return false;
}

// The statement without its semicolon and comments, every run of blanks one blank.
static char *clean(struct arena *arena, const char *text, size_t length)
{
    char *out = arena_alloc(arena, length + 1);
    size_t used = 0;
    for (size_t at = 0; at < length;) {
        size_t after = items_skip_blank(text, length, at);
        if (after != at) {
            if (used && out[used - 1] != ' ')
                out[used++] = ' ';
            at = after;
            continue;
        }
        out[used++] = text[at++];
    }
    while (used && (out[used - 1] == ' ' || out[used - 1] == ';'))
        --used;
    out[used] = '\0';
    return out;
}

static const char *parse_guard(struct arena *arena, const char *at, struct instruction *out)
{
    if (*at != '@')
        return at;
    for (++at; *at == ' ' || *at == '!'; ++at)
        out->guard_negated ^= *at == '!';
    size_t length = 0;
    while (item_is_name(at[length]))
        ++length;
    out->guard = arena_strndup(arena, at, length);
    at += length;
    return at + (*at == ' ');
}

// The mnemonic; blanks may stand before a dot.
static const char *parse_mnemonic(struct arena *arena, const char *at, struct instruction *out)
{
    char *mnemonic = arena_alloc(arena, strlen(at) + 1);
    size_t used = 0;
    for (;; ++at) {
        if (item_is_name(*at) || *at == '.' || *at == ':')
            mnemonic[used++] = *at;
        else if (*at != ' ' || at[1] != '.')
            break;
    }
    out->mnemonic = mnemonic;
    char *parts = arena_strdup(arena, mnemonic), *rest = NULL;
    for (char *part = strtok_r(parts, ".", &rest); part; part = strtok_r(NULL, ".", &rest)) {
        if (out->part_count == INSTRUCTION_PARTS)
            return NULL;
        out->part[out->part_count++] = part;
    }
    return out->part_count ? at + (*at == ' ') : NULL;
}

static bool add_operand(struct arena *arena, const char *begin, const char *end,
                        struct instruction *out)
{
    while (begin < end && *begin == ' ')
        ++begin;
    while (end > begin && end[-1] == ' ')
        --end;
    if (out->operand_count == INSTRUCTION_OPERANDS)
        return false;
    out->operand[out->operand_count++] = arena_strndup(arena, begin, (size_t)(end - begin));
    return true;
}

bool instruction_parse(struct arena *arena, const char *text, size_t length,
                       struct instruction *out)
{
    *out = (struct instruction){0};
    const char *at = clean(arena, text, length);
    at = parse_mnemonic(arena, parse_guard(arena, at, out), out);
    if (!at || (out->guard && !*out->guard))
        return false;
    if (!*at)
        return true;
    const char *begin = at;
    uint32_t depth = 0;
    for (; *at; ++at) {
        if (strchr("([{", *at))
            ++depth;
        if (strchr(")]}", *at) && depth)
            --depth;
        if (*at == ',' && depth == 0) {
            if (!add_operand(arena, begin, at, out))
                return false;
            begin = at + 1;
        }
    }
    return add_operand(arena, begin, at, out);
}

void instruction_write(const struct instruction *instruction, FILE *out)
{
    fprintf(out, "\t%s", instruction->mnemonic);
    for (uint32_t i = 0; i < instruction->operand_count; ++i)
        fprintf(out, "%s %s", i ? "," : "", instruction->operand[i]);
    fprintf(out, ";\n");
}

bool instruction_has(const struct instruction *instruction, const char *part)
{
    for (uint32_t i = 1; i < instruction->part_count; ++i)
        if (strcmp(instruction->part[i], part) == 0)
            return true;
    return false;
}

bool instruction_is(const struct instruction *instruction, const char *prefix)
{
    size_t length = strlen(prefix);
    char after = starts(instruction->mnemonic, prefix) ? instruction->mnemonic[length] : 'x';
    return after == '\0' || after == '.';
}

bool function_is_system(const char *name)
{
    static const char *const names[] = {"vprintf", "__assertfail", "malloc", "free"};
    return IS_ANY(name, names);
}

bool operand_is_address(const char *operand)
{
    size_t length = strlen(operand);
    return length > 2 && operand[0] == '[' && operand[length - 1] == ']';
}

bool operand_is_number(const char *operand)
{
    return (*operand >= '0' && *operand <= '9') ||
           (*operand == '-' && operand[1] >= '0' && operand[1] <= '9');
}

bool word_is_any(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}
