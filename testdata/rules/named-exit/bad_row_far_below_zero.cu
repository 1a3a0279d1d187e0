// A warp whose row holds nothing leaves, while the writer counts all warps in.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(96) masked_rows(const float *scores, float *out)
{
    __shared__ float row[64];
    if (threadIdx.x < 64) {
        const float top = scores[blockIdx.x * 64 + (threadIdx.x & ~31)];
        row[threadIdx.x] = scores[blockIdx.x * 64 + threadIdx.x] - top;
        if (top < -1.0e30f)
            return; // expect: named-exit
        asm volatile("bar.sync 4, 96;" ::: "memory");
    } else {
        asm volatile("bar.sync 4, 96;" ::: "memory"); // expect: named-participants
        out[blockIdx.x * 32 + threadIdx.x - 64] = row[threadIdx.x - 64] + row[threadIdx.x - 32];
    }
}

void launch(const float *scores, float *out, int rows)
{
    masked_rows<<<rows, 96>>>(scores, out);
}
