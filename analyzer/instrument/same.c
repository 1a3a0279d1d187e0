// A value is the same in all blocks when it comes from parameters, constants, the sizes of the
// launch and the thread's place in its block by arithmetic; in all launches that are given the same
// when it comes from parameters, sizes and the thread's place in its grid. Other values may differ
// by the same in all blocks: `begin + 16 * i` and `begin + n` do from `begin`, and compare alike
// whatever it is. (As integers without end: where one with a sign wraps round, the program has gone
// wrong before.) A branch by any other condition parts the blocks up to the branch's immediate
// postdominator: what is computed there may differ, and a barrier there is one that not all blocks
// come to. Found as a fixed point, from below, as in spread.c. How often a thread asks whether a
// phase is over depends on time alone, so its answer counts as the same, and so do the lanes that
// come to an instruction together. A variable in the block's shared memory holds the same if all
// that is stored there, or added to it, is: when it is loaded, is time again.
#include "instrument/same.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/flags.h"

// What a value differs from block to block with: the value that a step computes once in each, the
// number of which this is, or one of
enum {
    BASE_OPEN = -2, // it has not been computed
    BASE_NONE = -1, // it is the same
};
static const ptrdiff_t BASE_OWN = PTRDIFF_MAX; // it is not known

// Special registers that are the same in all blocks, and those that are in all launches beside
// them.
static bool is_given(const char *name, enum same_in in)
{
    static const char *const always[] = {"%tid",
                                         "%ntid",
                                         "%nctaid",
                                         "%laneid",
                                         "%nwarpid",
                                         "%nsmid",
                                         "%lanemask_eq",
                                         "%lanemask_le",
                                         "%lanemask_lt",
                                         "%lanemask_ge",
                                         "%lanemask_gt",
                                         "%dynamic_smem_size",
                                         "%total_smem_size",
                                         "%aggr_smem_size"};
    static const char *const places[] = {
        "%ctaid",          "%clusterid",       "%nclusterid",       "%cluster_ctaid",
        "%cluster_nctaid", "%cluster_ctarank", "%cluster_nctarank", "%is_explicit_cluster"};
    return IS_ANY(name, always) || (in == SAME_IN_LAUNCHES && IS_ANY(name, places));
}

static bool is_integer(const struct instruction *instruction)
{
    for (uint32_t i = 1; i < instruction->part_count; ++i)
        if (strchr("fb", *instruction->part[i]) && strpbrk(instruction->part[i], "0123456789"))
            return false;
    return true;
}

// Does it keep all of an integer?
static bool is_widening(const struct instruction *instruction)
{
    const char *to = instruction->part[1], *from = instruction->part[instruction->part_count - 1];
    return strcmp(instruction->part[0], "cvta") == 0 ||
           (strcmp(instruction->part[0], "cvt") == 0 && instruction->part_count == 3 &&
            strtoul(from + 1, NULL, 10) > 8 && // of a register that is wider
            strtoul(to + 1, NULL, 10) >= strtoul(from + 1, NULL, 10));
}

// Does a comparison of numbers that both lie as far away say the same? Those without a sign wrap
// round at 0, rightly so, as `i - k` of an i below k does.
static bool compares_differences(const struct instruction *instruction)
{
    const char *type = instruction->part[instruction->part_count - 1];
    return *type == 's' || instruction_has(instruction, "eq") || instruction_has(instruction, "ne");
}

static enum same_form form_of(struct flow *flow, const struct flow_step *step, enum same_in in)
{
    static const char *const answers[] = {"mbarrier", "elect",      "shfl", "activemask",
                                          "match",    "getctarank", "mapa", "isspacep"};
    struct instruction instruction = flow_instruction(flow, step);
    const char *word = instruction.part[0];
    if (step->result == FLOW_VARIES)
        return IS_ANY(word, answers) ? SAME_ANY : SAME_UNKNOWN;
    if (strcmp(word, "ld") == 0 && in == SAME_IN_LAUNCHES &&
        !instruction_has(&instruction, "param"))
        return SAME_UNKNOWN; // the host may have written to it in between
    if (strcmp(word, "mov") == 0 && step->reads == 1 && step->writes == 1)
        return SAME_COPY;
    if (!is_integer(&instruction))
        return SAME_ANY;
    const char *operand[4] = {"", "", "", ""};
    for (uint32_t i = 0; i < instruction.operand_count && i < 4; ++i)
        operand[i] = instruction.operand[i];
    if (is_widening(&instruction))
        return SAME_COPY;
    if (strcmp(word, "add") == 0)
        return SAME_SUM;
    if (strcmp(word, "mad") == 0 && *operand[3] == '%')
        return SAME_SUM_OF_LAST;
    if (strcmp(word, "sub") == 0 && *operand[1] == '%')
        return SAME_DIFFERENCE;
    return strcmp(word, "setp") == 0 && step->reads == 2 && compares_differences(&instruction)
               ? SAME_COMPARISON
               : SAME_ANY;
}

// A node may be passed again only if a branch that leads back, in the order of the text, leads over
// it.
static void find_loops(struct same *same)
{
    const struct flow *flow = same->flow;
    ptrdiff_t count = arrlen(flow->node), open = 0, *over = NULL;
    arrsetlen(over, count + 1);
    memset(over, 0, (size_t)(count + 1) * sizeof *over);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j) {
            ptrdiff_t to = flow->node[i].next[j];
            if (to < 0 || to > i)
                continue;
            ++over[to];
            --over[i + 1];
        }
    for (ptrdiff_t i = 0; i < count; ++i) {
        open += over[i];
        same->is_once[i] = open == 0;
    }
    arrfree(over);
}

static bool is_atomic(struct flow *flow, ptrdiff_t step)
{
    struct instruction instruction = flow_instruction(flow, &flow->step[step]);
    return strcmp(instruction.part[0], "atom") == 0;
}

static void find_memory(struct same *same)
{
    struct flow *flow = same->flow;
    size_t steps = arrlenu(flow->step);
    same->store = arena_alloc(&flow->arena, (steps + 1) * sizeof *same->store);
    same->loaded = arena_alloc(&flow->arena, (steps + 1) * sizeof *same->loaded);
    struct flags flags;
    flags_init(&flags, flow);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end; ++s) {
            same->loaded[s] = flags_loaded(flow, s);
            if (!flags.stored[s])
                continue;
            same->store[same->stores++] =
                (struct same_store){i, s, flags.stored[s], flags.copies[s]};
            if (same->by_turns && *flags.stored[s] && is_atomic(flow, s))
                same->loaded[s] = flags.stored[s];
        }
    flags_release(&flags);
}

static void start(struct same *same)
{
    struct flow *flow = same->flow;
    struct arena *arena = &flow->arena;
    size_t nodes = arrlenu(flow->node);
    find_memory(same);
    same->base = arena_alloc(arena, arrlenu(flow->value) * sizeof *same->base);
    same->form = arena_alloc(arena, (arrlenu(flow->step) + 1) * sizeof *same->form);
    same->is_apart = arena_alloc(arena, nodes * sizeof *same->is_apart);
    same->is_once = arena_alloc(arena, nodes * sizeof *same->is_once);
    memset(same->is_apart, 0, nodes * sizeof *same->is_apart);
    find_loops(same);
    for (ptrdiff_t i = 0; i < shlen(flow->names); ++i) {
        const char *name = flow->names[i].key;
        ptrdiff_t value = flow->names[i].value;
        bool is_same = !flow_is_register(name) || is_given(name, same->in);
        same->base[value] = flow->value[value].written ? BASE_OPEN : is_same ? BASE_NONE : BASE_OWN;
    }
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s)
        same->form[s] = form_of(flow, &flow->step[s], same->in);
}

// The base of what the step computes of what it reads, in code that all blocks come to.
static ptrdiff_t computed(const struct same *same, const struct flow_step *step,
                          enum same_form form)
{
    const struct flow *flow = same->flow;
    const ptrdiff_t *read = flow->operand + step->names + step->writes;
    ptrdiff_t first = BASE_NONE, last = BASE_NONE, others = BASE_NONE;
    for (uint32_t i = 0; i < step->reads; ++i) {
        ptrdiff_t base = same->base[read[i]];
        if (base == BASE_OPEN)
            return BASE_OPEN;
        first = i == 0 ? base : first;
        others = last > others ? last : others; // all but the last
        last = base;
    }
    if (form == SAME_UNKNOWN)
        return BASE_OWN;
    if (last == BASE_NONE && others == BASE_NONE)
        return BASE_NONE;
    bool alike = step->reads == 2 && first == last && first != BASE_OWN;
    switch (form) {
    case SAME_COPY:
        return step->reads == 1 ? last : BASE_OWN;
    case SAME_SUM:
        return others == BASE_NONE ? last : last == BASE_NONE ? others : BASE_OWN;
    case SAME_SUM_OF_LAST:
        return others == BASE_NONE ? last : BASE_OWN;
    case SAME_DIFFERENCE:
        return alike ? BASE_NONE : step->reads == 1 || last == BASE_NONE ? first : BASE_OWN;
    case SAME_COMPARISON:
        return alike ? BASE_NONE : BASE_OWN;
    default:
        return BASE_OWN;
    }
}

static bool is_stored_alike(const struct same *same, const struct same_store *store)
{
    const struct flow *flow = same->flow;
    const struct flow_step *step = &flow->step[store->step];
    if (store->copies || !*store->variable || !same_reaches(same, &flow->node[store->node], step))
        return false;
    for (uint32_t i = 0; i < step->reads; ++i) {
        ptrdiff_t base = same->base[flow->operand[step->names + step->writes + i]];
        if (base != BASE_NONE && base != BASE_OPEN)
            return false;
    }
    return true;
}

// Does the block's variable hold the same, as far as is known yet?
static bool is_kept_alike(const struct same *same, const char *variable)
{
    for (ptrdiff_t i = 0; i < same->stores; ++i) {
        const struct same_store *store = &same->store[i];
        bool is_here = !*store->variable || strcmp(store->variable, variable) == 0;
        if (is_here && !is_stored_alike(same, store))
            return false;
    }
    return true;
}

static void compute(struct same *same, const struct flow_node *node, ptrdiff_t at)
{
    const struct flow *flow = same->flow;
    const struct flow_step *step = &flow->step[at];
    const ptrdiff_t *name = flow->operand + step->names;
    bool is_common = !same->is_apart[node - flow->node] &&
                     (step->guard < 0 || same->base[step->guard] == BASE_NONE);
    const char *loaded = same->loaded[at];
    ptrdiff_t base = !is_common                              ? BASE_OWN
                     : loaded && is_kept_alike(same, loaded) ? computed(same, step, SAME_ANY)
                                                             : computed(same, step, same->form[at]);
    if (base == BASE_OPEN)
        return;
    if (base == BASE_OWN && is_common && same->is_once[node - flow->node] && step->writes == 1)
        base = at;
    for (uint32_t i = 0; i < step->writes; ++i) {
        ptrdiff_t old = same->base[name[i]];
        bool is_first = old == BASE_OPEN || flow->value[name[i]].written == 1;
        ptrdiff_t now = is_first || old == base ? base : BASE_OWN;
        same->changed |= now != old;
        same->base[name[i]] = now;
    }
}

static void part(void *context, struct flow_node *node)
{
    struct same *same = context;
    bool *is_apart = &same->is_apart[node - same->flow->node];
    same->changed |= !*is_apart;
    *is_apart = true;
}

void same_find(struct same *same, struct flow *flow, enum same_in in, bool by_turns)
{
    *same = (struct same){.flow = flow, .in = in, .by_turns = by_turns};
    start(same);
    do {
        same->changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            const struct flow_node *node = &flow->node[i];
            for (ptrdiff_t s = node->first; s < node->end; ++s)
                compute(same, node, s);
            bool parts = node->condition >= 0 && node->order != FLOW_NOWHERE &&
                         same->base[node->condition] >= 0;
            for (int way = 0; parts && way < 2; ++way)
                flow_each_apart(flow, i, way, part, same);
        }
        for (ptrdiff_t i = 0; !same->changed && i < arrlen(flow->value); ++i)
            if (same->base[i] == BASE_OPEN) { // of itself alone: nobody knows
                same->base[i] = BASE_OWN;
                same->changed = true;
            }
    } while (same->changed);
}

bool same_value(const struct same *same, ptrdiff_t value)
{
    return same->base[value] == BASE_NONE;
}

bool same_reaches(const struct same *same, const struct flow_node *node,
                  const struct flow_step *step)
{
    return !same->is_apart[node - same->flow->node] &&
           (step->guard < 0 || same->base[step->guard] == BASE_NONE);
}
