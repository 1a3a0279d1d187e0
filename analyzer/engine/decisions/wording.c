// What a decision says of the value that it is about, for people.
#include <inttypes.h>
#include <string.h>

#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/walk/walk.h"

void decision_say(struct run *run, const struct question *question, uint32_t outcome, int64_t least,
                  int64_t most, struct decision *decision)
{
    const struct node *form = decision->form = question->form;
    const struct bound *bound = bound_find(run, form);
    if (form->shape == SHAPE_VARYING) {
        decision->says = outcome == 2 ? SAYS_DIFFERS : SAYS_NOTHING;
    } else if (form->kind == NODE_EXPR && form->expr.bits == 1) {
        decision->says = SAYS_TRUTH;
        decision->number = bound->low >= 1;
    } else if (bound->low == bound->high) {
        decision->says = SAYS_IS;
        decision->number = bound->low;
    } else {
        decision->says = question->equality ? SAYS_IS_NOT
                         : outcome == 0     ? SAYS_BELOW
                                            : SAYS_AT_LEAST;
        decision->number = decision->says == SAYS_AT_LEAST ? most : least;
    }
}

// The one value in the form that is not known, without what is added to it and how often it is
// taken; the form where there are several.
static const struct node *without_numbers(const struct node *form)
{
    if (form->kind == NODE_LINEAR && form->linear.count == 1)
        return without_numbers(form->linear.term[0].atom);
    if (form->kind != NODE_EXPR || form->expr.op < IR_ADD || form->expr.op > IR_MUL)
        return form;
    for (int i = 0; i < 2; ++i) {
        const struct node *one = form->expr.argument[i];
        if (node_known(one) || (one->kind == NODE_EXPR && one->expr.op == IR_CONST))
            return without_numbers(form->expr.argument[1 - i]);
    }
    return form;
}

// Whom a run takes to have different values of the form.
static const char *who_differs(struct run *run, const struct node *form, bool exchanged)
{
    const struct bound *bound = bound_find(run, form);
    uint32_t size = run->engine->block_threads;
    bool blocks = run->engine->blocks > 1 && bound && bound->lane;
    for (uint32_t t = 1; t < run->masks->threads && blocks; ++t)
        blocks = t % size == 0 || bound->lane[t] == bound->lane[t - 1];
    return blocks ? "blocks" : exchanged ? "warps" : "threads";
}

// Whether the form reads better the other way round, as what it says is of a difference that is
// below 0, or of 0 less something.
static bool reads_turned(const struct decision *decision)
{
    const struct node *form = decision->form;
    int64_t number = decision->number, least = decision->says == SAYS_BELOW ? 1 : 0;
    if (decision->says < SAYS_IS || form->kind != NODE_LINEAR || number == INT64_MIN)
        return false;
    uint32_t less = 0;
    for (uint32_t i = 0; i < form->linear.count; ++i)
        less += form->linear.term[i].factor < 0;
    return less == form->linear.count || (less > 0 && number < least);
}

// What the decision says by the line of the branch that asks, where that is known: of a form that
// has no name.
static const char *text_by_line(struct run *run, const struct decision *decision)
{
    struct arena *arena = &run->arena;
    const char *says = "allows it", *what = "a condition of values without names";
    if (decision->says == SAYS_DIFFERS)
        says = arena_printf(
            arena, "differs between %s",
            who_differs(run, decision->form, node_is_exchanged(without_numbers(decision->form))));
    if (decision->line)
        what = arena_printf(arena, "the condition in line %" PRIu32, decision->line);
    return arena_printf(arena, "%s %s", what, says);
}

const char *decision_text(struct run *run, const struct decision *decision)
{
    static const char *const relation[] = {
        [SAYS_IS] = "is", [SAYS_IS_NOT] = "is not", [SAYS_BELOW] = "<", [SAYS_AT_LEAST] = ">="};
    struct arena *arena = &run->arena;
    enum saying says = decision->says;
    if (says == SAYS_NOTHING)
        return NULL;
    const struct node *form = decision->form;
    int64_t number = decision->number;
    if (says == SAYS_DIFFERS) {
        form = without_numbers(form);
    } else if (says != SAYS_TRUTH && reads_turned(decision)) {
        form = node_binary(run->nodes, IR_SUB, 64, true, run->nodes->zero, form);
        bool bounds = says == SAYS_BELOW || says == SAYS_AT_LEAST;
        number = bounds ? 1 - number : -number;
        if (bounds)
            says = says == SAYS_BELOW ? SAYS_AT_LEAST : SAYS_BELOW;
    }
    if (!node_has_name(arena, form))
        return text_by_line(run, decision);
    const char *text = node_text(arena, form);
    if (says == SAYS_DIFFERS)
        return arena_printf(arena, "'%s' differs between %s", text,
                            who_differs(run, decision->form, node_is_exchanged(form)));
    if (says == SAYS_TRUTH)
        return arena_printf(arena, "'%s' is %s", text, number ? "true" : "false");
    return arena_printf(arena, "'%s' %s %" PRId64, text, relation[says], number);
}
