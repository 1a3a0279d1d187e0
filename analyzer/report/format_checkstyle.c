// Checkstyle's XML, which many tools read.
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/format.h"
#include "report/xml.h"

void format_checkstyle(FILE *out, struct report *report, bool color)
{
    (void)color;
    static const char *const severities[] = {
        [RULE_NOTE] = "info", [RULE_WARNING] = "warning", [RULE_ERROR] = "error"};
    struct xml *xml = xml_begin("checkstyle");
    xml_attribute(xml, "version", "8.0");
    const char *file = NULL;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        const struct finding *finding = &report->findings.finding[i];
        const struct finding_place *place = &finding->place;
        if (!file || strcmp(file, place->file) != 0) {
            if (file)
                xml_close(xml);
            xml_open(xml, "file");
            xml_attribute(xml, "name", path_shown(report->folder, place->file));
            file = place->file;
        }
        xml_open(xml, "error");
        xml_number(xml, "line", place->line ? place->line : 1);
        if (place->column)
            xml_number(xml, "column", place->column);
        xml_attribute(xml, "severity", severities[finding->level]);
        xml_attribute(xml, "message", finding->message);
        xml_attribute(xml, "source",
                      arena_printf(&report->findings.arena, "barlint.%s", finding->rule));
        xml_close(xml);
    }
    xml_end(xml, out);
}
