// Barriers of the whole grid. A run follows one block; what another block does, another run shows:
// one that decides otherwise what depends on the number of the block, and alike what is the same in
// the whole grid. Two such blocks can be of one grid, so they must come to its barrier equally
// often. (Programming Guide 13, 5.6.3.)
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/walk.h"

enum { MOST_PATHS = 96 };

// A decision as it was left at the end of a run.
struct outcome {
    uint64_t site;
    const char *form;
    int64_t low, high; // what later decisions left of it
    uint32_t alternatives, chosen;
    bool by_block; // about something that differs between blocks
    bool weak;     // rests on a value that nobody can follow
};

struct grid_path {
    struct grid_path *next;
    bool given; // with the numbers that the launch passes
    bool weak;  // something on the way is
    uint32_t syncs, outcomes;
    struct named_site site; // of its last barrier of the grid
    struct outcome *outcome;
};

static bool differs_between_blocks(struct run *run, const struct node *node)
{
    if (!node || !walk_visit(run, node))
        return false;
    switch (node->kind) {
    case NODE_ATOM:
        if (special_is_block_index(node) || special_is_multiprocessor(node) ||
            node_is_of_block(node))
            return true;
        // All blocks run the same instance of a template.
        return node->shape != SHAPE_UNIFORM && !node_is_parameter(node);
    case NODE_LINEAR:
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            if (differs_between_blocks(run, node->linear.term[i].atom))
                return true;
        }
        return false;
    case NODE_EXPR:
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            if (differs_between_blocks(run, node->expr.argument[i]))
                return true;
        }
        return false;
    case NODE_ADDRESS:
        return differs_between_blocks(run, node->address.offset);
    case NODE_PIECES:
        for (uint32_t i = 0; i < node->pieces.count; ++i) {
            if (differs_between_blocks(run, node->pieces.piece[i].value))
                return true;
        }
        return false;
    default:
        return false;
    }
}

bool grid_differs(struct run *run, const struct node *node)
{
    walk_begin(run);
    return differs_between_blocks(run, node);
}

// The first thread of a block speaks for it; the barrier of the block that is in it goes on
// without.
static void without_speaker(struct run *run, const struct group *group, ir_value value)
{
    struct named_site site = named_site_of(run, group, value);
    const struct mask *first = mask_one(run->masks, 0);
    if (!mask_subset(run->masks, first, run->exited))
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_GRID_SKIP, site.function, site.op,
                        site.chain, UINT32_MAX, group->mask);
    if (incident)
        record_threads(run, &incident->missing, first);
}

void grid_sync(struct run *run, const struct group *group, ir_value value)
{
    struct machines *machines = run->machines;
    if (!run->afterlife && mask_overlaps(run->masks, group->mask, run->block_mask[0]))
        without_speaker(run, group, value);
    if (!mask_has(group->mask, 0) || run->afterlife)
        return;
    ++machines->grid_syncs;
    machines->grid_site = named_site_of(run, group, value);
}

const struct node *grid_valid(struct run *run)
{
    const struct engine_shape *shape = &run->engine->shape;
    enum { KEY = 0x76616c69 };
    if (shape->launched && !shape->attributes_lost)
        return shape->cooperative ? run->nodes->one : run->nodes->zero;
    return node_atom(run->nodes, KEY, "grid.is_valid()", SHAPE_UNIFORM, 0, 1);
}

static struct grid_path *path_of(struct run *run)
{
    struct arena *arena = run->engine->arena;
    struct grid_path *path = arena_new(arena, struct grid_path);
    path->given = run->engine->shape.arguments_known != 0;
    path->syncs = run->machines->grid_syncs;
    path->site = run->machines->grid_site;
    path->outcome = arena_array(arena, struct outcome, arrlenu(run->decision) + 1);
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *decision = &run->decision[i];
        const struct node *form = decision->form;
        struct outcome *out = &path->outcome[path->outcomes++];
        *out = (struct outcome){.site = decision->site,
                                .form = "",
                                .alternatives = decision->alternatives,
                                .chosen = decision->chosen,
                                .weak = decision->weak};
        path->weak |= decision->weak;
        if (!form)
            continue;
        interval_of(run, form, &out->low, &out->high);
        out->form = node_text(arena, form);
        out->by_block = grid_differs(run, form);
    }
    return path;
}

static const struct outcome *next_common(const struct grid_path *path, uint32_t *at)
{
    while (*at < path->outcomes && path->outcome[*at].by_block)
        ++*at;
    return *at < path->outcomes ? &path->outcome[(*at)++] : NULL;
}

// Whether the same decision of two ways can come out so of one value: it is decided alike, and
// something is left that both can be. Where one way had no choice any more, its range tells.
static bool alike(const struct outcome *one, const struct outcome *other)
{
    bool chosen = one->alternatives != other->alternatives || one->chosen == other->chosen;
    return one->site == other->site && chosen && one->low <= other->high &&
           other->low <= one->high && strcmp(one->form, other->form) == 0;
}

// Whether two blocks of one grid can take these ways: what is common to the grid goes alike as long
// as both of them ask for it.
static bool go_together(const struct grid_path *a, const struct grid_path *b)
{
    uint32_t i = 0, k = 0;
    if (a->given != b->given)
        return false;
    for (;;) {
        const struct outcome *one = next_common(a, &i), *other = next_common(b, &k);
        if (!one || !other)
            return true;
        if (!alike(one, other))
            return false;
    }
}

// The first decision about the block at which the two ways part; 0 where there is none.
static uint64_t parting_site(const struct grid_path *a, const struct grid_path *b)
{
    for (uint32_t i = 0; i < a->outcomes && i < b->outcomes; ++i) {
        const struct outcome *one = &a->outcome[i], *other = &b->outcome[i];
        if (one->site != other->site)
            return 0;
        if (one->by_block && (one->low != other->low || one->high != other->high))
            return one->site;
    }
    return 0;
}

static ir_function_id function_of(uint64_t site)
{
    return (ir_function_id)(site >> 32);
}

// Whether the decision is one of a branch between whose arms a barrier of the grid may stand, or
// none of a branch.
static bool settles_barriers(struct engine *engine, uint64_t site)
{
    ir_function_id function = function_of(site);
    ir_block_id block = (ir_block_id)site;
    return function >= arrlenu(engine->unit->function) ||
           block >= arrlenu(engine->unit->function[function].block) ||
           facts_region_meets_grid(engine, function, block);
}

// Whether what is in doubt says nothing of who comes to a barrier of the grid: either way such a
// branch goes, its arms meet with no barrier of the grid in between.
static bool is_founded(struct run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *one = &run->decision[i];
        if (one->weak && (one->deep || settles_barriers(run->engine, one->site)))
            return false;
    }
    return !run->weak;
}

// Whether a branch that one of the ways decides of what nobody can follow goes otherwise on the
// other one: what it stores may be what they part for.
static bool part_weakly(const struct grid_path *a, const struct grid_path *b)
{
    for (uint32_t i = 0; i < a->outcomes; ++i) {
        for (uint32_t k = 0; a->outcome[i].weak && k < b->outcomes; ++k) {
            if (b->outcome[k].site == a->outcome[i].site &&
                b->outcome[k].chosen != a->outcome[i].chosen)
                return true;
        }
    }
    return false;
}

// Whether the two ways show that blocks part over a barrier of the grid, and `site` decides it.
static bool part_at(struct run *run, const struct grid_path *a, const struct grid_path *b,
                    uint64_t site)
{
    if (site == 0 || !(a->weak || b->weak))
        return site != 0;
    return settles_barriers(run->engine, site) && !part_weakly(a, b) && !part_weakly(b, a);
}

static void grid_tell(struct run *run, const struct grid_path *more, const struct grid_path *fewer)
{
    uint64_t site = parting_site(more, fewer);
    ir_function_id function = function_of(site);
    ir_block_id block = (ir_block_id)site;
    if (!part_at(run, more, fewer, site) ||
        block >= arrlenu(run->engine->unit->function[function].block))
        return;
    const struct ir_op *end = ir_terminator(&run->engine->unit->function[function], block);
    uint32_t weak_decisions = run->weak_decisions;
    run->weak_decisions = 0; // none that matters here, see is_founded()
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, BARLINT_GRID_SKIP, more->site.function, more->site.op,
                        more->site.chain, UINT32_MAX, run->block_mask[0]);
    run->weak_decisions = weak_decisions;
    if (!incident)
        return;
    incident->number[0] = more->syncs;
    incident->number[1] = fewer->syncs;
    incident->number[2] = 1;
    if (!end)
        return;
    incident->branch = end->loc;
    record_step(run, incident, end->loc, "blocks of the grid take different ways here");
}

void grid_end(struct run *run)
{
    struct engine *engine = run->engine;
    // A way walked apart from the decisions is none that another block could be compared by.
    if ((engine->path > 1 && run->way.count == 0 && !run->way.endures) ||
        run->policy != POLICY_TOGETHER || run->cut || run->over || !is_founded(run) ||
        run->exited != run->masks->all)
        return;
    struct grid_path *path = path_of(run);
    uint32_t count = 0;
    for (struct grid_path *old = engine->grid_path; old; old = old->next, ++count) {
        if (old->syncs != path->syncs && go_together(old, path)) {
            if (old->syncs > path->syncs)
                grid_tell(run, old, path);
            else
                grid_tell(run, path, old);
        }
    }
    if (count >= MOST_PATHS)
        return;
    path->next = engine->grid_path;
    engine->grid_path = path;
}
