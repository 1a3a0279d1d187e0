// What threads do to the shared memory of other blocks of their cluster: not before these have
// started, and not after they may have ended. A block may end unless one of its threads comes after
// the access: through a cluster barrier, or by waiting at one of its mbarriers for an arrival that
// followed it. (PTX ISA 9.1, 2.2.2; Programming Guide 13, 2.2.3.)
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

enum { MOST_USES = 256 };

// An access to another block that nothing has yet been seen to come after there.
struct peer_use {
    struct peer_use *next;
    uint32_t owner, number; // block; they are numbered in the order of the run
    uint32_t mbarrier;      // an arrival: index, and the phase it was for; UINT32_MAX for data
    uint32_t phase;
    const struct mask *threads;
    // Those of them who have arrived at the cluster barrier since, and its phase then: nobody of
    // the owner has waited there.
    const struct mask *arrived;
    uint32_t arrived_phase;
    const struct mask *left; // of `threads`, those that have ended since
    uint32_t left_phase;     // of the cluster barrier, when they did
    struct named_site site;
    // Stores, from the first byte to the last: who has not released them for the cluster, and which
    // of them have arrived at its barrier without doing so, after how many of them.
    uint32_t object;
    int64_t low, high;
    const struct mask *stored, *relaxed;
    struct named_site relaxed_site;
    uint32_t relaxed_epoch;
};

static struct peer_use *use_add(struct run *run, const struct group *group, ir_value value,
                                uint32_t owner, uint32_t mbarrier, uint32_t phase,
                                const struct mask *threads)
{
    struct machines *machines = run->machines;
    struct peer_use *use = machines->peer_use;
    uint32_t count = 0;
    ir_function_id function = group->frame->function;
    uint32_t chain = group->frame->chain;
    for (; use; use = use->next, ++count) {
        if (use->owner == owner && use->mbarrier == mbarrier && use->site.function == function &&
            use->site.op == value && use->site.chain == chain && use->phase == phase)
            break;
    }
    if (!use) {
        if (count == MOST_USES)
            return NULL;
        use = arena_new(&run->arena, struct peer_use);
        *use = (struct peer_use){
            .next = machines->peer_use,
            .owner = owner,
            .mbarrier = mbarrier,
            .phase = phase,
            .threads = run->masks->none,
            .arrived = run->masks->none,
            .left = run->masks->none,
            .stored = run->masks->none,
            .relaxed = run->masks->none,
            .site = {function, value, chain,
                     ir_op_at(&run->engine->unit->function[function], value)->loc}};
        machines->peer_use = use;
    }
    use->threads = mask_or(run->masks, use->threads, threads);
    use->number = ++machines->peer_uses;
    return use;
}

void peers_arrive(struct run *run, const struct group *group, ir_value value, uint32_t index,
                  const struct mask *mask)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[index];
    const struct mask *others = mask_minus(run->masks, mask, run->block_mask[mbarrier->block]);
    if (others->count && !run->afterlife)
        use_add(run, group, value, mbarrier->block, index, mbarrier->state.phase, others);
}

void peers_tell(struct run *run, const struct named_site *site, const struct mask *writers,
                const struct mask *readers, struct ir_loc where)
{
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_CLUSTER_RELAXED, site->function, site->op,
                        site->chain, UINT32_MAX, writers);
    if (!incident)
        return;
    record_threads(run, &incident->missing, readers);
    record_step(run, incident, where, "%s {reads|read} that memory here", mask_words(run, readers));
}

// The same of threads that read in this operation.
static void tell_relaxed(struct run *run, const struct group *group, ir_value value,
                         const struct named_site *site, const struct mask *writers,
                         const struct mask *readers)
{
    const struct frame *frame = group->frame;
    struct ir_loc loc = ir_op_at(&run->engine->unit->function[frame->function], value)->loc;
    peers_tell(run, site, writers, readers, record_place(run, frame->chain, loc));
}

// Threads read what the block may have written before its relaxed arrival at the cluster barrier.
static void check_released(struct run *run, const struct group *group, ir_value value,
                           uint32_t owner, const struct mask *readers)
{
    struct machines *machines = run->machines;
    const struct mask *writers = machines->relaxed[owner].writers;
    if (writers && machines->cluster_epoch[readers->first] > 0)
        tell_relaxed(run, group, value, &machines->relaxed[owner].site, writers, readers);
}

// Notes which bytes of the owner's memory the group has stored to.
static void note_stored(struct run *run, const struct group *group, struct peer_use *use,
                        const struct node *address, uint32_t size, const struct mask *threads)
{
    struct reach reach;
    if (!use || group->arms || address->kind != NODE_ADDRESS ||
        !node_reach(run->nodes, address->address.offset, threads, &reach))
        return;
    bool first = use->stored->count == 0 && use->relaxed->count == 0;
    use->object = address->address.object;
    use->low = first || reach.low < use->low ? reach.low : use->low;
    use->high = first || reach.high + size > use->high ? reach.high + size : use->high;
    use->stored = mask_or(run->masks, use->stored, threads);
}

void peers_released(struct run *run, const struct mask *block)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        use->stored = mask_minus(run->masks, use->stored, block);
        use->relaxed = mask_minus(run->masks, use->relaxed, block);
    }
}

void peers_read(struct run *run, const struct group *group, ir_value value,
                const struct node *address, uint32_t size)
{
    struct reach reach;
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        const struct mask *readers = run->block_mask[use->owner];
        if (use->relaxed->count == 0 || use->object != address->address.object || group->arms)
            continue;
        readers = mask_and(run->masks, readers, group->mask);
        if (readers->count && run->machines->cluster_epoch[readers->first] > use->relaxed_epoch &&
            node_reach(run->nodes, address->address.offset, readers, &reach) &&
            reach.low < use->high && use->low < reach.high + size)
            tell_relaxed(run, group, value, &use->relaxed_site, use->relaxed, readers);
    }
}

// What the group has stored to the memory of its peers, its relaxed arrival does not release.
static void relaxed_stores(struct run *run, const struct group *group, ir_value value)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        const struct mask *writers = mask_and(run->masks, use->stored, group->mask);
        if (writers->count == 0)
            continue;
        use->stored = mask_minus(run->masks, use->stored, writers);
        use->relaxed = mask_or(run->masks, use->relaxed, writers);
        use->relaxed_site = named_site_of(run, group, value);
        use->relaxed_epoch = run->machines->cluster_epoch[writers->first];
    }
}

void peers_relaxed(struct run *run, const struct group *group, ir_value value)
{
    struct machines *machines = run->machines;
    relaxed_stores(run, group, value);
    for (uint32_t b = 0; b < run->engine->blocks && !run->afterlife; ++b) {
        const struct mask *own = mask_and(run->masks, group->mask, run->block_mask[b]);
        const struct mask *writers =
            mask_or(run->masks, mask_and(run->masks, machines->unreleased, own),
                    mask_and(run->masks, machines->settled, run->block_mask[b]));
        if (own->count == 0 || writers->count == 0)
            continue;
        machines->relaxed[b].writers = writers;
        machines->relaxed[b].site = named_site_of(run, group, value);
    }
}

// The block of the cluster an address of shared memory is in; false where that is not known.
static bool rank_of(const struct run *run, const struct node *address, uint32_t thread,
                    uint32_t *out)
{
    int64_t rank;
    *out = thread / run->engine->block_threads;
    if (address->kind != NODE_ADDRESS || run->object[address->address.object].kind != OBJECT_SHARED)
        return false;
    if (!address->address.rank)
        return true;
    if (!node_lane(address->address.rank, thread, &rank) || rank < 0 || rank > UINT32_MAX)
        return false;
    *out = (uint32_t)rank;
    return true;
}

static void tell_all(struct run *run, const struct group *group, ir_value value,
                     struct barlint_violations violations)
{
    for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(violations, v + 1))
        record_incident(run, ENGINE_VIOLATION, (enum barlint_violation)v, group->frame->function,
                        value, group->frame->chain, UINT32_MAX, group->mask);
}

// What an asynchronous store goes to must have started, as for an ordinary one.
static void check_started(struct run *run, const struct group *group, ir_value value,
                          const struct node *to)
{
    struct barlint_violations violations = barlint_violations_none();
    if (run->machines->peers_unread)
        return;
    mask_each (run->masks, group->mask, t) {
        uint32_t owner;
        if (!rank_of(run, to, t, &owner) || owner == t / run->engine->block_threads)
            continue;
        struct barlint_effect effect =
            barlint_cluster_check_remote(run->machines->cluster_epoch[t], false, true);
        barlint_violations_merge(&violations, effect.violations);
    }
    tell_all(run, group, value, violations);
}

void peers_target(struct run *run, struct group *group, const struct model_op *op, ir_value value)
{
    const struct engine *engine = run->engine;
    bool store = op->kind == MODEL_ASYNC_STORE;
    int64_t ctas = 1;
    for (int k = 0; k < 3; ++k)
        ctas *= engine->result->shape.cluster[k] > 0 ? engine->result->shape.cluster[k] : 1;
    if ((!store && op->kind != MODEL_BULK_LOAD) || op->dst == IR_NONE || op->object == IR_NONE ||
        op->flags & MODEL_MULTICAST || run->afterlife || ctas != (int64_t)engine->blocks ||
        engine->shape.source == ENGINE_SHAPE_GUESS)
        return;
    const struct node *to = operand_field(run, group, op, &op->dst);
    const struct node *barrier = operand_field(run, group, op, &op->object);
    if (store)
        check_started(run, group, value, to);
    enum barlint_async_target target = store && op->flags & MODEL_REDUCES ? BARLINT_TARGET_RED_ASYNC
                                       : store                            ? BARLINT_TARGET_ST_ASYNC
                                       : op->flags & MODEL_CTA_PAIR       ? BARLINT_TARGET_BULK_PAIR
                                                                          : BARLINT_TARGET_BULK;
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    int64_t number[2] = {0};
    mask_each (run->masks, group->mask, t) {
        uint32_t data, at;
        if (!rank_of(run, to, t, &data) || !rank_of(run, barrier, t, &at))
            return;
        if (barlint_violations_empty(barlint_async_check_target(target, t / engine->block_threads,
                                                                data, at, engine->blocks)))
            continue;
        word[t / 64] |= UINT64_C(1) << (t % 64);
        number[0] = data;
        number[1] = at;
    }
    const struct mask *wrong = mask_from_words(run->masks, word);
    if (wrong->count == 0)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_TX_TARGET_CTA, group->frame->function, value,
                        group->frame->chain, UINT32_MAX, wrong);
    if (!incident)
        return;
    incident->number[0] = number[0];
    incident->number[1] = number[1];
    incident->number[2] = ctas;
}

static void access_peers(struct run *run, const struct group *group, ir_value value,
                         const struct node *address, uint32_t bytes, bool stores, bool loads)
{
    struct machines *machines = run->machines;
    uint32_t size = run->engine->block_threads;
    struct barlint_violations violations = barlint_violations_none();
    const struct node *rank = resolve(run, address->address.rank);
    if (run->afterlife || run->engine->blocks < 2 || machines->peers_unread)
        return;
    bool known = node_known(rank); // else any block: data say which
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
        mask_each (run->masks, group->mask, t) {
            int64_t owner = 0;
            if (t / size == b || (known && (!node_lane(rank, t, &owner) || owner != b)) ||
                (!known && !within_allows(run, group->arms, t, rank, b)))
                continue;
            word[t / 64] |= UINT64_C(1) << (t % 64);
            struct barlint_effect effect =
                barlint_cluster_check_remote(machines->cluster_epoch[t], false, stores);
            barlint_violations_merge(&violations, effect.violations);
        }
        const struct mask *threads = mask_from_words(run->masks, word);
        if (threads->count) {
            struct peer_use *use = use_add(run, group, value, b, UINT32_MAX, 0, threads);
            if (stores && known && bytes)
                note_stored(run, group, use, address, bytes, threads);
        }
        if (threads->count && loads)
            check_released(run, group, value, b, threads);
        if (threads->count && loads && known && bytes)
            pulled_read(run, group, address, bytes, b, threads);
    }
    tell_all(run, group, value, violations);
}

void peers_access(struct run *run, const struct group *group, ir_value value,
                  const struct node *address, uint32_t bytes, bool stores)
{
    access_peers(run, group, value, address, bytes, stores, !stores);
}

void peers_update(struct run *run, const struct group *group, ir_value value,
                  const struct node *address, uint32_t bytes)
{
    access_peers(run, group, value, address, bytes, true, true);
}

void peers_wait(struct run *run, uint32_t index, const struct mask *mask)
{
    struct machines *machines = run->machines;
    const struct mbarrier *mbarrier = &machines->mbarrier[index];
    uint32_t size = run->engine->block_threads;
    if (!machines->peer_use || !mask_overlaps(run->masks, mask, run->block_mask[mbarrier->block]))
        return;
    for (struct peer_use *seen = machines->peer_use; seen; seen = seen->next) {
        if (seen->mbarrier != index || seen->phase >= mbarrier->state.phase ||
            !seen->threads->count)
            continue;
        // What threads of the arriving blocks did before is over too.
        mask_each (run->masks, seen->threads, t) {
            const struct mask *block = run->block_mask[t / size];
            for (struct peer_use *use = machines->peer_use; use; use = use->next) {
                if (use->owner != seen->owner || use->number >= seen->number)
                    continue;
                use->threads = mask_minus(run->masks, use->threads, block);
                use->arrived = mask_minus(run->masks, use->arrived, block);
            }
        }
        seen->threads = run->masks->none;
    }
}

void peers_sync(struct run *run, const struct mask *mask)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        const struct mask *arrived = mask_and(run->masks, use->threads, mask);
        use->threads = mask_minus(run->masks, use->threads, mask);
        use->arrived = mask_or(run->masks, use->arrived, arrived);
        if (arrived->count)
            use->arrived_phase = run->machines->cluster.phase;
    }
}

void peers_exit(struct run *run, const struct mask *mask)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        const struct mask *left = mask_and(run->masks, use->threads, mask);
        use->left = mask_or(run->masks, use->left, left);
        if (left->count)
            use->left_phase = run->machines->cluster.phase;
    }
}

void peers_synced(struct run *run, const struct mask *mask)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        // The barrier is one of the threads that have not left: it waited until these had.
        if (use->left->count && use->left_phase != run->machines->cluster.phase &&
            mask_overlaps(run->masks, mask, run->block_mask[use->owner]))
            use->threads = mask_minus(run->masks, use->threads, use->left);
        if (use->arrived_phase != run->machines->cluster.phase &&
            mask_overlaps(run->masks, mask, run->block_mask[use->owner]))
            use->arrived = run->masks->none;
    }
}

// Whether the block is one of those that use each other's memory: it came to the cluster barrier,
// left for its rank, or left as the rest of a grid that the launch rounds up. Else it is of another
// role, and roles are given to whole clusters.
static bool belongs(struct run *run, uint32_t block, const struct mask *users)
{
    struct parting_found found;
    mask_each (run->masks, run->block_mask[block], t) {
        if (run->machines->cluster_epoch[t] > 0)
            return true;
    }
    return parting_between(run, run->block_mask[block], users, &found) &&
           (found.parting->by_rest || (found.parting->by_number && !found.parting->by_data));
}

void peers_end(struct run *run)
{
    if (run->over || run->exited != run->masks->all || run->machines->peers_unread)
        return;
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        const struct mask *threads = use->threads;
        if (use->arrived->count && belongs(run, use->owner, use->arrived))
            threads = mask_or(run->masks, threads, use->arrived);
        if (!threads->count)
            continue;
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, BARLINT_CLUSTER_EXIT, use->site.function,
                            use->site.op, use->site.chain, UINT32_MAX, threads);
        if (!incident)
            continue;
        incident->number[0] = use->owner;
        incident->number[1] = use->mbarrier != UINT32_MAX;
        record_threads(run, &incident->missing, run->block_mask[use->owner]);
    }
}
