// Each lane of the loading warp stores the scale of its row and copies the row; lane 0 arrives for
// all of them. A copy that lands tells of the row, and not of what its lane has stored before.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int ROWS = 32, ROW = 64;

__device__ uint32_t address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

__device__ void make(uint64_t *barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(count)
                 : "memory");
}

__device__ void wait(uint64_t *barrier, uint32_t parity)
{
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(address(barrier)), "r"(parity)
                     : "memory");
}

__global__ void __launch_bounds__(160)
    scale_rows(const float *__restrict__ in, const float *__restrict__ scales, float *__restrict__ out, int tiles)
{
    __shared__ alignas(16) float row[ROWS][ROW];
    __shared__ float scale[ROWS];
    __shared__ alignas(8) uint64_t full, empty;
    if (threadIdx.x == 0) {
        make(&full, 1);
        make(&empty, 128);
    }
    __syncthreads();
    const int lane = threadIdx.x % 32;
    for (int tile = 0; tile < tiles; ++tile) {
        const int first = tile * ROWS;
        if (threadIdx.x >= 128) {
            wait(&empty, tile % 2 ^ 1);
            scale[lane] = scales[first + lane];
            __threadfence_block();
            if (lane == 0)
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&full)), "r"((uint32_t)sizeof row) : "memory"); // expect: sync-missing
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1], %2, [%3];" ::"r"(address(row[lane])),
                         "l"(in + (first + lane) * ROW), "r"(ROW * 4), "r"(address(&full))
                         : "memory");
        } else {
            wait(&full, tile % 2);
            for (int i = threadIdx.x; i < ROWS * ROW; i += 128)
                out[first * ROW + i] = row[i / ROW][i % ROW] * scale[i / ROW];
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&empty)) : "memory");
        }
    }
}

void run(const float *in, const float *scales, float *out, int tiles)
{
    scale_rows<<<1, 160>>>(in, scales, out, tiles);
}
