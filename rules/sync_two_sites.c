#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"
#include "rules/fix.h"

enum { LONGEST_BARRIER = 200 };

// The other arm of the condition that a block belongs to; IR_NONE where that is no block.
static uint32_t other_arm(const struct ir_function *function, uint32_t arm)
{
    uint32_t parent = function->statement[arm].parent;
    if (parent == IR_NONE || function->statement[parent].kind != IR_STATEMENT_IF)
        return IR_NONE;
    for (uint32_t i = parent + 1; i < arrlenu(function->statement); ++i) {
        if (i != arm && function->statement[i].parent == parent)
            return function->statement[i].kind == IR_STATEMENT_BLOCK ? i : IR_NONE;
    }
    return IR_NONE;
}

// The last statement of a block that has more than one; IR_NONE otherwise.
static uint32_t last_of(const struct ir_function *function, uint32_t block)
{
    uint32_t last = IR_NONE, count = 0;
    for (uint32_t i = block + 1; i < arrlenu(function->statement); ++i) {
        if (function->statement[i].parent == block) {
            last = i;
            ++count;
        }
    }
    return count > 1 ? last : IR_NONE;
}

// Where both arms end with the same barrier, one behind them does for both.
static void offer_hoist(struct rule_report *report, const struct engine_result *result,
                        const struct engine_incident *incident)
{
    const struct ir_function *function =
        &result->unit->function[result->chain[incident->loc_chain].function];
    uint32_t here = ir_statement_at(function, &incident->loc);
    if (here == IR_NONE || function->statement[here].parent == IR_NONE)
        return;
    uint32_t arm = function->statement[here].parent, other = other_arm(function, arm);
    if (function->statement[arm].kind != IR_STATEMENT_BLOCK || other == IR_NONE ||
        last_of(function, arm) != here || last_of(function, other) == IR_NONE)
        return;
    uint32_t there = last_of(function, other);
    struct rule_fix *fix = rule_fix(report, true, "move the barrier behind both arms");
    const char *text = fix_text(fix, function->statement[here].loc);
    const char *same = fix_text(fix, function->statement[there].loc);
    char barrier[LONGEST_BARRIER];
    if (!text || !same || strcmp(text, same) != 0 || strlen(text) + 2 > sizeof barrier) {
        fix_withdraw(fix);
        return;
    }
    strcpy(barrier, text);
    strcat(barrier, ";");
    fix_remove(fix, function, here);
    fix_remove(fix, function, there);
    fix_insert_behind(fix, function, function->statement[arm].parent, barrier);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    if (incident_is_supported(result, "sync-divergent"))
        return; // the block is out of step: that other barriers meet follows from it
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "sync-two-sites", incident))) {
        bool parts = incident->number[1] != 0;
        struct rule_report *report = rule_report_incident(
            context, result, incident,
            parts
                ? "lanes of one warp wait at this block barrier and at another one: the device "
                  "hangs"
                : "some warps of the block meet others at this barrier that stand at another one");
        if (!parts)
            rule_pedantic(report);
        offer_hoist(report, result, incident);
    }
}

const struct rule rule_sync_two_sites = {
    .id = "sync-two-sites",
    .family = "syncthreads",
    .summary = "threads of a block meet at different block barriers in the text",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 1.14 (synchronize.active_threads)",
                   "PTX ISA 9.1, 9.7.13.1 (.aligned)", "CUDA Programming Guide 13, 5.4.4.1"},
    .check = check,
    .doc =
        {
            .what = "Threads of one block meet at block barriers that are different places of "
                    "the text, one in each arm of a condition. Reported by default where "
                    "lanes of one warp part. Where whole warps take the arms and both arms "
                    "have as many barriers, it is an idiom of specialised warps that works on "
                    "the devices we know, and is told with --pedantic only.",
            .why = "The aligned instruction behind __syncthreads() asks for one and the same "
                   "barrier in all threads of a warp, and the compiler builds on that. Lanes "
                   "of one warp at two of them were seen to hang; whole warps at two of them "
                   "are counted together by present hardware. compute-sanitizer reports an "
                   "error for both.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void split(float *data)\n"
                   "{\n"
                   "    __shared__ float tile[128];\n"
                   "    if (threadIdx.x % 2 == 0) {\n"
                   "        tile[threadIdx.x] = data[threadIdx.x];\n"
                   "        __syncthreads();\n"
                   "    } else {\n"
                   "        tile[threadIdx.x] = -data[threadIdx.x];\n"
                   "        __syncthreads(); // expect: sync-two-sites\n"
                   "    }\n"
                   "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    split<<<1, 128>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void split(float *data)\n"
                    "{\n"
                    "    __shared__ float tile[128];\n"
                    "    if (threadIdx.x % 2 == 0)\n"
                    "        tile[threadIdx.x] = data[threadIdx.x];\n"
                    "    else\n"
                    "        tile[threadIdx.x] = -data[threadIdx.x];\n"
                    "    __syncthreads();\n"
                    "    data[threadIdx.x] = tile[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    split<<<1, 128>>>(data);\n"
                    "}\n",
            .fix = "Put one barrier behind both arms; where warps really are specialised, "
                   "use named barriers of the unaligned kind or an mbarrier.",
            .measured = "on H200",
        },
};
