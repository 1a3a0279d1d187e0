// Instances of templates that no call leads to. libclang has no cursor for `template void f<7>();`,
// but its indexer visits every instance, and what it reports of the inside (parameters, local
// variables, references) leads to the instance.
#include "frontend/lower.h"

#include <ctype.h>
#include <string.h>

struct collect {
    struct lowering *u;
    struct cursor_map seen;
    CXCursor *found; // stb_ds array
    bool may_have;   // a file of the user has an explicit instantiation
};

static void consider(struct collect *collect, CXCursor function)
{
    if (!is_function_kind(clang_getCursorKind(function)) ||
        cursor_map_find(&collect->seen, function) != IR_NONE)
        return;
    cursor_map_put(&collect->seen, function, 0);
    if (!is_system_location(function) &&
        !cursor_is_null(clang_getSpecializedCursorTemplate(function)))
        arrput(collect->found, function);
}

static void on_declaration(CXClientData data, const CXIdxDeclInfo *info)
{
    consider(data, clang_getCursorSemanticParent(info->cursor));
}

static void on_reference(CXClientData data, const CXIdxEntityRefInfo *info)
{
    if (info->container)
        consider(data, info->container->cursor);
}

// Whether `template` stands there other than before its parameters or after `.`, `->` and `::`, as
// it does in an explicit instantiation.
static bool has_instantiation(const char *text)
{
    static const char word[] = "template";
    enum { WORD = sizeof word - 1 };
    const char *at = text;
    while ((at = strstr(at, word)) != NULL) {
        const char *before = at, *after = at + WORD;
        at = after;
        while (isspace((unsigned char)*after))
            ++after;
        while (before > text && isspace((unsigned char)before[-1]))
            --before;
        if (*after == '<')
            continue;
        if (before > text &&
            (strchr(".>:", before[-1]) || isalnum((unsigned char)before[-1]) || before[-1] == '_'))
            continue;
        if (isalpha((unsigned char)*after) || *after == '_' || *after == ':')
            return true;
    }
    return false;
}

static void look_into(CXFile file, CXSourceLocation *stack, unsigned length, CXClientData data)
{
    struct collect *collect = data;
    CXTranslationUnit tu = collect->u->tu;
    // What a system header includes is one; asking the file itself makes clang count its lines.
    if (collect->may_have || (length > 0 && clang_Location_isInSystemHeader(stack[0])) ||
        is_system_file(tu, file))
        return;
    size_t size = 0;
    const char *text = clang_getFileContents(tu, file, &size);
    collect->may_have = text && has_instantiation(text); // ends with a zero byte
}

CXCursor *find_instances(struct lowering *u, CXIndex index)
{
    struct collect collect = {.u = u};
    // The indexer visits everything there is, headers included.
    clang_getInclusions(u->tu, look_into, &collect);
    if (!collect.may_have)
        return NULL;
    IndexerCallbacks callbacks = {.indexDeclaration = on_declaration,
                                  .indexEntityReference = on_reference};
    CXIndexAction action = clang_IndexAction_create(index);
    clang_indexTranslationUnit(action, &collect, &callbacks, sizeof callbacks,
                               CXIndexOpt_IndexFunctionLocalSymbols |
                                   CXIndexOpt_IndexImplicitTemplateInstantiations |
                                   CXIndexOpt_SuppressRedundantRefs,
                               u->tu);
    clang_IndexAction_dispose(action);
    cursor_map_release(&collect.seen);
    return collect.found;
}
