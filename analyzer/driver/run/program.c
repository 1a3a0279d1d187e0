#include "driver/run/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct named_json {
    char *key;
    json_t *value;
};

struct program {
    struct named_json *launches; // stb_ds map: key of a kernel -> list of its launches
    struct named_json *places;   // key of a kernel -> where it is defined; null: in several places
    struct named_json *defines;  // "arch key" of a device function -> its definition; null likewise
    struct foreign **told;       // stb_ds array: what was given out
};

struct program *program_new(void)
{
    struct program *program = calloc(1, sizeof *program);
    if (!program)
        abort();
    sh_new_strdup(program->launches);
    sh_new_strdup(program->places);
    sh_new_strdup(program->defines);
    return program;
}

static void map_free(struct named_json *map)
{
    for (ptrdiff_t i = 0; i < shlen(map); ++i)
        json_decref(map[i].value);
    shfree(map);
}

void program_free(struct program *program)
{
    map_free(program->launches);
    map_free(program->places);
    map_free(program->defines);
    for (ptrdiff_t i = 0; i < arrlen(program->told); ++i) {
        json_decref((json_t *)program->told[i]->launches);
        json_decref((json_t *)program->told[i]->defines);
        free(program->told[i]);
    }
    arrfree(program->told);
    free(program);
}

// --- Adding -------------------------------------------------------------------------------------

// Notes the value; null where there is another one already.
static void put_only(struct named_json **map, const char *key, json_t *value)
{
    ptrdiff_t known = shgeti(*map, key);
    if (known < 0) {
        shput(*map, key, json_incref(value));
    } else if (!json_equal((*map)[known].value, value)) {
        json_decref((*map)[known].value);
        (*map)[known].value = json_null();
    }
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

// Definitions for different architectures have nothing to do with each other.
static char *define_key(struct arena *arena, const char *arch, const char *key)
{
    return arena_printf(arena, "%s %s", arch, key);
}

static void add_parse(struct program *program, const json_t *links)
{
    struct arena arena;
    arena_init(&arena);
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(links, "launches"), i, one) {
        const char *kernel = text_of(one, "kernel");
        ptrdiff_t known = shgeti(program->launches, kernel);
        json_t *list = known < 0 ? json_array() : program->launches[known].value;
        if (known < 0)
            shput(program->launches, kernel, list);
        json_array_append(list, one);
    }
    const char *key;
    json_object_foreach (json_object_get(links, "kernels"), key, one)
        put_only(&program->places, key, one);
    json_array_foreach (json_object_get(links, "defines"), i, one)
        put_only(&program->defines, define_key(&arena, text_of(one, "arch"), text_of(one, "key")),
                 one);
    arena_release(&arena);
}

void program_add(struct program *program, const json_t *links)
{
    size_t i;
    json_t *parse;
    json_array_foreach ((json_t *)links, i, parse)
        add_parse(program, parse);
}

// --- Telling ------------------------------------------------------------------------------------

static int compare_text(const void *a, const void *b)
{
    return strcmp(((const struct named_json *)a)->key, ((const struct named_json *)b)->key);
}

// The elements in the order of their text, each once.
static json_t *sorted(const json_t *list)
{
    struct named_json *text = NULL; // stb_ds array
    size_t i;
    json_t *one;
    json_array_foreach ((json_t *)list, i, one) {
        struct named_json entry = {json_dumps(one, JSON_COMPACT | JSON_SORT_KEYS), one};
        arrput(text, entry);
    }
    if (text)
        qsort(text, arrlenu(text), sizeof text[0], compare_text);
    json_t *result = json_array();
    for (ptrdiff_t k = 0; k < arrlen(text); ++k) {
        if (k == 0 || strcmp(text[k - 1].key, text[k].key) != 0)
            json_array_append(result, text[k].value);
    }
    for (ptrdiff_t k = 0; k < arrlen(text); ++k)
        free(text[k].key);
    arrfree(text);
    return result;
}

static void take_launches(struct program *program, const json_t *links, json_t *all)
{
    size_t i;
    json_t *kernel;
    json_array_foreach (json_object_get(links, "unlaunched"), i, kernel) {
        const char *key = json_string_value(kernel);
        ptrdiff_t launches = shgeti(program->launches, key), place = shgeti(program->places, key);
        if (launches >= 0 && place >= 0 && !json_is_null(program->places[place].value))
            json_array_extend(all, program->launches[launches].value);
    }
}

// All definitions that are wanted, and what these want in turn.
static void take_defines(struct program *program, const json_t *links, json_t *all)
{
    struct arena arena;
    arena_init(&arena);
    struct named_json *wanted = NULL; // stb_ds map used as a list that grows
    sh_new_arena(wanted);
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(links, "undefined"), i, one)
        shput(wanted, define_key(&arena, text_of(links, "arch"), json_string_value(one)), one);
    for (ptrdiff_t k = 0; k < shlen(wanted); ++k) {
        ptrdiff_t known = shgeti(program->defines, wanted[k].key);
        json_t *define = known >= 0 ? program->defines[known].value : NULL;
        if (!define || json_is_null(define))
            continue;
        json_array_append(all, define);
        json_array_foreach (json_object_get(define, "needs"), i, one) {
            char *key = define_key(&arena, text_of(define, "arch"), json_string_value(one));
            if (shgeti(wanted, key) < 0)
                shput(wanted, key, one);
        }
    }
    shfree(wanted);
    arena_release(&arena);
}

// What `take` gives for all parses.
static json_t *told(struct program *program, const json_t *links,
                    void (*take)(struct program *program, const json_t *links, json_t *all))
{
    json_t *all = json_array(), *parse;
    size_t i;
    json_array_foreach ((json_t *)links, i, parse)
        take(program, parse, all);
    json_t *result = sorted(all);
    json_decref(all);
    return result;
}

static void add_json(struct digester *digester, const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
    digester_text(digester, text);
    free(text);
}

const struct foreign *program_for(struct program *program, const json_t *links)
{
    if (!links_are_open(links))
        return NULL;
    struct foreign *foreign = calloc(1, sizeof *foreign);
    if (!foreign)
        abort();
    json_t *launches = told(program, links, take_launches);
    json_t *defines = told(program, links, take_defines);
    struct digester *digester = digester_new();
    add_json(digester, launches);
    add_json(digester, defines);
    *foreign = (struct foreign){launches, defines, digester_end(digester)};
    arrput(program->told, foreign);
    return json_array_size(launches) + json_array_size(defines) > 0 ? foreign : NULL;
}
