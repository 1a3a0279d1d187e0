// The search moves one number at a time to where the least is wrong, from several starts. What is
// alike by a bound, as sizes are that a host has compared, moves together; a bound about a single
// number is kept by what the number may be.
#include "engine/decisions/search.h"
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/cells.h"
#include "engine/walk/walk.h"

enum {
    MOST_SWEEPS = 24, // over all symbols, from one start
    SMALL_STARTS = 12,
    MOST_STARTS = 15, // the last ones from sizes of many tiles
    TILE = 256,
    LEAST_SIZE = 10, // powers of two of the sizes that are tried by themselves
    GREATEST_SIZE = 24,
    MOST_COST = 1 << 30,
    DEEPEST = 64, // of forms and what they are made of
    NO_SYMBOL = SEARCH_SYMBOLS,
};

// --- What is asked -------------------------------------------------------------------------------

void search_add(struct search *search, const struct bound *bound)
{
    bool open = bound->low == INT64_MIN && bound->high == INT64_MAX && bound->excluded_count == 0;
    if (open && search->opens < SEARCH_BOUNDS)
        search->open[search->opens++] = bound;
    else if (!open && search->bounds < SEARCH_BOUNDS)
        search->bound[search->bounds++] = bound;
}

void search_add_own(struct search *search, const struct bound *bound, uint32_t thread)
{
    if (search->owns == SEARCH_OWN || search->bounds == SEARCH_BOUNDS)
        return;
    search->own[search->owns] = *bound;
    search->asker[search->bounds] = thread == UINT32_MAX ? 0 : thread + 1;
    search->bound[search->bounds++] = &search->own[search->owns++];
}

static void add_mark(struct search *search, const struct node *node, int depth)
{
    if (node->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < node->linear.count; ++i)
            add_mark(search, node->linear.term[i].atom, depth + 1);
        return;
    }
    if (node->kind != NODE_EXPR || depth > MAX_DEPTH)
        return;
    const struct node *asked = node->expr.argument[0], *by = node->expr.argument[1];
    if (node->expr.op == IR_REM && by->kind == NODE_CONST && by->value > 1 &&
        by->value < MOST_COST && search->grains < SEARCH_GRAINS) {
        search->grain[search->grains].symbol = asked;
        search->grain[search->grains++].number = by->value;
    }
    if (node_compares(node) && asked->kind == NODE_LINEAR && asked->linear.count == 1 &&
        asked->linear.base->kind == NODE_CONST) {
        int64_t number = -asked->linear.base->value / asked->linear.term[0].factor;
        for (int64_t more = 0; more < 2 && search->marks < SEARCH_MARKS; ++more) {
            search->mark[search->marks].symbol = asked->linear.term[0].atom;
            search->mark[search->marks++].number = number + more;
        }
    }
    for (uint32_t i = 0; i < NODE_ARGUMENTS && node->expr.argument[i]; ++i)
        add_mark(search, node->expr.argument[i], depth + 1);
}

void search_mark(struct search *search, const struct node *node)
{
    add_mark(search, node, 0);
}

// --- Numbers and what they may be ----------------------------------------------------------------

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
    for (uint32_t w = 0; w < sizeof search->stale / sizeof *search->stale; ++w)
        search->stale[w] |= search->rests[symbol][w];
}

// Whether what was worked out then is so still.
static bool holds_still(const struct search *search, const struct search_made *made)
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
static struct search_made begin(struct search *search)
{
    struct search_made outer = search->made;
    search->made = (struct search_made){.round = search->round};
    return outer;
}

// Ends it, and goes on with what it is a part of. Returns what it was made of.
static struct search_made end(struct search *search, struct search_made outer)
{
    struct search_made made = search->made;
    search->made = outer;
    return made;
}

static void take_part(struct search *search, const struct search_made *part)
{
    search->made.of |= part->of;
    search->made.divides_by_none |= part->divides_by_none;
}

static bool value_of(struct search *search, const struct node *node, int64_t *out, int depth);

const struct node *search_launched(const struct search *search, const struct node *node)
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

static uint32_t find_name(const struct search *search, const struct node *node)
{
    uint32_t i = 0;
    while (i < search->symbols && search->name[i].node != node)
        ++i;
    return i;
}

// The number that was found last for the symbol, NULL where none is kept. No hash: keys count what
// else the unit has, too, on which no answer may rest.
static struct found_number *find_found(struct engine *engine, uint64_t key)
{
    for (uint32_t i = 0; i < FOUND_NUMBERS && i < engine->found_numbers; ++i)
        if (engine->found_number[i].key == key)
            return &engine->found_number[i];
    return NULL;
}

// Numbers that made all true are kept for the next question, which often asks little more.
static void keep_found(const struct search *search)
{
    struct engine *engine = search->run->engine;
    for (uint32_t i = 0; i < search->symbols; ++i) {
        const struct node *node = search->name[i].node;
        if (node->kind != NODE_ATOM)
            continue;
        struct found_number *found = find_found(engine, node->atom.key);
        if (!found)
            found = &engine->found_number[engine->found_numbers++ % FOUND_NUMBERS];
        *found = (struct found_number){node->atom.key, search->value[search->name[i].symbol]};
    }
}

static int64_t first_number(const struct search *search, const struct node *node)
{
    const struct found_number *found =
        node->kind == NODE_ATOM ? find_found(search->run->engine, node->atom.key) : NULL;
    return found ? found->value : 1;
}

struct search_range search_range_of(struct search *search, const struct node *node)
{
    struct search_range range = {.first = first_number(search, node)};
    interval_of(search->run, node, &range.low, &range.high);
    int64_t below = taken_below(search->run, node), step = step_at(search, node);
    if (below < 0)
        range.low = range.high = below;
    else
        size_range(&range.low, &range.high);
    range.step = step > 1 ? step : 1;
    return range;
}

// Makes a symbol of the node; it may be whatever the run knows of it.
static uint32_t add_symbol(struct search *search, const struct node *node)
{
    uint32_t i = search->symbols;
    if (i == SEARCH_SYMBOLS || node->shape != SHAPE_UNIFORM)
        return NO_SYMBOL;
    struct search_range range = search_range_of(search, node);
    search->low[i] = range.low;
    search->high[i] = range.high;
    search->step[i] = range.step;
    set_value(search, i, value_near(search, i, range.first));
    search->name[i].node = node;
    search->name[i].symbol = i;
    return search->symbols++;
}

uint32_t search_symbol(const struct search *search, const struct node *node)
{
    uint32_t at = find_name(search, node);
    return at < search->symbols ? search->name[at].symbol : NO_SYMBOL;
}

// The symbol that the node stands for; it is made when it is met for the first time.
static uint32_t symbol_at(struct search *search, const struct node *node)
{
    uint32_t at = find_name(search, node);
    return at < search->symbols ? search->name[at].symbol : add_symbol(search, node);
}

static bool symbol_of(struct search *search, const struct node *node, int64_t *out)
{
    const struct node *launched = search_launched(search, node);
    if (launched)
        return value_of(search, launched, out, 0);
    uint32_t symbol = symbol_at(search, node);
    if (symbol == NO_SYMBOL)
        return false;
    search->made.of |= 1u << symbol;
    *out = search->value[symbol];
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
    case NODE_OP_LOG2:
        *out = whole_log2(a);
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
    uint32_t at = (node->id + search->thread) % SEARCH_WORTHS;
    if (search->worth[at].node != node || search->worth[at].thread != search->thread ||
        !holds_still(search, &search->worth[at].made)) {
        int64_t value = 0;
        struct search_made outer = begin(search);
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

// Works out anew by how much the bound is off.
static void look_at(struct search *search, uint32_t bound)
{
    struct search_made outer = begin(search);
    search->thread = search->asker[bound];
    int64_t by = off_of(search, search->bound[bound]);
    struct search_made made = end(search, outer);
    for (uint32_t i = 0, of = made.of; of; ++i, of >>= 1)
        if (of & 1)
            search->rests[i][bound / 64] |= UINT64_C(1) << (bound % 64);
    search->cost += by - search->off[bound].by;
    search->divisions_by_none += made.divides_by_none;
    search->divisions_by_none -= search->off[bound].divides_by_none;
    search->off[bound].by = by;
    search->off[bound].divides_by_none = made.divides_by_none;
}

// How far the values are from all that is assumed.
static int64_t cost_of(struct search *search)
{
    for (uint32_t w = 0; w < sizeof search->stale / sizeof *search->stale; ++w) {
        while (search->stale[w]) {
            uint32_t bit = (uint32_t)__builtin_ctzll(search->stale[w]);
            search->stale[w] &= search->stale[w] - 1;
            look_at(search, 64 * w + bit);
        }
    }
    return search->divisions_by_none ? search->cost + MOST_COST : search->cost;
}

// By how much the bound is off that is so most.
static int64_t widest_of(const struct search *search)
{
    int64_t widest = 0;
    for (uint32_t i = 0; i < search->bounds; ++i)
        widest = search->off[i].by > widest ? search->off[i].by : widest;
    return widest;
}

static bool is_named(const struct search *search, const struct node *node, uint32_t symbol)
{
    uint32_t at = find_name(search, node);
    return at < search->symbols && search->name[at].symbol == symbol;
}

// Begins to move the symbol: so far it has been nowhere else.
static int64_t begin_move(struct search *search, uint32_t symbol)
{
    search->tried[0] = search->value[symbol];
    search->tries = 1;
    return search->value[symbol];
}

// Whether the symbol that is being moved has been there, where it cost no less than it does now.
// Otherwise it has now.
static bool was_tried(struct search *search, int64_t to)
{
    for (uint32_t i = 0; i < search->tries; ++i)
        if (search->tried[i] == to)
            return true;
    if (search->tries < SEARCH_TRIES)
        search->tried[search->tries++] = to;
    return false;
}

// Moves the symbol to the number if the cost is less there; returns the least cost.
static int64_t try_value(struct search *search, uint32_t symbol, int64_t to, int64_t *best,
                         int64_t cost)
{
    to = value_near(search, symbol, to);
    if (to < search->low[symbol] || to > search->high[symbol] || to == INT64_MAX ||
        to == INT64_MIN || was_tried(search, to))
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
    int64_t start = begin_move(search, symbol), best = start, widest = widest_of(search);
    for (uint32_t i = 0; i < 4 * (sizeof scale / sizeof scale[0]) && cost; ++i) {
        int64_t by = scale[i / 4 % 10] * (i & 1 ? widest : 1);
        cost = try_value(search, symbol, add_clamped(start, i & 2 ? -by : by), &best, cost);
    }
    if (cost)
        cost = try_value(search, symbol, search->low[symbol], &best, cost);
    if (cost)
        cost = try_value(search, symbol, search->high[symbol], &best, cost);
    for (uint32_t i = 0; i < search->marks && cost; ++i)
        if (is_named(search, search->mark[i].symbol, symbol))
            cost = try_value(search, symbol, search->mark[i].number, &best, cost);
    for (uint32_t i = 0; i < search->grains && cost; ++i) {
        int64_t grain = search->grain[i].number, below = start - start % grain;
        if (!is_named(search, search->grain[i].symbol, symbol))
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
    int64_t best = begin_move(search, symbol);
    for (int power = LEAST_SIZE; power <= GREATEST_SIZE && cost; ++power) {
        cost = try_value(search, symbol, INT64_C(1) << power, &best, cost);
        if (cost)
            cost = try_value(search, symbol, INT64_C(3) << (power - 1), &best, cost);
    }
    set_value(search, symbol, best);
    return cost;
}

// Whether one of the bounds that leave all open divides by 0 with these numbers: they are asked for
// from now on.
static bool asks_divisor(struct search *search)
{
    bool any = false;
    for (uint32_t i = search->opens; i-- > 0;) {
        int64_t value;
        struct search_made outer = begin(search);
        search->thread = 0;
        value_of(search, search->open[i]->form, &value, 0);
        if (!end(search, outer).divides_by_none)
            continue;
        if (search->bounds < SEARCH_BOUNDS) {
            search->stale[search->bounds / 64] |= UINT64_C(1) << (search->bounds % 64);
            search->bound[search->bounds++] = search->open[i];
            any = true;
        }
        search->open[i] = search->open[--search->opens];
    }
    return any;
}

static bool go_down(struct search *search)
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

// --- What bounds say outright --------------------------------------------------------------------

// The symbol that the value is, NO_SYMBOL where it is something else.
static uint32_t symbol_alone(struct search *search, const struct node *node)
{
    const struct node *launched = search_launched(search, node);
    node = node_plain(launched ? launched : node);
    bool loaded =
        node->kind == NODE_EXPR && (node->expr.op == NODE_OP_LOAD || node->expr.op == NODE_OP_CALL);
    bool alone = (node->kind == NODE_ATOM && !search_launched(search, node)) || loaded;
    return alone ? symbol_at(search, node) : NO_SYMBOL;
}

// What the symbol may be lies between the two as well; false where nothing does.
static bool keep_between(struct search *search, uint32_t symbol, int64_t low, int64_t high)
{
    low = low > search->low[symbol] ? low : search->low[symbol];
    high = high < search->high[symbol] ? high : search->high[symbol];
    if (low > high)
        return false;
    search->low[symbol] = low;
    search->high[symbol] = high;
    set_value(search, symbol, value_near(search, symbol, search->value[symbol]));
    return true;
}

// From now on the second is the first.
static void make_one(struct search *search, uint32_t symbol, uint32_t other)
{
    int64_t a = search->step[symbol], b = search->step[other], step;
    if (symbol == other || __builtin_mul_overflow(a / common_step(a, b), b, &step) ||
        !keep_between(search, symbol, search->low[other], search->high[other]))
        return;
    search->step[symbol] = step;
    set_value(search, symbol, value_near(search, symbol, search->value[symbol]));
    for (uint32_t i = 0; i < search->symbols; ++i)
        if (search->name[i].symbol == other)
            search->name[i].symbol = symbol;
    search->low[other] = search->high[other] = search->value[other]; // nobody's, and not moved
}

// A bound about one symbol, or of two that are alike.
static void take_outright(struct search *search, const struct bound *bound)
{
    const struct node *form = node_plain(bound->form);
    if (form->kind != NODE_LINEAR) {
        uint32_t symbol = symbol_alone(search, form);
        if (symbol != NO_SYMBOL)
            keep_between(search, symbol, bound->low, bound->high);
        return;
    }
    bool alike = form->linear.count == 2 && form->linear.base == search->run->nodes->zero &&
                 bound->low == 0 && bound->high == 0 &&
                 form->linear.term[0].factor == mul_clamped(form->linear.term[1].factor, -1);
    if (!alike)
        return;
    uint32_t one = symbol_alone(search, form->linear.term[0].atom);
    uint32_t other = symbol_alone(search, form->linear.term[1].atom);
    if (one != NO_SYMBOL && other != NO_SYMBOL)
        make_one(search, one, other);
}

static bool descend(struct search *search)
{
    bool found;
    do
        found = go_down(search);
    while (found && asks_divisor(search));
    return found;
}

// From one start after another, until numbers are found that make all bounds true.
bool search_find(struct search *search)
{
    for (uint32_t i = 0; i < search->bounds; ++i) {
        search->stale[i / 64] |= UINT64_C(1) << (i % 64);
        if (!search->asker[i])
            take_outright(search, search->bound[i]);
    }
    if (cost_of(search) > 0 && search_is_refuted(search))
        return false;
    uint64_t key = cost_of(search) > 0 ? search_key(search) : 0;
    if (search_failed_before(search->run->engine, key))
        return false;
    bool found = descend(search);
    for (uint32_t start = 0; start < MOST_STARTS && !found; ++start) {
        for (uint32_t i = 0; i < search->symbols; ++i) {
            int64_t to = (int64_t)((start * 7 + i * 5) % 11) * (start % 3 + 1);
            // Of sizes smaller than a tile all of m / 64 * n / 128 is 0, whichever one moves.
            to = start < SMALL_STARTS ? to : (to + 1) * TILE;
            set_value(search, i, value_near(search, i, start ? to : 1));
        }
        found = descend(search);
    }
    if (found)
        keep_found(search);
    else
        search_has_failed(search->run->engine, key);
    return found;
}
