// Lambdas: a closure object with one field a capture; the body is the closure's call operator.
#include "frontend/lower.h"

#include <string.h>

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data)
{
    CXCursor **list = data;
    arrput(*list, field);
    return CXVisit_Continue;
}

struct uses {
    struct lower *l;
    CXCursor *variable; // stb_ds array: variables of enclosing functions, by first use
    struct cursor_map seen, own;
    bool has_this;
};

// Finds what a lambda's body uses from outside. What the body declares itself is met before it is
// used, except where it stands in no scope that is visited, and so is told by its parent.
static enum CXChildVisitResult find_use(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct uses *uses = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_UnexposedDecl)
        cursor_map_put(&uses->own, cursor, 0);
    if (kind == CXCursor_CXXThisExpr)
        uses->has_this = true;
    if (kind == CXCursor_DeclRefExpr) {
        CXCursor decl = clang_getCursorReferenced(cursor);
        enum CXCursorKind decl_kind = clang_getCursorKind(decl);
        bool is_variable =
            decl_kind == CXCursor_ParmDecl || decl_kind == CXCursor_UnexposedDecl ||
            (decl_kind == CXCursor_VarDecl && clang_Cursor_hasVarDeclGlobalStorage(decl) == 0 &&
             !has_annotation(decl, "barlint.shared", NULL));
        if (is_variable && cursor_map_find(&uses->own, decl) == IR_NONE &&
            cursor_map_find(&uses->seen, decl) == IR_NONE) {
            cursor_map_put(&uses->seen, decl, 0);
            arrput(uses->variable, decl);
        }
    }
    return CXChildVisit_Recurse;
}

// Whether the variable is a constant that code reads without capturing it (C++17, [basic.def.odr]),
// which is what becomes of `constexpr int stages = 4` in a lambda.
static bool is_plain_constant(struct lower *l, CXCursor variable)
{
    int64_t value;
    return clang_getCursorKind(variable) == CXCursor_VarDecl &&
           clang_isConstQualifiedType(canonical(clang_getCursorType(variable))) &&
           classify(clang_getCursorType(variable)) == CLASS_SCALAR && evaluate(l, variable, &value);
}

// The first variable of the list that can be what the field holds; one that need not be captured
// only when there is no other.
static CXCursor take_variable(struct lower *l, CXCursor **list, CXType type, bool by_reference)
{
    ptrdiff_t best = -1;
    bool is_last = false;
    for (ptrdiff_t i = 0; i < arrlen(*list) && !is_last; ++i) {
        CXType own = strip_reference(clang_getCursorType((*list)[i]));
        CXType wanted = by_reference ? clang_getPointeeType(canonical(type)) : type;
        bool decayed = is_decayed((*list)[i]) && is_pointer(wanted);
        if (!same_type(own, wanted) && !is_dependent(own) && !decayed)
            continue;
        is_last = !is_plain_constant(l, (*list)[i]);
        if (best < 0 || is_last)
            best = i;
    }
    if (best < 0)
        return clang_getNullCursor();
    CXCursor found = (*list)[best];
    arrdel(*list, best);
    return found;
}

static bool is_this_pointer(struct lower *l, CXType type)
{
    if (cursor_is_null(l->this_record) || !is_pointer(type))
        return false;
    CXType pointee = clang_getPointeeType(canonical(type));
    return is_record(pointee) && same_type(pointee, clang_getCursorType(l->this_record));
}

// Names the variables in the order of the closure's fields: explicit captures as they are written,
// then implicit ones by first use. The types of the fields settle what belongs to which.
static void match_captures(struct lower *l, CXCursor e, struct closure_info *info)
{
    CXCursor *field = NULL, *written = NULL;
    clang_Type_visitFields(clang_getCursorType(e), collect_field, &field);
    struct uses uses = {.l = l};
    struct children children = children_all(scratch_of(l), e);
    for (size_t i = 0; i < children.count; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[i]);
        if (kind == CXCursor_VariableRef) {
            CXCursor variable = clang_getCursorReferenced(children.item[i]);
            arrput(written, variable);
            cursor_map_put(&uses.seen, variable, 0);
        } else if (kind == CXCursor_ParmDecl) {
            cursor_map_put(&uses.own, children.item[i], 0);
        } else if (kind == CXCursor_CompoundStmt) {
            clang_visitChildren(children.item[i], find_use, &uses);
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(field); ++i) {
        CXType type = clang_getCursorType(field[i]);
        long long bits = clang_Cursor_getOffsetOfField(field[i]);
        struct closure_capture capture = {.type = type,
                                          // Unknown in a template: the fields stay apart.
                                          .offset =
                                              bits >= 0 ? (uint64_t)bits / 8 : (uint64_t)i * 16,
                                          .by_reference = is_reference(type)};
        capture.variable = take_variable(l, &written, type, capture.by_reference);
        if (cursor_is_null(capture.variable))
            capture.variable = take_variable(l, &uses.variable, type, capture.by_reference);
        if (cursor_is_null(capture.variable)) {
            capture.is_this = is_this_pointer(l, type);
            capture.is_this_copy = !capture.is_this && !cursor_is_null(l->this_record) &&
                                   is_record(type) &&
                                   same_type(type, clang_getCursorType(l->this_record));
        }
        arrput(info->capture, capture);
    }
    cursor_map_release(&uses.seen);
    cursor_map_release(&uses.own);
    arrfree(uses.variable);
    arrfree(written);
    arrfree(field);
}

// What the field of a capture holds.
static ir_type_id field_type(struct lower *l, const struct closure_capture *capture)
{
    CXType type =
        capture->by_reference ? clang_getPointeeType(canonical(capture->type)) : capture->type;
    bool decayed = !cursor_is_null(capture->variable) && is_decayed(capture->variable);
    if (decayed && classify(type) != CLASS_SCALAR) {
        ir_type_id id = parameter_type(l->unit, type);
        return capture->by_reference ? ir_type_pointer(unit_of(l), id) : id;
    }
    return capture->by_reference ? pointer_to(l->unit, type) : type_of(l->unit, type);
}

static void store_capture(struct lower *l, const struct closure_capture *capture, ir_value address)
{
    ir_type_id type = field_type(l, capture);
    ir_value slot =
        emit_offset(l, address, (int64_t)capture->offset, ir_type_pointer(unit_of(l), type));
    if (capture->is_this || capture->is_this_copy) {
        ir_value object = lower_this(l);
        if (object == IR_NONE)
            return;
        if (capture->is_this)
            emit(l, IR_STORE, IR_NONE, (ir_value[]){slot, object}, 2, 0);
        else
            construct_copy(l, capture->type, slot, object);
        return;
    }
    if (cursor_is_null(capture->variable)) {
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "lambda capture", false, &slot, 1);
        return;
    }
    uint32_t known = cursor_map_find(&l->places_of, capture->variable);
    ir_value source = IR_NONE;
    if (known != IR_NONE)
        source = place_address(l, &l->place[known], capture->type);
    else
        source = capture_address(l, capture->variable);
    CXCursor init = clang_getCursorKind(capture->variable) == CXCursor_VarDecl
                        ? clang_Cursor_getVarDeclInitializer(capture->variable)
                        : clang_getNullCursor();
    if (source == IR_NONE && !cursor_is_null(init)) {
        lower_into(l, init, capture->type, slot); // [name = value]
        return;
    }
    if (source == IR_NONE) {
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "lambda capture", false, &slot, 1);
        return;
    }
    if (capture->by_reference)
        emit(l, IR_STORE, IR_NONE, (ir_value[]){slot, source}, 2, 0);
    else if (is_decayed(capture->variable))
        emit(l, IR_STORE, IR_NONE,
             (ir_value[]){slot, known != IR_NONE ? load_pointer(l, source) : source}, 2, 0);
    else if (classify(capture->type) == CLASS_SCALAR)
        emit_store(l, capture->type, slot, emit_load(l, capture->type, source));
    else
        construct_copy(l, capture->type, slot, source);
}

static const struct closure_info *closure_made(struct lower *l, CXCursor e, CXCursor decl)
{
    struct lowering *u = l->unit;
    uint32_t known = cursor_map_find(&u->closures, decl);
    if (known == IR_NONE) {
        struct closure_info *info = arena_new(&u->arena, struct closure_info);
        *info = (struct closure_info){.decl = decl, .this_record = l->this_record};
        match_captures(l, e, info);
        known = (uint32_t)arrlenu(u->closure);
        cursor_map_put(&u->closures, decl, known);
        arrput(u->closure, info);
    }
    return u->closure[known];
}

void lower_lambda(struct lower *l, CXCursor e, ir_value address)
{
    struct lowering *u = l->unit;
    CXType type = clang_getCursorType(e);
    CXCursor decl = clang_getTypeDeclaration(type);
    if (cursor_is_null(decl) || is_dependent(type)) {
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "lambda of a dependent type", true,
                    &address, 1);
        return;
    }
    const struct closure_info *info = closure_made(l, e, clang_getCanonicalCursor(decl));
    type_of(u, type);
    for (ptrdiff_t i = 0; i < arrlen(info->capture); ++i)
        store_capture(l, &info->capture[i], address);
}

static enum CXChildVisitResult reach_lambda(CXCursor e, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct lower *l = data;
    if (clang_getCursorKind(e) != CXCursor_LambdaExpr)
        return CXChildVisit_Recurse;
    CXCursor decl = clang_getTypeDeclaration(clang_getCursorType(e));
    struct children children = {0};
    if (!cursor_is_null(decl))
        children = children_of(scratch_of(l), decl);
    for (size_t i = 0; i < children.count; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[i]);
        if (kind != CXCursor_CXXMethod && kind != CXCursor_FunctionTemplate)
            continue;
        closure_made(l, e, clang_getCanonicalCursor(decl));
        function_of(l->unit, children.item[i]);
    }
    return CXChildVisit_Continue; // those inside are met when its body is lowered
}

void reach_lambdas(struct lower *l, CXCursor body)
{
    clang_visitChildren(body, reach_lambda, l);
}

const struct closure_info *closure_of(struct lowering *u, CXCursor method)
{
    CXCursor parent = clang_getCursorSemanticParent(method);
    if (cursor_is_null(parent) || !is_record_kind(clang_getCursorKind(parent)))
        return NULL;
    uint32_t known = cursor_map_find(&u->closures, clang_getCanonicalCursor(parent));
    return known == IR_NONE ? NULL : u->closure[known];
}

static ir_value capture_slot(struct lower *l, const struct closure_capture *capture)
{
    ir_type_id type = field_type(l, capture);
    return emit_offset(l, l->closure_this, (int64_t)capture->offset,
                       ir_type_pointer(unit_of(l), type));
}

ir_value capture_address(struct lower *l, CXCursor variable)
{
    if (!l->closure || l->closure_this == IR_NONE)
        return IR_NONE;
    for (ptrdiff_t i = 0; i < arrlen(l->closure->capture); ++i) {
        struct closure_capture capture = l->closure->capture[i];
        if (cursor_is_null(capture.variable) || !clang_equalCursors(capture.variable, variable))
            continue;
        ir_value slot = capture_slot(l, &capture);
        if (capture.by_reference)
            slot = load_pointer(l, slot);
        return is_decayed(capture.variable) ? load_pointer(l, slot) : slot;
    }
    return IR_NONE;
}

ir_value capture_this(struct lower *l)
{
    for (ptrdiff_t i = 0; l->closure_this != IR_NONE && i < arrlen(l->closure->capture); ++i) {
        struct closure_capture capture = l->closure->capture[i];
        if (!capture.is_this && !capture.is_this_copy)
            continue;
        ir_value slot = capture_slot(l, &capture);
        return capture.is_this ? emit(l, IR_LOAD, type_of(l->unit, capture.type), &slot, 1, 0)
                               : slot;
    }
    return IR_NONE;
}
