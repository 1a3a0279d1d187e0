// Control flow of groups: which way they go at conditions, and how they return.
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

enum {
    FEW_ROUNDS = 5,  // that a loop over the whole tiles of a size may not be made for
    OPEN_ROUNDS = 9, // rounds of a loop whose end is not known: enough for a ring of four
                     // stages to use both parities
    ENDURED_ROUNDS = OPEN_ROUNDS + 1, // of all loops together, on a way that endures
    AGAIN_ROUNDS = 5,                 // the same once that has been done for one loop of the run
    KNOWN_ROUNDS = 4096,              // rounds of a loop that is followed exactly
    EXCHANGE_ROUNDS = 3, // rounds of one without barriers that reads and writes shared memory
    MAX_ARMS = 48,       // conditions that are not decided, one within the other
};

// --- Arms ------------------------------------------------------------------------------------

static void arms_pop(struct group *group)
{
    group->arms = group->arms->outer;
}

static void arms_next(struct run *run, struct group *group, const struct node *result)
{
    struct arms *next = arena_new(&run->arena, struct arms);
    *next = *group->arms;
    next->condition = node_not(run->nodes, next->condition);
    next->seen.mask = NULL;
    next->other = IR_NONE;
    if (result) {
        next->result = result;
        next->returned = true;
    }
    struct frame *frame = frame_own(run, group);
    frame->block = group->arms->other;
    frame->position = 0;
    group->arms = next;
}

static bool arms_at(const struct group *group)
{
    return group->arms && group->arms->depth == group->frame->depth;
}

// A loop that is entered anew begins to count its rounds anew.
static void enter_loop(const struct cfg *cfg, struct frame *frame, ir_block_id block)
{
    uint32_t loop = cfg->loop_of[block];
    if (loop == IR_NONE || cfg->loop[loop].header != block || cfg_in_loop(cfg, loop, frame->block))
        return;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i)
        frame->visits[cfg->loop_block[cfg->loop[loop].first + i]] = 0;
}

// Enters a block: arms end and groups meet at its start.
void group_goto(struct run *run, struct group *group, ir_block_id block)
{
    struct frame *frame = frame_own(run, group);
    const struct cfg *cfg = facts_of(run->engine, frame->function)->cfg;
    enter_loop(cfg, frame, block);
    while (arms_at(group) && group->arms->loop != IR_NONE &&
           !cfg_in_loop(cfg, cfg->loop_of[group->arms->loop], block))
        arms_pop(group); // the loop that was passed over is left
    ++frame->visits[block];
    frame->block = block;
    frame->position = 0;
    while (arms_at(group) && group->arms->loop == IR_NONE && group->arms->meet == frame->block) {
        if (group->arms->other == IR_NONE || group->arms->other == group->arms->meet) {
            arms_pop(group);
            continue;
        }
        arms_next(run, group, NULL);
        frame = group->frame;
    }
    join_arrive(run, group);
}

// Whether the group has come to the closing brace, where those meet that no return statement has
// taken out.
static bool is_at_brace(const struct run *run, const struct group *group)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    return (ir_op_at(function, group->frame->at)->flags & IR_AT_BRACE) != 0;
}

void group_return(struct run *run, struct group *group, const struct node *value)
{
    const struct node *result = value ? value : run->nodes->undefined;
    while (arms_at(group)) {
        if (group->arms->loop != IR_NONE) {
            arms_pop(group);
            continue;
        }
        if (group->arms->other != IR_NONE) {
            ir_block_id other = group->arms->other;
            arms_next(run, group, result);
            ++group->frame->visits[other];
            return;
        }
        if (group->arms->returned)
            result = node_select(run->nodes, group->arms->condition, result, group->arms->result);
        arms_pop(group);
    }
    if (!group->frame->parent && !is_at_brace(run, group)) {
        group_exit(run, group);
        return;
    }
    group->returning = true;
    group->result = result;
    join_arrive(run, group);
}

void group_finish_return(struct run *run, struct group *group)
{
    struct frame *frame = group->frame;
    ir_value call = frame->call;
    group->returning = false;
    if (!frame->parent) {
        group_exit(run, group);
        return;
    }
    frame_pop(run, group);
    const struct ir_op *op = ir_op_at(frame_function(run, group->frame), call);
    if (op->type != IR_NONE)
        group_set(run, group, call, group->result);
    group->result = NULL;
}

// --- Conditions ------------------------------------------------------------------------------

static uint64_t site_of(const struct group *group)
{
    const struct frame *frame = group->frame;
    return (uint64_t)frame->function << 32 | frame->block;
}

// The threads of `one` whose warps have no thread in `other`.
static const struct mask *warps_without(struct run *run, const struct mask *one,
                                        const struct mask *other)
{
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    warps_each(run, one, first, end)
    {
        if (mask_next(run->masks, other, first) < end)
            continue;
        for (uint32_t t = first; t < end; ++t)
            if (mask_has(one, t))
                word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return mask_from_words(run->masks, word);
}

// Warps do not wait for each other where their ways meet: those that go different ways to barriers
// stay apart, so that one may get ahead of the other. Lanes of one warp meet again. Where all that
// some threads do is wait, warps that do not wait need not stay with the lanes of one that does.
// Sends on whole warps and returns the threads that are left to go to the second target; none when
// all have been sent.
static const struct mask *warps_apart(struct run *run, struct group *group, const struct mask *yes,
                                      const struct mask *no, const struct ir_op *op)
{
    ir_function_id function = group->frame->function;
    ir_block_id from = group->frame->block;
    const struct mask *no_alone = warps_without(run, no, yes);
    const struct mask *yes_alone = warps_without(run, yes, no);
    bool all = no_alone->count == no->count;
    if (facts_region_pure(run->engine, function, from) ||
        (!all && !facts_region_waits(run->engine, function, from)))
        return no;
    if (no_alone->count)
        group_goto(run, group_fork(run, group, no_alone), op->target[1]);
    if (!all && yes_alone->count)
        group_goto(run, group_fork(run, group, yes_alone), op->target[0]);
    if (all)
        group_goto(run, group, op->target[0]);
    return mask_minus(run->masks, no, no_alone);
}

// Sends the threads of `yes` to the first target and the rest to the second.
static void split(struct run *run, struct group *group, const struct mask *yes,
                  const struct ir_op *op, bool is_loop)
{
    ir_block_id if_true = op->target[0], if_false = op->target[1];
    const struct mask *no = mask_minus(run->masks, group->mask, yes);
    const struct node *asked =
        group_get(run, group, ir_operand(frame_function(run, group->frame), op, 0));
    if (no->count == 0 || yes->count == 0 || if_true == if_false) {
        ir_block_id to = no->count == 0 || if_true == if_false ? if_true : if_false;
        if (!node_known(asked))
            parting_leave(run, group, to, is_loop);
        group_goto(run, group, to);
        return;
    }
    if (run->next_group > MAX_GROUPS) {
        run->cut = true;
        return;
    }
    parting_note(run, group, op, is_loop, asked, yes);
    run->yield = run->policy != POLICY_TOGETHER;
    if (run->policy != POLICY_TOGETHER) {
        no = warps_apart(run, group, yes, no, op);
        if (no->count == 0)
            return;
        yes = mask_minus(run->masks, group->mask, no);
    }
    struct group *other = join_part(run, group, yes, op, asked, is_loop);
    group_goto(run, group, if_true);
    group_goto(run, other, if_false);
}

static void push_arms(struct run *run, struct group *group, const struct node *condition,
                      ir_block_id other, ir_block_id meet, ir_value loop)
{
    uint32_t deep = 0;
    for (const struct arms *outer = group->arms; outer; outer = outer->outer)
        ++deep;
    if (deep >= MAX_ARMS) {
        run->cut = true;
        return;
    }
    struct arms *arms = arena_new(&run->arena, struct arms);
    *arms = (struct arms){.outer = group->arms,
                          .condition = condition,
                          .mask = group->mask,
                          .other = other,
                          .meet = meet,
                          .loop = loop,
                          .depth = group->frame->depth};
    group->arms = arms;
}

// A number for what the loop of the group's block does, seen from the block.
static uint64_t loop_likeness(const struct run *run, const struct group *group)
{
    ir_block_id block = group->frame->block;
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    uint32_t loop = cfg->loop_of[block];
    return mix(facts_loop_likeness(run->engine, group->frame->function, loop),
               cfg->loop_block_of[block] - cfg->loop[loop].first);
}

// A loop whose end is open, or that goes on for long, and that touches no barrier: its body is
// executed once under a condition nobody knows, so that what it writes becomes unknown.
static void pass_loop(struct run *run, struct group *group, const struct node *condition,
                      ir_block_id head)
{
    // The same loop under the same condition goes the same way in every role.
    const struct node *goes_on = node_expr(
        run->nodes, NODE_OP_CALL, 1, (int64_t)loop_likeness(run, group), condition, NULL, NULL);
    push_arms(run, group, goes_on, IR_NONE, IR_NONE, head);
}

// Whether the one round of a loop that is passed over has come to its head again: then the loop is
// over. Conditions within the round that did not come to their meeting end with it, but for those
// under which the function has returned: what follows the loop runs where they do not hold.
static bool end_of_passed_round(struct run *run, struct group *group, ir_block_id head)
{
    struct arms *loop = group->arms;
    while (loop && loop->depth == group->frame->depth && loop->loop != head)
        loop = loop->outer;
    if (!loop || loop->depth != group->frame->depth)
        return false;
    struct arms *inner = group->arms;
    group->arms = loop->outer;
    if (!loop->many)
        counted_widen(run, group, head);
    const struct node *passed = node_not(run->nodes, loop->condition);
    for (; inner != loop; inner = inner->outer) {
        if (!inner->returned)
            continue;
        struct arms *kept = arena_new(&run->arena, struct arms);
        *kept = *inner;
        kept->outer = group->arms;
        kept->condition = node_binary(run->nodes, IR_OR, 1, false, passed, inner->condition);
        group->arms = kept;
    }
    return true;
}

// Whether a loop that is passed over is to have another round: several threads may give each other
// data in it, as in buffers that they take in turn, which come round again.
static bool passes_again(const struct group *group, ir_block_id head, uint32_t visits)
{
    const struct arms *loop = arms_at(group) ? group->arms : NULL;
    return loop && loop->loop == head && (loop->read & loop->written) && group->mask->count > 1 &&
           visits <= EXCHANGE_ROUNDS;
}

static bool in_passed_loop(const struct group *group)
{
    return arms_at(group) && group->arms->loop != IR_NONE;
}

// Goes on where nothing that matters depends on the condition at the end of the block.
static bool pass_by(struct run *run, struct group *group, const struct function_facts *facts)
{
    if (!facts->mode || facts->pass[group->frame->block] == IR_NONE)
        return false;
    ir_block_id to = facts->pass[group->frame->block];
    if (to == facts->cfg->exit)
        group_return(run, group, NULL);
    else
        group_goto(run, group, to);
    return true;
}

// --- Habits ----------------------------------------------------------------------------------

static struct habit *habit_of(struct run *run, const struct group *group)
{
    struct habit fresh = {.site = site_of(group), .chain = group->frame->chain};
    for (ptrdiff_t i = 0; i < arrlen(run->habit); ++i) {
        if (run->habit[i].site == fresh.site && run->habit[i].chain == fresh.chain)
            return &run->habit[i];
    }
    arrput(run->habit, fresh);
    return &arrlast(run->habit);
}

// The condition was decided: it holds for the threads of `yes` among `all`.
static void habit_note(struct habit *habit, const struct mask *all, const struct mask *yes)
{
    bool parts = yes->count && yes->count<all->count, held = yes->count> 0;
    habit->times = parts ? 0 : habit->times && habit->held == held ? habit->times + 1 : 1;
    habit->held = held;
}

// Whether the group goes round a loop, or one that calls what it executes, not for the first time.
static bool in_later_round(const struct group *group)
{
    for (const struct frame *frame = group->frame; frame; frame = frame->parent) {
        if (frame->visits[frame->block] > 1)
            return true;
    }
    return false;
}

static bool in_loop(const struct run *run, const struct group *group)
{
    for (const struct frame *frame = group->frame; frame; frame = frame->parent) {
        if (facts_of(run->engine, frame->function)->cfg->loop_of[frame->block] != IR_NONE)
            return true;
    }
    return false;
}

// Whether a loop goes on that is left at once on other ways.
static bool endures(const struct run *run, uint32_t visits)
{
    return run->way.endures && arrlenu(run->decision) >= run->way.count && visits <= OPEN_ROUNDS &&
           run->endured < ENDURED_ROUNDS;
}

// Whether the sources ask elsewhere whether the two bounds of the loop are equal: then it is meant
// that there may be nothing between them.
static bool asks_for_nothing(const struct run *run, size_t at)
{
    for (size_t i = 0; i < at; ++i) {
        const struct decision *one = &run->decision[i];
        if (one->form == run->decision[at].form && one->site != run->decision[at].site &&
            (one->says == SAYS_IS || one->says == SAYS_IS_NOT))
            return true;
    }
    return false;
}

// Whether the group has decided that what its loop watches for changes has not changed.
static bool is_unchanged(struct run *run, const struct group *group, const struct ir_op *op,
                         const struct mask *yes)
{
    const struct ir_function *function = frame_function(run, group->frame);
    uint16_t asked = ir_op_at(function, ir_operand(function, op, 0))->code;
    return yes->count == (asked == IR_EQ ? group->mask->count : 0) &&
           facts_asks_change(run->engine, group->frame->function, group->frame->block);
}

// Which way the host goes first: on to its launches, past the checks of what it was given.
static bool host_prefers(struct run *run, const struct group *group, const struct ir_op *op,
                         bool prefer)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    bool leads[2];
    for (int i = 0; i < 2; ++i)
        leads[i] = leads_to_launch(run->engine, function, cfg, op->target[i], &run->arena);
    return leads[0] == leads[1] ? prefer : leads[0];
}

// A condition at the end of a block, and the loop whose rounds it may decide about.
struct fork {
    const struct ir_op *op;
    const struct node *condition;
    const struct node *goes_on; // where it decides about a loop: whether that has another round
    ir_block_id at;
    bool leaves;                 // it does decide about a loop
    ir_block_id inside, outside; // then: where that goes on, and where it ends
    uint32_t visits;             // in its current run the loop has come there
};

static struct fork fork_at(struct run *run, struct group *group, const struct ir_op *op)
{
    ir_value asked = ir_operand(frame_function(run, group->frame), op, 0);
    struct fork fork = {.op = op, .at = group->frame->block, .inside = IR_NONE, .outside = IR_NONE};
    fork.condition = resolve(run, group_get(run, group, asked));
    fork.leaves = loop_exit(run, group, op, &fork.inside, &fork.outside);
    fork.visits = group->frame->visits[fork.at];
    // A test that ends the loop, as `if (i >= n) break;` does, says when it does not go on.
    fork.goes_on =
        fork.inside == op->target[0] ? fork.condition : node_not(run->nodes, fork.condition);
    return fork;
}

// Where a loop's rounds are told by what has been seen of it, whatever its condition says.
static bool ends_or_repeats(struct run *run, struct group *group,
                            const struct function_facts *facts, const struct fork *fork)
{
    // What it touches has been touched. Lanes that leave at another round than others go on.
    if (fork->leaves && facts->mode && fork->visits > facts->rounds[fork->at] &&
        fork->condition->kind != NODE_VECTOR) {
        group_goto(run, group, fork->outside);
        return true;
    }
    if (fork->leaves && passes_again(group, fork->at, fork->visits)) {
        pass_loop(run, group, fork->goes_on, fork->at);
        group_goto(run, group, fork->inside);
        return true;
    }
    if (end_of_passed_round(run, group, fork->at)) {
        group_goto(run, group, fork->outside);
        return true;
    }
    return false;
}

// The condition is known of all threads.
static void branch_known(struct run *run, struct group *group, const struct fork *fork)
{
    int64_t goes_on;
    bool over = node_is_const(fork->goes_on, group->mask, run->masks, &goes_on) && !goes_on;
    if (fork->leaves && !over && rounds_are_enough(run, group, fork->visits)) {
        pass_loop(run, group, fork->goes_on, fork->at);
        group->arms->many = true;
        group_goto(run, group, fork->inside);
    } else if (fork->visits > KNOWN_ROUNDS) {
        run->cut = true;
    } else {
        split(run, group, decide(run, group->mask, fork->condition, true, site_of(group)), fork->op,
              fork->leaves);
    }
}

// A check that aborts the kernel is taken to hold.
static bool passes_check(struct run *run, struct group *group, const struct fork *fork)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const ir_block_id *target = fork->op->target;
    bool aborts[] = {facts_aborts(function, target[0]), facts_aborts(function, target[1])};
    if (aborts[0] == aborts[1])
        return false;
    if (run->engine->host)
        host_checked(run, group,
                     aborts[1] ? fork->condition : node_not(run->nodes, fork->condition));
    take_for_granted(run, group->mask, fork->condition, aborts[1]);
    group_goto(run, group, target[aborts[0]]);
    return true;
}

// Goes through a loop once, or through both arms of a branch, where nothing in them that the
// condition decides about can touch a barrier.
static bool goes_both_ways(struct run *run, struct group *group, const struct function_facts *facts,
                           const struct fork *fork)
{
    struct engine *engine = run->engine;
    ir_function_id function = group->frame->function;
    bool breaks = fork->leaves && in_passed_loop(group);
    if (fork->leaves && !breaks && facts_loop_pure(engine, function, fork->at) &&
        (engine->host || facts_exits_alike(engine, function, fork->at))) {
        ir_block_id head = end_of_loop(run, group);
        pass_loop(run, group, fork->goes_on, head);
        breaks = head != fork->at;
        if (!breaks) {
            group_goto(run, group, fork->inside);
            return true;
        }
    }
    if (breaks ? facts_exit_pure(engine, function, fork->at)
               : facts_region_pure(engine, function, fork->at)) {
        // First the way out of a loop: the other one comes to the loop's head.
        ir_block_id meet = cfg_join(facts->cfg, fork->at);
        ir_block_id first = fork->leaves ? fork->outside : fork->op->target[0];
        bool holds = first == fork->op->target[0];
        push_arms(run, group, holds ? fork->condition : node_not(run->nodes, fork->condition),
                  fork->op->target[holds ? 1 : 0], meet == facts->cfg->exit ? IR_NONE : meet,
                  IR_NONE);
        group_goto(run, group, first);
        return true;
    }
    if (breaks)
        group_goto(run, group, fork->inside);
    return breaks;
}

// Whether the loop is over for all of the group; `yes`: for whom the condition holds.
static bool all_leave(const struct group *group, const struct fork *fork, const struct mask *yes)
{
    uint32_t leaving =
        fork->op->target[0] == fork->outside ? yes->count : group->mask->count - yes->count;
    return fork->leaves && leaving == group->mask->count;
}

// Whether the size of which the loop goes through the whole tiles may have but a few: one that
// takes several in a round, a stage of a ring for each, sees many in a few rounds.
static bool has_few_tiles(struct run *run, const struct fork *fork, const struct decision *decision)
{
    const struct bound *bound = decision->form ? bound_find(run, decision->form) : NULL;
    return decision->whole && fork->visits <= FEW_ROUNDS && !(bound && bound->low >= FEW_ROUNDS);
}

// Whether as many of the threads as a size says go one of the ways, and that is none: a loop over
// them that has no round, written for threads.
static bool is_for_no_thread(struct run *run, const struct group *group, const struct fork *fork,
                             const struct mask *yes, const struct decision *decision)
{
    const struct bound *bound = decision->form ? bound_find(run, decision->form) : NULL;
    bool together = yes->count == 0 || yes->count == group->mask->count;
    return !fork->leaves && together && group->mask->count > 1 && !decision->common && bound &&
           decision->form->shape == SHAPE_UNIFORM && bound->high <= 0;
}

// A loop between two bounds that has no round, or over fewer whole tiles than rings have stages:
// the sources that give the sizes may never let that happen, so what follows is no strong claim.
// `at`: of the decision that was taken.
static void weigh_decision(struct run *run, const struct group *group, const struct fork *fork,
                           const struct mask *yes, size_t at)
{
    bool first = fork->visits <= 1;
    bool left = all_leave(group, fork, yes);
    bool empty = left && first && !run->decision[at].row;
    run->empty_loop |= empty || is_for_no_thread(run, group, fork, yes, &run->decision[at]);
    bool by_block = empty && parting_is_by_block(run, fork->condition);
    run->empty_size |= empty && !by_block && !parting_is_by_data(run, fork->condition);
    // Of a whole that is not empty a part may be.
    const struct node *whole = empty ? parting_whole(run->decision[at].form) : NULL;
    if (whole)
        take_for_granted(run, group->mask,
                         node_binary(run->nodes, IR_GT, 64, true, whole, run->nodes->zero), true);
    if (left &&
        ((run->decision[at].pair && first && !by_block && !asks_for_nothing(run, at) && !whole) ||
         has_few_tiles(run, fork, &run->decision[at])))
        decision_is_weak(run, &run->decision[at]);
    // What a loop compares with the round before begins as what no round can be.
    if (first && is_unchanged(run, group, fork->op, yes))
        decision_is_weak(run, &run->decision[at]);
}

// Where the branch stands that asks what was decided since.
static void note_line(struct run *run, const struct ir_op *op, size_t since)
{
    const struct ir_unit *unit = run->engine->unit;
    bool near = op->loc.file == unit->function[run->engine->kernel].loc.file;
    for (size_t i = since; near && i < arrlenu(run->decision); ++i)
        run->decision[i].line = op->loc.line;
}

// The condition is not known, and something hangs on it.
static void branch_open(struct run *run, struct group *group, const struct fork *fork)
{
    const struct ir_op *op = fork->op;
    bool checks = run->engine->host && fork->leaves && host_gives_up(run, group, fork->outside);
    if (checks && fork->visits > OPEN_ROUNDS) {
        group_goto(run, group, fork->inside); // it has been tried often enough
        return;
    }
    bool stays = fork->leaves && endures(run, fork->visits);
    bool prefer =
        !fork->leaves || op->target[0] == (stays || checks ? fork->inside : fork->outside);
    if (run->engine->host && !fork->leaves)
        prefer = host_prefers(run, group, op, prefer);
    struct habit *habit = habit_of(run, group);
    if (fork->leaves && fork->visits > OPEN_ROUNDS)
        run->forced = true; // long enough: leave, and try nothing else
    if (!checks && habit->times >= (run->breaks ? AGAIN_ROUNDS : OPEN_ROUNDS)) {
        run->forced = true; // the same, where a function says whether its caller's loop goes on
        prefer = !habit->held;
        ++run->breaks;
    }
    size_t before = arrlenu(run->decision);
    ptrdiff_t asked = arrlen(run->asked);
    run->round = in_later_round(group);
    run->asks_round = run->round && fork->leaves && node_compares(fork->condition);
    const struct mask *yes = decide(run, group->mask, fork->condition, prefer, site_of(group));
    if (run->asks_round && all_leave(group, fork, yes))
        arrsetlen(run->asked, asked);
    run->forced = run->round = run->asks_round = false;
    if (arrlenu(run->decision) > before) {
        habit_note(habit, group->mask, yes);
        run->endured += stays;
        note_line(run, op, before);
        run->decision[before].asked = fork->leaves          ? ASKED_FOR_ROUND
                                      : in_loop(run, group) ? ASKED_IN_ROUND
                                                            : ASKED_ONCE;
        weigh_decision(run, group, fork, yes, before);
    }
    split(run, group, yes, op, fork->leaves);
}

void group_branch(struct run *run, struct group *group, const struct ir_op *op)
{
    const struct function_facts *facts = facts_of(run->engine, group->frame->function);
    if (pass_by(run, group, facts))
        return;
    struct fork fork = fork_at(run, group, op);
    if (ends_or_repeats(run, group, facts, &fork))
        return;
    if (decided(run, group->mask, fork.condition))
        branch_known(run, group, &fork);
    else if (!passes_check(run, group, &fork) && !goes_both_ways(run, group, facts, &fork))
        branch_open(run, group, &fork);
}

void group_switch(struct run *run, struct group *group, const struct ir_op *op)
{
    if (pass_by(run, group, facts_of(run->engine, group->frame->function)))
        return;
    const struct ir_function *function = frame_function(run, group->frame);
    const struct node *asked = group_get(run, group, ir_operand(function, op, 0));
    const struct node *value = resolve(run, asked);
    struct node_pool *pool = run->nodes;
    uint64_t site = site_of(group);
    uint32_t last = facts_last_way(function, op);
    bool goes_on = last < op->case_count || !facts_aborts(function, op->target[0]);
    // Lanes that were parted by their values have just any others than those that were asked for.
    bool just_any = value->kind == NODE_VECTOR && asked->kind != NODE_VECTOR;
    // One case is peeled off at a time; the remaining threads go on asking at the same operation.
    for (uint32_t i = 0; i < op->case_count; ++i) {
        const struct ir_case *c = &function->cases[op->imm + i];
        const struct node *low = node_const(pool, c->low), *high = node_const(pool, c->high);
        const struct node *hit = c->low == c->high
                                     ? node_binary(pool, IR_EQ, 64, true, value, low)
                                     : node_binary(pool, IR_AND, 1, false,
                                                   node_binary(pool, IR_GE, 64, true, value, low),
                                                   node_binary(pool, IR_LE, 64, true, value, high));
        bool known = !just_any && decided(run, group->mask, hit);
        // As a check is taken to hold, a way that aborts the kernel is taken not to come.
        if (i == last && !known) {
            if (run->engine->host)
                host_checked(run, group, hit);
            take_for_granted(run, group->mask, hit, true);
            group_goto(run, group, c->target);
            return;
        }
        if (!known && goes_on && facts_aborts(function, c->target))
            continue;
        const struct mask *yes = decide(run, group->mask, hit, true, site + i);
        if (yes->count == 0)
            continue;
        if (yes->count == group->mask->count) {
            group_goto(run, group, c->target);
            return;
        }
        parting_note(run, group, op, false, asked, yes);
        // The rest meets the switch again, which is where it stands.
        struct group *rest = join_part(run, group, yes, op, asked, false);
        frame_own(run, rest)->position = group->frame->position - 1;
        group_goto(run, group, c->target);
        return;
    }
    group_goto(run, group, op->target[0]);
}
