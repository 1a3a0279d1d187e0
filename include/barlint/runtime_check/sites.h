// The places in the source that an instrumented module's reports name: a table that `barlint nvcc`
// makes and compiles into the host code of the unit.
#ifndef BARLINT_RUNTIME_CHECK_SITES_H
#define BARLINT_RUNTIME_CHECK_SITES_H

#include <stdint.h>

// What host, device code and tables of places agree on: it changes with the structs here, in report.h and
// in the shadows, so that units of different versions of barlint are never taken for one program. The host's
// functions are in a namespace of that name, whatever the loader makes of copies; units that are linked are
// refused: of a group of sections the linker keeps one, in which only units of its version find their symbol,
// and nvlink takes no two sizes of one variable (BARLINT_RT_VERSIONS).
#ifndef BARLINT_RT_LAYOUT // as tests do
#define BARLINT_RT_LAYOUT 5
#endif
#define BARLINT_RT_VERSIONS barlint_units_are_of_different_versions
#define BARLINT_RT_PASTE(a, b) a##b
#define BARLINT_RT_PASTED(a, b) BARLINT_RT_PASTE(a, b)
#define BARLINT_RT_QUOTE(a) #a
#define BARLINT_RT_QUOTED(a) BARLINT_RT_QUOTE(a)
#define BARLINT_RT_HOST_SIDE inline namespace BARLINT_RT_PASTED(barlint_rt_layout_, BARLINT_RT_LAYOUT)

// Where a module that the driver loads has the address of its state: known to those of this version.
#define BARLINT_RT_STATE_AT "barlint_rt_state_at_" BARLINT_RT_QUOTED(BARLINT_RT_LAYOUT)

// Of a module's places, so many are known to have been passed or not: a bit each behind the state.
#define BARLINT_RT_PASSED 8192u

// In kernels whose warps count rounds (rounds.h), the place of a barrier has a number below this.
#define BARLINT_RT_ROUND_PLACES (1u << 14)

#define BARLINT_RT_DEVICES 64

struct barlint_rt_site {
    const char *file;
    uint32_t line, column;
    const char *function;    // the kernel or device function, demangled; NULL: not known
    const char *instruction; // as in the PTX
    uint32_t inlined_at;     // 1 + the index of the place that this one is inlined at; 0: none
    uint32_t bypassed; // BARLINT_RT_BYPASSED, _PERHAPS_BYPASSED (hooks.h): by whoever has ended; else 0
};

struct barlint_rt_module {
    const void *state_symbol; // host handle of the module's barlint_rt_state
    uint32_t number;          // upper half of its sites
    const struct barlint_rt_site *sites;
    uint32_t site_count;
    struct barlint_rt_module *next;
    uint32_t *passed; // bits of the places known to have been, as of when devices last said so; NULL: never
};

#endif
