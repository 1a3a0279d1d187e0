// JSON-RPC 2.0 and the life cycle of the language server.
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "driver/editor/lsp.h"

// --- What goes out -------------------------------------------------------------------------------

void server_reply(struct server *server, const json_t *id, json_t *result)
{
    if (id)
        server_send(server,
                    json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
    else
        json_decref(result);
}

void server_reply_error(struct server *server, const json_t *id, int code, const char *message)
{
    if (id)
        server_send(server, json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id,
                                      "error", "code", code, "message", message));
}

void server_notify(struct server *server, const char *method, json_t *params)
{
    server_send(server,
                json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

json_int_t server_request(struct server *server, const char *method, json_t *params)
{
    ++server->requests;
    server_send(server, json_pack("{s:s, s:I, s:s, s:o}", "jsonrpc", "2.0", "id", server->requests,
                                  "method", method, "params", params));
    return server->requests;
}

void server_say(struct server *server, enum lsp_message_type type, const char *text)
{
    server_notify(server, "window/showMessage",
                  json_pack("{s:i, s:s}", "type", (int)type, "message", text));
}

void server_log(struct server *server, const char *text)
{
    server_notify(server, "window/logMessage",
                  json_pack("{s:i, s:s}", "type", LSP_SAY_INFO, "message", text));
}

// --- The life cycle ------------------------------------------------------------------------------

// A value of nested objects, by its names; NULL where something on the way is no object.
static json_t *at(const json_t *json, const char *const *names)
{
    for (; *names; ++names)
        json = json_object_get(json, *names);
    return (json_t *)json;
}

#define AT(json, ...) at(json, (const char *const[]){__VA_ARGS__, NULL})

static void read_capabilities(struct server *server, const json_t *can)
{
    size_t i;
    json_t *encoding;
    json_array_foreach (AT(can, "general", "positionEncodings"), i, encoding) {
        const char *name = json_string_value(encoding);
        if (name && strcmp(name, "utf-8") == 0)
            server->encoding = LSP_UTF8;
    }
    server->versions = json_is_true(AT(can, "workspace", "workspaceEdit", "documentChanges"));
    server->pulls = json_is_object(AT(can, "textDocument", "diagnostic"));
    server->relates = json_is_true(AT(can, "textDocument", "diagnostic", "relatedDocumentSupport"));
    server->refreshes = json_is_true(AT(can, "workspace", "diagnostics", "refreshSupport"));
    server->progresses = json_is_true(AT(can, "window", "workDoneProgress"));
    server->watches =
        json_is_true(AT(can, "workspace", "didChangeWatchedFiles", "dynamicRegistration"));
    server->has_pages =
        json_is_true(AT(can, "textDocument", "publishDiagnostics", "codeDescriptionSupport")) ||
        server->pulls;
}

static void read_roots(struct server *server, const json_t *params)
{
    size_t i;
    json_t *folder;
    json_array_foreach (json_object_get(params, "workspaceFolders"), i, folder)
        add_root(server, json_string_value(json_object_get(folder, "uri")));
    if (arrlen(server->root) == 0)
        add_root(server, json_string_value(json_object_get(params, "rootUri")));
}

static json_t *capabilities(const struct server *server)
{
    json_t *json = json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:{s:[s, s]}, s:{s:{s:b, s:b}}}",
                             "positionEncoding", server->encoding == LSP_UTF8 ? "utf-8" : "utf-16",
                             "textDocumentSync", "openClose", 1, "change", 2, "save", "includeText",
                             0, "hoverProvider", 1, "codeActionProvider", "codeActionKinds",
                             "quickfix", "source.fixAll.barlint", "workspace", "workspaceFolders",
                             "supported", 1, "changeNotifications", 1);
    if (server->pulls)
        json_object_set_new(json, "diagnosticProvider",
                            json_pack("{s:s, s:b, s:b}", "identifier", "barlint",
                                      "interFileDependencies", 1, "workspaceDiagnostics", 1));
    return json;
}

static void initialize(struct server *server, const json_t *id, const json_t *params)
{
    read_capabilities(server, json_object_get(params, "capabilities"));
    read_roots(server, params);
    server->stage = LSP_RUNNING;
    server_reply(server, id,
                 json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(server),
                           "serverInfo", "name", "barlint", "version", BARLINT_VERSION));
}

// What the answers depend on beside the open documents.
static void initialized(struct server *server, const json_t *id, const json_t *params)
{
    (void)id, (void)params;
    if (!server->watches)
        return;
    server_request(server, "client/registerCapability",
                   json_pack("{s:[{s:s, s:s, s:{s:[{s:s}, {s:s}, {s:s}]}}]}", "registrations", "id",
                             "files", "method", "workspace/didChangeWatchedFiles",
                             "registerOptions", "watchers", "globPattern", "**/.barlint.yaml",
                             "globPattern", "**/compile_commands.json", "globPattern",
                             "**/*.{cu,cuh,h,hh,hpp,hxx,inl,inc}"));
}

static void shut_down(struct server *server, const json_t *id, const json_t *params)
{
    (void)params;
    server->stage = LSP_SHUT_DOWN;
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i)
        stop_analysis(server, server->open[i]);
    refuse_all(server, LSP_REQUEST_CANCELLED, "the server shuts down");
    server_reply(server, id, json_null());
}

static void leave(struct server *server, const json_t *id, const json_t *params)
{
    (void)id, (void)params;
    server->exit_status = server->stage == LSP_SHUT_DOWN ? 0 : 1;
}

// --- What comes in -------------------------------------------------------------------------------

enum { NEEDS_ID = 1, NEEDS_PARAMS = 2 };

static const struct {
    const char *method;
    server_handler handler;
    unsigned needs;
} methods[] = {
    {"initialize", initialize, NEEDS_ID | NEEDS_PARAMS},
    {"initialized", initialized, 0},
    {"shutdown", shut_down, NEEDS_ID},
    {"exit", leave, 0},
    {"$/cancelRequest", cancel_request, NEEDS_PARAMS},
    {"textDocument/didOpen", did_open, NEEDS_PARAMS},
    {"textDocument/didChange", did_change, NEEDS_PARAMS},
    {"textDocument/didSave", did_save, NEEDS_PARAMS},
    {"textDocument/didClose", did_close, NEEDS_PARAMS},
    {"textDocument/hover", hover, NEEDS_ID | NEEDS_PARAMS},
    {"textDocument/codeAction", code_action, NEEDS_ID | NEEDS_PARAMS},
    {"textDocument/diagnostic", document_diagnostic, NEEDS_ID | NEEDS_PARAMS},
    {"workspace/diagnostic", workspace_diagnostic, NEEDS_ID | NEEDS_PARAMS},
    {"workspace/didChangeWatchedFiles", did_change_watched_files, NEEDS_PARAMS},
    {"workspace/didChangeWorkspaceFolders", did_change_folders, NEEDS_PARAMS},
};

static void call(struct server *server, const char *method, const json_t *id, const json_t *params)
{
    size_t i = 0, count = sizeof methods / sizeof methods[0];
    while (i < count && strcmp(methods[i].method, method) != 0)
        ++i;
    bool is_exit = i < count && methods[i].handler == leave;
    bool is_first = i < count && methods[i].handler == initialize;
    if (server->stage == LSP_SHUT_DOWN && !is_exit)
        server_reply_error(server, id, LSP_INVALID_REQUEST, "the server is shut down");
    else if (server->stage == LSP_FRESH && !is_first && !is_exit)
        server_reply_error(server, id, LSP_NOT_INITIALIZED, "'initialize' comes first");
    else if (server->stage != LSP_FRESH && is_first)
        server_reply_error(server, id, LSP_INVALID_REQUEST, "'initialize' came already");
    else if (i == count)
        server_reply_error(server, id, LSP_METHOD_NOT_FOUND, "there is no such method");
    else if (methods[i].needs & NEEDS_PARAMS && !json_is_object(params))
        server_reply_error(server, id, LSP_INVALID_PARAMS, "params must be an object");
    else if (id && !(methods[i].needs & NEEDS_ID))
        server_reply_error(server, id, LSP_INVALID_REQUEST, "this is a notification");
    else if (id || !(methods[i].needs & NEEDS_ID))
        methods[i].handler(server, id, params);
}

// The answer to a request of ours: only those for a progress bar are waited for.
static void take_answer(struct server *server, const json_t *message, const json_t *id)
{
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        struct open_document *open = server->open[i];
        if (!open->is_running || !open->progress || open->shows_progress ||
            json_integer_value(id) != open->progress || json_object_get(message, "error"))
            continue;
        open->shows_progress = true;
        server_notify(server, "$/progress",
                      json_pack("{s:I, s:{s:s, s:s}}", "token", open->progress, "value", "kind",
                                "begin", "title", "barlint analyses"));
    }
}

static void fail_without_id(struct server *server, int code, const char *message)
{
    json_t *id = json_null();
    server_reply_error(server, id, code, message);
    json_decref(id);
}

static void take_message(struct server *server, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");
    const json_t *method = json_object_get(message, "method");
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    bool id_is_good = !id || json_is_integer(id) || json_is_string(id);
    if (!version || strcmp(version, "2.0") != 0 || !id_is_good)
        fail_without_id(server, LSP_INVALID_REQUEST, "this is no message of JSON-RPC 2.0");
    else if (json_is_string(method))
        call(server, json_string_value(method), id, json_object_get(message, "params"));
    else if (!method && id &&
             (json_object_get(message, "result") || json_object_get(message, "error")))
        take_answer(server, message, id);
    else
        fail_without_id(server, LSP_INVALID_REQUEST, "this is neither a request nor an answer");
}

void server_take_content(struct server *server, const char *content, size_t length)
{
    json_t *message = json_loadb(content, length, 0, NULL);
    if (message)
        take_message(server, message);
    else
        fail_without_id(server, LSP_PARSE_ERROR, "this is not JSON");
    json_decref(message);
}

void server_take_broken(struct server *server)
{
    fail_without_id(server, LSP_PARSE_ERROR, "a header must give the length of the content");
}
