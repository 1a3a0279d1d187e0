#include "ir/cfg.h"

#include <string.h>

#include "base/vec.h"

static uint32_t *array_of(struct arena *arena, uint32_t count, uint32_t value)
{
    uint32_t *array = arena_array(arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; ++i)
        array[i] = value;
    return array;
}

// --- Edges -----------------------------------------------------------------------------------

// Appends the target to the pool unless this block has it already.
static void add_target(uint32_t **pool, uint32_t *seen_by, uint32_t count, uint32_t from,
                       uint32_t target)
{
    if (target >= count || seen_by[target] == from)
        return;
    seen_by[target] = from;
    arrput(*pool, target);
}

static void build_successors(struct cfg *cfg, const struct ir_function *function,
                             struct arena *arena)
{
    uint32_t count = cfg->block_count;
    uint32_t *seen_by = array_of(arena, count, IR_NONE);
    uint32_t *first = array_of(arena, count + 1, 0);
    uint32_t *pool = NULL;
    for (uint32_t block = 0; block < count; ++block) {
        first[block] = (uint32_t)arrlenu(pool);
        const struct ir_op *end = ir_terminator(function, block);
        if (!end)
            continue;
        if (end->code == IR_BR || end->code == IR_CONDBR || end->code == IR_SWITCH)
            add_target(&pool, seen_by, count, block, end->target[0]);
        if (end->code == IR_CONDBR)
            add_target(&pool, seen_by, count, block, end->target[1]);
        for (uint32_t i = 0; end->code == IR_SWITCH && i < end->case_count; ++i)
            if (end->imm >= 0 && (uint64_t)end->imm + i < arrlenu(function->cases))
                add_target(&pool, seen_by, count, block, function->cases[end->imm + i].target);
    }
    first[count] = (uint32_t)arrlenu(pool);
    uint32_t *kept = arena_array(arena, uint32_t, arrlenu(pool) + 1);
    if (pool)
        memcpy(kept, pool, arrlenu(pool) * sizeof *pool);
    arrfree(pool);
    cfg->successor = arena_array(arena, struct cfg_list, (size_t)count + 1);
    for (uint32_t block = 0; block < count; ++block)
        cfg->successor[block] =
            (struct cfg_list){kept + first[block], first[block + 1] - first[block]};
    cfg->successor[count] = (struct cfg_list){kept, 0};
}

// Turns the edges around. Only edges whose source has a place in `order_of` count, or all of them
// where that is NULL.
static struct cfg_list *reverse_edges(const struct cfg_list *edges, uint32_t count,
                                      const uint32_t *order_of, struct arena *arena)
{
    uint32_t *place = array_of(arena, count + 1, 0);
    uint32_t total = 0;
    for (uint32_t from = 0; from < count; ++from) {
        if (order_of && order_of[from] == IR_NONE)
            continue;
        for (uint32_t i = 0; i < edges[from].count; ++i, ++total)
            ++place[edges[from].item[i]];
    }
    uint32_t *item = arena_array(arena, uint32_t, (size_t)total + 1);
    struct cfg_list *reversed = arena_array(arena, struct cfg_list, (size_t)count + 1);
    uint32_t next = 0;
    for (uint32_t to = 0; to < count; ++to) {
        reversed[to] = (struct cfg_list){item + next, place[to]};
        uint32_t first = next;
        next += place[to];
        place[to] = first;
    }
    for (uint32_t from = 0; from < count; ++from) {
        if (order_of && order_of[from] == IR_NONE)
            continue;
        for (uint32_t i = 0; i < edges[from].count; ++i)
            item[place[edges[from].item[i]]++] = from;
    }
    return reversed;
}

// --- Orders ----------------------------------------------------------------------------------

struct walk {
    const struct cfg_list *edges;
    bool *seen;
    uint32_t *stack; // nodes on the way down
    uint32_t *next;  // next edge to take, by node
    uint32_t *done;  // finished nodes, in postorder
    uint32_t done_count;
};

static void walk_init(struct walk *walk, const struct cfg_list *edges, uint32_t count,
                      struct arena *arena)
{
    *walk = (struct walk){.edges = edges};
    walk->seen = arena_array(arena, bool, (size_t)count + 1);
    walk->stack = array_of(arena, count, 0);
    walk->next = array_of(arena, count, 0);
    walk->done = array_of(arena, count, 0);
}

// Depth first from the root over nodes not seen yet.
static void walk_from(struct walk *walk, uint32_t root)
{
    if (walk->seen[root])
        return;
    uint32_t depth = 0;
    walk->seen[root] = true;
    walk->stack[depth++] = root;
    while (depth > 0) {
        uint32_t node = walk->stack[depth - 1];
        if (walk->next[node] == walk->edges[node].count) {
            walk->done[walk->done_count++] = node;
            --depth;
            continue;
        }
        uint32_t to = walk->edges[node].item[walk->next[node]++];
        if (!walk->seen[to]) {
            walk->seen[to] = true;
            walk->stack[depth++] = to;
        }
    }
}

// Fills `order` with the reverse postorder from the root and `order_of` with the places in it.
// Returns the number of nodes reached.
static uint32_t reverse_postorder(const struct cfg_list *edges, uint32_t count, uint32_t root,
                                  uint32_t *order, uint32_t *order_of, struct arena *arena)
{
    struct walk walk;
    walk_init(&walk, edges, count, arena);
    if (root < count)
        walk_from(&walk, root);
    for (uint32_t i = 0; i < walk.done_count; ++i) {
        order[i] = walk.done[walk.done_count - 1 - i];
        order_of[order[i]] = i;
    }
    return walk.done_count;
}

// --- Dominance -------------------------------------------------------------------------------

// Keith D. Cooper, Timothy J. Harvey, Ken Kennedy: "A Simple, Fast Dominance Algorithm", Rice
// University TR-06-33870 (2006), figure 3. `parent` is indexed by place in the order here.
static uint32_t intersect(const uint32_t *parent, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = parent[a];
        while (b > a)
            b = parent[b];
    }
    return a;
}

// Fills the tree over `count` nodes, given the order from its root and the edges towards it.
static void build_tree(struct cfg_tree *tree, uint32_t count, const struct cfg_list *towards,
                       const uint32_t *order, const uint32_t *order_of, uint32_t order_count,
                       struct arena *arena)
{
    uint32_t *parent = array_of(arena, order_count, IR_NONE);
    if (order_count > 0)
        parent[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = 1; at < order_count; ++at) {
            const struct cfg_list *from = &towards[order[at]];
            uint32_t found = IR_NONE;
            for (uint32_t i = 0; i < from->count; ++i) {
                uint32_t other = order_of[from->item[i]];
                if (other == IR_NONE || parent[other] == IR_NONE)
                    continue;
                found = found == IR_NONE ? other : intersect(parent, other, found);
            }
            if (found != parent[at]) {
                parent[at] = found;
                changed = true;
            }
        }
    }

    tree->parent = array_of(arena, count, IR_NONE);
    tree->position = array_of(arena, count, IR_NONE);
    tree->size = array_of(arena, count, 0);
    uint32_t *room = array_of(arena, count, 0); // next free position in a node's subtree
    for (uint32_t at = order_count; at-- > 0;) {
        ++tree->size[order[at]];
        if (at > 0) {
            tree->parent[order[at]] = order[parent[at]];
            tree->size[order[parent[at]]] += tree->size[order[at]];
        }
    }
    for (uint32_t at = 0; at < order_count; ++at) {
        uint32_t node = order[at];
        uint32_t above = tree->parent[node];
        tree->position[node] = above == IR_NONE ? 0 : room[above];
        room[node] = tree->position[node] + 1;
        if (above != IR_NONE)
            room[above] += tree->size[node];
    }
}

static bool tree_above(const struct cfg_tree *tree, uint32_t above, uint32_t below)
{
    uint32_t from = tree->position[above], at = tree->position[below];
    return from != IR_NONE && at != IR_NONE && at >= from && at - from < tree->size[above];
}

// Marks all nodes with a path to `node`.
static void mark_backwards(const struct cfg_list *predecessor, uint32_t node, bool *marked,
                           uint32_t *stack)
{
    if (marked[node])
        return;
    uint32_t depth = 0;
    marked[node] = true;
    stack[depth++] = node;
    while (depth > 0) {
        const struct cfg_list *from = &predecessor[stack[--depth]];
        for (uint32_t i = 0; i < from->count; ++i) {
            if (!marked[from->item[i]]) {
                marked[from->item[i]] = true;
                stack[depth++] = from->item[i];
            }
        }
    }
}

// Says for each block whether an edge to the virtual exit starts there. Blocks without successors
// lead to it. Where control can go round for ever, a walk against the edges finishes last in a
// cycle that has no way out; the first block of that cycle is given the edge, and what leads there
// is settled by it; and so on with what is left.
static bool *find_ends(const struct cfg *cfg, struct arena *arena)
{
    uint32_t count = cfg->block_count;
    bool *ends = arena_array(arena, bool, (size_t)count + 1);
    bool *settled = arena_array(arena, bool, (size_t)count + 1);
    uint32_t *stack = array_of(arena, count, 0);
    for (uint32_t at = 0; at < cfg->order_count; ++at) {
        if (cfg->successor[cfg->order[at]].count == 0) {
            ends[cfg->order[at]] = true;
            mark_backwards(cfg->predecessor, cfg->order[at], settled, stack);
        }
    }
    struct walk walk, cycle;
    walk_init(&walk, cfg->predecessor, count, arena);
    walk_init(&cycle, cfg->successor, count, arena);
    memcpy(walk.seen, settled, count * sizeof *settled);
    for (uint32_t at = 0; at < cfg->order_count; ++at)
        walk_from(&walk, cfg->order[at]);
    for (uint32_t i = walk.done_count; i-- > 0;) {
        if (settled[walk.done[i]])
            continue;
        cycle.done_count = 0;
        walk_from(&cycle, walk.done[i]);
        uint32_t first = walk.done[i];
        for (uint32_t j = 0; j < cycle.done_count; ++j)
            if (cfg->order_of[cycle.done[j]] < cfg->order_of[first])
                first = cycle.done[j];
        ends[first] = true;
        mark_backwards(cfg->predecessor, first, settled, stack);
    }
    return ends;
}

static void build_post_dominators(struct cfg *cfg, struct arena *arena)
{
    uint32_t count = cfg->block_count;
    const bool *ends = find_ends(cfg, arena);
    // The graph with the virtual exit: successors of reachable blocks, and the edges to the exit.
    struct cfg_list *forward = arena_array(arena, struct cfg_list, (size_t)count + 1);
    for (uint32_t at = 0; at < cfg->order_count; ++at) {
        uint32_t block = cfg->order[at];
        forward[block] = cfg->successor[block];
        if (ends[block]) {
            uint32_t *item = array_of(arena, forward[block].count + 1, 0);
            memcpy(item, forward[block].item, forward[block].count * sizeof *item);
            item[forward[block].count] = cfg->exit;
            forward[block] = (struct cfg_list){item, forward[block].count + 1};
        }
    }
    struct cfg_list *backward = reverse_edges(forward, count + 1, NULL, arena);
    uint32_t *order = array_of(arena, count + 1, 0);
    uint32_t *order_of = array_of(arena, count + 1, IR_NONE);
    uint32_t reached = reverse_postorder(backward, count + 1, cfg->exit, order, order_of, arena);
    build_tree(&cfg->post_dominator, count + 1, forward, order, order_of, reached, arena);
}

// --- Loops -----------------------------------------------------------------------------------

// The outermost loop found so far around `loop`. `known` leads there, by way of loops between, and
// is shortened on the way.
static uint32_t outermost(uint32_t *known, uint32_t loop)
{
    uint32_t top = loop;
    while (known[top] != top)
        top = known[top];
    while (known[loop] != top) {
        uint32_t up = known[loop];
        known[loop] = top;
        loop = up;
    }
    return top;
}

// Gives every block that reaches a back edge of the loop without passing its header to the loop.
// Inner loops are complete already; they are passed over through their headers.
static void collect_loop(struct cfg *cfg, uint32_t loop, uint32_t *known, uint32_t **stack)
{
    ir_block_id header = cfg->loop[loop].header;
    cfg->loop_of[header] = loop;
    const struct cfg_list *from = &cfg->predecessor[header];
    for (uint32_t i = 0; i < from->count; ++i)
        if (cfg_dominates(cfg, header, from->item[i]))
            arrput(*stack, from->item[i]);
    while (arrlen(*stack) > 0) {
        ir_block_id block = arrpop(*stack);
        uint32_t inner = cfg->loop_of[block];
        if (inner == IR_NONE) {
            cfg->loop_of[block] = loop;
        } else {
            inner = outermost(known, inner);
            if (inner == loop)
                continue;
            cfg->loop[inner].parent = loop;
            known[inner] = loop;
            block = cfg->loop[inner].header;
        }
        from = &cfg->predecessor[block];
        for (uint32_t i = 0; i < from->count; ++i)
            arrput(*stack, from->item[i]);
    }
}

// Lays the blocks out so that each loop's stand together, inner loops after a loop's own blocks.
static void lay_out_loops(struct cfg *cfg, struct arena *arena)
{
    uint32_t *own = array_of(arena, cfg->loop_count, 0);
    for (uint32_t at = 0; at < cfg->order_count; ++at)
        if (cfg->loop_of[cfg->order[at]] != IR_NONE)
            ++own[cfg->loop_of[cfg->order[at]]];
    for (uint32_t loop = cfg->loop_count; loop-- > 0;) {
        cfg->loop[loop].count += own[loop];
        if (cfg->loop[loop].parent != IR_NONE)
            cfg->loop[cfg->loop[loop].parent].count += cfg->loop[loop].count;
    }
    uint32_t *room = array_of(arena, cfg->loop_count, 0); // next place for an inner loop
    uint32_t *next = array_of(arena, cfg->loop_count, 0); // next place for an own block
    uint32_t end = 0;
    for (uint32_t loop = 0; loop < cfg->loop_count; ++loop) {
        struct cfg_loop *this_loop = &cfg->loop[loop];
        uint32_t *place = this_loop->parent == IR_NONE ? &end : &room[this_loop->parent];
        this_loop->depth =
            this_loop->parent == IR_NONE ? 1 : cfg->loop[this_loop->parent].depth + 1;
        this_loop->first = *place;
        *place += this_loop->count;
        next[loop] = this_loop->first;
        room[loop] = this_loop->first + own[loop];
    }
    cfg->loop_block = array_of(arena, end, IR_NONE);
    for (uint32_t at = 0; at < cfg->order_count; ++at) {
        ir_block_id block = cfg->order[at];
        if (cfg->loop_of[block] == IR_NONE)
            continue;
        cfg->loop_block_of[block] = next[cfg->loop_of[block]]++;
        cfg->loop_block[cfg->loop_block_of[block]] = block;
    }
}

static void build_loops(struct cfg *cfg, struct arena *arena)
{
    cfg->loop_of = array_of(arena, cfg->block_count, IR_NONE);
    cfg->loop_block_of = array_of(arena, cfg->block_count, IR_NONE);
    struct cfg_loop *loops = NULL;
    for (uint32_t at = 0; at < cfg->order_count; ++at) {
        ir_block_id block = cfg->order[at];
        const struct cfg_list *from = &cfg->predecessor[block];
        bool is_header = false;
        for (uint32_t i = 0; i < from->count; ++i) {
            if (cfg->order_of[from->item[i]] < at)
                continue;
            if (cfg_dominates(cfg, block, from->item[i]))
                is_header = true;
            else
                cfg->irreducible = true;
        }
        if (is_header)
            arrput(loops, ((struct cfg_loop){.header = block, .parent = IR_NONE}));
    }
    cfg->loop_count = (uint32_t)arrlenu(loops);
    cfg->loop = arena_array(arena, struct cfg_loop, (size_t)cfg->loop_count + 1);
    if (loops)
        memcpy(cfg->loop, loops, cfg->loop_count * sizeof *loops);
    arrfree(loops);

    uint32_t *known = array_of(arena, cfg->loop_count, 0);
    for (uint32_t loop = 0; loop < cfg->loop_count; ++loop)
        known[loop] = loop;
    uint32_t *stack = NULL;
    for (uint32_t loop = cfg->loop_count; loop-- > 0;)
        collect_loop(cfg, loop, known, &stack);
    arrfree(stack);
    lay_out_loops(cfg, arena);
}

// --- Interface -------------------------------------------------------------------------------

void cfg_build(struct cfg *cfg, const struct ir_function *function, struct arena *arena)
{
    *cfg = (struct cfg){0};
    uint32_t count = cfg->block_count = cfg->exit = (uint32_t)arrlenu(function->block);
    build_successors(cfg, function, arena);
    cfg->order = array_of(arena, count, 0);
    cfg->order_of = array_of(arena, count, IR_NONE);
    cfg->order_count =
        reverse_postorder(cfg->successor, count, 0, cfg->order, cfg->order_of, arena);
    cfg->predecessor = reverse_edges(cfg->successor, count, cfg->order_of, arena);
    build_tree(&cfg->dominator, count, cfg->predecessor, cfg->order, cfg->order_of,
               cfg->order_count, arena);
    build_post_dominators(cfg, arena);
    build_loops(cfg, arena);
}

bool cfg_reachable(const struct cfg *cfg, ir_block_id block)
{
    return cfg->order_of[block] != IR_NONE;
}

bool cfg_dominates(const struct cfg *cfg, ir_block_id above, ir_block_id below)
{
    return tree_above(&cfg->dominator, above, below);
}

bool cfg_post_dominates(const struct cfg *cfg, ir_block_id below, ir_block_id above)
{
    return tree_above(&cfg->post_dominator, below, above);
}

ir_block_id cfg_join(const struct cfg *cfg, ir_block_id block)
{
    return cfg->post_dominator.parent[block];
}

const bool *cfg_reached_from(const struct cfg *cfg, ir_block_id from, struct arena *arena)
{
    bool *reached = arena_array(arena, bool, cfg->block_count + 1);
    ir_block_id *work = arena_array(arena, ir_block_id, cfg->block_count + 1);
    size_t count = 1;
    reached[work[0] = from] = true;
    while (count) {
        const struct cfg_list *next = &cfg->successor[work[--count]];
        for (uint32_t i = 0; i < next->count; ++i) {
            ir_block_id block = next->item[i];
            if (block < cfg->block_count && !reached[block])
                reached[work[count++] = block] = true;
        }
    }
    return reached;
}

bool cfg_in_loop(const struct cfg *cfg, uint32_t loop, ir_block_id block)
{
    uint32_t place = cfg->loop_block_of[block];
    return place != IR_NONE && place >= cfg->loop[loop].first &&
           place - cfg->loop[loop].first < cfg->loop[loop].count;
}

uint32_t cfg_loop_exits(const struct cfg *cfg, uint32_t loop, struct arena *arena,
                        struct cfg_edge **out_edge)
{
    struct cfg_edge *edges = NULL;
    for (uint32_t i = 0; i < cfg->loop[loop].count; ++i) {
        ir_block_id from = cfg->loop_block[cfg->loop[loop].first + i];
        for (uint32_t j = 0; j < cfg->successor[from].count; ++j) {
            ir_block_id to = cfg->successor[from].item[j];
            if (!cfg_in_loop(cfg, loop, to))
                arrput(edges, ((struct cfg_edge){from, to}));
        }
    }
    uint32_t count = (uint32_t)arrlenu(edges);
    *out_edge = arena_array(arena, struct cfg_edge, (size_t)count + 1);
    if (edges)
        memcpy(*out_edge, edges, count * sizeof *edges);
    arrfree(edges);
    return count;
}
