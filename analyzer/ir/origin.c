// Where pointers come from. A variable, or a member of one, that one store alone reaches holds what
// is stored there; what several reach is not followed, and what none does is unknown.
#include "ir/origin.h"

#include "base/vec.h"

enum {
    MOST_STEPS = 20000, // of following one address
    MOST_DEPTH = 12,    // of calls
    MOST_OPS = 100000,  // of a walk through a kernel
};

struct value {
    const struct ir_frame *frame;
    ir_value value;
};

// Bytes of a variable of a frame's function, or of a record that the kernel is given.
struct place {
    const struct ir_frame *frame;
    int64_t local; // its number, or the parameter's
    int64_t offset;
    bool given;
};

struct tracer {
    const struct ir_unit *unit;
    struct arena *arena; // of frames
    uint32_t steps;
    struct place given; // the latest such record that a value was found to come from
};

static bool stored_at(struct tracer *tracer, const struct place *place, struct value *out);

static struct value operand(struct value at, const struct ir_op *op, uint32_t index)
{
    return (struct value){at.frame, ir_operand(at.frame->function, op, index)};
}

// Goes one step back to where the value was made: to the argument, or to what was stored. False
// where there is no such step. `plain`: of what variables hold, arguments alone are followed, as
// one that asks who stores to variables must.
static bool step_back(struct tracer *tracer, struct value *at, bool plain);

static bool is_record(const struct ir_unit *unit, ir_type_id type)
{
    return type != IR_NONE && unit->type[type].kind == IR_TYPE_RECORD;
}

static bool place_of(struct tracer *tracer, struct value at, bool plain, struct place *out)
{
    int64_t offset = 0;
    while (tracer->steps++ < MOST_STEPS) {
        const struct ir_op *op = ir_op_at(at.frame->function, at.value);
        bool given = op && op->code == IR_PARAM && !at.frame->caller &&
                     is_record(tracer->unit, at.frame->function->param[op->imm].type);
        if (op && (op->code == IR_LOCAL || given)) {
            *out = (struct place){at.frame, op->imm, offset, given};
            return true;
        }
        if (op && op->code == IR_OFFSET) {
            offset += op->imm;
            at = operand(at, op, 0);
        } else if (!op || !step_back(tracer, &at, plain)) {
            return false;
        }
    }
    return false;
}

// What the variable itself is set to, in one place, where that is an argument.
static bool argument_in(const struct place *place, struct value *out)
{
    if (place->given)
        return false;
    const struct ir_function *function = place->frame->function;
    const struct ir_op *what = NULL;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to =
            op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        if (!to || to->code != IR_LOCAL || to->imm != place->local)
            continue;
        *out = (struct value){place->frame, ir_operand(function, op, 1)};
        if (what)
            return false;
        what = ir_op_at(function, out->value);
    }
    return place->offset == 0 && what && what->code == IR_PARAM;
}

static bool step_back(struct tracer *tracer, struct value *at, bool plain)
{
    const struct ir_op *op = ir_op_at(at->frame->function, at->value);
    const struct ir_frame *frame = at->frame;
    struct place place;
    if (!op)
        return false;
    switch (op->code) {
    case IR_CAST:
        *at = operand(*at, op, 0);
        return true;
    case IR_PARAM:
        if (!frame->caller)
            return false;
        *at = (struct value){frame->caller, IR_NONE};
        *at = operand(*at, frame->call, (uint32_t)op->imm);
        return true;
    case IR_LOAD:
        return place_of(tracer, operand(*at, op, 0), plain, &place) &&
               (argument_in(&place, at) || (!plain && stored_at(tracer, &place, at)));
    default:
        return false;
    }
}

// Looks for stores to the place in a function, and in those that it hands the variable on to.
// Returns how many there are; `out` gets what one of them stores.
static uint32_t find_stores(struct tracer *tracer, const struct ir_frame *frame,
                            const struct place *place, int depth, struct value *out)
{
    uint32_t found = 0;
    for (ptrdiff_t i = 0; i < arrlen(frame->function->op) && found < 2; ++i) {
        const struct ir_op *op = &frame->function->op[i];
        struct value here = {frame, IR_NONE};
        struct place to, from;
        if ((op->code != IR_STORE && op->code != IR_COPY && op->code != IR_CALL) ||
            !place_of(tracer, operand(here, op, 0), true, &to) || to.frame != place->frame ||
            to.local != place->local || to.given != place->given)
            continue;
        if (op->code == IR_STORE && to.offset == place->offset) {
            *out = operand(here, op, 1);
            ++found;
        } else if (op->code == IR_COPY && to.offset <= place->offset &&
                   place->offset < to.offset + op->imm) {
            if (!place_of(tracer, operand(here, op, 1), true, &from))
                return 2;
            from.offset += place->offset - to.offset;
            found += stored_at(tracer, &from, out) ? 1 : 2;
        } else if (op->code == IR_CALL && depth < MOST_DEPTH) {
            struct ir_frame *callee = arena_new(tracer->arena, struct ir_frame);
            *callee = (struct ir_frame){frame, &tracer->unit->function[op->imm], op};
            found += find_stores(tracer, callee, place, depth + 1, out);
        }
    }
    return found;
}

static bool stored_at(struct tracer *tracer, const struct place *place, struct value *out)
{
    if (tracer->steps++ >= MOST_STEPS)
        return false;
    uint32_t found = find_stores(tracer, place->frame, place, 0, out);
    if (!place->given)
        return found == 1;
    // What the host has put there: no operation of the kernel's makes it.
    tracer->given = *place;
    *out = (struct value){place->frame, IR_NONE};
    return found == 0;
}

const struct ir_op *ir_array_of(const struct ir_unit *unit, const struct ir_frame *frame,
                                ir_value address, struct arena *arena, int64_t *begin)
{
    struct tracer tracer = {.unit = unit, .arena = arena};
    struct value at = {frame, address};
    bool cast = false, indexed = false; // by a number that is no constant, below the cast
    *begin = 0;
    while (tracer.steps++ < MOST_STEPS) {
        const struct ir_op *op = ir_op_at(at.frame->function, at.value);
        if (!op)
            return NULL;
        switch (op->code) {
        case IR_OFFSET:
            *begin += op->imm;
            at = operand(at, op, 0);
            break;
        case IR_INDEX:
        case IR_ADD:
            indexed = true;
            at = operand(at, op, 0);
            break;
        case IR_LOCAL:
        case IR_GLOBAL:
            *begin = cast && !indexed ? *begin : IR_ARRAY_UNKNOWN;
            return op;
        default:
            if (op->code == IR_PARAM && !at.frame->caller)
                return op;
            if (op->code == IR_CAST) {
                cast = true;
                indexed = false;
                *begin = 0;
            }
            if (!step_back(&tracer, &at, false))
                return NULL;
        }
    }
    return NULL;
}

const struct ir_op *ir_base_of(const struct ir_unit *unit, const struct ir_frame *frame,
                               ir_value address, struct arena *arena)
{
    int64_t begin;
    return ir_array_of(unit, frame, address, arena, &begin);
}

bool ir_constant_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value value,
                    struct arena *arena, int64_t *out)
{
    struct tracer tracer = {.unit = unit, .arena = arena};
    struct value at = {frame, value};
    while (tracer.steps++ < MOST_STEPS) {
        const struct ir_op *op = ir_op_at(at.frame->function, at.value);
        if (!op || op->code == IR_CONST) {
            *out = op ? op->imm : 0;
            return op;
        }
        if (op->code == IR_CAST || !step_back(&tracer, &at, true))
            return false; // a cast may make another number of it
    }
    return false;
}

int ir_origin_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value address,
                 struct arena *arena)
{
    const struct ir_op *base = ir_base_of(unit, frame, address, arena);
    if (!base)
        return IR_ORIGIN_UNKNOWN;
    return base->code == IR_PARAM ? (int)base->imm : IR_ORIGIN_OWN;
}

// Whether the address is found by a pointer within such a record.
static bool follow_to_member(struct tracer *tracer, struct value at, struct ir_member *out)
{
    while (tracer->steps++ < MOST_STEPS) {
        const struct ir_op *op = ir_op_at(at.frame->function, at.value);
        if (!op) {
            *out = (struct ir_member){(uint32_t)tracer->given.local, tracer->given.offset};
            return at.value == IR_NONE && tracer->given.frame;
        }
        tracer->given.frame = NULL;
        if (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_ADD)
            at = operand(at, op, 0);
        else if (!step_back(tracer, &at, false))
            return false;
    }
    return false;
}

bool ir_member_of(const struct ir_unit *unit, const struct ir_frame *frame, ir_value address,
                  struct arena *arena, struct ir_member *out)
{
    struct tracer tracer = {.unit = unit, .arena = arena};
    return follow_to_member(&tracer, (struct value){frame, address}, out);
}

struct members {
    struct ir_member *member;
    uint32_t count, room, ops;
    struct arena *arena;
};

static void members_written_in(const struct ir_unit *unit, const struct ir_frame *frame, int depth,
                               struct members *members)
{
    for (ptrdiff_t i = 0; i < arrlen(frame->function->op) && ++members->ops < MOST_OPS; ++i) {
        const struct ir_op *op = &frame->function->op[i];
        struct ir_member member;
        if (op->code == IR_CALL && depth < MOST_DEPTH) {
            struct ir_frame callee = {frame, &unit->function[op->imm], op};
            members_written_in(unit, &callee, depth + 1, members);
        }
        if ((op->code != IR_STORE && op->code != IR_COPY) || members->count == members->room ||
            !ir_member_of(unit, frame, ir_operand(frame->function, op, 0), members->arena, &member))
            continue;
        uint32_t at = 0;
        while (at < members->count && (members->member[at].param != member.param ||
                                       members->member[at].offset != member.offset))
            ++at;
        members->member[at] = member;
        members->count += at == members->count;
    }
}

uint32_t ir_members_written(const struct ir_unit *unit, ir_function_id kernel,
                            struct ir_member *out, uint32_t room)
{
    struct ir_frame frame = {NULL, &unit->function[kernel], NULL};
    struct arena arena;
    arena_init(&arena);
    struct members members = {out, 0, room, 0, &arena};
    members_written_in(unit, &frame, 0, &members);
    arena_release(&arena);
    return members.count;
}

static uint64_t written_in(const struct ir_unit *unit, const struct ir_frame *frame, int depth,
                           uint32_t *ops, struct arena *arena)
{
    uint64_t written = 0;
    for (ptrdiff_t i = 0; i < arrlen(frame->function->op) && ++*ops < MOST_OPS; ++i) {
        const struct ir_op *op = &frame->function->op[i];
        if (op->code == IR_STORE || op->code == IR_COPY) {
            int origin = ir_origin_of(unit, frame, ir_operand(frame->function, op, 0), arena);
            written |= origin >= 0 && origin < 64 ? UINT64_C(1) << origin : 0;
        } else if (op->code == IR_CALL && depth < MOST_DEPTH) {
            struct ir_frame callee = {frame, &unit->function[op->imm], op};
            written |= written_in(unit, &callee, depth + 1, ops, arena);
        }
    }
    return written;
}

uint64_t ir_params_written(const struct ir_unit *unit, ir_function_id kernel)
{
    struct ir_frame frame = {NULL, &unit->function[kernel], NULL};
    uint32_t ops = 0;
    struct arena arena;
    arena_init(&arena);
    uint64_t written = written_in(unit, &frame, 0, &ops, &arena);
    arena_release(&arena);
    return written;
}
