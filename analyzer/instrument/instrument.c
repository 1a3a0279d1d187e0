#define _GNU_SOURCE // memmem
#include "instrument/instrument.h"

#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "barlint/runtime_check/sites.h"
#include "base/vec.h"
#include "instrument/groups.h"
#include "instrument/hears.h"
#include "instrument/pass.h"
#include "instrument/plain_copy.h"
#include "instrument/rounds.h"
#include "instrument/spared.h"

// Names of everything that belongs to the hooks contain it.
static const char own_prefix[] = "barlint_rt_";
static const char state_name[] = "barlint_rt_state";

void pass_copy(struct pass *pass, size_t end)
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
        pass_copy(pass, item->end);
        out->head = (size_t)ftell(pass->stream);
    } else if (items_is_directive(text, item->begin, ".target") && !*out->target) {
        size_t at = items_skip_blank(text, item->end, item->begin + strlen(".target"));
        if (at < item->end)
            out->target = name_around(&out->arena, text + at, text + at);
    } else {
        places_line(&pass->places, text + item->begin, item->end - item->begin);
    }
}

static void read_declaration(struct pass *pass, const struct item *item)
{
    const char *text = pass->text;
    if (pass->depth == 1 && pass->has_copy && plain_copy_shares(text, item)) {
        struct mark mark = {.item = *item};
        arrput(pass->mark, mark);
        pass_copy(pass, item->begin);
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

bool pass_is_end(const struct instruction *instruction)
{
    return instruction_is(instruction, "ret") || instruction_is(instruction, "exit");
}

void pass_write(struct pass *pass, const struct item *item, const struct instruction *instruction,
                const char *block, uint32_t site, uint32_t passed)
{
    pass_copy(pass, item->begin);
    fprintf(pass->stream, "{ // barlint: %s\n", instruction->mnemonic);
    uint32_t label = pass->labels++;
    if (instruction->guard)
        fprintf(pass->stream, "\t@%s%s bra $L__barlint_%u;\n",
                instruction->guard_negated ? "" : "!", instruction->guard, label);
    fputs(block, pass->stream);
    if (!pass_is_end(instruction))
        passed_tell(pass->stream, &pass->passed, site, passed);
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

enum rewrite_result pass_rewrite(struct pass *pass, const struct item *item,
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

void pass_drop(struct pass *pass, const struct item *item, const char *mnemonic)
{
    pass_copy(pass, item->begin);
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

// --- Places that are passed together -------------------------------------------------------------

// Operations of a warp that stand in a row, with no branch between them, are told of at one go,
// behind the last: lanes that hang there do not tell of those that they have passed.
static bool is_in_row(const struct instruction *instruction)
{
    static const char *const words[] = {"shfl", "vote", "match", "redux", "elect"};
    return !instruction->guard &&
           (IS_ANY(instruction->part[0], words) || instruction_is(instruction, "bar.warp"));
}

// Does control go elsewhere here, or are arguments put where a call takes them from, between which
// and the call nothing is to stand?
static bool ends_row(const char *text)
{
    static const char *const words[] = {"bra", "brx", "ret", "exit", "trap", "call", "st.param"};
    static const char blanks[] = " \t\r\n";
    if (*text == '@') { // the guard
        text += 1 + strspn(text + 1, " \t\r\n!");
        while (item_is_name(*text))
            ++text;
        text += strspn(text, blanks);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strncmp(text, words[i], strlen(words[i])) == 0 && !item_is_name(text[strlen(words[i])]))
            return true;
    return false;
}

// Tells of the places of a row that ends here.
static void end_row(struct pass *pass, size_t end)
{
    if (!pass->row)
        return;
    while (end > pass->copied && strchr(" \t", pass->text[end - 1]))
        --end;
    pass_copy(pass, end);
    passed_tell(pass->stream, &pass->passed, pass->last, pass->row);
    for (ptrdiff_t i = arrlen(pass->mark); i-- > 0;)
        if (pass->mark[i].is_hooked && pass->mark[i].site == pass->last) {
            pass->mark[i].passed = pass->row;
            break;
        }
    pass->row = 0;
}

static void read_instruction(struct pass *pass, const struct item *item)
{
    const char *text = pass->text + item->begin;
    if (ends_row(text))
        end_row(pass, item->begin);
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
        pass_rewrite(pass, item, &instruction, site, pass->is_uniform, &block);
    if (result == REWRITE_DONE) {
        bool in_row = is_in_row(&instruction);
        struct mark mark = {.item = *item, .site = site, .is_hooked = true, .passed = !in_row};
        if (!in_row || site != pass->last + 1)
            end_row(pass, item->begin);
        places_add(&pass->places, arena_strdup(&pass->out->arena, instruction.mnemonic),
                   bypass_of_place(pass->bypassed, item, &instruction));
        pass_write(pass, item, &instruction, block, site, mark.passed);
        if (pass->has_copy)
            arrput(pass->mark, mark);
        pass->row += in_row;
        pass->last = site;
        pass->out->count += !pass_is_end(&instruction);
    } else if (result == REWRITE_DROP) {
        struct mark mark = {.item = *item, .is_dropped = true};
        pass_drop(pass, item, instruction.mnemonic);
        if (pass->has_copy)
            arrput(pass->mark, mark);
    } else if (result == REWRITE_UNKNOWN) {
        leave(pass, instruction.mnemonic);
    }
    free(block);
    arena_release(&pass->scratch);
}

// --- The whole -----------------------------------------------------------------------------------

static void open_brace(struct pass *pass, const struct item *item)
{
    registers_open(&pass->registers);
    if (pass->depth == 0) {
        pass->passed = (struct passed){.state = pass->out->state};
        pass->body = item->end;
        addresses_read(&pass->addresses, pass->text, pass->length, item->end);
    }
    if (pass->depth++ == 0 && pass->in_kernel && !pass->is_own && !pass->entered) {
        pass->entered = true;
        pass_copy(pass, item->end);
        uint32_t site = pass->is_uniform ? 0 : places_add(&pass->places, "", 0);
        if (pass->has_copy)
            plain_copy_begin(pass, item->end, site_of(pass, site));
        if (pass->has_groups)
            groups_declare(pass->stream);
        if (!pass->is_uniform) {
            rewrite_enter(pass->stream, pass->by_rounds, site_of(pass, site) | pass->hears_nothing);
            pass->passed = (struct passed){pass->out->state, site + 1, true};
            passed_begin(pass->stream, &pass->passed);
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
        if (pass->depth == 0)
            end_row(pass, item->begin);
        if (pass->depth == 0 && pass->has_copy)
            plain_copy_end(pass, item->begin);
        break;
    case ITEM_INSTRUCTION:
        read_instruction(pass, item);
        break;
    case ITEM_LABEL:
        end_row(pass, item->begin);
        break;
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
        pass_copy(&pass, length);
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
