// Whether some sizes make all true that a run has assumed. Each decision narrows what it is about,
// and what that is made of, but a set of them may contradict itself all the same: a product that is
// 5 of two factors that are 3 and 1. Numbers for the symbols are searched for by moving one at a
// time to where the least is wrong; the search is the same for a run each time. A second search
// asks the same of what the launch passes, among the numbers that the host can come to: of 1024
// elements no block of 256 gets a part, and a ring of 3 stages is not empty. How many rounds a loop
// makes is left out there, as a run makes fewer than a program.
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/cells.h"
#include "engine/walk/walk.h"

enum {
    MOST_SYMBOLS = 16,
    MOST_BOUNDS = 96,
    MOST_OWN = 16,
    MOST_MARKS = 32,
    MOST_GRAINS = 16,
    MOST_SWEEPS = 24, // over all symbols, from one start
    SMALL_STARTS = 12,
    MOST_STARTS = 15, // the last ones from sizes of many tiles
    TILE = 256,
    LEAST_SIZE = 10, // powers of two of the sizes that are tried by themselves
    GREATEST_SIZE = 24,
    MOST_COST = 1 << 30,
    WORTHS = 256, // expressions whose worth is remembered
    DEEPEST = 64, // of forms and what they are made of
};

// When something was worked out, and of what.
struct made {
    uint32_t round;       // 0: never
    uint32_t of;          // symbols, a bit for each
    bool divides_by_none; // no kernel goes on with that
};

struct search {
    struct run *run;
    const struct node *symbol[MOST_SYMBOLS];
    int64_t value[MOST_SYMBOLS], low[MOST_SYMBOLS], high[MOST_SYMBOLS];
    int64_t step[MOST_SYMBOLS]; // values are multiples of it
    uint32_t symbols;
    const struct bound *bound[MOST_BOUNDS];
    uint32_t asker[MOST_BOUNDS]; // the thread that a bound is about and one more; 0: all of them
    uint32_t thread;             // of what is being worked out, in the same way
    uint32_t bounds;
    struct bound own[MOST_OWN]; // made for the search
    uint32_t owns;
    const struct launched_call *call; // of the launch whose numbers are asked for, or NULL
    const struct node *blocks[3];     // the kernel's symbols for the extents of the grid
    // Numbers at which something changes for a symbol, as conditions compare it with them.
    struct {
        const struct node *symbol;
        int64_t number;
    } mark[MOST_MARKS];
    uint32_t marks;
    // Numbers that conditions ask a symbol to be a multiple of, or not to be.
    struct {
        const struct node *symbol;
        int64_t number;
    } grain[MOST_GRAINS];
    uint32_t grains;
    int64_t widest; // by how much a form was off when the cost was last taken
    // What expressions are worth: parts of one come again in others, and one symbol is moved at a
    // time.
    struct {
        const struct node *node;
        uint32_t thread;
        struct made made;
        bool known;
        int64_t value;
    } worth[WORTHS];
    // By how much each bound was off.
    struct {
        struct made made;
        int64_t by;
    } off[MOST_BOUNDS];
    uint32_t round;               // values were moved so many times
    uint32_t moved[MOST_SYMBOLS]; // the round in which each was last
    struct made made;             // of what is being worked out
};

// The number nearest to it that the symbol may be; the next multiple of its step from there up.
static int64_t value_near(const struct search *search, uint32_t symbol, int64_t number)
{
    int64_t low = search->low[symbol], high = search->high[symbol], step = search->step[symbol];
    number = number < low ? low : number > high ? high : number;
    int64_t rest = number % step;
    return rest ? add_clamped(number, rest > 0 ? step - rest : -rest) : number;
}

static void set_value(struct search *search, uint32_t symbol, int64_t to)
{
    search->value[symbol] = to;
    search->moved[symbol] = ++search->round;
}

// Whether what was worked out then is so still.
static bool holds_still(const struct search *search, const struct made *made)
{
    if (made->round == 0)
        return false;
    for (uint32_t i = 0, of = made->of; of; ++i, of >>= 1) {
        if (of & 1 && search->moved[i] > made->round)
            return false;
    }
    return true;
}

// Begins to work something out; returns what was being worked out, of which it is a part.
static struct made begin(struct search *search)
{
    struct made outer = search->made;
    search->made = (struct made){.round = search->round};
    return outer;
}

// Ends it, and goes on with what it is a part of. Returns what it was made of.
static struct made end(struct search *search, struct made outer)
{
    struct made made = search->made;
    search->made = outer;
    return made;
}

static void take_part(struct search *search, const struct made *part)
{
    search->made.of |= part->of;
    search->made.divides_by_none |= part->divides_by_none;
}

static bool value_of(struct search *search, const struct node *node, int64_t *out, int depth);

// What the launch makes of a symbol of the kernel, NULL where it says nothing.
static const struct node *launched_value(const struct search *search, const struct node *node)
{
    uint64_t at = argument_at(node);
    if (!search->call)
        return NULL;
    if (at < ENGINE_ARGUMENTS)
        return search->call->argument[at];
    for (uint32_t k = 0; k < 3; ++k)
        if (node == search->blocks[k])
            return search->call->grid[k];
    return NULL;
}

// A number that all values of the symbol are multiples of.
static int64_t step_at(struct search *search, const struct node *node)
{
    uint64_t at = argument_at(node);
    if (at < ENGINE_ARGUMENTS)
        return launched_step(search->run, (uint32_t)at);
    return search->call ? launched_step_of(search->call, node) : 1;
}

// The number below 0 that the run has taken a word of memory to be, -1 where that is all it knows;
// 0 for none; the same for a word that a copy brought. Sizes are never below 0, but where a program
// asks that of an entry of a table, such a number stands there for none.
static int64_t taken_below(const struct run *run, const struct node *node)
{
    bool loaded =
        node->kind == NODE_EXPR && (node->expr.op == NODE_OP_LOAD || node->expr.op == NODE_OP_LANE);
    if (!loaded && !cell_is_copied(node))
        return 0;
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *one = &run->decision[i];
        if (one->form == node && one->says == SAYS_IS && one->number < 0)
            return one->number;
        if (one->form == node && one->says == SAYS_BELOW && one->number == 0)
            return -1;
    }
    return 0;
}

// The value of the symbol; it is added when it is met for the first time.
static bool symbol_of(struct search *search, const struct node *node, int64_t *out)
{
    uint32_t i = 0;
    const struct node *launched = launched_value(search, node);
    if (launched)
        return value_of(search, launched, out, 0);
    while (i < search->symbols && search->symbol[i] != node)
        ++i;
    if (i == MOST_SYMBOLS || node->shape != SHAPE_UNIFORM)
        return false;
    if (i == search->symbols) {
        interval_of(search->run, node, &search->low[i], &search->high[i]);
        int64_t below = taken_below(search->run, node);
        if (below < 0)
            search->low[i] = search->high[i] = below;
        else
            size_range(&search->low[i], &search->high[i]);
        search->symbol[i] = node;
        int64_t step = step_at(search, node);
        search->step[i] = step > 1 ? step : 1;
        set_value(search, i, value_near(search, i, 1));
        ++search->symbols;
    }
    search->made.of |= 1u << i;
    *out = search->value[i];
    return true;
}

static bool value_of_expr(struct search *search, const struct node *node, int64_t *out, int depth)
{
    int64_t a = 0, b = 0;
    const struct node *const *argument = node->expr.argument;
    uint16_t op = node->expr.op;
    if (op == NODE_OP_LOAD || op == NODE_OP_CALL || op == NODE_OP_LANE)
        return symbol_of(search, node, out);
    if (op == NODE_OP_MERGE)
        return value_of(search, argument[0], &a, depth + 1) &&
               value_of(search, argument[a ? 1 : 2], out, depth + 1);
    if (!argument[0] || !value_of(search, argument[0], &a, depth + 1) ||
        (argument[1] && !value_of(search, argument[1], &b, depth + 1)))
        return false;
    switch (op) {
    case NODE_OP_GT0:
        *out = a > 0;
        return true;
    case NODE_OP_EQ0:
        *out = a == 0;
        return true;
    case NODE_OP_NE0:
        *out = a != 0;
        return true;
    case IR_CAST:
        *out = a;
        return true;
    case IR_MUL:
        *out = mul_clamped(a, b);
        return true;
    case IR_DIV:
    case IR_REM:
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            search->made.divides_by_none |= b == 0;
            return false;
        }
        *out = op == IR_DIV ? a / b : a % b;
        return true;
    case IR_MIN:
        *out = a < b ? a : b;
        return true;
    case IR_MAX:
        *out = a > b ? a : b;
        return true;
    case IR_AND:
        *out = a & b;
        return true;
    case IR_OR:
        *out = a | b;
        return true;
    case IR_XOR:
        *out = a ^ b;
        return true;
    case IR_SHL:
    case IR_SHR:
        // No program shifts by as many places as a number has: no way out for the search either.
        if (b < 0 || b > 62)
            *out = 0;
        else
            *out = op == IR_SHR ? a >> b : mul_clamped(a, INT64_C(1) << b);
        return true;
    default:
        return symbol_of(search, node, out);
    }
}

static bool worth_of(struct search *search, const struct node *node, int64_t *out, int depth)
{
    uint32_t at = (node->id + search->thread) % WORTHS;
    if (search->worth[at].node != node || search->worth[at].thread != search->thread ||
        !holds_still(search, &search->worth[at].made)) {
        int64_t value = 0;
        struct made outer = begin(search);
        bool known = value_of_expr(search, node, &value, depth);
        search->worth[at].node = node;
        search->worth[at].thread = search->thread;
        search->worth[at].made = end(search, outer);
        search->worth[at].known = known;
        search->worth[at].value = value;
    }
    take_part(search, &search->worth[at].made);
    *out = search->worth[at].value;
    return search->worth[at].known;
}

static bool value_of(struct search *search, const struct node *node, int64_t *out, int depth)
{
    if (depth > DEEPEST)
        return false;
    switch (node->kind) {
    case NODE_CONST:
        *out = node->value;
        return true;
    case NODE_VECTOR:
        if (search->thread)
            *out = node->vector[search->thread - 1];
        return search->thread != 0;
    case NODE_ATOM:
        return symbol_of(search, node, out);
    case NODE_EXPR:
        return worth_of(search, node, out, depth);
    case NODE_LINEAR: {
        if (!value_of(search, node->linear.base, out, depth + 1))
            return false;
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            int64_t term;
            if (!value_of(search, node->linear.term[i].atom, &term, depth + 1))
                return false;
            *out = add_clamped(*out, mul_clamped(term, node->linear.term[i].factor));
        }
        return true;
    }
    default:
        return false;
    }
}

// By how much the bound is off.
static int64_t off_of(struct search *search, const struct bound *bound)
{
    int64_t value, off = 0;
    if (!value_of(search, bound->form, &value, 0))
        return 0;
    if (value < bound->low)
        off = add_clamped(bound->low, mul_clamped(value, -1));
    else if (value > bound->high)
        off = add_clamped(value, mul_clamped(bound->high, -1));
    for (uint32_t k = 0; k < bound->excluded_count; ++k)
        off += value == bound->excluded[k];
    return off < MOST_COST ? off : MOST_COST;
}

// How far the values are from all that is assumed.
static int64_t cost_of(struct search *search)
{
    int64_t cost = 0;
    bool divides_by_none = false;
    search->widest = 0;
    for (uint32_t i = 0; i < search->bounds; ++i) {
        if (!holds_still(search, &search->off[i].made)) {
            struct made outer = begin(search);
            search->thread = search->asker[i];
            search->off[i].by = off_of(search, search->bound[i]);
            search->off[i].made = end(search, outer);
        }
        int64_t off = search->off[i].by;
        divides_by_none |= search->off[i].made.divides_by_none;
        search->widest = off > search->widest ? off : search->widest;
        cost += off;
    }
    return divides_by_none ? cost + MOST_COST : cost;
}

// Moves the symbol to the number if the cost is less there; returns the least cost.
static int64_t try_value(struct search *search, uint32_t symbol, int64_t to, int64_t *best,
                         int64_t cost)
{
    to = value_near(search, symbol, to);
    if (to < search->low[symbol] || to > search->high[symbol] || to == *best || to == INT64_MAX ||
        to == INT64_MIN)
        return cost;
    set_value(search, symbol, to);
    int64_t now = cost_of(search);
    if (now >= cost)
        return cost;
    *best = to;
    return now;
}

// Moves the symbol to where the cost is least; returns that.
static int64_t move(struct search *search, uint32_t symbol, int64_t cost)
{
    static const int64_t scale[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024};
    int64_t start = search->value[symbol], best = start, widest = search->widest;
    for (uint32_t i = 0; i < 4 * (sizeof scale / sizeof scale[0]) && cost; ++i) {
        int64_t by = scale[i / 4 % 10] * (i & 1 ? widest : 1);
        cost = try_value(search, symbol, add_clamped(start, i & 2 ? -by : by), &best, cost);
    }
    if (cost)
        cost = try_value(search, symbol, search->low[symbol], &best, cost);
    if (cost)
        cost = try_value(search, symbol, search->high[symbol], &best, cost);
    for (uint32_t i = 0; i < search->marks && cost; ++i)
        if (search->mark[i].symbol == search->symbol[symbol])
            cost = try_value(search, symbol, search->mark[i].number, &best, cost);
    for (uint32_t i = 0; i < search->grains && cost; ++i) {
        int64_t grain = search->grain[i].number, below = start - start % grain;
        if (search->grain[i].symbol != search->symbol[symbol])
            continue;
        cost = try_value(search, symbol, below, &best, cost);
        for (int64_t times = 1; times < 6 && cost; ++times)
            cost = try_value(search, symbol, add_clamped(below, times * grain), &best, cost);
    }
    set_value(search, symbol, best);
    return cost;
}

// Tries sizes from a thousand to many millions: of a buffer that blocks divide and copy in large
// pieces there are three pieces from a million bytes on, and no step from a small size leads there.
static int64_t move_far(struct search *search, uint32_t symbol, int64_t cost)
{
    int64_t best = search->value[symbol];
    for (int power = LEAST_SIZE; power <= GREATEST_SIZE && cost; ++power) {
        cost = try_value(search, symbol, INT64_C(1) << power, &best, cost);
        if (cost)
            cost = try_value(search, symbol, INT64_C(3) << (power - 1), &best, cost);
    }
    set_value(search, symbol, best);
    return cost;
}

static bool descend(struct search *search)
{
    int64_t cost = cost_of(search);
    for (int sweep = 0; sweep < MOST_SWEEPS && cost; ++sweep) {
        int64_t before = cost;
        for (uint32_t i = 0; i < search->symbols && cost; ++i) {
            cost_of(search);
            cost = move(search, i, cost);
        }
        for (uint32_t i = 0; i < search->symbols && cost == before; ++i)
            cost = move_far(search, i, cost);
        if (cost == before)
            break;
    }
    return cost == 0;
}

// From one start after another, until numbers are found that make all bounds true.
static bool find(struct search *search)
{
    bool found = descend(search);
    for (uint32_t start = 1; start < MOST_STARTS && !found; ++start) {
        for (uint32_t i = 0; i < search->symbols; ++i) {
            int64_t to = (int64_t)((start * 7 + i * 5) % 11) * (start % 3 + 1);
            // Of sizes smaller than a tile all of m / 64 * n / 128 is 0, whichever one moves.
            to = start < SMALL_STARTS ? to : (to + 1) * TILE;
            set_value(search, i, value_near(search, i, to));
        }
        found = descend(search);
    }
    return found;
}

// Bounds of what is the same in all threads.
static void add_bounds(struct search *search, const struct bound *bound, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count && search->bounds < MOST_BOUNDS; ++i) {
        if (!bound[i].lane && bound[i].form->shape == SHAPE_UNIFORM)
            search->bound[search->bounds++] = &bound[i];
    }
}

static void add_own(struct search *search, const struct node *form, int64_t low, int64_t high)
{
    if (search->owns == MOST_OWN || search->bounds == MOST_BOUNDS || node_known(form))
        return;
    search->own[search->owns] = (struct bound){.form = form, .low = low, .high = high};
    search->bound[search->bounds++] = &search->own[search->owns++];
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

// Notes the numbers that conditions in the expression compare one symbol with, or divide it by.
static void add_marks(struct search *search, const struct node *node, int depth)
{
    if (node->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < node->linear.count; ++i)
            add_marks(search, node->linear.term[i].atom, depth + 1);
        return;
    }
    if (node->kind != NODE_EXPR || depth > MAX_DEPTH)
        return;
    const struct node *asked = node->expr.argument[0], *by = node->expr.argument[1];
    if (node->expr.op == IR_REM && by->kind == NODE_CONST && by->value > 1 &&
        by->value < MOST_COST && search->grains < MOST_GRAINS) {
        search->grain[search->grains].symbol = asked;
        search->grain[search->grains++].number = by->value;
    }
    bool compares = node->expr.op == NODE_OP_EQ0 || node->expr.op == NODE_OP_NE0 ||
                    node->expr.op == NODE_OP_GT0;
    if (compares && asked->kind == NODE_LINEAR && asked->linear.count == 1 &&
        asked->linear.base->kind == NODE_CONST) {
        int64_t number = -asked->linear.base->value / asked->linear.term[0].factor;
        for (int64_t more = 0; more < 2 && search->marks < MOST_MARKS; ++more) {
            search->mark[search->marks].symbol = asked->linear.term[0].atom;
            search->mark[search->marks++].number = number + more;
        }
    }
    for (uint32_t i = 0; i < NODE_ARGUMENTS && node->expr.argument[i]; ++i)
        add_marks(search, node->expr.argument[i], depth + 1);
}

// What the launch itself asks of the host's numbers.
static void add_call(struct search *search, const struct launched_call *call)
{
    search->call = call;
    for (int k = 0; k < 3; ++k)
        search->blocks[k] = special_symbol(search->run, (enum ir_special)(IR_NCTAID_X + k));
    for (uint32_t i = 0; i < call->bounds && search->bounds < MOST_BOUNDS; ++i) {
        search->bound[search->bounds++] = &call->bound[i];
        add_marks(search, call->bound[i].form, 0);
    }
}

bool launched_is_possible(struct run *run, const struct launched_call *call)
{
    struct search search = {.run = run};
    add_call(&search, call);
    return find(&search);
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
        if (find(&search))
            return true;
    }
    return calls == 0;
}

// What a thread asks holds, or does not.
static void add_asker(struct search *search, const struct apart *apart, uint32_t which, bool holds)
{
    struct bound bound = {.form = apart->form, .low = INT64_MIN, .high = INT64_MAX};
    if (search->owns == MOST_OWN || search->bounds == MOST_BOUNDS)
        return;
    if (holds)
        bound.low = apart->at[which];
    if (apart->equality && holds)
        bound.high = apart->at[which];
    else if (apart->equality)
        bound.excluded[bound.excluded_count++] = apart->at[which];
    else if (!holds)
        bound.high = apart->at[which] - 1;
    search->own[search->owns] = bound;
    search->asker[search->bounds] = apart->thread[which] + 1;
    search->bound[search->bounds++] = &search->own[search->owns++];
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
        if (find(&search))
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
        find(&free) && is_launched(run, run->asked, arrlen(run->asked)) && all_can_part(run);
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
