// What node.c and arith.c share.
#ifndef BARLINT_ENGINE_VALUE_INTERNAL_H
#define BARLINT_ENGINE_VALUE_INTERNAL_H

#include "engine/values/value.h"

enum { MAX_PIECES = 512, COMPUTED_SLOTS = 8192, RESTRICTED_SLOTS = 2048 };

// A result of node_binary() that is at hand when the same is asked for again.
struct computed {
    const struct node *a, *b, *result;
    uint32_t operation;
};

struct restricted {
    const struct node *node, *result;
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

#endif
