// The language server, from inside. One process holds the open documents and answers; each analysis
// is a worker process that inherits the texts, reads configuration and compile database anew, and
// sends what there is to show. So a crash or an endless loop costs one answer, and a change simply
// ends the worker of the version before.
//
//   lsp.c            the loop: standard input, workers, time
//   lsp_message.c    JSON-RPC: what is a request, answers, the life cycle
//   lsp_document.c   documents, diagnostics, actions, hover
//   lsp_workspace.c  files that are not open
//   lsp_analysis.c   the worker's side
//   lsp_memory.c     what was found out about kernels, for the next analysis
#ifndef BARLINT_DRIVER_LSP_H
#define BARLINT_DRIVER_LSP_H

#include <jansson.h>

#include "driver/run/worker.h"
#include "driver/settings/options.h"
#include "driver/unit/analyse.h"
#include "lsp/document.h"
#include "lsp/stream.h"

// Errors of JSON-RPC and of the protocol.
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_CANCELLED = -32800,
    LSP_CONTENT_MODIFIED = -32801,
};

enum lsp_stage { LSP_FRESH, LSP_RUNNING, LSP_SHUT_DOWN };

enum lsp_message_type { LSP_SAY_ERROR = 1, LSP_SAY_WARNING, LSP_SAY_INFO };

// An open document, or a closed one of the workspace, and what is known of it.
struct open_document {
    struct lsp_document document;
    bool is_closed; // a file of the workspace that the editor has not open: it is on the disk
    double due;     // when its analysis is to start; 0: no analysis is wanted
    bool is_running;
    struct worker worker;
    double started;
    json_t *result; // of the last analysis that ended, see lsp_analyse(); NULL before the first
    char *trouble;  // what the user was last told about it, or NULL
    json_int_t progress; // id of the request for a progress bar; 0: none was made
    bool shows_progress;
};

// What came of a kernel, by its key.
struct lsp_memory {
    char *key;
    struct lsp_memory_entry {
        json_t *kept;
        uint64_t used; // number of the analysis that used it last
    } value;
};

// A request that waits for an analysis.
struct server;
struct waiting_request {
    json_t *id, *params;
    struct open_document *open;
    json_t *(*answer)(const struct server *server, const struct waiting_request *request);
};

// Diagnostics of the whole workspace.
struct workspace_request {
    json_t *id, *params;
};

struct workspace {
    bool is_listed, is_listing; // its files
    bool wants_refresh;         // the editor is to ask again when all is done
    struct worker_task task;
    struct worker lister;
    struct workspace_request *waiting; // stb_ds array
};

struct server {
    const struct options *options;
    enum lsp_stage stage;
    int exit_status; // -1: goes on
    enum lsp_encoding encoding;
    // What the editor says it can.
    bool versions, pulls, relates, refreshes, progresses, watches, has_pages;
    char **root; // stb_ds arrays
    struct open_document **open;
    struct waiting_request *waiting;
    struct worker_task task;
    unsigned jobs;
    struct lsp_stream in;
    char *out; // stb_ds array: what is still to be written
    size_t written;
    json_int_t requests;           // made so far
    struct lsp_memory *remembered; // stb_ds map
    uint64_t analyses;             // that have ended
    struct kernel_memory memory;
    struct workspace workspace;
};

// --- lsp.c -----------------------------------------------------------------------------------

// Takes over the message.
void server_send(struct server *server, json_t *message);

// --- lsp_message.c ---------------------------------------------------------------------------

void server_take_content(struct server *server, const char *content, size_t length);
void server_take_broken(struct server *server);

// Answers take over `result`. A notification has no id and gets no answer.
void server_reply(struct server *server, const json_t *id, json_t *result);
void server_reply_error(struct server *server, const json_t *id, int code, const char *message);
void server_notify(struct server *server, const char *method, json_t *params);
// Returns the id of the request.
json_int_t server_request(struct server *server, const char *method, json_t *params);
void server_say(struct server *server, enum lsp_message_type type, const char *text);
void server_log(struct server *server, const char *text);

// --- lsp_document.c --------------------------------------------------------------------------

typedef void (*server_handler)(struct server *server, const json_t *id, const json_t *params);

void did_open(struct server *server, const json_t *id, const json_t *params);
void did_change(struct server *server, const json_t *id, const json_t *params);
void did_save(struct server *server, const json_t *id, const json_t *params);
void did_close(struct server *server, const json_t *id, const json_t *params);
void did_change_watched_files(struct server *server, const json_t *id, const json_t *params);
void did_change_folders(struct server *server, const json_t *id, const json_t *params);
void cancel_request(struct server *server, const json_t *id, const json_t *params);
void hover(struct server *server, const json_t *id, const json_t *params);
void code_action(struct server *server, const json_t *id, const json_t *params);
void document_diagnostic(struct server *server, const json_t *id, const json_t *params);
void workspace_diagnostic(struct server *server, const json_t *id, const json_t *params);

void add_root(struct server *server, const char *uri);
// The workspace folder that the path lies in; its own folder where there is none.
const char *root_of(const struct server *server, struct arena *arena, const char *path);

// Takes what a worker sent; `result` is taken over, NULL where there is none for the reason.
void take_result(struct server *server, struct open_document *open, json_t *result,
                 const char *reason);
// Answers all requests that wait with an error.
void refuse_all(struct server *server, int code, const char *why);
void stop_analysis(struct server *server, struct open_document *open);
// Takes the document out of the list; it is the caller's then.
void remove_document(struct server *server, struct open_document *open);
void end_progress(struct server *server, struct open_document *open);
void open_document_free(struct open_document *open);

// The document of the URI that the editor has open, or NULL.
struct open_document *find_open(const struct server *server, const char *uri);
// A report of the diagnostics of a file, or the word that nothing changed since `previous`, an
// earlier report's id or NULL.
json_t *report_of(const struct server *server, const char *uri, const char *previous);

// --- lsp_workspace.c -------------------------------------------------------------------------

// Looks at the worker that lists files; there may be something to be read of it.
void workspace_look(struct server *server, bool is_ready);
// Answers those who asked for everything when everything is done.
void workspace_advance(struct server *server);
// Sends them what has become of files, an object by URI, and of the file `own`.
void workspace_tell(struct server *server, const json_t *files, const char *own);
// Refuses the request of the id, all of them where it is NULL. False where there is none.
bool workspace_cancel(struct server *server, const json_t *id, int code, const char *why);
// The files are to be listed anew.
void workspace_forget(struct server *server);

// --- lsp_memory.c ----------------------------------------------------------------------------

// A worker inherits what earlier ones found out about kernels, and finds it in server->memory.
void server_memory_init(struct server *server);
void server_memory_release(struct server *server);
// Takes what an analysis made or used, the "kernels" of unit_analyse().
void server_remember(struct server *server, const json_t *kernels);

// --- lsp_analysis.c --------------------------------------------------------------------------

// The work of a worker on an open document:
// {"files", "fix_all", "hover", "read": [PATH], "kernels": see unit_analyse(),
//  "trouble": text or null, "log": text or null}
json_t *lsp_analyse(void *server, size_t index);

#endif
