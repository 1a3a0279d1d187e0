// A fix while it is made: the other side of rules/fix.h.
#ifndef BARLINT_REPORT_FIX_H
#define BARLINT_REPORT_FIX_H

#include "report/collect.h"
#include "rules/fix.h"

struct rule_fix {
    struct collector *collector;
    ir_function_id kernel; // that the finding is about
    const char *description;
    bool safe, follows_shape, withdrawn;
    struct finding_edit *edit; // stb_ds array
    struct finding_fix made;   // by fix_finish()
};

// Makes the fix from its edits; false where it is withdrawn, says nothing or contradicts itself.
bool fix_finish(struct rule_fix *fix);
void fix_clear(struct rule_fix *fix);

#endif
