// The files of the workspace that no editor has open: listed and analysed when the editor asks for
// the diagnostics of the whole workspace, behind the open ones.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/vec.h"
#include "driver/editor/lsp.h"
#include "driver/run/units.h"
#include "lsp/page.h"

// Of closed files so many are analysed; what is beyond them is said in the editor's log.
enum { MOST_FILES = 2000 };

// --- The list ------------------------------------------------------------------------------------

static void list_root(const struct server *server, const char *root, json_t *files)
{
    struct options options = *server->options;
    struct units units = {0};
    struct error error = {0};
    options.path = NULL;
    if (chdir(root) != 0)
        return;
    if (!units_find(&units, &options, &error)) {
        // Without a compile database, every CUDA file below the folder.
        units_release(&units);
        units = (struct units){0};
        arrput(options.path, ".");
        units_find(&units, &options, &error);
    }
    for (ptrdiff_t i = 0; i < arrlen(units.unit); ++i) {
        json_t *path = units.unit[i].refusal ? NULL : json_string(units.unit[i].file);
        if (path && !json_object_get(files, units.unit[i].file))
            json_object_set(files, units.unit[i].file, path);
        json_decref(path);
    }
}

// The work of the worker that lists: {PATH: PATH}, in the order of the roots and of the files.
static json_t *list_files(void *context, size_t index)
{
    const struct server *server = context;
    json_t *files = json_object();
    (void)index;
    for (ptrdiff_t i = 0; i < arrlen(server->root); ++i)
        list_root(server, server->root[i], files);
    return files;
}

static bool is_known(const struct server *server, const char *path)
{
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        if (strcmp(server->open[i]->document.path, path) == 0)
            return true;
    }
    return false;
}

// Files that are excluded now, or whose folder is none of the workspace any more.
static void remove_unlisted(struct server *server, const json_t *files)
{
    for (ptrdiff_t i = arrlen(server->open); i > 0; --i) {
        struct open_document *closed = server->open[i - 1];
        if (!closed->is_closed || json_object_get(files, closed->document.path))
            continue;
        remove_document(server, closed);
        workspace_tell(server, json_object_get(closed->result, "files"), closed->document.uri);
        open_document_free(closed);
    }
}

static void take_list(struct server *server, const json_t *files)
{
    const char *path;
    json_t *value;
    size_t count = 0;
    struct arena arena;
    arena_init(&arena);
    remove_unlisted(server, files);
    json_object_foreach ((json_t *)files, path, value) {
        if (is_known(server, path) || ++count > MOST_FILES)
            continue;
        struct open_document *closed = calloc(1, sizeof *closed);
        if (!closed)
            abort();
        lsp_document_init(&closed->document, lsp_uri(&arena, path), path, "");
        closed->is_closed = true;
        closed->due = clock_seconds();
        arrput(server->open, closed);
    }
    if (count > MOST_FILES)
        server_log(server, arena_printf(&arena, "of %zu files of the workspace %d are analysed",
                                        count, MOST_FILES));
    arena_release(&arena);
}

void workspace_look(struct server *server, bool is_ready)
{
    struct workspace *workspace = &server->workspace;
    char reason[WORKER_REASON];
    bool more = !is_ready || worker_read(&workspace->lister);
    if (more && !worker_is_late(&workspace->lister, clock_seconds()))
        return;
    json_t *files = worker_end(&workspace->lister, reason);
    workspace->is_listing = false;
    workspace->is_listed = true;
    if (files)
        take_list(server, files);
    else
        server_log(server, reason);
    json_decref(files);
    workspace_advance(server);
}

static void start_list(struct server *server)
{
    struct workspace *workspace = &server->workspace;
    workspace->task = server->task;
    workspace->task.work = list_files;
    workspace->is_listing = worker_start(&workspace->lister, &workspace->task, 0);
    workspace->is_listed = !workspace->is_listing;
}

void workspace_forget(struct server *server)
{
    if (server->workspace.is_listing)
        worker_kill(&server->workspace.lister);
    server->workspace.is_listing = server->workspace.is_listed = false;
}

// --- Requests ------------------------------------------------------------------------------------

static size_t unfinished(const struct server *server)
{
    size_t count = server->workspace.is_listing;
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i)
        count += server->open[i]->is_running || server->open[i]->due > 0;
    return count;
}

static const char *previous_of(const json_t *params, const char *uri)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(params, "previousResultIds"), i, one) {
        const char *name = json_string_value(json_object_get(one, "uri"));
        if (name && strcmp(name, uri) == 0)
            return json_string_value(json_object_get(one, "value"));
    }
    return NULL;
}

static json_t *workspace_report(const struct server *server, const json_t *params, const char *uri)
{
    const struct open_document *open = find_open(server, uri);
    json_t *report = report_of(server, uri, previous_of(params, uri));
    json_object_set_new(report, "uri", json_string(uri));
    json_object_set_new(report, "version",
                        open ? json_integer(open->document.version) : json_null());
    return report;
}

// The files of which something is known: those analysed, and what they read and complain about.
static json_t *known_files(const struct server *server)
{
    json_t *known = json_object();
    for (ptrdiff_t k = 0; k < arrlen(server->open); ++k) {
        const struct open_document *open = server->open[k];
        if (open->result)
            json_object_set_new(known, open->document.uri, json_true());
        json_object_update(known, json_object_get(open->result, "files"));
    }
    return known;
}

static json_t *known_reports(const struct server *server, const json_t *params)
{
    json_t *known = known_files(server), *reports = json_array(), *value;
    const char *uri;
    json_object_foreach (known, uri, value)
        json_array_append_new(reports, workspace_report(server, params, uri));
    json_decref(known);
    return reports;
}

// Adds empty reports of what the editor was told of once and is gone.
static void add_gone(const struct server *server, const json_t *params, json_t *reports)
{
    json_t *known = known_files(server), *one;
    size_t i;
    json_array_foreach (json_object_get(params, "previousResultIds"), i, one) {
        const char *uri = json_string_value(json_object_get(one, "uri"));
        if (uri && !json_object_get(known, uri))
            json_array_append_new(reports, workspace_report(server, params, uri));
    }
    json_decref(known);
}

static void send_progress(struct server *server, const json_t *token, json_t *value)
{
    if (token)
        server_notify(server, "$/progress",
                      json_pack("{s:O, s:o}", "token", token, "value", value));
    else
        json_decref(value);
}

static const json_t *partial_token(const struct workspace_request *request)
{
    return json_object_get(request->params, "partialResultToken");
}

static void send_count(struct server *server, const struct workspace_request *request,
                       const char *kind)
{
    const json_t *token = json_object_get(request->params, "workDoneToken");
    size_t files = arrlenu(server->open), left = unfinished(server);
    struct arena arena;
    arena_init(&arena);
    const char *message =
        arena_printf(&arena, "%zu of %zu files", files > left ? files - left : 0, files);
    json_t *value = json_pack("{s:s, s:s}", "kind", kind, "message", message);
    if (strcmp(kind, "begin") == 0) {
        json_object_set_new(value, "title", json_string("barlint analyses the workspace"));
        json_object_set_new(value, "cancellable", json_true());
    }
    send_progress(server, token, value);
    arena_release(&arena);
}

static void end_request(struct server *server, ptrdiff_t index)
{
    struct workspace_request request = server->workspace.waiting[index];
    arrdel(server->workspace.waiting, index);
    send_count(server, &request, "end");
    json_decref(request.id);
    json_decref(request.params);
}

void workspace_advance(struct server *server)
{
    struct workspace *workspace = &server->workspace;
    if (unfinished(server) > 0)
        return;
    while (arrlen(workspace->waiting) > 0) {
        const struct workspace_request *request = &workspace->waiting[0];
        json_t *id = json_incref(request->id), *gone = json_array();
        add_gone(server, request->params, gone);
        send_progress(server, partial_token(request), json_pack("{s:o}", "items", gone));
        end_request(server, 0);
        server_reply(server, id, json_pack("{s:[]}", "items"));
        json_decref(id);
    }
    if (workspace->wants_refresh)
        server_request(server, "workspace/diagnostic/refresh", json_null());
    workspace->wants_refresh = false;
}

void workspace_tell(struct server *server, const json_t *files, const char *own)
{
    struct workspace *workspace = &server->workspace;
    for (ptrdiff_t i = 0; i < arrlen(workspace->waiting); ++i) {
        const struct workspace_request *request = &workspace->waiting[i];
        json_t *reports = json_array(), *value;
        const char *uri;
        json_object_foreach ((json_t *)files, uri, value) {
            if (strcmp(uri, own) != 0)
                json_array_append_new(reports, workspace_report(server, request->params, uri));
        }
        json_array_append_new(reports, workspace_report(server, request->params, own));
        send_progress(server, partial_token(request), json_pack("{s:o}", "items", reports));
        send_count(server, request, "report");
    }
}

bool workspace_cancel(struct server *server, const json_t *id, int code, const char *why)
{
    struct workspace *workspace = &server->workspace;
    bool found = false;
    for (ptrdiff_t i = arrlen(workspace->waiting); i > 0; --i) {
        if (id && !json_equal(workspace->waiting[i - 1].id, id))
            continue;
        json_t *refused = json_incref(workspace->waiting[i - 1].id);
        end_request(server, i - 1);
        server_reply_error(server, refused, code, why);
        json_decref(refused);
        found = true;
    }
    if (!found || arrlen(workspace->waiting) > 0)
        return found;
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        if (server->open[i]->is_closed)
            stop_analysis(server, server->open[i]);
    }
    if (workspace->is_listing)
        workspace_forget(server);
    return true;
}

// An editor that takes parts is answered as the files are done; another at once with what is known,
// and asked to ask again when there is more.
void workspace_diagnostic(struct server *server, const json_t *id, const json_t *params)
{
    struct workspace *workspace = &server->workspace;
    if (!workspace->is_listed && !workspace->is_listing)
        start_list(server);
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        struct open_document *open = server->open[i];
        if (open->is_closed && !open->result && !open->is_running && open->due == 0)
            open->due = clock_seconds();
    }
    struct workspace_request request = {json_incref((json_t *)id), json_incref((json_t *)params)};
    json_t *reports = known_reports(server, params);
    if (unfinished(server) > 0 && partial_token(&request)) {
        send_count(server, &request, "begin");
        send_progress(server, partial_token(&request), json_pack("{s:o}", "items", reports));
        arrput(workspace->waiting, request);
        return;
    }
    add_gone(server, params, reports);
    workspace->wants_refresh = unfinished(server) > 0 && server->refreshes;
    server_reply(server, id, json_pack("{s:o}", "items", reports));
    json_decref(request.id);
    json_decref(request.params);
}
