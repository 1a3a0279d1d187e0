// Kernel launches, written <<< >>> or through the runtime and driver APIs, and inline PTX.
#include "frontend/lower.h"

#include <string.h>

#include "model/ptx_lower.h"

struct launch {
    ir_value operand[IR_LAUNCH_OPERANDS_];
    ir_value *argument; // stb_ds array
    ir_function_id kernel;
};

static void launch_init(struct launch *launch)
{
    *launch = (struct launch){.kernel = IR_NONE};
    for (int i = 0; i < IR_LAUNCH_OPERANDS_; ++i)
        launch->operand[i] = IR_NONE;
}

static void launch_emit(struct lower *l, struct launch *launch)
{
    ir_value *all = NULL;
    for (int i = 0; i < IR_LAUNCH_OPERANDS_; ++i)
        arrput(all, launch->operand[i]);
    for (ptrdiff_t i = 0; i < arrlen(launch->argument); ++i)
        arrput(all, launch->argument[i]);
    int64_t kernel = launch->kernel == IR_NONE ? -1 : (int64_t)launch->kernel;
    emit(l, IR_LAUNCH, IR_NONE, all, arrlenu(all), kernel);
    arrfree(all);
    arrfree(launch->argument);
}

// The kernel behind a value, through casts and through a variable that is written once.
static void launch_kernel(struct lower *l, struct launch *launch, ir_value value)
{
    const struct ir_function *function = ir_builder_function(&l->b);
    ir_value at = value;
    for (int i = 0; i < 16; ++i) {
        const struct ir_op *op = ir_op_at(function, at);
        if (!op)
            break;
        if (op->code == IR_FUNC) {
            launch->kernel = (ir_function_id)op->imm;
            return;
        }
        if (op->code != IR_CAST)
            break;
        at = ir_operand(function, op, 0);
    }
    launch->operand[IR_LAUNCH_KERNEL] = value;
}

static ir_value load_field(struct lower *l, ir_value address, uint64_t offset, ir_type_id type)
{
    ir_value slot = emit_offset(l, address, (int64_t)offset, ir_type_pointer(unit_of(l), type));
    return emit(l, IR_LOAD, type, &slot, 1, 0);
}

// The extents of a dim3: from the constructor where it stands there, else from memory.
static void launch_extents(struct lower *l, CXCursor e, ir_value out[3])
{
    ir_type_id word = ir_type_int(unit_of(l), 32, false);
    CXType type = clang_getCursorType(e);
    CXCursor inner = e;
    for (int i = 0; i < 16; ++i) {
        enum CXCursorKind kind = clang_getCursorKind(inner);
        if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
            kind != CXCursor_CXXFunctionalCastExpr)
            break;
        CXCursor child = last_child(l, inner);
        if (cursor_is_null(child))
            break;
        inner = child;
    }
    CXCursor decl = clang_getCursorReferenced(inner);
    bool is_ctor = clang_getCursorKind(inner) == CXCursor_CallExpr && !cursor_is_null(decl) &&
                   clang_getCursorKind(decl) == CXCursor_Constructor &&
                   strcmp(cursor_name(scratch_of(l), decl), "dim3") == 0;
    int count = is_ctor ? clang_Cursor_getNumArguments(inner) : 0;
    if (is_ctor && count >= 1 && count <= 3 &&
        is_integral(clang_getCursorType(clang_Cursor_getArgument(inner, 0)))) {
        for (int i = 0; i < 3; ++i)
            out[i] = i < count ? lower_value(l, clang_Cursor_getArgument(inner, (unsigned)i))
                               : emit_int(l, word, 1);
        return;
    }
    if (is_integral(type)) {
        out[0] = lower_value(l, e);
        out[1] = out[2] = emit_int(l, word, 1);
        return;
    }
    ir_value address = lower_address(l, e);
    for (unsigned i = 0; i < 3 && address != IR_NONE; ++i)
        out[i] = load_field(l, address, 4 * i, word);
}

// The call inside `kernel<<<...>>>(...)` that carries the launch shape, and which of its arguments
// is the grid; null for other calls. In code that may run on the device, as every lambda may, clang
// writes cudaLaunchDevice(function, parameters, grid, block, ...).
static CXCursor launch_configuration(struct lower *l, CXCursor e, unsigned *grid)
{
    struct children children = children_of(scratch_of(l), e);
    for (size_t i = 1; i < children.count && i < 3; ++i) {
        if (clang_getCursorKind(children.item[i]) != CXCursor_CallExpr)
            continue;
        const char *name = cursor_name(scratch_of(l), clang_getCursorReferenced(children.item[i]));
        bool on_device = strcmp(name, "cudaLaunchDevice") == 0;
        *grid = on_device ? 2 : 0;
        if (on_device || strcmp(name, "__cudaPushCallConfiguration") == 0 ||
            strcmp(name, "cudaConfigureCall") == 0)
            return children.item[i];
    }
    return clang_getNullCursor();
}

static void launch_shape(struct lower *l, struct launch *launch, CXCursor configuration,
                         unsigned grid)
{
    int count = clang_Cursor_getNumArguments(configuration) - (int)grid;
    if (count > 0)
        launch_extents(l, clang_Cursor_getArgument(configuration, grid),
                       &launch->operand[IR_LAUNCH_GRID_X]);
    if (count > 1)
        launch_extents(l, clang_Cursor_getArgument(configuration, grid + 1),
                       &launch->operand[IR_LAUNCH_BLOCK_X]);
    static const enum ir_launch_operand rest[2] = {IR_LAUNCH_SHARED_BYTES, IR_LAUNCH_STREAM};
    for (int i = 2; i < count && i < 4; ++i)
        launch->operand[rest[i - 2]] =
            lower_value(l, clang_Cursor_getArgument(configuration, grid + (unsigned)i));
}

bool lower_launch(struct lower *l, CXCursor e)
{
    unsigned grid;
    CXCursor configuration = launch_configuration(l, e, &grid);
    if (cursor_is_null(configuration))
        return false;
    struct launch launch;
    launch_init(&launch);
    CXCursor decl = clang_getCursorReferenced(e);
    bool is_direct = !cursor_is_null(decl) && is_function_kind(clang_getCursorKind(decl));
    CXType type = {.kind = CXType_Invalid};
    if (is_direct) {
        launch.kernel = function_of(l->unit, decl);
        type = canonical(clang_getCursorType(decl));
    } else {
        struct children children = children_of(scratch_of(l), e);
        type = canonical(clang_getCursorType(children.item[0]));
        if (is_pointer(type))
            type = canonical(clang_getPointeeType(type));
        if (!is_dependent(type)) {
            ir_value callee = lower_value(l, children.item[0]);
            launch_kernel(l, &launch, callee);
        } else {
            // The kernel depends on a template parameter.
            const char *name = cursor_name(scratch_of(l), strip(l, children.item[0]));
            launch.operand[IR_LAUNCH_KERNEL] =
                emit_symbol(l, clang_getCursorType(configuration), *name ? name : "kernel");
        }
    }
    launch_shape(l, &launch, configuration, grid);
    int count = clang_Cursor_getNumArguments(e);
    int parameters = classify(type) == CLASS_FUNCTION ? clang_getNumArgTypes(type) : 0;
    for (int i = 0; i < count; ++i) {
        CXType parameter = {.kind = CXType_Invalid};
        if (i < parameters)
            parameter = clang_getArgType(type, (unsigned)i);
        CXCursor argument = clang_Cursor_getArgument(e, (unsigned)i);
        arrput(launch.argument, lower_argument(l, argument, parameter));
    }
    launch_emit(l, &launch);
    return true;
}

// --- Launch functions ------------------------------------------------------------------------

// Reads a member of a launch configuration in memory by name; IR_NONE where it has none.
static ir_value config_member(struct lower *l, ir_value config, CXType type, const char *name)
{
    struct record_info *record = record_of(l->unit, type);
    if (!record)
        return IR_NONE;
    record_fill(l->unit, record);
    const struct ir_type *info = &unit_of(l)->type[record->id];
    for (ptrdiff_t i = 0; i < arrlen(info->field); ++i) {
        struct ir_field field = info->field[i];
        if (strcmp(field.name, name) != 0)
            continue;
        if (unit_of(l)->type[field.type].kind == IR_TYPE_RECORD)
            return emit_offset(l, config, (int64_t)field.offset,
                               ir_type_pointer(unit_of(l), field.type));
        return load_field(l, config, field.offset, field.type);
    }
    return IR_NONE;
}

static void config_shape(struct lower *l, struct launch *launch, CXCursor e)
{
    ir_type_id word = ir_type_int(unit_of(l), 32, false);
    CXType type = clang_getCursorType(e);
    ir_value config;
    if (is_pointer(type)) {
        config = lower_value(l, e);
        type = clang_getPointeeType(canonical(type));
    } else {
        config = lower_address(l, e);
    }
    if (config == IR_NONE || !is_record(type))
        return;
    ir_value grid = config_member(l, config, type, "gridDim");
    ir_value block = config_member(l, config, type, "blockDim");
    for (unsigned i = 0; i < 3; ++i) {
        static const char *const axis[2][3] = {{"gridDimX", "gridDimY", "gridDimZ"},
                                               {"blockDimX", "blockDimY", "blockDimZ"}};
        launch->operand[IR_LAUNCH_GRID_X + i] = grid != IR_NONE
                                                    ? load_field(l, grid, 4 * i, word)
                                                    : config_member(l, config, type, axis[0][i]);
        launch->operand[IR_LAUNCH_BLOCK_X + i] = block != IR_NONE
                                                     ? load_field(l, block, 4 * i, word)
                                                     : config_member(l, config, type, axis[1][i]);
    }
    ir_value bytes = config_member(l, config, type, "dynamicSmemBytes");
    ir_value stream = config_member(l, config, type, "stream");
    if (bytes == IR_NONE) { // the driver's names
        bytes = config_member(l, config, type, "sharedMemBytes");
        stream = config_member(l, config, type, "hStream");
    }
    launch->operand[IR_LAUNCH_SHARED_BYTES] = bytes;
    launch->operand[IR_LAUNCH_STREAM] = stream;
    launch->operand[IR_LAUNCH_ATTRIBUTES] = config_member(l, config, type, "attrs");
    launch->operand[IR_LAUNCH_ATTRIBUTE_COUNT] = config_member(l, config, type, "numAttrs");
}

static const char *last_name(const char *name)
{
    const char *at = strrchr(name, ':');
    return at ? at + 1 : name;
}

// The arguments of a launch that is given an array of their addresses.
static void launch_array(struct lower *l, struct launch *launch, CXCursor e)
{
    ir_value array = lower_value(l, e);
    if (array == IR_NONE)
        return;
    if (launch->kernel == IR_NONE) {
        // How many there are, and of which types, is known with the kernel.
        launch->operand[IR_LAUNCH_ARRAY] = array;
        return;
    }
    const struct ir_unit *unit = unit_of(l);
    for (ptrdiff_t i = 0; i < arrlen(unit->function[launch->kernel].param); ++i) {
        ir_type_id type = unit->function[launch->kernel].param[i].type;
        bool is_record = unit->type[type].kind == IR_TYPE_RECORD;
        ir_value address = load_field(l, array, 8 * (uint64_t)i, ir_type_pointer(unit_of(l), type));
        arrput(launch->argument, is_record ? address : emit(l, IR_LOAD, type, &address, 1, 0));
    }
}

static bool launch_with_config(struct lower *l, CXCursor e, const char *name)
{
    bool is_driver = strcmp(name, "cuLaunchKernelEx") == 0;
    bool takes_array = is_driver || strcmp(name, "cudaLaunchKernelExC") == 0;
    int count = clang_Cursor_getNumArguments(e);
    if (count < 2 || is_dependent(clang_getCursorType(clang_Cursor_getArgument(e, 0))))
        return false;
    struct launch launch;
    launch_init(&launch);
    config_shape(l, &launch, clang_Cursor_getArgument(e, 0));
    CXCursor kernel = clang_Cursor_getArgument(e, 1);
    CXType type = canonical(clang_getCursorType(kernel));
    launch_kernel(l, &launch, lower_value(l, kernel));
    if (is_pointer(type))
        type = canonical(clang_getPointeeType(type));
    int parameters = classify(type) == CLASS_FUNCTION ? clang_getNumArgTypes(type) : 0;
    if (takes_array && count > 2)
        launch_array(l, &launch, clang_Cursor_getArgument(e, 2));
    for (int i = 2; i < count && !takes_array; ++i) {
        CXCursor argument = clang_Cursor_getArgument(e, (unsigned)i);
        CXType parameter = {.kind = CXType_Invalid};
        if (i - 2 < parameters)
            parameter = clang_getArgType(type, (unsigned)(i - 2));
        arrput(launch.argument, lower_argument(l, argument, parameter));
    }
    launch_emit(l, &launch);
    return true;
}

static bool launch_with_shape(struct lower *l, CXCursor e, bool is_driver, bool is_cooperative)
{
    int count = clang_Cursor_getNumArguments(e);
    if (count < (is_driver ? 10 : 3))
        return false;
    struct launch launch;
    launch_init(&launch);
    launch_kernel(l, &launch, lower_value(l, clang_Cursor_getArgument(e, 0)));
    if (is_driver) {
        for (unsigned i = 0; i < 6; ++i)
            launch.operand[IR_LAUNCH_GRID_X + i] =
                lower_value(l, clang_Cursor_getArgument(e, 1 + i));
        launch.operand[IR_LAUNCH_SHARED_BYTES] = lower_value(l, clang_Cursor_getArgument(e, 7));
        launch.operand[IR_LAUNCH_STREAM] = lower_value(l, clang_Cursor_getArgument(e, 8));
        launch_array(l, &launch, clang_Cursor_getArgument(e, 9));
    } else {
        launch_extents(l, clang_Cursor_getArgument(e, 1), &launch.operand[IR_LAUNCH_GRID_X]);
        launch_extents(l, clang_Cursor_getArgument(e, 2), &launch.operand[IR_LAUNCH_BLOCK_X]);
        if (count > 3)
            launch_array(l, &launch, clang_Cursor_getArgument(e, 3));
        if (count > 4)
            launch.operand[IR_LAUNCH_SHARED_BYTES] = lower_value(l, clang_Cursor_getArgument(e, 4));
        if (count > 5)
            launch.operand[IR_LAUNCH_STREAM] = lower_value(l, clang_Cursor_getArgument(e, 5));
    }
    if (is_cooperative)
        launch.operand[IR_LAUNCH_COOPERATIVE] = emit_bool(l, true);
    launch_emit(l, &launch);
    return true;
}

bool lower_launch_api(struct lower *l, CXCursor e, const char *name, ir_value *out)
{
    name = last_name(name);
    bool done = false;
    if (strcmp(name, "cudaLaunchKernelEx") == 0 || strcmp(name, "cudaLaunchKernelExC") == 0 ||
        strcmp(name, "cuLaunchKernelEx") == 0)
        done = launch_with_config(l, e, name);
    else if (strcmp(name, "cudaLaunchKernel") == 0 ||
             strcmp(name, "cudaLaunchCooperativeKernel") == 0)
        done = launch_with_shape(l, e, false, name[10] == 'C');
    else if (strcmp(name, "cuLaunchKernel") == 0 || strcmp(name, "cuLaunchCooperativeKernel") == 0)
        done = launch_with_shape(l, e, true, name[8] == 'C');
    if (!done)
        return false;
    CXType type = clang_getCursorType(e);
    *out = classify(type) == CLASS_SCALAR ? emit_symbol(l, type, "launch status") : IR_NONE;
    return true;
}

// --- Inline PTX ------------------------------------------------------------------------------

static void asm_output(struct lower *l, CXCursor e, struct ptx_asm_operand *operand)
{
    CXType type = clang_getCursorType(e);
    operand->type = type_of(l->unit, type);
    operand->address = lower_address(l, e);
    if (strchr(operand->constraint, '+') && operand->address != IR_NONE &&
        classify(type) == CLASS_SCALAR)
        operand->value = emit_load(l, type, operand->address);
}

static void asm_input(struct lower *l, CXCursor e, struct ptx_asm_operand *operand)
{
    CXType type = clang_getCursorType(e);
    operand->type = type_of(l->unit, type);
    operand->value = lower_value(l, e);
    if (operand->value == IR_NONE)
        operand->value = emit_opaque(l, type, "operand without a value", false, NULL, 0);
}

void lower_asm(struct lower *l, CXCursor e)
{
    struct arena *arena = scratch_of(l);
    unsigned outputs = clang_Cursor_getGCCAssemblyNumOutputs(e);
    unsigned inputs = clang_Cursor_getGCCAssemblyNumInputs(e);
    struct ptx_asm_operand *operand =
        arena_array(arena, struct ptx_asm_operand, outputs + inputs + 1);
    for (unsigned i = 0; i < outputs + inputs; ++i) {
        bool is_output = i < outputs;
        CXString constraint;
        CXCursor expression = clang_getNullCursor();
        operand[i] = (struct ptx_asm_operand){
            .constraint = "", .name = "", .value = IR_NONE, .address = IR_NONE};
        unsigned found =
            is_output ? clang_Cursor_getGCCAssemblyOutput(e, i, &constraint, &expression)
                      : clang_Cursor_getGCCAssemblyInput(e, i - outputs, &constraint, &expression);
        if (!found) {
            operand[i].type = ir_type_int(unit_of(l), 32, false);
            operand[i].value = emit_int(l, operand[i].type, 0);
            continue;
        }
        operand[i].constraint = take_string(arena, constraint);
        if (is_output)
            asm_output(l, expression, &operand[i]);
        else
            asm_input(l, expression, &operand[i]);
    }
    struct ptx_asm statement = {.template_text =
                                    take_string(arena, clang_Cursor_getGCCAssemblyTemplate(e)),
                                .operand = operand,
                                .output_count = outputs,
                                .input_count = inputs,
                                .is_volatile = clang_Cursor_isGCCAssemblyVolatile(e) != 0};
    unsigned clobbers = clang_Cursor_getGCCAssemblyNumClobbers(e);
    for (unsigned i = 0; i < clobbers; ++i)
        if (strcmp(take_string(arena, clang_Cursor_getGCCAssemblyClobber(e, i)), "memory") == 0)
            statement.has_memory_clobber = true;
    size_t before = arrlenu(ir_builder_function(&l->b)->op);
    if (!ptx_lower_asm(&l->b, &statement))
        count_opaque(l->unit, "inline PTX that could not be parsed");
    l->unit->op_count += arrlenu(ir_builder_function(&l->b)->op) - before;
}
