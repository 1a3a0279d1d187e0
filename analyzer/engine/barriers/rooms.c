// Tensor copies of boxes that nobody can read here, as the host encodes their maps elsewhere: what
// the phase that they complete announces is held against the room that they have in shared memory.
// A copy does not write over what the others of its phase bring, nor over the next stage of its own
// ring, so that more than the rooms hold never comes. And where what some of them have room for is
// announced to the byte, the others have been forgotten.
#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/memory/ordered.h"
#include "engine/story/record.h"

enum {
    MOST_LANDINGS = 128,
    MOST_OF_PHASE = 8,
    ALIGNMENT = 1024, // bytes, the most that a tile is aligned to: that of the 128-byte swizzle
    NOWHERE = -1,
};

// A tensor copy.
struct landing {
    struct named_site site;
    uint32_t mbarrier, life, phase; // which it completes
    uint32_t object;                // where it goes, in the mbarrier's block; IR_NONE: nobody knows
    int64_t offset;
};

// A phase that has ended.
struct account {
    uint32_t mbarrier, life, phase;
    struct traffic traffic;
};

struct rooms {
    struct landing *landing; // stb_ds arrays
    struct account *account;
    bool lost; // copies went to nobody knows which blocks
};

void rooms_init(struct run *run)
{
    run->machines->rooms = arena_new(&run->arena, struct rooms);
}

void rooms_release(struct run *run)
{
    arrfree(run->machines->rooms->landing);
    arrfree(run->machines->rooms->account);
}

static bool is_followed(const struct run *run, const struct mbarrier *mbarrier)
{
    return !run->afterlife && !mbarrier->shared_unknown && mbarrier->count_known &&
           !mbarrier->stands_in;
}

// Whether the copy goes to blocks that nobody knows.
static bool is_astray(struct run *run, struct group *group, const struct model_op *op)
{
    return op->flags & MODEL_MULTICAST &&
           (run->engine->blocks == 1 || op->multicast_mask == IR_NONE ||
            !node_known(operand_field(run, group, op, &op->multicast_mask)));
}

void rooms_copied(struct run *run, struct group *group, const struct model_op *op,
                  const struct mask *mask, uint32_t mbarrier)
{
    struct rooms *rooms = run->machines->rooms;
    const struct mbarrier *at = &run->machines->mbarrier[mbarrier];
    struct landing landing = {.site = named_site_here(run, group),
                              .mbarrier = mbarrier,
                              .life = at->lives,
                              .phase = at->state.phase,
                              .object = IR_NONE};
    struct piece_of_memory piece;
    rooms->lost |= is_astray(run, group, op);
    rooms->lost |= arrlenu(rooms->landing) + mask->count > MOST_LANDINGS;
    if (rooms->lost || !is_followed(run, at))
        return;
    bool placed = op->flags & MODEL_TENSOR && !(op->flags & (MODEL_GATHERS | MODEL_CTA_PAIR)) &&
                  op->scope == MODEL_SCOPE_THREAD && !group->arms &&
                  piece_of(run, group, mask, operand_field(run, group, op, &op->dst), 1, &piece);
    mask_each (run->masks, mask, t) {
        bool here = placed && node_lane(piece.offset, t, &landing.offset);
        landing.object = here ? piece.object : IR_NONE;
        arrput(rooms->landing, landing);
    }
}

void rooms_over(struct run *run, const struct mbarrier *mbarrier, uint32_t phase)
{
    const struct traffic *traffic = &mbarrier->traffic;
    if (!run->machines->rooms->lost && arrlen(run->machines->rooms->landing) > 0 &&
        is_followed(run, mbarrier) && traffic->announced > 0 && !traffic->unsaid &&
        traffic->announce.loc.file)
        arrput(run->machines->rooms->account,
               ((struct account){(uint32_t)(mbarrier - run->machines->mbarrier), mbarrier->lives,
                                 phase, *traffic}));
}

static bool is_of(const struct landing *landing, const struct account *account)
{
    return landing->mbarrier == account->mbarrier && landing->life == account->life &&
           landing->phase == account->phase;
}

static bool is_same_copy(const struct landing *a, const struct landing *b)
{
    return a->site.function == b->site.function && a->site.op == b->site.op &&
           a->site.chain == b->site.chain;
}

// Whether it is a copy that the phase waits for, of this round or another.
static bool belongs(const struct rooms *rooms, const struct account *account,
                    const struct landing *landing)
{
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing); ++i) {
        if (is_of(&rooms->landing[i], account) && is_same_copy(&rooms->landing[i], landing))
            return true;
    }
    return false;
}

// Whether the copy is one of a phase for which as many bytes were announced: one that brings boxes
// of another size may leave them elsewhere in the same memory.
static bool is_of_alike(const struct rooms *rooms, const struct account *account,
                        const struct landing *landing)
{
    for (ptrdiff_t i = 0; i < arrlen(rooms->account); ++i) {
        if (is_of(landing, &rooms->account[i]) &&
            rooms->account[i].traffic.announced == account->traffic.announced)
            return true;
    }
    return false;
}

// The bytes of the variable that the copy goes to; INT64_MAX where its declaration does not say.
static int64_t variable_end(const struct run *run, const struct landing *landing)
{
    const struct object *object = &run->object[landing->object];
    return object->space == IR_SPACE_SHARED && object->type != IR_NONE
               ? (int64_t)run->engine->unit->type[object->type].size
               : INT64_MAX;
}

// The bytes from where the copy goes to where the next one of its phase, or their like in other
// rounds, does, or to the end of the variable; NOWHERE where nobody knows.
static int64_t room_at_most(const struct run *run, const struct account *account,
                            const struct landing *landing)
{
    const struct rooms *rooms = run->machines->rooms;
    int64_t end = variable_end(run, landing);
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing); ++i) {
        const struct landing *next = &rooms->landing[i];
        if (next->object == landing->object && next->offset > landing->offset &&
            next->offset < end && belongs(rooms, account, next) &&
            is_of_alike(rooms, account, next))
            end = next->offset;
    }
    return end == INT64_MAX ? NOWHERE : end - landing->offset;
}

// The same, where several boxes of one map may have rows in common: as many as the longest place
// holds.
static int64_t room_of_box(const struct run *run, const struct account *account,
                           const struct landing *landing)
{
    const struct rooms *rooms = run->machines->rooms;
    int64_t most = room_at_most(run, account, landing);
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing) && most != NOWHERE; ++i) {
        const struct landing *other = &rooms->landing[i];
        if (!is_of(other, account) || !is_same_copy(other, landing) || other->object == IR_NONE)
            continue;
        int64_t room = room_at_most(run, account, other);
        most = room == NOWHERE || room > most ? room : most;
    }
    return most;
}

// The bytes to where the same copy goes in another stage, if no other copy goes there first: what
// it brings is as much, but for what its place is aligned to. Else NOWHERE.
static int64_t room_of_stage(const struct run *run, const struct landing *landing)
{
    const struct rooms *rooms = run->machines->rooms;
    const struct landing *first = NULL;
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing); ++i) {
        const struct landing *next = &rooms->landing[i];
        if (next->object == landing->object && next->offset > landing->offset &&
            (!first || next->offset < first->offset ||
             (next->offset == first->offset && is_same_copy(next, landing))))
            first = next;
    }
    return first && is_same_copy(first, landing) ? first->offset - landing->offset : NOWHERE;
}

// Whether the ring has come round: the copy is made once more for the same mbarrier. Before that a
// stage may seem to be as long as the rest of its ring.
static bool comes_again(const struct rooms *rooms, const struct landing *landing)
{
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing); ++i) {
        const struct landing *again = &rooms->landing[i];
        if (again->mbarrier == landing->mbarrier && again->life == landing->life &&
            again->phase != landing->phase && again->object == landing->object &&
            again->offset == landing->offset && is_same_copy(again, landing))
            return true;
    }
    return false;
}

// Whether the bytes are those that some of the copies have room for, and for each of the others
// there is more than what a place is left free for by its alignment.
static bool forgets(const int64_t *room, uint32_t count, int64_t bytes)
{
    for (uint32_t some = 1; some + 1 < 1u << count; ++some) {
        int64_t sum = 0;
        bool others = true;
        for (uint32_t i = 0; i < count; ++i) {
            sum += some >> i & 1 ? room[i] : 0;
            others = others && (some >> i & 1 || room[i] >= 2 * ALIGNMENT);
        }
        if (sum == bytes && others)
            return true;
    }
    return false;
}

static void tell(struct run *run, const struct account *account, enum barlint_violation violation,
                 int64_t room)
{
    const struct mbarrier *mbarrier = &run->machines->mbarrier[account->mbarrier];
    const struct named_site *site = &account->traffic.announce;
    struct engine_incident *incident =
        record_incident(run, ENGINE_VIOLATION, violation, site->function, site->op, site->chain,
                        mbarrier->result_object, account->traffic.announce_mask);
    if (!incident)
        return;
    const struct engine_object *object = &run->engine->result->object[mbarrier->result_object];
    incident->number[0] = account->traffic.announced;
    incident->number[1] = room;
    incident->number[2] = ENGINE_BYTES_ROOM;
    if (violation == BARLINT_TX_BYTES_FEW)
        incident->needs = "the copies fill the room they have";
    if (object->loc.file)
        record_step(run, incident, object->loc, "'%s' is declared here", object->name);
    record_deeds(run, incident, object->name, mbarrier->deed, mbarrier->deeds);
}

static void judge(struct run *run, const struct account *account)
{
    const struct rooms *rooms = run->machines->rooms;
    const struct traffic *traffic = &account->traffic;
    int64_t room[MOST_OF_PHASE], most = traffic->copied, all = most;
    uint32_t count = 0;
    bool staged = true; // of all copies it is known how long their places are
    for (ptrdiff_t i = 0; i < arrlen(rooms->landing); ++i) {
        const struct landing *landing = &rooms->landing[i];
        if (!is_of(landing, account))
            continue;
        int64_t at_most = landing->object == IR_NONE ? NOWHERE : room_of_box(run, account, landing);
        if (at_most == NOWHERE || count == MOST_OF_PHASE)
            return;
        room[count] = room_of_stage(run, landing);
        staged = staged && room[count] != NOWHERE && comes_again(rooms, landing);
        most += at_most;
        all += room[count++];
    }
    if (count > 0 && traffic->announced > most)
        tell(run, account, BARLINT_TX_BYTES_MANY, most);
    else if (staged && forgets(room, count, traffic->announced - traffic->copied))
        tell(run, account, BARLINT_TX_BYTES_FEW, all);
}

// Where only one block is followed, others of its cluster may send what is announced.
void rooms_end(struct run *run)
{
    const struct rooms *rooms = run->machines->rooms;
    bool alone = run->engine->blocks > 1 ||
                 (!run->engine->known->multicasts && !run->engine->shape.cluster_assumed &&
                  !run->machines->remote_used);
    for (ptrdiff_t i = 0; alone && !rooms->lost && i < arrlen(rooms->account); ++i)
        judge(run, &rooms->account[i]);
}
