// Kernels that are uniform if all threads load the same as the kernel begins, and those that must
// not load it then.
#include "instrument/agree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "instrument/uniform.h"

enum { NEVER = -1 };

static char text_of_first[512], move_of_first[64];

// On how many loads its threads are to agree; NEVER where that does not help.
static int agreed(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"
                          "\t.reg .pred %%p<9>;\n\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n"
                          "\t.reg .f32 %%f<4>;\n\t.reg .b16 %%rs<4>;\n"
                          "\t.shared .align 8 .b8 own[64];\n"
                          "ld.param.u64 %%rd1, [k_param_0];\ncvta.to.global.u64 %%rd2, %%rd1;\n"
                          "%s\n\tret;\n}\n",
                          body);
    struct arena arena;
    struct uniform_condition condition;
    arena_init(&arena);
    bool is_uniform = uniform_kernel(&arena, text, (size_t)length, 0, &condition);
    int count = is_uniform ? (int)arrlen(condition.agreed) : NEVER;
    snprintf(text_of_first, sizeof text_of_first, "%s", count > 0 ? condition.agreed->text : "");
    snprintf(move_of_first, sizeof move_of_first, "%s", count > 0 ? condition.agreed->move : "");
    arrfree(condition.agreed);
    arena_release(&arena);
    return count;
}

struct row {
    const char *body;
    int expected;
};

static void expect_rows(const struct row *row, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (agreed(row[i].body) != row[i].expected)
            fail_msg("%s", row[i].body);
}
#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

#define LOAD "ld.global.u32 %r1, [%rd2];\n"
#define ROUNDS                                                                                     \
    "mov.u32 %r2, 0;\nL:\nbar.sync 0;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n"         \
    "@%p1 bra L;\n"

static void test_what_is_loaded(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"bar.sync 0;", 0},
        {LOAD "bar.sync 0;", 0}, // nothing goes by it
        {LOAD ROUNDS, 1},
        {"ld.volatile.global.u32 %r1, [%rd2];\n" ROUNDS, 1},
        {"ld.relaxed.gpu.global.s32 %r1, [%rd2];\n" ROUNDS, 1},
        {"ld.global.u64 %rd3, [%rd2];\ncvt.u32.u64 %r1, %rd3;\n" ROUNDS, 1},
        {"ld.acquire.gpu.global.s32 %r1, [%rd2];\n" ROUNDS, NEVER},
        {"atom.global.add.u32 %r1, [%rd2], 1;\n" ROUNDS, NEVER},
        {"ld.global.u8 %r1, [%rd2];\n" ROUNDS, 1}, // as wide as its register by then
        {"ld.global.s32 %rd3, [%rd2];\ncvt.u32.u64 %r1, %rd3;\n" ROUNDS, 1},
        {"ld.global.b32 %f1, [%rd2];\nmov.b32 %r1, %f1;\n" ROUNDS, 1},
        {"ld.global.u16 %rs1, [%rd2];\ncvt.u32.u16 %r1, %rs1;\n" ROUNDS, NEVER},
        {"ld.mmio.relaxed.sys.global.u32 %r1, [%rd2];\n" ROUNDS, NEVER},
        {"ld.global.v2.u32 {%r1, %r3}, [%rd2];\n" ROUNDS, NEVER},
        {"ld.u32 %r1, [%rd1];\n" ROUNDS, NEVER}, // may be the block's own memory
        // Rows: their places are in memory, too.
        {"ld.global.u32 %r3, [%rd2];\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
         "ld.global.u32 %r1, [%rd4+4];\n" ROUNDS,
         2},
        {"ld.global.u32 %r3, [%rd2+8];\n" LOAD "add.s32 %r1, %r1, 1;\n" ROUNDS, 1},
        {"ld.global.u32 %r3, [%rd2+8];\n" LOAD ROUNDS, 1}, // as few as will do
        // Each thread's own.
        {"mov.u32 %r3, %tid.x;\nmul.wide.u32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
         "ld.global.u32 %r1, [%rd4];\n" ROUNDS,
         NEVER},
        // Something else is not for all.
        {LOAD ROUNDS "mov.u32 %r3, %tid.x;\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bar.sync 0;\n", NEVER},
    };
    EXPECT_ROWS(rows);
    assert_int_equal(agreed(LOAD ROUNDS), 1);
    assert_string_equal(text_of_first, "\tld.param.u64 %rd1, [k_param_0];\n"
                                       "\tcvta.to.global.u64 %rd2, %rd1;\n"
                                       "\tld.global.u32 %r1, [%rd2];\n"
                                       "\tmov.b64 %bl_agreed0, {%r1, %r1};\n");
    assert_string_equal(move_of_first, "mov.b64 {%r1, _}, %bl_agreed0;");
    assert_int_equal(agreed("ld.global.s32 %rd3, [%rd2];\ncvt.u32.u64 %r1, %rd3;\n" ROUNDS), 1);
    assert_string_equal(move_of_first, "mov.b64 %rd3, %bl_agreed0;"); // with its sign
}

// What a thread may have been told of before it loads.
static void test_what_comes_before(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"st.shared.u32 [own], 1;\nbar.sync 0;\n" LOAD ROUNDS, 1},
        {"st.global.u32 [%rd2+64], 1;\n" LOAD ROUNDS, NEVER},
        {"st.u32 [%rd1], 1;\n" LOAD ROUNDS, NEVER},
        {"fence.acq_rel.gpu;\n" LOAD ROUNDS, NEVER},
        {"red.global.add.u32 [%rd2+64], 1;\n" LOAD ROUNDS, NEVER},
        {"griddepcontrol.wait;\n" LOAD ROUNDS, NEVER},
        {"ld.volatile.global.u32 %r3, [%rd2+64];\n" LOAD ROUNDS, 1},
        {"W:\nld.volatile.global.u32 %r3, [%rd2+64];\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bra W;\n" LOAD
             ROUNDS,
         NEVER},
        {"mov.u32 %r3, 0;\nW:\nst.shared.u32 [own], %r3;\nadd.s32 %r3, %r3, 1;\n"
         "setp.lt.s32 %p2, %r3, 9;\n@%p2 bra W;\n" LOAD ROUNDS,
         1},
        // Once a round.
        {"mov.u32 %r2, 0;\nL:\nbar.sync 0;\n" LOAD "add.s32 %r2, %r2, 1;\n"
         "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\n",
         NEVER},
        // Not all blocks may: the address may be none.
        {"mov.u32 %r4, 3;\nsetp.eq.s64 %p2, %rd1, 0;\n@%p2 bra N;\n" LOAD ROUNDS
         "N:\nst.shared.u32 [own], 1;",
         NEVER},
        // Its address is computed anew later.
        {"mov.u64 %rd3, %rd2;\nadd.s64 %rd3, %rd3, 8;\nld.global.u32 %r1, [%rd3];\n" ROUNDS, NEVER},
        {"mov.u32 %r4, %ctaid.x;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra N;\nst.shared.u32 [own], 1;\n"
         "N:\n" LOAD ROUNDS,
         1},
        // What its address is made of: by some threads alone, in a register that is called as a
        // variable is, further down in the text.
        {"mov.u32 %r4, %ctaid.x;\nsetp.eq.s32 %p2, %r4, 0;\n@%p2 bra N;\n"
         "ld.global.nc.u64 %rd3, [%rd2];\nN:\nld.global.u32 %r1, [%rd3];\n" ROUNDS,
         NEVER},
        {".reg .u64 ptr;\nmov.u64 ptr, %rd2;\nld.global.u32 %r1, [ptr];\n" ROUNDS, 1},
        {"bra I;\nB:\nld.global.u32 %r1, [%rd3];\n" ROUNDS
         "ret;\nI:\nadd.s64 %rd3, %rd2, 8;\nbra B;\n",
         NEVER},
        {"setp.eq.s64 %p2, %rd1, 0;\n@!%p2 bra N;\ntrap;\nN:\n" LOAD ROUNDS, NEVER},
        {"W:\nld.volatile.shared.u32 %r3, [own];\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bra W;\n" LOAD
             ROUNDS,
         NEVER},
        {"barrier.cluster.arrive;\nbarrier.cluster.wait;\n" LOAD ROUNDS, NEVER},
    };
    EXPECT_ROWS(rows);
}

// Nobody loads for threads that leave before.
static void test_those_who_leave(void **state)
{
    (void)state;
    assert_int_equal(
        agreed("mov.u32 %r3, %tid.x;\nsetp.gt.s32 %p2, %r3, 77;\n@%p2 bra N;\n" LOAD ROUNDS "N:\n"),
        1);
    assert_int_equal(
        agreed(LOAD
               "mov.u32 %r3, %ctaid.x;\nsetp.ge.s32 %p2, %r3, %r1;\n@%p2 bra N;\nbar.sync 0;\nN:"),
        1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_loaded),
        cmocka_unit_test(test_what_comes_before),
        cmocka_unit_test(test_those_who_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
