// Kernels whose threads can tell each other something by memory, and others.
#include "instrument/hears.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static bool hears(const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          ".visible .entry k(.param .u32 k_param_0)\n{\n\t.reg .pred %%p<4>;\n"
                          "%s\tret;\n}\n.visible .entry other()\n{\n"
                          "\tatom.global.add.u32 %%r1, [%%rd1], 1;\n\tret;\n}\n",
                          body);
    return hears_kernel(text, (size_t)length, 0);
}

static void test_loads(void **state)
{
    (void)state;
    assert_false(hears("ld.global.u32 %r1, [%rd1];\nld.shared.v2.u32 {%r1, %r2}, [%r3];\n"));
    assert_false(hears("ld.global.nc.u32 %r1, [%rd1];\nst.volatile.shared.u32 [%r3], %r1;\n"));
    assert_true(hears("ld.volatile.shared.u32 %r1, [%r3];\n"));
    assert_true(hears("@%p1 ld.acquire.gpu.global.u32 %r1, [%rd1];\n"));
    assert_true(hears("{\n\tld.relaxed.cta.shared.u32 %r1, [%r3];\n}\n"));
    assert_true(hears("ld.global.cg.u32 %r1, [%rd1];\n"));
    assert_true(hears("ld.global.L1::no_allocate.b32 %r1, [%rd1];\n"));
    assert_false(hears("ld.global.nc.L1::no_allocate.b32 %r1, [%rd1];\n"));
}

static void test_others(void **state)
{
    (void)state;
    assert_true(hears("atom.shared.cas.b32 %r1, [%r3], 0, 1;\n"));
    assert_false(hears("red.shared.add.u32 [%r3], 1;\nbar.sync 0;\n"));
    assert_true(hears("membar.cta;\n"));
    assert_true(hears("fence.acq_rel.gpu;\n"));
    assert_false(hears("fence.proxy.async.shared::cta;\n"));
    assert_true(hears("suld.b.1d.b32.trap {%r1}, [%rd1, {%r2}];\n"));
    assert_true(hears("call.uni _Z5otherv, ();\n"));
    assert_false(hears("call.uni (%r1), vprintf, (%rd1, %rd2);\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
