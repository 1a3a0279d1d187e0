// The ring between the blocks of a cluster: consumers of all blocks release a stage of each.
#pragma once

#include "ring.cuh"

__device__ inline void cluster_meets()
{
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
}

template <int Stages> struct cluster_ring : ring<Stages> {
    // One thread of every block of the cluster says that it has read the stage of the block `rank`.
    __device__ void consumer_release(stage_state<Stages> state, unsigned rank)
    {
        asm volatile("{\n\t.reg .b32 far;\n\tmapa.shared::cluster.u32 far, %0, %1;\n\t"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [far];\n\t}" ::"r"(
                         static_cast<uint32_t>(__cvta_generic_to_shared(&this->empty[state.index]))),
                     "r"(rank)
                     : "memory");
    }
    // Waits for the releases of the stages that were committed last.
    __device__ void producer_tail(stage_state<Stages> state)
    {
        for (int i = 0; i < Stages; ++i) {
            this->producer_acquire(state);
            state.advance();
        }
    }
};
