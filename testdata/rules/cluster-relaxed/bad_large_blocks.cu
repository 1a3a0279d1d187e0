// Eight blocks of 1024 threads: the first one publishes a bound, and the arrival is relaxed.
#include <cstdint>
#include <cuda_runtime.h>

__device__ uint32_t rank_in_cluster()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ uint32_t read_of_first(const uint32_t *word)
{
    uint32_t address, value;
    uint32_t mine = (uint32_t)__cvta_generic_to_shared(word);
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(address) : "r"(mine));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
    return value;
}

__global__ void __cluster_dims__(8, 1, 1) __launch_bounds__(1024)
    above_bound(const uint32_t *__restrict__ in, uint32_t *__restrict__ out)
{
    __shared__ uint32_t bound;
    if (rank_in_cluster() == 0 && threadIdx.x == 0)
        bound = in[blockIdx.x * 1024] / 2;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); // expect: cluster-relaxed
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    uint32_t at = blockIdx.x * 1024 + threadIdx.x;
    out[at] = in[at] > read_of_first(&bound);
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

void run(const uint32_t *in, uint32_t *out)
{
    above_bound<<<64, 1024>>>(in, out);
}
