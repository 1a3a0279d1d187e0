// Statements: blocks, branches, switches, jumps, and the scopes that end with them.
#include "frontend/lower.h"

#include <string.h>

void go(struct lower *l, ir_block_id block)
{
    l->b.block = block;
}

void jump_to(struct lower *l, ir_block_id block)
{
    if (!ir_builder_ended(&l->b))
        ir_build_br(&l->b, block);
}

void cleanup_push(struct lower *l, CXType type, struct place place)
{
    arrput(l->cleanup, ((struct cleanup){type, place}));
}

void cleanup_run(struct lower *l, size_t depth, bool pop)
{
    if (!ir_builder_ended(&l->b))
        for (size_t i = arrlenu(l->cleanup); i > depth; --i) {
            struct cleanup cleanup = l->cleanup[i - 1];
            destroy(l, cleanup.type, place_address(l, &cleanup.place, cleanup.type));
        }
    if (pop && arrlenu(l->cleanup) > depth)
        arrsetlen(l->cleanup, depth);
}

void lower_full_expression(struct lower *l, CXCursor e)
{
    size_t depth = arrlenu(l->cleanup);
    lower_discard(l, e);
    cleanup_run(l, depth, true);
}

static void lower_declaration(struct lower *l, CXCursor decl)
{
    switch (clang_getCursorKind(decl)) {
    case CXCursor_VarDecl:
        lower_variable(l, decl);
        break;
    case CXCursor_UnexposedDecl: {
        // A structured binding; other unexposed declarations (static_assert) declare nothing.
        struct children children = children_of(scratch_of(l), decl);
        if (children.count && clang_getCursorKind(children.item[0]) == CXCursor_UnexposedDecl)
            lower_decomposition(l, decl);
        break;
    }
    default:
        break;
    }
}

static void lower_scoped(struct lower *l, CXCursor s)
{
    size_t depth = arrlenu(l->cleanup);
    lower_statement(l, s);
    cleanup_run(l, depth, true);
}

// --- Branches --------------------------------------------------------------------------------

// The parts of an if, a switch or a while as far as libclang shows them: it leaves absent ones out
// and puts the variable of the condition first.
struct header {
    CXCursor variable, init, condition;
    CXCursor rest[2]; // statement, else statement
    size_t rest_count;
};

static struct header header_of(struct lower *l, CXCursor s, bool may_have_init)
{
    struct header header = {.variable = clang_getNullCursor(),
                            .init = clang_getNullCursor(),
                            .condition = clang_getNullCursor()};
    struct children children = children_of(scratch_of(l), s);
    size_t at = 0;
    bool is_empty[3];
    const char *text = text_at(l->unit, s);
    if (at < children.count && clang_getCursorKind(children.item[at]) == CXCursor_VarDecl)
        header.variable = children.item[at++];
    if (may_have_init && at < children.count) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[at]);
        bool is_decl = kind == CXCursor_DeclStmt;
        bool written = paren_parts(text, is_empty) >= 2 && !is_empty[0];
        if (is_decl || (written && children.count - at >= 3))
            header.init = children.item[at++];
    }
    if (at < children.count)
        header.condition = children.item[at++];
    while (at < children.count && header.rest_count < 2)
        header.rest[header.rest_count++] = children.item[at++];
    return header;
}

static void lower_header(struct lower *l, const struct header *header)
{
    if (!cursor_is_null(header->init))
        lower_statement(l, header->init);
    if (!cursor_is_null(header->variable))
        lower_variable(l, header->variable);
}

static void lower_if(struct lower *l, CXCursor s)
{
    struct header header = header_of(l, s, true);
    size_t depth = arrlenu(l->cleanup);
    lower_header(l, &header);
    if (cursor_is_null(header.condition)) {
        lower_unknown(l, s, "if without a condition");
        cleanup_run(l, depth, true);
        return;
    }
    bool is_constexpr = text_has_word(text_at(l->unit, s), "constexpr", "(");
    bool is_consteval = text_has_word(text_at(l->unit, s), "consteval", "{;");
    if (is_consteval) {
        // The run-time arm: the else of `if consteval`; libclang shows both arms only.
        if (header.rest_count >= 1)
            lower_scoped(l, header.rest[0]);
        cleanup_run(l, depth, true);
        return;
    }
    int64_t truth;
    if (is_constexpr && !l->is_pattern && evaluate(l, header.condition, &truth)) {
        // The arm that is discarded is an empty statement, or nothing in place of an else.
        size_t arm = truth ? 0 : 1;
        if (arm < header.rest_count)
            lower_scoped(l, header.rest[arm]);
        cleanup_run(l, depth, true);
        return;
    }
    ir_block_id yes = ir_build_block(&l->b), end = ir_build_block(&l->b);
    ir_block_id no = header.rest_count > 1 ? ir_build_block(&l->b) : end;
    lower_condition(l, header.condition, yes, no, false);
    go(l, yes);
    if (header.rest_count > 0)
        lower_scoped(l, header.rest[0]);
    jump_to(l, end);
    if (header.rest_count > 1) {
        go(l, no);
        lower_scoped(l, header.rest[1]);
        jump_to(l, end);
    }
    go(l, end);
    cleanup_run(l, depth, true);
}

static void lower_switch(struct lower *l, CXCursor s)
{
    struct header header = header_of(l, s, false);
    size_t depth = arrlenu(l->cleanup);
    lower_header(l, &header);
    if (cursor_is_null(header.condition) || header.rest_count == 0) {
        lower_unknown(l, s, "switch without a condition");
        cleanup_run(l, depth, true);
        return;
    }
    CXType type = clang_getCursorType(header.condition);
    size_t condition_depth = arrlenu(l->cleanup);
    ir_value value = lower_value(l, header.condition);
    if (value == IR_NONE)
        value = emit_opaque(l, type, "condition", false, NULL, 0);
    if (value == IR_NONE)
        value = emit_bool(l, true);
    cleanup_run(l, condition_depth, true);
    ir_block_id head = l->b.block, end = ir_build_block(&l->b);
    struct ir_loc head_loc = l->b.loc;
    struct switch_state state = {.otherwise = IR_NONE, .type = type};
    struct switch_state *outer = l->switch_state;
    l->switch_state = &state;
    ir_block_id outer_continue = arrlen(l->jump) ? arrlast(l->jump).target_continue : IR_NONE;
    size_t continue_depth = arrlen(l->jump) ? arrlast(l->jump).continue_depth : arrlenu(l->cleanup);
    struct jump jump = {.target_break = end,
                        .target_continue = outer_continue,
                        .cleanup_depth = arrlenu(l->cleanup),
                        .continue_depth = continue_depth};
    arrput(l->jump, jump);
    // Statements before the first label are unreachable.
    l->b.block = IR_NONE;
    lower_scoped(l, header.rest[0]);
    jump_to(l, end);
    (void)arrpop(l->jump);
    l->switch_state = outer;
    l->b.block = head;
    struct ir_loc saved = l->b.loc;
    l->b.loc = head_loc;
    ir_build_switch(&l->b, value, state.otherwise == IR_NONE ? end : state.otherwise, state.cases,
                    arrlenu(state.cases));
    l->b.loc = saved;
    arrfree(state.cases);
    go(l, end);
    cleanup_run(l, depth, true);
}

static ir_block_id begin_label(struct lower *l)
{
    ir_block_id block = ir_build_block(&l->b);
    jump_to(l, block);
    go(l, block);
    return block;
}

static bool case_value(struct lower *l, CXCursor e, int64_t *out)
{
    if (evaluate(l, e, out))
        return true;
    CXCursor inner = strip(l, e);
    CXCursor decl = clang_getCursorReferenced(inner);
    if (!cursor_is_null(decl) && clang_getCursorKind(decl) == CXCursor_EnumConstantDecl) {
        *out = clang_getEnumConstantDeclValue(decl);
        return true;
    }
    return false;
}

static void lower_case(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    ir_block_id block = begin_label(l);
    size_t labels = children.count >= 3 ? 2 : 1;
    int64_t low, high;
    if (l->switch_state && children.count >= 1 && case_value(l, children.item[0], &low)) {
        high = low;
        if (labels == 2 && !case_value(l, children.item[1], &high))
            high = low;
        if (high >= low)
            arrput(l->switch_state->cases, ((struct ir_case){low, high, block}));
    } else if (l->switch_state) {
        // A label that depends on a template parameter: any value may get here.
        count_opaque(l->unit, "case label without a value");
        if (l->switch_state->otherwise == IR_NONE)
            l->switch_state->otherwise = block;
    }
    if (children.count > labels)
        lower_statement(l, children.item[children.count - 1]);
}

static void lower_default(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    ir_block_id block = begin_label(l);
    if (l->switch_state)
        l->switch_state->otherwise = block;
    if (children.count)
        lower_statement(l, children.item[children.count - 1]);
}

// --- Jumps -----------------------------------------------------------------------------------

static void lower_return(struct lower *l, CXCursor s)
{
    CXCursor e = last_child(l, s);
    CXType type = l->result_type;
    enum type_class class = classify(type);
    ir_value value = IR_NONE;
    size_t depth = arrlenu(l->cleanup);
    if (!cursor_is_null(e)) {
        if (class == CLASS_RECORD && l->result_value != IR_NONE)
            lower_into(l, e, type, l->result_value);
        else if (class == CLASS_REFERENCE)
            value = lower_address(l, e);
        else if (class == CLASS_SCALAR)
            value = convert(l, lower_value(l, e), clang_getCursorType(e), type);
        else
            lower_discard(l, e);
    }
    cleanup_run(l, 0, false);
    if (arrlenu(l->cleanup) > depth)
        arrsetlen(l->cleanup, depth);
    lower_function_end(l);
    if (!ir_builder_ended(&l->b) || value != IR_NONE)
        emit(l, IR_RET, IR_NONE, &value, value != IR_NONE, 0);
}

static enum CXChildVisitResult find_cursor(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    CXCursor *wanted = data;
    if (!clang_equalCursors(cursor, *wanted))
        return CXChildVisit_Recurse;
    *wanted = clang_getNullCursor();
    return CXChildVisit_Break;
}

static uint32_t label_of(struct lower *l, CXCursor label)
{
    uint32_t known = cursor_map_find(&l->labels_of, label);
    if (known != IR_NONE)
        return known;
    struct label entry = {.block = ir_build_block(&l->b)};
    arrput(l->label, entry);
    known = (uint32_t)arrlenu(l->label) - 1;
    cursor_map_put(&l->labels_of, label, known);
    return known;
}

static void lower_goto(struct lower *l, CXCursor s)
{
    CXCursor target = clang_getCursorReferenced(s);
    if (cursor_is_null(target)) {
        lower_unknown(l, s, "goto");
        return;
    }
    uint32_t label = label_of(l, target);
    // Scopes that do not hold the label end here.
    size_t depth = 0;
    for (ptrdiff_t i = arrlen(l->scope); i > 0; --i) {
        CXCursor wanted = target;
        clang_visitChildren(l->scope[i - 1].compound, find_cursor, &wanted);
        if (cursor_is_null(wanted)) {
            depth = i < arrlen(l->scope) ? l->scope[i].cleanup_depth : arrlenu(l->cleanup);
            break;
        }
    }
    cleanup_run(l, depth, false);
    jump_to(l, l->label[label].block);
}

static void lower_break(struct lower *l, bool is_continue)
{
    struct jump jump = {.target_break = IR_NONE, .target_continue = IR_NONE};
    if (arrlen(l->jump))
        jump = arrlast(l->jump);
    ir_block_id target = is_continue ? jump.target_continue : jump.target_break;
    if (target == IR_NONE)
        return;
    cleanup_run(l, is_continue ? jump.continue_depth : jump.cleanup_depth, false);
    jump_to(l, target);
}

// --- Statements ------------------------------------------------------------------------------

// Where the block ends: its closing brace.
static struct ir_loc end_of(struct ir_loc block)
{
    if (block.end_line == 0 || block.end_column < 2)
        return block;
    block.line = block.end_line;
    block.column = block.end_column - 1;
    return block;
}

static void lower_compound(struct lower *l, CXCursor s)
{
    struct children children = children_of(scratch_of(l), s);
    size_t depth = arrlenu(l->cleanup);
    arrput(l->scope, ((struct scope){s, depth}));
    bool has_errors = l->is_device && arrlen(l->unit->error_at) > 0;
    for (size_t i = 0; i <= children.count; ++i) {
        const CXCursor *before = i > 0 ? &children.item[i - 1] : NULL;
        const CXCursor *behind = i < children.count ? &children.item[i] : NULL;
        if (has_errors && has_lost_call(l->unit, s, before, behind))
            emit_opaque(l, (CXType){.kind = CXType_Invalid}, "call lost to a parse error", true,
                        NULL, 0);
        if (behind)
            lower_statement(l, *behind);
    }
    struct ir_loc whole = l->b.loc, end = end_of(loc_of(l->unit, s));
    if (end.line && arrlenu(l->cleanup) > depth)
        l->b.loc = end;
    cleanup_run(l, depth, true);
    l->b.loc = whole;
    (void)arrpop(l->scope);
}

ir_value lower_statement_expression(struct lower *l, CXCursor e)
{
    struct children outer = children_of(scratch_of(l), e);
    if (outer.count != 1 || clang_getCursorKind(outer.item[0]) != CXCursor_CompoundStmt)
        return lower_unknown(l, e, "statement expression");
    struct children children = children_of(scratch_of(l), outer.item[0]);
    CXType type = clang_getCursorType(e);
    size_t depth = arrlenu(l->cleanup);
    ir_value value = IR_NONE;
    arrput(l->scope, ((struct scope){outer.item[0], depth}));
    for (size_t i = 0; i < children.count; ++i) {
        bool is_last = i + 1 == children.count && is_expression(children.item[i]);
        if (!is_last || classify(type) == CLASS_VOID)
            lower_statement(l, children.item[i]);
        else if (is_record(type))
            lower_into(l, children.item[i], type, value = emit_temporary(l, type));
        else
            value = lower_value(l, children.item[i]);
    }
    cleanup_run(l, depth, true);
    (void)arrpop(l->scope);
    return value;
}

static void lower_try(struct lower *l, CXCursor s)
{
    // Handlers are reached by exceptions only, which device code has not.
    struct children children = children_of(scratch_of(l), s);
    if (children.count)
        lower_statement(l, children.item[0]);
}

// Whether all that clang knows of the call is what is called: nothing declares it. In a template
// that nothing instantiates it knows what the call is given, too.
static bool is_bare_name(struct lower *l, CXCursor expression)
{
    return l->is_device && clang_getCursorKind(expression) == CXCursor_UnexposedExpr &&
           is_dependent(clang_getCursorType(expression)) &&
           (l->is_pattern || children_of(scratch_of(l), expression).count == 1);
}

// A call of what nothing declares, for whose result nobody asks, is made for what it does.
static void lower_alone(struct lower *l, CXCursor expression)
{
    lower_full_expression(l, expression);
    if (is_bare_name(l, expression))
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "call of what nothing declares", true,
                    NULL, 0);
}

static void statement_of_kind(struct lower *l, CXCursor s)
{
    switch (clang_getCursorKind(s)) {
    case CXCursor_CompoundStmt:
        lower_compound(l, s);
        break;
    case CXCursor_DeclStmt: {
        struct children children = children_of(scratch_of(l), s);
        for (size_t i = 0; i < children.count; ++i)
            lower_declaration(l, children.item[i]);
        break;
    }
    case CXCursor_IfStmt:
        lower_if(l, s);
        break;
    case CXCursor_SwitchStmt:
        lower_switch(l, s);
        break;
    case CXCursor_CaseStmt:
        lower_case(l, s);
        break;
    case CXCursor_DefaultStmt:
        lower_default(l, s);
        break;
    case CXCursor_WhileStmt:
        lower_while(l, s);
        break;
    case CXCursor_DoStmt:
        lower_do(l, s);
        break;
    case CXCursor_ForStmt:
        lower_for(l, s);
        break;
    case CXCursor_CXXForRangeStmt:
        lower_range_for(l, s);
        break;
    case CXCursor_ReturnStmt:
        lower_return(l, s);
        break;
    case CXCursor_BreakStmt:
        lower_break(l, false);
        break;
    case CXCursor_ContinueStmt:
        lower_break(l, true);
        break;
    case CXCursor_GotoStmt:
        lower_goto(l, s);
        break;
    case CXCursor_LabelStmt: {
        uint32_t label = label_of(l, s);
        jump_to(l, l->label[label].block);
        go(l, l->label[label].block);
        struct children children = children_of(scratch_of(l), s);
        if (children.count)
            lower_statement(l, children.item[children.count - 1]);
        break;
    }
    case CXCursor_GCCAsmStmt:
        lower_asm(l, s);
        break;
    case CXCursor_CXXTryStmt:
        lower_try(l, s);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_UnexposedStmt: {
        // A statement with attributes, `[[likely]] x;`, `#pragma unroll for (...)`.
        struct children children = children_of(scratch_of(l), s);
        for (size_t i = 0; i < children.count; ++i) {
            enum CXCursorKind kind = clang_getCursorKind(children.item[i]);
            if (clang_isStatement(kind))
                lower_statement(l, children.item[i]);
            else if (i + 1 == children.count && clang_isExpression(kind))
                lower_full_expression(l, children.item[i]);
        }
        break;
    }
    default:
        if (is_expression(s))
            lower_alone(l, s);
        else if (clang_isDeclaration(clang_getCursorKind(s)))
            lower_declaration(l, s);
        else
            emit_opaque(
                l, (CXType){.kind = CXType_Invalid},
                take_string(scratch_of(l), clang_getCursorKindSpelling(clang_getCursorKind(s))),
                true, NULL, 0);
        break;
    }
}

static enum ir_statement_kind kind_of_statement(CXCursor s)
{
    switch (clang_getCursorKind(s)) {
    case CXCursor_CompoundStmt:
        return IR_STATEMENT_BLOCK;
    case CXCursor_IfStmt:
        return IR_STATEMENT_IF;
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
        return IR_STATEMENT_LOOP;
    case CXCursor_ReturnStmt:
        return IR_STATEMENT_RETURN;
    default:
        return IR_STATEMENT_OTHER;
    }
}

// Notes the statement as a part of the one at hand, and makes it that; returns the one before.
static uint32_t enter_statement(struct lower *l, CXCursor s, struct ir_loc loc)
{
    uint32_t outer = l->statement;
    struct ir_function *function = ir_builder_function(&l->b);
    struct ir_statement statement = {kind_of_statement(s), outer, loc};
    arrput(function->statement, statement);
    l->statement = (uint32_t)arrlenu(function->statement) - 1;
    return outer;
}

void lower_statement(struct lower *l, CXCursor s)
{
    enum { STATEMENT_DEPTH = 400 };
    if (++l->depth > STATEMENT_DEPTH) {
        --l->depth;
        emit_opaque(l, (CXType){.kind = CXType_Invalid}, "statement nested too deep", true, NULL,
                    0);
        return;
    }
    struct ir_loc saved = l->b.loc, loc = loc_of(l->unit, s);
    if (loc.line)
        l->b.loc = loc;
    uint32_t outer = enter_statement(l, s, loc);
    statement_of_kind(l, s);
    l->statement = outer;
    l->b.loc = saved;
    --l->depth;
}
