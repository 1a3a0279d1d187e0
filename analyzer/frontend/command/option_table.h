// The options of nvcc and of the host compilers as two tables, and how an argument is matched
// against a row. The tables themselves are nvcc_options.def and host_options.def. Layer:
// frontend/command.
#ifndef BARLINT_FRONTEND_COMMAND_OPTION_TABLE_H
#define BARLINT_FRONTEND_COMMAND_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

// How an option takes its value; bits of option_row.form.
enum option_form {
    FORM_FLAG = 0,           // no value
    FORM_SEPARATE = 1u << 0, // -name value
    FORM_EQUALS = 1u << 1,   // -name=value
    FORM_JOINED = 1u << 2,   // -namevalue
    FORM_DIGITS = 1u << 3,   // -name4: joined, but only when a digit follows
    FORM_LIST = 1u << 4,     // the value is a list with commas (nvcc)
};

// What becomes of an option; option_row.detail says more where it is named here.
enum option_action {
    OPTION_KEEP,         // passed on, spelled as `detail` when that is not empty
    OPTION_KEEP_PATH,    // the same for a folder or file: made absolute, nvcc's quotes taken off
    OPTION_DROP,         // means nothing to an analysis of the source
    OPTION_DEFINE,       // dropped, and the macro `detail` defined; "value:MACRO" wants that value
    OPTION_UNWRAP,       // the values are options of the host compiler
    OPTION_ARCHITECTURE, // names virtual architectures
    OPTION_GENERATE,     // nvcc's --generate-code: the architectures behind arch=
    OPTION_LANGUAGE,     // -x
    OPTION_STANDARD,     // -std
    OPTION_OPTIONS_FILE, // more options are in a file; expanded before anything else
    OPTION_CUDA_PATH,    // names the toolkit
    OPTION_OUTPUT,       // names the object file
    OPTION_PRE_INCLUDE,  // a header read first: looked for in the folder, then in the search path
};

struct option_row {
    const char *name;  // "--include-path"
    const char *alias; // "-I", or "" when there is no second spelling
    unsigned form;
    enum option_action action;
    const char *detail;
    unsigned since;     // first toolkit that knows it, 1208 for 12.8; 0 for 11.8 or earlier
    unsigned until;     // last toolkit that knows it; 0 when it is still there
    const char *reason; // why the action is right: the text `barlint translate` shows
};

struct option_table {
    const struct option_row *row;
    size_t count;
};

extern const struct option_table nvcc_options;
extern const struct option_table host_options;

// One option as it stands on a command line.
struct option_use {
    const struct option_row *row;
    const char *spelling; // the row's spelling that was used
    char **value;         // as written, split when the row is a list
    size_t value_count;
    size_t words;     // arguments consumed, at least 1
    bool value_lacks; // the option ends the command line without the value it needs
};

// Matches argv[0] (and argv[1] where the value stands apart) against the table. An exact
// spelling wins over `name=value`, that over a joined value, and the longest name wins.
// Returns false when no row matches. `count` is the length of argv, at least 1.
bool option_match(struct arena *arena, const struct option_table *table, char *const *argv,
                  size_t count, struct option_use *out_use);

#endif
