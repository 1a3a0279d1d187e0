// A rule is one file: its record, its check over the engine's facts, its documentation and its fix
// if it has one. Rules read facts and report; they do no I/O, keep no state and never look at
// clang's syntax tree. `barlint rules`, `barlint explain`, the README's table and SARIF's rule
// records are made from the record; the snippets of the documentation are run as tests.
#ifndef BARLINT_RULES_RULE_H
#define BARLINT_RULES_RULE_H

#include <stdarg.h>
#include <stdbool.h>

#include "engine/engine.h"

enum rule_level { RULE_NOTE, RULE_WARNING, RULE_ERROR };
enum rule_certainty { RULE_POSSIBLE, RULE_CERTAIN };

struct rule_doc {
    const char *what;     // the condition, one paragraph
    const char *why;      // what happens on the device
    const char *bad;      // a whole source file that must be reported, `// expect: id` on its lines
    const char *good;     // its corrected twin, which must be silent
    const char *fix;      // what to do
    const char *measured; // what was seen on a device, NULL where nothing was run
    const char *limit;    // why no finding of it is certain; NULL where some are
};

enum { RULE_GUIDELINES = 8 };

struct rule_context;

struct rule {
    const char *id;
    const char *family;
    const char *summary; // one line, for tables
    enum rule_level level;
    enum rule_certainty reach; // the best certainty a finding of it can have
    const char *since;         // version of barlint
    // The sections of the documents it rests on, "PTX ISA 9.1, 9.7.13.2 (bar.warp.sync)": document,
    // comma, section, and a remark in brackets where it helps. NULL behind the last.
    const char *guidelines[RULE_GUIDELINES];
    struct rule_doc doc;
    // Called once for each kernel and launch shape.
    void (*check)(struct rule_context *context, const struct engine_result *result);
};

// A finding under construction; the report layer owns what it points to.
struct rule_report;

// Reports a finding of the context's rule. `loc` is where it stands, `chain` the call tree place
// (0 for the kernel), the message one sentence without a full stop.
struct rule_report *rule_report(struct rule_context *context, struct ir_loc loc, uint32_t chain,
                                enum rule_certainty certainty, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Adds a step of the story.
void rule_note(struct rule_report *report, struct ir_loc loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Marks the finding as one for --pedantic only: what it rests on is weak.
void rule_pedantic(struct rule_report *report);
// Reports an incident as the engine tells it: message, its steps as notes, its certainty, and
// pedantic where it is not supported.
struct rule_report *rule_report_incident(struct rule_context *context,
                                         const struct engine_result *result,
                                         const struct engine_incident *incident, const char *format,
                                         ...) __attribute__((format(printf, 4, 5)));

// All rules, sorted by id; the array ends with NULL. Made by the build from the files in rules/.
extern const struct rule *const rule_registry[];

#endif
