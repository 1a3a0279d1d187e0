// Sources that nvcc accepts and clang refuses, made acceptable in memory: the file on the disk
// stays as it is, and no line moves.
#include "frontend/lower.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct edit {
    CXFile file;
    unsigned offset, length;
    const char *text;
};

static bool is_user_file(CXTranslationUnit tu, CXFile file)
{
    return file && !is_system_file(tu, file);
}

// `__shared__ T x;` where T has a constructor: the variable becomes one that only carries the
// annotation (see `__shared_o` in the prelude), of the same length.
static void repair_shared(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    static const char word[] = "__shared__";
    enum { WORD = sizeof word - 1 };
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (!text || offset > size)
        return;
    for (unsigned at = offset; at >= WORD; --at) {
        if (strchr(";{}", text[at - 1]))
            return;
        if (strncmp(text + at - WORD, word, WORD) == 0) {
            arrput(*edits, ((struct edit){file, at - WORD, WORD, "__shared_o"}));
            return;
        }
    }
}

// Where `typename` is missing in an instance of a template that could do without it, clang offers
// no fix.
static void repair_typename(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    if (is_user_file(tu, file))
        arrput(*edits, ((struct edit){file, offset, 0, "typename "}));
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Behind the `>` that belongs to the `<` at `at`; 0 when there is none.
static size_t skip_angles(const char *text, size_t size, size_t at)
{
    int depth = 0, inner = 0; // of <>, and of brackets within
    for (; at < size && !strchr(";{}", text[at]); ++at) {
        inner += text[at] == '(' || text[at] == '[';
        inner -= text[at] == ')' || text[at] == ']';
        if (inner == 0 && text[at] == '<')
            ++depth;
        else if (inner == 0 && text[at] == '>' && --depth == 0)
            return at + 1;
    }
    return 0;
}

// `cast<T>::go<N>(p)` or `T::go<N>(p)` in a template, without `template`: clang takes it for two
// comparisons, which fail when an instance is made, and points at the beginning of the whole name.
static void repair_comparison(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    bool is_member = false; // of a class, or of a namespace, which may be told so as well
    for (size_t at = offset; text && at < size && is_word(text[at]);) {
        size_t name = at;
        while (at < size && is_word(text[at]))
            ++at;
        bool has_arguments = at < size && text[at] == '<';
        if (is_member && has_arguments)
            arrput(*edits, ((struct edit){file, (unsigned)name, 0, "template "}));
        if (has_arguments)
            at = skip_angles(text, size, at);
        if (at == 0 || at + 2 >= size || strncmp(text + at, "::", 2) != 0)
            return;
        is_member = true;
        at += 2;
    }
}

// The end of `a.b->c` at `at`, a name and its members; where the last `.` or `->` stands in
// `*link`, 0 for a name alone.
static size_t skip_members(const char *text, size_t size, size_t at, size_t *link)
{
    *link = 0;
    for (;;) {
        while (at < size && is_word(text[at]))
            ++at;
        size_t sign = at < size && text[at] == '.'                        ? 1
                      : at + 1 < size && strncmp(text + at, "->", 2) == 0 ? 2
                                                                          : 0;
        if (sign == 0 || at + sign >= size || !is_word(text[at + sign]))
            return at;
        *link = at;
        at += sign;
    }
}

// `object.get<N>(p)` in a template, without `template`: once more two comparisons for clang, which
// fail in an instance whose object has such a member.
static void repair_member(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned begin = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &begin);
    size_t size = 0, link = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    size_t end = text && begin < size ? skip_members(text, size, begin, &link) : size;
    size_t name = link ? link + (text[link] == '-' ? 2 : 1) : begin;
    bool is_member = link || (text && begin > 0 && strchr(".>", text[begin - 1]));
    if (end < size && is_member && text[end] == '<' && skip_angles(text, size, end))
        arrput(*edits, ((struct edit){file, (unsigned)name, 0, "template "}));
}

// `typename` and `template` that are missing: mostly clang says where.
static void repair_keyword(struct arena *arena, CXTranslationUnit tu, CXDiagnostic diagnostic,
                           struct edit **edits)
{
    unsigned count = clang_getDiagnosticNumFixIts(diagnostic);
    const char *words = take_string(arena, clang_getDiagnosticSpelling(diagnostic));
    if (count == 0 && strstr(words, "missing 'typename'"))
        repair_typename(tu, diagnostic, edits);
    else if (count == 0) {
        repair_comparison(tu, diagnostic, edits);
        repair_member(tu, diagnostic, edits);
    }
    for (unsigned i = 0; i < count; ++i) {
        CXSourceRange range;
        const char *text = take_string(arena, clang_getDiagnosticFixIt(diagnostic, i, &range));
        CXFile file = NULL, end_file = NULL;
        unsigned begin = 0, end = 0;
        clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
        clang_getFileLocation(clang_getRangeEnd(range), &end_file, NULL, NULL, &end);
        if (is_user_file(tu, file) && end >= begin && !strchr(text, '\n'))
            arrput(*edits, ((struct edit){file, begin, end - begin, text}));
    }
}

// `%laneid` in an asm template: clang cuts the template there, so the sign is doubled. clang names
// the first of a statement only; those behind it in the same template go with it.
static void repair_escape(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (!text || offset >= size)
        return;
    // clang points behind the letter.
    unsigned at = offset;
    while (at > 0 && offset - at < 3 && text[at] != '%')
        --at;
    for (; at + 1 < size; ++at) {
        if (text[at] == '"') {
            do // literals side by side are one template
                ++at;
            while (at < size && isspace((unsigned char)text[at]));
            if (at >= size || text[at] != '"')
                return;
        } else if (text[at] == '%' && text[at + 1] == '%') {
            ++at;
        } else if (text[at] == '%' && isalpha((unsigned char)text[at + 1]) &&
                   !(at + 2 < size && strchr("0123456789[", text[at + 2]))) {
            arrput(*edits, ((struct edit){file, at, 0, "%"}));
        }
    }
}

// `"r"(a) "r"(b)`: operands of an asm statement without a comma between them.
static void repair_comma(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (!text || offset >= size || text[offset] != '"')
        return;
    unsigned before = offset;
    while (before > 0 && isspace((unsigned char)text[before - 1]))
        --before;
    if (before == 0 || text[before - 1] != ')')
        return;
    // In the place of a blank no column moves.
    bool has_blank = before < offset && (text[before] == ' ' || text[before] == '\t');
    arrput(*edits, ((struct edit){file, before, has_blank, ","}));
}

// `"C"(text)`: a constant string, which nvcc puts into the instruction. As any operand it leaves
// the instruction one that nobody knows, and its other operands are seen.
static void repair_constraint(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (text && offset + 3 <= size && strncmp(text + offset, "\"C\"", 3) == 0)
        arrput(*edits, ((struct edit){file, offset + 1, 1, "l"}));
}

// Where `<< <` or `>> >` begins whose last sign is at `at`; `at` itself where none is.
static size_t split_begin(const char *text, size_t at)
{
    size_t begin = at;
    while (begin > 0 && isspace((unsigned char)text[begin - 1]))
        --begin;
    bool is_split =
        begin < at && begin >= 2 && text[begin - 1] == text[at] && text[begin - 2] == text[at];
    return is_split ? begin - 2 : at;
}

// The signs side by side, with the blanks between them before or behind: no column moves.
static void join_signs(struct arena *arena, CXFile file, const char *text, size_t begin, size_t end,
                       struct edit **edits)
{
    size_t length = end - begin;
    char *joined = arena_alloc(arena, length + 1);
    memcpy(joined, text + begin, length);
    joined[length] = '\0';
    if (strchr(joined, '\n')) // lines stay as they are
        return;
    bool opens = text[begin] == '<';
    memset(joined, ' ', length);
    memset(opens ? joined + length - 3 : joined, text[begin], 3);
    arrput(*edits, ((struct edit){file, (unsigned)begin, (unsigned)length, joined}));
}

// `kernel<<<{4, 2}, {16, 16}>>>(p)`: clang takes no list for an extent of the launch.
static void repair_extents(CXFile file, const char *text, size_t size, size_t offset,
                           struct edit **edits)
{
    size_t begin = offset;
    while (begin >= 3 && strncmp(text + begin - 3, "<<<", 3) != 0 && text[begin - 1] != ';')
        --begin;
    if (begin < 3 || text[begin - 1] == ';')
        return;
    int depth = 0, extent = 0;
    bool is_first = true; // nothing of the operand has been seen
    for (size_t at = begin; at < size && depth >= 0 && extent < 2 && text[at] != ';'; ++at) {
        if (depth == 0 && strncmp(text + at, ">>>", 3) == 0)
            return;
        if (is_first && text[at] == '{')
            arrput(*edits, ((struct edit){file, (unsigned)at, 0, "dim3"}));
        is_first &= isspace((unsigned char)text[at]) != 0;
        depth += text[at] == '(' || text[at] == '[' || text[at] == '{';
        depth -= text[at] == ')' || text[at] == ']' || text[at] == '}';
        if (depth == 0 && text[at] == ',') {
            ++extent;
            is_first = true;
        }
    }
}

// `kernel << <1, 32 >> >(p)`, as formatters leave it behind that do not know of CUDA.
static void repair_launch(struct arena *arena, CXTranslationUnit tu, CXDiagnostic diagnostic,
                          struct edit **edits)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (!text || offset >= size)
        return;
    if (text[offset] == '{')
        repair_extents(file, text, size, offset, edits);
    if (text[offset] != '<')
        return;
    size_t begin = split_begin(text, offset);
    if (begin == offset)
        return;
    join_signs(arena, file, text, begin, offset + 1, edits);
    int depth = 0; // of brackets
    for (size_t at = offset + 1; at < size && depth >= 0 && !strchr(";{}", text[at]); ++at) {
        depth += text[at] == '(' || text[at] == '[';
        depth -= text[at] == ')' || text[at] == ']';
        size_t split = depth == 0 && text[at] == '>' ? split_begin(text, at) : at;
        if (split < at) {
            join_signs(arena, file, text, split, at + 1, edits);
            return;
        }
    }
}

// Where the name begins whose last part begins at `at`: `ns::box<T>::` may stand before it.
static unsigned declarator_begin(const char *text, unsigned at)
{
    while (at > 2 && text[at - 1] == ':' && text[at - 2] == ':') {
        unsigned begin = at - 2;
        int depth = 0;
        while (begin > 0 && (depth > 0 || text[begin - 1] == '>')) {
            char c = text[--begin];
            if (strchr(";{}", c))
                return at;
            depth += (c == '>') - (c == '<');
        }
        if (begin == 0 || !is_word(text[begin - 1]))
            return at;
        while (begin > 0 && is_word(text[begin - 1]))
            --begin;
        at = begin;
    }
    return at;
}

// `template <> int box<int>::get()` of a constexpr member: a specialization need not be, for clang
// this one must.
static void repair_constexpr(CXTranslationUnit tu, CXDiagnostic diagnostic, struct edit **edits)
{
    CXFile file = NULL;
    unsigned at = 0;
    clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &at);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (text && at < size)
        arrput(*edits, ((struct edit){file, declarator_begin(text, at), 0, "constexpr "}));
}

struct targets {
    bool host, device;
};

static enum CXChildVisitResult note_target(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct targets *targets = data;
    targets->host |= clang_getCursorKind(cursor) == CXCursor_CUDAHostAttr;
    targets->device |= clang_getCursorKind(cursor) == CXCursor_CUDADeviceAttr;
    return CXChildVisit_Continue;
}

// The template that clang did not take for the one that is specialized: a note points there.
static struct targets rejected_targets(struct arena *arena, CXTranslationUnit tu,
                                       CXDiagnostic diagnostic)
{
    struct targets targets = {0};
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic); // not ours to dispose of
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); ++i) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        if (strstr(take_string(arena, clang_getDiagnosticSpelling(note)),
                   "target attributes do not match"))
            clang_visitChildren(clang_getCursor(tu, clang_getDiagnosticLocation(note)), note_target,
                                &targets);
        clang_disposeDiagnostic(note);
    }
    return targets;
}

// `template <> int id<int>()` of a `__host__ __device__` template: for nvcc the specialization has
// the template's targets, for clang it must name them.
static void repair_targets(struct arena *arena, CXTranslationUnit tu, CXDiagnostic diagnostic,
                           struct edit **edits)
{
    struct targets targets = rejected_targets(arena, tu, diagnostic);
    CXFile file = NULL;
    unsigned at = 0;
    // In the macro's definition where one makes the specialization.
    clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &at);
    size_t size = 0;
    const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
    if (!targets.device || !text || at >= size)
        return;
    at = declarator_begin(text, at);
    const char *attributes = targets.host ? "__attribute__((host)) __attribute__((device)) "
                                          : "__attribute__((device)) ";
    arrput(*edits, ((struct edit){file, at, 0, attributes}));
}

// `if constexpr (tile.masked)` with a static member, named through a member of *this or a reference
// whose object nobody knows: a constant for nvcc, as the object is not looked at. It is for clang
// where the member is named through the object's type. A note points at the object.
static void repair_constant(struct arena *arena, CXTranslationUnit tu, CXDiagnostic diagnostic,
                            struct edit **edits)
{
    CXDiagnosticSet notes = clang_getChildDiagnostics(diagnostic); // not ours to dispose of
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); ++i) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        const char *words = take_string(arena, clang_getDiagnosticSpelling(note));
        CXFile file = NULL;
        unsigned begin = 0;
        clang_getFileLocation(clang_getDiagnosticLocation(note), &file, NULL, NULL, &begin);
        clang_disposeDiagnostic(note);
        if (!strstr(words, "use of 'this' pointer is only allowed") &&
            !strstr(words, "with unknown value cannot be used in a constant expression"))
            continue;
        size_t size = 0, link = 0;
        const char *text = is_user_file(tu, file) ? clang_getFileContents(tu, file, &size) : NULL;
        if (!text || skip_members(text, size, begin, &link) <= begin || link == 0)
            continue;
        bool is_pointer = text[link] == '-';
        const char *named = arena_printf(arena, "::std::remove_reference_t<decltype(%s%.*s)>::",
                                         is_pointer ? "*" : "", (int)(link - begin), text + begin);
        unsigned length = (unsigned)(link - begin) + (is_pointer ? 2 : 1);
        arrput(*edits, ((struct edit){file, begin, length, named}));
    }
}

static void collect_edits(struct arena *arena, CXTranslationUnit tu, struct edit **edits)
{
    CXDiagnosticSet all = clang_getDiagnosticSetFromTU(tu);
    unsigned count = clang_getNumDiagnosticsInSet(all);
    for (unsigned i = 0; i < count; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnosticInSet(all, i);
        const char *text = take_string(arena, clang_getDiagnosticSpelling(diagnostic));
        if (strstr(text, "initialization is not supported for __shared__ variables"))
            repair_shared(tu, diagnostic, edits);
        else if (strstr(text, "invalid % escape in inline assembly string"))
            repair_escape(tu, diagnostic, edits);
        else if (strcmp(text, "invalid input constraint 'C' in asm") == 0)
            repair_constraint(tu, diagnostic, edits);
        else if (strcmp(text, "expected ')'") == 0)
            repair_comma(tu, diagnostic, edits);
        else if (strcmp(text, "expected expression") == 0)
            repair_launch(arena, tu, diagnostic, edits);
        else if (strstr(text, "reference to overloaded function could not be resolved"))
            repair_comparison(tu, diagnostic, edits);
        else if (strstr(text, "reference to non-static member function must be called"))
            repair_member(tu, diagnostic, edits);
        else if (strstr(text, "no function template matches function template specialization"))
            repair_targets(arena, tu, diagnostic, edits);
        else if (strstr(text, "is not a constant expression") ||
                 strstr(text, "must be initialized by a constant expression"))
            repair_constant(arena, tu, diagnostic, edits);
        else if (strstr(text, "non-constexpr declaration of") &&
                 strstr(text, "follows constexpr declaration"))
            repair_constexpr(tu, diagnostic, edits);
        else if (strstr(text, "missing 'typename'") || strstr(text, "missing 'template' keyword") ||
                 strstr(text, "use 'template' keyword"))
            repair_keyword(arena, tu, diagnostic, edits);
        clang_disposeDiagnostic(diagnostic);
    }
    clang_disposeDiagnosticSet(all);
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

// The text of a file with its edits, `count` of them and sorted; overlapping ones are left out.
static struct frontend_unsaved apply(struct arena *arena, CXTranslationUnit tu,
                                     const struct edit *edit, size_t count)
{
    size_t size = 0, more = 0, used = 0, from = 0;
    const char *text = clang_getFileContents(tu, edit->file, &size);
    for (size_t i = 0; i < count; ++i)
        more += strlen(edit[i].text);
    char *out = arena_alloc(arena, size + more + 1);
    for (size_t i = 0; i < count; ++i) {
        if (edit[i].offset < from || edit[i].offset + edit[i].length > size ||
            (i > 0 && edit[i].offset == edit[i - 1].offset))
            continue;
        memcpy(out + used, text + from, edit[i].offset - from);
        used += edit[i].offset - from;
        memcpy(out + used, edit[i].text, strlen(edit[i].text));
        used += strlen(edit[i].text);
        from = edit[i].offset + edit[i].length;
    }
    memcpy(out + used, text + from, size - from);
    used += size - from;
    const char *path = take_string(arena, clang_getFileName(edit->file));
    return (struct frontend_unsaved){.path = path, .text = out, .length = used};
}

bool repair(struct arena *arena, CXTranslationUnit tu, struct frontend_unsaved **unsaved)
{
    struct edit *edits = NULL;
    collect_edits(arena, tu, &edits);
    size_t total = arrlenu(edits);
    if (total)
        qsort(edits, total, sizeof *edits, by_place);
    for (size_t first = 0, next; first < total; first = next) {
        for (next = first; next < total && edits[next].file == edits[first].file; ++next)
            ;
        struct frontend_unsaved file = apply(arena, tu, edits + first, next - first);
        ptrdiff_t known = 0;
        while (known < arrlen(*unsaved) && strcmp((*unsaved)[known].path, file.path) != 0)
            ++known;
        if (known < arrlen(*unsaved))
            (*unsaved)[known] = file;
        else
            arrput(*unsaved, file);
    }
    arrfree(edits);
    return total > 0;
}
