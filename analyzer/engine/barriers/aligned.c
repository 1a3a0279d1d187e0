// Instructions that all threads of a warp or of a warpgroup execute together (.sync.aligned: mma,
// ldmatrix, wgmma, setmaxnreg, tcgen05; the .aligned forms of the cluster barrier). Groups come to
// one after the other; whoever was there when others executed it and exits without having done so
// as often has passed it by. (PTX ISA 9.1, 9.7.13.3, 9.7.14, 9.7.15, 9.7.19.5.)
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/story/record.h"
#include "engine/walk/walk.h"

enum { WARPGROUP_THREADS = 128, WARP_THREADS = 32 };

struct aligned {
    struct aligned *next;
    struct named_site site;
    int64_t registers; // that a setmaxnreg asks for, below 0 where it gives some up; 0: another
    uint32_t width;    // threads that execute it together
    enum barlint_violation violation;
    int32_t *owed; // by thread: how many times more the others of its warp or warpgroup did
    const struct mask *joined; // who ever did
    const struct mask *whole;  // threads that came last, where all have come in whole so far
    bool torn;                 // some have not
    bool told, told_gone;      // the latter of threads that had left the kernel
};

// What a setmaxnreg asks for, below 0 where it gives registers up; 0 of another instruction, and
// where nobody can say.
static int64_t registers_of(struct run *run, struct group *group, const struct model_op *op)
{
    int64_t count;
    if (op->kind != MODEL_SETMAXNREG ||
        !node_is_const(resolve(run, operand_field(run, group, op, &op->count)), group->mask,
                       run->masks, &count))
        return 0;
    return op->flags & MODEL_INCREASE ? count : -count;
}

// Warps of a warpgroup that ask for the same number of registers, each in its role, are taken to
// execute one instruction: the hardware does not tell.
static struct aligned *aligned_at(struct run *run, struct group *group, ir_value value,
                                  const struct model_op *op)
{
    const struct frame *frame = group->frame;
    int64_t registers = registers_of(run, group, op);
    struct aligned *at = run->machines->aligned;
    while (at && !(registers != 0 && at->registers == registers) &&
           (at->site.function != frame->function || at->site.op != value ||
            at->site.chain != frame->chain))
        at = at->next;
    if (at)
        return at;
    at = arena_new(&run->arena, struct aligned);
    *at = (struct aligned){
        .next = run->machines->aligned,
        .site = {frame->function, value, frame->chain,
                 ir_op_at(&run->engine->unit->function[frame->function], value)->loc},
        .registers = registers,
        .width = op->kind == MODEL_WARPGROUP || op->kind == MODEL_SETMAXNREG ? WARPGROUP_THREADS
                                                                             : WARP_THREADS,
        .violation = op->scope == MODEL_SCOPE_CLUSTER ? BARLINT_CLUSTER_DIVERGENT
                                                      : BARLINT_WARP_GROUP_DIVERGENT,
        .owed = arena_array(&run->arena, int32_t, run->engine->threads),
        .joined = run->masks->none};
    run->machines->aligned = at;
    return at;
}

static void tell(struct run *run, struct aligned *at, const struct mask *absent, bool certain)
{
    struct parting_found found = {0};
    // What the numbers of the threads decide is sure; what data decide may be the same for a warp.
    bool parted = parting_between(run, absent, at->joined, &found);
    bool weak = run->weak;
    at->told = true;
    run->weak |= !certain && !(parted && found.parting->by_number && !found.parting->by_data &&
                               run->engine->shape.block_known);
    struct engine_incident *incident =
        record_incident(run, ENGINE_SKIPPED, at->violation, at->site.function, at->site.op,
                        at->site.chain, UINT32_MAX, at->joined);
    run->weak = weak;
    if (!incident)
        return;
    incident->number[0] = at->width;
    incident->number[1] = certain;
    incident->number[2] = at->violation == BARLINT_CLUSTER_DIVERGENT;
    record_threads(run, &incident->missing, absent);
    if (parted)
        record_parting(run, incident, found.parting, absent);
}

// Warps that have left the kernel do not come any more; of those that all further instructions lack
// as well once is enough. Of lanes it is not held against a kernel that whatever it is launched for
// fills its warps.
static void check_gone(struct run *run, struct aligned *at, const struct mask *whole)
{
    struct mask_builder gone;
    mask_builder_clear(run->masks, &gone);
    mask_each (run->masks, mask_and(run->masks, whole, run->exited), t) {
        if (at->owed[t] > 0)
            mask_builder_add(&gone, t);
    }
    const struct mask *absent = mask_builder_end(run->masks, &gone);
    if (absent->count == 0)
        return;
    for (const struct aligned *old = run->machines->aligned; old; old = old->next) {
        if (old->told_gone && old != at)
            return;
    }
    at->told_gone = true;
    tell(run, at, absent, false);
}

void aligned_execute(struct run *run, struct group *group, const struct model_op *op,
                     ir_value value)
{
    uint32_t size = run->engine->block_threads;
    if (run->afterlife)
        return;
    if (op->kind == MODEL_WARPGROUP)
        lag_together(run, group->mask);
    if (group->arms)
        return;
    struct aligned *at = aligned_at(run, group, value, op);
    uint32_t width = at->width;
    if (at->whole == group->mask && !at->torn)
        return; // as before: nobody owes anything
    at->joined = mask_or(run->masks, at->joined, group->mask);
    const struct mask *rest = group->mask;
    while (rest->count) {
        uint32_t first = rest->first - rest->first % size % width, end = first + width;
        uint32_t block_end = first / size * size + size;
        uint32_t last = end < block_end ? end : block_end;
        const struct mask *whole = mask_range(run->masks, first, last);
        const struct mask *here = mask_and(run->masks, rest, whole);
        rest = mask_minus(run->masks, rest, whole);
        at->torn |= here != whole;
        // The least of them is where all stand.
        int32_t least = 0;
        for (uint32_t t = first; t < last; ++t) {
            at->owed[t] -= here == whole || mask_has(here, t);
            least = at->owed[t] < least ? at->owed[t] : least;
        }
        for (uint32_t t = first; t < last; ++t)
            at->owed[t] -= least;
        if (width == WARPGROUP_THREADS && !at->told)
            check_gone(run, at, whole);
        if (width == WARPGROUP_THREADS && end > block_end && !at->told &&
            run->engine->shape.block_known)
            tell(run, at, run->masks->none, true);
    }
    at->whole = group->mask;
}

// The first lanes of each warp among the threads.
static const struct mask *first_lanes(struct run *run, const struct mask *mask, int64_t lanes)
{
    uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
    mask_each (run->masks, mask, t) {
        if (t % run->engine->block_threads % WARP_THREADS < lanes)
            word[t / 64] |= UINT64_C(1) << (t % 64);
    }
    return mask_from_words(run->masks, word);
}

// Where the rows begin of a matrix whose first one begins at the address.
static const struct node *row_addresses(struct run *run, struct group *group,
                                        const struct model_op *op, const struct node *first)
{
    if (op->matrix.element == 0)
        return first;
    int64_t *row = arena_array(&run->arena, int64_t, run->masks->threads);
    for (uint32_t t = 0; t < run->masks->threads; ++t)
        row[t] = t % run->engine->block_threads % WARP_THREADS * op->matrix.element;
    const struct node *pitch = operand_field(run, group, op, &op->width);
    const struct node *offset =
        node_binary(run->nodes, IR_MUL, 64, true, node_vector(run->nodes, row), pitch);
    return node_binary(run->nodes, IR_ADD, 64, true, first, offset);
}

void aligned_touch(struct run *run, struct group *group, const struct model_op *op)
{
    const ir_value *field = op->src != IR_NONE ? &op->src : &op->dst;
    if (op->matrix.rows == 0 || *field == IR_NONE)
        return;
    struct group rows = *group;
    rows.mask = first_lanes(run, group->mask, op->matrix.rows);
    const struct node *first = operand_field(run, group, op, field);
    access_touched(run, &rows, row_addresses(run, group, op, first), *field,
                   (uint32_t)op->matrix.row_bytes, field == &op->dst, false);
}

void aligned_exit(struct run *run, const struct mask *mask)
{
    if (run->afterlife || run->over)
        return;
    for (struct aligned *at = run->machines->aligned; at; at = at->next) {
        uint64_t *word = arena_array(&run->arena, uint64_t, run->masks->words);
        mask_each (run->masks, mask, t) {
            if (at->owed[t] > 0)
                word[t / 64] |= UINT64_C(1) << (t % 64);
        }
        const struct mask *absent = mask_from_words(run->masks, word);
        if (absent->count && !at->told)
            tell(run, at, absent, false);
    }
}
