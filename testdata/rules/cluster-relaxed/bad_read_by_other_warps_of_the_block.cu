// The relaxed arrival is enough for the barriers, which have a fence of their own; the base that
// one thread stores meanwhile is read by all warps of its block with nothing else between.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t shared_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__global__ void __cluster_dims__(2, 1, 1) gather(const float *__restrict__ in,
                                                 const int *__restrict__ bases,
                                                 float *__restrict__ out)
{
    __shared__ uint64_t ready;
    __shared__ int base;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(shared_of(&ready)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (threadIdx.x == 64)
        base = bases[blockIdx.x];
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); // expect: cluster-relaxed
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    out[blockIdx.x * 128 + threadIdx.x] = in[base + threadIdx.x];
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

void launch(const float *in, const int *bases, float *out)
{
    gather<<<8, 128>>>(in, bases, out);
}
