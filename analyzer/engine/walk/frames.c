// Groups and the frames of the functions they are in.
#include <string.h>

#include "base/mix.h"
#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

enum {
    FRAME_UNIT = 64,
    LEAST_ENTERED = 256, // a power of two, as all multiples by 4 are
};

struct frame *frame_copy(struct run *run, struct group *group)
{
    struct frame *frame = group->frame;
    struct frame *copy = arena_new(&run->arena, struct frame);
    *copy = *frame;
    copy->shared = false;
    copy->copied = true;
    const struct function_facts *facts = facts_of(run->engine, frame->function);
    copy->value = arena_array(&run->arena, const struct node *, facts->slots);
    memcpy(copy->value, frame->value, facts->slots * sizeof *copy->value);
    size_t registers = facts->registers.count;
    copy->variable = arena_array(&run->arena, const struct node *, registers + 1);
    memcpy(copy->variable, frame->variable, (registers + 1) * sizeof *copy->variable);
    size_t blocks = (size_t)arrlen(frame_function(run, frame)->block);
    copy->visits = arena_array(&run->arena, uint32_t, blocks + 1);
    memcpy(copy->visits, frame->visits, blocks * sizeof *copy->visits);
    if (copy->parent)
        copy->parent->shared = true;
    group->frame = copy;
    return copy;
}

static uint32_t chain_find(struct run *run, uint32_t parent, ir_function_id function,
                           struct ir_loc loc)
{
    struct engine_result *result = run->engine->result;
    struct chain_key key = {parent, function, loc};
    ptrdiff_t known = hmgeti(run->engine->chain_of, key);
    if (known >= 0)
        return run->engine->chain_of[known].value;
    bool wrapper = facts_is_wrapper(run->engine, function);
    arrput(result->chain, ((struct engine_chain){parent, function, loc, wrapper}));
    uint32_t chain = (uint32_t)arrlen(result->chain) - 1;
    hmput(run->engine->chain_of, key, chain);
    return chain;
}

// Where it is kept what a call has entered: there is room for as many as there are places in the
// call tree, which a few kernels have tens of thousands of.
static struct entered *entered_slot(struct engine *engine, uint32_t parent, ir_value call)
{
    if (engine->entereds < 2 * arrlenu(engine->result->chain)) {
        engine->entereds = engine->entered ? 4 * engine->entereds : LEAST_ENTERED;
        engine->entered = arena_array(engine->arena, struct entered, engine->entereds);
    }
    return &engine->entered[mix(parent, call) & (engine->entereds - 1)];
}

static uint32_t chain_enter(struct run *run, const struct group *group, ir_function_id function,
                            ir_value call)
{
    if (!group->frame)
        return 0;
    uint32_t parent = group->frame->chain;
    struct entered *entered = entered_slot(run->engine, parent, call);
    if (!entered->chain || entered->parent != parent || entered->function != function ||
        entered->call != call) {
        struct ir_loc loc = ir_op_at(frame_function(run, group->frame), call)->loc;
        *entered = (struct entered){parent, function, call, chain_find(run, parent, function, loc)};
    }
    return entered->chain;
}

// The memory of a frame, in units of FRAME_UNIT bytes: that of one which nobody needs any more, or
// the arena's. Most calls are of functions that do next to nothing.
static struct frame *frame_memory(struct run *run, size_t bytes)
{
    uint32_t units = (uint32_t)((bytes + FRAME_UNIT - 1) / FRAME_UNIT);
    struct frame *frame = units < FRAME_UNITS ? run->spare_frame[units] : NULL;
    if (frame) {
        run->spare_frame[units] = frame->parent;
        memset(frame, 0, bytes);
    } else {
        frame = (struct frame *)arena_alloc(&run->arena, units * (size_t)FRAME_UNIT);
    }
    frame->units = units;
    return frame;
}

void frame_pop(struct run *run, struct group *group)
{
    struct frame *frame = group->frame;
    group->frame = frame->parent;
    if (frame->shared || frame->copied || frame->units >= FRAME_UNITS)
        return;
    frame->parent = run->spare_frame[frame->units];
    run->spare_frame[frame->units] = frame;
}

void frame_push(struct run *run, struct group *group, ir_function_id function, ir_value call,
                const struct node *const *argument, uint32_t count)
{
    const struct ir_function *callee = &run->engine->unit->function[function];
    const struct function_facts *facts = facts_of(run->engine, function);
    size_t lazies = facts->lazies, registers = facts->registers.count + 1;
    size_t locals = arrlenu(callee->local) + 1, blocks = arrlenu(callee->block) + 1;
    struct frame *frame = frame_memory(
        run, sizeof *frame + (facts->slots + lazies + registers + count) * sizeof *frame->value +
                 (locals + blocks) * sizeof *frame->local);
    frame->value = (const struct node **)(frame + 1);
    frame->lazy = frame->value + facts->slots;
    frame->variable = frame->lazy + lazies;
    frame->argument = frame->variable + registers;
    frame->local = (uint32_t *)(frame->argument + count);
    frame->visits = frame->local + locals;
    frame->chain = chain_enter(run, group, function, call);
    frame->parent = group->frame;
    frame->depth = group->frame ? group->frame->depth + 1 : 0;
    frame->function = function;
    frame->call = call;
    frame->instance = ++run->next_instance;
    for (uint32_t i = 0; i < count; ++i)
        frame->argument[i] = argument[i];
    frame->argument_count = count;
    group->frame = frame;
}

struct group *group_new(struct run *run, const struct mask *mask)
{
    struct group *group = arena_new(&run->arena, struct group);
    group->id = run->next_group++;
    group->mask = mask;
    arrput(run->group, group);
    return group;
}

struct group *group_fork(struct run *run, struct group *group, const struct mask *mask)
{
    group->frame->shared = true;
    struct group *other = group_new(run, mask);
    uint32_t id = other->id;
    *other = *group;
    other->id = id;
    other->mask = mask;
    group->mask = mask_minus(run->masks, group->mask, mask);
    if (group->join)
        ++group->join->members;
    return other;
}

const struct node *group_get(struct run *run, struct group *group, ir_value value)
{
    if (value == IR_NONE)
        return run->nodes->undefined;
    const struct function_facts *facts = facts_of(run->engine, group->frame->function);
    const struct ir_op *op = &frame_function(run, group->frame)->op[value];
    enum op_mode mode = facts->mode ? (enum op_mode)facts->mode[value] : OP_KEEP;
    if (mode < OP_KEEP && op->code != IR_CALL)
        return run->nodes->skipped;
    if (facts_is_lazy(op)) {
        const struct node **lazy = &group->frame->lazy[facts->slot[value]];
        if (!*lazy)
            *lazy = lazy_value(run, group, op, value);
        return (*lazy)->kind == NODE_PIECES ? node_restrict(run->nodes, *lazy, group->mask) : *lazy;
    }
    const struct node *node = group->frame->value[facts->slot[value]];
    if (!node)
        return facts->mode ? run->nodes->skipped : run->nodes->undefined;
    return node->kind == NODE_PIECES ? node_restrict(run->nodes, node, group->mask) : node;
}
