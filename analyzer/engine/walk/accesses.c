// Loads, stores and copies: what they read and write, and all that follows for barriers, copies and
// races from their touching memory.
#include "engine/walk/accesses.h"
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

static bool is_global(const struct run *run, const struct node *address)
{
    enum object_kind kind =
        address->kind == NODE_ADDRESS ? run->object[address->address.object].kind : OBJECT_GLOBAL;
    return kind == OBJECT_GLOBAL || kind == OBJECT_PARAM;
}

// A block is guessed too large where its threads reach beyond an array of the block.
static void check_guess(struct run *run, const struct group *group, const struct node *address)
{
    const struct engine *engine = run->engine;
    if (engine->shape.block_known || engine->too_large || engine->host || group->arms ||
        address->kind != NODE_ADDRESS || run->object[address->address.object].type == IR_NONE)
        return;
    const struct object *object = &run->object[address->address.object];
    uint64_t size = engine->unit->type[object->type].size;
    if (object->kind != OBJECT_SHARED || object->space != IR_SPACE_SHARED || size == 0 ||
        !node_known(address->address.offset))
        return;
    int64_t at;
    mask_each (run->masks, group->mask, t) {
        if (node_lane(address->address.offset, t, &at) && at >= (int64_t)size)
            run->engine->too_large = true;
    }
}

static enum announcement announcement_of(const struct ir_op *op)
{
    return op->flags & IR_RELEASE                  ? ANNOUNCE_RELEASE
           : op->flags & (IR_VOLATILE | IR_ATOMIC) ? ANNOUNCE_WORD
                                                   : ANNOUNCE_DATA;
}

// How many elements there are room for in the array that the operation indexes: in that of a record
// until the next member, in one carved from dynamic shared memory until the next one, where it may
// hang on an unknown number which threads go there. 0: nobody knows.
static uint64_t room(struct run *run, struct group *group, const struct ir_op *at)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = frame_function(run, group->frame);
    ir_value member =
        facts_member_array(run->engine, group->frame->function, ir_operand(function, at, 0));
    if (member != IR_NONE) {
        const struct ir_type *array =
            &unit->type[unit->type[ir_op_at(function, member)->type].elem];
        // Those of one element and of none have as many as there is room for.
        bool whole = at->imm * (int64_t)array->count == (int64_t)array->size && array->count > 1;
        return whole && array->count <= INT32_MAX ? array->count : 0;
    }
    const struct node *base = group_get(run, group, ir_operand(function, at, 0));
    if (base->kind != NODE_ADDRESS || base->address.offset->kind != NODE_CONST || at->imm <= 0 ||
        run->object[base->address.object].space != IR_SPACE_SHARED_DYNAMIC ||
        (!group->arms && (group->mask->count == run->masks->threads || arrlen(run->decision) == 0)))
        return 0;
    int64_t begin = base->address.offset->value, end = carved_end(run->engine, begin);
    return end == INT64_MAX ? 0 : (uint64_t)((end - begin) / at->imm);
}

// The threads that stay within the array that they index: what is beyond it belongs to another one,
// and who would come there is held back by a number that nobody knows.
static const struct mask *within_array(struct run *run, struct group *group, ir_value where)
{
    const struct ir_function *function = frame_function(run, group->frame);
    const struct ir_op *at = ir_op_at(function, where);
    if (!at || at->code != IR_INDEX)
        return group->mask;
    int64_t count = (int64_t)room(run, group, at);
    const struct node *index = resolve(run, group_get(run, group, ir_operand(function, at, 1)));
    struct reach reach;
    if (count == 0 || !node_reach(run->nodes, index, group->mask, &reach) || reach.high < count)
        return group->mask;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    mask_each (run->masks, group->mask, t) {
        int64_t number;
        if (node_lane(index, t, &number) && number < count)
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return mask_from_words(run->masks, word);
}

// In loops that are passed over.
static void note_in_loops(struct run *run, const struct group *group, const struct node *address,
                          bool writes)
{
    if (address->kind != NODE_ADDRESS || run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    uint64_t bit = UINT64_C(1) << address->address.object % 64;
    for (struct arms *arms = group->arms; arms; arms = arms->outer)
        if (arms->loop != IR_NONE)
            *(writes ? &arms->written : &arms->read) |= bit;
}

void access_touched(struct run *run, struct group *all, const struct node *address, ir_value where,
                    uint32_t size, bool writes, bool tells)
{
    struct group those = *all, *group = all;
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i) {
            const struct node_piece *piece = &address->pieces.piece[i];
            those.mask = mask_and(run->masks, all->mask, piece->mask);
            if (those.mask->count)
                access_touched(run, &those, piece->value, where, size, writes, tells);
        }
        return;
    }
    check_guess(run, group, address);
    those.mask = within_array(run, all, where);
    if (those.mask->count == 0)
        return;
    if (those.mask != all->mask)
        group = &those;
    if (!is_global(run, address) && address->kind == NODE_ADDRESS)
        deeds_access(run, group, where, address->address.offset, writes);
    memory_touched(run, group, address, size, writes);
    early_touched(run, group, address, size, writes);
    loads_touched(run, group, address, size, writes);
    if (writes && is_global(run, address))
        copies_source_touched(run, group, address, size);
    abandoned_touched(run, group, address, size, writes);
    if (tells && !writes)
        handed_asked(run, group, address, size);
    if (tells && writes)
        handed_told(run, group, address, size);
    handed_touched(run, group, address, size, writes);
    if (tells) {
        orders_tell(run, group->mask);
        orders_ask(run, group->mask);
    } else {
        note_in_loops(run, group, address, writes);
        races_touched(run, group, address, where, size, writes ? RACE_WRITE : RACE_READ);
    }
}

// Whether the operation puts back what it has from there: x[i] = x[i].
static bool changes_nothing(struct run *run, struct group *group, const struct ir_op *op)
{
    const struct ir_function *function = frame_function(run, group->frame);
    ir_value from = op->code == IR_COPY    ? ir_operand(function, op, 1)
                    : op->code == IR_STORE ? facts_stored_back(function, group->frame->block, op)
                                           : IR_NONE;
    return from != IR_NONE &&
           group_get(run, group, from) == group_get(run, group, ir_operand(function, op, 0));
}

// Plain accesses race; atomic ones are how threads tell each other something, and so are volatile
// ones where threads wait for what others write.
static void touched(struct run *run, struct group *group, const struct ir_op *op,
                    const struct node *address, ir_value where, uint32_t size, bool writes)
{
    if (changes_nothing(run, group, op))
        return;
    bool tells = op->flags & IR_ATOMIC || (op->flags & IR_VOLATILE && run->engine->known->polls);
    if (op->flags & (IR_ATOMIC | IR_VOLATILE))
        orders_speak(run, group->mask);
    if (writes && is_global(run, address))
        announce_wrote(run, group, announcement_of(op));
    if (writes && (op->flags & IR_VOLATILE || run->engine->known->polls))
        orders_signal(run, group->mask);
    access_touched(run, group, address, where, size, writes, tells);
}

enum { DEEP = 4 }; // expressions, in operations

// What the arms' condition is in the threads of the mask, which are asked about again and again.
static void see_arms(struct run *run, struct arms *arms, const struct mask *mask)
{
    if (arms->seen.mask == mask)
        return;
    const struct node *condition = arms_condition(arms);
    arms->seen.mask = mask;
    arms->seen.condition = node_restrict(run->nodes, condition, mask);
    arms->seen.denied = node_not(run->nodes, arms->seen.condition);
    arms->seen.denied_by_all = node_not(run->nodes, condition);
}

// Whether the condition is known in an arm that the group executes; `holds`: which way.
static bool arm_decides(struct run *run, const struct group *group, const struct node *condition,
                        bool *holds)
{
    for (struct arms *arms = group->arms; arms; arms = arms->outer) {
        see_arms(run, arms, group->mask);
        *holds = condition == arms->condition || condition == arms->seen.condition;
        if (*holds || condition == arms->seen.denied_by_all || condition == arms->seen.denied)
            return true;
    }
    return false;
}

// What a value is within the arms that the group executes: their conditions hold there, so that
// what was stored in them is what one reads.
static const struct node *seen_in_arms(struct run *run, const struct group *group,
                                       const struct node *node, int depth)
{
    bool holds;
    while (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE &&
           arm_decides(run, group, node->expr.argument[0], &holds))
        node = node->expr.argument[holds ? 1 : 2];
    if (node->kind == NODE_EXPR && arm_decides(run, group, node, &holds))
        return holds ? run->nodes->one : run->nodes->zero; // MERGE of these two
    // What host code makes of the sizes of a launch is little, unlike what kernels make of data.
    if (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE && depth < DEEP &&
        run->engine->host) {
        const struct node *yes = seen_in_arms(run, group, node->expr.argument[1], depth + 1);
        const struct node *no = seen_in_arms(run, group, node->expr.argument[2], depth + 1);
        return yes == node->expr.argument[1] && no == node->expr.argument[2]
                   ? node
                   : node_select(run->nodes, node->expr.argument[0], yes, no);
    }
    if (node->kind != NODE_PIECES)
        return node;
    struct node_piece *piece = arena_array(&run->arena, struct node_piece, node->pieces.count);
    for (uint32_t i = 0; i < node->pieces.count; ++i) {
        piece[i].mask = node->pieces.piece[i].mask;
        piece[i].value = seen_in_arms(run, group, node->pieces.piece[i].value, depth);
    }
    return node_pieces(run->nodes, piece, node->pieces.count);
}

static void loaded(struct run *run, struct group *group, ir_value value, const struct node *content)
{
    if (group->arms)
        content = seen_in_arms(run, group, content, 0);
    // What is computed from itself again and again stays within what is looked into.
    if (content->depth > DEEP)
        content = resolve(run, content);
    group_set(run, group, value, content);
}

// The register that the operation is about, or 0.
uint32_t access_register(const struct run *run, const struct group *group, ir_value value)
{
    return facts_of(run->engine, group->frame->function)->registers.of[value];
}

void access_execute(struct run *run, struct group *group, const struct ir_op *op, ir_value value)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    uint32_t variable = access_register(run, group, value);
    if (variable) {
        if (op->code == IR_LOAD)
            loaded(run, group, value, register_load(run, group, variable));
        else
            register_store(run, group, variable,
                           group_get(run, group, ir_operand(function, op, 1)));
        return;
    }
    const struct node *a = group_get(run, group, ir_operand(function, op, 0));
    switch (op->code) {
    case IR_LOAD:
        if (op->flags & (IR_VOLATILE | IR_ATOMIC))
            host_waits(run); // for what a kernel writes, perhaps
        touched(run, group, op, a, ir_operand(function, op, 0),
                (uint32_t)run->engine->unit->type[op->type].size, false);
        loaded(run, group, value,
               memory_load(run, group->mask, a, op->type,
                           (op->flags & (IR_VOLATILE | IR_ATOMIC)) != 0));
        break;
    case IR_STORE: {
        ir_value stored = ir_operand(function, op, 1);
        ir_type_id type = ir_op_at(function, stored)->type;
        uint32_t size = type == IR_NONE ? 8 : (uint32_t)run->engine->unit->type[type].size;
        memory_store(run, group->mask, a, size ? size : 8, group_get(run, group, stored),
                     group->arms);
        touched(run, group, op, a, ir_operand(function, op, 0), size ? size : 8, true);
        break;
    }
    case IR_COPY: {
        const struct node *from = group_get(run, group, ir_operand(function, op, 1));
        memory_copy(run, group->mask, a, from, op->imm, group->arms);
        touched(run, group, op, from, ir_operand(function, op, 1), (uint32_t)op->imm, false);
        touched(run, group, op, a, ir_operand(function, op, 0), (uint32_t)op->imm, true);
        break;
    }
    default: // IR_ZERO
        memory_zero(run, group->mask, a, op->imm, group->arms);
        touched(run, group, op, a, ir_operand(function, op, 0), (uint32_t)op->imm, true);
        break;
    }
}

// An access to memory whose data nobody follows.
void access_note(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                 enum op_mode mode)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    bool reads = op->code == IR_LOAD, copies = op->code == IR_COPY;
    if (mode == OP_TOUCH) {
        announce_wrote(run, group,
                       op->code == IR_PTX ? atomic_announces(facts_model(
                                                run->engine, group->frame->function, value))
                                          : announcement_of(op));
        return;
    }
    if (!copies && access_register(run, group, value))
        return;
    ir_value where = ir_operand(function, op, 0);
    const struct node *address = group_get(run, group, where);
    uint32_t size = (uint32_t)op->imm;
    if (!copies && op->code != IR_ZERO) {
        ir_type_id type = reads ? op->type : ir_op_at(function, ir_operand(function, op, 1))->type;
        size = type == IR_NONE ? 8 : (uint32_t)unit->type[type].size;
    }
    if (copies)
        touched(run, group, op, group_get(run, group, ir_operand(function, op, 1)),
                ir_operand(function, op, 1), size, false);
    touched(run, group, op, address, where, size, !reads);
}
