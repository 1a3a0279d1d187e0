// What the formats share; private to this layer. A format is one function over a finished report,
// and a row of report_formats in format.c.
#ifndef BARLINT_REPORT_FORMAT_H
#define BARLINT_REPORT_FORMAT_H

#include "report/report.h"

void format_text(FILE *out, struct report *report, bool color);
void format_concise(FILE *out, struct report *report, bool color);
void format_json(FILE *out, struct report *report, bool color);
void format_jsonl(FILE *out, struct report *report, bool color);
void format_sarif(FILE *out, struct report *report, bool color);
void format_github(FILE *out, struct report *report, bool color);
void format_gitlab(FILE *out, struct report *report, bool color);
void format_junit(FILE *out, struct report *report, bool color);
void format_checkstyle(FILE *out, struct report *report, bool color);
void format_rdjson(FILE *out, struct report *report, bool color);
void format_rdjsonl(FILE *out, struct report *report, bool color);
void format_html(FILE *out, struct report *report, bool color);

// The file as seen from the root of the repository. One that lies elsewhere is looked for behind
// symbolic links, and keeps its absolute name when it is not below the root there either.
const char *format_root_path(struct report *report, const char *path);

// The column in UTF-16 code units, from one in bytes; 0 stays 0.
uint32_t format_utf16_column(struct report *report, const char *path, uint32_t line,
                             uint32_t column);

// Where an edit stands.
struct finding_place format_edit_place(struct report *report, const struct finding_edit *edit);

// The one line "file:line:column: level: message [rule]", without control characters.
void format_concise_line(FILE *out, const struct report *report, const struct finding *finding);

// Whether the range of the place has an end behind its beginning.
bool format_has_end(const struct finding_place *place);

// A file name in a URI: everything but letters, digits and -._~/ as %XX.
char *format_percent_encode(struct arena *arena, const char *path);

#endif
