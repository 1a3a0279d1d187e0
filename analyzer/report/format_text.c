// The formats for people.
#define _XOPEN_SOURCE 700
#include <string.h>
#include <wchar.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/format.h"

enum {
    WINDOW = 96,        // of a source line, in columns of the terminal
    TAB = 4,            // columns a tab takes
    CONTEXTS_SHOWN = 3, // kernels named under a finding
    NAME = 100,         // letters of a name that is written out
    ARGUMENTS = 24      // of a longer one's template arguments, in a pair of brackets
};

struct palette {
    const char *bold, *level[3], *mark, *dim, *off;
};

static const struct palette plain = {"", {"", "", ""}, "", "", ""};
static const struct palette colored = {
    "\033[1m", {"\033[1;36m", "\033[1;35m", "\033[1;31m"}, "\033[1;32m", "\033[2m", "\033[0m"};

// Text from a source or a message: a terminal's control characters must not reach the terminal.
static void put_part(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)text[i];
        fputc(c < 0x20 || c == 0x7f ? '?' : c, out);
    }
}

static void put_clean(FILE *out, const char *text)
{
    put_part(out, text, strlen(text));
}

// A name, without the larger lists of template arguments where it is very long: those of CUTLASS's
// kernels fill a screen.
static void put_name(FILE *out, const char *name, size_t length)
{
    size_t depth = 0, begin = 0, shown = 0;
    for (size_t i = 0; i < length && length > NAME; ++i) {
        if (name[i] == '<' && depth++ == 0)
            begin = i;
        bool closes = name[i] == '>' && depth > 0 && name[i - 1] != '-';
        if (!closes || --depth > 0 || i - begin <= ARGUMENTS)
            continue;
        put_part(out, name + shown, begin - shown);
        fputs("<...>", out);
        shown = i + 1;
    }
    put_part(out, name + shown, length - shown);
}

// A message, whose names stand in quotes.
static void put_message(FILE *out, const char *text)
{
    for (;;) {
        size_t before = strcspn(text, "'");
        const char *name = text + before + (text[before] == '\'');
        const char *end = strchr(name, '\'');
        if (!text[before] || !end) {
            put_clean(out, text);
            return;
        }
        put_part(out, text, before + 1);
        put_name(out, name, (size_t)(end - name));
        fputc('\'', out);
        text = end + 1;
    }
}

static void put_place(FILE *out, const struct report *report, const struct finding_place *place)
{
    put_clean(out, place->file[0] ? path_shown(report->folder, place->file) : "<unknown>");
    fprintf(out, ":%u:%u", place->line, place->column);
}

// One printable piece of a source line.
struct cell {
    const char *text; // NULL for a piece that is drawn as '?'
    size_t length;    // bytes of the source it stands for
    int width;        // columns on the terminal
};

static struct cell next_cell(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    if (first == '\t')
        return (struct cell){"    ", 1, TAB};
    if (first < 0x20 || first == 0x7f)
        return (struct cell){NULL, 1, 1};
    if (first < 0x80)
        return (struct cell){text, 1, 1};
    wchar_t wide;
    mbstate_t state = {0};
    size_t read = mbrtowc(&wide, text, length, &state);
    if (read == 0 || read == (size_t)-1 || read == (size_t)-2)
        return (struct cell){NULL, 1, 1};
    int width = wcwidth(wide);
    if (width < 0)
        return (struct cell){NULL, read, 1};
    return (struct cell){text, read, width};
}

// Where the bytes [from, to) of a line stand, in columns.
static void columns_of(const char *line, size_t length, size_t from, size_t to, size_t *first,
                       size_t *last)
{
    size_t column = 0;
    *first = *last = 0;
    for (size_t at = 0; at < length;) {
        struct cell cell = next_cell(line + at, length - at);
        if (at <= from)
            *first = column;
        column += (size_t)cell.width;
        if (at < to)
            *last = column;
        at += cell.length;
    }
    if (from >= length)
        *first = column;
    if (*last <= *first)
        *last = *first + 1;
}

static void put_window(FILE *out, const char *line, size_t length, size_t start, size_t stop)
{
    size_t column = 0;
    for (size_t at = 0; at < length;) {
        struct cell cell = next_cell(line + at, length - at);
        size_t end = column + (size_t)cell.width;
        if (column >= start && end <= stop) {
            if (!cell.text)
                fputc('?', out);
            else
                fwrite(cell.text, 1, *cell.text == ' ' ? (size_t)cell.width : cell.length, out);
        }
        column = end;
        at += cell.length;
    }
}

static void put_repeated(FILE *out, char c, size_t count)
{
    while (count--)
        fputc(c, out);
}

// The source line of a place with a mark under its range.
static void put_excerpt(FILE *out, struct report *report, const struct finding_place *place,
                        const struct palette *palette, const char *indent)
{
    if (!place->file[0] || place->line == 0)
        return;
    size_t length;
    const struct source *source = sources_get(&report->sources, place->file);
    const char *line = source_line(source, place->line, &length);
    if (length == 0)
        return;
    size_t from = place->column ? place->column - 1 : 0;
    size_t to = place->end_line == place->line && place->end_column > place->column
                    ? place->end_column - 1
                    : from + 1;
    if (place->end_line > place->line)
        to = length;
    size_t first, last;
    columns_of(line, length, from, to, &first, &last);
    size_t start = last > WINDOW ? (last - first < WINDOW ? last - WINDOW : first) : 0;
    size_t stop = start + WINDOW;
    if (last > stop)
        last = stop;
    fprintf(out, "%s%s%5u |%s ", indent, palette->dim, place->line, palette->off);
    put_window(out, line, length, start, stop);
    fprintf(out, "\n%s%s      |%s ", indent, palette->dim, palette->off);
    put_repeated(out, ' ', first - start);
    fputs(palette->mark, out);
    fputc('^', out);
    put_repeated(out, '~', last - first - 1);
    fprintf(out, "%s\n", palette->off);
}

// Whether the i-th context has another kernel or block than those before it. (A grid alone is
// nothing to name it for.)
static bool is_new_context(const struct finding *finding, ptrdiff_t i)
{
    const struct finding_context *context = finding->context;
    size_t block = strcspn(context[i].launch, ")");
    for (ptrdiff_t j = 0; j < i; ++j)
        if (strcmp(context[j].kernel, context[i].kernel) == 0 &&
            strcspn(context[j].launch, ")") == block &&
            strncmp(context[j].launch, context[i].launch, block) == 0)
            return false;
    return true;
}

static void put_contexts(FILE *out, const struct finding *finding, const struct palette *palette)
{
    ptrdiff_t seen = 0;
    for (ptrdiff_t i = 0; i < arrlen(finding->context); ++i) {
        const struct finding_context *context = &finding->context[i];
        if (!is_new_context(finding, i) || ++seen > CONTEXTS_SHOWN)
            continue;
        fprintf(out, "  %s%sin kernel '", palette->dim, seen == 1 ? "" : "and ");
        put_name(out, context->kernel, strlen(context->kernel));
        fputs("', ", out);
        put_clean(out, context->launch);
        fprintf(out, "%s\n", palette->off);
    }
    if (seen > CONTEXTS_SHOWN)
        fprintf(out, "  %sand in %td other kernel%s or block%s%s\n", palette->dim,
                seen - CONTEXTS_SHOWN, seen == CONTEXTS_SHOWN + 1 ? "" : "s",
                seen == CONTEXTS_SHOWN + 1 ? "" : "s", palette->off);
}

static void put_finding(FILE *out, struct report *report, const struct finding *finding,
                        const struct palette *palette)
{
    fputs(palette->bold, out);
    put_place(out, report, &finding->place);
    fprintf(out, ": %s%s%s: %s", palette->level[finding->level], rule_level_name(finding->level),
            palette->off, palette->bold);
    put_message(out, finding->message);
    fprintf(out, "%s [%s%s]\n", palette->off, finding->rule,
            finding->certainty == RULE_CERTAIN ? "" : ", possible");
    put_excerpt(out, report, &finding->place, palette, "");
    const struct finding_place *shown = &finding->place;
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        const struct finding_note *note = &finding->note[i];
        fputs("  ", out);
        if (note->place.file[0])
            put_place(out, report, &note->place);
        fprintf(out, "%s%snote:%s ", note->place.file[0] ? ": " : "", palette->level[RULE_NOTE],
                palette->off);
        put_message(out, note->message);
        fputc('\n', out);
        // A line that was shown just before is not shown again.
        if (strcmp(note->place.file, shown->file) != 0 || note->place.line != shown->line)
            put_excerpt(out, report, &note->place, palette, "  ");
        shown = &note->place;
    }
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        fprintf(out, "  %shelp:%s ", palette->level[RULE_NOTE], palette->off);
        put_clean(out, finding->fix[i].description);
        fputs(finding->fix[i].safe ? " (--fix)\n" : " (--fix --unsafe-fixes)\n", out);
    }
    put_contexts(out, finding, palette);
    fputc('\n', out);
}

void format_text(FILE *out, struct report *report, bool color)
{
    const struct palette *palette = color ? &colored : &plain;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        put_finding(out, report, &report->findings.finding[i], palette);
}

void format_concise_line(FILE *out, const struct report *report, const struct finding *finding)
{
    put_place(out, report, &finding->place);
    fprintf(out, ": %s: ", rule_level_name(finding->level));
    put_message(out, finding->message);
    fprintf(out, " [%s]\n", finding->rule);
}

void format_concise(FILE *out, struct report *report, bool color)
{
    (void)color;
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        format_concise_line(out, report, &report->findings.finding[i]);
}

static void put_count(FILE *out, uint32_t count, const char *what, const char *between)
{
    fprintf(out, "%s%u %s%s", between, count, what, count == 1 ? "" : "s");
}

void report_print_summary(FILE *out, const struct report *report)
{
    uint32_t by_level[3] = {0};
    uint32_t files = (uint32_t)arrlenu(report->file), with = 0;
    const char *last = "";
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i) {
        const struct finding *finding = &report->findings.finding[i];
        ++by_level[finding->level];
        if (strcmp(last, finding->place.file) != 0)
            ++with;
        last = finding->place.file;
    }
    const char *between = "";
    for (int level = RULE_ERROR; level >= RULE_NOTE; --level) {
        if (by_level[level]) {
            put_count(out, by_level[level], rule_level_name((enum rule_level)level), between);
            between = ", ";
        }
    }
    if (!between[0])
        put_count(out, files, "file", "nothing found in ");
    else
        fprintf(out, " in %u file%s; %u analysed", with, with == 1 ? "" : "s", files);
    uint32_t partial = report_files_with(report, REPORT_PARTIAL);
    uint32_t failed = report_files_with(report, REPORT_FAILED);
    if (partial)
        fprintf(out, ", %u of them in part", partial);
    if (failed)
        fprintf(out, ", %u could not be analysed", failed);
    if (report->suppressed)
        fprintf(out, ", %u suppressed", report->suppressed);
    if (report->baselined)
        fprintf(out, ", %u in the baseline", report->baselined);
    if (report->unchanged)
        fprintf(out, ", %u outside the change", report->unchanged);
    if (report->pedantic_hidden)
        fprintf(out, ", %u more with --pedantic", report->pedantic_hidden);
    fputc('\n', out);
}

void report_print_statistics(FILE *out, const struct report *report)
{
    const struct report_counts *counts = &report->counts;
    fprintf(out,
            "files: %td (%u complete, %u in part, %u failed); %u unit%s from the store, %u "
            "kernel%s of others\n",
            arrlen(report->file), report_files_with(report, REPORT_OK),
            report_files_with(report, REPORT_PARTIAL), report_files_with(report, REPORT_FAILED),
            report->from_store, report->from_store == 1 ? "" : "s", report->known_kernels,
            report->known_kernels == 1 ? "" : "s");
    fprintf(out, "kernels: %llu, under %llu launch shapes, in %llu runs of %llu operations\n",
            (unsigned long long)counts->kernels, (unsigned long long)counts->shapes,
            (unsigned long long)counts->runs, (unsigned long long)counts->steps);
    fprintf(out,
            "not followed: %llu operations, %llu barrier objects, %llu walks cut short by a "
            "budget\n",
            (unsigned long long)counts->unknown_operations,
            (unsigned long long)counts->unknown_objects, (unsigned long long)counts->cut_short);
    fprintf(out, "time: %.3f s parsing, %.3f s lowering, %.3f s analysing, over all workers\n",
            report->parse_seconds, report->lower_seconds, report->analysis_seconds);
}
