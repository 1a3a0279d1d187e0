// All lanes of a warp raise the count by their copies; then the warp elects one, whose arrival is
// the one that the mbarrier was made for.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t address(const void *at)
{
    return (uint32_t)__cvta_generic_to_shared(at);
}

__device__ inline bool elected()
{
    uint32_t is_one;
    asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is_one));
    return is_one != 0;
}

__global__ void scale(const float *__restrict__ in, const float *__restrict__ rows,
                      float *__restrict__ out)
{
    __shared__ alignas(128) float row[512];
    __shared__ float factor[32];
    __shared__ uint64_t full;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
    __syncthreads();
    if (warp == 4) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(&factor[lane])),
                     "l"(in + lane)
                     : "memory");
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(address(&full)) : "memory");
        if (elected()) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%0], [%1], 2048, [%2];" ::"r"(address(row)),
                         "l"(rows + blockIdx.x * 512), "r"(address(&full))
                         : "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 2048;" ::"r"(address(&full))
                         : "memory");
        }
        return;
    }
    uint32_t over;
    do {
        asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(over)
                     : "r"(address(&full))
                     : "memory");
    } while (!over);
    for (int i = threadIdx.x; i < 512; i += 128)
        out[blockIdx.x * 512 + i] = row[i] * factor[i % 32];
}

void run(const float *in, const float *rows, float *out)
{
    scale<<<64, 160>>>(in, rows, out);
}
