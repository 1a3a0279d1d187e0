#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "base/vec.h"
#include "report/merge.h"
#include "report/patch.h"
#include "report/report.h"
#include "report/suppress.h"

static const struct rule rule_a = {.id = "rule-a", .level = RULE_ERROR};
static const struct rule rule_unused = {.id = "unused-suppression", .level = RULE_NOTE};
static const struct rule *const rules[] = {&rule_a, &rule_unused, NULL};

// --- Comments ------------------------------------------------------------------------------------

static void assert_comments(const char *text, const char *want)
{
    struct source source = {.path = "x.cu", .text = text, .length = strlen(text)};
    source_scan(&source);
    char got[512] = "";
    for (ptrdiff_t i = 0; i < arrlen(source.comment); ++i) {
        char one[128];
        snprintf(one, sizeof one, "%u%s'%.*s'", source.comment[i].line,
                 source.comment[i].alone ? "!" : "", (int)source.comment[i].length,
                 source.comment[i].text);
        strcat(got, one);
    }
    assert_string_equal(got, want);
    source_clear(&source);
}

static void test_comments(void **state)
{
    (void)state;
    assert_comments("int a; // one\n  // two\n", "1' one'2!' two'");
    assert_comments("/* a\nb */ int c; /**/", "1!' a\nb '2''");
    assert_comments("x = \"// no\"; // yes", "1' yes'");
    assert_comments("x = \"\\\" // no\"; // yes", "1' yes'");
    assert_comments("c = '\"'; // yes", "1' yes'");
    assert_comments("n = 1'000'000; // yes", "1' yes'");
    assert_comments("s = R\"(// no \" ) no)\"; // yes", "1' yes'");
    assert_comments("s = u8R\"x(// no)\" )x\"; // yes", "1' yes'");
    assert_comments("s = \"open // no\n// yes", "2!' yes'");
    assert_comments("// a \\\n still a\n// b", "1!' a \\\n still a'3!' b'");
    assert_comments("/* never closed", "1!' never closed'");
    assert_comments("a / b; // yes", "1' yes'");
    assert_comments("/", "");
    assert_comments("R\"", "");
}

// --- Suppressions --------------------------------------------------------------------------------

static void assert_suppressions(const char *text, const char *want)
{
    struct source source = {.path = "x.cu", .text = text, .length = strlen(text)};
    struct arena arena;
    arena_init(&arena);
    source_scan(&source);
    struct suppression *found = suppressions_find(&source, &arena);
    char got[512] = "";
    for (ptrdiff_t i = 0; i < arrlen(found); ++i) {
        char one[128];
        snprintf(one, sizeof one, "%s%s:%u-%u%s", i ? " " : "", found[i].rule, found[i].from,
                 found[i].to, found[i].unmatched ? "?" : "");
        strcat(got, one);
    }
    assert_string_equal(got, want);
    arrfree(found);
    source_clear(&source);
    arena_release(&arena);
}

static void test_suppressions(void **state)
{
    (void)state;
    assert_suppressions("f(); // barlint-ignore[rule-a]: why\n", "rule-a:1-1");
    assert_suppressions("// barlint-ignore[rule-a]: why\nf();\n", "rule-a:2-2");
    assert_suppressions("// barlint-ignore[rule-a]: why\n\n// more\nf();\n", "rule-a:4-4");
    assert_suppressions("/* barlint-ignore[rule-a] */ f();\n", "rule-a:1-1");
    assert_suppressions("f(); // barlint-ignore[rule-a, rule-b]\n", "rule-a:1-1 rule-b:1-1");
    assert_suppressions("// barlint-ignore-begin[a]\nf();\n// barlint-ignore-end[a]\n", "a:1-3");
    assert_suppressions("// barlint-ignore-begin[a]\nf();\n", "a:1-3?");
    assert_suppressions("f();\n// barlint-ignore-end[a]\n", "a:1-0?");
    assert_suppressions("// barlint-ignore-begin[a]\n// barlint-ignore-begin[b]\n"
                        "// barlint-ignore-end[a]\n// barlint-ignore-end[b]\n",
                        "a:1-3 b:2-4");
    assert_suppressions("// barlint-ignore-file[a]: why\nf();\n", "a:1-3");
    assert_suppressions("// barlint-ignore: why\nf();\n", ":1-0");
    assert_suppressions("// barlint-ignore[a: why\nf();\n", ":1-0");
    assert_suppressions("// see barlint-ignore[a] in the manual\n", "");
    assert_suppressions("f(); // barlint-ignored[a]\n", "");
    assert_suppressions("f(); // NOLINT(barlint-rule-a, bugprone-x)\n", "rule-a:1-1");
    assert_suppressions("f(); // why, NOLINT(barlint-*)\n", "*:1-1");
    assert_suppressions("// NOLINTNEXTLINE(barlint-a)\nf();\n", "a:2-2");
    assert_suppressions("// NOLINTBEGIN(barlint-a)\nf();\n// NOLINTEND(barlint-a)\n", "a:1-3");
    assert_suppressions("f(); // NOLINT\ng(); // NOLINT(bugprone-x)\n", "");
    assert_suppressions("s = \"// barlint-ignore[a]\";\n", "");
}

// --- Merging and the rest ------------------------------------------------------------------------

static struct finding *put_finding(struct findings *findings, const char *file, uint32_t line,
                                   const char *message, enum rule_certainty certainty,
                                   const char *kernel)
{
    struct finding finding = {
        .rule = "rule-a",
        .level = RULE_ERROR,
        .certainty = certainty,
        .place = {file, line, 5, line, 8},
        .message = message,
        .function = "f<int>",
        .pattern = "f",
    };
    struct finding_context context = {kernel, "block (32, 1, 1)"};
    arrput(finding.context, context);
    arrput(findings->finding, finding);
    return &findings->finding[arrlen(findings->finding) - 1];
}

static void test_merge(void **state)
{
    (void)state;
    struct findings findings;
    findings_init(&findings);
    put_finding(&findings, "/b.cu", 1, "late file", RULE_CERTAIN, "k");
    put_finding(&findings, "/a.cu", 7, "weaker", RULE_POSSIBLE, "k2");
    put_finding(&findings, "/a.cu", 7, "better", RULE_CERTAIN, "k1");
    put_finding(&findings, "/a.cu", 7, "better", RULE_CERTAIN, "k1");
    put_finding(&findings, "/a.cu", 3, "other line", RULE_POSSIBLE, "k1");
    findings_merge(&findings);
    assert_int_equal(arrlen(findings.finding), 3);
    assert_string_equal(findings.finding[0].message, "other line");
    const struct finding *merged = &findings.finding[1];
    assert_string_equal(merged->message, "better");
    assert_int_equal(merged->certainty, RULE_CERTAIN);
    assert_int_equal(arrlen(merged->context), 2);
    assert_string_equal(merged->context[0].kernel, "k1");
    assert_string_equal(merged->context[1].kernel, "k2");
    assert_string_equal(findings.finding[2].place.file, "/b.cu");
    findings_release(&findings);
}

static void test_merge_keeps_the_kernel_of_the_story_first(void **state)
{
    (void)state;
    struct findings findings;
    findings_init(&findings);
    put_finding(&findings, "/a.cu", 7, "better", RULE_CERTAIN, "k2");
    put_finding(&findings, "/a.cu", 7, "weaker", RULE_POSSIBLE, "k1");
    findings_merge(&findings);
    assert_string_equal(findings.finding[0].message, "better");
    assert_string_equal(findings.finding[0].context[0].kernel, "k2");
    assert_string_equal(findings.finding[0].context[1].kernel, "k1");
    findings_release(&findings);
}

// Two members of one vector are read: one finding. What says something else stays.
static void test_merge_of_a_line(void **state)
{
    (void)state;
    struct findings findings;
    findings_init(&findings);
    put_finding(&findings, "/a.cu", 7, "same", RULE_CERTAIN, "k");
    put_finding(&findings, "/a.cu", 7, "other", RULE_CERTAIN, "k")->place.column = 9;
    put_finding(&findings, "/a.cu", 7, "same", RULE_CERTAIN, "k")->place.column = 13;
    put_finding(&findings, "/a.cu", 8, "same", RULE_CERTAIN, "k");
    findings_merge(&findings);
    assert_int_equal(arrlen(findings.finding), 3);
    assert_int_equal(findings.finding[0].place.column, 5);
    assert_string_equal(findings.finding[1].message, "other");
    assert_int_equal(findings.finding[2].place.line, 8);
    findings_release(&findings);
}

static void test_json_round_trip(void **state)
{
    (void)state;
    struct findings findings, again;
    findings_init(&findings);
    findings_init(&again);
    struct finding *finding =
        put_finding(&findings, "/a.cu", 7, "bytes \xff\xc3\xa9 end", RULE_CERTAIN, "k");
    struct finding_note note = {{"/b.h", 2, 3, 2, 4}, "said there"};
    struct finding_edit edits[] = {{"/a.cu", 3, 7, "", UINT64_MAX}, {"/a.cu", 9, 9, "x", 1}};
    struct finding_fix fix = {"take it out", true, edits, 2};
    arrput(finding->note, note);
    arrput(finding->fix, fix);
    json_t *json = findings_to_json(&findings);
    struct error error = {0};
    assert_true(findings_from_json(&again, json, &error));
    assert_int_equal(arrlen(again.finding), 1);
    const struct finding *copy = &again.finding[0];
    assert_string_equal(copy->message, "bytes \xef\xbf\xbd\xc3\xa9 end");
    assert_string_equal(copy->note[0].message, "said there");
    assert_int_equal(copy->note[0].place.line, 2);
    assert_string_equal(copy->fix[0].description, "take it out");
    assert_true(copy->fix[0].safe);
    assert_int_equal(copy->fix[0].edit_count, 2);
    assert_string_equal(copy->fix[0].edit[1].text, "x");
    assert_true(copy->fix[0].edit[0].end == 7 && copy->fix[0].edit[0].content == UINT64_MAX);
    assert_string_equal(copy->context[0].kernel, "k");
    json_decref(json);

    json_t *broken = json_pack("[{s:s}]", "rule", "rule-a");
    assert_false(findings_from_json(&again, broken, &error));
    assert_int_equal(error.kind, ERROR_INTERNAL);
    json_decref(broken);
    findings_release(&findings);
    findings_release(&again);
}

// A report over one file on disk.
struct fixture {
    char path[64];
    struct report report;
};

static void fixture_init(struct fixture *fixture, const char *text)
{
    strcpy(fixture->path, "/tmp/barlint-report-test-XXXXXX");
    int file = mkstemp(fixture->path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    report_init(&fixture->report);
    report_add_file(&fixture->report, fixture->path, REPORT_OK, "");
}

static void fixture_finish(struct fixture *fixture, bool pedantic)
{
    struct report_options options = {.rules = rules, .folder = "/tmp", .pedantic = pedantic};
    report_finish(&fixture->report, &options);
    unlink(fixture->path);
}

static void test_suppressed_and_unused(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "f(); // barlint-ignore[rule-a]: known\n"
                           "g();\n"
                           "h(); // barlint-ignore[rule-a]: outlived\n"
                           "i(); // barlint-ignore[rule-b]: unknown\n");
    put_finding(&fixture.report.findings, fixture.path, 1, "one", RULE_CERTAIN, "k");
    put_finding(&fixture.report.findings, fixture.path, 2, "two", RULE_CERTAIN, "k");
    fixture_finish(&fixture, false);
    const struct finding *finding = fixture.report.findings.finding;
    assert_int_equal(arrlen(finding), 3);
    assert_int_equal(fixture.report.suppressed, 1);
    assert_string_equal(finding[0].message, "two");
    assert_string_equal(finding[1].rule, "unused-suppression");
    assert_int_equal(finding[1].place.line, 3);
    assert_non_null(strstr(finding[2].message, "did you mean 'rule-a'"));
    report_release(&fixture.report);
}

static void test_partial_files_keep_suppressions(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_init(&fixture, "h(); // barlint-ignore[rule-a]: perhaps\n");
    report_add_file(&fixture.report, fixture.path, REPORT_PARTIAL, "header 'x.h' is not found");
    report_add_file(&fixture.report, fixture.path, REPORT_OK, "");
    fixture_finish(&fixture, false);
    assert_int_equal(arrlen(fixture.report.findings.finding), 0);
    assert_int_equal(fixture.report.file[0].status, REPORT_PARTIAL);
    report_release(&fixture.report);
}

static void test_pedantic(void **state)
{
    (void)state;
    for (int pedantic = 0; pedantic < 2; ++pedantic) {
        struct fixture fixture;
        fixture_init(&fixture, "f();\n");
        put_finding(&fixture.report.findings, fixture.path, 1, "weak", RULE_POSSIBLE, "k")
            ->pedantic = true;
        fixture_finish(&fixture, pedantic);
        assert_int_equal(arrlen(fixture.report.findings.finding), pedantic);
        assert_int_equal(fixture.report.pedantic_hidden, !pedantic);
        report_release(&fixture.report);
    }
}

static char *fingerprints(const char *text, const uint32_t *lines, size_t count)
{
    static char result[128];
    struct fixture fixture;
    fixture_init(&fixture, text);
    for (size_t i = 0; i < count; ++i)
        put_finding(&fixture.report.findings, fixture.path, lines[i], "m", RULE_CERTAIN, "k");
    fixture_finish(&fixture, false);
    result[0] = '\0';
    for (ptrdiff_t i = 0; i < arrlen(fixture.report.findings.finding); ++i) {
        strcat(result, i ? " " : "");
        strcat(result, fixture.report.findings.finding[i].fingerprint);
    }
    report_release(&fixture.report);
    return result;
}

static void test_fingerprints(void **state)
{
    (void)state;
    char first[128], second[128];
    strcpy(first, fingerprints("sync(1);\nsync(1);\n", (uint32_t[]){1, 2}, 2));
    assert_int_equal(strlen(first), 33);
    assert_memory_not_equal(first, first + 17, 16); // equal lines are told apart
    // Lines above, indentation and comments do not matter.
    strcpy(second,
           fingerprints("// new\n\n  sync(1);  // why\n\tsync(1);\n", (uint32_t[]){3, 4}, 2));
    assert_string_equal(first, second);
    // The code does.
    strcpy(second, fingerprints("sync(2);\nsync(1);\n", (uint32_t[]){1, 2}, 2));
    assert_memory_not_equal(first, second, 16);
}

// A fix of one edit, for the finding.
static void put_fix(struct findings *findings, struct finding *finding, const char *path,
                    const char *content, size_t start, size_t end, const char *text, bool safe)
{
    struct finding_edit *edit = arena_new(&findings->arena, struct finding_edit);
    *edit = (struct finding_edit){path, start, end, text, XXH3_64bits(content, strlen(content))};
    struct finding_fix fix = {"mend it", safe, edit, 1};
    arrput(finding->fix, fix);
}

static void test_patch(void **state)
{
    (void)state;
    static const char text[] = "one();\ntwo();\nthree();\n";
    struct fixture fixture;
    fixture_init(&fixture, text);
    struct findings *findings = &fixture.report.findings;
    struct row {
        uint32_t line;
        size_t start, end;
        const char *text;
        bool safe;
    } rows[] = {
        {1, 0, 3, "ONE", true},        {1, 0, 3, "ONE", true}, // made once
        {2, 7, 10, "TWO", true},       {2, 8, 9, "-", true},   // overlaps the one before
        {3, 14, 14, "zero();", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct finding *finding =
            put_finding(findings, fixture.path, rows[i].line,
                        arena_printf(&findings->arena, "m%zu", i), RULE_CERTAIN, "k");
        finding->place.column = (uint32_t)i + 1;
        put_fix(findings, finding, fixture.path, text, rows[i].start, rows[i].end, rows[i].text,
                rows[i].safe);
    }
    struct finding *stale = put_finding(findings, fixture.path, 3, "m", RULE_CERTAIN, "k");
    stale->place.column = 99;
    put_fix(findings, stale, fixture.path, "other text", 20, 21, "!", true);
    char path[64];
    strcpy(path, fixture.path);
    struct report_options options = {.rules = rules, .folder = "/tmp"};
    report_finish(&fixture.report, &options);
    for (int suggested = 0; suggested < 2; ++suggested) {
        struct patch patch;
        patch_init(&patch, &fixture.report, suggested);
        assert_int_equal(arrlen(patch.file), 1);
        assert_int_equal(patch.fixes, 3 + suggested);
        assert_int_equal(patch.overlapping, 1);
        assert_int_equal(arrlen(patch.stale), 1);
        char *fixed = patch_text(&patch.file[0]);
        arrput(fixed, '\0');
        assert_string_equal(fixed, suggested ? "ONE();\nTWO();\nzero();three();\n"
                                             : "ONE();\nTWO();\nthree();\n");
        arrfree(fixed);
        patch_release(&patch);
    }
    unlink(path);
    report_release(&fixture.report);
}

static void test_merge_keeps_common_fixes(void **state)
{
    (void)state;
    for (int differ = 0; differ < 2; ++differ) {
        struct findings findings;
        findings_init(&findings);
        put_fix(&findings, put_finding(&findings, "/a.cu", 1, "m", RULE_CERTAIN, "k1"), "/a.cu", "",
                0, 1, "64", true);
        put_fix(&findings, put_finding(&findings, "/a.cu", 1, "m", RULE_CERTAIN, "k2"), "/a.cu", "",
                0, 1, differ ? "32" : "64", true);
        findings_merge(&findings);
        assert_int_equal(arrlen(findings.finding), 1);
        assert_int_equal(arrlen(findings.finding[0].fix), !differ);
        findings_release(&findings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_suppressions),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_keeps_the_kernel_of_the_story_first),
        cmocka_unit_test(test_merge_of_a_line),
        cmocka_unit_test(test_json_round_trip),
        cmocka_unit_test(test_suppressed_and_unused),
        cmocka_unit_test(test_partial_files_keep_suppressions),
        cmocka_unit_test(test_pedantic),
        cmocka_unit_test(test_fingerprints),
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_merge_keeps_common_fixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
