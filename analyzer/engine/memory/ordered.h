// Accesses to data, and whether barriers put them in order. Internal to the engine.
#ifndef BARLINT_ENGINE_ORDERED_H
#define BARLINT_ENGINE_ORDERED_H

#include "engine/barriers/machines.h"

// touch.c: ordinary accesses to shared memory, and what publishes them.
void touch_init(struct run *run);
// The threads have released: their stores so far are known to whoever acquires from them.
void touch_release(struct run *run, const struct mask *mask, bool to_cluster);
// The threads meet at a barrier of their warps: it tells them of each other's stores, and nobody
// else.
void touch_meet_warp(struct run *run, const struct mask *mask);
// The threads arrive at the cluster barrier by the relaxed form.
void touch_relaxed(struct run *run, const struct mask *mask);
// Whether nothing of the thread's own but such an arrival may have published what it stored then.
bool touch_only_relaxed(const struct run *run, uint32_t t, uint32_t time);
// The threads let their copies arrive there, by an operation that releases nothing else.
void touch_with_copies(struct run *run, const struct mask *mask, const struct named_site *site);
// That operation, where nothing else of the thread's own may have published what it stored then;
// else NULL.
const struct named_site *touch_only_with_copies(const struct run *run, uint32_t t, uint32_t time);
// The threads arrive at the mbarrier: what they stored and nothing has published is meant for those
// who wait there, unless a barrier of the block comes between. `event` is told so when they do.
void touch_arrive(struct run *run, struct mbarrier *mbarrier, const struct mask *mask,
                  uint32_t event);
// The wait of the threads for the mbarrier has passed.
void touch_wait(struct run *run, struct mbarrier *mbarrier, const struct mask *mask);

void touch_data(struct run *run, const struct mask *mask, enum touch touch);

// unread.c: relaxed arrivals, and whether those who wait for them come to what was stored before.
void unread_init(struct run *run);
void unread_release(struct run *run);
// The threads store there; those of `before` had stored since they last released.
void unread_stored(struct run *run, const struct mask *mask, const struct mask *before,
                   uint32_t object, int64_t low, int64_t high);
// The thread arrives by the relaxed form: the number of what its warp has stored then, from 1 on.
uint32_t unread_arrived(struct run *run, uint32_t thread);
// The threads have passed a wait for what was stored at that arrival, which `event` is told of as
// soon as they come there.
void unread_waited(struct run *run, const struct mbarrier *mbarrier, uint32_t event, uint32_t place,
                   const struct mask *waiters);
bool unread_any(const struct run *run); // whether there are such
// The threads touch those bytes, or nobody knows which: UINT32_MAX.
void unread_touched(struct run *run, const struct mask *mask, uint32_t object, int64_t low,
                    int64_t high);
// They release, and others may learn of that wait by it.
void unread_told(struct run *run, const struct mask *mask);
// All threads of the block have met: those who had arrived have released by that.
void unread_met(struct run *run, uint32_t block);

// Whether the thread touches some of the bytes [low, high), which are not none; each touches `size`
// of them at its offset, a known number.
static inline bool touches(const struct node *offset, int64_t size, uint32_t thread, int64_t low,
                           int64_t high)
{
    int64_t at = 0;
    return node_lane(offset, thread, &at) && low < at + size && at < high;
}

// The first of the mask's threads [from, to) that does so; `to` where none does.
static inline uint32_t next_toucher(const struct mask_pool *pool, const struct mask *mask,
                                    const struct node *offset, int64_t size, int64_t low,
                                    int64_t high, uint32_t from, uint32_t to)
{
    for (uint32_t t = mask_next(pool, mask, from); t < to; t = mask_next(pool, mask, t + 1)) {
        if (touches(offset, size, t, low, high))
            return t;
    }
    return to;
}

// by_place.c: the same, asked for many times. Good until others are asked for.
struct by_place;
const struct by_place *by_place_of(struct run *run, const struct mask *mask,
                                   const struct node *offset, int64_t size);
uint32_t by_place_next(const struct by_place *place, int64_t low, int64_t high, uint32_t from,
                       uint32_t to);

// pieces.c: bytes of shared memory that the threads of a group touch at once.
struct piece_of_memory {
    uint32_t object;
    const struct mask *mask;
    const struct node *offset; // known numbers
    int64_t size;              // bytes, each thread
    int64_t low, high;         // all of them
    const struct arms *arms;   // conditions it stands under, bounds of what threads work on
};

// `size` bytes at the address in each thread of the mask, which are of the group. False where the
// place is not known, or not one of the block's own shared memory.
bool piece_of(struct run *run, const struct group *group, const struct mask *mask,
              const struct node *address, int64_t size, struct piece_of_memory *out);
// How a report names it: record_object() of the variable, or of the member that it begins in.
uint32_t piece_object(struct run *run, const struct piece_of_memory *piece);
// The first threads from `*a` and `*b` on, of one block, whose bytes of the one and of the other
// overlap.
bool pieces_meet(struct run *run, const struct piece_of_memory *one,
                 const struct piece_of_memory *other, uint32_t *a, uint32_t *b);

// loads.c: asynchronous copies into shared memory that a barrier tells of.
void loads_init(struct run *run);
void loads_release(struct run *run);
// The threads of the mask, which are of the group, start a copy of so many bytes to the address,
// which completes on the mbarrier.
void loads_start(struct run *run, const struct group *group, const struct mask *mask,
                 const struct node *address, int64_t bytes, uint32_t mbarrier);
// The same copies read there, in the shared memory of their own block, until they complete.
void loads_sent(struct run *run, const struct group *group, const struct mask *mask,
                const struct node *from, int64_t bytes, uint32_t mbarrier);
// The same of copies that the mbarrier tracks, which `site` started.
void loads_tracked(struct run *run, const struct piece_of_memory *piece,
                   const struct named_site *site, uint32_t mbarrier);
// A phase of the mbarrier completes at the time of orders.h.
void loads_landed(struct run *run, uint32_t mbarrier, uint32_t time);
// The same of a stage of a pipeline: `pipe` is its number. `over`: somebody has waited for it,
// going on without it.
void loads_fill(struct run *run, const struct group *group, const struct mask *mask,
                const struct node *address, int64_t bytes, uint32_t pipe, uint32_t stage,
                bool over);
void loads_filled(struct run *run, uint32_t pipe, uint32_t stage); // somebody has waited for it
// The group reads shared memory at the address, or writes it.
void loads_touched(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size, bool writes);

// descriptors.c: where the matrix begins that a descriptor is of; NULL where it is not known.
const struct node *descriptor_address(struct node_pool *pool, const struct node *descriptor);

// stores.c: bulk stores from shared memory, and multiplications of matrices that lie there.
void stores_init(struct run *run);
void stores_release(struct run *run);
void stores_end(struct run *run); // at the end of a run
// Whether the thread has waited until all its bulk stores had read their sources, but not until
// they were complete.
bool stores_in_flight(const struct run *run, uint32_t thread);
void stores_execute(struct run *run, struct group *group, const struct model_op *op,
                    ir_value value);
// Ordinary code writes to shared memory.
void stores_touched(struct run *run, struct group *group, const struct node *address,
                    uint32_t size);
// Each thread of the group copies to shared memory.
void stores_copied_over(struct run *run, struct group *group, const struct node *address,
                        int64_t size);

// races.c: of which block of a cluster the shared memory is followed.
uint32_t races_block(const struct run *run);
// races.c: plain accesses to shared memory that nothing orders.
void races_init(struct run *run);
void races_release(struct run *run);
// Threads have gone past where they should have waited for others: nothing more is told.
void races_lose(struct run *run);
// Whether one of the threads has accessed shared memory and released nothing since.
bool races_unreleased(const struct run *run, const struct mask *mask);
// Of what a group copies any of its threads may copy any byte, and how much is copied may not be
// known: the bytes in front stand for all.
enum { COPY_FRONT = 16 };
// ADD: atomically. COPY: asynchronously, of which nobody is told but who waits for it.
// FETCH: an asynchronous read, which what comes behind it is compared with elsewhere (stores.c).
enum race_access { RACE_READ, RACE_WRITE, RACE_ADD, RACE_COPY, RACE_FETCH };
// `where` is the operation that computes the address, or IR_NONE.
void races_touched(struct run *run, struct group *group, const struct node *address, ir_value where,
                   uint32_t size, enum race_access kind);

// written.c: which bytes of shared memory have been stored to.
void written_init(struct run *run);
void written_release(struct run *run);
// Threads store so many bytes there, or where that is negative nobody knows how many.
void written_note(struct run *run, const struct mask *mask, const struct node *address,
                  int64_t size);
// The same of an operation that computes the address at `where`, or IR_NONE.
void written_at(struct run *run, struct group *group, const struct node *address, ir_value where,
                int64_t size);

// spoken.c: the threads arrive at an mbarrier, which tells others what they have done.
void spoken_init(struct run *run);
void spoken_arrive(struct run *run, const struct mask *mask, const struct named_site *site);

// abandoned.c: elements of shared memory that threads which have left the kernel should have
// stored.
void abandoned_init(struct run *run);
// The group reads or writes so many bytes there, by whatever operation.
void abandoned_touched(struct run *run, struct group *group, const struct node *address,
                       uint32_t size, bool writes);
// Threads pass a barrier of the whole block that others have left the kernel before.
void abandoned_barrier(struct run *run, const struct named_site *site);

// within.c: conditions that nobody has decided and that accesses stand under.
// The condition as the program has it: that of a passed loop stands in an expression of its own.
const struct node *arms_condition(const struct arms *arms);
// Whether all of them are bounds of what threads work on, or compare two words of the object, which
// an access goes to; where threads `count` or gather what they find, conditions on data hold
// somewhere as well.
bool within_bounds(struct run *run, const struct arms *arms, uint32_t object, bool counts);
// Whether all of them are bounds or ask each thread's own data, outside loops that data decide:
// some threads find what they look for, and then read.
bool within_found(struct run *run, const struct arms *arms);
// Whether the conditions ask nothing but the numbers of threads and what lies in the memory of the
// device: what is there does not hang on who has come how far.
bool within_brought(struct run *run, const struct arms *arms);
// Whether the thread may be there where the value, the same for all threads, is that number.
bool within_allows(struct run *run, const struct arms *arms, uint32_t thread,
                   const struct node *value, int64_t number);
// Whether thread `a` may be under the one and thread `b` under the other in one launch; `ordinary`:
// where a size is large enough. `needs` (or NULL) gets what that takes, in words of the result's
// arena, or NULL where it takes nothing.
bool within_both(struct run *run, const struct arms *early, uint32_t a, const struct arms *late,
                 uint32_t b, bool *ordinary, const char **needs);

// handed.c: shared memory that warps hand each other by a word that they wait for. Nothing is noted
// in kernels that do not poll.
void handed_init(struct run *run);
void handed_end(struct run *run); // at the end of a run
// The group reads or writes so many bytes there.
void handed_touched(struct run *run, const struct group *group, const struct node *address,
                    uint32_t size, bool writes);
// Whether a loop of the function, or of one that has called it, goes on until what the group is at
// has brought what it waits for.
bool handed_is_polled(struct run *run, const struct group *group);
// The group reads a word there that others may change meanwhile. Returns whether it goes round a
// loop for that.
bool handed_asked(struct run *run, const struct group *group, const struct node *address,
                  uint32_t size);
// The group writes such a word.
void handed_told(struct run *run, const struct group *group, const struct node *address,
                 uint32_t size);

// announce.c: data in global memory that one thread tells other blocks of.
void announce_init(struct run *run);
void announce_fenced(struct run *run, const struct group *group); // a fence of the device
// What a write to global memory may be for.
enum announcement {
    ANNOUNCE_DATA,
    ANNOUNCE_WORD,    // an atomic operation or a volatile store: others are told something perhaps
    ANNOUNCE_RELEASE, // the same with all that came before it, for the device
};
void announce_wrote(struct run *run, const struct group *group, enum announcement kind);
static inline enum announcement atomic_announces(const struct model_op *op)
{
    return model_releases(op) ? ANNOUNCE_RELEASE : ANNOUNCE_WORD;
}

// work_ticket.c: whether the number that the atomic operation gives says which work comes next.
bool is_work_ticket(const struct ir_function *function, ir_value value, struct arena *arena);

// early.c: reads of data that are not there yet.
void early_init(struct run *run);
void early_release(struct run *run);
// The thread's wait at the mbarrier has passed; `over`: for the phase before the first.
void early_waited(struct run *run, uint32_t mbarrier, uint32_t thread, bool over,
                  const struct named_site *site);
// The group reads or writes shared memory at the address.
void early_touched(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size, bool writes);
// The group writes so many bytes (-1: not known) there, or has them written by a copy.
void early_written(struct run *run, const struct group *group, const struct node *address,
                   int64_t bytes);
// The group starts a copy of so many bytes (-1: not known) there, which completes on the mbarrier.
void early_copied(struct run *run, const struct group *group, const struct node *address,
                  int64_t bytes, uint32_t mbarrier);
// The threads arrive at the mbarrier, before its machine has seen it.
void early_arrived(struct run *run, const struct mask *mask, uint32_t mbarrier);

// pulled.c: what blocks of a cluster read from each other's shared memory behind an mbarrier.
void pulled_init(struct run *run);
// The group stores to shared memory of its own blocks.
void pulled_stored(struct run *run, const struct group *group, const struct node *address,
                   uint32_t size);
// The threads arrive at the mbarrier, perhaps that of another block, which `event` is told of when
// that block reads what they have stored.
void pulled_arrived(struct run *run, const struct mask *mask, uint32_t mbarrier, bool to_cluster,
                    uint32_t event);
// The threads release or acquire for the cluster, by a fence or an arrival.
void pulled_released(struct run *run, const struct mask *mask);
void pulled_met(struct run *run, const struct mask *mask); // they pass the cluster barrier
// The threads are about to wait at an mbarrier, by a wait of cluster scope or not; they have
// passed.
void pulled_waits(struct run *run, const struct mask *mask, bool of_cluster);
void pulled_waited(struct run *run, uint32_t mbarrier, const struct mask *mask);
// The readers, which are of the group, load so many bytes from the owner's shared memory.
void pulled_read(struct run *run, const struct group *group, const struct node *address,
                 uint32_t size, uint32_t owner, const struct mask *readers);

// peers.c: shared memory of other blocks of the cluster.
// The threads arrive at the mbarrier, before its machine has seen it.
void peers_arrive(struct run *run, const struct group *group, ir_value value, uint32_t index,
                  const struct mask *mask);
// The group loads or stores so many bytes of other blocks there, 0: an unknown number.
void peers_access(struct run *run, const struct group *group, ir_value value,
                  const struct node *address, uint32_t bytes, bool stores);
// An atomic operation of the group on so many bytes of other blocks: it loads and stores.
void peers_update(struct run *run, const struct group *group, ir_value value,
                  const struct node *address, uint32_t bytes);
// The group loads so many bytes of its own blocks.
void peers_read(struct run *run, const struct group *group, ir_value value,
                const struct node *address, uint32_t size);
// One of the threads of the block has released what they did, for the cluster.
void peers_released(struct run *run, const struct mask *block);

// Tells of a relaxed arrival at `site`: the readers, at `where`, may not see what the writers have
// written before it.
void peers_tell(struct run *run, const struct named_site *site, const struct mask *writers,
                const struct mask *readers, struct ir_loc where);
// The threads have passed a wait at the mbarrier.
void peers_wait(struct run *run, uint32_t index, const struct mask *mask);
// The threads arrive at the cluster barrier, before its machine has seen it.
void peers_sync(struct run *run, const struct mask *mask);
// The threads end, before its machine has seen it.
void peers_exit(struct run *run, const struct mask *mask);
// The threads have passed a wait there.
void peers_synced(struct run *run, const struct mask *mask);
// The group has arrived at the cluster barrier without releasing what was written before.
void peers_relaxed(struct run *run, const struct group *group, ir_value value);
// Where the data of an asynchronous operation go and where it completes must fit together.
void peers_target(struct run *run, struct group *group, const struct model_op *op, ir_value value);
void peers_end(struct run *run); // at the end of a run

#endif
