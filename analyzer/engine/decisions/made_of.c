// What a value is made of, as far as a decision about it weighs more or less by that.
#include "engine/barriers/machines.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/walk/walk.h"

uint32_t made_of_symbols(struct run *run, const struct node *node, const struct node **first)
{
    if (!node || node_known(node) || !walk_visit(run, node))
        return 0;
    if (node->kind == NODE_ATOM || (node->kind == NODE_EXPR && node->expr.op == NODE_OP_LOAD)) {
        if (!*first)
            *first = node;
        return *first == node ? 1 : 2;
    }
    uint32_t most = 0;
    if (node->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < node->linear.count && most < 2; ++i) {
            uint32_t one = made_of_symbols(run, node->linear.term[i].atom, first);
            most = one > most ? one : most;
        }
    } else if (node->kind == NODE_EXPR) {
        for (uint32_t i = 0; i < NODE_ARGUMENTS && most < 2; ++i) {
            uint32_t one = made_of_symbols(run, node->expr.argument[i], first);
            most = one > most ? one : most;
        }
    }
    return most;
}

void made_of(struct run *run, const struct node *node, struct makings *out)
{
    if (!node || node_known(node) || !walk_visit(run, node))
        return;
    out->parameter |= node_is_parameter(node);
    out->deep |= node_is_deep(node);
    out->hardware |= node_is_hardware(node);
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i)
        made_of(run, node->linear.term[i].atom, out);
    for (uint32_t i = 0; node->kind == NODE_EXPR && i < NODE_ARGUMENTS; ++i)
        made_of(run, node->expr.argument[i], out);
}

bool made_by_hardware(struct run *run, const struct node *node)
{
    struct makings makings = {0};
    if (!run->special[IR_WARPID] && !run->special[IR_NWARPID])
        return false;
    walk_begin(run);
    made_of(run, node, &makings);
    return makings.hardware;
}

// Down in deep expressions. What is decided is noted farther down than it is looked for, so that
// an expression that goes on from one that was decided finds the note.
enum { DEEPEST_NOTE = 2000, DEEPEST_LOOK = 1000 };

// Calls `next` for what the node is made of. What a word of memory holds does not depend on where
// it lies.
static bool any_part(struct run *run, const struct node *node, int depth,
                     bool (*next)(struct run *run, const struct node *node, int depth))
{
    bool found = false;
    switch (node->kind) {
    case NODE_ATOM:
        return node->atom.deep && next(run, node->atom.deep, depth + 1);
    case NODE_EXPR:
        for (uint32_t i = 0; node->expr.op != NODE_OP_LOAD && i < NODE_ARGUMENTS && !found; ++i)
            found = node->expr.argument[i] && next(run, node->expr.argument[i], depth + 1);
        return found;
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count && !found; ++i)
            found = next(run, node->linear.term[i].atom, depth + 1);
        return found;
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count && !found; ++i)
            found = next(run, node->pieces.piece[i].value, depth + 1);
        return found;
    default:
        return false;
    }
}

static bool is_decided(struct run *run, const struct node *node)
{
    return memo_of(run, node)->decided_epoch == run->nodes->epoch;
}

static bool note_part(struct run *run, const struct node *node, int depth)
{
    if (is_decided(run, node) || depth > DEEPEST_NOTE)
        return false;
    memo_of(run, node)->decided_epoch = run->nodes->epoch;
    return any_part(run, node, depth, note_part);
}

void note_decided(struct run *run, const struct node *form)
{
    note_part(run, form, 0);
}

static bool is_open_data(struct run *run, const struct node *node, int depth)
{
    if (is_decided(run, node) || depth > DEEPEST_LOOK || !walk_visit(run, node))
        return false;
    bool open = node->kind == NODE_EXPR && node->expr.op == NODE_OP_LOAD;
    open |= node->kind == NODE_ATOM && !node->atom.deep && node->shape == SHAPE_VARYING;
    // Threads that look at words of their own.
    for (uint32_t i = 0; node->kind == NODE_PIECES && i < node->pieces.count && !open; ++i) {
        const struct node *one = node->pieces.piece[i].value;
        open = one->kind == NODE_ATOM && !one->atom.deep && !is_decided(run, one);
    }
    return open || any_part(run, node, depth, is_open_data);
}

bool has_open_part(struct run *run, const struct node *form)
{
    walk_begin(run);
    return is_open_data(run, form, 0);
}

bool made_to_differ(struct run *run, const struct node *node)
{
    if (!node || node->shape == SHAPE_UNIFORM || !walk_visit(run, node))
        return false;
    if (node->kind == NODE_LINEAR) {
        bool differs = made_to_differ(run, node->linear.base);
        for (uint32_t i = 0; i < node->linear.count && !differs; ++i)
            differs = made_to_differ(run, node->linear.term[i].atom);
        return differs;
    }
    if (node->kind != NODE_EXPR)
        return true;
    const struct node *const *argument = node->expr.argument;
    uint16_t op = node->expr.op;
    if ((op == IR_MIN || op == IR_MAX) &&
        (argument[0]->shape == SHAPE_UNIFORM || argument[1]->shape == SHAPE_UNIFORM))
        return false;
    bool differs = op == NODE_OP_LOAD || op == NODE_OP_CALL || op == NODE_OP_LANE;
    for (uint32_t i = 0; i < NODE_ARGUMENTS && !differs; ++i)
        differs = made_to_differ(run, argument[i]);
    return differs;
}

// Of a quotient or a cast, what it is made of.
static const struct node *inner_form(const struct node *form)
{
    while (form->kind == NODE_EXPR && (form->expr.op == IR_CAST || form->expr.op == IR_DIV))
        form = form->expr.argument[0];
    return form;
}

bool spans_row(struct run *run, const struct node *form)
{
    enum { WIDEST = 8 }; // bytes of a word
    form = inner_form(form);
    if (form->kind != NODE_LINEAR || form->linear.count != 2)
        return false;
    const struct node *address[2];
    for (uint32_t i = 0; i < 2; ++i) {
        const struct node *word = inner_form(form->linear.term[i].atom);
        if (word->kind != NODE_EXPR || word->expr.op != NODE_OP_LOAD)
            return false;
        address[i] = word->expr.argument[0];
    }
    int64_t apart;
    const struct node *between =
        resolve(run, node_binary(run->nodes, IR_SUB, 64, true, address[0], address[1]));
    return form->linear.term[0].factor == -form->linear.term[1].factor &&
           node_is_const(between, run->masks->all, run->masks, &apart) && apart != 0 &&
           apart >= -WIDEST && apart <= WIDEST;
}

bool counts_whole(const struct node *form)
{
    while (form->kind == NODE_EXPR && form->expr.op == IR_CAST)
        form = form->expr.argument[0];
    if (form->kind != NODE_EXPR || form->expr.op != IR_DIV ||
        form->expr.argument[1]->kind != NODE_CONST)
        return false;
    const struct node *size = form->expr.argument[0];
    int64_t divisor = form->expr.argument[1]->value;
    return !(size->kind == NODE_LINEAR && size->linear.base->kind == NODE_CONST &&
             size->linear.base->value == divisor - 1);
}

struct likeness {
    const struct mask *mask;
    uint32_t from, count;
};

static uint32_t other_of(const struct likeness *like, uint32_t thread)
{
    return like->from + thread % like->count;
}

// Whether the threads have the lane in common with those that they are held against.
static bool is_lane_alike(const struct run *run, const struct likeness *like)
{
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, like->mask, t) {
        uint32_t other = other_of(like, t);
        if (t / size != other / size || t % size % 32 != other % size % 32)
            return false;
    }
    return true;
}

// Whether the threads are each of one tile with that which they are held against.
static bool is_tile_alike(const struct run *run, const struct likeness *like, uint32_t tile)
{
    uint32_t size = run->engine->block_threads;
    mask_each (run->masks, like->mask, t) {
        uint32_t other = other_of(like, t);
        if (t / size != other / size || t % size / tile != other % size / tile)
            return false;
    }
    return true;
}

static bool is_part_alike(const struct run *run, const struct likeness *like,
                          const struct mask *part)
{
    mask_each (run->masks, like->mask, t) {
        if (mask_has(part, t) != mask_has(part, other_of(like, t)))
            return false;
    }
    return true;
}

enum { KEPT_ALIKE = 512, MANY_THREADS = 32 };

// Whether a value was found to be alike, which a run's shuffles ask of what others made before.
struct kept_alike {
    const struct node *node;
    struct likeness like;
    bool alike;
};

static struct kept_alike *kept_alike(struct run *run, const struct node *node,
                                     const struct likeness *like)
{
    struct kept_alike **all = &run->machines->alike;
    if (!*all)
        *all = arena_array(&run->arena, struct kept_alike, KEPT_ALIKE);
    uint64_t at = node->hash ^ like->mask->hash * 3 ^ like->from * UINT64_C(0x9e3779b97f4a7c15);
    return &(*all)[(at ^ at >> 32) % KEPT_ALIKE];
}

static bool is_made_alike(struct run *run, const struct node *node, const struct likeness *like);

static bool is_alike(struct run *run, const struct node *node, const struct likeness *like)
{
    if (!node || node->shape == SHAPE_UNIFORM || !walk_visit(run, node))
        return true;
    if (like->mask->count < MANY_THREADS)
        return is_made_alike(run, node, like);
    struct kept_alike *kept = kept_alike(run, node, like);
    if (kept->node == node && kept->like.mask == like->mask && kept->like.from == like->from &&
        kept->like.count == like->count)
        return kept->alike;
    bool alike = is_made_alike(run, node, like);
    *kept = (struct kept_alike){node, *like, alike};
    return alike;
}

static bool is_made_alike(struct run *run, const struct node *node, const struct likeness *like)
{
    bool alike = true;
    switch (node->kind) {
    case NODE_VECTOR:
        mask_each (run->masks, like->mask, t) {
            if (node->vector[t] != node->vector[other_of(like, t)])
                return false;
        }
        return true;
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count && alike; ++i)
            alike = is_alike(run, node->linear.term[i].atom, like);
        return alike && is_alike(run, node->linear.base, like);
    case NODE_ADDRESS:
        return !node->address.rank && run->object[node->address.object].kind != OBJECT_LOCAL &&
               is_alike(run, node->address.offset, like);
    case NODE_EXPR:
        for (uint32_t i = 0; i < NODE_ARGUMENTS && alike; ++i)
            alike = is_alike(run, node->expr.argument[i], like);
        return alike && node->expr.op != NODE_OP_LANE;
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count && alike; ++i)
            alike = is_part_alike(run, like, node->pieces.piece[i].mask) &&
                    is_alike(run, node->pieces.piece[i].value, like);
        return alike;
    default:
        return (node_is_by_lane(node) && is_lane_alike(run, like)) ||
               (node_tile(node) && is_tile_alike(run, like, node_tile(node)));
    }
}

bool made_alike(struct run *run, const struct node *node, const struct mask *mask, uint32_t from,
                uint32_t count)
{
    const struct likeness like = {mask, from, count};
    walk_begin(run);
    return is_alike(run, node, &like);
}

// Notes what the threads of one block of the cluster have asked; `holds`: for whom it is so.
static void note_asked(struct run *run, const struct mask *mask, const struct question *question,
                       const struct mask *holds, struct decision *decision)
{
    uint32_t block = mask->first / run->engine->block_threads;
    int64_t least = question_threshold(question, mask->first);
    bool one = !question->equality && mask_subset(run->masks, mask, run->block_mask[block]) &&
               (holds->count == 0 || holds->count == mask->count);
    mask_each (run->masks, mask, t)
        one = one && question_threshold(question, t) == least;
    if (!one)
        return;
    decision->block = block + 1;
    decision->least = least;
    decision->holds = holds->count > 0;
}

bool parts_blocks_in_turn(struct run *run, const struct mask *mask, const struct question *question,
                          const struct mask *holds, struct decision *decision)
{
    int64_t most = run->engine->blocks;
    if (most == 1 || mask->count == 0 || question->form->shape != SHAPE_UNIFORM ||
        parting_is_rest(run, question->form))
        return false;
    note_asked(run, mask, question, holds, decision);
    for (ptrdiff_t i = 0; decision->block && i < arrlen(run->decision); ++i) {
        const struct decision *other = &run->decision[i];
        int64_t apart = other->least - decision->least;
        if (other->block && other->block != decision->block && other->form == decision->form &&
            other->holds != decision->holds && apart > -most && apart < most)
            return true;
    }
    return false;
}
