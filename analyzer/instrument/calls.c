#define _GNU_SOURCE // memmem
#include "instrument/calls.h"

#include <string.h>

#include "base/arena.h"
#include "instrument/items.h"

enum { DEEPEST = 8 };

// The offset of the brace that begins the body of the module's function; `length` for none.
static size_t body_of(const char *text, size_t length, const char *name)
{
    size_t size = strlen(name);
    const char *end = text + length, *at = text;
    for (; (at = memmem(at, (size_t)(end - at), name, size)); at += size) {
        const char *before = at, *after = at + size;
        while (before > text && strchr(" \t\n", before[-1]))
            --before;
        bool is_header =
            before > text && (before[-1] == ')' || // what it returns
                              (before - text > 5 && memcmp(before - 5, ".func", 5) == 0));
        if (!is_header || before == at || item_is_name(*after))
            continue;
        after += strcspn(after, "{;");
        if (*after == '{')
            return (size_t)(after - text);
    }
    return length;
}

static bool is_harmless(const char *text, size_t length, const struct instruction *call, int depth);

static bool function_is_harmless(const char *text, size_t length, const char *name, int depth)
{
    struct items items;
    struct arena arena;
    items_init(&items, text, length);
    items.at = body_of(text, length, name);
    arena_init(&arena);
    bool is_good = depth < DEEPEST && items_next(&items).kind == ITEM_OPEN;
    struct item item;
    while (is_good && items.depth && (item = items_next(&items)).kind != ITEM_END) {
        struct instruction instruction;
        if (item.kind != ITEM_INSTRUCTION)
            continue;
        is_good = instruction_parse(&arena, text + item.begin, item.end - item.begin, &instruction);
        if (is_good && instruction_is(&instruction, "call"))
            is_good = is_harmless(text, length, &instruction, depth + 1);
        else if (is_good)
            is_good = instruction_is(&instruction, "ret") ||
                      !instruction_may_concern(instruction.mnemonic);
    }
    arena_release(&arena);
    return is_good;
}

const char *calls_function(const struct instruction *call)
{
    uint32_t at = call->operand_count && *call->operand[0] == '('; // what it returns
    const char *name = at < call->operand_count ? call->operand[at] : "";
    return item_is_name(*name) && *name != '%' ? name : NULL;
}

static bool is_harmless(const char *text, size_t length, const struct instruction *call, int depth)
{
    const char *name = calls_function(call);
    return name && (function_is_system(name) || function_is_harmless(text, length, name, depth));
}

bool calls_harmless(const char *text, size_t length, const struct instruction *call)
{
    return is_harmless(text, length, call, 0);
}
