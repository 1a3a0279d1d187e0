// Collects what the rules report about one translation unit: the other side of rules/rule.h.
#ifndef BARLINT_REPORT_COLLECT_H
#define BARLINT_REPORT_COLLECT_H

#include <time.h>

#include "report/finding.h"
#include "report/source.h"

struct rule_report; // a finding of the kernel at hand, see collect.c

struct collector {
    struct findings *out;
    const struct ir_unit *unit;
    const char *folder;          // what relative file names of the unit are relative to
    const char *main_file;       // the unit's own, absolute; "" where it has none
    struct sources sources;      // what fixes are made from
    struct timespec began;       // a file changed since then is not the one that was analysed
    struct arena arena;          // text of the kernel at hand
    struct rule_report **report; // stb_ds array: what the kernel at hand has so far
    uint32_t shapes;             // shapes of the kernel at hand checked so far
    uint32_t guesses;            // of these, how many were guessed
};

// `out`, `unit`, `folder` and `main_file` must outlive the collector. Called before the unit is
// parsed; `unit` may be empty until then.
void collector_init(struct collector *collector, struct findings *out, const struct ir_unit *unit,
                    const char *folder, const char *main_file);
void collector_release(struct collector *collector);

// Runs the rules over one kernel and shape. All shapes of a kernel are checked one after the
// other, then collector_end_kernel() is called.
void collector_check(struct collector *collector, const struct rule *const *rules,
                     const struct engine_result *result);

// Gives the findings of the kernel at hand the drawings that `draw` makes for them, or none where
// it returns NULL: one for those that show the same under one shape. `shows` is what the engine
// calls the incident that the finding tells of, or its rule. To be called before
// collector_end_kernel().
void collector_draw(struct collector *collector,
                    const char *(*draw)(void *context, uint32_t shape,
                                        const struct finding *finding, const char *shows),
                    void *context);

// Hands what the shapes of the kernel gave to `out`, not yet merged. What was found under some of
// several guessed shapes only becomes possible and pedantic: no launch says that the others do not
// hold.
void collector_end_kernel(struct collector *collector);

#endif
