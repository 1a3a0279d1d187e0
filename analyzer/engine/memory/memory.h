// What memory holds in a run. Internal to the engine.
#ifndef BARLINT_ENGINE_MEMORY_H
#define BARLINT_ENGINE_MEMORY_H

#include "engine/run.h"

// memory.c
uint32_t object_new(struct run *run, enum object_kind kind, enum ir_space space, ir_type_id type,
                    const char *name, struct ir_loc loc, uint64_t align);
// The object that the address, of whatever memory, is of.
uint32_t memory_object(struct run *run, const struct node *address);
// What the type promises about a value of it that the function is given. A pointer leads somewhere
// in a kernel; on the host, which may choose the kernel by it, it may as well be null.
void type_range(const struct run *run, ir_type_id id, int64_t *low, int64_t *high);
const struct node *memory_load(struct run *run, const struct mask *mask, const struct node *address,
                               ir_type_id type, bool fresh);
// The integer of `bits` bits that many bytes behind an address, as far as decisions tell; NULL
// where it is none that the unit knows.
const struct node *memory_word(struct run *run, const struct mask *mask, const struct node *base,
                               int64_t offset, uint32_t bits);
void memory_store(struct run *run, const struct mask *mask, const struct node *address,
                  uint32_t size, const struct node *value, const struct arms *arms);
void memory_copy(struct run *run, const struct mask *mask, const struct node *to,
                 const struct node *from, int64_t size, const struct arms *arms);
void memory_zero(struct run *run, const struct mask *mask, const struct node *address, int64_t size,
                 const struct arms *arms);
// Forgets what the object at the address holds in these threads.
void memory_forget(struct run *run, const struct mask *mask, const struct node *address);
// Unknown data is written from `address` on: `size` bytes, or -1 where nobody knows how many;
// `copied`: by an asynchronous copy.
void memory_overwrite(struct run *run, const struct mask *mask, const struct node *address,
                      int64_t size, bool copied);
// The same by a copy of no more than `most` bytes, or -1: what the kernel has stored itself stays
// from the next array or member on.
void memory_fill(struct run *run, const struct mask *mask, const struct node *address,
                 int64_t most);

// outside.c: memory that is no variable, of which `address` says only from which pointer it starts.
const struct node *outside_load(struct run *run, const struct node *address, uint32_t size);
// `value`: NULL where not all of the threads that may store do.
void outside_store(struct run *run, const struct mask *mask, const struct node *address,
                   uint32_t size, const struct node *value);
void outside_forget(struct run *run, const struct node *address);
void memory_undefine(struct run *run, const struct mask *mask, uint32_t object);
// The type by which the bytes at the offset are called: that of the record that the kernel casts
// the object to, where they are in one.
ir_type_id object_type_at(const struct ir_unit *unit, const struct object *object, int64_t offset);
// Where the member of a record begins that the offset into an object is in, 0 where it is no
// record.
int64_t object_member(const struct ir_unit *unit, const struct object *object, int64_t offset);
// "buf[2].full" for an offset into an object.
const char *object_path(struct arena *arena, const struct ir_unit *unit,
                        const struct object *object, int64_t offset);
// What a place holds that has been given `value` under the condition of the arms, for the threads
// of the mask: that or what was there before; or what further rounds of a loop have made of it.
const struct node *stored_under(struct run *run, const struct arms *arms, const struct mask *mask,
                                const struct node *value, const struct node *old);
const struct node *run_fresh(struct run *run, const char *name, enum node_shape shape, int64_t low,
                             int64_t high);
// The same for what lanes of a warp have exchanged.
const struct node *run_exchanged(struct run *run, const char *name, enum node_shape shape,
                                 int64_t low, int64_t high);
bool node_is_exchanged(const struct node *node);
// The same for what differs from lane to lane and not from warp to warp.
const struct node *run_by_lane(struct run *run, const char *name, int64_t low, int64_t high);
bool node_is_by_lane(const struct node *node);
// The same for what so many neighbours, no more than a warp has, are all given; how many those are,
// 0 for another value.
const struct node *run_by_tile(struct run *run, const char *name, enum node_shape shape,
                               uint32_t tile, int64_t low, int64_t high);
uint32_t node_tile(const struct node *node);
// The same for what is one number in a block and may be another one in other blocks.
const struct node *run_of_block(struct run *run, const char *name, int64_t low, int64_t high);
bool node_is_of_block(const struct node *node);

// carved.c: notes where the function has arrays begin in dynamic shared memory, so many bytes
// behind its start: what it has cast to a pointer of its own.
void carved_find(struct engine *engine, ir_function_id id);
// Where the next one begins behind an array that begins there; INT64_MAX where none does, or none
// begins there.
int64_t carved_end(const struct engine *engine, int64_t begin);
// Where the first one begins behind that place; INT64_MAX where none does.
int64_t carved_behind(const struct engine *engine, int64_t begin);

// polls.c: whether a loop of the function ends by what another thread writes.
bool polls_in(struct engine *engine, ir_function_id id);
// Whether a loop around the block ends by what that load yields.
bool polls_with(struct engine *engine, ir_function_id id, ir_block_id block, ir_value load);

#endif
