// One kernel of a unit: run under each of its launch shapes and shown to the rules; and what came
// of that in a form that can be kept, and used again in another parse for a kernel that is the
// same.
//
// An outcome is an object of JSON:
//   "findings"  of findings_to_json(), not merged with those of other kernels
//   "facts"     of facts_to_json()
//   "shown"     of lsp_facts_keep()
//   "counts"    [shapes, runs, steps, cut short, unknown operations, unknown objects]
//   "effort"    [most steps, most steps of a run, steps]: what it was given for a shape, and what the shape
//               that took most took
#ifndef BARLINT_DRIVER_KERNEL_H
#define BARLINT_DRIVER_KERNEL_H

#include <jansson.h>

#include "driver/unit/analyse.h"
#include "ir/identity.h"
#include "report/collect.h"

struct kernel_job {
    const struct options *options;
    const struct unit *unit;
    const struct rule *const *rules;
    const struct parsed *parsed;
    struct collector *collector;
    ir_function_id kernel;
    const struct engine_shapes *shapes;
    struct engine_options engine; // what is given to each shape
    uint32_t *drawn;              // schedules of the unit so far
};

// Analyses the kernel. The outcome belongs to the caller.
json_t *kernel_analyse(const struct kernel_job *job);

// What a kernel's outcome depends on, and where its places are in this parse.
struct kernel_identity {
    char key[DIGEST_HEX];
    struct ir_identity ir;
};

// `run` is the key of the run (driver/reuse/key.h).
void kernel_identify(const struct kernel_job *job, struct ir_identities *identities,
                     const struct digest *run, struct kernel_identity *out);
void kernel_identity_release(struct kernel_identity *identity);

// The outcome as it is kept, with numbers of lines as in ir_identity; NULL where it does not hold
// for another parse. The caller owns the result.
json_t *kernel_keep(const struct kernel_job *job, const struct kernel_identity *identity,
                    const json_t *outcome);
// The outcome in this parse of what was kept under the key; NULL where that was made with another
// effort and would come out otherwise, or is damaged. The caller owns the result.
json_t *kernel_recall(const struct kernel_job *job, const struct kernel_identity *identity,
                      const json_t *kept);

#endif
