// Where lowering starts: kernels, host functions that launch, and what nothing else reached.
#include "frontend/lower.h"

#include <string.h>

struct walk {
    struct lowering *u;
    void (*step)(struct lowering *u, CXCursor decl, bool in_main);
    bool with_templates;
};

static bool is_in_main(struct lowering *u, CXCursor decl)
{
    CXFile file = NULL, main = clang_getFile(u->tu, u->job->main_file);
    clang_getExpansionLocation(clang_getCursorLocation(decl), &file, NULL, NULL, NULL);
    return file && main && clang_File_isEqual(file, main);
}

static enum CXChildVisitResult walk_decl(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct walk *walk = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_UnexposedDecl:
        if (is_system_location(cursor))
            return CXChildVisit_Continue;
        return CXChildVisit_Recurse;
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return walk->with_templates && !is_system_location(cursor) ? CXChildVisit_Recurse
                                                                   : CXChildVisit_Continue;
    case CXCursor_FunctionTemplate:
        if (!walk->with_templates)
            return CXChildVisit_Continue;
        break;
    default:
        // A member of a class template may be defined outside of it.
        if (!is_function_kind(kind) || (!walk->with_templates && is_template_part(cursor)))
            return CXChildVisit_Continue;
        break;
    }
    if (clang_isCursorDefinition(cursor) && !is_system_location(cursor))
        walk->step(walk->u, cursor, is_in_main(walk->u, cursor));
    return CXChildVisit_Continue;
}

void walk_unit(struct lowering *u, bool with_templates,
               void (*step)(struct lowering *u, CXCursor decl, bool in_main))
{
    struct walk walk = {u, step, with_templates};
    clang_visitChildren(clang_getTranslationUnitCursor(u->tu), walk_decl, &walk);
}

// --- Launches --------------------------------------------------------------------------------

struct scan {
    struct lowering *u;
    CXCursor *callee; // stb_ds array
    bool launches;
};

static bool is_launch_name(const char *name)
{
    return strcmp(name, "__cudaPushCallConfiguration") == 0 ||
           strcmp(name, "cudaConfigureCall") == 0 || strncmp(name, "cudaLaunch", 10) == 0 ||
           strncmp(name, "cuLaunch", 8) == 0;
}

static enum CXChildVisitResult scan_call(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct scan *scan = data;
    if (clang_getCursorKind(cursor) != CXCursor_CallExpr)
        return CXChildVisit_Recurse;
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (cursor_is_null(decl) || !is_function_kind(clang_getCursorKind(decl)))
        return CXChildVisit_Recurse;
    CXString name = clang_getCursorSpelling(decl);
    const char *text = clang_getCString(name);
    scan->launches |= text && is_launch_name(text);
    clang_disposeString(name);
    CXCursor definition = clang_getCursorDefinition(decl);
    if (!cursor_is_null(definition) && !is_system_location(definition))
        arrput(scan->callee, definition);
    return CXChildVisit_Recurse;
}

enum { SCAN_DEPTH = 200 };

static bool scan_function(struct lowering *u, CXCursor definition, unsigned depth)
{
    CXCursor key = clang_getCanonicalCursor(definition);
    uint32_t known = cursor_map_find(&u->launchers, key);
    if (known != IR_NONE)
        return known == 1;
    // What calls itself is answered "no" inside the circle; its own answer is put right below.
    cursor_map_put(&u->launchers, key, 0);
    if (depth > SCAN_DEPTH || now_seconds() > u->deadline)
        return false;
    struct scan scan = {.u = u};
    clang_visitChildren(definition, scan_call, &scan);
    bool launches = scan.launches;
    for (ptrdiff_t i = 0; i < arrlen(scan.callee); ++i)
        launches |= scan_function(u, scan.callee[i], depth + 1);
    arrfree(scan.callee);
    if (launches)
        cursor_map_put(&u->launchers, key, 1);
    return launches;
}

bool reaches_launch(struct lowering *u, CXCursor definition)
{
    return scan_function(u, definition, 0);
}

// --- Roots -----------------------------------------------------------------------------------

bool is_device_code(CXCursor decl)
{
    return has_attribute(decl, CXCursor_CUDAGlobalAttr) ||
           has_attribute(decl, CXCursor_CUDADeviceAttr) ||
           has_attribute(clang_getCanonicalCursor(decl), CXCursor_CUDADeviceAttr) ||
           has_attribute(clang_getCanonicalCursor(decl), CXCursor_CUDAGlobalAttr);
}

static void root_step(struct lowering *u, CXCursor decl, bool in_main)
{
    (void)in_main;
    if (has_attribute(decl, CXCursor_CUDAGlobalAttr) ||
        has_attribute(clang_getCanonicalCursor(decl), CXCursor_CUDAGlobalAttr)) {
        function_of(u, decl);
        return;
    }
    if (is_device_code(decl) && !has_attribute(decl, CXCursor_CUDAHostAttr))
        return;
    if (reaches_launch(u, decl))
        function_of(u, decl);
}

void find_roots(struct lowering *u)
{
    u->from_host = false;
    walk_unit(u, false, root_step);
    for (ptrdiff_t i = 0; i < arrlen(u->instance); ++i)
        root_step(u, u->instance[i], is_in_main(u, u->instance[i]));
}

static void leftover_step(struct lowering *u, CXCursor decl, bool in_main)
{
    if (in_main && is_device_code(decl))
        function_of(u, decl);
}

void find_leftovers(struct lowering *u)
{
    u->from_host = false;
    walk_unit(u, false, leftover_step);
    for (ptrdiff_t i = 0; i < arrlen(u->instance); ++i)
        leftover_step(u, u->instance[i], is_in_main(u, u->instance[i]));
}

static void pattern_step(struct lowering *u, CXCursor decl, bool in_main)
{
    if (in_main && is_device_code(decl) &&
        cursor_map_find(&u->templates_used, clang_getCanonicalCursor(decl)) == IR_NONE)
        function_of(u, decl);
}

void find_patterns(struct lowering *u)
{
    u->from_host = false;
    walk_unit(u, true, pattern_step);
}
