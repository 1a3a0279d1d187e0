#include "instrument/groups.h"

#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "instrument/emit.h"

// What is told with the places of kernels that have no hook at their beginning.
static uint64_t not_entered(const struct rewrite *rewrite)
{
    return rewrite->is_uniform ? BARLINT_RT_NOT_ENTERED : 0;
}

// The place of a copy or a bulk store that is open, plus 1.
static uint32_t open_place(const struct rewrite *rewrite, bool is_awaited)
{
    return ((uint32_t)rewrite->site + 1) | (is_awaited ? 0 : (uint32_t)BARLINT_RT_NEVER_AWAITED);
}

// A thread's groups of cp.async copies are its own: they are counted in registers, as struct
// barlint_async counts them. %bl_copies: 1 + the place of the last copy that is open, 0 for none;
// %bl_groups: how many groups; %bl_last: the last that is not empty; %bl_copied: 1 + the place of
// its last copy; %bl_done: how many are known to be complete. Bulk stores: groups_stored().
void groups_declare(FILE *out)
{
    fprintf(out, "\n\t.reg .b32 %%bl_stored, %%bl_sent;\n\tmov.b32 %%bl_stored, 0;\n"
                 "\tmov.b32 %%bl_sent, 0;");
    fprintf(out, "\n\t.reg .b32 %%bl_copies, %%bl_groups, %%bl_last, %%bl_copied, %%bl_done;\n"
                 "\tmov.b32 %%bl_copies, 0;\n\tmov.b32 %%bl_groups, 0;\n"
                 "\tmov.b32 %%bl_last, 0;\n\tmov.b32 %%bl_copied, 0;\n"
                 "\tmov.b32 %%bl_done, 0;");
}

// Closes the open copies into a group.
static void write_commit(FILE *out)
{
    fprintf(out, "\tadd.u32 %%bl_groups, %%bl_groups, 1;\n"
                 "\tsetp.ne.u32 %%bl_p, %%bl_copies, 0;\n"
                 "\tselp.b32 %%bl_last, %%bl_groups, %%bl_last, %%bl_p;\n"
                 "\tselp.b32 %%bl_copied, %%bl_copies, %%bl_copied, %%bl_p;\n"
                 "\tmov.b32 %%bl_copies, 0;\n");
}

// cp.async, its commit_group, wait_group n and wait_all. A wait that waits for nothing while copies
// are open was meant for those.
enum rewrite_result groups_rewrite(const struct rewrite *rewrite,
                                   const struct instruction *instruction)
{
    FILE *out = rewrite->out;
    if (!rewrite->has_groups)
        return REWRITE_NONE;
    if (instruction_is(instruction, "cp.async.commit_group")) {
        write_commit(out);
    } else if (instruction_is(instruction, "cp.async.wait_all")) {
        write_commit(out); // an empty group changes nothing
        fprintf(out, "\tmov.b32 %%bl_done, %%bl_groups;\n");
    } else if (instruction_is(instruction, "cp.async.wait_group")) {
        if (instruction->operand_count != 1 ||
            !emit_word(rewrite, "%bl_w1", instruction->operand[0]))
            return REWRITE_UNKNOWN;
        fprintf(out, "\t{\n\tsetp.ge.u32 %%bl_p, %%bl_done, %%bl_last;\n"
                     "\tsetp.eq.or.u32 %%bl_p, %%bl_copies, 0, !%%bl_p;\n"
                     "\t@%%bl_p bra bl_committed;\n");
        const struct argument argument[] = {WIDE(rewrite->site | not_entered(rewrite))};
        emit_call(out, "barlint_rt_group", NULL, 0, argument, 1);
        fprintf(out, "bl_committed:\n\t}\n\tmax.u32 %%bl_w2, %%bl_groups, %%bl_w1;\n"
                     "\tsub.u32 %%bl_w2, %%bl_w2, %%bl_w1;\n"
                     "\tmax.u32 %%bl_done, %%bl_done, %%bl_w2;\n");
    } else {
        fprintf(out, "\tmov.b32 %%bl_copies, %u;\n", open_place(rewrite, rewrite->awaited.copies));
    }
    instruction_write(instruction, out);
    return REWRITE_DONE;
}

// A thread of a kernel that counts its copies ends: has it waited for all of them?
void groups_end(const struct rewrite *rewrite)
{
    fprintf(rewrite->out,
            "\t{\n\tsetp.ge.u32 %%bl_p, %%bl_done, %%bl_last;\n"
            "\tsetp.eq.and.u32 %%bl_p, %%bl_copies, 0, %%bl_p;\n"
            "\t@%%bl_p bra bl_waited;\n"
            "\tmax.u32 %%bl_w1, %%bl_copies, %%bl_copied;\n"
            "\tsub.u32 %%bl_w1, %%bl_w1, 1;\n"
            "\tmov.b32 %%bl_w0, %u;\n\tmov.b64 %%bl_o, {%%bl_w1, %%bl_w0};\n",
            (uint32_t)((rewrite->site | not_entered(rewrite)) >> 32));
    const struct argument argument[] = {WIDE_IN("%bl_o")};
    emit_call(rewrite->out, "barlint_rt_open_copies", NULL, 0, argument, 1);
    fprintf(rewrite->out,
            "bl_waited:\n\t}\n"
            "\t{\n\tmax.u32 %%bl_w1, %%bl_stored, %%bl_sent;\n"
            "\tsetp.eq.u32 %%bl_p, %%bl_w1, 0;\n\t@%%bl_p bra bl_landed;\n"
            "\tsub.u32 %%bl_w1, %%bl_w1, 1;\n"
            "\tmov.b32 %%bl_w0, %u;\n\tmov.b64 %%bl_o, {%%bl_w1, %%bl_w0};\n",
            (uint32_t)((rewrite->site | not_entered(rewrite)) >> 32));
    emit_call(rewrite->out, "barlint_rt_open_stores", NULL, 0, argument, 1);
    fprintf(rewrite->out, "bl_landed:\n\t}\n");
}

// Bulk stores, which complete by groups, cp.async.bulk.commit_group and .wait_group n: %bl_stored
// is 1 + the place of the last store that is in no group, %bl_sent that of the last one which may
// be under way; 0 for none. A wait that leaves groups open is taken to leave the last one open.
enum rewrite_result groups_stored(const struct rewrite *rewrite,
                                  const struct instruction *instruction)
{
    FILE *out = rewrite->out;
    if (!rewrite->has_groups)
        return REWRITE_NONE;
    if (instruction_is(instruction, "cp.async.bulk.commit_group"))
        fprintf(out, "\tmax.u32 %%bl_sent, %%bl_sent, %%bl_stored;\n\tmov.b32 %%bl_stored, 0;\n");
    else if (instruction_is(instruction, "cp.async.bulk.wait_group") &&
             instruction->operand_count == 1 && strcmp(instruction->operand[0], "0") == 0)
        fprintf(out, "\tmov.b32 %%bl_sent, 0;\n");
    else if (instruction_has(instruction, "bulk_group"))
        fprintf(out, "\tmov.b32 %%bl_stored, %u;\n", open_place(rewrite, rewrite->awaited.stores));
    else
        return REWRITE_NONE;
    instruction_write(instruction, out);
    return REWRITE_DONE;
}
