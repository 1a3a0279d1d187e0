// The JSON document, schema 1, and its findings alone, one a line. Fields are only ever added.
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/format.h"

enum { CONTEXTS_NAMED = 20 };

static json_t *shown_path(const struct report *report, const char *path)
{
    return finding_json_text(path_shown(report->folder, path));
}

static json_t *note_json(const struct report *report, const struct finding_place *place,
                         const char *message)
{
    return json_pack("{s:o, s:i, s:i, s:o}", "file", shown_path(report, place->file), "line",
                     (int)place->line, "column", (int)place->column, "message",
                     finding_json_text(message));
}

static json_t *notes_json(struct report *report, const struct finding *finding)
{
    json_t *notes = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i)
        json_array_append_new(notes,
                              note_json(report, &finding->note[i].place, finding->note[i].message));
    // The first kernel and launch are fields of the finding; the others are told as notes.
    struct arena *arena = &report->findings.arena;
    ptrdiff_t count = arrlen(finding->context);
    for (ptrdiff_t i = 1; i < count && i < CONTEXTS_NAMED; ++i) {
        const char *text = arena_printf(arena, "also in kernel '%s', %s",
                                        finding->context[i].kernel, finding->context[i].launch);
        json_array_append_new(notes, note_json(report, &finding->place, text));
    }
    if (count > CONTEXTS_NAMED) {
        const char *text =
            arena_printf(arena, "also in %td other kernels or launches", count - CONTEXTS_NAMED);
        json_array_append_new(notes, note_json(report, &finding->place, text));
    }
    return notes;
}

static json_t *fixes_json(const struct report *report, const struct finding *finding)
{
    json_t *fixes = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        const struct finding_fix *fix = &finding->fix[i];
        json_t *edits = json_array();
        for (size_t k = 0; k < fix->edit_count; ++k) {
            const struct finding_edit *edit = &fix->edit[k];
            json_array_append_new(
                edits, json_pack("{s:o, s:I, s:I, s:o}", "file", shown_path(report, edit->file),
                                 "start", (json_int_t)edit->start, "end", (json_int_t)edit->end,
                                 "text", finding_json_text(edit->text)));
        }
        json_array_append_new(fixes, json_pack("{s:o, s:b, s:o}", "description",
                                               finding_json_text(fix->description), "safe",
                                               (int)fix->safe, "edits", edits));
    }
    return fixes;
}

static const char *const silence_names[] = {
    [FINDING_SUPPRESSED] = "comment",
    [FINDING_BASELINED] = "baseline",
};

static json_t *finding_json(struct report *report, const struct finding *finding)
{
    const struct finding_place *place = &finding->place;
    bool has_context = arrlen(finding->context) > 0;
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "rule",
        finding->rule, "level", rule_level_name(finding->level), "certainty",
        rule_certainty_name(finding->certainty), "file", shown_path(report, place->file), "line",
        (int)place->line, "column", (int)place->column, "end_line", (int)place->end_line,
        "end_column", (int)place->end_column, "message", finding_json_text(finding->message),
        "function", finding_json_text(finding->function), "kernel",
        finding_json_text(has_context ? finding->context[0].kernel : ""), "launch",
        finding_json_text(has_context ? finding->context[0].launch : ""), "notes",
        notes_json(report, finding), "fixes", fixes_json(report, finding), "fingerprint",
        finding->fingerprint);
    if (finding->silence != FINDING_SHOWN)
        json_object_set_new(json, "silenced",
                            json_pack("{s:s, s:o}", "by", silence_names[finding->silence], "reason",
                                      finding_json_text(finding->reason)));
    return json;
}

static json_t *summary_json(const struct report *report)
{
    uint32_t certain = 0, total = (uint32_t)arrlenu(report->findings.finding);
    for (uint32_t i = 0; i < total; ++i)
        certain += report->findings.finding[i].certainty == RULE_CERTAIN;
    uint32_t errors = report_count(report, RULE_ERROR);
    uint32_t warnings = report_count(report, RULE_WARNING) - errors;
    const struct report_counts *counts = &report->counts;
    return json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:I, "
        "s:I, s:I, s:I, s:i, s:i}",
        "files", (int)arrlen(report->file), "ok", (int)report_files_with(report, REPORT_OK),
        "partial", (int)report_files_with(report, REPORT_PARTIAL), "failed",
        (int)report_files_with(report, REPORT_FAILED), "findings", (int)total, "errors",
        (int)errors, "warnings", (int)warnings, "notes", (int)(total - errors - warnings),
        "certain", (int)certain, "possible", (int)(total - certain), "suppressed",
        (int)report->suppressed, "pedantic_hidden", (int)report->pedantic_hidden, "kernels",
        (json_int_t)counts->kernels, "launch_shapes", (json_int_t)counts->shapes, "runs",
        (json_int_t)counts->runs, "operations", (json_int_t)counts->steps, "cut_short",
        (json_int_t)counts->cut_short, "unknown_operations", (json_int_t)counts->unknown_operations,
        "unknown_objects", (json_int_t)counts->unknown_objects, "baselined", (int)report->baselined,
        "unchanged", (int)report->unchanged);
}

static json_t *findings_json(struct report *report, const struct finding *list)
{
    json_t *findings = json_array();
    for (ptrdiff_t i = 0; i < arrlen(list); ++i)
        json_array_append_new(findings, finding_json(report, &list[i]));
    return findings;
}

void format_json(FILE *out, struct report *report, bool color)
{
    (void)color;
    json_t *files = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        const struct report_file *file = &report->file[i];
        json_array_append_new(files,
                              json_pack("{s:o, s:s, s:o}", "file", shown_path(report, file->path),
                                        "status", report_status_name(file->status), "reason",
                                        finding_json_text(file->reason)));
    }
    json_t *document = json_pack("{s:i, s:{s:s, s:s}, s:o, s:o, s:o}", "schema", 1, "tool", "name",
                                 "barlint", "version", BARLINT_VERSION, "findings",
                                 findings_json(report, report->findings.finding), "files", files,
                                 "summary", summary_json(report));
    if (report->tells_silenced)
        json_object_set_new(document, "silenced", findings_json(report, report->silenced));
    if (report->shard)
        json_object_set(document, "shard", report->shard);
    json_dumpf(document, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(document);
}

void format_jsonl(FILE *out, struct report *report, bool color)
{
    (void)color;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        json_t *json = finding_json(report, &report->findings.finding[i]);
        json_dumpf(json, out, JSON_COMPACT);
        fputc('\n', out);
        json_decref(json);
    }
}
