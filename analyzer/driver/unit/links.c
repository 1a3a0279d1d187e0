#include "driver/unit/links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/unit/effort.h"

enum { MOST_TEXT = 8 << 20 }; // of what one parse tells others, in bytes

// --- What a unit has for others -----------------------------------------------------------------

static const char *path_of(const struct parsed *parsed, struct arena *arena, struct ir_loc loc)
{
    return path_absolute(arena, parsed->translation.directory, parsed->ir.file[loc.file].path);
}

static json_t *place_of(const struct parsed *parsed, struct ir_loc loc)
{
    struct arena arena;
    arena_init(&arena);
    json_t *place = finding_json_text(
        arena_printf(&arena, "%s:%u:%u", path_of(parsed, &arena, loc), loc.line, loc.column));
    arena_release(&arena);
    return place;
}

static json_t *numbers_to_json(const int64_t *number, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(list, json_integer(number[i]));
    return list;
}

// Quantities as lists of op, arguments and range; conditions as lists of quantity and range.
static json_t *call_to_json(const struct engine_call *call)
{
    json_t *quantities = json_array(), *conditions = json_array();
    int64_t root[6 + ENGINE_ARGUMENTS];
    for (uint32_t i = 1; i <= call->quantities; ++i) {
        const struct engine_quantity *one = &call->quantity[i];
        const int64_t number[] = {one->op,          one->argument[0], one->argument[1],
                                  one->argument[2], one->low,         one->high};
        json_array_append_new(quantities, numbers_to_json(number, 6));
    }
    for (uint32_t i = 0; i < call->conditions; ++i) {
        const struct engine_condition *one = &call->condition[i];
        const int64_t number[] = {(int64_t)one->quantity, one->low, one->high};
        json_array_append_new(conditions, numbers_to_json(number, 3));
    }
    for (int i = 0; i < 6 + ENGINE_ARGUMENTS; ++i)
        root[i] = i < 3 ? call->block[i] : i < 6 ? call->grid[i - 3] : call->argument[i - 6];
    return json_pack("{s:o, s:o, s:I, s:o}", "quantities", quantities, "conditions", conditions,
                     "of_operands", (json_int_t)call->of_operands, "roots",
                     numbers_to_json(root, 6 + ENGINE_ARGUMENTS));
}

static json_t *calls_to_json(const struct engine_shape *shape)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < shape->calls; ++i)
        json_array_append_new(list, call_to_json(shape->call[i]));
    return list;
}

// Lists of argument, offset and bytes.
static json_t *maps_to_json(const struct engine_shape *shape)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < shape->tensor_maps; ++i) {
        const struct engine_tensor_map *map = &shape->tensor_map[i];
        const int64_t number[] = {map->argument, map->offset, map->bytes};
        json_array_append_new(list, numbers_to_json(number, 3));
    }
    return list;
}

static json_t *launch_to_json(const struct parsed *parsed, const struct engine_shape *shape)
{
    struct arena arena;
    arena_init(&arena);
    const int64_t loc[4] = {shape->loc.line, shape->loc.column, shape->loc.end_line,
                            shape->loc.end_column};
    json_t *json = json_pack(
        "{s:o, s:o, s:o, s:o, s:I, s:b, s:b, s:b, s:b, s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:o, "
        "s:o}",
        "kernel", finding_json_text(parsed->ir.function[shape->kernel].key), "block",
        numbers_to_json(shape->block, 3), "grid", numbers_to_json(shape->grid, 3), "cluster",
        numbers_to_json(shape->cluster, 3), "shared_bytes", (json_int_t)shape->shared_bytes,
        "cooperative", (int)shape->cooperative, "dependent", (int)shape->dependent,
        "attributes_lost", (int)shape->attributes_lost, "cluster_assumed",
        (int)shape->cluster_assumed, "block_known", (int)shape->block_known, "calls_lost",
        (int)shape->calls_lost, "arguments_known", (json_int_t)shape->arguments_known, "argument",
        numbers_to_json(shape->argument, ENGINE_ARGUMENTS), "calls", calls_to_json(shape), "maps",
        maps_to_json(shape), "launcher", finding_json_text(shape->launcher ? shape->launcher : ""),
        "file", finding_json_text(path_of(parsed, &arena, shape->loc)), "place",
        numbers_to_json(loc, 4));
    arena_release(&arena);
    return json;
}

static bool is_relocatable(const struct translation *translation)
{
    for (size_t i = 0; i < translation->count; ++i) {
        if (strcmp(translation->argument[i], "-D__CUDACC_RDC__") == 0)
            return true;
    }
    return false;
}

// A device function that only another unit can define.
static bool is_undefined(const struct parsed *parsed, const struct ir_function *function)
{
    const uint32_t others = IR_FN_BODY | IR_FN_KERNEL | IR_FN_SYSTEM | IR_FN_INTERNAL;
    return function->flags & IR_FN_DEVICE && !(function->flags & others) &&
           !model_knows(parsed->model, function->lookup);
}

// The keys of functions that bodies in the unit call and that it leaves undefined.
static json_t *undefined_of(const struct parsed *parsed, const struct ir_unit *unit)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        if (is_undefined(parsed, &unit->function[i]))
            json_array_append_new(list, finding_json_text(unit->function[i].key));
    }
    return list;
}

// `size` grows by the text.
static json_t *define_to_json(const struct parsed *parsed, ir_function_id function, size_t *size)
{
    const struct ir_function *defined = &parsed->ir.function[function];
    struct ir_unit part;
    ir_unit_init(&part);
    part.target = arena_strdup(&part.arena, parsed->ir.target);
    ir_unit_import(&part, &parsed->ir, &function, 1);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out) {
        ir_print_unit(out, &part);
        fclose(out);
    }
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o}", "key", finding_json_text(defined->key), "place",
                  place_of(parsed, defined->loc), "arch", finding_json_text(parsed->ir.target),
                  "text", finding_json_text(text), "needs", undefined_of(parsed, &part));
    *size += length;
    free(text);
    ir_unit_release(&part);
    return json;
}

// What a header defines, each unit that includes it has.
static bool is_defined_for_others(const struct parsed *parsed, const struct ir_function *function)
{
    const uint32_t others = IR_FN_SYSTEM | IR_FN_INTERNAL | IR_FN_PATTERN | IR_FN_LAMBDA;
    return function->flags & IR_FN_DEVICE && function->flags & IR_FN_BODY &&
           !(function->flags & others) &&
           strcmp(parsed->ir.file[function->loc.file].path, parsed->translation.file) == 0;
}

static bool is_launched(const struct parsed *parsed, ir_function_id kernel)
{
    for (ptrdiff_t i = 0; i < arrlen(parsed->launches.shape); ++i) {
        if (parsed->launches.shape[i].kernel == kernel)
            return true;
    }
    return false;
}

json_t *links_of(const struct parsed *parsed)
{
    const struct ir_unit *unit = &parsed->ir;
    json_t *launches = json_array(), *kernels = json_object(), *unlaunched = json_array();
    json_t *defines = json_array();
    bool relocatable = is_relocatable(&parsed->translation);
    size_t size = 0;
    for (ptrdiff_t i = 0; i < arrlen(parsed->launches.shape); ++i) {
        const struct ir_function *kernel = &unit->function[parsed->launches.shape[i].kernel];
        if (!(kernel->flags & (IR_FN_BODY | IR_FN_INTERNAL)))
            json_array_append_new(launches, launch_to_json(parsed, &parsed->launches.shape[i]));
    }
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        const struct ir_function *function = &unit->function[i];
        if (effort_is_kernel(function) && !(function->flags & (IR_FN_INTERNAL | IR_FN_PATTERN))) {
            json_object_set_new(kernels, function->key, place_of(parsed, function->loc));
            if (!is_launched(parsed, (ir_function_id)i))
                json_array_append_new(unlaunched, finding_json_text(function->key));
        } else if (relocatable && size < MOST_TEXT && is_defined_for_others(parsed, function)) {
            json_array_append_new(defines, define_to_json(parsed, (ir_function_id)i, &size));
        }
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "arch", finding_json_text(unit->target),
                     "launches", launches, "kernels", kernels, "unlaunched", unlaunched, "defines",
                     defines, "undefined", relocatable ? undefined_of(parsed, unit) : json_array());
}

bool links_are_open(const json_t *links)
{
    size_t i;
    json_t *parse;
    json_array_foreach ((json_t *)links, i, parse) {
        if (json_array_size(json_object_get(parse, "unlaunched")) > 0 ||
            json_array_size(json_object_get(parse, "undefined")) > 0)
            return true;
    }
    return false;
}

// --- What others say ----------------------------------------------------------------------------

static ir_function_id function_of(const struct ir_unit *unit, const char *key)
{
    for (ptrdiff_t i = 0; key && i < arrlen(unit->function); ++i) {
        if (!(unit->function[i].flags & IR_FN_INTERNAL) && strcmp(unit->function[i].key, key) == 0)
            return (ir_function_id)i;
    }
    return IR_NONE;
}

static void import_one(struct parsed *parsed, const char *key, const char *text)
{
    struct ir_unit part;
    if (!ir_read_unit(&part, text, strlen(text), NULL))
        return;
    ir_function_id function = function_of(&part, key);
    if (function != IR_NONE && ir_verify_unit(&part, NULL))
        ir_unit_import(&parsed->ir, &part, &function, 1);
    ir_unit_release(&part);
}

void links_import(struct parsed *parsed, const struct foreign *foreign)
{
    size_t i;
    json_t *define;
    json_array_foreach ((json_t *)foreign->defines, i, define) {
        const char *key, *arch, *text;
        if (json_unpack(define, "{s:s, s:s, s:s}", "key", &key, "arch", &arch, "text", &text) ==
                0 &&
            strcmp(arch, parsed->ir.target) == 0)
            import_one(parsed, key, text);
    }
}

static bool numbers_from_json(const json_t *list, int64_t *number, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        number[i] = json_integer_value(json_array_get(list, i));
    return json_array_size(list) == count;
}

// Quantities are made of earlier ones, and operands of those that there are.
static bool is_sound(const struct engine_call *call, const int64_t *root, size_t roots)
{
    for (uint32_t i = 1; i <= call->quantities; ++i) {
        const struct engine_quantity *one = &call->quantity[i];
        uint32_t arity = engine_quantity_arity(one->op);
        for (uint32_t k = 0; k < 3; ++k)
            if (arity > 3 || one->argument[k] >= i || (one->argument[k] > 0) != (k < arity))
                return false;
    }
    for (uint32_t i = 0; i < call->conditions; ++i)
        if (call->condition[i].quantity == 0 || call->condition[i].quantity > call->quantities)
            return false;
    for (size_t i = 0; i < roots; ++i)
        if (root[i] < 0 || root[i] > call->quantities)
            return false;
    return call->of_operands <= call->quantities;
}

static bool call_from_json(const json_t *json, struct engine_call *out)
{
    json_t *quantities, *conditions, *roots;
    json_int_t of_operands;
    int64_t root[6 + ENGINE_ARGUMENTS], number[6];
    if (json_unpack((json_t *)json, "{s:o, s:o, s:I, s:o}", "quantities", &quantities, "conditions",
                    &conditions, "of_operands", &of_operands, "roots", &roots) != 0 ||
        json_array_size(quantities) >= ENGINE_QUANTITIES ||
        json_array_size(conditions) > ENGINE_CONDITIONS ||
        !numbers_from_json(roots, root, 6 + ENGINE_ARGUMENTS))
        return false;
    *out = (struct engine_call){.of_operands = (uint32_t)of_operands};
    for (size_t i = 0; i < json_array_size(quantities); ++i) {
        if (!numbers_from_json(json_array_get(quantities, i), number, 6))
            return false;
        out->quantity[++out->quantities] = (struct engine_quantity){
            .op = (uint16_t)number[0],
            .argument = {(uint16_t)number[1], (uint16_t)number[2], (uint16_t)number[3]},
            .low = number[4],
            .high = number[5]};
    }
    for (size_t i = 0; i < json_array_size(conditions); ++i) {
        if (!numbers_from_json(json_array_get(conditions, i), number, 3))
            return false;
        out->condition[out->conditions++] =
            (struct engine_condition){number[1], number[2], (uint64_t)number[0]};
    }
    if (!is_sound(out, root, 6 + ENGINE_ARGUMENTS))
        return false;
    for (int i = 0; i < 6 + ENGINE_ARGUMENTS; ++i)
        *(i < 3   ? &out->block[i]
          : i < 6 ? &out->grid[i - 3]
                  : &out->argument[i - 6]) = (uint16_t)root[i];
    return true;
}

static bool calls_from_json(const json_t *list, struct arena *arena, struct engine_shape *out)
{
    for (size_t i = 0; i < json_array_size(list); ++i) {
        struct engine_call *call = arena_new(arena, struct engine_call);
        if (i == ENGINE_CALLS || !call_from_json(json_array_get(list, i), call))
            return false;
        out->call[out->calls++] = call;
    }
    return true;
}

static bool maps_from_json(const json_t *list, struct engine_shape *out)
{
    for (size_t i = 0; i < json_array_size(list); ++i) {
        int64_t number[3];
        if (i == ENGINE_TENSOR_MAPS || !numbers_from_json(json_array_get(list, i), number, 3))
            return false;
        out->tensor_map[out->tensor_maps++] =
            (struct engine_tensor_map){(uint32_t)number[0], number[1], number[2]};
    }
    return true;
}

static bool launch_from_json(const json_t *json, struct parsed *parsed, struct engine_shape *out)
{
    json_t *block, *grid, *cluster, *argument, *calls, *maps, *place;
    const char *launcher, *file;
    json_int_t shared_bytes, arguments_known;
    int cooperative, dependent, attributes_lost, cluster_assumed, block_known, calls_lost;
    int64_t loc[4];
    *out = (struct engine_shape){.source = ENGINE_SHAPE_LAUNCH, .launched = true};
    if (json_unpack(
            (json_t *)json,
            "{s:o, s:o, s:o, s:I, s:b, s:b, s:b, s:b, s:b, s:b, s:I, s:o, s:o, s:o, s:s, s:s, s:o}",
            "block", &block, "grid", &grid, "cluster", &cluster, "shared_bytes", &shared_bytes,
            "cooperative", &cooperative, "dependent", &dependent, "attributes_lost",
            &attributes_lost, "cluster_assumed", &cluster_assumed, "block_known", &block_known,
            "calls_lost", &calls_lost, "arguments_known", &arguments_known, "argument", &argument,
            "calls", &calls, "maps", &maps, "launcher", &launcher, "file", &file, "place",
            &place) != 0 ||
        !numbers_from_json(block, out->block, 3) || !numbers_from_json(grid, out->grid, 3) ||
        !numbers_from_json(cluster, out->cluster, 3) || !numbers_from_json(place, loc, 4) ||
        !numbers_from_json(argument, out->argument, ENGINE_ARGUMENTS) ||
        !calls_from_json(calls, &parsed->ir.arena, out) || !maps_from_json(maps, out))
        return false;
    struct ir_unit *unit = &parsed->ir;
    struct ir_file read = {arena_strdup(&unit->arena, file), false};
    arrput(unit->file, read);
    out->shared_bytes = shared_bytes;
    out->cooperative = cooperative;
    out->dependent = dependent;
    out->attributes_lost = attributes_lost;
    out->cluster_assumed = cluster_assumed;
    out->block_known = block_known;
    out->arguments_known = (uint64_t)arguments_known;
    out->calls_lost = calls_lost;
    out->launcher = *launcher ? arena_strdup(&unit->arena, launcher) : NULL;
    out->loc = (struct ir_loc){(uint32_t)arrlen(unit->file) - 1,
                               (uint32_t)loc[0],
                               (uint32_t)loc[1],
                               (uint32_t)loc[2],
                               (uint32_t)loc[3],
                               0};
    return true;
}

void links_launch(struct parsed *parsed, const struct foreign *foreign)
{
    ptrdiff_t own = arrlen(parsed->launches.shape);
    size_t i;
    json_t *launch;
    json_array_foreach ((json_t *)foreign->launches, i, launch) {
        struct engine_shape shape;
        ir_function_id kernel =
            function_of(&parsed->ir, json_string_value(json_object_get(launch, "kernel")));
        bool launched = kernel == IR_NONE;
        for (ptrdiff_t k = 0; !launched && k < own; ++k)
            launched = parsed->launches.shape[k].kernel == kernel;
        if (launched || !launch_from_json(launch, parsed, &shape))
            continue;
        shape.kernel = kernel;
        arrput(parsed->launches.shape, shape);
    }
}
