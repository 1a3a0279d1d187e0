// reviewdog's diagnostic format: one document, or one diagnostic a line. Columns count bytes there
// too.
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/format.h"

static json_t *position_json(uint32_t line, uint32_t column)
{
    json_t *position = json_pack("{s:I}", "line", (json_int_t)line);
    if (column)
        json_object_set_new(position, "column", json_integer(column));
    return position;
}

static json_t *range_json(const struct finding_place *place)
{
    json_t *range =
        json_pack("{s:o}", "start", position_json(place->line ? place->line : 1, place->column));
    if (place->line && format_has_end(place))
        json_object_set_new(range, "end", position_json(place->end_line, place->end_column));
    return range;
}

static json_t *location_json(const struct report *report, const struct finding_place *place)
{
    return json_pack("{s:o, s:o}", "path",
                     finding_json_text(path_shown(report->folder, place->file)), "range",
                     range_json(place));
}

static json_t *source_json(void)
{
    return json_pack("{s:s}", "name", "barlint");
}

static json_t *diagnostic_json(struct report *report, const struct finding *finding)
{
    static const char *const severities[] = {
        [RULE_NOTE] = "INFO", [RULE_WARNING] = "WARNING", [RULE_ERROR] = "ERROR"};
    json_t *related = json_array(), *suggestions = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        const struct finding_note *note = &finding->note[i];
        if (note->place.file[0])
            json_array_append_new(related, json_pack("{s:o, s:o}", "message",
                                                     finding_json_text(note->message), "location",
                                                     location_json(report, &note->place)));
    }
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        const struct finding_fix *fix = &finding->fix[i];
        // A suggestion is one change of the file that it stands in.
        if (fix->edit_count == 1 && strcmp(fix->edit[0].file, finding->place.file) == 0) {
            struct finding_place place = format_edit_place(report, &fix->edit[0]);
            json_array_append_new(suggestions,
                                  json_pack("{s:o, s:o}", "range", range_json(&place), "text",
                                            finding_json_text(fix->edit[0].text)));
        }
    }
    return json_pack("{s:o, s:o, s:s, s:o, s:{s:s}, s:o, s:o}", "message",
                     finding_json_text(finding->message), "location",
                     location_json(report, &finding->place), "severity", severities[finding->level],
                     "source", source_json(), "code", "value", finding->rule, "suggestions",
                     suggestions, "related_locations", related);
}

void format_rdjson(FILE *out, struct report *report, bool color)
{
    (void)color;
    json_t *diagnostics = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        json_array_append_new(diagnostics, diagnostic_json(report, &report->findings.finding[i]));
    json_t *document = json_pack("{s:o, s:o}", "source", source_json(), "diagnostics", diagnostics);
    json_dumpf(document, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(document);
}

void format_rdjsonl(FILE *out, struct report *report, bool color)
{
    (void)color;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        json_t *diagnostic = diagnostic_json(report, &report->findings.finding[i]);
        json_dumpf(diagnostic, out, JSON_COMPACT);
        fputc('\n', out);
        json_decref(diagnostic);
    }
}
