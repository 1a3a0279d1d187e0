#include "base/vec.h"
#include "rules/facts.h"

enum { WARPGROUP = 128, MOST_WARPGROUPS = 8, REGISTERS = 65536 };

// The registers that a block has: as many for each of its threads as the compiler may use with the
// bounds of the launch, in steps of eight, else as many as there are. A block that shares the
// multiprocessor with others has its part of them.
static int64_t registers_of(const struct ir_function *kernel, int64_t threads)
{
    int64_t blocks = kernel->attributes.min_blocks, most = kernel->attributes.max_threads;
    int64_t each = most > 0 ? REGISTERS / (most * (blocks > 1 ? blocks : 1)) / 8 * 8 : 0;
    if (kernel->attributes.max_registers > 0)
        each = kernel->attributes.max_registers;
    return each > 0 && each * threads < REGISTERS ? each * threads : REGISTERS;
}

// The most registers a thread of each warpgroup of the block has asked for.
static void check_budget(struct rule_context *context, const struct engine_result *result)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2], asked[MOST_WARPGROUPS] = {0}, sum = 0;
    const struct engine_event *largest = NULL;
    if (threads % WARPGROUP || threads / WARPGROUP > MOST_WARPGROUPS || !result->shape.block_known)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_range *count = &event->count;
        if (event->model.kind != MODEL_SETMAXNREG || !event->threads.mask || !count->given)
            continue;
        if (!count->known || count->low != count->high)
            return;
        for (int64_t group = 0; group < threads / WARPGROUP; ++group) {
            if (event->threads.mask[group * 2] && count->high > asked[group])
                asked[group] = count->high;
        }
        if (event->model.flags & MODEL_INCREASE)
            largest = event;
    }
    for (int64_t group = 0; group < threads / WARPGROUP; ++group)
        sum += asked[group] * WARPGROUP;
    int64_t most = registers_of(&result->unit->function[result->kernel], threads);
    if (sum > most && largest)
        rule_report(context, largest->loc, largest->chain, RULE_CERTAIN,
                    "the warpgroups of the block ask for %lld registers together, and %s %lld: "
                    "this waits for ever",
                    (long long)sum,
                    most < REGISTERS ? "with these launch bounds it has" : "a block has at most",
                    (long long)most);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "warp-warpgroup", incident))) {
        const char *whole = incident->number[0] == WARPGROUP ? "warpgroup" : "warp";
        if (incident->number[1])
            rule_report_incident(
                context, result, incident,
                "%s {executes|execute} this instruction, and the last warpgroup of {its|their} "
                "block is not complete",
                threads_text(&incident->threads));
        else
            rule_report_incident(
                context, result, incident,
                "%s {executes|execute} this instruction and %s, of the same %s, {does|do} not",
                threads_text(&incident->threads), threads_text(&incident->missing), whole);
    }
    check_budget(context, result);
}

const struct rule rule_warp_warpgroup = {
    .id = "warp-warpgroup",
    .family = "warp",
    .summary = "an instruction of a whole warp or warpgroup is executed by a part of it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.15 (wgmma)", "PTX ISA 9.1, 9.7.14 (mma)",
                   "PTX ISA 9.1, 9.7.19.5 (setmaxnreg)"},
    .check = check,
    .doc =
        {
            .what = "wgmma.fence, mma_async, commit_group, wait_group or setmaxnreg is "
                    "executed by some warps of a warpgroup (four warps that begin at a "
                    "multiple of four) and not by others; mma, ldmatrix, tcgen05.alloc "
                    "and the other .sync.aligned instructions by some lanes of a warp; "
                    "or a block is not made of whole warpgroups where one is needed. Or "
                    "the warpgroups of a block raise their registers, by setmaxnreg, to "
                    "more than a block has.",
            .why = "These instructions are one for the whole warpgroup or warp. "
                   "Executed by a part of it the result is undefined; setmaxnreg.inc "
                   "waits until registers are free, and for more than there are it "
                   "waits for ever.",
            .bad = "#include <cuda_runtime.h>\n"
                   "\n"
                   "__global__ void __launch_bounds__(256) split(float *data)\n"
                   "{\n"
                   "    if (threadIdx.x < 64)\n"
                   "        asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\"); // expect: "
                   "warp-warpgroup\n"
                   "    data[threadIdx.x] *= 0.5f;\n"
                   "}\n"
                   "\n"
                   "void launch(float *data)\n"
                   "{\n"
                   "    split<<<8, 256>>>(data);\n"
                   "}\n",
            .good = "#include <cuda_runtime.h>\n"
                    "\n"
                    "__global__ void __launch_bounds__(256) split(float *data)\n"
                    "{\n"
                    "    if (threadIdx.x / 128 == 0)\n"
                    "        asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\");\n"
                    "    data[threadIdx.x] *= 0.5f;\n"
                    "}\n"
                    "\n"
                    "void launch(float *data)\n"
                    "{\n"
                    "    split<<<8, 256>>>(data);\n"
                    "}\n",
            .fix = "Choose roles by warpgroup (threadIdx.x / 128), and keep the sum of "
                   "the register counts times 128 within 65536.",
        },
};
