// The vectors are those that github/codeql-action tests itself with.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "report/github_hash.h"

static void assert_hashes(const char *text, const char *want)
{
    struct github_hash *line = github_hash_lines(text, strlen(text));
    char got[1024] = "";
    for (ptrdiff_t i = 0; i < arrlen(line); ++i)
        sprintf(got + strlen(got), "%s%llx:%u", i ? " " : "", (unsigned long long)line[i].hash,
                line[i].ordinal);
    assert_string_equal(got, want);
    arrfree(line);
}

static void test_published_vectors(void **state)
{
    (void)state;
    assert_hashes("", "c129715d7a2bc9a3:1");
    assert_hashes(" a\nb\n  \t\tc\n d",
                  "271789c17abda88f:1 54703d4cd895b18:1 180aee12dab6264:1 a23a3dc5e078b07b:1");
    assert_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End",
                  "8b7cf3e952e7aeb2:1 b1ae1287ec4718d9:1 bff680108adb0fcc:1 c6805c5e1288b612:1 "
                  "b86d3392aea1be30:1 e6ceba753e1a442:1");
    const char *ends = "e9496ae3ebfced30:1 fb7c023a8b9ccb3f:1 ce8ba1a563dcdaca:1 "
                       "e20e36e16fcb0cc8:1 b3edc88f2938467e:1 c8e28b0b4002a3a0:1 "
                       "c129715d7a2bc9a3:1";
    assert_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", ends);
    assert_hashes(" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", ends);
    assert_hashes(" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", ends);
    assert_hashes(" hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n", ends);
}

static void test_repeated_lines(void **state)
{
    (void)state;
    char text[512] = "";
    for (int i = 0; i < 10; ++i)
        strcat(text, "Lorem ipsum dolor sit amet.\n");
    assert_hashes(text, "a7f2ff13bc495cf2:1 a7f2ff13bc495cf2:2 a7f2ff13bc495cf2:3 "
                        "a7f2ff13bc495cf2:4 a7f2ff13bc495cf2:5 a7f2ff13bc495cf2:6 "
                        "a7f2ff1481e87703:1 a9cf91f7bbf1862b:1 55ec222b86bcae53:1 "
                        "cc97dc7b1d7d8f7b:1 c129715d7a2bc9a3:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_vectors),
        cmocka_unit_test(test_repeated_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
