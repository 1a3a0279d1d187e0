// What is looked for is a node behind the operation, on every way from it to the end, that every
// way from the kernel's beginning to its end goes through, once: a thread that has ended has been
// there, and one at the operation has not. Something is to be done there, or behind it, that a
// return would have left out: code in which nothing but the end is left is where a return leads to,
// and stores that a way with a return may have had as well are no proof. A barrier of the block may
// stand at such a node itself: whoever has ended has come to it before the others.
#include "instrument/bypass.h"

#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "base/vec.h"
#include "instrument/flow.h"

static bool ends_at(const struct flow *flow, ptrdiff_t node)
{
    return node == FLOW_NOWHERE || node == arrlen(flow->node) - 1;
}

// What compilers leave where it stands: others may see it at once, or threads wait there. A plain
// store at the end of both ways of a branch they make one behind it, also where one of the ways was
// a return.
enum shown { SHOWS_NOTHING, SHOWS_STORE, SHOWS };

static enum shown shown_by(struct flow *flow, const struct flow_step *step)
{
    static const char *const fixed[] = {"red", "atom", "bar", "barrier", "mbarrier"};
    static const char *const qualifiers[] = {"volatile", "relaxed", "release", "mmio", "async"};
    struct instruction instruction = flow_instruction(flow, step);
    const char *word = instruction.part[0];
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
        if (strcmp(word, fixed[i]) == 0)
            return SHOWS;
    if (strcmp(word, "cp") == 0)
        return instruction_has(&instruction, "global") ? SHOWS : SHOWS_NOTHING;
    if (strcmp(word, "st") != 0 || instruction_has(&instruction, "local") ||
        instruction_has(&instruction, "param"))
        return SHOWS_NOTHING;
    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; ++i)
        if (instruction_has(&instruction, qualifiers[i]))
            return SHOWS;
    return SHOWS_STORE;
}

static enum shown shown_in(struct flow *flow, const struct flow_node *node)
{
    enum shown most = SHOWS_NOTHING;
    for (ptrdiff_t s = node->first; s < node->end && most != SHOWS; ++s) {
        enum shown one = shown_by(flow, &flow->step[s]);
        most = one > most ? one : most;
    }
    return most;
}

// The nodes that every way from the kernel's beginning to its end goes through, in their order.
struct line {
    struct flow *flow;
    ptrdiff_t *node;  // stb_ds
    ptrdiff_t *place; // stb_ds, by node: on the line, or FLOW_NOWHERE
    // What stands between one of them and the next:
    enum shown shown;
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
    if (line->shown != SHOWS) {
        enum shown one = shown_in(line->flow, node);
        line->shown = one > line->shown ? one : line->shown;
    }
    if (place >= 0 && place < line->back)
        line->back = place;
}

// By node: is it one that every thread that ends has gone through once, and something is left to do
// there or behind it? Sure where that stands there for those alone that come through. An stb_ds
// array.
static enum bypass *passed_once(struct flow *flow)
{
    struct line line = {.flow = flow};
    enum bypass *result = NULL, left = BYPASS_NOT_KNOWN;
    enum shown later = SHOWS_NOTHING; // from the next one on
    line_read(&line);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        arrput(result, BYPASS_NOT_KNOWN);
    ptrdiff_t back = arrlen(line.node); // the earliest that anything further on leads back to
    for (ptrdiff_t i = arrlen(line.node); i-- > 0;) {
        ptrdiff_t at = line.node[i];
        bool parts = flow->node[at].condition != FLOW_NOWHERE;
        enum shown here = shown_in(flow, &flow->node[at]);
        line.shown = SHOWS_NOTHING;
        line.back = i + 1;
        for (int way = 0; way < 2; ++way)
            flow_each_apart(flow, at, way, look, &line);
        enum shown behind = line.shown > later ? line.shown : later;
        // What stands behind a branch of its own is not what two ways before it had in common.
        if (here == SHOWS || line.shown == SHOWS || (parts && behind != SHOWS_NOTHING))
            left = BYPASS_SURE;
        else if (left == BYPASS_NOT_KNOWN && (here != SHOWS_NOTHING || behind != SHOWS_NOTHING))
            left = BYPASS_PERHAPS;
        later = here > behind ? here : behind;
        back = line.back < back ? line.back : back;
        result[at] = back > i ? left : BYPASS_NOT_KNOWN;
    }
    arrfree(line.node);
    arrfree(line.place);
    return result;
}

uint32_t bypass_flags(enum bypass how)
{
    return how == BYPASS_SURE      ? BARLINT_RT_BYPASSED
           : how == BYPASS_PERHAPS ? BARLINT_RT_PERHAPS_BYPASSED
                                   : 0;
}

struct bypassed *bypass_find(const char *text, size_t length, size_t begin)
{
    struct flow flow;
    struct bypassed *found = NULL; // stb_ds array
    enum bypass *once = flow_read(&flow, text, length, begin) ? passed_once(&flow) : NULL;
    for (ptrdiff_t i = 0; i < arrlen(once); ++i) {
        enum bypass how = BYPASS_NOT_KNOWN;
        for (ptrdiff_t behind = flow.node[i].dominator; !ends_at(&flow, behind);
             behind = flow.node[behind].dominator)
            how = once[behind] > how ? once[behind] : how;
        bool reached = once[i] == BYPASS_SURE;
        for (ptrdiff_t s = flow.node[i].first; s < flow.node[i].end && (how || reached); ++s) {
            struct bypassed one = {flow.step[s].begin, how, reached};
            if (flow.step[s].barrier != FLOW_NO_BARRIER)
                arrput(found, one);
        }
    }
    arrfree(once);
    flow_release(&flow);
    return found;
}
