// Cursors as keys of tables, and their children.
#include "frontend/lower.h"

#include <stdlib.h>
#include <string.h>

static struct cursor_slot *slot_find(const struct cursor_map *map, CXCursor key)
{
    size_t at = clang_hashCursor(key) & (map->capacity - 1);
    while (map->slot[at].used && !clang_equalCursors(map->slot[at].key, key))
        at = (at + 1) & (map->capacity - 1);
    return &map->slot[at];
}

uint32_t cursor_map_find(const struct cursor_map *map, CXCursor key)
{
    if (map->count == 0)
        return IR_NONE;
    const struct cursor_slot *slot = slot_find(map, key);
    return slot->used ? slot->value : IR_NONE;
}

static void map_grow(struct cursor_map *map)
{
    struct cursor_map old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 32;
    map->slot = NULL;
    arrsetlen(map->slot, map->capacity);
    memset(map->slot, 0, map->capacity * sizeof *map->slot);
    for (size_t i = 0; i < old.capacity; ++i)
        if (old.slot[i].used)
            *slot_find(map, old.slot[i].key) = old.slot[i];
    arrfree(old.slot);
}

void cursor_map_put(struct cursor_map *map, CXCursor key, uint32_t value)
{
    if ((map->count + 1) * 2 > map->capacity)
        map_grow(map);
    struct cursor_slot *slot = slot_find(map, key);
    map->count += !slot->used;
    *slot = (struct cursor_slot){.key = key, .value = value, .used = true};
}

void cursor_map_release(struct cursor_map *map)
{
    arrfree(map->slot);
    *map = (struct cursor_map){0};
}

struct collect {
    CXCursor *item; // stb_ds array
    bool all;
};

static bool is_noise(enum CXCursorKind kind)
{
    return clang_isAttribute(kind) || kind == CXCursor_TypeRef || kind == CXCursor_TemplateRef ||
           kind == CXCursor_NamespaceRef;
}

static enum CXChildVisitResult collect_child(CXCursor child, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct collect *collect = data;
    if (collect->all || !is_noise(clang_getCursorKind(child)))
        arrput(collect->item, child);
    return CXChildVisit_Continue;
}

static struct children children_collect(struct arena *arena, CXCursor cursor, bool all)
{
    struct collect collect = {.all = all};
    clang_visitChildren(cursor, collect_child, &collect);
    struct children children = {.count = arrlenu(collect.item)};
    if (children.count) {
        children.item = arena_array(arena, CXCursor, children.count);
        memcpy(children.item, collect.item, children.count * sizeof *children.item);
    }
    arrfree(collect.item);
    return children;
}

struct children children_of(struct arena *arena, CXCursor cursor)
{
    return children_collect(arena, cursor, false);
}

struct children children_all(struct arena *arena, CXCursor cursor)
{
    return children_collect(arena, cursor, true);
}

const char *take_string(struct arena *arena, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

// clang names a closure by its place, "(lambda at /a/b.cu:5:9)": the folder says nothing of the
// type and would make the same source read differently in two folders.
const char *type_spelling(struct arena *arena, CXType type)
{
    char *text = (char *)take_string(arena, clang_getTypeSpelling(type));
    for (char *at = text; (at = strstr(at, " at "));) {
        at += strlen(" at ");
        size_t path = strcspn(at, ":)"), folder = path;
        while (folder > 0 && at[folder - 1] != '/')
            --folder;
        if (at[path] == ':')
            memmove(at, at + folder, strlen(at + folder) + 1);
    }
    return text;
}

const char *cursor_name(struct arena *arena, CXCursor cursor)
{
    return take_string(arena, clang_getCursorSpelling(cursor));
}

bool cursor_is_null(CXCursor cursor)
{
    return clang_Cursor_isNull(cursor) || clang_isInvalid(clang_getCursorKind(cursor));
}

bool is_expression(CXCursor cursor)
{
    return clang_isExpression(clang_getCursorKind(cursor));
}

bool is_function_kind(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction;
}

bool is_variable(CXCursor decl)
{
    // An instance of a variable template has no kind of its own.
    enum CXCursorKind kind = clang_getCursorKind(decl);
    return kind == CXCursor_VarDecl ||
           (kind == CXCursor_UnexposedDecl && clang_Cursor_hasVarDeclGlobalStorage(decl) >= 0);
}

bool is_record_kind(enum CXCursorKind kind)
{
    return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl;
}
