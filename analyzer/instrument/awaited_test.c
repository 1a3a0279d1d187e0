// Copies and bulk stores, and ways with a wait or without one.
#include "instrument/awaited.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

#define COPY "cp.async.cg.shared.global [%r1], [%rd1], 16;\n"
#define COMMIT "cp.async.commit_group;\n"
#define STORE "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64;\n"

// How many of the kernel's copies and stores nothing waits for.
static ptrdiff_t count(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0)\n{\n\t.reg .pred %%p<4>;\n"
                          "\t.reg .b32 %%r<9>;\n\t.reg .b64 %%rd<9>;\n%s\tret;\n}\n",
                          body);
    size_t *found = awaited_never(text, (size_t)length, 0);
    ptrdiff_t result = arrlen(found);
    arrfree(found);
    return result;
}

static void test_copies(void **state)
{
    (void)state;
    assert_int_equal(count(COPY COMMIT "bar.sync 0;\n"), 1);
    assert_int_equal(count(COPY COMMIT "cp.async.wait_group 0;\n"), 0);
    assert_int_equal(count(COPY "cp.async.wait_all;\n"), 0);
    assert_int_equal(count(COPY "cp.async.mbarrier.arrive.shared.b64 [%r2];\n"), 0);
    // A wait for something else.
    assert_int_equal(count(COPY COMMIT "cp.async.bulk.wait_group 0;\n"), 1);
}

static void test_ways(void **state)
{
    (void)state;
    assert_int_equal(count(COPY COMMIT "@%p1 bra A;\ncp.async.wait_all;\nA:\n"), 0);
    assert_int_equal(count("@%p1 bra A;\ncp.async.wait_all;\nA:\n" COPY COMMIT), 1);
    assert_int_equal(count("L:\n@%p1 bra A;\ncp.async.wait_all;\nA:\n" COPY "@%p2 bra L;\n"), 0);
    assert_int_equal(count(COPY "cp.async.wait_all;\n@%p1 bra A;\n" COPY "A:\n"), 1);
}

static void test_stores(void **state)
{
    (void)state;
    assert_int_equal(count(STORE "cp.async.bulk.commit_group;\n"), 1);
    assert_int_equal(count(STORE "cp.async.bulk.wait_group.read 0;\n"), 0);
    assert_int_equal(count(STORE "cp.async.wait_all;\n"), 1);
    assert_int_equal(count(STORE COPY "cp.async.wait_all;\n"), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
