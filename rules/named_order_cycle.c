#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "named-order-cycle", incident))) {
        if (incident_behind_arrivals(result, incident, (uint32_t)incident->number[1]))
            continue;
        rule_report_incident(
            context, result, incident,
            "%s {waits|wait} at barrier %lld for %s, which {waits|wait} for the former at another "
            "barrier: neither goes on",
            threads_text(&incident->threads), (long long)incident->number[0],
            threads_text(&incident->missing));
    }
}

const struct rule rule_named_order_cycle = {
    .id = "named-order-cycle",
    .family = "named",
    .summary = "roles wait at barriers in opposite order",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.1"},
    .check = check,
    .doc =
        {
            .what = "Two roles wait at two barriers, or at a named barrier and an mbarrier, "
                    "each for an arrival that the other makes only later. Each wait of the "
                    "circle is reported.",
            .why = "Neither arrival is ever made: both roles hang on every run.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void swap(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    tile[threadIdx.x] = data[threadIdx.x];\n"
                   "    if (threadIdx.x < 64) {\n"
                   "        asm volatile(\"bar.sync 1, 128;\" ::: \"memory\"); // expect: "
                   "named-order-cycle\n"
                   "        asm volatile(\"bar.arrive 2, 128;\" ::: \"memory\");\n"
                   "    } else {\n"
                   "        asm volatile(\"bar.sync 2, 128;\" ::: \"memory\"); // expect: "
                   "named-order-cycle\n"
                   "        asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                   "    }\n"
                   "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    swap<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void swap(float *data)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    if (threadIdx.x < 64) {\n"
                    "        asm volatile(\"bar.arrive 2, 128;\" ::: \"memory\");\n"
                    "        asm volatile(\"bar.sync 1, 128;\" ::: \"memory\");\n"
                    "    } else {\n"
                    "        asm volatile(\"bar.arrive 1, 128;\" ::: \"memory\");\n"
                    "        asm volatile(\"bar.sync 2, 128;\" ::: \"memory\");\n"
                    "    }\n"
                    "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    swap<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Arrive before waiting, and let all roles wait at the barriers in one "
                   "order.",
        },
};
