#include "instrument/hears.h"

#include <string.h>

#include "base/arena.h"
#include "instrument/calls.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

static bool hears(const struct instruction *instruction)
{
    static const char *const qualifiers[] = {"volatile", "relaxed", "acquire", "mmio", "cg", "cv"};
    if (instruction_is(instruction, "call")) {
        const char *name = calls_function(instruction);
        return !name || !function_is_system(name);
    }
    if (strcmp(instruction->part[0], "atom") == 0 || strcmp(instruction->part[0], "multimem") == 0)
        return true;
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; ++i)
        if (strcmp(instruction->part[0], "ld") == 0 && instruction_has(instruction, qualifiers[i]))
            return true;
    return false;
}

bool hears_kernel(const char *text, size_t length, size_t begin)
{
    struct arena arena;
    arena_init(&arena);
    struct items items;
    bool found = !items_enter(&items, text, length, begin);
    struct item item;
    while (!found && items.depth && (item = items_next(&items)).kind != ITEM_END) {
        struct instruction instruction;
        if (item.kind == ITEM_INSTRUCTION)
            found = !instruction_parse(&arena, text + item.begin, item.end - item.begin,
                                       &instruction) ||
                    hears(&instruction);
    }
    arena_release(&arena);
    return found;
}
