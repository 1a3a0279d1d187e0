// The frames of the base protocol (Language Server Protocol 3.17, "Base Protocol"): a header with
// the length of the content, an empty line, the content. Any bytes may come in any portions.
#ifndef BARLINT_LSP_STREAM_H
#define BARLINT_LSP_STREAM_H

#include <stdbool.h>
#include <stddef.h>

enum {
    LSP_LONGEST_HEADER = 4096,
    LSP_LARGEST_CONTENT = 64 * 1024 * 1024,
};

struct lsp_stream {
    char *text;   // stb_ds array: bytes that came
    size_t at;    // of these, how many are used up
    bool is_lost; // behind a broken header: what follows is no frame before the next length
};

enum lsp_taken {
    LSP_TAKEN_NOTHING, // more bytes must come first
    LSP_TAKEN_CONTENT,
    LSP_TAKEN_BROKEN, // what came is no frame; the next one that can be recognised comes next
};

void lsp_stream_add(struct lsp_stream *stream, const char *bytes, size_t length);

// Takes the next content, which is good until the next call with the stream.
enum lsp_taken lsp_stream_take(struct lsp_stream *stream, const char **out_content,
                               size_t *out_length);

void lsp_stream_release(struct lsp_stream *stream);

#endif
