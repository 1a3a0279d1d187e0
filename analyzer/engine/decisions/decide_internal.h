// What decide.c, wording.c, resolve.c, narrow.c and sampling.c share.
#ifndef BARLINT_ENGINE_DECIDE_INTERNAL_H
#define BARLINT_ENGINE_DECIDE_INTERNAL_H

#include "engine/run.h"

enum { MAX_DEPTH = 12 }; // of an expression that is looked into

// A question about a form: in thread t it holds when form >= at[t] (kind GT) or form == at[t].
struct question {
    const struct node *form;
    bool equality;
    bool negated; // the condition is the opposite of what is asked
    const struct node *base;
    int64_t sign;
};

// What the condition asks of which form; false where it asks nothing of numbers.
bool question_of(struct run *run, const struct node *condition, struct question *out);
// The truth of a condition where earlier decisions settle it for every thread, else NULL.
const struct node *known_answer(struct run *run, const struct node *condition);
// form >= threshold, or form == threshold, for one thread.
int64_t question_threshold(const struct question *question, uint32_t thread);

// Whether the blocks of a cluster, which ask one after the other, are told otherwise for their rank
// alone, as by parts_clusters() where they ask together. `holds`: for whom it is so.
bool parts_blocks_in_turn(struct run *run, const struct mask *mask, const struct question *question,
                          const struct mask *holds, struct decision *decision);

// wording.c: notes what the outcome, which the bound of the form holds already, says of the form.
void decision_say(struct run *run, const struct question *question, uint32_t outcome, int64_t least,
                  int64_t most, struct decision *decision);

// The form of a node without its base, with the sign that makes its first factor positive.
// node == sign * form + base.
struct split {
    const struct node *form; // NULL where the node is known
    const struct node *base;
    int64_t sign;
};

// resolve.c.
struct split split_of(struct run *run, const struct node *node);
// What the run knows of the form, made where it knows nothing yet.
struct bound *bound_at(struct run *run, const struct node *form);
// interval.c: of a form, which is a node without a base. interval_of() takes any node.
void interval_form(struct run *run, const struct node *form, int64_t *low, int64_t *high,
                   int depth);
// The number of the argument that the node is, ENGINE_ARGUMENTS or more where it is none.
static inline uint64_t argument_at(const struct node *node)
{
    return node->kind == NODE_ATOM ? node->atom.key - ARGUMENT_KEY : ENGINE_ARGUMENTS;
}

// Sums and products that stay at the ends of the range: INT64_MIN and INT64_MAX stand for what is
// not known.
int64_t add_clamped(int64_t a, int64_t b);
int64_t mul_clamped(int64_t a, int64_t b);

// The parts of a sum or a product are sizes, which are not negative where nothing says so.
void size_range(int64_t *low, int64_t *high);

// follow.c: what the first order of threads chose at the place in its turn, and between which
// numbers a form was in the end; false where it decided nothing of it, or that is not known again.
uint32_t follow_place(struct run *run, uint64_t site);
bool follow_form(const struct run *run, const struct node *form, struct bound *out);

// made_of.c: how many different symbols a value is made of, up to two; the first goes to `first`,
// which is NULL before. The walks begin with walk_begin().
uint32_t made_of_symbols(struct run *run, const struct node *node, const struct node **first);
// What the symbols of a value are, beside what they are called. walk_begin() comes before.
struct makings {
    bool parameter; // one is a template parameter that nothing instantiates
    bool deep;      // one stands for an expression whose parts are not looked into
    bool hardware;  // one is a number that the hardware gives and may change
};
void made_of(struct run *run, const struct node *node, struct makings *out);
// Whether a value of deep expressions is made of data that the run has decided nothing else about:
// then nothing decided contradicts whatever is decided of the value.
bool has_open_part(struct run *run, const struct node *form);
// Notes that something was decided of the form, for has_open_part().
void note_decided(struct run *run, const struct node *form);
// Whether a value that differs between threads does so for whatever sizes: a maximum of a size and
// the thread's number may be the size in all of them.
bool made_to_differ(struct run *run, const struct node *node);
// Whether the value is a quotient rounded down, as `k / 64` is for the whole tiles of k. Code that
// divides so relies on a size of at least one tile. `(n + 63) / 64` is 0 for an empty range only.
bool counts_whole(const struct node *form);
// Whether the value is the length of a row, as `offset[i + 1] - offset[i]` is, or a number of tiles
// of one: rows are empty as they please, whatever else sizes may promise.
bool spans_row(struct run *run, const struct node *form);

// narrow.c: draws from what is known of the form, and of others, what it says of the values that
// they are made of.
void narrow_all(struct run *run, const struct node *form);
// Of a form that is made of a value of each thread's and one that all share, be it their sum or
// the smaller of them: what the greatest and the smallest that a thread of the mask is taken to
// have say of the latter.
void narrow_shared(struct run *run, const struct mask *mask, const struct node *form);

// launched.c: what one launch of the shape says, in nodes of the run.
struct launched_call {
    const struct node *grid[3], *argument[ENGINE_ARGUMENTS]; // NULL: nothing is known
    struct bound bound[ENGINE_CONDITIONS + 6];               // what holds where it launches
    uint32_t bounds, of_extents; // the first of them are about the extents
    uint64_t symbols;            // the key of the host's first symbol, by number of its quantity
    int64_t *step;               // by quantity: what it is a multiple of; NULL: nothing is known
};

// The launches of the shape; their count. 0: of none is anything known.
uint32_t launched_calls(struct run *run, const struct launched_call **out);
// A number that the host's symbol is a multiple of, 1 or more.
int64_t launched_step_of(const struct launched_call *call, const struct node *symbol);
// What they have in common: a number that the argument is a multiple of, 1 or more; and, where the
// grid's first extent is the argument divided by a number and rounded down, that number, else 0.
int64_t launched_step(struct run *run, uint32_t argument);
int64_t launched_share(struct run *run, uint32_t argument);
// Whether all of them pass a power of two as the argument, `1 << bits`.
bool launched_power(struct run *run, uint32_t argument);
// A number from `least` on and below `below` that one of the launches passes as the argument.
bool launched_number(struct run *run, uint64_t argument, int64_t least, int64_t below,
                     int64_t *out);
// feasible.c: whether there are numbers of the host with which the launch is made.
bool launched_is_possible(struct run *run, const struct launched_call *call);

// sampling.c: gives each thread a value of the question's form, so that what is asked holds in some
// threads and not in others. `first` is the lowest thread that asks.
void sample_threads(struct run *run, struct bound *bound, const struct question *question,
                    const struct mask *mask);
// The same where each thread's number is one of two that are known, as behind `if (found) ++depth`:
// each has the one with which what is asked holds, or does not. False where the numbers are others.
bool sample_choice(struct run *run, struct bound *bound, const struct question *question,
                   const struct mask *mask, bool holds);

#endif
