// A page for a browser: one file that loads nothing. What comes from sources, file names and
// comments is text in it, never markup; the page's own policy forbids everything else.
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "report/format.h"
#include "report/html_page.h"
#include "report/schedule.h"

enum {
    AROUND = 3,          // lines shown before and after the line of a finding
    LONGEST_LINE = 400,  // bytes of a source line
    MOST_DRAWINGS = 200, // of a page
    CONTEXTS_SHOWN = 5,
};

struct page {
    FILE *out;
    struct report *report;
    uint32_t drawings;
};

// Some bytes of text. What is no UTF-8 and what is no text becomes U+FFFD.
static void put_bytes(struct page *page, const char *text, size_t length)
{
    size_t used;
    for (size_t at = 0; at < length; at += used) {
        uint32_t code = utf8_decode(text + at, length - at, &used);
        static const struct {
            uint32_t code;
            const char *text;
        } marks[] = {
            {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
        const char *entity = (code < 0x20 && code != '\t' && code != '\n') ||
                                     (code >= 0x7f && code < 0xa0) || code == UTF8_BAD
                                 ? "\xef\xbf\xbd"
                                 : NULL;
        for (size_t i = 0; i < sizeof marks / sizeof marks[0] && !entity; ++i) {
            if (marks[i].code == code)
                entity = marks[i].text;
        }
        if (entity)
            fputs(entity, page->out);
        else
            fwrite(text + at, 1, used, page->out);
    }
}

static void put(struct page *page, const char *text)
{
    put_bytes(page, text, strlen(text));
}

// --- Source --------------------------------------------------------------------------------------

// The marked bytes [from, to) of one line of a place; of later lines the indentation is none.
static void marked_range(const struct finding_place *place, uint32_t line, const char *text,
                         size_t length, size_t *from, size_t *to)
{
    uint32_t last = place->end_line > place->line ? place->end_line : place->line;
    *from = *to = 0;
    if (line < place->line || line > last)
        return;
    if (line == place->line && place->column)
        *from = place->column - 1;
    while (line > place->line && *from < length && strchr(" \t", text[*from]))
        ++*from;
    *to = length;
    if (line == last && format_has_end(place))
        *to = place->end_column ? place->end_column - 1 : length;
    else if (line == last)
        *to = *from + 1;
    *from = *from < length ? *from : length;
    *to = *to < length ? *to : length;
}

static void put_line(struct page *page, const struct source *source,
                     const struct finding_place *place, uint32_t line)
{
    size_t length, from, to;
    const char *text = source_line(source, line, &length);
    bool cut = length > LONGEST_LINE;
    length = cut ? LONGEST_LINE : length;
    marked_range(place, line, text, length, &from, &to);
    fprintf(page->out, "<span%s><b>%u</b>", line == place->line ? " class=\"b-here\"" : "", line);
    put_bytes(page, text, from);
    if (to > from) {
        fputs("<mark>", page->out);
        put_bytes(page, text + from, to - from);
        fputs("</mark>", page->out);
    }
    if (to < from)
        to = from;
    put_bytes(page, text + to, length - to);
    fputs(cut ? " \xe2\x80\xa6</span>" : "</span>", page->out);
}

// The lines of a place with some around it.
static void put_excerpt(struct page *page, const struct finding_place *place, uint32_t around)
{
    const struct source *source = sources_get(&page->report->sources, place->file);
    uint32_t lines = (uint32_t)arrlenu(source->line);
    if (!source->text || place->line == 0 || place->line > lines)
        return;
    uint32_t first = place->line > around ? place->line - around : 1;
    uint32_t last = place->end_line > place->line ? place->end_line : place->line;
    if (last > place->line + AROUND)
        last = place->line + AROUND;
    last = last + around < lines ? last + around : lines;
    fputs("<pre class=\"b-code\">", page->out);
    for (uint32_t line = first; line <= last; ++line)
        put_line(page, source, place, line);
    fputs("</pre>\n", page->out);
}

static void put_place(struct page *page, const struct finding_place *place)
{
    fputs("<span class=\"b-place\">", page->out);
    put(page, path_shown(page->report->folder, place->file));
    fprintf(page->out, ":%u:%u</span>", place->line, place->column);
}

// --- Findings ------------------------------------------------------------------------------------

static void put_path(struct page *page, const struct finding *finding)
{
    if (arrlen(finding->note) == 0)
        return;
    fputs("<ol class=\"b-path\">\n", page->out);
    const struct finding_place *shown = &finding->place;
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        const struct finding_note *note = &finding->note[i];
        fputs("<li>", page->out);
        put(page, note->message);
        if (note->place.file[0]) {
            fputs(" <span class=\"b-dim\">", page->out);
            put_place(page, &note->place);
            fputs("</span>", page->out);
        }
        // A line that was shown just before is not shown again.
        if (note->place.file[0] &&
            (strcmp(note->place.file, shown->file) != 0 || note->place.line != shown->line))
            put_excerpt(page, &note->place, 0);
        shown = &note->place;
        fputs("</li>\n", page->out);
    }
    fputs("</ol>\n", page->out);
}

static void put_facts(struct page *page, const struct finding *finding)
{
    ptrdiff_t count = arrlen(finding->context);
    fputs("<p class=\"b-facts\">", page->out);
    put_place(page, &finding->place);
    fprintf(page->out, " \xc2\xb7 %s \xc2\xb7 <a href=\"#rule-%s\">%s</a>",
            rule_certainty_name(finding->certainty), finding->rule, finding->rule);
    for (ptrdiff_t i = 0; i < count && i < CONTEXTS_SHOWN; ++i) {
        fputs("<br>kernel <code>", page->out);
        put(page, finding->context[i].kernel);
        fputs("</code>, ", page->out);
        put(page, finding->context[i].launch);
    }
    if (count > CONTEXTS_SHOWN)
        fprintf(page->out, "<br>and %td other kernels or launches", count - CONTEXTS_SHOWN);
    fputs("</p>\n", page->out);
}

static void put_drawing(struct page *page, const struct finding *finding)
{
    if (!finding->schedule)
        return;
    if (page->drawings++ >= MOST_DRAWINGS) {
        fputs("<p class=\"b-dim\">The page is full; <code>barlint dump --schedule</code> draws "
              "the others.</p>\n",
              page->out);
        return;
    }
    // Of errors the first few are open, so that the page shows what it has.
    fprintf(page->out,
            "<details%s><summary>What the threads do in one run of the kernel</summary>\n"
            "<div class=\"b-drawing\" tabindex=\"0\">\n",
            page->drawings <= 3 ? " open" : "");
    fputs(finding->schedule, page->out);
    fputs("</div></details>\n", page->out);
}

static void put_finding(struct page *page, const struct finding *finding)
{
    const char *level = rule_level_name(finding->level);
    fprintf(page->out,
            "<article class=\"b-finding\" tabindex=\"-1\" id=\"f-%s-%u-%u\" data-rule=\"%s\" "
            "data-level=\"%s\" data-file=\"",
            finding->fingerprint, finding->place.line, finding->place.column, finding->rule, level);
    put(page, path_shown(page->report->folder, finding->place.file));
    fprintf(page->out, "\">\n<h3><span class=\"b-level %s\">%s:</span> ", level, level);
    put(page, finding->message);
    fputs("</h3>\n", page->out);
    put_facts(page, finding);
    put_excerpt(page, &finding->place, AROUND);
    put_path(page, finding);
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        fputs("<p><strong>Help:</strong> ", page->out);
        put(page, finding->fix[i].description);
        fputs("</p>\n", page->out);
    }
    put_drawing(page, finding);
    fputs("</article>\n", page->out);
}

// --- The rest of the page ------------------------------------------------------------------------

static uint32_t count_of(const struct report *report, const char *rule)
{
    uint32_t count = 0;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        count += strcmp(report->findings.finding[i].rule, rule) == 0;
    return count;
}

static void put_filter(struct page *page)
{
    const struct report *report = page->report;
    fputs("<form class=\"b-filter\" hidden aria-label=\"Filter\"><fieldset>\n", page->out);
    for (int level = RULE_ERROR; level >= RULE_NOTE; --level)
        fprintf(
            page->out,
            "<label><input type=\"checkbox\" name=\"level\" value=\"%s\" checked> %ss</label>\n",
            rule_level_name((enum rule_level)level), rule_level_name((enum rule_level)level));
    fputs("</fieldset>\n<label>Rule <select name=\"rule\"><option value=\"\">all</option>\n",
          page->out);
    for (size_t i = 0; report->rules[i]; ++i) {
        uint32_t count = count_of(report, report->rules[i]->id);
        if (count)
            fprintf(page->out, "<option value=\"%s\">%s (%u)</option>\n", report->rules[i]->id,
                    report->rules[i]->id, count);
    }
    fputs("</select></label>\n<label>Search <input type=\"search\" name=\"search\" "
          "title=\"/ comes here, j and k go from finding to finding\"></label>\n"
          "<output></output></form>\n",
          page->out);
}

static void put_rule(struct page *page, const struct rule *rule)
{
    fprintf(page->out, "<section class=\"b-rule\" id=\"rule-%s\"><h3>%s</h3>\n<p>", rule->id,
            rule->id);
    put(page, rule->doc.what);
    fputs("</p>\n<p>", page->out);
    put(page, rule->doc.why);
    fputs("</p>\n<p><strong>How to fix it:</strong> ", page->out);
    put(page, rule->doc.fix);
    fputs("</p>\n<details><summary>Wrong and right code</summary>\n<pre class=\"b-code\"><span>",
          page->out);
    put(page, rule->doc.bad);
    fputs("</span></pre>\n<p>Right:</p>\n<pre class=\"b-code\"><span>", page->out);
    put(page, rule->doc.good);
    fputs("</span></pre></details>\n<p class=\"b-dim\">", page->out);
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i) {
        fputs(i ? "<br>" : "", page->out);
        put(page, rule->guidelines[i]);
    }
    fputs("</p></section>\n", page->out);
}

static void put_rules(struct page *page)
{
    const struct report *report = page->report;
    if (arrlen(report->findings.finding) == 0)
        return;
    fputs("<h2>The rules</h2>\n", page->out);
    for (size_t i = 0; report->rules[i]; ++i) {
        if (count_of(report, report->rules[i]->id))
            put_rule(page, report->rules[i]);
    }
}

// Files that were not analysed, or in part only.
static void put_files(struct page *page)
{
    const struct report *report = page->report;
    if (report_files_with(report, REPORT_FAILED) + report_files_with(report, REPORT_PARTIAL) == 0)
        return;
    fputs("<h2>Not analysed in full</h2>\n<table class=\"b-files\">\n", page->out);
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i) {
        const struct report_file *file = &report->file[i];
        if (file->status != REPORT_FAILED && file->status != REPORT_PARTIAL)
            continue;
        fputs("<tr><td class=\"b-place\">", page->out);
        put(page, path_shown(report->folder, file->path));
        fprintf(page->out, "</td><td>%s</td><td>", report_status_name(file->status));
        put(page, file->reason);
        fputs("</td></tr>\n", page->out);
    }
    fputs("</table>\n", page->out);
}

static void put_findings(struct page *page)
{
    const struct finding *finding = page->report->findings.finding;
    const char *file = NULL;
    for (ptrdiff_t i = 0; i < arrlen(finding); ++i) {
        if (!file || strcmp(file, finding[i].place.file) != 0) {
            fputs(file ? "</section>\n" : "", page->out);
            file = finding[i].place.file;
            fputs("<section class=\"b-file\"><h2 class=\"b-place\">", page->out);
            put(page, path_shown(page->report->folder, file));
            fputs("</h2>\n", page->out);
        }
        put_finding(page, &finding[i]);
    }
    fputs(file ? "</section>\n" : "", page->out);
}

void format_html(FILE *out, struct report *report, bool color)
{
    (void)color;
    struct page page = {.out = out, .report = report};
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; "
            "form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>barlint</title>\n<style>\n%s%s</style></head><body>\n"
            "<header><h1>barlint</h1>\n<p class=\"b-dim\">",
            html_page_style, schedule_svg_style());
    report_print_summary(out, report);
    fputs("</p>\n</header>\n<main>\n", out);
    if (arrlen(report->findings.finding))
        put_filter(&page);
    put_findings(&page);
    put_files(&page);
    put_rules(&page);
    fprintf(out,
            "</main>\n<footer>Made by barlint %s.</footer>\n<script>\n%s</script>\n"
            "</body></html>\n",
            BARLINT_VERSION, html_page_script);
}
