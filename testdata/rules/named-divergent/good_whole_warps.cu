// Splits at multiples of 32 and at values that a whole warp shares.
#include <cuda_runtime.h>

__device__ int warp_index()
{
    return __shfl_sync(0xffffffffu, threadIdx.x / 32, 0);
}

__global__ void roles(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[96];
    if (warp_index() < 3) {
        tile[threadIdx.x] = in[threadIdx.x];
        asm volatile("bar.sync 1, 96;" ::: "memory");
        if (threadIdx.x < 64) {
            tile[threadIdx.x] += in[threadIdx.x + 32];
            asm volatile("bar.sync 2, 64;" ::: "memory");
        }
        out[threadIdx.x] = tile[threadIdx.x];
    }
}

void run(const float *in, float *out)
{
    roles<<<1, 128>>>(in, out);
}
