// A patch that anybody may have written.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/changes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct changes changes;
    changes_init(&changes);
    changes_read_patch(&changes, "/r", text, size);
    changes_release(&changes);
    free(text);
    return 0;
}
