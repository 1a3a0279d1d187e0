// The state machine of an mbarrier object: RAW, LIVE(phase, pending, expected, tx, seen), DEAD.
// (PTX ISA 9.1, 9.7.13.15.) The hardware knows one bit of the phase; the machine counts phases, so
// that late and stale waits can be told from good ones.
//
// A violating operation still leaves the state that the hardware has afterwards, as far as it has
// been measured. The operations of a valid object are in mbarrier.h; here are its state, its
// beginning and its end.
#ifndef BARLINT_SEMANTICS_MBARRIER_STATE_H
#define BARLINT_SEMANTICS_MBARRIER_STATE_H

#include "effect.h"

// PTX ISA 9.1, 9.7.13.15.2; layout v1 since 9.3. Guide 5.6.1 for the primitives' own limit.
#define BARLINT_COUNT_MAX_V0 0xfffffu
#define BARLINT_COUNT_MAX_V1 511u
#define BARLINT_COUNT_MAX_SOFTWARE 0x7fffffffu
#define BARLINT_COUNT_MAX_PRIMITIVES 16383u
#define BARLINT_TX_MAX 0xfffff

enum barlint_mbarrier_state {
    BARLINT_RAW,  // no valid object
    BARLINT_LIVE, // initialised
    BARLINT_DEAD, // invalidated
};

enum barlint_layout {
    BARLINT_LAYOUT_V0,
    BARLINT_LAYOUT_V1,
    BARLINT_LAYOUT_SOFTWARE, // a cuda::barrier that is not an mbarrier: outside shared memory, of
                             // another scope, or with a completion function
};

// Who executes an operation. Where a function takes a `const struct barlint_actor *`, NULL stands
// for "not known" and leaves out the checks that need it.
struct barlint_actor {
    uint32_t thread;        // linear number in its CTA
    uint32_t cta;           // rank in the cluster
    uint32_t warp_epoch;    // full-mask warp barriers that the warp has completed
    uint32_t block_epoch;   // whole-block barriers that the thread has passed
    uint32_t cluster_epoch; // cluster barriers that the thread has passed
    bool ordered;           // known by other means to come after the object's initialisation
};

struct barlint_mbarrier {
    uint32_t phase; // phases completed in this life; its lowest bit is the parity
    uint32_t expected;
    uint8_t state;  // enum barlint_mbarrier_state
    uint8_t layout; // enum barlint_layout
    bool seen;      // some wait returned true for phase - 1
    bool fenced;    // the initialising thread has fenced the initialisation for the cluster
    uint32_t pending;
    int32_t tx;
    uint32_t object; // the caller's name for it
    uint32_t cta;    // rank of the CTA whose shared memory holds it
    uint32_t life;   // how many times it was initialised

    // Asynchronous operations under way.
    uint32_t async_arrivals;  // arrive-ons that will come from asynchronous operations
    uint32_t bytes_in_flight; // bytes of issued copies that have not completed
    uint32_t announced;       // bytes announced in this phase
    uint32_t orphaned;        // bytes that were in flight when the previous phase ended
    uint32_t announcer;       // 1 + the thread that announced first in this phase; 0: none

    struct barlint_actor init_by; // as of the initialisation
    bool init_by_known;
    bool early_use;             // another operation came before the initialisation
    struct barlint_actor early; // the first such

    uint32_t completer;   // 1 + the thread that runs the completion function now; 0: none
    uint32_t conditional; // layout v1: completed conditional phases
    bool reported;        // layout v1: an operation of this phase reported a problem
};

// What an arrive yields: the phase it arrived in, with the object's identity, which the hardware's
// token does not carry.
enum barlint_token_state {
    BARLINT_TOKEN_NONE, // never issued
    BARLINT_TOKEN_ISSUED,
    BARLINT_TOKEN_CONSUMED,
};

struct barlint_token {
    uint32_t object, life, phase;
    uint32_t pending; // before the arrive
    uint8_t state;    // enum barlint_token_state
    uint8_t layout;   // enum barlint_layout
    bool no_complete; // issued by an arrive with .noComplete
    bool remote;      // of an arrive on another CTA's object
};

// The operands of an arrive; barlint_arrive_plain() fills the ordinary case.
struct barlint_arrive {
    uint32_t count;
    uint32_t bytes; // with expects
    bool expects;   // .expect_tx
    bool drops;     // arrive_drop
    bool no_complete;
};

BARLINT_HD static inline struct barlint_arrive barlint_arrive_plain(uint32_t count)
{
    struct barlint_arrive arrive;
    arrive.count = count;
    arrive.bytes = 0;
    arrive.expects = false;
    arrive.drops = false;
    arrive.no_complete = false;
    return arrive;
}

BARLINT_HD static inline struct barlint_actor barlint_actor_of(uint32_t thread, uint32_t cta)
{
    struct barlint_actor actor;
    actor.thread = thread;
    actor.cta = cta;
    actor.warp_epoch = 0;
    actor.block_epoch = 0;
    actor.cluster_epoch = 0;
    actor.ordered = false;
    return actor;
}

BARLINT_HD static inline struct barlint_token barlint_token_none(void)
{
    struct barlint_token token;
    token.object = 0;
    token.life = 0;
    token.phase = 0;
    token.pending = 0;
    token.state = BARLINT_TOKEN_NONE;
    token.layout = BARLINT_LAYOUT_V0;
    token.no_complete = false;
    token.remote = false;
    return token;
}

// Makes the machine of an object nobody has initialised, in the shared memory of CTA `cta`.
BARLINT_HD static inline void barlint_mbarrier_clear(struct barlint_mbarrier *m, uint32_t object,
                                                     uint32_t cta)
{
    m->object = object;
    m->cta = cta;
    m->life = 0;
    m->phase = 0;
    m->pending = 0;
    m->expected = 0;
    m->tx = 0;
    m->state = BARLINT_RAW;
    m->layout = BARLINT_LAYOUT_V0;
    m->seen = true;
    m->fenced = false;
    m->async_arrivals = 0;
    m->bytes_in_flight = 0;
    m->announced = 0;
    m->orphaned = 0;
    m->announcer = 0;
    m->init_by = barlint_actor_of(0, cta);
    m->init_by_known = false;
    m->early_use = false;
    m->early = barlint_actor_of(0, cta);
    m->completer = 0;
    m->conditional = 0;
    m->reported = false;
}

// The largest expected count of a layout.
BARLINT_HD static inline uint32_t barlint_count_max(uint32_t layout)
{
    return layout == BARLINT_LAYOUT_V0   ? BARLINT_COUNT_MAX_V0
           : layout == BARLINT_LAYOUT_V1 ? BARLINT_COUNT_MAX_V1
                                         : BARLINT_COUNT_MAX_SOFTWARE;
}

BARLINT_HD static inline bool barlint_mbarrier_is_remote(const struct barlint_mbarrier *m,
                                                         const struct barlint_actor *actor)
{
    return actor && actor->cta != m->cta && m->layout != BARLINT_LAYOUT_SOFTWARE;
}

// Has the initialisation been made known to `actor`? Adds init-no-sync or init-cluster-fence if
// not. (Guide 4.9.1: before any thread participates; PTX ISA 9.1, 9.7.13.4 for other CTAs.)
BARLINT_HD static inline void barlint_mbarrier_check_published(const struct barlint_mbarrier *m,
                                                               const struct barlint_actor *actor,
                                                               struct barlint_effect *effect)
{
    if (!actor || !m->init_by_known || actor->ordered) {
        return;
    }
    const struct barlint_actor *by = &m->init_by;
    if (actor->cta != by->cta) {
        if (actor->cluster_epoch <= by->cluster_epoch) {
            barlint_effect_add(effect, BARLINT_INIT_CLUSTER_SYNC, BARLINT_CONTINUES);
        } else if (!m->fenced) {
            barlint_effect_add(effect, BARLINT_INIT_CLUSTER_FENCE, BARLINT_CONTINUES);
        }
        return;
    }
    bool same_warp = actor->thread / BARLINT_WARP_SIZE == by->thread / BARLINT_WARP_SIZE;
    if (actor->thread != by->thread && actor->block_epoch <= by->block_epoch &&
        actor->cluster_epoch <= by->cluster_epoch &&
        !(same_warp && actor->warp_epoch > by->warp_epoch)) {
        barlint_effect_add(effect, BARLINT_INIT_NO_SYNC, BARLINT_CONTINUES);
    }
}

// What holds for every operation but init: the object must be valid and known to the thread.
// Returns false when there is no state to work on. An invalidated object goes on as it was: the
// hardware was seen to answer as before.
BARLINT_HD static inline bool barlint_mbarrier_begin(struct barlint_mbarrier *m,
                                                     const struct barlint_actor *actor,
                                                     enum barlint_hardware hardware_if_raw,
                                                     struct barlint_effect *effect)
{
    if (m->state == BARLINT_RAW) {
        barlint_effect_add(effect, BARLINT_INIT_MISSING, hardware_if_raw);
        if (actor && !m->early_use) {
            m->early_use = true;
            m->early = *actor;
        }
        return false;
    }
    if (m->state == BARLINT_DEAD) {
        barlint_effect_add(effect, BARLINT_INIT_USE_AFTER_INVAL, BARLINT_CONTINUES);
    }
    if (actor && m->completer == actor->thread + 1u) {
        barlint_effect_add(effect, BARLINT_ARRIVE_COMPLETION_FN, BARLINT_HANGS);
    }
    barlint_mbarrier_check_published(m, actor, effect);
    return true;
}

// Ends the phase if both counts are 0 (9.7.13.15.6). Bytes still in flight then were not announced:
// had they been, the transaction count would not be 0.
BARLINT_HD static inline void barlint_mbarrier_try_complete(struct barlint_mbarrier *m,
                                                            struct barlint_effect *effect)
{
    if (m->pending != 0 || m->tx != 0) {
        return;
    }
    if (m->bytes_in_flight > 0) {
        barlint_effect_add(effect, m->announced == 0 ? BARLINT_TX_NO_EXPECT : BARLINT_TX_BYTES_FEW,
                           BARLINT_CONTINUES);
    }
    m->phase++;
    m->pending = m->expected;
    m->seen = false;
    m->announced = 0;
    m->announcer = 0;
    m->orphaned = m->bytes_in_flight;
    if (m->layout == BARLINT_LAYOUT_V1 && !m->reported) {
        m->conditional++;
    }
    m->reported = false;
    effect->completed = true;
}

// mbarrier.init (9.7.13.15.9). `api_limit` is the limit of the interface used
// (BARLINT_COUNT_MAX_PRIMITIVES for __mbarrier_init and awbarrier), 0 for none of its own.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_init(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                      enum barlint_layout layout, uint32_t count, uint32_t api_limit)
{
    struct barlint_effect effect = barlint_effect_none();
    uint32_t max = barlint_count_max((uint32_t)layout);
    if (m->state == BARLINT_LIVE) {
        bool other_thread = actor && m->init_by_known &&
                            (actor->thread != m->init_by.thread || actor->cta != m->init_by.cta) &&
                            actor->block_epoch == m->init_by.block_epoch;
        barlint_effect_add(&effect, other_thread ? BARLINT_INIT_BY_MANY : BARLINT_INIT_REINIT_LIVE,
                           BARLINT_CONTINUES);
    }
    if (m->early_use && actor && actor->thread != m->early.thread && actor->cta == m->early.cta &&
        actor->block_epoch == m->early.block_epoch) {
        barlint_effect_add(&effect, BARLINT_INIT_NO_SYNC, BARLINT_CONTINUES);
    }
    if (actor && actor->cta != m->cta && layout != BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(&effect, BARLINT_INIT_PLACE_PEER, BARLINT_UNKNOWN);
    }
    if (count == 0) {
        barlint_effect_add(&effect, BARLINT_INIT_COUNT_ZERO, BARLINT_UNKNOWN);
    } else if (count > max) {
        // Measured for 2^20: nothing happens here, the next arrive aborts the launch as it does on
        // a count of 0.
        barlint_effect_add(&effect, BARLINT_INIT_COUNT_ABOVE, BARLINT_UNKNOWN);
    } else if (api_limit != 0 && count > api_limit) {
        barlint_effect_add(&effect, BARLINT_INIT_COUNT_API, BARLINT_CONTINUES);
    }
    uint32_t life = m->life, in_flight = m->bytes_in_flight, arrivals = m->async_arrivals;
    barlint_mbarrier_clear(m, m->object, m->cta);
    m->life = life + 1u;
    m->bytes_in_flight = in_flight;
    m->async_arrivals = arrivals;
    m->state = BARLINT_LIVE;
    m->layout = (uint8_t)layout;
    m->expected = count & max; // every limit is a field of ones
    m->pending = m->expected;
    if (actor) {
        m->init_by = *actor;
        m->init_by_known = true;
    }
    return effect;
}

// fence.mbarrier_init.release.cluster, or a fence of cluster scope or wider, by a thread
// (9.7.13.4). It publishes what the same thread initialised before, provided that the cluster
// barrier comes after it.
BARLINT_HD static inline void barlint_mbarrier_fence(struct barlint_mbarrier *m,
                                                     const struct barlint_actor *actor)
{
    if (m->state == BARLINT_LIVE && m->init_by_known && actor->thread == m->init_by.thread &&
        actor->cta == m->init_by.cta && actor->cluster_epoch == m->init_by.cluster_epoch) {
        m->fenced = true;
    }
}

// mbarrier.inval (9.7.13.15.10). `waiters` is the number of threads now waiting on the object.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_inval(struct barlint_mbarrier *m, const struct barlint_actor *actor,
                       uint32_t waiters)
{
    struct barlint_effect effect = barlint_effect_none();
    if (!barlint_mbarrier_begin(m, actor, BARLINT_UNKNOWN, &effect)) {
        return effect;
    }
    if (barlint_mbarrier_is_remote(m, actor)) {
        barlint_effect_add(&effect, BARLINT_INIT_PLACE_PEER, BARLINT_UNKNOWN);
    }
    if (waiters > 0) {
        barlint_effect_add(&effect, BARLINT_INIT_INVAL_WAITERS, BARLINT_UNKNOWN);
    }
    if (m->pending != m->expected || m->tx != 0) {
        barlint_effect_add(&effect, BARLINT_INIT_INVAL_MID_PHASE, BARLINT_CONTINUES);
    }
    if (m->bytes_in_flight > 0 || m->async_arrivals > 0) {
        barlint_effect_add(&effect, BARLINT_EXIT_INFLIGHT, BARLINT_UNKNOWN);
    }
    m->state = BARLINT_DEAD;
    return effect;
}

// An ordinary access to the object's bytes (9.7.13.15.3). What a store does to the counts is not
// known: the machine keeps them.
BARLINT_HD static inline struct barlint_effect
barlint_mbarrier_touch(const struct barlint_mbarrier *m, bool writes)
{
    struct barlint_effect effect = barlint_effect_none();
    if (m->state == BARLINT_LIVE && m->layout != BARLINT_LAYOUT_SOFTWARE) {
        barlint_effect_add(&effect, BARLINT_INIT_RAW_ACCESS,
                           writes ? BARLINT_UNKNOWN : BARLINT_CONTINUES);
    }
    return effect;
}

#endif
