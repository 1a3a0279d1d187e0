#include "report/changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"

void changes_init(struct changes *changes)
{
    *changes = (struct changes){0};
    arena_init(&changes->arena);
}

void changes_release(struct changes *changes)
{
    for (ptrdiff_t i = 0; i < arrlen(changes->file); ++i)
        arrfree(changes->file[i].range);
    arrfree(changes->file);
    shfree(changes->index);
    arena_release(&changes->arena);
}

static struct changed_file *file_for(struct changes *changes, const char *path)
{
    ptrdiff_t known = shgeti(changes->index, path);
    if (known < 0) {
        struct changed_file file = {.path = arena_strdup(&changes->arena, path)};
        shput(changes->index, (char *)file.path, arrlen(changes->file));
        arrput(changes->file, file);
        return &changes->file[arrlen(changes->file) - 1];
    }
    return &changes->file[changes->index[known].value];
}

void changes_add_file(struct changes *changes, const char *path)
{
    struct changed_file *file = file_for(changes, path);
    arrput(file->range, ((struct line_range){0, UINT32_MAX}));
}

// --- Patches -------------------------------------------------------------------------------------

// A path that git has put in quotes, with C's escapes.
static char *unquote(struct arena *arena, const char *text, size_t length)
{
    static const char letters[] = "abtnvfr\"\\", values[] = "\a\b\t\n\v\f\r\"\\";
    char *out = arena_alloc(arena, length + 1), *to = out;
    for (size_t i = 1; i < length && text[i] != '"'; ++i) {
        if (text[i] != '\\' || i + 1 == length) {
            *to++ = text[i];
            continue;
        }
        char c = text[++i];
        const char *letter = strchr(letters, c);
        int value = 0, digits = 0;
        while (digits < 3 && i < length && text[i] >= '0' && text[i] <= '7') {
            value = 8 * value + (text[i++] - '0');
            ++digits;
        }
        if (digits)
            --i;
        *to++ = digits ? (char)value : letter && *letter ? values[letter - letters] : c;
    }
    return out;
}

// The file of a line "+++ b/PATH"; NULL for /dev/null, a file that is gone.
static struct changed_file *read_name(struct changes *changes, const char *root, const char *line,
                                      size_t length)
{
    struct arena *arena = &changes->arena;
    const char *name;
    if (line[0] == '"') {
        name = unquote(arena, line, length);
    } else {
        // Git puts a tab behind a name that holds a blank.
        length -= line[length - 1] == '\t';
        name = arena_strndup(arena, line, length);
    }
    return strncmp(name, "b/", 2) == 0 ? file_for(changes, path_absolute(arena, root, name + 2))
                                       : NULL;
}

// "@@ -41,2 +41,3 @@": the lines of the new file.
static bool read_hunk(const char *line, size_t length, struct line_range *out)
{
    const char *plus = memchr(line, '+', length);
    char *end;
    if (!plus)
        return false;
    unsigned long first = strtoul(plus + 1, &end, 10), count = 1;
    if (end == plus + 1 || first > INT32_MAX)
        return false;
    if (*end == ',')
        count = strtoul(end + 1, &end, 10);
    if (count > INT32_MAX)
        return false;
    // Nothing is left of the lines: the gap is behind line `first`.
    *out = count ? (struct line_range){(uint32_t)first, (uint32_t)(first + count - 1)}
                 : (struct line_range){(uint32_t)first, (uint32_t)first + 1};
    return true;
}

// How many lines of a hunk follow its head, which may look like anything.
static size_t hunk_lines(const char *line, size_t length)
{
    size_t lines = 0;
    for (const char *at = line; at < line + length; ++at) {
        if (*at != '-' && *at != '+')
            continue;
        char *end;
        strtoul(at + 1, &end, 10);
        lines += *end == ',' ? strtoul(end + 1, &end, 10) : 1;
        if (*at == '+')
            break;
    }
    return lines;
}

void changes_read_patch(struct changes *changes, const char *root, const char *text, size_t length)
{
    struct changed_file *file = NULL;
    size_t inside = 0; // lines left of the hunk at hand
    for (const char *line = text, *end = text + length; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((stop ? stop : end) - line);
        struct line_range range;
        if (inside > 0 && size && (line[0] == '+' || line[0] == '-')) {
            --inside;
        } else if (size > 4 && strncmp(line, "+++ ", 4) == 0) {
            file = read_name(changes, root, line + 4, size - 4);
        } else if (size > 3 && strncmp(line, "@@ ", 3) == 0 && read_hunk(line, size, &range)) {
            inside = hunk_lines(line, size);
            if (file)
                arrput(file->range, range);
        }
        line = stop ? stop + 1 : end;
    }
}

// --- Asking --------------------------------------------------------------------------------------

// Where git knows the file, which shows its real place only.
static ptrdiff_t find_file(const struct changes *changes, const char *path)
{
    struct changes *map = (struct changes *)changes; // stb_ds remembers where it found a key
    ptrdiff_t known = shgeti(map->index, path);
    char *real = known < 0 ? realpath(path, NULL) : NULL;
    if (real)
        known = shgeti(map->index, real);
    free(real);
    return known;
}

static bool touches(const struct changes *changes, const struct finding_place *place)
{
    ptrdiff_t known = find_file(changes, place->file);
    if (known < 0)
        return false;
    const struct changed_file *file = &changes->file[changes->index[known].value];
    uint32_t end = place->end_line > place->line ? place->end_line : place->line;
    for (ptrdiff_t i = 0; i < arrlen(file->range); ++i) {
        if (file->range[i].first <= end && place->line <= file->range[i].last)
            return true;
    }
    return false;
}

bool changes_touch_finding(const struct changes *changes, const struct finding *finding)
{
    if (touches(changes, &finding->place))
        return true;
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        if (touches(changes, &finding->note[i].place))
            return true;
    }
    return false;
}
