// What is done with one unit: translate its command, parse, lower, run the engine over its kernels,
// ask the rules. Runs in a worker process for `check` and in the process itself for `dump`.
#ifndef BARLINT_DRIVER_ANALYSE_H
#define BARLINT_DRIVER_ANALYSE_H

#include <jansson.h>

#include "base/digest.h"
#include "driver/settings/config.h"
#include "driver/settings/options.h"
#include "frontend/command/translate.h"
#include "frontend/frontend.h"
#include "model/model.h"
#include "report/report.h"

struct foreign;
struct lsp_facts;

// What is known of kernels from other analyses: gives what kernel_keep() made under the key, or
// NULL. The caller owns the result.
struct kernel_memory {
    json_t *(*find)(void *context, const char *key);
    void *context;
};

// One file and how it is compiled.
struct unit {
    const char *file; // absolute
    struct compile_command command;
    const struct config *config;
    const struct frontend_unsaved *content; // stb_ds array: files to read from memory instead
    const char *refusal;                    // why it cannot be analysed at all, or NULL
    const struct foreign *foreign;          // what other units say about it, or NULL; see links.h
    struct lsp_facts *shown;                // filled for an editor, or NULL
    const struct kernel_memory *memory;     // NULL: all kernels are analysed, and none is kept
};

// A unit parsed for one architecture, with what its analysis needs.
struct parsed {
    struct arena arena; // of the translation
    struct translation translation;
    struct model *model;
    struct ir_unit ir;
    struct frontend_report report;
    const char *pch; // the precompiled header it was read with, or NULL; in `arena`
    struct engine_unit *engine;
    struct engine_shapes launches;
    double launch_seconds; // of processor time, to find them
};

// Whether the command line leaves the rule on.
bool rule_is_wanted(const struct options *options, const char *id);
// The rules that run over the unit, ended by NULL: an stb_ds array.
const struct rule **unit_rules(const struct options *options, const struct unit *unit);

// The options for translation that the command line and the unit's configuration ask for.
struct translate_options unit_translate_options(const struct options *options,
                                                const struct unit *unit);

// Translates the command of a unit; the list belongs to the arena.
bool unit_translate(struct arena *arena, const struct options *options, struct unit *unit,
                    struct translation_list *out_list, struct error *error);

// Parses the unit as one translation says, with the outline of frontend_job where it is wanted. On
// success parsed_release() must follow.
bool parsed_init(struct parsed *parsed, const struct unit *unit,
                 const struct translation *translation, bool wants_outline, struct error *error);
void parsed_release(struct parsed *parsed);

// Whether the file counts as analysed in full by what the parse lost, and why not: the first
// reason, in `arena`, or "".
enum report_status parsed_status(const struct parsed *parsed, struct arena *arena,
                                 const char **out_reason);

// The shapes to run a kernel with: what the engine finds, with the configuration's in place of
// guesses. Release with engine_shapes_release().
void unit_shapes(struct engine_shapes *out, const struct parsed *parsed, const struct unit *unit,
                 ir_function_id kernel);

// Analyses the unit for all its architectures. Gives an object with
//   "result": for analysis_add()
//   "links": a list of what links_of() says of each parse
//   "facts": see facts.h
//   "seconds": of processor time, to parse, to lower and to analyse
//   "inputs": what the result depends on, see inputs.h
//   "key", "begun": of the result, and when its making began; see key.h and store.h
//   "lasting": whether it would come out the same again
//   "kernels": an object of what kernel_keep() made, by key; null where the memory had it
json_t *unit_analyse(const struct options *options, struct unit *unit, const struct digest *run);

// Analyses the unit as one translation says, with all rules, and tells what that took in seconds of
// processor time: parsing, lowering, everything after that, and of this each kernel.
json_t *unit_times(const struct options *options, struct unit *unit,
                   const struct translation *translation);

// What the driver keeps of all results beside the report.
struct analysis_extra {
    struct arena *arena;
    const char **missing;   // stb_ds array: headers not found, as written, each once
    const char **stand_ins; // likewise: declared by barlint itself in place of torch
    struct {
        char *key;
        bool value;
    } * read; // stb_ds: every CUDA header read
};

// Adds a result of unit_analyse(), or a worker that failed (`result` is NULL), to the report.
bool analysis_add(struct report *report, struct analysis_extra *extra, const struct unit *unit,
                  const json_t *result, const char *reason, struct error *error);

#endif
