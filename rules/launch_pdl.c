#include "base/vec.h"
#include "ir/cfg.h"
#include "ir/origin.h"
#include "rules/facts.h"

enum {
    MOST_DEPTH = 12,
    MOST_OPS = 100000,
    MOST_READS = 64,
    MOST_WAITS = 16,
    MOST_TOLD = 32,
    MOST_IDLE = 3
};

// A load through a pointer that the kernel is given.
struct read {
    struct ir_member from; // `offset` is -1 where the parameter itself is the pointer
    bool behind;           // by threads that have waited before
    bool untold;           // no barrier since can have told others that these have
    ir_block_id at;        // of the kernel
    struct ir_loc loc;
    uint32_t chain;
};

struct walk {
    const struct engine_result *result;
    struct arena arena; // for work
    uint32_t ops;
    bool waits, loads_before, loads_after;
    bool unread; // what it waits by, as far as anybody knows, is a call that nobody can read
    struct ir_loc wait, load;
    bool load_given; // the latter is through a parameter, not through what a variable holds
    struct {
        const struct ir_function *function;
        struct ir_loc loc;
    } idle[MOST_IDLE]; // calls before the wait of functions that do nothing
    uint32_t idles;
    struct ir_loc written_load; // of what the kernel launched before writes; file 0 for none
    uint32_t written_chain;     // its place in the call tree, 0 where the engine has not come to it
    const char *written;        // the parameter or the member it is read through
    struct cfg cfg;             // of the kernel
    ir_block_id at, waited;     // blocks of the kernel: where the walk is, where it waits
    // Some threads wait; that load is of others, whom no barrier has told.
    bool some_wait, unaware;
    ir_block_id told_at[MOST_TOLD]; // where threads may learn from others that these have waited
    uint32_t told;
    struct read read[MOST_READS]; // where only some threads wait
    uint32_t reads;
    ir_block_id wait_at[MOST_WAITS]; // all of them
    uint32_t wait_count;
};

// Whether only a part of the block ever waits.
static bool some_wait(const struct engine_result *result)
{
    const int64_t *block = result->shape.block, *cluster = result->shape.cluster;
    int64_t threads = block[0] * block[1] * block[2] * cluster[0] * cluster[1] * cluster[2];
    int64_t most = 0;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_GRID_DEPENDENCY_WAIT)
            most += event->threads.count;
    }
    return result->shape.block_known && most > 0 && most < threads;
}

// Whether threads may learn from others here that these have waited.
static bool tells(const struct model_op *model)
{
    switch (model->kind) {
    case MODEL_NAMED_SYNC:
    case MODEL_NAMED_RED:
    case MODEL_WARP_SYNC:
    case MODEL_CLUSTER_WAIT:
    case MODEL_CLUSTER_SYNC:
    case MODEL_MBARRIER_TEST:
    case MODEL_MBARRIER_WAIT:
    case MODEL_MBARRIER_ARRIVE_WAIT:
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_WAIT:
    case MODEL_GRID_SYNC:
    case MODEL_PIPELINE_WAIT:
    case MODEL_ATOMIC:
        return true;
    default:
        return false;
    }
}

// Whether the address is one that a variable holds, with whatever is added to it.
static bool is_held(const struct walk *walk, const struct ir_function *function, ir_value address)
{
    const struct ir_op *op = ir_op_at(function, address);
    while (op && (op->code == IR_OFFSET || op->code == IR_INDEX || op->code == IR_CAST ||
                  op->code == IR_ADD))
        op = ir_op_at(function, ir_operand(function, op, 0));
    if (!op || op->code != IR_LOAD || op->type == IR_NONE)
        return false;
    const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
    return from && from->code == IR_LOCAL &&
           walk->result->unit->type[op->type].kind == IR_TYPE_POINTER;
}

// The member of a record of that type which begins there, behind `name`.
static const char *member_name(struct walk *walk, const char *name, ir_type_id id, int64_t offset)
{
    const struct ir_unit *unit = walk->result->unit;
    while (unit->type[id].kind == IR_TYPE_RECORD) {
        const struct ir_field *field = unit->type[id].field, *found = NULL;
        for (ptrdiff_t i = 0; i < arrlen(field); ++i) {
            int64_t from = (int64_t)field[i].offset;
            if (from <= offset && offset < from + (int64_t)unit->type[field[i].type].size)
                found = &field[i];
        }
        if (!found)
            break;
        name = *found->name ? arena_printf(&walk->arena, "%s.%s", name, found->name) : name;
        offset -= (int64_t)found->offset;
        id = found->type;
    }
    return name;
}

// What the kernel is given of which the address is, where the kernel launched before writes there;
// else NULL.
static const char *written_at(struct walk *walk, const struct ir_frame *frame, ir_value address,
                              int origin)
{
    const struct engine_shape *shape = &walk->result->shape;
    const struct ir_param *param = walk->result->unit->function[walk->result->kernel].param;
    struct ir_member member;
    if (origin >= 0 && origin < 32 && shape->arguments_written >> origin & 1)
        return param[origin].name;
    if (!shape->members_written || address == IR_NONE ||
        !ir_member_of(walk->result->unit, frame, address, &walk->arena, &member))
        return NULL;
    for (uint32_t i = 0; i < shape->members_written; ++i) {
        if (shape->member_written[i].param == member.param &&
            shape->member_written[i].offset == member.offset)
            return member_name(walk, param[member.param].name, param[member.param].type,
                               member.offset);
    }
    return NULL;
}

// Whether threads may have been told of the wait by the time that the walk has come to.
static bool is_told(struct walk *walk)
{
    bool told = walk->told == MOST_TOLD;
    for (uint32_t i = 0; i < walk->told && !told; ++i)
        told = cfg_reached_from(&walk->cfg, walk->told_at[i], &walk->arena)[walk->at];
    return told;
}

// What the engine has seen of a copy or of a wait at an mbarrier: whether it followed it at all,
// and whether threads come to it, or go on behind it, that know nothing of the wait.
static bool is_followed(const struct walk *walk, const struct ir_frame *frame, ir_value op,
                        bool *unaware)
{
    const struct engine_result *result = walk->result;
    uint32_t chain = frame_chain(result, frame);
    bool followed = false;
    *unaware = false;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (&result->unit->function[event->function] != frame->function || event->op != op ||
            event->chain != chain)
            continue;
        followed = true;
        *unaware |= event->unaware;
    }
    return followed;
}

// `origin`: of the address. A load through a parameter is the better one to show. `copy`: the
// operation, where it is one that the engine follows; else IR_NONE.
static void note_load(struct walk *walk, const struct ir_frame *frame, const char *written,
                      int origin, struct ir_loc loc, ir_value copy)
{
    bool given = origin >= 0, unaware = false;
    bool followed = copy != IR_NONE && is_followed(walk, frame, copy, &unaware);
    // The wait, for all that is known.
    bool before = !walk->waits && (!followed || unaware || !walk->some_wait);
    if (before && (!walk->loads_before || (given && !walk->load_given))) {
        walk->load = loc;
        walk->load_given = given;
    }
    walk->loads_before |= before;
    walk->loads_after |= !before;
    if (written && !followed && walk->some_wait && walk->waits)
        unaware = !cfg_dominates(&walk->cfg, walk->waited, walk->at) && !is_told(walk);
    if ((before || unaware) && written && !walk->written_load.file) {
        walk->written_load = loc;
        walk->written_chain = frame_chain(walk->result, frame);
        walk->written = written;
        walk->unaware = unaware && walk->some_wait;
    }
}

static void note_read(struct walk *walk, const struct ir_frame *frame, ir_value address, int origin,
                      struct ir_loc loc)
{
    const struct ir_unit *unit = walk->result->unit;
    const struct ir_param *param = unit->function[walk->result->kernel].param;
    struct ir_member from = {(uint32_t)origin, -1};
    bool pointer = origin >= 0 && unit->type[param[origin].type].kind == IR_TYPE_POINTER;
    if (!walk->some_wait || walk->reads == MOST_READS || address == IR_NONE ||
        (!pointer && !ir_member_of(unit, frame, address, &walk->arena, &from)))
        return;
    bool behind = false;
    for (uint32_t i = 0; i < walk->wait_count; ++i)
        behind |= cfg_dominates(&walk->cfg, walk->wait_at[i], walk->at);
    walk->read[walk->reads++] = (struct read){
        .from = from,
        .behind = behind,
        .untold = !is_told(walk),
        .at = walk->at,
        .loc = loc,
        .chain = frame_chain(walk->result, frame),
    };
}

static void walk_load(struct walk *walk, const struct ir_frame *frame, const struct ir_op *op)
{
    const struct ir_unit *unit = walk->result->unit;
    const struct ir_function *kernel = &unit->function[walk->result->kernel];
    ir_value address = ir_operand(frame->function, op, op->code == IR_COPY ? 1 : 0);
    int origin = ir_origin_of(unit, frame, address, &walk->arena);
    // A record of pointers may hold whatever the program likes; to copy it reads none of that.
    if (origin >= 0 && unit->type[kernel->param[origin].type].kind != IR_TYPE_POINTER) {
        if (op->code == IR_COPY)
            return;
        origin = IR_ORIGIN_UNKNOWN;
    }
    const char *written = written_at(walk, frame, address, origin);
    note_read(walk, frame, address, origin, op->loc);
    if (written || origin >= 0 ||
        (origin == IR_ORIGIN_UNKNOWN && is_held(walk, frame->function, address)))
        note_load(walk, frame, written, origin, op->loc, IR_NONE);
    else if (origin == IR_ORIGIN_UNKNOWN)
        walk->loads_after |= walk->waits;
}

static void walk_function(struct walk *walk, const struct ir_frame *frame, ir_function_id id,
                          int depth);

static void note_wait(struct walk *walk, struct ir_loc loc)
{
    if (walk->wait_count < MOST_WAITS)
        walk->wait_at[walk->wait_count++] = walk->at;
    if (walk->waits)
        return;
    walk->waits = true;
    walk->wait = loc;
    walk->waited = walk->at;
}

// What stands in place of a call that clang has lost, or calls what is defined elsewhere.
static bool may_wait(const struct walk *walk, const struct ir_op *op)
{
    if (op->code == IR_OPAQUE || op->flags & IR_MAY_BARRIER)
        return op->flags & IR_MAY_BARRIER;
    const struct ir_function *callee = &walk->result->unit->function[op->imm];
    return !(callee->flags & (IR_FN_BODY | IR_FN_SYSTEM)) && callee->flags & IR_FN_DEVICE;
}

static void note_unread(struct walk *walk, const struct ir_op *op)
{
    walk->unread |= !walk->waits;
    note_wait(walk, op->loc);
}

// Whether the function takes nothing, gives nothing and does nothing: where it is a wrapper of one
// instruction, the preprocessor has taken that out.
static bool is_idle(const struct ir_unit *unit, const struct ir_function *function)
{
    bool bare = function->flags & IR_FN_BODY && arrlen(function->param) == 0 &&
                unit->type[function->result].kind == IR_TYPE_VOID;
    for (ptrdiff_t b = 0; b < arrlen(function->block) && bare; ++b)
        bare = arrlen(function->block[b].op) <= 1; // its end
    return bare;
}

static void note_idle(struct walk *walk, const struct ir_op *op)
{
    const struct ir_unit *unit = walk->result->unit;
    const struct ir_function *function = &unit->function[op->imm];
    bool told = walk->waits || walk->idles == MOST_IDLE || !is_idle(unit, function);
    for (uint32_t i = 0; i < walk->idles && !told; ++i)
        told = walk->idle[i].function == function;
    if (told)
        return;
    walk->idle[walk->idles].function = function;
    walk->idle[walk->idles++].loc = op->loc;
}

static void note_idles(struct rule_report *report, const struct walk *walk)
{
    for (uint32_t i = 0; i < walk->idles && !walk->waits; ++i)
        rule_note(report, walk->idle[i].loc,
                  "'%s' does nothing as it is compiled here: if that is the wait, a macro is "
                  "missing",
                  walk->idle[i].function->name);
}

static void walk_call(struct walk *walk, const struct ir_frame *frame, ir_value value, int depth)
{
    const struct ir_op *op = ir_op_at(frame->function, value);
    struct model_op model;
    if (!model_match(walk->result->model, walk->result->unit, frame->function, value, &model)) {
        struct ir_frame callee = {frame, NULL, op};
        if (op->code == IR_CALL && may_wait(walk, op))
            note_unread(walk, op);
        else if (op->code == IR_CALL) {
            note_idle(walk, op);
            walk_function(walk, &callee, (ir_function_id)op->imm, depth + 1);
        } else
            note_load(walk, frame, NULL, IR_ORIGIN_UNKNOWN, op->loc, IR_NONE); // it may
        return;
    }
    if (model.kind == MODEL_GRID_DEPENDENCY_WAIT)
        note_wait(walk, op->loc);
    bool unaware = false; // behind it
    if (walk->waits && walk->some_wait && tells(&model) && walk->told < MOST_TOLD &&
        !(is_followed(walk, frame, value, &unaware) && unaware))
        walk->told_at[walk->told++] = walk->at;
    bool ldg = model.kind == MODEL_VALUE && model.value_op == MODEL_VALUE_LDG;
    bool copies = model.kind == MODEL_BULK_LOAD || model.kind == MODEL_CP_ASYNC ||
                  model.kind == MODEL_GROUP_COPY || model.kind == MODEL_ATOMIC;
    ir_value from = ldg ? model.argument[0] : model.kind == MODEL_ATOMIC ? model.dst : model.src;
    if (!ldg && !copies)
        return;
    int origin = from == IR_NONE ? IR_ORIGIN_UNKNOWN
                                 : ir_origin_of(walk->result->unit, frame, from, &walk->arena);
    note_load(walk, frame, from == IR_NONE ? NULL : written_at(walk, frame, from, origin), origin,
              op->loc,
              model.kind == MODEL_BULK_LOAD || model.kind == MODEL_CP_ASYNC ? value : IR_NONE);
    note_read(walk, frame, from, origin, op->loc);
}

// Goes through the code in the order of the text, which for what stands before and behind a wait
// that all threads come to is the order of time.
static void walk_function(struct walk *walk, const struct ir_frame *frame, ir_function_id id,
                          int depth)
{
    const struct ir_unit *unit = walk->result->unit;
    struct ir_frame here = *frame;
    here.function = &unit->function[id];
    if (depth >= MOST_DEPTH || !(here.function->flags & IR_FN_BODY))
        return;
    for (ptrdiff_t b = 0; b < arrlen(here.function->block); ++b) {
        if (depth == 0)
            walk->at = (ir_block_id)b;
        for (ptrdiff_t k = 0; k < arrlen(here.function->block[b].op); ++k) {
            ir_value value = here.function->block[b].op[k];
            const struct ir_op *op = ir_op_at(here.function, value);
            if (++walk->ops > MOST_OPS)
                return;
            if (op->code == IR_CALL || op->code == IR_PTX) {
                walk_call(walk, &here, value, depth);
            } else if (op->code == IR_LOAD || op->code == IR_COPY) {
                walk_load(walk, &here, op);
            } else if (op->code == IR_OPAQUE && may_wait(walk, op)) {
                note_unread(walk, op);
            }
        }
    }
}

// Whether control comes from the block to a wait.
static bool comes_to_wait(struct walk *walk, ir_block_id from)
{
    const bool *reached = cfg_reached_from(&walk->cfg, from, &walk->arena);
    for (uint32_t i = 0; i < walk->wait_count; ++i) {
        if (reached[walk->wait_at[i]])
            return true;
    }
    return false;
}

// A load by threads that never wait, of what others load when they have waited: what those wait for
// these need as well.
static const struct read *read_aside(struct walk *walk)
{
    bool all = walk->wait_count < MOST_WAITS && walk->reads < MOST_READS;
    for (uint32_t i = 0; i < walk->reads && all; ++i) {
        const struct read *read = &walk->read[i];
        if (read->behind || !read->untold || comes_to_wait(walk, read->at))
            continue;
        for (uint32_t k = 0; k < walk->reads; ++k) {
            const struct read *other = &walk->read[k];
            if (other->behind && other->from.param == read->from.param &&
                other->from.offset == read->from.offset)
                return read;
        }
    }
    return NULL;
}

static void report_aside(struct rule_context *context, struct walk *walk, const struct read *read)
{
    const struct engine_result *result = walk->result;
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    const struct ir_param *param = &kernel->param[read->from.param];
    const char *name = read->from.offset < 0
                           ? param->name
                           : member_name(walk, param->name, param->type, read->from.offset);
    struct rule_report *report =
        rule_report(context, read->loc, read->chain, RULE_POSSIBLE,
                    "threads of '%s' read '%s' without waiting for the kernel before it, and "
                    "others wait for that before they read it",
                    kernel->name, name);
    rule_note(report, walk->wait, "others wait here");
}

static void report(struct rule_context *context, struct walk *walk)
{
    const struct engine_result *result = walk->result;
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    const char *name = kernel->name;
    struct rule_report *report = NULL;
    if (walk->written_load.file) {
        report = rule_report(
            context, walk->written_load, walk->written_chain, RULE_POSSIBLE,
            walk->unaware ? "threads of '%s' read '%s' that have not waited for '%s', which "
                            "is launched before it and writes there"
                          : "'%s' reads '%s' before it waits for '%s', which is launched before "
                            "it and writes there",
            name, walk->written, result->shape.after);
        if (walk->waits && !walk->unread)
            rule_note(report, walk->wait, "it waits here");
        note_idles(report, walk);
    } else if (walk->unread) {
        return;
    } else if (read_aside(walk)) {
        report_aside(context, walk, read_aside(walk));
    } else if (walk->loads_before && !walk->loads_after && walk->waits) {
        report = rule_report(context, walk->wait, 0, RULE_POSSIBLE,
                             "'%s' waits for the kernel before it when it has read all its data "
                             "already",
                             name);
        rule_note(report, walk->load, "memory is read here, before");
    } else if (walk->loads_before && !walk->loads_after) {
        report = rule_report(context, walk->load, 0, RULE_POSSIBLE,
                             "'%s' may start before the kernel before it has ended, and reads "
                             "memory without waiting for it",
                             name);
        note_idles(report, walk);
    }
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_shape *shape = &result->shape;
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    if (!shape->dependent || kernel->flags & (IR_FN_PARTIAL | IR_FN_PATTERN))
        return;
    struct walk walk = {.result = result, .some_wait = some_wait(result)};
    struct ir_frame top = {0};
    arena_init(&walk.arena);
    cfg_build(&walk.cfg, kernel, &walk.arena);
    walk_function(&walk, &top, result->kernel, 0);
    report(context, &walk);
    arena_release(&walk.arena);
}

const struct rule rule_launch_pdl = {
    .id = "launch-pdl",
    .family = "launch",
    .summary = "a kernel that may start early does not wait for the one before it",
    .level = RULE_WARNING,
    .reach = RULE_POSSIBLE,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.13 (griddepcontrol)",
                   "CUDA Programming Guide 13, programmatic dependent launch"},
    .check = check,
    .doc =
        {
            .what =
                "A kernel is launched with the attribute of programmatic stream "
                "serialization, so that it may start while the kernel before it "
                "still runs, and reads global memory: without ever executing "
                "cudaGridDependencySynchronize() (griddepcontrol.wait), or before "
                "it only. Reads before the wait are fine as long as others follow "
                "it: what does not depend on the kernel before may be fetched "
                "early. What the same host function has passed to the kernel launched "
                "before, and that one writes, does depend on it, also where the kernel gets "
                "a tensor map of it: threads that read it have waited themselves, or met those "
                "that have at a barrier. So does what some threads read behind their wait, while "
                "others, which never wait, read it as well.",
            .why = "Until the wait nothing the kernel before has written needs to be "
                   "visible, whether that kernel triggers early or not; a trigger "
                   "publishes no writes that follow it.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void copy(const int *in, int *out)\n"
                   "{\n"
                   "    out[threadIdx.x] = in[threadIdx.x];\n"
                   "    cudaGridDependencySynchronize(); // expect: launch-pdl\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out, cudaStream_t stream)\n"
                   "{\n"
                   "    cudaLaunchAttribute attribute[1];\n"
                   "    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                   "    attribute[0].val.programmaticStreamSerializationAllowed = 1;\n"
                   "    cudaLaunchConfig_t config = {};\n"
                   "    config.gridDim = dim3(1);\n"
                   "    config.blockDim = dim3(128);\n"
                   "    config.stream = stream;\n"
                   "    config.attrs = attribute;\n"
                   "    config.numAttrs = 1;\n"
                   "    cudaLaunchKernelEx(&config, copy, in, out);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void copy(const int *in, int *out)\n"
                    "{\n"
                    "    cudaGridDependencySynchronize();\n"
                    "    out[threadIdx.x] = in[threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out, cudaStream_t stream)\n"
                    "{\n"
                    "    cudaLaunchAttribute attribute[1];\n"
                    "    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                    "    attribute[0].val.programmaticStreamSerializationAllowed = 1;\n"
                    "    cudaLaunchConfig_t config = {};\n"
                    "    config.gridDim = dim3(1);\n"
                    "    config.blockDim = dim3(128);\n"
                    "    config.stream = stream;\n"
                    "    config.attrs = attribute;\n"
                    "    config.numAttrs = 1;\n"
                    "    cudaLaunchKernelEx(&config, copy, in, out);\n"
                    "}\n",
            .fix = "Wait in every thread before the first access to what the kernel "
                   "before writes.",
            .limit = "Which kernel comes before it in the stream, and which memory both get, is "
                     "known of launches that one host function makes one after the other, with "
                     "the same pointers; streams are not told apart. Of others it is not known "
                     "whether what this one reads depends on the kernel before it.",
        },
};
