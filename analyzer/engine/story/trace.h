// The moments of a run, as they happen, for struct engine_schedule. Nothing is kept unless it is
// asked for. Internal to the engine.
#ifndef BARLINT_ENGINE_TRACE_H
#define BARLINT_ENGINE_TRACE_H

#include "engine/barriers/machines.h"
#include "engine/story/schedule.h"

// A moment and the threads it belongs to, before they are sorted into lanes.
struct trace_moment {
    struct engine_moment moment;
    const struct mask *mask;
};

struct trace {
    struct trace_moment *moment; // stb_ds array
    bool full;                   // there is no room for more
    bool weak_incident, incident, deadlock;
    bool shown; // the rule is broken that engine_options.shows names
};

void trace_clear(struct trace *trace);
void trace_release(struct trace *trace);

// Each notes one moment, where run->trace is there to take it.

// An operation on an mbarrier that is no wait, or `mbarrier` NULL where it was not followed.
void trace_operation(struct run *run, const struct group *group, const struct mask *mask,
                     ir_value op, uint32_t object, const struct mbarrier *mbarrier);
// A wait for the phase of an mbarrier, which the threads pass at once or stand at.
void trace_wait(struct run *run, const struct group *group, const struct mask *mask, ir_value op,
                const struct mbarrier *mbarrier, bool passed);
// The group, which waited, goes on; `told` where a test told it that the phase is over.
void trace_resume(struct run *run, const struct group *group, bool told);
// The phase that was open before the operation is over.
void trace_phases(struct run *run, const struct mbarrier *mbarrier, uint32_t before);
void trace_land(struct run *run, const struct mbarrier *mbarrier, const struct async_copy *copy);
void trace_named(struct run *run, const struct group *group, const struct mask *mask, ir_value op,
                 uint32_t block, const struct barlint_named_op *named);
void trace_named_complete(struct run *run, uint32_t block, uint32_t slot);
void trace_cluster(struct run *run, const struct group *group, ir_value op, bool waits);
void trace_cluster_phase(struct run *run, uint32_t before);
// An operation on a pipeline, which is not simulated.
void trace_other(struct run *run, const struct group *group, ir_value op);
void trace_exit(struct run *run, const struct group *group);
void trace_incident(struct run *run, enum engine_incident_kind kind, const char *rule,
                    ir_function_id function, ir_value op, uint32_t chain, uint32_t object,
                    const struct mask *threads);
// The group waits for ever, as it stood when nobody could go on. `mbarrier` is NULL where it waits
// at a named barrier, `slot` of `block`.
void trace_hang(struct run *run, const struct group *group, const struct mbarrier *mbarrier,
                uint32_t slot, const struct block_state *block, const struct mask *missing);
// Groups at the barrier of the cluster, which deadlock.c does not look at.
void trace_hang_cluster(struct run *run);

// rows.c: makes a schedule of the run's moments, in the arena of the result, unless `best` shows
// more than this run does.
void trace_keep(struct run *run, struct engine_schedule **best);
// Gives each wait that never ends the rule it is told under, once all runs have been judged.
void trace_settle(struct engine_result *result);
void engine_schedule_release(struct engine_schedule *schedule);

#endif
