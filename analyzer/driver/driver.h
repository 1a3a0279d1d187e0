// The commands of barlint, and what they share.
#ifndef BARLINT_DRIVER_DRIVER_H
#define BARLINT_DRIVER_DRIVER_H

#include "driver/settings/options.h"

// Exit status.
enum {
    EXIT_CLEAN = 0,      // no finding at or above --fail-on
    EXIT_FINDINGS = 1,   // findings
    EXIT_USAGE = 2,      // wrong usage or configuration
    EXIT_INCOMPLETE = 3, // ran, but some unit could not be analysed
    EXIT_INTERNAL = 4,   // internal error
};

int command_check(struct options *options);
int command_explain(struct options *options);
int command_rules(struct options *options);
int command_translate(struct options *options);
int command_doctor(struct options *options);
int command_dump(struct options *options);
int command_query(struct options *options);
int command_lsp(struct options *options);
int command_index(struct options *options);
int command_merge(struct options *options);
int command_report(struct options *options);
int command_version(struct options *options);
int command_baseline(struct options *options);
int command_config(struct options *options);
int command_completion(struct options *options);
int command_man(struct options *options);

// The rule of that id; NULL and an error that names the nearest one where there is none.
const struct rule *driver_find_rule(const char *id, struct error *error);

// Prints "barlint: " and the error on stderr; returns the exit status that belongs to its kind.
int driver_fail(const struct error *error);

// Prints "barlint: warning: " and the text on stderr.
void driver_warn(const char *text);

// Opens what a command writes to: standard output, or a file beside `path` that driver_close()
// puts in its place. NULL and an error when that is impossible.
FILE *driver_open(const char *path, struct error *error);
bool driver_close(FILE *file, const char *path, struct error *error);
// Gives up what was written.
void driver_abandon(FILE *file, const char *path);

// Whether to write colours to the file.
bool driver_wants_color(const struct options *options, FILE *file);

#endif
