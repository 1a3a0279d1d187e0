#include "instrument/awaited.h"

#include "base/arena.h"
#include "instrument/instruction.h"
#include "instrument/items.h"

struct awaited awaited_find(const char *text, size_t length, size_t begin)
{
    struct awaited found = {0};
    struct arena arena;
    arena_init(&arena);
    struct items items;
    bool is_kernel = items_enter(&items, text, length, begin);
    struct item item;
    while (is_kernel && items.depth && (item = items_next(&items)).kind != ITEM_END) {
        struct instruction instruction;
        if (item.kind != ITEM_INSTRUCTION ||
            !instruction_parse(&arena, text + item.begin, item.end - item.begin, &instruction))
            continue;
        found.stores |= instruction_is(&instruction, "cp.async.bulk.wait_group");
        found.copies |= instruction_is(&instruction, "cp.async.wait_all") ||
                        instruction_is(&instruction, "cp.async.wait_group") ||
                        instruction_is(&instruction, "cp.async.mbarrier");
    }
    arena_release(&arena);
    return found;
}
