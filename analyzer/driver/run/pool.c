#define _GNU_SOURCE
#include "driver/run/pool.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/vec.h"

enum {
    POLL_MILLISECONDS = 200,
    FORK_TRIES = 50,
    BYTES_A_WORKER = 400 * 1000 * 1000, // what one needs with a toolkit's headers
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

// Takes the end of worker number `at`, which closed its pipe or is to be killed.
static void end_worker(struct state *state, size_t at)
{
    struct worker worker = state->worker[at];
    char reason[WORKER_REASON];
    json_t *result = worker_end(&worker, reason);
    arrdelswap(state->worker, at);
    ++state->ended;
    state->pool->done(state->pool->task.context, worker.index, result, reason);
    json_decref(result);
}

static void wait_for_workers(struct state *state)
{
    size_t count = arrlenu(state->worker);
    struct pollfd *wait = NULL; // stb_ds array
    double soonest = POLL_MILLISECONDS;
    double time = clock_seconds();
    for (size_t i = 0; i < count; ++i) {
        arrput(wait, ((struct pollfd){.fd = state->worker[i].result, .events = POLLIN}));
        double left = (state->worker[i].deadline - time) * 1000;
        if (state->worker[i].deadline > 0 && left < soonest)
            soonest = left > 1 ? left : 1;
    }
    int ready = poll(wait, count, (int)soonest);
    time = clock_seconds();
    // From the last one on, because ending a worker moves the last one into its place.
    for (size_t i = count; i-- > 0;) {
        struct worker *worker = &state->worker[i];
        bool open = true;
        if (ready > 0 && wait[i].revents)
            open = worker_read(worker);
        if (!open || worker_is_late(worker, time))
            end_worker(state, i);
    }
    arrfree(wait);
}

static void kill_workers(struct state *state)
{
    for (ptrdiff_t i = 0; i < arrlen(state->worker); ++i)
        worker_kill(&state->worker[i]);
    arrsetlen(state->worker, 0);
}

// Starts workers until enough run. When the system gives no process and none runs that could end,
// it is asked again for a while before the unit is given up.
static void start_workers(struct state *state)
{
    for (int tries = 0; state->next < state->count && arrlenu(state->worker) < state->pool->jobs &&
                        !interrupted;) {
        struct worker worker;
        if (worker_start(&worker, &state->pool->task, state->next)) {
            arrput(state->worker, worker);
            ++state->next;
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
            state->pool->done(state->pool->task.context, state->next++, NULL, reason);
            tries = 0;
        }
    }
}

unsigned pool_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    double memory = pages > 0 && page > 0 ? (double)pages * (double)page / BYTES_A_WORKER : count;
    if (memory < count)
        count = (int)memory;
    return count < 1 ? 1 : (unsigned)count;
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
            pool->progress(pool->task.context, state.ended, count);
    }
    kill_workers(&state);
    arrfree(state.worker);
    for (int i = 0; i < 3; ++i)
        sigaction(signals[i], &before[i], NULL);
    *out_signal = interrupted;
    return !interrupted;
}
