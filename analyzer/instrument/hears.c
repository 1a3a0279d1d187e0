#include "instrument/hears.h"

#include <string.h>

#include "base/arena.h"
#include "instrument/calls.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

// Whether it is a load that is meant to see what others have stored, by what it says.
static bool looks_anew(const struct instruction *instruction)
{
    static const char *const qualifiers[] = {"volatile", "relaxed", "acquire", "mmio", "cg", "cv"};
    if (strcmp(instruction->part[0], "ld") != 0 || instruction_has(instruction, "nc"))
        return false;
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; ++i)
        if (instruction_has(instruction, qualifiers[i]))
            return true;
    return instruction_has(instruction, "L1::no_allocate");
}

// Weak loads in a loop with a fence serve as flags on the hardware, if not in the memory model.
static bool is_fence(const struct instruction *instruction)
{
    return strcmp(instruction->part[0], "membar") == 0 ||
           (strcmp(instruction->part[0], "fence") == 0 && !instruction_has(instruction, "proxy") &&
            !instruction_has(instruction, "mbarrier_init"));
}

static bool hears(const struct instruction *instruction)
{
    if (instruction_is(instruction, "call")) {
        const char *name = calls_function(instruction);
        return !name || !function_is_system(name);
    }
    return strcmp(instruction->part[0], "atom") == 0 ||
           strcmp(instruction->part[0], "multimem") == 0 ||
           strcmp(instruction->part[0], "suld") == 0 || is_fence(instruction) ||
           looks_anew(instruction);
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
