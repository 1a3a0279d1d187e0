// Comments that silence findings:
//
//   // barlint-ignore[rule-id, ...]: reason     this line, or the next line of code when the
//   comment
//                                              stands alone
//   // barlint-ignore-begin[rule-id]: reason    up to the matching
//   // barlint-ignore-end[rule-id]
//   // barlint-ignore-file[rule-id]: reason     the whole file
//   // NOLINT(barlint-rule-id), NOLINTNEXTLINE(...), NOLINTBEGIN(...) and NOLINTEND(...)
//
// NOLINT(barlint-*) stands for every rule; NOLINT without a list is not for us.
#ifndef BARLINT_REPORT_SUPPRESS_H
#define BARLINT_REPORT_SUPPRESS_H

#include "report/finding.h"
#include "report/source.h"

// One rule id of one comment.
struct suppression {
    const char *rule;      // "*" for every rule; "" where the comment names none
    const char *reason;    // what stands behind the list, or ""
    uint32_t from, to;     // lines it covers; from > to when it covers none
    uint32_t line, column; // of the comment, for reports about it
    uint32_t end_column;
    bool is_nolint;
    bool unmatched; // a begin without an end, or an end without a begin
    bool used;
};

// The suppressions of a file, in order of their lines; the caller frees the stb_ds array. Text
// belongs to the arena.
struct suppression *suppressions_find(const struct source *source, struct arena *arena);

// Marks as used all suppressions that cover the rule on one of the lines. Returns the first, NULL
// when there is none.
const struct suppression *suppressions_match(struct suppression *suppressions, const char *rule,
                                             uint32_t line, uint32_t end_line);

#endif
