// Loops.
#include "frontend/lower.h"

#include <string.h>

// Marks the branch that decides whether the loop goes on.
static void mark_loop(struct lower *l)
{
    arrlast(ir_builder_function(&l->b)->op).flags |= IR_LOOP;
}

static void loop_body(struct lower *l, CXCursor body, ir_block_id next, ir_block_id end)
{
    struct jump jump = {.target_break = end,
                        .target_continue = next,
                        .cleanup_depth = arrlenu(l->cleanup),
                        .continue_depth = arrlenu(l->cleanup)};
    arrput(l->jump, jump);
    lower_statement(l, body);
    cleanup_run(l, jump.cleanup_depth, true);
    (void)arrpop(l->jump);
}

struct for_parts {
    CXCursor init, variable, condition, increment, body;
};

static bool is_condition(CXCursor e)
{
    return is_expression(e) && canonical(clang_getCursorType(e)).kind == CXType_Bool;
}

// libclang shows those of the four parts of a for that are there; which ones follows from what
// stands between the parentheses, or where a macro hides that, from their kinds.
static struct for_parts for_parts(struct lower *l, CXCursor s)
{
    CXCursor none = clang_getNullCursor();
    struct for_parts parts = {none, none, none, none, none};
    struct children children = children_of(scratch_of(l), s);
    if (children.count == 0)
        return parts;
    size_t count = children.count - 1, at = 0;
    parts.body = children.item[count];
    bool is_empty[3];
    bool is_known = paren_parts(text_at(l->unit, s), is_empty) == 3;
    CXCursor *item = children.item;
    // The variable a condition declares stands between init statement and condition.
    size_t variable = count;
    for (size_t i = 0; i < count; ++i)
        if (clang_getCursorKind(item[i]) == CXCursor_VarDecl)
            variable = i;
    size_t shown = count - (variable < count);
    if (is_known &&
        (size_t)(!is_empty[0]) + (size_t)(!is_empty[1]) + (size_t)(!is_empty[2]) == shown) {
        if (!is_empty[0])
            parts.init = item[at++];
        if (variable < count)
            parts.variable = item[at++];
        if (!is_empty[1])
            parts.condition = item[at++];
        if (!is_empty[2])
            parts.increment = item[at++];
        return parts;
    }
    if (at < count && (clang_getCursorKind(item[at]) == CXCursor_DeclStmt ||
                       (shown == 3 && !is_condition(item[at]))))
        parts.init = item[at++];
    if (at < count && at == variable)
        parts.variable = item[at++];
    if (at + 1 < count && !is_condition(item[at]) && cursor_is_null(parts.init))
        parts.init = item[at++];
    if (at < count && is_condition(item[at]))
        parts.condition = item[at++];
    if (at < count)
        parts.increment = item[at++];
    return parts;
}

void lower_for(struct lower *l, CXCursor s)
{
    struct for_parts parts = for_parts(l, s);
    if (cursor_is_null(parts.body)) {
        lower_unknown(l, s, "for without a body");
        return;
    }
    size_t depth = arrlenu(l->cleanup);
    if (!cursor_is_null(parts.init))
        lower_statement(l, parts.init);
    ir_block_id head = ir_build_block(&l->b), body = ir_build_block(&l->b);
    ir_block_id next = ir_build_block(&l->b), end = ir_build_block(&l->b);
    jump_to(l, head);
    go(l, head);
    if (!cursor_is_null(parts.variable))
        lower_variable(l, parts.variable);
    if (!cursor_is_null(parts.condition))
        lower_condition(l, parts.condition, body, end, true);
    else
        jump_to(l, body);
    go(l, body);
    loop_body(l, parts.body, next, end);
    jump_to(l, next);
    go(l, next);
    if (!cursor_is_null(parts.increment))
        lower_full_expression(l, parts.increment);
    jump_to(l, head);
    go(l, end);
    cleanup_run(l, depth, true);
}

void lower_while(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    size_t at = 0;
    CXCursor variable = clang_getNullCursor();
    if (children.count > 2 && clang_getCursorKind(children.item[0]) == CXCursor_VarDecl)
        variable = children.item[at++];
    if (children.count - at < 2) {
        lower_unknown(l, s, "while without a condition");
        return;
    }
    size_t depth = arrlenu(l->cleanup);
    ir_block_id head = ir_build_block(&l->b), body = ir_build_block(&l->b);
    ir_block_id end = ir_build_block(&l->b);
    jump_to(l, head);
    go(l, head);
    if (!cursor_is_null(variable))
        lower_variable(l, variable);
    lower_condition(l, children.item[at], body, end, true);
    go(l, body);
    loop_body(l, children.item[children.count - 1], head, end);
    jump_to(l, head);
    go(l, end);
    cleanup_run(l, depth, true);
}

void lower_do(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    if (children.count != 2) {
        lower_unknown(l, s, "do without a condition");
        return;
    }
    ir_block_id body = ir_build_block(&l->b), next = ir_build_block(&l->b);
    ir_block_id end = ir_build_block(&l->b);
    jump_to(l, body);
    go(l, body);
    loop_body(l, children.item[0], next, end);
    jump_to(l, next);
    go(l, next);
    lower_condition(l, children.item[1], body, end, true);
    go(l, end);
}

// --- Range-based for -------------------------------------------------------------------------

// The hidden variable that holds the position, found in the initializer of the loop variable.
static enum CXChildVisitResult find_begin(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(decl) != CXCursor_VarDecl)
        return CXChildVisit_Recurse;
    CXString name = clang_getCursorSpelling(decl);
    const char *text = clang_getCString(name);
    bool found = text && strncmp(text, "__begin", 7) == 0;
    clang_disposeString(name);
    if (!found)
        return CXChildVisit_Recurse;
    *(CXCursor *)data = decl;
    return CXChildVisit_Break;
}

static CXCursor method_named(struct lower *l, CXType type, const char *name, int parameters)
{
    struct record_info *record = is_record(type) ? record_of(l->unit, type) : NULL;
    if (!record)
        return clang_getNullCursor();
    record_fill(l->unit, record);
    for (ptrdiff_t i = 0; i < arrlen(record->method); ++i)
        if (strcmp(cursor_name(scratch_of(l), record->method[i]), name) == 0 &&
            clang_Cursor_getNumArguments(record->method[i]) == parameters)
            return record->method[i];
    return clang_getNullCursor();
}

// The pointer that an object of the class is and nothing beside, as an iterator over words in a row
// often is; an invalid type where it is something else.
static CXType pointer_within(struct lower *l, CXType type)
{
    CXType none = {.kind = CXType_Invalid};
    struct record_info *record = is_record(type) ? record_of(l->unit, type) : NULL;
    if (!record)
        return none;
    record_fill(l->unit, record);
    if (arrlen(record->field) != 1 || arrlen(record->base) != 0)
        return none;
    CXType field = clang_getCursorType(record->field[0]);
    return is_pointer(field) && size_of(field) == size_of(type) ? field : none;
}

struct range {
    CXType type;      // of the position
    CXType compared;  // of what tells two positions apart where that is a pointer
    ir_value at, end; // addresses of the objects that hold them; end may be IR_NONE
    CXCursor differs, advances;
    bool equal; // `differs` is operator== instead
};

// Lowers the range and the two hidden positions. Returns false where the end cannot be found.
static bool range_begin(struct lower *l, CXCursor range, CXCursor begin, struct range *out)
{
    out->type = clang_getCursorType(begin);
    out->compared = (CXType){.kind = CXType_Invalid};
    if (is_pointer(out->type))
        out->compared = out->type;
    CXType type = strip_reference(clang_getCursorType(range));
    ir_value object = lower_address(l, range);
    out->at = emit_temporary(l, out->type);
    place_put(l, begin, (struct place){PLACE_VALUE, out->at});
    out->end = IR_NONE;
    if (classify(type) == CLASS_ARRAY) {
        CXType element = array_element(type);
        ir_type_id pointer = pointer_to(l->unit, element);
        int64_t bytes = array_count(type) * (int64_t)size_of(element);
        ir_value first = emit_offset(l, object, 0, pointer);
        emit_store(l, out->type, out->at, first);
        out->end = emit_temporary(l, out->type);
        emit_store(l, out->type, out->end, emit_offset(l, first, bytes, pointer));
        return true;
    }
    CXCursor first = method_named(l, type, "begin", 0), last = method_named(l, type, "end", 0);
    if (cursor_is_null(first) || cursor_is_null(last))
        return false;
    CXType last_type = clang_getResultType(clang_getCursorType(last));
    ir_value value[2];
    value[0] = call_function(l, first, &object, 1, true);
    value[1] = call_function(l, last, &object, 1, true);
    out->end = emit_temporary(l, last_type);
    for (int i = 0; i < 2; ++i) {
        CXType result = i ? last_type : out->type;
        ir_value to = i ? out->end : out->at;
        if (value[i] == IR_NONE)
            return false;
        if (is_record(result))
            emit(l, IR_COPY, IR_NONE, (ir_value[]){to, value[i]}, 2, (int64_t)size_of(result));
        else
            emit_store(l, result, to, value[i]);
    }
    if (is_pointer(out->type))
        return true;
    out->advances = method_named(l, out->type, "operator++", 0);
    out->differs = method_named(l, out->type, "operator!=", 1);
    if (cursor_is_null(out->differs)) {
        out->differs = method_named(l, out->type, "operator==", 1);
        out->equal = true;
    }
    // No cursor leads to an instance of an operator that is a template beside the class.
    bool alone = cursor_is_null(out->differs) && is_record(last_type) &&
                 clang_equalTypes(canonical(out->type), canonical(last_type));
    if (alone)
        out->compared = pointer_within(l, out->type);
    bool comparable = !cursor_is_null(out->differs) || out->compared.kind != CXType_Invalid;
    return comparable && !cursor_is_null(out->advances);
}

static ir_value range_goes_on(struct lower *l, const struct range *range)
{
    ir_type_id truth = ir_type_bool(unit_of(l));
    if (range->compared.kind != CXType_Invalid) {
        ir_value at = emit_load(l, range->compared, range->at);
        ir_value end = emit_load(l, range->compared, range->end);
        return emit_binary(l, IR_NE, truth, at, end);
    }
    CXType parameter = clang_getArgType(canonical(clang_getCursorType(range->differs)), 0);
    ir_value end = range->end;
    if (!is_reference(parameter) && !is_record(parameter))
        end = emit_load(l, parameter, end);
    ir_value value = call_function(l, range->differs, (ir_value[]){range->at, end}, 2, true);
    return range->equal ? emit_binary(l, IR_EQ, truth, value, emit_bool(l, false)) : value;
}

void lower_range_for(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    CXCursor variable = clang_getNullCursor(), range = variable, body = variable, begin = variable;
    size_t depth = arrlenu(l->cleanup);
    for (size_t i = 0; i + 1 < children.count; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[i]);
        if (kind == CXCursor_VarDecl || kind == CXCursor_UnexposedDecl)
            variable = children.item[i];
        else if (kind == CXCursor_DeclStmt)
            lower_statement(l, children.item[i]);
        else if (is_expression(children.item[i]))
            range = children.item[i];
    }
    if (children.count)
        body = children.item[children.count - 1];
    if (!cursor_is_null(variable))
        clang_visitChildren(variable, find_begin, &begin);
    ir_block_id head = ir_build_block(&l->b), inside = ir_build_block(&l->b);
    ir_block_id next = ir_build_block(&l->b), end = ir_build_block(&l->b);
    struct range state = {.differs = clang_getNullCursor(), .advances = clang_getNullCursor()};
    bool is_known = !cursor_is_null(range) && !cursor_is_null(begin) &&
                    !is_dependent(clang_getCursorType(begin)) &&
                    range_begin(l, range, begin, &state);
    jump_to(l, head);
    go(l, head);
    if (is_known) {
        ir_value more = range_goes_on(l, &state);
        ir_build_condbr(&l->b, more, inside, end);
    } else {
        // How often is unknown.
        ir_value more = emit(l, IR_OPAQUE, ir_type_bool(unit_of(l)), NULL, 0, 0);
        ir_build_text(&l->b, more, "range of unknown length");
        count_opaque(l->unit, "range of unknown length");
        ir_build_condbr(&l->b, more, inside, end);
    }
    mark_loop(l);
    go(l, inside);
    size_t round = arrlenu(l->cleanup);
    if (!cursor_is_null(variable)) {
        if (clang_getCursorKind(variable) == CXCursor_VarDecl)
            lower_variable(l, variable);
        else
            lower_decomposition(l, variable);
    }
    if (!cursor_is_null(body))
        loop_body(l, body, next, end);
    cleanup_run(l, round, true);
    jump_to(l, next);
    go(l, next);
    if (is_known && is_pointer(state.type)) {
        ir_value at = emit_load(l, state.type, state.at);
        int64_t step = (int64_t)size_of(clang_getPointeeType(canonical(state.type)));
        emit_store(l, state.type, state.at, emit_offset(l, at, step, type_of(l->unit, state.type)));
    } else if (is_known) {
        call_function(l, state.advances, &state.at, 1, false);
    }
    jump_to(l, head);
    go(l, end);
    cleanup_run(l, depth, true);
}
