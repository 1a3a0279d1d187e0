// Types inside templates that nothing instantiates. clang leaves every expression with a part that
// depends on a template parameter without a type; where the sources leave no choice (`auto` from an
// initializer, members of a class template, elements of arrays, what a functor returns), the type
// is found here, so that a member call is known for what it is.
#include "frontend/lower.h"

#include <string.h>

enum { GUESS_DEPTH = 24 };

static bool guess(struct lower *l, CXCursor e, unsigned depth, CXType *out);

static CXCursor definition_of(CXCursor decl)
{
    CXCursor definition = clang_getCursorDefinition(decl);
    return cursor_is_null(definition) ? decl : definition;
}

// Whether members can be looked up in the type, or in what it points to.
static bool is_telling(CXType type)
{
    type = strip_reference(type);
    for (unsigned i = 0; i < GUESS_DEPTH; ++i) {
        CXType element =
            is_pointer(type) ? clang_getPointeeType(canonical(type)) : array_element(type);
        if (element.kind == CXType_Invalid)
            break;
        type = element;
    }
    if (!is_dependent(type))
        return true;
    enum CXCursorKind kind = clang_getCursorKind(clang_getTypeDeclaration(type));
    return is_record_kind(kind) || kind == CXCursor_ClassTemplate ||
           kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool tell(CXType type, CXType *out)
{
    if (type.kind == CXType_Invalid || !is_telling(type))
        return false;
    *out = strip_reference(type);
    return true;
}

// --- Functors --------------------------------------------------------------------------------

static enum CXChildVisitResult find_return(CXCursor e, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(e);
    if (kind == CXCursor_LambdaExpr)
        return CXChildVisit_Continue;
    if (kind != CXCursor_ReturnStmt)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = e;
    return CXChildVisit_Break;
}

// The value of the first `return` of a function or lambda; null where there is none.
static CXCursor returned(struct lower *l, CXCursor function)
{
    CXCursor statement = clang_getNullCursor();
    clang_visitChildren(function, find_return, &statement);
    return cursor_is_null(statement) ? statement : last_child(l, statement);
}

static enum CXChildVisitResult find_lambda(CXCursor e, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(e);
    if (kind != CXCursor_LambdaExpr)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = e;
    return CXChildVisit_Break;
}

static CXCursor lambda_in(CXCursor e)
{
    CXCursor found = clang_getNullCursor();
    if (clang_getCursorKind(e) == CXCursor_LambdaExpr)
        return e;
    clang_visitChildren(e, find_lambda, &found);
    return found;
}

static enum CXChildVisitResult find_template(CXCursor e, CXCursor parent, CXClientData data)
{
    (void)parent;
    enum CXCursorKind kind = clang_getCursorKind(e);
    if (kind == CXCursor_LambdaExpr)
        return CXChildVisit_Continue;
    if (kind != CXCursor_TemplateRef)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = clang_getCursorReferenced(e);
    return CXChildVisit_Break;
}

static CXCursor member_named(struct lower *l, CXCursor class, const char *name)
{
    struct children children = children_of(scratch_of(l), definition_of(class));
    for (size_t i = 0; i < children.count; ++i)
        if (strcmp(cursor_name(scratch_of(l), children.item[i]), name) == 0)
            return children.item[i];
    return clang_getNullCursor();
}

// `Class([&](int i) { ... })[k]` where the subscript of the class template hands its argument to
// what the object was made of: the type the lambda returns.
static bool guess_functor(struct lower *l, CXCursor init, const char *operator_name, unsigned depth,
                          CXType *out)
{
    CXCursor lambda = lambda_in(init);
    if (cursor_is_null(lambda))
        return false;
    CXCursor class = clang_getNullCursor();
    clang_visitChildren(init, find_template, &class);
    if (!cursor_is_null(class) && clang_getCursorKind(class) == CXCursor_ClassTemplate) {
        CXCursor subscript = member_named(l, class, operator_name);
        CXCursor value = cursor_is_null(subscript) ? subscript : returned(l, subscript);
        if (cursor_is_null(value) || clang_getCursorKind(strip(l, value)) != CXCursor_CallExpr)
            return false;
    } else if (!clang_equalCursors(strip(l, init), lambda) || operator_name[8] != '(') {
        return false; // not the lambda itself
    }
    CXCursor value = returned(l, lambda);
    return !cursor_is_null(value) && guess(l, value, depth, out);
}

// --- Kinds of expressions --------------------------------------------------------------------

static CXCursor initializer_of(struct lower *l, CXCursor variable)
{
    CXCursor init = last_child(l, variable);
    return !cursor_is_null(init) && is_expression(init) ? init : clang_getNullCursor();
}

static CXCursor variable_of(struct lower *l, CXCursor e)
{
    CXCursor name = strip(l, e);
    CXCursor decl = clang_getCursorKind(name) == CXCursor_DeclRefExpr
                        ? clang_getCursorReferenced(name)
                        : clang_getNullCursor();
    return !cursor_is_null(decl) && clang_getCursorKind(decl) == CXCursor_VarDecl
               ? decl
               : clang_getNullCursor();
}

static bool guess_variable(struct lower *l, CXCursor e, unsigned depth, CXType *out)
{
    CXCursor variable = variable_of(l, e);
    CXCursor init = cursor_is_null(variable) ? variable : initializer_of(l, variable);
    return !cursor_is_null(init) && guess(l, init, depth, out);
}

// A pointer's or an array's element, or what a functor returns.
static bool guess_element(struct lower *l, CXCursor base, const char *operator_name, unsigned depth,
                          CXType *out)
{
    CXType type;
    if (guess(l, base, depth, &type)) {
        if (is_pointer(type))
            return tell(clang_getPointeeType(canonical(type)), out);
        CXType element = array_element(type);
        if (element.kind != CXType_Invalid)
            return tell(element, out);
    }
    CXCursor variable = variable_of(l, base);
    CXCursor init = cursor_is_null(variable) ? variable : initializer_of(l, variable);
    return !cursor_is_null(init) && guess_functor(l, init, operator_name, depth, out);
}

static bool guess_member(struct lower *l, CXCursor e, unsigned depth, CXType *out)
{
    CXCursor field = clang_getCursorReferenced(e);
    if (cursor_is_null(field)) {
        CXCursor object = only_child(l, e);
        CXType type;
        if (cursor_is_null(object) || !guess(l, object, depth, &type))
            return false;
        if (is_pointer(type))
            type = clang_getPointeeType(canonical(type));
        CXCursor class = clang_getTypeDeclaration(type);
        field = cursor_is_null(class) ? class : member_named(l, class, written_name(l, e));
    }
    return !cursor_is_null(field) && clang_getCursorKind(field) == CXCursor_FieldDecl &&
           tell(clang_getCursorType(field), out);
}

static bool guess_call(struct lower *l, CXCursor e, unsigned depth, CXType *out)
{
    struct children children = children_of(scratch_of(l), e);
    if (children.count == 0 || !is_expression(children.item[0]))
        return false;
    CXCursor callee = clang_getCursorReferenced(e);
    if (!cursor_is_null(callee) && is_function_kind(clang_getCursorKind(callee)))
        return tell(clang_getCursorResultType(callee), out);
    // `get()` of a lambda that is in a variable.
    return guess_element(l, children.item[0], "operator()", depth, out);
}

static bool guess(struct lower *l, CXCursor e, unsigned depth, CXType *out)
{
    if (depth >= GUESS_DEPTH)
        return false;
    ++depth;
    e = strip(l, e);
    if (tell(clang_getCursorType(e), out))
        return true;
    struct children children = children_of(scratch_of(l), e);
    switch (clang_getCursorKind(e)) {
    case CXCursor_DeclRefExpr:
        return guess_variable(l, e, depth, out);
    case CXCursor_MemberRefExpr:
        return guess_member(l, e, depth, out);
    case CXCursor_ArraySubscriptExpr:
        return children.count == 2 && guess_element(l, children.item[0], "operator[]", depth, out);
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(e) == CXUnaryOperator_Deref && children.count &&
               guess_element(l, children.item[0], "operator*", depth, out);
    case CXCursor_ConditionalOperator:
        return children.count == 3 &&
               (guess(l, children.item[1], depth, out) || guess(l, children.item[2], depth, out));
    case CXCursor_CallExpr:
        return guess_call(l, e, depth, out);
    default:
        return false;
    }
}

bool guess_type(struct lower *l, CXCursor e, CXType *out)
{
    return guess(l, e, 0, out);
}
