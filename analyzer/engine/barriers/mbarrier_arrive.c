// mbarriers in a run: arrivals, the bytes announced with them, and the tokens they give.
#include "engine/barriers/mbarrier_internal.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum { MAX_TOKENS = 64 }; // groups of threads that one operation gives different tokens

// The tokens of the threads that have arrived: neighbours with the same one are one piece.
struct given {
    struct node_piece piece[MAX_TOKENS];
    uint32_t pieces;
    struct mask_builder holders; // of the newest one
    struct barlint_token token; // the newest one, and as a value, which is NULL while there is none
    const struct node *newest;
};

// One operation by which the threads of a target arrive.
struct arriving {
    const struct act *act;
    const struct target *target;
    struct mbarrier *mbarrier;
    const struct node *count; // of arrivals, a thread
    const struct node *bytes; // announced with them; NULL where none are
    uint32_t before;          // the phase when the operation began
    bool again;               // some of the threads have arrived in that phase already
    bool fills;               // nobody else had, and the phase ends with these
    bool repeats;             // and so they have here, in an earlier round
    bool others;              // none of them has come to the phase before
    bool weighs;              // one of them arrives for several
    struct mask_builder came; // in the phase that is current
    struct given given;
    struct barlint_violations violations;
    const struct mask *bad; // the warps that break a rule
};

static void give_token(struct run *run, struct given *given, uint32_t thread,
                       const struct barlint_token *token)
{
    if (given->pieces == MAX_TOKENS)
        return;
    if (given->newest && !token_same(&given->token, token)) {
        given->piece[given->pieces++] =
            (struct node_piece){mask_builder_end(run->masks, &given->holders), given->newest};
        mask_builder_clear(run->masks, &given->holders);
        given->newest = NULL;
    }
    if (!given->newest) {
        given->token = *token;
        given->newest = token_node(run, token);
    }
    mask_builder_add(&given->holders, thread);
}

static const struct node *tokens_given(struct run *run, struct given *given)
{
    if (given->pieces < MAX_TOKENS && given->newest)
        given->piece[given->pieces++] =
            (struct node_piece){mask_builder_end(run->masks, &given->holders), given->newest};
    return given->pieces == MAX_TOKENS
               ? run_fresh(run, "an arrival token", SHAPE_UNKNOWN, INT64_MIN, INT64_MAX)
               : node_pieces(run->nodes, given->piece, given->pieces);
}

static void hold_token(struct holder *holder, uint32_t phase)
{
    if (holder->phase != phase + 1) {
        holder->phase = phase + 1;
        holder->tokens = holder->spent = 0;
    }
    ++holder->tokens;
}

// What an arrival of the thread says beside its count.
static struct barlint_arrive arrival_of(struct arriving *arriving, uint32_t thread, int64_t count)
{
    const struct model_op *op = arriving->act->op;
    struct barlint_arrive arrive = barlint_arrive_plain((uint32_t)(count > 0 ? count : 1));
    arrive.drops = op->flags & MODEL_DROP;
    arrive.no_complete = op->flags & MODEL_NO_COMPLETE;
    if (arriving->bytes) {
        int64_t announced = SOME_BYTES;
        arrive.expects = true;
        if (!node_lane(arriving->bytes, thread, &announced))
            arriving->mbarrier->bytes_unknown = arriving->mbarrier->bytes_doubt = true;
        arrive.bytes = (uint32_t)announced;
    }
    return arrive;
}

static void thread_arrives(struct arriving *arriving, uint32_t thread, int64_t count,
                           struct barlint_violations *violations)
{
    struct run *run = arriving->act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    struct barlint_arrive arrive = arrival_of(arriving, thread, count);
    struct barlint_actor actor = actor_of(run, mbarrier, thread);
    struct barlint_token token = barlint_token_none();
    uint32_t phase = mbarrier->state.phase;
    if (mbarrier->state.state == BARLINT_LIVE)
        barlint_violations_merge(
            violations, barlint_user_arrives(&mbarrier->user[thread], &mbarrier->state, arrive));
    struct barlint_effect effect =
        barlint_mbarrier_arrive_with(&mbarrier->state, &actor, arrive, &token);
    if (barlint_violations_has(effect.violations, BARLINT_PHASE_UNOBSERVED) &&
        phase != arriving->before) {
        // The threads that execute this together are more than the count: the phase they all
        // meant has ended with the first of them. Or they have come once already, or one of them
        // for too many.
        effect.violations = barlint_violations_none();
        barlint_violations_add(&effect.violations, arriving->again || arriving->weighs
                                                       ? BARLINT_ARRIVE_OVER
                                                       : BARLINT_INIT_COUNT_MISMATCH);
    }
    barlint_violations_merge(violations, effect.violations);
    hold_token(&mbarrier->holder[thread], phase);
    ++mbarrier->holder[thread].arrivals;
    arriving->weighs |= count != 1;
    mbarrier->uneven |= count != 1 || arrive.drops;
    ++mbarrier->arrivals;
    if (phase != mbarrier->state.phase) {
        mbarrier->arrived =
            mask_or(run->masks, mbarrier->arrived, mask_builder_end(run->masks, &arriving->came));
        mask_builder_clear(run->masks, &arriving->came);
        phase_check(run, mbarrier, phase);
    } else {
        mask_builder_add(&arriving->came, thread);
    }
    give_token(run, &arriving->given, thread, &token);
}

// The hardware merges the arrivals of a converged warp into one; one that takes the pending count
// below 0 aborts the launch (measured).
static bool merges_over(const struct mbarrier *mbarrier, uint32_t lanes, uint32_t count)
{
    return mbarrier->state.state == BARLINT_LIVE && mbarrier->count_known && lanes > 1 &&
           (uint64_t)lanes * count > mbarrier->state.pending;
}

// Which rule arrivals break that are more than a phase takes.
static enum barlint_violation blame_over(const struct arriving *arriving, bool dropped)
{
    if (dropped) // one thread too many came because it had dropped out
        return BARLINT_EXIT_DROP_THEN_USE;
    if (arriving->bytes)
        return BARLINT_TX_LEADER;
    uint64_t expected = arriving->mbarrier->state.expected;
    uint32_t size = arriving->act->run->engine->block_threads;
    bool unit =
        expected * 32 == arriving->target->mask->count || expected * 32 == (size + 31) / 32 * 32;
    return unit ? BARLINT_ARRIVE_GRANULARITY : BARLINT_ARRIVE_OVER;
}

// Returns false where that ends the launch.
static bool warp_arrives(struct arriving *arriving, uint32_t first, uint32_t end)
{
    struct run *run = arriving->act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    const struct mask *mask = arriving->target->mask;
    int64_t count = 1;
    bool known = node_lane(arriving->count, first, &count);
    if (!known)
        mbarrier->shared_unknown = true;
    bool over =
        known && count > 0 && merges_over(mbarrier, mask_count(mask, first, end), (uint32_t)count);
    struct barlint_violations here = barlint_violations_none();
    for (uint32_t t = first; t < end; t = mask_next(run->masks, mask, t + 1))
        thread_arrives(arriving, t, count, &here);
    if (over) {
        // One merged update of the warp: what the lanes one by one would have done in later phases
        // does not happen.
        bool dropped = barlint_violations_has(here, BARLINT_EXIT_DROP_THEN_USE) ||
                       barlint_violations_has(arriving->violations, BARLINT_EXIT_DROP_THEN_USE);
        here = barlint_violations_none();
        barlint_violations_add(&here, blame_over(arriving, dropped));
        run->over = true;
    }
    if (!barlint_violations_empty(here))
        arriving->bad = mask_or(run->masks, arriving->bad,
                                mask_and(run->masks, mask, mask_range(run->masks, first, end)));
    barlint_violations_merge(&arriving->violations, here);
    return !over;
}

static void all_arrive(struct arriving *arriving)
{
    const struct run *run = arriving->act->run;
    const struct mask *mask = arriving->target->mask;
    uint32_t size = run->engine->block_threads, end = 0;
    for (uint32_t first = mask->first; first < run->masks->threads;
         first = mask_next(run->masks, mask, end)) {
        uint32_t in_block = first % size, rest_of_block = size - in_block;
        end = first - in_block % 32 + 32;
        end = rest_of_block < end - first ? first + rest_of_block : end;
        if (!warp_arrives(arriving, first, end))
            break;
    }
}

// Whether the thread's last arrival was this operation as well.
static bool came_here(const struct act *act, const struct holder *holder)
{
    const struct frame *frame = act->group->frame;
    return holder->came_function == frame->function && holder->came_op == act->value &&
           holder->came_chain == frame->chain;
}

// Whether threads come that have made up the phase before by an arrival at another place, and have
// waited for nothing since.
static bool is_ahead(const struct arriving *arriving)
{
    const struct act *act = arriving->act;
    const struct mask *mask = arriving->target->mask;
    if (arriving->bytes || (mask->count > 1 && !arriving->fills))
        return false;
    mask_each (act->run->masks, mask, t) {
        const struct holder *holder = &arriving->mbarrier->holder[t];
        if (came_here(act, holder) || holder->alone_epoch != 1 + act->run->machines->epoch[t] ||
            holder->alone_waits != act->run->machines->waits[t])
            return false;
    }
    return true;
}

// Whether somebody waits later is known at the end of the run.
static void put_off_unobserved(struct arriving *arriving)
{
    const struct act *act = arriving->act;
    struct mbarrier *mbarrier = arriving->mbarrier;
    if (!barlint_violations_has(arriving->violations, BARLINT_PHASE_UNOBSERVED))
        return;
    barlint_violations_drop(&arriving->violations, BARLINT_PHASE_UNOBSERVED);
    bool ahead = is_ahead(arriving);
    if (arriving->others && arriving->fills && mbarrier->state.phase == arriving->before + 1) {
        mbarrier->crowded = true;
        act->run->machines->surplus |= ENGINE_SURPLUS_OF_PHASE;
    }
    if (mbarrier->unobserved && (mbarrier->ahead || !ahead))
        return;
    mbarrier->unobserved = true;
    mbarrier->ahead = ahead;
    mbarrier->unobserved_mask = arriving->bad;
    mbarrier->unobserved_site = named_site_of(act->run, act->group, act->value);
}

// Remembers where the threads came, and whether they made up the phase, without bytes.
static void note_alone(const struct arriving *arriving)
{
    const struct act *act = arriving->act;
    const struct mask *mask = arriving->target->mask;
    bool alone = arriving->mbarrier->state.phase == arriving->before + 1 && !arriving->bytes &&
                 (mask->count == 1 || arriving->fills);
    mask_each (act->run->masks, mask, t) {
        struct holder *holder = &arriving->mbarrier->holder[t];
        holder->alone_epoch = alone ? 1 + act->run->machines->epoch[t] : 0;
        holder->alone_waits = act->run->machines->waits[t];
        holder->came_function = act->group->frame->function;
        holder->came_chain = act->group->frame->chain;
        holder->came_op = act->value;
    }
}

// Too many have come to a phase: those who owe it no arrival, or who came here in the round before
// and had nothing to wait for.
static void note_surplus(struct arriving *arriving)
{
    const struct act *act = arriving->act;
    if (barlint_violations_has(arriving->violations, BARLINT_ARRIVE_OVER) ||
        barlint_violations_has(arriving->violations, BARLINT_ARRIVE_GRANULARITY) ||
        barlint_violations_has(arriving->violations, BARLINT_INIT_COUNT_MISMATCH))
        act->run->machines->surplus |=
            arriving->repeats ? ENGINE_SURPLUS_OF_ROUNDS : ENGINE_SURPLUS_OF_PHASE;
}

// Threads that have dropped out leave phases to the others: where data decide who does first, who
// is the last nobody can know.
static void note_dropped(const struct arriving *arriving)
{
    struct run *run = arriving->act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    if (mbarrier->dropped && arriving->before >= mbarrier->dropped && run_is_parted(run))
        run->engine->result->object[mbarrier->result_object].outlived = true;
    if (arriving->act->op->flags & MODEL_DROP)
        mbarrier->dropped = arriving->before + 1;
}

// What the operation has done beside counting.
static void note_arrival(const struct arriving *arriving)
{
    const struct act *act = arriving->act;
    struct run *run = act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    const struct mask *mask = arriving->target->mask;
    mbarrier->arrive_site = named_site_of(run, act->group, act->value);
    if (act->op->flags & MODEL_RELEASE)
        touch_release(run, mask, act->op->flags & MODEL_SCOPE_IS_CLUSTER);
    mbarrier->ever_arrived = mask_or(run->masks, mbarrier->ever_arrived, mask);
    if (run->afterlife)
        mbarrier->after = mask_or(run->masks, mbarrier->after, mask);
    ++run->changes;
}

static void announce_arrival(struct arriving *arriving)
{
    const struct act *act = arriving->act;
    struct run *run = act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    const struct target *target = arriving->target;
    if (target->shared)
        peers_arrive(run, act->group, act->value, target->mbarrier, target->mask);
    early_arrived(run, target->mask, target->mbarrier);
    struct named_site site = named_site_of(run, act->group, act->value);
    spoken_arrive(run, target->mask, &site);
    raised_arrive(run, mbarrier, target->mask);
    announced_arrive(run, mbarrier, target->mask);
    // Relaxed arrivals have a rule of their own.
    orders_release(run, target->mask, &mbarrier->released);
    if (arriving->bytes)
        transactions_announce(run, act->group, act->value, target->mask, mbarrier, arriving->bytes);
    deed_add(run, mbarrier->deed, &mbarrier->deeds,
             act->op->flags & MODEL_DROP ? "{arrives|arrive} and {drops|drop} out here"
             : arriving->bytes           ? "{arrives|arrive} here and {announces|announce} bytes"
                                         : "{arrives|arrive} here",
             target->mask, act->loc, mbarrier->state.phase, INT64_MIN);
}

static struct arriving arriving_begin(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct mbarrier *mbarrier = &run->machines->mbarrier[target->mbarrier];
    const struct model_op *op = act->op;
    struct arriving arriving = {
        .act = act,
        .target = target,
        .mbarrier = mbarrier,
        .count = op->count == IR_NONE
                     ? node_const(run->nodes, op->count_constant ? op->count_constant : 1)
                     : operand_field(run, act->group, op, &op->count),
        .bytes = op->bytes == IR_NONE ? NULL : operand_field(run, act->group, op, &op->bytes),
        .before = mbarrier->state.phase,
        .again = mask_overlaps(run->masks, mbarrier->arrived, target->mask),
        .fills = mbarrier->arrived->count == 0,
        .violations = barlint_violations_none(),
        .bad = run->masks->none};
    mask_builder_clear(run->masks, &arriving.came);
    mask_builder_clear(run->masks, &arriving.given.holders);
    arriving.others = true;
    mask_each (run->masks, target->mask, t)
        arriving.others &= mbarrier->holder[t].phase != mbarrier->state.phase;
    arriving.repeats = arriving.again && came_here(act, &mbarrier->holder[target->mask->first]);
    return arriving;
}

// Remembers when the threads come, and who of them may come too soon.
static void note_coming(const struct arriving *arriving)
{
    struct run *run = arriving->act->run;
    struct mbarrier *mbarrier = arriving->mbarrier;
    const struct mask *mask = arriving->target->mask;
    const struct named_site site = named_site_of(run, arriving->act->group, arriving->act->value);
    premature_arrive(run, mbarrier, mask, &site);
    mask_each (run->masks, mask, t) {
        struct holder *holder = &mbarrier->holder[t];
        if (holder->phase != mbarrier->state.phase + 1) {
            holder->before_phase = holder->phase;
            holder->before_at = holder->came_at;
        }
        holder->came_at = run->machines->waited_at[t];
    }
}

void do_arrive(const struct act *act, const struct target *target)
{
    struct run *run = act->run;
    struct arriving arriving = arriving_begin(act, target);
    struct mbarrier *mbarrier = arriving.mbarrier;
    note_coming(&arriving);
    announce_arrival(&arriving);
    struct traffic traffic = mbarrier->traffic; // a phase that ends takes it along
    all_arrive(&arriving);
    mbarrier->arrived =
        mask_or(run->masks, mbarrier->arrived, mask_builder_end(run->masks, &arriving.came));
    note_arrival(&arriving);
    phase_check(run, mbarrier, arriving.before);
    put_off_unobserved(&arriving);
    note_surplus(&arriving);
    note_alone(&arriving);
    note_dropped(&arriving);
    bool dropped = barlint_violations_has(arriving.violations, BARLINT_EXIT_DROP_THEN_USE);
    if ((mbarrier->count_known || mbarrier->state.state == BARLINT_RAW) &&
        !mbarrier->shared_unknown) {
        struct barlint_violations violations =
            transactions_judge(run, mbarrier, &traffic, arriving.violations);
        record_effect(run, act->group, arriving.bad->count ? arriving.bad : target->mask,
                      act->value, mbarrier, judged(run, target, violations));
    }
    // Who came although it had dropped out is one too many ever after.
    mbarrier->shared_unknown |= dropped;
    const struct node *tokens = tokens_given(run, &arriving.given);
    if (act->op->kind != MODEL_MBARRIER_ARRIVE_WAIT) {
        give(run, act->group, target->mask, act->op->token_result, act->value, tokens);
        return;
    }
    const struct node *old = act->group->token ? act->group->token : tokens;
    struct node_piece both[2] = {{target->mask, tokens},
                                 {mask_minus(run->masks, act->group->mask, target->mask), old}};
    act->group->token = node_pieces(run->nodes, both, 2);
}
