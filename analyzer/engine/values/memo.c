// What is kept of a node while a run goes on, by its id.
#include <string.h>

#include "base/vec.h"
#include "engine/run.h"

struct memo *memo_of(struct run *run, const struct node *node)
{
    struct values *values = &run->engine->values;
    if (node->id >= values->memo_size) {
        uint32_t size = values->memo_size ? values->memo_size : 1024;
        while (size <= node->id)
            size *= 2;
        struct memo *grown = arena_array(&values->arena, struct memo, size);
        if (values->memo_size)
            memcpy(grown, values->memo, values->memo_size * sizeof *grown);
        values->memo = grown;
        values->memo_size = size;
    }
    return &values->memo[node->id];
}

void walk_begin(struct run *run)
{
    ++run->engine->values.walk;
}

bool walk_visit(struct run *run, const struct node *node)
{
    struct memo *memo = memo_of(run, node);
    if (memo->walk == run->engine->values.walk)
        return false;
    memo->walk = run->engine->values.walk;
    return true;
}

struct bound *bound_find(struct run *run, const struct node *form)
{
    const struct memo *memo = memo_of(run, form);
    return memo->bound_epoch == run->nodes->epoch ? &run->bound[memo->bound] : NULL;
}

struct bound *bound_make(struct run *run, const struct node *form)
{
    struct memo *memo = memo_of(run, form);
    memo->bound_epoch = run->nodes->epoch;
    memo->bound = (uint32_t)arrlen(run->bound);
    arrput(run->bound, (struct bound){.form = form});
    return &arrlast(run->bound);
}
