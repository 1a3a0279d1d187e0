#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// Interfaces by name: what is the matter with each, and what took its place.
static const struct interface {
    const char *lookup, *matter, *instead;
} interface[] = {
    {"nvcuda::experimental::pipeline::wait",
     "leaves the batch it is given under way: it waits for those before it only",
     "wait_prior<N>(), __pipeline_wait_prior() or cuda::pipeline"},
    {"cooperative_groups::this_multi_grid", "is gone from CUDA 13",
     "several launches and a barrier of the host"},
    {"cooperative_groups::multi_grid_group::sync", "is gone from CUDA 13",
     "several launches and a barrier of the host"},
    {"cudaLaunchCooperativeKernelMultiDevice", "is gone from CUDA 13",
     "a cooperative launch on each device"},
    {"__shfl", "does not exist for sm_70 and later", "__shfl_sync"},
    {"__shfl_up", "does not exist for sm_70 and later", "__shfl_up_sync"},
    {"__shfl_down", "does not exist for sm_70 and later", "__shfl_down_sync"},
    {"__shfl_xor", "does not exist for sm_70 and later", "__shfl_xor_sync"},
    {"__any", "does not exist for sm_70 and later", "__any_sync"},
    {"__all", "does not exist for sm_70 and later", "__all_sync"},
    {"__ballot", "does not exist for sm_70 and later", "__ballot_sync"},
};

// A function of the user may have that name.
static bool is_toolkit(const struct ir_unit *unit, const struct ir_function *function)
{
    return function->loc.file && unit->file[function->loc.file].is_system;
}

static const struct interface *interface_of(const struct ir_unit *unit,
                                            const struct ir_function *function)
{
    for (size_t i = 0; i < sizeof interface / sizeof *interface; ++i) {
        if (strcmp(interface[i].lookup, function->lookup) == 0 && is_toolkit(unit, function))
            return &interface[i];
    }
    return NULL;
}

// The header that is not found may be the one that says which names to use.
static void report(struct rule_context *context, const struct ir_unit *unit, struct ir_loc loc,
                   const struct interface *found)
{
    struct rule_report *report =
        rule_report(context, loc, 0, unit->lacks_headers ? RULE_POSSIBLE : RULE_CERTAIN,
                    "%s %s: use %s", found->lookup, found->matter, found->instead);
    if (unit->lacks_headers)
        rule_pedantic(report);
}

// Looks through the functions of the user that the kernel may call.
static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct ir_unit *unit = result->unit;
    ir_function_id *reached = NULL; // stb_ds array
    bool *seen = calloc(arrlenu(unit->function) + 1, sizeof *seen);
    if (!seen)
        return;
    arrput(reached, result->kernel);
    for (ptrdiff_t next = 0; next < arrlen(reached); ++next) {
        const struct ir_function *function = &unit->function[reached[next]];
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            if (op->code != IR_CALL)
                continue;
            const struct ir_function *callee = &unit->function[op->imm];
            const struct interface *found = interface_of(unit, callee);
            if (found)
                report(context, unit, op->loc, found);
            if (!seen[op->imm] && !(callee->flags & IR_FN_SYSTEM))
                arrput(reached, (ir_function_id)op->imm);
            seen[op->imm] = true;
        }
    }
    arrfree(reached);
    free(seen);
}

const struct rule rule_port_removed_api = {
    .id = "port-removed-api",
    .family = "portability",
    .summary = "an interface that is broken or gone from current toolkits",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"cuda_pipeline.h and cooperative_groups.h of CUDA 13", "CUDA release notes"},
    .check = check,
    .doc =
        {
            .what = "A kernel calls an interface that current toolkits have taken out "
                    "(barriers of several grids, warp intrinsics without _sync) or that "
                    "does not do what it says: "
                    "nvcuda::experimental::pipeline::wait(batch) counts one batch less "
                    "than it means.",
            .why = "Code that is gone does not compile with the next toolkit. "
                   "pipeline::wait(batch) of cuda_pipeline.h leaves the batch it was "
                   "given open, so that the data are read before they are there.",
            .bad = "#include <cuda_pipeline.h>\n"
                   "\n"
                   "__global__ void reverse(const float4 *in, float *out)\n"
                   "{\n"
                   "    __shared__ float4 tile[128];\n"
                   "    nvcuda::experimental::pipeline pipe;\n"
                   "    nvcuda::experimental::memcpy_async(tile[threadIdx.x], in[threadIdx.x], "
                   "pipe);\n"
                   "    pipe.wait(pipe.commit()); // expect: port-removed-api\n"
                   "    __syncthreads();\n"
                   "    out[threadIdx.x] = tile[127 - threadIdx.x].x;\n"
                   "}\n"
                   "\n"
                   "void launch(const float4 *in, float *out)\n"
                   "{\n"
                   "    reverse<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda_pipeline.h>\n"
                    "\n"
                    "__global__ void reverse(const float4 *in, float *out)\n"
                    "{\n"
                    "    __shared__ float4 tile[128];\n"
                    "    nvcuda::experimental::pipeline pipe;\n"
                    "    nvcuda::experimental::memcpy_async(tile[threadIdx.x], in[threadIdx.x], "
                    "pipe);\n"
                    "    pipe.commit();\n"
                    "    pipe.wait_prior<0>();\n"
                    "    __syncthreads();\n"
                    "    out[threadIdx.x] = tile[127 - threadIdx.x].x;\n"
                    "}\n"
                    "\n"
                    "void launch(const float4 *in, float *out)\n"
                    "{\n"
                    "    reverse<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "The interface that took its place.",
        },
};
