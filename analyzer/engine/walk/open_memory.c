// Memory of the grid that threads of a block read and write with plain accesses only, in a kernel
// that has a barrier of the block: that barrier is then what orders them. Where an atomic or a
// volatile access goes there too, threads may tell each other otherwise.
#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

enum { MOST_ACCESSES = 24 }; // following more would cost much of a kernel's walk

struct use {
    uint32_t loads, stores;
    bool otherwise;
};

struct uses {
    struct aliases *aliases;
    struct use *of;  // by class
    struct use none; // of what is no address
    bool block_barrier;
};

static struct use *use_of(struct uses *uses, ir_function_id id, ir_value address)
{
    uint32_t class = address == IR_NONE ? IR_NONE : alias_of(uses->aliases, id, address);
    return class == IR_NONE ? &uses->none : &uses->of[class];
}

static bool syncs_block(const struct model_op *model)
{
    return model->kind == MODEL_NAMED_SYNC ||
           (model->kind == MODEL_GROUP_SYNC && model->scope == MODEL_SCOPE_BLOCK);
}

static void note(struct uses *uses, ir_function_id id, ir_value value)
{
    struct engine *engine = uses->aliases->engine;
    const struct ir_function *function = &engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    bool plain = !(op->flags & (IR_VOLATILE | IR_ATOMIC));
    switch (op->code) {
    case IR_LOAD:
    case IR_STORE:
    case IR_ZERO:
    case IR_COPY: {
        struct use *first = use_of(uses, id, ir_operand(function, op, 0));
        first->otherwise |= !plain;
        first->loads += op->code == IR_LOAD;
        first->stores += op->code != IR_LOAD;
        if (op->code == IR_COPY)
            ++use_of(uses, id, ir_operand(function, op, 1))->loads;
        break;
    }
    case IR_CALL:
        if (alias_callee(engine, id, value) != IR_NONE)
            break;
        // fall through
    case IR_PTX:
        uses->block_barrier |= syncs_block(facts_model(engine, id, value));
        // fall through
    case IR_CALLI:
    case IR_OPAQUE:
        for (uint32_t i = 0; i < op->operand_count; ++i)
            use_of(uses, id, ir_operand(function, op, i))->otherwise = true;
        break;
    default:
        break;
    }
}

void open_memory_find(struct aliases *aliases)
{
    struct uses uses = {.aliases = aliases};
    struct arena arena;
    arena_init(&arena);
    uses.of = arena_array(&arena, struct use, arrlenu(aliases->class) + 1);
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i) {
        ir_function_id id = aliases->reached[i];
        const struct ir_function *function = &aliases->engine->unit->function[id];
        for (ptrdiff_t op = 0; op < arrlen(function->op); ++op)
            note(&uses, id, (ir_value)op);
    }
    for (ptrdiff_t i = 0; i < arrlen(aliases->class) && uses.block_barrier; ++i) {
        struct alias_class *class = &aliases->class[i];
        const struct use *use = &uses.of[i];
        class->open = !class->shared && !class->local && !use->otherwise && use->loads &&
                      use->stores && use->loads + use->stores <= MOST_ACCESSES;
        aliases->any_open |= class->open;
    }
    arena_release(&arena);
}
