#include "engine/values/mask.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { RESULTS = 2048 }; // a power of two

enum mask_operation { AND = 1, OR, MINUS };

struct mask_result {
    const struct mask *a, *b, *result;
    enum mask_operation operation;
};

static void pool_grow(struct mask_pool *pool)
{
    uint32_t slots = pool->slots ? pool->slots * 2 : 256;
    const struct mask **slot = arena_array(pool->arena, const struct mask *, slots);
    for (uint32_t i = 0; i < pool->slots; ++i) {
        if (!pool->slot[i])
            continue;
        uint32_t at = (uint32_t)pool->slot[i]->hash & (slots - 1);
        while (slot[at])
            at = (at + 1) & (slots - 1);
        slot[at] = pool->slot[i];
    }
    pool->slot = slot;
    pool->slots = slots;
}

const struct mask *mask_from_words(struct mask_pool *pool, const uint64_t *word)
{
    uint64_t hash = XXH3_64bits(word, pool->words * sizeof *word);
    uint32_t at = (uint32_t)hash & (pool->slots - 1);
    while (pool->slot[at]) {
        const struct mask *old = pool->slot[at];
        if (old->hash == hash && memcmp(old->word, word, pool->words * sizeof *word) == 0)
            return old;
        at = (at + 1) & (pool->slots - 1);
    }
    struct mask *mask = arena_alloc(pool->arena, sizeof *mask + pool->words * sizeof *word);
    memcpy(mask->word, word, pool->words * sizeof *word);
    mask->hash = hash;
    for (uint32_t i = pool->words; i-- > 0;) {
        mask->count += (uint32_t)__builtin_popcountll(word[i]);
        if (word[i])
            mask->first = i * 64 + (uint32_t)__builtin_ctzll(word[i]);
    }
    pool->slot[at] = mask;
    if (++pool->used * 2 > pool->slots)
        pool_grow(pool);
    return mask;
}

void mask_pool_init(struct mask_pool *pool, struct arena *arena, uint32_t threads)
{
    *pool = (struct mask_pool){.arena = arena, .threads = threads, .words = (threads + 63) / 64};
    pool->scratch = arena_array(arena, uint64_t, pool->words);
    pool->one = arena_array(arena, const struct mask *, threads + 1);
    pool->result = arena_array(arena, struct mask_result, RESULTS);
    pool_grow(pool);
    pool->none = mask_from_words(pool, pool->scratch);
    pool->all = mask_range(pool, 0, threads);
}

static const struct mask *combine(struct mask_pool *pool, enum mask_operation operation,
                                  const struct mask *a, const struct mask *b)
{
    uint64_t key = (a->hash + b->hash * 3) ^ a->hash >> 32 ^ (uint64_t)operation * 0x9e3779b9u;
    struct mask_result *result = &pool->result[key & (RESULTS - 1)];
    if (result->a == a && result->b == b && result->operation == operation)
        return result->result;
    for (uint32_t i = 0; i < pool->words; ++i)
        pool->scratch[i] = operation == AND  ? a->word[i] & b->word[i]
                           : operation == OR ? a->word[i] | b->word[i]
                                             : a->word[i] & ~b->word[i];
    *result = (struct mask_result){a, b, mask_from_words(pool, pool->scratch), operation};
    return result->result;
}

const struct mask *mask_and(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    return a == b || b == pool->all ? a : a == pool->all ? b : combine(pool, AND, a, b);
}

const struct mask *mask_or(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    return a == b || b == pool->none ? a : a == pool->none ? b : combine(pool, OR, a, b);
}

const struct mask *mask_minus(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    return a == b ? pool->none : b == pool->none ? a : combine(pool, MINUS, a, b);
}

const struct mask *mask_range(struct mask_pool *pool, uint32_t from, uint32_t to)
{
    memset(pool->scratch, 0, pool->words * sizeof *pool->scratch);
    for (uint32_t i = from; i < to && i < pool->threads; ++i)
        pool->scratch[i / 64] |= UINT64_C(1) << (i % 64);
    return mask_from_words(pool, pool->scratch);
}

const struct mask *mask_one(struct mask_pool *pool, uint32_t thread)
{
    if (!pool->one[thread])
        pool->one[thread] = mask_range(pool, thread, thread + 1);
    return pool->one[thread];
}

uint32_t mask_count(const struct mask *mask, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t i = from / 64; i * 64 < to; ++i) {
        uint64_t word = mask->word[i];
        if (i == from / 64)
            word &= ~UINT64_C(0) << (from % 64);
        if (to - i * 64 < 64)
            word &= (UINT64_C(1) << (to - i * 64)) - 1;
        count += (uint32_t)__builtin_popcountll(word);
    }
    return count;
}

bool mask_subset(const struct mask_pool *pool, const struct mask *part, const struct mask *whole)
{
    for (uint32_t i = 0; i < pool->words; ++i) {
        if (part->word[i] & ~whole->word[i])
            return false;
    }
    return true;
}

bool mask_overlaps(const struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    for (uint32_t i = 0; i < pool->words; ++i) {
        if (a->word[i] & b->word[i])
            return true;
    }
    return false;
}
