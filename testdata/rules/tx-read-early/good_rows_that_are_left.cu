// The last tile has fewer rows: as many bytes are announced as copies bring, by one thread or by
// the lanes of a warp.
#include <cstdint>
#include <cuda_runtime.h>

namespace {

__device__ uint32_t shared_address(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

__device__ void announce(uint64_t *bar, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(bar)),
                 "r"(bytes)
                 : "memory");
}

__device__ void fetch(void *to, const void *from, uint32_t bytes, uint64_t *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(bar))
                 : "memory");
}

__device__ void await(uint64_t *bar, uint32_t parity)
{
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(bar)), "r"(parity)
                     : "memory");
}

} // namespace

template <bool ByLanes>
__global__ void __launch_bounds__(128) scale(const float *in, float *out, int rows)
{
    __shared__ alignas(128) float tile[32][64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&bar)));
    __syncthreads();
    const int first = blockIdx.x * 32, left = min(32, rows - first);
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            announce(&bar, left * sizeof tile[0]);
        __syncwarp();
        if (ByLanes && threadIdx.x < left)
            fetch(tile[threadIdx.x], in + (first + threadIdx.x) * 64, sizeof tile[0], &bar);
        for (int row = 0; row < left && !ByLanes && threadIdx.x == 0; ++row)
            fetch(tile[row], in + (first + row) * 64, sizeof tile[0], &bar);
    }
    await(&bar, 0);
    for (int i = threadIdx.x; i < left * 64; i += 128)
        out[first * 64 + i] = 2.0f * tile[i / 64][i % 64];
}

void run(const float *in, float *out)
{
    scale<true><<<32, 128>>>(in, out, 1000);
    scale<false><<<32, 128>>>(in, out, 1000);
}
