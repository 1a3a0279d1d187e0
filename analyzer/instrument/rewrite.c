// One function for each family of instructions; `families` lists them. Each reads the operands
// first and gives up on what it does not know, then writes. Registers and parameters of its own are
// declared in the block that the whole stands in:
//   %bl_a       address of the barrier          %bl_o       operand
//   %bl_w0..3   32-bit values                   %bl_d0..1   64-bit values
//   %bl_p, %bl_q    predicates                  bl_0..5     parameters, bl_r a result
#include "instrument/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "barlint/semantics/async.h"
#include "barlint/semantics/named.h"
#include "instrument/emit.h"
#include "instrument/groups.h"
#include "instrument/inline.h"
#include "instrument/items.h"
#include "instrument/memory.h"

static const char declarations[] = "\t.reg .b64 %bl_a, %bl_o, %bl_d<2>;\n"
                                   "\t.reg .b32 %bl_w<4>;\n"
                                   "\t.reg .pred %bl_p, %bl_q;\n";

void rewrite_enter(FILE *out, bool by_rounds, uint64_t site)
{
    const struct argument argument[] = {WIDE(site)};
    fprintf(out, "\n\t.reg .b32 %%bl_self, %%bl_told, %%bl_polled, %%bl_polls, %%bl_peers;\n"
                 "\tmov.b32 %%bl_polled, 0;\n\tmov.b32 %%bl_polls, 0;\n"
                 "\tmov.b32 %%bl_peers, 0;\n");
    emit_call(out, by_rounds ? "barlint_rt_enter_rounds" : "barlint_rt_enter", "%bl_self", 32,
              argument, 1);
    if (!by_rounds)
        return;
    fprintf(out, "\t.reg .b64 %%bl_round;\n\t.reg .b32 %%bl_next;\n");
    emit_call(out, "barlint_rt_rounds", "%bl_round", 64, NULL, 0);
    fprintf(out, "\t{\n\t.reg .b32 %%bl_at;\n\tmov.b64 {%%bl_at, %%bl_next}, %%bl_round;\n"
                 "\tcvt.u64.u32 %%bl_round, %%bl_at;\n\t}\n");
}

static enum rewrite_result written(const struct rewrite *rewrite,
                                   const struct instruction *instruction)
{
    instruction_write(instruction, rewrite->out);
    return REWRITE_DONE;
}

// --- mbarrier ----------------------------------------------------------------------------------

static enum rewrite_result mbarrier_call(const struct rewrite *rewrite,
                                         const struct instruction *instruction, uint32_t op,
                                         uint32_t space, uint32_t flags)
{
    *rewrite->has_mbarriers = true;
    emit_who(rewrite);
    CALL_FOR(rewrite, "barlint_rt_mbarrier", "%bl_d0", 64, WORD(op), WIDE_IN("%bl_a"), WORD(space),
             WIDE_IN("%bl_o"), WORD(flags), WIDE_IN("%bl_d1"));
    return written(rewrite, instruction);
}

// mbarrier.init [a], n; expect_tx [a], n; complete_tx [a], n; inval [a]
static enum rewrite_result rewrite_plain(const struct rewrite *rewrite,
                                         const struct instruction *instruction)
{
    static const struct {
        const char *mnemonic;
        uint32_t op, operands;
    } rows[] = {
        {"mbarrier.init", BARLINT_RT_INIT, 2},
        {"mbarrier.inval", BARLINT_RT_INVAL, 1},
        {"mbarrier.expect_tx", BARLINT_RT_EXPECT_TX, 2},
        {"mbarrier.complete_tx", BARLINT_RT_COMPLETE_TX, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (!instruction_is(instruction, rows[i].mnemonic))
            continue;
        uint32_t space;
        if (instruction->operand_count != rows[i].operands ||
            !emit_address(rewrite, instruction, instruction->operand[0], &space) ||
            !emit_wide(rewrite, "%bl_o", rows[i].operands == 2 ? instruction->operand[1] : "0"))
            return REWRITE_UNKNOWN;
        return mbarrier_call(rewrite, instruction, rows[i].op, space, 0);
    }
    return REWRITE_UNKNOWN;
}

// mbarrier.arrive and .arrive_drop: [token,] [a] {, count or bytes}
static enum rewrite_result rewrite_arrive(const struct rewrite *rewrite,
                                          const struct instruction *instruction)
{
    uint32_t at = 0, flags = 0;
    const char *token = NULL;
    if (instruction->operand_count && !operand_is_address(instruction->operand[0]))
        token = instruction->operand[at++];
    if (!token || strcmp(token, "_") == 0) {
        token = NULL;
        flags |= BARLINT_RT_NO_TOKEN;
    } else if (registers_bits(rewrite->registers, token) != 64) {
        return REWRITE_UNKNOWN;
    }
    if (instruction_is(instruction, "mbarrier.arrive_drop"))
        flags |= BARLINT_RT_DROPS;
    if (instruction_has(instruction, "noComplete"))
        flags |= BARLINT_RT_NO_COMPLETE;
    bool expects = instruction_has(instruction, "expect_tx");
    if (expects)
        flags |= BARLINT_RT_EXPECTS;
    if (instruction_has(instruction, "multicast::cluster") ||
        instruction_has(instruction, "multicast::cluster::32b") ||
        at >= instruction->operand_count || instruction->operand_count > at + 2)
        return REWRITE_UNKNOWN;
    uint32_t space;
    bool has_number = instruction->operand_count == at + 2;
    const char *number = has_number ? instruction->operand[at + 1] : "1";
    if ((expects && !has_number) ||
        !emit_address(rewrite, instruction, instruction->operand[at], &space) ||
        !emit_word(rewrite, "%bl_w1", expects ? "1" : number) ||
        !emit_word(rewrite, "%bl_w2", expects ? number : "0"))
        return REWRITE_UNKNOWN;
    fprintf(rewrite->out, "\tmov.b64 %%bl_o, {%%bl_w1, %%bl_w2};\n");
    mbarrier_call(rewrite, instruction, BARLINT_RT_ARRIVE, space, flags);
    if (token)
        fprintf(rewrite->out,
                "\tsetp.ne.s64 %%bl_p, %%bl_d0, 0;\n\tselp.b64 %s, %%bl_d0, %s, %%bl_p;\n", token,
                token);
    return REWRITE_DONE;
}

// The parity to test for goes to %bl_w1: what barlint_rt_wait() returns for %bl_o, without a call.
static void write_parity(const struct rewrite *rewrite, bool parity)
{
    fprintf(rewrite->out, "\tcvt.u32.u64 %%bl_w1, %%bl_o;\n\tand.b32 %%bl_w1, %%bl_w1, 1;\n");
    if (parity)
        return;
    // The hardware's own token has the phase in its upper bit.
    fprintf(rewrite->out,
            "\tmov.b64 {%%bl_w3, %%bl_w2}, %%bl_o;\n"
            "\tshr.u32 %%bl_w3, %%bl_w2, 24;\n\tsetp.eq.u32 %%bl_p, %%bl_w3, %u;\n"
            "\tshr.u32 %%bl_w2, %%bl_w2, 31;\n"
            "\tselp.b32 %%bl_w1, %%bl_w1, %%bl_w2, %%bl_p;\n",
            (uint32_t)BARLINT_RT_TOKEN_MARK);
}

// A wait at another CTA's mbarrier aborts the kernel: it is told before. %bl_self has this CTA's
// window of shared memory in its upper bits.
static void write_far(const struct rewrite *rewrite, uint32_t space)
{
    fprintf(rewrite->out, "\t{\n\tcvt.u32.u64 %%bl_w1, %%bl_a;\n"
                          "\txor.b32 %%bl_w1, %%bl_w1, %%bl_self;\n"
                          "\tsetp.lt.u32 %%bl_p, %%bl_w1, 0x1000000;\n\t@%%bl_p bra bl_near;\n");
    fputs(INLINING_RARE, rewrite->out);
    CALL(rewrite, "barlint_rt_far", WIDE_IN("%bl_a"), WORD(space));
    fprintf(rewrite->out, "bl_near:\n\t}\n");
}

// %bl_w3 says what is tested, by place and address.
static void write_tested(const struct rewrite *rewrite)
{
    fprintf(rewrite->out, "\tcvt.u32.u64 %%bl_w3, %%bl_a;\n\txor.b32 %%bl_w3, %%bl_w3, %u;\n",
            (uint32_t)rewrite->site << 12 | 1u);
}

// The test itself, by the parity in %bl_w1; with `guard`, such as "@%p ", where that holds.
static void write_test(const struct rewrite *rewrite, const struct instruction *instruction,
                       const char *guard, const char *name)
{
    fprintf(rewrite->out, "\t%s%s%s%s %s, %s, %%bl_w1", guard, name,
            instruction_has(instruction, "parity") ? "" : ".parity",
            instruction->mnemonic + strlen("mbarrier.test_wait") -
                instruction_is(instruction, "mbarrier.try_wait"),
            instruction->operand[0], instruction->operand[1]);
    bool timed = instruction->operand_count == 4 && strcmp(name, "mbarrier.try_wait") == 0;
    fprintf(rewrite->out, "%s%s;\n", timed ? ", " : "", timed ? instruction->operand[3] : "");
}

// Hardware mostly answers a try_wait when the phase has ended, and so hides who goes on although
// the answer is no. It need not wait (PTX ISA 9.1, 9.7.13.15.16): the first times that a thread
// comes to one it is not made to. How often that was is counted in the upper half of %bl_polls.
enum { PROMPT_TESTS = 16, PROMPT = 1 << 16 };

static void write_prompt_test(const struct rewrite *rewrite, const struct instruction *instruction)
{
    // One of the two is executed, which ptxas does not see: it would keep what the predicate held
    // before.
    fprintf(rewrite->out,
            "\tsetp.ne.u32 %s, 0, 0;\n"
            "\tsetp.ne.u32 %%bl_p, %%bl_w3, %%bl_polled;\n"
            "\tsetp.lt.and.u32 %%bl_p, %%bl_polls, %u, %%bl_p;\n"
            "\t@%%bl_p add.u32 %%bl_polls, %%bl_polls, %u;\n",
            instruction->operand[0], PROMPT_TESTS * PROMPT, PROMPT);
    write_test(rewrite, instruction, "@%bl_p ", "mbarrier.test_wait");
    write_test(rewrite, instruction, "@!%bl_p ", "mbarrier.try_wait");
}

// A thread that asks again and again is looked at when it fails for the first time, and from then
// on every eighth time: %bl_q says that it need not be now. %bl_polled: what it failed at last; 0:
// it has passed since. Who passes does nothing else about it: the count begins anew when it fails.
static void write_polls(const struct rewrite *rewrite, const char *passed)
{
    fprintf(rewrite->out,
            "\t@%s mov.b32 %%bl_polled, 0;\n\t@%s bra bl_asked;\n"
            "\tsetp.eq.u32 %%bl_p, %%bl_w3, %%bl_polled;\n"
            "\tand.b32 %%bl_w1, %%bl_polls, %u;\n"
            "\tadd.u32 %%bl_polls, %%bl_polls, 1;\n"
            "\tselp.b32 %%bl_polls, %%bl_polls, %%bl_w1, %%bl_p;\n"
            "\tand.b32 %%bl_w1, %%bl_polls, 7;\n"
            "\tsetp.ne.and.u32 %%bl_q, %%bl_w1, 0, %%bl_p;\n"
            "\tmov.b32 %%bl_polled, %%bl_w3;\n"
            "\t@%%bl_q bra bl_unseen;\nbl_asked:\n",
            passed, passed, -(uint32_t)PROMPT);
}

// mbarrier.test_wait and .try_wait: p, [a], token or parity {, time}
static enum rewrite_result rewrite_wait(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    bool tries = instruction_is(instruction, "mbarrier.try_wait");
    bool parity = instruction_has(instruction, "parity");
    uint32_t form = parity ? (tries ? BARLINT_RT_TRY_PARITY : BARLINT_RT_TEST_PARITY)
                           : (tries ? BARLINT_RT_TRY_TOKEN : BARLINT_RT_TEST_TOKEN);
    uint32_t count = instruction->operand_count, space;
    if (count < 3 || count > 3 + (uint32_t)tries)
        return REWRITE_UNKNOWN;
    const char *passed = instruction->operand[0];
    if (registers_bits(rewrite->registers, passed) != 1 ||
        !emit_address(rewrite, instruction, instruction->operand[1], &space) ||
        !emit_wide(rewrite, "%bl_o", instruction->operand[2]))
        return REWRITE_UNKNOWN;
    *rewrite->has_mbarriers = true;
    if (rewrite->has_peers && space != BARLINT_RT_GENERIC && rewrite->in_kernel)
        write_far(rewrite, space);
    write_parity(rewrite, parity);
    if (rewrite->in_kernel) // elsewhere there are no registers to keep it in
        write_tested(rewrite);
    if (tries && rewrite->in_kernel)
        write_prompt_test(rewrite, instruction);
    else
        write_test(rewrite, instruction, "", tries ? "mbarrier.try_wait" : "mbarrier.test_wait");
    fprintf(rewrite->out, "\t{\n\tselp.u32 %%bl_w2, 1, 0, %s;\n", passed);
    if (rewrite->in_kernel)
        write_polls(rewrite, passed);
    emit_who(rewrite);
    CALL(rewrite, "barlint_rt_waited", WORD(form), WIDE_IN("%bl_a"), WORD(space), WIDE_IN("%bl_o"),
         WORD_IN("%bl_w2"), WIDE_IN("%bl_d1"));
    fprintf(rewrite->out, "bl_unseen:\n\t}\n");
    return REWRITE_DONE;
}

// A test in a block that is not checked. When it has failed often, the launch may have come to an
// end.
static enum rewrite_result rewrite_spared_wait(const struct rewrite *rewrite,
                                               const struct instruction *instruction)
{
    FILE *out = rewrite->out;
    if (instruction->operand_count < 3)
        return REWRITE_NONE;
    (void)written(rewrite, instruction);
    fprintf(out,
            "\t{\n\t@%s bra bl_passed;\n\tadd.u32 %%bl_polls, %%bl_polls, 1;\n"
            "\tand.b32 %%bl_w1, %%bl_polls, 63;\n\tsetp.ne.u32 %%bl_p, %%bl_w1, 0;\n"
            "\t@%%bl_p bra bl_passed;\n",
            instruction->operand[0]);
    emit_call(out, "barlint_rt_spared_waits", NULL, 0, NULL, 0);
    fprintf(out, "bl_passed:\n\t}\n");
    return REWRITE_DONE;
}

// mbarrier.pending_count n, token: the hook knows the token, the hardware does not.
static enum rewrite_result rewrite_pending_count(const struct rewrite *rewrite,
                                                 const struct instruction *instruction)
{
    if (instruction->operand_count != 2 ||
        registers_bits(rewrite->registers, instruction->operand[0]) != 32 ||
        !emit_wide(rewrite, "%bl_o", instruction->operand[1]))
        return REWRITE_UNKNOWN;
    CALL_FOR(rewrite, "barlint_rt_pending_count", "%bl_w1", 32, WIDE_IN("%bl_o"));
    fprintf(rewrite->out, "\tmov.b32 %s, %%bl_w1;\n", instruction->operand[0]);
    return REWRITE_DONE;
}

// --- Asynchronous operations that complete on an mbarrier ----------------------------------------

static bool is_multicast(const struct instruction *instruction)
{
    for (uint32_t i = 1; i < instruction->part_count; ++i)
        if (strncmp(instruction->part[i], "multicast", strlen("multicast")) == 0)
            return true;
    return false;
}

// The last operand in brackets: the barrier.
static const char *last_address(const struct instruction *instruction)
{
    for (uint32_t i = instruction->operand_count; i-- > 0;)
        if (operand_is_address(instruction->operand[i]))
            return instruction->operand[i];
    return NULL;
}

static enum rewrite_result rewrite_async(const struct rewrite *rewrite,
                                         const struct instruction *instruction, uint32_t op,
                                         const char *operand)
{
    uint32_t space;
    const char *barrier = last_address(instruction);
    if (!barrier || !emit_address(rewrite, instruction, barrier, &space) ||
        !emit_wide(rewrite, "%bl_o", operand))
        return REWRITE_UNKNOWN;
    return mbarrier_call(rewrite, instruction, op, space,
                         is_multicast(instruction) ? BARLINT_RT_MULTICAST : 0);
}

// cp.async.mbarrier.arrive{.noinc} [a]
static enum rewrite_result rewrite_async_arrive(const struct rewrite *rewrite,
                                                const struct instruction *instruction)
{
    if (rewrite->has_groups) // whoever waits there waits for the copies
        fprintf(rewrite->out, "\tmov.b32 %%bl_copies, 0;\n\tmov.b32 %%bl_done, %%bl_groups;\n");
    if (rewrite->is_uniform)
        return rewrite->has_groups ? written(rewrite, instruction) : REWRITE_NONE;
    return rewrite_async(rewrite, instruction, BARLINT_RT_ASYNC_ARRIVE,
                         instruction_has(instruction, "noinc") ? "1" : "0");
}

// Calls barlint_rt_transfer() for what goes to the shared address in `to`, from that in `from`
// (NULL: from registers) with as many bytes as `size` says.
static bool write_transfer(const struct rewrite *rewrite, const struct instruction *instruction,
                           const char *from, const char *size, enum barlint_async_target target)
{
    uint32_t space;
    if (!emit_address(rewrite, instruction, instruction->operand[0], &space))
        return false;
    fprintf(rewrite->out, "\tmov.b64 %%bl_d0, %%bl_a;\n\tmov.b64 %%bl_d1, 0;\n");
    if (from) {
        if (!emit_address(rewrite, instruction, from, &space))
            return false;
        fprintf(rewrite->out, "\tmov.b64 %%bl_d1, %%bl_a;\n");
    }
    if (!emit_word(rewrite, "%bl_w1", size) ||
        !emit_address(rewrite, instruction, last_address(instruction), &space))
        return false;
    CALL(rewrite, "barlint_rt_transfer", WIDE_IN("%bl_d0"), WIDE_IN("%bl_d1"), WORD_IN("%bl_w1"),
         WIDE_IN("%bl_a"), WORD(target));
    return true;
}

// cp.async.bulk [to], [from], size, [a] and cp.reduce.async.bulk; of a tensor, whose size is in its
// map: [to], [map, {coordinates}], [a].
static enum rewrite_result rewrite_bulk(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    if (!instruction_has(instruction, "mbarrier::complete_tx::bytes"))
        return groups_stored(rewrite, instruction);
    if (rewrite->is_uniform)
        return REWRITE_NONE;
    char size[16];
    if (instruction_has(instruction, "tensor") || instruction->operand_count < 4) {
        snprintf(size, sizeof size, "%u", BARLINT_RT_UNKNOWN_BYTES);
        return rewrite_async(rewrite, instruction, BARLINT_RT_COPY, size);
    }
    if (!write_transfer(rewrite, instruction, instruction->operand[1], instruction->operand[2],
                        BARLINT_TARGET_BULK))
        return REWRITE_UNKNOWN;
    return rewrite_async(rewrite, instruction, BARLINT_RT_COPY, instruction->operand[2]);
}

// st.async and red.async [to], value, [a]: as many bytes as the type has.
static enum rewrite_result rewrite_store(const struct rewrite *rewrite,
                                         const struct instruction *instruction)
{
    if (!instruction_has(instruction, "mbarrier::complete_tx::bytes"))
        return REWRITE_NONE;
    const char *type = instruction->part[instruction->part_count - 1];
    unsigned bits = (unsigned)strtoul(type + 1, NULL, 10);
    unsigned count = instruction_has(instruction, "v4")   ? 4
                     : instruction_has(instruction, "v2") ? 2
                                                          : 1;
    if (bits != 32 && bits != 64)
        return REWRITE_UNKNOWN;
    char size[16];
    snprintf(size, sizeof size, "%u", bits / 8 * count);
    if (!last_address(instruction) ||
        !write_transfer(rewrite, instruction, NULL, "0",
                        instruction_is(instruction, "red.async") ? BARLINT_TARGET_RED_ASYNC
                                                                 : BARLINT_TARGET_ST_ASYNC))
        return REWRITE_UNKNOWN;
    return rewrite_async(rewrite, instruction, BARLINT_RT_COPY, size);
}

// tcgen05.commit [a] {, ctas}
static enum rewrite_result rewrite_commit(const struct rewrite *rewrite,
                                          const struct instruction *instruction)
{
    return rewrite_async(rewrite, instruction, BARLINT_RT_COMMIT, "0");
}

// clusterlaunchcontrol.try_cancel.async [to], [a]: 16 bytes.
static enum rewrite_result rewrite_try_cancel(const struct rewrite *rewrite,
                                              const struct instruction *instruction)
{
    return rewrite_async(rewrite, instruction, BARLINT_RT_COPY, "16");
}

// --- Barriers of CTA, cluster and warp -----------------------------------------------------------

// bar.sync and bar.red of all threads where the warps count rounds: %bl_round and %bl_next are what
// the hooks keep.
static enum rewrite_result write_round(const struct rewrite *rewrite,
                                       const struct instruction *instruction, uint32_t kind,
                                       uint32_t flags)
{
    fprintf(rewrite->out, "\tactivemask.b32 %%bl_w3;\n");
    CALL_FOR(rewrite, "barlint_rt_round", "%bl_round", 64, WORD(kind), WORD(flags),
             WIDE_IN("%bl_round"), WORD_IN("%bl_w3"));
    instruction_write(instruction, rewrite->out);
    CALL(rewrite, "barlint_rt_round_over", WORD(kind), WORD(flags), WIDE_IN("%bl_round"),
         WORD_IN("%bl_next"));
    return REWRITE_DONE;
}

// bar{.cta} and barrier{.cta}: sync a{, n}; arrive a, n; red d, a{, n}, p
static enum rewrite_result rewrite_named(const struct rewrite *rewrite,
                                         const struct instruction *instruction)
{
    uint32_t kind, id = 0, count = 0;
    if (instruction_has(instruction, "sync")) {
        kind = BARLINT_NAMED_SYNC;
        count = instruction->operand_count == 2 ? 1 : 0;
    } else if (instruction_has(instruction, "arrive")) {
        kind = BARLINT_NAMED_ARRIVE;
        count = 1;
    } else if (instruction_has(instruction, "red")) {
        kind = BARLINT_NAMED_RED;
        id = 1;
        count = instruction->operand_count == 4 ? 2 : 0;
    } else {
        return REWRITE_UNKNOWN;
    }
    uint32_t operands = 1 + (count ? 1 : 0) + (kind == BARLINT_NAMED_RED ? 2 : 0);
    if (instruction->operand_count != operands ||
        !emit_word(rewrite, "%bl_w1", instruction->operand[id]) ||
        !emit_word(rewrite, "%bl_w2", count ? instruction->operand[count] : "0"))
        return REWRITE_UNKNOWN;
    bool aligned = instruction_is(instruction, "bar") || instruction_has(instruction, "aligned");
    bool has_number = operand_is_number(instruction->operand[id]);
    bool alike = has_number && (!count || operand_is_number(instruction->operand[count]));
    if (count)
        *rewrite->counted |=
            has_number ? 1u << strtoul(instruction->operand[id], NULL, 0) % BARLINT_NAMED_SLOTS
                       : 0xffff;
    uint32_t flags = (aligned ? BARLINT_RT_ALIGNED : 0) | (alike ? BARLINT_RT_ALIKE : 0) |
                     (rewrite->by_rounds ? 0 : bypass_flags(rewrite->bypass));
    if (rewrite->by_rounds)
        return write_round(rewrite, instruction, kind, flags);
    emit_who(rewrite);
    if (kind == BARLINT_NAMED_ARRIVE)
        CALL(rewrite, "barlint_rt_named_arrive", WORD_IN("%bl_w1"), WORD_IN("%bl_w2"), WORD(flags),
             WIDE_IN("%bl_d1"));
    else
        CALL(rewrite, rewrite->has_givers && count ? "barlint_rt_named_mixed" : "barlint_rt_named",
             WORD(kind), WORD_IN("%bl_w1"), WORD_IN("%bl_w2"), WORD(flags), WIDE_IN("%bl_d1"));
    instruction_write(instruction, rewrite->out);
    if (kind == BARLINT_NAMED_ARRIVE)
        return REWRITE_DONE;
    fprintf(rewrite->out, "\tactivemask.b32 %%bl_w3;\n\tmov.b64 %%bl_d1, {%%bl_w3, %%bl_self};\n");
    const struct argument who[] = {WIDE_IN("%bl_d1")};
    emit_call(rewrite->out, "barlint_rt_synced", NULL, 0, who, 1);
    return REWRITE_DONE;
}

static uint32_t bypassable(const struct rewrite *rewrite, uint32_t op)
{
    return op | bypass_flags(rewrite->bypass) << BARLINT_RT_WARP_BYPASS_SHIFT;
}

// What barlint_rt_warp() is told of a shuffle, d{|p}, a, b, c, mask: into %bl_w2.
static bool write_shuffle(const struct rewrite *rewrite, const struct instruction *instruction)
{
    uint32_t mode = instruction_has(instruction, "up")     ? BARLINT_RT_SHUFFLE_UP
                    : instruction_has(instruction, "down") ? BARLINT_RT_SHUFFLE_DOWN
                    : instruction_has(instruction, "bfly") ? BARLINT_RT_SHUFFLE_XOR
                                                           : BARLINT_RT_SHUFFLE_LANE;
    const char *const *operand = instruction->operand + instruction->operand_count - 3;
    if (instruction->operand_count < 5 || !emit_word(rewrite, "%bl_w2", operand[0]) ||
        !emit_word(rewrite, "%bl_w3", operand[1]))
        return false;
    fprintf(rewrite->out,
            "\tand.b32 %%bl_w2, %%bl_w2, 31;\n\tshl.b32 %%bl_w2, %%bl_w2, 11;\n"
            "\tshl.b32 %%bl_w3, %%bl_w3, 16;\n\tor.b32 %%bl_w2, %%bl_w2, %%bl_w3;\n"
            "\tor.b32 %%bl_w2, %%bl_w2, %u;\n",
            bypassable(rewrite, BARLINT_RT_WARP_DATA | mode));
    return true;
}

static enum rewrite_result rewrite_warp(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    uint32_t op = instruction_is(instruction, "bar.warp.sync") ? BARLINT_RT_WARP_SYNC
                  : instruction_is(instruction, "elect.sync")  ? BARLINT_RT_WARP_ELECT
                                                               : BARLINT_RT_WARP_DATA;
    // The mask is the last operand of all of them. The forms without .sync have none.
    if (!instruction_has(instruction, "sync"))
        return REWRITE_NONE;
    if (!instruction->operand_count ||
        !emit_word(rewrite, "%bl_w1", instruction->operand[instruction->operand_count - 1]))
        return REWRITE_UNKNOWN;
    if (op == BARLINT_RT_WARP_SYNC) {
        emit_who(rewrite);
        CALL(rewrite, "barlint_rt_warp", WORD(bypassable(rewrite, op)), WORD_IN("%bl_w1"),
             WIDE_IN("%bl_d1"));
        return written(rewrite, instruction);
    }
    // Nothing can be wrong where the lanes that are here are those of the mask. What follows is
    // rare: it stays a call (inline.h).
    fprintf(rewrite->out, "\t{\n\tactivemask.b32 %%bl_w2;\n\tsetp.eq.b32 %%bl_p, %%bl_w1, "
                          "%%bl_w2;\n\t@%%bl_p bra bl_all_here;\n");
    emit_who(rewrite);
    bool shuffles = instruction_is(instruction, "shfl") && write_shuffle(rewrite, instruction);
    fputs(INLINING_RARE, rewrite->out);
    if (shuffles)
        CALL(rewrite, "barlint_rt_warp", WORD_IN("%bl_w2"), WORD_IN("%bl_w1"), WIDE_IN("%bl_d1"));
    else
        CALL(rewrite, "barlint_rt_warp", WORD(bypassable(rewrite, op)), WORD_IN("%bl_w1"),
             WIDE_IN("%bl_d1"));
    fprintf(rewrite->out, "bl_all_here:\n\t}\n");
    return written(rewrite, instruction);
}

static enum rewrite_result rewrite_cluster(const struct rewrite *rewrite,
                                           const struct instruction *instruction)
{
    bool arrives = instruction_has(instruction, "arrive");
    if (!arrives && !instruction_has(instruction, "wait"))
        return REWRITE_UNKNOWN;
    emit_who(rewrite);
    CALL(rewrite, "barlint_rt_cluster",
         WORD(arrives ? BARLINT_RT_CLUSTER_ARRIVE : BARLINT_RT_CLUSTER_WAIT),
         WORD((instruction_has(instruction, "relaxed") ? BARLINT_RT_CLUSTER_RELAXED : 0) |
              (instruction_has(instruction, "aligned") ? BARLINT_RT_CLUSTER_ALIGNED : 0) |
              bypass_flags(rewrite->bypass)),
         WIDE_IN("%bl_d1"));
    instruction_write(instruction, rewrite->out);
    if (!arrives && rewrite->in_kernel)
        fprintf(rewrite->out, "\tmov.b32 %%bl_peers, 0;\n");
    return REWRITE_DONE;
}

// --- Fences, ends -------------------------------------------------------------------------------

static enum rewrite_result rewrite_fence(const struct rewrite *rewrite,
                                         const struct instruction *instruction)
{
    uint32_t op = BARLINT_RT_FENCE_CLUSTER;
    if (instruction_is(instruction, "fence.mbarrier_init"))
        op = BARLINT_RT_FENCE_MBARRIER_INIT;
    else if (instruction_has(instruction, "proxy") ||
             !(instruction_has(instruction, "cluster") || instruction_has(instruction, "gpu") ||
               instruction_has(instruction, "gl") || instruction_has(instruction, "sys")))
        return REWRITE_NONE;
    CALL(rewrite, "barlint_rt_fence", WORD(op));
    return written(rewrite, instruction);
}

// ret ends a thread in a kernel only.
static enum rewrite_result rewrite_end(const struct rewrite *rewrite,
                                       const struct instruction *instruction)
{
    if (!rewrite->in_kernel && instruction_is(instruction, "ret"))
        return REWRITE_NONE;
    if (rewrite->has_groups)
        groups_end(rewrite);
    if (rewrite->is_uniform)
        return rewrite->has_groups ? written(rewrite, instruction) : REWRITE_NONE;
    emit_who(rewrite);
    CALL(rewrite, "barlint_rt_exit", WIDE_IN("%bl_d1"));
    return written(rewrite, instruction);
}

// The trap of a barrier of the grid that finds no workspace.
static enum rewrite_result rewrite_trap(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    if (!addresses_has_grid(rewrite->addresses))
        return REWRITE_NONE;
    const struct argument argument[] = {WIDE(rewrite->site)};
    emit_call(rewrite->out, "barlint_rt_grid", NULL, 0, argument, 1);
    return written(rewrite, instruction);
}

// Taken out: code that calls functions has to do with the registers it was launched with, and
// ptxas either passes over setmaxnreg there or finds too few registers for the call.
static enum rewrite_result drop(const struct rewrite *rewrite,
                                const struct instruction *instruction)
{
    (void)rewrite, (void)instruction;
    return REWRITE_DROP;
}

static enum rewrite_result leave(const struct rewrite *rewrite,
                                 const struct instruction *instruction)
{
    (void)rewrite, (void)instruction;
    return REWRITE_NONE;
}

enum rewrite_result rewrite_instruction(const struct rewrite *rewrite,
                                        const struct instruction *instruction)
{
    // The first row that fits counts.
    static const struct {
        const char *prefix;
        enum rewrite_result (*rewrite)(const struct rewrite *, const struct instruction *);
    } families[] = {
        {"mbarrier.arrive", rewrite_arrive},
        {"mbarrier.arrive_drop", rewrite_arrive},
        {"mbarrier.test_wait", rewrite_wait},
        {"mbarrier.try_wait", rewrite_wait},
        {"mbarrier.pending_count", rewrite_pending_count},
        {"mbarrier.check_layout", leave},
        {"mbarrier", rewrite_plain},
        {"cp.async.mbarrier.arrive", rewrite_async_arrive},
        {"cp.async.bulk", rewrite_bulk},
        {"cp.reduce.async.bulk", rewrite_bulk},
        {"cp.async", groups_rewrite},
        {"st.async", rewrite_store},
        {"red.async", rewrite_store},
        {"tcgen05.commit", rewrite_commit},
        {"clusterlaunchcontrol.try_cancel", rewrite_try_cancel},
        {"bar.warp", rewrite_warp},
        {"shfl", rewrite_warp},
        {"vote", rewrite_warp},
        {"match", rewrite_warp},
        {"redux", rewrite_warp},
        {"elect", rewrite_warp},
        {"barrier.cluster", rewrite_cluster},
        {"bar", rewrite_named},
        {"barrier", rewrite_named},
        {"fence", rewrite_fence},
        {"membar", rewrite_fence},
        {"setmaxnreg", drop},
        {"trap", rewrite_trap},
        {"atom", memory_rewrite},
        {"red", memory_rewrite},
        {"ld", memory_rewrite},
        {"st", memory_rewrite},
        {"ret", rewrite_end},
        {"exit", rewrite_end},
    };
    fputs(declarations, rewrite->out);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; ++i) {
        if (!instruction_is(instruction, families[i].prefix))
            continue;
        // A thread's copies are counted where nothing else is checked, too.
        bool counts = families[i].rewrite == groups_rewrite || families[i].rewrite == rewrite_end ||
                      families[i].rewrite == rewrite_bulk ||
                      families[i].rewrite == rewrite_async_arrive;
        bool is_left = rewrite->is_uniform && !counts;
        bool tells = families[i].rewrite == rewrite_arrive ||
                     families[i].rewrite == rewrite_store || families[i].rewrite == rewrite_bulk;
        if (tells && !rewrite->is_uniform)
            memory_tell_peers(rewrite);
        if (is_left && rewrite->asks && families[i].rewrite == rewrite_wait)
            return rewrite_spared_wait(rewrite, instruction);
        return is_left ? REWRITE_NONE : families[i].rewrite(rewrite, instruction);
    }
    return REWRITE_NONE;
}
