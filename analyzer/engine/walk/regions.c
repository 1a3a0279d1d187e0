// Which stretches of a function touch no barrier, so that it makes no difference to any which way
// control takes through them.
#include "base/vec.h"
#include "engine/run.h"
#include "engine/walk/facts.h"

// What a part of a function does to barriers.
enum { DOES_WAIT = 1, DOES_OTHER = 2, DOES_LANES = 4 };

static unsigned function_does(struct engine *engine, ir_function_id id);

// Whether the group is a warp or a part of one. A tile whose size only its object knows may be
// more.
static bool is_of_lanes(const struct model_op *model)
{
    enum { WARP = 32 };
    return model->scope == MODEL_SCOPE_COALESCED || model->scope == MODEL_SCOPE_WARP ||
           (model->scope == MODEL_SCOPE_TILE && model->tile_size > 0 && model->tile_size <= WARP);
}

static unsigned op_does(struct engine *engine, ir_function_id id, ir_value value)
{
    if (!facts_op_effect(engine, id, value))
        return 0;
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    const struct model_op *model = facts_model(engine, id, value);
    if (op->code != IR_CALL && op->code != IR_PTX)
        return DOES_OTHER;
    if (model->kind == MODEL_NONE)
        return function_does(engine, (ir_function_id)op->imm);
    switch (model->kind) {
    case MODEL_MBARRIER_TEST:
    case MODEL_MBARRIER_WAIT:
        return DOES_WAIT;
    case MODEL_WARP_SYNC:
    case MODEL_WARP_SHUFFLE:
    case MODEL_WARP_VOTE:
    case MODEL_WARP_MATCH:
    case MODEL_WARP_REDUCE:
        return DOES_LANES;
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_COLLECTIVE:
    case MODEL_GROUP_MAKE:
        return is_of_lanes(model) ? DOES_LANES : DOES_OTHER;
    default:
        return DOES_OTHER;
    }
}

static unsigned block_does(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct ir_block *at = &engine->unit->function[id].block[block];
    unsigned does = 0;
    for (ptrdiff_t k = 0; k < arrlen(at->op); ++k)
        does |= op_does(engine, id, at->op[k]);
    return does;
}

static unsigned function_does(struct engine *engine, ir_function_id id)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->does_known) {
        facts->does_known = true; // a recursive call adds nothing
        for (uint32_t i = 0; i < facts->cfg->order_count; ++i)
            facts->does |= block_does(engine, id, facts->cfg->order[i]);
    }
    return facts->does;
}

// What is done from the blocks of `work` on until the join, outside the loop `besides` where one is
// given; a way that comes back to `head` is a loop. Frees `work`.
static unsigned does_until(struct engine *engine, ir_function_id id, ir_block_id *work,
                           ir_block_id join, ir_block_id head, uint32_t besides)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    unsigned does = join == IR_NONE ? DOES_OTHER : 0;
    bool *seen = arena_array(engine->arena, bool, cfg->block_count + 1);
    while (!(does & DOES_OTHER) && arrlen(work)) {
        ir_block_id at = arrpop(work);
        if (at == join || seen[at] || (besides != IR_NONE && cfg_in_loop(cfg, besides, at)))
            continue;
        seen[at] = true;
        does |= at == head ? DOES_OTHER : block_does(engine, id, at);
        for (uint32_t i = 0; i < cfg->successor[at].count; ++i)
            arrput(work, cfg->successor[at].item[i]);
    }
    arrfree(work);
    return does;
}

// What is done between the condition at the end of a block and where its arms meet; outside the
// loop `besides`, where one is given. A region that comes back to its own condition is a loop, not
// a pair of arms.
static unsigned region_does(struct engine *engine, ir_function_id id, ir_block_id block,
                            uint32_t besides)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    ir_block_id *work = NULL;
    for (uint32_t i = 0; i < cfg->successor[block].count; ++i)
        arrput(work, cfg->successor[block].item[i]);
    return does_until(engine, id, work, cfg_join(cfg, block), block, besides);
}

static unsigned region_known(struct engine *engine, ir_function_id id, ir_block_id block)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    // The end of a kernel is where its threads end, which barriers notice.
    if (id == engine->kernel && cfg_join(facts->cfg, block) == facts->cfg->exit)
        return DOES_OTHER;
    if (!facts->region_known[block]) {
        facts->region_known[block] = true;
        facts->region[block] = (uint8_t)region_does(engine, id, block, IR_NONE);
    }
    return facts->region[block];
}

static bool function_meets_grid(struct engine *engine, ir_function_id id);

static bool block_meets_grid(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct ir_block *at = &function->block[block];
    for (ptrdiff_t k = 0; k < arrlen(at->op); ++k) {
        const struct ir_op *op = ir_op_at(function, at->op[k]);
        if (op->code == IR_LAUNCH || !facts_op_effect(engine, id, at->op[k]))
            continue;
        if (op->code != IR_CALL && op->code != IR_PTX) // a thread's end, or what nobody can read
            return true;
        const struct model_op *model = facts_model(engine, id, at->op[k]);
        if (model->kind == MODEL_EXIT || model->scope == MODEL_SCOPE_GRID ||
            (model->kind == MODEL_NONE && op->code == IR_CALL &&
             function_meets_grid(engine, (ir_function_id)op->imm)))
            return true;
    }
    return false;
}

static bool function_meets_grid(struct engine *engine, ir_function_id id)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->meets_grid_known) {
        facts->meets_grid_known = facts->meets_grid = true; // nobody follows a recursive call
        bool meets = false;
        for (uint32_t i = 0; i < facts->cfg->order_count && !meets; ++i)
            meets = block_meets_grid(engine, id, facts->cfg->order[i]);
        facts->meets_grid = meets;
    }
    return facts->meets_grid;
}

static bool region_meets_grid(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    ir_block_id join = cfg_join(cfg, block), *work = NULL;
    bool meets = join == IR_NONE;
    bool *seen = arena_array(engine->arena, bool, cfg->block_count + 1);
    for (uint32_t i = 0; i < cfg->successor[block].count; ++i)
        arrput(work, cfg->successor[block].item[i]);
    while (arrlen(work) && !meets) {
        ir_block_id at = arrpop(work);
        if (at == join || seen[at])
            continue;
        seen[at] = true;
        meets = block_meets_grid(engine, id, at);
        for (uint32_t i = 0; i < cfg->successor[at].count; ++i)
            arrput(work, cfg->successor[at].item[i]);
    }
    arrfree(work);
    return meets;
}

bool facts_region_meets_grid(struct engine *engine, ir_function_id id, ir_block_id block)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    if (!facts->grid_known[block]) {
        facts->grid_known[block] = true;
        facts->grid[block] = region_meets_grid(engine, id, block);
    }
    return facts->grid[block];
}

bool facts_region_pure(struct engine *engine, ir_function_id id, ir_block_id block)
{
    return region_known(engine, id, block) == 0;
}

bool facts_region_waits(struct engine *engine, ir_function_id id, ir_block_id block)
{
    return region_known(engine, id, block) == DOES_WAIT;
}

bool facts_region_of_lanes(struct engine *engine, ir_function_id id, ir_block_id block)
{
    return (region_known(engine, id, block) & ~(unsigned)DOES_LANES) == 0;
}

bool facts_exit_pure(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    return !(id == engine->kernel && cfg_join(cfg, block) == cfg->exit) &&
           region_does(engine, id, block, cfg->loop_of[block]) == 0;
}

bool facts_loop_pure(struct engine *engine, ir_function_id id, ir_block_id block)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    uint32_t loop = cfg->loop_of[block];
    if (loop == IR_NONE)
        return false;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        if (facts_block_effect(engine, id, cfg->loop_block[cfg->loop[loop].first + i]))
            return false;
    }
    return true;
}

// What is done between the ways out of the loop and where they meet. One that aborts the kernel, as
// after too long a wait, is none.
static unsigned exits_do(struct engine *engine, ir_function_id id, uint32_t loop)
{
    const struct ir_function *function = &engine->unit->function[id];
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    ir_block_id join = cfg->loop[loop].header;
    while (join != IR_NONE && join != cfg->exit && cfg_in_loop(cfg, loop, join))
        join = cfg_join(cfg, join);
    struct cfg_edge *edge;
    uint32_t count = cfg_loop_exits(cfg, loop, engine->arena, &edge);
    ir_block_id *work = NULL;
    bool several = false;
    for (uint32_t i = 0; i < count; ++i) {
        if (facts_aborts(function, edge[i].to))
            continue;
        several |= arrlen(work) > 0 && work[0] != edge[i].to;
        arrput(work, edge[i].to);
    }
    unsigned does = does_until(engine, id, work, join, IR_NONE, loop);
    return several ? does : 0;
}

bool facts_exits_alike(struct engine *engine, ir_function_id id, ir_block_id block)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    uint32_t loop = facts->cfg->loop_of[block];
    if (loop == IR_NONE)
        return true;
    if (!facts->exits_known[loop]) {
        facts->exits_known[loop] = true;
        facts->exits_alike[loop] = exits_do(engine, id, loop) == 0;
    }
    return facts->exits_alike[loop];
}
