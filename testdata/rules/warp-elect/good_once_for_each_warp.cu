#include <cstdint>
#include <cuda_runtime.h>

__device__ __forceinline__ bool elect_one()
{
    uint32_t elected = 0;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, %1;\n\t@p mov.s32 %0, 1;\n\t}"
                 : "+r"(elected)
                 : "r"(0xffffffffu));
    return elected != 0;
}


__global__ void produce(int *out, int tiles)
{
    const int warp = threadIdx.x / 32;
    if (warp == 0) {
        const bool leader = elect_one();
        for (int t = 0; t < tiles; ++t) {
            if (leader)
                out[t] = t;
            __syncwarp();
        }
    } else if (warp == 1 && elect_one()) {
        out[tiles] = -1;
    }
    __syncthreads();
    out[tiles + 1 + threadIdx.x] = 0;
}

void launch(int *out, int tiles)
{
    produce<<<1, 128>>>(out, tiles);
}
