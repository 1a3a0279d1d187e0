// Text documents as an editor sees them: named by URIs, with positions in lines and characters, and
// changed by edits of ranges (Language Server Protocol 3.17, "Text Documents").
#ifndef BARLINT_LSP_DOCUMENT_H
#define BARLINT_LSP_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"

// What the characters of a position count. The editor chooses; UTF-16 is what all understand.
enum lsp_encoding { LSP_UTF16, LSP_UTF8 };

// From 0 on.
struct lsp_position {
    uint32_t line, character;
};

struct lsp_range {
    struct lsp_position start, end;
};

struct lsp_document {
    char *uri, *path; // the editor's own spelling; an absolute path
    char *text;       // stb_ds array with a NUL byte at its end
    int64_t version;
    bool is_cuda; // by its name or by what the editor says
};

// `text` may hold no NUL byte.
void lsp_document_init(struct lsp_document *document, const char *uri, const char *path,
                       const char *text);
void lsp_document_release(struct lsp_document *document);
size_t lsp_document_length(const struct lsp_document *document); // bytes

// Replaces the whole text, or a range of it. Positions behind the end of a line or of the text mean
// that end; a range that ends before it starts is empty.
void lsp_document_set(struct lsp_document *document, const char *text, size_t length);
void lsp_document_edit(struct lsp_document *document, struct lsp_range range,
                       enum lsp_encoding encoding, const char *text, size_t length);

// The offset of a position in bytes.
size_t lsp_offset(const char *text, size_t length, struct lsp_position position,
                  enum lsp_encoding encoding);

// How many characters the bytes of a piece of a line are. A byte that is not UTF-8 counts as one.
uint32_t lsp_width(const char *text, size_t length, enum lsp_encoding encoding);

// Reads {"line", "character"} and {"start", "end"}. False for anything else.
bool lsp_position_read(const json_t *json, struct lsp_position *out);
bool lsp_range_read(const json_t *json, struct lsp_range *out);
json_t *lsp_range_to_json(struct lsp_range range);
bool lsp_range_touches(struct lsp_range a, struct lsp_range b);
bool lsp_range_holds(struct lsp_range outer, struct lsp_range inner);

// The absolute path of a file: URI, tidied; NULL for other URIs. Then the URI of an absolute path.
char *lsp_path(struct arena *arena, const char *uri);
char *lsp_uri(struct arena *arena, const char *path);

#endif
