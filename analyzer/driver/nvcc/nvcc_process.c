#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/nvcc/nvcc.h"

static volatile sig_atomic_t interrupted;
static volatile pid_t running;

int process_interrupted(void)
{
    return interrupted;
}

// The process that runs is asked to end too; a terminal's signal it gets by itself.
static void on_signal(int number)
{
    interrupted = number;
    if (number == SIGTERM && running > 0)
        kill(running, number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_handler = on_signal};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        sigaction(numbers[i], &action, NULL);
}

static void restore_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        signal(numbers[i], SIG_DFL);
}

static int wait_for(pid_t child, const char *name)
{
    int status;
    running = child;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            running = 0;
            return 255;
        }
    }
    running = 0;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (!interrupted)
        fprintf(stderr, "barlint: '%.200s' died of signal %d (%s)\n", name, WTERMSIG(status),
                strsignal(WTERMSIG(status)));
    return 255;
}

static pid_t start(const char *name)
{
    catch_signals();
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child < 0)
        fprintf(stderr, "barlint: cannot run '%.200s': %s\n", name, strerror(errno));
    if (child == 0)
        restore_signals();
    return child;
}

int process_shell(const char *command, const char *errors)
{
    pid_t child = start(command);
    if (child == 0) {
        int file = errors ? open(errors, O_CREAT | O_TRUNC | O_WRONLY, 0666) : -1;
        if (file >= 0)
            dup2(file, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(255);
    }
    return child < 0 ? 255 : wait_for(child, command);
}

char *process_capture(struct arena *arena, const char *const *words, int *status)
{
    int ends[2];
    *status = 255;
    if (pipe(ends) != 0)
        return arena_strdup(arena, "");
    pid_t child = start(words[0]);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], (char *const *)words);
        _exit(255);
    }
    close(ends[1]);
    char *text = NULL, part[4096];
    size_t size = 0;
    FILE *all = open_memstream(&text, &size);
    for (;;) {
        ssize_t got = read(ends[0], part, sizeof part);
        if (got > 0 && all)
            fwrite(part, 1, (size_t)got, all);
        else if (got == 0 || (got < 0 && errno != EINTR))
            break;
    }
    close(ends[0]);
    if (all)
        fclose(all);
    if (child > 0)
        *status = wait_for(child, words[0]);
    char *kept = arena_strdup(arena, text ? text : "");
    free(text);
    return kept;
}
