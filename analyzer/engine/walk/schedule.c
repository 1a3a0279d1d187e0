// The schedule of a run: which group goes next, who wakes, and what it means when nobody can.
#include "base/vec.h"
#include "engine/memory/ordered.h"
#include "engine/story/trace.h"
#include "engine/walk/walk.h"

static bool resume(struct run *run, struct group *group)
{
    switch (group->wait) {
    case WAIT_NAMED:
        return named_resume(run, group);
    case WAIT_MBARRIER:
    case WAIT_TEST:
        return mbarrier_resume(run, group);
    case WAIT_CLUSTER:
        return cluster_resume(run, group);
    case WAIT_WARP:
        return warp_resume(run, group);
    case WAIT_PIPE_FULL:
    case WAIT_PIPE_EMPTY:
        return pipes_resume(run, group);
    default:
        return false;
    }
}

static bool resume_all(struct run *run)
{
    bool any = false;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        if (run->group[i]->state == GROUP_BLOCKED)
            any |= resume(run, run->group[i]);
    }
    return any;
}

// Whether `a` goes before `b`: whoever has used up fewer turns, then the one with the lowest
// thread, or that with the highest.
static bool goes_before(const struct run *run, const struct group *a, const struct group *b)
{
    if (a->turns != b->turns)
        return a->turns < b->turns;
    return run->policy != POLICY_HIGH_AHEAD ? a->mask->first < b->mask->first
                                            : a->mask->first > b->mask->first;
}

// The group to run. It runs until it blocks, so that each policy lets other roles get ahead, or
// until its turn is used up: what nothing ever blocks must not keep the others from what would.
static struct group *next_ready(const struct run *run)
{
    struct group *best = NULL;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        if (group->state == GROUP_READY && (!best || goes_before(run, group, best)))
            best = group;
    }
    return best;
}

// Whether the test at which the group stands has come back false since anything changed. Notes it
// where it has not: one who asks two barriers in turn comes by each of them.
static bool is_told(struct run *run, struct group *group)
{
    struct told_test test = {group->wait_function, group->wait_op, group->wait_chain,
                             group->wait_barrier};
    if (group->wait_change != run->changes)
        group->tolds = 0;
    for (uint32_t i = 0; i < group->tolds; ++i) {
        const struct told_test *old = &group->told[i];
        if (old->function == test.function && old->op == test.op && old->chain == test.chain &&
            old->barrier == test.barrier)
            return true;
    }
    if (group->tolds == MOST_TOLD)
        return true;
    group->told[group->tolds++] = test;
    group->wait_change = run->changes;
    return false;
}

// A test that keeps coming back false is told so once; whoever only polls goes on.
static bool tell_tests(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *group = run->group[i];
        if (group->state != GROUP_BLOCKED || group->wait != WAIT_TEST || is_told(run, group))
            continue;
        mbarrier_deny(run, group);
        return true;
    }
    return false;
}

// Groups that wait at a barrier while threads they split from have come to where the ways meet:
// those have passed the barrier by.
static void find_skipped(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        struct group *blocked = run->group[i];
        if (blocked->state != GROUP_BLOCKED ||
            (blocked->wait != WAIT_NAMED && blocked->wait != WAIT_CLUSTER))
            continue;
        for (const struct join *join = blocked->join; join; join = join->outer) {
            const struct mask *parked = run->masks->none;
            for (ptrdiff_t k = 0; k < arrlen(run->group); ++k) {
                if (run->group[k]->state == GROUP_PARKED && run->group[k]->join == join)
                    parked = mask_or(run->masks, parked, run->group[k]->mask);
            }
            if (parked->count && blocked->wait == WAIT_CLUSTER)
                cluster_skipped(run, blocked, parked, join);
            else if (parked->count)
                named_skipped(run, blocked, parked, join);
        }
    }
}

// Groups that are done leave the list once they are most of it.
static void drop_done(struct run *run)
{
    enum { FEW = 16 };
    if (run->done < FEW || run->done < arrlenu(run->group) / 2)
        return;
    ptrdiff_t left = 0;
    for (ptrdiff_t i = 0; i < arrlen(run->group); ++i) {
        if (run->group[i]->state != GROUP_DONE)
            run->group[left++] = run->group[i];
    }
    arrsetlen(run->group, (size_t)left);
    run->done = 0;
}

void schedule_run(struct run *run)
{
    while (!run->over && !run->cut) {
        drop_done(run);
        struct group *group = next_ready(run);
        if (group) {
            group_step(run, group);
            if (run->changes != run->swept) {
                run->swept = run->changes;
                resume_all(run);
            }
            // Copies land early under one policy, as late as possible under the other.
            if (run->policy == POLICY_HIGH_AHEAD)
                mbarrier_deliver(run);
            continue;
        }
        if (resume_all(run) || mbarrier_refuse(run) || mbarrier_deliver(run) ||
            mbarrier_deliver_rest(run) || pipes_force(run))
            continue;
        find_skipped(run);
        if (!join_release(run) && !tell_tests(run))
            return;
    }
}

void run_all(struct run *run)
{
    schedule_run(run);
    if (run->cut)
        return;
    mbarrier_unobserved(run);
    mbarrier_inflight(run);
    lag_end(run);
    premature_end(run);
    announced_end(run);
    rooms_end(run);
    copies_end(run);
    stores_end(run);
    pipes_end(run);
    peers_end(run);
    predecessor_end(run);
    handed_end(run);
    grid_end(run);
    if (!run->over)
        deadlock_report(run);
}
