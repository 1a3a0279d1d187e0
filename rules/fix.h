// The fixes that rules offer with their findings: edits of the sources that a careful reviewer
// would take. A rule says which statement, range or number it means, in places of the IR; the
// report layer looks at the text there. A step that meets text it must not edit (written by a
// macro, in a header of the toolkit, changed meanwhile, not what the IR led to expect) withdraws
// the whole fix, so a rule need not ask first. All text is copied.
#ifndef BARLINT_RULES_FIX_H
#define BARLINT_RULES_FIX_H

#include "rules/rule.h"

struct rule_fix;

// Begins a fix of the finding; the description is one line in the imperative, without a full stop.
// `safe`: it changes nothing but what is wrong; the others are applied with --unsafe-fixes only.
struct rule_fix *rule_fix(struct rule_report *report, bool safe, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// What it writes follows from the launch shape at hand: it is offered only where every shape of the
// kernel leads to the same fix, no shape is guessed, the kernel is no template's instance and the
// places are in the kernel itself, in the unit's own file. Called before the steps.
void fix_follows_shape(struct rule_fix *fix);

void fix_withdraw(struct rule_fix *fix);

// The text at a place. NULL, and the fix is withdrawn, where it must not be edited. Good as long as
// the fix.
const char *fix_text(struct rule_fix *fix, struct ir_loc loc);

void fix_replace(struct rule_fix *fix, struct ir_loc loc, const char *text);

// Replaces the one integer literal of value `old` that stands within `loc`, in the form in which it
// is written (suffix, hexadecimal digits).
void fix_number(struct rule_fix *fix, struct ir_loc loc, uint64_t old, uint64_t number);

// A statement of its own, `text` with its semicolon, behind or before a statement of the function
// (an index of its list), indented like it. Before the only statement under a condition, braces are
// added.
void fix_insert_behind(struct rule_fix *fix, const struct ir_function *function, uint32_t statement,
                       const char *text);
void fix_insert_before(struct rule_fix *fix, const struct ir_function *function, uint32_t statement,
                       const char *text);

// Replaces a statement and its semicolon.
void fix_replace_statement(struct rule_fix *fix, const struct ir_function *function,
                           uint32_t statement, const char *text);

// Takes a statement of a block away, with its line where it stands there alone.
void fix_remove(struct rule_fix *fix, const struct ir_function *function, uint32_t statement);

#endif
