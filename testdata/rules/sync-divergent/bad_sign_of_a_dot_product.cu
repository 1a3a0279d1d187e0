// Each thread has a product of its own, and only where it is positive the barrier is met.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) hinge(const float *a, const float *b, float *out)
{
    __shared__ float left[64 * 64], right[32 * 64], kept[128];
    for (int i = threadIdx.x; i < 64 * 64; i += 128)
        left[i] = a[i];
    for (int i = threadIdx.x; i < 32 * 64; i += 128)
        right[i] = b[i];
    kept[threadIdx.x] = 0.f;
    __syncthreads();
    float dot = 0.f;
    for (int d = 0; d < 64; ++d)
        dot += left[threadIdx.x / 2 * 64 + d] * right[threadIdx.x % 32 * 64 + d];
    if (dot > 0.f) {
        kept[threadIdx.x] = dot;
        __syncthreads(); // expect: sync-divergent
    }
    out[threadIdx.x] = kept[threadIdx.x];
}

void launch(const float *a, const float *b, float *out)
{
    hinge<<<1, 128>>>(a, b, out);
}
