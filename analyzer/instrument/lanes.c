#include "instrument/lanes.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/operand.h"

enum { WARP = 32 };

// --- What the thread's number says ---------------------------------------------------------------

// Is it `tid < N` or its opposite? `*out_bound` is N, and `*out_below` whether those below it hold.
static bool is_bound(struct flow *flow, const struct instruction *instruction, uint32_t *out_bound,
                     bool *out_below)
{
    static const struct {
        const char *compare;
        int64_t above; // N is so much more than the number
        bool below;
    } rows[] = {{"lt", 0, true}, {"le", 1, true}, {"gt", 1, false}, {"ge", 0, false}};
    if (instruction->operand_count != 3 || strcmp(instruction->part[0], "setp") != 0 ||
        operand_number(flow, instruction->operand[1]).kind != NUMBER_THREAD)
        return false;
    struct number number = operand_number(flow, instruction->operand[2]);
    if (number.kind != NUMBER_KNOWN)
        return false;
    bool is_first = instruction_has(instruction, "eq"); // of 0
    if ((is_first || instruction_has(instruction, "ne")) && number.value == 0) {
        *out_bound = 1;
        *out_below = is_first;
        return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        int64_t bound = number.value + rows[i].above;
        if (!instruction_has(instruction, rows[i].compare) || bound < 0 || bound > INT32_MAX)
            continue;
        *out_bound = (uint32_t)bound;
        *out_below = rows[i].below;
        return true;
    }
    return false;
}

// Is it the number of the thread's warp, or of several warps?
static bool is_of_warps(struct flow *flow, const struct instruction *instruction)
{
    struct number number = operand_number(flow, instruction->operand[0]);
    if (strcmp(instruction->part[0], "and") != 0)
        return number.kind == NUMBER_PART && 1u << number.shift >= WARP;
    struct number mask = operand_number(flow, instruction->operand[2]);
    return operand_number(flow, instruction->operand[1]).kind == NUMBER_THREAD &&
           mask.kind == NUMBER_KNOWN && mask.value % WARP == 0;
}

bool lanes_by_warp(struct flow *flow, const struct flow_step *step)
{
    const char *text = flow->text + step->begin;
    bool is_compare = strncmp(text, "setp", strlen("setp")) == 0;
    if (!is_compare && strncmp(text, "shr", 3) != 0 && strncmp(text, "and", 3) != 0)
        return false;
    struct instruction instruction = flow_instruction(flow, step);
    uint32_t bound;
    bool below;
    if (is_compare)
        return is_bound(flow, &instruction, &bound, &below) && bound % WARP == 0;
    return instruction.operand_count == 3 && is_of_warps(flow, &instruction);
}

// How many of the first lanes of a block go each way, where they are less than a warp, and the rest
// of the block goes the other.
static void part_by_number(struct flow *flow, const struct flow_node *node,
                           struct flow_lanes out[2])
{
    ptrdiff_t step = operand_step(flow, flow->names[node->condition].key);
    uint32_t bound;
    bool below;
    if (step < 0)
        return;
    struct instruction instruction = flow_instruction(flow, &flow->step[step]);
    if (is_bound(flow, &instruction, &bound, &below) && bound < WARP)
        out[below != node->is_negated].first = bound;
}

// --- What a vote says ----------------------------------------------------------------------------

// The step of the node that writes the name; FLOW_NOWHERE where none or several do.
static ptrdiff_t written_in(const struct flow *flow, const struct flow_node *node, ptrdiff_t name)
{
    ptrdiff_t found = FLOW_NOWHERE;
    for (ptrdiff_t s = node->first; s < node->end; ++s)
        for (uint32_t i = 0; i < flow->step[s].writes; ++i)
            if (flow->operand[flow->step[s].names + i] == name) {
                if (found >= 0 || flow->step[s].guard >= 0)
                    return FLOW_NOWHERE;
                found = s;
            }
    return found;
}

// Does the node change what the step reads once it has read it?
static bool is_overwritten(const struct flow *flow, const struct flow_node *node, ptrdiff_t step)
{
    const struct flow_step *read = &flow->step[step];
    for (uint32_t i = 0; i < read->reads; ++i)
        for (ptrdiff_t s = step; s < node->end; ++s)
            for (uint32_t w = 0; w < flow->step[s].writes; ++w)
                if (flow->operand[flow->step[s].names + w] ==
                    flow->operand[read->names + read->writes + i])
                    return true;
    return false;
}

// Are both comparisons of the same? `*out_alike`: they hold alike, else one holds where the other
// does not.
static bool compare_same(const struct instruction *a, const struct instruction *b, bool *out_alike)
{
    static const char *const opposite[][2] = {
        {"lt", "ge"}, {"le", "gt"}, {"eq", "ne"}, {"lo", "hs"}, {"ls", "hi"}};
    if (strcmp(a->part[0], "setp") != 0 || strcmp(b->part[0], "setp") != 0 || a->part_count != 3 ||
        b->part_count != 3 || a->operand_count != 3 || b->operand_count != 3 ||
        strcmp(a->part[2], b->part[2]) != 0 || strcmp(a->operand[1], b->operand[1]) != 0 ||
        strcmp(a->operand[2], b->operand[2]) != 0 || strchr("fb", *a->part[2]))
        return false;
    *out_alike = strcmp(a->part[1], b->part[1]) == 0;
    for (size_t i = 0; !*out_alike && i < sizeof opposite / sizeof opposite[0]; ++i)
        for (int j = 0; j < 2; ++j)
            if (strcmp(a->part[1], opposite[i][j]) == 0 && strcmp(b->part[1], opposite[i][!j]) == 0)
                return true;
    return *out_alike;
}

// Is it a vote of whole warps on what the node's branch goes by? `*out_holds`: those have voted for
// it for whom the condition holds.
static bool votes_on(struct flow *flow, const struct flow_node *node, ptrdiff_t vote,
                     bool *out_holds)
{
    struct instruction instruction = flow_instruction(flow, &flow->step[vote]);
    if (!instruction_is(&instruction, "vote.sync.ballot") || instruction.operand_count != 3 ||
        (uint32_t)operand_number(flow, instruction.operand[2]).value != UINT32_MAX)
        return false;
    ptrdiff_t question = flow_find(flow, instruction.operand[1]);
    ptrdiff_t by = written_in(flow, node, node->condition);
    ptrdiff_t asked = question < 0 ? FLOW_NOWHERE : written_in(flow, node, question);
    *out_holds = true;
    if (by < 0 || asked < 0 || asked > vote)
        return false;
    if (by == asked)
        return question == node->condition;
    struct instruction one = flow_instruction(flow, &flow->step[by]);
    struct instruction other = flow_instruction(flow, &flow->step[asked]);
    return compare_same(&one, &other, out_holds) && !is_overwritten(flow, node, by) &&
           !is_overwritten(flow, node, asked);
}

static void part_by_vote(struct flow *flow, const struct flow_node *node, struct flow_lanes out[2])
{
    bool holds;
    for (ptrdiff_t s = node->first; s < node->end; ++s)
        if (flow->step[s].result == FLOW_AGREES_IN_WARP && flow->step[s].guard < 0 &&
            votes_on(flow, node, s, &holds))
            out[holds != node->is_negated].ballot = s;
}

void lanes_part(struct flow *flow, ptrdiff_t node, bool in_line, struct flow_lanes out[2])
{
    if (in_line)
        part_by_number(flow, &flow->node[node], out);
    for (int way = 0; way < 2; ++way)
        if (out[way].first)
            return;
    part_by_vote(flow, &flow->node[node], out);
}
