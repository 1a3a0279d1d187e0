// Feeds any text to the parser and the lowering: they must come back, and what they build must be
// sound IR. The model then looks at every instruction that is left.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/model.h"
#include "model/ptx_lower.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OPERANDS = 6, INPUTS = 4 };

// Operands of every class an asm statement can have: two outputs, then an integer, a pointer, a
// floating number and one tied to the first output.
static void make_operands(struct ir_builder *builder, struct ptx_asm_operand operand[OPERANDS])
{
    struct ir_unit *unit = builder->unit;
    ir_type_id u32 = ir_type_int(unit, 32, false), u64 = ir_type_int(unit, 64, false);
    ir_type_id f32 = ir_type_float(unit, 32), pointer = ir_type_pointer(unit, u64);
    const ir_type_id type[OPERANDS] = {u32, f32, u32, pointer, f32, u32};
    static const char *const constraint[OPERANDS] = {"=r", "+f", "r", "l", "f", "0"};
    static const char *const name[OPERANDS] = {"out", "", "n", "p", "x", ""};
    for (size_t i = 0; i < OPERANDS; ++i) {
        operand[i] = (struct ptx_asm_operand){.constraint = constraint[i],
                                              .name = name[i],
                                              .value = IR_NONE,
                                              .address = IR_NONE,
                                              .type = type[i]};
        if (i < OPERANDS - INPUTS) {
            uint32_t local = ir_build_local(builder, name[i], type[i]);
            operand[i].address =
                ir_build(builder, IR_LOCAL, ir_type_pointer(unit, type[i]), NULL, 0, local);
        } else {
            operand[i].value = ir_build(builder, IR_OPAQUE, type[i], NULL, 0, 0);
            ir_build_text(builder, operand[i].value, "an input");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct model *model;
    if (!model)
        model = model_new();
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    struct ir_unit unit;
    ir_unit_init(&unit);
    struct ir_builder builder = {.unit = &unit};
    builder.function = ir_function_add(&unit, "fuzzed", NULL, NULL);
    builder.block = ir_build_block(&builder);
    struct ptx_asm_operand operand[OPERANDS];
    make_operands(&builder, operand);
    struct ptx_asm statement = {.template_text = text,
                                .operand = operand,
                                .output_count = OPERANDS - INPUTS,
                                .input_count = INPUTS,
                                .is_volatile = size % 2,
                                .has_memory_clobber = size % 3 == 0};
    ptx_lower_asm(&builder, &statement);
    if (!ir_builder_ended(&builder))
        ir_build(&builder, IR_RET, IR_NONE, NULL, 0, 0);
    struct error error;
    if (!ir_verify_unit(&unit, &error)) {
        fprintf(stderr, "%s\n", error.text);
        ir_print_unit(stderr, &unit);
        abort();
    }
    const struct ir_function *function = ir_builder_function(&builder);
    struct model_op op;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i)
        if (model_match(model, &unit, function, (ir_value)i, &op) && op.kind == MODEL_NONE)
            abort();
    ir_unit_release(&unit);
    free(text);
    return 0;
}
