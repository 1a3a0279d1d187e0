// Any text is instrumented, joined with a library made of the same text, and its table printed:
// all must come back, and places must name places before them or callers in the table.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/instrument.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    struct instrument_options options = {.module = 7, .first_site = 100};
    struct instrumented module;
    instrument_ptx(&module, text, size, &options);
    // setmaxnreg is taken out without a place.
    if (module.count == 0 && module.site_count == 0 && !strstr(text, "setmaxnreg") &&
        strlen(text) == size && (module.length != size || memcmp(module.text, text, size) != 0))
        abort();
    for (uint32_t i = 0; i < module.site_count; ++i) {
        uint32_t caller = module.site[i].inlined_at;
        if (caller && (caller <= 100 + i + 1 || caller > 100 + module.site_count))
            abort();
    }
    char *joined = NULL;
    size_t joined_size = 0;
    FILE *out = open_memstream(&joined, &joined_size);
    instrument_join(out, &module, text, size);
    instrument_registration(out, 7, module.site, module.site_count);
    fclose(out);
    if (joined_size < module.length || module.head > module.length)
        abort();
    free(joined);
    instrumented_release(&module);
    free(text);
    return 0;
}
