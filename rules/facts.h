// Questions several rules ask of the engine's facts.
#ifndef BARLINT_RULES_FACTS_H
#define BARLINT_RULES_FACTS_H

#include "ir/origin.h"
#include "rules/rule.h"

// The object of an event, NULL where it has none or it could not be followed.
const struct engine_object *event_object(const struct engine_result *result,
                                         const struct engine_event *event);

// Whether the operation is one of a named barrier (bar, barrier.cta and what is made of them).
bool event_is_named(const struct engine_event *event);

// Whether it works on an mbarrier object in memory.
bool event_is_mbarrier(const struct engine_event *event);

// How many arrivals an initialisation may expect.
void event_count_limits(const struct engine_result *result, const struct engine_event *event,
                        int64_t *least, int64_t *most);

// The numbers an operand is known to have: whatever the kernel is given, or else, which makes a
// finding possible only, with the numbers that the launch passes. False where they are not known.
bool range_known(const struct engine_range *range, struct engine_range *out,
                 enum rule_certainty *certainty);

// Whether the event is a wait or a test by a parity that can be other than 0 and 1, of which
// phase-parity-range tells.
bool event_parity_is_wide(const struct engine_result *result, const struct engine_event *event,
                          struct engine_range *parity, enum rule_certainty *certainty);

// Shows the finding with --pedantic only where no launch comes to the event: what the kernel would
// do then nobody asks of it.
void event_must_be_launched(struct rule_report *report, const struct engine_event *event);

// How to write a range of known values: "48" or "1 to 32". `buffer` holds at least 64 bytes.
const char *range_text(const struct engine_range *range, char *buffer);
enum { RANGE_TEXT = 64 };

// How to name the threads of an event in a note: "threads 0-31 of 128".
const char *event_threads(const struct engine_event *event);

// What makes a plural of an English word after so many.
const char *plural_s(int64_t count);

// The incidents that carry a rule's id, one after the other; NULL begins and ends.
const struct engine_incident *incident_next(const struct engine_result *result, const char *rule,
                                            const struct engine_incident *last);

// The name of the object an incident is about, "the barrier" where it could not be followed.
const char *incident_object(const struct engine_result *result,
                            const struct engine_incident *incident);

// Where the object of an incident is initialised: a reader has to add a barrier or a fence there.
// Of an object of another block it is the same variable of the own. NULL where nobody does.
const struct engine_event *incident_initialisation(const struct engine_result *result,
                                                   const struct engine_incident *incident);

// Whether the two are the same threads of the cluster.
bool threads_alike(const struct engine_result *result, const struct engine_threads *one,
                   const struct engine_threads *other);

// Whether the objects of the two are different elements of one array.
bool incident_of_ring(const struct engine_result *result, const struct engine_incident *one,
                      const struct engine_incident *other);

// Whether an earlier incident of the same rule is about the same object.
bool incident_repeats(const struct engine_result *result, const struct engine_incident *incident);

// Whether an incident follows from a wait that passed for a phase that was over before, or for one
// of another barrier, which phase-parity-flip and phase-foreign-token tell: phases of whatever
// barriers get out of step from there on, and who comes too often, or leaves too early, is not to
// blame. So it is with the barrier of that wait, and with others when it happens only behind it.
bool incident_out_of_step(const struct engine_result *result,
                          const struct engine_incident *incident);

// Whether the object of an incident is initialised anew while it is in use, which init-reinit-live
// tells: phases and bytes that were under way are of another life then.
bool incident_of_new_life(const struct engine_result *result,
                          const struct engine_incident *incident);

// Whether an incident is seen only where threads have arrived at the cluster barrier and not waited
// there, and cluster-pairing tells that they never do: what lacks the barrier lacks that wait.
bool incident_lacks_cluster_wait(const struct engine_result *result,
                                 const struct engine_incident *incident);

// Whether an incident is never seen but where more arrivals than a phase takes have come before,
// of that sort, and the rule that explains it tells of them.
bool incident_behind_surplus(const struct engine_result *result,
                             const struct engine_incident *incident, enum engine_surplus surplus);

// Whether an incident at barrier 0 shows only because threads pass a barrier of the whole block by
// elsewhere, which sync-divergent tells: those who did not come meet the others at the next one.
bool incident_behind_divergence(const struct engine_result *result,
                                const struct engine_incident *incident);

// The named barriers, a bit each, that the operation comes to: in helpers and rings of barriers it
// is one for several.
uint32_t event_slots(const struct engine_event *event);

// The same for the operation of an incident, whose number[0] is one of them.
uint32_t incident_slots(const struct engine_result *result, const struct engine_incident *incident);

// Whether an incident at one of the named barriers, a bit each in `slots`, shows only for what
// another rule tells of one of them: its arrivals do not add up, and who waits there waits for
// them.
bool incident_behind_arrivals(const struct engine_result *result,
                              const struct engine_incident *incident, uint32_t slots);

// Whether an incident of the rule happened at the same operation.
bool incident_at_same(const struct engine_result *result, const char *rule,
                      const struct engine_incident *incident);

// Whether an incident of the rule is supported, and its finding so shown by default: what only
// follows from it (a block that is out of step from there on) need not be told as well.
bool incident_is_supported(const struct engine_result *result, const char *rule);

// Whether an incident of the rule is about the same object, and no less sure.
bool incident_explained(const struct engine_result *result, const char *rule,
                        const struct engine_incident *incident);

// Whether an incident of the rule is about the object.
bool incident_about(const struct engine_result *result, const char *rule, uint32_t object);

// Whether the operation an incident happened at, or is shown at, is an asynchronous copy.
bool event_copies(const struct engine_result *result, const struct engine_incident *incident);

// Where the data of the copy are used before anybody has waited for it; NULL where they were not
// seen to be.
const struct engine_incident *copy_used_early(const struct engine_result *result,
                                              ir_function_id function, ir_value copy);

// Whether the operation copies asynchronously, the kernel comes to its end, and no wait on any way
// through it covers the copies: group-copy-no-wait tells it.
bool event_is_never_awaited(const struct engine_event *event);

// Of such a copy: the cp.async.mbarrier.arrive of its threads, which they have all come to before
// it and which so does not follow it: tx-noinc tells it. NULL where there is none.
const struct engine_event *event_tracked_too_early(const struct engine_result *result,
                                                   const struct engine_event *event);

// The place in the call tree that the frame is, 0 where the engine has not come to it.
uint32_t frame_chain(const struct engine_result *result, const struct ir_frame *frame);

// "thread 0 of 128", "threads 0-31 of 128", "some threads" where they are not known.
const char *threads_text(const struct engine_threads *threads);

#endif
