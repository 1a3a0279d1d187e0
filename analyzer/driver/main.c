// The entry point.
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "driver/nvcc/nvcc.h"

static void print_help(void)
{
    puts("Usage: barlint [COMMAND] [OPTION...] [PATH...]\n"
         "Finds misused barriers in CUDA sources.\n\n"
         "Commands:");
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (!command_table[i].is_hidden)
            printf("  %-10s %s\n", command_table[i].name, command_table[i].summary);
    }
    puts("\n'barlint COMMAND --help' lists the options of a command.\n\n"
         "Exit status: 0 nothing found, 1 findings, 2 wrong usage or configuration,\n"
         "3 some file could not be analysed, 4 internal error.");
}

// The first word when it names a command. A word that is neither a command nor an option nor a
// path is a mistyped command.
static bool find_command(const char *word, enum command_id *out, struct error *error)
{
    struct nearest nearest;
    nearest_init(&nearest, word);
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        nearest_offer(&nearest, command_table[i].name);
        if (strcmp(word, command_table[i].name) == 0) {
            *out = (enum command_id)i;
            return true;
        }
    }
    bool is_word = word[0] != '-' && word[0] && !strpbrk(word, "./") && access(word, F_OK) != 0;
    if (is_word && nearest.best)
        error_set(error, ERROR_USAGE, "there is no command or file '%s'; did you mean '%s'?", word,
                  nearest.best);
    return false;
}

int main(int argc, char **argv)
{
    // Only for the width of what is printed: numbers stay as in C.
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
    int first = 1;
    enum command_id command = COMMAND_CHECK;
    struct error error = {0};
    if (argc > 1) {
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
            strcmp(argv[1], "help") == 0) {
            print_help();
            return EXIT_CLEAN;
        }
        if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
            return command_version(NULL);
        first += find_command(argv[1], &command, &error);
        if (error.kind != ERROR_NONE)
            return driver_fail(&error);
    }
    if (command == COMMAND_NVCC)
        return nvcc_main(argc - first, argv + first); // all words are nvcc's
    struct options options;
    options_init(&options);
    int status;
    if (options_parse(&options, command, argc - first, argv + first, &error)) {
        if (options.cache_dir) // read where the folder is wanted, in workers too
            setenv("BARLINT_CACHE_DIR", options.cache_dir, 1);
        status = command_table[command].run(&options);
    } else {
        status = driver_fail(&error);
    }
    options_release(&options);
    // A full disk or a closed pipe must not pass for success.
    if (fflush(stdout) != 0 || ferror(stdout)) {
        error_set(&error, ERROR_INTERNAL, "writing to standard output failed");
        return driver_fail(&error);
    }
    return status;
}
