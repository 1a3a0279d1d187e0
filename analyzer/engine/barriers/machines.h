// The barriers of a run: the state machines of include/barlint/ with the threads that stand at
// them. Internal to the engine.
#ifndef BARLINT_ENGINE_MACHINES_H
#define BARLINT_ENGINE_MACHINES_H

#include "barlint/semantics.h"
#include "engine/barriers/orders.h"
#include "engine/run.h"

enum { MAX_BLOCKS = 16, HISTORY = 24 };

// What is announced where it is not known how much: the phase ends once somebody waits for it, and
// not before.
enum { SOME_BYTES = 1 };

// What happened to a barrier and should be told when it goes wrong.
struct deed {
    const char *verb; // "is initialised by", "arrive", "wait for phase 3"
    const struct mask *mask;
    struct ir_loc loc;
    uint32_t phase;
    int64_t number; // expected count, bytes ...; INT64_MIN where there is none
};

struct named_site {
    ir_function_id function;
    ir_value op;
    uint32_t chain;
    struct ir_loc loc;
};

// record.c: an operation of the group's, and the one that it executes.
struct named_site named_site_of(const struct run *run, const struct group *group, ir_value op);
struct named_site named_site_here(const struct run *run, const struct group *group);

// What a thread holds of an mbarrier.
struct holder {
    uint32_t passed_at;   // 1 + machines->releases when its last wait passed; 0: none has
    uint32_t passed_time; // orders_time() then
    uint32_t phase;       // 1 + that of its last arrival
    uint32_t tokens;      // arrivals of it in that phase
    uint32_t spent;       // tokens of that phase that a wait has consumed
    uint32_t arrivals;    // in all phases
    uint32_t came_at;     // machines->waited_at at its last arrival
    // The same of the arrival in an earlier phase before that: that phase and 1, and the time.
    uint32_t before_phase, before_at;
    uint8_t last;      // 1 + the parity of its last wait that passed; 0: none has
    bool began_over;   // its first wait passed for the phase before the first
    bool begun_unlike; // its first wait blocks, and on another element of the ring it passed
    // Of its last arrival after stores that nothing had published: 1 + the event, 0 for none; and
    // how often it had come through a barrier of the block.
    uint32_t stored_event, stored_epoch;
    uint32_t stored_place; // unread.c: where those stores went to, of a relaxed arrival; else 0
    bool stored_for_warp;  // the others of its warp know of these stores
    // Where its last arrival was; where that made up a whole phase, 1 + the epoch then, else 0, and
    // the waits it had passed.
    uint32_t came_chain, alone_epoch, alone_waits;
    ir_function_id came_function;
    ir_value came_op;
};

// What is announced to and copied for a phase of an mbarrier.
struct traffic {
    struct named_site announce, copy, track; // the latest of each; track: cp.async.mbarrier.arrive
    uint32_t announce_threads, copy_threads; // who executed it at once
    int64_t announced, copied;               // bytes
    bool announces;                          // more than none, or nobody knows how many
    bool unsaid;                             // nobody knows how many are announced
    // What is announced less what is copied, as a value; `uncounted`: more than that, or less.
    const struct node *owed;
    bool uncounted;
    uint32_t raised; // arrivals that raised the pending count first and so change nothing
    const struct mask *track_mask, *copy_mask, *announce_mask;
};

// Bytes that a thread has announced to the open phase without arriving there itself (announced.c).
struct expectation {
    struct named_site site;
    uint32_t thread, time; // orders_time() then
    int64_t bytes;
    int64_t behind; // bytes of copies that come after it
    bool held;      // an arrival of the phase comes after it
};

enum { MOST_EXPECTATIONS = 4 };

struct mbarrier {
    uint32_t object; // of the run, and the offset into it
    int64_t offset;
    uint32_t block; // of the cluster
    struct barlint_mbarrier state;
    uint32_t lives;            // how often it has been initialised
    bool untouched;            // no operation has come to it: nothing is noted of any thread
    struct barlint_user *user; // by thread of the cluster
    uint32_t *passed;          // by thread: the phase that was open when its last wait passed
    uint32_t *refused;      // by thread: 1 + the phase of which a test has told it that it is open
    uint32_t result_object; // engine_object
    struct ir_loc init_loc;
    bool count_known;    // the expected count is a known number
    bool bytes_unknown;  // bytes that nobody can count belong to the open phase
    bool shared_unknown; // operations on it could not be followed: nothing is claimed of it
    bool stands_in; // operations on it meant that of a block which is not walked, where others wait
    const struct mask *init_mask; // the threads that initialised it, at `init_time`
    uint32_t init_time;
    struct released released; // by those who arrived
    uint32_t over_at;         // when its latest phase has ended
    bool uneven;              // an arrival was no plain one of a thread for itself
    bool unobserved;          // an arrival came before anybody had waited for the phase before
    bool ahead;   // it was a thread's that had made up that phase and waited for nothing
    bool crowded; // it was one of threads that had no part in that phase
    struct named_site unobserved_site;
    struct named_site arrive_site; // of the latest arrive
    struct traffic traffic;        // bytes of the open phase
    struct named_site sent;        // the latest copy that completes here
    const struct mask *sent_mask;  // who started it; NULL once a wait has come after it
    uint32_t sent_phase;
    struct named_site noinc; // the latest cp.async.mbarrier.arrive.noinc on it
    const struct mask *noinc_mask;
    bool miscounted;  // a phase has ended of which nobody can say whether its bytes came
    bool bytes_doubt; // a size was unknown once, or wrong: nothing is claimed of its bytes
    bool announced;   // somebody has announced bytes to one of its phases
    bool by_copies;   // asynchronous operations have arrived at it
    const struct mask *unobserved_mask;
    const struct mask *arrived; // in the open phase
    const struct mask *ever_arrived;
    const struct mask *after; // who would arrive if the waits of a deadlock were over
    const struct mask *waiting_ever;
    const struct mask *again; // who passed a wait for a phase that it had passed one for before,
                              // and done its work for, or NULL
    struct named_site again_site;          // the latest such wait
    struct holder *holder;                 // by thread of the cluster
    struct named_site inval_site;          // of its invalidation, by inval_thread
    uint32_t inval_thread, inval_releases; // machines->releases of that thread then
    uint32_t arrivals;                     // arrive-ons of the open phase
    uint32_t dropped;                      // 1 + the latest phase that a thread has dropped out in
    // By thread: 1 + the time at which it has asked its copies to arrive, raising the count of the
    // open phase, as long as no arrival has come after that (raised.c).
    uint32_t *raised;
    struct named_site raised_site;                     // the latest such
    bool raises;                                       // there are such
    struct expectation expectation[MOST_EXPECTATIONS]; // of the open phase
    uint32_t expectations;
    struct deed deed[HISTORY];
    uint32_t deeds;
};

// The warps that have come to one generation of a named barrier.
struct named_turn {
    uint32_t warps;
    uint32_t only; // those of them that arrived once and did not wait
    uint32_t time[BARLINT_MAX_WARPS];
};

struct block_state {
    struct barlint_cta cta;
    struct deed deed[16][HISTORY];
    uint32_t deeds[16];
    struct released released[16];      // by those who came to each slot
    const struct mask *slot_users[16]; // threads that ever executed an operation on it
    struct named_site opener[16];      // the operation that opened its latest generation
    uint32_t opener_count[16];         // the threads it named, 0 for all
    bool count_form[16], all_form[16]; // how each slot was used
    struct {
        const struct mask *came;  // to the generation that is open
        const struct mask *ended; // to the one before; NULL where it did not name a count
        uint64_t releases;        // all that those had done when it ended
    } group[16];
    struct {
        struct named_site site; // where a warp waits that had arrived in the same generation
        const struct mask *mask;
        uint32_t count;
        bool open;      // that generation has not ended
        bool all;       // every warp of it came twice
        uint32_t again; // warps that came twice in the open generation
        uint32_t warps; // that the latest such generation counted; 0 for none
    } twice[16];
    // again.c: the generation that is open, and the one before.
    struct {
        struct named_turn open, over;
    } turn[16];
    struct ballot *ballot[16]; // votes of the latest generation (votes.c)
    bool spoiled[16];          // a mistake was told that leaves its count wrong
};

struct async_copy {
    uint32_t mbarrier;
    uint32_t bytes;
    bool arrival; // an arrive-on instead of bytes
    bool noinc;
    bool raised;    // the pending count, by one, when the arrival was asked for
    uint32_t phase; // open then
};

// The parity of the first wait at one place on one element of an array of barriers: the elements of
// a ring play one role, so the first wait on each has the same parity.
struct first_wait {
    ir_function_id function;
    ir_value op;
    uint32_t chain, object, block, thread;
    int64_t offset;
    uint32_t parity;
};

enum touch { TOUCH_NONE, TOUCH_STORE, TOUCH_LOAD }; // of data in shared memory

struct machines {
    struct mbarrier *mbarrier; // stb_ds array
    uint32_t *region;          // stb_ds array: objects that are parts of others
    uint64_t regions_settled;  // the version of the run's decisions when they were last compared
    struct block_state *block; // by block of the cluster
    struct barlint_cluster cluster;
    struct barlint_cluster_thread *cluster_thread;
    struct released cluster_released;
    struct barlint_warp *warp;      // by warp of the cluster
    uint32_t *epoch;                // by thread: block-wide barriers it has passed
    uint32_t *waits;                // by thread: waits at mbarriers that it has passed
    uint32_t *waited_at;            // by thread: orders_time() when it passed the latest; 0: none
    uint32_t *cluster_epoch;        // by thread: cluster barriers it has passed
    bool peers_unread;              // threads have passed what may be a cluster barrier
    bool *asleep;                   // by thread: in a named barrier
    struct barlint_token *token;    // stb_ds array: tokens issued
    const struct mask **token_mask; // who may hold it
    struct async_copy *copy;        // stb_ds array: under way
    struct named_site *site;        // stb_ds array
    bool remote_used;
    bool out_of_step; // somebody has passed a wait for a phase long over, or of another barrier
    uint8_t surplus;  // enum engine_surplus: of what has come to some phase until now
    // Threads that a test has told that the phase is open, and that have not asked again.
    const struct mask *refused;
    // Threads that have passed a test and not worked on an mbarrier since: what they do next they
    // do for that, also where a test of a later phase is refused meanwhile.
    const struct mask *served;
    const struct mask *wrote; // threads whose stores to shared memory nothing has published
    // Threads that have met others of their warp after such stores of these or their own: the warp
    // knows of them, and nobody else.
    const struct mask *told_warp;
    // Threads with stores that no release of cluster scope covers; `settled` are those whose block
    // has synchronised since, so that any of its threads may release them.
    const struct mask *unreleased, *settled;
    struct {
        struct named_site site;
        const struct mask *writers;     // NULL: nothing is amiss
    } relaxed[MAX_BLOCKS];              // by block: its relaxed arrival at the cluster barrier
    struct relaxed_arrival *arrival;    // by thread: the latest such of its own; NULL while none is
    struct copies_arrival *with_copies; // by thread: the latest by its copies; NULL while none is
    const struct mask *wrote_remote; // the same of stores to the memory of peers, for the cluster
    uint8_t *touch;                  // by thread, in the afterlife: enum touch, the first
    uint32_t *releases;              // by thread: operations by which others may come after it
    uint32_t *released_at;           // by thread: the time of the latest that orders memory
    struct first_wait *first_wait;   // stb_ds array
    struct pipe **pipe;              // stb_ds array: cuda::pipeline objects (pipes.c)
    struct copies *copies;           // of threads that wait for them themselves (copies.c)
    struct aligned *aligned;         // instructions of whole warps and warpgroups (aligned.c)
    struct groups *groups;           // of cooperative groups (groups.c)
    struct bulk *bulk;               // stores from shared memory (stores.c)
    struct loads *loads;             // bulk copies into it (loads.c)
    struct butterflies *butterflies; // of lanes that put together what they have (butterflies.c);
                                     // NULL before any
    struct orders *orders;           // what happens before what (orders.c)
    uint32_t refusals;               // searches of within_both() in vain, for two accesses
    bool voted;                      // sizes or data have decided what a ballot says
    struct races *races;             // plain accesses to shared memory (races.c)
    struct kept_owners *owners;      // who made them (owners.c)
    struct kept_alike *alike;        // values asked about by made_alike(), or NULL
    struct written_all *written;     // what shared memory has been stored to (written.c)
    struct spoken *spoken;           // arrivals of one thread for others (spoken.c)
    struct by_place *by_place;       // threads by what they touch (by_place.c); NULL before any
    struct abandoned *abandoned;     // what threads that have left do not store (abandoned.c)
    struct handed *handed;           // shared memory by words (handed.c); NULL: nobody polls
    struct announce *announce;       // of global memory to other blocks (announce.c)
    struct lag *lag;                 // who may be late at an mbarrier (lag.c)
    struct premature *premature;     // who may be early at one (premature.c)
    struct announced *announced;     // bytes and arrivals apart (announced.c)
    struct unreads *unreads;         // relaxed arrivals behind stores (unread.c)
    struct rooms *rooms;             // of tensor copies (rooms.c)
    struct early *early;             // reads behind waits that passed too early (early.c)
    struct pulled *pulled;           // what they read there (pulled.c); NULL outside of clusters
    struct peer_use *peer_use;       // accesses to other blocks (peers.c)
    uint32_t peer_uses;              // how many there were
    uint32_t *predecessor;           // by thread: when it first waited for the kernel before
                                     // (predecessor.c), 0: never; NULL: nobody has
    uint32_t grid_syncs;             // barriers of the grid that thread 0 has come to
    struct named_site grid_site;     // the latest
    // Operations of warps that not all lanes have come to yet: the first, and what leads behind the
    // last; and by the warp's first thread those of it, NULL before any (meeting.c).
    struct meeting *meeting, **meeting_end;
    struct meetings **meeting_of;
    struct {
        uint64_t key; // a hash of the token
        uint32_t value;
    } * token_of; // stb_ds map: its number
};

void machines_init(struct run *run);
void machines_release(struct run *run);
// How many operations the threads have executed by which others may come after them, all together.
uint64_t machines_releases(const struct run *run, const struct mask *mask);

// predecessor.c: the threads have waited for the kernel before this one in its stream.
void predecessor_waited(struct run *run, const struct mask *mask);
// A run is over: who did not know of that wait did not in one in which somebody waits.
void predecessor_end(struct run *run);
// Whether all of the threads have, or come after others that have, or may have been told.
bool predecessor_known(const struct run *run, const struct mask *mask);
// The threads have passed a wait at an mbarrier there: its events tell whether they know by then.
void predecessor_passed(struct run *run, const struct mask *mask, const struct named_site *site);

// mbarrier_region.c: the address of an mbarrier, as the threads of `mask` have it, by the region of
// shared memory that it lies in, where that is one behind data of unknown size; else as it is. An
// initialisation makes the region.
const struct node *mbarrier_place(struct run *run, const struct mask *mask,
                                  const struct node *address, bool is_init);

// Nobody has initialised the mbarrier, and it may be one that somebody has, by another name of the
// place: the memory has regions of which nobody knows where they begin.
bool mbarrier_may_be_another(const struct run *run, const struct mbarrier *mbarrier);

// mbarrier_target.c
// The address goes to a call that nobody can read: what is there may be initialised, arrived at or
// waited for by it.
void mbarriers_hand(struct run *run, const struct node *address);

// mbarrier.c
bool mbarrier_execute(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value);
// Checks the token whose pending count is asked for.
void mbarrier_pending(struct run *run, struct group *group, const struct model_op *op,
                      ir_value value);
// Whether the group, which waits at an mbarrier, can go on now; completes the wait if so.
bool mbarrier_resume(struct run *run, struct group *group);
void mbarrier_deny(struct run *run, struct group *group); // its test comes back: it is not over
bool mbarrier_refuse(struct run *run); // denies a test once that could; false when there is none
void mbarrier_unobserved(struct run *run);                 // at the end of a run
void mbarrier_force(struct run *run, struct group *group); // ends its wait whatever holds it
void mbarrier_inflight(struct run *run); // at the end of a run: copies that nobody waits for
bool mbarrier_deliver(struct run *run);  // lands an asynchronous copy; false when none is under way
// When nobody can go on: ends a phase that only bytes nobody can count keep open, as copies of
// unknown size deliver what was announced. False when there is none.
bool mbarrier_deliver_rest(struct run *run);

// deadlock.c: nobody can go on and groups wait. Reports those that do so for a reason of their own.
void deadlock_report(struct run *run);

// lag.c: threads that wait by parity and that nothing keeps from being late.
void lag_init(struct run *run);
void lag_release(struct run *run);
// The threads have passed a wait by parity for the latest phase that has ended.
void lag_passed(struct run *run, const struct mbarrier *mbarrier, const struct mask *mask,
                const struct named_site *site);
// The phase ends, and what has been released at the mbarrier is what its arrivals know.
void lag_completes(struct run *run, const struct mbarrier *mbarrier, uint32_t phase);
// The threads execute an instruction of their warpgroup, whose warps do not get apart far then.
void lag_together(struct run *run, const struct mask *mask);
// They read shared memory.
void lag_reads(struct run *run, const struct mask *mask);
// They have started a copy, or completed bytes themselves, behind what they have done in shared
// memory, which that does not release: whoever waits for the bytes goes on behind their waits all
// the same.
void lag_sent(struct run *run, const struct mask *mask);
// The threads end.
void lag_exit(struct run *run, const struct mask *mask);
void lag_end(struct run *run); // at the end of a run

// premature.c: threads that arrive, and nothing keeps them from being early.
void premature_init(struct run *run);
void premature_release(struct run *run);
// The threads are about to arrive there.
void premature_arrive(struct run *run, const struct mbarrier *mbarrier, const struct mask *mask,
                      const struct named_site *site);
// Who waits for bytes knows how far their sender had come, and is taken not to know it, as copies
// release no stores: of who may be early nothing is said in this run.
void premature_doubt(struct run *run);
bool premature_doubtful(const struct run *run);
void premature_end(struct run *run); // at the end of a run

// announced.c: bytes that a thread announces, and others' arrivals that may come before.
void announced_init(struct run *run);
void announced_release(struct run *run);
// A thread announces so many bytes, and does not arrive by it.
void announced_add(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                   struct mbarrier *mbarrier, const struct node *bytes);
// The threads arrive, themselves or by what they have issued.
void announced_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask);
// One of the threads starts a copy of so many bytes.
void announced_copy(struct run *run, struct mbarrier *mbarrier, const struct mask *mask,
                    int64_t bytes);
void announced_over(struct run *run, struct mbarrier *mbarrier); // its phase is over
void announced_end(struct run *run);                             // at the end of a run

// transactions.c: bytes that are announced to an mbarrier, and those that arrive.
void transactions_announce(struct run *run, struct group *group, ir_value op,
                           const struct mask *mask, struct mbarrier *mbarrier,
                           const struct node *bytes);
// The bytes announced in the open phase of the mbarrier that each of the threads means, the most of
// them; -1 where nobody knows.
int64_t transactions_announced(const struct run *run, const struct mask *mask,
                               const struct node *address);
void transactions_copy(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                       struct mbarrier *mbarrier, int64_t bytes);
// The threads copy so many bytes, which may be known or not; NULL: nobody can say.
void transactions_owe_less(struct run *run, struct group *group, ir_value op,
                           const struct mask *mask, struct mbarrier *mbarrier,
                           const struct node *bytes);
// Whether what is announced for the open phase may be what is copied, for all that the run knows.
bool transactions_may_fit(struct run *run, const struct mbarrier *mbarrier);
// left.c: 1 where more than 0 is owed whatever the sizes are that it is made of, -1 where less is,
// 0 where neither is so.
int bytes_left(struct run *run, const struct node *owed);
// A phase with bytes that are no known numbers ends as if they had come: tells where they never do.
void transactions_settle(struct run *run, struct mbarrier *mbarrier);
// Threads of the mask that copy to the same bytes, where one of them should: tells of it.
void transactions_repeated(struct run *run, struct group *group, const struct model_op *op,
                           const struct mask *mask, struct mbarrier *mbarrier);
void transactions_track(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                        struct mbarrier *mbarrier, bool raises);
// Tells what the bytes of a phase break, where a reader should look; `traffic` is that of the phase
// they belong to. Returns the violations that are left to tell at the operation itself.
struct barlint_violations transactions_judge(struct run *run, struct mbarrier *mbarrier,
                                             const struct traffic *traffic,
                                             struct barlint_violations violations);
// A phase ends: whether any of the bytes that came in it had been announced.
void transactions_end(struct run *run, const struct mbarrier *mbarrier);
// Why a phase whose arrivals are all in does not end, or one that asynchronous arrivals leave open;
// BARLINT_VIOLATION_COUNT_ where it is not for its bytes or for them.
enum barlint_violation transactions_blame(const struct mbarrier *mbarrier);
// Where a reader should look for it.
const struct named_site *transactions_site(enum barlint_violation violation,
                                           const struct traffic *traffic);

// rooms.c: tensor copies of boxes that nobody knows, and the room that they have.
void rooms_init(struct run *run);
void rooms_release(struct run *run);
// The threads start such a copy, or another one of a size that nobody knows, which completes on the
// mbarrier.
void rooms_copied(struct run *run, struct group *group, const struct model_op *op,
                  const struct mask *mask, uint32_t mbarrier);
// The phase of the mbarrier is over.
void rooms_over(struct run *run, const struct mbarrier *mbarrier, uint32_t phase);
void rooms_end(struct run *run); // at the end of a run

// copies.c: asynchronous copies that a thread waits for itself.
void copies_init(struct run *run);
void copies_release(struct run *run);
void copies_end(struct run *run); // at the end of a run
// After all runs: a wait that none of them came to may be the one for copies that were left open.
void copies_settle(struct engine *engine);
void copies_execute(struct run *run, struct group *group, const struct model_op *op,
                    ir_value value);
// The threads pass what may be a wait for their copies.
void copies_unread(struct run *run, const struct mask *mask);
// The mbarrier (UINT32_MAX: one that is not followed) tracks what the threads have issued so far.
void copies_tracked(struct run *run, const struct mask *mask, uint32_t mbarrier);
// Memory of the grid is written, from which copies of the same threads may still read.
void copies_source_touched(struct run *run, struct group *group, const struct node *address,
                           uint32_t size);
// The group touches shared memory at the address.
void copies_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                    bool writes);

// butterflies.c: pairs of lanes that put together what they have.
// The threads have `own`, and have been given `other`, which is that of the lane whose number
// differs in the bit. `alike`: what they have is the same in all warps, lane by lane.
void butterfly_crossed(struct run *run, const struct mask *mask, const struct node *own,
                       const struct node *other, uint32_t bit, bool alike);
// What the operation has made of two values: `result`, or, where that is the same in all lanes of
// all warps, one value of the block.
const struct node *butterfly_joined(struct run *run, enum ir_op_code code, const struct node *a,
                                    const struct node *b, const struct node *result);

// votes.c: votes at barriers of the block.
void votes_cast(struct run *run, struct group *group, const struct model_op *op,
                const struct mask *mask, uint32_t block, uint32_t slot);
// What the group finds out behind the barrier.
const struct node *votes_result(struct run *run, const struct group *group,
                                const struct model_op *op);

// pipes.c: cuda::pipeline objects.
// Whether it is one of thread scope, whose stages are the thread's own groups of copies.
bool pipes_is_local(struct run *run, struct group *group, const struct model_op *op);
// How many of those groups the wait of the thread leaves open; INT64_MAX where it waits for none.
int64_t pipes_prior(struct run *run, struct group *group, const struct model_op *op,
                    uint32_t thread);
// False where the group waits.
bool pipes_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value);
// pipes_order.c
bool pipes_resume(struct run *run, struct group *group);
// Lets all groups go on that wait for a stage: nobody else can.
bool pipes_force(struct run *run);
void pipes_end(struct run *run); // at the end of a run

// named.c
bool named_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value);
bool named_resume(struct run *run, struct group *group);
void named_exit(struct run *run, struct group *group);
// The barrier that the group waits at.
uint32_t named_slot(struct run *run, struct group *group);
// Lets the wait of the group be over, to see what comes of it.
void named_force(struct run *run, struct group *group);

// named_stuck.c
// The live threads that this barrier has yet to see; `state` is that of the group's block.
const struct mask *named_lacks(struct run *run, const struct group *group, uint32_t slot,
                               const struct block_state *state);
// Reports the group, which waits for ever; `circle`: the named barriers, a bit each, at which it
// and others who wait for it wait, all of whom are `within`; 0 where nobody waits for it.
void named_stuck(struct run *run, const struct group *group, uint32_t slot,
                 const struct block_state *state, uint32_t circle, const struct mask *within);
void named_skipped(struct run *run, struct group *blocked, const struct mask *skipping,
                   const struct join *join);

// raised.c
// The threads ask their copies to arrive, by what raises the pending count first, at that time.
void raised_add(struct run *run, struct mbarrier *mbarrier, const struct mask *mask, uint32_t time,
                const struct named_site *site);
// The threads arrive, or let the phase be one for more bytes.
void raised_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask);
void raised_over(struct run *run, struct mbarrier *mbarrier); // the phase is over

// again.c
// The warps come to the slot: tells those that have only arrived there, in the generation before,
// and need not find it over.
void again_joins(struct run *run, uint32_t block, uint32_t slot, const struct named_site *site,
                 uint32_t warps);
// The warp has come, which began at that time; `only`: it does not wait.
void again_joined(struct run *run, uint32_t block, uint32_t slot, uint32_t warp, bool only,
                  uint32_t time, bool completed);
// Whether the warp knows that all who made up the slot's last generation have come to it.
bool again_is_over(const struct run *run, uint32_t block, uint32_t slot, uint32_t warp);

// cluster.c
bool cluster_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value);
bool cluster_resume(struct run *run, struct group *group);
// Threads stand at the cluster barrier that others, which parted from them at the join's condition,
// have passed by.
void cluster_skipped(struct run *run, const struct group *blocked, const struct mask *skipping,
                     const struct join *join);

// warp.c
bool warp_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value);
// Goes on where lanes that an election names no longer stand at a barrier.
bool warp_resume(struct run *run, struct group *group);
// What a vote of all lanes of the group's warps comes to.
const struct node *warp_voted(struct run *run, struct group *group, const struct model_op *op);
// Whether live lanes of a warp of the mask are not in it.
bool parts_warp(const struct run *run, const struct mask *mask);

// absent.c: the lanes within which a shuffle looks for its source, by how many they are; 0 where
// that is not known.
uint32_t shuffle_width(struct run *run, struct group *group, const struct model_op *op);
// Whether a shuffle reads from a lane that the block, as it is launched, does not have.
bool reads_absent_lane(struct run *run, struct group *group, const struct model_op *op,
                       ir_value value);
// Whether what stands for a shuffle's mask differs from lane to lane, where it comes to no other
// lane either: its arguments are those of the shuffles that had no mask.
bool lacks_mask(struct run *run, struct group *group, const struct model_op *op);
// Whether a shuffle goes on with what it reads from a lane that its mask does not name.
bool reads_unnamed_lane(struct run *run, struct group *group, const struct model_op *op,
                        ir_value value);

// meeting.c: the lanes of the warp that starts at thread `first` that are in the set.
uint32_t lanes_in(const struct run *run, const struct mask *mask, uint32_t first);
// The lanes that an operation of a warp names.
// Threads stand together again. Whoever is among them and was missed by an operation of the others'
// warp has passed it by. `over`: from there on they do nothing but leave the kernel.
void warps_met(struct run *run, const struct mask *together, bool over);
// Whether lanes that the operation names, in each of the group's warps, stand at a barrier and do
// not come to it before they may go on.
bool meeting_is_held_up(struct run *run, struct group *group, const struct model_op *op);
// The group executes an operation with a mask, or a collective of a tile within a warp.
void meeting_join(struct run *run, struct group *group, const struct model_op *op, ir_value value);
// The group exchanges values within a coalesced group: with members that have left the kernel,
// perhaps, who are not waited for and give nothing.
void meeting_reads(struct run *run, struct group *group, const struct model_op *op, ir_value value);
// By thread the lanes that it names there, where some are left out; NULL where none are, or nobody
// knows.
const uint32_t *meeting_named(struct run *run, struct group *group, const struct model_op *op);
// The threads have exited: they are named no longer.
void meeting_exit(struct run *run, const struct mask *mask);

// aligned.c: instructions of whole warps and warpgroups.
void aligned_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value);
// Where the instruction reads or writes a matrix, each of its rows is accessed as by one lane.
void aligned_touch(struct run *run, struct group *group, const struct model_op *op);
void aligned_exit(struct run *run, const struct mask *mask);

// groups.c: objects of cooperative groups.
void groups_init(struct run *run);
void groups_execute(struct run *run, struct group *group, const struct model_op *op,
                    ir_value value);
void groups_exit(struct run *run, const struct mask *mask);
// Whether the operation makes a group of which groups_execute() keeps, at its result, what it is.
bool groups_keeps(const struct model_op *op);
// The lanes of the coalesced group that the operation is about, NULL where nobody knows.
const struct node *groups_members(struct run *run, struct group *group, const struct model_op *op);
// How many threads the tile has that the operation is about, 0 where nobody knows.
int64_t groups_tile_size(struct run *run, struct group *group, const struct model_op *op);

// grid.c: barriers of the whole grid.
// Whether the grid can synchronise, as is_valid() says.
const struct node *grid_valid(struct run *run);
void grid_sync(struct run *run, const struct group *group, ir_value value);
// Whether a value may differ between the blocks of a grid.
bool grid_differs(struct run *run, const struct node *node);
void grid_end(struct run *run); // at the end of a run: compares it with earlier ones

// barrier.c: executes an operation the model knows. Returns false when the group now waits.
bool barrier_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value);
void barrier_exit(struct run *run, struct group *group);
// Ordinary code loads or stores `size` bytes at the address: barriers live there perhaps.
void memory_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                    bool writes);

// plain.c: executes an operation without a barrier: its value, and what it does to memory.
void plain_execute(struct run *run, struct group *group, const struct model_op *op, ir_value value);

void copy_note(struct run *run, struct group *group, const struct model_op *op, ir_value value);

// A fence of cluster scope by the threads: publishes what they initialised to other blocks, once a
// cluster barrier follows.
void mbarriers_publish(struct run *run, const struct mask *mask);

// Stores a result of an operation where its operand `address` points to.
void store_result(struct run *run, struct group *group, const struct mask *mask, ir_value address,
                  const struct node *node);

// The known operand of an operation in all threads of the mask.
const struct node *operand_of(struct run *run, struct group *group, ir_value operand);
// Whether only what the run assumes tells what the operand is.
bool operand_assumed(struct run *run, struct group *group, ir_value operand);
// The same for a field of the operation as the model reads it: what a reference refers to.
const struct node *operand_field(struct run *run, struct group *group, const struct model_op *op,
                                 const ir_value *field);
// The same where it tells which barrier is meant, or what comes of it: a choice that it is made by,
// `last ? 96 : 128`, is decided.
const struct node *operand_settled(struct run *run, struct group *group, const struct model_op *op,
                                   const ir_value *field);
void group_block(struct run *run, struct group *group, enum wait_kind wait, ir_value op);

#endif
