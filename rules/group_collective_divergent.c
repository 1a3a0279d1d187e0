#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "group-collective-divergent", incident)))
        rule_report_incident(
            context, result, incident,
            incident->number[2]
                ? "%s {comes|come} to this operation of the whole block and %s {goes|go} "
                  "another way"
                : "%s {comes|come} to this collective of {its|their} tile and %s, "
                  "of the same tile, {goes|go} another way",
            threads_text(&incident->threads), threads_text(&incident->missing));
}

const struct rule rule_group_collective_divergent = {
    .id = "group-collective-divergent",
    .family = "group",
    .summary = "a collective of a tile or block is reached by a part of it",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 1.14 (synchronize.active_threads)",
                   "CUDA Programming Guide 13, 5.6.3 (collective operations)",
                   "PTX ISA 9.1, 9.7.13.2"},
    .check = check,
    .doc =
        {
            .what = "sync(), reduce, scan, shfl, a vote or a match of a "
                    "thread_block_tile of up to 32 threads is executed by some "
                    "threads of the tile while others of it live and go another "
                    "way: a condition on the rank within the tile or on data, a "
                    "loop that threads leave at different rounds. A condition on "
                    "the tile's own number (meta_group_rank()) keeps tiles whole. "
                    "A memcpy_async() by the block, to be waited for at whatever, is one that "
                    "all threads of the block come to. "
                    "Barriers of the whole block are told by sync-divergent.",
            .why = "Collectives of a tile are warp operations with a mask of all "
                   "its lanes. They wait for those who do not come, or compute "
                   "with what nobody contributed.",
            .bad = "#include <cooperative_groups.h>\n"
                   "#include <cooperative_groups/reduce.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void sums(const int *in, int *out)\n"
                   "{\n"
                   "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
                   "    int sum = 0;\n"
                   "    if (tile.thread_rank() < 8)\n"
                   "        sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>()); // expect: "
                   "group-collective-divergent\n"
                   "    out[threadIdx.x] = sum;\n"
                   "}\n"
                   "\n"
                   "void launch(const int *in, int *out)\n"
                   "{\n"
                   "    sums<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "#include <cooperative_groups/reduce.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void sums(const int *in, int *out)\n"
                    "{\n"
                    "    auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
                    "    const int mine = tile.thread_rank() < 8 ? in[threadIdx.x] : 0;\n"
                    "    out[threadIdx.x] = cg::reduce(tile, mine, cg::plus<int>());\n"
                    "}\n"
                    "\n"
                    "void launch(const int *in, int *out)\n"
                    "{\n"
                    "    sums<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Let every thread of the tile call the collective, with a "
                   "neutral value where it has nothing to contribute, or "
                   "partition the group first and call the collective of the "
                   "part.",
        },
};
