#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { MOST_DEPTH = 8 };

// The class of the completion function that a cuda::barrier's member function is instantiated for;
// IR_NONE for the empty one.
static ir_type_id completion_of(const struct ir_unit *unit, const struct ir_function *callee)
{
    for (ptrdiff_t i = 0; i < arrlen(callee->class_arg); ++i) {
        const struct ir_template_arg *argument = &callee->class_arg[i];
        if (argument->kind == IR_ARG_TYPE && argument->type != IR_NONE &&
            unit->type[argument->type].kind == IR_TYPE_RECORD)
            return argument->type;
    }
    return IR_NONE;
}

// The call operator of the class, IR_NONE where it was not read.
static ir_function_id operator_of(const struct ir_unit *unit, ir_type_id class)
{
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        const struct ir_function *function = &unit->function[i];
        if (!(function->flags & IR_FN_BODY) || arrlen(function->param) != 1 ||
            !function->param[0].is_this)
            continue;
        const struct ir_type *type = &unit->type[function->param[0].type];
        const char *name = strrchr(function->lookup, ':');
        if (type->kind == IR_TYPE_POINTER && type->elem == class && name &&
            strcmp(name, ":operator()") == 0)
            return (ir_function_id)i;
    }
    return IR_NONE;
}

// What is wrong with one thread executing the operation inside the completion function; NULL where
// nothing is.
static const char *objection(const struct ir_unit *unit, const struct ir_function *function,
                             const struct ir_op *op, const struct model_op *model, ir_type_id class)
{
    bool own = op->code == IR_CALL && completion_of(unit, &unit->function[op->imm]) == class &&
               model->flags & MODEL_LIBRARY_OBJECT;
    const struct ir_op *mask = ir_op_at(function, model->mask);
    switch (model->kind) {
    case MODEL_MBARRIER_ARRIVE:
    case MODEL_MBARRIER_TEST:
        return own ? "uses the barrier whose phase it ends" : NULL;
    case MODEL_MBARRIER_WAIT:
    case MODEL_MBARRIER_ARRIVE_WAIT:
        return own ? "uses the barrier whose phase it ends" : "waits at another barrier";
    case MODEL_NAMED_SYNC:
    case MODEL_NAMED_RED:
    case MODEL_CLUSTER_SYNC:
    case MODEL_CLUSTER_WAIT:
    case MODEL_GRID_SYNC:
    case MODEL_GRID_WAIT:
        return "waits at a barrier that many threads have to reach";
    case MODEL_GROUP_SYNC:
    case MODEL_GROUP_WAIT:
    case MODEL_GROUP_COLLECTIVE:
        return model->scope == MODEL_SCOPE_THREAD || model->scope == MODEL_SCOPE_COALESCED
                   ? NULL
                   : "executes a collective of many threads";
    case MODEL_WARP_SYNC:
    case MODEL_WARP_SHUFFLE:
    case MODEL_WARP_VOTE:
    case MODEL_WARP_MATCH:
    case MODEL_WARP_REDUCE: {
        bool many = !mask || (mask->code == IR_CONST && (mask->imm & (mask->imm - 1)));
        return many ? "executes a collective of a warp" : NULL;
    }
    default:
        return NULL;
    }
}

// Whether the value is worked out from the number of the thread that runs the function.
static bool tells_thread(const struct ir_function *function, ir_value value, int depth)
{
    const struct ir_op *op = ir_op_at(function, value);
    if (!op || depth > MOST_DEPTH)
        return false;
    if (op->code == IR_SPECIAL)
        return op->imm <= IR_TID_Z || op->imm == IR_LANEID;
    if (op->code == IR_LOAD) {
        const struct ir_op *from = ir_op_at(function, ir_operand(function, op, 0));
        for (ptrdiff_t i = 0; from && from->code == IR_LOCAL && i < arrlen(function->op); ++i) {
            const struct ir_op *store = &function->op[i];
            const struct ir_op *to = ir_op_at(function, ir_operand(function, store, 0));
            if (store->code == IR_STORE && to && to->code == IR_LOCAL && to->imm == from->imm &&
                tells_thread(function, ir_operand(function, store, 1), depth + 1))
                return true;
        }
        return false;
    }
    for (uint32_t i = 0; op->code != IR_CALL && i < op->operand_count; ++i) {
        if (tells_thread(function, ir_operand(function, op, i), depth + 1))
            return true;
    }
    return false;
}

struct search {
    const struct engine_result *result;
    ir_type_id class;
    ir_function_id begun[MOST_DEPTH];
    const char *why;
    struct ir_loc loc;
    bool always; // nothing decides whether it is reached
};

// Looks for the first operation that does not belong in the function or in what it calls.
static bool search_in(struct search *search, ir_function_id id, int depth, bool always)
{
    const struct ir_unit *unit = search->result->unit;
    const struct ir_function *function = &unit->function[id];
    if (depth >= MOST_DEPTH || !(function->flags & IR_FN_BODY))
        return false;
    for (int i = 0; i < depth; ++i) {
        if (search->begun[i] == id)
            return false;
    }
    search->begun[depth] = id;
    bool straight = always;
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        for (ptrdiff_t k = 0; k < arrlen(function->block[b].op); ++k) {
            const struct ir_op *op = ir_op_at(function, function->block[b].op[k]);
            struct model_op model;
            if (op->code == IR_CONDBR || op->code == IR_SWITCH)
                straight = false;
            if (op->code == IR_CONDBR &&
                tells_thread(function, ir_operand(function, op, 0), 0)) {
                search->why = "asks for the number of its thread, which may be any of those that "
                              "arrive";
                search->loc = op->loc;
                search->always = false;
                return true;
            }
            if (op->code != IR_CALL && op->code != IR_PTX)
                continue;
            if (!model_match(search->result->model, unit, function, function->block[b].op[k],
                             &model)) {
                if (op->code == IR_CALL &&
                    search_in(search, (ir_function_id)op->imm, depth + 1, straight))
                    return true;
                continue;
            }
            search->why = objection(unit, function, op, &model, search->class);
            if (search->why) {
                search->loc = op->loc;
                search->always = straight;
                return true;
            }
        }
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct ir_unit *unit = result->unit;
    ir_type_id *told = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct ir_op *op = ir_op_at(&unit->function[event->function], event->op);
        if ((event->model.kind != MODEL_MBARRIER_ARRIVE &&
             event->model.kind != MODEL_MBARRIER_ARRIVE_WAIT) ||
            op->code != IR_CALL)
            continue;
        ir_type_id class = completion_of(unit, &unit->function[op->imm]);
        bool known = class == IR_NONE;
        for (ptrdiff_t k = 0; k < arrlen(told) && !known; ++k)
            known = told[k] == class;
        if (known)
            continue;
        arrput(told, class);
        ir_function_id call = operator_of(unit, class);
        struct search search = {.result = result, .class = class};
        if (call == IR_NONE || !search_in(&search, call, 0, true))
            continue;
        struct rule_report *report = rule_report(
            context, search.loc, event->chain, search.always ? RULE_CERTAIN : RULE_POSSIBLE,
            "the completion function '%s' %s", unit->type[class].name, search.why);
        const struct engine_object *object = event_object(result, event);
        rule_note(report, event->loc,
                  "whoever arrives last at '%s' runs it, here for instance, and the others wait",
                  object && object->name ? object->name : "the barrier");
    }
    arrfree(told);
}

const struct rule rule_arrive_completion_fn = {
    .id = "arrive-completion-fn",
    .family = "arrive",
    .summary = "a completion function waits at a barrier or uses its own",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"C++ draft [thread.barrier.class] (the completion function runs once a phase, "
                   "before anybody is released)",
                   "CUDA Programming Guide 13, 4.9.6"},
    .check = check,
    .doc =
        {
            .what = "The completion function of a cuda::barrier, which one thread runs "
                    "while the others wait for the phase to end, waits itself: at its "
                    "own barrier, at another one, at a barrier of the block, the "
                    "cluster or the grid, or in a collective of a warp or tile. "
                    "Arriving at another barrier is fine. Certain when nothing inside "
                    "the function decides whether it gets there. Or it goes by the "
                    "number of the thread that runs it (threadIdx, the lane): whoever "
                    "arrives last runs it, so what is left to thread 0 is done in some "
                    "phases and not in others.",
            .why = "The phase ends when the function returns. Those who could make it "
                   "return are waiting for the phase, so the block hangs; an operation "
                   "on the barrier itself finds it in the middle of a phase.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "struct Swap {\n"
                   "    float **front, **back;\n"
                   "    __device__ void operator()() noexcept\n"
                   "    {\n"
                   "        float *old = *front;\n"
                   "        *front = *back;\n"
                   "        *back = old;\n"
                   "        __syncthreads(); // expect: arrive-completion-fn\n"
                   "    }\n"
                   "};\n"
                   "\n"
                   "using step_barrier = cuda::barrier<cuda::thread_scope_block, Swap>;\n"
                   "\n"
                   "__global__ void relax(float **front, float **back, step_barrier *steps, int "
                   "rounds)\n"
                   "{\n"
                   "    step_barrier &step = steps[blockIdx.x];\n"
                   "    for (int round = 0; round < rounds; ++round) {\n"
                   "        (*back)[threadIdx.x] = 0.5f * (*front)[threadIdx.x];\n"
                   "        step.arrive_and_wait();\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(float **front, float **back, step_barrier *steps, int rounds)\n"
                   "{\n"
                   "    relax<<<1, 128>>>(front, back, steps, rounds);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "struct Swap {\n"
                    "    float **front, **back;\n"
                    "    __device__ void operator()() noexcept\n"
                    "    {\n"
                    "        float *old = *front;\n"
                    "        *front = *back;\n"
                    "        *back = old;\n"
                    "    }\n"
                    "};\n"
                    "\n"
                    "using step_barrier = cuda::barrier<cuda::thread_scope_block, Swap>;\n"
                    "\n"
                    "__global__ void relax(float **front, float **back, step_barrier *steps, int "
                    "rounds)\n"
                    "{\n"
                    "    step_barrier &step = steps[blockIdx.x];\n"
                    "    for (int round = 0; round < rounds; ++round) {\n"
                    "        (*back)[threadIdx.x] = 0.5f * (*front)[threadIdx.x];\n"
                    "        step.arrive_and_wait();\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(float **front, float **back, step_barrier *steps, int rounds)\n"
                    "{\n"
                    "    relax<<<1, 128>>>(front, back, steps, rounds);\n"
                    "}\n",
            .fix = "Keep the function short and free of synchronisation: what all "
                   "threads have to do together belongs behind the wait.",
            .measured = "on H200: hangs",
        },
};
