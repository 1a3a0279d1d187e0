// Understanding one operation: its row, what the letters of the row's roles stand for here, and
// what tags and modifiers add.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/table.h"

enum { ARGUMENT_LIMIT = 512, ROLE_LIMIT = 64, TAG_LIMIT = 8 };

// One argument of a call, or one source of an instruction.
struct argument {
    ir_value value;
    ir_type_id type; // as declared where that is known, else of the value
};

struct match {
    const struct ir_unit *unit;
    const struct ir_function *function; // where the operation stands
    const struct ir_function *callee;   // NULL for an instruction
    const struct ir_op *op;
    struct model_op *out;
    struct argument argument[ARGUMENT_LIMIT];
    uint32_t count;
    struct argument object;     // of a member function; value IR_NONE without
    const char *tag[TAG_LIMIT]; // names of the types of tag arguments
    uint32_t tag_count;
    uint32_t dimensions; // of a tensor instruction
};

static_assert(offsetof(struct model_op, token_result) - offsetof(struct model_op, object) <
                  32 * sizeof(ir_value),
              "model_op.indirect has a bit a field");

bool model_is_indirect(const struct model_op *op, const ir_value *field)
{
    ptrdiff_t index = field - &op->object;
    return index >= 0 && index < 32 && op->indirect >> index & 1;
}

// --- Types -------------------------------------------------------------------------------------

static const struct ir_type *type_at(const struct match *match, ir_type_id type)
{
    return type < arrlenu(match->unit->type) ? &match->unit->type[type] : NULL;
}

// The type behind pointers and references.
static const struct ir_type *pointee(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = type_at(match, type);
    for (int depth = 0; found && found->kind == IR_TYPE_POINTER && depth < 4; ++depth)
        found = type_at(match, found->elem);
    return found;
}

static const char *record_name(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = pointee(match, type);
    bool named = found && (found->kind == IR_TYPE_RECORD || found->kind == IR_TYPE_OPAQUE);
    return named && found->name ? found->name : "";
}

// A class object or a reference to anything: the operand is an address.
static bool is_address(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = type_at(match, type);
    return found && (found->kind == IR_TYPE_POINTER || found->kind == IR_TYPE_RECORD ||
                     found->kind == IR_TYPE_ARRAY || found->kind == IR_TYPE_OPAQUE);
}

static bool is_scalar(const struct match *match, ir_type_id type)
{
    const struct ir_type *found = type_at(match, type);
    return found && (found->kind == IR_TYPE_INT || found->kind == IR_TYPE_FLOAT);
}

// The number among template arguments: the first in "tile<32U, block>", the last in
// "state<(scope)2, 4>". 0 when there is none.
static int64_t template_number(const char *name, bool last)
{
    int64_t number = 0;
    bool fresh = false;
    const char *at = strchr(name, '<');
    for (; at && *at; ++at) {
        if (*at == '<' || *at == ',') {
            fresh = true;
        } else if (fresh && isdigit((unsigned char)*at)) {
            number = strtoll(at, NULL, 0);
            if (!last)
                return number;
            fresh = false;
        } else if (!isspace((unsigned char)*at)) {
            fresh = false;
        }
    }
    return number;
}

static bool first_integer(const struct ir_template_arg *arg, int64_t *out)
{
    for (ptrdiff_t i = 0; i < arrlen(arg); ++i) {
        if (arg[i].kind == IR_ARG_INT) {
            *out = arg[i].value;
            return true;
        }
    }
    return false;
}

// --- Tags --------------------------------------------------------------------------------------

// What a tag's last word is: "release" of "...dot_sem, cuda::ptx::dot_sem::release>" and of
// "cuda::ptx::sem_release_t", by number where the type's name gives "dot_sem, 3>" or
// "(cuda::ptx::dot_sem)3".
static bool tag_is(const char *name, const char *family, const char *word, int number)
{
    char text[64];
    size_t length = strlen(name);
    snprintf(text, sizeof text, "dot_%s::%s>", family, word);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "dot_%s)%d>", family, number);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "dot_%s, %d>", family, number);
    if (strstr(name, text))
        return true;
    snprintf(text, sizeof text, "::%s_%s_t", family, word);
    size_t tail = strlen(text);
    return length >= tail && strcmp(name + length - tail, text) == 0;
}

static bool is_tag(const char *name)
{
    static const char *const part[] = {
        "dot_sem",  "dot_scope", "dot_space", "dot_op",       "dot_cta_group", "dot_kind", "::sem_",
        "::scope_", "::space_",  "::op_",     "::cta_group_", "::kind_",       "::n32_t"};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; ++i)
        if (strstr(name, part[i]))
            return true;
    return strstr(name, "integral_constant<int,") != NULL;
}

static void read_tags(struct match *match)
{
    struct model_op *out = match->out;
    const char *source_space = "", *destination_space = "";
    for (uint32_t i = 0; i < match->tag_count; ++i) {
        const char *tag = match->tag[i];
        uint32_t order = MODEL_RELEASE | MODEL_ACQUIRE | MODEL_RELAXED;
        if (tag_is(tag, "sem", "relaxed", 2))
            out->flags = (out->flags & ~order) | MODEL_RELAXED;
        if (tag_is(tag, "sem", "release", 3))
            out->flags = (out->flags & ~order) | MODEL_RELEASE;
        if (tag_is(tag, "sem", "acquire", 1))
            out->flags = (out->flags & ~order) | MODEL_ACQUIRE;
        if (tag_is(tag, "scope", "cluster", 1))
            out->flags |= MODEL_SCOPE_IS_CLUSTER;
        if (tag_is(tag, "cta_group", "cta_group_2", 1) || tag_is(tag, "cta_group", "2", 1))
            out->flags |= MODEL_CTA_PAIR;
        if (strstr(tag, "space")) {
            destination_space = source_space[0] ? source_space : tag;
            source_space = tag;
        }
        if (strstr(tag, "integral_constant<int,") || strstr(tag, "::n32_t"))
            out->prior_constant = template_number(tag, true);
        if (out->fence == MODEL_FENCE_PROXY_ASYNC && tag_is(tag, "space", "global", 0))
            out->fence = MODEL_FENCE_PROXY_OTHER;
        if (out->kind == MODEL_FENCE && out->fence == MODEL_FENCE_OTHER) {
            if (tag_is(tag, "scope", "cta", 0))
                out->fence = MODEL_FENCE_THREAD_BLOCK;
            else if (tag_is(tag, "scope", "cluster", 1))
                out->fence = MODEL_FENCE_CLUSTER;
            else if (tag_is(tag, "scope", "gpu", 2))
                out->fence = MODEL_FENCE_GPU;
            else if (tag_is(tag, "scope", "sys", 3))
                out->fence = MODEL_FENCE_SYSTEM;
        }
    }
    // One space names the object; of two, a copy inside the cluster completes where it goes.
    bool two = source_space != destination_space;
    if (tag_is(destination_space, "space", "cluster", 1) &&
        (!two || tag_is(source_space, "space", "shared", 2)) && out->kind != MODEL_FENCE)
        out->flags |= MODEL_REMOTE;
}

// --- Arguments of a call -----------------------------------------------------------------------

static void collect_call(struct match *match, const char *name)
{
    const struct ir_function *callee = match->callee;
    bool may_have_tags = strncmp(name, "cuda::ptx::", 11) == 0;
    for (uint32_t i = 0; i < match->op->operand_count; ++i) {
        struct argument argument = {.value = ir_operand(match->function, match->op, i),
                                    .type = IR_NONE};
        const struct ir_param *param = i < arrlenu(callee->param) ? &callee->param[i] : NULL;
        const struct ir_op *defined = ir_op_at(match->function, argument.value);
        argument.type = param ? param->type : defined ? defined->type : IR_NONE;
        if (param && param->is_result) {
            match->out->result = argument.value;
        } else if (param && param->is_this) {
            match->object = argument;
        } else if (may_have_tags && is_tag(record_name(match, argument.type))) {
            if (match->tag_count < TAG_LIMIT)
                match->tag[match->tag_count++] = record_name(match, argument.type);
        } else if (match->count < ARGUMENT_LIMIT) {
            match->argument[match->count++] = argument;
        }
    }
}

static bool type_is(const struct match *match, ir_type_id type, const char *word, size_t length)
{
    const struct ir_type *found = type_at(match, type);
    bool is_int = found && found->kind == IR_TYPE_INT;
    if (length == 3 && strncmp(word, "int", 3) == 0)
        return is_int;
    if (length == 3 && strncmp(word, "i32", 3) == 0)
        return is_int && found->bits == 32;
    if (length == 3 && strncmp(word, "i64", 3) == 0)
        return is_int && found->bits == 64;
    if (length == 6 && strncmp(word, "scalar", 6) == 0)
        return is_scalar(match, type);
    if (length == 7 && strncmp(word, "pointer", 7) == 0)
        return found && found->kind == IR_TYPE_POINTER;
    // A whole word of the name: "barrier", not a part of "my_barrier".
    const char *name = record_name(match, type);
    for (const char *at = name; (at = strstr(at, word)) != NULL; ++at) {
        bool starts = at == name || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (starts && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
        if (strncmp(at, word, length) != 0)
            break;
    }
    return false;
}

// One condition of a row's `when`, up to the blank that ends it.
static bool condition_holds(const struct match *match, const char *text, size_t length)
{
    char word[64];
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    if (strcmp(word, "scalars") == 0) {
        for (uint32_t i = 0; i < match->count; ++i)
            if (!is_scalar(match, match->argument[i].type))
                return false;
        return match->out->result == IR_NONE;
    }
    if (word[0] == '#') {
        char *end;
        unsigned long count = strtoul(word + 1, &end, 10);
        return *end == '+' ? match->count >= count : match->count == count;
    }
    if (match->count == 0)
        return false;
    uint32_t index = word[0] == '$' ? match->count - 1 : (uint32_t)(word[0] - '1');
    if (index >= match->count || word[1] != ':')
        return false;
    return type_is(match, match->argument[index].type, word + 2, length - 2);
}

static bool row_holds(const struct match *match, const struct model_row *row)
{
    for (const char *at = row->when; *at;) {
        size_t length = strcspn(at, " ");
        if (length && !condition_holds(match, at, length))
            return false;
        at += length + (at[length] == ' ');
    }
    return true;
}

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
    const char *name = record_name(match, type);
    struct model_op *out = match->out;
    if (letter == 's' && strstr(name, "pipeline_shared_state"))
        out->stages = template_number(name, true);
    if (letter == 'o' && out->kind >= MODEL_PIPELINE_MAKE && out->kind < MODEL_PIPELINE_COPY)
        out->scope = is_thread_scope(name) ? MODEL_SCOPE_THREAD : MODEL_SCOPE_BLOCK;
    if (letter == 'g' && name[0]) {
        out->group_type = name;
        if (strstr(name, "tile"))
            out->tile_size = template_number(name, false);
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
    const struct ir_type *stored = type_at(match, argument.type);
    if (out->kind == MODEL_ASYNC_STORE && role.letter == 'v' && stored) {
        if (stored->kind == IR_TYPE_POINTER && type_at(match, stored->elem))
            stored = type_at(match, stored->elem);
        out->bytes_constant = (int64_t)stored->size;
    }
    // Numbers that come as addresses: references, and class objects. Instructions have neither.
    bool number = strchr("nimptbqvlwrkM", role.letter) != NULL;
    const struct ir_type *type = type_at(match, argument.type);
    bool record = type && (type->kind == IR_TYPE_RECORD ||
                           (type->kind == IR_TYPE_POINTER && role.letter != 'v' &&
                            record_name(match, argument.type)[0]));
    if (match->callee && number &&
        ((role.by_reference && is_address(match, argument.type)) || record)) {
        out->indirect |= 1u << (field - &out->object);
        if (role.letter == 't')
            out->flags |= MODEL_TOKEN_BY_ADDRESS;
    }
}

// Gives each role its argument. Roles that may be left out are, from the last, when there are fewer
// arguments; a `*` takes what lies between the roles before and behind it.
static void assign(struct match *match, const char *text, size_t length,
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

static void read_group(struct match *match, const struct model_row *row)
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
        first_integer(match->callee->class_arg, &out->tile_size);
    if (out->kind == MODEL_GROUP_SYNC && out->scope == MODEL_SCOPE_CLUSTER) {
        out->kind = MODEL_CLUSTER_SYNC;
        out->flags |= MODEL_RELEASE | MODEL_ACQUIRE;
    }
    if (out->kind == MODEL_GROUP_SYNC && out->scope == MODEL_SCOPE_GRID)
        out->kind = MODEL_GRID_SYNC;
}

// --- Modifiers of an instruction ---------------------------------------------------------------

static const struct {
    const char *part;
    uint32_t flag;
} modifier[] = {
    {"aligned", MODEL_ALIGNED},
    {"cluster", MODEL_SCOPE_IS_CLUSTER},
    {"noComplete", MODEL_NO_COMPLETE},
    {"noinc", MODEL_NOINC},
    {"read", MODEL_READ},
    {"cta_group::2", MODEL_CTA_PAIR},
};

static bool has_part(const char *const *part, uint32_t count, const char *wanted)
{
    for (uint32_t i = 1; i < count; ++i)
        if (strcmp(part[i], wanted) == 0)
            return true;
    return false;
}

// Bytes of ".v2.b32": what a store writes and an st.async announces to its mbarrier.
static int64_t bytes_of_type(const char *const *part, uint32_t count)
{
    int64_t elements = has_part(part, count, "v4") ? 4 : has_part(part, count, "v2") ? 2 : 1;
    const char *type = part[count - 1];
    const char *digits = type + strcspn(type, "0123456789");
    return strtoll(digits, NULL, 10) / 8 * elements;
}

static void read_modifiers(struct match *match, const char *const *part, uint32_t count)
{
    struct model_op *out = match->out;
    uint32_t order = MODEL_RELEASE | MODEL_ACQUIRE | MODEL_RELAXED;
    bool ordered = out->flags & order;
    for (size_t i = 0; i < sizeof modifier / sizeof modifier[0]; ++i)
        if (has_part(part, count, modifier[i].part))
            out->flags |= modifier[i].flag;
    for (uint32_t i = 1; i < count; ++i)
        if (strncmp(part[i], "multicast::cluster", 18) == 0)
            out->flags |= MODEL_MULTICAST;
    if (ordered && has_part(part, count, "relaxed"))
        out->flags = (out->flags & ~order) | MODEL_RELAXED;
    if (out->kind == MODEL_ATOMIC && !has_part(part, count, "cta") &&
        (has_part(part, count, "release") || has_part(part, count, "acq_rel")))
        out->flags |= MODEL_RELEASE;
    bool peer = has_part(part, count, "shared::cluster");
    if (peer && strcmp(part[0], "mbarrier") == 0)
        out->flags |= MODEL_REMOTE;
    if (peer && out->kind == MODEL_BULK_LOAD && has_part(part, count, "shared::cta") &&
        !has_part(part, count, "global"))
        out->flags |= MODEL_REMOTE;
    if (out->kind == MODEL_ASYNC_STORE ||
        (out->kind == MODEL_MEMORY_SET && !has_part(part, count, "bulk")))
        out->bytes_constant = bytes_of_type(part, count);
}

static uint32_t read_dimensions(const char *const *part, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        if (strncmp(part[i], "tile::gather4", 13) == 0 ||
            strncmp(part[i], "tile::scatter4", 14) == 0)
            return 5;
    }
    for (uint32_t i = 1; i < count; ++i)
        if (part[i][0] >= '1' && part[i][0] <= '5' && strcmp(part[i] + 1, "d") == 0)
            return (uint32_t)(part[i][0] - '0');
    return 0;
}

// --- Matching ----------------------------------------------------------------------------------

static void start(struct model_op *out, const struct model_row *row)
{
    for (ir_value *field = &out->object; field <= &out->token_result; ++field)
        *field = IR_NONE;
    out->kind = row->kind;
    out->scope = row->scope;
    out->flags = row->flags;
    out->min_arch = row->min_arch;
    out->group_type = "";
    out->spelling = row->spelling;
    switch (row->kind) {
    case MODEL_FENCE:
        out->fence = (enum model_fence)row->detail;
        break;
    case MODEL_VALUE:
    case MODEL_ATOMIC:
        out->value_op = (enum model_value_op)row->detail;
        break;
    case MODEL_MBARRIER_ARRIVE:
    case MODEL_MBARRIER_ARRIVE_WAIT:
    case MODEL_MBARRIER_CP_ASYNC_ARRIVE:
    case MODEL_MBARRIER_ASYNC_ARRIVE:
        out->count_constant = 1;
        break;
    case MODEL_CLUSTER_LAUNCH_CANCEL:
        out->bytes_constant = 16; // the answer
        break;
    default:
        out->warp_op = (enum model_warp_op)row->detail;
    }
}

// Counts without .noComplete need sm_90 (PTX ISA 9.1, 9.7.13.15.13).
static void finish(struct model_op *out)
{
    if (out->kind == MODEL_MBARRIER_ARRIVE && out->count != IR_NONE && out->min_arch == 800 &&
        !(out->flags & MODEL_NO_COMPLETE))
        out->min_arch = 900;
}

static bool match_call(const struct model *model, struct match *match)
{
    char name[MODEL_NAME_LIMIT];
    if (match->op->imm < 0 || (uint64_t)match->op->imm >= arrlenu(match->unit->function))
        return false;
    match->callee = &match->unit->function[match->op->imm];
    if (!match->callee->lookup || !model_canonical(match->callee->lookup, name))
        return false;
    uint32_t number = model_find_function(model, name);
    if (number == IR_NONE)
        return false;
    match->out->result = IR_NONE;
    collect_call(match, name);
    while (number != IR_NONE && !row_holds(match, &model->row[number]))
        number = model->row[number].next;
    if (number == IR_NONE || model->row[number].kind == MODEL_NONE)
        return false;
    const struct model_row *row = &model->row[number];
    // The body, where there is one, says what the row cannot.
    if (row->flags & MODEL_UNITS_UNKNOWN && match->callee->flags & IR_FN_BODY)
        return false;
    ir_value result = match->out->result;
    start(match->out, row);
    match->out->result = result;
    const char *bar = strchr(row->roles, '|');
    const char *rest = bar ? bar + 1 : row->roles;
    if (bar && match->object.value != IR_NONE)
        assign(match, row->roles, (size_t)(bar - row->roles), &match->object, 1);
    // A static function called as a row of a free one: its object is no argument.
    assign(match, rest, strlen(rest), match->argument, match->count);
    match->out->prior_constant = row->kind == MODEL_PIPELINE_WAIT ? -1 : 0;
    if (strchr(row->roles, 'K'))
        first_integer(match->callee->template_arg, &match->out->prior_constant);
    if (strchr(row->roles, 'Z'))
        first_integer(match->callee->template_arg, &match->out->tile_size);
    int64_t tile = match->out->tile_size;
    read_group(match, row);
    if (strchr(row->roles, 'Z'))
        match->out->tile_size = tile;
    read_tags(match);
    // A token that is a record goes where the result goes.
    bool gives_token = row->kind == MODEL_MBARRIER_ARRIVE || row->kind == MODEL_GROUP_ARRIVE ||
                       row->kind == MODEL_GRID_ARRIVE || row->kind == MODEL_CLUSTER_ARRIVE;
    if (gives_token && match->out->result != IR_NONE) {
        match->out->token_result = match->out->result;
        match->out->result = IR_NONE;
    }
    finish(match->out);
    return true;
}

// A destination `_` has no place to look at.
static ir_value without_sink(const struct match *match, ir_value address)
{
    const struct ir_op *op = ir_op_at(match->function, address);
    if (!op || op->code != IR_LOCAL || (uint64_t)op->imm >= arrlenu(match->function->local))
        return address;
    return strcmp(match->function->local[op->imm].name, "_") == 0 ? IR_NONE : address;
}

static bool match_instruction(const struct model *model, struct match *match)
{
    char text[MODEL_NAME_LIMIT];
    const char *part[MODEL_PARTS];
    uint32_t parts = match->op->text ? model_split(match->op->text, text, part) : 0;
    const struct model_row *row = parts ? model_find_instruction(model, part, parts) : NULL;
    if (!row || row->kind == MODEL_NONE || match->op->imm < 0)
        return false;
    start(match->out, row);
    struct argument destination[8];
    uint32_t destinations = 0, first = (uint32_t)match->op->imm;
    for (uint32_t i = 0; i < match->op->operand_count; ++i) {
        ir_value value = ir_operand(match->function, match->op, i);
        const struct ir_op *defined = ir_op_at(match->function, value);
        struct argument argument = {.value = value, .type = defined ? defined->type : IR_NONE};
        if (i >= first) {
            if (match->count < ARGUMENT_LIMIT)
                match->argument[match->count++] = argument;
        } else if (destinations < 8) {
            argument.value = without_sink(match, value);
            destination[destinations++] = argument;
        }
    }
    if (match->count && has_part(part, parts, "L2::cache_hint"))
        --match->count; // the policy is the last operand
    match->dimensions = read_dimensions(part, parts);
    const char *bar = strchr(row->roles, '|');
    if (bar)
        assign(match, row->roles, (size_t)(bar - row->roles), destination, destinations);
    const char *rest = bar ? bar + 1 : row->roles;
    assign(match, rest, strlen(rest), match->argument, match->count);
    read_modifiers(match, part, parts);
    finish(match->out);
    return true;
}

bool model_match(const struct model *model, const struct ir_unit *unit,
                 const struct ir_function *function, ir_value op, struct model_op *out)
{
    const struct ir_op *found = ir_op_at(function, op);
    *out = (struct model_op){0};
    if (!found || (found->code != IR_CALL && found->code != IR_PTX))
        return false;
    struct match match = {.unit = unit,
                          .function = function,
                          .op = found,
                          .out = out,
                          .object = {.value = IR_NONE, .type = IR_NONE}};
    return found->code == IR_CALL ? match_call(model, &match) : match_instruction(model, &match);
}
