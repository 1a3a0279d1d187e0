#include "report/finding.h"

#include <regex.h>
#include <string.h>

#include "base/utf8.h"
#include "base/vec.h"

void findings_init(struct findings *findings)
{
    *findings = (struct findings){0};
    arena_init(&findings->arena);
}

void finding_clear(struct finding *finding)
{
    arrfree(finding->context);
    arrfree(finding->note);
    arrfree(finding->fix);
}

void findings_release(struct findings *findings)
{
    for (ptrdiff_t i = 0; i < arrlen(findings->finding); ++i)
        finding_clear(&findings->finding[i]);
    arrfree(findings->finding);
    arena_release(&findings->arena);
}

static const char *const level_names[] = {
    [RULE_NOTE] = "note",
    [RULE_WARNING] = "warning",
    [RULE_ERROR] = "error",
};

const char *rule_level_name(enum rule_level level)
{
    return level_names[level];
}

const char *rule_certainty_name(enum rule_certainty certainty)
{
    return certainty == RULE_CERTAIN ? "certain" : "possible";
}

bool rule_level_parse(const char *word, enum rule_level *out)
{
    for (int level = RULE_NOTE; level <= RULE_ERROR; ++level) {
        if (strcmp(word, level_names[level]) == 0) {
            *out = (enum rule_level)level;
            return true;
        }
    }
    return false;
}

// How the engine names threads: "threads 0-31, 64-95 of 128 in block 1 of the cluster".
#define RANGE "[0-9]+(-[0-9]+)?"
#define THREADS                                                                                    \
    "threads? " RANGE "(, " RANGE ")*(, [.]{3})?( of [0-9]+( in block [0-9]+ of the cluster)?)?"

size_t note_threads(const struct finding_note *note)
{
    static regex_t pattern;
    static bool compiled;
    if (!compiled && regcomp(&pattern, "^" THREADS "( and " THREADS ")*", REG_EXTENDED) != 0)
        return 0;
    compiled = true;
    regmatch_t match;
    return regexec(&pattern, note->message, 1, &match, 0) == 0 ? (size_t)match.rm_eo : 0;
}

json_t *finding_json_text(const char *text)
{
    if (!text)
        text = "";
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct arena arena;
    arena_init(&arena);
    json_t *clean = json_string(utf8_clean(&arena, text));
    arena_release(&arena);
    return clean;
}

json_t *finding_json_path(const char *path)
{
    struct arena arena;
    arena_init(&arena);
    json_t *json = json_string(utf8_escape(&arena, path));
    arena_release(&arena);
    return json;
}

json_t *finding_place_to_json(const struct finding_place *place)
{
    return json_pack("{s:o, s:i, s:i, s:i, s:i}", "file", finding_json_path(place->file), "line",
                     (int)place->line, "column", (int)place->column, "end_line",
                     (int)place->end_line, "end_column", (int)place->end_column);
}

static json_t *fix_to_json(const struct finding_fix *fix)
{
    json_t *edits = json_array();
    for (size_t i = 0; i < fix->edit_count; ++i) {
        const struct finding_edit *edit = &fix->edit[i];
        json_array_append_new(
            edits, json_pack("{s:o, s:I, s:I, s:o, s:I}", "file", finding_json_text(edit->file),
                             "start", (json_int_t)edit->start, "end", (json_int_t)edit->end, "text",
                             finding_json_text(edit->text), "content", (json_int_t)edit->content));
    }
    return json_pack("{s:o, s:b, s:o}", "description", finding_json_text(fix->description), "safe",
                     (int)fix->safe, "edits", edits);
}

static json_t *finding_to_json(const struct finding *finding)
{
    json_t *contexts = json_array(), *notes = json_array(), *fixes = json_array();
    for (ptrdiff_t i = 0; i < arrlen(finding->context); ++i) {
        json_array_append_new(contexts,
                              json_pack("{s:o, s:o}", "kernel",
                                        finding_json_text(finding->context[i].kernel), "launch",
                                        finding_json_text(finding->context[i].launch)));
    }
    for (ptrdiff_t i = 0; i < arrlen(finding->note); ++i) {
        json_array_append_new(
            notes, json_pack("{s:o, s:o}", "place", finding_place_to_json(&finding->note[i].place),
                             "message", finding_json_text(finding->note[i].message)));
    }
    for (ptrdiff_t i = 0; i < arrlen(finding->fix); ++i)
        json_array_append_new(fixes, fix_to_json(&finding->fix[i]));
    json_t *json = json_pack(
        "{s:s, s:s, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rule", finding->rule, "level",
        rule_level_name(finding->level), "certain", (int)(finding->certainty == RULE_CERTAIN),
        "pedantic", (int)finding->pedantic, "place", finding_place_to_json(&finding->place),
        "message", finding_json_text(finding->message), "function",
        finding_json_text(finding->function), "pattern", finding_json_text(finding->pattern),
        "contexts", contexts, "notes", notes, "fixes", fixes);
    if (finding->schedule)
        json_object_set_new(json, "schedule", finding_json_text(finding->schedule));
    return json;
}

json_t *findings_to_json(const struct findings *findings)
{
    json_t *array = json_array();
    for (ptrdiff_t i = 0; i < arrlen(findings->finding); ++i)
        json_array_append_new(array, finding_to_json(&findings->finding[i]));
    return array;
}

bool finding_place_from_json(struct arena *arena, const json_t *json, struct finding_place *out)
{
    const char *file;
    int line, column, end_line, end_column;
    if (json_unpack((json_t *)json, "{s:s, s:i, s:i, s:i, s:i}", "file", &file, "line", &line,
                    "column", &column, "end_line", &end_line, "end_column", &end_column) != 0)
        return false;
    *out = (struct finding_place){utf8_unescape(arena, file), (uint32_t)line, (uint32_t)column,
                                  (uint32_t)end_line, (uint32_t)end_column};
    return true;
}

static bool fix_from_json(struct arena *arena, const json_t *json, struct finding_fix *out)
{
    const char *description;
    int safe;
    json_t *edits, *item;
    size_t i;
    if (json_unpack((json_t *)json, "{s:s, s:b, s:o}", "description", &description, "safe", &safe,
                    "edits", &edits) != 0)
        return false;
    out->description = arena_strdup(arena, description);
    out->safe = safe;
    out->edit_count = json_array_size(edits);
    out->edit = arena_alloc(arena, out->edit_count * sizeof *out->edit);
    json_array_foreach (edits, i, item) {
        const char *file, *text;
        json_int_t start, end, content;
        if (json_unpack(item, "{s:s, s:I, s:I, s:s, s:I}", "file", &file, "start", &start, "end",
                        &end, "text", &text, "content", &content) != 0 ||
            start < 0 || end < start)
            return false;
        out->edit[i] =
            (struct finding_edit){arena_strdup(arena, file), (uint64_t)start, (uint64_t)end,
                                  arena_strdup(arena, text), (uint64_t)content};
    }
    return true;
}

static bool lists_from_json(struct arena *arena, struct finding *out, const json_t *contexts,
                            const json_t *notes, const json_t *fixes)
{
    size_t i;
    json_t *item;
    json_array_foreach ((json_t *)contexts, i, item) {
        const char *kernel, *launch;
        if (json_unpack(item, "{s:s, s:s}", "kernel", &kernel, "launch", &launch) != 0)
            return false;
        struct finding_context context = {arena_strdup(arena, kernel), arena_strdup(arena, launch)};
        arrput(out->context, context);
    }
    json_array_foreach ((json_t *)notes, i, item) {
        const char *message;
        json_t *place;
        struct finding_note note = {0};
        if (json_unpack(item, "{s:o, s:s}", "place", &place, "message", &message) != 0 ||
            !finding_place_from_json(arena, place, &note.place))
            return false;
        note.message = arena_strdup(arena, message);
        arrput(out->note, note);
    }
    json_array_foreach ((json_t *)fixes, i, item) {
        struct finding_fix fix;
        if (!fix_from_json(arena, item, &fix))
            return false;
        arrput(out->fix, fix);
    }
    return true;
}

static bool finding_from_json(struct arena *arena, const json_t *json, struct finding *out)
{
    const char *rule, *level, *message, *function, *pattern;
    const char *schedule = NULL;
    int certain, pedantic;
    json_t *place, *contexts, *notes, *fixes;
    if (json_unpack((json_t *)json, "{s:s, s:s, s:b, s:b, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s?s}",
                    "rule", &rule, "level", &level, "certain", &certain, "pedantic", &pedantic,
                    "place", &place, "message", &message, "function", &function, "pattern",
                    &pattern, "contexts", &contexts, "notes", &notes, "fixes", &fixes, "schedule",
                    &schedule) != 0 ||
        !rule_level_parse(level, &out->level) ||
        !finding_place_from_json(arena, place, &out->place))
        return false;
    out->rule = arena_strdup(arena, rule);
    out->certainty = certain ? RULE_CERTAIN : RULE_POSSIBLE;
    out->pedantic = pedantic;
    out->message = arena_strdup(arena, message);
    out->function = arena_strdup(arena, function);
    out->pattern = arena_strdup(arena, pattern);
    out->reason = "";
    out->schedule = schedule ? arena_strdup(arena, schedule) : NULL;
    return lists_from_json(arena, out, contexts, notes, fixes);
}

bool findings_from_json(struct findings *findings, const json_t *array, struct error *error)
{
    size_t i;
    json_t *item;
    if (!json_is_array(array))
        return error_set(error, ERROR_INTERNAL, "a worker's findings are not a list");
    json_array_foreach ((json_t *)array, i, item) {
        struct finding finding = {0};
        bool good = finding_from_json(&findings->arena, item, &finding);
        arrput(findings->finding, finding); // lists read so far are freed with the others
        if (!good)
            return error_set(error, ERROR_INTERNAL, "finding %zu of a worker cannot be read", i);
    }
    return true;
}
