// What a valid mbarrier goes through: transactions, arrivals, tests. (PTX ISA 9.1, 9.7.13.15.5 to
// .17.) What threads do with it over time (who waits, who arrived before) is in mbarrier_use.h.
#ifndef BARLINT_SEMANTICS_MBARRIER_H
#define BARLINT_SEMANTICS_MBARRIER_H

#include "mbarrier_state.h"

// Adds to (or takes from) the transaction count, within 32 bits. Measured: a sum just above the
// range goes unnoticed, what is in the count then is not known; a sum below it aborts the launch.
BARLINT_HD static inline void barlint_mbarrier_add_tx(struct barlint_mbarrier *m, int64_t bytes,
                                                      struct barlint_effect *effect)
{
    int64_t tx = (int64_t)m->tx + bytes;
    if (tx > BARLINT_TX_MAX || tx < -BARLINT_TX_MAX) {
        barlint_effect_add(effect, BARLINT_TX_RANGE, tx > 0 ? BARLINT_UNKNOWN : BARLINT_TRAPS);
    }
    m->tx = tx > INT32_MAX ? INT32_MAX : tx < INT32_MIN ? INT32_MIN : (int32_t)tx;
}

// The announcement in expect_tx and arrive.expect_tx. Returns false on a software barrier.
BARLINT_HD static inline bool barlint_mbarrier_announce(struct barlint_mbarrier *m,
                                                        const struct barlint_actor *actor,
                                                        uint32_t bytes,
                                                        struct barlint_effect *effect)
{
    if (m->layout == BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(effect, BARLINT_TX_SOFTWARE, BARLINT_UNKNOWN);
        return false;
    }
    if (m->orphaned > 0 && bytes > 0) {
        barlint_effect_add(effect, BARLINT_TX_LATE_EXPECT, BARLINT_CONTINUES);
        m->orphaned = 0;
    }
    // Measured: an operand out of range aborts the launch, but one that is a small negative number
    // in 32 bits takes bytes away.
    if (bytes > UINT32_MAX - BARLINT_TX_MAX) {
        barlint_effect_add(effect, BARLINT_TX_RANGE, BARLINT_CONTINUES);
        barlint_mbarrier_add_tx(m, (int64_t)bytes - UINT32_MAX - 1, effect);
        return true;
    }
    if (bytes > BARLINT_TX_MAX) {
        barlint_effect_add(effect, BARLINT_TX_RANGE, BARLINT_TRAPS);
    }
    barlint_mbarrier_add_tx(m, (int64_t)bytes, effect);
    m->announced += bytes < UINT32_MAX - m->announced ? bytes : UINT32_MAX - m->announced;
    if (actor && m->announcer == 0) {
        m->announcer = actor->thread + 1u;
    }
    return true;
}

// mbarrier.expect_tx (9.7.13.15.11). Once the last arrival is in, it is too late, unless bytes have
// been announced that no copy has been issued for: then they keep the phase open, and not only bytes
// on their way. No bytes are never too late. Measured: bringing the count to 0 this way ends the
// phase.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_expect_tx(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                           uint32_t bytes)
{
    struct barlint_effect effect = barlint_effect_none();
    bool held = m->tx > 0 && (uint32_t)m->tx > m->bytes_in_flight;
    if (barlint_mbarrier_begin(m, actor, BARLINT_UNKNOWN, &effect) &&
        barlint_mbarrier_announce(m, actor, bytes, &effect)) {
        if (m->pending == 0 && !held && bytes > 0) {
            barlint_effect_add(&effect, BARLINT_TX_LATE_EXPECT, BARLINT_CONTINUES);
        }
        barlint_mbarrier_try_complete(m, &effect);
    }
    return effect;
}

// mbarrier.complete_tx (9.7.13.15.12) by a thread.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_complete_tx(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                             uint32_t bytes)
{
    struct barlint_effect effect = barlint_effect_none();
    if (!barlint_mbarrier_begin(m, actor, BARLINT_UNKNOWN, &effect)) {
        return effect;
    }
    if (m->layout == BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(&effect, BARLINT_TX_SOFTWARE, BARLINT_UNKNOWN);
        return effect;
    }
    if (bytes > BARLINT_TX_MAX) {
        barlint_effect_add(&effect, BARLINT_TX_RANGE, BARLINT_TRAPS);
    }
    barlint_mbarrier_add_tx(m, -(int64_t)bytes, &effect);
    barlint_mbarrier_try_complete(m, &effect);
    return effect;
}

// A thread issues a copy of `bytes` that will complete on the object. The counts do not change.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_issue_copy(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                            uint32_t bytes)
{
    struct barlint_effect effect = barlint_effect_none();
    if (barlint_mbarrier_begin(m, actor, BARLINT_UNKNOWN, &effect) &&
        m->layout == BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(&effect, BARLINT_TX_SOFTWARE, BARLINT_UNKNOWN);
        return effect;
    }
    uint32_t room = UINT32_MAX - m->bytes_in_flight;
    m->bytes_in_flight += bytes < room ? bytes : room;
    return effect;
}

// `bytes` of the issued copies have landed: the asynchronous complete_tx (9.7.13.15.5.2). A copy
// may be credited in pieces.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_land_copy(struct barlint_mbarrier *m, uint32_t bytes)
{
    m->bytes_in_flight -= bytes < m->bytes_in_flight ? bytes : m->bytes_in_flight;
    return barlint_mbarrier_complete_tx(m, 0, bytes);
}

// The arrive-on(k) common to threads and asynchronous operations (9.7.13.15.7): `over` is reported
// when fewer than k arrivals are pending. Measured: a single arrive that goes below 0 aborts the
// launch.
BARLINT_HD static inline void barlint_mbarrier_arrive_on(struct barlint_mbarrier *m, uint32_t k,
                                                         enum barlint_violation over,
                                                         struct barlint_effect *effect)
{
    if (!m->seen && m->layout != BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(effect, BARLINT_PHASE_UNOBSERVED, BARLINT_CONTINUES);
    }
    if (k > m->pending) {
        barlint_effect_add(effect, over, BARLINT_TRAPS);
        m->pending = 0;
    } else {
        m->pending -= k;
    }
}

// mbarrier.arrive and arrive_drop in all their forms (9.7.13.15.13, .14): announce the bytes, drop
// from the expected count, arrive, end the phase. `token` may be NULL. To model the merge of a
// converged warp's arrives into one, pass the sum of the lanes' counts.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_arrive_with(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                             struct barlint_arrive arrive, struct barlint_token *token)
{
    struct barlint_effect effect = barlint_effect_none();
    bool valid = barlint_mbarrier_begin(m, actor, BARLINT_TRAPS, &effect);
    if (token) {
        token->object = m->object;
        token->life = m->life;
        token->phase = m->phase;
        token->pending = m->pending;
        token->state = BARLINT_TOKEN_ISSUED;
        token->layout = m->layout;
        token->no_complete = arrive.no_complete;
        token->remote = barlint_mbarrier_is_remote(m, actor);
    }
    if (!valid) {
        return effect;
    }
    if (arrive.count == 0) {
        barlint_effect_add(&effect, BARLINT_ARRIVE_COUNT_ZERO, BARLINT_CONTINUES); // no effect
    } else if (arrive.count > barlint_count_max(m->layout)) {
        barlint_effect_add(&effect, BARLINT_ARRIVE_COUNT_RANGE, BARLINT_TRAPS);
    }
    if (arrive.expects) {
        if (actor && m->pending == 0 && m->announcer != 0 && m->announcer != actor->thread + 1u) {
            barlint_effect_add(&effect, BARLINT_TX_LEADER, BARLINT_CONTINUES);
        }
        barlint_mbarrier_announce(m, actor, arrive.bytes, &effect);
    }
    if (arrive.drops) {
        if (arrive.count >= m->expected) {
            barlint_effect_add(&effect, BARLINT_EXIT_DROP_TO_ZERO, BARLINT_CONTINUES);
        }
        m->expected -= arrive.count < m->expected ? arrive.count : m->expected;
    }
    barlint_mbarrier_arrive_on(m, arrive.count, BARLINT_ARRIVE_OVER, &effect);
    barlint_mbarrier_try_complete(m, &effect);
    if (arrive.no_complete && effect.completed && effect.hardware != BARLINT_TRAPS) {
        barlint_effect_add(&effect, BARLINT_ARRIVE_NOCOMPLETE, BARLINT_CONTINUES);
    }
    return effect;
}

BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_arrive(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                        uint32_t count, struct barlint_token *token)
{
    return barlint_mbarrier_arrive_with(m, actor, barlint_arrive_plain(count), token);
}

BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_arrive_drop(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                             uint32_t count, struct barlint_token *token)
{
    struct barlint_arrive arrive = barlint_arrive_plain(count);
    arrive.drops = true;
    return barlint_mbarrier_arrive_with(m, actor, arrive, token);
}

BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_arrive_expect_tx(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                                  uint32_t bytes, struct barlint_token *token)
{
    struct barlint_arrive arrive = barlint_arrive_plain(1);
    arrive.expects = true;
    arrive.bytes = bytes;
    return barlint_mbarrier_arrive_with(m, actor, arrive, token);
}

BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_arrive_no_complete(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                                    uint32_t count, struct barlint_token *token)
{
    struct barlint_arrive arrive = barlint_arrive_plain(count);
    arrive.no_complete = true;
    return barlint_mbarrier_arrive_with(m, actor, arrive, token);
}

// Asynchronous arrivals: cp.async.mbarrier.arrive with and without .noinc (9.7.13.15.15), and the
// arrive-one of tcgen05.commit (9.7.16.12).
enum barlint_async_arrive {
    BARLINT_ASYNC_INC,    // raises the pending count now: leaves the balance as it was
    BARLINT_ASYNC_NOINC,  // the expected count must include it
    BARLINT_ASYNC_COMMIT, // likewise
};

// A thread executes the instruction; its arrival comes later.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_async_issue(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                             enum barlint_async_arrive kind)
{
    struct barlint_effect effect = barlint_effect_none();
    bool valid = barlint_mbarrier_begin(m, actor, BARLINT_UNKNOWN, &effect);
    if (m->async_arrivals < UINT32_MAX) {
        m->async_arrivals++;
    }
    if (valid && kind == BARLINT_ASYNC_INC) {
        if (m->pending >= barlint_count_max(m->layout)) {
            barlint_effect_add(&effect, BARLINT_TX_INC_RANGE, BARLINT_UNKNOWN);
        } else {
            m->pending++;
        }
    }
    return effect;
}

// The operation has finished: arrives once in whatever phase is current.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_async_arrive(struct barlint_mbarrier *m, enum barlint_async_arrive kind)
{
    struct barlint_effect effect = barlint_effect_none();
    if (m->async_arrivals > 0) {
        m->async_arrivals--;
    }
    if (barlint_mbarrier_begin(m, 0, BARLINT_UNKNOWN, &effect)) {
        barlint_mbarrier_arrive_on(m, 1,
                                   kind == BARLINT_ASYNC_NOINC    ? BARLINT_TX_NOINC
                                   : kind == BARLINT_ASYNC_COMMIT ? BARLINT_INIT_COUNT_MISMATCH
                                                                  : BARLINT_ARRIVE_OVER,
                                   &effect);
        barlint_mbarrier_try_complete(m, &effect);
    }
    return effect;
}

// The hardware's answer to a test for the phase with `parity`: one bit is compared (9.7.13.15.16).
BARLINT_HD static inline void barlint_mbarrier_answer(struct barlint_mbarrier *m,
                                                      const struct barlint_actor *actor,
                                                      uint32_t parity,
                                                      struct barlint_effect *effect)
{
    bool valid = barlint_mbarrier_begin(m, actor, BARLINT_CONTINUES, effect);
    if (barlint_mbarrier_is_remote(m, actor)) {
        barlint_effect_add(effect, BARLINT_PHASE_WAIT_REMOTE, BARLINT_TRAPS);
    }
    effect->passed = (parity & 1u) != (m->phase & 1u);
    if (valid && effect->passed) {
        m->seen = true;
    }
}

// test_wait and try_wait with a token, and one turn of a wait loop. `passed` is what the hardware
// says; try_wait may say false even so and orders nothing then.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_test_token(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                            const struct barlint_token *token)
{
    struct barlint_effect effect = barlint_effect_none();
    if (token->state == BARLINT_TOKEN_NONE) {
        barlint_effect_add(&effect, BARLINT_PHASE_TOKEN_NEVER_ISSUED, BARLINT_UNKNOWN);
    } else if (token->remote) {
        barlint_effect_add(&effect, BARLINT_PHASE_REMOTE_TOKEN, BARLINT_UNKNOWN);
    } else if (token->object != m->object) {
        barlint_effect_add(&effect, BARLINT_PHASE_FOREIGN_TOKEN, BARLINT_CONTINUES);
    } else if (token->life != m->life || m->phase - token->phase > 1u) {
        barlint_effect_add(&effect, BARLINT_PHASE_STALE_TOKEN, BARLINT_CONTINUES);
    }
    if (token->state == BARLINT_TOKEN_CONSUMED) {
        barlint_effect_add(&effect, BARLINT_PHASE_TOKEN_CONSUMED, BARLINT_CONTINUES);
    }
    barlint_mbarrier_answer(m, actor, token->phase, &effect);
    return effect;
}

// The same with a parity. Which phase the thread meant is judged by barlint_wait_classify().
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_test_parity(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                             uint32_t parity)
{
    struct barlint_effect effect = barlint_effect_none();
    if (parity > 1u) {
        barlint_effect_add(&effect, BARLINT_PHASE_PARITY_RANGE, BARLINT_CONTINUES);
    }
    barlint_mbarrier_answer(m, actor, parity, &effect);
    return effect;
}

// Marks a token as used up: cuda::barrier::wait takes it by move. (PTX tokens may be tested at
// will: do not call it for them.)
BARLINT_HD static inline void barlint_token_consume(struct barlint_token *token)
{
    if (token->state == BARLINT_TOKEN_ISSUED) {
        token->state = BARLINT_TOKEN_CONSUMED;
    }
}

// mbarrier.pending_count (9.7.13.15.17): `*out_count` is the pending count before the arrive.
BARLINT_HD static inline struct barlint_effect
barlint_token_pending_count(const struct barlint_token *token, uint32_t *out_count)
{
    struct barlint_effect effect = barlint_effect_none();
    if (token->state == BARLINT_TOKEN_NONE) {
        barlint_effect_add(&effect, BARLINT_PHASE_TOKEN_NEVER_ISSUED, BARLINT_UNKNOWN);
    } else if (!token->no_complete || token->layout == BARLINT_LAYOUT_V1) {
        barlint_effect_add(&effect, BARLINT_ARRIVE_PENDING_COUNT, BARLINT_UNKNOWN);
    }
    *out_count = token->pending;
    return effect;
}

// Layout v1 (PTX ISA 9.3): an asynchronous operation of the current phase reported a problem, so
// the conditional phase will not advance with it.
BARLINT_HD static inline void barlint_mbarrier_report(struct barlint_mbarrier *m)
{
    m->reported = m->layout == BARLINT_LAYOUT_V1;
}

// Layout v1: a test for the conditional phase of the given parity.
BARLINT_HD static inline bool barlint_mbarrier_test_conditional(const struct barlint_mbarrier *m,
                                                                uint32_t parity)
{
    return (parity & 1u) != (m->conditional & 1u);
}

// Software barriers: a thread runs the completion function from _begin to _end, during which it
// must not use the object (C++ [thread.barrier]).
BARLINT_HD static inline void barlint_mbarrier_completion_begin(struct barlint_mbarrier *m,
                                                                const struct barlint_actor *actor)
{
    m->completer = actor->thread + 1u;
}

BARLINT_HD static inline void barlint_mbarrier_completion_end(struct barlint_mbarrier *m)
{
    m->completer = 0;
}

// The owning CTA ends. No inval is needed, and arrivals left over harm nobody; asynchronous
// operations still under way are another matter (9.7.9.25), and bytes for which nobody can announce any
// more held up no phase.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_cta_end(const struct barlint_mbarrier *m)
{
    struct barlint_effect effect = barlint_effect_none();
    if (m->state == BARLINT_LIVE && m->announced == 0 &&
        (m->tx < 0 || (m->tx == 0 && m->bytes_in_flight > 0))) {
        barlint_effect_add(&effect, BARLINT_TX_NO_EXPECT, BARLINT_UNKNOWN);
    } else if (m->bytes_in_flight > 0 || m->async_arrivals > 0 ||
               (m->state == BARLINT_LIVE && m->tx != 0)) {
        barlint_effect_add(&effect, BARLINT_EXIT_INFLIGHT, BARLINT_UNKNOWN);
    }
    return effect;
}

// Where an address points, seen from the thread that uses it.
enum barlint_place {
    BARLINT_PLACE_OWN,   // the CTA's own shared memory
    BARLINT_PLACE_PEER,  // shared memory of another CTA of the cluster
    BARLINT_PLACE_OTHER, // not shared memory
};

enum barlint_address_use {
    BARLINT_ADDRESS_OWNER,  // init, inval
    BARLINT_ADDRESS_TOKEN,  // an arrive whose token is kept
    BARLINT_ADDRESS_WAIT,   // test_wait, try_wait
    BARLINT_ADDRESS_SHARED, // what peers may do: arrive without token, expect_tx, complete_tx
};

// Checks the address of an mbarrier operation (9.7.13.15.1, .8, .9). Measured: a misaligned address
// and one outside shared memory abort the launch.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_check_address(uint64_t address, enum barlint_place place,
                               enum barlint_address_use use)
{
    struct barlint_effect effect = barlint_effect_none();
    if (address % 8u != 0) {
        barlint_effect_add(&effect, BARLINT_INIT_MISALIGNED, BARLINT_TRAPS);
    }
    if (place == BARLINT_PLACE_OTHER) {
        barlint_effect_add(&effect, BARLINT_INIT_PLACE_OTHER, BARLINT_TRAPS);
    } else if (place == BARLINT_PLACE_PEER && use == BARLINT_ADDRESS_OWNER) {
        barlint_effect_add(&effect, BARLINT_INIT_PLACE_PEER, BARLINT_UNKNOWN);
    } else if (place == BARLINT_PLACE_PEER && use == BARLINT_ADDRESS_TOKEN) {
        barlint_effect_add(&effect, BARLINT_PHASE_REMOTE_TOKEN, BARLINT_UNKNOWN);
    } else if (place == BARLINT_PLACE_PEER && use == BARLINT_ADDRESS_WAIT) {
        barlint_effect_add(&effect, BARLINT_PHASE_WAIT_REMOTE, BARLINT_TRAPS);
    }
    return effect;
}

// Is an arrive with an explicit count known to the architecture (`sm` = 80, 90, ...)? Before sm_90
// it needs .noComplete (9.7.13.15.13).
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_check_arrive_form(uint32_t count, bool no_complete, uint32_t sm)
{
    struct barlint_effect effect = barlint_effect_none();
    if (sm < 90u && count != 1u && !no_complete) {
        barlint_effect_add(&effect, BARLINT_ARRIVE_COUNT_SM80, BARLINT_UNKNOWN);
    }
    return effect;
}

#endif
