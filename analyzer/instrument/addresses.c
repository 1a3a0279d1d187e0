#define _GNU_SOURCE // memmem
#include "instrument/addresses.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"

static const char environment[] = "%envreg";

// What passes an address on, or a half of it.
static const char *const carriers[] = {"mov", "cvt", "cvta", "bfi",  "or",  "shl",
                                       "add", "sub", "mad",  "selp", "prmt"};

enum { LONGEST_NAME = 127 };

// The length of the register's name that begins there.
static size_t name_length(const char *at)
{
    size_t length = 1;
    while (item_is_name(at[length]))
        ++length;
    return length;
}

uint32_t addresses_in(const struct addresses *addresses, const char *operand)
{
    struct address_register *of = addresses->of; // shgetp_null() keeps what it found there
    uint32_t kinds = 0;
    for (const char *at = operand; of && (at = strchr(at, '%'));) {
        size_t length = name_length(at);
        char name[LONGEST_NAME + 1];
        if (length <= LONGEST_NAME) {
            memcpy(name, at, length);
            name[length] = '\0';
            const struct address_register *known = shgetp_null(of, name);
            kinds |= known ? known->value : 0;
        }
        at += length;
    }
    return kinds;
}

// What the instruction writes holds what it reads. Returns whether that is news.
static bool carry(struct addresses *addresses, const struct instruction *instruction)
{
    bool maps = strcmp(instruction->part[0], "mapa") == 0;
    uint32_t kinds = maps ? ADDRESS_OF_PEER : 0;
    if (instruction->operand_count < 2 || !(maps || IS_ANY(instruction->part[0], carriers)))
        return false;
    for (uint32_t i = 1; !maps && i < instruction->operand_count; ++i)
        kinds |= strncmp(instruction->operand[i], environment, strlen(environment)) == 0
                     ? ADDRESS_OF_GRID
                     : addresses_in(addresses, instruction->operand[i]);
    const char *to = instruction->operand[0];
    uint32_t known = addresses_in(addresses, to);
    bool is_register = *to == '%' && !to[name_length(to)] && strlen(to) <= LONGEST_NAME;
    if ((kinds & ~known) == 0 || !is_register)
        return false;
    if (!addresses->of)
        sh_new_strdup(addresses->of);
    shput(addresses->of, to, known | kinds);
    return true;
}

static void note_read(struct addresses *addresses, const struct instruction *instruction)
{
    if (strcmp(instruction->part[0], "ld") == 0 && instruction->operand_count == 2)
        addresses->reads_peers |=
            (addresses_in(addresses, instruction->operand[1]) & ADDRESS_OF_PEER) != 0;
}

void addresses_release(struct addresses *addresses)
{
    shfree(addresses->of);
    *addresses = (struct addresses){0};
}

void addresses_read(struct addresses *addresses, const char *text, size_t length, size_t begin)
{
    addresses_release(addresses);
    if (!memmem(text + begin, length - begin, environment, strlen(environment)) &&
        !memmem(text + begin, length - begin, "mapa", strlen("mapa")))
        return;
    struct arena scratch;
    arena_init(&scratch);
    // Once more as long as there is news: a loop may write a register behind where it reads it.
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
                instruction_parse(&scratch, text + item.begin, item.end - item.begin,
                                  &instruction)) {
                again |= carry(addresses, &instruction);
                note_read(addresses, &instruction);
            }
            arena_release(&scratch);
        }
    }
}

bool addresses_has_grid(const struct addresses *addresses)
{
    for (ptrdiff_t i = 0; i < shlen(addresses->of); ++i)
        if (addresses->of[i].value & ADDRESS_OF_GRID)
            return true;
    return false;
}

bool addresses_may_concern(const struct addresses *addresses, const char *text)
{
    static const char *const words[] = {"atom.", "red.", "ld.", "st."};
    for (size_t i = 0; addresses->of && i < sizeof words / sizeof words[0]; ++i)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}
