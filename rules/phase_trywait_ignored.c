#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"
#include "rules/fix.h"
#include "rules/outcome.h"

enum { LONGEST_LOOP = 600 };

// A test by parity, or by a token that stays the caller's, asked again until the phase is over:
// where the test is a statement of its own.
static void offer_loop(struct rule_report *report, const struct engine_result *result,
                       const struct engine_event *event)
{
    const struct ir_function *function =
        &result->unit->function[result->chain[event->chain].function];
    const struct ir_op *op = ir_op_at(function, event->op);
    uint32_t index = ir_statement_at(function, &event->loc);
    if (event->function != result->chain[event->chain].function || !op || op->code != IR_CALL ||
        index == IR_NONE ||
        (event->model.flags & MODEL_LIBRARY_OBJECT && event->model.token != IR_NONE))
        return;
    struct rule_fix *fix = rule_fix(report, true, "ask again until the phase is over");
    const char *whole = fix_text(fix, function->statement[index].loc);
    const char *call = fix_text(fix, event->loc);
    char loop[LONGEST_LOOP];
    if (!whole || !call)
        return;
    // Nothing but a cast to void may stand before the call.
    size_t before = strlen(whole) - strlen(call);
    bool is_alone = strlen(whole) >= strlen(call) && strcmp(whole + before, call) == 0 &&
                    (before == 0 || strncmp(whole, "(void)", before) == 0 ||
                     strncmp(whole, "(void) ", before) == 0);
    int length = snprintf(loop, sizeof loop, "while (!%s) {}", call);
    if (!is_alone || length < 0 || (size_t)length >= sizeof loop)
        fix_withdraw(fix);
    else
        fix_replace_statement(fix, function, index, loop);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind != MODEL_MBARRIER_TEST)
            continue;
        const struct engine_object *object = event_object(result, event);
        const char *name = object && object->name ? object->name : "the barrier";
        switch (outcome_of(result, event)) {
        case OUTCOME_DROPPED:
            offer_loop(rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                                   "the outcome of this test of '%s' is dropped: it may come back "
                                   "before the phase is over",
                                   name),
                       result, event);
            break;
        case OUTCOME_BOTH_WAYS:
            rule_report(context, event->loc, event->chain, RULE_POSSIBLE,
                        "where this test of '%s' fails, shared memory is read all the same", name);
            break;
        default:
            break;
        }
    }
}

const struct rule rule_phase_trywait_ignored = {
    .id = "phase-trywait-ignored",
    .family = "phase",
    .summary = "the outcome of a test of a phase is not heeded",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"PTX ISA 9.1, 9.7.13.15.16", "CUDA Programming Guide 13, 5.6.1"},
    .check = check,
    .doc =
        {
            .what = "The boolean of test_wait, try_wait or try_wait_for is dropped, or looked at "
                    "once while shared memory is read on both outcomes, or a wait loop with a "
                    "bound falls through. A test that is followed by another test or wait on the "
                    "way where it failed is fine, and so is one whose failure ends the kernel. "
                    "Certain when the outcome is dropped; possible when it is looked at, since the "
                    "data read may be that of another phase.",
            .why = "A test may come back false at any time, even if the phase is about to end: "
                   "try_wait gives up after a time the hardware chooses. Going on means reading "
                   "data that is not there yet.",
            .bad = "#include <cstdint>\n"
                   "#include <cuda/ptx>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ uint64_t stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    cuda::ptx::mbarrier_arrive(&stored);\n"
                   "    cuda::ptx::mbarrier_try_wait_parity(&stored, 0); // expect: "
                   "phase-trywait-ignored\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cstdint>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ uint64_t stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        cuda::ptx::mbarrier_init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    cuda::ptx::mbarrier_arrive(&stored);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {\n"
                    "    }\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Test again until it comes back true.",
        },
};
