// The cluster barrier's arrival is relaxed, so that nothing but the missing fence could make the
// initialisation known to the other block.
#include <cstdint>

__device__ inline uint32_t shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

struct ClusterPhase {
    uint64_t word;

    __device__ void init(uint32_t count)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)),
                     "r"(count));
    }
    __device__ void arrive(uint32_t rank)
    {
        asm volatile("{\n"
                     ".reg .b32 there;\n"
                     "mapa.shared::cluster.u32 there, %0, %1;\n"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n"
                     "}" ::"r"(shared_address(&word)),
                     "r"(rank)
                     : "memory");
    }
    __device__ void wait(uint32_t parity)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "again:\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
                     "@!p bra again;\n"
                     "}" ::"r"(shared_address(&word)),
                     "r"(parity)
                     : "memory");
    }
};

__device__ inline uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__global__ void __cluster_dims__(2, 1, 1) relay(const float *__restrict__ in,
                                                float *__restrict__ out)
{
    __shared__ ClusterPhase turn;
    if (threadIdx.x == 0)
        turn.init(64); // expect: init-cluster-fence
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    const float x = in[blockIdx.x * 64 + threadIdx.x];
    turn.arrive(cluster_rank() ^ 1);
    turn.wait(0);
    out[blockIdx.x * 64 + threadIdx.x] = 2.0f * x;
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

void run(const float *in, float *out)
{
    relay<<<8, 64>>>(in, out);
}
