// Kernels that are uniform, and the smallest changes that make them not.
#include "instrument/uniform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool is_uniform(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0, .param .u64 k_param_1)\n{\n"
                          "\t.reg .pred %%p<4>;\n\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n"
                          "%s\n\tret;\n}\n",
                          body);
    return uniform_kernel(text, (size_t)length, 0);
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
    assert_false(is_uniform("bar.sync 0, 64;"));
    assert_false(is_uniform("bar.sync 16;"));
    assert_false(is_uniform("bar.sync %r1;"));
    assert_false(is_uniform("bar.arrive 0, 64;"));
    assert_false(is_uniform("barrier.cluster.arrive;"));
    assert_false(is_uniform("bar.warp.sync 255;"));
    assert_false(is_uniform("mbarrier.init.shared.b64 [%r1], 1;"));
    assert_false(is_uniform("mov.u32 %r1, %envreg2;\nbar.sync 0;"));
    assert_false(is_uniform("call.uni other, ();"));
    assert_true(is_uniform("call.uni (retval0), vprintf, (param0, param1);"));
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

static void test_broken(void **state)
{
    (void)state;
    assert_false(is_uniform("bra nowhere;"));
    assert_false(is_uniform("A:\nA:\nbar.sync 0;"));
    assert_false(is_uniform("brx.idx %r1, list;"));
    assert_false(uniform_kernel(".entry k()\n{ bar.sync 0;", 24, 0));
    assert_false(uniform_kernel(".entry k();", 11, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight), cmocka_unit_test(test_branches),
        cmocka_unit_test(test_ends),     cmocka_unit_test(test_loops),
        cmocka_unit_test(test_values),   cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
