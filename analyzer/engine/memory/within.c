// The conditions that nobody has decided and that an access stands under. Where each of them is a
// bound of what threads work on (`i < n`, with the same `n` for all of them), or the same for all
// threads, it can be told for two accesses whether there is an `n` with which both are made, and
// which.
#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/walk/walk.h"

enum {
    MOST_SPANS = 16,   // forms that the conditions of two accesses are about
    MOST_COMMON = 12,  // conditions that are the same for all threads
    MOST_REFUSALS = 8, // searches in vain for what a launch passes, for two accesses
    EARLY = 1,
    LATE = 2,
};

// What the conditions ask of a form.
struct span {
    const struct node *form;
    int64_t low, high;
    bool asked_low, asked_high, asked_not;
    int64_t excluded; // where asked_not
};

struct spans {
    struct span span[MOST_SPANS];
    uint32_t count;
    // Conditions that are the same for all threads, or for the two, and which of the two accesses
    // they are about.
    const struct node *common[MOST_COMMON];
    uint32_t side[MOST_COMMON], commons;
    uint32_t now;   // the access that is looked at
    uint32_t other; // the thread of the other one
};

const struct node *arms_condition(const struct arms *arms)
{
    const struct node *condition = arms->condition;
    if (arms->loop != IR_NONE && condition->kind == NODE_EXPR &&
        condition->expr.op == NODE_OP_CALL && condition->expr.argument[0])
        return condition->expr.argument[0];
    return condition;
}

// Whether all that the number is made of is given to the kernel or lies in its memory, and is not
// what threads tell each other while they go on; `named`: a reader knows it by its name.
static bool is_given(struct run *run, const struct node *node, bool *named)
{
    if (!node || node_known(node) || !walk_visit(run, node))
        return true;
    if (node->kind == NODE_ATOM) {
        *named &= node->atom.name && node->atom.key >> 63 == 0;
        return node->atom.key >> 60 != 0 || node_is_parameter(node);
    }
    bool given = node->kind == NODE_EXPR || node->kind == NODE_LINEAR || node->kind == NODE_ADDRESS;
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i)
        given &= is_given(run, node->linear.term[i].atom, named);
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS; ++i)
        given &= is_given(run, node->expr.argument[i], named);
    if (node->kind == NODE_EXPR && (node->expr.op == NODE_OP_LOAD || node->expr.op == NODE_OP_CALL))
        *named = false;
    return given;
}

// Whether one lane has told its warp the number, as that of what all of them have put into a list.
static bool is_told(const struct node *form)
{
    return form->kind == NODE_EXPR && form->expr.op == NODE_OP_LANE;
}

static bool is_conjunction(const struct node *condition)
{
    return condition->kind == NODE_EXPR && condition->expr.op == IR_AND &&
           condition->expr.bits == 1;
}

// Whether the condition is that a thread has the number that the form is.
static bool chooses_one(const struct question *question)
{
    return question->equality && !question->negated && question->base->kind == NODE_VECTOR;
}

// Whether a loop goes on up to a number that threads share with some others, as those of a warp do
// where each warp has a row of its own: it is the same for those threads then.
static bool is_bound_of_some(struct run *run, const struct node *condition, bool loop)
{
    struct question question;
    return loop && condition->shape != SHAPE_UNIFORM && question_of(run, condition, &question) &&
           question.base->kind == NODE_VECTOR && parting_is_by_data(run, question.form);
}

// Whether the condition compares a number that threads have one each, or that a loop counts, with
// one that is the same for all of them, or for some.
static bool is_bound(struct run *run, const struct node *condition, bool loop)
{
    if (node_known(condition))
        return true;
    if (condition->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < condition->pieces.count; ++i) {
            if (!is_bound(run, condition->pieces.piece[i].value, loop))
                return false;
        }
        return true;
    }
    if (is_conjunction(condition))
        return is_bound(run, condition->expr.argument[0], loop) &&
               is_bound(run, condition->expr.argument[1], loop);
    struct question question;
    if (!question_of(run, condition, &question))
        return false;
    bool named = true, bound = condition->kind == NODE_EXPR && condition->expr.op == NODE_OP_GT0;
    walk_begin(run);
    if (question.form->shape == SHAPE_UNIFORM)
        return (is_given(run, question.form, &named) || (loop && is_told(question.form))) &&
               (bound ? loop || question.base->kind == NODE_VECTOR ||
                            condition->shape == SHAPE_UNIFORM
                      : !loop && (condition->shape == SHAPE_UNIFORM ||
                                  (named && chooses_one(&question))));
    return bound && (parting_is_bound(run, condition) || is_bound_of_some(run, condition, loop));
}

// Whether the condition says which of two words of the object is the larger, as one does before
// they are exchanged: it may hold for any thread, whatever it is for others.
static bool compares_words(struct run *run, const struct node *condition, uint32_t object)
{
    struct question question;
    if (is_conjunction(condition))
        return (is_bound(run, condition->expr.argument[0], false) ||
                compares_words(run, condition->expr.argument[0], object)) &&
               compares_words(run, condition->expr.argument[1], object);
    if (condition->kind != NODE_EXPR || condition->expr.op != NODE_OP_GT0 ||
        condition->shape == SHAPE_UNIFORM || !question_of(run, condition, &question) ||
        question.form->kind != NODE_LINEAR || question.form->linear.count != 2)
        return false;
    for (uint32_t i = 0; i < 2; ++i) {
        const struct node *word = question.form->linear.term[i].atom;
        const struct node *address = word->kind == NODE_EXPR && word->expr.op == NODE_OP_LOAD
                                         ? word->expr.argument[0]
                                         : NULL;
        if (!address || address->kind != NODE_ADDRESS || address->address.object != object)
            return false;
    }
    return question.form->linear.term[0].factor == -question.form->linear.term[1].factor;
}

// Whether the condition asks each thread what its data are, and nothing else that may keep threads
// from going to the places of others.
static bool is_looked_for(struct run *run, const struct node *condition)
{
    if (is_conjunction(condition)) {
        const struct node *const *both = condition->expr.argument;
        return (is_bound(run, both[0], false) || is_looked_for(run, both[0])) &&
               (is_bound(run, both[1], false) || is_looked_for(run, both[1]));
    }
    return condition->shape != SHAPE_UNIFORM && parting_is_by_data(run, condition);
}

// Whether the condition may hold for the thread where the value, the same for all threads, is that
// number.
static bool may_hold_at(struct run *run, const struct node *condition, uint32_t thread,
                        const struct node *value, int64_t number)
{
    condition = resolve(run, condition);
    if (is_conjunction(condition))
        return may_hold_at(run, condition->expr.argument[0], thread, value, number) &&
               may_hold_at(run, condition->expr.argument[1], thread, value, number);
    struct question question;
    if (!question_of(run, condition, &question) || question.form != value)
        return true;
    int64_t at = question_threshold(&question, thread);
    bool holds = question.equality ? number == at : number >= at;
    return holds != question.negated;
}

bool within_allows(struct run *run, const struct arms *arms, uint32_t thread,
                   const struct node *value, int64_t number)
{
    for (; arms; arms = arms->outer) {
        if (!may_hold_at(run, arms_condition(arms), thread, value, number))
            return false;
    }
    return true;
}

bool within_found(struct run *run, const struct arms *arms)
{
    for (; arms; arms = arms->outer) {
        if (is_bound(run, arms_condition(arms), arms->loop != IR_NONE))
            continue;
        if (arms->loop != IR_NONE || !is_looked_for(run, arms->condition))
            return false;
    }
    return true;
}

// Whether the number is made of nothing that threads of the block tell each other.
static bool is_brought(struct run *run, const struct node *node)
{
    if (!node || node_known(node) || !walk_visit(run, node))
        return true;
    bool brought = true;
    switch (node->kind) {
    case NODE_ATOM:
        return node->atom.key >> 60 != 0 && !node->undefined;
    case NODE_ADDRESS:
        return run->object[node->address.object].kind == OBJECT_GLOBAL ||
               run->object[node->address.object].kind == OBJECT_PARAM;
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count; ++i)
            brought &= is_brought(run, node->linear.term[i].atom);
        return brought;
    case NODE_EXPR:
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i)
            brought &= is_brought(run, node->expr.argument[i]);
        return brought;
    default:
        return false;
    }
}

bool within_brought(struct run *run, const struct arms *arms)
{
    for (; arms; arms = arms->outer) {
        walk_begin(run);
        if (arms->loop != IR_NONE || !is_brought(run, arms->condition))
            return false;
    }
    return true;
}

bool within_bounds(struct run *run, const struct arms *arms, uint32_t object, bool counts)
{
    for (; arms; arms = arms->outer) {
        // What threads look for is there somewhere.
        if (counts && arms->condition->shape != SHAPE_UNIFORM)
            continue;
        if (arms->loop == IR_NONE && compares_words(run, arms->condition, object))
            continue;
        if (!is_bound(run, arms_condition(arms), arms->loop != IR_NONE))
            return false;
    }
    return true;
}

static bool span_add(struct run *run, struct spans *spans, const struct question *question,
                     uint32_t thread)
{
    uint32_t i = 0;
    while (i < spans->count && spans->span[i].form != question->form)
        ++i;
    if (i == MOST_SPANS)
        return true;
    struct span *span = &spans->span[i];
    if (i == spans->count) {
        *span = (struct span){.form = question->form};
        interval_of(run, question->form, &span->low, &span->high);
        ++spans->count;
    }
    int64_t at = question_threshold(question, thread);
    if (question->equality && question->negated) {
        span->asked_not = true;
        span->excluded = at;
    } else if (question->equality) {
        span->low = at > span->low ? at : span->low;
        span->high = at < span->high ? at : span->high;
        span->asked_low = true;
    } else if (question->negated) {
        span->high = at - 1 < span->high ? at - 1 : span->high;
        span->asked_high = true;
    } else {
        span->low = at > span->low ? at : span->low;
        span->asked_low = true;
    }
    bool is_excluded = span->asked_not && span->low == span->high && span->low == span->excluded;
    return span->low <= span->high && !is_excluded;
}

// Notes a condition that is the same for all threads.
static void common_add(struct spans *spans, const struct node *condition)
{
    uint32_t i = 0;
    while (i < spans->commons && spans->common[i] != condition)
        ++i;
    if (i == MOST_COMMON)
        return;
    spans->commons += i == spans->commons;
    spans->common[i] = condition;
    spans->side[i] |= spans->now;
}

// Whether the bound is one that low numbers meet, as in `i < n`, and not those behind it.
static bool is_upper(const struct run *run, const struct question *question)
{
    int64_t last = 0;
    node_lane(question->base, run->engine->block_threads - 1, &last);
    return question->base->kind == NODE_CONST ? last <= 1 : last <= 0;
}

// Whether the condition is about the number of the block alone and the first one, which every
// launch has, meets it for the thread: as in `i < 1000`, of all the work that there is.
static bool holds_in_first(const struct question *question, uint32_t thread)
{
    const struct node *form = question->form;
    bool linear = form->kind == NODE_LINEAR;
    for (uint32_t i = 0; i < (linear ? form->linear.count : 1); ++i) {
        if (!special_is_block_index(linear ? form->linear.term[i].atom : form))
            return false;
    }
    int64_t at = question_threshold(question, thread);
    return (question->equality ? at == 0 : at <= 0) != question->negated;
}

// Whether the condition says that the thread's share of the work begins before its end, as in
// `i * share < n`: low numbers meet it, too.
static bool begins_before(const struct node *condition)
{
    const struct node *left = condition->kind == NODE_EXPR && condition->expr.op == NODE_OP_GT0
                                  ? condition->expr.argument[0]
                                  : NULL;
    bool end = false, begin = false;
    if (!left || left->kind != NODE_LINEAR || left->linear.base->kind != NODE_CONST)
        return false;
    for (uint32_t i = 0; i < left->linear.count; ++i) {
        const struct node *atom = left->linear.term[i].atom;
        bool product = atom->kind == NODE_EXPR && atom->expr.op == IR_MUL;
        if (atom->shape == SHAPE_UNIFORM)
            end |= left->linear.term[i].factor > 0;
        else if (product && left->linear.term[i].factor < 0 &&
                 node_known(atom->expr.argument[0]) != node_known(atom->expr.argument[1]))
            begin = true;
        else
            return false;
    }
    return begin && end;
}

// Whether the value is the same for both threads, whatever it is: they are of one warp, say, and
// its number is what it is made of.
static bool is_same_for(struct run *run, const struct node *node, uint32_t a, uint32_t b)
{
    return made_alike(run, node, mask_one(run->masks, a), b, 1);
}

// Whether what the arms ask is the same for all threads that come to them.
static bool asks_all_alike(const struct run *run, const struct arms *arms,
                           const struct question *question)
{
    int64_t same;
    return question->form->shape == SHAPE_UNIFORM &&
           node_is_const(question->base, arms->mask, run->masks, &same);
}

// Whether the condition, of these arms, may hold for the thread beside all that the spans say.
// `ordinary` is cleared where it takes another number than a large one.
static bool may_hold(struct run *run, struct spans *spans, const struct node *condition,
                     const struct arms *arms, uint32_t thread, bool *ordinary)
{
    bool loop = arms->loop != IR_NONE;
    int64_t known;
    condition = resolve(run, condition);
    for (uint32_t i = 0; condition->kind == NODE_PIECES && i < condition->pieces.count; ++i) {
        if (mask_has(condition->pieces.piece[i].mask, thread))
            return may_hold(run, spans, condition->pieces.piece[i].value, arms, thread, ordinary);
    }
    if (node_lane(condition, thread, &known))
        return known != 0;
    if (is_conjunction(condition))
        return may_hold(run, spans, condition->expr.argument[0], arms, thread, ordinary) &&
               may_hold(run, spans, condition->expr.argument[1], arms, thread, ordinary);
    struct question question;
    if (!question_of(run, condition, &question) || question.form->shape != SHAPE_UNIFORM) {
        if (is_bound_of_some(run, condition, loop) &&
            !is_same_for(run, question.form, thread, spans->other))
            return false;
        bool same = !loop && is_same_for(run, condition, thread, spans->other);
        if (same)
            common_add(spans, condition);
        // Else what threads look for.
        *ordinary &= same || begins_before(condition) || !parting_is_bound(run, condition);
        return true;
    }
    // How often a loop is gone round that a size ends makes a difference; data end it when they do.
    if (asks_all_alike(run, arms, &question) && (!loop || parting_is_by_data(run, condition)))
        common_add(spans, condition);
    else
        *ordinary &= chooses_one(&question) || holds_in_first(&question, thread) ||
                     (!question.equality && is_upper(run, &question));
    return span_add(run, spans, &question, thread);
}

static bool may_be_there(struct run *run, struct spans *spans, const struct arms *arms,
                         uint32_t thread, bool *ordinary)
{
    for (; arms; arms = arms->outer) {
        if (!may_hold(run, spans, arms_condition(arms), arms, thread, ordinary))
            return false;
    }
    return true;
}

static const char *words_of(struct run *run, const struct spans *spans)
{
    struct arena *arena = run->engine->arena;
    const char *text = NULL;
    for (uint32_t i = 0; i < spans->count; ++i) {
        const struct span *span = &spans->span[i];
        const char *form = node_text(arena, span->form);
        const char *one = NULL;
        bool named = true;
        walk_begin(run);
        is_given(run, span->form, &named);
        int64_t low, high;
        interval_of(run, span->form, &low, &high);
        if (!named || !node_has_name(arena, span->form))
            one = ENGINE_DATA_ALLOW;
        else if (low == 0 && high == 1)
            one = arena_printf(
                arena, "'%s' is %s", form,
                span->low == 1 || (span->asked_not && span->excluded == 0) ? "true" : "false");
        else if (span->asked_not && !span->asked_low && !span->asked_high)
            one = arena_printf(arena, "'%s' is not %" PRId64, form, span->excluded);
        else if (span->low == span->high)
            one = arena_printf(arena, "'%s' is %" PRId64, form, span->low);
        else if (span->asked_low && span->asked_high)
            one =
                arena_printf(arena, "'%s' is %" PRId64 " to %" PRId64, form, span->low, span->high);
        else if (span->asked_low)
            one = arena_printf(arena, "'%s' > %" PRId64, form, span->low - 1);
        else
            one = arena_printf(arena, "'%s' < %" PRId64, form, span->high + 1);
        if (!text || !strstr(text, one))
            text = text ? arena_printf(arena, "%s and %s", text, one) : one;
    }
    return text;
}

// Whether the launch passes arguments with which all of it is true.
static bool is_launched(struct run *run, const struct spans *spans)
{
    struct bound asked[MOST_SPANS] = {0};
    for (uint32_t i = 0; i < spans->count; ++i) {
        const struct span *span = &spans->span[i];
        asked[i].form = span->form;
        asked[i].low = span->low;
        asked[i].high = span->high;
        asked[i].excluded_count = span->asked_not;
        asked[i].excluded[0] = span->excluded;
    }
    return launch_allows(run, asked, spans->count);
}

bool within_both(struct run *run, const struct arms *early, uint32_t a, const struct arms *late,
                 uint32_t b, bool *ordinary, const char **needs)
{
    struct spans spans = {.now = EARLY, .other = b};
    *ordinary = true;
    if (!may_be_there(run, &spans, early, a, ordinary))
        return false;
    spans.now = LATE;
    spans.other = a;
    if (!may_be_there(run, &spans, late, b, ordinary))
        return false;
    // Whatever stands under a condition is there to be executed; under two, perhaps never both.
    uint32_t alone = 0;
    for (uint32_t i = 0; i < spans.commons; ++i)
        alone |= spans.side[i] == (EARLY | LATE) ? 0 : spans.side[i];
    uint32_t *refusals = &run->machines->refusals;
    *ordinary = *ordinary && alone != (EARLY | LATE) && *refusals < MOST_REFUSALS;
    if (*ordinary && !is_launched(run, &spans)) {
        ++*refusals;
        *ordinary = false;
    }
    if (needs)
        *needs = words_of(run, &spans);
    return true;
}
