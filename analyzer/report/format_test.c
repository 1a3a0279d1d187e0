// What no rule's own case gives the formats: fixes, findings without a place, and text of every
// kind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/vec.h"
#include "report/report.h"

static const struct rule rule_a = {
    .id = "rule-a",
    .family = "test",
    .summary = "a rule",
    .level = RULE_ERROR,
    .guidelines = {"A document, 1.2"},
    .doc = {"what", "why", "bad\n", "good\n", "fix", NULL, NULL},
};
static const struct rule *const rules[] = {&rule_a, NULL};
static const char nasty[] = "q\" <b> & ' % ::x, \x01\x1b[31m \xff ]]> \xc3\xa9\nsecond\r\n";

// A report over one file on disk with a finding of each kind.
static char *print(const char *format)
{
    char path[] = "/tmp/barlint-format-test-XXXXXX", *text = NULL;
    int file = mkstemp(path);
    static const char source[] = "/* \xc3\xa9\xf0\x9f\x98\x80 */ f();\ng();\n";
    assert_int_equal(write(file, source, sizeof source - 1), sizeof source - 1);
    close(file);
    struct report report;
    report_init(&report);
    report_add_file(&report, path, REPORT_OK, "");
    report_add_file(&report, "/nowhere/x.cu", REPORT_FAILED, nasty);
    struct finding finding = {
        .rule = "rule-a",
        .level = RULE_ERROR,
        .certainty = RULE_CERTAIN,
        .place = {path, 1, 14, 1, 17},
        .message = nasty,
        .function = nasty,
        .pattern = "f",
    };
    struct finding_edit edit = {.file = path, .start = 13, .end = 14, .text = "g"};
    struct finding_fix fix = {.description = nasty, .safe = true, .edit = &edit, .edit_count = 1};
    arrput(finding.fix, fix);
    arrput(finding.note, ((struct finding_note){{"", 0, 0, 0, 0}, nasty}));
    arrput(finding.note, ((struct finding_note){{path, 7, 3, 9, 1}, "behind the end"}));
    arrput(finding.context, ((struct finding_context){nasty, nasty}));
    arrput(report.findings.finding, finding);
    struct finding nowhere = {.rule = "rule-a", .place = {"", 0, 0, 0, 0}, .message = "no place"};
    nowhere.function = nowhere.pattern = "";
    arrput(report.findings.finding, nowhere);
    struct report_options options = {.rules = rules, .folder = "/tmp"};
    report_finish(&report, &options);
    size_t length;
    FILE *out = open_memstream(&text, &length);
    report_format_find(format)->print(out, &report, false);
    fclose(out);
    report_release(&report);
    unlink(path);
    return text;
}

static void test_fixes_in_sarif(void **state)
{
    (void)state;
    char *text = print("sarif");
    json_t *document = json_loads(text, 0, NULL), *result;
    assert_non_null(document);
    const char *replaced;
    int start, end;
    json_t *run = json_array_get(json_object_get(document, "runs"), 0);
    result = json_array_get(json_object_get(run, "results"), 0);
    json_t *change = json_array_get(
        json_object_get(json_array_get(json_object_get(result, "fixes"), 0), "artifactChanges"), 0);
    json_t *replacement = json_array_get(json_object_get(change, "replacements"), 0);
    assert_int_equal(json_unpack(replacement, "{s:{s:i, s:i}, s:{s:s}}", "deletedRegion",
                                 "startColumn", &start, "endColumn", &end, "insertedContent",
                                 "text", &replaced),
                     0);
    // Columns in UTF-16: a letter of two bytes is one, one of four bytes two.
    assert_int_equal(start, 11);
    assert_int_equal(end, 12);
    assert_string_equal(replaced, "g");
    json_decref(document);
    free(text);
}

static void test_fixes_in_rdjson(void **state)
{
    (void)state;
    char *text = print("rdjson");
    json_t *document = json_loads(text, 0, NULL);
    assert_non_null(document);
    const char *replaced;
    int start;
    // Findings without a place sort first.
    json_t *diagnostic = json_array_get(json_object_get(document, "diagnostics"), 1);
    json_t *suggestion = json_array_get(json_object_get(diagnostic, "suggestions"), 0);
    assert_int_equal(json_unpack(suggestion, "{s:{s:{s:i}}, s:s}", "range", "start", "column",
                                 &start, "text", &replaced),
                     0);
    assert_int_equal(start, 14); // bytes
    assert_string_equal(replaced, "g");
    json_decref(document);
    free(text);
}

// People see no names that fill a screen; whoever reads JSON gets them whole.
static void test_long_names(void **state)
{
    (void)state;
    static const char name[] =
        "gemm<Tile<128, 128, 64>, Layout<Shape<int, int, Underscore>, Stride<int, One>>, "
        "Epilogue<Linear<float, 1, float>>>::run<4>(Params<float *, float const *>)";
    struct report report;
    report_init(&report);
    struct finding finding = {.rule = "rule-a", .message = "told", .function = "", .pattern = ""};
    finding.place.file = "";
    const char *note = "'gemm<1>' is called here";
    arrput(finding.note, ((struct finding_note){{"", 0, 0, 0, 0}, note}));
    arrput(finding.context, ((struct finding_context){name, "block (1, 1, 1), grid (1, 1, 1)"}));
    arrput(finding.context, ((struct finding_context){name, "block (1, 1, 1), grid (2, 1, 1)"}));
    arrput(report.findings.finding, finding);
    struct report_options options = {.rules = rules, .folder = "/tmp"};
    report_finish(&report, &options);
    for (int i = 0; i < 2; ++i) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        report_format_find(i ? "json" : "text")->print(out, &report, false);
        fclose(out);
        assert_non_null(strstr(text, "'gemm<1>' is called here"));
        if (i == 0) {
            const char *shown = strstr(text, "in kernel 'gemm<...>::run<4>(Params<float *, float "
                                             "const *>)', block (1, 1, 1), grid (1, 1, 1)\n");
            assert_non_null(shown);
            assert_null(strstr(text, "grid (2, 1, 1)"));
        } else {
            assert_non_null(strstr(text, name));
        }
        free(text);
    }
    report_release(&report);
}

static void test_every_format_takes_every_text(void **state)
{
    (void)state;
    for (const struct report_format *format = report_formats; format->name; ++format) {
        char *text = print(format->name);
        assert_true(strlen(text) > 50);
        // No terminal and no parser gets what a source or a message holds.
        assert_null(strchr(text, '\033'));
        assert_null(strchr(text, '\001'));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixes_in_sarif),
        cmocka_unit_test(test_fixes_in_rdjson),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_every_format_takes_every_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
