#include "instrument/flags.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"
#include "instrument/operand.h"

enum { DEEPEST = 16 };

// --- What a step may store to --------------------------------------------------------------------

static bool is_word(const struct instruction *instruction, const char *word)
{
    return strcmp(instruction->part[0], word) == 0;
}

// The operand that says where the step may write to shared memory; NULL for a step that does not.
static const char *stored_at(struct flow *flow, const struct flow_step *step)
{
    static const char *const words[] = {"st", "stmatrix", "red", "atom", "cp"};
    static const char *const others[] = {"global", "local", "param"};
    if (!strchr("srac@", flow->text[step->begin]))
        return NULL;
    struct instruction instruction = flow_instruction(flow, step);
    bool is_store = false, is_copy = is_word(&instruction, "cp");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        is_store |= is_word(&instruction, words[i]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        is_store &= is_copy || !instruction_has(&instruction, others[i]);
    uint32_t at = is_word(&instruction, "atom"); // behind what it returns
    return is_store && at < instruction.operand_count && operand_is_address(instruction.operand[at])
               ? instruction.operand[at]
               : NULL;
}

// The only variable that the name's value is made of; NULL for none. `*several` for more than one.
static const char *root_of(struct flow *flow, ptrdiff_t name, int depth, bool *several)
{
    const char *text = flow->names[name].key;
    if (*text != '%')
        return text;
    const struct flow_value *value = &flow->value[name];
    if (value->written != 1 || depth == DEEPEST)
        return NULL;
    const struct flow_step *step = &flow->step[value->written_by];
    const char *root = NULL;
    for (uint32_t i = 0; step->result == FLOW_COMPUTES && i < step->reads; ++i) {
        const char *other =
            root_of(flow, flow->operand[step->names + step->writes + i], depth + 1, several);
        *several |= root && other && strcmp(root, other) != 0;
        root = root ? root : other;
    }
    return root;
}

// May the step store to the variable?
static bool stores_to(struct flow *flow, const struct flow_step *step, const char *variable)
{
    const char *address = stored_at(flow, step);
    if (!address)
        return false;
    size_t begin = strspn(address, "[ "), length = 0;
    while (item_is_name(address[begin + length]))
        ++length;
    ptrdiff_t name = flow_find(flow, arena_strndup(&flow->arena, address + begin, length));
    bool several = false;
    const char *root = name < 0 ? NULL : root_of(flow, name, 0, &several);
    return several || !root || strcmp(root, variable) == 0;
}

// Does a copy go there, that may be under way at any time?
static bool is_copied_to(struct flow *flow, const char *variable)
{
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s)
        if (strncmp(flow->text + flow->step[s].begin, "cp.", strlen("cp.")) == 0 &&
            stores_to(flow, &flow->step[s], variable))
            return true;
    return false;
}

// --- Between two barriers ------------------------------------------------------------------------

struct walk {
    struct flow *flow;
    const char *variable;
    bool *is_seen;    // stb_ds, by node
    ptrdiff_t *stack; // stb_ds
    bool is_stored;
};

// Does the walk end with the step?
static bool passes(struct walk *walk, ptrdiff_t s)
{
    const struct flow_step *step = &walk->flow->step[s];
    walk->is_stored |= stores_to(walk->flow, step, walk->variable);
    return !walk->is_stored && (step->barrier != FLOW_OF_BLOCK || step->guard >= 0);
}

static void put(struct walk *walk, ptrdiff_t node)
{
    if (node < 0 || walk->is_seen[node])
        return;
    walk->is_seen[node] = true;
    arrput(walk->stack, node);
}

static void put_next(struct walk *walk, ptrdiff_t node)
{
    for (int way = 0; way < 2; ++way)
        put(walk, walk->flow->node[node].next[way]);
}

static void put_last(struct walk *walk, ptrdiff_t node)
{
    const struct flow *flow = walk->flow;
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        if (flow->node[i].next[0] == node || flow->node[i].next[1] == node)
            put(walk, i);
}

static void walk_on(struct walk *walk, ptrdiff_t node, ptrdiff_t step)
{
    const struct flow_node *all = walk->flow->node;
    ptrdiff_t s = step + 1;
    memset(walk->is_seen, 0, (size_t)arrlen(all) * sizeof *walk->is_seen);
    while (s < all[node].end && passes(walk, s))
        ++s;
    if (s == all[node].end)
        put_next(walk, node);
    while (arrlen(walk->stack)) {
        ptrdiff_t at = arrpop(walk->stack);
        for (s = all[at].first; s < all[at].end && passes(walk, s);)
            ++s;
        if (s == all[at].end)
            put_next(walk, at);
    }
}

static void walk_back(struct walk *walk, ptrdiff_t node, ptrdiff_t step)
{
    const struct flow_node *all = walk->flow->node;
    ptrdiff_t s = step;
    memset(walk->is_seen, 0, (size_t)arrlen(all) * sizeof *walk->is_seen);
    while (s > all[node].first && passes(walk, s - 1))
        --s;
    if (s == all[node].first)
        put_last(walk, node);
    while (arrlen(walk->stack)) {
        ptrdiff_t at = arrpop(walk->stack);
        for (s = all[at].end; s > all[at].first && passes(walk, s - 1);)
            --s;
        if (s == all[at].first)
            put_last(walk, at);
    }
}

bool flags_load(struct flow *flow, ptrdiff_t node, ptrdiff_t step)
{
    struct place place;
    if (strncmp(flow->text + flow->step[step].begin, "ld", 2) != 0)
        return false;
    struct instruction instruction = flow_instruction(flow, &flow->step[step]);
    if (!is_word(&instruction, "ld") || !instruction_has(&instruction, "shared") ||
        instruction.operand_count != 2 || !operand_place(flow, instruction.operand[1], &place) ||
        is_copied_to(flow, place.variable))
        return false;
    struct walk walk = {.flow = flow, .variable = place.variable};
    arrsetlen(walk.is_seen, arrlen(flow->node));
    walk_on(&walk, node, step);
    walk_back(&walk, node, step);
    arrfree(walk.is_seen);
    arrfree(walk.stack);
    return !walk.is_stored;
}
