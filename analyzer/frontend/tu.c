// One translation unit: the worklist of functions, the report.
#include "frontend/lower.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

enum {
    DEFAULT_FUNCTIONS = 100000,
    DEFAULT_OPS = 4000000,
    DEFAULT_SECONDS = 120,
};

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void count_opaque(struct lowering *u, const char *reason)
{
    ptrdiff_t known = shgeti(u->opaque_count, reason);
    if (known >= 0)
        ++u->opaque_count[known].value;
    else
        shput(u->opaque_count, arena_strdup(&u->arena, reason), 1);
}

// The version of CUDA's C++ library, where something of it is used: what the version header defines
// that lies beside. (What a precompiled header has read is in no list of libclang's.)
static uint32_t cccl_version(struct lowering *u)
{
    static const char *const folder[] = {"/cuda/std/", "/cuda/__"};
    static const char header[] = "/cuda/std/__cccl/version.h", macro[] = "#define CCCL_VERSION ";
    for (ptrdiff_t i = 1; i < arrlen(u->unit->file); ++i) {
        const char *path = u->unit->file[i].path, *inside = strstr(path, folder[0]);
        if (!inside)
            inside = strstr(path, folder[1]);
        if (!inside)
            continue;
        const char *text =
            text_of_file(u, arena_printf(&u->arena, "%.*s%s", (int)(inside - path), path, header));
        const char *at = text ? strstr(text, macro) : NULL;
        if (at)
            return (uint32_t)strtoul(at + sizeof macro - 1, NULL, 10);
    }
    return 0;
}

// --- The worklist ----------------------------------------------------------------------------

// Puts the body of a lambda behind what is waiting, as long as nobody has seen the lambda itself:
// what it captures is known from there. Instances of a generic lambda are met before.
static bool postpone(struct lowering *u, struct work work)
{
    enum { TURNS = 4 }; // lambdas within lambdas
    if (!(u->unit->function[work.function].flags & IR_FN_LAMBDA) || work.postponed == TURNS ||
        closure_of(u, work.definition))
        return false;
    ++work.postponed;
    arrput(u->queue, work);
    return true;
}

void lower_queue(struct lowering *u)
{
    size_t max_functions = u->job->max_functions ? u->job->max_functions : DEFAULT_FUNCTIONS;
    size_t max_ops = u->job->max_ops ? u->job->max_ops : DEFAULT_OPS;
    for (; u->queue_next < arrlenu(u->queue); ++u->queue_next) {
        struct work work = u->queue[u->queue_next];
        bool late = now_seconds() > u->deadline;
        if (u->report->functions >= max_functions || u->op_count >= max_ops || late) {
            u->report->ran_late |= late;
            ++u->report->cut_functions;
            continue;
        }
        if (postpone(u, work))
            continue;
        lower_function(u, &work);
        if (u->unit->function[work.function].flags & IR_FN_BODY)
            ++u->report->functions;
        arena_release(&u->scratch);
        arena_init(&u->scratch);
    }
}

static int more_frequent(const void *a, const void *b)
{
    const struct frontend_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->reason, y->reason);
}

// A function that came out wrong loses its body; the others are analysed all the same. Fails where
// that does not help.
static bool drop_broken(struct lowering *u, struct error *error)
{
    if (ir_verify_unit(u->unit, error))
        return true;
    for (ptrdiff_t i = 0; i < arrlen(u->unit->function); ++i) {
        if (ir_verify_function(u->unit, (ir_function_id)i, error))
            continue;
        struct ir_function *function = &u->unit->function[i];
        for (ptrdiff_t k = 0; k < arrlen(function->block); ++k)
            arrfree(function->block[k].op);
        arrfree(function->block);
        arrfree(function->op);
        arrfree(function->operand);
        arrfree(function->cases);
        arrfree(function->local);
        function->flags &= ~(uint32_t)IR_FN_BODY;
        function->flags |= IR_FN_PARTIAL;
        count_opaque(u, "function that came out wrong");
    }
    return ir_verify_unit(u->unit, error);
}

static void fill_report(struct lowering *u)
{
    struct frontend_report *report = u->report;
    for (ptrdiff_t i = 0; i < arrlen(u->unit->function); ++i) {
        const struct ir_function *function = &u->unit->function[i];
        bool on_device = function->flags & (IR_FN_KERNEL | IR_FN_DEVICE);
        report->partial += (function->flags & IR_FN_PARTIAL) != 0;
        report->patterns += (function->flags & IR_FN_PATTERN) && (function->flags & IR_FN_BODY);
        for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
            bool is_opaque = function->op[k].code == IR_OPAQUE;
            ++report->ops;
            report->opaque_ops += is_opaque;
            if (on_device && !(function->flags & IR_FN_PATTERN)) {
                ++report->device_ops;
                report->device_opaque_ops += is_opaque;
            }
        }
    }
    for (ptrdiff_t i = 0; i < shlen(u->opaque_count); ++i)
        arrput(report->opaque,
               ((struct frontend_count){arena_strdup(&report->arena, u->opaque_count[i].key),
                                        u->opaque_count[i].value}));
    if (report->opaque)
        qsort(report->opaque, arrlenu(report->opaque), sizeof *report->opaque, more_frequent);
}

static void lowering_release(struct lowering *u)
{
    for (ptrdiff_t i = 0; i < arrlen(u->record); ++i) {
        arrfree(u->record[i]->base);
        arrfree(u->record[i]->field);
        arrfree(u->record[i]->method);
        arrfree(u->record[i]->base_offset);
    }
    for (ptrdiff_t i = 0; i < arrlen(u->closure); ++i)
        arrfree(u->closure[i]->capture);
    cursor_map_release(&u->functions);
    cursor_map_release(&u->globals);
    cursor_map_release(&u->records);
    cursor_map_release(&u->closures);
    cursor_map_release(&u->templates_used);
    cursor_map_release(&u->launchers);
    cursor_map_release(&u->scope_names[0]);
    cursor_map_release(&u->scope_names[1]);
    arrfree(u->scope_name);
    arrfree(u->record);
    arrfree(u->closure);
    arrfree(u->state);
    arrfree(u->queue);
    arrfree(u->instance);
    hmfree(u->file_of);
    arrfree(u->text);
    arrfree(u->unsaved);
    shfree(u->opaque_count);
    arrfree(u->error_at);
    arena_release(&u->scratch);
    arena_release(&u->arena);
}

static const char *target_of(const struct frontend_job *job)
{
    static const char prefix[] = "--cuda-gpu-arch=";
    for (size_t i = 0; i < job->argument_count; ++i)
        if (strncmp(job->argument[i], prefix, sizeof prefix - 1) == 0)
            return job->argument[i] + sizeof prefix - 1;
    return "";
}

static void lower_unit(struct lowering *u)
{
    CXFile main = clang_getFile(u->tu, u->job->main_file);
    if (main)
        file_number(u, main, clang_getNullLocation());
    u->instance = find_instances(u, u->index);
    find_roots(u);
    lower_queue(u);
    find_leftovers(u);
    lower_queue(u);
    find_patterns(u);
    lower_queue(u);
}

bool frontend_parse(const struct frontend_job *job, struct ir_unit *out,
                    struct frontend_report *report, struct error *error)
{
    *report = (struct frontend_report){0};
    arena_init(&report->arena);
    double start = clock_processor_seconds();
    // Declarations of a precompiled header are read when something needs them, not to be listed.
    // And without one, too: only so libclang lists the instances that only a table of virtual
    // functions leads to.
    CXIndex index = clang_createIndex(1, 0);
    struct lowering u = {.job = job, .report = report, .unit = out, .index = index};
    arena_init(&u.arena);
    arena_init(&u.scratch);
    if (!parse_unit(&u, error)) {
        lowering_release(&u);
        clang_disposeIndex(index);
        return false;
    }
    ir_unit_init(out);
    out->target = arena_strdup(&out->arena, target_of(job));
    double parsed = clock_processor_seconds();
    report->parse_seconds = parsed - start;
    u.deadline = now_seconds() + (job->max_seconds > 0 ? job->max_seconds : DEFAULT_SECONDS);
    lower_unit(&u);
    out->cccl = cccl_version(&u);
    out->lacks_headers = arrlen(report->missing_header) > 0 || arrlen(report->stand_in) > 0;
    bool is_good = drop_broken(&u, error);
    if (is_good)
        ir_end_blocks(out);
    fill_report(&u);
    if (job->wants_outline)
        fill_outline(&u);
    clang_disposeTranslationUnit(u.tu);
    lowering_release(&u);
    clang_disposeIndex(index);
    report->lower_seconds = clock_processor_seconds() - parsed;
    if (is_good)
        return true;
    ir_unit_release(out);
    return false;
}

void frontend_report_release(struct frontend_report *report)
{
    arrfree(report->diagnostic);
    arrfree(report->missing_header);
    arrfree(report->stand_in);
    arrfree(report->file);
    arrfree(report->opaque);
    arrfree(report->outline);
    arrfree(report->skipped);
    arena_release(&report->arena);
    *report = (struct frontend_report){0};
}
