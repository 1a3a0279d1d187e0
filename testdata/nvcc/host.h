// Stands for the host part of runtime_check in the tests: writes what a program registers and that
// it launches to standard error.
#include <stdint.h>
#include <stdio.h>

#include "sites.h"

inline void barlint_rt_register(struct barlint_rt_module *module)
{
    fprintf(stderr, "module of %u places%s\n", module->site_count,
            module->state_symbol && module->number ? "" : ", broken");
    for (uint32_t i = 0; i < module->site_count; ++i) {
        const struct barlint_rt_site *site = &module->sites[i];
        fprintf(stderr, "%u: %s:%u:%u %s in %s, %u\n", i, site->file, site->line, site->column,
                site->instruction, site->function, site->inlined_at);
    }
}

inline void barlint_rt_prepare(void)
{
    fputs("launch\n", stderr);
}

inline unsigned long long barlint_rt_state_here(void)
{
    return 0x1234;
}
