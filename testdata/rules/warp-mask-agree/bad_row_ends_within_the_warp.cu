#include <cuda_runtime.h>


__global__ void rows(const int *offset, const float *value, float *out)
{
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float last = 0.0f;
    for (int i = offset[row] + lane; i < offset[row + 1]; i += 32)
        last = value[i] + __shfl_up_sync(0xffffffffu, value[i], 1); // expect: warp-mask-agree
    out[row * 32 + lane] = last;
}

void launch(const int *offset, const float *value, float *out, int n)
{
    rows<<<n / 4, 128>>>(offset, value, out);
}
