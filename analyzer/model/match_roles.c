// The arguments of an operation by what its row calls them, and what kind of group is among them.
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "model/match.h"

enum { ROLE_LIMIT = 64 };

// --- Roles -------------------------------------------------------------------------------------

struct role {
    char letter;
    bool optional, by_reference;
};

static uint32_t read_roles(const char *text, size_t length, uint32_t dimensions,
                           struct role role[ROLE_LIMIT])
{
    uint32_t count = 0;
    for (size_t i = 0; i < length && count < ROLE_LIMIT; ++i) {
        if (text[i] == '?' && count)
            role[count - 1].optional = true;
        else if (text[i] == '&' && count)
            role[count - 1].by_reference = true;
        else if (text[i] == 'x')
            for (uint32_t j = 0; j < dimensions && count < ROLE_LIMIT; ++j)
                role[count++] = (struct role){.letter = '.'};
        else if (text[i] != 'K' && text[i] != 'Z')
            role[count++] = (struct role){.letter = text[i]};
    }
    return count;
}

static ir_value *field_of(struct model_op *out, char letter, uint32_t *arguments)
{
    switch (letter) {
    case 'o':
        return &out->object;
    case 's':
        return &out->state;
    case 'g':
        return &out->group;
    case 'n':
        return &out->count;
    case 'i':
        return &out->id;
    case 'm':
        return &out->mask;
    case 'p':
        return &out->parity;
    case 't':
        return &out->token;
    case 'b':
        return &out->bytes;
    case 'q':
        return &out->predicate;
    case 'd':
        return &out->dst;
    case 'f':
        return &out->src;
    case 'v':
        return &out->value;
    case 'l':
        return &out->lane;
    case 'w':
        return &out->width;
    case 'r':
        return &out->rank;
    case 'k':
        return &out->prior;
    case 'M':
        return &out->multicast_mask;
    case 'R':
        return &out->result;
    case 'P':
        return &out->result_predicate;
    case 'T':
        return &out->token_result;
    case 'a':
        return *arguments < MODEL_ARGUMENTS ? &out->argument[(*arguments)++] : NULL;
    default:
        return NULL;
    }
}

// cuda::pipeline<cuda::thread_scope_thread>, where that enumerator is 10.
static bool is_thread_scope(const char *name)
{
    return strstr(name, "<cuda::thread_scope_thread>") || strstr(name, "scope)10>") ||
           strstr(name, "<10>");
}

// What the type of a group, of a pipeline or of its shared state says.
static void read_type(struct match *match, char letter, ir_type_id type)
{
    const char *name = match_record_name(match, type);
    struct model_op *out = match->out;
    if (letter == 's' && strstr(name, "pipeline_shared_state"))
        out->stages = match_template_number(name, true);
    if (letter == 'o' && out->kind >= MODEL_PIPELINE_MAKE && out->kind < MODEL_PIPELINE_COPY)
        out->scope = is_thread_scope(name) ? MODEL_SCOPE_THREAD : MODEL_SCOPE_BLOCK;
    if (letter == 'g' && name[0]) {
        out->group_type = name;
        if (strstr(name, "tile"))
            out->tile_size = match_template_number(name, false);
    }
}

static void set_role(struct match *match, struct role role, struct argument argument,
                     uint32_t *arguments)
{
    struct model_op *out = match->out;
    ir_value *field = field_of(out, role.letter, arguments);
    if (!field)
        return;
    *field = argument.value;
    read_type(match, role.letter, argument.type);
    // An asynchronous store announces the size of what it is given.
    const struct ir_type *stored = match_type(match, argument.type);
    if (out->kind == MODEL_ASYNC_STORE && role.letter == 'v' && stored) {
        if (stored->kind == IR_TYPE_POINTER && match_type(match, stored->elem))
            stored = match_type(match, stored->elem);
        out->bytes_constant = (int64_t)stored->size;
    }
    // Numbers that come as addresses: references, and class objects. Instructions have neither.
    bool number = strchr("nimptbqvlwrkM", role.letter) != NULL;
    const struct ir_type *type = match_type(match, argument.type);
    bool record = type && (type->kind == IR_TYPE_RECORD ||
                           (type->kind == IR_TYPE_POINTER && role.letter != 'v' &&
                            match_record_name(match, argument.type)[0]));
    if (match->callee && number &&
        ((role.by_reference && match_is_address(match, argument.type)) || record)) {
        out->indirect |= 1u << (field - &out->object);
        if (role.letter == 't')
            out->flags |= MODEL_TOKEN_BY_ADDRESS;
    }
}

void match_assign(struct match *match, const char *text, size_t length,
                  const struct argument *argument, uint32_t count)
{
    struct role role[ROLE_LIMIT];
    uint32_t roles = read_roles(text, length, match->dimensions, role);
    uint32_t star = roles;
    for (uint32_t i = 0; i < roles; ++i)
        if (role[i].letter == '*')
            star = i;
    for (uint32_t i = roles; star == roles && i-- > 0 && roles > count;) {
        if (!role[i].optional)
            continue;
        memmove(&role[i], &role[i + 1], (roles - i - 1) * sizeof role[0]);
        star = --roles;
    }
    uint32_t used = 0;
    uint32_t behind = star < roles ? roles - star - 1 : 0;
    for (uint32_t i = 0; i < star && i < count; ++i)
        set_role(match, role[i], argument[i], &used);
    if (behind && count < star + behind)
        return;
    for (uint32_t i = 0; i < behind; ++i)
        set_role(match, role[star + 1 + i], argument[count - behind + i], &used);
}

// --- Groups ------------------------------------------------------------------------------------

static bool ends_with(const char *name, size_t length, const char *tail)
{
    size_t size = strlen(tail);
    return length >= size && strncmp(name + length - size, tail, size) == 0;
}

static enum model_scope scope_of_group(const char *type)
{
    size_t length = strcspn(type, "<");
    if (ends_with(type, length, "thread_block"))
        return MODEL_SCOPE_BLOCK;
    if (ends_with(type, length, "cluster_group"))
        return MODEL_SCOPE_CLUSTER;
    if (ends_with(type, length, "grid_group"))
        return MODEL_SCOPE_GRID;
    if (ends_with(type, length, "coalesced_group"))
        return MODEL_SCOPE_COALESCED;
    if (ends_with(type, length, "__single_thread_group"))
        return MODEL_SCOPE_THREAD;
    return MODEL_SCOPE_TILE;
}

// The group's type without template arguments: from the argument, or from the class of a static
// member function.
static const char *class_of_group(enum model_scope scope)
{
    switch (scope) {
    case MODEL_SCOPE_BLOCK:
        return "cooperative_groups::thread_block";
    case MODEL_SCOPE_CLUSTER:
        return "cooperative_groups::cluster_group";
    case MODEL_SCOPE_GRID:
        return "cooperative_groups::grid_group";
    case MODEL_SCOPE_COALESCED:
        return "cooperative_groups::coalesced_group";
    case MODEL_SCOPE_TILE:
        return "cooperative_groups::thread_block_tile";
    default:
        return "";
    }
}

void match_read_group(struct match *match, const struct model_row *row)
{
    struct model_op *out = match->out;
    bool is_group = strchr(row->roles, 'g') != NULL;
    if (!is_group)
        return;
    const char *type = out->group_type;
    if (row->scope == MODEL_SCOPE_GROUP)
        out->scope = scope_of_group(type);
    bool dynamic =
        strstr(type, "cooperative_groups") && ends_with(type, strcspn(type, "<"), "::thread_group");
    if (strstr(row->spelling, "::thread_group::"))
        dynamic = true;
    out->group_type = class_of_group(out->scope);
    if (dynamic)
        out->group_type = "cooperative_groups::thread_group";
    else if (!strstr(row->spelling, "cooperative_groups") && !strstr(type, "cooperative_groups"))
        out->group_type = ""; // a group class of the user
    if (out->scope != MODEL_SCOPE_TILE)
        out->tile_size = 0;
    else if (out->tile_size == 0 && match->callee)
        match_first_integer(match->callee->class_arg, &out->tile_size);
    if (out->kind == MODEL_GROUP_SYNC && out->scope == MODEL_SCOPE_CLUSTER) {
        out->kind = MODEL_CLUSTER_SYNC;
        out->flags |= MODEL_RELEASE | MODEL_ACQUIRE;
    }
    if (out->kind == MODEL_GROUP_SYNC && out->scope == MODEL_SCOPE_GRID)
        out->kind = MODEL_GRID_SYNC;
}

// --- Matrices ----------------------------------------------------------------------------------

void match_read_fragment(struct match *match)
{
    const char *name = "";
    int64_t element = 0;
    for (uint32_t i = 0; i < match->count; ++i) {
        const struct argument *argument = &match->argument[i];
        const struct ir_type *type = match_type(match, argument->type);
        if (strstr(match_record_name(match, argument->type), "wmma::fragment<"))
            name = match_record_name(match, argument->type);
        else if (type && type->kind == IR_TYPE_POINTER && match_type(match, type->elem))
            element = (int64_t)match_type(match, type->elem)->size;
    }
    long long m, n, k;
    const char *extents = strchr(name, ',');
    if (!extents || element == 0 || sscanf(extents, ", %lld, %lld, %lld", &m, &n, &k) != 3)
        return;
    bool is_a = strstr(name, "matrix_a"), is_b = strstr(name, "matrix_b");
    int64_t rows = is_b ? k : m, columns = is_a ? k : n;
    bool by_columns = strstr(name, "col_major");
    // How an accumulator lies is an argument.
    if (!is_a && !is_b && rows != columns)
        return;
    match->out->matrix = (struct model_matrix){.rows = by_columns ? columns : rows,
                                               .row_bytes = (by_columns ? rows : columns) * element,
                                               .element = element};
}
