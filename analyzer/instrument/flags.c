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

// Does the instruction leave memory as it is, or what its address points to, as far as loads see?
static bool only_reads(const struct instruction *instruction)
{
    static const char *const words[] = {"ld",       "ldu",       "ldmatrix",      "mbarrier",
                                        "prefetch", "prefetchu", "applypriority", "discard",
                                        "isspacep", "cvta",      "mov",           "tensormap"};
    return IS_ANY(instruction->part[0], words) || instruction_is(instruction, "wmma.load") ||
           instruction_is(instruction, "multimem.ld_reduce") ||
           instruction_is(instruction, "cp.async.mbarrier"); // an arrival
}

// The operand that says where the step may write to shared memory; NULL for a step that does not.
// (Of a call, calls_another() says.)
static const char *stored_at(struct flow *flow, const struct flow_step *step)
{
    static const char *const others[] = {"global", "local", "param", "const"};
    const char *text = flow->text + step->begin;
    if (step->result == FLOW_COMPUTES || !memchr(text, '[', step->end - step->begin))
        return NULL;
    struct instruction instruction = flow_instruction(flow, step);
    bool is_store = !only_reads(&instruction), is_copy = is_word(&instruction, "cp");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        is_store &= is_copy || !instruction_has(&instruction, others[i]);
    for (uint32_t i = 0; is_store && i < instruction.operand_count; ++i)
        if (operand_is_address(instruction.operand[i]))
            return instruction.operand[i];
    return NULL;
}

// What a name's value is made of.
struct root {
    const char *variable; // the first, or NULL
    bool several;         // there are others
    bool unknown;         // there is more, which is not known
};

static void find_root(struct flow *flow, ptrdiff_t name, int depth, struct root *root)
{
    const char *text = flow->names[name].key;
    const struct flow_value *value = &flow->value[name];
    if (!flow_is_register(text)) {
        root->several |= root->variable && strcmp(root->variable, text) != 0;
        root->variable = root->variable ? root->variable : text;
        return;
    }
    const struct flow_step *step = value->written ? &flow->step[value->written_by] : NULL;
    if (!step) // a special register
        return;
    if (value->written != 1 || depth == DEEPEST || step->result != FLOW_COMPUTES) {
        root->unknown = true;
        return;
    }
    for (uint32_t i = 0; i < step->reads; ++i)
        find_root(flow, flow->operand[step->names + step->writes + i], depth + 1, root);
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

static bool is_shared(const struct flow *flow, const char *variable)
{
    struct flow_name *shared = flow->shared;
    return shared && shgeti(shared, variable) >= 0;
}

// The only variable that an operand in brackets points into; NULL where that is not known. An
// offset that nobody knows stays within the variable, if that is one of the block's.
static const char *variable_at(struct flow *flow, const char *address)
{
    size_t begin = strspn(address, "[ "), length = 0;
    while (item_is_name(address[begin + length]))
        ++length;
    ptrdiff_t name = flow_find(flow, arena_strndup(&flow->arena, address + begin, length));
    struct root root = {0};
    if (name < 0)
        return NULL;
    find_root(flow, name, 0, &root);
    bool is_known =
        root.variable && !root.several && (!root.unknown || is_shared(flow, root.variable));
    return is_known ? root.variable : NULL;
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
    return variable && is_shared(flow, variable) ? variable : NULL;
}

void flags_init(struct flags *flags, struct flow *flow)
{
    *flags = (struct flags){.flow = flow};
    ptrdiff_t nodes = arrlen(flow->node);
    arrsetlen(flags->is_seen, nodes);
    arrsetlen(flags->last, nodes);
    memset(flags->last, 0, (size_t)nodes * sizeof *flags->last);
    static const char *const copies[] = {"cp"};
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
        arrput(flags->stored, stored_to(flow, &flow->step[s]));
        arrput(flags->copies, may_be(flow->text + flow->step[s].begin, copies, 1));
    }
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
    arrfree(flags->copies);
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
        if (flags->copies[s] && stores_to(flags, s, variable))
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
