// What the files of this folder share.
#ifndef BARLINT_ENGINE_VALUE_INTERNAL_H
#define BARLINT_ENGINE_VALUE_INTERNAL_H

#include "engine/values/value.h"

enum {
    MAX_PIECES = 512,
    COMPUTED_SLOTS = 8192,
    RESTRICTED_SLOTS = 2048,
    REACHED_SLOTS = 1024,
    SCATTERED_SLOTS = 256,
};

// A result of node_binary() that is at hand when the same is asked for again.
struct computed {
    const struct node *a, *b, *result;
    uint32_t operation;
};

struct restricted {
    const struct node *node, *result;
    const struct mask *mask;
};

struct reached {
    const struct node *node, *base;
    const struct mask *mask;
    struct reach reach;
};

struct scattered {
    const struct node *offset;
    const struct mask *mask;
};

struct marked {
    uint32_t mark; // the use of node_pieces() that put it there
    uint32_t at;
};

// Returns the node equal to `proto`, which may live on the stack with borrowed arrays: those are
// copied when a new node is made.
const struct node *node_intern(struct node_pool *pool, struct node *proto);

// Which of two shapes a value computed from both has.
enum node_shape shape_join(enum node_shape a, enum node_shape b);

// --- known.c: operands are CONST or VECTOR ---

int64_t known_wrap(int64_t value, uint32_t bits, bool is_signed);
int64_t known_binary(enum ir_op_code code, uint32_t bits, bool is_signed, int64_t a, int64_t b);
const struct node *known_apply(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                               bool is_signed, const struct node *a, const struct node *b);

// --- linear.c ---

enum { MAX_TERMS = 12 };

// base + the sum of the terms.
struct form {
    const struct node *base;          // CONST or VECTOR
    struct node_term term[MAX_TERMS]; // by id of the atom
    uint32_t count;
};

// False where the node is no such sum.
bool form_of(struct node_pool *pool, const struct node *node, struct form *out);
const struct node *form_node(struct node_pool *pool, const struct form *form);
// Splits a form into the part whose factors divide by d and the rest, when the rest is known:
// a == d * quotient + rest. The values are taken to be non-negative, as indices are.
bool form_divide(struct node_pool *pool, const struct node *a, int64_t d, struct form *quotient,
                 const struct node **rest);
// a + scale * b, NULL where one of them is no form or there are too many terms.
const struct node *linear_combine(struct node_pool *pool, const struct node *a,
                                  const struct node *b, int64_t scale);
const struct node *linear_scale(struct node_pool *pool, const struct node *a, int64_t scale);

// --- compare.c ---

bool node_is_boolean(const struct node *node);
// Whether the node is zero (`equal`) or is not.
const struct node *node_equal_zero(struct node_pool *pool, const struct node *node, bool equal);
const struct node *node_compare(struct node_pool *pool, enum ir_op_code code, uint32_t bits,
                                bool is_signed, const struct node *a, const struct node *b);

#endif
