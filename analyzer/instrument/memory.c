#include "instrument/memory.h"

#include "barlint/runtime_check/hooks.h"
#include "instrument/emit.h"

// The addition that is a block's arrival at the grid's barrier, and the load that asks for its end.
static enum rewrite_result rewrite_grid(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    bool arrives = !instruction_is(instruction, "ld") && instruction_has(instruction, "add");
    bool waits = instruction_is(instruction, "ld") && (instruction_has(instruction, "acquire") ||
                                                       instruction_has(instruction, "relaxed") ||
                                                       instruction_has(instruction, "volatile"));
    if (!arrives && !waits)
        return REWRITE_NONE;
    const struct argument argument[] = {WIDE(rewrite->site)};
    emit_call(rewrite->out, arrives ? "barlint_rt_grid_arrives" : "barlint_rt_grid_waits", NULL, 0,
              argument, 1);
    instruction_write(instruction, rewrite->out);
    return REWRITE_DONE;
}

// An access to the shared memory of another CTA. %bl_peers has the CTAs that this thread has loaded
// from since it last met the cluster, in its lower half, and those it has stored to in its upper:
// what is known is not told again.
static enum rewrite_result rewrite_peer(const struct rewrite *rewrite,
                                        const struct instruction *instruction, const char *operand)
{
    uint32_t space, tells = !instruction_is(instruction, "ld");
    if (!rewrite->in_kernel || !emit_address(rewrite, instruction, operand, &space))
        return REWRITE_NONE;
    FILE *out = rewrite->out;
    if (space == BARLINT_RT_GENERIC)
        fprintf(out, "\tgetctarank.u64 %%bl_w1, %%bl_a;\n");
    else
        fprintf(out, "\tcvt.u32.u64 %%bl_w1, %%bl_a;\n"
                     "\tgetctarank.shared::cluster.u32 %%bl_w1, %%bl_w1;\n");
    fprintf(out,
            "\t{\n\tmov.b32 %%bl_w2, %u;\n\tshl.b32 %%bl_w2, %%bl_w2, %%bl_w1;\n"
            "\tand.b32 %%bl_w3, %%bl_peers, %%bl_w2;\n\tsetp.ne.u32 %%bl_p, %%bl_w3, 0;\n"
            "\t@%%bl_p bra bl_known_peer;\n\tor.b32 %%bl_peers, %%bl_peers, %%bl_w2;\n"
            "\tsh%c.b32 %%bl_w2, %%bl_w2, 16;\n\tnot.b32 %%bl_w2, %%bl_w2;\n"
            "\tand.b32 %%bl_peers, %%bl_peers, %%bl_w2;\n",
            tells ? 1u << 16 : 1u, tells ? 'r' : 'l');
    CALL(rewrite, "barlint_rt_peer", WORD_IN("%bl_w1"), WORD(tells));
    fprintf(out, "bl_known_peer:\n\t}\n");
    instruction_write(instruction, out);
    return REWRITE_DONE;
}

enum rewrite_result memory_rewrite(const struct rewrite *rewrite,
                                   const struct instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; ++i) {
        const char *operand = instruction->operand[i];
        if (!operand_is_address(operand))
            continue;
        uint32_t kinds = addresses_in(rewrite->addresses, operand);
        return kinds & ADDRESS_OF_GRID   ? rewrite_grid(rewrite, instruction)
               : kinds & ADDRESS_OF_PEER ? rewrite_peer(rewrite, instruction, operand)
                                         : REWRITE_NONE;
    }
    return REWRITE_NONE;
}

void memory_tell_peers(const struct rewrite *rewrite)
{
    if (!rewrite->in_kernel || !rewrite->addresses->reads_peers)
        return;
    CALL(rewrite, "barlint_rt_peer", WORD(BARLINT_RT_ALL_PEERS), WORD(1u));
    fprintf(rewrite->out, "\tmov.b32 %%bl_peers, 0;\n");
}
