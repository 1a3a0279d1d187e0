// What threads do to the shared memory of other blocks of their cluster: not before these have
// started, and not after they may have ended. A block may end unless one of its threads comes after
// the access: through a cluster barrier, or by waiting at one of its mbarriers for an arrival that
// followed it. (PTX ISA 9.1, 2.2.2; Programming Guide 13, 2.2.3.)
#include "engine/machines.h"

enum { MOST_USES = 256 };

// An access to another block that nothing has yet been seen to come after there.
struct peer_use {
    struct peer_use *next;
    uint32_t owner, number; // block; they are numbered in the order of the run
    uint32_t mbarrier;      // an arrival: index, and the phase it was for; UINT32_MAX for data
    uint32_t phase;
    const struct mask *threads;
    struct named_site site;
};

static void use_add(struct run *run, const struct group *group, ir_value value, uint32_t owner,
                    uint32_t mbarrier, uint32_t phase, const struct mask *threads)
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
            return;
        use = arena_new(&run->arena, struct peer_use);
        *use = (struct peer_use){
            .next = machines->peer_use,
            .owner = owner,
            .mbarrier = mbarrier,
            .phase = phase,
            .threads = run->masks->none,
            .site = {function, value, chain,
                     ir_op_at(&run->engine->unit->function[function], value)->loc}};
        machines->peer_use = use;
    }
    use->threads = mask_or(run->masks, use->threads, threads);
    use->number = ++machines->peer_uses;
}

void peers_arrive(struct run *run, const struct group *group, ir_value value, uint32_t index,
                  const struct mask *mask)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[index];
    const struct mask *others = mask_minus(run->masks, mask, run->block_mask[mbarrier->block]);
    if (others->count && !run->afterlife)
        use_add(run, group, value, mbarrier->block, index, mbarrier->state.phase, others);
}

void peers_access(struct run *run, const struct group *group, ir_value value,
                  const struct node *rank, bool stores)
{
    struct machines *machines = run->machines;
    uint32_t size = run->engine->block_threads;
    struct barlint_violations violations = barlint_violations_none();
    rank = resolve(run, rank);
    if (run->afterlife || run->engine->blocks < 2 || !node_known(rank))
        return;
    for (uint32_t b = 0; b < run->engine->blocks; ++b) {
        uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
        mask_each (run->masks, group->mask, t) {
            int64_t owner = 0;
            if (!node_lane(rank, t, &owner) || owner != b || t / size == b)
                continue;
            word[t / 64] |= UINT64_C(1) << (t % 64);
            struct barlint_effect effect =
                barlint_cluster_check_remote(machines->cluster_epoch[t], false, stores);
            barlint_violations_merge(&violations, effect.violations);
        }
        const struct mask *threads = mask_from_words(run->masks, word);
        if (threads->count)
            use_add(run, group, value, b, UINT32_MAX, 0, threads);
    }
    for (uint32_t v = barlint_violations_next(violations, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(violations, v + 1))
        record_incident(run, ENGINE_VIOLATION, (enum barlint_violation)v, group->frame->function,
                        value, group->frame->chain, UINT32_MAX, group->mask);
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
                if (use->owner == seen->owner && use->number < seen->number)
                    use->threads = mask_minus(run->masks, use->threads, block);
            }
        }
        seen->threads = run->masks->none;
    }
}

void peers_sync(struct run *run, const struct mask *mask)
{
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next)
        use->threads = mask_minus(run->masks, use->threads, mask);
}

void peers_end(struct run *run)
{
    if (run->over || run->exited != run->masks->all)
        return;
    for (struct peer_use *use = run->machines->peer_use; use; use = use->next) {
        if (!use->threads->count)
            continue;
        struct engine_incident *incident =
            record_incident(run, ENGINE_VIOLATION, BARLINT_CLUSTER_EXIT, use->site.function,
                            use->site.op, use->site.chain, UINT32_MAX, use->threads);
        if (!incident)
            continue;
        incident->number[0] = use->owner;
        incident->number[1] = use->mbarrier != UINT32_MAX;
        record_threads(run, &incident->missing, run->block_mask[use->owner]);
    }
}
