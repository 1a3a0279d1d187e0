// Understanding one operation: the row that holds for it, and what its modifiers add.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/match.h"

static_assert(offsetof(struct model_op, token_result) - offsetof(struct model_op, object) <
                  32 * sizeof(ir_value),
              "model_op.indirect has a bit a field");

bool model_is_indirect(const struct model_op *op, const ir_value *field)
{
    ptrdiff_t index = field - &op->object;
    return index >= 0 && index < 32 && op->indirect >> index & 1;
}

bool model_multiplies(const struct model_op *op)
{
    return (op->kind == MODEL_WARPGROUP || op->kind == MODEL_NOTHING) &&
           op->warp_op == MODEL_MATRIX_MULTIPLY;
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
        } else if (may_have_tags && match_is_tag(match_record_name(match, argument.type))) {
            if (match->tag_count < TAG_LIMIT)
                match->tag[match->tag_count++] = match_record_name(match, argument.type);
        } else if (match->count < ARGUMENT_LIMIT) {
            match->argument[match->count++] = argument;
        }
    }
}

static bool type_is(const struct match *match, ir_type_id type, const char *word, size_t length)
{
    const struct ir_type *found = match_type(match, type);
    bool is_int = found && found->kind == IR_TYPE_INT;
    if (length == 3 && strncmp(word, "int", 3) == 0)
        return is_int;
    if (length == 3 && strncmp(word, "i32", 3) == 0)
        return is_int && found->bits == 32;
    if (length == 3 && strncmp(word, "i64", 3) == 0)
        return is_int && found->bits == 64;
    if (length == 6 && strncmp(word, "scalar", 6) == 0)
        return match_is_scalar(match, type);
    if (length == 7 && strncmp(word, "pointer", 7) == 0)
        return found && found->kind == IR_TYPE_POINTER;
    // A whole word of the name: "barrier", not a part of "my_barrier".
    const char *name = match_record_name(match, type);
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
            if (!match_is_scalar(match, match->argument[i].type))
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

// What ldmatrix and stmatrix move: 8 or 16 rows of 16 bytes a matrix, each at the address that one
// lane gives. (PTX ISA 9.1, 9.7.14.5.15.)
static struct model_matrix matrix_of(const char *const *part, uint32_t count)
{
    int64_t matrices = has_part(part, count, "x4") ? 4 : has_part(part, count, "x2") ? 2 : 1;
    int64_t rows = has_part(part, count, "m16n16") ? 16 : 8;
    return (struct model_matrix){.rows = matrices * rows, .row_bytes = 16};
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
    for (uint32_t i = 1; i < count; ++i) {
        if (strncmp(part[i], "multicast::cluster", 18) == 0)
            out->flags |= MODEL_MULTICAST;
        if (strncmp(part[i], "tile::gather4", 13) == 0)
            out->flags |= MODEL_GATHERS;
    }
    if (ordered && has_part(part, count, "relaxed"))
        out->flags = (out->flags & ~order) | MODEL_RELAXED;
    if (out->kind == MODEL_ATOMIC &&
        (has_part(part, count, "release") || has_part(part, count, "acq_rel")))
        out->flags |= has_part(part, count, "cta") ? MODEL_RELEASES_BLOCK : MODEL_RELEASE;
    bool peer = has_part(part, count, "shared::cluster");
    // Without a state space the address is a generic one, which may be of either window.
    bool own = has_part(part, count, "shared") || has_part(part, count, "shared::cta");
    if ((peer || !own) && strcmp(part[0], "mbarrier") == 0 && out->kind != MODEL_MBARRIER_PENDING)
        out->flags |= MODEL_REMOTE;
    if (peer && out->kind == MODEL_BULK_LOAD && has_part(part, count, "shared::cta") &&
        !has_part(part, count, "global"))
        out->flags |= MODEL_REMOTE;
    if (out->kind == MODEL_ASYNC_STORE ||
        (out->kind == MODEL_MEMORY_SET && !has_part(part, count, "bulk")))
        out->bytes_constant = bytes_of_type(part, count);
    if (strcmp(part[0], "ldmatrix") == 0 || strcmp(part[0], "stmatrix") == 0)
        out->matrix = matrix_of(part, count);
}

// The descriptors that a multiplication reads its matrices by, of 64 bits each: that of B stands
// behind that of A, or behind the four registers of 32 bits, or the address in tensor memory, that
// A has in its place. tcgen05.mma names the place of its result first. (PTX ISA 9.1, 9.7.15.5.2,
// 9.7.16.10.9.1.)
static void read_descriptors(struct match *match)
{
    enum { A_REGISTERS = 4 };
    bool of_thread = match->out->scope == MODEL_SCOPE_THREAD;
    uint32_t a = of_thread ? 1 : 0;
    if (match->count <= a + 1)
        return;
    const struct ir_type *type = match_type(match, match->argument[a].type);
    bool in_memory = type && type->size == 8;
    uint32_t b = a + (in_memory || of_thread ? 1 : A_REGISTERS);
    if (in_memory)
        match->out->argument[0] = match->argument[a].value;
    if (b < match->count)
        match->out->argument[1] = match->argument[b].value;
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
        match_assign(match, row->roles, (size_t)(bar - row->roles), &match->object, 1);
    // A static function called as a row of a free one: its object is no argument.
    match_assign(match, rest, strlen(rest), match->argument, match->count);
    match->out->prior_constant = row->kind == MODEL_PIPELINE_WAIT ? -1 : 0;
    if (strchr(row->roles, 'K'))
        match_first_integer(match->callee->template_arg, &match->out->prior_constant);
    if (strchr(row->roles, 'Z'))
        match_first_integer(match->callee->template_arg, &match->out->tile_size);
    int64_t tile = match->out->tile_size;
    match_read_group(match, row);
    if (strchr(row->roles, 'Z'))
        match->out->tile_size = tile;
    match_read_tags(match);
    if (row->kind == MODEL_WARP_ALIGNED)
        match_read_fragment(match);
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
        match_assign(match, row->roles, (size_t)(bar - row->roles), destination, destinations);
    const char *rest = bar ? bar + 1 : row->roles;
    match_assign(match, rest, strlen(rest), match->argument, match->count);
    read_modifiers(match, part, parts);
    if (model_multiplies(match->out))
        read_descriptors(match);
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
