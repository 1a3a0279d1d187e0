// What stands in the place of one barrier instruction: calls of the hooks of
// <barlint/runtime_check/hooks.h> around it.
#ifndef BARLINT_INSTRUMENT_REWRITE_H
#define BARLINT_INSTRUMENT_REWRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "instrument/addresses.h"
#include "instrument/awaited.h"
#include "instrument/bypass.h"
#include "instrument/instruction.h"
#include "instrument/registers.h"

enum rewrite_result {
    REWRITE_NONE,    // no hook exists for it: it stays as it is
    REWRITE_DONE,    // written
    REWRITE_DROP,    // it is to be taken out
    REWRITE_UNKNOWN, // a hook should see it, but not in this form: it stays as it is
};

struct rewrite {
    FILE *out;
    const struct registers *registers;
    uint64_t site; // of this instruction
    bool in_kernel;
    enum bypass bypass;     // has whoever has ended gone past it?
    struct awaited awaited; // what the kernel waits for
    bool by_rounds;         // of a kernel whose warps count rounds
    bool is_uniform;        // of a kernel whose barriers are left alone
    bool asks;              // and whose waits ask whether the launch has come to an end
    bool has_groups;        // groups_declare() stands at the function's beginning
    bool has_peers;         // code here makes addresses of other CTAs' shared memory
    bool has_givers;        // warps may arrive at named barriers and go on
    uint32_t *counted;      // gets the hardware barriers that the instruction uses with a count
    bool *has_mbarriers;    // becomes true where it works on an mbarrier
    const struct addresses *addresses; // what the function's registers hold
};

// Writes what replaces the instruction, without its guard, to rewrite->out; nothing that counts
// unless the result is REWRITE_DONE. The text stands in a block of its own.
enum rewrite_result rewrite_instruction(const struct rewrite *rewrite,
                                        const struct instruction *instruction);

// Writes the call at the beginning of a kernel, and, `by_rounds`, of what its rounds are kept in.
void rewrite_enter(FILE *out, bool by_rounds, uint64_t site);

#endif
