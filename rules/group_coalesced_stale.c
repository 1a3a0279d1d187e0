#include "rules/facts.h"

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "group-coalesced-stale", incident))) {
        if (incident->kind == ENGINE_SKIPPED)
            rule_report_incident(context, result, incident,
                                 "%s {comes|come} to this collective of a coalesced group and %s, "
                                 "{a member|members} "
                                 "of it too, {goes|go} another way",
                                 threads_text(&incident->threads),
                                 threads_text(&incident->missing));
        else if (incident->missing.count)
            rule_report_incident(context, result, incident,
                                 "%s {reads|read} from a member of the coalesced group that has "
                                 "left the kernel",
                                 threads_text(&incident->threads));
        else
            rule_report_incident(
                context, result, incident,
                "%s {executes|execute} this collective and {was|were} not among the threads that "
                "the coalesced group was made of",
                threads_text(&incident->threads));
    }
}

const struct rule rule_group_coalesced_stale = {
    .id = "group-coalesced-stale",
    .family = "group",
    .summary = "a coalesced group is used by other threads than those it was made of",
    .level = RULE_WARNING,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA C++ Guidelines 3.0.1, 2.1 (collective.warp.participants.active)",
                   "CUDA Programming Guide 13, 5.6.3 (coalesced groups)", "PTX ISA 9.1, 9.7.13.2"},
    .check = check,
    .doc =
        {
            .what = "A coalesced_group is made of the threads that stood together at "
                    "coalesced_threads() (or that a partition put together). It is used "
                    "after some of them have gone another way: under a further "
                    "condition, in a loop that they leave at different rounds; it is asked for "
                    "the value of a member that has left the kernel; or it is used by "
                    "threads that were not among them, because the object was handed "
                    "out of the branch it was made in.",
            .why = "Its members are fixed when it is made. sync() and the collectives "
                   "are warp operations with that mask: they wait for members who do "
                   "not come, and a thread outside of the mask gets what nobody "
                   "promises.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void drain(const int *length, int *out)\n"
                   "{\n"
                   "    const int mine = length[threadIdx.x];\n"
                   "    if (mine > 0) {\n"
                   "        auto busy = cg::coalesced_threads();\n"
                   "        for (int i = 0; i < mine; ++i) {\n"
                   "            out[i * 32 + threadIdx.x] = i;\n"
                   "            busy.sync(); // expect: group-coalesced-stale\n"
                   "        }\n"
                   "    }\n"
                   "}\n"
                   "\n"
                   "void launch(const int *length, int *out)\n"
                   "{\n"
                   "    drain<<<1, 32>>>(length, out);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void drain(const int *length, int *out)\n"
                    "{\n"
                    "    const int mine = length[threadIdx.x];\n"
                    "    if (mine > 0) {\n"
                    "        for (int i = 0; i < mine; ++i) {\n"
                    "            auto busy = cg::coalesced_threads();\n"
                    "            out[i * 32 + threadIdx.x] = i;\n"
                    "            busy.sync();\n"
                    "        }\n"
                    "    }\n"
                    "}\n"
                    "\n"
                    "void launch(const int *length, int *out)\n"
                    "{\n"
                    "    drain<<<1, 32>>>(length, out);\n"
                    "}\n",
            .fix = "Make the group anew after every condition that threads of it may "
                   "take differently.",
        },
};
