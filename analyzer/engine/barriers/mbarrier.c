// mbarriers in a run: what an operation does to the object's machine.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/mbarrier_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/walk.h"

// --- Actors and clocks -----------------------------------------------------------------------

// Whether the initialisation of the object happened before what the thread does. (Programming Guide
// 13, 4.9.1: it must be synchronised before any thread participates.)
static bool knows_init(const struct run *run, const struct mbarrier *mbarrier, uint32_t thread)
{
    if (orders_known_to_all(run, mbarrier->init_time))
        return mbarrier->init_mask->count > 0;
    mask_each (run->masks, mbarrier->init_mask, t) {
        if (orders_knows(run, t, mbarrier->init_time, thread))
            return true;
    }
    return false;
}

struct barlint_actor actor_of(const struct run *run, const struct mbarrier *mbarrier,
                              uint32_t thread)
{
    uint32_t size = run->engine->block_threads;
    struct barlint_actor actor = barlint_actor_of(thread % size, thread / size);
    actor.block_epoch = run->machines->epoch[thread];
    actor.cluster_epoch = run->machines->cluster_epoch[thread];
    if (actor.cta != mbarrier->block) {
        // A phase may have told it; else fence and cluster barrier are judged.
        actor.ordered = mbarrier->state.init_by_known &&
                        actor.cluster_epoch <= mbarrier->state.init_by.cluster_epoch &&
                        knows_init(run, mbarrier, thread);
        return actor;
    }
    actor.ordered = knows_init(run, mbarrier, thread);
    if (!actor.ordered && mbarrier->state.init_by_known) {
        // Barriers it has passed did not come from a thread that knew.
        actor.block_epoch = mbarrier->state.init_by.block_epoch;
        actor.cluster_epoch = mbarrier->state.init_by.cluster_epoch;
    }
    return actor;
}

void phase_check(struct run *run, struct mbarrier *mbarrier, uint32_t before)
{
    if (mbarrier->state.phase == before)
        return;
    struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    object->completes |= !run->afterlife;
    uint32_t index = (uint32_t)(mbarrier - run->machines->mbarrier);
    lag_completes(run, mbarrier, before);
    raised_over(run, mbarrier);
    mbarrier->over_at = orders_complete(run, &mbarrier->released, index);
    loads_landed(run, index, mbarrier->over_at);
    if (!run->afterlife && mbarrier->state.phase > object->phases)
        object->phases = mbarrier->state.phase;
    trace_phases(run, mbarrier, before);
    mbarrier->arrived = run->masks->none;
    mbarrier->arrivals = 0;
    transactions_end(run, mbarrier);
    announced_over(run, mbarrier);
    rooms_over(run, mbarrier, before);
    mbarrier->bytes_unknown = false;
    memset(&mbarrier->traffic, 0, sizeof mbarrier->traffic);
    ++run->changes;
    run->yield |= run->policy != POLICY_TOGETHER;
}

static void merge_effect(struct barlint_violations *all, struct barlint_effect effect)
{
    barlint_violations_merge(all, effect.violations);
}

// --- Operations ------------------------------------------------------------------------------

// Where an mbarrier of dynamic shared memory lies behind the bytes that the launch gives. A launch
// that gives none at all may be one that was never meant to be run.
static void check_bytes(struct run *run, const struct mbarrier *mbarrier)
{
    enum { BYTES = 8 };
    int64_t given = run->engine->shape.shared_bytes;
    struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    if (object->space != IR_SPACE_SHARED_DYNAMIC || !object->exact || given <= 0 ||
        object->offset + BYTES <= given || (object->beyond && !object->beyond_if) ||
        run_is_weak(run) || !run_is_feasible(run))
        return;
    object->beyond = true;
    object->beyond_if = arrlen(run->decision) > 0;
}

static void forget_threads(const struct run *run, struct mbarrier *mbarrier)
{
    memset(mbarrier->user, 0, run->masks->threads * sizeof *mbarrier->user);
    memset(mbarrier->passed, 0, run->masks->threads * sizeof *mbarrier->passed);
    memset(mbarrier->refused, 0, run->masks->threads * sizeof *mbarrier->refused);
    memset(mbarrier->holder, 0, run->masks->threads * sizeof *mbarrier->holder);
}

static void do_init(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct node *count = act->op->count == IR_NONE
                                   ? node_const(run->nodes, act->op->count_constant)
                                   : operand_field(run, act->group, act->op, &act->op->count);
    int64_t number = 0;
    struct barlint_violations violations = barlint_violations_none();
    // A warp whose lanes all write the same initialisation writes it once: the hardware was seen
    // to do so and code relies on it.
    uint32_t first = target->mask->first, size = run->engine->block_threads;
    uint32_t in_block = first % size, warp_end = first - in_block + (in_block / 32 + 1) * 32;
    const struct mask *warp = mask_range(run->masks, first, warp_end);
    mbarrier->count_known = node_lane(count, first, &number);
    struct barlint_actor actor = actor_of(run, mbarrier, first);
    bool software = !target->shared;
    merge_effect(&violations,
                 barlint_mbarrier_init(&mbarrier->state, &actor,
                                       software ? BARLINT_LAYOUT_SOFTWARE : BARLINT_LAYOUT_V0,
                                       mbarrier->count_known ? (uint32_t)number : 1, 0));
    if (!mask_subset(run->masks, target->mask, warp))
        barlint_violations_add(&violations, BARLINT_INIT_BY_MANY);
    // The ranges of counts are judged by the values of all runs, not of this one.
    barlint_violations_drop(&violations, BARLINT_INIT_COUNT_ZERO);
    barlint_violations_drop(&violations, BARLINT_INIT_COUNT_ABOVE);
    check_bytes(run, mbarrier);
    ++mbarrier->lives;
    mbarrier->init_loc = act->loc;
    mbarrier->init_mask = target->mask;
    mbarrier->init_time = orders_time(run);
    mbarrier->raises = false;
    mbarrier->released = (struct released){0};
    mbarrier->unobserved = mbarrier->ahead = mbarrier->uneven = false;
    mbarrier->arrived = mbarrier->ever_arrived = run->masks->none;
    mbarrier->arrivals = 0;
    mbarrier->deeds = mbarrier->expectations = 0;
    mbarrier->shared_unknown = run->object[mbarrier->object].handed;
    mbarrier->bytes_doubt = mbarrier->miscounted = false;
    memset(&mbarrier->traffic, 0, sizeof mbarrier->traffic);
    if (!mbarrier->untouched)
        forget_threads(run, mbarrier);
    mbarrier->untouched = false;
    deed_add(run, mbarrier->deed, &mbarrier->deeds, "is initialised by", target->mask, act->loc, 0,
             mbarrier->count_known ? number : INT64_MIN);
    record_effect(run, act->group, target->mask, act->value, mbarrier, violations);
    ++run->changes;
}

// What is to be told at the operation itself.
struct barlint_violations judged(struct run *run, const struct target *target,
                                 struct barlint_violations violations)
{
    // Memory of the device may have been initialised by another kernel.
    if (!target->shared)
        barlint_violations_drop(&violations, BARLINT_INIT_MISSING);
    const struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    bool is_own = target->mask->count == 1 && target->mask->first == mbarrier->inval_thread;
    if (barlint_violations_has(violations, BARLINT_INIT_USE_AFTER_INVAL) && !is_own &&
        run->machines->releases[mbarrier->inval_thread] == mbarrier->inval_releases) {
        // Nothing makes this use come after the invalidation: it might as well have come before,
        // and the mistake is to invalidate so early.
        barlint_violations_drop(&violations, BARLINT_INIT_USE_AFTER_INVAL);
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, BARLINT_INIT_INVAL_WAITERS, mbarrier->inval_site.function,
            mbarrier->inval_site.op, mbarrier->inval_site.chain, mbarrier->result_object,
            mask_one(run->masks, mbarrier->inval_thread));
        if (incident)
            record_deeds(run, incident, run->engine->result->object[mbarrier->result_object].name,
                         mbarrier->deed, mbarrier->deeds);
    }
    return violations;
}

// Notes that the copy overwrites what threads have read. A multicast goes to the memory of the
// block whose mbarrier it completes on, whichever block starts it.
static void note_overwritten(const struct act *act, const struct target *target,
                             const struct node *to, int64_t front)
{
    struct run *run = act->run;
    uint32_t block = run->machines->mbarrier[target->mbarrier].block;
    struct group group = *act->group;
    if (act->op->flags & MODEL_MULTICAST && run->engine->blocks > 1) {
        if (block != races_block(run) || act->op->flags & MODEL_CTA_PAIR ||
            to->kind != NODE_ADDRESS || to->address.rank)
            return;
        group.mask = target->mask;
        to = node_address(run->nodes, to->address.object, to->address.offset,
                          node_const(run->nodes, block));
    }
    races_touched(run, &group, to, act->op->dst, (uint32_t)front, RACE_COPY);
}

// Notes where the bytes of a copy go that completes on the object.
static void note_copy(const struct act *act, const struct target *target, const struct node *bytes)
{
    struct run *run = act->run;
    const struct model_op *op = act->op;
    int64_t number;
    if (op->dst == IR_NONE || op->kind == MODEL_MBARRIER_EXPECT_TX ||
        op->kind == MODEL_MBARRIER_COMPLETE_TX)
        return;
    const struct node *to = operand_field(run, act->group, op, &op->dst);
    // A tensor is laid out as its map says.
    if (!bytes || op->flags & MODEL_TENSOR ||
        !node_is_const(bytes, target->mask, run->masks, &number))
        number = -1;
    // A tensor copy writes a box, and one of a size that nobody knows no less than the unit of all
    // sizes.
    int64_t front = number < 0 && op->kind == MODEL_BULK_LOAD ? COPY_FRONT : number;
    if (op->kind == MODEL_BULK_LOAD && front > 0) {
        if (op->scope == MODEL_SCOPE_THREAD)
            stores_copied_over(run, act->group, to, front);
        note_overwritten(act, target, to, front);
    }
    if (op->kind == MODEL_CLUSTER_LAUNCH_CANCEL)
        note_overwritten(act, target, to, op->bytes_constant);
    transactions_repeated(run, act->group, op, target->mask,
                          &run->machines->mbarrier[target->mbarrier]);
    early_copied(run, act->group, to, number, target->mbarrier);
    loads_start(run, act->group, target->mask, to, front, target->mbarrier);
    if (op->kind == MODEL_BULK_LOAD && op->src != IR_NONE)
        loads_sent(run, act->group, target->mask, operand_field(run, act->group, op, &op->src),
                   number, target->mbarrier);
}

// Of the threads of `mask`, which copy together where the operation is one of a group: those that
// start a copy of its own, one of each group.
static const struct mask *copiers(struct run *run, const struct model_op *op,
                                  const struct mask *mask)
{
    uint32_t size = run->engine->block_threads, unit = 1;
    if (op->scope == MODEL_SCOPE_BLOCK)
        unit = size;
    else if (op->scope == MODEL_SCOPE_TILE && op->tile_size > 0)
        unit = op->tile_size < size ? (uint32_t)op->tile_size : size;
    else if (op->scope == MODEL_SCOPE_TILE || op->scope == MODEL_SCOPE_COALESCED)
        unit = 32;
    if (unit == 1)
        return mask;
    struct mask_builder one;
    uint32_t last = UINT32_MAX;
    mask_builder_clear(run->masks, &one);
    mask_each (run->masks, mask, t) {
        uint32_t here = t / size * size + t % size / unit;
        if (here != last)
            mask_builder_add(&one, t);
        last = here;
    }
    return mask_builder_end(run->masks, &one);
}

// The bytes of the operation, or NULL where nobody knows them.
static const struct node *transaction_bytes(const struct act *act)
{
    const struct model_op *op = act->op;
    if (op->flags & MODEL_TENSOR)
        return tensor_bytes(act->run, act->group, op);
    if (op->bytes != IR_NONE)
        return operand_field(act->run, act->group, op, &op->bytes);
    return op->bytes_constant > 0 ? node_const(act->run->nodes, op->bytes_constant) : NULL;
}

// One thread announces, completes or copies bytes; `number` of them if that is `known`.
static struct barlint_violations transact(const struct act *act, const struct target *target,
                                          const struct mask *doers, uint32_t thread, bool known,
                                          int64_t number)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    struct barlint_actor actor = actor_of(run, mbarrier, thread);
    struct barlint_violations violations = barlint_violations_none();
    mbarrier->bytes_unknown |= !known;
    mbarrier->bytes_doubt |= !known;
    if (act->op->kind == MODEL_MBARRIER_EXPECT_TX) {
        if (!known || number != 0)
            violations = barlint_user_expects(&mbarrier->user[thread], &mbarrier->state);
        merge_effect(&violations,
                     barlint_mbarrier_expect_tx(&mbarrier->state, &actor,
                                                known ? (uint32_t)number : SOME_BYTES));
        return violations;
    }
    // A tensor copy of a size that nobody knows needs the barrier initialised like any other.
    if (!known && act->op->kind != MODEL_MBARRIER_COMPLETE_TX)
        merge_effect(&violations, barlint_mbarrier_issue_copy(&mbarrier->state, &actor, 0));
    if (!known)
        return violations;
    if (act->op->kind == MODEL_MBARRIER_COMPLETE_TX) {
        merge_effect(&violations,
                     barlint_mbarrier_complete_tx(&mbarrier->state, &actor, (uint32_t)number));
        return violations;
    }
    if (act->op->flags & MODEL_EXPECTS)
        merge_effect(&violations,
                     barlint_mbarrier_expect_tx(&mbarrier->state, &actor, (uint32_t)number));
    struct barlint_effect issued =
        barlint_mbarrier_issue_copy(&mbarrier->state, &actor, (uint32_t)number);
    transactions_copy(run, act->group, act->value, doers, mbarrier, number);
    arrput(run->machines->copy,
           ((struct async_copy){target->mbarrier, (uint32_t)number, false, false, false, 0}));
    // It may land before the thread that started it goes on.
    run->yield |= run->policy == POLICY_HIGH_AHEAD;
    merge_effect(&violations, issued);
    return violations;
}

// The threads have sent something of which the mbarrier will tell: who waits for it there knows how
// far those had come. What they have stored themselves they do not release by a copy; data of
// another block make no such doubt.
static void note_sent(const struct act *act, const struct target *target, const struct mask *doers,
                      uint32_t phase)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    mbarrier->sent = named_site_of(run, act->group, act->value);
    raised_arrive(run, mbarrier, doers);
    mbarrier->sent_mask = target->mask;
    mbarrier->sent_phase = phase;
    if (doers->count == 0)
        return;
    if (doers->first / run->engine->block_threads != mbarrier->block ||
        !races_unreleased(run, doers)) {
        orders_release(run, doers, &mbarrier->released);
        return;
    }
    premature_doubt(run);
    lag_sent(run, doers);
}

static void do_transactions(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct model_op *op = act->op;
    const bool expects = op->kind == MODEL_MBARRIER_EXPECT_TX;
    const bool copies = !expects && op->kind != MODEL_MBARRIER_COMPLETE_TX;
    const struct node *bytes = transaction_bytes(act);
    const struct mask *doers = copiers(run, op, target->mask);
    const uint32_t before = mbarrier->state.phase;
    if (expects || (bytes && op->flags & MODEL_EXPECTS))
        transactions_announce(run, act->group, act->value, doers, mbarrier, bytes);
    if (expects)
        announced_add(run, act->group, act->value, doers, mbarrier, bytes);
    if (run->afterlife && copies)
        touch_data(run, target->mask, TOUCH_STORE);
    note_copy(act, target, bytes);
    if (!expects && !bytes)
        rooms_copied(run, act->group, op, target->mask, target->mbarrier);
    if (!expects)
        transactions_owe_less(run, act->group, act->value, doers, mbarrier, bytes);
    struct barlint_violations violations = barlint_violations_none();
    mask_each (run->masks, doers, t) {
        int64_t number = 0;
        bool known = bytes && node_lane(bytes, t, &number);
        barlint_violations_merge(&violations, transact(act, target, doers, t, known, number));
    }
    if (copies && !run->afterlife) {
        note_sent(act, target, doers, before);
    } else if (!copies && !expects) {
        // Bytes that a thread completes itself release nothing, but who waits goes on behind it.
        premature_doubt(run);
        lag_sent(run, doers);
    }
    deed_add(run, mbarrier->deed, &mbarrier->deeds,
             expects ? "{announces|announce} bytes here" : "{starts|start} a copy here",
             target->mask, act->loc, before, INT64_MIN);
    struct traffic traffic = mbarrier->traffic;
    phase_check(run, mbarrier, before);
    ++run->changes;
    violations = transactions_judge(run, mbarrier, &traffic, violations);
    if (mbarrier->state.state != BARLINT_RAW || !mbarrier->shared_unknown)
        record_effect(run, act->group, target->mask, act->value, mbarrier,
                      judged(run, target, violations));
}

static void do_async_arrive(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    bool noinc = act->op->flags & MODEL_NOINC;
    enum barlint_async_arrive kind = act->op->kind == MODEL_MBARRIER_ASYNC_ARRIVE
                                         ? BARLINT_ASYNC_COMMIT
                                     : noinc ? BARLINT_ASYNC_NOINC
                                             : BARLINT_ASYNC_INC;
    struct barlint_violations violations = barlint_violations_none();
    transactions_track(run, act->group, act->value, target->mask, mbarrier,
                       kind == BARLINT_ASYNC_INC);
    uint32_t phase = mbarrier->state.phase;
    int64_t most = act->op->flags & MODEL_PRIMITIVE ? (1 << 14) - 1 : (1 << 20) - 1;
    if (kind == BARLINT_ASYNC_INC && mbarrier->count_known &&
        (int64_t)mbarrier->state.pending + target->mask->count > most)
        barlint_violations_add(&violations, BARLINT_INIT_COUNT_ABOVE);
    mbarrier->uneven = true;
    if (noinc) {
        struct named_site site = named_site_of(run, act->group, act->value);
        touch_with_copies(run, target->mask, &site);
    }
    uint32_t time = orders_time(run);
    announced_arrive(run, mbarrier, target->mask);
    orders_release(run, target->mask, &mbarrier->released);
    if (kind == BARLINT_ASYNC_INC) {
        struct named_site site = named_site_of(run, act->group, act->value);
        raised_add(run, mbarrier, target->mask, time, &site);
    } else {
        raised_arrive(run, mbarrier, target->mask);
    }
    if (kind != BARLINT_ASYNC_COMMIT)
        copies_tracked(run, target->mask, target->mbarrier);
    mask_each (run->masks, target->mask, t) {
        struct barlint_actor actor = actor_of(run, mbarrier, t);
        merge_effect(&violations, barlint_mbarrier_async_issue(&mbarrier->state, &actor, kind));
        arrput(run->machines->copy, ((struct async_copy){target->mbarrier, 0, true, noinc,
                                                         kind == BARLINT_ASYNC_INC, phase}));
        if (noinc)
            mbarrier->arrived = mask_or(run->masks, mbarrier->arrived, mask_one(run->masks, t));
    }
    deed_add(run, mbarrier->deed, &mbarrier->deeds, "{lets its|let their} copies arrive here",
             target->mask, act->loc, mbarrier->state.phase, INT64_MIN);
    record_effect(run, act->group, target->mask, act->value, mbarrier, violations);
    ++run->changes;
}

// How many threads of other warps may still be in their last wait on the object, for all that
// `thread` knows: nothing that they have done since, and waited for, makes it come after them.
static uint32_t still_using(const struct run *run, const struct mbarrier *mbarrier, uint32_t thread)
{
    uint32_t count = 0, size = run->engine->block_threads;
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        bool same_warp = t / size == thread / size && t % size / 32 == thread % size / 32;
        const struct holder *holder = &mbarrier->holder[t];
        count +=
            !same_warp && holder->passed_at && !orders_before(run, t, holder->passed_time, thread);
    }
    return count;
}

static void do_inval(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    if (mbarrier->state.state == BARLINT_RAW) {
        // The destructor of a cuda::barrier that was never used is no mistake.
        struct barlint_violations missing = barlint_violations_none();
        barlint_violations_add(&missing, BARLINT_INIT_MISSING);
        if (!(act->op->flags & MODEL_LIBRARY_OBJECT) && !mbarrier->shared_unknown)
            record_effect(run, act->group, target->mask, act->value, mbarrier, missing);
        return;
    }
    struct barlint_actor actor = actor_of(run, mbarrier, target->mask->first);
    uint32_t waiters = still_using(run, mbarrier, target->mask->first);
    for (ptrdiff_t g = 0; g < arrlen(run->group); ++g) {
        const struct group *other = run->group[g];
        if (other->state == GROUP_BLOCKED && other->wait_barrier == target->mbarrier &&
            (other->wait == WAIT_MBARRIER || other->wait == WAIT_TEST))
            waiters += other->mask->count;
    }
    struct barlint_effect effect = barlint_mbarrier_inval(&mbarrier->state, &actor, waiters);
    mbarrier->inval_site = named_site_of(run, act->group, act->value);
    mbarrier->inval_thread = target->mask->first;
    mbarrier->inval_releases = run->machines->releases[mbarrier->inval_thread];
    record_effect(run, act->group, target->mask, act->value, mbarrier, effect.violations);
    deed_add(run, mbarrier->deed, &mbarrier->deeds, "{invalidates|invalidate} it here",
             target->mask, act->loc, mbarrier->state.phase, INT64_MIN);
}

// --- Entry -----------------------------------------------------------------------------------

// A parameter of type bool hides the number that the source hands over; rules want the number. A
// conversion that the source does not write has its zero at the place of the comparison itself.
static ir_value parity_as_written(const struct ir_function *function, const struct model_op *op)
{
    const struct ir_op *at = ir_op_at(function, op->parity);
    if (!(op->flags & MODEL_PARITY_BOOL) || !at || at->code != IR_NE)
        return op->parity;
    const struct ir_op *zero = ir_op_at(function, ir_operand(function, at, 1));
    bool implicit = zero && zero->code == IR_CONST && zero->imm == 0 &&
                    memcmp(&zero->loc, &at->loc, sizeof at->loc) == 0;
    return implicit ? ir_operand(function, at, 0) : op->parity;
}

// Whether the address is the same in every block of the grid: made of the kernel's parameters,
// constants and the thread's place in its block.
static bool same_in_grid(const struct run *run, const struct node *node)
{
    const uint64_t parameter = ARGUMENT_KEY, tags = UINT64_C(0xf000000000000000);
    switch (node->kind) {
    case NODE_CONST:
    case NODE_VECTOR:
        return true;
    case NODE_ATOM:
        return (node->atom.key & tags) == parameter;
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            if (!same_in_grid(run, node->linear.term[i].atom))
                return false;
        }
        return true;
    case NODE_ADDRESS: {
        const struct object *object = &run->object[node->address.object];
        return (object->kind == OBJECT_GLOBAL || object->kind == OBJECT_PARAM) &&
               !node->address.rank && same_in_grid(run, node->address.offset) &&
               (!object->base || same_in_grid(run, object->base));
    }
    default:
        return false;
    }
}

// Whether the address starts from a pointer that the kernel was given, or from a variable of the
// device.
static bool in_global(const struct run *run, const struct node *node)
{
    const uint64_t parameter = ARGUMENT_KEY, tags = UINT64_C(0xf000000000000000);
    const struct ir_type *type = run->engine->unit->type;
    switch (node->kind) {
    case NODE_ATOM:
        return (node->atom.key & tags) == parameter;
    case NODE_LINEAR: {
        uint32_t bases = 0;
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            const struct node *atom = node->linear.term[i].atom;
            const struct ir_function *kernel = &run->engine->unit->function[run->engine->kernel];
            uint64_t index = atom->kind == NODE_ATOM ? atom->atom.key - parameter : UINT64_MAX;
            bool pointer = index < arrlenu(kernel->param)
                               ? type[kernel->param[index].type].kind == IR_TYPE_POINTER
                               : index - ENGINE_ARGUMENTS < ENGINE_MEMBERS; // within a record
            bases += pointer && node->linear.term[i].factor == 1;
        }
        return bases == 1;
    }
    case NODE_ADDRESS: {
        const struct object *object = &run->object[node->address.object];
        return object->kind == OBJECT_GLOBAL ||
               (object->kind == OBJECT_PARAM && object->base && in_global(run, object->base));
    }
    default:
        return false;
    }
}

// Whether an object that is not known may be one of those that are followed. What lies in memory of
// the device is none of the shared ones.
static bool may_be_followed(const struct run *run, const struct node *address)
{
    bool any = !in_global(run, address);
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier) && !any; ++i)
        any = run->object[run->machines->mbarrier[i].object].kind != OBJECT_SHARED;
    return any;
}

static void arrived(struct run *run, const struct model_op *op, const struct target *target,
                    uint32_t event)
{
    touch_arrive(run, &run->machines->mbarrier[target->mbarrier], target->mask, event);
    pulled_arrived(run, target->mask, target->mbarrier, op->flags & MODEL_SCOPE_IS_CLUSTER, event);
}

static void note_event(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct model_op as_written = *act->op;
    const struct model_op *op = &as_written;
    as_written.parity =
        parity_as_written(&run->engine->unit->function[act->group->frame->function], act->op);
    struct engine_event *event =
        record_event(run, act->group, target->mask, op, act->value, target->object);
    if (run->engine->block == BLOCK_ANY)
        event->same_in_grid =
            same_in_grid(run, operand_field(run, act->group, act->op, &act->op->object));
    if (target->mbarrier != UINT32_MAX && event != &run->scratch_event &&
        (op->kind == MODEL_MBARRIER_ARRIVE || op->kind == MODEL_MBARRIER_ARRIVE_WAIT))
        arrived(run, op, target, (uint32_t)(event - run->engine->result->event));
    if (op->kind == MODEL_MBARRIER_TEST || op->kind == MODEL_MBARRIER_WAIT)
        pulled_waits(run, target->mask, op->flags & MODEL_SCOPE_IS_CLUSTER);
    event->in_global = in_global(run, operand_field(run, act->group, act->op, &act->op->object));
    struct ir_loc host =
        host_use_of(run, operand_field(run, act->group, act->op, &act->op->object));
    if (host.file)
        event->host = host;
    event->wrote_remote |= mask_overlaps(run->masks, target->mask, run->machines->wrote_remote);
    event->remote |= target->shared && target->mbarrier != UINT32_MAX &&
                     run->machines->mbarrier[target->mbarrier].block !=
                         target->mask->first / run->engine->block_threads;
    const struct {
        const ir_value *operand;
        struct engine_range *range;
    } operand[] = {
        {&op->count, &event->count}, {&op->parity, &event->parity}, {&op->bytes, &event->bytes}};
    for (size_t i = 0; i < sizeof operand / sizeof *operand; ++i) {
        if (*operand[i].operand != IR_NONE)
            record_range(run, operand[i].range,
                         operand_field(run, act->group, op, operand[i].operand), target->mask,
                         operand_assumed(run, act->group, *operand[i].operand));
    }
}

// Which barrier is meant, how many arrive and what they announce are told by choices as well,
// `last ? rest : whole`: they are decided before anything is done.
static void settle_operands(struct run *run, struct group *group, const struct model_op *op)
{
    const ir_value *field[] = {&op->object, &op->count, &op->bytes};
    for (size_t i = 0; i < sizeof field / sizeof *field; ++i) {
        if (*field[i] != IR_NONE)
            operand_settled(run, group, op, field[i]);
    }
}

static bool asks(const struct model_op *op)
{
    return op->kind == MODEL_MBARRIER_TEST || op->kind == MODEL_MBARRIER_WAIT ||
           op->kind == MODEL_MBARRIER_ARRIVE_WAIT;
}

static uint32_t find_targets(const struct act *act, const struct node *address,
                             struct target *target)
{
    struct run *run = act->run;
    bool is_init = act->op->kind == MODEL_MBARRIER_INIT;
    const struct node *place = mbarrier_place(run, act->group->mask, address, is_init);
    uint32_t targets = targets_of(run, act->group->mask, place, target, 0);
    if (act->op->flags & MODEL_MULTICAST)
        targets = targets_multicast(act, place, target, targets);
    for (uint32_t i = 0; i < targets && !is_init; ++i) {
        if (target[i].mbarrier != UINT32_MAX &&
            mbarrier_may_be_another(run, &run->machines->mbarrier[target[i].mbarrier]))
            target[i].mbarrier = UINT32_MAX;
    }
    return targets;
}

// Of an operation on an mbarrier that nobody knows.
static void pass_unknown(const struct act *act, const struct node *address,
                         const struct target *target)
{
    struct run *run = act->run;
    ++run->engine->result->statistics.unknown_objects;
    run->weak |= may_be_followed(run, address);
    if (act->op->kind == MODEL_MBARRIER_ARRIVE)
        give(run, act->group, target->mask, act->op->token_result, act->value,
             run_fresh(run, "an arrival token", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
    if (act->op->kind != MODEL_BULK_LOAD)
        orders_tell(run, target->mask);
    if (act->op->kind == MODEL_MBARRIER_CP_ASYNC_ARRIVE)
        copies_tracked(run, target->mask, UINT32_MAX);
}

// What the operation does but for asking whether a phase is over.
static void do_operation(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct machines *machines = run->machines;
    enum model_kind kind = act->op->kind;
    if (kind != MODEL_MBARRIER_TEST && kind != MODEL_MBARRIER_WAIT) {
        run->heedless |= mask_overlaps(run->masks, target->mask, machines->refused);
        machines->served = mask_minus(run->masks, machines->served, target->mask);
    }
    if (kind != MODEL_MBARRIER_INIT)
        machines->mbarrier[target->mbarrier].untouched = false;
    switch (kind) {
    case MODEL_MBARRIER_INIT:
        do_init(act, target);
        break;
    case MODEL_MBARRIER_INVAL:
        do_inval(act, target);
        break;
    case MODEL_MBARRIER_ARRIVE_WAIT:
    case MODEL_MBARRIER_ARRIVE:
        do_arrive(act, target);
        break;
    case MODEL_MBARRIER_TEST:
    case MODEL_MBARRIER_WAIT:
        break;
    case MODEL_MBARRIER_CP_ASYNC_ARRIVE:
    case MODEL_MBARRIER_ASYNC_ARRIVE:
        do_async_arrive(act, target);
        break;
    default:
        do_transactions(act, target);
        break;
    }
}

bool mbarrier_execute(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value)
{
    run->roles = true;
    struct target target[MAX_TARGETS];
    struct act act = {run, group, op, value,
                      ir_op_at(&run->engine->unit->function[group->frame->function], value)->loc};
    settle_operands(run, group, op);
    const struct node *address = operand_field(run, group, op, &op->object);
    uint32_t targets = find_targets(&act, address, target);
    for (uint32_t i = 0; i < targets; ++i) {
        bool followed = target[i].mbarrier != UINT32_MAX;
        note_event(&act, &target[i]);
        trace_operation(run, group, target[i].mask, value, target[i].object,
                        followed ? &run->machines->mbarrier[target[i].mbarrier] : NULL);
        if (!followed) {
            pass_unknown(&act, address, &target[i]);
            continue;
        }
        do_operation(&act, &target[i]);
        if (run->over)
            return false;
        const struct mbarrier *at = &run->machines->mbarrier[target[i].mbarrier];
        run->garbage |= target[i].shared && at->state.state == BARLINT_RAW && at->state.early_use &&
                        !at->shared_unknown;
    }
    return targets == 0 || !asks(op) || do_test(&act, target, targets);
}
