// What is looked for is a node behind the operation, on every way from it to the end, that every
// way from the kernel's beginning to its end goes through, once: a thread that has ended has been
// there, and one at the operation has not. Something is to be done there, or behind it, that others
// can see: code in which nothing but the end is left is where a return leads to.
#include "instrument/bypass.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/flow.h"

static bool ends_at(const struct flow *flow, ptrdiff_t node)
{
    return node == FLOW_NOWHERE || node == arrlen(flow->node) - 1;
}

static bool is_seen_by_others(struct flow *flow, const struct flow_step *step)
{
    static const char *const words[] = {"st", "red", "atom", "cp", "bar", "barrier", "mbarrier"};
    struct instruction instruction = flow_instruction(flow, step);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(instruction.part[0], words[i]) == 0)
            return true;
    return false;
}

static bool shows(struct flow *flow, const struct flow_node *node)
{
    for (ptrdiff_t s = node->first; s < node->end; ++s)
        if (is_seen_by_others(flow, &flow->step[s]))
            return true;
    return false;
}

// The nodes that every way from the kernel's beginning to its end goes through, in their order.
struct line {
    struct flow *flow;
    ptrdiff_t *node;  // stb_ds
    ptrdiff_t *place; // stb_ds, by node: on the line, or FLOW_NOWHERE
    // What stands between one of them and the next:
    bool shows;     // something that others can see
    ptrdiff_t back; // the earliest on the line that it leads back to; else the next one
};

static void line_read(struct line *line)
{
    struct flow *flow = line->flow;
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        arrput(line->place, FLOW_NOWHERE);
    for (ptrdiff_t at = 0; !ends_at(flow, at); at = flow->node[at].dominator) {
        line->place[at] = arrlen(line->node);
        arrput(line->node, at);
    }
}

static void look(void *context, struct flow_node *node)
{
    struct line *line = context;
    ptrdiff_t place = line->place[node - line->flow->node];
    line->shows = line->shows || shows(line->flow, node);
    if (place >= 0 && place < line->back)
        line->back = place;
}

// By node: is it one that every thread that ends has gone through once, and something is left to do
// there or behind it? An stb_ds array.
static bool *passed_once(struct flow *flow)
{
    struct line line = {.flow = flow};
    bool *result = NULL, is_left = false;
    line_read(&line);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        arrput(result, false);
    ptrdiff_t back = arrlen(line.node); // the earliest that anything further on leads back to
    for (ptrdiff_t i = arrlen(line.node); i-- > 0;) {
        ptrdiff_t at = line.node[i];
        line.shows = shows(flow, &flow->node[at]);
        line.back = i + 1;
        for (int way = 0; way < 2; ++way)
            flow_each_apart(flow, at, way, look, &line);
        is_left |= line.shows;
        back = line.back < back ? line.back : back;
        result[at] = is_left && back > i;
    }
    arrfree(line.node);
    arrfree(line.place);
    return result;
}

size_t *bypass_find(const char *text, size_t length, size_t begin)
{
    struct flow flow;
    size_t *found = NULL; // stb_ds array
    bool *is_once = flow_read(&flow, text, length, begin) ? passed_once(&flow) : NULL;
    for (ptrdiff_t i = 0; i < arrlen(is_once); ++i) {
        ptrdiff_t behind = flow.node[i].dominator;
        while (!ends_at(&flow, behind) && !is_once[behind])
            behind = flow.node[behind].dominator;
        for (ptrdiff_t s = flow.node[i].first; s < flow.node[i].end; ++s)
            if (flow.step[s].barrier != FLOW_NO_BARRIER && !ends_at(&flow, behind))
                arrput(found, flow.step[s].begin);
    }
    arrfree(is_once);
    flow_release(&flow);
    return found;
}
