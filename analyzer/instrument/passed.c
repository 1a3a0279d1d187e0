#include "instrument/passed.h"

#include "barlint/runtime_check/sites.h"

enum { WORD = 32 };

// Where the word of a place is, in bytes behind the state.
static uint32_t word_at(uint32_t site)
{
    return 8 + site / WORD * 4;
}

static uint32_t ones(uint32_t count)
{
    return count < WORD ? (1u << count) - 1 : UINT32_MAX;
}

void passed_begin(FILE *out, const struct passed *passed)
{
    uint32_t shift = passed->first % WORD, at = word_at(passed->first);
    if (!passed->state || passed->first + WORD >= BARLINT_RT_PASSED)
        fputs("\tmov.b32 %bl_told, 0;\n", out);
    else if (shift == 0)
        fprintf(out, "\tld.global.u32 %%bl_told, [%s+%u];\n", passed->state, at);
    else
        fprintf(out,
                "\t{\n\t.reg .b32 %%bl_more;\n\tld.global.u32 %%bl_told, [%s+%u];\n"
                "\tld.global.u32 %%bl_more, [%s+%u];\n"
                "\tshf.r.wrap.b32 %%bl_told, %%bl_told, %%bl_more, %u;\n\t}\n",
                passed->state, at, passed->state, at + 4, shift);
}

// The bits of the places first to last in the word that `first` is in.
static void tell_word(FILE *out, const struct passed *passed, uint32_t first, uint32_t last)
{
    uint32_t bits = ones(last - first + 1) << first % WORD, at = word_at(first);
    fprintf(out,
            "\tld.global.u32 %%bl_bit, [%s+%u];\n\tand.b32 %%bl_bit, %%bl_bit, %u;\n"
            "\tsetp.ne.u32 %%bl_fresh, %%bl_bit, %u;\n"
            "\t@%%bl_fresh red.global.or.b32 [%s+%u], %u;\n",
            passed->state, at, bits, bits, passed->state, at, bits);
}

// Whoever passes a place that it does not know to be passed looks before it says so, or a kernel
// would write to one line of memory all the time.
void passed_tell(FILE *out, const struct passed *passed, uint32_t last, uint32_t count)
{
    uint32_t first = last + 1 - count, number = last - passed->first;
    last = last < BARLINT_RT_PASSED ? last : BARLINT_RT_PASSED - 1;
    if (!passed->state || !count || first > last)
        return;
    uint32_t told = passed->has_told && number < WORD ? ones(count) << (number + 1 - count) : 0;
    fputs("\t{\n\t.reg .b32 %bl_bit;\n\t.reg .pred %bl_fresh;\n", out);
    if (told)
        fprintf(out,
                "\tand.b32 %%bl_bit, %%bl_told, %u;\n\tsetp.eq.u32 %%bl_fresh, %%bl_bit, %u;\n"
                "\t@%%bl_fresh bra bl_known;\n\tor.b32 %%bl_told, %%bl_told, %u;\n",
                told, told, told);
    for (uint32_t at = first, end; at <= last; at = end + 1) {
        end = at | (WORD - 1);
        tell_word(out, passed, at, end < last ? end : last);
    }
    fprintf(out, "%s\t}\n", told ? "bl_known:\n" : "");
}
