#define _GNU_SOURCE
#include "driver/run/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "driver/reuse/others.h"
#include "driver/run/pool.h"

enum {
    PROGRESS_AFTER = 500, // milliseconds, on a terminal
    PROGRESS_EVERY = 10,  // seconds, elsewhere
};

void work_init(struct work *work, const struct options *options, struct units *units)
{
    *work = (struct work){
        .options = options,
        .units = units,
        .program = program_new(),
        .started = clock_seconds(),
        .told = clock_seconds(),
        .shows_progress = isatty(STDERR_FILENO) && !options->quiet,
    };
    clock_gettime(CLOCK_REALTIME, &work->begun);
    kept_open(&work->kept, options, units->folder);
}

void work_remember(struct work *work, uint64_t failed, uint64_t findings, int status)
{
    char *arguments = NULL; // stb_ds array
    for (int i = 0; i < work->options->word_count; ++i) {
        const char *word = work->options->word[i];
        size_t length = strlen(word);
        memcpy(arraddnptr(arguments, length), word, length);
        arrput(arguments, i + 1 < work->options->word_count ? ' ' : '\0');
    }
    struct store_run run = {
        .folder = work->units->folder,
        .arguments = arguments ? arguments : "",
        .begun = work->begun,
        .seconds = clock_seconds() - work->started,
        .units = work->worked_on,
        .found = work->from_store,
        .failed = failed,
        .findings = findings,
        .status = status,
    };
    if (work->kept.store)
        store_add_run(work->kept.store, &run);
    arrfree(arguments);
}

void work_release(struct work *work)
{
    kept_close(&work->kept);
    program_free(work->program);
    arrfree(work->round);
}

void work_unit_release(struct work_unit *unit)
{
    json_decref(unit->result);
    json_decref(unit->links);
    free(unit->reason);
}

// --- What the pool calls ------------------------------------------------------------------------

static json_t *analyse(void *context, size_t index)
{
    struct work *work = context;
    struct unit *unit = &work->round[index]->unit;
    unit->memory = work->kept.store ? &work->kept.memory : NULL;
    return unit_analyse(work->options, unit, &work->kept.run);
}

static void done(void *context, size_t index, const json_t *analysis, const char *reason)
{
    struct work *work = context;
    struct work_unit *unit = work->round[index];
    double seconds[3];
    json_t *result = NULL, *links = NULL;
    if (json_unpack((json_t *)analysis, "{s:[F, F, F], s:o, s:o}", "seconds", &seconds[0],
                    &seconds[1], &seconds[2], "result", &result, "links", &links) == 0) {
        for (int i = 0; i < 3; ++i)
            work->seconds[i] += seconds[i];
        if (!unit->unit.foreign)
            unit->links = json_incref(links);
        unit->known_kernels += kept_add_kernels(&work->kept, json_object_get(analysis, "kernels"));
        kept_add(&work->kept, &unit->unit, &unit->known, unit->links, analysis);
    }
    unit->result = json_incref(result);
    unit->reason = result ? NULL : strdup(reason);
}

// On a terminal a line that is written over; in a log a line now and then.
static void progress(void *context, size_t ended, size_t count)
{
    struct work *work = context;
    double time = clock_seconds();
    if (work->shows_progress) {
        if ((time - work->started) * 1000 >= PROGRESS_AFTER)
            fprintf(stderr, "\r\033[K%zu of %zu units", ended, count);
    } else if (!work->options->quiet && time - work->told >= PROGRESS_EVERY) {
        fprintf(stderr, "barlint: %zu of %zu units after %.0f s\n", ended, count,
                time - work->started);
        work->told = time;
    }
    fflush(stderr);
}

// --- Rounds -------------------------------------------------------------------------------------

// Fills in what the store has of the units.
static void find_known(struct work *work, struct work_unit **unit, size_t count)
{
    struct unit *units = NULL; // stb_ds arrays
    struct kept_unit *known = NULL;
    for (size_t i = 0; i < count; ++i)
        arrput(units, unit[i]->unit);
    arrsetlen(known, count);
    kept_find(&work->kept, units, count, known);
    for (size_t i = 0; i < count; ++i) {
        struct store_query *found = &known[i].found;
        unit[i]->known = known[i];
        unit[i]->from_store = false;
        if (!found->result)
            continue;
        json_t *result = json_loads(found->result, 0, NULL);
        json_t *links =
            unit[i]->links ? json_incref(unit[i]->links) : json_loads(found->links, 0, NULL);
        if (result && links) {
            unit[i]->result = json_incref(result);
            unit[i]->links = unit[i]->links ? unit[i]->links : json_incref(links);
            unit[i]->from_store = true;
        }
        json_decref(result);
        json_decref(links);
    }
    arrfree(units);
    arrfree(known);
}

static bool run_round(struct work *work, struct work_unit **unit, size_t count, int *out_signal)
{
    find_known(work, unit, count);
    arrsetlen(work->round, 0);
    for (size_t i = 0; i < count; ++i) {
        if (!unit[i]->from_store)
            arrput(work->round, unit[i]);
    }
    struct pool pool = {
        .jobs = work->options->jobs ? work->options->jobs : pool_processors(),
        .task = {.timeout = work->options->timeout,
                 .memory_limit = work->options->memory_limit,
                 .work = analyse,
                 .context = work},
        .done = done,
        .progress = progress,
    };
    bool finished = pool_run(&pool, arrlenu(work->round), out_signal);
    if (work->shows_progress)
        fputs("\r\033[K", stderr);
    return finished;
}

// Units of which others say something are analysed once more, with that.
static bool run_linked(struct work *work, struct work_unit *unit, size_t count, int *out_signal)
{
    struct work_unit **open = NULL; // stb_ds array
    json_t *links = json_array();
    for (size_t i = 0; i < count; ++i) {
        program_add(work->program, unit[i].links);
        if (!links_are_open(unit[i].links))
            continue;
        arrput(open, &unit[i]);
        json_array_extend(links, unit[i].links);
    }
    others_add(work->program, &work->kept, work->units, work->options, links);
    json_decref(links);
    struct work_unit **told = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(open); ++i) {
        open[i]->unit.foreign = program_for(work->program, open[i]->links);
        if (!open[i]->unit.foreign)
            continue;
        json_decref(open[i]->result);
        open[i]->result = NULL;
        arrput(told, open[i]);
    }
    bool finished = run_round(work, told, arrlenu(told), out_signal);
    arrfree(told);
    arrfree(open);
    return finished;
}

bool work_run(struct work *work, struct work_unit *unit, size_t count, int *out_signal)
{
    struct work_unit **all = NULL; // stb_ds array
    for (size_t i = 0; i < count; ++i)
        arrput(all, &unit[i]);
    // What the units of a shard say to each other is told with those of the others.
    bool is_shard = work->options->shard_count > 0;
    bool finished = run_round(work, all, count, out_signal) &&
                    (is_shard || run_linked(work, unit, count, out_signal));
    arrfree(all);
    work->worked_on += count;
    for (size_t i = 0; finished && i < count; ++i) {
        work->from_store += unit[i].from_store;
        if (unit[i].from_store && work->kept.store)
            store_use(work->kept.store, &unit[i].known.found);
    }
    return finished;
}
