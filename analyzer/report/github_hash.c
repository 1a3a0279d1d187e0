#include "report/github_hash.h"

#include <stdbool.h>

#include "base/utf8.h"
#include "base/vec.h"

enum {
    WINDOW = 100,
    FACTOR = 37,
    END_OF_FILE = 65535,
};

// The hash is that of the last WINDOW units; a line's is complete when its first unit is about to
// leave the window.
struct rolling {
    uint16_t window[WINDOW];
    bool begins_line[WINDOW]; // the unit at this place is the first of a line
    size_t at;
    uint64_t hash, out_factor; // FACTOR to the power of WINDOW
    bool line_start, after_return;
    struct github_hash *line; // stb_ds array
    struct {
        uint64_t key;
        uint32_t value;
    } * seen; // stb_ds
};

static void finish_line(struct rolling *rolling)
{
    if (!rolling->begins_line[rolling->at])
        return;
    rolling->begins_line[rolling->at] = false;
    uint32_t ordinal = hmget(rolling->seen, rolling->hash) + 1;
    hmput(rolling->seen, rolling->hash, ordinal);
    arrput(rolling->line, ((struct github_hash){rolling->hash, ordinal}));
}

static void push(struct rolling *rolling, uint16_t unit)
{
    uint16_t oldest = rolling->window[rolling->at];
    rolling->window[rolling->at] = unit;
    rolling->hash = rolling->hash * FACTOR + unit - rolling->out_factor * oldest;
    rolling->at = (rolling->at + 1) % WINDOW;
}

static void take(struct rolling *rolling, uint16_t unit)
{
    bool is_second_half = rolling->after_return && unit == '\n';
    rolling->after_return = unit == '\r';
    if (unit == ' ' || unit == '\t' || is_second_half)
        return;
    if (unit == '\r')
        unit = '\n';
    finish_line(rolling);
    if (rolling->line_start)
        rolling->begins_line[rolling->at] = true;
    rolling->line_start = unit == '\n';
    push(rolling, unit);
}

struct github_hash *github_hash_lines(const char *text, size_t length)
{
    struct rolling rolling = {.out_factor = 1, .line_start = true};
    for (int i = 0; i < WINDOW; ++i)
        rolling.out_factor *= FACTOR;
    size_t used;
    for (size_t at = 0; at < length; at += used) {
        uint32_t code = utf8_decode(text + at, length - at, &used);
        if (code > 0xffff) {
            take(&rolling, (uint16_t)(0xd7c0 + (code >> 10)));
            take(&rolling, (uint16_t)(0xdc00 + (code & 0x3ff)));
        } else {
            take(&rolling, (uint16_t)code);
        }
    }
    take(&rolling, END_OF_FILE);
    for (int i = 0; i < WINDOW; ++i) {
        finish_line(&rolling);
        push(&rolling, 0);
    }
    hmfree(rolling.seen);
    return rolling.line;
}
