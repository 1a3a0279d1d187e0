// Calls inside templates that nothing instantiates. What they call depends on the template's
// parameters; the template it would come from is often known all the same.
#include "frontend/lower.h"

#include <string.h>

static bool is_name_char(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

const char *written_name(struct lower *l, CXCursor e)
{
    const char *begin, *end = text_end(l->unit, e, &begin);
    if (end > begin && end[-1] == '>') {
        unsigned depth = 0;
        while (end > begin) {
            --end;
            depth += *end == '>';
            depth -= *end == '<';
            if (depth == 0)
                break;
        }
        while (end > begin && end[-1] == ' ')
            --end;
    }
    const char *start = end;
    while (start > begin && is_name_char(start[-1]))
        --start;
    return arena_strndup(scratch_of(l), start, (size_t)(end - start));
}

// How many arguments a function takes at least and at most.
static void parameter_count(struct lower *l, CXCursor decl, int *least, int *most)
{
    struct children children = children_of(scratch_of(l), decl);
    *least = *most = 0;
    for (size_t i = 0; i < children.count; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_ParmDecl)
            continue;
        ++*most;
        if (!text_has_word(text_at(l->unit, children.item[i]), "=", ",)"))
            ++*least;
    }
}

static bool takes(struct lower *l, CXCursor decl, int count)
{
    int least, most;
    parameter_count(l, decl, &least, &most);
    return count >= least && count <= most;
}

static bool is_callable(enum CXCursorKind kind)
{
    return is_function_kind(kind) || kind == CXCursor_FunctionTemplate;
}

// Whether pointers go where pointers are wanted, as far as the types are known.
static bool agrees(struct lower *l, CXCursor decl, CXCursor e)
{
    struct children children = children_of(scratch_of(l), decl);
    int count = clang_Cursor_getNumArguments(e), next = 0;
    for (size_t i = 0; i < children.count && next < count; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_ParmDecl)
            continue;
        CXType parameter = strip_reference(clang_getCursorType(children.item[i]));
        CXType argument;
        bool is_known = guess_type(l, clang_Cursor_getArgument(e, (unsigned)next++), &argument);
        if (is_known && !is_dependent(parameter) &&
            is_pointer(parameter) != (is_pointer(argument) || classify(argument) == CLASS_ARRAY))
            return false;
    }
    return true;
}

static CXCursor class_of(CXCursor decl)
{
    CXCursor definition = clang_getCursorDefinition(decl);
    return cursor_is_null(definition) ? decl : definition;
}

enum { BASE_DEPTH = 16 };

// Appends the member functions of that name which take that many arguments; those of base classes
// where the class itself has none of the name.
static void find_members(struct lower *l, CXCursor class, const char *name, int count,
                         unsigned depth, CXCursor **out)
{
    struct children children = children_all(scratch_of(l), class_of(class));
    bool has_name = false;
    for (size_t i = 0; i < children.count; ++i) {
        CXCursor member = children.item[i];
        if (!is_callable(clang_getCursorKind(member)) ||
            strcmp(cursor_name(scratch_of(l), member), name) != 0)
            continue;
        has_name = true;
        if (takes(l, member, count))
            arrput(*out, member);
    }
    for (size_t i = 0; i < children.count && !has_name && depth < BASE_DEPTH; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_CXXBaseSpecifier)
            continue;
        CXCursor base = clang_getTypeDeclaration(clang_getCursorType(children.item[i]));
        if (!cursor_is_null(base))
            find_members(l, base, name, count, depth + 1, out);
    }
}

// The member function that the call `e` of that name means in the class, or in the template that a
// dependent class type comes from.
static CXCursor find_member(struct lower *l, CXType type, const char *name, CXCursor e)
{
    CXCursor found = clang_getNullCursor();
    CXCursor decl = clang_getTypeDeclaration(type);
    if (cursor_is_null(decl))
        return found;
    CXCursor *candidate = NULL; // stb_ds array
    find_members(l, decl, name, clang_Cursor_getNumArguments(e), 0, &candidate);
    bool is_unclear = false;
    for (ptrdiff_t i = 0; i < arrlen(candidate); ++i) {
        if (arrlen(candidate) > 1 && !agrees(l, candidate[i], e))
            continue;
        is_unclear |= !cursor_is_null(found);
        found = candidate[i];
    }
    arrfree(candidate);
    return is_unclear ? clang_getNullCursor() : found;
}

static enum CXChildVisitResult find_overloads(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_OverloadedDeclRef)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = cursor;
    return CXChildVisit_Break;
}

// The one function among those that a dependent call names which takes that many arguments.
static CXCursor find_overload(struct lower *l, CXCursor callee, int count)
{
    CXCursor found = clang_getNullCursor(), set = clang_getNullCursor();
    clang_visitChildren(callee, find_overloads, &set);
    unsigned candidates = cursor_is_null(set) ? 0 : clang_getNumOverloadedDecls(set);
    for (unsigned i = 0; i < candidates; ++i) {
        CXCursor decl = clang_getOverloadedDecl(set, i);
        if (!is_callable(clang_getCursorKind(decl)) || !takes(l, decl, count))
            continue;
        if (!cursor_is_null(found))
            return clang_getNullCursor();
        found = decl;
    }
    return found;
}

// Calls the pattern of a template; its parameters say which arguments go by reference.
static ir_value call_pattern(struct lower *l, CXCursor e, CXCursor decl, ir_value object)
{
    ir_function_id function = function_of(l->unit, decl);
    struct children children = children_of(scratch_of(l), decl);
    ir_value *operand = NULL;
    if (object != IR_NONE)
        arrput(operand, object);
    int count = clang_Cursor_getNumArguments(e);
    int next = 0;
    for (size_t i = 0; i < children.count; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_ParmDecl)
            continue;
        CXType type = clang_getCursorType(children.item[i]);
        CXCursor argument = next < count ? clang_Cursor_getArgument(e, (unsigned)next)
                                         : last_child(l, children.item[i]);
        ++next;
        ir_value value = cursor_is_null(argument)
                             ? emit_opaque(l, type, "default argument", false, NULL, 0)
                             : lower_argument(l, argument, type);
        arrput(operand, value);
    }
    ir_type_id result = unit_of(l)->function[function].result;
    bool is_void = result == ir_type_void(unit_of(l));
    ir_value value =
        emit(l, IR_CALL, is_void ? IR_NONE : result, operand, arrlenu(operand), function);
    arrfree(operand);
    if (is_void)
        return IR_NONE;
    ir_builder_function(&l->b)->op[value].flags |= IR_RETURN_USED;
    return value;
}

static ir_value member_pattern(struct lower *l, CXCursor e, CXCursor callee, const char *name,
                               bool *done)
{
    CXCursor object = only_child(l, callee);
    CXType type;
    *done = false;
    if (cursor_is_null(object) || !guess_type(l, object, &type))
        return IR_NONE;
    bool by_pointer = is_pointer(type);
    CXType class = by_pointer ? clang_getPointeeType(canonical(type)) : type;
    CXCursor decl = find_member(l, class, name, e);
    // The caller of a function that returns a class object would have to know its layout.
    if (cursor_is_null(decl) || is_record(clang_getCursorResultType(decl)))
        return IR_NONE;
    *done = true;
    ir_value address = IR_NONE;
    if (!clang_CXXMethod_isStatic(decl)) {
        address = by_pointer ? lower_value(l, object) : lower_address(l, object);
        if (address == IR_NONE || value_type(l, address) == IR_NONE)
            address = emit_opaque(l, by_pointer ? type : clang_getCursorType(object),
                                  "object of a dependent type", false, NULL, 0);
    }
    return call_pattern(l, e, decl, address);
}

CXCursor uninstantiated(struct lower *l, CXCursor decl)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
    if (!l->is_pattern || cursor_is_null(pattern) ||
        !cursor_is_null(clang_getCursorDefinition(decl)) ||
        is_record(clang_getCursorResultType(decl)))
        return decl;
    CXCursor definition = clang_getCursorDefinition(pattern);
    const struct frontend_job *job = l->unit->job;
    bool is_known = job->is_known && job->is_known(job->context, lookup_name(l->unit, decl));
    return cursor_is_null(definition) || is_known ? decl : definition;
}

static bool starts_with(CXCursor e, CXCursor callee)
{
    return clang_equalLocations(clang_getRangeStart(clang_getCursorExtent(e)),
                                clang_getRangeStart(clang_getCursorExtent(callee))) != 0;
}

// `T(x)`: a conversion, or the construction of an object.
static ir_value construct_dependent(struct lower *l, CXCursor e, const struct children *children)
{
    CXType type = clang_getCursorType(e);
    CXCursor last = children->item[children->count - 1];
    if (children->count == 1 && classify(type) == CLASS_SCALAR &&
        classify(clang_getCursorType(last)) == CLASS_SCALAR)
        return convert(l, lower_value(l, last), clang_getCursorType(last), type);
    for (size_t i = 0; i < children->count; ++i)
        if (is_expression(children->item[i]))
            lower_discard(l, children->item[i]);
    return emit_opaque(l, type, "object of a dependent type", false, NULL, 0);
}

ir_value lower_dependent_call(struct lower *l, CXCursor e)
{
    struct children children = children_of(scratch_of(l), e);
    CXCursor callee = clang_getNullCursor();
    for (size_t i = 0; i < children.count && cursor_is_null(callee); ++i)
        if (is_expression(children.item[i]))
            callee = children.item[i];
    if (cursor_is_null(callee))
        return lower_unknown(l, e, "dependent call");
    if (!starts_with(e, callee))
        return construct_dependent(l, e, &children);
    const char *name = written_name(l, callee);
    bool done = false;
    ir_value value = IR_NONE;
    CXCursor core = strip(l, callee);
    if (clang_getCursorKind(core) == CXCursor_MemberRefExpr)
        value = member_pattern(l, e, core, name, &done);
    if (done)
        return value;
    CXCursor decl = find_overload(l, e, clang_Cursor_getNumArguments(e));
    if (!cursor_is_null(decl) &&
        (clang_getCursorKind(decl) == CXCursor_FunctionDecl ||
         clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_Namespace ||
         clang_getCursorKind(clang_getCursorSemanticParent(decl)) == CXCursor_TranslationUnit))
        return call_pattern(l, e, decl, IR_NONE);
    return lower_unknown(
        l, e, *name ? arena_printf(scratch_of(l), "dependent call of %s", name) : "dependent call");
}
