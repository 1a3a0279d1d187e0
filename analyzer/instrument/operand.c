#include "instrument/operand.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"

enum { DEEPEST = 16 };

ptrdiff_t operand_step(const struct flow *flow, const char *name)
{
    ptrdiff_t at = flow_find(flow, name);
    if (at < 0 || flow->value[at].written != 1)
        return FLOW_NOWHERE;
    ptrdiff_t step = flow->value[at].written_by;
    return flow->step[step].guard < 0 ? step : FLOW_NOWHERE;
}

static bool is_word(const struct instruction *instruction, const char *word)
{
    return strcmp(instruction->part[0], word) == 0;
}

// The instruction that alone writes the register. Returns false for none.
static bool writer(struct flow *flow, const char *name, struct instruction *out)
{
    ptrdiff_t step = operand_step(flow, name);
    if (step < 0)
        return false;
    *out = flow_instruction(flow, &flow->step[step]);
    return out->operand_count >= 2 && strcmp(out->operand[0], name) == 0;
}

const char *operand_origin(struct flow *flow, const char *name)
{
    struct instruction instruction;
    for (int depth = 0; depth < DEEPEST; ++depth) {
        if (!writer(flow, name, &instruction) || !is_word(&instruction, "mov"))
            break;
        name = instruction.operand[1];
    }
    return name;
}

// --- Numbers of threads --------------------------------------------------------------------------

static struct number known(int64_t value)
{
    return (struct number){NUMBER_KNOWN, value, 0};
}

static bool is_known(struct number number, int64_t value)
{
    return number.kind == NUMBER_KNOWN && number.value == value;
}

static struct number sum(struct number a, struct number b)
{
    if (is_known(a, 0))
        return b;
    if (b.kind == NUMBER_KNOWN && (a.kind == NUMBER_KNOWN || a.kind == NUMBER_PART)) {
        a.value += b.value;
        return a;
    }
    if (a.kind == NUMBER_KNOWN && b.kind == NUMBER_PART)
        return sum(b, a);
    return is_known(b, 0) ? a : (struct number){0};
}

static struct number product(struct number a, struct number b)
{
    if (is_known(a, 0) || is_known(b, 1))
        return a;
    if (is_known(b, 0) || is_known(a, 1))
        return b;
    if (a.kind == NUMBER_KNOWN && b.kind == NUMBER_KNOWN)
        return known(a.value * b.value);
    return (struct number){0};
}

static struct number negative(struct number a)
{
    a.value = -a.value;
    return a.kind == NUMBER_KNOWN    ? a
           : a.kind == NUMBER_THREAD ? (struct number){NUMBER_MINUS_THREAD, 0, 0}
                                     : (struct number){0};
}

static struct number shifted(struct number a, struct number by)
{
    bool is_thread = a.kind == NUMBER_THREAD && by.kind == NUMBER_KNOWN;
    if (is_thread && by.value >= 0 && by.value < 16)
        return (struct number){NUMBER_PART, 0, (uint32_t)by.value};
    return (struct number){0};
}

static struct number special(const char *operand)
{
    static const struct {
        const char *name;
        struct number number;
    } rows[] = {
        {"%tid.x", {NUMBER_THREAD, 0, 0}}, {"%tid.y", {NUMBER_KNOWN, 0, 0}},
        {"%tid.z", {NUMBER_KNOWN, 0, 0}},  {"%ntid.x", {NUMBER_THREADS, 0, 0}},
        {"%ntid.y", {NUMBER_KNOWN, 1, 0}}, {"%ntid.z", {NUMBER_KNOWN, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (strcmp(operand, rows[i].name) == 0)
            return rows[i].number;
    return (struct number){0};
}

// Do all types in the mnemonic hold what threads are counted by?
static bool is_wide(const struct instruction *instruction)
{
    static const char *const odd[] = {"s8",  "u8",  "b8",  "s16", "u16",  "b16",
                                      "f16", "f32", "f64", "hi",  "wide", "sat"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; ++i)
        if (instruction_has(instruction, odd[i]))
            return false;
    return true;
}

static struct number number_at(struct flow *flow, const char *operand, int depth)
{
    char *end;
    long long literal = strtoll(operand, &end, 0);
    if (end != operand)
        return *end == '\0' ? known(literal) : (struct number){0};
    struct number number = special(operand), value[3] = {{0}};
    struct instruction instruction;
    if (number.kind != NUMBER_UNKNOWN || depth == DEEPEST || !writer(flow, operand, &instruction) ||
        !is_wide(&instruction))
        return number;
    for (uint32_t i = 1; i < instruction.operand_count && i < 4; ++i)
        value[i - 1] = number_at(flow, instruction.operand[i], depth + 1);
    if (is_word(&instruction, "mov") || is_word(&instruction, "cvt"))
        return value[0];
    if (is_word(&instruction, "neg"))
        return negative(value[0]);
    if (is_word(&instruction, "mul"))
        return product(value[0], value[1]);
    if (is_word(&instruction, "mad"))
        return sum(product(value[0], value[1]), value[2]);
    if (is_word(&instruction, "add"))
        return sum(value[0], value[1]);
    if (is_word(&instruction, "or") && (is_known(value[0], 0) || is_known(value[1], 0)))
        return sum(value[0], value[1]);
    return is_word(&instruction, "shr") ? shifted(value[0], value[1]) : (struct number){0};
}

struct number operand_number(struct flow *flow, const char *operand)
{
    return number_at(flow, operand, 0);
}

// --- Places --------------------------------------------------------------------------------------

// The variable of the kernel's that is called that.
static const char *variable_of(const struct flow *flow, const char *name)
{
    struct flow_name *shared = flow->shared;
    ptrdiff_t at = shared ? shgeti(shared, name) : FLOW_NOWHERE; // which makes a map where none is
    return at < 0 ? NULL : shared[at].key;
}

// What `base`, a register or a name, is so many bytes behind. `generic` counts the windows that the
// address is in.
static bool root_at(struct flow *flow, const char *base, int depth, int *generic, struct place *out)
{
    struct instruction instruction;
    if (!flow_is_register(base)) {
        *out = (struct place){base, 0};
        return true;
    }
    if (depth == DEEPEST || !writer(flow, base, &instruction) || !is_wide(&instruction))
        return false;
    if (is_word(&instruction, "cvta") && instruction_has(&instruction, "shared"))
        *generic += instruction_has(&instruction, "to") ? -1 : 1;
    else if (!is_word(&instruction, "mov") && !is_word(&instruction, "cvt") &&
             !is_word(&instruction, "add"))
        return false;
    struct number offset = {NUMBER_KNOWN, 0, 0};
    if (is_word(&instruction, "add"))
        offset = operand_number(flow, instruction.operand[2]);
    if (offset.kind != NUMBER_KNOWN ||
        !root_at(flow, instruction.operand[1], depth + 1, generic, out))
        return false;
    out->offset += offset.value;
    return true;
}

// Of an operand in brackets.
static bool root_of(struct flow *flow, const char *operand, int *generic, struct place *out)
{
    const char *at = operand + 1;
    at += strspn(at, " ");
    size_t length = 0;
    while (item_is_name(at[length]))
        ++length;
    char *base = arena_strndup(&flow->arena, at, length), *end;
    at += length;
    at += strspn(at, " +");
    long long offset = *at == ']' ? 0 : strtoll(at, &end, 0);
    if (*at != ']' && (end == at || *end != ']'))
        return false;
    if (!length || !root_at(flow, base, 0, generic, out))
        return false;
    out->offset += offset;
    return true;
}

bool operand_place(struct flow *flow, const char *operand, struct place *out)
{
    int generic = 0;
    if (!root_of(flow, operand, &generic, out) || generic != 0)
        return false;
    out->variable = variable_of(flow, out->variable);
    return out->variable;
}

bool operand_parameter(struct flow *flow, const char *operand, struct place *out)
{
    int generic = 0;
    return root_of(flow, operand, &generic, out) && generic == 0;
}
