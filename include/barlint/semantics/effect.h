// What every barrier state machine shares: the violations it can report, as a set, and the effect
// of one operation. Plain C17 that nvcc also compiles as device code and C++ compilers accept.
#ifndef BARLINT_SEMANTICS_EFFECT_H
#define BARLINT_SEMANTICS_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define BARLINT_HD __host__ __device__
// Before a loop over a whole table: unrolled, it would only make device code large.
#define BARLINT_ROLLED _Pragma("unroll 1")
#else
#define BARLINT_HD
#define BARLINT_ROLLED
#endif

#define BARLINT_WARP_SIZE 32u
#define BARLINT_MAX_WARPS 32u // of a block: 1024 threads

enum barlint_violation {
#define VIOLATION(name, rule, contract, section) BARLINT_##name,
#include "violation.def"
#undef VIOLATION
    BARLINT_VIOLATION_COUNT_
};

// The id of the rule that reports the violation, "arrive-over" for instance; "" for a number that
// is none.
BARLINT_HD static inline const char *barlint_violation_rule(enum barlint_violation violation)
{
    switch (violation) {
#define VIOLATION(name, rule, contract, section)                                                   \
    case BARLINT_##name:                                                                           \
        return rule;
#include "violation.def"
#undef VIOLATION
    case BARLINT_VIOLATION_COUNT_:
        break;
    }
    return "";
}

// What had to hold, as one clause in lower case without a full stop.
BARLINT_HD static inline const char *barlint_violation_contract(enum barlint_violation violation)
{
    switch (violation) {
#define VIOLATION(name, rule, contract, section)                                                   \
    case BARLINT_##name:                                                                           \
        return contract;
#include "violation.def"
#undef VIOLATION
    case BARLINT_VIOLATION_COUNT_:
        break;
    }
    return "";
}

// The documents' sections that say so.
BARLINT_HD static inline const char *barlint_violation_section(enum barlint_violation violation)
{
    switch (violation) {
#define VIOLATION(name, rule, contract, section)                                                   \
    case BARLINT_##name:                                                                           \
        return section;
#include "violation.def"
#undef VIOLATION
    case BARLINT_VIOLATION_COUNT_:
        break;
    }
    return "";
}

// The reason's name as in violation.def, for tests and machine-readable reports.
BARLINT_HD static inline const char *barlint_violation_name(enum barlint_violation violation)
{
    switch (violation) {
#define VIOLATION(name, rule, contract, section)                                                   \
    case BARLINT_##name:                                                                           \
        return #name;
#include "violation.def"
#undef VIOLATION
    case BARLINT_VIOLATION_COUNT_:
        break;
    }
    return "";
}

// A set of enum barlint_violation: one operation can break several rules.
struct barlint_violations {
    uint64_t word[2];
};

BARLINT_HD static inline struct barlint_violations barlint_violations_none(void)
{
    struct barlint_violations set;
    set.word[0] = 0;
    set.word[1] = 0;
    return set;
}

BARLINT_HD static inline void barlint_violations_add(struct barlint_violations *set,
                                                     enum barlint_violation violation)
{
    set->word[(uint32_t)violation / 64u] |= (uint64_t)1 << ((uint32_t)violation % 64u);
}

BARLINT_HD static inline void barlint_violations_drop(struct barlint_violations *set,
                                                      enum barlint_violation violation)
{
    set->word[(uint32_t)violation / 64u] &= ~((uint64_t)1 << ((uint32_t)violation % 64u));
}

BARLINT_HD static inline void barlint_violations_merge(struct barlint_violations *set,
                                                       struct barlint_violations more)
{
    set->word[0] |= more.word[0];
    set->word[1] |= more.word[1];
}

BARLINT_HD static inline bool barlint_violations_has(struct barlint_violations set,
                                                     enum barlint_violation violation)
{
    return (set.word[(uint32_t)violation / 64u] >> ((uint32_t)violation % 64u)) & 1u;
}

BARLINT_HD static inline bool barlint_violations_empty(struct barlint_violations set)
{
    return (set.word[0] | set.word[1]) == 0;
}

// The first member not below `from`, or BARLINT_VIOLATION_COUNT_. To visit all:
//   for (v = next(set, 0); v < BARLINT_VIOLATION_COUNT_; v = next(set, v + 1))
BARLINT_HD static inline uint32_t barlint_violations_next(struct barlint_violations set,
                                                          uint32_t from)
{
    if (barlint_violations_empty(set)) { // mostly; a GPU takes long to look at them one by one
        return (uint32_t)BARLINT_VIOLATION_COUNT_;
    }
    BARLINT_ROLLED
    for (uint32_t v = from; v < (uint32_t)BARLINT_VIOLATION_COUNT_; v++) {
        if (barlint_violations_has(set, (enum barlint_violation)v)) {
            return v;
        }
    }
    return (uint32_t)BARLINT_VIOLATION_COUNT_;
}

// What the hardware does with an operation, as measured on sm_90, in order of weight. A violation
// is one whatever the hardware does: most go unnoticed.
enum barlint_hardware {
    BARLINT_CONTINUES, // nothing is reported; the state is the one the machine has afterwards
    BARLINT_UNKNOWN,   // undefined and not measured: the state afterwards is a guess
    BARLINT_HANGS,     // the operation can never complete
    BARLINT_TRAPS,     // the kernel is aborted; the state afterwards lets a simulation go on
};

// The effect of one operation on one machine.
struct barlint_effect {
    struct barlint_violations violations;
    uint8_t hardware;  // enum barlint_hardware
    bool completed;    // the operation ended a phase or generation
    bool passed;       // waits and tests: the answer. Operations that may block: the caller goes on
    bool counted;      // named barriers: the warp's arrival was counted
    uint32_t released; // who may go on besides the caller: a bitmap of warps (named barriers) or of
                       // lanes (warp barriers), the caller's own included
};

BARLINT_HD static inline struct barlint_effect barlint_effect_none(void)
{
    struct barlint_effect effect;
    effect.violations = barlint_violations_none();
    effect.hardware = BARLINT_CONTINUES;
    effect.completed = false;
    effect.passed = false;
    effect.counted = false;
    effect.released = 0;
    return effect;
}

// Adds a violation and what the hardware does about it; the heaviest answer stays.
BARLINT_HD static inline void barlint_effect_add(struct barlint_effect *effect,
                                                 enum barlint_violation violation,
                                                 enum barlint_hardware hardware)
{
    barlint_violations_add(&effect->violations, violation);
    if (effect->hardware < (uint8_t)hardware) {
        effect->hardware = (uint8_t)hardware;
    }
}

BARLINT_HD static inline bool barlint_effect_has(struct barlint_effect effect,
                                                 enum barlint_violation violation)
{
    return barlint_violations_has(effect.violations, violation);
}

BARLINT_HD static inline uint32_t barlint_popcount(uint32_t bits)
{
    bits = bits - ((bits >> 1) & 0x55555555u);
    bits = (bits & 0x33333333u) + ((bits >> 2) & 0x33333333u);
    return (((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24;
}

#endif
