#include "lsp/show.h"

#include <string.h>
#include <sys/stat.h>

#include <xxhash.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/patch.h"

enum { CONTEXTS_NAMED = 8 }; // kernels and launches of a finding

const struct lsp_document *lsp_view_document(const struct lsp_view *view, const char *path)
{
    for (size_t i = 0; i < view->document_count; ++i) {
        if (strcmp(view->document[i]->path, path) == 0)
            return view->document[i];
    }
    struct stat wanted, one;
    if (stat(path, &wanted) != 0)
        return NULL;
    for (size_t i = 0; i < view->document_count; ++i) {
        if (stat(view->document[i]->path, &one) == 0 && one.st_dev == wanted.st_dev &&
            one.st_ino == wanted.st_ino)
            return view->document[i];
    }
    return NULL;
}

const char *lsp_view_uri(const struct lsp_view *view, struct arena *arena, const char *path)
{
    const struct lsp_document *document = lsp_view_document(view, path);
    return document ? document->uri : lsp_uri(arena, path);
}

static struct lsp_position position_at(const struct lsp_view *view, const struct source *source,
                                       uint32_t line, size_t offset)
{
    size_t start = line > 0 && line <= arrlenu(source->line) ? source->line[line - 1] : 0;
    uint32_t character = source->text && offset > start
                             ? lsp_width(source->text + start, offset - start, view->encoding)
                             : 0;
    return (struct lsp_position){line > 0 ? line - 1 : 0, character};
}

struct lsp_range lsp_view_range(const struct lsp_view *view, const struct finding_place *place)
{
    const struct source *source = sources_get(&view->report->sources, place->file);
    size_t start = source_offset(source, place->line, place->column);
    size_t end = source_offset(source, place->end_line, place->end_column);
    uint32_t end_line = place->end_line;
    if (end_line < place->line || end <= start) {
        end_line = place->line;
        end = source_offset(source, place->line, UINT32_MAX);
    }
    return (struct lsp_range){position_at(view, source, place->line, start),
                              position_at(view, source, end_line, end)};
}

// --- Edits ---------------------------------------------------------------------------------------

static uint32_t line_of(const struct source *source, size_t offset)
{
    size_t low = 0, high = arrlenu(source->line);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low + 1;
}

// Adds an edit to an object of URIs and lists of TextEdit.
static void add_edit(const struct lsp_view *view, json_t *files, const struct finding_edit *edit)
{
    const struct source *source = sources_get(&view->report->sources, edit->file);
    struct lsp_range range = {
        position_at(view, source, line_of(source, edit->start), edit->start),
        position_at(view, source, line_of(source, edit->end), edit->end),
    };
    const char *uri = lsp_view_uri(view, &view->report->findings.arena, edit->file);
    json_t *list = json_object_get(files, uri);
    if (!list) {
        list = json_array();
        json_object_set_new(files, uri, list);
    }
    json_array_append_new(list, json_pack("{s:o, s:o}", "range", lsp_range_to_json(range),
                                          "newText", finding_json_text(edit->text)));
}

static json_t *version_of(const struct lsp_view *view, const char *uri)
{
    for (size_t i = 0; i < view->document_count; ++i) {
        if (strcmp(view->document[i]->uri, uri) == 0)
            return json_integer(view->document[i]->version);
    }
    return json_null();
}

// A WorkspaceEdit of an object of URIs and lists of TextEdit, which is taken over.
static json_t *workspace_edit(const struct lsp_view *view, json_t *files)
{
    if (!view->versions)
        return json_pack("{s:o}", "changes", files);
    json_t *changes = json_array(), *edits;
    const char *uri;
    json_object_foreach (files, uri, edits)
        json_array_append_new(changes, json_pack("{s:{s:s, s:o}, s:O}", "textDocument", "uri", uri,
                                                 "version", version_of(view, uri), "edits", edits));
    json_decref(files);
    return json_pack("{s:o}", "documentChanges", changes);
}

static bool is_current(const struct lsp_view *view, const struct finding_edit *edit)
{
    const struct source *source = sources_get(&view->report->sources, edit->file);
    return source->text && edit->end <= source->length &&
           (int64_t)XXH3_64bits(source->text, source->length) == (int64_t)edit->content;
}

static void add_fix(const struct lsp_view *view, json_t *actions, const json_t *diagnostic,
                    const struct finding_fix *fix)
{
    json_t *files = json_object();
    for (size_t i = 0; i < fix->edit_count; ++i) {
        if (!is_current(view, &fix->edit[i])) {
            json_decref(files);
            return;
        }
        add_edit(view, files, &fix->edit[i]);
    }
    json_array_append_new(actions, json_pack("{s:o, s:s, s:[O], s:b, s:o}", "title",
                                             finding_json_text(fix->description), "kind",
                                             "quickfix", "diagnostics", diagnostic, "isPreferred",
                                             (int)(fix->safe && json_array_size(actions) == 0),
                                             "edit", workspace_edit(view, files)));
}

// A comment alone on its line is for the next line of code, unless it would part what belongs
// together: a line that goes on behind a backslash.
static void add_suppression(const struct lsp_view *view, json_t *actions, const json_t *diagnostic,
                            const struct finding *finding)
{
    struct arena *arena = &view->report->findings.arena;
    const struct source *source = sources_get(&view->report->sources, finding->place.file);
    size_t length, before;
    const char *line = source_line(source, finding->place.line, &length);
    const char *above = source_line(source, finding->place.line - 1, &before);
    bool is_own = lsp_view_document(view, finding->place.file) ||
                  path_shown(view->report->folder, finding->place.file) != finding->place.file;
    if (!is_own || length == 0 || (before > 0 && above[before - 1] == '\\'))
        return;
    size_t indent = 0;
    while (indent < length && (line[indent] == ' ' || line[indent] == '\t'))
        ++indent;
    const char *end = source->text[line - source->text + (ptrdiff_t)length] == '\r' ? "\r\n" : "\n";
    size_t start = (size_t)(line - source->text);
    struct finding_edit edit = {
        .file = finding->place.file,
        .start = start,
        .end = start,
        .text = arena_printf(arena, "%.*s// barlint-ignore[%s]: reason%s", (int)indent, line,
                             finding->rule, end),
    };
    json_t *files = json_object();
    add_edit(view, files, &edit);
    json_array_append_new(
        actions, json_pack("{s:o, s:s, s:[O], s:o}", "title",
                           finding_json_text(arena_printf(arena, "Suppress '%s' here with a reason",
                                                          finding->rule)),
                           "kind", "quickfix", "diagnostics", diagnostic, "edit",
                           workspace_edit(view, files)));
}

static json_t *fix_all(const struct lsp_view *view)
{
    struct patch patch;
    patch_init(&patch, view->report, false);
    json_t *files = json_object();
    for (ptrdiff_t i = 0; i < arrlen(patch.file); ++i) {
        for (ptrdiff_t k = 0; k < arrlen(patch.file[i].edit); ++k)
            add_edit(view, files, &patch.file[i].edit[k]);
    }
    patch_release(&patch);
    if (json_object_size(files) > 0)
        return workspace_edit(view, files);
    json_decref(files);
    return json_null();
}

// --- Diagnostics ---------------------------------------------------------------------------------

static void add_related(const struct lsp_view *view, json_t *list,
                        const struct finding_place *place, const char *message)
{
    if (!place->file[0])
        return;
    const char *uri = lsp_view_uri(view, &view->report->findings.arena, place->file);
    json_array_append_new(list, json_pack("{s:{s:s, s:o}, s:o}", "location", "uri", uri, "range",
                                          lsp_range_to_json(lsp_view_range(view, place)), "message",
                                          finding_json_text(message)));
}

static json_t *related(const struct lsp_view *view, const struct finding *finding)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i)
        add_related(view, list, &finding->note[i].place, finding->note[i].message);
    for (ptrdiff_t i = 0; i < arrlen(finding->context) && i < CONTEXTS_NAMED; ++i) {
        const struct finding_context *context = &finding->context[i];
        add_related(view, list, &finding->place,
                    arena_printf(&view->report->findings.arena, "in kernel '%s', %s",
                                 context->kernel, context->launch));
    }
    return list;
}

// Whether what the finding is about can go without anything in its place.
static bool is_superfluous(const struct finding *finding)
{
    if (arrlen(finding->fix) == 0)
        return false;
    for (size_t i = 0; i < finding->fix[0].edit_count; ++i) {
        if (finding->fix[0].edit[i].text[0])
            return false;
    }
    return true;
}

static json_t *diagnostic_json(const struct lsp_view *view, const struct finding *finding)
{
    enum { ERROR = 1, WARNING, INFORMATION, UNNECESSARY = 1 }; // of the protocol
    static const int severity[] = {
        [RULE_NOTE] = INFORMATION, [RULE_WARNING] = WARNING, [RULE_ERROR] = ERROR};
    struct arena *arena = &view->report->findings.arena;
    json_t *json = json_pack("{s:o, s:i, s:s, s:s, s:o, s:o}", "range",
                             lsp_range_to_json(lsp_view_range(view, &finding->place)), "severity",
                             severity[finding->level], "code", finding->rule, "source", "barlint",
                             "message", finding_json_text(finding->message), "relatedInformation",
                             related(view, finding));
    if (view->pages) {
        const char *page = arena_printf(arena, "%s/%s.md", view->pages, finding->rule);
        json_object_set_new(json, "codeDescription",
                            json_pack("{s:s}", "href", lsp_uri(arena, page)));
    }
    if (is_superfluous(finding))
        json_object_set_new(json, "tags", json_pack("[i]", UNNECESSARY));
    return json;
}

static json_t *entry_json(const struct lsp_view *view, const struct finding *finding)
{
    json_t *diagnostic = diagnostic_json(view, finding), *actions = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i)
        add_fix(view, actions, diagnostic, &finding->fix[i]);
    add_suppression(view, actions, diagnostic, finding);
    return json_pack("{s:o, s:o}", "diagnostic", diagnostic, "actions", actions);
}

json_t *lsp_view_to_json(const struct lsp_view *view)
{
    json_t *files = json_object();
    for (ptrdiff_t i = 0; i < arrlen(view->report->findings.finding); ++i) {
        const struct finding *finding = &view->report->findings.finding[i];
        if (!finding->place.file[0])
            continue;
        const char *uri = lsp_view_uri(view, &view->report->findings.arena, finding->place.file);
        json_t *list = json_object_get(files, uri);
        if (!list) {
            list = json_array();
            json_object_set_new(files, uri, list);
        }
        json_array_append_new(list, entry_json(view, finding));
    }
    return json_pack("{s:o, s:o}", "files", files, "fix_all", fix_all(view));
}
