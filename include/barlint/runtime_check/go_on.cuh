// BARLINT_RT_CONTINUE: after a hang has been reported, threads that wait at mbarriers go on. The
// arrivals and bytes that are missing are made up, in the hardware and in the shadow, so that the
// phase ends for everybody. Barriers of the block, of warps and of the cluster cannot be ended from
// outside: where only those hold, the block ends after all. Part of device.cuh.

#define BARLINT_RT_MOST_TIMES 256u // a block goes on after as many hangs

// The lock is held, the gates are shut and the objects open. Returns false where nobody was helped.
static __device__ __noinline__ bool barlint_rt_go_on(struct barlint_rt_block *b)
{
    bool helped = false;
    BARLINT_ROLLED
    for (uint32_t i = 0; i < b->room && b->went_on < BARLINT_RT_MOST_TIMES; i++) {
        struct barlint_rt_object *o = &b->object[i];
        struct barlint_rt_cause cause;
        struct barlint_effect effect = barlint_effect_none();
        barlint_rt_cause_clear(&cause, BARLINT_RT_MBARRIER, i);
        if (o->address == BARLINT_RT_NONE || o->m.state != BARLINT_LIVE ||
            barlint_rt_waiters(b, &cause) == 0) {
            continue;
        }
        uint32_t phase = o->m.phase;
        barlint_rt_push_bytes(o->address, o->m.tx);
        for (uint32_t n = o->m.pending; n > 0 && !barlint_rt_hardware_done(o->address, phase); n--) {
            barlint_rt_push_arrival(o->address);
        }
        if (barlint_rt_hardware_done(o->address, phase)) {
            o->m.pending = 0;
            o->m.tx = 0;
            o->m.async_arrivals = 0;
            o->m.bytes_in_flight = 0;
            barlint_mbarrier_try_complete(&o->m, &effect);
            barlint_rt_completed(b);
            helped = true;
        }
    }
    if (!helped) {
        return false;
    }
    b->went_on++;
    uint32_t asleep = barlint_rt_asleep(b); // they were only taken to be blocked for the report
    BARLINT_ROLLED
    for (uint32_t w = 0; w < b->warps; w++) {
        if (asleep >> w & 1u) {
            barlint_rt_store(&b->warp[w].blocked, 0);
        }
    }
    BARLINT_ROLLED
    for (uint32_t i = 0; i < b->room; i++) {
        if (b->object[i].address != BARLINT_RT_NONE) {
            barlint_rt_close_object(&b->object[i]);
        }
    }
    barlint_rt_free_gates(b);
    return true;
}
