// Of each register that a parity is made of, the last bit is kept beside the one of the number of
// phases that are over: which pairs of the two there may be. Both turn round in each pass of a loop
// in which a thread waits once, so that they stay equal, or unequal, however often it is passed.
#include "instrument/parity.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MOST_NUMBERS = 64 };

// A set of pairs; (phase, number) is bit 2 * phase + number.
typedef unsigned char pairs;

enum {
    EQUAL = 1 << 0 | 1 << 3,
    BEYOND = 1 << 4, // and the number may be none of 0 and 1, which a parity is to be
};

static pairs number_turned(pairs set)
{
    return (pairs)((set & 5) << 1 | (set & 10) >> 1 | (set & BEYOND));
}

static pairs phase_turned(pairs set)
{
    return (pairs)((set & 3) << 2 | (set >> 2 & 3) | (set & BEYOND));
}

static pairs within(pairs set)
{
    return (pairs)(set & ~BEYOND);
}

struct parities {
    struct flow *flow;
    const bool *ends;
    ptrdiff_t number[MOST_NUMBERS]; // values; [0]: none, a number that is always 0
    uint32_t count;
    pairs *in; // stb_ds, by node and number
};

// --- The registers that parities are made of -----------------------------------------------------

static bool read_literal(const char *operand, long long *out)
{
    char *end;
    *out = strtoll(operand, &end, 0);
    return end != operand && *end == '\0';
}

static ptrdiff_t value_of(struct flow *flow, const struct flow_step *step, const char *operand)
{
    const char *at = operand;
    size_t length = flow_next_name(&at);
    return length && at == operand && !operand[length] ? flow_find_at(flow, step, at, length)
                                                       : FLOW_NOWHERE;
}

// The number's place in `number`; 0 where it is not among them.
static uint32_t place_of(const struct parities *parities, ptrdiff_t value)
{
    for (uint32_t i = 1; i < parities->count; ++i)
        if (parities->number[i] == value)
            return i;
    return 0;
}

static bool add_number(struct parities *parities, struct flow *flow, const struct flow_step *step,
                       const char *operand)
{
    ptrdiff_t value = value_of(flow, step, operand);
    if (value < 0 || place_of(parities, value))
        return true;
    if (parities->count == MOST_NUMBERS)
        return false;
    parities->number[parities->count++] = value;
    return true;
}

static bool writes(const struct flow *flow, const struct flow_step *step, ptrdiff_t value)
{
    for (uint32_t i = 0; i < step->writes; ++i)
        if (flow->operand[step->names + i] == value)
            return true;
    return false;
}

static bool find_numbers(struct parities *parities, const ptrdiff_t *test)
{
    struct flow *flow = parities->flow;
    parities->number[0] = FLOW_NOWHERE;
    parities->count = 1;
    for (ptrdiff_t i = 0; i < arrlen(test); ++i) {
        const struct flow_step *step = &flow->step[test[i]];
        struct instruction instruction = flow_instruction(flow, step);
        if (instruction.operand_count < 3 ||
            !add_number(parities, flow, step, instruction.operand[2]))
            return false;
    }
    for (uint32_t n = 1; n < parities->count; ++n)
        for (ptrdiff_t s = 0; s < arrlen(flow->step); ++s) {
            const struct flow_step *step = &flow->step[s];
            if (!writes(flow, step, parities->number[n]))
                continue;
            struct instruction instruction = flow_instruction(flow, step);
            for (uint32_t i = 1; i < instruction.operand_count; ++i)
                if (!add_number(parities, flow, step, instruction.operand[i]))
                    return false;
        }
    return true;
}

// --- What steps make of them ---------------------------------------------------------------------

static pairs anything(const pairs *now)
{
    return now[0] | number_turned(now[0]) | BEYOND;
}

static pairs operand_pairs(struct parities *parities, const struct flow_step *step,
                           const char *operand, const pairs *now)
{
    long long literal;
    if (read_literal(operand, &literal)) {
        pairs set = literal & 1 ? number_turned(now[0]) : now[0];
        return literal == 0 || literal == 1 ? set : set | BEYOND;
    }
    uint32_t place = place_of(parities, value_of(parities->flow, step, operand));
    return place ? now[place] : anything(now);
}

// An operation on one number and a literal, which stands first or last.
static pairs combined(const char *word, pairs number, long long by, bool is_first, const pairs *now)
{
    bool odd = by & 1, is_bit = by == 0 || by == 1;
    pairs turned = odd ? number_turned(number) : number;
    if (strcmp(word, "add") == 0)
        return turned | BEYOND;
    if (strcmp(word, "sub") == 0) // 1 - number
        return is_first && by == 1 ? turned : turned | BEYOND;
    if (strcmp(word, "xor") == 0)
        return is_bit ? turned : turned | BEYOND;
    if (strcmp(word, "and") == 0)
        return !odd ? now[0] | BEYOND : by == 1 ? within(number) : number;
    if (strcmp(word, "or") == 0)
        return (odd ? number_turned(now[0]) : number) | (is_bit ? number & BEYOND : BEYOND);
    return strcmp(word, "shl") == 0 && by > 0 ? now[0] | BEYOND : anything(now);
}

// Are all types in the mnemonic integers, and does it keep their last bits?
static bool keeps_bits(const struct instruction *instruction)
{
    static const char *const types[] = {"s8",  "u8",  "b8",  "s16", "u16", "b16",
                                        "s32", "u32", "b32", "s64", "u64", "b64"};
    for (uint32_t i = 1; i < instruction->part_count; ++i)
        if (!IS_ANY(instruction->part[i], types))
            return false;
    return true;
}

static pairs result(struct parities *parities, const struct flow_step *step, const pairs *now)
{
    static const char *const copies[] = {"mov", "cvt", "neg"};
    struct instruction instruction = flow_instruction(parities->flow, step);
    const char *word = instruction.part[0], *const *operand = instruction.operand;
    long long literal;
    if (!keeps_bits(&instruction))
        return anything(now);
    if (instruction.operand_count == 2 && IS_ANY(word, copies))
        return operand_pairs(parities, step, operand[1], now) | (*word == 'n' ? BEYOND : 0);
    if (instruction.operand_count == 2 && strcmp(word, "not") == 0)
        return number_turned(operand_pairs(parities, step, operand[1], now)) | BEYOND;
    if (instruction.operand_count == 4 && strcmp(word, "selp") == 0)
        return operand_pairs(parities, step, operand[1], now) |
               operand_pairs(parities, step, operand[2], now);
    if (instruction.operand_count != 3)
        return anything(now);
    if (read_literal(operand[2], &literal))
        return combined(word, operand_pairs(parities, step, operand[1], now), literal, false, now);
    bool is_either = strcmp(word, "shl") != 0 && read_literal(operand[1], &literal);
    return is_either
               ? combined(word, operand_pairs(parities, step, operand[2], now), literal, true, now)
               : anything(now);
}

static void pass_step(struct parities *parities, const struct flow_step *step, pairs *now)
{
    for (uint32_t n = 1; n < parities->count; ++n)
        if (writes(parities->flow, step, parities->number[n])) {
            pairs set = step->writes == 1 ? result(parities, step, now) : anything(now);
            now[n] = step->guard < 0 ? set : set | now[n];
        }
}

static void find_pairs(struct parities *parities)
{
    const struct flow *flow = parities->flow;
    uint32_t count = parities->count;
    size_t size = arrlenu(flow->node) * count;
    pairs now[MOST_NUMBERS];
    arrsetlen(parities->in, size);
    memset(parities->in, 0, size);
    memset(parities->in, 3 | BEYOND, count); // whatever they are, no phase is over
    parities->in[0] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
            const struct flow_node *node = &flow->node[i];
            memcpy(now, &parities->in[(size_t)i * count], count);
            for (ptrdiff_t s = node->first; s < node->end && now[0]; ++s)
                pass_step(parities, &flow->step[s], now);
            for (int way = 0; way < 2 && now[0]; ++way)
                for (uint32_t n = 0; n < count && node->next[way] >= 0; ++n) {
                    pairs *there = &parities->in[(size_t)node->next[way] * count + n];
                    pairs set = parities->ends[i * 2 + way] ? phase_turned(now[n]) : now[n];
                    changed |= (set & ~*there) != 0;
                    *there |= set;
                }
        }
    }
}

static bool is_among(const ptrdiff_t *test, ptrdiff_t step)
{
    for (ptrdiff_t i = 0; i < arrlen(test); ++i)
        if (test[i] == step)
            return true;
    return false;
}

static bool are_equal(struct parities *parities, const ptrdiff_t *test)
{
    struct flow *flow = parities->flow;
    pairs now[MOST_NUMBERS];
    for (ptrdiff_t i = 0; i < arrlen(flow->node); ++i) {
        memcpy(now, &parities->in[(size_t)i * parities->count], parities->count);
        for (ptrdiff_t s = flow->node[i].first; s < flow->node[i].end && now[0]; ++s) {
            const struct flow_step *step = &flow->step[s];
            if (is_among(test, s) &&
                operand_pairs(parities, step, flow_instruction(flow, step).operand[2], now) &
                    ~EQUAL)
                return false;
            pass_step(parities, step, now);
        }
    }
    return true;
}

bool parity_fits(struct flow *flow, const bool *ends, const ptrdiff_t *test)
{
    struct parities parities = {.flow = flow, .ends = ends};
    bool fits = find_numbers(&parities, test);
    if (fits) {
        find_pairs(&parities);
        fits = are_equal(&parities, test);
    }
    arrfree(parities.in);
    return fits;
}
