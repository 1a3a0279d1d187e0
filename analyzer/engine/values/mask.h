// Sets of threads. Thread numbers run over all blocks of the cluster: thread t of block c is
// c * block threads + t. Sets are immutable and interned: equal sets are the same object.
#ifndef BARLINT_ENGINE_MASK_H
#define BARLINT_ENGINE_MASK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

struct mask {
    uint32_t count; // threads in the set
    uint32_t first; // lowest member; meaningless where count is 0
    uint64_t hash;
    uint64_t word[];
};

// A result of mask_and(), mask_or() or mask_minus() that is at hand when it is asked for again.
struct mask_result;

struct mask_pool {
    struct arena *arena;
    uint32_t threads; // size of the universe
    uint32_t words;
    const struct mask **slot; // open addressing, a power of two
    uint32_t slots, used;
    uint64_t *scratch;
    const struct mask *none, *all;
    const struct mask **one;    // by thread, NULL where not made yet
    struct mask_result *result; // met lately
};

enum { MASK_WORDS = 256 }; // at most: MAX_THREADS bits

// A set that is being made thread by thread.
struct mask_builder {
    uint64_t word[MASK_WORDS];
};

void mask_pool_init(struct mask_pool *pool, struct arena *arena, uint32_t threads);

const struct mask *mask_and(struct mask_pool *pool, const struct mask *a, const struct mask *b);
const struct mask *mask_or(struct mask_pool *pool, const struct mask *a, const struct mask *b);
const struct mask *mask_minus(struct mask_pool *pool, const struct mask *a, const struct mask *b);
// The set with threads [from, to).
const struct mask *mask_range(struct mask_pool *pool, uint32_t from, uint32_t to);
const struct mask *mask_one(struct mask_pool *pool, uint32_t thread);
// The set of the bits in `word` (pool->words of them).
const struct mask *mask_from_words(struct mask_pool *pool, const uint64_t *word);

static inline void mask_builder_clear(const struct mask_pool *pool, struct mask_builder *builder)
{
    for (uint32_t i = 0; i < pool->words; ++i)
        builder->word[i] = 0;
}

static inline void mask_builder_add(struct mask_builder *builder, uint32_t thread)
{
    builder->word[thread / 64] |= UINT64_C(1) << (thread % 64);
}

static inline const struct mask *mask_builder_end(struct mask_pool *pool,
                                                  const struct mask_builder *builder)
{
    return mask_from_words(pool, builder->word);
}

static inline bool mask_has(const struct mask *mask, uint32_t thread)
{
    return mask->word[thread / 64] >> (thread % 64) & 1;
}

// How many members lie in [from, to).
uint32_t mask_count(const struct mask *mask, uint32_t from, uint32_t to);
bool mask_subset(const struct mask_pool *pool, const struct mask *part, const struct mask *whole);
bool mask_overlaps(const struct mask_pool *pool, const struct mask *a, const struct mask *b);
// The lowest member at or after `from`, or pool->threads.
static inline uint32_t mask_next(const struct mask_pool *pool, const struct mask *mask,
                                 uint32_t from)
{
    uint32_t i = from / 64;
    if (i >= pool->words)
        return pool->threads;
    uint64_t word = mask->word[i] >> (from % 64);
    if (word)
        return from + (uint32_t)__builtin_ctzll(word);
    while (++i < pool->words) {
        if (mask->word[i])
            return i * 64 + (uint32_t)__builtin_ctzll(mask->word[i]);
    }
    return pool->threads;
}

// The lowest thread behind `from` that is no member, where that is one; or pool->threads.
static inline uint32_t mask_end(const struct mask_pool *pool, const struct mask *mask,
                                uint32_t from)
{
    uint32_t i = from / 64;
    uint64_t word = ~mask->word[i] >> (from % 64);
    if (word)
        return from + (uint32_t)__builtin_ctzll(word) < pool->threads
                   ? from + (uint32_t)__builtin_ctzll(word)
                   : pool->threads;
    while (++i < pool->words) {
        if (~mask->word[i]) {
            uint32_t end = i * 64 + (uint32_t)__builtin_ctzll(~mask->word[i]);
            return end < pool->threads ? end : pool->threads;
        }
    }
    return pool->threads;
}

// The lowest member at or after `from`, or pool->threads; `end` becomes that of its neighbours.
static inline uint32_t mask_next_run(const struct mask_pool *pool, const struct mask *mask,
                                     uint32_t from, uint32_t *end)
{
    from = mask_next(pool, mask, from);
    *end = from < pool->threads ? mask_end(pool, mask, from) : from;
    return from;
}

// Over the members as runs of neighbours [from, to), which are few.
#define mask_runs(pool, mask, from, to)                                                            \
    for (uint32_t to = 0, from = mask_next_run((pool), (mask), 0, &(to)); from < (pool)->threads;  \
         from = mask_next_run((pool), (mask), to, &(to)))

#define mask_each(pool, mask, thread)                                                              \
    for (uint32_t thread##_end = 0, thread = mask_next_run((pool), (mask), 0, &thread##_end);      \
         thread < (pool)->threads;                                                                 \
         thread = thread + 1 < thread##_end                                                        \
                      ? thread + 1                                                                 \
                      : mask_next_run((pool), (mask), thread + 1, &thread##_end))

#endif
