// Functions: their entry in the unit, their parameters, and the lowering of their bodies.
#include "frontend/lower.h"

#include <string.h>

struct attribute_search {
    enum CXCursorKind kind;
    const char *text;
    CXCursor found;
};

static enum CXChildVisitResult find_attribute(CXCursor child, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct attribute_search *search = data;
    if (clang_getCursorKind(child) != search->kind)
        return CXChildVisit_Continue;
    if (search->text) {
        CXString name = clang_getCursorSpelling(child);
        const char *text = clang_getCString(name);
        bool same = text && strcmp(text, search->text) == 0;
        clang_disposeString(name);
        if (!same)
            return CXChildVisit_Continue;
    }
    search->found = child;
    return CXChildVisit_Break;
}

// A function template has its attributes on the function inside, which is no cursor of its own.
static bool may_have_attributes(CXCursor decl)
{
    return clang_Cursor_hasAttrs(decl) || clang_getCursorKind(decl) == CXCursor_FunctionTemplate;
}

bool has_attribute(CXCursor decl, enum CXCursorKind kind)
{
    struct attribute_search search = {.kind = kind, .found = clang_getNullCursor()};
    if (!may_have_attributes(decl))
        return false;
    clang_visitChildren(decl, find_attribute, &search);
    return !clang_Cursor_isNull(search.found);
}

bool has_annotation(CXCursor decl, const char *text, CXCursor *out)
{
    struct attribute_search search = {
        .kind = CXCursor_AnnotateAttr, .text = text, .found = clang_getNullCursor()};
    if (!may_have_attributes(decl))
        return false;
    clang_visitChildren(decl, find_attribute, &search);
    if (clang_Cursor_isNull(search.found))
        return false;
    if (out)
        *out = search.found;
    return true;
}

static enum CXChildVisitResult find_noreturn(CXCursor child, CXCursor parent, CXClientData data)
{
    (void)parent;
    bool *found = data;
    if (clang_getCursorKind(child) != CXCursor_UnexposedAttr)
        return CXChildVisit_Continue;
    CXTranslationUnit tu = clang_Cursor_getTranslationUnit(child);
    CXToken *token = NULL;
    unsigned count = 0;
    clang_tokenize(tu, clang_getCursorExtent(child), &token, &count);
    if (count > 0) { // its name; what a macro hides is not looked into
        CXString spelling = clang_getTokenSpelling(tu, token[0]);
        const char *name = clang_getCString(spelling);
        *found = strcmp(name, "noreturn") == 0 || strcmp(name, "_Noreturn") == 0;
        clang_disposeString(spelling);
    }
    clang_disposeTokens(tu, token, count);
    return *found ? CXChildVisit_Break : CXChildVisit_Continue;
}

// GNU's attribute is part of the type, those of C++ and of C stand on the declaration and are no
// kind of cursor of their own.
static bool is_noreturn(struct lowering *u, CXCursor decl)
{
    const char *type = take_string(&u->scratch, clang_getTypeSpelling(clang_getCursorType(decl)));
    bool found = strstr(type, "__attribute__((noreturn))") != NULL;
    if (!found && may_have_attributes(decl))
        clang_visitChildren(decl, find_noreturn, &found);
    return found;
}

void place_put(struct lower *l, CXCursor decl, struct place place)
{
    arrput(l->place, place);
    cursor_map_put(&l->places_of, decl, (uint32_t)arrlenu(l->place) - 1);
}

// --- Entries ---------------------------------------------------------------------------------

static void annotation_numbers(struct lowering *u, CXCursor decl, const char *text, int64_t *out,
                               size_t count)
{
    CXCursor attribute;
    if (!has_annotation(decl, text, &attribute))
        return;
    struct children children = children_of(&u->scratch, attribute);
    size_t at = 0;
    for (size_t i = 0; i < children.count && at < count; ++i) {
        if (!is_expression(children.item[i]))
            continue;
        int64_t number = 0;
        if (!evaluate(NULL, children.item[i], &number))
            number = 0;
        out[at++] = number;
    }
}

static void launch_attributes(struct lowering *u, CXCursor decl,
                              struct ir_launch_attributes *attributes)
{
    int64_t bounds[3] = {0}, cluster[3] = {0}, size[6] = {0};
    annotation_numbers(u, decl, "barlint.launch_bounds", bounds, 3);
    annotation_numbers(u, decl, "barlint.cluster_dims", cluster, 3);
    annotation_numbers(u, decl, "barlint.block_size", size, 6);
    annotation_numbers(u, decl, "barlint.maxnreg", &attributes->max_registers, 1);
    attributes->max_threads = bounds[0];
    attributes->min_blocks = bounds[1];
    attributes->max_blocks = bounds[2];
    for (int i = 0; i < 3; ++i) {
        // Extents that are left out are 1.
        attributes->cluster[i] = cluster[0] && !cluster[i] ? 1 : cluster[i];
        attributes->block[i] = size[0] && !size[i] ? 1 : size[i];
        if (size[3])
            attributes->cluster[i] = size[3 + i] ? size[3 + i] : 1;
    }
}

static bool is_closure_method(struct lowering *u, CXCursor decl)
{
    CXCursor parent = clang_getCursorSemanticParent(decl);
    if (clang_getCursorKind(decl) != CXCursor_CXXMethod ||
        clang_getCursorKind(parent) != CXCursor_ClassDecl)
        return false;
    const char *name = cursor_name(&u->scratch, parent);
    return *name == '\0' || strncmp(name, "(lambda", 7) == 0;
}

static uint32_t function_flags(struct lowering *u, CXCursor decl, CXCursor canonical_decl)
{
    uint32_t flags = 0;
    CXCursor both[2] = {decl, canonical_decl};
    for (int i = 0; i < 2; ++i) {
        if (has_attribute(both[i], CXCursor_CUDAGlobalAttr))
            flags |= IR_FN_KERNEL;
        if (has_attribute(both[i], CXCursor_CUDADeviceAttr))
            flags |= IR_FN_DEVICE;
        if (has_attribute(both[i], CXCursor_CUDAHostAttr))
            flags |= IR_FN_HOST;
        if (has_attribute(both[i], CXCursor_WarnUnusedResultAttr))
            flags |= IR_FN_NODISCARD;
    }
    enum CXCursorKind kind = clang_getCursorKind(decl);
    if (kind == CXCursor_Constructor)
        flags |= IR_FN_CONSTRUCTOR;
    if (kind == CXCursor_Destructor)
        flags |= IR_FN_DESTRUCTOR;
    if (is_closure_method(u, decl))
        flags |= IR_FN_LAMBDA;
    if (!(flags & (IR_FN_KERNEL | IR_FN_DEVICE | IR_FN_HOST))) {
        bool is_both = (flags & IR_FN_LAMBDA) || clang_CXXMethod_isDefaulted(decl);
        flags |= is_both ? IR_FN_HOST | IR_FN_DEVICE : IR_FN_HOST;
    }
    if (is_system_location(decl))
        flags |= IR_FN_SYSTEM;
    enum CXLinkageKind linkage = clang_getCursorLinkage(decl);
    if (linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal)
        flags |= IR_FN_INTERNAL;
    if (is_noreturn(u, decl))
        flags |= IR_FN_NORETURN;
    return flags;
}

ir_type_id parameter_type(struct lowering *u, CXType type)
{
    switch (classify(type)) {
    case CLASS_FUNCTION:
        return ir_type_pointer(u->unit, ir_type_function(u->unit));
    case CLASS_ARRAY: // as it is written; it is a pointer
        return pointer_to(u, array_element(type));
    default:
        return type_of(u, type);
    }
}

static void function_parameters(struct lowering *u, CXCursor decl, ir_function_id id)
{
    CXType type = canonical(clang_getCursorType(decl));
    CXType result = clang_getResultType(clang_getCursorType(decl));
    enum CXCursorKind kind = clang_getCursorKind(decl);
    struct arena *arena = &u->unit->arena;
    struct ir_param *params = NULL;
    ir_type_id result_type = ir_type_void(u->unit);
    if (kind != CXCursor_Constructor && kind != CXCursor_Destructor) {
        if (is_record(result)) {
            arrput(params,
                   ((struct ir_param){
                       .name = "result", .type = pointer_to(u, result), .is_result = true}));
        } else if (classify(result) != CLASS_VOID) {
            result_type = type_of(u, result);
        }
    }
    CXCursor parent = clang_getCursorSemanticParent(decl);
    bool is_member = is_record_kind(clang_getCursorKind(parent)) && kind != CXCursor_FunctionDecl &&
                     !clang_CXXMethod_isStatic(decl);
    if (is_member || kind == CXCursor_Constructor || kind == CXCursor_Destructor)
        arrput(params, ((struct ir_param){.name = "this",
                                          .type = pointer_to(u, clang_getCursorType(parent)),
                                          .is_this = true}));
    int count = clang_getNumArgTypes(type), named = clang_Cursor_getNumArguments(decl);
    for (int i = 0; i < count; ++i) {
        const char *name = "";
        if (i < named)
            name = arena_strdup(
                arena, cursor_name(&u->scratch, clang_Cursor_getArgument(decl, (unsigned)i)));
        ir_type_id parameter = parameter_type(u, clang_getArgType(type, (unsigned)i));
        arrput(params, ((struct ir_param){.name = name, .type = parameter}));
    }
    u->unit->function[id].param = params;
    u->unit->function[id].result = result_type;
}

// A template that nothing instantiates: its parameters are children.
static void pattern_parameters(struct lowering *u, CXCursor decl, ir_function_id id)
{
    struct ir_param *params = NULL;
    struct children children = children_of(&u->scratch, decl);
    CXCursor parent = clang_getCursorSemanticParent(decl);
    enum CXCursorKind parent_kind = clang_getCursorKind(parent);
    bool in_class = is_record_kind(parent_kind) || parent_kind == CXCursor_ClassTemplate ||
                    parent_kind == CXCursor_ClassTemplatePartialSpecialization;
    if (in_class && !clang_CXXMethod_isStatic(decl)) {
        ir_type_id type = ir_type_opaque(u->unit, lookup_name(u, parent), 0, 0);
        arrput(params,
               ((struct ir_param){
                   .name = "this", .type = ir_type_pointer(u->unit, type), .is_this = true}));
    }
    for (size_t i = 0; i < children.count; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_ParmDecl)
            continue;
        const char *name =
            arena_strdup(&u->unit->arena, cursor_name(&u->scratch, children.item[i]));
        ir_type_id type = parameter_type(u, clang_getCursorType(children.item[i]));
        arrput(params, ((struct ir_param){.name = name, .type = type}));
    }
    CXType result = clang_getCursorResultType(decl);
    enum type_class class = classify(result);
    ir_type_id result_type =
        class == CLASS_VOID || class == CLASS_RECORD ? ir_type_void(u->unit) : type_of(u, result);
    u->unit->function[id].param = params;
    u->unit->function[id].result = result_type;
}

bool is_template_part(CXCursor decl)
{
    if (clang_getCursorKind(decl) == CXCursor_FunctionTemplate)
        return true;
    for (CXCursor at = clang_getCursorSemanticParent(decl); !cursor_is_null(at);
         at = clang_getCursorSemanticParent(at)) {
        enum CXCursorKind kind = clang_getCursorKind(at);
        if (kind == CXCursor_ClassTemplate || kind == CXCursor_FunctionTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
        if (kind == CXCursor_TranslationUnit)
            break;
    }
    return false;
}

static void mark_template(struct lowering *u, CXCursor decl)
{
    CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
    for (int i = 0; i < 8 && !cursor_is_null(pattern); ++i) {
        cursor_map_put(&u->templates_used, clang_getCanonicalCursor(pattern), 1);
        pattern = clang_getSpecializedCursorTemplate(pattern);
    }
}

// What the model knows may call what its class was given to call: the completion function of a
// cuda::barrier has no caller of its own.
static void reach_call_operators(struct lowering *u, CXCursor record)
{
    int count = clang_Cursor_getNumTemplateArguments(record);
    for (int i = 0; i < count; ++i) {
        if (clang_Cursor_getTemplateArgumentKind(record, (unsigned)i) !=
            CXTemplateArgumentKind_Type)
            continue;
        CXType type = clang_Cursor_getTemplateArgumentType(record, (unsigned)i);
        CXCursor decl = clang_getTypeDeclaration(canonical(type));
        if (cursor_is_null(decl) || is_system_location(decl) ||
            !is_record_kind(clang_getCursorKind(decl)))
            continue;
        struct children children = children_of(&u->scratch, decl);
        for (size_t k = 0; k < children.count; ++k) {
            if (clang_getCursorKind(children.item[k]) == CXCursor_CXXMethod &&
                strcmp(cursor_name(&u->scratch, children.item[k]), "operator()") == 0)
                function_of(u, children.item[k]);
        }
    }
}

ir_function_id function_of(struct lowering *u, CXCursor decl)
{
    CXCursor key = clang_getCanonicalCursor(decl);
    uint32_t known = cursor_map_find(&u->functions, key);
    if (known != IR_NONE) {
        enqueue_function(u, known);
        return known;
    }
    CXCursor definition = clang_getCursorDefinition(decl);
    CXCursor shown = cursor_is_null(definition) ? decl : definition;
    bool is_pattern = is_template_part(shown);
    ir_function_id id =
        ir_function_add(u->unit, display_name(u, shown), lookup_name(u, shown), key_name(u, shown));
    cursor_map_put(&u->functions, key, id);
    // Functions without a declaration (operator new) have their number too.
    while (arrlenu(u->state) < id)
        arrput(u->state, ((struct function_state){.definition = clang_getNullCursor()}));
    arrput(u->state, ((struct function_state){.definition = definition}));
    uint32_t flags = function_flags(u, shown, key) | (is_pattern ? IR_FN_PATTERN : 0);
    u->unit->function[id].flags = flags;
    u->unit->function[id].loc = loc_of(u, shown);
    if (is_pattern)
        pattern_parameters(u, shown, id);
    else
        function_parameters(u, shown, id);
    struct ir_launch_attributes attributes = {0};
    launch_attributes(u, shown, &attributes);
    if (!attributes.max_threads && !attributes.cluster[0])
        launch_attributes(u, key, &attributes);
    struct ir_template_arg *arguments = NULL, *class_arguments = NULL;
    if (!is_pattern) {
        template_arguments(u, shown, &arguments);
        CXCursor parent = clang_getCursorSemanticParent(shown);
        if (is_record_kind(clang_getCursorKind(parent)))
            template_arguments(u, parent, &class_arguments);
    }
    struct ir_function *function = &u->unit->function[id];
    function->attributes = attributes;
    function->template_arg = arguments;
    function->class_arg = class_arguments;
    mark_template(u, shown);
    enqueue_function(u, id);
    CXCursor parent = clang_getCursorSemanticParent(shown);
    if (!is_pattern && is_record_kind(clang_getCursorKind(parent)) && u->job->is_known &&
        u->job->is_known(u->job->context, u->unit->function[id].lookup))
        reach_call_operators(u, parent);
    return id;
}

// Whether the function is one of std::array, or of those that libstdc++ makes it of.
static bool is_of_array(const char *lookup)
{
    return strncmp(lookup, "std::array::", 12) == 0 ||
           strncmp(lookup, "std::__array_traits::", 21) == 0;
}

void enqueue_function(struct lowering *u, ir_function_id id)
{
    if (id >= arrlenu(u->state))
        return;
    struct function_state *state = &u->state[id];
    const struct ir_function *function = &u->unit->function[id];
    if (state->is_queued || cursor_is_null(state->definition))
        return;
    bool on_device = function->flags & (IR_FN_KERNEL | IR_FN_DEVICE);
    // Host code matters for the shapes of launches only: library code is not followed from there,
    // but for CUDA's own, such as the constructors of dim3, and for arrays of sizes.
    if (u->from_host && !on_device && (function->flags & IR_FN_SYSTEM) &&
        !is_of_array(function->lookup) && !reaches_launch(u, state->definition))
        return;
    state->is_queued = true;
    if (on_device && u->job->is_known && u->job->is_known(u->job->context, function->lookup)) {
        ++u->report->known_functions;
        return;
    }
    arrput(u->queue, ((struct work){.definition = state->definition, .function = id}));
}

// --- Bodies ----------------------------------------------------------------------------------

void lower_function_end(struct lower *l)
{
    if (clang_getCursorKind(l->definition) == CXCursor_Destructor)
        lower_destructor_end(l, l->definition);
}

static ir_value emit_parameter(struct lower *l, uint32_t index)
{
    ir_type_id type = ir_builder_function(&l->b)->param[index].type;
    if (unit_of(l)->type[type].kind == IR_TYPE_RECORD)
        type = ir_type_pointer(unit_of(l), type);
    return emit(l, IR_PARAM, type, NULL, 0, index);
}

static void bind_parameter(struct lower *l, uint32_t index, CXCursor cursor)
{
    CXType type = clang_getCursorType(cursor);
    ir_value value = emit_parameter(l, index);
    // A class object passed by value is the caller's copy: the parameter is its address.
    if (is_reference(type) || is_record(type)) {
        place_put(l, cursor, (struct place){PLACE_VALUE, value});
        return;
    }
    struct ir_param param = ir_builder_function(&l->b)->param[index];
    uint32_t local = ir_build_local(&l->b, param.name, param.type);
    place_put(l, cursor, (struct place){PLACE_LOCAL, local});
    emit(l, IR_DECLARE, IR_NONE, NULL, 0, local);
    emit(l, IR_STORE, IR_NONE, (ir_value[]){emit_local(l, local), value}, 2, 0);
}

static void bind_parameters(struct lower *l, const struct children *children)
{
    size_t next = 0;
    int named = clang_Cursor_getNumArguments(l->definition);
    for (uint32_t i = 0; i < arrlenu(ir_builder_function(&l->b)->param); ++i) {
        struct ir_param param = ir_builder_function(&l->b)->param[i];
        if (param.is_result) {
            l->result_value = emit_parameter(l, i);
        } else if (param.is_this) {
            ir_value value = emit_parameter(l, i);
            if (ir_builder_function(&l->b)->flags & IR_FN_LAMBDA)
                l->closure_this = value;
            else
                l->this_value = value;
        } else if (named >= 0) {
            // What the compiler writes has parameters that are not among the children.
            if ((int)next < named)
                bind_parameter(l, i, clang_Cursor_getArgument(l->definition, (unsigned)next++));
        } else {
            while (next < children->count &&
                   clang_getCursorKind(children->item[next]) != CXCursor_ParmDecl)
                ++next;
            if (next < children->count)
                bind_parameter(l, i, children->item[next++]);
        }
    }
}

// Ends what control can run off of, and blocks that nothing filled.
static void close_blocks(struct lower *l)
{
    bool returns = ir_builder_function(&l->b)->result != ir_type_void(unit_of(l));
    if (!ir_builder_ended(&l->b) && strcmp(ir_builder_function(&l->b)->lookup, "main") == 0) {
        ir_value zero = emit_int(l, ir_builder_function(&l->b)->result, 0);
        emit(l, IR_RET, IR_NONE, &zero, returns, 0);
    }
    if (!ir_builder_ended(&l->b)) {
        lower_function_end(l);
        ir_value end = emit(l, returns ? IR_UNREACHABLE : IR_RET, IR_NONE, NULL, 0, 0);
        if (returns)
            ir_build_text(&l->b, end, "end of a function that returns a value");
        else
            ir_builder_function(&l->b)->op[end].flags |= IR_AT_BRACE;
    }
    for (ptrdiff_t i = 0; i < arrlen(ir_builder_function(&l->b)->block); ++i) {
        if (ir_terminator(ir_builder_function(&l->b), (ir_block_id)i))
            continue;
        go(l, (ir_block_id)i);
        ir_value end = emit(l, IR_UNREACHABLE, IR_NONE, NULL, 0, 0);
        ir_build_text(&l->b, end, "no way here");
    }
}

static void lower_release(struct lower *l)
{
    cursor_map_release(&l->places_of);
    cursor_map_release(&l->labels_of);
    arrfree(l->place);
    arrfree(l->cleanup);
    arrfree(l->jump);
    arrfree(l->scope);
    arrfree(l->label);
}

void lower_function(struct lowering *u, const struct work *work)
{
    struct children children = children_of(&u->scratch, work->definition);
    CXCursor body = clang_getNullCursor();
    for (size_t i = children.count; i > 0 && cursor_is_null(body); --i) {
        enum CXCursorKind kind = clang_getCursorKind(children.item[i - 1]);
        if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
            body = children.item[i - 1];
    }
    if (cursor_is_null(body))
        return;
    CXCursor parent = clang_getCursorSemanticParent(work->definition);
    uint32_t flags = u->unit->function[work->function].flags;
    struct lower l = {.unit = u,
                      .definition = work->definition,
                      .result_type = clang_getCursorResultType(work->definition),
                      .is_pattern = (flags & IR_FN_PATTERN) != 0,
                      .is_device = (flags & (IR_FN_KERNEL | IR_FN_DEVICE)) != 0,
                      .this_value = IR_NONE,
                      .closure_this = IR_NONE,
                      .result_value = IR_NONE,
                      .statement = IR_NONE,
                      .this_record = clang_getNullCursor()};
    l.b = (struct ir_builder){.unit = u->unit,
                              .function = work->function,
                              .block = IR_NONE,
                              .loc = u->unit->function[work->function].loc};
    if (flags & IR_FN_LAMBDA) {
        l.closure = closure_of(u, work->definition);
        if (l.closure)
            l.this_record = l.closure->this_record;
    } else if (is_record_kind(clang_getCursorKind(parent))) {
        l.this_record = parent;
    }
    u->from_host = !l.is_device;
    l.prologue = ir_build_block(&l.b);
    go(&l, l.prologue);
    bind_parameters(&l, &children);
    ir_block_id entry = ir_build_block(&l.b);
    l.prologue = l.b.block;
    go(&l, entry);
    if (clang_getCursorKind(work->definition) == CXCursor_Constructor)
        lower_constructor_body(&l, work->definition);
    lower_statement(&l, body);
    if (l.is_pattern)
        reach_lambdas(&l, body);
    close_blocks(&l);
    go(&l, l.prologue);
    struct ir_function *function = ir_builder_function(&l.b);
    // The last operation ended the block when the prologue was closed above.
    struct ir_op *end = (struct ir_op *)ir_terminator(function, l.prologue);
    if (end) {
        end->code = IR_BR;
        end->text = NULL;
        end->target[0] = entry;
    }
    if (l.is_lost || has_error_inside(u, work->definition))
        function->flags |= IR_FN_PARTIAL;
    lower_release(&l);
}
