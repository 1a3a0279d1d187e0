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
    items_init(&items, text, length);
    items.at = begin;
    struct item item = items_next(&items);
    bool is_kernel = item.kind == ITEM_FUNCTION && items_next(&items).kind == ITEM_OPEN;
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
