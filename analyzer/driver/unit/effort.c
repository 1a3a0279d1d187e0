#include "driver/unit/effort.h"

#include "base/vec.h"

// A unit may hold hundreds of instances of one kernel. The first few share what may be spent on the
// unit, and the others what these leave: each at least what walks it a few times. What may be spent
// grows with the size of the code, as the time to parse it does, between two bounds; where there is
// much code for each kernel, as behind the templates of CuTe, the upper one grows as well.
enum {
    FIRST_INSTANCES = 4,
    STEPS_AN_OPERATION = 100, // of the unit's code
    FEWEST_STEPS = 1200000,
    MANY_STEPS = 3600000,
    STEPS_OF_A_KERNEL = 600, // for an operation of the code that comes to each kernel
    GREATEST_STEPS = 24000000,
    LEAST_STEPS = 20000, // of any kernel under one launch shape, unless there are very many
    RUN_STEPS = 60000,   // of one run of it, at least
    LONG_RUN_STEPS = 1200000, // the same where there is enough for two
};

bool effort_is_kernel(const struct ir_function *function)
{
    return function->flags & IR_FN_KERNEL && function->flags & IR_FN_BODY;
}

// Whether this is one of the first instances.
static bool effort_count(struct effort *effort, const struct ir_function *kernel)
{
    ptrdiff_t at = shgeti(effort->instances, kernel->lookup);
    uint32_t met = at < 0 ? 0 : effort->instances[at].value;
    shput(effort->instances, kernel->lookup, met + 1);
    return met < FIRST_INSTANCES;
}

static uint64_t within(uint64_t number, uint64_t least, uint64_t most)
{
    return number < least ? least : number > most ? most : number;
}

void effort_init(struct effort *effort, const struct ir_unit *unit)
{
    *effort = (struct effort){0};
    uint64_t code = 0;
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        code += arrlenu(unit->function[i].op);
        if (effort_is_kernel(&unit->function[i]))
            ++effort->left[effort_count(effort, &unit->function[i])];
    }
    shfree(effort->instances);
    uint64_t kernels = effort->left[true] + effort->left[false];
    uint64_t most = kernels ? code / kernels * STEPS_OF_A_KERNEL : 0;
    effort->full = within(code * STEPS_AN_OPERATION, FEWEST_STEPS,
                          within(most, MANY_STEPS, GREATEST_STEPS));
    effort->least = kernels ? effort->full / 2 / kernels : 0;
    effort->least = effort->least < LEAST_STEPS ? effort->least : LEAST_STEPS;
}

void effort_release(struct effort *effort)
{
    shfree(effort->instances);
}

bool effort_for(struct effort *effort, const struct ir_function *kernel, size_t shapes,
                struct engine_options *options)
{
    bool first = effort_count(effort, kernel);
    uint64_t unspent = effort->steps < effort->full ? effort->full - effort->steps : 0;
    uint64_t kernels = effort->left[first] + (first ? 0 : effort->left[true]);
    uint64_t share = (first ? 2 : 1) * unspent / (kernels ? kernels : 1) / (shapes ? shapes : 1);
    // One of several kernels and shapes leaves something for the others.
    uint64_t most = effort->full / 5 * (kernels * shapes > 1 ? 2 : 4);
    share = share > most ? most : share < effort->least ? effort->least : share;
    effort->left[first] -= effort->left[first] > 0;
    if (share < RUN_STEPS || share > 2 * LONG_RUN_STEPS)
        options->max_run_steps = share < RUN_STEPS ? RUN_STEPS : LONG_RUN_STEPS;
    options->max_steps = share;
    return effort->steps < 2 * effort->full; // with so many made, the kernels left are not walked
}
