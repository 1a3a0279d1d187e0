#include "base/vec.h"
#include "rules/facts.h"
#include "rules/number.h"

// The statement of the kernel's body that holds the place; IR_NONE where there is none.
static uint32_t body_statement(const struct ir_function *kernel, const struct ir_loc *loc)
{
    uint32_t at = ir_statement_at(kernel, loc);
    while (at != IR_NONE && kernel->statement[at].parent != IR_NONE &&
           kernel->statement[kernel->statement[at].parent].parent != IR_NONE)
        at = kernel->statement[at].parent;
    return at != IR_NONE && kernel->statement[at].parent == IR_NONE ? IR_NONE : at;
}

static bool initialises(const struct engine_result *result, const struct ir_loc *statement)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_MBARRIER_INIT && ir_loc_holds(statement, &event->loc))
            return true;
    }
    return false;
}

// The last of the initialisations that follow each other in the kernel's body from `first` on: one
// barrier behind it serves them all.
static uint32_t last_initialisation(const struct engine_result *result,
                                    const struct ir_function *kernel, uint32_t first)
{
    uint32_t last = first, body = kernel->statement[first].parent;
    for (uint32_t i = first + 1; i < arrlenu(kernel->statement); ++i) {
        if (kernel->statement[i].parent != body)
            continue;
        if (!initialises(result, &kernel->statement[i].loc))
            break;
        last = i;
    }
    return last;
}

// The block barrier goes behind the initialisation, where every thread of the block passes: in the
// kernel's own body, before the use, with no way out of the kernel above it.
static void offer_barrier(struct rule_report *report, const struct engine_result *result,
                          const struct engine_event *init, const struct engine_incident *use)
{
    const struct ir_function *kernel = &result->unit->function[result->kernel];
    const struct engine_event *event = incident_event(result, use);
    if (init->chain != 0 || !event || event->remote || result->object[use->object].is_peer)
        return;
    uint32_t first = body_statement(kernel, &init->loc);
    if (first == IR_NONE)
        return;
    uint32_t last = last_initialisation(result, kernel, first);
    const struct ir_loc *place = &kernel->statement[last].loc;
    if (use->loc_chain == 0 && !ir_loc_before(place, &use->loc))
        return;
    for (ptrdiff_t i = 0; i < arrlen(kernel->statement); ++i) {
        if (kernel->statement[i].kind == IR_STATEMENT_RETURN &&
            ir_loc_before(&kernel->statement[i].loc, place))
            return;
    }
    struct rule_fix *fix =
        rule_fix(report, true, "insert __syncthreads() behind the initialisation");
    if (ir_loc_holds(place, &use->loc))
        fix_withdraw(fix);
    fix_insert_behind(fix, kernel, last, "__syncthreads();");
}

// Whether another finding is about a barrier that the same threads initialise before, in the
// same call of the same function, and other threads use as early: one barrier behind both mends
// them.
static bool is_told_with_another(const struct engine_result *result,
                                 const struct engine_incident *incident,
                                 const struct engine_event *init)
{
    const struct engine_incident *other = NULL;
    while ((other = incident_next(result, incident->rule, other))) {
        const struct engine_event *before = incident_initialisation(result, other);
        if (before && before->op != other->op && before->chain == init->chain &&
            ir_loc_before(&before->loc, &init->loc) &&
            threads_alike(result, &before->threads, &init->threads) &&
            other->supported >= incident->supported && other->certain >= incident->certain &&
            !incident_lacks_cluster_wait(result, other))
            return true;
    }
    return false;
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "init-no-sync", incident))) {
        // An initialisation that is one too many is early for some and late for others.
        if (incident_repeats(result, incident) || incident_lacks_cluster_wait(result, incident) ||
            incident_explained(result, "init-reinit-live", incident))
            continue;
        const char *name = incident_object(result, incident);
        const struct engine_event *init = incident_initialisation(result, incident);
        if (!init || init->op == incident->op) {
            rule_report_incident(
                context, result, incident,
                "'%s' is initialised after other threads may have used it, with no barrier between",
                name);
            continue;
        }
        if (is_told_with_another(result, incident, init))
            continue;
        struct engine_incident at = *incident;
        at.loc = init->loc;
        at.chain = at.loc_chain = init->chain;
        struct rule_report *report =
            rule_report_incident(context, result, &at,
                                 "'%s' is initialised by %s, and no barrier makes that known to "
                                 "other threads before they use it",
                                 name, event_threads(init));
        rule_note(report, incident->loc, "%s may get here before the initialisation",
                  threads_text(&incident->threads));
        offer_barrier(report, result, init, incident);
    }
}

const struct rule rule_init_no_sync = {
    .id = "init-no-sync",
    .family = "init",
    .summary = "other threads may use a barrier before its initialisation is known to them",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 4.9.1", "PTX ISA 9.1, 9.7.13.15.9 (its examples)"},
    .check = check,
    .doc =
        {
            .what = "A thread other than the initialising one may use the barrier, and no barrier "
                    "of the block (or of the warp, when both threads are in it) lies between the "
                    "initialisation and that use on every path. A fence makes nobody wait.",
            .why = "The other warps may get there first: their arrivals act on memory that is no "
                   "barrier yet and abort the kernel, or are lost when the initialisation comes "
                   "after them, and the block hangs. With luck of timing it runs for years.",
            .bad = "#include <cuda/barrier>\n"
                   "\n"
                   "__global__ void mirror(const float *in, float *out)\n"
                   "{\n"
                   "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                   "    __shared__ float line[128];\n"
                   "    if (threadIdx.x == 0)\n"
                   "        init(&stored, blockDim.x); // expect: init-no-sync\n"
                   "    line[threadIdx.x] = in[threadIdx.x];\n"
                   "    stored.arrive_and_wait();\n"
                   "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out)\n"
                   "{\n"
                   "    mirror<<<1, 128>>>(in, out);\n"
                   "}\n",
            .good = "#include <cuda/barrier>\n"
                    "\n"
                    "__global__ void mirror(const float *in, float *out)\n"
                    "{\n"
                    "    __shared__ cuda::barrier<cuda::thread_scope_block> stored;\n"
                    "    __shared__ float line[128];\n"
                    "    if (threadIdx.x == 0)\n"
                    "        init(&stored, blockDim.x);\n"
                    "    __syncthreads();\n"
                    "    line[threadIdx.x] = in[threadIdx.x];\n"
                    "    stored.arrive_and_wait();\n"
                    "    out[threadIdx.x] = line[127 - threadIdx.x];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out)\n"
                    "{\n"
                    "    mirror<<<1, 128>>>(in, out);\n"
                    "}\n",
            .fix = "Put __syncthreads(), block.sync() or, for other blocks of a cluster, a cluster "
                   "barrier behind the initialisation.",
        },
};
