#define _GNU_SOURCE
#include "driver/reuse/key.h"

#include <elf.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "driver/unit/links.h"
#include "frontend/frontend.h"

// --- The run -------------------------------------------------------------------------------------

struct program {
    struct digester *digester;
    bool known; // of the program itself
};

// The linker gives each program and library a note with a digest of what it made.
static bool add_build_id(struct digester *digester, const struct dl_phdr_info *object)
{
    for (size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(object->dlpi_addr + part->p_vaddr);
        const char *end = at + part->p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
            const char *name = at + sizeof *note;
            const char *content = name + ((note->n_namesz + 3) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0) {
                digester_add(digester, content, note->n_descsz);
                return true;
            }
            at = content + ((note->n_descsz + 3) & ~3u);
        }
    }
    return false;
}

static int add_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct program *program = context;
    bool is_main = object->dlpi_name[0] == '\0';
    if (!is_main && !strchr(object->dlpi_name, '/'))
        return 0; // the kernel's
    bool known = add_build_id(program->digester, object);
    if (is_main)
        program->known = known;
    else if (!known)
        digester_text(program->digester, object->dlpi_name);
    return 0;
}

// Variables that change what a parse reads or defines.
static void add_environment(struct digester *digester)
{
    static const char *const name[] = {
        "CPATH",
        "C_INCLUDE_PATH",
        "CPLUS_INCLUDE_PATH",
        "CCC_ADD_ARGS",
        "CCC_OVERRIDE_OPTIONS",
        "SOURCE_DATE_EPOCH",
        "COMPILER_PATH",
        "GCC_EXEC_PREFIX",
        "CLANG_NO_DEFAULT_CONFIG",
        "CLANG_CONFIG_FILE_SYSTEM_DIR",
        "CLANG_CONFIG_FILE_USER_DIR",
    };
    for (size_t i = 0; i < sizeof name / sizeof name[0]; ++i)
        digester_text(digester, getenv(name[i]));
}

// clang takes the C++ library of the newest gcc that it finds.
static void add_compilers(struct digester *digester)
{
    glob_t found = {0};
    if (glob("/usr/lib/gcc/*/*", GLOB_NOSORT, NULL, &found) == 0) {
        uint64_t sum = 0; // in whatever order they come
        for (size_t i = 0; i < found.gl_pathc; ++i)
            sum += digest_of(found.gl_pathv[i], strlen(found.gl_pathv[i])).low;
        digester_number(digester, sum);
    }
    globfree(&found);
}

bool key_of_run(struct digest *out)
{
    struct program program = {.digester = digester_new()};
    dl_iterate_phdr(add_object, &program);
    digester_text(program.digester, BARLINT_VERSION);
    digester_text(program.digester, frontend_clang_version());
    add_environment(program.digester);
    add_compilers(program.digester);
    *out = digester_end(program.digester);
    return program.known;
}

// --- The unit -----------------------------------------------------------------------------------

static void add_translation(struct digester *digester, const struct translation *translation)
{
    digester_text(digester, translation->directory);
    digester_text(digester, translation->file);
    digester_number(digester, translation->count);
    for (size_t i = 0; i < translation->count; ++i)
        digester_text(digester, translation->argument[i]);
    digester_number(digester, (uint64_t)translation->arch.number);
    digester_number(digester, (uint64_t)translation->arch.suffix);
    digester_number(digester, translation->assumed);
}

struct digest key_of_unit(const struct digest *run, const struct options *options,
                          const struct unit *unit, const struct translation_list *list)
{
    struct digester *digester = digester_new();
    digester_add(digester, run, sizeof *run);
    digester_number(digester, list->count);
    for (size_t i = 0; i < list->count; ++i)
        add_translation(digester, &list->item[i]);
    const struct rule **rules = unit_rules(options, unit);
    for (ptrdiff_t i = 0; rules[i]; ++i)
        digester_text(digester, rules[i]->id);
    arrfree(rules);
    digester_text(digester, unit->config->path ? "configured" : NULL);
    digester_add(digester, &unit->config->content, sizeof unit->config->content);
    // Drawings are a part of the result, of the findings that show.
    digester_number(digester, options->draws_schedules ? 1u + options->pedantic : 0);
    if (unit->foreign)
        digester_add(digester, &unit->foreign->digest, sizeof unit->foreign->digest);
    return digester_end(digester);
}

struct digest key_of_command(const struct compile_command *command)
{
    struct digester *digester = digester_new();
    digester_text(digester, command->directory);
    digester_text(digester, command->text);
    for (size_t i = 0; !command->text && i < command->argument_count; ++i)
        digester_text(digester, command->argument[i]);
    return digester_end(digester);
}
