// The values of an abstract run. A node is what an expression is worth in all threads of a group
// at once. Nodes are immutable and interned, so that equal expressions are the same node: the `n`
// that a producer's loop compares and the `n` of the consumer's loop are one symbol, and one
// decision about it holds for both.
#ifndef BARLINT_ENGINE_VALUE_H
#define BARLINT_ENGINE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "engine/values/mask.h"
#include "ir/ir.h"

enum node_kind {
    NODE_CONST,   // the same known integer in every thread
    NODE_VECTOR,  // a known integer for each thread
    NODE_ATOM,    // something unknown with an identity: a parameter, a word of memory
    NODE_LINEAR,  // base + sum of coefficient * atom; base is CONST or VECTOR
    NODE_EXPR,    // an operation on nodes that is not linear
    NODE_ADDRESS, // an object and an offset in bytes
    NODE_PIECES,  // different nodes for disjoint sets of threads
};

// How a value that is not known may differ between threads.
enum node_shape {
    SHAPE_UNIFORM, // one value for all threads of the block
    SHAPE_VARYING, // depends on the thread: threads are expected to disagree
    SHAPE_UNKNOWN, // could not be followed: nothing is claimed
};

// Operations of EXPR nodes beyond the IR's own codes.
enum node_op {
    NODE_OP_GT0 = IR_OP_COUNT_, // argument > 0
    NODE_OP_EQ0,                // argument == 0
    NODE_OP_NE0,
    NODE_OP_LOAD,  // content of address argument[0] at version `number`
    NODE_OP_CALL,  // result of an operation that depends on its arguments only; number says which
    NODE_OP_MERGE, // argument[1] where argument[0] holds, else argument[2]
    NODE_OP_LANE,  // the value argument[0] has in thread `number`
    NODE_OP_LOG2,  // the logarithm, of which only the whole part is worked out
};

struct node;

struct node_term {
    const struct node *atom;
    int64_t factor;
};

struct node_piece {
    const struct mask *mask;
    const struct node *value;
};

enum { NODE_ARGUMENTS = 3 };

struct node {
    uint8_t kind;   // enum node_kind
    uint8_t shape;  // enum node_shape
    bool undefined; // ATOM: memory nobody has written
    uint16_t depth; // of the expression, bounded: see node_expr
    uint32_t id;    // order of creation, the same in every run of a kernel
    uint64_t hash;
    uint64_t made_of; // a bit for each symbol in it; two may share one
    uint32_t newest;  // the id of the newest symbol in it
    union {
        int64_t value;         // CONST
        const int64_t *vector; // VECTOR, one entry a thread
        struct {
            const char *name;  // for people
            int64_t low, high; // what its type and origin promise
            uint64_t key;
            uint32_t epoch;          // of the pool when it was made: only then does the key find it
            const struct node *deep; // the expression that it stands for, or NULL
        } atom;
        struct {
            const struct node *base;
            const struct node_term *term; // by id of the atom
            uint32_t count;
        } linear;
        struct {
            uint16_t op; // enum ir_op_code or enum node_op
            uint16_t bits;
            int64_t number;
            const struct node *argument[NODE_ARGUMENTS];
        } expr;
        struct {
            uint32_t object;
            const struct node *offset; // CONST, VECTOR, LINEAR ...
            const struct node *rank;   // block of the cluster, NULL for the thread's own
        } address;
        struct {
            const struct node_piece *piece;
            uint32_t count;
        } pieces;
    };
};

// Of the hash table: open addressing.
struct node_slot {
    const struct node *node;
    uint32_t tag; // the upper half of its hash
};

enum { SMALL_NUMBERS = 256 }; // constants that are at hand

struct node_pool {
    struct arena *arena;
    struct mask_pool *masks;
    struct node_slot *slot;
    uint32_t slots, used; // a power of two, at most half of them used
    uint32_t next_id;
    uint64_t work; // counts the pieces of values that were looked at
    const struct node *zero, *one, *undefined;
    const struct node *small[SMALL_NUMBERS]; // constants, as far as asked for
    const struct node *skipped;              // what is not followed because nothing depends on it
    int64_t *scratch;                        // one entry a thread
    uint32_t epoch;                          // of the run that uses the pool now
    struct computed *computed;               // results of node_binary() met lately
    struct restricted *restricted;           // results of node_restrict() met lately
    struct reached *reached;                 // results of node_reach() met lately
    struct scattered *scattered;             // offsets met lately that threads have too many of
    struct marked *marked;                   // by node id: where node_pieces() has put a value
    uint32_t marked_size, mark;
};

void node_pool_init(struct node_pool *pool, struct arena *arena, struct mask_pool *masks);

const struct node *node_const(struct node_pool *pool, int64_t value);
// `vector` has one entry a thread of the cluster and is copied.
const struct node *node_vector(struct node_pool *pool, const int64_t *vector);
// An atom is identified by its key: within an epoch, equal keys give the same atom.
const struct node *node_atom(struct node_pool *pool, uint64_t key, const char *name,
                             enum node_shape shape, int64_t low, int64_t high);
// The symbol that an address of outside memory starts from: the parameter it was computed from.
const struct node *node_base(const struct node *address);
// The atom of that key, or NULL when there is none yet.
const struct node *node_find_atom(const struct node_pool *pool, uint64_t key);
const struct node *node_address(struct node_pool *pool, uint32_t object, const struct node *offset,
                                const struct node *rank);
const struct node *node_expr(struct node_pool *pool, uint16_t op, uint16_t bits, int64_t number,
                             const struct node *a, const struct node *b, const struct node *c);
// The node that is worth `piece[i].value` in the threads of `piece[i].mask`.
const struct node *node_pieces(struct node_pool *pool, const struct node_piece *piece,
                               uint32_t count);

// Arithmetic of the IR (ADD ... SELECT, CAST), with the result brought into `bits` bits.
const struct node *node_binary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                               bool is_signed, const struct node *a, const struct node *b);
const struct node *node_unary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                              bool is_signed, const struct node *a);
const struct node *node_cast(struct node_pool *pool, uint32_t bits, bool is_signed, bool to_bool,
                             const struct node *a);
const struct node *node_select(struct node_pool *pool, const struct node *condition,
                               const struct node *a, const struct node *b);
const struct node *node_not(struct node_pool *pool, const struct node *condition);

// Whether the node compares a number with 0.
static inline bool node_compares(const struct node *node)
{
    return node->kind == NODE_EXPR &&
           (node->expr.op == NODE_OP_GT0 || node->expr.op == NODE_OP_EQ0 ||
            node->expr.op == NODE_OP_NE0);
}

// The number before it was made an int, an unsigned or a size_t.
const struct node *node_plain(const struct node *node);
// The whole part of the number's logarithm; -1 of none that is above 0.
int64_t whole_log2(int64_t number);
// Whether the node is `count`, which is plain, plus a number.
bool node_is_plus(const struct node *node, const struct node *count, int64_t *number);
// The largest number that both are multiples of; 0 is one of every number.
int64_t common_step(int64_t a, int64_t b);

// What the value is in the threads of `mask`: pieces outside it are dropped.
const struct node *node_restrict(struct node_pool *pool, const struct node *node,
                                 const struct mask *mask);
// One known integer for all threads of the set; false where it is not so.
bool node_is_const(const struct node *node, const struct mask *mask, const struct mask_pool *masks,
                   int64_t *out);
// The known integers of the threads of a set.
struct reach {
    int64_t low, high;
    uint64_t bits; // that are set in one of them
};
// False where they are not known, or the set is empty.
bool node_reach(struct node_pool *pool, const struct node *node, const struct mask *mask,
                struct reach *out);
// The same of how far the threads' integers lie behind those of `base`.
bool node_reach_from(struct node_pool *pool, const struct node *node, const struct node *base,
                     const struct mask *mask, struct reach *out);
// A known integer for that thread.
static inline bool node_lane(const struct node *node, uint32_t thread, int64_t *out)
{
    if (node->kind == NODE_CONST)
        *out = node->value;
    else if (node->kind == NODE_VECTOR)
        *out = node->vector[thread];
    else
        return false;
    return true;
}
static inline bool node_known(const struct node *node)
{
    return node->kind == NODE_CONST || node->kind == NODE_VECTOR;
}
// Of the keys of atoms that stand for parameters of templates that nothing instantiates.
#define NODE_PARAMETER_TAG UINT64_C(0x0500000000000000)
static inline bool node_is_parameter(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key >> 56 == NODE_PARAMETER_TAG >> 56;
}
// Whether the node is an atom that stands for an expression too deep to look into.
static inline bool node_is_deep(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.deep;
}
bool node_has_undefined(const struct node *node);

// Floating numbers (reals.c). Whether the node is one that is known.
bool node_real(const struct node *node, double *number);
// The number as a type of so many bits holds it. All of these give NULL where that is not known.
const struct node *node_of_real(struct node_pool *pool, double number, uint32_t bits);
const struct node *node_real_negative(struct node_pool *pool, const struct node *node);
const struct node *node_real_binary(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                    const struct node *a, const struct node *b);
const struct node *node_real_compare(struct node_pool *pool, enum ir_op_code code,
                                     const struct node *a, const struct node *b);
const struct node *node_real_of_whole(struct node_pool *pool, const struct node *whole,
                                      uint32_t bits);
const struct node *node_whole_of_real(struct node_pool *pool, const struct node *real,
                                      uint32_t bits, bool is_signed);

// text.c
// Writes the value as a reader of the sources would ("n / 4 + 1").
const char *node_text(struct arena *arena, const struct node *node);
// Whether a word of the sources stands in that: not where all of it is computed, or found in memory
// to which no name leads.
bool node_has_name(struct arena *arena, const struct node *node);

#endif
