#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

enum {
    BULK_UNIT = 16,    // size and addresses of a bulk copy: PTX ISA 9.1, 9.7.9.25.4
    TENSOR_ALIGN = 128 // the shared side of a tensor copy: PTX ISA 9.1, 9.7.9.27.1
};

static void check_bulk_bytes(struct rule_context *context, const struct engine_event *event)
{
    struct engine_range bytes;
    enum rule_certainty certainty;
    if (!range_known(&event->bytes, &bytes, &certainty) || event->model.flags & MODEL_TENSOR)
        return;
    bool low = bytes.low % BULK_UNIT != 0 || bytes.low < 0;
    bool high = bytes.high % BULK_UNIT != 0;
    if (low || high) {
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, certainty,
                        "a bulk copy of %lld bytes: the size must be a multiple of 16",
                        (long long)(low ? bytes.low : bytes.high));
        event_must_be_launched(report, event);
    } else if (bytes.low == 0) {
        // A loop's last round may copy nothing on purpose; a copy that is always empty is a slip.
        bool always = bytes.high == 0 && certainty == RULE_CERTAIN;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, always ? RULE_CERTAIN : RULE_POSSIBLE,
                        "a bulk copy of 0 bytes");
        if (!always)
            rule_pedantic(report);
    }
}

static void check_address(struct rule_context *context, const struct engine_event *event,
                          const struct engine_range *align, const char *what, int64_t needed)
{
    if (!align->given || !align->known || align->low >= needed)
        return;
    bool is_wrong = align->high < needed;
    struct rule_report *report =
        rule_report(context, event->loc, event->chain, is_wrong ? RULE_CERTAIN : RULE_POSSIBLE,
                    is_wrong ? "the %s of this copy is not aligned to %lld bytes"
                             : "nothing promises that the %s of this copy is aligned to %lld bytes",
                    what, (long long)needed);
    rule_note(report, event->loc, "its declaration promises %lld bytes and its offset allows %lld",
              (long long)align->low, (long long)align->high);
    if (!is_wrong)
        rule_pedantic(report);
}

// The alignment that the value promises by its type, cuda::aligned_size_t; 0 where it is a plain
// number.
static int64_t promise_of(const struct ir_unit *unit, const struct ir_op *size)
{
    static const char name[] = "cuda::aligned_size_t<";
    if (!size || size->type == IR_NONE)
        return 0;
    const struct ir_type *type = &unit->type[size->type];
    if (type->kind == IR_TYPE_POINTER)
        type = &unit->type[type->elem];
    return type->kind == IR_TYPE_RECORD && strncmp(type->name, name, sizeof name - 1) == 0
               ? strtoll(type->name + sizeof name - 1, NULL, 10)
               : 0;
}

// Whether both sides have a layout of their own, of elements.
static bool has_layouts(const struct engine_event *event, const struct ir_op *at)
{
    return event->model.kind == MODEL_GROUP_COPY && at->operand_count > 4;
}

// The alignment that the size promises of itself and of both addresses (Programming Guide 13,
// 5.6.3, memcpy_async). `unit` is what the size counts: bytes or elements.
static int64_t promised(const struct engine_result *result, const struct engine_event *event,
                        int64_t *unit)
{
    const struct ir_unit *ir = result->unit;
    const struct ir_function *function = &ir->function[event->function];
    const struct ir_op *size = ir_op_at(function, event->model.bytes);
    const struct ir_op *to = ir_op_at(function, event->model.dst);
    const struct ir_op *at = ir_op_at(function, event->op);
    if (!size || !to || size->type == IR_NONE || to->type == IR_NONE)
        return 0;
    const struct ir_type *place = &ir->type[to->type];
    *unit = 1;
    if (has_layouts(event, at))
        *unit = place->kind == IR_TYPE_POINTER ? (int64_t)ir->type[place->elem].size : 0;
    return promise_of(ir, size);
}

// The layouts of the two sides must promise the same alignment: else the library copies as if there
// were no promise.
static void check_layouts(struct rule_context *context, const struct engine_result *result,
                          const struct engine_event *event)
{
    enum { TO_LAYOUT = 2, FROM_LAYOUT = 4 }; // operands
    const struct ir_function *function = &result->unit->function[event->function];
    const struct ir_op *at = ir_op_at(function, event->op);
    if (!has_layouts(event, at))
        return;
    int64_t to = promise_of(result->unit, ir_op_at(function, ir_operand(function, at, TO_LAYOUT)));
    int64_t from =
        promise_of(result->unit, ir_op_at(function, ir_operand(function, at, FROM_LAYOUT)));
    if (to && from && to != from)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "the layouts of a copy promise alignments of %lld and %lld bytes: they must be "
                    "the same",
                    (long long)to, (long long)from);
}

static void check_promise(struct rule_context *context, const struct engine_result *result,
                          const struct engine_event *event)
{
    int64_t unit = 1, align = promised(result, event, &unit);
    const struct engine_range *bytes = &event->bytes;
    check_layouts(context, result, event);
    if (align <= 1)
        return;
    if (bytes->given && bytes->known && unit > 0 && bytes->low * unit % align != 0)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "a copy of %lld bytes, of which the type of the size promises that they are a "
                    "multiple of %lld",
                    (long long)(bytes->low * unit), (long long)align);
    check_address(context, event, &event->dst_align, "destination", align);
    check_address(context, event, &event->src_align, "source", align);
}

static void check_bulk(struct rule_context *context, const struct engine_result *result,
                       const struct engine_event *event)
{
    if (event->model.flags & MODEL_EXPECTS) {
        // cuda::memcpy_async chooses an instruction that takes the size.
        check_promise(context, result, event);
        return;
    }
    check_bulk_bytes(context, event);
    bool is_tensor = event->model.flags & MODEL_TENSOR;
    bool is_load = event->model.kind == MODEL_BULK_LOAD;
    // Of a tensor copy only the shared side is an address; the other is the tensor map.
    if (!is_tensor || is_load)
        check_address(context, event, &event->dst_align, "destination",
                      is_tensor ? TENSOR_ALIGN : BULK_UNIT);
    if (!is_tensor || !is_load)
        check_address(context, event, &event->src_align, "source",
                      is_tensor ? TENSOR_ALIGN : BULK_UNIT);
}

// cp.async copies 4, 8 or 16 bytes between addresses aligned to as much (PTX ISA 9.1,
// 9.7.9.25.3.1).
static void check_small(struct rule_context *context, const struct engine_result *result,
                        const struct engine_event *event)
{
    const struct engine_range *bytes = &event->bytes;
    if (!bytes->given || !bytes->known || bytes->low != bytes->high)
        return;
    if (bytes->low != 4 && bytes->low != 8 && bytes->low != 16) {
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "an asynchronous copy of %lld bytes: the size must be 4, 8 or 16",
                    (long long)bytes->low);
        return;
    }
    // The bytes that are filled with zeros, or, of the instruction, those that are not.
    const struct ir_function *function = &result->unit->function[event->function];
    const struct ir_op *part = ir_op_at(function, event->model.value);
    if (part && part->code == IR_CONST && (part->imm < 0 || part->imm > bytes->low))
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "%lld bytes are named as a part of an asynchronous copy of %lld",
                    (long long)part->imm, (long long)bytes->low);
    check_address(context, event, &event->dst_align, "destination", bytes->low);
    check_address(context, event, &event->src_align, "source", bytes->low);
    if (event->dst_elsewhere || event->src_elsewhere)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "the %s of this copy is not in %s memory",
                    event->dst_elsewhere ? "destination" : "source",
                    event->dst_elsewhere ? "shared" : "global");
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_BULK_LOAD || event->model.kind == MODEL_BULK_STORE)
            check_bulk(context, result, event);
        else if (event->model.kind == MODEL_GROUP_COPY)
            check_promise(context, result, event);
        else if (event->model.kind == MODEL_CP_ASYNC)
            check_small(context, result, event);
    }
}

const struct rule rule_tx_size_align = {
    .id = "tx-size-align",
    .family = "tx",
    .summary = "an asynchronous copy has a size or an address the hardware does not take",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.9.25 (cp.async.bulk)",
                   "PTX ISA 9.1, 9.7.9.27.1 (cp.async.bulk.tensor)"},
    .check = check,
    .doc =
        {
            .what =
                "The size of a bulk copy is not a multiple of 16 or is zero, one of its addresses "
                "is not a multiple of 16 (128 for the shared side of a tensor copy), or a "
                "cp.async has a size other than 4, 8 and 16, an address not aligned to its size, a "
                "destination that is not shared or a source that is not global memory. Or a "
                "memcpy_async is given its size as an aligned_size_t, and the size or an address "
                "is no multiple of what the type promises, or two layouts promise different "
                "alignments.",
            .why =
                "The copy engine moves whole units. A wrong address ends the kernel with a "
                "misaligned address; a wrong size leaves bytes out, so that the transaction count "
                "of the barrier never comes down to zero and the wait hangs.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "namespace ptx = cuda::ptx;\n"
                   "\n"
                   "__global__ void load_row(const float *in, float *out)\n"
                   "{\n"
                   "    constexpr int columns = 30; // 120 bytes\n"
                   "    __shared__ alignas(128) float row[32];\n"
                   "    __shared__ uint64_t full;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        ptx::mbarrier_init(&full, 1);\n"
                   "    __syncthreads();\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, "
                   "ptx::space_shared,\n"
                   "                                       &full, columns * sizeof(float));\n"
                   "        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in, "
                   "// expect: tx-size-align\n"
                   "                           columns * sizeof(float), &full);\n"
                   "    }\n"
                   "    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {\n"
                   "    }\n"
                   "    out[threadIdx.x] = row[threadIdx.x % columns];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    load_row<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "namespace ptx = cuda::ptx;\n"
                    "\n"
                    "__global__ void load_row(const float *in, float *out)\n"
                    "{\n"
                    "    constexpr int columns = 32; // 128 bytes\n"
                    "    __shared__ alignas(128) float row[32];\n"
                    "    __shared__ uint64_t full;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        ptx::mbarrier_init(&full, 1);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, "
                    "ptx::space_shared,\n"
                    "                                       &full, columns * sizeof(float));\n"
                    "        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, row, in,\n"
                    "                           columns * sizeof(float), &full);\n"
                    "    }\n"
                    "    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = row[threadIdx.x % columns];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    load_row<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Declare buffers alignas(16) (alignas(128) for tensor copies) and round sizes "
                   "up to a multiple of 16.",
        },
};
