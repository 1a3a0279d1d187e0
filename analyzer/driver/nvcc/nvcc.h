// `barlint nvcc`: nvcc with the device code instrumented for runtime_check. nvcc itself says which
// commands a build takes (--dryrun); they are run one by one, and what cicc makes is instrumented
// before ptxas and fatbinary read it.
#ifndef BARLINT_DRIVER_NVCC_H
#define BARLINT_DRIVER_NVCC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"

// Runs nvcc with these words. Returns the exit status: nvcc's, or that of the step that failed; 3
// when there is no nvcc. May end in the real nvcc and not return.
int nvcc_main(int count, char **words);

// --- Processes (nvcc_process.c) ------------------------------------------------------------------

// Runs a command of the shell and waits. Its errors go to the file `errors` when that is not NULL.
// Returns its exit status; 255 when it died of a signal or cannot be run, after saying so.
int process_shell(const char *command, const char *errors);

// Runs a program and waits; what it writes to both its outputs is returned in the arena. `*status`
// is its exit status, as above.
char *process_capture(struct arena *arena, const char *const *words, int *status);

// A signal that asked to end while a process ran; 0: none.
int process_interrupted(void);

// --- The listing (nvcc_listing.c) ----------------------------------------------------------------

enum nvcc_step_kind {
    NVCC_OTHER,
    NVCC_REMOVE,     // rm FILE, where FILE is not quoted
    NVCC_PREPROCESS, // the host compiler with -E
    NVCC_FRONT,      // cudafe++: input NULL, output is the host code that it makes
    NVCC_DEVICE,     // cicc: output is the PTX, NULL where it makes none
    NVCC_ASSEMBLE,   // ptxas
    NVCC_HOST,       // the host compiler on what cudafe++ made, its input
};

struct nvcc_step {
    enum nvcc_step_kind kind;
    const char *command;        // for the shell
    char **word;                // of the command, ended by NULL; the first is the program
    const char *input, *output; // what `kind` says, otherwise NULL
    const char *unit;           // of a FRONT or DEVICE step: a name that steps of one source share
    const char *source;         // of the same: the source's name
    bool has_lines;             // of a DEVICE step: with line information
};

struct nvcc_listing {
    struct nvcc_step *step; // stb_ds
    char **variable;        // stb_ds: "NAME=VALUE" to set before the steps
    char **message;         // stb_ds: what nvcc says besides
    bool is_parallel;       // its steps redirect their outputs into files
    bool is_relocatable;    // its device code is linked with others'
};

// Reads what `nvcc --dryrun` wrote. Texts are owned by the arena.
void nvcc_listing_read(struct arena *arena, const char *text, struct nvcc_listing *out);
void nvcc_listing_release(struct nvcc_listing *listing);

// --- The device library (nvcc_hooks.c) -----------------------------------------------------------

// Defined for the hooks and for the program's units alike.
#define GLOBAL_SHADOW "-DBARLINT_RT_GLOBAL_SHADOW=1"

struct nvcc_hooks {
    struct arena *arena;
    const char *nvcc;
    const char *compiler;         // the host compiler
    const char *resource;         // the folder with barlint/runtime_check/hooks.h
    const char *folder;           // for files that do not last
    bool global_shadow;           // blocks have their shadows in global memory
    struct nvcc_library *library; // stb_ds, by target
};

// The PTX of the hooks for a target ("sm_90a"), from barlint's cache or made now. NULL with an
// error when it cannot be made, which is said once for each target: `error->kind` is ERROR_NONE
// from then on.
const char *nvcc_hooks_ptx(struct nvcc_hooks *hooks, const char *target, size_t *out_length,
                           struct error *error);
void nvcc_hooks_release(struct nvcc_hooks *hooks);

// --- Registers (nvcc_registers.c) ----------------------------------------------------------------

struct nvcc_registers {
    unsigned long least; // that a kernel was bound to; 0: none was
    unsigned checked;    // kernels with hooks
};

// Writes the instrumented `ptx` to `out` with a bound for the registers of each kernel, from what
// `ptxas -v` reported of the code before it was instrumented. Kernels that have a bound keep it.
// `linked`: the functions that they call are compiled apart, with as many as fit any launch, which
// each kernel has to have.
struct nvcc_registers nvcc_bound_registers(FILE *out, const char *ptx, const char *report,
                                           bool linked);

#endif
