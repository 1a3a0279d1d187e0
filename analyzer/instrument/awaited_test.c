// Kernels with a wait for their copies or bulk stores, and without.
#include "instrument/awaited.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct awaited awaited(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0)\n{\n\t.reg .pred %%p<4>;\n"
                          "%s\tret;\n}\n.visible .entry other()\n{\n\tcp.async.wait_all;\n"
                          "\tcp.async.bulk.wait_group 0;\n\tret;\n}\n",
                          body);
    return awaited_find(text, (size_t)length, 0);
}

static void test_copies(void **state)
{
    (void)state;
    assert_false(awaited("cp.async.commit_group;\nbar.sync 0;\n").copies);
    assert_true(awaited("cp.async.wait_group 0;\n").copies);
    assert_true(awaited("@%p1 cp.async.wait_all;\n").copies);
    assert_true(awaited("{\n\tcp.async.mbarrier.arrive.shared.b64 [%r2];\n}\n").copies);
    assert_false(awaited("cp.async.bulk.wait_group 0;\n").copies);
}

static void test_stores(void **state)
{
    (void)state;
    assert_false(awaited("cp.async.bulk.commit_group;\n").stores);
    assert_true(awaited("cp.async.bulk.wait_group.read 0;\n").stores);
    assert_false(awaited("cp.async.wait_all;\n").stores);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
