// Whether some sizes make all true that a run has assumed. Each decision narrows what it is about,
// and what that is made of, but a set of them may contradict itself all the same: a product that is
// 5 of two factors that are 3 and 1. Numbers for the symbols are searched for by moving one at a
// time to where the least is wrong; the search is the same for a run each time. A second search
// asks the same of the arguments that the launch passes: of 1024 elements no block of 256 gets a
// part, and a ring of 3 stages is not empty. How many rounds a loop makes is left out there, as a
// run makes fewer than a program.
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"

enum {
    MOST_SYMBOLS = 12,
    MOST_BOUNDS = 96,
    MOST_SHARES = 8,
    MOST_SWEEPS = 24, // over all symbols, from one start
    MOST_STARTS = 12,
    MOST_COST = 1 << 30,
};

struct search {
    struct run *run;
    const struct node *symbol[MOST_SYMBOLS];
    int64_t value[MOST_SYMBOLS], low[MOST_SYMBOLS], high[MOST_SYMBOLS];
    int64_t step[MOST_SYMBOLS]; // values are multiples of it
    uint32_t symbols;
    const struct bound *bound[MOST_BOUNDS];
    uint32_t bounds;
    struct bound share[MOST_SHARES]; // of the grid's blocks in an argument
    uint32_t shares;
    int64_t widest; // by how much a form was off when the cost was last taken
    bool launched;  // with the arguments of the launch
};

// Whether the node is an argument that the launch passes as a known number.
static bool is_passed(const struct search *search, const struct node *node, int64_t *out)
{
    const struct engine *engine = search->run->engine;
    uint64_t at = argument_at(node);
    if (!search->launched || at >= ENGINE_ARGUMENTS || !(engine->passed >> at & 1))
        return false;
    *out = engine->shape.argument[at];
    return true;
}

// The number nearest to it that the symbol may be; the next multiple of its step from there up.
static int64_t value_near(const struct search *search, uint32_t symbol, int64_t number)
{
    int64_t low = search->low[symbol], high = search->high[symbol], step = search->step[symbol];
    number = number < low ? low : number > high ? high : number;
    int64_t rest = number % step;
    return rest ? add_clamped(number, rest > 0 ? step - rest : -rest) : number;
}

// The value of the symbol; it is added when it is met for the first time.
static bool symbol_of(struct search *search, const struct node *node, int64_t *out)
{
    uint32_t i = 0;
    if (is_passed(search, node, out))
        return true;
    while (i < search->symbols && search->symbol[i] != node)
        ++i;
    if (i == MOST_SYMBOLS || node->shape != SHAPE_UNIFORM)
        return false;
    if (i == search->symbols) {
        interval_of(search->run, node, &search->low[i], &search->high[i]);
        size_range(&search->low[i], &search->high[i]);
        search->symbol[i] = node;
        uint64_t at = argument_at(node);
        int64_t step = at < ENGINE_ARGUMENTS ? search->run->engine->shape.argument_step[at] : 1;
        search->step[i] = step > 1 ? step : 1;
        search->value[i] = value_near(search, i, 1);
        ++search->symbols;
    }
    *out = search->value[i];
    return true;
}

static bool value_of(struct search *search, const struct node *node, int64_t *out, int depth);

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
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
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
    default:
        return symbol_of(search, node, out);
    }
}

static bool value_of(struct search *search, const struct node *node, int64_t *out, int depth)
{
    if (depth > MAX_DEPTH)
        return false;
    switch (node->kind) {
    case NODE_CONST:
        *out = node->value;
        return true;
    case NODE_ATOM:
        return symbol_of(search, node, out);
    case NODE_EXPR:
        return value_of_expr(search, node, out, depth);
    case NODE_LINEAR: {
        if (node->linear.base->kind != NODE_CONST)
            return false;
        *out = node->linear.base->value;
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

// How far the values are from all that is assumed.
static int64_t cost_of(struct search *search)
{
    int64_t cost = 0;
    search->widest = 0;
    for (uint32_t i = 0; i < search->bounds; ++i) {
        const struct bound *bound = search->bound[i];
        int64_t value, off = 0;
        if (!value_of(search, bound->form, &value, 0))
            continue;
        if (value < bound->low)
            off = add_clamped(bound->low, mul_clamped(value, -1));
        else if (value > bound->high)
            off = add_clamped(value, mul_clamped(bound->high, -1));
        for (uint32_t k = 0; k < bound->excluded_count; ++k)
            off += value == bound->excluded[k];
        off = off < MOST_COST ? off : MOST_COST;
        search->widest = off > search->widest ? off : search->widest;
        cost += off;
    }
    return cost;
}

// Moves the symbol to where the cost is least; returns that.
static int64_t move(struct search *search, uint32_t symbol, int64_t cost)
{
    static const int64_t scale[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024};
    int64_t start = search->value[symbol], best = start, widest = search->widest;
    for (uint32_t i = 0; i < 4 * (sizeof scale / sizeof scale[0]) + 2 && cost; ++i) {
        int64_t by = scale[i / 4 % 10] * (i & 1 ? widest : 1);
        int64_t to = add_clamped(start, i & 2 ? -by : by);
        if (i >= 40)
            to = i == 40 ? search->low[symbol] : search->high[symbol];
        to = value_near(search, symbol, to);
        if (to < search->low[symbol] || to > search->high[symbol] || to == start ||
            to == INT64_MAX || to == INT64_MIN)
            continue;
        search->value[symbol] = to;
        int64_t now = cost_of(search);
        if (now < cost) {
            cost = now;
            best = to;
        }
    }
    search->value[symbol] = best;
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
            search->value[i] = value_near(search, i, to);
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

// The argument less the share of so many blocks.
static void add_share(struct search *search, const struct node *argument, int64_t share,
                      const struct node *blocks, int64_t low, int64_t high)
{
    struct node_pool *pool = search->run->nodes;
    if (!blocks || search->shares == MOST_SHARES || search->bounds == MOST_BOUNDS)
        return;
    blocks = node_binary(pool, IR_MUL, 64, true, blocks, node_const(pool, share));
    search->share[search->shares] = (struct bound){
        .form = node_binary(pool, IR_SUB, 64, true, argument, blocks), .low = low, .high = high};
    search->bound[search->bounds++] = &search->share[search->shares++];
}

// A grid of n / 128 blocks leaves each of them 128 or more of n, and fewer than 128 beside them.
static void add_shares(struct search *search)
{
    const struct run *run = search->run;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        int64_t share = run->engine->shape.argument_share[i];
        const struct node *argument = node_find_atom(run->nodes, ARGUMENT_KEY + i);
        if (share <= 0 || !argument)
            continue;
        add_share(search, argument, share, special_symbol(run, IR_CTAID_X), share, INT64_MAX);
        add_share(search, argument, share, special_symbol(run, IR_NCTAID_X), 0, share - 1);
    }
}

bool run_is_feasible(struct run *run)
{
    uint32_t decisions = (uint32_t)arrlen(run->decision);
    if (run->feasible_at == decisions + 1)
        return run->feasible;
    struct search free = {.run = run}, launched = {.run = run, .launched = true};
    add_bounds(&free, run->bound, arrlen(run->bound));
    if (run->engine->passed)
        add_bounds(&launched, run->asked, arrlen(run->asked));
    add_shares(&free);
    add_shares(&launched);
    run->feasible_at = decisions + 1;
    run->feasible = find(&free) && find(&launched);
    return run->feasible;
}

bool launch_allows(struct run *run, const struct bound *asked, uint32_t count)
{
    struct search launched = {.run = run, .launched = true};
    if (!run->engine->passed)
        return true;
    for (uint32_t i = 0; i < count && launched.bounds < MOST_BOUNDS; ++i)
        launched.bound[launched.bounds++] = &asked[i];
    return find(&launched);
}
