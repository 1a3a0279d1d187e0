// What races.c, races_told.c, behind.c, carved.c, scatter.c, sized.c and tiles.c share: accesses to
// shared memory that nothing has ordered yet.
#ifndef BARLINT_ENGINE_RACES_INTERNAL_H
#define BARLINT_ENGINE_RACES_INTERNAL_H

#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"

struct owners {
    uint16_t thread[3]; // counted from 1; 0: none. The second is of another warp, the third a lane
                        // of the first one's
};

// The owners of an access' elements, by the element's number.
struct owner_table {
    uint32_t *element; // by slot: the element that it is about and one more, 0 for none; NULL: each
                       // element has a slot
    struct owners *owners;
    uint32_t slots; // else: a power of two
};

// The array that an access goes into: the address that is indexed, and the member of what is there.
struct array {
    const struct node *base; // NULL where it is not known
    int64_t member;
    int64_t part;             // bytes of the part of it that the last index goes into; 0: all of it
    const struct node *begin; // where that part begins
    int64_t length;           // bytes of the member of a record that the last index goes into, or 0
    const struct node *first; // where that member begins
    int64_t width; // elements of a row, of an index spelled as row * width + column, or 0
    const struct node *column; // that column
};

// Which places data choose for a thread: its offset plus a multiple of `step` bytes.
struct choice {
    int64_t step;      // 0: no data choose
    int64_t low, high; // bytes from the offset
    struct array array;
    const struct node *data;    // the same data lead a thread to the same place
    const struct node *divided; // no data but a size chooses, by which each thread's number is
                                // divided; else NULL
};

// A loop of which one round is looked at, where its counter is the element that is read.
struct counter {
    const struct arms *loop; // NULL: there is none
    int64_t element;         // bytes from one number to the next
    int64_t step;            // numbers from one round to the next
};

struct access {
    uint32_t object;
    const struct mask *mask;   // threads that go to memory of the followed block
    const struct node *form;   // what is not known of the offset and the same for all, or NULL
    const struct node *offset; // known numbers, beside that
    const struct node *asked;  // the offset as it was before the run decided anything of it
    struct choice choice;
    struct counter counter;
    int64_t size;          // bytes, each thread
    int64_t low, high;     // all of them
    uint32_t shift;        // one of the owners' elements is of 1 << shift bytes
    const struct owner_table *owners; // of the bytes from low on; NULL as long as nobody asked
    uint32_t time;         // orders_time() then
    struct named_site site;
    ir_block_id block; // that the operation is in
    enum race_access kind;
    const struct arms *arms; // conditions that are not decided
    bool is_volatile;
    bool in_grid; // in memory of the grid, not shared memory
    bool alike;   // stores a value that is the same in all threads
    uint8_t row;  // else: in those that have these coordinates in common, bit 0 for x; or 0
    bool joined;  // the other arm of a branch stores there as well
    bool found;   // only threads make it that find what they look for in data
};

// Two threads that touch the same bytes.
struct pair {
    uint32_t early, late;
    bool ordinary; // under ordinary bounds, or under none
    uint32_t rank; // 0: none found yet
    bool lanes;    // of a block of unknown size: two lanes of one warp touch the same bytes as well
};

// races.c: whether a thread of each may touch the same place without order between them; true ends
// the search for a better pair.
bool races_pair_up(struct run *run, const struct access *early, const struct access *late,
                   uint32_t owner, uint32_t thread, struct pair *pair);

// Whether nothing but a relaxed arrival at the cluster barrier lies between a store of thread `a`
// and what thread `b` of another warp of the block reads: that orders the threads, not the memory.
bool races_relaxed(const struct run *run, const struct access *early, const struct access *late,
                   uint32_t a, uint32_t b);
// Where thread `a` has let its copies arrive, if that alone lies between a store of its own and
// what thread `b` of another warp reads: it says that the copies have come, and nothing of stores.
const struct named_site *races_with_copies(const struct run *run, const struct access *early,
                                           const struct access *late, uint32_t a, uint32_t b);
// The accesses that are remembered, an stb_ds array.
const struct access *races_all(const struct run *run);

// owners.c: the owners of the access, whose place is known, and those of one of its elements.
const struct owner_table *owners_of(struct run *run, const struct access *access);
const struct owners *owners_at(const struct owner_table *table, uint32_t element);

// races_told.c: records that the two race, as the pair's threads show. `by_data`: data, or a size,
// say whether they meet.
void races_tell(struct run *run, const struct access *early, const struct access *late,
                const struct pair *pair, bool by_data);

// steps.c: whether lanes read before they write in one piece of code, as in x[i] += x[i + 16], or
// by a helper that this piece of code calls: they go through it together on today's devices.
bool races_one_step(const struct run *run, const struct access *early, const struct access *late);
// Whether what a volatile load takes may be for a sum that goes back to memory: the steps of a
// reduction store volatile as well. A value that is not stored there again is a result of its own.
bool races_stored_again(const struct run *run, const struct access *load);
// Whether the access stores a number that the sources say, as the initial value of a counter, and
// which where it is `plain`: not worked out from others.
bool races_store_constant(const struct run *run, const struct access *access, int64_t *number,
                          bool *plain);
// The innermost place in the call tree that both stand in.
uint32_t races_around(const struct run *run, const struct access *early, const struct access *late);
// Whether a loop goes round both. Where none does, either of them before the other is one mistake.
bool races_share_loop(const struct run *run, const struct access *early, const struct access *late);

// spoken.c: where another thread, `speaker`, that had made the early access as thread `a` had has
// arrived since at an mbarrier that thread `b` knows of; NULL: nobody has, or thread `a` has
// itself. `for_warp`: it is a lane of the warp of `a`, and speaks for no other warp.
const struct named_site *spoken_for(struct run *run, const struct access *early, uint32_t a,
                                    uint32_t b, uint32_t *speaker, bool *for_warp);

// carved.c: whether both index the same array, and threads meet there in blocks of two warps, too;
// or in those of four, and not because two arrays lie side by side, of which the reader has its
// element of either. `all` are the accesses so far.
bool carved_are_one(const struct access *all, const struct access *early, const struct access *late,
                    const struct pair *pair);

// written.c: whether the access goes to all of the variable, of one row of it or of an array in a
// record, or to as much of that as has ever been stored to.
bool written_is_all(const struct run *run, const struct access *access);

// tiles.c: where what is not known of the place is how full tiles are, looks at the access as one
// that is made in full ones: its place is known then, and its arms say so.
void tiles_fill(struct run *run, struct access *access);
// The arms of an access of these threads, with one more condition.
const struct arms *arms_with(struct run *run, const struct arms *arms, const struct mask *mask,
                             const struct node *condition);

// sized.c: whether a size may lead one of the accesses to what a thread of another warp has in the
// other one, where the threads have places of their own. What the size has to be is added to its
// arms then.
bool sized_meet(struct run *run, struct access *early, struct access *late, struct pair *pair);
// The same of an element that a loop up to a size comes to in some round.
bool sized_meet_later(struct run *run, struct access *early, struct access *late,
                      struct pair *pair);
// The loop that counts up the element to which `where` computes the address.
struct counter sized_counter(struct run *run, const struct group *group, ir_value where);
// The bytes in elements of that size; NULL where they may be parts of one.
const struct node *sized_number(struct run *run, const struct node *bytes, int64_t size);
// The arms of the access, and that the number is that element.
const struct arms *sized_arms(struct run *run, const struct access *access,
                              const struct node *number, int64_t element);

// scatter.c: the array that the group's operation indexes to come to the address.
struct array scatter_array(struct run *run, struct group *group, ir_value address);
// behind.c: the elements of a row, where the index of the element, which threads store to, is
// spelled as row * width + column, and that column; else 0.
int64_t behind_width(struct run *run, struct group *group, ir_value element,
                     const struct node **column);
// The threads of the access that stay within the variable, and within the member of a record or the
// row which they index: what is said of the others holds for no correct size.
const struct mask *behind_none(struct run *run, const struct access *access);
// Splits an offset into known numbers, what is the same for all threads and what data choose; false
// where something else is in it. Threads for which it is not known are taken out of the mask.
bool scatter_split(struct run *run, const struct node *offset, struct access *out);
// Whether a thread goes beyond its part of the array, which a program that is right never does:
// what the run assumes is too much then.
bool scatter_leaves(struct run *run, const struct access *access);
// Whether several threads go to one place in front of the array that they index: no program that is
// right stores there, and what the run assumes is too much then.
bool scatter_is_in_front(struct run *run, const struct access *access);
// Says how far the data reach, once all else of the access is known.
void scatter_reach(struct run *run, struct access *access);
// Whether threads of the one have an element each of a whole variable, and several warps come to
// one of these in the other, which is the same for all but not known: whichever it is, two warps
// meet.
bool scatter_meet_anywhere(struct run *run, const struct access *early, const struct access *late,
                           struct pair *pair);
// Whether data may bring a thread of one of them to where a thread of the other goes.
bool scatter_meet(struct run *run, const struct access *early, const struct access *late,
                  struct pair *pair);

#endif
