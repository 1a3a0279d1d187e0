// Whether some sizes make all true that a run has assumed. Each decision narrows what it is about,
// and what that is made of, but a set of them may contradict itself all the same: a product that is
// 5 of two factors that are 3 and 1. A second search asks the same of what the launch passes, among
// the numbers that the host can come to: of 1024 elements no block of 256 gets a part, and a ring
// of 3 stages is not empty. Of a loop only the rounds count there that the run has made, as it
// makes fewer than a program.
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/decisions/search.h"
#include "engine/walk/walk.h"

// Bounds of what is the same in all threads.
static void add_bounds(struct search *search, const struct bound *bound, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; ++i) {
        if (!bound[i].lane && bound[i].form->shape == SHAPE_UNIFORM)
            search_add(search, &bound[i]);
    }
}

static void add_own(struct search *search, const struct node *form, int64_t low, int64_t high)
{
    if (!node_known(form))
        search_add_own(search, &(struct bound){.form = form, .low = low, .high = high}, UINT32_MAX);
}

// The argument less the share of so many blocks.
static void add_share(struct search *search, const struct node *argument, int64_t share,
                      const struct node *blocks, int64_t low, int64_t high)
{
    struct node_pool *pool = search->run->nodes;
    if (!blocks)
        return;
    blocks = node_binary(pool, IR_MUL, 64, true, blocks, node_const(pool, share));
    add_own(search, node_binary(pool, IR_SUB, 64, true, argument, blocks), low, high);
}

// A grid of n / 128 blocks leaves each of them 128 or more of n, and fewer than 128 beside them.
static void add_shares(struct search *search)
{
    struct run *run = search->run;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        const struct node *argument = node_find_atom(run->nodes, ARGUMENT_KEY + i);
        int64_t share = argument ? launched_share(run, i) : 0;
        if (share <= 0)
            continue;
        add_share(search, argument, share, special_symbol(run, IR_CTAID_X), share, INT64_MAX);
        add_share(search, argument, share, special_symbol(run, IR_NCTAID_X), 0, share - 1);
    }
}

// A block's index is less than the number of blocks.
static void add_indices(struct search *search)
{
    struct run *run = search->run;
    for (int k = 0; k < 3; ++k) {
        const struct node *index = special_symbol(run, (enum ir_special)(IR_CTAID_X + k));
        const struct node *blocks = search->call ? search->call->grid[k] : NULL;
        if (!blocks)
            blocks = special_symbol(run, (enum ir_special)(IR_NCTAID_X + k));
        if (index && blocks)
            add_own(search, node_binary(run->nodes, IR_SUB, 64, true, blocks, index), 1, INT64_MAX);
    }
}

// What the launch itself asks of the host's numbers.
static void add_call(struct search *search, const struct launched_call *call)
{
    search->call = call;
    for (int k = 0; k < 3; ++k)
        search->blocks[k] = special_symbol(search->run, (enum ir_special)(IR_NCTAID_X + k));
    for (uint32_t i = 0; i < call->bounds; ++i) {
        search_add(search, &call->bound[i]);
        search_mark(search, call->bound[i].form);
    }
}

// Where the run goes by the numbers that one of several launches passes, the launch passes those;
// false where it does not.
static bool add_chosen(struct search *search, const struct launched_call *call)
{
    const struct engine *engine = search->run->engine;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        const struct node *passed = engine->chosen >> i & 1 ? call->argument[i] : NULL;
        const int64_t number = engine->shape.argument[i];
        if (passed && passed->kind == NODE_CONST && passed->value != number)
            return false;
        if (!passed || node_known(passed))
            continue;
        const struct bound bound = {.form = passed, .low = number, .high = number};
        search_add_own(search, &bound, UINT32_MAX);
        search_mark(search, passed);
    }
    return true;
}

bool launched_is_possible(struct run *run, const struct launched_call *call)
{
    struct search search = {.run = run};
    add_call(&search, call);
    return search_find(&search);
}

// Whether one of the launches passes numbers that make all of it true.
static bool is_launched(struct run *run, const struct bound *asked, ptrdiff_t count)
{
    const struct launched_call *call;
    uint32_t calls = launched_calls(run, &call);
    for (uint32_t i = 0; i < calls; ++i) {
        struct search search = {.run = run};
        add_call(&search, &call[i]);
        add_bounds(&search, asked, count);
        add_indices(&search);
        if (add_chosen(&search, &call[i]) && search_find(&search))
            return true;
    }
    return calls == 0;
}

// What a thread asks holds, or does not.
static void add_asker(struct search *search, const struct apart *apart, uint32_t which, bool holds)
{
    struct bound bound = {.form = apart->form, .low = INT64_MIN, .high = INT64_MAX};
    if (holds)
        bound.low = apart->at[which];
    if (apart->equality && holds)
        bound.high = apart->at[which];
    else if (apart->equality)
        bound.excluded[bound.excluded_count++] = apart->at[which];
    else if (!holds)
        bound.high = apart->at[which] - 1;
    search_add_own(search, &bound, apart->thread[which]);
}

// All that the run has decided.
static void add_decided(struct search *search)
{
    add_bounds(search, search->run->bound, arrlen(search->run->bound));
    add_shares(search);
    add_indices(search);
}

// Whether two threads can part: past `16 * row + x >= width`, no row begins before the first one.
static bool can_part(struct run *run, const struct apart *apart)
{
    for (uint32_t i = 0; i < APART_THREADS * APART_THREADS; ++i) {
        uint32_t one = i / APART_THREADS, other = i % APART_THREADS;
        if (apart->thread[one] == apart->thread[other])
            continue;
        struct search search = {.run = run};
        add_decided(&search);
        add_asker(&search, apart, one, true);
        add_asker(&search, apart, other, false);
        if (search_find(&search))
            return true;
    }
    return false;
}

static bool all_can_part(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->apart); ++i)
        if (!can_part(run, &run->apart[i]))
            return false;
    return true;
}

bool run_is_feasible(struct run *run)
{
    uint32_t decisions = (uint32_t)arrlen(run->decision);
    if (run->feasible_at == decisions + 1)
        return run->feasible;
    struct search free = {.run = run};
    add_decided(&free);
    run->feasible_at = decisions + 1;
    run->feasible =
        search_find(&free) && is_launched(run, run->asked, arrlen(run->asked)) && all_can_part(run);
    return run->feasible;
}

bool launch_allows(struct run *run, const struct bound *asked, uint32_t count)
{
    // What numbers may be rests on what the run has decided.
    uint64_t key = mix(1, (uint64_t)arrlen(run->decision));
    for (uint32_t i = 0; i < count; ++i) {
        key =
            mix(mix(mix(key, asked[i].form->id), (uint64_t)asked[i].low), (uint64_t)asked[i].high);
        for (uint32_t k = 0; k < asked[i].excluded_count; ++k)
            key = mix(key, (uint64_t)asked[i].excluded[k]);
    }
    struct launch_memo *memo = &run->launch[key % LAUNCH_MEMOS];
    if (memo->key != key)
        *memo = (struct launch_memo){.key = key, .allows = is_launched(run, asked, count)};
    return memo->allows;
}
