// JUnit's XML: a test case a file, so that a clean run shows what was looked at. A file fails with
// warnings and errors; notes are told as its output.
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/format.h"
#include "report/xml.h"

// A file that was asked for or that has findings: both lists are sorted by path.
struct row {
    const char *path;
    const struct report_file *file; // NULL where it was not asked for: a header
    ptrdiff_t first, last;          // its findings are [first, last)
};

static struct row *rows_of(const struct report *report)
{
    const struct finding *finding = report->findings.finding;
    struct row *rows = NULL; // stb_ds array
    ptrdiff_t file = 0, at = 0, files = arrlen(report->file), count = arrlen(finding);
    while (file < files || at < count) {
        int order = file == files ? 1
                    : at == count ? -1
                                  : strcmp(report->file[file].path, finding[at].place.file);
        struct row row = {order <= 0 ? report->file[file].path : finding[at].place.file,
                          order <= 0 ? &report->file[file++] : NULL, at, at};
        while (order >= 0 && row.last < count &&
               strcmp(finding[row.last].place.file, row.path) == 0)
            ++row.last;
        at = row.last;
        arrput(rows, row);
    }
    return rows;
}

static uint32_t failures_of(const struct report *report, const struct row *row)
{
    uint32_t count = 0;
    for (ptrdiff_t i = row->first; i < row->last; ++i)
        count += report->findings.finding[i].level >= RULE_WARNING;
    return count;
}

// The findings of a file from one level up to another, with their notes.
static char *story_of(const struct report *report, const struct row *row, enum rule_level least,
                      enum rule_level most)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (ptrdiff_t i = row->first; out && i < row->last; ++i) {
        const struct finding *finding = &report->findings.finding[i];
        if (finding->level < least || finding->level > most)
            continue;
        format_concise_line(out, report, finding);
        for (ptrdiff_t k = 0; k < arrlen(finding->note); ++k) {
            const struct finding_note *note = &finding->note[k];
            fputs("    ", out);
            if (note->place.file[0])
                fprintf(out, "%s:%u: ", path_shown(report->folder, note->place.file),
                        note->place.line);
            fprintf(out, "%s\n", note->message);
        }
    }
    if (out)
        fclose(out);
    return text;
}

static void put_case(struct xml *xml, const struct report *report, const struct row *row)
{
    uint32_t failures = failures_of(report, row);
    xml_open(xml, "testcase");
    xml_attribute(xml, "name", path_shown(report->folder, row->path));
    xml_attribute(xml, "classname", "barlint");
    xml_attribute(xml, "file", path_shown(report->folder, row->path));
    if (row->file && row->file->status == REPORT_FAILED) {
        xml_open(xml, "error");
        xml_attribute(xml, "message", row->file->reason);
        xml_close(xml);
    }
    if (failures) {
        char *story = story_of(report, row, RULE_WARNING, RULE_ERROR);
        xml_open(xml, "failure");
        char message[64];
        snprintf(message, sizeof message, "%u finding%s", failures, failures == 1 ? "" : "s");
        xml_attribute(xml, "message", message);
        xml_text(xml, story ? story : "");
        xml_close(xml);
        free(story);
    }
    if ((ptrdiff_t)failures < row->last - row->first) {
        char *story = story_of(report, row, RULE_NOTE, RULE_NOTE);
        xml_open(xml, "system-out");
        xml_text(xml, story ? story : "");
        xml_close(xml);
        free(story);
    }
    xml_close(xml);
}

void format_junit(FILE *out, struct report *report, bool color)
{
    (void)color;
    struct row *rows = rows_of(report);
    uint32_t failed = 0;
    for (ptrdiff_t i = 0; i < arrlen(rows); ++i)
        failed += failures_of(report, &rows[i]) > 0;
    struct xml *xml = xml_begin("testsuites");
    xml_open(xml, "testsuite");
    xml_attribute(xml, "name", "barlint");
    xml_number(xml, "tests", arrlenu(rows));
    xml_number(xml, "failures", failed);
    xml_number(xml, "errors", report_files_with(report, REPORT_FAILED));
    for (ptrdiff_t i = 0; i < arrlen(rows); ++i)
        put_case(xml, report, &rows[i]);
    xml_end(xml, out);
    arrfree(rows);
}
