// The block comes together before some threads mark what a factor makes of their number, and before
// threads read at such places; a number that a factor only divides names the thread's own row.
#include <cuda_runtime.h>

__global__ void mark_levels(const float *__restrict__ in, float *levels, float first, float step)
{
    __shared__ int level[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        level[i] = -1;
    __syncthreads();
    if (threadIdx.x < 128) {
        int place = (int)(first + threadIdx.x * step);
        level[place] = threadIdx.x;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        if (level[i] >= 0)
            levels[level[i]] = in[blockIdx.x * 2048 + i];
}

__global__ void stretch(const float *__restrict__ in, float *out, float scale)
{
    __shared__ float row[256];
    row[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    const float at = threadIdx.x * scale;
    const int left = (int)at;
    out[blockIdx.x * 256 + threadIdx.x] = row[left] + (at - left) * (row[left + 1] - row[left]);
}

__global__ void of_rows(const float *__restrict__ in, float *out, float per_row, int columns)
{
    __shared__ float kept[256];
    const int row = (int)((threadIdx.x + 0.5f) * per_row), column = threadIdx.x - row * columns;
    kept[row * columns + column] = in[threadIdx.x];
    out[threadIdx.x] = kept[row * columns + column] * 2.0f;
}

// A division that is spelled as a product: the threads of a row are of one warp.
__global__ void of_quick_rows(const float *__restrict__ in, float *out, unsigned int times)
{
    __shared__ float first[64];
    const unsigned int row = __umulhi(threadIdx.x, times);
    if (threadIdx.x % 4 == 0)
        first[row] = in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = first[row];
}

void run(const float *in, float *out, float first, float step, int columns,
         unsigned int times)
{
    mark_levels<<<8, 256>>>(in, out, first, step);
    stretch<<<8, 256>>>(in, out, step);
    of_rows<<<1, 256>>>(in, out, 1.0f / columns, columns);
    of_quick_rows<<<1, 256>>>(in, out, times);
}
