// A few threads copy the scales of a stage, as a mask and a bound say, and no thread copies past
// them: the words behind belong to the offsets, which are read while later stages are under way.
#include <cstdint>
#include <cuda_pipeline.h>

__device__ inline void copy_16(void *to, const void *from, bool mask)
{
    const uint32_t smem = static_cast<uint32_t>(__cvta_generic_to_shared(to));
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %0, 0;\n"
                 "@p cp.async.cg.shared.global [%1], [%2], 16;\n"
                 "}" ::"r"((int)mask),
                 "r"(smem), "l"(from)
                 : "memory");
}

template <int Stages>
__global__ void __launch_bounds__(128) scale(const float *__restrict__ scales,
                                             const float *__restrict__ offsets,
                                             float *__restrict__ out, int steps)
{
    extern __shared__ float memory[];
    float *scale = memory, *offset = memory + Stages * 64;
    auto load = [&](int s) {
        const bool mine = (s < steps) & (threadIdx.x < 16);
        copy_16(&scale[s * 64 + threadIdx.x * 4], &scales[s * 64 + threadIdx.x * 4], mine);
        copy_16(&offset[s * 64 + threadIdx.x * 4], &offsets[s * 64 + threadIdx.x * 4], mine);
        __pipeline_commit();
    };
    for (int s = 0; s < Stages; ++s)
        load(s);
    __pipeline_wait_prior(Stages - 1);
    __syncthreads();
    out[threadIdx.x] = scale[threadIdx.x % 64] + offset[threadIdx.x % 64];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int s = 1; s < Stages; ++s)
        out[threadIdx.x] += scale[s * 64 + threadIdx.x % 64] * offset[s * 64 + threadIdx.x % 64];
}

void run(const float *scales, const float *offsets, float *out, int steps)
{
    scale<3><<<1, 128, 3 * 2 * 64 * sizeof(float)>>>(scales, offsets, out, steps);
}
