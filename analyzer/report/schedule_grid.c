// What stands where in the picture of a schedule, in words.
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/finding.h"
#include "report/schedule.h"

struct filler {
    struct schedule_grid *grid;
    const struct engine_result *result;
    const struct engine_schedule *schedule;
    const char *folder;
    uint32_t lanes;
    uint32_t *row_of; // by moment
};

// --- Words -----------------------------------------------------------------------------------

// Names and paths are the user's: control characters would spoil either drawing, and XML has room
// for UTF-8 only, without the last two characters of its first plane.
static const char *clean(struct arena *arena, const char *text)
{
    json_t *valid = finding_json_text(text);
    char *copy = arena_strdup(arena, json_string_value(valid));
    json_decref(valid);
    for (char *c = copy; *c; ++c) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
        else if (strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0)
            memcpy(c, "???", 3);
    }
    return copy;
}

static const char *path_of(const struct filler *fill, const struct ir_loc *loc)
{
    const struct ir_unit *unit = fill->result->unit;
    return unit->file[loc->file < arrlenu(unit->file) ? loc->file : 0].path;
}

// The line, with the name of its file where that is not the kernel's.
static const char *place_words(const struct filler *fill, const struct ir_loc *loc)
{
    struct arena *arena = &fill->grid->arena;
    if (loc->file == 0)
        return "";
    if (loc->file == fill->result->unit->function[fill->result->kernel].loc.file)
        return arena_printf(arena, "%u", loc->line);
    return arena_printf(arena, "%s:%u", clean(arena, path_name(path_of(fill, loc))), loc->line);
}

static const char *block_list(struct arena *arena, uint32_t blocks, uint32_t count)
{
    const char *text = NULL;
    for (uint32_t b = 0; b < count; ++b) {
        if (blocks >> b & 1)
            text = text ? arena_printf(arena, "%s, %u", text, b) : arena_printf(arena, "%u", b);
    }
    return text ? text : "?";
}

// The name of a variable without the namespaces and classes it lies in.
static const char *without_scopes(const char *name)
{
    size_t own = strcspn(name, "[. ");
    for (size_t i = own; i-- > 1;) {
        if (name[i] == ':' && name[i - 1] == ':')
            return name + i + 1;
    }
    return name;
}

// "producer_acquire" of "cuda::pipeline::producer_acquire".
static const char *last_name(const char *spelling)
{
    for (const char *at = spelling; (at = strstr(at, "::")); at += 2)
        spelling = at + 2;
    return spelling;
}

static const char *barrier_words(const struct filler *fill, const struct engine_moment *moment,
                                 bool with_blocks)
{
    struct arena *arena = &fill->grid->arena;
    const struct engine_result *result = fill->result;
    const char *name = "a barrier";
    switch (moment->barrier) {
    case ENGINE_BARRIER_MBARRIER:
        if (moment->object < arrlenu(result->object))
            name = clean(arena, without_scopes(result->object[moment->object].name));
        break;
    case ENGINE_BARRIER_NAMED:
        name = moment->model == MODEL_GRID_SYNC ? "grid barrier"
               : moment->id == 0 && !moment->counted
                   ? "block barrier"
                   : arena_printf(arena, "barrier %u", moment->id);
        break;
    case ENGINE_BARRIER_CLUSTER:
        return "cluster barrier";
    default:
        return name;
    }
    if (!with_blocks || fill->schedule->blocks < 2)
        return name;
    bool one = (moment->blocks & (moment->blocks - 1)) == 0;
    return arena_printf(arena, "%s of block%s %s", name, one ? "" : "s",
                        block_list(arena, moment->blocks, fill->schedule->blocks));
}

static const char *range_words(struct arena *arena, const struct engine_range *range)
{
    if (range->known && range->low == range->high)
        return arena_printf(arena, "%lld", (long long)range->low);
    if (range->known)
        return arena_printf(arena, "%lld to %lld", (long long)range->low, (long long)range->high);
    return range->text ? clean(arena, range->text) : "unknown";
}

static const char *bytes_words(struct arena *arena, const struct engine_range *range)
{
    if (!range->known && (!range->text || strchr(range->text, ' ')))
        return "an unknown number of bytes";
    return arena_printf(arena, "%s bytes", range_words(arena, range));
}

static const char *phases_words(struct arena *arena, const struct engine_moment *moment)
{
    if (moment->last_phase > moment->phase)
        return arena_printf(arena, "phases %lld to %lld", (long long)moment->phase,
                            (long long)moment->last_phase);
    return arena_printf(arena, "phase %lld", (long long)moment->phase);
}

// --- Cells -----------------------------------------------------------------------------------

static void say(struct schedule_cell *cell, const char *line)
{
    if (cell->lines < SCHEDULE_CELL_LINES)
        cell->line[cell->lines++] = line;
}

static void say_wait(const struct filler *fill, const struct engine_moment *moment,
                     struct schedule_cell *cell, const char *barrier)
{
    struct arena *arena = &fill->grid->arena;
    say(cell, arena_printf(arena, "wait %s", barrier));
    if (moment->barrier == ENGINE_BARRIER_CLUSTER || moment->phase == ENGINE_PHASE_UNKNOWN) {
        if (!moment->waits)
            say(cell, "passes at once");
    } else if (moment->phase < 0) {
        say(cell, "fresh, parity 1: passes");
    } else {
        say(cell, arena_printf(arena, "phase %lld%s", (long long)moment->phase,
                               moment->waits ? "" : ", is complete"));
    }
}

static void say_arrive(const struct filler *fill, const struct engine_moment *moment,
                       struct schedule_cell *cell, const char *barrier)
{
    struct arena *arena = &fill->grid->arena;
    say(cell, arena_printf(arena, moment->drops ? "arrive and drop %s" : "arrive %s", barrier));
    bool one = moment->count.known && moment->count.low == 1 && moment->count.high == 1;
    if (moment->barrier == ENGINE_BARRIER_NAMED && moment->count.given)
        say(cell, arena_printf(arena, "of %s threads", range_words(arena, &moment->count)));
    else if (moment->count.given && !one)
        say(cell, arena_printf(arena, "count %s", range_words(arena, &moment->count)));
    if (moment->bytes.given)
        say(cell, arena_printf(arena, "expects %s", bytes_words(arena, &moment->bytes)));
}

// What is missing at the barrier, and whose arrivals.
static void say_hang(const struct filler *fill, const struct engine_moment *moment,
                     struct schedule_cell *cell, const char *barrier)
{
    struct arena *arena = &fill->grid->arena;
    bool mbarrier = moment->barrier == ENGINE_BARRIER_MBARRIER;
    say(cell, arena_printf(arena, "HANGS: %s", barrier));
    if (mbarrier && moment->expected > 0)
        say(cell, arena_printf(arena, "phase %lld: %lld of %lld arrived", (long long)moment->phase,
                               (long long)(moment->expected - moment->pending),
                               (long long)moment->expected));
    else if (mbarrier)
        say(cell, arena_printf(arena, "phase %lld", (long long)moment->phase));
    if (moment->transactions > 0)
        say(cell, arena_printf(arena, "%lld bytes never come", (long long)moment->transactions));
    else if (moment->transactions < 0)
        say(cell,
            arena_printf(arena, "%lld bytes nobody expects", (long long)-moment->transactions));
    if (moment->missing.count)
        say(cell, arena_printf(arena, "missing: %s%s", moment->missing.text,
                               moment->missing_exited ? ", exited" : ""));
    else if (moment->pending > 0)
        say(cell, "nobody arrives any more");
    if (moment->rule)
        say(cell, moment->rule);
}

static enum schedule_tone tone_of(const struct engine_moment *moment)
{
    switch (moment->kind) {
    case ENGINE_MOMENT_INIT:
    case ENGINE_MOMENT_INVAL:
        return SCHEDULE_SETUP;
    case ENGINE_MOMENT_SYNC:
        return SCHEDULE_MEET;
    case ENGINE_MOMENT_WAIT:
    case ENGINE_MOMENT_REFUSED:
    case ENGINE_MOMENT_PASSED:
        return SCHEDULE_WAIT;
    case ENGINE_MOMENT_VIOLATION:
        return SCHEDULE_WRONG;
    case ENGINE_MOMENT_HANG:
        return SCHEDULE_HANG;
    case ENGINE_MOMENT_EXIT:
    case ENGINE_MOMENT_OTHER:
        return SCHEDULE_PLAIN;
    default:
        return SCHEDULE_ARRIVE;
    }
}

static void fill_cell(const struct filler *fill, const struct engine_moment *moment,
                      const struct engine_part *part, struct schedule_cell *cell)
{
    struct arena *arena = &fill->grid->arena;
    const char *barrier = barrier_words(fill, moment, moment->remote);
    cell->tone = tone_of(moment);
    switch (moment->kind) {
    case ENGINE_MOMENT_INIT:
        say(cell, arena_printf(arena, "init %s", barrier));
        if (moment->count.given)
            say(cell, arena_printf(arena, "count %s", range_words(arena, &moment->count)));
        break;
    case ENGINE_MOMENT_INVAL:
        say(cell, arena_printf(arena, "invalidate %s", barrier));
        break;
    case ENGINE_MOMENT_ARRIVE:
        say_arrive(fill, moment, cell, barrier);
        break;
    case ENGINE_MOMENT_EXPECT:
        say(cell, arena_printf(arena, "expect at %s", barrier));
        say(cell, bytes_words(arena, &moment->bytes));
        break;
    case ENGINE_MOMENT_COMPLETE_TX:
        say(cell, arena_printf(arena, "complete at %s", barrier));
        say(cell, bytes_words(arena, &moment->bytes));
        break;
    case ENGINE_MOMENT_COPY:
        say(cell, arena_printf(arena, "copy, tells %s", barrier));
        if (moment->bytes.known)
            say(cell, bytes_words(arena, &moment->bytes));
        break;
    case ENGINE_MOMENT_ASYNC_ARRIVE:
        say(cell, arena_printf(arena, "copies arrive at %s", barrier));
        break;
    case ENGINE_MOMENT_WAIT:
        say_wait(fill, moment, cell, barrier);
        break;
    case ENGINE_MOMENT_REFUSED:
        say(cell, arena_printf(arena, "test %s: not yet", barrier));
        break;
    case ENGINE_MOMENT_SYNC:
        say(cell, barrier);
        if (moment->count.given)
            say(cell, arena_printf(arena, "of %s threads", range_words(arena, &moment->count)));
        break;
    case ENGINE_MOMENT_PASSED:
        say(cell, arena_printf(arena, "passes %s", barrier));
        break;
    case ENGINE_MOMENT_EXIT:
        say(cell, "exit");
        break;
    case ENGINE_MOMENT_OTHER:
        say(cell, moment->spelling ? clean(arena, last_name(moment->spelling)) : "an operation");
        break;
    case ENGINE_MOMENT_VIOLATION:
        say(cell, arena_printf(arena, "!! %s", moment->rule));
        if (moment->barrier == ENGINE_BARRIER_MBARRIER)
            say(cell, barrier);
        break;
    default:
        say_hang(fill, moment, cell, barrier);
        break;
    }
    // A hang says who is missing; who waits is the lane.
    if (!part->whole)
        say(cell, arena_printf(arena, "(%s)", part->name));
    cell->waits = moment->waits;
    cell->title = arena_printf(
        arena, "%s%s%s%s%s", part->threads.text, moment->spelling ? ": " : "",
        moment->spelling ? clean(arena, moment->spelling) : "", moment->loc.file ? ", line " : "",
        moment->loc.file ? place_words(fill, &moment->loc) : "");
}

// --- Rows ------------------------------------------------------------------------------------

static struct schedule_row *new_row(struct filler *fill, enum schedule_row_kind kind)
{
    struct schedule_row row = {.kind = kind, .place = "", .text = ""};
    if (kind == SCHEDULE_CELLS)
        row.cell = arena_array(&fill->grid->arena, struct schedule_cell, fill->lanes + 1);
    arrput(fill->grid->row, row);
    return &arrlast(fill->grid->row);
}

static bool overlaps(const struct filler *fill, const struct engine_threads *a,
                     const struct engine_threads *b)
{
    uint32_t words = (fill->schedule->block_threads * fill->schedule->blocks + 63) / 64;
    for (uint32_t w = 0; a->mask && b->mask && w < words; ++w) {
        if (a->mask[w] & b->mask[w])
            return true;
    }
    return false;
}

// Lanes that are waited for and wait for nothing themselves.
static void fill_absent(struct filler *fill, const struct engine_moment *moment,
                        struct schedule_row *row)
{
    struct arena *arena = &fill->grid->arena;
    for (uint32_t lane = 0; lane < fill->lanes; ++lane) {
        struct schedule_cell *cell = &row->cell[lane];
        if (!overlaps(fill, &fill->schedule->lane[lane].threads, &moment->missing) ||
            (cell->lines && cell->tone != SCHEDULE_ABSENT))
            continue;
        cell->tone = SCHEDULE_ABSENT;
        if (cell->lines == 0)
            say(cell, "NEVER COMES to");
        const char *line =
            arena_printf(arena, "%s%s", barrier_words(fill, moment, moment->remote),
                         moment->barrier == ENGINE_BARRIER_MBARRIER
                             ? arena_printf(arena, " phase %lld", (long long)moment->phase)
                             : "");
        bool told = false;
        for (uint32_t i = 0; i < cell->lines; ++i)
            told |= strcmp(cell->line[i], line) == 0;
        if (!told)
            say(cell, line);
        cell->title = moment->missing.text;
    }
}

// All hangs stand in the last row, beside each other.
static void fill_hangs(struct filler *fill, uint32_t first)
{
    const struct engine_schedule *schedule = fill->schedule;
    struct schedule_row *row = new_row(fill, SCHEDULE_CELLS);
    for (uint32_t i = first; i < arrlenu(schedule->moment); ++i) {
        const struct engine_moment *moment = &schedule->moment[i];
        for (ptrdiff_t k = 0; moment->kind == ENGINE_MOMENT_HANG && k < arrlen(moment->part); ++k) {
            struct schedule_cell *cell = &row->cell[moment->part[k].lane];
            if (cell->lines == 0)
                fill_cell(fill, moment, &moment->part[k], cell);
            const char *place = place_words(fill, &moment->loc);
            if (place[0] && cell->lines < SCHEDULE_CELL_LINES)
                say(cell, arena_printf(&fill->grid->arena, "at line %s", place));
        }
    }
    for (uint32_t i = first; i < arrlenu(schedule->moment); ++i) {
        if (schedule->moment[i].kind == ENGINE_MOMENT_HANG)
            fill_absent(fill, &schedule->moment[i], row);
    }
    fill->grid->hangs = true;
}

static void fill_band(struct filler *fill, const struct engine_moment *moment)
{
    struct arena *arena = &fill->grid->arena;
    const char *barrier = barrier_words(fill, moment, true);
    struct schedule_row *row;
    switch (moment->kind) {
    case ENGINE_MOMENT_LAND:
        row = new_row(fill, SCHEDULE_LAND);
        row->text =
            moment->bytes.given
                ? arena_printf(arena, "%s: %s land", barrier, bytes_words(arena, &moment->bytes))
                : arena_printf(arena, "%s: copies are done and arrive", barrier);
        break;
    case ENGINE_MOMENT_REPEAT:
        row = new_row(fill, SCHEDULE_REPEAT);
        row->text =
            arena_printf(arena, "... %u more rounds like the %u step%s above", moment->repeat_times,
                         moment->repeat_length, moment->repeat_length == 1 ? "" : "s");
        break;
    default:
        row = new_row(fill, SCHEDULE_COMPLETE);
        row->text =
            moment->barrier == ENGINE_BARRIER_MBARRIER
                ? arena_printf(arena, "%s: %s complete", barrier, phases_words(arena, moment))
                : arena_printf(arena, "%s complete", barrier);
        break;
    }
}

static void fill_rows(struct filler *fill)
{
    const struct engine_schedule *schedule = fill->schedule;
    bool hangs = false;
    for (uint32_t i = 0; i < arrlenu(schedule->moment); ++i) {
        const struct engine_moment *moment = &schedule->moment[i];
        fill->row_of[i] = (uint32_t)arrlen(fill->grid->row);
        if (moment->kind == ENGINE_MOMENT_HANG) {
            if (!hangs)
                fill_hangs(fill, i);
            hangs = true;
            continue;
        }
        bool band = moment->kind == ENGINE_MOMENT_COMPLETE || moment->kind == ENGINE_MOMENT_LAND ||
                    moment->kind == ENGINE_MOMENT_REPEAT;
        if (band) {
            fill_band(fill, moment);
            continue;
        }
        struct schedule_row *row = new_row(fill, SCHEDULE_CELLS);
        row->place = place_words(fill, &moment->loc);
        for (ptrdiff_t k = 0; k < arrlen(moment->part); ++k)
            fill_cell(fill, moment, &moment->part[k], &row->cell[moment->part[k].lane]);
    }
    for (uint32_t i = 0; i < arrlenu(schedule->moment); ++i) {
        const struct engine_moment *moment = &schedule->moment[i];
        for (ptrdiff_t k = 0; moment->waits && k < arrlen(moment->part); ++k) {
            uint32_t until = moment->part[k].until;
            fill->grid->row[fill->row_of[i]].cell[moment->part[k].lane].until =
                until == UINT32_MAX ? until : fill->row_of[until];
        }
    }
}

// --- Head ------------------------------------------------------------------------------------

static const char *extents(struct arena *arena, const int64_t *of)
{
    if (of[1] <= 1 && of[2] <= 1)
        return arena_printf(arena, "%lld", (long long)of[0]);
    return arena_printf(arena, "(%lld, %lld, %lld)", (long long)of[0], (long long)of[1],
                        (long long)of[2]);
}

static void fill_head(struct filler *fill)
{
    static const char *const sources[] = {
        [ENGINE_SHAPE_LAUNCH] = "as launched",
        [ENGINE_SHAPE_ATTRIBUTE] = "as the kernel's attributes say",
        [ENGINE_SHAPE_COMMENT] = "as a comment says",
        [ENGINE_SHAPE_CONFIG] = "as configured",
        [ENGINE_SHAPE_GUESS] = "assumed",
    };
    static const char *const endings[] = {
        [ENGINE_ENDING_COMPLETE] = "every thread comes to its end",
        [ENGINE_ENDING_HANG] = "it hangs",
        [ENGINE_ENDING_ABORTED] = "the hardware aborts it",
        [ENGINE_ENDING_CUT_SHORT] = "it was not followed to its end",
    };
    struct schedule_grid *grid = fill->grid;
    struct arena *arena = &grid->arena;
    const struct engine_shape *shape = &fill->result->shape;
    const struct engine_schedule *schedule = fill->schedule;
    grid->kernel = clean(arena, fill->result->unit->function[fill->result->kernel].name);
    const char *launch = arena_printf(arena, "blocks of %s threads", extents(arena, shape->block));
    if (schedule->blocks > 1)
        launch =
            arena_printf(arena, "%s in clusters of %s", launch, extents(arena, shape->cluster));
    launch = arena_printf(arena, "%s, %s", launch, sources[shape->source]);
    if (shape->source != ENGINE_SHAPE_GUESS && shape->loc.file)
        launch = arena_printf(arena, "%s at %s:%u", launch,
                              clean(arena, path_shown(fill->folder, path_of(fill, &shape->loc))),
                              shape->loc.line);
    grid->about[grid->abouts++] = launch;
    grid->about[grid->abouts++] = arena_printf(
        arena, "one run%s%s: %s", schedule->assumption ? " " : "",
        schedule->assumption ? clean(arena, schedule->assumption) : "", endings[schedule->ending]);
    if (schedule->weak)
        grid->about[grid->abouts++] = "a value that could not be followed decided something here";
    if (schedule->cut_short)
        grid->about[grid->abouts++] = "the run is longer than this picture";
    for (uint32_t i = 0; i < fill->lanes; ++i) {
        const struct engine_lane *lane = &schedule->lane[i];
        const char *name = lane->name;
        if (lane->alike)
            name = arena_printf(arena, "%s and %u more alike", name, lane->alike);
        if (lane->others)
            name = arena_printf(arena, "%s (%u roles)", name, lane->others + 1);
        arrput(grid->lane, name);
    }
}

void schedule_grid_init(struct schedule_grid *grid, const struct engine_result *result,
                        const char *folder)
{
    *grid = (struct schedule_grid){0};
    arena_init(&grid->arena);
    const struct engine_schedule *schedule = result->schedule;
    struct filler fill = {.grid = grid,
                          .result = result,
                          .schedule = schedule,
                          .folder = folder,
                          .lanes = (uint32_t)arrlen(schedule->lane),
                          .row_of =
                              arena_array(&grid->arena, uint32_t, arrlenu(schedule->moment) + 1)};
    fill_head(&fill);
    fill_rows(&fill);
}

void schedule_grid_release(struct schedule_grid *grid)
{
    arrfree(grid->lane);
    arrfree(grid->row);
    arena_release(&grid->arena);
}

const char **schedule_wrap(struct arena *arena, const char *text, uint32_t width)
{
    const char **lines = NULL; // stb_ds array
    uint32_t room = width;
    while (strlen(text) > room) {
        size_t cut = room;
        while (cut > 0 && text[cut] != ' ')
            --cut;
        // A long word: behind a hyphen or a slash, or anywhere.
        for (size_t k = room; cut == 0 && k > room / 3; --k)
            cut = text[k - 1] == '-' || text[k - 1] == '/' ? k : 0;
        if (cut == 0)
            cut = room;
        // Not within a character of several bytes.
        while (cut > 1 && ((unsigned char)text[cut] & 0xc0) == 0x80)
            --cut;
        arrput(lines, arena_printf(arena, "%s%.*s", arrlen(lines) ? "  " : "", (int)cut, text));
        text += cut + (text[cut] == ' ');
        room = width > 4 ? width - 2 : width;
    }
    if (*text || !arrlen(lines))
        arrput(lines, arena_printf(arena, "%s%s", arrlen(lines) ? "  " : "", text));
    return lines;
}
