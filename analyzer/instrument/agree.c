// A load can be done as a kernel begins if every thread comes to it, once, and nothing before it
// could have told a thread that the value is there now, or kept it from coming: no store to memory
// that others see, no atomic, no fence, no load that acquires or that is repeated until it gives
// something else, no trap. Its address is made of parameters, constants and other such loads, all
// of which every thread comes to. (PTX ISA 9.1, 8.)
#include "instrument/agree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/emit.h"
#include "instrument/items.h"
#include "instrument/registers.h"

enum { MOST_LOADS = 8, MOST_STEPS = 64 };

struct agree {
    struct flow *flow;
    struct registers registers; // of the kernel's outermost braces
    ptrdiff_t **last;           // stb_ds, by node: the nodes that lead there
    ptrdiff_t *stack;           // stb_ds
    bool *is_before;            // by node: the kernel comes here before the node that is looked at
    bool turns, asks;           // a branch before it leads back; a load before it may be repeated
    bool *is_passed;            // by step: every thread has passed it
    ptrdiff_t load;             // the step that is looked at
    bool *is_used;              // by step: what its address is made of
    uint32_t used;              // how many
};

// --- What comes before ---------------------------------------------------------------------------

static bool is_load(const struct instruction *instruction)
{
    return strcmp(instruction->part[0], "ld") == 0 && !instruction_has(instruction, "acquire") &&
           !instruction_has(instruction, "mmio");
}

// Does no thread learn from the step what another one outside of the block has done? `*asks`: it
// may learn that where it comes to the step again and again.
static bool is_quiet(struct flow *flow, const struct flow_step *step, bool *asks)
{
    static const char *const words[] = {"mbarrier.init", "fence.mbarrier_init", "prefetch",
                                        "prefetchu", "applypriority"};
    if (step->result == FLOW_COMPUTES || step->barrier == FLOW_OF_BLOCK ||
        step->barrier == FLOW_OF_WARP)
        return true;
    struct instruction instruction = flow_instruction(flow, step);
    bool is_shared =
        instruction_has(&instruction, "shared") || instruction_has(&instruction, "shared::cta");
    bool is_plain =
        !instruction_has(&instruction, "volatile") && !instruction_has(&instruction, "relaxed");
    if (strcmp(instruction.part[0], "st") == 0)
        return is_shared;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (instruction_is(&instruction, words[i]))
            return true;
    *asks |= !is_shared || !is_plain;
    return is_load(&instruction);
}

static bool may_abort(const struct flow *flow, ptrdiff_t node)
{
    for (int way = 0; way < 2; ++way) {
        ptrdiff_t next = flow->node[node].next[way];
        if (next >= 0 && flow->node[next].aborts)
            return true;
    }
    return flow->node[node].aborts;
}

// Takes note of a node that comes before. Returns false where nothing behind it is to be loaded as
// the kernel begins.
static bool pass_node(struct agree *agree, ptrdiff_t node)
{
    struct flow *flow = agree->flow;
    for (ptrdiff_t i = 0; i < arrlen(agree->last[node]); ++i) {
        agree->turns |= agree->last[node][i] >= node;
        arrput(agree->stack, agree->last[node][i]);
    }
    for (ptrdiff_t s = flow->node[node].first; s < flow->node[node].end; ++s)
        if (!is_quiet(flow, &flow->step[s], &agree->asks))
            return false;
    return !may_abort(flow, node);
}

// The same of all that come before the node and are not known to yet.
static bool is_quiet_before(struct agree *agree, ptrdiff_t node)
{
    bool is_quiet = true;
    arrsetlen(agree->stack, 0);
    for (ptrdiff_t i = 0; i < arrlen(agree->last[node]); ++i)
        arrput(agree->stack, agree->last[node][i]);
    while (arrlen(agree->stack) && is_quiet) {
        ptrdiff_t at = arrpop(agree->stack);
        if (agree->is_before[at])
            continue;
        agree->is_before[at] = true;
        is_quiet = pass_node(agree, at);
    }
    return is_quiet && !(agree->turns && agree->asks);
}

// The next node that every thread comes to, whichever way it goes; FLOW_NOWHERE at the end.
static ptrdiff_t next_for_all(const struct flow *flow, ptrdiff_t node)
{
    const struct flow_node *here = &flow->node[node];
    return here->condition >= 0 ? here->dominator : here->next[here->next[0] < 0];
}

// --- What its address is made of -----------------------------------------------------------------

static bool add_step(struct agree *agree, ptrdiff_t at);

static bool add_sources(struct agree *agree, const struct flow_step *step)
{
    const struct flow *flow = agree->flow;
    for (uint32_t i = 0; i < step->reads; ++i) {
        ptrdiff_t name = flow->operand[step->names + step->writes + i];
        const struct flow_value *value = &flow->value[name];
        if (value->written && (value->written != 1 || !add_step(agree, value->written_by)))
            return false;
    }
    return true;
}

// Adds a step that only computes, and what it reads.
static bool add_step(struct agree *agree, ptrdiff_t at)
{
    const struct flow_step *step = &agree->flow->step[at];
    if (agree->is_used[at])
        return true;
    if (step->result != FLOW_COMPUTES || step->guard >= 0 || step->scope != 0 ||
        !agree->is_passed[at] || at > agree->load || agree->used == MOST_STEPS)
        return false;
    agree->is_used[at] = true;
    ++agree->used;
    return add_sources(agree, step);
}

static bool is_taken(const struct agree_load *loads, ptrdiff_t step)
{
    for (ptrdiff_t i = 0; i < arrlen(loads); ++i)
        if (loads[i].step == step)
            return true;
    return false;
}

// The load and what its address is made of; other loads are done before it.
static char *write_text(struct arena *arena, const struct agree *agree, ptrdiff_t load,
                        const struct agree_load *others, const char *keep)
{
    const struct flow *flow = agree->flow;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (ptrdiff_t s = 0; s <= load; ++s)
        if (s == load || (agree->is_used[s] && !is_taken(others, s)))
            fprintf(out, "\t%.*s\n", (int)(flow->step[s].end - flow->step[s].begin),
                    flow->text + flow->step[s].begin);
    fprintf(out, "\t%s\n", keep);
    fclose(out);
    char *result = arena_strndup(arena, text, size);
    free(text);
    return result;
}

// --- Loads ---------------------------------------------------------------------------------------

// Does it load one value from global memory into a register of 32 or 64 bits? `*out_bits` says
// which: a load widens what is narrower.
static bool is_of_number(const struct agree *agree, const struct instruction *instruction,
                         uint32_t *out_bits)
{
    *out_bits = registers_bits(&agree->registers, instruction->operand[0]);
    return is_load(instruction) && instruction_has(instruction, "global") &&
           instruction->operand_count == 2 && (*out_bits == 32 || *out_bits == 64);
}

// Takes the step if it is a load that can be done as the kernel begins.
static void take(struct arena *arena, struct agree *agree, ptrdiff_t at, struct agree_load **loads)
{
    struct flow *flow = agree->flow;
    struct flow_step *step = &flow->step[at];
    uint32_t bits;
    if (step->result != FLOW_VARIES || step->guard >= 0 || step->writes != 1 || step->scope != 0)
        return;
    struct instruction instruction = flow_instruction(flow, step);
    if (!is_of_number(agree, &instruction, &bits))
        return;
    memset(agree->is_used, 0, arrlenu(flow->step) * sizeof *agree->is_used);
    agree->used = 0;
    agree->load = at;
    if (!add_sources(agree, step))
        return;
    ptrdiff_t number = arrlen(*loads);
    const char *name = instruction.operand[0];
    // A register of any type, as mov takes it.
    const char *keep =
        bits == 64 ? arena_printf(arena, "mov.b64 %%bl_agreed%td, %s;", number, name)
                   : arena_printf(arena, "mov.b64 %%bl_agreed%td, {%s, %s};", number, name, name);
    const char *back = bits == 64
                           ? arena_printf(arena, "mov.b64 %s, %%bl_agreed%td;", name, number)
                           : arena_printf(arena, "mov.b64 {%s, _}, %%bl_agreed%td;", name, number);
    struct agree_load load = {
        .step = at,
        .number = number,
        .begin = step->begin,
        .text = write_text(arena, agree, at, *loads, keep),
        .move = back,
    };
    if (!load.text)
        return;
    arrput(*loads, load);
    step->result = FLOW_COMPUTES;
}

// Takes those of a node's loads that nothing comes before. Returns whether there may be more.
static bool take_in(struct arena *arena, struct agree *agree, ptrdiff_t node,
                    struct agree_load **loads)
{
    struct flow *flow = agree->flow;
    if (!is_quiet_before(agree, node))
        return false;
    bool is_again = agree->is_before[node];
    for (ptrdiff_t s = flow->node[node].first; s < flow->node[node].end; ++s) {
        bool asks = false;
        if (arrlen(*loads) == MOST_LOADS || !is_quiet(flow, &flow->step[s], &asks))
            return false;
        if (!is_again)
            take(arena, agree, s, loads);
        agree->is_passed[s] = !is_again;
    }
    return true;
}

static void start(struct agree *agree, struct flow *flow)
{
    size_t nodes = arrlenu(flow->node), steps = arrlenu(flow->step) + 1;
    *agree = (struct agree){.flow = flow};
    agree->is_before = arena_alloc(&flow->arena, nodes * sizeof *agree->is_before);
    agree->is_passed = arena_alloc(&flow->arena, steps * sizeof *agree->is_passed);
    agree->is_used = arena_alloc(&flow->arena, steps * sizeof *agree->is_used);
    memset(agree->is_before, 0, nodes * sizeof *agree->is_before);
    memset(agree->is_passed, 0, steps * sizeof *agree->is_passed);
    arrsetlen(agree->last, (ptrdiff_t)nodes);
    memset(agree->last, 0, nodes * sizeof *agree->last);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)nodes; ++i)
        for (int way = 0; way < 2; ++way)
            if (flow->node[i].next[way] >= 0)
                arrput(agree->last[flow->node[i].next[way]], i);
    struct items items;
    struct item item;
    (void)items_enter(&items, flow->text, flow->length, flow->header);
    while (items.depth && (item = items_next(&items)).kind != ITEM_END)
        if (items.depth == 1 && item.kind == ITEM_DECLARATION &&
            items_is_directive(flow->text, item.begin, ".reg"))
            registers_declare(&agree->registers, flow->text + item.begin, item.end - item.begin);
}

struct agree_load *agree_take(struct arena *arena, struct flow *flow)
{
    struct agree agree;
    struct agree_load *loads = NULL;
    start(&agree, flow);
    ptrdiff_t at = 0;
    while (at >= 0 && take_in(arena, &agree, at, &loads))
        at = next_for_all(flow, at);
    for (ptrdiff_t i = 0; i < arrlen(agree.last); ++i)
        arrfree(agree.last[i]);
    arrfree(agree.last);
    arrfree(agree.stack);
    registers_release(&agree.registers);
    return loads;
}

void agree_declare(FILE *out, const struct agree_load *loads)
{
    fprintf(out, "\n\t.reg .b64 %%bl_agreed<%td>;", arrlast(loads).number + 1);
}

void agree_ask(FILE *out, const struct agree_load *loads)
{
    fputs("\t{\n\t.reg .b32 %bl_x;\n\tsetp.eq.u32 %bl_agree, 0, 0;\n", out);
    for (ptrdiff_t i = 0; i < arrlen(loads); ++i) {
        char name[32];
        snprintf(name, sizeof name, "%%bl_agreed%td", loads[i].number);
        const struct argument argument[] = {WIDE_IN(name)};
        emit_call(out, "barlint_rt_agree", "%bl_x", 32, argument, 1);
        fputs("\tsetp.ne.and.u32 %bl_agree, %bl_x, 0, %bl_agree;\n", out);
    }
    fputs("\t}\n", out);
}

void agree_leave(struct flow *flow, const struct agree_load *load)
{
    flow->step[load->step].result = FLOW_VARIES;
}
