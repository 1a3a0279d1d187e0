// The controller of each block makes the barrier of a job anew and then says so to both blocks; it is a
// job ahead of those who use it.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int slots = 2;

__device__ uint32_t own(const uint64_t *bar)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(bar));
}

__device__ void make(uint64_t *bar, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(own(bar)), "r"(count) : "memory");
}

__device__ void fence_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void signal(uint64_t *bar, int rank)
{
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(own(bar)),
                 "r"(rank)
                 : "memory");
}

__device__ void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred over;\nagain:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 over, [%0], %1;\n"
                 "@!over bra again;\n}" ::"r"(own(bar)),
                 "r"(parity)
                 : "memory");
}

__device__ void meet()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__global__ void __cluster_dims__(2, 1, 1) jobs(const int *__restrict__ in, int *__restrict__ out,
                                               int count)
{
    __shared__ uint64_t ready[slots], finished[slots], answered[slots];
    __shared__ int job[slots];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x < slots) {
        make(&ready[threadIdx.x], 2);
        make(&finished[threadIdx.x], 2);
        fence_init();
    }
    meet();
    if (threadIdx.x == 0) {
        for (int i = 0; i < count; ++i) {
            const int s = i % slots;
            if (i >= slots) {
                wait(&finished[s], (i / slots - 1) & 1);
                asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(own(&answered[s]))
                             : "memory");
            }
            job[s] = in[i];
            make(&answered[s], 1);
            fence_init();
            signal(&ready[s], rank);
            signal(&ready[s], rank ^ 1);
        }
    } else if (warp > 0) {
        for (int i = 0; i < count; ++i) {
            const int s = i % slots;
            wait(&ready[s], (i / slots) & 1);
            if (warp == 1 && rank == 0 && lane < 2)
                signal(&answered[s], lane);
            if (warp == 2) {
                wait(&answered[s], 0);
                out[(i * 2 + rank) * 32 + lane] = job[s];
            }
            __syncwarp();
            if (lane == 0)
                signal(&finished[s], rank);
        }
    }
    __syncwarp();
    meet();
}

void run(const int *in, int *out, int count)
{
    jobs<<<2, 96>>>(in, out, count);
}
