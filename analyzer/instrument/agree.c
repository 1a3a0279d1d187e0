// A load can be done as a kernel begins if every thread comes to it, once, and nothing before it
// could have told a thread that the value is there now: no store to memory that others see, no
// atomic, no fence, no load that acquires or that is repeated until it gives something else. Its
// address is made of parameters, constants and other such loads. (PTX ISA 9.1, 8.)
#include "instrument/agree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/emit.h"

enum { MOST_LOADS = 8, MOST_STEPS = 64, MOST_NODES = 256 };

struct agree {
    struct flow *flow;
    bool *is_before; // by node: the kernel comes here before the load
    bool *is_used;   // by step: what the load's address is made of
    uint32_t used;   // how many
};

// --- What comes before ---------------------------------------------------------------------------

static void find_before(struct agree *agree, ptrdiff_t load)
{
    const struct flow_node *node = agree->flow->node;
    ptrdiff_t count = arrlen(node);
    memset(agree->is_before, 0, (size_t)count * sizeof *agree->is_before);
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < count; ++i)
            for (int way = 0; way < 2 && !agree->is_before[i]; ++way) {
                ptrdiff_t next = node[i].next[way];
                agree->is_before[i] = next >= 0 && (next == load || agree->is_before[next]);
                changed |= agree->is_before[i];
            }
    }
}

// Does a branch before the load lead back?
static bool turns_before(const struct agree *agree)
{
    const struct flow_node *node = agree->flow->node;
    for (ptrdiff_t i = 0; i < arrlen(node); ++i)
        for (int way = 0; way < 2; ++way) {
            ptrdiff_t next = node[i].next[way];
            if (agree->is_before[i] && next >= 0 && next <= i && agree->is_before[next])
                return true;
        }
    return false;
}

static bool is_load(const struct instruction *instruction)
{
    return strcmp(instruction->part[0], "ld") == 0 && !instruction_has(instruction, "acquire");
}

// Does no thread learn from the step what another one outside of the block has done?
static bool is_quiet(struct flow *flow, const struct flow_step *step, bool turns)
{
    static const char *const words[] = {"mbarrier.init", "fence.mbarrier_init", "prefetch",
                                        "prefetchu", "applypriority"};
    if (step->result == FLOW_COMPUTES || step->barrier == FLOW_OF_BLOCK ||
        step->barrier == FLOW_OF_WARP)
        return true;
    struct instruction instruction = flow_instruction(flow, step);
    bool is_shared =
        instruction_has(&instruction, "shared") || instruction_has(&instruction, "shared::cta");
    if (strcmp(instruction.part[0], "st") == 0)
        return is_shared;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (instruction_is(&instruction, words[i]))
            return true;
    return is_load(&instruction) && (is_shared || !turns);
}

static bool is_quiet_before(const struct agree *agree, bool turns)
{
    struct flow *flow = agree->flow;
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end && agree->is_before[i]; ++s)
            if (!is_quiet(flow, &flow->step[s], turns))
                return false;
    return true;
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
        bool is_given = !flow_is_register(flow->names[name].key) || !value->written;
        if (!is_given && (value->written != 1 || !add_step(agree, value->written_by)))
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
        agree->used == MOST_STEPS)
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

// Is it one of a number of 32 or 64 bits from global memory? `*out_bits` says which.
static bool is_of_number(const struct instruction *instruction, uint32_t *out_bits)
{
    const char *type = instruction->part[instruction->part_count - 1];
    *out_bits = (uint32_t)strtoul(type + 1, NULL, 10);
    return is_load(instruction) && instruction_has(instruction, "global") &&
           instruction->operand_count == 2 && *instruction->operand[0] == '%' &&
           strchr("bsu", *type) && (*out_bits == 32 || *out_bits == 64);
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
    if (!is_of_number(&instruction, &bits))
        return;
    memset(agree->is_used, 0, arrlenu(flow->step) * sizeof *agree->is_used);
    agree->used = 0;
    if (!add_sources(agree, step))
        return;
    const char *name = instruction.operand[0], *form = bits == 32 ? "cvt.u64.u32" : "mov.b64";
    const char *back = bits == 32 ? "cvt.u32.u64" : "mov.b64";
    ptrdiff_t number = arrlen(*loads);
    char *keep = arena_printf(arena, "%s %%bl_agreed%td, %s;", form, number, name);
    struct agree_load load = {
        .step = at,
        .number = number,
        .begin = step->begin,
        .text = write_text(arena, agree, at, *loads, keep),
        .move = arena_printf(arena, "%s %s, %%bl_agreed%td;", back, name, number),
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
    find_before(agree, node);
    if (!is_quiet_before(agree, turns_before(agree)))
        return false;
    if (agree->is_before[node]) // more than once
        return true;
    for (ptrdiff_t s = flow->node[node].first; s < flow->node[node].end; ++s) {
        if (arrlen(*loads) == MOST_LOADS)
            return false;
        if (!is_quiet(flow, &flow->step[s], false))
            return false;
        take(arena, agree, s, loads);
    }
    return true;
}

struct agree_load *agree_take(struct arena *arena, struct flow *flow)
{
    struct agree agree = {.flow = flow};
    agree.is_before = arena_alloc(&flow->arena, arrlenu(flow->node) * sizeof *agree.is_before);
    agree.is_used = arena_alloc(&flow->arena, (arrlenu(flow->step) + 1) * sizeof *agree.is_used);
    struct agree_load *loads = NULL;
    ptrdiff_t at = 0;
    for (int count = 0; at >= 0 && count < MOST_NODES; ++count) {
        if (!take_in(arena, &agree, at, &loads))
            break;
        at = next_for_all(flow, at);
    }
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
