// Names of declarations: for the model's table, for people, and across translation units.
#include "frontend/lower.h"

#include <string.h>

// A name without the template arguments that libclang adds to the spelling of constructors.
static const char *plain_name(struct lowering *u, CXCursor decl)
{
    char *name = arena_strdup(&u->scratch, cursor_name(&u->scratch, decl));
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor || is_record_kind(kind)) {
        char *angle = strchr(name, '<');
        if (angle)
            *angle = '\0';
    }
    return name;
}

static bool is_closure(CXCursor record, const char *name)
{
    return is_record_kind(clang_getCursorKind(record)) &&
           (*name == '\0' || strncmp(name, "(lambda", 7) == 0);
}

// Inline namespaces, and those that headers use as such: `cooperative_groups::__v1`.
static bool is_version_namespace(CXCursor decl, const char *name)
{
    if (clang_Cursor_isInlineNamespace(decl))
        return true;
    return strncmp(name, "__v", 3) == 0 && name[3] && name[strspn(name + 3, "0123456789") + 3] == 0;
}

// "<8, float>", "" where the declaration has no template arguments.
static const char *arguments_text(struct lowering *u, CXCursor decl)
{
    struct ir_template_arg *argument = NULL;
    template_arguments(u, decl, &argument);
    if (!argument)
        return "";
    const char *text = "<";
    for (ptrdiff_t i = 0; i < arrlen(argument); ++i)
        text = arena_printf(&u->scratch, "%s%s%s", text, i ? ", " : "", argument[i].text);
    arrfree(argument);
    return arena_printf(&u->scratch, "%s>", text);
}

static const char *qualified(struct lowering *u, CXCursor decl, bool with_arguments,
                             unsigned depth);

// Names of namespaces and classes are asked for again with every member.
static const char *scope_name(struct lowering *u, CXCursor decl, bool with_arguments,
                              unsigned depth)
{
    struct cursor_map *map = &u->scope_names[with_arguments];
    uint32_t known = cursor_map_find(map, decl);
    if (known != IR_NONE)
        return u->scope_name[known];
    const char *name = arena_strdup(&u->arena, qualified(u, decl, with_arguments, depth));
    cursor_map_put(map, decl, (uint32_t)arrlenu(u->scope_name));
    arrput(u->scope_name, name);
    return name;
}

static const char *qualified(struct lowering *u, CXCursor decl, bool with_arguments, unsigned depth)
{
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (depth > 64 || cursor_is_null(decl) || kind == CXCursor_TranslationUnit)
        return "";
    const char *parent =
        scope_name(u, clang_getCursorSemanticParent(decl), with_arguments, depth + 1);
    const char *name = plain_name(u, decl);
    if (kind == CXCursor_LinkageSpec ||
        (kind == CXCursor_Namespace && is_version_namespace(decl, name)))
        return parent;
    if (is_closure(decl, name))
        name = "(lambda)";
    else if (clang_Cursor_isAnonymous(decl))
        name = kind == CXCursor_Namespace ? "" : "(anonymous)";
    if (!*name)
        return parent;
    const char *arguments =
        with_arguments && kind != CXCursor_Namespace ? arguments_text(u, decl) : "";
    return arena_printf(&u->scratch, "%s%s%s%s", parent, *parent ? "::" : "", name, arguments);
}

const char *lookup_name(struct lowering *u, CXCursor decl)
{
    return qualified(u, decl, false, 0);
}

const char *display_name(struct lowering *u, CXCursor decl)
{
    return qualified(u, decl, true, 0);
}

const char *key_name(struct lowering *u, CXCursor decl)
{
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod) {
        CXCursor parent = clang_getCursorSemanticParent(decl);
        if (!is_closure(parent, plain_name(u, parent)) &&
            !is_dependent(clang_getCursorType(decl))) {
            const char *name = take_string(&u->scratch, clang_Cursor_getMangling(decl));
            if (*name)
                return name;
        }
    }
    return take_string(&u->scratch, clang_getCursorUSR(decl));
}

// Types built by expression templates have names of many thousand letters.
static const char *short_text(struct lowering *u, CXType type)
{
    enum { TEXT_LIMIT = 120 };
    const char *text = type_spelling(&u->scratch, type);
    size_t length = strnlen(text, TEXT_LIMIT + 1);
    return length > TEXT_LIMIT ? arena_printf(&u->unit->arena, "%.*s...", TEXT_LIMIT - 3, text)
                               : arena_strndup(&u->unit->arena, text, length);
}

// The type of a parameter of the template that the declaration is an instance of.
static CXType parameter_of_template(struct lowering *u, CXCursor decl, int index)
{
    struct children children = children_of(&u->scratch, clang_getSpecializedCursorTemplate(decl));
    for (size_t i = 0; i < children.count; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[i]);
        bool is_parameter = kind == CXCursor_TemplateTypeParameter ||
                            kind == CXCursor_NonTypeTemplateParameter ||
                            kind == CXCursor_TemplateTemplateParameter;
        if (is_parameter && index-- == 0)
            return canonical(clang_getCursorType(children.item[i]));
    }
    return (CXType){.kind = CXType_Invalid};
}

// libclang says of true that it is -1.
static void integral_argument(struct lowering *u, CXCursor decl, int index,
                              struct ir_template_arg *out)
{
    struct arena *arena = &u->unit->arena;
    CXType type = parameter_of_template(u, decl, index);
    ir_type_id integral = is_integral(type) ? type_of(u, type) : IR_NONE;
    out->kind = IR_ARG_INT;
    out->value = clang_Cursor_getTemplateArgumentValue(decl, (unsigned)index);
    if (type.kind == CXType_Bool) {
        out->value = out->value != 0;
        out->text = out->value ? "true" : "false";
    } else if (integral != IR_NONE && !u->unit->type[integral].is_signed) {
        unsigned long long value =
            clang_Cursor_getTemplateArgumentUnsignedValue(decl, (unsigned)index);
        out->value = (int64_t)value;
        out->text = arena_printf(arena, "%llu", value);
    } else {
        out->text = arena_printf(arena, "%lld", (long long)out->value);
    }
}

void template_arguments(struct lowering *u, CXCursor decl, struct ir_template_arg **out)
{
    enum CXCursorKind decl_kind = clang_getCursorKind(decl);
    if (!is_function_kind(decl_kind) && !is_record_kind(decl_kind))
        return;
    int count = clang_Cursor_getNumTemplateArguments(decl);
    for (int i = 0; i < count; ++i) {
        struct ir_template_arg argument = {.kind = IR_ARG_OTHER, .type = IR_NONE, .text = "..."};
        switch (clang_Cursor_getTemplateArgumentKind(decl, (unsigned)i)) {
        case CXTemplateArgumentKind_Type: {
            CXType type = clang_Cursor_getTemplateArgumentType(decl, (unsigned)i);
            argument.kind = IR_ARG_TYPE;
            argument.type = type_of(u, type);
            argument.text = short_text(u, type);
            break;
        }
        case CXTemplateArgumentKind_Integral:
            integral_argument(u, decl, i, &argument);
            break;
        default:
            break;
        }
        arrput(*out, argument);
    }
}
