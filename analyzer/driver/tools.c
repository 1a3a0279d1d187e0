// `barlint translate`, `dump` and `doctor`: what barlint makes of a build and of a file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/run/units.h"
#include "driver/unit/operations.h"
#include "driver/unit/schedule.h"
#include "frontend/command/resource.h"

// Runs `visit` for every translation of every unit; the worst status is returned.
static int for_each_translation(struct options *options,
                                int (*visit)(const struct options *options, struct unit *unit,
                                             const struct translation *translation, void *context),
                                void *context)
{
    struct units units = {0};
    struct error error = {0};
    int status = EXIT_CLEAN;
    if (!units_find(&units, options, &error)) {
        status = driver_fail(&error);
        units_release(&units);
        return status;
    }
    for (ptrdiff_t i = 0; i < arrlen(units.complaint); ++i)
        driver_warn(units.complaint[i]);
    for (ptrdiff_t i = 0; i < arrlen(units.unit); ++i) {
        struct unit *unit = &units.unit[i];
        const char *shown = path_shown(units.folder, unit->file);
        struct arena arena;
        arena_init(&arena);
        struct translation_list list = {0};
        int one = EXIT_CLEAN;
        if (unit->refusal || !unit_translate(&arena, options, unit, &list, &error)) {
            fprintf(stderr, "barlint: %s: %s\n", shown, unit->refusal ? unit->refusal : error.text);
            one = !unit->refusal && error.kind == ERROR_USAGE ? EXIT_USAGE : EXIT_INCOMPLETE;
        }
        for (size_t k = 0; k < list.count; ++k) {
            int next = visit(options, unit, &list.item[k], context);
            if (next > one)
                one = next;
        }
        if (one > status)
            status = one;
        arena_release(&arena);
    }
    units_release(&units);
    return status;
}

static bool needs_path(const struct options *options, const char *command)
{
    if (arrlen(options->path))
        return true;
    struct error error;
    error_set(&error, ERROR_USAGE, "'barlint %s' needs the name of a file", command);
    driver_fail(&error);
    return false;
}

// --- translate -----------------------------------------------------------------------------------

static int translate_one(const struct options *options, struct unit *unit,
                         const struct translation *translation, void *context)
{
    (void)unit;
    if (options->json)
        json_array_append_new(context, translation_to_json(translation));
    else
        translation_print(translation, stdout);
    return EXIT_CLEAN;
}

int command_translate(struct options *options)
{
    if (!needs_path(options, "translate"))
        return EXIT_USAGE;
    json_t *list = json_array();
    int status = for_each_translation(options, translate_one, list);
    if (options->json) {
        json_dumpf(list, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(list);
    return status;
}

// --- dump ----------------------------------------------------------------------------------------

static void print_shape(const struct engine_shape *shape)
{
    static const char *const sources[] = {
        [ENGINE_SHAPE_LAUNCH] = "launch",   [ENGINE_SHAPE_ATTRIBUTE] = "attribute",
        [ENGINE_SHAPE_COMMENT] = "comment", [ENGINE_SHAPE_CONFIG] = "configuration",
        [ENGINE_SHAPE_GUESS] = "assumed",
    };
    printf("  block (%lld, %lld, %lld), %s\n", (long long)shape->block[0],
           (long long)shape->block[1], (long long)shape->block[2], sources[shape->source]);
}

static void print_range(const char *name, const struct engine_range *range)
{
    if (!range->given)
        return;
    if (range->known && range->low == range->high)
        printf(", %s %lld", name, (long long)range->low);
    else if (range->known)
        printf(", %s %lld..%lld", name, (long long)range->low, (long long)range->high);
    else
        printf(", %s %s", name, range->text ? range->text : "unknown");
}

static void print_event(const struct parsed *parsed, const struct engine_result *result,
                        const struct engine_event *event)
{
    const struct ir_file *file = event->loc.file < arrlenu(parsed->ir.file)
                                     ? &parsed->ir.file[event->loc.file]
                                     : &parsed->ir.file[0];
    printf("    %s:%u:%u: %s", path_name(file->path), event->loc.line, event->loc.column,
           model_kind_name(event->model.kind));
    if (event->object < arrlenu(result->object))
        printf(" of '%s'", result->object[event->object].name);
    print_range("id", &event->id);
    print_range("count", &event->count);
    print_range("parity", &event->parity);
    print_range("bytes", &event->bytes);
    print_range("mask", &event->mask);
    printf(", %s\n", event->threads.text ? event->threads.text : "no threads");
}

static void dump_kernel(const struct parsed *parsed, const struct unit *unit, ir_function_id kernel)
{
    struct engine_shapes shapes = {0};
    unit_shapes(&shapes, parsed, unit, kernel);
    struct engine_options options = {.arch = parsed->translation.arch.number * 10};
    printf("kernel %s\n", parsed->ir.function[kernel].name);
    for (ptrdiff_t i = 0; i < arrlen(shapes.shape); ++i) {
        struct engine_result result;
        engine_run_kernel(&result, parsed->engine, kernel, &shapes.shape[i], &options);
        print_shape(&shapes.shape[i]);
        for (ptrdiff_t k = 0; k < arrlen(result.event); ++k) {
            if (model_is_barrier(result.event[k].model.kind))
                print_event(parsed, &result, &result.event[k]);
        }
        printf("    %u runs, %llu operations%s\n", result.statistics.runs,
               (unsigned long long)result.statistics.steps,
               result.statistics.cut_short ? ", cut short" : "");
        engine_result_release(&result);
    }
    engine_shapes_release(&shapes);
}

struct dump {
    json_t *list;
    struct schedule_search search;
};

static int dump_one(const struct options *options, struct unit *unit,
                    const struct translation *translation, void *context)
{
    struct dump *dump = context;
    if (options->times) {
        json_array_append_new(dump->list, unit_times(options, unit, translation));
        return EXIT_CLEAN;
    }
    struct parsed parsed;
    struct error error = {0};
    int status = EXIT_CLEAN;
    if (!parsed_init(&parsed, unit, translation, options->json, &error)) {
        fprintf(stderr, "barlint: %s: %s\n", unit->file, error.text);
        return EXIT_INCOMPLETE;
    }
    if (options->ir)
        ir_print_unit(stdout, &parsed.ir);
    if (options->operations && options->json)
        json_array_append_new(dump->list, operations_to_json(&parsed));
    else if (options->operations)
        operations_print(&parsed);
    for (ptrdiff_t i = 0; options->barriers && i < arrlen(parsed.ir.function); ++i) {
        uint32_t flags = parsed.ir.function[i].flags;
        if (flags & IR_FN_KERNEL && flags & IR_FN_BODY)
            dump_kernel(&parsed, unit, (ir_function_id)i);
    }
    if (options->schedule)
        status = schedule_dump(&dump->search, options, &parsed, unit);
    parsed_release(&parsed);
    return status;
}

int command_dump(struct options *options)
{
    if (!needs_path(options, "dump"))
        return EXIT_USAGE;
    options->json |= options->times;
    if (!options->ir && !options->operations && !options->schedule && !options->times)
        options->barriers = true;
    struct error error;
    if (options->json && !options->operations && !options->times) {
        error_set(&error, ERROR_USAGE, "'--json' of 'barlint dump' goes with '--operations'");
        return driver_fail(&error);
    }
    if (!options->schedule && (options->svg || options->shape)) {
        error_set(&error, ERROR_USAGE, "'--%s' of 'barlint dump' goes with '--schedule'",
                  options->svg ? "svg" : "shape");
        return driver_fail(&error);
    }
    struct dump dump = {.list = json_array()};
    schedule_search_init(&dump.search);
    int status = for_each_translation(options, dump_one, &dump);
    if (options->json) {
        json_dumpf(dump.list, stdout, JSON_INDENT(1));
        putchar('\n');
    }
    // What could not be parsed has been said; whether it has the kernel nobody knows.
    if (options->schedule && !dump.search.found && status != EXIT_INCOMPLETE)
        status = schedule_complain(&dump.search, options);
    schedule_search_release(&dump.search);
    json_decref(dump.list);
    return status;
}

// --- doctor --------------------------------------------------------------------------------------

struct tally {
    char *key; // a warning of the translation
    size_t value;
};

struct health {
    struct arena arena;
    struct units units;
    struct tally *warning; // stb_ds map
    size_t with_toolkit, with_builtin, failed;
    const char *first_failure;
};

static void examine_unit(struct health *health, const struct options *options, struct unit *unit)
{
    struct translation_list list = {0};
    struct error error = {0};
    if (unit->refusal || !unit_translate(&health->arena, options, unit, &list, &error)) {
        if (health->failed++ == 0)
            health->first_failure = arena_printf(&health->arena, "%s: %s", unit->file,
                                                 unit->refusal ? unit->refusal : error.text);
        return;
    }
    const struct translation *translation = &list.item[0];
    if (translation->headers == HEADERS_TOOLKIT)
        ++health->with_toolkit;
    else
        ++health->with_builtin;
    for (size_t i = 0; i < translation->step_count; ++i) {
        const struct translation_step *step = &translation->step[i];
        if (!step->warning)
            continue;
        char *key = arena_printf(&health->arena, "%s: %s", step->original, step->reason);
        // Not within shput: it makes room, which is not zeroed, before it reads its last argument.
        ptrdiff_t at = shgeti(health->warning, key);
        if (at < 0)
            shput(health->warning, key, 1);
        else
            ++health->warning[at].value;
    }
}

static void print_toolkit(struct health *health, const struct options *options)
{
    struct toolkit_search search = {.option = options->cuda_path};
    struct toolkit toolkit;
    struct error error = {0};
    char *note = NULL;
    if (toolkit_find(&health->arena, &search, &toolkit, &note, &error))
        printf("CUDA toolkit:      %s, version %d.%d (%s)\n", toolkit.path, toolkit.version_major,
               toolkit.version_minor, toolkit.origin);
    else
        printf("CUDA toolkit:      none (%s); barlint's own declarations are used\n", error.text);
    if (note)
        printf("                   %s\n", note);
}

static void print_place(const char *title, const char *path, const char *otherwise)
{
    printf("%-18s %s\n", title, path ? path : otherwise);
}

static void print_databases(const struct health *health)
{
    for (ptrdiff_t i = 0; i < arrlen(health->units.database); ++i) {
        const struct compile_database *database = health->units.database[i];
        struct compile_command **cuda = NULL; // stb_ds array
        compile_database_cuda(database, &cuda);
        printf("compile database:  %s, %zu entries, %td of them CUDA\n", database->path,
               database->count, arrlen(cuda));
        arrfree(cuda);
    }
    if (arrlen(health->units.database) == 0)
        print_place("compile database:", NULL, "none found here or above");
}

static int compare_tally(const void *a, const void *b)
{
    return strcmp(((const struct tally *)a)->key, ((const struct tally *)b)->key);
}

static void print_health(struct health *health)
{
    printf("units:             %td, %zu with the toolkit's headers, %zu with barlint's own\n",
           arrlen(health->units.unit), health->with_toolkit, health->with_builtin);
    if (health->units.assumed)
        printf("                   %zu with an assumed command\n", health->units.assumed);
    if (health->failed)
        printf("                   %zu cannot be analysed, the first: %s\n", health->failed,
               health->first_failure);
    char *note = translate_environment_note(&health->arena);
    if (note)
        printf("environment:       %s\n", note);
    if (shlen(health->warning) == 0)
        return;
    qsort(health->warning, shlenu(health->warning), sizeof health->warning[0], compare_tally);
    printf("options that are not understood, and in how many units:\n");
    for (ptrdiff_t i = 0; i < shlen(health->warning); ++i)
        printf("  %s (%zu)\n", health->warning[i].key, health->warning[i].value);
}

int command_doctor(struct options *options)
{
    struct health health = {0};
    struct error error = {0};
    arena_init(&health.arena);
    printf("barlint:           %s\n", BARLINT_VERSION);
    print_place("own headers:", resource_directory(&health.arena, &error), error.text);
    print_place("clang's headers:", resource_clang_directory(&health.arena), "libclang's own");
    print_toolkit(&health, options);
    error = (struct error){0};
    bool good = units_find(&health.units, options, &error);
    print_databases(&health);
    for (ptrdiff_t i = 0; good && i < arrlen(health.units.unit); ++i)
        examine_unit(&health, options, &health.units.unit[i]);
    if (good)
        print_health(&health);
    for (ptrdiff_t i = 0; i < arrlen(health.units.complaint); ++i)
        driver_warn(health.units.complaint[i]);
    int status = EXIT_CLEAN;
    // Without a database and without paths there is nothing to examine, which is no failure here.
    if (!good && (arrlen(options->path) || options->database))
        status = driver_fail(&error);
    else if (health.failed)
        status = EXIT_INCOMPLETE;
    shfree(health.warning);
    units_release(&health.units);
    arena_release(&health.arena);
    return status;
}
