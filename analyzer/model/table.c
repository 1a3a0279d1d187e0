// The rows, and how they are found.
#include "model/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"

// The flags as rows.def spells them.
enum {
    ALIGNED = MODEL_ALIGNED,
    TRY = MODEL_TRY,
    DROP = MODEL_DROP,
    NO_COMPLETE = MODEL_NO_COMPLETE,
    NOINC = MODEL_NOINC,
    RELAXED = MODEL_RELAXED,
    RELEASE = MODEL_RELEASE,
    ACQUIRE = MODEL_ACQUIRE,
    REMOTE = MODEL_REMOTE,
    MULTICAST = MODEL_MULTICAST,
    TENSOR = MODEL_TENSOR,
    GATHERS = MODEL_GATHERS,
    EXPECTS = MODEL_EXPECTS,
    READ = MODEL_READ,
    INCREASE = MODEL_INCREASE,
    LIBRARY_OBJECT = MODEL_LIBRARY_OBJECT,
    PRIMITIVE = MODEL_PRIMITIVE,
    PARITY_BOOL = MODEL_PARITY_BOOL,
    TIMED = MODEL_TIMED,
    UNITS_UNKNOWN = MODEL_UNITS_UNKNOWN,
    REDUCES = MODEL_REDUCES,
};

#define API(spelling, when, kind, scope, flags, roles, arch, detail)                               \
    {                                                                                              \
        spelling, when,   MODEL_##kind, MODEL_SCOPE_##scope,                                       \
        (flags),  roles,  arch,         (int)MODEL_##detail,                                       \
        false,    IR_NONE},
#define PTX(spelling, kind, scope, flags, roles, arch, detail)                                     \
    {                                                                                              \
        spelling, "",     MODEL_##kind, MODEL_SCOPE_##scope,                                       \
        (flags),  roles,  arch,         (int)MODEL_##detail,                                       \
        true,     IR_NONE},
#define ALIAS(from, to)
static const struct model_row builtin[] = {
#include "model/rows.def"
};
#undef API
#undef PTX
#undef ALIAS

#define API(...)
#define PTX(...)
#define ALIAS(from, to) {from, to, sizeof from - 1, sizeof to - 1},
static const struct {
    const char *from, *to;
    size_t from_length, to_length;
} alias[] = {
#include "model/rows.def"
};
#undef API
#undef PTX
#undef ALIAS

enum { BUILTIN_COUNT = sizeof builtin / sizeof builtin[0] };

// The letters rows.def explains.
static const char role_letters[] = "osgnimptbqdfvlwrkMaRPTKZx.*?&|";

const struct model_row *model_builtin(uint32_t index)
{
    return index < BUILTIN_COUNT ? &builtin[index] : NULL;
}

// --- Names -------------------------------------------------------------------------------------

// `__4`, `__v1`: a namespace that only says which version of the headers is in use.
static bool is_version(const char *component, size_t length)
{
    if (length < 3 || component[0] != '_' || component[1] != '_')
        return false;
    size_t at = component[2] == 'v' ? 3 : 2;
    if (at == length)
        return false;
    for (; at < length; ++at)
        if (!isdigit((unsigned char)component[at]))
            return false;
    return true;
}

bool model_canonical(const char *lookup, char out[MODEL_NAME_LIMIT])
{
    size_t length = 0;
    if (strncmp(lookup, "::", 2) == 0)
        lookup += 2;
    while (*lookup) {
        const char *end = strstr(lookup, "::");
        size_t part = end ? (size_t)(end - lookup) : strlen(lookup);
        size_t step = end ? part + 2 : part;
        if (!end || !is_version(lookup, part)) {
            if (length + step >= MODEL_NAME_LIMIT)
                return false;
            memcpy(out + length, lookup, step);
            length += step;
        }
        lookup += step;
    }
    out[length] = '\0';
    // An alias may lead to another; there are no circles.
    for (size_t i = 0, round = 0; i < sizeof alias / sizeof alias[0] && round < 4; ++i) {
        size_t from = alias[i].from_length, to = alias[i].to_length;
        if (length < from || memcmp(out, alias[i].from, from) != 0)
            continue;
        if (length - from + to >= MODEL_NAME_LIMIT)
            return false;
        memmove(out + to, out + from, length - from + 1);
        memcpy(out, alias[i].to, to);
        length = length - from + to;
        i = (size_t)-1;
        ++round;
    }
    return true;
}

uint32_t model_split(const char *mnemonic, char text[MODEL_NAME_LIMIT],
                     const char *part[MODEL_PARTS])
{
    size_t length = strlen(mnemonic);
    if (length == 0 || length >= MODEL_NAME_LIMIT)
        return 0;
    memcpy(text, mnemonic, length + 1);
    uint32_t count = 0;
    for (char *at = text; at;) {
        if (count == MODEL_PARTS)
            return 0;
        part[count++] = at;
        at = strchr(at, '.');
        if (at)
            *at++ = '\0';
    }
    return count;
}

// --- Building ----------------------------------------------------------------------------------

// Puts the row behind those of the same key, so that rows are tried in the order of the table.
static void chain(struct model *model, struct model_key **map, const char *key, uint32_t row)
{
    ptrdiff_t at = shgeti(*map, key);
    if (at < 0) {
        char *copy = arena_strdup(&model->arena, key);
        shput(*map, copy, row);
        return;
    }
    uint32_t last = (*map)[at].value;
    while (model->row[last].next != IR_NONE)
        last = model->row[last].next;
    model->row[last].next = row;
}

static void insert(struct model *model, const struct model_row *row)
{
    uint32_t number = (uint32_t)arrlen(model->row);
    arrput(model->row, *row);
    model->row[number].next = IR_NONE;
    size_t length = strlen(row->spelling);
    if (row->is_ptx) {
        char *first = arena_strndup(&model->arena, row->spelling, strcspn(row->spelling, "."));
        chain(model, &model->mnemonic, first, number);
    } else if (length && row->spelling[length - 1] == '*') {
        char *prefix = arena_strndup(&model->arena, row->spelling, length - 1);
        chain(model, &model->prefix, prefix, number);
    } else {
        chain(model, &model->function, row->spelling, number);
    }
}

struct model *model_new(void)
{
    struct arena arena;
    arena_init(&arena);
    struct model *model = arena_new(&arena, struct model);
    model->arena = arena; // which the model itself lives in
    for (uint32_t i = 0; i < BUILTIN_COUNT; ++i)
        insert(model, &builtin[i]);
    return model;
}

void model_free(struct model *model)
{
    if (!model)
        return;
    arrfree(model->row);
    shfree(model->function);
    shfree(model->prefix);
    shfree(model->mnemonic);
    struct arena arena = model->arena;
    arena_release(&arena);
}

// The row called `spelling`, a function or a mnemonic written as in the table.
static const struct model_row *find_spelling(const struct model *model, const char *spelling)
{
    for (ptrdiff_t i = 0; i < arrlen(model->row); ++i)
        if (strcmp(model->row[i].spelling, spelling) == 0)
            return &model->row[i];
    return NULL;
}

static bool check_roles(const char *roles, struct error *error)
{
    for (const char *at = roles; *at; ++at)
        if (!strchr(role_letters, *at))
            return error_set(error, ERROR_USAGE,
                             "'%c' in roles '%s' is no role; the letters are %s", *at, roles,
                             role_letters);
    if (strlen(roles) > 32)
        return error_set(error, ERROR_USAGE, "roles '%s' name too many arguments", roles);
    return true;
}

bool model_add(struct model *model, const char *spelling, const char *like, const char *roles,
               struct error *error)
{
    const struct model_row *found = find_spelling(model, like);
    if (!found) {
        struct nearest nearest;
        nearest_init(&nearest, like);
        for (ptrdiff_t i = 0; i < arrlen(model->row); ++i)
            nearest_offer(&nearest, model->row[i].spelling);
        if (nearest.best)
            return error_set(error, ERROR_USAGE, "no operation is called '%s'; did you mean '%s'?",
                             like, nearest.best);
        return error_set(error, ERROR_USAGE, "no operation is called '%s'", like);
    }
    char name[MODEL_NAME_LIMIT];
    if (!spelling[0] || strpbrk(spelling, "*<> ") || !model_canonical(spelling, name))
        return error_set(error, ERROR_USAGE,
                         "'%s' is not the qualified name of a function without template arguments",
                         spelling);
    if (roles && !check_roles(roles, error))
        return false;
    // A mnemonic's roles have its destinations in front; a function has none.
    const char *sources = strchr(found->roles, '|');
    const char *inherited = found->is_ptx && sources ? sources + 1 : found->roles;
    struct model_row row = *found;
    row.spelling = arena_strdup(&model->arena, name);
    row.roles = arena_strdup(&model->arena, roles ? roles : inherited);
    row.when = "";
    row.is_ptx = false;
    row.min_arch = 0;
    // The user's word comes before the table's.
    ptrdiff_t at = shgeti(model->function, name);
    uint32_t rest = at < 0 ? IR_NONE : model->function[at].value;
    row.next = rest;
    shput(model->function, row.spelling, (uint32_t)arrlen(model->row));
    arrput(model->row, row);
    return true;
}

// --- Finding -----------------------------------------------------------------------------------

uint32_t model_find_function(const struct model *model, const char *name)
{
    struct model *writable = (struct model *)model; // stb_ds keeps a search index in the map
    ptrdiff_t at = shgeti(writable->function, name);
    if (at >= 0)
        return model->function[at].value;
    // The longest prefix that a `*` row has; `*` does not reach over "::".
    uint32_t best = IR_NONE;
    size_t best_length = 0;
    for (ptrdiff_t i = 0; i < shlen(writable->prefix); ++i) {
        if (model->prefix[i].key[0] != name[0]) // of most
            continue;
        size_t length = strlen(model->prefix[i].key);
        if (length > best_length && strncmp(name, model->prefix[i].key, length) == 0 &&
            !strstr(name + length, "::")) {
            best = model->prefix[i].value;
            best_length = length;
        }
    }
    return best;
}

// How many parts the row asks for, or 0 when the mnemonic lacks one of them.
static uint32_t fit(const char *spelling, const char *const *part, uint32_t part_count)
{
    char text[MODEL_NAME_LIMIT];
    const char *wanted[MODEL_PARTS];
    uint32_t count = model_split(spelling, text, wanted);
    for (uint32_t i = 1; i < count; ++i) {
        bool found = false;
        for (uint32_t j = 1; j < part_count && !found; ++j)
            found = strcmp(wanted[i], part[j]) == 0;
        if (!found)
            return 0;
    }
    return count;
}

const struct model_row *model_find_instruction(const struct model *model, const char *const *part,
                                               uint32_t part_count)
{
    struct model *writable = (struct model *)model;
    ptrdiff_t at = part_count ? shgeti(writable->mnemonic, part[0]) : -1;
    const struct model_row *best = NULL;
    uint32_t best_fit = 0;
    for (uint32_t i = at < 0 ? IR_NONE : model->mnemonic[at].value; i != IR_NONE;
         i = model->row[i].next) {
        uint32_t quality = fit(model->row[i].spelling, part, part_count);
        if (quality > best_fit) {
            best = &model->row[i];
            best_fit = quality;
        }
    }
    return best;
}

// Whether the row holds for some overloads by the kind of an argument, so that others of the name
// may be functions of the user.
static bool asks_for_types(const char *when)
{
    return strstr(when, ":int") || strstr(when, ":i32") || strstr(when, ":i64") ||
           strstr(when, "scalar") || strstr(when, ":pointer");
}

bool model_names(const struct model *model, const char *lookup)
{
    char name[MODEL_NAME_LIMIT];
    return lookup && model_canonical(lookup, name) && model_find_function(model, name) != IR_NONE;
}

bool model_knows(const struct model *model, const char *lookup)
{
    char name[MODEL_NAME_LIMIT];
    if (!lookup || !model_canonical(lookup, name))
        return false;
    for (uint32_t i = model_find_function(model, name); i != IR_NONE; i = model->row[i].next)
        if (!asks_for_types(model->row[i].when) && !(model->row[i].flags & MODEL_UNITS_UNKNOWN))
            return true;
    return false;
}
