// A kernel's PTX as nodes of steps with the branches between them.
#ifndef BARLINT_INSTRUMENT_FLOW_H
#define BARLINT_INSTRUMENT_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "instrument/instruction.h"

enum { FLOW_NOWHERE = -1 };

enum flow_result {
    FLOW_COMPUTES,       // what it writes varies as what it reads does
    FLOW_VARIES,         // what it writes varies
    FLOW_AGREES,         // what it writes is the same for all threads that are there
    FLOW_AGREES_IN_WARP, // for all lanes of a warp that are there
};

// How much the same something is (spread.h).
enum flow_spread {
    FLOW_ALIKE,   // for all threads of a block
    FLOW_BY_WARP, // for all lanes of a warp
    FLOW_BY_LANE,
};

enum flow_barrier {
    FLOW_NO_BARRIER,
    FLOW_OF_WARP,  // of lanes of a warp; its mask is the last operand, where it has one
    FLOW_OF_BLOCK, // of all threads of the block, by a number that the instruction says
    FLOW_COUNTED,  // of the block, by a number or with a count that it has from a register
    FLOW_INIT,     // an mbarrier's, of this CTA and by its shared address, as the following:
    FLOW_ARRIVE,   // one arrival
    FLOW_TEST,     // a test by token
    FLOW_PARITY,   // a test by parity
    FLOW_CLUSTER_ARRIVE,
    FLOW_CLUSTER_WAIT,
    FLOW_OTHER, // any other
};

struct flow_step {
    size_t begin, end; // of its text
    ptrdiff_t scope;   // the braces that it stands in
    enum flow_result result;
    enum flow_barrier barrier;
    ptrdiff_t guard;        // a name, or FLOW_NOWHERE
    ptrdiff_t names;        // into flow.operand: what it writes, then what it reads
    uint32_t writes, reads; // how many
};

// Lanes of a block that are somewhere, and no others of their warps; nothing: not known.
struct flow_lanes {
    uint32_t first;   // as many of the first warp's
    ptrdiff_t ballot; // those that voted for it in that step, which is not the kernel's first
};

// Instructions without a branch between them. The last node is the kernel's end.
struct flow_node {
    ptrdiff_t first, end;       // steps
    ptrdiff_t next[2];          // nodes, or FLOW_NOWHERE; [1] where the branch is taken
    ptrdiff_t condition;        // the name that chooses between two; else FLOW_NOWHERE
    bool is_negated;            // the branch is taken where that does not hold
    const char *target;         // the label of next[1] until all are known,
    ptrdiff_t scope;            // in this scope or one around it
    bool falls, aborts;         // into the next node; ends the whole grid
    ptrdiff_t order, dominator; // number in a walk from the end; the immediate postdominator
    enum flow_spread spread;    // ALIKE: all threads are here; BY_WARP: whole warps are
    struct flow_lanes lanes;    // BY_LANE
    enum flow_spread parts;     // as far its branch has parted them
};

struct flow_name {
    char *key;
    ptrdiff_t value; // index into `value`
};

// A register, a special register or a variable.
struct flow_value {
    enum flow_spread spread;
    uint32_t written;     // by so many steps
    ptrdiff_t written_by; // the last of them
};

struct flow {
    struct arena arena;
    const char *text; // of the module
    size_t length, header, body;
    struct flow_name *names;  // stb_ds
    struct flow_value *value; // stb_ds
    ptrdiff_t *operand;       // stb_ds: names
    struct flow_step *step;   // stb_ds
    struct flow_node *node;   // stb_ds
    struct flow_name *label;  // stb_ds: nodes, by scope and name
    ptrdiff_t *around;        // stb_ds: of each pair of braces the one around it, or FLOW_NOWHERE
    ptrdiff_t scope;          // the pair that is being read
    struct flow_name *inner;  // stb_ds: registers of inner braces, by scope and name
    struct flow_name *only;   // stb_ds: their values by name; FLOW_NOWHERE where several have one
    struct flow_name *hidden; // stb_ds: registers that braces within others have again
    struct flow_name *shared; // stb_ds: the kernel's own variables in shared memory, and their
                              // alignment in bytes
    bool is_open;             // the last node can still take steps
    bool *is_seen;            // by node, for flow_each_apart()
    ptrdiff_t *stack;         // stb_ds, likewise
};

// Reads the kernel in text[begin, length); `begin` is at its header (.entry). Returns false for one
// that is not followed: the grid's barrier, calls that may come to one, jumps by a table, code that
// never comes to the end, a size that no compiler makes. The flow is to be released either way; the
// text must outlive it.
bool flow_read(struct flow *flow, const char *text, size_t length, size_t begin);

void flow_release(struct flow *flow);

typedef void flow_visit(void *context, struct flow_node *node);

// Calls `visit` for every node that is reached from the branch's way at the end of `from` before
// both ways are one again.
void flow_each_apart(struct flow *flow, ptrdiff_t from, int way, flow_visit *visit, void *context);

// The next name in an operand at or behind `*at`: a register, a special register, a variable.
// Returns its length, 0 for no more; `*at` is where it begins.
size_t flow_next_name(const char **at);

// The index of a name of the outermost braces, or of a key in `names`; FLOW_NOWHERE where the
// kernel has no such, or several registers have the name.
ptrdiff_t flow_find(const struct flow *flow, const char *name);

// The same of a name in the step's text, whatever braces declare it.
ptrdiff_t flow_find_at(struct flow *flow, const struct flow_step *step, const char *name,
                       size_t length);

// Is it the key of a register or of a special register, and not of a variable?
bool flow_is_register(const char *key);

// Takes the step's instruction apart anew, in the flow's arena.
struct instruction flow_instruction(struct flow *flow, const struct flow_step *step);

#endif
