// What the device library and the host share: the options, the memory the library works in, and
// the reports. A report lies in host memory that the device writes to, so that it can be read while
// the kernel runs and after it has failed.
#ifndef BARLINT_RUNTIME_CHECK_REPORT_H
#define BARLINT_RUNTIME_CHECK_REPORT_H

#include <stdint.h>

#define BARLINT_RT_WARPS 32u   // of a block
#define BARLINT_RT_SM_WARPS 64u // of an SM, at most
#define BARLINT_RT_PLACES 24u  // of a report: groups of threads and where they are
#define BARLINT_RT_REPORTS 256u // causes kept; what comes after is counted
#define BARLINT_RT_KERNELS 256u // that do the same again, with what they are given
#define BARLINT_RT_DECISIONS 1024u
#define BARLINT_RT_LAUNCHES 64u // running at a time, as a rule
#define BARLINT_RT_HOLDS 64u    // places at which accesses to other CTAs are held back, as a rule
#define BARLINT_RT_NAMES 64u    // files that are named by reports of sources, not of modules

// Of a place that is a line and a file's name: the address of the name.
#define BARLINT_RT_NAME_MASK 0x7fffffffffffull

enum barlint_rt_kind {
    BARLINT_RT_EVENT, // an operation broke a rule
    BARLINT_RT_HANG,  // nothing in the block can go on
    BARLINT_RT_NOTE,  // an operation may have: told with BARLINT_RT_PEDANTIC only
    BARLINT_RT_HINT,  // it very probably has: told as a note
};

enum barlint_rt_subject {
    BARLINT_RT_NO_SUBJECT,
    BARLINT_RT_MBARRIER,
    BARLINT_RT_NAMED,
    BARLINT_RT_WARP_MASK,
    BARLINT_RT_CLUSTER_BARRIER,
    BARLINT_RT_GRID_BARRIER,
};

enum barlint_rt_activity {
    BARLINT_RT_AT,     // was last seen there
    BARLINT_RT_WAITS,  // waits there
    BARLINT_RT_EXITED, // ended there
};

// Lanes of one warp and where they are.
struct barlint_rt_place {
    uint64_t site;
    uint32_t warp, lanes;
    uint32_t activity; // enum barlint_rt_activity
    uint32_t subject;  // BARLINT_RT_WAITS: what they wait at,
    uint32_t number;   // the address of the mbarrier or the number of the named barrier
    uint32_t phase;    // and its phase
};

struct barlint_rt_report {
    uint32_t ready;     // 1 once all of it is written
    uint32_t violation; // enum barlint_violation
    uint32_t kind;      // enum barlint_rt_kind
    uint32_t subject;   // enum barlint_rt_subject
    uint64_t count;     // how often; exact up to the next power of two while the kernel runs
    uint64_t site;      // of the operation
    uint64_t made_at;   // where the mbarrier was initialised, the generation begun; 0: not known
    uint32_t block[3], block_dim[3], cluster_rank;
    uint32_t lanes[BARLINT_RT_WARPS]; // the threads concerned, a mask for each warp
    uint32_t number;                  // shared address of the mbarrier, number of the named barrier, generation
    uint32_t phase, expected, pending;
    int32_t tx;
    uint32_t places;
    struct barlint_rt_place place[BARLINT_RT_PLACES];
};

// A file's name, beside the reports in host memory.
struct barlint_rt_name {
    uint64_t address; // on the device, 0: not yet written
    char text[1016];  // ended by 0
};

enum barlint_rt_option {
    BARLINT_RT_CONTINUE = 1, // go on after a fault instead of ending the block's threads
    BARLINT_RT_PEDANTIC = 2, // tell what may be right, too
    BARLINT_RT_EVERY_BLOCK = 4, // check those that do the same as others, too
};

struct barlint_rt_records;
struct barlint_rt_cluster;
struct barlint_rt_block;

// The library's state on one device, in its memory. Instrumented code finds it through the variable
// barlint_rt_state of its module; while that is null, nothing is checked.
struct barlint_rt_state {
    uint64_t first_mark; // BARLINT_RT_STATE_MARK, as the last
    struct barlint_rt_records *records; // one for each warp that can run at a time
    uint32_t record_count;
    struct barlint_rt_block *shadows; // as many, for units that have them in global memory; else NULL
    uint32_t *shadow_taken;           // 1: a block has it
    struct barlint_rt_cluster *clusters; // one for each cluster that is running
    uint32_t cluster_count;
    uint32_t options;                   // enum barlint_rt_option
    struct barlint_rt_report *reports;  // BARLINT_RT_REPORTS of them, in host memory
    struct barlint_rt_name *names;      // BARLINT_RT_NAMES of them, in host memory
    uint64_t name_of[BARLINT_RT_NAMES]; // the addresses that they are taken for; 0: free
    uint64_t report_key[BARLINT_RT_REPORTS]; // violation, site, and what kind of a note it is; 0: free
    uint64_t report_count[BARLINT_RT_REPORTS];
    uint32_t report_ready[BARLINT_RT_REPORTS]; // 1 once it is written
    uint64_t reports_lost;   // causes that found no room
    uint64_t objects_lost;   // mbarriers beyond BARLINT_RT_OBJECTS in a block: not followed
    uint64_t ended_in[BARLINT_RT_LAUNCHES]; // 1 + a launch of which a block was ended
    uint64_t checked[BARLINT_RT_KERNELS]; // blocks that were right (spared.cuh)
    uint64_t grids[BARLINT_RT_LAUNCHES]; // the barriers of cooperative launches (grid.h)
    uint64_t decided[BARLINT_RT_DECISIONS]; // of launches with clusters: are they spared?
    uint32_t reported;                      // 1: something has been told
    uint32_t held[2][BARLINT_RT_HOLDS]; // how often accesses to other CTAs have been held back at a place:
                                        // by the first cluster of a launch, in [1], and by others
    uint32_t holder[2][BARLINT_RT_HOLDS]; // 1 + the number of the block that is, 0: none
    uint32_t stuck_ms;       // how long a copy on its way is waited for before a hang is said
    uint64_t last_mark;
};

// What it takes on the device. Less lies side by side with pieces of the program's own, and what is written
// beyond the end of one would hit it first.
#define BARLINT_RT_OWN_PAGE (2u << 20)
#define BARLINT_RT_STATE_MARK 0x6261726c696e7421ull // anything else: the program has written there

#endif
