// Shared by the tests of the semantics core: exact comparison of violation sets, with names in the
// message.
#ifndef BARLINT_SEMANTICS_TEST_EXPECT_H
#define BARLINT_SEMANTICS_TEST_EXPECT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "barlint/semantics.h"

#define NONE BARLINT_VIOLATION_COUNT_

// The set of up to four violations; NONE fills.
static inline struct barlint_violations set_of(enum barlint_violation a, enum barlint_violation b,
                                               enum barlint_violation c, enum barlint_violation d)
{
    struct barlint_violations set = barlint_violations_none();
    enum barlint_violation all[4] = {a, b, c, d};
    for (int i = 0; i < 4; i++) {
        if (all[i] != NONE) {
            barlint_violations_add(&set, all[i]);
        }
    }
    return set;
}

static inline bool same_set(struct barlint_violations a, struct barlint_violations b)
{
    return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

static inline void print_set(const char *title, struct barlint_violations set)
{
    fprintf(stderr, "%s:", title);
    for (uint32_t v = barlint_violations_next(set, 0); v < BARLINT_VIOLATION_COUNT_;
         v = barlint_violations_next(set, v + 1)) {
        fprintf(stderr, " %s", barlint_violation_name((enum barlint_violation)v));
    }
    fprintf(stderr, "\n");
}

static inline void expect_set(struct barlint_violations got, struct barlint_violations want,
                              const char *file, int line)
{
    if (!same_set(got, want)) {
        print_set("got", got);
        print_set("want", want);
        fail_msg("%s:%d: violations differ", file, line);
    }
}

// Exactly these violations and this behaviour of the hardware.
#define EXPECT_CLEAN(effect)                                                                       \
    expect_effect(effect, set_of(NONE, NONE, NONE, NONE), BARLINT_CONTINUES, __FILE__, __LINE__)
#define EXPECT_ONE(effect, a, hardware)                                                            \
    expect_effect(effect, set_of(BARLINT_##a, NONE, NONE, NONE), BARLINT_##hardware, __FILE__,     \
                  __LINE__)
#define EXPECT_TWO(effect, a, b, hardware)                                                         \
    expect_effect(effect, set_of(BARLINT_##a, BARLINT_##b, NONE, NONE), BARLINT_##hardware,        \
                  __FILE__, __LINE__)
#define EXPECT_THREE(effect, a, b, c, hardware)                                                    \
    expect_effect(effect, set_of(BARLINT_##a, BARLINT_##b, BARLINT_##c, NONE), BARLINT_##hardware, \
                  __FILE__, __LINE__)
#define EXPECT_SET(set, a)                                                                         \
    expect_set(set, set_of(BARLINT_##a, NONE, NONE, NONE), __FILE__, __LINE__)
#define EXPECT_NO_SET(set) expect_set(set, set_of(NONE, NONE, NONE, NONE), __FILE__, __LINE__)

static inline void expect_effect(struct barlint_effect effect, struct barlint_violations want,
                                 enum barlint_hardware hardware, const char *file, int line)
{
    expect_set(effect.violations, want, file, line);
    if (effect.hardware != hardware) {
        fail_msg("%s:%d: hardware %d, expected %d", file, line, effect.hardware, hardware);
    }
}

#endif
