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

struct barlint_rt_program {
    bool global_shadows;
    uint32_t resets[BARLINT_RT_DEVICES];
};

inline struct barlint_rt_program *barlint_rt_this_program(void)
{
    static struct barlint_rt_program program;
    return &program;
}

inline void barlint_rt_tell_lack_of_room(const void *, int bytes)
{
    fprintf(stderr, "no room for %d bytes, %s shadows\n", bytes,
            barlint_rt_this_program()->global_shadows ? "global" : "shared");
}

inline void barlint_rt_prepare(void)
{
    fputs("launch\n", stderr);
}

__attribute__((weak)) int current_device; // which the tests change

inline int barlint_rt_device_here(void)
{
    return current_device;
}

inline void barlint_rt_forget_device(void)
{
    fputs("reset\n", stderr);
    ++barlint_rt_this_program()->resets[barlint_rt_device_here()];
}

inline unsigned long long barlint_rt_state_here(void)
{
    return 0x1234 + barlint_rt_device_here();
}
