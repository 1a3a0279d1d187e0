#include "instrument/leave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MOST_BRANCHES = 4, MOST_STEPS = 64 };

// Does the way from the node lead to the kernel's end, and nothing is done on it?
static bool ends(const struct flow *flow, ptrdiff_t at, int way)
{
    ptrdiff_t last = arrlen(flow->node) - 1, next = flow->node[at].next[way];
    while (next >= 0 && next != last) {
        const struct flow_node *node = &flow->node[next];
        if (node->first != node->end || node->condition >= 0 || node->aborts || next <= at)
            return false;
        at = next;
        next = node->next[node->next[0] < 0];
    }
    return next == last;
}

static bool reads_time(const struct flow *flow, const struct flow_step *step)
{
    static const char *const names[] = {"%clock", "%globaltimer"};
    for (uint32_t i = 0; i < step->reads; ++i)
        for (size_t j = 0; j < sizeof names / sizeof *names; ++j)
            if (strncmp(flow->names[flow->operand[step->names + step->writes + i]].key, names[j],
                        strlen(names[j])) == 0)
                return true;
    return false;
}

// Do the node's steps give the same when they are executed twice?
static bool only_computes(const struct flow *flow, const struct flow_node *node)
{
    for (ptrdiff_t s = node->first; s < node->end; ++s) {
        const struct flow_step *step = &flow->step[s];
        if (step->result != FLOW_COMPUTES || step->barrier != FLOW_NO_BARRIER || !step->writes ||
            step->scope != 0 || reads_time(flow, step))
            return false;
    }
    return node->end - node->first <= MOST_STEPS;
}

static int count_before(const struct flow *flow, ptrdiff_t at)
{
    int count = 0;
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        count += (flow->node[i].next[0] == at) + (flow->node[i].next[1] == at);
    return count;
}

// Adds the node's steps and its branch, which threads leave by that go `way`.
static void write_branch(FILE *out, const struct flow *flow, const struct flow_node *node, int way)
{
    for (ptrdiff_t s = node->first; s < node->end; ++s) {
        const struct flow_step *step = &flow->step[s];
        fprintf(out, "\t%.*s\n", (int)(step->end - step->begin), flow->text + step->begin);
    }
    const char *condition = flow->names[node->condition].key;
    bool holds = (way == 1) != node->is_negated;
    fprintf(out, "\t@%s%s setp.eq.u32 %%bl_leave, 0, 0;\n", holds ? "" : "!", condition);
}

const char *leave_take(struct arena *arena, struct flow *flow)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    ptrdiff_t at = 0;
    for (int count = 0; count < MOST_BRANCHES; ++count) {
        struct flow_node *node = &flow->node[at];
        bool is_ended = at == arrlen(flow->node) - 1 || node->condition < 0 ||
                        *flow->names[node->condition].key != '%';
        int way = !is_ended && ends(flow, at, 1);
        if (is_ended || !ends(flow, at, way) || !only_computes(flow, node) ||
            count_before(flow, at) != (at > 0))
            break;
        write_branch(out, flow, node, way);
        node->condition = FLOW_NOWHERE;
        node->next[way] = FLOW_NOWHERE;
        at = node->next[!way];
    }
    fclose(out);
    const char *result = size ? arena_strndup(arena, text, size) : NULL;
    free(text);
    return result;
}
