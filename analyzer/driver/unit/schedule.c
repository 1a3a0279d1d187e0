#define _GNU_SOURCE
#include "driver/unit/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "report/schedule.h"

enum { COLUMNS = 100, KERNELS_NAMED = 40 };

void schedule_search_init(struct schedule_search *search)
{
    *search = (struct schedule_search){0};
    arena_init(&search->arena);
}

void schedule_search_release(struct schedule_search *search)
{
    arrfree(search->kernel);
    arena_release(&search->arena);
}

// The name without namespaces, classes and template arguments.
static const char *plain_name(const char *lookup)
{
    const char *last = lookup;
    for (const char *at = lookup; (at = strstr(at, "::")); at += 2)
        last = at + 2;
    return last;
}

// Whether it is the display name, with or without the namespaces it begins with.
static bool is_full_name(const struct ir_function *function, const char *name)
{
    size_t all = strlen(function->name), length = strlen(name);
    const char *end = all >= length ? function->name + all - length : NULL;
    return end && strcmp(end, name) == 0 &&
           (end == function->name || (end - function->name >= 2 && memcmp(end - 2, "::", 2) == 0));
}

static bool is_named(const struct ir_function *function, const char *name)
{
    return is_full_name(function, name) || strcmp(function->lookup, name) == 0 ||
           strcmp(function->key, name) == 0 || strcmp(plain_name(function->lookup), name) == 0;
}

static void note_kernel(struct schedule_search *search, const char *name)
{
    for (ptrdiff_t i = 0; i < arrlen(search->kernel); ++i) {
        if (strcmp(search->kernel[i], name) == 0)
            return;
    }
    arrput(search->kernel, arena_strdup(&search->arena, name));
}

// The first kernel of that name; an exact display name goes before a plain one.
static ir_function_id find_kernel(struct schedule_search *search, const struct parsed *parsed,
                                  const char *name, uint32_t *out_others)
{
    ir_function_id found = IR_NONE;
    bool exact = false;
    *out_others = 0;
    for (ptrdiff_t i = 0; i < arrlen(parsed->ir.function); ++i) {
        const struct ir_function *function = &parsed->ir.function[i];
        if (!(function->flags & IR_FN_KERNEL) || !(function->flags & IR_FN_BODY))
            continue;
        note_kernel(search, function->name);
        if (!is_named(function, name))
            continue;
        bool this_one = is_full_name(function, name);
        if (found == IR_NONE || (this_one && !exact)) {
            *out_others = this_one ? 0 : *out_others;
            found = (ir_function_id)i;
            exact = this_one;
        } else if (this_one || !exact) {
            ++*out_others;
        }
    }
    return found;
}

static bool draw(const struct options *options, const struct engine_result *result,
                 struct error *error)
{
    FILE *svg = NULL;
    // Nothing is printed when the picture cannot be written.
    if (options->svg && !(svg = driver_open(options->svg, error)))
        return false;
    struct schedule_grid grid;
    char *folder = getcwd(NULL, 0);
    schedule_grid_init(&grid, result, folder ? folder : "");
    schedule_print_text(stdout, &grid, COLUMNS);
    bool good = true;
    if (svg) {
        schedule_print_svg(svg, &grid);
        good = driver_close(svg, options->svg, error);
    }
    schedule_grid_release(&grid);
    free(folder);
    return good;
}

// Which of several this is, and how to see another.
static void say_others(uint32_t instances, size_t shapes, unsigned shape)
{
    if (instances)
        printf("%u other instance%s of the kernel; give the full name to see one\n", instances,
               instances == 1 ? "" : "s");
    if (shapes > 1)
        printf("launch shape %u of %zu; see another with --shape=N\n", shape, shapes);
}

int schedule_dump(struct schedule_search *search, const struct options *options,
                  const struct parsed *parsed, const struct unit *unit)
{
    uint32_t others;
    ir_function_id kernel = find_kernel(search, parsed, options->schedule, &others);
    if (kernel == IR_NONE || search->found)
        return EXIT_CLEAN;
    search->found = true;
    struct engine_shapes shapes = {0};
    struct error error = {0};
    int status = EXIT_CLEAN;
    unit_shapes(&shapes, parsed, unit, kernel);
    unsigned shape = options->shape ? options->shape : 1;
    struct engine_options run = {.arch = parsed->translation.arch.number * 10, .schedule = true};
    if (shape > arrlenu(shapes.shape)) {
        error_set(&error, ERROR_USAGE, "kernel '%s' has %td launch shape%s, no shape %u",
                  parsed->ir.function[kernel].name, arrlen(shapes.shape),
                  arrlen(shapes.shape) == 1 ? "" : "s", shape);
        status = driver_fail(&error);
    } else {
        struct engine_result result;
        engine_run_kernel(&result, parsed->engine, kernel, &shapes.shape[shape - 1], &run);
        if (!result.schedule) {
            error_set(&error, ERROR_USAGE, "kernel '%s' cannot be launched with that shape",
                      parsed->ir.function[kernel].name);
            status = driver_fail(&error);
        } else if (!draw(options, &result, &error)) {
            status = driver_fail(&error);
        } else {
            say_others(others, arrlenu(shapes.shape), shape);
        }
        engine_result_release(&result);
    }
    engine_shapes_release(&shapes);
    return status;
}

const char *schedule_part(struct arena *arena, const struct parsed *parsed, ir_function_id kernel,
                          const struct engine_shape *shape, const char *rule,
                          const struct engine_options *options)
{
    struct engine_options run = *options;
    run.schedule = true;
    run.shows = rule;
    struct engine_result result;
    engine_run_kernel(&result, parsed->engine, kernel, shape, &run);
    char *text = NULL, *folder = getcwd(NULL, 0);
    size_t length = 0;
    bool worth = result.schedule && arrlen(result.schedule->moment) > 0;
    FILE *out = worth ? open_memstream(&text, &length) : NULL;
    if (out) {
        struct schedule_grid grid;
        schedule_grid_init(&grid, &result, folder ? folder : "");
        schedule_print_svg_part(out, &grid);
        schedule_grid_release(&grid);
        fclose(out);
    }
    const char *copy = text ? arena_strndup(arena, text, length) : NULL;
    free(text);
    free(folder);
    engine_result_release(&result);
    return copy;
}

int schedule_complain(struct schedule_search *search, const struct options *options)
{
    struct error error;
    struct nearest nearest;
    ptrdiff_t count = arrlen(search->kernel);
    nearest_init(&nearest, options->schedule);
    for (ptrdiff_t i = 0; i < count; ++i)
        nearest_offer(&nearest, search->kernel[i]);
    error_set(&error, ERROR_USAGE, "there is no kernel '%s'%s%s%s%s", options->schedule,
              nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
              nearest.best ? "'?" : "", count ? "" : ", nor any other");
    int status = driver_fail(&error);
    if (count)
        fprintf(stderr, "the kernels are:\n");
    for (ptrdiff_t i = 0; i < count && i < KERNELS_NAMED; ++i)
        fprintf(stderr, "  %s\n", search->kernel[i]);
    if (count > KERNELS_NAMED)
        fprintf(stderr, "  and %td more\n", count - KERNELS_NAMED);
    return status;
}
