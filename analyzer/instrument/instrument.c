#define _GNU_SOURCE // memmem
#include "instrument/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "barlint/runtime_check/sites.h"
#include "base/vec.h"
#include "instrument/addresses.h"
#include "instrument/awaited.h"
#include "instrument/bypass.h"
#include "instrument/groups.h"
#include "instrument/hears.h"
#include "instrument/items.h"
#include "instrument/registers.h"
#include "instrument/repeat.h"
#include "instrument/rewrite.h"
#include "instrument/rounds.h"
#include "instrument/spared.h"
#include "instrument/uniform.h"

// Names of everything that belongs to the hooks contain it.
static const char own_prefix[] = "barlint_rt_";
static const char state_name[] = "barlint_rt_state";

// What is not the same in the copy without hooks of a kernel that has two.
struct mark {
    struct item item;
    uint32_t site;       // of an instruction: its place
    bool is_dropped;     // it stands in neither copy
    const char *instead; // what stands there in that copy alone; else NULL
};

struct pass {
    const char *text;
    size_t length;
    const struct instrument_options *options;
    struct instrumented *out;
    FILE *stream;
    size_t copied; // how much of the text has been written
    struct arena scratch;
    struct registers registers;
    struct addresses addresses; // of the function
    struct places places;
    size_t body; // where the function's began
    uint32_t depth;
    uint32_t labels;
    bool in_kernel;
    bool is_own;                        // a function of the hooks themselves
    bool is_uniform;                    // a kernel whose barriers need no hooks
    struct uniform_condition condition; // is_needed: a kernel of which that holds on a condition
    struct repeat repeat;               // of a kernel for which that is not shown
    bool has_copy;                      // for either reason it has a copy without hooks
    struct mark *mark;                  // stb_ds: of such a kernel
    uint32_t plain;                     // the label of its other copy
    struct bypassed *bypassed;          // stb_ds: of a kernel (bypass.h)
    uint64_t hears_nothing;             // BARLINT_RT_HEARS_NOTHING; 0: threads may (hears.h)
    struct awaited awaited;             // of a kernel that counts its groups
    bool by_rounds;                     // a kernel whose warps count rounds
    bool has_groups;                    // kernels count their groups of cp.async copies
    bool has_peers;                     // addresses of other CTAs' shared memory are made here
    bool has_givers;                    // warps may arrive at named barriers and go on
    bool entered;                       // rewrite_enter() was written
    uint32_t first_told;                // the place that the lowest bit of %bl_told is of
};

static void copy_to(struct pass *pass, size_t end)
{
    if (end > pass->copied)
        fwrite(pass->text + pass->copied, 1, end - pass->copied, pass->stream);
    pass->copied = end > pass->copied ? end : pass->copied;
}

static uint64_t site_of(const struct pass *pass, uint32_t number)
{
    return (uint64_t)pass->options->module << 32 | number;
}

// Finds `word` in text[begin, end).
static const char *find(const char *text, size_t begin, size_t end, const char *word)
{
    return memmem(text + begin, end - begin, word, strlen(word));
}

// The whole name that stands around `at`.
static char *name_around(struct arena *arena, const char *text, const char *at)
{
    const char *begin = at, *end = at;
    while (begin > text && item_is_name(begin[-1]))
        --begin;
    while (item_is_name(*end))
        ++end;
    return arena_strndup(arena, begin, (size_t)(end - begin));
}

// --- What stands outside of functions ------------------------------------------------------------

static char *function_name(struct arena *arena, const char *text, size_t begin, size_t end)
{
    const char *at = find(text, begin, end, ".entry");
    at = at ? at + strlen(".entry") : find(text, begin, end, ".func");
    if (!at)
        return arena_strdup(arena, "");
    size_t offset = (size_t)(at - text);
    if (items_is_directive(text, offset, ".func"))
        offset += strlen(".func");
    offset = items_skip_blank(text, end, offset);
    if (offset < end && text[offset] == '(') { // what it returns
        while (offset < end && text[offset] != ')')
            ++offset;
        offset = items_skip_blank(text, end, offset + 1);
    }
    return offset < end ? name_around(arena, text, text + offset) : arena_strdup(arena, "");
}

static bool repeats(const struct pass *pass)
{
    return pass->repeat.blocks || pass->repeat.launches;
}

static void read_function(struct pass *pass, const struct item *item)
{
    char *name = function_name(&pass->out->arena, pass->text, item->begin, item->end);
    pass->in_kernel = find(pass->text, item->begin, item->end, ".entry") != NULL;
    pass->is_own = strstr(name, own_prefix) != NULL;
    arrfree(pass->condition.agreed);
    bool is_uniform =
        pass->in_kernel && !pass->is_own &&
        uniform_kernel(&pass->out->arena, pass->text, pass->length, item->begin, &pass->condition);
    pass->is_uniform = is_uniform && !pass->condition.is_needed;
    pass->condition.is_needed &= is_uniform;
    pass->by_rounds = false;
    if (pass->in_kernel && !pass->is_own && !pass->is_uniform) {
        uint32_t used = pass->places.first + (uint32_t)arrlenu(pass->places.site);
        pass->by_rounds =
            used < BARLINT_RT_ROUND_PLACES &&
            rounds_kernel(pass->text, pass->length, item->begin, BARLINT_RT_ROUND_PLACES - used);
    }
    arrfree(pass->bypassed);
    if (pass->in_kernel && !pass->is_own && !pass->is_uniform)
        pass->bypassed = bypass_find(pass->text, pass->length, item->begin);
    pass->hears_nothing = 0;
    if (pass->in_kernel && !pass->is_own && !pass->is_uniform &&
        !hears_kernel(pass->text, pass->length, item->begin))
        pass->hears_nothing = BARLINT_RT_HEARS_NOTHING;
    pass->awaited = (struct awaited){.copies = true, .stores = true};
    if (pass->in_kernel && !pass->is_own && pass->has_groups)
        pass->awaited = awaited_find(pass->text, pass->length, item->begin);
    arrfree(pass->repeat.parameter);
    pass->repeat = (struct repeat){0};
    if (pass->in_kernel && !pass->is_own && !is_uniform)
        pass->repeat = repeat_kernel(&pass->out->arena, pass->text, pass->length, item->begin);
    pass->has_copy = pass->condition.is_needed || repeats(pass);
    pass->entered = false;
    if (items_is_directive(pass->text, item->begin, ".extern") && !function_is_system(name))
        pass->out->has_other_code = true;
    places_enter(&pass->places, name);
}

static void read_line(struct pass *pass, const struct item *item)
{
    struct instrumented *out = pass->out;
    const char *text = pass->text;
    if (items_is_directive(text, item->begin, ".address_size")) {
        copy_to(pass, item->end);
        out->head = (size_t)ftell(pass->stream);
    } else if (items_is_directive(text, item->begin, ".target") && !*out->target) {
        size_t at = items_skip_blank(text, item->end, item->begin + strlen(".target"));
        if (at < item->end)
            out->target = name_around(&out->arena, text + at, text + at);
    } else {
        places_line(&pass->places, text + item->begin, item->end - item->begin);
    }
}

static bool is_variable(const char *text, const struct item *item)
{
    return item->kind == ITEM_DECLARATION && (items_is_directive(text, item->begin, ".shared") ||
                                              items_is_directive(text, item->begin, ".local"));
}

static void read_declaration(struct pass *pass, const struct item *item)
{
    const char *text = pass->text;
    if (pass->depth == 1 && pass->has_copy && is_variable(text, item)) {
        struct mark mark = {.item = *item};
        arrput(pass->mark, mark);
        copy_to(pass, item->begin);
        pass->copied = item->end;
    }
    if (items_is_directive(text, item->begin, ".reg")) {
        registers_declare(&pass->registers, text + item->begin, item->end - item->begin);
        return;
    }
    const char *state = find(text, item->begin, item->end, state_name);
    bool is_global = find(text, item->begin, item->end, ".global") != NULL;
    if (pass->depth == 0 && state && is_global)
        pass->out->state = name_around(&pass->out->arena, text, state);
}

// --- Instructions --------------------------------------------------------------------------------

static void leave(struct pass *pass, const char *mnemonic)
{
    struct instrumented *out = pass->out;
    ++out->left_count;
    ptrdiff_t known = shgeti(out->left, mnemonic);
    if (known >= 0)
        ++out->left[known].value;
    else
        shput(out->left, arena_strdup(&out->arena, mnemonic), 1);
}

// ret and exit are rewritten too, but alone are no reason to instrument a module.
static bool is_end(const struct instruction *instruction)
{
    return instruction_is(instruction, "ret") || instruction_is(instruction, "exit");
}

// That a place was passed is a bit behind the module's state. The kernel's first places have a bit
// of %bl_told each, which says that it is known already: those that were passed before the kernel
// began are loaded at one go.
static void write_told(struct pass *pass)
{
    const char *state = pass->out->state;
    uint32_t first = pass->first_told, shift = first % 32, at = 8 + first / 32 * 4;
    if (!state || first + 32 >= BARLINT_RT_PASSED)
        fputs("\tmov.b32 %bl_told, 0;\n", pass->stream);
    else if (shift == 0)
        fprintf(pass->stream, "\tld.global.u32 %%bl_told, [%s+%u];\n", state, at);
    else
        fprintf(pass->stream,
                "\t{\n\t.reg .b32 %%bl_more;\n\tld.global.u32 %%bl_told, [%s+%u];\n"
                "\tld.global.u32 %%bl_more, [%s+%u];\n"
                "\tshf.r.wrap.b32 %%bl_told, %%bl_told, %%bl_more, %u;\n\t}\n",
                state, at, state, at + 4, shift);
}

// Whoever passes a place that it does not know to be passed looks before it says so, or a kernel
// would write to one line of memory all the time.
static void write_passing(struct pass *pass, uint32_t site)
{
    const char *state = pass->out->state;
    if (!state || site >= BARLINT_RT_PASSED)
        return;
    uint32_t number = site - pass->first_told, at = 8 + site / 32 * 4;
    uint32_t told = pass->entered && !pass->is_uniform && number < 32 ? 1u << number : 0;
    uint32_t bit = 1u << site % 32;
    fprintf(pass->stream, "\t{\n\t.reg .b32 %%bl_bit;\n\t.reg .pred %%bl_fresh;\n");
    if (told)
        fprintf(pass->stream,
                "\tand.b32 %%bl_bit, %%bl_told, %u;\n"
                "\tsetp.ne.u32 %%bl_fresh, %%bl_bit, 0;\n\t@%%bl_fresh bra bl_known;\n"
                "\tor.b32 %%bl_told, %%bl_told, %u;\n",
                told, told);
    fprintf(pass->stream,
            "\tld.global.u32 %%bl_bit, [%s+%u];\n\tand.b32 %%bl_bit, %%bl_bit, %u;\n"
            "\tsetp.eq.u32 %%bl_fresh, %%bl_bit, 0;\n"
            "\t@%%bl_fresh red.global.or.b32 [%s+%u], %u;\n%s\t}\n",
            state, at, bit, state, at, bit, told ? "bl_known:\n" : "");
}

static void write_block(struct pass *pass, const struct item *item,
                        const struct instruction *instruction, const char *block, uint32_t site)
{
    copy_to(pass, item->begin);
    fprintf(pass->stream, "{ // barlint: %s\n", instruction->mnemonic);
    uint32_t label = pass->labels++;
    if (instruction->guard)
        fprintf(pass->stream, "\t@%s%s bra $L__barlint_%u;\n",
                instruction->guard_negated ? "" : "!", instruction->guard, label);
    fputs(block, pass->stream);
    if (!is_end(instruction))
        write_passing(pass, site);
    if (instruction->guard)
        fprintf(pass->stream, "$L__barlint_%u:\n", label);
    fprintf(pass->stream, "\t}");
    pass->copied = item->end;
}

static const struct bypassed *bypass_at(const struct bypassed *sorted, size_t wanted)
{
    ptrdiff_t low = 0, high = arrlen(sorted);
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (sorted[middle].at < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < arrlen(sorted) && sorted[low].at == wanted ? &sorted[low] : NULL;
}

static enum bypass bypass_of(const struct bypassed *sorted, size_t wanted)
{
    const struct bypassed *found = bypass_at(sorted, wanted);
    return found ? found->how : BYPASS_NOT_KNOWN;
}

// What the table of places says of a barrier of the block, which may go on without threads that
// have ended.
static uint32_t bypass_of_place(const struct bypassed *sorted, const struct item *item,
                                const struct instruction *instruction)
{
    bool is_barrier =
        strcmp(instruction->part[0], "bar") == 0 || strcmp(instruction->part[0], "barrier") == 0;
    if (!is_barrier || instruction_has(instruction, "warp") ||
        instruction_has(instruction, "cluster"))
        return 0;
    const struct bypassed *found = bypass_at(sorted, item->begin);
    return bypass_flags(found && found->reached ? BYPASS_SURE : bypass_of(sorted, item->begin));
}

// What stands in the place of the instruction, which the caller owns. `is_uniform`: in a kernel, or
// a copy of one, whose barriers are left alone.
static enum rewrite_result rewrite_item(struct pass *pass, const struct item *item,
                                        const struct instruction *instruction, uint32_t site,
                                        bool is_uniform, char **out_block)
{
    size_t size = 0;
    FILE *stream = open_memstream(out_block, &size);
    if (!stream)
        return REWRITE_NONE;
    struct rewrite rewrite = {
        .out = stream,
        .registers = &pass->registers,
        .site = site_of(pass, site),
        .in_kernel = pass->in_kernel,
        .has_groups = pass->in_kernel && pass->has_groups,
        .has_peers = pass->has_peers,
        .has_givers = pass->has_givers,
        .bypass = bypass_of(pass->bypassed, item->begin),
        .awaited = pass->awaited,
        .by_rounds = pass->by_rounds,
        .is_uniform = is_uniform,
        .asks = pass->repeat.polls,
        .counted = &pass->out->counted,
        .has_mbarriers = &pass->out->has_mbarriers,
        .addresses = &pass->addresses,
    };
    enum rewrite_result result = rewrite_instruction(&rewrite, instruction);
    fclose(stream);
    return result;
}

static void drop_instruction(struct pass *pass, const struct item *item, const char *mnemonic)
{
    copy_to(pass, item->begin);
    fprintf(pass->stream, "// barlint: without %s", mnemonic);
    pass->copied = item->end;
    if (pass->text[item->end] != '\n')
        fputc('\n', pass->stream);
}

// Marks the instruction if it is a load of what the threads agree on.
static void mark_agreed(struct pass *pass, const struct item *item)
{
    for (ptrdiff_t i = 0; i < arrlen(pass->condition.agreed); ++i)
        if (pass->condition.agreed[i].begin == item->begin) {
            struct mark mark = {.item = *item, .instead = pass->condition.agreed[i].move};
            arrput(pass->mark, mark);
        }
}

static void read_instruction(struct pass *pass, const struct item *item)
{
    const char *text = pass->text + item->begin;
    mark_agreed(pass, item);
    if (pass->is_own || pass->depth == 0 ||
        !(instruction_may_concern(text) || addresses_may_concern(&pass->addresses, text)))
        return;
    struct instruction instruction;
    if (!instruction_parse(&pass->scratch, text, item->end - item->begin, &instruction))
        return;
    char *block = NULL;
    // The number that places_add() is going to give.
    uint32_t site = pass->places.first + (uint32_t)arrlenu(pass->places.site);
    enum rewrite_result result =
        rewrite_item(pass, item, &instruction, site, pass->is_uniform, &block);
    if (result == REWRITE_DONE) {
        struct mark mark = {.item = *item, .site = site};
        places_add(&pass->places, arena_strdup(&pass->out->arena, instruction.mnemonic),
                   bypass_of_place(pass->bypassed, item, &instruction));
        write_block(pass, item, &instruction, block, site);
        if (pass->has_copy)
            arrput(pass->mark, mark);
        pass->out->count += !is_end(&instruction);
    } else if (result == REWRITE_DROP) {
        struct mark mark = {.item = *item, .is_dropped = true};
        drop_instruction(pass, item, instruction.mnemonic);
        if (pass->has_copy)
            arrput(pass->mark, mark);
    } else if (result == REWRITE_UNKNOWN) {
        leave(pass, instruction.mnemonic);
    }
    free(block);
    arena_release(&pass->scratch);
}

// --- Kernels that have two copies ----------------------------------------------------------------

typedef bool declares(const char *text, const struct item *item);

// Declares what the body, which begins there, does of a kind. What a block within it declares for
// itself, as inline assembly does, stays there: another may declare the same name.
static void write_declarations(struct pass *pass, size_t begin, declares *is_one)
{
    struct items items;
    items_init(&items, pass->text, pass->length);
    items.at = begin;
    items.depth = 1;
    struct item item;
    while (items.depth && (item = items_next(&items)).kind != ITEM_END)
        if (items.depth == 1 && is_one(pass->text, &item))
            fprintf(pass->stream, "\n\t%.*s", (int)(item.end - item.begin),
                    pass->text + item.begin);
}

static bool is_register(const char *text, const struct item *item)
{
    return item->kind == ITEM_DECLARATION && items_is_directive(text, item->begin, ".reg");
}

// Does a thread of the block leave as it begins? It does where %bl_leave says so.
static void write_leaving(struct pass *pass, size_t begin)
{
    fputs("\n\t.reg .pred %bl_leave;\n\tsetp.ne.u32 %bl_leave, 0, 0;\n\t{", pass->stream);
    write_declarations(pass, begin, is_register);
    fprintf(pass->stream, "\n%s\t}\n\tbar.red.or.pred %%bl_leave, 0, %%bl_leave;\n",
            pass->condition.leave);
}

// Do all threads of the block load the same? Nobody asks where some of them leave.
static void write_agreeing(struct pass *pass, size_t begin)
{
    const struct agree_load *loads = pass->condition.agreed;
    uint32_t label = pass->labels++;
    fputs("\n\t.reg .pred %bl_agree;\n\tsetp.ne.u32 %bl_agree, 0, 0;\n", pass->stream);
    if (pass->condition.leave)
        fprintf(pass->stream, "\t@%%bl_leave bra $L__barlint_%u;\n", label);
    fputs("\t{", pass->stream);
    write_declarations(pass, begin, is_register);
    fputs("\n", pass->stream);
    for (ptrdiff_t i = 0; i < arrlen(loads); ++i)
        fputs(loads[i].text, pass->stream);
    fputs("\t}\n", pass->stream);
    agree_ask(pass->stream, loads);
    fprintf(pass->stream, "$L__barlint_%u:\n", label);
}

// Goes to the copy without hooks if the launch is such that nothing can go wrong.
static void write_condition(struct pass *pass, size_t begin)
{
    const struct uniform_condition *condition = &pass->condition;
    if (condition->agreed)
        agree_declare(pass->stream, condition->agreed);
    fputs("\n{ // barlint: can anything go wrong?", pass->stream);
    if (condition->leave)
        write_leaving(pass, begin);
    if (condition->agreed)
        write_agreeing(pass, begin);
    fputs("\n\t.reg .b32 %bl_x, %bl_y, %bl_z;\n\t.reg .pred %bl_p;\n"
          "\tmov.u32 %bl_x, %ntid.x;\n\tmov.u32 %bl_y, %ntid.y;\n\tmov.u32 %bl_z, %ntid.z;\n"
          "\tmul.lo.u32 %bl_y, %bl_y, %bl_z;\n\tmul.lo.u32 %bl_x, %bl_x, %bl_y;\n",
          pass->stream);
    fprintf(pass->stream, "\tsetp.le.u32 %%bl_p, %%bl_y, %d;\n", condition->in_line ? 1 : 1024);
    if (condition->threads)
        fprintf(pass->stream, "\tsetp.eq.and.u32 %%bl_p, %%bl_x, %u, %%bl_p;\n",
                condition->threads);
    if (condition->multiple)
        fprintf(pass->stream,
                "\tand.b32 %%bl_y, %%bl_x, %u;\n\tsetp.eq.and.u32 %%bl_p, %%bl_y, 0, %%bl_p;\n",
                condition->multiple - 1);
    if (condition->most)
        fprintf(pass->stream, "\tsetp.le.and.u32 %%bl_p, %%bl_x, %u, %%bl_p;\n", condition->most);
    if (condition->leave)
        fputs("\tnot.pred %bl_leave, %bl_leave;\n\tand.pred %bl_p, %bl_p, %bl_leave;\n",
              pass->stream);
    if (condition->agreed)
        fputs("\tand.pred %bl_p, %bl_p, %bl_agree;\n", pass->stream);
    fprintf(pass->stream, "\t@%%bl_p bra $L__barlint_%u;\n}", pass->plain);
}

// Declares what both copies have, and goes to the one without hooks where that will do.
static void begin_copies(struct pass *pass, size_t begin, uint64_t site)
{
    pass->plain = pass->labels++;
    write_declarations(pass, begin, is_variable); // once, for both
    if (pass->condition.is_needed)
        write_condition(pass, begin);
    if (repeats(pass))
        spared_ask(pass->stream, &pass->repeat, pass->plain, site);
    fputs("\n{", pass->stream);
}

static void write_plain_instruction(struct pass *pass, const struct mark *mark)
{
    struct instruction instruction;
    if (mark->instead) {
        copy_to(pass, mark->item.begin);
        fputs(mark->instead, pass->stream);
        pass->copied = mark->item.end;
        return;
    }
    if (!instruction_parse(&pass->scratch, pass->text + mark->item.begin,
                           mark->item.end - mark->item.begin, &instruction))
        return;
    char *block = NULL;
    if (mark->is_dropped) {
        drop_instruction(pass, &mark->item, instruction.mnemonic);
    } else if (rewrite_item(pass, &mark->item, &instruction, mark->site, true, &block) ==
               REWRITE_DONE) {
        write_block(pass, &mark->item, &instruction, block, mark->site);
    } else if (!is_end(&instruction)) {
        free(block);
        size_t size = 0;
        FILE *stream = open_memstream(&block, &size);
        if (!stream)
            return;
        instruction_write(&instruction, stream);
        fclose(stream);
        write_block(pass, &mark->item, &instruction, block, mark->site);
    }
    free(block);
}

// The copy without hooks of what stands between the braces, which tells of places that are passed.
static void write_plain(struct pass *pass, size_t end)
{
    copy_to(pass, end);
    fprintf(pass->stream,
            "}\n$L__barlint_%u:\n{ // barlint: no hooks\n\t.reg .b32 %%bl_told, %%bl_polls;\n"
            "\tmov.b32 %%bl_polls, 0;\n",
            pass->plain);
    write_told(pass);
    if (pass->has_groups)
        groups_declare(pass->stream);
    pass->copied = pass->body;
    for (ptrdiff_t i = 0; i < arrlen(pass->mark); ++i) {
        const struct mark *mark = &pass->mark[i];
        if (mark->item.kind == ITEM_INSTRUCTION) {
            write_plain_instruction(pass, mark);
        } else {
            copy_to(pass, mark->item.begin);
            pass->copied = mark->item.end;
        }
    }
    copy_to(pass, end);
    fputs("}\n", pass->stream);
    arrsetlen(pass->mark, 0);
    pass->has_copy = false;
}

// --- The whole -----------------------------------------------------------------------------------

static void open_brace(struct pass *pass, const struct item *item)
{
    registers_open(&pass->registers);
    if (pass->depth == 0) {
        pass->body = item->end;
        addresses_read(&pass->addresses, pass->text, pass->length, item->end);
    }
    if (pass->depth++ == 0 && pass->in_kernel && !pass->is_own && !pass->entered) {
        pass->entered = true;
        copy_to(pass, item->end);
        uint32_t site = pass->is_uniform ? 0 : places_add(&pass->places, "", 0);
        if (pass->has_copy)
            begin_copies(pass, item->end, site_of(pass, site));
        if (pass->has_groups)
            groups_declare(pass->stream);
        if (!pass->is_uniform) {
            rewrite_enter(pass->stream, pass->by_rounds, site_of(pass, site) | pass->hears_nothing);
            pass->first_told = site + 1;
            write_told(pass);
        }
        if (repeats(pass))
            spared_note(pass->stream, &pass->repeat, site_of(pass, site));
    }
}

static void read_item(struct pass *pass, const struct item *item)
{
    switch (item->kind) {
    case ITEM_FUNCTION:
        read_function(pass, item);
        break;
    case ITEM_LINE:
        read_line(pass, item);
        break;
    case ITEM_DECLARATION:
        read_declaration(pass, item);
        break;
    case ITEM_SECTION:
        places_section(&pass->places, pass->text + item->begin, item->end - item->begin);
        break;
    case ITEM_OPEN:
        open_brace(pass, item);
        break;
    case ITEM_CLOSE:
        registers_close(&pass->registers);
        pass->depth -= pass->depth > 0;
        if (pass->depth == 0 && pass->has_copy)
            write_plain(pass, item->begin);
        break;
    case ITEM_INSTRUCTION:
        read_instruction(pass, item);
        break;
    case ITEM_LABEL:
    case ITEM_END:
        break;
    }
}

// May warps arrive at named barriers without waiting there: in this module, or in code it calls?
static bool may_give(const char *text, size_t length)
{
    static const char *const words[] = {"bar.arrive", "bar.cta.arrive", "barrier.arrive",
                                        "barrier.cta.arrive", ".extern .func"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        const char *at = text;
        while ((at = find(at, 0, (size_t)(text + length - at), words[i]))) {
            if (at == text || !item_is_name(at[-1])) // not mbarrier.arrive
                return true;
            ++at;
        }
    }
    return false;
}

// Do kernels copy by cp.async, or store in bulk, and leave that to no function?
static bool counts_groups(const char *text, size_t length)
{
    struct items items;
    items_init(&items, text, length);
    struct item item;
    bool in_kernel = false, copies = false;
    while ((item = items_next(&items)).kind != ITEM_END) {
        const char *at = text + item.begin;
        if (item.kind == ITEM_FUNCTION)
            in_kernel = find(text, item.begin, item.end, ".entry") != NULL;
        bool stores = item.kind == ITEM_INSTRUCTION && strncmp(at, "cp.", strlen("cp.")) == 0 &&
                      find(text, item.begin, item.end, ".bulk_group") != NULL;
        if (item.kind != ITEM_INSTRUCTION ||
            (!stores && strncmp(at, "cp.async", strlen("cp.async")) != 0))
            continue;
        if (!in_kernel)
            return false;
        copies |= stores || strncmp(at, "cp.async.c", strlen("cp.async.c")) == 0; // .ca or .cg
    }
    return copies;
}

void instrument_ptx(struct instrumented *out, const char *text, size_t length,
                    const struct instrument_options *options)
{
    *out = (struct instrumented){.target = ""};
    arena_init(&out->arena);
    struct pass pass = {.text = text, .length = length, .options = options, .out = out};
    pass.has_groups = counts_groups(text, length);
    pass.has_peers = memmem(text, length, "\tmapa", strlen("\tmapa")) != NULL;
    pass.has_givers = options->is_relocatable || may_give(text, length);
    arena_init(&pass.scratch);
    places_init(&pass.places, &out->arena, options->first_site);
    char *result = NULL;
    size_t size = 0;
    pass.stream = open_memstream(&result, &size);
    struct items items;
    items_init(&items, text, length);
    struct item item;
    while (pass.stream && (item = items_next(&items)).kind != ITEM_END)
        read_item(&pass, &item);
    if (pass.stream) {
        copy_to(&pass, length);
        fclose(pass.stream);
    }
    out->is_linked = options->is_relocatable || out->has_other_code;
    if (out->is_linked) {
        out->counted = 0xffff;
        out->has_mbarriers = true;
    }
    out->text = result;
    out->length = size;
    out->site = places_table(&pass.places, &out->site_count);
    arrfree(pass.mark);
    arrfree(pass.condition.agreed);
    arrfree(pass.bypassed);
    arrfree(pass.repeat.parameter);
    registers_release(&pass.registers);
    addresses_release(&pass.addresses);
    places_release(&pass.places);
    arena_release(&pass.scratch);
}

void instrumented_release(struct instrumented *module)
{
    shfree(module->left);
    free(module->text);
    arena_release(&module->arena);
}

bool instrumented_is_needed(const struct instrumented *module)
{
    return module->text && module->state && *module->target && module->head &&
           (module->count || module->has_other_code);
}

// --- The table -----------------------------------------------------------------------------------

static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c == '?' || c >= 0x7f) // ? for trigraphs
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void instrument_registration(FILE *out, uint32_t module, const struct instrument_site *site,
                             size_t count)
{
    fprintf(out, "\nstatic const struct barlint_rt_site barlint_rt_sites_of_unit[] = {\n");
    for (size_t i = 0; i < count; ++i) {
        fputc('{', out);
        print_text(out, site[i].file);
        fprintf(out, ", %u, %u, ", site[i].line, site[i].column);
        print_text(out, site[i].function);
        fputs(", ", out);
        print_text(out, site[i].instruction);
        fprintf(out, ", %u, %u},\n", site[i].inlined_at, site[i].bypassed);
    }
    fprintf(out,
            "};\nstatic struct barlint_rt_module barlint_rt_module_of_unit = {\n"
            "(const void *)&barlint_rt_state, %uu, barlint_rt_sites_of_unit, %zuu, 0, 0};\n"
            "static void __attribute__((constructor)) barlint_rt_register_unit(void)\n"
            "{ barlint_rt_register(&barlint_rt_module_of_unit); }\n",
            module, count);
}

// Tabs and ends of lines are what parts the text.
static void put_text(FILE *out, const char *text, char end)
{
    for (; *text; ++text)
        fputc(*text == '\t' || *text == '\n' ? ' ' : *text, out);
    fputc(end, out);
}

void instrument_places(FILE *out, const struct instrumented *module,
                       const struct instrument_options *options)
{
    const struct instrument_site *site = module->site;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return;
    fprintf(stream, "%u\t%u\t%u\n", options->module, options->first_site, module->site_count);
    for (uint32_t i = 0; i < module->site_count; ++i) {
        fprintf(stream, "%u\t%u\t%u\t%u\t", site[i].line, site[i].column, site[i].inlined_at,
                site[i].bypassed);
        put_text(stream, site[i].file, '\t');
        put_text(stream, site[i].function, '\t');
        put_text(stream, site[i].instruction, '\n');
    }
    fclose(stream);
    fprintf(out, "\n.visible .global .align 8 .u64 %s = generic(%s);\n", BARLINT_RT_STATE_AT,
            module->state);
    fprintf(out, ".visible .global .align 1 .b8 barlint_rt_places[%zu] = {", size);
    for (size_t i = 0; i < size; ++i)
        fprintf(out, "%s%u", i ? ", " : "", (unsigned char)text[i]);
    fprintf(out, "};\n");
    free(text);
}
