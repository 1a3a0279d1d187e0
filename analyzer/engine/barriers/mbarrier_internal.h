// What the files about mbarriers share: the objects an operation means, who acts, tokens.
#ifndef BARLINT_ENGINE_MBARRIER_INTERNAL_H
#define BARLINT_ENGINE_MBARRIER_INTERNAL_H

#include "engine/barriers/machines.h"

// One object and the threads of a group that mean it.
struct target {
    uint32_t mbarrier; // UINT32_MAX: memory that is no variable, or an offset that is not known
    const struct mask *mask;
    uint32_t object; // engine_object or UINT32_MAX
    bool shared;     // in shared memory
};

enum { MAX_TARGETS = 64 };

// One operation being executed.
struct act {
    struct run *run;
    struct group *group;
    const struct model_op *op;
    ir_value value;
    struct ir_loc loc;
};

// mbarrier_target.c: the objects that the threads of `mask` mean by `address`, added to the `count`
// there are. Returns the new count.
uint32_t targets_of(struct run *run, const struct mask *mask, const struct node *address,
                    struct target *target, uint32_t count);
uint32_t targets_multicast(const struct act *act, const struct node *address, struct target *target,
                           uint32_t count);

// mbarrier.c
struct barlint_actor actor_of(const struct run *run, const struct mbarrier *mbarrier,
                              uint32_t thread);
void phase_check(struct run *run, struct mbarrier *mbarrier, uint32_t before);
// The violations that may be told of the target, without those judged elsewhere.
struct barlint_violations judged(struct run *run, const struct target *target,
                                 struct barlint_violations violations);

// mbarrier_arrive.c: the arrivals of the threads of a target, warp by warp. Gives each its token.
void do_arrive(const struct act *act, const struct target *target);

// mbarrier_wait.c
// Whether both are of one phase of one object, given alike.
bool token_same(const struct barlint_token *one, const struct barlint_token *other);
const struct node *token_node(struct run *run, const struct barlint_token *token);
// Puts a result where the spelling wants it: the operation's value, or memory.
void give(struct run *run, struct group *group, const struct mask *mask, ir_value address,
          ir_value value, const struct node *node);
// Asks for all threads of the group. Threads that pass go on, the others are forked off and block.
bool do_test(const struct act *act, const struct target *target, uint32_t targets);

#endif
