#define _GNU_SOURCE // memmem
// The hooks' PTX at the end of a module. (PTX ISA 9.1, 5.3 and 11.6: linking directives.)
#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/shadow.h"
#include "barlint/runtime_check/sites.h"
#include "base/vec.h"
#include "instrument/inline.h"
#include "instrument/instrument.h"
#include "instrument/items.h"

static const char state_name[] = "barlint_rt_state";
static const char arrive_at[] = "barlint_rt_arrive_at";
static const char room_name[] = "barlint_rt_room";
static const char shadow_name[] = "barlint_rt_shadow";
static const char prefix[] = "barlint_rt_";

struct renamed {
    char *key;
    char *value;
};

struct library {
    const char *text;
    struct arena arena;
    struct renamed *renamed; // stb_ds
    uint32_t counted;        // see struct instrumented
    uint32_t room;           // for so many mbarriers of a block
    uint32_t functions;      // written to the table of addresses
};

// Writes text[begin, end) with names replaced.
static void write_text(FILE *out, const struct library *library, size_t begin, size_t end)
{
    const char *text = library->text;
    char name[1024];
    while (begin < end) {
        size_t length = 0;
        while (begin + length < end && item_is_name(text[begin + length]))
            ++length;
        ptrdiff_t known = -1;
        if (length && length < sizeof name) {
            memcpy(name, text + begin, length);
            name[length] = '\0';
            struct renamed *map = library->renamed;
            known = shgeti(map, name);
        }
        if (known >= 0)
            fputs(library->renamed[known].value, out);
        else
            fwrite(text + begin, 1, length ? length : 1, out);
        begin += length ? length : 1;
    }
}

// Writes an item that others see as weak.
static void write_weak(FILE *out, const struct library *library, const struct item *item)
{
    size_t begin = item->begin;
    if (items_is_directive(library->text, begin, ".visible")) {
        fputs(".weak", out);
        begin += strlen(".visible");
    }
    write_text(out, library, begin, item->end);
}

static bool contains(const struct library *library, const struct item *item, const char *word)
{
    return memmem(library->text + item->begin, item->end - item->begin, word, strlen(word));
}

// The name that a variable's declaration declares: the last one before `[`, `=` or `;`.
static char *declared_name(struct library *library, const struct item *item)
{
    const char *text = library->text;
    size_t end = item->begin;
    while (end < item->end && !strchr("[=;{", text[end]))
        ++end;
    while (end > item->begin && !item_is_name(text[end - 1]))
        --end;
    size_t begin = end;
    while (begin > item->begin && item_is_name(text[begin - 1]))
        --begin;
    return arena_strndup(&library->arena, text + begin, end - begin);
}

// Private variables have names that another module may have too: texts are $str.
static void rename_private(struct library *library, const struct item *item)
{
    char *name = declared_name(library, item);
    bool is_private = !items_is_directive(library->text, item->begin, ".visible") &&
                      !items_is_directive(library->text, item->begin, ".weak") &&
                      !items_is_directive(library->text, item->begin, ".extern");
    if (is_private && *name && strncmp(name, prefix, strlen(prefix)) != 0)
        shput(library->renamed, name,
              arena_printf(&library->arena, "%sprivate_%s", prefix,
                           *name == '$' || *name == '%' ? name + 1 : name));
}

// Calls `visit` for the items outside of functions.
static void for_each_item(FILE *out, struct library *library, size_t length,
                          void (*visit)(FILE *, struct library *, const struct item *, bool))
{
    struct items items;
    items_init(&items, library->text, length);
    struct item item;
    while ((item = items_next(&items)).kind != ITEM_END)
        visit(out, library, &item, items.depth == 0 && item.kind != ITEM_CLOSE);
}

static void visit_names(FILE *out, struct library *library, const struct item *item, bool outside)
{
    (void)out;
    if (outside && item->kind == ITEM_DECLARATION)
        rename_private(library, item);
}

// Functions are declared before anything calls them, and variables before anything names them.
static void visit_prototypes(FILE *out, struct library *library, const struct item *item,
                             bool outside)
{
    if (!outside || item->kind != ITEM_FUNCTION || library->text[item->end - 1] == ';')
        return;
    struct item header = *item;
    while (header.end > header.begin && library->text[header.end - 1] != ')')
        --header.end;
    write_weak(out, library, &header);
    fputs(";\n", out);
}

// Arrives at a barrier by its number, for a warp that is not there.
static void write_arrive_at(FILE *out, uint32_t counted)
{
    fputs(".weak .func barlint_rt_arrive_at(.param .b32 number, .param .b32 count)\n{\n"
          "\t.reg .b32 %n, %c;\n\t.reg .pred %p;\n"
          "\tld.param.b32 %n, [number];\n\tld.param.b32 %c, [count];\n",
          out);
    if (counted == 0xffff)
        fputs("\tbarrier.arrive %n, %c;\n", out);
    for (uint32_t i = 0; i < 16 && counted != 0xffff; ++i)
        if (counted >> i & 1)
            fprintf(out, "\tsetp.eq.u32 %%p, %%n, %u;\n\t@%%p barrier.arrive %u, %%c;\n", i, i);
    fputs("\tret;\n}\n", out);
}

// The block's shadow ends with its mbarriers, which are as many as there is room for.
static void write_shadow(FILE *out, const struct library *library, const struct item *item)
{
    size_t open = item->end;
    while (open > item->begin && library->text[open - 1] != '[')
        --open;
    size_t bytes = offsetof(struct barlint_rt_block, object) +
                   library->room * sizeof(struct barlint_rt_object);
    write_text(out, library, item->begin, open);
    fprintf(out, "%zu];\n", (bytes + BARLINT_RT_GRAIN - 1) / BARLINT_RT_GRAIN * BARLINT_RT_GRAIN);
}

static void visit_variables(FILE *out, struct library *library, const struct item *item,
                            bool outside)
{
    bool is_state = items_is_directive(library->text, item->begin, ".extern") &&
                    contains(library, item, state_name);
    if (!outside || item->kind != ITEM_DECLARATION || is_state)
        return;
    if (contains(library, item, room_name)) {
        fprintf(out, ".weak .const .align 4 .u32 %s = %u;\n", room_name, library->room);
    } else if (contains(library, item, shadow_name) && contains(library, item, ".shared")) {
        write_shadow(out, library, item);
    } else {
        write_weak(out, library, item);
        fputc('\n', out);
    }
}

// Functions of which the address is known keep to the calling convention, so that what the kernel
// has in the registers that it preserves stays there. For calls of others ptxas puts whatever lives
// across one into memory, also where the call is hardly ever made.
static void visit_addresses(FILE *out, struct library *library, const struct item *item,
                            bool outside)
{
    if (!outside || item->kind != ITEM_FUNCTION || library->text[item->end - 1] == ';')
        return;
    size_t open = item->end;
    while (open > item->begin && library->text[open - 1] != '(')
        --open;
    size_t end = open - (open > item->begin);
    while (end > item->begin && !item_is_name(library->text[end - 1]))
        --end;
    size_t begin = end;
    while (begin > item->begin && item_is_name(library->text[begin - 1]))
        --begin;
    fputs(library->functions++ ? ", " : "", out);
    write_text(out, library, begin, end);
}

static void write_addresses(FILE *out, struct library *library, size_t length)
{
    char *text = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&text, &size);
    if (!list)
        return;
    for_each_item(list, library, length, visit_addresses);
    fclose(list);
    if (library->functions)
        fprintf(out, ".weak .global .align 8 .u64 %saddresses[%u] = {%s};\n", prefix,
                library->functions, text);
    free(text);
}

static void visit_code(FILE *out, struct library *library, const struct item *item, bool outside)
{
    if (outside && item->kind == ITEM_DECLARATION)
        return;
    if (outside && item->kind == ITEM_FUNCTION && contains(library, item, arrive_at) &&
        items_is_directive(library->text, item->begin, ".extern"))
        write_arrive_at(out, library->counted);
    else if (item->kind != ITEM_LINE && item->kind != ITEM_SECTION)
        write_weak(out, library, item);
    fputc('\n', out);
}

void instrument_join(FILE *out, const struct instrumented *module, const char *library_text,
                     size_t length)
{
    struct library library = {.text = library_text,
                              .counted = module->counted,
                              .room = module->has_mbarriers ? BARLINT_RT_OBJECTS : 0};
    arena_init(&library.arena);
    sh_new_strdup(library.renamed);
    if (module->state)
        shput(library.renamed, state_name, arena_strdup(&library.arena, module->state));
    for_each_item(out, &library, length, visit_names);
    char *code = NULL;
    size_t code_length = 0;
    FILE *stream = open_memstream(&code, &code_length);
    if (stream) {
        for_each_item(stream, &library, length, visit_code);
        fclose(stream);
    }
    struct inlining inlining;
    inlining_init(&inlining, module->is_linked || !code ? "" : code,
                  module->is_linked ? 0 : code_length);
    fwrite(module->text, 1, module->head, out);
    fputc('\n', out);
    if (module->is_linked) // nvlink takes no two sizes: modules of different versions are refused
        fprintf(out, ".weak .global .align 1 .b8 %s[%d];\n", BARLINT_RT_QUOTED(BARLINT_RT_VERSIONS),
                BARLINT_RT_LAYOUT);
    for_each_item(out, &library, length, visit_variables);
    for_each_item(out, &library, length, visit_prototypes);
    // ptxas serialises wgmma where functions are called by the convention. Functions that other
    // modules may call keep to it anyhow.
    if (!module->is_linked && !memmem(module->text, module->length, "wgmma.", strlen("wgmma.")))
        write_addresses(out, &library, length);
    inlining_write(out, &inlining, module->text + module->head, module->length - module->head);
    fputc('\n', out);
    fwrite(code, 1, code_length, out);
    inlining_release(&inlining);
    free(code);
    shfree(library.renamed);
    arena_release(&library.arena);
}
