#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "rules/facts.h"

// A defect of CUDA's C++ library, in the versions [from, fixed) of it: CCCL_VERSION, which is
// 3002001 for 3.2.1. All are of the path for sm_90 and later in
// cuda/__barrier/barrier_block_scope.h; the versions were read off the releases' sources.
struct defect {
    const char *member; // a row of the model
    uint32_t from, fixed;
    const char *what;
    bool by_luck; // shows only where the compiler makes use of it
};

static const char no_clobber[] = "tells the compiler nothing of memory, which may then read shared "
                                 "memory before the wait is over";
static const char no_start[] =
    "computes the time that is left from a variable that is not set, and may wait for any time";
static const char no_result[] =
    "forgets what the test said, and reports that the time is up even when the phase is over";

static const struct defect defects[] = {
    {"cuda::barrier::wait_parity", 2005000, 3002000, no_clobber, true},
    {"cuda::barrier::try_wait_for", 2005000, 3002000, no_start, false},
    {"cuda::barrier::try_wait_until", 2005000, 3002000, no_start, false},
    {"cuda::barrier::try_wait_parity_for", 2005000, 3002000, no_start, false},
    {"cuda::barrier::try_wait_parity_until", 2005000, 3002000, no_start, false},
    {"cuda::barrier::try_wait_for", 3002000, 3002001, no_result, false},
    {"cuda::barrier::try_wait_until", 3002000, 3002001, no_result, false},
    {"cuda::barrier::try_wait_parity_for", 3002000, 3002001, no_result, false},
    {"cuda::barrier::try_wait_parity_until", 3002000, 3002001, no_result, false},
};

static const struct defect *defect_of(const struct engine_event *event, uint32_t version)
{
    for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i) {
        if (version >= defects[i].from && version < defects[i].fixed &&
            strcmp(event->model.spelling, defects[i].member) == 0)
            return &defects[i];
    }
    return NULL;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    enum { FIRST_ARCH = 90 };
    uint32_t version = result->unit->cccl;
    const char *target = result->unit->target;
    if (!version || !target || strncmp(target, "sm_", 3) != 0 || atoi(target + 3) < FIRST_ARCH)
        return;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const struct engine_object *object = event_object(result, event);
        const struct defect *defect = defect_of(event, version);
        // Elsewhere than in shared memory the library counts by software.
        if (!defect || !object || !object->in_shared)
            continue;
        const char *member = strrchr(defect->member, ':') + 1;
        struct rule_report *report =
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "%s() of CCCL %u.%u.%u, which this is compiled with, %s", member,
                        version / 1000000, version / 1000 % 1000, version % 1000, defect->what);
        rule_note(report, event->loc, "CCCL %u.%u.%u has it right", defect->fixed / 1000000,
                  defect->fixed / 1000 % 1000, defect->fixed % 1000);
        if (defect->by_luck)
            rule_pedantic(report);
    }
}

const struct rule rule_port_header_bug = {
    .id = "port-header-bug",
    .family = "portability",
    .summary = "a wait that the CUDA headers at hand are known to get wrong",
    .level = RULE_NOTE,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"cuda/__barrier/barrier_block_scope.h of CCCL 2.5 to 3.2.1",
                   "CCCL pull requests 6250 and 7538"},
    .check = check,
    .doc =
        {
            .what = "A member of a cuda::barrier in shared memory is used for sm_90 or later, and "
                    "the headers that the unit includes are of a CCCL release that gets it wrong: "
                    "try_wait_for, try_wait_until and their parity forms up to CCCL 3.2.0 (CUDA "
                    "12.5 to 13.1 bring such a release), wait_parity up to 3.1. The version is "
                    "read from cuda/std/__cccl/version.h; without a toolkit's headers nothing is "
                    "told. wait_parity is told with --pedantic only.",
            .why = "The timed waits compute the time that is left from an uninitialised variable: "
                   "the wait may take far longer than was asked for. In 3.2.0 they report failure "
                   "whatever came of the test. The instruction of wait_parity is no barrier to the "
                   "compiler, which may move a read of shared memory up in front of it; whether it "
                   "does depends on the code around.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out, int *late)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, 128);\n"
                   "    __syncthreads();\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    (void)stored.arrive();\n"
                   "    const auto limit = cuda::std::chrono::microseconds(20);\n"
                   "    while (!stored.try_wait_parity_for(false, limit)) // expect[cccl < 3.2.1]: "
                   "port-header-bug\n"
                   "        atomicAdd(late, 1);\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, int *late)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out, late);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "#include <cuda/ptx>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out, int *late)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, 128);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    (void)stored.arrive();\n"
                    "    auto *handle = cuda::device::barrier_native_handle(stored);\n"
                    "    while (!cuda::ptx::mbarrier_try_wait_parity(handle, 0, 20000))\n"
                    "        atomicAdd(late, 1);\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out, int *late)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out, late);\n"
                    "}\n",
            .fix = "Use a newer toolkit, or a newer CCCL before the toolkit's own in the include "
                   "path; or wait(token), or cuda::ptx::mbarrier_try_wait on the native handle.",
        },
};
