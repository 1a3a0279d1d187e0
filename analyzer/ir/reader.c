// Reads the declarations of the text form, which text.h describes. A first pass over the lines
// gives every record, object and function its number, so that the second meets no unknown label.
#include "ir/reader.h"

#include <string.h>

#include "base/vec.h"
#include "ir/text.h"

bool reader_declare(struct reader *reader, struct label_number **map, const char *label,
                    uint32_t number)
{
    if (shgeti(*map, label) >= 0)
        return scan_fail_at(&reader->scan, reader->scan.line,
                            "expected a new label, '%.64s' is declared already", label);
    shput(*map, (char *)label, number);
    return true;
}

bool reader_lookup(struct reader *reader, char sign, struct label_number **map, const char *what,
                   uint32_t *out_number)
{
    const char *label;
    if (!scan_signed_label(&reader->scan, sign, what, &label))
        return false;
    ptrdiff_t place = shgeti(*map, label);
    if (place < 0)
        return scan_fail_at(&reader->scan, reader->scan.line,
                            "expected %s, '%c%.64s' is not declared", what, sign, label);
    *out_number = (*map)[place].value;
    return true;
}

// --- Types -----------------------------------------------------------------------------------

// Reads the number of bits out of a word like "u32". 0 where it is none.
static uint32_t bits_of(const char *word)
{
    static const char *const allowed[] = {"1", "8", "16", "32", "64", "80", "128"};
    static const uint32_t bits[] = {1, 8, 16, 32, 64, 80, 128};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; ++i)
        if (strcmp(word + 1, allowed[i]) == 0)
            return bits[i];
    return 0;
}

static bool read_scalar(struct reader *reader, ir_type_id *out_type)
{
    struct scan before = reader->scan;
    const char *word;
    if (!scan_label(&reader->scan, "a type", &word))
        return false;
    uint32_t bits = bits_of(word);
    if (strcmp(word, "void") == 0)
        *out_type = ir_type_void(reader->unit);
    else if (strcmp(word, "bool") == 0)
        *out_type = ir_type_bool(reader->unit);
    else if (strcmp(word, "fn") == 0)
        *out_type = ir_type_function(reader->unit);
    else if ((word[0] == 'u' || word[0] == 'i') && bits > 0 && bits != 80)
        *out_type = ir_type_int(reader->unit, bits, word[0] == 'i');
    else if (word[0] == 'f' && bits >= 8)
        *out_type = ir_type_float(reader->unit, bits);
    else {
        reader->scan = before;
        return scan_fail(&reader->scan, "a type");
    }
    return true;
}

struct layer {
    bool is_array;
    uint64_t count;
};

// Reads `ptr` and `[count x` in front of a type.
static bool read_layers(struct reader *reader, struct layer **layers)
{
    struct scan *scan = &reader->scan;
    for (;;) {
        struct layer layer = {false, 0};
        if (scan_accept(scan, '[')) {
            layer.is_array = true;
            if (!scan_u64(scan, &layer.count))
                return false;
            if (!scan_accept_word(scan, "x"))
                return scan_fail(scan, "'x' and the type of the elements");
        } else if (!scan_accept_word(scan, "ptr")) {
            return !scan->failed;
        }
        arrput(*layers, layer);
    }
}

bool reader_type(struct reader *reader, ir_type_id *out_type)
{
    struct layer *layers = NULL;
    ir_type_id type = IR_NONE;
    bool good = read_layers(reader, &layers) &&
                (scan_peek(&reader->scan) == '%'
                     ? reader_lookup(reader, '%', &reader->type, "a record or opaque type", &type)
                     : read_scalar(reader, &type));
    while (good && arrlen(layers) > 0) {
        struct layer layer = arrpop(layers);
        if (layer.is_array) {
            good = scan_expect(&reader->scan, ']');
            type = ir_type_array(reader->unit, type, layer.count);
        } else {
            type = ir_type_pointer(reader->unit, type);
        }
    }
    arrfree(layers);
    *out_type = type;
    return good;
}

struct type_head {
    const char *label;
    const char *name;
    bool is_opaque, is_union;
    uint64_t size, align;
};

// Reads a type's line from behind the word `type` up to its fields.
static bool read_type_head(struct reader *reader, struct type_head *out_head)
{
    struct scan *scan = &reader->scan;
    *out_head = (struct type_head){0};
    if (!scan_signed_label(scan, '%', "the type's label", &out_head->label) ||
        !scan_expect(scan, '='))
        return false;
    if (scan_accept_word(scan, "opaque"))
        out_head->is_opaque = true;
    else if (scan_accept_word(scan, "union"))
        out_head->is_union = true;
    else if (!scan_accept_word(scan, "record"))
        return scan_fail(scan, "'record', 'union' or 'opaque'");
    if (!scan_optional_string(scan, out_head->label, &out_head->name))
        return false;
    if (scan_accept_word(scan, "size") && !scan_u64(scan, &out_head->size))
        return false;
    if (scan_accept_word(scan, "align") && !scan_u64(scan, &out_head->align))
        return false;
    return true;
}

static bool declare_type(struct reader *reader)
{
    struct type_head head;
    if (!read_type_head(reader, &head))
        return false;
    ir_type_id id;
    if (head.is_opaque) {
        id = ir_type_opaque(reader->unit, head.name, head.size, head.align);
    } else {
        id = ir_type_record(reader->unit, head.name);
        reader->unit->type[id].size = head.size;
        reader->unit->type[id].align = head.align;
        reader->unit->type[id].is_union = head.is_union;
    }
    return reader_declare(reader, &reader->type, head.label, id);
}

static bool read_field(struct reader *reader, ir_type_id record)
{
    struct scan *scan = &reader->scan;
    struct ir_field field = {0};
    if (!scan_expect(scan, '+') || !scan_u64(scan, &field.offset) ||
        !reader_type(reader, &field.type) || !scan_optional_string(scan, "", &field.name))
        return false;
    if (scan_accept_word(scan, "bits") &&
        (!scan_u32(scan, &field.bit_offset) || !scan_u32(scan, &field.bit_width)))
        return false;
    arrput(reader->unit->type[record].field, field);
    return scan_end_line(scan);
}

static bool read_type(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct type_head head;
    if (!read_type_head(reader, &head))
        return false;
    ir_type_id id = shget(reader->type, head.label);
    if (head.is_opaque || !scan_accept(scan, '{'))
        return scan_end_line(scan);
    if (!scan_end_line(scan))
        return false;
    while (!scan_accept(scan, '}'))
        if (!read_field(reader, id))
            return false;
    return scan_end_line(scan);
}

// --- Objects ---------------------------------------------------------------------------------

static bool read_space(struct scan *scan, enum ir_space *out_space)
{
    for (const struct ir_word *space = ir_space_words; space->word; ++space) {
        if (scan_accept_word(scan, space->word)) {
            *out_space = (enum ir_space)space->bit;
            return true;
        }
    }
    return scan_fail(scan, "'global', 'constant', 'shared', 'shared_dynamic' or 'host'");
}

static bool read_global(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct ir_global global = {.owner = IR_NONE};
    const char *label;
    if (!scan_signed_label(scan, '@', "the object's label", &label) ||
        !scan_optional_string(scan, label, &global.name) || !scan_expect(scan, ':') ||
        !reader_type(reader, &global.type) || !read_space(scan, &global.space))
        return false;
    if (scan_accept_word(scan, "align") && !scan_u64(scan, &global.align))
        return false;
    if (scan_accept_word(scan, "owner") &&
        !reader_lookup(reader, '@', &reader->function, "a function", &global.owner))
        return false;
    if (scan_accept_word(scan, "value")) {
        global.has_value = true;
        if (!scan_i64(scan, &global.value))
            return false;
    }
    if (!scan_location(scan, &global.loc))
        return false;
    reader->unit->global[shget(reader->global, label)] = global;
    return scan_end_line(scan);
}

// --- Functions -------------------------------------------------------------------------------

static bool read_template_args(struct reader *reader, struct ir_template_arg **args)
{
    struct scan *scan = &reader->scan;
    if (!scan_expect(scan, '('))
        return false;
    do {
        struct ir_template_arg arg = {.kind = IR_ARG_OTHER, .type = IR_NONE};
        if (scan_accept_word(scan, "type")) {
            arg.kind = IR_ARG_TYPE;
            if (!reader_type(reader, &arg.type))
                return false;
        } else if (scan_accept_word(scan, "int")) {
            arg.kind = IR_ARG_INT;
            if (!scan_i64(scan, &arg.value))
                return false;
        } else if (!scan_accept_word(scan, "other")) {
            return scan_fail(scan, "'type', 'int' or 'other'");
        }
        if (!scan_optional_string(scan, "", &arg.text))
            return false;
        arrput(*args, arg);
    } while (scan_accept(scan, ','));
    return scan_expect(scan, ')');
}

// Reads up to `most` numbers in parentheses; the others stay as they are.
static bool read_extents(struct scan *scan, int64_t *extent, size_t most)
{
    if (!scan_expect(scan, '('))
        return false;
    for (size_t i = 0; i < most && scan_peek(scan) != ')'; ++i)
        if (!scan_i64(scan, &extent[i]))
            return false;
    return scan_expect(scan, ')');
}

static bool read_function_flag(struct scan *scan, uint32_t *flags)
{
    for (const struct ir_word *flag = ir_function_flag_words; flag->word; ++flag) {
        if (scan_accept_word(scan, flag->word)) {
            *flags |= flag->bit;
            return true;
        }
    }
    return false;
}

// Reads what stands between the name and the parameters. `function` is a copy: reading a type adds
// nothing to the functions, but the habit is cheap.
static bool read_function_words(struct reader *reader, struct ir_function *function)
{
    struct scan *scan = &reader->scan;
    while (scan_peek(scan) != '(') {
        struct ir_launch_attributes *given = &function->attributes;
        bool good;
        if (read_function_flag(scan, &function->flags)) {
            good = true;
        } else if (scan_accept_word(scan, "lookup")) {
            good = scan_string(scan, &function->lookup);
        } else if (scan_accept_word(scan, "key")) {
            good = scan_string(scan, &function->key);
        } else if (scan_accept_word(scan, "template")) {
            good = read_template_args(reader, &function->template_arg);
        } else if (scan_accept_word(scan, "class")) {
            good = read_template_args(reader, &function->class_arg);
        } else if (scan_accept_word(scan, "bounds")) {
            int64_t bounds[3] = {0};
            good = read_extents(scan, bounds, 3);
            given->max_threads = bounds[0];
            given->min_blocks = bounds[1];
            given->max_blocks = bounds[2];
        } else if (scan_accept_word(scan, "cluster")) {
            good = read_extents(scan, given->cluster, 3);
        } else if (scan_accept_word(scan, "block")) {
            good = read_extents(scan, given->block, 3);
        } else if (scan_accept_word(scan, "maxreg")) {
            good = read_extents(scan, &given->max_registers, 1);
        } else {
            return scan_fail(scan, "a word about the function or its parameters in '('");
        }
        if (!good)
            return false;
    }
    return true;
}

static bool read_params(struct reader *reader, struct ir_function *function)
{
    struct scan *scan = &reader->scan;
    if (!scan_expect(scan, '('))
        return false;
    if (scan_accept(scan, ')'))
        return true;
    do {
        struct ir_param param = {0};
        const char *label;
        if (!scan_signed_label(scan, '%', "a parameter's label", &label) ||
            !scan_optional_string(scan, label, &param.name) || !scan_expect(scan, ':'))
            return false;
        param.is_this = scan_accept_word(scan, "this");
        param.is_result = scan_accept_word(scan, "result");
        if (!reader_type(reader, &param.type) ||
            !reader_declare(reader, &reader->param, label, (uint32_t)arrlenu(function->param)))
            return false;
        arrput(function->param, param);
    } while (scan_accept(scan, ','));
    return scan_expect(scan, ')');
}

static bool read_function_head(struct reader *reader, struct ir_function *function)
{
    struct scan *scan = &reader->scan;
    if (!read_function_words(reader, function) || !read_params(reader, function))
        return false;
    if (scan_accept(scan, '-') &&
        (!scan_expect(scan, '>') || !reader_type(reader, &function->result)))
        return false;
    return scan_location(scan, &function->loc);
}

static bool read_function(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    const char *label, *name;
    if (!scan_signed_label(scan, '@', "the function's label", &label) ||
        !scan_optional_string(scan, label, &name))
        return false;
    reader->current = shget(reader->function, label);
    struct ir_function *function = &reader->unit->function[reader->current];
    function->name = function->lookup = function->key = name;
    shfree(reader->param);
    shfree(reader->local);
    if (!read_function_head(reader, function))
        return false;
    if (!scan_accept(scan, '{'))
        return scan_end_line(scan);
    function->flags |= IR_FN_BODY;
    return scan_end_line(scan) && reader_body(reader);
}

// --- Units -----------------------------------------------------------------------------------

static bool read_file(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    struct ir_file file = {0};
    struct scan before = *scan;
    uint32_t number;
    if (!scan_u32(scan, &number))
        return false;
    if (number != arrlenu(reader->unit->file)) {
        *scan = before;
        return scan_fail(scan, "the next number of a file");
    }
    file.is_system = scan_accept_word(scan, "system");
    if (!scan_string(scan, &file.path))
        return false;
    arrput(reader->unit->file, file);
    return scan_end_line(scan);
}

// Whether the line ends with an opening brace, seen from outside of strings.
static bool opens_braces(const struct scan *scan)
{
    bool in_string = false;
    char last = '\0';
    for (const char *at = scan->at; at < scan->end && *at != '\n'; ++at) {
        if (!in_string && *at == '#')
            break;
        if (*at == '"')
            in_string = !in_string;
        if (in_string && *at == '\\' && scan->end - at > 1 && at[1] != '\n')
            ++at;
        if (*at != ' ' && *at != '\t' && *at != '\r')
            last = *at;
    }
    return last == '{';
}

// The first pass, over the lines outside of braces.
static bool declare_all(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    for (; !scan_at_end(scan); scan_next_line(scan)) {
        const char *label;
        if (scan_accept_word(scan, "type")) {
            if (!declare_type(reader))
                return false;
        } else if (scan_accept_word(scan, "global")) {
            arrput(reader->unit->global, ((struct ir_global){.owner = IR_NONE}));
            if (!scan_signed_label(scan, '@', "the object's label", &label) ||
                !reader_declare(reader, &reader->global, label,
                                (uint32_t)arrlenu(reader->unit->global) - 1))
                return false;
        } else if (scan_accept_word(scan, "func")) {
            if (!scan_signed_label(scan, '@', "the function's label", &label) ||
                !reader_declare(reader, &reader->function, label,
                                ir_function_add(reader->unit, "", NULL, NULL)))
                return false;
        }
        if (opens_braces(scan))
            while (scan_next_line(scan) && scan_peek(scan) != '}')
                ;
    }
    return !scan->failed;
}

static bool read_declarations(struct reader *reader)
{
    struct scan *scan = &reader->scan;
    bool good = true;
    while (good && !scan_at_end(scan)) {
        if (scan_accept_word(scan, "unit"))
            good = scan_string(scan, &reader->unit->target) &&
                   (!scan_accept_word(scan, "cccl") || scan_u32(scan, &reader->unit->cccl)) &&
                   scan_end_line(scan);
        else if (scan_accept_word(scan, "file"))
            good = read_file(reader);
        else if (scan_accept_word(scan, "type"))
            good = read_type(reader);
        else if (scan_accept_word(scan, "global"))
            good = read_global(reader);
        else if (scan_accept_word(scan, "func"))
            good = read_function(reader);
        else
            good = scan_fail(scan, "'unit', 'file', 'type', 'global' or 'func'");
    }
    return good && !scan->failed;
}

bool ir_read_unit(struct ir_unit *unit, const char *text, size_t length, struct error *error)
{
    ir_unit_init(unit);
    struct reader reader = {.unit = unit};
    text = length > 0 ? text : "";
    scan_init(&reader.scan, text, length, &unit->arena, error);
    bool good = declare_all(&reader);
    if (good) {
        scan_init(&reader.scan, text, length, &unit->arena, error);
        good = read_declarations(&reader);
    }
    shfree(reader.type);
    shfree(reader.global);
    shfree(reader.function);
    shfree(reader.param);
    shfree(reader.local);
    if (!good)
        ir_unit_release(unit);
    return good;
}
