#define _GNU_SOURCE
#include "driver/run/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"

enum {
    LARGEST_RESULT = 256 * 1024 * 1024,
    HEAP_STEP = 8 * 1024 * 1024,
    LARGEST_STACK = 100 * 1024 * 1024, // Linux keeps 128 MB free for it
};

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
static void work_in_child(const struct worker_task *task, size_t index, int result, int words,
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
    if (task->memory_limit && CAN_LIMIT_MEMORY) {
        struct rlimit limit = {task->memory_limit, task->memory_limit};
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
    json_t *json = task->work(task->context, index);
    char *text = json_dumps(json, JSON_COMPACT);
    if (!text) {
        fputs("barlint: out of memory\n", stderr);
        _exit(4);
    }
    write_all(result, text, strlen(text));
    _exit(0);
}

bool worker_start(struct worker *worker, const struct worker_task *task, size_t index)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    int words = memfd_create("barlint-worker", MFD_CLOEXEC);
    fflush(NULL);
    pid_t parent = getpid(), pid = words < 0 ? -1 : fork();
    if (pid == 0) {
        close(ends[0]);
        work_in_child(task, index, ends[1], words, parent);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        if (words >= 0)
            close(words);
        return false;
    }
    *worker = (struct worker){
        .index = index,
        .pid = pid,
        .result = ends[0],
        .words = words,
        .task = task,
        .deadline = task->timeout > 0 ? clock_seconds() + task->timeout : 0,
    };
    return true;
}

// The end of what the worker wrote to stderr.
static void read_words(const struct worker *worker, char text[WORKER_REASON])
{
    off_t size = lseek(worker->words, 0, SEEK_END);
    off_t from = size > WORKER_REASON - 1 ? size - (WORKER_REASON - 1) : 0;
    ssize_t got = pread(worker->words, text, WORKER_REASON - 1, from);
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

static void say_why(const struct worker *worker, int status, char reason[WORKER_REASON])
{
    char words[WORKER_REASON];
    read_words(worker, words);
    const char *const no_memory[] = {"out of memory", "bad_alloc", "Cannot allocate memory",
                                     "Buffer allocation failed"};
    bool memory = false;
    for (size_t i = 0; i < sizeof no_memory / sizeof no_memory[0]; ++i)
        memory = memory || strstr(words, no_memory[i]);
    if (worker->late)
        snprintf(reason, WORKER_REASON, "took longer than %g s", worker->task->timeout);
    else if (worker->too_much)
        snprintf(reason, WORKER_REASON, "its result is larger than %d MB", LARGEST_RESULT >> 20);
    else if (memory && worker->task->memory_limit)
        snprintf(reason, WORKER_REASON, "needs more than %llu MB of memory",
                 (unsigned long long)(worker->task->memory_limit >> 20));
    else if (memory)
        snprintf(reason, WORKER_REASON, "needs more memory than there is");
    else if (WIFSIGNALED(status))
        snprintf(reason, WORKER_REASON, "the analysis crashed: %s%s%.200s",
                 strsignal(WTERMSIG(status)), words[0] ? ": " : "", last_line(words));
    else
        snprintf(reason, WORKER_REASON, "the analysis ended early with status %d",
                 WEXITSTATUS(status));
}

bool worker_read(struct worker *worker)
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

bool worker_is_late(struct worker *worker, double now)
{
    worker->late = worker->deadline > 0 && now > worker->deadline;
    return worker->late;
}

static void reap(struct worker *worker, int *out_status)
{
    while (waitpid(worker->pid, out_status, 0) < 0 && errno == EINTR) {
    }
    close(worker->result);
}

static void forget(struct worker *worker)
{
    close(worker->words);
    arrfree(worker->text);
}

json_t *worker_end(struct worker *worker, char reason[WORKER_REASON])
{
    int status = 0;
    if (worker->late || worker->too_much)
        kill(worker->pid, SIGKILL);
    reap(worker, &status);
    json_t *result = NULL;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !worker->late && !worker->too_much)
        result = json_loadb(worker->text, arrlenu(worker->text), 0, NULL);
    reason[0] = '\0';
    if (!result)
        say_why(worker, status, reason);
    forget(worker);
    return result;
}

void worker_kill(struct worker *worker)
{
    int status;
    kill(worker->pid, SIGKILL);
    reap(worker, &status);
    forget(worker);
}
