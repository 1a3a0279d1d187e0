// Stands for the host part of runtime_check in the tests: writes what a program registers and that
// it launches to standard error.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sites.h"

__attribute__((weak)) struct barlint_rt_module *registered;

inline const struct barlint_rt_module *barlint_rt_module_of(uint64_t site)
{
    const struct barlint_rt_module *module = registered;
    while (module && module->number != (uint32_t)(site >> 32)) {
        module = module->next;
    }
    return module;
}

inline void barlint_rt_register(struct barlint_rt_module *module)
{
    module->next = registered;
    registered = module;
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

// A stream of its own. The next copy that should fail does, once.
struct barlint_rt_aside {
    bool is_made;
};
__attribute__((weak)) int fails;

inline bool barlint_rt_step_aside(struct barlint_rt_aside *aside)
{
    return aside->is_made = true;
}

inline void barlint_rt_step_back(struct barlint_rt_aside *aside)
{
    aside->is_made = false;
}

inline bool barlint_rt_copy_aside(struct barlint_rt_aside *aside, void *to, const void *from, size_t bytes)
{
    if (fails || !aside->is_made) {
        return fails = 0;
    }
    memcpy(to, from, bytes);
    return true;
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
