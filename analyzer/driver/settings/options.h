// The command line: one table of options, from which parsing, help and everything generated for
// shells are made.
#ifndef BARLINT_DRIVER_OPTIONS_H
#define BARLINT_DRIVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "frontend/command/translate.h"
#include "frontend/frontend.h"
#include "report/finding.h"

enum command_id {
    COMMAND_CHECK,
    COMMAND_EXPLAIN,
    COMMAND_RULES,
    COMMAND_BASELINE,
    COMMAND_CONFIG,
    COMMAND_TRANSLATE,
    COMMAND_DOCTOR,
    COMMAND_DUMP,
    COMMAND_QUERY,
    COMMAND_INDEX,
    COMMAND_LSP,
    COMMAND_MERGE,
    COMMAND_NVCC,
    COMMAND_REPORT,
    COMMAND_COMPLETION,
    COMMAND_MAN,
    COMMAND_VERSION,
    COMMAND_COUNT_
};

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

// What a run does with the baseline.
enum baseline_use { BASELINE_APPLIED, BASELINE_CREATED, BASELINE_CHANGED };

enum { SHARDS_MOST = 1000 };

struct given;

struct options {
    const char *database; // -p
    const char *config;   // --config
    const char *cuda_path;
    const char *cache_dir;
    const char *schedule; // name of a kernel
    const char *svg;
    const char *stdin_file;        // what standard input is the content of; NULL: stdin.cu
    const char *arch;              // as written; NULL: the command's
    const char **format, **output; // stb_ds arrays: as written; see outputs.h
    const char **only, **disabled; // stb_ds arrays of rule ids
    const char **exclude;          // stb_ds array of patterns
    const char *baseline;          // a file
    enum baseline_use baseline_use;
    const char *diff_base;       // a commit
    const char **path;           // stb_ds array
    char **compiler_argument;    // stb_ds array: what stands behind `--`
    bool has_compiler_arguments; // `--` was given
    enum header_mode headers;
    bool headers_given;
    enum color_choice color;
    enum rule_level fail_on;
    bool fail_on_nothing; // --fail-on=never
    char **word;          // of the command line, as given
    int word_count;
    bool no_cache;
    bool only_index; // analyse for the store, and report nothing
    // Of the library, whose user gets the report otherwise: nothing is written anywhere, and what
    // would end a command with a message goes here.
    struct error *failure;
    struct frontend_unsaved *content; // stb_ds array: files to read from memory
    bool fix, diff, unsafe_fixes;
    bool pedantic, show_suppressed, strict_baseline, accept_new;
    bool staged, force_exclude;
    bool draws_schedules; // an output shows them
    bool stats, quiet, json, ir, barriers, operations, times;
    unsigned shard_index, shard_count; // from 1; 0: the run is not a shard
    const struct given *given;         // results that merging takes, or NULL; see shard.h
    unsigned jobs;                     // 0: as many as there are processors
    unsigned shape;                    // of --schedule, from 1; 0: the first
    double timeout;                    // seconds a unit; 0: no limit
    uint64_t memory_limit;             // bytes a worker; 0: no limit
};

struct option_row;
struct option_reading;

// Takes the option's word into the options; fails with ERROR_USAGE where that makes no sense.
typedef bool option_reader(struct option_reading *reading, const struct option_row *row,
                           char *word);

// One option. `help` has no full stop.
struct option_row {
    const char *name;
    char letter;          // its short form, or 0
    const char *argument; // NULL for a switch
    const char *help;
    unsigned commands; // bits 1u << enum command_id
    option_reader *read;
    size_t into; // where in the options its value goes
};

struct command_row {
    const char *name;
    const char *arguments; // for the usage line
    const char *summary;
    // Returns the exit status. NULL for nvcc, whose words are not barlint's.
    int (*run)(struct options *options);
    bool is_hidden; // from people
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

// The words that complete the value of an option: its choices, or the rules. NULL where it takes
// something else.
const char *const *option_words(const char *name);

// The ids of all rules, ended by NULL.
const char *const *rule_words(void);

#endif
