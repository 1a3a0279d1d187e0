// Where `barlint check` writes its findings, and in which formats: --format and --output.
#ifndef BARLINT_DRIVER_OUTPUTS_H
#define BARLINT_DRIVER_OUTPUTS_H

#include <stdio.h>

#include "driver/settings/options.h"
#include "report/report.h"

struct output {
    const struct report_format *format;
    const char *path; // NULL: standard output
    FILE *file;
};

// Works out the outputs and opens them, so that a folder that cannot be written to is known before
// the analysis. Each --output=FORMAT:FILE is one; what remains of the formats (of which there may
// be one, text by default) goes to --output=FILE or to standard output. `out` is an stb_ds array.
bool outputs_open(struct output **out, const struct options *options, struct error *error);

// Writes the report to all of them and puts the files in their places.
bool outputs_print(struct output *outputs, const struct options *options, struct report *report,
                   struct error *error);
void outputs_abandon(struct output *outputs);

// Whether one of them shows schedules.
bool outputs_draw(const struct output *outputs);

// Whether one of them is for people on standard output or in a file.
bool outputs_are_for_people(const struct output *outputs);

#endif
