#include "instrument/rounds.h"

#include <string.h>

#include "base/arena.h"
#include "instrument/calls.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

// Is it bar or barrier, but not of a warp or a cluster?
static bool is_of_block(const struct instruction *instruction)
{
    bool is_barrier = instruction_is(instruction, "bar") || instruction_is(instruction, "barrier");
    return is_barrier && !instruction_has(instruction, "warp") &&
           !instruction_has(instruction, "cluster");
}

// Does it wait for all threads at barrier 0?
static bool is_round(const struct instruction *instruction)
{
    bool is_red = instruction_has(instruction, "red");
    uint32_t number = is_red ? 1 : 0;
    return (is_red || instruction_has(instruction, "sync")) &&
           instruction->operand_count == 2 * number + 1 &&
           strcmp(instruction->operand[number], "0") == 0;
}

bool rounds_kernel(const char *text, size_t length, size_t begin, uint32_t places)
{
    struct arena arena;
    arena_init(&arena);
    struct items items;
    bool is_good = items_enter(&items, text, length, begin);
    struct item item;
    bool has_rounds = false, has_red = false, has_sync = false;
    while (is_good && items.depth && (item = items_next(&items)).kind != ITEM_END) {
        const char *at = text + item.begin;
        bool concerns = item.kind == ITEM_INSTRUCTION && instruction_may_concern(at);
        // A guard may stand before a call.
        if (item.kind != ITEM_INSTRUCTION || !(concerns || *at == '@' || *at == 'c'))
            continue;
        struct instruction instruction;
        is_good = instruction_parse(&arena, at, item.end - item.begin, &instruction);
        if (is_good && instruction_is(&instruction, "call"))
            is_good = calls_harmless(text, length, &instruction);
        if (is_good && is_of_block(&instruction)) {
            is_good = is_round(&instruction);
            has_rounds = true;
            has_red |= instruction_has(&instruction, "red");
            has_sync |= !instruction_has(&instruction, "red");
        }
        is_good = is_good && (!concerns || places-- > 0);
        arena_release(&arena);
        arena_init(&arena);
    }
    arena_release(&arena);
    // Where the two kinds meet, the hardware aborts before anybody can look.
    return is_good && has_rounds && !(has_red && has_sync);
}
