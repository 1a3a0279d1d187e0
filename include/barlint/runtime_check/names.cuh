// Names of files that places are given by (BARLINT_RT_HERE): they lie in the device's memory, where
// the host cannot read while a kernel runs or after one has failed. A report takes them along, into a
// table beside the reports. Part of device.cuh.

static __device__ __noinline__ void barlint_rt_keep_name(struct barlint_rt_state *state,
                                                         uint64_t site)
{
    uint64_t address = site & BARLINT_RT_NAME_MASK;
    if (!(site >> 63) || !state->names) {
        return;
    }
    BARLINT_ROLLED
    for (uint32_t i = 0; i < BARLINT_RT_NAMES; i++) {
        struct barlint_rt_name *name = &state->names[i];
        unsigned long long old =
            atomicCAS((unsigned long long *)&state->name_of[i], 0ull, (unsigned long long)address);
        if (old == address) {
            return;
        }
        if (old != 0) {
            continue;
        }
        const char *text = (const char *)address;
        for (uint32_t k = 0; k + 1u < sizeof name->text && text[k]; k++) {
            name->text[k] = text[k]; // the rest is zero
        }
        __threadfence_system();
        *(volatile uint64_t *)&name->address = address;
        return;
    }
}

static __device__ __noinline__ void barlint_rt_keep_names(struct barlint_rt_state *state,
                                                          const struct barlint_rt_report *r)
{
    barlint_rt_keep_name(state, r->site);
    barlint_rt_keep_name(state, r->made_at);
    BARLINT_ROLLED
    for (uint32_t i = 0; i < r->places; i++) {
        barlint_rt_keep_name(state, r->place[i].site);
    }
}
