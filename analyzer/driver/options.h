// The command line: one table of options, from which parsing, help and everything generated for
// shells are made.
#ifndef BARLINT_DRIVER_OPTIONS_H
#define BARLINT_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/command/translate.h"
#include "report/finding.h"

enum command_id {
    COMMAND_CHECK,
    COMMAND_EXPLAIN,
    COMMAND_RULES,
    COMMAND_TRANSLATE,
    COMMAND_DOCTOR,
    COMMAND_DUMP,
    COMMAND_QUERY,
    COMMAND_INDEX,
    COMMAND_NVCC,
    COMMAND_VERSION,
    COMMAND_COUNT_
};

enum output_format { FORMAT_TEXT, FORMAT_CONCISE, FORMAT_JSON };

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct options {
    const char *database; // -p
    const char *config;   // --config
    const char *cuda_path;
    const char *output;
    const char *cache_dir;
    const char *schedule; // name of a kernel
    const char *svg;
    const char *arch;              // as written; NULL: the command's
    const char **only, **disabled; // stb_ds arrays of rule ids
    const char **path;             // stb_ds array
    char **compiler_argument;      // stb_ds array: what stands behind `--`
    bool has_compiler_arguments;   // `--` was given
    enum output_format format;
    enum header_mode headers;
    bool headers_given;
    enum color_choice color;
    enum rule_level fail_on;
    bool fail_on_nothing; // --fail-on=never
    char **word; // of the command line, as given
    int word_count;
    bool no_cache;
    bool only_index; // analyse for the store, and report nothing
    bool pedantic, stats, quiet, json, ir, barriers, operations, times;
    unsigned jobs;         // 0: as many as there are processors
    unsigned shape;        // of --schedule, from 1; 0: the first
    double timeout;        // seconds a unit; 0: no limit
    uint64_t memory_limit; // bytes a worker; 0: no limit
};

// One option. `help` has no full stop.
struct option_row {
    const char *name;
    int key;              // the letter, or a number above 255 where there is none
    const char *argument; // NULL for a switch
    const char *help;
    unsigned commands; // bits 1u << enum command_id
};

struct command_row {
    const char *name;
    const char *arguments; // for the usage line
    const char *summary;
    // Returns the exit status. NULL for nvcc, whose words are not barlint's.
    int (*run)(struct options *options);
};

extern const struct option_row option_table[]; // ended by a NULL name
extern const struct command_row command_table[COMMAND_COUNT_];

void options_init(struct options *options);
void options_release(struct options *options);

// Reads the words of a command (without the program and the command's name). Ends the process for
// --help. Fails with ERROR_USAGE.
bool options_parse(struct options *options, enum command_id command, int count, char **words,
                   struct error *error);

// The words of a choice ("text concise json"), for errors and completions; NULL where an option
// takes something else.
const char *const *option_choices(const char *name);

#endif
