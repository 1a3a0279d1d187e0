// What the analysis of a unit found out beside findings: kernels, launches, barriers and the
// operations on them. Kept in the store for the views of `barlint query`.
#ifndef BARLINT_DRIVER_FACTS_H
#define BARLINT_DRIVER_FACTS_H

#include <jansson.h>

#include "driver/unit/analyse.h"

struct facts {
    json_t *kernels, *launches, *barriers, *operations; // lists
    struct {
        char *key;
        bool value;
    } * known; // stb_ds set of what is in them
};

void facts_init(struct facts *facts);
void facts_release(struct facts *facts);

// Adds a kernel with the shapes it is run under, then what one run of it showed.
void facts_add_kernel(struct facts *facts, const struct parsed *parsed, ir_function_id kernel,
                      const struct engine_shapes *shapes);
void facts_add_result(struct facts *facts, const struct parsed *parsed,
                      const struct engine_result *result);

// An object of the four lists.
json_t *facts_to_json(const struct facts *facts);
// Adds the facts of such an object.
void facts_take(struct facts *facts, const json_t *json);

#endif
