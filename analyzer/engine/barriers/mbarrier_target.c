// Which mbarriers an operation means, thread by thread.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/mbarrier_internal.h"
#include "engine/story/record.h"

static uint32_t mbarrier_at(struct run *run, uint32_t object, int64_t offset, uint32_t block)
{
    struct machines *machines = run->machines;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier); ++i) {
        const struct mbarrier *old = &machines->mbarrier[i];
        if (old->object == object && old->offset == offset && old->block == block)
            return (uint32_t)i;
    }
    struct mbarrier fresh = {.object = object, .offset = offset, .block = block, .untouched = true};
    fresh.user = arena_array(&run->arena, struct barlint_user, run->masks->threads);
    fresh.passed = arena_array(&run->arena, uint32_t, run->masks->threads);
    fresh.refused = arena_array(&run->arena, uint32_t, run->masks->threads);
    fresh.holder = arena_array(&run->arena, struct holder, run->masks->threads);
    fresh.result_object = record_object(run, object, offset, true);
    fresh.init_mask = run->masks->none;
    fresh.shared_unknown = run->object[object].handed;
    fresh.after = run->masks->none;
    fresh.arrived = fresh.ever_arrived = fresh.waiting_ever = run->masks->none;
    uint32_t index = (uint32_t)arrlen(machines->mbarrier);
    barlint_mbarrier_clear(&fresh.state, index, block);
    arrput(machines->mbarrier, fresh);
    return index;
}

void mbarriers_hand(struct run *run, const struct node *address)
{
    for (uint32_t i = 0; address->kind == NODE_PIECES && i < address->pieces.count; ++i)
        mbarriers_hand(run, address->pieces.piece[i].value);
    if (address->kind != NODE_ADDRESS)
        return;
    struct object *object = &run->object[address->address.object];
    // What nothing declares takes its arguments by reference: the address lies in a temporary.
    for (ptrdiff_t i = 0; object->kind == OBJECT_LOCAL && i < arrlen(object->cell); ++i) {
        const struct node *held = object->cell[i].value.value;
        if (held->kind == NODE_ADDRESS && run->object[held->address.object].kind != OBJECT_LOCAL)
            mbarriers_hand(run, held);
    }
    object->handed = true;
    for (ptrdiff_t i = 0; i < arrlen(run->machines->mbarrier); ++i) {
        struct mbarrier *at = &run->machines->mbarrier[i];
        struct object *lies_in = &run->object[at->object];
        bool in_region = lies_in->beyond && lies_in->within == address->address.object;
        lies_in->handed |= in_region;
        at->shared_unknown |= in_region || at->object == address->address.object;
    }
}

static uint32_t block_of(const struct run *run, uint32_t thread)
{
    return thread / run->engine->block_threads;
}

static uint32_t targets_add(struct target *target, uint32_t count, struct run *run,
                            uint32_t mbarrier, const struct mask *mask, uint32_t object,
                            bool shared)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (target[i].mbarrier == mbarrier && target[i].object == object) {
            target[i].mask = mask_or(run->masks, target[i].mask, mask);
            return count;
        }
    }
    if (count == MAX_TARGETS)
        return count;
    target[count] = (struct target){mbarrier, mask, object, shared};
    return count + 1;
}

// Adds the threads, which all mean the mbarrier at that offset in that block.
static uint32_t targets_at(struct run *run, const struct mask *threads, uint32_t object,
                           int64_t offset, uint32_t block, struct target *target, uint32_t count)
{
    uint32_t index = mbarrier_at(run, object, offset, block);
    return targets_add(target, count, run, index, threads,
                       run->machines->mbarrier[index].result_object,
                       run->object[object].kind == OBJECT_SHARED);
}

static uint32_t targets_meant(struct run *run, const struct mask_builder *threads, uint32_t object,
                              int64_t offset, uint32_t block, struct target *target, uint32_t count)
{
    return targets_at(run, mask_builder_end(run->masks, threads), object, offset, block, target,
                      count);
}

uint32_t targets_of(struct run *run, const struct mask *mask, const struct node *address,
                    struct target *target, uint32_t count)
{
    if (address->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < address->pieces.count; ++i) {
            const struct mask *part = mask_and(run->masks, mask, address->pieces.piece[i].mask);
            if (part->count)
                count = targets_of(run, part, address->pieces.piece[i].value, target, count);
        }
        return count;
    }
    if (address->kind != NODE_ADDRESS)
        return targets_add(target, count, run, UINT32_MAX, mask, UINT32_MAX, false);
    const struct object *object = &run->object[address->address.object];
    bool shared = object->kind == OBJECT_SHARED;
    const struct node *offset = address->address.offset;
    if (!node_known(offset) || (address->address.rank && !node_known(address->address.rank))) {
        uint32_t summary = record_object(run, address->address.object, 0, false);
        return targets_add(target, count, run, UINT32_MAX, mask, summary, shared);
    }
    if (object->kind == OBJECT_LOCAL) {
        // Every thread has its own, and none of them is an mbarrier: init-placement tells it.
        int64_t at = 0;
        node_lane(offset, mask->first, &at);
        return targets_add(target, count, run, UINT32_MAX, mask,
                           record_object(run, address->address.object, at, true), false);
    }
    if (offset->kind == NODE_CONST && !address->address.rank) { // all of a block mean one object
        for (uint32_t b = 0; b < run->engine->blocks; ++b) {
            const struct mask *here =
                shared ? mask_and(run->masks, mask, run->block_mask[b]) : mask;
            if (here->count)
                count =
                    targets_at(run, here, address->address.object, offset->value, b, target, count);
            if (!shared)
                break;
        }
        return count;
    }
    // Neighbouring threads mostly mean the same object.
    struct mask_builder same;
    int64_t same_at = 0, same_rank = -1;
    mask_each (run->masks, mask, t) {
        int64_t at = 0, rank = block_of(run, t);
        node_lane(offset, t, &at);
        if (address->address.rank)
            node_lane(address->address.rank, t, &rank);
        if (!shared)
            rank = 0;
        if (rank < 0 || rank >= run->engine->blocks) {
            rank = block_of(run, t);
            uint32_t own = mbarrier_at(run, address->address.object, at, (uint32_t)rank);
            run->machines->mbarrier[own].stands_in = true;
        }
        if (rank != same_rank || at != same_at) {
            if (same_rank >= 0)
                count = targets_meant(run, &same, address->address.object, same_at,
                                      (uint32_t)same_rank, target, count);
            mask_builder_clear(run->masks, &same);
            same_at = at;
            same_rank = rank;
        }
        mask_builder_add(&same, t);
    }
    if (same_rank >= 0)
        count = targets_meant(run, &same, address->address.object, same_at, (uint32_t)same_rank,
                              target, count);
    return count;
}

// The threads whose mask names block b, or their own block where b is the number of blocks.
static const struct mask *naming(const struct act *act, const struct node *blocks, uint32_t b)
{
    struct run *run = act->run;
    struct mask_builder named;
    mask_builder_clear(run->masks, &named);
    mask_each (run->masks, act->group->mask, t) {
        int64_t bits = 0;
        node_lane(blocks, t, &bits);
        if (bits >> (b < run->engine->blocks ? b : block_of(run, t)) & 1)
            mask_builder_add(&named, t);
    }
    return mask_builder_end(run->masks, &named);
}

// The threads whose barrier lies in the first block of a pair, or in the second one.
static const struct mask *in_half(const struct act *act, const struct node *rank, int64_t half)
{
    struct run *run = act->run;
    struct mask_builder there;
    mask_builder_clear(run->masks, &there);
    mask_each (run->masks, act->group->mask, t) {
        int64_t block = block_of(run, t);
        if (rank)
            node_lane(rank, t, &block);
        if ((block & 1) == half)
            mask_builder_add(&there, t);
    }
    return mask_builder_end(run->masks, &there);
}

// A multicast copy of a pair of blocks completes, for every block that its mask names, in that
// block or in the other of its pair: in the half in which the barrier lies that the copy is given.
// (PTX ISA 9.1, 9.7.9.27.1.2, .cta_group::2.)
static uint32_t targets_of_pairs(const struct act *act, const struct node *blocks,
                                 const struct node *address, struct target *target)
{
    struct run *run = act->run;
    uint32_t count = 0;
    for (int64_t b = 0; b < run->engine->blocks; ++b) {
        for (int64_t half = 0; half < 2; ++half) {
            const struct mask *threads = mask_and(run->masks, naming(act, blocks, (uint32_t)b),
                                                  in_half(act, address->address.rank, half));
            const struct node *peer =
                node_address(run->nodes, address->address.object, address->address.offset,
                             node_const(run->nodes, (b & ~(int64_t)1) | half));
            if (threads->count)
                count = targets_of(run, threads, peer, target, count);
        }
    }
    return count;
}

// A multicast copy completes on the barrier at the same offset in every block that its mask names.
// (PTX ISA 9.1, 9.7.9.25.) Every thread has a mask of its own: in a cluster of rows and columns the
// blocks' masks differ.
uint32_t targets_multicast(const struct act *act, const struct node *address, struct target *target,
                           uint32_t count)
{
    struct run *run = act->run;
    if (address->kind != NODE_ADDRESS || run->engine->blocks == 1)
        return count;
    const struct node *blocks = node_const(run->nodes, -1);
    if (act->op->multicast_mask != IR_NONE) {
        const struct node *named =
            operand_field(run, act->group, act->op, &act->op->multicast_mask);
        if (node_known(named))
            blocks = named;
    }
    if (act->op->kind == MODEL_BULK_LOAD && act->op->flags & MODEL_CTA_PAIR) {
        const struct node *rank = address->address.rank;
        uint32_t of_pairs =
            rank && !node_known(rank) ? 0 : targets_of_pairs(act, blocks, address, target);
        return of_pairs ? of_pairs : count;
    }
    // The issuing block comes first, if it is among them.
    uint32_t own = count;
    count = 0;
    const struct mask *first = naming(act, blocks, run->engine->blocks);
    if (first->count)
        count = targets_of(run, first, address, target, count);
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        const struct mask *threads = naming(act, blocks, b);
        if (!threads->count)
            continue;
        const struct node *peer = node_address(run->nodes, address->address.object,
                                               address->address.offset, node_const(run->nodes, b));
        count = targets_of(run, threads, peer, target, count);
    }
    return count ? count : own;
}
