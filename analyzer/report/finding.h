// Findings: what barlint tells its user. A finding is made by a rule in a worker process, travels
// as JSON to the process that collects them, and is printed in one of the formats.
//
// Layer: report uses rules (their records), engine, ir and base. Text of a finding belongs to the
// arena of whoever holds it.
#ifndef BARLINT_REPORT_FINDING_H
#define BARLINT_REPORT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/error.h"
#include "rules/rule.h"

// Lines and columns start at 1 and columns count bytes; 0 where unknown. Paths are absolute;
// the formats print them relative to where the user stands.
struct finding_place {
    const char *file;
    uint32_t line, column, end_line, end_column;
};

struct finding_note {
    struct finding_place place;
    const char *message;
};

// How many letters at the beginning of the note name the threads whose deed it tells ("threads 0-31
// of 128 wait here"); 0 where it is about nobody in particular.
size_t note_threads(const struct finding_note *note);

// Replaces the bytes [start, end) of a file by text.
struct finding_edit {
    const char *file; // absolute
    uint64_t start, end;
    const char *text;
    uint64_t content; // hash of the file that the offsets belong to
};

// Edits that belong together, none of which overlap.
struct finding_fix {
    const char *description;
    bool safe;
    struct finding_edit *edit; // in the arena of the findings
    size_t edit_count;
};

// A kernel and the shape it was analysed with.
struct finding_context {
    const char *kernel;
    const char *launch; // "block (128, 1, 1), grid (8, 1, 1), at main.cu:12"
};

enum finding_silence {
    FINDING_SHOWN,
    FINDING_SUPPRESSED, // by a comment
    FINDING_BASELINED,  // the baseline knows it
};

struct finding {
    const char *rule;
    enum rule_level level;
    enum rule_certainty certainty;
    bool pedantic; // shown with --pedantic only
    struct finding_place place;
    const char *message;
    const char *function;            // for people, with template arguments
    const char *pattern;             // the same function without them: part of the fingerprint
    struct finding_context *context; // stb_ds array, at least one for what a rule reports
    struct finding_note *note;       // stb_ds array
    struct finding_fix *fix;         // stb_ds array
    const char *schedule;            // of a run that shows it: a part of a page in SVG, or NULL
    const char *fingerprint;         // 16 hexadecimal digits, by report_finish()
    const char *likeness;            // the fingerprint of the first like it in the file
    enum finding_silence silence;
    const char *reason; // what the comment says, or ""
};

// Findings by value; `arena` owns their text, findings_release() frees it all.
struct findings {
    struct arena arena;
    struct finding *finding; // stb_ds array
};

void findings_init(struct findings *findings);
void findings_release(struct findings *findings);
// Frees what a finding has beside the text.
void finding_clear(struct finding *finding);

const char *rule_level_name(enum rule_level level);             // "error"
const char *rule_certainty_name(enum rule_certainty certainty); // "certain"
// Whether the word names a level; fills `out` when it does.
bool rule_level_parse(const char *word, enum rule_level *out);

// A JSON string of text that may hold bytes that are not UTF-8 (they become U+FFFD).
json_t *finding_json_text(const char *text);
// A JSON string that utf8_unescape() turns into the same path again, whatever its bytes are.
json_t *finding_json_path(const char *path);

json_t *finding_place_to_json(const struct finding_place *place);
// The file's name is copied to the arena. False where it is not what finding_place_to_json() makes.
bool finding_place_from_json(struct arena *arena, const json_t *json, struct finding_place *out);

// What a worker hands to its parent: every field of the findings. The caller owns the result.
json_t *findings_to_json(const struct findings *findings);

// Appends the findings of a worker's JSON array. Fails when it is not what findings_to_json()
// makes.
bool findings_from_json(struct findings *findings, const json_t *array, struct error *error);

#endif
