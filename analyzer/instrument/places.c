#include "instrument/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "instrument/items.h"
#include "instrument/shown_name.h"

// Deeper than compilers inline; what is deeper loses its outermost frames.
enum { FRAME_LIMIT = 64, NAME_LIMIT = 1 << 14 };

void places_init(struct places *places, struct arena *arena, uint32_t first)
{
    *places = (struct places){.arena = arena, .first = first, .function = ""};
    sh_new_strdup(places->names);
}

void places_release(struct places *places)
{
    hmfree(places->seen);
    hmfree(places->files);
    shfree(places->names);
    arrfree(places->site);
    arrfree(places->caller);
}

void places_enter(struct places *places, const char *function)
{
    hmfree(places->seen);
    places->function = function;
    places->current = (struct place){0};
    places->waiting = 0;
}

// --- Directives --------------------------------------------------------------------------------

// A number of the line, at most `limit`; what is none counts as 0.
static uint32_t read_number(const char **at, const char *end)
{
    while (*at < end && strchr(" \t,", **at))
        ++*at;
    uint64_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (number <= UINT32_MAX)
            number = number * 10 + (uint64_t)(**at - '0');
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static struct place_position read_position(const char **at, const char *end)
{
    struct place_position position;
    position.file = read_number(at, end);
    position.line = read_number(at, end);
    position.column = read_number(at, end);
    return position;
}

static bool accept_word(const char **at, const char *end, const char *word)
{
    while (*at < end && strchr(" \t,", **at))
        ++*at;
    size_t length = strlen(word);
    if ((size_t)(end - *at) < length || strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

// `.loc 1 12 3` and behind it, in this order or the other, `, function_name label+0` and
// `, inlined_at 1 45 7`.
static struct place read_loc(struct places *places, const char *at, const char *end)
{
    struct place place = {.at = read_position(&at, end)};
    for (int i = 0; i < 2; ++i) {
        if (accept_word(&at, end, "function_name")) {
            while (at < end && (*at == ' ' || *at == '\t'))
                ++at;
            size_t length = 0;
            while (at + length < end && item_is_name(at[length]))
                ++length;
            place.label = arena_strndup(places->arena, at, length);
            at += length;
            if (accept_word(&at, end, "+"))
                place.label_offset = read_number(&at, end);
        } else if (accept_word(&at, end, "inlined_at")) {
            place.caller = read_position(&at, end);
        }
    }
    return place;
}

static void read_file(struct places *places, const char *at, const char *end)
{
    uint32_t number = read_number(&at, end);
    const char *open = memchr(at, '"', (size_t)(end - at));
    if (!open)
        return;
    char *name = arena_alloc(places->arena, (size_t)(end - open));
    size_t length = 0;
    for (at = open + 1; at < end && *at != '"'; ++at) {
        if (*at == '\\' && at + 1 < end)
            ++at;
        name[length++] = *at;
    }
    hmput(places->files, number, name);
}

void places_line(struct places *places, const char *text, size_t length)
{
    const char *end = text + length;
    if (items_is_directive(text, 0, ".file"))
        read_file(places, text + strlen(".file"), end);
    if (!items_is_directive(text, 0, ".loc"))
        return;
    struct place place = read_loc(places, text + strlen(".loc"), end);
    places->current = place;
    struct place_entry entry = {.key = place.at, .value = place};
    hmputs(places->seen, entry);
    if (place.label)
        return; // inlined code; the function's own place follows
    for (; places->waiting; --places->waiting)
        places->site[places->waiting_from++].place = place;
}

// `.section .debug_str { label: .b8 95,90,0 ... }`
void places_section(struct places *places, const char *text, size_t length)
{
    const char *open = memchr(text, '{', length);
    const char *name = strstr(text, ".debug_str");
    if (!open || !name || name > open || item_is_name(name[strlen(".debug_str")]))
        return;
    const char *end = text + length;
    char *label = NULL, *value = arena_alloc(places->arena, NAME_LIMIT + 1);
    size_t used = 0;
    for (const char *at = open + 1; at < end && *at != '}';) {
        size_t word = 0;
        while (at + word < end && item_is_name(at[word]))
            ++word;
        if (word && *at >= '0' && *at <= '9') {
            if (used < NAME_LIMIT)
                value[used++] = (char)strtoul(at, NULL, 0);
        } else if (word && at[-1] != '.') {
            if (label)
                shput(places->names, label, arena_strndup(places->arena, value, used));
            label = arena_strndup(places->arena, at, word);
            used = 0;
        }
        at += word ? word : 1;
    }
    if (label)
        shput(places->names, label, arena_strndup(places->arena, value, used));
}

// --- Sites -------------------------------------------------------------------------------------

static struct place_site site_at(const struct places *places, const struct place *place,
                                 const char *instruction)
{
    return (struct place_site){
        .place = *place, .function = places->function, .instruction = instruction};
}

// Adds the places that the last site is inlined at, outwards.
static void add_callers(struct places *places)
{
    struct place_position at = arrlast(places->site).place.caller;
    uint32_t *inlined_at = &arrlast(places->site).inlined_at;
    for (int i = 0; i < FRAME_LIMIT && (at.file || at.line); ++i) {
        struct place place = {.at = at};
        ptrdiff_t known = hmgeti(places->seen, at);
        if (known >= 0)
            place = places->seen[known].value;
        *inlined_at = (uint32_t)arrlenu(places->caller) + 1;
        arrput(places->caller, site_at(places, &place, ""));
        inlined_at = &arrlast(places->caller).inlined_at;
        at = place.caller;
    }
}

uint32_t places_add(struct places *places, const char *instruction, uint32_t bypassed)
{
    bool is_placed = places->current.at.file || places->current.at.line;
    uint32_t site = (uint32_t)arrlenu(places->site);
    arrput(places->site, site_at(places, &places->current, instruction));
    arrlast(places->site).bypassed = bypassed;
    if (is_placed) {
        add_callers(places);
    } else {
        if (places->waiting++ == 0)
            places->waiting_from = site;
    }
    return places->first + site;
}

static const char *function_name(struct places *places, const struct place_site *site)
{
    ptrdiff_t at = site->place.label ? shgeti(places->names, site->place.label) : -1;
    if (at < 0)
        return site->function;
    const char *text = places->names[at].value;
    return site->place.label_offset < strlen(text) ? text + site->place.label_offset : text;
}

struct instrument_site *places_table(struct places *places, uint32_t *out_count)
{
    size_t own = arrlenu(places->site), count = own + arrlenu(places->caller);
    uint32_t callers = places->first + (uint32_t)own;
    struct instrument_site *table = arena_array(places->arena, struct instrument_site, count + 1);
    for (size_t i = 0; i < count; ++i) {
        const struct place_site *site = i < own ? &places->site[i] : &places->caller[i - own];
        ptrdiff_t file = hmgeti(places->files, site->place.at.file);
        table[i] = (struct instrument_site){
            .file = file >= 0 ? places->files[file].value : "",
            .line = site->place.at.line,
            .column = site->place.at.column,
            .function = shown_name(places->arena, function_name(places, site)),
            .instruction = site->instruction,
            .inlined_at = site->inlined_at ? callers + site->inlined_at : 0,
            .bypassed = site->bypassed,
        };
    }
    *out_count = (uint32_t)count;
    return table;
}
