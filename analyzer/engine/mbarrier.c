// mbarriers in a run: which object an operation means, what it does to the object's machine, who
// waits and who goes on.
#include <string.h>

#include "base/vec.h"
#include "engine/machines.h"

#define TOKEN_TAG UINT64_C(0x1000000000000000)

const struct node *operand_of(struct run *run, struct group *group, ir_value operand)
{
    return resolve(run, group_get(run, group, operand));
}

const struct node *operand_field(struct run *run, struct group *group, const struct model_op *op,
                                 const ir_value *field)
{
    const struct node *node = operand_of(run, group, *field);
    if (!model_is_indirect(op, field))
        return node;
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_op *at = ir_op_at(&unit->function[group->frame->function], *field);
    if (at->type == IR_NONE || unit->type[at->type].kind != IR_TYPE_POINTER)
        return node;
    return resolve(run, memory_load(run, group->mask, node, unit->type[at->type].elem, false));
}

void group_block(struct run *run, struct group *group, enum wait_kind wait, ir_value op)
{
    group->state = GROUP_BLOCKED;
    group->wait = wait;
    group->wait_op = op;
    group->wait_function = group->frame->function;
    group->wait_chain = group->frame->chain;
    group->wait_loc = ir_op_at(&run->engine->unit->function[group->wait_function], op)->loc;
}

struct group *group_fork(struct run *run, struct group *group, const struct mask *mask)
{
    group->frame->shared = true;
    struct group *other = group_new(run, mask);
    uint32_t id = other->id;
    *other = *group;
    other->id = id;
    other->mask = mask;
    group->mask = mask_minus(&run->masks, group->mask, mask);
    if (group->join)
        ++group->join->members;
    return other;
}

void store_result(struct run *run, struct group *group, const struct mask *mask, ir_value address,
                  const struct node *node)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_op *op = ir_op_at(&unit->function[group->frame->function], address);
    uint64_t size = 8;
    if (op->type != IR_NONE && unit->type[op->type].kind == IR_TYPE_POINTER)
        size = unit->type[unit->type[op->type].elem].size;
    memory_store(run, mask, group_get(run, group, address), size ? (uint32_t)size : 8, node, NULL);
}

// --- Objects ---------------------------------------------------------------------------------

static uint32_t mbarrier_at(struct run *run, uint32_t object, int64_t offset, uint32_t block)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier); ++i) {
        const struct mbarrier *old = &machines->mbarrier[i];
        if (old->object == object && old->offset == offset && old->block == block)
            return (uint32_t)i;
    }
    struct mbarrier fresh = {.object = object, .offset = offset, .block = block};
    fresh.user = arena_array(&run->arena, struct barlint_user, run->masks.threads);
    fresh.passed = arena_array(&run->arena, uint32_t, run->masks.threads);
    fresh.holder = arena_array(&run->arena, struct holder, run->masks.threads);
    fresh.result_object = record_object(run, object, offset, true);
    fresh.informed = run->masks.none;
    fresh.after = run->masks.none;
    fresh.arrived = fresh.ever_arrived = fresh.waiting_ever = run->masks.none;
    uint32_t index = (uint32_t)arrlen(machines->mbarrier);
    barlint_mbarrier_clear(&fresh.state, index, block);
    arrput(machines->mbarrier, fresh);
    return index;
}

// One object and the threads of a group that mean it.
struct target {
    uint32_t mbarrier; // UINT32_MAX: memory that is no variable, or an offset that is not known
    const struct mask *mask;
    uint32_t object; // engine_object or UINT32_MAX
    bool shared;     // in shared memory
};

enum { MAX_TARGETS = 64 };

static uint32_t block_of(const struct run *run, uint32_t thread)
{
    return thread / run->engine->block_threads;
}

static uint32_t targets_add(struct target *target, uint32_t count, struct run *run,
                            uint32_t mbarrier, const struct mask *mask, uint32_t object,
                            bool shared)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (target[i].mbarrier == mbarrier && target[i].object == object) {
            target[i].mask = mask_or(&run->masks, target[i].mask, mask);
            return count;
        }
    }
    if (count == MAX_TARGETS)
        return count;
    target[count] = (struct target){mbarrier, mask, object, shared};
    return count + 1;
}

static uint32_t targets_of(struct run *run, const struct mask *mask, const struct node *address,
                           struct target *target, uint32_t count)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i) {
            const struct mask *part = mask_and(&run->masks, mask, address->pieces.piece[i].mask);
            if (part->count)
                count = targets_of(run, part, address->pieces.piece[i].value, target, count);
        }
        return count;
    }
    if (address->kind != NODE_ADDRESS)
        return targets_add(target, count, run, UINT32_MAX, mask, UINT32_MAX, false);
    const struct object *object = &run->object[address->address.object];
    bool shared = object->kind == OBJECT_SHARED;
    const struct node *offset = address->address.offset;
    if (!node_known(offset) || (address->address.rank && !node_known(address->address.rank))) {
        uint32_t summary = record_object(run, address->address.object, 0, false);
        return targets_add(target, count, run, UINT32_MAX, mask, summary, shared);
    }
    if (object->kind == OBJECT_LOCAL) {
        // Every thread has its own, and none of them is an mbarrier: init-placement tells it.
        int64_t at = 0;
        node_lane(offset, mask->first, &at);
        return targets_add(target, count, run, UINT32_MAX, mask,
                           record_object(run, address->address.object, at, true), false);
    }
    mask_each (&run->masks, mask, t) {
        int64_t at = 0, rank = block_of(run, t);
        node_lane(offset, t, &at);
        if (address->address.rank)
            node_lane(address->address.rank, t, &rank);
        if (!shared)
            rank = 0;
        if (rank < 0 || rank >= run->engine->blocks)
            rank = block_of(run, t);
        // Neighbouring threads mostly mean the same object.
        uint32_t index = mbarrier_at(run, address->address.object, at, (uint32_t)rank);
        const struct mask *one = mask_one(&run->masks, t);
        count = targets_add(target, count, run, index, one,
                            run->machines->mbarrier[index].result_object, shared);
    }
    return count;
}

// --- Actors and clocks -----------------------------------------------------------------------

static struct barlint_actor actor_of(const struct run *run, const struct mbarrier *mbarrier,
                                     uint32_t thread)
{
    uint32_t size = run->engine->block_threads;
    struct barlint_actor actor = barlint_actor_of(thread % size, thread / size);
    actor.block_epoch = run->machines->epoch[thread];
    actor.cluster_epoch = run->machines->cluster_epoch[thread];
    if (actor.cta != mbarrier->block)
        return actor; // judged by fence and cluster barrier
    actor.ordered =
        mask_has(mbarrier->informed, thread) || mbarrier - run->machines->mbarrier >= 64;
    if (!actor.ordered && mbarrier->state.init_by_known) {
        // Barriers it has passed did not come from a thread that knew.
        actor.block_epoch = mbarrier->state.init_by.block_epoch;
        actor.cluster_epoch = mbarrier->state.init_by.cluster_epoch;
    }
    return actor;
}

// A thread that waited knows what those who arrived knew.
static void learn(struct run *run, struct mbarrier *mbarrier, const struct mask *mask)
{
    knowledge_give(run, mask, mbarrier->knows);
}

static void phase_check(struct run *run, struct mbarrier *mbarrier, uint32_t before)
{
    if (mbarrier->state.phase == before)
        return;
    mbarrier->arrived = run->masks.none;
    mbarrier->arrivals = 0;
    mbarrier->bytes_unknown = false;
    ++run->changes;
}

static void merge_effect(struct barlint_violations *all, struct barlint_effect effect)
{
    barlint_violations_merge(all, effect.violations);
}

// --- Tokens ----------------------------------------------------------------------------------

static const struct node *token_node(struct run *run, const struct barlint_token *token)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->token); ++i) {
        const struct barlint_token *old = &machines->token[i];
        if (old->object == token->object && old->life == token->life &&
            old->phase == token->phase && old->no_complete == token->no_complete &&
            old->remote == token->remote)
            return node_atom(&run->nodes, TOKEN_TAG + (uint64_t)i, "an arrival token",
                             SHAPE_UNIFORM, INT64_MIN, INT64_MAX);
    }
    arrput(machines->token, *token);
    return node_atom(&run->nodes, TOKEN_TAG + (uint64_t)arrlen(machines->token) - 1,
                     "an arrival token", SHAPE_UNIFORM, INT64_MIN, INT64_MAX);
}

static const struct barlint_token *token_at(const struct run *run, const struct node *node)
{
    if (node->kind != NODE_ATOM || node->atom.key < TOKEN_TAG ||
        node->atom.key - TOKEN_TAG >= (uint64_t)arrlen(run->machines->token))
        return NULL;
    return &run->machines->token[node->atom.key - TOKEN_TAG];
}

// Puts a result where the spelling wants it: the operation's value, or memory.
static void give(struct run *run, struct group *group, const struct mask *mask, ir_value address,
                 ir_value value, const struct node *node)
{
    const struct ir_op *op = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    if (address != IR_NONE)
        store_result(run, group, mask, address, node);
    if (op->type != IR_NONE) {
        const struct node *old = group->frame->value[value];
        struct node_piece piece[2] = {
            {mask, node}, {mask_minus(&run->masks, group->mask, mask), old ? old : node}};
        group_set(run, group, value, node_pieces(&run->nodes, piece, 2));
    }
}

// --- Operations ------------------------------------------------------------------------------

struct act {
    struct run *run;
    struct group *group;
    const struct model_op *op;
    ir_value value;
    struct ir_loc loc;
};

static bool known_in(struct run *run, const struct node *node, uint32_t thread, int64_t *out)
{
    (void)run;
    return node_lane(node, thread, out);
}

static void do_init(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct node *count = act->op->count == IR_NONE
                                   ? node_const(&run->nodes, act->op->count_constant)
                                   : operand_field(run, act->group, act->op, &act->op->count);
    int64_t number = 0;
    struct barlint_violations violations = barlint_violations_none();
    // A warp whose lanes all write the same initialisation writes it once: the hardware was seen
    // to do so and code relies on it.
    uint32_t first = target->mask->first, size = run->engine->block_threads;
    uint32_t in_block = first % size, warp_end = first - in_block + (in_block / 32 + 1) * 32;
    const struct mask *warp = mask_range(&run->masks, first, warp_end);
    mbarrier->count_known = known_in(run, count, first, &number);
    struct barlint_actor actor = actor_of(run, mbarrier, first);
    bool software = !target->shared;
    merge_effect(&violations,
                 barlint_mbarrier_init(&mbarrier->state, &actor,
                                       software ? BARLINT_LAYOUT_SOFTWARE : BARLINT_LAYOUT_V0,
                                       mbarrier->count_known ? (uint32_t)number : 1, 0));
    if (!mask_subset(&run->masks, target->mask, warp))
        barlint_violations_add(&violations, BARLINT_INIT_BY_MANY);
    // The ranges of counts are judged by the values of all runs, not of this one.
    violations.word[BARLINT_INIT_COUNT_ZERO / 64] &= ~(UINT64_C(1) << BARLINT_INIT_COUNT_ZERO % 64);
    violations.word[BARLINT_INIT_COUNT_ABOVE / 64] &=
        ~(UINT64_C(1) << BARLINT_INIT_COUNT_ABOVE % 64);
    mbarrier->init_loc = act->loc;
    mbarrier->informed = target->mask;
    mbarrier->knows = 0;
    mbarrier->unobserved = false;
    mbarrier->arrived = mbarrier->ever_arrived = run->masks.none;
    mbarrier->arrivals = 0;
    mbarrier->deeds = 0;
    mbarrier->shared_unknown = false;
    memset(mbarrier->user, 0, run->masks.threads * sizeof *mbarrier->user);
    memset(mbarrier->passed, 0, run->masks.threads * sizeof *mbarrier->passed);
    memset(mbarrier->holder, 0, run->masks.threads * sizeof *mbarrier->holder);
    deed_add(run, mbarrier->deed, &mbarrier->deeds, "is initialised by", target->mask, act->loc, 0,
             mbarrier->count_known ? number : INT64_MIN);
    record_effect(run, act->group, target->mask, act->value, mbarrier, violations);
    ++run->changes;
}

static void drop(struct barlint_violations *violations, enum barlint_violation violation)
{
    violations->word[violation / 64] &= ~(UINT64_C(1) << violation % 64);
}

// What is to be told at the operation itself.
static struct barlint_violations judged(struct run *run, const struct target *target,
                                        struct barlint_violations violations)
{
    // Memory of the device may have been initialised by another kernel.
    if (!target->shared)
        drop(&violations, BARLINT_INIT_MISSING);
    const struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    if (barlint_violations_has(violations, BARLINT_INIT_USE_AFTER_INVAL) &&
        run->machines->releases[mbarrier->inval_thread] == mbarrier->inval_releases) {
        // Nothing makes this use come after the invalidation: it might as well have come before,
        // and the mistake is to invalidate so early.
        drop(&violations, BARLINT_INIT_USE_AFTER_INVAL);
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, BARLINT_INIT_INVAL_WAITERS,
                            mbarrier->inval_site.function, mbarrier->inval_site.op,
                            mbarrier->inval_site.chain, mbarrier->result_object,
                            mask_one(&run->masks, mbarrier->inval_thread));
        if (incident)
            record_deeds(run, incident, run->engine->result->object[mbarrier->result_object].name,
                         mbarrier->deed, mbarrier->deeds);
    }
    return violations;
}

static bool merges_over(const struct act *act, const struct mbarrier *mbarrier, uint32_t lanes,
                        uint32_t count)
{
    // The hardware merges the arrivals of a converged warp into one; one that takes the pending
    // count below 0 aborts the launch (measured).
    (void)act;
    return mbarrier->state.state == BARLINT_LIVE && mbarrier->count_known && lanes > 1 &&
           (uint64_t)lanes * count > mbarrier->state.pending;
}

static void hold_token(struct holder *holder, uint32_t phase)
{
    if (holder->phase != phase + 1) {
        holder->phase = phase + 1;
        holder->tokens = holder->spent = 0;
    }
    ++holder->tokens;
}

// The arrivals of the threads of a target, warp by warp. Gives each its token.
static void do_arrive(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct model_op *op = act->op;
    const struct node *count =
        op->count == IR_NONE ? node_const(&run->nodes, op->count_constant ? op->count_constant : 1)
                             : operand_field(run, act->group, op, &op->count);
    const struct node *bytes =
        op->bytes == IR_NONE ? NULL : operand_field(run, act->group, op, &op->bytes);
    struct barlint_violations violations = barlint_violations_none();
    const struct mask *bad = run->masks.none;
    uint32_t before = mbarrier->state.phase;
    deed_add(run, mbarrier->deed, &mbarrier->deeds,
             op->flags & MODEL_DROP ? "arrive and drop out here"
             : bytes                ? "arrive here and announce bytes"
                                    : "arrive here",
             target->mask, act->loc, mbarrier->state.phase, INT64_MIN);
    uint32_t size = run->engine->block_threads;
    struct node_piece piece[64];
    uint32_t pieces = 0;
    const struct mask *rest = target->mask;
    while (rest->count) {
        uint32_t in_block = rest->first % size;
        uint32_t end = rest->first - in_block + (in_block / 32 + 1) * 32;
        const struct mask *lanes =
            mask_and(&run->masks, rest, mask_range(&run->masks, rest->first, end));
        rest = mask_minus(&run->masks, rest, lanes);
        int64_t n = 1, announced = 0;
        bool n_known = known_in(run, count, lanes->first, &n);
        struct barlint_violations here = barlint_violations_none();
        if (!n_known)
            mbarrier->shared_unknown = true;
        bool over = n_known && n > 0 && merges_over(act, mbarrier, lanes->count, (uint32_t)n);
        mask_each (&run->masks, lanes, t) {
            struct barlint_arrive arrive = barlint_arrive_plain((uint32_t)(n > 0 ? n : 1));
            arrive.drops = op->flags & MODEL_DROP;
            arrive.no_complete = op->flags & MODEL_NO_COMPLETE;
            if (bytes) {
                arrive.expects = true;
                if (known_in(run, bytes, t, &announced))
                    arrive.bytes = (uint32_t)announced;
                else
                    mbarrier->bytes_unknown = true;
            }
            struct barlint_actor actor = actor_of(run, mbarrier, t);
            struct barlint_token token = barlint_token_none();
            uint32_t phase = mbarrier->state.phase;
            if (mbarrier->state.state == BARLINT_LIVE)
                barlint_violations_merge(
                    &here, barlint_user_arrives(&mbarrier->user[t], &mbarrier->state, arrive));
            struct barlint_effect effect =
                barlint_mbarrier_arrive_with(&mbarrier->state, &actor, arrive, &token);
            if (barlint_violations_has(effect.violations, BARLINT_PHASE_UNOBSERVED) &&
                phase != before) {
                // The threads that execute this together are more than the count: the phase they
                // all meant has ended with the first of them.
                effect.violations = barlint_violations_none();
                barlint_violations_add(&effect.violations, BARLINT_INIT_COUNT_MISMATCH);
            }
            merge_effect(&here, effect);
            hold_token(&mbarrier->holder[t], phase);
            ++mbarrier->arrivals;
            if (phase != mbarrier->state.phase)
                phase_check(run, mbarrier, phase);
            else
                mbarrier->arrived =
                    mask_or(&run->masks, mbarrier->arrived, mask_one(&run->masks, t));
            if (pieces < 64) {
                const struct node *node = token_node(run, &token);
                if (pieces && piece[pieces - 1].value == node)
                    piece[pieces - 1].mask =
                        mask_or(&run->masks, piece[pieces - 1].mask, mask_one(&run->masks, t));
                else
                    piece[pieces++] = (struct node_piece){mask_one(&run->masks, t), node};
            }
        }
        bool dropped = barlint_violations_has(here, BARLINT_EXIT_DROP_THEN_USE) ||
                       barlint_violations_has(violations, BARLINT_EXIT_DROP_THEN_USE);
        if (over) {
            // One merged update of the warp: what the lanes one by one would have done in later
            // phases does not happen.
            here = barlint_violations_none();
            rest = run->masks.none;
            run->over = true;
        }
        if (over && dropped) {
            // One thread too many came because it had dropped out.
            barlint_violations_add(&here, BARLINT_EXIT_DROP_THEN_USE);
        } else if (over) {
            bool unit = (uint64_t)mbarrier->state.expected * 32 == target->mask->count ||
                        mbarrier->state.expected * 32 == (size + 31) / 32 * 32;
            barlint_violations_add(&here, unit ? BARLINT_ARRIVE_GRANULARITY : BARLINT_ARRIVE_OVER);
        }
        if (!barlint_violations_empty(here))
            bad = mask_or(&run->masks, bad, lanes);
        barlint_violations_merge(&violations, here);
    }
    mbarrier->arrive_site = (struct named_site){act->group->frame->function, act->value,
                                                act->group->frame->chain, act->loc};
    mbarrier->knows |= knowledge_of(run, target->mask);
    if (op->flags & MODEL_RELEASE)
        touch_release(run, target->mask, op->flags & MODEL_SCOPE_IS_CLUSTER);
    mbarrier->ever_arrived = mask_or(&run->masks, mbarrier->ever_arrived, target->mask);
    if (run->afterlife)
        mbarrier->after = mask_or(&run->masks, mbarrier->after, target->mask);
    phase_check(run, mbarrier, before);
    ++run->changes;
    if (barlint_violations_has(violations, BARLINT_PHASE_UNOBSERVED)) {
        // Whether somebody waits later is known at the end of the run.
        violations.word[BARLINT_PHASE_UNOBSERVED / 64] &=
            ~(UINT64_C(1) << BARLINT_PHASE_UNOBSERVED % 64);
        if (!mbarrier->unobserved) {
            mbarrier->unobserved = true;
            mbarrier->unobserved_mask = bad;
            mbarrier->unobserved_site = (struct named_site){act->group->frame->function, act->value,
                                                            act->group->frame->chain, act->loc};
        }
    }
    if ((mbarrier->count_known || mbarrier->state.state == BARLINT_RAW) &&
        !mbarrier->shared_unknown)
        record_effect(run, act->group, bad->count ? bad : target->mask, act->value, mbarrier,
                      judged(run, target, violations));
    const struct node *tokens =
        pieces == 64 ? run_fresh(run, "an arrival token", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX)
                     : node_pieces(&run->nodes, piece, pieces);
    if (op->kind == MODEL_MBARRIER_ARRIVE_WAIT) {
        const struct node *old = act->group->token ? act->group->token : tokens;
        struct node_piece both[2] = {
            {target->mask, tokens}, {mask_minus(&run->masks, act->group->mask, target->mask), old}};
        act->group->token = node_pieces(&run->nodes, both, 2);
        return;
    }
    give(run, act->group, target->mask, op->token_result, act->value, tokens);
}

static void do_transactions(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct model_op *op = act->op;
    const struct node *bytes =
        op->bytes == IR_NONE ? NULL : operand_field(run, act->group, op, &op->bytes);
    struct barlint_violations violations = barlint_violations_none();
    uint32_t before = mbarrier->state.phase;
    if (run->afterlife && op->kind != MODEL_MBARRIER_EXPECT_TX &&
        op->kind != MODEL_MBARRIER_COMPLETE_TX)
        touch_data(run, target->mask, TOUCH_STORE);
    mask_each (&run->masks, target->mask, t) {
        struct barlint_actor actor = actor_of(run, mbarrier, t);
        int64_t number = 0;
        bool known = bytes && known_in(run, bytes, t, &number) && !(op->flags & MODEL_TENSOR);
        struct barlint_effect effect = barlint_effect_none();
        switch (op->kind) {
        case MODEL_MBARRIER_EXPECT_TX:
            if (known) {
                barlint_violations_merge(
                    &violations, barlint_user_expects(&mbarrier->user[t], &mbarrier->state));
                effect = barlint_mbarrier_expect_tx(&mbarrier->state, &actor, (uint32_t)number);
            }
            break;
        case MODEL_MBARRIER_COMPLETE_TX:
            if (known)
                effect = barlint_mbarrier_complete_tx(&mbarrier->state, &actor, (uint32_t)number);
            break;
        default: // copies
            if (!known)
                break;
            if (op->flags & MODEL_EXPECTS)
                merge_effect(&violations, barlint_mbarrier_expect_tx(&mbarrier->state, &actor,
                                                                     (uint32_t)number));
            effect = barlint_mbarrier_issue_copy(&mbarrier->state, &actor, (uint32_t)number);
            arrput(run->machines->copy,
                   ((struct async_copy){target->mbarrier, (uint32_t)number, false, false}));
            break;
        }
        if (!known)
            mbarrier->bytes_unknown = true;
        merge_effect(&violations, effect);
    }
    deed_add(run, mbarrier->deed, &mbarrier->deeds,
             op->kind == MODEL_MBARRIER_EXPECT_TX ? "announce bytes here" : "start a copy here",
             target->mask, act->loc, before, INT64_MIN);
    phase_check(run, mbarrier, before);
    ++run->changes;
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
    mask_each (&run->masks, target->mask, t) {
        struct barlint_actor actor = actor_of(run, mbarrier, t);
        merge_effect(&violations, barlint_mbarrier_async_issue(&mbarrier->state, &actor, kind));
        arrput(run->machines->copy, ((struct async_copy){target->mbarrier, 0, true, noinc}));
        if (noinc)
            mbarrier->arrived = mask_or(&run->masks, mbarrier->arrived, mask_one(&run->masks, t));
    }
    deed_add(run, mbarrier->deed, &mbarrier->deeds, "let their copies arrive here", target->mask,
             act->loc, mbarrier->state.phase, INT64_MIN);
    record_effect(run, act->group, target->mask, act->value, mbarrier, violations);
    ++run->changes;
}

// A multicast copy completes on the barrier at the same offset in every block that its mask names.
// (PTX ISA 9.1, 9.7.9.25.)
static uint32_t targets_multicast(const struct act *act, const struct node *address,
                                  struct target *target, uint32_t count)
{
    struct run *run = act->run;
    int64_t blocks = -1;
    if (act->op->multicast_mask != IR_NONE)
        node_is_const(operand_field(run, act->group, act->op, &act->op->multicast_mask),
                      act->group->mask, &run->masks, &blocks);
    if (address->kind != NODE_ADDRESS || run->engine->blocks == 1)
        return count;
    uint32_t own = count;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        if (!(blocks >> b & 1))
            continue;
        const struct node *peer = node_address(&run->nodes, address->address.object,
                                               address->address.offset, node_const(&run->nodes, b));
        count = targets_of(run, act->group->mask, peer, target, count);
    }
    if (blocks >= 0 && !(blocks >> target[0].mask->first / run->engine->block_threads & 1) &&
        own == 1 && count > 1) {
        // The issuing block is not among them.
        target[0] = target[--count];
    }
    return count;
}

// --- Waiting ---------------------------------------------------------------------------------

// The answer of a test to one thread.
struct answer {
    bool passed;
    uint32_t phase; // it waits for, by parity
    struct barlint_violations violations;
};

static struct answer ask_thread(struct run *run, struct mbarrier *mbarrier,
                                const struct model_op *op, uint32_t thread,
                                const struct node *operand)
{
    struct answer answer = {0};
    struct barlint_actor actor = actor_of(run, mbarrier, thread);
    struct barlint_effect effect;
    answer.violations = barlint_violations_none();
    if (op->token != IR_NONE || op->kind == MODEL_MBARRIER_ARRIVE_WAIT) {
        const struct node *one = node_restrict(&run->nodes, operand, mask_one(&run->masks, thread));
        const struct barlint_token *token = token_at(run, one);
        struct barlint_token none = barlint_token_none();
        if (!token && !node_has_undefined(one) && !node_known(one)) {
            answer.passed = true; // a token that was not followed: no claim
            return answer;
        }
        none.phase = mbarrier->state.phase;
        effect = barlint_mbarrier_test_token(&mbarrier->state, &actor, token ? token : &none);
        answer.phase = token ? token->phase : none.phase;
        barlint_violations_merge(
            &answer.violations,
            barlint_user_tested(&mbarrier->user[thread], &mbarrier->state, true, &effect));
    } else {
        int64_t parity = 0;
        if (!node_lane(operand, thread, &parity)) {
            answer.passed = true;
            return answer;
        }
        if (op->flags & MODEL_PARITY_BOOL)
            parity = parity != 0;
        parity &= 1;
        effect = barlint_mbarrier_test_parity(&mbarrier->state, &actor, (uint32_t)parity);
        answer.phase = (uint32_t)parity;
        // Arrived in this phase and asks for the one before, which it has seen end: it means this
        // one. (PTX ISA 9.1, 9.7.13.15.16: the parity is the caller's to track.)
        const struct barlint_user *user = &mbarrier->user[thread];
        if (effect.passed && user->arrived && user->arrive_phase == mbarrier->state.phase &&
            mbarrier->passed[thread] == mbarrier->state.phase && user->waits > 0 &&
            mbarrier->state.expected > 1)
            barlint_violations_add(&answer.violations, BARLINT_PHASE_PARITY_FLIP);
        barlint_violations_merge(
            &answer.violations,
            barlint_user_tested(&mbarrier->user[thread], &mbarrier->state, false, &effect));
    }
    answer.passed = effect.passed;
    if (effect.passed)
        mbarrier->passed[thread] = mbarrier->state.phase;
    barlint_violations_merge(&answer.violations, effect.violations);
    struct holder *holder = &mbarrier->holder[thread];
    if (!answer.passed)
        return answer;
    holder->last = (uint8_t)(1 + (answer.phase & 1));
    holder->passed_at = run->machines->releases[thread] + 1;
    // cuda::barrier::wait takes the token by move; the instructions may test one at will.
    if (op->kind == MODEL_MBARRIER_WAIT && op->token != IR_NONE &&
        op->flags & MODEL_LIBRARY_OBJECT && holder->phase == answer.phase + 1 &&
        ++holder->spent > holder->tokens)
        barlint_violations_add(&answer.violations, BARLINT_PHASE_TOKEN_CONSUMED);
    return answer;
}

static const struct node *wait_operand(struct run *run, struct group *group,
                                       const struct model_op *op, ir_value value)
{
    if (op->kind == MODEL_MBARRIER_ARRIVE_WAIT)
        return group->token ? group->token : run->nodes.undefined;
    (void)value;
    if (op->token != IR_NONE) {
        const struct node *token = group_get(run, group, op->token);
        if (op->flags & MODEL_TOKEN_BY_ADDRESS) {
            const struct ir_unit *unit = run->engine->unit;
            for (ir_type_id i = 0; i < (ir_type_id)arrlen(unit->type); ++i) {
                if (unit->type[i].kind == IR_TYPE_INT && unit->type[i].bits == 64)
                    return memory_load(run, group->mask, token, i, false);
            }
        }
        return token;
    }
    return operand_field(run, group, op, &op->parity);
}

// The first wait of a thread at one place on a fresh element of an array of barriers. Elements of a
// ring play one role: who finds one of them free at the start (parity 1 passes on a fresh object)
// does not wait for data on its neighbour, nor the other way round.
static void check_first_wait(const struct act *act, const struct mbarrier *mbarrier,
                             uint32_t thread, const struct node *operand,
                             struct barlint_violations *violations)
{
    struct run *run = act->run;
    struct machines *machines = run->machines;
    const struct frame *frame = act->group->frame;
    int64_t parity;
    if (mbarrier->user[thread].waits || mbarrier->state.phase > 1 || act->op->token != IR_NONE ||
        act->op->kind == MODEL_MBARRIER_ARRIVE_WAIT || !node_lane(operand, thread, &parity))
        return;
    for (ptrdiff_t i = 0; i < arrlen(machines->first_wait); ++i) {
        const struct first_wait *old = &machines->first_wait[i];
        if (old->function != frame->function || old->op != act->value ||
            old->chain != frame->chain || old->object != mbarrier->object ||
            old->block != mbarrier->block || old->thread != thread)
            continue;
        if (old->parity != (parity & 1) && old->offset != mbarrier->offset &&
            mbarrier->ever_arrived->count == 0)
            barlint_violations_add(violations, BARLINT_PHASE_PARITY_FLIP);
        return;
    }
    struct first_wait fresh = {
        frame->function, act->value, frame->chain,     mbarrier->object,
        mbarrier->block, thread,     mbarrier->offset, (uint32_t)(parity & 1)};
    arrput(machines->first_wait, fresh);
}

// Asks for all threads of the group. Threads that pass go on, the others are forked off and block.
static bool do_test(const struct act *act, const struct target *target, uint32_t targets)
{
    struct run *run = act->run;
    struct group *group = act->group;
    const struct model_op *op = act->op;
    bool blocking = op->kind != MODEL_MBARRIER_TEST;
    const struct node *operand = wait_operand(run, group, op, act->value);
    const struct mask *passed = run->masks.none, *stopped = run->masks.none;
    uint32_t stop_barrier = 0, stop_phase = 0;
    for (uint32_t i = 0; i < targets; ++i) {
        if (target[i].mbarrier == UINT32_MAX) {
            passed = mask_or(&run->masks, passed, target[i].mask);
            continue;
        }
        struct mbarrier *mbarrier = &run->machines->mbarrier[target[i].mbarrier];
        struct barlint_violations violations = barlint_violations_none();
        const struct mask *here = run->masks.none;
        mbarrier->waiting_ever = mask_or(&run->masks, mbarrier->waiting_ever, target[i].mask);
        check_first_wait(act, mbarrier, target[i].mask->first, operand, &violations);
        mask_each (&run->masks, target[i].mask, t) {
            struct answer answer = ask_thread(run, mbarrier, op, t, operand);
            barlint_violations_merge(&violations, answer.violations);
            bool open = mbarrier->shared_unknown || !mbarrier->count_known ||
                        mbarrier->state.state == BARLINT_RAW;
            if (answer.passed || open) {
                here = mask_or(&run->masks, here, mask_one(&run->masks, t));
            } else {
                stopped = mask_or(&run->masks, stopped, mask_one(&run->masks, t));
                stop_barrier = target[i].mbarrier;
                stop_phase = answer.phase;
            }
        }
        learn(run, mbarrier, here);
        passed = mask_or(&run->masks, passed, here);
        if (!mbarrier->shared_unknown)
            record_effect(run, group, target[i].mask, act->value, mbarrier,
                          judged(run, &target[i], violations));
    }
    if (stopped->count == 0) {
        give(run, group, group->mask, op->result, act->value, run->nodes.one);
        return true;
    }
    struct group *waiter = group;
    if (passed->count) {
        waiter = group_fork(run, group, stopped);
        give(run, group, group->mask, op->result, act->value, run->nodes.one);
    }
    waiter->wait_barrier = stop_barrier;
    waiter->wait_parity = stop_phase & 1;
    waiter->wait_phase = run->machines->mbarrier[stop_barrier].state.phase;
    group_block(run, waiter, blocking ? WAIT_MBARRIER : WAIT_TEST, act->value);
    struct mbarrier *at = &run->machines->mbarrier[stop_barrier];
    deed_add(run, at->deed, &at->deeds, "wait here", stopped, act->loc, at->state.phase, INT64_MIN);
    return waiter != group;
}

static const struct model_op *wait_model(struct run *run, const struct group *group)
{
    return facts_model(run->engine, group->wait_function, group->wait_op);
}

bool mbarrier_resume(struct run *run, struct group *group)
{
    struct mbarrier *mbarrier = &run->machines->mbarrier[group->wait_barrier];
    bool passes = (group->wait_parity & 1) != (mbarrier->state.phase & 1) ||
                  mbarrier->state.state != BARLINT_LIVE;
    if (!passes && mbarrier->bytes_unknown && mbarrier->state.pending == 0) {
        // All have arrived and copies of unknown size are under way: they deliver what was
        // announced.
        uint32_t before = mbarrier->state.phase;
        mbarrier->state.tx = 0;
        struct barlint_effect effect = barlint_effect_none();
        barlint_mbarrier_try_complete(&mbarrier->state, &effect);
        phase_check(run, mbarrier, before);
        passes = (group->wait_parity & 1) != (mbarrier->state.phase & 1);
    }
    if (!passes)
        return false;
    const struct model_op *op = wait_model(run, group);
    const struct node *operand = wait_operand(run, group, op, group->wait_op);
    mask_each (&run->masks, group->mask, t)
        ask_thread(run, mbarrier, op, t, operand);
    learn(run, mbarrier, group->mask);
    give(run, group, group->mask, op->result, group->wait_op, run->nodes.one);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

void mbarrier_force(struct run *run, struct group *group)
{
    const struct model_op *op = wait_model(run, group);
    give(run, group, group->mask, op->result, group->wait_op, run->nodes.one);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
}

void mbarrier_unobserved(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        const struct mbarrier *mbarrier = &run->machines->mbarrier[i];
        if (!mbarrier->unobserved || mbarrier->shared_unknown || !mbarrier->count_known)
            continue;
        // A thread that also waits on the object owes it one arrival between two of its waits; one
        // that only arrives may run ahead as long as somebody waits.
        bool twice = mask_overlaps(&run->masks, mbarrier->unobserved_mask, mbarrier->waiting_ever);
        if (mbarrier->waiting_ever->count && !twice)
            continue;
        const struct named_site *site = &mbarrier->unobserved_site;
        struct engine_incident *incident = record_incident(
            run, ENGINE_VIOLATION, twice ? BARLINT_ARRIVE_OVER : BARLINT_PHASE_UNOBSERVED,
            site->function, site->op, site->chain, mbarrier->result_object,
            mbarrier->unobserved_mask);
        if (!incident)
            continue;
        const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
        incident->number[0] = mbarrier->state.expected;
        incident->number[2] = mbarrier->state.phase;
        if (object->loc.file)
            record_step(run, incident, object->loc, "'%s' is declared here", object->name);
        record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    }
}

bool mbarrier_deliver(struct run *run)
{
    struct machines *machines = run->machines;
    if (arrlen(machines->copy) == 0)
        return false;
    struct async_copy copy = machines->copy[0];
    arrdel(machines->copy, 0);
    struct mbarrier *mbarrier = &machines->mbarrier[copy.mbarrier];
    uint32_t before = mbarrier->state.phase;
    if (copy.arrival) {
        barlint_mbarrier_async_arrive(&mbarrier->state,
                                      copy.noinc ? BARLINT_ASYNC_NOINC : BARLINT_ASYNC_INC);
        ++mbarrier->arrivals;
    } else {
        barlint_mbarrier_land_copy(&mbarrier->state, copy.bytes);
    }
    phase_check(run, mbarrier, before);
    ++run->changes;
    return true;
}

// --- Entry -----------------------------------------------------------------------------------

// How many threads of other warps may still be in their last wait on the object, for all that
// `thread` knows: they have done nothing since by which it could come after them.
static uint32_t still_using(const struct run *run, const struct mbarrier *mbarrier, uint32_t thread)
{
    uint32_t count = 0, size = run->engine->block_threads;
    for (uint32_t t = 0; t < run->masks.threads; ++t) {
        bool same_warp = t / size == thread / size && t % size / 32 == thread % size / 32;
        count += !same_warp && mbarrier->holder[t].passed_at == run->machines->releases[t] + 1;
    }
    return count;
}

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
    const uint64_t parameter = UINT64_C(0x3000000000000000), tags = UINT64_C(0xf000000000000000);
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

static void note_event(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct model_op as_written = *act->op;
    const struct model_op *op = &as_written;
    as_written.parity =
        parity_as_written(&run->engine->unit->function[act->group->frame->function], act->op);
    struct engine_event *event =
        record_event(run, act->group, target->mask, op, act->value, target->object);
    event->same_in_grid =
        same_in_grid(run, operand_field(run, act->group, act->op, &act->op->object));
    event->wrote |= mask_overlaps(&run->masks, target->mask, run->machines->wrote);
    event->wrote_remote |= mask_overlaps(&run->masks, target->mask, run->machines->wrote_remote);
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
                         run->weak);
    }
}

bool mbarrier_execute(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value)
{
    struct target target[MAX_TARGETS];
    struct act act = {run, group, op, value,
                      ir_op_at(&run->engine->unit->function[group->frame->function], value)->loc};
    const struct node *address = operand_field(run, group, op, &op->object);
    uint32_t targets = targets_of(run, group->mask, address, target, 0);
    if (op->flags & MODEL_MULTICAST)
        targets = targets_multicast(&act, address, target, targets);
    bool test = false;
    for (uint32_t i = 0; i < targets; ++i) {
        note_event(&act, &target[i]);
        if (target[i].mbarrier == UINT32_MAX) {
            ++run->engine->result->statistics.unknown_objects;
            run->weak = true;
            if (op->kind == MODEL_MBARRIER_ARRIVE)
                give(run, group, target[i].mask, op->token_result, value,
                     run_fresh(run, "an arrival token", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX));
            test |= op->kind == MODEL_MBARRIER_TEST || op->kind == MODEL_MBARRIER_WAIT ||
                    op->kind == MODEL_MBARRIER_ARRIVE_WAIT;
            continue;
        }
        switch (op->kind) {
        case MODEL_MBARRIER_INIT:
            do_init(&act, &target[i]);
            break;
        case MODEL_MBARRIER_INVAL: {
            struct mbarrier *mbarrier = &run->machines->mbarrier[target[i].mbarrier];
            struct barlint_actor actor = actor_of(run, mbarrier, target[i].mask->first);
            uint32_t waiters = 0;
            for (ptrdiff_t g = 0; g < arrlen(run->group); ++g) {
                const struct group *other = run->group[g];
                if (other->state == GROUP_BLOCKED && other->wait_barrier == target[i].mbarrier &&
                    (other->wait == WAIT_MBARRIER || other->wait == WAIT_TEST))
                    waiters += other->mask->count;
            }
            waiters += still_using(run, mbarrier, target[i].mask->first);
            if (mbarrier->state.state == BARLINT_RAW)
                break; // a destructor of an object that was never used
            struct barlint_effect effect =
                barlint_mbarrier_inval(&mbarrier->state, &actor, waiters);
            mbarrier->inval_site =
                (struct named_site){group->frame->function, value, group->frame->chain, act.loc};
            mbarrier->inval_thread = target[i].mask->first;
            mbarrier->inval_releases = run->machines->releases[mbarrier->inval_thread];
            record_effect(run, group, target[i].mask, value, mbarrier, effect.violations);
            break;
        }
        case MODEL_MBARRIER_ARRIVE_WAIT:
            do_arrive(&act, &target[i]);
            test = true;
            break;
        case MODEL_MBARRIER_ARRIVE:
            do_arrive(&act, &target[i]);
            break;
        case MODEL_MBARRIER_TEST:
        case MODEL_MBARRIER_WAIT:
            test = true;
            break;
        case MODEL_MBARRIER_CP_ASYNC_ARRIVE:
        case MODEL_MBARRIER_ASYNC_ARRIVE:
            do_async_arrive(&act, &target[i]);
            break;
        default:
            do_transactions(&act, &target[i]);
            break;
        }
        if (run->over)
            return false;
        const struct mbarrier *at = &run->machines->mbarrier[target[i].mbarrier];
        run->garbage |= target[i].shared && at->state.state == BARLINT_RAW && at->state.early_use &&
                        !at->shared_unknown;
    }
    return !test || do_test(&act, target, targets);
}
