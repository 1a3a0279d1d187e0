// What is kept of a node while a run goes on, by its id.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/run.h"

struct memo *memo_grow(struct run *run, const struct node *node)
{
    struct values *values = &run->engine->values;
    uint32_t size = values->memo_size ? values->memo_size : 1024;
    while (size <= node->id)
        size *= 2;
    values->memo = arena_vec_realloc(values->memo, size * sizeof *values->memo);
    memset(values->memo + values->memo_size, 0,
           (size - values->memo_size) * sizeof *values->memo);
    values->memo_size = size;
    return &values->memo[node->id];
}

void memo_begin(struct values *values)
{
    values->run_version = ++values->memo_version;
    arrsetlen(values->changed, 0);
}

void memo_release(struct values *values)
{
    free(values->memo);
    arrfree(values->changed);
}

void memo_changed(struct run *run, const struct node *form)
{
    struct values *values = &run->engine->values;
    ++values->memo_version;
    arrput(values->changed, form);
}

bool memo_held(struct run *run, const struct node *node, uint32_t *version)
{
    const struct values *values = &run->engine->values;
    if (*version < values->run_version)
        return false;
    for (uint32_t i = *version; i < values->memo_version; ++i) {
        const struct node *form = values->changed[i - values->run_version];
        if (form->newest <= node->newest && !(form->made_of & ~node->made_of))
            return false;
    }
    *version = values->memo_version;
    return true;
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

struct bound *bound_make(struct run *run, const struct node *form)
{
    struct memo *memo = memo_of(run, form);
    memo->bound_epoch = run->nodes->epoch;
    memo->bound = (uint32_t)arrlen(run->bound);
    arrput(run->bound, (struct bound){.form = form});
    return &arrlast(run->bound);
}
