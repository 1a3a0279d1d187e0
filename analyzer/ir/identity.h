// What an analysis of a function can see, as a digest: the function with everything it reaches
// (functions, objects, types), and of its places only which of them come before which. Lines that
// are put between them, or above all of them, leave the digest as it is.
//
// So what was found out about a function can be used again in another parse where its identity is
// the same, once each line is replaced by the one of the same number in ir_identity.lines.
#ifndef BARLINT_IR_IDENTITY_H
#define BARLINT_IR_IDENTITY_H

#include "base/digest.h"
#include "ir/ir.h"

// The lines of a file that the function and what it reaches name, ascending, each once.
struct ir_lines {
    uint32_t file;
    uint32_t *line; // stb_ds array
};

struct ir_identity {
    struct digest digest;
    struct ir_lines *lines; // stb_ds array, by file
};

// Digests of the functions of a unit, each worked out when it is first wanted. The unit must stay
// as it is until ir_identities_free().
struct ir_identities;
struct ir_identities *ir_identities_new(const struct ir_unit *unit);
void ir_identities_free(struct ir_identities *identities); // NULL is ignored

// The identity of a function that is analysed with regard to `more` places (launches of it). To be
// released with ir_identity_release().
void ir_identity_of(struct ir_identities *identities, ir_function_id function,
                    const struct ir_loc *more, size_t more_count, struct ir_identity *out);
void ir_identity_release(struct ir_identity *identity);

#endif
