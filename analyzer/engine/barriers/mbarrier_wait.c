// Waiting on mbarriers: tokens, tests, who blocks and who goes on.
#include <string.h>

#include "base/mix.h"
#include "base/vec.h"
#include "engine/barriers/mbarrier_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

#define TOKEN_TAG UINT64_C(0x1000000000000000)

// --- Tokens ----------------------------------------------------------------------------------

bool token_same(const struct barlint_token *one, const struct barlint_token *other)
{
    return one->object == other->object && one->life == other->life && one->phase == other->phase &&
           one->no_complete == other->no_complete && one->remote == other->remote;
}

static const struct node *token_atom(struct run *run, ptrdiff_t at)
{
    return node_atom(run->nodes, TOKEN_TAG + (uint64_t)at, "an arrival token", SHAPE_UNIFORM,
                     INT64_MIN, INT64_MAX);
}

const struct node *token_node(struct run *run, const struct barlint_token *token)
{
    struct machines *machines = run->machines;
    if (arrlen(machines->token) && token_same(&arrlast(machines->token), token))
        return token_atom(run, arrlen(machines->token) - 1);
    uint64_t key = mix(mix(token->object, token->life), token->phase);
    key = mix(key, (uint64_t)token->no_complete << 1 | token->remote);
    ptrdiff_t known = hmgeti(machines->token_of, key);
    ptrdiff_t at = known < 0 ? arrlen(machines->token) : machines->token_of[known].value;
    if (known >= 0 && !token_same(&machines->token[at], token)) { // another one of that hash
        for (at = 0; at < arrlen(machines->token) && !token_same(&machines->token[at], token);)
            ++at;
    }
    if (at == arrlen(machines->token))
        arrput(machines->token, *token);
    if (known < 0)
        hmput(machines->token_of, key, (uint32_t)at);
    return token_atom(run, at);
}

static const struct barlint_token *token_at(const struct run *run, const struct node *node)
{
    if (node->kind != NODE_ATOM || node->atom.key < TOKEN_TAG ||
        node->atom.key - TOKEN_TAG >= (uint64_t)arrlen(run->machines->token))
        return NULL;
    return &run->machines->token[node->atom.key - TOKEN_TAG];
}

// Puts a result where the spelling wants it: the operation's value, or memory.
void give(struct run *run, struct group *group, const struct mask *mask, ir_value address,
          ir_value value, const struct node *node)
{
    const struct ir_op *op = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    if (address != IR_NONE)
        store_result(run, group, mask, address, node);
    if (op->type != IR_NONE) {
        const struct node *old =
            group->frame->value[facts_of(run->engine, group->frame->function)->slot[value]];
        struct node_piece piece[2] = {
            {mask, node}, {mask_minus(run->masks, group->mask, mask), old ? old : node}};
        group_set(run, group, value, node_pieces(run->nodes, piece, 2));
    }
}

// --- Waiting ---------------------------------------------------------------------------------

// Whether waits at the object pass whatever its machine says, as not all that is done to it is
// seen.
static bool is_open(const struct mbarrier *mbarrier)
{
    return mbarrier->shared_unknown || !mbarrier->count_known ||
           mbarrier->state.state == BARLINT_RAW;
}

// A thread that waited knows what those who arrived knew.
static void learn(struct run *run, struct mbarrier *mbarrier, const struct mask *mask)
{
    if (is_open(mbarrier) || mbarrier->stands_in)
        orders_acquire_any(run, mask);
    else
        orders_acquire(run, mask, &mbarrier->released);
    if (mask->count && mbarrier->state.phase > mbarrier->sent_phase)
        mbarrier->sent_mask = NULL;
    uint32_t now = orders_time(run);
    mask_each (run->masks, mask, t) {
        ++run->machines->waits[t];
        run->machines->waited_at[t] = now;
    }
    peers_wait(run, (uint32_t)(mbarrier - run->machines->mbarrier), mask);
    pulled_waited(run, (uint32_t)(mbarrier - run->machines->mbarrier), mask);
    touch_wait(run, mbarrier, mask);
}

// The answer of a test to one thread.
struct answer {
    bool passed;
    bool unclear;   // nobody knows what it asks for
    uint32_t phase; // it waits for, by parity
    struct barlint_violations violations;
};

// A wait that passes for a phase which the thread has seen end before, since when it has told
// others of what it did then: by itself it may be meant.
static void note_again(struct run *run, struct mbarrier *mbarrier, uint32_t thread, uint32_t parity,
                       const struct named_site *site)
{
    const struct holder *holder = &mbarrier->holder[thread];
    if (holder->last != 1 + (parity & 1) || mbarrier->passed[thread] != mbarrier->state.phase ||
        holder->passed_at == run->machines->releases[thread] + 1)
        return;
    const struct mask *one = mask_one(run->masks, thread);
    mbarrier->again = mbarrier->again ? mask_or(run->masks, mbarrier->again, one) : one;
    mbarrier->again_site = *site;
    run->machines->out_of_step = true;
}

// Asks with a token; `answer` is unclear where nobody knows which.
static struct barlint_effect ask_token(struct run *run, struct mbarrier *mbarrier, uint32_t thread,
                                       const struct node *operand, struct answer *answer)
{
    struct barlint_actor actor = actor_of(run, mbarrier, thread);
    const struct node *one = node_restrict(run->nodes, operand, mask_one(run->masks, thread));
    const struct barlint_token *token = token_at(run, one);
    struct barlint_token none = barlint_token_none();
    struct barlint_effect effect = barlint_effect_none();
    if (!token && !node_has_undefined(one) && !node_known(one)) {
        answer->unclear = effect.passed = true; // a token that was not followed: no claim
        return effect;
    }
    none.phase = mbarrier->state.phase;
    effect = barlint_mbarrier_test_token(&mbarrier->state, &actor, token ? token : &none);
    answer->phase = token ? token->phase : none.phase;
    barlint_violations_merge(
        &answer->violations,
        barlint_user_tested(&mbarrier->user[thread], &mbarrier->state, true, &effect));
    return effect;
}

// Asks with a parity; `answer` is unclear where nobody knows which.
static struct barlint_effect ask_parity(struct run *run, struct mbarrier *mbarrier,
                                        const struct model_op *op, uint32_t thread,
                                        const struct node *operand, struct answer *answer)
{
    struct barlint_actor actor = actor_of(run, mbarrier, thread);
    struct barlint_effect effect = barlint_effect_none();
    int64_t parity = 0;
    if (!node_lane(operand, thread, &parity)) {
        answer->unclear = effect.passed = true;
        return effect;
    }
    parity = op->flags & MODEL_PARITY_BOOL ? parity != 0 : parity & 1;
    effect = barlint_mbarrier_test_parity(&mbarrier->state, &actor, (uint32_t)parity);
    answer->phase = (uint32_t)parity;
    // Arrived in this phase and asks for the one before, which it has seen end, or which is over on
    // a fresh object: it means this one. (PTX ISA 9.1, 9.7.13.15.9 and 9.7.13.15.16: the parity is
    // the caller's to track.)
    const struct barlint_user *user = &mbarrier->user[thread];
    bool arrived = effect.passed && user->arrived && user->arrive_phase == mbarrier->state.phase &&
                   mbarrier->state.expected > 1;
    if (arrived && user->waits > 0 && mbarrier->passed[thread] == mbarrier->state.phase)
        barlint_violations_add(&answer->violations, BARLINT_PHASE_PARITY_FLIP);
    else if (arrived && user->waits == 0 && mbarrier->state.phase == 0)
        barlint_violations_add(&answer->violations, BARLINT_PHASE_PARITY_INITIAL);
    barlint_violations_merge(
        &answer->violations,
        barlint_user_tested(&mbarrier->user[thread], &mbarrier->state, false, &effect));
    return effect;
}

// The thread has seen the phase end; keeps what later operations of it are judged by.
static void note_passed(struct run *run, struct mbarrier *mbarrier, const struct model_op *op,
                        uint32_t thread, const struct named_site *site, struct answer *answer)
{
    struct holder *holder = &mbarrier->holder[thread];
    const bool by_parity = op->token == IR_NONE && op->kind != MODEL_MBARRIER_ARRIVE_WAIT;
    const bool before_the_first = mbarrier->state.phase == 0 && (answer->phase & 1) == 1;
    early_waited(run, (uint32_t)(mbarrier - run->machines->mbarrier), thread,
                 site && by_parity && before_the_first, site);
    holder->began_over |= holder->last == 0 && before_the_first;
    holder->last = (uint8_t)(1 + (answer->phase & 1));
    holder->passed_at = run->machines->releases[thread] + 1;
    holder->passed_time = orders_time(run);
    // cuda::barrier::wait takes the token by move; the instructions may test one at will.
    bool foreign = barlint_violations_has(answer->violations, BARLINT_PHASE_FOREIGN_TOKEN);
    run->machines->out_of_step |= foreign;
    if (op->kind == MODEL_MBARRIER_WAIT && op->token != IR_NONE && !foreign &&
        op->flags & MODEL_LIBRARY_OBJECT && holder->phase == answer->phase + 1 &&
        ++holder->spent > holder->tokens)
        barlint_violations_add(&answer->violations, BARLINT_PHASE_TOKEN_CONSUMED);
}

// `site` is that of a wait that passes at once, NULL for one that has blocked.
static struct answer ask_thread(struct run *run, struct mbarrier *mbarrier,
                                const struct model_op *op, uint32_t thread,
                                const struct node *operand, const struct named_site *site)
{
    struct answer answer = {.violations = barlint_violations_none()};
    bool by_token = op->token != IR_NONE || op->kind == MODEL_MBARRIER_ARRIVE_WAIT;
    struct barlint_effect effect = by_token
                                       ? ask_token(run, mbarrier, thread, operand, &answer)
                                       : ask_parity(run, mbarrier, op, thread, operand, &answer);
    answer.passed = effect.passed;
    if (answer.unclear)
        return answer;
    barlint_violations_merge(&answer.violations, effect.violations);
    if (!answer.passed)
        return answer;
    if (op->token == IR_NONE && site)
        note_again(run, mbarrier, thread, answer.phase, site);
    mbarrier->passed[thread] = mbarrier->state.phase;
    note_passed(run, mbarrier, op, thread, site, &answer);
    return answer;
}

// The parity that is asked for. Where it is made of numbers nobody knows, one of the two is taken,
// and what else is made of them goes along.
static const struct node *settled_parity(struct run *run, struct group *group,
                                         const struct model_op *op)
{
    const struct node *parity = operand_settled(run, group, op, &op->parity);
    if (node_known(parity) || parity->shape != SHAPE_UNIFORM || run->afterlife)
        return parity;
    const struct frame *frame = group->frame;
    const struct node *odd =
        op->flags & MODEL_PARITY_BOOL
            ? parity
            : node_binary(run->nodes, IR_AND, 32, false, parity, run->nodes->one);
    const struct mask *yes =
        decide(run, group->mask, node_binary(run->nodes, IR_NE, 32, false, odd, run->nodes->zero),
               true, (uint64_t)frame->function << 32 | frame->block << 12 | frame->position);
    return yes->count ? run->nodes->one : run->nodes->zero;
}

static const struct node *wait_operand(struct run *run, struct group *group,
                                       const struct model_op *op, ir_value value)
{
    if (op->kind == MODEL_MBARRIER_ARRIVE_WAIT)
        return group->token ? group->token : run->nodes->undefined;
    (void)value;
    if (op->token != IR_NONE) {
        const struct node *token = group_get(run, group, op->token);
        if (op->flags & MODEL_TOKEN_BY_ADDRESS) {
            const struct ir_unit *unit = run->engine->unit;
            const struct ir_op *at = ir_op_at(&unit->function[group->frame->function], op->token);
            ir_type_id held = at && at->type != IR_NONE ? at->type : 0;
            held = unit->type[held].kind == IR_TYPE_POINTER ? unit->type[held].elem : IR_NONE;
            // A software barrier's token is a bool.
            if (held != IR_NONE && unit->type[held].kind == IR_TYPE_INT)
                return memory_load(run, group->mask, token, held, false);
            for (ir_type_id i = 0; i < (ir_type_id)arrlen(unit->type); ++i) {
                if (unit->type[i].kind == IR_TYPE_INT && unit->type[i].bits == 64)
                    return memory_load(run, group->mask, token, i, false);
            }
        }
        return token;
    }
    return settled_parity(run, group, op);
}

// The first wait of a thread at one place on a fresh element of an array of barriers. Elements of a
// ring play one role: who finds one of them free at the start (parity 1 passes on a fresh object)
// does not wait for data on its neighbour, nor the other way round. One that blocks is wrong only
// if it never ends: where threads take turns with a ring, others may have been the first here.
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
        if (old->parity == (parity & 1) || old->offset == mbarrier->offset ||
            mbarrier->ever_arrived->count != 0)
            return;
        if ((parity & 1) == (mbarrier->state.phase & 1))
            mbarrier->holder[thread].begun_unlike = true;
        else
            barlint_violations_add(violations, BARLINT_PHASE_PARITY_FLIP);
        return;
    }
    struct first_wait fresh = {
        frame->function, act->value, frame->chain,     mbarrier->object,
        mbarrier->block, thread,     mbarrier->offset, (uint32_t)(parity & 1)};
    arrput(machines->first_wait, fresh);
}

enum { MAX_STOPS = 2 * MAX_TARGETS };

// Threads that a test stopped: those who wait for the same end of the same phase, as one group.
struct stop {
    uint32_t mbarrier, parity;
    struct mask_builder threads;
};

struct stops {
    struct stop stop[MAX_STOPS];
    uint32_t count;
};

static void stop_add(struct run *run, struct stops *stops, uint32_t mbarrier, uint32_t parity,
                     uint32_t thread)
{
    struct stop *stop = stops->stop, *end = stop + stops->count;
    while (stop < end && (stop->mbarrier != mbarrier || stop->parity != parity))
        ++stop;
    if (stop == end) {
        stop->mbarrier = mbarrier;
        stop->parity = parity;
        mask_builder_clear(run->masks, &stop->threads);
        ++stops->count;
    }
    mask_builder_add(&stop->threads, thread);
}

void mbarrier_pending(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value)
{
    const struct node *operand = wait_operand(run, group, op, value);
    struct barlint_violations violations = barlint_violations_none();
    const struct mask *bad = run->masks->none;
    mask_each (run->masks, group->mask, t) {
        const struct mask *one = mask_one(run->masks, t);
        const struct barlint_token *token = token_at(run, node_restrict(run->nodes, operand, one));
        uint32_t count;
        if (!token)
            continue; // not followed: no claim
        struct barlint_effect effect = barlint_token_pending_count(token, &count);
        if (!barlint_violations_empty(effect.violations))
            bad = mask_or(run->masks, bad, one);
        barlint_violations_merge(&violations, effect.violations);
    }
    record_effect(run, group, bad, value, NULL, violations);
}

// Asks for the threads of one target. Returns those that pass; the others are added to `stops`.
static const struct mask *test_target(const struct act *act, const struct target *target,
                                      const struct node *operand, const struct named_site *site,
                                      struct stops *stops)
{
    struct run *run = act->run;
    const struct model_op *op = act->op;
    if (target->mbarrier == UINT32_MAX) {
        orders_acquire_any(run, target->mask);
        trace_wait(run, act->group, target->mask, act->value, NULL, true);
        return target->mask;
    }
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    struct barlint_violations violations = barlint_violations_none();
    struct mask_builder going, unclear, wrong;
    mask_builder_clear(run->masks, &going);
    mask_builder_clear(run->masks, &unclear);
    mask_builder_clear(run->masks, &wrong);
    mbarrier->waiting_ever = mask_or(run->masks, mbarrier->waiting_ever, target->mask);
    check_first_wait(act, mbarrier, target->mask->first, operand, &violations);
    const bool all_wrong = !barlint_violations_empty(violations);
    mask_each (run->masks, target->mask, t) {
        struct answer answer = ask_thread(run, mbarrier, op, t, operand, site);
        barlint_violations_merge(&violations, answer.violations);
        if (answer.unclear)
            mask_builder_add(&unclear, t);
        if (all_wrong || !barlint_violations_empty(answer.violations))
            mask_builder_add(&wrong, t);
        // Nobody knows when its phases end: what comes behind it may never come to pass.
        run->weak |= !mbarrier->count_known && mbarrier->state.state == BARLINT_LIVE &&
                     (!answer.passed || mbarrier->ever_arrived->count != 0);
        if (answer.passed || is_open(mbarrier))
            mask_builder_add(&going, t);
        else
            stop_add(run, stops, target->mbarrier, answer.phase & 1, t);
    }
    const struct mask *passed = mask_builder_end(run->masks, &going);
    learn(run, mbarrier, passed);
    if (op->token == IR_NONE && op->kind != MODEL_MBARRIER_ARRIVE_WAIT)
        lag_passed(run, mbarrier, passed, site);
    predecessor_passed(run, passed, site);
    orders_acquire_any(run, mask_builder_end(run->masks, &unclear));
    trace_wait(run, act->group, passed, act->value, mbarrier, true);
    if (!mbarrier->shared_unknown)
        record_effect(run, act->group, mask_builder_end(run->masks, &wrong), act->value, mbarrier,
                      judged(run, target, violations));
    return passed;
}

// Asks for all threads of the group. Threads that pass go on, the others are forked off and block.
bool do_test(const struct act *act, const struct target *target, uint32_t targets)
{
    struct run *run = act->run;
    struct group *group = act->group;
    const struct node *operand = wait_operand(run, group, act->op, act->value);
    const struct named_site site = {group->frame->function, act->value, group->frame->chain,
                                    act->loc};
    const struct mask *passed = run->masks->none;
    struct stops stops;
    stops.count = 0;
    run->machines->refused = mask_minus(run->masks, run->machines->refused, group->mask);
    for (uint32_t i = 0; i < targets; ++i)
        passed = mask_or(run->masks, passed, test_target(act, &target[i], operand, &site, &stops));
    if (passed->count) {
        run->machines->served = mask_or(run->masks, run->machines->served, passed);
        give(run, group, passed, act->op->result, act->value, run->nodes->one);
    }
    for (uint32_t i = 0; i < stops.count; ++i) {
        struct stop *stop = &stops.stop[i];
        bool last = i + 1 == stops.count && passed->count == 0;
        const struct mask *stopped = mask_builder_end(run->masks, &stop->threads);
        struct group *waiter = last ? group : group_fork(run, group, stopped);
        struct mbarrier *at = &run->machines->mbarrier[stop->mbarrier];
        waiter->wait_barrier = stop->mbarrier;
        waiter->wait_parity = stop->parity;
        waiter->wait_phase = at->state.phase;
        trace_wait(run, waiter, stopped, act->value, at, false);
        group_block(run, waiter, act->op->kind != MODEL_MBARRIER_TEST ? WAIT_MBARRIER : WAIT_TEST,
                    act->value);
        deed_add(run, at->deed, &at->deeds, "{waits|wait} here", stopped, act->loc, at->state.phase,
                 INT64_MIN);
    }
    return stops.count == 0 || passed->count;
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
    if (!passes)
        return false;
    const struct model_op *op = wait_model(run, group);
    const struct node *operand = wait_operand(run, group, op, group->wait_op);
    mask_each (run->masks, group->mask, t)
        ask_thread(run, mbarrier, op, t, operand, NULL);
    learn(run, mbarrier, group->mask);
    const struct named_site site = {group->wait_function, group->wait_op, group->wait_chain,
                                    group->wait_loc};
    if (op->token == IR_NONE && op->kind != MODEL_MBARRIER_ARRIVE_WAIT)
        lag_passed(run, mbarrier, group->mask, &site);
    predecessor_passed(run, group->mask, &site);
    run->machines->served = mask_or(run->masks, run->machines->served, group->mask);
    give(run, group, group->mask, op->result, group->wait_op, run->nodes->one);
    trace_resume(run, group, true);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
    return true;
}

void mbarrier_deny(struct run *run, struct group *group)
{
    uint64_t before = run->changes;
    give(run, group, group->mask, wait_model(run, group)->result, group->wait_op, run->nodes->zero);
    trace_resume(run, group, false);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    // Storing the answer is no change that could let another group go on.
    run->changes = before;
    group->wait_change = before;
}

// A test may come back before the phase is over (PTX ISA 9.1, 9.7.13.15.16). Under one order of
// threads it does so once while copies are under way that the phase waits for: whoever does not ask
// again meets them.
bool mbarrier_refuse(struct run *run)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(run->group) && run->policy == POLICY_LOW_AHEAD; ++i) {
        struct group *group = run->group[i];
        bool copied = false;
        if (group->state != GROUP_BLOCKED || group->wait != WAIT_TEST)
            continue;
        for (ptrdiff_t k = 0; k < arrlen(machines->copy) && !copied; ++k)
            copied =
                machines->copy[k].mbarrier == group->wait_barrier && !machines->copy[k].arrival;
        struct mbarrier *mbarrier = &machines->mbarrier[group->wait_barrier];
        mask_each (run->masks, group->mask, t) {
            copied &= mbarrier->refused[t] != mbarrier->state.phase + 1;
            mbarrier->refused[t] = copied ? mbarrier->state.phase + 1 : mbarrier->refused[t];
        }
        if (!copied)
            continue;
        machines->refused = mask_or(run->masks, machines->refused,
                                    mask_minus(run->masks, group->mask, machines->served));
        mbarrier_deny(run, group);
        return true;
    }
    return false;
}

void mbarrier_force(struct run *run, struct group *group)
{
    const struct model_op *op = wait_model(run, group);
    give(run, group, group->mask, op->result, group->wait_op, run->nodes->one);
    group->state = GROUP_READY;
    group->wait = WAIT_NONE;
    ++run->changes;
}

// Arrivals of the threads that are wrong, whenever that was seen.
static void tell_arrivals(struct run *run, const struct mbarrier *mbarrier,
                          enum barlint_violation violation, const struct named_site *site,
                          const struct mask *threads)
{
    if (mbarrier->shared_unknown || !mbarrier->count_known)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain,
                        mbarrier->result_object, threads);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = mbarrier->state.expected;
    incident->number[1] =
        violation == BARLINT_PHASE_UNOBSERVED && mbarrier->ahead ? ENGINE_ARRIVALS_AHEAD : 0;
    incident->number[2] = mbarrier->state.phase;
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
}

// Whether threads come for others who wait, each of them equally often, and are more than the
// barrier counts, yet not so many that they fill its phases in turns: then some phase has ended
// without one of them.
static bool counts_too_few(const struct run *run, const struct mbarrier *mbarrier)
{
    const struct mask *came = mbarrier->ever_arrived;
    uint32_t each = 0, expected = mbarrier->state.expected;
    if (run->over || run->exited != run->masks->all || !mbarrier->count_known ||
        mbarrier->shared_unknown || mbarrier->stands_in || mbarrier->uneven || expected == 0 ||
        came->count <= expected || came->count % expected == 0 ||
        mbarrier->waiting_ever->count == 0 ||
        mask_overlaps(run->masks, mbarrier->waiting_ever, came))
        return false;
    mask_each (run->masks, came, t) {
        if (each && mbarrier->holder[t].arrivals != each)
            return false;
        each = mbarrier->holder[t].arrivals;
    }
    return each > 1;
}

// Whether some threads come for others who wait, each of them a whole phase, and one has come to
// the next phase before anybody had waited for the one that another ended.
static bool ends_too_soon(const struct run *run, const struct mbarrier *mbarrier)
{
    return mbarrier->crowded && !mbarrier->uneven && mbarrier->waiting_ever->count > 0 &&
           mbarrier->ever_arrived->count > mbarrier->state.expected &&
           !mask_overlaps(run->masks, mbarrier->waiting_ever, mbarrier->ever_arrived);
}

void mbarrier_unobserved(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        const struct mbarrier *mbarrier = &run->machines->mbarrier[i];
        if (counts_too_few(run, mbarrier))
            tell_arrivals(run, mbarrier, BARLINT_INIT_COUNT_MISMATCH, &mbarrier->arrive_site,
                          mbarrier->ever_arrived);
        if (!mbarrier->unobserved || mbarrier->shared_unknown || !mbarrier->count_known)
            continue;
        if (ends_too_soon(run, mbarrier))
            tell_arrivals(run, mbarrier, BARLINT_INIT_COUNT_MISMATCH, &mbarrier->unobserved_site,
                          mbarrier->ever_arrived);
        // A thread that also waits on the object owes it one arrival between two of its waits; one
        // that only arrives may run ahead as long as somebody waits, but not by two arrivals in a
        // row each of which makes up a phase.
        bool twice = mask_overlaps(run->masks, mbarrier->unobserved_mask, mbarrier->waiting_ever);
        if (mbarrier->waiting_ever->count && !twice && !mbarrier->ahead)
            continue;
        tell_arrivals(run, mbarrier, twice ? BARLINT_ARRIVE_OVER : BARLINT_PHASE_UNOBSERVED,
                      &mbarrier->unobserved_site, mbarrier->unobserved_mask);
    }
}

// What is wrong with a copy to a phase that nobody has waited for: nobody waits, or they all have
// waited for phases that plain arrivals ended before, as nobody says that there are bytes to come.
static enum barlint_violation blame_unawaited(const struct mbarrier *mbarrier)
{
    bool ended = mbarrier->waiting_ever->count && mbarrier->state.phase > 0;
    return ended && !mbarrier->announced ? BARLINT_TX_NO_EXPECT : BARLINT_EXIT_INFLIGHT;
}

void mbarrier_inflight(struct run *run)
{
    // Nothing is over where somebody hangs or a part of the way was not walked.
    if (run->over || run->exited != run->masks->all)
        return;
    // The first copies before a loop that has no rounds: sizes for which it has none are seldom
    // meant.
    bool weak = run->weak;
    run->weak |= run->empty_loop;
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        const struct mbarrier *mbarrier = &run->machines->mbarrier[i];
        if (!mbarrier->sent_mask || mbarrier->shared_unknown || mbarrier->stands_in ||
            mbarrier->state.state == BARLINT_RAW)
            continue;
        // Where sizes are not known, nor is which phase a copy belongs to: unless nobody has ever
        // announced any.
        bool unclear = mbarrier->bytes_doubt || mbarrier->bytes_unknown;
        bool unannounced = mbarrier->bytes_unknown && !mbarrier->announced && !mbarrier->by_copies;
        if (unclear && !unannounced && mbarrier->waiting_ever->count)
            continue;
        const struct named_site *site = &mbarrier->sent;
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, blame_unawaited(mbarrier), site->function,
                            site->op, site->chain, mbarrier->result_object, mbarrier->sent_mask);
        if (!incident)
            continue;
        incident->number[0] = mbarrier->waiting_ever->count;
        incident->number[1] = mbarrier->sent_phase;
        const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
        record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
    }
    run->weak = weak;
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
    trace_land(run, mbarrier, &copy);
    struct traffic traffic = mbarrier->traffic;
    struct barlint_effect effect;
    if (copy.arrival) {
        effect = barlint_mbarrier_async_arrive(&mbarrier->state, copy.noinc ? BARLINT_ASYNC_NOINC
                                                                            : BARLINT_ASYNC_INC);
        ++mbarrier->arrivals;
        mbarrier->by_copies = true;
        // An arrival that the count has a place for keeps its phase open until it comes.
        if (copy.noinc && copy.phase != before)
            barlint_violations_add(&effect.violations, BARLINT_ARRIVE_OVER);
        else if (copy.raised && copy.phase != before && mbarrier->arrive_site.loc.file)
            tell_arrivals(run, mbarrier, BARLINT_ARRIVE_OVER, &mbarrier->arrive_site,
                          mbarrier->ever_arrived);
    } else {
        effect = barlint_mbarrier_land_copy(&mbarrier->state, copy.bytes);
    }
    phase_check(run, mbarrier, before);
    transactions_judge(run, mbarrier, &traffic, effect.violations);
    ++run->changes;
    return true;
}

bool mbarrier_deliver_rest(struct run *run)
{
    // Those that never get their bytes come last: more may be copied to them meanwhile.
    ptrdiff_t groups = arrlen(run->group);
    for (ptrdiff_t i = 0; i < 2 * groups; ++i) {
        const struct group *group = run->group[i % groups];
        if (group->state != GROUP_BLOCKED ||
            (group->wait != WAIT_MBARRIER && group->wait != WAIT_TEST))
            continue;
        struct mbarrier *mbarrier = &run->machines->mbarrier[group->wait_barrier];
        if ((!mbarrier->bytes_unknown && !mbarrier->bytes_doubt) || mbarrier->state.pending > 0 ||
            mbarrier->state.tx == 0 || (i < groups && !transactions_may_fit(run, mbarrier)))
            continue;
        uint32_t before = mbarrier->state.phase;
        struct barlint_effect effect = barlint_effect_none();
        transactions_settle(run, mbarrier);
        mbarrier->state.tx = 0;
        barlint_mbarrier_try_complete(&mbarrier->state, &effect);
        phase_check(run, mbarrier, before);
        ++run->changes;
        return true;
    }
    return false;
}
