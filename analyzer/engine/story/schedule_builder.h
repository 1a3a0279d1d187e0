// What lanes.c and rows.c share: a schedule in the making. Internal to the engine.
#ifndef BARLINT_ENGINE_SCHEDULE_BUILDER_H
#define BARLINT_ENGINE_SCHEDULE_BUILDER_H

#include "engine/story/trace.h"

enum { MOST_LANES = 32 };

struct row;

struct schedule_builder {
    struct run *run;
    struct trace_moment *raw;
    uint32_t raws;
    uint32_t *until;  // by raw moment that waits: the raw moment that ends it
    bool *skip;       // by raw moment: it is left out
    uint32_t *row_of; // by raw moment; UINT32_MAX where it is left out
    struct row *row;  // stb_ds array
    const struct mask *lane[MOST_LANES];
    struct engine_schedule *out;
};

static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash ^= value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    return hash * UINT64_C(0xff51afd7ed558ccd);
}

bool moment_shares_barrier(const struct engine_moment *a, const struct engine_moment *b);

// lanes.c
// "warp 0", "threads 1-31 of block 1": lives in the arena of the result.
const char *lane_words(struct run *run, const struct mask *mask);
// Sorts the threads into lanes; may leave moments of roles that others stand for out.
void lanes_make(struct schedule_builder *build);

#endif
