// SARIF 2.1.0, as GitHub code scanning reads it: paths relative to the root of the repository,
// GitHub's own fingerprint beside ours, rules with their help, the path to a finding as code flows.
#include <string.h>

#include "base/vec.h"
#include "report/format.h"
#include "report/github_hash.h"

enum {
    // Of one run: GitHub refuses more.
    MOST_RESULTS = 25000,
    MOST_ROLES = 16,
};

struct sarif {
    struct report *report;
    struct arena *arena; // of the report
    // The lines of the file at hand, hashed; findings come sorted by file.
    const char *hashed;
    struct github_hash *hash; // stb_ds array
};

static json_t *text_json(const char *text)
{
    return json_pack("{s:o}", "text", finding_json_text(text));
}

// --- Rules ---------------------------------------------------------------------------------------

// The documents that a rule rests on, each behind `before`.
static const char *guidelines(struct arena *arena, const struct rule *rule, const char *before)
{
    const char *text = "";
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i)
        text = arena_printf(arena, "%s%s%s", text, before, rule->guidelines[i]);
    return text;
}

static const char *section(struct arena *arena, const char *title, const char *text)
{
    return text ? arena_printf(arena, "\n\n## %s\n\n%s", title, text) : "";
}

static const char *rule_markdown(struct arena *arena, const struct rule *rule)
{
    const struct rule_doc *doc = &rule->doc;
    return arena_printf(arena,
                        "%s\n\n## Why\n\n%s\n\n## Wrong\n\n```cuda\n%s```\n\n## Right\n\n"
                        "```cuda\n%s```\n\n## How to fix it\n\n%s%s%s\n\n## Sources\n%s\n",
                        doc->what, doc->why, doc->bad, doc->good, doc->fix,
                        section(arena, "Never certain", doc->limit),
                        section(arena, "Measured", doc->measured), guidelines(arena, rule, "\n- "));
}

static const char *rule_help(struct arena *arena, const struct rule *rule)
{
    const struct rule_doc *doc = &rule->doc;
    return arena_printf(arena, "%s\n\n%s\n\nHow to fix it: %s\n\nSources:%s", doc->what, doc->why,
                        doc->fix, guidelines(arena, rule, "\n"));
}

// GitHub's words for how bad it is and how sure the rule is of it.
static const char *const severities[] = {
    [RULE_NOTE] = "recommendation",
    [RULE_WARNING] = "warning",
    [RULE_ERROR] = "error",
};

static json_t *tags_json(const struct rule *rule)
{
    json_t *tags = json_pack("[s, s, s]", "cuda", "barrier", rule->family);
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i)
        json_array_append_new(tags, json_string(rule->guidelines[i]));
    return tags;
}

static json_t *rule_json(struct arena *arena, const struct rule *rule)
{
    return json_pack("{s:s, s:o, s:o, s:{s:o, s:o}, s:{s:s}, s:{s:s, s:s, s:o}}", "id", rule->id,
                     "shortDescription", text_json(rule->summary), "fullDescription",
                     text_json(rule->doc.what), "help", "text",
                     finding_json_text(rule_help(arena, rule)), "markdown",
                     finding_json_text(rule_markdown(arena, rule)), "defaultConfiguration", "level",
                     rule_level_name(rule->level), "properties", "precision",
                     rule->reach == RULE_CERTAIN ? "very-high" : "high", "problem.severity",
                     severities[rule->level], "tags", tags_json(rule));
}

static int rule_index(const struct report *report, const char *id)
{
    int index = 0;
    while (report->rules[index] && strcmp(report->rules[index]->id, id) != 0)
        ++index;
    return index;
}

// --- Places --------------------------------------------------------------------------------------

static json_t *artifact_json(struct sarif *sarif, const char *file)
{
    const char *path = format_root_path(sarif->report, file);
    const char *uri = format_percent_encode(sarif->arena, path);
    if (path[0] == '/')
        return json_pack("{s:o}", "uri",
                         finding_json_text(arena_printf(sarif->arena, "file://%s", uri)));
    return json_pack("{s:s, s:s}", "uri", uri, "uriBaseId", "%SRCROOT%");
}

static json_t *region_json(struct sarif *sarif, const struct finding_place *place)
{
    struct report *report = sarif->report;
    uint32_t column = format_utf16_column(report, place->file, place->line, place->column);
    json_t *region = json_pack("{s:I}", "startLine", (json_int_t)(place->line ? place->line : 1));
    if (column)
        json_object_set_new(region, "startColumn", json_integer(column));
    if (place->line && place->column && format_has_end(place)) {
        json_object_set_new(region, "endLine", json_integer(place->end_line));
        if (place->end_column)
            json_object_set_new(region, "endColumn",
                                json_integer(format_utf16_column(
                                    report, place->file, place->end_line, place->end_column)));
    }
    return region;
}

static json_t *location_json(struct sarif *sarif, const struct finding_place *place,
                             const char *message)
{
    json_t *location = json_object();
    // What has no place in a file is told without one.
    if (place->file[0])
        json_object_set_new(location, "physicalLocation",
                            json_pack("{s:o, s:o}", "artifactLocation",
                                      artifact_json(sarif, place->file), "region",
                                      region_json(sarif, place)));
    if (message)
        json_object_set_new(location, "message", text_json(message));
    return location;
}

// --- Code flows ----------------------------------------------------------------------------------

// The threads of a role: what a note of theirs begins with.
struct role {
    const char *name;
    size_t length;
};

// Whether the note is about everybody or about the role.
static bool concerns(const struct finding_note *note, const struct role *role)
{
    size_t length = note_threads(note);
    return length == 0 ||
           (length == role->length && strncmp(note->message, role->name, length) == 0);
}

// The roles that the notes name, in the order of their first steps.
static size_t find_roles(const struct finding *finding, struct role role[MOST_ROLES])
{
    size_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(finding->note) && count < MOST_ROLES; ++i) {
        const struct finding_note *note = &finding->note[i];
        struct role one = {note->message, note_threads(note)};
        bool known = one.length == 0;
        for (size_t k = 0; k < count && !known; ++k)
            known =
                one.length == role[k].length && strncmp(one.name, role[k].name, one.length) == 0;
        if (!known)
            role[count++] = one;
    }
    return count;
}

static json_t *step_json(struct sarif *sarif, const struct finding_place *place,
                         const char *message, ptrdiff_t order)
{
    return json_pack("{s:o, s:I}", "location", location_json(sarif, place, message),
                     "executionOrder", (json_int_t)order + 1);
}

// One thread flow: the steps of a role (NULL: all there are) among what concerns everybody, and at
// the end the finding.
static json_t *thread_flow_json(struct sarif *sarif, const struct finding *finding,
                                const struct role *role)
{
    json_t *steps = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        const struct finding_note *note = &finding->note[i];
        if (note->place.file[0] && (!role || concerns(note, role)))
            json_array_append_new(steps, step_json(sarif, &note->place, note->message, i));
    }
    json_array_append_new(
        steps, step_json(sarif, &finding->place, finding->message, arrlen(finding->note)));
    json_t *flow = json_pack("{s:o}", "locations", steps);
    if (role)
        json_object_set_new(flow, "message",
                            text_json(arena_strndup(sarif->arena, role->name, role->length)));
    return flow;
}

static json_t *code_flows_json(struct sarif *sarif, const struct finding *finding)
{
    struct role role[MOST_ROLES];
    size_t roles = find_roles(finding, role);
    json_t *flows = json_array();
    if (roles == 0)
        json_array_append_new(flows, thread_flow_json(sarif, finding, NULL));
    for (size_t i = 0; i < roles; ++i)
        json_array_append_new(flows, thread_flow_json(sarif, finding, &role[i]));
    return json_pack("[{s:o}]", "threadFlows", flows);
}

// --- Results -------------------------------------------------------------------------------------

static json_t *fingerprints_json(struct sarif *sarif, const struct finding *finding)
{
    const struct finding_place *place = &finding->place;
    const struct source *source = sources_get(&sarif->report->sources, place->file);
    json_t *prints = json_pack("{s:s}", "barlint/v1", finding->fingerprint);
    if (source->text && (!sarif->hashed || strcmp(sarif->hashed, place->file) != 0)) {
        arrfree(sarif->hash);
        sarif->hash = github_hash_lines(source->text, source->length);
        sarif->hashed = place->file;
    }
    if (source->text && place->line > 0 && place->line <= arrlenu(sarif->hash)) {
        const struct github_hash *hash = &sarif->hash[place->line - 1];
        const char *text =
            arena_printf(sarif->arena, "%llx:%u", (unsigned long long)hash->hash, hash->ordinal);
        json_object_set_new(prints, "primaryLocationLineHash", json_string(text));
    }
    return prints;
}

static json_t *related_json(struct sarif *sarif, const struct finding *finding)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        json_t *one = location_json(sarif, &finding->note[i].place, finding->note[i].message);
        json_object_set_new(one, "id", json_integer((json_int_t)i + 1));
        json_array_append_new(list, one);
    }
    return list;
}

// SARIF takes an insertion as the deletion of nothing.
static json_t *replacement_json(struct sarif *sarif, const struct finding_edit *edit)
{
    struct finding_place place = format_edit_place(sarif->report, edit);
    json_t *region = region_json(sarif, &place);
    if (!format_has_end(&place)) {
        json_object_set(region, "endLine", json_object_get(region, "startLine"));
        json_object_set(region, "endColumn", json_object_get(region, "startColumn"));
    }
    return json_pack("{s:o, s:o}", "deletedRegion", region, "insertedContent",
                     text_json(edit->text));
}

static json_t *fixes_json(struct sarif *sarif, const struct finding *finding)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        const struct finding_fix *fix = &finding->fix[i];
        json_t *changes = json_array(), *replacements = NULL;
        for (size_t k = 0; k < fix->edit_count; ++k) {
            const struct finding_edit *edit = &fix->edit[k];
            if (k == 0 || strcmp(fix->edit[k - 1].file, edit->file) != 0) {
                replacements = json_array();
                json_array_append_new(changes, json_pack("{s:o, s:o}", "artifactLocation",
                                                         artifact_json(sarif, edit->file),
                                                         "replacements", replacements));
            }
            json_array_append_new(replacements, replacement_json(sarif, edit));
        }
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "description", text_json(fix->description),
                                        "artifactChanges", changes));
    }
    return list;
}

static json_t *suppressions_json(const struct finding *finding)
{
    json_t *one = json_pack("{s:s}", "kind",
                            finding->silence == FINDING_SUPPRESSED ? "inSource" : "external");
    if (finding->reason[0])
        json_object_set_new(one, "justification", finding_json_text(finding->reason));
    return json_pack("[o]", one);
}

static json_t *result_json(struct sarif *sarif, const struct finding *finding)
{
    json_t *result =
        json_pack("{s:s, s:i, s:s, s:o, s:[o], s:o, s:{s:s}}", "ruleId", finding->rule, "ruleIndex",
                  rule_index(sarif->report, finding->rule), "level",
                  rule_level_name(finding->level), "message", text_json(finding->message),
                  "locations", location_json(sarif, &finding->place, NULL), "partialFingerprints",
                  fingerprints_json(sarif, finding), "properties", "certainty",
                  rule_certainty_name(finding->certainty));
    json_t *properties = json_object_get(result, "properties");
    if (arrlen(finding->context)) {
        json_object_set_new(properties, "kernel", finding_json_text(finding->context[0].kernel));
        json_object_set_new(properties, "launch", finding_json_text(finding->context[0].launch));
    }
    if (arrlen(finding->note)) {
        json_object_set_new(result, "relatedLocations", related_json(sarif, finding));
        json_object_set_new(result, "codeFlows", code_flows_json(sarif, finding));
    }
    if (arrlen(finding->fix))
        json_object_set_new(result, "fixes", fixes_json(sarif, finding));
    if (finding->silence != FINDING_SHOWN)
        json_object_set_new(result, "suppressions", suppressions_json(finding));
    return result;
}

// --- The document --------------------------------------------------------------------------------

// Worst first: of what is too much, the least is left out.
static json_t *results_json(struct sarif *sarif)
{
    json_t *results = json_array();
    const struct report *report = sarif->report;
    for (int level = RULE_ERROR; level >= RULE_NOTE; --level) {
        for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
            const struct finding *finding = &report->findings.finding[i];
            if ((int)finding->level == level && json_array_size(results) < MOST_RESULTS)
                json_array_append_new(results, result_json(sarif, finding));
        }
    }
    for (ptrdiff_t i = 0; report->tells_silenced && i < arrlen(report->silenced); ++i) {
        if (json_array_size(results) < MOST_RESULTS)
            json_array_append_new(results, result_json(sarif, &report->silenced[i]));
    }
    return results;
}

// What was not analysed, or in part only.
static json_t *notifications_json(struct sarif *sarif)
{
    json_t *list = json_array();
    const struct report *report = sarif->report;
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        const struct report_file *file = &report->file[i];
        if (file->status != REPORT_FAILED && file->status != REPORT_PARTIAL)
            continue;
        json_array_append_new(list, json_pack("{s:s, s:o, s:[{s:{s:o}}]}", "level",
                                              file->status == REPORT_FAILED ? "error" : "warning",
                                              "message", text_json(file->reason), "locations",
                                              "physicalLocation", "artifactLocation",
                                              artifact_json(sarif, file->path)));
    }
    return list;
}

void format_sarif(FILE *out, struct report *report, bool color)
{
    (void)color;
    struct sarif sarif = {.report = report, .arena = &report->findings.arena};
    json_t *rules = json_array();
    for (size_t i = 0; report->rules[i]; ++i)
        json_array_append_new(rules, rule_json(sarif.arena, report->rules[i]));
    bool successful = report_files_with(report, REPORT_FAILED) == 0;
    // The category of GitHub's alerts is what stands before the last slash.
    json_t *run = json_pack(
        "{s:{s:{s:s, s:s, s:s, s:o}}, s:{s:s}, s:{s:{s:{s:s}}}, s:s, s:[{s:b, s:o}], s:o}", "tool",
        "driver", "name", "barlint", "version", BARLINT_VERSION, "semanticVersion", BARLINT_VERSION,
        "rules", rules, "automationDetails", "id", "barlint/", "originalUriBaseIds", "%SRCROOT%",
        "description", "text", "The root of the repository.", "columnKind", "utf16CodeUnits",
        "invocations", "executionSuccessful", (int)successful, "toolExecutionNotifications",
        notifications_json(&sarif), "results", results_json(&sarif));
    json_t *document =
        json_pack("{s:s, s:s, s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                  "version", "2.1.0", "runs", run);
    json_dumpf(document, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(document);
    arrfree(sarif.hash);
}
