// The bytes of a phase of an mbarrier: who announces them, who copies, and what to tell when the
// two do not agree. (PTX ISA 9.1, 9.7.13.15.5, 9.7.13.15.6.)
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

static void owe(struct run *run, struct traffic *traffic, const struct mask *mask,
                const struct node *bytes, enum ir_op_code code)
{
    bytes = bytes ? node_plain(node_restrict(run->nodes, bytes, mask)) : NULL;
    if (!bytes || (bytes->shape != SHAPE_UNIFORM && mask->count > 1) ||
        bytes->kind == NODE_PIECES) {
        traffic->uncounted = true;
        return;
    }
    const struct node *all =
        node_binary(run->nodes, IR_MUL, 64, true, bytes, node_const(run->nodes, mask->count));
    traffic->owed = node_binary(run->nodes, code, 64, true,
                                traffic->owed ? traffic->owed : run->nodes->zero, all);
}

void transactions_announce(struct run *run, struct group *group, ir_value op,
                           const struct mask *mask, struct mbarrier *mbarrier,
                           const struct node *bytes)
{
    struct traffic *traffic = &mbarrier->traffic;
    traffic->announce = named_site_of(run, group, op);
    traffic->announce_mask = mask;
    traffic->announce_threads = mask->count;
    mask_each (run->masks, mask, t) {
        int64_t number = 0;
        bool known = bytes && node_lane(bytes, t, &number);
        traffic->announced += number;
        traffic->announces |= !known || number != 0;
        traffic->unsaid |= !known;
    }
    mbarrier->announced |= traffic->announces;
    owe(run, traffic, mask, bytes, IR_ADD);
}

int64_t transactions_announced(const struct run *run, const struct mask *mask,
                               const struct node *address)
{
    int64_t most = -1;
    if (address->kind != NODE_ADDRESS || address->address.rank)
        return -1;
    mask_each (run->masks, mask, t) {
        const struct mbarrier *found = NULL;
        int64_t offset = 0;
        bool known = node_lane(address->address.offset, t, &offset);
        for (ptrdiff_t i = 0; known && i < arrlen(run->machines->mbarrier) && !found; ++i) {
            const struct mbarrier *at = &run->machines->mbarrier[i];
            if (at->object == address->address.object && at->offset == offset &&
                at->block == t / run->engine->block_threads)
                found = at;
        }
        if (!found || found->shared_unknown || found->traffic.unsaid ||
            found->traffic.announced <= 0)
            return -1;
        most = found->traffic.announced > most ? found->traffic.announced : most;
    }
    return most;
}

void transactions_owe_less(struct run *run, struct group *group, ir_value op,
                           const struct mask *mask, struct mbarrier *mbarrier,
                           const struct node *bytes)
{
    struct traffic *traffic = &mbarrier->traffic;
    owe(run, traffic, mask, bytes, IR_SUB);
    if (bytes && node_known(bytes))
        return;
    traffic->copy = named_site_of(run, group, op);
    traffic->copy_mask = mask;
}

void transactions_copy(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                       struct mbarrier *mbarrier, int64_t bytes)
{
    struct traffic *traffic = &mbarrier->traffic;
    traffic->copy = named_site_of(run, group, op);
    traffic->copy_mask = mask;
    // Blocks of a cluster that copy for each other have one such thread each.
    const struct mask *block = run->block_mask[mask->first / run->engine->block_threads];
    traffic->copy_threads = mask_and(run->masks, mask, block)->count;
    traffic->copied += bytes;
    announced_copy(run, mbarrier, mask, bytes);
}

void transactions_track(struct run *run, struct group *group, ir_value op, const struct mask *mask,
                        struct mbarrier *mbarrier, bool raises)
{
    struct traffic *traffic = &mbarrier->traffic;
    traffic->track = named_site_of(run, group, op);
    traffic->track_mask = mask;
    traffic->raised += raises ? mask->count : 0;
    if (raises)
        return;
    mbarrier->noinc = traffic->track;
    mbarrier->noinc_mask = mask;
}

// Whether one side of the phase was done by one thread, the other by several, each of them for all.
static bool several(int64_t by_all, int64_t by_one, uint32_t threads)
{
    return threads > 1 && by_one > 0 && by_all == by_one * (int64_t)threads;
}

static enum barlint_violation compare(const struct traffic *traffic)
{
    if (traffic->announced == 0)
        return BARLINT_TX_NO_EXPECT;
    if (several(traffic->copied, traffic->announced, traffic->copy_threads) ||
        several(traffic->announced, traffic->copied, traffic->announce_threads))
        return BARLINT_TX_LEADER;
    return traffic->announced > traffic->copied ? BARLINT_TX_BYTES_MANY : BARLINT_TX_BYTES_FEW;
}

const struct named_site *transactions_site(enum barlint_violation violation,
                                           const struct traffic *traffic)
{
    switch (violation) {
    case BARLINT_TX_NO_EXPECT:
        return &traffic->copy;
    case BARLINT_TX_BYTES_FEW:
    case BARLINT_TX_BYTES_MANY:
        return &traffic->announce;
    case BARLINT_TX_LEADER:
        return traffic->announced > traffic->copied ? &traffic->announce : &traffic->copy;
    case BARLINT_TX_NOINC:
        return &traffic->track;
    default:
        return NULL;
    }
}

void transactions_repeated(struct run *run, struct group *group, const struct model_op *op,
                           const struct mask *mask, struct mbarrier *mbarrier)
{
    struct piece_of_memory piece;
    const struct node *to = operand_field(run, group, op, &op->dst);
    struct named_site site = named_site_here(run, group);
    int64_t at;
    mask = mask_and(run->masks, mask, run->block_mask[mbarrier->block]);
    // What copies to a peer may add to what lies there.
    if (op->kind != MODEL_BULK_LOAD || op->scope != MODEL_SCOPE_THREAD ||
        op->flags & MODEL_REMOTE || mask->count < 2 || group->arms || run->afterlife ||
        mbarrier->bytes_doubt || mbarrier->shared_unknown ||
        !piece_of(run, group, mask, to, 1, &piece) ||
        !node_is_const(piece.offset, mask, run->masks, &at))
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, BARLINT_TX_LEADER, site.function, site.op,
                        site.chain, mbarrier->result_object, mask);
    if (incident)
        incident->number[2] = 1;
}

static bool take(struct barlint_violations *violations, enum barlint_violation violation)
{
    bool has = barlint_violations_has(*violations, violation);
    barlint_violations_drop(violations, violation);
    return has;
}

static void tell(struct run *run, const struct mbarrier *mbarrier, const struct traffic *traffic,
                 enum barlint_violation violation, const struct named_site *site,
                 const struct mask *mask)
{
    if (site->loc.file == 0)
        return; // of another phase: told there
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain,
                        mbarrier->result_object, mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = traffic->announced;
    incident->number[1] = traffic->copied;
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
}

// Whatever a copy of unknown size brings, it is more than nothing.
void transactions_end(struct run *run, const struct mbarrier *mbarrier)
{
    const struct traffic *traffic = &mbarrier->traffic;
    if (mbarrier->bytes_unknown && !traffic->announces && !mbarrier->shared_unknown &&
        mbarrier->count_known && traffic->copy.loc.file &&
        mbarrier->sent_phase + 1 == mbarrier->state.phase)
        tell(run, mbarrier, traffic, BARLINT_TX_NO_EXPECT, &traffic->copy, traffic->copy_mask);
}

struct barlint_violations transactions_judge(struct run *run, struct mbarrier *mbarrier,
                                             const struct traffic *traffic,
                                             struct barlint_violations violations)
{
    bool uneven = take(&violations, BARLINT_TX_NO_EXPECT);
    uneven |= take(&violations, BARLINT_TX_BYTES_FEW);
    bool noinc = take(&violations, BARLINT_TX_NOINC);
    // One thread too many announces; or an asynchronous arrival is one too many.
    if (barlint_violations_has(violations, BARLINT_TX_LEADER))
        take(&violations, BARLINT_ARRIVE_OVER);
    else if (mbarrier->noinc.loc.file)
        noinc |= take(&violations, BARLINT_ARRIVE_OVER);
    if (mbarrier->bytes_doubt) {
        take(&violations, BARLINT_TX_LATE_EXPECT);
        // Whatever the bytes are: more at once than the barrier counts are too many.
        if (!mbarrier->bytes_unknown || traffic->announce_threads <= mbarrier->state.expected)
            take(&violations, BARLINT_TX_LEADER);
        uneven = false;
    }
    if (mbarrier->shared_unknown || !mbarrier->count_known)
        return violations;
    if (noinc)
        tell(run, mbarrier, traffic, BARLINT_TX_NOINC, &mbarrier->noinc, mbarrier->noinc_mask);
    if (uneven) {
        enum barlint_violation violation = compare(traffic);
        const struct named_site *site = transactions_site(violation, traffic);
        tell(run, mbarrier, traffic, violation, site,
             site == &traffic->copy ? traffic->copy_mask : traffic->announce_mask);
    }
    mbarrier->bytes_doubt |= uneven || barlint_violations_has(violations, BARLINT_TX_LEADER);
    return violations;
}

// Between which numbers the bytes lie that the open phase is owed; false where nobody can say.
static bool owed_range(struct run *run, const struct mbarrier *mbarrier, int64_t *low,
                       int64_t *high)
{
    const struct traffic *traffic = &mbarrier->traffic;
    *low = *high = 0;
    if (!mbarrier->bytes_unknown || traffic->uncounted || !traffic->owed || mbarrier->miscounted ||
        mbarrier->shared_unknown || !mbarrier->count_known)
        return false;
    const struct node *owed = resolve(run, traffic->owed);
    interval_of(run, owed, low, high);
    // So many times a number that may be 0, as sizes may be that nobody means to be.
    if (owed->kind == NODE_LINEAR && owed->linear.count == 1 &&
        owed->linear.base == run->nodes->zero && *low <= 0 && *high >= 0) {
        int64_t sign = owed->linear.term[0].factor > 0 ? 1 : -1;
        if (sign > 0 ? *high > 0 : *low < 0)
            *low = *high = sign;
    }
    int sign = *low <= 0 && *high >= 0 && *low < *high ? bytes_left(run, owed) : 0;
    if (sign)
        *low = *high = sign;
    return *low <= *high;
}

bool transactions_may_fit(struct run *run, const struct mbarrier *mbarrier)
{
    int64_t low, high;
    return !owed_range(run, mbarrier, &low, &high) || (low <= 0 && high >= 0);
}

void transactions_settle(struct run *run, struct mbarrier *mbarrier)
{
    const struct traffic *traffic = &mbarrier->traffic;
    int64_t low, high;
    bool counted = owed_range(run, mbarrier, &low, &high);
    bool few = counted && high < 0, many = counted && low > 0;
    mbarrier->miscounted |= !counted || low != 0 || high != 0;
    if (!few && !many)
        return;
    enum barlint_violation violation = many ? BARLINT_TX_BYTES_MANY : BARLINT_TX_BYTES_FEW;
    const struct named_site *site = &traffic->announce;
    if (site->loc.file == 0)
        return;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain,
                        mbarrier->result_object, traffic->announce_mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = many;
    incident->number[1] = few;
    incident->number[2] = ENGINE_BYTES_COMPARED;
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
}

enum barlint_violation transactions_blame(const struct mbarrier *mbarrier)
{
    const struct barlint_mbarrier *state = &mbarrier->state;
    const struct traffic *traffic = &mbarrier->traffic;
    if (mbarrier->bytes_doubt)
        return BARLINT_VIOLATION_COUNT_;
    if (state->pending == 0 && state->tx != 0) {
        enum barlint_violation violation = compare(traffic);
        if (violation == BARLINT_TX_LEADER)
            return violation;
        if (state->tx > 0)
            return BARLINT_TX_BYTES_MANY;
        return state->announced == 0 ? BARLINT_TX_NO_EXPECT : BARLINT_TX_BYTES_FEW;
    }
    // Each of these arrivals only took back what it had added (9.7.13.15.15).
    if (state->pending > 0 && traffic->raised >= state->pending && mbarrier->arrived->count == 0)
        return BARLINT_TX_NOINC;
    return BARLINT_VIOLATION_COUNT_;
}
