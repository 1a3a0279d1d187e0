// A schedule as one SVG document.
//
// Text is set in a monospaced face, so that the width of a line follows from its length: no
// program that shows the picture has to be asked. Colours are classes with a second set for dark
// viewers; both sets keep a contrast of 4.5 to 1 or more.
#include <string.h>

#include "base/vec.h"
#include "report/schedule.h"

enum {
    // In user units, pixels of a viewer that does not scale.
    MARGIN = 16,
    FONT = 12,
    LINE = 16, // from one line of text to the next
    PAD = 6,   // between a box and its text
    GAP = 8,   // between rows, and between a box and the edge of its lane
    BAND = 22, // height of a band
    HEAD_LINE = 18,
    FEWEST_LETTERS = 18, // of a lane
    MOST_LETTERS = 30,
    MOST_ABOUT = 90, // characters of a line of the head
};

#define LETTER 7.25 // width of a character

struct drawing {
    FILE *out;
    const struct schedule_grid *grid;
    struct arena arena;
    uint32_t lanes, letters;   // characters in the box of a lane
    double gutter, lane_width; // of the places on the left, of a lane
    double width, height;
    const char **about;     // stb_ds array: the lines of the head
    double *top;            // by row
    double *row_height;     // by row
    const char ****wrapped; // by row and lane: stb_ds arrays of lines
};

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void put_text(struct drawing *draw, double x, double y, const char *class, const char *text)
{
    fprintf(draw->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    put_escaped(draw->out, text);
    fputs("</text>\n", draw->out);
}

static void put_box(struct drawing *draw, double x, double y, double width, double height,
                    const char *class)
{
    fprintf(draw->out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" class=\"%s\"/>\n",
            x, y, width, height, class);
}

static void put_line(struct drawing *draw, double x1, double y1, double x2, double y2,
                     const char *class)
{
    fprintf(draw->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1,
            y1, x2, y2, class);
}

static const char *const style =
    "svg{background:#fff}\n"
    "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "font-size:12px;"
    "fill:#1f2328}\n"
    ".kernel{font-size:15px;font-weight:bold}.first,.lane{font-weight:bold}\n"
    ".place{fill:#59636e;text-anchor:end}.about{fill:#59636e}\n"
    ".page{fill:#fff}.head{fill:#eaeef2;stroke:#8c959f}.life{stroke:#afb8c1;stroke-width:2}\n"
    ".box{stroke-width:1.2}\n"
    ".plain{fill:#f6f8fa;stroke:#8c959f}.setup{fill:#fbefff;stroke:#8250df}\n"
    ".arrive{fill:#ddf4ff;stroke:#0969da}.wait{fill:#fff8c5;stroke:#9a6700}\n"
    ".meet{fill:#dafbe1;stroke:#1a7f37}.wrong{fill:#ffebe9;stroke:#cf222e}\n"
    ".hang{fill:#ffcecb;stroke:#cf222e;stroke-width:2.4}\n"
    ".absent{fill:#fff;stroke:#cf222e;stroke-width:2;stroke-dasharray:6 4}\n"
    ".bar{fill:#d4a72c}.stuck{fill:#cf222e}\n"
    ".complete{fill:#aceebb;stroke:none}.land{fill:#b6e3ff;stroke:none}\n"
    ".repeat{fill:#eaeef2;stroke:none}.over{fill:#cf222e;stroke:none}\n"
    "text.overword{fill:#fff;font-weight:bold}\n"
    "@media (prefers-color-scheme:dark){\n"
    "svg{background:#0d1117}text{fill:#e6edf3}.place,.about{fill:#9198a1}\n"
    ".page{fill:#0d1117}.head{fill:#212830;stroke:#656c76}.life{stroke:#3d444d}\n"
    ".plain{fill:#151b23;stroke:#656c76}.setup{fill:#271a42;stroke:#ab7df8}\n"
    ".arrive{fill:#0c2240;stroke:#4493f8}.wait{fill:#2e2308;stroke:#d29922}\n"
    ".meet{fill:#0c2d17;stroke:#3fb950}.wrong{fill:#3c1618;stroke:#f85149}\n"
    ".hang{fill:#67191d;stroke:#f85149}.absent{fill:#0d1117;stroke:#f85149}\n"
    ".bar{fill:#9e6a03}.stuck{fill:#da3633}\n"
    ".complete{fill:#196c2e}.land{fill:#0c4a8a}.repeat{fill:#262c36}.over{fill:#b62324}\n"
    "}\n";

static const char *class_of(enum schedule_tone tone)
{
    static const char *const names[SCHEDULE_TONE_COUNT_] = {
        [SCHEDULE_PLAIN] = "box plain",   [SCHEDULE_SETUP] = "box setup",
        [SCHEDULE_ARRIVE] = "box arrive", [SCHEDULE_WAIT] = "box wait",
        [SCHEDULE_MEET] = "box meet",     [SCHEDULE_WRONG] = "box wrong",
        [SCHEDULE_HANG] = "box hang",     [SCHEDULE_ABSENT] = "box absent",
    };
    return names[tone];
}

// --- Layout ----------------------------------------------------------------------------------

static double lane_left(const struct drawing *draw, uint32_t lane)
{
    return draw->gutter + lane * draw->lane_width;
}

static double lane_middle(const struct drawing *draw, uint32_t lane)
{
    return lane_left(draw, lane) + draw->lane_width / 2;
}

static const char **wrap_cell(struct drawing *draw, const struct schedule_cell *cell)
{
    const char **lines = NULL; // stb_ds array
    for (uint32_t i = 0; i < cell->lines; ++i) {
        const char **part = schedule_wrap(&draw->arena, cell->line[i], draw->letters);
        for (ptrdiff_t k = 0; k < arrlen(part); ++k)
            arrput(lines, part[k]);
        arrfree(part);
    }
    return lines;
}

static void measure_widths(struct drawing *draw)
{
    const struct schedule_grid *grid = draw->grid;
    size_t letters = FEWEST_LETTERS, place = 4, band = 0;
    for (ptrdiff_t i = 0; i < arrlen(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        place = strlen(row->place) > place ? strlen(row->place) : place;
        band = strlen(row->text) > band ? strlen(row->text) : band;
        for (uint32_t k = 0; row->cell && k < draw->lanes; ++k) {
            for (uint32_t n = 0; n < row->cell[k].lines; ++n) {
                size_t length = strlen(row->cell[k].line[n]);
                letters = length > letters ? length : letters;
            }
        }
    }
    draw->letters = letters > MOST_LETTERS ? MOST_LETTERS : (uint32_t)letters;
    draw->lane_width = draw->letters * LETTER + 2 * PAD + 2 * GAP;
    draw->gutter = MARGIN + (double)place * LETTER + GAP;
    // Head and bands are written across the lanes.
    for (ptrdiff_t i = 0; i < arrlen(draw->about); ++i)
        band = strlen(draw->about[i]) > band ? strlen(draw->about[i]) : band;
    size_t kernel = strlen(grid->kernel) + 7;
    band = kernel * 5 / 4 > band ? kernel * 5 / 4 : band;
    double lanes = draw->lanes * draw->lane_width, text = (double)band * LETTER + 2 * PAD;
    draw->width = draw->gutter + (lanes > text ? lanes : text) + MARGIN;
}

static void measure_rows(struct drawing *draw, double top)
{
    const struct schedule_grid *grid = draw->grid;
    for (ptrdiff_t i = 0; i < arrlen(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        double height = BAND;
        if (row->kind == SCHEDULE_CELLS) {
            uint32_t lines = 1;
            draw->wrapped[i] = arena_array(&draw->arena, const char **, draw->lanes + 1);
            for (uint32_t k = 0; k < draw->lanes; ++k) {
                draw->wrapped[i][k] = wrap_cell(draw, &row->cell[k]);
                uint32_t own = (uint32_t)arrlen(draw->wrapped[i][k]);
                lines = own > lines ? own : lines;
            }
            height = lines * LINE + 2 * PAD;
            if (grid->hangs && i + 1 == arrlen(grid->row))
                top += BAND + GAP; // for the band that says so
        }
        draw->top[i] = top;
        draw->row_height[i] = height;
        top += height + GAP;
    }
    draw->height = top + 2 * LINE + MARGIN;
}

// --- Parts -----------------------------------------------------------------------------------

static void draw_heads(struct drawing *draw, double top, double height)
{
    for (uint32_t i = 0; i < draw->lanes; ++i) {
        put_box(draw, lane_left(draw, i) + GAP / 2.0, top, draw->lane_width - GAP, height, "head");
        const char **lines = schedule_wrap(&draw->arena, draw->grid->lane[i], draw->letters);
        for (ptrdiff_t k = 0; k < arrlen(lines); ++k)
            put_text(draw, lane_left(draw, i) + GAP + PAD, top + PAD + FONT + (double)k * LINE,
                     "lane", lines[k]);
        arrfree(lines);
    }
}

// A lane's line begins at its head and ends with its last cell.
static void draw_lives(struct drawing *draw, double top)
{
    const struct schedule_grid *grid = draw->grid;
    for (uint32_t lane = 0; lane < draw->lanes; ++lane) {
        double end = top;
        for (ptrdiff_t i = 0; i < arrlen(grid->row); ++i) {
            const struct schedule_row *row = &grid->row[i];
            if (row->cell && row->cell[lane].lines && row->cell[lane].tone != SCHEDULE_ABSENT)
                end = draw->top[i];
        }
        put_line(draw, lane_middle(draw, lane), top, lane_middle(draw, lane), end, "life");
    }
}

// How long each wait lasts.
static void draw_waits(struct drawing *draw)
{
    const struct schedule_grid *grid = draw->grid;
    for (ptrdiff_t i = 0; i < arrlen(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        for (uint32_t lane = 0; row->cell && lane < draw->lanes; ++lane) {
            const struct schedule_cell *cell = &row->cell[lane];
            if (!cell->waits)
                continue;
            bool ends = cell->until < arrlenu(grid->row);
            uint32_t last = ends ? cell->until : (uint32_t)arrlen(grid->row) - 1;
            double from = draw->top[i] + draw->row_height[i] / 2, to = draw->top[last];
            if (to > from)
                put_box(draw, lane_middle(draw, lane) - 4, from, 8, to - from,
                        ends ? "bar" : "stuck");
        }
    }
}

static void draw_cells(struct drawing *draw, uint32_t at)
{
    const struct schedule_row *row = &draw->grid->row[at];
    double top = draw->top[at];
    if (row->place[0])
        put_text(draw, draw->gutter - GAP, top + PAD + FONT, "place", row->place);
    for (uint32_t lane = 0; lane < draw->lanes; ++lane) {
        const struct schedule_cell *cell = &row->cell[lane];
        const char **lines = draw->wrapped[at][lane];
        if (!cell->lines)
            continue;
        fputs("<g>", draw->out);
        if (cell->title) {
            fputs("<title>", draw->out);
            put_escaped(draw->out, cell->title);
            fputs("</title>", draw->out);
        }
        fputc('\n', draw->out);
        double left = lane_left(draw, lane) + GAP;
        put_box(draw, left, top, draw->lane_width - 2 * GAP, (double)arrlen(lines) * LINE + 2 * PAD,
                class_of(cell->tone));
        for (ptrdiff_t k = 0; k < arrlen(lines); ++k)
            put_text(draw, left + PAD, top + PAD + FONT + (double)k * LINE, k ? "more" : "first",
                     lines[k]);
        fputs("</g>\n", draw->out);
    }
}

static void draw_band(struct drawing *draw, double top, const char *class, const char *word_class,
                      const char *text)
{
    double left = draw->gutter;
    put_box(draw, left, top, draw->width - MARGIN - left, BAND, class);
    put_text(draw, left + GAP + PAD, top + FONT + 3, word_class, text);
}

static void draw_rows(struct drawing *draw)
{
    static const char *const bands[] = {
        [SCHEDULE_COMPLETE] = "complete", [SCHEDULE_LAND] = "land", [SCHEDULE_REPEAT] = "repeat"};
    const struct schedule_grid *grid = draw->grid;
    for (uint32_t i = 0; i < arrlenu(grid->row); ++i) {
        const struct schedule_row *row = &grid->row[i];
        if (row->kind != SCHEDULE_CELLS) {
            draw_band(draw, draw->top[i], bands[row->kind], "band", row->text);
            continue;
        }
        if (grid->hangs && i + 1 == arrlenu(grid->row))
            draw_band(draw, draw->top[i] - BAND - GAP, "over", "overword", "nobody can go on");
        draw_cells(draw, i);
    }
}

static void draw_legend(struct drawing *draw, double top)
{
    static const struct {
        const char *class, *word;
    } entry[] = {{"bar", "waits"},
                 {"stuck", "waits for ever"},
                 {"complete", "a phase completes"},
                 {"land", "a copy lands"}};
    double x = draw->gutter + GAP;
    for (size_t i = 0; i < sizeof entry / sizeof entry[0]; ++i) {
        double width = ((double)strlen(entry[i].word) + 2) * LETTER + 16;
        if (x + width > draw->width)
            break;
        put_box(draw, x, top, 12, 12, entry[i].class);
        put_text(draw, x + 18, top + 10, "about", entry[i].word);
        x += width + 12;
    }
}

static void print_svg(FILE *out, const struct schedule_grid *grid, bool with_style)
{
    struct drawing draw = {.out = out, .grid = grid, .lanes = (uint32_t)arrlen(grid->lane)};
    size_t rows = arrlenu(grid->row);
    arena_init(&draw.arena);
    draw.top = arena_array(&draw.arena, double, rows + 1);
    draw.row_height = arena_array(&draw.arena, double, rows + 1);
    draw.wrapped = arena_array(&draw.arena, const char ***, rows + 1);
    for (uint32_t i = 0; i < grid->abouts; ++i) {
        const char **lines = schedule_wrap(&draw.arena, grid->about[i], MOST_ABOUT);
        for (ptrdiff_t k = 0; k < arrlen(lines); ++k)
            arrput(draw.about, lines[k]);
        arrfree(lines);
    }
    measure_widths(&draw);
    size_t head_lines = 1;
    for (uint32_t i = 0; i < draw.lanes; ++i) {
        const char **lines = schedule_wrap(&draw.arena, grid->lane[i], draw.letters);
        head_lines = arrlenu(lines) > head_lines ? arrlenu(lines) : head_lines;
        arrfree(lines);
    }
    double title = MARGIN + 15, heads = title + (double)arrlen(draw.about) * HEAD_LINE + GAP + 4;
    double head_height = (double)head_lines * LINE + 2 * PAD;
    measure_rows(&draw, heads + head_height + GAP);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>The schedule of kernel ",
            draw.width, draw.height, draw.width, draw.height);
    put_escaped(out, grid->kernel);
    fputs("</title>\n", out);
    if (with_style)
        fprintf(out, "<style>\n%s</style>\n", style);
    fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" class=\"page\"/>\n", draw.width,
            draw.height);
    put_text(&draw, draw.gutter + GAP, title, "kernel",
             arena_printf(&draw.arena, "kernel %s", grid->kernel));
    for (ptrdiff_t i = 0; i < arrlen(draw.about); ++i)
        put_text(&draw, draw.gutter + GAP, title + (double)(i + 1) * HEAD_LINE, "about",
                 draw.about[i]);
    draw_lives(&draw, heads + head_height);
    draw_waits(&draw);
    draw_heads(&draw, heads, head_height);
    draw_rows(&draw);
    draw_legend(&draw, draw.height - MARGIN - LINE);
    fputs("</svg>\n", out);
    for (size_t i = 0; i < rows; ++i) {
        for (uint32_t k = 0; draw.wrapped[i] && k < draw.lanes; ++k)
            arrfree(draw.wrapped[i][k]);
    }
    arrfree(draw.about);
    arena_release(&draw.arena);
}

void schedule_print_svg(FILE *out, const struct schedule_grid *grid)
{
    print_svg(out, grid, true);
}

void schedule_print_svg_part(FILE *out, const struct schedule_grid *grid)
{
    print_svg(out, grid, false);
}

const char *schedule_svg_style(void)
{
    return style;
}
