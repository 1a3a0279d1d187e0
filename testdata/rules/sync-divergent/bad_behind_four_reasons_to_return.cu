// Points outside of the image return, for one of four reasons; behind all of these is the barrier,
// which threads without a point pass by.
#include <cuda_runtime.h>

__global__ void responses(const float *image, int width, int height, const float2 *point,
                          int points, float *out, int radius)
{
    __shared__ float patch[8][32];
    const int at = blockIdx.x * 8 + threadIdx.y;
    if (at < points) {
        const int x = __float2int_rn(point[at].x), y = __float2int_rn(point[at].y);
        if (x < radius || y < radius || x >= width - radius || y >= height - radius)
            return;
        float sum = 0.0f;
        for (int k = threadIdx.x; k < radius * radius; k += 32)
            sum += image[(y + k / radius) * width + x + k % radius];
        patch[threadIdx.y][threadIdx.x] = sum;
        __syncthreads(); // expect: sync-divergent
        if (threadIdx.x == 0) {
            for (int k = 1; k < 32; ++k)
                sum += patch[threadIdx.y][k];
            out[at] = sum;
        }
    }
}

void launch(const float *image, int width, int height, const float2 *point, int points, float *out)
{
    responses<<<(points + 7) / 8, dim3(32, 8)>>>(image, width, height, point, points, out, 7);
}
