#include "instrument/emit.h"

#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "instrument/items.h"

void emit_call(FILE *out, const char *hook, const char *result, uint32_t bits,
               const struct argument *argument, uint32_t count)
{
    fprintf(out, "\t{\n");
    for (uint32_t i = 0; i < count; ++i) {
        fprintf(out, "\t.param .b%u bl_%u;\n\tst.param.b%u [bl_%u], ", argument[i].bits, i,
                argument[i].bits, i);
        if (argument[i].text)
            fprintf(out, "%s;\n", argument[i].text);
        else
            fprintf(out, "%llu;\n", (unsigned long long)argument[i].number);
    }
    if (result)
        fprintf(out, "\t.param .b%u bl_r;\n\tcall.uni (bl_r), %s", bits, hook);
    else
        fprintf(out, "\tcall.uni %s", hook);
    for (uint32_t i = 0; i < count; ++i)
        fprintf(out, "%sbl_%u", i ? ", " : ", (", i);
    fprintf(out, count ? ");\n" : ";\n");
    if (result)
        fprintf(out, "\tld.param.b%u %s, [bl_r];\n", bits, result);
    fprintf(out, "\t}\n");
}

void emit_who(const struct rewrite *rewrite)
{
    if (!rewrite->in_kernel) {
        fprintf(rewrite->out, "\t.reg .b32 %%bl_self;\n");
        emit_call(rewrite->out, "barlint_rt_self", "%bl_self", 32, NULL, 0);
    }
    fprintf(rewrite->out, "\tactivemask.b32 %%bl_w3;\n\tmov.b64 %%bl_d1, {%%bl_w3, %%bl_self};\n");
}

// --- Operands ----------------------------------------------------------------------------------

bool emit_word(const struct rewrite *rewrite, const char *name, const char *operand)
{
    uint32_t bits = registers_bits(rewrite->registers, operand);
    if (bits == 64)
        fprintf(rewrite->out, "\tcvt.u32.u64 %s, %s;\n", name, operand);
    else if (bits == 32 || operand_is_number(operand) || (bits == 0 && *operand == '%'))
        fprintf(rewrite->out, "\tmov.b32 %s, %s;\n", name, operand);
    else
        return false;
    return true;
}

bool emit_wide(const struct rewrite *rewrite, const char *name, const char *operand)
{
    uint32_t bits = registers_bits(rewrite->registers, operand);
    if (bits == 32)
        fprintf(rewrite->out, "\tcvt.u64.u32 %s, %s;\n", name, operand);
    else if (bits == 64 || operand_is_number(operand))
        fprintf(rewrite->out, "\tmov.b64 %s, %s;\n", name, operand);
    else
        return false;
    return true;
}

// Takes apart `[base+offset]`. `*out_offset` is the offset with its sign, "" for none.
static bool split_address(const char *operand, char *base, size_t size, const char **out_offset,
                          size_t *out_length)
{
    if (!operand_is_address(operand) || strpbrk(operand, ",{"))
        return false;
    const char *at = operand + 1, *end = operand + strlen(operand) - 1;
    at += strspn(at, " ");
    while (end > at && end[-1] == ' ')
        --end;
    size_t length = 0;
    while (item_is_name(at[length]))
        ++length;
    if (length == 0 || length >= size)
        return false;
    memcpy(base, at, length);
    base[length] = '\0';
    at += length;
    at += strspn(at, " ");
    if (at < end && *at == '+') {
        ++at;
        at += strspn(at, " ");
    } else if (at < end && *at != '-') {
        return false;
    }
    *out_offset = at;
    *out_length = at < end ? (size_t)(end - at) : 0;
    return *out_length == 0 || operand_is_number(at);
}

bool emit_address(const struct rewrite *rewrite, const struct instruction *instruction,
                  const char *operand, uint32_t *out_space)
{
    *out_space =
        instruction_has(instruction, "shared::cluster") ? BARLINT_RT_SHARED_CLUSTER
        : instruction_has(instruction, "shared") || instruction_has(instruction, "shared::cta")
            ? BARLINT_RT_SHARED_CTA
            : BARLINT_RT_GENERIC;
    char base[1024];
    const char *offset;
    size_t length;
    if (!split_address(operand, base, sizeof base, &offset, &length))
        return false;
    int width = (int)length;
    uint32_t bits = registers_bits(rewrite->registers, base);
    if (bits == 64) {
        fprintf(rewrite->out, "\tadd.s64 %%bl_a, %s, %.*s;\n", base, width ? width : 1,
                width ? offset : "0");
    } else if (bits == 32) {
        fprintf(rewrite->out, "\tadd.s32 %%bl_w0, %s, %.*s;\n\tcvt.u64.u32 %%bl_a, %%bl_w0;\n",
                base, width ? width : 1, width ? offset : "0");
        if (*out_space == BARLINT_RT_GENERIC) // too short for one: <cuda/ptx> has such
            *out_space = BARLINT_RT_SHARED_CTA;
    } else if (bits || *base == '%') {
        return false;
    } else {
        // A variable, or a number.
        fprintf(rewrite->out, "\tmov.u64 %%bl_a, %s;\n", base);
        if (width)
            fprintf(rewrite->out, "\tadd.s64 %%bl_a, %%bl_a, %.*s;\n", width, offset);
        if (*out_space == BARLINT_RT_GENERIC && !operand_is_number(base))
            *out_space = BARLINT_RT_SHARED_CTA;
    }
    return true;
}
