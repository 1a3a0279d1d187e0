#include "driver/unit/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "driver/unit/facts.h"
#include "driver/unit/schedule.h"
#include "lsp/hover.h"

enum { MOST_DRAWN = 24 }; // schedules of a unit, each at the price of an analysis of its kernel

// --- The analysis --------------------------------------------------------------------------------

static const char *draw_finding(void *context, uint32_t shape, const struct finding *finding,
                                const char *shows)
{
    const struct kernel_job *job = context;
    bool shown = !finding->pedantic || job->options->pedantic;
    if (!shown || *job->drawn >= MOST_DRAWN || shape >= arrlenu(job->shapes->shape))
        return NULL;
    ++*job->drawn;
    return schedule_part(&job->collector->out->arena, job->parsed, job->kernel,
                         &job->shapes->shape[shape], shows, &job->engine);
}

// What one shape after the other adds up to.
struct sum {
    uint64_t shapes, runs, steps, cut_short, unknown_operations, unknown_objects;
    uint64_t most_steps; // under one shape
};

static void add_statistics(struct sum *sum, const struct engine_statistics *statistics)
{
    ++sum->shapes;
    sum->runs += statistics->runs;
    sum->steps += statistics->steps;
    sum->cut_short += statistics->cut_short;
    sum->unknown_operations += statistics->unknown_operations;
    sum->unknown_objects += statistics->unknown_objects;
    sum->most_steps = statistics->steps > sum->most_steps ? statistics->steps : sum->most_steps;
}

json_t *kernel_analyse(const struct kernel_job *job)
{
    const struct parsed *parsed = job->parsed;
    struct lsp_facts *shown = job->unit->shown, own;
    struct facts facts;
    struct findings findings;
    struct sum sum = {0};
    facts_init(&facts);
    lsp_facts_init(&own);
    findings_init(&findings);
    job->collector->out = &findings;
    facts_add_kernel(&facts, parsed, job->kernel, job->shapes);
    for (ptrdiff_t i = 0; i < arrlen(job->shapes->shape); ++i) {
        struct engine_result result;
        struct engine_options options = job->engine;
        options.again = i > 0;
        engine_run_kernel(&result, parsed->engine, job->kernel, &job->shapes->shape[i], &options);
        collector_check(job->collector, job->rules, &result);
        facts_add_result(&facts, parsed, &result);
        if (shown)
            lsp_facts_add(&own, &result, parsed->translation.directory);
        add_statistics(&sum, &result.statistics);
        engine_result_release(&result);
    }
    if (job->options->draws_schedules)
        collector_draw(job->collector, draw_finding, (void *)job);
    collector_end_kernel(job->collector);
    json_t *outcome = json_pack(
        "{s:o, s:o, s:o, s:[I, I, I, I, I, I], s:[I, I, I]}", "findings",
        findings_to_json(&findings), "facts", facts_to_json(&facts), "shown", lsp_facts_keep(&own),
        "counts", (json_int_t)sum.shapes, (json_int_t)sum.runs, (json_int_t)sum.steps,
        (json_int_t)sum.cut_short, (json_int_t)sum.unknown_operations,
        (json_int_t)sum.unknown_objects, "effort", (json_int_t)job->engine.max_steps,
        (json_int_t)job->engine.max_run_steps, (json_int_t)sum.most_steps);
    facts_release(&facts);
    lsp_facts_release(&own);
    findings_release(&findings);
    return outcome;
}

// --- What the outcome depends on -----------------------------------------------------------------

static void add_shape(struct digester *digester, const struct ir_unit *unit,
                      const struct engine_shape *shape)
{
    digester_add(digester, shape->block, sizeof shape->block);
    digester_add(digester, shape->grid, sizeof shape->grid);
    digester_add(digester, shape->cluster, sizeof shape->cluster);
    digester_add(digester, shape->argument, sizeof shape->argument);
    for (uint32_t i = 0; i < shape->calls; ++i)
        digester_add(digester, shape->call[i], sizeof *shape->call[i]);
    const uint64_t number[] = {
        (uint64_t)shape->shared_bytes, shape->cooperative, shape->dependent,
        shape->attributes_lost,        shape->block_known, shape->source,
        shape->arguments_known,        shape->launched,    shape->cluster_assumed,
        shape->arguments_written,      shape->calls,       shape->rows_known};
    digester_add(digester, number, sizeof number);
    digester_text(digester, shape->launcher);
    digester_text(digester, shape->after);
    for (uint32_t i = 0; i < shape->host_uses; ++i) {
        const struct engine_host_use *use = &shape->host_use[i];
        digester_text(digester, use->variable == IR_NONE ? NULL : unit->global[use->variable].name);
        digester_number(digester, use->argument);
        digester_number(digester, (uint64_t)use->offset);
    }
    for (uint32_t i = 0; i < shape->members_written; ++i) {
        digester_number(digester, shape->member_written[i].param);
        digester_number(digester, (uint64_t)shape->member_written[i].offset);
    }
    digester_number(digester, shape->members_written);
    digester_number(digester, shape->tensor_maps);
    for (uint32_t i = 0; i < shape->tensor_maps; ++i) {
        digester_number(digester, shape->tensor_map[i].argument);
        digester_number(digester, (uint64_t)shape->tensor_map[i].offset);
        digester_number(digester, (uint64_t)shape->tensor_map[i].bytes);
    }
}

void kernel_identify(const struct kernel_job *job, struct ir_identities *identities,
                     const struct digest *run, struct kernel_identity *out)
{
    struct digester *digester = digester_new();
    struct ir_loc *place = NULL; // stb_ds array
    digester_add(digester, run, sizeof *run);
    digester_text(digester, job->unit->file);
    digester_text(digester, job->parsed->translation.directory);
    digester_number(digester, (uint64_t)job->engine.arch);
    digester_number(digester, job->unit->shown != NULL);
    digester_text(digester, job->unit->config->path ? "configured" : NULL);
    digester_add(digester, &job->unit->config->content, sizeof job->unit->config->content);
    for (size_t i = 0; job->rules[i]; ++i)
        digester_text(digester, job->rules[i]->id);
    digester_number(digester, arrlenu(job->shapes->shape));
    for (ptrdiff_t i = 0; i < arrlen(job->shapes->shape); ++i) {
        const struct engine_shape *shape = &job->shapes->shape[i];
        add_shape(digester, &job->parsed->ir, shape);
        arrput(place, shape->loc);
        for (uint32_t k = 0; k < shape->host_uses; ++k)
            arrput(place, shape->host_use[k].loc);
    }
    ir_identity_of(identities, job->kernel, place, arrlenu(place), &out->ir);
    digester_add(digester, &out->ir.digest, sizeof out->ir.digest);
    struct digest digest = digester_end(digester);
    digest_write(&digest, out->key);
    arrfree(place);
}

void kernel_identity_release(struct kernel_identity *identity)
{
    ir_identity_release(&identity->ir);
}

// --- Lines ---------------------------------------------------------------------------------------

// Where the lines of a file are, by the words that its places name it with.
struct place_map {
    const struct ir_lines *lines;
    struct {
        char *key;
        size_t value;
    } * file; // stb_ds map
};

static void map_init(struct place_map *map, const struct kernel_job *job,
                     const struct kernel_identity *identity)
{
    struct arena arena;
    arena_init(&arena);
    *map = (struct place_map){.lines = identity->ir.lines};
    sh_new_strdup(map->file);
    for (ptrdiff_t i = 0; i < arrlen(map->lines); ++i) {
        const char *path = job->parsed->ir.file[map->lines[i].file].path;
        if (!path[0])
            continue;
        path = path_absolute(&arena, job->parsed->translation.directory, path);
        shput(map->file, utf8_escape(&arena, path), (size_t)i);
        shput(map->file, utf8_clean(&arena, path), (size_t)i);
    }
    arena_release(&arena);
}

static void map_release(struct place_map *map)
{
    shfree(map->file);
}

static ptrdiff_t number_of(const struct ir_lines *lines, uint32_t line)
{
    ptrdiff_t low = 0, high = arrlen(lines->line);
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (lines->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < arrlen(lines->line) && lines->line[low] == line ? low : -1;
}

// Replaces the line under `name` by its number in the list, counted from 1, or that by the line.
static bool convert_line(json_t *place, const char *name, const struct ir_lines *lines, bool keep)
{
    json_int_t line = json_integer_value(json_object_get(place, name));
    if (line == 0) // unknown, or there is none
        return true;
    ptrdiff_t number = keep ? number_of(lines, (uint32_t)line) : (ptrdiff_t)line - 1;
    if (number < 0 || number >= arrlen(lines->line))
        return false;
    json_int_t other = keep ? (json_int_t)number + 1 : (json_int_t)lines->line[number];
    return json_object_set_new(place, name, json_integer(other)) == 0;
}

// Converts all places: an object with "file" and "line" is one. False where a place is none of the
// identity's.
static bool convert(struct place_map *map, json_t *json, bool keep)
{
    size_t i;
    json_t *item;
    const char *key;
    bool good = true;
    if (json_is_array(json)) {
        json_array_foreach (json, i, item)
            good = good && convert(map, item, keep);
        return good;
    }
    if (!json_is_object(json))
        return true;
    const char *file = json_string_value(json_object_get(json, "file"));
    if (file && file[0] && json_object_get(json, "line")) {
        ptrdiff_t known = shgeti(map->file, file);
        good = known >= 0 &&
               convert_line(json, "line", &map->lines[map->file[known].value], keep) &&
               convert_line(json, "end_line", &map->lines[map->file[known].value], keep);
    }
    json_object_foreach (json, key, item)
        good = good && convert(map, item, keep);
    return good;
}

static json_t *converted(const struct kernel_job *job, const struct kernel_identity *identity,
                         const json_t *outcome, bool keep)
{
    struct place_map map;
    map_init(&map, job, identity);
    json_t *copy = json_deep_copy(outcome);
    if (!convert(&map, copy, keep)) {
        json_decref(copy);
        copy = NULL;
    }
    map_release(&map);
    return copy;
}

// --- Keeping -------------------------------------------------------------------------------------

// Fixes are edits of bytes, made of the text around.
static bool has_fixes(const json_t *findings)
{
    size_t i;
    json_t *finding;
    json_array_foreach ((json_t *)findings, i, finding) {
        if (json_array_size(json_object_get(finding, "fixes")) > 0)
            return true;
    }
    return false;
}

json_t *kernel_keep(const struct kernel_job *job, const struct kernel_identity *identity,
                    const json_t *outcome)
{
    if (has_fixes(json_object_get(outcome, "findings")) || job->options->draws_schedules)
        return NULL;
    return converted(job, identity, outcome, true);
}

// Whether an analysis with this job's effort would do what that of the outcome did: it has the same
// to spend, or either would have something left.
static bool same_effort(const struct kernel_job *job, const json_t *kept)
{
    json_int_t most_steps, run_steps, spent, now = (json_int_t)job->engine.max_steps;
    if (json_unpack((json_t *)kept, "{s:[I, I, I]}", "effort", &most_steps, &run_steps, &spent) !=
            0 ||
        run_steps != (json_int_t)job->engine.max_run_steps)
        return false;
    return most_steps == now || (spent < most_steps && spent < now);
}

json_t *kernel_recall(const struct kernel_job *job, const struct kernel_identity *identity,
                      const json_t *kept)
{
    if (!same_effort(job, kept) || job->options->draws_schedules)
        return NULL;
    return converted(job, identity, kept, false);
}
