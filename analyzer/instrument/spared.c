#include "instrument/spared.h"

#include "barlint/runtime_check/hooks.h"
#include "base/vec.h"
#include "instrument/emit.h"

static uint32_t flags_of(const struct repeat *repeat)
{
    return (repeat->blocks ? BARLINT_RT_BLOCKS_ALIKE : 0u) |
           (repeat->launches ? BARLINT_RT_LAUNCHES_ALIKE : 0u) |
           (repeat->polls ? BARLINT_RT_POLLS : 0u) | (repeat->in_line ? BARLINT_RT_IN_LINE : 0u);
}

// The parameters that count, mixed up to one word: %bl_key.
static void write_key(FILE *out, const struct repeat *repeat)
{
    fputs("\n\t.reg .b64 %bl_key;\n\tmov.b64 %bl_key, 0;\n", out);
    for (ptrdiff_t i = 0; repeat->launches && i < arrlen(repeat->parameter); ++i) {
        const struct repeat_parameter *parameter = &repeat->parameter[i];
        uint32_t bits = parameter->bits, width = bits < 16 ? 16 : bits;
        fprintf(out,
                "\t{\n\t.reg .b%u %%bl_n;\n\t.reg .b64 %%bl_v;\n\tld.param.u%u %%bl_n, %s;\n"
                "\tcvt.u64.u%u %%bl_v, %%bl_n;\n\txor.b64 %%bl_key, %%bl_key, %%bl_v;\n"
                "\tmul.lo.u64 %%bl_key, %%bl_key, 11400714819323198485;\n"
                "\tshr.u64 %%bl_v, %%bl_key, 29;\n\txor.b64 %%bl_key, %%bl_key, %%bl_v;\n\t}\n",
                width, bits, parameter->address, width);
    }
}

void spared_ask(FILE *out, const struct repeat *repeat, uint32_t label, uint64_t site)
{
    const struct argument argument[] = {WORD(flags_of(repeat)), WIDE_IN("%bl_key"), WIDE(site)};
    write_key(out, repeat);
    fputs("{ // barlint: has the same been checked?\n\t.reg .b32 %bl_x;\n\t.reg .pred %bl_p;\n",
          out);
    emit_call(out, "barlint_rt_is_spared", "%bl_x", 32, argument, 3);
    fprintf(out, "\tsetp.ne.u32 %%bl_p, %%bl_x, 0;\n\t@%%bl_p bra $L__barlint_%u;\n}", label);
}

void spared_note(FILE *out, const struct repeat *repeat, uint64_t site)
{
    const struct argument argument[] = {WORD_IN("%bl_self"), WORD(flags_of(repeat)),
                                        WIDE_IN("%bl_key"), WIDE(site)};
    emit_call(out, "barlint_rt_repeats", NULL, 0, argument, 4);
}
