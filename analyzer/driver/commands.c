// The command table.
#include <stdio.h>

#include "driver/driver.h"

const struct command_row command_table[COMMAND_COUNT_] = {
    [COMMAND_CHECK] = {"check", "[PATH...] [-- COMPILER ARGUMENTS]",
                       "find misused barriers in CUDA sources (the default command)", command_check,
                       false},
    [COMMAND_EXPLAIN] = {"explain", "[RULE...]", "say what a rule finds, why, and how to fix it",
                         command_explain, false},
    [COMMAND_RULES] = {"rules", "", "list the rules", command_rules, false},
    [COMMAND_BASELINE] = {"baseline", "create|update|prune|show [PATH...]",
                          "keep known findings in a file, so that only new ones show",
                          command_baseline, false},
    [COMMAND_CONFIG] = {"config", "show [FILE] | schema",
                        "show the configuration and where each value comes from", command_config,
                        false},
    [COMMAND_TRANSLATE] = {"translate", "FILE... [-- COMPILER ARGUMENTS]",
                           "show how a file's compile command is read, option by option",
                           command_translate, false},
    [COMMAND_DOCTOR] = {"doctor", "[PATH...]",
                        "show what barlint finds here: database, toolkit, headers", command_doctor,
                        false},
    [COMMAND_DUMP] = {"dump", "FILE... [-- COMPILER ARGUMENTS]",
                      "print what the analysis sees of a file", command_dump, false},
    [COMMAND_QUERY] = {"query", "SQL", "ask the store about kernels, launches, barriers, findings",
                       command_query, false},
    [COMMAND_INDEX] = {"index", "build|stats|gc [PATH...]",
                       "fill the store, say what is in it, or make it smaller", command_index,
                       false},
    [COMMAND_MERGE] = {"merge", "JSON...", "join the results of the shards of a check",
                       command_merge, false},
    [COMMAND_LSP] = {"lsp", "", "serve an editor: the Language Server Protocol on standard input",
                     command_lsp, false},
    [COMMAND_NVCC] = {"nvcc", "NVCC ARGUMENTS",
                      "compile with nvcc, with checks of every barrier at run time", NULL, false},
    [COMMAND_REPORT] = {"report", "[RUN.json...]", "show which findings a run on a GPU confirmed",
                        command_report, false},
    [COMMAND_COMPLETION] = {"completion", "bash|zsh|fish",
                            "print what a shell needs to complete barlint's words",
                            command_completion, false},
    [COMMAND_MAN] = {"man", "", "print the manual page", command_man, true},
    [COMMAND_VERSION] = {"version", "", "print the version", command_version, false},
};

int command_version(struct options *options)
{
    (void)options;
    puts("barlint " BARLINT_VERSION);
    return EXIT_CLEAN;
}
