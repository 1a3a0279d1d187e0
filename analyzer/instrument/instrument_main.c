// barlint-instrument [--sites|--relocatable] MODULE.ptx [HOOKS.ptx]: prints the module
// instrumented, joined with the hooks where they are given and it needs them; with --sites its
// table instead.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "barlint/runtime_check/hooks.h"
#include "base/vec.h"
#include "instrument/instrument.h"

static char *read_all(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(3);
    }
    char *text = NULL;
    size_t size = 0;
    FILE *all = open_memstream(&text, &size);
    char part[1 << 16];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        fwrite(part, 1, got, all);
    fclose(all);
    fclose(file);
    *out_length = size;
    return text;
}

static void print_sites(const struct instrumented *module)
{
    for (uint32_t i = 0; i < module->site_count; ++i) {
        const struct instrument_site *site = &module->site[i];
        printf("%u: %s:%u:%u %s in %s", i, site->file, site->line, site->column,
               *site->instruction ? site->instruction : "-", site->function);
        if (site->inlined_at)
            printf(", inlined at %u", site->inlined_at - 1);
        if (site->bypassed)
            printf(site->bypassed == BARLINT_RT_BYPASSED ? ", bypassed" : ", perhaps bypassed");
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    bool sites = argc > 1 && strcmp(argv[1], "--sites") == 0;
    bool relocatable = argc > 1 && strcmp(argv[1], "--relocatable") == 0;
    char **file = argv + 1 + (sites || relocatable);
    int count = argc - 1 - (sites || relocatable);
    if (count < 1 || count > 2) {
        fprintf(stderr,
                "usage: barlint-instrument [--sites|--relocatable] MODULE.ptx [HOOKS.ptx]\n");
        return 2;
    }
    size_t length;
    char *text = read_all(file[0], &length);
    struct instrument_options options = {.module = 1, .is_relocatable = relocatable};
    struct instrumented module;
    instrument_ptx(&module, text, length, &options);
    for (ptrdiff_t i = 0; i < shlen(module.left); ++i)
        fprintf(stderr, "left alone: %u %s\n", module.left[i].value, module.left[i].key);
    if (sites) {
        print_sites(&module);
    } else if (count == 2 && !instrumented_is_needed(&module)) {
        fwrite(text, 1, length, stdout);
    } else if (count == 2) {
        size_t library_length;
        char *library = read_all(file[1], &library_length);
        instrument_join(stdout, &module, library, library_length);
        free(library);
    } else {
        fwrite(module.text, 1, module.length, stdout);
    }
    instrumented_release(&module);
    free(text);
    return 0;
}
