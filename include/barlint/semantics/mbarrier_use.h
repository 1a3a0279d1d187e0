// What threads do with an mbarrier, one record per thread and object, and the questions a checker
// asks about waits: was this the phase it meant, and can it ever end?
#ifndef BARLINT_SEMANTICS_MBARRIER_USE_H
#define BARLINT_SEMANTICS_MBARRIER_USE_H

#include "mbarrier.h"

// One thread's history with one object. All zero at the start.
struct barlint_user {
    uint32_t waits;        // waits of this thread that passed
    uint32_t arrive_phase; // phase of its last arrive
    uint32_t failed_phase; // phase in which its last test returned false
    bool arrived;
    bool dropped;
    bool failed;      // the last test returned false
    bool arrived_dry; // nobody had announced bytes in the phase when it last arrived, and it has
                      // not waited since
};

BARLINT_HD static inline void barlint_user_clear(struct barlint_user *user)
{
    user->waits = 0;
    user->arrive_phase = 0;
    user->failed_phase = 0;
    user->arrived = false;
    user->dropped = false;
    user->failed = false;
    user->arrived_dry = false;
}

// To be called before the thread arrives (or drops) on the object in its present state.
BARLINT_HD static inline struct barlint_violations
barlint_user_arrives(struct barlint_user *user, const struct barlint_mbarrier *m,
                     struct barlint_arrive arrive)
{
    struct barlint_violations violations = barlint_violations_none();
    if (user->dropped) {
        barlint_violations_add(&violations, BARLINT_EXIT_DROP_THEN_USE);
    }
    if (user->failed && m->phase != user->failed_phase) {
        barlint_violations_add(&violations, BARLINT_PHASE_TRYWAIT_IGNORED);
        user->failed = false;
    }
    user->arrived = true;
    user->arrive_phase = m->phase;
    user->arrived_dry = m->announced == 0 && !arrive.expects;
    user->dropped = user->dropped || arrive.drops;
    return violations;
}

// To be called after a test or wait of the thread, with its effect.
BARLINT_HD static inline struct barlint_violations
barlint_user_tested(struct barlint_user *user, const struct barlint_mbarrier *m, bool with_token,
                    const struct barlint_effect *effect)
{
    struct barlint_violations violations = barlint_violations_none();
    if (user->dropped && with_token) {
        barlint_violations_add(&violations, BARLINT_EXIT_DROP_THEN_USE);
    }
    user->failed = !effect->passed;
    user->failed_phase = m->phase;
    if (effect->passed) {
        user->waits++;
        user->arrived_dry = false;
    }
    return violations;
}

// To be called before the thread executes expect_tx by itself: too late when the phase it had in
// mind ended with its own arrive. A thread that arrives now and then without bytes and does not
// wait on the object looks the same: a possible finding only.
BARLINT_HD static inline struct barlint_violations
barlint_user_expects(const struct barlint_user *user, const struct barlint_mbarrier *m)
{
    struct barlint_violations violations = barlint_violations_none();
    if (user->arrived && user->arrived_dry && m->phase - user->arrive_phase == 1u) {
        barlint_violations_add(&violations, BARLINT_TX_LATE_EXPECT);
    }
    return violations;
}

// The phase that the thread's next wait ought to name. Who waits for data or for everybody begins
// with phase 0; who waits for a buffer that is free at the start begins with the phase before the
// first, -1 modulo 2^32 (Guide 4.9.7; CUTLASS producer start state).
BARLINT_HD static inline uint32_t barlint_user_next_phase(const struct barlint_user *user,
                                                          bool free_at_start)
{
    return free_at_start ? user->waits - 1u : user->waits;
}

enum barlint_wait_timing {
    BARLINT_WAIT_IN_TIME, // the wanted phase is current: the wait blocks until it ends
    BARLINT_WAIT_OVER,    // the wanted phase ended last: the wait passes
    BARLINT_WAIT_LAGGED,  // later phases have ended too: the parity is ambiguous
    BARLINT_WAIT_EARLY,   // phases before the wanted one are still to end
};

struct barlint_wait {
    uint8_t timing; // enum barlint_wait_timing
    bool passes;    // the hardware's answer
    bool ended;     // the truth: the wanted phase has ended
    struct barlint_violations violations;
};

// Judges a parity wait of a thread that ought to wait for phase `wanted` (which may be -1 modulo
// 2^32). PTX ISA 9.1, 9.7.13.15.16: the parity must be that of the current or of the immediately
// preceding phase.
BARLINT_HD static inline struct barlint_wait barlint_wait_classify(const struct barlint_mbarrier *m,
                                                                   uint32_t wanted, uint32_t parity)
{
    struct barlint_wait wait;
    int32_t behind = (int32_t)(m->phase - wanted);
    wait.violations = barlint_violations_none();
    wait.passes = (parity & 1u) != (m->phase & 1u);
    wait.ended = behind > 0;
    wait.timing = behind == 0   ? BARLINT_WAIT_IN_TIME
                  : behind == 1 ? BARLINT_WAIT_OVER
                  : behind > 1  ? BARLINT_WAIT_LAGGED
                                : BARLINT_WAIT_EARLY;
    if ((parity & 1u) != (wanted & 1u)) {
        barlint_violations_add(&wait.violations, wanted + 1u <= 1u ? BARLINT_PHASE_PARITY_INITIAL
                                                                   : BARLINT_PHASE_PARITY_FLIP);
    } else if (wait.timing == BARLINT_WAIT_EARLY) {
        barlint_violations_add(&wait.violations, BARLINT_PHASE_PARITY_FLIP);
    }
    if (wait.timing == BARLINT_WAIT_LAGGED) {
        barlint_violations_add(&wait.violations, BARLINT_PHASE_PARITY_LAG);
    }
    if (parity > 1u) {
        barlint_violations_add(&wait.violations, BARLINT_PHASE_PARITY_RANGE);
    }
    return wait;
}

// What may still happen to a phase, as far as the caller knows. The last four say who owes the
// arrivals that are missing.
struct barlint_supply {
    uint32_t arrivals;     // arrive-ons that threads able to go on may still perform: at most
    bool transactions;     // a thread able to go on may still change the transaction count
    uint32_t from_waiters; // arrive-ons owed by threads that themselves wait for this phase
    uint32_t from_exited;  // owed by threads that have exited without a drop
    uint32_t from_live;    // owed by live threads that went elsewhere
    uint32_t arrived;      // arrivals that the phase has had
};

BARLINT_HD static inline struct barlint_supply barlint_supply_none(void)
{
    struct barlint_supply supply;
    supply.arrivals = 0;
    supply.transactions = false;
    supply.from_waiters = 0;
    supply.from_exited = 0;
    supply.from_live = 0;
    supply.arrived = 0;
    return supply;
}

struct barlint_stuck {
    bool for_ever;    // the wait can never end
    uint32_t missing; // arrivals that nobody will perform
    int32_t tx;       // bytes announced and never delivered; negative: delivered, not announced
    struct barlint_violations violations;
};

// Compares an expected count with the arrivals that a full phase has or can have. Equal:
// BARLINT_VIOLATION_COUNT_. A ratio of 32 is a confusion of threads and warps.
BARLINT_HD static inline enum barlint_violation barlint_count_compare(uint32_t expected,
                                                                      uint32_t arrivals)
{
    if (expected == arrivals) {
        return BARLINT_VIOLATION_COUNT_;
    }
    bool ratio = (uint64_t)expected == (uint64_t)arrivals * BARLINT_WARP_SIZE ||
                 (uint64_t)arrivals == (uint64_t)expected * BARLINT_WARP_SIZE;
    return ratio && expected != 0 && arrivals != 0 ? BARLINT_ARRIVE_GRANULARITY
                                                   : BARLINT_INIT_COUNT_MISMATCH;
}

BARLINT_HD static inline void barlint_stuck_arrivals(const struct barlint_mbarrier *m,
                                                     struct barlint_supply supply,
                                                     struct barlint_stuck *stuck)
{
    uint64_t possible = (uint64_t)supply.arrivals + m->async_arrivals;
    if (possible >= m->pending) {
        return;
    }
    stuck->for_ever = true;
    stuck->missing = m->pending - (uint32_t)possible;
    if (supply.from_waiters > 0) {
        barlint_violations_add(&stuck->violations, BARLINT_PHASE_SELF_DEADLOCK);
    }
    if (supply.from_exited > 0) {
        barlint_violations_add(&stuck->violations, BARLINT_EXIT_MISSING_DROP);
    }
    if (supply.from_live > 0) {
        barlint_violations_add(&stuck->violations, BARLINT_ARRIVE_DIVERGENT);
    }
    if ((uint64_t)supply.from_waiters + supply.from_exited + supply.from_live < stuck->missing) {
        enum barlint_violation unit = barlint_count_compare(m->expected, supply.arrived);
        barlint_violations_add(&stuck->violations, unit == BARLINT_ARRIVE_GRANULARITY
                                                       ? unit
                                                       : BARLINT_INIT_COUNT_MISMATCH);
    }
}

// Can a thread that waits for phase `wanted` (by token or parity) ever go on? To be asked when
// nothing else can happen than what `supply` says. It waits for ever when the phase that holds it
// lacks arrivals nobody will perform, or its transaction count cannot come back to 0
// (9.7.13.15.6), or when it came two phases late and sees the parity of another phase.
BARLINT_HD static inline struct barlint_stuck
barlint_mbarrier_check_stuck(const struct barlint_mbarrier *m, uint32_t wanted,
                             struct barlint_supply supply)
{
    struct barlint_stuck stuck;
    stuck.for_ever = false;
    stuck.missing = 0;
    stuck.tx = 0;
    stuck.violations = barlint_violations_none();
    if ((wanted & 1u) != (m->phase & 1u)) {
        return stuck; // the hardware lets it pass
    }
    barlint_stuck_arrivals(m, supply, &stuck);
    // Bytes on their way will land. Where more land than were announced, the count may or may not
    // touch 0 between two pieces.
    int64_t rest = (int64_t)m->tx - (int64_t)m->bytes_in_flight;
    if (!supply.transactions && (m->bytes_in_flight == 0 ? m->tx != 0 : rest > 0)) {
        stuck.for_ever = true;
        stuck.tx = rest > 0 ? (int32_t)rest : m->tx;
        barlint_violations_add(&stuck.violations, rest > 0            ? BARLINT_TX_BYTES_MANY
                                                  : m->announced == 0 ? BARLINT_TX_NO_EXPECT
                                                                      : BARLINT_TX_BYTES_FEW);
    }
    if ((int32_t)(m->phase - wanted) >= 2) {
        barlint_violations_add(&stuck.violations, BARLINT_PHASE_PARITY_LAG);
    }
    return stuck;
}

// A counted thread exits without a drop while `others` threads still use the object in phases to
// come (Guide 4.9.5): exits never help an mbarrier.
BARLINT_HD static inline struct barlint_violations
barlint_user_exits(const struct barlint_user *user, uint32_t others)
{
    struct barlint_violations violations = barlint_violations_none();
    if (user->arrived && !user->dropped && others > 0) {
        barlint_violations_add(&violations, BARLINT_EXIT_MISSING_DROP);
    }
    return violations;
}

#endif
