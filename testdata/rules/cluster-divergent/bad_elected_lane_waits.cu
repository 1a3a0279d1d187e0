// The elected lane and the rest of its warp wait for the cluster each by itself, with the form that a
// whole warp executes together.
#include <cstdint>
#include <cuda_runtime.h>

__device__ bool elected()
{
    uint32_t is_it;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(is_it));
    return is_it;
}

__device__ void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

__global__ void __cluster_dims__(2, 1, 1) fill(float *data, int steps)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    if (threadIdx.x < 32) {
        if (elected()) {
            wait_for_cluster(); // expect: cluster-divergent
            for (int i = 0; i < steps; ++i)
                data[i] += 1.f;
        } else {
            wait_for_cluster(); // expect: cluster-divergent
        }
    } else {
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
        data[threadIdx.x] *= 0.5f;
    }
}

void run(float *data, int steps)
{
    fill<<<8, 128>>>(data, steps);
}
