// What rules read of the runs: events, incidents and how sure they are. Internal to the engine.
#ifndef BARLINT_ENGINE_RECORD_H
#define BARLINT_ENGINE_RECORD_H

#include "engine/barriers/machines.h"

// record.c
uint32_t record_object(struct run *run, uint32_t object, int64_t offset, bool exact);
struct engine_event *record_event(struct run *run, struct group *group, const struct mask *mask,
                                  const struct model_op *model, ir_value op, uint32_t object);
// What an operand is worth in the threads of the mask; `assumed` where the run chose that value.
void record_range(struct run *run, struct engine_range *range, const struct node *node,
                  const struct mask *mask, bool assumed);
// The same for a range that is of no event.
void range_add(struct run *run, struct engine_range *range, const struct node *node,
               const struct mask *mask, bool assumed);
void record_threads(struct run *run, struct engine_threads *threads, const struct mask *mask);
struct engine_incident *record_incident(struct run *run, enum engine_incident_kind kind,
                                        enum barlint_violation violation, ir_function_id function,
                                        ir_value op, uint32_t chain, uint32_t object,
                                        const struct mask *threads);
// What has been told of the operation with two lanes of one warp, where now there are two warps: a
// barrier is what is missing then. Its story is to be told anew; NULL where there is none.
struct engine_incident *record_of_lanes(struct run *run, enum engine_incident_kind kind,
                                        const struct named_site *site);
// Whether not all threads have decided alike in this run where they ask data.
bool run_is_parted(const struct run *run);
// The story of an incident that is known is told anew, as it is in this run.
void record_anew(struct run *run, struct engine_incident *incident, const struct mask *threads);
void record_step(struct run *run, struct engine_incident *incident, struct ir_loc loc,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));
void record_deeds(struct run *run, struct engine_incident *incident, const char *name,
                  const struct deed *deed, uint32_t count);
// The branch where those who are missing went another way: the incident's, and a step of its story.
void record_parting(struct run *run, struct engine_incident *incident,
                    const struct parting *parting, const struct mask *missing);
// Where a reader should look for an operation: at the call, when it stands in a mere wrapper; at that
// of the library, when it stands in a header of the system.
struct ir_loc record_place(const struct run *run, uint32_t chain, struct ir_loc loc);
// `loc` is that of the operation being executed.
void deed_add(struct run *run, struct deed *deeds, uint32_t *count, const char *verb,
              const struct mask *mask, struct ir_loc loc, uint32_t phase, int64_t number);
const char *mask_words(struct run *run, const struct mask *mask);
void record_effect(struct run *run, struct group *group, const struct mask *mask, ir_value op,
                   const struct mbarrier *mbarrier, struct barlint_violations violations);

// certainty.c
// How many ways have come to the operation of the incident.
uint32_t certainty_reached(struct engine *engine, const struct engine_incident *incident);
// The way that is being tried comes to an access that may race: no event says so.
void certainty_came_to(struct engine *engine, ir_function_id function, ir_value op, uint32_t chain);
// After all runs of a way: where threads miss each other at a barrier they race as well, so races
// of ways that show nothing of the kind are told apart.
void certainty_alone(struct engine *engine);
// After the last run.
void certainty_settle(struct engine *engine);

#endif
