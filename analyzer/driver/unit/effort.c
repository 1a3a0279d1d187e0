#include "driver/unit/effort.h"

#include "base/vec.h"

// A unit may hold hundreds of instances of one kernel. The first few are walked as far as the
// unit's budget allows, the others once. What may be spent grows with the size of the code, as the
// time to parse it does, between two bounds.
enum {
    FULL_INSTANCES = 4,
    ONE_WAY = 3,              // runs: one for each order in which threads may go
    STEPS_AN_OPERATION = 100, // of the unit's code, for the instances that are walked in full
    FEWEST_STEPS = 1200000,   // for them
    GREATEST_STEPS = 3000000,
    LEAST_STEPS = 60000, // of any kernel under one launch shape
};

bool effort_is_kernel(const struct ir_function *function)
{
    return function->flags & IR_FN_KERNEL && function->flags & IR_FN_BODY;
}

// Whether this is one of the instances to be walked in full.
static bool effort_count(struct effort *effort, const struct ir_function *kernel)
{
    ptrdiff_t at = shgeti(effort->instances, kernel->lookup);
    uint32_t met = at < 0 ? 0 : effort->instances[at].value;
    shput(effort->instances, kernel->lookup, met + 1);
    return met < FULL_INSTANCES;
}

void effort_init(struct effort *effort, const struct ir_unit *unit)
{
    *effort = (struct effort){0};
    uint64_t code = 0;
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        code += arrlenu(unit->function[i].op);
        if (effort_is_kernel(&unit->function[i]))
            effort->left += effort_count(effort, &unit->function[i]);
    }
    shfree(effort->instances);
    uint64_t steps = code * STEPS_AN_OPERATION;
    effort->full = steps < FEWEST_STEPS     ? FEWEST_STEPS
                   : steps > GREATEST_STEPS ? GREATEST_STEPS
                                            : steps;
}

void effort_release(struct effort *effort)
{
    shfree(effort->instances);
}

bool effort_for(struct effort *effort, const struct ir_function *kernel, size_t shapes,
                struct engine_options *options)
{
    uint64_t steps = 0;
    if (effort_count(effort, kernel)) {
        uint64_t unspent = effort->steps < effort->full ? effort->full - effort->steps : 0;
        steps = 2 * unspent / (effort->left ? effort->left : 1) / (shapes ? shapes : 1);
        effort->left -= effort->left > 0;
    } else {
        options->max_runs = ONE_WAY;
    }
    uint64_t most = effort->full / 5 * 2; // for one of them
    steps = steps < most ? steps : most;
    options->max_steps = steps > LEAST_STEPS ? steps : LEAST_STEPS;
    return effort->steps < 2 * effort->full; // with so many made, the kernels left are not walked
}
