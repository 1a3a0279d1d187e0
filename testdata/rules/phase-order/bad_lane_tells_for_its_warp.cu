// The barrier of the warp tells lane 0 of what its warp has stored, and nobody else: the lane's own
// arrival has to publish it, and is relaxed.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int warps = 4;

__device__ inline uint32_t at(const void *word)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(word));
}

__global__ void __launch_bounds__(warps * 32) column_sums(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float row[warps][32];
    __shared__ alignas(8) uint64_t complete;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&complete)), "r"(warps) : "memory");
    __syncthreads();
    if (lane != 0)
        row[warp][lane] = in[(blockIdx.x * warps + warp) * 32 + lane];
    __syncwarp();
    if (lane == 0)
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" // expect: phase-order
                     ::"r"(at(&complete))
                     : "memory");
    asm volatile("{\n.reg .pred over;\nagain:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n"
                 "@!over bra again;\n}" ::"r"(at(&complete))
                 : "memory");
    float sum = 0.0f;
    for (int w = 0; w < warps; ++w)
        sum += lane != 0 ? row[w][lane] : 0.0f;
    if (warp == 0)
        out[blockIdx.x * 32 + lane] = sum;
}

void run(const float *in, float *out, int tiles)
{
    column_sums<<<tiles, warps * 32>>>(in, out);
}
