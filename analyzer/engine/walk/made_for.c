// How many threads of a block a kernel is made for, as its code says: the library's primitives for
// a block are told, and `for (i = threadIdx.x; i < n; i += 256)` takes 256 threads to go through
// all elements once. Asked of kernels whose launches nobody can read.
#include <string.h>

#include "base/vec.h"
#include "engine/walk/launch.h"

enum { DEEPEST_CALL = 4, MOST_OPS = 20000, MOST_THREADS = 1024, LANES = 32 };

// What is found over the functions that a kernel reaches.
struct strides {
    const struct ir_unit *unit;
    int64_t threads;    // the stride; 0: none yet
    int64_t most_asked; // the greatest number that threads are compared with
    bool unclear;       // strides differ, or the block has rows or is asked for its size
    uint32_t left;      // operations to look at
};

static const struct ir_op *without_casts(const struct ir_function *function, const struct ir_op *op)
{
    while (op && op->code == IR_CAST)
        op = ir_op_at(function, ir_operand(function, op, 0));
    return op;
}

static const struct ir_op *operand_of(const struct ir_function *function, const struct ir_op *op,
                                      uint32_t which)
{
    return without_casts(function, ir_op_at(function, ir_operand(function, op, which)));
}

// The local that the operation loads from or stores to; -1 for anything else.
static int64_t local_of(const struct ir_function *function, const struct ir_op *op)
{
    if (!op || (op->code != IR_LOAD && op->code != IR_STORE))
        return -1;
    const struct ir_op *address = ir_op_at(function, ir_operand(function, op, 0));
    return address->code == IR_LOCAL ? address->imm : -1;
}

// Variables that take each other's values begin with neither's.
enum { MOST_VARIABLES = 8 };

static bool leads_to_thread(const struct ir_function *function, const struct ir_op *op,
                            uint32_t variables);

// Whether the variable begins with the thread's number and is changed by `changes` more stores;
// `variables`: how many have led to it.
static bool begins_as_thread(const struct ir_function *function, int64_t local, uint32_t changes,
                             uint32_t variables)
{
    uint32_t stores = 0;
    bool begins = false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        if (op->code != IR_STORE || local_of(function, op) != local)
            continue;
        const struct ir_op *stored = operand_of(function, op, 1);
        if (stores++ == 0)
            begins = variables < MOST_VARIABLES && leads_to_thread(function, stored, variables + 1);
    }
    return begins && stores == 1 + changes;
}

static bool leads_to_thread(const struct ir_function *function, const struct ir_op *op,
                            uint32_t variables)
{
    if (op && op->code == IR_SPECIAL)
        return op->imm == IR_TID_X;
    int64_t local = op && op->code == IR_LOAD ? local_of(function, op) : -1;
    return local >= 0 && begins_as_thread(function, local, 0, variables);
}

static bool is_thread(const struct ir_function *function, const struct ir_op *op)
{
    return leads_to_thread(function, op, 0);
}

static void take_stride(struct strides *strides, int64_t number)
{
    if (number < LANES || number > MOST_THREADS || number % LANES)
        return;
    strides->unclear |= strides->threads && strides->threads != number;
    strides->threads = number;
}

// `i += 256` of what began as the thread's number, or `threadIdx.x + 256 * i`.
static void look_at_sum(struct strides *strides, const struct ir_function *function,
                        const struct ir_op *op)
{
    for (uint32_t k = 0; k < 2; ++k) {
        const struct ir_op *one = operand_of(function, op, k);
        const struct ir_op *other = operand_of(function, op, 1 - k);
        int64_t local = local_of(function, one);
        if (other->code == IR_CONST && local >= 0 && one->code == IR_LOAD &&
            begins_as_thread(function, local, 1, 0))
            take_stride(strides, other->imm);
        if (other->code != IR_MUL || !is_thread(function, one))
            continue;
        for (uint32_t j = 0; j < 2; ++j) {
            const struct ir_op *factor = operand_of(function, other, j);
            if (factor->code == IR_CONST)
                take_stride(strides, factor->imm);
        }
    }
}

static void look_at(struct strides *strides, const struct ir_function *function,
                    const struct ir_op *op)
{
    switch (op->code) {
    case IR_SPECIAL:
        strides->unclear |= op->imm == IR_TID_Y || op->imm == IR_TID_Z;
        // Helpers ask for blocks of any size.
        strides->unclear |= op->imm == IR_NTID_X && function->flags & IR_FN_KERNEL;
        break;
    case IR_ADD:
        look_at_sum(strides, function, op);
        break;
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE:
        for (uint32_t k = 0; k < 2; ++k) {
            const struct ir_op *number = operand_of(function, op, 1 - k);
            if (number->code == IR_CONST && number->imm > strides->most_asked &&
                is_thread(function, operand_of(function, op, k)))
                strides->most_asked = number->imm;
        }
        break;
    default:
        break;
    }
}

static void look_through(struct strides *strides, const struct ir_function *function, int depth)
{
    for (ptrdiff_t i = 0; i < arrlen(function->op) && depth < DEEPEST_CALL && strides->left; ++i) {
        const struct ir_op *op = &function->op[i];
        --strides->left;
        if (op->code != IR_CALL)
            look_at(strides, function, op);
        else if (!(strides->unit->function[op->imm].flags & IR_FN_SYSTEM))
            look_through(strides, &strides->unit->function[op->imm], depth + 1);
    }
}

// The number of threads that all loops over elements step by; 0 where they differ or there is none,
// or where the code tells threads beyond it apart.
static int64_t threads_of_strides(const struct ir_unit *unit, const struct ir_function *kernel)
{
    struct strides strides = {.unit = unit, .left = MOST_OPS};
    look_through(&strides, kernel, 0);
    bool fits = !strides.unclear && strides.left && strides.most_asked < strides.threads;
    return fits ? strides.threads : 0;
}

// How many threads a primitive of CUB for a block is made for, where the call is one: the first
// number among the arguments of its class template, or what our own headers pass on; else 0.
static int64_t threads_of_primitive(const struct ir_function *function, const struct ir_op *call,
                                    const struct ir_function *callee)
{
    const struct ir_op *given = ir_op_at(function, ir_operand(function, call, 0));
    if (!(callee->flags & IR_FN_SYSTEM) || !callee->lookup)
        return 0;
    if (strcmp(callee->lookup, "cub::barlint_block_meets") == 0)
        return given && given->code == IR_CONST ? given->imm : 0;
    if (strncmp(callee->lookup, "cub::Block", strlen("cub::Block")) != 0)
        return 0;
    for (ptrdiff_t i = 0; i < arrlen(callee->class_arg); ++i) {
        if (callee->class_arg[i].kind == IR_ARG_INT)
            return callee->class_arg[i].value;
    }
    return 0;
}

// How many threads the library's primitives for a block, of which the function or what it calls
// makes use, are made for; 0 where none says it among so many operations.
static int64_t threads_of_primitives(const struct ir_unit *unit, const struct ir_function *function,
                                     int depth, uint32_t *left)
{
    int64_t threads = 0;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && !threads && depth < DEEPEST_CALL && *left;
         ++i) {
        const struct ir_op *op = &function->op[i];
        --*left;
        if (op->code != IR_CALL)
            continue;
        const struct ir_function *callee = &unit->function[op->imm];
        threads = threads_of_primitive(function, op, callee);
        threads = threads > 0 ? threads : threads_of_primitives(unit, callee, depth + 1, left);
    }
    return threads <= MOST_THREADS ? threads : 0;
}

int64_t launch_made_for(const struct ir_unit *unit, const struct ir_function *kernel)
{
    uint32_t left = MOST_OPS;
    int64_t threads = threads_of_primitives(unit, kernel, 0, &left);
    return threads > 0 ? threads : threads_of_strides(unit, kernel);
}
