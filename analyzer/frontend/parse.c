// One parse: libclang's syntax tree, what it complains about, the files that it read.
#include "frontend/command/resource.h"
#include "frontend/lower.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// --- Diagnostics -----------------------------------------------------------------------------

// What clang rejects and nvcc accepts without losing anything that matters here: the declaration
// or statement stays in the tree as it is.
static bool is_harmless(const char *text)
{
    static const char *const harmless[] = {
        "invalid % escape in inline assembly string",
        "invalid operand number in inline asm string",
        "cannot be narrowed",
        "does not allow 'register'",
        "'alignas' attribute cannot be applied to types",
        "an attribute list cannot appear here",
        "requested alignment is less than minimum alignment",
        "static assertion failed",
        "static_assert failed",
        "cannot use 'throw' in",
        "cannot use 'try' in",
        "reference to __host__ function",
        "reference to __device__ function",
        "reference to __global__ function",
        "reference to __host__ variable",
        "kernel launch from __device__ or __global__ function requires",
        "CUDA version is newer",
        "' redeclared with '",                    // 'private' access
        "because its type does not have linkage", // barlint's own headers define no members
    };
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; ++i)
        if (strstr(text, harmless[i]))
            return true;
    return false;
}

static void note_missing_header(struct frontend_report *report, const char *text)
{
    const char *end = strstr(text, "' file not found");
    if (!end || *text != '\'')
        return;
    const char *name = arena_strndup(&report->arena, text + 1, (size_t)(end - text - 1));
    for (ptrdiff_t i = 0; i < arrlen(report->missing_header); ++i)
        if (strcmp(report->missing_header[i], name) == 0)
            return;
    arrput(report->missing_header, name);
}

// Adds a complaint of clang's to the report. `*file` and `*offset` say where it is about.
static struct frontend_diagnostic *add_diagnostic(struct frontend_report *report,
                                                  CXDiagnostic diagnostic, CXFile *file,
                                                  unsigned *offset)
{
    struct frontend_diagnostic entry = {.path = ""};
    *file = NULL;
    clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), file, &entry.line,
                               &entry.column, offset);
    if (*file)
        entry.path = take_string(&report->arena, clang_getFileName(*file));
    entry.text = take_string(&report->arena, clang_getDiagnosticSpelling(diagnostic));
    switch (clang_getDiagnosticSeverity(diagnostic)) {
    case CXDiagnostic_Fatal:
        entry.severity = FRONTEND_FATAL;
        break;
    case CXDiagnostic_Error:
        entry.severity = FRONTEND_ERROR;
        break;
    case CXDiagnostic_Warning:
        entry.severity = FRONTEND_WARNING;
        break;
    default:
        entry.severity = FRONTEND_NOTE;
        break;
    }
    // What has an option is a warning, and an error only by -Werror or a pragma.
    const char *option = take_string(&report->arena, clang_getDiagnosticOption(diagnostic, NULL));
    entry.is_harmless = entry.severity < FRONTEND_ERROR || *option || is_harmless(entry.text);
    arrput(report->diagnostic, entry);
    return &report->diagnostic[arrlen(report->diagnostic) - 1];
}

static void collect_diagnostics(struct lowering *u)
{
    // libclang makes the whole set anew for each single one that it is asked for by number.
    CXDiagnosticSet all = clang_getDiagnosticSetFromTU(u->tu);
    unsigned count = clang_getNumDiagnosticsInSet(all);
    for (unsigned i = 0; i < count; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnosticInSet(all, i);
        CXFile file;
        unsigned offset = 0;
        const struct frontend_diagnostic *entry =
            add_diagnostic(u->report, diagnostic, &file, &offset);
        if (strstr(entry->text, "file not found"))
            note_missing_header(u->report, entry->text);
        else if (!entry->is_harmless && file)
            arrput(u->error_at, ((struct error_extent){file, offset}));
        clang_disposeDiagnostic(diagnostic);
    }
    clang_disposeDiagnosticSet(all);
}

static size_t count_losses(CXTranslationUnit tu, struct arena *arena)
{
    size_t losses = 0;
    CXDiagnosticSet all = clang_getDiagnosticSetFromTU(tu);
    unsigned count = clang_getNumDiagnosticsInSet(all);
    for (unsigned i = 0; i < count; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnosticInSet(all, i);
        losses += clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
                  !is_harmless(take_string(arena, clang_getDiagnosticSpelling(diagnostic)));
        clang_disposeDiagnostic(diagnostic);
    }
    clang_disposeDiagnosticSet(all);
    return losses;
}

// --- Files -----------------------------------------------------------------------------------

// What declares the names that nothing else does; it exists in memory only.
#define UNDECLARED_FILE "/barlint-undeclared.h"

struct file_list {
    CXTranslationUnit tu;
    struct arena *arena;
    struct frontend_file *file; // stb_ds array
    const char **stand_in;      // stb_ds array
};

// What stands in the path behind the folder of barlint's own declarations of torch, or NULL.
static const char *stand_in_name(const char *path)
{
    const char *at = strstr(path, "/" RESOURCE_TORCH "/");
    return at ? at + sizeof RESOURCE_TORCH + 1 : NULL;
}

// Notes the header where it stands in for one that a file of the user's wants.
static void note_stand_in(struct file_list *list, const char *path, CXSourceLocation included_at)
{
    const char *name = stand_in_name(path);
    CXFile file = NULL;
    if (name)
        clang_getExpansionLocation(included_at, &file, NULL, NULL, NULL);
    if (file && !stand_in_name(take_string(list->arena, clang_getFileName(file))))
        arrput(list->stand_in, name);
}

static void collect_file(CXFile file, CXSourceLocation *stack, unsigned length, CXClientData data)
{
    struct file_list *list = data;
    struct frontend_file one = {take_string(list->arena, clang_getFileName(file)),
                                is_system_file(list->tu, file)};
    if (strcmp(one.path, UNDECLARED_FILE) != 0)
        arrput(list->file, one);
    if (length > 0)
        note_stand_in(list, one.path, stack[0]);
}

// Every file a parse read, and which of them stand in for others: two stb_ds arrays.
static struct frontend_file *files_of(CXTranslationUnit tu, struct arena *arena,
                                      const char ***stand_in)
{
    struct file_list list = {.tu = tu, .arena = arena};
    clang_getInclusions(tu, collect_file, &list);
    *stand_in = list.stand_in;
    return list.file;
}

// --- Parsing ---------------------------------------------------------------------------------

// libclang takes a failed allocation for a crash. What it held then is lost, not free again.
static bool is_short_of_memory(void)
{
    enum { PLENTY = 64 * 1024 * 1024 };
    void *probe = mmap(NULL, PLENTY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return true;
    munmap(probe, PLENTY);
    return false;
}

static const char *parse_failure(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Crashed:
        return is_short_of_memory() ? "it needs more memory than it may have" : "libclang crashed";
    case CXError_InvalidArguments:
        return "libclang rejected the arguments";
    case CXError_ASTReadError:
        return "the precompiled header could not be read";
    default:
        return "libclang could not parse it";
    }
}

// `first`: a header to include before all others but the precompiled one, or NULL.
static CXTranslationUnit parse(const struct frontend_job *job, CXIndex index,
                               const struct frontend_unsaved *files, const char *first,
                               struct error *error)
{
    const char **argument = NULL;
    struct CXUnsavedFile *unsaved = NULL;
    for (size_t i = 0; i < job->argument_count; ++i)
        arrput(argument, job->argument[i]);
    if (job->pch) {
        arrput(argument, "-include-pch");
        arrput(argument, job->pch);
        // All headers in it count as a system's, which clang else believes to be unchanged.
        arrput(argument, "-Xclang");
        arrput(argument, "-fmodules-validate-system-headers");
    }
    if (first) {
        arrput(argument, "-include");
        arrput(argument, first);
    }
    arrput(argument, "-ferror-limit=0");
    arrput(argument, "-fno-spell-checking"); // what a name may have meant is taken for the name
    for (ptrdiff_t i = 0; i < arrlen(files); ++i)
        arrput(unsaved, ((struct CXUnsavedFile){files[i].path, files[i].text, files[i].length}));
    CXTranslationUnit tu = NULL;
    unsigned options = CXTranslationUnit_KeepGoing;
    if (job->wants_outline)
        options |= CXTranslationUnit_DetailedPreprocessingRecord; // knows the skipped lines
    enum CXErrorCode code =
        clang_parseTranslationUnit2(index, job->main_file, argument, (int)arrlen(argument), unsaved,
                                    (unsigned)arrlen(unsaved), options, &tu);
    arrfree(argument);
    arrfree(unsaved);
    if (code != CXError_Success || !tu) {
        error_set(error, ERROR_ENVIRONMENT, "cannot parse '%s': %s", job->main_file,
                  parse_failure(code));
        return NULL;
    }
    return tu;
}

// Parses, cures what can be cured of what clang refuses, and parses again.
static CXTranslationUnit parse_repaired(struct lowering *u, struct error *error)
{
    enum { ROUNDS = 3 }; // what an instance lacks shows once the template is read
    const struct frontend_job *job = u->job;
    for (size_t i = 0; i < job->unsaved_count; ++i)
        arrput(u->unsaved, job->unsaved[i]);
    CXTranslationUnit tu = parse(job, u->index, u->unsaved, NULL, error);
    for (int i = 0; tu && i < ROUNDS && repair(&u->arena, tu, &u->unsaved); ++i) {
        CXTranslationUnit better = parse(job, u->index, u->unsaved, NULL, NULL);
        if (!better)
            break;
        clang_disposeTranslationUnit(tu);
        tu = better;
    }
    return tu;
}

// Once more, behind declarations of the names that nothing declares. Returns whether there are some
// and that makes nothing worse. (Of a launch with two such names clang names the first only.)
static bool parse_declared(struct lowering *u)
{
    unsigned *complaint = declare_unknown(&u->arena, u->tu, &u->undeclared);
    CXTranslationUnit better = NULL;
    if (arrlen(complaint) > 0 && u->undeclared) {
        struct frontend_unsaved file = {UNDECLARED_FILE, u->undeclared, strlen(u->undeclared)};
        arrput(u->unsaved, file);
        better = parse(u->job, u->index, u->unsaved, UNDECLARED_FILE, NULL);
        (void)arrpop(u->unsaved);
    }
    bool is_better = better && count_losses(better, &u->arena) <= count_losses(u->tu, &u->arena);
    // What the file lacks, it lacks also where a declaration of barlint's own makes up for it.
    CXDiagnosticSet all = clang_getDiagnosticSetFromTU(u->tu);
    for (ptrdiff_t i = 0; is_better && i < arrlen(complaint); ++i) {
        CXDiagnostic diagnostic = clang_getDiagnosticInSet(all, complaint[i]);
        CXFile file;
        unsigned offset = 0;
        add_diagnostic(u->report, diagnostic, &file, &offset);
        clang_disposeDiagnostic(diagnostic);
    }
    clang_disposeDiagnosticSet(all);
    arrfree(complaint);
    if (better)
        clang_disposeTranslationUnit(is_better ? u->tu : better);
    if (is_better)
        u->tu = better;
    return is_better;
}

bool parse_unit(struct lowering *u, struct error *error)
{
    enum { ROUNDS = 3 };
    u->tu = parse_repaired(u, error);
    if (!u->tu)
        return false;
    for (int i = 0; i < ROUNDS && parse_declared(u); ++i)
        ;
    collect_diagnostics(u);
    u->report->file = files_of(u->tu, &u->report->arena, &u->report->stand_in);
    return true;
}

bool frontend_precompile(const char *const *argument, size_t argument_count, const char *header,
                         const char *path, struct arena *arena, struct frontend_file **out_file,
                         struct error *error)
{
    // Templates that the headers themselves use are instantiated here, not again in every unit that
    // loads the result: of a unit's time that is the larger part.
    const char **own = NULL;
    for (size_t i = 0; i < argument_count; ++i)
        arrput(own, argument[i]);
    arrput(own, "-fpch-instantiate-templates");
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit tu = NULL;
    enum CXErrorCode code = clang_parseTranslationUnit2(
        index, header, own, (int)arrlen(own), NULL, 0,
        CXTranslationUnit_ForSerialization | CXTranslationUnit_KeepGoing, &tu);
    arrfree(own);
    bool done = code == CXError_Success && tu;
    if (!done)
        error_set(error, ERROR_ENVIRONMENT, "cannot precompile '%s': %s", header,
                  parse_failure(code));
    if (done &&
        clang_saveTranslationUnit(tu, path, clang_defaultSaveOptions(tu)) != CXSaveError_None)
        done = error_set(error, ERROR_ENVIRONMENT, "cannot write '%s'", path);
    const char **stand_in = NULL;
    if (done)
        *out_file = files_of(tu, arena, &stand_in);
    arrfree(stand_in);
    if (tu)
        clang_disposeTranslationUnit(tu);
    clang_disposeIndex(index);
    return done;
}

const char *frontend_clang_version(void)
{
    static char version[128];
    if (!version[0]) {
        CXString text = clang_getClangVersion();
        snprintf(version, sizeof version, "%s", clang_getCString(text));
        clang_disposeString(text);
    }
    return version;
}
