// The configuration file .barlint.yaml: the nearest one from a unit's folder upwards.
//
//   rules:                     switch rules off (or on again), or give them a level
//     named-id-range: off
//     sync-missing: note
//     "*": warning             every rule that is not named itself
//   per-file:                  the same for some files; later items win
//     - files: [tests/**, legacy.cu]
//       rules: {init-no-sync: off}
//   exclude: third_party       patterns as in .gitignore
//   baseline: barlint-baseline.json
//   require-reason: on         suppressions without a reason do not count
//   headers: auto              auto, toolkit or builtin
//   cuda-path: /opt/cuda
//   arch: sm_90a
//   launch:                    launch shapes of kernels whose launches cannot be seen
//     - kernel: my::kernel
//       block: 128             a number or a list of up to three
//       grid: [64, 2]
//       cluster: 2
//       shared-bytes: 4096
//   models:                    functions that cannot be followed and act as a known operation
//     - function: my::sync
//       like: __syncthreads
//       roles: ""
#ifndef BARLINT_DRIVER_CONFIG_H
#define BARLINT_DRIVER_CONFIG_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "driver/settings/options.h"
#include "engine/engine.h"

struct config_launch {
    const char *kernel; // qualified name without template arguments
    struct engine_shape shape;
};

struct config_model {
    const char *function, *like, *roles;
    unsigned line;
};

struct config_rule {
    const char *rule;
    bool on, has_level;
    enum rule_level level;
    unsigned line;
};

// Settings of the files that one of the patterns names.
struct config_files {
    const char **pattern; // stb_ds arrays
    struct config_rule *rule;
};

// A scalar of the file, for `barlint config show`.
struct config_value {
    const char *name, *value; // "launch[0].block", "128"
    unsigned line;
};

struct config {
    const char *path;         // NULL: no file, everything as it is without one
    const char *folder;       // it lies in; NULL likewise
    struct digest content;    // of the file
    struct config_rule *rule; // stb_ds arrays
    struct config_files *files;
    const char **exclude;
    struct config_value *value; // everything that the file says
    const char *baseline;       // absolute; NULL where not given
    bool require_reason;
    bool headers_given;
    enum header_mode headers;
    const char *cuda_path;        // absolute; NULL where not given
    const char *arch;             // NULL where not given
    struct config_launch *launch; // stb_ds arrays
    struct config_model *model;
};

// The configurations met in a run, by folder.
struct configs {
    struct arena arena;
    struct config **config; // stb_ds array of all there are; the first is the empty one
    struct {
        char *key;
        struct config *value;
    } * by_folder; // stb_ds
};

void configs_init(struct configs *configs);
void configs_release(struct configs *configs);

// Reads one file. Fails with ERROR_USAGE and "FILE:LINE: what is wrong"; ERROR_USAGE too when the
// file cannot be read.
const struct config *configs_read(struct configs *configs, const char *path, struct error *error);

// The configuration for files in `folder` (absolute). NULL and an error as above.
const struct config *configs_find(struct configs *configs, const char *folder, struct error *error);

// What the configuration says of a rule in a file; NULL when it says nothing.
const struct config_rule *config_find_rule(const struct config *config, const char *file,
                                           const char *id);
// Whether the rule is on for any file.
bool config_may_run(const struct config *config, const char *id);
bool config_excludes(const struct config *config, const char *file);

#endif
