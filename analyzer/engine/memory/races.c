// Plain accesses of two threads to the same bytes of shared memory, one of them a store, with
// nothing between them that could order them: the thread that came first has neither arrived
// anywhere nor passed a fence since. (PTX ISA 9.1, 8.10.) Lanes of one warp may run apart as well
// (Programming Guide 13, 3.2.2); but all of them have read before one of them overwrites it in the
// same piece of code, as compilers make it, or behind an exchange. An access whose place is not
// known is not followed; two stores are left alone, as they mostly store the same value.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/memory/ordered.h"
#include "engine/memory/races_internal.h"
#include "engine/story/record.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"
#include "engine/walk/walk.h"

enum {
    MOST_ACCESSES = 48,   // that are remembered: see forget()
    MOST_HALVES = 16,     // the same of stores in first arms
    MOST_BYTES = 1 << 16, // between the first and the last byte of an access
    WORD_SHIFT = 2,
    WORD = 1 << WORD_SHIFT,
};

struct races {
    struct access *access; // stb_ds array
    struct access *half;   // stb_ds array: stores in the first arm of a branch
    bool lost;
};

void races_init(struct run *run)
{
    run->machines->races = arena_new(&run->arena, struct races);
}

void races_release(struct run *run)
{
    arrfree(run->machines->races->access);
    arrfree(run->machines->races->half);
}

const struct access *races_all(const struct run *run)
{
    return run->machines->races->access;
}

bool races_unreleased(const struct run *run, const struct mask *mask)
{
    const struct races *races = run->machines->races;
    for (ptrdiff_t i = arrlen(races->access); i-- > 0;) {
        const struct access *access = &races->access[i];
        if (access->in_grid || !mask_overlaps(run->masks, access->mask, mask))
            continue;
        mask_each (run->masks, mask, t) {
            if (mask_has(access->mask, t) && !orders_released(run, t, access->time))
                return true;
        }
    }
    return false;
}

void races_lose(struct run *run)
{
    run->machines->races->lost = true;
}

// What one block copies to all of them is mostly copied by the first one; and what each has from
// those before it, or behind, only the last one has, or the first: under another order of threads
// it is the other's memory.
uint32_t races_block(const struct run *run)
{
    bool last = run->engine->known->multicasts || run->policy != POLICY_TOGETHER;
    return last ? run->engine->blocks - 1 : 0;
}

// The threads of the mask to which an address with that rank is one of the followed block's memory.
static const struct mask *users_of(struct run *run, const struct mask *mask,
                                   const struct node *rank)
{
    if (!rank)
        return mask_and(run->masks, mask, run->block_mask[races_block(run)]);
    struct mask_builder builder;
    mask_builder_clear(run->masks, &builder);
    rank = resolve(run, rank);
    mask_each (run->masks, mask, t) {
        int64_t owner = -1;
        if (node_lane(rank, t, &owner) && owner == races_block(run))
            mask_builder_add(&builder, t);
    }
    return mask_builder_end(run->masks, &builder);
}

// The memory that accesses are followed in: shared, or such of the grid's that only a barrier of
// the block orders, in a block of which the size is known; 0 for other memory.
static uint32_t followed(struct run *run, const struct group *group, const struct node *address)
{
    const struct frame *frame = group->frame;
    if (address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_SHARED)
        return address->address.object;
    // A copy between such memory and a variable of the function's own goes to both.
    if (address->kind == NODE_ADDRESS && run->object[address->address.object].kind == OBJECT_LOCAL)
        return 0;
    const bool *open = facts_of(run->engine, frame->function)->open;
    if (!open || !open[frame->at] || !run->engine->shape.block_known)
        return 0;
    return memory_object(run, address);
}

// Whether the operation that the group is at stores what is the same in all threads.
static bool stores_alike(struct run *run, struct group *group, const struct ir_function *function,
                         const struct ir_op *op)
{
    if (op->code == IR_STORE) {
        const struct node *value = group_get(run, group, ir_operand(function, op, 1));
        if (value && value->shape == SHAPE_UNIFORM && value->kind != NODE_PIECES)
            return true;
    }
    return alike_stored(run, group->frame, op, 0); // a value that is not followed
}

// The coordinates that the two threads of a block have in common, bit 0 for x.
static unsigned in_common(const struct run *run, uint32_t a, uint32_t b)
{
    unsigned common = 0;
    for (int i = 0; i < 3; ++i) {
        uint32_t extent = (uint32_t)run->engine->shape.block[i];
        common |= (unsigned)(a % extent == b % extent) << i;
        a /= extent;
        b /= extent;
    }
    return common;
}

static bool at_one_place(const struct access *access, uint32_t a, uint32_t b)
{
    int64_t one, other;
    return mask_has(access->mask, a) && mask_has(access->mask, b) &&
           node_lane(access->offset, a, &one) && node_lane(access->offset, b, &other) &&
           one == other;
}

// What neighbours in a row of the block have in common, or those in a column, where they store to
// one place and the text says that they store the same there; 0 otherwise.
static unsigned stored_by_rows(struct run *run, const struct group *group,
                               const struct access *access, const struct ir_op *op)
{
    uint32_t first = access->mask->first, size = run->engine->block_threads;
    uint32_t next[] = {first + 1, first + (uint32_t)run->engine->shape.block[0]};
    for (int i = 0; i < 2; ++i) {
        if (next[i] >= size || !at_one_place(access, first, next[i]))
            continue;
        unsigned common = in_common(run, first, next[i]);
        return alike_stored(run, group->frame, op, common) ? common : 0;
    }
    return 0;
}

static uint64_t place_key(const struct access *access)
{
    return (uint64_t)access->site.function << 32 | access->site.op;
}

// Notes that the operation sends threads to places of their own, for this launch or for others.
static void note_spread(struct run *run, const struct access *access)
{
    struct engine *engine = run->engine;
    if (access->in_grid)
        hmputs(engine->spread, (typeof(*engine->spread)){place_key(access)});
}

// Whether it has done so at another time: where all go to one place then, they have been sent there
// for want of their own.
static bool is_spread(const struct run *run, const struct access *access)
{
    struct engine *engine = run->engine;
    return hmgeti(engine->spread, place_key(access)) >= 0;
}

static bool access_of(struct run *run, struct group *group, const struct node *address,
                      ir_value where, uint32_t size, enum race_access kind, struct access *out)
{
    uint32_t object = followed(run, group, address);
    if (!object)
        return false;
    const struct node *rank = address->kind == NODE_ADDRESS ? address->address.rank : NULL;
    const struct mask *mask = users_of(run, group->mask, rank);
    const struct node *offset = address->kind == NODE_ADDRESS ? address->address.offset : address;
    *out = (struct access){.object = object,
                           .mask = mask,
                           .asked = offset,
                           .size = size,
                           .shift = WORD_SHIFT,
                           .time = orders_time(run),
                           .site = named_site_here(run, group),
                           .kind = kind,
                           .arms = group->arms};
    const struct ir_function *function = &run->engine->unit->function[out->site.function];
    out->block = group->frame->block;
    // That assembly is volatile says nothing of what it copies, or of a matrix that it loads.
    const struct ir_op *op = ir_op_at(function, out->site.op);
    out->is_volatile = op->code != IR_PTX && op->flags & IR_VOLATILE;
    out->in_grid = run->object[object].kind != OBJECT_SHARED;
    if (mask->count == 0 || size == 0)
        return false;
    if (!scatter_split(run, resolve(run, offset), out)) {
        note_spread(run, out);
        return false;
    }
    if (out->mask->count == 0)
        return false;
    tiles_fill(run, out);
    mask = out->mask;
    offset = out->offset;
    if (out->in_grid && out->choice.step)
        return false; // the data of all blocks may see to it
    out->choice.array = scatter_array(run, group, where);
    if (kind == RACE_READ)
        out->counter = sized_counter(run, group, where);
    out->mask = mask = behind_none(run, out);
    if (mask->count == 0)
        return false;
    struct reach reach;
    bool open = out->form || out->choice.step; // what is known of it may well lie in front
    if (!node_reach(run->nodes, offset, mask, &reach) || (reach.low < 0 && !open) ||
        reach.low < INT32_MIN || reach.high > INT32_MAX)
        return false;
    out->low = reach.low;
    out->high = reach.high + size;
    if (reach.bits % WORD || size % WORD)
        out->shift = 0;
    if (reach.low != reach.high)
        note_spread(run, out);
    // Asked only of what several threads store to one place.
    out->alike = kind == RACE_WRITE && reach.low == reach.high && mask->count > 1 &&
                 stores_alike(run, group, function, op);
    if (kind == RACE_WRITE && !out->in_grid && !open && reach.low != reach.high)
        out->row = (uint8_t)stored_by_rows(run, group, out, op);
    if (out->choice.step)
        scatter_reach(run, out);
    return out->high - out->low <= MOST_BYTES;
}

// Whether whatever others do from now on comes after the access.
static bool is_settled(const struct run *run, const struct access *access)
{
    if (!orders_settled_all(run, access->mask, access->time))
        return false;
    if (!run->machines->arrival && !run->machines->with_copies)
        return true;
    mask_each (run->masks, access->mask, t) {
        if (touch_only_relaxed(run, t, access->time) ||
            touch_only_with_copies(run, t, access->time))
            return false;
    }
    return true;
}

bool races_relaxed(const struct run *run, const struct access *early, const struct access *late,
                   uint32_t a, uint32_t b)
{
    uint32_t size = run->engine->block_threads;
    return early->kind == RACE_WRITE && late->kind == RACE_READ && a / 32 != b / 32 &&
           a / size == b / size && touch_only_relaxed(run, a, early->time);
}

const struct named_site *races_with_copies(const struct run *run, const struct access *early,
                                           const struct access *late, uint32_t a, uint32_t b)
{
    bool apart = a / 32 != b / 32 && !orders_fenced(run, a, early->time);
    return early->kind == RACE_WRITE && late->kind == RACE_READ && apart
               ? touch_only_with_copies(run, a, early->time)
               : NULL;
}

// Whether what a lane of thread `a`'s warp did then happened before what `b` does: one lane often
// arrives for its warp when all have read, which it knows where they have exchanged something
// since.
static bool warp_before(const struct run *run, uint32_t a, uint32_t time, uint32_t b)
{
    uint32_t size = run->engine->block_threads, first = warp_of(run, a);
    uint32_t end = a - a % size + size;
    for (uint32_t l = first; l < first + 32 && l < end; ++l) {
        if (orders_before(run, l, time, b))
            return true;
    }
    return false;
}

// Whether the access of thread `a` may come after that of `b` just as well.
static bool is_open(const struct run *run, const struct access *early, const struct access *late,
                    uint32_t a, uint32_t b)
{
    if (late->kind == RACE_COPY && a / 32 == b / 32) // who exchanges something has read it
        return !orders_gathered(run, a, early->time) && !orders_before(run, a, early->time, b);
    if (late->kind == RACE_COPY)
        return !(orders_gathered(run, a, early->time) ? warp_before(run, a, early->time, b)
                                                      : orders_before(run, a, early->time, b));
    int64_t number;
    bool plain;
    bool one_place = early->high - early->low == early->size;
    if (late->kind == RACE_READ && early->kind == RACE_WRITE && one_place && !early->found &&
        mask_has(early->mask, b) &&
        (early->in_grid || early->alike || races_store_constant(run, early, &number, &plain)))
        return false; // thread b has stored the same there itself
    if (late->kind == RACE_READ && early->row && !early->found && at_one_place(early, a, b) &&
        (in_common(run, a, b) & early->row) == early->row)
        return false; // the same of the threads of a row
    // Beyond the end of an array threads often read its last element, for nothing.
    if (late->in_grid && early->kind == RACE_READ && (!one_place || is_spread(run, early)))
        return false;
    // Who has waited for a word reads what is there by then.
    if (early->kind == RACE_READ && orders_asked(run, a, early->time, b))
        return false;
    if (orders_before(run, a, early->time, b))
        return races_relaxed(run, early, late, a, b) || races_with_copies(run, early, late, a, b);
    // One lane speaks for those that have read and exchanged something since.
    if (early->kind == RACE_READ && orders_exchanged(run, a, early->time) &&
        warp_before(run, a, early->time, b))
        return false;
    if (a / 32 != b / 32)
        return true;
    if (late->in_grid)
        return false;
    // Who has exchanged something with the others since has read it; and who has met others at a
    // barrier that this lane has not come to is ahead in this run only.
    if (early->kind == RACE_READ)
        return late->kind == RACE_WRITE && !orders_gathered(run, a, early->time) &&
               !orders_ahead(run, a, b);
    if (early->kind == RACE_WRITE)
        return late->kind != RACE_WRITE;
    // That this lane has added something as well does not say that others have.
    bool sums = early->kind == RACE_ADD && late->kind == RACE_READ &&
                !orders_gathered(run, a, early->time) && !orders_ahead(run, a, b);
    return sums || !mask_has(early->mask, b);
}

// Best is a pair of different warps.
bool races_pair_up(struct run *run, const struct access *early, const struct access *late,
                   uint32_t owner, uint32_t thread, struct pair *pair)
{
    enum { BEST = 4 };
    bool ordinary = true;
    bool one_warp = owner / 32 == thread / 32, known = run->engine->shape.block_known;
    bool wanted = one_warp && !known && !pair->lanes;
    if (owner == thread || (pair->rank >= (one_warp ? BEST - 1 : BEST) && !wanted) ||
        !is_open(run, early, late, owner, thread))
        return false;
    if ((early->arms || late->arms) &&
        !within_both(run, early->arms, owner, late->arms, thread, &ordinary, NULL))
        return false;
    uint32_t rank = 1 + !one_warp + 2 * ordinary;
    pair->lanes |= wanted && ordinary && !orders_fenced(run, owner, early->time);
    if (rank > pair->rank)
        *pair = (struct pair){owner, thread, ordinary, rank, pair->lanes};
    return pair->rank == BEST && (known || pair->lanes);
}

// Whether thread `b`, which goes over more than that costs to ask, comes after all of the access.
static bool comes_after(const struct run *run, const struct access *early,
                        const struct access *late, uint32_t b)
{
    if (late->size >> early->shift < early->mask->count)
        return false;
    mask_each (run->masks, early->mask, a) {
        if (!orders_before(run, a, early->time, b) || races_relaxed(run, early, late, a, b) ||
            races_with_copies(run, early, late, a, b))
            return false;
    }
    return true;
}

// A thread of `late` that touches bytes which another thread has touched in `early`.
static bool meet(struct run *run, struct access *early, const struct access *late,
                 struct pair *pair)
{
    *pair = (struct pair){0};
    mask_each (run->masks, late->mask, t) {
        int64_t at = 0;
        if (comes_after(run, early, late, t))
            continue;
        if (!early->owners)
            early->owners = owners_of(run, early);
        node_lane(late->offset, t, &at);
        int64_t low = at < early->low ? early->low : at;
        int64_t high = at + late->size > early->high ? early->high : at + late->size;
        if (low >= high)
            continue;
        uint32_t end = (uint32_t)((high - 1 - early->low) >> early->shift);
        for (uint32_t i = (uint32_t)((low - early->low) >> early->shift); i <= end; ++i) {
            const struct owners *owners = owners_at(early->owners, i);
            for (int k = 0; k < 3; ++k) {
                if (owners->thread[k] &&
                    races_pair_up(run, early, late, owners->thread[k] - 1u, t, pair))
                    return true;
            }
        }
    }
    return pair->rank > 0;
}

// Two stores mostly store the same, but for a first value and another one. What reads a word that
// others add to means to.
static bool may_race(const struct run *run, const struct access *early, const struct access *late)
{
    int64_t first, second;
    bool plain, too;
    if (late->kind == RACE_COPY)
        return early->kind == RACE_READ || (early->kind == RACE_WRITE && !early->found);
    if (early->found && early->kind == RACE_WRITE)
        return late->kind == RACE_READ;
    if (early->kind == RACE_WRITE && late->kind == RACE_WRITE)
        return races_store_constant(run, early, &first, &plain) &&
               (!races_store_constant(run, late, &second, &too) ||
                (plain && too && first != second));
    return early->kind != late->kind && !(early->kind == RACE_READ && late->kind == RACE_ADD);
}

// Who goes round until enough has been counted sees it sooner or later.
static bool is_waited_for(const struct run *run, const struct access *early,
                          const struct access *late)
{
    return early->kind == RACE_ADD && late->kind == RACE_READ &&
           late->site.chain == early->site.chain &&
           polls_with(run->engine, late->site.function, late->block, late->site.op);
}

// Whether the late access takes the place of the early one: once is enough.
static bool repeats(const struct access *early, const struct access *late)
{
    bool same_place = early->form == late->form && early->offset == late->offset &&
                      (early->choice.step != 0) == (late->choice.step != 0);
    return early->kind == late->kind && early->mask == late->mask && same_place &&
           early->size == late->size && early->arms == late->arms &&
           (!late->choice.step || early->site.op == late->site.op);
}

static bool same_place(const struct access *one, const struct access *other)
{
    return one->object == other->object && one->form == other->form &&
           one->offset == other->offset && one->choice.step == other->choice.step &&
           one->size == other->size && one->mask == other->mask;
}

// Where both arms of a branch store to a place, whichever condition decides, it is stored to.
static void join_arms(struct run *run, struct access *store)
{
    struct races *races = run->machines->races;
    while (store->arms && store->arms->loop == IR_NONE) {
        const struct arms *arms = store->arms;
        if (arms->other != IR_NONE) {
            if (arrlen(races->half) >= MOST_HALVES)
                arrdel(races->half, 0);
            arrput(races->half, *store);
            return;
        }
        ptrdiff_t i = arrlen(races->half);
        const struct node *condition = node_not(run->nodes, arms->condition);
        while (i-- > 0) {
            const struct access *half = &races->half[i];
            if (half->arms->outer == arms->outer && half->arms->condition == condition &&
                !is_settled(run, half) && same_place(half, store))
                break;
        }
        if (i < 0)
            return;
        store->arms = arms->outer;
        store->joined = true;
    }
}

// Whether all threads go to one word, or all lanes of each warp to one.
static bool is_to_one_word(const struct run *run, const struct access *access)
{
    int64_t first = 0, at = 0;
    if (access->high - access->low == access->size)
        return true;
    if (access->mask->count != run->engine->block_threads)
        return false;
    mask_each (run->masks, access->mask, t) {
        node_lane(access->offset, t, &at);
        if (t % run->engine->block_threads % 32 == 0)
            first = at;
        if (at != first)
            return false;
    }
    return true;
}

// Whether threads store to one word what they find in data, a flag or where it is: somebody finds
// it.
static bool is_flag(struct run *run, const struct access *access)
{
    return access->kind == RACE_WRITE && is_to_one_word(run, access) &&
           within_bounds(run, access->arms, access->object, true);
}

// Whether threads access a place where they find what they look for in data.
static bool is_found(struct run *run, const struct access *access)
{
    bool known = !access->form && !access->choice.step;
    return !access->in_grid && (is_flag(run, access) || ((access->kind == RACE_READ ||
                                                          (access->kind == RACE_WRITE && known)) &&
                                                         within_found(run, access->arms)));
}

// Whether both stand under one condition; `choosing`: under one that threads may answer each in
// their own way, unlike whether a loop over a size goes on.
static bool share_condition(const struct arms *one, const struct arms *other, bool choosing)
{
    for (; one; one = one->outer) {
        if (choosing && one->condition->shape == SHAPE_UNIFORM)
            continue;
        for (const struct arms *arms = other; arms; arms = arms->outer) {
            if (arms->condition == one->condition)
                return true;
        }
    }
    return false;
}

// Whether a read of what threads have found and stored is one that they mean to make early, to
// spare themselves work: they read that one word before they stored as well. Or that the same data
// choose who reads.
static bool is_hint(const struct run *run, ptrdiff_t store, const struct access *read)
{
    const struct access *all = run->machines->races->access;
    bool one_word = read->high - read->low == read->size;
    for (ptrdiff_t i = 0; i < store && one_word; ++i) {
        if (all[i].kind == RACE_READ && all[i].object == read->object &&
            all[i].site.op == read->site.op && all[i].site.function == read->site.function &&
            !is_settled(run, &all[i]))
            return true;
    }
    return share_condition(all[store].arms, read->arms, true);
}

// Whether all threads of the block, or of each warp, ask the word who comes to a barrier: one that
// finds it set by what others do behind it goes another way than those.
static bool decides_for_all(const struct run *run, const struct access *read)
{
    const uint8_t *mode = run->engine->known->facts[read->site.function].mode;
    bool is_told = read->is_volatile && run->engine->known->polls;
    return read->kind == RACE_READ && is_to_one_word(run, read) && !read->arms && !is_told &&
           !read->in_grid && mode && mode[read->site.op] == OP_KEEP &&
           read->mask->count == run->engine->block_threads;
}

// Whether the store, which only some threads make, is to what all threads that are there have read
// in another piece of code.
static bool refills(const struct run *run, const struct access *early, const struct access *late)
{
    return early->kind == RACE_READ && !early->found && !early->is_volatile &&
           !races_one_step(run, early, late) && !share_condition(early->arms, late->arms, false);
}

// Makes room for one more: the instruction that fills most of the list, which a loop repeats, gives
// up its oldest but the first. What was done once before the loop stays known, and of the loop its
// first round, where the next one over the same memory begins.
static void forget(struct races *races)
{
    struct {
        uint64_t key;
        uint32_t count, second; // the second of its accesses; of a single one that one
    } place[MOST_ACCESSES];
    uint32_t places = 0, most = 0;
    for (uint32_t i = 0; i < arrlenu(races->access); ++i) {
        uint64_t key = place_key(&races->access[i]);
        uint32_t k = 0;
        while (k < places && place[k].key != key)
            ++k;
        if (k == places)
            place[places++] = (typeof(*place)){.key = key, .second = i};
        if (++place[k].count == 2)
            place[k].second = i;
    }
    for (uint32_t k = 1; k < places; ++k)
        most = place[k].count > place[most].count ? k : most;
    arrdel(races->access, place[most].second);
}

// Whether a thread of each may touch the same bytes. What a size has to be for that is added to the
// arms of `one` and `other`, which are the same two accesses.
static bool come_together(struct run *run, struct access *early, const struct access *late,
                          struct access *one, struct access *other, struct pair *pair)
{
    if (early->form != late->form)
        return scatter_meet_anywhere(run, early, late, pair) || sized_meet(run, one, other, pair);
    if (early->choice.step || late->choice.step)
        return scatter_meet(run, early, late, pair);
    return meet(run, early, late, pair) || sized_meet_later(run, one, other, pair);
}

void races_touched(struct run *run, struct group *group, const struct node *address, ir_value where,
                   uint32_t size, enum race_access kind)
{
    struct races *races = run->machines->races;
    struct access late;
    bool passing = kind == RACE_FETCH;
    if (kind != RACE_READ && !passing)
        written_at(run, group, address, where, kind == RACE_COPY ? -1 : (int64_t)size);
    if (kind == RACE_ADD || kind == RACE_COPY)
        abandoned_touched(run, group, address, size, true);
    kind = passing ? RACE_READ : kind;
    if (races->lost || run->afterlife || !access_of(run, group, address, where, size, kind, &late))
        return;
    if (kind == RACE_WRITE)
        join_arms(run, &late);
    bool counts = kind == RACE_ADD || late.choice.step, flag = false;
    if (!within_bounds(run, late.arms, late.object, counts)) {
        late.found = is_found(run, &late);
        flag = late.found && is_flag(run, &late);
        if (!late.found)
            return;
    }
    // What is found and stored comes after a word's first value only: else it is in place, unless
    // all that was asked lies elsewhere.
    bool filled = late.found && late.kind == RACE_WRITE && within_brought(run, late.arms);
    bool alone = late.found && late.kind == RACE_WRITE && !flag && !filled;
    if (arrlen(run->decision) > 0 &&
        (scatter_leaves(run, &late) || (kind == RACE_WRITE && scatter_is_in_front(run, &late))))
        return;
    certainty_came_to(run->engine, late.site.function, late.site.op, late.site.chain);
    for (ptrdiff_t i = arrlen(races->access); i-- > 0 && !alone;) {
        struct access *early = &races->access[i];
        struct pair pair;
        bool by_data = early->choice.step || late.choice.step || early->form != late.form;
        run->machines->refusals = 0;
        if (early->object != late.object ||
            (late.found && early->kind != RACE_WRITE && !(flag && decides_for_all(run, early)) &&
             !(filled && refills(run, early, &late))) ||
            (!by_data && (early->low >= late.high || late.low >= early->high)))
            continue;
        if (is_settled(run, early)) {
            arrdel(races->access, i);
            continue;
        }
        bool may = may_race(run, early, &late);
        struct access one, other; // under what a size has to be
        if (may) {
            one = *early;
            other = late;
        }
        if (!may || !come_together(run, early, &late, &one, &other, &pair)) {
            if (repeats(early, &late))
                arrdel(races->access, i);
            continue;
        }
        if (is_waited_for(run, early, &late) || (early->found && is_hint(run, i, &late)))
            continue;
        races_tell(run, &one, &other, &pair, by_data);
        if (pair.early / 32 != pair.late / 32) // else another warp may come to it yet
            arrdel(races->access, i);
    }
    if (kind == RACE_COPY || passing)
        return; // whoever reads a copy waits for it at an mbarrier: loads.c
    if (arrlen(races->access) >= MOST_ACCESSES)
        forget(races);
    arrput(races->access, late);
}
