// Any text: it is refused with a message, or it reads, and then what is printed reads back to the
// same text.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *print(const struct ir_unit *unit, size_t *out_length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, out_length);
    if (!out)
        abort();
    ir_print_unit(out, unit);
    fclose(out);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ir_unit unit;
    struct error error = {0};
    if (!ir_read_unit(&unit, (const char *)data, size, &error)) {
        if (error.text[0] == '\0')
            abort();
        return 0;
    }
    bool good = ir_verify_unit(&unit, &error);
    if (!good && error.text[0] == '\0')
        abort();
    size_t length, again_length;
    char *text = print(&unit, &length);
    ir_unit_release(&unit);

    if (!ir_read_unit(&unit, text, length, &error)) {
        fprintf(stderr, "what was printed is refused: %s\n%s", error.text, text);
        abort();
    }
    if (good != ir_verify_unit(&unit, &error)) {
        fprintf(stderr, "printing and reading changed the verdict: %s\n%s", error.text, text);
        abort();
    }
    char *again = print(&unit, &again_length);
    if (length != again_length || memcmp(text, again, length) != 0) {
        fprintf(stderr, "the texts differ:\n%s\n---\n%s", text, again);
        abort();
    }
    ir_unit_release(&unit);
    free(text);
    free(again);
    return 0;
}
