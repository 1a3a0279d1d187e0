// Inline PTX by recursive descent, one statement at a time. The grammar is that of PTX ISA 9.1,
// sections 4 to 6, as far as it can stand inside a function body.
#include "model/ptx_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "model/ptx_token.h"

// Far above what people and generators write; below what would make hostile text slow.
enum {
    TEXT_LIMIT = 1 << 20,
    INSTRUCTION_LIMIT = 1 << 14,
    REGISTER_LIMIT = 1 << 14,
    LABEL_LIMIT = 1 << 12,
    SCOPE_DEPTH_LIMIT = 32,
    OPERAND_DEPTH_LIMIT = 8,
    OPERAND_LIMIT = 2048,
    PART_LIMIT = 32,
};

struct declaration {
    const char *name;
    uint32_t first;  // register number
    uint32_t family; // of `r<5>`: 5; 0 for a plain name
    uint32_t depth;
    int32_t hidden; // the declaration of the same name further out, or -1
};

struct name_entry {
    char *key;
    int32_t value; // index of the innermost declaration, or -1
};

struct label_entry {
    char *key; // "scope:name"
    uint32_t value;
};

struct parser {
    struct arena *arena;
    struct ptx_lexer lexer;
    struct ptx_token token, ahead;
    struct error *error;
    struct ptx_instruction *instruction; // stb_ds
    struct ptx_register *reg;            // stb_ds
    struct declaration *declaration;     // stb_ds, a stack
    struct name_entry *names;            // stb_ds
    struct label_entry *labels;          // stb_ds
    uint32_t *scope_parent;              // stb_ds, by scope number
    uint32_t *scope_of;                  // stb_ds, by instruction
    uint32_t scope, depth;
};

static bool fail(struct parser *parser, uint32_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(struct parser *parser, uint32_t offset, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(parser->error, ERROR_USAGE, "%s at offset %u of the asm template", text,
                     offset);
}

static void advance(struct parser *parser)
{
    parser->token = parser->ahead;
    if (parser->ahead.kind != PTX_TOKEN_END && parser->ahead.kind != PTX_TOKEN_BAD)
        parser->ahead = ptx_lexer_next(&parser->lexer);
}

static bool is_mark(const struct ptx_token *token, char mark)
{
    return token->kind == PTX_TOKEN_MARK && token->mark == mark;
}

static bool accept(struct parser *parser, char mark)
{
    if (!is_mark(&parser->token, mark))
        return false;
    advance(parser);
    return true;
}

static bool unexpected(struct parser *parser, const char *wanted)
{
    const struct ptx_token *token = &parser->token;
    switch (token->kind) {
    case PTX_TOKEN_BAD:
        return fail(parser, token->offset, "%s", token->text);
    case PTX_TOKEN_END:
        return fail(parser, token->offset, "%s expected before the end", wanted);
    case PTX_TOKEN_MARK:
        return fail(parser, token->offset, "%s expected instead of '%c'", wanted, token->mark);
    default: {
        const char *text = parser->lexer.text + token->offset;
        int length = (int)strcspn(text, " \t\r\n;,");
        return fail(parser, token->offset, "%s expected instead of '%.*s'", wanted,
                    length < 40 ? length : 40, text);
    }
    }
}

static bool expect(struct parser *parser, char mark)
{
    if (accept(parser, mark))
        return true;
    char wanted[4] = {'\'', mark, '\''};
    return unexpected(parser, wanted);
}

// --- Names -------------------------------------------------------------------------------------

static int32_t name_find(struct parser *parser, const char *name)
{
    ptrdiff_t at = shgeti(parser->names, name);
    return at < 0 ? -1 : parser->names[at].value;
}

// A register by name: declared as such, or a member of a family `r<5>`.
static bool register_find(struct parser *parser, const char *name, int64_t *out)
{
    int32_t plain = name_find(parser, name);
    if (plain >= 0 && parser->declaration[plain].family == 0) {
        *out = parser->declaration[plain].first;
        return true;
    }
    size_t length = strlen(name);
    char base[128];
    if (length >= sizeof base)
        return false;
    for (size_t at = length; at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9'; --at) {
        size_t digits = length - (at - 1);
        if (digits > 6 || (digits > 1 && name[at - 1] == '0'))
            continue;
        memcpy(base, name, at - 1);
        base[at - 1] = '\0';
        int32_t family = name_find(parser, base);
        unsigned long number = strtoul(name + at - 1, NULL, 10);
        if (family >= 0 && number < parser->declaration[family].family) {
            *out = parser->declaration[family].first + (int64_t)number;
            return true;
        }
    }
    return false;
}

static void register_declare(struct parser *parser, const char *name, const char *type,
                             uint32_t width, uint32_t family)
{
    struct declaration declaration = {.name = name,
                                      .first = (uint32_t)arrlen(parser->reg),
                                      .family = family,
                                      .depth = parser->depth,
                                      .hidden = name_find(parser, name)};
    for (uint32_t i = 0; i < (family ? family : 1); ++i) {
        struct ptx_register reg = {.name = name, .type = type, .width = width};
        if (family)
            reg.name = arena_printf(parser->arena, "%s%u", name, i);
        arrput(parser->reg, reg);
    }
    shput(parser->names, name, (int32_t)arrlen(parser->declaration));
    arrput(parser->declaration, declaration);
}

static bool scope_open(struct parser *parser)
{
    if (parser->depth >= SCOPE_DEPTH_LIMIT)
        return fail(parser, parser->token.offset, "braces are nested too deep");
    arrput(parser->scope_parent, parser->scope);
    parser->scope = (uint32_t)arrlen(parser->scope_parent) - 1;
    ++parser->depth;
    return true;
}

static void scope_close(struct parser *parser)
{
    --parser->depth;
    parser->scope = parser->scope_parent[parser->scope];
    while (arrlen(parser->declaration) && arrlast(parser->declaration).depth > parser->depth) {
        struct declaration declaration = arrpop(parser->declaration);
        shput(parser->names, declaration.name, declaration.hidden);
    }
}

static bool label_declare(struct parser *parser, const struct ptx_token *name)
{
    if (shlen(parser->labels) >= LABEL_LIMIT)
        return fail(parser, name->offset, "too many labels");
    char *key = arena_printf(parser->arena, "%u:%s", parser->scope, name->text);
    if (shgeti(parser->labels, key) >= 0)
        return fail(parser, name->offset, "label '%.40s' is defined twice", name->text);
    shput(parser->labels, key, (uint32_t)arrlen(parser->instruction));
    return true;
}

static bool label_find(struct parser *parser, uint32_t scope, const char *name, int32_t *out)
{
    char key[1200];
    for (uint32_t i = 0; i <= SCOPE_DEPTH_LIMIT; ++i) {
        snprintf(key, sizeof key, "%u:%s", scope, name);
        ptrdiff_t at = shgeti(parser->labels, key);
        if (at >= 0) {
            *out = (int32_t)parser->labels[at].value;
            return true;
        }
        if (scope == 0)
            return false;
        scope = parser->scope_parent[scope];
    }
    return false;
}

// --- Operands ----------------------------------------------------------------------------------

static bool parse_operand(struct parser *parser, uint32_t depth, struct ptx_operand *out);

static void take_elements(struct parser *parser, struct ptx_operand *operand,
                          struct ptx_operand *element)
{
    operand->element_count = (uint32_t)arrlen(element);
    operand->element = arena_array(parser->arena, struct ptx_operand, arrlenu(element) + 1);
    if (arrlen(element))
        memcpy(operand->element, element, arrlenu(element) * sizeof *element);
}

// Operands up to the closing mark, separated by commas.
static bool parse_list(struct parser *parser, uint32_t depth, char close, struct ptx_operand *out)
{
    struct ptx_operand *element = NULL;
    bool ok = true;
    bool more = !is_mark(&parser->token, close);
    while (ok && more) {
        struct ptx_operand operand;
        ok = parse_operand(parser, depth + 1, &operand);
        if (ok && arrlen(element) >= OPERAND_LIMIT)
            ok = fail(parser, parser->token.offset, "too many operands");
        if (ok)
            arrput(element, operand);
        more = ok && accept(parser, ',');
    }
    ok = ok && expect(parser, close);
    if (ok)
        take_elements(parser, out, element);
    arrfree(element);
    return ok;
}

// `.x` behind a vector register, or the rest of a special register's name.
static void parse_component(struct parser *parser, struct ptx_operand *operand)
{
    if (parser->token.kind != PTX_TOKEN_DOTTED)
        return;
    const char *part = parser->token.text;
    if (operand->kind == PTX_SPECIAL || operand->kind == PTX_SYMBOL) {
        operand->name = arena_printf(parser->arena, "%s.%s", operand->name, part);
        advance(parser);
        return;
    }
    static const char components[] = "xyzwrgba";
    const char *at = strlen(part) == 1 ? strchr(components, part[0]) : NULL;
    if (at) {
        operand->component = (uint32_t)(at - components) % 4 + 1;
        advance(parser);
    }
}

static void name_operand(struct parser *parser, const char *name, struct ptx_operand *out)
{
    if (strcmp(name, "_") == 0) {
        out->kind = PTX_SINK;
    } else if (register_find(parser, name, &out->value)) {
        out->kind = PTX_REGISTER;
        out->name = name;
    } else if (name[0] == '%') {
        out->kind = PTX_SPECIAL;
        out->name = name + 1;
    } else {
        out->kind = PTX_SYMBOL;
        out->name = name;
    }
}

// A term of a sum: a name, an operand of the statement, a number with its products, `-term`.
static bool parse_term(struct parser *parser, uint32_t depth, struct ptx_operand *out)
{
    *out = (struct ptx_operand){.name = ""};
    if (depth > OPERAND_DEPTH_LIMIT)
        return fail(parser, parser->token.offset, "operands are nested too deep");
    struct ptx_token token = parser->token;
    switch (token.kind) {
    case PTX_TOKEN_WORD:
        advance(parser);
        name_operand(parser, token.text, out);
        parse_component(parser, out);
        return true;
    case PTX_TOKEN_ARGUMENT:
        advance(parser);
        out->kind = PTX_ARGUMENT;
        out->value = token.value;
        out->name = token.text;
        parse_component(parser, out);
        return true;
    case PTX_TOKEN_INTEGER:
    case PTX_TOKEN_FLOAT:
        advance(parser);
        out->kind = token.kind == PTX_TOKEN_INTEGER ? PTX_INTEGER : PTX_FLOAT;
        out->value = token.value;
        break;
    default:
        if (accept(parser, '-') || accept(parser, '+')) {
            if (!parse_term(parser, depth + 1, out))
                return false;
            if (token.mark == '+')
                return true;
            if (out->kind == PTX_INTEGER)
                out->value = (int64_t)(0 - (uint64_t)out->value);
            else if (out->kind == PTX_FLOAT)
                out->value ^= INT64_MIN;
            else
                out->negated = !out->negated;
            return true;
        }
        return unexpected(parser, "an operand");
    }
    // Products and shifts of constants.
    while (out->kind == PTX_INTEGER && parser->ahead.kind == PTX_TOKEN_INTEGER) {
        uint64_t right = (uint64_t)parser->ahead.value;
        if (is_mark(&parser->token, '*'))
            out->value = (int64_t)((uint64_t)out->value * right);
        else if (is_mark(&parser->token, '/') && right)
            out->value = (int64_t)((uint64_t)out->value / right);
        else
            break;
        advance(parser);
        advance(parser);
    }
    return true;
}

static void sum_add(struct ptx_operand *sum, struct ptx_operand **element, struct ptx_operand *term,
                    bool minus)
{
    if (term->kind == PTX_INTEGER) {
        uint64_t value = (uint64_t)term->value;
        sum->value = (int64_t)((uint64_t)sum->value + (minus ? 0 - value : value));
        return;
    }
    if (minus)
        term->negated = !term->negated;
    arrput(*element, *term);
}

// One term, or a PTX_SUM of several.
static bool parse_sum(struct parser *parser, uint32_t depth, struct ptx_operand *out)
{
    if (!parse_term(parser, depth, out))
        return false;
    if (!is_mark(&parser->token, '+') && !is_mark(&parser->token, '-'))
        return true;
    struct ptx_operand sum = {.kind = PTX_SUM, .name = ""};
    struct ptx_operand *element = NULL;
    sum_add(&sum, &element, out, false);
    bool ok = true;
    while (ok && (is_mark(&parser->token, '+') || is_mark(&parser->token, '-'))) {
        bool minus = parser->token.mark == '-';
        advance(parser);
        struct ptx_operand term;
        ok = parse_term(parser, depth, &term);
        if (ok && arrlen(element) >= OPERAND_LIMIT)
            ok = fail(parser, parser->token.offset, "the sum is too long");
        if (ok)
            sum_add(&sum, &element, &term, minus);
    }
    if (ok && arrlen(element) == 0)
        sum.kind = PTX_INTEGER;
    if (ok)
        take_elements(parser, &sum, element);
    arrfree(element);
    *out = sum;
    return ok;
}

// What stands between brackets: a base with an offset, and for tensors and textures a coordinate
// list. `[a+8]` keeps its offset in value.
static bool parse_address(struct parser *parser, uint32_t depth, struct ptx_operand *out)
{
    *out = (struct ptx_operand){.kind = PTX_ADDRESS, .name = ""};
    if (!parse_list(parser, depth, ']', out))
        return false;
    if (out->element_count == 0)
        return unexpected(parser, "an address");
    struct ptx_operand *base = &out->element[0];
    if (base->kind == PTX_SUM && base->element_count == 1 && !base->element[0].negated) {
        out->value = base->value;
        *base = base->element[0];
    }
    return true;
}

static bool parse_single(struct parser *parser, uint32_t depth, struct ptx_operand *out)
{
    if (accept(parser, '[')) {
        return parse_address(parser, depth, out);
    } else if (is_mark(&parser->token, '{') || is_mark(&parser->token, '(')) {
        char close = parser->token.mark == '{' ? '}' : ')';
        advance(parser);
        *out = (struct ptx_operand){.kind = PTX_VECTOR, .name = ""};
        return parse_list(parser, depth, close, out);
    } else if (accept(parser, '!')) {
        if (!parse_term(parser, depth, out))
            return false;
        out->negated = !out->negated;
        return true;
    }
    return parse_sum(parser, depth, out);
}

static bool parse_operand(struct parser *parser, uint32_t depth, struct ptx_operand *out)
{
    *out = (struct ptx_operand){.name = ""};
    if (depth > OPERAND_DEPTH_LIMIT)
        return fail(parser, parser->token.offset, "operands are nested too deep");
    if (!parse_single(parser, depth, out))
        return false;
    if (!accept(parser, '|'))
        return true;
    struct ptx_operand pair = {.kind = PTX_PAIR, .name = "", .element_count = 2};
    pair.element = arena_array(parser->arena, struct ptx_operand, 2);
    pair.element[0] = *out;
    if (!parse_single(parser, depth + 1, &pair.element[1]))
        return false;
    *out = pair;
    return true;
}

// --- Statements --------------------------------------------------------------------------------

// `.reg .v2 .b32 a, %r<4>;`
static bool parse_registers(struct parser *parser)
{
    const char *type = "b32";
    uint32_t width = 1;
    while (parser->token.kind == PTX_TOKEN_DOTTED) {
        const char *part = parser->token.text;
        if (strcmp(part, "v2") == 0 || strcmp(part, "v4") == 0)
            width = (uint32_t)(part[1] - '0');
        else
            type = part;
        advance(parser);
    }
    do {
        struct ptx_token name = parser->token;
        if (name.kind != PTX_TOKEN_WORD)
            return unexpected(parser, "a register name");
        advance(parser);
        int64_t family = 0;
        if (accept(parser, '<')) {
            family = parser->token.value;
            if (parser->token.kind != PTX_TOKEN_INTEGER || family < 1)
                return unexpected(parser, "a number of registers");
            advance(parser);
            if (!expect(parser, '>'))
                return false;
        }
        if (family > REGISTER_LIMIT || arrlen(parser->reg) + (family ? family : 1) > REGISTER_LIMIT)
            return fail(parser, name.offset, "too many registers");
        register_declare(parser, name.text, type, width, (uint32_t)family);
    } while (accept(parser, ','));
    return expect(parser, ';');
}

// A directive. Only `.reg` declares what instructions depend on.
static bool parse_directive(struct parser *parser)
{
    struct ptx_token name = parser->token;
    if (strcmp(name.text, "reg") == 0) {
        advance(parser);
        return parse_registers(parser);
    }
    if (strcmp(name.text, "func") == 0 || strcmp(name.text, "entry") == 0)
        return fail(parser, name.offset, "a function is not followed here: '.%.40s'", name.text);
    if (strcmp(name.text, "loc") == 0 || strcmp(name.text, "file") == 0) {
        // They end with their line, not with a semicolon; the token ahead may stand on the next.
        parser->lexer.at = name.offset;
        ptx_lexer_skip_line(&parser->lexer);
        parser->ahead = ptx_lexer_next(&parser->lexer);
        advance(parser);
        return true;
    }
    while (parser->token.kind != PTX_TOKEN_END && parser->token.kind != PTX_TOKEN_BAD &&
           !is_mark(&parser->token, ';'))
        advance(parser);
    return expect(parser, ';');
}

// `mbarrier.try_wait.parity.shared::cta.b64`; blanks may stand before a dot.
static bool parse_mnemonic(struct parser *parser, struct ptx_instruction *out)
{
    if (parser->token.kind != PTX_TOKEN_WORD)
        return unexpected(parser, "an instruction");
    if (strpbrk(parser->token.text, "%$="))
        return fail(parser, parser->token.offset, "'%.40s' is no instruction", parser->token.text);
    const char *part[PART_LIMIT];
    uint32_t count = 0;
    size_t length = 0;
    do {
        if (count == PART_LIMIT)
            return fail(parser, parser->token.offset, "too many modifiers");
        part[count++] = parser->token.text;
        length += strlen(parser->token.text) + 1;
        advance(parser);
    } while (parser->token.kind == PTX_TOKEN_DOTTED);
    char *text = arena_alloc(parser->arena, length + 1);
    out->part = arena_array(parser->arena, const char *, count);
    out->part_count = count;
    char *end = text;
    for (uint32_t i = 0; i < count; ++i) {
        out->part[i] = part[i];
        if (i > 0)
            *end++ = '.';
        end = stpcpy(end, part[i]);
    }
    out->text = text;
    return true;
}

static bool parse_guard(struct parser *parser, struct ptx_instruction *out)
{
    bool negated = accept(parser, '!');
    if (!parse_term(parser, 0, &out->guard))
        return false;
    if (out->guard.kind != PTX_REGISTER && out->guard.kind != PTX_ARGUMENT &&
        out->guard.kind != PTX_SPECIAL && out->guard.kind != PTX_SYMBOL)
        return fail(parser, parser->token.offset, "the guard is not a predicate");
    out->guard.negated ^= negated;
    out->guarded = true;
    return true;
}

static bool ends_instruction(const struct ptx_token *token)
{
    return token->kind == PTX_TOKEN_END || is_mark(token, ';') || is_mark(token, '}');
}

static bool parse_instruction(struct parser *parser)
{
    struct ptx_instruction instruction = {.target = PTX_NO_TARGET, .offset = parser->token.offset};
    if (arrlen(parser->instruction) >= INSTRUCTION_LIMIT)
        return fail(parser, parser->token.offset, "too many instructions");
    if (accept(parser, '@') && !parse_guard(parser, &instruction))
        return false;
    if (!parse_mnemonic(parser, &instruction))
        return false;
    struct ptx_operand list = {0};
    struct ptx_operand *operand = NULL;
    bool ok = true;
    bool more = !ends_instruction(&parser->token);
    while (ok && more) {
        struct ptx_operand one;
        ok = parse_operand(parser, 0, &one);
        if (ok && arrlen(operand) >= OPERAND_LIMIT)
            ok = fail(parser, parser->token.offset, "too many operands");
        if (ok)
            arrput(operand, one);
        more = ok && accept(parser, ',');
    }
    if (ok) {
        take_elements(parser, &list, operand);
        instruction.operand = list.element;
        instruction.operand_count = list.element_count;
        arrput(parser->instruction, instruction);
        arrput(parser->scope_of, parser->scope);
    }
    arrfree(operand);
    // The last instruction of a template or of a block is often written without its semicolon.
    if (ok && parser->token.kind != PTX_TOKEN_END && !is_mark(&parser->token, '}'))
        ok = expect(parser, ';');
    return ok;
}

static bool parse_statement(struct parser *parser)
{
    if (accept(parser, ';'))
        return true;
    if (is_mark(&parser->token, '{')) {
        advance(parser);
        return scope_open(parser);
    }
    if (is_mark(&parser->token, '}')) {
        // A block may reach over several asm statements, so braces need not match in one.
        advance(parser);
        if (parser->depth > 0)
            scope_close(parser);
        return true;
    }
    if (parser->token.kind == PTX_TOKEN_DOTTED)
        return parse_directive(parser);
    if (parser->token.kind == PTX_TOKEN_WORD && is_mark(&parser->ahead, ':')) {
        struct ptx_token name = parser->token;
        advance(parser);
        advance(parser);
        return label_declare(parser, &name);
    }
    return parse_instruction(parser);
}

static bool resolve_branches(struct parser *parser)
{
    for (ptrdiff_t i = 0; i < arrlen(parser->instruction); ++i) {
        struct ptx_instruction *instruction = &parser->instruction[i];
        if (strcmp(instruction->part[0], "brx") == 0)
            return fail(parser, instruction->offset, "indirect branches are not followed");
        if (strcmp(instruction->part[0], "bra") != 0)
            continue;
        if (instruction->operand_count != 1 || instruction->operand[0].kind == PTX_ARGUMENT ||
            !instruction->operand[0].name || !instruction->operand[0].name[0])
            return fail(parser, instruction->offset, "a branch needs one label");
        // A label may be spelled as a register or with an escape sign.
        const char *name = instruction->operand[0].name;
        if (instruction->operand[0].kind == PTX_SPECIAL)
            name = arena_printf(parser->arena, "%%%s", name);
        if (!label_find(parser, parser->scope_of[i], name, &instruction->target))
            return fail(parser, instruction->offset,
                        "label '%.40s' is not defined in this statement", name);
    }
    return true;
}

static void parser_release(struct parser *parser)
{
    arrfree(parser->instruction);
    arrfree(parser->reg);
    arrfree(parser->declaration);
    shfree(parser->names);
    shfree(parser->labels);
    arrfree(parser->scope_parent);
    arrfree(parser->scope_of);
}

static void hand_over(struct parser *parser, struct ptx_program *out)
{
    out->instruction_count = (uint32_t)arrlen(parser->instruction);
    out->instruction =
        arena_array(parser->arena, struct ptx_instruction, arrlenu(parser->instruction) + 1);
    if (out->instruction_count)
        memcpy(out->instruction, parser->instruction,
               out->instruction_count * sizeof *out->instruction);
    out->register_count = (uint32_t)arrlen(parser->reg);
    out->reg = arena_array(parser->arena, struct ptx_register, arrlenu(parser->reg) + 1);
    if (out->register_count)
        memcpy(out->reg, parser->reg, out->register_count * sizeof *out->reg);
}

bool ptx_parse(struct arena *arena, const char *text, struct ptx_program *out, struct error *error)
{
    *out = (struct ptx_program){0};
    struct parser parser = {.arena = arena, .error = error};
    if (strlen(text) > TEXT_LIMIT)
        return error_set(error, ERROR_USAGE, "the asm template is longer than %d bytes",
                         TEXT_LIMIT);
    arrput(parser.scope_parent, 0);
    ptx_lexer_init(&parser.lexer, arena, text);
    parser.ahead = ptx_lexer_next(&parser.lexer);
    advance(&parser);
    bool ok = true;
    while (ok && parser.token.kind != PTX_TOKEN_END)
        ok = parse_statement(&parser);
    ok = ok && resolve_branches(&parser);
    if (ok)
        hand_over(&parser, out);
    parser_release(&parser);
    return ok;
}

// --- Questions ---------------------------------------------------------------------------------

bool ptx_has(const struct ptx_instruction *instruction, const char *part)
{
    for (uint32_t i = 1; i < instruction->part_count; ++i)
        if (strcmp(instruction->part[i], part) == 0)
            return true;
    return false;
}

// Instructions that act on a barrier or may call what does.
static bool is_barrier_word(const char *word)
{
    static const char *const barrier[] = {"bar",   "barrier", "mbarrier", "call",
                                          "elect", "cp",      "brx",      "clusterlaunchcontrol"};
    for (size_t i = 0; i < sizeof barrier / sizeof barrier[0]; ++i)
        if (strcmp(word, barrier[i]) == 0)
            return true;
    return false;
}

bool ptx_may_barrier(const char *text)
{
    struct arena scratch;
    arena_init(&scratch);
    struct ptx_lexer lexer;
    ptx_lexer_init(&lexer, &scratch, text);
    bool may = strlen(text) > TEXT_LIMIT;
    while (!may) {
        struct ptx_token token = ptx_lexer_next(&lexer);
        if (token.kind == PTX_TOKEN_END)
            break;
        may = token.kind == PTX_TOKEN_BAD ||
              (token.kind == PTX_TOKEN_WORD && is_barrier_word(token.text)) ||
              (token.kind == PTX_TOKEN_DOTTED && strstr(token.text, "mbarrier"));
    }
    arena_release(&scratch);
    return may;
}
