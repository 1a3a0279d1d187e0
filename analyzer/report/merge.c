#include "report/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static int compare_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_place(const struct finding *a, const struct finding *b)
{
    int order = strcmp(a->place.file, b->place.file);
    if (order == 0)
        order = compare_number(a->place.line, b->place.line);
    if (order == 0)
        order = compare_number(a->place.column, b->place.column);
    if (order == 0)
        order = strcmp(a->rule, b->rule);
    return order;
}

static int compare_context(const void *left, const void *right)
{
    const struct finding_context *a = left, *b = right;
    int order = strcmp(a->kernel, b->kernel);
    return order ? order : strcmp(a->launch, b->launch);
}

static int compare_story(const struct finding *a, const struct finding *b)
{
    ptrdiff_t count = arrlen(a->note), other = arrlen(b->note);
    int order = strcmp(a->message, b->message);
    for (ptrdiff_t i = 0; order == 0 && i < count && i < other; ++i) {
        order = strcmp(a->note[i].message, b->note[i].message);
        if (order == 0)
            order = compare_number(a->note[i].place.line, b->note[i].place.line);
    }
    if (order == 0)
        order = (count > other) - (count < other);
    return order ? order : strcmp(a->function, b->function);
}

int finding_compare(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    int order = compare_place(a, b);
    if (order == 0)
        order = (int)b->certainty - (int)a->certainty;
    if (order == 0)
        order = (int)a->pedantic - (int)b->pedantic;
    if (order == 0)
        order = compare_story(a, b);
    if (order == 0 && arrlen(a->context) && arrlen(b->context))
        order = compare_context(&a->context[0], &b->context[0]);
    return order;
}

static bool same_edits(const struct finding_fix *a, const struct finding_fix *b)
{
    if (a->edit_count != b->edit_count || a->safe != b->safe)
        return false;
    for (size_t i = 0; i < a->edit_count; ++i) {
        if (a->edit[i].start != b->edit[i].start || a->edit[i].end != b->edit[i].end ||
            strcmp(a->edit[i].file, b->edit[i].file) != 0 ||
            strcmp(a->edit[i].text, b->edit[i].text) != 0)
            return false;
    }
    return true;
}

static bool same_fixes(const struct finding *a, const struct finding *b)
{
    bool same = arrlen(a->fix) == arrlen(b->fix);
    for (ptrdiff_t i = 0; same && i < arrlen(a->fix); ++i)
        same = same_edits(&a->fix[i], &b->fix[i]);
    return same;
}

// Instances and kernels that want different texts at one place have no fix in common.
static void keep_common_fixes(struct finding *into, const struct finding *from)
{
    if (!same_fixes(into, from) && from->pedantic == into->pedantic)
        arrsetlen(into->fix, 0);
}

// Moves the kernels and launches of `from` to `into`; what is left of `from` is freed. Where the
// evidence is too weak to show by default, the kernel must not be named beside the others.
static void absorb(struct finding *into, struct finding *from)
{
    for (ptrdiff_t i = 0; from->pedantic == into->pedantic && i < arrlen(from->context); ++i)
        arrput(into->context, from->context[i]);
    if (from->level > into->level)
        into->level = from->level;
    if (!into->schedule)
        into->schedule = from->schedule;
    keep_common_fixes(into, from);
    finding_clear(from);
}

// The first stays where it is: the notes are about it.
static void contexts_tidy(struct finding *finding)
{
    ptrdiff_t count = arrlen(finding->context), kept = 1;
    if (count < 2)
        return;
    struct finding_context *context = finding->context;
    qsort(context + 1, (size_t)count - 1, sizeof *context, compare_context);
    for (ptrdiff_t i = 1; i < count; ++i) {
        if (compare_context(&context[0], &context[i]) != 0 &&
            compare_context(&context[kept - 1], &context[i]) != 0)
            context[kept++] = context[i];
    }
    arrsetlen(finding->context, kept);
}

// Whether two findings tell the same of one line: `v.x + v.y`, of a vector that another thread
// writes. What each would have changed is not lost.
static bool same_line(const struct finding *a, const struct finding *b)
{
    return a->place.line == b->place.line && a->certainty == b->certainty &&
           a->pedantic == b->pedantic && strcmp(a->place.file, b->place.file) == 0 &&
           strcmp(a->rule, b->rule) == 0 && strcmp(a->message, b->message) == 0 && same_fixes(a, b);
}

// The one among the first `count` findings, which are sorted, that `finding` belongs to; NULL where
// there is none.
static struct finding *like_it(struct findings *findings, ptrdiff_t count,
                               const struct finding *finding)
{
    for (ptrdiff_t i = count - 1; i >= 0; --i) {
        struct finding *earlier = &findings->finding[i];
        if (earlier->place.line != finding->place.line ||
            strcmp(earlier->place.file, finding->place.file) != 0)
            break;
        if (compare_place(earlier, finding) == 0 || same_line(earlier, finding))
            return earlier;
    }
    return NULL;
}

void findings_merge(struct findings *findings)
{
    ptrdiff_t count = arrlen(findings->finding), kept = 0;
    if (count == 0)
        return;
    for (ptrdiff_t i = 0; i < count; ++i)
        contexts_tidy(&findings->finding[i]);
    qsort(findings->finding, (size_t)count, sizeof findings->finding[0], finding_compare);
    for (ptrdiff_t i = 0; i < count; ++i) {
        struct finding *finding = &findings->finding[i];
        struct finding *earlier = like_it(findings, kept, finding);
        if (earlier)
            absorb(earlier, finding);
        else
            findings->finding[kept++] = *finding;
    }
    arrsetlen(findings->finding, kept);
    for (ptrdiff_t i = 0; i < kept; ++i)
        contexts_tidy(&findings->finding[i]);
}
