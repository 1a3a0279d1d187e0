// Building and reading functions.
#include "ir/ir.h"

#include "base/vec.h"

enum { HAS_VALUE = 1, ENDS_BLOCK = 2, TOUCHES_MEMORY = 4 };

struct op_info {
    const char *name;
    int operands;
    unsigned flags;
};

#define R HAS_VALUE
#define T ENDS_BLOCK
#define M TOUCHES_MEMORY
static const struct op_info op_info[] = {
#define OP(name, text, operands, flags) {text, operands, flags},
#include "ir/ops.def"
#undef OP
};
#undef R
#undef T
#undef M

static const char *const special_name[IR_SPECIAL_COUNT_] = {
    [IR_TID_X] = "tid.x",
    [IR_TID_Y] = "tid.y",
    [IR_TID_Z] = "tid.z",
    [IR_NTID_X] = "ntid.x",
    [IR_NTID_Y] = "ntid.y",
    [IR_NTID_Z] = "ntid.z",
    [IR_CTAID_X] = "ctaid.x",
    [IR_CTAID_Y] = "ctaid.y",
    [IR_CTAID_Z] = "ctaid.z",
    [IR_NCTAID_X] = "nctaid.x",
    [IR_NCTAID_Y] = "nctaid.y",
    [IR_NCTAID_Z] = "nctaid.z",
    [IR_LANEID] = "laneid",
    [IR_WARPID] = "warpid",
    [IR_NWARPID] = "nwarpid",
    [IR_WARPSIZE] = "warpsize",
    [IR_CLUSTER_CTAID_X] = "cluster_ctaid.x",
    [IR_CLUSTER_CTAID_Y] = "cluster_ctaid.y",
    [IR_CLUSTER_CTAID_Z] = "cluster_ctaid.z",
    [IR_CLUSTER_CTARANK] = "cluster_ctarank",
    [IR_CLUSTER_NCTAID_X] = "cluster_nctaid.x",
    [IR_CLUSTER_NCTAID_Y] = "cluster_nctaid.y",
    [IR_CLUSTER_NCTAID_Z] = "cluster_nctaid.z",
    [IR_CLUSTER_NCTARANK] = "cluster_nctarank",
    [IR_CLUSTERID_X] = "clusterid.x",
    [IR_CLUSTERID_Y] = "clusterid.y",
    [IR_CLUSTERID_Z] = "clusterid.z",
    [IR_NCLUSTERID_X] = "nclusterid.x",
    [IR_NCLUSTERID_Y] = "nclusterid.y",
    [IR_NCLUSTERID_Z] = "nclusterid.z",
    [IR_LANEMASK_EQ] = "lanemask_eq",
    [IR_LANEMASK_LE] = "lanemask_le",
    [IR_LANEMASK_LT] = "lanemask_lt",
    [IR_LANEMASK_GE] = "lanemask_ge",
    [IR_LANEMASK_GT] = "lanemask_gt",
    [IR_SMID] = "smid",
    [IR_NSMID] = "nsmid",
    [IR_GRIDID] = "gridid",
    [IR_CLOCK] = "clock",
    [IR_CLOCK64] = "clock64",
    [IR_GLOBALTIMER] = "globaltimer",
    [IR_DYNAMIC_SMEM_SIZE] = "dynamic_smem_size",
    [IR_TOTAL_SMEM_SIZE] = "total_smem_size",
};

// --- Building --------------------------------------------------------------------------------

struct ir_function *ir_builder_function(struct ir_builder *builder)
{
    return &builder->unit->function[builder->function];
}

uint32_t ir_build_local(struct ir_builder *builder, const char *name, ir_type_id type)
{
    struct ir_function *function = ir_builder_function(builder);
    struct ir_local local = {.type = type, .loc = builder->loc};
    local.name = arena_strdup(&builder->unit->arena, name ? name : "");
    arrput(function->local, local);
    return (uint32_t)arrlenu(function->local) - 1;
}

ir_block_id ir_build_block(struct ir_builder *builder)
{
    struct ir_function *function = ir_builder_function(builder);
    function->flags |= IR_FN_BODY;
    arrput(function->block, (struct ir_block){0});
    return (ir_block_id)arrlenu(function->block) - 1;
}

bool ir_builder_ended(const struct ir_builder *builder)
{
    const struct ir_function *function = &builder->unit->function[builder->function];
    return builder->block == IR_NONE || ir_terminator(function, builder->block) != NULL;
}

ir_value ir_build(struct ir_builder *builder, enum ir_op_code code, ir_type_id type,
                  const ir_value *operand, size_t operand_count, int64_t imm)
{
    if (ir_builder_ended(builder))
        builder->block = ir_build_block(builder);
    struct ir_function *function = ir_builder_function(builder);
    bool is_void =
        type < arrlenu(builder->unit->type) && builder->unit->type[type].kind == IR_TYPE_VOID;
    struct ir_op op = {.code = (uint16_t)code,
                       .type = is_void ? IR_NONE : type,
                       .operand = (uint32_t)arrlenu(function->operand),
                       .operand_count = (uint32_t)operand_count,
                       .imm = imm,
                       .target = {IR_NONE, IR_NONE},
                       .loc = builder->loc};
    for (size_t i = 0; i < operand_count; ++i)
        arrput(function->operand, operand[i]);
    ir_value value = (ir_value)arrlenu(function->op);
    arrput(function->op, op);
    arrput(function->block[builder->block].op, value);
    if (ir_is_terminator(code))
        builder->block = IR_NONE;
    return value;
}

ir_value ir_build_const(struct ir_builder *builder, ir_type_id type, int64_t value)
{
    return ir_build(builder, IR_CONST, type, NULL, 0, value);
}

void ir_build_br(struct ir_builder *builder, ir_block_id target)
{
    ir_value value = ir_build(builder, IR_BR, IR_NONE, NULL, 0, 0);
    ir_builder_function(builder)->op[value].target[0] = target;
}

void ir_build_condbr(struct ir_builder *builder, ir_value condition, ir_block_id if_true,
                     ir_block_id if_false)
{
    ir_value value = ir_build(builder, IR_CONDBR, IR_NONE, &condition, 1, 0);
    struct ir_op *op = &ir_builder_function(builder)->op[value];
    op->target[0] = if_true;
    op->target[1] = if_false;
}

ir_value ir_build_switch(struct ir_builder *builder, ir_value value, ir_block_id otherwise,
                         const struct ir_case *cases, size_t case_count)
{
    int64_t first = (int64_t)arrlen(ir_builder_function(builder)->cases);
    ir_value number = ir_build(builder, IR_SWITCH, IR_NONE, &value, 1, first);
    struct ir_function *function = ir_builder_function(builder);
    for (size_t i = 0; i < case_count; ++i)
        arrput(function->cases, cases[i]);
    function->op[number].case_count = (uint32_t)case_count;
    function->op[number].target[0] = otherwise;
    return number;
}

void ir_build_text(struct ir_builder *builder, ir_value value, const char *text)
{
    ir_builder_function(builder)->op[value].text = arena_strdup(&builder->unit->arena, text);
}

// --- Reading ---------------------------------------------------------------------------------

bool ir_loc_holds(const struct ir_loc *outer, const struct ir_loc *inner)
{
    if (outer->file != inner->file || outer->line == 0 || inner->line == 0)
        return false;
    bool begins =
        outer->line < inner->line || (outer->line == inner->line && outer->column <= inner->column);
    bool ends = outer->end_line > inner->end_line ||
                (outer->end_line == inner->end_line && outer->end_column >= inner->end_column);
    return begins && ends;
}

bool ir_loc_before(const struct ir_loc *a, const struct ir_loc *b)
{
    return a->file == b->file &&
           (a->line < b->line || (a->line == b->line && a->column < b->column));
}

uint32_t ir_statement_at(const struct ir_function *function, const struct ir_loc *loc)
{
    // Parts come behind the whole.
    for (ptrdiff_t i = arrlen(function->statement); i > 0; --i)
        if (ir_loc_holds(&function->statement[i - 1].loc, loc))
            return (uint32_t)(i - 1);
    return IR_NONE;
}

const struct ir_op *ir_terminator(const struct ir_function *function, ir_block_id block)
{
    if (block >= arrlenu(function->block) || arrlen(function->block[block].op) == 0)
        return NULL;
    const struct ir_op *op = ir_op_at(function, arrlast(function->block[block].op));
    return op && ir_is_terminator(op->code) ? op : NULL;
}

bool ir_is_terminator(enum ir_op_code code)
{
    return code < IR_OP_COUNT_ && (op_info[code].flags & ENDS_BLOCK);
}

bool ir_has_value(enum ir_op_code code)
{
    return code < IR_OP_COUNT_ && (op_info[code].flags & HAS_VALUE);
}

int ir_operand_arity(enum ir_op_code code)
{
    return code < IR_OP_COUNT_ ? op_info[code].operands : 0;
}

const char *ir_op_name(enum ir_op_code code)
{
    return code < IR_OP_COUNT_ ? op_info[code].name : "?";
}

const char *ir_special_name(enum ir_special special)
{
    return special < IR_SPECIAL_COUNT_ ? special_name[special] : "?";
}
