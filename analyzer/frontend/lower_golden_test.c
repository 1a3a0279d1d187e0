#define _GNU_SOURCE // strchrnul
// The IR of small sources against the text kept beside them, and what the report says.
// BARLINT_BLESS=1 in the environment writes the kept text anew.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "frontend/frontend.h"
#include "model/model.h"

static const char *const argument[] = {"-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_90a",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "-Xclang",
                                       "-target-sdk-version=12.9",
                                       "-fgpu-rdc",
                                       "-std=c++17",
                                       "-Wno-unknown-cuda-version",
                                       "-DBARLINT_BUILTIN_HEADERS",
                                       "-include",
                                       BARLINT_INCLUDE "/barlint/prelude.h",
                                       "-isystem",
                                       BARLINT_INCLUDE "/barlint/builtin",
                                       "-isystem",
                                       BARLINT_INCLUDE "/barlint/builtin/std"};

static bool is_known(void *context, const char *lookup)
{
    return model_knows(context, lookup);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, out);
    fclose(out);
    fclose(file);
    return text;
}

// Leaves the places out of a line of IR: ` at 1:2:3-4`.
static void print_without_places(FILE *out, const char *text)
{
    for (const char *line = text; *line;) {
        const char *end = strchrnul(line, '\n');
        const char *stop = end;
        for (const char *at = line; at + 4 < end; ++at)
            if (strncmp(at, " at ", 4) == 0 && strspn(at + 4, "0123456789:-") > 0) {
                const char *after = at + 4 + strspn(at + 4, "0123456789:-");
                if (after == end || strcmp(after, " {") == 0 || *after == '\n' || *after == ' ')
                    stop = at;
            }
        fwrite(line, 1, (size_t)(stop - line), out);
        if (stop < end && end[-1] == '{')
            fputs(" {", out);
        fputc('\n', out);
        line = *end ? end + 1 : end;
    }
}

// What is kept: the objects and functions of the file itself.
static char *kept_text(const struct ir_unit *unit, bool with_places)
{
    char *text = NULL, *kept = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (ptrdiff_t i = 0; i < arrlen(unit->global); ++i) {
        const struct ir_global *global = &unit->global[i];
        if (unit->file[global->loc.file].is_system)
            continue;
        fprintf(out, "global %s space %d size %llu align %llu owner %s\n", global->name,
                global->space, (unsigned long long)unit->type[global->type].size,
                (unsigned long long)global->align,
                global->owner == IR_NONE ? "-" : unit->function[global->owner].name);
    }
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i)
        if (!(unit->function[i].flags & IR_FN_SYSTEM) && unit->function[i].flags & IR_FN_BODY)
            ir_print_function(out, unit, (ir_function_id)i);
    fclose(out);
    if (with_places)
        return text;
    out = open_memstream(&kept, &size);
    print_without_places(out, text);
    fclose(out);
    free(text);
    return kept;
}

static void parse_file(const char *path, struct ir_unit *unit, struct frontend_report *report)
{
    struct model *model = model_new();
    struct error error = {0};
    struct frontend_job job = {.argument = argument,
                               .argument_count = sizeof argument / sizeof argument[0],
                               .main_file = path,
                               .is_known = is_known,
                               .context = model};
    if (!frontend_parse(&job, unit, report, &error))
        fail_msg("%s: %s", path, error.text);
    model_free(model);
}

static size_t check_file(const char *name)
{
    char source[4096], golden[4096];
    snprintf(source, sizeof source, "%s/%s", BARLINT_GOLDEN, name);
    snprintf(golden, sizeof golden, "%s/%.*s.ir", BARLINT_GOLDEN, (int)strlen(name) - 3, name);
    char *text = read_file(source);
    assert_non_null(text);
    bool with_places = strncmp(text, "// locations", 12) == 0;
    free(text);
    struct ir_unit unit;
    struct frontend_report report;
    parse_file(source, &unit, &report);
    char *got = kept_text(&unit, with_places);
    size_t wrong = 0;
    if (getenv("BARLINT_BLESS")) {
        FILE *file = fopen(golden, "w");
        assert_non_null(file);
        fputs(got, file);
        fclose(file);
    } else {
        char *expected = read_file(golden);
        if (!expected || strcmp(expected, got) != 0) {
            print_error("%s differs from what is kept; got:\n%s\n", name, got);
            ++wrong;
        }
        free(expected);
    }
    free(got);
    ir_unit_release(&unit);
    frontend_report_release(&report);
    return wrong;
}

static void golden_files(void **state)
{
    (void)state;
    struct dirent **entry;
    int count = scandir(BARLINT_GOLDEN, &entry, NULL, alphasort);
    size_t wrong = 0, seen = 0;
    assert_true(count > 0);
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(entry[i]->d_name);
        if (length > 3 && strcmp(entry[i]->d_name + length - 3, ".cu") == 0) {
            wrong += check_file(entry[i]->d_name);
            ++seen;
        }
        free(entry[i]);
    }
    free(entry);
    assert_int_equal(wrong, 0);
    assert_true(seen > 0);
}

// --- Sources in memory -----------------------------------------------------------------------

static bool parse_text(const char *text, const struct frontend_job *limits, struct ir_unit *unit,
                       struct frontend_report *report, struct error *error)
{
    struct frontend_unsaved file = {"memory.cu", text, strlen(text)};
    struct frontend_job job = {0};
    if (limits)
        job = *limits;
    job.argument = argument;
    job.argument_count = 12; // without headers
    job.main_file = "memory.cu";
    job.unsaved = &file;
    job.unsaved_count = 1;
    return frontend_parse(&job, unit, report, error);
}

#define DEVICE "__attribute__((device)) "
#define GLOBAL "__attribute__((global)) "

static void missing_main_file(void **state)
{
    (void)state;
    struct ir_unit unit;
    struct frontend_report report;
    struct error error = {0};
    struct frontend_job job = {
        .argument = argument, .argument_count = 12, .main_file = "/no/such/file.cu"};
    bool done = frontend_parse(&job, &unit, &report, &error);
    if (done)
        ir_unit_release(&unit);
    else
        assert_string_not_equal(error.text, "");
    assert_true(!done || arrlen(report.diagnostic) > 0);
    frontend_report_release(&report);
}

static void missing_header_is_named_once(void **state)
{
    (void)state;
    struct ir_unit unit;
    struct frontend_report report;
    struct error error = {0};
    assert_true(parse_text("#include <not/there.h>\n#include <not/there.h>\n" GLOBAL
                           "void k(int *p) { p[0] = 1; }\n",
                           NULL, &unit, &report, &error));
    assert_int_equal(arrlen(report.missing_header), 1);
    assert_string_equal(report.missing_header[0], "not/there.h");
    assert_int_equal(arrlen(unit.function), 1);
    assert_false(unit.function[0].flags & IR_FN_PARTIAL);
    ir_unit_release(&unit);
    frontend_report_release(&report);
}

static void limits_cut_and_say_so(void **state)
{
    (void)state;
    struct ir_unit unit;
    struct frontend_report report;
    struct error error = {0};
    struct frontend_job limits = {.max_functions = 1};
    assert_true(parse_text(DEVICE "int a() { return 1; } " DEVICE "int b() { return a(); } " GLOBAL
                                  "void k(int *p) { p[0] = b(); }\n",
                           &limits, &unit, &report, &error));
    assert_int_equal(report.functions, 1);
    assert_int_equal(report.cut_functions, 2);
    ir_unit_release(&unit);
    frontend_report_release(&report);
}

static char *repeat(const char *head, const char *part, size_t count, const char *tail)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(head, out);
    for (size_t i = 0; i < count; ++i)
        fputs(part, out);
    fputs(tail, out);
    fclose(out);
    return text;
}

// Nothing that stands in a file may crash, loop or break the IR.
static void hostile_sources(void **state)
{
    (void)state;
    char *deep = repeat(DEVICE "int f(int x) { return ", "(", 200, "x");
    char *sum = repeat(DEVICE "int f(int x) { return x", " + x", 3000, "; }");
    char *negations = repeat(DEVICE "int f(int x) { return ", "!", 2000, "x; }");
    char *blocks = repeat(DEVICE "void f(int x) { ", "{ if (x) ", 200, "x++;");
    const char *const source[] = {
        "",
        "}",
        "template <",
        "\"",
        "/*",
        DEVICE "int f(",
        deep,
        sum,
        negations,
        blocks,
        DEVICE "void f() { goto nowhere; }",
        DEVICE "int f(int x) { switch (x) { case 1: case 1: default: default: ; } }",
        DEVICE "void f() { break; continue; }",
        DEVICE "void f() { for (;;) for (;;) ; }",
        DEVICE "int f() { }",
        DEVICE "int f() { return g(h()); }",
        "struct s { s x; int y; }; " DEVICE "int f(s a) { return a.y; }",
        "struct s; " DEVICE "int f(s *a) { return a->y + sizeof(s); }",
        "template <int N> struct r { r<N + 1> x; }; " DEVICE "int f(r<0> *a) { return a->x; }",
        DEVICE "int f() { return f() + f(); }",
        "enum e : int; " DEVICE "int f(e x) { switch (x) { default: return 1; } }",
        DEVICE "void f() { auto x = [] { return x; }; x(); }",
        DEVICE "void f() { asm(\"bogus %0 %1\" : \"=r\"(1)); asm volatile(\"\"); }",
        DEVICE "int f(int n) { int a[n]; return a[0]; }",
        DEVICE "int f() { int a[1000000]; return a[999999]; }",
        "struct big { int x = 1; }; " DEVICE "int f() { big b[100000]; return b[5].x; }",
        DEVICE "__int128 f(__int128 x) { return x << 100; }",
        DEVICE "int f() { return ({ }), 3; }",
        GLOBAL "void k(); void g() { k<<<,>>>(); k<<<1>>>(); k<<<1, 2, 3, 4, 5>>>(1, 2); }",
        "#include \"memory.cu\"\n",
    };
    for (size_t i = 0; i < sizeof source / sizeof source[0]; ++i) {
        struct ir_unit unit;
        struct frontend_report report;
        struct error error = {0};
        struct frontend_job limits = {.max_seconds = 5};
        if (parse_text(source[i], &limits, &unit, &report, &error))
            ir_unit_release(&unit);
        else if (strstr(error.text, "broken IR"))
            fail_msg("source %zu: %s", i, error.text);
        frontend_report_release(&report);
    }
    free(deep);
    free(sum);
    free(negations);
    free(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_files),
        cmocka_unit_test(missing_main_file),
        cmocka_unit_test(missing_header_is_named_once),
        cmocka_unit_test(limits_cut_and_say_so),
        cmocka_unit_test(hostile_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
