// The shape of a function's control flow: edges, orders, dominance both ways, loops. Built once
// for a function and never changed; all memory comes from the arena given to cfg_build.
//
// Only blocks that control can reach from the entry take part: the others have no predecessors,
// no dominators and no loop, and their edges do not count as predecessors of anyone.
//
// Layer: ir.
#ifndef BARLINT_IR_CFG_H
#define BARLINT_IR_CFG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"

// Numbers that stand together in an array; duplicates left out.
struct cfg_list {
    const uint32_t *item;
    uint32_t count;
};

// A tree over blocks (and the virtual exit), with constant-time ancestor tests.
struct cfg_tree {
    uint32_t *parent;   // immediate (post-)dominator; IR_NONE for the root and unreachable blocks
    uint32_t *position; // place in a preorder walk; IR_NONE for blocks outside the tree
    uint32_t *size;     // blocks of the subtree, the block itself included
};

// A natural loop: all blocks that reach a back edge to the header without passing the header. Back
// edges to one header make one loop. Loops are numbered by reverse postorder of their headers, so
// that an enclosing loop comes before the loops inside it.
struct cfg_loop {
    ir_block_id header;
    uint32_t parent; // enclosing loop, or IR_NONE
    uint32_t depth;  // 1 for an outermost loop
    uint32_t first;  // its blocks are loop_block[first, first + count), the header first
    uint32_t count;
};

struct cfg_edge {
    ir_block_id from, to;
};

struct cfg {
    uint32_t block_count;
    uint32_t exit;                // number of the virtual exit: block_count
    struct cfg_list *successor;   // by block; [block_count] is empty
    struct cfg_list *predecessor; // by block
    ir_block_id *order;           // reachable blocks in reverse postorder; the entry first
    uint32_t order_count;
    uint32_t *order_of; // place of a block in `order`; IR_NONE where unreachable
    struct cfg_tree dominator;
    // The virtual exit is the root. Blocks ending in ret, exit or unreachable lead to it; so does
    // the first block, in reverse postorder, of every loop that cannot be left, which makes that
    // block post-dominate the rest of the loop.
    struct cfg_tree post_dominator;
    struct cfg_loop *loop;
    uint32_t loop_count;
    ir_block_id *loop_block;
    uint32_t *loop_block_of; // place of a block in loop_block; IR_NONE outside of loops
    uint32_t *loop_of;       // innermost loop of a block, or IR_NONE
    bool irreducible;        // some cycle has no header that dominates it; it is not in `loop`
};

// Reads nothing of the function but its blocks' terminators, and passes over targets that are out
// of range, so that it may be called on a function that is not verified yet.
void cfg_build(struct cfg *cfg, const struct ir_function *function, struct arena *arena);

bool cfg_reachable(const struct cfg *cfg, ir_block_id block);
// Whether every path from the entry to `below` passes `above`. A block dominates itself; blocks
// that cannot be reached dominate nothing and are not dominated.
bool cfg_dominates(const struct cfg *cfg, ir_block_id above, ir_block_id below);
// Whether every path from `above` to the exit passes `below`.
bool cfg_post_dominates(const struct cfg *cfg, ir_block_id below, ir_block_id above);
// Where the paths that part at the end of `block` meet again on every way: its immediate
// post-dominator, cfg->exit when only the end of the thread is common to them, IR_NONE where the
// block is unreachable.
ir_block_id cfg_join(const struct cfg *cfg, ir_block_id block);
// The blocks that control may come to from this one, itself among them: by block, from `arena`.
const bool *cfg_reached_from(const struct cfg *cfg, ir_block_id from, struct arena *arena);
// Whether the block belongs to the loop or to a loop inside it.
bool cfg_in_loop(const struct cfg *cfg, uint32_t loop, ir_block_id block);
// The edges that leave the loop, into an array allocated from `arena`, by place of their source in
// loop_block. Returns their number.
uint32_t cfg_loop_exits(const struct cfg *cfg, uint32_t loop, struct arena *arena,
                        struct cfg_edge **out_edge);

#endif
