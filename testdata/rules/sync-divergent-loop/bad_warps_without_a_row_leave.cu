// A warp takes the rows of a list that are its own, passes over those that are empty, and leaves
// when the list ends; the barriers of the staging stand behind both questions, and a sum of each
// warp behind the loop.
#include <cuda_runtime.h>

constexpr int WARPS = 4, CHUNK = 256;

__global__ void __launch_bounds__(WARPS * 32)
    gather_rows(const float *x, const float *weight, const int *list, float *y, int length, int rows,
                int width)
{
    __shared__ float staged[CHUNK];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.f;
    for (int k = 0; k < (length + WARPS - 1) / WARPS; ++k) {
        const int slot = k * WARPS + warp;
        if (slot >= length)
            break;
        const int row = list[blockIdx.x * length + slot];
        if (row < 0 || row >= rows)
            continue;
        for (int first = 0; first < width; first += CHUNK) {
            for (int i = threadIdx.x; i < CHUNK; i += WARPS * 32)
                staged[i] = x[first + i];
            __syncthreads(); // expect: sync-divergent-loop
            for (int i = lane; i < CHUNK; i += 32)
                sum += staged[i] * weight[size_t(row) * width + first + i];
            __syncthreads();
        }
    }
    for (int o = 16; o > 0; o /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (lane == 0)
        atomicAdd(&y[blockIdx.x], sum);
}

void run(const float *x, const float *weight, const int *list, float *y, int lists, int length,
         int rows, int width)
{
    gather_rows<<<lists, WARPS * 32>>>(x, weight, list, y, length, rows, width);
}
