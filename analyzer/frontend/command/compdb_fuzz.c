// Any bytes as a compile database: reading, asking and splitting must end and stay in bounds.
#include <stdint.h>
#include <stdlib.h>

#include "base/vec.h"
#include "frontend/command/compdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena);
    struct compile_database database;
    struct error error = {0};
    if (compile_database_parse(&arena, "/p/compile_commands.json", (const char *)data, size,
                               &database, &error)) {
        struct compile_command **cuda = NULL;
        compile_database_cuda(&database, &cuda);
        if ((size_t)arrlen(cuda) > database.count) {
            abort();
        }
        for (size_t i = 0; i < database.count; i++) {
            struct compile_command *entry = &database.entry[i];
            // Every entry is found again by its own name.
            struct compile_command *at = compile_database_first(&database, entry->file);
            while (at && at != entry) {
                at = compile_database_next(&database, at);
            }
            if (!at) {
                abort();
            }
            compile_command_words(&arena, entry);
        }
        arrfree(cuda);
        compile_database_release(&database);
    } else if (error.kind == ERROR_NONE || !error.text[0]) {
        abort();
    }
    arena_release(&arena);
    return 0;
}
