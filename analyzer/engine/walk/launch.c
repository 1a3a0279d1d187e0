// Launch shapes: where a kernel is launched and with how many threads. Functions that launch are
// run as they are, with one thread, so that the extents are followed through variables, dim3
// objects and configuration structs.
#include <string.h>

#include "base/vec.h"
#include "engine/barriers/machines.h"
#include "engine/decisions/decisions.h"
#include "engine/run.h"
#include "engine/walk/launch.h"
#include "engine/walk/walk.h"
#include "ir/origin.h"

enum {
    MAX_HOST_STEPS = 2000000, // of all host functions of a unit
    MAX_CHOICES = 6,          // block sizes of one launch
};

// What else an extent may be than the numbers that are known.
enum others {
    OTHERS_GIVEN = 1, // what a caller passes
    OTHERS_FOUND = 2, // what is looked up, as what the device says of itself
};

static uint32_t choices_of(const struct node *node, int64_t *out, uint32_t most, unsigned *others);

// The choices of a quotient one side of which is a number.
static uint32_t quotients(const struct node *node, int64_t *out, uint32_t most, unsigned *others)
{
    const struct node *above = node->expr.argument[0], *below = node->expr.argument[1];
    bool divides = above->kind == NODE_CONST;
    uint32_t count = 0;
    if (divides || (below->kind == NODE_CONST && below->value > 0))
        count = choices_of(divides ? below : above, out, most, others);
    for (uint32_t i = 0; i < count; ++i)
        out[i] = !divides ? out[i] / below->value : out[i] > 0 ? above->value / out[i] : 0;
    *others |= count == 0 ? OTHERS_FOUND : 0;
    return count;
}

// The numbers that the value may be, where conditions or min() and max() choose among a few; their
// count, or 0. What else it may be, as a number that the command line gives, is left aside, which
// `others` says, and so is a number that no block has, which may be there to be cut down:
// min(n, 2048). What one of them leaves of the threads is a choice as well: 512 / min(n, 32).
static uint32_t choices_of(const struct node *node, int64_t *out, uint32_t most, unsigned *others)
{
    if (node->kind == NODE_CONST && most && node->value > 0 && node->value <= 1024) {
        *out = node->value;
        return 1;
    }
    bool least = node->kind == NODE_EXPR && (node->expr.op == IR_MIN || node->expr.op == IR_MAX);
    if (least || (node->kind == NODE_EXPR && node->expr.op == NODE_OP_MERGE)) {
        uint32_t first = choices_of(node->expr.argument[least ? 0 : 1], out, most, others);
        return first +
               choices_of(node->expr.argument[least ? 1 : 2], out + first, most - first, others);
    }
    if (node->kind == NODE_LINEAR && node->linear.count == 1 &&
        node->linear.base->kind == NODE_CONST) {
        uint32_t count = choices_of(node->linear.term[0].atom, out, most, others);
        for (uint32_t i = 0; i < count; ++i)
            out[i] = node->linear.base->value + node->linear.term[0].factor * out[i];
        return count;
    }
    if (node->kind == NODE_EXPR && node->expr.op == IR_DIV)
        return quotients(node, out, most, others);
    *others |= node->kind == NODE_ATOM ? OTHERS_GIVEN : OTHERS_FOUND;
    return 0;
}

// The number that a condition around the launch asks of the node: if (k == 1).
static bool is_asked_for(const struct arms *arms, const struct node *node, int64_t *out)
{
    for (; arms; arms = arms->outer) {
        const struct node *asked = arms->condition;
        int64_t base;
        if (asked->kind == NODE_EXPR && asked->expr.op == NODE_OP_EQ0 &&
            node_is_plus(asked->expr.argument[0], node_plain(node), &base)) {
            *out = -base;
            return true;
        }
    }
    return false;
}

static void read_arguments(struct run *run, struct group *group, const struct ir_op *op,
                           struct engine_shape *shape)
{
    const struct ir_unit *unit = run->engine->unit;
    struct argument argument[ENGINE_ARGUMENTS];
    uint32_t count = arguments_of(unit, &unit->function[shape->kernel], argument);
    for (uint32_t i = 0; i < count; ++i) {
        const struct node *node = unit->type[argument[i].type].kind == IR_TYPE_INT
                                      ? argument_passed(run, group, op, &argument[i])
                                      : NULL;
        int64_t value;
        if (node && (node_is_const(node, group->mask, run->masks, &value) ||
                     is_asked_for(group->arms, node, &value))) {
            shape->argument[i] = value;
            shape->arguments_known |= UINT64_C(1) << i;
        }
    }
}

// The stream a launch goes to; NULL for the default one.
static const struct node *stream_of(struct run *run, struct group *group, const struct ir_op *op)
{
    if (launch_operand(run, group, op, IR_LAUNCH_STREAM, 0) == 0)
        return NULL;
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    return operand_of(run, group, ir_operand(function, op, IR_LAUNCH_STREAM));
}

// The pointers within records that the launch passes.
static void read_members(struct run *run, struct group *group, const struct ir_op *op,
                         struct launched *now)
{
    const struct ir_unit *unit = run->engine->unit;
    struct argument argument[ENGINE_MEMBERS];
    now->members = pointers_within(unit, &unit->function[now->kernel], argument, ENGINE_MEMBERS);
    for (uint32_t i = 0; i < now->members; ++i) {
        now->member[i].at = (struct ir_member){argument[i].param, argument[i].offset};
        now->member[i].value = argument_passed(run, group, op, &argument[i]);
    }
}

// Whether the launch passes the pointer and its kernel writes there.
static bool writes_to(const struct launched *launched, const struct node *pointer, uint64_t written,
                      const struct ir_member *member, uint32_t members)
{
    if (!pointer || node_known(pointer))
        return false;
    for (uint32_t k = 0; k < ENGINE_ARGUMENTS; ++k) {
        if (written >> k & 1 && launched->argument[k] == pointer)
            return true;
    }
    for (uint32_t k = 0; k < launched->members; ++k) {
        for (uint32_t i = 0; i < members && launched->member[k].value == pointer; ++i) {
            if (member[i].param == launched->member[k].at.param &&
                member[i].offset == launched->member[k].at.offset)
                return true;
        }
    }
    return false;
}

// Which of the pointers that the launch passes the one before it in the same stream was given as
// well, for a kernel that writes there.
static void compare_with_last(struct run *run, struct group *group, const struct ir_op *op,
                              struct engine_shape *shape)
{
    const struct ir_unit *unit = run->engine->unit;
    struct launched *now = arena_new(&run->arena, struct launched);
    const struct launched *before = run->launched;
    now->kernel = shape->kernel;
    now->loc = shape->loc;
    now->stream = stream_of(run, group, op);
    run->launched = now;
    host_launched(run, now);
    struct argument argument[ENGINE_ARGUMENTS];
    uint32_t count = arguments_of(unit, &unit->function[shape->kernel], argument);
    for (uint32_t i = 0; i < count; ++i) {
        if (argument[i].is_member)
            continue;
        const struct node *passed = argument_passed(run, group, op, &argument[i]);
        now->argument[i] = unit->type[argument[i].type].kind == IR_TYPE_POINTER
                               ? passed
                               : tensor_data(run, group, argument[i].type, passed);
    }
    read_members(run, group, op, now);
    if (!before || !shape->dependent || before->stream != now->stream)
        return;
    uint64_t written = ir_params_written(unit, before->kernel);
    struct ir_member member[ENGINE_MEMBERS];
    uint32_t members = ir_members_written(unit, before->kernel, member, ENGINE_MEMBERS);
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        if (writes_to(before, now->argument[i], written, member, members))
            shape->arguments_written |= UINT64_C(1) << i;
    }
    for (uint32_t i = 0; i < now->members; ++i) {
        if (writes_to(before, now->member[i].value, written, member, members))
            shape->member_written[shape->members_written++] = now->member[i].at;
    }
    if (shape->arguments_written || shape->members_written)
        shape->after = unit->function[before->kernel].name;
}

static bool same_extents(const struct engine_shape *a, const struct engine_shape *b)
{
    return memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 &&
           a->cluster_assumed == b->cluster_assumed && a->cooperative == b->cooperative &&
           a->dependent == b->dependent && a->attributes_lost == b->attributes_lost &&
           a->shared_bytes == b->shared_bytes;
}

// Whether a quantity of one call is the same as one of another. What nobody knows is so as far as
// the operands of both are equal.
static bool same_quantity(const struct engine_call *a, uint64_t i, const struct engine_call *b,
                          uint64_t k)
{
    if (i == k && i <= a->of_operands)
        return true;
    const struct engine_quantity *one = &a->quantity[i], *other = &b->quantity[k];
    if (one->op != other->op || one->op == IR_PARAM || one->low != other->low ||
        one->high != other->high)
        return false;
    for (int at = 0; at < 3; ++at) {
        if ((one->argument[at] || other->argument[at]) &&
            !same_quantity(a, one->argument[at], b, other->argument[at]))
            return false;
    }
    return true;
}

static bool has_condition(const struct engine_call *call, const struct engine_call *other,
                          const struct engine_condition *condition)
{
    for (uint32_t i = 0; i < call->conditions; ++i) {
        const struct engine_condition *one = &call->condition[i];
        if (one->low == condition->low && one->high == condition->high &&
            same_quantity(call, one->quantity, other, condition->quantity))
            return true;
    }
    return false;
}

static bool same_operands(const struct engine_call *a, const struct engine_call *b)
{
    return a->of_operands == b->of_operands &&
           memcmp(a->quantity, b->quantity, (a->of_operands + 1) * sizeof *a->quantity) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->argument, b->argument, sizeof a->argument) == 0;
}

// One call more. Ways to a launch that make the same of it are one call, under what holds on both;
// where there are too many, the last stands for what they have in common.
static void add_call(struct engine_shape *shape, const struct engine_call *call,
                     struct arena *arena)
{
    for (uint32_t i = 0; i < shape->calls; ++i) {
        const struct engine_call *old = shape->call[i];
        if (!same_operands(old, call))
            continue;
        struct engine_call *both = arena_new(arena, struct engine_call);
        *both = *old;
        both->conditions = 0;
        for (uint32_t k = 0; k < old->conditions; ++k)
            if (has_condition(call, old, &old->condition[k]))
                both->condition[both->conditions++] = old->condition[k];
        shape->call[i] = both;
        return;
    }
    if (shape->calls < ENGINE_CALLS) {
        shape->call[shape->calls++] = call;
        return;
    }
    struct engine_call *either = arena_new(arena, struct engine_call);
    call_either(shape->call[ENGINE_CALLS - 1], call, either);
    shape->call[ENGINE_CALLS - 1] = either;
}

static bool has_map(const struct engine_shape *shape, const struct engine_tensor_map *map)
{
    for (uint32_t i = 0; i < shape->tensor_maps; ++i) {
        const struct engine_tensor_map *one = &shape->tensor_map[i];
        if (one->argument == map->argument && one->offset == map->offset &&
            one->bytes == map->bytes)
            return true;
    }
    return false;
}

// Leaves of the arguments those that both launches pass alike, and what either allows for.
static void agree(struct engine_shape *shape, const struct engine_shape *other, struct arena *arena)
{
    for (uint32_t i = 0; i < other->host_uses; ++i)
        engine_shape_add_use(shape, &other->host_use[i]);
    uint64_t known = shape->arguments_known & other->arguments_known;
    shape->arguments_written &= other->arguments_written;
    uint32_t members = 0;
    for (uint32_t i = 0; i < shape->members_written; ++i) {
        const struct ir_member *member = &shape->member_written[i];
        for (uint32_t k = 0; k < other->members_written; ++k) {
            if (other->member_written[k].param == member->param &&
                other->member_written[k].offset == member->offset) {
                shape->member_written[members++] = *member;
                break;
            }
        }
    }
    shape->members_written = members;
    for (uint32_t i = 0; i < ENGINE_ARGUMENTS; ++i) {
        if (shape->argument[i] != other->argument[i])
            known &= ~(UINT64_C(1) << i);
    }
    shape->arguments_known = known;
    uint32_t maps = 0;
    for (uint32_t i = 0; i < shape->tensor_maps; ++i)
        if (has_map(other, &shape->tensor_map[i]))
            shape->tensor_map[maps++] = shape->tensor_map[i];
    shape->tensor_maps = maps;
    shape->calls_lost |= other->calls_lost || !shape->calls || !other->calls;
    for (uint32_t i = 0; i < other->calls && !shape->calls_lost; ++i)
        add_call(shape, other->call[i], arena);
    if (shape->calls_lost)
        shape->calls = 0;
}

static void add_shape(struct engine *engine, const struct engine_shape *shape)
{
    for (ptrdiff_t i = 0; i < arrlen(engine->launches->shape); ++i) {
        struct engine_shape *old = &engine->launches->shape[i];
        if (old->kernel == shape->kernel && same_extents(old, shape) &&
            memcmp(&old->loc, &shape->loc, sizeof shape->loc) == 0) {
            if (i >= engine->calls->told)
                agree(old, shape, &engine->launches->calls);
            return;
        }
    }
    arrput(engine->launches->shape, *shape);
}

// Of the numbers for a block of one dimension those that make a warp or more, where there are some:
// a smaller one is where a loop begins that doubles the block until it is large enough.
static uint32_t whole_warps(int64_t *choice, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i)
        if (choice[i] >= 32)
            choice[kept++] = choice[i];
    return kept ? kept : count;
}

// Whether the numbers are what a loop has that begins at one thread and doubles the block, and
// whose end nobody knows: the first rounds say nothing about how large the block is.
static bool grows_from_one(const int64_t *choice, uint32_t count)
{
    bool one = false, two = false, more = false;
    for (uint32_t i = 0; i < count; ++i) {
        one |= choice[i] == 1;
        two |= choice[i] == 2;
        more |= choice[i] >= 32;
    }
    return one && two && !more;
}

static bool is_one_warp(const int64_t *choice, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        if (choice[i] > 32)
            return false;
    return true;
}

// Whether the number is at least another one, and as large as it takes: max(n, 32).
static bool is_at_least(const struct node *node)
{
    return node->kind == NODE_EXPR && node->expr.op == IR_MAX &&
           (node_known(node->expr.argument[0]) || node_known(node->expr.argument[1]));
}

// Whether blocks so large can be launched at all; where something is looked up, by what the kernel
// is compiled for.
static bool can_be(const struct ir_unit *unit, const struct engine_shape *shape, unsigned others)
{
    int64_t most = unit->function[shape->kernel].attributes.max_threads;
    most = others & OTHERS_FOUND && most > 0 ? most : 1024;
    return shape->block[0] * shape->block[1] * shape->block[2] <= most;
}

// A block whose extents are some of a few numbers is launched in as many shapes. Where several
// extents are chosen, the first numbers go together, and so on; as each may go with what was left
// aside of another, a block that cannot be is none of them then: of min(warp, 64) * 4 the 64 is
// only a bound where the kernel is compiled for 128. Of min(n, 64) * 4 it is not: callers pass what
// they like.
static void add_choices(struct run *run, struct group *group, const struct ir_op *op,
                        struct engine_shape *shape)
{
    const struct ir_function *function = &run->engine->unit->function[group->frame->function];
    int64_t choice[3][MAX_CHOICES];
    uint32_t count[3], most = 0;
    bool known = true, added = false, larger = false;
    unsigned others = 0;
    for (int k = 0; k < 3 && known; ++k) {
        choice[k][0] = shape->block[k];
        count[k] = 1;
        if (shape->block[k] > 0)
            continue;
        ir_value operand = ir_operand(function, op, (uint32_t)IR_LAUNCH_BLOCK_X + (uint32_t)k);
        const struct node *extent = resolve(run, operand_of(run, group, operand));
        count[k] = choices_of(extent, choice[k], MAX_CHOICES, &others);
        larger |= is_at_least(extent);
        known = count[k] > 0;
        most = count[k] > most ? count[k] : most;
    }
    if (known && shape->block[1] == 1 && shape->block[2] == 1) {
        most = count[0] = whole_warps(choice[0], count[0]);
        known = !grows_from_one(choice[0], count[0]) && !(larger && is_one_warp(choice[0], most));
    }
    for (uint32_t i = 0; i < most && known; ++i) {
        struct engine_shape one = *shape;
        for (int k = 0; k < 3; ++k)
            one.block[k] = choice[k][i < count[k] ? i : count[k] - 1];
        one.block_known = one.block[0] > 0 && one.block[1] > 0 && one.block[2] > 0;
        if (!one.block_known || (others && !can_be(run->engine->unit, &one, others)))
            continue;
        add_shape(run->engine, &one);
        added = true;
    }
    if (!added)
        add_shape(run->engine, shape);
}

// Whether clusters may have the size that the launch prefers: the whole grid may, where it divides.
static bool may_prefer(const struct engine *engine, const struct engine_shape *shape,
                       const int64_t preferred[3])
{
    const struct ir_function *kernel = &engine->unit->function[shape->kernel];
    bool may = shape->block_known && !shape->attributes_lost && !shape->cluster_assumed &&
               kernel->attributes.cluster[0] <= 0;
    for (int k = 0; k < 3; ++k)
        may = may && preferred[k] > 0 && shape->grid[k] > 0 && shape->grid[k] % preferred[k] == 0;
    return may;
}

void launch_seen(struct run *run, struct group *group, const struct ir_op *op)
{
    struct engine *engine = run->engine;
    if (!engine->launches)
        return;
    const struct ir_function *function = &engine->unit->function[group->frame->function];
    int64_t kernel = op->imm;
    if (kernel < 0 && op->operand_count && ir_operand(function, op, 0) != IR_NONE) {
        const struct node *target = operand_of(run, group, ir_operand(function, op, 0));
        const uint64_t tag = UINT64_C(0x2000000000000000);
        if (target->kind == NODE_ATOM && target->atom.key >= tag &&
            target->atom.key - tag < (uint64_t)arrlen(engine->unit->function))
            kernel = (int64_t)(target->atom.key - tag);
    }
    if (kernel < 0 || kernel >= (int64_t)arrlen(engine->unit->function))
        return;
    engine->calls->launched[group->frame->function] = true;
    struct engine_shape shape = {.source = ENGINE_SHAPE_LAUNCH,
                                 .launched = true,
                                 .kernel = (ir_function_id)kernel,
                                 .loc = op->loc,
                                 .launcher = function->name,
                                 .launcher_key = function->key,
                                 .block_known = true};
    for (int k = 0; k < 3; ++k) {
        shape.grid[k] =
            launch_operand(run, group, op, (enum ir_launch_operand)(IR_LAUNCH_GRID_X + k), 1);
        if (shape.grid[k] < 0)
            shape.grid[k] = 0;
        shape.block[k] =
            launch_operand(run, group, op, (enum ir_launch_operand)(IR_LAUNCH_BLOCK_X + k), 1);
        if (shape.block[k] <= 0)
            shape.block_known = false;
        shape.cluster[k] = 1;
    }
    shape.shared_bytes = launch_operand(run, group, op, IR_LAUNCH_SHARED_BYTES, 0);
    shape.cooperative = launch_operand(run, group, op, IR_LAUNCH_COOPERATIVE, 0) == 1;
    int64_t preferred[3] = {0, 0, 0};
    launch_attributes(run, group, op, &shape, preferred);
    bool may_grow = may_prefer(engine, &shape, preferred);
    shape.attributes_lost |= preferred[0] > 0 && !may_grow;
    read_arguments(run, group, op, &shape);
    tensor_launched(run, group, op, &shape);
    struct engine_call *call = arena_new(&engine->launches->calls, struct engine_call);
    host_call(run, group, op, &engine->unit->function[kernel], call);
    shape.call[shape.calls++] = call;
    compare_with_last(run, group, op, &shape);
    if (shape.block_known)
        add_shape(engine, &shape);
    else
        add_choices(run, group, op, &shape);
    if (may_grow) {
        memcpy(shape.cluster, preferred, sizeof shape.cluster);
        add_shape(engine, &shape);
    }
}

// --- Finding the launches of a kernel ------------------------------------------------------------

static bool function_launches(const struct ir_function *function)
{
    if (!(function->flags & IR_FN_BODY))
        return false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        if (function->op[i].code == IR_LAUNCH)
            return true;
    }
    return false;
}

// Marks every function that calls a marked one.
static bool *callers_of(const struct ir_unit *unit, const bool *marked, struct arena *arena)
{
    ptrdiff_t count = arrlen(unit->function);
    bool *all = arena_array(arena, bool, (size_t)count + 1);
    memcpy(all, marked, (size_t)count * sizeof *all);
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t f = 0; f < count; ++f) {
            const struct ir_function *function = &unit->function[f];
            for (ptrdiff_t i = 0; i < arrlen(function->op) && !all[f]; ++i) {
                const struct ir_op *op = &function->op[i];
                if (op->code == IR_CALL && all[op->imm] && !(function->flags & IR_FN_KERNEL))
                    all[f] = changed = true;
            }
        }
    }
    return all;
}

static bool *called_in_unit(const struct ir_unit *unit, struct arena *arena)
{
    bool *called = arena_array(arena, bool, (size_t)arrlen(unit->function) + 1);
    for (ptrdiff_t f = 0; f < arrlen(unit->function); ++f) {
        const struct ir_function *function = &unit->function[f];
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            if (function->op[i].code == IR_CALL && function->op[i].imm != f)
                called[function->op[i].imm] = true;
        }
    }
    return called;
}

void launch_shape_add(struct engine_shapes *out, struct engine_shape shape)
{
    for (ptrdiff_t i = 0; i < arrlen(out->shape); ++i) {
        if (same_extents(&out->shape[i], &shape) &&
            out->shape[i].block_known == shape.block_known) {
            agree(&out->shape[i], &shape, &out->calls);
            return;
        }
    }
    if (arrlen(out->shape) < 8)
        arrput(out->shape, shape);
}

// The operations of a function and of all that it calls, up to LARGE; `size` keeps what is found, 0
// for nothing yet. What calls itself, or calls deeper than anybody writes, is large.
enum { LARGE = 2000, DEEPEST = 256 };

static uint32_t size_of(const struct ir_unit *unit, ir_function_id id, uint32_t depth,
                        uint32_t *size)
{
    const struct ir_function *function = &unit->function[id];
    if (size[id])
        return size[id];
    if (depth >= DEEPEST)
        return LARGE;
    size[id] = LARGE;
    size_t sum = arrlenu(function->op) + 1;
    for (ptrdiff_t i = 0; i < arrlen(function->op) && sum < LARGE; ++i) {
        if (function->op[i].code == IR_CALL)
            sum += size_of(unit, (ir_function_id)function->op[i].imm, depth + 1, size);
    }
    return size[id] = sum < LARGE ? (uint32_t)sum : LARGE;
}

// The functions that a host function in a hurry passes over: what they do takes long, and is no
// launch. A descriptor of a tensor made by CuTe takes thousands of operations.
static bool *passed_in_hurry(const struct ir_unit *unit, const bool *reaching, struct arena *arena)
{
    size_t count = arrlenu(unit->function);
    uint32_t *size = arena_array(arena, uint32_t, count + 1);
    bool *passed = arena_array(arena, bool, count + 1);
    for (size_t f = 0; f < count; ++f)
        passed[f] = !reaching[f] && size_of(unit, (ir_function_id)f, 0, size) == LARGE;
    return passed;
}

// Runs a host function, and where that comes to no launch, once more in a hurry.
static uint64_t run_host(struct engine_shapes *out, struct engine_unit *known, ir_function_id host,
                         const struct host_calls *calls)
{
    ptrdiff_t before = arrlen(out->shape);
    struct host_calls slow = *calls;
    slow.passed = NULL;
    uint64_t steps = engine_run_host(out, known, host, &slow);
    return arrlen(out->shape) > before ? steps : steps + engine_run_host(out, known, host, calls);
}

// From the outermost caller, so that what it passes on is known; a launcher that nobody calls
// stands for itself, and so does one whose callers do not come to it.
void engine_launches_find(struct engine_shapes *out, struct engine_unit *known)
{
    const struct ir_unit *unit = known->ir;
    struct arena arena;
    arena_init(&arena);
    ptrdiff_t count = arrlen(unit->function);
    bool *launching = arena_array(&arena, bool, (size_t)count + 1);
    for (ptrdiff_t f = 0; f < count; ++f)
        launching[f] = function_launches(&unit->function[f]);
    bool *reaching = callers_of(unit, launching, &arena);
    bool *called = called_in_unit(unit, &arena);
    struct host_calls calls = {.launchers = reaching,
                               .launched = arena_array(&arena, bool, (size_t)count + 1),
                               .passed = passed_in_hurry(unit, reaching, &arena)};
    uint64_t steps = 0;
    for (ptrdiff_t f = 0; f < count && steps < MAX_HOST_STEPS; ++f) {
        if (reaching[f] && !called[f])
            steps += run_host(out, known, (ir_function_id)f, &calls);
    }
    bool *launched = arena_array(&arena, bool, (size_t)count + 1);
    for (ptrdiff_t i = 0; i < arrlen(out->shape); ++i)
        launched[out->shape[i].kernel] = true;
    calls.told = arrlen(out->shape);
    for (ptrdiff_t f = 0; f < count && steps < MAX_HOST_STEPS; ++f) {
        const struct ir_function *function = &unit->function[f];
        bool unseen = false;
        for (ptrdiff_t i = 0; i < arrlen(function->op) && launching[f] && !unseen; ++i)
            unseen =
                function->op[i].code == IR_LAUNCH &&
                (function->op[i].imm < 0 ? !calls.launched[f] : !launched[function->op[i].imm]);
        if (!unseen)
            continue;
        struct engine_shape given = {0};
        launch_given_by_all(unit, (ir_function_id)f, reaching, &given);
        calls.given = &given;
        steps += run_host(out, known, (ir_function_id)f, &calls);
    }
    arena_release(&arena);
}

static int64_t block_threads(const struct engine_shape *shape)
{
    int64_t threads = 1;
    for (int k = 0; k < 3 && shape->block_known; ++k)
        threads *= shape->block[k] <= 4096 ? shape->block[k] : 4097;
    return threads;
}

// Instances of a launcher that give an instance of a kernel different blocks, at one place: one is
// for each architecture, and the host takes the one that belongs to the code that the device has.
// Here that is the one with a block that the kernel is compiled for.
static bool is_for_another_architecture(const struct engine_shapes *launches,
                                        const struct engine_shape *shape,
                                        const struct ir_function *kernel)
{
    int64_t most = kernel->attributes.max_threads;
    if (most <= 0 || !strchr(kernel->name, '<') || !shape->launcher_key ||
        block_threads(shape) <= most)
        return false;
    for (ptrdiff_t i = 0; i < arrlen(launches->shape); ++i) {
        const struct engine_shape *other = &launches->shape[i];
        if (other->kernel == shape->kernel && other->block_known && other->launcher_key &&
            memcmp(&other->loc, &shape->loc, sizeof shape->loc) == 0 &&
            strcmp(other->launcher_key, shape->launcher_key) != 0 && block_threads(other) <= most)
            return true;
    }
    return false;
}

void engine_shapes_find(struct engine_shapes *out, const struct ir_unit *unit,
                        const struct engine_shapes *launches, ir_function_id kernel)
{
    bool guessed = false;
    for (ptrdiff_t i = 0; i < arrlen(launches->shape); ++i) {
        struct engine_shape shape = launches->shape[i];
        if (shape.kernel != kernel ||
            is_for_another_architecture(launches, &shape, &unit->function[kernel]))
            continue;
        launch_fill(&shape, &unit->function[kernel]);
        if (shape.block_known) {
            launch_shape_add(out, shape);
        } else if (!guessed && arrlen(out->shape) == 0) {
            launch_guess(out, unit, &unit->function[kernel], &shape);
            guessed = true;
        }
    }
    if (arrlen(out->shape) == 0)
        launch_guess(out, unit, &unit->function[kernel], NULL);
}

void engine_shapes_release(struct engine_shapes *shapes)
{
    arrfree(shapes->shape);
    shapes->shape = NULL;
    arena_release(&shapes->calls);
}
