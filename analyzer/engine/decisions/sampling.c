// Samples: where data differs between threads, a run assumes one way in which it does, a value for
// each thread. Lanes and warps that share a value do not part.
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"

enum {
    MOST_LANES = 1024, // a block has no more threads
    MOST_VECTORS = 8,  // of a value, that threads are told apart by
    WARP = 32,
};

// Data that differs between threads, as a run assumes it: some lanes of some warps, whole warps,
// and warps without any. Counted from the first warp that asks, so that lanes of it part.
static bool sample(uint32_t thread, uint32_t first)
{
    uint32_t warp = (thread / 32 - first / 32) % 4, lane = thread % 32;
    if (warp == 1)
        return false;
    if (warp == 2)
        return true;
    return lane % 3 != 1;
}

// In how many neighbouring threads (a power of two) the vector is the same.
static uint32_t lanes_of_vector(const struct run *run, const int64_t *vector)
{
    uint32_t lanes = MOST_LANES;
    for (uint32_t t = 1; t < run->masks->threads && lanes > 1; ++t) {
        while (t % run->engine->block_threads % lanes && vector[t] != vector[t - 1])
            lanes /= 2;
    }
    return lanes;
}

static uint32_t lanes_alike(struct run *run, const struct node *node, bool *exchanged);

// The same for a value that sets of threads have of different making, as ways through a search that
// a warp takes as one leave it behind.
static uint32_t lanes_of_pieces(struct run *run, const struct node *node, bool *exchanged)
{
    int64_t *which = arena_array(&run->arena, int64_t, run->masks->threads);
    uint32_t lanes = MOST_LANES;
    for (uint32_t i = 0; i < node->pieces.count; ++i) {
        mask_each (run->masks, node->pieces.piece[i].mask, t)
            which[t] = i + 1;
        uint32_t one = lanes_alike(run, node->pieces.piece[i].value, exchanged);
        lanes = one < lanes ? one : lanes;
    }
    uint32_t sets = lanes_of_vector(run, which);
    return sets < lanes ? sets : lanes;
}

// A number that the argument is a multiple of on this way: 64 of a power of two above 32.
static int64_t step_of(struct run *run, const struct node *node)
{
    int64_t low, high, power = 1, step;
    uint64_t at = argument_at(node);
    if (at >= ENGINE_ARGUMENTS)
        return 1;
    step = launched_step(run, (uint32_t)at);
    if (!launched_power(run, (uint32_t)at))
        return step;
    const struct bound *bound = bound_find(run, node);
    interval_form(run, node, &low, &high, 0);
    if (bound && bound->low > low)
        low = bound->low;
    while (power < low && power < MOST_LANES)
        power *= 2;
    return power > step ? power : step;
}

// The same for the number of a piece within a part of the block: `thread % size / 32` where the
// size is a multiple of 32. 0 for any other value.
static uint32_t lanes_of_piece(struct run *run, const struct node *node)
{
    const struct node *place = node->expr.argument[0], *size = node->expr.argument[1];
    if (node->expr.op != IR_DIV || size->kind != NODE_CONST || size->value <= 0 ||
        place->kind != NODE_EXPR || place->expr.op != IR_REM ||
        place->expr.argument[0]->kind != NODE_VECTOR ||
        step_of(run, place->expr.argument[1]) % size->value)
        return 0;
    int64_t *piece = arena_array(&run->arena, int64_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        piece[t] = place->expr.argument[0]->vector[t] / size->value;
    return lanes_of_vector(run, piece);
}

// In how many neighbouring threads a value is the same, as far as it is made of thread numbers and
// of what is the same in the block; or that it came of an exchange within the warp.
static uint32_t lanes_alike(struct run *run, const struct node *node, bool *exchanged)
{
    uint32_t lanes = MOST_LANES, one;
    if (!node || !walk_visit(run, node))
        return lanes;
    switch (node->kind) {
    case NODE_CONST:
        return lanes;
    case NODE_VECTOR:
        return lanes_of_vector(run, node->vector);
    case NODE_ATOM:
        *exchanged |= node_is_exchanged(node);
        return node->shape == SHAPE_UNIFORM ? lanes : 1;
    case NODE_LINEAR:
        lanes = lanes_alike(run, node->linear.base, exchanged);
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            one = lanes_alike(run, node->linear.term[i].atom, exchanged);
            lanes = one < lanes ? one : lanes;
        }
        return lanes;
    case NODE_EXPR:
        if (node->expr.op == NODE_OP_LANE)
            return lanes;
        one = lanes_of_piece(run, node);
        if (one)
            return one;
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            one = lanes_alike(run, node->expr.argument[i], exchanged);
            lanes = one < lanes ? one : lanes;
        }
        return lanes;
    case NODE_ADDRESS:
        lanes = lanes_alike(run, node->address.offset, exchanged);
        one = lanes_alike(run, node->address.rank, exchanged);
        return one < lanes ? one : lanes;
    case NODE_PIECES:
        return lanes_of_pieces(run, node, exchanged);
    default:
        return 1;
    }
}

// The numbers that threads have in a value, beside what is the same in the block.
struct numbers {
    const int64_t *vector[MOST_VECTORS];
    uint32_t count;
    bool data; // there are words of memory in it that threads look up
};

// False where there is something else in it, or too many.
static bool numbers_in(struct run *run, const struct node *node, struct numbers *out)
{
    if (!node || !walk_visit(run, node))
        return true;
    bool found = true;
    switch (node->kind) {
    case NODE_CONST:
        return true;
    case NODE_VECTOR:
        if (out->count == MOST_VECTORS)
            return false;
        out->vector[out->count++] = node->vector;
        return true;
    case NODE_ATOM:
        return node->shape == SHAPE_UNIFORM;
    case NODE_LINEAR:
        found = numbers_in(run, node->linear.base, out);
        for (uint32_t i = 0; i < node->linear.count && found; ++i)
            found = numbers_in(run, node->linear.term[i].atom, out);
        return found;
    case NODE_EXPR:
        out->data |= node->expr.op == NODE_OP_LOAD && node->shape != SHAPE_UNIFORM;
        for (uint32_t i = 0; i < NODE_ARGUMENTS && found; ++i)
            found = numbers_in(run, node->expr.argument[i], out);
        return found;
    case NODE_ADDRESS:
        return numbers_in(run, node->address.offset, out) &&
               numbers_in(run, node->address.rank, out);
    default:
        return false;
    }
}

static bool have_same_numbers(const struct numbers *numbers, uint32_t one, uint32_t other)
{
    bool same = true;
    for (uint32_t i = 0; i < numbers->count && same; ++i)
        same = numbers->vector[i][one] == numbers->vector[i][other];
    return same;
}

// The first thread of that lane, in the block, that has the same numbers, and so the same value:
// lanes of several warps that load the same words, each anew.
static uint32_t first_alike(const struct run *run, const struct numbers *numbers, uint32_t thread)
{
    uint32_t size = run->engine->block_threads, first = thread / size * size + thread % size % WARP;
    while (first < thread && !have_same_numbers(numbers, first, thread))
        first += WARP;
    return first;
}

// For each thread the number of the run of threads that share its value, `lanes` of them in a
// block. Runs of one block that have the same numbers are one where the value is made of nothing
// else, as warps of a group of three that look up a word by the group's number. What all threads of
// a block share parts the blocks of a cluster, but for those that have the same numbers in it.
static const uint32_t *runs_of_threads(struct run *run, const struct node *form, uint32_t lanes)
{
    uint32_t *number = arena_array(&run->arena, uint32_t, run->masks->threads), runs = 0;
    uint32_t size = run->engine->block_threads;
    struct numbers numbers = {.count = 0};
    walk_begin(run);
    bool known = numbers_in(run, form, &numbers);
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        if (t % size % lanes) {
            number[t] = number[t - 1];
            continue;
        }
        uint32_t earlier = lanes < size ? t / size * size : 0, step = lanes < size ? lanes : size;
        earlier = lanes < size && !known ? t : earlier;
        while (earlier < t && !have_same_numbers(&numbers, earlier, t))
            earlier += step;
        number[t] = earlier < t ? number[earlier] : runs++;
    }
    return number;
}

// What the run knows of a remainder of the form, NULL where it knows of none.
static const struct bound *remainder_of(struct run *run, const struct node *form)
{
    for (ptrdiff_t i = 0; i < arrlen(run->bound); ++i) {
        const struct node *one = run->bound[i].form;
        if (one->kind != NODE_EXPR || one->expr.op != IR_REM ||
            one->expr.argument[1]->kind != NODE_CONST || one->expr.argument[1]->value < 2)
            continue;
        struct split split = split_of(run, one->expr.argument[0]);
        if (split.form == form && split.base == run->nodes->zero)
            return bound_find(run, one);
    }
    return NULL;
}

// The number, or the next multiple of what the thread's value is known to be a multiple of.
static int64_t number_fitting(const struct bound *remainder, uint32_t thread, int64_t number)
{
    if (!remainder)
        return number;
    int64_t least = remainder->lane ? remainder->lane[thread] : remainder->low;
    int64_t most = remainder->lane ? remainder->lane[thread] : remainder->high;
    int64_t step = remainder->form->expr.argument[1]->value, rest = number % step;
    return least || most || !rest ? number : number - rest + (rest > 0 ? step : 0);
}

// The same for a value that so many neighbouring threads share: they part by what each of them
// asks.
static void assume_alike(struct run *run, struct bound *bound, const struct question *question,
                         uint32_t first, uint32_t lanes)
{
    uint32_t threads = run->masks->threads;
    int64_t *lane = arena_array(&run->arena, int64_t, threads);
    int64_t *least = arena_array(&run->arena, int64_t, threads);
    int64_t *most = arena_array(&run->arena, int64_t, threads);
    const struct bound *remainder = remainder_of(run, question->form);
    const uint32_t *number = runs_of_threads(run, question->form, lanes);
    for (uint32_t t = 0, runs = 0; t < threads; ++t) {
        int64_t at = question_threshold(question, t);
        uint32_t n = number[t];
        bool fresh = n == runs;
        runs += fresh;
        least[n] = fresh || at < least[n] ? at : least[n];
        most[n] = fresh || at > most[n] ? at : most[n];
    }
    for (uint32_t t = 0; t < threads; ++t) {
        uint32_t n = number[t], kind = (n - number[first]) % 4;
        lane[t] = kind == 1   ? (question->equality ? most[n] + 1 : least[n] - 1)
                  : kind == 2 ? most[n]
                              : least[n] + (most[n] - least[n]) / 2;
        lane[t] = number_fitting(remainder, t, lane[t]);
    }
    bound->lane = lane;
}

static void assume_sample(struct run *run, struct bound *bound, const struct question *question,
                          uint32_t first)
{
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    struct numbers numbers = {.count = 0};
    walk_begin(run);
    bool known = numbers_in(run, question->form, &numbers);
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        int64_t at = question_threshold(question, t);
        bool yes = sample(known ? first_alike(run, &numbers, t) : t, first);
        lane[t] = yes ? at : question->equality ? at + 1 : at - 1;
    }
    bound->lane = lane;
}

// Notes who parts, where the form says of each thread what it has once the sizes are known.
static void note_apart(struct run *run, const struct question *question, const struct mask *mask)
{
    uint32_t last = mask->first, second = mask->first;
    struct numbers numbers = {.count = 0};
    walk_begin(run);
    if (!numbers_in(run, question->form, &numbers) || numbers.data)
        return;
    mask_each (run->masks, mask, t) {
        second = second == mask->first ? t : second;
        last = t;
    }
    struct apart apart = {.form = question->form, .equality = question->equality};
    const uint32_t thread[APART_THREADS] = {mask->first, second, last};
    for (uint32_t i = 0; i < APART_THREADS; ++i) {
        apart.thread[i] = thread[i];
        apart.at[i] = question_threshold(question, thread[i]);
    }
    arrput(run->apart, apart);
}

void sample_threads(struct run *run, struct bound *bound, const struct question *question,
                    const struct mask *mask)
{
    bool exchanged = false;
    walk_begin(run);
    uint32_t lanes = lanes_alike(run, question->form, &exchanged);
    if (!exchanged)
        note_apart(run, question, mask);
    if (lanes > 1 || exchanged)
        assume_alike(run, bound, question, mask->first, exchanged ? 32 : lanes);
    else
        assume_sample(run, bound, question, mask->first);
}

// Whether nothing that the run has decided keeps the number from being that.
static bool is_left(const struct bound *bound, int64_t number)
{
    for (uint32_t i = 0; i < bound->excluded_count; ++i) {
        if (bound->excluded[i] == number)
            return false;
    }
    return number >= bound->low && number <= bound->high;
}

bool sample_choice(struct run *run, struct bound *bound, const struct question *question,
                   const struct mask *mask, bool holds)
{
    const struct node *form = question->form, *const *of = form->expr.argument;
    if (form->kind != NODE_EXPR || form->expr.op != NODE_OP_MERGE || !node_known(of[1]) ||
        !node_known(of[2]))
        return false;
    int64_t *lane = arena_array(&run->arena, int64_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads; ++t) {
        int64_t at = question_threshold(question, t), number = 0;
        bool found = false;
        for (int i = 1; i <= 2 && !found; ++i) {
            node_lane(of[i], t, &number);
            if (!is_left(bound, number))
                continue;
            lane[t] = number; // of threads that do not ask either will do
            found = (question->equality ? number == at : number >= at) == holds;
        }
        if (!found && mask_has(mask, t))
            return false;
    }
    bound->lane = lane;
    return true;
}
