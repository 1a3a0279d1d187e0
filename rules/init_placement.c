#include "base/vec.h"
#include "rules/facts.h"

enum { MBARRIER_ALIGN = 8 }; // PTX ISA 9.1, 9.7.13.15.1

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

// A barrier of the library that is a local variable: each thread has one, and nobody else can come.
static void check_local(struct rule_context *context, const struct engine_event *event,
                        const struct engine_object *object)
{
    if (!event->count.known || event->count.low <= 1)
        return;
    struct rule_report *report =
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "barrier '%s' is a local variable, of which each thread has its own, and "
                    "expects %lld arrivals",
                    object->name, (long long)event->count.low);
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

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
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
        if (object->is_local && is_software)
            check_local(context, event, object);
        else if (!object->in_shared && !is_software)
            check_space(context, event, object);
        else if (object->in_shared && object->align > 0 && object->align < MBARRIER_ALIGN)
            check_align(context, event, object);
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
                "buffer, or behind a member of a packed struct). A cuda::barrier outside shared "
                "memory is legal, and cuda::memcpy_async then copies without the hardware; "
                "cuda::device::memcpy_async_tx and native handles do not work on it.",
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
