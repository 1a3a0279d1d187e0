// One translation unit: parsing, diagnostics, the worklist of functions, the report.
#include "frontend/lower.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"

enum {
    DEFAULT_FUNCTIONS = 100000,
    DEFAULT_OPS = 4000000,
    DEFAULT_SECONDS = 120,
};

double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void count_opaque(struct lowering *u, const char *reason)
{
    ptrdiff_t known = shgeti(u->opaque_count, reason);
    if (known >= 0)
        ++u->opaque_count[known].value;
    else
        shput(u->opaque_count, arena_strdup(&u->arena, reason), 1);
}

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
        "' redeclared with '", // 'private' access
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

static void collect_diagnostics(struct lowering *u)
{
    struct frontend_report *report = u->report;
    unsigned count = clang_getNumDiagnostics(u->tu);
    for (unsigned i = 0; i < count; ++i) {
        CXDiagnostic diagnostic = clang_getDiagnostic(u->tu, i);
        struct frontend_diagnostic entry = {.path = ""};
        CXFile file = NULL;
        unsigned offset = 0;
        clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, &entry.line,
                                   &entry.column, &offset);
        if (file)
            entry.path = take_string(&report->arena, clang_getFileName(file));
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
        const char *option =
            take_string(&report->arena, clang_getDiagnosticOption(diagnostic, NULL));
        entry.is_harmless = entry.severity < FRONTEND_ERROR || *option || is_harmless(entry.text);
        if (strstr(entry.text, "file not found"))
            note_missing_header(report, entry.text);
        else if (!entry.is_harmless && file)
            arrput(u->error_at, ((struct error_extent){file, offset}));
        arrput(report->diagnostic, entry);
        clang_disposeDiagnostic(diagnostic);
    }
}

struct file_list {
    CXTranslationUnit tu;
    struct arena *arena;
    struct frontend_file *file; // stb_ds array
};

static void collect_file(CXFile file, CXSourceLocation *stack, unsigned length, CXClientData data)
{
    (void)stack;
    (void)length;
    struct file_list *list = data;
    CXSourceLocation start = clang_getLocationForOffset(list->tu, file, 0);
    struct frontend_file one = {take_string(list->arena, clang_getFileName(file)),
                                clang_Location_isInSystemHeader(start) != 0};
    arrput(list->file, one);
}

// Every file a parse read, an stb_ds array.
static struct frontend_file *files_of(CXTranslationUnit tu, struct arena *arena)
{
    struct file_list list = {.tu = tu, .arena = arena};
    clang_getInclusions(tu, collect_file, &list);
    return list.file;
}

// The version of CUDA's C++ library, where something of it is used: what the version header defines
// that lies beside. (What a precompiled header has read is in no list of libclang's.)
static uint32_t cccl_version(struct lowering *u)
{
    static const char *const folder[] = {"/cuda/std/", "/cuda/__"};
    static const char header[] = "/cuda/std/__cccl/version.h", macro[] = "#define CCCL_VERSION ";
    for (ptrdiff_t i = 1; i < arrlen(u->unit->file); ++i) {
        const char *path = u->unit->file[i].path, *inside = strstr(path, folder[0]);
        if (!inside)
            inside = strstr(path, folder[1]);
        if (!inside)
            continue;
        const char *text =
            text_of_file(u, arena_printf(&u->arena, "%.*s%s", (int)(inside - path), path, header));
        const char *at = text ? strstr(text, macro) : NULL;
        if (at)
            return (uint32_t)strtoul(at + sizeof macro - 1, NULL, 10);
    }
    return 0;
}

// --- The worklist ----------------------------------------------------------------------------

void lower_queue(struct lowering *u)
{
    size_t max_functions = u->job->max_functions ? u->job->max_functions : DEFAULT_FUNCTIONS;
    size_t max_ops = u->job->max_ops ? u->job->max_ops : DEFAULT_OPS;
    for (; u->queue_next < arrlenu(u->queue); ++u->queue_next) {
        struct work work = u->queue[u->queue_next];
        bool late = now_seconds() > u->deadline;
        if (u->report->functions >= max_functions || u->op_count >= max_ops || late) {
            u->report->ran_late |= late;
            ++u->report->cut_functions;
            continue;
        }
        lower_function(u, &work);
        if (u->unit->function[work.function].flags & IR_FN_BODY)
            ++u->report->functions;
        arena_release(&u->scratch);
        arena_init(&u->scratch);
    }
}

static int more_frequent(const void *a, const void *b)
{
    const struct frontend_count *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->reason, y->reason);
}

// A function that came out wrong loses its body; the others are analysed all the same. Fails where
// that does not help.
static bool drop_broken(struct lowering *u, struct error *error)
{
    if (ir_verify_unit(u->unit, error))
        return true;
    for (ptrdiff_t i = 0; i < arrlen(u->unit->function); ++i) {
        if (ir_verify_function(u->unit, (ir_function_id)i, error))
            continue;
        struct ir_function *function = &u->unit->function[i];
        for (ptrdiff_t k = 0; k < arrlen(function->block); ++k)
            arrfree(function->block[k].op);
        arrfree(function->block);
        arrfree(function->op);
        arrfree(function->operand);
        arrfree(function->cases);
        arrfree(function->local);
        function->flags &= ~(uint32_t)IR_FN_BODY;
        function->flags |= IR_FN_PARTIAL;
        count_opaque(u, "function that came out wrong");
    }
    return ir_verify_unit(u->unit, error);
}

static void fill_report(struct lowering *u)
{
    struct frontend_report *report = u->report;
    for (ptrdiff_t i = 0; i < arrlen(u->unit->function); ++i) {
        const struct ir_function *function = &u->unit->function[i];
        bool on_device = function->flags & (IR_FN_KERNEL | IR_FN_DEVICE);
        report->partial += (function->flags & IR_FN_PARTIAL) != 0;
        report->patterns += (function->flags & IR_FN_PATTERN) && (function->flags & IR_FN_BODY);
        for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
            bool is_opaque = function->op[k].code == IR_OPAQUE;
            ++report->ops;
            report->opaque_ops += is_opaque;
            if (on_device && !(function->flags & IR_FN_PATTERN)) {
                ++report->device_ops;
                report->device_opaque_ops += is_opaque;
            }
        }
    }
    for (ptrdiff_t i = 0; i < shlen(u->opaque_count); ++i)
        arrput(report->opaque,
               ((struct frontend_count){arena_strdup(&report->arena, u->opaque_count[i].key),
                                        u->opaque_count[i].value}));
    if (report->opaque)
        qsort(report->opaque, arrlenu(report->opaque), sizeof *report->opaque, more_frequent);
}

static void lowering_release(struct lowering *u)
{
    for (ptrdiff_t i = 0; i < arrlen(u->record); ++i) {
        arrfree(u->record[i]->base);
        arrfree(u->record[i]->field);
        arrfree(u->record[i]->method);
        arrfree(u->record[i]->base_offset);
    }
    for (ptrdiff_t i = 0; i < arrlen(u->closure); ++i)
        arrfree(u->closure[i]->capture);
    cursor_map_release(&u->functions);
    cursor_map_release(&u->globals);
    cursor_map_release(&u->records);
    cursor_map_release(&u->closures);
    cursor_map_release(&u->templates_used);
    cursor_map_release(&u->launchers);
    cursor_map_release(&u->scope_names[0]);
    cursor_map_release(&u->scope_names[1]);
    arrfree(u->scope_name);
    arrfree(u->record);
    arrfree(u->closure);
    arrfree(u->state);
    arrfree(u->queue);
    arrfree(u->instance);
    hmfree(u->file_of);
    arrfree(u->text);
    arrfree(u->unsaved);
    shfree(u->opaque_count);
    arrfree(u->error_at);
    arena_release(&u->scratch);
    arena_release(&u->arena);
}

static const char *target_of(const struct frontend_job *job)
{
    static const char prefix[] = "--cuda-gpu-arch=";
    for (size_t i = 0; i < job->argument_count; ++i)
        if (strncmp(job->argument[i], prefix, sizeof prefix - 1) == 0)
            return job->argument[i] + sizeof prefix - 1;
    return "";
}

static void lower_unit(struct lowering *u)
{
    CXFile main = clang_getFile(u->tu, u->job->main_file);
    if (main)
        file_number(u, main, clang_getLocationForOffset(u->tu, main, 0));
    u->instance = find_instances(u, u->index);
    find_roots(u);
    lower_queue(u);
    find_leftovers(u);
    lower_queue(u);
    find_patterns(u);
    lower_queue(u);
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

static CXTranslationUnit parse(const struct frontend_job *job, CXIndex index,
                               const struct frontend_unsaved *files, struct error *error)
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
    arrput(argument, "-ferror-limit=0");
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
    enum { ROUNDS = 2 };
    const struct frontend_job *job = u->job;
    for (size_t i = 0; i < job->unsaved_count; ++i)
        arrput(u->unsaved, job->unsaved[i]);
    CXTranslationUnit tu = parse(job, u->index, u->unsaved, error);
    for (int i = 0; tu && i < ROUNDS && repair(&u->arena, tu, &u->unsaved); ++i) {
        CXTranslationUnit better = parse(job, u->index, u->unsaved, NULL);
        if (!better)
            break;
        clang_disposeTranslationUnit(tu);
        tu = better;
    }
    return tu;
}

bool frontend_parse(const struct frontend_job *job, struct ir_unit *out,
                    struct frontend_report *report, struct error *error)
{
    *report = (struct frontend_report){0};
    arena_init(&report->arena);
    double start = clock_processor_seconds();
    // Declarations of a precompiled header are read when something needs them, not to be listed.
    CXIndex index = clang_createIndex(job->pch != NULL, 0);
    struct lowering u = {.job = job, .report = report, .unit = out, .index = index};
    arena_init(&u.arena);
    arena_init(&u.scratch);
    u.tu = parse_repaired(&u, error);
    if (!u.tu) {
        lowering_release(&u);
        clang_disposeIndex(index);
        return false;
    }
    ir_unit_init(out);
    out->target = arena_strdup(&out->arena, target_of(job));
    collect_diagnostics(&u);
    report->file = files_of(u.tu, &report->arena);
    double parsed = clock_processor_seconds();
    report->parse_seconds = parsed - start;
    u.deadline = now_seconds() + (job->max_seconds > 0 ? job->max_seconds : DEFAULT_SECONDS);
    lower_unit(&u);
    out->cccl = cccl_version(&u);
    out->lacks_headers = arrlen(report->missing_header) > 0;
    bool is_good = drop_broken(&u, error);
    fill_report(&u);
    if (job->wants_outline)
        fill_outline(&u);
    clang_disposeTranslationUnit(u.tu);
    lowering_release(&u);
    clang_disposeIndex(index);
    report->lower_seconds = clock_processor_seconds() - parsed;
    if (is_good)
        return true;
    ir_unit_release(out);
    return false;
}

void frontend_report_release(struct frontend_report *report)
{
    arrfree(report->diagnostic);
    arrfree(report->missing_header);
    arrfree(report->file);
    arrfree(report->opaque);
    arrfree(report->outline);
    arrfree(report->skipped);
    arena_release(&report->arena);
    *report = (struct frontend_report){0};
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
    if (done)
        *out_file = files_of(tu, arena);
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
