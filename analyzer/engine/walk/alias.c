// Which memory an address may point into, without regard to the order of operations: everything
// that may be at the same address is one class (B. Steensgaard, Points-to analysis in almost linear
// time, 1996). Functions are taken once for all their callers.
#include <string.h>

#include "base/vec.h"
#include "engine/walk/facts.h"
#include "engine/walk/slice.h"

static uint32_t class_new(struct aliases *aliases, ir_function_id owner)
{
    uint32_t id = (uint32_t)arrlen(aliases->class);
    arrput(aliases->class, ((struct alias_class){.parent = id,
                                                 .content = IR_NONE,
                                                 .peer = IR_NONE,
                                                 .local = owner != IR_NONE,
                                                 .owner = owner}));
    return id;
}

uint32_t alias_find(struct aliases *aliases, uint32_t class)
{
    if (class == IR_NONE)
        return IR_NONE;
    struct alias_class *all = aliases->class;
    while (all[class].parent != class) {
        all[class].parent = all[all[class].parent].parent;
        class = all[class].parent;
    }
    return class;
}

// The class has come to hold addresses: whoever looked for them before looks again.
static void wake(struct aliases *aliases, struct alias_class *class)
{
    for (ptrdiff_t i = 0; i < arrlen(class->waiting); ++i)
        aliases->function[class->waiting[i]].stale = true;
    arrfree(class->waiting);
}

static uint32_t unite(struct aliases *aliases, uint32_t a, uint32_t b);

// Gives the class the fields of another that it has been united with.
static void take_fields(struct aliases *aliases, uint32_t class, struct alias_field *from)
{
    for (ptrdiff_t i = 0; i < arrlen(from); ++i) {
        struct alias_class *into = &aliases->class[alias_find(aliases, class)];
        ptrdiff_t k = 0;
        while (k < arrlen(into->field) && into->field[k].offset != from[i].offset)
            ++k;
        if (into->plain)
            unite(aliases, class, from[i].class);
        else if (k < arrlen(into->field))
            unite(aliases, into->field[k].class, from[i].class);
        else
            arrput(into->field, from[i]);
    }
    arrfree(from);
    const struct alias_class *at = &aliases->class[alias_find(aliases, class)];
    for (ptrdiff_t i = 0; i < arrlen(at->field); ++i) {
        struct alias_class *field = &aliases->class[alias_find(aliases, at->field[i].class)];
        if (field->owner != at->owner)
            field->owner = IR_NONE;
    }
}

// What the class has in fields becomes its own: it is used in ways that do not tell them apart.
static void make_plain(struct aliases *aliases, uint32_t class)
{
    class = alias_find(aliases, class);
    if (class == IR_NONE || aliases->class[class].plain)
        return;
    aliases->class[class].plain = true;
    struct alias_field *field = aliases->class[class].field;
    aliases->class[class].field = NULL;
    take_fields(aliases, class, field);
}

static uint32_t field_of(struct aliases *aliases, uint32_t class, int64_t offset)
{
    class = alias_find(aliases, class);
    if (class == IR_NONE || aliases->class[class].plain || offset == 0)
        return class;
    for (ptrdiff_t i = 0; i < arrlen(aliases->class[class].field); ++i) {
        if (aliases->class[class].field[i].offset == offset)
            return alias_find(aliases, aliases->class[class].field[i].class);
    }
    uint32_t fresh = class_new(aliases, aliases->class[class].owner);
    aliases->class[fresh].local = aliases->class[class].local;
    aliases->class[fresh].shared = aliases->class[class].shared;
    arrput(aliases->class[class].field, ((struct alias_field){offset, fresh}));
    return fresh;
}

unsigned alias_needed(struct aliases *aliases, uint32_t class)
{
    const struct alias_class *at = &aliases->class[alias_find(aliases, class)];
    unsigned needed = at->needed;
    for (ptrdiff_t i = 0; i < arrlen(at->field); ++i)
        needed |= aliases->class[alias_find(aliases, at->field[i].class)].needed;
    return needed;
}

// Either may be IR_NONE, which unites with nothing.
static uint32_t unite(struct aliases *aliases, uint32_t a, uint32_t b)
{
    a = alias_find(aliases, a);
    b = alias_find(aliases, b);
    if (a == b || b == IR_NONE)
        return a;
    if (a == IR_NONE)
        return b;
    struct alias_class *into = &aliases->class[a], *from = &aliases->class[b];
    from->parent = a;
    into->shared |= from->shared;
    into->local |= from->local;
    into->barrier |= from->barrier;
    into->copied |= from->copied;
    into->given |= from->given;
    if (into->owner != from->owner)
        into->owner = IR_NONE;
    aliases->afresh |= into->is_peer != from->is_peer;
    into->is_peer |= from->is_peer;
    if (from->peer != IR_NONE) {
        uint32_t peer = into->peer;
        into->peer = peer == IR_NONE ? from->peer : peer;
        unite(aliases, peer, from->peer);
    }
    uint32_t held = into->content, content = from->content;
    if (held != IR_NONE || content != IR_NONE) {
        // What they hold is one as well. The class is in place already, so that this ends.
        into->content = held == IR_NONE ? content : held;
        wake(aliases, held == IR_NONE ? into : from);
        unite(aliases, held, content);
    } else {
        for (ptrdiff_t i = 0; i < arrlen(from->waiting); ++i)
            arrput(into->waiting, from->waiting[i]);
        arrfree(from->waiting);
    }
    struct alias_field *field = from->field;
    from->field = NULL;
    if (into->plain != from->plain)
        make_plain(aliases, a);
    take_fields(aliases, a, field);
    return alias_find(aliases, a);
}

// What is at `slot` and `class` are one from now on.
static void unite_into(struct aliases *aliases, uint32_t *slot, uint32_t class)
{
    uint32_t now = unite(aliases, *slot, class);
    aliases->appeared += *slot == IR_NONE && now != IR_NONE;
    *slot = now;
}

static void unite_slots(struct aliases *aliases, uint32_t *a, uint32_t *b)
{
    unite_into(aliases, a, *b);
    unite_into(aliases, b, *a);
}

static void unite_contents(struct aliases *aliases, uint32_t class, uint32_t held)
{
    class = alias_find(aliases, class);
    if (class == IR_NONE || held == IR_NONE)
        return;
    uint32_t content = unite(aliases, aliases->class[class].content, held);
    struct alias_class *at = &aliases->class[alias_find(aliases, class)];
    at->content = content;
    wake(aliases, at);
}

static uint32_t content_of(struct aliases *aliases, uint32_t class)
{
    class = alias_find(aliases, class);
    if (class == IR_NONE)
        return IR_NONE;
    struct alias_class *at = &aliases->class[class];
    bool waits = arrlen(at->waiting) && arrlast(at->waiting) == aliases->swept;
    if (at->content == IR_NONE && !waits)
        arrput(at->waiting, aliases->swept);
    return alias_find(aliases, at->content);
}

uint32_t alias_of(struct aliases *aliases, ir_function_id function, ir_value value)
{
    if (value == IR_NONE)
        return IR_NONE;
    return alias_find(aliases, aliases->function[function].value[value]);
}

ir_function_id alias_callee(struct engine *engine, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&engine->unit->function[id], value);
    if (op->code != IR_CALL || !(engine->unit->function[op->imm].flags & IR_FN_BODY))
        return IR_NONE;
    if (engine->unit->function[op->imm].flags & IR_FN_KERNEL)
        return IR_NONE; // device code launches it: a grid of its own
    const struct model_op *model = facts_model(engine, id, value);
    bool followed = model->kind == MODEL_NONE ||
                    (model->kind == MODEL_VALUE && model->value_op == MODEL_VALUE_UNKNOWN);
    return followed ? (ir_function_id)op->imm : IR_NONE;
}

unsigned data_kinds(const struct ir_unit *unit, ir_type_id id)
{
    for (int depth = 0; id != IR_NONE && depth < 8; ++depth) {
        const struct ir_type *type = &unit->type[id];
        switch (type->kind) {
        case IR_TYPE_INT:
            return type->bits == 8 || type->bits == 16 ? DATA_SMALL : DATA_WORD;
        case IR_TYPE_FLOAT:
            return DATA_FLOAT;
        case IR_TYPE_ARRAY:
            id = type->elem;
            continue;
        case IR_TYPE_RECORD: {
            unsigned kinds = arrlen(type->field) ? 0 : DATA_ALL;
            for (ptrdiff_t i = 0; i < arrlen(type->field) && kinds != DATA_ALL; ++i)
                kinds |= i < 16 ? data_kinds(unit, type->field[i].type) : DATA_ALL;
            return kinds;
        }
        default:
            return DATA_WORD;
        }
    }
    return DATA_ALL;
}

unsigned pointee_kinds(const struct ir_unit *unit, const struct ir_function *function,
                       ir_value address)
{
    ir_type_id type = ir_op_at(function, address)->type;
    if (type == IR_NONE || unit->type[type].kind != IR_TYPE_POINTER)
        return DATA_ALL;
    return data_kinds(unit, unit->type[type].elem);
}

bool is_in_union(const struct ir_unit *unit, const struct ir_function *function, ir_value address)
{
    const struct ir_op *op = ir_op_at(function, address);
    while (op->code == IR_OFFSET || op->code == IR_INDEX) {
        op = ir_op_at(function, ir_operand(function, op, 0));
        const struct ir_type *type = op->type == IR_NONE ? NULL : &unit->type[op->type];
        if (type && type->kind == IR_TYPE_POINTER && type->elem != IR_NONE &&
            unit->type[type->elem].is_union)
            return true;
    }
    return false;
}

// --- Reach ------------------------------------------------------------------------------------

static uint32_t *no_classes(struct engine *engine, ptrdiff_t count)
{
    uint32_t *class = arena_array(&engine->known->slice_arena, uint32_t, (size_t)count + 1);
    memset(class, 0xff, ((size_t)count + 1) * sizeof *class);
    return class;
}

static void reach(struct aliases *aliases, ir_function_id id)
{
    struct alias_function *function = &aliases->function[id];
    const struct ir_function *ir = &aliases->engine->unit->function[id];
    if (function->reached || !(ir->flags & IR_FN_BODY))
        return;
    function->reached = function->stale = true;
    function->value = no_classes(aliases->engine, arrlen(ir->op));
    function->local = no_classes(aliases->engine, arrlen(ir->local));
    function->param = no_classes(aliases->engine, arrlen(ir->param));
    function->result = IR_NONE;
    arrput(aliases->reached, id);
}

// A function whose address is taken may be called wherever one is called through an address.
static void take(struct aliases *aliases, ir_function_id id)
{
    reach(aliases, id);
    for (ptrdiff_t i = 0; i < arrlen(aliases->taken); ++i) {
        if (aliases->taken[i] == id)
            return;
    }
    if (aliases->function[id].reached)
        arrput(aliases->taken, id);
}

static void add_caller(struct aliases *aliases, ir_function_id callee, ir_function_id id)
{
    ir_function_id **caller = &aliases->function[callee].caller;
    if (arrlen(*caller) == 0 || arrlast(*caller) != id)
        arrput(*caller, id);
}

static void reach_all(struct aliases *aliases)
{
    struct engine *engine = aliases->engine;
    ir_function_id *calling = NULL;
    reach(aliases, engine->kernel);
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i) {
        ir_function_id id = aliases->reached[i];
        const struct ir_function *function = &engine->unit->function[id];
        for (ir_value v = 0; v < (ir_value)arrlen(function->op); ++v) {
            const struct ir_op *op = ir_op_at(function, v);
            if (op->code == IR_CALLI) {
                arrput(calling, id);
            } else if (op->code == IR_FUNC) {
                take(aliases, (ir_function_id)op->imm);
            } else if (op->code == IR_CALL && alias_callee(engine, id, v) != IR_NONE) {
                reach(aliases, (ir_function_id)op->imm);
                add_caller(aliases, (ir_function_id)op->imm, id);
            }
        }
    }
    for (ptrdiff_t i = 0; i < arrlen(calling); ++i) {
        for (ptrdiff_t k = 0; k < arrlen(aliases->taken); ++k)
            add_caller(aliases, aliases->taken[k], calling[i]);
    }
    arrfree(calling);
}

// --- Operations -------------------------------------------------------------------------------

static uint32_t *object_slot(struct aliases *aliases, ir_function_id id, const struct ir_op *op)
{
    if (op->code == IR_LOCAL)
        return &aliases->function[id].local[op->imm];
    bool dynamic = aliases->engine->unit->global[op->imm].space == IR_SPACE_SHARED_DYNAMIC;
    return dynamic ? &aliases->dynamic : &aliases->global[op->imm];
}

static void alias_object(struct aliases *aliases, ir_function_id id, const struct ir_op *op,
                         uint32_t *value)
{
    uint32_t *slot = object_slot(aliases, id, op);
    if (*slot == IR_NONE) {
        *slot = class_new(aliases, op->code == IR_LOCAL ? id : IR_NONE);
        enum ir_space space =
            op->code == IR_GLOBAL ? aliases->engine->unit->global[op->imm].space : IR_SPACE_GLOBAL;
        aliases->class[*slot].shared = space == IR_SPACE_SHARED || space == IR_SPACE_SHARED_DYNAMIC;
    }
    unite_into(aliases, value, *slot);
}

// Whether the value is typed as the address of a closure.
static bool points_to_closure(const struct aliases *aliases, const struct ir_function *function,
                              ir_value value)
{
    ir_type_id type = value == IR_NONE ? IR_NONE : ir_op_at(function, value)->type;
    const struct ir_type *types = aliases->engine->unit->type;
    return type != IR_NONE && types[type].kind == IR_TYPE_POINTER && types[type].elem != IR_NONE &&
           aliases->is_closure[types[type].elem];
}

// The types of closures: objects that lambdas are called on.
static void find_closures(struct aliases *aliases)
{
    const struct ir_unit *unit = aliases->engine->unit;
    aliases->is_closure =
        arena_array(&aliases->engine->known->slice_arena, bool, (size_t)arrlen(unit->type) + 1);
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        const struct ir_function *function = &unit->function[i];
        if (!(function->flags & IR_FN_LAMBDA) || arrlen(function->param) == 0 ||
            !function->param[0].is_this)
            continue;
        const struct ir_type *type = &unit->type[function->param[0].type];
        if (type->kind == IR_TYPE_POINTER && type->elem != IR_NONE)
            aliases->is_closure[type->elem] = true;
    }
}

static bool is_pointer(const struct aliases *aliases, ir_type_id type)
{
    return type != IR_NONE && aliases->engine->unit->type[type].kind == IR_TYPE_POINTER;
}

static void alias_load(struct aliases *aliases, const struct ir_op *op, uint32_t address,
                       uint32_t *value)
{
    address = alias_find(aliases, address);
    if (address == IR_NONE)
        return;
    if (is_pointer(aliases, op->type) && aliases->class[address].content == IR_NONE) {
        uint32_t fresh = class_new(aliases, IR_NONE);
        aliases->class[address].content = fresh;
        wake(aliases, &aliases->class[address]);
    }
    unite_into(aliases, value, content_of(aliases, address));
}

// Whether an address that the operation yields is made of those it is given.
static bool passes_addresses(const struct model_op *model)
{
    switch (model ? model->kind : MODEL_NONE) {
    case MODEL_NONE:
    case MODEL_ADDRESS_SAME:
    case MODEL_ADDRESS_PEER:
    case MODEL_MBARRIER_HANDLE:
    case MODEL_WARP_SHUFFLE:
    case MODEL_MEMORY_SET:
        return true;
    case MODEL_VALUE:
        return model->value_op != MODEL_VALUE_LDG && model->value_op != MODEL_VALUE_STG;
    default:
        return false;
    }
}

// The class of the same memory in another block.
static uint32_t peer_of(struct aliases *aliases, uint32_t class)
{
    class = alias_find(aliases, class);
    if (class == IR_NONE || aliases->class[class].is_peer)
        return class;
    if (aliases->class[class].peer == IR_NONE) {
        uint32_t peer = class_new(aliases, IR_NONE);
        aliases->class[peer].is_peer = aliases->class[peer].shared = true;
        aliases->class[peer].peer = class;
        aliases->class[class].peer = peer;
    }
    uint32_t peer = alias_find(aliases, aliases->class[class].peer);
    unite_contents(aliases, peer, content_of(aliases, class));
    unite_contents(aliases, class, content_of(aliases, peer));
    return peer;
}

// An operation whose effect is known by the model only, or not at all: what comes out of it may
// point where anything that went into it does.
static void alias_opaque(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &aliases->engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    struct alias_function *at = &aliases->function[id];
    const struct model_op *model =
        op->code == IR_OPAQUE ? NULL : facts_model(aliases->engine, id, value);
    if (model && model->kind == MODEL_NONE)
        model = NULL;
    if (model && model->object != IR_NONE) {
        uint32_t object = alias_of(aliases, id, model->object);
        if (object != IR_NONE && model_is_indirect(model, &model->object))
            object = content_of(aliases, object);
        if (object != IR_NONE && !aliases->class[object].barrier)
            aliases->class[object].barrier = true;
    }
    if (model && (model->kind == MODEL_CP_ASYNC || model->kind == MODEL_PIPELINE_COPY)) {
        uint32_t from = alias_of(aliases, id, model->src);
        if (from != IR_NONE)
            aliases->class[from].copied = true;
    }
    if (model && model->kind == MODEL_VALUE && model->value_op == MODEL_VALUE_LDG) {
        alias_load(aliases, op, at->value[model->argument[0]], &at->value[value]);
        if (model->result != IR_NONE)
            unite_contents(aliases, at->value[model->result],
                           content_of(aliases, at->value[model->argument[0]]));
    }
    uint32_t first = op->code == IR_PTX ? (uint32_t)op->imm : 0;
    for (uint32_t i = first; i < op->operand_count && passes_addresses(model); ++i) {
        uint32_t in = alias_of(aliases, id, ir_operand(function, op, i));
        make_plain(aliases, in);
        if (model && model->kind == MODEL_ADDRESS_PEER)
            in = peer_of(aliases, in);
        if (in == IR_NONE)
            continue;
        if (op->type != IR_NONE)
            unite_into(aliases, &at->value[value], in);
        for (uint32_t k = 0; k < first && k < op->operand_count; ++k)
            unite_contents(aliases, alias_of(aliases, id, ir_operand(function, op, k)), in);
    }
    if (is_pointer(aliases, op->type) && at->value[value] == IR_NONE)
        unite_into(aliases, &at->value[value], class_new(aliases, IR_NONE));
}

// How many of the function's parameters and results are known to be addresses.
static uint32_t addresses_of(const struct aliases *aliases, ir_function_id id)
{
    const struct alias_function *at = &aliases->function[id];
    ptrdiff_t params = arrlen(aliases->engine->unit->function[id].param);
    uint32_t count = at->result != IR_NONE;
    for (ptrdiff_t i = 0; i < params; ++i)
        count += at->param[i] != IR_NONE;
    return count;
}

// The arguments, from the `first` operand on, and the result of a call that enters the function.
static void alias_enter(struct aliases *aliases, ir_function_id id, ir_value value,
                        ir_function_id callee, uint32_t first)
{
    const struct ir_unit *unit = aliases->engine->unit;
    const struct ir_function *function = &unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    struct alias_function *at = &aliases->function[id], *to = &aliases->function[callee];
    uint32_t before = addresses_of(aliases, callee);
    ptrdiff_t params = arrlen(unit->function[callee].param);
    for (uint32_t i = first; i < op->operand_count && (ptrdiff_t)(i - first) < params; ++i)
        unite_slots(aliases, &at->value[ir_operand(function, op, i)], &to->param[i - first]);
    if (op->type != IR_NONE)
        unite_slots(aliases, &at->value[value], &to->result);
    // Other callers need not look again: what became an address here came from this one. What comes
    // back out of the callee it is told of when that is gone over.
    to->stale |= addresses_of(aliases, callee) != before;
}

static void alias_call(struct aliases *aliases, ir_function_id id, ir_value value)
{
    ir_function_id callee = alias_callee(aliases->engine, id, value);
    if (callee == IR_NONE)
        alias_opaque(aliases, id, value);
    else
        alias_enter(aliases, id, value, callee, 0);
}

// A call through an address enters one of the functions whose address is taken.
static void alias_indirect(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_unit *unit = aliases->engine->unit;
    ptrdiff_t arguments = (ptrdiff_t)ir_op_at(&unit->function[id], value)->operand_count - 1;
    alias_opaque(aliases, id, value);
    for (ptrdiff_t i = 0; i < arrlen(aliases->taken); ++i) {
        if (arrlen(unit->function[aliases->taken[i]].param) == arguments)
            alias_enter(aliases, id, value, aliases->taken[i], 1);
    }
}

// Whether the value is typed as the address of a record or an array, of which there are parts.
static bool points_to_parts(const struct aliases *aliases, ir_type_id type)
{
    const struct ir_type *types = aliases->engine->unit->type;
    if (!is_pointer(aliases, type) || types[type].elem == IR_NONE)
        return false;
    enum ir_type_kind kind = types[types[type].elem].kind;
    return kind == IR_TYPE_RECORD || kind == IR_TYPE_ARRAY;
}

static bool is_given(const struct aliases *aliases, uint32_t class)
{
    return class != IR_NONE && aliases->class[class].given;
}

// The address of a part of an object.
static void alias_offset(struct aliases *aliases, const struct ir_function *function,
                         const struct ir_op *op, uint32_t base, uint32_t *own)
{
    const struct ir_type *types = aliases->engine->unit->type;
    bool closure = points_to_closure(aliases, function, ir_operand(function, op, 0));
    bool holds_address = is_pointer(aliases, op->type) && types[op->type].elem != IR_NONE &&
                         is_pointer(aliases, types[op->type].elem);
    bool member = is_given(aliases, alias_find(aliases, base)) &&
                  points_to_parts(aliases, ir_op_at(function, ir_operand(function, op, 0))->type) &&
                  !points_to_parts(aliases, op->type);
    if (!closure && !member && op->imm != 0)
        make_plain(aliases, base);
    unite_into(aliases, own,
               member || (closure && holds_address) ? field_of(aliases, base, op->imm) : base);
}

// Whether a record that the kernel is given is copied to a variable of a thread's own, as where it
// is passed on by value.
static bool is_copy_of_given(struct aliases *aliases, const struct ir_function *function,
                             const struct ir_op *op, const struct alias_function *at)
{
    ir_value to = ir_operand(function, op, 0), from = ir_operand(function, op, 1);
    uint32_t into = alias_find(aliases, at->value[to]);
    return is_given(aliases, alias_find(aliases, at->value[from])) && into != IR_NONE &&
           aliases->class[into].local && !aliases->class[into].shared &&
           ir_op_at(function, to)->type == ir_op_at(function, from)->type &&
           points_to_parts(aliases, ir_op_at(function, to)->type);
}

static void alias_op(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_function *function = &aliases->engine->unit->function[id];
    const struct ir_op *op = ir_op_at(function, value);
    struct alias_function *at = &aliases->function[id];
    uint32_t *own = &at->value[value];
    ir_value first = ir_operand(function, op, 0), second = ir_operand(function, op, 1);
    switch (op->code) {
    case IR_PARAM:
        unite_slots(aliases, own, &at->param[op->imm]);
        break;
    case IR_LOCAL:
    case IR_GLOBAL:
        alias_object(aliases, id, op, own);
        break;
    case IR_LOAD:
        alias_load(aliases, op, at->value[first], own);
        break;
    case IR_STORE:
        unite_contents(aliases, at->value[first], at->value[second]);
        break;
    case IR_COPY:
        if ((points_to_closure(aliases, function, first) &&
             points_to_closure(aliases, function, second)) ||
            is_copy_of_given(aliases, function, op, at)) {
            unite_slots(aliases, &at->value[first], &at->value[second]);
            break;
        }
        make_plain(aliases, at->value[first]);
        make_plain(aliases, at->value[second]);
        unite_contents(aliases, at->value[first], content_of(aliases, at->value[second]));
        unite_contents(aliases, at->value[second], content_of(aliases, at->value[first]));
        break;
    case IR_OFFSET:
        alias_offset(aliases, function, op, at->value[first], own);
        break;
    case IR_INDEX:
        make_plain(aliases, at->value[first]);
        unite_into(aliases, own, at->value[first]);
        break;
    case IR_CALL:
        alias_call(aliases, id, value);
        break;
    case IR_CALLI:
        alias_indirect(aliases, id, value);
        break;
    case IR_PTX:
    case IR_OPAQUE:
        alias_opaque(aliases, id, value);
        break;
    case IR_RET:
        if (first != IR_NONE)
            unite_slots(aliases, &at->value[first], &at->result);
        break;
    default:
        if (op->code < IR_ADD || op->code > IR_SELECT || (op->code >= IR_EQ && op->code <= IR_GE))
            break;
        for (uint32_t i = op->code == IR_SELECT; i < op->operand_count; ++i)
            unite_into(aliases, own, at->value[ir_operand(function, op, i)]);
        break;
    }
}

// Goes over the function; returns whether there was a reason to.
static bool alias_sweep(struct aliases *aliases, ir_function_id id)
{
    struct alias_function *at = &aliases->function[id];
    if (!at->stale)
        return false;
    uint32_t addresses = addresses_of(aliases, id), appeared = aliases->appeared;
    at->stale = false;
    aliases->swept = id;
    ir_value ops = (ir_value)arrlen(aliases->engine->unit->function[id].op);
    for (ir_value v = 0; v < ops; ++v)
        alias_op(aliases, id, v);
    at->stale |= aliases->appeared != appeared;
    if (addresses_of(aliases, id) == addresses)
        return true;
    for (ptrdiff_t i = 0; i < arrlen(at->caller); ++i)
        aliases->function[at->caller[i]].stale = true;
    return true;
}

void aliases_build(struct aliases *aliases, struct engine *engine)
{
    const struct ir_unit *unit = engine->unit;
    *aliases = (struct aliases){.engine = engine, .dynamic = IR_NONE};
    aliases->function = arena_array(&engine->known->slice_arena, struct alias_function,
                                    (size_t)arrlen(unit->function) + 1);
    aliases->global = no_classes(engine, arrlen(unit->global));
    find_closures(aliases);
    reach_all(aliases);
    // Each pointer the kernel is given points to memory of its own, and each record is a copy.
    const struct ir_function *kernel = &unit->function[engine->kernel];
    for (ptrdiff_t i = 0; i < arrlen(kernel->param); ++i) {
        if (is_pointer(aliases, kernel->param[i].type))
            aliases->function[engine->kernel].param[i] = class_new(aliases, IR_NONE);
        else if (unit->type[kernel->param[i].type].kind == IR_TYPE_RECORD) {
            uint32_t record = class_new(aliases, engine->kernel);
            aliases->class[record].given = true;
            aliases->function[engine->kernel].param[i] = record;
        }
    }
    // Callers stand before what they call: arguments go one way, results the other.
    ptrdiff_t count = arrlen(aliases->reached);
    for (bool down = true, any = true; any; down = !down) {
        any = false;
        for (ptrdiff_t i = 0; i < count && aliases->afresh; ++i)
            aliases->function[aliases->reached[i]].stale = true;
        aliases->afresh = false;
        for (ptrdiff_t i = 0; i < count; ++i)
            any |= alias_sweep(aliases, aliases->reached[down ? i : count - 1 - i]);
    }
}

void aliases_release(struct aliases *aliases)
{
    for (ptrdiff_t i = 0; i < arrlen(aliases->reached); ++i)
        arrfree(aliases->function[aliases->reached[i]].caller);
    for (ptrdiff_t i = 0; i < arrlen(aliases->class); ++i) {
        arrfree(aliases->class[i].waiting);
        arrfree(aliases->class[i].field);
        arrfree(aliases->class[i].user);
    }
    arrfree(aliases->class);
    arrfree(aliases->reached);
    arrfree(aliases->taken);
}
