// A warp agrees whether it has anything to do; its block does not.
#include <cuda_runtime.h>

__global__ void splat(const float4 *__restrict__ points, float *__restrict__ image, int n)
{
    __shared__ float4 batch[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 point = i < n ? points[i] : make_float4(0, 0, 0, 0);
    if (__any_sync(0xffffffffu, point.w > 0.0f)) {
        batch[threadIdx.x] = point;
        __syncthreads(); // expect: sync-divergent
        float sum = 0.0f;
        for (int k = 0; k < 256; ++k)
            sum += batch[k].w;
        image[i] = sum;
    }
}

void run(const float4 *points, float *image, int n)
{
    splat<<<n / 256, 256>>>(points, image, n);
}
