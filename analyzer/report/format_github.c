// For GitHub's workflows: annotations in the log, and a table for the page of the step.
#include <string.h>

#include "base/vec.h"
#include "report/format.h"

enum {
    SHOWN_A_LEVEL = 10, // annotations of one level that GitHub shows of one step
    ROWS = 100,         // of the table
};

// The data of a workflow command, escaped as the runner reads it; a property ends at a comma or a
// colon too. Other control characters would reach the log as they are.
static void put_escaped(FILE *out, const char *text, bool is_property)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ',')))
            fprintf(out, "%%%02X", c);
        else
            fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
    }
}

static void put_annotation(FILE *out, struct report *report, const struct finding *finding)
{
    static const char *const commands[] = {
        [RULE_NOTE] = "notice", [RULE_WARNING] = "warning", [RULE_ERROR] = "error"};
    const struct finding_place *place = &finding->place;
    fprintf(out, "::%s file=", commands[finding->level]);
    put_escaped(out, format_root_path(report, place->file), true);
    fprintf(out, ",line=%u", place->line ? place->line : 1);
    if (place->column && format_has_end(place)) {
        fprintf(out, ",endLine=%u", place->end_line);
        // Columns are taken on one line only.
        if (place->end_line == place->line)
            fprintf(out, ",col=%u,endColumn=%u",
                    format_utf16_column(report, place->file, place->line, place->column),
                    format_utf16_column(report, place->file, place->line, place->end_column) - 1);
    }
    fprintf(out, ",title=barlint %s::", finding->rule);
    put_escaped(out, finding->message, false);
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        const struct finding_note *note = &finding->note[i];
        fputs("%0A", out);
        if (note->place.file[0]) {
            put_escaped(out, format_root_path(report, note->place.file), false);
            fprintf(out, ":%u: ", note->place.line);
        }
        put_escaped(out, note->message, false);
    }
    fputc('\n', out);
}

void format_github(FILE *out, struct report *report, bool color)
{
    (void)color;
    for (int level = RULE_ERROR; level >= RULE_NOTE; --level) {
        uint32_t shown = 0;
        for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
            const struct finding *finding = &report->findings.finding[i];
            if ((int)finding->level != level)
                continue;
            if (shown++ == SHOWN_A_LEVEL)
                fprintf(out, "GitHub shows %d %ss of a step; the others are:\n", SHOWN_A_LEVEL,
                        rule_level_name(finding->level));
            if (shown <= SHOWN_A_LEVEL) {
                put_annotation(out, report, finding);
            } else {
                // The runner reads a line that begins with a file called "::error" as a command.
                fputs("- ", out);
                format_concise_line(out, report, finding);
            }
        }
    }
}

// Text in a cell of a table in Markdown, which is HTML too.
static void put_cell(FILE *out, const char *text)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            fputc(' ', out);
        else if (strchr("|\\`*_[]<>&", c))
            fprintf(out, "&#%u;", c);
        else
            fputc(c, out);
    }
}

void report_print_step_summary(FILE *out, struct report *report)
{
    ptrdiff_t count = arrlen(report->findings.finding);
    fputs("### barlint\n\n", out);
    report_print_summary(out, report);
    if (count)
        fputs("\n| place | level | rule | finding |\n| --- | --- | --- | --- |\n", out);
    for (ptrdiff_t i = 0; i < count && i < ROWS; ++i) {
        const struct finding *finding = &report->findings.finding[i];
        fputs("| ", out);
        put_cell(out, format_root_path(report, finding->place.file));
        fprintf(out, ":%u | %s | %s | ", finding->place.line, rule_level_name(finding->level),
                finding->rule);
        put_cell(out, finding->message);
        fputs(" |\n", out);
    }
    if (count > ROWS)
        fprintf(out, "\nand %td more\n", count - ROWS);
}
