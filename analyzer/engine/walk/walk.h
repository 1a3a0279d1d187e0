// How groups of threads go through the code: frames, branches, joins and calls, the launches that
// the host makes, and which run comes next. Internal to the engine.
#ifndef BARLINT_ENGINE_WALK_H
#define BARLINT_ENGINE_WALK_H

#include "engine/run.h"
#include "engine/walk/facts.h"

// deeds.c: what threads do to barriers and to shared memory, with which values, and what they did
// before. A run that does nothing that no earlier one did is unlikely to show anything new.
void deeds_event(struct run *run, struct group *group, const struct mask *mask, uint64_t event);
void deeds_value(struct run *run, const struct node *value); // of the latest event
void deeds_access(struct run *run, const struct group *group, ir_value where,
                  const struct node *offset, bool writes);
void deeds_exit(struct run *run, const struct group *group);
void deeds_incident(struct run *run, uint64_t incident);
bool deeds_add(struct deeds *deeds, uint64_t deed); // whether it is new

// registers.c
void registers_find(const struct ir_unit *unit, const struct ir_function *function,
                    const struct cfg *cfg, struct registers *out, struct arena *arena);
const struct node *register_load(struct run *run, struct group *group, uint32_t number);
void register_store(struct run *run, struct group *group, uint32_t number,
                    const struct node *value);
// rounds.c: whether the loop that the group's block decides about has been gone round often enough,
// as nothing in it touches a barrier.
bool rounds_are_enough(const struct run *run, const struct group *group, uint32_t rounds);

// counted.c: makes of what a passed loop, which begins there, counts up a number that nobody knows.
void counted_widen(struct run *run, struct group *group, ir_block_id head);
// Two groups that stand at the same place become one: what they have in registers becomes pieces.
void registers_merge(struct run *run, struct group *into, const struct group *from);

// frames.c
static inline const struct ir_function *frame_function(const struct run *run,
                                                       const struct frame *frame)
{
    return &run->engine->unit->function[frame->function];
}
struct frame *frame_copy(struct run *run, struct group *group);
// The group's frame, a copy when shared.
static inline struct frame *frame_own(struct run *run, struct group *group)
{
    return group->frame->shared ? frame_copy(run, group) : group->frame;
}
void frame_push(struct run *run, struct group *group, ir_function_id function, ir_value call,
                const struct node *const *argument, uint32_t count);
void frame_pop(struct run *run, struct group *group);
struct group *group_new(struct run *run, const struct mask *mask);
// Takes the threads of `mask` out of the group into one of their own at the same place, which is a
// further member of the group's join.
struct group *group_fork(struct run *run, struct group *group, const struct mask *mask);
// The value an operation of the top frame yields.
static inline void group_set(struct run *run, struct group *group, ir_value value,
                             const struct node *node)
{
    const struct function_facts *facts = facts_of(run->engine, group->frame->function);
    frame_own(run, group)->value[facts->slot[value]] = node;
}
const struct node *group_get(struct run *run, struct group *group, ir_value value);

// alike.c: whether the text alone says that all threads that come to the store or copy together,
// in the frame, store the same there; asked of those that have the coordinates `among` in common,
// bit 0 for x.
bool alike_stored(struct run *run, const struct frame *frame, const struct ir_op *op,
                  unsigned among);

// joins.c
// Whether threads in that frame that come to the block (IR_NONE: to their function's end), or there
// `behind` an operation of it (or IR_NONE), have nothing left to do but to leave the kernel.
bool frame_is_over(struct run *run, const struct frame *frame, ir_block_id block, ir_value behind);
// The group is where it is now: it stays if others are to meet it there.
void join_arrive(struct run *run, struct group *group);
// When no group can go on: lets the groups parked at one join pass without the others. Returns
// false when nobody is parked.
bool join_release(struct run *run);
// Leaves the threads of `yes` in the group and returns a group of the others at the same place.
// The two meet behind the branch `op`, which asked for the value `asked`.
struct group *join_part(struct run *run, struct group *group, const struct mask *yes,
                        const struct ir_op *op, const struct node *asked, bool is_loop);
void group_exit(struct run *run, struct group *group);

// branch.c
void group_goto(struct run *run, struct group *group, ir_block_id block);
void group_branch(struct run *run, struct group *group, const struct ir_op *op);
void group_switch(struct run *run, struct group *group, const struct ir_op *op);
void group_return(struct run *run, struct group *group, const struct node *value);
// The rest of a return, once everybody who was to come has come.
void group_finish_return(struct run *run, struct group *group);

// loop_ends.c
// Whether the condition at the end of the group's block decides if its loop goes on, and which way
// leaves it.
bool loop_exit(const struct run *run, const struct group *group, const struct ir_op *op,
               ir_block_id *inside, ir_block_id *outside);
// Where the loop of the group's block ends when all its rounds are over, rather than by a break
// that does something; the block itself where nothing tells.
ir_block_id end_of_loop(struct run *run, const struct group *group);
// Whether a launch can come of what the host function does from the block on.
bool leads_to_launch(const struct engine *engine, const struct ir_function *function,
                     const struct cfg *cfg, ir_block_id from, struct arena *arena);
// Whether the host, where it leaves its loop for `outside`, launches nothing any more, but does
// where the loop ends otherwise: it checks for errors in each round.
bool host_gives_up(struct run *run, const struct group *group, ir_block_id outside);

// exec.c
void group_step(struct run *run, struct group *group); // until it blocks, parks or is done
// What a lazy operation (facts_is_lazy()) yields.
const struct node *lazy_value(struct run *run, struct group *group, const struct ir_op *op,
                              ir_value value);

// accesses.c: all that follows from an access of `size` bytes, by each thread of the group. `where`
// is the operation that computes the address; `tells`: others find out by it how far the threads
// are.
void access_touched(struct run *run, struct group *group, const struct node *address,
                    ir_value where, uint32_t size, bool writes, bool tells);
// The bytes are written or read as plain data: an mbarrier that lies there is told of.
void barrier_touched(struct run *run, struct group *group, const struct node *address,
                     uint32_t size);

// By function of the unit, what a run of a host function has to know of its calls.
struct host_calls {
    const bool *launchers; // a launch may come of a call of it
    bool *launched;        // it has come to a launch of its own: set by the run
    const bool *passed;    // a call of it is not followed; NULL: all are
    // Whose numbers are what the function that is run is given; NULL: it may be given anything.
    const struct engine_shape *given;
    // So many of the shapes found are what callers make of the function's launches: what it makes
    // of them by itself is no more than that.
    ptrdiff_t told;
};

// explore.c: runs a host function with one thread and adds the launches it reaches. Returns how
// many operations that took.
uint64_t engine_run_host(struct engine_shapes *found, struct engine_unit *unit, ir_function_id host,
                         const struct host_calls *calls);

// calls.c
// For each quantity of the call a number that it is a multiple of, whatever is in it: 32 of
// 32 * rows; 0: it is zero. `step` has room for ENGINE_QUANTITIES, the first being 0.
void call_steps(const struct engine_call *call, int64_t *step);
// What both calls have in common: equal numbers, and what arguments are multiples of.
void call_either(const struct engine_call *a, const struct engine_call *b, struct engine_call *out);
// The condition holds from here on, as the program ends where it does not.
void host_checked(struct run *run, struct group *group, const struct node *condition);
// What the group, which is at the launch, makes of it for that kernel.
void host_call(struct run *run, struct group *group, const struct ir_op *op,
               const struct ir_function *kernel, struct engine_call *out);

// numbers.c
// Of a call whose block has one extent, `axis`, that rests on one number which nobody knows, and
// which the host has checked, or which the extent says, as `32 * warps` does, or on two, one of
// which may be small: the extent next to `wanted` that passes, and which quantities are known then,
// with their numbers (room for ENGINE_QUANTITIES each). False where there is none.
bool call_extent(const struct engine_call *call, int axis, int64_t wanted, int64_t *extent,
                 bool *known, int64_t *value);
// Of a call whose block has columns and rows that both rest on one number which nobody knows, as in
// (n, 1024 / n): its extents with the number that makes each row `wanted` threads, or what is next
// to that of what the host has asked, and the quantities that are known then, as above.
bool call_rows(const struct engine_call *call, int64_t wanted, int64_t *extent, bool *known,
               int64_t *value);
// Arguments of a launch, a bit for each, and the numbers that they are.
struct engine_numbers {
    uint64_t known;
    int64_t number[ENGINE_ARGUMENTS];
};
// Adds to `choice` the numbers that the call passes as constants, or that the host chooses among a
// few, where the shape does not know them already: each way to choose that may be under the shape,
// and that is not there yet. There are `count` so far, and `most` is what there is room for.
// Returns how many there are then.
uint32_t call_choices(const struct engine_call *call, const struct engine_shape *shape,
                      struct engine_numbers *choice, uint32_t count, uint32_t most);

// special.c
// What the special register holds.
const struct node *special_value(struct run *run, enum ir_special special);
// The symbol that stands for a number of the launch, NULL where the run has none.
const struct node *special_symbol(const struct run *run, enum ir_special special);
// Whether the value is an index of the block within the grid, or of its cluster.
bool special_is_block_index(const struct node *node);
// Whether it is the number of the multiprocessor that the block runs on.
bool special_is_multiprocessor(const struct node *node);

// parting.c
// Whether the condition holds a number that threads have one each against a bound that the kernel
// is given: "row < rows".
bool parting_is_bound(struct run *run, const struct node *condition);
// Whether it asks anything that lies in memory and is not given to the kernel.
bool parting_is_by_data(struct run *run, const struct node *condition);
// Whether it asks for the index of the block in a grid that the launch gives as a number, or whose
// size has nothing to do with what the index is held against: there may be fewer tiles than blocks.
bool parting_is_by_block(struct run *run, const struct node *condition);
// The whole of which the form compares where one of a number of parts begins with where it ends:
// rounded up, the parts before may take it all. NULL where it does not.
const struct node *parting_whole(const struct node *form);
// Whether it holds the number of the block against an argument that the launch rounds up to whole
// blocks or clusters, or the kernel to whole rounds, and nothing else: `i < n` in the last block.
bool parting_is_rest(struct run *run, const struct node *condition);
// Whether the condition `op` asks for the number of the warp in the whole grid.
bool parting_is_by_grid_warp(struct run *run, struct group *group, const struct ir_op *op);
// Notes that the group is about to split at the condition `op`: `yes` go to its first target.
void parting_note(struct run *run, const struct group *group, const struct ir_op *op, bool is_loop,
                  const struct node *asked, const struct mask *yes);
// Notes that all threads of the group go to the block, by a condition on data.
void parting_leave(struct run *run, const struct group *group, ir_block_id block, bool is_loop);
// Notes that the group exits there, in whatever function.
void parting_exit(struct run *run, const struct group *group, struct ir_loc loc);
// The latest condition that sent some of `absent` another way than some of `present`.
bool parting_between(struct run *run, const struct mask *absent, const struct mask *present,
                     struct parting_found *out);

// host.c
void host_launched(struct run *run, struct launched *launched);
// Whatever was launched has ended.
void host_waits(struct run *run);
// A function is called that has no body.
void host_called(struct run *run, const struct ir_function *callee);
// An operation works on the barrier at the address.
void host_uses(struct run *run, const struct node *address, struct ir_loc loc);
// Where the host works on the kernel's barrier at the address while the kernel may run; file 0
// where it does not.
struct ir_loc host_use_of(const struct run *run, const struct node *address);
void engine_shape_add_use(struct engine_shape *shape, const struct engine_host_use *use);

// Something that the kernel is given.
struct argument {
    uint32_t param;
    ir_type_id param_type, type;
    int64_t offset; // of a member, in bytes from the start of its parameter
    bool is_member;
};

// arguments.c: the arguments of the kernel, numbered as engine_shape has them; their count.
uint32_t arguments_of(const struct ir_unit *unit, const struct ir_function *kernel,
                      struct argument out[ENGINE_ARGUMENTS]);
// The pointers within records that the kernel is given by value, as many as there is room for;
// their count.
uint32_t pointers_within(const struct ir_unit *unit, const struct ir_function *kernel,
                         struct argument *out, uint32_t room);
// What the launch passes for the parameter, of a record the address; NULL where the host has not
// said.
const struct node *parameter_passed(struct run *run, struct group *group,
                                    const struct ir_op *launch, uint32_t param, ir_type_id type);
// What the launch passes; NULL where the host has not said.
const struct node *argument_passed(struct run *run, struct group *group, const struct ir_op *launch,
                                   const struct argument *argument);
// The values of the kernel's parameters in this run.
const struct node **arguments_given(struct run *run, const struct ir_function *kernel);

// launch.c
void launch_seen(struct run *run, struct group *group, const struct ir_op *op);

// tensor.c
// Where the host encodes a tensor map with this call, whose arguments begin at operand `first`:
// does so and returns true.
bool tensor_encode(struct run *run, struct group *group, const struct ir_op *op, ir_value value,
                   uint32_t first);
// The address of the tensor that an argument of the host is the map of; NULL where it is no map, or
// nobody knows.
const struct node *tensor_data(struct run *run, struct group *group, ir_type_id type,
                               const struct node *map);
// Notes of a launch which of the tensor maps that it passes are known.
void tensor_launched(struct run *run, struct group *group, const struct ir_op *op,
                     struct engine_shape *shape);
// Puts what is known of them into the kernel's parameter.
void tensor_given(struct run *run, uint32_t argument, const struct node *parameter);
// The bytes that a tensor copy delivers; NULL where they are not known.
const struct node *tensor_bytes(struct run *run, struct group *group, const struct model_op *op);

// schedule.c
// Lets the groups run until nobody can go on; run_all() then says why not.
void schedule_run(struct run *run);
void run_all(struct run *run);

#endif
