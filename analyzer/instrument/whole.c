#include "instrument/whole.h"

#include <stdlib.h>
#include <string.h>

#include "barlint/semantics/named.h"
#include "base/vec.h"
#include "instrument/operand.h"
#include "instrument/parity.h"

enum { LARGEST_BLOCK = 1024, WARP = 32 };

// Is a barrier with that count one of the whole block?
static bool counts_all(struct uniform_condition *condition, struct number count)
{
    condition->is_needed = condition->in_line = true;
    if (count.kind == NUMBER_THREADS)
        return true;
    if (count.kind != NUMBER_KNOWN || count.value < 1 || count.value > LARGEST_BLOCK ||
        (condition->threads && condition->threads != count.value))
        return false;
    condition->threads = (uint32_t)count.value;
    return true;
}

// --- Barriers of the block -----------------------------------------------------------------------

struct parts {
    int64_t first;  // number of the first part's barrier
    uint32_t size;  // in threads; 0: there are none
    int64_t beside; // the highest number of those for the whole block
};

static bool is_part(struct uniform_condition *condition, struct parts *parts, struct number id,
                    struct number count)
{
    uint32_t size = 1u << id.shift;
    if (size < WARP || id.value < 0 || id.value >= (int64_t)BARLINT_NAMED_SLOTS ||
        count.kind != NUMBER_KNOWN || count.value != size ||
        (parts->size && (parts->size != size || parts->first != id.value)))
        return false;
    parts->size = size;
    parts->first = id.value;
    condition->is_needed = condition->in_line = true;
    condition->multiple = size;
    condition->most = size * (BARLINT_NAMED_SLOTS - (uint32_t)id.value);
    return true;
}

// Of a barrier of the whole block. A count is one of whole warps.
static bool is_whole(struct uniform_condition *condition, struct number count)
{
    if (!counts_all(condition, count) || condition->threads % WARP != 0)
        return false;
    condition->multiple = condition->multiple ? condition->multiple : WARP;
    return true;
}

static bool named_fits(struct flow *flow, const struct flow_step *step,
                       struct uniform_condition *condition, struct parts *parts)
{
    struct instruction instruction = flow_instruction(flow, step);
    uint32_t at = instruction.operand_count == 3; // what bar.red writes
    struct number id = operand_number(flow, instruction.operand[at]);
    struct number count = {0};
    if (step->barrier == FLOW_COUNTED)
        count = operand_number(flow, instruction.operand[1]);
    if (id.kind == NUMBER_PART)
        return is_part(condition, parts, id, count);
    if (id.kind != NUMBER_KNOWN || id.value < 0 || id.value >= (int64_t)BARLINT_NAMED_SLOTS)
        return false;
    parts->beside = id.value > parts->beside ? id.value : parts->beside;
    return step->barrier == FLOW_OF_BLOCK || is_whole(condition, count);
}

bool whole_named(struct flow *flow, struct uniform_condition *condition)
{
    struct parts parts = {0, 0, -1};
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
        enum flow_barrier barrier = flow->step[s].barrier;
        if ((barrier == FLOW_OF_BLOCK || barrier == FLOW_COUNTED) &&
            !named_fits(flow, &flow->step[s], condition, &parts))
            return false;
    }
    return !parts.size || parts.beside < parts.first;
}

// --- mbarriers -----------------------------------------------------------------------------------

enum { MOST_OBJECTS = 16, MOST_ARRIVALS = 32 };

// What a thread knows of an mbarrier; which of these it may be is a set. From ARRIVED on, a state
// for each place with an arrival: the last one was there, and its phase is not known to be over.
enum { BARE, MADE, READY, ARRIVED };

typedef uint64_t states;

#define STATE(state) ((states)1 << (state))

struct use {
    ptrdiff_t step;
    uint32_t object;
    uint32_t arrival; // its number; of a test, of the arrival that gave its token
    bool by_parity;   // a test that has none
};

// What holds where a branch goes a way.
struct outcome {
    uint32_t is_made; // objects: one thread goes another way and initialises them
    bool is_over;     // the phase of that arrival, or, by parity, of whichever was the last
    bool by_parity;
    uint32_t object, arrival;
};

struct whole {
    struct flow *flow;
    struct place object[MOST_OBJECTS];
    uint32_t objects, arrivals;
    struct use *use;         // stb_ds
    ptrdiff_t *use_of;       // stb_ds, by step: index into `use`, or FLOW_NOWHERE
    states *in;              // stb_ds, by node and object
    struct outcome *outcome; // stb_ds, by node and way
};

static bool find_object(struct whole *whole, const char *operand, uint32_t *out)
{
    struct place place;
    if (!operand_place(whole->flow, operand, &place) || place.offset % 8 != 0 ||
        shget(whole->flow->shared, place.variable) % 8 != 0)
        return false;
    for (*out = 0; *out < whole->objects; ++*out)
        if (whole->object[*out].variable == place.variable &&
            whole->object[*out].offset == place.offset)
            return true;
    if (whole->objects == MOST_OBJECTS)
        return false;
    whole->object[whole->objects++] = place;
    return true;
}

static bool read_use(struct whole *whole, ptrdiff_t at, struct uniform_condition *condition)
{
    struct flow *flow = whole->flow;
    const struct flow_step *step = &flow->step[at];
    struct instruction instruction = flow_instruction(flow, step);
    struct use use = {.step = at, .by_parity = step->barrier == FLOW_PARITY};
    bool is_init = step->barrier == FLOW_INIT, is_arrive = step->barrier == FLOW_ARRIVE;
    if (step->guard >= 0 || !find_object(whole, instruction.operand[is_init ? 0 : 1], &use.object))
        return false;
    if (is_init && !counts_all(condition, operand_number(flow, instruction.operand[1])))
        return false;
    if (is_arrive) {
        struct number count = {NUMBER_KNOWN, 1, 0};
        if (instruction.operand_count > 2)
            count = operand_number(flow, instruction.operand[2]);
        if (count.kind != NUMBER_KNOWN || count.value != 1 || whole->arrivals == MOST_ARRIVALS)
            return false;
        use.arrival = whole->arrivals++;
    }
    whole->use_of[at] = arrlen(whole->use);
    arrput(whole->use, use);
    return true;
}

// Finds the arrival that gave the token of a test.
static bool read_token(struct whole *whole, struct use *use)
{
    struct flow *flow = whole->flow;
    struct instruction instruction = flow_instruction(flow, &flow->step[use->step]);
    if (instruction.operand_count < 3)
        return false;
    ptrdiff_t by = operand_step(flow, operand_origin(flow, instruction.operand[2]));
    if (by < 0 || flow->step[by].barrier != FLOW_ARRIVE)
        return false;
    const struct use *arrival = &whole->use[whole->use_of[by]];
    use->arrival = arrival->arrival;
    return use->object == arrival->object;
}

static bool read_uses(struct whole *whole, struct uniform_condition *condition)
{
    struct flow *flow = whole->flow;
    for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
        enum flow_barrier barrier = flow->step[s].barrier;
        bool is_use = barrier == FLOW_INIT || barrier == FLOW_ARRIVE || barrier == FLOW_TEST ||
                      barrier == FLOW_PARITY;
        arrput(whole->use_of, FLOW_NOWHERE);
        if (is_use && !read_use(whole, s, condition))
            return false;
    }
    for (ptrdiff_t i = 0; i < arrlen(whole->use); ++i)
        if (flow->step[whole->use[i].step].barrier == FLOW_TEST &&
            !read_token(whole, &whole->use[i]))
            return false;
    return true;
}

// Does anything but those operations see the variables that the mbarriers are in?
static bool are_kept_apart(const struct whole *whole)
{
    const struct flow *flow = whole->flow;
    bool *leads = NULL; // by name: to such a variable
    arrsetlen(leads, arrlen(flow->value));
    memset(leads, 0, (size_t)arrlen(leads) * sizeof *leads);
    for (uint32_t i = 0; i < whole->objects; ++i) {
        ptrdiff_t at = flow_find(flow, whole->object[i].variable);
        if (at >= 0)
            leads[at] = true;
    }
    bool is_apart = true;
    for (bool changed = true; changed && is_apart;) {
        changed = false;
        for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
            const struct flow_step *step = &flow->step[s];
            const ptrdiff_t *name = flow->operand + step->names;
            bool is_led = false;
            for (uint32_t i = 0; i < step->reads; ++i)
                is_led |= leads[name[step->writes + i]];
            if (!is_led || whole->use_of[s] >= 0)
                continue;
            is_apart &= step->result == FLOW_COMPUTES && step->writes > 0;
            for (uint32_t i = 0; i < step->writes; ++i) {
                changed |= !leads[name[i]];
                leads[name[i]] = true;
            }
        }
    }
    arrfree(leads);
    return is_apart;
}

// --- What branches say ---------------------------------------------------------------------------

// The step of the node that wrote the value last; FLOW_NOWHERE for none.
static ptrdiff_t last_written_in(const struct flow *flow, const struct flow_node *node,
                                 ptrdiff_t before, ptrdiff_t value)
{
    for (ptrdiff_t s = before; s-- > node->first;)
        for (uint32_t i = 0; i < flow->step[s].writes; ++i)
            if (flow->operand[flow->step[s].names + i] == value)
                return flow->step[s].guard < 0 ? s : FLOW_NOWHERE;
    return FLOW_NOWHERE;
}

static bool is_literal(const char *operand, long value)
{
    char *end;
    return strtol(operand, &end, 0) == value && end != operand && *end == '\0';
}

// Does the instruction turn a truth value into another, or into a number and back? `*negates`: into
// the opposite. Its source is operand `*out_from`.
static bool passes_truth(const struct instruction *instruction, uint32_t *out_from, bool *negates)
{
    const char *word = instruction->part[0];
    const char *const *operand = instruction->operand;
    *out_from = 1;
    if (strcmp(word, "mov") == 0 || strcmp(word, "not") == 0) {
        *negates = *word == 'n';
        return instruction->operand_count == 2 &&
               (!*negates || instruction_has(instruction, "pred"));
    }
    if (strcmp(word, "setp") == 0) {
        *negates = instruction_has(instruction, "eq");
        return instruction->operand_count == 3 && is_literal(operand[2], 0) &&
               (*negates || instruction_has(instruction, "ne"));
    }
    if (strcmp(word, "selp") != 0 || instruction->operand_count != 4)
        return false;
    *out_from = 3;
    *negates = is_literal(operand[1], 0);
    return *negates ? is_literal(operand[2], 1)
                    : is_literal(operand[1], 1) && is_literal(operand[2], 0);
}

static bool is_test(const struct flow_step *step)
{
    return step->barrier == FLOW_TEST || step->barrier == FLOW_PARITY;
}

// The test that the node's branch is decided by; FLOW_NOWHERE for none. `*out_holds`: the condition
// holds where the test does.
static ptrdiff_t deciding_test(struct flow *flow, const struct flow_node *node, bool *out_holds)
{
    ptrdiff_t value = node->condition, at = node->end;
    *out_holds = true;
    while ((at = last_written_in(flow, node, at, value)) >= 0) {
        const struct flow_step *step = &flow->step[at];
        uint32_t from;
        bool negates;
        if (is_test(step))
            return step->writes == 1 ? at : FLOW_NOWHERE;
        struct instruction instruction = flow_instruction(flow, step);
        if (!passes_truth(&instruction, &from, &negates))
            return FLOW_NOWHERE;
        *out_holds ^= negates;
        const char *name = instruction.operand[from];
        value = flow_find_at(flow, step, name, strlen(name));
    }
    return FLOW_NOWHERE;
}

// Is one of the operands 0, and the other 0 in the first thread alone?
static bool are_equal_in_one(struct flow *flow, const char *const *operand)
{
    struct number a = operand_number(flow, operand[0]), b = operand_number(flow, operand[1]);
    struct number zero = a.kind == NUMBER_KNOWN ? a : b, other = a.kind == NUMBER_KNOWN ? b : a;
    return zero.kind == NUMBER_KNOWN && zero.value == 0 &&
           (other.kind == NUMBER_THREAD || other.kind == NUMBER_MINUS_THREAD);
}

// Does one thread of the block, the first, find that the condition holds (or, where `*out_holds`
// becomes false, that it does not)?
static bool is_of_one(const struct whole *whole, const char *condition, bool *out_holds)
{
    ptrdiff_t at = operand_step(whole->flow, condition);
    if (at < 0)
        return false;
    struct instruction instruction = flow_instruction(whole->flow, &whole->flow->step[at]);
    *out_holds = instruction_has(&instruction, "eq");
    return strcmp(instruction.part[0], "setp") == 0 && instruction.operand_count == 3 &&
           strcmp(instruction.operand[0], condition) == 0 &&
           (*out_holds || instruction_has(&instruction, "ne")) &&
           are_equal_in_one(whole->flow, &instruction.operand[1]);
}

// The objects that the node initialises.
static uint32_t made_in(const struct whole *whole, const struct flow_node *node)
{
    uint32_t made = 0;
    for (ptrdiff_t s = node->first; s < node->end; ++s)
        if (whole->flow->step[s].barrier == FLOW_INIT)
            made |= 1u << whole->use[whole->use_of[s]].object;
    return made;
}

// The only node that leads to `to`, and the way; FLOW_NOWHERE where there are several.
static ptrdiff_t leads_alone(const struct flow *flow, ptrdiff_t to, int *out_way)
{
    ptrdiff_t from = FLOW_NOWHERE;
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i)
        for (int way = 0; way < 2; ++way)
            if (flow->node[i].next[way] == to) {
                if (from >= 0)
                    return FLOW_NOWHERE;
                from = i;
                *out_way = way;
            }
    return from;
}

// Is a node that initialises mbarriers executed by one thread alone? All that do not go there take
// note.
static bool read_making(struct whole *whole, ptrdiff_t at)
{
    const struct flow *flow = whole->flow;
    int way = 0;
    bool holds;
    ptrdiff_t from = leads_alone(flow, at, &way);
    const struct flow_node *before = from < 0 ? NULL : &flow->node[from];
    if (!before || before->condition < 0 || before->spread != FLOW_ALIKE || before->next[0] < 0 ||
        before->next[1] < 0 || !is_of_one(whole, flow->names[before->condition].key, &holds) ||
        (way == 1) != (holds != before->is_negated))
        return false;
    whole->outcome[from * 2 + !way].is_made = made_in(whole, &flow->node[at]);
    return true;
}

static void read_test(struct whole *whole, ptrdiff_t at)
{
    const struct flow_node *node = &whole->flow->node[at];
    bool holds;
    ptrdiff_t test = node->condition < 0 ? FLOW_NOWHERE : deciding_test(whole->flow, node, &holds);
    if (test < 0)
        return;
    struct outcome *outcome = &whole->outcome[at * 2 + (holds != node->is_negated)];
    const struct use *use = &whole->use[whole->use_of[test]];
    outcome->is_over = true;
    outcome->by_parity = use->by_parity;
    outcome->object = use->object;
    outcome->arrival = use->arrival;
}

// --- What threads know where ---------------------------------------------------------------------

static states moved(states set, uint32_t from, uint32_t to)
{
    return set & STATE(from) ? (set & ~STATE(from)) | STATE(to) : set;
}

static states after_step(const struct whole *whole, ptrdiff_t s, uint32_t object, states set)
{
    enum flow_barrier barrier = whole->flow->step[s].barrier;
    const struct use *use = whole->use_of[s] < 0 ? NULL : &whole->use[whole->use_of[s]];
    if (barrier == FLOW_OF_BLOCK && whole->flow->step[s].guard < 0)
        return moved(set, MADE, READY);
    if (!use || use->object != object)
        return set;
    return barrier == FLOW_INIT     ? moved(set, BARE, MADE)
           : barrier == FLOW_ARRIVE ? moved(set, READY, ARRIVED + use->arrival)
                                    : set;
}

static states after_branch(const struct whole *whole, ptrdiff_t node, int way, uint32_t object,
                           states set)
{
    const struct outcome *outcome = &whole->outcome[node * 2 + way];
    if (outcome->is_made >> object & 1)
        set = moved(set, BARE, MADE);
    if (!outcome->is_over || outcome->object != object)
        return set;
    if (outcome->by_parity)
        return set < STATE(ARRIVED) ? set : (set & (STATE(ARRIVED) - 1)) | STATE(READY);
    return moved(set, ARRIVED + outcome->arrival, READY);
}

// May the step come in these states?
static bool is_in_turn(const struct whole *whole, ptrdiff_t s, uint32_t object, states set)
{
    const struct use *use = whole->use_of[s] < 0 ? NULL : &whole->use[whole->use_of[s]];
    if (!use || use->object != object)
        return true;
    enum flow_barrier barrier = whole->flow->step[s].barrier;
    if (barrier == FLOW_PARITY)
        return (set & (STATE(ARRIVED) - 1)) == 0;
    return set == (barrier == FLOW_INIT     ? STATE(BARE)
                   : barrier == FLOW_ARRIVE ? STATE(READY)
                                            : STATE(ARRIVED + use->arrival));
}

static void find_states(struct whole *whole, uint32_t object)
{
    const struct flow *flow = whole->flow;
    states *in = whole->in;
    memset(in, 0, (size_t)arrlen(in) * sizeof *in);
    in[0] = STATE(BARE);
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            states set = in[i];
            for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end && set; ++s)
                set = after_step(whole, s, object, set);
            for (int way = 0; way < 2; ++way) {
                ptrdiff_t next = flow->node[i].next[way];
                states there = next < 0 ? 0 : after_branch(whole, i, way, object, set);
                if (there & ~in[next < 0 ? 0 : next]) {
                    in[next] |= there;
                    changed = true;
                }
            }
        }
    }
}

static bool is_kept_in_turn(struct whole *whole, uint32_t object)
{
    const struct flow *flow = whole->flow;
    find_states(whole, object);
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        states set = whole->in[i];
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end && set; ++s) {
            if (!is_in_turn(whole, s, object, set))
                return false;
            set = after_step(whole, s, object, set);
        }
    }
    return arrlast(whole->in) < STATE(ARRIVED); // nobody ends without knowing
}

// Do those who wait by parity wait for the phase that they have arrived in?
static bool is_asked_rightly(struct whole *whole, uint32_t object)
{
    struct flow *flow = whole->flow;
    ptrdiff_t *test = NULL;
    for (ptrdiff_t i = 0; i < arrlen(whole->use); ++i)
        if (whole->use[i].by_parity && whole->use[i].object == object)
            arrput(test, whole->use[i].step);
    bool *ends = arena_alloc(&flow->arena, arrlenu(whole->outcome) * sizeof *ends);
    for (ptrdiff_t i = 0; i < arrlen(whole->outcome); ++i)
        ends[i] = whole->outcome[i].is_over && whole->outcome[i].object == object;
    bool is_right = !test || parity_fits(flow, ends, test);
    arrfree(test);
    return is_right;
}

static bool are_kept_in_turn(struct whole *whole)
{
    const struct flow *flow = whole->flow;
    ptrdiff_t nodes = arrlen(flow->node);
    arrsetlen(whole->in, nodes);
    arrsetlen(whole->outcome, 2 * nodes);
    memset(whole->outcome, 0, (size_t)(2 * nodes) * sizeof *whole->outcome);
    for (ptrdiff_t i = 0; i < nodes; ++i) {
        if (made_in(whole, &flow->node[i]) && !read_making(whole, i))
            return false;
        read_test(whole, i);
    }
    for (uint32_t object = 0; object < whole->objects; ++object)
        if (!is_kept_in_turn(whole, object) || !is_asked_rightly(whole, object))
            return false;
    return true;
}

bool whole_mbarriers(struct flow *flow, struct uniform_condition *condition)
{
    struct whole whole = {.flow = flow};
    bool is_whole = read_uses(&whole, condition) &&
                    (!whole.objects || (are_kept_apart(&whole) && are_kept_in_turn(&whole)));
    arrfree(whole.use);
    arrfree(whole.use_of);
    arrfree(whole.in);
    arrfree(whole.outcome);
    return is_whole;
}
