#define _GNU_SOURCE
#include "driver/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

enum {
    POLL_MILLISECONDS = 200,
    ERROR_TEXT = 4096, // of a worker's last words
    LARGEST_RESULT = 256 * 1024 * 1024,
    FORK_TRIES = 50,
    HEAP_STEP = 8 * 1024 * 1024,
    LARGEST_STACK = 100 * 1024 * 1024, // Linux keeps 128 MB free for it
};

struct worker {
    size_t index;
    pid_t pid;
    int result;      // the reading end of its pipe
    int words;       // what it wrote to stderr: an unnamed file
    double deadline; // 0: none
    bool late, too_much;
    char *text; // stb_ds array: its result so far
};

struct state {
    const struct pool *pool;
    struct worker *worker; // stb_ds array: those that run
    size_t count, next, ended;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
    interrupted = signal;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// AddressSanitizer reserves terabytes of address space, which the limit must not forbid.
#if defined(__SANITIZE_ADDRESS__)
enum { CAN_LIMIT_MEMORY = 0 };
#else
enum { CAN_LIMIT_MEMORY = 1 };
#endif

static void write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            _exit(1);
        text += written;
        length -= (size_t)written;
    }
}

// Never returns.
static void work_in_child(const struct pool *pool, size_t index, int result, int words,
                          pid_t parent)
{
    // Nobody reads the result of a worker whose parent is gone.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (pool->memory_limit && CAN_LIMIT_MEMORY) {
        struct rlimit limit = {pool->memory_limit, pool->memory_limit};
        setrlimit(RLIMIT_AS, &limit);
    }
    // A worker parses in its only thread, whose stack may grow further than a new thread's would,
    // and its heap grows in large steps.
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    // A crash ends the worker, which is what workers are for.
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < LARGEST_STACK) {
        stack.rlim_cur = stack.rlim_max < LARGEST_STACK ? stack.rlim_max : LARGEST_STACK;
        setrlimit(RLIMIT_STACK, &stack);
    }
    mallopt(M_TOP_PAD, HEAP_STEP);
    // Nothing in a worker may write to the report: standard output goes where its errors go.
    dup2(words, STDERR_FILENO);
    dup2(words, STDOUT_FILENO);
    json_t *json = pool->work(pool->context, index);
    char *text = json_dumps(json, JSON_COMPACT);
    if (!text) {
        fputs("barlint: out of memory\n", stderr);
        _exit(4);
    }
    write_all(result, text, strlen(text));
    _exit(0);
}

static bool start_worker(struct state *state)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    int words = memfd_create("barlint-worker", MFD_CLOEXEC);
    fflush(NULL);
    pid_t parent = getpid(), pid = words < 0 ? -1 : fork();
    if (pid == 0) {
        close(ends[0]);
        work_in_child(state->pool, state->next, ends[1], words, parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        if (words >= 0)
            close(words);
        return false;
    }
    struct worker worker = {
        .index = state->next++,
        .pid = pid,
        .result = ends[0],
        .words = words,
        .deadline = state->pool->timeout > 0 ? now() + state->pool->timeout : 0,
    };
    arrput(state->worker, worker);
    return true;
}

// The end of what the worker wrote to stderr.
static void read_words(const struct worker *worker, char text[ERROR_TEXT])
{
    off_t size = lseek(worker->words, 0, SEEK_END);
    off_t from = size > ERROR_TEXT - 1 ? size - (ERROR_TEXT - 1) : 0;
    ssize_t got = pread(worker->words, text, ERROR_TEXT - 1, from);
    text[got > 0 ? got : 0] = '\0';
}

// The last line that says something; the text is cut behind it.
static const char *last_line(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr("\n\r ", text[length - 1]))
        text[--length] = '\0';
    char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

static void say_why(const struct state *state, const struct worker *worker, int status,
                    char reason[ERROR_TEXT])
{
    char words[ERROR_TEXT];
    read_words(worker, words);
    const char *const no_memory[] = {"out of memory", "bad_alloc", "Cannot allocate memory",
                                     "Buffer allocation failed"};
    bool memory = false;
    for (size_t i = 0; i < sizeof no_memory / sizeof no_memory[0]; ++i)
        memory = memory || strstr(words, no_memory[i]);
    if (worker->late)
        snprintf(reason, ERROR_TEXT, "took longer than %g s", state->pool->timeout);
    else if (worker->too_much)
        snprintf(reason, ERROR_TEXT, "its result is larger than %d MB", LARGEST_RESULT >> 20);
    else if (memory && state->pool->memory_limit)
        snprintf(reason, ERROR_TEXT, "needs more than %llu MB of memory",
                 (unsigned long long)(state->pool->memory_limit >> 20));
    else if (memory)
        snprintf(reason, ERROR_TEXT, "needs more memory than there is");
    else if (WIFSIGNALED(status))
        snprintf(reason, ERROR_TEXT, "the analysis crashed: %s%s%.200s",
                 strsignal(WTERMSIG(status)), words[0] ? ": " : "", last_line(words));
    else
        snprintf(reason, ERROR_TEXT, "the analysis ended early with status %d",
                 WEXITSTATUS(status));
}

// Takes the end of worker number `at`, which closed its pipe or is to be killed.
static void end_worker(struct state *state, size_t at)
{
    struct worker worker = state->worker[at];
    int status = 0;
    if (worker.late || worker.too_much)
        kill(worker.pid, SIGKILL);
    while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
    }
    json_t *result = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !worker.late && !worker.too_much)
        result = json_loadb(worker.text, arrlenu(worker.text), 0, NULL);
    char reason[ERROR_TEXT] = "";
    if (!result)
        say_why(state, &worker, status, reason);
    close(worker.result);
    close(worker.words);
    arrfree(worker.text);
    arrdelswap(state->worker, at);
    ++state->ended;
    state->pool->done(state->pool->context, worker.index, result, reason);
    json_decref(result);
}

// Reads what a worker has ready. Returns false at the end of its result.
static bool read_result(struct worker *worker)
{
    char bytes[65536];
    ssize_t got = read(worker->result, bytes, sizeof bytes);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got == 0)
        return false;
    memcpy(arraddnptr(worker->text, got), bytes, (size_t)got);
    worker->too_much = arrlenu(worker->text) > LARGEST_RESULT;
    return !worker->too_much;
}

static void wait_for_workers(struct state *state)
{
    size_t count = arrlenu(state->worker);
    struct pollfd *wait = NULL; // stb_ds array
    double soonest = POLL_MILLISECONDS;
    double time = now();
    for (size_t i = 0; i < count; ++i) {
        arrput(wait, ((struct pollfd){.fd = state->worker[i].result, .events = POLLIN}));
        double left = (state->worker[i].deadline - time) * 1000;
        if (state->worker[i].deadline > 0 && left < soonest)
            soonest = left > 1 ? left : 1;
    }
    int ready = poll(wait, count, (int)soonest);
    time = now();
    // From the last one on, because ending a worker moves the last one into its place.
    for (size_t i = count; i-- > 0;) {
        struct worker *worker = &state->worker[i];
        bool open = true;
        if (ready > 0 && wait[i].revents)
            open = read_result(worker);
        if (open && worker->deadline > 0 && time > worker->deadline) {
            worker->late = true;
            open = false;
        }
        if (!open)
            end_worker(state, i);
    }
    arrfree(wait);
}

static void kill_workers(struct state *state)
{
    for (ptrdiff_t i = 0; i < arrlen(state->worker); ++i) {
        struct worker *worker = &state->worker[i];
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR) {
        }
        close(worker->result);
        close(worker->words);
        arrfree(worker->text);
    }
    arrsetlen(state->worker, 0);
}

// Starts workers until enough run. When the system gives no process and none runs that could end,
// it is asked again for a while before the unit is given up.
static void start_workers(struct state *state)
{
    for (int tries = 0; state->next < state->count && arrlenu(state->worker) < state->pool->jobs &&
                        !interrupted;) {
        if (start_worker(state)) {
            tries = 0;
        } else if (arrlenu(state->worker) > 0) {
            return;
        } else if (++tries < FORK_TRIES) {
            struct timespec pause = {0, 20 * 1000 * 1000};
            nanosleep(&pause, NULL);
        } else {
            char reason[128];
            snprintf(reason, sizeof reason, "no process could be started for it: %s",
                     strerror(errno));
            ++state->ended;
            state->pool->done(state->pool->context, state->next++, NULL, reason);
            tries = 0;
        }
    }
}

bool pool_run(const struct pool *pool, size_t count, int *out_signal)
{
    struct state state = {.pool = pool, .count = count};
    struct sigaction action = {.sa_handler = on_signal}, before[3];
    const int signals[3] = {SIGINT, SIGTERM, SIGHUP};
    interrupted = 0;
    for (int i = 0; i < 3; ++i)
        sigaction(signals[i], &action, &before[i]);
    while (state.ended < count && !interrupted) {
        start_workers(&state);
        if (arrlenu(state.worker) > 0)
            wait_for_workers(&state);
        if (pool->progress)
            pool->progress(pool->context, state.ended, count);
    }
    kill_workers(&state);
    arrfree(state.worker);
    for (int i = 0; i < 3; ++i)
        sigaction(signals[i], &before[i], NULL);
    *out_signal = interrupted;
    return !interrupted;
}
