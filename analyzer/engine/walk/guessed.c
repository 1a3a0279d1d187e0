// Extents of a launch that nobody says: those that the kernel's attributes give or that it is made
// for, and else the usual ones, which what the host has checked must allow.
#include "engine/walk/launch.h"
#include "engine/walk/walk.h"

void launch_fill(struct engine_shape *shape, const struct ir_function *kernel)
{
    const struct ir_launch_attributes *given = &kernel->attributes;
    if (given->cluster[0] > 0)
        shape->cluster_assumed = false;
    for (int k = 0; k < 3; ++k) {
        if (given->cluster[k] > 0)
            shape->cluster[k] = given->cluster[k];
        if (shape->cluster[k] <= 0)
            shape->cluster[k] = 1;
    }
}

// The axis whose extent the argument is in all launches, as in k<<<grid, n>>>(n); -1 where it is
// none.
static int extent_passed(const struct engine_shape *shape, uint32_t argument)
{
    int axis = -1;
    for (uint32_t i = 0; i < shape->calls; ++i) {
        const struct engine_call *call = shape->call[i];
        uint16_t passed = call->argument[argument];
        int at = -1;
        for (int k = 0; k < 3 && at < 0; ++k)
            at = passed && call->block[k] == passed && call->quantity[passed].op != IR_CONST ? k
                                                                                             : -1;
        if (at < 0 || (i && at != axis))
            return -1;
        axis = at;
    }
    return axis;
}

// What the call passes when its quantities are these numbers.
static void take_passed(struct engine_shape *guess, const bool *known, const int64_t *value)
{
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        uint16_t passed = guess->call[0]->argument[i];
        if (!passed || !known[passed])
            continue;
        guess->argument[i] = value[passed];
        guess->arguments_known |= UINT64_C(1) << i;
    }
}

// Takes the first extent, and what is passed with it, from what the host has checked of them, or
// makes of one number; false where that says nothing.
static bool guess_checked(struct engine_shape *guess, int64_t wanted)
{
    bool known[ENGINE_QUANTITIES];
    int64_t value[ENGINE_QUANTITIES];
    if (guess->calls != 1 || guess->block[1] <= 0 || guess->block[2] <= 0 ||
        !call_extent(guess->call[0], 0, wanted, &guess->block[0], known, value))
        return false;
    take_passed(guess, known, value);
    return true;
}

// How long the rows of a block are that has so many of them: it is of the usual number of threads,
// but where there are as many rows as lanes in a warp each of them is one.
static int64_t first_extent(int64_t threads, int64_t rows)
{
    enum { LANES = 32, MOST_THREADS = 1024 };
    int64_t extent = (rows < LANES ? threads : MOST_THREADS) / rows;
    return extent > 0 ? extent : 1;
}

// Which of the extents of a block nobody knows, where it is a single one, or where the rows' length
// alone is known how many of them there are; else -1.
static int missing_extent(const struct engine_shape *shape)
{
    int missing = -1;
    for (int k = 0; k < 3; ++k) {
        if (shape->block[k] > 0)
            continue;
        if (missing >= 0)
            return shape->block[0] > 0 ? missing : -1;
        missing = k;
    }
    return missing;
}

// A block that the launch says two extents of has as many threads as the kernel is compiled for, or
// the most whole rows of that; one that it says no more of than how long its rows are has one layer
// of them.
static bool fill_up(struct engine_shape *shape, int64_t threads)
{
    int missing = missing_extent(shape);
    if (missing < 0)
        return false;
    int64_t others = 1;
    for (int k = 0; k < 3; ++k) {
        if (k != missing && shape->block[k] > 0)
            others *= shape->block[k];
    }
    if (others > threads)
        return false;
    for (int k = 0; k < 3; ++k) {
        if (k != missing && shape->block[k] <= 0)
            shape->block[k] = 1;
    }
    shape->block[missing] = threads / others;
    shape->rows_known = true;
    return true;
}

// A block that the host makes as high as it is wide, of a number that nobody knows here, is a
// square of up to so many threads.
static bool fill_square(struct engine_shape *shape, int64_t threads)
{
    const struct engine_call *call = shape->calls == 1 ? shape->call[0] : NULL;
    if (!call || shape->block[0] > 0 || shape->block[1] > 0 || call->block[0] == 0 ||
        call->block[0] != call->block[1])
        return false;
    int64_t side = 8;
    while (2 * side * 2 * side <= threads)
        side *= 2;
    shape->block[0] = shape->block[1] = side;
    return true;
}

// A block of which the host works out both how long its rows are and how many there are from one
// number, as in (n, 1024 / n), has rows of so many threads, or next to that what the host has asked
// allows.
static bool fill_rows(struct engine_shape *shape, int64_t row)
{
    bool known[ENGINE_QUANTITIES];
    int64_t value[ENGINE_QUANTITIES], extent[3];
    if (shape->calls != 1 || shape->block[0] > 0 || shape->block[1] > 0 ||
        !call_rows(shape->call[0], row, extent, known, value))
        return false;
    for (int k = 0; k < 3; ++k)
        shape->block[k] = extent[k];
    take_passed(shape, known, value);
    return true;
}

void launch_guess(struct engine_shapes *out, const struct ir_unit *unit,
                  const struct ir_function *kernel, const struct engine_shape *model)
{
    int64_t common[] = {128, 256}, made_for = launch_made_for(unit, kernel);
    if (made_for > 0)
        common[0] = common[1] = made_for;
    const struct ir_launch_attributes *given = &kernel->attributes;
    struct engine_shape shape = model ? *model : (struct engine_shape){.shared_bytes = -1};
    shape.loc = model ? model->loc : kernel->loc;
    launch_fill(&shape, kernel);
    if (given->block[0] > 0 || given->max_threads > 0) {
        bool exact = given->block[0] > 0;
        if (exact || !fill_up(&shape, given->max_threads)) {
            for (int k = 0; k < 3; ++k)
                shape.block[k] = exact && given->block[k] > 0 ? given->block[k] : 1;
            if (!exact)
                shape.block[0] = given->max_threads;
        }
        shape.source = ENGINE_SHAPE_ATTRIBUTE;
        shape.block_known = exact;
        launch_shape_add(out, shape);
        return;
    }
    for (size_t i = 0; i < sizeof common / sizeof *common; ++i) {
        // Extents that the launch does give are kept.
        struct engine_shape guess = shape;
        bool rows = model && ((model->block[0] > 0 && fill_up(&guess, common[i])) ||
                              fill_square(&guess, common[i]) ||
                              (made_for <= 0 && fill_rows(&guess, i == 0 ? 32 : 64)));
        int64_t others = 1;
        for (int k = 1; k < 3; ++k) {
            if (guess.block[k] <= 0)
                guess.block[k] = 1;
            others *= guess.block[k];
        }
        int64_t wanted = first_extent(common[i], others);
        if (!model || (guess.block[0] <= 0 && !guess_checked(&guess, wanted)))
            guess.block[0] = wanted;
        for (uint32_t a = 0; a < ENGINE_ARGUMENTS; ++a) {
            int axis = extent_passed(&guess, a);
            if (axis < 0)
                continue;
            guess.argument[a] = guess.block[axis];
            guess.arguments_known |= UINT64_C(1) << a;
        }
        guess.source = ENGINE_SHAPE_GUESS;
        guess.rows_known = rows || (model && model->block[1] > 0 && model->block[2] > 0);
        guess.block_known = false;
        launch_shape_add(out, guess);
        if ((model && model->block[0] > 0) || made_for > 0)
            return;
    }
}
