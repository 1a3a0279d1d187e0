// What happens in a run, noted while it happens.
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"

#include <string.h>

#include "base/vec.h"

// Enough for the rounds of any loop the engine follows with a few roles; a picture of more helps
// nobody.
enum { MOST_MOMENTS = 20000 };

void trace_clear(struct trace *trace)
{
    arrsetlen(trace->moment, 0);
    trace->full = trace->weak_incident = trace->incident = trace->deadlock = trace->shown = false;
}

void trace_release(struct trace *trace)
{
    arrfree(trace->moment);
}

static bool wanted(const struct run *run)
{
    return run->trace && !run->afterlife;
}

static struct engine_moment *add(struct run *run, enum engine_moment_kind kind,
                                 const struct mask *mask)
{
    struct trace *trace = run->trace;
    struct trace_moment fresh = {.moment = {.kind = kind, .object = UINT32_MAX}, .mask = mask};
    // How it ended is always told.
    if (arrlen(trace->moment) >= MOST_MOMENTS && kind != ENGINE_MOMENT_HANG) {
        trace->full = true;
        static struct engine_moment scratch;
        return &scratch;
    }
    arrput(trace->moment, fresh);
    return &arrlast(trace->moment).moment;
}

// --- Parts of a moment -----------------------------------------------------------------------

static void set_place(struct run *run, struct engine_moment *moment, ir_function_id function,
                      ir_value op, uint32_t chain)
{
    const struct model_op *model = facts_model(run->engine, function, op);
    moment->function = function;
    moment->op = op;
    moment->chain = chain;
    moment->model = model->kind;
    moment->spelling = model->spelling;
    moment->loc =
        record_place(run, chain, ir_op_at(&run->engine->unit->function[function], op)->loc);
}

// The blocks of the cluster that the threads belong to.
static uint32_t blocks_of(const struct run *run, const struct mask *mask)
{
    uint32_t blocks = 0;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        if (mask_overlaps(run->masks, mask, run->block_mask[b]))
            blocks |= 1u << b;
    }
    return blocks;
}

static void set_mbarrier(struct run *run, struct engine_moment *moment, const struct mask *mask,
                         const struct mbarrier *mbarrier)
{
    moment->barrier = ENGINE_BARRIER_MBARRIER;
    if (!mbarrier)
        return;
    moment->object = mbarrier->result_object;
    moment->blocks = 1u << mbarrier->block;
    moment->remote = run->engine->result->object[mbarrier->result_object].in_shared &&
                     (blocks_of(run, mask) & ~moment->blocks) != 0;
    moment->phase = moment->last_phase = mbarrier->state.phase;
}

static void set_range(struct run *run, struct group *group, struct engine_range *range,
                      const struct model_op *op, const ir_value *operand, const struct mask *mask)
{
    if (*operand != IR_NONE)
        range_add(run, range, operand_field(run, group, op, operand), mask,
                  operand_assumed(run, group, *operand));
}

// --- Operations ------------------------------------------------------------------------------

void trace_operation(struct run *run, const struct group *group, const struct mask *mask,
                     ir_value op, uint32_t object, const struct mbarrier *mbarrier)
{
    static const enum engine_moment_kind kinds[MODEL_KIND_COUNT_] = {
        [MODEL_MBARRIER_INVAL] = ENGINE_MOMENT_INVAL,
        [MODEL_MBARRIER_ARRIVE] = ENGINE_MOMENT_ARRIVE,
        [MODEL_MBARRIER_ARRIVE_WAIT] = ENGINE_MOMENT_ARRIVE,
        [MODEL_MBARRIER_EXPECT_TX] = ENGINE_MOMENT_EXPECT,
        [MODEL_MBARRIER_COMPLETE_TX] = ENGINE_MOMENT_COMPLETE_TX,
        [MODEL_MBARRIER_CP_ASYNC_ARRIVE] = ENGINE_MOMENT_ASYNC_ARRIVE,
        [MODEL_MBARRIER_ASYNC_ARRIVE] = ENGINE_MOMENT_ASYNC_ARRIVE,
        [MODEL_BULK_LOAD] = ENGINE_MOMENT_COPY,
        [MODEL_ASYNC_STORE] = ENGINE_MOMENT_COPY,
        [MODEL_CLUSTER_LAUNCH_CANCEL] = ENGINE_MOMENT_COPY,
    };
    if (!wanted(run))
        return;
    const struct model_op *model = facts_model(run->engine, group->frame->function, op);
    bool waits = model->kind == MODEL_MBARRIER_TEST || model->kind == MODEL_MBARRIER_WAIT;
    bool starts = model->kind == MODEL_MBARRIER_INIT;
    if (waits || (!starts && kinds[model->kind] == ENGINE_MOMENT_INIT))
        return;
    struct engine_moment *moment = add(run, kinds[model->kind], mask);
    set_place(run, moment, group->frame->function, op, group->frame->chain);
    set_mbarrier(run, moment, mask, mbarrier);
    moment->object = object;
    moment->drops = (model->flags & MODEL_DROP) != 0;
    struct group *reader = (struct group *)(uintptr_t)group; // values are put together as asked for
    set_range(run, reader, &moment->count, model, &model->count, mask);
    set_range(run, reader, &moment->bytes, model, &model->bytes, mask);
    if (model->count == IR_NONE && model->count_constant)
        moment->count = (struct engine_range){.given = true,
                                              .known = true,
                                              .uniform = true,
                                              .low = model->count_constant,
                                              .high = model->count_constant};
}

void trace_wait(struct run *run, const struct group *group, const struct mask *mask, ir_value op,
                const struct mbarrier *mbarrier, bool passed)
{
    if (!wanted(run) || mask->count == 0)
        return;
    struct engine_moment *moment = add(run, ENGINE_MOMENT_WAIT, mask);
    set_place(run, moment, group->frame->function, op, group->frame->chain);
    set_mbarrier(run, moment, mask, mbarrier);
    const struct model_op *model = facts_model(run->engine, group->frame->function, op);
    moment->token = model->token != IR_NONE || model->kind == MODEL_MBARRIER_ARRIVE_WAIT;
    moment->waits = !passed;
    bool claims = mbarrier && mbarrier->state.state == BARLINT_LIVE && mbarrier->count_known &&
                  !mbarrier->shared_unknown;
    if (passed)
        moment->phase = moment->last_phase = claims ? moment->phase - 1 : ENGINE_PHASE_UNKNOWN;
}

void trace_resume(struct run *run, const struct group *group, bool told)
{
    if (!wanted(run))
        return;
    struct engine_moment *moment =
        add(run, told ? ENGINE_MOMENT_PASSED : ENGINE_MOMENT_REFUSED, group->mask);
    set_place(run, moment, group->wait_function, group->wait_op, group->wait_chain);
    if (group->wait != WAIT_MBARRIER && group->wait != WAIT_TEST)
        return;
    set_mbarrier(run, moment, group->mask, &run->machines->mbarrier[group->wait_barrier]);
    moment->phase = moment->last_phase = (int64_t)group->wait_phase;
}

void trace_phases(struct run *run, const struct mbarrier *mbarrier, uint32_t before)
{
    if (!wanted(run))
        return;
    // Arrivals are looked at one by one and then all together.
    if (arrlen(run->trace->moment)) {
        const struct engine_moment *last = &arrlast(run->trace->moment).moment;
        if (last->kind == ENGINE_MOMENT_COMPLETE && last->object == mbarrier->result_object &&
            last->blocks == 1u << mbarrier->block && last->phase >= before &&
            last->last_phase + 1 == mbarrier->state.phase)
            return;
    }
    struct engine_moment *moment = add(run, ENGINE_MOMENT_COMPLETE, run->masks->none);
    set_mbarrier(run, moment, run->masks->none, mbarrier);
    moment->phase = before;
    moment->last_phase = (int64_t)mbarrier->state.phase - 1;
}

void trace_land(struct run *run, const struct mbarrier *mbarrier, const struct async_copy *copy)
{
    if (!wanted(run))
        return;
    struct engine_moment *moment = add(run, ENGINE_MOMENT_LAND, run->masks->none);
    set_mbarrier(run, moment, run->masks->none, mbarrier);
    if (!copy->arrival)
        moment->bytes = (struct engine_range){
            .given = true, .known = true, .uniform = true, .low = copy->bytes, .high = copy->bytes};
}

// --- Named barriers and the cluster's ----------------------------------------------------------

void trace_named(struct run *run, const struct group *group, const struct mask *mask, ir_value op,
                 uint32_t block, const struct barlint_named_op *named)
{
    if (!wanted(run))
        return;
    bool arrives = named->kind == BARLINT_NAMED_ARRIVE;
    struct engine_moment *moment =
        add(run, arrives ? ENGINE_MOMENT_ARRIVE : ENGINE_MOMENT_SYNC, mask);
    set_place(run, moment, group->frame->function, op, group->frame->chain);
    uint32_t slot = barlint_named_slot_of(named->id);
    moment->barrier = ENGINE_BARRIER_NAMED;
    moment->id = slot;
    moment->blocks = 1u << block;
    moment->phase = moment->last_phase = run->machines->block[block].cta.slot[slot].generation;
    moment->waits = !arrives;
    moment->counted = named->count != 0;
    if (named->count)
        moment->count = (struct engine_range){.given = true,
                                              .known = true,
                                              .uniform = true,
                                              .low = named->count,
                                              .high = named->count};
}

void trace_named_complete(struct run *run, uint32_t block, uint32_t slot)
{
    if (!wanted(run))
        return;
    struct engine_moment *moment = add(run, ENGINE_MOMENT_COMPLETE, run->masks->none);
    moment->barrier = ENGINE_BARRIER_NAMED;
    moment->id = slot;
    moment->blocks = 1u << block;
    moment->counted = run->machines->block[block].count_form[slot];
    moment->phase = (int64_t)run->machines->block[block].cta.slot[slot].generation - 1;
    moment->last_phase = moment->phase;
}

void trace_cluster(struct run *run, const struct group *group, ir_value op, bool waits)
{
    if (!wanted(run))
        return;
    const struct model_op *model = facts_model(run->engine, group->frame->function, op);
    bool both = model->kind != MODEL_CLUSTER_ARRIVE && model->kind != MODEL_CLUSTER_WAIT &&
                model->kind != MODEL_GROUP_ARRIVE && model->kind != MODEL_GROUP_WAIT;
    if (both && !waits)
        return;
    struct engine_moment *moment = add(run,
                                       both    ? ENGINE_MOMENT_SYNC
                                       : waits ? ENGINE_MOMENT_WAIT
                                               : ENGINE_MOMENT_ARRIVE,
                                       group->mask);
    set_place(run, moment, group->frame->function, op, group->frame->chain);
    moment->barrier = ENGINE_BARRIER_CLUSTER;
    moment->blocks = 1;
    const struct machines *machines = run->machines;
    const struct barlint_cluster_thread *thread = &machines->cluster_thread[group->mask->first];
    moment->phase = thread->in ? thread->phase : machines->cluster.phase;
    moment->last_phase = moment->phase;
    moment->waits = waits && (both || (thread->in && thread->phase == machines->cluster.phase));
}

void trace_cluster_phase(struct run *run, uint32_t before)
{
    if (!wanted(run) || run->machines->cluster.phase == before)
        return;
    struct engine_moment *moment = add(run, ENGINE_MOMENT_COMPLETE, run->masks->none);
    moment->barrier = ENGINE_BARRIER_CLUSTER;
    moment->blocks = 1;
    moment->phase = before;
    moment->last_phase = (int64_t)run->machines->cluster.phase - 1;
}

// --- Ends ------------------------------------------------------------------------------------

void trace_other(struct run *run, const struct group *group, ir_value op)
{
    if (!wanted(run))
        return;
    switch (facts_model(run->engine, group->frame->function, op)->kind) {
    case MODEL_PIPELINE_MAKE:
    case MODEL_PIPELINE_ACQUIRE:
    case MODEL_PIPELINE_COMMIT:
    case MODEL_PIPELINE_WAIT:
    case MODEL_PIPELINE_RELEASE:
    case MODEL_PIPELINE_QUIT:
        set_place(run, add(run, ENGINE_MOMENT_OTHER, group->mask), group->frame->function, op,
                  group->frame->chain);
        break;
    default:
        break;
    }
}

void trace_exit(struct run *run, const struct group *group)
{
    if (wanted(run))
        add(run, ENGINE_MOMENT_EXIT, group->mask);
}

void trace_incident(struct run *run, enum engine_incident_kind kind, const char *rule,
                    ir_function_id function, ir_value op, uint32_t chain, uint32_t object,
                    const struct mask *threads)
{
    if (!wanted(run))
        return;
    struct trace *trace = run->trace;
    bool weak = run_is_weak(run);
    trace->weak_incident |= weak;
    trace->incident |= !weak;
    trace->deadlock |= !weak && kind == ENGINE_DEADLOCK;
    const char *shows = run->engine->options.shows;
    trace->shown |= shows && rule && strcmp(shows, rule) == 0;
    if (kind == ENGINE_DEADLOCK)
        return; // told by those who wait, for the reason that all runs together show
    struct engine_moment *moment = add(run, ENGINE_MOMENT_VIOLATION, threads);
    set_place(run, moment, function, op, chain);
    moment->object = object;
    moment->barrier = object == UINT32_MAX ? ENGINE_BARRIER_NONE : ENGINE_BARRIER_MBARRIER;
    moment->blocks = blocks_of(run, threads);
    moment->rule = rule;
}

static struct engine_moment *add_hang(struct run *run, const struct group *group,
                                      const struct mask *missing)
{
    struct engine_moment *moment = add(run, ENGINE_MOMENT_HANG, group->mask);
    set_place(run, moment, group->wait_function, group->wait_op, group->wait_chain);
    record_threads(run, &moment->missing, missing);
    moment->missing_exited = missing->count && mask_subset(run->masks, missing, run->exited);
    return moment;
}

void trace_hang(struct run *run, const struct group *group, const struct mbarrier *mbarrier,
                uint32_t slot, const struct block_state *block, const struct mask *missing)
{
    if (!wanted(run))
        return;
    struct engine_moment *moment = add_hang(run, group, missing);
    if (mbarrier) {
        set_mbarrier(run, moment, group->mask, mbarrier);
        const struct model_op *model =
            facts_model(run->engine, group->wait_function, group->wait_op);
        moment->token = model->token != IR_NONE || model->kind == MODEL_MBARRIER_ARRIVE_WAIT;
        moment->expected = mbarrier->state.expected;
        moment->pending = mbarrier->state.pending;
        moment->transactions = mbarrier->state.tx;
        return;
    }
    const struct barlint_named_slot *at = &block->cta.slot[slot];
    moment->barrier = ENGINE_BARRIER_NAMED;
    moment->id = slot;
    moment->blocks = 1u << group->mask->first / run->engine->block_threads;
    moment->phase = moment->last_phase = at->generation;
    moment->expected = at->count;
    moment->counted = at->count != 0;
}

void trace_hang_cluster(struct run *run)
{
    if (!wanted(run))
        return;
    const struct machines *machines = run->machines;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        const struct barlint_cluster_thread *thread = &machines->cluster_thread[t];
        if (!mask_has(run->exited, t) && !(thread->in && thread->phase == machines->cluster.phase))
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        const struct group *group = run->group[i];
        if (group->state != GROUP_BLOCKED || group->wait != WAIT_CLUSTER)
            continue;
        struct engine_moment *moment = add_hang(run, group, mask_from_words(run->masks, word));
        moment->barrier = ENGINE_BARRIER_CLUSTER;
        moment->blocks = 1;
        moment->phase = moment->last_phase = machines->cluster.phase;
    }
}
