// Tokens of inline PTX (PTX ISA 9.1, 4.4 identifiers, 4.5 constants), with the escapes of an asm
// template on top of them.
#include "model/ptx_token.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 1024 };

void ptx_lexer_init(struct ptx_lexer *lexer, struct arena *arena, const char *text)
{
    *lexer = (struct ptx_lexer){.arena = arena, .text = text, .length = strlen(text)};
}

static char peek(const struct ptx_lexer *lexer, size_t ahead)
{
    return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool starts_with(const struct ptx_lexer *lexer, const char *word)
{
    size_t length = strlen(word);
    return lexer->length - lexer->at >= length &&
           memcmp(lexer->text + lexer->at, word, length) == 0;
}

void ptx_lexer_skip_line(struct ptx_lexer *lexer)
{
    while (lexer->at < lexer->length && lexer->text[lexer->at] != '\n' &&
           lexer->text[lexer->at] != ';')
        ++lexer->at;
}

// False when a comment does not end.
static bool skip_blanks(struct ptx_lexer *lexer)
{
    for (;;) {
        if (isspace((unsigned char)peek(lexer, 0))) {
            ++lexer->at;
        } else if (starts_with(lexer, "//")) {
            while (lexer->at < lexer->length && lexer->text[lexer->at] != '\n')
                ++lexer->at;
        } else if (starts_with(lexer, "/*")) {
            const char *end = strstr(lexer->text + lexer->at + 2, "*/");
            if (!end)
                return false;
            lexer->at = (size_t)(end - lexer->text) + 2;
        } else {
            return true;
        }
    }
}

static struct ptx_token bad(struct ptx_token token, const char *why)
{
    token.kind = PTX_TOKEN_BAD;
    token.text = why;
    return token;
}

// An operand number: `0` of `%0`, without what stands before it. Saturates.
static int64_t read_decimal(struct ptx_lexer *lexer)
{
    int64_t value = 0;
    while (is_digit(peek(lexer, 0))) {
        if (value < 1000000)
            value = value * 10 + (peek(lexer, 0) - '0');
        ++lexer->at;
    }
    return value;
}

// The forms of a statement operand that need no table of registers to be told apart: `%0`, `$0`,
// `${0}`, `${0:x}`, `%[name]`. Leaves the lexer where it is when there is none.
static bool read_argument(struct ptx_lexer *lexer, struct ptx_token *token)
{
    size_t start = lexer->at;
    char first = peek(lexer, 0), second = peek(lexer, 1);
    if ((first == '%' || first == '$') && is_digit(second)) {
        ++lexer->at;
        token->value = read_decimal(lexer);
    } else if (first == '$' && second == '{' && is_digit(peek(lexer, 2))) {
        lexer->at += 2;
        token->value = read_decimal(lexer);
        while (peek(lexer, 0) && peek(lexer, 0) != '}')
            ++lexer->at;
        if (peek(lexer, 0) != '}') {
            lexer->at = start;
            return false;
        }
        ++lexer->at;
    } else if (first == '%' &&
               (second == '[' || (isalpha((unsigned char)second) && peek(lexer, 2) == '['))) {
        lexer->at += second == '[' ? 2 : 3;
        size_t name = lexer->at;
        while (is_name(peek(lexer, 0)))
            ++lexer->at;
        if (peek(lexer, 0) != ']' || lexer->at == name) {
            lexer->at = start;
            return false;
        }
        token->value = -1;
        token->text = arena_strndup(lexer->arena, lexer->text + name, lexer->at - name);
        ++lexer->at;
    } else {
        return false;
    }
    token->kind = PTX_TOKEN_ARGUMENT;
    return true;
}

// Appends the next character of a name to `out`; false where the name ends. `%=` and `${:uid}`
// stand for a number that is the same all over one statement: any fixed text will do.
static bool read_name_part(struct ptx_lexer *lexer, char *out, size_t *length)
{
    char c = peek(lexer, 0);
    if (is_name(c)) {
        out[(*length)++] = c;
        ++lexer->at;
    } else if (starts_with(lexer, "%=")) {
        out[(*length)++] = '=';
        lexer->at += 2;
    } else if (starts_with(lexer, "${:uid}")) {
        out[(*length)++] = '=';
        lexer->at += 7;
    } else if (starts_with(lexer, "$$")) {
        out[(*length)++] = '$';
        lexer->at += 2;
    } else if (c == '$' && peek(lexer, 1) != '{') {
        out[(*length)++] = '$';
        ++lexer->at;
    } else if (c == '%' && is_digit(peek(lexer, 1))) { // a label with an operand in its name
        out[(*length)++] = '%';
        ++lexer->at;
    } else {
        return false;
    }
    return *length < NAME_LIMIT - 2;
}

static struct ptx_token read_word(struct ptx_lexer *lexer, struct ptx_token token)
{
    char name[NAME_LIMIT];
    size_t length = 0;
    if (peek(lexer, 0) == '%' && peek(lexer, 1) != '=') {
        name[length++] = '%';
        lexer->at += peek(lexer, 1) == '%' ? 2 : 1;
    }
    while (read_name_part(lexer, name, &length))
        continue;
    if (length >= NAME_LIMIT - 2)
        return bad(token, "the name is too long");
    if (length == 0 || (length == 1 && name[0] == '%'))
        return bad(token, "a name is expected after the escape character");
    token.kind = PTX_TOKEN_WORD;
    token.text = arena_strndup(lexer->arena, name, length);
    return token;
}

// ".shared::cluster", ".L2::128B", ".2d": the parts around "::" belong together.
static struct ptx_token read_dotted(struct ptx_lexer *lexer, struct ptx_token token)
{
    size_t start = ++lexer->at;
    for (;;) {
        if (is_name(peek(lexer, 0)))
            ++lexer->at;
        else if (starts_with(lexer, "::") && is_name(peek(lexer, 2)))
            lexer->at += 2;
        else
            break;
    }
    if (lexer->at == start)
        return bad(token, "a modifier is expected after '.'");
    token.kind = PTX_TOKEN_DOTTED;
    token.text = arena_strndup(lexer->arena, lexer->text + start, lexer->at - start);
    return token;
}

static int64_t bits_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX.
static bool read_hex_float(struct ptx_lexer *lexer, struct ptx_token *token)
{
    char kind = (char)tolower((unsigned char)peek(lexer, 1));
    if (peek(lexer, 0) != '0' || (kind != 'f' && kind != 'd'))
        return false;
    size_t digits = kind == 'f' ? 8 : 16;
    uint64_t bits = 0;
    for (size_t i = 0; i < digits; ++i) {
        char c = peek(lexer, 2 + i);
        if (!isxdigit((unsigned char)c))
            return false;
        bits = bits << 4 | (uint64_t)(is_digit(c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
    }
    lexer->at += 2 + digits;
    token->kind = PTX_TOKEN_FLOAT;
    token->value = (int64_t)bits;
    if (kind == 'f') {
        uint32_t narrow = (uint32_t)bits;
        float single;
        memcpy(&single, &narrow, sizeof single);
        token->value = bits_of((double)single);
    }
    return true;
}

static struct ptx_token read_number(struct ptx_lexer *lexer, struct ptx_token token)
{
    if (read_hex_float(lexer, &token))
        return token;
    const char *start = lexer->text + lexer->at;
    size_t length = 0;
    while (is_digit(start[length]))
        ++length;
    bool is_float = start[length] == '.' && is_digit(start[length + 1]);
    if (!is_float && (start[length] == 'e' || start[length] == 'E')) {
        size_t sign = start[length + 1] == '+' || start[length + 1] == '-';
        is_float = is_digit(start[length + 1 + sign]);
    }
    char *end = NULL;
    if (is_float) {
        token.kind = PTX_TOKEN_FLOAT;
        token.value = bits_of(strtod(start, &end));
    } else {
        token.kind = PTX_TOKEN_INTEGER;
        bool binary = start[0] == '0' && (start[1] == 'b' || start[1] == 'B');
        token.value = (int64_t)(binary ? strtoull(start + 2, &end, 2) : strtoull(start, &end, 0));
    }
    lexer->at = (size_t)(end - lexer->text);
    if (!is_float && (peek(lexer, 0) == 'U' || peek(lexer, 0) == 'u'))
        ++lexer->at;
    if (is_name(peek(lexer, 0)))
        return bad(token, "the number is not a PTX constant");
    return token;
}

static struct ptx_token read_string(struct ptx_lexer *lexer, struct ptx_token token)
{
    size_t start = ++lexer->at;
    while (peek(lexer, 0) && peek(lexer, 0) != '"')
        ++lexer->at;
    if (peek(lexer, 0) != '"')
        return bad(token, "the string does not end");
    token.kind = PTX_TOKEN_STRING;
    token.text = arena_strndup(lexer->arena, lexer->text + start, lexer->at - start);
    ++lexer->at;
    return token;
}

struct ptx_token ptx_lexer_next(struct ptx_lexer *lexer)
{
    struct ptx_token token = {.text = ""};
    bool closed = skip_blanks(lexer);
    token.offset = (uint32_t)lexer->at;
    if (!closed)
        return bad(token, "the comment does not end");
    if (lexer->at >= lexer->length)
        return token;
    char c = peek(lexer, 0);
    if (read_argument(lexer, &token))
        return token;
    if (isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%')
        return read_word(lexer, token);
    if (is_digit(c))
        return read_number(lexer, token);
    if (c == '.')
        return read_dotted(lexer, token);
    if (c == '"')
        return read_string(lexer, token);
    if (!strchr(";,:{}[]()|@!+-*/<>=~&^?", c))
        return bad(token, "the character has no meaning in PTX");
    ++lexer->at;
    token.kind = PTX_TOKEN_MARK;
    token.mark = c;
    return token;
}
