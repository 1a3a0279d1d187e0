// Half a warp shares a row, and every half names the lower one. The launch takes one of three block
// sizes; with two of them there is an upper half.
#include <cuda_runtime.h>

constexpr int group = 16;

__device__ float row_max(float value)
{
    for (int step = group / 2; step > 0; step /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffff, value, step)); // expect: warp-mask-self
    return value;
}

__global__ void scales(const float *__restrict__ in, float *__restrict__ out, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / group, lane = threadIdx.x % group;
    float most = 0.0f;
    for (int c = lane; c < columns; c += group)
        most = fmaxf(most, fabsf(in[row * columns + c]));
    most = row_max(most);
    if (lane == 0)
        out[row] = most;
}

void run(const float *in, float *out, int rows, int columns)
{
    int rows_of_block = 1;
    if (rows % 8 == 0)
        rows_of_block = 8;
    else if (rows % 2 == 0)
        rows_of_block = 2;
    scales<<<rows / rows_of_block, rows_of_block * group>>>(in, out, columns);
}
