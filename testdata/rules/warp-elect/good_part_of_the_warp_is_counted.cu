// A row is copied out by pieces of one warp's width. The last piece may be narrower, which the
// masks of __syncwarp() and of the elections allow for.
#include <cstdint>
#include <cuda_runtime.h>

__device__ inline bool elected(uint32_t lanes)
{
    uint32_t one;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(one)
                 : "r"(lanes));
    return one != 0;
}

__global__ void copy_out(const int4 *__restrict__ in, int4 *out, int rows, int width)
{
    __shared__ alignas(128) int4 piece[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int row = blockIdx.x * 4 + warp; row < rows; row += gridDim.x * 4) {
        for (int i = lane; i < width; i += 32) {
            const int left = width - (i - lane);
            const unsigned here = left < 32 ? (1u << left) - 1 : 0xffffffff;
            if (elected(here))
                asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            __syncwarp(here);
            piece[warp][lane] = in[(size_t)row * width + i];
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            __syncwarp(here);
            if (lane == 0) {
                asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                                 out + (size_t)row * width + i),
                             "r"((uint32_t)__cvta_generic_to_shared(piece[warp])),
                             "r"((left < 32 ? left : 32) * 16)
                             : "memory");
                asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            }
        }
        __syncwarp();
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

void launch(const int4 *in, int4 *out, int rows, int width)
{
    copy_out<<<32, 128>>>(in, out, rows, width);
}
