// The schedule of one run of a kernel, drawn: a lane a role, a row a step, a band where a phase
// completes. schedule_grid.c finds the words and where they go; text and SVG are drawn from that.
#ifndef BARLINT_REPORT_SCHEDULE_H
#define BARLINT_REPORT_SCHEDULE_H

#include <stdio.h>

#include "engine/story/schedule.h"

// What a cell is about, for its colour.
enum schedule_tone {
    SCHEDULE_PLAIN,
    SCHEDULE_SETUP, // initialisation
    SCHEDULE_ARRIVE,
    SCHEDULE_WAIT,
    SCHEDULE_MEET,   // a barrier of the whole block, a named barrier, the cluster's
    SCHEDULE_WRONG,  // a rule is broken
    SCHEDULE_HANG,   // waits for ever
    SCHEDULE_ABSENT, // is waited for and does not come
    SCHEDULE_TONE_COUNT_
};

enum { SCHEDULE_CELL_LINES = 6 };

// What a lane does in a row; nothing where `lines` is 0.
struct schedule_cell {
    enum schedule_tone tone;
    const char *line[SCHEDULE_CELL_LINES];
    uint32_t lines;
    const char *title; // all that is known of it, for a tooltip
    bool waits;
    uint32_t until; // the row that ends the wait; UINT32_MAX: none
};

enum schedule_row_kind {
    SCHEDULE_CELLS,
    SCHEDULE_COMPLETE, // bands: `text` says it all
    SCHEDULE_LAND,
    SCHEDULE_REPEAT,
};

struct schedule_row {
    enum schedule_row_kind kind;
    const char *place;          // "41", "pipe.cuh:41" or ""
    const char *text;           // of a band
    struct schedule_cell *cell; // by lane; NULL for a band
};

struct schedule_grid {
    struct arena arena;
    const char *kernel;
    const char *about[4]; // the launch, the run, how it ends
    uint32_t abouts;
    const char **lane;        // stb_ds array: what is written over each lane
    struct schedule_row *row; // stb_ds array
    bool hangs;
};

// Fills the grid from a result that holds a schedule. Paths are shown as seen from `folder`.
void schedule_grid_init(struct schedule_grid *grid, const struct engine_result *result,
                        const char *folder);
void schedule_grid_release(struct schedule_grid *grid);

// Draws with plain characters, as wide as the lanes need but in `columns` where up to four lanes
// can be read so.
void schedule_print_text(FILE *out, const struct schedule_grid *grid, uint32_t columns);
// One SVG document that needs nothing else and suits a light and a dark viewer.
void schedule_print_svg(FILE *out, const struct schedule_grid *grid);
// The same for a page that holds several: the page has the style, once.
void schedule_print_svg_part(FILE *out, const struct schedule_grid *grid);
const char *schedule_svg_style(void);

// Splits a text into lines of at most `width` characters, at blanks where there are any; later
// lines begin with two blanks. Lines live in the arena. Returns a stb_ds array.
const char **schedule_wrap(struct arena *arena, const char *text, uint32_t width);

#endif
