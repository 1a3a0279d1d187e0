#include "report/format.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"

const struct report_format report_formats[] = {
    {"text", "for people: source lines, carets and the path to each finding", true, false,
     format_text},
    {"concise", "for people and editors: one line a finding, as compilers write", true, false,
     format_concise},
    {"json", "one JSON document", false, false, format_json},
    {"jsonl", "one JSON object a line, for each finding", false, false, format_jsonl},
    {"sarif", "SARIF 2.1.0, for GitHub code scanning and others", false, false, format_sarif},
    {"github", "annotations in the log of a GitHub workflow", false, false, format_github},
    {"gitlab", "GitLab's code quality report", false, false, format_gitlab},
    {"junit", "JUnit's XML, a test case a file", false, false, format_junit},
    {"checkstyle", "Checkstyle's XML", false, false, format_checkstyle},
    {"rdjson", "reviewdog's diagnostics, one document", false, false, format_rdjson},
    {"rdjsonl", "reviewdog's diagnostics, one a line", false, false, format_rdjsonl},
    {"html", "a page for a browser, with the schedule of each finding drawn", false, true,
     format_html},
    {NULL, NULL, false, false, NULL},
};

const struct report_format *report_format_find(const char *name)
{
    for (const struct report_format *format = report_formats; format->name; ++format) {
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}

const char *format_root_path(struct report *report, const char *path)
{
    const char *shown = path_shown(report->root, path);
    if (shown != path || path[0] != '/')
        return shown;
    char *real = realpath(path, NULL), *root = realpath(report->root, NULL);
    if (real && root && path_shown(root, real) != real)
        shown = arena_strdup(&report->findings.arena, path_shown(root, real));
    free(real);
    free(root);
    return shown;
}

uint32_t format_utf16_column(struct report *report, const char *path, uint32_t line,
                             uint32_t column)
{
    if (column == 0)
        return 0;
    size_t length, used;
    const char *text = source_line(sources_get(&report->sources, path), line, &length);
    size_t bytes = column - 1;
    uint32_t units = 1;
    for (size_t at = 0; at < bytes && at < length; at += used)
        units += utf8_decode(text + at, length - at, &used) > 0xffff ? 2 : 1;
    // A column behind the line's end stays as far behind it.
    return units + (bytes > length ? (uint32_t)(bytes - length) : 0);
}

bool format_has_end(const struct finding_place *place)
{
    return place->end_line > place->line ||
           (place->end_line == place->line && place->end_column > place->column);
}

char *format_percent_encode(struct arena *arena, const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    static const char digits[] = "0123456789ABCDEF";
    char *out = arena_alloc(arena, 3 * strlen(path) + 1), *to = out;
    for (; *path; ++path) {
        unsigned char c = (unsigned char)*path;
        if (strchr(plain, c)) {
            *to++ = (char)c;
        } else {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        }
    }
    return out;
}

// Line and column of a byte.
static void find_place(const struct source *source, uint64_t offset, uint32_t *line,
                       uint32_t *column)
{
    size_t low = 0, high = arrlenu(source->line);
    while (high > low + 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = (uint32_t)low + 1;
    *column = high ? (uint32_t)(offset - source->line[low]) + 1 : 1;
}

struct finding_place format_edit_place(struct report *report, const struct finding_edit *edit)
{
    const struct source *source = sources_get(&report->sources, edit->file);
    struct finding_place place = {.file = edit->file};
    find_place(source, edit->start, &place.line, &place.column);
    find_place(source, edit->end, &place.end_line, &place.end_column);
    return place;
}
