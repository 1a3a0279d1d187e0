// The block's rows are as many as the threads of a row leave room for, and how long a row is the
// host cuts down to a warp. Threads of the last rows leave before sums over the rows read theirs.
#include <cuda_runtime.h>

constexpr int most = 256;

static int power_below(int n)
{
    int power = 1;
    while (power * 2 <= n)
        power *= 2;
    return power;
}

__global__ void columns(const float *in, float *out, int rows, int width)
{
    __shared__ float sum[most];
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = threadIdx.y * blockDim.x + threadIdx.x;
    if (row >= rows || column >= width)
        return;
    float all = in[row * width + column];
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < 2 * half)
            sum[at] = all;
        __syncthreads(); // expect: exit-before-sync
        if (threadIdx.y < half)
            all += sum[at + half * blockDim.x];
    }
    if (threadIdx.y == 0)
        atomicAdd(out + column, all);
}

void launch(const float *in, float *out, int rows, int width)
{
    const int across = min(power_below(width), 32);
    const int down = min(power_below(rows / 4 + 1), most / across);
    const dim3 grid((width + across - 1) / across, (rows + down - 1) / down);
    columns<<<grid, dim3(across, down)>>>(in, out, rows, width);
}
