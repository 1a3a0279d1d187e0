// What the two halves of the reader share: reader.c reads declarations, reader_body.c the bodies of
// functions.
//
// Layer: ir, private to it.
#ifndef BARLINT_IR_READER_H
#define BARLINT_IR_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"
#include "ir/scan.h"

struct label_number {
    char *key;
    uint32_t value;
};

struct reader {
    struct scan scan;
    struct ir_unit *unit;
    struct label_number *type, *global, *function; // stb_ds string maps
    struct label_number *param, *local;            // of the function being read
    ir_function_id current;
};

// Gives the label its number, or reports that it has one already.
bool reader_declare(struct reader *reader, struct label_number **map, const char *label,
                    uint32_t number);
// Reads `sign label` and looks it up; `what` is expected.
bool reader_lookup(struct reader *reader, char sign, struct label_number **map, const char *what,
                   uint32_t *out_number);
bool reader_type(struct reader *reader, ir_type_id *out_type);
// Reads from behind the opening brace over the closing one.
bool reader_body(struct reader *reader);

#endif
