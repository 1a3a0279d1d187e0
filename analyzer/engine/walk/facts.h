// What is known of a function whatever the run: what its parts do to barriers, and what of it is
// executed. Kept over runs (facts.c). Internal to the engine.
#ifndef BARLINT_ENGINE_FACTS_H
#define BARLINT_ENGINE_FACTS_H

#include "engine/run.h"

struct early; // whether a block leads straight to a return

// Variables that are kept in the frame; see registers.c.
struct registers {
    uint32_t *of; // by operation: the register that it loads, stores, declares or names, or 0
    uint32_t count, words;
    ir_value *given; // by register: what its only store puts there; IR_NONE where there are several
    uint64_t *live;  // by block, `words` each: registers whose content may matter there
};

// Operations of a block, in order.
struct to_do {
    const ir_value *op;
    uint32_t count;
};

// What operations of the function do with the value of one.
struct value_uses {
    bool takes, stores_to; // some do anything with it; it is where some store
};

struct function_facts {
    struct cfg *cfg;
    uint8_t *region;    // of each block that ends in a condition: what is done between it and where
                        // its arms meet, see facts.c
    bool *region_known; // region was computed
    bool *grid, *grid_known;           // by block, likewise: see facts_region_meets_grid()
    bool meets_grid, meets_grid_known; // the function may come to a barrier of the grid
    bool *exits_alike, *exits_known;   // by loop: see facts_exits_alike()
    uint64_t *likeness;                // by loop: see facts_loop_likeness()
    uint8_t does;                      // what the function does to barriers, likewise
    bool does_known;
    bool effect; // reaches a barrier operation, an exit or something opaque
    bool effect_known;
    bool wrapper, wrapper_known;   // see facts_is_wrapper()
    bool waits;                    // the wrapper does nothing but wait for one mbarrier
    uint8_t half;                  // of a cluster barrier that the wrapper spells, 0: of none
    struct early *early;           // of each block: see parting.c
    const struct model_op **model; // of each operation, NULL where nobody has asked yet
    const struct value_uses *uses; // by operation; NULL: nobody has asked
    ir_value *across;              // values used in another block than theirs
    uint32_t *slot, slots;         // by operation: where the frame keeps its value
    uint32_t lazies;               // slots of lazy operations, counted apart from the others
    uint32_t across_count;
    struct registers registers;
    const struct to_do *to_do; // by block: what is executed of it; NULL: nobody has asked yet
    const struct to_do *all;   // the same where everything is followed
    // The slice (slice.h); NULL where everything is followed.
    const uint8_t *mode; // enum op_mode, by operation
    const bool *open;    // by operation: goes to memory of the grid that the block's barrier orders
    ir_block_id *pass;   // by block: where control goes although its condition is not asked
    uint32_t *rounds;    // by block: rounds after which its loop has touched what it touches
    uint8_t *touching;   // by loop: see rounds.c
};

const struct function_facts *facts_find(struct engine *engine, ir_function_id function);

static inline const struct function_facts *facts_of(struct engine *engine, ir_function_id function)
{
    const struct function_facts *facts = &engine->known->facts[function];
    return facts->cfg ? facts : facts_find(engine, function);
}

const struct model_op *facts_model(struct engine *engine, ir_function_id function, ir_value op);
// What the address is a place of: a variable, a parameter or something else.
const struct ir_op *facts_root_of(const struct ir_function *function, ir_value address);
// Whether the operation calls what nothing declares, or what is defined elsewhere.
bool facts_may_act(struct engine *engine, ir_function_id function, ir_value op);
// Whether the operation calls what nothing declares, or what is defined elsewhere, for nothing that
// it returns: it may be a barrier of the block.
bool facts_may_meet(struct engine *engine, ir_function_id id, ir_value op);
// Whether nobody can read what it does and nobody asks for what it yields: it may wait for copies.
bool facts_may_await(struct engine *engine, ir_function_id id, ir_value op);
// Whether an operation stores to the address.
bool facts_stores_to(struct engine *engine, ir_function_id id, ir_value address);
// Whether nothing between the condition that ends the block and where its arms meet touches a
// barrier, ends a thread or loops; and whether all that does is waiting at mbarriers.
bool facts_region_pure(struct engine *engine, ir_function_id function, ir_block_id block);
bool facts_region_waits(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether all that is done there lanes of a warp do with each other.
bool facts_region_of_lanes(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether a barrier of the grid may stand between the condition that ends the block and where its
// arms meet.
bool facts_region_meets_grid(struct engine *engine, ir_function_id function, ir_block_id block);
// What facts_region_pure() says, of the way out of a loop that the block decides on, for the part
// outside the loop.
bool facts_exit_pure(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether the natural loop of `header` may be passed over: nothing in it touches a barrier.
bool facts_loop_pure(struct engine *engine, ir_function_id function, ir_block_id header);
// Whether no way out of the block's loop comes to a barrier that another way out passes by.
bool facts_exits_alike(struct engine *engine, ir_function_id function, ir_block_id block);
// A number that loops share which do the same with their own variables, wherever they stand.
uint64_t facts_loop_likeness(struct engine *engine, ir_function_id function, uint32_t loop);
// Whether the operation yields the same whenever it is executed in one activation, so that it need
// not be executed before somebody asks.
static inline bool facts_is_lazy(const struct ir_op *op)
{
    switch (op->code) {
    case IR_CONST:
    case IR_PARAM:
    case IR_LOCAL:
    case IR_GLOBAL:
    case IR_FUNC:
        return true;
    case IR_SPECIAL:
        return op->imm != IR_CLOCK && op->imm != IR_CLOCK64 && op->imm != IR_GLOBALTIMER;
    default:
        return false;
    }
}
// What is executed of each block of the function by its mode (NULL: everything but what is lazy).
// Kept in the arena.
const struct to_do *facts_list(const struct ir_function *function, const uint8_t *mode,
                               struct arena *arena);
bool facts_aborts(const struct ir_function *function, ir_block_id block);

// Of a switch whose default aborts the kernel, the number of the last case that does not; the count
// of the cases where there is none, and for any other switch.
uint32_t facts_last_way(const struct ir_function *function, const struct ir_op *op);
// The array within a record that the pointer leads to by itself, through casts and variables that
// are given one value: the operation that names it. IR_NONE where it is none.
ir_value facts_member_array(struct engine *engine, ir_function_id function, ir_value pointer);
// The address from which the store's block has just loaded what it stores; IR_NONE for any other
// store.
ir_value facts_stored_back(const struct ir_function *function, ir_block_id block,
                           const struct ir_op *store);
// Whether the condition that ends the block asks if a variable still is what the loop around it
// makes it in each round: if (row != next) ...; row = next;
bool facts_asks_change(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether the operation, or something in the block, touches a barrier, ends a thread or may do so.
bool facts_op_effect(struct engine *engine, ir_function_id function, ir_value op);
bool facts_block_effect(struct engine *engine, ir_function_id function, ir_block_id block);
// Whether the function only spells one barrier operation (or one way of waiting): it holds no other
// and no loop around one of the block, and writes nothing but its own variables and what its
// parameters point to directly. Or it only spells one access, as ld.shared is spelt in PTX.
bool facts_is_wrapper(struct engine *engine, ir_function_id function);

#endif
