// What pipes.c and pipes_order.c share: cuda::pipeline objects of a run.
#ifndef BARLINT_ENGINE_PIPES_INTERNAL_H
#define BARLINT_ENGINE_PIPES_INTERNAL_H

#include "engine/barriers/machines.h"

enum {
    MANY_STAGES = 1 << 30, // stands for an unknown number
    MOST_STAGES = 16,      // of a pipeline whose waits are followed
};

// A variable of each thread that makes the pipeline in one place, all of one name.
struct pipe_name {
    uint32_t object; // of the run, and the offset into it
    int64_t offset;
    struct pipe_name *next;
};

// A pipeline, which roles may make in places of their own out of one shared state.
struct pipe {
    struct pipe_name *name; // the latest first
    uint32_t result_object; // the first
    uint32_t state;         // object of its shared state, UINT32_MAX where that is not known
    int64_t state_offset;
    struct barlint_pipe_thread *thread; // by thread of the cluster
    const struct mask *made;            // threads that have it
    uint32_t *waits;                    // by thread: of thread scope, stages waited for in turn
    struct named_site *last;            // by thread: its latest operation but the destructor
    struct named_site site;             // of its construction
    // By block and stage, MOST_STAGES a block: what filled and emptied it comes after.
    struct released *full, *empty;
    uint32_t waited;   // the first stage that nobody has waited for yet
    int64_t producers; // that it is made for, where only their number is given
    bool by_use;       // then: a thread has the role it first acts in
    bool local;        // of thread scope
    bool loose;        // nobody waits there, nor is told by whom it would be
    bool lost;         // something about it could not be followed
};

// Nothing is claimed of the pipeline any more. (pipes.c)
void pipe_lose(struct run *run, struct pipe *pipe);
// Somebody has waited for the stage. (pipes.c)
void pipe_filled(struct run *run, struct pipe *pipe, uint32_t stage);

// pipes_order.c: the pipeline is made, of no matter how many stages.
void pipe_order_start(struct run *run, struct pipe *pipe);
// The group has committed or released the stage that it was at.
void pipe_hands_over(struct run *run, struct pipe *pipe, const struct group *group,
                     enum model_kind kind);
// The group acquires a stage or waits for it: false where it blocks.
bool pipe_comes(struct run *run, struct pipe *pipe, struct group *group, enum model_kind kind,
                ir_value value);

#endif
