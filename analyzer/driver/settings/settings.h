// What the command line and the configuration say of the findings of a run.
#ifndef BARLINT_DRIVER_SETTINGS_H
#define BARLINT_DRIVER_SETTINGS_H

#include "driver/run/units.h"

struct settings {
    const struct options *options;
    struct units *units;
    struct error error; // the first one, where a configuration is wrong
};

// For report_finish(); `settings` must outlive the report.
struct report_settings settings_of(struct settings *settings);

// Whether all rules that the command line names exist.
bool rules_exist(const struct options *options, struct error *error);

#endif
