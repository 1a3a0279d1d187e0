#define _GNU_SOURCE // memmem
#include "instrument/grid.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"

static const char environment[] = "%envreg";

// What passes an address on, or a half of it.
static const char *const carriers[] = {"mov", "cvt", "cvta", "bfi", "or",
                                       "shl", "add", "mad",  "prmt"};

// The first register in an operand, "%rd9" of "[%rd9+4]". Returns its length, 0 for none.
static size_t register_in(const char *operand, const char **out)
{
    const char *at = strchr(operand, '%');
    size_t length = 0;
    while (at && item_is_name(at[length]))
        ++length;
    *out = at;
    return length;
}

static bool holds(const struct grid *grid, const char *operand)
{
    struct grid_register *workspace = grid->workspace; // shgeti() keeps what it found there
    for (const char *at = operand; (at = strchr(at, '%')); ++at) {
        const char *name;
        size_t length = register_in(at, &name);
        for (ptrdiff_t i = 0; i < shlen(workspace); ++i)
            if (strlen(workspace[i].key) == length && strncmp(workspace[i].key, name, length) == 0)
                return true;
    }
    return false;
}

// Returns whether that is news.
static bool add(struct grid *grid, const char *operand)
{
    const char *name;
    size_t length = register_in(operand, &name);
    char key[128];
    if (length == 0 || length >= sizeof key || holds(grid, operand))
        return false;
    memcpy(key, name, length);
    key[length] = '\0';
    if (!grid->workspace)
        sh_new_strdup(grid->workspace);
    shput(grid->workspace, key, 1);
    return true;
}

// What the instruction writes holds an address in the workspace if what it reads does.
static bool carry(struct grid *grid, const struct instruction *instruction)
{
    bool carried = false;
    if (!IS_ANY(instruction->part[0], carriers))
        return false;
    for (uint32_t i = 1; i < instruction->operand_count && !carried; ++i)
        carried = strncmp(instruction->operand[i], environment, strlen(environment)) == 0 ||
                  holds(grid, instruction->operand[i]);
    return carried && add(grid, instruction->operand[0]);
}

void grid_release(struct grid *grid)
{
    shfree(grid->workspace);
    grid->workspace = NULL;
}

void grid_read(struct grid *grid, const char *text, size_t length, size_t begin)
{
    grid_release(grid);
    const char *first = memmem(text + begin, length - begin, environment, strlen(environment));
    if (!first)
        return;
    struct arena scratch;
    arena_init(&scratch);
    // Once more as long as there is news: a loop's registers are written behind where they are
    // read.
    for (bool again = true; again;) {
        struct items items;
        struct item item;
        items_init(&items, text, length);
        items.at = begin;
        items.depth = 1;
        again = false;
        while (items.depth && (item = items_next(&items)).kind != ITEM_END) {
            struct instruction instruction;
            if (item.kind == ITEM_INSTRUCTION &&
                instruction_parse(&scratch, text + item.begin, item.end - item.begin, &instruction))
                again |= carry(grid, &instruction);
            arena_release(&scratch);
        }
    }
}

bool grid_is_used(const struct grid *grid)
{
    return grid->workspace != NULL;
}

bool grid_is_arrival(const struct grid *grid, const struct instruction *instruction)
{
    bool adds = (instruction_is(instruction, "atom") || instruction_is(instruction, "red")) &&
                instruction_has(instruction, "add");
    uint32_t at = instruction_is(instruction, "atom") ? 1 : 0;
    return adds && at < instruction->operand_count &&
           operand_is_address(instruction->operand[at]) && holds(grid, instruction->operand[at]);
}

bool grid_is_wait(const struct grid *grid, const struct instruction *instruction)
{
    bool reads = instruction_is(instruction, "ld") && (instruction_has(instruction, "acquire") ||
                                                       instruction_has(instruction, "relaxed") ||
                                                       instruction_has(instruction, "volatile"));
    return reads && instruction->operand_count == 2 && holds(grid, instruction->operand[1]);
}

bool grid_may_concern(const struct grid *grid, const char *text)
{
    static const char *const words[] = {"atom.", "red.", "ld."};
    for (size_t i = 0; grid_is_used(grid) && i < sizeof words / sizeof words[0]; ++i)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}
