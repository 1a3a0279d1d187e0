// A warp skips what it has nothing to do in and comes to the barriers all the same; where the block
// must agree, it is asked as a whole.
#include <cuda_runtime.h>

__global__ void splat(const float4 *__restrict__ points, float *__restrict__ image, int n)
{
    __shared__ float4 batch[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    const float4 point = i < n ? points[i] : make_float4(0, 0, 0, 0);
    const bool visible = point.w > 0.0f;
    batch[threadIdx.x] = point;
    if (__any_sync(0xffffffffu, visible)) {
        batch[threadIdx.x].x *= 0.5f;
        __syncwarp();
    }
    __syncthreads();
    float sum = 0.0f;
    for (int first = 0; first < n; first += 256) {
        if (__syncthreads_count(sum < 1.0f) == 0)
            break;
        if (!__all_sync(0xffffffffu, sum >= 1.0f)) {
            for (int k = 0; k < 256; ++k)
                sum += batch[k].w;
        }
        __syncthreads();
    }
    image[i] = sum;
}

void run(const float4 *points, float *image, int n)
{
    splat<<<n / 256, 256>>>(points, image, n);
}
