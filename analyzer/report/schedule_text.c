// A schedule with plain characters.
#include <string.h>

#include "base/vec.h"
#include "report/schedule.h"

enum { NARROWEST = 20, WIDEST = 34, MOST_IN_COLUMNS = 4 };

struct page {
    FILE *out;
    const struct schedule_grid *grid;
    struct arena arena;
    uint32_t lanes, lane_width, margin; // in characters
    uint32_t *waits_until;              // by lane: the row that ends its wait; 0: it does not wait
};

static void put(struct page *page, const char *text, uint32_t width)
{
    fprintf(page->out, "%s", text);
    for (size_t n = strlen(text); n < width; ++n)
        fputc(' ', page->out);
}

// Whether the first two lines of the cell have room in one.
static bool joins(const struct schedule_cell *cell, uint32_t width)
{
    return cell->lines > 1 && cell->tone != SCHEDULE_HANG && cell->tone != SCHEDULE_ABSENT &&
           strlen(cell->line[0]) + 2 + strlen(cell->line[1]) <= width;
}

// The lines of a cell, wrapped.
static const char **cell_lines(struct page *page, const struct schedule_cell *cell)
{
    const char **lines = NULL; // stb_ds array
    uint32_t first = 0;
    if (joins(cell, page->lane_width)) {
        arrput(lines, arena_printf(&page->arena, "%s%s %s", cell->line[0],
                                   cell->line[1][0] == '(' ? "" : ",", cell->line[1]));
        first = 2;
    }
    for (uint32_t i = first; i < cell->lines; ++i) {
        // What follows the first line stands to the right of it.
        const char **part =
            schedule_wrap(&page->arena, cell->line[i], page->lane_width - (i ? 2 : 0));
        for (ptrdiff_t k = 0; k < arrlen(part); ++k)
            arrput(lines, i ? arena_printf(&page->arena, "  %s", part[k]) : part[k]);
        arrfree(part);
    }
    return lines;
}

static void put_rule(struct page *page, char fill, const char *text)
{
    uint32_t width = page->lanes * (page->lane_width + 3) - 1;
    put(page, "", page->margin);
    fputs(" +", page->out);
    uint32_t used = 0;
    if (text[0])
        used = (uint32_t)fprintf(page->out, "%c%c %s ", fill, fill, text);
    if (text[0] && used >= width)
        width = used + 2;
    for (; used < width; ++used)
        fputc(fill, page->out);
    fputc('\n', page->out);
}

// The mark of a lane in a row in which it does nothing.
static const char *idle_mark(const struct page *page, uint32_t lane, uint32_t row)
{
    return page->waits_until[lane] > row ? ":" : "";
}

static void put_cells(struct page *page, uint32_t at)
{
    const struct schedule_row *row = &page->grid->row[at];
    const char ***lines = arena_array(&page->arena, const char **, page->lanes + 1);
    uint32_t height = 1;
    for (uint32_t i = 0; i < page->lanes; ++i) {
        lines[i] = cell_lines(page, &row->cell[i]);
        height = arrlen(lines[i]) > height ? (uint32_t)arrlen(lines[i]) : height;
    }
    for (uint32_t line = 0; line < height; ++line) {
        const char *place = line == 0 ? row->place : "";
        for (size_t n = strlen(place); n < page->margin; ++n)
            fputc(' ', page->out);
        fputs(place, page->out);
        for (uint32_t i = 0; i < page->lanes; ++i) {
            const struct schedule_cell *cell = &row->cell[i];
            bool began = cell->waits && line > 0;
            const char *text = arrlenu(lines[i]) > line ? lines[i][line]
                               : began                  ? ":"
                               : cell->lines            ? ""
                                                        : idle_mark(page, i, at);
            fputs(" |", page->out);
            if (i + 1 < page->lanes || text[0])
                fputc(' ', page->out);
            put(page, text, i + 1 < page->lanes ? page->lane_width : 0);
        }
        fputc('\n', page->out);
    }
    for (uint32_t i = 0; i < page->lanes; ++i) {
        if (row->cell[i].waits)
            page->waits_until[i] = row->cell[i].until;
        else if (row->cell[i].lines && row->cell[i].tone != SCHEDULE_WRONG)
            page->waits_until[i] = 0;
        arrfree(lines[i]);
    }
}

static void measure(struct page *page, uint32_t columns)
{
    const struct schedule_grid *grid = page->grid;
    uint32_t widest = NARROWEST, band = 0;
    page->margin = 4;
    for (ptrdiff_t i = 0; i < arrlen(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        uint32_t place = (uint32_t)strlen(row->place);
        band = strlen(row->text) > band ? (uint32_t)strlen(row->text) : band;
        page->margin = place > page->margin && place <= 16 ? place : page->margin;
        for (uint32_t k = 0; row->cell && k < page->lanes; ++k) {
            const struct schedule_cell *cell = &row->cell[k];
            uint32_t joined = joins(cell, WIDEST) ? 2 : 0;
            for (uint32_t n = 0; n < cell->lines; ++n) {
                uint32_t length = (uint32_t)strlen(cell->line[n]) + (n ? 2 : 0);
                if (n == 0 && joined)
                    length += 2 + (uint32_t)strlen(cell->line[1]);
                widest = length > widest ? length : widest;
            }
        }
    }
    widest = widest > WIDEST ? WIDEST : widest;
    uint32_t shared = page->lanes < MOST_IN_COLUMNS ? page->lanes : MOST_IN_COLUMNS;
    uint32_t room = shared && columns > page->margin ? (columns - page->margin - 1) / shared : 0;
    room = room > 3 + NARROWEST ? room - 3 : NARROWEST;
    page->lane_width = widest < room ? widest : room;
    // A band is written across the lanes.
    while (page->lanes && page->lane_width < room &&
           page->lanes * (page->lane_width + 3) < band + 6)
        ++page->lane_width;
}

void schedule_print_text(FILE *out, const struct schedule_grid *grid, uint32_t columns)
{
    struct page page = {.out = out, .grid = grid, .lanes = (uint32_t)arrlen(grid->lane)};
    arena_init(&page.arena);
    page.waits_until = arena_array(&page.arena, uint32_t, page.lanes + 1);
    measure(&page, columns);
    fprintf(out, "kernel %s\n", grid->kernel);
    for (uint32_t i = 0; i < grid->abouts; ++i) {
        const char **lines = schedule_wrap(&page.arena, grid->about[i], columns - 2);
        for (ptrdiff_t k = 0; k < arrlen(lines); ++k)
            fprintf(out, "  %s\n", lines[k]);
        arrfree(lines);
    }
    fputc('\n', out);
    struct schedule_row head = {.place = "line"};
    head.cell = arena_array(&page.arena, struct schedule_cell, page.lanes + 1);
    for (uint32_t i = 0; i < page.lanes; ++i) {
        head.cell[i].line[0] = grid->lane[i];
        head.cell[i].lines = 1;
    }
    struct schedule_grid top = {.row = NULL};
    arrput(top.row, head);
    page.grid = &top;
    put_cells(&page, 0);
    arrfree(top.row);
    page.grid = grid;
    put_rule(&page, '-', "");
    for (uint32_t i = 0; i < arrlenu(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        switch (row->kind) {
        case SCHEDULE_CELLS:
            if (grid->hangs && i + 1 == arrlenu(grid->row))
                put_rule(&page, '#', "nobody can go on");
            put_cells(&page, i);
            break;
        case SCHEDULE_COMPLETE:
            put_rule(&page, '=', row->text);
            break;
        default:
            put_rule(&page, row->kind == SCHEDULE_LAND ? '-' : '~', row->text);
            break;
        }
    }
    put_rule(&page, '-', "");
    arena_release(&page.arena);
}
