#include "rules/rule.h"

// Found by the report, which knows what every suppression silenced: there is nothing to check here.
const struct rule rule_unused_suppression = {
    .id = "unused-suppression",
    .family = "barlint",
    .summary = "a suppression comment silences nothing",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"README, Suppressing a finding"},
    .doc =
        {
            .what =
                "A barlint-ignore or NOLINT(barlint-...) comment covers no finding of the rule it "
                "names, names a rule that does not exist or none at all, or a begin and an end do "
                "not belong together. Comments for rules that are switched off, and those in files "
                "that could be analysed in part only, are left alone.",
            .why = "A suppression that outlived its finding hides the next bug on that line.",
            .bad = "__global__ void copy(const float *in, float *out)\n"
                   "{\n"
                   "    // barlint-ignore[named-id-range]: all threads come here // expect: "
                   "unused-suppression\n"
                   "    __syncthreads();\n"
                   "    out[threadIdx.x] = in[threadIdx.x];\n"
                   "}\n",
            .good = "__global__ void copy(const float *in, float *out)\n"
                    "{\n"
                    "    __syncthreads();\n"
                    "    out[threadIdx.x] = in[threadIdx.x];\n"
                    "}\n",
            .fix = "Delete the comment, or correct the rule's name.",
        },
};
