// Open documents: what changes them, when they are analysed, and what is shown of them.
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/editor/lsp.h"
#include "lsp/page.h"

// Seconds of silence after a change before its analysis starts: a burst of keys costs one.
static const double SILENCE = 0.01;

static void publish(struct server *server, const char *uri);

// --- Folders -------------------------------------------------------------------------------------

void add_root(struct server *server, const char *uri)
{
    struct arena arena;
    arena_init(&arena);
    const char *path = uri ? lsp_path(&arena, uri) : NULL;
    if (path)
        arrput(server->root, strdup(path));
    arena_release(&arena);
}

static void remove_root(struct server *server, const char *uri)
{
    struct arena arena;
    arena_init(&arena);
    const char *path = uri ? lsp_path(&arena, uri) : NULL;
    for (ptrdiff_t i = arrlen(server->root); path && i > 0; --i) {
        if (strcmp(server->root[i - 1], path) != 0)
            continue;
        free(server->root[i - 1]);
        arrdel(server->root, i - 1);
    }
    arena_release(&arena);
}

const char *root_of(const struct server *server, struct arena *arena, const char *path)
{
    const char *best = NULL;
    for (ptrdiff_t i = 0; i < arrlen(server->root); ++i) {
        const char *root = server->root[i];
        if (path_shown(root, path) != path && (!best || strlen(root) > strlen(best)))
            best = root;
    }
    return best ? best : path_folder(arena, path);
}

// --- Documents -----------------------------------------------------------------------------------

struct open_document *find_open(const struct server *server, const char *uri)
{
    for (ptrdiff_t i = 0; uri && i < arrlen(server->open); ++i) {
        if (!server->open[i]->is_closed && strcmp(server->open[i]->document.uri, uri) == 0)
            return server->open[i];
    }
    return NULL;
}

static const char *uri_in(const json_t *params)
{
    return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static struct open_document *document_in(const struct server *server, const json_t *params)
{
    return find_open(server, uri_in(params));
}

void open_document_free(struct open_document *open)
{
    lsp_document_release(&open->document);
    json_decref(open->result);
    free(open->trouble);
    free(open);
}

static bool is_fresh(const struct open_document *open)
{
    return open->result && !open->is_running && open->due == 0;
}

// --- Requests that wait --------------------------------------------------------------------------

static json_t *answer_diagnostic(const struct server *server,
                                 const struct waiting_request *request);

static void request_clear(struct waiting_request *request)
{
    json_decref(request->id);
    json_decref(request->params);
}

// Answers with an error those that wait for the document; of pulled diagnostics only where asked.
static void refuse_waiting(struct server *server, const struct open_document *open, bool pulls_too,
                           int code, const char *why)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(server->waiting); ++i) {
        struct waiting_request request = server->waiting[i];
        if (request.open != open || (request.answer == answer_diagnostic && !pulls_too)) {
            server->waiting[kept++] = request;
            continue;
        }
        server_reply_error(server, request.id, code, why);
        request_clear(&request);
    }
    arrsetlen(server->waiting, kept);
}

void refuse_all(struct server *server, int code, const char *why)
{
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i)
        refuse_waiting(server, server->open[i], true, code, why);
    workspace_cancel(server, NULL, code, why);
}

void cancel_request(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    const json_t *which = json_object_get(params, "id");
    for (ptrdiff_t i = 0; i < arrlen(server->waiting); ++i) {
        struct waiting_request request = server->waiting[i];
        if (!json_equal(request.id, which))
            continue;
        arrdel(server->waiting, i);
        server_reply_error(server, request.id, LSP_REQUEST_CANCELLED, "cancelled");
        request_clear(&request);
        return;
    }
    workspace_cancel(server, which, LSP_REQUEST_CANCELLED, "cancelled");
}

// --- When a document is analysed -----------------------------------------------------------------

void end_progress(struct server *server, struct open_document *open)
{
    if (open->shows_progress)
        server_notify(server, "$/progress",
                      json_pack("{s:I, s:{s:s}}", "token", open->progress, "value", "kind", "end"));
    open->shows_progress = false;
    open->progress = 0;
}

void stop_analysis(struct server *server, struct open_document *open)
{
    if (open->is_running)
        worker_kill(&open->worker);
    open->is_running = false;
    open->due = 0;
    end_progress(server, open);
}

static void want_analysis(struct server *server, struct open_document *open, double delay)
{
    stop_analysis(server, open);
    open->due = clock_seconds() + delay;
}

static bool has_read(const struct open_document *open, const char *path)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(open->result, "read"), i, one) {
        if (strcmp(json_string_value(one), path) == 0)
            return true;
    }
    return false;
}

// The documents that read a file are analysed anew when it changes.
static void file_changed(struct server *server, const char *path, double delay)
{
    const char *name = path_name(path);
    bool is_for_all =
        strcmp(name, ".barlint.yaml") == 0 || strcmp(name, "compile_commands.json") == 0;
    if (is_for_all)
        workspace_forget(server);
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        struct open_document *open = server->open[i];
        bool is_itself = !open->is_closed && strcmp(open->document.path, path) == 0;
        if (!is_itself && (is_for_all || has_read(open, path)))
            want_analysis(server, open, delay);
    }
}

void remove_document(struct server *server, struct open_document *open)
{
    stop_analysis(server, open);
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        if (server->open[i] == open) {
            arrdel(server->open, i);
            return;
        }
    }
}

// What was known of the file while it was not open, which the document takes the place of.
static void forget_closed(struct server *server, const char *path)
{
    for (ptrdiff_t i = arrlen(server->open); i > 0; --i) {
        struct open_document *closed = server->open[i - 1];
        if (!closed->is_closed || strcmp(closed->document.path, path) != 0)
            continue;
        remove_document(server, closed);
        open_document_free(closed);
    }
}

void did_open(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    const json_t *item = json_object_get(params, "textDocument");
    const char *uri = uri_in(params);
    const char *language = json_string_value(json_object_get(item, "languageId"));
    const char *text = json_string_value(json_object_get(item, "text"));
    struct arena arena;
    arena_init(&arena);
    const char *path = uri ? lsp_path(&arena, uri) : NULL;
    if (path && text && !find_open(server, uri)) {
        forget_closed(server, path);
        struct open_document *open = calloc(1, sizeof *open);
        lsp_document_init(&open->document, uri, path, text);
        open->document.version = json_integer_value(json_object_get(item, "version"));
        open->document.is_cuda =
            path_has_ending(path, ".cu") || path_has_ending(path, ".cuh") ||
            (language && (strcmp(language, "cuda") == 0 || strcmp(language, "cuda-cpp") == 0));
        arrput(server->open, open);
        want_analysis(server, open, 0);
        file_changed(server, path, SILENCE);
    }
    arena_release(&arena);
}

static bool is_change(const json_t *change)
{
    struct lsp_range range;
    const json_t *where = json_object_get(change, "range");
    return json_is_string(json_object_get(change, "text")) &&
           (!where || lsp_range_read(where, &range));
}

void did_change(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    struct open_document *open = document_in(server, params);
    const json_t *changes = json_object_get(params, "contentChanges");
    size_t i;
    json_t *change;
    bool good = open && json_is_array(changes);
    json_array_foreach (changes, i, change)
        good = good && is_change(change);
    if (!good) {
        server_log(server, "a change that is no change, or of a file that is not open, is ignored");
        return;
    }
    struct lsp_document *document = &open->document;
    json_array_foreach (changes, i, change) {
        const json_t *text = json_object_get(change, "text");
        struct lsp_range range;
        if (lsp_range_read(json_object_get(change, "range"), &range))
            lsp_document_edit(document, range, server->encoding, json_string_value(text),
                              json_string_length(text));
        else
            lsp_document_set(document, json_string_value(text), json_string_length(text));
    }
    const json_t *item = json_object_get(params, "textDocument");
    document->version = json_integer_value(json_object_get(item, "version"));
    // What asks about places asks about the text that was; diagnostics are asked for as they are.
    refuse_waiting(server, open, false, LSP_CONTENT_MODIFIED, "the text has changed");
    want_analysis(server, open, SILENCE);
    file_changed(server, document->path, SILENCE);
}

void did_save(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    struct open_document *open = document_in(server, params);
    if (!open)
        return;
    // Its own text is what is known already; who reads it may have been analysed without it.
    if (!is_fresh(open) && !open->is_running)
        want_analysis(server, open, 0);
    file_changed(server, open->document.path, 0);
}

void did_close(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    struct open_document *open = document_in(server, params);
    if (!open)
        return;
    refuse_waiting(server, open, true, LSP_REQUEST_CANCELLED, "the file is closed");
    remove_document(server, open);
    server->workspace.is_listed = false; // it may be one of the workspace's files
    const char *uri;
    json_t *list;
    json_object_foreach (json_object_get(open->result, "files"), uri, list)
        publish(server, uri);
    publish(server, open->document.uri);
    file_changed(server, open->document.path, 0); // on the disk it may be another
    open_document_free(open);
}

void did_change_watched_files(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    struct arena arena;
    arena_init(&arena);
    size_t i;
    json_t *change;
    json_array_foreach (json_object_get(params, "changes"), i, change) {
        const char *uri = json_string_value(json_object_get(change, "uri"));
        const char *path = uri ? lsp_path(&arena, uri) : NULL;
        if (path)
            file_changed(server, path, 0);
    }
    arena_release(&arena);
}

void did_change_folders(struct server *server, const json_t *id, const json_t *params)
{
    (void)id;
    const json_t *event = json_object_get(params, "event");
    size_t i;
    json_t *folder;
    json_array_foreach (json_object_get(event, "removed"), i, folder)
        remove_root(server, json_string_value(json_object_get(folder, "uri")));
    json_array_foreach (json_object_get(event, "added"), i, folder)
        add_root(server, json_string_value(json_object_get(folder, "uri")));
    workspace_forget(server);
    for (ptrdiff_t k = 0; k < arrlen(server->open); ++k)
        want_analysis(server, server->open[k], 0);
}

// --- Diagnostics ---------------------------------------------------------------------------------

// What all open documents say of a file, each finding once: a header is read by several.
static json_t *diagnostics_of(const struct server *server, const char *uri)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        size_t k, m;
        json_t *entry, *known;
        json_array_foreach (json_object_get(json_object_get(server->open[i]->result, "files"), uri),
                            k, entry) {
            const json_t *diagnostic = json_object_get(entry, "diagnostic");
            bool is_new = true;
            json_array_foreach (list, m, known)
                is_new = is_new && !json_equal(known, diagnostic);
            if (is_new)
                json_array_append(list, (json_t *)diagnostic);
        }
    }
    return list;
}

static void publish(struct server *server, const char *uri)
{
    if (server->pulls)
        return;
    const struct open_document *open = find_open(server, uri);
    json_t *params =
        json_pack("{s:s, s:o}", "uri", uri, "diagnostics", diagnostics_of(server, uri));
    if (open)
        json_object_set_new(params, "version", json_integer(open->document.version));
    server_notify(server, "textDocument/publishDiagnostics", params);
}

static void tell_trouble(struct server *server, struct open_document *open, const char *trouble)
{
    if (trouble && (!open->trouble || strcmp(open->trouble, trouble) != 0)) {
        struct arena arena;
        arena_init(&arena);
        server_say(server, LSP_SAY_WARNING, arena_printf(&arena, "barlint: %s", trouble));
        arena_release(&arena);
    }
    free(open->trouble);
    open->trouble = trouble ? strdup(trouble) : NULL;
}

static void answer_waiting(struct server *server, struct open_document *open);

void take_result(struct server *server, struct open_document *open, json_t *result,
                 const char *reason)
{
    json_t *before = open->result;
    const char *trouble = result ? json_string_value(json_object_get(result, "trouble")) : reason;
    const char *log = json_string_value(json_object_get(result, "log")), *uri;
    json_t *touched = json_object(), *list;
    end_progress(server, open);
    open->result = result ? result : json_object();
    server_remember(server, json_object_get(result, "kernels"));
    json_object_del(result, "kernels");
    if (!open->is_closed)
        tell_trouble(server, open, trouble);
    if (log)
        server_log(server, log);
    const json_t *files = json_object_get(open->result, "files");
    json_object_update(touched, json_object_get(before, "files"));
    json_object_update(touched, (json_t *)files);
    json_object_del(touched, open->document.uri);
    publish(server, open->document.uri);
    json_object_foreach (touched, uri, list)
        publish(server, uri);
    answer_waiting(server, open);
    // Files that the editor did not ask about.
    if (server->pulls && server->refreshes && (open->is_closed || json_object_size(touched) > 0) &&
        arrlen(server->workspace.waiting) == 0 &&
        !json_equal(json_object_get(before, "files"), files)) {
        server->workspace.wants_refresh |= open->is_closed;
        if (!open->is_closed)
            server_request(server, "workspace/diagnostic/refresh", json_null());
    }
    workspace_tell(server, touched, open->document.uri);
    workspace_advance(server);
    json_decref(touched);
    json_decref(before);
}

json_t *report_of(const struct server *server, const char *uri, const char *previous)
{
    json_t *items = diagnostics_of(server, uri);
    char *text = json_dumps(items, JSON_COMPACT | JSON_SORT_KEYS);
    char result[17];
    snprintf(result, sizeof result, "%016llx", (unsigned long long)XXH3_64bits(text, strlen(text)));
    free(text);
    if (!previous || strcmp(previous, result) != 0)
        return json_pack("{s:s, s:s, s:o}", "kind", "full", "resultId", result, "items", items);
    json_decref(items);
    return json_pack("{s:s, s:s}", "kind", "unchanged", "resultId", result);
}

// --- Questions about a document ------------------------------------------------------------------

// Adds the Markdown of what is known of the narrowest range that holds the place.
static const char *facts_at(struct arena *arena, const struct open_document *open,
                            struct lsp_range place, struct lsp_range *out_range)
{
    const char *text = "";
    bool found = false;
    size_t i;
    json_t *fact;
    json_array_foreach (json_object_get(json_object_get(open->result, "hover"), open->document.uri),
                        i, fact) {
        struct lsp_range range;
        if (!lsp_range_read(json_object_get(fact, "range"), &range) ||
            !lsp_range_touches(range, place))
            continue;
        bool inside = found && lsp_range_holds(*out_range, range);
        bool same = inside && lsp_range_holds(range, *out_range);
        if (found && !inside)
            continue;
        const char *one = json_string_value(json_object_get(fact, "text"));
        text = same ? arena_printf(arena, "%s\n\n---\n\n%s", text, one) : one;
        *out_range = range;
        found = true;
    }
    return text;
}

static const struct rule *rule_named(const char *id)
{
    for (size_t i = 0; id && rule_registry[i]; ++i) {
        if (strcmp(rule_registry[i]->id, id) == 0)
            return rule_registry[i];
    }
    return NULL;
}

static json_t *answer_hover(const struct server *server, const struct waiting_request *request)
{
    struct lsp_range place = {0}, range = {0};
    lsp_position_read(json_object_get(request->params, "position"), &place.start);
    place.end = place.start;
    struct arena arena;
    arena_init(&arena);
    const char *text = facts_at(&arena, request->open, place, &range);
    json_t *diagnostics = diagnostics_of(server, request->open->document.uri), *diagnostic;
    size_t i;
    json_array_foreach (diagnostics, i, diagnostic) {
        struct lsp_range reported;
        const struct rule *rule =
            rule_named(json_string_value(json_object_get(diagnostic, "code")));
        if (!rule || !lsp_range_read(json_object_get(diagnostic, "range"), &reported) ||
            !lsp_range_touches(reported, place))
            continue;
        range = *text ? range : reported;
        text = arena_printf(&arena, "%s%s%s", text, *text ? "\n\n---\n\n" : "",
                            rule_page_short(&arena, rule));
    }
    json_t *result = *text
                         ? json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                                     finding_json_text(text), "range", lsp_range_to_json(range))
                         : json_null();
    json_decref(diagnostics);
    arena_release(&arena);
    return result;
}

// Whether actions of a kind are asked for: of a list of kinds, each stands for those below it too.
static bool wants_kind(const json_t *only, const char *kind)
{
    size_t i;
    json_t *one;
    if (!json_is_array(only))
        return true;
    json_array_foreach (only, i, one) {
        size_t length = json_string_length(one);
        if (json_is_string(one) && strncmp(json_string_value(one), kind, length) == 0 &&
            (length == 0 || kind[length] == '\0' || kind[length] == '.'))
            return true;
    }
    return false;
}

// The lines that a finding stands on, whole: the cursor need not be in the middle of it.
static bool is_on_lines_of(const json_t *diagnostic, struct lsp_range place)
{
    struct lsp_range range;
    if (!lsp_range_read(json_object_get(diagnostic, "range"), &range))
        return false;
    range.start.character = 0;
    range.end.character = UINT32_MAX;
    return lsp_range_touches(range, place);
}

static json_t *answer_code_action(const struct server *server,
                                  const struct waiting_request *request)
{
    const json_t *only = json_object_get(json_object_get(request->params, "context"), "only");
    (void)server;
    struct lsp_range place;
    lsp_range_read(json_object_get(request->params, "range"), &place);
    json_t *actions = json_array(), *entry;
    const json_t *result = request->open->result;
    size_t i;
    json_array_foreach (
        json_object_get(json_object_get(result, "files"), request->open->document.uri), i, entry) {
        const json_t *diagnostic = json_object_get(entry, "diagnostic");
        if (wants_kind(only, "quickfix") && is_on_lines_of(diagnostic, place))
            json_array_extend(actions, json_object_get(entry, "actions"));
    }
    json_t *edit = json_object_get(result, "fix_all");
    if (json_is_object(edit) && wants_kind(only, "source.fixAll.barlint"))
        json_array_append_new(actions, json_pack("{s:s, s:s, s:O}", "title", "Apply all safe fixes",
                                                 "kind", "source.fixAll.barlint", "edit", edit));
    return actions;
}

static json_t *answer_diagnostic(const struct server *server, const struct waiting_request *request)
{
    const char *previous = json_string_value(json_object_get(request->params, "previousResultId"));
    const char *own = request->open->document.uri, *uri;
    json_t *report = report_of(server, own, previous), *others = json_object(), *list;
    json_object_foreach (json_object_get(request->open->result, "files"), uri, list) {
        if (strcmp(uri, own) != 0)
            json_object_set_new(others, uri, report_of(server, uri, NULL));
    }
    if (server->relates && json_object_size(others) > 0)
        json_object_set(report, "relatedDocuments", others);
    json_decref(others);
    return report;
}

static void answer_waiting(struct server *server, struct open_document *open)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < arrlen(server->waiting); ++i) {
        struct waiting_request request = server->waiting[i];
        if (request.open != open) {
            server->waiting[kept++] = request;
            continue;
        }
        server_reply(server, request.id, request.answer(server, &request));
        request_clear(&request);
    }
    arrsetlen(server->waiting, kept);
}

// Answers at once where the analysis of the text as it is has ended, else when it has.
static void ask(struct server *server, const json_t *id, const json_t *params,
                json_t *(*answer)(const struct server *, const struct waiting_request *))
{
    struct open_document *open = document_in(server, params);
    if (!open) {
        server_reply_error(server, id, LSP_INVALID_PARAMS, "this names no open document");
        return;
    }
    struct waiting_request request = {json_incref((json_t *)id), json_incref((json_t *)params),
                                      open, answer};
    arrput(server->waiting, request);
    if (is_fresh(open))
        answer_waiting(server, open);
}

void hover(struct server *server, const json_t *id, const json_t *params)
{
    struct lsp_position position;
    if (lsp_position_read(json_object_get(params, "position"), &position))
        ask(server, id, params, answer_hover);
    else
        server_reply_error(server, id, LSP_INVALID_PARAMS, "a position is wanted");
}

void code_action(struct server *server, const json_t *id, const json_t *params)
{
    struct lsp_range range;
    if (lsp_range_read(json_object_get(params, "range"), &range))
        ask(server, id, params, answer_code_action);
    else
        server_reply_error(server, id, LSP_INVALID_PARAMS, "a range is wanted");
}

void document_diagnostic(struct server *server, const json_t *id, const json_t *params)
{
    ask(server, id, params, answer_diagnostic);
}
