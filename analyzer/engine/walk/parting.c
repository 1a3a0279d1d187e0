// Where threads part: the conditions that send groups different ways. Kept over a run, so that a
// deadlock can say why the threads it lacks did not come.
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/run.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum {
    MOST_PARTINGS = 8192, // the older half is forgotten when there are more
    MOST_BLOCKS = 64,     // looked at behind a condition
};

// Whether what starts at the block comes to a written return (or an exit) on every way, without
// touching a barrier before. `loc` gets the place of the first one found.
static bool walk_early(struct engine *engine, ir_function_id id, ir_block_id start,
                       struct ir_loc *loc)
{
    const struct ir_function *function = &engine->unit->function[id];
    ir_block_id work[MOST_BLOCKS], seen[MOST_BLOCKS];
    uint32_t works = 0, seens = 0;
    bool found = false;
    work[works++] = start;
    while (works) {
        ir_block_id at = work[--works];
        bool known = false;
        for (uint32_t i = 0; i < seens; ++i)
            known |= seen[i] == at;
        if (known)
            continue;
        const struct ir_op *end = ir_terminator(function, at);
        if (!end || seens == MOST_BLOCKS)
            return false;
        if (end->code != IR_EXIT && facts_block_effect(engine, id, at))
            return false;
        seen[seens++] = at;
        switch (end->code) {
        case IR_RET:
            // The end of the body is no early return: it stands where the function does.
            if (memcmp(&end->loc, &function->loc, sizeof end->loc) == 0)
                return false;
            // fall through
        case IR_EXIT:
            if (!found)
                *loc = end->loc;
            found = true;
            break;
        case IR_UNREACHABLE:
            break;
        case IR_BR:
        case IR_CONDBR:
            for (int k = 0; k < (end->code == IR_BR ? 1 : 2); ++k) {
                if (works == MOST_BLOCKS)
                    return false;
                work[works++] = end->target[k];
            }
            break;
        default:
            return false;
        }
    }
    return found;
}

struct early {
    bool known, leaves;
    struct ir_loc loc;
};

static bool leaves_early(struct engine *engine, ir_function_id id, ir_block_id start,
                         struct ir_loc *loc)
{
    struct function_facts *facts = (struct function_facts *)facts_of(engine, id);
    size_t blocks = (size_t)arrlen(engine->unit->function[id].block);
    if (!facts->early)
        facts->early = arena_array(&engine->known->arena, struct early, blocks + 1);
    struct early *early = &facts->early[start];
    if (!early->known) {
        early->known = true;
        early->leaves = walk_early(engine, id, start, &early->loc);
    }
    *loc = early->loc;
    return early->leaves;
}

// Whether the ways that part at the end of the group's block meet before the function ends: a
// return behind that place, however it is written, is no way of its own. A way out of a loop may be
// the only one.
static bool ways_meet(const struct run *run, const struct group *group, bool is_loop)
{
    const struct cfg *cfg = facts_of(run->engine, group->frame->function)->cfg;
    return !is_loop && cfg_join(cfg, group->frame->block) != cfg->exit;
}

void parting_leave(struct run *run, const struct group *group, ir_block_id block, bool is_loop)
{
    if (ways_meet(run, group, is_loop))
        return;
    struct leaving leaving = {.mask = group->mask, .chain = group->frame->chain};
    if (leaves_early(run->engine, group->frame->function, block, &leaving.loc))
        arrput(run->leaving, leaving);
}

void parting_exit(struct run *run, const struct group *group, struct ir_loc loc)
{
    struct leaving leaving = {.mask = group->mask, .chain = group->frame->chain, .loc = loc};
    if (!run->afterlife)
        arrput(run->leaving, leaving);
}

// Whether all of `absent` left before they came, together or one after the other.
static bool have_left(struct run *run, const struct mask *absent, struct parting_found *out)
{
    const struct mask *rest = absent;
    for (ptrdiff_t i = arrlen(run->leaving); i-- > 0;) {
        const struct leaving *leaving = &run->leaving[i];
        rest = mask_minus(run->masks, rest, leaving->mask);
        if (rest->count == 0) {
            out->return_loc = leaving->loc;
            out->return_chain = leaving->chain;
            return true;
        }
    }
    return false;
}

// Whether the address is of what the host gives the kernel: a parameter, or a number by itself in
// constant memory, as sizes are. What a number is looked up in is data.
static bool is_given(const struct run *run, const struct node *address)
{
    if (!address || address->kind != NODE_ADDRESS)
        return false;
    const struct object *object = &run->object[address->address.object];
    return object->kind == OBJECT_PARAM ||
           (object->space == IR_SPACE_CONSTANT && address->address.offset->kind == NODE_CONST);
}

static bool depends_on_data(struct run *run, const struct node *node);

static bool parts_depend_on_data(struct run *run, const struct node *node)
{
    switch (node->kind) {
    case NODE_ATOM:
        return node->shape != SHAPE_UNIFORM && !node_is_hardware(node);
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            if (depends_on_data(run, node->linear.term[i].atom))
                return true;
        }
        return false;
    case NODE_EXPR: {
        if (node->expr.op == NODE_OP_LOAD)
            return !is_given(run, node->expr.argument[0]);
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            if (depends_on_data(run, node->expr.argument[i]))
                return true;
        }
        return false;
    }
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count; ++i) {
            if (depends_on_data(run, node->pieces.piece[i].value))
                return true;
        }
        return false;
    default:
        return false;
    }
}

// Whether a value depends on anything in memory but what the kernel is given. It is asked of the
// same conditions for every pair of accesses, and what a hash is made of is large: kept for the
// run.
static bool depends_on_data(struct run *run, const struct node *node)
{
    uint32_t now = run->nodes->epoch;
    if (!node)
        return false;
    if (memo_of(run, node)->data_epoch != now) {
        bool found = parts_depend_on_data(run, node);
        struct memo *memo = memo_of(run, node);
        memo->data_epoch = now;
        memo->by_data = found;
    }
    return memo_of(run, node)->by_data;
}

bool parting_is_by_data(struct run *run, const struct node *condition)
{
    return depends_on_data(run, condition);
}

static bool depends_on_block(struct run *run, const struct node *node)
{
    if (!node || !walk_visit(run, node))
        return false;
    bool found = special_is_block_index(node);
    if (node->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < node->linear.count && !found; ++i)
            found = depends_on_block(run, node->linear.term[i].atom);
    } else if (node->kind == NODE_EXPR && node->expr.op != NODE_OP_LOAD) {
        for (uint32_t i = 0; i < NODE_ARGUMENTS && !found; ++i)
            found = depends_on_block(run, node->expr.argument[i]);
    }
    return found;
}

// The argument that the kernel is given and the node stands for; UINT64_MAX for none.
static uint64_t argument_of(const struct node *node)
{
    uint64_t index = node->kind == NODE_ATOM ? node->atom.key - ARGUMENT_KEY : UINT64_MAX;
    return index < ENGINE_ARGUMENTS ? index : UINT64_MAX;
}

// Whether the condition, the same for all threads, holds the number of the block against arguments
// that the grid, whose size nobody knows, has nothing to do with: it is as large however few tiles
// there are.
static bool is_of_grid_apart(struct run *run, const struct node *condition)
{
    const struct node *form = condition->kind == NODE_EXPR && condition->expr.op == NODE_OP_GT0
                                  ? condition->expr.argument[0]
                                  : condition;
    uint32_t blocks = 0, apart = 0;
    if (form->kind != NODE_LINEAR || form->linear.base->kind != NODE_CONST)
        return false;
    for (uint32_t i = 0; i < form->linear.count; ++i) {
        const struct node *atom = form->linear.term[i].atom;
        uint64_t index = argument_of(atom);
        blocks += special_is_block_index(atom);
        apart += index != UINT64_MAX && launched_apart(run, (uint32_t)index);
    }
    return blocks == 1 && apart > 0 && blocks + apart == form->linear.count;
}

bool parting_is_by_block(struct run *run, const struct node *condition)
{
    const struct engine_shape *shape = &run->engine->shape;
    if (shape->source != ENGINE_SHAPE_LAUNCH)
        return false;
    walk_begin(run);
    return shape->grid[0] > 1 ? depends_on_block(run, condition)
                              : shape->grid[0] == 0 && is_of_grid_apart(run, condition);
}

bool parting_is_bound(struct run *run, const struct node *condition)
{
    if (condition->kind != NODE_EXPR || condition->shape != SHAPE_VARYING ||
        condition->expr.op != NODE_OP_GT0)
        return false;
    return !depends_on_data(run, condition);
}

// The number of rounds that the form asks about, less that of the block, which takes every so many
// of them; else the form.
static const struct node *all_rounds(const struct node *form)
{
    const struct node *rounds = form;
    for (uint32_t i = 0; form->kind == NODE_LINEAR && i < form->linear.count; ++i) {
        const struct node_term *term = &form->linear.term[i];
        if (special_is_block_index(term->atom))
            continue;
        if (rounds != form || term->factor != 1)
            return form;
        rounds = term->atom;
    }
    return rounds;
}

// Whether the kernel goes as many rounds as `(n + size - 1) / size`, of the given n: the last of
// them may be in part.
static bool rounds_up(const struct run *run, const struct node *number)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct node *form = run->decision[i].form;
        form = form ? all_rounds(form) : NULL;
        if (!form || form->kind != NODE_EXPR || form->expr.op != IR_DIV ||
            form->expr.argument[1]->kind != NODE_CONST)
            continue;
        const struct node *sum = form->expr.argument[0];
        int64_t size = form->expr.argument[1]->value;
        if (size > 1 && sum->kind == NODE_LINEAR && sum->linear.count == 1 &&
            sum->linear.term[0].factor == 1 && sum->linear.term[0].atom == number &&
            sum->linear.base->kind == NODE_CONST &&
            (sum->linear.base->value == size - 1 || sum->linear.base->value == -1))
            return true;
    }
    return false;
}

// What is left where the form says no more of it than up to a number that is known: of
// `i < min(size, n - size * block)`, and of `i < min(n, begin + size) - begin`. Else the form.
static const struct node *without_limit(const struct run *run, const struct node *form)
{
    if (form->kind != NODE_LINEAR)
        return form;
    for (uint32_t i = 0; i < form->linear.count; ++i) {
        const struct node *least = form->linear.term[i].atom;
        int64_t factor = form->linear.term[i].factor;
        if (least->kind != NODE_EXPR || least->expr.op != IR_MIN)
            continue;
        const struct node *times = node_const(run->nodes, factor);
        const struct node *share = node_binary(run->nodes, IR_MUL, 64, true, least, times);
        const struct node *rest = node_binary(run->nodes, IR_SUB, 64, true, form, share);
        for (int k = 0; k < 2; ++k) {
            const struct node *limit = least->expr.argument[k], *left = least->expr.argument[1 - k];
            limit = node_binary(run->nodes, IR_MUL, 64, true, limit, times);
            left = node_binary(run->nodes, IR_MUL, 64, true, left, times);
            limit = node_binary(run->nodes, IR_ADD, 64, true, limit, rest);
            if (limit->kind == NODE_CONST || limit->kind == NODE_VECTOR)
                return node_binary(run->nodes, IR_ADD, 64, true, left, rest);
        }
    }
    return form;
}

bool parting_is_rest(struct run *run, const struct node *condition)
{
    const struct node *form = condition->kind == NODE_EXPR && condition->expr.op == NODE_OP_GT0
                                  ? condition->expr.argument[0]
                                  : condition;
    uint32_t rounded = 0, blocks = 0;
    form = without_limit(run, form);
    if (form->kind != NODE_LINEAR)
        return false;
    for (uint32_t i = 0; i < form->linear.count; ++i) {
        const struct node_term *term = &form->linear.term[i];
        uint64_t index = argument_of(term->atom);
        bool once = term->factor == 1 || term->factor == -1;
        bool own = index != UINT64_MAX && once;
        rounded += (own && launched_rounds_up(run, (uint32_t)index)) ||
                   (once && rounds_up(run, term->atom));
        blocks += special_is_block_index(term->atom);
    }
    return rounded == 1 && rounded + blocks == form->linear.count;
}

// Whether the value is a number rounded up to whole shares, `(n + parts - 1) / parts`.
static bool is_even_share(const struct node *share, const struct node *number,
                          const struct node *parts)
{
    const struct node *sum = share->expr.op == IR_DIV ? share->expr.argument[0] : NULL;
    return sum && share->expr.argument[1] == parts && sum->kind == NODE_LINEAR &&
           sum->linear.base->kind == NODE_CONST && sum->linear.base->value == parts->value - 1 &&
           sum->linear.count == 1 && sum->linear.term[0].factor == 1 &&
           sum->linear.term[0].atom == number;
}

// Whether the value is where a part begins, `tile % parts * share`: each of as many parts as are
// known is somebody's, whatever the grid is.
static bool is_begin_of_part(const struct node *begin, const struct node *number)
{
    if (begin->kind != NODE_EXPR || begin->expr.op != IR_MUL)
        return false;
    for (int k = 0; k < 2; ++k) {
        const struct node *part = begin->expr.argument[k], *share = begin->expr.argument[1 - k];
        if (part->kind == NODE_EXPR && part->expr.op == IR_REM && share->kind == NODE_EXPR &&
            part->expr.argument[1]->kind == NODE_CONST && part->expr.argument[1]->value > 1 &&
            is_even_share(share, number, part->expr.argument[1]))
            return true;
    }
    return false;
}

const struct node *parting_whole(const struct node *form)
{
    const struct node *begin = NULL, *end = NULL;
    if (!form || form->kind != NODE_LINEAR || form->linear.count != 2)
        return NULL;
    for (uint32_t i = 0; i < 2; ++i) {
        const struct node *atom = form->linear.term[i].atom;
        bool is_end = atom->kind == NODE_EXPR && atom->expr.op == IR_MIN;
        *(is_end ? &end : &begin) = atom;
    }
    if (!begin || !end || form->linear.term[0].factor != -form->linear.term[1].factor)
        return NULL;
    for (int k = 0; k < 2; ++k)
        if (is_begin_of_part(begin, end->expr.argument[k]))
            return end->expr.argument[k];
    return NULL;
}

// Whether the form says what is left of a number of elements that threads, or as many teams of
// them, take one each of, numbered through a grid that is as large however many there are: n less
// what the blocks before take, less the own number. Nothing makes such a number fill whole warps.
static bool is_rest_of_grid(struct run *run, const struct node *asked)
{
    const struct node *form =
        asked->kind == NODE_EXPR && asked->expr.op == NODE_OP_GT0 ? asked->expr.argument[0] : asked;
    int64_t threads = run->engine->block_threads, teams = 0;
    uint64_t number = UINT64_MAX;
    if (form->kind != NODE_LINEAR || form->linear.count != 2 ||
        form->linear.base->kind != NODE_VECTOR)
        return false;
    for (uint32_t i = 0; i < 2; ++i) {
        const struct node_term *term = &form->linear.term[i];
        if (special_is_block_index(term->atom))
            teams = -term->factor;
        else if (term->atom->kind == NODE_ATOM && term->factor == 1)
            number = term->atom->atom.key - ARGUMENT_KEY;
    }
    if (teams <= 0 || threads % teams != 0 || number >= ENGINE_ARGUMENTS)
        return false;
    const int64_t *base = form->linear.base->vector;
    for (int64_t t = 0; t < threads; ++t)
        if (base[0] - base[t] != t / (threads / teams))
            return false;
    return launched_apart(run, (uint32_t)number);
}

// Whether the value is the number of the warp in the grid: the block's number times its warps, and
// the own one.
static bool is_grid_warp(const struct run *run, const struct node *number)
{
    int64_t threads = 1; // that share a number
    while (number->kind == NODE_EXPR && number->expr.op == IR_CAST)
        number = number->expr.argument[0];
    if (number->kind == NODE_EXPR && (number->expr.op == IR_SHR || number->expr.op == IR_DIV)) {
        const struct node *by = number->expr.argument[1];
        threads = 32;
        if (by->kind != NODE_CONST || by->value != (number->expr.op == IR_SHR ? 5 : threads))
            return false;
        number = number->expr.argument[0];
    }
    if (number->kind != NODE_LINEAR || number->linear.count != 1 ||
        number->linear.base->kind != NODE_VECTOR ||
        !special_is_block_index(number->linear.term[0].atom))
        return false;
    int64_t size = run->engine->block_threads;
    if (number->linear.term[0].factor * 32 != size * threads)
        return false;
    for (int64_t t = 0; t < size; ++t)
        if (number->linear.base->vector[t] != (threads == 1 ? t / 32 : t))
            return false;
    return true;
}

bool parting_is_by_grid_warp(struct run *run, struct group *group, const struct ir_op *op)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const struct ir_op *asked =
        op->code == IR_CONDBR ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
    for (uint32_t i = 0; asked && i < 2; ++i) {
        const struct node *value =
            i < asked->operand_count ? group_get(run, group, ir_operand(function, asked, i)) : NULL;
        if (value && is_grid_warp(run, value))
            return true;
    }
    return false;
}

// Whether the block leaves a loop that the other block is in.
static bool leaves_loop_around(struct engine *engine, ir_function_id id, ir_block_id at,
                               ir_block_id inner)
{
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    const struct ir_op *end = ir_terminator(&engine->unit->function[id], at);
    uint32_t loop = cfg->loop_of[at];
    if (loop == IR_NONE || !end || end->code != IR_CONDBR || !cfg_in_loop(cfg, loop, inner))
        return false;
    return !cfg_in_loop(cfg, loop, end->target[0]) || !cfg_in_loop(cfg, loop, end->target[1]);
}

// Whether all threads go another round as long as the first of them has something to do, and each
// asks for itself then: `first < n` around `first + threadIdx.x < n`. Without a last round in part
// nobody would ask.
static bool is_rest_of_rounds(struct run *run, const struct group *group, const struct node *asked)
{
    const struct frame *frame = group->frame;
    struct question question;
    if (!question_of(run, asked, &question) || question.equality || !question.form ||
        question.base->kind != NODE_VECTOR)
        return false;
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *decision = &run->decision[i];
        if (decision->common && decision->form == question.form &&
            decision->says == SAYS_AT_LEAST &&
            decision->number == question_threshold(&question, group->mask->first) &&
            decision->site >> 32 == frame->function &&
            leaves_loop_around(run->engine, frame->function, (ir_block_id)decision->site,
                               frame->block))
            return true;
    }
    return false;
}

void parting_note(struct run *run, const struct group *group, const struct ir_op *op, bool is_loop,
                  const struct node *asked, const struct mask *yes)
{
    if (arrlen(run->parting) >= MOST_PARTINGS) {
        memmove(run->parting, run->parting + MOST_PARTINGS / 2,
                MOST_PARTINGS / 2 * sizeof *run->parting);
        arrsetlen(run->parting, MOST_PARTINGS / 2);
    }
    struct parting parting = {.branch = op->loc,
                              .function = group->frame->function,
                              .chain = group->frame->chain,
                              .target = {op->target[0], op->target[1]},
                              .side = {yes, mask_minus(run->masks, group->mask, yes)},
                              .is_loop = is_loop,
                              .meets = ways_meet(run, group, is_loop),
                              .by_number = node_known(asked) || made_by_hardware(run, asked)};
    parting.by_data = depends_on_data(run, asked);
    parting.by_rest = parting_is_rest(run, asked) || is_rest_of_rounds(run, group, asked) ||
                      (is_loop && is_rest_of_grid(run, asked));
    if (op->code == IR_SWITCH)
        parting.target[0] = parting.target[1] = IR_NONE;
    arrput(run->parting, parting);
}

bool parting_between(struct run *run, const struct mask *absent, const struct mask *present,
                     struct parting_found *out)
{
    memset(out, 0, sizeof *out);
    // Best is a condition that none of those present shares a side of with who is absent.
    for (int loose = 0; loose < 2; ++loose) {
        for (ptrdiff_t i = arrlen(run->parting); i-- > 0;) {
            const struct parting *parting = &run->parting[i];
            for (int k = 0; k < 2; ++k) {
                if (!mask_overlaps(run->masks, parting->side[k], absent) ||
                    !mask_overlaps(run->masks, parting->side[1 - k], present) ||
                    (!loose && mask_overlaps(run->masks, parting->side[k], present)))
                    continue;
                out->parting = parting;
                out->return_chain = parting->chain;
                out->returns = (parting->target[k] != IR_NONE && !parting->meets &&
                                leaves_early(run->engine, parting->function, parting->target[k],
                                             &out->return_loc)) ||
                               have_left(run, absent, out);
                return true;
            }
        }
    }
    return false;
}
