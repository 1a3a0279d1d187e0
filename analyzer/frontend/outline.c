// What became of every function the user's files define, and which of their lines the preprocessor
// left out: how a text search compares itself with the IR.
#include "frontend/lower.h"

static enum frontend_fate fate_of(struct lowering *u, CXCursor decl)
{
    CXCursor key = clang_getCanonicalCursor(decl);
    uint32_t function = cursor_map_find(&u->functions, key);
    if (function == IR_NONE || function >= arrlenu(u->state))
        return cursor_map_find(&u->templates_used, key) == IR_NONE ? FRONTEND_UNREACHED
                                                                   : FRONTEND_INSTANTIATED;
    const struct ir_function *entry = &u->unit->function[function];
    if (entry->flags & IR_FN_BODY)
        return entry->flags & IR_FN_PATTERN ? FRONTEND_PATTERN : FRONTEND_LOWERED;
    if (!u->state[function].is_queued)
        return FRONTEND_UNREACHED;
    bool is_known = u->job->is_known && u->job->is_known(u->job->context, entry->lookup);
    return is_known ? FRONTEND_KNOWN : FRONTEND_CUT;
}

static void outline_step(struct lowering *u, CXCursor decl, bool in_main)
{
    (void)in_main;
    // An instance stands where its template does; a specialization has a place of its own.
    CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
    if (!cursor_is_null(pattern) &&
        clang_equalLocations(clang_getCursorLocation(pattern), clang_getCursorLocation(decl)))
        return;
    struct frontend_outline entry = {.fate = fate_of(u, decl)};
    CXCursor canonical_decl = clang_getCanonicalCursor(decl);
    CXSourceRange range = clang_getCursorExtent(decl);
    CXFile file = NULL;
    unsigned line = 0;
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, &entry.end_line, NULL, NULL);
    clang_getExpansionLocation(clang_getRangeStart(range), &file, &line, NULL, NULL);
    if (!file)
        return;
    entry.line = line;
    entry.path = take_string(&u->report->arena, clang_getFileName(file));
    entry.name = arena_strdup(&u->report->arena, lookup_name(u, decl));
    entry.is_template = is_template_part(decl);
    bool is_host = has_attribute(decl, CXCursor_CUDAHostAttr) ||
                   has_attribute(canonical_decl, CXCursor_CUDAHostAttr);
    entry.on_device = is_device_code(decl);
    entry.on_host = is_host || !entry.on_device;
    arrput(u->report->outline, entry);
    arena_release(&u->scratch);
    arena_init(&u->scratch);
}

static void collect_skipped(struct lowering *u)
{
    CXSourceRangeList *list = clang_getAllSkippedRanges(u->tu);
    for (unsigned i = 0; list && i < list->count; ++i) {
        struct frontend_skipped entry = {0};
        CXFile file = NULL;
        clang_getExpansionLocation(clang_getRangeStart(list->ranges[i]), &file, &entry.line, NULL,
                                   NULL);
        clang_getExpansionLocation(clang_getRangeEnd(list->ranges[i]), NULL, &entry.end_line, NULL,
                                   NULL);
        if (!file || is_system_file(u->tu, file))
            continue;
        entry.path = take_string(&u->report->arena, clang_getFileName(file));
        arrput(u->report->skipped, entry);
    }
    if (list)
        clang_disposeSourceRangeList(list);
}

void fill_outline(struct lowering *u)
{
    walk_unit(u, true, outline_step);
    collect_skipped(u);
}
