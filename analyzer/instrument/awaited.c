#include "instrument/awaited.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/flow.h"

// What a step has to do with groups of copies and of bulk stores: these bits for the former, and
// shifted by BULK for the latter.
enum { STARTS = 1, WAITS = 2, BULK = 2 };

static uint8_t role_of(struct flow *flow, const struct flow_step *step)
{
    struct instruction instruction = flow_instruction(flow, step);
    if (instruction_is(&instruction, "cp.async.bulk.wait_group"))
        return WAITS << BULK;
    if (instruction_has(&instruction, "bulk_group"))
        return STARTS << BULK;
    if (instruction_is(&instruction, "cp.async.wait_all") ||
        instruction_is(&instruction, "cp.async.wait_group") ||
        instruction_is(&instruction, "cp.async.mbarrier"))
        return WAITS;
    return instruction_is(&instruction, "cp.async.ca") ||
                   instruction_is(&instruction, "cp.async.cg")
               ? STARTS
               : 0;
}

// By node: what waits stand in it or on some way from it.
static uint8_t *find_waits(const struct flow *flow, const uint8_t *role)
{
    uint8_t *waits = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        arrput(waits, 0);
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end; ++s)
            waits[i] |= role[s] & (WAITS | WAITS << BULK);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = arrlen(flow->node); i-- > 0;)
            for (int way = 0; way < 2; ++way) {
                ptrdiff_t next = flow->node[i].next[way];
                uint8_t more = next < 0 ? 0 : waits[next] & (uint8_t)~waits[i];
                waits[i] |= more;
                changed |= more != 0;
            }
    }
    return waits;
}

size_t *awaited_never(const char *text, size_t length, size_t begin)
{
    struct flow flow;
    size_t *found = NULL;  // stb_ds array
    uint8_t *role = NULL;  // stb_ds array, by step
    uint8_t *waits = NULL; // stb_ds array, by node
    if (flow_read(&flow, text, length, begin)) {
        for (ptrdiff_t s = 0; s < arrlen(flow.step); ++s)
            arrput(role, role_of(&flow, &flow.step[s]));
        waits = find_waits(&flow, role);
    }
    for (ptrdiff_t i = 0; i < arrlen(waits); ++i)
        for (ptrdiff_t s = flow.node[i].first; s < flow.node[i].end; ++s) {
            bool is_awaited = (role[s] & STARTS && waits[i] & WAITS) ||
                              (role[s] & STARTS << BULK && waits[i] & WAITS << BULK);
            if (role[s] & (STARTS | STARTS << BULK) && !is_awaited)
                arrput(found, flow.step[s].begin);
        }
    arrfree(role);
    arrfree(waits);
    flow_release(&flow);
    return found;
}
