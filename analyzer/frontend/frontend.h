// From a CUDA source file and clang arguments to the IR: parsing with libclang and lowering of its
// syntax tree. No cursor of libclang leaves this layer.
//
// Layer: frontend uses model, ir and base.
#ifndef BARLINT_FRONTEND_FRONTEND_H
#define BARLINT_FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "ir/ir.h"

// A file whose contents come from memory instead of the disk.
struct frontend_unsaved {
    const char *path;
    const char *text;
    size_t length;
};

struct frontend_job {
    const char *const *argument; // clang arguments without the program and without the main file
    size_t argument_count;
    const char *main_file;
    const struct frontend_unsaved *unsaved;
    size_t unsaved_count;
    const char *pch; // precompiled header to include first, or NULL
    // Whether a function of that lookup name has a row in the model, so that its body need not be
    // followed. NULL: every body is followed.
    bool (*is_known)(void *context, const char *lookup);
    void *context;
    bool wants_outline; // fill `outline` and `skipped` of the report; costs time and memory
    // Limits on one unit; 0 means the default. What is cut is counted in the report.
    size_t max_functions;
    size_t max_ops;
    double max_seconds; // spent lowering
};

enum frontend_severity {
    FRONTEND_NOTE,
    FRONTEND_WARNING,
    FRONTEND_ERROR,
    FRONTEND_FATAL,
};

struct frontend_diagnostic {
    enum frontend_severity severity;
    bool is_harmless; // known to lose nothing that matters to the analysis
    const char *path; // "" where unknown
    uint32_t line, column;
    const char *text;
};

// Why something became an opaque operation or was not lowered, and how often.
struct frontend_count {
    const char *reason;
    size_t count;
};

// What became of the definition of a function.
enum frontend_fate {
    FRONTEND_LOWERED,
    FRONTEND_PATTERN,      // a template that nothing instantiates, lowered as it stands
    FRONTEND_INSTANTIATED, // a template, or a member of one, that has an instance in the IR
    FRONTEND_KNOWN,        // the model stands for its body
    FRONTEND_CUT,          // left out because a limit was reached
    FRONTEND_UNREACHED,
};

// A file that was read, by the name it was opened with.
struct frontend_file {
    const char *path;
    bool is_system;
};

// A function that a file of the user defines.
struct frontend_outline {
    const char *path, *name;
    uint32_t line, end_line;
    bool is_template; // or a part of one
    bool on_device, on_host;
    enum frontend_fate fate;
};

// Lines the preprocessor left out.
struct frontend_skipped {
    const char *path;
    uint32_t line, end_line;
};

struct frontend_report {
    struct arena arena;                     // owns the text below
    struct frontend_diagnostic *diagnostic; // stb_ds array
    const char **missing_header;            // stb_ds array: as written in #include
    const char **stand_in;                  // stb_ds array: read from barlint's own declarations of
                                            // torch, likewise
    struct frontend_file *file;             // stb_ds array: every file read, the main file first;
                                            // without those of a precompiled header
    struct frontend_count *opaque;          // stb_ds array, most frequent first
    struct frontend_outline *outline;       // stb_ds arrays, where the job wants them
    struct frontend_skipped *skipped;
    size_t functions; // with a body
    size_t partial;   // functions marked IR_FN_PARTIAL
    size_t patterns;  // functions marked IR_FN_PATTERN
    size_t ops;       // operations in all functions
    size_t opaque_ops;
    size_t device_ops, device_opaque_ops; // of these, in kernels and device functions
    size_t cut_functions;                 // bodies left out because a limit was reached
    bool ran_late;                        // a limit of time was: another parse may come further
    size_t known_functions;               // bodies left out because the model knows the function
    double parse_seconds, lower_seconds;
};

// Parses and lowers one translation unit. `out` need not be initialised; on success the caller
// releases it with ir_unit_release. `report` is filled in either case and must be released with
// frontend_report_release. Fails when libclang cannot make a syntax tree at all (a missing main
// file, bad arguments, a crash inside libclang) or when the result does not verify.
bool frontend_parse(const struct frontend_job *job, struct ir_unit *out,
                    struct frontend_report *report, struct error *error);
void frontend_report_release(struct frontend_report *report);

// Writes a precompiled header of `header` with the given clang arguments to `path`. The file is
// only valid for the same arguments and the same headers. `*out_file` gets the headers it is made
// of, an stb_ds array with text in the arena; a parse that loads it does not list them.
bool frontend_precompile(const char *const *argument, size_t argument_count, const char *header,
                         const char *path, struct arena *arena, struct frontend_file **out_file,
                         struct error *error);

// The version of libclang, for people and for cache keys: "clang version 22.1.8". Never freed.
const char *frontend_clang_version(void);

#endif
