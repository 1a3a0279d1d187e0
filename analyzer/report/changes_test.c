#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "report/changes.h"

static const char patch[] = "diff --git a/src/a.cu b/src/a.cu\n"
                            "index 1..2 100644\n"
                            "--- a/src/a.cu\n"
                            "+++ b/src/a.cu\n"
                            "@@ -3,0 +4,2 @@ void f()\n"
                            "+++ b/not/a/name\n"
                            "+@@ -1 +99 @@\n"
                            "@@ -20 +22 @@\n"
                            "-old\n"
                            "+new\n"
                            "@@ -30,2 +31,0 @@\n"
                            "-gone\n"
                            "--- a/not/a/name\n"
                            "diff --git a/two words.cu b/two words.cu\n"
                            "--- a/two words.cu\t\n"
                            "+++ b/two words.cu\t\n"
                            "@@ -1 +1 @@\n"
                            "-x\n"
                            "+y\n"
                            "\\ No newline at end of file\n"
                            "--- \"a/q\\\"\\303\\251\\n.cu\"\n"
                            "+++ \"b/q\\\"\\303\\251\\n.cu\"\n"
                            "@@ -0,0 +7,3 @@\n"
                            "+1\n+2\n+3\n"
                            "--- a/gone.cu\n"
                            "+++ /dev/null\n"
                            "@@ -1,2 +0,0 @@\n"
                            "-1\n-2\n";

static bool touched(const struct changes *changes, const char *file, uint32_t line)
{
    struct finding finding = {.place = {file, line, 1, line, 2}};
    return changes_touch_finding(changes, &finding);
}

static void test_patch(void **state)
{
    (void)state;
    struct changes changes;
    changes_init(&changes);
    changes_read_patch(&changes, "/r", patch, strlen(patch));
    assert_int_equal(arrlen(changes.file), 3);
    static const uint32_t lines[] = {4, 5, 22, 31, 32};
    for (uint32_t line = 1, i = 0; line < 120; ++line) {
        bool want = i < 5 && lines[i] == line;
        i += want;
        assert_int_equal(touched(&changes, "/r/src/a.cu", line), want);
    }
    assert_true(touched(&changes, "/r/two words.cu", 1));
    assert_true(touched(&changes, "/r/q\"\xc3\xa9\n.cu", 9));
    assert_false(touched(&changes, "/r/q\"\xc3\xa9\n.cu", 10));
    assert_false(touched(&changes, "/r/gone.cu", 1));
    changes_add_file(&changes, "/r/new.cu");
    assert_true(touched(&changes, "/r/new.cu", 4711));
    changes_release(&changes);
}

static void test_steps(void **state)
{
    (void)state;
    struct changes changes;
    changes_init(&changes);
    changes_read_patch(&changes, "/r", patch, strlen(patch));
    struct finding finding = {.place = {"/r/src/b.cu", 4, 1, 4, 2}};
    assert_false(changes_touch_finding(&changes, &finding));
    struct finding_note note = {{"/r/src/a.cu", 20, 1, 23, 2}, "the launch"};
    arrput(finding.note, note);
    assert_true(changes_touch_finding(&changes, &finding));
    finding_clear(&finding);
    changes_release(&changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
