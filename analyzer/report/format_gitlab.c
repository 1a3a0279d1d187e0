// GitLab's code quality report: a subset of Code Climate's issues.
#include <string.h>

#include <xxhash.h>

#include "base/vec.h"
#include "report/format.h"

static json_t *issue_json(struct report *report, const struct finding *finding)
{
    static const char *const severities[] = {
        [RULE_NOTE] = "info", [RULE_WARNING] = "major", [RULE_ERROR] = "critical"};
    const struct finding_place *place = &finding->place;
    const char *path = format_root_path(report, place->file);
    json_t *lines = json_pack("{s:I}", "begin", (json_int_t)(place->line ? place->line : 1));
    if (place->end_line > place->line)
        json_object_set_new(lines, "end", json_integer(place->end_line));
    // GitLab keeps one issue of a fingerprint, and ours is unique within its file.
    XXH64_hash_t hash = XXH3_64bits(path, strlen(path));
    char fingerprint[64];
    snprintf(fingerprint, sizeof fingerprint, "%016llx%s", (unsigned long long)hash,
             finding->fingerprint);
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:{s:o, s:o}}", "type", "issue", "check_name",
                     finding->rule, "description", finding_json_text(finding->message),
                     "fingerprint", fingerprint, "severity", severities[finding->level], "location",
                     "path", finding_json_text(path), "lines", lines);
}

void format_gitlab(FILE *out, struct report *report, bool color)
{
    (void)color;
    json_t *issues = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        json_array_append_new(issues, issue_json(report, &report->findings.finding[i]));
    json_dumpf(issues, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(issues);
}
