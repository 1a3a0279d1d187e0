// `barlint rules` and `barlint explain`: the rules' records and their documentation.
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "driver/driver.h"
#include "rules/rule.h"

enum { LINE = 79 };

static json_t *guidelines_json(const struct rule *rule)
{
    json_t *list = json_array();
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i)
        json_array_append_new(list, json_string(rule->guidelines[i]));
    return list;
}

static json_t *rule_json(const struct rule *rule, bool with_doc)
{
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "id", rule->id, "family", rule->family,
                  "level", rule_level_name(rule->level), "certainty",
                  rule_certainty_name(rule->reach), "since", rule->since, "summary", rule->summary,
                  "guidelines", guidelines_json(rule));
    if (with_doc)
        json_object_set_new(json, "doc",
                            json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s?}", "what",
                                      rule->doc.what, "why", rule->doc.why, "bad", rule->doc.bad,
                                      "good", rule->doc.good, "fix", rule->doc.fix, "measured",
                                      rule->doc.measured, "limit", rule->doc.limit));
    return json;
}

static void print_json(json_t *json)
{
    json_dumpf(json, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(json);
}

int command_rules(struct options *options)
{
    struct error error = {0};
    if (arrlen(options->path)) {
        error_set(&error, ERROR_USAGE, "'barlint rules' takes no arguments; see 'barlint explain'");
        return driver_fail(&error);
    }
    if (options->json) {
        json_t *list = json_array();
        for (size_t i = 0; rule_registry[i]; ++i)
            json_array_append_new(list, rule_json(rule_registry[i], false));
        print_json(list);
        return EXIT_CLEAN;
    }
    for (size_t i = 0; rule_registry[i]; ++i)
        printf("%-22s %-8s %s\n", rule_registry[i]->id, rule_level_name(rule_registry[i]->level),
               rule_registry[i]->summary);
    return EXIT_CLEAN;
}

static void print_paragraph(const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > LINE) {
            putchar('\n');
            column = 0;
        }
        printf("%s%.*s", column ? " " : "", (int)length, text);
        column += length + (column > 0);
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_code(const char *title, const char *code)
{
    printf("\n%s\n\n", title);
    while (*code) {
        size_t length = strcspn(code, "\n");
        printf("%s%.*s\n", length ? "    " : "", (int)length, code);
        code += length;
        code += *code == '\n';
    }
}

static void print_rule(const struct rule *rule)
{
    printf("%s (%s, %s, since %s)\n\n", rule->id, rule->family, rule_level_name(rule->level),
           rule->since);
    print_paragraph(rule->doc.what);
    putchar('\n');
    print_paragraph(rule->doc.why);
    print_code("Wrong:", rule->doc.bad);
    print_code("Right:", rule->doc.good);
    printf("\nHow to fix it: ");
    print_paragraph(rule->doc.fix);
    if (rule->doc.limit) {
        printf("\nNever certain: ");
        print_paragraph(rule->doc.limit);
    }
    if (rule->doc.measured)
        printf("\nMeasured: %s\n", rule->doc.measured);
    for (size_t i = 0; i < RULE_GUIDELINES && rule->guidelines[i]; ++i)
        printf("%s%s\n", i ? "        " : "\nSource: ", rule->guidelines[i]);
}

const struct rule *driver_find_rule(const char *id, struct error *error)
{
    struct nearest nearest;
    nearest_init(&nearest, id);
    for (size_t i = 0; rule_registry[i]; ++i) {
        if (strcmp(rule_registry[i]->id, id) == 0)
            return rule_registry[i];
        nearest_offer(&nearest, rule_registry[i]->id);
    }
    if (nearest.best)
        error_set(error, ERROR_USAGE, "there is no rule '%s'; did you mean '%s'?", id,
                  nearest.best);
    else
        error_set(error, ERROR_USAGE, "there is no rule '%s'; 'barlint rules' lists them", id);
    return NULL;
}

int command_explain(struct options *options)
{
    struct error error = {0};
    const struct rule **chosen = NULL; // stb_ds array
    for (ptrdiff_t i = 0; i < arrlen(options->path); ++i) {
        const struct rule *rule = driver_find_rule(options->path[i], &error);
        if (!rule) {
            arrfree(chosen);
            return driver_fail(&error);
        }
        arrput(chosen, rule);
    }
    for (size_t i = 0; arrlen(options->path) == 0 && options->json && rule_registry[i]; ++i)
        arrput(chosen, rule_registry[i]);
    if (arrlen(chosen) == 0) {
        error_set(&error, ERROR_USAGE, "name a rule; 'barlint rules' lists them");
        return driver_fail(&error);
    }
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(chosen); ++i) {
        if (options->json) {
            json_array_append_new(list, rule_json(chosen[i], true));
        } else {
            fputs(i ? "\n\n" : "", stdout);
            print_rule(chosen[i]);
        }
    }
    if (options->json)
        print_json(list);
    else
        json_decref(list);
    arrfree(chosen);
    return EXIT_CLEAN;
}
