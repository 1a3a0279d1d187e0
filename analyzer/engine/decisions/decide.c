// Decisions: what a run assumes about values that the sources leave open. A condition over a
// linear form of symbols narrows what is known of that form, so that every later condition over the
// same form, in whatever role, is answered the same way.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/walk/walk.h"

struct bound *bound_at(struct run *run, const struct node *form)
{
    int64_t low, high;
    interval_form(run, form, &low, &high, 0);
    struct bound *bound = bound_find(run, form);
    if (!bound)
        bound = bound_make(run, form);
    bound->low = low;
    bound->high = high;
    return bound;
}

int64_t question_threshold(const struct question *question, uint32_t thread)
{
    int64_t base = 0;
    node_lane(question->base, thread, &base);
    // equality: sign*form + base == 0  <=>  form == -base * sign
    // order:    sign*form + base > 0   <=>  form >= 1 - base, or not (form >= base) for sign < 0
    if (question->equality)
        return question->sign > 0 ? -base : base;
    return question->sign > 0 ? 1 - base : base;
}

bool question_of(struct run *run, const struct node *condition, struct question *out)
{
    *out = (struct question){0};
    const struct node *asked = condition;
    if (node_compares(condition)) {
        asked = condition->expr.argument[0];
        out->equality = condition->expr.op != NODE_OP_GT0;
        out->negated = condition->expr.op == NODE_OP_NE0;
    } else {
        out->equality = true;
        out->negated = true; // the condition holds when the value is not zero
    }
    if (asked->kind == NODE_ADDRESS || asked->kind == NODE_PIECES)
        return false;
    struct split split = split_of(run, asked);
    if (!split.form)
        return false;
    out->form = split.form;
    out->base = split.base;
    out->sign = split.sign;
    if (!out->equality && out->sign < 0)
        out->negated = true; // -form + base > 0 <=> form < base <=> not (form >= base)
    return true;
}

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_OPEN };

static enum answer answer_for(const struct bound *bound, const struct question *question,
                              uint32_t thread)
{
    int64_t at = question_threshold(question, thread);
    int64_t low = bound->lane ? bound->lane[thread] : bound->low;
    int64_t high = bound->lane ? bound->lane[thread] : bound->high;
    if (question->equality) {
        if (low == high)
            return low == at ? ANSWER_YES : ANSWER_NO;
        if (at < low || at > high)
            return ANSWER_NO;
        for (uint32_t i = 0; i < bound->excluded_count; ++i) {
            if (bound->excluded[i] == at)
                return ANSWER_NO;
        }
        return ANSWER_OPEN;
    }
    if (low >= at)
        return ANSWER_YES;
    return high < at ? ANSWER_NO : ANSWER_OPEN;
}

const struct node *known_answer(struct run *run, const struct node *condition)
{
    struct question question;
    if (!node_compares(condition) || !question_of(run, condition, &question))
        return NULL;
    struct bound *bound = bound_at(run, question.form);
    bool one = question.base->kind == NODE_CONST && !bound->lane;
    uint32_t threads = one ? 1 : run->masks->threads;
    int64_t *lane = arena_array(&run->arena, int64_t, threads);
    for (uint32_t t = 0; t < threads; ++t) {
        enum answer answer = answer_for(bound, &question, t);
        if (answer == ANSWER_OPEN)
            return NULL;
        lane[t] = (answer == ANSWER_YES) != question.negated;
    }
    return one ? node_const(run->nodes, lane[0]) : node_vector(run->nodes, lane);
}

// Sets `yes` to the threads where what is asked holds; returns whether some are open, with the
// least and greatest threshold of these.
static bool ask(struct run *run, const struct mask *mask, const struct question *question,
                const struct bound *bound, uint64_t *yes, int64_t *least, int64_t *most)
{
    bool open = false;
    memset(yes, 0, run->masks->words * sizeof *yes);
    if (question->base->kind == NODE_CONST && !bound->lane && mask->count) { // all ask the same
        enum answer answer = answer_for(bound, question, mask->first);
        if (answer == ANSWER_YES)
            memcpy(yes, mask->word, run->masks->words * sizeof *yes);
        *least = *most = question_threshold(question, mask->first);
        return answer == ANSWER_OPEN;
    }
    mask_each (run->masks, mask, t) {
        enum answer answer = answer_for(bound, question, t);
        if (answer == ANSWER_YES)
            yes[t / 64] |= UINT64_C(1) << (t % 64);
        if (answer != ANSWER_OPEN)
            continue;
        int64_t at = question_threshold(question, t);
        if (!open || at < *least)
            *least = at;
        if (!open || at > *most)
            *most = at;
        open = true;
    }
    return open;
}

static uint32_t choose(struct run *run, uint32_t alternatives, uint32_t chosen, uint64_t site)
{
    if (run->forced)
        alternatives = 1;
    struct decision decision = {
        .alternatives = alternatives, .chosen = chosen < alternatives ? chosen : 0, .site = site};
    arrput(run->decision, decision);
    return decision.chosen;
}

// Of the outcomes of a decision, 0 and 1 are "nowhere" and "everywhere" in the order asked for, the
// rest hold in some threads only.
enum outcome { NOWHERE, EVERYWHERE, PART = OUTCOME_PARTED, PART_WARPS };

enum { MOST_EXCLUDED = sizeof((struct bound *)0)->excluded / sizeof(int64_t) };

// The form is none of these numbers; of many, one value outside all of them stands for that.
static void exclude_all(struct bound *bound, int64_t least, int64_t most)
{
    if (most - least >= MOST_EXCLUDED) {
        bound->low = bound->high = most < bound->high ? most + 1 : least - 1;
        return;
    }
    for (int64_t at = least; at <= most; ++at) {
        if (at == bound->low)
            ++bound->low;
        else if (at == bound->high)
            --bound->high;
        else if (bound->excluded_count < MOST_EXCLUDED)
            bound->excluded[bound->excluded_count++] = at;
    }
}

// Notes what the arguments that the launch passes have to be for the outcome: of a part of the
// threads, any number that parts them. Later rounds of a loop ask how many there are: whatever lets
// them come is noted, not what ends them, as a run makes fewer than a program.
static void note_asked(struct run *run, const struct question *question, const struct bound *bound,
                       uint32_t outcome, int64_t least, int64_t most)
{
    struct bound asked = {.form = question->form, .low = INT64_MIN, .high = INT64_MAX};
    const struct launched_call *calls;
    if ((run->round && !run->asks_round && outcome < PART) || launched_calls(run, &calls) == 0)
        return;
    if (outcome >= PART || (question->equality && outcome == EVERYWHERE)) {
        asked.low = least;
        asked.high = question->equality ? most : most - 1;
    } else if (question->equality && most - least < MOST_EXCLUDED) {
        exclude_all(&asked, least, most);
    } else if (question->equality && most < bound->high) {
        asked.low = most + 1;
    } else if (outcome == EVERYWHERE) {
        asked.low = most;
    } else {
        asked.high = least - 1;
    }
    arrput(run->asked, asked);
}

// A number that the form is a multiple of with whatever the launches pass: 32 of
// n - 256 * blockIdx.x where n is 32 * rows.
static int64_t step_of_form(struct run *run, const struct node *form)
{
    int64_t all = 0;
    struct node_term one = {form, 1};
    const struct node_term *term = form->kind == NODE_LINEAR ? form->linear.term : &one;
    uint32_t count = form->kind == NODE_LINEAR ? form->linear.count : 1;
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t at = argument_at(term[i].atom);
        int64_t factor = at < ENGINE_ARGUMENTS ? launched_step(run, (uint32_t)at) : 1;
        all =
            __builtin_mul_overflow(factor, term[i].factor, &factor) ? 1 : common_step(all, factor);
    }
    return all;
}

// Whether the form can be a number from `least` on and below `most`, of those that the launches
// allow: no multiple of 64 parts 64 threads.
static bool lies_within(struct run *run, const struct question *question, int64_t least,
                        int64_t most)
{
    int64_t step = question->equality ? 1 : step_of_form(run, question->form);
    if (step < 2)
        return true;
    int64_t rest = (least % step + step) % step;
    return rest == 0 || step - rest < most - least;
}

// Whether the host can come to a launch where the form is a number from `low` to `high`.
static bool can_be_launched(struct run *run, const struct node *form, int64_t low, int64_t high)
{
    return launch_allows(run, &(struct bound){.form = form, .low = low, .high = high}, 1);
}

// The number, or where the host cannot come to a launch where the form is that, the next one that
// it can come to, from `least` on and below `most`; that one where none is near.
static int64_t number_launched(struct run *run, const struct node *form, int64_t number,
                               int64_t least, int64_t most)
{
    enum { NEAR = 16 };
    if (form->shape == SHAPE_VARYING || can_be_launched(run, form, number, number))
        return number;
    int64_t low = number - NEAR > least ? number - NEAR : least;
    int64_t high = number + NEAR < most ? number + NEAR : most - 1;
    if (!can_be_launched(run, form, low, high)) // each answer takes a search
        return number;
    for (int64_t away = 1; away <= NEAR; ++away) {
        if (number + away <= high && can_be_launched(run, form, number + away, number + away))
            return number + away;
        if (number - away >= low && can_be_launched(run, form, number - away, number - away))
            return number - away;
    }
    return number;
}

// A number from `least` on and below `most` that the form may be: one that a launch passes, else
// the multiple of what launches pass multiples of that is next to `number`; else that number, or
// one near it that the host can come to.
static int64_t number_within(struct run *run, const struct node *form, int64_t number,
                             int64_t least, int64_t most)
{
    int64_t passed;
    if (launched_number(run, argument_at(form), least, most, &passed))
        return passed;
    int64_t step = step_of_form(run, form);
    if (step < 2)
        return number_launched(run, form, number, least, most);
    int64_t below = number - (number % step + step) % step;
    if (below == number)
        return number;
    return below + step < most ? below + step : below >= least ? below : number;
}

// Narrows the bound by one of the outcomes.
static void settle(struct run *run, const struct mask *mask, const struct question *question,
                   struct bound *bound, uint32_t outcome, int64_t least, int64_t most)
{
    if (question->form->shape != SHAPE_VARYING)
        note_asked(run, question, bound, outcome, least, most);
    else if (outcome < PART && sample_choice(run, bound, question, mask, outcome == EVERYWHERE))
        return;
    switch (outcome) {
    case NOWHERE:
        if (!question->equality)
            bound->high = least - 1;
        else
            exclude_all(bound, least, most);
        break;
    case EVERYWHERE:
        // Of threads that ask for different numbers, the form is what one of them asks for.
        if (!question->equality)
            bound->low = most;
        else
            bound->low = bound->high =
                least == most ? least
                              : number_launched(run, question->form, least, least, most + 1);
        break;
    case PART: {
        int64_t middle = least + (most - least) / 2;
        // Of warps, an odd number: half of them are often all that a barrier counts.
        if (!question->equality && most - least < 32 && (middle | 1) < most)
            middle |= 1;
        if (question->form->shape == SHAPE_VARYING)
            sample_threads(run, bound, question, mask);
        else
            bound->low = bound->high = number_within(
                run, question->form, (middle % 32 == 0 && middle < most) ? middle + 1 : middle,
                least, most);
        break;
    }
    default: {
        int64_t middle = least + (most - least) / 2;
        int64_t whole = (middle + 31) / 32 * 32 - 1;
        bound->low = bound->high = number_within(
            run, question->form, whole > least && whole < most ? whole : middle, least, most);
        break;
    }
    }
}

// Whether a value can be any integer of its range, as far as its making says: a power of two, a
// square or a masked word cannot.
static bool takes_any_value(const struct node *node, int depth)
{
    if (depth > MAX_DEPTH)
        return false;
    if (node->kind == NODE_LINEAR) {
        // 16 * block - n is as free as n is: the other term moves in steps of 16.
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            const struct node_term *term = &node->linear.term[i];
            if ((term->factor == 1 || term->factor == -1) && takes_any_value(term->atom, depth + 1))
                return true;
        }
        return false;
    }
    if (node->kind == NODE_EXPR) {
        uint16_t op = node->expr.op;
        const struct node *const *argument = node->expr.argument;
        if (op == IR_MUL) // where the other factor is 1
            return argument[0] != argument[1] && takes_any_value(argument[0], depth + 1) &&
                   takes_any_value(argument[1], depth + 1);
        if (op == IR_MIN || op == IR_MAX) // whichever comes first in min(size, n)
            return takes_any_value(argument[0], depth + 1) ||
                   takes_any_value(argument[1], depth + 1);
        return op == NODE_OP_LOAD || op == NODE_OP_LANE ||
               ((op == IR_DIV || op == IR_CAST) && takes_any_value(argument[0], depth + 1));
    }
    return node->kind == NODE_ATOM;
}

// Whether the threads of a block all ask the same and only the blocks of a cluster do not: what is
// counted in blocks there comes in whole clusters, as a grid does.
static bool parts_clusters(struct run *run, const struct question *question)
{
    uint32_t size = run->engine->block_threads;
    if (run->engine->blocks == 1 || question->base->kind != NODE_VECTOR)
        return false;
    // The launch says that the last cluster may be in part.
    if (parting_is_rest(run, question->form))
        return false;
    for (uint32_t t = 1; t < run->masks->threads; ++t) {
        if (t % size && question->base->vector[t] != question->base->vector[t - 1])
            return false;
    }
    return true;
}

// What the run's way says about its next decision.
static uint32_t way_at(struct run *run, uint64_t site)
{
    const struct way *way = &run->way;
    size_t index = arrlenu(run->decision);
    if (index < way->count)
        return way->outcome[index];
    bool there = way->endures && way->place == site && !run->been_there;
    run->been_there |= there;
    return there ? way->there : 0;
}

// Which way the decision about the question goes, whose plain outcomes come in this order.
static uint32_t way_of(struct run *run, const struct mask *mask, const struct question *question,
                       bool first_yes, uint64_t site)
{
    if (!run->decided)
        return way_at(run, site);
    uint32_t there = follow_place(run, site);
    struct bound bound = {0};
    if (there >= PART || !follow_form(run, question->form, &bound))
        return there;
    enum answer answer = answer_for(&bound, question, mask->first);
    mask_each (run->masks, mask, t)
        answer = answer_for(&bound, question, t) == answer ? answer : ANSWER_OPEN;
    return answer == ANSWER_OPEN ? there : (answer == ANSWER_YES) != first_yes;
}

static const struct mask *decide_question(struct run *run, const struct mask *mask,
                                          const struct question *question, bool prefer,
                                          uint64_t site)
{
    uint64_t *yes = arena_array(&run->arena, uint64_t, run->masks->words);
    int64_t least = 0, most = 0;
    struct bound *bound = bound_at(run, question->form);
    if (ask(run, mask, question, bound, yes, &least, &most)) {
        bool varying = question->form->shape == SHAPE_VARYING;
        bool parts = varying || (least != most && question->form->shape != SHAPE_UNKNOWN &&
                                 lies_within(run, question, least, most));
        uint32_t alternatives = !parts ? 2 : varying ? 3 : question->equality ? 2 : 4;
        // Outcome 0 holds nowhere; the caller says which of the two plain ones comes first.
        bool first_yes = prefer != question->negated;
        uint32_t chosen =
            choose(run, alternatives, way_of(run, mask, question, first_yes, site), site);
        uint32_t outcome = chosen;
        if (chosen < 2 && first_yes)
            outcome = 1 - chosen;
        walk_begin(run);
        // Of a kernel that nothing here launches nobody knows how its sizes fit its block.
        const struct engine_shape *shape = &run->engine->shape;
        bool alone = shape->source == ENGINE_SHAPE_GUESS && !shape->launcher;
        bool guessed = outcome > 1 && (varying ? !made_to_differ(run, question->form) : alone);
        // Threads part over a template's parameter where a value is chosen that no instantiation
        // is known to give.
        struct makings makings = {0};
        walk_begin(run);
        made_of(run, question->form, &makings);
        // What is decided of an expression too deep to look into may contradict what is decided of
        // its parts.
        makings.deep = makings.deep && !has_open_part(run, question->form);
        note_decided(run, question->form);
        bool weak = question->form->shape == SHAPE_UNKNOWN || guessed || makings.deep ||
                    (outcome > 1 && (makings.parameter || (question->form->shape == SHAPE_UNIFORM &&
                                                           (!takes_any_value(question->form, 0) ||
                                                            parts_clusters(run, question)))));
        settle(run, mask, question, bound, outcome, least, most);
        memo_changed(run, question->form);
        if (!bound->lane)
            narrow_all(run, question->form);
        narrow_shared(run, mask, question->form);
        struct decision *decision = &run->decision[arrlen(run->decision) - 1];
        decision->common = least == most && mask->count > 1;
        decision_say(run, question, outcome, least, most, decision);
        if (weak)
            decision_is_weak(run, decision);
        decision->deep = makings.deep;
        decision->free = question->form->shape == SHAPE_UNKNOWN && !makings.deep;
        const struct node *symbol = NULL;
        walk_begin(run);
        // Not where it would end before it begins.
        bound = bound_at(run, question->form);
        decision->row = spans_row(run, question->form) && bound->low <= 0 && bound->high >= 0;
        decision->pair = !decision->row && made_of_symbols(run, question->form, &symbol) > 1;
        decision->whole = counts_whole(question->form);
        ask(run, mask, question, bound_at(run, question->form), yes, &least, &most);
        if (parts_blocks_in_turn(run, mask, question, mask_from_words(run->masks, yes), decision))
            decision_is_weak(run, decision);
    }
    const struct mask *holds = mask_from_words(run->masks, yes);
    return question->negated ? mask_minus(run->masks, mask, holds) : holds;
}

// Of a value that differs between threads: something that is one of two numbers for all of them and
// that it is a multiple of, as `active * (n + i)` is; NULL where there is none.
static const struct node *open_factor(struct run *run, const struct node *node, int depth)
{
    if (!node || depth > 4 || node->shape == SHAPE_UNIFORM)
        return NULL;
    if (node->kind == NODE_EXPR && node->expr.op == IR_MUL) {
        for (uint32_t i = 0; i < 2; ++i) {
            const struct node *factor = node->expr.argument[i];
            int64_t low, high;
            interval_of(run, factor, &low, &high);
            if (factor->shape == SHAPE_UNIFORM && low > INT64_MIN && high == low + 1)
                return factor;
        }
    }
    const struct node *found = NULL;
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS && !found; ++i)
        found = open_factor(run, node->expr.argument[i], depth + 1);
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count && !found; ++i)
        found = open_factor(run, node->linear.term[i].atom, depth + 1);
    return found;
}

// Of a number that is a constant on one of two ways, `first != 0 ? 0 : n`: the choice between them,
// where it is the same for all threads and still open.
static const struct node *open_choice(const struct node *condition)
{
    const struct node *asked = condition->kind == NODE_EXPR ? condition->expr.argument[0] : NULL;
    if (!asked || condition->expr.op != NODE_OP_GT0)
        return NULL;
    for (uint32_t i = 0; i == 0 || (asked->kind == NODE_LINEAR && i < asked->linear.count); ++i) {
        const struct node *one = asked->kind == NODE_LINEAR ? asked->linear.term[i].atom : asked;
        if (one->kind == NODE_EXPR && one->expr.op == NODE_OP_MERGE &&
            one->expr.argument[0]->shape == SHAPE_UNIFORM &&
            one->expr.argument[1]->kind == NODE_CONST && one->expr.argument[2]->kind != NODE_CONST)
            return one->expr.argument[0];
    }
    return NULL;
}

void decision_is_weak(struct run *run, struct decision *decision)
{
    run->weak_decisions += !decision->weak;
    decision->weak = true;
}

// Takes a decision about a part of a condition, which does not say how many rounds a loop has.
static void decide_part(struct run *run, const struct mask *mask, const struct node *part,
                        bool prefer, uint64_t site)
{
    bool asks_round = run->asks_round;
    run->asks_round = false;
    decide(run, mask, part, prefer, site);
    run->asks_round = asks_round;
}

const struct mask *decide(struct run *run, const struct mask *mask, const struct node *condition,
                          bool prefer, uint64_t site)
{
    condition = resolve(run, condition);
    const struct node *choice = mask->count ? open_choice(condition) : NULL;
    if (choice) {
        decide_part(run, mask, choice, false, site);
        condition = resolve(run, condition);
    }
    // The factor first: with it known, what the threads ask may be the same.
    const struct node *factor = mask->count ? open_factor(run, condition, 0) : NULL;
    if (factor) {
        int64_t low, high;
        interval_of(run, factor, &low, &high);
        decide_part(run, mask,
                    node_binary(run->nodes, IR_GT, 64, true, factor, node_const(run->nodes, low)),
                    true, site);
        condition = resolve(run, condition);
    }
    if (condition->kind == NODE_PIECES) {
        const struct mask *holds = run->masks->none;
        for (uint32_t i = 0; i < condition->pieces.count; ++i) {
            const struct mask *part = mask_and(run->masks, mask, condition->pieces.piece[i].mask);
            if (part->count)
                holds = mask_or(run->masks, holds,
                                decide(run, part, condition->pieces.piece[i].value, prefer, site));
        }
        return holds;
    }
    if (condition->kind == NODE_CONST)
        return condition->value ? mask : run->masks->none;
    if (condition->kind == NODE_VECTOR) {
        struct mask_builder yes;
        mask_builder_clear(run->masks, &yes);
        mask_each (run->masks, mask, t) {
            if (condition->vector[t])
                mask_builder_add(&yes, t);
        }
        return mask_builder_end(run->masks, &yes);
    }
    if (condition->kind == NODE_ADDRESS)
        return mask;
    if (condition->kind == NODE_EXPR && condition->expr.bits == 1) {
        const struct node *a = condition->expr.argument[0], *b = condition->expr.argument[1];
        if (condition->expr.op == IR_AND)
            return decide(run, decide(run, mask, a, prefer, site), b, prefer, site);
        if (condition->expr.op == IR_OR) {
            const struct mask *first = decide(run, mask, a, prefer, site);
            const struct mask *rest = mask_minus(run->masks, mask, first);
            return rest->count == 0
                       ? first
                       : mask_or(run->masks, first, decide(run, rest, b, prefer, site));
        }
        if (condition->expr.op == IR_NOT)
            return mask_minus(run->masks, mask, decide(run, mask, a, !prefer, site));
    }
    if (mask->count == 0)
        return mask;
    struct question question;
    if (!question_of(run, condition, &question))
        return mask;
    return decide_question(run, mask, &question, prefer, site);
}

void take_for_granted(struct run *run, const struct mask *mask, const struct node *condition,
                      bool holds)
{
    condition = resolve(run, condition);
    if (condition->kind == NODE_EXPR && condition->expr.bits == 1) {
        const struct node *const *argument = condition->expr.argument;
        uint16_t op = condition->expr.op;
        if (op == IR_NOT)
            take_for_granted(run, mask, argument[0], !holds);
        for (uint32_t i = 0; i < 2 && op == (holds ? IR_AND : IR_OR); ++i)
            take_for_granted(run, mask, argument[i], holds);
    }
    struct question question;
    if (condition->kind != NODE_EXPR || !question_of(run, condition, &question) ||
        question.form->shape == SHAPE_UNKNOWN)
        return;
    uint64_t *yes = arena_array(&run->arena, uint64_t, run->masks->words);
    int64_t least = 0, most = 0;
    struct bound *bound = bound_at(run, question.form);
    if (question.base->kind != NODE_CONST || bound->lane ||
        !ask(run, mask, &question, bound, yes, &least, &most))
        return;
    settle(run, mask, &question, bound, holds != question.negated ? EVERYWHERE : NOWHERE, least,
           most);
    memo_changed(run, question.form);
    narrow_all(run, question.form);
    run->feasible_at = 0;
}

bool decided(struct run *run, const struct mask *mask, const struct node *condition)
{
    condition = resolve(run, condition);
    if (node_known(condition) || condition->kind == NODE_ADDRESS || mask->count == 0)
        return true;
    if (condition->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < condition->pieces.count; ++i) {
            const struct mask *part = mask_and(run->masks, mask, condition->pieces.piece[i].mask);
            if (!decided(run, part, condition->pieces.piece[i].value))
                return false;
        }
        return true;
    }
    if (condition->kind == NODE_EXPR && condition->expr.bits == 1 &&
        (condition->expr.op == IR_AND || condition->expr.op == IR_OR ||
         condition->expr.op == IR_NOT)) {
        for (uint32_t i = 0; i < 2 && condition->expr.argument[i]; ++i) {
            if (!decided(run, mask, condition->expr.argument[i]))
                return false;
        }
        return true;
    }
    struct question question;
    if (!question_of(run, condition, &question))
        return true;
    uint64_t *yes = arena_array(&run->arena, uint64_t, run->masks->words);
    int64_t least, most;
    return !ask(run, mask, &question, bound_at(run, question.form), yes, &least, &most);
}
