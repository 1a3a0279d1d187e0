// All warps that store arrive when they have stored, and the last of them waits for all, itself
// counted again: the count is one warp larger. A further warp prefetches meanwhile.
#include <cuda_runtime.h>

constexpr int workers = 128;

__device__ void stored(int threads)
{
    asm volatile("barrier.cta.arrive.aligned 3, %0;" ::"r"(threads) : "memory");
}

__device__ void all_stored(int threads)
{
    asm volatile("barrier.cta.sync.aligned 3, %0;" ::"r"(threads) : "memory");
}

__global__ void flush(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ __align__(128) float tile[workers];
    const int next = (blockIdx.x + 1) % tiles * workers;
    if (threadIdx.x >= workers) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + next));
        return;
    }
    tile[threadIdx.x] = 2.0f * in[blockIdx.x * workers + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    stored(workers + 32);
    if (threadIdx.x / 32 == workers / 32 - 1) {
        all_stored(workers + 32);
        if (threadIdx.x % 32 == 0) {
            asm volatile(
                "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                    out + blockIdx.x * workers),
                "r"((unsigned)__cvta_generic_to_shared(tile)), "r"((int)sizeof tile)
                : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
}

void run(const float *in, float *out, int tiles)
{
    flush<<<tiles, workers + 32>>>(in, out, tiles);
}
