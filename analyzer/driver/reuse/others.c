#include "driver/reuse/others.h"

#include "base/vec.h"

struct names {
    char *key;
    bool value;
};

struct others {
    struct units *units;
    json_t *links;        // by file: the links of all its parses
    struct names *wanted; // stb_ds set of keys
    const char **source;  // stb_ds array: files that say something
};

static void take_links(void *context, const char *source, const char *text)
{
    struct others *others = context;
    if (shgeti(others->units->seen, source) >= 0)
        return;
    json_t *links = json_loads(text, 0, NULL);
    json_t *known = json_object_get(others->links, source);
    if (known)
        json_array_extend(known, links);
    else
        json_object_set(others->links, source, links);
    json_decref(links);
}

static void want(struct others *others, const json_t *list)
{
    size_t i;
    json_t *key;
    json_array_foreach ((json_t *)list, i, key)
        shput(others->wanted, json_string_value(key), true);
}

static bool names_wanted(const struct others *others, const json_t *list, const char *member)
{
    struct names *wanted = others->wanted;
    size_t i;
    json_t *one;
    json_array_foreach ((json_t *)list, i, one) {
        const char *key = json_string_value(json_object_get(one, member));
        if (key && shgeti(wanted, key) >= 0)
            return true;
    }
    return false;
}

// Whether a parse launches or defines something that is wanted. What it defines in vain counts too:
// a name that is defined twice says nothing.
static bool says_something(const struct others *others, const json_t *parse)
{
    struct names *wanted = others->wanted;
    const char *key;
    json_t *place;
    json_object_foreach (json_object_get(parse, "kernels"), key, place) {
        if (shgeti(wanted, key) >= 0)
            return true;
    }
    return names_wanted(others, json_object_get(parse, "launches"), "kernel") ||
           names_wanted(others, json_object_get(parse, "defines"), "key");
}

// Moves files that say something to the list. Returns whether there were any.
static bool choose(struct others *others, struct arena *arena)
{
    bool any = false;
    const char *source;
    json_t *links, *parse;
    void *next;
    json_object_foreach_safe(others->links, next, source, links)
    {
        size_t i;
        bool says = false;
        json_array_foreach (links, i, parse)
            says = says || says_something(others, parse);
        if (!says)
            continue;
        json_array_foreach (links, i, parse)
            want(others, json_object_get(parse, "undefined"));
        arrput(others->source, arena_strdup(arena, source));
        json_object_del(others->links, source);
        any = true;
    }
    return any;
}

static void add_chosen(const struct others *others, struct program *program, struct kept *kept,
                       struct units *units, const struct options *options)
{
    struct unit *own = units->unit;
    units->unit = NULL;
    for (ptrdiff_t i = 0; i < arrlen(others->source); ++i) {
        struct error error = {0}; // of its configuration: a run over the file says so
        units_take_header(units, options, others->source[i], &error);
    }
    size_t count = arrlenu(units->unit);
    struct kept_unit *known = NULL; // stb_ds array
    arrsetlen(known, count);
    kept_find(kept, units->unit, count, known);
    for (size_t i = 0; i < count; ++i) {
        json_t *links = known[i].found.result ? json_loads(known[i].found.links, 0, NULL) : NULL;
        program_add(program, links);
        json_decref(links);
    }
    arrfree(known);
    arrfree(units->unit);
    units->unit = own;
}

void others_add(struct program *program, struct kept *kept, struct units *units,
                const struct options *options, const json_t *open)
{
    if (!kept->store || json_array_size(open) == 0)
        return;
    struct others others = {.units = units, .links = json_object()};
    sh_new_strdup(others.wanted);
    size_t i;
    json_t *parse;
    json_array_foreach ((json_t *)open, i, parse) {
        want(&others, json_object_get(parse, "unlaunched"));
        want(&others, json_object_get(parse, "undefined"));
    }
    store_links(kept->store, take_links, &others);
    while (choose(&others, &units->arena)) {
    }
    add_chosen(&others, program, kept, units, options);
    json_decref(others.links);
    shfree(others.wanted);
    arrfree(others.source);
}
