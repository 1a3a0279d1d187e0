// Places that a size says, as in total = sums[n - 1], beside places that threads have one each:
// with one size or another it is what a thread of another warp has stored there, or stores next. So
// it is with the last elements that a loop up to a size goes through, of which the first is looked
// at alone.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/walk.h"

enum { MOST_TRIED = 4 }; // elements, of a warp each

const struct node *sized_number(struct run *run, const struct node *form, int64_t size)
{
    struct node_pool *pool = run->nodes;
    const struct node *number = pool->zero;
    const struct node_term whole = {form, 1}, *term = &whole;
    uint32_t count = 1;
    if (form->kind == NODE_LINEAR) {
        term = form->linear.term;
        count = form->linear.count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (term[i].factor % size)
            return NULL;
        const struct node *times = node_const(pool, term[i].factor / size);
        number = node_binary(pool, IR_ADD, 64, true, number,
                             node_binary(pool, IR_MUL, 64, true, term[i].atom, times));
    }
    return number;
}

const struct arms *sized_arms(struct run *run, const struct access *access,
                              const struct node *number, int64_t element)
{
    struct node_pool *pool = run->nodes;
    return arms_with(run, access->arms, access->mask,
                     node_binary(pool, IR_EQ, 64, true, number, node_const(pool, element)));
}

// How many elements the reader's place is beyond what is known of it, where it is one place for all
// that read it and nothing but a size makes it unknown; else NULL. The array itself may begin
// behind one of which nobody knows the size.
static const struct node *sized(struct run *run, const struct access *read,
                                const struct access *store)
{
    int64_t at = 0;
    if (!read->form || read->choice.step || read->kind != RACE_READ || read->in_grid ||
        !node_is_const(read->offset, read->mask, run->masks, &at))
        return NULL;
    const struct node *form = read->form;
    if (store->form)
        form = node_binary(run->nodes, IR_SUB, 64, true, form, store->form);
    const struct node *number = sized_number(run, form, read->size);
    return number && !node_known(number) && !parting_is_by_data(run, number) ? number : NULL;
}

// Whether each thread stores to a place of its own.
static bool is_of_each(const struct run *run, const struct access *store)
{
    int64_t before = INT64_MIN, at = 0;
    if (store->choice.step || store->kind != RACE_WRITE)
        return false;
    mask_each (run->masks, store->mask, t) {
        node_lane(store->offset, t, &at);
        if (at < before + store->size)
            return false;
        before = at;
    }
    return store->mask->count > 1;
}

static bool is_one_array(const struct array *a, const struct array *b)
{
    return a->base && a->base == b->base && a->member == b->member && a->part == b->part;
}

// Whether the element is of the part of the array that the reader indexes: no size leads from one
// row into the next.
static bool is_within_part(const struct access *read, int64_t place)
{
    const struct array *array = &read->choice.array;
    int64_t begin = 0;
    return !array->part || (array->begin->kind == NODE_ADDRESS &&
                            node_lane(array->begin->address.offset, read->mask->first, &begin) &&
                            place >= begin && place < begin + array->part);
}

// Whether a thread of another warp reads what the owner stores, under all that both stand under.
static bool reads_of(struct run *run, const struct access *early, const struct access *late,
                     const struct access *read, uint32_t owner, struct pair *pair)
{
    uint32_t tried = owner / 32;
    mask_each (run->masks, read->mask, t) {
        if (t / 32 == tried)
            continue;
        tried = t / 32;
        struct pair found = {0};
        races_pair_up(run, early, late, read == late ? owner : t, read == late ? t : owner, &found);
        if (found.rank && found.ordinary) {
            *pair = found;
            return true;
        }
    }
    return false;
}

// Tries elements that threads of one warp after the other have, those of the first one last: a size
// of nothing is a poor example.
static bool meets_one(struct run *run, struct access *early, struct access *late,
                      const struct node *number, bool first, struct pair *pair)
{
    struct access *read = late->kind == RACE_READ ? late : early;
    const struct access *store = read == late ? early : late;
    const struct arms *arms = read->arms;
    int64_t at = 0, place = 0;
    uint32_t warp = UINT32_MAX, tried = 0;
    node_lane(read->offset, read->mask->first, &at);
    mask_each (run->masks, store->mask, owner) {
        if ((owner < 32) != first || owner / 32 == warp || tried++ >= MOST_TRIED)
            continue;
        warp = owner / 32;
        node_lane(store->offset, owner, &place);
        if ((place - at) % read->size || !is_within_part(read, place))
            continue;
        read->arms = arms;
        read->arms = sized_arms(run, read, number, (place - at) / read->size);
        if (within_bounds(run, read->arms, read->object, false) &&
            reads_of(run, early, late, read, owner, pair))
            return true;
    }
    read->arms = arms;
    return false;
}

bool sized_meet(struct run *run, struct access *early, struct access *late, struct pair *pair)
{
    const struct access *read = late->kind == RACE_READ ? late : early;
    const struct access *store = read == late ? early : late;
    *pair = (struct pair){0};
    if (!is_one_array(&read->choice.array, &store->choice.array) || read->size != store->size ||
        !is_of_each(run, store))
        return false;
    const struct node *number = sized(run, read, store);
    return number && (meets_one(run, early, late, number, false, pair) ||
                      meets_one(run, early, late, number, true, pair));
}

// The variable that the number is loaded from; -1: it is another number.
static int64_t variable_of(const struct ir_function *function, ir_value number)
{
    const struct ir_op *op = ir_op_at(function, number);
    while (op && op->code == IR_CAST)
        op = ir_op_at(function, ir_operand(function, op, 0));
    const struct ir_op *from =
        op && op->code == IR_LOAD ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
    return from && from->code == IR_LOCAL ? from->imm : -1;
}

// By how much the variable grows at the one place where it does; 0: it is stored to elsewhere too,
// but for its first value.
static int64_t step_of(const struct ir_function *function, int64_t variable)
{
    int64_t step = 0;
    uint32_t stores = 0;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *store = &function->op[i];
        if (store->code != IR_STORE)
            continue;
        const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
        if (to->code != IR_LOCAL || to->imm != variable)
            continue;
        ++stores;
        const struct ir_op *sum = ir_op_at(function, ir_operand(function, store, 1));
        if (sum->code != IR_ADD || variable_of(function, ir_operand(function, sum, 0)) != variable)
            continue;
        const struct ir_op *by = ir_op_at(function, ir_operand(function, sum, 1));
        step = by->code == IR_CONST ? by->imm : 0;
    }
    return stores == 2 && step > 0 ? step : 0;
}

struct counter sized_counter(struct run *run, const struct group *group, ir_value where)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    const struct arms *loop = group->arms;
    while (loop && loop->loop == IR_NONE)
        loop = loop->outer;
    const struct ir_op *index = where == IR_NONE ? NULL : ir_op_at(function, where);
    if (!loop || loop->depth != group->frame->depth || !index || index->code != IR_INDEX)
        return (struct counter){0};
    const struct ir_op *end = ir_terminator(function, (ir_block_id)loop->loop);
    const struct ir_op *test =
        end && end->code == IR_CONDBR ? ir_op_at(function, ir_operand(function, end, 0)) : NULL;
    int64_t variable = variable_of(function, ir_operand(function, index, 1));
    if (!test || (test->code != IR_LT && test->code != IR_LE) || variable < 0 ||
        variable_of(function, ir_operand(function, test, 0)) != variable)
        return (struct counter){0};
    int64_t step = step_of(function, variable);
    return step ? (struct counter){loop, index->imm, step} : (struct counter){0};
}

bool sized_meet_later(struct run *run, struct access *early, struct access *late, struct pair *pair)
{
    struct node_pool *pool = run->nodes;
    struct access *read = late->kind == RACE_READ ? late : early;
    const struct access *store = read == late ? early : late;
    const struct counter *counter = &read->counter;
    const struct arms *arms = read->arms;
    int64_t at = 0, place = 0;
    if (!counter->loop || read->kind != RACE_READ || read->size != store->size || read->form ||
        store->form || read->in_grid || read->choice.step ||
        !is_one_array(&read->choice.array, &store->choice.array) ||
        !node_is_const(read->offset, read->mask, run->masks, &at) || !is_of_each(run, store))
        return false;
    const struct node *rest = arms_condition(counter->loop);
    if (rest->kind != NODE_EXPR || rest->expr.op != NODE_OP_GT0)
        return false;
    rest = rest->expr.argument[0];
    uint32_t warp = UINT32_MAX, tried = 0;
    mask_each (run->masks, store->mask, owner) {
        node_lane(store->offset, owner, &place);
        if (owner / 32 == warp || place <= at ||
            (place - at) % (counter->element * counter->step) || !is_within_part(read, place))
            continue;
        warp = owner / 32;
        const struct node *rounds = node_const(pool, (place - at) / counter->element);
        read->arms =
            arms_with(run, arms, read->mask, node_binary(pool, IR_GT, 64, true, rest, rounds));
        if (tried++ < MOST_TRIED && within_bounds(run, read->arms, read->object, false) &&
            reads_of(run, early, late, read, owner, pair))
            return true;
    }
    read->arms = arms;
    return false;
}
