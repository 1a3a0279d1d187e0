#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum { MBARRIER_ALIGN = 8, MBARRIER_BYTES = 8 }; // PTX ISA 9.1, 9.7.13.15.1

// Only where a barrier is initialised: one finding an object says it all.
static bool is_checked(const struct engine_result *result, const struct engine_event *event)
{
    if (event->model.kind == MODEL_MBARRIER_INIT)
        return true;
    // A barrier of the library may live elsewhere and be counted by software, but not where an
    // operation needs the hardware's. A copy that announces its own bytes looks where it lies.
    const struct engine_object *object = event_object(result, event);
    return object && event->model.flags & MODEL_LIBRARY_OBJECT && !object->in_shared &&
           (event->model.kind == MODEL_MBARRIER_HANDLE ||
            event->model.kind == MODEL_MBARRIER_EXPECT_TX ||
            (event->model.bytes != IR_NONE && !(event->model.flags & MODEL_EXPECTS)));
}

static void check_space(struct rule_context *context, const struct engine_event *event,
                        const struct engine_object *object)
{
    const char *where = object->is_peer ? "the shared memory of another block of the cluster"
                                        : "memory that is not the block's shared memory";
    struct rule_report *report =
        rule_report(context, event->loc, event->chain, object->exact ? RULE_CERTAIN : RULE_POSSIBLE,
                    "barrier '%s' lies in %s, where %s does not work", object->name, where,
                    event->model.spelling);
    if (object->loc.file != 0)
        rule_note(report, object->loc, "'%s' is declared here", object->name);
}

static void check_align(struct rule_context *context, const struct engine_event *event,
                        const struct engine_object *object)
{
    bool offset_wrong = object->offset % MBARRIER_ALIGN != 0;
    bool base_right = object->base_align >= MBARRIER_ALIGN;
    struct rule_report *report =
        rule_report(context, event->loc, event->chain,
                    object->exact && offset_wrong && base_right ? RULE_CERTAIN : RULE_POSSIBLE,
                    offset_wrong ? "barrier '%s' is not aligned to 8 bytes"
                                 : "nothing promises that barrier '%s' is aligned to 8 bytes",
                    object->name);
    if (object->loc.file != 0)
        rule_note(report, object->loc,
                  "it lies %lld bytes from the start of a variable aligned to %llu",
                  (long long)object->offset, (unsigned long long)object->base_align);
    // Shared variables usually come to lie well, so that a missing alignas alone says little.
    if (!offset_wrong)
        rule_pedantic(report);
}

static void check_beyond(struct rule_context *context, const struct engine_result *result,
                         const struct engine_event *event, const struct engine_object *object)
{
    struct rule_report *report = rule_report(
        context, event->loc, event->chain, object->beyond_if ? RULE_POSSIBLE : RULE_CERTAIN,
        "barrier '%s' needs %lld bytes of dynamic shared memory, and the launch gives "
        "%lld",
        object->name, (long long)object->offset + MBARRIER_BYTES,
        (long long)result->shape.shared_bytes);
    if (object->loc.file != 0)
        rule_note(report, object->loc, "it lies %lld bytes from the start of this memory",
                  (long long)object->offset);
}

// Whether several threads do more with the barrier than to make it and to end its life.
static bool is_shared_by(const struct engine_result *result, uint32_t object)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->object == object && event->model.kind != MODEL_MBARRIER_INIT &&
            event->model.kind != MODEL_MBARRIER_INVAL && event->threads.count > 1)
            return true;
    }
    return false;
}

// A barrier of the library that each thread has for itself, for several to arrive at.
static bool is_nobody_elses(const struct engine_result *result, const struct engine_event *event,
                            const struct engine_object *object)
{
    struct engine_range count;
    enum rule_certainty certainty;
    return object->is_own && object->exact && event->model.kind == MODEL_MBARRIER_INIT &&
           event->model.flags & MODEL_LIBRARY_OBJECT &&
           range_known(&event->count, &count, &certainty) && count.low > 1 &&
           is_shared_by(result, event->object);
}

static void check_own(struct rule_context *context, const struct engine_event *event,
                      const struct engine_object *object)
{
    struct rule_report *report = rule_report(
        context, event->loc, event->chain, RULE_CERTAIN,
        "each thread has a barrier '%s' of its own, and nobody else arrives at it", object->name);
    if (object->loc.file != 0)
        rule_note(report, object->loc, "'%s' is declared here, without __shared__", object->name);
}

// The operation whose value the one is: of a variable that is written once, what is written.
static const struct ir_op *origin_of(const struct ir_function *function, ir_value value)
{
    const struct ir_op *op = ir_op_at(function, value), *found = NULL;
    const struct ir_op *from =
        op && op->code == IR_LOAD ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
    if (!from || from->code != IR_LOCAL)
        return op;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *store = &function->op[i];
        const struct ir_op *to =
            store->code == IR_STORE ? ir_op_at(function, ir_operand(function, store, 0)) : NULL;
        if (!to || to->code != IR_LOCAL || to->imm != from->imm)
            continue;
        if (found)
            return op;
        found = ir_op_at(function, ir_operand(function, store, 1));
    }
    return found ? found : op;
}

// Whether an instruction that takes a generic address, of 64 bits, is given the 32 bits of a place
// in the shared memory's own window.
static bool takes_offset(const struct engine_result *result, const struct engine_event *event)
{
    const struct ir_function *function = &result->unit->function[event->function];
    const struct ir_op *op = ir_op_at(function, event->op);
    const struct ir_op *wide = origin_of(function, event->model.object);
    if (op->code != IR_PTX || !op->text || strstr(op->text, ".shared") || !wide ||
        wide->code != IR_CAST)
        return false;
    const struct ir_op *narrow = ir_op_at(function, ir_operand(function, wide, 0));
    const struct ir_type *type =
        narrow && narrow->type != IR_NONE ? &result->unit->type[narrow->type] : NULL;
    return type && type->kind == IR_TYPE_INT && type->bits == 32;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        if (object && is_nobody_elses(result, event, object))
            check_own(context, event, object);
        if (event_is_mbarrier(event) && takes_offset(result, event))
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "%s without .shared takes a generic address, and is given the 32 bits of "
                        "a place in shared memory",
                        event->model.spelling);
        // No pointer that a kernel is given leads to shared memory.
        if (!object && event->in_global && event->model.kind == MODEL_MBARRIER_INIT &&
            !(event->model.flags & MODEL_LIBRARY_OBJECT))
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "the barrier lies in memory that the kernel was given, where %s does not "
                        "work",
                        event->model.spelling);
        if (!object || !is_checked(result, event))
            continue;
        bool is_software = event->model.flags & MODEL_LIBRARY_OBJECT &&
                           event->model.kind == MODEL_MBARRIER_INIT && !object->is_peer;
        if (!object->in_shared && !is_software)
            check_space(context, event, object);
        else if (object->in_shared && object->align > 0 && object->align < MBARRIER_ALIGN)
            check_align(context, event, object);
        else if (object->beyond)
            check_beyond(context, result, event, object);
    }
}

const struct rule rule_init_placement = {
    .id = "init-placement",
    .family = "init",
    .summary = "a barrier lies outside the block's shared memory or is not aligned to 8 bytes",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.1", "PTX ISA 9.1, 9.7.13.15.9 (mbarrier.init)",
                   "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what =
                "A barrier is a local variable, lies in global memory or in the shared memory of "
                "another block, or its address is not a multiple of 8 (carved out of a byte "
                "buffer, or behind a member of a packed struct), or it lies behind the end of the "
                "dynamic shared memory that the launch gives. A cuda::barrier outside shared "
                "memory is legal, and cuda::memcpy_async then copies without the hardware; "
                "cuda::device::memcpy_async_tx and native handles do not work on it. As a local "
                "variable that expects several arrivals it is of no use: each thread has its own, "
                "and waits alone. An instruction without .shared takes a generic address: the 32 "
                "bits that __cvta_generic_to_shared() gives lead it elsewhere.",
            .why = "The hardware's barrier is 8 bytes of the block's own shared memory. On the "
                   "device, an operation on anything else ends the kernel with an illegal "
                   "instruction or a misaligned address.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void stage(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) unsigned char raw[2048];\n"
                   "    // 1020 is a multiple of 4 only.\n"
                   "    uint64_t *full = reinterpret_cast<uint64_t *>(raw + 1020);\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(full, 1); // expect: init-placement\n"
                   "    __syncthreads();\n"
                   "    out[threadIdx.x] = in[threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    stage<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void stage(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) unsigned char raw[2048];\n"
                    "    uint64_t *full = reinterpret_cast<uint64_t *>(raw + 1024);\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(full, 1);\n"
                    "    __syncthreads();\n"
                    "    out[threadIdx.x] = in[threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    stage<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Declare the barrier __shared__, and round offsets into a buffer up to a "
                   "multiple of 8.",
        },
};
