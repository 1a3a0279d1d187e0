#include "instrument/flags.h"

#include <string.h>

#include "base/vec.h"
#include "instrument/calls.h"
#include "instrument/items.h"
#include "instrument/operand.h"

enum { DEEPEST = 16 };

// --- What a step may store to --------------------------------------------------------------------

static bool is_word(const struct instruction *instruction, const char *word)
{
    return strcmp(instruction->part[0], word) == 0;
}

// Does the instruction begin with one of the words? A guard may stand before it.
static bool may_be(const char *text, const char *const *words, size_t count)
{
    bool may = *text == '@';
    for (size_t i = 0; i < count; ++i) {
        size_t length = strlen(words[i]);
        may |= strncmp(text, words[i], length) == 0 && !item_is_name(text[length]);
    }
    return may;
}

// The operand that says where the step may write to shared memory; NULL for a step that does not.
static const char *stored_at(struct flow *flow, const struct flow_step *step)
{
    static const char *const words[] = {"st", "stmatrix", "red", "atom", "cp"};
    static const char *const others[] = {"global", "local", "param"};
    if (!may_be(flow->text + step->begin, words, sizeof words / sizeof words[0]))
        return NULL;
    struct instruction instruction = flow_instruction(flow, step);
    bool is_store = false, is_copy = is_word(&instruction, "cp");
    if (instruction_is(&instruction, "cp.async.mbarrier")) // an arrival
        return NULL;
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
    if (!flow_is_register(text))
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

static bool calls_another(struct flow *flow, const struct flow_step *step)
{
    static const char *const words[] = {"call"};
    if (!may_be(flow->text + step->begin, words, 1))
        return false;
    struct instruction instruction = flow_instruction(flow, step);
    const char *name = calls_function(&instruction);
    return is_word(&instruction, "call") && !(name && function_is_system(name));
}

// The only variable that an operand in brackets points into; NULL where that is not known.
static const char *variable_at(struct flow *flow, const char *address)
{
    size_t begin = strspn(address, "[ "), length = 0;
    while (item_is_name(address[begin + length]))
        ++length;
    ptrdiff_t name = flow_find(flow, arena_strndup(&flow->arena, address + begin, length));
    bool several = false;
    const char *root = name < 0 ? NULL : root_of(flow, name, 0, &several);
    return several ? NULL : root;
}

// The variable that the step may store to; "" for any, NULL for none.
static const char *stored_to(struct flow *flow, const struct flow_step *step)
{
    const char *address = stored_at(flow, step);
    if (!address && calls_another(flow, step))
        return "";
    if (!address)
        return NULL;
    const char *variable = variable_at(flow, address);
    return variable ? variable : "";
}

const char *flags_loaded(struct flow *flow, ptrdiff_t step)
{
    static const char *const words[] = {"ld"};
    if (!may_be(flow->text + flow->step[step].begin, words, 1))
        return NULL;
    struct instruction instruction = flow_instruction(flow, &flow->step[step]);
    if (!is_word(&instruction, "ld") || instruction.operand_count != 2 ||
        !operand_is_address(instruction.operand[1]))
        return NULL;
    const char *variable = variable_at(flow, instruction.operand[1]);
    struct flow_name *shared = flow->shared;
    return variable && shared && shgeti(shared, variable) >= 0 ? variable : NULL;
}

void flags_init(struct flags *flags, struct flow *flow)
{
    *flags = (struct flags){.flow = flow};
    ptrdiff_t nodes = arrlen(flow->node);
    arrsetlen(flags->is_seen, nodes);
    arrsetlen(flags->last, nodes);
    memset(flags->last, 0, (size_t)nodes * sizeof *flags->last);
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s)
        arrput(flags->stored, stored_to(flow, &flow->step[s]));
    for (ptrdiff_t i = 0; i < nodes; ++i)
        for (int way = 0; way < 2; ++way)
            if (flow->node[i].next[way] >= 0)
                arrput(flags->last[flow->node[i].next[way]], i);
}

void flags_release(struct flags *flags)
{
    for (ptrdiff_t i = 0; i < arrlen(flags->last); ++i)
        arrfree(flags->last[i]);
    arrfree(flags->last);
    arrfree(flags->stored);
    arrfree(flags->is_seen);
    arrfree(flags->stack);
}

static bool stores_to(const struct flags *flags, ptrdiff_t step, const char *variable)
{
    const char *stored = flags->stored[step];
    return stored && (!*stored || strcmp(stored, variable) == 0);
}

// Does a copy go there, that may be under way at any time?
static bool is_copied_to(const struct flags *flags, const char *variable)
{
    const struct flow *flow = flags->flow;
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s)
        if (strncmp(flow->text + flow->step[s].begin, "cp.", strlen("cp.")) == 0 &&
            stores_to(flags, s, variable))
            return true;
    return false;
}

// --- Between two barriers ------------------------------------------------------------------------

// Does the walk go on behind the step?
static bool passes(struct flags *flags, ptrdiff_t s, const char *variable)
{
    const struct flow_step *step = &flags->flow->step[s];
    flags->is_stored |= stores_to(flags, s, variable);
    return !flags->is_stored && (step->barrier != FLOW_OF_BLOCK || step->guard >= 0);
}

static void put(struct flags *flags, ptrdiff_t node)
{
    if (node < 0 || flags->is_seen[node])
        return;
    flags->is_seen[node] = true;
    arrput(flags->stack, node);
}

static void put_next(struct flags *flags, ptrdiff_t node)
{
    for (int way = 0; way < 2; ++way)
        put(flags, flags->flow->node[node].next[way]);
}

static void put_last(struct flags *flags, ptrdiff_t node)
{
    for (ptrdiff_t i = 0; i < arrlen(flags->last[node]); ++i)
        put(flags, flags->last[node][i]);
}

static void start(struct flags *flags)
{
    memset(flags->is_seen, 0, (size_t)arrlen(flags->is_seen) * sizeof *flags->is_seen);
}

static void walk_on(struct flags *flags, ptrdiff_t node, ptrdiff_t step, const char *variable)
{
    const struct flow_node *all = flags->flow->node;
    start(flags);
    for (ptrdiff_t s = step + 1;; s = all[node].first) {
        while (s < all[node].end && passes(flags, s, variable))
            ++s;
        if (s == all[node].end)
            put_next(flags, node);
        if (!arrlen(flags->stack))
            return;
        node = arrpop(flags->stack);
    }
}

static void walk_back(struct flags *flags, ptrdiff_t node, ptrdiff_t step, const char *variable)
{
    const struct flow_node *all = flags->flow->node;
    start(flags);
    for (ptrdiff_t s = step;; s = all[node].end) {
        while (s > all[node].first && passes(flags, s - 1, variable))
            --s;
        if (s == all[node].first)
            put_last(flags, node);
        if (!arrlen(flags->stack))
            return;
        node = arrpop(flags->stack);
    }
}

bool flags_load(struct flags *flags, ptrdiff_t node, ptrdiff_t step)
{
    struct flow *flow = flags->flow;
    struct place place;
    if (strncmp(flow->text + flow->step[step].begin, "ld.", strlen("ld.")) != 0)
        return false;
    struct instruction instruction = flow_instruction(flow, &flow->step[step]);
    if (!instruction_has(&instruction, "shared") || instruction.operand_count != 2 ||
        !operand_place(flow, instruction.operand[1], &place) || is_copied_to(flags, place.variable))
        return false;
    flags->is_stored = false;
    walk_on(flags, node, step, place.variable);
    walk_back(flags, node, step, place.variable);
    return !flags->is_stored;
}
