// Identities of functions: what changes them and what does not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "ir/identity.h"

// Two kernels, of which one calls a helper and uses an object; %LINES are numbers that a test sets.
static const char source[] = "unit \"sm_90\"\n"
                             "file 1 \"%s\"\n"
                             "global @state : u32 shared align 4 owner @a at 1:%d:5\n"
                             "func @helper device (%%n : i32) -> i32 at 1:%d:1 {\n"
                             "b0:\n"
                             "  v0 = param %%n : i32 at 1:%d:5\n"
                             "  v1 = const %d : i32\n"
                             "  v2 = add v0 v1 : i32 at 1:%d:5\n"
                             "  ret v2 at 1:%d:3\n"
                             "}\n"
                             "func @a kernel () at 1:%d:1 {\n"
                             "b0:\n"
                             "  v0 = const 1 : i32\n"
                             "  v1 = call @helper v0 : i32 at 1:%d:7\n"
                             "  ret\n"
                             "}\n"
                             "func @b kernel () at 1:%d:1 {\n"
                             "b0:\n"
                             "  ret at 1:%d:3\n"
                             "}\n";

struct version {
    const char *file;
    int object, helper, added, add, end, a, call, b, b_end;
};

static const struct version plain = {"k.cu", 12, 1, 5, 3, 4, 10, 14, 20, 22};

static struct ir_identity identity(const struct version *version, const char *name, int launch)
{
    char text[2048];
    snprintf(text, sizeof text, source, version->file, version->object, version->helper,
             version->helper + 1, version->added, version->add, version->end, version->a,
             version->call, version->b, version->b_end);
    struct ir_unit unit;
    struct error error = {0};
    if (!ir_read_unit(&unit, text, strlen(text), &error))
        fail_msg("%s", error.text);
    ir_function_id function = 0;
    while (strcmp(unit.function[function].name, name) != 0)
        ++function;
    struct ir_identities *identities = ir_identities_new(&unit);
    struct ir_loc place = {1, (uint32_t)launch, 3, (uint32_t)launch, 9, 0};
    struct ir_identity made, again;
    ir_identity_of(identities, function, &place, 1, &made);
    ir_identity_of(identities, function, &place, 1, &again); // from what the first left behind
    assert_true(digest_equal(&made.digest, &again.digest));
    ir_identity_release(&again);
    ir_identities_free(identities);
    ir_unit_release(&unit);
    return made;
}

static bool same(const struct version *version, const char *name, int launch)
{
    struct ir_identity one = identity(&plain, name, 30), other = identity(version, name, launch);
    bool equal = digest_equal(&one.digest, &other.digest);
    if (equal) {
        assert_int_equal(arrlen(one.lines), arrlen(other.lines));
        for (ptrdiff_t i = 0; i < arrlen(one.lines); ++i)
            assert_int_equal(arrlen(one.lines[i].line), arrlen(other.lines[i].line));
    }
    ir_identity_release(&one);
    ir_identity_release(&other);
    return equal;
}

static void lines_in_between_change_nothing(void **state)
{
    (void)state;
    struct version moved = {"k.cu", 112, 101, 5, 103, 104, 110, 114, 120, 122};
    assert_true(same(&moved, "a", 130));
    struct version spread = {"k.cu", 50, 1, 5, 7, 9, 40, 60, 80, 100};
    assert_true(same(&spread, "a", 900));
    struct ir_identity one = identity(&plain, "b", 30);
    assert_int_equal(arrlen(one.lines), 1);
    assert_int_equal(one.lines[0].line[1], 20);
    assert_int_equal(one.lines[0].line[2], 22);
    assert_int_equal(one.lines[0].line[3], 30);
    ir_identity_release(&one);
}

static void what_is_reached_counts(void **state)
{
    (void)state;
    struct version other = plain;
    other.added = 6;
    assert_false(same(&other, "a", 30));
    assert_true(same(&other, "b", 30));
    other = plain;
    other.b_end = 23;
    assert_true(same(&other, "a", 30));
    other.file = "other.cu";
    assert_false(same(&other, "b", 30));
}

static void order_counts(void **state)
{
    (void)state;
    struct version other = plain;
    other.object = 15; // behind the call
    assert_false(same(&other, "a", 30));
    other = plain;
    other.end = 3; // on the line of the sum
    assert_false(same(&other, "a", 30));
    assert_false(same(&plain, "a", 11)); // launched before the call
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_in_between_change_nothing),
        cmocka_unit_test(what_is_reached_counts),
        cmocka_unit_test(order_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
