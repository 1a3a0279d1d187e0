#include "engine/mask.h"

#include <stdlib.h>
#include <string.h>

static uint64_t words_hash(const uint64_t *word, uint32_t count)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < count; ++i) {
        hash ^= word[i];
        hash *= 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

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
    uint64_t hash = words_hash(word, pool->words);
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
    pool_grow(pool);
    pool->none = mask_from_words(pool, pool->scratch);
    pool->all = mask_range(pool, 0, threads);
}

const struct mask *mask_and(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    if (a == b)
        return a;
    for (uint32_t i = 0; i < pool->words; ++i)
        pool->scratch[i] = a->word[i] & b->word[i];
    return mask_from_words(pool, pool->scratch);
}

const struct mask *mask_or(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    if (a == b)
        return a;
    for (uint32_t i = 0; i < pool->words; ++i)
        pool->scratch[i] = a->word[i] | b->word[i];
    return mask_from_words(pool, pool->scratch);
}

const struct mask *mask_minus(struct mask_pool *pool, const struct mask *a, const struct mask *b)
{
    for (uint32_t i = 0; i < pool->words; ++i)
        pool->scratch[i] = a->word[i] & ~b->word[i];
    return mask_from_words(pool, pool->scratch);
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
    return mask_range(pool, thread, thread + 1);
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
