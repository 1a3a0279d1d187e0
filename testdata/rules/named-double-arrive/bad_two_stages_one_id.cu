// Two stages are filled ahead, so that the readers may be a stage ahead of those they tell.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kReaders = 128, kThreads = kReaders + 32, kRow = 256;

__device__ inline uint32_t smem(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void open(uint64_t *bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count));
}
__device__ inline void fetch(float *to, const float *from, uint64_t *bar)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)),
                 "r"(kRow * 4)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(smem(to)),
                 "l"(from), "r"(kRow * 4), "r"(smem(bar))
                 : "memory");
}
__device__ inline void await(uint64_t *bar, uint32_t parity)
{
    asm volatile("{\n.reg .pred p;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@p bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(smem(bar)),
                 "r"(parity)
                 : "memory");
}

__global__ void __launch_bounds__(kThreads) rows(const float *in, float *out, int count)
{
    __shared__ alignas(128) float row[2][kRow];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        open(&full[0], 1);
        open(&full[1], 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x >= kReaders) {
        bool leader = threadIdx.x == kReaders;
        for (int r = 0; r < 2 && r < count; ++r)
            if (leader)
                fetch(row[r], in + r * kRow, &full[r]);
        for (int r = 0; r < count; ++r) {
            asm volatile("barrier.cta.sync 2, %0;" ::"r"(kThreads) : "memory");
            if (leader && r + 2 < count)
                fetch(row[r & 1], in + (r + 2) * kRow, &full[r & 1]);
        }
    } else {
        float sum = 0;
        for (int r = 0; r < count; ++r) {
            await(&full[r & 1], r >> 1 & 1);
            sum += row[r & 1][threadIdx.x] + row[r & 1][kRow - 1 - threadIdx.x];
            asm volatile("barrier.cta.arrive 2, %0;" ::"r"(kThreads) // expect: named-double-arrive
                         : "memory");
        }
        out[blockIdx.x * kReaders + threadIdx.x] = sum;
    }
}

void launch(const float *in, float *out, int count, int blocks)
{
    rows<<<blocks, kThreads>>>(in, out, count);
}
