// Nodes: interning, pieces, what they reach.
#include "engine/values/value.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mix.h"
#include "engine/values/value_internal.h"

enum { MAX_EXPR_DEPTH = 16 };

#define SKIPPED_TAG UINT64_C(0x0900000000000000)
// Of the keys of atoms that stand for expressions too deep to look into.
#define DEEP_TAG UINT64_C(0x0a00000000000000)

// --- Interning -------------------------------------------------------------------------------

static uint64_t node_hash(const struct node_pool *pool, const struct node *node)
{
    uint64_t hash = mix(0, node->kind);
    switch (node->kind) {
    case NODE_CONST:
        return mix(hash, (uint64_t)node->value);
    case NODE_VECTOR:
        return mix(hash, XXH3_64bits(node->vector, pool->masks->threads * sizeof *node->vector));
    case NODE_ATOM:
        return mix(mix(mix(hash, node->atom.key), node->atom.epoch), node->undefined);
    case NODE_LINEAR:
        hash = mix(hash, node->linear.base->id);
        for (uint32_t i = 0; i < node->linear.count; ++i)
            hash = mix(mix(hash, node->linear.term[i].atom->id),
                       (uint64_t)node->linear.term[i].factor);
        return hash;
    case NODE_EXPR:
        hash = mix(mix(hash, node->expr.op), (uint64_t)node->expr.number);
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i)
            hash = mix(hash, node->expr.argument[i] ? node->expr.argument[i]->id + 1 : 0);
        return hash;
    case NODE_ADDRESS:
        hash = mix(mix(hash, node->address.object), node->address.offset->id);
        return mix(hash, node->address.rank ? node->address.rank->id + 1 : 0);
    default:
        for (uint32_t i = 0; i < node->pieces.count; ++i)
            hash =
                mix(mix(hash, node->pieces.piece[i].mask->hash), node->pieces.piece[i].value->id);
        return hash;
    }
}

static bool node_same(const struct node_pool *pool, const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->hash != b->hash)
        return false;
    switch (a->kind) {
    case NODE_CONST:
        return a->value == b->value;
    case NODE_VECTOR:
        return memcmp(a->vector, b->vector, pool->masks->threads * sizeof *a->vector) == 0;
    case NODE_ATOM:
        return a->atom.key == b->atom.key && a->atom.epoch == b->atom.epoch &&
               a->undefined == b->undefined;
    case NODE_LINEAR:
        return a->linear.base == b->linear.base && a->linear.count == b->linear.count &&
               memcmp(a->linear.term, b->linear.term, a->linear.count * sizeof *a->linear.term) ==
                   0;
    case NODE_EXPR:
        return a->expr.op == b->expr.op && a->expr.number == b->expr.number &&
               memcmp(a->expr.argument, b->expr.argument, sizeof a->expr.argument) == 0;
    case NODE_ADDRESS:
        return a->address.object == b->address.object && a->address.offset == b->address.offset &&
               a->address.rank == b->address.rank;
    default:
        return a->pieces.count == b->pieces.count &&
               memcmp(a->pieces.piece, b->pieces.piece,
                      a->pieces.count * sizeof *a->pieces.piece) == 0;
    }
}

static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32);
}

static void pool_grow(struct node_pool *pool)
{
    uint32_t slots = pool->slots ? pool->slots * 2 : 4096;
    struct node_slot *slot = arena_array(pool->arena, struct node_slot, slots);
    for (uint32_t i = 0; i < pool->slots; ++i) {
        if (!pool->slot[i].node)
            continue;
        uint32_t at = pool->slot[i].tag & (slots - 1); // without a look at the node
        while (slot[at].node)
            at = (at + 1) & (slots - 1);
        slot[at] = pool->slot[i];
    }
    pool->slot = slot;
    pool->slots = slots;
}

// The slot of the node equal to `proto`, or the free one where it belongs.
static uint32_t pool_find(const struct node_pool *pool, const struct node *proto)
{
    uint32_t tag = tag_of(proto->hash), at = tag & (pool->slots - 1);
    while (pool->slot[at].node &&
           (pool->slot[at].tag != tag || !node_same(pool, pool->slot[at].node, proto)))
        at = (at + 1) & (pool->slots - 1);
    return at;
}

static uint16_t depth_of(const struct node *node)
{
    uint16_t deepest = 0;
    if (node->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            uint16_t depth = node->linear.term[i].atom->depth;
            deepest = depth > deepest ? depth : deepest;
        }
    } else if (node->kind == NODE_EXPR) {
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            const struct node *argument = node->expr.argument[i];
            if (argument && argument->depth > deepest)
                deepest = argument->depth;
        }
        ++deepest;
    } else if (node->kind == NODE_ADDRESS) {
        deepest = node->address.offset->depth;
    }
    return deepest;
}

static void add_symbols(struct node *node, const struct node *part)
{
    if (!part)
        return;
    node->made_of |= part->made_of;
    node->newest = part->newest > node->newest ? part->newest : node->newest;
}

// Notes the symbols that the node is made of. What has none, as a load from a known address, is
// one.
static void find_symbols(struct node *node)
{
    switch (node->kind) {
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count; ++i)
            add_symbols(node, node->linear.term[i].atom);
        break;
    case NODE_EXPR:
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i)
            add_symbols(node, node->expr.argument[i]);
        break;
    case NODE_ADDRESS:
        add_symbols(node, node->address.offset);
        add_symbols(node, node->address.rank);
        break;
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count; ++i)
            add_symbols(node, node->pieces.piece[i].value);
        break;
    default:
        break;
    }
    if (!node->made_of && (node->kind == NODE_ATOM || node->kind == NODE_EXPR)) {
        node->made_of = UINT64_C(1) << node->hash % 64;
        node->newest = node->id;
    }
}

// Returns the node equal to `proto`, which may live on the stack with borrowed arrays: those are
// copied when a new node is made.
const struct node *node_intern(struct node_pool *pool, struct node *proto)
{
    proto->hash = node_hash(pool, proto);
    uint32_t at = pool_find(pool, proto);
    if (pool->slot[at].node)
        return pool->slot[at].node;
    struct node *node = arena_new(pool->arena, struct node);
    *node = *proto;
    node->id = pool->next_id++;
    node->depth = depth_of(node);
    find_symbols(node);
    if (node->kind == NODE_VECTOR) {
        int64_t *copy = arena_array(pool->arena, int64_t, pool->masks->threads);
        memcpy(copy, proto->vector, pool->masks->threads * sizeof *copy);
        node->vector = copy;
    } else if (node->kind == NODE_LINEAR) {
        struct node_term *copy = arena_array(pool->arena, struct node_term, proto->linear.count);
        memcpy(copy, proto->linear.term, proto->linear.count * sizeof *copy);
        node->linear.term = copy;
    } else if (node->kind == NODE_PIECES) {
        struct node_piece *copy = arena_array(pool->arena, struct node_piece, proto->pieces.count);
        memcpy(copy, proto->pieces.piece, proto->pieces.count * sizeof *copy);
        node->pieces.piece = copy;
    }
    pool->slot[at] = (struct node_slot){node, tag_of(node->hash)};
    if (++pool->used > pool->slots / 2)
        pool_grow(pool);
    return node;
}

void node_pool_init(struct node_pool *pool, struct arena *arena, struct mask_pool *masks)
{
    *pool = (struct node_pool){.arena = arena, .masks = masks};
    pool_grow(pool);
    pool->scratch = arena_array(arena, int64_t, masks->threads);
    pool->computed = arena_array(arena, struct computed, COMPUTED_SLOTS);
    pool->restricted = arena_array(arena, struct restricted, RESTRICTED_SLOTS);
    pool->reached = arena_array(arena, struct reached, REACHED_SLOTS);
    pool->scattered = arena_array(arena, struct scattered, SCATTERED_SLOTS);
    pool->zero = node_const(pool, 0);
    pool->one = node_const(pool, 1);
    struct node undefined = {.kind = NODE_ATOM, .shape = SHAPE_UNKNOWN, .undefined = true};
    undefined.atom.name = "an uninitialised value";
    undefined.atom.low = INT64_MIN;
    undefined.atom.high = INT64_MAX;
    pool->undefined = node_intern(pool, &undefined);
    pool->skipped = node_atom(pool, SKIPPED_TAG, "a value that is not followed", SHAPE_UNKNOWN,
                              INT64_MIN, INT64_MAX);
}

const struct node *node_const(struct node_pool *pool, int64_t value)
{
    bool small = value >= 0 && value < SMALL_NUMBERS;
    if (small && pool->small[value])
        return pool->small[value];
    struct node proto = {.kind = NODE_CONST, .shape = SHAPE_UNIFORM, .value = value};
    const struct node *node = node_intern(pool, &proto);
    if (small)
        pool->small[value] = node;
    return node;
}

const struct node *node_vector(struct node_pool *pool, const int64_t *vector)
{
    bool same = true;
    for (uint32_t i = 1; i < pool->masks->threads && same; ++i)
        same = vector[i] == vector[0];
    if (same)
        return node_const(pool, vector[0]);
    struct node proto = {.kind = NODE_VECTOR, .shape = SHAPE_VARYING, .vector = vector};
    return node_intern(pool, &proto);
}

const struct node *node_base(const struct node *address)
{
    if (address->kind == NODE_LINEAR) {
        for (uint32_t i = 0; i < address->linear.count; ++i) {
            const struct node_term *term = &address->linear.term[i];
            if (term->factor == 1 && term->atom->kind == NODE_ATOM)
                return term->atom;
        }
    }
    return address;
}

const struct node *node_find_atom(const struct node_pool *pool, uint64_t key)
{
    struct node proto = {.kind = NODE_ATOM};
    proto.atom.key = key;
    proto.atom.epoch = pool->epoch;
    proto.hash = node_hash(pool, &proto);
    return pool->slot[pool_find(pool, &proto)].node;
}

const struct node *node_atom(struct node_pool *pool, uint64_t key, const char *name,
                             enum node_shape shape, int64_t low, int64_t high)
{
    struct node proto = {.kind = NODE_ATOM, .shape = (uint8_t)shape};
    proto.atom.key = key;
    proto.atom.epoch = pool->epoch;
    proto.atom.name = name;
    proto.atom.low = low;
    proto.atom.high = high;
    return node_intern(pool, &proto);
}

enum node_shape shape_join(enum node_shape a, enum node_shape b)
{
    return a > b ? a : b;
}

const struct node *node_expr(struct node_pool *pool, uint16_t op, uint16_t bits, int64_t number,
                             const struct node *a, const struct node *b, const struct node *c)
{
    struct node proto = {.kind = NODE_EXPR, .shape = SHAPE_UNIFORM};
    proto.expr.op = op;
    proto.expr.bits = bits;
    proto.expr.number = number;
    proto.expr.argument[0] = a;
    proto.expr.argument[1] = b;
    proto.expr.argument[2] = c;
    for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
        if (proto.expr.argument[i])
            proto.shape = (uint8_t)shape_join(proto.shape, proto.expr.argument[i]->shape);
    }
    if (op == NODE_OP_LANE)
        proto.shape = SHAPE_UNIFORM;
    const struct node *node = node_intern(pool, &proto);
    if (node->depth <= MAX_EXPR_DEPTH)
        return node;
    // Too deep to reason about (a random number generator, a hash): the same expression is still
    // the same symbol.
    struct node symbol = {.kind = NODE_ATOM, .shape = node->shape};
    symbol.atom.key = DEEP_TAG + node->id;
    symbol.atom.epoch = pool->epoch;
    symbol.atom.deep = node;
    symbol.atom.name = "a computed value";
    symbol.atom.low = INT64_MIN;
    symbol.atom.high = INT64_MAX;
    return node_intern(pool, &symbol);
}

const struct node *node_address(struct node_pool *pool, uint32_t object, const struct node *offset,
                                const struct node *rank)
{
    struct node proto = {.kind = NODE_ADDRESS, .shape = offset->shape};
    if (rank)
        proto.shape = (uint8_t)shape_join(proto.shape, rank->shape);
    proto.address.object = object;
    proto.address.offset = offset;
    proto.address.rank = rank;
    return node_intern(pool, &proto);
}

// --- Pieces ----------------------------------------------------------------------------------

static bool pieces_known(const struct node_piece *piece, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!node_known(piece[i].value))
            return false;
    }
    return true;
}

static const struct node *pieces_vector(struct node_pool *pool, const struct node_piece *piece,
                                        uint32_t count)
{
    int64_t *vector = pool->scratch;
    // Threads outside every piece take the first known value: nobody looks at them, and the
    // result is a constant more often.
    int64_t rest = 0;
    node_lane(piece[0].value, piece[0].mask->first, &rest);
    for (uint32_t t = 0; t < pool->masks->threads; ++t)
        vector[t] = rest;
    for (uint32_t i = 0; i < count; ++i) {
        mask_each (pool->masks, piece[i].mask, t)
            node_lane(piece[i].value, t, &vector[t]);
    }
    return node_vector(pool, vector);
}

// Where a value stands among the pieces collected so far; `used` for one that is new.
static uint32_t mark_of(struct node_pool *pool, const struct node *value, uint32_t used)
{
    if (value->id >= pool->marked_size) {
        uint32_t size = pool->marked_size ? pool->marked_size : 1024;
        while (size <= value->id)
            size *= 2;
        struct marked *grown = arena_array(pool->arena, struct marked, size);
        if (pool->marked_size)
            memcpy(grown, pool->marked, pool->marked_size * sizeof *grown);
        pool->marked = grown;
        pool->marked_size = size;
    }
    struct marked *marked = &pool->marked[value->id];
    if (marked->mark != pool->mark)
        *marked = (struct marked){pool->mark, used};
    return marked->at;
}

const struct node *node_pieces(struct node_pool *pool, const struct node_piece *piece,
                               uint32_t count)
{
    struct node_piece flat[MAX_PIECES];
    uint32_t used = 0;
    ++pool->mark;
    for (uint32_t i = 0; i < count; ++i) {
        if (piece[i].mask->count == 0)
            continue;
        uint32_t parts = piece[i].value->kind == NODE_PIECES ? piece[i].value->pieces.count : 1;
        pool->work += parts;
        for (uint32_t p = 0; p < parts; ++p) {
            struct node_piece part = piece[i];
            if (piece[i].value->kind == NODE_PIECES) {
                part = piece[i].value->pieces.piece[p];
                part.mask = mask_and(pool->masks, part.mask, piece[i].mask);
                if (part.mask->count == 0)
                    continue;
            }
            uint32_t at = mark_of(pool, part.value, used);
            if (at < used)
                flat[at].mask = mask_or(pool->masks, flat[at].mask, part.mask);
            else if (used < MAX_PIECES)
                flat[used++] = part;
        }
    }
    if (used == 0)
        return pool->undefined;
    if (used == 1)
        return flat[0].value;
    if (pieces_known(flat, used))
        return pieces_vector(pool, flat, used);
    struct node proto = {.kind = NODE_PIECES, .shape = SHAPE_VARYING};
    for (uint32_t i = 0; i < used; ++i) {
        if (flat[i].value->shape == SHAPE_UNKNOWN)
            proto.shape = SHAPE_UNKNOWN;
    }
    // Canonical order, so that equal values are one node.
    for (uint32_t i = 1; i < used; ++i) {
        for (uint32_t j = i; j > 0 && flat[j].mask->first < flat[j - 1].mask->first; --j) {
            struct node_piece swap = flat[j];
            flat[j] = flat[j - 1];
            flat[j - 1] = swap;
        }
    }
    proto.pieces.piece = flat;
    proto.pieces.count = used;
    return node_intern(pool, &proto);
}

static const struct node *restrict_work(struct node_pool *pool, const struct node *node,
                                        const struct mask *mask)
{
    if (node->kind == NODE_VECTOR) {
        // A vector that is the same in all threads of the set is a constant for them.
        int64_t value;
        if (node_is_const(node, mask, pool->masks, &value))
            return node_const(pool, value);
        return node;
    }
    struct node_piece flat[MAX_PIECES];
    uint32_t used = 0;
    pool->work += node->pieces.count;
    for (uint32_t i = 0; i < node->pieces.count; ++i) {
        const struct mask *part = mask_and(pool->masks, node->pieces.piece[i].mask, mask);
        if (part->count)
            flat[used++] = (struct node_piece){part, node->pieces.piece[i].value};
    }
    return node_pieces(pool, flat, used);
}

const struct node *node_restrict(struct node_pool *pool, const struct node *node,
                                 const struct mask *mask)
{
    if (node->kind != NODE_VECTOR && node->kind != NODE_PIECES)
        return node;
    uint64_t key = node->hash ^ mask->hash * 3;
    struct restricted *slot = &pool->restricted[(key ^ key >> 32) & (RESTRICTED_SLOTS - 1)];
    if (slot->node != node || slot->mask != mask)
        *slot = (struct restricted){node, restrict_work(pool, node, mask), mask};
    return slot->result;
}

bool node_is_const(const struct node *node, const struct mask *mask, const struct mask_pool *masks,
                   int64_t *out)
{
    if (node->kind == NODE_CONST) {
        *out = node->value;
        return true;
    }
    if (node->kind != NODE_VECTOR || mask->count == 0)
        return false;
    int64_t value = node->vector[mask->first];
    mask_each (masks, mask, t) {
        if (node->vector[t] != value)
            return false;
    }
    *out = value;
    return true;
}

static struct reach reach_work(const struct node_pool *pool, const struct node *node,
                               const struct node *base, const struct mask *mask)
{
    struct reach reach = {INT64_MAX, INT64_MIN, 0};
    mask_runs (pool->masks, mask, from, to) {
        for (uint32_t t = from; t < to; ++t) {
            int64_t at = 0, begin = 0;
            node_lane(node, t, &at);
            node_lane(base, t, &begin);
            at = (int64_t)((uint64_t)at - (uint64_t)begin);
            reach.low = at < reach.low ? at : reach.low;
            reach.high = at > reach.high ? at : reach.high;
            reach.bits |= (uint64_t)at;
        }
    }
    return reach;
}

bool node_reach(struct node_pool *pool, const struct node *node, const struct mask *mask,
                struct reach *out)
{
    if (node->kind == NODE_CONST && mask->count > 0) {
        *out = (struct reach){node->value, node->value, (uint64_t)node->value};
        return true;
    }
    return node_reach_from(pool, node, pool->zero, mask, out);
}

bool node_reach_from(struct node_pool *pool, const struct node *node, const struct node *base,
                     const struct mask *mask, struct reach *out)
{
    if (!node_known(node) || !node_known(base) || mask->count == 0)
        return false;
    uint64_t key = node->hash ^ base->hash * 5 ^ mask->hash * 3;
    struct reached *slot = &pool->reached[(key ^ key >> 32) & (REACHED_SLOTS - 1)];
    if (slot->node != node || slot->base != base || slot->mask != mask)
        *slot = (struct reached){node, base, mask, reach_work(pool, node, base, mask)};
    *out = slot->reach;
    return true;
}

bool node_has_undefined(const struct node *node)
{
    if (node->kind == NODE_ATOM)
        return node->undefined;
    if (node->kind == NODE_PIECES) {
        for (uint32_t i = 0; i < node->pieces.count; ++i) {
            if (node_has_undefined(node->pieces.piece[i].value))
                return true;
        }
    }
    return false;
}
