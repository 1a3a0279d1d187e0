// A warp adds up what a bulk copy has brought for it, and its first lane starts the next copy into
// the same place: other lanes may still be reading.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kRow = 128;

__device__ inline uint32_t shared_of(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ inline void bring(float *to, const float *from, uint64_t *bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(bar)),
                 "n"(kRow * 4)
                 : "memory");
    asm volatile( // expect: sync-missing
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_of(to)),
        "l"(from), "n"(kRow * 4), "r"(shared_of(bar))
        : "memory");
}

__device__ inline void wait(uint64_t *bar, int parity)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(shared_of(bar)),
                 "r"(parity)
                 : "memory");
}

__global__ void add_rows(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ alignas(128) float row[4][kRow];
    __shared__ uint64_t full[4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 4)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&full[threadIdx.x])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    const float *from = in + (blockIdx.x * 4 + warp) * 8 * kRow;
    if (lane == 0)
        bring(row[warp], from, &full[warp]);
    float sum = 0;
    for (int r = 0; r < 8; ++r) {
        wait(&full[warp], r & 1);
        for (int i = 0; i < 4; ++i)
            sum += row[warp][lane * 4 + i];
        if (lane == 0 && r < 7)
            bring(row[warp], from + (r + 1) * kRow, &full[warp]);
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void launch(const float *in, float *out)
{
    add_rows<<<16, 128>>>(in, out);
}
