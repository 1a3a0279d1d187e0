// Where the sources write a number that an operation gets, for the fixes that correct it.
#ifndef BARLINT_RULES_NUMBER_H
#define BARLINT_RULES_NUMBER_H

#include "rules/fix.h"

// The place that writes the constant which `value` of the function is, under that place of the call
// tree: where it is a parameter, the argument of the call. File 0 where it is computed, or written
// in several ways.
struct ir_loc number_place(const struct engine_result *result, ir_function_id function,
                           ir_value value, uint32_t chain);

// The event of the operation an incident happened at; NULL where there is none.
const struct engine_event *incident_event(const struct engine_result *result,
                                          const struct engine_incident *incident);

// Offers to make the thread counts of a named barrier what the warps that come to it are in all.
void fix_named_count(struct rule_report *report, const struct engine_result *result, int64_t slot);

// Offers to give a named barrier's counted uses a number that nothing else in the kernel uses.
void fix_named_slot(struct rule_report *report, const struct engine_result *result, int64_t slot);

// Offers to initialise the incident's object with `arrivals` in place of the count it has.
void fix_expected_count(struct rule_report *report, const struct engine_result *result,
                        const struct engine_incident *incident, int64_t expected, int64_t arrivals);

// Offers to name the lanes that execute the incident's operation in its mask, where they are the
// same in all warps and the mask is written as a number, or not at all.
void fix_mask(struct rule_report *report, const struct engine_result *result,
              const struct engine_incident *incident);

#endif
