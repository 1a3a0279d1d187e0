// The worker's side of the language server: one document analysed, and what there is to show of it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/vec.h"
#include "driver/editor/lsp.h"
#include "driver/settings/settings.h"
#include "driver/unit/precompiled.h"
#include "lsp/hover.h"
#include "lsp/page.h"

struct analysis {
    const struct server *server;
    const struct lsp_document *document;
    bool is_closed; // it is a file that a build compiles as CUDA, or is called so
    struct arena arena;
    struct options options;
    struct units units;
    struct report report;
    struct analysis_extra extra;
    struct lsp_facts facts;
    json_t *read;                     // paths
    json_t *kernels;                  // to be kept, see unit_analyse()
    struct frontend_unsaved *unsaved; // stb_ds arrays: all open documents
    const struct lsp_document **open;
};

// A source that neither its name nor the editor calls CUDA is one where a build compiles it as
// such.
static bool is_cuda(struct analysis *analysis)
{
    if (analysis->document->is_cuda || analysis->is_closed)
        return true;
    for (ptrdiff_t i = 0; i < arrlen(analysis->units.unit); ++i) {
        struct unit *unit = &analysis->units.unit[i];
        if (analysis->units.assumed == 0 &&
            compile_command_is_cuda(&analysis->arena, &unit->command))
            return true;
    }
    return false;
}

static void take_documents(struct analysis *analysis)
{
    const struct server *server = analysis->server;
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        const struct lsp_document *one = &server->open[i]->document;
        if (server->open[i]->is_closed)
            continue;
        struct frontend_unsaved file = {one->path, one->text, lsp_document_length(one)};
        arrput(analysis->open, one);
        arrput(analysis->unsaved, file);
        sources_put(&analysis->report.sources, file.path, file.text, file.length);
    }
}

static bool analyse_units(struct analysis *analysis, struct error *error)
{
    const struct digest run = {0}; // what is kept is this process's
    for (ptrdiff_t i = 0; i < arrlen(analysis->units.unit); ++i) {
        struct unit *unit = &analysis->units.unit[i];
        unit->shown = &analysis->facts;
        unit->memory = &analysis->server->memory;
        json_t *result = unit_analyse(&analysis->options, unit, &run);
        bool good = analysis_add(&analysis->report, &analysis->extra, unit,
                                 json_object_get(result, "result"), "", error);
        json_array_extend(analysis->read,
                          json_object_get(json_object_get(result, "inputs"), "read"));
        json_object_update(analysis->kernels, json_object_get(result, "kernels"));
        json_decref(result);
        if (!good)
            return false;
    }
    return true;
}

// --- Rule pages ----------------------------------------------------------------------------------

// Writes the page of a rule unless it is there. An editor opens it from a finding's rule id.
static bool write_page(struct arena *arena, const char *folder, const struct rule *rule)
{
    char *path = arena_printf(arena, "%s/%s.md", folder, rule->id);
    if (access(path, R_OK) == 0)
        return true;
    char *fresh = arena_printf(arena, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "we");
    bool good = file && fputs(rule_page(arena, rule), file) >= 0;
    good = file && fclose(file) == 0 && good && rename(fresh, path) == 0;
    if (file && !good)
        unlink(fresh);
    return good;
}

// The folder of the pages of the rules that were found; NULL where there is no place for them.
static const char *write_pages(struct analysis *analysis)
{
    struct arena *arena = &analysis->arena;
    const char *cache = analysis->server->has_pages ? cache_folder(arena) : NULL;
    if (!cache)
        return NULL;
    const char *folder = arena_printf(arena, "%s/rules-" BARLINT_VERSION, cache);
    bool good = folders_make(arena, folder);
    for (ptrdiff_t i = 0; good && i < arrlen(analysis->report.findings.finding); ++i) {
        const char *id = analysis->report.findings.finding[i].rule;
        for (size_t k = 0; rule_registry[k]; ++k) {
            if (strcmp(rule_registry[k]->id, id) == 0)
                good = good && write_page(arena, folder, rule_registry[k]);
        }
    }
    return good ? folder : NULL;
}

// --- The result ----------------------------------------------------------------------------------

// What a reader of the editor's log may want to know: why a file is not analysed in full.
static const char *log_text(struct analysis *analysis)
{
    struct arena *arena = &analysis->arena;
    const char *text = NULL;
    for (ptrdiff_t i = 0; i < arrlen(analysis->units.complaint); ++i)
        text = arena_printf(arena, "%s%s%s", text ? text : "", text ? "; " : "",
                            analysis->units.complaint[i]);
    for (ptrdiff_t i = 0; i < arrlen(analysis->report.file); ++i) {
        const struct report_file *file = &analysis->report.file[i];
        if (file->status == REPORT_PARTIAL)
            text = arena_printf(arena, "%s%s%s: %s", text ? text : "", text ? "; " : "", file->path,
                                file->reason);
    }
    return text;
}

static const char *trouble_text(struct analysis *analysis, const struct error *error)
{
    if (error->kind != ERROR_NONE)
        return error->text;
    for (ptrdiff_t i = 0; i < arrlen(analysis->report.file); ++i) {
        const struct report_file *file = &analysis->report.file[i];
        if (file->status == REPORT_FAILED)
            return arena_printf(&analysis->arena, "%s: %s", file->path, file->reason);
    }
    return NULL;
}

static json_t *text_or_null(const char *text)
{
    return text ? finding_json_text(text) : json_null();
}

static json_t *result_json(struct analysis *analysis, const char *root, const struct error *error)
{
    struct settings settings = {.options = &analysis->options, .units = &analysis->units};
    struct report_options finish = {
        .rules = rule_registry,
        .folder = root,
        .settings = settings_of(&settings),
        .pedantic = analysis->options.pedantic,
    };
    report_finish(&analysis->report, &finish);
    struct lsp_view view = {
        .report = &analysis->report,
        .document = analysis->open,
        .document_count = arrlenu(analysis->open),
        .encoding = analysis->server->encoding,
        .versions = analysis->server->versions,
        .pages = write_pages(analysis),
    };
    json_t *json = lsp_view_to_json(&view);
    json_object_set(json, "read", analysis->read);
    json_object_set(json, "kernels", analysis->kernels);
    json_object_set_new(json, "hover", lsp_facts_to_json(&analysis->facts, &view));
    json_object_set_new(json, "trouble", text_or_null(trouble_text(analysis, error)));
    json_object_set_new(json, "log", text_or_null(log_text(analysis)));
    return json;
}

// The process ends with the worker, and with it all memory.
json_t *lsp_analyse(void *context, size_t index)
{
    const struct server *server = context;
    struct analysis analysis = {
        .server = server,
        .document = &server->open[index]->document,
        .is_closed = server->open[index]->is_closed,
        .options = *server->options,
        .read = json_array(),
        .kernels = json_object(),
    };
    struct error error = {0};
    arena_init(&analysis.arena);
    report_init(&analysis.report);
    lsp_facts_init(&analysis.facts);
    analysis.extra.arena = &analysis.arena;
    // Relative words of the command line and the database are looked for in the workspace folder.
    const char *root = root_of(server, &analysis.arena, analysis.document->path);
    if (chdir(root) != 0)
        root = "/";
    take_documents(&analysis);
    analysis.options.force_exclude = true; // an editor names what it has open, not what it wants
    arrput(analysis.options.path, analysis.document->path);
    analysis.units.content = analysis.unsaved;
    if (units_find(&analysis.units, &analysis.options, &error) && is_cuda(&analysis))
        analyse_units(&analysis, &error);
    return result_json(&analysis, root, &error);
}
