// Operations in branches, and what has to follow for those who go past them to be known.
#include "instrument/bypass.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

#define STORE "red.global.add.u32 [%rd1], %r1;\n"
#define PLAIN "st.global.u32 [%rd1], %r1;\n"
#define WORD "bar.warp.sync -1;"

// How sure is it of the first WORD of the kernel's body that whoever has ended has gone past it?
static enum bypass bypass_at(const char *body, const char *word)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0)\n{\n\t.reg .pred %%p<4>;\n"
                          "\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n%s\tret;\n}\n",
                          body);
    struct bypassed *found = bypass_find(text, (size_t)length, 0);
    enum bypass result = BYPASS_NOT_KNOWN;
    for (ptrdiff_t i = 0; i < arrlen(found); ++i)
        if (found[i].at == (size_t)(strstr(text, word) - text))
            result = found[i].how;
    arrfree(found);
    return result;
}

// Has whoever has ended been at the body's barrier of the block?
static bool is_reached(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k()\n{\n\t.reg .pred %%p<4>;\n%s\tret;\n}\n", body);
    struct bypassed *found = bypass_find(text, (size_t)length, 0);
    bool result = false;
    for (ptrdiff_t i = 0; i < arrlen(found); ++i)
        result |= found[i].reached && found[i].at == (size_t)(strstr(text, "bar.sync 0;") - text);
    arrfree(found);
    return result;
}

static bool is_bypassed_at(const char *body, const char *word)
{
    return bypass_at(body, word) == BYPASS_SURE;
}

static bool is_bypassed(const char *body)
{
    return is_bypassed_at(body, WORD);
}

static void test_branches(void **state)
{
    (void)state;
    // All go on to the store; where nothing follows, the branch is a return.
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n" STORE));
    assert_false(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n"));
    assert_false(is_bypassed("@%p1 bra A;\n" WORD "\n" STORE "A:\n"));
    // In both arms, within another branch, behind one.
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nbra B;\nA:\nadd.u32 %r1, %r1, 1;\nB:\n" STORE));
    assert_true(is_bypassed("@%p1 bra A;\n@%p2 bra B;\n" WORD "\nB:\n" STORE "A:\n" STORE));
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n@%p2 bra B;\n" STORE "B:\n"));
    // What all threads come to, nobody has gone past.
    assert_false(is_bypassed(WORD "\n" STORE));
}

static void test_barriers_that_all_come_to(void **state)
{
    (void)state;
    assert_true(is_reached("bar.sync 0;\n"));
    assert_true(is_reached("@%p1 bra A;\n" WORD "\nA:\nbar.sync 0;\n"));
    assert_false(is_reached("@%p1 bra A;\nbar.sync 0;\nA:\n"));
    assert_false(is_reached("@%p1 ret;\nbar.sync 0;\n"));
    assert_false(is_reached("A:\nbar.sync 0;\n@%p1 bra A;\n")); // perhaps in another round
}

static void test_returns(void **state)
{
    (void)state;
    // Threads may have left before.
    assert_false(is_bypassed("@%p2 bra E;\n@%p1 bra A;\n" WORD "\nA:\n" STORE "E:\n"));
    assert_false(is_bypassed("@%p2 exit;\n@%p1 bra A;\n" WORD "\nA:\n" STORE));
    assert_false(is_bypassed("@%p2 ret;\n@%p1 bra A;\n" WORD "\nA:\n" STORE));
    // A trap ends all of them.
    assert_true(is_bypassed("@%p2 trap;\n@%p1 bra A;\n" WORD "\nA:\n" STORE));
}

// A way that stores the same and returns, compilers end in the store of the others.
static void test_plain_stores(void **state)
{
    (void)state;
    assert_int_equal(bypass_at("@%p1 bra A;\n" WORD "\nA:\n" PLAIN, WORD), BYPASS_PERHAPS);
    assert_int_equal(bypass_at("@%p1 bra A;\n" WORD "\n" PLAIN "A:\n", WORD), BYPASS_NOT_KNOWN);
    assert_false(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n" PLAIN PLAIN "bra B;\nB:\n" PLAIN));
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n" PLAIN "bar.sync 0;\n"));
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\nst.volatile.global.u32 [%rd1], %r1;\n"));
    // One that stands behind a branch of its own.
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n@%p2 bra B;\n" PLAIN "B:\n"));
    assert_true(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n@%p2 bra B;\nmov.u32 %r1, 0;\nB:\n" PLAIN));
    // What nobody else sees.
    assert_false(
        is_bypassed("@%p1 bra A;\n" WORD "\nA:\n@%p2 bra B;\nst.local.u32 [%r1], %r1;\nB:\n"));
    assert_false(is_bypassed("@%p1 bra A;\n" WORD "\nA:\ncp.async.wait_all;\n"));
}

static void test_loops(void **state)
{
    (void)state;
    // Rounds of which some have more, and work behind them.
    assert_true(is_bypassed("L:\n" WORD "\n@%p1 bra L;\n" STORE));
    assert_false(is_bypassed("L:\n" WORD "\n@%p1 bra L;\n"));
    // Who comes back to a store may have been there in the last round.
    assert_false(is_bypassed("L:\n@%p1 bra A;\n" WORD "\nA:\n" STORE "@%p2 bra L;\n"));
    assert_true(is_bypassed("L:\n@%p1 bra A;\n" WORD "\nA:\n" STORE "@%p2 bra L;\n" STORE));
    // Nor is one line a loop that a later one goes back over.
    assert_false(is_bypassed("K:\n@%p1 bra A;\n" WORD "\nA:\n" STORE "L:\n" STORE
                             "@%p2 bra L;\n@%p3 bra K;\n"));
}

static void test_other_barriers(void **state)
{
    (void)state;
    assert_true(is_bypassed_at("@%p1 bra A;\nbar.sync 1, 64;\nA:\n" STORE, "bar.sync"));
    assert_true(is_bypassed_at("@%p1 bra A;\nbarrier.cluster.wait;\nA:\n" STORE, "barrier"));
    assert_false(is_bypassed_at("@%p1 bra A;\nadd.u32 %r1, %r1, 1;\nA:\n" STORE, "add"));
    // A kernel that is not followed.
    assert_false(is_bypassed("@%p1 bra A;\n" WORD "\nA:\n" STORE "brx.idx %r1, T;\n"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_returns),
        cmocka_unit_test(test_barriers_that_all_come_to),
        cmocka_unit_test(test_plain_stores),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_other_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
