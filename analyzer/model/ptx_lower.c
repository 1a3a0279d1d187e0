// From a parsed asm statement to blocks and operations of the IR.
#include "model/ptx_lower.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/ptx_internal.h"

// Beyond this many backward branches a statement is no hand-written loop.
enum { LOOP_LIMIT = 256 };

// Instructions none of whose operands is a destination, by first part. A second name restricts a
// row to mnemonics that have that part; "!part" to those that do not.
static const struct {
    const char *name, *part;
} no_destination[] = {
    {"bar", "!red"},
    {"barrier", "!red"},
    {"cp", NULL},
    {"setmaxnreg", NULL},
    {"nanosleep", NULL},
    {"fence", NULL},
    {"membar", NULL},
    {"griddepcontrol", NULL},
    {"prefetch", NULL},
    {"prefetchu", NULL},
    {"discard", NULL},
    {"applypriority", NULL},
    {"pmevent", NULL},
    {"red", NULL},
    {"st", NULL},
    {"stmatrix", NULL},
    {"sust", NULL},
    {"sured", NULL},
    {"stackrestore", NULL},
    {"wgmma", "!mma_async"},
    {"multimem", "red"},
    {"multimem", "st"},
    {"tcgen05", "dealloc"},
    {"tcgen05", "mma"},
    {"tcgen05", "cp"},
    {"tcgen05", "commit"},
    {"mbarrier", "init"},
    {"mbarrier", "inval"},
    {"mbarrier", "expect_tx"},
    {"mbarrier", "complete_tx"},
};

uint32_t ptx_destination_count(const struct ptx_instruction *instruction)
{
    if (instruction->operand_count == 0 || instruction->operand[0].kind == PTX_ADDRESS)
        return 0;
    if (strcmp(instruction->part[0], "call") == 0) // call (result), function, (arguments)
        return instruction->operand_count > 1 && instruction->operand[0].kind == PTX_VECTOR;
    for (size_t i = 0; i < sizeof no_destination / sizeof no_destination[0]; ++i) {
        const char *part = no_destination[i].part;
        if (strcmp(instruction->part[0], no_destination[i].name) != 0)
            continue;
        // mbarrier.arrive.expect_tx has a destination, mbarrier.expect_tx has none.
        if (strcmp(instruction->part[0], "mbarrier") == 0) {
            if (instruction->part_count > 1 && strcmp(instruction->part[1], part) == 0)
                return 0;
            continue;
        }
        if (!part ||
            (part[0] == '!' ? !ptx_has(instruction, part + 1) : ptx_has(instruction, part)))
            return 0;
    }
    return 1;
}

// --- Instructions the IR has no operation for ---------------------------------------------------

// The addresses of the registers a destination operand names.
static void take_destinations(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                              ir_value **out)
{
    if (operand->kind != PTX_VECTOR && operand->kind != PTX_PAIR) {
        arrput(*out, ptx_destination(lowering, operand));
        return;
    }
    for (uint32_t i = 0; i < operand->element_count; ++i)
        take_destinations(lowering, &operand->element[i], out);
}

static void take_sources(struct ptx_lowering *lowering, const struct ptx_operand *operand,
                         ir_value **out)
{
    switch (operand->kind) {
    case PTX_ADDRESS:
        arrput(*out, ptx_read_address(lowering, operand));
        for (uint32_t i = 1; i < operand->element_count; ++i)
            take_sources(lowering, &operand->element[i], out);
        break;
    case PTX_VECTOR:
    case PTX_PAIR:
        for (uint32_t i = 0; i < operand->element_count; ++i)
            take_sources(lowering, &operand->element[i], out);
        break;
    default:
        arrput(*out, ptx_read(lowering, operand, IR_NONE));
    }
}

static uint16_t statement_flags(const struct ptx_asm *statement)
{
    return (uint16_t)((statement->is_volatile ? IR_VOLATILE : 0) |
                      (statement->has_memory_clobber ? IR_MEMORY_CLOBBER : 0));
}

static void lower_other(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_builder *builder = lowering->builder;
    ir_value *operand = NULL;
    uint32_t first = ptx_destination_count(instruction);
    if (first)
        take_destinations(lowering, &instruction->operand[0], &operand);
    int64_t destinations = (int64_t)arrlen(operand);
    for (uint32_t i = first; i < instruction->operand_count; ++i)
        take_sources(lowering, &instruction->operand[i], &operand);
    bool is_call = strcmp(instruction->part[0], "call") == 0;
    ir_value op =
        ir_build(builder, is_call ? IR_OPAQUE : IR_PTX, IR_NONE, operand,
                 is_call ? (size_t)destinations : arrlenu(operand), is_call ? 0 : destinations);
    ir_build_text(builder, op, is_call ? "a call inside asm" : instruction->text);
    uint16_t flags = statement_flags(lowering->statement);
    if (is_call)
        flags |= IR_MAY_BARRIER;
    ir_builder_function(builder)->op[op].flags |= flags;
    arrfree(operand);
}

// --- Control flow ------------------------------------------------------------------------------

// Ends of a thread, of the kernel or of the function. False for any other instruction.
static bool lower_end(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    struct ir_builder *builder = lowering->builder;
    const char *name = instruction->part[0];
    if (strcmp(name, "exit") == 0) {
        ir_build(builder, IR_EXIT, IR_NONE, NULL, 0, 0);
    } else if (strcmp(name, "trap") == 0) {
        ir_build_text(builder, ir_build(builder, IR_UNREACHABLE, IR_NONE, NULL, 0, 0), "trap");
    } else if (strcmp(name, "ret") == 0) {
        const struct ir_function *function = ir_builder_function(builder);
        if (builder->unit->type[function->result].kind == IR_TYPE_VOID)
            ir_build(builder, IR_RET, IR_NONE, NULL, 0, 0);
        else
            ir_build_text(builder, ir_build(builder, IR_UNREACHABLE, IR_NONE, NULL, 0, 0),
                          "ret inside asm");
    } else {
        return false;
    }
    return true;
}

static void lower_branch(struct ptx_lowering *lowering, uint32_t index)
{
    struct ir_builder *builder = lowering->builder;
    const struct ptx_instruction *instruction = &lowering->program->instruction[index];
    ir_block_id target = lowering->block[instruction->target];
    if (!instruction->guarded) {
        ir_build_br(builder, target);
        return;
    }
    struct ptx_operand guard = instruction->guard;
    bool negated = guard.negated;
    guard.negated = false;
    ir_value condition = ptx_read(lowering, &guard, ir_type_bool(builder->unit));
    if (lowering->block[index + 1] == IR_NONE)
        lowering->block[index + 1] = ir_build_block(builder);
    ir_block_id next = lowering->block[index + 1];
    ir_block_id here = builder->block;
    ir_build_condbr(builder, condition, negated ? next : target, negated ? target : next);
    struct ir_function *function = ir_builder_function(builder);
    if (lowering->decides_loop[index])
        function->op[arrlast(function->block[here].op)].flags |= IR_LOOP;
}

static void lower_plain(struct ptx_lowering *lowering, const struct ptx_instruction *instruction)
{
    if (!lower_end(lowering, instruction) && !ptx_lower_value(lowering, instruction))
        lower_other(lowering, instruction);
}

static void lower_instruction(struct ptx_lowering *lowering, uint32_t index)
{
    struct ir_builder *builder = lowering->builder;
    const struct ptx_instruction *instruction = &lowering->program->instruction[index];
    if (instruction->target != PTX_NO_TARGET) {
        lower_branch(lowering, index);
        return;
    }
    if (!instruction->guarded) {
        lower_plain(lowering, instruction);
        return;
    }
    struct ptx_operand guard = instruction->guard;
    bool negated = guard.negated;
    guard.negated = false;
    ir_value condition = ptx_read(lowering, &guard, ir_type_bool(builder->unit));
    ir_block_id then = ir_build_block(builder);
    if (lowering->block[index + 1] == IR_NONE)
        lowering->block[index + 1] = ir_build_block(builder);
    ir_block_id next = lowering->block[index + 1];
    ir_build_condbr(builder, condition, negated ? next : then, negated ? then : next);
    builder->block = then;
    lower_plain(lowering, instruction);
}

// Marks the guarded branches that decide whether a loop goes on: the one that goes back, and those
// inside that leave.
static void find_loops(struct ptx_lowering *lowering)
{
    const struct ptx_program *program = lowering->program;
    uint32_t loops = 0;
    for (uint32_t last = 0; last < program->instruction_count; ++last) {
        int32_t first = program->instruction[last].target;
        if (first == PTX_NO_TARGET || (uint32_t)first > last || ++loops > LOOP_LIMIT)
            continue;
        for (uint32_t i = (uint32_t)first; i <= last; ++i) {
            const struct ptx_instruction *branch = &program->instruction[i];
            if (branch->target == PTX_NO_TARGET || !branch->guarded)
                continue;
            if (i == last || branch->target < first || (uint32_t)branch->target > last)
                lowering->decides_loop[i] = true;
        }
    }
}

static void make_blocks(struct ptx_lowering *lowering)
{
    const struct ptx_program *program = lowering->program;
    for (uint32_t i = 0; i <= program->instruction_count; ++i)
        lowering->block[i] = IR_NONE;
    for (uint32_t i = 0; i < program->instruction_count; ++i) {
        int32_t target = program->instruction[i].target;
        if (target != PTX_NO_TARGET && lowering->block[target] == IR_NONE)
            lowering->block[target] = ir_build_block(lowering->builder);
    }
}

// --- Registers and outputs ---------------------------------------------------------------------

static void mark_used(const struct ptx_operand *operand, ir_value *used)
{
    if (operand->kind == PTX_REGISTER)
        used[operand->value] = 0;
    for (uint32_t i = 0; i < operand->element_count; ++i)
        mark_used(&operand->element[i], used);
}

static void make_registers(struct ptx_lowering *lowering)
{
    struct ir_builder *builder = lowering->builder;
    struct ir_unit *unit = builder->unit;
    const struct ptx_program *program = lowering->program;
    for (uint32_t i = 0; i < program->register_count; ++i)
        lowering->reg_address[i] = IR_NONE;
    for (uint32_t i = 0; i < program->instruction_count; ++i) {
        const struct ptx_instruction *instruction = &program->instruction[i];
        if (instruction->guarded)
            mark_used(&instruction->guard, lowering->reg_address);
        for (uint32_t j = 0; j < instruction->operand_count; ++j)
            mark_used(&instruction->operand[j], lowering->reg_address);
    }
    for (uint32_t i = 0; i < program->register_count; ++i) {
        if (lowering->reg_address[i] == IR_NONE)
            continue;
        ir_type_id type = ptx_register_type(lowering, &program->reg[i]);
        if (program->reg[i].width > 1)
            type = ir_type_array(unit, type, program->reg[i].width);
        uint32_t local = ir_build_local(builder, program->reg[i].name, type);
        ir_build(builder, IR_DECLARE, IR_NONE, NULL, 0, local);
        lowering->reg_address[i] =
            ir_build(builder, IR_LOCAL, ir_type_pointer(unit, type), NULL, 0, local);
    }
}

// The output an input constraint such as "0" or "[name]" ties its value to, or output_count.
static size_t tied_output(const struct ptx_asm *statement, const char *constraint)
{
    size_t number = 0;
    if (!constraint || constraint[0] < '0' || constraint[0] > '9')
        return statement->output_count;
    for (; *constraint >= '0' && *constraint <= '9' && number < 1000; ++constraint)
        number = number * 10 + (size_t)(*constraint - '0');
    return number < statement->output_count ? number : statement->output_count;
}

static void make_outputs(struct ptx_lowering *lowering)
{
    struct ir_builder *builder = lowering->builder;
    const struct ptx_asm *statement = lowering->statement;
    for (size_t i = 0; i < statement->output_count; ++i) {
        ir_type_id type = statement->operand[i].type;
        lowering->output_address[i] = statement->operand[i].address;
        if (lowering->output_address[i] != IR_NONE)
            continue;
        if (type >= arrlenu(builder->unit->type))
            type = ir_type_int(builder->unit, 32, false);
        uint32_t local = ir_build_local(builder, "_", type);
        lowering->output_address[i] =
            ir_build(builder, IR_LOCAL, ir_type_pointer(builder->unit, type), NULL, 0, local);
    }
    for (size_t i = 0; i < statement->input_count; ++i) {
        const struct ptx_asm_operand *input = &statement->operand[statement->output_count + i];
        size_t output = tied_output(statement, input->constraint);
        if (output < statement->output_count && input->value != IR_NONE)
            ptx_write(lowering,
                      &(struct ptx_operand){.kind = PTX_ARGUMENT, .value = (int64_t)output},
                      input->value);
    }
}

// --- The statement -----------------------------------------------------------------------------

static void lower_opaque(struct ir_builder *builder, const struct ptx_asm *statement,
                         const char *why)
{
    ir_value *address = NULL;
    for (size_t i = 0; i < statement->output_count; ++i)
        if (statement->operand[i].address != IR_NONE)
            arrput(address, statement->operand[i].address);
    ir_value op = ir_build(builder, IR_OPAQUE, IR_NONE, address, arrlenu(address), 0);
    arrfree(address);
    ir_build_text(builder, op, why);
    uint16_t flags = statement_flags(statement);
    // clang cuts a template at an escape it does not know: what is missing may be a barrier.
    bool cut = strstr(why, "before the end") != NULL;
    if (cut || ptx_may_barrier(statement->template_text))
        flags |= IR_MAY_BARRIER;
    ir_builder_function(builder)->op[op].flags |= flags;
}

static void lower_program(struct ptx_lowering *lowering)
{
    struct ir_builder *builder = lowering->builder;
    uint32_t count = lowering->program->instruction_count;
    make_registers(lowering);
    make_outputs(lowering);
    make_blocks(lowering);
    find_loops(lowering);
    for (uint32_t i = 0; i <= count; ++i) {
        ir_block_id block = lowering->block[i];
        if (block != IR_NONE) {
            if (!ir_builder_ended(builder))
                ir_build_br(builder, block);
            builder->block = block;
        }
        // What follows a jump and no label is never run.
        if (i < count && !ir_builder_ended(builder))
            lower_instruction(lowering, i);
    }
}

// Whether what stands at `at` continues a mnemonic, as the `%1` of `.cta_group::%1` does, which
// clang writes `$1`.
static bool in_mnemonic(const char *text, size_t at)
{
    bool dotted = false;
    size_t from = at;
    while (from > 0 && (isalnum((unsigned char)text[from - 1]) || strchr("_.:%$", text[from - 1])))
        dotted |= text[--from] == '.';
    return dotted && isalpha((unsigned char)text[from]);
}

// The number that the operand is, where it is an immediate one that is known.
static bool immediate(struct ir_builder *builder, const struct ptx_asm *statement,
                      unsigned long number, int64_t *out)
{
    if (number >= statement->output_count + statement->input_count ||
        !strchr(statement->operand[number].constraint, 'n'))
        return false;
    ir_value value = statement->operand[number].value;
    const struct ir_function *function = ir_builder_function(builder);
    while (value != IR_NONE && ir_op_at(function, value)->code == IR_CAST)
        value = ir_operand(function, ir_op_at(function, value), 0);
    if (value == IR_NONE || ir_op_at(function, value)->code != IR_CONST)
        return false;
    *out = ir_op_at(function, value)->imm;
    return true;
}

// The template, with immediate operands that stand within a mnemonic put in their places: they say
// which instruction it is.
static const char *template_of(struct ir_builder *builder, const struct ptx_asm *statement,
                               struct arena *arena)
{
    enum { MOST_DIGITS = 20 };
    const char *text = statement->template_text;
    size_t used = 0, places = 0;
    for (const char *at = strpbrk(text, "%$"); at; at = strpbrk(at + 1, "%$"))
        ++places;
    char *out = arena_array(arena, char, strlen(text) + places * MOST_DIGITS + 1);
    for (const char *at = text; *at;) {
        int64_t number;
        char *end = NULL;
        bool names = (*at == '%' || *at == '$') && isdigit((unsigned char)at[1]);
        if (names && in_mnemonic(text, (size_t)(at - text)) &&
            immediate(builder, statement, strtoul(at + 1, &end, 10), &number)) {
            used += (size_t)snprintf(out + used, MOST_DIGITS + 1, "%lld", (long long)number);
            at = end;
        } else {
            out[used++] = *at++;
        }
    }
    return out;
}

bool ptx_lower_asm(struct ir_builder *builder, const struct ptx_asm *statement)
{
    struct arena scratch;
    arena_init(&scratch);
    struct ptx_program program;
    struct error error = {0};
    bool parsed = ptx_parse(&scratch, template_of(builder, statement, &scratch), &program, &error);
    if (parsed && program.instruction_count) {
        if (ir_builder_ended(builder))
            builder->block = ir_build_block(builder);
        struct ptx_lowering lowering = {
            .builder = builder,
            .statement = statement,
            .program = &program,
            .reg_address = arena_array(&scratch, ir_value, program.register_count + 1),
            .output_address = arena_array(&scratch, ir_value, statement->output_count + 1),
            .block = arena_array(&scratch, ir_block_id, program.instruction_count + 2),
            .decides_loop = arena_array(&scratch, bool, program.instruction_count + 1),
        };
        lower_program(&lowering);
    } else if (!parsed) {
        lower_opaque(builder, statement, error.text);
    }
    arena_release(&scratch);
    return parsed;
}
