// One block brings a tile to global memory by a bulk store, waits until it has come and raises a flag
// for another one.
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kTile = 256;

__device__ inline void store_tile(float *to, const float *tile)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"((uint32_t)__cvta_generic_to_shared(tile)), "n"(kTile * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void pass_on(const float *__restrict__ in, float *tile, unsigned *flag,
                        float *__restrict__ out)
{
    __shared__ alignas(128) float staged[kTile];
    if (blockIdx.x == 0) {
        staged[threadIdx.x] = 2 * in[threadIdx.x];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            store_tile(tile, staged);
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        }
    } else {
        if (threadIdx.x == 0) {
            unsigned seen = 0;
            while (!seen)
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                             : "=r"(seen)
                             : "l"(flag)
                             : "memory");
        }
        __syncthreads();
        out[threadIdx.x] = tile[threadIdx.x];
    }
}

void launch(const float *in, float *tile, unsigned *flag, float *out)
{
    pass_on<<<2, kTile>>>(in, tile, flag, out);
}
