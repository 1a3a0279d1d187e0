// Names that nothing declares, mostly because a header is missing or of an older version. clang
// drops the statement or the launch that has one, and takes a condition with one for false. So the
// unit is parsed once more behind declarations of them: variables whose value nobody knows,
// functions in namespaces, whose result becomes what is asked for, and objects with a member of
// which a kernel is launched. Other names, of types and of other objects, are left as they are.
#include "frontend/lower.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 8 }; // of a qualified name

static const char annotation[] = "barlint.undeclared";

// Where names are looked for. libclang takes its time to hand out a file's text.
struct search {
    struct arena *arena;
    CXTranslationUnit tu;
    CXFile file; // whose text this is
    const char *text;
    size_t size;
};

struct unknown_name {
    const char *part[MOST_PARTS]; // namespaces, then the name itself
    size_t parts;
    bool is_function, is_stream;
    const char *member; // of the object whose name it is; NULL where it is none
    bool is_method;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        ++at;
    return at;
}

static const char *skip_word(const char *at, const char *end)
{
    while (at < end && is_word(*at))
        ++at;
    return at;
}

// `a::b::c` at `at`; returns what is behind it, NULL where there is no such name.
static const char *read_name(struct arena *arena, const char *at, const char *end,
                             struct unknown_name *name)
{
    *name = (struct unknown_name){0};
    for (;;) {
        const char *behind = skip_word(at, end);
        if (behind == at || name->parts == MOST_PARTS)
            return NULL;
        name->part[name->parts++] = arena_strndup(arena, at, (size_t)(behind - at));
        if (end - behind < 2 || strncmp(behind, "::", 2) != 0)
            return behind;
        at = behind + 2;
    }
}

// Whether the name stands where a value does, as far as what is around it says. `from` is where the
// text begins, `behind` the end of the name.
static bool is_value(const char *from, const char *name, const char *behind, const char *end)
{
    const char *next = skip_blanks(behind, end);
    if (next == end || is_word(*next) || strchr("({.", *next))
        return false; // a call, an object, a type before the name it declares
    size_t left_over = (size_t)(end - next);
    if (left_over > 1 && strncmp(next, "->", 2) == 0)
        return false;
    bool closes_launch = left_over > 2 && strncmp(next, ">>>", 3) == 0;
    if (*behind == '<' || (*behind == '>' && !closes_launch))
        return false; // a template, or an argument of one, which may be a type
    const char *before = name;
    while (before > from && isspace((unsigned char)before[-1]))
        --before;
    char left = before > from ? before[-1] : ';';
    bool opens_launch = before - from > 2 && strncmp(before - 3, "<<<", 3) == 0;
    if (left == '<' && before == name && !opens_launch)
        return false;
    if (*next == '*' || *next == '&') {
        const char *second = skip_blanks(next + 1, end);
        const char *third = skip_blanks(skip_word(second, end), end);
        if (strchr(";{}", left) && third > second && third < end && strchr("=;,)[", *third))
            return false; // `type *name`
    }
    if (left == '(' && *next == ')') {
        const char *owner = before - 1;
        while (owner > from && isspace((unsigned char)owner[-1]))
            --owner;
        const char *second = skip_blanks(next + 1, end);
        if (!(owner > from && is_word(owner[-1])) && second < end &&
            (is_word(*second) || strchr("(*&-", *second)))
            return false; // a cast
    }
    return true;
}

// Whether the name is the fourth of `<<<grid, block, bytes, stream>>>`, which is a pointer.
static bool is_stream(const char *from, const char *name, const char *behind, const char *end)
{
    const char *next = skip_blanks(behind, end);
    if (end - next < 3 || strncmp(next, ">>>", 3) != 0)
        return false;
    int commas = 0, depth = 0;
    for (const char *at = name; at - from > 2 && !strchr(";{}", at[-1]); --at) {
        depth += (at[-1] == ')') - (at[-1] == '(');
        commas += depth == 0 && at[-1] == ',';
        if (strncmp(at - 3, "<<<", 3) == 0)
            return commas == 3;
    }
    return false;
}

// Whether `at` is within the arguments of `kernel<<<...>>>(...)`.
static bool is_launch_argument(const char *from, const char *at)
{
    int depth = 0;
    for (; at > from && !strchr(";{}", at[-1]); --at) {
        depth += (at[-1] == ')') - (at[-1] == '(');
        if (depth >= 0)
            continue;
        const char *before = at - 1;
        while (before > from && isspace((unsigned char)before[-1]))
            --before;
        if (before - from > 2 && strncmp(before - 3, ">>>", 3) == 0)
            return true;
        depth = 0; // of a call or a group within
    }
    return false;
}

// `.member` or `->member` behind the name of an object.
static bool read_member(struct arena *arena, const char *at, const char *end,
                        struct unknown_name *name)
{
    at = skip_blanks(at, end);
    size_t link = at < end && *at == '.' ? 1 : 2;
    if ((size_t)(end - at) < link || (link == 2 && strncmp(at, "->", 2) != 0))
        return false;
    at = skip_blanks(at + link, end);
    const char *behind = skip_word(at, end), *next = skip_blanks(behind, end);
    if (behind == at || next == end || isdigit((unsigned char)*at))
        return false;
    name->member = arena_strndup(arena, at, (size_t)(behind - at));
    name->is_method = *next == '(' || *behind == '<';
    return true;
}

// The name that the complaint is about, up to a quote, and the namespace that is said to lack it,
// or NULL. Returns NULL for other complaints.
static const char *complained_of(const char *text, const char **out_namespace)
{
    static const char undeclared[] = "use of undeclared identifier '";
    static const char lacking[] = "no member named '", where[] = "' in namespace '";
    *out_namespace = NULL;
    if (strstr(text, "did you mean"))
        return NULL;
    if (strncmp(text, undeclared, sizeof undeclared - 1) == 0)
        return text + sizeof undeclared - 1;
    const char *within = strstr(text, where);
    if (strncmp(text, lacking, sizeof lacking - 1) != 0 || !within)
        return NULL;
    *out_namespace = within + sizeof where - 1;
    return text + sizeof lacking - 1;
}

// Puts the parts of `a::b'` before those of the name.
static bool stand_within(struct arena *arena, const char *space, struct unknown_name *name)
{
    struct unknown_name outer;
    const char *behind = read_name(arena, space, space + strlen(space), &outer);
    if (!behind || *behind != '\'' || outer.parts + name->parts > MOST_PARTS)
        return false;
    for (size_t i = 0; i < name->parts; ++i)
        outer.part[outer.parts++] = name->part[i];
    memcpy(name->part, outer.part, sizeof outer.part);
    name->parts = outer.parts;
    return true;
}

// What a diagnostic says is not declared, where it can be; false for others.
static bool unknown_of(struct search *search, CXDiagnostic diagnostic, struct unknown_name *name)
{
    const char *text = take_string(search->arena, clang_getDiagnosticSpelling(diagnostic));
    const char *space, *quoted = complained_of(text, &space);
    if (!quoted)
        return false;
    CXFile file = NULL;
    unsigned offset = 0;
    // In the macro's definition where one has the name.
    clang_getSpellingLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, &offset);
    if (file && file != search->file) {
        search->file = file;
        search->text = clang_getFileContents(search->tu, file, &search->size);
    }
    if (!file || !search->text || offset >= search->size)
        return false;
    const char *source = search->text, *at = source + offset, *end = source + search->size;
    const char *behind = read_name(search->arena, at, end, name);
    size_t length = behind ? strlen(name->part[0]) : 0;
    if (!behind || strncmp(quoted, name->part[0], length) != 0 || quoted[length] != '\'' ||
        (space && !stand_within(search->arena, space, name)))
        return false;
    // An unqualified call keeps its arguments in the tree without help.
    name->is_function = name->parts > 1 && *skip_blanks(behind, end) == '(';
    name->is_stream = is_stream(source, at, behind, end);
    if (name->is_function || is_value(source, at, behind, end))
        return true;
    return is_launch_argument(source, at) && read_member(search->arena, behind, end, name);
}

static bool same_name(const struct unknown_name *a, const struct unknown_name *b)
{
    bool same = a->parts == b->parts && !a->member == !b->member;
    for (size_t i = 0; same && i < a->parts; ++i)
        same = strcmp(a->part[i], b->part[i]) == 0;
    return same;
}

static bool same_member(const struct unknown_name *a, const struct unknown_name *b)
{
    return same_name(a, b) && (!a->member || strcmp(a->member, b->member) == 0);
}

// `names[at]` is an object: declares it with all the members that are asked of it, once.
static void write_object(FILE *out, const struct unknown_name *names, ptrdiff_t at)
{
    const struct unknown_name *object = &names[at];
    for (ptrdiff_t i = 0; i < at; ++i)
        if (same_name(&names[i], object))
            return;
    for (size_t i = 0; i + 1 < object->parts; ++i)
        fprintf(out, "namespace %s { ", object->part[i]);
    fputs("extern __constant__ struct {", out);
    for (ptrdiff_t i = at; i < arrlen(names); ++i) {
        if (!same_name(&names[i], object))
            continue;
        const char *member = names[i].member;
        if (names[i].is_method)
            fprintf(out,
                    " template <class... A> __host__ __device__ barlint_any %s(const A &...) const;"
                    " template <class T> __host__ __device__ T *%s() const;",
                    member, member);
        else
            fprintf(out, " barlint_any %s;", member);
    }
    const char *last = object->part[object->parts - 1];
    fprintf(out, " __host__ __device__ const auto *operator->() const { return this; } } %s;",
            last);
    for (size_t i = 0; i + 1 < object->parts; ++i)
        fputs(" }", out);
    fputc('\n', out);
}

static void write_declaration(FILE *out, const struct unknown_name *name)
{
    for (size_t i = 0; i + 1 < name->parts; ++i)
        fprintf(out, "namespace %s { ", name->part[i]);
    const char *last = name->part[name->parts - 1];
    if (name->is_function)
        fprintf(out, "template <class... A> __host__ __device__ barlint_any %s(const A &...);",
                last);
    else
        fprintf(out, "extern __constant__ %s %s __attribute__((annotate(\"%s\")));",
                name->is_stream ? "barlint_any" : "int", last, annotation);
    for (size_t i = 0; i + 1 < name->parts; ++i)
        fputs(" }", out);
    fputc('\n', out);
}

// The names of a unit, each once, and the complaints about them; two stb_ds arrays.
static struct unknown_name *find_unknown(struct arena *arena, CXTranslationUnit tu,
                                         unsigned **complaint)
{
    enum { MOST_NAMES = 500 };
    struct unknown_name *names = NULL;
    struct search search = {.arena = arena, .tu = tu};
    CXDiagnosticSet all = clang_getDiagnosticSetFromTU(tu);
    unsigned count = clang_getNumDiagnosticsInSet(all);
    for (unsigned i = 0; i < count && arrlen(names) < MOST_NAMES; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnosticInSet(all, i);
        struct unknown_name name;
        bool is_new = unknown_of(&search, diagnostic, &name);
        clang_disposeDiagnostic(diagnostic);
        if (is_new)
            arrput(*complaint, i);
        for (ptrdiff_t n = 0; is_new && n < arrlen(names); ++n)
            is_new = !same_member(&names[n], &name);
        if (is_new)
            arrput(names, name);
    }
    clang_disposeDiagnosticSet(all);
    return names;
}

unsigned *declare_unknown(struct arena *arena, CXTranslationUnit tu, const char **header)
{
    static const char start[] =
        "#pragma GCC system_header\n"
        "struct barlint_any { template <class T> __host__ __device__ operator T() const; };\n";
    unsigned *complaint = NULL;
    struct unknown_name *names = find_unknown(arena, tu, &complaint);
    char *text = NULL;
    size_t size = 0;
    FILE *out = arrlen(names) ? open_memstream(&text, &size) : NULL;
    if (out) {
        fputs(*header ? *header : start, out);
        for (ptrdiff_t i = 0; i < arrlen(names); ++i) {
            if (names[i].member)
                write_object(out, names, i);
            else
                write_declaration(out, &names[i]);
        }
    }
    arrfree(names);
    if (out && fclose(out) == 0)
        *header = arena_strndup(arena, text, size);
    free(text);
    return complaint;
}

bool is_undeclared(CXCursor variable)
{
    return has_annotation(variable, annotation, NULL);
}

bool is_of_undeclared(CXCursor expression)
{
    CXString name = clang_getTypeSpelling(clang_getCursorType(expression));
    bool is = strcmp(clang_getCString(name), "barlint_any") == 0;
    clang_disposeString(name);
    return is;
}
