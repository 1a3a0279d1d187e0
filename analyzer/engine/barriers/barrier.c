// Operations the model knows, handed to the machine they belong to.
#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/story/trace.h"
#include "engine/walk/walk.h"

void machines_init(struct run *run)
{
    const struct engine *engine = run->engine;
    struct machines *machines = arena_new(&run->arena, struct machines);
    run->machines = machines;
    machines->block = arena_array(&run->arena, struct block_state, engine->blocks);
    for (uint32_t b = 0; b < engine->blocks; ++b)
        barlint_cta_start(&machines->block[b].cta, engine->block_threads);
    barlint_cluster_start(&machines->cluster, engine->blocks, engine->block_threads);
    machines->cluster_thread =
        arena_array(&run->arena, struct barlint_cluster_thread, engine->threads);
    machines->epoch = arena_array(&run->arena, uint32_t, engine->threads);
    machines->waits = arena_array(&run->arena, uint32_t, engine->threads);
    machines->waited_at = arena_array(&run->arena, uint32_t, engine->threads);
    machines->cluster_epoch = arena_array(&run->arena, uint32_t, engine->threads);
    machines->refused = machines->served = run->masks->none;
    machines->asleep = arena_array(&run->arena, bool, engine->threads);
    touch_init(run);
    unread_init(run);
    copies_init(run);
    groups_init(run);
    stores_init(run);
    orders_init(run);
    races_init(run);
    written_init(run);
    spoken_init(run);
    abandoned_init(run);
    handed_init(run);
    announce_init(run);
    early_init(run);
    lag_init(run);
    premature_init(run);
    announced_init(run);
    rooms_init(run);
    loads_init(run);
    pulled_init(run);
}

void machines_release(struct run *run)
{
    arrfree(run->machines->mbarrier);
    arrfree(run->machines->region);
    arrfree(run->machines->token);
    hmfree(run->machines->token_of);
    arrfree(run->machines->copy);
    arrfree(run->machines->site);
    arrfree(run->machines->first_wait);
    arrfree(run->machines->pipe);
    copies_release(run);
    stores_release(run);
    races_release(run);
    written_release(run);
    early_release(run);
    lag_release(run);
    premature_release(run);
    announced_release(run);
    rooms_release(run);
    loads_release(run);
    unread_release(run);
}

uint64_t machines_releases(const struct run *run, const struct mask *mask)
{
    uint64_t sum = 0;
    mask_runs (run->masks, mask, from, to) {
        for (uint32_t t = from; t < to; ++t)
            sum += run->machines->releases[t];
    }
    return sum;
}

// --- Fences ----------------------------------------------------------------------------------

void mbarriers_publish(struct run *run, const struct mask *mask)
{
    struct machines *machines = run->machines;
    uint32_t size = run->engine->block_threads;
    for (ptrdiff_t i = 0; i < arrlen(machines->mbarrier); ++i) {
        mask_each (run->masks, mask, t) {
            struct barlint_actor actor = barlint_actor_of(t % size, t / size);
            actor.cluster_epoch = machines->cluster_epoch[t];
            barlint_mbarrier_fence(&machines->mbarrier[i].state, &actor);
        }
    }
}

static void execute_fence(struct run *run, struct group *group, const struct model_op *op)
{
    bool cluster = op->fence == MODEL_FENCE_CLUSTER || op->fence == MODEL_FENCE_GPU ||
                   op->fence == MODEL_FENCE_SYSTEM;
    bool proxy = op->fence == MODEL_FENCE_PROXY_ASYNC ||
                 op->fence == MODEL_FENCE_PROXY_ASYNC_SHARED ||
                 op->fence == MODEL_FENCE_PROXY_OTHER;
    if (cluster || op->fence == MODEL_FENCE_MBARRIER_INIT)
        mbarriers_publish(run, group->mask);
    if (op->fence == MODEL_FENCE_MET) {
        orders_tell(run, group->mask);
        orders_may_wait(run, group->mask);
    } else if (!proxy) { // whose fences tell other threads nothing
        orders_fence(run, group->mask);
    }
    if (op->fence == MODEL_FENCE_GPU || op->fence == MODEL_FENCE_SYSTEM)
        announce_fenced(run, group);
    if (cluster || op->fence == MODEL_FENCE_THREAD_BLOCK || op->fence == MODEL_FENCE_MET)
        touch_release(run, group->mask, cluster);
}

// --- Groups ----------------------------------------------------------------------------------

// A group's barrier is that of the threads its type names.
static bool group_sync_execute(struct run *run, struct group *group, const struct model_op *op,
                               ir_value value)
{
    struct model_op as = *op;
    switch (op->scope) {
    case MODEL_SCOPE_BLOCK:
        as.kind = MODEL_NAMED_SYNC;
        as.id = as.count = IR_NONE;
        as.id_constant = as.count_constant = 0;
        if (op->kind == MODEL_GROUP_SYNC || op->kind == MODEL_GROUP_WAIT ||
            op->kind == MODEL_GROUP_COPY_WAIT)
            return named_execute(run, group, &as, value);
        return true;
    case MODEL_SCOPE_CLUSTER:
        as.kind = op->kind == MODEL_GROUP_ARRIVE ? MODEL_CLUSTER_ARRIVE
                  : op->kind == MODEL_GROUP_WAIT ? MODEL_CLUSTER_WAIT
                                                 : MODEL_CLUSTER_SYNC;
        return cluster_execute(run, group, &as, value);
    case MODEL_SCOPE_GRID:
        // Other blocks are taken to come; what is left is the block's own barrier.
        as.kind = MODEL_NAMED_SYNC;
        as.id = as.count = IR_NONE;
        as.id_constant = as.count_constant = 0;
        if (op->kind != MODEL_GROUP_WAIT && op->kind != MODEL_GRID_WAIT)
            grid_sync(run, group, value);
        return op->kind == MODEL_GROUP_ARRIVE || op->kind == MODEL_GRID_ARRIVE ||
               named_execute(run, group, &as, value);
    default:
        as.kind = MODEL_WARP_SYNC;
        as.mask = IR_NONE;
        return warp_execute(run, group, &as, value);
    }
}

// The whole group waits until one of its threads has initialised the shared state of the pipeline
// (Programming Guide 13, 4.10.1).
static bool meets_for_pipe(struct run *run, struct group *group, const struct model_op *op,
                           ir_value value)
{
    struct model_op as = *op;
    as.kind = MODEL_GROUP_SYNC;
    return op->scope != MODEL_SCOPE_BLOCK || group_sync_execute(run, group, &as, value);
}

// Whether threads of one tile of several warps name different sources of a shuffle, which is
// undefined (Programming Guide 13, 5.6.3, thread_block_tile).
static bool sources_differ(struct run *run, struct group *group, const struct model_op *op)
{
    if (op->scope != MODEL_SCOPE_TILE || op->tile_size <= 32 || op->warp_op != MODEL_SHFL_IDX ||
        op->lane == IR_NONE)
        return false;
    const struct node *lane = operand_field(run, group, op, &op->lane);
    uint32_t size = run->engine->block_threads, tile = (uint32_t)op->tile_size, of = UINT32_MAX;
    int64_t first = 0, now;
    mask_each (run->masks, group->mask, t) {
        uint32_t here = t / size * size + t % size / tile * tile;
        if (!node_lane(lane, t, &now))
            return false;
        if (here == of && now != first)
            return true;
        first = here == of ? first : now;
        of = here;
    }
    return false;
}

// One thread of each tile stores what the tile has worked out together, when it likes
// (reduce_store_async): the others must synchronise with it.
static void store_of_group(struct run *run, struct group *group, const struct model_op *op)
{
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    ir_type_id to = ir_op_at(function, op->dst)->type;
    ir_type_id stored =
        to != IR_NONE && unit->type[to].kind == IR_TYPE_POINTER ? unit->type[to].elem : IR_NONE;
    if (op->scope != MODEL_SCOPE_TILE || op->tile_size <= 1 || stored == IR_NONE ||
        (unit->type[stored].kind != IR_TYPE_INT && unit->type[stored].kind != IR_TYPE_FLOAT))
        return;
    uint32_t size = run->engine->block_threads, tile = (uint32_t)op->tile_size;
    struct mask_builder first;
    mask_builder_clear(run->masks, &first);
    mask_each (run->masks, group->mask, t) {
        if (t % size % tile == 0)
            mask_builder_add(&first, t);
    }
    struct group one = *group;
    one.mask = mask_builder_end(run->masks, &first);
    if (one.mask->count)
        races_touched(run, &one, operand_field(run, group, op, &op->dst), op->dst,
                      (uint32_t)unit->type[stored].size, RACE_WRITE);
}

// reduce(), shfl() and the like take their value by reference: what lies in memory is read there.
static void load_of_group(struct run *run, struct group *group, const struct model_op *op)
{
    if (op->value == IR_NONE || !model_is_indirect(op, &op->value))
        return;
    const struct ir_unit *unit = run->engine->unit;
    const struct ir_function *function = &unit->function[group->frame->function];
    ir_type_id from = ir_op_at(function, op->value)->type;
    if (from == IR_NONE || unit->type[from].kind != IR_TYPE_POINTER)
        return;
    const struct node *address = operand_of(run, group, op->value);
    if (address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_SHARED)
        access_touched(run, group, address, op->value,
                       (uint32_t)unit->type[unit->type[from].elem].size, false, false);
}

// What a tile of a whole warp votes is a vote of that warp; what a smaller one votes all of it are
// told.
static const struct node *collective_result(struct run *run, struct group *group,
                                            const struct model_op *op)
{
    const char *name = "the result of a group's operation";
    bool votes = op->warp_op == MODEL_VOTE_ANY || op->warp_op == MODEL_VOTE_ALL ||
                 op->warp_op == MODEL_VOTE_BALLOT;
    bool by_tile = op->kind == MODEL_GROUP_COLLECTIVE && op->scope == MODEL_SCOPE_TILE && votes;
    if (by_tile && op->tile_size == 32)
        return warp_voted(run, group, op);
    if (by_tile && op->tile_size > 0 && op->tile_size < 32)
        return run_by_tile(run, name, SHAPE_UNKNOWN, (uint32_t)op->tile_size, 0,
                           op->warp_op == MODEL_VOTE_BALLOT ? (INT64_C(1) << op->tile_size) - 1
                                                            : 1);
    enum node_shape shape = op->scope == MODEL_SCOPE_BLOCK ? SHAPE_UNIFORM : SHAPE_UNKNOWN;
    return run_exchanged(run, name, shape, INT64_MIN, INT64_MAX);
}

static void execute_collective(struct run *run, struct group *group, const struct model_op *op,
                               ir_value value)
{
    load_of_group(run, group, op);
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    if (op->count != IR_NONE)
        record_range(run, &event->count, operand_field(run, group, op, &op->count), group->mask,
                     operand_assumed(run, group, op->count));
    event->reads_absent |= reads_absent_lane(run, group, op, value);
    event->sources_differ |= sources_differ(run, group, op);
    if (op->kind == MODEL_GROUP_COLLECTIVE &&
        (op->scope == MODEL_SCOPE_TILE || op->scope == MODEL_SCOPE_COALESCED)) {
        meeting_join(run, group, op, value);
        meeting_reads(run, group, op, value);
    }
    // Lanes that exchange values by shuffles and votes order no memory, whoever spells them.
    bool exchanges = op->kind == MODEL_GROUP_COLLECTIVE &&
                     (op->scope == MODEL_SCOPE_COALESCED || (op->tile_size && op->tile_size <= 32));
    orders_gather(run, group->mask, true);
    if (op->scope == MODEL_SCOPE_TILE && !exchanges)
        orders_meet(run, group->mask, NULL);
    else if (op->scope != MODEL_SCOPE_TILE && !exchanges)
        orders_tell(run, group->mask);
    const struct ir_op *at = ir_op_at(&run->engine->unit->function[group->frame->function], value);
    if (at->type != IR_NONE)
        group_set(run, group, value, collective_result(run, group, op));
    if (op->dst != IR_NONE)
        store_of_group(run, group, op);
    if (op->result != IR_NONE && !groups_keeps(op))
        memory_forget(run, group->mask, group_get(run, group, op->result));
}

static bool execute_at_mbarrier(struct run *run, struct group *group, const struct model_op *op,
                                ir_value value)
{
    if (run->engine->host) {
        host_uses(run, operand_field(run, group, op, &op->object), named_site_here(run, group).loc);
        plain_execute(run, group, op, value);
        return true;
    }
    copy_note(run, group, op, value);
    peers_target(run, group, op, value);
    return op->object == IR_NONE || mbarrier_execute(run, group, op, value);
}

static void execute_setmaxnreg(struct run *run, struct group *group, const struct model_op *op,
                               ir_value value)
{
    aligned_execute(run, group, op, value);
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    record_range(run, &event->count, operand_field(run, group, op, &op->count), group->mask,
                 operand_assumed(run, group, op->count));
}

// What the lanes of whole warps do together: products of matrices, and moving parts of these.
static void execute_by_warps(struct run *run, struct group *group, const struct model_op *op,
                             ir_value value)
{
    aligned_execute(run, group, op, value);
    unread_touched(run, group->mask, UINT32_MAX, 0, 0);
    if (run->afterlife)
        touch_data(run, group->mask, TOUCH_LOAD); // of matrices in shared memory
    // Lanes of one warp see what the others have done before, and do behind it; but each of
    // them stores its own part of a matrix, and nobody waits for that.
    orders_meet(run, group->mask, NULL);
    aligned_touch(run, group, op);
    if (op->src != IR_NONE || op->dst == IR_NONE)
        orders_meet(run, group->mask, NULL);
    if (op->result != IR_NONE) // a fragment
        memory_forget(run, group->mask, group_get(run, group, op->result));
    record_event(run, group, group->mask, op, value, UINT32_MAX);
    plain_execute(run, group, op, value);
}

static bool execute_at_pipe(struct run *run, struct group *group, const struct model_op *op,
                            ir_value value)
{
    bool goes_on = pipes_execute(run, group, op, value);
    record_event(run, group, group->mask, op, value, UINT32_MAX);
    trace_other(run, group, value);
    plain_execute(run, group, op, value);
    return op->kind == MODEL_PIPELINE_MAKE ? meets_for_pipe(run, group, op, value) : goes_on;
}

bool barrier_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    run->at_chain = group->frame->chain;
    copies_execute(run, group, op, value);
    stores_execute(run, group, op, value);
    groups_execute(run, group, op, value);
    switch (op->kind) {
    case MODEL_NAMED_SYNC:
    case MODEL_NAMED_ARRIVE:
    case MODEL_NAMED_RED:
        return named_execute(run, group, op, value);
    case MODEL_WARP_SYNC:
    case MODEL_WARP_SHUFFLE:
    case MODEL_WARP_VOTE:
    case MODEL_WARP_MATCH:
    case MODEL_WARP_REDUCE:
    case MODEL_WARP_ELECT:
    case MODEL_ACTIVE_MASK:
        return warp_execute(run, group, op, value);
    case MODEL_CLUSTER_ARRIVE:
    case MODEL_CLUSTER_WAIT:
    case MODEL_CLUSTER_SYNC:
        return cluster_execute(run, group, op, value);
    case MODEL_MBARRIER_INIT:
    case MODEL_MBARRIER_INVAL:
    case MODEL_MBARRIER_ARRIVE:
    case MODEL_MBARRIER_EXPECT_TX:
    case MODEL_MBARRIER_COMPLETE_TX:
    case MODEL_MBARRIER_TEST:
    case MODEL_MBARRIER_WAIT:
    case MODEL_MBARRIER_ARRIVE_WAIT:
    case MODEL_MBARRIER_CP_ASYNC_ARRIVE:
    case MODEL_MBARRIER_ASYNC_ARRIVE:
    case MODEL_BULK_LOAD:
    case MODEL_ASYNC_STORE:
    case MODEL_CLUSTER_LAUNCH_CANCEL:
        return execute_at_mbarrier(run, group, op, value);
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_ARRIVE:
    case MODEL_GROUP_WAIT:
    case MODEL_GROUP_COPY_WAIT:
    case MODEL_GRID_SYNC:
    case MODEL_GRID_ARRIVE:
    case MODEL_GRID_WAIT:
        return group_sync_execute(run, group, op, value);
    case MODEL_GROUP_COLLECTIVE:
    case MODEL_GROUP_MAKE:
        execute_collective(run, group, op, value);
        return true;
    case MODEL_FENCE:
        record_event(run, group, group->mask, op, value, UINT32_MAX);
        execute_fence(run, group, op);
        return true;
    case MODEL_EXIT:
        group_exit(run, group);
        return true;
    case MODEL_BULK_STORE:
    case MODEL_CP_ASYNC:
    case MODEL_GROUP_COPY:
        copy_note(run, group, op, value);
        return true;
    case MODEL_ADDRESS_SAME:
    case MODEL_ADDRESS_PEER:
    case MODEL_VALUE:
    case MODEL_ATOMIC:
    case MODEL_MEMORY_SET:
    case MODEL_TRAP:
    case MODEL_NOTHING:
    case MODEL_MBARRIER_HANDLE:
        plain_execute(run, group, op, value);
        return true;
    case MODEL_MBARRIER_PENDING:
        mbarrier_pending(run, group, op, value);
        record_event(run, group, group->mask, op, value, UINT32_MAX);
        plain_execute(run, group, op, value);
        return true;
    case MODEL_PIPELINE_MAKE:
    case MODEL_PIPELINE_ACQUIRE:
    case MODEL_PIPELINE_COMMIT:
    case MODEL_PIPELINE_WAIT:
    case MODEL_PIPELINE_RELEASE:
    case MODEL_PIPELINE_QUIT:
    case MODEL_PIPELINE_COPY:
        return execute_at_pipe(run, group, op, value);
    case MODEL_GRID_DEPENDENCY_WAIT:
        predecessor_waited(run, group->mask);
        record_event(run, group, group->mask, op, value, UINT32_MAX);
        trace_other(run, group, value);
        return true;
    case MODEL_SETMAXNREG:
        execute_setmaxnreg(run, group, op, value);
        return true;
    case MODEL_WARPGROUP:
    case MODEL_WARP_ALIGNED:
        execute_by_warps(run, group, op, value);
        return true;
    default:
        if (model_multiplies(op))
            unread_touched(run, group->mask, UINT32_MAX, 0, 0);
        record_event(run, group, group->mask, op, value, UINT32_MAX);
        trace_other(run, group, value);
        plain_execute(run, group, op, value);
        return true;
    }
}

// --- Copies ----------------------------------------------------------------------------------

static void address_range(struct run *run, struct engine_range *range, const struct node *address,
                          const struct mask *mask)
{
    // The greatest power of two, up to 128, that divides every offset of the set; the variable's
    // own alignment bounds what the declarations promise.
    int64_t allowed = 128;
    if (address->kind != NODE_ADDRESS || !node_known(address->address.offset))
        return;
    const struct object *object = &run->object[address->address.object];
    if (object->align == 0)
        return;
    mask_each (run->masks, mask, t) {
        int64_t offset = 0;
        node_lane(address->address.offset, t, &offset);
        while (allowed > 1 && offset % allowed)
            allowed /= 2;
    }
    int64_t promised = (int64_t)object->align < allowed ? (int64_t)object->align : allowed;
    if (!range->given)
        *range = (struct engine_range){
            .given = true, .known = true, .low = promised, .high = allowed, .text = object->name};
    if (promised < range->low)
        range->low = promised;
    if (allowed < range->high)
        range->high = allowed;
}

// Whether the address is one of a variable, and not in shared memory, as it must be; or, where that
// is not asked for, of one that is not in global memory.
static bool lies_elsewhere(const struct run *run, const struct node *address, bool shared)
{
    if (address->kind != NODE_ADDRESS)
        return false;
    enum object_kind kind = run->object[address->address.object].kind;
    return shared ? kind == OBJECT_LOCAL || (kind == OBJECT_GLOBAL && !address->address.rank)
                  : kind == OBJECT_LOCAL || kind == OBJECT_SHARED;
}

// The threads whose blocks a copy writes to: a multicast may reach every block of the cluster.
static const struct mask *written_by(const struct run *run, const struct group *group,
                                     const struct model_op *op, const struct node *to)
{
    int64_t offset;
    bool everywhere = op->flags & MODEL_MULTICAST && to->kind == NODE_ADDRESS &&
                      node_is_const(to->address.offset, group->mask, run->masks, &offset);
    return everywhere ? run->masks->all : group->mask;
}

// The bytes that every thread copies; -1 where nobody knows them.
static int64_t copied_bytes(struct run *run, struct group *group, const struct model_op *op)
{
    const struct node *bytes = NULL;
    int64_t number;
    if (op->kind == MODEL_CLUSTER_LAUNCH_CANCEL)
        return op->bytes_constant;
    if (op->bytes != IR_NONE)
        bytes = operand_field(run, group, op, &op->bytes);
    else if (op->kind == MODEL_BULK_LOAD && op->flags & MODEL_TENSOR)
        bytes = tensor_bytes(run, group, op);
    return bytes && node_is_const(bytes, group->mask, run->masks, &number) ? number : -1;
}

// An end of a copy in shared memory, of whatever length.
static void note_copied(struct run *run, struct group *group, const struct model_op *op,
                        const ir_value *end)
{
    const struct node *at = *end == IR_NONE ? NULL : operand_field(run, group, op, end);
    if (at && at->kind == NODE_ADDRESS)
        unread_touched(run, group->mask, at->address.object, INT64_MIN, INT64_MAX);
    else if (at && at->kind == NODE_PIECES)
        unread_touched(run, group->mask, UINT32_MAX, 0, 0);
}

// Makes unknown what a copy writes over. One of a box that nobody can read here brings no more than
// what is announced for it.
static void overwrite_by_copy(struct run *run, struct group *group, const struct model_op *op,
                              const struct node *to, int64_t bytes)
{
    // A tensor's store names its map, in a parameter mostly, and does not write there.
    if (op->kind == MODEL_BULK_STORE && op->flags & MODEL_TENSOR)
        return;
    const struct mask *writers = written_by(run, group, op, to);
    if (bytes < 0 && op->kind == MODEL_BULK_LOAD && op->object != IR_NONE)
        memory_fill(
            run, writers, to,
            transactions_announced(run, group->mask, operand_field(run, group, op, &op->object)));
    else
        memory_overwrite(run, writers, to, bytes, true);
}

// Records a copy: its size and how its addresses are aligned.
void copy_note(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    if (op->dst == IR_NONE && op->src == IR_NONE)
        return;
    note_copied(run, group, op, &op->src);
    note_copied(run, group, op, &op->dst);
    if (run->afterlife)
        touch_data(run, group->mask, op->kind == MODEL_BULK_STORE ? TOUCH_LOAD : TOUCH_STORE);
    struct engine_event *event = record_event(run, group, group->mask, op, value, UINT32_MAX);
    event->unaware_now |= run->engine->shape.dependent && !predecessor_known(run, group->mask);
    if (op->bytes != IR_NONE)
        record_range(run, &event->bytes, operand_field(run, group, op, &op->bytes), group->mask,
                     operand_assumed(run, group, op->bytes));
    if (op->multicast_mask != IR_NONE)
        record_range(run, &event->mask, operand_field(run, group, op, &op->multicast_mask),
                     group->mask, operand_assumed(run, group, op->multicast_mask));
    if (op->dst != IR_NONE) {
        address_range(run, &event->dst_align, operand_field(run, group, op, &op->dst), group->mask);
        int64_t bytes = copied_bytes(run, group, op);
        const struct node *to = operand_field(run, group, op, &op->dst);
        if (bytes > 0 && bytes <= UINT32_MAX)
            barrier_touched(run, group, to, (uint32_t)bytes);
        overwrite_by_copy(run, group, op, to, bytes);
        if (op->kind != MODEL_BULK_STORE)
            early_written(run, group, to, bytes);
    }
    if (op->src != IR_NONE)
        address_range(run, &event->src_align, operand_field(run, group, op, &op->src), group->mask);
    if (op->kind == MODEL_CP_ASYNC) {
        event->dst_elsewhere |= op->dst != IR_NONE &&
                                lies_elsewhere(run, operand_field(run, group, op, &op->dst), true);
        event->src_elsewhere |= op->src != IR_NONE &&
                                lies_elsewhere(run, operand_field(run, group, op, &op->src), false);
    }
}

void barrier_exit(struct run *run, struct group *group)
{
    trace_exit(run, group);
    lag_exit(run, group->mask);
    orders_exit(run, group->mask);
    named_exit(run, group);
    meeting_exit(run, group->mask);
    groups_exit(run, group->mask);
    aligned_exit(run, group->mask);
    peers_exit(run, group->mask);
    uint32_t size = run->engine->block_threads, before = run->machines->cluster.phase;
    mask_each (run->masks, group->mask, t)
        barlint_cluster_thread_exit(&run->machines->cluster, &run->machines->cluster_thread[t],
                                    t / size);
    if (run->machines->cluster.phase != before)
        orders_over(&run->machines->cluster_released);
    trace_cluster_phase(run, before);
}
