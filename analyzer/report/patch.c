#include "report/patch.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

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

char *patch_text(const struct patch_file *file)
{
    const struct source *source = file->source;
    char *text = NULL;
    size_t at = 0;
    for (ptrdiff_t i = 0; i < arrlen(file->edit); ++i) {
        const struct finding_edit *edit = &file->edit[i];
        append(&text, source->text + at, edit->start - at);
        append(&text, edit->text, strlen(edit->text));
        at = edit->end;
    }
    append(&text, source->text + at, source->length - at);
    return text;
}
