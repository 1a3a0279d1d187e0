// What a run knows of values, and what it decides where it does not know. Internal to the engine.
#ifndef BARLINT_ENGINE_DECISIONS_H
#define BARLINT_ENGINE_DECISIONS_H

#include "engine/run.h"

// memo.c
struct memo *memo_grow(struct run *run, const struct node *node); // makes room for it
static inline struct memo *memo_of(struct run *run, const struct node *node)
{
    const struct values *values = &run->engine->values;
    return node->id < values->memo_size ? &values->memo[node->id] : memo_grow(run, node);
}
// More has become known of the form: what was worked out of what it is a part of no longer holds.
void memo_changed(struct run *run, const struct node *form);
// Whether what was worked out of the node at the version, not 0, still holds. It is of today then.
bool memo_held(struct run *run, const struct node *node, uint32_t *version); // by what came since
static inline bool memo_holds(struct run *run, const struct node *node, uint32_t *version)
{
    const struct values *values = &run->engine->values;
    return *version == values->memo_version ? *version >= values->run_version
                                            : memo_held(run, node, version);
}
void memo_begin(struct values *values); // of a run, of which nothing is known
void memo_release(struct values *values);
// What the run has decided about the form, or NULL. Good until the next bound is made.
static inline struct bound *bound_find(struct run *run, const struct node *form)
{
    const struct memo *memo = memo_of(run, form);
    return memo->bound_epoch == run->nodes->epoch ? &run->bound[memo->bound] : NULL;
}
struct bound *bound_make(struct run *run, const struct node *form);
// Whether what the run shows rests on something that could not be followed.
static inline bool run_is_weak(const struct run *run)
{
    return run->weak || run->weak_decisions;
}

// Whether the block is a guess of one dimension for sources that ask for more: threads of several
// rows share a place then.
static inline bool run_lacks_rows(const struct run *run)
{
    const struct engine_shape *shape = &run->engine->shape;
    bool guessed = shape->source == ENGINE_SHAPE_GUESS ||
                   (shape->source == ENGINE_SHAPE_ATTRIBUTE && !shape->block_known);
    return guessed && !shape->rows_known && run->asks_rows;
}

// feasible.c: whether there are numbers that make all true that the run has decided, and whether
// the arguments that the launch passes are among them.
bool run_is_feasible(struct run *run);
// Whether all that is asked can be true with the arguments that the launch passes.
bool launch_allows(struct run *run, const struct bound *asked, uint32_t count);

// launched.c: whether an extent of the grid is the argument rounded up to whole blocks: the last
// block may have less to do.
bool launched_rounds_up(struct run *run, uint32_t argument);
// Whether the value is made of an argument that the run has taken for another number than the
// launches pass, as where it has left a loop after fewer rounds.
bool launched_otherwise(struct run *run, const struct node *value);
// Whether all launches pass a number there that nothing is known of, a multiple of none, and their
// grids are as large whatever it is: threads that go through so many elements part at the end.
bool launched_apart(struct run *run, uint32_t argument);
// A walk over all that a value is made of comes to each node once, as parts of an expression are
// shared: walk_visit() tells whether this is the first time since walk_begin().
void walk_begin(struct run *run);
bool walk_visit(struct run *run, const struct node *node);

// made_of.c: whether each thread t of the mask has the value that the thread `from + t % count`
// has, whatever that is: it is made of what both have in common, and of what lies at such places in
// memory that is not a thread's own.
bool made_alike(struct run *run, const struct node *node, const struct mask *mask, uint32_t from,
                uint32_t count);

// decide.c
// The assumption, for people, in the run's arena; NULL where it need not be said.
const char *decision_text(struct run *run, const struct decision *decision);
// The decision rests on something that could not be followed, and with it what comes after.
void decision_is_weak(struct run *run, struct decision *decision);
// The threads of `mask` in which the condition holds. Takes a decision where it is not known;
// `prefer` is the outcome to try first.
const struct mask *decide(struct run *run, const struct mask *mask, const struct node *condition,
                          bool prefer, uint64_t site);
// The sources check it and abort where it is otherwise: no decision, as nothing else can come
// after, but what is decided from then on has to fit it.
void take_for_granted(struct run *run, const struct mask *mask, const struct node *condition,
                      bool holds);
// Whether the outcome is known for all threads of the mask without a decision.
bool decided(struct run *run, const struct mask *mask, const struct node *condition);
// The value with everything the run has decided put in.
const struct node *resolve(struct run *run, const struct node *node);
// What the number is in one thread, as a value that is the same for all; NULL where it is none, as
// of what each thread reads for itself.
const struct node *resolve_in_thread(struct run *run, const struct node *node, uint32_t thread);

// made_of.c: whether a number is in it that the hardware gives and may change.
bool made_by_hardware(struct run *run, const struct node *node);

// follow.c: keeps what the run has decided on its way, for the orders of threads that come next.
void follow_keep(struct run *run, struct decided **out);
// Whether the run has decided the same, in whatever order.
bool follow_same(struct run *run, const struct decided *decided);

// interval.c: between which numbers the value lies, as far as the run knows.
void interval_of(struct run *run, const struct node *node, int64_t *low, int64_t *high);

#endif
