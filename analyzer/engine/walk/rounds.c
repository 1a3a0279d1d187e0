// How many rounds of a loop are followed in which nothing touches a barrier.
#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

enum {
    MOST_ROUNDS = 64,
    WHOLE_ROUNDS = 4,      // of a loop, in which loops within it are followed as far
    NESTED_ROUNDS = 8,     // and in further rounds of it, those that only go over memory
    HOST_PATIENCE = 16384, // operations of a host function until loops are passed over at once
    // Rounds of a host's loop that launches kernels, until one stands for the rest, and fewer where
    // so many operations have been done.
    LAUNCH_ROUNDS = 1024,
    LEAST_LAUNCHES = 16,
    LAUNCH_PATIENCE = 65536,
};

enum touching { NOT_KNOWN, TOUCHES, TOUCHES_NOT };

// Whether it is noted of the function what threads touch in it.
static bool function_touches(struct engine *engine, int64_t id)
{
    if (id < 0 || id >= arrlen(engine->unit->function))
        return false;
    const struct function_facts *facts = facts_of(engine, (ir_function_id)id);
    for (ptrdiff_t i = 0; facts->mode && i < arrlen(engine->unit->function[id].op); ++i) {
        if (facts->mode[i] == OP_PROBE)
            return true;
    }
    return false;
}

static bool is_touched_in(struct engine *engine, const struct ir_function *function,
                          const struct function_facts *facts, uint32_t loop)
{
    const struct cfg *cfg = facts->cfg;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        const ir_value *op = function->block[cfg->loop_block[cfg->loop[loop].first + i]].op;
        for (ptrdiff_t k = 0; k < arrlen(op); ++k) {
            const struct ir_op *at = ir_op_at(function, op[k]);
            if (facts->mode[op[k]] == OP_PROBE ||
                (at->code == IR_CALL && facts->mode[op[k]] != OP_SKIP &&
                 function_touches(engine, at->imm)))
                return true;
        }
    }
    return false;
}

// Whether it is noted of the loop what threads touch in it, as of one that multiplies tiles,
// elements of which a conversion may read. What others compute may decide about barriers.
static bool loop_touches(struct engine *engine, ir_function_id id, uint32_t loop)
{
    const struct function_facts *facts = facts_of(engine, id);
    if (!facts->mode)
        return false;
    if (facts->touching[loop] == NOT_KNOWN)
        facts->touching[loop] =
            is_touched_in(engine, &engine->unit->function[id], facts, loop) ? TOUCHES : TOUCHES_NOT;
    return facts->touching[loop] == TOUCHES;
}

// Whether the loop is gone over once more like many times before: the rows of a tile.
static bool is_gone_over(struct engine *engine, const struct frame *frame, uint32_t loop)
{
    const struct cfg *cfg = facts_of(engine, frame->function)->cfg;
    uint32_t outer = cfg->loop[loop].parent;
    return outer != IR_NONE && frame->visits[cfg->loop[outer].header] > WHOLE_ROUNDS &&
           facts_loop_pure(engine, frame->function, cfg->loop[outer].header) &&
           loop_touches(engine, frame->function, loop);
}

// Whether the host has gone round a loop that launches kernels for so long that nothing would be
// left for what it launches behind it.
static bool has_launched_enough(const struct run *run, uint32_t rounds)
{
    return run->engine->host &&
           (rounds > LAUNCH_ROUNDS || (rounds > LEAST_LAUNCHES && run->steps > LAUNCH_PATIENCE));
}

bool rounds_are_enough(const struct run *run, const struct group *group, uint32_t rounds)
{
    struct engine *engine = run->engine;
    const struct frame *frame = group->frame;
    if (has_launched_enough(run, rounds))
        return true;
    // Host functions fill and check arrays in loops within loops, before a launch and behind it.
    bool hurries = engine->host && run->steps > HOST_PATIENCE;
    if (rounds <= (hurries ? 1 : NESTED_ROUNDS) ||
        !facts_loop_pure(engine, frame->function, frame->block))
        return false;
    uint32_t loop = facts_of(engine, frame->function)->cfg->loop_of[frame->block];
    return hurries || rounds > MOST_ROUNDS || (!engine->host && is_gone_over(engine, frame, loop));
}
