// Kernels that are uniform, and the smallest changes that make them not.
#include "instrument/uniform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

static struct uniform_condition condition;
static char leave[256];

// Whatever block is launched and whatever it loads, or one that no thread leaves as in `leave`.
static bool is_uniform_unless_left(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0, .param .u64 k_param_1)\n{\n"
                          "\t.reg .pred %%p<4>;\n\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n"
                          "%s\n\tret;\n}\n",
                          body);
    struct arena arena;
    arena_init(&arena);
    bool result = uniform_kernel(&arena, text, (size_t)length, 0, &condition) && !condition.agreed;
    arrfree(condition.agreed); // agree_test.c is about those
    snprintf(leave, sizeof leave, "%s", condition.leave ? condition.leave : "");
    arena_release(&arena);
    return result;
}

static bool is_uniform(const char *body)
{
    return is_uniform_unless_left(body) && !*leave;
}

#define BY_PARAMETER "ld.param.u32 %r1, [k_param_0];\nsetp.lt.s32 %p1, %r1, 5;\n"
#define BY_THREAD "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 5;\n"

static void test_straight(void **state)
{
    (void)state;
    assert_true(is_uniform(""));
    assert_true(is_uniform("bar.sync 0;"));
    assert_true(is_uniform("barrier.sync 3;"));
    assert_true(is_uniform("shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;"));
    assert_false(is_uniform("bar.sync 16;"));
    assert_false(is_uniform("bar.sync %r1;"));
    assert_false(is_uniform("bar.sync 0, %r1;"));
    assert_false(is_uniform("bar.arrive 0, 64;"));
    assert_false(is_uniform("barrier.cluster.arrive;"));
    assert_false(is_uniform("bar.warp.sync 255;"));
    assert_false(is_uniform("mbarrier.init.shared.b64 [%r1], 1;"));
    assert_false(is_uniform("mov.u32 %r1, %envreg2;\nbar.sync 0;"));
}

#define CALLS(callee) "bar.sync 0;\ncall.uni (retval0), " callee ", (param0);"
#define FUNCTION(name, body)                                                                       \
    ".func (.param .b32 retval0) " name "(.param .b32 p)\n{\n" body "ret;\n}\n"

// Functions that have no barrier are like any other instruction.
static void test_calls(void **state)
{
    (void)state;
    static const char module[] =
        ".extern .func (.param .b32 r) foreign\n(.param .b32 p)\n;\n" FUNCTION(
            "plain", "add.s32 %r1, %r1, 1;\n@%p1 bra A;\nA:\n") FUNCTION("syncs", "bar.sync 0;\n")
            FUNCTION("syncs_some", "@%p1 bar.warp.sync -1;\n") FUNCTION("exits", "exit;\n")
                FUNCTION("calls_plain", "call.uni (retval0), plain, (param0);\n")
                    FUNCTION("calls_syncs", "call.uni (retval0), syncs, (param0);\n")
                        FUNCTION("calls_itself", "call.uni (retval0), calls_itself, (param0);\n");
    static const struct {
        const char *call;
        bool expected;
    } rows[] = {
        {CALLS("vprintf"), true},      {CALLS("plain"), true},
        {CALLS("calls_plain"), true},  {CALLS("foreign"), false},
        {CALLS("unheard_of"), false},  {CALLS("syncs"), false},
        {CALLS("syncs_some"), false},  {CALLS("exits"), false},
        {CALLS("calls_syncs"), false}, {CALLS("calls_itself"), false},
        {CALLS("%rd1"), false},        {"call.uni other, ();", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[4096];
        int before = snprintf(text, sizeof text, "%s", module);
        int length = before + snprintf(text + before, sizeof text - (size_t)before,
                                       ".visible .entry k()\n{\n%s\nret;\n}\n", rows[i].call);
        struct arena arena;
        arena_init(&arena);
        if (uniform_kernel(&arena, text, (size_t)length, (size_t)before, &condition) !=
            rows[i].expected)
            fail_msg("%s", rows[i].call);
        arena_release(&arena);
    }
}

static void test_branches(void **state)
{
    (void)state;
    assert_true(is_uniform(BY_PARAMETER "@%p1 bra A;\nbar.sync 0;\nA:"));
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nbar.sync 0;\nA:"));
    assert_true(is_uniform(BY_THREAD "@%p1 bra A;\nmov.u32 %r2, 1;\nA:\nbar.sync 0;"));
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nmov.u32 %r2, 1;\nbra B;\nA:\nbar.sync 0;\nB:"));
    assert_true(is_uniform(BY_PARAMETER "@!%p1 bar.sync 0;"));
    assert_false(is_uniform(BY_THREAD "@!%p1 bar.sync 0;"));
    // Both sides have one: they are not the same.
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nbar.sync 0;\nbra B;\nA:\nbar.sync 0;\nB:"));
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(is_uniform(BY_PARAMETER "@%p1 bra A;\nret;\nA:\nbar.sync 0;"));
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nret;\nA:\nbar.sync 0;"));
    assert_false(is_uniform(BY_THREAD "@%p1 exit;\nbar.sync 0;"));
    assert_true(is_uniform("bar.sync 0;\n" BY_THREAD "@%p1 exit;"));
    // The grid is aborted: nobody comes to the barrier.
    assert_true(is_uniform(BY_THREAD "@%p1 bra A;\ntrap;\nA:\nbar.sync 0;"));
    // Some threads may stay for ever.
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nB:\nbra B;\nA:\nbar.sync 0;"));
}

// Those that have nothing to do leave as the kernel begins: a matter of the block.
static void test_leaving(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected;
        const char *leave; // "": asks of no block
    } rows[] = {
        {BY_THREAD "@%p1 bra A;\nbar.sync 0;\nA:", true,
         "\tmov.u32 %r1, %tid.x;\n\tsetp.lt.s32 %p1, %r1, 5;\n"
         "\t@%p1 setp.eq.u32 %bl_leave, 0, 0;\n"},
        {BY_THREAD "@!%p1 bra A;\nbra B;\nA:\nbar.sync 0;\nB:", true,
         "\tmov.u32 %r1, %tid.x;\n\tsetp.lt.s32 %p1, %r1, 5;\n"
         "\t@%p1 setp.eq.u32 %bl_leave, 0, 0;\n"},
        {BY_THREAD "@%p1 bra A;\nsetp.gt.s32 %p2, %r1, 7;\n@!%p2 bra A;\n"
                   "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\nA:",
         true,
         "\tmov.u32 %r1, %tid.x;\n\tsetp.lt.s32 %p1, %r1, 5;\n"
         "\t@%p1 setp.eq.u32 %bl_leave, 0, 0;\n\tsetp.gt.s32 %p2, %r1, 7;\n"
         "\t@!%p2 setp.eq.u32 %bl_leave, 0, 0;\n"},
        // The same for all: asks nobody.
        {BY_PARAMETER "@%p1 bra A;\nbar.sync 0;\nA:", true, ""},
        // By what memory says, after something has been done, or with something to do:
        {"ld.global.u32 %r1, [%rd1];\nsetp.lt.s32 %p1, %r1, 5;\n@%p1 bra A;\nbar.sync 0;\nA:",
         false, ""},
        {"st.global.u32 [%rd1], 1;\n" BY_THREAD "@%p1 bra A;\nbar.sync 0;\nA:", false, ""},
        {BY_THREAD "@%p1 bra A;\nbar.sync 0;\nret;\nA:\nst.global.u32 [%rd1], 1;", false, ""},
        {"mov.u32 %r1, %clock;\nsetp.lt.s32 %p1, %r1, 5;\n@%p1 bra A;\nbar.sync 0;\nA:", false, ""},
        // In a loop, where they leave another time.
        {"L:\n" BY_THREAD "@%p1 bra A;\nbar.sync 0;\nbra L;\nA:", false, ""},
        {BY_THREAD "@%p1 bra A;\nL:\nsetp.gt.s32 %p2, %r1, 7;\n@%p2 bra A;\nbar.sync 0;\n"
                   "mov.u32 %r1, 9;\nbra L;\nA:",
         false, ""},
        // Something else is not for all.
        {BY_THREAD "@%p1 bra A;\nsetp.gt.s32 %p2, %r1, 7;\n@%p2 bra B;\nbar.sync 0;\nB:\n"
                   "st.global.u32 [%rd1], 1;\nA:",
         false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (is_uniform_unless_left(rows[i].body) != rows[i].expected ||
            (rows[i].expected && strcmp(leave, rows[i].leave) != 0))
            fail_msg("%s: %s", rows[i].body, leave);
}

#define LOOP(step) "mov.u32 %r2, 0;\nL:\nbar.sync 0;\n" step "@%p1 bra L;"

static void test_loops(void **state)
{
    (void)state;
    assert_true(is_uniform(LOOP("add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n")));
    assert_true(is_uniform(LOOP("mov.u32 %r3, %ntid.x;\nsetp.lt.s32 %p1, %r2, %r3;\n")));
    assert_false(is_uniform(LOOP("mov.u32 %r3, %laneid;\nsetp.lt.s32 %p1, %r2, %r3;\n")));
    assert_false(is_uniform(LOOP("mov.u32 %r3, %none;\nsetp.lt.s32 %p1, %r2, %r3;\n")));
    assert_true(is_uniform(LOOP("bar.red.popc.u32 %r3, 0, %p2;\nsetp.ne.s32 %p1, %r3, 0;\n")));
    assert_false(is_uniform(LOOP("vote.sync.any.pred %p1, %p2, -1;\n")));
    // The loop is left by some threads before others, by way of the value that it computes.
    assert_false(is_uniform("mov.u32 %r2, 0;\nL:\nadd.s32 %r2, %r2, 1;\nmov.u32 %r3, %tid.x;\n"
                            "setp.lt.s32 %p1, %r2, %r3;\n@%p1 bra L;\nsetp.lt.s32 %p2, %r2, 4;\n"
                            "@%p2 bra A;\nbar.sync 0;\nA:"));
}

static void test_values(void **state)
{
    (void)state;
    static const char branch[] = "setp.lt.s32 %p2, %r2, 4;\n@%p2 bra B;\nbar.sync 0;\nB:";
    static const struct {
        const char *value;
        bool expected;
    } rows[] = {
        {"ld.param.u32 %r2, [k_param_0+4];", true},
        {"ld.param.b32 %r2, [retval0];", false},
        {"ld.param.b32 %r2, [param];", false}, // a part of a parameter's name
        {"ld.global.nc.u32 %r2, [%rd1];", true},
        {"mov.u32 %r3, %tid.x;\nld.const.u32 %r2, [%r3];", false},
        {"ld.global.u32 %r2, [%rd1];", false},
        {"ld.shared.u32 %r2, [%rd1];", false},
        {"mov.u32 %r3, %ctaid.y;\nmad.lo.s32 %r2, %r3, %r3, 7;", true},
        {"mov.u32 %r3, %tid.y;\nmad.lo.s32 %r2, %r4, %r3, 7;", false},
        {"mov.b64 {%r3, %r2}, %rd1;", true},
        {"atom.global.add.u32 %r2, [%rd1], 1;", false},
        {BY_THREAD "mov.u32 %r2, 1;\n@%p1 bra A;\nmov.u32 %r2, 2;\nA:", false},
        {BY_THREAD "mov.u32 %r2, 1;\n@%p1 mov.u32 %r2, 2;", false},
        {BY_PARAMETER "mov.u32 %r2, 1;\n@%p1 mov.u32 %r2, 2;", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char body[1024];
        snprintf(body, sizeof body, "ld.param.u64 %%rd1, [k_param_1];\n%s\n%s", rows[i].value,
                 branch);
        if (is_uniform(body) != rows[i].expected)
            fail_msg("%s", rows[i].value);
    }
}

// --- Barriers with counts ------------------------------------------------------------------------

static void test_counts(void **state)
{
    (void)state;
    assert_true(is_uniform("bar.sync 0;"));
    assert_false(condition.is_needed);
    assert_true(is_uniform("bar.sync 0, 64;"));
    assert_true(condition.is_needed && condition.threads == 64 && condition.most == 0);
    assert_true(is_uniform("bar.sync 1, 64;\nbar.sync 2, 64;"));
    assert_false(is_uniform("bar.sync 1, 64;\nbar.sync 2, 96;"));
    assert_true(is_uniform("mov.u32 %r1, %ntid.x;\nbar.sync 3, %r1;"));
    assert_true(condition.is_needed && condition.threads == 0 && condition.multiple == 32);
    assert_true(is_uniform("mov.u32 %r1, %ntid.y;\nmov.u32 %r2, %ntid.x;\n"
                           "mul.lo.s32 %r3, %r1, %r2;\nbar.sync 3, %r3;"));
    assert_false(is_uniform("mov.u32 %r1, %ntid.y;\nbar.sync 3, %r1;\nbar.sync 3, 32;"));
    assert_false(is_uniform("bar.sync 0, 48;"));
    assert_false(is_uniform("bar.sync 0, 2048;"));
    assert_false(is_uniform(BY_THREAD "@%p1 bra A;\nbar.sync 1, 64;\nA:"));
}

#define PART(shift, first)                                                                         \
    "mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, " shift ";\nadd.s32 %r3, %r2, " first ";\n"

static void test_parts(void **state)
{
    (void)state;
    assert_true(is_uniform(PART("7", "1") "bar.sync %r3, 128;\nbar.sync 0;"));
    assert_int_equal(condition.multiple, 128);
    assert_int_equal(condition.most, 15 * 128);
    assert_true(is_uniform(PART("5", "0") "bar.sync %r2, 32;"));
    assert_false(is_uniform(PART("7", "1") "bar.sync %r3, 64;"));
    assert_false(is_uniform(PART("7", "1") "bar.sync %r3, 256;"));
    assert_false(is_uniform(PART("4", "1") "bar.sync %r3, 16;"));
    assert_false(
        is_uniform(PART("7", "0") "bar.sync %r3, 128;\nbar.sync 0;")); // one number, two uses
    assert_false(is_uniform(PART("7", "1") "bar.sync %r3, 128;\nbar.sync %r2, 128;"));
    assert_false(is_uniform(PART("7", "1") "shr.u32 %r4, %r1, 6;\nadd.s32 %r5, %r4, 1;\n"
                                           "bar.sync %r3, 128;\nbar.sync %r5, 64;"));
    assert_false(is_uniform(PART("7", "16") "bar.sync %r3, 128;"));
}

#define INIT_BY(compare, count)                                                                    \
    ".shared .align 8 .b8 bar[8];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, bar;\n" compare              \
    "@%p1 bra A;\nmbarrier.init.shared.b64 [%r2], " count ";\nA:\n"
#define INIT INIT_BY("setp.ne.s32 %p1, %r1, 0;\n", "128")
#define SYNC "bar.sync 0;\n"
#define ARRIVE "mbarrier.arrive.shared::cta.b64 %rd1, [%r2];\n"
#define WAIT(label, token)                                                                         \
    label ":\n{\n.reg .pred p;\nmbarrier.try_wait.shared.b64 p, [%r2], " token ";\n"               \
          "selp.b32 %r5, 1, 0, p;\n}\nsetp.eq.s32 %p2, %r5, 0;\n@%p2 bra " label ";\n"

static void test_mbarrier(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected;
    } rows[] = {
        {INIT SYNC ARRIVE WAIT("W", "%rd1"), true},
        {INIT SYNC "L:\n" ARRIVE WAIT("W", "%rd1") "ld.param.u32 %r6, [k_param_0];\n"
                                                   "setp.lt.s32 %p3, %r6, 5;\n@%p3 bra L;\n",
         true},
        {INIT SYNC, true}, // of no use, and no harm
        {INIT SYNC
         "mov.u32 %r7, 1;\nmbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r2], %r7;\n" WAIT(
             "W", "%rd1"),
         true},
        {INIT SYNC ARRIVE "mov.b64 %rd2, %rd1;\n" WAIT("W", "%rd2"), true},
        {INIT SYNC ARRIVE "W:\nmbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;\n@!%p2 bra W;\n",
         true},
        {INIT SYNC ARRIVE
         "W:\nmbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;\n@%p2 bra D;\nbra W;\nD:\n",
         true},
        {INIT_BY("setp.eq.s32 %p2, %r1, 0;\nnot.pred %p1, %p2;\n", "128") SYNC,
         false}, // not followed
        {INIT_BY("setp.ne.s32 %p1, %r1, 0;\n", "%ntid.x") SYNC ARRIVE WAIT("W", "%rd1"), true},
        // Initialised by others, by several, by nobody, twice; for another number.
        {INIT_BY("setp.eq.s32 %p1, %r1, 0;\n", "128") SYNC ARRIVE WAIT("W", "%rd1"), false},
        {INIT_BY("setp.gt.s32 %p1, %r1, 0;\n", "128") SYNC ARRIVE WAIT("W", "%rd1"), false},
        {INIT_BY("setp.ne.s32 %p1, %r1, 1;\n", "128") SYNC ARRIVE WAIT("W", "%rd1"), false},
        {INIT_BY("ld.param.u32 %r6, [k_param_0];\nsetp.ne.s32 %p1, %r6, 0;\n", "128")
             SYNC ARRIVE WAIT("W", "%rd1"),
         false},
        {INIT_BY("setp.ne.s32 %p1, %r1, 0;\n", "%r6") SYNC ARRIVE WAIT("W", "%rd1"), false},
        {INIT_BY("setp.ne.s32 %p1, %r1, 0;\n", "0") SYNC ARRIVE WAIT("W", "%rd1"), false},
        {".shared .align 8 .b8 bar[8];\nmov.u32 %r2, bar;\n" SYNC ARRIVE WAIT("W", "%rd1"), false},
        {".shared .align 8 .b8 bar[8];\nmov.u32 %r2, bar;\nmbarrier.init.shared.b64 [%r2], "
         "128;\n" SYNC ARRIVE WAIT("W", "%rd1"),
         false},
        {INIT SYNC
         "setp.ne.s32 %p3, %r1, 0;\n@%p3 bra B;\nmbarrier.init.shared.b64 [%r2], 128;\nB:\n" SYNC
             ARRIVE WAIT("W", "%rd1"),
         false},
        // Nobody knows that it is.
        {INIT ARRIVE WAIT("W", "%rd1"), false},
        {INIT "bar.warp.sync -1;\n" ARRIVE WAIT("W", "%rd1"), false},
        {INIT BY_PARAMETER "@%p1 bar.sync 0;\n" ARRIVE WAIT("W", "%rd1"), false},
        // Arrivals of some, of more than one, without an end.
        {INIT SYNC "setp.lt.u32 %p3, %r1, 64;\n@%p3 bra B;\n" ARRIVE WAIT("W", "%rd1") "B:\n",
         false},
        {INIT SYNC "setp.lt.u32 %p3, %r1, 64;\n@%p3 " ARRIVE WAIT("W", "%rd1"), false},
        {INIT SYNC BY_PARAMETER "@%p1 " ARRIVE WAIT("W", "%rd1"), false},
        {INIT SYNC "mbarrier.arrive.shared.b64 %rd1, [%r2], 2;\n" WAIT("W", "%rd1"), false},
        {INIT SYNC ARRIVE "mbarrier.arrive.shared.b64 %rd2, [%r2];\n" WAIT("W", "%rd2"), false},
        {INIT SYNC "mbarrier.arrive.shared.b64 _, [%r2];\n", false},
        {INIT SYNC "mbarrier.arrive.shared.b64 _, [%r2];\n" WAIT("W", "%rd1"), false},
        {INIT SYNC ARRIVE, false},
        {INIT SYNC ARRIVE "mbarrier.try_wait.shared.b64 %p2, [%r2], %rd1;\n", false},
        // Waits that are none, for another phase, given up.
        {INIT SYNC ARRIVE "W:\nmbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;\n@%p2 bra W;\n",
         false},
        {INIT SYNC ARRIVE WAIT("W", "%rd3"), false},
        {INIT SYNC ARRIVE WAIT("W", "%rd1") "mbarrier.arrive.shared.b64 %rd2, [%r2];\n" WAIT(
             "V", "%rd1"),
         false},
        {INIT SYNC ARRIVE "mov.b64 %rd1, 7;\n" WAIT("W", "%rd1"), false},
        {INIT SYNC ARRIVE "W:\n" BY_THREAD "@%p1 bra D;\n"
                          "mbarrier.test_wait.shared.b64 %p2, [%r2], %rd1;\n@!%p2 bra W;\nD:\n",
         false},
        // Others of its operations, or accesses to it.
        {INIT SYNC ARRIVE WAIT("W", "%rd1") "mbarrier.inval.shared.b64 [%r2];\n", false},
        {INIT SYNC "ld.shared.u64 %rd2, [%r2];\n", false},
        {INIT SYNC "add.s32 %r7, %r2, 4;\nst.shared.u32 [%r7], %r1;\n", false},
        {INIT SYNC "st.global.u32 [%rd3], %r2;\n", false},
        {INIT SYNC "mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r2], 4;\n", false},
        {INIT SYNC "mbarrier.arrive_drop.shared.b64 %rd1, [%r2];\n" WAIT("W", "%rd1"), false},
        {INIT SYNC "mbarrier.arrive.release.cluster.shared.b64 %rd1, [%r2];\n" WAIT("W", "%rd1"),
         false},
        {INIT SYNC ARRIVE "fence.proxy.async;\n" WAIT("W", "%rd1"), true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (is_uniform(rows[i].body) != rows[i].expected)
            fail_msg("%s", rows[i].body);
        if (rows[i].expected)
            assert_true(condition.is_needed);
    }
}

#define AGAIN "mbarrier.arrive.shared.b64 %rd2, [%r2];\n"
#define BY_PARITY(label, parity)                                                                   \
    "{\n.reg .pred p;\n" label ":\nmbarrier.try_wait.parity.shared::cta.b64 p, [%r2], " parity     \
    ";\n@p bra.uni E" label ";\nbra.uni " label ";\nE" label ":\n}\n"
#define TURNS(first, wait, turn)                                                                   \
    INIT SYNC "mov.u32 %r7, " first ";\nL:\n" ARRIVE wait turn                                     \
              "ld.param.u32 %r6, [k_param_0];\nsetp.lt.s32 %p3, %r6, 5;\n@%p3 bra L;\n"

static void test_parity(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected;
    } rows[] = {
        {INIT SYNC ARRIVE BY_PARITY("W", "0"), true},
        {INIT SYNC "mbarrier.arrive.shared.b64 _, [%r2];\n" BY_PARITY("W", "0"), true},
        {INIT SYNC ARRIVE BY_PARITY("W", "0") SYNC ARRIVE BY_PARITY("V", "1"), true},
        {INIT SYNC ARRIVE WAIT("W", "%rd1") AGAIN BY_PARITY("V", "1"), true},
        {TURNS("0", BY_PARITY("W", "%r7"), "xor.b32 %r7, %r7, 1;\n"), true},
        {TURNS("4", BY_PARITY("W", "%r7"), "add.s32 %r7, %r7, 3;\n"), false},
        {TURNS("0", "and.b32 %r8, %r7, 1;\n" BY_PARITY("W", "%r8"), "add.s32 %r7, %r7, 1;\n"),
         true},
        {TURNS("0", BY_PARITY("W", "%r7"), "sub.s32 %r7, 1, %r7;\n"), true},
        {TURNS("1", "not.b32 %r8, %r7;\nand.b32 %r8, %r8, 1;\n" BY_PARITY("W", "%r8"),
               "sub.s32 %r7, 9, %r7;\n"),
         true},
        {TURNS("1", "not.b32 %r8, %r7;\nand.b32 %r8, %r8, 1;\n" BY_PARITY("W", "%r8"),
               "sub.s32 %r7, 8, %r7;\nnot.b32 %r7, %r7;\n"),
         true},
        // The right last bit of a number that is no parity.
        {TURNS("0", BY_PARITY("W", "%r7"), "add.s32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "xor.b32 %r7, %r7, 3;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "not.b32 %r7, %r7;\n"), false},
        {INIT SYNC ARRIVE BY_PARITY("W", "2"), false},
        {TURNS("2", BY_PARITY("W", "%r7"), "xor.b32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7") ARRIVE, "xor.b32 %r8, %r7, 1;\n" BY_PARITY("V", "%r8")),
         true},
        // The other parity, first or later, or a number that nobody knows.
        {INIT SYNC ARRIVE BY_PARITY("W", "1"), false},
        {INIT SYNC ARRIVE BY_PARITY("W", "0") SYNC ARRIVE BY_PARITY("V", "0"), false},
        {INIT SYNC ARRIVE WAIT("W", "%rd1") AGAIN BY_PARITY("V", "0"), false},
        {INIT SYNC "ld.param.u32 %r7, [k_param_0];\n" ARRIVE BY_PARITY("W", "%r7"), false},
        {TURNS("1", BY_PARITY("W", "%r7"), "xor.b32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), ""), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "sub.s32 %r7, 8, %r7;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "add.s32 %r7, %r7, 2;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "shl.b32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "shr.u32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "cvt.rni.s32.f32 %r7, %r7;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "@%p3 xor.b32 %r7, %r7, 1;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7"), "xor.b32 %r7, %r7, %r6;\n"), false},
        {TURNS("0", BY_PARITY("W", "%r7") ARRIVE, BY_PARITY("V", "%r7") "xor.b32 %r7, %r7, 1;\n"),
         false},
        {TURNS("0", BY_PARITY("W", "%r7"), "mov.u32 %r3, %tid.x;\nxor.b32 %r7, %r7, %r3;\n"),
         false},
        // No phase that it could be, or no wait for its end.
        {INIT SYNC BY_PARITY("W", "0") ARRIVE, false},
        {INIT SYNC BY_PARITY("W", "1") ARRIVE BY_PARITY("V", "0"), false},
        {INIT SYNC ARRIVE ARRIVE BY_PARITY("W", "0"), false},
        {INIT SYNC ARRIVE "mbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0;\n", false},
        {INIT SYNC ARRIVE "W:\nmbarrier.test_wait.parity.shared.b64 %p2, [%r2], 0;\n@%p2 bra W;\n",
         false},
        {INIT SYNC ARRIVE BY_PARITY("W", "0") BY_PARITY("V", "0"), false},
        {INIT ARRIVE BY_PARITY("W", "0"), false},
        {INIT SYNC "@%p1 " ARRIVE BY_PARITY("W", "0"), false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (is_uniform(rows[i].body) != rows[i].expected)
            fail_msg("%s", rows[i].body);
}

// Who is the first thread of a block of one dimension.
static void test_first_thread(void **state)
{
    (void)state;
#define RANK "mov.u32 %r3, %tid.y;\nmov.u32 %r4, %ntid.x;\nmul.lo.s32 %r6, %r3, %r4;\n"
#define FIRST(compare) is_uniform(INIT_BY(RANK compare, "128") SYNC ARRIVE WAIT("W", "%rd1"))
    assert_true(FIRST("neg.s32 %r7, %r1;\nsetp.ne.s32 %p1, %r6, %r7;\n"));
    assert_true(FIRST("neg.s32 %r7, %r1;\nsetp.ne.s32 %p1, %r7, %r6;\n"));
    assert_true(FIRST("add.s32 %r7, %r6, %r1;\nsetp.ne.s32 %p1, %r7, 0;\n"));
    assert_true(FIRST("or.b32 %r7, %r1, %r3;\nsetp.ne.s32 %p1, %r7, 0;\n"));
    assert_false(FIRST("neg.s32 %r7, %r4;\nsetp.ne.s32 %p1, %r6, %r7;\n"));
    assert_false(FIRST("neg.s32 %r7, %r1;\nsetp.ne.s32 %p1, %r7, %r1;\n"));
    assert_false(FIRST("neg.s32 %r7, %r1;\nsetp.ne.s32 %p1, %r7, -1;\n"));
    assert_false(FIRST("neg.s32 %r7, %r6;\nsetp.ne.s32 %p1, %r7, %r6;\n"));
}

#define COME "barrier.cluster.arrive.aligned;\n"
#define GO "barrier.cluster.wait.aligned;\n"
#define ROUNDS "ld.param.u32 %r6, [k_param_0];\nsetp.lt.s32 %p3, %r6, 5;\n"

static void test_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected;
    } rows[] = {
        {COME GO, true},
        {"barrier.cluster.arrive.relaxed;\nbar.sync 0;\nbarrier.cluster.wait.acquire;\n", true},
        {"L:\n" COME GO ROUNDS "@%p3 bra L;\n", true},
        {COME ROUNDS "@%p3 bra E;\n" GO "bra F;\nE:\n" GO "F:\n", true},
        {INIT SYNC COME GO ARRIVE WAIT("W", "%rd1"), true},
        // Not in turn.
        {COME, false},
        {GO, false},
        {COME COME GO, false},
        {COME GO GO, false},
        {COME ROUNDS "@%p3 bra E;\n" GO "E:\n", false},
        {ROUNDS "@%p3 " COME "@%p3 " GO, false},
        // Not by all.
        {BY_THREAD "@%p1 bra E;\n" COME GO "E:\n", false},
        {BY_THREAD "@%p1 bra E;\nret;\nE:\n" COME GO, false},
        {"mov.u32 %r1, %ctaid.x;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra E;\n" COME GO "E:\n", false},
        {"mov.u32 %r1, %cluster_ctarank;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra E;\n" COME GO "E:\n",
         false},
        {"ld.const.u32 %r1, [%rd1];\nmov.u32 %r2, %ctaid.x;\nadd.s32 %r3, %r1, %r2;\n"
         "setp.eq.s32 %p1, %r3, 0;\n@%p1 bra E;\n" COME GO "E:\n",
         false},
        {"ld.global.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra E;\n" COME GO "E:\n",
         false},
        {"mov.u32 %r1, %ctaid.x;\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra E;\nret;\nE:\n" COME GO,
         false},
        // The memory of other blocks.
        {COME GO "mapa.shared::cluster.u32 %r3, %r2, 0;\n", false},
        {COME GO "st.async.shared::cluster.u32 [%r3], %r2, [%r4];\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (is_uniform(rows[i].body) != rows[i].expected)
            fail_msg("%s", rows[i].body);
}

// What the address of an mbarrier is made of.
static void test_places(void **state)
{
    (void)state;
#define AT(declaration, address)                                                                   \
    declaration "\n" address "mov.u32 %r1, %tid.x;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra A;\n"       \
                "mbarrier.init.shared.b64 [%r2], 128;\nA:\n" SYNC ARRIVE WAIT("W", "%rd1")
    assert_true(is_uniform(AT(".shared .align 8 .b8 bar[8];", "mov.u32 %r2, bar;\n")));
    assert_true(is_uniform(
        AT(".shared .align 16 .b8 bar[32];", "mov.u32 %r3, bar;\nadd.s32 %r2, %r3, 8;\n")));
    assert_true(is_uniform(AT(".shared .align 8 .b8 bar[8];",
                              "mov.u64 %rd2, bar;\ncvta.shared.u64 %rd3, %rd2;\n"
                              "cvta.to.shared.u64 %rd4, %rd3;\ncvt.u32.u64 %r2, %rd4;\n")));
    assert_false(is_uniform(AT(".shared .align 4 .b8 bar[8];", "mov.u32 %r2, bar;\n")));
    assert_false(is_uniform(
        AT(".shared .align 8 .b8 bar[16];", "mov.u32 %r3, bar;\nadd.s32 %r2, %r3, 4;\n")));
    assert_false(is_uniform(AT(".shared .align 8 .b8 bar[8];",
                               "mov.u64 %rd2, bar;\ncvta.shared.u64 %rd3, %rd2;\n"
                               "cvt.u32.u64 %r2, %rd3;\n")));
    assert_false(is_uniform(AT("", "mov.u32 %r2, elsewhere;\n")));
    assert_false(is_uniform(AT(".shared .align 8 .b8 bar[128];",
                               "mov.u32 %r3, bar;\nmov.u32 %r4, %ctaid.x;\nshl.b32 %r6, %r4, 3;\n"
                               "add.s32 %r2, %r3, %r6;\n")));
}

// --- Warps ---------------------------------------------------------------------------------------

#define SHUFFLE(mask) "shfl.sync.down.b32 %r5|%p2, %r4, 1, 31, " mask ";\n"
#define BELOW(bound) "mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p1, %r1, " bound ";\n@%p1 bra A;\n"

#define VOTE(asked, by)                                                                            \
    "mov.u32 %r3, %laneid;\nsetp." asked ".u32 %p3, %r3, %r6;\nsetp." by ".u32 %p1, %r3, %r6;\n"   \
    "vote.sync.ballot.b32 %r7, %p3, -1;\n@%p1 bra A;\n"

static void test_warps(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected, in_line;
    } rows[] = {
        {SHUFFLE("-1"), true, false},
        {"mov.u32 %r7, -1;\n" SHUFFLE("%r7"), true, false},
        {SHUFFLE("255"), false, false},
        {BELOW("32") SHUFFLE("-1") "A:\n", true, true},
        {BELOW("64") SHUFFLE("-1") "A:\nbar.sync 0;\n", true, true},
        {BELOW("33") SHUFFLE("-1") "A:\n", false, false},
        {BELOW("32") SHUFFLE("65535") "A:\n", false, false},
        {BELOW("8") SHUFFLE("255") "A:\n", true, true},
        {BELOW("8") SHUFFLE("-1") "A:\n", false, false},
        {BELOW("8") SHUFFLE("127") "A:\n", false, false},
        {BELOW("8") "bra B;\nA:\n" SHUFFLE("255") "B:\n", false, false}, // the others
        {BELOW("32") "setp.ge.u32 %p3, %r1, 8;\n@%p3 bra A;\n" SHUFFLE("255") "A:\n", true, true},
        {BELOW("8") "ld.global.u32 %r6, [%rd1];\nsetp.eq.s32 %p3, %r6, 0;\n@%p3 bra A;\n" SHUFFLE(
             "255") "A:\n",
         false, false},
        {"ld.global.u32 %r6, [%rd1];\nsetp.eq.s32 %p3, %r6, 0;\n@%p3 bra A;\n" BELOW("8")
             SHUFFLE("255") "A:\n",
         false, false},
        {BELOW("32") "bar.sync 0;\nA:\n", false, false},
        // Those that voted for it.
        {VOTE("lt", "ge") SHUFFLE("%r7") "A:\n", true, false},
        {VOTE("ge", "ge") "bra B;\nA:\n" SHUFFLE("%r7") "B:\n", true, false},
        {VOTE("ge", "ge") SHUFFLE("%r7") "A:\n", false, false},
        {VOTE("le", "ge") SHUFFLE("%r7") "A:\n", false, false},
        {VOTE("lt", "ge") SHUFFLE("%r8") "A:\n", false, false},
        {VOTE("lt", "ge") "bar.sync 0;\nA:\n", false, false},
        {"mov.u32 %r3, %laneid;\nsetp.lt.u32 %p3, %r3, %r6;\nvote.sync.ballot.b32 %r7, %p3, -1;\n"
         "add.s32 %r3, %r3, 1;\nsetp.ge.u32 %p1, %r3, %r6;\n@%p1 bra A;\n" SHUFFLE("%r7") "A:\n",
         false, false},
        // By the number of the warp, what it votes, what it found; by the lane's.
        {"mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 5;\nsetp.ne.s32 %p1, %r2, 3;\n@%p1 bra "
         "A;\n" SHUFFLE("-1") "A:\n",
         true, true},
        {"mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, -64;\nsetp.ne.s32 %p1, %r2, 64;\n@%p1 bra "
         "A;\n" SHUFFLE("-1") "A:\n",
         true, true},
        {"mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;\nsetp.ne.s32 %p1, %r2, 3;\n@%p1 bra "
         "A;\n" SHUFFLE("-1") "A:\n",
         false, false},
        {"mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 4;\nsetp.ne.s32 %p1, %r2, 3;\n@%p1 bra "
         "A;\n" SHUFFLE("-1") "A:\n",
         false, false},
        {"vote.sync.any.pred %p1, %p3, -1;\n@%p1 bra A;\n" SHUFFLE("-1") "A:\n", true, false},
        {"vote.sync.any.pred %p1, %p3, -1;\n@%p1 bra A;\nbar.sync 0;\nA:\n", false, false},
        {"redux.sync.add.s32 %r7, %r4, -1;\nsetp.eq.s32 %p1, %r7, 0;\n@%p1 bra A;\n" SHUFFLE(
             "-1") "A:\n",
         true, false},
        {SHUFFLE("-1") "setp.eq.s32 %p1, %r5, 0;\n@%p1 bra A;\n" SHUFFLE("-1") "A:\n", false,
         false},
        {"mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 " SHUFFLE("-1"), true, true},
        {"mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 " SHUFFLE("255"), false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (is_uniform(rows[i].body) != rows[i].expected ||
            (rows[i].expected && condition.in_line != rows[i].in_line))
            fail_msg("%s", rows[i].body);
}

#define LAST ".shared .align 4 .b8 last[4];\n.shared .align 4 .b8 other[64];\n"
#define LOAD "ld.shared.u32 %r6, [last];\n"
#define DECIDE "setp.eq.s32 %p3, %r6, 0;\n@%p3 bra D;\nbar.sync 0;\nD:\n"

static void test_flags(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        bool expected;
    } rows[] = {
        {LAST "st.shared.u32 [last], %r1;\nbar.sync 0;\n" LOAD DECIDE, true},
        {LAST "mov.u32 %r2, last;\nst.shared.u32 [%r2], %r1;\nbar.sync 0;\n"
              "ld.shared.u32 %r6, [%r2];\n" DECIDE,
         true},
        {LAST "st.shared.u32 [last], %r1;\n" LOAD DECIDE, false},
        {LAST "st.shared.u32 [last], %r1;\nbar.warp.sync -1;\n" LOAD DECIDE, false},
        {LAST "bar.sync 0;\n" LOAD "st.shared.u32 [last], %r1;\n" DECIDE, false},
        {LAST "bar.sync 0;\n" LOAD "bar.sync 0;\nst.shared.u32 [last], %r1;\n" DECIDE, true},
        {LAST "bar.sync 0;\n" LOAD "st.shared.u32 [other+8], %r1;\n" DECIDE, true},
        {LAST "bar.sync 0;\n" LOAD "mov.u32 %r3, other;\nadd.s32 %r4, %r3, %r9;\n"
              "st.shared.u32 [%r4], %r1;\n" DECIDE,
         true},
        {LAST "bar.sync 0;\n" LOAD "st.shared.u32 [%r8], %r1;\n" DECIDE, false},
        {LAST "bar.sync 0;\n" LOAD "st.u32 [%rd1], %r1;\n" DECIDE, false},
        {LAST "bar.sync 0;\n" LOAD "st.global.u32 [%rd1], %r1;\n" DECIDE, true},
        {LAST "bar.sync 0;\n" LOAD
              ".reg .u32 at;\nmov.u32 at, last;\nst.shared.u32 [at], %r1;\n" DECIDE,
         false},
        {LAST "bar.sync 0;\n" LOAD "wmma.store.d.sync.aligned.row.m16n16k16.shared.s32 [last], "
              "{%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, 16;\n" DECIDE,
         false},
        {LAST "@%p2 cp.async.ca.shared.global [last], [%rd1], 4;\nbar.sync 0;\n" LOAD DECIDE,
         false},
        // By a generic address that is made in braces of its own.
        {LAST "bar.sync 0;\n" LOAD "mov.u32 %r3, last;\n{ .reg .b64 %tmp;\n"
              "cvt.u64.u32 %tmp, %r3;\ncvta.shared.u64 %rd2, %tmp; }\nst.u32 [%rd2], %r1;\n" DECIDE,
         false},
        {LAST "bar.sync 0;\n" LOAD "atom.shared.add.u32 %r7, [last], 1;\n" DECIDE, false},
        {LAST "cp.async.ca.shared.global [last], [%rd1], 4;\nbar.sync 0;\n" LOAD DECIDE, false},
        // Round the loop: the store of the next round comes without a barrier between.
        {LAST BY_PARAMETER "L:\nst.shared.u32 [last], %r1;\nbar.sync 0;\n" LOAD DECIDE
                           "@%p1 bra L;\n",
         false},
        {LAST BY_PARAMETER "L:\nst.shared.u32 [last], %r1;\nbar.sync 0;\n" LOAD
                           "bar.sync 0;\n" DECIDE "@%p1 bra L;\n",
         true},
        {LAST "mov.u32 %r1, %tid.x;\nbar.sync 0;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, other;\n"
              "add.s32 %r4, %r3, %r2;\nld.shared.u32 %r6, [%r4];\n" DECIDE,
         false},
        {LAST BY_THREAD "bar.sync 0;\n@%p1 " LOAD DECIDE, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (is_uniform(rows[i].body) != rows[i].expected)
            fail_msg("%s", rows[i].body);
}

// As nvcc writes __syncthreads_or(): with registers that hide those around them.
#define REDUCES                                                                                    \
    "{\n.reg .pred %p1;\n.reg .pred %p2;\nsetp.ne.u32 %p1, %r2, 0;\n"                              \
    "bar.red.or.pred %p2, 0, %p1;\nselp.u32 %r3, 1, 0, %p2;\n}\n"

static void test_hidden(void **state)
{
    (void)state;
    assert_true(is_uniform(BY_PARAMETER REDUCES "@%p1 bra A;\nbar.sync 0;\nA:\n"));
    assert_false(is_uniform(BY_THREAD REDUCES "@%p1 bra A;\nbar.sync 0;\nA:\n"));
    assert_false(is_uniform(REDUCES BY_THREAD "@%p1 bra A;\nbar.sync 0;\nA:\n"));
    // The answer is all threads' one.
    assert_true(
        is_uniform(BY_THREAD REDUCES "setp.eq.u32 %p3, %r3, 0;\n@%p3 bra A;\n" REDUCES "A:\n"));
    assert_false(is_uniform("{\n.reg .b32 %r1;\nmov.u32 %r1, 3;\nbar.sync %r1;\n}\n"
                            "mov.u32 %r1, 20;\n"));
    assert_false(is_uniform("mov.u32 %r1, 3;\n"
                            "{\n.reg .b32 %r1;\nmov.u32 %r1, 20;\nbar.sync %r1;\n}\n"));
    assert_false(is_uniform("mov.u64 %rd1, variable;\n{\n.reg .b32 variable;\nbar.sync 0;\n}\n"));
}

static void test_broken(void **state)
{
    (void)state;
    assert_false(is_uniform("bra nowhere;"));
    assert_false(is_uniform("A:\nA:\nbar.sync 0;"));
    assert_true(is_uniform("{\nA:\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra A;\n}\n"
                           "{\nA:\nbar.sync 0;\n}"));
    assert_false(is_uniform("{\nA:\nbar.sync 0;\n}\nbra A;"));
    assert_false(is_uniform("brx.idx %r1, list;"));
    struct arena arena;
    arena_init(&arena);
    assert_false(uniform_kernel(&arena, ".entry k()\n{ bar.sync 0;", 24, 0, &condition));
    assert_false(uniform_kernel(&arena, ".entry k();", 11, 0, &condition));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),     cmocka_unit_test(test_branches),
        cmocka_unit_test(test_ends),         cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_values),       cmocka_unit_test(test_counts),
        cmocka_unit_test(test_parts),        cmocka_unit_test(test_mbarrier),
        cmocka_unit_test(test_parity),       cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_first_thread), cmocka_unit_test(test_places),
        cmocka_unit_test(test_warps),        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_hidden),       cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
