// cuda::pipeline objects in a run: each thread's part in one, by the machine of
// include/barlint/semantics/pipeline.h. What would hang is told by the counts: who waits for what
// never comes goes on in the end (pipes_order.c).
// (libcu++ pipeline; Programming Guide 13, 4.10.)
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/pipes_internal.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

static bool place_of(struct run *run, struct group *group, ir_value operand, uint32_t *object,
                     int64_t *offset)
{
    const struct node *node = operand == IR_NONE ? NULL : group_get(run, group, operand);
    if (!node || node->kind != NODE_ADDRESS || node->address.rank)
        return false;
    *object = node->address.object;
    return node_is_const(node->address.offset, group->mask, run->masks, offset);
}

static struct pipe *pipe_at(struct run *run, uint32_t object, int64_t offset)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->pipe); ++i) {
        const struct pipe_name *name = machines->pipe[i]->name;
        while (name && (name->object != object || name->offset != offset))
            name = name->next;
        if (name)
            return machines->pipe[i];
    }
    return NULL;
}

static struct pipe *pipe_of(struct run *run, struct group *group, const struct model_op *op)
{
    uint32_t object;
    int64_t offset;
    return place_of(run, group, op->object, &object, &offset) ? pipe_at(run, object, offset) : NULL;
}

bool pipes_is_local(struct run *run, struct group *group, const struct model_op *op)
{
    const struct pipe *pipe = pipe_of(run, group, op);
    return pipe && pipe->local;
}

int64_t pipes_prior(struct run *run, struct group *group, const struct model_op *op,
                    uint32_t thread)
{
    const struct pipe *pipe = pipe_of(run, group, op);
    if (op->prior_constant >= 0)
        return op->prior_constant;
    uint32_t open = pipe->thread[thread].commits - pipe->waits[thread];
    return open ? open - 1 : INT64_MAX;
}

static uint32_t number_of(const struct run *run, const struct pipe *pipe)
{
    uint32_t i = 0;
    while (run->machines->pipe[i] != pipe)
        ++i;
    return i;
}

// Nothing is claimed of the pipeline any more.
void pipe_lose(struct run *run, struct pipe *pipe)
{
    pipe->lost = true;
    loads_filled(run, number_of(run, pipe), UINT32_MAX);
}

void pipe_filled(struct run *run, struct pipe *pipe, uint32_t stage)
{
    pipe->waited = pipe->waited > stage ? pipe->waited : stage + 1;
    loads_filled(run, number_of(run, pipe), stage);
}

static void lose_all(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->pipe); ++i)
        pipe_lose(run, run->machines->pipe[i]);
}

static struct engine_incident *tell(struct run *run, const struct pipe *pipe,
                                    enum barlint_violation violation, struct named_site site,
                                    const struct mask *mask)
{
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, site.function, site.op, site.chain,
                        pipe->result_object, mask);
    if (!incident)
        return NULL;
    incident->number[0] = pipe->thread[mask->first].stages;
    record_step(run, incident, record_place(run, pipe->site.chain, pipe->site.loc),
                "'%s' is made here by %s", run->engine->result->object[pipe->result_object].name,
                mask_words(run, pipe->made));
    return incident;
}

// --- Construction --------------------------------------------------------------------------------

static enum barlint_pipe_role role_of(const struct node *role, uint32_t thread)
{
    int64_t number = 0;
    if (!role)
        return BARLINT_PIPE_BOTH;
    if (!node_lane(role, thread, &number))
        return 0;
    return number == 0 ? BARLINT_PIPE_PRODUCER : BARLINT_PIPE_CONSUMER;
}

// A pipeline is made of a shared state: no other one may still be made of it, as its barriers are
// initialised anew.
static void check_state(struct run *run, struct group *group, const struct pipe *fresh)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->pipe) && fresh->state != UINT32_MAX; ++i) {
        const struct pipe *old = run->machines->pipe[i];
        const struct mask *both = mask_and(run->masks, old->made, group->mask);
        if (old == fresh || old->state != fresh->state ||
            old->state_offset != fresh->state_offset || both->count == 0 ||
            old->thread[both->first].quit)
            continue;
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, BARLINT_INIT_REINIT_LIVE, fresh->site.function, fresh->site.op,
            fresh->site.chain, record_object(run, fresh->state, fresh->state_offset, true), both);
        if (incident)
            record_step(run, incident, record_place(run, old->site.chain, old->site.loc),
                        "'%s' is made of it here, and is still in use",
                        run->engine->result->object[old->result_object].name);
    }
}

// Tells of threads that give different numbers of producers: that of the one that initialises the
// stages counts for all.
static void tell_counts(struct run *run, struct group *group, const struct pipe *pipe,
                        const struct node *count)
{
    int64_t first = 0, other = 0;
    if (!node_lane(count, group->mask->first, &first))
        return;
    mask_each (run->masks, group->mask, t) {
        if (!node_lane(count, t, &other) || other == first)
            continue;
        struct engine_incident *incident =
            tell(run, pipe, BARLINT_PIPE_PRODUCER_COUNT, pipe->site, group->mask);
        if (incident) {
            incident->number[0] = first;
            incident->number[1] = other;
            incident->number[2] = ENGINE_PRODUCERS_DIFFER;
        }
        return;
    }
}

// Which thread becomes a producer is not said where only the number is: those that act as such.
static void count_producers(struct run *run, struct group *group, const struct model_op *op,
                            struct pipe *pipe)
{
    const struct node *count = operand_field(run, group, op, &op->count);
    uint32_t size = run->engine->block_threads;
    pipe->by_use = op->scope == MODEL_SCOPE_BLOCK &&
                   node_is_const(count, group->mask, run->masks, &pipe->producers) &&
                   pipe->producers >= 0 && pipe->producers <= UINT32_MAX;
    pipe->lost |= !pipe->by_use;
    if (!pipe->by_use && op->scope == MODEL_SCOPE_BLOCK)
        tell_counts(run, group, pipe, count);
    if (!pipe->by_use ||
        barlint_violations_empty(barlint_pipe_check_producers((uint32_t)pipe->producers, size)))
        return;
    struct engine_incident *incident =
        tell(run, pipe, BARLINT_PIPE_PRODUCER_COUNT, pipe->site, group->mask);
    if (incident) {
        incident->number[0] = pipe->producers;
        incident->number[1] = size;
    }
    pipe->lost = true;
}

// The pipeline that other threads have made of the same shared state, and these have not; NULL for
// none. Where it may be another one, nothing is said of either.
static struct pipe *made_by_others(struct run *run, const struct group *group,
                                   const struct pipe *fresh)
{
    for (ptrdiff_t i = arrlen(run->machines->pipe); i-- > 0 && !fresh->local;) {
        struct pipe *other = run->machines->pipe[i];
        bool known = fresh->state != UINT32_MAX && other->state != UINT32_MAX;
        if (other->local || mask_and(run->masks, other->made, group->mask)->count ||
            (known && (other->state != fresh->state || other->state_offset != fresh->state_offset)))
            continue;
        if (!known)
            pipe_lose(run, other);
        return other;
    }
    return NULL;
}

// The pipeline that a variable of that name holds from now on.
static struct pipe *pipe_made(struct run *run, struct group *group, const struct model_op *op,
                              uint32_t object, int64_t offset)
{
    struct pipe *pipe = pipe_at(run, object, offset);
    struct pipe fresh = {.state = UINT32_MAX, .local = op->state == IR_NONE};
    if (!fresh.local && !place_of(run, group, op->state, &fresh.state, &fresh.state_offset))
        fresh.state = UINT32_MAX;
    if (!pipe) {
        pipe = made_by_others(run, group, &fresh);
        struct pipe_name *name = arena_new(&run->arena, struct pipe_name);
        *name = (struct pipe_name){object, offset, pipe ? pipe->name : NULL};
        if (pipe) {
            pipe->name = name;
            return pipe;
        }
        pipe = arena_new(&run->arena, struct pipe);
        pipe->name = name;
        pipe->result_object = record_object(run, object, offset, true);
        pipe->thread = arena_array(&run->arena, struct barlint_pipe_thread, run->engine->threads);
        pipe->waits = arena_array(&run->arena, uint32_t, run->engine->threads);
        pipe->last = arena_array(&run->arena, struct named_site, run->engine->threads);
        pipe->made = run->masks->none;
        arrput(run->machines->pipe, pipe);
    }
    pipe->waited = 0;
    pipe->local = fresh.local;
    pipe->state = fresh.state;
    pipe->state_offset = fresh.state_offset;
    return pipe;
}

static void make(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    uint32_t object;
    int64_t offset;
    if (!place_of(run, group, op->result, &object, &offset)) {
        lose_all(run);
        return;
    }
    struct pipe *pipe = pipe_made(run, group, op, object, offset);
    pipe->site = named_site_of(run, group, value);
    pipe->loose |= op->scope != MODEL_SCOPE_BLOCK;
    pipe_order_start(run, pipe);
    check_state(run, group, pipe);
    pipe->made = mask_or(run->masks, pipe->made, group->mask);
    const struct node *role =
        op->value == IR_NONE ? NULL : operand_field(run, group, op, &op->value);
    mask_each (run->masks, group->mask, t) {
        enum barlint_pipe_role as = role_of(role, t);
        pipe->lost |= as == 0;
        barlint_pipe_start(&pipe->thread[t],
                           op->stages > 0 ? (uint32_t)op->stages : (uint32_t)MANY_STAGES,
                           as ? as : BARLINT_PIPE_BOTH, pipe->local);
        pipe->waits[t] = 0;
    }
    if (op->count != IR_NONE)
        count_producers(run, group, op, pipe);
}

// --- Use -----------------------------------------------------------------------------------------

static struct barlint_effect step(struct barlint_pipe_thread *thread, enum model_kind kind)
{
    switch (kind) {
    case MODEL_PIPELINE_ACQUIRE:
        return barlint_pipe_acquire(thread);
    case MODEL_PIPELINE_COMMIT:
        return barlint_pipe_commit(thread);
    case MODEL_PIPELINE_WAIT:
        return barlint_pipe_wait(thread);
    case MODEL_PIPELINE_RELEASE:
        return barlint_pipe_release(thread);
    default:
        return barlint_pipe_leave(thread, 0);
    }
}

// Pipelines of one thread wait for that thread's copies only: acquire and release do nothing there.
static bool matters(const struct pipe *pipe, enum barlint_violation violation)
{
    if (violation == BARLINT_PIPE_LEFT_OPEN)
        return false; // harmless where nobody goes on with it
    return !pipe->local || violation == BARLINT_PIPE_WAIT_EMPTY;
}

// The thread's first act says which role it has, where that was not said before.
static void take_role(struct run *run, struct pipe *pipe, uint32_t t, enum model_kind kind)
{
    struct barlint_pipe_thread *thread = &pipe->thread[t];
    if (kind == MODEL_PIPELINE_QUIT)
        return;
    bool produces = kind == MODEL_PIPELINE_ACQUIRE || kind == MODEL_PIPELINE_COMMIT;
    enum barlint_pipe_role role = produces ? BARLINT_PIPE_PRODUCER : BARLINT_PIPE_CONSUMER;
    if (thread->role == BARLINT_PIPE_BOTH)
        thread->role = (uint8_t)role;
    else if (thread->role != role)
        pipe_lose(run, pipe); // it counts in both roles
}

static bool destroys(const struct model_op *op)
{
    return op->kind == MODEL_PIPELINE_QUIT && op->spelling && strchr(op->spelling, '~');
}

static bool use(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    uint32_t object;
    int64_t offset;
    if (!place_of(run, group, op->object, &object, &offset)) {
        lose_all(run);
        return true;
    }
    struct pipe *pipe = pipe_at(run, object, offset);
    if (!pipe)
        return true;
    bool by_number = op->kind == MODEL_PIPELINE_WAIT && (op->flags & MODEL_TIMED || pipe->local);
    if (group->arms || !mask_subset(run->masks, group->mask, pipe->made) || by_number)
        pipe_lose(run, pipe);
    struct named_site site = named_site_of(run, group, value);
    const struct mask *bad[BARLINT_VIOLATION_COUNT_] = {0};
    bool destroyed = destroys(op);
    mask_each (run->masks, group->mask, t) {
        if (pipe->thread[t].quit && destroyed)
            continue; // a destructor after quit() does nothing
        bool in_turn = op->kind == MODEL_PIPELINE_WAIT && op->prior_constant < 0;
        pipe->waits[t] += in_turn && pipe->waits[t] != pipe->thread[t].commits;
        if (pipe->by_use)
            take_role(run, pipe, t, op->kind);
        struct barlint_effect effect = step(&pipe->thread[t], op->kind);
        if (!destroyed)
            pipe->last[t] = site;
        if (barlint_violations_empty(effect.violations))
            continue;
        for (uint32_t v = barlint_violations_next(effect.violations, 0);
             v < BARLINT_VIOLATION_COUNT_; v = barlint_violations_next(effect.violations, v + 1)) {
            const struct mask *one = mask_one(run->masks, t);
            bad[v] = bad[v] ? mask_or(run->masks, bad[v], one) : one;
        }
    }
    for (uint32_t v = 0; v < BARLINT_VIOLATION_COUNT_ && !pipe->lost; ++v) {
        if (!bad[v] || !matters(pipe, (enum barlint_violation)v))
            continue;
        struct engine_incident *incident = tell(run, pipe, (enum barlint_violation)v, site, bad[v]);
        if (incident && v == BARLINT_PIPE_OVERRUN)
            incident->number[1] = pipe->thread[bad[v]->first].waited;
        pipe_lose(run, pipe); // what follows says nothing more
    }
    if (pipe->local || op->kind == MODEL_PIPELINE_QUIT)
        return true;
    if (op->kind == MODEL_PIPELINE_ACQUIRE || op->kind == MODEL_PIPELINE_WAIT)
        return pipe_comes(run, pipe, group, op->kind, value);
    pipe_hands_over(run, pipe, group, op->kind);
    return true;
}

// Whether a producer comes to fill its stage when it would: where nobody waits, the consumers may
// have gone on without it, or be so far behind that it would not have acquired that stage yet.
static bool in_time(const struct run *run, const struct pipe *pipe, uint32_t producer)
{
    const struct barlint_pipe_thread *by = &pipe->thread[producer];
    if (by->role != BARLINT_PIPE_PRODUCER)
        return true;
    if (by->commits < pipe->waited)
        return false;
    mask_each (run->masks, pipe->made, t) {
        const struct barlint_pipe_thread *to = &pipe->thread[t];
        if (to->role == BARLINT_PIPE_CONSUMER && by->commits - to->releases >= to->stages)
            return false;
    }
    return true;
}

// The threads copy into the stage that they have acquired.
static void copy(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t bytes;
    const struct pipe *pipe = pipe_of(run, group, op);
    if (op->dst == IR_NONE || op->bytes == IR_NONE ||
        !node_is_const(operand_field(run, group, op, &op->bytes), group->mask, run->masks,
                       &bytes) ||
        bytes <= 0)
        return;
    const struct node *to = operand_field(run, group, op, &op->dst);
    memory_overwrite(run, group->mask, to, bytes, true);
    if (!pipe || pipe->local)
        return;
    uint32_t first = group->mask->first, stage = pipe->thread[first].commits;
    // Any thread of a group may copy any of its bytes: one stands for all.
    bool alone = op->scope == MODEL_SCOPE_THREAD;
    const struct mask *mask = alone ? group->mask : mask_one(run->masks, group->mask->first);
    if (in_time(run, pipe, first))
        races_touched(run, group, to, op->dst,
                      alone || bytes < COPY_FRONT ? (uint32_t)bytes : COPY_FRONT, RACE_COPY);
    if (!pipe->lost)
        loads_fill(run, group, mask, to, bytes, number_of(run, pipe), stage, stage < pipe->waited);
}

// A pipeline is made: of it, or of one that nobody knows, the others are told what the threads have
// done. One of a thread's own tells nobody anything.
static void order(struct run *run, struct group *group, const struct model_op *op)
{
    if (op->kind == MODEL_PIPELINE_MAKE && op->state == IR_NONE)
        return;
    const struct pipe *pipe = pipe_of(run, group, op);
    if (!pipe ||
        (!pipe->local && (op->kind == MODEL_PIPELINE_MAKE || op->kind == MODEL_PIPELINE_QUIT)))
        orders_tell(run, group->mask);
}

bool pipes_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    order(run, group, op);
    if (op->kind == MODEL_PIPELINE_MAKE)
        make(run, group, op, value);
    else if (op->kind == MODEL_PIPELINE_COPY)
        copy(run, group, op);
    else
        return use(run, group, op, value);
    return true;
}

// --- The end -------------------------------------------------------------------------------------

static uint32_t progress(const struct barlint_pipe_thread *thread)
{
    return thread->role & BARLINT_PIPE_PRODUCER ? thread->commits : thread->releases;
}

// Tells that `late` went through fewer stages than `ahead`, which then wait for ever.
static struct engine_incident *tell_late(struct run *run, const struct pipe *pipe,
                                         const struct mask *late, const struct mask *ahead)
{
    struct engine_incident *incident =
        tell(run, pipe, BARLINT_PIPE_QUIT, pipe->last[late->first], late);
    if (incident) {
        const struct barlint_pipe_thread *thread = &pipe->thread[late->first];
        incident->number[0] = thread->acquired || thread->waited;
        incident->number[1] = progress(thread);
        incident->number[2] = progress(&pipe->thread[ahead->first]);
    }
    return incident;
}

static void tell_quitters(struct run *run, const struct pipe *pipe, const struct mask *late,
                          const struct mask *ahead)
{
    struct parting_found found = {0};
    parting_between(run, late, ahead, &found);
    struct engine_incident *incident = tell_late(run, pipe, late, ahead);
    if (!incident)
        return;
    // A call of quit() says where they leave.
    const struct named_site *last = &pipe->last[late->first];
    const struct model_op *op = facts_model(run->engine, last->function, last->op);
    if (op->kind == MODEL_PIPELINE_QUIT)
        return;
    if (found.returns) {
        incident->loc = found.return_loc;
        incident->loc_chain = found.return_chain;
    } else if (found.parting) {
        incident->loc = incident->branch = found.parting->branch;
        incident->loc_chain = found.parting->chain;
    }
    if (found.parting)
        record_step(run, incident, found.parting->branch, "%s {takes|take} another way here",
                    mask_words(run, late));
}

// Threads that went through fewer stages than others of their role.
static bool find_quitters(struct run *run, const struct pipe *pipe, enum barlint_pipe_role role)
{
    uint32_t furthest = 0;
    mask_each (run->masks, pipe->made, t) {
        if (pipe->thread[t].role == role && progress(&pipe->thread[t]) > furthest)
            furthest = progress(&pipe->thread[t]);
    }
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    uint64_t *ahead = arena_array(&run->arena, uint64_t, run->masks->words);
    mask_each (run->masks, pipe->made, t) {
        const struct barlint_pipe_thread *thread = &pipe->thread[t];
        if (thread->role != role)
            continue;
        uint64_t *to = progress(thread) < furthest ? word : ahead;
        to[t / 64] |= UINT64_C(1) << (t % 64);
    }
    const struct mask *late = mask_from_words(run->masks, word);
    if (late->count)
        tell_quitters(run, pipe, late, mask_from_words(run->masks, ahead));
    return late->count > 0;
}

static const struct mask *threads_in(struct run *run, const struct pipe *pipe,
                                     enum barlint_pipe_role role)
{
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    mask_each (run->masks, pipe->made, t) {
        if (pipe->thread[t].role == role)
            mask_builder_add(&builder, t);
    }
    return mask_builder_end(run->masks, &builder);
}

// One role as a whole that stopped before the other had what it waits for: stages that are free
// again, or filled. All threads of a role have come equally far.
static void find_role_left(struct run *run, const struct pipe *pipe)
{
    const struct mask *producers = threads_in(run, pipe, BARLINT_PIPE_PRODUCER);
    const struct mask *consumers = threads_in(run, pipe, BARLINT_PIPE_CONSUMER);
    if (producers->count == 0 || consumers->count == 0)
        return;
    const struct barlint_pipe_thread *one = &pipe->thread[producers->first];
    uint64_t filled = one->commits, emptied = pipe->thread[consumers->first].releases;
    if (filled > emptied + one->stages)
        tell_late(run, pipe, consumers, producers);
    else if (emptied > filled)
        tell_late(run, pipe, producers, consumers);
}

// Threads of one role that are more than the stages count on, or fewer where others wait for them.
static bool find_surplus(struct run *run, const struct pipe *pipe)
{
    uint32_t size = run->engine->block_threads, blocks = run->engine->blocks;
    const struct mask *producers = threads_in(run, pipe, BARLINT_PIPE_PRODUCER);
    const struct mask *consumers = threads_in(run, pipe, BARLINT_PIPE_CONSUMER);
    int64_t counted[2] = {pipe->producers * blocks, (size - pipe->producers) * blocks};
    const struct mask *acting[2] = {producers, consumers};
    for (int i = 0; i < 2 && producers->count && consumers->count; ++i) {
        const struct barlint_pipe_thread *other = &pipe->thread[acting[1 - i]->first];
        // Consumers wait for the first stage already, producers for one that was full before.
        bool awaited = i == 0 || other->commits > other->stages;
        if (acting[i]->count == counted[i] || (acting[i]->count < counted[i] && !awaited))
            continue;
        struct engine_incident *incident =
            tell(run, pipe, BARLINT_PIPE_PRODUCER_COUNT, pipe->site, acting[i]);
        if (incident) {
            incident->number[0] = counted[i] / blocks;
            incident->number[1] = acting[i]->count / blocks;
            incident->number[2] = i ? ENGINE_CONSUMERS_ACT : ENGINE_PRODUCERS_ACT;
            const struct named_site *last = &pipe->last[acting[i]->first];
            record_step(run, incident, record_place(run, last->chain, last->loc), "%s %s here",
                        mask_words(run, acting[i]),
                        i ? "{consumes|consume}" : "{produces|produce}");
        }
        return true;
    }
    return false;
}

// All threads have one and the same role: the barriers of the stages count on nobody in the other.
static bool find_lone_role(struct run *run, const struct pipe *pipe)
{
    const struct mask *producers = threads_in(run, pipe, BARLINT_PIPE_PRODUCER);
    const struct mask *consumers = threads_in(run, pipe, BARLINT_PIPE_CONSUMER);
    if (pipe->made != run->masks->all || (producers->count == 0) == (consumers->count == 0))
        return false;
    struct engine_incident *incident =
        tell(run, pipe, BARLINT_PIPE_PRODUCER_COUNT, pipe->site, pipe->made);
    if (incident) {
        incident->number[0] = producers->count / run->engine->blocks;
        incident->number[1] = run->engine->block_threads;
    }
    return true;
}

void pipes_end(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->pipe); ++i) {
        const struct pipe *pipe = run->machines->pipe[i];
        if (pipe->lost || pipe->local || !mask_subset(run->masks, pipe->made, run->exited))
            continue;
        if (pipe->by_use ? find_surplus(run, pipe) : find_lone_role(run, pipe))
            continue;
        bool uneven = false;
        for (int role = BARLINT_PIPE_PRODUCER; role <= BARLINT_PIPE_BOTH; ++role)
            uneven |= find_quitters(run, pipe, (enum barlint_pipe_role)role);
        if (!uneven)
            find_role_left(run, pipe);
    }
}
