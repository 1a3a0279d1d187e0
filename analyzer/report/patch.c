#include "report/patch.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/path.h"
#include "base/vec.h"

// --- Which edits are made ------------------------------------------------------------------------

static bool same_edit(const struct finding_edit *a, const struct finding_edit *b)
{
    return a->start == b->start && a->end == b->end && strcmp(a->text, b->text) == 0;
}

static bool overlaps(const struct finding_edit *a, const struct finding_edit *b)
{
    return a->start == b->start || (a->start < b->end && b->start < a->end);
}

static struct patch_file *file_of(struct patch *patch, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i) {
        if (strcmp(patch->file[i].path, path) == 0)
            return &patch->file[i];
    }
    return NULL;
}

static void note_stale(struct patch *patch, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->stale); ++i) {
        if (strcmp(patch->stale[i], path) == 0)
            return;
    }
    arrput(patch->stale, path);
}

// Whether the edit can be made beside those taken so far.
static bool fits(struct patch *patch, struct report *report, const struct finding_edit *edit)
{
    const struct source *source = sources_get(&report->sources, edit->file);
    if (!source->text || edit->end > source->length ||
        (int64_t)XXH3_64bits(source->text, source->length) != (int64_t)edit->content) {
        note_stale(patch, edit->file);
        return false;
    }
    const struct patch_file *file = file_of(patch, edit->file);
    for (ptrdiff_t i = 0; file && i < arrlen(file->edit); ++i) {
        if (!same_edit(&file->edit[i], edit) && overlaps(&file->edit[i], edit)) {
            ++patch->overlapping;
            return false;
        }
    }
    return true;
}

static void take(struct patch *patch, struct report *report, const struct finding_edit *edit)
{
    struct patch_file *file = file_of(patch, edit->file);
    if (!file) {
        const struct source *source = sources_get(&report->sources, edit->file);
        struct patch_file fresh = {.path = edit->file, .source = source};
        arrput(patch->file, fresh);
        file = &patch->file[arrlen(patch->file) - 1];
    }
    for (ptrdiff_t i = 0; i < arrlen(file->edit); ++i) {
        if (same_edit(&file->edit[i], edit))
            return;
    }
    arrput(file->edit, *edit);
}

static int compare_edit(const void *left, const void *right)
{
    const struct finding_edit *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

static int compare_file(const void *left, const void *right)
{
    return strcmp(((const struct patch_file *)left)->path,
                  ((const struct patch_file *)right)->path);
}

static void take_fix(struct patch *patch, struct report *report, const struct finding *finding,
                     bool with_suggested)
{
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i) {
        const struct finding_fix *fix = &finding->fix[i];
        bool good = fix->safe || with_suggested;
        for (size_t k = 0; good && k < fix->edit_count; ++k)
            good = fits(patch, report, &fix->edit[k]);
        if (!good)
            continue;
        for (size_t k = 0; k < fix->edit_count; ++k)
            take(patch, report, &fix->edit[k]);
        ++patch->fixes;
        return;
    }
}

void patch_init(struct patch *patch, struct report *report, bool with_suggested)
{
    *patch = (struct patch){0};
    for (ptrdiff_t i = 0; i < arrlen(report->findings.finding); ++i)
        take_fix(patch, report, &report->findings.finding[i], with_suggested);
    if (arrlen(patch->file))
        qsort(patch->file, arrlenu(patch->file), sizeof patch->file[0], compare_file);
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i) {
        struct patch_file *file = &patch->file[i];
        qsort(file->edit, arrlenu(file->edit), sizeof file->edit[0], compare_edit);
    }
}

void patch_release(struct patch *patch)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i)
        arrfree(patch->file[i].edit);
    arrfree(patch->file);
    arrfree(patch->stale);
}

static void append(char **text, const char *from, size_t length)
{
    if (length)
        memcpy(arraddnptr(*text, length), from, length);
}

// The bytes [from, to) of the file with the edits [first, last) made.
static char *edited(const struct patch_file *file, size_t from, size_t to, ptrdiff_t first,
                    ptrdiff_t last)
{
    char *text = NULL;
    size_t at = from;
    for (ptrdiff_t i = first; i < last; ++i) {
        const struct finding_edit *edit = &file->edit[i];
        append(&text, file->source->text + at, edit->start - at);
        append(&text, edit->text, strlen(edit->text));
        at = edit->end;
    }
    append(&text, file->source->text + at, to - at);
    return text;
}

char *patch_text(const struct patch_file *file)
{
    return edited(file, 0, file->source->length, 0, arrlen(file->edit));
}

// --- The diff ------------------------------------------------------------------------------------

enum { CONTEXT = 3 }; // lines around a change

// Lines [first, last) of the old text that become `lines` lines of `text`.
struct change {
    size_t first, last;
    char *text;          // stb_ds array
    size_t skip, length; // the part of it that is new
    size_t lines;
};

static size_t line_count(const struct source *source)
{
    size_t count = arrlenu(source->line);
    // Behind the last line break there is no line.
    return count && source->line[count - 1] == source->length ? count - 1 : count;
}

static size_t line_start(const struct source *source, size_t line)
{
    return line < arrlenu(source->line) ? source->line[line] : source->length;
}

static size_t line_of(const struct source *source, size_t offset)
{
    size_t low = 0, high = arrlenu(source->line);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t first_line(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    return end ? (size_t)(end - text) + 1 : length;
}

static size_t last_line(const char *text, size_t length)
{
    size_t at = length ? length - 1 : 0;
    while (at > 0 && text[at - 1] != '\n')
        --at;
    return length - at;
}

// Takes away the lines at both ends that are as before.
static void trim(const struct source *source, struct change *change)
{
    change->length = arrlenu(change->text);
    while (change->first < change->last && change->length > 0) {
        const char *old = source->text + line_start(source, change->first);
        size_t size = line_start(source, change->first + 1) - line_start(source, change->first);
        const char *new = change->text + change->skip;
        if (first_line(new, change->length) != size || memcmp(old, new, size) != 0)
            break;
        ++change->first;
        change->skip += size;
        change->length -= size;
    }
    while (change->first < change->last && change->length > 0) {
        const char *old = source->text + line_start(source, change->last - 1);
        size_t size = line_start(source, change->last) - line_start(source, change->last - 1);
        const char *new = change->text + change->skip;
        if (last_line(new, change->length) != size ||
            memcmp(old, new + change->length - size, size) != 0)
            break;
        --change->last;
        change->length -= size;
    }
    change->lines = 0;
    for (size_t at = 0; at < change->length; ++change->lines)
        at += first_line(change->text + change->skip + at, change->length - at);
}

static struct change *changes_of(const struct patch_file *file)
{
    struct change *changes = NULL;
    const struct source *source = file->source;
    for (ptrdiff_t i = 0; i < arrlen(file->edit);) {
        struct change change = {.first = line_of(source, file->edit[i].start)};
        ptrdiff_t next = i;
        do
            change.last = line_of(source, file->edit[next++].end) + 1;
        while (next < arrlen(file->edit) && line_of(source, file->edit[next].start) < change.last);
        change.text = edited(file, line_start(source, change.first),
                             line_start(source, change.last), i, next);
        trim(source, &change);
        arrput(changes, change);
        i = next;
    }
    return changes;
}

static void print_lines(FILE *out, char mark, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t size = first_line(text + at, length - at);
        fputc(mark, out);
        fwrite(text + at, 1, size, out);
        if (text[at + size - 1] != '\n')
            fputs("\n\\ No newline at end of file\n", out);
        at += size;
    }
}

static void print_old(FILE *out, char mark, const struct source *source, size_t first, size_t last)
{
    size_t start = line_start(source, first);
    print_lines(out, mark, source->text + start, line_start(source, last) - start);
}

// A range of lines as the head of a hunk writes it.
static void print_range(FILE *out, char mark, size_t first, size_t count)
{
    fprintf(out, "%c%zu", mark, count ? first + 1 : first);
    if (count != 1)
        fprintf(out, ",%zu", count);
}

// Prints the changes [from, to), which share their context. `shift`: lines added before them.
static void print_hunk(FILE *out, const struct source *source, const struct change *changes,
                       ptrdiff_t from, ptrdiff_t to, ptrdiff_t *shift)
{
    size_t first = changes[from].first > CONTEXT ? changes[from].first - CONTEXT : 0;
    size_t last = changes[to - 1].last + CONTEXT, lines = line_count(source);
    last = last < lines ? last : lines;
    ptrdiff_t added = 0;
    for (ptrdiff_t i = from; i < to; ++i)
        added += (ptrdiff_t)changes[i].lines - (ptrdiff_t)(changes[i].last - changes[i].first);
    fputs("@@ ", out);
    print_range(out, '-', first, last - first);
    fputc(' ', out);
    print_range(out, '+', (size_t)((ptrdiff_t)first + *shift),
                (size_t)((ptrdiff_t)(last - first) + added));
    fputs(" @@\n", out);
    size_t at = first;
    for (ptrdiff_t i = from; i < to; ++i) {
        print_old(out, ' ', source, at, changes[i].first);
        print_old(out, '-', source, changes[i].first, changes[i].last);
        print_lines(out, '+', changes[i].text + changes[i].skip, changes[i].length);
        at = changes[i].last;
    }
    print_old(out, ' ', source, at, last);
    *shift += added;
}

void patch_print(FILE *out, const struct patch *patch, const struct report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(patch->file); ++i) {
        const struct patch_file *file = &patch->file[i];
        const char *path = path_shown(report->folder, file->path);
        fprintf(out, "--- %s\n+++ %s\n", path, path);
        struct change *changes = changes_of(file);
        ptrdiff_t shift = 0;
        for (ptrdiff_t from = 0, to; from < arrlen(changes); from = to) {
            to = from + 1;
            while (to < arrlen(changes) && changes[to].first <= changes[to - 1].last + 2 * CONTEXT)
                ++to;
            print_hunk(out, file->source, changes, from, to, &shift);
        }
        for (ptrdiff_t k = 0; k < arrlen(changes); ++k)
            arrfree(changes[k].text);
        arrfree(changes);
    }
}
