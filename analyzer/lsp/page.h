// The page of a rule, in Markdown, from its record.
#ifndef BARLINT_LSP_PAGE_H
#define BARLINT_LSP_PAGE_H

#include "rules/rule.h"

// Both belong to the arena.
char *rule_page(struct arena *arena, const struct rule *rule);
// Without the examples: for a window that pops up.
char *rule_page_short(struct arena *arena, const struct rule *rule);

#endif
