// Every block sends its sum to the last block of its cluster, which waits for all of them. The size
// of the cluster is said where the kernel is launched, in another file.
#include <cstdint>

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline uint32_t in_block(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

template <uint32_t blocks> __global__ void sum_of_cluster(const float *in, float *out)
{
    __shared__ float part[blocks];
    __shared__ alignas(8) uint64_t full;
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");

    float sum = in[blockIdx.x * 32 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (threadIdx.x != 0)
        return;
    if (rank == blocks - 1)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&full)),
                     "n"(blocks * sizeof(float))
                     : "memory");
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(
                     in_block(smem(&part[rank]), blocks - 1)),
                 "f"(sum), "r"(in_block(smem(&full), blocks - 1))
                 : "memory");
    if (rank != blocks - 1)
        return;
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(smem(&full))
                     : "memory");
    sum = 0.0f;
    for (uint32_t i = 0; i < blocks; ++i)
        sum += part[i];
    out[blockIdx.x / blocks] = sum;
}

template __global__ void sum_of_cluster<2>(const float *, float *);
template __global__ void sum_of_cluster<4>(const float *, float *);
