// What decide.c and sampling.c share.
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

// form >= threshold, or form == threshold, for one thread.
int64_t question_threshold(const struct question *question, uint32_t thread);

// sampling.c: gives each thread a value of the question's form, so that what is asked holds in some
// threads and not in others. `first` is the lowest thread that asks.
void sample_threads(struct run *run, struct bound *bound, const struct question *question,
                    uint32_t first);

#endif
