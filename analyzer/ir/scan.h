// Reads the small parts of the text form: words, numbers, strings, places. The first mistake is
// kept and everything after it fails at once, so that callers may check at the end of a line.
//
// Layer: ir, private to it.
#ifndef BARLINT_IR_SCAN_H
#define BARLINT_IR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "ir/ir.h"

struct scan {
    const char *at, *end;
    uint32_t line; // of `at`, from 1
    bool failed;
    struct error *error;
    struct arena *arena; // owns the strings that are read
};

void scan_init(struct scan *scan, const char *text, size_t length, struct arena *arena,
               struct error *error);
// Reports that something else was expected here, unless an error was reported before. Returns
// false.
bool scan_fail(struct scan *scan, const char *expected);
// Reports a mistake that lies on the given line.
bool scan_fail_at(struct scan *scan, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Whether the line has nothing more to read but a comment.
bool scan_at_end_of_line(struct scan *scan);
// Expects the end of the line and goes to the next line that has anything on it.
bool scan_end_line(struct scan *scan);
// Goes to the next line that has anything on it, from the middle of one. False at the end.
bool scan_next_line(struct scan *scan);
bool scan_at_end(struct scan *scan);

// Steps over the character, after blanks, if it is there.
bool scan_accept(struct scan *scan, char c);
bool scan_expect(struct scan *scan, char c);
// Steps over the word if it is there, whole.
bool scan_accept_word(struct scan *scan, const char *word);
// The character after blanks; 0 at the end of the line.
char scan_peek(struct scan *scan);

// A run of label characters, in the arena; `what` is expected.
bool scan_label(struct scan *scan, const char *what, const char **out_label);
// The label behind a sign (`%` or `@`).
bool scan_signed_label(struct scan *scan, char sign, const char *what, const char **out_label);
// A number, decimal or 0x. Hexadecimal numbers up to 64 bits stand for the signed number with the
// same bits.
bool scan_i64(struct scan *scan, int64_t *out_number);
bool scan_u64(struct scan *scan, uint64_t *out_number);
bool scan_u32(struct scan *scan, uint32_t *out_number);
bool scan_string(struct scan *scan, const char **out_text);
// A string if one is there, else `otherwise`.
bool scan_optional_string(struct scan *scan, const char *otherwise, const char **out_text);
// `at file:line:column-line:column` if it is there, else the unknown place.
bool scan_location(struct scan *scan, struct ir_loc *out_loc);

#endif
