#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// Where one operation announces the bytes of the object, as a number.
static void offer_bytes(struct rule_report *report, const struct engine_result *result,
                        const struct engine_incident *incident)
{
    const struct engine_event *announces = NULL;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        bool is_one = event->model.kind == MODEL_MBARRIER_EXPECT_TX ||
                      event->model.kind == MODEL_MBARRIER_ARRIVE;
        if (!is_one || event->object != incident->object || event->model.bytes == IR_NONE)
            continue;
        if (announces)
            return;
        announces = event;
    }
    if (!announces || incident->number[0] <= 0 || incident->number[1] <= 0)
        return;
    struct rule_fix *fix =
        rule_fix(report, false, "announce the %lld bytes that the copies deliver",
                 (long long)incident->number[1]);
    fix_follows_shape(fix);
    fix_number(fix,
               number_place(result, announces->function, announces->model.bytes, announces->chain),
               (uint64_t)incident->number[0], (uint64_t)incident->number[1]);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "tx-bytes", incident))) {
        if (incident_of_new_life(result, incident))
            continue;
        const char *name = incident_object(result, incident);
        if (incident->violation == BARLINT_TX_RANGE)
            rule_report_incident(context, result, incident,
                                 "the transaction count of '%s' leaves its range of 1048575 bytes",
                                 name);
        else if (incident->number[2] == ENGINE_BYTES_ROOM)
            rule_report_incident(context, result, incident,
                                 incident->violation == BARLINT_TX_BYTES_MANY
                                     ? "%lld bytes are announced for a phase of '%s', its copies "
                                       "have room for %lld"
                                     : "%lld bytes are announced for a phase of '%s', as many as "
                                       "some of its copies have room for, all of them for %lld",
                                 (long long)incident->number[0], name,
                                 (long long)incident->number[1]);
        else if (incident->number[2] == ENGINE_BYTES_COMPARED)
            rule_report_incident(context, result, incident,
                                 "%s bytes are announced for a phase of '%s' than its copies "
                                 "deliver",
                                 incident->number[0] ? "more" : "fewer", name);
        else
            offer_bytes(rule_report_incident(
                            context, result, incident,
                            "%lld bytes are announced for a phase of '%s', its copies deliver "
                            "%lld",
                            (long long)incident->number[0], name, (long long)incident->number[1]),
                        result, incident);
    }
}

const struct rule rule_tx_bytes = {
    .id = "tx-bytes",
    .family = "tx",
    .summary = "bytes announced to a barrier differ from the bytes its copies deliver",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.2", "PTX ISA 9.1, 9.7.13.15.5",
                   "PTX ISA 9.1, 9.7.13.15.6", "libcu++ barrier_arrive_tx, memcpy_async_tx"},
    .check = check,
    .doc =
        {
            .what = "The bytes announced for a phase of an mbarrier (arrive.expect_tx, "
                    "expect_tx) are not those that the copies of the phase deliver: elements "
                    "counted instead of bytes, one of two tiles forgotten, a size that "
                    "changed in one place only. A tensor copy delivers the box that the host "
                    "encodes its map with. Or the transaction count leaves its range of "
                    "2^20-1. Of sizes that are no known numbers it is told when what is announced "
                    "less what is copied cannot be 0. Where the host's code is not at hand, tensor "
                    "copies are taken to bring no more than there is room for behind where they "
                    "go, up to where another one does; and where the bytes are exactly those that "
                    "some of the tensors have room for, the others have been forgotten.",
            .why = "A phase ends when all arrivals are in and the transaction count is zero. "
                   "With more bytes announced than come it never ends, and the waiters hang; "
                   "with fewer it ends before the data are there, or never, by timing.",
            .bad = "#include <cuda/barrier>\n"
                   "#include <cuda/std/utility>\n"
                   "\n"
                   "using block_barrier = cuda::barrier<cuda::thread_scope_block>;\n"
                   "\n"
                   "// The tables of a row are fetched together: 64 keys and 64 weights.\n"
                   "__global__ void weigh(const int *key, const double *weight, double *out)\n"
                   "{\n"
                   "    __shared__ alignas(16) int keys[64];\n"
                   "    __shared__ alignas(16) double weights[64];\n"
                   "    __shared__ block_barrier there;\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&there, blockDim.x);\n"
                   "    __syncthreads();\n"
                   "    block_barrier::arrival_token token;\n"
                   "    if (threadIdx.x == 0) {\n"
                   "        cuda::device::memcpy_async_tx(keys, key, "
                   "cuda::aligned_size_t<16>(sizeof(keys)), there);\n"
                   "        cuda::device::memcpy_async_tx(weights, weight,\n"
                   "                                      "
                   "cuda::aligned_size_t<16>(sizeof(weights)), there);\n"
                   "        token = cuda::device::barrier_arrive_tx( // expect: tx-bytes\n"
                   "            there, 1, 2 * sizeof(keys));\n"
                   "    } else {\n"
                   "        token = there.arrive();\n"
                   "    }\n"
                   "    there.wait(cuda::std::move(token));\n"
                   "    out[threadIdx.x] = weights[keys[threadIdx.x] & 63];\n"
                   "}\n"
                   "\n"
                   "void launch(const int *key, const double *weight, double *out)\n"
                   "{\n"
                   "    weigh<<<1, 64>>>(key, weight, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <cuda/std/utility>\n"
                    "\n"
                    "using block_barrier = cuda::barrier<cuda::thread_scope_block>;\n"
                    "\n"
                    "// The tables of a row are fetched together: 64 keys and 64 weights.\n"
                    "__global__ void weigh(const int *key, const double *weight, double *out)\n"
                    "{\n"
                    "    __shared__ alignas(16) int keys[64];\n"
                    "    __shared__ alignas(16) double weights[64];\n"
                    "    __shared__ block_barrier there;\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&there, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    block_barrier::arrival_token token;\n"
                    "    if (threadIdx.x == 0) {\n"
                    "        cuda::device::memcpy_async_tx(keys, key, "
                    "cuda::aligned_size_t<16>(sizeof(keys)), there);\n"
                    "        cuda::device::memcpy_async_tx(weights, weight,\n"
                    "                                      "
                    "cuda::aligned_size_t<16>(sizeof(weights)), there);\n"
                    "        token = cuda::device::barrier_arrive_tx(there, 1, sizeof(keys) + "
                    "sizeof(weights));\n"
                    "    } else {\n"
                    "        token = there.arrive();\n"
                    "    }\n"
                    "    there.wait(cuda::std::move(token));\n"
                    "    out[threadIdx.x] = weights[keys[threadIdx.x] & 63];\n"
                    "}\n"
                    "\n"
                    "void launch(const int *key, const double *weight, double *out)\n"
                    "{\n"
                    "    weigh<<<1, 64>>>(key, weight, out);\n"
                    "}\n",
            .fix = "Take the size of the copy and of the announcement from one constant, in "
                   "bytes; add up all copies of the phase. A tensor copy delivers its whole "
                   "box, the part outside of the tensor included.",
        },
};
