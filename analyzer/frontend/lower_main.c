// Prints the IR of one source file: barlint-lower [--stats|--quiet] file -- clang arguments.
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "frontend/frontend.h"
#include "model/model.h"

static bool is_known(void *context, const char *lookup)
{
    return model_knows(context, lookup);
}

static void print_report(const struct frontend_report *report)
{
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i) {
        const struct frontend_diagnostic *d = &report->diagnostic[i];
        if (d->severity >= FRONTEND_ERROR)
            fprintf(stderr, "%s:%u:%u: %s%s\n", d->path, d->line, d->column, d->text,
                    d->is_harmless ? " (harmless)" : "");
    }
    fprintf(stderr,
            "functions %zu, partial %zu, patterns %zu, ops %zu, opaque %zu, device ops %zu, "
            "device opaque %zu, cut %zu, known %zu, parse %.3f s, lower %.3f s\n",
            report->functions, report->partial, report->patterns, report->ops, report->opaque_ops,
            report->device_ops, report->device_opaque_ops, report->cut_functions,
            report->known_functions, report->parse_seconds, report->lower_seconds);
    for (ptrdiff_t i = 0; i < arrlen(report->opaque); ++i)
        fprintf(stderr, "%8zu %s\n", report->opaque[i].count, report->opaque[i].reason);
}

int main(int argc, char **argv)
{
    int at = 1;
    bool stats = false, quiet = false;
    for (; at < argc && strncmp(argv[at], "--", 2) == 0 && argv[at][2]; ++at) {
        stats |= strcmp(argv[at], "--stats") == 0;
        quiet |= strcmp(argv[at], "--quiet") == 0;
    }
    if (at >= argc) {
        fprintf(stderr, "usage: barlint-lower [--stats] [--quiet] file [-- clang arguments]\n");
        return 2;
    }
    const char *file = argv[at++];
    if (at < argc && strcmp(argv[at], "--") == 0)
        ++at;
    struct model *model = model_new();
    struct frontend_job job = {.argument = (const char *const *)argv + at,
                               .argument_count = (size_t)(argc - at),
                               .main_file = file,
                               .is_known = is_known,
                               .context = model};
    struct ir_unit unit;
    struct frontend_report report;
    struct error error = {0};
    int status = 0;
    if (frontend_parse(&job, &unit, &report, &error)) {
        if (!quiet)
            ir_print_unit(stdout, &unit);
        ir_unit_release(&unit);
    } else {
        fprintf(stderr, "barlint-lower: %s\n", error.text);
        status = 3;
    }
    if (stats)
        print_report(&report);
    frontend_report_release(&report);
    model_free(model);
    return status;
}
