// Accesses at places that data choose, as in a histogram or a table of keys: where a thread goes in
// its part of an array is not known, but that it may go anywhere there is.
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/memory/races_internal.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum {
    MOST_REACH = 1 << 20, // bytes that data are taken to reach
    DEEPEST = 8,          // operations between an address and the array it is in
    MOST_ASKED = 1024,    // parts of a number, in all, until deep ones are taken for data
    PARTS_KEPT = 64,      // of them, whose answer is kept
};

// The bytes between the parts that warps have one each, where the address is such a part; else 0.
static int64_t warp_part(const struct run *run, const struct node *address)
{
    const struct node *offset = address->kind == NODE_ADDRESS ? address->address.offset : address;
    int64_t part = 0;
    if (offset->kind != NODE_VECTOR)
        return 0;
    for (uint32_t t = 1; t < run->engine->block_threads; ++t) {
        int64_t by = offset->vector[t] - offset->vector[t - 1];
        if (by == 0)
            continue;
        if (t % 32 != 0 || by < 0 || (part && by != part))
            return 0;
        part = by;
    }
    return part;
}

// The bytes of the array that is a member of a record and that the address is of; else 0.
static int64_t member_length(struct run *run, struct group *group, ir_value address,
                             const struct node **first)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    ir_value member = facts_member_array(run->engine, group->frame->function, address);
    if (member == IR_NONE)
        return 0;
    *first = group_get(run, group, address);
    return (*first)->kind == NODE_ADDRESS
               ? (int64_t)unit->type[unit->type[ir_op_at(function, member)->type].elem].size
               : 0;
}

// The bytes of the row that the element is of, where each thread names a row by itself, as in
// table[mine][column], or a loop does: then nobody means what lies behind its row. Else 0.
static int64_t row_length(struct run *run, struct group *group, const struct ir_op *element,
                          const struct node **first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    ir_value row = ir_operand(function, element, 0);
    const struct ir_op *op = ir_op_at(function, row);
    if (op->code != IR_INDEX || op->imm <= element->imm)
        return 0;
    *first = group_get(run, group, row);
    const struct ir_op *number = ir_op_at(function, ir_operand(function, op, 1));
    while (number && number->code == IR_CAST)
        number = ir_op_at(function, ir_operand(function, number, 0));
    bool names = number && number->code != IR_CONST && (*first)->kind == NODE_ADDRESS &&
                 node_known((*first)->address.offset);
    return names ? op->imm : 0;
}

// The bytes of the array that the element lies in: a member of a record, or a row. Else 0.
static int64_t array_length(struct run *run, struct group *group, const struct ir_op *element,
                            const struct node **first)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    int64_t length = member_length(run, group, ir_operand(function, element, 0), first);
    return length ? length : row_length(run, group, element, first);
}

// The same of an element that the function is given the address of, as the operators of half are:
// its callers say where it lies. Else 0.
static int64_t given_length(struct run *run, const struct group *group, int64_t param,
                            const struct node **first)
{
    struct group caller = *group; // the same threads, further up
    for (int i = 0; i < DEEPEST && caller.frame->parent; ++i) {
        ir_value at = caller.frame->call;
        caller.frame = caller.frame->parent;
        const struct ir_function *function = &run->engine->unit->function[caller.frame->function];
        const struct ir_op *op = at == IR_NONE ? NULL : ir_op_at(function, at);
        if (!op || op->code != IR_CALL || param >= op->operand_count)
            return 0;
        at = ir_operand(function, op, (uint32_t)param);
        op = at == IR_NONE ? NULL : ir_op_at(function, at);
        if (op && op->code == IR_INDEX)
            return array_length(run, &caller, op, first);
        if (!op || op->code != IR_PARAM)
            return 0;
        param = op->imm;
    }
    return 0;
}

struct array scatter_array(struct run *run, struct group *group, ir_value address)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    struct array array = {0};
    int64_t last = 0; // bytes of an element
    for (int i = 0; i < DEEPEST && address != IR_NONE; ++i) {
        const struct ir_op *op = ir_op_at(function, address);
        if (op->code != IR_INDEX && op->code != IR_OFFSET) {
            if (op->code == IR_PARAM && !last)
                array.length = given_length(run, group, op->imm, &array.first);
            array.base = group_get(run, group, address);
            if (!array.part) {
                array.part = warp_part(run, array.base);
                array.begin = array.base;
            }
            return array;
        }
        array.member += op->code == IR_OFFSET ? op->imm : 0;
        if (op->code == IR_INDEX && !last)
            array.length = array_length(run, group, op, &array.first);
        if (op->code == IR_INDEX && !last)
            array.width = behind_width(run, group, address, &array.column);
        if (op->code == IR_INDEX && last && !array.part && op->imm > last) {
            array.part = op->imm;
            array.begin = group_get(run, group, address);
        }
        last = op->code == IR_INDEX ? op->imm : last;
        address = ir_operand(function, op, 0);
    }
    return array;
}

bool scatter_leaves(struct run *run, const struct access *access)
{
    const struct array *array = &access->choice.array;
    if (!array->part || array->begin->kind != NODE_ADDRESS || access->form)
        return false;
    struct reach from_begin;
    return node_reach_from(run->nodes, access->offset, array->begin->address.offset, access->mask,
                           &from_begin) &&
           (from_begin.low < 0 || from_begin.high >= array->part);
}

bool scatter_is_in_front(struct run *run, const struct access *access)
{
    struct node_pool *pool = run->nodes;
    const struct node *base = access->choice.array.base, *by = access->offset;
    int64_t at = 0;
    if (!base || base->kind != NODE_ADDRESS || access->mask->count < 2 || access->choice.step)
        return false;
    if (access->form)
        by = node_binary(pool, IR_ADD, 64, true, by, access->form);
    by = node_binary(pool, IR_SUB, 64, true, by, base->address.offset);
    return node_is_const(by, access->mask, run->masks, &at) && at < 0;
}

// Whether what the operation makes of its first operand is as open as that is, whatever the second
// one: some of the bits, the rest of a division.
static bool takes_part(const struct node *node)
{
    uint16_t op = node->expr.op;
    return op == IR_SHR || op == IR_AND || op == IR_REM || op == IR_DIV;
}

// What a number comes from.
struct origin {
    const struct arms *arms;             // the conditions that hold where it is asked
    bool loads;                          // some of it is loaded
    uint32_t asked;                      // parts of the number so far
    const struct node *data[PARTS_KEPT]; // parts that are data, by id: they come again in a hash
};

// Whether the number comes from data alone: from what is loaded, not from the thread's own number
// nor from sizes that nobody knows here, but for one that says which part of the data it is. What
// is too deep to reason about is made of something all the same: a hash of what was loaded, or the
// thread's own number after some rounds that one condition or another went through.
static bool is_data(const struct node *node, struct origin *origin);

// Whether the answer to a comparison does: it is as open, whatever the data are compared with.
static bool compares_data(const struct node *sum, struct origin *origin)
{
    if (sum->kind != NODE_LINEAR)
        return is_data(sum, origin);
    for (uint32_t i = 0; i < sum->linear.count; ++i) {
        const struct node *atom = sum->linear.term[i].atom;
        if (atom->shape != SHAPE_UNIFORM && !is_data(atom, origin))
            return false;
    }
    return sum->linear.base->kind == NODE_CONST;
}

// Whether the condition is that the thread still has something to load: of what is chosen by data
// or not at all, data say where it goes.
static bool is_size_of_data(const struct node *condition)
{
    const struct node *sum = condition->kind == NODE_EXPR && condition->expr.op == NODE_OP_GT0
                                 ? condition->expr.argument[0]
                                 : NULL;
    if (!sum || sum->kind != NODE_LINEAR || sum->linear.base->kind != NODE_VECTOR)
        return false;
    for (uint32_t i = 0; i < sum->linear.count; ++i) {
        if (sum->linear.term[i].atom->shape != SHAPE_UNIFORM)
            return false;
    }
    return true;
}

// What has been stored under a condition that holds where it is read: the content of before is not
// read there. Else NULL.
static const struct node *stored_here(const struct node *merged, const struct arms *arms)
{
    const struct node *const *argument = merged->expr.argument;
    for (; arms && merged->expr.op == NODE_OP_MERGE; arms = arms->outer) {
        if (arms->condition == argument[0])
            return argument[1];
    }
    return NULL;
}

// Whether a number that nobody knows here is in the value: a factor of a picture's size, say.
static bool has_open_number(const struct node *node, int depth)
{
    bool has = node && node->kind == NODE_ATOM && node->shape == SHAPE_UNIFORM;
    for (uint32_t i = 0; node && node->kind == NODE_EXPR && i < NODE_ARGUMENTS && !has; ++i)
        has = depth < DEEPEST && has_open_number(node->expr.argument[i], depth + 1);
    return has;
}

// Whether the value is worked out from floating numbers, as round(x * y) is. Whole ones that a call
// makes of whole ones may be what a division is spelled as.
static bool is_floating(const struct node *node, int depth)
{
    if (!node || depth > DEEPEST || node->kind != NODE_EXPR)
        return false;
    uint16_t op = node->expr.op;
    if (op != NODE_OP_CALL)
        return node->expr.bits == 0 && (op == IR_ADD || op == IR_SUB || op == IR_MUL);
    for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
        if (is_floating(node->expr.argument[i], depth + 1))
            return true;
    }
    return false;
}

// Whether it is what a floating number that nobody knows here makes of the thread's number: that
// leads threads to each other's places as data do.
static bool is_scaled(const struct node *node)
{
    node = node_plain(node);
    return node->shape == SHAPE_VARYING && is_floating(node, 0) && has_open_number(node, 0);
}

// Whether the part of a sum is what data are counted from, the first row of the block say: it is
// taken off them to find the place in what the block has of them, and leads nowhere by itself.
static bool is_counted_from(const struct node_term *term)
{
    return term->atom->shape == SHAPE_UNIFORM && term->factor < 0;
}

// The same as is_data() of a sum.
static bool is_sum_of_data(const struct node *sum, struct origin *origin)
{
    bool any = false;
    for (uint32_t i = 0; i < sum->linear.count; ++i) {
        if (is_counted_from(&sum->linear.term[i]))
            continue;
        if (!is_data(sum->linear.term[i].atom, origin))
            return false;
        any = true;
    }
    return any && sum->linear.base->kind == NODE_CONST;
}

// What is_data() says of a part of the number that has not come before.
static bool is_new_data(const struct node *node, struct origin *origin)
{
    if (++origin->asked <= MOST_ASKED && node_is_deep(node))
        return is_data(node->atom.deep, origin);
    switch (node->kind) {
    case NODE_CONST:
        return true;
    case NODE_ATOM:
        origin->loads |= node->shape != SHAPE_UNIFORM;
        return node->shape != SHAPE_UNIFORM;
    case NODE_LINEAR:
        return is_sum_of_data(node, origin);
    case NODE_EXPR:
        if (node->expr.op == NODE_OP_LOAD) {
            origin->loads = true;
            return node->shape != SHAPE_UNIFORM;
        }
        if (node->expr.op == NODE_OP_GT0 || node->expr.op == NODE_OP_EQ0 ||
            node->expr.op == NODE_OP_NE0)
            return node->shape != SHAPE_UNIFORM && compares_data(node->expr.argument[0], origin);
        if (is_scaled(node)) {
            origin->loads = true;
            return true;
        }
        const struct node *here = stored_here(node, origin->arms);
        if (here)
            return is_data(here, origin);
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            const struct node *argument = node->expr.argument[i];
            bool part = i > 0 && argument && argument->shape == SHAPE_UNIFORM && takes_part(node);
            part |= i == 0 && node->expr.op == NODE_OP_MERGE && is_size_of_data(argument);
            if (argument && !part && !is_data(argument, origin))
                return false;
        }
        return true;
    default:
        return false;
    }
}

static bool is_data(const struct node *node, struct origin *origin)
{
    const struct node **kept = &origin->data[node->id % PARTS_KEPT];
    if (*kept == node)
        return true;
    bool is = is_new_data(node, origin);
    if (is)
        *kept = node;
    return is;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

// The threads for which a product is 0 whatever its other factor is, as in `y * width` for those of
// the first row; NULL where the number is no such product.
static const struct mask *without_product(struct run *run, const struct node *node,
                                          const struct mask *mask)
{
    while (node->kind == NODE_EXPR && node->expr.op == IR_CAST)
        node = node->expr.argument[0];
    if (node->kind != NODE_EXPR || node->expr.op != IR_MUL)
        return NULL;
    for (int i = 0; i < 2; ++i) {
        const struct node *factor = node->expr.argument[i];
        if (factor->kind != NODE_VECTOR || node->expr.argument[1 - i]->shape != SHAPE_UNIFORM)
            continue;
        struct mask_builder zero;
        mask_builder_clear(run->masks, &zero);
        mask_each (run->masks, mask, t) {
            if (factor->vector[t] == 0)
                mask_builder_add(&zero, t);
        }
        return mask_builder_end(run->masks, &zero);
    }
    return NULL;
}

// The number of the thread, plus what is the same for all.
static bool is_numbering(const struct node *node)
{
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i) {
        if (node->linear.term[i].atom->shape != SHAPE_UNIFORM)
            return false;
    }
    return (node->kind == NODE_LINEAR ? node->linear.base : node)->kind == NODE_VECTOR;
}

// Whether the size is, or may come of, a number that every launch passes.
static bool may_be_passed(const struct run *run, const struct node *size)
{
    uint64_t passed = run->engine->passed, at = argument_at(node_plain(size));
    return passed && (at >= ENGINE_ARGUMENTS || passed >> at & 1);
}

// What is divided, where the number is what a size that nobody knows here makes of the thread's
// number: with one size or another it leads a thread to what others have. Else NULL.
static const struct node *divided(const struct run *run, const struct node *node)
{
    node = node_plain(node);
    if (node->kind != NODE_EXPR || node->expr.op != IR_DIV ||
        !is_numbering(node->expr.argument[0]) || node->expr.argument[1]->shape != SHAPE_UNIFORM ||
        may_be_passed(run, node->expr.argument[1]))
        return NULL;
    node = node->expr.argument[0];
    return node->kind == NODE_LINEAR ? node->linear.base : node;
}

// Whether some part of the sum is not the same for all threads.
static bool leads_somewhere(const struct node_term *term, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (term[i].atom->shape != SHAPE_UNIFORM)
            return true;
    }
    return false;
}

bool scatter_split(struct run *run, const struct node *offset, struct access *out)
{
    struct node_pool *pool = run->nodes;
    out->form = NULL;
    out->choice = (struct choice){0};
    out->offset = offset;
    if (node_known(offset))
        return true;
    const struct node_term whole = {offset, 1}, *term = &whole;
    uint32_t count = 1;
    out->offset = pool->zero;
    if (offset->kind == NODE_LINEAR) {
        out->offset = offset->linear.base;
        term = offset->linear.term;
        count = offset->linear.count;
    }
    const struct node *form = pool->zero, *data = pool->zero;
    struct origin origin = {.arms = out->arms};
    bool leads = leads_somewhere(term, count);
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *part =
            node_binary(pool, IR_MUL, 64, true, term[i].atom, node_const(pool, term[i].factor));
        if (leads && is_counted_from(&term[i])) {
            data = node_binary(pool, IR_ADD, 64, true, data, part);
            out->choice.step = gcd(out->choice.step, term[i].factor);
            continue;
        }
        if (term[i].atom->shape == SHAPE_UNIFORM) {
            form = node_binary(pool, IR_ADD, 64, true, form, part);
            continue;
        }
        const struct mask *few = without_product(run, term[i].atom, out->mask);
        if (few) {
            out->mask = few;
            continue;
        }
        const struct node *number = divided(run, term[i].atom);
        if (number ? data != pool->zero : out->choice.divided || !is_data(term[i].atom, &origin))
            return false;
        out->choice.divided = number;
        data = node_binary(pool, IR_ADD, 64, true, data, part);
        out->choice.step = gcd(out->choice.step, term[i].factor);
    }
    out->form = form == pool->zero ? NULL : form;
    out->choice.data = data;
    return data == pool->zero || origin.loads || out->choice.divided;
}

// Narrows what the data come to where the access stands: a loop from what they say up to a bound
// has rounds below the bound only, and one down to a bound has rounds above it only.
static void narrow_under(struct run *run, const struct arms *arms, const struct node *data,
                         int64_t *least, int64_t *most)
{
    struct node_pool *pool = run->nodes;
    if (data->kind != NODE_LINEAR || data->linear.count != 1)
        return;
    const struct node_term *term = data->linear.term;
    for (; arms; arms = arms->outer) {
        const struct node *condition = arms_condition(arms);
        if (condition->kind != NODE_EXPR || condition->expr.op != NODE_OP_GT0)
            continue;
        const struct node *above = condition->expr.argument[0]; // zero
        int64_t factor = above == term->atom;
        if (above->kind == NODE_LINEAR && above->linear.count == 1 &&
            above->linear.term[0].atom == term->atom)
            factor = above->linear.term[0].factor;
        if (factor == 0 || term->factor % factor)
            continue;
        const struct node *times = node_const(pool, -term->factor / factor);
        const struct node *sum = node_binary(pool, IR_ADD, 64, true, data,
                                             node_binary(pool, IR_MUL, 64, true, above, times));
        if (sum->kind != NODE_CONST)
            continue;
        int64_t end = sum->value - times->value; // where the condition holds by 1
        if (times->value > 0 && end < *most)
            *most = end;
        if (times->value < 0 && end > *least)
            *least = end;
    }
}

// How far behind the beginning of its part each thread's known place is, where a pointer of its own
// says where that begins, as in mine[slot + 1]; 0 where that is not known.
static int64_t behind_begin(struct run *run, const struct access *access)
{
    const struct node *base = access->choice.array.base;
    int64_t begin = 0, at = 0, by = 0;
    if (!base || base->kind != NODE_ADDRESS || base->address.offset->kind != NODE_VECTOR)
        return 0;
    mask_each (run->masks, access->mask, t) {
        if (!node_lane(base->address.offset, t, &begin) || !node_lane(access->offset, t, &at) ||
            (t != access->mask->first && at - begin != by))
            return 0;
        by = at - begin;
    }
    return by;
}

void scatter_reach(struct run *run, struct access *access)
{
    // It stays within the thread's part of the array: that begins where its known numbers say and
    // ends where the next one begins, unless the parts lie within each other. What is known of the
    // data may be no more than their type.
    struct choice *choice = &access->choice;
    int64_t last = 0, gap = INT64_MAX, at = 0, least = INT64_MAX, most = INT64_MIN;
    for (uint32_t t = 0; t < run->engine->block_threads; ++t) {
        node_lane(access->offset, t, &at);
        int64_t by = t == 0 ? 0 : at > last ? at - last : last - at;
        gap = by && by < gap ? by : gap;
        last = at;
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    interval_of(run, choice->data, &choice->low, &choice->high);
    int64_t high = choice->step > most - least ? MOST_REACH : gap - 1;
    int64_t behind = behind_begin(run, access);
    if (behind > 0 && behind < gap && high < MOST_REACH)
        high -= behind;
    if (choice->array.part > choice->step && choice->array.part < high)
        high = choice->array.part - 1;
    // What begins in front of its part, the array's or the thread's, as in [16 * mine + count - 1],
    // is brought into it: by as much everywhere.
    int64_t front = least < 0 ? -least : 0;
    if (least > 0 && gap != INT64_MAX && least % gap > gap / 2)
        front = gap - least % gap;
    choice->low = choice->low > front ? choice->low : front;
    narrow_under(run, access->arms, choice->data, &choice->low, &high);
    choice->high = choice->high < high ? choice->high : high;
    choice->high = choice->high < MOST_REACH ? choice->high : MOST_REACH;
}

// Whether data may bring the thread to the bytes.
static bool may_reach(const struct access *access, uint32_t thread, int64_t from, int64_t size)
{
    const struct choice *choice = &access->choice;
    int64_t at = 0;
    node_lane(access->offset, thread, &at);
    int64_t by = from + size - 1 - at; // to the last of the bytes
    if (by < choice->low)
        return false;
    by -= (by % choice->step + choice->step) % choice->step;
    if (choice->divided && by / choice->step > choice->divided->vector[thread] / 2)
        return false;
    return by <= choice->high && at + by + access->size > from;
}

static bool may_touch(const struct access *early, uint32_t a, const struct access *late, uint32_t b)
{
    int64_t at = 0;
    if (late->choice.step) {
        node_lane(early->offset, a, &at);
        return may_reach(late, b, at, early->size);
    }
    node_lane(late->offset, b, &at);
    return may_reach(early, a, at, late->size);
}

// Whether the other access goes to bytes of the array, or of the row of it, that data choose in for
// the thread: what is declared elsewhere lies there only where it shares a union with it.
static bool lies_within(const struct access *chosen, uint32_t thread, const struct access *other,
                        uint32_t owner)
{
    const struct array *array = &chosen->choice.array;
    const struct node *base = array->part ? array->begin : array->length ? array->first : NULL;
    int64_t begin = 0, at = 0, length = array->part ? array->part : array->length;
    return base && base->kind == NODE_ADDRESS && node_lane(base->address.offset, thread, &begin) &&
           node_lane(other->offset, owner, &at) && at >= begin &&
           at + other->size <= begin + length;
}

// Whether a thread names the row that data choose in by its number: an index that leads out of it
// would lead out of the array in the last row, so that no program that is right otherwise has one.
// By the first row people name the whole array.
static bool names_row(const struct access *chosen)
{
    const struct array *array = &chosen->choice.array;
    const struct node *base = array->part ? array->begin : array->first;
    return array->length && base->kind == NODE_ADDRESS && node_known(base->address.offset) &&
           base->address.offset->kind != NODE_CONST;
}

// Whether any bytes of the other access are of the array, or of the rows of it: asked once, before
// the threads are.
static bool may_lie_within(struct run *run, const struct access *chosen, const struct access *other)
{
    const struct array *array = &chosen->choice.array;
    const struct node *base = array->part ? array->begin : array->length ? array->first : NULL;
    int64_t length = array->part ? array->part : array->length;
    struct reach reach;
    return base && base->kind == NODE_ADDRESS && !other->form &&
           node_reach(run->nodes, base->address.offset, chosen->mask, &reach) &&
           other->low < reach.high + length && reach.low < other->high;
}

// Whether threads have an element each of a row of the array that is as long as the block is wide,
// and data choose in a row before it, as where one of two rows is read while the other is made.
static bool is_next_row(const struct run *run, const struct access *chosen,
                        const struct access *row)
{
    int64_t size = run->engine->block_threads, step = chosen->choice.step, at = 0, begin = 0;
    if (!node_is_const(chosen->offset, chosen->mask, run->masks, &begin) || row->mask->count < 2)
        return false;
    node_lane(row->offset, row->mask->first, &at);
    int64_t first = at - row->mask->first % size * step;
    mask_each (run->masks, row->mask, t) {
        if (!node_lane(row->offset, t, &at) || at - t % size * step != first)
            return false;
    }
    return first - begin >= size * step;
}

bool scatter_meet(struct run *run, const struct access *early, const struct access *late,
                  struct pair *pair)
{
    const struct array *one = &early->choice.array, *other = &late->choice.array;
    bool one_array = one->base && one->base == other->base && one->member == other->member;
    bool chosen_late = late->choice.step != 0;
    bool in_row = names_row(chosen_late ? late : early);
    *pair = (struct pair){0};
    // Where data choose both places, they may choose well.
    if ((early->choice.step && late->choice.step) ||
        (!one_array &&
         !may_lie_within(run, chosen_late ? late : early, chosen_late ? early : late)) ||
        is_next_row(run, early->choice.step ? early : late, early->choice.step ? late : early))
        return false;
    uint32_t tried = UINT32_MAX; // the first and the last lane of a warp speak for it
    mask_each (run->masks, late->mask, t) {
        if (tried == t / 32 && (t + 1) % 32 != 0 && mask_has(late->mask, t + 1))
            continue;
        tried = t / 32;
        mask_each (run->masks, early->mask, owner) {
            if (may_touch(early, owner, late, t) &&
                ((one_array && !in_row) || (chosen_late ? lies_within(late, t, early, owner)
                                                        : lies_within(early, owner, late, t))) &&
                races_pair_up(run, early, late, owner, t, pair))
                return true;
        }
    }
    return pair->rank > 0;
}

// Whether threads that all come there have an element each of all that there is: written.c.
static bool is_shared_out(struct run *run, const struct access *all)
{
    const struct object *object = &run->object[all->object];
    if (all->form || all->choice.step || all->in_grid || object->type == IR_NONE ||
        !written_is_all(run, all) || all->high - all->low != (int64_t)all->mask->count * all->size)
        return false;
    for (const struct arms *arms = all->arms; arms; arms = arms->outer) {
        if (arms->condition->shape != SHAPE_UNIFORM)
            return false;
    }
    int64_t before = -1, at = 0;
    mask_each (run->masks, all->mask, t) {
        node_lane(all->offset, t, &at);
        if (at <= before)
            return false;
        before = at;
    }
    return true;
}

bool scatter_meet_anywhere(struct run *run, const struct access *early, const struct access *late,
                           struct pair *pair)
{
    const struct access *all = early->form ? late : early, *one = early->form ? early : late;
    int64_t at = 0;
    *pair = (struct pair){0};
    // Where the place is not the same for the whole block, each warp has a row of its own.
    if (!one->form || all->form || !all->choice.array.base ||
        all->choice.array.base != one->choice.array.base ||
        all->choice.array.member != one->choice.array.member || one->choice.step ||
        one->size != all->size ||
        !node_is_const(one->offset, run->block_mask[races_block(run)], run->masks, &at) ||
        all->choice.array.part != one->choice.array.part || all->kind != RACE_WRITE ||
        !is_shared_out(run, all))
        return false;
    const struct ir_type *type = &run->engine->unit->type[run->object[all->object].type];
    bool in_row = all->choice.array.part || all->high - all->low < (int64_t)type->size;
    if (in_row && (at < all->low || at >= all->high)) // of another row
        return false;
    // Whichever warp has the element, another one comes to it.
    const struct node *number = sized_number(run, one->form, one->size);
    bool may;
    int64_t place = 0;
    uint32_t tried = UINT32_MAX;
    mask_each (run->masks, all->mask, owner) {
        if (owner / 32 == tried)
            continue;
        tried = owner / 32;
        node_lane(all->offset, owner, &place);
        const struct arms *there =
            number ? sized_arms(run, one, number, (place - at) / one->size) : one->arms;
        struct pair best = {0};
        mask_each (run->masks, one->mask, t) {
            if (t / 32 != tried && within_both(run, all->arms, owner, there, t, &may, NULL) &&
                (all == early ? races_pair_up(run, early, late, owner, t, &best)
                              : races_pair_up(run, early, late, t, owner, &best)))
                break;
        }
        if (!best.rank || !best.ordinary)
            return false;
        *pair = pair->rank ? *pair : best;
    }
    return pair->rank > 0;
}
