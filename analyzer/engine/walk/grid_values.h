// What values are made of that have to do with memory of the grid: addresses in it, and conditions
// on what stands there. Found in the code alone, through variables that functions keep for
// themselves and through what all callers give. Internal to the engine.
#ifndef BARLINT_ENGINE_GRID_VALUES_H
#define BARLINT_ENGINE_GRID_VALUES_H

#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

// What a value is made of.
struct made {
    ir_value atomic; // an atomic operation on memory of the grid, or IR_NONE
    unsigned blocks; // by axis: the number of blocks in the grid
    unsigned block;  // by axis: the number of the block
    bool threads;    // the number of the thread
    // What the function is given counts as made of what all who call it make it of. By axis: the
    // number of the block, where any of them does.
    unsigned block_of_some;
    bool foreign; // an atomic operation of theirs
};

// What a function is given, as it was found out.
struct given {
    uint64_t key; // the function and the number of the parameter
    struct made value;
};

struct look {
    struct aliases *aliases;
    ir_function_id id;
    const struct ir_function *function;
    uint32_t *seen; // by operation: the search that came to it
    uint32_t search;
    ir_value *work;   // stb_ds array: operations still to be looked at
    ir_value *orders; // stb_ds array: those that may order writes for the device
    struct arena *arena;
    struct given **given; // stb_ds map
    int depth;            // calls between the function that is looked at and this one
};

// Adds a value to those that are to be looked at, unless this search has come to it.
void look_add(struct look *look, ir_value value);
// Adds what the value is made of: operands, or what is stored in the variable that it is read from.
void look_add_parts(struct look *look, const struct ir_op *op);
struct made look_made_of(struct look *look, ir_value value);
// Whether the memory at the address is the block's own. That of no class is where a pointer leads
// that nobody in the kernel has made: the host has put it into a record, or into memory of the
// grid. Where a member of a record leads that the function is given is the grid's too, if a value
// that is chosen may come from there or from a variable.
bool look_is_own(const struct look *look, ir_value address);
// Whether the address is counted from a pointer that is kept in a member of a record, or behind
// another pointer, and not from a variable: all that lies in one record is one class.
bool look_starts_in_record(const struct look *look, ir_value address);
// Whether both addresses are counted from the pointer that is kept in one member of one record; of
// an element of an array among its members nobody says which it is.
bool look_start_alike(const struct look *look, ir_value a, ir_value b);
// Whether the operation is an atomic one on memory of the grid.
bool look_counts_for_grid(const struct look *look, ir_value value);
// The address at which the operation reads memory of the grid, or IR_NONE.
ir_value look_read_at(const struct look *look, ir_value value);
// The block of each operation, IR_NONE for what stands in none.
ir_block_id *look_blocks_of(const struct look *look, struct arena *arena);
// Whether what the operation does may order writes for the device, as far as anybody knows.
bool look_may_order(struct aliases *aliases, ir_function_id id, ir_value value);
// What is loaded from a variable of the function's own that is stored once, or that value itself.
ir_value look_once_stored(const struct ir_function *function, ir_value value);

#endif
