// Splits inline PTX into tokens. Used by the parser only.
#ifndef BARLINT_MODEL_PTX_TOKEN_H
#define BARLINT_MODEL_PTX_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_BAD,      // text says what is wrong
    PTX_TOKEN_WORD,     // name, with a leading '%' where it has one; escapes are resolved
    PTX_TOKEN_DOTTED,   // ".shared::cluster" without the dot
    PTX_TOKEN_INTEGER,  // value
    PTX_TOKEN_FLOAT,    // value holds the bits of a double
    PTX_TOKEN_ARGUMENT, // value is the operand number, or -1 and text the operand's name
    PTX_TOKEN_STRING,
    PTX_TOKEN_MARK, // one character of punctuation: mark; "<<" and ">>" are '<' and '>' twice
};

struct ptx_token {
    enum ptx_token_kind kind;
    char mark;
    const char *text; // owned by the arena
    int64_t value;
    uint32_t offset; // bytes from the start of the text
};

struct ptx_lexer {
    struct arena *arena;
    const char *text;
    size_t length, at;
};

void ptx_lexer_init(struct ptx_lexer *lexer, struct arena *arena, const char *text);

// The next token. After PTX_TOKEN_END or PTX_TOKEN_BAD there is none.
struct ptx_token ptx_lexer_next(struct ptx_lexer *lexer);

// Skips to the end of the line or to a semicolon in it, for directives that end there.
void ptx_lexer_skip_line(struct ptx_lexer *lexer);

#endif
