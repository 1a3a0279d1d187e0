// Any bytes are a source file to the comment scanner and to the reader of suppressions.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    struct source source = {.path = "fuzz.cu", .text = text, .length = size};
    struct arena arena;
    arena_init(&arena);
    source_scan(&source);
    struct suppression *found = suppressions_find(&source, &arena);
    for (ptrdiff_t i = 0; i < arrlen(found); ++i) {
        // What a suppression covers lies in the file.
        if (found[i].from <= found[i].to &&
            (found[i].from == 0 || found[i].from > arrlenu(source.line) + 1))
            abort();
        suppressions_match(found, found[i].rule, found[i].line, found[i].line);
    }
    arrfree(found);
    source_clear(&source);
    arena_release(&arena);
    free(text);
    return 0;
}
