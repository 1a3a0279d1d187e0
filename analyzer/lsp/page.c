#include "lsp/page.h"

#include "report/finding.h"

static const char *guidelines(struct arena *arena, const struct rule *rule)
{
    const char *text = "";
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i)
        text = arena_printf(arena, "%s\n- %s", text, rule->guidelines[i]);
    return text;
}

char *rule_page_short(struct arena *arena, const struct rule *rule)
{
    return arena_printf(arena, "**%s** (%s): %s\n\n%s\n\n%s\n\n**How to fix it:** %s", rule->id,
                        rule_level_name(rule->level), rule->summary, rule->doc.what, rule->doc.why,
                        rule->doc.fix);
}

char *rule_page(struct arena *arena, const struct rule *rule)
{
    const char *limit =
        rule->doc.limit ? arena_printf(arena, "\n\n## Never certain\n\n%s", rule->doc.limit) : "";
    const char *measured =
        rule->doc.measured ? arena_printf(arena, "\n\n## Measured\n\n%s", rule->doc.measured) : "";
    return arena_printf(arena,
                        "# %s\n\n%s; %s, since %s\n\n%s\n\n%s\n\n## Wrong\n\n```cuda\n%s\n```\n\n"
                        "## Right\n\n```cuda\n%s\n```\n\n## How to fix it\n\n%s%s%s\n\n"
                        "## Source\n%s\n",
                        rule->id, rule->summary, rule_level_name(rule->level), rule->since,
                        rule->doc.what, rule->doc.why, rule->doc.bad, rule->doc.good, rule->doc.fix,
                        limit, measured, guidelines(arena, rule));
}
