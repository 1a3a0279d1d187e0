// Any bytes, in portions of any size, are a stream: what is taken lies within the limits, and does
// not depend on the portions.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lsp/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t take_all(const char *bytes, size_t size, size_t portion)
{
    struct lsp_stream stream = {0};
    uint64_t hash = 0;
    for (size_t at = 0; at < size; at += portion) {
        const char *content;
        size_t length;
        enum lsp_taken taken;
        lsp_stream_add(&stream, bytes + at, size - at < portion ? size - at : portion);
        while ((taken = lsp_stream_take(&stream, &content, &length)) != LSP_TAKEN_NOTHING) {
            if (taken == LSP_TAKEN_CONTENT && length > size)
                abort();
            hash = taken == LSP_TAKEN_CONTENT ? XXH64(content, length, hash + 1) : hash + 2;
        }
    }
    lsp_stream_release(&stream);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    uint64_t hash = take_all(bytes, size, size + 1);
    if (take_all(bytes, size, 1) != hash || take_all(bytes, size, 7) != hash)
        abort();
    return 0;
}
