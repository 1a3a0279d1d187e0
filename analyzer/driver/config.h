// The configuration file .barlint.yaml: the nearest one from a unit's folder upwards.
//
//   rules:                     switch rules off (or on again)
//     named-id-range: off
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
#include "driver/options.h"
#include "engine/engine.h"

struct config_launch {
    const char *kernel; // qualified name without template arguments
    struct engine_shape shape;
};

struct config_model {
    const char *function, *like, *roles;
    unsigned line;
};

struct config {
    const char *path;      // NULL: no file, everything as it is without one
    struct digest content; // of the file
    const char **disabled; // stb_ds array of rule ids
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

#endif
