// A ring of stages as kernels of matrix multiplication have it: a full and an empty barrier for each
// stage, and a state of index and phase that each role advances for itself.
#pragma once

#include <cstdint>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

template <int Stages> struct stage_state {
    int index = 0;
    uint32_t phase = 0;

    __device__ stage_state() = default;
    __device__ stage_state(int index, uint32_t phase) : index(index), phase(phase) {}
    __device__ void advance()
    {
        if (++index == Stages) {
            index = 0;
            phase ^= 1;
        }
    }
};

// The producer finds all stages free at first.
template <int Stages> __device__ stage_state<Stages> producer_start()
{
    return stage_state<Stages>(0, 1);
}

template <int Stages> struct ring {
    uint64_t full[Stages], empty[Stages];

    __device__ void construct(int producers, int consumers)
    {
        for (int i = 0; i < Stages; ++i) {
            ptx::mbarrier_init(&full[i], producers);
            ptx::mbarrier_init(&empty[i], consumers);
        }
    }
    __device__ void producer_acquire(stage_state<Stages> state) { wait(empty, state); }
    __device__ void producer_commit(stage_state<Stages> state)
    {
        ptx::mbarrier_arrive(&full[state.index]);
    }
    __device__ void consumer_wait(stage_state<Stages> state) { wait(full, state); }
    __device__ void consumer_release(stage_state<Stages> state)
    {
        ptx::mbarrier_arrive(&empty[state.index]);
    }

private:
    __device__ void wait(uint64_t *barrier, stage_state<Stages> state)
    {
        while (!ptx::mbarrier_try_wait_parity(&barrier[state.index], state.phase)) {
        }
    }
};
