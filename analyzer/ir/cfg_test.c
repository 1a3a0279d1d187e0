// Control flow graphs against what the definitions say, tried out path by path.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "ir/cfg.h"

enum { MAX_BLOCKS = 16, MAX_OUT = 3 };

// A graph by its edges; a block without any ends the thread.
struct shape {
    uint32_t count;
    uint32_t out_count[MAX_BLOCKS];
    uint32_t out[MAX_BLOCKS][MAX_OUT];
};

static void shape_edge(struct shape *shape, uint32_t from, uint32_t to)
{
    assert_true(shape->out_count[from] < MAX_OUT);
    shape->out[from][shape->out_count[from]++] = to;
}

static void shape_build(const struct shape *shape, struct ir_unit *unit)
{
    ir_unit_init(unit);
    struct ir_builder builder = {.unit = unit, .block = IR_NONE};
    builder.function = ir_function_add(unit, "f", NULL, NULL);
    ir_type_id u32 = ir_type_int(unit, 32, false);
    for (uint32_t block = 0; block < shape->count; ++block)
        ir_build_block(&builder);
    for (uint32_t block = 0; block < shape->count; ++block) {
        builder.block = block;
        const uint32_t *out = shape->out[block];
        switch (shape->out_count[block]) {
        case 0:
            ir_build(&builder, block % 2 ? IR_RET : IR_EXIT, IR_NONE, NULL, 0, 0);
            break;
        case 1:
            ir_build_br(&builder, out[0]);
            break;
        case 2:
            ir_build_condbr(&builder, ir_build_const(&builder, u32, 1), out[0], out[1]);
            break;
        default: {
            struct ir_case cases[] = {{1, 2, out[1]}, {3, 3, out[2]}, {9, 9, out[1]}};
            ir_build_switch(&builder, ir_build_const(&builder, u32, 1), out[0], cases, 3);
        }
        }
    }
}

// --- The reference ---------------------------------------------------------------------------

// Marks what `from` reaches without entering `without` (IR_NONE: no such block).
static void reach(const struct shape *shape, uint32_t from, uint32_t without, bool *seen)
{
    if (from == without || seen[from])
        return;
    seen[from] = true;
    for (uint32_t i = 0; i < shape->out_count[from]; ++i)
        reach(shape, shape->out[from][i], without, seen);
}

static bool reaches(const struct shape *shape, uint32_t from, uint32_t to, uint32_t without)
{
    bool seen[MAX_BLOCKS] = {false};
    reach(shape, from, without, seen);
    return seen[to];
}

static bool naive_dominates(const struct shape *shape, uint32_t above, uint32_t below)
{
    return reaches(shape, 0, above, IR_NONE) && reaches(shape, 0, below, IR_NONE) &&
           !reaches(shape, 0, below, above);
}

// Whether a block from which the thread may end, or go round a loop that cannot be left, is
// reached. `ends` is the set of blocks with an edge to the exit.
static bool naive_escapes(const struct shape *shape, const bool *ends, uint32_t from,
                          uint32_t without)
{
    bool seen[MAX_BLOCKS] = {false};
    reach(shape, from, without, seen);
    for (uint32_t block = 0; block < shape->count; ++block)
        if (seen[block] && ends[block])
            return true;
    return false;
}

// The blocks with an edge to the exit: those without successors and, of every strongly connected
// set that cannot be left, the first in the order.
static void naive_ends(const struct shape *shape, const struct cfg *cfg, bool *ends)
{
    for (uint32_t block = 0; block < shape->count; ++block) {
        if (!cfg_reachable(cfg, block))
            continue;
        bool closed = true, first = true;
        for (uint32_t other = 0; other < shape->count; ++other) {
            if (!reaches(shape, block, other, IR_NONE))
                continue;
            closed &= reaches(shape, other, block, IR_NONE);
            first &= cfg->order_of[block] <= cfg->order_of[other];
        }
        ends[block] = closed && first;
    }
}

static bool has_edge(const struct shape *shape, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < shape->out_count[from]; ++i)
        if (shape->out[from][i] == to)
            return true;
    return false;
}

static bool list_has(const struct cfg_list *list, uint32_t item)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < list->count; ++i)
        found += list->item[i] == item;
    assert_true(found <= 1);
    return found;
}

// Whether the block is in the natural loop of the header.
static bool naive_in_loop(const struct shape *shape, uint32_t header, uint32_t block)
{
    for (uint32_t latch = 0; latch < shape->count; ++latch) {
        if (!has_edge(shape, latch, header) || !naive_dominates(shape, header, latch))
            continue;
        if (block == header ||
            (reaches(shape, 0, block, IR_NONE) && reaches(shape, block, latch, header)))
            return true;
    }
    return false;
}

static void check_dominance(const struct shape *shape, const struct cfg *cfg)
{
    bool ends[MAX_BLOCKS] = {false};
    naive_ends(shape, cfg, ends);
    for (uint32_t a = 0; a < shape->count; ++a) {
        uint32_t dominators = 0, post_dominators = 0;
        for (uint32_t b = 0; b < shape->count; ++b) {
            bool both = cfg_reachable(cfg, a) && cfg_reachable(cfg, b);
            bool above = cfg_dominates(cfg, b, a);
            bool below = cfg_post_dominates(cfg, b, a);
            assert_int_equal(above, naive_dominates(shape, b, a));
            assert_int_equal(below, both && !naive_escapes(shape, ends, a, b));
            dominators += above && a != b;
            post_dominators += below && a != b;
            // The immediate one is the last: everything else that (post-)dominates is above it.
            if (above && a != b)
                assert_true(cfg_dominates(cfg, b, cfg->dominator.parent[a]));
            if (below && a != b)
                assert_true(cfg_post_dominates(cfg, b, cfg_join(cfg, a)));
        }
        if (!cfg_reachable(cfg, a)) {
            assert_int_equal(cfg->dominator.parent[a], IR_NONE);
            assert_int_equal(cfg_join(cfg, a), IR_NONE);
            continue;
        }
        assert_int_equal(cfg->dominator.parent[a] == IR_NONE, dominators == 0);
        assert_int_equal(cfg_join(cfg, a) == cfg->exit, post_dominators == 0);
        assert_true(cfg_post_dominates(cfg, cfg->exit, a));
        assert_int_not_equal(cfg_join(cfg, a), a);
    }
}

static void check_edges(const struct shape *shape, const struct cfg *cfg)
{
    for (uint32_t a = 0; a < shape->count; ++a) {
        bool reachable = reaches(shape, 0, a, IR_NONE);
        assert_int_equal(cfg_reachable(cfg, a), reachable);
        if (reachable)
            assert_int_equal(cfg->order[cfg->order_of[a]], a);
        for (uint32_t b = 0; b < shape->count; ++b) {
            assert_int_equal(list_has(&cfg->successor[a], b), has_edge(shape, a, b));
            assert_int_equal(list_has(&cfg->predecessor[b], a), reachable && has_edge(shape, a, b));
        }
    }
}

static void check_exits(const struct shape *shape, const struct cfg *cfg, uint32_t loop,
                        struct arena *arena)
{
    struct cfg_edge *edge;
    uint32_t count = cfg_loop_exits(cfg, loop, arena, &edge), expected = 0;
    for (uint32_t a = 0; a < shape->count; ++a)
        for (uint32_t b = 0; b < shape->count; ++b)
            expected +=
                has_edge(shape, a, b) && cfg_in_loop(cfg, loop, a) && !cfg_in_loop(cfg, loop, b);
    assert_int_equal(count, expected);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(has_edge(shape, edge[i].from, edge[i].to));
        assert_true(cfg_in_loop(cfg, loop, edge[i].from));
        assert_false(cfg_in_loop(cfg, loop, edge[i].to));
    }
}

static void check_loops(const struct shape *shape, const struct cfg *cfg, struct arena *arena)
{
    uint32_t headers = 0;
    for (uint32_t block = 0; block < shape->count; ++block) {
        headers += naive_in_loop(shape, block, block);
        uint32_t depth = 0;
        for (uint32_t loop = 0; loop < cfg->loop_count; ++loop)
            depth += cfg_in_loop(cfg, loop, block);
        uint32_t inner = cfg->loop_of[block];
        assert_int_equal(depth, inner == IR_NONE ? 0 : cfg->loop[inner].depth);
    }
    assert_int_equal(cfg->loop_count, headers);
    for (uint32_t loop = 0; loop < cfg->loop_count; ++loop) {
        const struct cfg_loop *at = &cfg->loop[loop];
        uint32_t count = 0;
        for (uint32_t block = 0; block < shape->count; ++block) {
            assert_int_equal(cfg_in_loop(cfg, loop, block),
                             naive_in_loop(shape, at->header, block));
            count += cfg_in_loop(cfg, loop, block);
        }
        assert_int_equal(at->count, count);
        assert_int_equal(cfg->loop_block[at->first], at->header);
        assert_int_equal(cfg->loop_of[at->header], loop);
        if (at->parent != IR_NONE) {
            assert_true(at->parent < loop);
            assert_true(cfg_in_loop(cfg, at->parent, at->header));
        }
        check_exits(shape, cfg, loop, arena);
    }
    bool irreducible = false;
    for (uint32_t a = 0; a < shape->count; ++a)
        for (uint32_t b = 0; b < shape->count; ++b)
            irreducible |= cfg_reachable(cfg, a) && has_edge(shape, a, b) &&
                           cfg->order_of[b] <= cfg->order_of[a] && !naive_dominates(shape, b, a);
    assert_int_equal(cfg->irreducible, irreducible);
}

static void check_shape(const struct shape *shape)
{
    struct ir_unit unit;
    shape_build(shape, &unit);
    struct arena arena;
    arena_init(&arena);
    struct cfg cfg;
    cfg_build(&cfg, &unit.function[0], &arena);
    check_edges(shape, &cfg);
    check_dominance(shape, &cfg);
    check_loops(shape, &cfg, &arena);
    arena_release(&arena);
    ir_unit_release(&unit);
}

static void random_graphs(void **state)
{
    (void)state;
    unsigned seed = 22071;
    for (int round = 0; round < 6000; ++round) {
        struct shape shape = {.count = 1 + (uint32_t)rand_r(&seed) % MAX_BLOCKS};
        // The fewer ends, the more loops without a way out.
        unsigned ends = 1 + (unsigned)rand_r(&seed) % 12;
        for (uint32_t block = 0; block < shape.count; ++block) {
            unsigned edges = (unsigned)rand_r(&seed) % ends ? 1 + (unsigned)rand_r(&seed) % 3 : 0;
            for (unsigned i = 0; i < edges; ++i)
                shape_edge(&shape, block, (uint32_t)rand_r(&seed) % shape.count);
        }
        check_shape(&shape);
    }
}

// --- Shapes by hand --------------------------------------------------------------------------

struct fixture {
    struct ir_unit unit;
    struct arena arena;
    struct cfg cfg;
};

static void fixture_init(struct fixture *fixture, const struct shape *shape)
{
    check_shape(shape);
    shape_build(shape, &fixture->unit);
    arena_init(&fixture->arena);
    cfg_build(&fixture->cfg, &fixture->unit.function[0], &fixture->arena);
}

static void fixture_release(struct fixture *fixture)
{
    arena_release(&fixture->arena);
    ir_unit_release(&fixture->unit);
}

static void join_of_a_branch(void **state)
{
    (void)state;
    // if (c) { if (d) return; } end
    struct shape shape = {.count = 5};
    shape_edge(&shape, 0, 1);
    shape_edge(&shape, 0, 4);
    shape_edge(&shape, 1, 2);
    shape_edge(&shape, 1, 3);
    shape_edge(&shape, 3, 4);
    struct fixture fixture;
    fixture_init(&fixture, &shape);
    assert_int_equal(cfg_join(&fixture.cfg, 0), fixture.cfg.exit);
    assert_int_equal(cfg_join(&fixture.cfg, 1), fixture.cfg.exit);
    assert_int_equal(cfg_join(&fixture.cfg, 3), 4);
    fixture_release(&fixture);
}

static void nested_loops(void **state)
{
    (void)state;
    // b0; loop b1 { loop b2 { b3 } b4 } b5
    struct shape shape = {.count = 6};
    shape_edge(&shape, 0, 1);
    shape_edge(&shape, 1, 2);
    shape_edge(&shape, 1, 5);
    shape_edge(&shape, 2, 3);
    shape_edge(&shape, 2, 4);
    shape_edge(&shape, 3, 2);
    shape_edge(&shape, 4, 1);
    struct fixture fixture;
    fixture_init(&fixture, &shape);
    assert_int_equal(fixture.cfg.loop_count, 2);
    assert_int_equal(fixture.cfg.loop[0].header, 1);
    assert_int_equal(fixture.cfg.loop[0].count, 4);
    assert_int_equal(fixture.cfg.loop[1].header, 2);
    assert_int_equal(fixture.cfg.loop[1].parent, 0);
    assert_int_equal(fixture.cfg.loop[1].depth, 2);
    assert_int_equal(cfg_join(&fixture.cfg, 2), 4);
    assert_int_equal(cfg_join(&fixture.cfg, 1), 5);
    fixture_release(&fixture);
}

static void loop_without_end(void **state)
{
    (void)state;
    // b0; for (;;) { b1: if (c) b2; b3 }
    struct shape shape = {.count = 4};
    shape_edge(&shape, 0, 1);
    shape_edge(&shape, 1, 2);
    shape_edge(&shape, 1, 3);
    shape_edge(&shape, 2, 3);
    shape_edge(&shape, 3, 1);
    struct fixture fixture;
    fixture_init(&fixture, &shape);
    assert_int_equal(cfg_join(&fixture.cfg, 0), 1);
    assert_int_equal(cfg_join(&fixture.cfg, 2), 3);
    assert_int_equal(cfg_join(&fixture.cfg, 3), 1);
    assert_int_equal(cfg_join(&fixture.cfg, 1), fixture.cfg.exit);
    fixture_release(&fixture);
}

static void loop_entered_twice(void **state)
{
    (void)state;
    struct shape shape = {.count = 4};
    shape_edge(&shape, 0, 1);
    shape_edge(&shape, 0, 2);
    shape_edge(&shape, 1, 2);
    shape_edge(&shape, 2, 1);
    shape_edge(&shape, 2, 3);
    struct fixture fixture;
    fixture_init(&fixture, &shape);
    assert_true(fixture.cfg.irreducible);
    assert_int_equal(fixture.cfg.loop_count, 0);
    assert_int_equal(fixture.cfg.dominator.parent[2], 0);
    assert_int_equal(cfg_join(&fixture.cfg, 0), 2);
    fixture_release(&fixture);
}

static void unreachable_blocks(void **state)
{
    (void)state;
    struct shape shape = {.count = 4};
    shape_edge(&shape, 0, 1);
    shape_edge(&shape, 2, 1);
    shape_edge(&shape, 2, 3);
    shape_edge(&shape, 3, 2);
    struct fixture fixture;
    fixture_init(&fixture, &shape);
    assert_int_equal(fixture.cfg.order_count, 2);
    assert_int_equal(fixture.cfg.predecessor[1].count, 1);
    assert_int_equal(fixture.cfg.loop_count, 0);
    fixture_release(&fixture);
}

static void no_blocks_at_all(void **state)
{
    (void)state;
    struct ir_unit unit;
    ir_unit_init(&unit);
    ir_function_add(&unit, "declared", NULL, NULL);
    struct arena arena;
    arena_init(&arena);
    struct cfg cfg;
    cfg_build(&cfg, &unit.function[0], &arena);
    assert_int_equal(cfg.order_count, 0);
    assert_int_equal(cfg.loop_count, 0);
    arena_release(&arena);
    ir_unit_release(&unit);
}

// A chain of nested loops deep enough to break anything that recurses or copies block sets.
static void deep_nest(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    struct ir_unit unit;
    ir_unit_init(&unit);
    struct ir_builder builder = {.unit = &unit, .block = IR_NONE};
    builder.function = ir_function_add(&unit, "f", NULL, NULL);
    for (uint32_t i = 0; i < 2 * DEPTH; ++i)
        ir_build_block(&builder);
    ir_type_id u32 = ir_type_int(&unit, 32, false);
    for (uint32_t i = 0; i < DEPTH; ++i) {
        builder.block = i;
        ir_build_br(&builder, i + 1);
        builder.block = DEPTH + i;
        ir_value value = ir_build_const(&builder, u32, 1);
        if (i + 1 < DEPTH)
            ir_build_condbr(&builder, value, DEPTH - 1 - i, DEPTH + i + 1);
        else
            ir_build(&builder, IR_RET, IR_NONE, NULL, 0, 0);
    }
    struct arena arena;
    arena_init(&arena);
    struct cfg cfg;
    cfg_build(&cfg, &unit.function[0], &arena);
    assert_int_equal(cfg.loop_count, DEPTH - 1);
    assert_int_equal(cfg.loop[DEPTH - 2].depth, DEPTH - 1);
    assert_int_equal(cfg.loop[0].count, 2 * DEPTH - 2);
    arena_release(&arena);
    ir_unit_release(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),      cmocka_unit_test(join_of_a_branch),
        cmocka_unit_test(nested_loops),       cmocka_unit_test(loop_without_end),
        cmocka_unit_test(loop_entered_twice), cmocka_unit_test(unreachable_blocks),
        cmocka_unit_test(no_blocks_at_all),   cmocka_unit_test(deep_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
