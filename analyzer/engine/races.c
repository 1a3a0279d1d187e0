// Plain accesses of two threads to the same bytes of shared memory, one of them a store, with
// nothing between them that could order them: the thread that came first has neither arrived
// anywhere nor passed a fence since. (PTX ISA 9.1, 8.10.) Lanes of one warp may run apart as well
// (Programming Guide 13, 3.2.2), but all of them have read before one of them overwrites it in what
// compilers make of it. An access whose place is not known is not followed; two stores are left
// alone, as they mostly store the same value.
#include "base/vec.h"
#include "engine/machines.h"

enum {
    MOST_ACCESSES = 48,   // that are remembered; the oldest is forgotten
    MOST_BYTES = 1 << 16, // between the first and the last byte of an access
    WORD = 4,
};

struct owners {
    uint16_t thread[3]; // counted from 1; 0: none. The second is of another warp, the third a lane
                        // of the first one's
};

struct access {
    uint32_t object;
    const struct mask *mask;   // threads of the first block only
    const struct node *offset; // known numbers
    int64_t size;              // bytes, each thread
    int64_t low, high;         // all of them
    uint32_t unit;             // bytes of one of the owners' elements
    struct owners *owners;     // of the bytes from low on; NULL as long as nobody asked
    uint64_t time;             // races->clock then
    struct named_site site;
    enum race_access kind;
    bool bound; // under a condition that is not decided
};

struct races {
    struct access *access; // stb_ds array
    uint64_t *ordered;     // by thread: clock of the last operation that orders what it did
    uint64_t *met;         // the same among the lanes of its warp
    uint64_t all_ordered;  // clock of the last time when all threads did that at once
    uint64_t clock;
};

void races_init(struct run *run)
{
    run->machines->races = arena_new(&run->arena, struct races);
    run->machines->races->ordered = arena_array(&run->arena, uint64_t, run->engine->threads);
    run->machines->races->met = arena_array(&run->arena, uint64_t, run->engine->threads);
}

void races_release(struct run *run)
{
    arrfree(run->machines->races->access);
}

// What the other lanes of a thread's warp did before they met it, its releases order as well.
static void order_lanes(struct run *run, uint32_t thread)
{
    struct races *races = run->machines->races;
    uint32_t size = run->engine->block_threads, first = thread - thread % size % 32;
    uint32_t end = thread - thread % size + size;
    for (uint32_t l = first; l < first + 32 && l < end; ++l) {
        if (races->met[l] <= races->met[thread] && races->ordered[l] < races->met[l])
            races->ordered[l] = races->met[l];
    }
}

void races_order(struct run *run, const struct mask *mask)
{
    struct races *races = run->machines->races;
    ++races->clock;
    if (mask->count == run->masks->threads)
        races->all_ordered = races->clock;
    mask_each (run->masks, mask, t) {
        bool is_edge =
            (t % 32 != 0 && !mask_has(mask, t - 1)) || (t % 32 != 31 && !mask_has(mask, t + 1));
        if (is_edge) // of a part of a warp
            order_lanes(run, t);
    }
    mask_each (run->masks, mask, t)
        races->ordered[t] = races->met[t] = races->clock;
}

void races_meet(struct run *run, const struct mask *mask)
{
    struct races *races = run->machines->races;
    ++races->clock;
    mask_each (run->masks, mask, t)
        races->met[t] = races->clock;
}

static bool access_of(struct run *run, struct group *group, const struct node *address,
                      uint32_t size, enum race_access kind, struct access *out)
{
    const struct node *offset = address->address.offset;
    const struct mask *mask = mask_and(run->masks, group->mask, run->block_mask[0]);
    if (!node_known(offset) || mask->count == 0 || size == 0)
        return false;
    *out = (struct access){.object = address->address.object,
                           .mask = mask,
                           .offset = offset,
                           .size = size,
                           .low = INT64_MAX,
                           .high = INT64_MIN,
                           .unit = WORD,
                           .time = ++run->machines->races->clock,
                           .site = named_site_here(run, group),
                           .kind = kind,
                           .bound = group->arms != NULL};
    int64_t same;
    bool one = node_is_const(offset, mask, run->masks, &same);
    mask_each (run->masks, mask, t) {
        int64_t at = 0;
        if (one && out->low != INT64_MAX)
            break;
        if (!node_lane(offset, t, &at) || at < 0 || at > INT32_MAX)
            return false;
        out->low = at < out->low ? at : out->low;
        out->high = at + size > out->high ? at + size : out->high;
        if (at % WORD || size % WORD)
            out->unit = 1;
    }
    return out->high - out->low <= MOST_BYTES;
}

static void own(struct owners *owners, uint32_t thread)
{
    if (!owners->thread[0])
        owners->thread[0] = (uint16_t)(thread + 1);
    else if ((owners->thread[0] - 1u) / 32 != thread / 32)
        owners->thread[1] = owners->thread[1] ? owners->thread[1] : (uint16_t)(thread + 1);
    else if (!owners->thread[2])
        owners->thread[2] = (uint16_t)(thread + 1);
}

static void owners_build(struct run *run, struct access *access)
{
    size_t count = (size_t)(access->high - access->low) / access->unit;
    access->owners = arena_array(&run->arena, struct owners, count);
    mask_each (run->masks, access->mask, t) {
        int64_t at = 0;
        node_lane(access->offset, t, &at);
        for (int64_t i = 0; i < access->size; i += access->unit)
            own(&access->owners[(at + i - access->low) / access->unit], t);
    }
}

// Whether every thread of the access has done something since that may order it.
static bool is_ordered(const struct run *run, const struct access *access)
{
    if (run->machines->races->all_ordered > access->time)
        return true;
    mask_each (run->masks, access->mask, t) {
        if (run->machines->races->ordered[t] <= access->time)
            return false;
    }
    return true;
}

// Whether the access of thread `a` may come after that of `b` just as well.
static bool is_open(const struct run *run, const struct access *early, uint32_t a, uint32_t b)
{
    const struct races *races = run->machines->races;
    if (a / 32 != b / 32)
        return races->ordered[a] <= early->time;
    if (early->kind == RACE_READ || races->met[a] > early->time)
        return false;
    return early->kind == RACE_WRITE || !mask_has(early->mask, b);
}

// A thread of `late` that touches bytes which another thread has touched in `early`.
static bool meet(struct run *run, struct access *early, const struct access *late, uint32_t *a,
                 uint32_t *b)
{
    if (!early->owners)
        owners_build(run, early);
    mask_each (run->masks, late->mask, t) {
        int64_t at = 0;
        node_lane(late->offset, t, &at);
        int64_t low = at < early->low ? early->low : at;
        int64_t high = at + late->size > early->high ? early->high : at + late->size;
        for (int64_t i = low - early->low; i < high - early->low; ++i) {
            const struct owners *owners = &early->owners[i / early->unit];
            for (int k = 0; k < 3; ++k) {
                uint32_t owner = owners->thread[k] - 1u;
                if (!owners->thread[k] || owner == t || !is_open(run, early, owner, t))
                    continue;
                *a = owner;
                *b = t;
                return true;
            }
        }
    }
    return false;
}

// Two stores mostly store the same, and what reads a word that others add to means to.
static bool may_race(enum race_access early, enum race_access late)
{
    if (late == RACE_COPY)
        return early == RACE_READ;
    return early != late && !(early == RACE_READ && late == RACE_ADD);
}

static void tell(struct run *run, const struct access *early, const struct access *late, uint32_t a,
                 uint32_t b, bool by_data)
{
    static const char *const verb[] = {"reads", "writes", "adds to", "copies to"};
    // In a guessed block that has one dimension, threads of several share a place.
    if (run->engine->shape.source == ENGINE_SHAPE_GUESS &&
        (run->special[IR_TID_Y] || run->special[IR_TID_Z]))
        return;
    // Programs seldom launch what then has nothing to do.
    bool weak = run->weak;
    run->weak |= run->empty_loop;
    struct engine_incident *incident = record_incident(
        run, ENGINE_VIOLATION, BARLINT_SYNC_MISSING, late->site.function, late->site.op,
        late->site.chain, record_object(run, late->object, 0, true), late->mask);
    run->weak = weak;
    if (!incident)
        return;
    incident->number[0] =
        (early->bound | late->bound) * 32 + by_data * 16 + late->kind * 4 + early->kind;
    incident->number[1] = a;
    incident->number[2] = b;
    record_step(run, incident, record_place(run, early->site.chain, early->site.loc),
                "thread %u %s it here", a, verb[early->kind]);
    record_step(run, incident, record_place(run, late->site.chain, late->site.loc),
                "thread %u %s it here, perhaps first", b, verb[late->kind]);
}

// Under a condition that is not decided nobody may be the one to touch it. Bounds of what the
// threads work on hold for most of them, and what threads count is there somewhere.
static bool is_inside(struct run *run, const struct group *group, enum race_access kind)
{
    for (const struct arms *arms = group->arms; arms; arms = arms->outer) {
        bool counts = kind == RACE_ADD && arms->condition->shape != SHAPE_UNIFORM;
        if (!counts && (arms->loop != IR_NONE || !parting_is_bound(run, arms->condition)))
            return false;
    }
    return true;
}

// Whether the number comes from data alone: from what is loaded, not from the thread's own number
// nor from sizes that nobody knows here.
static bool is_data(struct run *run, const struct node *node, bool *loads)
{
    switch (node->kind) {
    case NODE_CONST:
        return true;
    case NODE_ATOM:
        *loads |= node->shape != SHAPE_UNIFORM;
        return node->shape != SHAPE_UNIFORM;
    case NODE_LINEAR:
        if (node->linear.base->kind != NODE_CONST)
            return false;
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            if (!is_data(run, node->linear.term[i].atom, loads))
                return false;
        }
        return true;
    case NODE_EXPR:
        if (node->expr.op == NODE_OP_LOAD) {
            *loads = true;
            return node->shape != SHAPE_UNIFORM;
        }
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i) {
            if (node->expr.argument[i] && !is_data(run, node->expr.argument[i], loads))
                return false;
        }
        return true;
    default:
        return false;
    }
}

// The threads touch the object at places that their data decide, while some of it may have yet to
// be written by other warps.
static void scattered(struct run *run, const struct group *group, const struct node *address,
                      enum race_access kind)
{
    struct races *races = run->machines->races;
    bool loads = false;
    if (!is_data(run, address->address.offset, &loads) || !loads)
        return;
    const struct mask *mask = mask_and(run->masks, group->mask, run->block_mask[0]);
    for (ptrdiff_t i = arrlen(races->access); i-- > 0 && mask->count;) {
        const struct access *early = &races->access[i];
        uint32_t a = early->mask->first, b = mask->first;
        if (early->object != address->address.object || early->kind != RACE_WRITE)
            continue;
        mask_each (run->masks, mask, t)
            b = t / 32 != a / 32 ? t : b;
        if (a / 32 == b / 32 || !is_open(run, early, a, b))
            continue;
        struct access late = {.object = early->object,
                              .mask = mask,
                              .site = named_site_here(run, group),
                              .kind = kind};
        tell(run, early, &late, a, b, true);
        arrdel(races->access, i);
    }
}

void races_touched(struct run *run, struct group *group, const struct node *address, uint32_t size,
                   enum race_access kind)
{
    struct races *races = run->machines->races;
    struct access late;
    if (address->kind != NODE_ADDRESS || address->address.rank || run->afterlife ||
        !is_inside(run, group, kind) || run->object[address->address.object].kind != OBJECT_SHARED)
        return;
    if (!access_of(run, group, address, size, kind, &late)) {
        scattered(run, group, address, kind);
        return;
    }
    for (ptrdiff_t i = arrlen(races->access); i-- > 0;) {
        struct access *early = &races->access[i];
        uint32_t a, b;
        if (early->object != late.object || early->low >= late.high || late.low >= early->high)
            continue;
        if (is_ordered(run, early)) {
            arrdel(races->access, i);
            continue;
        }
        if (!may_race(early->kind, kind) || !meet(run, early, &late, &a, &b)) {
            // The same threads at the same place again: once is enough.
            if (early->kind == kind && early->mask == late.mask && early->offset == late.offset &&
                early->size == late.size)
                arrdel(races->access, i);
            continue;
        }
        tell(run, early, &late, a, b, false);
        arrdel(races->access, i);
    }
    if (kind == RACE_COPY)
        return; // whoever reads it waits for it at an mbarrier: loads.c
    if (arrlen(races->access) >= MOST_ACCESSES)
        arrdel(races->access, 0);
    arrput(races->access, late);
}
