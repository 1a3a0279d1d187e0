// `barlint lsp`: the loop over standard input, the workers and the clock.
#define _GNU_SOURCE
#include "driver/editor/lsp.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/run/pool.h"
#include "driver/settings/settings.h"

enum {
    WRITE_AT_ONCE = 4096,           // what a pipe that is ready takes without waiting (PIPE_BUF)
    MOST_UNREAD = 16 * 1024 * 1024, // of answers: an editor that does not read is not read
    READ_AT_ONCE = 65536,
};

static const double PROGRESS_AFTER = 1; // seconds

// --- Output --------------------------------------------------------------------------------------

void server_send(struct server *server, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (!text)
        return;
    char header[64];
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
    memcpy(arraddnptr(server->out, length), header, (size_t)length);
    memcpy(arraddnptr(server->out, strlen(text)), text, strlen(text));
    free(text);
}

// Writes what standard output takes now; all there is when the server is about to end.
static bool write_some(struct server *server, bool all)
{
    do {
        size_t left = arrlenu(server->out) - server->written;
        if (left == 0)
            break;
        size_t most = left < WRITE_AT_ONCE ? left : WRITE_AT_ONCE;
        ssize_t got = write(STDOUT_FILENO, server->out + server->written, most);
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        server->written += got > 0 ? (size_t)got : 0;
    } while (all);
    if (server->written == arrlenu(server->out)) {
        arrsetlen(server->out, 0);
        server->written = 0;
    }
    return true;
}

// --- Input ---------------------------------------------------------------------------------------

static bool read_some(struct server *server)
{
    char bytes[READ_AT_ONCE];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got == 0)
        return false;
    lsp_stream_add(&server->in, bytes, (size_t)got);
    enum lsp_taken taken;
    const char *content;
    size_t length;
    while (server->exit_status < 0 &&
           (taken = lsp_stream_take(&server->in, &content, &length)) != LSP_TAKEN_NOTHING) {
        if (taken == LSP_TAKEN_CONTENT)
            server_take_content(server, content, length);
        else
            server_take_broken(server);
    }
    return true;
}

// --- Workers -------------------------------------------------------------------------------------

static unsigned running(const struct server *server, bool closed)
{
    unsigned count = 0;
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i)
        count += server->open[i]->is_closed == closed && server->open[i]->is_running;
    return count;
}

// How many more analyses may be started. Closed files leave a processor to the open ones.
static unsigned room(const struct server *server, bool closed)
{
    unsigned most = closed && server->jobs > 1 ? server->jobs - 1 : server->jobs;
    unsigned now = running(server, closed);
    return now < most ? most - now : 0;
}

// Starts the analyses that are due, those that wait for longest first.
static void start_due(struct server *server, bool closed)
{
    double now = clock_seconds();
    for (unsigned free = room(server, closed); free > 0; --free) {
        ptrdiff_t first = -1;
        for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
            double due = server->open[i]->is_closed == closed ? server->open[i]->due : 0;
            if (due > 0 && due <= now && (first < 0 || due < server->open[first]->due))
                first = i;
        }
        if (first < 0)
            return;
        struct open_document *open = server->open[first];
        open->due = 0;
        open->started = now;
        open->is_running = worker_start(&open->worker, &server->task, (size_t)first);
        if (!open->is_running)
            take_result(server, open, NULL, "no process could be started for it");
    }
}

static void look_at_worker(struct server *server, struct open_document *open, bool is_ready)
{
    double now = clock_seconds();
    bool more = !is_ready || worker_read(&open->worker);
    if (!more || worker_is_late(&open->worker, now)) {
        char reason[WORKER_REASON];
        open->is_running = false;
        json_t *result = worker_end(&open->worker, reason);
        take_result(server, open, result, reason);
    } else if (server->progresses && !open->is_closed && !open->progress &&
               now > open->started + PROGRESS_AFTER) {
        open->progress = server->requests + 1;
        server_request(server, "window/workDoneProgress/create",
                       json_pack("{s:I}", "token", open->progress));
    }
}

// --- The loop ------------------------------------------------------------------------------------

// Until when nothing happens by itself, in milliseconds; -1: for ever.
static int patience(const struct server *server)
{
    double now = clock_seconds();
    double soonest = server->workspace.is_listing ? server->workspace.lister.deadline : 0;
    const bool busy[] = {room(server, false) == 0, room(server, true) == 0};
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        const struct open_document *open = server->open[i];
        const double moments[] = {
            busy[open->is_closed] ? 0 : open->due,
            open->is_running ? open->worker.deadline : 0,
            open->is_running && server->progresses && !open->is_closed && !open->progress
                ? open->started + PROGRESS_AFTER
                : 0,
        };
        for (size_t k = 0; k < sizeof moments / sizeof moments[0]; ++k) {
            if (moments[k] > 0 && (soonest == 0 || moments[k] < soonest))
                soonest = moments[k];
        }
    }
    if (soonest == 0)
        return -1;
    return soonest > now ? (int)((soonest - now) * 1000) + 1 : 0;
}

// Waits for something to happen and deals with it. False when the editor is gone.
static bool turn(struct server *server)
{
    struct pollfd *wait = NULL; // stb_ds array: input, output, who lists, workers
    size_t unread = arrlenu(server->out) - server->written;
    arrput(wait, ((struct pollfd){unread > MOST_UNREAD ? -1 : STDIN_FILENO, POLLIN, 0}));
    arrput(wait, ((struct pollfd){unread > 0 ? STDOUT_FILENO : -1, POLLOUT, 0}));
    int lister = server->workspace.is_listing ? server->workspace.lister.result : -1;
    arrput(wait, ((struct pollfd){lister, POLLIN, 0}));
    struct open_document **watched = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        if (!server->open[i]->is_running)
            continue;
        arrput(watched, server->open[i]);
        arrput(wait, ((struct pollfd){server->open[i]->worker.result, POLLIN, 0}));
    }
    if (poll(wait, arrlenu(wait), patience(server)) < 0) {
        for (ptrdiff_t i = 0; i < arrlen(wait); ++i)
            wait[i].revents = 0;
    }
    // Workers first: a message may end them.
    for (ptrdiff_t i = 0; i < arrlen(watched); ++i)
        look_at_worker(server, watched[i], wait[i + 3].revents != 0);
    if (server->workspace.is_listing)
        workspace_look(server, wait[2].revents != 0);
    bool good = !wait[1].revents || write_some(server, false);
    if (good && wait[0].revents)
        good = read_some(server);
    arrfree(watched);
    arrfree(wait);
    start_due(server, false);
    start_due(server, true);
    return good;
}

static void server_release(struct server *server)
{
    for (ptrdiff_t i = 0; i < arrlen(server->open); ++i) {
        stop_analysis(server, server->open[i]);
        open_document_free(server->open[i]);
    }
    for (ptrdiff_t i = 0; i < arrlen(server->waiting); ++i) {
        json_decref(server->waiting[i].id);
        json_decref(server->waiting[i].params);
    }
    for (ptrdiff_t i = 0; i < arrlen(server->root); ++i)
        free(server->root[i]);
    workspace_forget(server);
    arrfree(server->workspace.waiting);
    arrfree(server->root);
    arrfree(server->open);
    arrfree(server->waiting);
    arrfree(server->out);
    lsp_stream_release(&server->in);
    server_memory_release(server);
}

int command_lsp(struct options *options)
{
    struct error error = {0};
    if (arrlen(options->path) > 0) {
        error_set(&error, ERROR_USAGE, "'barlint lsp' takes no files: the editor names them");
        return driver_fail(&error);
    }
    if (!rules_exist(options, &error))
        return driver_fail(&error);
    struct server server = {
        .options = options,
        .exit_status = -1,
        .jobs = options->jobs ? options->jobs : pool_processors(),
        .task = {.timeout = options->timeout,
                 .memory_limit = options->memory_limit,
                 .work = lsp_analyse},
    };
    server.task.context = &server;
    server_memory_init(&server);
    signal(SIGPIPE, SIG_IGN);
    while (server.exit_status < 0) {
        // An editor that goes away without a word, or in the middle of one, ends the server too.
        if (!turn(&server) && server.exit_status < 0)
            server.exit_status = server.stage == LSP_SHUT_DOWN ? 0 : 1;
    }
    write_some(&server, true);
    server_release(&server);
    return server.exit_status;
}
